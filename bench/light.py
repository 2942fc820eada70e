"""The light start: the first answer of a level by the modules of the package in wasmtime, against Numba.

bench/light.py                   all games; needs the extra `lab`, and the modules (`make modules`)
bench/light.py serve [PROGRAM]   the level's first turns at a server that has just started, from the person's move on;
                                 PROGRAM: `bridgehead` of another environment

A first answer is that of the strongest level, and then a hint, in processes that start for them, as `bridgehead play` has them.
Each is taken with an empty cache, and with what the run before has kept. Then both search the same position further,
in one process each. Seconds are by the clock, and of processor time, which other work on the machine changes less.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

GAMES = {"barricade": 6000, "burning_bridges": 12_000, "forty_bridges": 20_000, "front_lines": 12_000}  # simulations
LEVEL, FIRST, NODES = "master", 400, 1_300_000
SIDES = ("numba", "wasmtime")


def open_position(game: str) -> Any:
    """The first position after chance."""
    from bridgehead.core import registry
    from bridgehead.core.chance import SeededDealer
    from bridgehead.core.match import Match

    match = Match(registry.game(game))
    match.deal(SeededDealer(7))
    return match.position


def answer(side: str, game: str) -> dict[str, float]:
    """Seconds from the start of this process to a level's answer, and then to a hint."""
    begun = time.perf_counter()
    from bridgehead.core import phrases
    from bridgehead.players.advice import advise
    from bridgehead.players.subprocess_player import SearchProcess, decide, describe_position, searches_here

    position, process = open_position(game), SearchProcess()
    about = describe_position(position)
    if side == "numba":
        process._compiled[about[:2]] = True
    else:
        assert process.ask(searches_here, *about[:2]), "there are no modules of these sources: `make modules`"
    process.ask(decide, *about, LEVEL, "1")
    level = time.perf_counter() - begun
    names = [position.game.spec.seat_letter(seat) for seat in range(position.game.seats)]
    process.ask(advise, *about, names, phrases.ENGLISH, "1")
    hint = time.perf_counter() - begun - level
    for pool in process._pools.values():
        pool.shutdown()  # so that its processor time is counted
    return {"level": level, "hint": hint}


def search(game: str) -> dict[str, float]:
    """Simulations a second of processor time, after a first search; and the memory of the process in MB."""
    from bridgehead.players.engine import engine, use_modules
    from bridgehead.players.thoughts import Budget

    use_modules()
    position = open_position(game)
    thinking = engine(position.game)
    thinking.search_tree(position, Budget(simulations=FIRST), 1, nodes=NODES)
    begun = time.process_time()
    thinking.search_tree(position, Budget(simulations=GAMES[game]), 1, nodes=NODES)
    rate = GAMES[game] / (time.process_time() - begun)
    return {"rate": rate, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000}


def run(*words: str, **env: str) -> dict[str, float]:
    """What one process prints, and its processor time with that of its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, __file__, *words], env={**os.environ, **env}, stdout=subprocess.PIPE, text=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found: dict[str, float] = json.loads(done.stdout)
    return found | {"processor": seconds}


def measure(game: str, cache: str) -> str:
    """A row of the table."""
    cells, rates = [], []
    for side in SIDES:
        for _ in ("empty", "kept"):
            found = run("answer", side, game, BRIDGEHEAD_CACHE=cache, NUMBA_DISABLE_JIT="1")
            cells.append(f"{found['level']:.1f} + {found['hint']:.1f} ({found['processor']:.1f})")
        rates.append(run("search", game, BRIDGEHEAD_CACHE=cache, NUMBA_DISABLE_JIT="0" if side == "numba" else "1"))
    (numba, light), ratio = rates, rates[1]["rate"] / rates[0]["rate"]
    cells += [f"{numba['rate']:,.0f}", f"{light['rate']:,.0f}", f"{ratio:.2f}", f"{numba['memory']:.0f} / {light['memory']:.0f}"]
    return f"| {game} | {' | '.join(cells)} |"


def ask_server(program: list[str]) -> None:
    """Start a server with nothing kept, and take the seconds of the level's first turns in each game."""
    from bridgehead.client import PERSON, Host, computer

    with tempfile.TemporaryDirectory() as place:
        command = [*program, "serve", "--no-browser", "--port", "0", "--data", place]
        own = {"PYTHONPATH"} if program[0] != sys.executable else set()
        env = {name: value for name, value in os.environ.items() if name not in own}
        env |= {"BRIDGEHEAD_CACHE": str(Path(place) / "cache"), "PYTHONUNBUFFERED": "1"}
        begun = time.perf_counter()
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            url = next(found[0] for line in server.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
            print(f"The server is there after {time.perf_counter() - begun:.1f} s.\n")
            print("| game | the level's first turn, s | its second |\n|---|---|---|")
            for game in GAMES:
                with Host(url, timeout=600).create(game, seats=[PERSON, computer(LEVEL)]) as table:
                    taken = [wait(table) for _ in range(2)]
                    print(f"| {game} | {' | '.join(f'{each:.2f}' for each in taken)} |", flush=True)
            server.terminate()


def wait(table: Any) -> float:
    """Play until the person's turn ends; seconds until the next one, after the level's whole turn at the server's pace."""
    table.wait_for_turn()
    while table.view["actor"] == 0:
        begun = time.perf_counter()
        table.play(table.choices[0]["action"])
    table.wait_for_turn()
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="serve")
    words = parser.parse_args().words
    if words[:1] == ["serve"]:
        ask_server(words[1:] or [sys.executable, "-m", "bridgehead"])
        return
    if words[:1] in (["answer"], ["search"]):
        print(json.dumps({"answer": answer, "search": search}[words[0]](*words[1:])))  # type: ignore[operator]
        return
    print("Level + hint in s by the clock (processor time of both).\n")
    print(
        "| game | Numba, empty | kept | wasmtime, empty | kept | simulations/s, Numba | wasmtime | ratio | MB, Numba / wasmtime |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place:
        for game in GAMES:
            print(measure(game, str(Path(place) / game)), flush=True)


if __name__ == "__main__":
    main()
