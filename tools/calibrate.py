"""Calibrate a game's win chances: the results `sharpness` and `lapse` belong into weights.json.

python tools/calibrate.py burning_bridges --games 60 --simulations 400
python tools/calibrate.py forty_bridges --lab random=500,captain=200 --write

With --lab: the chances that the lab reads from the evaluation, in games with one player in all seats; for each player the error
now, and of a map (with --table: of a table for this number of seats) fitted to one half of the games and judged by the other.
--write stores those fitted to all games, by player: for all rules, or with --rules for these alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.players import bends
from bridgehead.players.levels import levels
from bridgehead.workshop.arena import calibration
from bridgehead.workshop.arena.contest import ContestSetting
from bridgehead.workshop.lab import facts
from bridgehead.workshop.lab.games import play
from bridgehead.workshop.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import open_plan
from bridgehead.workshop.statistics import Estimate

Array = np.ndarray[Any, Any]
LONGEST = 6000  # actions of a game


class Weighed(NamedTuple):
    """A finished game: the evaluations, who acted, and the sides' shares of the win."""

    values: Array
    actors: Array
    shares: Array


def weighed(plan: Plan, which: int) -> tuple[Game, list[Weighed]]:
    """The finished games of a player."""
    _, tracer = open_plan(plan.text, 0)
    found = []
    for number in range(plan.strengths[which].games):
        trace = play(plan, tracer, which, number)
        if trace.reason and trace.values is not None:
            row = facts.facts(tracer.game, number, trace, plan.strengths[which].player)
            found.append(Weighed(trace.values, trace.actors, facts.shares(tracer.game, row[None])[0]))
    return tracer.game, found


def fitted(game: Game, games: list[Weighed], player: str, by_table: bool) -> tuple[dict[str, Estimate], Any]:
    """Calibration errors over ten bins: raw, now, and fitted (every game by the map or table of the other half); and the one for
    all games."""
    raw = [
        calibration.of_sides(game, np.tanh(each.values.astype(np.float64) / (2 * game.spec.evaluate.SCALE)), bends.STRAIGHT)
        for each in games
    ]

    def learnt(half: int, of: int) -> Any:
        many, chosen = raw[half::of], games[half::of]
        chances, actors = np.concatenate(many), np.concatenate([each.actors for each in chosen])
        won = np.concatenate([np.broadcast_to(each.shares, like.shape) for each, like in zip(chosen, many, strict=True)])
        acts = np.flatnonzero(actors >= 0)
        own = acts, actors[acts]
        return calibration.fit_table(chances[own], won[own]) if by_table else calibration.fit(chances, won)

    halves = [learnt(1, 2), learnt(0, 2)]

    def shown(number: int) -> Array:
        made, each = halves[number % 2], games[number]
        if not by_table:
            return calibration.calibrate_rows(raw[number], made)
        acts = each.actors >= 0
        chances = facts.chances(game, each.values, each.actors, player)
        chances[acts] = calibration.apply_chance_table(raw[number][acts], each.actors[acts], made)
        return chances

    now = [facts.chances(game, each.values, each.actors, player) for each in games]
    ways = {"raw": raw, "now": now, "fitted": [shown(number) for number in range(len(games))]}
    return {name: _error(games, chances) for name, chances in ways.items()}, learnt(0, 1)


def _error(games: list[Weighed], chances: list[Array]) -> Estimate:
    """The calibration error of the chances of these games."""
    shares = [np.broadcast_to(each.shares, found.shape) for each, found in zip(games, chances, strict=True)]
    return calibration.estimate_error(np.stack([calibration.bin_chances(*both) for both in zip(chances, shares, strict=True)]))


def _shown(error: Estimate) -> str:
    """An error in percent, with its interval."""
    value, low, high = (f"{100 * each:.1f}" for each in error[:3])
    return f"{value} % [{low}, {high}]"


def of_lab(options: argparse.Namespace) -> None:
    """Measure, print and, if asked, store the maps of players in a lab's study."""
    numbers = {name: int(games) for name, _, games in (each.partition("=") for each in options.lab.split(","))}
    arm = Arm("as given", json.loads(options.rules))
    strengths = tuple(Strength(*each) for each in numbers.items())
    plan = check_plan(
        Plan(options.game, "", (arm,), strengths, seed=options.seed, weighed=max(numbers.values()), longest=LONGEST)
    )
    file = registry.spec(options.game).folder / "weights.json"
    for which, player in enumerate(numbers):
        game, games = weighed(plan, which)
        errors, made = fitted(game, games, player, options.table)
        print(f"{player}, {len(games)} games:", *(f"{name} {_shown(each)}" for name, each in errors.items()), made, flush=True)
        if options.write:
            stored = json.loads(file.read_text("utf-8"))
            found = made._asdict() if options.table else {name: round(value, 2) for name, value in made._asdict().items()}
            _place(stored, game).setdefault("players", {})[player] = found
            first = {name: each for name, each in stored.items() if name != "weights"}
            file.write_text(json.dumps(first | {"weights": stored["weights"]}, indent=1) + "\n", "utf-8")


def _place(stored: dict[str, Any], game: Game) -> dict[str, Any]:
    """Where the maps for these house rules are stored. If there are none yet, hints keep theirs; more house rules go first."""
    if not game.differences:
        return stored
    rules: list[dict[str, Any]] = stored.setdefault("rules", [])
    if all(each["house"] != game.differences for each in rules):
        rules.append({"house": game.differences, **bends.load_curve(game)._asdict()})
        rules.sort(key=lambda each: -len(each["house"]))
    return next(each for each in rules if each["house"] == game.differences)


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("game")
    wanted.add_argument("--games", type=int, default=60)
    wanted.add_argument("--simulations", type=int, default=400, help="of the calibrated search; 0: calibrate the evaluation")
    wanted.add_argument("--every", type=int, default=4, help="use one position in so many")
    wanted.add_argument("--players", default="", help="players, drawn by lot for each seat; default: the game's levels")
    wanted.add_argument("--rules", default="{}", help="house rules as JSON")
    wanted.add_argument("--seed", type=int, default=1)
    wanted.add_argument("--lab", default="", help="players of the lab with their games, comma-separated: greedy=1000,captain=200")
    wanted.add_argument("--table", action="store_true", help="with --lab: a table of chances of the side that acts")
    wanted.add_argument("--write", action="store_true", help="with --lab: store what was fitted in weights.json")
    options = wanted.parse_args()
    if options.lab:
        of_lab(options)
        return
    names = options.players.split(",") if options.players else list(levels(registry.spec(options.game)))
    setting = ContestSetting(options.game, options.rules, options.seed, tuple(names))
    trial = calibration.Trial(setting, options.games, options.simulations, options.every)
    gathered = calibration.gather(trial, lambda done: print(f"\r{done} games", end="", file=sys.stderr))
    found = calibration.judge_calibration(*gathered, bends.load_curve(setting.make_game()))
    print(file=sys.stderr)
    shown = (f"{name} {_shown(getattr(found, name))}" for name in ("raw", "shown", "mapped"))
    print(f"{options.games} games, {found.positions} positions:", *shown, bends.CalibrationCurve(found.sharpness, found.lapse))
    print(f"{found.proven} more are proven" + (f"; of these, {found.right:.1%} ended as proven" if found.proven else ""))


if __name__ == "__main__":
    main()
