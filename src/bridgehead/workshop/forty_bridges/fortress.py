"""Fortresses of 40 Bridges: from which positions can a defender of the corner a1 stay for ever in a family of set-ups?

A family is a set of set-ups of the defender's pieces in a region round a1. The attackers are any placement of up to so many
squares and octagons on the rest of the board. A position is *kept* if the defender can move for ever without leaving the family,
losing a piece, or letting an attacker reach a1. The kept positions are the largest set of positions with the attackers to move in
which every move of theirs leaves the defender a move back into the set. They are found by taking away positions that do not hold,
until nothing changes. A game that never ends is a draw (FBQ-15), so a kept position is not lost for the defender.

kept[setup, row, word]: 64 placements a word. A row is a set of the attackers' squares among the squares free of the set-up, a bit
a set of octagons among all sixteen (none is kept that overlaps); both in the order of `subsets`. Of a set-up and its mirror image
at the diagonal only one is stored. A word of `kept` also has bits for placements with an attacker that the set-up surrounds: they
have the value of the placement without it, for a capture follows at once. Tables are for the standard house rules.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bridgehead.core.bits import count, lowest
from bridgehead.core.errors import OptionError
from bridgehead.core.jit import rule
from bridgehead.core.numbers import ALL, int64, uint64
from bridgehead.games.forty_bridges.board import FIELDS, number_of, standard
from bridgehead.games.forty_bridges.options import Options

Array = npt.NDArray[Any]
BOARD = standard()
SQUARES = tuple(field for field in range(FIELDS) if BOARD.is_square(field))
OCTAGONS = tuple(field for field in range(FIELDS) if not BOARD.is_square(field))
BOTH = SQUARES, OCTAGONS
AMONG = tuple((SQUARES if BOARD.is_square(field) else OCTAGONS).index(field) for field in range(FIELDS))  # the bit of a field
MIRROR = tuple(number_of((y, x)) for x, y in BOARD.places)
SETS = 16  # bits of the octagons in a key, which is squares << SETS | octagons
UNCONDITIONAL = 31  # in place of a field that must hold a friend
WON, OUTSIDE = -1, -2  # in place of the set-up that a move leads to
CORNER, GOAL = 0, 24  # a1 and e5 among the squares
MOST = 4  # pieces of each type a side
ENOUGH = Options().sides_needed
ZERO, ONE = uint64(0), uint64(1)


class SetupFamily(NamedTuple):
    """All set-ups of so many squares and octagons within a region such as `a1 b1 a2 A1`; held: with a piece on a1.

    attackers: at most so many squares and octagons. keys: the set-ups, ascending, one of two mirror images each.
    """

    region: str
    pieces: tuple[int, int]
    attackers: tuple[int, int]
    held: bool
    keys: Array


class FortressTables(NamedTuple):
    """What the loops look up. Set-up f stands on the squares squares[f] (its rows: those of number row_kind[f]) and on the
    octagons octagons[f] (its bits: some[bit_kind[f]]); it surrounds the fields of surrounds[f, 0 for squares, 1 for octagons].
    """

    squares: Array
    octagons: Array
    surrounds: Array
    row_kind: Array
    bit_kind: Array
    placement: Array  # [row kind, row]: the attackers' squares, as a number among all placements of squares
    row: Array  # [row kind, placement of squares]: the row, -1 if it overlaps
    fields: Array  # [placement]: the squares as bits
    mirrored: Array  # [placement]
    without_square: Array  # [placement, square]: the placement without it
    sides: Array  # [placement, field of the board]: how many attackers' squares touch it
    square_moves: Array  # [first of placement] into square_move, for the attackers' squares alone on the board
    square_move: Array  # placement after, end, octagon that must hold a friend, placement without the mover
    some: Array  # [bit kind, word]: the bits that do not overlap
    has: Array  # [octagon, word]: placements with this octagon
    touching: Array  # [field of the board, n, word]: placements with at least n octagons that touch it
    sets: Array  # [bit]: the octagons as bits
    mirror_bit: Array  # [bit]
    without_octagon: Array  # [octagon, bit]: the bit without it
    with_octagon: Array  # [bit, octagon]: the bit with it, -1 if there is none
    steps: Array  # [octagon]: where it steps to
    rests: Array  # the number of bits with fewer octagons than most
    leaps: Array  # [bit, octagon]: where it jumps to over these octagons
    over_square: Array  # [octagon, n]: squares that it may jump over, and where it lands (0, if there are fewer)
    moves: Array  # [first of set-up] into the defender's moves
    move_to: Array  # set-up, WON or OUTSIDE
    move_end: Array  # field of the board
    move_surrounds: Array  # as `surrounds`, of the set-up after the move, before it is mirrored
    move_mirrored: Array


# -- the family --------------------------------------------------------------------------------------------------------
def subsets(fields: int, most: int) -> Array:
    """All sets of up to `most` of so many fields as words, by size and then by value."""
    sets = [sum(1 << field for field in each) for size in range(most + 1) for each in itertools.combinations(range(fields), size)]
    return np.array(sorted(sets, key=lambda each: (each.bit_count(), each)), np.int64)


def family(region: str, pieces: tuple[int, int], attackers: tuple[int, int], held: bool = True) -> SetupFamily:
    """The family of these set-ups. Errors: OptionError."""
    fields = [BOARD.field(name) for name in region.split()]
    few = [number for pair in (pieces, attackers) for number in pair]
    if None in fields or not few[0] or not all(0 <= number <= MOST for number in few):
        raise OptionError("forty_bridges:error.fortress_region", region)
    inside = [sum(1 << AMONG[field] for field in fields if field in kind) for kind in BOTH]
    squares, octagons = (
        np.array([each for each in subsets(len(kind), most) if each.bit_count() == most and not int(each) & ~allowed], np.int64)
        for kind, most, allowed in zip(BOTH, pieces, inside, strict=True)
    )
    if held:
        squares = squares[squares & 1 == 1]
    keys = (squares[:, None] << SETS | octagons[None, :]).ravel()
    if not len(keys):
        raise OptionError("forty_bridges:error.fortress_region", region)
    return SetupFamily(region, pieces, attackers, held, np.unique(np.minimum(keys, mirror_keys(keys))))


def mirror_sets(sets: Array, kind: int) -> Array:
    """Sets of squares (kind 0) or octagons (1), mirrored at the diagonal."""
    found = np.zeros_like(sets)
    for index, field in enumerate(BOTH[kind]):
        found |= (sets >> index & 1) << AMONG[MIRROR[field]]
    return found


def mirror_keys(keys: Array) -> Array:
    """Mirror images of set-ups."""
    return mirror_sets(keys >> SETS, 0) << SETS | mirror_sets(keys & ((1 << SETS) - 1), 1)


# -- tables ------------------------------------------------------------------------------------------------------------
def moves_of(kind: int) -> list[tuple[int, int, int, int]]:
    """All steps and jumps of squares (kind 0) or octagons (1): start, end, kind (2: none) and field of the jumped friend."""
    found = []
    for field in BOTH[kind]:
        found += [(AMONG[field], AMONG[end], 2, UNCONDITIONAL) for end in BOARD.step[field]]
        for over, end in BOARD.jump[field]:
            if end in BOTH[kind]:
                found.append((AMONG[field], AMONG[end], 0 if BOARD.is_square(over) else 1, AMONG[over]))
    return found


def touching(field: int, kind: int) -> int:
    """The squares or octagons that touch a field."""
    return sum(1 << AMONG[each] for each in BOARD.touch[field] if each in BOTH[kind])


def counts(sets: Array, kind: int) -> Array:
    """How many of each set touch each field of the board."""
    return np.stack([np.bitwise_count(sets & touching(field, kind)) for field in range(FIELDS)], -1)


def surrounded_by(squares: Array, octagons: Array) -> Array:
    """The fields that set-ups surround: [set-up, kind]."""
    closed = counts(squares, 0) + counts(octagons, 1) >= ENOUGH
    return np.stack([sum(closed[:, field].astype(np.int64) << AMONG[field] for field in kind) for kind in BOTH], 1).astype(
        np.int32
    )


def pack_bits(bits: Array) -> Array:
    """Booleans as words, along the last axis."""
    full = np.zeros((*bits.shape[:-1], -(-bits.shape[-1] // 64) * 64), np.uint8)
    full[..., : bits.shape[-1]] = bits
    return np.packbits(full, axis=-1, bitorder="little").view(np.uint64)


def unpack_bits(words: Array) -> Array:
    """Words as booleans, along the last axis."""
    return np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=-1, bitorder="little").astype(bool)


def group_rows(parts: list[Array], groups: int) -> tuple[Array, Array]:
    """Rows that begin with the number of a group, sorted by it: where each group begins, and the rows without that number."""
    rows = np.concatenate(parts)
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    return np.searchsorted(rows[:, 0], np.arange(groups + 1)).astype(np.int32), rows[:, 1:]


def of_squares(squares: Array, most: int) -> dict[str, Array]:
    """The tables about the attackers' squares."""
    kinds, row_kind = np.unique(squares, return_inverse=True)
    sets = subsets(len(SQUARES), most)
    number = np.full(1 << len(SQUARES), -1, np.int16)
    number[sets] = np.arange(len(sets))
    free = (sets[None, :] & kinds[:, None]) == 0
    placement = np.nonzero(free)[1].reshape(len(kinds), -1).astype(np.int16)
    row = np.full((len(kinds), len(sets)), -1, np.int16)
    row[np.nonzero(free)] = np.tile(np.arange(placement.shape[1]), len(kinds))
    parts = []
    for start, end, kind, over in moves_of(0):
        can = (sets >> start & 1 == 1) & (sets >> end & 1 == 0)
        if kind == 0:
            can &= sets >> over & 1 == 1
        at = np.nonzero(can)[0]
        rest, friend = sets[at] ^ 1 << start, np.full(len(at), over if kind == 1 else UNCONDITIONAL)
        parts.append(np.stack([at, number[rest | 1 << end], np.full(len(at), end), friend, number[rest]], 1))
    moves, move = group_rows(parts, len(sets))
    return {
        "row_kind": row_kind.astype(np.int32), "placement": placement, "row": row, "fields": sets.astype(np.int32),
        "mirrored": number[mirror_sets(sets, 0)], "sides": counts(sets, 0).astype(np.uint8),
        "without_square": np.stack([number[sets & ~(1 << each)] for each in range(len(SQUARES))], 1),
        "square_moves": moves, "square_move": move.astype(np.int16),
    }  # fmt: skip


