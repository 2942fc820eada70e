"""Calibrate a game's win chances: the results `sharpness` and `lapse` belong into weights.json.

python tools/calibrate.py burning_bridges --games 60 --simulations 400
"""

from __future__ import annotations

import argparse
import json
import sys

from bridgehead.core import registry
from bridgehead.players import bends, calibration
from bridgehead.players.contest import Setting
from bridgehead.players.levels import levels


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("game")
    wanted.add_argument("--games", type=int, default=60)
    wanted.add_argument("--simulations", type=int, default=400, help="of the calibrated search; 0: calibrate the evaluation")
    wanted.add_argument("--every", type=int, default=4, help="use one position in so many")
    wanted.add_argument("--players", default="", help="players, drawn by lot for each seat; default: the game's levels")
    wanted.add_argument("--rules", default="{}", help="house rules as JSON")
    wanted.add_argument("--seed", type=int, default=1)
    options = wanted.parse_args()
    names = options.players.split(",") if options.players else list(levels(registry.spec(options.game)))
    setting = Setting(options.game, options.rules, options.seed, tuple(names))
    trial = calibration.Trial(setting, options.games, options.simulations, options.every)
    gathered = calibration.gather(trial, lambda done: print(f"\r{done} games", end="", file=sys.stderr))
    found = calibration.judged(*gathered, bends.kept(registry.spec(options.game)))
    print(file=sys.stderr)
    print(json.dumps(found._asdict(), indent=1))


if __name__ == "__main__":
    main()
