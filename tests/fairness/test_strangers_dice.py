"""Cheats of several messages: lost connections, proofs of another story, eras and links that are left. Each is seen."""

from __future__ import annotations

import msgspec
import pytest

from bridgehead.client import Rejected, Seated
from bridgehead.core import record as records
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.fairness import bgf2, proof
from bridgehead.fairness.bgf1 import Link, SeatHead
from bridgehead.fairness.party import Party
from bridgehead.fairness.seals import proof_bgf1_of, proof_of
from fairness import made_bgf1
from fairness.cheats import Message, PlaysAnother, Server, wrong

LEVELS = pytest.mark.parametrize("level", [1, 2])


class Forges(Server):
    """From draw `at` on it plays another die than the sealed one, sends no draw of it, and proves the story without it."""

    at = 4
    true: proof.Proof | None = None

    def deal(self) -> bool:
        position = self.match.position
        sealed = self.seals.deal(position, self.match.chances) if position.is_chance else None
        if sealed is None or self.match.chances != self.at or self.true is not None:
            return super().deal()
        match, log = self.match.fork(), list(self.log)
        match.play(sealed)
        seals = self.seals.follow_match(match.chances, is_over=False)
        rows = {era.id: self.listed[era.number] for era in seals.eras if era.number in self.listed}
        eras = seals.disclose_eras(match.chances, False, 10_000, rows)
        self.true = proof_of(match, [*log, (CHANCE, sealed)], self.gid.hex(), eras, server=self.public)
        self.play(CHANCE, next(each for each in position.legal if each != sealed))
        return True

    def draws(self, seat: int) -> list[Message]:
        return [each for each in super().draws(seat) if self.true is None or each["index"] < self.at]

    def proof(self, revealed: bool = False) -> proof.Proof:
        return self.true or super().proof(revealed)


@LEVELS
def test_a_proof_of_another_line_proves_no_draw(level: int) -> None:
    server = Forges(level).seal()
    for _ in range(8):
        server.run(0 if server.true else 1)
    assert {key for key, _ in server.alarms()} == {"proof"} and len(server.alarms()) == 3


class RollsAgain(Server):
    """While the connections are down, it takes a draw back and plays another die. It sends no draw of that."""

    rolled = False

    def roll_again(self) -> None:
        at = max(at for at, entry in enumerate(self.match.log) if entry.actor == CHANCE)
        was = self.match.log[at].action
        self.told = super().proof()
        self.take_back(at)
        self.play(CHANCE, next(each for each in self.match.position.legal if each != was))
        self.rolled = True
        for party in self.parties.values():
            party.again()

    def draws(self, seat: int) -> list[Message]:
        return [] if self.rolled else super().draws(seat)

    def proof(self, revealed: bool = False) -> proof.Proof:
        return self.told if self.rolled else super().proof(revealed)


@LEVELS
def test_a_die_that_is_exchanged_during_a_lost_connection_is_seen_after_it(level: int) -> None:
    server = RollsAgain(level).seal().run(6)
    server.roll_again()
    server.show()
    assert {key for key, _ in server.alarms()} == {"proof"} and len(server.alarms()) == 3


class DecidesAgain(Server):
    """Level 2: with the links of a draw it knows the die; it cuts the connections, and another decision is played."""

    def decide_again(self) -> None:
        at = len(self.match.log) - 1
        was = self.match.log[at].action
        assert self.match.log[at].actor >= 0 and self.match.position.is_chance
        others = [each for each in self.match.positions[at].legal if each != was]
        other = next(each for each in others if self.match.positions[at].after(each).is_chance)
        self.request()
        while self.show():
            pass
        assert self.seals.deal(self.match.position, self.match.chances) is not None, "it knows the die"
        self.take_back(at)
        self.play(self.match.position.actor, other)
        for party in self.parties.values():
            party.again()
        while self.deal():
            pass
        self.show()


def test_a_decision_that_is_exchanged_during_a_lost_connection_after_the_links_were_given_is_seen() -> None:
    for seed in range(1, 30):
        server = DecidesAgain(2, seed=seed).seal().run(4)
        server.play(server.match.position.actor, server.match.position.legal[0])
        try:
            server.decide_again()
        except (StopIteration, AssertionError):
            continue
        assert "eras and draws follow" in wrong(server.findings(*server.parties.values()))
        assert {key for key, _ in server.alarms()} == {"proof"}
        return
    raise AssertionError("no game had another decision")


class LeavesTheDraw(Server):
    """Level 2: with the links of a draw it knows the die, and freezes another era if the die does not suit it."""

    hides = False

    def leave(self) -> None:
        self.play(self.match.position.actor, self.match.position.legal[0])
        self.begin()
        while self.show():
            pass
        self.request()
        if self.hides:
            self.log.pop()
        while self.show():
            pass
        assert self.seals.deal(self.match.position, self.match.chances) is not None, "it knows the die"
        self.freeze()
        while self.show():
            pass


