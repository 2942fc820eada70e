"""The static site in Firefox: a game to its end, then without a network, and a second one."""

import re
import threading
from pathlib import Path

import pytest

from e2e.clicker import Clicker
from e2e.conftest import SHOTS, served
from e2e.firefox import Tab, firefox
from e2e.test_site import packed
from e2e.test_site_opening import held  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.long]
BOARD = "document.querySelectorAll('#stage .can').length > 0"
RULES = {  # with which a hand that plays at random comes to the end soon
    "burning_bridges": {"seats": 2, "roundLimit": 4},
    "forty_bridges": {"quietLimit": 8},
    "front_lines": {"seats": 2, "lives": 1},
    "barricade": {"board": "mini", "seats": 2, "turnLimit": 16},
}
PREFER = {"burning_bridges": ("End",), "front_lines": ("cross", "Cross")}


def begin(tab: Tab, home: str, game: str) -> None:
    """Start a game at one screen."""
    tab.goto("about:blank")
    tab.goto(f"{home}new-{game}.html?mode=here#o={packed({'rules': RULES[game]})}")
    tab.come_true("document.querySelector('#start')?.disabled === false")
    tab.evaluate("document.querySelector('#start').click()")
    tab.come_true(BOARD)


@pytest.mark.parametrize("game", RULES)
def test_a_game_goes_to_its_end_and_a_second_begins_without_a_network(game: str, folder: Path, tmp_path: Path) -> None:
    with firefox(tmp_path / "profile") as tab:
        tab.resize(1280, 800)
        with served(folder) as home:
            begin(tab, home, game)
            clicker = Clicker(tab, seed=3, prefer=PREFER.get(game, ()), avoid=("Pass",))  # type: ignore[arg-type]
            clicker.until(lambda: bool(tab.evaluate("document.querySelectorAll('#log li').length >= 4")))
            logged = tab.evaluate("document.querySelectorAll('#log li').length")
            tab.reload()
            tab.come_true(f"document.querySelectorAll('#log li').length >= {logged}")
            clicker.play()
            said = tab.evaluate("document.querySelector('#say').textContent")
            assert re.search("won|wins|draw|nobody|No ", said, re.I)
            if SHOTS.is_dir():
                tab.shot(SHOTS / f"site_firefox_{game}.png")
            tab.come_true("navigator.serviceWorker.ready.then(() => true)")
        tab.reload()  # the file server has ended
        tab.come_true(f"document.querySelector('#say')?.textContent === {said!r}")
        begin(tab, home, game)
        second = Clicker(tab, seed=4, prefer=PREFER.get(game, ()), avoid=("Pass",))  # type: ignore[arg-type]
        second.until(lambda: bool(tab.evaluate("document.querySelectorAll('#log li').length >= 6")))
        assert tab.evaluate("document.querySelectorAll('#log li').length") >= 6
        assert not tab.problems


def test_the_first_move_is_made_before_python_is_there(held: tuple[str, threading.Event], tmp_path: Path) -> None:  # noqa: F811
    home, may = held
    with firefox(tmp_path / "profile") as tab:
        tab.resize(1280, 800)
        tab.goto(f"{home}new-forty_bridges.html?mode=here")
        tab.come_true("document.querySelector('#start')?.disabled === false")
        tab.evaluate("document.querySelector('#start').click()")
        tab.come_true(BOARD)
        waits = "!!document.querySelector('#site-news')?.textContent.includes('Your move is played')"
        Clicker(tab, seed=2).until(lambda: bool(tab.evaluate(waits)))  # type: ignore[arg-type]
        may.set()
        tab.come_true("document.querySelectorAll('#log li').length >= 1")
        assert not tab.problems
