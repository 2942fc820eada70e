"""Endgame tables: the winner and the number of plies, for all positions with few pieces, by retrograde analysis.

A class (a, b) is all positions with `a` pieces of the seat to move and `b` of the other. Positions are seen from player
1's side; those of player 2 are rotated by 180 degrees. A table has one byte per position: 0 means that neither side can
force a win (or that there is no such position), an odd number that the seat to move wins after this many plies, an even one
that it loses. Games that end by repetition or the quiet limit count as draws, so a table never promises more than the rules
allow. Each rule set of the proofs (`bounds.find_rule_set`) has tables of its own; tests compare every entry with `apply`.

Where a repetition is forbidden (FBQ-24), a win or loss holds while no position occurred twice: each position of a forced win
comes once. A 0 may hang on who has to stop repeating first, but not with up to `SETTLED` pieces (`endgames_check.count_hanging`).
"""

from __future__ import annotations

import functools
import hashlib
import lzma
import os
from collections.abc import Callable, Iterator
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bridgehead.core.bits import count, lowest
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game, Position
from bridgehead.core.jit import COMPILED, rule
from bridgehead.core.layout import PlainTable
from bridgehead.core.numbers import ALL, int64, np, uint64
from bridgehead.games.forty_bridges import rules
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.bounds import ONWARD, OTHER, STANDARD, find_rule_set
from bridgehead.games.forty_bridges.rules import rotate_pieces

if TYPE_CHECKING:
    import numpy as np

LONGEST = 250  # most plies of a forced win; a longer one does not fit a byte
MOST = 8  # most pieces of either side in a class
NO_MOVES = 255  # in place of a number of moves: the seat to move must pass
SETTLED = 4  # most pieces on the board where a forbidden repetition decides nothing


def binomials() -> Any:
    """choose[n, k], for numbering sets of fields."""
    choose = [comb(n, k) for n in range(FIELDS + 1) for k in range(10)]
    return np.array(choose).reshape(-1, 10) if COMPILED else PlainTable((FIELDS + 1, 10), choose)


CHOOSE = binomials()


def size(own: int, other: int) -> int:
    """The number of entries of a class: all ways to place the pieces, also those where one stands on the corner that wins."""
    return int(CHOOSE[FIELDS, own] * CHOOSE[FIELDS - own, other])


@rule
def number(own, other, fields):
    """The number of a position in its class on a board of `fields` fields: by its own pieces, then by the others on the rest."""
    first, taken = 0, 0
    rest = own
    while rest:
        field = lowest(rest)
        rest &= rest - rules.ONE
        taken += 1
        first += CHOOSE[field, taken]
    second, placed = 0, 0
    rest = other
    while rest:
        field = lowest(rest)
        rest &= rest - rules.ONE
        placed += 1
        below = count(own & ((rules.ONE << uint64(field)) - rules.ONE))
        second += CHOOSE[field - below, placed]
    return first * CHOOSE[fields - taken, placed] + second


@rule
def members(index, among, wanted):
    """The set with this number among all sets of `wanted` fields in the word `among`."""
    found = rules.ZERO
    top = count(among)
    for k in range(wanted, 0, -1):
        while CHOOSE[top, k] > index:
            top -= 1
        index -= CHOOSE[top, k]
        rest = among
        for _ in range(top):
            rest &= rest - rules.ONE
        found |= rules.ONE << uint64(lowest(rest))
    return found


@rule
def child_value(own, other, tables, starts):
    """The value of a position for the other seat, which moves next, and whether that seat has lost all its pieces."""
    if other == rules.ZERO:
        return 0, True
    a, b = count(other), count(own)
    return int(tables[starts[a, b] + number(rotate_pieces(other), rotate_pieces(own), FIELDS)]), False


@rule
def onward(law, field):
    """The fields to which player 1 may move from a field, as far as the rule against going back tells (FBQ-25)."""
    return ALL if law.retreat else law.ahead[0, field]


@rule
def begin(law, a, b, tables, starts, moves, late):
    """First pass over a class: values known at once or through captures, and the number of other moves.

    moves: the number of moves without a capture; late: the longest loss by a capture, LONGEST + 1 if a capture saves.
    """
    everywhere = law.board
    start = starts[a, b]
    seconds = CHOOSE[FIELDS - a, b]
    for first in range(CHOOSE[FIELDS, a]):
        own = members(first, everywhere, a)
        for second in range(seconds):
            other = members(second, everywhere & (ALL ^ own), b)
            place = first * seconds + second
            if own & law.bit[law.goal[0]] or other & law.bit[law.goal[1]]:
                continue
            begin_one(law, own, other, start + place, place, tables, starts, moves, late)