@pytest.mark.parametrize("hides", [False, True])
def test_a_draw_that_is_left_for_another_era_makes_the_verdict_open(hides: bool) -> None:
    server = LeavesTheDraw(2).seal().run(4)
    server.hides = hides
    server.leave()
    server.run(4)
    findings = server.findings(*server.parties.values())
    if not hides:
        assert server.alarms() == [] and proof.verdict(findings) == "open"
        assert "era 1 was replaced while it lasted" in wrong(findings, "open")
        return
    for party in server.parties.values():
        party.catch_up(msgspec.json.encode(server.proof(revealed=True)), is_over=True)
    assert {key for key, _ in server.alarms()} == {"proof"}


class DealsFromNowhere(PlaysAnother):
    """It gives no proof once, and then names an era that nobody saw."""

    def draw(self, seat: int, at: int, index: int) -> Message:
        made = super().draw(seat, at, index)
        return {**made, "era": 99} if index >= 4 else made


@pytest.mark.parametrize("concealed", [False, True])
@LEVELS
def test_an_era_that_nobody_saw_supplies_no_draw(level: int, concealed: bool) -> None:
    server = DealsFromNowhere(level, concealed=concealed).seal().run(1)
    for party in server.parties.values():
        party.catch_up(None)
        party._owed = None
    server.run(6)
    assert {each for each in server.alarms() if each[1]} >= {("era", 5)}


class SealsForAll(Server):
    """It asks nobody to seal: the first thing that a client sees is a frozen era with heads that the server made."""

    def seal(self) -> Server:
        self.begin()
        chains = {seat: bgf2.chain(bytes([seat]) * 32, self.gid, 1, seat, bgf2.chain_length(self.level, 2)) for seat in range(3)}
        for seat, chain in chains.items():
            self.seals = self.seals.commit_head(seat, SeatHead(2, chain[0]), "")
        self.freeze()
        self.show()
        for seat, chain in chains.items():
            self.seals = self.seals.open_link(self.gid, Link(seat, 1, chain[1]), 1)
        self.chains = chains
        return self

    def request(self) -> None:
        super().request()
        era = self.seals.running_era
        assert era is not None and era.asked is not None
        for seat in era.asked.missing:
            link = Link(seat, era.asked.event + 2, self.chains[seat][era.asked.event + 2])
            self.seals = self.seals.open_link(self.gid, link, 1)


@LEVELS
def test_nobody_vouches_for_an_era_that_it_did_not_seal(level: int) -> None:
    server = SealsForAll(level).seal().run(4)
    findings = server.findings(*server.parties.values())
    assert server.match.chances > 2 and server.alarms() == [] and proof.verdict(findings) == "open"
    assert "nothing that a seat saw was compared" in wrong(findings, "open")


@LEVELS
def test_a_proof_of_the_first_version_proves_nothing_of_the_second(level: int) -> None:
    server = Server(level).seal().run(3)
    seals, match = made_bgf1.sealed(server.game, b"k" * 32, server.gid, [False] * 3, 1), Match(server.game)
    match.deal(seals)
    old = proof_bgf1_of(match, seals.disclose_eras(match.chances, True)[0], server=server.public)
    assert "broken" not in {finding.verdict for finding in proof.verify(old)}
    for is_over in (False, True):
        party = [*server.parties.values()][is_over]
        party.catch_up(msgspec.json.encode(old), is_over=is_over)
        assert [alarm.key for alarm in party.raised] == ["proof"]


def test_a_table_that_changes_its_level_is_an_alarm() -> None:
    server = Server(2).seal().run(3)
    server.level = 1
    server.begin()
    server.show()
    assert {key for key, _ in server.alarms()} == {"level"}


def test_a_log_line_that_is_no_draw_names_no_contributors() -> None:
    """Without the rules of the game, a client takes the contributors from the log before the line that a draw names."""
    server = Server(2, concealed=True).seal().run(4)
    party, index = server.parties[0], server.match.chances - 1
    rolls = [at for at, entry in enumerate(server.match.log) if entry.actor == CHANCE]
    party._draws.clear()
    for at in (rolls[index] - 1, rolls[index - 1], -1):
        party.raised.clear()
        party.look(server.view(0), [{**server.draw(0, rolls[index], index), "at": at}])
        assert [(alarm.key, alarm.n) for alarm in party.raised] == [("weights", index + 1)]


