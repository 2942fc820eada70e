"""Cheating servers and cheating seats: each is caught by the clients and the verifier, or named as not caught in the document.

The honest table comes first: nobody cries wolf. The attacks that broke BGF1 are marked by their letter in the issue's list.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from bridgehead.core.spec import CHANCE
from bridgehead.fairness import bgf1, bgf2, proof, signatures, statements
from bridgehead.fairness.bgf1 import SeatHead
from bridgehead.fairness.bgf2 import Terms
from bridgehead.fairness.party import Party, Pinned
from bridgehead.fairness.seals import SealedEra
from bridgehead.fairness.statements import Listed
from fairness.cheats import SERVER, Message, Server, wrong

LEVELS = pytest.mark.parametrize("level", [1, 2])


@LEVELS
def test_an_honest_table_holds_and_raises_no_alarm(level: int) -> None:
    server = Server(level).seal().run(25)
    parties = list(server.parties.values())
    assert server.alarms() == [] and server.match.chances > 8
    assert proof.verdict(server.findings(*parties)) == "holds", wrong(server.findings(*parties), "open")
    assert len({tuple(party.words) for party in parties}) == 1 and len(parties[0].words) == 4


@LEVELS
def test_an_honest_table_with_takebacks_and_a_second_era_raises_no_alarm(level: int) -> None:
    server = Server(level).seal().run(8)
    server.take_back(5)
    server.run(9)
    server.seal().run(6)
    server.take_back(len(server.match.log) - 4)
    server.run(8)
    assert server.alarms() == []
    findings = server.findings(*server.parties.values())
    assert wrong(findings) == "" and ("era 1 was replaced" in wrong(findings, "open")) == (level == 1)
    dealt = proof.dealt_in(server.log)
    assert sum(actor == CHANCE for actor, _ in server.log) > dealt, "some events were dealt again"


def test_a_client_that_comes_back_catches_up_by_the_proof() -> None:
    server = Server(2).seal().run(4)
    away = server.parties.pop(0)
    server.silent.add(0)
    server.run(4)
    server.parties[0] = away
    away.again()
    server.shown[0] = len(server.match.log) - 1
    server.silent.clear()
    server.run(6)
    assert server.alarms() == [] and away.dealt == server.match.chances
    assert "did not answer in time" in wrong(server.findings(away), "open")


# (a) What enters a draw is ground.


class GrindsTheRoot(Server):
    """After all have opened, it looks for another secret until the first draw suits it. The root does not fit any more."""

    def deal(self) -> bool:
        if self.match.chances == 0 and self.seals.deal(self.match.position, 0) is not None:
            wish = self.match.position.legal[0]
            while self.seals.deal(self.match.position, 0) != wish:
                self.seals.keeper._master = self.lot.randbytes(32)
            self.seals.keeper._master = self.lot.randbytes(32)
            while self.seals.deal(self.match.position, 0) != wish:
                self.seals.keeper._master = self.lot.randbytes(32)
        return super().deal()


class GrindsAValue(Server):
    """It adds a value of its own to the entropy of each draw, as the beacon's signature of BGF1, and chooses it."""

    def deal(self) -> bool:
        position = self.match.position
        if position.is_chance and self.seals.running_era is not None and self.seals.running_era.is_complete:
            self.play(CHANCE, position.legal[-1])
            return True
        return False


@pytest.mark.parametrize(
    ("cheat", "level", "key"), [(GrindsTheRoot, 1, "root"), (GrindsTheRoot, 2, "root"), (GrindsAValue, 1, "draw")]
)
def test_a_ground_draw_is_seen_at_once_and_by_the_verifier(cheat: type[Server], level: int, key: str) -> None:
    server = cheat(level).seal().run(3)
    first = [party.raised[0] for party in server.parties.values()]
    assert {(alarm.key, alarm.era) for alarm in first} == {(key, 1)} and len({alarm.n for alarm in first}) == 1 <= first[0].n <= 3
    found = wrong(server.findings(*server.parties.values()))
    assert ("makes the root" if key == "root" else "sealed was") in found and first[0].text in found


