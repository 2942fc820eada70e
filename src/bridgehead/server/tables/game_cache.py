"""Games under house rules, made without holding up the tables: what a stranger can make heavy is worked out in a worker."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Mapping
from typing import Any

import msgspec
from cachetools import LRUCache

from bridgehead.core import law, registry
from bridgehead.core import options as house
from bridgehead.core.game import Game
from bridgehead.core.spec import Spec
from bridgehead.server.jobs.worker_pool import Workers, law_of

KEPT = 64  # games, the last ones asked for
WEIGHT = 64 << 20  # and the most bytes of their laws


class Games:
    """Games by their house rules. workers: where a board of somebody's own is worked out."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._kept: LRUCache[tuple[Spec, str], Game] = LRUCache(WEIGHT, _size)

    async def game(self, name: str, preset: str = "", options: Mapping[str, Any] | None = None, asker: str = "") -> Game:
        """A game under house rules. Errors: UnknownGame, OptionError, BoardError, WorkerLost.

        asker: whoever asks, for the line at the workers.
        """
        spec = registry.spec(name)
        key = spec, house.canonical(house.build(spec, preset, options))
        if key not in self._kept:
            wanted = house.build(spec, "", msgspec.json.decode(key[1]))  # what a worker, a log and a record make of them
            made = law.unpacked(await self.workers.ask(law_of, spec.id, key[1], asker=asker)) if is_heavy(wanted) else None
            self._kept[key] = await asyncio.to_thread(Game, spec, wanted, made)
        return self._kept[key]


@functools.lru_cache(KEPT)
def has_chance(game: Game) -> bool:
    """Does chance act? All games with dice or cards begin with a draw; those that only draw who begins do too."""
    return game.start().is_chance


def is_heavy(options: Any) -> bool:
    """May these house rules take long to work out? Those that hold a board or a list of somebody's own."""
    return any(isinstance(getattr(options, name), dict | list | tuple) for name in options.__struct_fields__)


def weight(game: Game) -> int:
    """Bytes of a game's law."""
    parts = game.law if isinstance(game.law, tuple) else (game.law,)
    return sum(getattr(part, "nbytes", 8) for part in parts)


def _size(game: Game) -> int:
    """What a game takes of the cache: its law's bytes, so that at most WEIGHT bytes and at most KEPT games stay."""
    return min(WEIGHT, max(WEIGHT // KEPT, weight(game)))