def of_octagons(octagons: Array, most: int) -> dict[str, Array]:
    """The tables about the attackers' octagons."""
    kinds, bit_kind = np.unique(octagons, return_inverse=True)
    sets = subsets(len(OCTAGONS), most)
    bit = np.full(1 << len(OCTAGONS), -1, np.int16)
    bit[sets] = np.arange(len(sets))
    each = np.arange(len(OCTAGONS))
    steps, over = np.zeros(len(OCTAGONS), np.int32), np.zeros((len(OCTAGONS), 4, 2), np.int32)
    leaps = np.zeros((len(sets), len(OCTAGONS)), np.int32)
    used = [0] * len(OCTAGONS)
    for start, end, kind, friend in moves_of(1):
        if kind == 2:
            steps[start] |= 1 << end
        elif kind == 1:
            leaps[:, start] |= (sets >> friend & 1).astype(np.int32) << end
        else:
            over[start, used[start]] = 1 << friend, 1 << end
            used[start] += 1
    numbers = counts(sets, 1)
    return {
        "bit_kind": bit_kind.astype(np.int32), "some": pack_bits((kinds[:, None] & sets) == 0),
        "has": pack_bits((sets >> each[:, None] & 1).astype(bool)), "sets": sets.astype(np.int32),
        "touching": np.stack([pack_bits(least <= numbers.T) for least in range(ENOUGH + 1)], 1),
        "mirror_bit": bit[mirror_sets(sets, 1)], "without_octagon": bit[sets[None, :] & ~(1 << each[:, None])],
        "with_octagon": np.where((sets[:, None] >> each & 1) == 1, -1, bit[sets[:, None] | 1 << each]).astype(np.int16),
        "rests": np.array([np.count_nonzero(np.bitwise_count(sets) < most)]), "steps": steps, "leaps": leaps, "over_square": over,
    }  # fmt: skip


