"""Compares the site's Python with compiled rules in bulk, in pieces: a run that was ended goes on with the next piece.

`PYTHONPATH=tests python tests/site/in_bulk.py FILE WHAT GAME PIECES`. WHAT: positions, advice or replays. FILE: one line for each
piece that was equal, with what it counted. BRIDGEHEAD_SITE: a written site, whose modules are used. The first difference ends it.
"""

import json
import random
import sys
from pathlib import Path

from both_sides import same, same_replays

import variants

GAMES = {"positions": 20, "advice": 20, "replays": 50}  # of a piece; of replays: games of each level


def positions(name: str, seeds: range) -> int:
    """Positions whose state, view, sentences and refusals are equal, two thirds of the games under mixed house rules."""
    return sum(map(len, same([["positions", name, rules(name, seed), seed] for seed in seeds], name)))


def advice(name: str, seeds: range) -> int:
    """Hints and analyses that are equal, likewise."""
    return sum(map(len, same([["advised", name, rules(name, seed), seed] for seed in seeds], name, searching=True)))


def replays(name: str, seeds: range) -> int:
    """Games whose replays are equal; each level plays as many against itself."""
    return same_replays(name, len(seeds), seeds.start)


def rules(name: str, seed: int) -> str:
    return json.dumps(variants.mixture(name, random.Random(f"bulk {seed}")) if seed % 3 else {})


def main(file: Path, what: str, name: str, pieces: int) -> None:
    done = [line.split() for line in file.read_text().splitlines()] if file.exists() else []
    first = sum(each[:2] == [what, name] for each in done)
    compare, games = {"positions": positions, "advice": advice, "replays": replays}[what], GAMES[what]
    for piece in range(first, pieces):
        count = compare(name, range(piece * games, (piece + 1) * games))
        with file.open("a") as out:
            out.write(f"{what} {name} {piece} {count}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]))
