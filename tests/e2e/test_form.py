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


# By how many pixels a name's field is too narrow for what stands in it while it is empty.
NARROW = """[...document.querySelectorAll('#seats li input')].map((field) => {
  const style = getComputedStyle(field), pen = document.createElement('canvas').getContext('2d');
  pen.font = `${style.fontSize} ${style.fontFamily}`;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(field.placeholder).width - room;
})"""


@pytest.mark.parametrize("width", [360, 390, 1280])
@pytest.mark.parametrize("locale", languages())
def test_a_seats_field_has_room_for_its_words(locale: str, width: int, open_page: Opener) -> None:
    for game in RULES:
        page = open_page(f"/new/{game}?mode=invite", width, 844, locale=locale)
        expect(page.locator("#start")).to_be_enabled()
        assert all(beyond <= 0 for beyond in page.evaluate(NARROW)), (game, page.evaluate(NARROW))
        page.locator("#own label").nth(1).click()
        shot(page, f"own_{game}_{locale}_{width}.png")


def test_whoever_invites_chooses_a_colour(open_page: Opener) -> None:
    page = open_page("/new/forty_bridges?mode=invite", 390, 844, has_touch=True)
    colours = page.get_by_role("radiogroup", name="Your colour")
    expect(colours.get_by_role("radio", name="Black")).to_be_checked()
    page.get_by_label("Your name").fill("Ada")
    colours.get_by_role("radio", name="Blue").tap()
    fields = page.locator("#seats input")
    expect(fields.nth(1)).to_have_value("Ada")
    expect(fields.nth(1)).to_have_attribute("placeholder", "Your name")
    expect(fields.nth(0)).to_have_attribute("placeholder", "Name of Black")
    page.locator("#start").tap()
    page.locator("#go").tap()
    page.wait_for_url("**/t/**")
    expect(page.locator("#seats li").nth(1)).to_contain_text("You")
    page.goto(re.sub(r"/t/.*", "/new/forty_bridges?mode=computer", page.url))
    expect(page.get_by_label("Your name")).to_have_value("Ada")
    page.get_by_role("radio", name="Blue").tap()
    expect(page.locator("#seats select").nth(0)).not_to_have_value("person")
    expect(page.locator("#seats select").nth(1)).to_have_value("person")


def test_the_colour_can_be_left_to_the_lot(open_page: Opener) -> None:
    seen = set()
    for lot in (0.1, 0.9):
        page = open_page("/new/forty_bridges?mode=computer", script=f"Math.random = () => {lot}")
        page.get_by_role("radio", name="Random").click()
        page.locator("#start").click()
        page.wait_for_url("**/t/**")
        expect(page.locator("#seats li").first).to_be_visible()
        seats = page.locator("#seats li")
        own = seats.filter(has_text="You")
        expect(own).to_have_count(1)
        seen.add(own.locator(".chip").inner_text())
    assert seen == {"A", "B"}
