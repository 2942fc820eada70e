"""Eras of sealed chance: seats that change hands, restarts, live draws, games that are continued, takebacks."""

import asyncio
import hashlib
import json
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bridgehead.client import Host, Rejected
from bridgehead.core import record as records
from bridgehead.core.errors import RecordError
from bridgehead.fairness import bgf1, proof, statements
from bridgehead.fairness.party import Party
from bridgehead.fairness.proof_bgf1 import rules_hash
from bridgehead.fairness.seals import Seals
from bridgehead.server.storage.sqlite import Event
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.event_bodies import EventBody
from bridgehead.server.tables.event_handlers import HANDLERS
from bridgehead.server.tables.sealing import Draft
from bridgehead.server.tables.table import NewEvent, Table
from server.live import ROOMY, Live, Serve
from server.test_sealing import COMPUTER, MINI, NAMED, inside, new, play_out, proof_of, say, together
from waiting import apart

pytestmark = pytest.mark.wide


def test_who_comes_later_seals_a_new_era_and_nobody_waits(live: Live) -> None:
    table = new(live)
    host = Host(live.url)
    with host.join(table["table"], [table["tokens"][0]]) as ada:
        ada.begin()
        ada.wait_until(lambda view: view["actor"] != -1, 20)
        with host.join(table["table"], [table["tokens"][1]]) as ben:
            together(lambda view: [seat and seat[0] for seat in view["sealed"]["eras"][0]["seats"]] == [2, 2], ada, ben)
            play_out(ada, ben)
            assert not ada.party.alarms and not ben.party.alarms and ada.party.words == ben.party.words
    found, findings = proof_of(live, table, ada.party, ben.party)
    missing = [each.what for each in findings if each.verdict == "open"]
    assert missing == ["era 1 was replaced while it lasted: whoever knew its dice could choose the time"], findings
    assert len(found.eras) == 2 and found.eras[1].first == 2


class Sat(EventBody, frozen=True):
    """Another player of a seat."""

    kind: str
    token: str
    level: str


def sit(table: Table, event: Event) -> None:
    table.seats[event.actor] = msgspec.structs.replace(table.seats[event.actor], **json.loads(event.body))


@pytest.mark.parametrize("kind", ["person", "computer"])
def test_a_seat_that_changes_hands_begins_a_new_era(kind: str, live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HANDLERS, "test.sit", sit)
    table = new(live)
    host = Host(live.url)
    with host.create("barricade", NAMED, options=MINI) as both:
        table = {"table": both.table, "tokens": both.tokens}
        held = inside(live, table)

        async def change() -> None:
            token = hashlib.sha256(b"another").hexdigest()
            body = Sat("person", token, "") if kind == "person" else Sat("computer", "", "random")
            async with held.lock:
                await held.write(secrets.token_hex(16), NewEvent("test.sit", 1, body))
                live.app.state.manager.updates.wake(live.app.state.manager.rooms[held.id])

        apart(on_loop(live, change))
        both.leave()
        later = [host.join(held.id, [table["tokens"][0]])]
        later += [host.join(held.id, ["another"])] if kind == "person" else []
        together(lambda view: view["sealed"]["eras"][0]["number"] == 2, *later)
        assert [seat[0] for seat in later[0].view["sealed"]["eras"][0]["seats"]] == [2, 2 if kind == "person" else 1]
        play_out(*later)
        found, findings = proof_of(live, table, both.party, *(each.party for each in later))
        assert not any(each.party.alarms for each in (both, *later)), [each.party.alarms for each in (both, *later)]
        assert proof.verdict(findings) == "open" and len({each.secret for each in found.eras}) == len(found.eras) >= 2
        assert all("was replaced" in each.what for each in findings if each.verdict == "open")
        for each in later:
            each.leave()


def on_loop(live: Live, work: Callable[[], Any]) -> Any:
    """Run something in the server's own loop."""

    async def wait() -> None:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), live.loop))

    return wait()


def test_everything_sealed_survives_a_restart_and_two_servers(serve: Serve) -> None:
    party = {0: Party(0), 1: Party(0)}
    live = serve()
    table = new(live)
    for _ in range(12):
        other = serve()
        pages = [live.page(table, 0), other.page(table, 1)]
        for seat, page in enumerate(pages):
            party[seat].again()
            for message in party[seat].look(page.view, page.view.get("draws", ()))[:1]:
                assert say(page, message)["t"] == "ack"
        done = pages[1].view["actor"] >= 0
        live.stop()
        live = other
        if done:
            break
    assert done and not party[0].alarms and not party[1].alarms
    text = live.http.get(f"/api/tables/{table['table']}/record").text
    assert "chance: sealed (BGF2, level 1)" in text and records.load(text)[0].chances == 2


