"""Extras: without the packages of one, its commands and entry points fail in one clear line, and everything else works."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import bridgehead
from bridgehead.core import extras
from bridgehead.core.phrases import sentence

ROOT = Path(__file__).parents[1]
LACKING = """
import contextlib, importlib.machinery, io, json, sys, traceback
missing = set(sys.argv[1].split(","))
found = importlib.machinery.PathFinder.find_spec


def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] in missing else found(name, path, target)


importlib.machinery.PathFinder.find_spec = find_spec


def command(line):
    '''Exit code and both outputs of a command.'''
    from bridgehead.cli import main
    out, err, sys.argv = io.StringIO(), io.StringIO(), ["bridgehead", *line.split()]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code
        except BaseException:
            code = traceback.format_exc()
    return code, out.getvalue(), err.getvalue()


def run(code):
    '''The class and the text of the error that code raises; "" for none.'''
    try:
        exec(code, {})
    except BaseException as error:
        return type(error).__name__, str(error)
    return "", ""


todo = json.load(sys.stdin)
done = {"codes": [run(each) for each in todo["codes"]], "commands": [command(each) for each in todo["commands"]]}
print(json.dumps(done))
"""

GAME = "import bridgehead\ngame = bridgehead.game('forty_bridges')\n"
CODES = {
    "lab": [
        "from bridgehead.lab import report",
        "from bridgehead.lab import plots",
        "from bridgehead.terminal import labs",
        "from bridgehead.players import statistics; statistics.mean([1.0, 2.0])",
        "from bridgehead.players import statistics; statistics.equal_shares([1, 2])",
        "import numpy; from bridgehead.players import statistics; statistics.compute_paired_p(numpy.array([1.0, 2.0]))",
    ],
    "print": ["from bridgehead.printing import book", "import bridgehead.printing"],
    "film": ["from bridgehead.terminal import films"],
    "pettingzoo": [
        "import bridgehead; bridgehead.env('forty_bridges')",
        "from bridgehead.adapters import pettingzoo",
        "from bridgehead.adapters.pettingzoo import parallel_env",
    ],
    "openspiel": ["from bridgehead.adapters import openspiel"],
    "site": ["from bridgehead.site import npm_packages; npm_packages.fetch_package(npm_packages.PYODIDE)"],
    "ray": ["from bridgehead.lab.cluster import on_ray; on_ray('local', 1)"],
    "cluster": [
        "from bridgehead.server.storage.postgres import PostgresStore",
        "from bridgehead.server.cluster.redis_bus import Bus",
    ],
    "passkeys": [
        "from bridgehead.server.people import passkeys; from bridgehead.core.extras import require; require(passkeys.EXTRA)"
    ],
    "push": ["from bridgehead.server.connections.push import Pusher; Pusher(bytes(32), '', None)"],
    "cuda": [GAME + "from bridgehead import batch; batch.start(game, 1, device='cuda')"],
}
COMMANDS = {
    "lab": ["lab forty_bridges", "lab forty_bridges --versus standard", "lab forty_bridges --sweep maxLength=100..200/100"],
    "print": ["print barricade", "print barricade --parts rules --paper letter --lang de"],
    "film": ["film game.txt game.gif"],
    "ray": ["lab forty_bridges --cluster local --games 20 --players random"],
    "cluster": [
        "serve --no-browser --database postgresql://a@127.0.0.1/b",
        "serve --no-browser --database x --bus redis://127.0.0.1",
    ],
}
BASE = [
    "games", "games --json", "rules barricade BA-R.5", "perft forty_bridges --depth 2", "random forty_bridges --games 20",
    "arena forty_bridges --games 20", "arena forty_bridges random greedy --sets 2 --sprt 0,400 --out arena.json", "serve --help",
    "train forty_bridges --out weights.json --games 10 --player random --test 0", "backup copy.sqlite --data none",
    "random forty_bridges --games 1 --rules quietLimit=3 --record game.txt", "replay game.txt --quiet",
    "analyse game.txt --budget 20 --out .", "lab --help", "print --help", "film --help",
]  # fmt: skip


def without(packages: str, folder: Path, codes: list[str] = [], commands: list[str] = []) -> Any:  # noqa: B006
    """What code and commands do in a process in which these packages cannot be found."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    todo = json.dumps({"codes": codes, "commands": commands})
    done = subprocess.run(
        [sys.executable, "-c", LACKING, packages], input=todo, capture_output=True, text=True, cwd=folder, env=environment,
        timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.wide
@pytest.mark.parametrize("extra", sorted(extras.PACKAGES))
def test_without_an_extra_one_clear_line_says_what_to_install(extra: str, tmp_path: Path) -> None:
    line = f"This needs the extra `{extra}`: pip install 'bridgehead[{extra}]'"
    done = without(",".join(extras.PACKAGES[extra]), tmp_path, CODES[extra], COMMANDS.get(extra, []))
    assert done["codes"] == [["MissingExtra", line]] * len(CODES[extra])
    commands, missing = COMMANDS.get(extra, []), extras.MissingExtra(extra).whole
    lines = [sentence(missing, "de") if each.endswith("--lang de") else line for each in commands]
    assert sentence(missing, "de") != line == sentence(missing)
    assert done["commands"] == [[2, "", f"bridgehead: {each}\n"] for each in lines]
    for package in extras.PACKAGES[extra] if len(extras.PACKAGES[extra]) > 1 else ():
        done = without(package, tmp_path, [f"from bridgehead.core.extras import require; require({extra!r})"])
        assert done["codes"] == [["MissingExtra", line]], package
    assert list(tmp_path.iterdir()) == [], "nothing was begun before the check"


@pytest.mark.wide
def test_without_any_extra_everything_else_works(tmp_path: Path) -> None:
    """Every module can be imported or says which extra it needs, and every command of the base runs."""
    packages = ",".join(name for names in extras.PACKAGES.values() for name in names)
    root = Path(bridgehead.__file__).parent
    modules = [
        ".".join(("bridgehead", *file.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        for file in sorted(root.rglob("*.py"))
        if file.name != "__main__.py"
    ]
    done = without(packages, tmp_path, [f"import {name}" for name in modules], BASE)
    failed = {name: error for name, error in zip(modules, map(tuple, done["codes"]), strict=True) if error[0]}
    assert {error[0] for error in failed.values()} == {"MissingExtra"}, failed
    gated = {"adapters", "printing", "lab", "terminal", "server"}
    assert {name.split(".")[1] for name in failed} <= gated and len(failed) < 25, failed
    for line, (code, _, err) in zip(BASE, done["commands"], strict=True):
        if line.startswith("backup"):
            assert code == 2 and "Traceback" not in err, (line, code, err)
        else:
            assert code == 0, (line, code, err)


def test_the_packages_of_each_extra_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    offered = set(project["optional-dependencies"]) - {"test", "mutants", "docs", "fuzz"}
    assert offered == set(extras.PACKAGES) == set(CODES)
    base = " ".join(project["dependencies"])
    assert not [name for names in extras.PACKAGES.values() for name in names if f"{name}>" in base]


def test_python_m_bridgehead_is_the_command(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def run(*arguments: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "bridgehead", *arguments], capture_output=True, text=True, cwd=tmp_path, env=environment,
            timeout=120, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    code = "import sys; sys.argv = ['bridgehead']; import bridgehead.cli"  # without any argument too
    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, timeout=120, check=False).returncode == 0
    assert run("--version") == (0, f"bridgehead {bridgehead.__version__}\n", "")
    code, out, err = run("rules", "barricade", "BA-R.5")
    assert code == 0 and "BA-R.5" in out and not err
    code, out, err = run("rules", "chess")
    assert code == 2 and not out and err.startswith("bridgehead: ") and err.count("\n") == 1
