"""What a page needs to follow a record by the rules of its game: a WebAssembly module, the law, and the first position."""

from __future__ import annotations

import asyncio
import base64
import functools
import hashlib
import zlib

from cachetools import LRUCache

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.spec import OVER
from bridgehead.core.version import __version__
from bridgehead.fairness.rules_terms import digest_installed_rules
from bridgehead.fairness.seals import Seals
from bridgehead.players import shipped_modules
from bridgehead.players.modules import facts, layout
from bridgehead.server.catalogue import qualify_server_phrase
from bridgehead.server.connections.requests import address_of
from bridgehead.server.http.assets import FOR_EVER, Asset
from bridgehead.server.http.routes import HttpError, Reply, Request, asked_table, route, run_thread_job
from bridgehead.server.jobs.worker_pool import SearchPool, WorkerLost
from bridgehead.server.messages.games import Referee
from bridgehead.server.tables import sealing_view
from bridgehead.server.tables.table import Table

PATIENCE = 300.0  # seconds for a module: the worker may have to start, and the rules are compiled at its first request
KEPT = 64  # modules in memory, and laws


class Referees:
    """The modules of rules, each made once: the package has those of its games, and a worker with compiled rules makes others,
    which it keeps as files."""

    def __init__(self, workers: SearchPool) -> None:
        self._workers = workers
        self._made: LRUCache[str, asyncio.Task[Asset]] = LRUCache(KEPT)

    async def module(self, game: Game, asker: str) -> Asset:
        """The module for the layout of a game. Errors: BridgeheadError if there is none; WorkerLost."""
        name = f"{game.spec.id}-{module_of(game)}"
        task = self._made.get(name)
        if task is None or _is_lost(task):
            task = self._made[name] = asyncio.create_task(self._make(game, asker))
        return await asyncio.shield(task)  # others wait for it too

    async def _make(self, game: Game, asker: str) -> Asset:
        rules = game.spec.rules_id, house.canonical(game.options)
        return await self._workers.ask(make_module, *rules, asker=asker, patience=PATIENCE)

    async def stop(self) -> None:
        """Cancel what is being made."""
        for task in self._made.values():
            task.cancel()
        await asyncio.gather(*self._made.values(), return_exceptions=True)


def _is_lost(task: asyncio.Task[Asset]) -> bool:
    """Did its worker die? Then another try may succeed."""
    return task.done() and (task.cancelled() or isinstance(task.exception(), WorkerLost))


@functools.lru_cache(1000)
def module_of(game: Game) -> str:
    """The name of a module: everything that it depends on."""
    parts = (__version__, game.spec.id, game.spec.version, digest_installed_rules(game.spec.package), layout(game))
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:32]


# In a worker


def make_module(name: str, options: str) -> Asset:
    """The module of a game, in all forms. Errors: BridgeheadError."""
    game = registry.open_game(name, options)
    made = Asset("rules.wasm", _read_module(game))
    made.pack()
    return made


def _read_module(game: Game) -> bytes:
    if shipped_modules.has_module(game, rules_alone=True):
        return shipped_modules.read_module(game, rules_alone=True)
    from bridgehead.players.wasm import kept_rules_module  # it needs NumPy

    return kept_rules_module(game)


# Requests


@route("GET /api/tables/{table}/referee", Referee, limit="boards")
async def referee(request: Request) -> Referee:
    """What a page needs to follow a table's record by the rules: where the module is, the law, and the first position."""
    table = await _open(request)
    game, first = table.game, table.match.positions[0]
    law = await run_thread_job(request, law_of, game)
    start = base64.b64encode(first.state.tobytes()).decode()
    address = f"/api/tables/{table.id}/rules/{module_of(game)}"
    return Referee(game.spec.id, game.spec.version, address, facts(game)["most_legal"], law, start)


@route("GET /api/tables/{table}/rules/{key}", limit="boards", media="application/wasm")
async def rules(request: Request) -> Reply:
    """The rules of a table's game as WebAssembly: other tables may have the same ones, under other house rules."""
    game = (await _open(request)).game
    if request.path_params["key"] != module_of(game):
        raise HttpError(404, "other_module")
    module = await request.app.state.referees.module(game, address_of(request))
    form, content = module.choose(request.headers.get("accept-encoding", ""))
    return Reply(content, media=module.media, headers={"cache-control": FOR_EVER, **form})


async def _open(request: Request) -> Table:
    """The table in the path, if its chance is sealed and its house rules are open. Errors: as `asked_table`; BridgeheadError."""
    table = await asked_table(request)
    if not isinstance(table.dealer, Seals):
        raise BridgeheadError(qualify_server_phrase(sealing_view.guarantee(table)), table.id)
    if table.actor != OVER and house.find_hidden_options(table.game.options) & table.game.differences.keys():
        raise BridgeheadError("server:chance.concealed", table.id)
    return table


@functools.lru_cache(KEPT)
def law_of(game: Game) -> str:
    """The law of a game, compressed, in base64."""
    return base64.b64encode(zlib.compress(game.law.tobytes(), 9)).decode()
