"""Games by days: deadlines over restarts, days off, and conditional moves that only their seat knows."""

from __future__ import annotations

import datetime as dt
import json
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from msgspec.structs import replace

from bridgehead.core import link, record, registry, study
from bridgehead.core.chance import SeededDealer
from bridgehead.core.match import Match
from bridgehead.server.rooms import timers
from bridgehead.server.storage.backup import put_back, save
from bridgehead.server.storage.postgres import PostgresStore
from bridgehead.server.tables.days_off import DAY, STOCK, TurnDays
from server.live import PEOPLE, Live, Serve
from server.servers import Postgres
from server.test_clocks import timed
from server.test_retention import expire, file_of, rows
from waiting import wait_for

HOUR = 3600.0
Passes = Callable[[float], None]


def service(live: Live) -> Any:
    return live.app.state.correspondence


def look(live: Live) -> None:
    """Let the server look for what is due now."""
    live.loop.call_soon_threadsafe(service(live)._sooner.set)


def slow(live: Live, days: int = 3, **more: Any) -> dict[str, Any]:
    return timed(live, days=days, **more)


def all_come(live: Live, table: dict[str, Any]) -> dict[str, Any]:
    """Everybody has been at the table, and has left. Returns the last view."""
    page = live.page(table, *range(len(table["tokens"])))
    page.until(lambda view: view["clock"]["running"] is not None)
    page.socket.close()
    wait_for(lambda: not live.app.state.manager.rooms)
    return page.view


# Days for each turn


def test_the_days_of_a_turn_are_counted_by_the_wall_from_the_log_over_a_restart(passes: Passes, own: Live) -> None:
    table = slow(own)
    ada = own.page(table, 0)
    assert ada.view["clock"]["running"] is None, "nobody waits before everybody has come"
    ben = own.page(table, 1)
    clock = ada.until(lambda view: view["clock"]["running"] == 0)["clock"]
    assert clock["days"] == 3 and 3 * DAY - 60 < clock["due"] / 1000 <= 3 * DAY and clock["stock"] == [STOCK, STOCK]
    passes(DAY)
    ada.act("a2-a3")
    assert ada.view["clock"]["due"] / 1000 > 3 * DAY - 60, "each turn has its own days"
    passes(2 * DAY)
    own.stop()
    passes(HOUR)
    own.start()
    ben = own.page(table, 1)
    assert ben.view["outcome"] is None and abs(ben.view["clock"]["due"] / 1000 - (DAY - HOUR)) < 60
    ben.act(ben.view["choices"][0]["text"])


def test_of_two_sides_the_one_whose_days_are_over_has_lost_without_a_page(own: Live, passes: Passes) -> None:
    table = slow(own, days=1)
    all_come(own, table)
    passes(DAY - HOUR)
    look(own)
    assert own.page(table).view["outcome"] is None
    passes(HOUR + 1)
    look(own)
    wait_for(lambda: [event.kind for event in own.store.events(table["table"])] == ["came", "end"])
    view = own.page(table).view
    assert view["outcome"]["reason"] == "out of time" and view["outcome"]["winners"] == [1]
    wait_for(lambda: not own.store.read("select * from wake"))


def test_of_three_sides_a_computer_plays_on_until_the_person_takes_the_seat_back(own: Live, passes: Passes) -> None:
    table = slow(own, days=1, game="barricade", seats=[PEOPLE[0]] * 3, options={"seats": 3})
    late = all_come(own, table)["actor"]
    passes(DAY + 1)
    look(own)
    wait_for(
        lambda: any(event.kind == "action" and event.by not in ("person", "chance") for event in own.store.events(table["table"]))
    )
    back = own.page(table, late)
    assert back.view["seats"][late]["kind"] == "computer" and back.view["outcome"] is None and back.view["actor"] != late
    notes = back.hear("people")["marks"]
    assert "(the time was up)" in notes[-1]["text"]
    back.say(t="seat", k=secrets.token_hex(16), seat=late, do="back")
    back.until(lambda view: view["seats"][late]["kind"] == "person")


def test_a_server_that_was_down_gives_time_before_anybody_is_late(
    passes: Passes, monkeypatch: pytest.MonkeyPatch, own: Live
) -> None:
    table = slow(own, days=1)
    all_come(own, table)
    own.stop()
    passes(2 * DAY)
    monkeypatch.setattr(timers, "GRACE", HOUR)
    own.start()
    page = own.page(table, 0)
    assert page.view["clock"]["due"] == 0 and page.view["outcome"] is None
    page.act("a2-a3")
    assert page.view["clock"]["running"] == 1


