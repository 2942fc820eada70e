"""Real dice and cards at a table: people type what they show, everybody with a seat may, and the last one can be corrected."""

import asyncio
import random
import secrets
from typing import Any

import pytest

from bridgehead.core import record
from server.clubs import Person, resigned
from server.live import PATIENCE, Live, Page
from waiting import wait_for

TWO = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}]


def typed(live: Live, game: str = "barricade", **body: Any) -> Any:
    """A new table with real dice or cards."""
    options = {"board": "mini"} if game == "barricade" else {}
    asked = {"game": game, "options": {**options, "seats": 2}, "seats": TWO, "typed": True, **body}
    return live.http.post("/api/tables", json=asked)


def face(page: Page, text: str) -> int:
    return next(each["action"] for each in page.view["faces"] if each["text"] == text)


def after(page: Page, version: int) -> dict[str, Any]:
    """The view of this version, or a later one."""
    return page.until(lambda view: view["v"] >= version)


def type_in(page: Page, text: str) -> dict[str, Any]:
    page.send_act(face(page, text))
    return after(page, page.hear("ack")["v"])


def correct(page: Page, key: str = "", version: int | None = None) -> str:
    key = key or secrets.token_hex(16)
    page.say(t="undo", k=key, v=page.view["v"] if version is None else version)
    return key


def test_whoever_has_a_seat_types_what_the_die_shows_and_corrects_it_before_the_next_decision(live: Live) -> None:
    table = typed(live).json()
    ada, ben = live.page(table, 0), live.page(table, 1)
    assert [each["text"] for each in ada.view["faces"]] == ["first 1", "first 2"] and "choices" not in ada.view
    after(ben, type_in(ada, "first 1")["v"])
    assert [each["label"] for each in ben.view["faces"]] == [f"The die shows {n}" for n in range(1, 7)]
    view = after(ada, type_in(ben, "roll 3")["v"])  # not Ben's turn, but the die lies before him
    assert view["actor"] == 0 and view["choices"] and view["mistyped"] and "faces" not in view
    correct(ada)
    view = after(ada, ada.hear("ack")["v"])
    assert view["actor"] == -1 and len(view["log"]) == 0 and view["mistyped"], "the draw of the first seat comes next"
    while not ben.people.get("marks"):
        ben.hear("people")
    assert [each["text"] for each in ben.people["marks"]] == ["The last draw was corrected."], "everybody sees it"
    view = type_in(ada, "roll 6")
    assert "6" in view["log"][-1]["text"]
    ada.act(view["choices"][0]["text"])
    correct(ada)
    assert ada.hear("rej")["code"] in ("turn", "illegal"), "nothing is corrected after a decision"
    text = live.http.get(f"/api/tables/{table['table']}/record").text
    assert "chance: real dice or cards, typed in" in text
    assert text.index("first 1") < text.index("roll 6") and "roll 3" not in text and text.count("was corrected") == 1
    assert record.dump(*record.load(text)) == text, "it loads to the letter"


def test_a_watcher_types_nothing_and_the_host_without_a_seat_may(live: Live) -> None:
    table = typed(live).json()
    watcher, host = live.page(table), live.page(table, host=True)
    assert "faces" not in watcher.view and len(host.view["faces"]) == 2
    watcher.send_act(face(host, "first 1"))
    watcher.refused("turn")
    version = type_in(host, "first 2")["v"]
    assert host.view["mistyped"] and "mistyped" not in after(watcher, version)
    correct(watcher)
    watcher.refused("turn")
    assert host.view["actor"] == -1 and len(host.view["log"]) == 1


def test_stale_and_repeated_messages_type_nothing_twice(live: Live) -> None:
    table = typed(live).json()
    ada, ben = live.page(table, 0), live.page(table, 1)
    first = face(ada, "first 1")
    key, version = ada.send_act(first), ada.view["v"]
    after(ada, ada.hear("ack")["v"])
    ada.send_act(first, key, version)
    assert ada.hear("ack")["v"] == 1, "the same message again is done once"
    ben.send_act(first + 1, version=version)
    ben.refused("stale")
    view = type_in(ada, "roll 2")
    undo = correct(ada)
    again = after(ada, ada.hear("ack")["v"])["v"]
    correct(ada, undo, view["v"])
    assert ada.hear("ack")["v"] == again
    correct(ada, version=view["v"])
    ada.refused("stale")


def test_an_impossible_card_is_refused_by_its_clause(live: Live) -> None:
    table = typed(live, "front_lines").json()
    ada = live.page(table, 0)
    rows = [each["row"] for each in ada.view["faces"]]
    assert len(rows) == 40 and set(rows) == {"Hearts", "Diamonds", "Spades", "Clubs"}
    drawn = face(ada, "draw 7H")
    view = type_in(ada, "draw 7H")
    assert "7" in view["log"][-1]["text"]
    ada.send_act(drawn)
    assert ada.refused("illegal" if view["actor"] < 0 else "turn" if view["actor"] else "illegal")["text"]
    if "faces" in view:
        assert drawn not in [each["action"] for each in view["faces"]]


