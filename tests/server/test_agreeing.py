"""Asking the others: takeback, pause, draw, resigning; who may, who agrees, and what nobody can force."""

from __future__ import annotations

import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bridgehead.core import record
from bridgehead.server import asks
from server.live import PEOPLE, Live, Page

PERSON, COMPUTER = PEOPLE[0], {"kind": "computer", "level": "random"}
NAMED = [PERSON | {"name": name} for name in ("Ada", "Ben", "Cy", "Dora")]


def key() -> str:
    return secrets.token_hex(16)


def ask(page: Page, what: str, version: int | None = None) -> None:
    page.say(t="ask", k=key(), v=page.view["v"] if version is None else version, what=what)


def answer(page: Page, yes: bool, about: int | None = None) -> None:
    page.say(t="answer", k=key(), about=page.view["ask"]["v"] if about is None else about, yes=yes)


def until(page: Page, true: Any) -> dict[str, Any]:
    """The first view of which that is true."""
    while not true(page.view):
        page.hear("view")
    return page.view


def asked(*pages: Page) -> None:
    """Everybody has heard what is asked."""
    for page in pages:
        until(page, lambda view: view.get("ask", {}).get("open"))


def closed(page: Page) -> dict[str, Any]:
    """The view in which it is told what became of what was asked."""
    return until(page, lambda view: "ask" in view and not view["ask"]["open"])


def agree(asker: Page, other: Page, what: str) -> None:
    """One asks, the other agrees, and both have heard of it."""
    ask(asker, what)
    asked(asker, other)
    answer(other, True)
    for page in (asker, other):
        closed(page)


def first(page: Page) -> str:
    return str(page.view["choices"][0]["text"])


def record_of(live: Live, table: dict[str, Any]) -> str:
    return live.http.get(f"/api/tables/{table['table']}/record").text


@pytest.mark.parametrize(("game", "options"), [("barricade", {"board": "mini"}), ("front_lines", {})])
def test_a_takeback_goes_back_to_my_last_decision_and_the_same_chance_comes_again(
    live: Live, game: str, options: dict[str, Any]
) -> None:
    table = live.table(game, NAMED[:2], **options)
    pages = [live.page(table, 0), live.page(table, 1)]
    watcher = live.page(table)

    def act(seat: int, text: str = "") -> None:
        pages[seat].act(text or first(pages[seat]))
        until(pages[1 - seat], lambda view: view["v"] >= pages[seat].view["v"])

    asker = pages[0].view["actor"]
    while pages[0].view["actor"] == asker:
        before = pages[asker].view
        chosen = first(pages[asker])
        act(asker, chosen)
    act(1 - asker)
    afterwards = [line["text"] for line in pages[0].view["log"]] and record_of(live, table)
    assert "takeback" in pages[asker].view["may"] and "may" not in watcher.view
    agree(pages[asker], pages[1 - asker], "takeback")
    view = pages[asker].view
    assert view["items"] == before["items"] and view["actor"] == asker and view["choices"] == before["choices"]
    assert view["ask"]["text"] == "Agreed: a takeback." and len(record_of(live, table)) < len(afterwards)
    act(asker, chosen)
    while pages[0].view["actor"] == asker:
        act(asker)
    act(1 - asker)
    assert record_of(live, table) == afterwards, "the same dice and cards"
    match, _ = record.load(afterwards)
    assert match.chances >= 2
    assert "ask" not in pages[0].view, "the table has moved on"


def test_a_takeback_survives_a_restart_and_the_replay_shows_the_match_as_it_was(tmp_path: Path) -> None:
    live = Live(tmp_path)
    table = live.table(seats=NAMED[:2])
    ada, ben = live.page(table, 0), live.page(table, 1)
    ada.act("a2-a3")
    until(ben, lambda view: view["v"] == 1)
    played = record_of(live, table)
    ask(ada, "takeback")
    asked(ada, ben)
    live.stop()
    live = Live(tmp_path)
    ada, ben = live.page(table, 0), live.page(table, 1)
    assert ben.view["ask"]["open"] and ben.view["ask"]["need"] == [1] and ben.view["ask"]["text"].startswith("Ada asks")
    answer(ben, True)
    until(ada, lambda view: view["actor"] == 0)
    ada.act(ada.view["choices"][-1]["text"])
    text, v = record_of(live, table), ada.view["v"]
    live.stop()
    live = Live(tmp_path)
    assert record_of(live, table) == text != played and live.page(table).view["v"] == v == 5
    frames = live.http.get(f"/api/tables/{table['table']}/frames").json()["frames"]
    assert len(frames) == 2
    assert [event.kind for event in live.store.events(table["table"])] == ["action", "ask", "answer", "back", "action"]
    live.stop()


