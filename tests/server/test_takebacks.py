"""Takebacks by consent: how far they go, what stays as it was, and what the replay shows of them."""

from typing import Any

import pytest

from bridgehead.core import record
from bridgehead.server.tables import proposals
from server.live import Live
from server.test_proposals import COMPUTER, NAMED, PERSON, agree, answer, ask, asked, closed, first, key, record_of


@pytest.mark.parametrize(("game", "options"), [("barricade", {"board": "mini"}), ("front_lines", {})])
def test_a_takeback_goes_back_to_my_last_decision_and_the_same_chance_comes_again(
    live: Live, game: str, options: dict[str, Any]
) -> None:
    table = live.table(game, NAMED[:2], **options)
    pages = [live.page(table, 0), live.page(table, 1)]
    watcher = live.page(table)

    def act(seat: int, text: str = "") -> None:
        pages[seat].act(text or first(pages[seat]))
        pages[1 - seat].until(lambda view: view["v"] >= pages[seat].view["v"])

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


def test_a_takeback_survives_a_restart_and_the_replay_shows_the_match_as_it_was(own: Live) -> None:
    table = own.table(seats=NAMED[:2])
    ada, ben = own.page(table, 0), own.page(table, 1)
    ada.act("a2-a3")
    ben.until(lambda view: view["v"] == 1)
    played = record_of(own, table)
    ask(ada, "takeback")
    asked(ada, ben)
    own.restart()
    ada, ben = own.page(table, 0), own.page(table, 1)
    assert ben.view["ask"]["open"] and ben.view["ask"]["need"] == [1] and ben.view["ask"]["text"].startswith("Ada asks")
    answer(ben, True)
    ada.until(lambda view: view["actor"] == 0)
    ada.act(ada.view["choices"][-1]["text"])
    text, v = record_of(own, table), ada.view["v"]
    own.restart()
    assert record_of(own, table) == text != played and own.page(table).view["v"] == v == 5
    frames = own.http.get(f"/api/tables/{table['table']}/frames").json()["frames"]
    assert len(frames) == 2
    assert [event.kind for event in own.store.events(table["table"])] == ["action", "ask", "answer", "back", "action"]


def test_ones_own_unfinished_step_is_free_and_computers_agree_to_a_takeback(live: Live) -> None:
    table = live.table("burning_bridges", NAMED[:2], firstPlayer="seat0")
    ada, ben = live.page(table, 0), live.page(table, 1)
    ada.act(next(c["text"] for c in ada.view["choices"] if c["text"].startswith("walk")))
    ask(ada, "takeback")
    ada.until(lambda view: view["log"] == [])
    ben.until(lambda view: view["v"] == 3)
    table = live.table(seats=[PERSON, COMPUTER])
    page = live.page(table, 0)
    page.act("a2-a3")
    page.until(lambda view: view["actor"] == 0)
    assert "draw" not in page.view["may"], "a computer agrees to no draw"
    ask(page, "takeback")
    assert page.until(lambda view: view["log"] == [])["actor"] == 0
    ask(page, "draw")
    page.refused("closed")


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
    view = page.until(lambda view: view["v"] > 2)  # the import, and the action
    assert view["logFrom"] == 3 and view["log"] == [] and "takeback" not in view["may"]


def test_a_storm_of_asking_ends_soon(live: Live) -> None:
    table = live.table(seats=NAMED[:2])
    ada, ben = live.page(table, 0), live.page(table, 1)
    for _ in range(proposals.OFTEN):
        ask(ada, "pause")
        asked(ada)
        ada.say(t="withdraw", k=key(), about=ada.view["ask"]["v"])
        closed(ada)
    for what in ("pause", "draw"):
        ask(ada, what)
        assert "enough" in ada.refused("closed")["text"]
    ada.act("a2-a3")
    ben.until(lambda view: view["actor"] == 1)
    ask(ada, "pause")
    asked(ben)
    answer(ben, False)
    closed(ada)
    ask(ada, "resign")
    ben.until(lambda view: view["outcome"])


def test_a_click_on_the_board_counts_although_somebody_asked_meanwhile(live: Live) -> None:
    table = live.table(seats=NAMED[:2])
    ada, ben = live.page(table, 0), live.page(table, 1)
    action = ada.action("a2-a3")
    ask(ben, "draw")
    asked(ben)
    ada.send_act(action, version=0)
    ada.hear("ack")
    ben.until(lambda view: view["actor"] == 1)
    assert "ask" not in ben.view
    ada.send_act(action, version=1)
    ada.refused("stale")
