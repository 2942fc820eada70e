"""A whole study: the usual plan for a game, its answers, and what is written beside the report."""

from __future__ import annotations

import csv
import itertools
import json
import platform
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bridgehead.core import registry
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.lab.answers import basics, choices, rules, skill, tension
from bridgehead.lab.answers.answer import Answer, Thresholds, as_data
from bridgehead.lab.plan import Arm, Duel, Plan, Strength, checked
from bridgehead.lab.running import Results
from bridgehead.players.contest import seatings
from bridgehead.players.levels import levels

MODEST = 5000  # positions or simulations a decision: levels that look at more are left out, for a study plays many games
SEARCHES = (25, 50, 100, 200)  # simulations: the ladder of a game that has no levels
SHARES = {"random": 1.0, "greedy": 0.5}  # of the games asked for; players that think play a tenth
WEIGHED = 1000  # most games of a strength whose every action is weighed
QUESTIONS: tuple[Callable[[Results, Game, Thresholds, int], Answer], ...] = (
    basics.ends,
    basics.seats,
    basics.length,
    skill.skill,
    skill.luck,
    tension.tense,
    tension.decided,
    choices.choices,
    rules.clauses,
    choices.others,
    rules.board,
    choices.clarity,
)


def ladder(game: str) -> tuple[str, ...]:
    """Players of a game from the weakest to the strongest: its levels, as far as they are quick; of one without, searches."""
    quick = tuple(name for name, level in levels(registry.spec(game)).items() if level.budget <= MODEST)
    return quick or tuple(f"search:{each}" for each in SEARCHES)


def usual(game: str, arms: tuple[Arm, ...], games: int, players: Sequence[str] = (), seed: int = 1) -> Plan:
    """The plan of a study: `games` of the random player, and what goes with them. Errors: OptionError, BoardError.

    players: from the weakest to the strongest, each with a number of games of its own if it is told (`captain=200`); the usual
    ones are random, greedy, and the last of the ladder. Each step of the ladder is a duel of about a tenth of the games.
    """
    rungs = ladder(game)
    chosen = tuple(players) or (*SHARES, rungs[-1])
    strengths = tuple(_strength(each, games) for each in chosen)
    seated = len(seatings(registry.game(game, **arms[0].rules), ("one", "other")))
    sets = max(2, round(games / (10 * seated)))
    steps = tuple(Duel(high, low, sets) for low, high in itertools.pairwise(rungs))
    few, many = max(2, games // 50), max(2, min(games // 5, WEIGHED))
    return checked(Plan(game, "", arms, strengths, steps, seed, weighed=many, looks=few, readings=few))


def _strength(told: str, games: int) -> Strength:
    """`captain=200`, or `captain` with its share of the games."""
    name, given, number = told.partition("=")
    if given and not (number.isdecimal() and int(number)):
        raise OptionError("a number of games belongs behind the sign, like captain=200", told)
    return Strength(name, int(number) if given else max(2, round(games * SHARES.get(name, 0.1))))


def answers(results: Results, limits: Thresholds, arm: int = 0) -> list[Answer]:
    """The twelve, as far as the run has come."""
    game = results.plan.made(arm)
    return sorted((ask(results, game, limits, arm) for ask in QUESTIONS), key=lambda each: each.number)


def manifest(plan: Plan, command: str) -> dict[str, Any]:
    """What is needed to make the same again: nothing in it changes from one run to the next on one machine."""
    libraries = {name: version(name) for name in ("bridgehead", "numpy", "numba", "scipy", "statsmodels")}
    return {"command": command, "plan": json.loads(plan.text), "id": plan.id, "python": platform.python_version(), **libraries}


def written(results: Results, limits: Thresholds, command: str, folder: Path) -> dict[str, Any]:
    """Write answers.json and, for every strength, the games as CSV; what stands in answers.json. Same run, same bytes."""
    arms = [[as_data(each) for each in answers(results, limits, arm)] for arm in range(len(results.plan.arms))]
    told = {
        "manifest": manifest(results.plan, command),
        "arms": [{"name": arm.name, "answers": found} for arm, found in zip(results.plan.arms, arms, strict=True)],
    }
    (folder / "answers.json").write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", "utf-8")
    for arm in range(len(results.plan.arms)):
        for which, strength in enumerate(results.plan.strengths):
            _table(results, arm, which, folder / f"games-{arm}-{strength.player.replace(':', '-')}.csv")
    return told


def _table(results: Results, arm: int, which: int, file: Path) -> None:
    rows = results.rows("games", which, arm)
    game = results.plan.made(arm)
    names = list(rows.dtype.names or ())
    heads = [
        f"{name} {i + 1}" if rows.dtype[name].shape else name for name in names for i in range(_width(rows, name, game.seats))
    ]
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out)
        table.writerow(["game's end", *heads])
        for row in rows:
            cells = [
                cell
                for name in names
                for cell in ([row[name].item()] if not row[name].shape else row[name][: _width(rows, name, game.seats)].tolist())
            ]
            table.writerow([game.spec.rules.REASONS[int(row["reason"])][0] or "broken off", *cells])


def _width(rows: Any, name: str, seats: int) -> int:
    """Columns of a field: one, one a seat, or one a tenth."""
    shape = rows.dtype[name].shape
    return 1 if not shape else seats if name in ("result", "decisions", "wait", "gone") else int(shape[0])
