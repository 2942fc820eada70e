"""A table names its rules in a player's words, and says on a press what differs and what the rules as written say."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.descriptions import about
from bridgehead.core.phrases import languages
from e2e.conftest import RULES, Opener, Server, link, post_table, shot

pytestmark = [pytest.mark.browser, pytest.mark.wide]
RAW = re.compile(r"\b(true|false|null)\b")
PEOPLE = [{"kind": "person"}, {"kind": "person"}]


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("game", RULES)
def test_the_recommended_rules_say_what_differs_and_what_the_original_says(
    game: str, locale: str, open_page: Opener, server: Server
) -> None:
    spec = registry.spec(game)
    words, values = about(spec, locale), spec.options.PRESETS["recommended"]
    table = post_table(server, game, PEOPLE, preset="recommended", options={"seats": 2})
    page = open_page(link(table, 0), locale=locale)
    button = page.locator("#where button")
    for part in (words.preset("recommended"), words.preset_brief("recommended")):
        expect(button).to_contain_text(part)
    button.click()
    dialog = page.locator("dialog.sheet-dialog[open]")
    expect(dialog.locator("li")).to_have_count(len(values))
    infos = {info.name: info for info in house.describe(spec)}
    for name, value in values.items():
        row = dialog.locator("li", has_text=words.name(name)).first
        for part in (words.text(name), words.value(name, value), words.value(name, infos[name].default), infos[name].clause):
            expect(row).to_contain_text(part)
        expect(row).to_contain_text(words.clause(infos[name].clause))
    assert not RAW.search(dialog.inner_text())
    shot(page, f"rules_{game}_{locale}.png")


def test_a_phone_has_them_behind_the_rules_in_short(open_page: Opener, server: Server) -> None:
    table = post_table(server, "front_lines", PEOPLE, options={"seats": 2, "lives": 3, "mayStop": True})
    page = open_page(link(table, 0), 390, 844)
    page.locator("#goal-more").click()
    page.get_by_role("button", name=re.compile("House rules")).click()
    dialog = page.locator("dialog.sheet-dialog[open]")
    expect(dialog.locator("li")).to_have_count(2)
    expect(dialog).to_contain_text("Here: 3")
    expect(dialog).to_contain_text("As written: 2")
    expect(dialog).to_contain_text("Here: yes")
    shot(page, "rules_phone.png")


def test_rules_as_written_have_no_differences(open_page: Opener, server: Server) -> None:
    some: dict[str, Any] = post_table(server, "forty_bridges", PEOPLE)
    page = open_page(link(some, 0))
    page.get_by_role("button", name="Rules as written").click()
    expect(page.locator("dialog.sheet-dialog[open]")).to_contain_text("as their authors wrote them")