@rule
def begin_one(law, own, other, at, place, tables, starts, moves, late):
    """The first pass over one position."""
    empty = law.board & (ALL ^ (own | other))
    quiet, won, lost = 0, 0, 0
    saved, any_move = False, False
    movers = own
    while movers:
        field = lowest(movers)
        movers &= movers - rules.ONE
        ends = rules.destinations(law, own, empty, field) & onward(law, field)
        while ends:
            end = uint64(lowest(ends))
            ends &= ends - rules.ONE
            any_move = True
            after = own ^ law.bit[field] ^ law.bit[end]
            if int64(end) == law.goal[0]:
                won = 1
                continue
            gone = rules.find_captured(law, after, other, end)
            alone = gone == rules.ZERO and rules.is_surrounded(law, other, end)
            if gone == rules.ZERO and not alone:
                quiet += 1
                continue
            if alone:
                after ^= law.bit[end]
                if after == rules.ZERO:
                    lost = max(lost, 2)  # its last piece is removed
                    continue
            value, over = child_value(after, other & (ALL ^ gone), tables, starts)
            if over:
                won = 1
            elif value == 0:
                saved = True
            elif value % 2 == 0:
                won = value + 1 if won == 0 else min(won, value + 1)
            else:
                lost = max(lost, value + 1)
    moves[place] = quiet if any_move else NO_MOVES
    late[place] = LONGEST + 1 if saved else lost
    if won:
        tables[at] = won
    elif any_move and quiet == 0 and not saved:
        tables[at] = lost


@rule
def spread(law, a, b, plies, tables, starts, moves, late):
    """Propagate from every position of class (a, b) that is decided in `plies` plies to its predecessors in class (b, a).

    moves, late: of class (b, a). Returns the number of decided positions.
    """
    start, back = starts[a, b], starts[b, a]
    seconds = CHOOSE[FIELDS - a, b]
    found = 0
    for first in range(CHOOSE[FIELDS, a]):
        own = rules.ZERO
        for second in range(seconds):
            if tables[start + first * seconds + second] != plies:
                continue
            found += 1
            if own == rules.ZERO:
                own = members(first, law.board, a)
            other = members(second, law.board & (ALL ^ own), b)
            spread_one(law, rotate_pieces(other), rotate_pieces(own), plies, back, tables, moves, late)
    return found


@rule
def spread_one(law, mover, waiting, plies, back, tables, moves, late):
    """Propagate from one decided position to its predecessors. mover: pieces of the seat that moved last (as player 1)."""
    empty = law.board & (ALL ^ (mover | waiting))
    update(mover, waiting, plies, back, tables, moves, late, True)
    if rules.find_captured(law, mover, waiting, rules.ZERO) != rules.ZERO:
        return  # a piece is surrounded here: every move to this position captures, so no move without a capture leads to it
    rest = mover
    while rest:
        end = uint64(lowest(rest))
        rest &= rest - rules.ONE
        if rules.is_surrounded(law, waiting, end):
            continue
        begins = rules.destinations(law, mover, empty, end)
        while begins:
            begin_field = uint64(lowest(begins))
            begins &= begins - rules.ONE
            before = mover ^ law.bit[end] ^ law.bit[begin_field]
            if int64(begin_field) != law.goal[0] and onward(law, begin_field) & law.bit[end]:
                update(before, waiting, plies, back, tables, moves, late, False)


@rule
def left_of(moves, place):
    """The number of moves of a position that are not known to lose. (`endgames_gpu` replaces this and `one_less`.)"""
    return moves[place]


@rule
def one_less(moves, place):
    """Count one of them as losing; return the number left."""
    moves[place] -= 1
    return moves[place]


@rule
def update(own, other, plies, back, tables, moves, late, passing):
    """Update a position: one of its moves (or its pass) leads to a position that is decided in `plies` plies."""
    place = number(own, other, FIELDS)
    if (left_of(moves, place) == NO_MOVES) != passing:
        return
    value = tables[back + place]
    if plies % 2 == 0:
        if value == 0 or (value % 2 == 1 and value > plies + 1):
            tables[back + place] = plies + 1
    elif value == 0:
        left = 0 if passing else one_less(moves, place)
        if left == 0 and late[place] <= LONGEST:
            tables[back + place] = max(plies + 1, late[place])


@rule
def table_value(state, law, tables, starts):
    """The tables' value for the seat to move; -1 for a position outside the tables, or while captures are chosen."""
    seat = uint64(state.seat)
    own, other = state.pieces[seat], state.pieces[rules.ONE - seat]
    a, b = count(own), count(other)
    start = starts[a, b]
    if start < 0 or state.takes > 0:
        return -1
    if seat == rules.ONE:
        own, other = rotate_pieces(own), rotate_pieces(other)
    return int64(tables[start + number(own, other, FIELDS)])


