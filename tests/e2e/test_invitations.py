"""Links that live: a server on this machine lets its network in by one click, and a guest by such a link takes the seat."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from bridgehead.server.connections import network as networks
from bridgehead.server.connections.network import LocalNetwork
from e2e.conftest import Opener, Server, link, post_table, shot
from server.live import Live

pytestmark = [pytest.mark.browser, pytest.mark.wide]
HOME = "127.0.0.9"  # stands for this machine's address in its home network
COMMAND = "bridgehead serve --host 0.0.0.0 --port 8000"
SECRET = "s" * 32


@pytest.fixture
def lone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    """A server on loopback, as the command starts it."""
    monkeypatch.setattr(networks, "own_addresses", lambda: [HOME])
    running = Live(tmp_path, network=LocalNetwork("", COMMAND, SECRET))
    yield running
    running.stop()


@pytest.fixture
def people(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Browsers of different people."""
    contexts: list[BrowserContext] = []

    def come(width: int = 1280, height: int = 800, **settings: bool) -> BrowserContext:
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **settings))
        return contexts[-1]

    yield come
    for context in contexts:
        context.close()


def invite(page: Page, url: str) -> None:
    """Set a table for two and see its links."""
    page.goto(f"{url}/new/forty_bridges?mode=invite")
    page.locator("#start").click()
    expect(page.locator("#links")).to_be_visible()


def test_one_click_lets_the_network_in_and_a_guest_takes_the_seat_and_gets_a_name(
    lone: Live, people: Callable[..., BrowserContext]
) -> None:
    own = people()
    host = own.new_page()
    host.goto(f"{lone.url}/#network={SECRET}")
    expect(host.locator("#join")).not_to_have_attribute("inert", "")
    host.wait_for_url(f"{lone.url}/")  # the secret has left the address
    invite(host, lone.url)
    expect(host.locator("#invites .qr")).to_have_count(0)
    expect(host.locator("#invites input").first).to_be_hidden()
    host.get_by_role("button", name="Let others in my network join").click()
    expect(host.locator("#invites .qr")).to_have_count(2)
    links = [field.input_value() for field in host.locator("#invites input").all()]
    assert all(each.startswith(f"http://{HOME}:{lone.app.state.network.port}/t/") for each in links)
    shot(host, "network_open.png")
    host.locator("#go").click()
    guest = people(360, 740, has_touch=True, is_mobile=True).new_page()
    guest.goto(links[0])
    expect(guest.locator("#seats")).to_contain_text("You")
    field = guest.get_by_label("Your name")
    expect(field).to_have_value("Guest Blue")
    shot(guest, "naming.png")
    expect(host.locator("#stage .can").first).to_be_visible()
    field.fill("Zoé")
    guest.get_by_role("button", name="That is me").tap()
    for page in (host, guest):
        expect(page.locator("#seats")).to_contain_text("Zoé" if page is host else "You")
    expect(guest.locator(".naming")).to_have_count(0)
    expect(host.locator(".naming")).to_have_count(0)  # the host chose no name on purpose
    stranger = people().new_page()  # the same machine, without the secret
    stranger.goto(f"{links[0].split('/t/')[0]}/new/forty_bridges?mode=invite")
    stranger.locator("#start").click()
    expect(stranger.locator("#invites .qr")).to_have_count(2)
    expect(stranger.get_by_role("button", name="Close it to others again")).to_have_count(0)
    host.go_back()
    host.get_by_role("button", name="Close it to others again").click()
    expect(host.get_by_role("button", name="Let others in my network join")).to_be_visible()
    expect(host.locator("#invites .qr")).to_have_count(0)


def test_a_page_without_the_secret_lets_the_network_in_by_a_number_on_the_terminal(
    lone: Live, people: Callable[..., BrowserContext]
) -> None:
    codes: list[str] = []
    lone.app.state.network.asked = codes.append
    host = people(390, 844).new_page()
    invite(host, lone.url)
    notice = host.locator(".alone")
    expect(notice).not_to_contain_text("Ctrl")
    press = notice.get_by_role("button", name="Let others in my network join")
    press.click()
    field = host.get_by_label("Number")
    expect(field).to_be_focused()
    shot(host, "network_number.png")
    field.fill(f"{(int(codes[0]) + 1) % 10**6:06}")
    press.click()
    expect(host.locator(".alone .problem")).to_be_visible()
    press.click()
    expect(field).to_be_focused()
    field.fill(codes[1])
    press.click()
    expect(host.locator("#invites .qr")).to_have_count(2)
    host.get_by_role("button", name="Close it to others again").click()  # with the same number
    expect(press).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (360, 740)])
def test_whoever_waits_has_the_code_the_link_and_its_picture_at_the_table(
    size: tuple[int, int], lone: Live, people: Callable[..., BrowserContext]
) -> None:
    lone.app.state.network.base = there = f"http://{HOME}:8000"
    host = people(*size).new_page()
    invite(host, lone.url)
    code = host.locator("#table-code").inner_text()
    host.locator("#go").click()
    fold = host.locator(".inviting")
    expect(fold.locator("summary")).to_have_text(f"Invite Blue with the code {code}")
    fold.locator("summary").click()
    expect(fold.locator(".qr")).to_be_visible()
    expect(fold.get_by_role("textbox")).to_have_value(re.compile(f"^{re.escape(there)}/t/[A-Z]+$"))
    fold.scroll_into_view_if_needed()
    assert host.evaluate("document.documentElement.scrollWidth") <= size[0]
    shot(host, f"inviting_{size[0]}.png")
    guest = people().new_page()
    guest.goto(f"{lone.url}/t/{code}")
    guest.get_by_role("button", name="Sit down").first.click()
    guest.locator("#people-menu").get_by_role("button", name="Sit down").click()
    expect(fold).to_have_count(0)


def test_a_machine_in_no_network_says_so_with_the_command(
    lone: Live, people: Callable[..., BrowserContext], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(networks, "own_addresses", list)
    host = people(360, 740).new_page()
    host.goto(f"{lone.url}/#network={SECRET}")
    host.wait_for_url(f"{lone.url}/")
    invite(host, lone.url)
    host.get_by_role("button", name="Let others in my network join").click()
    expect(host.locator(".alone")).to_contain_text("in no network that others could use")
    expect(host.get_by_label("Command")).to_have_value(COMMAND)
    expect(host.locator("#invites .qr")).to_have_count(0)
    shot(host, "network_none.png")


def test_a_page_without_the_secret_shows_the_command_and_links_for_this_device(
    lone: Live, people: Callable[..., BrowserContext]
) -> None:
    page = people().new_page()
    invite(page, lone.url)
    expect(page.get_by_role("button", name="Let others in my network join")).to_have_count(0)
    expect(page.get_by_label("Command")).to_have_value(COMMAND)
    page.get_by_text("Links for other windows on this device").click()
    expect(page.locator("#invites input").last).to_be_visible()


def test_a_guest_who_wants_no_name_plays_without_one(open_page: Opener, server: Server) -> None:
    table = post_table(server, "forty_bridges", [{"kind": "person", "name": "Ada"}, {"kind": "person"}], seed=11)
    guest = open_page(link(table, 1))
    guest.get_by_role("button", name="Not now").click()
    expect(guest.locator(".naming")).to_have_count(0)
    expect(guest.locator("#seats")).to_contain_text("You")
