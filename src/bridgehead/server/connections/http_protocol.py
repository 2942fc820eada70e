"""HTTP protocol of the server. It closes connections that are idle or whose client does not read, and limits their number."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from bridgehead.server.connections.rate_limits import neighbourhood

ASKING = 20.0  # seconds for the head of a request
UNREAD = 60.0  # seconds for which an answer may stay unread
MOST = 256  # connections of one address, at most, not counting WebSockets


class HttpProtocol(H11Protocol):
    """An HTTP connection. It closes when no request arrives in time, or when the client does not read an answer.

    open: number of connections by address; each subclass has its own. A connection that becomes a WebSocket leaves that count.
    """

    open: ClassVar[Counter[str]]
    asking, unread, most = ASKING, UNREAD, MOST

    _address = ""
    _counted = False
    _asked: asyncio.TimerHandle | None = None
    _read: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = neighbourhood(self.client[0]) if self.client else ""
        self._counted = True
        self.open[self._address] += 1
        if self.open[self._address] > self.most:
            transport.abort()
        else:
            self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before and self._asked is not None:
            self._asked.cancel()

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
        if self._asked is not None:
            self._asked.cancel()
        self._asked = self.loop.call_later(self.asking, self.transport.abort)

    def _forget(self) -> None:
        for timer in (self._asked, self._read):
            if timer is not None:
                timer.cancel()
        if self._counted:
            self._counted = False
            self.open[self._address] -= 1
            if not self.open[self._address]:
                del self.open[self._address]
