"""Replays of records, computed in worker processes."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

import msgspec

from bridgehead.core import link, record
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.record import Note, one_line
from bridgehead.server.catalogue import WORDS
from bridgehead.server.messages.http import RecordNote, ReplayFrame, ReplayHead
from bridgehead.server.rooms import views
from bridgehead.server.tables.repository import Beginning
from bridgehead.server.tables.stored_seats import clean

GZIP = 31  # zlib's window bits for a gzip file
NOTES = ("mark.", "level.")  # the phrases of notes, and of what stands within them


def film(text: str, language: str, longest: int) -> bytes:
    """The frames of a record or of a link, compressed by gzip. Errors: as `_opened`."""
    match, names = _opened(text, longest)
    press = zlib.compressobj(4, wbits=GZIP)
    parts = frames(match, [clean(name) for name in names], language)
    return b"".join([press.compress(part) for part in parts]) + press.flush()


def frames(match: Match, names: Sequence[str], language: str) -> Iterator[bytes]:
    """A `Replay` in pieces of one JSON object, because the whole may be larger than memory."""
    narrator, scene = views.Narrator(match, names, language), match.game.spec.scene
    head = ReplayHead(
        match.game.spec.id, match.game.spec.title, scene.picture(match.game, language),
        [narrator.names.get(seat.key, "") for seat in match.game.seat_phrases],
        scene.plates(match.positions[0], language), link.pack(match, names), record.dump(match, names),
        [RecordNote(min(at, len(match.log)), translated(text, language)) for at, text in match.notes],
    )  # fmt: skip
    yield msgspec.json.encode(head)[:-1] + b',"frames":['
    for index, position in enumerate(match.positions):
        items = scene.items(position, language)
        entry = match.log[index - 1] if index else None
        yield b"," * bool(index) + msgspec.json.encode(ReplayFrame(
            n=index, turn=entry.turn + 1 if entry else 0,
            actor=match.actor if position is match.position else position.actor,
            text=match.positions[index - 1].name(entry.action) if entry else "",
            sentence=narrator.line(index - 1) if entry else "", items=items,
            plates=scene.plates(position, language), prompt=narrator.prompt(position),
            traces=narrator.traces(index - 1, index, items) if index else [], last=narrator.last(index),
        ))  # fmt: skip
    yield b"]}"


def beginning(text: str, at: int | None, longest: int) -> Beginning:
    """The first `at` actions of a record or of a link; all of them if None.

    Errors: as `_opened`; BridgeheadError if there are fewer actions, or if the game is over after them.
    """
    match, _ = _opened(text, longest)
    at = len(match.log) if at is None else at
    if at > len(match.log):
        raise BridgeheadError("server:error.actions_none_can_follow_action", "at", count=len(match.log), at=at)
    if match.positions[at].is_over:
        raise BridgeheadError("server:error.game_over_go_back_step", "at")
    first, game = match.positions[0], match.game
    start = "" if first == game.start() else first.text
    return Beginning(game.spec.id, house.differences(game.options), start, match.actions, at)


def _opened(text: str, longest: int) -> tuple[Match, list[str]]:
    """A match from an uploaded record or link. Errors: RecordError, BridgeheadError for more than `longest` actions."""
    match, names = link.read(text)
    if len(match.log) > longest:
        raise BridgeheadError("server:error.record_actions_most_can_shown", count=len(match.log), longest=longest)
    return match, names


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
