"""Passkeys in Chromium with a virtual authenticator: added to a profile, used by a browser without it, ended by a new key."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.axe import check
from e2e.conftest import shot
from e2e.test_profiles import made

pytestmark = [pytest.mark.browser, pytest.mark.wide]
DEVICE = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
    "automaticPresenceSimulation": True,
}  # fmt: skip


def look(page: Page, name: str) -> None:
    """Nothing of the page scrolls sideways, and axe finds nothing, on a desk and on a phone. Ends the virtual authenticator."""
    check(page, name)
    for width, height, size in ((1280, 800, "wide"), (360, 740, "narrow")):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing scrolls sideways"
        shot(page, f"{name}_{size}.png", full_page=True)


def kept(page: Page) -> str | None:
    text = page.evaluate("localStorage.getItem('bridgehead.profile')")
    return str(json.loads(text)["key"]) if text else None


def forget(page: Page) -> None:
    page.evaluate("localStorage.clear()")
    page.reload()


def test_a_browser_without_the_profile_gets_it_by_a_passkey(open_page: Any, server: Any) -> None:
    page = open_page("/", expect_errors=True)
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    authenticator = device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})["authenticatorId"]
    page.goto(f"http://localhost:{server.port}/me")
    expect(page.locator("#passkey-in")).to_be_visible()
    page.locator("#passkey-in").click()
    expect(page.locator("#passkey-in-error")).to_contain_text("you cancelled")
    key = made(page, "Ada")
    expect(page.locator("#signing")).to_be_hidden()
    page.locator("#passkey-add").click()
    expect(page.locator("#passkeys li")).to_contain_text("localhost")
    expect(page.locator("#passkey-done")).to_have_text("The passkey is added.")
    page.locator("#passkey-add").click()
    expect(page.locator("#passkey-error")).to_contain_text("has a passkey for this profile already")

    forget(page)
    assert kept(page) is None
    page.locator("#passkey-in").click()
    expect(page.locator("#name")).to_have_value("Ada")
    assert kept(page) == key
    expect(page.locator("#passkeys li")).to_have_count(1)
    device.send("WebAuthn.setUserVerified", {"authenticatorId": authenticator, "isUserVerified": False})
    forget(page)
    page.locator("#passkey-in").click()
    expect(page.locator("#passkey-in-error")).to_contain_text("you cancelled")
    device.send("WebAuthn.setUserVerified", {"authenticatorId": authenticator, "isUserVerified": True})
    page.locator("#passkey-in").click()
    expect(page.locator("#passkeys li")).to_have_count(1)

    page.locator("#renew").click()
    page.locator(".sheet-dialog .btn.main").click()
    expect(page.locator("#renewed")).to_contain_text("new key")
    expect(page.locator("#passkeys li")).to_have_count(0)
    forget(page)
    page.locator("#passkey-in").click()
    expect(page.locator("#passkey-in-error")).to_contain_text("the profile has a new key")
    assert kept(page) is None
    look(page, "me_sign_in")


def test_a_passkey_is_removed_and_the_page_says_what_that_does(open_page: Any, server: Any) -> None:
    page = open_page("/", expect_errors=True)
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    page.goto(f"http://localhost:{server.port}/me")
    made(page, "Ben")
    page.locator("#passkey-add").click()
    expect(page.locator("#passkeys li")).to_have_count(1)
    look(page, "me_passkeys")
    page.locator("#passkeys li .btn").click()
    expect(page.locator("#passkeys li")).to_have_count(0)
    expect(page.locator("#passkey-done")).to_contain_text("ends that")


def test_a_page_without_https_or_a_browser_without_passkeys_has_a_sentence_in_place_of_the_buttons(
    open_page: Any, server: Any
) -> None:
    plain = open_page("/", expect_errors=True)
    plain.goto(f"http://table.lan:{server.port}/me")
    expect(plain.locator("#passkey-in-why")).to_contain_text("begins with https")
    expect(plain.locator("#passkey-in")).to_be_hidden()
    made(plain, "Cem")
    expect(plain.locator("#passkey-why")).to_contain_text("begins with https")
    expect(plain.locator("#passkey-add")).to_be_hidden()
    look(plain, "me_without_https")
    old = open_page("/", expect_errors=True, script="delete window.PublicKeyCredential")
    old.goto(f"http://localhost:{server.port}/me")
    expect(old.locator("#passkey-in-why")).to_contain_text("This browser has no passkeys")
    expect(old.locator("#passkey-in")).to_be_hidden()
