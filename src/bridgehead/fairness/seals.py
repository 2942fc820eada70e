"""The seals of a match, era by era: an immutable value; each event returns a new one. It also deals the sealed draws.

New eras are of BGF2. An era of BGF1 (`number` 0) of an older release still supplies its draws until one of BGF2 replaces it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bridgehead.core import record as records
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.fairness import bgf1, bgf2, proof, proof_bgf1
from bridgehead.fairness.bgf1 import Link, SeatHead
from bridgehead.fairness.bgf2 import SERVER, Contribution, Terms
from bridgehead.fairness.proof_bgf1 import EventKey
from bridgehead.fairness.rules_terms import RulesTerms, digest_installed_rules, rules_of
from bridgehead.fairness.statements import Listed


class SecretKeeper:
    """The server's secrets of a match, all derived from 32 bytes: S of each era, and the seeds of seats without their own."""

    def __init__(self, master: bytes) -> None:
        self._master = master

    def derive_secret(self, game_id: bytes, number: int) -> bytes:
        """S of an era."""
        return bgf1.mac(self._master, b"bridgehead/era\0" + _name(game_id, number))

    def salt(self, game_id: bytes) -> bytes:
        """The salt of the rules hash."""
        return bgf1.mac(self._master, b"bridgehead/salt\0" + game_id)[:16]

    def make_links(self, game_id: bytes, number: int, seat: int) -> list[bytes]:
        """R_0 and R_1 (in BGF1, more links) of a seat in an era, made by the server."""
        seed = bgf1.mac(self._master, b"bridgehead/seat\0" + _name(game_id, number) + bgf1.u8(seat))
        return bgf2.chain(seed, game_id, number, seat, 1) if number else _long_chain(seed, game_id, seat)

    def make_head(self, game_id: bytes, number: int, seat: int) -> SeatHead:
        return SeatHead(SERVER, self.make_links(game_id, number, seat)[0])

    def make_tree(self, era: SealedEra) -> bgf2.Tree:
        return make_tree(self.derive_secret(era.game_id, era.number), era.game_id, era.number, era.depth)


def _name(game_id: bytes, number: int) -> bytes:
    return game_id + (bgf1.u32(number) if number else b"")


@functools.lru_cache(64)
def _long_chain(seed: bytes, game_id: bytes, seat: int) -> list[bytes]:
    return bgf1.chain(seed, game_id, seat)


@functools.lru_cache(1000)
def make_tree(secret: bytes, game_id: bytes, number: int, depth: int) -> bgf2.Tree:
    """The tree of an era of BGF2. Takes 10 ms at first."""
    return bgf2.Tree(secret, game_id, number, depth)


@functools.lru_cache(500)
def _path(made: bgf2.Tree, event: int) -> list[str]:
    return [other.hex() for other in made.path(event)]


class DrawRequest(NamedTuple):
    """A draw that waits for links at level 2: the era's event, the seats asked, their links, the seats without an answer."""

    event: int
    seats: tuple[int, ...]
    links: tuple[Link, ...] = ()
    defaults: tuple[int, ...] = ()

    @property
    def missing(self) -> tuple[int, ...]:
        given = {link.seat for link in self.links} | set(self.defaults)
        return tuple(seat for seat in self.seats if seat not in given)


