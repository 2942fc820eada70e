"""A whole study: the usual plan for a game, its answers, and what is written beside the report."""

from __future__ import annotations

import csv
import json
import platform
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bridgehead.core.game import Game
from bridgehead.lab.answers import basics, choices, rules, skill, tension
from bridgehead.lab.answers.answer import Answer, Thresholds, as_data
from bridgehead.lab.plan import Arm, Duel, Plan, Strength, checked
from bridgehead.lab.running import Results

STRONG = "search:100"  # the strongest player, unless told otherwise
LADDER = (25, 50, 100, 200, 400)  # simulations; each rung is a duel with the one below
SHARES = {"random": 1.0, "greedy": 0.5}  # of the games asked for; players that think play a tenth
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


def usual(game: str, arms: tuple[Arm, ...], games: int, players: Sequence[str] = (), seed: int = 1) -> Plan:
    """The plan of a study: `games` of the random player, and what goes with them. Errors: OptionError, BoardError.

    players: from the weakest to the strongest; the usual ones are random, greedy, and a search.
    """
    chosen = tuple(players) or (*SHARES, STRONG)
    strengths = tuple(Strength(name, max(2, round(games * SHARES.get(name, 0.1)))) for name in chosen)
    sets = max(2, games // 20)
    steps = tuple(Duel(f"search:{2 * low}", f"search:{low}", sets) for low in LADDER[:-1])
    few = max(2, games // 50)
    return checked(Plan(game, "", arms, strengths, steps, seed, weighed=max(2, games // 5), looks=few, readings=few))


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
