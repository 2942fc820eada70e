"""HTTP protocol of the server. It closes connections that are idle or whose client does not read, and limits their number.

It refuses a request whose length can be read in two ways, because a proxy in front of the server might read the other one
and take a part of the body for the next person's request ("request smuggling").
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from bridgehead.server.connections.rate_limits import neighbourhood
from bridgehead.server.usage import IN_SCOPE, Usage

ASKING = 20.0  # seconds for the head of a request
REFUSING = 2.0  # seconds before the answer to a request that cannot be read: one that came at once would be sent again at once
UNREAD = 60.0  # seconds for which an answer may stay unread
MOST = 256  # connections of one address, at most, not counting WebSockets
FIELDS = 100  # header fields of a request, at most
HEAD = 16_384  # bytes of a request's head, at most
END = re.compile(rb"\n\r?\n")  # of a request's head
# Fields that tell the length of a body, in the head of a request, and a field that goes on in the next line.
LENGTH = re.compile(rb"^content-length[ \t]*:(.*)$", re.IGNORECASE | re.MULTILINE)
CODING = re.compile(rb"^transfer-encoding[ \t]*:(.*)$", re.IGNORECASE | re.MULTILINE)
FOLDED = re.compile(rb"^[ \t]", re.MULTILINE)


class PlacedLogger(logging.LoggerAdapter[logging.Logger]):
    """Uvicorn's logger for one connection: its records name the address, so that `logging.OncePerSecond` can tell them apart."""

    @property
    def level(self) -> int:
        return self.logger.level


class StrictHttpConnection(h11.Connection):
    """h11's server side, which refuses a request whose length can be read in two ways."""

    def next_event(self) -> Any:
        """As h11. Errors: RemoteProtocolError, also for a head that `check_head` refuses."""
        if self.their_state is h11.IDLE:
            waiting, _ = self.trailing_data
            if end := END.search(waiting):
                check_head(waiting[: end.start() + 1])
        return super().next_event()


def check_head(head: bytes) -> None:
    """Check the head of a request before it is parsed. Errors: RemoteProtocolError.

    h11 accepts several lengths that are the same, a length beside chunks, and a long head that arrives at once.
    """
    lengths, codings = LENGTH.findall(head), CODING.findall(head)
    if len(lengths) + len(codings) > 1 or not all(each.strip(b" \t\r").isdigit() for each in lengths):
        raise h11.RemoteProtocolError("the length of the body can be read in two ways")
    if FOLDED.search(head) or (codings and head.partition(b"\n")[0].rstrip().endswith(b"HTTP/1.0")):
        raise h11.RemoteProtocolError("the head can be read in two ways")
    if len(head) > HEAD or head.count(b"\n") > FIELDS + 1:
        raise h11.RemoteProtocolError("the head is too long")


class HttpProtocol(H11Protocol):
    """An HTTP connection. It closes when no request arrives in time, or when the client does not read an answer.

    open: number of connections by address; idle: those without a request in progress, the longest idle first. Each subclass
    has its own. A connection that becomes a WebSocket leaves both. When an address has too many, its longest idle one closes,
    so silent connections keep nobody behind the same address out.
    """

    open: ClassVar[Counter[str]]
    idle: ClassVar[dict[str, dict[HttpProtocol, None]]]
    asking, unread, most, refusing = ASKING, UNREAD, MOST, REFUSING

    _address = ""
    usage: Usage  # what the connection has used, and no request has paid for yet
    _counted = False
    _asked: asyncio.TimerHandle | None = None
    _read: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.usage = Usage()
        with self.usage.working():
            super().connection_made(transport)
        self.conn = StrictHttpConnection(h11.SERVER, HEAD)
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
        if self.cycle is not before:
            scope: Any = self.scope
            scope[IN_SCOPE] = self.usage
        if self.cycle is not before and self._asked is not None:
            self._asked.cancel()
            self._occupied()

    def send_400_response(self, msg: str) -> None:
        """Refuse slowly what is no request, and close the connection."""
        self.transport.pause_reading()
        self.loop.call_later(self.refusing, self._refuse, msg)

    def _refuse(self, msg: str) -> None:
        if not self.transport.is_closing():
            super().send_400_response(msg)

    def on_response_complete(self) -> None:
        self._expect()
        super().on_response_complete()

    def data_received(self, data: bytes) -> None:
        self.usage.carried += len(data)
        with self.usage.working():
            super().data_received(data)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._forget()
        super().handle_websocket_upgrade(event)
        protocol: Any = self.transport.get_protocol()
        protocol.usage = self.usage

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
