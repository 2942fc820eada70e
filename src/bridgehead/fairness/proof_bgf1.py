"""Proofs of BGF1, the first version of sealed chance, and their check.

A server that was changed to cheat could steer BGF1 unseen (docs/understand/fairness.md), so the verdict is at best "open".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from bridgehead.core import options as house
from bridgehead.core import record as records
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase, join_phrases
from bridgehead.core.position import Position
from bridgehead.core.spec import CHANCE
from bridgehead.fairness import bgf1, signatures
from bridgehead.fairness.findings import Finding, check_claim, make_finding

LABEL = "chance"  # each event has one draw, so one label is enough
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Number = Annotated[int, Meta(ge=0, le=2**32 - 1)]


class SealedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's commitment: the origin of its seed, and the head of its chain."""

    source: Annotated[int, Meta(ge=0, le=len(bgf1.SOURCES) - 1)]
    head: Hash


class SeatLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A link that a seat revealed."""

    seat: Annotated[int, Meta(ge=0, le=255)]
    number: Annotated[int, Meta(ge=1, le=bgf1.CHAIN)]
    value: Hash


class EventKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """k_e and the path that leads from it to the root, from below."""

    key: Hash
    path: list[Hash]


class Era(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Chance under one transcript; a change of seats begins a new era.

    first: number of the match's first chance event in this era, so event e of the era is event first + e of the match.
    links: at level 1, every seat's R_1; answers: at level 2, by event; defaults: by event, the seats that were asked and
    did not answer. secret: S, revealed when the match is over; keys: by event, those revealed earlier. signature: the
    server's, of the transcript; beacon and its signature are hex. listed: its row in the server's seal log, from 1.
    """

    first: Number
    game_id: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    depth: Annotated[int, Meta(ge=1, le=20)]
    level: Annotated[int, Meta(ge=1, le=2)]
    root: Hash
    seats: Annotated[list[SealedSeat], Meta(min_length=1, max_length=255)]
    transcript: Hash
    links: list[SeatLink] = []
    answers: dict[str, list[SeatLink]] = {}
    defaults: dict[Annotated[str, Meta(pattern="^[0-9]{1,5}$")], list[Annotated[int, Meta(ge=0, le=255)]]] = {}
    keys: dict[str, EventKey] = {}
    secret: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""
    beacon: Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")] = ""
    beacon_signature: Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")] = ""
    signature: Annotated[str, Meta(pattern="^([0-9a-f]{128})?$")] = ""
    listed: Number = 0


class Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chance event of the record: the weights of all outcomes and the played one, for verifiers without the rules."""

    weights: list[Number]
    index: Number
    name: str


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything needed to check the chance of a match. server: the Ed25519 key that signed the transcripts."""

    protocol: Annotated[str, Meta(pattern="^bgf1$")]
    record: str
    eras: Annotated[list[Era], Meta(min_length=1)]
    draws: list[Draw] = []
    server: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""


def rules_hash(game: Game) -> bytes:
    """The hash of the rules in the transcript: game, rules version, house rules."""
    return bgf1.sha(f"{game.spec.id}\n{game.spec.version}\n{house.canonical(game.options)}".encode())


def compute_outcome(position: Position, key: bytes, shared: bytes, event: int) -> int:
    """The outcome of a chance event in a position, from the event's key and the seats' entropy."""
    stream = bgf1.Stream(bgf1.draw_key(key, shared, event), LABEL)
    return position.legal[stream.choose_by_weight(position.weights)]


def draw(position: Position, action: int) -> Draw:
    """A chance event in the form of a proof."""
    return Draw(list(position.weights), position.legal.index(action), position.name(action))


def verify(proof: Proof) -> list[Finding]:
    """All checks, in the order of events. Errors: RecordError of the record."""
    match, _ = records.load(proof.record)
    findings = [make_finding("open", "bgf1")]
    edges = [era.first for era in proof.eras]
    if edges != sorted(edges):
        findings.append(make_finding("broken", "eras"))
        return findings
    if edges[0]:
        findings.append(make_finding("open", "taken_over", n=edges[0]))
    for number, (era, end) in enumerate(zip(proof.eras, [*edges[1:], match.chances], strict=True), start=1):
        made = [*verify_era(era, end, match), *_signed(proof.server, era)]
        if len(proof.eras) > 1:
            made = [make_finding(verdict, "era", number=number, what=what) for verdict, what in made]
        findings += made
    if proof.draws:
        chances = [index for index, entry in enumerate(match.log) if entry.actor == CHANCE]
        replayed = [draw(match.positions[index], match.log[index].action) for index in chances]
        findings.append(check_claim(replayed == proof.draws, "draws"))
    return findings


