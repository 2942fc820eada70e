"""Pictures of positions as files, which other programs open, and films of some turns."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from bridgehead.core import link, record
from e2e.conftest import Opener, come_true, shot
from records import recorded

pytestmark = [pytest.mark.browser, pytest.mark.wide]
SVG = "{http://www.w3.org/2000/svg}"


def saved(page: Page, button: str, file: Path) -> Path:
    """The file that a button gives."""
    with page.expect_download() as found:
        page.get_by_role("button", name=button).click()
    found.value.save_as(file)
    return file


def opened(open_page: Opener, name: str, at: int, **how: bool) -> Page:
    text = recorded(name)
    page = open_page(f"/replay?at={at}#g={link.pack(*record.load(text))}", **how)
    expect(page.locator("#scrub")).to_have_value(str(at))
    page.locator("#picture").click()
    expect(page.get_by_role("dialog", name="Picture")).to_be_visible()
    return page


@pytest.mark.parametrize("name", ["barricade-1", "burning_bridges-3", "forty_bridges-1", "front_lines-5"])
def test_a_picture_needs_no_style_sheet_and_no_symbol_of_the_page(name: str, open_page: Opener, tmp_path: Path) -> None:
    page = opened(open_page, name, 9)
    root = ElementTree.parse(saved(page, "Save as SVG", tmp_path / "board.svg")).getroot()
    kinds = {node.tag.removeprefix(SVG) for node in root.iter()}
    shades = {"defs", "linearGradient", "radialGradient", "stop"}
    assert kinds <= {"svg", "rect", "g", "path", "text", "circle", "ellipse", *shades} and "path" in kinds
    assert all(each.get("stop-color", "").startswith("rgb(") for each in root.iter(f"{SVG}stop"))
    named = {match for node in root.iter() for match in re.findall(r'url\("#([^"]+)"\)', " ".join(node.attrib.values()))}
    assert named and named == {each.get("id") for each in root.iterfind(f"{SVG}defs/*")}, "it has the gradients that it names"
    drawn = [node for node in root.iter() if node.tag != f"{SVG}svg"][1:]
    assert all(node.get("fill") and node.get("stroke") and not node.get("class") for node in drawn)
    image: Any = Image.open(saved(page, "Save as PNG", tmp_path / "board.png"))
    assert image.format == "PNG" and image.width == 1200
    come_true(page, "(({ complete, naturalWidth }) => complete && naturalWidth > 300)(document.querySelector('.pictured'))")
    colours = {colour[:3] for _, colour in image.convert("RGB").getcolors(1 << 22)}
    own = {
        tuple(int(node.get("fill")[4:-1].split(", ")[i]) for i in range(3)) for node in drawn if "rgb(" in node.get("fill", "")
    }
    assert len(own & colours) > 4, "the picture is drawn in its colours"
    shot(page, f"picture-{name}.png")


def test_a_film_of_some_turns_is_made_and_one_that_cannot_be_is_refused(open_page: Opener, tmp_path: Path) -> None:
    page = opened(open_page, "forty_bridges-1", 20, expect_errors=True)
    expect(page.get_by_label("From turn")).to_have_value("1")  # the whole game
    expect(page.get_by_label("to turn")).to_have_value(page.get_by_label("to turn").get_attribute("max") or "")
    page.get_by_label("From turn").fill("18")
    page.get_by_label("to turn").fill("20")
    page.evaluate(
        "new MutationObserver(([each]) => { window.seen ||= each.addedNodes[0]?.localName; })"
        ".observe(document.querySelector('form.film'), {childList: true})"
    )
    film: Any = Image.open(saved(page, "Make the film", tmp_path / "film.gif"))
    assert film.format == "GIF" and film.n_frames == 4
    assert page.evaluate("window.seen") == "progress"
    expect(page.locator("form.film progress")).to_have_count(0)
    expect(page.locator(".pictured")).to_have_js_property("naturalWidth", 480)
    shot(page, "film.png")
    page.get_by_label("to turn").fill("5")
    page.get_by_role("button", name="Make the film").click()
    expect(page.get_by_role("alert")).to_contain_text("not 18 to 5")


def test_a_position_that_was_set_up_has_a_picture(open_page: Opener, tmp_path: Path) -> None:
    page = open_page("/position/barricade")
    page.locator("#picture").click()
    root = ElementTree.parse(saved(page, "Save as SVG", tmp_path / "board.svg")).getroot()
    assert len(root) > 100 and page.get_by_role("button", name="Make the film").count() == 0
