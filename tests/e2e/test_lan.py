"""Over plain http, by a name that is not this device's own: no clipboard, no crypto.subtle, and nothing is missing."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from e2e.clicker import OFFERED, Clicker
from e2e.conftest import Server, Watch, until_wired

pytestmark = [pytest.mark.browser, pytest.mark.wide]


def test_friends_on_a_network_without_https_invite_seal_and_play(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIDGEHEAD_HOSTS", "table.lan")
    own = Server(tmp_path)
    own.start()
    contexts = [browser.new_context() for _ in range(2)]
    try:
        url = f"http://table.lan:{own.port}"
        ada, ben = (context.new_page() for context in contexts)
        watches = [Watch(page, url) for page in (ada, ben)]
        for page in (ada, ben):
            page.goto = until_wired(page, page.goto)  # type: ignore[method-assign]
        ada.goto(f"{url}/new/barricade?mode=invite")
        assert ada.evaluate("[isSecureContext, typeof crypto.subtle, typeof crypto.randomUUID]") == [
            False,
            "undefined",
            "undefined",
        ]
        ada.locator("#count").select_option("2")
        ada.locator("#start").click()
        ada.locator("#invites button").first.click()
        expect(ada.locator("#invites button").first).to_have_text("Copied")
        ben.goto(ada.locator("#invites input").first.input_value())
        ada.locator("#go").click()
        for page in (ada, ben):
            expect(page.locator("#say")).not_to_be_empty()
        pages = [(page, Clicker(page, seed=5)) for page in (ada, ben)]
        while ada.locator("#log li").count() < 6:
            touched = [clicker.touch_one(page.evaluate(OFFERED)) for page, clicker in pages]
            any(touched) or ada.wait_for_timeout(30)
        expect(ben.locator("#log li").nth(5)).to_be_visible()
        assert (
            "sealed (BGF2, level 1)"
            in ada.request.get(f"{own.url}/api/tables/{ada.url.split('/t/')[1].split('#')[0]}/record").text()
        )
        wrong = [problem for watch in watches for problem in watch.seen]
        assert [each for each in wrong if "Cross-Origin-Opener-Policy header has been ignored" not in each] == []
    finally:
        for context in contexts:
            context.close()
        own.stop()
