"""Make the reports under docs/reports: play what is missing and write the pages. `python tools/reports.py [NAME...]`

Games already played are kept in build/reports, with all numbers (answers.json), so a stopped study continues; those of other
code are played again. Fingerprints in docs/reports/fingerprints.json say which code the pages come from; a test compares them.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from bridgehead.core import registry
from bridgehead.core.phrases import ENGLISH, languages
from bridgehead.core.validation import ready
from bridgehead.players import bends
from bridgehead.players.levels import fingerprint as fingerprint_of
from bridgehead.players.levels import levels_at
from bridgehead.workshop.lab import report
from bridgehead.workshop.lab.answers.answer import Thresholds
from bridgehead.workshop.lab.plan import Plan
from bridgehead.workshop.lab.running import Results

ROOT = Path(__file__).resolve().parents[1]
PAGES, RUNS = ROOT / "docs" / "reports", ROOT / "build" / "reports"
PRINTS = PAGES / "fingerprints.json"
WORKSHOP = ROOT / "src" / "bridgehead" / "workshop"
LAB = WORKSHOP / "lab"
STUDIES: dict[str, list[str]] = {  # each report names its numbers of games, and what they do not tell
    "front_lines": ["--games", "6000", "--players", "random=300,greedy=4000,ranger=2000,strategist=5000"],
    "forty_bridges": ["--games", "600", "--players", "random=300,greedy=2000,ranger=300,captain=600"],
    "burning_bridges": ["--games", "500", "--players", "random=3,greedy=1000,captain=300,strategist=300"],
    "barricade": ["--games", "600", "--players", "random=2,greedy=300,captain=300,master=200"],
}
ROWS = (
    "facts",
    "tracing",
    "games",
    "readings",
    "reader",
    "decision_samples",
    "action_kinds",
    "plan",
)  # modules of rows


def fingerprint(name: str) -> str:
    """Of all that decides a report's numbers: rules, players, calibration and the code of the lab, without comments."""
    game = registry.game(name)
    files = [*(LAB / f"{each}.py" for each in ROWS), *sorted((LAB / "answers").glob("*.py")), WORKSHOP / "statistics.py"]
    maps = json.dumps(bends.load_stored_curves(game), sort_keys=True)
    of_levels = fingerprint_of(game.spec, tables=[levels_at(game)])
    digest = hashlib.sha256(f"{game.spec.version} {of_levels} {maps} {STUDIES[name]}".encode())
    for file in files:
        tree = ast.parse(file.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        digest.update(ast.dump(tree).encode())
    return digest.hexdigest()[:16]


def page_of(name: str, language: str) -> Path:
    """The page of a report in a language: in English in docs/reports, in other languages beside the games."""
    return PAGES / f"{name}.html" if language == ENGLISH else RUNS / f"{name}-{language}.html"


def of_today(folder: Path, fingerprint: str) -> Path:
    """The folder of a study, emptied if its games are of other code."""
    stamp = folder / "fingerprint.txt"
    if not stamp.exists() or stamp.read_text("utf-8") != fingerprint:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        stamp.write_text(fingerprint, "utf-8")
    return folder


def made(name: str, workers: int) -> None:
    """Play what is missing of a study, and write its pages in every language."""
    folder, arguments = of_today(RUNS / name, fingerprint(name)), ["lab", name, *STUDIES[name]]
    command = [sys.executable, "-c", "from bridgehead.cli import main; main()", *arguments]
    subprocess.run([*command, "--out", str(folder), "--workers", str(workers)], check=True)
    plan = msgspec.json.decode((folder / "plan.json").read_text("utf-8"), type=ready(Plan))
    content = report.gather_content(Results(plan, folder), Thresholds())
    for language in languages():
        shown = shlex.join(["bridgehead", "--language", language, *arguments])
        page_of(name, language).write_text(report.page(content, shown, language=language), "utf-8")
    known = json.loads(PRINTS.read_text("utf-8")) if PRINTS.exists() else {}
    PRINTS.write_text(json.dumps(known | {name: fingerprint(name)}, indent=1, sort_keys=True) + "\n", "utf-8")


def main() -> None:
    """Make the studies named on the command line, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(STUDIES))
    parser.add_argument("--workers", type=int, default=0, help="processes; 0: one a core")
    chosen = parser.parse_args()
    for name in chosen.names or STUDIES:
        print(f"== {name}")
        made(name, chosen.workers)


if __name__ == "__main__":
    main()
