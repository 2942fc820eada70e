"""Games between players of one strength in all seats."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.lab.facts import FACTS, facts
from bridgehead.lab.plan import Plan
from bridgehead.lab.tracing import SKILLS, Trace, Tracer


def sizes(plan: Plan) -> list[tuple[int, int]]:
    """Where players think, a part is five games; those of the compiled loop come by the thousand."""
    return [(each.games, 1000 if each.player in SKILLS else 5) for each in plan.strengths]


def dtype(game: Game) -> np.dtype[Any]:
    """Rows of FACTS."""
    return FACTS


def row(plan: Plan, tracer: Tracer, which: int, number: int) -> Any:
    """The facts of one game."""
    return facts(tracer.game, number, play(plan, tracer, which, number, number < plan.weighed))


def play(plan: Plan, tracer: Tracer, strength: int, number: int, weigh: bool = True) -> Trace:
    """One game of a plan; played again it is the same. Arms share its seed, so that they are compared under the same chance."""
    player = plan.strengths[strength].player
    return tracer.play((player,) * tracer.game.seats, f"{plan.seed}:{player}:{number}", weigh, plan.opening)
