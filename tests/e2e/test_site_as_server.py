"""What pages do on a server they do on a static site: the same tests, with the site in place of the server."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from bridgehead.site import build
from e2e.axe import check
from e2e.conftest import BOOT, Site, Watch, link, set_table, shot, until_wired
from e2e.test_accessibility import PAGES
from e2e.test_editor import test_a_small_board_is_drawn_from_nothing_by_mouse_and_keyboard_saved_and_played  # noqa: F401
from e2e.test_hints import test_a_game_is_analysed_in_its_replay  # noqa: F401
from e2e.test_learning import (  # noqa: F401
    test_a_tutorial_is_clicked_to_its_end_on_a_phone_and_explains_what_is_not_meant,
    test_a_tutorial_is_played_to_its_end_by_keyboard_with_names_for_everything,
)
from e2e.test_positions import (  # noqa: F401
    test_a_piece_is_dragged_an_impossible_text_is_refused_in_words_and_the_position_is_played_against_the_computer,
    test_a_position_is_set_up_shared_and_opened_elsewhere,
    test_the_position_of_a_replay_and_of_a_table_is_taken_to_the_page,
)
from e2e.test_puzzles import (  # noqa: F401
    test_a_phone_shows_a_puzzle_whole_and_the_second_hint_is_the_answer,
    test_a_puzzle_is_missed_then_solved_and_the_browser_remembers_both,
    test_ideas_and_missed_ones_can_be_chosen_and_old_numbers_lead_on,
    test_the_home_page_leads_to_the_puzzle_of_the_day,
)
from e2e.test_replays import (  # noqa: F401
    test_a_link_opens_a_game_that_no_table_knows_and_it_is_played_on_against_the_computer,
    test_a_move_leads_to_its_clauses_and_a_clause_to_its_moves,
    test_lines_of_a_tables_log_lead_to_their_clause_and_back_by_mouse_and_by_keys,
)
from e2e.test_screen_reader import test_a_game_is_played_to_its_end_by_ear_and_keys  # noqa: F401
from e2e.test_settings import test_each_setting_has_a_preview_and_is_kept, test_the_settings_fit_every_screen  # noqa: F401
from e2e.test_since import test_what_the_others_did_is_listed_marked_shown_again_and_taken_back  # noqa: F401
from e2e.test_studies import (  # noqa: F401
    test_a_replay_a_file_and_nothing_lead_to_the_board,
    test_a_study_is_made_kept_shared_and_opened_elsewhere,
    test_chance_is_chosen_by_hand_at_the_beginning_of_a_game,
    test_keys_walk_the_tree_and_a_touch_that_is_refused_gets_its_reason,
    test_the_mouse_draws_with_the_right_button_and_by_dragging_while_drawing_is_on,
)
from e2e.test_tables import (  # noqa: F401
    test_a_piece_is_dragged_to_its_field,
    test_a_refused_touch_says_why_and_links_its_clause,
    test_an_own_decision_is_undone_but_never_a_die,
)

pytestmark = [pytest.mark.browser, pytest.mark.wide]
OTHERS = {"/lobby", "/lab", "/me", "/games", "/tournaments", "/children"}  # pages that need a server
MEDIA = ("color_scheme", "reduced_motion")  # settings that an open page can change


class Visits:
    """The pages of one test, in browsers that stay from test to test: starting Python takes seconds."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.home = browser, address
        self._contexts: dict[str, tuple[BrowserContext, Page]] = {}
        self._pages: list[Page] = []
        self._watches: list[Watch] = []

    def at(self, **settings: Any) -> Page:
        """The page that stays open in the browser with these settings."""
        key = repr(sorted(settings.items()))
        if key not in self._contexts:
            context = self.browser.new_context(**settings)
            page = context.new_page()
            page.goto(self.home)
            expect(page.locator(".picture svg").first).to_be_attached(timeout=BOOT)
            self._contexts[key] = context, page
        return self._contexts[key][1]

    def open(
        self,
        path: str = "/",
        width: int = 1280,
        height: int = 800,
        expect_errors: bool = False,
        script: str = "",
        **settings: Any,
    ) -> Page:
        """As the fixture `open_page` for a server."""
        media = {"reduced_motion": "reduce", **{name: settings.pop(name) for name in MEDIA if name in settings}}
        page = self.at(**settings).context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(**media)
        page.set_default_timeout(60_000)
        if script:
            page.add_init_script(script)
        if not expect_errors:
            self._watches.append(Watch(page, self.home))
        self._pages.append(page)
        for way in ("goto", "reload", "go_back"):
            setattr(page, way, until_wired(page, getattr(page, way)))
        go = page.goto
        page.goto = lambda url, **how: go(self.address(url), **how)  # type: ignore[method-assign, assignment]
        page.goto(path)
        return page

    def address(self, url: str) -> str:
        """The address on the site of an address on the server."""
        place = self.home.removeprefix("http://").partition("/")[2]  # the subfolder
        path = url.removeprefix(self.home.removesuffix("/")).removeprefix("/").removeprefix(place)
        return self.home + build.address(path).removeprefix("./")

    def end(self) -> list[str]:
        """Close the pages of a test; what went wrong on them."""
        for page in self._pages:
            page.close()
        for _, page in self._contexts.values():
            page.evaluate("localStorage.clear()")
        problems = [problem for watch in self._watches for problem in watch.seen]
        self._pages, self._watches = [], []
        return problems

    def close(self) -> None:
        for context, _ in self._contexts.values():
            context.close()


@pytest.fixture(scope="module")
def visits(browser: Browser, home: str) -> Iterator[Visits]:
    made = Visits(browser, home)
    yield made
    made.close()


@pytest.fixture
def open_page(visits: Visits) -> Iterator[Callable[..., Page]]:
    yield visits.open
    assert visits.end() == []


@pytest.fixture
def server(visits: Visits) -> Site:
    """The site in place of the server."""
    return Site(visits.home, visits.at())


@pytest.mark.parametrize("path", [path for path in PAGES if path not in OTHERS])
def test_no_page_has_a_finding(path: str, open_page: Callable[..., Page]) -> None:
    page = open_page(path, color_scheme="light")
    expect(page.locator(PAGES[path]).first).to_be_visible()
    check(page, path)


def test_the_menus_of_a_table_offer_nothing_that_needs_others(open_page: Callable[..., Page], server: Site) -> None:
    table = set_table(server, "forty_bridges", ("person", "greedy"))
    page = open_page(f"{link(table, 0)}&h={table['host']}", color_scheme="light")
    expect(page.locator("#stage .can").first).to_be_visible()
    assert page.locator("#tab-chat, #check").evaluate_all("nodes => nodes.every((node) => !node.getClientRects().length)")
    dialog = page.locator("dialog[open]")
    for opener in ("[data-table-menu]", "#seats .more >> nth=0", "#seats .more >> nth=1"):
        page.locator(opener).locator("visible=true").first.click()
        expect(dialog).to_be_visible()
        check(page, opener)
        shot(page, f"site_menu_{opener[-1]}.png")
        offered = dialog.inner_text()
        assert "http" not in offered and dialog.locator("input[readonly]:visible, .qr:visible").count() == 0, offered
        for word in ("code", "link", "lobby", "Leave for good"):
            assert word not in offered, offered
        page.set_viewport_size({"width": 1280, "height": 800})
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