def of_setups(keys: Array) -> dict[str, Array]:
    """The tables about the defender's moves."""
    parts, pieces = [], (keys >> SETS, keys & ((1 << SETS) - 1))
    for kind in (0, 1):
        for start, end, friend, over in moves_of(kind):
            can = (pieces[kind] >> start & 1 == 1) & (pieces[kind] >> end & 1 == 0)
            if friend < 2:
                can &= pieces[friend] >> over & 1 == 1
            at = np.nonzero(can)[0]
            after = keys[at] ^ (1 << start | 1 << end) << (0 if kind else SETS)
            image = np.minimum(after, mirror_keys(after))
            to = np.minimum(np.searchsorted(keys, image), len(keys) - 1)
            to = np.where(keys[to] == image, to, OUTSIDE)
            if kind == 0 and end == GOAL:
                to[:] = WON
            closes = surrounded_by(after >> SETS, after & ((1 << SETS) - 1))
            parts.append(np.stack([at, to, np.full(len(at), BOTH[kind][end]), image != after, *closes.T], 1))
    moves, move = group_rows(parts, len(keys))
    return {
        "squares": pieces[0].astype(np.int32), "octagons": pieces[1].astype(np.int32), "surrounds": surrounded_by(*pieces),
        "moves": moves, "move_to": move[:, 0].astype(np.int32), "move_end": move[:, 1].astype(np.int32),
        "move_mirrored": move[:, 2].astype(np.int32), "move_surrounds": move[:, 3:].astype(np.int32),
    }  # fmt: skip


