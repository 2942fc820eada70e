"""BGF1, the protocol for dice and cards, byte for byte. Standard library only, so that anybody can read and run it.

The server commits to the keys of all chance events by the root of a Merkle tree; every seat commits to its own hash chain.
Once all have committed, each draw is computed from the secrets of both sides, so one honest side is enough to make it random.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import NamedTuple

CHAIN = 1024  # links of a seat's chain
SOURCES = ("person", "server", "bot")  # origin of a seat's seed; "server" gives no protection


class SeatHead(NamedTuple):
    """A seat's commitment: its source (an index of SOURCES) and the head R_0 of its chain."""

    source: int
    head: bytes


class Link(NamedTuple):
    """A revealed link: the seat, its number j in the chain, and R_j."""

    seat: int
    number: int
    value: bytes


class Tree:
    """The server's commitment: keys of events 0 .. 2**depth - 1 under one root (d.9.1). secret: 32 bytes."""

    def __init__(self, secret: bytes, game_id: bytes, depth: int = 12) -> None:
        self.secret, self.game_id, self.depth = secret, game_id, depth
        level = [leaf(e, self.key(e)) for e in range(2**depth)]
        self._levels = [level]
        while len(level) > 1:
            level = [node(level[i], level[i + 1]) for i in range(0, len(level), 2)]
            self._levels.append(level)

    @property
    def root(self) -> bytes:
        return self._levels[-1][0]

    def key(self, event: int) -> bytes:
        """The key of an event, k_e, revealed with a public roll."""
        return event_key(self.secret, self.game_id, event)

    def path(self, event: int) -> list[bytes]:
        """The sibling hashes from the event's leaf up to the root."""
        return [level[(event >> i) ^ 1] for i, level in enumerate(self._levels[:-1])]


def event_key(secret: bytes, game_id: bytes, event: int) -> bytes:
    """k_e of the secret S."""
    return mac(secret, b"bgf1/leaf\0" + game_id + u32(event))


def leaf(event: int, key: bytes) -> bytes:
    return sha(b"\0" + u32(event) + key)


def node(left: bytes, right: bytes) -> bytes:
    return sha(b"\1" + left + right)


def climb(event: int, key: bytes, path: Sequence[bytes]) -> bytes:
    """The root that a key and its path lead to."""
    found = leaf(event, key)
    for level, other in enumerate(path):
        found = node(other, found) if event >> level & 1 else node(found, other)
    return found


def chain(seed: bytes, game_id: bytes, seat: int, length: int = CHAIN) -> list[bytes]:
    """R_0 .. R_length of a seat's seed (d.9.2)."""
    links = [mac(seed, b"bgf1/seat-tip\0" + game_id + u8(seat))]
    for j in range(length, 0, -1):
        links.append(link_before(links[-1], game_id, seat, j))
    return links[::-1]


def link_before(value: bytes, game_id: bytes, seat: int, number: int) -> bytes:
    """R_(j-1) from R_j."""
    return sha(b"bgf1/seat\0" + game_id + u8(seat) + u32(number) + value)


def is_link_of(head: bytes, link: Link, game_id: bytes) -> bool:
    """Does the link belong to the chain with that head?"""
    value = link.value
    for j in range(link.number, 0, -1):
        value = link_before(value, game_id, link.seat, j)
    return hmac.compare_digest(value, head)


def make_transcript(
    game_id: bytes, rules_hash: bytes, root: bytes, depth: int, level: int, seats: Sequence[SeatHead], beacon: bytes = b""
) -> bytes:
    """T: the statement that all agree on before any secret is revealed (d.9.3)."""
    heads = b"".join(u8(seat.source) + seat.head for seat in seats)
    agreed = game_id + rules_hash + root + u8(depth) + u8(level) + u8(len(seats)) + heads + lp(beacon)
    return sha(b"bgf1/transcript\0" + agreed)


def entropy(agreed: bytes, links: Sequence[Link], event: int = 0, beacon: bytes = b"") -> bytes:
    """E, the 32 bytes from which draws follow: those of a whole game (level 1: event 0, every seat's R_1), or of one event
    (level 2) (d.9.4)."""
    revealed = b"".join(u8(link.seat) + u32(link.number) + link.value for link in links)
    return sha(b"bgf1/entropy\0" + agreed + u32(event) + u8(len(links)) + revealed + lp(beacon))


def draw_key(key: bytes, shared: bytes, event: int) -> bytes:
    """X: the key of a draw's stream; `key` is k_e, `shared` is E."""
    return mac(key, b"bgf1/event\0" + shared + u32(event))


class Stream:
    """Random numbers of one event for one purpose, read in order; none is used twice (d.9.5)."""

    def __init__(self, drawn: bytes, label: str, tag: bytes = b"bgf1/stream\0") -> None:
        self._words = _words(drawn, label.encode(), tag)

    def below(self, n: int) -> int:
        """Uniform in 0 .. n - 1, without bias; 1 <= n <= 2**32."""
        if not 1 <= n <= 2**32:
            raise ValueError(f"below({n})")
        while (word := next(self._words)) >= 2**64 - 2**64 % n:
            pass
        return word % n

    def die(self, faces: int) -> int:
        return 1 + self.below(faces)

    def shuffle(self, n: int) -> list[int]:
        """0 .. n - 1 in random order; cards are dealt from the end."""
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order

    def choose_by_weight(self, weights: Sequence[int]) -> int:
        """An index, with probability proportional to its integer weight."""
        left = self.below(sum(weights))
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        raise AssertionError("weights are not positive")


def _words(drawn: bytes, label: bytes, tag: bytes) -> Iterator[int]:
    block = 0
    while True:
        data = mac(drawn, tag + lp(label) + u32(block))
        yield from (int.from_bytes(data[i : i + 8], "big") for i in range(0, 32, 8))
        block += 1


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def mac(key: bytes, data: bytes) -> bytes:
    return hmac.digest(key, data, "sha256")


def u8(number: int) -> bytes:
    return number.to_bytes(1, "big")


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def lp(data: bytes) -> bytes:
    """Bytes with their length in front."""
    return u32(len(data)) + data
