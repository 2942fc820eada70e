"""The seals of a match, era by era: an immutable value; each event returns a new one. It also deals the sealed draws."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bridgehead.core import record as records
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.fairness import bgf1, proof
from bridgehead.fairness.bgf1 import Link, SeatHead

DEPTH = 12
SERVER = bgf1.SOURCES.index("server")


class Keeper:
    """The server's secrets of a match, all derived from 32 bytes: S of each era, and the seeds of seats without their own."""

    def __init__(self, master: bytes) -> None:
        self._master = master

    def secret(self, game_id: bytes) -> bytes:
        """S of an era."""
        return bgf1.mac(self._master, b"bridgehead/era\0" + game_id)

    def chain(self, game_id: bytes, seat: int) -> list[bytes]:
        """R_0 .. R_1024 of a seat in an era, made by the server."""
        return _chain(bgf1.mac(self._master, b"bridgehead/seat\0" + game_id + bgf1.u8(seat)), game_id, seat)

    def head(self, game_id: bytes, seat: int) -> SeatHead:
        return SeatHead(SERVER, self.chain(game_id, seat)[0])


@functools.lru_cache(256)
def _chain(seed: bytes, game_id: bytes, seat: int) -> list[bytes]:
    return bgf1.chain(seed, game_id, seat)


class Request(NamedTuple):
    """A draw that waits for links at level 2: the era's event, the seats asked, their links, the seats without an answer."""

    event: int
    seats: tuple[int, ...]
    links: tuple[Link, ...] = ()
    defaults: tuple[int, ...] = ()

    @property
    def missing(self) -> tuple[int, ...]:
        given = {link.seat for link in self.links} | set(self.defaults)
        return tuple(seat for seat in self.seats if seat not in given)


class Era(NamedTuple):
    """Chance under one transcript.

    heads: each seat's commitment, or None; holders: for each head, an identifier of its sender; last: the last link that
    each seat revealed, number 0 being the head. first: number of the match's chance event that is event 0 of this era,
    -1 before the era begins; until: the first event after it, -1 while it lasts.
    """

    game_id: bytes
    root: bytes
    depth: int
    level: int
    heads: tuple[SeatHead | None, ...]
    holders: tuple[str, ...]
    transcript: bytes = b""
    signature: str = ""
    last: tuple[Link, ...] = ()
    first: int = -1
    until: int = -1
    asked: Request | None = None
    answers: Mapping[int, Request] = {}

    @property
    def room(self) -> int:
        """The number of draws that the era can supply: its tree's leaves; at level 2 at most the links of a seat."""
        return min(2**self.depth, bgf1.CHAIN) if self.level == 2 else int(2**self.depth)

    @property
    def unsealed(self) -> tuple[int, ...]:
        """Seats that have not committed."""
        return tuple(seat for seat, head in enumerate(self.heads) if head is None)

    @property
    def unopened(self) -> tuple[int, ...]:
        """Seats that must reveal their first link before any draw (level 1)."""
        if self.level == 2 or not self.transcript:
            return ()
        return tuple(link.seat for link in self.last if not link.number and not self.is_made(link.seat))

    @property
    def is_complete(self) -> bool:
        return bool(self.transcript) and not self.unopened

    @property
    def own(self) -> frozenset[int]:
        """Seats that sealed for themselves: each one protects against the server."""
        return frozenset(seat for seat, head in enumerate(self.heads) if head and head.source != SERVER)

    def is_made(self, seat: int) -> bool:
        """Did the server make the seat's seed?"""
        head = self.heads[seat]
        return head is not None and head.source == SERVER

    def agreed(self, rules: bytes) -> bytes:
        """T, once all have committed."""
        heads = [head for head in self.heads if head is not None]
        return bgf1.transcript(self.game_id, rules, self.root, self.depth, self.level, heads)


