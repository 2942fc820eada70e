"""BGF2, the protocol for dice and cards, byte for byte (docs/understand/fairness.md). Standard library only.

The server commits to the keys of all chance events by the root of a Merkle tree, each seat to a hash chain of its own. The
transcript T binds all commitments and the rule by which seats contribute to a draw. Nothing else enters a draw.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Literal, NamedTuple

from bridgehead.fairness.bgf1 import Stream, climb, leaf, lp, mac, node, sha, u8, u32

SOURCES = ("person", "server", "bot")  # origin of a seat's seed; "server" gives no protection
SERVER = SOURCES.index("server")
DEPTHS = {1: 12, 2: 10}  # by level: depth of the server's tree
LONG = 1025  # links of a seat's chain at level 2: the opening, and one for each event
Rule = Literal["bgf2/opening", "bgf2/last-next"]
RULES: dict[int, Rule] = {1: "bgf2/opening", 2: "bgf2/last-next"}  # by level: name of the contributors' rule
LABEL = "chance"  # each event has one draw, so one label is enough
ASK_FIRST = 2  # number of the link of event 0; link 1 is the opening
LOW = 5  # levels of a tree that are computed again for each path


class SeatHead(NamedTuple):
    """A seat's commitment: its source (an index of SOURCES), the length of its chain, and its head R_0."""

    source: int
    length: int
    head: bytes


class Terms(NamedTuple):
    """The content of the transcript T of an era: everything that enters a draw, besides the keys and links that it commits to.

    number: of the era, from 1; first: number of the match's chance event that is event 0 of the era; rules: see `rules_hash`.
    """

    game_id: bytes
    number: int
    first: int
    rules: bytes
    root: bytes
    depth: int
    level: int
    seats: tuple[SeatHead, ...]

    @property
    def transcript(self) -> bytes:
        """T."""
        heads = b"".join(u8(seat.source) + u32(seat.length) + seat.head for seat in self.seats)
        agreed = self.game_id + u32(self.number) + u32(self.first) + self.rules + self.root
        shape = u8(self.depth) + u8(self.level) + lp(RULES[self.level].encode()) + u8(len(self.seats))
        return sha(b"bgf2/transcript\0" + agreed + shape + heads)

    @property
    def room(self) -> int:
        """The number of events that the era can supply."""
        links = [seat.length - 1 for seat in self.seats if seat.source != SERVER]
        return min([int(2**self.depth), *(links if self.level == 2 else [])])


class Contribution(NamedTuple):
    """A seat's link for an event."""

    seat: int
    value: bytes


class Tree:
    """The server's commitment: keys of events 0 .. 2**depth - 1 under one root. secret: 32 bytes.

    It keeps the upper hashes only; `path` computes the lower ones again, which takes 0.1 ms.
    """

    def __init__(self, secret: bytes, game_id: bytes, number: int, depth: int) -> None:
        self.secret, self.game_id, self.number, self.depth = secret, game_id, number, depth
        self._low = min(LOW, depth)
        tops = [self._lower(at << self._low)[-1][0] for at in range(2 ** (depth - self._low))]
        self._upper = _levels(tops)

    @property
    def root(self) -> bytes:
        return self._upper[-1][0]

    def key(self, event: int) -> bytes:
        """The key of an event, k_e."""
        return event_key(self.secret, self.game_id, self.number, event)

    def path(self, event: int) -> list[bytes]:
        """The sibling hashes from the event's leaf up to the root."""
        inside, at = event & (1 << self._low) - 1, event >> self._low
        low = [level[(inside >> i) ^ 1] for i, level in enumerate(self._lower(event - inside)[:-1])]
        return low + [level[(at >> i) ^ 1] for i, level in enumerate(self._upper[:-1])]

    def _lower(self, first: int) -> list[list[bytes]]:
        """All levels of the subtree whose first event is `first`."""
        return _levels([leaf(event, self.key(event)) for event in range(first, first + 2**self._low)])


def _levels(lowest: list[bytes]) -> list[list[bytes]]:
    levels = [lowest]
    while len(levels[-1]) > 1:
        under = levels[-1]
        levels.append([node(under[i], under[i + 1]) for i in range(0, len(under), 2)])
    return levels


def event_key(secret: bytes, game_id: bytes, number: int, event: int) -> bytes:
    """k_e of the secret S of an era."""
    return mac(secret, b"bgf2/leaf\0" + game_id + u32(number) + u32(event))


def is_under(root: bytes, depth: int, event: int, key: bytes, path: Sequence[bytes]) -> bool:
    """Does the key belong to the root?"""
    return len(path) == depth and 0 <= event < 2**depth and climb(event, key, path) == root


