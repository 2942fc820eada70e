"""Replays of records, computed in worker processes."""

from __future__ import annotations

import functools
import math
import zlib
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from bridgehead.core import link, record, registry
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.own_boards import headline
from bridgehead.core.phrases import Phrase
from bridgehead.core.record import Note, one_line
from bridgehead.core.scene import Item
from bridgehead.core.spec import OVER
from bridgehead.server.catalogue import WORDS
from bridgehead.server.messages.boards import RecordPosition
from bridgehead.server.messages.replays import ItemChange, RecordNote, ReplayFrame, ReplayHead, ReplayPatch
from bridgehead.server.rooms import views
from bridgehead.server.tables.names import clean_name
from bridgehead.server.tables.repository import Beginning

GZIP = 31  # zlib's window bits for a gzip file
CALLED = ("letter", "name", "old")  # parameters of notes that call a seat by its letter where no name was given
NOTES = ("mark.", "level.")  # the phrases of notes, and of what stands within them
FIRST, PIECE = 16, 160  # frames in the first piece of a replay, so that it comes soon, and in each of the others


def pieces(length: int) -> list[int]:
    """The first frames of the pieces of a replay of this length."""
    return [0, *range(FIRST, length, PIECE)]


def film(text: str, language: str, longest: int, begin: int | None = None) -> bytes:
    """The replay of a record or of a link, compressed by gzip.

    begin: for one piece only, its first frame; the pieces after the first come without the head. Errors: as `open_upload`;
    BridgeheadError if no piece begins there.
    """
    match, names = open_upload(text, longest)
    begins, end = pieces(len(match.positions)), len(match.positions)
    if begin is not None:
        if begin not in begins:
            raise BridgeheadError("server:error.no_piece", "frame", frame=begin)
        end = min(end, begin + (PIECE if begin else FIRST))
    press = zlib.compressobj(4, wbits=GZIP)
    parts = frames(match, [clean_name(name) for name in names], language, begin or 0, end)
    return b"".join([press.compress(part) for part in parts]) + press.flush()


def frames(match: Match, names: Sequence[str], language: str, begin: int, end: int) -> Iterator[bytes]:
    """A `Replay` or a `ReplayPiece` in pieces of one JSON object, because the whole may be larger than memory.

    The first frame shows everything; each of the others shows the changes since the one before it.
    """
    narrator, scene = views.TableText(match, names, language), match.game.spec.scene
    if not begin:
        turns = {entry.turn + 1: at + 1 for at, entry in reversed([*enumerate(match.log)])}
        head = ReplayHead(
            match.game.spec.id, headline(match.game), scene.picture(match.game, language),
            [narrator.names.get(seat.key, "") for seat in match.game.seat_phrases],
            scene.plates(match.positions[0], language), link.pack(match, names), record.dump(match, names),
            [*_older(match.game, language), *(
                RecordNote(min(at, len(match.log)), translate_note(match.game, text, language)) for at, text in match.notes
            )],
            pieces(len(match.positions)), len(match.positions),
            sorted(turns.items()), match.actor == OVER,
        )  # fmt: skip
        yield msgspec.json.encode(head)[:-1] + b","
    yield b'"frames":[' if not begin else b'{"frames":['
    before: views.Snapshot | None = None
    for index in range(begin, end):
        position = match.positions[index]
        now, entry = views.Snapshot(position, language, narrator.names), match.log[index - 1] if index else None
        yield b"," * (index > begin) + msgspec.json.encode(ReplayFrame(
            n=index, turn=entry.turn + 1 if entry else 0,
            actor=match.actor if position is match.position else position.actor,
            text=match.positions[index - 1].name(entry.action) if entry else "",
            sentence=narrator.line(index - 1) if entry else "", prompt=narrator.prompt(position),
            traces=narrator.traces(index - 1, index, now.things) if index else [], last=narrator.last(index),
            items=UNSET if before else now.things, patch=_patch(before.things, now.things) if before else UNSET,
            plates=UNSET if before and before.plates() == now.plates() else now.plates(),
        ))  # fmt: skip
        before = now
    yield b"]}"


def _older(game: Game, language: str) -> list[RecordNote]:
    """The note that a game was played under older rules, if it was."""
    now = registry.spec(game.spec.id).version
    told = Phrase("older_rules", {"version": game.spec.version, "now": now})
    return [] if game.spec.version == now else [RecordNote(0, WORDS.tell(told, language))]


