"""Ways over the board: all landings of all rolls, with the squares that must hold no barricade."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

from bridgehead.core.errors import BoardError
from bridgehead.games.barricade.board import Board

MOST_ROWS = 200_000
MOST_WALKS = 4000  # most ways of one length from one square, before equivalent ways are merged
NOWHERE = -1


class WalkRules(NamedTuple):
    """The board and the house rules that determine the ways."""

    board: Board
    sides: int
    no_repeat: bool
    exact_final: bool
    exit_six: bool


class Walk(NamedTuple):
    """A way so far: its present square, the square before, and the squares between origin and present square, as bits."""

    here: int
    before: int
    between: int


def first_steps(ground: WalkRules, origin: int) -> Iterator[Walk]:
    """Ways of one step. An origin is a square, or len(squares) + index of a home (BA-R.4: first the entry)."""
    squares = len(ground.board.squares)
    if origin >= squares:
        yield Walk(ground.board.homes[origin - squares].entry, NOWHERE, 0)
    else:
        for square in ground.board.neighbours[origin]:  # BA-R.2
            yield Walk(square, origin, 0)


def next_steps(ground: WalkRules, origin: int, walk: Walk) -> Iterator[Walk]:
    """The ways that go one step further. The origin never counts as a square between."""
    between = walk.between if walk.here == origin else walk.between | 1 << walk.here
    visited = between | 1 << origin  # BAQ-21
    for square in ground.board.neighbours[walk.here]:
        if square == walk.before:  # BA-R.3, BAQ-2
            continue
        if ground.no_repeat and visited >> square & 1:
            continue
        yield Walk(square, walk.here, between)


def landings(ground: WalkRules, origin: int) -> Iterator[dict[int, list[int]]]:
    """For the rolls 1, 2, … in turn: {landing: smallest sets of squares between, as bits}."""
    layer = set(first_steps(ground, origin))
    final = ground.board.final
    reached: set[int] = set()  # sets of squares between, of ways that reached the final square
    for roll in range(1, ground.sides + 1):
        found: dict[int, set[int]] = {}
        for walk in layer:
            found.setdefault(walk.here, set()).add(walk.between)
        if not ground.exact_final:  # BAQ-22
            reached |= found.get(final, set())
            if reached:
                found[final] = set(reached)
        leaves_home = origin < len(ground.board.squares) or not ground.exit_six or roll == 6  # BAQ-4
        yield {landing: _smallest(found[landing]) for landing in sorted(found)} if leaves_home else {}
        if roll < ground.sides:
            layer = {further for walk in layer for further in next_steps(ground, origin, walk)}
            _refuse_more(len(layer), MOST_WALKS, ground)


class WayTable(NamedTuple):
    """All ways. Those of an origin and roll begin at `starts[origin * sides + roll - 1]`, ascending by landing;
    way w lands on `landing[w]`, and `between[w]` are the bits of squares that must hold no barricade."""

    starts: tuple[int, ...]
    landing: tuple[int, ...]
    between: tuple[int, ...]


@functools.lru_cache(maxsize=16)
def way_table(ground: WalkRules) -> WayTable:
    """The table of all ways. Errors: BoardError for a board with too many different ones."""
    starts, landing = [0], []
    between: list[int] = []
    for origin in range(len(ground.board.squares) + len(ground.board.homes)):
        for found in landings(ground, origin):
            for square, sets in found.items():
                landing += [square] * len(sets)
                between += sets
            starts.append(len(landing))
            _refuse_more(len(between), MOST_ROWS, ground)
    return WayTable(tuple(starts), tuple(landing), tuple(between))


def one_way(ground: WalkRules, origin: int, roll: int, landing: int, barricades: int) -> tuple[int, ...]:
    """The squares of one legal way for the picture (BAQ-3), the landing last; () if there is none. barricades: as bits."""
    pending: list[tuple[Walk, tuple[int, ...]]] = [(walk, (walk.here,)) for walk in first_steps(ground, origin)]
    seen: set[tuple[Walk, int]] = set()
    while pending:
        longer: list[tuple[Walk, tuple[int, ...]]] = []
        for walk, way in pending:
            early = landing == ground.board.final and not ground.exact_final  # BAQ-22
            if walk.here == landing and (len(way) == roll or early) and not walk.between & barricades:
                return way
            for further in next_steps(ground, origin, walk) if len(way) < roll else ():
                if not further.between & barricades and (further, len(way)) not in seen:
                    seen.add((further, len(way)))
                    longer.append((further, (*way, further.here)))
        pending = longer
    return ()


def _smallest(sets: set[int]) -> list[int]:
    """The sets that contain no other: a way is free if one of these is."""
    ordered = sorted(sets, key=lambda bits: (bits.bit_count(), bits)) if len(sets) > 1 else list(sets)
    least = ordered[0].bit_count()
    kept: list[int] = []
    for each in ordered:
        if each.bit_count() == least or all(other & ~each for other in kept):  # sets of equal size cannot contain each other
            kept.append(each)
    return kept


def _refuse_more(count: int, limit: int, ground: WalkRules) -> None:
    if count > limit:
        raise BoardError("barricade:error.too_many_different_ways_die", "board.squares", sides=ground.sides, limit=limit)
