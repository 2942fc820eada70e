"""Measure the original and the recommended rules, and write `measured.json` beside each game: `tools/recommended.py [GAME...]`.

Counts the games with a winner by the original rules, and by the recommended ones where they differ, with one player in all
seats: `greedy`, whose figures at the usual number of seats stand in the presets' sentences, and with `--levels` the three
strengths of the home page. Pages offer the recommended rules for each number of seats that is measured here.
"""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

import msgspec

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.errors import OptionError
from bridgehead.core.measured import ORIGINAL, Share
from bridgehead.core.spec import Spec
from bridgehead.players import strengths
from bridgehead.workshop.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish, on_cores

BUILD = Path(__file__).parents[1] / "build" / "recommended"


def shares(spec: Spec, seats: int, games: int, by_levels: int, seed: int, workers: int) -> list[Share]:
    """The shares of both sets of rules by each player. A stopped study continues from build/recommended."""
    rules = {
        ORIGINAL: {},
        **({house.RECOMMENDED: spec.options.PRESETS[house.RECOMMENDED]} if house.find_recommended_preset(spec) else {}),
    }
    count = {} if seats == registry.game(spec.id).seats else {"seats": seats}
    arms = tuple(Arm(name, {**values, **count}) for name, values in rules.items())
    players = (Strength("greedy", games), *(Strength(level, by_levels) for level in strengths(spec).values() if by_levels))
    plan = check_plan(Plan(spec.id, "", arms, players, seed=seed, weighed=0))
    results = finish(Results(plan, BUILD / spec.id / plan.id), on_cores(workers))
    found = []
    for number, arm in enumerate(plan.arms):
        for which, strength in enumerate(plan.strengths):
            rows = results.rows("games", which, number)
            won = int((rows["result"].max(axis=1) > 0).sum())
            decisions = round(float(rows["decisions"].sum() / len(rows) / seats), 1)
            found.append(Share(arm.name, rules[arm.name], strength.player, seats, seed, len(rows), won, decisions))
    return found


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("games", nargs="*", help="of " + ", ".join(registry.specs()))
    asked.add_argument("--number", type=int, default=2000, help="of games of greedy players")
    asked.add_argument("--levels", type=int, default=0, help="games of each strength of the home page")
    asked.add_argument("--others", type=int, default=500, help="games of greedy players at each other number of seats")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--workers", type=int, default=0, help="processes; 0: one per core")
    options = asked.parse_args()
    for name in options.games or registry.specs():
        spec = registry.spec(name)
        usual = registry.game(name).seats
        found = shares(spec, usual, options.number, options.levels, options.seed, options.workers)
        for seats in range(spec.seats[0], spec.seats[1] + 1):
            with contextlib.suppress(OptionError):  # The Front Lines refuse three without a house rule
                registry.game(name, seats=seats)
                found += shares(spec, seats, options.others, 0, options.seed, options.workers) if seats != usual else []
        text = ",\n ".join(msgspec.json.encode(each).decode() for each in found)
        (spec.folder / "measured.json").write_text(f"[{text}]\n", "utf-8")
        for each in found:
            print(
                f"{name} {each.preset} {each.player}: {each.won} of {each.games} games with a winner, {each.decisions} decisions"
            )


if __name__ == "__main__":
    main()
