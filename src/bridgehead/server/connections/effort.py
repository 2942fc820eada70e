"""The gate through which every request and every message passes: it waits there for its turn, and pays for what it has used.

Nothing has a written price. The processor time, the bytes and the disk that a request has used are charged to its address
when it is done, and the address's next requests wait until this is paid. Few requests of an address run at once, so an
address goes into debt by no more than these.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Literal, TypeVar

from bridgehead.server.connections.rate_limits import DAY, Addresses, Limits
from bridgehead.server.usage import Usage, measure

T = TypeVar("T")
LONGEST = 5.0  # seconds for which a request waits until its address has paid, at most
# Budgets of an address. pages: pages and the messages of watchers; seat: messages of pages with a seat; codes: requests that
# name a table; costly: requests that compute, and the time of workers; files: what every page loads, which takes turns and
# costs nothing, because thirty people behind one router ask for all of it at once.
Share = Literal["pages", "seat", "codes", "costly", "files"]
PAYING: tuple[Share, ...] = ("pages", "seat", "codes", "costly")
# While other addresses are there, a turn rests for so many times the seconds that its request took. So the requests of one
# address and share take a quarter of the loop's time at most, also before it has used up its budget.
REST = 7.0
OTHERS = 2.0  # seconds for which an address that has asked for something is there
WAITING = 256  # requests of one address and share that wait or run, at most: a client that has gone leaves its request
COMING = 50  # the same for pages that come to tables without a token
SHORT = 0.001  # seconds of rest that are not worth a timer


class Queue(asyncio.Semaphore):
    """The turns of one address and share. users: those that have one or wait for it; rest: seconds that are still to come."""

    rest, users = 0.0, 0


class WorkBudget:
    """The budgets of each address: processor time (`shares`), bytes read and sent (`traffic`), bytes stored (`disk`).

    owing: when an address that is in debt will have paid it (monotonic clock), by budget; for the disk, half of what it has.
    """

    def __init__(self, limits: Limits) -> None:
        self.shares: dict[Share, Addresses] = {
            share: Addresses(limits.costly if share == "costly" else limits.effort, limits.window) for share in PAYING
        }
        self.traffic, self.disk = Addresses(limits.traffic, limits.window), Addresses(limits.disk, DAY)
        self.owing: dict[tuple[str, Share | Literal["traffic", "disk"]], float] = {}
        self.queues: dict[tuple[str, Share], Queue] = {}  # those in use
        self._aside = set[Usage]()  # what is used by requests that have given their turn back for a while
        self._at_once = limits.at_once
        self._last, self._changed = "", -OTHERS  # the address that had the last turn, and when it was another one before

    async def begin(self, address: str, share: Share) -> None:
        """Wait for a turn of the address, and until it has paid what it owes. `end` has to follow.

        What others behind the address carry keeps nobody from their seat. Every move enters this function, so it calls no other.
        """
        if address != self._last:
            self._last, self._changed = address, time.monotonic() if self._last else self._changed
        queue = self.queues.get((address, share)) or self.queues.setdefault((address, share), Queue(self._at_once))
        queue.users += 1
        try:
            await queue.acquire()
        except BaseException:
            self._leave((address, share))
            raise
        paid = self.owing.get((address, share), 0.0)
        paid = paid if share in ("seat", "files") else max(paid, self.owing.get((address, "traffic"), 0.0))
        if paid and (owed := paid - time.monotonic()) > 0:
            try:
                await asyncio.sleep(min(LONGEST, owed))
            except BaseException:
                self._release((address, share))
                raise

    def end(self, address: str, share: Share, usage: Usage, pays: Share | None = None) -> None:
        """End a turn: charge what it used, and give it back. pays: the share that pays, if it is another one.

        While others are there, the turn rests. Many short rests make one that is worth a timer.
        """
        seconds, key = self.charge(address, pays or share, usage), (address, share)
        if usage in self._aside:  # it ended before it had its turn back
            self._aside.discard(usage)
            return
        queue = self.queues[key]
        queue.rest += seconds * REST if time.monotonic() - self._changed < OTHERS else 0.0
        if queue.rest < SHORT:
            self._release(key)
        else:
            asyncio.get_running_loop().call_later(min(LONGEST, queue.rest), self._release, key)
            queue.rest = 0.0

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
        used = usage or Usage()
        await self.begin(address, share)
        try:
            done = await measure(work(), used)
        finally:
            paying = pays() if pays else share
            self.end(address, share, used, paying)
        if paying != share:
            await asyncio.sleep(min(LONGEST, self.shares[paying].debt(address)))
        return done

    async def aside(self, address: str, share: Share, coming: Awaitable[T], usage: Usage) -> T:
        """In a turn: wait for something that is no work, while another request has the turn. Charge what came, and go on."""
        self._aside.add(usage)
        self._release((address, share))
        try:
            return await coming
        finally:
            self.charge(address, share, usage)
            await self.begin(address, share)
            self._aside.discard(usage)

    def charge(self, address: str, share: Share, usage: Usage) -> float:
        """Charge what was used, which then is paid for. Returns the seconds of processor time."""
        seconds, carried, stored = usage.take()
        if share not in PAYING:
            return seconds
        self._owe((address, share), self.shares[share].wait(address, seconds))
        if carried:
            self._owe((address, "traffic"), self.traffic.wait(address, carried))
        if stored:
            self._owe((address, "disk"), self.disk.wait(address, stored) - self.disk.patience)
        return seconds

    def refuses(self, address: str, share: Share) -> bool:
        """Is the address refused? It is if too many of its requests wait; work that is costly, until some debt is paid."""
        full = self.is_full(address, share, WAITING)
        return full or (share == "costly" and self.shares["costly"].is_exhausted(address))

    def is_full(self, address: str, share: Share, most: int) -> bool:
        """Do so many of an address wait or run?"""
        queue = self.queues.get((address, share))
        return queue is not None and queue.users >= most

    def charge_worker(self, address: str, seconds: float) -> None:
        """Charge the time that a worker has spent on a request."""
        self._owe((address, "costly"), self.shares["costly"].wait(address, seconds))

    def debt(self, address: str) -> float:
        """Seconds until the address has paid for the work of the workers."""
        return self.shares["costly"].debt(address)

    def _owe(self, key: tuple[str, Share | Literal["traffic", "disk"]], seconds: float) -> None:
        """Note for how long an address is in debt."""
        now = time.monotonic()
        if seconds <= 0:
            self.owing.pop(key, None)
            return
        if len(self.owing) >= Addresses.MOST:
            self.owing = {each: until for each, until in self.owing.items() if until > now}
        self.owing[key] = now + seconds

    def _release(self, key: tuple[str, Share]) -> None:
        self.queues[key].release()
        self._leave(key)

    def _leave(self, key: tuple[str, Share]) -> None:
        queue = self.queues[key]
        queue.users -= 1
        if not queue.users:
            del self.queues[key]
