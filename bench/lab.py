"""How long the design lab takes: random games, games between searching players, a report. Processor time, not the clock.

What a study of the stated size would take is worked out from a smaller number of games; on two cores it takes half of that.
"""

from __future__ import annotations

import argparse
import json
import time

from bridgehead.core import registry
from bridgehead.lab import games, report, study
from bridgehead.lab.answers.answer import Thresholds
from bridgehead.lab.parts import opened
from bridgehead.lab.plan import Arm, Plan, Strength, checked
from bridgehead.lab.running import Results, finish

MANY, CLOCK = 100_000, 60.0  # random games, and the seconds on two cores that they should take
DEEP, DEEP_CLOCK = 4_000, 600.0  # games of 40 Bridges between players that look at 5,000 positions
BUILT = 5.0


def seconds(game: str, player: str, count: int) -> float:
    """Processor seconds a game, facts of it included; as many weighed as a study weighs of MANY."""
    weighed = round(count * study.WEIGHED / MANY)
    told = checked(Plan(game, "", (Arm("as written"),), (Strength(player, count),), weighed=weighed))
    plan, tracer = opened(told.text, 0)
    tracer.play((player,) * tracer.game.seats, "warm", True, plan.opening)
    begun = time.process_time()
    for number in range(count):
        games.row(plan, tracer, 0, number)
    return (time.process_time() - begun) / count


def built() -> float:
    """Processor seconds to build the report of a study, libraries loaded."""
    plan = study.usual("front_lines", (Arm("as written"),), 200)
    results = finish(Results(plan))
    report.build(results, Thresholds(), "warm")
    begun = time.process_time()
    report.build(results, Thresholds(), "measured")
    return time.process_time() - begun


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="random games that are really played, of each game")
    parser.add_argument("--deep", type=int, default=100, help="games between searching players that are really played")
    parser.add_argument("--json", action="store_true", help="for machines")
    told = parser.parse_args()
    rows = [
        (f"{MANY:,} random games of {name}, two cores", seconds(name, "random", told.games) * MANY / 2, CLOCK)
        for name in sorted(registry.specs())
    ]
    deep = seconds("forty_bridges", "deep:5000", told.deep) * DEEP / 2
    rows += [(f"{DEEP:,} games of 40 Bridges between deep:5000, two cores", deep, DEEP_CLOCK), ("a report built", built(), BUILT)]
    if told.json:
        print(json.dumps([{"name": name, "seconds": found, "target": target} for name, found, target in rows]))
        return
    for name, found, target in rows:
        print(f"{name:60} {found:8.1f} s  target {target:5.0f} s  {'reached' if found <= target else 'MISSED'}")


if __name__ == "__main__":
    main()