class SealedEra(NamedTuple):
    """Chance under one transcript.

    number: from 1; 0 for an era of BGF1. sources: the digest of the rules' sources, hex; heads: each seat's commitment, or
    None; holders: for each head, an identifier of its sender; opening: R_1 of each seat that has revealed it; last: the last
    link that each seat revealed, number 0 being the head. first: number of the match's chance event that is event 0 of this
    era, -1 before the era begins; until: the first event after it, -1 while it lasts.
    """

    game_id: bytes
    root: bytes
    depth: int
    level: int
    heads: tuple[SeatHead | None, ...]
    holders: tuple[str, ...]
    number: int = 0
    sources: str = ""
    transcript: bytes = b""
    signature: str = ""
    last: tuple[Link, ...] = ()
    opening: Mapping[int, bytes] = {}
    first: int = -1
    until: int = -1
    asked: DrawRequest | None = None
    answers: Mapping[int, DrawRequest] = {}

    @property
    def id(self) -> str:
        """Its name in the public list, hex."""
        return _name(self.game_id, self.number).hex()

    @property
    def room(self) -> int:
        """The number of draws that the era can supply."""
        if self.number:
            return min(int(2**self.depth), bgf2.LONG - 1) if self.level == 2 else int(2**self.depth)
        return min(int(2**self.depth), bgf1.CHAIN) if self.level == 2 else int(2**self.depth)

    @property
    def unsealed(self) -> tuple[int, ...]:
        """Seats that have not committed."""
        return tuple(seat for seat, head in enumerate(self.heads) if head is None)

    @property
    def unopened(self) -> tuple[int, ...]:
        """Seats that must reveal their first link before any draw."""
        if not self.transcript or (self.level == 2 and not self.number):
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

    def terms(self, rules: bytes, first: int) -> Terms:
        """What the transcript binds, once all have committed."""
        sealed = (head for head in self.heads if head is not None)
        seats = tuple(bgf2.SeatHead(source, bgf2.chain_length(self.level, source), head) for source, head in sealed)
        return Terms(self.game_id, self.number, first, rules, self.root, self.depth, self.level, seats)


class SealedDraw(NamedTuple):
    """A dealt event with everything that proves it, hex. defaults: seats that did not answer."""

    era: int
    event: int
    key: str
    path: list[str]
    links: list[tuple[int, str]]
    defaults: list[int]