def test_a_takeback_gives_the_days_again_and_handing_the_seat_over_does_not() -> None:
    began, later, much_later = 1000.0, 1000.0 + DAY, 1000.0 + 51 * DAY
    days = TurnDays(2, ((), ())).count(0, 0, began, paused=False)
    days = days.count(None, 0, later, paused=False)  # a computer has the seat
    days = days.count(0, 0, later, paused=False)
    assert days.due(0) == later + DAY and days.due(None) is None
    days = days.count(None, 0, later, paused=True).count(0, 0, much_later, paused=False)
    assert days.due(0) == much_later + DAY, "a pause takes nothing and gives nothing"
    days = days.count(1, 1, much_later, paused=False)
    assert days.due(1) == much_later + 2 * DAY
    days = replace(days, begun={}).count(0, 0, much_later, paused=False)
    assert days.due(0) == much_later + 2 * DAY


@pytest.mark.parametrize("clock", [{"days": 5}, {"days": 3, "bank": 60}, {"days": 3, "nudge": 60}, {"days": -1}])
def test_days_that_make_no_sense_are_refused(live: Live, clock: dict[str, Any]) -> None:
    answer = live.http.post("/api/tables", json={"game": "forty_bridges", "seats": PEOPLE, "clock": clock})
    assert answer.status_code == 400 and "clock" in answer.json()["where"]


def test_live_chance_does_not_go_with_days(live: Live) -> None:
    body = {"game": "barricade", "seats": PEOPLE, "clock": {"days": 3}, "level": 2}
    answer = live.http.post("/api/tables", json=body)
    assert answer.status_code == 400 and "live chance" in answer.json()["error"]


def test_an_offer_waits_as_long_as_a_turn(own: Live, passes: Passes) -> None:
    table = slow(own)
    all_come(own, table)
    ada = own.page(table, 0)
    ada.say(t="ask", k=secrets.token_hex(16), v=ada.view["v"], what="draw")
    ada.until(lambda view: "ask" in view)
    ada.socket.close()
    passes(DAY)
    ben = own.page(table, 1)
    assert ben.view["ask"]["open"]
    ben.say(t="answer", k=secrets.token_hex(16), about=ben.view["ask"]["v"], yes=True)
    assert ben.until(lambda view: view["outcome"])["outcome"]["winners"] == []


def test_a_table_by_days_that_nobody_has_played_is_kept_longer(own: Live) -> None:
    slow(own)
    own.table()
    own.app.state.tables._open.clear()
    assert expire(own, 20) == 1 and expire(own, 61) == 1


# Days off


def take(live: Live, table: dict[str, Any], days: int, *seats: int, lang: str = "en") -> str:
    """Ask for days off; returns the refusal, or ""."""
    mine = {"table": table["table"], "tokens": [table["tokens"][seat] for seat in seats]}
    return str(live.ask(f"/api/holidays?lang={lang}", {"tables": [mine], "days": days})["tables"][0]["problem"])


def until_july() -> float:
    """Seconds until a July: days off that begin then all lie in one year."""
    now = dt.datetime.now(dt.UTC)
    return (dt.datetime(now.year + 1, 7, 1, tzinfo=dt.UTC) - now).total_seconds()


def test_days_off_stop_the_clock_and_everybody_sees_them(own: Live, passes: Passes) -> None:
    passes(until_july())
    table = slow(own, days=1)
    all_come(own, table)
    ben = own.page(table, 1)
    passes(DAY / 2)
    assert take(own, table, 10, 0) == ""
    clock = ben.until(lambda view: view["clock"]["off"][0])["clock"]
    assert clock["stock"] == [STOCK - 10, STOCK] and abs(clock["due"] / 1000 - 10.5 * DAY) < 60 and clock["off"][1] == 0
    passes(10 * DAY)
    look(own)
    assert own.page(table).view["outcome"] is None
    passes(DAY / 2 + 1)
    look(own)
    ben.until(lambda view: view["outcome"])


