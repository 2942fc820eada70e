"""Rate limits for pages and addresses."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from typing import NamedTuple

from cachetools import TTLCache

from bridgehead.server.messages import client

# The cost of each message; a ping costs 1.
PRICES: dict[type, int] = {
    client.Hello: 20, client.Act: 5, client.Undo: 5, client.Ask: 5, client.Answer: 5, client.Withdraw: 5, client.Why: 3,
    client.Hint: 40, client.Seating: 10, client.House: 10, client.Rematch: 20, client.Say: 5, client.Point: 2, client.Seal: 5,
    client.Reveal: 5, client.Begin: 30,
}  # fmt: skip


class Limits(NamedTuple):
    """Limits of a server."""

    hello: float = 5.0  # seconds within which a socket must send its hello
    seat: int = 100  # messages in `window` seconds from a socket with a seat
    watcher: int = 50  # and from one without
    window: float = 20.0
    queue: int = 64  # messages in the queue of a slow reader
    queued: int = 262_144  # bytes in it, behind the first message
    sockets: int = 200  # open sockets of one address
    weight: int = 1 << 30  # bytes of memory of all tables of one address
    tables: int = 120  # new tables of one address a minute
    away: float = 60.0  # seconds after which the others may decide for an absent person
    claims: int = 20  # seats that one address takes by code a minute
    misses: int = 60  # wrong table codes of one address a minute
    films: int = 60  # replays for one address a minute
    boards: int = 300  # checks of house rules for one address a minute
    hints: int = 30  # hints for one address a minute
    studies: int = 12  # analyses for one address a minute
    labs: int = 6  # studies of house rules for one address a minute
    edits: int = 1500  # strokes in the board editor for one address a minute
    effort: int = 4000  # cost of the messages of one address in `window` seconds; more is slowed down
    body: int = 65_536  # bytes of the body of a request
    record: int = 1_048_576  # bytes of a record
    answer: float = 3.0  # seconds within which a page must reveal its link for a draw
    sending: float = 60.0  # seconds within which the body of a request must arrive


class Bucket:
    """Token bucket: holds `size` tokens and refills within `seconds`."""

    def __init__(self, size: int, seconds: float) -> None:
        self.size = size
        self._rate = size / seconds
        self._left, self._at = float(size), time.monotonic()

    def take(self, number: int = 1) -> float:
        """Take tokens; returns the rest, which is negative if there were too few, but at least -size."""
        now = time.monotonic()
        self._left = max(-float(self.size), min(self.size, self._left + (now - self._at) * self._rate) - number)
        self._at = now
        return self._left

    def wait(self, number: int) -> float:
        """Take tokens, on credit if necessary; returns the seconds until the debt is paid."""
        return max(0.0, -self.take(number) / self._rate)


class Addresses:
    """One token bucket per address. A bucket without use is forgotten once it must be full again."""

    MOST = 10_000  # buckets in memory; beyond it the one unused for longest is forgotten

    def __init__(self, size: int, seconds: float = 60.0) -> None:
        self._size, self._seconds = size, seconds
        self._buckets: TTLCache[str, Bucket] = TTLCache(self.MOST, 2 * seconds, time.monotonic)  # from -size to size

    def may(self, address: str) -> bool:
        """Take a token of the address; False if it has none."""
        return self._bucket(address).take() >= 0

    def spent(self, address: str) -> bool:
        """Would `may` return False? It takes no token."""
        bucket = self._buckets.get(address)
        return bucket is not None and bucket.take(0) < 1

    def wait(self, address: str, number: int) -> float:
        """Take tokens of the address; returns the seconds by which to slow it down."""
        return self._bucket(address).wait(number)

    def _bucket(self, address: str) -> Bucket:
        bucket = self._buckets.get(address) or Bucket(self._size, self._seconds)
        self._buckets[address] = bucket  # its time begins again with each use
        return bucket


class Shares:
    """Memory that each address occupies: the tables of its sockets, with the number of sockets and the weight of each."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, tuple[int, int]]] = {}
        self._sums: Counter[str] = Counter()

    def __len__(self) -> int:
        """Number of addresses with sockets at tables."""
        return len(self._held)

    def take(self, address: str, table: str, weight: int, most: int) -> bool:
        """Add a socket of an address at a table; False, without adding it, if its tables would weigh too much."""
        held = self._held.get(address, {})
        if table not in held and self._sums[address] + weight > most:
            return False
        sockets, weight = held.get(table, (0, weight))
        self._sums[address] += weight * (sockets == 0)
        self._held.setdefault(address, held)[table] = (sockets + 1, weight)
        return True

    def leave(self, address: str, table: str) -> None:
        """Remove a socket."""
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
    """The part of an address that limits count: the first 64 bits of IPv6, since one home has 2**64 addresses; all of IPv4."""
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    return str(address.ipv4_mapped or ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))
