"""Games with one player in all seats."""

from __future__ import annotations

from typing import Any

from bridgehead.lab.facts import dtype as dtype
from bridgehead.lab.facts import facts
from bridgehead.lab.plan import Plan
from bridgehead.lab.tracing import SKILLS, Trace, Tracer


def sizes(plan: Plan) -> list[tuple[int, int]]:
    """Five games per part for players that search; a thousand for those of the compiled loop."""
    return [(each.games, 1000 if each.player in SKILLS else 5) for each in plan.strengths]


def row(plan: Plan, tracer: Tracer, which: int, number: int) -> Any:
    """The facts of one game."""
    return facts(tracer.game, number, play(plan, tracer, which, number, number < plan.weighs(which)))


def play(plan: Plan, tracer: Tracer, strength: int, number: int, weigh: bool = True) -> Trace:
    """One game of a plan; the same arguments always give the same game. Arms share the seed, so they get the same chance."""
    player = plan.strengths[strength].player
    seats = (player,) * tracer.game.seats
    return tracer.play(seats, f"{plan.seed}:{player}:{number}", weigh, plan.opening, plan.most(strength))
