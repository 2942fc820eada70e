"""Learns the weights of an evaluation in rounds of self-play, by logistic regression on the results, and tests them.

A game can be trained if its `evaluate` has FEATURES, WEIGHTS and `worth(state, law, seat, weights)`, the value of a seat against
the others, linear in the weights. If it judges all seats at once (`judge`), it has instead `standing(state, law, seat, weights)`,
the value of each seat. LESSONS are sets of house rules, applied in turn on top of the requested ones.

A manifest (weights.manifest.json beside weights.json) states the origin of the weights, the training command, and their strength:
a sequential test at equal budgets against the starting weights.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError, OptionError, RecordError
from bridgehead.core.game import Game, Position
from bridgehead.core.jit import bind
from bridgehead.core.kernels import rules, rules_of
from bridgehead.core.match import Match
from bridgehead.core.spec import Spec
from bridgehead.core.version import __version__
from bridgehead.players import process_pool
from bridgehead.workshop import statistics
from bridgehead.workshop.arena.contest import Contest, ContestSetting, compare_sides, decisions
from bridgehead.workshop.arena.search_players import make_entrant, weights_of
from bridgehead.workshop.learning import nets

SCALE = 10.0  # unit of the weights: a worth of SCALE means that a win is e times as likely as a loss
RIDGE = 1e-4  # keeps the weights of rare features small
EACH = 25  # games of one request to a worker
Matrix = np.ndarray[Any, Any]


class Lesson(NamedTuple):
    """The games of a training: setting, player (an entrant's name), number of games, share of random actions."""

    setting: ContestSetting
    player: str
    games: int
    wander: float = 0.08


class Fit(NamedTuple):
    """Weights by feature, and how well they predict results (cross-entropy per position; `blind`: of a constant prediction)."""

    weights: dict[str, float]
    loss: float
    blind: float
    positions: int
    games: int


def learn(lesson: Lesson, report: Callable[[int], None] = lambda games: None) -> Fit:
    """Play the games of a lesson on all cores and fit the weights to their results. The same lesson gives the same weights."""
    features = _features(lesson.setting.make_game())
    numbers = range(0, lesson.games, EACH)
    rows, results = [], []
    with process_pool.working() as pool:
        for done, (x, y) in enumerate(pool.map(_positions, [(lesson, first) for first in numbers]), start=1):
            rows.append(x)
            results.append(y)
            report(min(lesson.games, done * EACH))
    x, y = np.concatenate(rows), np.concatenate(results)
    if not len(y):
        raise BridgeheadError("players:error.these_games_end_before_anything", lesson.setting.game)
    weights, loss = fit(x, y)
    blind = _entropy(y, np.broadcast_to(y.mean(axis=0), y.shape))
    return Fit(dict(zip(features, weights.tolist(), strict=True)), loss, blind, len(y), lesson.games)


def fit(counts: Matrix, results: Matrix) -> tuple[Matrix, float]:
    """The weights (in units of SCALE) that predict results best, and their cross-entropy per row.

    counts: one row for each side of each position (positions x sides x weights); results: each side's share of the win.
    Chances are proportional to the exponential of the weighted counts (conditional logit, D. McFadden 1974); with two
    sides that is logistic regression. Newton's method, with a ridge penalty.
    """
    spread = counts.std(axis=(0, 1)) + 1e-12
    unit, ridge = counts / spread, RIDGE * np.eye(counts.shape[2])
    weights = np.zeros(counts.shape[2])
    for _ in range(50):
        likely = _chances(unit @ weights)
        slope = np.einsum("ns,nsk->k", likely - results, unit, optimize=True) / len(results) + RIDGE * weights
        middle = np.einsum("ns,nsk->nk", likely, unit)
        flat = unit.reshape(-1, len(weights))
        bend = ((flat * likely.reshape(-1, 1)).T @ flat - middle.T @ middle) / len(results) + ridge
        step = np.linalg.solve(bend, slope)
        weights -= step
        if float(np.abs(step).max()) < 1e-9:
            break
    return SCALE * weights / spread, _entropy(results, _chances(unit @ weights))


def _chances(standings: Matrix) -> Matrix:
    likely = np.exp(standings - standings.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def save(weights: Mapping[str, float], net: Mapping[str, Any] | None, file: Path) -> None:
    """Write weights, and a net if there is one."""
    made: dict[str, Any] = {"scale": SCALE, "weights": dict(weights)}
    file.write_text(json.dumps(made | ({"net": net} if net else {}), indent=1) + "\n", "utf-8")


def _entropy(results: Matrix, likely: Matrix) -> float:
    return float(-(results * np.log(np.clip(likely, 1e-12, 1))).sum(axis=1).mean())


def _features(game: Game) -> tuple[str, ...]:
    evaluate = game.spec.evaluate
    if evaluate.worth is None or not evaluate.FEATURES:
        raise BridgeheadError("players:error.evaluation_no_weights_could_learned", game.spec.id)
    return tuple(evaluate.FEATURES)


def _positions(request: tuple[Lesson, int]) -> tuple[Matrix, Matrix]:
    """Runs in a worker: counts and results of the positions of some games."""
    lesson, first = request
    game = lesson.setting.make_game()
    asked = json.loads(lesson.setting.options)
    games = [lesson.setting._replace(options=json.dumps({**asked, **house})).make_game() for house in lessons(game.spec)]
    rows: list[Matrix] = []
    results: list[Matrix] = []
    for number in range(first, min(first + EACH, lesson.games)):
        _game(games[number % len(games)], lesson, number, rows, results)
    sides = game.seats if game.spec.evaluate.judge is not None else 2
    return np.array(rows).reshape(len(rows), sides, len(game.spec.evaluate.FEATURES)), np.array(results).reshape(len(rows), sides)


def lessons(spec: Spec) -> tuple[dict[str, Any], ...]:
    """The sets of house rules under which a game's evaluation is learned, on top of the requested ones."""
    return tuple(dict(rules) for rules in spec.evaluate.LESSONS or ({},))


def _game(game: Game, lesson: Lesson, number: int, rows: list[Matrix], results: list[Matrix]) -> None:
    """Play one game from a random opening; record the counts at each decision, and the result.

    If a search also evaluates positions where chance acts, they are recorded for the seat that decided last.
    """
    seed = f"{lesson.setting.seed}:{number}"
    dealer, lot = SeededDealer(f"chance:{seed}"), SeededDealer(f"lesson:{seed}")
    players = [make_entrant(lesson.player, f"{seed}:{seat}") for seat in range(game.seats)]
    match, opening = Match(game), lot.pick(range(2, 16), 0)
    seen: list[tuple[int, Matrix]] = []
    for position in decisions(match, dealer):
        index = len(match.log)
        if index >= opening:
            seen.append((position.actor, counts(position, position.actor)))
        wanders = index < opening or lot.draw(
            (True, False), (round(1000 * lesson.wander), round(1000 * (1 - lesson.wander))), index
        )
        match.play(lot.pick(position.legal, index) if wanders else players[position.actor].choose(position))
        if index >= opening and match.outcome is None and match.position.is_chance and game.spec.evaluate.LESSONS is not None:
            seen.append((position.actor, counts(match.position, position.actor)))
    if match.outcome is not None:
        rows += [each for _, each in seen]
        together = game.spec.evaluate.judge is not None
        results += [_shares(match.outcome.returns, seat, together) for seat, _ in seen]


def counts(position: Position, seat: int) -> Matrix:
    """The feature counts of a position: one row per seat; or a row for this seat and a row of zeros for the others."""
    spec, each = position.game.spec, np.eye(len(position.game.spec.evaluate.FEATURES))
    alone = spec.evaluate.judge is not None
    found = np.zeros((position.game.seats if alone else 2, len(each)))
    for row, one in enumerate(range(len(found)) if alone else (seat,)):
        counting(spec)(position.copy_states()[0], position.game.law, one, each, found[row])
    return found.astype(np.float32)


def _count(state, law, seat, each, row):
    """The count of each weight: the worth with that weight 1 and all others 0."""
    for i in range(len(each)):
        row[i] = rules.worth(state, law, seat, each[i])


@functools.cache
def counting(spec: Spec) -> Any:
    """The compiled function that writes the feature counts of a side of a position, for one game."""
    counted = spec.evaluate.standing if spec.evaluate.judge is not None else spec.evaluate.worth
    return bind(_count, {"rules": rules_of(spec, worth=counted)}, spec.id, spec.folder)


def _shares(returns: Sequence[float], seat: int, together: bool) -> Matrix:
    """Shares of the win, in the rows of `counts`: of all seats (a draw is shared equally), or of a seat and all others."""
    if not together:
        mine = (1 + returns[seat]) / 2
        return np.array((mine, 1 - mine))
    best = np.array(returns) == max(returns)
    return np.asarray(best / best.sum())


# Rounds of training

Progress = Callable[[str, int, int], None]  # stage, done, total


class Course(NamedTuple):
    """The settings of a training.

    player: plays the games, like deep:2000; games: per round; rounds: each is played with the weights of the round
    before, the first with `start` (a file of weights; None: the game's own). sets: limit of the final test; 0: no test.
    units: of a net that is learned beside weights which stay as they are (`nets`); `player` then plays in the test only.
    """

    setting: ContestSetting
    player: str
    games: int
    rounds: int = 1
    start: Path | None = None
    sets: int = 1000
    bounds: tuple[float, float] = (0.0, 20.0)
    units: int = 0


def train(course: Course, out: Path, report: Progress = lambda what, done, of: None) -> dict[str, Any]:
    """Learn weights, test them, and write them with their manifest; returns the manifest. Errors: BridgeheadError."""
    if (course.rounds > 1 or course.sets or course.start) and not course.player.startswith(("deep:", "search:", "turn:")):
        raise OptionError("players:error.searches_judge_weights_rounds_test", course.player)
    _place(course, out)
    data = list((_net_rounds if course.units else _rounds)(course, out, report))
    spec = course.setting.make_game().spec
    made: dict[str, Any] = {
        "weights": fingerprint(out), "command": command(course), "by": f"Bridgehead {__version__}", "game": course.setting.game,
        "rules": spec.version, "lessons": [{}] if course.units else list(lessons(spec)), "data": data,
        "result": _tested(course, out, report) if course.sets else None,
    }  # fmt: skip
    path(out).write_text(json.dumps(made, indent=1) + "\n", "utf-8")
    return made


def _rounds(course: Course, out: Path, report: Progress) -> Iterator[dict[str, Any]]:
    """Learn the weights of each round and write them; what goes into the manifest."""
    judge = course.start
    for number in range(1, course.rounds + 1):
        setting = course.setting._replace(seed=course.setting.seed + number - 1)
        lesson = Lesson(setting, _with(course.player, judge), course.games)
        found = learn(lesson, lambda done, n=number: report(f"round {n}", done, course.games))  # type: ignore[misc]
        yield {
            "seed": setting.seed, "games": found.games, "positions": found.positions, "player": course.player,
            "weights": fingerprint(judge) if judge else "the game's own", "wander": lesson.wander,
            "cross-entropy": round(found.loss, 5), "of knowing nothing": round(found.blind, 5),
        }  # fmt: skip
        judge = _out(course, out, number)
        save({name: round(weight, 3) for name, weight in found.weights.items()}, None, judge)


def _net_rounds(course: Course, out: Path, report: Progress) -> Iterator[dict[str, Any]]:
    """Learn the net of each round from the games of all rounds so far, and write it; what goes into the manifest."""
    game = course.setting.make_game()
    if not nets.able(game):
        raise BridgeheadError("players:error.evaluation_no_net_could_learned", game.spec.id)
    first = course.start or game.spec.folder / "weights.json"
    weights_of(first, game.spec)
    weights = json.loads(first.read_text("utf-8"))
    played: list[nets.TrainingGame] = []
    players, files = [nets.table(game, weights)], [first]
    for number in range(1, course.rounds + 1):
        setting = course.setting._replace(seed=course.setting.seed + number - 1)
        done = functools.partial(report, f"round {number}")
        found = nets.play(setting, players, course.games, lambda made, done=done: done(made, course.games))  # type: ignore[misc]
        played.append(found._replace(games=found.games + (number - 1) * course.games))
        together = nets.TrainingGame(*map(np.concatenate, zip(*played, strict=True)))
        learned = nets.fit(together, game.spec.evaluate.FEATURES, course.units, SCALE, setting.seed)
        yield {
            "seed": setting.seed, "games": course.games, "positions": len(found.games),
            "players": [fingerprint(file) for file in files], "wander": nets.WANDER / 1000,
            "cross-entropy": round(learned.loss, 5), "of knowing nothing": round(learned.blind, 5),
        }  # fmt: skip
        files.append(_out(course, out, number))
        save(weights["weights"], learned.net, files[-1])
        players.append(nets.table(game, json.loads(files[-1].read_text("utf-8"))))


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
        shares = (compare_sides(games, pair[0], made.game) for games in made.sets(pair))
        scores = [won / count for won, count in shares]
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


def command(course: Course) -> str:
    """The command that repeats this training."""
    options = {"games": course.games, "rounds": course.rounds, "player": course.player, "seed": course.setting.seed}
    if course.start:
        options["start"] = course.start.name
    rules = ",".join(f"{name}={value}" for name, value in json.loads(course.setting.options).items())
    options |= {"rules": rules} if rules else {}
    options |= {"units": course.units} if course.units else {}
    options |= {} if course.sets == Course._field_defaults["sets"] else {"test": course.sets}
    arguments = " ".join(f"--{name} {value}" for name, value in options.items())
    return f"bridgehead train {course.setting.game} --out weights.json {arguments}"


def fingerprint(file: Path) -> str:
    """A hash of the weights in a file, and of its net."""
    found = json.loads(file.read_text("utf-8"))
    hashed = [found["weights"], found["net"]] if "net" in found else found["weights"]
    return hashlib.sha256(json.dumps(hashed, sort_keys=True).encode()).hexdigest()


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
