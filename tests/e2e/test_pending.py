"""What is about to be done is in sight before it can be confirmed, and a finger finds what it can mean."""

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from bridgehead.core import registry
from e2e.clicker import FRAME, SPOT
from e2e.conftest import HOLD, Opener, Server, link, post_table, set_table, shot
from e2e.test_phone import shown

pytestmark = [pytest.mark.browser, pytest.mark.wide]
PHONES = pytest.mark.parametrize("width", [360, 390])


def phone(width: int, **more: Any) -> dict[str, Any]:
    return {"width": width, "height": {360: 740, 390: 844}[width], "has_touch": True, "is_mobile": True, **more}


# A view in which the only choice leads across the whole board, from a field that is out of sight to another one.
FAR = """() => {
  const view = JSON.parse(window.views.find((each) => each.includes('"picture"')));
  const { picture, items, goal, sealed, recent, ...rest } = view;
  const far = ({ x, y }) => x + y;
  const fields = view.picture.fields.filter(({ label }) => label).sort((one, other) => far(one) - far(other));
  const path = [fields[0].id, fields.at(-1).id];
  const long = { action: 0, label: "far away", text: "far away", path, confirm: "Really so far?" };
  const near = { action: 1, label: "near", text: "near", path: [fields[1].id] };
  const news = { ...rest, v: view.v + 1, moved: view.v + 1, logFrom: view.log.length, log: [], patch: { gone: [], put: [] } };
  window.hear({ data: JSON.stringify({ ...news, choices: [long, near] }) });
  return path;
}"""
VIEWS = f"""{HOLD};
(() => {{
  window.views = [];
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {{
    const found = parse(text, ...more);
    if (found?.t === "view") window.views.push(text);
    return found;
  }};
}})()"""
# Whether the ends were in sight at the moment at which Confirm could be pressed.
SEEN = """(ids) => new Promise((told) => {
  const confirm = document.querySelector("#confirm");
  const lit = () => confirm.checkVisibility() && confirm.ariaDisabled !== "true";
  const look = () => {
    if (!lit()) return;
    observer.disconnect();
    const { left, right, top, bottom } = document.querySelector("#stage svg.board").getBoundingClientRect();
    told(ids.map((id) => {
      const { e, f } = document.querySelector(`#stage [data-id="${id}"]`).getScreenCTM();
      const across = e > Math.max(0, left) && e < Math.min(innerWidth, right);
      return across && f > Math.max(0, top) && f < Math.min(innerHeight, bottom);
    }));
  };
  const observer = new MutationObserver(look);
  observer.observe(document.querySelector(".actions"), { attributes: true, subtree: true, childList: true });
  [...document.querySelectorAll("#list button, #choices button")].find((each) => each.textContent.startsWith("far away")).click();
})"""


@PHONES
def test_what_is_chosen_from_the_list_is_in_sight_before_it_can_be_confirmed(
    width: int, open_page: Opener, server: Server
) -> None:
    page = open_page(link(set_table(server, "barricade", seats=2), 0, 1), script=VIEWS, **phone(width))
    path = page.evaluate(FAR)
    page.get_by_role("tab", name=re.compile("All actions")).tap()
    page.locator("#list button", has_text="far away").scroll_into_view_if_needed()
    assert page.evaluate(SEEN, path) == [True, True]
    shot(page, f"pending_{width}.png")


def from_showpiece(server: Server, seats: int = 5, more: str = "") -> dict[str, Any]:
    """A table that goes on from the position of the pictures in the documents: many bridges, pieces in piles.

    more: further bridges.
    """
    text = (registry.spec("burning_bridges").folder / "showpiece.txt").read_text("utf-8").replace("bridges ", f"bridges {more}")
    board = {"rules": {"seats": seats}, "position": " ".join(text.split())}
    found = httpx.post(f"{server.url}/api/games/burning_bridges/position", json={"board": board}, timeout=60).json()
    names = ("Mia", "Ben", "Zoé", "Karl-Heinz", "Ann")
    persons = [{"kind": "person", "name": name} for name in names[:seats]]
    return post_table(server, "burning_bridges", persons, record=found["link"], at=0)


