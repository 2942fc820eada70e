"""Wake-ups between workers, over Redis or Valkey. Nothing depends on them: the log is the truth, and is looked at anyway.

What is told here may be lost, and may come twice; it makes what happens at one worker show at the others at once. While
the bus is away those others are some seconds late, and that is all.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import secrets
from collections import deque
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import needs

with needs("cluster"):
    from redis.asyncio import Redis
    from redis.asyncio.client import PubSub
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff
    from redis.exceptions import RedisError

log = logging.getLogger("bridgehead")

WAITING = 10_000  # words that may wait while the bus is slow or away; the oldest are forgotten
AT_ONCE = 500  # words in one message
TIMEOUT = 2.0  # seconds
PAUSE = 1.0  # seconds between attempts to reach it
QUIET = 5.0  # seconds of silence after which it is asked whether it is there
LINGER = 0.5  # seconds for the last words when a worker stops

Word = tuple[str, str, Any]  # a table, a kind, and what there is to say
Heard = Callable[[str, str, str, Any], None]  # by whom, and the word


def check(url: str) -> None:
    """Errors: BridgeheadError for an address that is none, or that lets anybody in from elsewhere (T25)."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise BridgeheadError("this is no address; it looks like redis://:PASSWORD@host:6379", "--bus") from None
    if parts.scheme not in ("redis", "rediss") or not host:
        raise BridgeheadError("this is no address of a bus; it looks like redis://:PASSWORD@host:6379", "--bus")
    if not parts.password and not _is_this_machine(host):
        raise BridgeheadError("a bus on another machine needs a password: redis://:PASSWORD@host:6379", "--bus")


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Bus:
    """One worker's end of the bus. Errors: BridgeheadError for an address as in `check`.

    channel: what workers of the same tables have in common.
    """

    def __init__(self, url: str, channel: str) -> None:
        check(url)
        self.name = secrets.token_hex(8)  # of this worker
        self._channel = f"bridgehead:{channel}"
        self._redis = Redis.from_url(
            url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, retry=Retry(NoBackoff(), 0), health_check_interval=0
        )
        self._outbox: deque[Word] = deque(maxlen=WAITING)
        self._filled = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._is_away = False

    def start(self, heard: Heard, healed: Callable[[], None]) -> None:
        """Begin to tell and to listen. heard: what to do with a word; healed: what to do after words may have been lost."""
        self._tasks = [asyncio.create_task(self._speak()), asyncio.create_task(self._listen(heard, healed))]

    def tell(self, table: str, kind: str, said: Any = None) -> None:
        """Let the other workers know, as soon as may be, if at all. It never waits."""
        self._outbox.append((table, kind, said))
        self._filled.set()

    async def stop(self) -> None:
        """Say what is still to be said, if that is quickly done, and hang up."""
        with contextlib.suppress(TimeoutError, RedisError, OSError):
            async with asyncio.timeout(LINGER):
                await self._publish()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(RedisError, OSError):
            await self._redis.aclose()

    async def _speak(self) -> None:
        """Tell what waits; while one message is on its way, the next one grows."""
        while True:
            await self._filled.wait()
            self._filled.clear()
            try:
                await self._publish()
            except (RedisError, OSError) as error:
                self._lost(error)
                await asyncio.sleep(PAUSE)

    async def _publish(self) -> None:
        while self._outbox:
            words = [self._outbox.popleft() for _ in range(min(AT_ONCE, len(self._outbox)))]
            await self._redis.publish(self._channel, msgspec.json.encode((self.name, words)))

    async def _listen(self, heard: Heard, healed: Callable[[], None]) -> None:
        while True:
            ears = self._redis.pubsub(ignore_subscribe_messages=True)
            try:
                await ears.subscribe(self._channel)
                await self._redis.connection_pool.disconnect(inuse_connections=False)  # from before, they lead nowhere
                self._found()
                healed()
                await self._hear_all(ears, heard)
            except (RedisError, OSError) as error:
                self._lost(error)
            finally:
                with contextlib.suppress(RedisError, OSError):
                    await ears.aclose()  # type: ignore[no-untyped-call]
            await asyncio.sleep(PAUSE)

    async def _hear_all(self, ears: PubSub, heard: Heard) -> None:
        """Take in what comes. Errors: RedisError, also when nothing comes at all."""
        asked = False
        while True:
            message = await ears.get_message(timeout=QUIET)
            if message is None and asked:
                raise RedisError("it does not answer")
            asked = message is None
            if message is None:
                await ears.ping()
            elif message["type"] == "message":
                self._hear(message["data"], heard)

    def _hear(self, data: bytes, heard: Heard) -> None:
        """Take in a message. What is not understood may come from a worker of another release, and is let be."""
        try:
            narrator, words = msgspec.json.decode(data, type=tuple[str, list[Word]])
        except msgspec.DecodeError:
            return
        if narrator == self.name:
            return
        for table, kind, said in words:
            try:
                heard(narrator, table, kind, said)
            except Exception:
                log.exception("%s: what another worker told of it (%s) was not understood", table, kind)

    def _lost(self, error: Exception) -> None:
        if not self._is_away:
            log.warning("the bus is away (%s); what happens at other workers shows some seconds late", error)
        self._is_away = True

    def _found(self) -> None:
        if self._is_away:
            log.warning("the bus is there again")
        self._is_away = False
