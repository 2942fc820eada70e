"""A whole study: the default plan of a game, its answers, and the files beside the report."""

from __future__ import annotations

import csv
import itertools
import json
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from bridgehead.core import registry
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.phrases import ENGLISH
from bridgehead.players.levels import fingerprint, levels
from bridgehead.workshop.arena.contest import seatings
from bridgehead.workshop.lab import games as played
from bridgehead.workshop.lab.action_kinds import WORD, kinds
from bridgehead.workshop.lab.answers.answer import Answer, Run, Thresholds, as_data
from bridgehead.workshop.lab.answers.questions import QUESTIONS
from bridgehead.workshop.lab.plan import Arm, Duel, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, open_plan

MODEST = 5000  # positions or simulations per decision: slower levels are left out, because a study plays many games
SEARCHES = (25, 50, 100, 200)  # simulations: the ladder of a game without levels
SHARES = {"random": 1.0, "greedy": 0.5}  # of the requested games; players that search play a tenth
LOOKS = 40  # games of the strongest player, at least, in which decisions are looked into, if there are so many
WEIGHED = 1000  # limit of games per strength that are evaluated action by action
# If none of PILOT random games ends, plans with more than PATIENCE of them get a limit SOONER times lower.
PATIENCE, PILOT, SOONER = 1000, 50, 4


def ladder(game: str) -> tuple[str, ...]:
    """Players of a game from the weakest to the strongest: its levels that are quick enough, else searches."""
    quick = tuple(name for name, level in levels(registry.spec(game)).items() if level.budget <= MODEST)
    return quick or tuple(f"search:{each}" for each in SEARCHES)