def tables(made: SetupFamily) -> FortressTables:
    """The tables of a family."""
    squares, octagons = made.keys >> SETS, made.keys & ((1 << SETS) - 1)
    found = {**of_squares(squares, made.attackers[0]), **of_octagons(octagons, made.attackers[1]), **of_setups(made.keys)}
    return FortressTables(**{name: np.ascontiguousarray(table) for name, table in found.items()})


# -- the loops ---------------------------------------------------------------------------------------------------------
FIELD = np.array([*SQUARES, *OCTAGONS], np.int32)  # of the board, by the bit of a square, or 25 + the bit of an octagon
PLACE = np.array([AMONG[field] + (0 if field in SQUARES else len(SQUARES)) for field in range(FIELDS)], np.int32)
SPAN = len(SQUARES)


@rule
def placements_with_any(t, octagons, word):
    """The placements with any of these octagons."""
    found, index = ZERO, 0
    while octagons:
        if octagons & 1:
            found |= t.has[index, word]
        octagons >>= 1
        index += 1
    return found


@rule
def closed_at(t, placement, field, word):
    """The placements that surround a field of the board."""
    missing = ENOUGH - int64(t.sides[placement, field])
    return t.touching[field, missing, word] if missing > 0 else ALL


@rule
def find_captures(t, setup, placement, word):
    """The placements that surround a piece of the set-up."""
    found = ZERO
    for kind in range(2):
        pieces, index = (t.octagons[setup], SPAN) if kind else (t.squares[setup], 0)
        while pieces:
            if pieces & 1:
                found |= closed_at(t, placement, FIELD[index], word)
            pieces >>= 1
            index += 1
    return found


@rule
def safe_word(t, kept, setup, row, word):
    """After a move of the attackers: the placements in which no defender is captured and the defender can move to a kept one."""
    placement = int64(t.placement[t.row_kind[setup], row])
    some = t.some[t.bit_kind[setup], word]
    wanted = some & (ALL ^ find_captures(t, setup, placement, word))
    left, moved = wanted, ZERO
    if wanted:
        for move in range(t.moves[setup], t.moves[setup + 1]):
            ends = PLACE[t.move_end[move]]
            if ends < SPAN and (t.fields[placement] >> ends) & 1:
                continue
            free = some & (ALL ^ t.has[ends - SPAN, word]) if ends >= SPAN else some
            moved |= free
            if free & left:
                left &= ALL ^ reach_placements(t, kept, placement, move, free & left, word)
        blocked = left & (ALL ^ moved)  # a blocked player passes (FBQ-13), which captures nothing
        if blocked and not t.fields[placement] & t.surrounds[setup, 0]:
            blocked &= ALL ^ placements_with_any(t, t.surrounds[setup, 1], word)
            left &= ALL ^ (blocked & kept[setup, row, word])
    return wanted & (ALL ^ left)