# By how much what is drawn again for a finger reaches beyond its disc.
BEYOND = """[...document.querySelectorAll('#stage [data-fan]')].map((fan) => {
  const disc = fan.querySelector('.fan').getBoundingClientRect(), drawn = fan.lastChild.getBoundingClientRect();
  return Math.max(drawn.width, drawn.height) / disc.width;
})"""
LIT = "[...document.querySelectorAll('#stage .can[data-id]')].map((node) => node.dataset.id)"


@PHONES
def test_torch_marks_the_bridges_in_their_places_and_a_touch_means_one_or_enlarges(
    width: int, open_page: Opener, server: Server
) -> None:
    page = open_page(link(from_showpiece(server), 0, 1, 2, 3, 4), **phone(width))
    page.locator("#buttons button", has_text="Torch").tap()
    expect(page.locator("#stage .can[data-id^='b:']")).not_to_have_count(0)
    shot(page, f"torch_{width}.png")
    assert all(beyond < 1.5 for beyond in page.evaluate(BEYOND))
    assert torch_each(page), "some lie too close to each other for a finger"


@PHONES
def test_bridges_side_by_side_on_one_line_can_each_be_touched(width: int, open_page: Opener, server: Server) -> None:
    page = open_page(link(from_showpiece(server, more="B1-B2 c 0, B1-B2 d 0, B1-B2 e 0, "), 0, 1, 2, 3, 4), **phone(width))
    page.locator("#buttons button", has_text="Torch").tap()
    expect(page.locator("#stage .can[data-id^='b:B1-B2:']")).to_have_count(4)
    assert torch_each(page) >= 4
    shot(page, f"side_by_side_{width}.png")


@PHONES
def test_no_touch_enlarges_the_board_by_a_little(width: int, open_page: Opener, server: Server) -> None:
    page = open_page(link(from_showpiece(server), 0, 1, 2, 3, 4), **phone(width))
    board = page.locator("#stage svg.board").bounding_box()
    assert board
    for n in range(49):
        page.keyboard.press("Escape")
        page.evaluate(FRAME)
        before = shown(page)[2]
        across, down = (n % 7 + 0.5) / 7, (n // 7 + 0.5) / 7
        page.touchscreen.tap(board["x"] + across * board["width"], board["y"] + down * board["height"])
        page.evaluate(FRAME)
        times = max(before / shown(page)[2], shown(page)[2] / before)
        assert times == 1 or times >= 1.6, (across, down, times)


def torch_each(page: Page) -> int:
    """Touch each bridge that can be torched until it is chosen; how many had to be enlarged."""
    bridges, enlarged = page.evaluate(LIT), 0
    assert len(bridges) > 5
    for bridge in bridges:
        before = shown(page)[2]
        page.evaluate(FRAME)
        page.touchscreen.tap(*page.evaluate(SPOT, bridge))
        page.evaluate(FRAME)
        times = before / shown(page)[2]
        assert times == 1 or times >= 1.6, (bridge, times)
        enlarged += times > 1
        if times > 1:  # the next touch can mean one thing only
            page.touchscreen.tap(*page.evaluate(SPOT, bridge))
        expect(page.locator(f"#stage [data-id='{bridge}'][aria-pressed=true]")).to_have_count(1)
        page.keyboard.press("Escape")
        page.locator("#buttons button", has_text="Torch").tap()
    return enlarged


@PHONES
def test_a_bridge_that_will_be_built_is_seen_before_it_is_confirmed(width: int, open_page: Opener, server: Server) -> None:
    page = open_page(link(set_table(server, "burning_bridges", seats=2), 0, 1), **phone(width))
    page.get_by_role("button", name="M walks to R1", exact=True).tap()
    page.locator("#confirm").tap()
    page.locator("#buttons button", has_text="Build").tap()
    expect(page.locator("#stage .marks .bridge.ghost")).to_be_visible()
    expect(page.locator("#stage [data-id^='b:']")).to_have_count(0)
    shot(page, f"build_{width}.png")
    page.keyboard.press("Escape")
    expect(page.locator("#stage .ghost")).to_have_count(0)
