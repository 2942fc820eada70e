"""The connection of one page to a table: message queue, seats, rate limit. A slow page never delays the server."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
import time
from collections import Counter
from collections.abc import Coroutine, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from bridgehead.core.errors import BridgeheadError, convert_error
from bridgehead.core.phrases import Phrase
from bridgehead.core.scene import Item
from bridgehead.server.catalogue import WORDS
from bridgehead.server.connections.effort import Share
from bridgehead.server.connections.rate_limits import Bucket, Limits
from bridgehead.server.messages.client import ClientMessage, Hello, decode_message
from bridgehead.server.messages.server import Goodbye, GoodbyeCode, LagProbe, Rejection, RejectionCode, ServerMessage
from bridgehead.server.tables.seats import Attendance
from bridgehead.server.tables.state import Folded
from bridgehead.server.tables.stored_seats import Seat, digest
from bridgehead.server.usage import Usage, measure

LONGEST = 10.0  # seconds to wait for the answer to a round-trip probe
LARGEST = 8192  # bytes of one message
RETRY = 1000  # milliseconds after which a page may come again whose first message was late
LATER, POLICY = 1013, 1008  # WebSocket close codes


class Disconnected(Exception):
    """The other side is gone."""


class Transport(Protocol):
    """Carries messages between the server and a page: a WebSocket, or a queue in a test.

    address: the page's, "" if unknown; usage: what carrying them has used, and nobody has paid for yet.
    """

    address: str
    usage: Usage

    async def accept(self) -> None:
        """Open the connection, before anything else. Errors: Disconnected."""

    async def receive(self) -> str | None:
        """The text of the next message; None if it is no text. Errors: Disconnected."""

    def write(self, data: bytes) -> bool:
        """Send a text at once; False if it would have to wait. It never waits."""

    async def send(self, data: bytes) -> None:
        """Send a text. Errors: Disconnected."""

    async def close(self, code: int) -> None:
        """Close with a WebSocket close code. Errors: Disconnected."""


class CloseConnection(Exception):
    """Raised to close a connection.

    code, phrase: the reason; stray: indexes of the page's invalid tokens; retry: milliseconds after which it may come again.
    """

    def __init__(
        self, code: GoodbyeCode, key: str, stray: list[int] | None = None, retry: int | UnsetType = UNSET, **params: object
    ) -> None:
        super().__init__(code)
        self.code: GoodbyeCode = code
        self.stray = stray
        self.retry = retry
        self.phrase = Phrase(key, params)


class Viewer(NamedTuple):
    """Everything besides the table that decides the content of a view. Pages with the same `Viewer` get the same bytes.

    host: the host's page, if it has no seat.
    """

    language: str = "en"
    you: frozenset[int] = frozenset()
    plain: bool = False
    brief: bool = False
    host: bool = False


class Connection:
    """The connection of one page. `send` queues and never waits. A page that reads too slowly is disconnected; it may reconnect.

    hashes: its tokens, hashed; you, back, offers: their rights when last read (see `Holding`); host: it has the host's token;
    plain, brief: see `Hello`; shown: the items of the last view that it received; overflow: its queue is too long;
    share: the budget of its address that pays for its messages; ended: nothing more is received or sent; farewell: the
    reason, if the server ended it.
    Most connections are idle most of the time, so each one keeps only its receiving task. The sender task exists only while
    messages are queued.
    """

    def __init__(self, transport: Transport, limits: Limits, counts: Counter[tuple[str, str]] | None = None) -> None:
        self.transport = transport
        self.address = transport.address
        self.counts = Counter() if counts is None else counts
        self.limits = limits
        self.you: frozenset[int] = frozenset()
        self.back: frozenset[int] = frozenset()
        self.offers: frozenset[int] = frozenset()
        self.share: Share = "pages"
        self.hashes: list[str] = []
        self._read: Sequence[Seat] | None = None  # the seats of the table when the rights were last read
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
        self._receiver: asyncio.Task[Any] | None = None
        self._probe = (-1, 0.0)  # the number of the current probe, and the time when it was sent

    def read(self, table: Folded) -> frozenset[int]:
        """Read the rights of the page's tokens at its table, if a seat has changed since the last time. Returns its seats."""
        if self._read is table.seats:
            return self.you
        held = table.holding(self.hashes)
        if held.you and not self.you:
            self.bucket = Bucket(self.limits.seat, self.limits.window)
        self.you, self.back, self.offers = held.you, held.back, held.offers
        self.share = "seat" if held.you or held.back else "pages"
        self._read = table.seats
        return self.you

    def take(self, hashed: str) -> None:
        """Add a token that the server has just given to the page."""
        self.hashes.append(hashed)
        self._read = None

    def stray(self, table: Folded) -> list[int]:
        """The indexes of the page's invalid tokens."""
        return [index for index, each in enumerate(self.hashes) if table.holding([each]).stray]

    def drop_stray(self, table: Folded) -> None:
        """Forget the invalid tokens: they never become valid again."""
        self.hashes = [each for each in self.hashes if not table.holding([each]).stray]

    @property
    def viewer(self) -> Viewer:
        """The kind of view that the page gets."""
        return Viewer(self.language, self.you, self.plain, self.brief, self.host and not self.you)

    def introduce(self, hello: Hello, table: Folded) -> bool:
        """Apply a page's first message; False if one of its tokens is invalid at this table."""
        self.plain, self.brief = hello.plain, hello.brief
        self.hashes = [digest(token) for token in hello.tokens]
        self.host = bool(hello.host) and hmac.compare_digest(table.body.host, digest(hello.host))
        self.read(table)
        return not table.holding(self.hashes).stray and self.host == bool(hello.host)

    def words(self, key: str, **params: object) -> str:
        """One of the server's own sentences, in the language of this page."""
        return WORDS.tell(Phrase(key, params), self.language)

    def send(self, message: bytes | ServerMessage) -> None:
        """Send a message at once if none waits, else queue it."""
        if isinstance(message, bytes):
            data = message
        else:
            data = msgspec.json.encode(message)
            self.counts[str(type(message).__struct_config__.tag), getattr(message, "code", "")] += 1
        if self._sender is None and not self.ended and self.transport.write(data):
            return
        self._bytes += len(data)
        waiting = self._bytes - len(self._queue[0] if self._queue else data)  # a single message may have any length
        if len(self._queue) >= self.limits.queue or waiting > self.limits.queued:
            self.overflow = True
            self._end()
        elif not self.ended:
            self._queue.append(data)
            if self._sender is None:
                self._sender = asyncio.create_task(self._send())

    @property
    def waiting(self) -> int:
        """Number of messages that are not sent yet."""
        return len(self._queue) + (self._sender is not None)

    def probe(self) -> None:
        """Measure the round trip, for the clocks. Only the first answer with the right number counts."""
        if self._probe[0] < 0 or time.monotonic() - self._probe[1] > LONGEST:
            self._probe = secrets.randbelow(2**53), time.monotonic()
            self.send(LagProbe(self._probe[0]))

    def handle_probe_answer(self, number: int, attendance: Attendance) -> None:
        """The page has answered a probe."""
        if number == self._probe[0]:
            attendance.note_lag(self.you, time.monotonic() - self._probe[1])
            self._probe = (-1, 0.0)

    def reject(self, key: str, code: RejectionCode, text: str, version: int) -> None:
        """Send a rejection without a clause."""
        self.send(Rejection(text, "", [], k=key, code=code, v=version))

    async def receive(self) -> ClientMessage:
        """The next message. Errors: BridgeheadError for a message that the protocol does not define; Disconnected."""
        text = await self.transport.receive()
        if text is None or len(text) > LARGEST:
            raise BridgeheadError("server:error.message", most=LARGEST)
        try:
            message: ClientMessage = decode_message(text)
        except (msgspec.DecodeError, RecursionError) as error:
            raise convert_error(error) from None
        return message

    async def hello(self) -> Hello:
        """Wait for the first message, for a limited time. Errors: CloseConnection, also that of `dismiss`; Disconnected."""
        self._receiver = asyncio.current_task()
        try:
            async with asyncio.timeout(self.limits.hello):  # wait_for of Python 3.11 loses cancellations
                message = await self.receive()
        except asyncio.CancelledError:
            if self.farewell is None or (self._receiver is not None and self._receiver.uncancel()):
                raise  # the server stops
            raise self.farewell from None
        except TimeoutError:
            late = Phrase("bye.late", {"n": round(self.limits.hello)})
            raise CloseConnection("hello", "bye.hello", retry=RETRY, what=late) from None  # its line may have been frozen
        except BridgeheadError as error:
            raise CloseConnection("hello", "bye.hello", what=error.whole) from None
        finally:
            self._receiver = None
        if not isinstance(message, Hello):
            raise CloseConnection("hello", "bye.hello", what=Phrase("bye.first"))
        return message

    async def attend(self, receiving: Coroutine[Any, Any, None]) -> None:
        """Run the coroutine that receives and answers messages, until it ends or the connection is ended elsewhere.

        Errors: those of the coroutine.
        """
        self._receiver = asyncio.current_task()
        try:
            if self.ended:
                receiving.close()
            else:
                await measure(receiving, self.transport.usage)
        except asyncio.CancelledError:
            if not self.ended or (self._receiver is not None and self._receiver.uncancel()):
                raise  # the server stops
        finally:
            self._receiver = None
            self._end()

    async def complete(self, answering: Coroutine[Any, Any, None]) -> None:
        """Finish answering a message, even if the connection ends meanwhile."""
        self._answering = True
        try:
            await answering
        finally:
            self._answering = False

    def _end(self) -> None:
        """Stop receiving and sending."""
        if self.ended:
            return
        self.ended = True
        if self._sender is not None:
            self._sender.cancel()
        if self._receiver is not None and not self._answering:
            self._receiver.cancel()

    async def _send(self) -> None:
        """The sender task: send the queue, until it is empty or the page is gone."""
        try:
            while self._queue:
                data = self._queue.pop(0)
                self._bytes -= len(data)
                await self.transport.send(data)
        except Disconnected:
            self._end()
        finally:
            self._sender = None

    def dismiss(self, reason: CloseConnection) -> None:
        """End the connection from another task."""
        self.farewell = reason
        self._end()

    async def part(self, reason: CloseConnection) -> None:
        """Send the reason and close."""
        text = WORDS.tell(reason.phrase, self.language)
        bye = Goodbye(reason.code, text, UNSET if reason.stray is None else reason.stray, reason.retry)
        self.counts["bye", reason.code] += 1
        with contextlib.suppress(Disconnected):
            await self.transport.send(msgspec.json.encode(bye))
        await self.close(POLICY)

    async def close(self, code: int) -> None:
        """Close; waits at most one second for a page that does not read."""
        with contextlib.suppress(Disconnected, TimeoutError):
            await asyncio.wait_for(self.transport.close(code), 1)
