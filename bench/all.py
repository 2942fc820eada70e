"""Run all benchmarks one after the other and print one table of the results.

Each script runs in a process of its own and can be run alone, with its own options. A failed script is reported in the
table; the others continue, and the exit code is 1. `batch.py` (one thread and all of them) and the comparisons with C
print above the table. Left out are `card.py`, which needs a GPU, `cluster.py` and `site.py`, which need servers or a browser,
and those that take long: `soak.py` (`make soak`) and `planted_faults.py`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import shared

HERE = Path(__file__).parent
SCRIPTS = ("four.py", "train.py", "rules.py", "plain.py", "start.py", "table.py", "views.py")
TELLING = (
    "batch.py",
    "load.py",
    "sockets.py",
    "neighbours.py",
    "prices.py",
    "thinking.py",
    "lab.py",
    "lab_truth.py",
    "wasm.py",
    *sorted(file.name for file in HERE.glob("c_*.py")),
)


def run(script: str) -> dict[str, Any]:
    """The result of a script, or its failure."""
    print(f"bench/{script} …", file=sys.stderr, flush=True)
    done = subprocess.run([sys.executable, HERE / script, "--json"], stdout=subprocess.PIPE, text=True)
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        return failed(script, done.returncode)
    return {"script": f"bench/{script}", **found}


def run_telling(script: str, as_json: bool) -> list[dict[str, Any]]:
    """Run a script that prints for itself; returns a result only if it failed."""
    print(f"bench/{script} …", file=sys.stderr, flush=True)
    code = subprocess.run([sys.executable, HERE / script], stdout=sys.stderr if as_json else None).returncode
    return [failed(script, code)] if code else []


def failed(script: str, code: int) -> dict[str, Any]:
    """The result of a script that failed."""
    why = f"ended with {code} and no result; its message stands above"
    return {"script": f"bench/{script}", "claim": "", "rows": [], "ratios": [], "missing": {script: why}, "wrong": []}


def table(results: list[dict[str, Any]]) -> str:
    """All results as text, with a last line that counts targets."""
    read = [shared.from_data(found) for found in results]
    parts = [f"{found['script']}: {shared.text(result)}" for found, result in zip(results, read, strict=True)]
    verdicts = [ratio.verdict for result in read for ratio in result.ratios if ratio.verdict]
    missing = sum(len(result.missing) + len(result.wrong) for result in read)
    targets = f"targets: {verdicts.count('reached')} reached, {verdicts.count('missed')} missed"
    last = f"{targets}; {missing} not measured or not comparable"
    return "\n\n".join([shared.machine(), *parts, last])


def main() -> None:
    wanted = shared.parser(__doc__).parse_args()
    results = [found for script in TELLING for found in run_telling(script, wanted.json)]
    results += [run(script) for script in SCRIPTS]
    print(json.dumps(results, indent=2) if wanted.json else "\n" + table(results))
    sys.exit(any(found["missing"] or found["wrong"] for found in results))


if __name__ == "__main__":
    main()
