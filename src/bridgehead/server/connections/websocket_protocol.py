"""WebSockets that are cheap to keep: thousands of people look at a table and say nothing for minutes."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame

from bridgehead.server.connections.rate_limits import Bucket

PIECE = 512  # bytes that are taken apart at a time
IGNORED = 65_536  # bytes that may come after the goodbye
CONTROLS, SECONDS = 50, 20.0  # pings and the like, in so many seconds
FRAGMENTS = 64  # parts of one message that cost nothing
WRITE = "bridgehead.write"  # a socket's extension: `WebSocketProtocol.write`


class MessageQueue:
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

    @property
    def is_open(self) -> bool:
        return self._event is None

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


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that forgets its handshake and has small queues, and whose floods hold nobody up.

    What is said at one moment goes out together.

    What comes is taken apart piece by piece, when what came before has been read; there is no other way to say no to
    somebody who sends ten thousand messages at once, for to take them apart is most of their work.
    """

    scope: Any = {"extensions": {}}  # until there is one of its own
    _written = True

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.queue = MessageQueue()  # type: ignore[assignment]
        self.writable = Gate()  # type: ignore[assignment]
        self._unread = bytearray()
        self._feeding = False
        self._ignored = 0  # bytes that came after the goodbye
        self._controls: Bucket | None = None

    def data_received(self, data: bytes) -> None:
        if self.close_sent:
            self._ignored += len(data)
            if self._ignored > IGNORED:
                self.transport.abort()
                return
        self._unread += data
        self._feed()

    def _feed(self) -> None:
        """Take a piece apart, if nothing waits to be read; the next one when the loop has done something else."""
        self._feeding = False
        if self.transport.is_closing():
            self._unread.clear()
            return
        if self._unread and self._is_idle:
            piece = bytes(self._unread[:PIECE])
            del self._unread[:PIECE]
            super().data_received(piece)
        if self._unread and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()
        self._go_on()

    @property
    def _is_idle(self) -> bool:
        """Does nothing wait to be read? After the goodbye nobody reads; the other side's is still looked for."""
        return self.close_sent or self.queue.empty()

    def _go_on(self) -> None:
        if not self._unread:
            if self.read_paused and self._is_idle:
                self.read_paused = False
                self.transport.resume_reading()
        elif not self._feeding and self._is_idle:
            self._feeding = True
            self.loop.call_soon(self._feed)

    def send_receive_event_to_app(self) -> None:
        # Uvicorn stops reading at every message, which asks the system twice; here only what comes too early does that.
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused

    async def receive(self) -> Any:
        message = await self.queue.get()
        if self._unread or self.read_paused:
            self._go_on()
        return message

    async def send(self, message: Any) -> None:
        text = message.get("text")
        if text is None or not self.handshake_complete or self.close_sent:
            await super().send(message)
            if self.handshake_complete and message["type"] == "websocket.accept":
                del self.request, self.response
                self.scope["headers"] = []
                self.scope["extensions"] = {WRITE: self.write}
            return
        await self.writable.wait()
        if not self.write(text.encode()):
            raise ClientDisconnected

    def write(self, text: bytes) -> bool:
        """Send a text now, if that can be; what waits until it can goes through `send`."""
        if self.disconnected or self.close_sent or not self.writable.is_open:  # type: ignore[attr-defined]
            return False
        try:
            self.conn.send_text(text)
        except InvalidState:
            return False
        if self._written:
            self._written = False
            self.loop.call_soon(self._write)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.scope["extensions"].clear()  # so that neither keeps the other

    def _write(self) -> None:
        self._written = True
        if data := b"".join(self.conn.data_to_send()):
            self.transport.write(data)

    def handle_ping(self) -> None:
        if self._may_go_on():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self.pending_ping_payload is not None or self._may_go_on():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < FRAGMENTS or self._may_go_on():
            super().handle_cont(event)

    def _may_go_on(self) -> bool:
        """Browsers send no such frames at all, others few: who sends many is cut off."""
        self._controls = self._controls or Bucket(CONTROLS, SECONDS)
        if self._controls.take() < 0:
            self.transport.abort()
            return False
        return True
