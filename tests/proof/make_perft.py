"""Writes perft.json again: `python tests/proof/make_perft.py`. Counts come from the compiled engine.

Positions are told by house rules and by the texts of the actions that lead to them; mid-game ones are seeded random lines.
"""

import json
import sys
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("perft.json")
MOST = 250_000  # sequences at the greatest depth
DEEPEST = 12

# Game -> (house rules, seed of the line, its length; 0 is the start).
POSITIONS: dict[str, list[tuple[dict[str, Any], int, int]]] = {
    "barricade": [
        ({}, 0, 0),
        ({"board": "mini", "seats": 2}, 0, 0),
        ({"board": "six", "seats": 6}, 0, 0),
        ({"first": "highestRoll", "pass": "onlyIfBlocked", "firstRowAllowed": False, "finalAllowed": False}, 0, 0),
        ({}, 1, 90),
        ({"seats": 2}, 2, 140),
        ({"board": "mini", "seats": 2}, 3, 60),
        ({"board": "six", "seats": 5}, 4, 120),
        ({"teams": "0,2/1,3"}, 5, 110),
        ({"board": "mini", "seats": 2, "dieSides": 12, "revisit": "noRepeat"}, 6, 40),
        ({"seats": 2, "twoColours": True, "exitRoll": 6}, 7, 150),
        ({"board": "mini", "seats": 2, "rollAgainOn6": True, "exactFinal": False, "pawns": 1}, 8, 40),
        ({"firstRowSafe": True, "lowestTwoRows": "forbidden"}, 9, 100),
        ({"board": "mini", "seats": 2, "turnLimit": 30}, 10, 80),
    ],
    "burning_bridges": [
        ({}, 0, 0),
        ({"seats": 4}, 0, 0),
        ({"seats": 3}, 0, 0),
        ({"seats": 2, "board": "star6", "firstPlayer": "seat0"}, 0, 0),
        ({}, 1, 60),
        ({"seats": 4}, 2, 90),
        ({"seats": 3}, 3, 70),
        ({"seats": 2}, 4, 120),
        ({"seats": 3, "destroyCost": "always1", "ownerExtinguish": True, "torchOwn": True}, 5, 90),
        ({"seats": 3, "untorchChoice": "hostage", "noneCost": 1, "immunityTurns": 1}, 6, 90),
        ({"seats": 2, "captureMandatory": True, "situationScope": "piece", "captureOnLeaving": True}, 7, 90),
        ({"seats": 3, "parallelBridges": False, "maxBridgesPerFamily": 1, "idleLimit": 1, "idleCount": "table"}, 8, 90),
        ({"seats": 2, "equalBlocks": True, "distinctGoals": True, "idleCount": "round", "roundLimit": 30}, 9, 80),
    ],
    "forty_bridges": [
        ({}, 0, 0),
        ({"setup": "row"}, 0, 0),
        ({"bentJumps": True}, 0, 0),
        ({"first": "random", "sidesNeeded": 1}, 0, 0),
        ({}, 1, 20),
        ({}, 2, 60),
        ({}, 3, 120),
        ({"bentJumps": True, "captureNeedsMover": True}, 4, 30),
        ({"sidesNeeded": 2, "maxCaptures": 2}, 5, 14),
        ({"suicide": "forbidden", "noMoves": "lose"}, 6, 40),
        ({"suicide": "safe", "noMoves": "draw"}, 7, 40),
        ({"repetition": "forbid", "setup": "custom", "layout": "a1,a2 e5"}, 8, 12),
        ({"quietLimit": 10, "sidesNeeded": 2}, 9, 16),
        ({"setup": "custom", "layout": "a1,b2,A1 e5,d4,D4"}, 10, 8),
    ],
    "front_lines": [
        ({}, 0, 0),
        ({"seats": 2, "directions": "king8"}, 0, 0),
        ({"flip": "destination"}, 0, 0),
        ({"drawPack": "J11Q12K13", "jokersInField": 2}, 0, 0),
        ({}, 1, 40),
        ({}, 2, 120),
        ({"faceCards": "safeForAll"}, 3, 80),
        ({"flip": "destination"}, 4, 20),
        ({"seats": 3, "allow3": True, "opposedSides": True}, 5, 60),
        ({"directions": "king8", "mayStop": True, "lives": 3}, 6, 60),
        ({"directions": "F", "revive": "start"}, 7, 60),
        ({"alternateTeams": True, "rows": 3, "across": "reachRow12"}, 8, 20),
        ({"rows": 4, "claim": "immediate", "soloNeedsBoth": False, "directions": "F+LR"}, 9, 30),
        ({"jokersInField": 2, "drawPack": "facesRedraw", "lives": 1}, 10, 30),
    ],
}


def counts(position: Any) -> list[int]:
    """Numbers of sequences of 1, 2, 3… actions, as long as they are not too many."""
    from bridgehead.terminal.shows import count

    found: list[int] = []
    while len(found) < DEEPEST and (number := count(position, len(found) + 1)) <= MOST:
        found.append(number)
        if number == 0:
            break
    return found


def main() -> None:
    from pair import engine, make, random_line

    table: dict[str, list[dict[str, Any]]] = {}
    for name, positions in POSITIONS.items():
        table[name] = []
        for options, seed, length in positions:
            line = random_line(make(name, options), seed, length)
            row = {"options": options, "line": line, "counts": counts(engine(name, options, line))}
            table[name].append(row)
            print(name, options, len(line), row["counts"], flush=True)
    games = (f' "{name}": [\n  ' + ",\n  ".join(json.dumps(row) for row in rows) + "\n ]" for name, rows in table.items())
    FILE.write_text("{\n" + ",\n".join(games) + "\n}\n", "utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    main()
