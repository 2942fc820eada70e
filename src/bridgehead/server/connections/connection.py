"""One socket: its queue, its sender, what it may say. Nobody ever waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET
from starlette.websockets import WebSocket, WebSocketDisconnect

from bridgehead.core.phrases import Phrase
from bridgehead.core.scene import Item
from bridgehead.server.catalogue import WORDS
from bridgehead.server.connections.middleware import address_of
from bridgehead.server.connections.rate_limits import Bucket, Limits
from bridgehead.server.connections.websocket_protocol import WRITE
from bridgehead.server.http.refused import phrased
from bridgehead.server.messages.client import ClientMessage, Hello, decode_message
from bridgehead.server.messages.server import Goodbye, GoodbyeCode, LagProbe, Rejection, RejectionCode, ServerMessage
from bridgehead.server.rooms.views import Viewer
from bridgehead.server.tables.clocks import Clocks
from bridgehead.server.tables.seats import Holding
from bridgehead.server.tables.stored_seats import digest

if TYPE_CHECKING:
    from bridgehead.server.tables.table import Table

LONGEST = 10.0  # seconds of a line's round trip that are waited for
LARGEST = 8192  # bytes of one message
LATER, POLICY = 1013, 1008  # codes a socket is closed with


class CloseConnection(Exception):
    """The conversation ends: the code and the sentence that the page is told. stray: which of its tokens give nothing."""

    def __init__(self, code: GoodbyeCode, key: str, stray: list[int] | None = None, **params: object) -> None:
        super().__init__(code)
        self.code: GoodbyeCode = code
        self.stray = stray
        self.phrase = Phrase(key, params)


class Connection:
    """A socket at a table. `tell` queues and never waits; who reads too slowly is let go and comes back.

    hashes: its tokens, hashed; you, back, offers: what they give (`people.Holding`); host: it holds the host's token.
    plain, brief: see `Hello`; shown: the things of the view that it was told last.
    overflow: more waits for it than may; ended: nothing more is heard from it; farewell: why somebody ends it from outside.
    Most sockets are idle most of the time, so one holds no task but the one that listens: what sends lives only while
    something waits to be sent.
    """

    def __init__(self, socket: WebSocket, limits: Limits, counts: Counter[tuple[str, str]] | None = None) -> None:
        self.socket = socket
        self._write: Callable[[bytes], bool] | None = socket.scope.get("extensions", {}).get(WRITE)
        self.counts = Counter() if counts is None else counts
        self.address = address_of(socket)
        self.limits = limits
        self.you: frozenset[int] = frozenset()
        self.back: frozenset[int] = frozenset()
        self.offers: frozenset[int] = frozenset()
        self.hashes: list[str] = []
        self.host = False
        self.language = "en"
        self.plain = self.brief = False
        self.shown: Sequence[Item] | None = None
        self.bucket = Bucket(limits.watcher, limits.window)
        self.overflow = self.ended = self._answering = False
        self.farewell: CloseConnection | None = None
        self._queue: list[bytes] = []
        self._bytes = 0
        self._sender: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[Any] | None = None
        self._echo = (-1, 0.0)  # a number that the page shall send back at once, and when it was told

    def seat(self, held: Holding) -> None:
        """What its tokens give it now."""
        if held.you and not self.you:
            self.bucket = Bucket(self.limits.seat, self.limits.window)
        self.you, self.back, self.offers = held.you, held.back, held.offers

    @property
    def viewer(self) -> Viewer:
        """Which kind of view it is told."""
        return Viewer(self.language, self.you, self.plain, self.brief)

    def introduce(self, hello: Hello, table: Table) -> bool:
        """What a hello makes of it at a table; False if one of its secrets is none of the table's."""
        self.plain, self.brief = hello.plain, hello.brief
        self.hashes = [digest(token) for token in hello.tokens]
        self.host = bool(hello.host) and hmac.compare_digest(table.body.host, digest(hello.host))
        held = table.holding(self.hashes)
        self.seat(held)
        return not held.stray and self.host == bool(hello.host)

    def words(self, key: str, **params: object) -> str:
        """A sentence of the server's own in the language of this page."""
        return WORDS.tell(phrased(Phrase(key, params), self.language), self.language)

    def tell(self, message: bytes | ServerMessage) -> None:
        """Send a message at once if none waits, else queue it."""
        if isinstance(message, bytes):
            data = message
        else:
            data = msgspec.json.encode(message)
            self.counts[str(type(message).__struct_config__.tag), getattr(message, "code", "")] += 1
        if self._write is not None and self._sender is None and not self.ended and self._write(data):
            return
        self._bytes += len(data)
        waiting = self._bytes - len(self._queue[0] if self._queue else data)  # one message may be as long as it is
        if len(self._queue) >= self.limits.queue or waiting > self.limits.queued:
            self.overflow = True
            self._end()
        elif not self.ended:
            self._queue.append(data)
            if self._sender is None:
                self._sender = asyncio.create_task(self._send())

    @property
    def waiting(self) -> int:
        """Messages that are not under way yet."""
        return len(self._queue) + (self._sender is not None)

    def echo(self) -> None:
        """Measure how long the line is, for the clocks: only an answer with this number counts, and only one."""
        if self._echo[0] < 0 or time.monotonic() - self._echo[1] > LONGEST:
            self._echo = secrets.randbelow(2**53), time.monotonic()
            self.tell(LagProbe(self._echo[0]))

    def echoed(self, number: int, clocks: Clocks) -> None:
        """The page has answered."""
        if number == self._echo[0]:
            clocks.lagged(self.you, time.monotonic() - self._echo[1])
            self._echo = (-1, 0.0)

    def reject(self, key: str, code: RejectionCode, text: str, version: int) -> None:
        """Send a rejection without a clause."""
        self.tell(Rejection(text, "", [], k=key, code=code, v=version))

    async def hear(self) -> ClientMessage:
        """The next message. Errors: msgspec.DecodeError for one that is none of the protocol's; WebSocketDisconnect."""
        received = await self.socket.receive()
        if received["type"] != "websocket.receive":
            raise WebSocketDisconnect(received.get("code", 1005))
        text = received.get("text")
        if text is None or len(text) > LARGEST:
            raise msgspec.DecodeError(f"a message is text of at most {LARGEST} bytes")
        try:
            message: ClientMessage = decode_message(text)
        except RecursionError:
            raise msgspec.DecodeError("nested too deeply") from None
        return message

    async def hello(self) -> Hello:
        """The first message, in time. Errors: CloseConnection, WebSocketDisconnect."""
        try:
            message = await asyncio.wait_for(self.hear(), self.limits.hello)
        except TimeoutError:
            raise CloseConnection("hello", "bye.hello", what=Phrase("bye.late", {"n": round(self.limits.hello)})) from None
        except msgspec.DecodeError as error:
            raise CloseConnection("hello", "bye.hello", what=str(error)) from None
        if not isinstance(message, Hello):
            raise CloseConnection("hello", "bye.hello", what=Phrase("bye.first"))
        return message

    async def attend(self, listening: Coroutine[Any, Any, None]) -> None:
        """Listen until there is nothing more to hear, or the conversation is ended from elsewhere; then nothing more is sent.

        Errors: those of listening.
        """
        self._listening = asyncio.current_task()
        try:
            if self.ended:
                listening.close()
            else:
                await listening
        except asyncio.CancelledError:
            if not self.ended or (self._listening is not None and self._listening.uncancel()):
                raise  # the server stops
        finally:
            self._listening = None
            self._end()

    async def answer(self, answering: Coroutine[Any, Any, None]) -> None:
        """Answer a message to its end, also if the conversation is ended meanwhile: what has begun is done."""
        self._answering = True
        try:
            await answering
        finally:
            self._answering = False

    def _end(self) -> None:
        """Listen no more, and send no more."""
        if self.ended:
            return
        self.ended = True
        if self._sender is not None:
            self._sender.cancel()
        if self._listening is not None and not self._answering:
            self._listening.cancel()

    async def _send(self) -> None:
        """The sender task: one message after another, until none waits or the page is gone."""
        try:
            while self._queue:
                data = self._queue.pop(0)
                self._bytes -= len(data)
                await self.socket.send({"type": "websocket.send", "text": data.decode()})
        except (WebSocketDisconnect, RuntimeError):
            self._end()
        finally:
            self._sender = None

    def dismiss(self, bye: CloseConnection) -> None:
        """End this conversation from outside of it."""
        self.farewell = bye
        self._end()

    async def part(self, bye: CloseConnection) -> None:
        """Send the reason and close."""
        text = WORDS.tell(phrased(bye.phrase, self.language), self.language)
        message = Goodbye(bye.code, text, UNSET if bye.stray is None else bye.stray)
        self.counts["bye", bye.code] += 1
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.send({"type": "websocket.send", "text": msgspec.json.encode(message).decode()})
        await self.close(POLICY)

    async def close(self, code: int) -> None:
        """Close, without waiting long for somebody who does not read."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            await asyncio.wait_for(self.socket.close(code), 1)