def test_who_comes_back_early_keeps_the_days_that_were_not_used(own: Live, passes: Passes) -> None:
    passes(until_july())
    year = dt.datetime.now(dt.UTC).year + 1
    table = slow(own)
    all_come(own, table)
    assert take(own, table, 14, 0) == "" and take(own, table, 14, 0) == ""
    assert take(own, table, 1, 0) == f"You have 0 days off left for {year} at this table."
    passes(2.5 * DAY)
    assert take(own, table, 0, 0) == ""
    clock = own.page(table).view["clock"]
    assert clock["stock"][0] == STOCK - 3 and clock["off"] == [0, 0] and abs(clock["due"] / 1000 - 3 * DAY) < 60
    assert take(own, table, 0, 0) == "You have no days off now."
    assert take(own, table, 0, 0, lang="de") == "Du hast gerade keine freien Tage."


def test_nobody_takes_days_off_for_another_or_where_there_are_none(own: Live, passes: Passes) -> None:
    table, live = slow(own), own.table()
    all_come(own, table)
    assert take(own, table, 3) == "You have no seat at this table."
    assert take(own, live, 3, 0) == "Days off are for tables with days for each turn."
    mine = {"table": table["table"], "tokens": ["x" * 32]}
    answer = own.http.post(
        "/api/holidays", json={"tables": [mine, {"table": "NOSUCHTABLE12345", "tokens": []}], "days": 3}
    ).json()
    assert all(each["problem"] for each in answer["tables"])
    assert own.page(table).view["clock"]["off"] == [0, 0]


# My games


def test_my_games_say_what_waits_and_for_how_long(own: Live, passes: Passes) -> None:
    table = slow(own)
    all_come(own, table)
    passes(DAY)
    asked = [{"table": table["table"], "tokens": table["tokens"][:1]}]
    (mine,) = own.http.post("/api/mine", json={"tables": asked}).json()["tables"]
    assert mine["turn"] and mine["days"] == 3 and abs(mine["due"] / 1000 - 2 * DAY) < 60
    assert mine["names"] == ["Blue"] and mine["stock"] == STOCK and mine["off"] == 0


# Conditional moves


def lines(*variations: tuple[str, ...], log: tuple[str, ...] = ()) -> str:
    """The record of a game with these variations after what was played."""
    match = Match(registry.game("forty_bridges"))
    for text in log:
        match.play(_action(match.position, text))
    for variation in variations:
        path: tuple[int, ...] = (len(log),)
        for text in variation:
            path = study.play(match, path, _action(study.position_at(match, path), text))
    return record.dump(match, ["", ""])


def _action(position: Any, text: str) -> int:
    return next(int(action) for action in position.legal if position.name(action) == text)


def plan(live: Live, table: dict[str, Any], seat: int, do: str = "show", text: str = "", token: str = "") -> Any:
    body = {"token": token or table["tokens"][seat], "do": do, "record": text}
    return live.http.post(f"/api/tables/{table['table']}/plan", json=body)


def replies(log: tuple[str, ...]) -> list[str]:
    """The legal actions after what was played, in notation."""
    position = registry.game("forty_bridges").start()
    for text in log:
        position = position.play(_action(position, text))
    return [position.name(action) for action in position.legal]


def test_a_conditional_move_is_played_at_once_and_the_line_goes_on(own: Live, passes: Passes) -> None:
    table = slow(own)
    all_come(own, table)
    first, second = replies(())[:2]
    answer = replies((first,))[0]
    then = replies((first, answer))[0]
    last = replies((first, answer, then))[0]
    text = lines((first, answer, then, last), (second, replies((second,))[0]))
    kept = plan(own, table, 1, "keep", text).json()
    assert kept["lines"][0] == [first, answer, then, last] and len(kept["lines"]) == 2 and kept["may"]
    ada = own.page(table, 0)
    ada.act(first)
    ada.until(lambda view: view["actor"] == 0 and len(view["log"]) >= 1 and view["v"] >= 3)
    assert [event.action for event in own.store.events(table["table"]) if event.kind == "action"] == [
        ada_action for ada_action in (_action(registry.game("forty_bridges").start(), first), *_actions(first, answer))
    ]
    ada.act(then)
    ada.until(lambda view: view["actor"] == 0)
    wait_for(lambda: plan(own, table, 1).json()["lines"] == [])
    assert plan(own, table, 1).json()["ended"] == ""


def _actions(*texts: str) -> list[int]:
    """The ids of the actions after the first."""
    position, found = registry.game("forty_bridges").start(), []
    for text in texts:
        found.append(_action(position, text))
        position = position.play(found[-1])
    return found[1:]