def verify_era(era: Era, end: int, match: Match) -> Iterator[Finding]:
    """The checks of one era. end: number of the chance event after its last."""
    game_id, root = bytes.fromhex(era.game_id), bytes.fromhex(era.root)
    if len(era.seats) != match.game.seats:
        yield make_finding("broken", "seats", sealed=len(era.seats), seats=match.game.seats)
        return
    heads = [bgf1.SeatHead(seat.source, bytes.fromhex(seat.head)) for seat in era.seats]
    beacon = bytes.fromhex(era.beacon)
    agreed = bgf1.make_transcript(game_id, rules_hash(match.game), root, era.depth, era.level, heads, beacon)
    yield check_claim(agreed.hex() == era.transcript, "transcript")
    if era.beacon_signature:  # it enters the entropy, and nothing that was agreed binds it
        yield make_finding("open" if era.beacon else "broken", "beacon")
    links = [*era.links, *(link for answer in era.answers.values() for link in answer)]
    yield check_claim(all(_belongs(era, link) for link in links), "links")
    if era.secret:
        tree = bgf1.Tree(bytes.fromhex(era.secret), game_id, era.depth)
        yield check_claim(tree.root == root, "secret")
    else:
        yield make_finding("open", "no_secret")
    wrong = [event for event, key in era.keys.items() if not _leads_to(root, event, key)]
    yield check_claim(not wrong, "wrong_keys" if wrong else "keys", events=", ".join(wrong[:5]))
    yield from _draws(era, end, match, agreed)


def _signed(server: str, era: Era) -> Iterator[Finding]:
    if server and era.signature:
        holds = signatures.verify(bytes.fromhex(server), bytes.fromhex(era.transcript), bytes.fromhex(era.signature))
        yield check_claim(holds, "signed", server=server[:16])


def _leads_to(root: bytes, event: str, key: EventKey) -> bool:
    if not event.isdecimal() or int(event) >= 2 ** len(key.path):
        return False
    return bgf1.climb(int(event), bytes.fromhex(key.key), [bytes.fromhex(other) for other in key.path]) == root


def _belongs(era: Era, link: SeatLink) -> bool:
    if link.seat >= len(era.seats):
        return False
    revealed = bgf1.Link(link.seat, link.number, bytes.fromhex(link.value))
    return bgf1.is_link_of(bytes.fromhex(era.seats[link.seat].head), revealed, bytes.fromhex(era.game_id))


def _draws(era: Era, end: int, match: Match, agreed: bytes) -> Iterator[Finding]:
    """Does each outcome of chance follow from the secrets?"""
    chances = [index for index, entry in enumerate(match.log) if entry.actor == CHANCE][era.first : end]
    right, missing = 0, 0
    used: set[tuple[int, int]] = set()
    for event, index in enumerate(chances):
        key, links = _key(era, event), _links(era, event)
        if key is None or links is None:
            missing += 1
            continue
        if era.level == 2 and used & {(link.seat, link.number) for link in links}:
            yield make_finding("broken", "used", event=era.first + event)
        used.update((link.seat, link.number) for link in links)
        before, played = match.positions[index], match.log[index].action
        made = compute_outcome(before, key, _shared(era, agreed, links, event), event)
        if made != played:
            names = {"sealed": before.name(made), "played": before.name(played)}
            yield make_finding("broken", "other", event=era.first + event, **names)
            return
        right += 1
    yield make_finding("holds", "follow", checked=right, of=len(chances))
    if era.level == 2:
        yield from _answered(era, len(chances))
    if missing:
        yield make_finding("open", "missing", n=missing)


def _answered(era: Era, events: int) -> Iterator[Finding]:
    """Findings on draws that the server could influence, because a seat did not answer or no seat could be asked."""
    late = {seat for event, seats in era.defaults.items() if int(event) < events for seat in seats}
    if late:
        seats = join_phrases(
            "fairness:finding.and", [Phrase("fairness:finding.seat", {"seat": seat + 1}) for seat in sorted(late)]
        )
        yield make_finding("open", "late", seats=seats)
    alone = sum(not era.answers.get(str(event), [None]) for event in range(events))
    if alone:
        yield make_finding("open", "alone", n=alone)


def _links(era: Era, event: int) -> list[SeatLink] | None:
    """The seats' links for an event: at level 1 the first link of every seat, in order; None if one is missing."""
    if era.level == 2:
        return era.answers.get(str(event))
    is_whole = [(link.seat, link.number) for link in era.links] == [(seat, 1) for seat in range(len(era.seats))]
    return era.links if is_whole else None


def _key(era: Era, event: int) -> bytes | None:
    if era.secret:
        return bgf1.event_key(bytes.fromhex(era.secret), bytes.fromhex(era.game_id), event)
    return bytes.fromhex(era.keys[str(event)].key) if str(event) in era.keys else None


def _shared(era: Era, agreed: bytes, links: list[SeatLink], event: int) -> bytes:
    revealed = [bgf1.Link(link.seat, link.number, bytes.fromhex(link.value)) for link in links]
    signature = bytes.fromhex(era.beacon_signature)
    return bgf1.entropy(agreed, revealed, 0 if era.level == 1 else event, signature)