def test_real_dice_are_sealed_by_nobody_and_deal_no_seed(live: Live) -> None:
    for more in ({"seed": 1}, {"level": 2}):
        answer = typed(live, **more)
        assert answer.status_code == 400 and "sealed" in answer.json()["error"], more
    table = typed(live).json()
    sealed = live.page(table, 0).view["sealed"]
    assert (sealed["level"], sealed["practice"], sealed["eras"]) == (0, False, [])
    assert "real dice" in sealed["text"]
    plain = typed(live, "forty_bridges").json()
    assert live.page(plain, 0).view["actor"] == 0, "a game without chance asks nobody"


@pytest.mark.parametrize("people", [0, 1])
def test_a_computer_plays_on_with_what_people_type(live: Live, people: int) -> None:
    seats = [{"kind": "computer", "level": "random"}, {"kind": "computer", "level": "random"}]
    seats[people] = {"kind": "person", "name": "Ada"}
    table = typed(live, seats=seats).json()
    ada = live.page(table, people)
    type_in(ada, "first 1")
    for n in range(30):
        view = ada.until(lambda view: "faces" in view or "choices" in view)
        if "faces" in view:
            type_in(ada, f"roll {n % 6 + 1}")
        else:
            ada.act(view["choices"][0]["text"])


def test_a_game_that_ends_by_a_draw_goes_on_when_the_draw_is_corrected(live: Live) -> None:
    """The Front Lines ends when a card that is turned over is the last mine; that card may be a wrong tap, too."""
    table = typed(live, "front_lines").json()
    ada, ben = live.page(table, 0), live.page(table, 1)
    pages = {0: ada, 1: ben}
    lot = random.Random(0)
    while ada.view["actor"] != -2:
        page = pages.get(ada.view["actor"], ada)
        after(page, ada.view["v"])
        if "faces" in page.view:
            mines = [each["text"] for each in page.view["faces"] if each["text"].startswith("flip") and each["text"][5] in "JQK"]
            type_in(page, mines[-1] if mines else lot.choice(page.view["faces"])["text"])
        else:
            kinds = {each.get("kind", "go"): each["text"] for each in reversed(page.view["choices"])}
            page.act(kinds.get("ask") or kinds.get("warn") or page.view["choices"][0]["text"])
        after(ada, page.view["v"])
    assert ada.view["outcome"] and ada.view["mistyped"]
    after(ben, ada.view["v"])
    correct(ben)
    view = after(ben, ben.hear("ack")["v"])
    assert view["outcome"] is None and view["faces"]
    ben.hear("people")
    assert ben.people["seats"][1]["may"], "rights are those of a running game again"


def test_a_draw_that_is_corrected_costs_nobody_the_increment_of_a_turn(live: Live) -> None:
    """A card that ends a turn was taken back by the opponent and turned over again, and the bonus of that turn was gone."""
    table = typed(live, "front_lines", clock={"bank": 600, "increment": 30}).json()
    ada, ben = live.page(table, 0), live.page(table, 1)
    more = 0
    while more < 3:
        after(ben, ada.view["v"])
        before = ada.view["clock"]["left"][0]
        if "faces" not in ben.view:
            view = ada.act(ada.view["choices"][0]["text"]) if "choices" in ada.view else ben.act(ben.view["choices"][0]["text"])
            after(ada, view["v"])
            continue
        shown = ben.view["faces"][0]["text"]
        left = after(ada, type_in(ben, shown)["v"])["clock"]["left"][0]
        if left > before:
            more += 1
            correct(ben)
            view = after(ben, ben.hear("ack")["v"])
            assert view["clock"]["left"][0] == before, "the turn is not over yet"
            assert after(ada, type_in(ben, shown)["v"])["clock"]["left"][0] == left


def test_a_result_that_was_stored_before_a_correction_is_corrected(live: Live) -> None:
    """A typed draw may be corrected after the end; its game counts for no rating, so only the result changes."""
    ada = Person(live, "Ada")
    table = typed(live, "front_lines").json()
    ada.sit(table, 0)
    resigned(live, table, 1)
    query = "select body from result where game = ?"
    wait_for(lambda: live.store.read(query, table["table"]))
    right = live.store.read(query, table["table"])[0][0]
    stale = right.replace('"ended":', '"ended":1')
    asyncio.run_coroutine_threadsafe(
        live.store.write(("update result set body = ? where game = ?", (stale, table["table"]))), live.loop
    ).result(PATIENCE)
    note = live.app.state.people.results.note(live.app.state.manager.repository._open[table["table"]].result())
    asyncio.run_coroutine_threadsafe(note, live.loop).result(PATIENCE)
    assert live.store.read(query, table["table"])[0][0] == right
