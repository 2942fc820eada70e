"""Blocks between profiles, and reports to the host: who may make them, what they hold, and how they end."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import Any

import pytest

from bridgehead.server import run
from bridgehead.server.connections.rate_limits import Limits
from bridgehead.server.people import blocks, complaints
from bridgehead.server.people.complaints import Complaint
from server.clubs import Person, new_table
from server.live import Live, Serve
from server.test_chat import speak
from waiting import in_thread


def complain(live: Live, table: dict[str, Any], by: int, about: int, status: int = 201, **more: Any) -> dict[str, Any]:
    body = {"tokens": [table["tokens"][by]], "about": about, "reason": "chat", **more}
    return live.ask(f"/api/tables/{table['table']}/complaints", body, status)


def taken(live: Live, table: dict[str, Any]) -> None:
    """Somebody comes to each seat of a table, and goes."""
    for seat in range(len(table["tokens"])):
        live.page(table, seat)


def reports(live: Live) -> list[Complaint]:
    service = live.app.state.people.complaints
    return asyncio.run_coroutine_threadsafe(service.open(), live.loop).result()


def close(live: Live, name: str) -> None:
    asyncio.run_coroutine_threadsafe(live.app.state.people.complaints.close(name), live.loop).result()


# Blocks


def test_a_profile_blocks_another_one_and_ends_that_and_the_other_learns_nothing(own: Live) -> None:
    ada, eve = Person(own, "Ada"), Person(own, "Eve")
    assert ada.ask("blocks", profile=eve.id) == {"blocks": [{"id": eve.id, "name": "Eve"}]} == ada.ask("blocks")
    assert eve.ask("blocks") == {"blocks": []} and ada.id not in str(eve.ask())
    assert ada.ask("blocks", profile=eve.id, blocked=False) == {"blocks": []}


def test_nobody_blocks_oneself_strangers_or_without_end_and_nobody_for_another(
    own: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, eve, ben = Person(own, "Ada"), Person(own, "Eve"), Person(own, "Ben")
    monkeypatch.setattr(blocks, "MOST", 1)
    assert ada.ask("blocks", 400, profile=ada.id)["error"] == "You cannot block yourself."
    assert "no such profile" in ada.ask("blocks", 400, profile="A" * 22)["error"]
    ada.ask("blocks", profile=eve.id)
    assert "at most 1" in ada.ask("blocks", 400, profile=ben.id)["error"]
    forged = own.http.post("/api/profile/blocks", json={"key": secrets.token_urlsafe(32), "profile": eve.id})
    assert forged.status_code == 400 and own.store.read("select count(*) from block") == [(1,)]


def test_blocks_go_into_the_export_and_end_with_either_profile(own: Live) -> None:
    ada, eve, ben = Person(own, "Ada"), Person(own, "Eve"), Person(own, "Ben")
    ada.ask("blocks", profile=eve.id), ada.ask("blocks", profile=ben.id), ben.ask("blocks", profile=ada.id)
    assert set(own.http.post("/api/profile/export", json={"key": ada.key}).json()["blocks"]) == {eve.id, ben.id}
    eve.ask("delete")
    assert [each["id"] for each in ada.ask("blocks")["blocks"]] == [ben.id]
    ada.ask("delete")
    assert own.store.read("select * from block") == []


# Reports


def test_a_report_holds_reason_sentence_place_and_the_chat_that_was_seen(own: Live) -> None:
    ada, table = Person(own, "Ada"), new_table(own)
    ada.sit(table, 0)
    one, other = own.page(table, 0), own.page(table, 1)
    speak(other, "you fool")
    speak(one, "please stop")
    assert complain(own, table, 0, 1, text="  He insults\u202e me. ") == {"lines": 2}
    [found] = reports(own)
    assert (found.table, found.seat, found.about, found.reporter) == (table["table"], 0, 1, ada.id)
    assert (found.body.reason, found.body.text, found.body.turn) == ("chat", "He insults me.", 1)
    assert [(line.seat, line.text) for line in found.body.lines] == [(1, "you fool"), (0, "please stop")]
    close(own, found.id)
    assert reports(own) == []


def test_only_people_at_the_table_report_and_only_others(own: Live) -> None:
    table, else_where = new_table(own), new_table(own)
    taken(own, table)
    assert "no seat" in complain(own, table, 0, 1, 400, tokens=[else_where["tokens"][0]])["error"]
    assert "no seat" in complain(own, table, 0, 1, 400, tokens=[table["host"]])["error"]
    for about in (0, 7):
        assert "another seat" in complain(own, table, 0, about, 400)["error"]
    complain(own, table, 0, 1, 400, reason="boring")
    complain(own, table, 0, 1, 400, text="x" * 301)
    assert reports(own) == []


def test_repeated_reports_replace_each_other_and_a_flood_is_bounded(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    own = serve(Limits(complaints=3))
    table, another = new_table(own), new_table(own)
    taken(own, table), taken(own, another)
    complain(own, table, 0, 1)
    complain(own, table, 0, 1, text="again")
    assert [each.body.text for each in reports(own)] == ["again"]
    monkeypatch.setattr(complaints, "MOST", 1)
    assert "too many open reports" in complain(own, another, 0, 1, 400)["error"]
    assert complain(own, table, 1, 0, 429)


def test_one_address_or_one_table_does_not_close_the_box_for_everybody(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(complaints, "OF_ADDRESS", 3)
    monkeypatch.setattr(complaints, "OF_TABLE", 2)
    four = own.table("barricade", [{"kind": "person"}] * 4)
    tables = [new_table(own) for _ in range(3)]
    for table in (four, *tables):
        taken(own, table)
    complain(own, four, 0, 1), complain(own, four, 0, 2)
    assert "many open reports from here" in complain(own, four, 0, 3, 400)["error"], "its table has its share"
    complain(own, four, 0, 1, text="again")
    complain(own, tables[0], 0, 1)
    assert "many open reports from here" in complain(own, tables[1], 0, 1, 400)["error"], "so has its address"
    monkeypatch.setattr("bridgehead.server.http.people.address_of", lambda request: "192.0.2.7")
    complain(own, tables[1], 0, 1)
    monkeypatch.undo()
    monkeypatch.setattr(complaints, "OF_ADDRESS", 3)
    close(own, f"{four['table']}-0-1")
    complain(own, tables[2], 0, 1)
    assert "127.0.0.1" not in str(own.store.read("select * from complained"))


def test_a_seat_at_which_nobody_sat_cannot_be_reported(own: Live) -> None:
    table = new_table(own)
    own.page(table, 0)
    assert complain(own, table, 0, 1, 400)["error"] == "Nobody has sat at this seat yet."
    assert reports(own) == []
    guest = own.page(table, 1)
    complain(own, table, 0, 1)
    guest.socket.close()
    own.restart()
    assert complain(own, table, 0, 1, 400)["error"] == "Nobody has sat at this seat yet.", "who did nothing is forgotten"
    speak(own.page(table, 1), "you fool")
    own.restart()
    complain(own, table, 0, 1)


def test_the_terminal_lists_and_closes_reports_and_says_so_in_words(own: Live, tmp_path: Path) -> None:
    table = new_table(own, seats=[{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Eve"}])
    speak(own.page(table, 1), "you fool")
    complain(own, table, 0, 1, text="Look.")
    own.stop()
    shown = "\n".join(in_thread(run.complaints, tmp_path, "", []))
    name = f"{table['table']}-0-1"
    assert name in shown and "Eve" in shown and "Ada" in shown and "insults in the chat" in shown and "Eve: you fool" in shown
    assert in_thread(run.complaints, tmp_path, "", [name]) == [f"closed: {name}", "no open reports"]
    with pytest.raises(Exception, match="no open report with this number"):
        in_thread(run.complaints, tmp_path, "", ["nothing"])


def test_a_deleted_profile_is_no_longer_named_as_the_one_who_reported(own: Live) -> None:
    ada, table = Person(own, "Ada"), new_table(own)
    ada.sit(table, 0), taken(own, table)
    complain(own, table, 0, 1, text="Look.")
    kept = own.http.post("/api/profile/export", json={"key": ada.key}).json()["complaints"]
    assert [(each["table"], each["reason"], each["text"]) for each in kept] == [(table["table"], "chat", "Look.")]
    ada.ask("delete")
    assert [each.reporter for each in reports(own)] == [""] and ada.id not in str(own.store.read("select * from complaint"))
