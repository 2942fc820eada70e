"""A study of house rules in the browser: begun beside them, left alone, gone on with, and its report among the kept ones."""

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bridgehead.server.http import reports
from bridgehead.server.jobs.worker_pool import WorkerPool
from bridgehead.workshop.lab import quick
from bridgehead.workshop.lab.plan import Duel
from e2e.conftest import shot
from server.live import PATIENCE, ROOMY, Live
from server.test_reports import plan_here

pytestmark = [pytest.mark.browser, pytest.mark.wide]
SLOW = 4_000 * PATIENCE  # ms for a worker that has to start, on a machine that does much else
DATE = "made => new Date(1000 * made).toLocaleDateString(document.documentElement.lang, { dateStyle: 'medium' })"
GAMES = 6 + 2 + 2  # of the study below: random, greedy, and a set of two


class Steps(WorkerPool):
    """A worker that compiles nothing and takes each step of a study only when the test lets it."""

    let = threading.Semaphore(0)

    def __init__(self, count: int, deadline: float, compiled: bool = False) -> None:
        super().__init__(count, deadline)

    async def ask(self, *told: Any, **more: Any) -> Any:
        await asyncio.to_thread(self.let.acquire)
        return await super().ask(*told, **more)


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    """A server in this process, whose studies are small."""
    monkeypatch.setattr(Steps, "let", threading.Semaphore(0))
    monkeypatch.setattr(reports, "WorkerPool", lambda count, deadline, compiled: Steps(count, deadline))
    monkeypatch.setattr(reports, "EACH", 0.0)
    monkeypatch.setattr(reports, "HANDS", 1)
    monkeypatch.setattr(quick, "STRENGTHS", (("random", 6), ("greedy", 2)))
    monkeypatch.setattr(quick, "DUEL", Duel("greedy", "random", 1))
    monkeypatch.setattr(quick, "LOOKS", 0)
    monkeypatch.setattr(quick, "READINGS", 1)
    own = Live(tmp_path_factory.mktemp("data"), ROOMY._replace(labs=10_000))
    plan_here(own, monkeypatch)
    yield own
    Steps.let.release(1000)
    own.stop()


def until(so: Callable[[], bool]) -> None:
    """Wait for what no page shows."""
    end = time.monotonic() + 4 * PATIENCE
    while not so():
        assert time.monotonic() < end
        time.sleep(0.05)


def begin(page: Page) -> None:
    page.locator("#options-all > summary").click()
    page.locator("#fair").click()
    expect(page.locator("#fairness [role=status]")).to_be_visible()


