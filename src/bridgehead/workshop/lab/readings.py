"""Replayed games: which clauses took effect for which side, and which fields were used."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.workshop.lab import games
from bridgehead.workshop.lab.plan import Plan
from bridgehead.workshop.lab.reader import reader
from bridgehead.workshop.lab.tracing import Tracer

GREEDY = 12  # times as many games of greedy players, who need little time, are replayed


def sizes(plan: Plan) -> list[tuple[int, int]]:
    """For every strength; five per part."""
    times = [GREEDY if each.player == "greedy" else 1 for each in plan.strengths]
    read = [each.readings or many * plan.readings for many, each in zip(times, plan.strengths, strict=True)]
    return [(min(many, each.games), 5) for many, each in zip(read, plan.strengths, strict=True)]


def dtype(game: Game) -> np.dtype[Any]:
    """clauses: those that took effect (in the order of `place_clauses`), by side; won: place of the winning side, or -1;
    entered, taken: counts by field (in the picture's order); last: the field where the game ended, or -1.
    """
    clauses, sides, fields = len(game.rulebook.clauses), len(set(game.sides)), len(fields_of(game))
    return np.dtype(
        [
            ("number", np.int64),
            ("clauses", np.bool_, (clauses, sides)),
            ("won", np.int8),
            ("entered", np.int32, (fields,)),
            ("taken", np.int32, (fields,)),
            ("last", np.int32),
        ]
    )


def place_clauses(game: Game) -> dict[str, int]:
    """The places of clauses in a row, by id: they stay when a rulebook tells its clauses in another order."""
    return {clause: i for i, clause in enumerate(sorted(clause.id for clause in game.rulebook.clauses))}


def fields_of(game: Game) -> list[str]:
    """The board's fields by id, in the order of its picture."""
    return [field.id for field in game.spec.scene.picture(game, "en").fields]


def row(plan: Plan, tracer: Tracer, which: int, number: int) -> Any:
    """One replayed game."""
    game = tracer.game
    trace = games.play(plan, tracer, which, number, weigh=False)
    reading = reader().read(game, trace.actions.tolist())
    found = np.zeros((), dtype(game))
    place = place_clauses(game)
    where = {field: i for i, field in enumerate(fields_of(game))}
    found["number"], found["last"] = number, where.get(reading["last"], -1)
    for side, clauses in enumerate(reading["fired"]):
        for clause in clauses:
            if clause in place:
                found["clauses"][place[clause], side] = True
    for name in ("entered", "taken"):
        for field, times in reading[name].items():
            if field in where:
                found[name][where[field]] = times
    won = sorted({game.sides[seat] for seat in np.flatnonzero(trace.returns > 0)})
    found["won"] = sorted(set(game.sides)).index(won[0]) if len(won) == 1 else -1
    return found
