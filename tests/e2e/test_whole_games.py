"""Every game played to its end in a real browser, by clicking what lights up."""

import re
import urllib.request

import pytest
from playwright.sync_api import expect

from bridgehead.core import record
from e2e.clicker import Clicker
from e2e.conftest import RULES, Opener, Server, link, set_table, shot, some_games

pytestmark = pytest.mark.browser


@some_games("forty_bridges", "front_lines")  # the others are played whole in test_screen_reader.py
def test_a_game_against_the_computer_is_played_to_its_end_by_clicking(game: str, open_page: Opener, server: Server) -> None:
    rules = RULES[game] | ({"turnLimit": 30} if game == "barricade" else {})
    table = set_table(server, game, ["person", "greedy"], **rules)
    page = open_page(link(table, 0))
    expect(page.locator("#say")).not_to_be_empty()
    page.wait_for_timeout(400)
    shot(page, f"{game}.png")
    prefer = {"burning_bridges": ("End",), "front_lines": ("cross", "Cross")}.get(game, ())
    clicks = Clicker(page, seed=3, prefer=prefer, avoid=("Pass",)).play()
    expect(page.locator("#say")).to_contain_text(re.compile("won|wins|draw|nobody|No ", re.I))
    shot(page, f"{game}_end.png")
    text = urllib.request.urlopen(f"{server.url}/api/tables/{table['table']}/record").read().decode()
    match, _ = record.load(text)
    assert match.position.is_over
    assert clicks >= sum(entry.actor == 0 for entry in match.log) >= 3, "each of the person's actions was clicked"
