"""The notes of a record, which say who played a seat from which action on. A record holds each in English, and its phrase."""

from __future__ import annotations

from bridgehead.core.phrases import Phrase
from bridgehead.core.record import Note, one_line
from bridgehead.server.catalogue import WORDS

NOTES = ("mark.", "level.")  # the phrases of notes, and of what stands within them


def translated(note: str, language: str) -> str:
    """A note in a language. One whose phrase does not make this sentence stays as it is: somebody changed it."""
    phrase = note.phrase if isinstance(note, Note) else None
    try:
        is_made = phrase is not None and _is_ours(phrase) and one_line(WORDS.tell(phrase)) == note
        return WORDS.tell(phrase, language) if phrase is not None and is_made else str(note)
    except KeyError:  # a parameter is missing
        return str(note)


def _is_ours(value: object) -> bool:
    """Has this phrase, with all phrases in it, a sentence among those of notes? Records come from strangers."""
    if not isinstance(value, Phrase):
        return isinstance(value, str | int)
    return value.key.startswith(NOTES) and WORDS.has(value.key) and all(_is_ours(each) for each in value.params.values())
