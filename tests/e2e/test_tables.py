"""Tables in a real browser: turns by thumb, keyboard, typing and dragging, refusals, and a server that is killed."""

import re
from pathlib import Path
from urllib.parse import urljoin

import apsw
import pytest
from playwright.sync_api import Browser, Page, expect

from bridgehead.client import Host
from e2e.clicker import OFFERED, TOUCH, Clicker
from e2e.conftest import RULES, Opener, Server, come_true, link, set_table, shot
from waiting import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.wide]


@pytest.mark.long
@pytest.mark.parametrize("game", sorted(RULES))
def test_a_busy_table_is_pictured_on_a_desk_and_on_a_phone(game: str, open_page: Opener, server: Server) -> None:
    table = set_table(server, game, ["person"] * RULES[game].get("seats", 2), **RULES[game])
    page = open_page(link(table, 0, 1), color_scheme="light", reduced_motion="no-preference")
    clicker = Clicker(page, seed=5, avoid=("Pass", "End"))
    clicker.until(lambda: clicker.clicks >= 40)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        for device, size in (("busy", {"width": 1280, "height": 800}), ("phone", {"width": 360, "height": 740})):
            page.set_viewport_size(size)
            page.wait_for_timeout(300)  # the pieces are still on their way
            shot(page, f"{game}_{device}_{theme}.png")
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("game", RULES)
def test_a_thumb_plays_on_a_phone_and_is_asked_to_confirm(game: str, open_page: Opener, server: Server) -> None:
    table = set_table(server, game, ["person"] * RULES[game].get("seats", 2), **RULES[game])
    size = {"width": 360, "height": 740, "device_scale_factor": 2}
    page = open_page(link(table, 0, 1), **size, has_touch=True, is_mobile=True, reduced_motion="no-preference")
    expect(page.locator("#stage .can").first).to_be_visible()
    logged = page.locator("#log li").count()
    clicker = Clicker(page, seed=6, prefer=("Confirm",), avoid=("Pass", "End"), finger=True)
    clicker.until(lambda: page.locator("#log li").count() >= logged + 6)
    assert page.locator("#log li").count() >= logged + 4
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_front_lines_stand_upright_on_a_phone_and_lie_down_on_a_desk(open_page: Opener, server: Server) -> None:
    table = set_table(server, "front_lines", seats=2)
    page = open_page(link(table, 0, 1), width=360, height=740)

    def middle(thing: str) -> tuple[float, float]:
        box = page.locator(f'#stage [data-id="{thing}"]').bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    expect(page.locator("#stage .can").first).to_be_visible()
    stage = page.locator("#stage").bounding_box()
    assert stage is not None
    assert 0 < middle("c:a1")[0] < middle("c:b1")[0] < middle("c:d1")[0] < 360
    assert abs(middle("c:a1")[0] - middle("c:a3")[0]) < 1
    assert middle("c:a2")[1] < middle("c:a1")[1] < stage["y"] + stage["height"]
    Clicker(page, seed=2).until(lambda: page.locator("#log li").count() >= 6)
    log = page.locator("#log").inner_text()
    page.set_viewport_size({"width": 740, "height": 360})
    assert middle("c:a2")[1] < middle("c:a1")[1], "it stands beside the choices"
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("#stage svg").first).to_have_attribute("viewBox", re.compile(r"^\S+ \S+ \d{4}"))  # it lies
    assert middle("c:a2")[0] > middle("c:a1")[0] and abs(middle("c:a2")[1] - middle("c:a1")[1]) < 1
    expect(page.locator("#stage .can").first).to_be_visible()
    assert page.locator("#log").inner_text().startswith(log)
    page.goto(f"{server.url}/replay/{table['table']}")
    expect(page.locator("#stage svg [data-id='c:a1']")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("#stage svg").first).to_have_attribute("viewBox", re.compile(r"^\S+ \S+ [1-4]\d\d\b"))  # it stands
    wait_for(lambda: middle("c:a2")[1] < middle("c:a1")[1])  # the lines below the board find their places meanwhile


