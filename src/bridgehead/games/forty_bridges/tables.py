"""Files of endgame tables: shipped ones, and larger ones that are built and stored step by step."""

from __future__ import annotations

import functools
import hashlib
import lzma
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from bridgehead.core.game import Game
from bridgehead.games.forty_bridges import endgames
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.endgames import LONGEST, MOST

SHIPPED = 5  # most pieces on the board in the shipped tables
FILE = Path(__file__).with_name("endgames.xz")
Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Report = Callable[[str, float], None]


class Tables(NamedTuple):
    """values: all classes in sequence, see `endgames`; starts[own, others]: the start of a class, -1 if it is missing."""

    values: Bytes
    starts: np.ndarray[Any, np.dtype[np.int64]]


NONE = Tables(np.zeros(1, np.uint8), np.full((MOST + 1, MOST + 1), -1, np.int64))


def classes(pieces: int) -> list[tuple[int, int]]:
    """Classes with this many pieces on the board, in the order of the files."""
    return [(own, pieces - own) for own in range(1, pieces)]


def blank(pieces: int) -> Tables:
    """Empty tables with room for all classes up to this many pieces."""
    starts, total = np.full((MOST + 1, MOST + 1), -1, np.int64), 0
    for number in range(2, pieces + 1):
        for own, other in classes(number):
            starts[own, other] = total
            total += endgames.size(own, other)
    return Tables(np.zeros(total, np.uint8), starts)


def are_for(game: Game) -> bool:
    """Whether the tables are valid: moving and capturing follow the standard rules, and the board is the whole one."""
    mine, standard = (msgspec.structs.asdict(options) for options in (game.options, type(game.options)()))
    free = {"setup", "layout", "first", "quiet_limit", "seats"}
    return int(game.law.board).bit_count() == FIELDS and all(mine[name] == standard[name] for name in mine if name not in free)


@functools.cache
def shipped() -> Tables:
    """The tables that come with the game."""
    made = blank(SHIPPED)
    values = np.frombuffer(lzma.decompress(FILE.read_bytes()), np.uint8)
    return Tables(values, made.starts)


def tables_for(game: Game) -> Tables:
    """The shipped tables for a game; none if its house rules differ."""
    return shipped() if are_for(game) else NONE


def build(game: Game, pieces: int, folder: Path, report: Report = lambda what, share: None) -> Tables:
    """Tables up to a number of pieces. Finished classes are stored in `folder` and loaded from there.

    report: called with the present step and the finished share.
    """
    made = blank(pieces)
    folder.mkdir(parents=True, exist_ok=True)
    pairs = [
        sorted({(own, number - own), (number - own, own)}) for number in range(2, pieces + 1) for own in range(1, number // 2 + 1)
    ]
    finished = 0
    for pair in pairs:
        what, here = f"{pair[0][0]} against {pair[0][1]}", sum(endgames.size(*each) for each in pair)
        report(what, finished / len(made.values))
        if not all(_load(made, each, folder) for each in pair):
            for share in _solve(game.law, made, pair):
                report(what, (finished + share * here) / len(made.values))
            for each in pair:
                _save(made, each, folder)
        finished += here
    report("done", 1.0)
    return made


def _solve(law: Any, made: Tables, pair: list[tuple[int, int]]) -> Iterator[float]:
    """Solve two classes whose positions follow one another, backwards from the end; yields the approximate share done."""
    moves = {each: np.zeros(endgames.size(*each), np.uint8) for each in pair}
    late = {each: np.zeros(endgames.size(*each), np.uint8) for each in pair}
    for number, each in enumerate(pair, start=1):
        endgames.begin(law, *each, *made, moves[each], late[each])
        yield 0.5 * number / len(pair)
    for plies in range(1, LONGEST):
        for own, other in pair:
            endgames.spread(law, own, other, plies, *made, moves[other, own], late[other, own])
        if all(part(made, each).max() <= plies for each in pair):
            return
        yield 1 - 0.5 * 0.93**plies  # estimated: the number of passes is unknown, and the first ones take longest
    raise ValueError(f"a win takes more than {LONGEST} plies: it does not fit a table")


def part(made: Tables, which: tuple[int, int]) -> Bytes:
    """The values of one class."""
    start = int(made.starts[which])
    return made.values[start : start + endgames.size(*which)]


def _path(which: tuple[int, int], folder: Path) -> Path:
    return folder / f"{which[0]}-{which[1]}.xz"


def _load(made: Tables, which: tuple[int, int], folder: Path) -> bool:
    """Load a stored class; False if it is missing or its file is damaged."""
    try:
        digest, packed = _path(which, folder).read_bytes().split(b"\n", 1)
        if hashlib.sha256(packed).hexdigest().encode() != digest:
            return False
        part(made, which)[:] = np.frombuffer(lzma.decompress(packed), np.uint8)
    except (FileNotFoundError, ValueError, lzma.LZMAError):
        return False
    return True


def _save(made: Tables, which: tuple[int, int], folder: Path) -> None:
    """Store a class atomically."""
    packed = lzma.compress(part(made, which).tobytes(), preset=3)
    unfinished = _path(which, folder).with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(hashlib.sha256(packed).hexdigest().encode() + b"\n" + packed)
    unfinished.replace(_path(which, folder))