def test_ones_own_unfinished_step_is_free_and_computers_agree_to_a_takeback(live: Live) -> None:
    table = live.table("burning_bridges", NAMED[:2], firstPlayer="seat0")
    ada, ben = live.page(table, 0), live.page(table, 1)
    ada.act(next(c["text"] for c in ada.view["choices"] if c["text"].startswith("walk")))
    ask(ada, "takeback")
    until(ada, lambda view: view["log"] == [])
    until(ben, lambda view: view["v"] == 3)
    table = live.table(seats=[PERSON, COMPUTER])
    page = live.page(table, 0)
    page.act("a2-a3")
    until(page, lambda view: view["actor"] == 0)
    assert "draw" not in page.view["may"], "a computer agrees to no draw"
    ask(page, "takeback")
    assert until(page, lambda view: view["log"] == [])["actor"] == 0
    ask(page, "draw")
    page.refused("closed")


def test_a_refusal_stands_until_the_table_moves_on(live: Live) -> None:
    table = live.table(seats=NAMED[:2])
    ada, ben = live.page(table, 0), live.page(table, 1)
    ada.act("a2-a3")
    until(ben, lambda view: view["v"] == 1)
    ask(ada, "takeback")
    asked(ada, ben)
    answer(ben, False)
    view = closed(ada)
    assert view["ask"]["text"] == "Ben does not agree: a takeback." and view["actor"] == 1 and "takeback" not in view["may"]
    ask(ada, "takeback")
    assert "refused" in ada.refused("closed")["text"]
    closed(ben)
    ben.act(first(ben))
    until(ada, lambda view: view["actor"] == 0)
    ask(ada, "takeback")
    asked(ada, ben)
    ada.act(first(ada))
    assert "ask" not in ada.view, "who plays on asks no longer"
    answer(ben, True, about=5)
    ben.refused("stale")


def test_nobody_answers_themselves_or_twice_or_from_outside(live: Live) -> None:
    table = live.table("barricade", NAMED[:3])
    ada, ben, cy, watcher = (live.page(table, *seats) for seats in ((0,), (1,), (2,), ()))
    second = live.page(table, 0)
    ask(watcher, "pause")
    watcher.refused("turn")
    ask(ada, "pause")
    asked(ada, ben, cy, watcher, second)
    for page in (ada, second, watcher):
        answer(page, True)
        page.refused("turn")
    for about in (0, ada.view["ask"]["v"] + 1, 2**31):
        answer(ben, True, about)
        ben.refused("stale")
    answer(ben, True)
    until(cy, lambda view: view["ask"]["need"] == [2])
    answer(ben, True)
    ben.refused("turn")
    answer(ben, False)
    ben.refused("turn")
    for page in (ben, cy, watcher):
        page.say(t="withdraw", k=key(), about=cy.view["ask"]["v"])
        page.refused("turn")
    ask(cy, "pause")
    assert "answered first" in cy.refused("closed")["text"]
    assert "paused" not in cy.view
    answer(cy, True)
    assert until(ada, lambda view: view.get("paused"))["ask"]["text"] == "Agreed: a pause."


def test_a_key_asks_and_answers_once(live: Live) -> None:
    table = live.table(seats=NAMED[:2])
    ada, ben = live.page(table, 0), live.page(table, 1)
    mine, theirs = key(), key()
    for _ in range(2):
        ada.say(t="ask", k=mine, v=0, what="draw")
        assert ada.hear("ack")["v"] == 1
    ada.say(t="ask", k=mine, v=0, what="pause")
    ada.refused("bad")
    ben.say(t="ask", k=mine, v=0, what="draw")
    ben.refused("bad")
    for _ in range(2):
        ben.say(t="answer", k=theirs, about=1, yes=False)
        assert ben.hear("ack")["v"] == 2
    ben.say(t="answer", k=theirs, about=1, yes=True)
    ben.refused("bad")
    assert live.page(table).view["v"] == 2


def test_everybody_answering_at_once_agrees_once(live: Live) -> None:
    table = live.table("barricade", NAMED)
    pages = [live.page(table, seat) for seat in range(4)]
    ask(pages[0], "pause")
    asked(*pages)

    def agree_now(page: Page) -> str:
        answer(page, True)
        while (message := page.hear_any())["t"] not in ("ack", "rej"):
            pass
        return str(message["t"])

    second = live.page(table, 1)  # Ben at another screen
    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(agree_now, [*pages[1:], second])) == ["ack", "ack", "ack", "rej"]
    kinds = [event.kind for event in live.store.events(table["table"])]
    assert kinds.count("pause") == 1 and kinds.count("answer") == 3