def _patch(before: Sequence[Item], after: Sequence[Item]) -> ReplayPatch | UnsetType:
    """The patch from one list of items to another, without the fields that stay; UNSET if nothing changed."""
    old, new = {item.id: item for item in before}, {item.id for item in after}
    found = views.patch(before, after)
    put = found.put if found else [*enumerate(after)]
    gone = [name for name in old if name not in new]
    if not put and not gone:
        return UNSET
    return ReplayPatch(gone, [(place, _change(old.get(item.id), item)) for place, item in put])


def _change(old: Item | None, new: Item) -> ItemChange:
    """An item, without the fields that stay as they were (of a new item: those with their usual value)."""
    usual = old or Item(new.id, math.nan, math.nan)
    fields = ((name, getattr(new, name)) for name in Item.__struct_fields__ if name != "id")
    return ItemChange(new.id, **{name: value for name, value in fields if value != getattr(usual, name)})


def beginning(text: str, at: int | None, longest: int) -> Beginning:
    """The first `at` actions of a record or of a link; all of them if None.

    Errors: as `open_upload`; BridgeheadError if there are fewer actions, or if the game is over after them.
    """
    match, _ = open_upload(text, longest)
    spec, at = match.game.spec, len(match.log) if at is None else at
    if spec.version != registry.spec(spec.id).version:
        raise BridgeheadError("server:error.older_rules", "rules", version=spec.version)
    if at > len(match.log):
        raise BridgeheadError("server:error.actions_none_can_follow_action", "at", count=len(match.log), at=at)
    if match.positions[at].is_over:
        raise BridgeheadError("server:error.game_over_go_back_step", "at")
    first, game = match.positions[0], match.game
    start = "" if first == game.start() else first.text
    return Beginning(game.spec.id, house.list_differences(game.options), start, match.actions, at)


def position_at(text: str, at: int | None, longest: int) -> bytes:
    """The position after the first `at` actions of a record or of a link; None: the last one. Errors: as `open_upload`."""
    match, _ = open_upload(text, longest)
    at = len(match.log) if at is None else at
    if at > len(match.log):
        raise BridgeheadError("server:error.actions_none_can_follow_action", "at", count=len(match.log), at=at)
    game = match.game
    return msgspec.json.encode(RecordPosition(game.spec.id, house.list_differences(game.options), match.positions[at].text))


def open_upload(text: str, longest: int) -> tuple[Match, list[str]]:
    """A match from an uploaded record or link. Errors: RecordError, BridgeheadError for more than `longest` actions."""
    match, names = _read(text)
    if len(match.log) > longest:
        raise BridgeheadError("server:error.record_actions_most_can_shown", count=len(match.log), longest=longest)
    return match, names


@functools.lru_cache(4)
def _read(text: str) -> tuple[Match, list[str]]:
    """Reading plays every action, so keep the matches of which further pieces may be wanted."""
    return link.read(text)


def note_text(game: Game, phrase: Phrase, language: str) -> str:
    """The sentence of a note; a seat without a name is called by its colour."""
    letters = (game.spec.seat_letter(seat).upper() for seat in range(game.seats))
    colours = dict(zip(letters, (game.words.tell(seat, language) for seat in game.seat_phrases), strict=True))
    shown = {name: colours.get(str(value), value) if name in CALLED else value for name, value in phrase.params.items()}
    return WORDS.tell(Phrase(phrase.key, shown), language)


def translate_note(game: Game, note: str, language: str) -> str:
    """A note in a language. One whose phrase does not make this sentence stays as it is: somebody changed it."""
    phrase = note.phrase if isinstance(note, Note) else None
    try:
        is_made = phrase is not None and _is_ours(phrase) and one_line(WORDS.tell(phrase)) == note
        return note_text(game, phrase, language) if phrase is not None and is_made else str(note)
    except KeyError:  # a parameter is missing
        return str(note)


def _is_ours(value: object) -> bool:
    """Has this phrase, with all phrases in it, a sentence among those of notes? Records come from strangers."""
    if not isinstance(value, Phrase):
        return isinstance(value, str | int)
    return value.key.startswith(NOTES) and WORDS.has(value.key) and all(_is_ours(each) for each in value.params.values())
