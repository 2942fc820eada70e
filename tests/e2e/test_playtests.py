"""A playtest of two versions: the designer hands out a link each, testers play and answer, and the results stand side by side."""

import csv
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from bridgehead.core import registry
from bridgehead.server.messages.lab import LabFigure, LabLight, LabReport
from e2e.axe import check
from e2e.conftest import HAND, Opener, Server, at_the_end, shot
from e2e.test_editor import has, tool, touch
from e2e.test_shown_again import VISIBLE

pytestmark = [pytest.mark.browser, pytest.mark.wide]
FIRST, SECOND = "d5 a5", "d4 b1"  # in the first version the side that begins wins with its first move, in the second the other


def store_study(server: Server, layout: str, share: float, key: str) -> None:
    """A finished study, as the lab leaves it: the first player's share of wins."""
    game = registry.game("forty_bridges", setup="custom", layout=layout)
    folder = server.data / "lab" / key
    folder.mkdir(parents=True)
    figures = [
        LabFigure("side", game.spec.seat_letter(seat), {"en": name}, part, part - 0.04, part + 0.04, 1000)
        for seat, (name, part) in enumerate({"Black": share, "Blue": 1 - share}.items())
    ]
    lights = [LabLight(1, "good"), LabLight(2, "bad" if abs(share - 0.5) > 0.1 else "good")]
    told = key, "forty_bridges", "40 Bridges", {"en": ""}, 1, {"en": "so"}, lights, 1000, None, game.differences, 0
    (folder / "told.json").write_bytes(msgspec.json.encode(LabReport(*told, figures)))


def draw(page: Page, layout: str) -> None:
    for seat, field in enumerate(layout.split()):
        tool(page, f"piece:{seat}")
        touch(page, f"f:{field}")
        has(page, f"p:{field}")
    page.get_by_role("button", name="Keep this version").click()


def begin(page: Page, n: int) -> str:
    """Make a playtest of a version; returns the path of its designer's page."""
    page.get_by_role("button", name=f"Playtest of One step, version {n}").click()
    row = page.locator(".shelf > li", has_text=f"One step, version {n}")
    way = row.get_by_role("link", name="What testers say").get_attribute("href")
    assert way and "#h=" in way
    return way


def play(page: Page, moves: list[str]) -> None:
    page.get_by_role("button", name="At one screen").click()
    for move in moves:
        page.locator("#tab-all").click()
        expect(page.locator("#list")).to_contain_text(f"square {move[:2]}")
        page.wait_for_timeout(HAND)  # what is typed sooner after the turn passed was meant for what was there before
        page.locator("#typed").fill(move)
        page.locator("#typed").press("Enter")
    at_the_end(page)


