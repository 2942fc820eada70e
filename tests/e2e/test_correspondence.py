"""Games by days in the browser: set up, my games, days off, conditional moves."""

import contextlib
import hmac
import time
from typing import Any

import apsw
import pytest
from playwright.sync_api import Page, Route, expect

from bridgehead.server.storage.sqlite import FILE
from e2e.axe import check
from e2e.conftest import Opener, Server, link, post_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
NAMED: list[dict[str, Any]] = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}]


def slow(server: Server, game: str = "forty_bridges", days: int = 3) -> dict[str, Any]:
    options = {} if game == "forty_bridges" else {"seats": 2}
    return post_table(server, game, NAMED, clock={"days": days}, options=options, seed=11)


def remembered(page: Page, table: dict[str, Any], seat: int) -> None:
    """Open a table, so that the browser remembers it."""
    page.goto("about:blank", wait_until="commit")
    page.goto(page.base + link(table, seat))  # type: ignore[attr-defined]
    expect(page.locator("#seats .clock.slow").first).to_be_attached()


@pytest.fixture
def opened(open_page: Opener, server: Server) -> Opener:
    def opener(path: str = "/", **settings: Any) -> Page:
        page = open_page(path, **settings)
        page.base = server.url  # type: ignore[attr-defined]
        return page

    return opener


def test_a_table_by_days_is_set_up_on_its_page(open_page: Opener) -> None:
    page = open_page("/new/forty_bridges?mode=here")
    page.locator("#options-all > summary").click()
    page.locator("#clock-kind").select_option("days")
    expect(page.locator("#clock-help")).to_contain_text("a computer plays on")
    expect(page.locator("#clock-bank")).to_be_hidden()
    page.locator("#clock-days").select_option("7")
    shot(page, "new_days.png")
    page.locator("#start").click()
    expect(page.locator("#seats li").first).to_contain_text("6 days 23 hours")


def test_my_games_has_what_waits_for_me_first_and_days_off_are_seen_by_the_others(opened: Opener, server: Server) -> None:
    long, short, theirs = slow(server, days=14), slow(server, days=1), slow(server, "burning_bridges")
    ben = opened("/")
    for table, seat in ((long, 1), (short, 1), (theirs, 0)):
        remembered(ben, table, seat)
    ada = opened("/games", width=360, height=740)
    expect(ada.locator("#nobody")).to_be_visible()
    for table, seat in ((long, 0), (short, 0), (theirs, 1)):
        remembered(ada, table, seat)
    ada.goto(server.url + "/games")
    turns, waiting = ada.locator("#my-turns li"), ada.locator("#my-waiting li")
    expect(turns.or_(waiting)).to_have_count(3)
    expect(turns.first).to_contain_text("40 Bridges with Ben")
    expect(turns.first).to_contain_text("You have 23 hours 59 minutes left.")
    assert ada.evaluate("document.documentElement.scrollWidth") <= 360
    shot(ada, "games_phone.png", full_page=True)
    expect(ada).to_have_title("● 2 · My games · Bridgehead")
    ada.locator("#off-days").fill("40")
    ada.locator("#off-take").click()
    expect(ada.locator("#off-error")).to_have_text("a number of days from 1 to 28")
    ada.locator("#off-days").fill("5")
    ada.locator("#off-take").click()
    expect(ada.locator("#off-now")).to_have_text("You have days off for 4 days 23 hours more.")
    remembered(ben, short, 1)
    expect(ben.locator("#seats li").first).to_contain_text("off for 4 days 23 hours")
    ada.locator("#off-back").click()
    expect(ada.locator("#off-now")).to_have_text("Days off left this year: 27")
    turns.first.locator("a").click()
    expect(ada.locator("#seats li").first).to_contain_text("23 hours 59 minutes")


def test_conditional_moves_are_made_on_the_analysis_board_and_played_at_once(opened: Opener, server: Server) -> None:
    table = slow(server)
    ada, ben = opened("/"), opened("/", expect_errors=True)  # Ben is refused once
    remembered(ben, table, 1)
    remembered(ada, table, 0)
    late: list[Route] = []
    ben.route("**/static/table/correspondence.js", lambda route: late.append(route), times=1)
    ben.reload()
    expect(ben.locator("#chat form")).to_be_attached()  # the link is no part of the chat, which has come first
    while not late:
        ben.wait_for_timeout(20)
    late[0].continue_()
    ben.get_by_role("link", name="Conditional moves").click()
    panel = ben.locator(".plans")
    expect(panel).to_contain_text("None are kept now.")
    panel.get_by_role("button", name="Keep").click()
    expect(panel.locator(".problem")).to_contain_text("No variation goes on from the present position")
    place = ben.locator("#tree [aria-current]")
    for before, after in (("0", "1"), ("1", "2")):  # any move of Black, and any answer of Blue
        expect(place).to_have_attribute("data-path", before)
        ben.locator("#stage .can[data-id^='p:']").first.click()
        ben.locator("#stage .can[data-id^='f:']").first.click()
        expect(place).to_have_attribute("data-path", after)  # until then the targets of the move before are lit
    panel.get_by_role("button", name="Keep").click()
    expect(panel.locator("[role=status]")).to_have_text("Conditional moves kept: 1")
    line = (panel.locator("li").inner_text()).split()
    shot(ben, "plans.png")
    panel.get_by_role("link", name="Back to the table").click()
    expect(ben.locator(".beside")).to_contain_text("Conditional moves kept: 1")
    expect(ada.locator(".beside")).not_to_contain_text("kept")
    ada.keyboard.press("/")
    ada.keyboard.type(line[0])
    ada.keyboard.press("Enter")
    expect(ada.locator("#log li")).to_have_count(2)
    expect(ada.locator("#say")).to_contain_text("Your turn")
    expect(ben.locator("#log li")).to_have_count(2)


def test_agreeing_to_mail_takes_a_press_on_the_page(open_page: Any, server: Any) -> None:
    file = server.data / FILE
    with contextlib.closing(apsw.Connection(str(file))) as store:
        store.set_busy_timeout(60_000)
        store.execute("insert into reminder values ('R1', 'mail', 'ada@club.example', 'en', 0, 0, ?, '')", (time.time(),))
        key = file.with_suffix(".key").read_bytes()
        proof = hmac.new(key, b"bridgehead reminder R1", "sha256").hexdigest()[:32]
        page = open_page(f"/reminder/on/R1.{proof}")
        check(page, "a question about mail")
        shot(page, "mail_agreement.png")
        asked = "select confirmed from reminder where id = 'R1'"
        assert store.execute(asked).fetchone() == (0,)
        page.get_by_role("button", name="Yes, remind me").click()
        expect(page.locator("main")).to_contain_text("Reminders by mail are on")
        assert store.execute(asked).fetchone() == (1,)
        page.goto(server.url + "/reminder/off/R1")
        page.get_by_role("button", name="End the reminders").click()
        expect(page.locator("main")).to_contain_text("the address is forgotten")
        assert store.execute(asked).fetchone() is None
