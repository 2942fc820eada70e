"""Analysis of a finished game: win chances before every action, key moments, alternatives, and luck separated from decisions.

It works for every game. For a decision it runs the game's strongest search; for a draw of chance it examines all outcomes with
equal effort. The luck of a draw for a seat is the win chance after it minus the expected win chance over all outcomes. The loss
of a decision is the win chance of the best action minus that of the chosen one. The same record, effort and seed give the same
analysis.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bridgehead.core import record
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE
from bridgehead.players.thoughts import Candidate
from bridgehead.players.win_chances import ENOUGH, Chances, chances, consider_actions, mean, outcomes, outlook

FORMAT = 2
EFFORT = 600  # simulations per decision
MOMENTS = 3  # key moments at least, if a game has so many
LEAST = 0.02  # smallest change of a win chance in a key moment
SWING = 0.15  # every swing of a win chance by this much has a key moment
TINY = 1e-6  # allowance for rounding
MOST = 4  # alternatives listed per decision

Share = Annotated[float, Meta(ge=0, le=1)]


class Way(msgspec.Struct, frozen=True):
    """A legal action: notation, win chance for the deciding seat, visits of the search, whether the chance is proven."""

    action: int
    text: str
    chance: Share
    visits: int
    proven: bool = False


class AnalysisStep(msgspec.Struct, frozen=True):
    """One action of the game.

    before: win chances of each seat before it. For a decision: its loss, and the best alternatives, best first, with
    the chosen action among them. For a draw of chance: the luck of each seat.
    """

    at: int
    turn: int
    actor: int
    action: int
    text: str
    before: Chances
    lost: float = 0.0
    ways: tuple[Way, ...] = ()
    luck: tuple[float, ...] = ()


class Moment(msgspec.Struct, frozen=True):
    """A key moment: the action, the seat, the change of its win chance, and the cause.

    "lost": the seat had a better action; "luck": chance acted; "swing": the search saw the change only after the action.
    """

    at: int
    seat: int
    points: float
    kind: Literal["lost", "luck", "swing"]


class Sum(msgspec.Struct, frozen=True):
    """A seat's totals: luck and losses (both in win chance), and its number of decisions."""

    luck: float
    lost: float
    decisions: int


class Study(msgspec.Struct, frozen=True):
    """The analysis of a game. line: win chances of each seat before each action and at the end."""

    format: int
    game: str
    rules: str
    names: tuple[str, ...]
    sides: tuple[int, ...]
    result: str
    effort: int
    seed: int
    line: tuple[Chances, ...]
    steps: tuple[AnalysisStep, ...]
    moments: tuple[Moment, ...]
    seats: tuple[Sum, ...]


def step(match: Match, at: int, effort: int = EFFORT, seed: int = 0, stop: threading.Event | None = None) -> AnalysisStep:
    """Analyse one action of a match. Errors: BridgeheadError if there is none."""
    if not 0 <= at < len(match.log):
        raise BridgeheadError("players:error.no_action", "at", at=at)
    entry, position, lot = match.log[at], match.positions[at], f"{seed}:{at}"
    text = position.name(entry.action)
    if entry.actor == CHANCE:
        drawn = outcomes(position, effort, lot, stop)
        expected = mean(drawn)
        after = next(each.chances for each in drawn if each.action == entry.action)
        luck = tuple(_rounded(b - a) for a, b in zip(expected, after, strict=True))
        return AnalysisStep(at, entry.turn + 1, entry.actor, entry.action, text, _all(expected), luck=luck)
    thought = consider_actions(position, effort, lot, None, stop)
    before = chances(match.game, thought.expected)
    found = _ways(match, at, thought.candidates, effort, lot, stop)
    chosen = next(way for way in found if way.action == entry.action)
    best = max(way.chance for way in found)
    kept = found[:MOST] if chosen in found[:MOST] else [*found[: MOST - 1], chosen]
    return AnalysisStep(
        at, entry.turn + 1, entry.actor, entry.action, text, _all(before), _rounded(max(0.0, best - chosen.chance)), tuple(kept)
    )


def _ways(
    match: Match, at: int, candidates: Sequence[Candidate], effort: int, lot: str, stop: threading.Event | None
) -> list[Way]:
    """The sufficiently searched actions, best first. If the chosen one is not among them, it is searched separately."""
    position, entry, game = match.positions[at], match.log[at], match.game
    most, found = max(each.visits for each in candidates), []
    for each in candidates:
        known = each.proven or each.visits * ENOUGH >= most
        if not known and each.action != entry.action:
            continue
        likely = chances(game, each.expected) if known else outlook(match.positions[at + 1], effort, lot, stop)
        chance = _rounded(likely[entry.actor])
        found.append(Way(each.action, position.name(each.action), chance, each.visits, each.proven))
    top = found[0]  # keeps the search's choice first
    return [top, *sorted(found[1:], key=lambda way: -way.chance)]


