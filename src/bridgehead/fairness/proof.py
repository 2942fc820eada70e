"""The proof of a match's chance (BGF2), and its check: transcripts, signatures, contributors, draws, and what seats saw.

docs/understand/fairness.md names each finding. `proof_bgf1` has the proofs of the first version.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from bridgehead.core import options as house
from bridgehead.core import record as records
from bridgehead.core.errors import BridgeheadError, RecordError
from bridgehead.core.match import LogEntry, Match
from bridgehead.core.phrases import Phrase, join_phrases
from bridgehead.core.position import Position
from bridgehead.core.spec import CHANCE
from bridgehead.core.validation import ready
from bridgehead.fairness import bgf2, proof_bgf1
from bridgehead.fairness.bgf2 import Contribution, SeatHead, Terms
from bridgehead.fairness.findings import Finding, check_claim, make_finding, verdict
from bridgehead.fairness.proof_bgf1 import EventKey
from bridgehead.fairness.rules_terms import RulesTerms, digest_installed_rules
from bridgehead.fairness.statements import GameId, Hash, Kept, KeptDraw, Listed, Number, Seat, SignedHead, Statement, of_era

__all__ = ["Finding", "Proof", "read", "verdict", "verify"]

OVER, BACK, FROZEN, ASKED = -2, -3, -4, -5  # entries of the log besides decisions and chance events
EventNumber = Annotated[str, Meta(pattern="^(0|[1-9][0-9]{0,4})$")]


class SealedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's commitment: the origin of its seed, the length of its chain, and its head."""

    source: Annotated[int, Meta(ge=0, le=len(bgf2.SOURCES) - 1)]
    length: Annotated[int, Meta(ge=1, le=bgf2.LONG)]
    head: Hash