def test_the_same_grinding_of_bgf1_passed_as_a_beacon() -> None:
    """The old arithmetic lets it through: a value that no transcript binds changes the outcome."""
    agreed, link, key = bgf1.sha(b"T"), bgf1.Link(0, 1, b"r" * 32), b"k" * 32
    dice = {
        bgf1.Stream(bgf1.draw_key(key, bgf1.entropy(agreed, [link], 0, bytes([n])), 0), "chance").die(6) for n in range(60)
    }  # fmt: skip
    assert dice == {1, 2, 3, 4, 5, 6}


# (b) A decoy era, a decoy head.


class Decoy(Server):
    """It shows each client a transcript with its own head, and deals from one in which all heads are its own."""

    def freeze(self) -> None:
        super().freeze()
        self.true = self.seals
        fake = {seat: bgf2.chain(bytes([seat]) * 32, self.gid, 1, seat, 1) for seat in self.parties}
        era = self.seals.eras[0]
        heads = tuple(SeatHead(0, fake[seat][0]) for seat in range(len(era.heads)))
        decoy = era._replace(heads=heads, opening={seat: chain[1] for seat, chain in fake.items()})
        terms = self.seals.terms(decoy)
        decoy = decoy._replace(transcript=terms.transcript, signature=self.sign(terms))
        self.decoy = decoy, self.enlist(terms)

    def run(self, decisions: int = 12) -> Server:
        decoy, listed = self.decoy
        links = tuple(bgf1.Link(seat, 1, value) for seat, value in decoy.opening.items())
        self.seals = self.seals._with((decoy._replace(last=links),))
        self.listed[1] = listed
        return super().run(decisions)


def test_decoy_heads_are_seen_by_every_client_and_by_whoever_kept_a_transcript() -> None:
    server = Decoy(1).seal().run(4)
    assert {key for key, _ in server.alarms()} == {"two"}
    kept = server.parties[0]
    seeds = [(0, kept.seeds[0])]
    stranger = server.findings()
    assert proof.verdict(stranger) == "open" and "nothing that a seat saw was compared" in wrong(stranger, "open")
    assert "no era was sealed by the given seed" in wrong(server.findings(seeds=seeds))
    transcript = kept.eras[1].terms.transcript.hex()
    assert "is not in this proof" in wrong(server.findings(transcripts=[transcript]))
    assert "another one than a seat saw" in wrong(server.findings(kept))


class ForgedSeal(Server):
    """It freezes a head of its own for seat 0, and labels it as the client's."""

    def freeze(self) -> None:
        era = self.seals.pending
        assert era is not None
        self.seals = self.seals.commit_head(0, SeatHead(2, bgf2.sha(b"mine")), "")
        super().freeze()


def test_a_client_reveals_nothing_for_a_transcript_without_its_own_seal() -> None:
    server = ForgedSeal(1).seal()
    assert ("seal", 0) in server.alarms() and 0 not in server.seals.eras[0].opening


# (c) A contributor is left out.


class LeavesOut(Server):
    """Together with seat 1, it leaves seat 0 out of every draw."""

    def contributors(self, era: SealedEra) -> tuple[int, ...]:
        return tuple(seat for seat in super().contributors(era) if seat != 0) or (1,)


class LeavesOutUnasked(LeavesOut):
    """The same, but it shows nobody whom it asks."""

    def era(self, seat: int, era: SealedEra) -> Message:
        made = super().era(seat, era)
        return {**made, "asked": None} if seat == 0 else made


class ReportsADefault(Server):
    """It reports that seat 0 did not answer, wherever that suits it."""

    def hear(self, seat: int, message: Message) -> None:
        if message["t"] == "reveal" and message["e"] >= 0 and seat == 0:
            clock[0] += 2
            return
        super().hear(seat, message)


clock = [0.0]


def test_a_contributor_that_is_left_out_raises_the_alarm_at_that_draw() -> None:
    server = LeavesOut(2).seal().run(6)
    first = [party.raised[0] for party in server.parties.values()]
    assert {alarm.key for alarm in first} == {"asked"} and first[0].n >= 1
    assert "the right seats contributed" in wrong(server.findings()), "the verifier needs nobody's help for that"
    unasked = LeavesOutUnasked(2).seal().run(6)
    assert unasked.parties[0].raised[0].key == "contributors" and unasked.parties[0].raised[0].n >= 1