def test_a_paused_table_is_left_alone_until_all_want_to_play_on(live: Live) -> None:
    table = live.table("burning_bridges", NAMED[:2], firstPlayer="seat0")
    ada, ben = live.page(table, 0), live.page(table, 1)
    action = ada.view["choices"][0]["action"]
    agree(ada, ben, "pause")
    assert "choices" not in ada.view and ada.view["paused"] == "The table is paused." and ada.view["may"] == [
        "resume", "draw", "resign"
    ]  # fmt: skip
    ada.send_act(action)
    assert "paused" in ada.refused("closed")["text"]
    ada.say(t="undo", k=key(), v=ada.view["v"])
    ada.refused("closed")
    ask(ada, "pause")
    ada.refused("closed")
    ask(ben, "resume")
    asked(ada, ben)
    answer(ada, True)
    until(ada, lambda view: "paused" not in view)
    assert ada.view["choices"]
    ada.send_act(action)
    ada.hear("ack")


def test_computers_wait_while_the_table_is_paused(live: Live) -> None:
    table = live.table(seats=[COMPUTER, PERSON])
    page = live.page(table, 1)
    until(page, lambda view: view["actor"] == 1)
    ask(page, "pause")
    until(page, lambda view: view.get("paused"))
    assert not page.view["thinking"]
    v = page.view["v"]
    time.sleep(0.3)
    assert live.page(table).view["v"] == v
    ask(page, "resume")
    until(page, lambda view: "paused" not in view)
    page.act(first(page))
    until(page, lambda view: view["actor"] == 1)


def test_a_draw_is_agreed_by_all_persons_and_the_record_tells_it(live: Live) -> None:
    table = live.table(seats=NAMED[:2])
    ada, ben = live.page(table, 0), live.page(table, 1)
    ada.act("a2-a3")
    until(ben, lambda view: view["v"] == 1)
    agree(ada, ben, "draw")
    for page in (ada, ben):
        outcome = page.view["outcome"]
        assert outcome == {"reason": "draw agreed", "clause": "", "text": "A draw was agreed. Nobody wins.", "winners": []}
        assert page.view["prompt"] == outcome["text"] and page.view["may"] == [] and "choices" not in page.view
    text = record_of(live, table)
    assert "\nresult: draw agreed, nobody wins\nended: draw agreed\n" in text
    film = live.http.post("/api/records", content=text).json()["frames"]
    assert film[-1]["prompt"] == "A draw was agreed. Nobody wins." and film[-1]["actor"] == -2 and film[-2]["actor"] == 0
    for what in ("takeback", "resign", "draw", "pause"):
        ask(ben, what)
        ben.refused("closed")
    ben.say(t="undo", k=key(), v=ben.view["v"])
    ben.refused("closed")


def test_who_is_alone_resigns_at_once_and_a_team_together(live: Live) -> None:
    table = live.table(seats=NAMED[:2])
    ada, ben = live.page(table, 0), live.page(table, 1)
    ask(ben, "resign")
    view = until(ada, lambda view: view["outcome"])
    assert view["outcome"]["winners"] == [0] and view["prompt"] == "Ben has resigned. Ada wins."
    assert "ended: seat 2 resigned\n" in record_of(live, table)
    table = live.table("barricade", NAMED, teams="0,2/1,3")
    pages = [live.page(table, seat) for seat in range(4)]
    ask(pages[1], "resign")
    asked(*pages)
    assert pages[0].view["ask"]["need"] == [3]
    answer(pages[0], True)
    pages[0].refused("turn")
    answer(pages[3], True)
    view = until(pages[0], lambda view: view["outcome"])
    assert view["outcome"]["winners"] == [0, 2] and view["prompt"] == "Ben has resigned. Ada and Cy win."
    text = record_of(live, table)
    assert "result: resigned, seats 1 and 3 win\nended: seat 2 resigned\n" in text
    assert record.load(text)[0].outcome.winners == (0, 2)  # type: ignore[union-attr]


def test_among_three_sides_nobody_resigns_or_offers_a_draw(live: Live) -> None:
    table = live.table("barricade", NAMED[:3])
    page = live.page(table, 0)
    assert not {"draw", "resign"} & set(page.view["may"])
    for what in ("draw", "resign"):
        ask(page, what)
        assert "two sides" in page.refused("closed")["text"]


def test_nobody_absent_agrees(live: Live) -> None:
    table = live.table(seats=NAMED[:2])
    ada = live.page(table, 0)
    ada.act("a2-a3")
    for what in ("takeback", "pause"):
        ask(ada, what)
        assert "Nobody is there" in ada.refused("closed")["text"]
    ask(ada, "draw")  # may be answered when Ben comes
    ben = live.page(table, 1)
    asked(ben)
    answer(ben, False)
    assert closed(ada)["ask"]["text"] == "Ben does not agree: a draw."


