"""Run the proofs of the rules, layer by layer, and print the counts for each game against their targets.

python tools/proof.py                                   everything, including the long tests
python tools/proof.py --short                           the part in `make test` and `make test-all`
python tools/proof.py --plies 1000000 --games barricade --processes 4    only the long comparison with the oracles
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
MUTANTS = ROOT / "tests" / "proof" / "mutants.json"
GAMES = ("barricade", "burning_bridges", "forty_bridges", "front_lines")
PATHS = (
    "tests/proof",
    "tests/games",
    "tests/test_clauses.py",
    "tests/test_oracles.py",
    "tests/test_compiled.py",
    "tests/test_symmetries.py",
)


class Layer(NamedTuple):
    """A layer of proof: its test files, what they count, and the target per game (short, long)."""

    title: str
    stems: tuple[str, ...]
    what: str
    short: int
    long: int


LAYERS = (
    Layer("clauses", ("test_clauses",), "clauses shown", 40, 40),
    Layer("scenarios", ("test_games",), "tests", 40, 40),
    Layer("explain, legal", ("test_explain", "test_refusals"), "positions", 10_000, 500_000),
    Layer("oracle", ("test_oracles",), "plies", 5_000, 10_000),
    Layer("compiled, plain", ("test_compiled",), "plies", 1_000, 1_000),
    Layer("perft", ("test_perft",), "sequences", 100_000, 1_000_000),
    Layer("tiny boards", ("test_tiny",), "positions", 250, 20_000),
    Layer("symmetry", ("test_symmetries",), "plies", 500, 500),
    Layer("chance", ("test_draws",), "draws", 100_000, 100_000),
    Layer("stateful", ("test_stateful", "test_functions"), "steps at most", 200, 10_000),
    Layer("bad input", ("test_bad_input",), "inputs", 3_000, 10_000),
    Layer("goldens", ("test_goldens",), "actions", 300, 300),
    Layer("rare events", ("test_rare",), "events", 1_000, 10_000),
)
LEAST_KILLED = 0.9


class Case(NamedTuple):
    """One test: the stem of its file ("test_games" for all of tests/games), its game, its count, whether it passed."""

    stem: str
    game: str
    number: int
    passed: bool


def cases(report: Path) -> list[Case]:
    """The tests of a JUnit report."""
    found = []
    for node in ET.parse(report).getroot().iter("testcase"):
        properties = {p.get("name"): p.get("value") or "" for p in node.iter("property")}
        parts = (node.get("classname") or "").split(".")
        stem = "test_games" if "games" in parts else next((part for part in parts if part.startswith("test_")), "")
        where = f"{stem if stem != 'test_games' else parts[-1]} {node.get('name') or ''}"
        game = properties.get("game") or next((name for name in GAMES if name in where or where.startswith(f"test_{name}")), "")
        passed = all(child.tag not in ("failure", "error", "skipped") for child in node)
        found.append(Case(stem, game, int(properties.get("number", stem == "test_games")), passed))
    return found


class Row(NamedTuple):
    """One line of the table."""

    game: str
    layer: str
    tests: int
    counted: str
    gate: str
    result: str


def rows(found: list[Case], short: bool) -> list[Row]:
    """Every layer of every game, including the mutants, and the tests that concern no single game."""
    lines = []
    for game in (*GAMES, ""):
        for layer in LAYERS:
            group = [case for case in found if case.stem in layer.stems and case.game == game]
            gate = (layer.short if short else layer.long) if game else 0
            number, failed = sum(case.number for case in group), sum(not case.passed for case in group)
            if not game and not group:
                continue
            result = f"{failed} FAILED" if failed else "NOTHING RAN" if not group else "TOO FEW" if number < gate else "agreed"
            counted = f"{number:,} {layer.what}" if number else ""
            lines.append(Row(game or "all games", layer.title, len(group), counted, f"{gate:,}" if gate else "", result))
        if game:
            lines.append(mutants(game))
    return lines


def mutants(game: str) -> Row:
    """The last complete run of mutation testing, from a file, because it takes hours."""
    from rule_functions import digest

    kept = json.loads(MUTANTS.read_text("utf-8")).get(game) if MUTANTS.exists() else None
    if kept is None:
        return Row(game, "mutants", 0, "", "90 %", "NOTHING RAN")
    dead = kept["fates"].get("killed", 0) + kept["fates"].get("hung", 0)
    share = dead / kept["mutants"]
    older = "" if kept["made"] == digest(game) else ", of older rules"
    result = "agreed" if share >= LEAST_KILLED else "TOO FEW"
    return Row(game, "mutants", kept["mutants"], f"{dead:,} killed, {share:.1%}", "90 %", result + older)


def table(lines: list[Row]) -> list[str]:
    """The rows as lines of text."""
    lines = [f"{'game':16} {'layer':16} {'tests':>5}  {'counted':26} {'at least':>9}  result"]
    games = defaultdict(list)
    for row in lines:
        games[row.game].append(row)
    for game, group in games.items():
        lines.append("")
        lines += [f"{game:16} {row.layer:16} {row.tests:5}  {row.counted:26} {row.gate:>9}  {row.result}" for row in group]
    return lines


def run(short: bool) -> int:
    """All tests of the layers, in two processes."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "--junitxml", str(report)]
        done = subprocess.run([*command, "-m", "not long" if short else "", *PATHS], cwd=ROOT, check=False)
        if not report.exists():
            print("the proofs did not run", file=sys.stderr)
            return 1
        lines = rows(cases(report), short)
    print("\n".join(table(lines)))
    wrong = [row for row in lines if not row.result.startswith("agreed")]
    return done.returncode or int(bool(wrong))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="without the long tests")
    parser.add_argument("--plies", type=int, default=0, help="only compare this many plies per game with the oracle")
    parser.add_argument("--games", default="", help="with --plies: games, comma-separated; default: all")
    parser.add_argument("--processes", type=int, default=2, help="with --plies")
    parser.add_argument("--seed", type=int, default=1, help="with --plies: another seed, other matches")
    parser.add_argument("--plain", action="store_true", help="with --plies: the rules uncompiled")
    parser.add_argument("--explained", action="store_true", help="with --plies: check legality of every action id")
    args = parser.parse_args()
    if not args.plies:
        return run(args.short)
    import comparison

    return comparison.main(args)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tools"))
    raise SystemExit(main())
