"""Games with one player in all seats, and duels of two players, set by set, in the order of the seatings: rows of FACTS."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.workshop.arena.contest import seatings
from bridgehead.workshop.lab.action_kinds import WORD
from bridgehead.workshop.lab.facts import dtype as dtype
from bridgehead.workshop.lab.facts import facts
from bridgehead.workshop.lab.plan import Plan
from bridgehead.workshop.lab.tracing import SKILLS, GameTrace, Tracer

Array = np.ndarray[Any, Any]


def sizes(plan: Plan) -> list[tuple[int, int]]:
    """Five games per part for players that search; 250 for those of the compiled loop."""
    return [(each.games, 250 if each.player.partition(WORD)[0] in SKILLS else 5) for each in plan.strengths]


def row(plan: Plan, tracer: Tracer, which: int, number: int) -> Any:
    """The facts of one game."""
    player = plan.strengths[which].player.partition(WORD)[0]
    return facts(tracer.game, number, play(plan, tracer, which, number, number < plan.weighs(which)), player)


def play(plan: Plan, tracer: Tracer, strength: int, number: int, weigh: bool = True) -> GameTrace:
    """One game of a plan; the same arguments always give the same game. Arms share the seed, so they get the same chance."""
    player = plan.strengths[strength].player
    seats = (player,) * tracer.game.seats
    more = plan.openings(player), plan.most(strength), plan.follows(strength)
    return tracer.play(seats, f"{plan.seed}:{player}:{number}", weigh, *more)


def duel_sizes(plan: Plan) -> list[tuple[int, int]]:
    """Two sets per part."""
    seated = len(seatings(plan.make_game(0), ("one", "other")))
    return [(each.sets * seated, 2 * seated) for each in plan.duels]


def duel_row(plan: Plan, tracer: Tracer, which: int, number: int) -> Any:
    """The facts of one game of a duel."""
    duel = plan.duels[which]
    seated = seatings(tracer.game, (duel.one, duel.other))
    together, place = divmod(number, len(seated))
    trace = tracer.play(
        seated[place], f"{plan.seed}:{duel.one}:{duel.other}:{together}", False, plan.openings(duel.one, duel.other)
    )
    return facts(tracer.game, number, trace)


def scores(game: Game, rows: Array) -> Array:
    """The first player's score in each complete set, 0 to 1: with two sides a draw is one half; with more only wins count."""
    seated = seatings(game, ("one", "other"))
    whole = len(rows) // len(seated)
    found = np.zeros((whole, len(seated)))
    for place, seats in enumerate(seated):
        mine = [i for i, who in enumerate(seats) if who == "one"]
        result = rows["result"][place : whole * len(seated) : len(seated), :][:, mine]
        found[:, place] = (1 + result.mean(axis=1)) / 2 if len(set(game.sides)) == 2 else (result > 0).sum(axis=1)
    if len(set(game.sides)) == 2:
        return np.asarray(found.mean(axis=1))
    alone = np.array([seats.count("one") == 1 for seats in seated])
    return np.asarray(found[:, alone].mean(axis=1))
