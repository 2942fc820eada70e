"""The gate through which every request and every message passes: it waits there for its turn, and pays for what it has used.

Nothing has a written price. The processor time, the bytes and the disk that a request has used are charged to its address
when it is done, and the address's next requests wait until this is paid. Few requests of an address run at once, so an
address goes into debt by no more than these.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Literal, TypeVar, get_args

from bridgehead.server.connections.rate_limits import DAY, Addresses, Limits
from bridgehead.server.usage import Usage, measured

T = TypeVar("T")
LONGEST = 5.0  # seconds for which a request waits until its address has paid, at most
# Budgets of an address. pages: pages and the messages of watchers; seat: messages of pages with a seat; codes: requests that
# name a table; costly: requests that compute, and the time of workers.
Share = Literal["pages", "seat", "codes", "costly"]
# While other addresses are there, a turn rests for so many times the seconds that its request took. So the requests of one
# address and share take a quarter of the loop's time at most, also before it has used up its budget.
REST = 7.0
OTHERS = 2.0  # seconds for which an address that has asked for something is there
SHORT = 0.001  # seconds of rest that are not worth a timer


class Queue:
    """The turns of one address and share. users: those that have one or wait for it; rest: seconds that are still to come."""

    __slots__ = ("free", "rest", "users")

    def __init__(self, most: int) -> None:
        self.free = asyncio.Semaphore(most)
        self.rest, self.users = 0.0, 0


class Turns:
    """Queues by address and share, each of which exists only while it is in use. most: turns of one queue at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._queues: dict[tuple[str, Share], Queue] = {}

    def __len__(self) -> int:
        """The number of queues in use."""
        return len(self._queues)

    async def take(self, key: tuple[str, Share]) -> None:
        """Wait for a turn, and take it."""
        queue = self._queues.setdefault(key, Queue(self._most))
        queue.users += 1
        try:
            await queue.free.acquire()
        except BaseException:
            self._leave(key)
            raise

    def release(self, key: tuple[str, Share], rest: float = 0.0) -> None:
        """Give a turn back, which is free again after so many seconds. Many short rests make one that is worth a timer."""
        queue = self._queues[key]
        queue.rest += rest
        if queue.rest < SHORT:
            queue.free.release()
            self._leave(key)
        else:
            asyncio.get_running_loop().call_later(queue.rest, self.release, key)
            queue.rest = 0.0

    def _leave(self, key: tuple[str, Share]) -> None:
        queue = self._queues[key]
        queue.users -= 1
        if not queue.users:
            del self._queues[key]


class Effort:
    """The budgets of each address: processor time (`shares`), bytes read and sent (`traffic`), bytes stored (`disk`)."""

    def __init__(self, limits: Limits) -> None:
        self.shares: dict[Share, Addresses] = {
            share: Addresses(limits.costly if share == "costly" else limits.effort, limits.window) for share in get_args(Share)
        }
        self.traffic, self.disk = Addresses(limits.traffic, limits.window), Addresses(limits.disk, DAY)
        self.turns = Turns(limits.at_once)
        self._last, self._changed = "", -OTHERS  # the address that had the last turn, and when it was another one before

    async def run(
        self,
        address: str,
        share: Share,
        work: Callable[[], Coroutine[Any, Any, T]],
        usage: Usage | None = None,
        pays: Callable[[], Share] | None = None,
    ) -> T:
        """Do some work in a turn of the address, and charge what it used. Errors: those of the work.

        usage: what has been used for it before, to be paid with it; pays: the share that pays, if only the work shows which.
        """
        done = await Turn(self, address, share, usage or Usage(), pays).run(work)
        if pays is not None and pays() != share and (owed := self.owed(address, pays())):
            await asyncio.sleep(owed)
        return done

    def come(self, address: str) -> None:
        """An address takes a turn."""
        if address != self._last:
            self._last, self._changed = address, time.monotonic() if self._last else self._changed

    def rest(self, seconds: float) -> float:
        """The seconds for which a turn rests after work of so many seconds."""
        return min(LONGEST, seconds * REST) if time.monotonic() - self._changed < OTHERS else 0.0

    def charge(self, address: str, share: Share, usage: Usage) -> float:
        """Charge what was used, which then is paid for. Returns the seconds of processor time."""
        seconds, carried, stored = usage.take()
        for budget, used in ((self.shares[share], seconds), (self.traffic, carried), (self.disk, stored)):
            if used:
                budget.wait(address, used)
        return seconds

    def refuses(self, address: str, share: Share) -> bool:
        """Does this share refuse the address until it has paid some of its debt? Only "costly" does; the others delay."""
        return share == "costly" and self.shares["costly"].exhausted(address)

    def worked(self, address: str, seconds: float) -> None:
        """Charge the time that a worker has spent on a request."""
        self.shares["costly"].wait(address, seconds)

    def debt(self, address: str) -> float:
        """Seconds until the address has paid for the work of the workers."""
        return self.shares["costly"].debt(address)

    def owed(self, address: str, share: Share) -> float:
        """Seconds for which a request waits. What the others behind the address carry keeps nobody from their seat."""
        carried = 0.0 if share == "seat" else self.traffic.debt(address)
        return min(LONGEST, max(self.shares[share].debt(address), carried))


class Turn:
    """The turn of one request or message. usage, pays: see `Effort.run`."""

    def __init__(self, effort: Effort, address: str, share: Share, usage: Usage, pays: Callable[[], Share] | None = None) -> None:
        self.effort, self.address, self.share, self.usage, self._pays = effort, address, share, usage, pays
        self._held = False

    async def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Wait for the turn, and until the address has paid what it owes; do the work; charge it. Errors: those of the work."""
        await self._take()
        try:
            if owed := self.effort.owed(self.address, self.share):
                await asyncio.sleep(owed)
            return await measured(work(), self.usage)
        finally:
            paying = self._pays() if self._pays else self.share
            self._release(self.effort.rest(self.effort.charge(self.address, paying, self.usage)))

    async def aside(self, coming: Awaitable[T]) -> T:
        """Wait for something that is no work, while another request has the turn. Then charge what has come, and go on."""
        self._release(0.0)
        came = await coming
        self.effort.charge(self.address, self.share, self.usage)
        await self._take()
        if owed := self.effort.owed(self.address, self.share):
            await asyncio.sleep(owed)
        return came

    async def _take(self) -> None:
        self.effort.come(self.address)
        await self.effort.turns.take((self.address, self.share))
        self._held = True

    def _release(self, rest: float) -> None:
        if self._held:
            self._held = False
            self.effort.turns.release((self.address, self.share), rest)