class Seals:
    """The eras of a match, and its dealer. It is immutable: each event makes a new one.

    dealt: number of chance events dealt so far, including those taken back.
    """

    def __init__(self, keeper: SecretKeeper, game: Game, eras: tuple[SealedEra, ...] = (), dealt: int = 0) -> None:
        self.keeper, self.game, self.eras, self.dealt = keeper, game, eras, dealt

    @property
    def pending(self) -> SealedEra | None:
        """The era that is being sealed."""
        return self.eras[-1] if self.eras and self.eras[-1].first < 0 else None

    @property
    def running_era(self) -> SealedEra | None:
        """The era that supplies the next draw; it may wait for openings. Live draws of BGF1 are not made any more."""
        era = self.era_of(self.dealt)
        return None if era is not None and not era.number and era.level == 2 else era

    @property
    def awaits_links(self) -> bool:
        """Were seats asked for their links for a draw that is not dealt yet?"""
        return self.running_era is not None and self.running_era.asked is not None

    @property
    def frozen(self) -> int:
        """The number of frozen eras of BGF2."""
        return sum(bool(era.number and era.transcript) for era in self.eras)

    def era_of(self, index: int) -> SealedEra | None:
        """The era that supplies the draw of a chance event of the match, or None."""
        for era in reversed(self.eras):
            if 0 <= era.first <= index < era.first + era.room and (era.until < 0 or index < era.until):
                return era
        return None

    def find_rules_terms(self, era: SealedEra) -> RulesTerms:
        """What decides in an era."""
        return rules_of(self.game, self.keeper.salt(era.game_id), era.sources)

    def terms(self, era: SealedEra) -> Terms:
        """What the transcript of an era binds; before its freeze, what it would bind now."""
        return era.terms(self.find_rules_terms(era).hash, era.first if era.first >= 0 else self.dealt)

    # Events

    def begin_era(self, era: SealedEra) -> Seals:
        """Begin to seal a new era. It replaces an unfinished one, which then never supplies a draw."""
        eras = self.eras
        if self.pending is not None:
            frozen = eras[-1].transcript  # in BGF1, an era that some seat has not opened
            eras = (*eras[:-1], eras[-1]._replace(first=self.dealt, until=self.dealt)) if frozen else eras[:-1]
        return self._with((*eras, era))

    def commit_head(self, seat: int, head: SeatHead, holder: str) -> Seals:
        era = self._pending()
        heads = (*era.heads[:seat], head, *era.heads[seat + 1 :])
        return self._with((*self.eras[:-1], era._replace(heads=heads, holders=_put(era.holders, seat, holder))))

    def froze(self, transcript: bytes, signature: str = "", first: int = -1) -> Seals:
        """All have committed. first: of BGF2, the number of the next chance event; from there on, the era supplies them."""
        era = self._pending()
        last = tuple(Link(seat, 0, head.head) for seat, head in enumerate(era.heads) if head is not None)
        era = era._replace(transcript=transcript, signature=signature, last=last)
        frozen = self._with((*self.eras[:-1], era))
        return frozen._begins(first) if era.number else frozen._opened_bgf1()

    def open_link(self, game_id: bytes, link: Link, number: int = 0) -> Seals:
        """A seat reveals a link: its first for the whole era, or its link for the draw that waits for it."""
        at, era = self._at(game_id, number)
        era = era._replace(last=tuple(link if link.seat == each.seat else each for each in era.last))
        if link.number == 1:
            era = era._replace(opening={**era.opening, link.seat: link.value})
        if era.asked is not None:
            era = _settled(era._replace(asked=era.asked._replace(links=(*era.asked.links, link))))
        return self._with((*self.eras[:at], era, *self.eras[at + 1 :]))._opened_bgf1()

    def request_links(self, game_id: bytes, event: int, seats: Sequence[int], number: int = 0) -> Seals:
        """Begin a draw, which waits for the links of these seats."""
        at, era = self._at(game_id, number)
        return self._with((*self.eras[:at], _settled(era._replace(asked=DrawRequest(event, tuple(seats)))), *self.eras[at + 1 :]))

    def default_seat(self, game_id: bytes, seat: int, number: int = 0) -> Seals:
        """Go on without a seat that did not answer: the draw that waits needs no link of it any more."""
        at, era = self._at(game_id, number)
        assert era.asked is not None
        era = _settled(era._replace(asked=era.asked._replace(defaults=(*era.asked.defaults, seat))))
        return self._with((*self.eras[:at], era, *self.eras[at + 1 :]))

    def follow_match(self, chances: int, is_over: bool) -> Seals:
        """Set the number of chance events in the match. When it is over, its eras end and their secrets may be revealed."""
        dealt = max(self.dealt, chances)
        eras = self.eras
        if is_over:
            eras = tuple(era._replace(until=dealt) if era.first >= 0 and era.until < 0 else era for era in eras)
        return self if dealt == self.dealt and eras == self.eras else Seals(self.keeper, self.game, eras, dealt)

    # The dealer

    def deal(self, position: Position, index: int) -> int | None:
        """The sealed outcome; None while a part of it is missing."""
        era = self.era_of(index)
        if era is None:
            return None
        event, secret = index - era.first, self.keeper.derive_secret(era.game_id, era.number)
        find_links = self.links(era, event)
        if find_links is None:
            return None
        if not era.number:
            key, of_event = bgf1.event_key(secret, era.game_id, event), 0 if era.level == 1 else event
            return proof_bgf1.compute_outcome(position, key, bgf1.entropy(era.transcript, find_links, of_event), event)
        opened = self.opening(era)
        if opened is None:
            return None
        shared = bgf2.entropy(opened, event, [Contribution(link.seat, link.value) for link in find_links])
        key = bgf2.event_key(secret, era.game_id, era.number, event)
        return position.legal[bgf2.outcome(key, shared, event, position.weights)]

    def links(self, era: SealedEra, event: int) -> Sequence[Link] | None:
        """The seats' links for an event, or None if incomplete. At level 1 of BGF2, only the opening contributes."""
        if era.level == 1 and era.number:
            return ()
        if era.level == 1:
            return self.first_links(era) if era.is_complete else None
        answer = era.answers.get(event)
        return None if answer is None else sorted(answer.links, key=lambda link: answer.seats.index(link.seat))

    def first_links(self, era: SealedEra) -> list[Link]:
        """Every seat's first link, as far as it may be revealed."""
        if not era.is_complete:
            return [Link(seat, 1, value) for seat, value in sorted(era.opening.items())]
        seats = range(len(era.heads))
        made = {seat: self.keeper.make_links(era.game_id, era.number, seat)[1] for seat in seats if era.is_made(seat)}
        return [Link(seat, 1, made[seat] if seat in made else era.opening[seat]) for seat in seats]

    def opening(self, era: SealedEra) -> bytes | None:
        """O of an era of BGF2; None while a seat has not opened."""
        return bgf2.combine_openings(era.transcript, [link.value for link in self.first_links(era)]) if era.is_complete else None

    def show_draw(self, index: int) -> SealedDraw | None:
        """A dealt event of the match with its proof; None for one that was taken over, or of BGF1."""
        era = self.era_of(index)
        if era is None or not era.number:
            return None
        event = index - era.first
        made, answer = self.keeper.make_tree(era), era.answers.get(event)
        links = [(link.seat, link.value.hex()) for link in self.links(era, event) or ()]
        return SealedDraw(
            era.number, event, made.key(event).hex(), _path(made, event), links, list(answer.defaults) if answer else []
        )

    # The proof

    def disclose_eras(
        self, chances: int, revealed: bool, most: int = 200, listed: Mapping[str, Listed] | None = None
    ) -> tuple[list[proof_bgf1.Era], list[proof.Era]]:
        """The public part of all frozen eras, those of BGF1 first. chances: of the match; revealed: include the secrets.

        Without the secrets, it includes the keys of the last `most` events dealt. listed: rows of the public list by era.
        """
        old = [self._disclosed_bgf1(era, chances, revealed, most) for era in self.eras if era.transcript and not era.number]
        new = [self._disclosed(era, chances, revealed, most, listed or {}) for era in self.eras if era.transcript and era.number]
        return old, new

    def _events(self, era: SealedEra, chances: int, most: int) -> range:
        """The last events of an era that were dealt."""
        first = era.first if era.first >= 0 else self.dealt
        end = (chances if era.until < 0 else min(chances, era.until)) - first
        return range(max(0, end - most), max(0, end))

    def _disclosed(self, era: SealedEra, chances: int, revealed: bool, most: int, listed: Mapping[str, Listed]) -> proof.Era:
        made = None if revealed else self.keeper.make_tree(era)
        opening = {link.seat: link.value.hex() for link in self.first_links(era)}
        sealed = [(head, bgf2.chain_length(era.level, head.source)) for head in era.heads if head is not None]
        return proof.Era(
            number=era.number, first=era.first, depth=era.depth, level=era.level, rule=bgf2.RULES[era.level], root=era.root.hex(),
            rules=self.find_rules_terms(era),
            seats=[proof.SealedSeat(head.source, length, head.head.hex()) for head, length in sealed],
            transcript=era.transcript.hex(), signature=era.signature, listed=listed.get(era.id),
            opening=[opening.get(seat, "") for seat in range(len(era.heads))],
            answers={str(e): [(link.seat, link.value.hex()) for link in self.links(era, e) or ()] for e in era.answers},
            defaults={str(e): list(answer.defaults) for e, answer in era.answers.items() if answer.defaults},
            keys={str(e): EventKey(made.key(e).hex(), _path(made, e)) for e in self._events(era, chances, most)} if made else {},
            secret=self.keeper.derive_secret(era.game_id, era.number).hex() if revealed else "",
        )  # fmt: skip

    def _disclosed_bgf1(self, era: SealedEra, chances: int, revealed: bool, most: int) -> proof_bgf1.Era:
        secret = self.keeper.derive_secret(era.game_id, 0)
        events = () if revealed else self._events(era, chances, most)
        made = bgf1.Tree(secret, era.game_id, era.depth) if events else None
        links = self.first_links(era) if era.level == 1 else []
        return proof_bgf1.Era(
            first=era.first if era.first >= 0 else self.dealt,
            game_id=era.game_id.hex(), depth=era.depth, level=era.level, root=era.root.hex(),
            seats=[proof_bgf1.SealedSeat(head.source, head.head.hex()) for head in era.heads if head is not None],
            transcript=era.transcript.hex(), signature=era.signature, links=[_plain(link) for link in links],
            answers={str(e): [_plain(link) for link in self.links(era, e) or ()] for e in era.answers},
            defaults={str(e): list(answer.defaults) for e, answer in era.answers.items() if answer.defaults},
            keys={str(e): EventKey(made.key(e).hex(), [other.hex() for other in made.path(e)]) for e in events} if made else {},
            secret=secret.hex() if revealed else "",
        )  # fmt: skip

    def _with(self, eras: tuple[SealedEra, ...]) -> Seals:
        return Seals(self.keeper, self.game, eras, self.dealt)

    def _begins(self, first: int) -> Seals:
        """The last era supplies the draws from event `first` on."""
        eras = tuple(era._replace(until=first) if era.until < 0 else era for era in self.eras[:-1])
        return self._with((*eras, self.eras[-1]._replace(first=first)))

    def _opened_bgf1(self) -> Seals:
        """An era of BGF1 begins when all have opened."""
        pending = self.pending
        return self._begins(self.dealt) if pending is not None and not pending.number and pending.is_complete else self

    def _pending(self) -> SealedEra:
        assert self.pending is not None, "no era is being sealed"
        return self.pending

    def _at(self, game_id: bytes, number: int) -> tuple[int, SealedEra]:
        for at, era in enumerate(self.eras):
            if (era.game_id, era.number) == (game_id, number):
                return at, era
        raise BridgeheadError("fairness:error.no_era", number=number)


