"""The pages around the table: home, new game, rules, replay, settings; on a desk and on a phone."""

import json
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bridgehead.client import PERSON, Host, computer
from e2e.conftest import AT_TABLE, RULES, Opener, Server, link, set_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]


def test_home_shows_the_four_games_with_their_boards(open_page: Opener) -> None:
    page = open_page("/")
    for title in ("Burning Bridges", "40 Bridges", "The Front Lines", "Barricade"):
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    expect(page.locator(".picture svg.board")).to_have_count(4)
    shot(page, "home.png")
    page.set_viewport_size({"width": 360, "height": 740})
    shot(page, "home_phone.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def house_rules(page: Page) -> dict[str, object]:
    """The house rules in the record of the table that the page shows."""
    text = page.evaluate("fetch(`/api/tables/${location.pathname.slice(3)}/record`).then((answer) => answer.text())")
    return json.loads(next((line[9:] for line in text.splitlines() if line.startswith("options: ")), "{}"))


@pytest.mark.parametrize("game", RULES)
def test_play_the_computer_is_two_clicks_from_home(game: str, open_page: Opener) -> None:
    page = open_page("/")
    card = page.locator(f"article[data-game={game}]")
    card.get_by_role("link", name="Play").dblclick()  # the second click falls on what has just appeared
    expect(page).to_have_url(re.compile("/$"))
    card.get_by_role("button", name="Medium").click()
    expect(page.locator("#say")).not_to_be_empty()
    expect(page).to_have_url(re.compile(r"/t/[^#]+"))
    expect(page.locator("#seats")).to_contain_text("Ranger")
    assert set(house_rules(page)) <= {"seats"}


def test_a_new_table_offers_the_original_and_the_recommended_rules_with_what_was_measured(open_page: Opener) -> None:
    page = open_page("/new/front_lines?mode=here")
    rules, reason, folded = page.locator("#presets button"), page.locator("#preset-help"), page.locator("#options-all")
    expect(rules.nth(0).locator("span")).to_have_text("Rules as written")
    expect(rules.nth(0)).to_have_attribute("aria-pressed", "true")
    line = page.locator("#undecided")
    expect(line).to_have_text(re.compile(r"^Often nobody wins: \d\d % of 2,000 games"))
    expect(line).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 360, "height": 740})
    expect(line).to_be_in_viewport(ratio=1)
    expect(page.locator("#beside")).to_contain_text("Recommended rules: Every character has six lives instead of two")
    rules.nth(1).click()
    expect(rules.nth(1).locator("span")).to_have_text("Recommended rules")
    expect(reason).to_contain_text("six lives instead of two")
    expect(page.locator("#beside")).to_be_hidden()
    expect(line).to_be_hidden()
    expect(page.locator("#levels")).not_to_contain_text("%")  # no rating: the levels are rated by other rules
    expect(page.locator("#start")).to_be_enabled()
    expect(folded).not_to_have_attribute("open", "")
    shot(page, "new_rules.png")
    page.locator("#start").click()
    expect(page).to_have_url(AT_TABLE)
    assert house_rules(page)["lives"] == 6


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 740), (740, 360), (768, 1024)])
def test_start_is_in_sight_and_the_rest_is_folded(width: int, height: int, open_page: Opener) -> None:
    page = open_page("/new/barricade?mode=invite", width, height)
    expect(page.locator("#start")).to_be_enabled()
    expect(page.locator("#start")).to_be_in_viewport(ratio=1)
    expect(page.locator("#clock")).to_be_hidden()
    page.locator("#options-all > summary").click()
    expect(page.locator("#clock")).to_be_visible()
    expect(page.locator("#start")).to_be_in_viewport(ratio=1)
    shot(page, f"new_{width}.png")


def test_inviting_friends_gives_each_seat_a_link(open_page: Opener) -> None:
    """Codes to scan: `test_invitations.py`, on a server that others reach."""
    page = open_page("/new/front_lines?mode=invite")
    page.locator("#start").click()
    expect(page.locator("#links")).to_be_visible()
    page.locator("#invites summary").click()
    expect(page.locator("#invites li input").first).to_be_visible()
    shot(page, "invite.png")


