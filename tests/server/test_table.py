"""At a table: saying hello, acting, taking back, asking why, watching."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from server.live import PEOPLE, Live, Page


def test_a_hello_brings_the_whole_view_and_only_its_own_choices(live: Live) -> None:
    table = live.table()
    first, second, watcher = live.page(table, 0), live.page(table, 1), live.page(table)
    for page, you in ((first, [0]), (second, [1]), (watcher, [])):
        view = page.heard[0]
        assert view["v"] == 0 and view["you"] == you and view["actor"] == 0 and view["game"] == "forty_bridges"
        assert view["picture"]["fields"] and view["items"] and view["log"] == [] and view["outcome"] is None
    assert "choices" in first.view
    assert "choices" not in second.view and "choices" not in watcher.view


def test_an_action_is_confirmed_and_everybody_sees_it(live: Live) -> None:
    table = live.table()
    first, second, watcher = live.page(table, 0), live.page(table, 1), live.page(table)
    key = first.send_act(first.action("a2-a3"))
    assert first.hear("ack") == {"t": "ack", "k": key, "v": 1}
    for page in (first, second, watcher):
        page.until(lambda view: view["v"] != 0)
        assert page.view["since"] == 0 and page.view["logFrom"] == 0 and len(page.view["log"]) == 1
        assert page.view["actor"] == 1 and page.view["traces"] and "picture" not in page.view
        assert page.view["last"] == ["f:a2", "f:a3"]
    assert "choices" in second.view and "choices" not in first.view


def test_a_key_sent_again_gets_the_first_answer_and_plays_once(live: Live) -> None:
    table = live.table()
    page = live.page(table, 0, 1)
    action = page.action("a2-a3")
    key = page.send_act(action)
    page.hear("ack")
    page.hear("view")
    page.act(page.view["choices"][0]["text"])
    page.send_act(action, key, version=0)
    assert page.hear("ack") == {"t": "ack", "k": key, "v": 1}
    assert live.page(table).view["v"] == 2


def test_a_key_that_meant_something_else_is_refused(live: Live) -> None:
    table = live.table()
    page, other = live.page(table, 0), live.page(table, 1)
    key = page.send_act(page.action("a2-a3"))
    page.hear("ack")
    page.send_act(page.view["choices"][1]["action"], key, version=1)
    page.refused("bad")
    other.send_act(0, key, version=1)
    other.refused("bad")


def test_two_clicks_at_once_play_one_action(live: Live) -> None:
    table = live.table()
    pages = [live.page(table, 0) for _ in range(4)]
    action = pages[0].action("a2-a3")

    def click(page: Page) -> str:
        page.send_act(action, version=0)
        while (message := page.hear_any())["t"] not in ("ack", "rej"):
            pass
        return str(message["t"] if message["t"] == "ack" else message["code"])

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(click, pages)) == ["ack", "stale", "stale", "stale"]
    assert live.page(table).view["v"] == 1


def test_a_click_on_an_old_view_is_refused_and_the_new_view_follows(live: Live) -> None:
    page = live.page(live.table(), 0, 1)
    page.act("a2-a3")
    page.send_act(page.view["choices"][0]["action"], version=0)
    assert page.refused("stale")["v"] == 1
    assert page.hear("view")["picture"]


def test_nobody_acts_for_another_seat(live: Live) -> None:
    table = live.table()
    first, second, watcher = live.page(table, 0), live.page(table, 1), live.page(table)
    action = first.action("a2-a3")
    for page in (second, watcher):
        page.send_act(action)
        page.refused("turn")
    assert live.page(table).view["v"] == 0


def test_a_token_of_another_table_gives_no_seat(live: Live) -> None:
    table, other = live.table(), live.table()
    for tokens in ([other["tokens"][0]], [table["tokens"][0], "x" * 32]):
        page = Page(live.url)
        page.say(t="hello", p=1, table=table["table"], tokens=tokens)
        assert page.closed() == 1008
        assert page.heard[0]["t"] == "bye" and page.heard[0]["code"] == "token"


def test_an_illegal_action_is_refused_by_clause_and_changes_nothing(live: Live) -> None:
    table = live.table()
    page = live.page(table, 0)
    fields = 41
    page.send_act(0 * fields + 40)  # from the own corner to the far one
    answer = page.refused("illegal")
    assert answer["clause"].startswith("FB-") and answer["text"] and answer["show"]
    page.send_act(2**31 - 1)
    page.refused("bad")
    assert live.page(table).view["v"] == 0


def test_a_hot_seat_holds_several_seats_on_one_socket(live: Live) -> None:
    page = live.page(live.table(), 0, 1)
    for turn in range(6):
        assert page.view["actor"] == turn % 2 and page.view["you"] == [0, 1]
        page.act(page.view["choices"][0]["text"])


def test_an_own_decision_is_taken_back_as_an_event_of_its_own(live: Live) -> None:
    table = live.table("burning_bridges", firstPlayer="seat0")
    page, watcher = live.page(table, 0), live.page(table)
    assert not page.view["undo"]
    before = page.view["items"]
    page.act(next(c["text"] for c in page.view["choices"] if c["text"].startswith("walk")))
    assert page.view["undo"] and page.view["items"] != before
    key = secrets.token_hex(16)
    for _ in range(2):
        page.say(t="undo", k=key, v=1)
        assert page.hear("ack")["v"] == 2
    while page.view["v"] < 2 or watcher.view["v"] < 2:
        (page if page.view["v"] < 2 else watcher).hear("view")
    for view in (page.view, watcher.view):
        assert view["items"] == before and view["log"] == [] and view["logFrom"] == 0 and not view["undo"]


def test_undo_never_crosses_a_die_or_another_seat(live: Live) -> None:
    for table in (live.table("barricade", board="mini"), live.table()):
        page = live.page(table, 0, 1)
        if page.view["game"] == "forty_bridges":
            page.act("a2-a3")
        version = page.view["v"]
        page.say(t="undo", k=secrets.token_hex(16), v=version)
        page.refused("illegal")
        assert live.page(table).view["v"] == version


def test_a_seat_takes_back_only_its_own_decision(live: Live) -> None:
    table = live.table("burning_bridges", firstPlayer="seat0")
    first, second = live.page(table, 0), live.page(table, 1)
    first.act(first.view["choices"][0]["text"])
    second.say(t="undo", k=secrets.token_hex(16), v=1)
    second.refused("turn")


def test_a_decision_and_its_die_come_in_one_view(live: Live) -> None:
    page = live.page(live.table("barricade", board="mini"), 0, 1)
    assert page.view["actor"] >= 0, "chance has dealt before anybody sees the table"
    before = page.view["v"]
    view = page.act(page.view["choices"][0]["text"])
    assert view["since"] == before and view["v"] > before + 1
    assert view["log"][-1]["actor"] == -1 and view["log"][0]["actor"] >= 0
    assert view["logFrom"] + len(view["log"]) == view["v"]


def test_why_names_the_clause_and_what_to_look_at(live: Live) -> None:
    page = live.page(live.table(), 0)
    page.say(t="why", touch=["p:0:a1", "f:e5"], k=secrets.token_hex(16))
    answer = page.hear("why")
    assert answer["clause"].startswith("FB-") and answer["show"] and answer["text"]
    page.say(t="why", touch=["no such thing"], k=secrets.token_hex(16))
    answer = page.hear("why")
    assert answer["clause"] == "" and answer["text"]


def test_each_page_hears_its_own_language(live: Live) -> None:
    table = live.table()
    english, german = live.page(table, 0), live.page(table, 1, lang="de")
    assert english.view["prompt"] != german.view["prompt"]
    german.send_act(0)
    assert german.refused("turn")["text"] == "Du bist nicht am Zug."
    german.say(t="hello", p=1, table=table["table"], tokens=[], lang="en")
    again = german.hear("view")
    assert again["prompt"] == "Black is to move a piece." and again["you"] == [1] and "picture" in again


def test_names_are_cleaned_and_stand_in_sentences(live: Live) -> None:
    seats = [{"kind": "person", "name": "  Ada\u202e\x00 <b>{seat} "}, {"kind": "person"}]
    table = live.table(seats=seats)
    page, watcher = live.page(table, 0), live.page(table)
    assert page.view["names"] == ["Ada <b>{seat}", "B"] and page.view["prompt"] == "Your turn: move a piece."
    assert [seat["name"] for seat in page.view["seats"]] == ["Ada <b>{seat}", "Blue"]
    assert watcher.view["prompt"].startswith("Ada <b>{seat}")


def test_each_reader_gets_a_sentence_of_their_own(live: Live) -> None:
    """The one who acts, those who wait, those who watch, and people who share a screen, for whom everybody is "you"."""
    table = live.table(seats=[{"kind": "person"}, {"kind": "person", "name": "Ben"}])
    pages = [live.page(table, *seats) for seats in ([0], [1], [], [0, 1])]
    told = ["Your turn: move a piece.", "Black is to move a piece.", "Black moves a piece.", "Black moves a piece."]
    assert [page.view["prompt"] for page in pages] == told
    goals = [page.view["goal"]["text"] for page in pages]
    assert goals[0] == "Bring a piece to the far corner e5, or capture all pieces of Blue. Your colour: Black."
    assert (
        "a1" in goals[1] and goals[2] == goals[3] == "Each side wants a piece in the far corner, or all pieces of the other side."
    )
    assert len(pages[0].view["goal"]["short"]) == 5
    pages[0].act("b1-b3")
    for page in pages[1:]:
        page.until(lambda view: view["v"] == pages[0].view["v"])
    lines = ["You jump from b1 to b3", *["Black jumps from b1 to b3"] * 3]
    assert [page.view["log"][-1]["text"] for page in pages] == lines
    assert [page.view["prompt"] for page in pages] == [
        "Ben is to move a piece.", "Your turn: move a piece.", "Ben moves a piece.", "Ben moves a piece.",
    ]  # fmt: skip
    assert "goal" not in pages[0].view  # it came with the first view


def test_touching_a_piece_says_whose_it_is(live: Live) -> None:
    def told(page: Any, *touch: str) -> str:
        page.say(t="why", touch=touch, k=secrets.token_hex(16))
        return page.hear("why")["text"]

    table = live.table(seats=[{"kind": "person"}, {"kind": "person", "name": "Ben"}])
    black, ben = live.page(table, 0), live.page(table, 1)
    assert told(black, "p:1:e5") == "The piece on square e5 belongs to Ben."
    assert told(ben, "p:0:a1") == "Black is to move a piece." and told(ben, "p:1:e5") == told(ben, "p:0:a1")
    assert told(black, "!pass") == "You can move, and therefore must move."


def test_who_is_here_is_told_when_somebody_comes_or_goes(live: Live) -> None:
    table = live.table()
    first = live.page(table, 0)
    assert [seat["here"] for seat in first.view["seats"]] == [True, False]
    second = live.page(table, 1)
    view = first.hear("view")
    assert [seat["here"] for seat in view["seats"]] == [True, True] and view["v"] == view["since"] == 0
    second.socket.close()
    assert [seat["here"] for seat in first.hear("view")["seats"]] == [True, False]


def test_a_finished_game_takes_no_more_actions(live: Live) -> None:
    table = live.table(quietLimit=2)
    page = live.page(table, 0, 1)
    page.act("a2-a3")
    view = page.act(page.view["choices"][0]["text"])
    assert view["outcome"]["reason"] == "quiet" and view["outcome"]["winners"] == [] and view["actor"] == -2
    assert view["prompt"] == view["outcome"]["text"] and "choices" not in view
    page.send_act(0)
    page.refused("closed")
    page.say(t="undo", k=secrets.token_hex(16), v=view["v"])
    page.refused("closed")


@pytest.mark.parametrize("game", ["barricade", "burning_bridges", "forty_bridges", "front_lines"])
def test_every_game_is_played_at_a_table(game: str, live: Live) -> None:
    options = {"board": "mini"} if game == "barricade" else {}
    page = live.page(live.table(game, **options), 0, 1)
    for turn in range(40):
        if page.view["outcome"]:
            break
        before = page.view
        choice = before["choices"][turn * 7 % len(before["choices"])]
        view = page.act(choice["text"])
        assert view["since"] == before["v"] and view["prompt"]
        assert all(set(item) <= ITEM for item in view["items"])
    assert set(page.view) <= VIEW


ITEM = {"id", "x", "y", "parts", "seat", "cls", "label", "at", "r", "z", "glyph", "up"}
VIEW = {
    "t", "v", "since", "table", "game", "title", "rules", "names", "you", "seats", "actor", "prompt", "thinking", "picture",
    "items", "choices", "traces", "last", "log", "logFrom", "undo", "outcome", "buttons", "may", "moved", "mark", "patch", "goal",
    "recent", "ending",
}  # fmt: skip


@pytest.mark.parametrize("game", ["barricade", "burning_bridges", "forty_bridges", "front_lines"])
def test_a_plain_page_is_told_the_same_actions_without_their_words(live: Live, game: str) -> None:
    table = live.table(game)
    whole, plain = live.page(table, 0, 1), live.page(table, 0, 1, plain=True)
    for turn in range(6):
        if turn:
            whole.act(whole.view["choices"][-1]["text"])
            plain.until(lambda view: view["v"] >= whole.view["v"])
        if not whole.view.get("choices"):
            break
        offered = [{"action": choice["action"], "text": choice["text"]} for choice in whole.view["choices"]]
        assert plain.view["choices"] == offered and {"label", "path", "kind"} <= set(whole.view["choices"][0])
        assert plain.view["items"] == whole.view["items"] and plain.view["prompt"] == whole.view["prompt"]
    plain.say(t="hello", p=1, table=table["table"], plain=False)
    assert plain.hear("view").get("choices") == whole.view.get("choices"), "a later hello asks for the words"


@pytest.mark.parametrize("game", ["barricade", "front_lines"])
def test_a_brief_page_is_told_all_that_a_program_needs_and_no_words(live: Live, game: str) -> None:
    table = live.table(game)
    plain, brief = live.page(table, 0, 1, plain=True), live.page(table, 0, 1, brief=True)
    silent = {"rules": "", "prompt": "", "log": [], "last": [], "traces": []}
    for _ in range(4):
        assert {name: brief.view[name] for name in silent} == silent and "buttons" not in brief.view
        assert not any(seat["lines"] for seat in brief.view["seats"])
        same = set(plain.view) - {*silent, "seats", "buttons", "goal"}
        assert {name: brief.view[name] for name in same} == {name: plain.view[name] for name in same}
        assert plain.view["prompt"] and plain.view["seats"][0]["lines"] and plain.view["choices"], (
            "there is something to leave out, and something to do"
        )
        plain.act(plain.view["choices"][-1]["text"])
        brief.until(lambda view: view["v"] >= plain.view["v"])
    brief.say(t="hello", p=1, table=table["table"], plain=True)
    assert brief.hear("view")["log"], "a later hello asks for the words"


def test_no_secret_is_ever_told_or_kept(live: Live) -> None:
    table = live.table("barricade", PEOPLE, board="mini")
    pages = [live.page(table, 0), live.page(table, 1), live.page(table)]
    for _ in range(3):
        page = pages[pages[2].view["actor"]]
        page.until(lambda view: view["v"] >= pages[2].view["v"])
        page.act(page.view["choices"][0]["text"])
        pages[2].hear("view")
    told = str([page.heard for page in pages]) + live.http.get(f"/api/tables/{table['table']}/record").text
    kept = b"".join(file.read_bytes() for file in live.file.parent.glob("bridgehead.sqlite*"))
    for token in table["tokens"]:
        assert len(token) >= 22  # 128 bits and more
        assert token not in told and token.encode() not in kept
    assert "'seed'" not in told