def test_a_default_that_is_not_true_raises_the_alarm_and_opens_the_verdict() -> None:
    clock[0] = 0.0
    server = ReportsADefault(2, {seat: Party(clock=lambda: clock[0]) for seat in range(3)}).seal().run(6)
    assert any(alarm.key == "default" and alarm.n for alarm in server.parties[0].raised)
    assert "did not answer in time for some outcomes" in wrong(server.findings(), "open")
    assert proof.verdict(server.findings(server.parties[1])) == "open"


# (d) A late link is asked for first.


class AsksAhead(Server):
    """It asks for the link of event 600 first."""

    def request(self) -> None:
        era = self.seals.running_era
        assert era is not None
        self.seals = self.seals.request_links(self.gid, 600, self.contributors(era), era.number)


def test_nobody_gives_a_link_that_is_not_due() -> None:
    server = AsksAhead(2).seal()
    server.request()
    server.show()
    assert {key for key, _ in server.alarms()} == {"asked"} and len(server.alarms()) == 3
    assert all(link.number <= 1 for link in server.seals.eras[0].last), "no link but the opening"


class AsksTwice(Server):
    """It asks for the next link again after the draw: for an event that was dealt."""

    def era(self, seat: int, era: SealedEra) -> Message:
        made = super().era(seat, era)
        if era.answers and not made["asked"]:
            made["asked"] = {"e": max(era.answers) + 5, "seats": [0, 1], "missing": [0, 1]}
        return made


def test_nobody_gives_a_link_between_draws() -> None:
    server = AsksTwice(2).seal().run(2)
    assert {key for key, _ in server.alarms()} == {"asked"}


def asked_ahead(server: Server, seat: int) -> Message:
    """A view with a log in which 600 chance events stand that nobody saw, and the question for the link of the next one."""
    view = server.view(seat)
    era = view["sealed"]["eras"][0]
    view["log"] += [{"actor": CHANCE}] * (600 - sum(line["actor"] == CHANCE for line in view["log"]))
    due = list(server.contributors(server.seals.eras[0]))
    era["asked"] = {"e": 600 - era["first"], "seats": due, "missing": due}
    return view


def test_a_forged_log_draws_out_no_late_link() -> None:
    server = Server(2, concealed=True).seal().run(4)
    seat = server.contributors(server.seals.eras[0])[0]
    party, view = server.parties[seat], asked_ahead(server, seat)
    assert party.look(view) == [] and party.missed, "first the draws that it has not seen"
    party.catch_up(None)
    assert party.look(view) == [] and party.missed, "and nothing as long as the server gives no proof"
    party.catch_up(msgspec.json.encode(server.proof()))
    assert party.look(view) == [] and [alarm.key for alarm in party.raised] == ["missing"]


def test_a_forged_log_is_no_line_of_the_rules() -> None:
    server = Server(2).seal().run(4)
    seat = server.contributors(server.seals.eras[0])[0]
    party, view = server.parties[seat], asked_ahead(server, seat)
    view["actions"] += [0] * (len(view["log"]) - len(view["actions"]))
    assert party.look(view) == [] and [alarm.key for alarm in party.raised] == ["illegal"]


def test_a_client_that_got_no_proof_contributes_again_once_it_has_one() -> None:
    server = Server(2).seal().run(2)
    position = server.match.position
    server.play(position.actor, position.legal[0])
    server.request()
    seat = server.contributors(server.seals.eras[0])[0]
    party = server.parties[seat]
    party.catch_up(None)
    assert party.look(server.view(seat), server.draws(seat)) == [] and party.missed
    party.catch_up(msgspec.json.encode(server.proof()))
    assert [answer["t"] for answer in party.look(server.view(seat), server.draws(seat))] == ["reveal"] and party.raised == []


# (e) Something is removed; a signature or a list is forged.


@LEVELS
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"signature": ""}, "signature of the transcript"),
        ({"listed": None}, "public list is missing"),
        ({"secret": ""}, "not revealed its secret"),
        ({"opening": ["", "", ""]}, "first link of a seat is missing"),
    ],
)
def test_what_was_removed_from_a_proof_makes_it_open(change: dict[str, object], said: str, level: int) -> None:
    server = Server(level).seal().run(5)
    told = server.proof(revealed=True)
    told = msgspec.structs.replace(told, eras=[msgspec.structs.replace(told.eras[0], **change)])
    known = proof.Observed(kept=[server.parties[0].collect_evidence()])
    findings = proof.verify(proof.read(msgspec.json.encode(told)), known)
    assert proof.verdict(findings) == "open" and said in wrong(findings, "open")
    unnamed = msgspec.structs.replace(server.proof(revealed=True), server="")
    assert "its key, is missing" in wrong(proof.verify(unnamed), "open")


