"""Write docs/pictures: a table of each game in the middle of a game, as Chromium shows it at 1280 x 800.

`tools/pictures.py FOLDER [GAME ...]` writes pictures of these games at all sizes of SIZES to a folder, and a sheet of each game.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from bridgehead import player
from bridgehead.client import PERSON, Host
from bridgehead.core import record

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from e2e.conftest import QUIET, Server, chromium  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
Size = tuple[int, int]
DESKTOP: Size = (1280, 800)
SIZES: tuple[Size, ...] = (
    (360, 640), (360, 740), (430, 932), (640, 360), (740, 360), (932, 430), (768, 1024), (1024, 768), DESKTOP,
)  # fmt: skip
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


@contextmanager
def tables(games: Sequence[str]) -> Iterator[Iterator[tuple[str, str, Browser]]]:
    """Each game with the address of its table, and the browser."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)

        def each() -> Iterator[tuple[str, str, Browser]]:
            for game in games:
                rules, actions = TABLES[game]
                seats = [{**PERSON, "name": name} for name in NAMES[: rules.get("seats", 2)]]
                table = Host(server.url).create(game, seats, record=beginning(game, rules, actions), seed=4)
                yield game, f"{server.url}/t/{table.table}#s={'.'.join(table.tokens)}", browser
                table.leave()

        yield each()
        browser.close()
        server.stop()


def shoot(browser: Browser, address: str, size: Size, path: Path) -> None:
    """A picture of a page of this size; phones and tablets have touch."""
    width, height = size
    touch = (width, height) != DESKTOP
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="light",
        reduced_motion="reduce",
        has_touch=touch,
        is_mobile=touch,
    )
    page.goto(address)
    page.locator("#log li").first.wait_for(state="attached")
    page.wait_for_timeout(1500)  # pieces and fonts come to rest
    page.screenshot(path=path)
    page.close()


def sheet(browser: Browser, folder: Path, game: str) -> None:
    """All pictures of a game on one page."""
    page = browser.new_page(viewport={"width": 1720, "height": 800})
    figures = (
        f"<figure><img src='{name(game, size)}' width={size[0] // 2}><figcaption>{size[0]} × {size[1]}</figure>" for size in SIZES
    )
    style = "body {display:flex;flex-wrap:wrap;align-items:start;font:14px sans-serif} figure {margin:8px}"
    (folder / f"{game}.html").write_text(f"<meta charset=utf-8><style>{style}</style>{''.join(figures)}")
    page.goto((folder / f"{game}.html").as_uri())
    page.screenshot(path=folder / f"{game}.png", full_page=True)
    page.close()


def name(game: str, size: Size) -> str:
    """The file of a picture."""
    return f"{game}_{size[0]}x{size[1]}.png"


def main(folder: str = "", *games: str) -> None:
    with tables(games or tuple(TABLES)) as found:
        for game, address, browser in found:
            if not folder:
                shoot(browser, address, DESKTOP, path := PICTURES / f"{game}.png")
                Image.open(path).convert("RGB").quantize(256).save(path, optimize=True)  # a third of the bytes
                continue
            out = Path(folder).resolve()
            out.mkdir(parents=True, exist_ok=True)
            for size in SIZES:
                shoot(browser, address, size, out / name(game, size))
            sheet(browser, out, game)


if __name__ == "__main__":
    main(*sys.argv[1:])
