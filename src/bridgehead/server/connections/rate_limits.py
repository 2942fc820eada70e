"""How much one page or one address may ask for."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from typing import NamedTuple

from cachetools import TTLCache

from bridgehead.server.messages import client as said

# Work that a message makes, a ping being 1.
PRICES: dict[type, int] = {
    said.Hello: 20, said.Act: 5, said.Undo: 5, said.Ask: 5, said.Answer: 5, said.Withdraw: 5, said.Why: 3, said.Hint: 40,
    said.Seating: 10, said.House: 10, said.Rematch: 20, said.Say: 5, said.Point: 2, said.Seal: 5, said.Reveal: 5, said.Begin: 30,
}  # fmt: skip


class Limits(NamedTuple):
    """Bounds of a server."""

    hello: float = 5.0  # seconds until a socket has to say hello
    seat: int = 100  # messages that a socket with a seat may send in `window` seconds
    watcher: int = 50  # and one without
    window: float = 20.0
    queue: int = 64  # messages that may wait for a slow reader
    queued: int = 262_144  # bytes that may wait for it behind a first message
    sockets: int = 200  # open sockets of one address
    weight: int = 1 << 30  # bytes of the tables at which one address sits, together
    tables: int = 120  # new tables of one address a minute
    away: float = 60.0  # seconds after which the others at a table may decide for somebody who is not there
    claims: int = 20  # seats that one address may take by code a minute
    misses: int = 60  # codes of tables that do not exist, tried by one address a minute
    films: int = 60  # records of one address shown step by step a minute
    boards: int = 300  # house rules of one address looked at a minute
    hints: int = 30  # hints for one address a minute
    studies: int = 12  # games analysed for one address a minute
    labs: int = 6  # studies of house rules begun by one address a minute
    edits: int = 1500  # strokes of one address at boards that are drawn, a minute
    effort: int = 4000  # work for one address in `window` seconds, a message on a socket being one; more is slowed down
    body: int = 65_536  # bytes of a request
    record: int = 1_048_576  # bytes of a record sent in
    answer: float = 3.0  # seconds in which a page has to give its link to a draw
    sending: float = 60.0  # seconds in which a request's body has to be here


class Bucket:
    """A token bucket: `size` at once, refilled within `seconds`."""

    def __init__(self, size: int, seconds: float) -> None:
        self.size = size
        self._rate = size / seconds
        self._left, self._at = float(size), time.monotonic()

    def take(self, number: int = 1) -> float:
        """Take one or more; what is left, below zero when there was not enough. It never falls below -size."""
        now = time.monotonic()
        self._left = max(-float(self.size), min(self.size, self._left + (now - self._at) * self._rate) - number)
        self._at = now
        return self._left

    def wait(self, number: int) -> float:
        """Take some, and go into debt if need be; how many seconds pass until it is paid."""
        return max(0.0, -self.take(number) / self._rate)


class Addresses:
    """One token bucket per address. A bucket without use is forgotten once it must be full again."""

    MOST = 10_000  # buckets in memory; beyond it the one unused for longest is forgotten

    def __init__(self, size: int, seconds: float = 60.0) -> None:
        self._size, self._seconds = size, seconds
        self._buckets: TTLCache[str, Bucket] = TTLCache(self.MOST, 2 * seconds, time.monotonic)  # from -size to size

    def may(self, address: str) -> bool:
        """Count one for the address; False when it has asked too often."""
        return self._bucket(address).take() >= 0

    def spent(self, address: str) -> bool:
        """Would `may` refuse? Nothing is counted."""
        bucket = self._buckets.get(address)
        return bucket is not None and bucket.take(0) < 1

    def wait(self, address: str, number: int) -> float:
        """Count some for the address; seconds by which to slow it down."""
        return self._bucket(address).wait(number)

    def _bucket(self, address: str) -> Bucket:
        bucket = self._buckets.get(address) or Bucket(self._size, self._seconds)
        self._buckets[address] = bucket  # its time begins again with each use
        return bucket


class Shares:
    """What each address keeps in memory by the tables at which its sockets are: sockets and weight by table."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, tuple[int, int]]] = {}
        self._sums: Counter[str] = Counter()

    def __len__(self) -> int:
        """Addresses that keep something."""
        return len(self._held)

    def take(self, address: str, table: str, weight: int, most: int) -> bool:
        """One socket more of an address is at a table; False, and none is, if its tables were too heavy together."""
        held = self._held.get(address, {})
        if table not in held and self._sums[address] + weight > most:
            return False
        sockets, weight = held.get(table, (0, weight))
        self._sums[address] += weight * (sockets == 0)
        self._held.setdefault(address, held)[table] = (sockets + 1, weight)
        return True

    def leave(self, address: str, table: str) -> None:
        """One socket less."""
        held = self._held[address]
        sockets, weight = held[table]
        if sockets > 1:
            held[table] = (sockets - 1, weight)
            return
        del held[table]
        self._sums[address] -= weight
        if not held:
            del self._held[address], self._sums[address]


def neighbourhood(host: str) -> str:
    """What counts as one address: a home or a machine has 2**64 of IPv6, so the first half of it; else the whole."""
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    return str(address.ipv4_mapped or ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))
