"""Asking the others: takeback, pause, draw, resigning; who may, who agrees, and what nobody can force."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from bridgehead.core import record
from bridgehead.server.tables import proposals
from server.live import PEOPLE, Live, Page, Serve

PERSON, COMPUTER = PEOPLE[0], {"kind": "computer", "level": "random"}
NAMED = [PERSON | {"name": name} for name in ("Ada", "Ben", "Cy", "Dora")]


def key() -> str:
    return secrets.token_hex(16)


def ask(page: Page, what: str, version: int | None = None) -> None:
    page.say(t="ask", k=key(), v=page.view["v"] if version is None else version, what=what)


def answer(page: Page, yes: bool, about: int | None = None) -> None:
    page.say(t="answer", k=key(), about=page.view["ask"]["v"] if about is None else about, yes=yes)


def asked(*pages: Page) -> None:
    """Everybody has heard what is asked."""
    for page in pages:
        page.until(lambda view: view.get("ask", {}).get("open"))


def closed(page: Page) -> dict[str, Any]:
    """The view in which it is told what became of what was asked."""
    return page.until(lambda view: "ask" in view and not view["ask"]["open"])


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


def test_a_refusal_stands_until_the_table_moves_on(live: Live) -> None:
    table = live.table(seats=NAMED[:2])
    ada, ben = live.page(table, 0), live.page(table, 1)
    ada.act("a2-a3")
    ben.until(lambda view: view["v"] == 1)
    ask(ada, "takeback")
    asked(ada, ben)
    answer(ben, False)
    view = closed(ada)
    assert view["ask"]["text"] == "Ben does not agree: a takeback." and view["actor"] == 1 and "takeback" not in view["may"]
    ask(ada, "takeback")
    assert "refused" in ada.refused("closed")["text"]
    closed(ben)
    ben.act(first(ben))
    ada.until(lambda view: view["actor"] == 0)
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
    cy.until(lambda view: view["ask"]["need"] == [2])
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
    assert ada.until(lambda view: view.get("paused"))["ask"]["text"] == "Agreed: a pause."


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
    ada.until(lambda view: "paused" not in view)
    assert ada.view["choices"]
    ada.send_act(action)
    ada.hear("ack")


def test_computers_wait_while_the_table_is_paused(live: Live) -> None:
    table = live.table(seats=[COMPUTER, PERSON])
    page = live.page(table, 1)
    page.until(lambda view: view["actor"] == 1)
    ask(page, "pause")
    page.until(lambda view: view.get("paused"))
    assert not page.view["thinking"]
    v = page.view["v"]
    elsewhere = live.page(live.table(seats=[COMPUTER, PERSON]), 1)
    elsewhere.until(lambda view: view["actor"] == 1)  # a computer has played there in the meantime
    assert live.page(table).view["v"] == v
    ask(page, "resume")
    page.until(lambda view: "paused" not in view)
    page.act(first(page))
    page.until(lambda view: view["actor"] == 1)


def test_a_draw_is_agreed_by_all_persons_and_the_record_tells_it(live: Live) -> None:
    table = live.table(seats=NAMED[:2])
    ada, ben = live.page(table, 0), live.page(table, 1)
    ada.act("a2-a3")
    ben.until(lambda view: view["v"] == 1)
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
    view = ada.until(lambda view: view["outcome"])
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
    view = pages[0].until(lambda view: view["outcome"])
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
        assert "Nobody else is here" in ada.refused("closed")["text"]
    ask(ada, "draw")  # may be answered when Ben comes
    ben = live.page(table, 1)
    asked(ben)
    answer(ben, False)
    assert closed(ada)["ask"]["text"] == "Ben does not agree: a draw."


def test_a_page_with_all_seats_asks_nobody(live: Live) -> None:
    page = live.page(live.table(seats=NAMED[:2]), 0, 1)
    page.act("a2-a3")
    ask(page, "takeback")
    assert page.until(lambda view: view["v"] == 3)["log"] == []
    ask(page, "pause")
    page.until(lambda view: view.get("paused"))
    ask(page, "resume")
    page.until(lambda view: not view.get("paused"))
    ask(page, "resign")
    assert page.until(lambda view: view["outcome"])["outcome"]["winners"] == [1]


def test_an_ask_lapses_when_nobody_answers(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "WAITS", 0.4)
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
    ben.until(lambda view: view["ask"]["v"] > about)
    closed(ben)
    answer(ben, True)
    ben.refused("stale")
    assert ben.view["outcome"] is None


def test_two_servers_on_one_log_agree_on_one_outcome(serve: Serve) -> None:
    one, two = serve(), serve()
    table = one.table(seats=NAMED[:2])
    ada, ben = one.page(table, 0), one.page(table, 1)
    late = two.page(table, 1)
    ask(ada, "draw")
    asked(ada, ben)
    answer(ben, True)
    ada.until(lambda view: view["outcome"])
    ask(late, "resign", version=0)  # the other server has heard nothing yet
    late.refused("stale")
    assert late.until(lambda view: view["outcome"])["outcome"]["reason"] == "draw agreed"
    assert [event.kind for event in one.store.events(table["table"])] == ["ask", "answer", "end"]
    one.stop()


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
