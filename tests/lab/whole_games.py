"""Many comparisons of a game with itself and with another rule, compiled: a process of its own for test_comparing.py.

Tells as JSON how often each measure raised an alarm.
"""

import json
from collections import Counter

import numpy as np

from bridgehead.workshop.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import make, split_plan
from bridgehead.workshop.lab.versus import adjust_p_values, compare_measures
from bridgehead.workshop.lab.words import tell

STUDIES, GAMES, PLANTED = 1000, 60, 40


def main() -> None:
    """Games of other seeds stand for another arm of the same rules; for a planted difference, games under another rule."""
    arms = (Arm("as written"), Arm("safe", {"faceCards": "safeForAll"}))
    plan = check_plan(Plan("front_lines", "", arms, (Strength("random", 2 * STUDIES * GAMES),), weighed=0))
    same = np.concatenate([make(part) for part in split_plan(plan) if part.arm == 0 and part.kind == "games"])
    other = np.concatenate([make(part) for part in split_plan(plan)[: 2 * len(same) // 1000] if part.arm == 1])
    game, alarms, family, found = plan.make_game(0), Counter[str](), 0, 0
    for i in range(STUDIES):
        one, two = (same[(2 * i + j) * GAMES : (2 * i + j + 1) * GAMES] for j in (0, 1))
        told = compare_measures(game, "random", one, two)
        alarms.update(tell(each.label) for each in told if each.alone < 0.05)
        family += any(each.all < 0.05 for each in adjust_p_values(told))
    for i in range(PLANTED):
        one, two = (rows[i * GAMES : (i + 1) * GAMES] for rows in (same, other))
        found += any(each.all < 0.05 for each in adjust_p_values(compare_measures(game, "random", one, two)))
    print(json.dumps({"alarms": {name: n / STUDIES for name, n in alarms.items()}, "family": family / STUDIES, "found": found}))


if __name__ == "__main__":
    main()
