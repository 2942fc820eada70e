"""Decision samples: at some positions of the strongest player's games, a search's value of every action.

Wherever a maximum is compared, one search chooses and another one, with a seed of its own, says what the choice is worth. The
best of several noisy values is too high on average; the other search's value of the same action is not.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.chance import SeededDealer
from bridgehead.core.game import Game, Position
from bridgehead.core.spec import CHANCE
from bridgehead.players.levels import one_ahead
from bridgehead.players.search import Search
from bridgehead.players.thoughts import Budget, SearchResult
from bridgehead.workshop.lab import games
from bridgehead.workshop.lab.action_kinds import kinds
from bridgehead.workshop.lab.plan import Plan
from bridgehead.workshop.lab.tracing import Tracer

PLACES = 6  # positions per game, one from each part of equal length, chosen by lot
BUDGETS = (25, 50, 100, 200, 400, 800)  # simulations; the others are compared with the last
CLOSE = 0.05  # win chance: actions this close are equally good
HEAVY = 0.10  # smallest gain or loss of another side's win chance that counts
LOST, DECIDING = 0.05, 0.5  # win chance of a seat that cannot win; change of another side's chance that decides who does
SEEN = 1 / 50  # share of visits from which on the value of an action is known
FINE = 1_000_000  # parts of a part of a game, among which a lot decides
ROUNDS = 4  # rounds of play after which two actions that leave the same to choose from are the same

# near: actions as good as the best; legal: all actions; real: 1 if two actions as good as the best lead to different games;
# regret: win chance lost by the action that looks best one action ahead; stake: that lost by an action at random; settled: index
# of the first budget from which on the best action stays the same; kingmaker: 1 if equally good actions differ for another side;
# kind: that of the best action. A missing place has 0 legal actions.
SAMPLES = {
    "legal": np.int32, "near": np.int32, "real": np.int8, "regret": np.float64, "stake": np.float64, "settled": np.int32,
    "kingmaker": np.int8, "kind": np.int16,
}  # fmt: skip


class Sample(NamedTuple):
    """What was seen at one position: see SAMPLES. single: the kinds of which one action is legal, beside those of other kinds."""

    legal: int
    near: int
    real: bool
    regret: float
    stake: float
    settled: int
    kingmaker: bool
    kind: int
    single: list[int]


class TwoSearches(NamedTuple):
    """Two independent searches of a position."""

    one: SearchResult
    other: SearchResult

    def compare(self, measure: Callable[[SearchResult, SearchResult], float]) -> float:
        """The mean of a measure, with either search as the one that chooses."""
        return (measure(self.one, self.other) + measure(self.other, self.one)) / 2


def sizes(plan: Plan) -> list[tuple[int, int]]:
    """Only for the last and strongest player; two games per part."""
    return [(0, 1)] * (len(plan.strengths) - 1) + [(min(plan.looks, plan.strengths[-1].games), 2)]


@functools.lru_cache(8)
def dtype(game: Game) -> np.dtype[Any]:
    """The dtype of a row: SAMPLES by place; single: by place and kind; decided: by seat, whether its last decision made somebody
    else win or lose while it could not win itself, -1 if there are only two sides or it had none."""
    return np.dtype(
        [
            ("number", np.int64),
            *((name, kind, (PLACES,)) for name, kind in SAMPLES.items()),
            ("single", np.bool_, (PLACES, len(kinds(game).names))),
            ("decided", np.int8, (game.seats,)),
        ]
    )


def row(plan: Plan, tracer: Tracer, which: int, number: int) -> Any:
    """The samples of one game."""
    game, trace = tracer.game, games.play(plan, tracer, which, number, weigh=False)
    free = np.flatnonzero((trace.actors != CHANCE) & (trace.counts > 1))
    places, last = choose_places(len(free), f"{plan.seed}:{number}"), dict[int, int]()
    if len(set(game.sides)) > 2:
        last = {int(at): int(trace.actors[at]) for seat in range(game.seats) for at in free[trace.actors[free] == seat][-1:]}
    at = {int(free[place]): i for i, place in enumerate(places)}
    found = np.zeros((), dtype(game))
    found["number"], found["decided"] = number, -1
    position = game.start()
    for i, action in enumerate(trace.actions[: max([*at, *last], default=-1) + 1]):
        if i in at:
            sample = _look(position, f"{plan.seed}:{number}:{i}")
            for name in SAMPLES:
                found[name][at[i]] = getattr(sample, name)
            found["single"][at[i], sample.single] = True
        if i in last:
            found["decided"][last[i]] = _decides(position, f"{plan.seed}:{number}:{i}")
        position = position.after(int(action))
    return found


def choose_places(count: int, seed: str) -> list[int]:
    """PLACES of so many decisions, one of each part of equal length, so that every decision is as likely as another one."""
    if count <= PLACES:
        return list(range(count))
    lot = SeededDealer(f"looks:{seed}")
    return sorted({int((i + lot.pick(range(FINE), i) / FINE) * count / PLACES) for i in range(PLACES)})


def _search(position: Position, seed: str, budget: int) -> SearchResult:
    return Search(nodes=200_000, seed=f"{seed}:{budget}").think(position, Budget(simulations=budget))


def _search_twice(position: Position, seed: str) -> TwoSearches:
    return TwoSearches(_search(position, seed, BUDGETS[-1]), _search(position, f"other:{seed}", BUDGETS[-1]))


def _chances(found: SearchResult, seat: int) -> dict[int, float]:
    """A seat's win chance after every action; an action without a visit counts as the worst one."""
    chances = {each.action: (1 + each.expected[seat]) / 2 for each in found.candidates if each.proven or each.visits}
    worst = min(chances.values(), default=0.5)
    return {each.action: chances.get(each.action, worst) for each in found.candidates}