class Seals:
    """The eras of a match, and its dealer. It is immutable: each event makes a new one.

    rules: the rules hash; dealt: number of chance events dealt so far, including those taken back.
    """

    def __init__(self, keeper: Keeper, rules: bytes, eras: tuple[Era, ...] = (), dealt: int = 0) -> None:
        self.keeper, self.rules, self.eras, self.dealt = keeper, rules, eras, dealt

    @property
    def pending(self) -> Era | None:
        """The era that is being sealed."""
        return self.eras[-1] if self.eras and self.eras[-1].first < 0 else None

    @property
    def running(self) -> Era | None:
        """The era that supplies the next draw."""
        return self.era_of(self.dealt)

    def era_of(self, index: int) -> Era | None:
        """The era that supplies the draw of a chance event of the match, or None."""
        for era in reversed(self.eras):
            if 0 <= era.first <= index < era.first + era.room and (era.until < 0 or index < era.until):
                return era
        return None

    # Events

    def begun(self, era: Era) -> Seals:
        """Begin to seal a new era. It replaces an unfinished one, which then never supplies a draw."""
        eras = self.eras
        if self.pending is not None:
            eras = (*eras[:-1], eras[-1]._replace(first=self.dealt, until=self.dealt))
        return self._with((*eras, era))

    def committed(self, seat: int, head: SeatHead, holder: str) -> Seals:
        era = self._pending()
        heads = (*era.heads[:seat], head, *era.heads[seat + 1 :])
        return self._with((*self.eras[:-1], era._replace(heads=heads, holders=_put(era.holders, seat, holder))))

    def frozen(self, transcript: bytes, signature: str = "") -> Seals:
        era = self._pending()
        last = tuple(Link(seat, 0, head.head) for seat, head in enumerate(era.heads) if head is not None)
        return self._with((*self.eras[:-1], era._replace(transcript=transcript, signature=signature, last=last)))._opened()

    def opened(self, game_id: bytes, link: Link) -> Seals:
        """A seat reveals a link: its first for the whole era, or its next for the draw that waits for it."""
        at, era = self._at(game_id)
        era = era._replace(last=tuple(link if link.seat == each.seat else each for each in era.last))
        if era.asked is not None:
            era = _settled(era._replace(asked=era.asked._replace(links=(*era.asked.links, link))))
        return self._with((*self.eras[:at], era, *self.eras[at + 1 :]))._opened()

    def requested(self, game_id: bytes, event: int, seats: Sequence[int]) -> Seals:
        at, era = self._at(game_id)
        return self._with((*self.eras[:at], _settled(era._replace(asked=Request(event, tuple(seats)))), *self.eras[at + 1 :]))

    def defaulted(self, game_id: bytes, seat: int) -> Seals:
        at, era = self._at(game_id)
        assert era.asked is not None
        era = _settled(era._replace(asked=era.asked._replace(defaults=(*era.asked.defaults, seat))))
        return self._with((*self.eras[:at], era, *self.eras[at + 1 :]))

    def played(self, chances: int, is_over: bool) -> Seals:
        """Set the number of chance events in the match. When it is over, its eras end and their secrets may be revealed."""
        dealt = max(self.dealt, chances)
        eras = self.eras
        if is_over:
            eras = tuple(era._replace(until=dealt) if era.first >= 0 and era.until < 0 else era for era in eras)
        return self if dealt == self.dealt and eras == self.eras else Seals(self.keeper, self.rules, eras, dealt)

    # The dealer

    def deal(self, position: Position, index: int) -> int | None:
        """The sealed outcome; None while a part of it is missing."""
        era = self.era_of(index)
        links = None if era is None else self.links(era, index - era.first)
        if era is None or links is None:
            return None
        event = index - era.first
        key = bgf1.event_key(self.keeper.secret(era.game_id), era.game_id, event)
        return proof.drawn(position, key, bgf1.entropy(era.transcript, links, 0 if era.level == 1 else event), event)

    def links(self, era: Era, event: int) -> Sequence[Link] | None:
        """The seats' links for an event, or None if incomplete."""
        if era.level == 1:
            return self.first_links(era) if era.is_complete else None
        answer = era.answers.get(event)
        return None if answer is None else sorted(answer.links, key=lambda link: answer.seats.index(link.seat))

    def first_links(self, era: Era) -> list[Link]:
        """Every seat's first link, as far as it may be revealed."""
        if not era.is_complete:
            return [link for link in era.last if link.number]
        made = {seat: self.keeper.chain(era.game_id, seat)[1] for seat in range(len(era.heads)) if era.is_made(seat)}
        return [Link(link.seat, 1, made.get(link.seat, link.value)) for link in era.last]

    # The proof

    def disclosed(self, chances: int, revealed: bool, most: int = 200) -> list[proof.Era]:
        """The public part of all frozen eras, for a proof. chances: of the match; revealed: include the secrets.

        Without the secrets, it includes the keys of the last `most` events dealt.
        """
        return [self._disclosed(era, chances, revealed, most) for era in self.eras if era.transcript]

    def _disclosed(self, era: Era, chances: int, revealed: bool, most: int) -> proof.Era:
        first = era.first if era.first >= 0 else self.dealt
        secret, end = self.keeper.secret(era.game_id), chances if era.until < 0 else min(chances, era.until)
        events = [] if revealed else range(max(0, end - first - most), max(0, end - first))
        tree = bgf1.Tree(secret, era.game_id, era.depth) if events else None
        links = self.first_links(era) if era.level == 1 else []
        return proof.Era(
            first=first, game_id=era.game_id.hex(), depth=era.depth, level=era.level, root=era.root.hex(),
            seats=[proof.SealedSeat(head.source, head.head.hex()) for head in era.heads if head is not None],
            transcript=era.transcript.hex(), signature=era.signature, links=[_plain(link) for link in links],
            answers={str(e): [_plain(link) for link in self.links(era, e) or ()] for e in era.answers},
            defaults={str(e): list(answer.defaults) for e, answer in era.answers.items() if answer.defaults},
            keys={} if tree is None else {str(e): _key(tree, e) for e in events}, secret=secret.hex() if revealed else "",
        )  # fmt: skip

    def _with(self, eras: tuple[Era, ...]) -> Seals:
        return Seals(self.keeper, self.rules, eras, self.dealt)

    def _opened(self) -> Seals:
        """If the pending era is complete, put it into force in place of the one before it."""
        if self.pending is None or not self.pending.is_complete:
            return self
        eras = tuple(era._replace(until=self.dealt) if era.until < 0 <= era.first else era for era in self.eras[:-1])
        return self._with((*eras, self.eras[-1]._replace(first=self.dealt)))

    def _pending(self) -> Era:
        assert self.pending is not None, "no era is being sealed"
        return self.pending

    def _at(self, game_id: bytes) -> tuple[int, Era]:
        return next((at, era) for at, era in enumerate(self.eras) if era.game_id == game_id)