class Unlisted(Server):
    """It keeps its eras out of the list."""

    def enlist(self, terms: Terms) -> Listed:
        return super().enlist(terms._replace(first=7))


class Unsigned(Server):
    def sign(self, terms: Terms) -> str:
        return signatures.sign(b"x" * 32, bgf2.era_statement(self.gid, terms.number, terms.transcript)).hex()


@pytest.mark.parametrize(("cheat", "key"), [(Unlisted, "list"), (Unsigned, "signature")])
def test_nobody_opens_what_is_not_signed_and_listed(cheat: type[Server], key: str) -> None:
    server = cheat(1).seal()
    assert {name for name, _ in server.alarms()} == {key} and not server.seals.eras[0].opening


def test_another_key_than_at_the_first_visit_raises_the_alarm() -> None:
    known = signatures.public_key(b"o" * 32).hex()
    server = Server(1, {0: Party(key=known), 1: Party(), 2: Party()}).seal()
    assert [alarm.key for alarm in server.parties[0].raised] == ["key"]
    small = Server(1)
    view = small.view(0)
    view["sealed"]["server"] = "01" + "00" * 31
    assert small.parties[0].look(view) == [] and small.parties[0].raised[0].key == "key"
    findings = Server(1).seal().run(2).findings(key=known)
    assert "known is" in wrong(findings)


# Replay, changes, omissions, two stories.


@LEVELS
def test_an_era_of_another_table_is_none_of_this_table(level: int) -> None:
    """The same server, the same game id, the same frozen era: its seats were sealed by other seeds."""
    one = Server(level).seal().run(3)
    two = Server(level, seed=2)
    two.rules = one.rules
    two.begin()
    two.show()
    two.seals = one.seals
    two.listed, two.signatures = one.listed, one.signatures
    two.show()
    assert {key for key, _ in two.alarms()} == {"seal"}
    other = Server(level, seed=2, gid=b"h" * 16).seal().run(3)
    assert "of another game" in wrong(one.findings(other.parties[0]))


@LEVELS
def test_a_draw_that_is_changed_afterwards_is_named(level: int) -> None:
    server = Server(level).seal().run(12)
    told = server.proof(revealed=True)
    index = next(i for i, draw in enumerate(told.draws) if len(draw.weights) == 6)
    changed = msgspec.structs.replace(told.draws[index], outcome=(told.draws[index].outcome + 1) % 6)
    lies = msgspec.structs.replace(told, draws=[*told.draws[:index], changed, *told.draws[index + 1 :]])
    assert "the list of draws" in wrong(proof.verify(lies))


class ChangesItsStory(Server):
    """It shows an earlier draw with another outcome after a takeback."""

    def draw(self, seat: int, at: int, index: int) -> Message:
        made = super().draw(seat, at, index)
        seen = self.__dict__.setdefault("seen", {})
        made["key"] = bgf2.sha(made["key"].encode()).hex() if seen.get((seat, index)) else made["key"]
        seen[seat, index] = True
        return made


def test_a_draw_that_is_dealt_again_has_to_be_the_same() -> None:
    server = ChangesItsStory(1).seal().run(6)
    assert server.alarms() == []
    server.take_back(1)
    server.run(4)
    assert {key for key, _ in server.alarms()} <= {"root", "changed"} and server.alarms()


def test_an_era_that_is_dropped_is_missed() -> None:
    """Era 2 is frozen and opened, then the server goes on with era 1 as if nothing had been."""
    server = Server(1).seal().run(4)
    before = server.seals
    server.seal()
    server.seals = before
    server.run(4)
    assert {key for key, _ in server.alarms()} == {"era"}
    server.log = [entry for entry in server.log if entry != (proof.FROZEN, 2)]
    findings = server.findings(server.parties[0])
    assert "era 2 is missing" in wrong(findings)


