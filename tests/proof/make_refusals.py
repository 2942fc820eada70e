"""Writes refusals.json again: `python tests/proof/make_refusals.py`. What is refused for which reason, in chosen positions.

For each game: positions under mixed house rules, chosen so that together they meet every reason that random play meets,
each with the number of action ids that are refused by each clause and sentence. They pin what `explain` says.
"""

import json
import os
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("refusals.json")
TRIED, KEPT, EACH = 1200, 36, 2  # positions looked at, positions kept, how many of them should meet each reason

# Positions of reasons that random play meets too seldom.
EXTRA: dict[str, list[tuple[dict[str, Any], str]]] = {
    "barricade": [],
    "burning_bridges": [
        (
            {"parallelBridges": False},
            "moves a 2 round 0 turns 0; pieces aL C, aM A0, aS R0, bL R4, bM R4, bS R4, cL R8, cM R8, cS R8, dL "
            "R12, dM R12, dS R12, eL R16, eM R16, eS R16; bridges A0-C b 0",
        ),
        (
            {"maxBridgesPerFamily": 1},
            "moves a 2 round 0 turns 0; pieces aL C, aM A0, aS R0, bL R4, bM R4, bS R4, cL R8, cM R8, cS R8, dL "
            "R12, dM R12, dS R12, eL R16, eM R16, eS R16; bridges B0-R0 a 0",
        ),
        (
            {"pins": "10each"},
            "moves a 2 round 0 turns 0; pieces aL R0, aM R0, aS R0, bL R4, bM R4, bS R4, cL R8, cM R8, cS R8, dL "
            "R12, dM R12, dS R12, eL R16, eM R16, eS R16; bridges A0-A1 b 0 torch by a, A0-A4 b 0 torch by a, "
            "A0-B0 b 0 torch by a, A0-B1 b 0 torch by a, A0-B9 b 0 torch by a, A0-C b 0 torch by a, A1-A2 b 0 "
            "torch by a, A1-B1 b 0 torch by a, A1-B2 b 0 torch by a, A1-B3 b 0 torch by a, B5-R10 c 0",
        ),
        (
            {},
            "moves b 2 round 0 turns 1; pieces aL C, aM R0, aS R0, bL R4, bM R4, bS C aL, cL R8, cM R8, cS R8, dL"
            " R12, dM R12, dS R12, eL R16, eM R16, eS R16; bridges A0-C c 0 torch, B0-R0 b 0; terms aL destroy "
            "B0-R0",
        ),
    ],
    "forty_bridges": [
        ({"maxCaptures": 2, "sidesNeeded": 1}, "a1,b1,a2 A1,e4 b 21 0 2@e4 - -"),
        (
            {"repetition": "forbid"},
            "a1,b1,A1,B1,a2,b2,A2,B2 C3,D3,d4,e4,C4,D4,c5,e5 b 7 7 - "
            "3dc0908d98c310eb,8c3d840cf7eb470b,ecfcc3a7ae22f471,5d01d726c10aa391,3dc0908d98c310eb,8c3d840cf7eb470b,ecfcc3a7ae22f471"
            " -",
        ),
    ],
    "front_lines": [
        (
            {"rows": 1, "jokersInField": 2},
            "H2 alive b1, D2 alive start, S2 alive start, C2 alive start | field a1=3H b1=4H | used 2H 2D | drawn"
            " 2D left 2 | flip c1 | turn 1",
        ),
        (
            {"rows": 1, "layout": [["2H", "2S", "JD", "3C"]]},
            "H2 alive start, D2 alive start, S2 alive start, C2 alive start | used 2H | drawn 2H left 2 | flip a1 | turn 0",
        ),
        (
            {"rows": 1, "layout": [["2H", "2S", "JK", "3C"]], "jokersInField": 2},
            "H2 alive start, D2 alive start, S2 alive start, C2 alive start | used 2H | drawn 2H left 2 | flip a1 | turn 0",
        ),
        (
            {"rows": 1, "layout": [["2H", "JK", "JK", "3C"]], "jokersInField": 2},
            "H2 alive b1, D2 alive start, S2 alive start, C2 alive start | field b1=JK | used 2H "
            "| drawn 2H left 1 over b1 | flip c1 | turn 0",
        ),
    ],
}


def reasons(position: Any) -> Counter[str]:
    """How many action ids are refused, by clause and sentence."""
    game = position.game
    state, rules = position.copy_states()[0], game.spec.rules
    codes = Counter(int(rules.refusal(state, game.law, action)) for action in range(game.action_count))
    return Counter({f"{(no := rules.REFUSALS(code)).clause} {no.key}": number for code, number in codes.items() if code})


def tried(name: str) -> list[tuple[dict[str, Any], Any]]:
    """Positions of random games under mixed house rules, most of them after some actions."""
    from rare import pick
    from test_rare import RUNS

    from variants import make, mixture_with, values

    rng, found = random.Random(f"refusals {name}"), [(options, make(name, options).load(text)) for options, text in EXTRA[name]]
    turns, biased = values(name), RUNS[name]
    for number in range(TRIED):
        options: dict[str, Any] = {}
        favourites: tuple[str, ...] = ()
        if number % 4 == 3:
            options, _, _, favourites = biased[number // 4 % len(biased)]
        elif number % 4:
            options = mixture_with(name, rng, 0.25, *turns[number % len(turns)])
        position, left = make(name, options).start(), rng.choice((0, 3, 10, 30, 80, 150))
        while not position.is_over and left:
            names = [position.name(action) for action in position.legal]
            position, left = position.play(position.legal[pick(position, names, rng, favourites)]), left - 1
        found.append((options, position))
    return found


def chosen(name: str) -> list[dict[str, Any]]:
    """The fewest positions that meet every reason twice, more or less: always the one that adds most."""
    from bridgehead.core import registry

    rows = [(options, position.text, reasons(position)) for options, position in tried(name)]
    met: Counter[str] = Counter()
    kept: list[dict[str, Any]] = []
    while len(kept) < KEPT:

        def gain(row: tuple[dict[str, Any], str, Counter[str]]) -> float:
            return sum(1 / (1 + met[reason]) for reason in row[2] if met[reason] < EACH) + 0.01 * len(row[0])

        best = rows[0] if len(kept) < len(EXTRA[name]) else max(rows, key=gain)
        rows.remove(best)
        met.update(set(best[2]))
        kept.append({"options": best[0], "position": best[1], "refused": dict(sorted(best[2].items()))})
    every = {f"{no.clause} {no.key}" for no in registry.spec(name).rules.REFUSALS if no}
    print(f"{name}: {len(met)} of {len(every)} reasons; without: {sorted(every - set(met))}", flush=True)
    return kept


def main() -> None:
    from pair import GAMES

    table = {name: chosen(name) for name in GAMES}
    games = (f' "{name}": [\n  ' + ",\n  ".join(json.dumps(row) for row in rows) + "\n ]" for name, rows in table.items())
    FILE.write_text("{\n" + ",\n".join(games) + "\n}\n", "utf-8")


if __name__ == "__main__":
    os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    sys.path.insert(0, str(Path(__file__).parents[1]))
    main()
