"""Standings of a tournament: points, and tie-breaks with names, in a fixed order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

TieBreak = Literal["direct", "buchholz", "sonneborn", "wins", "lot"]
# In the order in which they decide.
TIE_BREAKS: dict[str, tuple[TieBreak, ...]] = {
    "round_robin": ("direct", "sonneborn", "wins", "lot"),
    "swiss": ("buchholz", "sonneborn", "wins", "lot"),
    "knock_out": ("wins", "lot"),
    "arena": ("wins", "sonneborn", "lot"),
}


class FinishedGame(NamedTuple):
    """A finished game: its entrants and the points of each, in the order of the seats."""

    seats: tuple[int, ...]
    points: tuple[float, ...]


class StandingsLine(NamedTuple):
    """A line of the standings. place: shared only before the first game; breaks: a value for each tie-break but the lot."""

    place: int
    entrant: int
    points: float
    games: int
    breaks: tuple[float, ...]


def points_of(returns: Sequence[float], sides: Sequence[int], all_places: bool = False) -> tuple[float, ...]:
    """Points of a game: 1 for whoever wins; without a winner, one point is shared by the sides, unless all have lost.

    all_places: as in `points_of_places`.
    """
    if all_places and (any(value > 0 for value in returns) or not any(returns)):
        return points_of_places([1 + sum(other > value for other in returns) for value in returns], True)
    if not any(value for value in returns):
        return tuple([1 / len({*sides})] * len(returns))
    return tuple(1.0 if value > 0 else 0.0 for value in returns)


def points_of_places(places: Sequence[int], all_places: bool) -> tuple[float, ...]:
    """Points of a game by the place of each seat. Those who share the first place share its point; nobody need have it.

    all_places: of n seats, place p counts (n - p) / (n - 1); those who share a place have the mean of the places they take.
    """
    count = len(places)
    if not all_places:
        return tuple(1 / places.count(1) if place == 1 else 0.0 for place in places)

    def mean(place: int) -> float:
        taken = range(place, place + places.count(place))
        return sum(max(0, count - each) for each in taken) / len(taken) / (count - 1)

    return tuple(mean(place) for place in places)


def totals(entrants: Iterable[int], games: Iterable[FinishedGame], byes: Iterable[int], worth: float) -> dict[int, float]:
    """The points of everybody. byes: entrants, one for each bye; worth: points of a bye."""
    found = dict.fromkeys(entrants, 0.0)
    for game in games:
        for entrant, points in zip(game.seats, game.points, strict=True):
            found[entrant] = found.get(entrant, 0.0) + points
    for entrant in byes:
        found[entrant] = found.get(entrant, 0.0) + worth
    return found


def standings(
    entrants: Sequence[int], games: Sequence[FinishedGame], byes: Sequence[int], kind: str, draw: str, worth: float = 1.0,
    reached: Mapping[int, int] | None = None,
) -> list[StandingsLine]:  # fmt: skip
    """The standings, the best first. kind: of the tournament; draw: decides the lots; reached: rounds that somebody survived,
    which in a knock-out comes before points."""
    total, breaks = totals(entrants, games, byes, worth), TIE_BREAKS[kind]
    played = {entrant: sum(entrant in game.seats for game in games) for entrant in entrants}
    rounds = reached or {}
    level: dict[tuple[int, float], set[int]] = {}
    for entrant in entrants:
        level.setdefault((rounds.get(entrant, 0), _round(total[entrant])), set()).add(entrant)

    def values(entrant: int) -> tuple[float, ...]:
        equals = level[rounds.get(entrant, 0), _round(total[entrant])]
        return tuple(_round(_value(each, entrant, games, total, equals)) for each in breaks if each != "lot")

    known = {entrant: values(entrant) for entrant in entrants}

    def rank(entrant: int) -> tuple[object, ...]:
        return (-rounds.get(entrant, 0), -_round(total[entrant]), *(-value for value in known[entrant]), _lot(draw, entrant))

    order = sorted(entrants, key=rank)
    return [StandingsLine(i + 1, each, _round(total[each]), played[each], known[each]) for i, each in enumerate(order)]


def _value(name: TieBreak, entrant: int, games: Sequence[FinishedGame], total: Mapping[int, float], equals: set[int]) -> float:
    mine = [game for game in games if entrant in game.seats]
    if name == "wins":
        return sum(1.0 for game in mine if _points(game, entrant) == 1.0)
    if name == "direct":
        return sum(_points(game, entrant) for game in mine if len(equals) > 1 and {*game.seats} <= equals)
    found = 0.0
    for game in mine:
        for other, points in zip(game.seats, game.points, strict=True):
            if other == entrant:
                continue
            if name == "buchholz" or _points(game, entrant) > points:
                found += total[other]
            elif _points(game, entrant) == points and 0 < points < 1:
                found += total[other] / 2
    return found


def _points(game: FinishedGame, entrant: int) -> float:
    return game.points[game.seats.index(entrant)]


def _lot(draw: str, entrant: int) -> str:
    return hashlib.sha256(f"{draw}:{entrant}".encode()).hexdigest()


def _round(value: float) -> float:
    return round(value, 3)