# -- files of tables: shipped ones, and larger ones that are built and stored step by step -----------------------------
NEAR = 12  # most pieces on the board where a search may capture so many that the tables know the rest
WHOLE = "endgames.npy"  # all classes of a folder, where players find them
FIRST = 1, 1  # the class whose hash tells the rule set of a folder's tables
Report = Callable[[str, float], None]


class Shipped(NamedTuple):
    """What comes with the game for a rule set.

    pieces: most on the board; file: their tables; hashes: of all tables that were built, as sha256sum writes them; under: the
    folder of larger tables, within the one that people name.
    """

    pieces: int
    file: Path
    hashes: Path
    under: str

    def read_hashes(self) -> dict[str, str]:
        """The published hashes, by class ("3-2")."""
        return {name: digest for digest, name in map(str.split, self.hashes.read_text().splitlines())}


def _ship(pieces: int, name: str, under: str) -> Shipped:
    file = Path(__file__).with_name(f"{name}.xz")
    return Shipped(pieces, file, file.with_suffix(".sha256"), under)


SHIPPED = {STANDARD: _ship(5, "endgames", ""), ONWARD: _ship(4, "endgames-recommended", "recommended")}


class PieceTables(NamedTuple):
    """values: all classes in sequence, see `endgames`; starts[own, others]: the start of a class, -1 if it is missing."""

    values: np.ndarray[Any, np.dtype[np.uint8]]
    starts: np.ndarray[Any, np.dtype[np.int64]]


@functools.cache
def none() -> PieceTables:
    """Tables without any position."""
    return PieceTables(np.zeros(1, np.uint8), np.full((MOST + 1, MOST + 1), -1, np.int64))


def classes(pieces: int) -> list[tuple[int, int]]:
    """Classes with this many pieces on the board, in the order of the files."""
    return [(own, pieces - own) for own in range(1, pieces)]


def pairs(pieces: int) -> list[list[tuple[int, int]]]:
    """Classes whose positions follow one another, in the order in which they are solved."""
    return [sorted({each, each[::-1]}) for number in range(2, pieces + 1) for each in classes(number) if each[0] <= each[1]]


def places(pieces: int) -> tuple[list[list[int]], int]:
    """Where each class up to this many pieces starts, -1 for others, and the size of all."""
    starts, total = [[-1] * (MOST + 1) for _ in range(MOST + 1)], 0
    for number in range(2, pieces + 1):
        for own, other in classes(number):
            starts[own][other] = total
            total += size(own, other)
    return starts, total


def blank(pieces: int) -> PieceTables:
    """Empty tables with room for all classes up to this many pieces."""
    starts, total = places(pieces)
    return PieceTables(np.zeros(total, np.uint8), np.array(starts, np.int64))


@functools.cache
def load_shipped_tables(rule_set: int) -> PieceTables:
    """The tables that come with the game."""
    made = blank(SHIPPED[rule_set].pieces)
    values = np.frombuffer(lzma.decompress(SHIPPED[rule_set].file.read_bytes()), np.uint8)
    return PieceTables(values, made.starts)


@functools.cache
def larger(folder: str, rule_set: int) -> PieceTables:
    """Tables that `build` finished in a folder; they stay on disk, and only what is looked up is read.

    Errors: OptionError, also for tables of other rules.
    """
    shipped = SHIPPED[rule_set]
    try:
        values = np.load(Path(folder) / shipped.under / WHOLE, mmap_mode="r")
        pieces = next(number for number in range(2, 2 * MOST + 1) if places(number)[1] == len(values))
    except (OSError, ValueError, StopIteration):
        raise OptionError("forty_bridges:error.no_endgames", folder) from None
    made = PieceTables(np.asarray(values), np.array(places(pieces)[0], np.int64))
    if hash_class(made, *FIRST) != shipped.read_hashes()["1-1"]:
        raise OptionError("forty_bridges:error.other_endgames", str(Path(folder) / shipped.under))
    return made


def tables_for(game: Game) -> PieceTables:
    """The tables for a game, from the folder that `BRIDGEHEAD_ENDGAMES` names or as shipped; none for other house rules.

    A folder that has tables of the other rule set only leaves this one with the shipped ones.
    """
    rule_set, folder = int(find_rule_set(game.law)), os.environ.get("BRIDGEHEAD_ENDGAMES")
    if rule_set == OTHER:
        return none()
    held = [each for each in SHIPPED if folder and (Path(folder) / SHIPPED[each].under / WHOLE).exists()]
    return larger(folder, rule_set) if folder and (rule_set in held or not held) else load_shipped_tables(rule_set)