def test_live_chance_is_made_by_two_pages_and_survives_one_that_does_not_answer(live: Live) -> None:
    table, manager = new(live, level=2), live.app.state.manager
    host = Host(live.url)
    with host.join(table["table"], [table["tokens"][0]]) as ada, host.join(table["table"], [table["tokens"][1]]) as ben:
        together(lambda view: view["actor"] >= 0, ada, ben)
        assert "made live" in ada.view["sealed"]["text"]
        ben.party.look = lambda *_: []  # type: ignore[method-assign]
        manager.sealing.patience = 1.5
        actor = ada if ada.choices else ben
        actor.play(actor.choices[-1]["action"])
        ada.wait_until(lambda view: view["actor"] >= 0 and bool(ada.party.collect_evidence().draws[-1].defaults), 20)
        assert ada.party.collect_evidence().draws[-1].defaults == [1]
        manager.sealing.patience = ROOMY.answer
        del ben.party.look
        ben.wait_until(lambda view: view["actor"] >= 0, 20)
        play_out(ada, ben)
        assert not ada.party.alarms and not ben.party.alarms
    found, findings = proof_of(live, table, ada.party)
    assert proof.verdict(findings) == "open" and any("seat 2 did not answer in time" in each.what for each in findings)
    assert sum(each.verdict == "open" for each in findings) == 1
    made = found.eras[0]
    assert {len(links) for links in made.answers.values()} == {1, 2} and len(made.defaults) == 1
    forged = msgspec.structs.replace(made, answers={**made.answers, "0": made.answers["1"]})
    assert proof.verdict(proof.verify(msgspec.structs.replace(found, eras=[forged]))) == "broken"


def test_an_alarm_names_the_draw_and_leaves_a_file_of_evidence(live: Live, tmp_path: Path) -> None:
    """A server that sends a draw with another outcome: the client's socket changes it on its way."""
    table = new(live)
    host = Host(live.url, keep=tmp_path / "kept")
    with host.join(table["table"], table["tokens"]) as both:
        both.wait_for_turn()
        assert both._socket is not None and not both.party.alarms
        receive = both._socket.recv

        def lie(seconds: float | None = None) -> str:
            message = json.loads(receive(seconds))
            for draw in message.get("draws", ()):
                draw["outcome"] = (draw["outcome"] + 1) % len(draw["weights"])
            return json.dumps(message)

        both._socket.recv = lie  # type: ignore[method-assign,assignment]
        both.play(both.choices[-1]["action"])
        both.wait_for_turn()
        assert both.party.alarms == ["Draw 3: the outcome does not follow from what was sealed."]
        evidence = statements.read(next((tmp_path / "kept").glob("*-evidence.json")).read_bytes())
        assert evidence.alarms[0].n == 3 and evidence.claims and evidence.server == live.store.shown
        assert not any(seed.hex() in str(evidence) for seed in both.party.seeds.values())
        _, findings = proof_of(live, table, both.party)
        assert proof.verdict(findings) == "broken"


def test_the_key_of_the_first_visit_is_pinned(live: Live, tmp_path: Path) -> None:
    table = new(live)
    with Host(live.url, keep=tmp_path).join(table["table"], table["tokens"]) as both:
        both.wait_for_turn()
    again = Host(live.url, keep=tmp_path)
    assert again.key == live.store.shown and len(again.heads) == 1
    assert statements.read(next(tmp_path.glob("*-kept.json")).read_bytes()).whole
    with Host(live.url, key="ab" * 32, keep=tmp_path / "stranger").join(new(live)["table"]) as stranger:
        assert stranger.party.alarms == ["This server has another key than at your first visit."]
    with pytest.raises(RecordError):
        Host(live.url, key="ab" * 32).receipt(table["table"])


