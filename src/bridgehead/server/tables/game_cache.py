"""Games under house rules, cached. A user's board may be slow to build, so a worker process builds it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import msgspec
from cachetools import LRUCache

from bridgehead.core import law, registry
from bridgehead.core import options as house
from bridgehead.core.game import Game
from bridgehead.core.spec import Spec
from bridgehead.server.jobs.worker_pool import WorkerPool
from bridgehead.server.tables.state import law_weight

KEPT = 64  # most recently used games in the cache
WEIGHT = 64 << 20  # bytes of their laws (precomputed tables), at most


class GameCache:
    """Games by their house rules. workers: build the boards that users made."""

    def __init__(self, workers: WorkerPool) -> None:
        self.workers = workers
        self._kept: LRUCache[tuple[Spec, str], Game] = LRUCache(WEIGHT, _size)

    async def game(self, name: str, preset: str = "", options: Mapping[str, Any] | None = None, asker: str = "") -> Game:
        """A game under house rules. Errors: UnknownGame, OptionError, BoardError, WorkerLost.

        asker: an address, for the queue of the workers.
        """
        spec = registry.spec(name)
        key = spec, house.canonical(house.build(spec, preset, options))
        if key not in self._kept:
            wanted = house.build(spec, "", msgspec.json.decode(key[1]))  # decoded from JSON, as a worker, a log and a record do
            made = law.unpacked(await self.workers.ask(law_of, spec.id, key[1], asker=asker)) if is_heavy(wanted) else None
            self._kept[key] = await asyncio.to_thread(Game, spec, wanted, made)
        return self._kept[key]


def is_heavy(options: Any) -> bool:
    """May a game under these house rules take long to build? Yes if they hold a board or a list of the user's own."""
    return any(isinstance(getattr(options, name), dict | list | tuple) for name in options.__struct_fields__)


def _size(game: Game) -> int:
    """The share of the cache that a game takes, so that at most WEIGHT bytes of laws and at most KEPT games stay."""
    return min(WEIGHT, max(WEIGHT // KEPT, law_weight(game)))


def law_of(name: str, options: str) -> bytes:
    """In a worker process: the law of a game, serialized. Errors: those of building a game."""
    return law.parcel(registry.game(name, **json.loads(options)).law)