class TwoStories(Server):
    """It shows seat 0 one transcript and the others another one."""

    def freeze(self) -> None:
        super().freeze()
        era = self.seals.eras[-1]
        fake = bgf2.chain(b"f" * 32, self.gid, era.number, 1, 1)
        heads = (era.heads[0], SeatHead(2, fake[0]), *era.heads[2:])
        terms = self.seals.terms(era._replace(heads=heads))
        rows = list(self.rows)
        self.rows.pop()
        self.other = (
            era._replace(heads=heads, transcript=terms.transcript, signature=self.sign(terms)),
            self.enlist(terms),
            fake[1],
        )
        self.rows = rows

    def era(self, seat: int, era: SealedEra) -> Message:
        if seat != 0 or not era.transcript:
            return super().era(seat, era)
        other, listed, link = self.other
        made = super().era(seat, other._replace(opening=era.opening, last=era.last))
        if made["opening"]:
            made["opening"][1] = link.hex()
        return {**made, "listed": msgspec.to_builtins(listed)}


def test_two_stories_have_other_words_and_leave_a_proof_that_needs_nobodys_word() -> None:
    server = TwoStories(1).seal()
    ada, ben = server.parties[0], server.parties[1]
    assert server.alarms() == [] and ada.words and ben.words and ada.words != ben.words
    files = [statements.read(msgspec.json.encode(party.collect_evidence())) for party in (ada, ben)]
    found = statements.contradictions([each for kept in files for each in statements.of_kept(kept)])
    assert {each.first.kind for each in found} == {"era", "list"} and {each.server for each in found} == {server.public}
    honest = Server(1, seed=4).seal()
    kept = [party.collect_evidence() for party in honest.parties.values()]
    assert statements.contradictions([each for one in kept for each in statements.of_kept(one)]) == []
    forged = msgspec.structs.replace(files[1], server=signatures.public_key(b"z" * 32).hex())
    assert statements.contradictions([*statements.of_kept(files[0]), *statements.of_kept(forged)]) == []


class TwoHeads(Server):
    """Its list has another row under the same number for whoever comes later."""

    def enlist(self, terms: Terms) -> Listed:
        if self.rows:
            self.rows = []
        return super().enlist(terms)


def test_two_heads_of_the_list_for_one_number_are_seen_and_prove_it() -> None:
    server = TwoHeads(1).seal().run(2)
    server.seal()
    assert {key for key, _ in server.alarms()} == {"list"}
    found = statements.contradictions(statements.of_kept(server.parties[0].collect_evidence()))
    assert [each.first.kind for each in found] == ["list"]


class HidesTheKey(Server):
    def draws(self, seat: int) -> list[Message]:
        return [] if self.match.chances > 2 else super().draws(seat)

    def proof(self, revealed: bool = False) -> proof.Proof:
        told = super().proof(revealed)
        return told if revealed else msgspec.structs.replace(told, log=told.log[:3], draws=told.draws[:2])


def test_an_outcome_without_its_key_raises_the_alarm() -> None:
    server = HidesTheKey(1).seal().run(6)
    assert {key for key, _ in server.alarms()} & {"missing", "proof"}


def test_sealing_that_is_dropped_in_the_middle_of_a_game_raises_the_alarm() -> None:
    server = Server(1).seal().run(2)
    view = server.view(0)
    view["sealed"].update(level=0, gid="", eras=[])
    assert server.parties[0].look(view) == [] and [alarm.key for alarm in server.parties[0].raised] == ["game"]


def test_what_cannot_be_read_raises_an_alarm_and_is_no_crash() -> None:
    server = Server(1).seal()
    view = server.view(0)
    view["sealed"]["eras"][0]["opening"] = ["zz"]
    party = server.parties[0]
    party.eras[1] = party.eras[1]._replace(opened=None)
    assert party.look(view) == [] and party.raised[0].key == "malformed"


# What a client of BGF1 saw of this.