def find_stored_tables(position: Position) -> tuple[Path, list[list[int]]] | None:
    """The file of the shipped tables, and where each class starts; None where a search will not reach one."""
    shipped = SHIPPED.get(int(find_rule_set(position.game.law)))
    if not rules.sides_are_settled(position.read_only, position.game.law):
        return None
    pieces = sum(count(each) for each in position.state.pieces)
    return (shipped.file, places(shipped.pieces)[0]) if shipped and pieces <= NEAR else None


def require_rule_set(game: Game) -> int:
    """The rule set of a game's tables. Errors: OptionError for house rules without tables."""
    if (rule_set := int(find_rule_set(game.law))) == OTHER:
        raise OptionError("forty_bridges:error.rules_without_endgames")
    return rule_set


def build(
    game: Game,
    pieces: int,
    folder: Path,
    report: Report = lambda what, share: None,
    card: Callable[[Game, int], Any] | None = None,
) -> PieceTables:
    """Tables up to a number of pieces. Finished classes are stored in `folder` and loaded from there, all together in `WHOLE`.

    report: called with the present step and the finished share. card: `endgames_gpu.GpuTables`, to compute on a graphics card.
    Errors: OptionError for house rules without tables.
    """
    folder = folder / SHIPPED[require_rule_set(game)].under
    made, device = blank(pieces), card(game, pieces) if card else None
    folder.mkdir(parents=True, exist_ok=True)
    finished = 0
    for pair in pairs(pieces):
        what, here = f"{pair[0][0]} against {pair[0][1]}", sum(size(*each) for each in pair)
        report(what, finished / len(made.values))
        if not all(_load(made, each, folder) for each in pair):
            for share in device.solve(made, pair) if device else _solve(game.law, made, pair):
                report(what, (finished + share * here) / len(made.values))
            for each in pair:
                _save(made, each, folder)
        elif device:
            device.put(made, pair)
        finished += here
    unfinished = folder / f"{os.getpid()}.npy"
    np.save(unfinished, made.values)
    unfinished.replace(folder / WHOLE)
    report("done", 1.0)
    return made


def _solve(law: Any, made: PieceTables, pair: list[tuple[int, int]]) -> Iterator[float]:
    """Solve two classes whose positions follow one another, backwards from the end; yields the approximate share done."""
    moves = {each: np.zeros(size(*each), np.uint8) for each in pair}
    late = {each: np.zeros(size(*each), np.uint8) for each in pair}
    for number, each in enumerate(pair, start=1):
        begin(law, *each, *made, moves[each], late[each])
        yield 0.5 * number / len(pair)
    for plies in range(1, LONGEST):
        for own, other in pair:
            spread(law, own, other, plies, *made, moves[other, own], late[other, own])
        if all(part(made, each).max() <= plies for each in pair):
            return
        yield 1 - 0.5 * 0.93**plies  # estimated: the number of passes is unknown, and the first ones take longest
    raise ValueError(f"a win takes more than {LONGEST} plies: it does not fit a table")


def part(made: PieceTables, which: tuple[int, int]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The values of one class."""
    start = int(made.starts[which])
    return made.values[start : start + size(*which)]


def hash_class(made: PieceTables, own: int, other: int) -> str:
    """The SHA-256 hash of the entries of a class, in hexadecimal digits."""
    return hashlib.sha256(part(made, (own, other)).tobytes()).hexdigest()


def _path(which: tuple[int, int], folder: Path) -> Path:
    return folder / f"{which[0]}-{which[1]}.xz"


def _load(made: PieceTables, which: tuple[int, int], folder: Path) -> bool:
    """Load a stored class; False if it is missing or its file is damaged."""
    try:
        digest, packed = _path(which, folder).read_bytes().split(b"\n", 1)
        if hashlib.sha256(packed).hexdigest().encode() != digest:
            return False
        part(made, which)[:] = np.frombuffer(lzma.decompress(packed), np.uint8)
    except (FileNotFoundError, ValueError, lzma.LZMAError):
        return False
    return True


def _save(made: PieceTables, which: tuple[int, int], folder: Path) -> None:
    """Store a class atomically."""
    packed = lzma.compress(part(made, which).tobytes(), preset=3)
    unfinished = _path(which, folder).with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(hashlib.sha256(packed).hexdigest().encode() + b"\n" + packed)
    unfinished.replace(_path(which, folder))
