"""Pairings for two to six at a table, as functions of values: who meets whom, who sits where, who has a bye.

Libraries for pairings know two players a game. Here a table has any size, so a pairing is the partition with the least cost:
people who have just met cost most, then people who have met, then differences of their points. `tests/server/test_pairing.py`
compares it with all partitions. Byes go to computers before persons.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

JUST_MET = 1e9  # cost of those who have played their last game together
MET = 1000.0  # cost of a second meeting; a difference of one point costs 1
MOST = 1e8  # cost of many meetings, at most
TRIES = 12  # starts of the search

Cost = Callable[[int, int], float]


class Meetings(NamedTuple):
    """What has happened so far. met: how often each two have met; sat: games of each entrant at each seat; byes: of each."""

    met: Mapping[frozenset[int], int] = {}
    sat: Mapping[tuple[int, int], int] = {}
    byes: Mapping[int, int] = {}


class Free(NamedTuple):
    """Somebody who is free in an arena. since: Unix seconds; rests: the numbers of the draws that left them free, the newest
    first; last: the number of their last match, -1 before the first."""

    entrant: int
    computer: bool = False
    since: float = 0.0
    rests: tuple[int, ...] = ()
    last: int = -1


class Pairing(NamedTuple):
    """Tables, each with its entrants in the order of the seats, and who has a bye."""

    tables: list[tuple[int, ...]]
    byes: list[int]


def pair_round(
    order: Sequence[int], size: int, points: Mapping[int, float], past: Meetings, draw: str = "", computers: Collection[int] = ()
) -> Pairing:
    """A round of a Swiss tournament: everybody plays, near their own points, and nobody meets the same twice if it can be helped.

    order: entrants, the best first; size: of a table; draw: decides between equal pairings. Byes go to computers before persons,
    then to whoever had fewest, then to whoever has the fewest points.
    """
    rest = len(order) % size
    place = {entrant: i for i, entrant in enumerate(order)}
    first = {each: (each not in computers, past.byes.get(each, 0), points.get(each, 0.0), -place[each]) for each in order}
    byes = sorted(order, key=first.__getitem__)[:rest]
    players = [each for each in order if each not in byes]
    return Pairing(_tables(players, size, points, past, random.Random(draw), {}), byes)


def pair_arena(
    free: Iterable[Free],
    size: int,
    points: Mapping[int, float],
    past: Meetings,
    draw: str = "",
    repeats: bool = True,
    mixed: bool = False,
) -> list[tuple[int, ...]]:
    """Tables of those who are free in an arena. repeats: may exactly those who have just played together do so again?
    mixed: who is equally near is drawn by lot.

    As many tables as can be filled. Persons come before computers, then whoever has been free for longest, then whoever was left
    free last. Exactly the same meet again at once only if nobody else is free.
    """
    order = sorted(free, key=lambda each: each.entrant)
    order.sort(key=lambda each: each.rests, reverse=True)
    order.sort(key=lambda each: (each.computer, each.since))
    count = len(order) - len(order) % size
    if count == size and len({each.last for each in order[:count]}) == 1 and order[0].last >= 0:
        if len(order) > count:
            order[count - 1], order[count] = order[count], order[count - 1]
        elif not repeats:
            return []
    players, chooser = [each.entrant for each in order[:count]], random.Random(draw)
    if mixed:
        chooser.shuffle(players)
    return _tables(players, size, points, past, chooser, {each.entrant: each.last for each in order if each.last >= 0})


def _tables(
    players: Sequence[int],
    size: int,
    points: Mapping[int, float],
    past: Meetings,
    chooser: random.Random,
    last: Mapping[int, int],
) -> list[tuple[int, ...]]:
    """Tables for all these players. last: the number of each one's last match."""
    pairs = map(frozenset, itertools.combinations(players, 2))
    usual = min((past.met.get(pair, 0) for pair in pairs), default=0)  # in a long arena everybody has met often

    def cost(one: int, other: int) -> float:
        times = past.met.get(frozenset((one, other)), 0) - usual
        just = one in last and last[one] == last.get(other)
        met = min(MOST, MET * ((times + 1) ** 2 - 1))
        return JUST_MET * just + met + (points.get(one, 0.0) - points.get(other, 0.0)) ** 2

    return [order_seats(table, past, chooser) for table in partition(players, size, cost, chooser)]


def partition(players: Sequence[int], size: int, cost: Cost, chooser: random.Random) -> list[list[int]]:
    """Tables of that size with a small sum of costs: the best of several descents by swaps, the first from the given order."""
    known = {frozenset(pair): cost(*pair) for pair in itertools.combinations(players, 2)}
    best: tuple[float, list[list[int]]] = (math.inf, [])
    starts = [list(players), *(chooser.sample(list(players), len(players)) for _ in range(TRIES - 1))]
    for start in starts:
        tables = [start[i : i + size] for i in range(0, len(start), size)]
        total = _descend(tables, known)
        if total < best[0] - 1e-9:
            best = total, tables
        if total < 1e-9:
            break
    return best[1]


