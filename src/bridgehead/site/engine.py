"""The engine of a browser: it runs the modules of `bridgehead wasm`, reached through its JavaScript."""

from __future__ import annotations

import functools
import lzma
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from bridgehead.core.game import Game, Position
from bridgehead.players.modules import facts, layout
from bridgehead.players.wasm_engine import WasmEngine, WasmMemory

DATA = "data"  # the folder of the site with files that are fetched when they are wanted


class Script(Protocol):
    """What the browser gives: see wasm_rules.js."""

    def rules(self, game: str, layout: str) -> Awaitable[Any]:
        """The compiled rules (`Rules` of wasm_rules.js) of a game with this layout of state and law."""

    def file(self, path: str) -> Awaitable[Any]:
        """The bytes of a file of the site, as an array of JavaScript."""


class NotLoaded(Exception):
    """Compiled rules or endgame tables of a game are needed first. load: fetches them; its errors are those of the browser."""

    def __init__(self, game: Game, load: Callable[[], Awaitable[None]]) -> None:
        super().__init__(game.spec.id)
        self.load = load


class Wasm(WasmEngine):
    """An engine over the modules that were loaded. js: converts plain values for JavaScript."""

    def __init__(self, script: Script, js: Callable[[Any], Any]) -> None:
        self._script, self.js = script, js
        self._loaded: dict[tuple[str, str], Any] = {}
        self._tables: dict[tuple[str, str, str], tuple[Any, Any]] = {}
        self._now: Game | None = None

    async def load(self, game: Game) -> None:
        """Load the module for a game. Errors: those of the browser."""
        key = game.spec.id, layout(game)
        if key not in self._loaded:
            self._loaded[key] = await self._script.rules(*key)

    def rules(self, game: Game) -> Any:
        """The module, under the law of this game. Errors: NotLoaded."""
        module = self._loaded.get((game.spec.id, layout(game)))
        if module is None:
            raise NotLoaded(game, functools.partial(self.load, game))
        if self._now is not game:
            module.use(self.js(facts(game)), self.js(game.law.tobytes()))
            self._now = game
        return module

    def open_memory(self, game: Game) -> WasmMemory:
        """As of every engine over modules. Errors: NotLoaded."""
        return BrowserMemory(game, self.rules(game), self.js)

    def tables(self, position: Position) -> tuple[Any, Any] | None:
        """As of every engine over modules. Errors: NotLoaded."""
        game, stored = position.game, position.game.spec.evaluate.stored_endgames
        if stored is None or (found := stored(position)) is None:
            return None
        key = game.spec.id, layout(game), found[0].name
        if key not in self._tables:
            raise NotLoaded(game, functools.partial(self._load_tables, key, self.rules(game), *found))
        return self._tables[key]

    async def _load_tables(self, key: tuple[str, str, str], rules: Any, file: Path, starts: Sequence[Sequence[int]]) -> None:
        data = await self._script.file(f"{DATA}/{key[0]}/{file.name}")
        values = lzma.decompress(data.to_bytes())
        made = rules.make("uint8", len(values)), rules.make("int64", len(starts), len(starts))
        made[0].bytes.set(self.js(values))
        made[1].bytes.set(self.js(b"".join(each.to_bytes(8, "little", signed=True) for row in starts for each in row)))
        rules.keep()
        self._tables[key] = made


class BrowserMemory(WasmMemory):
    """The memory of a module of the browser. js: as of `Wasm`."""

    def __init__(self, game: Game, rules: Any, js: Callable[[Any], Any]) -> None:
        super().__init__(game, rules)
        self._js = js

    def pack(self, data: bytes) -> Any:
        return self._js(data)

    def put(self, block: Any, packed: Any, at: int = 0) -> None:
        block.bytes.set(packed, at)

    def copy(self, one: Any, other: Any) -> None:
        other.bytes.set(one.bytes.subarray(0, self.game.layout.nbytes))

    def call(self, name: str, *given: Any) -> Any:
        found = self.rules.call(name, *given)
        return int(found[0]) if found.length and float(found[0]).is_integer() else found[0] if found.length else None

    def candidates(self, tree: Any) -> Sequence[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = self.rules.candidates(tree).to_py()  # at once: each look into JavaScript takes long
        return found