def test_a_plan_that_did_not_foresee_a_move_ends_with_a_sentence(own: Live, passes: Passes) -> None:
    table = slow(own)
    all_come(own, table)
    first, other = replies(())[:2]
    assert plan(own, table, 1, "keep", lines((first, replies((first,))[0]))).status_code == 200
    ada = own.page(table, 0)
    ada.act(other)
    wait_for(lambda: plan(own, table, 1).json()["ended"])
    said = plan(own, table, 1).json()
    assert said["lines"] == [] and said["ended"].startswith(
        "Your conditional moves have ended, because none of them foresaw this: "
    )
    assert ada.view["actor"] == 1
    assert plan(own, table, 1, "clear").json() == {"seat": 1, "may": False, "lines": [], "ended": ""}


def test_a_plan_survives_a_restart_and_needs_no_page(passes: Passes, own: Live) -> None:
    table = slow(own)
    all_come(own, table)
    first = replies(())[0]
    assert plan(own, table, 1, "keep", lines((first, replies((first,))[0]))).status_code == 200
    own.restart()
    ada = own.page(table, 0)
    ada.act(first)
    ada.until(lambda view: view["actor"] == 0)


def test_a_plan_and_the_time_of_its_turn_survive_a_backup_and_its_restore(tmp_path: Path, passes: Passes) -> None:
    live = Live(tmp_path / "first")
    table = slow(live)
    all_come(live, table)
    first = replies(())[0]
    assert plan(live, table, 1, "keep", lines((first, replies((first,))[0]))).status_code == 200
    save(tmp_path / "copy", tmp_path / "first")
    kept, clock = plan(live, table, 1).json(), live.page(table, 0).view["clock"]["due"]
    live.stop()
    put_back(tmp_path / "copy", tmp_path / "second")
    live = Live(tmp_path / "second")
    assert plan(live, table, 1).json() == kept and live.page(table, 0).view["clock"]["due"] == pytest.approx(clock, abs=60_000)
    ada = live.page(table, 0)
    ada.act(first)
    ada.until(lambda view: view["actor"] == 0)
    live.stop()


def test_a_plan_is_never_shown_to_anybody_else(own: Live, passes: Passes) -> None:
    table = slow(own)
    all_come(own, table)
    first = replies(())[0]
    answer = replies((first,))[-1]
    pages = [own.page(table, 0), own.page(table), own.page(table, host=True)]
    assert plan(own, table, 1, "keep", lines((first, answer))).status_code == 200
    assert plan(own, table, 0).json()["lines"] == [], "the other seat has a plan of its own: none"
    for token in (table["host"], "x" * 32):
        refused = plan(own, table, 1, token=token)
        assert refused.status_code == 403 and "Only the person" in refused.json()["error"]
    for page in pages:
        page.say(t="ping", n=1)
        page.hear("pong")
        assert "plan" not in json.dumps(page.heard) and not any(each["t"] == "view" and each["v"] > 1 for each in page.heard)
    assert not any("plan" in event.kind for event in own.store.events(table["table"]))
    for path in ("record", "likeness", "link"):
        assert "plan" not in own.http.get(f"/api/tables/{table['table']}/{path}").text


def test_plans_that_cannot_be_kept_are_refused_in_words(own: Live, passes: Passes) -> None:
    table, live = slow(own), own.table()
    all_come(own, table)
    first = replies(())[0]
    good = lines((first, replies((first,))[0]))
    for asked, seat, text, said in (
        (table, 0, good, "It is your turn"),
        (table, 1, lines((first,)), "No variation goes on"),
        (table, 1, lines(), "No variation goes on"),
        (live, 1, good, "Conditional moves are for tables with days"),
        (table, 1, "nonsense", ""),
    ):
        refused = plan(own, asked, seat, "keep", text)
        assert refused.status_code == 400 and said in refused.json()["error"], (said, refused.text)
    other = Match(registry.game("barricade", board="mini"))
    other.deal(SeededDealer(1))
    assert "another game" in plan(own, table, 1, "keep", link.pack(other, ["", ""])).json()["error"]


def test_a_plan_ends_when_moves_are_taken_back(own: Live, passes: Passes) -> None:
    table = slow(own)
    page = own.page(table, 0, 1)
    page.act(replies(())[0])
    log = (replies(())[0],)
    reply = replies(log)[0]
    text = lines((reply, replies((*log, reply))[0]), log=log)
    assert plan(own, table, 0, "keep", text).status_code == 200
    page.say(t="ask", k=secrets.token_hex(16), v=page.view["v"], what="takeback")
    page.until(lambda view: view["actor"] == 0)
    wait_for(lambda: plan(own, table, 0).json()["ended"])
    assert plan(own, table, 0).json()["ended"] == "Your conditional moves have ended, because moves were taken back."


