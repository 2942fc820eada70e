"""Measure the rules that newcomers get, and write `measured.json` beside each game: `tools/recommended.py [GAME...]`.

Counts the games with a winner by the original rules, and by the recommended ones where they differ, with one player in all
seats: `greedy`, whose figures stand in the presets' sentences, and with `--levels` the three strengths of the home page.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.measured import ORIGINAL, Share
from bridgehead.core.spec import Spec
from bridgehead.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.lab.running import Results, finish, on_cores
from bridgehead.players import strengths

BUILD = Path(__file__).parents[1] / "build" / "recommended"


def shares(spec: Spec, games: int, by_levels: int, seed: int, workers: int) -> list[Share]:
    """The shares of both sets of rules by each player. A stopped study continues from build/recommended."""
    arms = {
        ORIGINAL: {},
        **({house.RECOMMENDED: spec.options.PRESETS[house.RECOMMENDED]} if house.find_recommended_preset(spec) else {}),
    }
    players = (Strength("greedy", games), *(Strength(level, by_levels) for level in strengths(spec).values() if by_levels))
    plan = check_plan(Plan(spec.id, "", tuple(Arm(name, rules) for name, rules in arms.items()), players, seed=seed, weighed=0))
    results = finish(Results(plan, BUILD / spec.id / plan.id), on_cores(workers))
    found = []
    for number, arm in enumerate(plan.arms):
        seats = plan.make_game(number).seats
        for which, strength in enumerate(plan.strengths):
            rows = results.rows("games", which, number)
            won = int((rows["result"].max(axis=1) > 0).sum())
            decisions = round(float(rows["decisions"].sum() / len(rows) / seats), 1)
            found.append(Share(arm.name, arm.rules, strength.player, seats, seed, len(rows), won, decisions))
    return found


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("games", nargs="*", help="of " + ", ".join(registry.specs()))
    asked.add_argument("--number", type=int, default=2000, help="of games of greedy players")
    asked.add_argument("--levels", type=int, default=0, help="games of each strength of the home page")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--workers", type=int, default=0, help="processes; 0: one per core")
    options = asked.parse_args()
    for name in options.games or registry.specs():
        spec = registry.spec(name)
        found = shares(spec, options.number, options.levels, options.seed, options.workers)
        text = ",\n ".join(msgspec.json.encode(each).decode() for each in found)
        (spec.folder / "measured.json").write_text(f"[{text}]\n", "utf-8")
        for each in found:
            print(
                f"{name} {each.preset} {each.player}: {each.won} of {each.games} games with a winner, {each.decisions} decisions"
            )


if __name__ == "__main__":
    main()