def _descend(tables: list[list[int]], known: Mapping[frozenset[int], float]) -> float:
    """Swap entrants of two tables while that lowers the sum of costs; returns the sum."""

    def at(table: list[int], one: int, but: int) -> float:
        return sum(known[frozenset((one, other))] for other in table if other not in (one, but))

    better = True
    while better:
        better = False
        for a, b in itertools.combinations(range(len(tables)), 2):
            for i, j in itertools.product(range(len(tables[a])), range(len(tables[b]))):
                one, other = tables[a][i], tables[b][j]
                now = at(tables[a], one, one) + at(tables[b], other, other)
                if at(tables[a], other, one) + at(tables[b], one, other) < now - 1e-9:
                    tables[a][i], tables[b][j] = other, one
                    better = True
    return sum(known[frozenset(pair)] for table in tables for pair in itertools.combinations(table, 2))


def order_seats(table: Iterable[int], past: Meetings, chooser: random.Random) -> tuple[int, ...]:
    """The order of seats that evens out where everybody has sat; equal orders are drawn by lot."""
    entrants = list(table)
    chooser.shuffle(entrants)
    return min(
        itertools.permutations(entrants),
        key=lambda order: sum(past.sat.get((entrant, seat), 0) ** 2 * 2 + past.sat.get((entrant, seat), 0)
                              for seat, entrant in enumerate(order)),
    )  # fmt: skip


def everybody(order: Sequence[int], number: int, computers: Collection[int] = ()) -> tuple[list[tuple[int, int]], list[int]]:
    """A round of a round robin of two at a table, by the circle method: pairs, and who is free. number: from 0.

    The rounds in which a computer is free come first, so in a shorter tournament no person is free before a computer.
    """
    rounds = len(order) - 1 + len(order) % 2
    turns = sorted((_circle(order, turn) for turn in range(rounds)), key=lambda found: not {*found[1]} <= {*computers})
    return turns[number % rounds]


def _circle(order: Sequence[int], turn: int) -> tuple[list[tuple[int, int]], list[int]]:
    """A turn of the circle: pairs, and who is free. turn: from 0."""
    ring: list[int | None] = [*order, *([None] if len(order) % 2 else [])]
    circle = [ring[0], *ring[1 + turn :], *ring[1 : 1 + turn]]
    half = len(circle) // 2
    pairs = list(zip(circle[:half], reversed(circle[half:]), strict=True))
    free = [each for pair in pairs if None in pair for each in pair if each is not None]
    return [(one, other) for one, other in pairs if one is not None and other is not None], free


def full_rounds(entrants: int, size: int) -> int:
    """Rounds of a round robin: with two at a table everybody meets everybody; with more, enough games for as many meetings."""
    return max(1, entrants - 1 + entrants % 2 if size == 2 else math.ceil((entrants - 1) / (size - 1)))


def pair_knock_out(alive: Sequence[int], size: int, computers: Collection[int] = ()) -> tuple[list[list[int]], list[int]]:
    """A round of a knock-out: tables of which one goes on, and byes for computers, then for the best. alive: by seed.

    Byes come as early as possible, so that later rounds are full. At a table the best meets the weakest.
    """
    count, full = len(alive), 1
    while full * size <= count:
        full *= size
    tables = full // size if full == count else min(count // size, math.ceil((count - full) / (size - 1)))
    byes = sorted(alive, key=lambda each: each not in computers)[: count - tables * size]
    players = [each for each in alive if each not in byes]
    found: list[list[int]] = [[] for _ in range(tables)]
    for lap in range(size):
        row = players[lap * tables : (lap + 1) * tables]
        for table, entrant in zip(found, row if lap % 2 == 0 else reversed(row), strict=True):
            table.append(entrant)
    return found, byes


def swiss_rounds(entrants: int, size: int) -> int:
    """Enough rounds that only one can have won all games, and one more."""
    return min(full_rounds(entrants, size), 1 + math.ceil(math.log(max(2, entrants), size)))


def past_of(games: Iterable[tuple[Sequence[int], int]], byes: Iterable[int]) -> Meetings:
    """What has happened. games: each one's entrants in the order of the seats, and 1 for a first meeting of these, else 0."""
    met: Counter[frozenset[int]] = Counter()
    sat: Counter[tuple[int, int]] = Counter()
    for seats, first in games:
        sat.update((entrant, seat) for seat, entrant in enumerate(seats))
        if first:
            met.update(frozenset(pair) for pair in itertools.combinations(seats, 2))
    return Meetings(met, sat, Counter(byes))