def test_a_page_with_all_seats_asks_nobody(live: Live) -> None:
    page = live.page(live.table(seats=NAMED[:2]), 0, 1)
    page.act("a2-a3")
    ask(page, "takeback")
    assert until(page, lambda view: view["v"] == 3)["log"] == []
    ask(page, "pause")
    until(page, lambda view: view.get("paused"))
    ask(page, "resume")
    until(page, lambda view: not view.get("paused"))
    ask(page, "resign")
    assert until(page, lambda view: view["outcome"])["outcome"]["winners"] == [1]


def test_a_takeback_goes_no_further_back_than_this_table(live: Live) -> None:
    page = live.page(live.table(seats=NAMED[:2]), 0, 1)
    for _ in range(3):
        page.act(first(page))
    text = live.http.get(f"/api/tables/{page.view['table']}/record").text
    sent = {"game": "forty_bridges", "seats": NAMED[:2], "record": text}
    page = live.page(live.http.post("/api/tables", json=sent).json(), 0, 1)
    assert len(page.view["log"]) == 3 and "takeback" not in page.view["may"]
    ask(page, "takeback")
    page.refused("closed")
    page.act(first(page))
    ask(page, "takeback")
    view = until(page, lambda view: view["v"] > 4)
    assert view["logFrom"] == 3 and view["log"] == [] and "takeback" not in view["may"]


def test_a_storm_of_asking_ends_soon(live: Live) -> None:
    table = live.table(seats=NAMED[:2])
    ada, ben = live.page(table, 0), live.page(table, 1)
    for _ in range(asks.OFTEN):
        ask(ada, "pause")
        asked(ada)
        ada.say(t="withdraw", k=key(), about=ada.view["ask"]["v"])
        closed(ada)
    for what in ("pause", "draw"):
        ask(ada, what)
        assert "enough" in ada.refused("closed")["text"]
    ada.act("a2-a3")
    until(ben, lambda view: view["actor"] == 1)
    ask(ada, "pause")
    asked(ben)
    answer(ben, False)
    closed(ada)
    ask(ada, "resign")
    until(ben, lambda view: view["outcome"])


def test_an_ask_lapses_when_nobody_answers(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asks, "WAITS", 0.4)
    table = live.table(seats=NAMED[:2])
    ada, ben = live.page(table, 0), live.page(table, 1)
    ask(ada, "draw")
    asked(ben)
    about = ben.view["ask"]["v"]
    view = closed(ben)
    assert view["ask"]["text"] == "Nobody has answered Ada: a draw."
    answer(ben, True, about)
    ben.refused("stale")
    ask(ada, "draw", version=about)
    until(ben, lambda view: view["ask"]["v"] > about)
    time.sleep(0.5)
    answer(ben, True)
    ben.refused("stale")
    assert ben.view["outcome"] is None


def test_a_click_on_the_board_counts_although_somebody_asked_meanwhile(live: Live) -> None:
    table = live.table(seats=NAMED[:2])
    ada, ben = live.page(table, 0), live.page(table, 1)
    action = ada.action("a2-a3")
    ask(ben, "draw")
    asked(ben)
    ada.send_act(action, version=0)
    ada.hear("ack")
    until(ben, lambda view: view["actor"] == 1)
    assert "ask" not in ben.view
    ada.send_act(action, version=1)
    ada.refused("stale")


def test_two_servers_on_one_log_agree_on_one_outcome(tmp_path: Path) -> None:
    one, two = Live(tmp_path), Live(tmp_path)
    table = one.table(seats=NAMED[:2])
    ada, ben = one.page(table, 0), one.page(table, 1)
    late = two.page(table, 1)
    ask(ada, "draw")
    asked(ada, ben)
    answer(ben, True)
    until(ada, lambda view: view["outcome"])
    ask(late, "resign", version=0)  # the other server has heard nothing yet
    late.refused("stale")
    assert until(late, lambda view: view["outcome"])["outcome"]["reason"] == "draw agreed"
    assert [event.kind for event in one.store.events(table["table"])] == ["ask", "answer", "end"]
    one.stop()
    two.stop()


@pytest.mark.parametrize(
    "message",
    [
        {"t": "ask", "v": 0, "what": "win"}, {"t": "ask", "v": -1, "what": "draw"}, {"t": "ask", "what": "draw"},
        {"t": "ask", "v": 0, "what": "draw", "seat": 1}, {"t": "answer", "about": 1}, {"t": "answer", "about": 1, "yes": "y"},
        {"t": "answer", "about": -1, "yes": True}, {"t": "withdraw"}, {"t": "ask", "v": 0, "what": "draw", "need": []},
    ],
)  # fmt: skip
def test_a_malformed_ask_is_refused(live: Live, message: dict[str, Any]) -> None:
    page = live.page(live.table(), 0)
    page.say(k=key(), **message)
    page.refused("bad")
    ask(page, "draw", version=7)
    page.refused("stale")
    assert page.view["v"] == 0