def test_two_browsers_share_a_table_and_a_reload_finds_it_as_it_was(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    ada = open_page(link(table, 0))
    ben = open_page(link(table, 1))
    watcher = open_page(link(table))
    expect(ben.locator("#say")).to_contain_text("Person 1")
    expect(ada).to_have_title("● Your turn: 40 Bridges · Bridgehead")
    expect(ben).to_have_title("40 Bridges · Bridgehead")
    expect(ada.locator("#icon")).to_have_attribute("href", "/static/favicon-turn.svg")
    expect(ben.locator("#icon")).to_have_attribute("href", "/static/favicon.svg")
    Clicker(ada, seed=1).touch_one(ada.evaluate(OFFERED))
    clickers = {"ada": Clicker(ada, seed=1), "ben": Clicker(ben, seed=2)}
    for turn in range(12):
        mover = clickers["ada" if turn % 2 == 0 else "ben"]
        other = ben if mover.page is ada else ada
        logged = other.evaluate(OFFERED)["log"]
        mover.until(lambda page=mover.page, logged=logged: page.evaluate(OFFERED)["log"] != logged)
        expect(other.locator("#log li")).to_have_count(logged + 1)
        if turn == 5:
            before = ben.locator("#log").inner_text()
            ben.reload()
            expect(ben.locator("#log")).to_have_text(re.compile(re.escape(before.splitlines()[-1])))
            assert ben.locator("#log").inner_text() == before
    expect(watcher.locator("#log li")).to_have_count(ada.locator("#log li").count())
    assert watcher.locator("#stage .can[data-id]").count() == 0
    expect(watcher.locator("#confirm")).to_be_hidden()


def test_a_refused_touch_says_why_and_links_its_clause(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    page = open_page(link(table, 0, 1))
    expect(page.locator("#stage .can").first).to_be_visible()
    touch(page, "f:a1")
    touch(page, "f:e5")
    bubble = page.locator("#why")
    expect(bubble).to_be_visible()
    expect(bubble.locator("a")).to_have_attribute("href", re.compile(r"/rules[/-]forty_bridges.*#FB-"))
    shot(page, "refused.png")
    page.set_viewport_size({"width": 360, "height": 740})
    expect(bubble).to_be_in_viewport(ratio=1)  # it is placed again in the frame after the change
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1280, "height": 800})
    clause = bubble.locator("a").get_attribute("href") or ""
    page.goto(urljoin(page.url, clause))
    expect(page.locator(f"[id='{clause.partition('#')[2]}']")).to_be_visible()


def touch(page: Page, thing: str) -> None:
    """Click the middle of a thing on the board."""
    page.mouse.click(*page.evaluate(TOUCH, ["thing", thing]))