def begin(seals: Seals, game_id: bytes, level: int, made: Sequence[bool]) -> SealedEra:
    """A new era: the server commits, also for the seats whose seeds it makes. Takes about 10 ms."""
    number, depth = seals.frozen + 1, bgf2.DEPTHS[level]
    heads = tuple(seals.keeper.make_head(game_id, number, seat) if is_made else None for seat, is_made in enumerate(made))
    root = make_tree(seals.keeper.derive_secret(game_id, number), game_id, number, depth).root
    return SealedEra(
        game_id, root, depth, level, heads, ("",) * len(heads), number, digest_installed_rules(seals.game.spec.package)
    )


def proof_of(
    match: Match, log: Iterable[tuple[int, int]], gid: str, eras: tuple[list[proof_bgf1.Era], list[proof.Era]], record: str = "",
    server: str = "",
) -> proof.Proof:  # fmt: skip
    """The proof of a match so far. log: see `proof.Proof`; eras: see `Seals.disclose_eras`; server: the key that signed."""
    entries = list(log)
    history = proof.ProofHistory(match, [era.first for era in eras[1]])
    draws = [proof.draw(each.position, each.action) for each in history.steps(entries)]
    return proof.Proof("bgf2", gid, server, record or records.dump(match), entries, draws, eras[1], eras[0])


def proof_bgf1_of(match: Match, eras: Sequence[proof_bgf1.Era], record: str = "", server: str = "") -> proof_bgf1.Proof:
    """The proof of a match whose eras are all of BGF1."""
    chances = [index for index, entry in enumerate(match.log) if entry.actor < 0]
    draws = [proof_bgf1.draw(match.positions[index], match.log[index].action) for index in chances]
    return proof_bgf1.Proof("bgf1", record or records.dump(match), list(eras), draws, server)


def _settled(era: SealedEra) -> SealedEra:
    """If the draw that waits has all its links, record them as its answer."""
    if era.asked is None or era.asked.missing:
        return era
    return era._replace(answers={**era.answers, era.asked.event: era.asked}, asked=None)


def _put(row: tuple[str, ...], at: int, value: str) -> tuple[str, ...]:
    return (*row[:at], value, *row[at + 1 :])


def _plain(link: Link) -> proof_bgf1.SeatLink:
    return proof_bgf1.SeatLink(link.seat, link.number, link.value.hex())
