"""Write docs/notebook/mutants.md: the mutants killed for each game, and every survivor with its explanation."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "notebook" / "mutants.md"
SUMMARY = ROOT / "tests" / "proof" / "mutants.json"
EXPLAINED = ROOT / "tests" / "proof" / "survivors.toml"

HEAD = """# Wrong rules on purpose

Written by `tools/mutants.py` from the last whole runs and from tests/proof/survivors.toml; do not edit it by hand.

A mutant is one small wrong change of one function of the rules: a comparison turned round or shifted, a number one more or
one less, `and` for `or`, a condition negated, a part of a condition or a whole statement left out, a loop that never runs.
Mutants are made with the operators of Cosmic Ray and two of our own, and no two of a function mean the same. The tests of a
game (scenarios, oracle, perft, tiny boards, symmetry, records, refusals), run in plain Python, should notice each. Whoever
survives is listed here with the reason why no test can, or need, tell it from the rules.

`python tools/mutants.py run GAME` makes it again (`--sample N --seed S` for a part); a run that was broken off goes on where
it was. `make mutants` does it for all games.
"""


def summary() -> dict[str, Any]:
    """The complete runs: game -> made, files, mutants, fates, survivors."""
    return json.loads(SUMMARY.read_text("utf-8")) if SUMMARY.exists() else {}


def explained() -> dict[str, dict[str, str]]:
    """Game -> key of a survivor -> why it survives."""
    table = tomllib.loads(EXPLAINED.read_text("utf-8")) if EXPLAINED.exists() else {}
    return {game: {key: why for reason in rows for key, why in _keys(reason)} for game, rows in table.items()}


def _keys(reason: dict[str, Any]) -> list[tuple[str, str]]:
    return [(key, str(reason["why"])) for key in reason["mutants"]]


def killed(row: dict[str, Any]) -> int:
    return int(row["fates"].get("killed", 0)) + int(row["fates"].get("hung", 0))


def page() -> str:
    """The whole page."""
    lines, why = [HEAD], explained()
    lines += ["| game | files | mutants | killed | share |", "|---|---|---|---|---|"]
    for game, row in summary().items():
        share = f"{killed(row) / row['mutants']:.1%}"
        lines.append(f"| {game} | {', '.join(row['files'])} | {row['mutants']:,} | {killed(row):,} | {share} |")
    for game, row in summary().items():
        lines += ["", f"## {game}", ""]
        for key, diff in sorted(row["survivors"].items()):
            reason = why.get(game, {}).get(key, "**Not explained.**")
            lines += [f"`{key}`", "", "```diff", *(line for line in diff if line[2:]), "```", "", reason, ""]
    return "\n".join(lines).rstrip() + "\n"


def write() -> int:
    PAGE.write_text(page(), "utf-8")
    return 0
