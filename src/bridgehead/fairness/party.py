"""A seat's side of sealed chance: its messages, its checks of every draw as it happens, and its alarms.

It plays the record along by the rules (`Follower`), and asks of everything that comes: is this what is due?
docs/understand/fairness.md lists the checks in their order. `live_checks.js` is the same for a page.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import convert
from msgspec.structs import replace

from bridgehead.core import record as records
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import Phrase, sentence
from bridgehead.core.position import Position
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.fairness import bgf2, proof, signatures
from bridgehead.fairness.bgf2 import Contribution, SeatHead, Terms
from bridgehead.fairness.findings import Finding
from bridgehead.fairness.follower import Follower, NotLegal
from bridgehead.fairness.rules_terms import RulesTerms, digest_installed_rules
from bridgehead.fairness.statements import KEPT, Alarm, Kept, KeptDraw, KeptEra, Listed, SignedHead, Statement, of_era

Message = dict[str, Any]
PATIENCE = 30.0  # seconds in which a server must prove a draw that it dealt


class Pinned(NamedTuple):
    """An era that this client saw frozen, the only one of its number that it accepts. mine: the seats that it had sealed."""

    terms: Terms
    signature: str
    listed: Listed
    mine: frozenset[int]
    opened: bytes | None = None


class Pledge(NamedTuple):
    """A link that was given for a draw that was not dealt yet. due: its number; era, e: where; line: the actions before it."""

    due: int
    era: int
    e: int
    line: tuple[int, ...]


class Contradicted(Exception):
    """Something that an honest server never sends. claim: the part of its message."""

    def __init__(self, key: str, n: int = 0, era: int = 0, claim: object = None) -> None:
        super().__init__(key)
        self.key, self.n, self.era, self.claim = key, n, era, claim


class Party:
    """Seals chance for some seats and keeps watch. Their seeds never leave this object; `look` returns the messages to send.

    source: 0 for a person's program, 2 for another; key: the server's public key, hex, "" to accept the first one; heads: signed
    heads of its list, kept from earlier visits. alarms: sentences about detected cheating; after the first, it reveals nothing.
    level: the level of sealed chance that was asked for, 0 if none was; unchecked: why this client cannot follow the record by
    the rules, "" if it does ("concealed" house rules, "rules" that are not installed here, an "old" server that does not tell).
    hears: the caller gives the server's answers to seals to `handle_answer`; until then, an era that was sealed is not looked at.
    words: four words to compare with the other players' own; missed: draws went by unseen, so the caller should fetch the proof
    and give it to `catch_up`. A link counts as given in time if the server reports it missing at least one second later,
    because a late message may cross that report. clock: seconds.
    """

    def __init__(
        self, source: int = 2, clock: Callable[[], float] = time.monotonic, table: str = "", key: str = "",
        heads: Sequence[SignedHead] = (), level: int = 0, hears: bool = False,
    ) -> None:  # fmt: skip
        self.source, self.clock, self.table, self.key = source, clock, table, key
        self.level, self.hears = level, hears
        self.heads = {head.n: head for head in heads}
        self.words: list[str] = []
        self.missed = False
        self.game_id = ""
        self.raised: list[Alarm] = []
        self.claims: list[object] = []
        self.statements: list[Statement] = []
        self.eras: dict[int, Pinned] = {}
        self.dealt = 0
        self.follower: Follower | None = None
        self.unchecked = "old"
        self._first = True  # no view came on this connection yet
        self._newcomer = True  # no view came on any connection before
        self._owed: float | None = None  # time since when the server owes the proof of a draw
        self._rules: RulesTerms | None = None  # as the server told them first
        self._pledge: Pledge | None = None
        self._pledges: list[Pledge] = []  # all of them: the log of every proof has them
        self._unseen: list[tuple[int, ...]] = []  # lines with draws that were not sent, which the next proof must have
        self._whole: bool | None = None  # has this client seen the match from its start?
        self._unproved = False  # draws went by unseen, and the server gave no proof of them
        self._rolls = 0  # chance lines in the log of the last view
        self._frozen = 0  # eras in the last proof
        self._closed = 0  # the newest era when the match was over: its secrets are public then
        self._doubted: set[int] = set()  # eras that this client accepts only after a look at the proof
        self._doubtful: list[tuple[int, int]] = []  # draws whose contributors the proof has to explain: index, era
        self._unlisted: set[int] = set()  # eras that the server froze and has not listed yet
        self._seeds: dict[int, bytes] = {}
        self._chains: dict[tuple[str, int, int, int], list[bytes]] = {}
        self._heads: set[tuple[int, int]] = set()  # era and seat of heads sent
        self._unanswered: set[int] = set()  # eras for which they were sent on this connection, without an answer so far
        self._sent: set[tuple[int, int, int]] = set()  # sent on this connection: era, seat, event (-1: the opening, -2: the head)
        self._given: dict[tuple[int, int, int], float] = {}  # time when a link was first sent, by era, seat, event
        self._asked: dict[tuple[int, int], tuple[int, ...]] = {}  # the contributors that the server asked, by era and event
        self._draws: dict[int, KeptDraw] = {}  # the latest of each index
        self._all: list[KeptDraw] = []
        self._known: dict[tuple[int, int], tuple[int, bytes]] = {}  # by era and seat: the latest link that was checked

    @property
    def alarms(self) -> list[str]:
        """The alarms in English."""
        return [alarm.text for alarm in self.raised]

    def look(self, view: Message, draws: Iterable[Message] = ()) -> list[Message]:
        """Check a complete view and the draws that came with it. Returns the messages to send now, without their keys."""
        answers: list[Message] = []
        try:
            answers = self._answers(view, list(draws))
        except Contradicted as found:
            self._alarm(found.key, found.n, found.era, found.claim)
        except Exception:  # whatever a server sends, this client answers with an alarm, and goes on
            self._alarm("malformed", claim=view.get("sealed") if isinstance(view, dict) else None)
        self.missed = self.missed or self._owed is not None
        self._first = self._first and self.missed  # the same view comes again with the proof
        return [] if self.raised else answers

    def _answers(self, view: Message, draws: list[Message]) -> list[Message]:
        sealed = view["sealed"]
        is_sealed = sealed["level"] and sealed.get("gid")
        if self.game_id and not is_sealed:  # sealing was dropped in the middle of the game
            raise Contradicted("game", claim=sealed)
        if self.level and sealed["level"] != self.level:
            raise Contradicted("level", claim=sealed)
        if not is_sealed:
            return []
        self._server(sealed)
        self.level = sealed["level"]
        self._play(view)
        lines, answers = [entry["actor"] for entry in view["log"]], list[Message]()
        self._rolls = sum(actor == CHANCE for actor in lines)
        self._newcomer = self._whole is None
        if self._whole is None:
            self._whole = self._rolls == 0
            self.dealt = self._rolls - len(draws)
        for era in sealed["eras"]:
            answers += self._era(sealed, era, view["you"])
        self._follow(draws, lines, view["you"])
        if view["outcome"] is not None:
            self._closed = max(self.eras, default=0)
        for era in sealed["eras"]:  # last, because a log with events that this client has not seen may be forged
            if era["asked"] and era["number"] in self.eras and not self.raised:
                answers += self._contribute(era["number"], era["asked"], view["you"], lines)
        return answers

    def _play(self, view: Message) -> None:
        """Play the record along by the rules, and compare what the view says of it."""
        sealed, claim = view["sealed"], {part: view.get(part) for part in ("actions", "actor", "choices")}
        told = sealed.get("rules")
        if self._rules is None and told is not None and not self.eras:
            self._begin(convert(told, RulesTerms), sealed["start"])
        elif self._rules is not None and (told is None or _law(convert(told, RulesTerms)) != _law(self._rules)):
            raise Contradicted("rules", claim=told)
        line = self.follower
        if line is not None and self.eras and convert(told, RulesTerms).hash == self.eras[max(self.eras)].terms.rules:
            line.same_sources = convert(told, RulesTerms).sources == digest_installed_rules(line.match.game.spec.package)
        if line is None:
            if told is None and "actions" in view:
                self.unchecked = "concealed"
            return
        try:
            line.follow(view["actions"])
        except NotLegal as wrong:
            raise Contradicted("illegal", wrong.at + 1, claim=claim) from None
        if self._pledge and line.kept < len(self._pledge.line) and not self._first:
            raise Contradicted("withdrawn", self._pledge.due + 1, claim=claim)
        if self._pledge and line.kept < len(self._pledge.line):
            self.missed = True  # it was dealt and taken back meanwhile, as the proof must tell
        elif self._pledge and line.match.chances > self._pledge.due:
            self._pledge = None
        match, position = line.match, line.position
        actor = position.actor if view["outcome"] is None else OVER
        if [entry.actor for entry in match.log] != [entry["actor"] for entry in view["log"]] or view["actor"] != actor:
            raise Contradicted("illegal", len(match.log), claim=claim)
        if "choices" in view and {choice["action"] for choice in view["choices"]} != {*position.legal}:
            raise Contradicted("choices", len(match.log) + 1, claim=claim)
        if "items" in view and line.same_sources and _places(view["items"]) != _places(_draw_items(position)):
            raise Contradicted("board", len(match.log), claim=view["items"])

    def _begin(self, rules: RulesTerms, start: str) -> None:
        """Begin to follow the record, if its rules are installed here."""
        self._rules = rules
        try:
            self.follower, self.unchecked = Follower(rules, start), ""
        except BridgeheadError:
            self.unchecked = "rules"

    def _server(self, sealed: Message) -> None:
        """Is it the server of the first visit, and the same game?"""
        key, gid = sealed["server"], sealed["gid"]
        self.key, self.game_id = self.key or key, self.game_id or gid
        if key != self.key or not signatures.is_sound(bytes.fromhex(key)):
            raise Contradicted("key", claim=key)
        if gid != self.game_id:
            raise Contradicted("game", claim=gid)

    def _era(self, sealed: Message, era: Message, you: Sequence[int]) -> list[Message]:
        number = era["number"]
        if not era["transcript"]:
            due = [seat for seat in you if era["seats"][seat] is None and self._is_new(number, seat, -2)]
            heads = [{"seat": seat, "head": self._chain(number, era["level"], seat)[0].hex()} for seat in due]
            self._heads.update((number, seat) for seat in due)
            self._unanswered.update([number] if due and self.hears else ())
            return [{"t": "seal", "gid": self.game_id, "era": number, "heads": heads, "source": self.source}] if heads else []
        if number in self._unanswered or (number not in self.eras and not self._pin(sealed, era)):
            return []
        pinned = self.eras[number]
        if era["transcript"] != pinned.terms.transcript.hex():
            self.statements += of_era(self.game_id, number, era["transcript"], era["signature"], None)
            raise Contradicted("two", era=number, claim=era)
        if era["opening"] and pinned.opened is None:
            self._open(number, era["opening"])
        due = [seat for seat in era["unopened"] if seat in you and seat in pinned.mine]
        return self._reveal(number, -1, due, 1)

    def _pin(self, sealed: Message, era: Message) -> bool:
        """Accept a frozen era, if it is made of what was sealed, signed, and listed. False: not now."""
        number, level = era["number"], era["level"]
        seats = tuple(SeatHead(source, bgf2.chain_length(level, source), bytes.fromhex(head)) for source, head in era["seats"])
        rules, root = bytes.fromhex(era["rules"]), bytes.fromhex(era["root"])
        terms = Terms(bytes.fromhex(self.game_id), number, era["first"], rules, root, era["depth"], level, seats)
        if terms.transcript.hex() != era["transcript"] or era["rule"] != bgf2.RULES[level]:
            raise Contradicted("transcript", era=number, claim=era)
        if self._rules and number == sealed["eras"][-1]["number"] and convert(sealed["rules"], RulesTerms).hash != rules:
            raise Contradicted("rules", era=number, claim=era)
        mine = frozenset(seat for era_number, seat in self._heads if era_number == number)
        if any((seats[seat].source, seats[seat].head) != (self.source, self._chain(number, level, seat)[0]) for seat in mine):
            raise Contradicted("seal", era=number, claim=era)
        last = max(self.eras, default=0)
        floor = max(self.dealt, self.eras[last].terms.first if last else 0)
        if number <= last or terms.first < floor or not 1 <= terms.depth <= 16 or level != sealed["level"]:
            raise Contradicted("era", era=number, claim=era)
        if self._whole and (number > max(last + 1, self._frozen) or terms.first > max(floor, self._rolls)):
            if number in self._doubted:
                raise Contradicted("era", era=number, claim=era)
            self._doubted.add(number)
            self.missed = True
            return False
        signed = Statement("era", self.game_id, number, era["transcript"], era["signature"])
        if not signed.holds(self.key):
            raise Contradicted("signature", era=number, claim=era)
        if era["listed"] is None:
            self._unlisted.add(number)
            return False
        listed = Listed(**era["listed"])
        row = Statement("list", "", listed.n, listed.link, listed.signature)
        kept = self.heads.setdefault(listed.n, SignedHead(listed.n, listed.link, listed.signature))
        if kept.link != listed.link:
            self.statements += [Statement("list", "", kept.n, kept.link, kept.signature), row]
        if not listed.follows(terms.game_id, number, terms.transcript) or not row.holds(self.key) or kept.link != listed.link:
            raise Contradicted("list", era=number, claim=era)
        self.eras[number] = Pinned(terms, era["signature"], listed, mine)
        return True

    def _open(self, number: int, opening: Sequence[str]) -> None:
        """Check the first link of every seat, and make the four words."""
        pinned = self.eras[number]
        links = [bytes.fromhex(link) for link in opening]
        right = len(links) == len(pinned.terms.seats)
        right = right and all(bgf2.leads_to(pinned.terms, seat, 1, link) for seat, link in enumerate(links))
        if not right:
            raise Contradicted("opening", era=number, claim=list(opening))
        opened = bgf2.combine_openings(pinned.terms.transcript, links)
        self.eras[number] = pinned._replace(opened=opened)
        self.words = bgf2.four_words(opened)

    def _contribute(self, number: int, asked: Message, you: Sequence[int], lines: list[int]) -> list[Message]:
        """The links for a draw of level 2, if it is the draw that is due, the right seats are asked, and no draw is unseen."""
        terms, event, seats = self.eras[number].terms, asked["e"], tuple(asked["seats"])
        again, line = self._asked.get((number, event)), self.follower
        due = again or bgf2.contributors(terms, _last(lines))
        index = terms.first + event
        if seats != due or index != self._rolls or self._rolls < self.dealt or event >= terms.room:
            raise Contradicted("asked", index + 1, number, asked)
        if line is not None and line.due != index:  # a decision comes first
            raise Contradicted("asked", index + 1, number, asked)
        self.missed = self.missed or self._unproved
        if self.missed:
            return []
        self._asked[number, event] = seats
        mine = [seat for seat in asked["missing"] if seat in you and seat in self.eras[number].mine]
        if mine and line is not None:
            self._pledge = Pledge(index, number, event, line.match.actions)
            self._pledges.append(self._pledge)
        return self._reveal(number, event, mine, event + bgf2.ASK_FIRST)

    def _reveal(self, number: int, event: int, seats: Iterable[int], j: int) -> list[Message]:
        due = [seat for seat in seats if self._is_new(number, seat, event)]
        if self.raised or not due:
            return []
        level = self.eras[number].terms.level
        links = [{"seat": seat, "value": self._chain(number, level, seat)[j].hex()} for seat in due]
        for seat in due:
            self._given.setdefault((number, seat, event), self.clock())
        return [{"t": "reveal", "gid": self.game_id, "era": number, "e": event, "links": links}]

    # Draws

    def _follow(self, draws: list[Message], lines: list[int], you: Sequence[int]) -> None:
        """Check the draws of a view, in their order. The proof has to show those that were not sent, or are of an unseen era.

        What was dealt before the very first view is left to the proof of the finished game.
        """
        line, checked = self.follower, set[int]()
        for each in draws:
            if self.dealt < each["index"] < self._rolls:
                self.missed = True
                break
            try:
                if self._draw(each, lines, you):
                    checked.add(each["at"])
                self._by_rules(each)
            except Contradicted as found:
                checked.add(each["at"])
                self._alarm(found.key, each["index"] + 1, each["era"], each)
            except Exception:  # as above
                self._alarm("malformed", claim=each)
            self.dealt = max(self.dealt, each["index"] + 1)
        new = () if line is None or self._newcomer or not self.eras else range(line.kept, len(lines))
        if line is not None and any(lines[at] == CHANCE and at not in checked for at in new):
            self._unseen.append(line.match.actions)
            self.missed = True
        if self._rolls > self.dealt and self.eras:
            self.missed = True
        elif self._rolls > self.dealt and self._whole:
            self._alarm("missing", self._rolls)
        elif not self.eras:
            self.dealt = max(self.dealt, self._rolls)

    def _by_rules(self, draw: Message) -> None:
        """Is it a draw that the rules have at this place, and the one that was played there?"""
        line = self.follower
        if line is None:
            return
        at, told = draw["at"], proof.Draw(list(draw["weights"]), draw["outcome"], draw["name"])
        due = line.draw(at) if 0 <= at < len(line.match.log) else None
        if due is None or line.number(at) != draw["index"] or told.weights != due.weights:
            raise Contradicted("weights")
        if told != due:
            raise Contradicted("played")

    def _draw(self, draw: Message, lines: list[int], you: Sequence[int]) -> bool:
        """Check a draw by itself. False: the proof has to show it, since its era was not seen, or closed by the match's end."""
        index, number, event, at = draw["index"], draw["era"], draw["e"], draw["at"]
        if not 0 <= at < len(lines) or lines[at] != CHANCE or lines[:at].count(CHANCE) != index:
            raise Contradicted("weights")
        pinned = self._era_of(index, number)
        if pinned is None:  # an era from before this client came
            return False
        terms = pinned.terms
        if event != index - terms.first or not 0 <= event < terms.room:
            raise Contradicted("era")
        key, path = bytes.fromhex(draw["key"]), [bytes.fromhex(other) for other in draw["path"]]
        if not bgf2.is_under(terms.root, terms.depth, event, key, path):
            raise Contradicted("root")
        links = [(seat, value) for seat, value in draw["links"]]
        rest = draw["weights"], draw["outcome"], draw["name"]
        made = KeptDraw(index, number, event, draw["key"], links, list(draw["defaults"]), *rest)
        before = self._draws.get(index)
        if before and (before.key, before.links, before.defaults) != (made.key, made.links, made.defaults):
            raise Contradicted("changed")
        if before is None:
            self._contributed(terms, made, pinned, lines[:at], you)
        self._draws[index] = made
        if before != made:
            self._all.append(made)
        given = [Contribution(seat, bytes.fromhex(value)) for seat, value in links]
        shared = None if pinned.opened is None else bgf2.entropy(pinned.opened, event, given)
        if shared is None or bgf2.outcome(key, shared, event, made.weights) != made.outcome:
            raise Contradicted("draw")
        return before is not None or number > self._closed

    def _era_of(self, index: int, number: int) -> Pinned | None:
        """The era that supplies an event. None: this client did not see it frozen, and no era that it saw should supply it."""
        due = max((n for n, pinned in self.eras.items() if pinned.terms.first <= index), default=0)
        unseen = number in self._unlisted or number in self._doubted
        unseen = unseen or (not self._whole and number < max(self.eras, default=number + 1) and index not in self._draws)
        if due > number or (due < number and (number in self.eras or not unseen)):
            raise Contradicted("era")
        return self.eras[number] if due == number else None

    def _contributed(self, terms: Terms, made: KeptDraw, pinned: Pinned, lines: list[int], you: Sequence[int]) -> None:
        """Check that the right seats contributed, each by its own link, and that those left out had been asked."""
        number, event = made.era, made.e
        asked = self._asked.get((number, event))
        due = asked if asked is not None else bgf2.contributors(terms, _last(lines))
        given = [seat for seat, _ in made.links]
        if given != [seat for seat in due if seat in given] or sorted([*given, *made.defaults]) != sorted(due):
            if asked is not None or terms.level == 1:
                raise Contradicted("contributors")
            self._doubtful.append((made.index, number))  # a takeback may lie between the request and the draw
            self.missed = True
        for seat, value in made.links:
            link = bytes.fromhex(value)
            if not bgf2.leads_to(terms, seat, event + bgf2.ASK_FIRST, link, self._known.get((number, seat))):
                raise Contradicted("link")
            self._known[number, seat] = event + bgf2.ASK_FIRST, link
        for seat in made.defaults:
            if seat in pinned.mine and self.clock() > self._given.get((number, seat, event), self.clock()) + 1:
                raise Contradicted("default")
            if seat in pinned.mine and seat in you and asked is None and not (self._first or self.raised):
                raise Contradicted("unasked")

    # The proof, and what is kept

    def catch_up(self, text: bytes | None, is_over: bool = False) -> list[Finding]:
        """Check the proof so far, after missed draws or at the end. None: the server gives none now."""
        self.missed, doubtful, self._doubtful = False, self._doubtful, []
        findings: list[Finding] = []
        wrong: object = "no proof"
        try:
            if text is not None:
                read = proof.read(text)
                known = proof.Observed(key=self.key, kept=[replace(self.collect_evidence(), alarms=[])] if self.eras else ())
                findings = proof.verify(read, known)
                wrong = [finding.what for finding in findings if finding.verdict == "broken"]
                if isinstance(read, proof.Proof):
                    seen = 0 if self._unproved else self.dealt  # without a proof, `dealt` was taken from the log as it was shown
                    self.dealt, self._frozen = max(seen, proof.dealt_in(read.log)), len(read.eras)
                    self.statements += [each for _, each in proof.statements(read)] if wrong else []
                    wrong = wrong or self._other_story(read, is_over)
                elif self.eras:
                    wrong = "bgf1"
        except BridgeheadError as error:
            wrong = str(error)
        if wrong:
            for index, era in doubtful:
                self._alarm("contributors", index + 1, era, wrong)
        self._unproved = text is None
        if text is None:
            self._whole, self.dealt = False, max(self.dealt, self._rolls)
            self._wait_for_proof(is_over)
        elif wrong:
            self._alarm("proof", claim=wrong)
        elif self._rolls > self.dealt:
            self._alarm("missing", self._rolls)
        else:
            self._owed = None
        return findings

    def _other_story(self, told: proof.Proof, is_over: bool) -> list[str]:
        """In what a sound proof differs from the record that this client followed."""
        wrong: list[str] = []
        line, pledge = self.follower, self._pledge
        if is_over and any(not era.secret for era in told.eras):
            wrong.append("secret")
        if is_over and line is not None:
            match, _ = records.load(told.record)
            if (match.positions[0], match.actions) != (line.match.positions[0], line.match.actions):
                wrong.append("record")
        if not {(each.era, each.e, each.line) for each in self._pledges} <= proof.asked_in(told):
            wrong.append("asked")
        if not proof.has_lines(told, self._unseen):
            wrong.append("line")
        self._unseen = []
        if wrong:
            return wrong
        if pledge is not None and line is not None and line.kept < len(pledge.line):
            self._pledge = None
        return wrong

    def _wait_for_proof(self, is_over: bool) -> None:
        """The server owes a proof, at once at the end. Before, it may be busy, and gives none while house rules are concealed."""
        if self._owed is None and self._rules is not None:
            self._owed = self.clock()
        if is_over or (self._owed is not None and self.clock() - self._owed >= PATIENCE):
            self._alarm("missing", self._rolls)

    def collect_evidence(self) -> Kept:
        """Everything to keep for a later comparison; with alarms, it is a file of evidence."""
        eras = [
            KeptEra(number, era.terms.transcript.hex(), sorted(era.mine), era.signature, era.listed)
            for number, era in sorted(self.eras.items())
        ]  # fmt: skip
        game, server = self.game_id or "0" * 32, self.key or "0" * 64
        return Kept(
            KEPT, self.table, game, server, bool(self._whole), eras, list(self._all), list(self.heads.values()),
            list(self.raised), list(self.statements), list(self.claims),
        )  # fmt: skip

    @property
    def seeds(self) -> Mapping[int, bytes]:
        """The secret seed of each seat, for `bridgehead verify --seat-seed`."""
        return self._seeds

    def _alarm(self, key: str, n: int = 0, era: int = 0, claim: object = None) -> None:
        if any((alarm.key, alarm.n, alarm.era) == (key, n, era) for alarm in self.raised):
            return
        text = sentence(Phrase(f"fairness:alarm.{key}", {"n": n, "number": era}))
        self.raised.append(Alarm(key, n, era, text, time.time()))
        self.claims.append(claim)

    def handle_answer(self, message: Message, accepted: bool) -> None:
        """The server's answer to a seal. Refused: another program of the same person had sealed these seats, so none is own."""
        number = message["era"]
        self._unanswered.discard(number)
        if not accepted:
            self._heads -= {(number, head["seat"]) for head in message["heads"]}

    def again(self) -> None:
        """After a lost connection: forget the sent messages, because they may not have arrived."""
        self._sent.clear()
        self._unanswered.clear()
        self._first = True

    def _is_new(self, number: int, seat: int, event: int) -> bool:
        new = (number, seat, event) not in self._sent
        self._sent.add((number, seat, event))
        return new

    def _chain(self, number: int, level: int, seat: int) -> list[bytes]:
        place = self.game_id, number, level, seat
        if place not in self._chains:
            seed = self._seeds.setdefault(seat, secrets.token_bytes(32))
            length = bgf2.chain_length(level, self.source)
            self._chains[place] = bgf2.chain(seed, bytes.fromhex(self.game_id), number, seat, length)
        return self._chains[place]


def _last(lines: Sequence[int]) -> int:
    """The seat that made the last decision; 0 if there is none."""
    return next((actor for actor in reversed(lines) if actor >= 0), 0)


def _law(rules: RulesTerms) -> tuple[str, ...]:
    """What may not change while a game lasts: its sources may, when the server is upgraded."""
    return rules.game, rules.version, rules.options, rules.salt


def _draw_items(position: Position) -> list[Message]:
    items: list[Message] = msgspec.to_builtins(position.game.spec.scene.items(position, "en"))
    return items


def _places(items: Iterable[Message]) -> list[tuple[object, ...]]:
    """What stands where, without words."""
    return [tuple(item.get(part) for part in ("id", "x", "y", "at", "seat", "cls", "z")) for item in items]
