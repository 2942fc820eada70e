"""A light start, without Numba: the first answer of a tree search by a game's WebAssembly module in `wasmtime`, against Numba.

bench/light.py                   all games; needs the package `wasmtime` beside Bridgehead

Each side is a process from start to answer (400 simulations): with nothing kept, and with what the first run has kept. Then both
search the same position with more simulations. Seconds are of processor time, so other work on the machine counts little.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

GAMES = {"barricade": 6000, "burning_bridges": 12_000, "forty_bridges": 20_000, "front_lines": 12_000}  # simulations
FIRST = 400
ROOM = 60 * max(GAMES.values()) + 1000  # nodes
SIZES = {"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "float32": 4}  # others: 8
FORMS = {"bool": "<?", "int8": "<b", "uint8": "<B", "int32": "<i", "int64": "<q", "float32": "<f", "float64": "<d"}


def custom_sections(module: bytes) -> dict[str, bytes]:
    """The sections of a WebAssembly module that have a name."""

    def number(at: int) -> tuple[int, int]:
        value = shift = 0
        while True:
            byte = module[at]
            value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
            if byte < 128:
                return value, at

    found, at = {}, 8
    while at < len(module):
        size, begin = number(at + 1)
        if module[at] == 0:
            length, name = number(begin)
            found[module[name : name + length].decode()] = module[name + length : begin + size]
        at = begin + size
    return found


class Module:
    """A game's module in wasmtime, as web/static/wasm_rules.js has it in a browser."""

    def __init__(self, file: Path) -> None:
        import wasmtime

        made = file.read_bytes()
        sections = custom_sections(made)
        self.about: dict[str, Any] = json.loads(sections["bridgehead"])
        engine, kept = wasmtime.Engine(), file.with_suffix(".kept")
        if kept.exists():
            module = wasmtime.Module.deserialize_file(engine, str(kept))
        else:
            module = wasmtime.Module(engine, made)
            kept.write_bytes(module.serialize())
        self.store: Any = wasmtime.Store(engine)
        given = [wasmtime.Func(self.store, each.type, getattr(math, str(each.name))) for each in module.imports]
        self.exports: Any = wasmtime.Instance(self.store, module, given).exports(self.store)
        self.next = self.end = 0
        self.law = self.make("law")
        self.write(self.law[0], sections["bridgehead.law"])

    def make(self, kind: str, *shape: int) -> tuple[int, tuple[int, ...]]:
        """Zeros: the address and shape of records or numbers."""
        size = (self.about["records"][kind]["size"] if kind in self.about["records"] else SIZES.get(kind, 8)) * math.prod(shape)
        at = -(-self.next // 16) * 16
        if at + size > self.end:
            pages = max(16, -(-size // 65_536))
            at = self.exports["memory"].grow(self.store, pages) * 65_536
            self.end = at + pages * 65_536
        self.next = at + size
        return at, shape

    def write(self, at: int, data: bytes) -> None:
        self.exports["memory"].write(self.store, data, at)

    def set(self, record: str, at: int, field: str, value: float) -> None:
        place = self.about["records"][record]["fields"][field]
        form = FORMS[place["type"]]
        self.write(at + place["at"], struct.pack(form, value if form in ("<f", "<d") else int(value)))

    def call(self, name: str, *given: Any) -> Any:
        plain: list[Any] = []
        for parameter, each in zip(self.about["entries"][name]["takes"], given, strict=True):
            if not isinstance(each, tuple):
                plain.append(float(each))
            else:
                plain += [each[0], *(each[1] or (1,))] if parameter["what"] == "array" else [each[0]]
        function = self.exports[name]
        kinds = [str(kind) for kind in function.type(self.store).params]
        return function(self.store, *(float(each) if kind == "f64" else each for each, kind in zip(plain, kinds, strict=True)))

    def search(self, simulations: int) -> None:
        """Search the first position after chance."""
        state, rng, facts = self.make("state"), self.make("uint64", 1), self.about["law"]
        out = self.make("int32", facts["most_legal"])
        self.call("setup", state, self.law)
        self.write(rng[0], struct.pack("<Q", 7))
        self.call("deal_on", state, self.law, out, rng)
        nodes, used, settings = self.make("node", ROOM), self.make("int64", 1), self.make("settings")
        self.set("node", nodes[0], "actor", self.call("actor", state, self.law))
        self.write(used[0], struct.pack("<q", 1))
        for name, value in facts["steering"].items():
            self.set("settings", settings[0], name, value)
        rest = (out, self.make("state", 2), self.make("float64", facts["seats"]))
        self.call("search", nodes, used, (state[0], (1,)), self.law, settings, simulations, rng, *rest)


def search_by_wasm(game: str, folder: Path) -> Any:
    return Module(folder / f"{game}.wasm").search


def search_by_numba(game: str, folder: Path) -> Any:
    from bridgehead.core import registry
    from bridgehead.core.chance import SeededDealer
    from bridgehead.core.match import Match
    from bridgehead.players import search

    match = Match(registry.game(game))
    match.deal(SeededDealer(7))

    def work(simulations: int) -> None:
        made: Any = search._Tree(match.position, search.Search(nodes=ROOM), "bench")
        rest = (match.position.game.law, made.settings[()], simulations, made.rng, *made.work)
        made.kernel(made.nodes, made.used, made.root, *rest)

    return work


SIDES = {"wasmtime": search_by_wasm, "Numba": search_by_numba}


def answer(side: str, game: str, folder: Path) -> None:
    """One process: print the simulations a second, after a first answer."""
    search = SIDES[side](game, folder)
    search(FIRST)
    begun = time.process_time()
    search(GAMES[game])
    print(GAMES[game] / (time.process_time() - begun))


def measure(side: str, game: str, folder: Path) -> tuple[float, float]:
    """Seconds of processor time to a first answer, and simulations a second."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = {**os.environ, "BRIDGEHEAD_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, __file__, side, game, str(folder)], env=env, stdout=subprocess.PIPE, text=True, check=True
    )
    after, rate = resource.getrusage(resource.RUSAGE_CHILDREN), float(done.stdout)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - GAMES[game] / rate, rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("one", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        answer(given.one[0], given.one[1], Path(given.one[2]))
        return
    print("| game | Numba, nothing kept | kept | wasmtime, nothing kept | kept | simulations/s, Numba | wasmtime |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place:
        for game in GAMES:
            command = [sys.executable, "-m", "bridgehead", "wasm", game, str(Path(place) / f"{game}.wasm")]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            found = {side: [measure(side, game, Path(place)) for _ in range(2)] for side in ("Numba", "wasmtime")}
            times = [f"{seconds:.1f}" for side in found.values() for seconds, _ in side]
            print(f"| {game} | {' | '.join(times)} | {' | '.join(f'{side[1][1]:,.0f}' for side in found.values())} |", flush=True)


if __name__ == "__main__":
    main()
