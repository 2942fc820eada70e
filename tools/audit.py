"""Check the pinned versions for known vulnerabilities with pip-audit, and report packages that no service knows.

tools/audit.py [FILE]        exit status: 0 none known, 1 some known, 2 unknown

pip-audit alone counts a package that a service does not know as a success; here it is unknown.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "constraints.txt"
SERVICES = ("pypi", "osv")
PATIENCE = 600  # seconds
Asked = Callable[[str, Path], tuple[int, str, str]]


def asked(service: str, file: Path) -> tuple[int, str, str]:
    """The result of pip-audit for a file of pins: exit status, output, errors."""
    command = [sys.executable, "-m", "pip_audit", "--vulnerability-service", service, "--requirement", str(file)]
    command += ["--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return 1, "", f"no answer in {PATIENCE} seconds"
    return done.returncode, done.stdout, done.stderr


def looked_up(service: str, file: Path, ask: Asked) -> tuple[list[str], list[str], int]:
    """Known vulnerabilities, the reason if they are unknown, and the number of packages looked up."""
    status, output, wrong = ask(service, file)
    try:
        found: list[dict[str, Any]] = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return [], [(wrong.strip().splitlines() or [f"pip-audit ended with {status} and said nothing"])[-1][:200]], 0
    holes = [f"{each['name']} {each['version']}: {hole['id']}" for each in found for hole in each.get("vulns", ())]
    unknown = [each["skip_reason"] for each in found if "skip_reason" in each]
    return holes, unknown, len(found)


def main(file: Path, ask: Asked = asked) -> int:
    """Ask one service after another, until one knows every package."""
    pins = {line.split("==")[0].strip().lower() for line in file.read_text("utf-8").splitlines() if "==" in line}
    holes: list[str] = []
    for service in SERVICES:
        more, unknown, number = looked_up(service, file, ask)
        holes += more
        if not unknown and number >= len(pins):
            break
        reason = f"{unknown[0]} ({len(unknown)} like this)" if unknown else f"{number} of {len(pins)} packages looked up"
        print(f"{service}: no answer. {reason}")
    else:
        print(f"NOT AUDITED: no advisory service answered for all of the {len(pins)} packages of {file.name}.")
        if not holes:
            return 2
    for hole in dict.fromkeys(holes):
        print(f"KNOWN HOLE: {hole}")
    if holes:
        return 1
    print(f"No hole is known in the {len(pins)} packages of {file.name} ({service}).")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE))