def test_testers_of_two_versions_play_and_answer_and_the_designer_sees_both(
    open_page: Opener, server: Server, tmp_path: Path
) -> None:
    store_study(server, FIRST, 0.5, "a" * 32)
    store_study(server, SECOND, 0.1, "b" * 32)
    designer = open_page("/edit/forty_bridges")
    designer.locator("#starts").select_option("empty")
    designer.locator("#shelf-open").click()
    designer.locator("#sizes [data-tool=name]").fill("One step")
    designer.locator("#sizes [data-tool=name]").press("Tab")
    draw(designer, FIRST)
    for field in FIRST.split():
        tool(designer, "erase")
        touch(designer, f"p:{field}")
        has(designer, f"p:{field}", 0)
    draw(designer, SECOND)
    expect(designer.locator(".shelf > li")).to_have_count(2)
    ways = [begin(designer, n) for n in (1, 2)]

    # A tester of each version plays a game and answers.
    for way, moves, start in zip(ways, (["d5-e5"], ["d4-d3", "b1-a1"]), ("Black had", "Fair to all"), strict=True):
        tester = open_page(way.split("#")[0])
        expect(tester.locator("#title")).to_have_text("One step (40 Bridges)")
        expect(tester.locator("#results")).to_be_hidden()
        if way == ways[0]:
            check(tester, "playtest")
            tester.set_viewport_size({"width": 390, "height": 844})
            shot(tester, "playtest_tester_390.png")
        play(tester, moves)
        tester.set_viewport_size({"width": 390, "height": 844})
        shot(tester, "playtest_end_390.png")
        tester.get_by_role("link", name="Three questions").click()
        expect(tester.locator("#questions")).to_be_visible()
        tester.get_by_label("4", exact=True).check()
        tester.get_by_label(start).check()
        tester.locator("#note").fill("A short game")
        shot(tester, "playtest_questions_390.png")
        tester.locator("#send").click()
        expect(tester.locator("#thanks")).to_be_visible()
        expect(tester.locator("#questions")).to_be_hidden()

    # What each page says, and its files.
    pages = [open_page(way) for way in ways]
    for page in pages:
        expect(page.locator("#answers li")).to_have_count(1)
        expect(page.locator("#answers")).to_contain_text("A short game")
        expect(page.locator("#figures thead")).to_contain_text("People against people")
        expect(page.locator("#said")).to_contain_text("Decided games: 1")
    first, second = pages
    expect(first.locator("#figures")).to_contain_text("50 % (46–54)")
    expect(first.locator("#figures")).to_contain_text("100 % (21–100)")
    expect(first.locator("#said")).to_contain_text("agree with those of programs")
    expect(second.locator("#answers")).to_contain_text("Fair to all")
    expect(first.get_by_label("Link for Playtest")).to_have_value(f"{server.url}{ways[0].split('#')[0]}")
    check(first, "playtest results")
    for width, height in ((1280, 800), (390, 844)):
        first.set_viewport_size({"width": width, "height": height})
        shot(first, f"playtest_results_{width}.png", full_page=True)
    rows = csv.DictReader(save_export(first, "#csv", tmp_path).read_text("utf-8-sig").splitlines())
    assert [(row["start"], row["note"]) for row in rows] == [("A", "A short game")]
    assert json.loads(save_export(second, "#json", tmp_path).read_text())["answers"][0]["start"] == -1

    # Both versions on the shelf: their lights, and what surely differs.
    for n in (1, 2):
        designer.get_by_label(f"Compare One step, version {n}").check()
    designer.get_by_role("button", name="Show two side by side").click()
    lights = designer.locator(".beside-boards .lights")
    expect(lights).to_have_count(2)
    expect(lights.first.locator(".light.bad")).to_have_count(0)
    expect(lights.last.locator(".light.bad")).to_have_count(1)
    expect(designer.locator(".beside-boards figcaption").last).to_contain_text("One step, version 2")
    expect(designer.locator(".differences")).to_contain_text("50 % (46–54) → 10 % (6–14): surely differs")
    for width, height in ((1280, 800), (390, 844)):
        designer.set_viewport_size({"width": width, "height": height})
        designer.locator(".differences").scroll_into_view_if_needed()
        shot(designer, f"playtest_shelf_{width}.png")

    waits, plays = (open_page(ways[1].split("#")[0], width=390, height=844, expect_errors=True) for _ in range(2))
    plays.get_by_role("button", name="At one screen").click()
    expect(plays.locator("#asking")).to_be_enabled()
    second.get_by_role("button", name="Delete the playtest").click()
    second.get_by_role("button", name="Press again").click()
    expect(second.locator("#results")).to_have_text("Deleted.")
    expect(plays.locator("body")).to_contain_text("This playtest has been deleted, and this game with it.")
    shot(plays, "playtest_deleted_390.png")
    waits.evaluate(VISIBLE)
    expect(waits.locator("#error")).to_have_text("There is no such playtest. Perhaps it was deleted.")


def test_a_version_without_a_study_says_where_to_get_one(open_page: Opener, server: Server) -> None:
    page = open_page("/edit/barricade")
    page.locator("#starts").select_option("mini")
    expect(page.locator("#sizes [data-tool=name]")).to_have_value("mini")
    page.locator("#shelf-open").click()
    for n in (1, 2):
        page.get_by_role("button", name="Keep this version").click()
        expect(page.locator(".shelf > li")).to_have_count(n)
        page.get_by_label(f"Compare mini, version {n}").check() if n == 2 else None
    page.get_by_label("Compare mini, version 1").check()
    page.get_by_role("button", name="Show two side by side").click()
    expect(page.locator(".beside-boards")).to_contain_text("No study of this version yet")
    page.locator(".beside-boards").get_by_role("link", name="Study it").first.click()
    expect(page.locator("#start")).to_be_enabled()
    expect(page.locator(".own span")).to_have_text("mini")
    page.locator("#options-all > summary").click()
    expect(page.get_by_role("button", name="Is this fair?")).to_be_visible()


def save_export(page: Page, button: str, folder: Path) -> Any:
    with page.expect_download() as started:
        page.locator(button).click()
    file = folder / started.value.suggested_filename
    started.value.save_as(file)
    return file