@LEVELS
def test_a_draw_that_is_further_than_the_log_is_an_alarm(level: int) -> None:
    server = Server(level).seal().run(4)
    party = server.parties[0]
    party.look(server.view(0), [{**server.draw(0, server.match.log.index(server.match.log[-1]), 0), "index": 1000}])
    assert [(alarm.key, alarm.n) for alarm in party.raised] == [("weights", 1001)]


def test_sources_that_were_named_falsely_at_first_hide_no_board() -> None:
    server = Server(1)
    server.begin()
    right = server.rules["sources"]
    server.rules["sources"] = "0" * 64
    server.show()
    server.rules["sources"] = right
    server.show()
    server.freeze()
    server.show()
    server.run(3)
    items = msgspec.to_builtins(server.game.spec.scene.items(server.match.position, "en"))
    server.parties[0].look({**server.view(0), "items": items[1:]})
    assert [alarm.key for alarm in server.parties[0].raised] == ["board"]


@LEVELS
def test_a_match_that_goes_on_draws_nothing_more_from_an_era_whose_secret_is_public(level: int) -> None:
    server = Server(level).seal().run(3)
    server.log.append((proof.OVER, 0))
    for seat, party in server.parties.items():
        party.look({**server.view(seat), "outcome": {}, "actor": OVER})
    server.run(2)
    assert {key for key, _ in server.alarms()} == {"proof"} and len(server.alarms()) == 3
    honest = Server(level, seed=2).seal().run(3)
    honest.log.append((proof.OVER, 0))
    for seat, party in honest.parties.items():
        party.look({**honest.view(seat), "outcome": {}, "actor": OVER})
    honest.seal().run(4)
    assert honest.alarms() == [] and wrong(honest.findings(*honest.parties.values())) == ""


# Honest behaviour.


@LEVELS
@pytest.mark.parametrize("seed", range(1, 4))
def test_clients_that_come_back_at_any_moment_raise_no_alarm(level: int, seed: int) -> None:
    server = Flaky(level, seed=seed).seal()
    for _ in range(4):
        server.run(3)
        server.take_back(server.lot.randrange(len(server.match.log) + 1))
        server.run(2)
        if server.lot.random() < 0.5:
            server.seal()
    for party in server.parties.values():
        party.catch_up(msgspec.json.encode(server.proof(revealed=True)), is_over=True)
    assert server.alarms() == [] and wrong(server.findings(*server.parties.values())) == ""


class Flaky(Server):
    """An honest server whose connections break: a client then sees nothing, and later a first view with the last eight draws."""

    def ask(self, seat: int, party: Party) -> list[Message]:
        if self.lot.random() < 0.3 and self.match.log:
            party.again()
            self.away = seat
            rolls = [at for at, entry in enumerate(self.match.log) if entry.actor == CHANCE]
            self.shown[seat] = rolls[-8] if len(rolls) > 8 else 0
        return super().ask(seat, party)


@pytest.mark.parametrize("first", [True, False])
def test_two_programs_that_seal_one_seat_at_once_raise_no_alarm(first: bool) -> None:
    """The server takes the first seal and refuses the second one, maybe after it has shown the frozen era."""
    server, late = Server(1), Party(hears=True)
    server.begin()
    mine = late.look(server.view(0))
    while server.show():
        pass
    server.freeze()
    if first:
        late.handle_answer(mine[0], accepted=False)
    assert late.look(server.view(0)) == [] and (1 in late.eras) == first
    late.handle_answer(mine[0], accepted=False)
    while server.show():
        pass
    server.run(4)
    assert late.look(server.view(0), server.draws(0)) == [] and late.raised == server.alarms() == []
    assert late.eras[1].mine == frozenset()


def test_the_name_of_an_action_is_not_the_servers_word() -> None:
    server, sent = Server(1).seal().run(3), []
    client = Seated.__new__(Seated)
    client.plain, client.party = True, server.parties[0]
    client._submit = lambda message: sent.append(message["a"]) or {}  # type: ignore[method-assign, func-returns-value]
    first, second = server.match.position.legal[:2]
    names = {each: server.match.position.name(each) for each in (first, second)}
    client.view = {"choices": [{"action": first, "text": names[second]}, {"action": second, "text": names[first]}]}
    with pytest.raises(Rejected):
        client.play(names[first])
    client.view = {"choices": [{"action": each, "text": names[each]} for each in (first, second)]}
    client.play(names[second])
    assert sent == [second]


def test_a_record_of_another_beginning_is_another_record() -> None:
    server = Server(1).seal().run(2)
    line = server.parties[0].follower
    assert line is not None
    line.match = Match(server.game, start=line.match.positions[1])
    told = msgspec.structs.replace(server.proof(revealed=True), record=records.dump(Match(server.game)))
    assert server.parties[0]._other_story(told, is_over=True) == ["record"]