def test_a_whole_turn_is_played_with_the_keyboard_only(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    page = open_page(link(table, 0, 1))
    expect(page.locator("#stage .can[data-id]").first).to_be_visible()
    page.locator("#stage [tabindex='0']").focus()
    for _ in range(3):
        logged = page.locator("#log li").count()
        for _ in range(150):  # presses too soon after a turn are ignored on purpose
            page.keyboard.press("n")
            page.keyboard.press("Enter")
            page.wait_for_timeout(60)
            if page.locator("#log li").count() > logged:
                break
        assert page.locator("#log li").count() > logged
        page.wait_for_timeout(450)


def test_the_keyboard_keeps_its_place_when_the_thing_under_it_moves(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    page, twin = open_page(link(table, 0, 1)), open_page(link(table, 0, 1))
    for each in (page, twin):  # the same two seats, open twice
        expect(each.locator("#stage .can[data-id]").first).to_be_visible()
    page.locator("#stage [data-id='p:0:a2']").focus()
    twin.keyboard.press("/")
    twin.keyboard.type("a2-a3")
    twin.keyboard.press("Enter")
    expect(page.locator("#log li")).to_have_count(1)
    come_true(page, "document.activeElement.dataset.id === 'f:a2'")  # the board is drawn in the frame after the log
    page.keyboard.press("n")
    assert "can" in page.evaluate("document.activeElement.getAttribute('class')")


def test_a_piece_is_dragged_to_its_field(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    page = open_page(link(table, 0, 1))
    expect(page.locator("#stage .can").first).to_be_visible()
    start, end = (page.evaluate(TOUCH, ["thing", field]) for field in ("f:a2", "f:a3"))
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=8)
    page.mouse.up()
    expect(page.locator("#log li")).to_have_count(1)
    expect(page.locator("#log")).to_contain_text("a3")


def test_a_game_is_played_by_typing_its_notation(open_page: Opener, server: Server) -> None:
    table = set_table(server, "forty_bridges")
    page = open_page(link(table, 0, 1))
    expect(page.locator("#stage .can[data-id]").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("a2-a3")
    page.keyboard.press("Enter")
    page.locator("#tab-log").click()
    expect(page.locator("#log li")).to_have_count(1)


def test_an_own_decision_is_undone_but_never_a_die(open_page: Opener, server: Server) -> None:
    table = set_table(server, "burning_bridges", seats=2, firstPlayer="seat0")
    page = open_page(link(table, 0, 1))
    expect(page.locator("#stage .can").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("walk L B0")
    page.keyboard.press("Enter")
    expect(page.locator("#log li")).to_have_count(1)
    expect(page.locator("#undo")).to_be_enabled()
    page.locator("#undo").click()
    expect(page.locator("#log li")).to_have_count(0)
    other = set_table(server, "barricade", seats=2, board="mini")
    page.goto(server.url + link(other, 0, 1))
    expect(page.locator("#log li").first).to_be_visible()
    expect(page.locator("#undo")).to_be_disabled()


# How long the page is asked to wait when it hears a goodbye.
GOODBYE = """(() => {
    const Before = WebSocket;
    window.WebSocket = class extends Before {
        constructor(url) {
            super(url);
            this.addEventListener("message", ({ data }) => {
                if (data.startsWith('{"t":"bye"')) window.bye = JSON.parse(data).retry;
            });
        }
    };
})()"""
# From now on: for how long it sets its alarms after that.
ALARMS = """() => {
    const later = window.setTimeout;
    window.alarms = [];
    window.setTimeout = (work, ms, ...more) => {
        if (window.bye) window.alarms.push(ms);
        return later(work, ms, ...more);
    };
}"""


def test_a_server_killed_and_started_again_goes_on_with_the_game(browser: Browser, tmp_path: Path) -> None:
    own = Server(tmp_path)
    own.start()
    try:
        played = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()  # lost connections are expected
        played.add_init_script(GOODBYE)
        played.goto(own.url + link(set_table(own, "forty_bridges"), 0, 1))
        clicker = Clicker(played, seed=4)
        clicker.until(lambda: played.locator("#log li").count() >= 6)
        before = played.locator("#log").inner_text()
        played.evaluate(ALARMS)
        own.stop(kill=True)
        played.locator("#tab-chat").click()
        played.get_by_label("Write something").fill("Are you there?")
        played.keyboard.press("Enter")
        own.start()
        expect(played.locator("#chat .said")).to_contain_text("Are you there?")
        expect(played.locator("#chat .said")).to_have_count(1)
        played.locator("#tab-log").click()
        expect(played.locator("body")).not_to_have_class(re.compile("offline"))
        assert played.locator("#log").inner_text() == before
        clicker.until(lambda: played.locator("#log li").count() >= 8)
        own.stop()
        come_true(played, "window.alarms.includes(window.bye)")  # it comes back when the server said
        with apsw.Connection(str(tmp_path / "bridgehead.sqlite")) as file:
            file.execute("delete from event where version > 3")  # as if an old copy had been restored
        own.start()
        expect(played.locator("#say")).to_contain_text("an older copy")
        expect(played.locator("#stage .can[data-id]")).to_have_count(0)  # nothing can be touched any more
        shot(played, "behind.png")
        played.set_viewport_size({"width": 360, "height": 740})
        shot(played, "behind_phone.png")
    finally:
        own.stop()


def test_the_log_of_a_long_game_opens_at_its_end(open_page: Opener, server: Server) -> None:
    table = set_table(server, "burning_bridges", ["person"] * 5, seats=5)
    with Host(server.url).join(table["table"], table["tokens"]) as everybody:
        while len(everybody.view["log"]) < 60:
            everybody.play(everybody.choices[0]["action"])
    page = open_page(link(table, 0, 1, 2, 3, 4))
    expect(page.locator("#log li")).to_have_count(len(everybody.view["log"]))
    expect(page.locator("#log li").last).to_be_in_viewport(ratio=1)
    log = "document.querySelector('#log')"
    come_true(page, f"{log}.scrollHeight - {log}.scrollTop - {log}.clientHeight < 2")
