"""The form of a new table: house rules are pictures and words to press, in the reader's language, and never raw values."""

import json
import re

import pytest
from playwright.sync_api import expect

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.descriptions import about
from bridgehead.core.phrases import languages
from e2e.conftest import RULES, Opener, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
RAW = re.compile(r"true|false|null|none|[a-z]+[A-Z0-9]\w*|-?\d+")  # as programs write values
# The values to press in each row with their words, and the names of the rows with a field for any text.
FORM = """() => {
  const rows = [...document.querySelectorAll('#form [data-name]')];
  const words = (radio) => radio.labels[0].lastElementChild.textContent.trim();
  const pressed = (row) => [...row.querySelectorAll('[type=radio]')].map((each) => [each.value, words(each)]);
  return {
    rows: Object.fromEntries(rows.map((row) => [row.dataset.name, pressed(row)])),
    texts: rows.filter((row) => row.querySelector('.value[data-text]')).map((row) => row.dataset.name),
    lists: rows.flatMap((row) => [...row.querySelectorAll('select')]).length,
    fields: rows.flatMap((row) => [...row.querySelectorAll('.value')].map((each) => each.value)).filter(Boolean),
  };
}"""


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("game", RULES)
def test_no_house_rule_shows_a_raw_value_and_no_list_of_values_is_a_field_to_type_in(
    game: str, locale: str, open_page: Opener
) -> None:
    page = open_page(f"/new/{game}", 390, 844, locale=locale)
    form = page.evaluate(FORM)
    spec = registry.spec(game)
    words, controls = about(spec, locale), house.list_controls(spec)
    assert form["lists"] == 0 and set(form["rows"]) == controls.keys() - {"seats"}
    for name, shown in form["rows"].items():
        assert [json.loads(value) for value, _ in shown] == list(controls[name].values)
        for value, text in shown:
            assert text == words.value(name, json.loads(value)) and not (RAW.fullmatch(text) and text != "none"), (name, text)
            assert text != "none" or words.text(name).count(" ") > 2  # a word of the game, not a program's
    kinds = house.kinds(spec)
    assert set(form["texts"]) == {name for name in form["rows"] if str in kinds[name]}
    assert all(re.fullmatch(r"\d+", each) for each in form["fields"])
    expect(page.locator("#differences")).not_to_contain_text(re.compile("true|false|null"))


def test_a_board_is_a_picture_to_press_and_has_its_number_of_seats(open_page: Opener) -> None:
    page = open_page("/new/barricade", 390, 844)
    boards, count = page.locator(".boards label[data-most]"), page.locator("#count")
    expect(boards).to_have_count(3)
    for board in boards.all():
        expect(board.locator("svg.board")).to_be_visible()
    expect(count).to_have_value("4")
    boards.nth(1).click()
    expect(count).to_have_value("2")
    expect(page.locator("#seats li")).to_have_count(2)
    expect(page.locator("#differences")).to_have_text("Different from the standard: Board: mini")
    expect(page.locator("#options-all")).not_to_have_attribute("open", "")
    shot(page, "form_boards.png", full_page=True)
    count.select_option("5")
    expect(boards.nth(2).get_by_role("radio")).to_be_checked()
    expect(page.locator("#error")).to_be_hidden()
    with page.expect_request("**/api/tables") as sent:
        page.locator("#start").click()
    assert sent.value.post_data_json["options"] == {"board": "six", "seats": 5}


def test_a_number_is_pressed_up_and_down_and_no_limit_is_a_word(open_page: Opener) -> None:
    page = open_page("/new/burning_bridges", 390, 844)
    page.locator("#options-all > summary").click()
    page.locator("#more > summary").click()
    row = page.locator("[data-name=maxBridgesPerFamily]")
    limit, field = row.get_by_label("no limit"), row.locator(".value")
    expect(limit).to_be_checked()
    for name, number in (("More", "2"), ("More", "3"), ("Fewer", "2"), ("Fewer", "1"), ("Fewer", "1")):
        row.get_by_role("button", name=name).click()
        expect(field).to_have_value(number)
        expect(limit).not_to_be_checked()
    expect(page.locator("#differences")).to_contain_text("Bridges of a family: 1")
    limit.check(force=True)
    expect(field).to_have_value("")
    expect(page.locator("#differences")).to_have_text("The standard rules are in force.")


@pytest.mark.parametrize("game", RULES)
def test_the_recommended_rules_stand_beside_the_written_ones_with_a_picture_and_a_sentence(game: str, open_page: Opener) -> None:
    page = open_page(f"/new/{game}", 390, 844)
    written, recommended = page.locator("#presets button").all()[:2]
    spec = registry.spec(game)
    for button, name in ((written, "original"), (recommended, "recommended")):
        expect(button.locator("span")).to_have_text(about(spec, "en").preset(name))
        expect(button.locator("svg")).to_be_visible()
    assert written.locator("svg").inner_html() != recommended.locator("svg").inner_html()
    boxes = [each.bounding_box() for each in (written, recommended)]
    assert boxes[0] and boxes[1] and boxes[0]["y"] == boxes[1]["y"]
    expect(page.locator("#beside")).to_contain_text(about(spec, "en").preset_text("recommended"))
    recommended.click()
    expect(recommended).to_have_attribute("aria-pressed", "true")
    page.locator("#presets").scroll_into_view_if_needed()
    shot(page, f"form_{game}.png")