# A bank among three


def test_among_three_a_computer_may_play_for_an_empty_bank_and_its_turns_gain_the_increments(own: Live) -> None:
    seats = [PEOPLE[0]] * 3
    table = timed(own, "barricade", seats, {"seats": 3}, bank=1, increment=30, stand_in=True)
    page = own.page(table, 0, 1, 2)
    late = page.until(lambda view: view["clock"]["running"] is not None)["actor"]
    view = page.until(lambda view: view["seats"][late]["kind"] == "computer")
    assert view["outcome"] is None
    view = page.until(lambda view: view["actor"] not in (late, -1))
    assert view["clock"]["left"][late] == 30_000, "the turn that the computer finished for the seat"
    page.say(t="seat", k=secrets.token_hex(16), seat=late, do="back")
    assert page.until(lambda view: view["seats"][late]["kind"] == "person")["clock"]["left"][late] == 30_000


def test_only_a_bank_has_a_computer_that_stands_in(live: Live) -> None:
    body = {"game": "barricade", "seats": PEOPLE, "clock": {"days": 3, "stand_in": True}}
    answer = live.http.post("/api/tables", json=body)
    assert answer.status_code == 400 and "only a time bank" in answer.json()["error"]


# Storage


def test_a_file_of_an_older_release_opens_and_its_tables_go_on(tmp_path: Path, own: Live) -> None:
    table = timed(own, bank=600)
    page = own.page(table, 0, 1)
    page.act("a2-a3")
    own.stop()
    with apsw.Connection(str(file_of(tmp_path))) as connection:
        for name in ("reminded_turn", "reminded", "reminder", "plan", "wake"):
            connection.execute(f"drop table {name}")
        (body,) = connection.execute("select body from game").fetchone()
        older = body.replace(',"days":0', "")
        assert older != body
        connection.execute("update game set body = ?", (older,))
        connection.execute("delete from event")  # its chain began with the other body
    own.start()
    page = own.page(table, 0, 1)
    assert page.view["clock"]["bank"] == 600
    page.act("a2-a3")
    assert rows(tmp_path, "select count(*) from wake") == 0


def test_what_belongs_to_a_deleted_table_goes_with_it(own: Live, passes: Passes) -> None:
    table = slow(own)
    all_come(own, table)
    first = replies(())[0]
    assert plan(own, table, 1, "keep", lines((first, replies((first,))[0]))).status_code == 200
    wait_for(lambda: not own.app.state.manager.rooms)
    wait_for(lambda: bool(own.store.read("select at from wake where at > 0")))
    own.app.state.tables._open.clear()
    assert expire(own, 80) == 1
    assert not own.store.read("select * from plan") and not own.store.read("select * from wake")


def test_all_of_it_works_over_a_database(serve: Serve, postgres: Postgres, passes: Passes) -> None:
    live = serve(store=PostgresStore(postgres.place()))
    table = slow(live, days=1)
    all_come(live, table)
    first = replies(())[0]
    assert plan(live, table, 1, "keep", lines((first, replies((first,))[0]))).status_code == 200
    assert take(live, table, 2, 1) == ""
    ada = live.page(table, 0)
    ada.act(first)
    ada.until(lambda view: view["actor"] == 0)
    ada.socket.close()
    wait_for(lambda: not live.store.read("select * from plan"))
    passes(DAY + 1)
    look(live)
    wait_for(lambda: live.store.events(table["table"])[-1].kind == "end")
    wait_for(lambda: not live.store.read("select * from wake"))


@pytest.mark.wide
def test_a_thousand_games_by_days_wait_on_the_disk_and_end_on_time(passes: Passes, own: Live) -> None:
    tables = [slow(own, days=1) for _ in range(1000)]
    for table in tables:
        own.page(table, 0, 1).socket.close()
    wait_for(lambda: not own.app.state.manager.rooms)
    own.restart()
    assert len(own.app.state.tables) == 0, "none is in memory"
    passes(DAY + 1)
    look(own)
    wait_for(lambda: not own.store.read("select 1 from wake"))
    assert own.store.read("select count(*) from event where kind = 'end'") == [(1000,)]
