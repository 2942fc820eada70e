"""Rate limits: how much one page or one address may ask for."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from typing import NamedTuple

from cachetools import TTLCache

from bridgehead.server.messages import client
from bridgehead.server.tables.codes import can_be_guessed

# Work that a message causes; a ping causes 1.
PRICES: dict[type, int] = {
    client.Hello: 20, client.Act: 5, client.Undo: 5, client.Ask: 5, client.Answer: 5, client.Withdraw: 5, client.Why: 3,
    client.Hint: 40, client.Seating: 10, client.House: 10, client.Rematch: 20, client.Say: 5, client.Point: 2, client.Seal: 5,
    client.Reveal: 5, client.Begin: 30,
}  # fmt: skip


class Limits(NamedTuple):
    """Limits of a server."""

    hello: float = 5.0  # seconds that a page has to send its hello
    seat: int = 100  # messages of a page with a seat in `window` seconds
    watcher: int = 50  # messages of a page without one
    window: float = 20.0
    queue: int = 64  # messages that may be queued for a slow page
    queued: int = 262_144  # bytes that may be queued for it after the first message
    sockets: int = 200  # open connections of one address
    weight: int = 1 << 30  # bytes of all tables at which one address has connections
    tables: int = 120  # new tables of one address a minute
    away: float = 60.0  # seconds of absence after which the others may decide for a person
    claims: int = 20  # seats that one address may take by a table's code a minute
    misses: int = 60  # wrong table codes that one address may try a minute
    guesses: int = 300  # wrong table codes that all addresses together may try in ten minutes
    films: int = 60  # replays for one address a minute
    boards: int = 300  # games under house rules for one address a minute
    hints: int = 30  # hints for one address a minute
    studies: int = 12  # games analysed for one address a minute
    labs: int = 6  # studies of house rules that one address may begin a minute
    edits: int = 1500  # strokes of one address in the board editor a minute
    effort: int = 4000  # work for one address in `window` seconds; more is slowed down
    body: int = 65_536  # bytes of a request
    record: int = 1_048_576  # bytes of an uploaded record
    answer: float = 3.0  # seconds that a page has to reveal its link for a draw
    sending: float = 60.0  # seconds for the body of a request


class Bucket:
    """Token bucket: holds `size` tokens; an empty one refills in `seconds`."""

    def __init__(self, size: int, seconds: float) -> None:
        self.size = size
        self.rate = size / seconds
        self._left, self._at = float(size), time.monotonic()

    def take(self, number: int = 1) -> float:
        """Take tokens; returns the rest, which is negative if there were too few, but at least -size."""
        now = time.monotonic()
        self._left = max(-float(self.size), min(self.size, self._left + (now - self._at) * self.rate) - number)
        self._at = now
        return self._left


class Addresses:
    """One token bucket per address. An unused bucket is deleted once it would be full again."""

    MOST = 10_000  # buckets in memory; beyond that, the least recently used one is deleted

    def __init__(self, size: int, seconds: float = 60.0) -> None:
        self._size, self._seconds = size, seconds
        self._buckets: TTLCache[str, Bucket] = TTLCache(self.MOST, 2 * seconds, time.monotonic)  # from -size to size

    def may(self, address: str) -> bool:
        """Count one request of the address; False if it exceeds the limit."""
        return self.wait(address, 1) == 0

    def spent(self, address: str) -> bool:
        """Would `may` return False? Takes no token."""
        bucket = self._buckets.get(address)
        return bucket is not None and bucket.take(0) < 1

    def wait(self, address: str, number: int) -> float:
        """Take `number` tokens of the address; returns the seconds by which to delay it."""
        bucket = self._buckets.get(address) or Bucket(self._size, self._seconds)
        self._buckets[address] = bucket  # each use restarts its time to live
        return max(0.0, -bucket.take(number) / bucket.rate)


class Guesses:
    """Wrong table codes. one: of one address a minute; all_of_them: of all addresses together in WINDOW seconds.

    A long id cannot be guessed, so it is never counted.
    """

    WINDOW = 600.0

    def __init__(self, one: int, all_of_them: int) -> None:
        self._each, self._all = Addresses(one), Bucket(all_of_them, self.WINDOW)

    def may(self, address: str, name: str) -> bool:
        """May this code be looked up? It counts as wrong until `hit`, so many at the same time are not more than the budget."""
        if not can_be_guessed(name):
            return True
        if self._each.spent(address) or self.all_spent:
            return False
        self._each.may(address)
        self._all.take()
        return True

    def hit(self, address: str, name: str) -> None:
        """The code that was looked up is right."""
        if can_be_guessed(name):
            self._each.wait(address, -1)
            self._all.take(-1)

    @property
    def all_spent(self) -> bool:
        """Have all addresses together tried too many?"""
        return self._all.take(0) < 1


class Shares:
    """Memory in use by each address: its connections at each table, and the weight (bytes) of these tables."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, tuple[int, int]]] = {}
        self._sums: Counter[str] = Counter()

    def __len__(self) -> int:
        """The number of addresses with connections."""
        return len(self._held)

    def take(self, address: str, table: str, weight: int, most: int) -> bool:
        """Count a connection of an address at a table; False, and nothing is counted, if its tables would be too heavy."""
        held = self._held.get(address, {})
        if table not in held and self._sums[address] + weight > most:
            return False
        sockets, weight = held.get(table, (0, weight))
        self._sums[address] += weight * (sockets == 0)
        self._held.setdefault(address, held)[table] = (sockets + 1, weight)
        return True

    def leave(self, address: str, table: str) -> None:
        """Count a connection that has left."""
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
    """The part of an address that is limited: the first half of an IPv6 address, since one home has 2**64 of them."""
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    return str(address.ipv4_mapped or ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))