def usual(
    game: str, arms: tuple[Arm, ...], games: int, players: Sequence[str] = (), seed: int = 1, without: Sequence[str] = (),
    steps: Sequence[str] = (),
) -> Plan:  # fmt: skip
    """The plan of a study with `games` of the random player. Errors: OptionError, BoardError.

    players: from the weakest to the strongest, optionally each with its number of games (`captain=200`); the default is
    random, greedy, the middle and the last of the ladder, so that fairness is a curve over strength. Each step of the ladder is a
    duel of about a tenth of the games.
    without: kinds of actions that the strongest player avoids in duels with itself, optionally with a number of games
    (`torch=200`). steps: another ladder, from the weakest up.
    """
    rungs = tuple(steps) or ladder(game)
    if len(set(rungs)) < max(2, len(rungs)):
        raise OptionError("lab:error.ladder_two_players_least_each", ",".join(rungs))
    known = ladder(game)
    chosen = tuple(players) or (*SHARES, *dict.fromkeys((known[(len(known) - 1) // 2], known[-1])))
    strengths = tuple(_strength(each, games) for each in chosen)
    seated = len(seatings(registry.game(game, **arms[0].rules), ("one", "other")))
    sets = max(2, round(games / (10 * seated)))
    duels = tuple(Duel(high, low, sets) for low, high in itertools.pairwise(rungs))
    duels += tuple(_abstaining(each, strengths[-1].player, sets, seated) for each in without)
    few, many = max(2, games // 50), max(2, min(games // 5, WEIGHED))
    looks = max(few, LOOKS)
    return patient(check_plan(Plan(game, "", arms, strengths, duels, seed, weighed=many, looks=looks, readings=few)))


def patient(plan: Plan) -> Plan:
    """The plan; if it has many random games and none of the first ones ends, with a lower limit of actions for them."""
    which = next((i for i, each in enumerate(plan.strengths) if each.player == "random" and each.games > PATIENCE), None)
    if which is None:
        return plan
    for arm in range(len(plan.arms)):
        _, tracer = open_plan(plan.text, arm)
        if any(played.play(plan, tracer, which, number, False).reason for number in range(PILOT)):
            return plan
    sooner = msgspec.structs.replace(plan.strengths[which], longest=plan.longest // SOONER)
    strengths = (*plan.strengths[:which], sooner, *plan.strengths[which + 1 :])
    return msgspec.structs.replace(plan, strengths=strengths)


def _strength(text: str, games: int) -> Strength:
    """`captain=200`, or `captain` with its default share of the games."""
    name, number = _numbered(text)
    return Strength(name, number or max(2, round(games * SHARES.get(name, 0.1))))


def _abstaining(text: str, player: str, sets: int, seated: int) -> Duel:
    """`torch=200`, or `torch` with as many games as a step of the ladder."""
    kind, number = _numbered(text)
    return Duel(f"{player}{WORD}{kind}", player, max(1, number // seated) if number else sets)


def _numbered(text: str) -> tuple[str, int]:
    """A name and the number after it, 0 if there is none. Errors: OptionError."""
    name, given, number = text.partition("=")
    if given and not (number.isdecimal() and int(number)):
        raise OptionError("lab:error.number_games_belongs_behind_sign", text)
    return name, int(number or 0)


def answers(results: Results, limits: Thresholds, arm: int = 0) -> list[Answer]:
    """The twelve answers, from the rows so far."""
    return answer_questions(Run(results, results.plan.make_game(arm), limits, arm))


def answer_questions(run: Run) -> list[Answer]:
    """The twelve answers on one arm, in the order of their numbers."""
    return [ask(run) for ask in QUESTIONS]


def manifest(plan: Plan, command: str) -> dict[str, Any]:
    """Everything needed to repeat the run; on one machine it is the same for every repetition."""
    libraries = {name: version(name) for name in ("bridgehead", "numpy", "numba", "scipy")}
    origin = {"command": command, "plan": json.loads(plan.text), "id": plan.id, "python": platform.python_version()}
    return {**origin, "players": fingerprint(plan.make_game(0).spec), **libraries}


def write_study(results: Results, limits: Thresholds, command: str, folder: Path, language: str = ENGLISH) -> dict[str, Any]:
    """Write answers.json and, for every strength, the games as CSV; returns the content of answers.json. The same run
    gives the same bytes.
    """
    arms = [[as_data(each, language) for each in answers(results, limits, arm)] for arm in range(len(results.plan.arms))]
    content = {
        "manifest": manifest(results.plan, command),
        "arms": [{"name": arm.name, "answers": found} for arm, found in zip(results.plan.arms, arms, strict=True)],
    }
    (folder / "answers.json").write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", "utf-8")
    for arm in range(len(results.plan.arms)):
        for which, strength in enumerate(results.plan.strengths):
            _table(results, arm, which, folder / f"games-{arm}-{strength.player.replace(':', '-')}.csv")
    return content


def _table(results: Results, arm: int, which: int, file: Path) -> None:
    rows = results.rows("games", which, arm)
    game = results.plan.make_game(arm)
    names = [name for name in rows.dtype.names or () if name != "bins"]
    heads = [head for name in names for head in _heads(game, rows, name)]
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out)
        table.writerow(["game's end", *heads])
        for row in rows:
            cells = [cell for name in names for cell in row[name].ravel()[: len(_heads(game, rows, name))].tolist()]
            table.writerow([game.spec.rules.REASONS[int(row["reason"])][0] or "broken off", *cells])


def _heads(game: Game, rows: Any, name: str) -> list[str]:
    """The names of a field's columns: one, one per seat, one per tenth, or by the kinds of actions."""
    shape, found = rows.dtype[name].shape, kinds(game).names
    if name == "did":
        return [f"{kind} {seat + 1}" for kind in found for seat in range(game.seats)]
    if name == "swung":
        return [f"{kind} swung" for kind in found]
    each = game.seats if name in ("result", "order", "decisions", "wait", "gone", "dealt") else shape[0] if shape else 0
    return [f"{name} {i + 1}" for i in range(each)] if shape else [name]
