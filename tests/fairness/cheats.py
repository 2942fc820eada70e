"""An honest server of sealed chance in memory, as tests need it: cheating ones are copies with one method changed.

Its clients are real ones (`Party`). It shows each of them a view, carries their messages, and deals as the real server does.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec

import bridgehead
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE
from bridgehead.fairness import bgf2, proof, signatures
from bridgehead.fairness.bgf1 import Link, SeatHead
from bridgehead.fairness.bgf2 import SERVER, Contribution, Terms
from bridgehead.fairness.party import Party
from bridgehead.fairness.seals import SealedEra, Seals, SecretKeeper, begin, proof_of
from bridgehead.fairness.statements import Listed

Message = dict[str, Any]
KEY = b"k" * 32
OPTIONS = {"seats": 3}


class Server:
    """A table with a party at each seat of `parties`; the server seals for the others. It plays at random.

    concealed: it does not tell the house rules, so no client can follow the record by them.
    """

    def __init__(
        self, level: int = 1, parties: dict[int, Party] | None = None, seed: int = 1, gid: bytes = b"g" * 16,
        concealed: bool = False,
    ) -> None:  # fmt: skip
        self.lot, self.level, self.gid, self.key = random.Random(seed), level, gid, KEY
        self.game = bridgehead.game("barricade", **OPTIONS)
        self.match, self.seals = Match(self.game), Seals(SecretKeeper(self.lot.randbytes(32)), self.game)
        self.parties = {seat: Party() for seat in range(self.game.seats)} if parties is None else parties
        self.rules: Message = {}
        self.concealed = concealed
        self.rows: list[str] = []
        self.listed: dict[int, Listed] = {}
        self.signatures: dict[int, str] = {}
        self.log: list[tuple[int, int]] = []
        self.shown = {seat: 0 for seat in self.parties}
        self.silent: set[int] = set()  # seats that do not answer

    @property
    def public(self) -> str:
        return signatures.public_key(self.key).hex()

    # Sealing

    def begin(self) -> None:
        made = [seat not in self.parties for seat in range(self.game.seats)]
        self.seals = self.seals.begin_era(begin(self.seals, self.gid, self.level, made))
        self.rules = self.rules or msgspec.to_builtins(self.seals.find_rules_terms(self.seals.eras[-1]))

    def freeze(self) -> None:
        era = self.seals.pending
        assert era is not None
        terms = self.seals.terms(era)
        self.signatures[era.number] = self.sign(terms)
        self.listed[era.number] = self.enlist(terms)
        self.seals = self.seals.froze(terms.transcript, self.signatures[era.number], terms.first)
        self.log.append((proof.FROZEN, era.number))

    def sign(self, terms: Terms) -> str:
        return signatures.sign(self.key, bgf2.era_statement(self.gid, terms.number, terms.transcript)).hex()

    def enlist(self, terms: Terms) -> Listed:
        n, before = len(self.rows) + 1, self.rows[-1] if self.rows else "0" * 64
        link = bgf2.list_link(bytes.fromhex(before), n, self.gid + bgf2.u32(terms.number), terms.transcript)
        self.rows.append(link.hex())
        return Listed(n, before, link.hex(), signatures.sign(self.key, bgf2.list_statement(n, link)).hex())

    # What a client sees

    def era(self, seat: int, era: SealedEra) -> Message:
        terms = self.seals.terms(era)
        asked = era.asked and {"e": era.asked.event, "seats": list(era.asked.seats), "missing": list(era.asked.missing)}
        listed = self.listed.get(era.number)
        return {
            "number": era.number, "first": max(0, era.first), "depth": era.depth, "level": era.level,
            "rule": bgf2.RULES[era.level], "rules": terms.rules.hex(), "root": era.root.hex(),
            "seats": [[head.source, head.head.hex()] if head else None for head in era.heads],
            "transcript": era.transcript.hex(), "signature": era.signature,
            "listed": msgspec.to_builtins(listed) if listed and era.transcript else None,
            "unopened": list(era.unopened), "asked": asked,
            "opening": [link.value.hex() for link in self.seals.first_links(era)] if era.is_complete else [],
        }  # fmt: skip

    def view(self, seat: int) -> Message:
        eras = [self.era(seat, era) for era in (self.seals.running_era, self.seals.pending) if era is not None]
        sealed = {"level": self.level, "gid": self.gid.hex(), "server": self.public, "start": "", "eras": eras}
        sealed |= {} if self.concealed else {"rules": self.rules}
        log = [{"actor": entry.actor} for entry in self.match.log]
        is_over = self.match.position.is_over
        now = {"actor": self.match.position.actor, "outcome": {} if is_over else None, "actions": list(self.match.actions)}
        return {"sealed": sealed, "log": log, "you": [seat], **now}

    def draw(self, seat: int, at: int, index: int) -> Message:
        sealed, position, action = self.seals.show_draw(index), self.match.positions[at], self.match.log[at].action
        assert sealed is not None
        made = proof.draw(position, action)
        names = ("era", "e", "key", "path", "links", "defaults")
        told = dict(zip(names, sealed, strict=True))
        return {"at": at, "index": index, **told, "weights": made.weights, "outcome": made.outcome, "name": made.name}

    def draws(self, seat: int) -> list[Message]:
        """The draws since the client's last view."""
        rolls = [at for at, entry in enumerate(self.match.log) if entry.actor == CHANCE]
        return [self.draw(seat, at, index) for index, at in enumerate(rolls) if at >= self.shown[seat]]

    # Play

    def show(self) -> bool:
        """Show every client its view, and take its messages; True if there were any."""
        told = [(seat, message) for seat, party in self.parties.items() for message in self.ask(seat, party)]
        for seat, message in told:
            if seat not in self.silent:
                self.hear(seat, message)
        return bool(told)

    def ask(self, seat: int, party: Party) -> list[Message]:
        view, draws = self.view(seat), self.draws(seat)
        self.shown[seat] = len(self.match.log)
        answers = party.look(view, draws)
        if party.missed:
            party.catch_up(msgspec.json.encode(self.proof()))
            answers += party.look(view, draws)
        return answers

    def hear(self, seat: int, message: Message) -> None:
        number = message["era"]
        if message["t"] == "seal":
            for head in message["heads"]:
                self.seals = self.seals.commit_head(head["seat"], SeatHead(message["source"], bytes.fromhex(head["head"])), "")
            return
        for link in message["links"]:
            made = Link(link["seat"], message["e"] + 2 if message["e"] >= 0 else 1, bytes.fromhex(link["value"]))
            self.seals = self.seals.open_link(self.gid, made, number)

    def contributors(self, era: SealedEra) -> tuple[int, ...]:
        return bgf2.contributors(self.seals.terms(era), proof.last_decider(self.match.log))

    def request(self) -> None:
        era = self.seals.running_era
        assert era is not None
        event = self.match.chances - era.first
        self.log.append((proof.ASKED, event))
        self.seals = self.seals.request_links(self.gid, event, self.contributors(era), era.number)

    def give_up(self) -> None:
        """The seats that were asked did not answer."""
        era = self.seals.running_era
        assert era is not None
        for seat in era.asked.missing if era.asked else ():
            self.seals = self.seals.default_seat(self.gid, seat, era.number)

    def deal(self) -> bool:
        """Deal one event, if it can be dealt."""
        action = self.seals.deal(self.match.position, self.match.chances) if self.match.position.is_chance else None
        if action is None:
            return False
        self.play(CHANCE, action)
        return True

    def play(self, actor: int, action: int) -> None:
        self.log.append((actor, action))
        self.match.play(action)
        self.seals = self.seals.follow_match(self.match.chances, self.match.position.is_over)

    def take_back(self, length: int) -> None:
        self.log.append((proof.BACK, length))
        self.match.rewind(length)
        self.shown = {seat: min(shown, length) for seat, shown in self.shown.items()}

    def seal(self) -> Server:
        """Seal an era, from its beginning until all have opened."""
        self.begin()
        while self.show():
            pass
        self.freeze()
        while self.show():
            pass
        return self

    def run(self, decisions: int = 12) -> Server:
        """Play so many decisions, with the draws between them."""
        made = 0
        while made <= decisions and not self.match.position.is_over:
            while self.deal():
                self.show()
            if not self.match.position.is_chance:
                if made == decisions or self.match.position.is_over:
                    break
                self.play(self.match.position.actor, self.lot.choice(self.match.position.legal))
                made += 1
                continue
            if self.level == 1:
                break
            self.request()
            while self.show():
                pass
            self.give_up()
        self.show()
        return self

    # Proof

    def proof(self, revealed: bool = False) -> proof.Proof:
        rows = {era.id: self.listed[era.number] for era in self.seals.eras if era.number in self.listed}
        eras = self.seals.disclose_eras(self.match.chances, revealed, 10_000, rows)
        return proof_of(self.match, self.log, self.gid.hex(), eras, server=self.public)

    def findings(self, *kept: Party, **known: Any) -> list[proof.Finding]:
        """The verifier's findings on the finished proof, with what these parties kept."""
        told = proof.read(msgspec.json.encode(self.proof(revealed=True)))
        return proof.verify(told, proof.Observed(kept=[party.collect_evidence() for party in kept], **known))

    def alarms(self) -> list[tuple[str, int]]:
        """What the clients raised: names and draws."""
        return [(alarm.key, alarm.n) for party in self.parties.values() for alarm in party.raised]


class PlaysAnother(Server):
    """From the fifth draw on it plays another outcome than the sealed one."""

    def deal(self) -> bool:
        position = self.match.position
        sealed = self.seals.deal(position, self.match.chances) if position.is_chance else None
        if sealed is None or self.match.chances < 4:
            return super().deal()
        self.play(CHANCE, next(each for each in position.legal if each != sealed))
        return True


def wrong(findings: list[proof.Finding], verdict: str = "broken") -> str:
    """The findings with that verdict, in words."""
    return "; ".join(finding.what for finding in findings if finding.verdict == verdict)


def outcome(server: Server, era: SealedEra, event: int, links: list[tuple[int, bytes]], key: bytes, opened: bytes) -> int:
    """The action that follows from these values."""
    shared = bgf2.entropy(opened, event, [Contribution(seat, value) for seat, value in links])
    position = server.match.position
    return position.legal[bgf2.outcome(key, shared, event, position.weights)]


__all__ = ["SERVER", "Message", "PlaysAnother", "Server", "outcome", "wrong"]