def test_a_clock_is_refused_in_words_and_a_seed_may_be_a_word(open_page: Opener, server: Server) -> None:
    page = open_page("/new/barricade?mode=here", 360, 740)
    page.locator("#options-all > summary").click()
    page.locator("#clock-kind").select_option("bank")
    page.locator("#clock-bank").fill("10 min")
    page.locator("#start").click()
    expect(page.locator("#error")).to_have_text("minutes each: a number, like 10 or 1.5")
    page.locator("#clock-bank").fill("1,5")
    page.locator("#clock-increment").fill("")
    page.get_by_text("More", exact=True).click()
    page.locator("#seed").fill("lucky")
    page.locator("#start").click()
    expect(page).to_have_url(AT_TABLE)
    expect(page.locator("#where")).to_contain_text("practice")
    expect(page.locator("#seats")).to_contain_text("1:30")


def test_house_rules_are_shown_as_differences_and_bad_ones_refused_with_their_place(open_page: Opener, server: Server) -> None:
    page = open_page("/new/barricade?mode=here")
    page.locator("#options-all > summary").click()
    page.locator("#presets button", has_text="classic").first.click()
    expect(page.locator("#differences")).to_contain_text(re.compile("pass|onlyIfBlocked", re.I))
    answer = page.request.post(server.url + "/api/check", data={"game": "barricade", "options": {"pass": "never"}})
    assert answer.status == 400
    assert answer.json()["where"] == "pass"


