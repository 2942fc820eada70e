"""WebSocket protocol that needs little memory, because most of thousands of connections are idle for minutes."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame

from bridgehead.server.connections.rate_limits import Bucket

PIECE = 512  # bytes that are parsed at a time
IGNORED = 65_536  # bytes that may arrive after the close frame
CONTROLS, SECONDS = 50, 20.0  # control frames in so many seconds
FRAGMENTS = 64  # fragments of one message that are not counted
WRITE = "bridgehead.write"  # a socket's extension: `WebSocketProtocol.write`


class MessageQueue:
    """The part of `asyncio.Queue` that a socket needs, in a tenth of its memory. For one reader."""

    __slots__ = ("_messages", "_waits")

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._waits: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if self._waits is not None and not self._waits.done():
            self._waits.set_result(None)

    async def get(self) -> Any:
        while not self._messages:
            self._waits = asyncio.get_running_loop().create_future()
            try:
                await self._waits
            finally:
                self._waits = None
        return self._messages.pop(0)

    def empty(self) -> bool:
        return not self._messages


class Gate:
    """The part of `asyncio.Event` that a socket needs. It creates the event only when somebody waits."""

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
    """A WebSocket with small queues that drops its handshake and resists floods.

    It sends all messages of one turn of the loop with one system call.

    It parses incoming data in pieces, after the application has read the messages before. Parsing is most of the cost of
    messages, so this is the only way to limit a client that sends ten thousand at once.
    """

    scope: Any = {"extensions": {}}  # until the handshake
    _written = True

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.queue = MessageQueue()  # type: ignore[assignment]
        self.writable = Gate()  # type: ignore[assignment]
        self._unread = bytearray()
        self._feeding = False
        self._ignored = 0  # bytes that arrived after the close frame
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
        """Parse a piece, if the queue is empty. The next piece follows in a later turn of the loop."""
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
        self._continue()

    @property
    def _is_idle(self) -> bool:
        """Is the queue empty? After the close frame nobody reads it, but the close frame of the client is still parsed."""
        return self.close_sent or self.queue.empty()

    def _continue(self) -> None:
        if not self._unread:
            if self.read_paused and self._is_idle:
                self.read_paused = False
                self.transport.resume_reading()
        elif not self._feeding and self._is_idle:
            self._feeding = True
            self.loop.call_soon(self._feed)

    def send_receive_event_to_app(self) -> None:
        # Uvicorn pauses reading at every message, which takes two system calls. Here only data that arrives too early does.
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused

    async def receive(self) -> Any:
        message = await self.queue.get()
        self._continue()
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
        """Send a text now; False if that would block. `send` waits."""
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
        self.scope["extensions"].clear()  # breaks a reference cycle

    def _write(self) -> None:
        self._written = True
        if data := b"".join(self.conn.data_to_send()):
            self.transport.write(data)

    def handle_ping(self) -> None:
        if self._may_continue():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self.pending_ping_payload is not None or self._may_continue():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < FRAGMENTS or self._may_continue():
            super().handle_cont(event)

    def _may_continue(self) -> bool:
        """Count a control frame or fragment. Browsers send none, programs few; a client that sends many is disconnected."""
        self._controls = self._controls or Bucket(CONTROLS, SECONDS)
        if self._controls.take() < 0:
            self.transport.abort()
            return False
        return True