@rule
def reach_placements(t, kept, placement, move, asked, word):
    """The placements among those `asked` for that are kept after a move of the defender."""
    to = t.move_to[move]
    if to < 0:
        return asked if to == WON else ZERO
    if not t.fields[placement] & t.move_surrounds[move, 0]:  # the mover may be removed, unless it captures (FBQ-8)
        removed = closed_at(t, placement, t.move_end[move], word)
        if removed & asked:
            asked &= ALL ^ (removed & (ALL ^ placements_with_any(t, t.move_surrounds[move, 1], word)))
    if not t.move_mirrored[move]:
        return asked & kept[to, int64(t.row[t.row_kind[to], placement]), word]
    row = int64(t.row[t.row_kind[to], int64(t.mirrored[placement])])
    found = ZERO
    while asked:
        place = lowest(asked)
        asked &= asked - ONE
        bit = int64(t.mirror_bit[word * 64 + int64(place)])
        found |= ((kept[to, row, bit >> 6] >> uint64(bit & 63)) & ONE) << uint64(place)
    return found


@rule
def is_real(t, setup, row):
    """Whether no attacking square of a row is surrounded."""
    return t.fields[int64(t.placement[t.row_kind[setup], row])] & t.surrounds[setup, 0] == 0


@rule
def by_squares(t, kept, safe, at, setup, row, word):
    """The placements of a word that stay kept by the moves of the attackers' squares, and those where a square can move.

    safe[at]: the safe words of the set-up.
    """
    kind = t.row_kind[setup]
    placement = int64(t.placement[kind, row])
    alive, moved = kept[setup, row, word] & (ALL ^ placements_with_any(t, t.surrounds[setup, 1], word)), ZERO
    if alive:
        for move in range(t.square_moves[placement], t.square_moves[placement + 1]):
            end, friend = int64(t.square_move[move, 1]), t.square_move[move, 2]
            if (t.squares[setup] >> end) & 1:
                continue
            can = ALL if friend == UNCONDITIONAL else t.has[friend, word]
            moved |= can
            if can & alive:
                good = ZERO
                if end != CORNER:
                    after = int64(t.square_move[move, 0])
                    good = safe[at, int64(t.row[kind, after]), word]
                    if (t.surrounds[setup, 0] >> end) & 1:  # the mover is removed, unless it captures
                        alone = safe[at, int64(t.row[kind, int64(t.square_move[move, 3])]), word]
                        good = alone & (ALL ^ find_captures(t, setup, after, word))
                alive &= good | (ALL ^ can)
    return alive, moved


@rule
def ends_over_squares(t, setup, row, octagon):
    """Where an attacking octagon jumps to over its side's squares."""
    fields, found = t.fields[int64(t.placement[t.row_kind[setup], row])], 0
    for n in range(4):
        if fields & t.over_square[octagon, n, 0]:
            found |= t.over_square[octagon, n, 1]
    return found


@rule
def safe_ends(t, safe, at, setup, row, rest):
    """The octagons to which one more attacker may move, beside those of the bit `rest`, so that the defender is safe."""
    found, free = 0, t.octagons[setup] | t.sets[rest]
    if free & t.octagons[setup] & t.sets[rest]:
        return 0
    for end in range(len(OCTAGONS)):
        if not (free >> end) & 1:
            bit, after = int64(t.with_octagon[rest, end]), rest
            if not (t.surrounds[setup, 1] >> end) & 1:
                after = bit
            elif (find_captures(t, setup, int64(t.placement[t.row_kind[setup], row]), bit >> 6) >> uint64(bit & 63)) & ONE:
                continue  # else the mover is removed
            if (safe[at, row, after >> 6] >> uint64(after & 63)) & ONE:
                found |= 1 << end
    return found


@rule
def by_octagons(t, ends, over, safe, at, setup, row, word, alive, moved):
    """The placements among `alive` ones that stay kept by the moves of the attackers' octagons, or by a pass.

    ends[bit]: see `safe_ends`; over[octagon]: see `ends_over_squares`; moved: where a square can move.
    """
    left = alive
    if row == 0 and word == 0:
        left &= ALL ^ ONE  # without attackers the game is won
    while left:
        place = uint64(lowest(left))
        left &= left - ONE
        bit = word * 64 + int64(place)
        octagons, octagon, good = t.sets[bit], 0, True
        free = (moved >> place) & ONE != ZERO
        barred = t.sets[bit] | t.octagons[setup]
        while octagons and good:
            if octagons & 1:
                rest = int64(t.without_octagon[octagon, bit])
                to = (t.steps[octagon] | t.leaps[rest, octagon] | over[octagon]) & ~barred
                free |= to != 0
                good = to & ~int64(ends[rest]) == 0
            octagons >>= 1
            octagon += 1
        if good and not free:  # a pass, which captures nothing
            good = (safe[at, row, word] >> place) & ONE != ZERO
        if not good:
            alive &= ALL ^ (ONE << place)
    return alive


