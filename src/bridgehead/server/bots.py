"""Computer players think in processes of their own, never in the server."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
from collections.abc import Callable
from typing import Any

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.game import Game
from bridgehead.players import player
from bridgehead.players.levels import NAMES
from bridgehead.server.table import Table
from bridgehead.server.workers import Workers

log = logging.getLogger("bridgehead")


class Bots:
    """Answers for computer seats.

    pace: least seconds from one decision to the next, so that people can follow. A worker that dies or hangs is
    replaced and asked again once; after that an action is drawn by lot, so that nobody waits for ever.
    """

    def __init__(self, pace: float = 0.45, deadline: float = 20.0, workers: int = 1) -> None:
        self.pace = pace
        self.workers = Workers(workers, deadline)
        self.thinkers = Workers(workers, 2 * deadline, compiled=True)  # those that search
        self.decide: Callable[..., int] = decide

    async def choose(self, table: Table, asker: str = "") -> tuple[int, str]:
        """The action of the computer seat that is to act, and who chose it: its level, or "fallback".

        asker: the address of somebody who looks on, for `Turns`.
        What the worker is given is the seat's view: the text of the position, and no house rule that is hidden (FLQ-17).
        """
        position, level = table.match.position, table.computer()
        seed = f"{table.body.seed}:{table.version}"
        rules = house.canonical(table.game.options, concealed=True)
        request = (table.game.spec.id, rules, position.text, level, seed)
        crew = self.thinkers if level in NAMES else self.workers
        pause = asyncio.create_task(asyncio.sleep(self.pace))
        try:
            for _ in range(2):
                try:
                    action = await crew.ask(self.decide, *request, asker=asker)
                    if action in position.legal:
                        await pause
                        return action, level
                    log.error("%s: level %s chose %r, which is not legal", table.id, level, action)
                except Exception:
                    log.exception("%s: level %s failed", table.id, level)
            return SeededDealer(seed).pick(position.legal, 0), "fallback"
        finally:
            pause.cancel()

    def start(self) -> None:
        self.workers.start()

    def stop(self) -> None:
        self.workers.stop()
        self.thinkers.stop()


def decide(name: str, options: str, text: str, level: str, seed: str) -> int:
    """In the worker: the action a level chooses in a position given as text."""
    return player(level, seed).choose(_game(name, options).load(text))


@functools.lru_cache(16)
def _game(name: str, options: str) -> Game:
    values: dict[str, Any] = json.loads(options)
    return registry.game(name, **values)
