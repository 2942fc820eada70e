"""Training in rounds: self-play, a test against the starting weights, and a manifest.

A manifest (weights.manifest.json beside weights.json) states the origin of the weights, the training command, and their
strength: a sequential test at equal budgets against the starting weights.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bridgehead.core.errors import OptionError, RecordError
from bridgehead.core.game import Game
from bridgehead.core.version import __version__
from bridgehead.players import statistics
from bridgehead.players.contest import Contest, Played, Setting, compared, score
from bridgehead.players.training import Lesson, learn, lessons, save

Progress = Callable[[str, int, int], None]  # stage, done, total


class Course(NamedTuple):
    """The settings of a training.

    player: plays the games, like deep:2000; games: per round; rounds: each is played with the weights of the round
    before, the first with `start` (a file of weights; None: the game's own). sets: limit of the final test; 0: no test.
    """

    setting: Setting
    player: str
    games: int
    rounds: int = 1
    start: Path | None = None
    sets: int = 1000
    bounds: tuple[float, float] = (0.0, 20.0)


def train(course: Course, out: Path, report: Progress = lambda what, done, of: None) -> dict[str, Any]:
    """Learn weights, test them, and write them with their manifest; returns the manifest. Errors: BridgeheadError,
    OptionError.
    """
    if (course.rounds > 1 or course.sets or course.start) and not course.player.startswith(("deep:", "search:", "turn:")):
        raise OptionError("players:error.searches_judge_weights_rounds_test", course.player)
    _place(course, out)
    data, judge, spec = [], course.start, course.setting.made().spec
    for number in range(1, course.rounds + 1):
        setting = course.setting._replace(seed=course.setting.seed + number - 1)
        lesson = Lesson(setting, _with(course.player, judge), course.games)
        found = learn(lesson, lambda done, n=number: report(f"round {n}", done, course.games))  # type: ignore[misc]
        data.append({
            "seed": setting.seed, "games": found.games, "positions": found.positions, "player": course.player,
            "weights": fingerprint(judge) if judge else "the game's own", "wander": lesson.wander,
            "cross-entropy": round(found.loss, 5), "of knowing nothing": round(found.blind, 5),
        })  # fmt: skip
        judge = _out(course, out, number)
        save(found, judge)
    made = {
        "weights": fingerprint(out), "command": command(course), "by": f"Bridgehead {__version__}", "game": course.setting.game,
        "rules": spec.version, "lessons": list(lessons(spec)), "data": data,
        "result": _tested(course, out, report) if course.sets else None,
    }  # fmt: skip
    path(out).write_text(json.dumps(made, indent=1) + "\n", "utf-8")
    return made


def _out(course: Course, out: Path, number: int) -> Path:
    """The file for the weights of a round."""
    return out if number == course.rounds else out.with_name(f"{out.stem}.round-{number}.json")


def _place(course: Course, out: Path) -> None:
    """Check before any game that the output can be written, and that it does not overwrite the starting weights."""
    if out.is_dir() or not os.access(out.parent, os.W_OK):
        raise OptionError("players:error.cannot_written", str(out))
    if course.player.count(":") > 1 and (course.rounds > 1 or course.sets or course.start):
        raise OptionError("players:error.weights_begin_named_start", course.player)
    written = {_out(course, out, number).resolve() for number in range(1, course.rounds + 1)}
    if course.start and course.start.resolve() in written:
        raise OptionError("players:error.these_weights_begin_what_learned", str(course.start))


def _with(player: str, weights: Path | None) -> str:
    return f"{player}:{weights}" if weights else player


def _tested(course: Course, out: Path, report: Progress) -> dict[str, Any]:
    """The result of a sequential test of the new weights against the starting ones, at equal budgets."""
    pair = (_with(course.player, out), _with(course.player, course.start))
    made = Contest(course.setting._replace(seed=course.setting.seed + course.rounds, entrants=pair))
    scores: list[float] = []
    for done, _ in enumerate(made.run([pair], course.sets), start=1):
        report("testing", done, course.sets)
        scores = [_share(games, pair[0], made.game) for games in made.sets(pair)]
        if statistics.sequential(scores, *course.bounds).verdict != "open":
            break
    found, test = statistics.mean_score(scores), statistics.sequential(scores, *course.bounds)
    return {
        "against": course.start.name if course.start else "the game's own", "player": course.player,
        "against weights": fingerprint(course.start) if course.start else None, "seed": made.setting.seed,
        "bounds": list(course.bounds), "verdict": test.verdict, "log ratio": round(test.ratio, 3), "sets": found.games,
        "games": sum(len(games) for games in made.sets(pair)), "share": [round(part, 4) for part in found[:3]],
        "elo": [round(part, 1) if math.isfinite(part) else None for part in map(statistics.elo, found[:3])],
    }  # fmt: skip


def _share(games: Sequence[Played], name: str, game: Game) -> float:
    """An entrant's share of a set, even at one half: of points with two sides, of comparisons with more (contest.compared)."""
    if len(set(game.sides)) == 2:
        return score(games, name, game)
    won, made = compared(games, name, game)
    return won / made


def command(course: Course) -> str:
    """The command that repeats this training."""
    options = {"games": course.games, "rounds": course.rounds, "player": course.player, "seed": course.setting.seed}
    if course.start:
        options["start"] = course.start.name
    rules = ",".join(f"{name}={value}" for name, value in json.loads(course.setting.options).items())
    options |= {"rules": rules} if rules else {}
    options |= {} if course.sets == Course._field_defaults["sets"] else {"test": course.sets}
    arguments = " ".join(f"--{name} {value}" for name, value in options.items())
    return f"bridgehead train {course.setting.game} --out weights.json {arguments}"


def fingerprint(file: Path) -> str:
    """A hash of the weights in a file."""
    weights = json.loads(file.read_text("utf-8"))["weights"]
    return hashlib.sha256(json.dumps(weights, sort_keys=True).encode()).hexdigest()


def path(weights: Path) -> Path:
    """The path of the manifest of a weights file."""
    return weights.with_name(f"{weights.stem}.manifest.json")


def manifest(weights: Path) -> dict[str, Any]:
    """The manifest of a weights file. Errors: RecordError if it is missing or belongs to other weights."""
    file = path(weights)
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise RecordError("players:error.no_manifest", str(file), error=error) from None
    if found.get("weights") != fingerprint(weights):
        raise RecordError("players:error.manifest_other_weights", str(file))
    return found