class OfBgf1(Party):
    """It checks what a client of BGF1 checked: that its own seal is in the transcript, the only one of its era."""

    def _pin(self, sealed: Message, era: Message) -> bool:
        heads = [
            bgf2.SeatHead(source, bgf2.chain_length(era["level"], source), bytes.fromhex(head)) for source, head in era["seats"]
        ]
        values = bytes.fromhex(era["rules"]), bytes.fromhex(era["root"]), era["depth"], era["level"]
        terms = Terms(bytes.fromhex(self.game_id), era["number"], era["first"], *values, tuple(heads))
        mine = frozenset(seat for number, seat in self._heads if number == era["number"])
        none = Listed(1, "0" * 64, "0" * 64, "0" * 128)
        self.eras[era["number"]] = Pinned(terms, "", none, mine)
        return True

    def _contribute(self, number: int, asked: Message, mine: list[int], lines: list[int]) -> list[Message]:
        due = [seat for seat in asked["missing"] if seat in mine]
        return self._reveal(number, asked["e"], due, asked["e"] + bgf2.ASK_FIRST)

    def _follow(self, draws: list[Message], lines: list[int], you: Sequence[int]) -> None:
        """It recomputed no draw."""

    def _play(self, view: Message) -> None:
        """It knew no rules."""


@pytest.mark.parametrize(
    ("cheat", "level"),
    [(GrindsTheRoot, 1), (GrindsAValue, 1), (LeavesOut, 2), (AsksAhead, 2), (Unlisted, 1), (Unsigned, 1), (ChangesItsStory, 1)],
)
def test_a_client_of_bgf1_raises_no_alarm(cheat: type[Server], level: int) -> None:
    server = cheat(level, {seat: OfBgf1() for seat in range(3)}).seal()
    if cheat is AsksAhead:
        server.request()
        server.show()
        assert max(link.number for link in server.seals.eras[0].last) == 602, "it gives away all its links"
    else:
        server.run(4)
        server.take_back(1)
        server.run(3)
    assert server.alarms() == []


# Seats that cheat.


def test_a_seat_that_does_not_open_stops_the_table_and_another_era_shows_it() -> None:
    server = Server(1)
    server.begin()
    server.show()
    server.silent.add(2)
    server.freeze()
    server.show()
    assert not server.deal() and server.seals.running_era is not None and server.seals.running_era.unopened == (2,)
    del server.parties[2]
    server.seal().run(4)
    assert server.alarms() == []
    findings = server.findings(server.parties[0])
    assert "era 1 was frozen and then given up" in wrong(findings, "open") and wrong(findings) == ""


def test_a_seat_that_opens_late_is_waited_for_and_chooses_nothing() -> None:
    """It knows the links of all others when it opens, but its own is fixed by its head."""
    server = Server(1)
    server.begin()
    server.show()
    server.silent.add(2)
    server.freeze()
    server.show()
    late = server.parties[2]
    assert not server.deal() and server.alarms() == []
    assert not bgf2.leads_to(server.seals.terms(server.seals.eras[0]), 2, 1, b"another link".ljust(32)), "it has no other link"
    server.silent.clear()
    late.again()
    while server.show():
        pass
    server.run(4)
    assert server.alarms() == [] and proof.verdict(server.findings(late)) == "holds"


def test_a_seat_that_answers_late_is_left_out_by_a_default_that_everybody_sees() -> None:
    server = Server(2).seal()
    server.silent.add(1)
    server.run(6)
    assert server.alarms() == []
    findings = server.findings(server.parties[0])
    assert wrong(findings) == "" and "seat 2 did not answer in time" in wrong(findings, "open")


def test_seats_that_collude_without_the_server_learn_nothing_before_the_draw() -> None:
    """Two of three seats know their own chains. Without k_e, each outcome is as likely as before."""
    server = Server(2).seal()
    era = server.seals.running_era
    assert era is not None and server.seals.opening(era) is not None
    opened, counts = server.seals.opening(era), [0] * 6
    assert opened is not None
    for n in range(6000):
        key = bgf2.sha(b"unknown key %d" % n)
        counts[bgf2.outcome(key, bgf2.entropy(opened, 0, []), 0, [1] * 6)] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 20.52, counts  # 5 degrees of freedom, 0.001


def test_a_table_where_the_server_sealed_every_seat_is_open() -> None:
    server = Server(1, {}).seal().run(5)
    findings = server.findings()
    assert proof.verdict(findings) == "open" and "You trust the host" in wrong(findings, "open")
    assert all(head is not None and head.source == SERVER for head in server.seals.eras[0].heads)
