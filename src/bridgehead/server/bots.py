"""Computer players think in processes of their own, never in the server."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable

from bridgehead.core.chance import SeededDealer
from bridgehead.players.apart import decide, described
from bridgehead.players.levels import searches
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
        seed = hashlib.sha256(f"{table.body.seed}:{table.version}".encode()).hexdigest()  # it says nothing of the dice
        request = (*described(position), level, seed)
        crew = self.thinkers if searches(table.game.spec, level) else self.workers
        pause = asyncio.create_task(asyncio.sleep(self.pace))
        try:
            for _ in range(2):
                try:
                    action = await crew.ask(self.decide, *request, asker=asker)
                    if action in position.legal:
                        await pause
                        return action, level
                    told = {"table": table.id, "level": level, "action": action}
                    log.error("a level chose what is not legal", extra=told)
                except Exception:
                    log.exception("a level failed", extra={"table": table.id, "level": level})
            return SeededDealer(seed).pick(position.legal, 0), "fallback"
        finally:
            pause.cancel()

    def start(self) -> None:
        self.workers.start()

    def stop(self) -> None:
        self.workers.stop()
        self.thinkers.stop()
