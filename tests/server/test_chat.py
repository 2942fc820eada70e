"""Chat, quick reactions and pointing: who hears what, how much, what is kept, and that nothing of it reaches another team."""

import json
import secrets
from pathlib import Path
from typing import Any

import pytest

from bridgehead.core.phrases import catalogue, languages
from bridgehead.server.rooms.chat import KEPT, REACTIONS
from bridgehead.server.tables.names import clean_text
from server.live import Live, Page
from server.test_seats import come, until

FOUR = [{"kind": "person", "name": name} for name in ("Ada", "Ben", "Cleo", "Dan")]
TEAMS = {"teams": "0,2/1,3"}


def speak(page: Page, text: str = "", channel: str = "all", **more: Any) -> dict[str, Any]:
    """Say something and hear the answer."""
    key = secrets.token_hex(16)
    page.say(t="say", k=key, text=text, channel=channel, **more)
    while (told := page.hear_any()).get("k") != key:
        pass
    return told


def heard(page: Page) -> list[dict[str, Any]]:
    """The lines that a page shows."""
    lines: list[dict[str, Any]] = []
    for message in page.heard:
        if message["t"] == "said":
            lines = message["lines"] if message.get("all") else lines + message["lines"]
    return lines


def after(page: Page) -> Page:
    """A page that has heard everything told to it by now."""
    page.say(t="ping", n=1)
    page.hear("pong")
    return page


def test_what_is_said_is_heard_by_all_and_by_those_who_come_later(live: Live) -> None:
    table = live.table()
    ada, ben, watcher = live.page(table, 0), live.page(table, 1), live.page(table)
    assert speak(ada, " Hello \x00\u202e there ")["t"] == "ack"
    assert speak(ben, react="nice")["t"] == "ack"
    for page in (after(ada), after(ben), after(watcher), after(live.page(table))):
        told = [{name: line[name] for name in line if name != "time"} for line in heard(page)]
        assert told == [{"seat": 0, "team": False, "text": "Hello there"}, {"seat": 1, "team": False, "react": "nice"}]
    assert ada.view["v"] == 0, "talk makes no click old"


def test_a_line_is_said_once_however_often_it_is_sent(live: Live) -> None:
    table = live.table()
    ada, ben = live.page(table, 0), live.page(table, 1)
    line: dict[str, Any] = {"t": "say", "k": secrets.token_hex(16), "text": "Hello", "channel": "all"}
    for _ in range(15):  # more than a seat may say in so short a time
        ada.say(**line)
        assert ada.hear("ack")["k"] == line["k"]
    ada.say(**{**line, "text": "Goodbye"})
    ben.say(**line)
    assert ada.hear("rej")["code"] == ben.hear("rej")["code"] == "bad"
    for page in (after(ada), after(ben), after(live.page(table))):
        assert [each["text"] for each in heard(page)] == ["Hello"]


def test_a_team_hears_its_own_and_nobody_else_hears_a_byte_of_it(live: Live) -> None:
    table = live.table("barricade", FOUR, **TEAMS)
    pages = [live.page(table, seat) for seat in range(4)]
    watcher, host = live.page(table), live.page(table, host=True)
    canary = f"canary{secrets.token_hex(8)}"
    quiet = [pages[1], pages[3], watcher, host]
    marks = [len(after(page).heard) for page in quiet]
    assert pages[0].heard and speak(pages[0], canary, "team")["t"] == "ack"
    pages[0].say(t="point", at="f:canary")
    for page in (pages[0], pages[2]):
        assert until(page, lambda it: it.heard[-1]["t"] == "point").heard[-1] == {"t": "point", "seat": 0, "at": "f:canary"}
        assert heard(page)[-1] == {"seat": 0, "team": True, "text": canary, "time": heard(page)[-1]["time"]}
    for page, before in zip(quiet, marks, strict=True):
        assert len(after(page).heard) == before + 1, "not even that something was said"
    for page in (live.page(table, 1), live.page(table, 3), live.page(table), live.page(table, host=True), *quiet):
        assert "canary" not in json.dumps(after(page).heard)
    assert canary in json.dumps(after(live.page(table, 2)).heard)
    for path in ("record", "frames"):
        assert canary not in live.http.get(f"/api/tables/{table['table']}/{path}").text


def test_old_talk_of_one_team_pushes_out_no_other(live: Live) -> None:
    table = live.table("barricade", FOUR, **TEAMS)
    live.app.state.manager.chat.sent._size = 10_000
    try:
        ben, ada = live.page(table, 1), live.page(table, 0)
        speak(ben, "open")
        for number in range(KEPT + 5):
            speak(ada, f"secret {number}", "team")
        late = heard(after(live.page(table, 0)))
        assert len(late) == KEPT and late[-1]["text"] == f"secret {KEPT + 4}"
        assert [line["text"] for line in heard(after(live.page(table, 1)))] == ["open"]
        stored = live.store.read("select count(*) from said where game = ?", table["table"])
        assert stored == [(KEPT + 1,)]
    finally:
        live.app.state.manager.chat.sent._size = 10