@rule
def copied_word(t, kept, setup, row, word):
    """A word of `kept`, where placements with surrounded attackers get the value of the placements without these."""
    kind = t.row_kind[setup]
    placement = int64(t.placement[kind, row])
    taken, index = t.fields[placement] & t.surrounds[setup, 0], 0
    while taken:
        if taken & 1:
            placement = int64(t.without_square[placement, index])
        taken >>= 1
        index += 1
    rest = int64(t.row[kind, placement])
    copies = placements_with_any(t, t.surrounds[setup, 1], word)
    found = kept[setup, rest, word] & (ALL ^ copies)
    copies &= t.some[t.bit_kind[setup], word]
    while copies:
        place = uint64(lowest(copies))
        copies &= copies - ONE
        bit = word * 64 + int64(place)
        taken, index = t.surrounds[setup, 1], 0
        while taken:
            if taken & 1:
                bit = int64(t.without_octagon[index, bit])
            taken >>= 1
            index += 1
        found |= ((kept[setup, rest, bit >> 6] >> uint64(bit & 63)) & ONE) << place
    return found


@rule
def begin_word(t, setup, row, word):
    """All placements at first, except with an attacker on a1."""
    on_corner = t.fields[int64(t.placement[t.row_kind[setup], row])] & 1
    return ZERO if on_corner else t.some[t.bit_kind[setup], word]


@rule
def begin_all(t, kept):
    """Begin with all placements."""
    for setup in range(kept.shape[0]):
        for row in range(kept.shape[1]):
            for word in range(kept.shape[2]):
                kept[setup, row, word] = begin_word(t, setup, row, word)


@rule
def improve(t, before, kept, live, safe, ends, setup):
    """Take away positions of one set-up that do not hold; returns whether there were any.

    before: where the defender may move to, `kept` itself or a copy. live[setup, row]: 0 for rows without safe placements.
    safe[0], ends: memory for the safe words and for `safe_ends`.
    """
    rows, words, changed = kept.shape[1], kept.shape[2], False
    for row in range(rows):
        some = ZERO
        for word in range(words):
            safe[0, row, word] = safe_word(t, before, setup, row, word) if live[setup, row] else ZERO
            some |= safe[0, row, word]
        live[setup, row] = some != ZERO
    for row in range(rows):
        if is_real(t, setup, row) and improve_row(t, kept, safe, ends, setup, row):
            changed = True
    if t.surrounds[setup, 0] or t.surrounds[setup, 1]:
        for row in range(rows):
            for word in range(words):
                kept[setup, row, word] = copied_word(t, kept, setup, row, word)
    return changed


@rule
def improve_row(t, kept, safe, ends, setup, row):
    """`improve` for a row."""
    changed, ready = False, False
    over = np.zeros(len(OCTAGONS), np.int64)
    for word in range(kept.shape[2]):
        copies = placements_with_any(t, t.surrounds[setup, 1], word)
        alive, moved = by_squares(t, kept, safe, 0, setup, row, word)
        if alive:
            if not ready:
                for rest in range(len(ends)):
                    ends[rest] = safe_ends(t, safe, 0, setup, row, rest)
                for octagon in range(len(OCTAGONS)):
                    over[octagon] = ends_over_squares(t, setup, row, octagon)
                ready = True
            alive = by_octagons(t, ends, over, safe, 0, setup, row, word, alive, moved)
        alive |= kept[setup, row, word] & copies
        if row == 0 and word == 0:
            alive |= ONE  # without attackers the game is won
        if alive != kept[setup, row, word]:
            kept[setup, row, word] = alive
            changed = True
    return changed