class Era(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Chance under one transcript. The fields up to `seats` are what it binds.

    first: number of the match's chance event that is event 0 of the era; opening: R_1 of each seat, "" if not revealed;
    answers, defaults: at level 2 by event, the links given, and the seats that were asked and did not answer; keys: by event,
    those revealed before the secret.
    """

    number: Annotated[int, Meta(ge=1, le=2**32 - 1)]
    first: Number
    depth: Annotated[int, Meta(ge=1, le=16)]
    level: Annotated[int, Meta(ge=1, le=2)]
    rule: bgf2.Rule
    root: Hash
    rules: RulesTerms
    seats: Annotated[list[SealedSeat], Meta(min_length=1, max_length=255)]
    transcript: Hash
    signature: Annotated[str, Meta(pattern="^([0-9a-f]{128})?$")]
    listed: Listed | None
    opening: list[Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")]]
    answers: dict[EventNumber, list[tuple[Seat, Hash]]]
    defaults: dict[EventNumber, list[Seat]]
    keys: dict[EventNumber, EventKey]
    secret: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")]

    def terms(self, game_id: bytes) -> Terms:
        """What its transcript binds."""
        seats = tuple(SeatHead(seat.source, seat.length, bytes.fromhex(seat.head)) for seat in self.seats)
        root = bytes.fromhex(self.root)
        return Terms(game_id, self.number, self.first, self.rules.hash, root, self.depth, self.level, seats)

    @property
    def opened(self) -> bytes | None:
        """O; None while a link is missing."""
        if len(self.opening) != len(self.seats) or not all(self.opening):
            return None
        return bgf2.combine_openings(bytes.fromhex(self.transcript), [bytes.fromhex(link) for link in self.opening])


class Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chance event: the weights of all outcomes and the played one, for verifiers without the rules."""

    weights: list[Annotated[int, Meta(ge=0)]]
    outcome: Annotated[int, Meta(ge=0)]
    name: str


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything needed to check the chance of a match.

    server: the Ed25519 key that signed; log: everything that was played, also what was taken back, see the document; draws:
    one for each chance event of the log; bgf1: eras of the first version, before the others.
    """

    protocol: Literal["bgf2"]
    gid: GameId
    server: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")]
    record: str
    log: list[tuple[Annotated[int, Meta(ge=ASKED, le=254)], Annotated[int, Meta(ge=0, le=2**53)]]]
    draws: list[Draw]
    eras: Annotated[list[Era], Meta(min_length=1)]
    bgf1: list[proof_bgf1.Era]


class Observed(NamedTuple):
    """What somebody saw, to hold against a proof. transcripts: hex; seeds: of seats; key: of the server, "" if not known."""

    transcripts: Sequence[str] = ()
    seeds: Sequence[tuple[int, bytes]] = ()
    heads: Sequence[SignedHead] = ()
    key: str = ""
    kept: Sequence[Kept] = ()


class ChanceEvent(NamedTuple):
    """A chance event of the log. place: its number in the match, from 0; era: its place in the list, -1 before the first.

    event: of the era; last: the seat that had decided last when its links were asked for; again: it was dealt before, and
    taken back.
    """

    place: int
    era: int
    event: int
    position: Position
    action: int
    last: int
    again: bool


def last_decider(log: Sequence[LogEntry]) -> int:
    """The seat that made the last decision; 0 if there is none."""
    return next((entry.actor for entry in reversed(log) if entry.actor >= 0), 0)


def dealt_in(log: Iterable[tuple[int, int]]) -> int:
    """The number of chance events that were dealt in a log, without those that were dealt again after a takeback."""
    line: list[int] = []
    most = now = 0
    for actor, value in log:
        if actor >= CHANCE:
            line.append(actor)
            now += actor == CHANCE
        elif actor == BACK:
            del line[value:]
            now = line.count(CHANCE)
        most = max(most, now)
    return most


def asked_in(told: Proof) -> set[tuple[int, int, tuple[int, ...]]]:
    """The draws for which links were asked: the era and the event of each, and the line of actions before it."""
    found, era = set[tuple[int, int, tuple[int, ...]]](), 0
    for (actor, value), line in _lines(told):
        era = value if actor == FROZEN else era
        if actor == ASKED:
            found.add((era, value, tuple(line)))
    return found


def has_lines(told: Proof, lines: Iterable[tuple[int, ...]]) -> bool:
    """Was each of these lines of actions played at some time?"""
    missing = {len(line): {each for each in lines if len(each) == len(line)} for line in lines}
    for _, line in _lines(told):
        if missing.get(len(line)):
            missing[len(line)].discard(tuple(line))
    return not any(missing.values())


def _lines(told: Proof) -> Iterator[tuple[tuple[int, int], list[int]]]:
    """Each entry of the log, and the line of actions after it."""
    line: list[int] = []
    for entry in told.log:
        if entry[0] >= CHANCE:
            line.append(entry[1])
        elif entry[0] == BACK:
            del line[entry[1] :]
        yield entry, line


def draw(position: Position, action: int) -> Draw:
    """A chance event in the form of a proof."""
    return Draw(list(position.weights), position.legal.index(action), position.name(action))


def read(text: str | bytes) -> Proof | proof_bgf1.Proof:
    """A proof of either version from its JSON. Errors: RecordError naming the place."""
    try:
        version = msgspec.json.decode(text, type=ready(_Version)).protocol
        if version == "bgf1":
            return msgspec.json.decode(text, type=ready(proof_bgf1.Proof))
        return msgspec.json.decode(text, type=ready(Proof))
    except (msgspec.ValidationError, msgspec.DecodeError, json.JSONDecodeError, RecursionError) as error:
        raise RecordError("fairness:error.not_proof_chance", error=error) from None


class _Version(msgspec.Struct):
    protocol: str


def statements(proof: Proof) -> Iterator[tuple[str, Statement]]:
    """What the server signed in a proof, each with its key."""
    for era in proof.eras:
        yield from ((proof.server, each) for each in of_era(proof.gid, era.number, era.transcript, era.signature, era.listed))


def verify(proof: Proof | proof_bgf1.Proof, known: Observed | None = None) -> list[Finding]:
    """All checks. known: what somebody saw. Errors: RecordError of the record."""
    if isinstance(proof, proof_bgf1.Proof):
        return proof_bgf1.verify(proof)
    return _Check(proof, known or Observed()).findings()


class ProofHistory:
    """The log of a proof, played step by step by the rules. Errors of `steps`: BridgeheadError, where it cannot be played."""

    def __init__(self, match: Match, firsts: Sequence[int]) -> None:
        self.line, self.firsts = Match(match.game, start=match.positions[0]), firsts
        self.frozen = self.dealt = self.closed = self.closed_eras = 0
        self.ordered = True
        self.after_end: list[bool] = []  # for each era: was it frozen because the match had been over?
        self._asked: dict[tuple[int, int], int] = {}
        self._waits = False  # were links asked for a draw that is not dealt yet?

    def steps(self, log: Iterable[tuple[int, int]]) -> Iterator[ChanceEvent]:
        """Play the log; yield each chance event that can be played."""
        for actor, value in log:
            # nothing is decided or taken back while the server may know the draw
            self.ordered &= not self._waits or (actor < 0 and actor != BACK)
            self._waits = actor == ASKED
            if actor == CHANCE:
                each = self._dealt(value)
                self.line.play(value)
                self.dealt = max(self.dealt, self.line.chances)
                yield each
            elif actor >= 0:
                self.ordered &= self.line.position.actor == actor
                self.line.play(value)
            elif actor == BACK:
                self.line.rewind(min(value, len(self.line.log)))
            elif actor == FROZEN:
                self.after_end.append(self.frozen > 0 and self.closed_eras == self.frozen)
                self.frozen += 1
                self.ordered &= value == self.frozen <= len(self.firsts) and self.firsts[self.frozen - 1] == self.dealt
            elif actor == ASKED:
                era = self._era_of(self.line.chances)
                self.ordered &= self.line.position.is_chance and era >= 0 and self.line.chances == self.firsts[era] + value
                self._asked.setdefault((era, value), self.last)
            else:
                self.closed, self.closed_eras = self.dealt, self.frozen

    @property
    def last(self) -> int:
        return last_decider(self.line.log)

    def is_abandoned(self, era: int, dealt: Iterable[ChanceEvent]) -> bool:
        """Were links asked for an event that was never dealt from this era?"""
        return not {event for at, event in self._asked if at == era} <= {each.event for each in dealt if each.era == era}

    def was_asked(self, era: int, event: int) -> bool:
        """Did the log say that links for an event were asked?"""
        return (era, event) in self._asked

    def _era_of(self, index: int) -> int:
        return next((at for at in range(min(self.frozen, len(self.firsts)) - 1, -1, -1) if self.firsts[at] <= index), -1)

    def _dealt(self, action: int) -> ChanceEvent:
        index = self.line.chances
        era, again = self._era_of(index), index < self.dealt
        event = index - self.firsts[era] if era >= 0 else index
        self.ordered &= self.line.position.is_chance and (again or index < self.closed or era >= self.closed_eras or era < 0)
        last = self._asked.get((era, event), self.last)
        return ChanceEvent(index, era, event, self.line.position, action, last, again)


class _Check:
    """The checks of one proof."""

    def __init__(self, proof: Proof, known: Observed) -> None:
        self.proof, self.known = proof, known
        self.match, _ = records.load(proof.record)
        self.game_id = bytes.fromhex(proof.gid)
        self.terms = [era.terms(self.game_id) for era in proof.eras]
        self.history = ProofHistory(self.match, [era.first for era in proof.eras])
        self.dealt: list[ChanceEvent] = []
        self.played = True
        try:
            for each in self.history.steps(proof.log):
                self.dealt.append(each)
        except BridgeheadError:
            self.played = False

    def findings(self) -> list[Finding]:
        proof, history = self.proof, self.history
        numbered = [era.number for era in proof.eras] == [*range(1, len(proof.eras) + 1)] and history.frozen == len(proof.eras)
        numbered &= len({era.level for era in proof.eras}) == 1
        fits = all(each.event < self.terms[each.era].room for each in self.dealt if each.era >= 0)
        made = [check_claim(numbered and history.ordered and fits, "order")]
        made += [*self._before(), *self._record()]
        for at, era in enumerate(proof.eras):
            own = [*self._era(at, era)]
            if len(proof.eras) > 1:
                own = [make_finding(result, "era", number=era.number, what=what) for result, what in own]
            made += own
        return [*made, *self._given_up(), *self._seen()]

    def _before(self) -> Iterator[Finding]:
        """The events before the first era: eras of BGF1, or outcomes that were taken over."""
        first = self.proof.eras[0].first
        if not self.proof.bgf1:
            if first:
                yield make_finding("open", "taken_over", n=first)
            return
        yield make_finding("open", "bgf1")
        edges = [era.first for era in self.proof.bgf1]
        for number, (era, end) in enumerate(zip(self.proof.bgf1, [*edges[1:], first], strict=True), start=1):
            for result, what in proof_bgf1.verify_era(era, end, self.match):
                yield make_finding(result, "era_bgf1", number=number, what=what)

    def _record(self) -> Iterator[Finding]:
        """The log leads to the record, and the draws are those of the rules."""
        yield check_claim(self.played and self.history.line.log == self.match.log, "log")
        try:
            replayed = [draw(each.position, each.action) for each in self.dealt]
        except ValueError:  # an outcome that the position does not have
            replayed = []
        yield check_claim(self.played and replayed == self.proof.draws, "draws")
        if any(era.rules.sources != digest_installed_rules(self.match.game.spec.package) for era in self.proof.eras):
            yield make_finding("open", "sources")

    def _era(self, at: int, era: Era) -> Iterator[Finding]:
        terms, game = self.terms[at], self.match.game
        if len(era.seats) != game.seats:
            yield make_finding("broken", "seats", sealed=len(era.seats), seats=game.seats)
            return
        yield check_claim(self._binds(at, era), "transcript")
        yield from self._signed(era)
        yield from self._listed(era)
        links = enumerate(era.opening[: len(era.seats)])
        right = len(era.opening) == len(era.seats)
        right = right and all(not link or bgf2.leads_to(terms, seat, 1, bytes.fromhex(link)) for seat, link in links)
        yield make_finding("open", "unopened") if right and era.opened is None else check_claim(right, "opening")
        yield from self._keys(era, terms)
        dealt = [each for each in self.dealt if each.era == at]
        given = {int(event) for event in (*era.answers, *era.defaults)}
        asked = all(self.history.was_asked(at, event) for event in given if _answers(era, event) or _late(era, event))
        yield check_claim(asked and all(_contributed(era, terms, each) for each in dealt), "contributors")
        yield from self._draws(era, dealt)
        yield from _defaulted(era, dealt)
        yield self._own(era)

    def _binds(self, at: int, era: Era) -> bool:
        """Is the transcript made of the era's values, and are its rules those of the record?"""
        game = self.match.game
        rules = house.canonical(game.options)
        same = (era.rules.game, era.rules.version, era.rules.options) == (game.spec.id, game.spec.version, rules)
        lengths = all(seat.length == bgf2.chain_length(era.level, seat.source) for seat in era.seats)
        named = era.rule == bgf2.RULES[era.level]
        return same and lengths and named and self.terms[at].transcript.hex() == era.transcript

    def _signed(self, era: Era) -> Iterator[Finding]:
        server = self.proof.server
        if self.known.key and self.known.key != server:
            yield make_finding("broken", "other_key", server=server[:16], known=self.known.key[:16])
        if not server or not era.signature:
            yield make_finding("open", "unsigned")
            return
        statement = Statement("era", self.proof.gid, era.number, era.transcript, era.signature)
        yield check_claim(statement.holds(server), "signed", server=server[:16])

    def _listed(self, era: Era) -> Iterator[Finding]:
        listed, server = era.listed, self.proof.server
        if listed is None or not server:
            yield make_finding("open", "unlisted")
            return
        follows = listed.follows(self.game_id, era.number, bytes.fromhex(era.transcript))
        holds = follows and Statement("list", "", listed.n, listed.link, listed.signature).holds(server)
        heads = [*self.known.heads, *(head for kept in self.known.kept for head in kept.heads)]
        same = all(head.link == listed.link for head in heads if head.n == listed.n)
        yield check_claim(holds and same, "listed", row=listed.n)

    def _keys(self, era: Era, terms: Terms) -> Iterator[Finding]:
        wrong = [event for event, each in era.keys.items() if not _is_under(terms, int(event), each)]
        if era.secret:
            tree = bgf2.Tree(bytes.fromhex(era.secret), terms.game_id, terms.number, terms.depth)
            yield check_claim(tree.root == terms.root, "secret")
        else:
            yield make_finding("open", "no_secret")
        if wrong or era.keys:
            yield check_claim(not wrong, "wrong_keys" if wrong else "keys", events=", ".join(wrong[:5]))

    def _draws(self, era: Era, dealt: list[ChanceEvent]) -> Iterator[Finding]:
        """Does each outcome follow from what was sealed?"""
        right = missing = 0
        opened = era.opened
        for each in dealt:
            key, links = _key(era, self.game_id, each.event), _answers(era, each.event)
            if opened is None or key is None or links is None:
                missing += 1
                continue
            position = each.position
            index = bgf2.outcome(key, bgf2.entropy(opened, each.event, links), each.event, position.weights)
            if index < 0 or position.legal[index] != each.action:
                names = {"sealed": position.name(position.legal[index]), "played": position.name(each.action)}
                yield make_finding("broken", "other", event=each.place + 1, **names)
                return
            right += 1
        yield make_finding("holds", "follow", checked=right, of=len(dealt))
        if missing:
            yield make_finding("open", "missing", n=missing)

    def _own(self, era: Era) -> Finding:
        """Who sealed each seat?"""
        seats = [
            Phrase(f"fairness:finding.by_{bgf2.SOURCES[seat.source]}", {"seat": at + 1}) for at, seat in enumerate(era.seats)
        ]
        own = any(seat.source != bgf2.SERVER for seat in era.seats)
        return make_finding(
            "holds" if own else "open", "own" if own else "none_own", seats=join_phrases("fairness:finding.list", seats)
        )

    def _given_up(self) -> Iterator[Finding]:
        """Eras that were left before they supplied anything; others, if left while the server knew a die of theirs."""
        eras, after_end = self.proof.eras, [*self.history.after_end, *[False] * len(self.proof.eras)]
        for at, (era, after) in enumerate(zip(eras, eras[1:], strict=False)):
            if era.first == after.first:
                yield make_finding("open", "given_up", number=era.number)
            elif after_end[at + 1]:
                continue
            elif self.history.is_abandoned(at, self.dealt) if era.level == 2 else after.first < era.first + self.terms[at].room:
                yield make_finding("open", "replaced", number=era.number)

    def _seen(self) -> Iterator[Finding]:
        """What somebody saw, held against the proof."""
        known, eras = self.known, {era.number: era for era in self.proof.eras}
        wrong: list[Finding] = []
        seen = {transcript: True for transcript in known.transcripts}
        for transcript in known.transcripts:
            if transcript not in {era.transcript for era in self.proof.eras}:
                wrong.append(make_finding("broken", "unknown_transcript", transcript=transcript[:16]))
        for kept in known.kept:
            if kept.gid != self.proof.gid:
                wrong.append(make_finding("broken", "other_game"))
                continue
            if kept.server != self.proof.server:
                wrong.append(make_finding("broken", "other_key", server=self.proof.server[:16], known=kept.server[:16]))
            for each in kept.eras:
                here = eras.get(each.number)
                if here is None or here.transcript != each.transcript:
                    wrong.append(make_finding("broken", "other_era", number=each.number))
                if each.mine:  # who sealed nothing in an era cannot vouch for it
                    seen[each.transcript] = True
            wrong += self._compared(kept.draws)
            wrong += [make_finding("broken", "alarm", text=alarm.text) for alarm in kept.alarms]
        wrong += self._seeds()
        yield from wrong
        used = {each.era for each in self.dealt if each.era >= 0}
        unseen = [era for at, era in enumerate(self.proof.eras) if at in used and era.transcript not in seen]
        if not wrong:
            yield make_finding("open", "unseen") if unseen or not used else make_finding("holds", "seen")

    def _compared(self, draws: Sequence[KeptDraw]) -> Iterator[Finding]:
        """Draws that a client saw and that the proof does not have."""
        mine: dict[int, list[ChanceEvent]] = {}
        for each in self.dealt:
            mine.setdefault(each.place, []).append(each)
        for kept in draws:
            seen = [each for each in mine.get(kept.index, []) if each.era >= 0]
            same = any(
                (self.proof.eras[each.era].number, each.event) == (kept.era, kept.e)
                and draw(each.position, each.action) == Draw(kept.weights, kept.outcome, kept.name)
                and _pairs(_answers(self.proof.eras[each.era], each.event)) == kept.links
                and _late(self.proof.eras[each.era], each.event) == kept.defaults
                for each in seen
            )  # fmt: skip
            if not same:
                yield make_finding("broken", "other_draw", event=kept.index + 1, name=kept.name)

    def _seeds(self) -> Iterator[Finding]:
        """Is each given seed the one of its seat, in at least one era?"""
        for seat, seed in self.known.seeds:
            fits = [
                era.number for era in self.proof.eras
                if seat < len(era.seats) and era.seats[seat].head == _head(seed, self.game_id, era, seat)
            ]  # fmt: skip
            if not fits:
                yield make_finding("broken", "other_seed", seat=seat + 1)


def _head(seed: bytes, game_id: bytes, era: Era, seat: int) -> str:
    return bgf2.chain(seed, game_id, era.number, seat, era.seats[seat].length)[0].hex()


def _is_under(terms: Terms, event: int, each: EventKey) -> bool:
    path = [bytes.fromhex(other) for other in each.path]
    return bgf2.is_under(terms.root, terms.depth, event, bytes.fromhex(each.key), path)


def _key(era: Era, game_id: bytes, event: int) -> bytes | None:
    if era.secret:
        return bgf2.event_key(bytes.fromhex(era.secret), game_id, era.number, event)
    return bytes.fromhex(era.keys[str(event)].key) if str(event) in era.keys else None


def _answers(era: Era, event: int) -> list[Contribution] | None:
    """The links of an event; None if they are not there."""
    if era.level == 1:
        return []
    answers = era.answers.get(str(event))
    return None if answers is None else [Contribution(seat, bytes.fromhex(value)) for seat, value in answers]


def _late(era: Era, event: int) -> list[int]:
    return era.defaults.get(str(event), [])


def _pairs(links: list[Contribution] | None) -> list[tuple[int, str]]:
    return [(link.seat, link.value.hex()) for link in links or ()]


def _contributed(era: Era, terms: Terms, each: ChanceEvent) -> bool:
    """Are the contributions of an event those of the contributors' rule? (Missing ones are another finding.)"""
    links, late = _answers(era, each.event), _late(era, each.event)
    if links is None:
        return not late
    due = bgf2.contributors(terms, each.last)
    given = [link.seat for link in links]
    ordered = given == [seat for seat in due if seat in given] and sorted([*given, *late]) == sorted(due)
    return ordered and all(bgf2.leads_to(terms, link.seat, each.event + bgf2.ASK_FIRST, link.value) for link in links)


def _defaulted(era: Era, dealt: list[ChanceEvent]) -> Iterator[Finding]:
    """Draws that the server could influence, because a seat did not answer or none could be asked."""
    events = {each.event for each in dealt}
    late = [seat for event in events for seat in _late(era, event)]
    if late:
        seats = join_phrases(
            "fairness:finding.and", [Phrase("fairness:finding.seat", {"seat": seat + 1}) for seat in sorted({*late})]
        )
        yield make_finding("open", "late", seats=seats, n=len(late))
    alone = sum(not _answers(era, event) for event in events) if era.level == 2 else 0
    if alone:
        yield make_finding("open", "alone", n=alone)
