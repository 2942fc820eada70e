"""Cheats that only a client with the rules of the game can see: each is an alarm at its draw, or makes the verdict open."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from bridgehead.core.spec import CHANCE
from bridgehead.fairness import bgf2, proof
from bridgehead.fairness.bgf2 import Contribution
from bridgehead.fairness.party import PATIENCE, Party
from bridgehead.fairness.seals import SealedEra
from fairness.cheats import Message, PlaysAnother, Server, wrong

LEVELS = pytest.mark.parametrize("level", [1, 2])


class AsksBeforeTheDecision(Server):
    """It asks for the links of the next draw while a seat still has to decide, and so knows it."""

    def ask_early(self) -> None:
        assert not self.match.position.is_chance
        self.request()
        self.show()


def test_nobody_gives_a_link_before_the_decision_that_comes_first() -> None:
    server = AsksBeforeTheDecision(2).seal().run(4)
    before = [era.last for era in server.seals.eras]
    server.ask_early()
    assert {key for key, _ in server.alarms()} == {"asked"} and len(server.alarms()) == 3
    assert {n for _, n in server.alarms()} == {server.match.chances + 1}, "the alarm names the draw"
    assert [era.last for era in server.seals.eras] == before, "no link was given"
    assert "eras and draws follow" in wrong(server.findings()), "nor does the verifier accept a log that says so"


class ShowsAnotherDecision(Server):
    """It shows one seat another decision than the others see, to get its link for the draw that follows."""

    victim, fake = 0, False

    def view(self, seat: int) -> Message:
        view = super().view(seat)
        at = next((at for at in range(len(self.match.log) - 1, -1, -1) if self.match.log[at].actor >= 0), -1)
        if not self.fake or seat != self.victim or at < 0 or at < len(self.match.log) - 1:
            return view
        others = [each for each in self.match.positions[at].legal if each != self.match.log[at].action]
        fakes = [each for each in others if self.match.positions[at].after(each).is_chance]
        if fakes:
            view["actions"][at] = fakes[0]
        return view


def test_a_decision_that_is_exchanged_after_the_link_was_given_is_seen() -> None:
    for seed in range(1, 30):
        server = ShowsAnotherDecision(2, seed=seed).seal().run(4)
        server.fake = True
        server.run(1)
        server.fake = False
        server.run(2)
        told = [(key, n) for key, n in server.alarms() if key == "withdrawn"]
        if told:
            assert all(n > 0 for _, n in told)
            return
    raise AssertionError("no game had another decision to show")


class ShowsTheSealed(PlaysAnother):
    """Its draws carry what was sealed; the pieces move by another die."""

    def draw(self, seat: int, at: int, index: int) -> Message:
        made = super().draw(seat, at, index)
        sealed = self.seals.deal(self.match.positions[at], index)
        assert sealed is not None
        told = proof.draw(self.match.positions[at], sealed)
        return {**made, "outcome": told.outcome, "name": told.name}


@LEVELS
def test_a_die_that_is_checked_is_the_die_that_is_played(level: int) -> None:
    server = ShowsTheSealed(level).seal().run(8)
    assert {party.raised[0].key for party in server.parties.values()} == {"played"}
    assert {party.raised[0].n for party in server.parties.values()} == {5}


class LoadsTheDie(Server):
    """It says of each die that its first outcome weighs more, and deals by that."""

    def deal(self) -> bool:
        position, era = self.match.position, self.seals.running_era
        if not position.is_chance or era is None or self.seals.deal(position, self.match.chances) is None:
            return False
        event, opened = self.match.chances - era.first, self.seals.opening(era)
        assert opened is not None
        links = [Contribution(link.seat, link.value) for link in self.seals.links(era, event) or ()]
        key = bgf2.event_key(self.seals.keeper.derive_secret(self.gid, era.number), self.gid, era.number, event)
        made = bgf2.outcome(key, bgf2.entropy(opened, event, links), event, loaded(position.weights))
        self.play(CHANCE, position.legal[made])
        return True

    def draw(self, seat: int, at: int, index: int) -> Message:
        made = super().draw(seat, at, index)
        return {**made, "weights": loaded(made["weights"])}


def loaded(weights: Sequence[int]) -> list[int]:
    return [weight + (at == 0) for at, weight in enumerate(weights)]


@LEVELS
def test_weights_that_no_rule_has_are_seen_at_the_first_draw(level: int) -> None:
    server = LoadsTheDie(level).seal().run(3)
    assert {(party.raised[0].key, party.raised[0].n) for party in server.parties.values()} == {("weights", 1)}


class KeepsItsDraws(Server):
    """It never sends a draw. proofs: how often it still gives a proof."""

    proofs = 0

    def draws(self, seat: int) -> list[Message]:
        return []

    def ask(self, seat: int, party: Party) -> list[Message]:
        view = self.view(seat)
        answers = party.look(view, [])
        if party.missed:
            party.catch_up(msgspec.json.encode(self.proof()) if self.proofs else None)
            answers += party.look(view, [])
        return answers


@LEVELS
def test_draws_that_are_never_proved_are_an_alarm_within_the_stated_time(level: int) -> None:
    now = [0.0]
    parties = {seat: Party(clock=lambda: now[0]) for seat in range(3)}
    server = KeepsItsDraws(level, parties).seal().run(3)
    assert server.match.chances and (level == 2 or server.alarms() == []), "the server may be busy for a while"
    now[0] += PATIENCE
    server.show()
    assert {key for key, _ in server.alarms()} >= {"missing"} and all(party.raised for party in server.parties.values())


def test_a_proof_that_is_refused_after_the_end_or_lacks_its_secret_is_an_alarm() -> None:
    server = Server(1).seal().run(5)
    one, other, third = server.parties.values()
    one.catch_up(None, is_over=True)
    other.catch_up(msgspec.json.encode(server.proof(revealed=False)), is_over=True)
    third.catch_up(msgspec.json.encode(server.proof(revealed=True)), is_over=True)
    assert [[alarm.key for alarm in party.raised] for party in (one, other, third)] == [["missing"], ["proof"], []]


class DefaultsUnasked(Server):
    """It logs that a seat did not answer, and never asked it."""

    def era(self, seat: int, era: SealedEra) -> Message:
        made = super().era(seat, era)
        return {**made, "asked": None} if seat == 0 and self.match.chances > 4 else made


def test_a_seat_that_was_never_asked_names_the_draw_without_it() -> None:
    server = DefaultsUnasked(2).seal().run(12)
    assert {key for key, _ in server.alarms()} == {"unasked"} and all(
        party.raised == [] for party in [*server.parties.values()][1:]
    )
    assert server.alarms()[0][1] > 4


def test_a_table_of_another_level_than_was_asked_for_is_an_alarm() -> None:
    server = Server(1, {seat: Party(level=2) for seat in range(3)})
    server.begin()
    server.show()
    assert {key for key, _ in server.alarms()} == {"level"}
    assert Server(2, {seat: Party(level=2) for seat in range(3)}).seal().run(3).alarms() == []
    unsealed = Party(level=1)
    unsealed.look({"sealed": {"level": 0, "eras": []}, "log": [], "you": [0]})
    assert [alarm.key for alarm in unsealed.raised] == ["level"]


class SealsAgain(Server):
    """At level 1 it knows the dice: it seals again whenever the next one is low."""

    def run(self, decisions: int = 12) -> Server:
        for _ in range(decisions):
            super().run(1)
            if self.match.chances % 3 == 2:
                self.seal()
        return self


def test_a_server_that_seals_again_as_it_likes_gets_no_better_verdict_than_open() -> None:
    server = SealsAgain(1).seal().run(12)
    findings = server.findings(*server.parties.values())
    assert proof.verdict(findings) == "open" and "was replaced while it lasted" in wrong(findings, "open")


def test_an_altered_entry_of_the_log_is_broken() -> None:
    server = Server(2).seal().run(8)
    told = server.proof(revealed=True)
    for at, (actor, value) in enumerate(told.log):
        changed = msgspec.structs.replace(told, log=[*told.log[:at], (actor, value + 1), *told.log[at + 1 :]])
        assert proof.verdict(proof.verify(changed)) == "broken", (at, actor)


class OffersOthers(Server):
    """It hides a legal action from the seat to act, or shows another board."""

    def view(self, seat: int) -> Message:
        view = super().view(seat)
        if view["actor"] == seat:
            view["choices"] = [{"action": action} for action in self.match.position.legal[1:]]
        return view


def test_a_choice_that_is_kept_from_a_seat_is_seen() -> None:
    server = OffersOthers(1).seal().run(4)
    assert {key for key, _ in server.alarms()} == {"choices"}


@pytest.mark.parametrize("change", ["moved", "gone", "none"])
def test_a_board_that_is_not_that_of_the_record_is_seen(change: str) -> None:
    server = Server(1).seal().run(4)
    position, party = server.match.position, server.parties[0]
    items = msgspec.to_builtins(position.game.spec.scene.items(position, "de"))
    shown = {"moved": [{**items[0], "x": items[0]["x"] + 1}, *items[1:]], "gone": items[1:], "none": items}[change]
    party.look({**server.view(0), "items": shown})
    assert [alarm.key for alarm in party.raised] == ([] if change == "none" else ["board"])


def test_other_rules_than_those_that_were_sealed_are_seen() -> None:
    server = Server(1)
    server.begin()
    server.rules["options"] = '{"seats":3,"turnLimit":50}'
    server.show()
    server.freeze()
    server.show()
    assert {key for key, _ in server.alarms()} == {"rules"}


def test_a_client_without_the_rules_says_so_and_checks_the_rest() -> None:
    server = Server(1)
    server.begin()
    server.rules["version"] = "0"
    server.show()
    assert {party.unchecked for party in server.parties.values()} == {"rules"}
    concealed = Server(1, concealed=True).seal().run(4)
    assert {party.unchecked for party in concealed.parties.values()} == {"concealed"} and concealed.alarms() == []
    assert {party.unchecked for party in Server(1).seal().parties.values()} == {""}
