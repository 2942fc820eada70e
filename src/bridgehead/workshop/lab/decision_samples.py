"""Decision samples: at some positions of the strongest player's games, a search's value of every action."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.game import Game, Position
from bridgehead.core.spec import CHANCE
from bridgehead.players.levels import one_ahead
from bridgehead.players.search import Search
from bridgehead.players.thoughts import Budget, Candidate
from bridgehead.workshop.lab import games
from bridgehead.workshop.lab.plan import Plan
from bridgehead.workshop.lab.tracing import Tracer

PLACES = 6  # positions per game
BUDGETS = (25, 50, 100, 200, 400, 800)  # simulations; the others are compared with the last
CLOSE = 0.05  # win chance: actions this close are equally good
HEAVY = 0.10  # smallest gain or loss of another side's win chance that counts
SEEN = 1 / 50  # share of visits from which on the value of an action is known

# near: actions as good as the best; legal: all actions; regret: win chance lost by the action that looks best one
# action ahead; settled: index of the first budget from which on the best action stays the same; kingmaker: 1 if equally
# good actions differ for another side. A missing place has 0 legal actions.
SAMPLES = {"legal": np.int32, "near": np.int32, "regret": np.float64, "settled": np.int32, "kingmaker": np.int8}
LOOKS: np.dtype[Any] = np.dtype([("number", np.int64), *((name, kind, (PLACES,)) for name, kind in SAMPLES.items())])


def sizes(plan: Plan) -> list[tuple[int, int]]:
    """Only for the last and strongest player; two games per part."""
    return [(0, 1)] * (len(plan.strengths) - 1) + [(min(plan.looks, plan.strengths[-1].games), 2)]


def dtype(game: Game) -> np.dtype[Any]:
    """The dtype of a row."""
    return LOOKS


def row(plan: Plan, tracer: Tracer, which: int, number: int) -> Any:
    """The samples of one game."""
    trace = games.play(plan, tracer, which, number, weigh=False)
    free = np.flatnonzero((trace.actors != CHANCE) & (trace.counts > 1))
    at = {int(free[i * len(free) // PLACES]) for i in range(PLACES)} if len(free) else set()
    found = np.zeros((), LOOKS)
    found["number"] = number
    position = tracer.game.start()
    places = iter(range(PLACES))
    for i, action in enumerate(trace.actions[: max(at, default=-1) + 1]):
        if i in at:
            place = next(places)
            for name, value in zip(SAMPLES, _look(position, f"{plan.seed}:{number}:{i}"), strict=True):
                found[name][place] = value
        position = position.play(int(action))
    return found


def _look(position: Position, seed: str) -> tuple[int, int, float, int, int]:
    """One sample: legal actions, near-best actions, regret of looking one action ahead, settled budget, kingmaker."""
    seat, thoughts = position.actor, []
    for budget in BUDGETS:
        search = Search(nodes=200_000, seed=f"{seed}:{budget}")
        thoughts.append(search.think(position, Budget(simulations=budget)))
    last = thoughts[-1]
    enough = min(SEEN * last.simulations, max(each.visits for each in last.candidates))
    known = [each for each in last.candidates if each.proven or each.visits >= enough]
    chance = {each.action: (1 + each.expected[seat]) / 2 for each in known}
    best = max(chance.values())
    near = [each for each in known if best - chance[each.action] <= CLOSE]
    ahead = one_ahead(position)
    simple = max(ahead, key=lambda action: ahead[action])
    floor = min((1 + each.expected[seat]) / 2 for each in last.candidates)
    choices = [each.action for each in thoughts]
    settled = next(i for i in range(len(choices)) if set(choices[i:]) == {last.action})
    return len(position.legal), len(near), best - chance.get(simple, floor), settled, int(_kingmaker(position.game, seat, near))


def _kingmaker(game: Game, seat: int, near: list[Candidate]) -> bool:
    """Do actions that are equally good for oneself differ much for another side?"""
    others = [other for other in range(game.seats) if game.sides[other] != game.sides[seat]]
    if len({game.sides[other] for other in others}) < 2 or len(near) < 2:
        return False
    spread = [np.ptp([(1 + each.expected[other]) / 2 for each in near]) for other in others]
    return bool(max(spread) >= HEAVY)
