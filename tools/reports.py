"""Make the reports under docs/reports: play what is missing and write the pages. `python tools/reports.py [NAME...]`

Games already played are kept in build/reports, with all numbers (answers.json), so a stopped study continues. The text of
a report's suggestions lies beside it, in NAME.md.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES, RUNS = ROOT / "docs" / "reports", ROOT / "build" / "reports"
STUDIES: dict[str, list[str]] = {
    "forty_bridges": [
        "forty_bridges", "--versus", "repetition=forbid", "--games", "400", "--players", "random=2000,greedy=1000,deep:5000=150",
    ],
    "burning_bridges": [
        "burning_bridges", "--games", "1000", "--players", "random=60,engineer=600,greedy=2000,search:400=300",
        "--without", "torch=400",
    ],
    "barricade": ["barricade", "--games", "640", "--players", "random=500,greedy=1000,strategist=240"],
    "front_lines": [
        "front_lines", "--versus", "fallen-soldiers", "--games", "400", "--players", "random=2000,greedy=2000,strategist=500",
    ],
    "front_lines-leap": [
        "front_lines", "--versus", "leap", "--games", "400", "--players", "random=2000,greedy=2000,strategist=500",
    ],
}  # fmt: skip


def made(name: str, workers: int) -> None:
    """Play what is missing of a study and copy its page to docs/reports."""
    folder, text = RUNS / name, PAGES / f"{name}.md"
    extra = ["--suggestions", str(text)] if text.exists() else []
    command = [sys.executable, "-c", "from bridgehead.cli import main; main()", "lab", *STUDIES[name]]
    subprocess.run([*command, "--out", str(folder), "--workers", str(workers), *extra], check=True)
    shutil.copyfile(folder / "report.html", PAGES / f"{name}.html")


def main() -> None:
    """Make the studies named on the command line, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(STUDIES), choices=list(STUDIES))
    parser.add_argument("--workers", type=int, default=0, help="processes; 0: one a core")
    chosen = parser.parse_args()
    for name in chosen.names:
        print(f"== {name}")
        made(name, chosen.workers)


if __name__ == "__main__":
    main()
