"""Message bus between server processes, over Redis or Valkey. It only makes changes show sooner: the event log is authoritative.

A message may be lost or arrive twice. While the bus is unreachable, changes made at one process show a few seconds late at the
others.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import deque
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import needs
from bridgehead.server.connections.rate_limits import ip

with needs("cluster"):
    from redis.asyncio import Redis
    from redis.asyncio.client import PubSub
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff
    from redis.exceptions import RedisError

log = logging.getLogger("bridgehead")

WAITING = 10_000  # messages in the queue, at most; beyond that the oldest are dropped
AT_ONCE = 500  # messages in one packet
TIMEOUT = 2.0  # seconds
PAUSE = 1.0  # seconds between attempts to connect
QUIET = 5.0  # seconds of silence after which the bus is pinged
AGAIN = 0.1  # seconds until a task is cancelled again, because the client loses some cancellations
LINGER = 0.5  # seconds for the last messages when a process stops

BusMessage = tuple[str, str, Any]  # table, kind, content
Receiver = Callable[[str, str, str, Any], None]  # takes the sender and the parts of a message


def check(url: str) -> None:
    """Check the address of a bus. Errors: BridgeheadError for a wrong one, or one that is open to other machines (T25)."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise BridgeheadError("server:error.no_address_looks_like_redis", "--bus") from None
    if parts.scheme not in ("redis", "rediss") or not host:
        raise BridgeheadError("server:error.no_address_bus_looks_like", "--bus")
    address = ip(host)
    if not parts.password and host != "localhost" and not (address and address.is_loopback):
        raise BridgeheadError("server:error.bus_another_machine_needs_password", "--bus")


class Bus:
    """The connection of one process to the bus. Errors: BridgeheadError, as `check`.

    channel: the same for all processes over the same tables.
    """

    def __init__(self, url: str, channel: str) -> None:
        check(url)
        self.name = secrets.token_hex(8)
        self._channel = f"bridgehead:{channel}"
        self._sending = _client(url)
        self._listening = _client(url)  # with one pool for both, one may get the other's dead connection
        self._outbox: deque[BusMessage] = deque(maxlen=WAITING)
        self._filled = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._failing: set[Redis] = set()

    def start(self, receiver: Receiver, reconnected: Callable[[], None]) -> None:
        """Begin to send and to receive. reconnected: called after messages may have been lost."""
        self._tasks = [asyncio.create_task(self._send_all()), asyncio.create_task(self._listen(receiver, reconnected))]

    def send(self, table: str, kind: str, content: Any = None) -> None:
        """Send a message to the other processes. Best effort; never blocks."""
        self._outbox.append((table, kind, content))
        self._filled.set()

    async def stop(self) -> None:
        """Send the queued messages within LINGER seconds, then disconnect."""
        with contextlib.suppress(TimeoutError, RedisError, OSError):
            async with asyncio.timeout(LINGER):
                await self._publish()
        while running := [task for task in self._tasks if not task.done()]:
            for task in running:
                task.cancel()
            await asyncio.wait(running, timeout=AGAIN)
        for client in (self._sending, self._listening):
            with contextlib.suppress(RedisError, OSError):
                await client.aclose()

    async def _send_all(self) -> None:
        """Send the queue in packets. While one packet is being sent, messages collect for the next one."""
        while True:
            await self._filled.wait()
            self._filled.clear()
            try:
                if self._sending in self._failing:
                    await self._sending.ping()
                await self._publish()
                self._works(self._sending)
            except (RedisError, OSError) as error:
                self._fails(self._sending, error)
                self._filled.set()
                await asyncio.sleep(PAUSE)

    async def _publish(self) -> None:
        while self._outbox:
            messages = [self._outbox.popleft() for _ in range(min(AT_ONCE, len(self._outbox)))]
            await self._sending.publish(self._channel, msgspec.json.encode((self.name, messages)))

    async def _listen(self, receiver: Receiver, reconnected: Callable[[], None]) -> None:
        while True:
            subscription = self._listening.pubsub()
            try:
                await self._subscribe(subscription)
                self._works(self._listening)
                reconnected()
                await self._receive_all(subscription, receiver)
            except (RedisError, OSError) as error:
                self._fails(self._listening, error)
            finally:
                with contextlib.suppress(RedisError, OSError):
                    await subscription.aclose()  # type: ignore[no-untyped-call]
            await asyncio.sleep(PAUSE)

    async def _subscribe(self, subscription: PubSub) -> None:
        """Subscribe, and wait for the answer: a connection that has died takes commands too. Errors: RedisError; OSError."""
        await subscription.subscribe(self._channel)
        if await subscription.get_message(timeout=TIMEOUT) is None:
            raise RedisError("it does not answer")

    async def _receive_all(self, subscription: PubSub, receiver: Receiver) -> None:
        """Receive packets. Errors: RedisError, also when a ping is not answered."""
        pinged = False
        while True:
            message = await subscription.get_message(timeout=QUIET)
            if message is None and pinged:
                raise RedisError("it does not answer")
            pinged = message is None
            if message is None:
                await subscription.ping()
            elif message["type"] == "message":
                self._receive(message["data"], receiver)

    def _receive(self, data: bytes, receiver: Receiver) -> None:
        """Pass on the messages of a packet. A malformed packet may come from another release, so it is ignored."""
        try:
            sender, messages = msgspec.json.decode(data, type=tuple[str, list[BusMessage]])
        except msgspec.DecodeError:
            return
        if sender == self.name:
            return
        for table, kind, content in messages:
            try:
                receiver(sender, table, kind, content)
            except Exception:
                log.exception("a message of another process could not be read", extra={"table": table, "code": kind})

    def _fails(self, client: Redis, error: Exception) -> None:
        """Note that one of the clients fails. The bus is away while either does, which is logged once."""
        if not self._failing:
            log.warning("the bus is away (%s); changes of other processes show some seconds late", error)
        self._failing.add(client)

    def _works(self, client: Redis) -> None:
        if self._failing == {client}:
            log.warning("the bus is there again")
        self._failing.discard(client)


def _client(url: str) -> Redis:
    return Redis.from_url(
        url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, retry=Retry(NoBackoff(), 0), health_check_interval=0
    )
