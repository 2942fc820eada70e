"""HTTP protocol of the server. It closes connections that are idle or whose client does not read, and limits their number."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from bridgehead.server.connections.rate_limits import neighbourhood

ASKING = 20.0  # seconds for the head of a request
UNREAD = 60.0  # seconds for which an answer may stay unread
MOST = 256  # connections of one address, at most, not counting WebSockets


class PlacedLogger(logging.LoggerAdapter[logging.Logger]):
    """Uvicorn's logger for one connection: its records name the address, so that `logging.OncePerSecond` can tell them apart."""

    @property
    def level(self) -> int:
        return self.logger.level


class HttpProtocol(H11Protocol):
    """An HTTP connection. It closes when no request arrives in time, or when the client does not read an answer.

    open: number of connections by address; idle: those without a request in progress, the longest idle first. Each subclass
    has its own. A connection that becomes a WebSocket leaves both. When an address has too many, its longest idle one closes,
    so silent connections keep nobody behind the same address out.
    """

    open: ClassVar[Counter[str]]
    idle: ClassVar[dict[str, dict[HttpProtocol, None]]]
    asking, unread, most = ASKING, UNREAD, MOST

    _address = ""
    _counted = False
    _asked: asyncio.TimerHandle | None = None
    _read: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = neighbourhood(self.client[0]) if self.client else ""
        self._counted = True
        self.logger = PlacedLogger(self.logger, {"address": self._address})  # type: ignore[assignment]
        self.open[self._address] += 1
        self._expect()
        if self.open[self._address] > self.most:
            oldest = next(iter(self.idle[self._address]))
            oldest._occupied()
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before and self._asked is not None:
            self._asked.cancel()
            self._occupied()

    def on_response_complete(self) -> None:
        self._expect()
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._forget()
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        self._read = self.loop.call_later(self.unread, self.transport.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        if self._read is not None:
            self._read.cancel()
        super().resume_writing()

    def _expect(self) -> None:
        """Start the timer for the next request."""
        if self._counted:
            self._occupied()
            self.idle.setdefault(self._address, {})[self] = None
        if self._asked is not None:
            self._asked.cancel()
        self._asked = self.loop.call_later(self.asking, self.transport.abort)

    def _occupied(self) -> None:
        """Note that a request is in progress, or that the connection is gone."""
        idle = self.idle.get(self._address, {})
        idle.pop(self, None)
        if not idle:
            self.idle.pop(self._address, None)

    def _forget(self) -> None:
        self._occupied()
        for timer in (self._asked, self._read):
            if timer is not None:
                timer.cancel()
        if self._counted:
            self._counted = False
            self.open[self._address] -= 1
            if not self.open[self._address]:
                del self.open[self._address]
