"""Rate limits: how much one page or one address may ask for. `effort` charges what its requests have used."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from bridgehead.server.tables.codes import can_be_guessed

if TYPE_CHECKING:
    import ipaddress

T = TypeVar("T")
DAY = 86_400.0  # seconds for which `Limits.disk` counts


class Limits(NamedTuple):
    """Limits of a server."""

    hello: float = 5.0  # seconds that a page has to send its hello
    seat: int = 100  # messages of a page with a seat in `window` seconds
    watcher: int = 50  # messages of a page without one
    window: float = 20.0
    queue: int = 64  # messages that may be queued for a slow page
    queued: int = 262_144  # bytes that may be queued for it after the first message
    sockets: int = 200  # open connections of one address that watch; as many again may have a seat
    silent: int = 100  # open connections of one address that have not sent their hello
    weight: int = 1 << 30  # bytes of all tables at which one address has connections
    tables: int = 120  # new tables of one address a minute
    away: float = 60.0  # seconds of absence after which the others may decide for a person
    claims: int = 20  # seats that one address may take by a table's code a minute
    entrants: int = 40  # entrants of one tournament from one address
    complaints: int = 5  # reports to the host that one address may make a minute
    misses: int = 60  # wrong table codes that one address may try a minute
    guesses: int = 300  # wrong table codes that all addresses together may try in ten minutes
    films: int = 60  # replays for one address a minute
    classes: int = 120  # looks of a host at all tables from one address a minute
    mine: int = 60  # questions of one address about its own tables a minute
    boards: int = 300  # games under house rules for one address a minute
    hints: int = 30  # hints for one address a minute
    studies: int = 12  # games analysed for one address a minute
    labs: int = 6  # studies of house rules that one address may begin a minute
    edits: int = 1500  # strokes of one address in the board editor a minute
    effort: float = 1.6  # seconds of processor time for each `effort.Share` of one address in `window`; more is slowed down
    costly: float = 12.0  # the same for the share "costly", with the workers' time; refused when it is exceeded by half
    at_once: int = 2  # requests of one address and share that run at the same time
    traffic: int = 32 << 20  # bytes that one address may send and receive in `window` seconds; more is slowed down
    disk: int = 256 << 20  # bytes that one address may store a day; when it is exceeded by half, moves are refused too
    regret: float = 60.0  # seconds for which the next round of a tournament waits for an entrant who has left, and may return
    unplayed: float = 7.0  # days without an event after which a table that nobody has played is deleted; 0: never
    body: int = 65_536  # bytes of a request
    record: int = 1_048_576  # bytes of an uploaded record
    answer: float = 3.0  # seconds that a page has to reveal its link for a draw
    sending: float = 60.0  # seconds for the body of a request


class Bucket:
    """Token bucket: holds `size` tokens; an empty one refills in `seconds`. used: when tokens were last taken (monotonic)."""

    def __init__(self, size: float, seconds: float) -> None:
        self.size = size
        self.rate = size / seconds
        self._left, self.used = float(size), time.monotonic()

    @property
    def left(self) -> float:
        """The tokens in it, negative in debt."""
        return min(self.size, self._left + (time.monotonic() - self.used) * self.rate)

    def take(self, number: float = 1) -> float:
        """Take tokens; returns those left. Negative is debt, at most `size`."""
        now = time.monotonic()
        self._left = max(-float(self.size), min(self.size, self._left + (now - self.used) * self.rate) - number)
        self.used = now
        return self._left


class Addresses:
    """One token bucket per address. An unused bucket is deleted once it would be full again."""

    MOST = 10_000  # buckets in memory; beyond that, the least recently used one is deleted

    def __init__(self, size: float, seconds: float = 60.0) -> None:
        self._size, self._seconds, self.patience = size, seconds, seconds / 2  # the delay beyond which some work is refused
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()  # the least recently used first

    def may(self, address: str) -> bool:
        """Count one request of the address; False if it exceeds the limit."""
        return self.wait(address, 1) == 0

    def is_spent(self, address: str) -> bool:
        """Would `may` return False? Takes no token."""
        bucket = self._buckets.get(address)
        return bucket is not None and bucket.left < 1

    def debt(self, address: str) -> float:
        """Seconds until the address is out of debt. Takes no token."""
        bucket = self._buckets.get(address)
        return 0.0 if bucket is None else max(0.0, -bucket.left / bucket.rate)

    def is_exhausted(self, address: str) -> bool:
        """Is the address in debt by more than half a bucket? Takes no token."""
        return self.debt(address) > self.patience

    def wait(self, address: str, number: float) -> float:
        """Take `number` tokens of the address; returns the seconds by which to delay it."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._new(address)
        else:
            self._buckets.move_to_end(address)
        return max(0.0, -bucket.take(number) / bucket.rate)

    def _new(self, address: str) -> Bucket:
        """A full bucket, in place of those that would be full again: it takes twice the seconds from -size to size."""
        buckets, since = self._buckets, time.monotonic() - 2 * self._seconds
        while buckets and (len(buckets) >= self.MOST or next(iter(buckets.values())).used < since):
            buckets.popitem(last=False)
        made = buckets[address] = Bucket(self._size, self._seconds)
        return made


