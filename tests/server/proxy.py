"""A line that fails on command, between a page and the server: each message meets its fate."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable
from enum import Enum
from typing import Any

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from server.live import PATIENCE


class Fate(Enum):
    """What becomes of a message."""

    PASS = "it goes through"
    LOST = "the line breaks before it is through"
    LAST = "it goes through, and the line breaks"
    TWICE = "it goes through twice"
    SWALLOWED = "it is gone, and nobody notices"


Plan = Callable[[str, dict[str, Any]], Fate]


class Proxy:
    """A line to a server. plan: the fate of a message, by its side ("said" or "told") and what it says.

    delay: seconds for each message in each direction; rate: bytes a second, 0 for any. seen: what went through, by side.
    """

    def __init__(self, host: str, plan: Plan = lambda side, message: Fate.PASS, delay: float = 0, rate: float = 0) -> None:
        self.host, self.plan, self.delay, self.rate = host, plan, delay, rate
        self.seen: list[tuple[str, dict[str, Any]]] = []
        self.cuts = 0
        self._ready, self._end = threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def __enter__(self) -> Proxy:
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(PATIENCE)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        async with serve(self._serve, "127.0.0.1", 0, max_size=None) as server:
            self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            self._ready.set()
            await self._end.wait()

    async def _serve(self, page: ServerConnection) -> None:
        async with connect(f"ws://{self.host}/ws", max_size=None) as server:
            ways = [
                asyncio.create_task(self._carry("said", page, server)),
                asyncio.create_task(self._carry("told", server, page)),
            ]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            for end in (page, server):
                end.transport.abort()

    async def _carry(self, side: str, source: Any, goal: Any) -> None:
        """Messages of one side, one after another, until the line breaks."""
        lock = asyncio.Lock()
        with contextlib.suppress(ConnectionClosed):
            async for raw in source:
                message = json.loads(raw)
                fate = self.plan(side, message)
                if fate is not Fate.SWALLOWED and fate is not Fate.LOST:
                    self.seen.append((side, message))
                    if self.delay or self.rate:
                        asyncio.create_task(self._later(goal, raw, lock))
                    else:
                        for _ in range(2 if fate is Fate.TWICE else 1):
                            await goal.send(raw)
                if fate in (Fate.LOST, Fate.LAST):
                    self.cuts += 1
                    return

    async def _later(self, goal: Any, raw: str | bytes, lock: asyncio.Lock) -> None:
        await asyncio.sleep(self.delay)
        async with lock:
            await asyncio.sleep(len(raw) / self.rate if self.rate else 0)
            with contextlib.suppress(ConnectionClosed):
                await goal.send(raw)