@rule
def count_word(t, kept, setup, row, word, sizes, side, octagons):
    """Count the positions of a word with so many octagons: all (side 0), those kept with the attackers to move (1), and safe ones
    with the defender to move (2). Also returns the number of the attackers' squares.

    sizes[squares or octagons, number]: how many placements have up to so many pieces, in the order of `subsets`.
    """
    squares = 0
    while row >= sizes[0, squares]:
        squares += 1
    placement = int64(t.placement[t.row_kind[setup], row])
    if t.fields[placement] & (t.surrounds[setup, 0] | 1):
        return squares, 0
    real = t.some[t.bit_kind[setup], word] & (ALL ^ placements_with_any(t, t.surrounds[setup, 1], word))
    first, last = (sizes[1, octagons - 1] if octagons else 0) - word * 64, sizes[1, octagons] - word * 64
    if last < 64:
        real &= (ONE << uint64(max(0, last))) - ONE
    if first > 0:
        real &= ALL ^ ((ONE << uint64(first)) - ONE) if first < 64 else ZERO
    if side == 1:
        real &= kept[setup, row, word]
    if side == 2 and real:
        real &= safe_word(t, kept, setup, row, word)
    return squares, count(real)


@rule
def count_setup(t, kept, setup, sizes, found):
    """Add the counts of all words of a set-up to found[side, squares, octagons]."""
    for row in range(kept.shape[1]):
        for word in range(kept.shape[2]):
            for side in range(3):
                for octagons in range(found.shape[2]):
                    squares, number = count_word(t, kept, setup, row, word, sizes, side, octagons)
                    found[side, squares, octagons] += number


def sizes_of(t: FortressTables, attackers: tuple[int, int]) -> Array:
    """The `sizes` of `count_word`."""
    free = SPAN - int(t.squares[0]).bit_count(), len(OCTAGONS)
    return np.array(
        [[sum(comb(free[kind], k) for k in range(min(n, attackers[kind]) + 1)) for n in range(MOST + 1)] for kind in (0, 1)]
    )


# -- the fixed point ---------------------------------------------------------------------------------------------------
def shape(t: FortressTables) -> tuple[int, int, int]:
    """Set-ups, rows and words."""
    return len(t.squares), t.placement.shape[1], t.some.shape[1]


class ThreadSweeps:
    """Sweeps on threads of this machine. kept: the words, from `begin_all` or from an earlier, unfinished run.

    falls[setup, row, bit]: if given, gets the sweep in which each position falls. A sweep then looks one move of each side
    ahead, so the attackers need at most as many moves to break the defence.
    """

    def __init__(self, t: FortressTables, kept: Array, threads: int = 1, falls: Array | None = None) -> None:
        self.tables, self.kept, self._count, self._falls, self._sweeps = t, kept, threads, falls, 0
        self._live = np.ones(kept.shape[:2], np.uint8)
        self._memory = [(np.zeros((1, *kept.shape[1:]), np.uint64), np.zeros(t.rests[0], np.int32)) for _ in range(threads)]

    def sweep(self, setups: Array) -> Array:
        """Improve these set-ups; the numbers of those that changed."""
        left, changed = iter(setups.tolist()), []
        before = self.kept if self._falls is None else np.array(self.kept)

        def work(memory: tuple[Array, Array]) -> None:
            for setup in left:
                if improve(self.tables, before, self.kept, self._live, *memory, setup):
                    changed.append(setup)

        with ThreadPoolExecutor(self._count) as pool:
            list(pool.map(work, self._memory))
        self._sweeps += 1
        if self._falls is not None:
            for setup in changed:
                self._falls[setup][unpack_bits(before[setup] ^ self.kept[setup])] = self._sweeps
        return np.array(sorted(changed), np.int64)

    def words(self, setup: int) -> Array:
        """The words of a set-up."""
        return np.asarray(self.kept[setup])

    def count(self, setup: int, sizes: Array) -> Array:
        """The counts of `count_word` for a set-up: [side, squares, octagons]."""
        found = np.zeros((3, MOST + 1, MOST + 1), np.int64)
        count_setup(self.tables, self.kept, setup, sizes, found)
        return found


def settle(t: FortressTables, machine: Any, report: Callable[[int, int], None] = lambda sweep, left: None) -> int:
    """Sweep until nothing changes; returns the number of sweeps. report: called after each with the number of set-ups left."""
    before = np.repeat(np.arange(len(t.squares)), np.diff(t.moves))
    left, sweeps = np.arange(len(t.squares)), 0
    while len(left):
        changed = machine.sweep(left)
        leads = np.isin(t.move_to, changed)
        left, sweeps = np.union1d(changed, before[leads]), sweeps + 1
        report(sweeps, len(left))
    return sweeps


