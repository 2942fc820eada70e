"""Measure the levels and write docs/notebook/ratings.md: `make ratings`, or for one part `tools/ratings.py play barricade`.

play PART…: plays the levels against each other and writes the results to docs/notebook/ratings/PART.json. An interrupted run
continues from build/ratings/; `--up-to LEVEL` and `--steps` play fewer pairs. A part is a game, or a game with house rules.
table: writes docs/notebook/ratings.md from the existing results.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from bridgehead.core import registry
from bridgehead.players.levels import NAMES, levels
from bridgehead.workshop.arena import standings

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "notebook" / "ratings.md"
# Not beside the games: every file there is part of the key of the compiled cache.
FOUND = ROOT / "docs" / "notebook" / "ratings"
RESULTS = ROOT / "build" / "ratings"
# A part with the name of a game is measured at its default seats, The Front Lines by the recommended rules.
SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "burning_bridges": ("burning_bridges", {}),
    "burning_bridges_two": ("burning_bridges", {"seats": 2}),
    "burning_bridges_three": ("burning_bridges", {"seats": 3}),
    "forty_bridges": ("forty_bridges", {}),
    "forty_bridges_recommended": ("forty_bridges", {"retreat": False, "repetition": "forbid"}),
    "front_lines": ("front_lines", {"lives": 6}),
    "front_lines_original": ("front_lines", {}),
    "barricade": ("barricade", {}),
    "barricade_two": ("barricade", {"seats": 2}),
}
TITLES = {
    "burning_bridges": ", five seats", "burning_bridges_two": ", two seats", "burning_bridges_three": ", three seats",
    "forty_bridges": ", rules as written", "forty_bridges_recommended": ", recommended rules",
    "front_lines": ", recommended rules", "front_lines_original": ", rules as written",
    "barricade": ", four seats", "barricade_two": ", two seats",
}  # fmt: skip
MANY = 0.2  # share of games without a winner from which a page also tells the share of the others
HEAD = """# Ratings of the levels

Made by `make ratings` from the files in docs/notebook/ratings.

Each level played the level below it and, where a column says so, the one below that.
Both sides of a pair get the same openings and the same chance, and change sides.
Among more than two sides, one plays against copies of the other in each seat, and the reverse.
A share counts decided comparisons; a drawn game is half a win for each. Brackets hold 95 % intervals over sets of games.
Ratings are Elo above the weakest level (Bradley and Terry), ± half of the 95 % interval.
"""


def play(names: list[str], sets: int, seed: int, workers: int, up_to: str, steps: bool) -> None:
    """Play the levels up to one of them and store the results; `steps`: each against the one below only."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    known = NAMES[: NAMES.index(up_to) + 1]
    pairs = [pair for pair in standings.pairs()[: len(NAMES) - 1 if steps else None] if pair[0] in known]
    for name in names:
        spec, options = SETTINGS[name]
        game = registry.game(spec, **options)
        if not levels(game.spec):
            print(f"{name}: no levels yet", file=sys.stderr)
            continue
        made = standings.contest(game, seed, RESULTS / f"{name}.jsonl", workers)
        try:
            for done, _ in enumerate(made.run(pairs, sets), start=1):
                if done % 50 == 0:
                    print(f"{name}: {len(made.played)} sets", file=sys.stderr, flush=True)
        finally:  # keep the results of an interrupted run
            FOUND.mkdir(exist_ok=True)
            found = {"date": time.strftime("%-d %B %Y"), **standings.summary(made)}
            (FOUND / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def page() -> str:
    """The page of all existing ratings."""
    parts = [HEAD]
    for name, (played, _) in SETTINGS.items():
        spec = registry.spec(played)
        file = FOUND / f"{name}.json"
        if not file.exists():
            continue
        found = json.loads(file.read_text("utf-8"))
        head, *rows = standings.table(found)
        rules = ", ".join(f"{key} {value}" for key, value in json.loads(found["options"]).items()) or "standard rules"
        parts += [
            f"\n## {spec.title}{TITLES.get(name, '')}\n",
            f"Rules version {found['rules']}, {rules}; seed {found['seed']}; {found['date']}.\n",
        ]
        parts += [_row(head), _row(["---"] * len(head)), *map(_row, rows)]
        if many := [each for each in found["pairs"] if "decided" in each and each["drawn"] >= MANY * each["games"]]:
            parts.append("\nMany of these games had no winner. Of those that had one, the first of two levels won:\n")
            parts += ["| levels | share won | games with a winner |", "|---|---|---|", *map(_decided, many)]
    return "\n".join(parts) + "\n"


def _decided(pair: dict[str, Any]) -> str:
    """The row of the games with a winner between two levels."""
    share, low, high = pair["decided"]
    names, number = " against ".join(pair["players"]), pair["games"] - pair["drawn"]
    return _row([names, f"{share:.1%} [{low:.1%}, {high:.1%}]", f"{number} of {pair['games']}"])


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("what", choices=("play", "table"))
    asked.add_argument("games", nargs="*", help="of " + ", ".join(SETTINGS))
    asked.add_argument("--sets", type=int, default=500, help="of each pair of levels")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--up-to", choices=NAMES[1:], default=NAMES[-1], help="the strongest level to play")
    asked.add_argument("--steps", action="store_true", help="each against the one below only")
    asked.add_argument("--workers", type=int, default=0, help="processes; 0: one per core")
    options = asked.parse_args()
    if options.what == "play":
        play(options.games or list(SETTINGS), options.sets, options.seed, options.workers, options.up_to, options.steps)
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