class WrongCodeLimit:
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
        if self.is_spent(address, name):
            return False
        self._each.may(address)
        self._all.take()
        return True

    def hit(self, address: str, name: str) -> None:
        """The code that was looked up is right."""
        if can_be_guessed(name):
            self._each.wait(address, -1)
            self._all.take(-1)

    def is_spent(self, address: str, name: str) -> bool:
        """Would `may` return False? Counts nothing."""
        return can_be_guessed(name) and (self._each.is_spent(address) or self._all.left < 1)


class TableQuota:
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


class ConnectionQuota:
    """The open connections of each address: silent ones, which have not sent their hello, watchers, and those with a seat.

    Each kind has its own limit, so silent connections and watchers leave room for people with seats.
    """

    def __init__(self, silent: int, each: int) -> None:
        self._silent_most, self._most = silent, each
        self._silent: dict[str, dict[object, None]] = {}
        self._counts: Counter[tuple[str, bool]] = Counter()

    def __len__(self) -> int:
        return sum(map(len, self._silent.values())) + self._counts.total()

    def add_pending(self, address: str, connection: T) -> T | None:
        """Count a new connection; returns the one that has been silent for longest if there are too many."""
        silent = self._silent.setdefault(address, {})
        silent[connection] = None
        if len(silent) <= self._silent_most:
            return None
        oldest: T = next(iter(silent))  # type: ignore[assignment]
        self.drop_pending(address, oldest)
        return oldest

    def admit(self, address: str, connection: object, seated: bool) -> bool:
        """Count a connection that has sent its hello; False, and it is not counted, if there are too many."""
        self.drop_pending(address, connection)
        if self._counts[address, seated] >= self._most:
            return False
        self._counts[address, seated] += 1
        return True

    def drop_pending(self, address: str, connection: object) -> None:
        """Count a silent connection that has left; the others leave by `release`."""
        silent = self._silent.get(address, {})
        silent.pop(connection, None)
        if not silent:
            self._silent.pop(address, None)

    def release(self, address: str, seated: bool) -> None:
        """Count a connection that has left its table."""
        self._counts[address, seated] -= 1
        if not self._counts[address, seated]:
            del self._counts[address, seated]


def ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a text is; None if it is a name."""
    import ipaddress  # takes long to load, and a site needs none

    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def neighbourhood(host: str) -> str:
    """The part of an address that is limited: the first half of an IPv6 address, since one home has 2**64 of them."""
    if ":" not in host:
        return host
    from ipaddress import IPv6Address, IPv6Network

    address = ip(host.partition("%")[0])
    if not isinstance(address, IPv6Address):
        return host
    return str(address.ipv4_mapped or IPv6Network((int(address) >> 64 << 64, 64)))
