"""WebSocket protocol of the server, and the `Transport` over it.

It needs little memory, because thousands of pages may watch a table and send nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame

from bridgehead.server.connections.connection import Disconnected
from bridgehead.server.connections.rate_limits import Bucket
from bridgehead.server.connections.requests import address_of
from bridgehead.server.usage import IN_SCOPE, Usage

PIECE = 512  # bytes that are parsed at a time
IGNORED = 65_536  # bytes that may arrive after the close frame
CONTROLS, SECONDS = 50, 20.0  # control frames allowed within these seconds
FRAGMENTS = 64  # fragments of one message beyond which each counts as a control frame
WRITE = "bridgehead.write"  # name of an ASGI extension: `WebSocketProtocol.write`


class MessageQueue:
    """Received messages that are not read yet: like `asyncio.Queue` for a single reader, in a tenth of the memory."""

    __slots__ = ("_received", "_waits")

    def __init__(self) -> None:
        self._received: list[Any] = []
        self._waits: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        self._received.append(message)
        if self._waits is not None and not self._waits.done():
            self._waits.set_result(None)

    async def get(self) -> Any:
        while not self._received:
            self._waits = asyncio.get_running_loop().create_future()
            try:
                await self._waits
            finally:
                self._waits = None
        return self._received.pop(0)

    def empty(self) -> bool:
        return not self._received


class Gate:
    """Open while the transport accepts data: like `asyncio.Event`, but it allocates memory only while a task waits."""

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
    """A WebSocket that frees its handshake data, has small queues, and does not delay other connections when it is flooded.

    Messages sent in one turn of the loop leave in one write.

    Input is parsed in pieces of PIECE bytes, each only after the server has read all earlier messages. Parsing is most of the
    work that a flood causes, so only this limits a client that sends ten thousand messages at once.
    """

    scope: Any = {"extensions": {}}  # replaced by the connection's own after the handshake
    _written = True

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.queue = MessageQueue()  # type: ignore[assignment]
        self.writable = Gate()  # type: ignore[assignment]
        self._unread = bytearray()
        self._feeding = False
        self._ignored = 0  # bytes that arrived after the close frame
        self.usage = Usage()
        self._controls: Bucket | None = None

    def data_received(self, data: bytes) -> None:
        if self.close_sent:
            self._ignored += len(data)
            if self._ignored > IGNORED:
                self.transport.abort()
                return
        self.usage.carried += len(data)
        self._unread += data
        self._feed()

    def _feed(self) -> None:
        """Parse a piece if all messages are read. The next piece follows in a later turn of the loop."""
        self._feeding = False
        if self.transport.is_closing():
            self._unread.clear()
            return
        if self._unread and self._is_idle:
            piece = bytes(self._unread[:PIECE])
            del self._unread[:PIECE]
            with self.usage.working():
                super().data_received(piece)
        if self._unread and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()
        self._go_on()

    @property
    def _is_idle(self) -> bool:
        """Are all messages read? After the close frame nothing is read, but the answer to it is parsed."""
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
        # Uvicorn pauses reading at every message, which takes two system calls. Here only early input does.
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
                self.scope["extensions"] = {WRITE: self.write, IN_SCOPE: self.usage}
            return
        await self.writable.wait()
        if not self.write(text.encode()):
            raise ClientDisconnected

    def write(self, text: bytes) -> bool:
        """Send a text at once; False if it would have to wait: then use `send`."""
        if self.disconnected or self.close_sent or not self.writable.is_open:  # type: ignore[attr-defined]
            return False
        try:
            self.conn.send_text(text)
            self.usage.carried += len(text)
        except InvalidState:
            return False
        if self._written:
            self._written = False
            self.loop.call_soon(self._write)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unread = bytearray()  # its task may still wait for a turn
        self.scope["extensions"].clear()  # breaks a cycle of references

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
        """Count a control frame. Browsers send none and programs few; a connection with many is cut off."""
        self._controls = self._controls or Bucket(CONTROLS, SECONDS)
        if self._controls.take() < 0:
            self.transport.abort()
            return False
        return True


class WebSocketTransport:
    """A WebSocket of an ASGI server as the transport of a `Connection`."""

    __slots__ = ("_receive", "_scope", "_send", "address", "usage", "write")

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.address = address_of(HTTPConnection(scope))
        self._scope, self._receive, self._send = scope, receive, send
        self.write: Callable[[bytes], bool] = _refuse
        self.usage = Usage()

    async def accept(self) -> None:
        """Answer the handshake. Errors: Disconnected."""
        await self._receive()
        await self._try({"type": "websocket.accept", "subprotocol": None, "headers": []})
        extensions = self._scope.get("extensions", {})
        self.write, self.usage = extensions.get(WRITE, _refuse), extensions.get(IN_SCOPE, self.usage)

    async def receive(self) -> str | None:
        message = await self._receive()
        if message["type"] != "websocket.receive":
            raise Disconnected
        text: str | None = message.get("text")
        return text

    async def send(self, data: bytes) -> None:
        await self._try({"type": "websocket.send", "text": data.decode()})

    async def close(self, code: int) -> None:
        await self._try({"type": "websocket.close", "code": code, "reason": ""})

    async def _try(self, message: Message) -> None:
        try:
            await self._send(message)
        except (OSError, RuntimeError):  # the page has gone, or the connection is closed already
            raise Disconnected from None


def _refuse(data: bytes) -> bool:
    """Write nothing: this server has no `WRITE` extension."""
    return False