@pytest.mark.parametrize("level", [1, 2])
def test_a_table_of_an_older_release_goes_on_and_changes_to_the_new_protocol(level: int, live: Live) -> None:
    """Its log has an era of BGF1, which dealt; the people who come seal anew."""
    table = new(live, level=level)
    held, gid = inside(live, table), secrets.token_bytes(16)

    async def old() -> None:
        assert isinstance(held.dealer, Seals)
        root = bgf1.Tree(held.dealer.keeper.derive_secret(gid, 0), gid).root
        chains = [bgf1.chain(bytes([seat]) * 32, gid, seat) for seat in (0, 1)]
        heads = [bgf1.SeatHead(0, links[0]) for links in chains]
        agreed = bgf1.make_transcript(gid, rules_hash(held.game), root, 12, level, heads)
        events = [NewEvent("seal", -1, bodies.EraSealed(gid.hex(), root.hex(), 12, level, [None, None]))]
        events += [NewEvent("head", seat, bodies.HeadCommitted(0, links[0].hex(), "")) for seat, links in enumerate(chains)]
        events += [NewEvent("freeze", -1, bodies.EraFrozen(agreed.hex(), ""))]
        links = [NewEvent("link", seat, bodies.LinkRevealed(gid.hex(), 1, links[1].hex())) for seat, links in enumerate(chains)]
        if level == 2:
            events.append(NewEvent("chance.request", -1, bodies.LinksRequested(gid.hex(), 0, [0, 1])))
        async with held.lock:
            await held.write(secrets.token_hex(16), *events, *links)
            await held.write(secrets.token_hex(16), *Draft(held).finish())

    apart(on_loop(live, old))
    dealt = held.match.chances
    assert dealt == (2 if level == 1 else 1)
    host = Host(live.url)
    with host.join(table["table"], [table["tokens"][0]]) as ada, host.join(table["table"], [table["tokens"][1]]) as ben:
        together(lambda view: bool(view["sealed"]["eras"]) and bool(view["sealed"]["eras"][0]["opening"]), ada, ben)
        play_out(ada, ben)
        assert not ada.party.alarms and not ben.party.alarms and ada.party.words == ben.party.words
    found, findings = proof_of(live, table, ada.party, ben.party)
    assert (len(found.bgf1), found.eras[0].number, found.eras[0].first) == (1, 1, dealt)
    broken = [each.what for each in findings if each.verdict == "broken"]
    assert not broken and "made by BGF1" in str([each.what for each in findings if each.verdict == "open"])
    assert f"chance: sealed (BGF1, then BGF2, level {level})" in Host(live.url).record(table["table"])


def test_a_game_that_is_continued_seals_what_comes_next(live: Live) -> None:
    with Host(live.url).create("barricade", [NAMED[0], COMPUTER], options=MINI) as first:
        play_out(first)
        text = Host(live.url).record(first.table)
    host = Host(live.url)
    with host.create("barricade", [NAMED[0], NAMED[1]], record=text, at=6) as both:
        taken = records.load(host.record(both.table))[0].chances
        play_out(both)
        _, findings = proof_of(live, {"table": both.table}, both.party)
    said = [each.what for each in findings if each.verdict == "open"]
    assert said == [f"{taken - both_new(taken, text)} outcomes of chance were there before anything was sealed: taken over"]
    assert proof.verdict(findings) == "open"


def both_new(dealt: int, text: str) -> int:
    """How many of the first draws of the continued game were new: those after the sixth action of the record."""
    match = records.load(text)[0]
    return dealt - sum(entry.actor < 0 for entry in match.log[:6])


def test_no_decision_is_exchanged_while_links_are_given_for_the_draw_after_it(live: Live) -> None:
    with Host(live.url).create("barricade", NAMED, options={**MINI, "turnLimit": 40}, level=2) as both:
        both.wait_for_turn()
        both.party.look = lambda *_: []  # type: ignore[method-assign]
        while both.choices:
            both.play(both.choices[-1]["action"])
        both.wait_until(lambda view: any(each["asked"] for each in view["sealed"]["eras"]), 20)
        before = both.view["actions"]
        with pytest.raises(Rejected, match="A die is being rolled") as refused:
            both.ask("takeback")
        assert refused.value.code == "stale" and both.view["actions"] == before
        draft = Draft(inside(live, {"table": both.table}))
        draft.seal([True, True])
        assert draft.seals.awaits_links and not draft.is_ready(), "nor does another era take the draw"


@pytest.mark.parametrize("level", [1, 2])
def test_a_takeback_at_a_table_rolls_nothing_again(level: int, live: Live) -> None:
    host = Host(live.url)
    with host.create("barricade", NAMED, options={**MINI, "turnLimit": 40}, level=level) as both:
        for _ in range(6):
            both.wait_for_turn()
            both.play(both.choices[-1]["action"])
        both.wait_for_turn()
        rolled = [line["text"] for line in both.view["log"] if line["actor"] == -1]
        for _ in range(2):
            both.ask("takeback")
            both.wait_for_turn()
            both.play(both.choices[0]["action"])
            both.wait_for_turn()
            after = [line["text"] for line in both.view["log"] if line["actor"] == -1]
            both_know = min(len(after), len(rolled))  # another action may leave one roll more or less to the next decision
            assert after[:both_know] == rolled[:both_know] and both_know >= len(rolled) - 1, "the same dice, in the same order"
        play_out(both)
        assert not both.party.alarms
        _, findings = proof_of(live, {"table": both.table}, both.party)
    assert proof.verdict(findings) == "holds", findings
