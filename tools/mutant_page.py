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

Written by `tools/mutants.py` from the last whole runs and from tests/proof/survivors.toml.

A mutant is one small wrong change of one function of the rules. The operators are those of Cosmic Ray and two of our own.
The tests of a game run on each mutant in plain Python: scenarios, oracle, perft, tiny boards, symmetry, records and refusals.
A mutant is killed if one of them fails. Each survivor is listed with the reason why no test can, or need, tell it from the rules.

`make mutants` runs all games. `python tools/mutants.py run GAME` runs one; an interrupted run continues.
"""


def summary() -> dict[str, Any]:
    """The complete runs: game -> date, made, files, mutants, fates, survivors."""
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
    lines += ["| game | date | files | mutants | killed | share |", "|---|---|---|---|---|---|"]
    for game, row in summary().items():
        share = f"{killed(row) / row['mutants']:.1%}"
        files = ", ".join(row["files"])
        lines.append(f"| {game} | {row['date']} | {files} | {row['mutants']:,} | {killed(row):,} | {share} |")
    for game, row in summary().items():
        lines += ["", f"## What survives in {game}", "", "| function | change | why no test tells it |", "|---|---|---|"]
        lines += _rows(row["survivors"], why.get(game, {}))
    return "\n".join(lines) + "\n"


def _rows(survivors: dict[str, list[str]], why: dict[str, str]) -> list[str]:
    """One row for each reason: the functions, the changes that it explains, and the reason."""
    together: dict[str, list[str]] = {}
    for key in sorted(survivors):
        together.setdefault(why.get(key, "**Not explained.**"), []).append(key)
    rows = []
    for reason, keys in together.items():
        functions = dict.fromkeys(f"`{key.split()[0].removeprefix('rules.')}`" for key in keys)
        changes = [_change(survivors[key]) for key in keys]
        rows.append(f"| {'<br>'.join(functions)} | {'<br>'.join(changes)} | {_escape(reason)} |")
    return rows


def _change(diff: list[str]) -> str:
    """A diff in one line: what stood there and what the mutant has in its place."""
    was, now = (" ".join(line[2:].split("  # ")[0].strip() for line in diff if line[0] == sign) for sign in "-+")
    return _escape(f"`{was}` → `{now}`" if now else f"without `{was}`")


def _escape(text: str) -> str:
    return text.replace("|", "\\|")


def write() -> int:
    PAGE.write_text(page(), "utf-8")
    return 0