# -- a folder with the result ------------------------------------------------------------------------------------------
WORDS, FALLS, ABOUT = "kept.npy", "falls.npy", "fortress.json"


class Fortress(NamedTuple):
    """A family with its kept positions. counts[side, squares, octagons], see `count_word`; falls: see `ThreadSweeps`."""

    family: SetupFamily
    kept: Array
    counts: Array
    falls: Array | None = None


def build(
    made: SetupFamily,
    folder: Path,
    threads: int,
    report: Callable[[int, int], None] = lambda sweep, left: None,
    card: Callable[[FortressTables], Any] | None = None,
    timed: bool = False,
) -> Fortress:
    """Compute the kept positions in `folder`, or go on where an earlier run stopped.

    The words of `kept` lie in `kept.npy`, `fortress.json` describes them. A sweep only takes positions away, so an interrupted
    one is simply done again. card: `fortress_gpu.GpuSweeps`, to compute on a graphics card, which starts over. timed: note in
    `falls.npy` when each position falls, without a card and from the beginning. Errors: OptionError if the folder holds another
    family.
    """
    folder.mkdir(parents=True, exist_ok=True)
    t = tables(made)
    kept = _begun(made, t, folder, timed)
    if kept is None:
        return load(folder)
    bits = *kept.shape[:2], 64 * kept.shape[2]
    falls = np.lib.format.open_memmap(folder / FALLS, "w+", np.uint8, bits) if timed else None
    machine: Any = card(t) if card and not timed else ThreadSweeps(t, kept, threads, falls)
    sweeps = settle(t, machine, report)
    for setup in range(len(kept)):
        kept[setup] = machine.words(setup)
    kept.flush()
    counts = np.sum([machine.count(setup, sizes_of(t, made.attackers)) for setup in range(len(kept))], axis=0)
    digest = hashlib.sha256((folder / WORDS).read_bytes()).hexdigest()
    about = {**describe_family(made), "sweeps": sweeps, "counts": counts.tolist(), "timed": timed, "sha256": digest}
    (folder / ABOUT).write_text(json.dumps(about), "utf-8")
    return Fortress(made, kept, counts, falls)


def describe_family(made: SetupFamily) -> dict[str, Any]:
    """What `fortress.json` says of a family."""
    return {"region": made.region, "pieces": list(made.pieces), "attackers": list(made.attackers), "held": made.held}


def _begun(made: SetupFamily, t: FortressTables, folder: Path, timed: bool) -> np.memmap[Any, Any] | None:
    """The words to go on with; None if the folder holds the result. Errors: OptionError if it holds another family."""
    about, mine = folder / ABOUT, describe_family(made)
    if about.exists():
        stored = json.loads(about.read_text("utf-8"))
        if {name: stored.get(name) for name in mine} != mine:
            raise OptionError("forty_bridges:error.fortress_other", str(folder))
        if "counts" in stored and (not timed or stored.get("timed")):
            return None
        if not timed:
            words: np.memmap[Any, Any] = np.load(folder / WORDS, mmap_mode="r+")
            return words
        about.unlink()
    kept = np.lib.format.open_memmap(folder / WORDS, "w+", np.uint64, shape(t))
    begin_all(t, kept)
    about.write_text(json.dumps(mine), "utf-8")
    return kept


def load(folder: Path) -> Fortress:
    """A finished fortress. Errors: OptionError if it is unfinished or damaged."""
    words, about = folder / WORDS, folder / ABOUT
    try:
        stored = json.loads(about.read_text("utf-8"))
        whole = hashlib.sha256(words.read_bytes()).hexdigest() == stored["sha256"]
    except (OSError, ValueError, KeyError):
        whole = False
    if not whole:
        raise OptionError("forty_bridges:error.fortress_damaged", str(folder))
    made = family(stored["region"], tuple(stored["pieces"]), tuple(stored["attackers"]), stored["held"])
    times = np.load(folder / FALLS, mmap_mode="r") if stored.get("timed") else None
    return Fortress(made, np.load(words, mmap_mode="r"), np.array(stored["counts"]), times)