def summarize_match(
    match: Match, names: Sequence[str], steps: Iterable[AnalysisStep], effort: int = EFFORT, seed: int = 0
) -> Study:
    """The analysis of a whole match from its steps."""
    done = tuple(steps)
    if [each.at for each in done] != list(range(len(match.log))):
        raise BridgeheadError("players:error.steps_not_those_whole_match", "steps")
    game, outcome = match.game, match.outcome
    last = outlook(match.position, effort, f"{seed}:end") if outcome is None else chances(game, outcome.returns)
    seats = []
    for seat in range(game.seats):
        own = [each for each in done if each.actor == seat]
        luck = sum(each.luck[seat] for each in done if each.luck)
        seats.append(Sum(_rounded(luck), _rounded(sum(each.lost for each in own)), len(own)))
    line = (*(each.before for each in done), _all(last))
    return Study(
        FORMAT, game.spec.id, game.spec.version, tuple(names), game.sides, record.result(match), effort, seed, line, done,
        moments(done, line), tuple(seats),
    )  # fmt: skip


def study(match: Match, names: Sequence[str] = (), effort: int = EFFORT, seed: int = 0) -> Study:
    """Analyse a whole match, with one search per action."""
    called = [names[seat] if seat < len(names) else f"seat {seat + 1}" for seat in range(match.game.seats)]
    return summarize_match(match, called, (step(match, at, effort, seed) for at in range(len(match.log))), effort, seed)


def moments(steps: Sequence[AnalysisStep], line: Sequence[Chances]) -> tuple[Moment, ...]:
    """The key moments, in order of play: the largest losses and the most luck, and every swing of the line.

    line: the win chances before each step and at the end.
    """
    causes = [_cause(each) for each in steps]
    largest = sorted(causes, key=lambda one: (-abs(one.points), one.at))[:MOMENTS]
    found = {one.at: one for one in largest if abs(one.points) >= LEAST}
    for seat in range(len(line[0])):
        for at in swings([each[seat] for each in line], found):
            found[at] = _explained(causes[at], line)
    return tuple(found[at] for at in sorted(found))


def _cause(step: AnalysisStep) -> Moment:
    """The luck of a draw, or the loss of a decision."""
    seat = _most(step.luck) if step.luck else step.actor
    return Moment(step.at, seat, step.luck[seat], "luck") if step.luck else Moment(step.at, seat, step.lost, "lost")


def _explained(cause: Moment, line: Sequence[Chances]) -> Moment:
    """A step of a swing: its cause, or the change of the line, if the cause explains less than half of it."""
    changes = [_rounded(after - before) for before, after in zip(line[cause.at], line[cause.at + 1], strict=True)]
    seat = _most(changes)
    return cause if 2 * abs(cause.points) >= abs(changes[seat]) else Moment(cause.at, seat, changes[seat], "swing")


def _most(changes: Sequence[float]) -> int:
    """The seat with the largest change."""
    return max(range(len(changes)), key=lambda seat: abs(changes[seat]))


def swings(chances: Sequence[float], known: Collection[int] = ()) -> set[int]:
    """The steps of every swing of a win chance by SWING or more: each such step, and the largest step of a slower swing.

    A swing ends where the chance turns back by SWING. known: steps that count already.
    """
    changes = [_rounded(after - before) for before, after in itertools.pairwise(chances)]
    found = {at for at, change in enumerate(changes) if abs(change) >= SWING}
    for begin, end in _runs(chances):
        way = chances[end] - chances[begin]
        along = {at: change for at, change in enumerate(changes[begin:end], begin) if change * way > 0}
        if not along.keys() & {*found, *known}:
            found.add(max(along, key=lambda at: abs(along[at])))
    return found


def _runs(chances: Sequence[float]) -> Iterator[tuple[int, int]]:
    """The places between which a chance rises or falls by SWING or more, without turning back by as much."""
    low = high = start = farthest = way = 0  # way: 1 rising, -1 falling, 0 neither yet
    for at, chance in enumerate(chances):
        if not way:
            low, high = (at if chance < chances[low] else low), (at if chance > chances[high] else high)
            if abs(chances[high] - chances[low]) >= SWING - TINY:
                start, farthest, way = (low, high, 1) if high > low else (high, low, -1)
        elif way * (chance - chances[farthest]) > 0:
            farthest = at
        elif way * (chances[farthest] - chance) >= SWING - TINY:
            yield start, farthest
            start, farthest, way = farthest, at, -way
    if way:
        yield start, farthest


def _rounded(number: float) -> float:
    return round(number, 4) + 0.0


def _all(likely: Chances) -> Chances:
    return tuple(_rounded(each) for each in likely)
