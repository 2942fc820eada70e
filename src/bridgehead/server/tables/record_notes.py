"""The notes of a record on changes of seats: the new player, and from which action on. A record holds them in English."""

from __future__ import annotations

import functools
import re
import string

from bridgehead.core.phrases import Phrase
from bridgehead.server.catalogue import WORDS

NOTES = ("mark.",)
WITHIN = ("level.", "mark.by.")  # phrases inside other sentences


def translated(note: str, language: str) -> str:
    """A note in a language. A note from another program stays unchanged."""
    found = _read(note, NOTES)
    return note if found is None else WORDS.tell(found, language)


def _read(text: str, kinds: tuple[str, ...]) -> Phrase | None:
    """The phrase behind an English sentence, or None."""
    for key, pattern in _patterns(kinds):
        if found := pattern.fullmatch(text):
            return Phrase(key, {name: _read(value, WITHIN) or value for name, value in found.groupdict().items()})
    return None


@functools.cache
def _patterns(kinds: tuple[str, ...]) -> list[tuple[str, re.Pattern[str]]]:
    """The English sentences of some kinds as patterns, the most specific first."""
    templates = {key: WORDS.template(key) for key in WORDS.keys("en") if key.startswith(kinds)}
    order = sorted(templates, key=lambda key: (-len(templates[key]), key))
    return [(key, re.compile("".join(_parts(templates[key])))) for key in order]


def _parts(template: str) -> list[str]:
    return [re.escape(text) + (f"(?P<{name}>.*?)" if name else "") for text, name, _, _ in string.Formatter().parse(template)]
