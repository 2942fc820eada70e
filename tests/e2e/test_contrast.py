"""Contrast, measured on the pixels that Chromium draws: texts on the ground of each game's room, by day and by night; marks."""

import io
import re
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from e2e.conftest import RULES, Opener, Server, link, set_table

pytestmark = [pytest.mark.browser, pytest.mark.wide]
LEAST_OF_TEXTS, LEAST_OF_MARKS = 4.5, 3.0
# Texts in sight that can be used, with their colours and boxes.
TEXTS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement;
    const shown = node.data.trim() && owner.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!shown || owner.closest("svg, .skip, .hidden, [disabled], [aria-disabled=true]")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, top, width, height } of range.getClientRects()) {
      const middle = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!middle || !(owner.contains(middle) || middle.contains(owner)) || width < 2) continue;
      found.push({ text: node.data.trim(), colour: getComputedStyle(owner).color, box: [left, top, left + width, top + height] });
    }
  }
  for (const each of document.querySelectorAll("*")) {
    each.style.setProperty("color", "transparent", "important");
    each.style.setProperty("text-decoration", "none", "important");
  }
  return found;
}"""
# The two tones of each mark: the classes of the things that are drawn, and what of them is painted.
MARKS = {
    "can be touched": (("m-ring", "stroke"), ("m-ring-rim", "stroke")),
    "can go there": (("m-pearl", "fill"), ("m-pearl", "stroke")),
    "can jump there": (("m-open", "stroke"), ("m-open-in", "stroke")),
    "takes": (("m-take", "stroke"), ("m-take-rim", "stroke")),
    "is dangerous": (("m-warn", "fill"), ("m-warn", "stroke")),
    "waits for Confirm": (("m-pend", "stroke"), ("m-pend-rim", "stroke")),
    "went from there": (("m-from-under", "stroke"), ("m-from-edge", "stroke")),
    "went there": (("m-seat-under", "stroke"), ("m-seat-edge", "stroke")),
}
TONES = """(wanted) => wanted.map(([cls, what]) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  document.querySelector(".board .marks").append(node);
  node.setAttribute("class", cls);
  const tone = getComputedStyle(node).getPropertyValue(what);
  node.remove();
  return tone;
})"""
Colour = tuple[int, ...]


def luminance(colour: Colour) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in (c / 255 for c in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def read_colour(text: str) -> Colour:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def table(open_page: Opener, server: Server, game: str, theme: str) -> Page:
    page = open_page(link(set_table(server, game), 0, 1), color_scheme=theme)
    expect(page.locator(".board .can").first).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-game", game)
    return page


def lowest(page: Page) -> list[tuple[float, str]]:
    """The texts of a page with the lowest contrast of each to what is under it, the lowest first."""
    texts: list[dict[str, Any]] = page.evaluate(TEXTS)
    ground: Any = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    found = []
    for each in texts:
        drawn = ground.crop(tuple(round(edge) for edge in each["box"]))
        colours = drawn.getcolors(1 << 20) or []
        found.append((min((contrast(read_colour(each["colour"]), colour) for _, colour in colours), default=21.0), each["text"]))
    return sorted(found)


def test_contrast_is_that_of_wcag() -> None:
    assert round(contrast((0, 0, 0), (255, 255, 255)), 1) == 21 and contrast((9, 9, 9), (9, 9, 9)) == 1
    assert round(contrast((118, 118, 118), (255, 255, 255)), 2) == 4.54


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", RULES)
def test_every_text_of_a_table_stands_out_from_what_is_under_it(game: str, theme: str, open_page: Opener, server: Server) -> None:
    found = lowest(table(open_page, server, game, theme))
    print(game, theme, *(f"{ratio:.2f} {text}" for ratio, text in found[:3]), sep="; ")
    assert len(found) > 15 and found[0][0] >= LEAST_OF_TEXTS, found[:5]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_two_tones_of_every_mark_are_so_far_apart_that_one_stands_out_on_any_ground(
    theme: str, open_page: Opener, server: Server
) -> None:
    page = table(open_page, server, "barricade", theme)
    for meaning, tones in MARKS.items():
        one, other = (read_colour(tone) for tone in page.evaluate(TONES, tones))
        assert contrast(one, other) >= LEAST_OF_MARKS**2, (meaning, one, other)