def test_without_teams_there_is_no_team_to_speak_to_and_all_see_what_is_shown(live: Live) -> None:
    table = live.table()
    ada, ben, watcher = live.page(table, 0), live.page(table, 1), live.page(table)
    assert speak(ada, "psst", "team")["code"] == "illegal"
    ada.say(t="point", at="f:e5")
    for page in (ben, watcher):
        assert page.hear("point") == {"t": "point", "seat": 0, "at": "f:e5"}
    watcher.say(t="point", at="f:e5")
    watcher.refused("closed")


def test_spectators_read_and_write_only_where_the_host_lets_them(live: Live) -> None:
    table = live.table("barricade", FOUR, **TEAMS)
    ada, watcher = live.page(table, 0, host=True), live.page(table)
    assert speak(watcher, "me too")["code"] == "closed"
    ada.say(t="house", k=secrets.token_hex(16), watchers=True)
    assert until(watcher, lambda it: it.people["write"])
    assert speak(watcher, "me too")["t"] == "ack" and speak(watcher, "psst", "team")["code"] == "illegal"
    assert after(ada) and heard(ada)[-1]["seat"] == -1
    ada.say(t="house", k=secrets.token_hex(16), chat=False)
    until(watcher, lambda it: not it.people["chat"])
    for page in (ada, watcher):
        assert speak(page, "hello?")["code"] == "closed" and not until(page, lambda it: not it.people["write"]).people["write"]
    ada.say(t="point", at="f:a1")
    ada.refused("closed")


def test_who_comes_while_somebody_talks_hears_each_line_once_and_in_order(live: Live) -> None:
    table = live.table()
    live.app.state.manager.chat.sent._size = 10_000
    try:
        ada, late = live.page(table, 0), []
        for number in range(30):
            ada.say(t="say", k=secrets.token_hex(16), text=str(number))
            late.append(live.page(table))
        after(ada)
        for page in [ada, *late]:
            assert [line["text"] for line in heard(after(page))] == [str(number) for number in range(30)]
    finally:
        live.app.state.manager.chat.sent._size = 10


def test_a_flood_of_talk_is_stopped_without_stopping_the_game_and_by_no_second_socket(live: Live) -> None:
    table = live.table()
    ada, twin, ben = live.page(table, 0), live.page(table, 0), live.page(table, 1)
    codes = [speak(page, f"spam {n}").get("code", "said") for n, page in enumerate([ada, twin] * 10)]
    assert codes.count("said") == 10 and set(codes[10:]) == {"rate"}
    assert speak(ben, "and I?")["t"] == "ack"
    assert ada.act("a2-a3")["v"] == 1


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"text": ""}, "bad"), ({"text": " \u202e\u200b\x07 "}, "bad"), ({"text": "x" * 301}, "bad"), ({"react": "shout"}, "bad"),
        ({"text": "x", "react": "nice"}, "bad"), ({"text": "x", "seat": 1}, "bad"), ({"text": "x", "channel": "1"}, "bad"),
        ({"text": "x", "channel": -1}, "bad"), ({"text": 7}, "bad"),
    ],
)  # fmt: skip
def test_what_is_no_talk_is_refused(more: dict[str, Any], code: str, live: Live) -> None:
    page = live.page(live.table(), 0)
    page.say(**{"t": "say", "k": secrets.token_hex(16), **more})
    page.refused(code)


def test_texts_are_composed_and_tamed() -> None:
    assert clean_text("e\u0301\u202e\u2066x\u200b\r\n\ty") == "\u00e9x y"
    assert clean_text("z" + "\u0335" * 50) == "z" + "\u0335" * 3
    assert clean_text("<script>alert(1)</script> & {n}") == "<script>alert(1)</script> & {n}"
    assert len(clean_text("🦊" * 300)) == 300
    assert clean_text("\u200d x\u200dy \u0dc1\u0dca\u200d\u0dbb\u0dd3 \u200c\u200d") == "xy \u0dc1\u0dca\u200d\u0dbb\u0dd3"
    assert clean_text("👩\u200d👧 👩\u200d\u200d👧 👩\u200d") == "👩\u200d👧 👩\u200d👧 👩", "a family is one sign"


def test_what_was_said_survives_the_server(own: Live) -> None:
    table = own.table("barricade", FOUR, **TEAMS)
    ada = own.page(table, 0)
    speak(ada, "all of you")
    speak(ada, "us two", "team")
    before = heard(after(own.page(table, 2)))
    own.restart()
    assert heard(after(own.page(table, 2))) == before and len(before) == 2
    assert [line["text"] for line in heard(after(come(own, table["table"])))] == ["all of you"]


def test_every_quick_reaction_has_words_in_every_language() -> None:
    words = catalogue(Path(__file__).parents[2] / "src/bridgehead/web")
    for language in languages():
        assert {f"react.{each}" for each in REACTIONS} <= words.keys(language)
