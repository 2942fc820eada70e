"""The end of a game at its table, by real clicks: the headline, the ranking, the moments with pictures, and what comes next."""

import re

import pytest
from playwright.sync_api import Page, expect

from bridgehead.client import Host
from bridgehead.core import record
from e2e.conftest import PATIENCE, Opener, Server, come_true, link, post_table, shot
from e2e.test_words import letters
from records import recorded

pytestmark = [pytest.mark.browser, pytest.mark.wide]
# Keeps how long each animation takes.
ANIMATED = """() => {
    const animate = Element.prototype.animate;
    window.times = [];
    Element.prototype.animate = function (...how) { window.times.push(how[1].duration); return animate.apply(this, how); };
}"""
# Presses what begins another game as soon as it is there, as the second click of a double click would; the device is slow.
HASTE = """(after) => new MutationObserver(() => {
    if (after.hidden || window.hasty) return;
    window.hasty = Boolean(document.getElementById('rematch'));
    for (const until = performance.now() + 500; !window.hasty && performance.now() < until;);
    if (!window.hasty) return;
    for (const each of after.querySelectorAll('#rematch, [data-t=new_game]')) each.click();
}).observe(after, {childList: true, attributes: true})"""


def on_phones(page: Page) -> None:
    """The analysis on a phone, upright and lying: line and list have room, and a key moment with its picture shows its board."""
    for width, height in ((360, 740), (740, 360)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        moment = page.locator(".study .moment").last
        moment.scroll_into_view_if_needed()
        expect(moment.locator("svg.board .piece").first).to_be_visible()
        line, picture = (page.locator(each).last.bounding_box() for each in (".winline", ".study .moment svg"))
        assert line and line["height"] >= 160 and line["x"] + line["width"] <= width
        assert picture and picture["width"] >= 70
        label = page.locator(".winline text").first.bounding_box()
        assert label and label["height"] >= 11 and label["x"] >= line["x"], "the numbers can be read"
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        moment.click()
        box = page.locator("#stage").bounding_box()
        assert box and box["y"] >= -1 and box["y"] + box["height"] <= height + 1, "the board of the moment is in sight"
        assert page.locator("#scrub").input_value() != "0"


def test_the_end_says_how_it_went_for_me_and_no_button_is_dead(open_page: Opener, server: Server) -> None:
    text = recorded("forty_bridges-2")
    match, _ = record.load(text)
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "computer", "level": "ranger"}]
    table = post_table(server, "forty_bridges", seats, record=text, at=len(match.log) - 1)
    page, watcher = open_page(link(table, 0)), open_page(link(table), width=360, height=740)
    page.locator("#after").evaluate(HASTE)
    page.locator("#tab-all").click()
    page.locator("#typed").fill(match.positions[-2].name(match.log[-1].action))
    page.locator("#typed").press("Enter")
    expect(page.locator("#say")).to_contain_text("You won.")
    expect(page.locator("main.won")).to_be_visible()
    assert come_true(page, "window.hasty")
    assert letters(page) == letters(watcher) == []
    expect(page.locator("#log")).to_be_visible()
    expect(page.locator(".moments")).to_be_visible()
    dead = "[...document.querySelectorAll('button:disabled')].filter((each) => each.checkVisibility()).map((each) => each.id)"
    assert page.evaluate(dead) == []
    expect(page.locator("#undo")).to_be_hidden()
    places = page.locator("#seats li")
    expect(places.filter(has_text="first")).to_contain_text("won in turn")
    expect(places.filter(has_text="second")).to_contain_text("4 steps from the corner, 2 pieces left")
    for name in ("Easier", "Harder", "Rematch"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    expect(watcher.locator("#say")).to_contain_text("Ada wins. Blue: 4 steps from the corner")
    assert watcher.evaluate("document.documentElement.scrollWidth") <= 360
    expect(watcher.get_by_role("button", name="Find the key moments")).to_be_visible()

    moments = page.locator(".moment")
    expect(moments).to_have_count(3, timeout=PATIENCE)
    expect(moments.locator("svg.board .piece").first).to_be_visible()
    shot(page, "end.png")
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    shot(page, "end_phone.png", full_page=True)
    at = re.search(r"at=(\d+)", moments.first.get_attribute("href") or "")
    moments.first.click()
    expect(page.locator("#scrub")).to_have_value(at[1] if at else "")
    page.go_back()
    page.get_by_role("link", name="Analyse").click()
    expect(page.locator(".winline")).to_be_visible(timeout=PATIENCE)
    assert letters(page) == []
    shot(page, "study_phone.png", full_page=True)
    on_phones(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    line, moments = (page.locator(each).bounding_box() for each in (".winline", ".study .moments"))
    assert line and moments and line["height"] >= 160 and moments["height"] >= 160, "the line and its list both have room"
    assert moments["y"] + 160 <= 800, "without scrolling"
    shot(page, "study.png")
    page.go_back()
    page.get_by_role("link", name="New game").click()
    expect(page.locator("#seats select").nth(1)).to_have_value("ranger")
    page.go_back()
    page.get_by_role("button", name="Easier").click()
    expect(page).to_have_url(re.compile(rf"/t/(?!{table['table']})[A-Z]+"))
    expect(page.locator("#seats")).to_contain_text("computer", ignore_case=True)


# Stops what moves along the winning way as it begins, so that a slow machine sees it, too.
HELD = """() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const made = animate.apply(this, how);
    if (how[1].duration === 1500 || this.matches(".won-leg")) made.pause();
    return made;
  };
}"""
# What moves along the winning way: the piece's time and hops, and the legs that appear.
WINNING = """() => {
  const [board] = document.querySelectorAll("#stage .board");
  const moving = board.getAnimations({ subtree: true }).map(({ effect }) => [effect.target, effect]);
  const pieces = moving.filter(([each]) => each.dataset.id);
  const piece = pieces.map(([each, effect]) => [each.dataset.id, effect.getTiming().duration]);
  const legs = moving.filter(([each]) => each.matches(".won-leg")).length;
  return piece.some(([, time]) => time === 1500) && { piece, legs };
}"""


@pytest.mark.parametrize(
    ("name", "legs", "piece"),
    [
        ("barricade-2", 24, "p:b:e10"),
        ("burning_bridges-1", 6, "p:aL"),
        ("forty_bridges-2", 8, "p:0:e5"),
        ("front_lines-3", 13, "p:D"),
    ],
)
def test_the_winning_way_is_drawn_and_its_piece_hops_along_it_once(
    name: str, legs: int, piece: str, open_page: Opener, server: Server
) -> None:
    text = recorded(name)
    match, _ = record.load(text)
    seats = [{"kind": "person", "name": f"Person {i}"} for i in range(match.game.seats)]
    table = post_table(server, name.split("-")[0], seats, record=text, at=len(match.log) - 1)
    winner = match.log[-1].actor
    (loser, *_) = {*range(match.game.seats)} - {*(match.outcome.winners if match.outcome else ())}
    page, calm = open_page(link(table, winner), reduced_motion="no-preference"), open_page(link(table, winner))
    lost = open_page(link(table, loser), reduced_motion="no-preference")
    lost.evaluate(ANIMATED)
    page.evaluate(HELD)
    with Host(server.url).join(table["table"], [table["tokens"][winner]]) as me:
        me.play(match.log[-1].action)
    found = come_true(page, f"({WINNING})()")
    assert found == {"piece": [[piece, 1500]], "legs": legs}
    page.locator("#stage").dispatch_event("pointerdown")
    assert not page.evaluate(f"({WINNING})()"), "a press ends it"
    drawn = "document.querySelectorAll('#stage .won-leg').length"
    for each in (page, calm, lost):
        come_true(each, f"{drawn} === {legs}")
    assert all(time < 400 for time in lost.evaluate("window.times")), "quiet for the loser"
    assert calm.evaluate("document.querySelector('#stage .board').getAnimations({ subtree: true }).length") == 0
    page.reload()
    come_true(page, f"{drawn} === {legs}")
    page.wait_for_timeout(500)
    assert page.evaluate("document.querySelector('#stage').getAnimations({ subtree: true }).length") == 0, "not again"


def test_a_resigned_game_names_that_first_and_shows_no_moment_of_what_was_not_played(open_page: Opener, server: Server) -> None:
    table = post_table(server, "forty_bridges", [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Mia"}])
    page = open_page(link(table, 0))
    study = {  # the last chance is that of the end
        "line": [[0.5, 0.5], [1.0, 0.0]], "moments": [{"at": 0, "turn": 1, "text": "a step", "why": "a mistake"}],
        "seats": [{"luck": 0, "lost": 0.14}] * 2, "steps": [], "words": {"moments.none": "No moment."},
    }  # fmt: skip
    page.route(re.compile(r"/api/analyses$"), lambda route: route.fulfill(json={"key": "k"}))
    page.route(re.compile(r"/api/analyses/k"), lambda route: route.fulfill(json=study))
    with Host(server.url).join(table["table"], [table["tokens"][0]]) as ada:
        ada.play(ada.choices[0]["action"])
    with Host(server.url).join(table["table"], [table["tokens"][1]]) as mia:
        mia.ask("resign")
    expect(page.locator(".moments > :first-child")).to_have_text("Mia has resigned. Ada wins.")
    expect(page.locator(".moments")).to_contain_text("No moment", timeout=PATIENCE)
    expect(page.locator(".moment")).to_have_count(0)
    expect(page.locator(".moments")).not_to_contain_text("given away")
    shot(page, "end_resigned.png")
