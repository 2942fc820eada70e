"""Runs the long proofs of the rules (tests/proof and the comparison with the oracles) and prints what was counted.

python tools/proof.py          everything, about ten minutes
python tools/proof.py --short  what `make test` runs of it
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
LAYERS = {
    "test_oracles": "oracle, ply by ply",
    "test_compiled": "compiled and plain",
    "test_symmetry": "symmetry",
    "test_perft": "perft",
    "test_tiny": "tiny games, whole",
    "test_draws": "chance",
    "test_stateful": "stateful",
    "test_goldens": "golden records",
    "test_rare": "rare events",
    "test_rulings": "page of rulings",
}
GAMES = ("barricade", "burning_bridges", "forty_bridges", "front_lines")


class Case(NamedTuple):
    """One test: its layer, its game ("" if it is about none), what it counted, and whether it passed."""

    layer: str
    game: str
    number: int
    what: str
    passed: bool


def cases(report: Path) -> list[Case]:
    """The tests of a report in JUnit's format."""
    found = []
    for node in ET.parse(report).getroot().iter("testcase"):
        told = {p.get("name"): p.get("value") or "" for p in node.iter("property")}
        stem = next((part for part in (node.get("classname") or "").split(".") if part in LAYERS), "")
        named = node.get("name") or ""
        game = told.get("game") or next((g for g in GAMES if g in named), "")
        passed = all(child.tag not in ("failure", "error", "skipped") for child in node)
        found.append(Case(LAYERS.get(stem, stem), game, int(told.get("number", 0)), told.get("what", ""), passed))
    return found


def table(found: list[Case]) -> list[str]:
    """Lines of game, layer, tests, what was counted, result."""
    rows: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for case in found:
        rows[case.game or "all games", case.layer].append(case)
    lines = [f"{'game':16} {'layer':20} {'tests':>5}  {'counted':26} result"]
    for (game, layer), group in sorted(rows.items()):
        what = next((case.what for case in group if case.what), "")
        counted = f"{sum(case.number for case in group):,} {what}" if what else ""
        failed = sum(not case.passed for case in group)
        lines.append(f"{game:16} {layer:20} {len(group):5}  {counted:26} {f'{failed} FAILED' if failed else 'agreed'}")
    return lines


def main() -> int:
    short = "--short" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--junitxml", str(report), "-m", "not slow" if short else ""]
        command += ["tests/proof", "tests/test_oracles.py", "tests/test_compiled.py", "tests/test_symmetry.py"]
        done = subprocess.run(command, cwd=ROOT, check=False)
        if not report.exists():
            print("the proofs did not run", file=sys.stderr)
            return 1
        print("\n".join(table(cases(report))))
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
