"""Write docs/pictures: a table of each game in the middle of a game, as Chromium shows it at 1280 x 800."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from bridgehead import player
from bridgehead.client import PERSON, Host
from bridgehead.core import record

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from e2e.conftest import QUIET, Server, chromium  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")
# Game -> house rules, and how many actions of a greedy game the picture shows.
TABLES: dict[str, tuple[dict[str, int], int]] = {
    "burning_bridges": ({"seats": 5}, 75),
    "forty_bridges": ({}, 12),
    "front_lines": ({"seats": 4}, 22),
    "barricade": ({"seats": 4}, 90),
}


def beginning(game: str, rules: dict[str, int], actions: int) -> str:
    """The record of the first actions of a game between greedy players."""
    from bridgehead.core import registry
    from bridgehead.core.chance import SeededDealer
    from bridgehead.core.match import Match

    match, dealer, chooser = Match(registry.game(game, **rules)), SeededDealer(4), player(game, level="greedy", seed=4)
    match.deal(dealer)
    while len(match.log) < actions and not match.position.is_over:
        match.play(chooser.choose(match.position))
        match.deal(dealer)
    return record.dump(match)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        for game, (rules, actions) in TABLES.items():
            seats = [{**PERSON, "name": name} for name in NAMES[: rules.get("seats", 2)]]
            table = Host(server.url).create(game, seats, record=beginning(game, rules, actions), seed=4)
            page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light", reduced_motion="reduce")
            page.goto(f"{server.url}/t/{table.table}#s={'.'.join(table.tokens)}")
            page.locator("#log li").first.wait_for()
            page.wait_for_timeout(1500)  # pieces and fonts come to rest
            page.screenshot(path=PICTURES / f"{game}.png")
            table.leave()
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