def chain(seed: bytes, game_id: bytes, number: int, seat: int, length: int) -> list[bytes]:
    """R_0 .. R_length of a seat's seed in an era."""
    links = [mac(seed, b"bgf2/seat-tip\0" + game_id + u32(number) + u8(seat))]
    for j in range(length, 0, -1):
        links.append(link_before(links[-1], game_id, number, seat, j))
    return links[::-1]


def chain_length(level: int, source: int) -> int:
    """The length of a seat's chain: one link, but at level 2 for each seat that seals for itself one for each event too."""
    return LONG if level == 2 and source != SERVER else 1


def link_before(value: bytes, game_id: bytes, number: int, seat: int, j: int) -> bytes:
    """R_(j-1) from R_j."""
    return sha(b"bgf2/seat\0" + game_id + u32(number) + u8(seat) + u32(j) + value)


def leads_to(terms: Terms, seat: int, j: int, value: bytes, known: tuple[int, bytes] | None = None) -> bool:
    """Is `value` link j of the seat's chain? known: an earlier link of it, to save steps; the head if None."""
    if not 0 <= seat < len(terms.seats) or not 0 < j <= terms.seats[seat].length:
        return False
    at, end = known or (0, terms.seats[seat].head)
    if at > j:
        at, end = 0, terms.seats[seat].head
    for number in range(j, at, -1):
        value = link_before(value, terms.game_id, terms.number, seat, number)
    return value == end


def contributors(terms: Terms, last: int) -> tuple[int, ...]:
    """The seats whose links enter an event, in order. last: the seat that made the last decision, 0 if none has."""
    if terms.level == 1:
        return ()
    order = [(last + step) % len(terms.seats) for step in range(len(terms.seats))]
    return tuple(seat for seat in order if terms.seats[seat].source != SERVER)[:2]


def rules_hash(game: str, version: str, sources: bytes, options: str, salt: bytes) -> bytes:
    """The hash of what decides: the game, its rules' version, the digest of its sources, its house rules, and a salt."""
    return sha(b"bgf2/rules\0" + lp(game.encode()) + lp(version.encode()) + sources + lp(options.encode()) + lp(salt))


def sources_hash(files: Iterable[tuple[str, bytes]]) -> bytes:
    """The digest of a game's sources. files: path and content, in any order."""
    found = sorted((path.encode(), content) for path, content in files)
    return sha(b"bgf2/sources\0" + b"".join(lp(path) + lp(content) for path, content in found))


def combine_openings(transcript: bytes, links: Sequence[bytes]) -> bytes:
    """O: made of T and of the first link of each seat."""
    return sha(b"bgf2/opening\0" + transcript + u8(len(links)) + b"".join(links))


def entropy(opened: bytes, event: int, links: Sequence[Contribution]) -> bytes:
    """E of an event."""
    given = b"".join(u8(link.seat) + link.value for link in links)
    return sha(b"bgf2/entropy\0" + opened + u32(event) + u8(len(links)) + given)


def stream(key: bytes, shared: bytes, event: int) -> Stream:
    """The random numbers of an event; `key` is k_e, `shared` is E."""
    return Stream(mac(key, b"bgf2/event\0" + shared + u32(event)), LABEL, b"bgf2/stream\0")


def outcome(key: bytes, shared: bytes, event: int, weights: Sequence[int]) -> int:
    """The index of an event's outcome among those with these weights; -1 if they are no weights."""
    if not 1 <= sum(weights) <= 2**32 or min(weights) < 0:
        return -1
    return stream(key, shared, event).choose_by_weight(weights)


def four_words(opened: bytes) -> list[str]:
    """Four words of O, for people to compare with their own voices."""
    bits = int.from_bytes(sha(b"bgf2/words\0" + opened), "big") >> 256 - 44
    return [_words()[bits >> shift & 2047] for shift in (33, 22, 11, 0)]


@functools.cache
def _words() -> list[str]:
    return resources.files("bridgehead.fairness").joinpath("words.txt").read_text("utf-8").split()


def era_statement(game_id: bytes, number: int, transcript: bytes) -> bytes:
    """The bytes that the server signs at a freeze."""
    return b"bgf2/era\0" + game_id + u32(number) + transcript


def list_statement(n: int, link: bytes) -> bytes:
    """The bytes that the server signs for a head of its public list."""
    return b"bgf2/list\0" + u32(n) + link


def list_link(before: bytes, n: int, row: bytes, value: bytes) -> bytes:
    """The link of a row of the public list. row: the game id and the era's number (u32); value: T. (BGF1: game id, root.)"""
    return sha(b"bridgehead sealed\0" + before + u32(n) + row + value)
