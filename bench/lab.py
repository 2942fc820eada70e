"""Processor time of the design lab: random games, games between searching players, a report.

The time of a full study is extrapolated from fewer games; two cores need half of it.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from bridgehead.workshop.lab import games, report, study
from bridgehead.workshop.lab.answers.answer import Thresholds
from bridgehead.workshop.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish, open_plan

MANY, CLOCK = 100_000, 60.0  # random games, and their target in seconds on two cores
DEEP, DEEP_CLOCK = 4_000, 600.0  # games of 40 Bridges between players that examine 5,000 positions
BUILT = 5.0
FEW = 10  # weighed games that are played
CASES: list[tuple[str, dict[str, Any]]] = [
    ("barricade", {}), ("burning_bridges", {}), ("burning_bridges", {"roundLimit": 100}),
    ("forty_bridges", {}), ("front_lines", {}),
]  # fmt: skip


def seconds(game: str, player: str, whole: int, count: int, rules: dict[str, Any]) -> float:
    """Processor seconds of a study with `whole` games, extrapolated from `count`, facts included, with its share of
    weighed games.
    """
    whole_plan = check_plan(Plan(game, "", (Arm("as written", rules),), (Strength(player, whole),), weighed=study.WEIGHED))
    plan, tracer = open_plan(study.patient(whole_plan).text, 0)
    played = {True: range(min(FEW, count)), False: range(plan.weighs(0), plan.weighs(0) + count)}  # with and without weighing
    each = {}
    for weigh, numbers in played.items():
        games.row(plan, tracer, 0, numbers[0])
        begun = time.process_time()
        for number in numbers:
            games.row(plan, tracer, 0, number)
        each[weigh] = (time.process_time() - begun) / len(numbers)
    return each[True] * plan.weighs(0) + each[False] * (whole - plan.weighs(0))


def _named(game: str, rules: dict[str, Any]) -> str:
    return " ".join([game, *(f"{name}={value}" for name, value in rules.items())])


def built() -> float:
    """Processor seconds to build a study's report, without loading libraries."""
    plan = study.usual("front_lines", (Arm("as written"),), 200)
    results = finish(Results(plan))
    report.build_report(results, Thresholds(), "warm")
    begun = time.process_time()
    report.build_report(results, Thresholds(), "measured")
    return time.process_time() - begun


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="random games to play, of each game")
    parser.add_argument("--deep", type=int, default=100, help="games between searching players to play")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    rows = [
        (
            f"{MANY:,} random games of {_named(name, rules)}, two cores",
            seconds(name, "random", MANY, options.games, rules) / 2,
            CLOCK,
        )
        for name, rules in CASES
    ]
    deep = seconds("forty_bridges", "deep:5000", DEEP, options.deep, {}) / 2
    rows += [(f"{DEEP:,} games of 40 Bridges between deep:5000, two cores", deep, DEEP_CLOCK), ("a report built", built(), BUILT)]
    if options.json:
        print(json.dumps([{"name": name, "seconds": found, "target": target} for name, found, target in rows]))
        return
    for name, found, target in rows:
        print(f"{name:72} {found:8.1f} s  target {target:5.0f} s  {'reached' if found <= target else 'MISSED'}")


if __name__ == "__main__":
    main()
