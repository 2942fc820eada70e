"""Calibrate a game's win chances: the results `sharpness` and `lapse` belong into weights.json.

python tools/calibrate.py burning_bridges --games 60 --simulations 400
python tools/calibrate.py forty_bridges --lab random=500,captain=200 --write

With --lab: the chances that the lab reads from the evaluation, in games with one player in all seats; for each player the error
now, and of a map (with --table: of a table, for two seats) fitted to one half of the games and judged by the other; the worse of
both halves. --write stores those fitted to all games, by player.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import numpy as np

from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.lab import facts
from bridgehead.lab.games import play
from bridgehead.lab.plan import Arm, Plan, Strength, checked
from bridgehead.lab.running import opened
from bridgehead.players import bends, calibration
from bridgehead.players.contest import Setting
from bridgehead.players.levels import levels

Array = np.ndarray[Any, Any]
LONGEST = 6000  # actions of a game


def weighed(plan: Plan, which: int) -> tuple[Game, list[tuple[Array, Array, Array]]]:
    """The finished games of a player: for each, the evaluations, who acted, and the sides' shares of the win."""
    _, tracer = opened(plan.text, 0)
    found = []
    for number in range(plan.strengths[which].games):
        trace = play(plan, tracer, which, number)
        if trace.reason and trace.values is not None:
            row = facts.facts(tracer.game, number, trace, plan.strengths[which].player)
            found.append((trace.values, trace.actors, facts.shares(tracer.game, row[None])[0]))
    return tracer.game, found


def fitted(game: Game, games: list[tuple[Array, Array, Array]], player: str, by_table: bool) -> tuple[dict[str, float], Any]:
    """Calibration errors over ten bins: raw, now, and of a map or table judged by other games; and the one for all games."""
    values, actors = (np.concatenate([each[i] for each in games]) for i in (0, 1))
    won = np.concatenate([np.broadcast_to(share, (len(value), len(share))) for value, _, share in games])
    even = np.concatenate([np.full(len(value), number % 2 == 0) for number, (value, *_) in enumerate(games)])
    raw = calibration.of_sides(game, np.tanh(values.astype(np.float64) / (2 * game.spec.evaluate.SCALE)), bends.STRAIGHT)
    sides, acts = np.maximum(actors, 0), actors >= 0
    own = np.arange(len(raw)), sides

    def learnt(which: Array) -> Any:
        chosen = which & acts
        return calibration.fit_table(raw[own][chosen], won[own][chosen]) if by_table else calibration.fit(raw[which], won[which])

    def mapped(made: Any, which: Array) -> Array:
        return calibration.by_table(raw[which], sides[which], made) if by_table else calibration.mapped(raw[which], made)

    halves = [calibration.error(mapped(learnt(half), ~half), won[~half]) for half in (even, ~even)]
    now = facts.chances(game, values, actors, player)
    errors = {"games": len(games), "raw": calibration.error(raw, won), "now": calibration.error(now, won), "fitted": max(halves)}
    return errors, learnt(np.ones_like(even))


def of_lab(options: argparse.Namespace) -> None:
    """Measure, print and, if asked, store the maps of players in a lab's study."""
    numbers = {name: int(games) for name, _, games in (each.partition("=") for each in options.lab.split(","))}
    arm = Arm("as given", json.loads(options.rules))
    strengths = tuple(Strength(*each) for each in numbers.items())
    plan = checked(Plan(options.game, "", (arm,), strengths, seed=options.seed, weighed=max(numbers.values()), longest=LONGEST))
    file = registry.spec(options.game).folder / "weights.json"
    for which, player in enumerate(numbers):
        game, games = weighed(plan, which)
        errors, made = fitted(game, games, player, options.table)
        print(player, " ".join(f"{name} {value:.4g}" for name, value in errors.items()), made, flush=True)
        if options.write:
            stored = json.loads(file.read_text("utf-8"))
            if options.table:
                stored.setdefault("tables", {}).setdefault(str(game.seats), {})[player] = made._asdict()
            else:
                stored.setdefault("players", {})[player] = {name: round(value, 2) for name, value in made._asdict().items()}
            first = {name: each for name, each in stored.items() if name != "weights"}
            file.write_text(json.dumps(first | {"weights": stored["weights"]}, indent=1) + "\n", "utf-8")


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
    wanted.add_argument(
        "--table", action="store_true", help="with --lab: a table of chances of the side that acts, for two seats"
    )
    wanted.add_argument("--write", action="store_true", help="with --lab: store what was fitted in weights.json")
    options = wanted.parse_args()
    if options.lab:
        of_lab(options)
        return
    names = options.players.split(",") if options.players else list(levels(registry.spec(options.game)))
    setting = Setting(options.game, options.rules, options.seed, tuple(names))
    trial = calibration.Trial(setting, options.games, options.simulations, options.every)
    gathered = calibration.gather(trial, lambda done: print(f"\r{done} games", end="", file=sys.stderr))
    found = calibration.judged(*gathered, bends.kept(registry.spec(options.game)))
    print(file=sys.stderr)
    print(json.dumps(found._asdict(), indent=1))


if __name__ == "__main__":
    main()