@pytest.mark.parametrize("locale", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("game", RULES)
def test_the_rules_begin_with_pictures_on_one_screen_and_on_one_sheet(game: str, locale: str, open_page: Opener) -> None:
    page = open_page(f"/rules/{game}", locale=locale)
    panels = page.locator(".glance li")
    expect(panels).to_have_count(6)
    expect(page.locator("html")).to_have_attribute("lang", locale)
    assert all(box["y"] + box["height"] <= 800 for panel in panels.all() if (box := panel.bounding_box()))
    assert page.locator(".glance svg").count() == 6
    shot(page, f"glance_{game}_{locale}.png")
    page.emulate_media(media="print")
    for paper, width, height in (("A4", 794 - 76, 1123 - 76), ("Letter", 816 - 76, 1056 - 76)):  # within margins of a centimetre
        page.set_viewport_size({"width": width, "height": height})
        box = page.locator(".glance").bounding_box()
        assert box and box["y"] + box["height"] <= height, (paper, box)
    page.emulate_media(media="screen")
    for width, height in ((390, 844), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for each in panels.all() if (box := each.bounding_box()))


@pytest.mark.parametrize("game", RULES)
def test_the_rules_page_has_an_anchor_for_every_clause(game: str, open_page: Opener) -> None:
    from bridgehead.core import registry

    page = open_page(f"/rules/{game}")
    ids = set(page.evaluate("[...document.querySelectorAll('[id]')].map((n) => n.id)"))
    assert {clause.id for clause in registry.game(game).rulebook.clauses} <= ids
    shot(page, f"rules_{game}.png")


def test_rules_in_force_are_marked_on_the_rules_page_of_a_table(open_page: Opener, server: Server) -> None:
    table = set_table(server, "barricade", seats=2, board="mini", turnLimit=30)
    page = open_page(f"/rules/barricade?table={table['table']}")
    expect(page.locator("main")).to_contain_text("Turn limit: 30")
    expect(page.locator(".clause.differs").first).to_be_visible()
    expect(page.locator("#option-turnLimit.differs")).to_contain_text("30")


def finished(server: Server) -> str:
    """A table of 40 Bridges where a game with the computer was played to its end."""
    with Host(server.url).create("forty_bridges", [computer("greedy"), PERSON], seed=11) as table:
        lot = random.Random(8)
        while table.view["outcome"] is None:
            table.wait_for_turn()
            if table.choices:
                table.play(lot.choice(table.choices)["action"])
        return table.table


def test_a_finished_game_is_replayed_with_the_scrubber_and_downloaded(open_page: Opener, server: Server) -> None:
    page = open_page(f"/replay/{finished(server)}")
    expect(page.locator("#scrub")).to_have_attribute("max", re.compile(r"^(\d\d+|[6-9])$"))
    begun = page.locator("#say").inner_text()
    page.locator("#end").click()
    expect(page.locator("#say")).not_to_have_text(begun)  # the piece with the end may be on its way
    end = page.locator("#say").inner_text()
    page.locator("#first").click()
    expect(page.locator("#say")).not_to_have_text(end)
    page.keyboard.press("ArrowRight")
    page.locator("#forward").click()
    expect(page.locator("#scrub")).to_have_value("2")
    for key, place in (("ArrowLeft", "1"), ("End", page.locator("#scrub").get_attribute("max") or ""), ("Home", "0")):
        page.keyboard.press(key)
        expect(page.locator("#scrub")).to_have_value(place)
    page.locator("#speed").select_option("200")
    page.locator("#replay").click(position={"x": 2, "y": 2})
    page.keyboard.press("Space")
    expect(page.locator("#scrub")).to_have_value(re.compile("^[3-9]|..$"))  # it goes on by itself
    page.keyboard.press("Space")
    page.locator("#jump").fill("3")
    page.keyboard.press("Enter")
    expect(page.locator("#scrub")).to_have_value("3")
    shot(page, "replay.png")
    with page.expect_download() as started:
        page.locator("#download").click()
    assert Path(started.value.path()).read_text().startswith("bridgehead record 1")


def test_a_record_file_is_opened_and_a_damaged_one_is_refused_with_its_line(
    open_page: Opener, server: Server, tmp_path: Path
) -> None:
    page = open_page("/replay")
    text = page.request.get(f"{server.url}/api/tables/{finished(server)}/record").text()
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(text)
    bad.write_text(text.replace("\n3. ", "\n3. a1-e5; ", 1))
    answer = page.request.post(server.url + "/api/records", data=bad.read_text(), headers={"content-type": "text/plain"})
    assert answer.status == 400 and answer.json()["where"].startswith("line ")
    page.locator("#file").set_input_files(good)
    expect(page.locator("#scrub")).to_be_visible()


def test_german_and_the_dark_theme_are_a_setting_away(open_page: Opener, server: Server) -> None:
    page = open_page("/")
    page.locator("[data-settings]").first.click()
    page.locator("select[name=theme]").select_option("dark")
    page.locator("select[name=lang]").select_option("de")
    expect(page.locator("body")).to_contain_text("Spiele")  # the page comes again in German by itself
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    table = set_table(server, "barricade", seats=2)
    page.goto(server.url + link(table, 0, 1))
    expect(page.locator("#say")).to_contain_text(re.compile("gewürfelt|würfel|Zug|zieh", re.I))
    shot(page, "german_dark.png")


def test_a_page_that_does_not_exist_says_so(browser: object, server: Server) -> None:
    page = browser.new_page()  # type: ignore[attr-defined]
    answer = page.goto(server.url + "/t/nosuchtable")
    assert answer.status == 404
    expect(page.locator("main")).to_be_visible()
    page.close()


def test_an_own_board_from_a_file_is_played_in_the_browser_and_a_bad_one_is_refused(open_page: Opener, tmp_path: Path) -> None:
    board = json.loads((Path(__file__).parents[1] / "boards" / "barricade_mini.json").read_text())
    board["name"] = "our own"
    board.pop("ascii", None)
    good, bad = tmp_path / "own.json", tmp_path / "bad.json"
    good.write_text(json.dumps(board))
    bad.write_text(json.dumps({**board, "final": [77, 77]}))
    page = open_page("/new/barricade?mode=here", expect_errors=True)
    page.locator("details summary").first.click()
    upload = page.locator("li[data-name=board] input[type=file], [data-option=board] input[type=file]")
    upload.set_input_files(bad)
    expect(page.locator("#error")).to_contain_text("final")
    upload.set_input_files(good)
    expect(page.locator("#error")).to_be_hidden()
    page.locator("#count").select_option("2")
    page.locator("#start").click()
    expect(page.locator("#where")).to_contain_text("our own")
    expect(page.locator("#stage [data-id='f:e10']")).to_have_count(1)


@pytest.mark.parametrize(("path", "step"), [("/games", "Ein Spiel aussuchen"), ("/tournaments", "Ein neues Turnier")])
def test_an_empty_page_shows_a_picture_and_the_next_step(path: str, step: str, open_page: Opener) -> None:
    page = open_page(path, width=390, height=844, locale="de", expect_errors=False)
    page.route("**/api/tournaments?*", lambda route: route.fulfill(json={"tournaments": []}))
    page.reload()
    expect(page.locator(".empty svg")).to_be_visible()
    link = page.locator(".empty").get_by_role("link", name=step)
    expect(link).to_be_visible()
    shot(page, f"empty{path.replace('/', '_')}.png")
    link.click()
    expect(page.locator("#form" if path == "/tournaments" else ".games").first).to_be_in_viewport()
