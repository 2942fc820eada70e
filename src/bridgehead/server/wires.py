"""WebSockets that are cheap to keep: thousands of people look at a table and say nothing for minutes."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class Letters:
    """What has come and is not yet read: as much of `asyncio.Queue` as a socket needs, in a tenth of its memory. One reads."""

    __slots__ = ("_come", "_waits")

    def __init__(self) -> None:
        self._come: list[Any] = []
        self._waits: asyncio.Future[None] | None = None

    def put_nowait(self, letter: Any) -> None:
        self._come.append(letter)
        if self._waits is not None and not self._waits.done():
            self._waits.set_result(None)

    async def get(self) -> Any:
        while not self._come:
            self._waits = asyncio.get_running_loop().create_future()
            try:
                await self._waits
            finally:
                self._waits = None
        return self._come.pop(0)

    def empty(self) -> bool:
        return not self._come


class Gate:
    """May be written? As much of `asyncio.Event` as a socket needs: who waits makes what it takes to wait."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event: asyncio.Event | None = None  # None: open

    def set(self) -> None:
        if self._event is not None:
            self._event.set()
            self._event = None

    def clear(self) -> None:
        if self._event is None:
            self._event = asyncio.Event()

    async def wait(self) -> None:
        while self._event is not None:
            await self._event.wait()


class Wire(WebSocketsSansIOProtocol):
    """A WebSocket that forgets its handshake, and has small queues."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.queue = Letters()  # type: ignore[assignment]
        self.writable = Gate()  # type: ignore[assignment]

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.handshake_complete and message["type"] == "websocket.accept":
            del self.request, self.response
            self.scope["headers"] = []