def _known(both: TwoSearches) -> list[int]:
    """The actions of which each search has seen enough, or which are proven."""
    seen = []
    for found in both:
        enough = min(SEEN * found.simulations, max(each.visits for each in found.candidates))
        seen.append({each.action for each in found.candidates if each.proven or each.visits >= enough})
    return sorted(seen[0] & seen[1]) or [both.one.action]


def _look(position: Position, seed: str) -> Sample:
    """One sample."""
    seat, both = position.actor, _search_twice(position, seed)
    choices = [*(_search(position, seed, budget).action for budget in BUDGETS[:-1]), both.one.action]
    settled = next(i for i in range(len(choices)) if set(choices[i:]) == {both.one.action})
    ahead = one_ahead(position)
    simple = max(ahead, key=lambda action: ahead[action])

    def lose(worth: Callable[[dict[int, float]], float]) -> float:
        """The chance that the best action has more than another one, or than others on average."""

        def measure(choosing: SearchResult, valuing: SearchResult) -> float:
            chances = _chances(valuing, seat)
            return chances[choosing.action] - worth(chances)

        return both.compare(measure)

    near = [action for action in _known(both) if lose(lambda chances, action=action: chances[action]) <= CLOSE]  # type: ignore[misc]
    near = near or [both.one.action]
    of = kinds(position.game).of[list(position.legal)]
    counts = np.bincount(of)
    return Sample(
        legal=len(position.legal),
        near=len(near),
        real=any(lead_apart(position, near[0], other) for other in near[1:]),
        regret=lose(lambda chances: chances[simple]),
        stake=lose(lambda chances: float(np.mean(list(chances.values())))),
        settled=settled,
        kingmaker=_sway(position.game, seat, both, near) >= HEAVY,
        kind=int(kinds(position.game).of[both.one.action]),
        single=[int(kind) for kind in np.flatnonzero(counts == 1)] if (counts > 0).sum() > 1 else [],
    )


def lead_apart(position: Position, one: int, other: int) -> bool:
    """Do two actions lead to different games: to other actions to choose from, or to another end? Both games continue alike."""
    games_ = [position.after(one), position.after(other)]
    lot = SeededDealer("apart")
    for ply in range(ROUNDS * position.game.seats):
        if games_[0].actor != games_[1].actor or games_[0].legal != games_[1].legal:
            return True
        if games_[0].is_over:
            return [each.outcome for each in games_][0] != games_[1].outcome
        action = lot.pick(games_[0].legal, ply)
        games_ = [each.after(action) for each in games_]
    return False


def _sway(game: Game, seat: int, both: TwoSearches, among: list[int]) -> float:
    """By how much the choice among some actions changes the win chance of another side, where there are several of those."""
    others = [other for other in range(game.seats) if game.sides[other] != game.sides[seat]]
    if len({game.sides[other] for other in others}) < 2 or len(among) < 2:
        return 0.0

    def spread(choosing: SearchResult, valuing: SearchResult, other: int) -> float:
        guessed, chances = _chances(choosing, other), _chances(valuing, other)
        return chances[max(among, key=guessed.__getitem__)] - chances[min(among, key=guessed.__getitem__)]

    return max(both.compare(functools.partial(spread, other=other)) for other in others)


def _decides(position: Position, seed: str) -> bool:
    """Does a seat that cannot win decide who does?"""
    seat, both = position.actor, _search_twice(position, seed)
    known = _known(both)
    if max(both.compare(lambda _, valuing, action=action: _chances(valuing, seat)[action]) for action in known) > LOST:  # type: ignore[misc]
        return False
    return _sway(position.game, seat, both, known) >= DECIDING