def fits(page: Page) -> bool:
    """Nothing hangs over the side."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_study_grows_is_left_and_gone_on_with_and_its_report_is_listed(
    open_page: Callable[..., Page], server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    labs = server.app.state.labs
    page = open_page("/lab", width=360, height=740)
    expect(page.locator("#nothing")).to_be_visible()
    page.goto(server.url + "/new/forty_bridges")
    begin(page)
    bar, lights = page.locator("#fairness progress"), page.locator("#fairness .light")
    expect(bar).to_have_js_property("value", 0)
    said = page.locator("#fairness [role=status]")
    Steps.let.release()  # games of the first players alone: nothing to tell
    until(lambda: any(each.far.done for each in labs.going.values()))
    for _ in range(2):  # the page asks and hears of it
        with page.expect_response("**/api/labs/*"):
            pass
    expect(said).to_have_text("Getting ready …")
    expect(lights).to_have_count(0)
    Steps.let.release()
    expect(lights).to_have_count(12, timeout=SLOW)
    expect(said).to_have_text(re.compile(r"Results so far: \d+ of 12 questions answered"))
    expect(page.locator("#fairness .light.unknown b").first).to_have_text("still playing")
    assert 0 < bar.evaluate("bar => bar.value") < 1 and fits(page)
    bar.scroll_into_view_if_needed()
    shot(page, "lab_growing_phone.png")

    page.goto(server.url + "/lab")
    (folder,) = labs.folder.iterdir()
    played = {each: each.stat().st_mtime_ns for each in (folder / "parts").glob("*.npy")}
    assert len(played) == 2
    monkeypatch.setattr(reports, "UNWANTED", -1.0)
    Steps.let.release()  # after the third it sees that nobody asks
    until(lambda: not labs.going)
    monkeypatch.setattr(reports, "UNWANTED", 600.0)
    assert not labs.reports() and len(list((folder / "parts").glob("*.npy"))) == 3

    page.goto(server.url + "/new/forty_bridges")
    begin(page)
    Steps.let.release()
    expect(lights).to_have_count(12, timeout=SLOW)
    assert all(each.stat().st_mtime_ns == made for each, made in played.items()), "what was played stays"
    assert len(list((folder / "parts").glob("*.npy"))) == 4
    Steps.let.release(1000)
    expect(page.get_by_role("link", name="Read the report")).to_be_visible(timeout=SLOW)
    assert fits(page)
    lights.last.scroll_into_view_if_needed()
    shot(page, "lab_done_phone.png")

    page.get_by_role("link", name="Fairness reports").click()
    listed = page.locator("#reports > li")
    expect(listed).to_have_count(1)
    expect(listed.get_by_role("heading")).to_have_text("40 Bridges")
    date = page.evaluate(DATE, labs.reports()[0].made)
    expect(listed).to_contain_text(f"{GAMES} games, {date}")
    assert fits(page)
    shot(page, "lab_list_phone.png")
    listed.locator("summary").click()
    expect(listed.locator(".light")).to_have_count(12)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert fits(page)
    shot(page, "lab_list_wide.png")

    listed.get_by_role("link", name="Read the report").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("40 Bridges")
    assert fits(page)
    shot(page, "lab_report_wide.png")


def test_what_a_minute_leaves_open_is_found_out_in_the_background(
    open_page: Callable[..., Page], server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    labs = server.app.state.labs
    page = open_page("/lab", width=390, height=844)
    page.goto(server.url + "/new/forty_bridges")
    begin(page)
    Steps.let.release(1000)
    more = page.get_by_role("button", name="Find out the rest in the background")
    expect(more).to_be_visible(timeout=SLOW)
    assert any(each.light == "unknown" for each in labs.reports()[0].lights) and fits(page)
    more.scroll_into_view_if_needed()
    shot(page, "lab_more_phone.png")
    monkeypatch.setattr(reports, "UNWANTED", -1.0)  # nobody has to ask for it
    with page.expect_request("**/api/labs") as sent:
        more.click()
    assert sent.value.post_data_json["patient"] is True
    expect(page.locator("#fairness")).to_contain_text("You may close this page")
    page.goto(server.url + "/lab")
    until(lambda: len(labs.reports()) == 2)
    page.reload()
    expect(page.locator("#reports > li")).to_have_count(2)

    # Every report goes on: more games in the background, with a bar, until the study is as long as studies get.
    for longer in (2, 3):
        monkeypatch.setattr(Steps, "let", threading.Semaphore(0))
        page.locator("#reports > li").first.get_by_role("link", name="Read the report").click()
        shot(page, f"lab_report_more_{longer}.png")
        page.get_by_role("link", name="Play more games").click()
        expect(page.locator("#reports > li").first.get_by_role("button", name="Play more games")).to_be_focused()
        page.keyboard.press("Enter")
        bar = page.locator("#reports > li progress")
        expect(bar).to_be_visible()
        page.reload()
        expect(bar).to_be_visible()
        shot(page, "lab_going_phone.png")
        assert fits(page)
        Steps.let.release(100_000)
        until(lambda wanted=1 + longer: len(labs.reports()) == wanted)
        expect(bar).to_have_count(0, timeout=SLOW)
        expect(page.locator("#reports > li")).to_have_count(1 + longer)
        assert [each.longer for each in labs.reports()][0] == longer
    expect(page.locator("#reports > li").first.get_by_role("button", name="Play more games")).to_have_count(0)
    longest = labs.reports()[0].key
    refused = page.request.post(server.url + "/api/labs/more", data={"key": longest}, headers={"accept-language": "de"})
    assert refused.status == 409 and "so lang" in refused.json()["error"]

    page.locator("#reports > li").first.get_by_role("link", name="Read the report").click()
    expect(page.locator("h1 + .verdict")).to_be_visible()
    expect(page.get_by_role("link", name="Play more games")).to_have_count(0)  # it is as long as studies get
    expect(page.locator(".lights summary .light")).to_have_count(12)
    expect(page.get_by_text("Does skill change who is favoured?")).to_be_visible()
    expect(page.locator("table:visible .n")).to_have_count(0)  # figures come behind a press
    assert fits(page)
    shot(page, "lab_report_phone.png")
    page.locator(".lights summary").nth(1).click()
    expect(page.locator(".lights table").nth(1)).to_be_visible()
    assert fits(page)
    page.get_by_text("The answers with their figures").click()
    expect(page.locator(".plots svg").first).to_be_visible()
    page.get_by_role("link", name="All fairness reports").click()
    expect(page.locator("#reports > li")).to_have_count(4)
    page.get_by_role("link", name="Bridgehead").first.click()
    expect(page.locator("article.game").first).to_be_visible()
