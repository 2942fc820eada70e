"""All measurements one after the other, and one table of what they found.

Each script runs in a process of its own and can be run alone, with options of its own. One that fails is told in the table; the
others go on, and the exit code is 1. `batch.py` (one thread and all of them) prints for itself, above the table.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import shared

HERE = Path(__file__).parent
SCRIPTS = ("four.py", "rules.py", "plain.py", "start.py", "table.py")
BATCH = "batch.py"


def run(script: str) -> dict[str, Any]:
    """What a script found, or that it failed."""
    print(f"bench/{script} …", file=sys.stderr, flush=True)
    done = subprocess.run([sys.executable, HERE / script, "--json"], stdout=subprocess.PIPE, text=True)
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        return failed(script, done.returncode)
    return {"script": f"bench/{script}", **found}


def failed(script: str, code: int) -> dict[str, Any]:
    """The result of a script that told none."""
    why = f"ended with {code} and no result; its message stands above"
    return {"script": f"bench/{script}", "claim": "", "rows": [], "ratios": [], "missing": {script: why}, "wrong": []}


def table(results: list[dict[str, Any]]) -> str:
    """All results as text, and a last line that counts targets."""
    read = [shared.from_data(found) for found in results]
    parts = [f"{found['script']}: {shared.told(result)}" for found, result in zip(results, read, strict=True)]
    verdicts = [ratio.verdict for result in read for ratio in result.ratios if ratio.verdict]
    missing = sum(len(result.missing) + len(result.wrong) for result in read)
    last = f"{verdicts.count('reached')} targets reached, {verdicts.count('missed')} missed; {missing} not measured or not comparable"
    return "\n\n".join([shared.machine(), *parts, last])


def main() -> None:
    wanted = shared.parser(__doc__).parse_args()
    results = [run(script) for script in SCRIPTS]
    print(f"bench/{BATCH} …", file=sys.stderr, flush=True)
    batch = subprocess.run([sys.executable, HERE / BATCH], stdout=sys.stderr if wanted.json else None).returncode
    if batch:
        results.append(failed(BATCH, batch))
    print(json.dumps(results, indent=2) if wanted.json else "\n" + table(results))
    sys.exit(any(found["missing"] or found["wrong"] for found in results))


if __name__ == "__main__":
    main()