def begin(keeper: Keeper, game_id: bytes, level: int, made: Sequence[bool], depth: int = DEPTH) -> Era:
    """A new era: the server commits, also for the seats whose seeds it makes. Takes about 10 ms."""
    heads = tuple(keeper.head(game_id, seat) if is_made else None for seat, is_made in enumerate(made))
    root = bgf1.Tree(keeper.secret(game_id), game_id, depth).root
    return Era(game_id, root, depth, level, heads, ("",) * len(heads))


def proof_of(match: Match, eras: Sequence[proof.Era], record: str = "", server: str = "") -> proof.Proof:
    """The proof of a match so far. server: the public key that signed."""
    chances = [index for index, entry in enumerate(match.log) if entry.actor < 0]
    draws = [proof.draw(match.positions[index], match.log[index].action) for index in chances]
    return proof.Proof("bgf1", record or records.dump(match), list(eras), draws, server)


def _settled(era: Era) -> Era:
    """If the draw that waits has all its links, record them as its answer."""
    if era.asked is None or era.asked.missing:
        return era
    return era._replace(answers={**era.answers, era.asked.event: era.asked}, asked=None)


def _put(row: tuple[str, ...], at: int, value: str) -> tuple[str, ...]:
    return (*row[:at], value, *row[at + 1 :])


def _plain(link: Link) -> proof.SeatLink:
    return proof.SeatLink(link.seat, link.number, link.value.hex())


def _key(tree: bgf1.Tree, event: int) -> proof.EventKey:
    return proof.EventKey(tree.key(event).hex(), [other.hex() for other in tree.path(event)])
