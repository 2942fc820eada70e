"""A page catches a server that was changed to cheat: a proxy between them rewrites its messages, with the server's own key.

Each alarm names its draw and stays, no link is sent after it, and `bridgehead verify` reads the file of evidence.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect

from bridgehead.fairness import bgf2, signatures, statements
from bridgehead.fairness.bgf2 import SeatHead, Terms, u32
from bridgehead.terminal import shows, verifier
from e2e.clicker import OFFERED, Clicker
from e2e.conftest import Server, link, post_table, shot, until_wired

pytestmark = [pytest.mark.browser, pytest.mark.wide]
Message = dict[str, Any]
Change = Callable[["Proxy", Message], object]
ALONE = [{"kind": "person", "name": "Ada"}, {"kind": "computer", "level": "random"}]


class Proxy:
    """Sits between a page and its server, and rewrites each view. sent: what the page says of sealed chance."""

    def __init__(self, server: Server, change: Change | None = None) -> None:
        self.server, self.change = server, change
        self.sent: list[Message] = []
        self.eras: dict[int, Message] = {}  # made by `forged`, by number

    def connect(self, page: WebSocketRoute) -> None:
        there = page.connect_to_server()

        def to_page(text: str | bytes) -> None:
            message = json.loads(text)
            if message["t"] == "view" and self.change:
                self.change(self, message)
            page.send(json.dumps(message))

        def to_server(text: str | bytes) -> None:
            message = json.loads(text)
            if message["t"] in ("seal", "reveal"):
                self.sent.append(message)
            there.send(text)

        there.on_message(to_page)
        page.on_message(to_server)

    @property
    def key(self) -> bytes:
        (file,) = (each for each in self.server.data.glob("*.key") if each.name != "host.key")
        return file.read_bytes()

    def forged(self, gid: str, era: Message, **values: Any) -> Message:
        """An era with other values, signed and listed by the server itself."""
        made = era | values
        game, number, level = bytes.fromhex(gid), made["number"], made["level"]
        seats = [SeatHead(source, bgf2.chain_length(level, source), bytes.fromhex(head)) for source, head in made["seats"]]
        root, rules = bytes.fromhex(made["root"]), bytes.fromhex(made["rules"])
        agreed = Terms(game, number, made["first"], rules, root, made["depth"], level, tuple(seats)).transcript
        row = dict(made["listed"])
        after = bgf2.list_link(bytes.fromhex(row["before"]), row["n"], game + u32(number), agreed)
        row |= {"link": after.hex(), "signature": signatures.sign(self.key, bgf2.list_statement(row["n"], after)).hex()}
        signature = signatures.sign(self.key, bgf2.era_statement(game, number, agreed)).hex()
        return made | {"transcript": agreed.hex(), "signature": signature, "listed": row}


class Seat:
    """A page with its proxy in a context of its own."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        self.context, self.server = context, server
        self.page = context.new_page()
        self.page.set_default_timeout(30_000)
        self.proxy = Proxy(server)
        self.page.route_web_socket("**/ws?*", lambda route: self.proxy.connect(route))
        self.page.goto = until_wired(self.page, self.page.goto)  # type: ignore[method-assign]
        self.clicker = Clicker(self.page, seed=3)

    def sit(self, address: str, change: Change | None = None) -> None:
        self.proxy.change, self.proxy.sent, self.proxy.eras = change, [], {}
        self.page.goto(self.server.url + address)

    def new(self, level: int = 1, seats: list[Message] | None = None) -> Message:
        return post_table(self.server, "barricade", seats or ALONE, options={"board": "mini", "seats": 2}, level=level)

    def play(self) -> None:
        """Click until the page shows an alarm, a few decisions at most."""
        for _ in range(400):
            if self.page.locator("#alarm").is_visible():
                return
            self.clicker.touch_one(self.page.evaluate(OFFERED)) or self.page.wait_for_timeout(20)
        raise AssertionError("no alarm")


def expect_four_words(page: Page) -> None:
    """Once they are drawn, the settings have them as soon as they are opened."""
    expect(page.locator("#stage .can").first).to_be_visible()
    page.locator("[data-settings]:visible").first.click()
    expect(page.locator("#chance")).to_contain_text("The four words:")
    expect(page.locator("#settings")).to_be_visible()  # the line is there before the dialog opens
    page.keyboard.press("Escape")
    expect(page.locator("#settings")).to_be_hidden()


@pytest.fixture(scope="module")
def seat(browser: Browser, server: Server) -> Iterator[Seat]:
    """One page for all cheats: it knows the server's key from its first table."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", accept_downloads=True)
    seated = Seat(context, server)
    table = seated.new()
    seated.page.goto(server.url + link(table, 0))
    expect_four_words(seated.page)
    expect(seated.page.locator("#words")).to_be_hidden()  # nobody elsewhere could compare them
    expect(seated.page.locator("#alarm")).to_be_hidden()
    seated.other = seated.page.evaluate(GID, table["table"])  # type: ignore[attr-defined]
    yield seated
    context.close()


GID = "(table) => JSON.parse(localStorage.getItem(`bridgehead.sealed.${table}`)).kept.gid"


def evidence(page: Page, folder: Path) -> Path:
    """The file that the page offers."""
    with page.expect_download() as download:
        page.locator("#evidence").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def frozen(view: Message) -> list[Message]:
    return [era for era in view.get("sealed", {}).get("eras", []) if era["transcript"]]


def decoy_head(proxy: Proxy, view: Message) -> None:
    for era in frozen(view):
        seats = [[0, "00" * 32], *era["seats"][1:]]
        era |= proxy.forged(view["sealed"]["gid"], era, seats=seats)


def other_outcome(proxy: Proxy, view: Message) -> None:
    for draw in view.get("draws", []):
        if draw["index"] == 2:
            draw["outcome"] = (draw["outcome"] + 1) % len(draw["weights"])


def other_weights(proxy: Proxy, view: Message) -> None:
    """Another outcome, which can never come, so that what was sealed still follows."""
    for draw in view.get("draws", []):
        if draw["index"] == 2:
            draw["weights"].append(0)


def fewer_choices(proxy: Proxy, view: Message) -> None:
    if len(view.get("choices", [])) > 1 and len(proxy.sent) > 1:
        view["choices"].pop()


def left_out(proxy: Proxy, view: Message) -> None:
    for draw in view.get("draws", []):
        if draw["index"] == 1:
            draw["links"] = []


def late_link(proxy: Proxy, view: Message) -> None:
    for era in frozen(view):
        if era["asked"] and era["asked"]["e"] == 1:
            era["asked"]["e"] = 600


def late_link_of_a_faked_log(proxy: Proxy, view: Message) -> None:
    for era in frozen(view):
        if era["asked"] and era["asked"]["e"] == 1:
            era["asked"]["e"] = 600
            line = {"n": 1, "actor": -1, "text": "rolled"}
            view |= {"log": [line] * 600, "logFrom": 0}


def no_signature(proxy: Proxy, view: Message) -> None:
    for era in frozen(view):
        era["signature"] = ""


def other_key(proxy: Proxy, view: Message) -> None:
    if "sealed" in view:
        view["sealed"]["server"] = signatures.public_key(b"another key of thirty-two bytes!").hex()


def second_transcript(proxy: Proxy, view: Message) -> None:
    for era in frozen(view):
        if era["opening"]:
            era |= proxy.forged(view["sealed"]["gid"], era, root="11" * 32)


def unsealed(proxy: Proxy, view: Message) -> None:
    if "sealed" in view and any(era["opening"] for era in frozen(view)):
        view["sealed"] = {"level": 0, "practice": False, "text": "", "waiting": [], "eras": []}


# What the server does, the level, the beginning of the alarm, and how many messages about its chain the page has sent until then:
# its head, its first link, and one for each draw of level 2.
CHEATS: list[tuple[Change, int, str, int]] = [
    (decoy_head, 1, "Alarm at draw 1: the server recorded another seal", 1),
    (no_signature, 1, "Alarm at draw 1: the server did not sign", 1),
    (other_key, 1, "Alarm at draw 1: the server does not show the key", 0),
    (second_transcript, 1, "Alarm at draw 1: the server shows a second transcript", 2),
    (unsealed, 1, "Alarm at draw 1: the server", 2),
    (other_outcome, 1, "Alarm at draw 3: its outcome does not follow", 2),
    (left_out, 2, "Alarm at draw 2: other seats took part", 4),
    (late_link, 2, "Alarm at draw 601: the server asks for a link", 3),
    (late_link_of_a_faked_log, 2, "Alarm at draw 1: the log contains an action that the rules do not allow", 3),
    (other_weights, 1, "Alarm at draw 3: the server lies about what chance could show", 2),
    (fewer_choices, 1, "the actions that the server offers are not those of the rules", 2),
]


@pytest.mark.parametrize(("change", "level", "alarm", "sent"), CHEATS, ids=lambda each: getattr(each, "__name__", ""))
def test_each_cheat_raises_an_alarm_that_stays_with_evidence(
    change: Change, level: int, alarm: str, sent: int, seat: Seat, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, table = seat.page, seat.new(level)
    seat.sit(link(table, 0), change)
    seat.play()
    expect(page.locator("#alarm p").first).to_contain_text(alarm)
    assert len(seat.proxy.sent) == sent, seat.proxy.sent
    if change is other_outcome:
        shot(page, "alarm.png")
        page.set_viewport_size({"width": 360, "height": 740})
        shot(page, "alarm_phone.png")
        page.set_viewport_size({"width": 1280, "height": 800})
    file = evidence(page, tmp_path)
    kept = statements.read(file.read_bytes())
    assert [each.text for each in kept.alarms] == [page.locator("#alarm p").first.inner_text()]
    assert b"seeds" not in file.read_bytes()
    assert not shows.verify_proofs([file], [], as_json=False)
    assert alarm in capsys.readouterr().out
    seat.proxy.change = None  # the server is honest again: the page has seen enough
    page.reload()
    expect(page.locator("#alarm p").first).to_contain_text(alarm)
    page.wait_for_timeout(300)
    assert len(seat.proxy.sent) == sent, "nothing more is revealed"


def test_an_era_of_another_table_is_an_alarm(seat: Seat) -> None:
    def replay(proxy: Proxy, view: Message) -> None:
        if "sealed" in view:
            view["sealed"]["gid"] = seat.other  # type: ignore[attr-defined]

    seat.sit(link(seat.new(), 0), replay)
    expect(seat.page.locator("#alarm p").first).to_contain_text(
        "Alarm at draw 1: the server shows the identifier of another game"
    )
    assert seat.proxy.sent == []


def test_two_stories_to_two_pages_are_proved_by_their_files(
    seat: Seat, browser: Browser, server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def other_story(proxy: Proxy, view: Message) -> None:
        """From the freeze on, this page sees an era over other keys, in which its own seal stands."""
        for era in frozen(view):
            era |= proxy.forged(view["sealed"]["gid"], era, root="22" * 32)

    table = seat.new(seats=[{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}])
    ben = Seat(browser.new_context(accept_downloads=True), server)
    seat.sit(link(table, 0))
    ben.sit(link(table, 1), other_story)
    expect(ben.page.locator("#alarm p").first).to_contain_text("Alarm at draw 1: its key does not belong")
    words = [each.page.evaluate(KEPT_WORDS, table["table"]) for each in (seat, ben)]
    assert words[0] != words[1], "and their words would have differed"
    two = evidence(ben.page, tmp_path)
    proof = tmp_path / "proof.json"
    proof.write_bytes(seat.page.request.get(f"{server.url}/api/tables/{table['table']}/proof").body())
    assert not shows.verify_proofs([proof, two], [], as_json=False)
    said = capsys.readouterr().out
    assert "two" in said
    page = ben.context.new_page()
    verifier.write_verifier(tmp_path / "verifier.html")
    page.goto((tmp_path / "verifier.html").as_uri())
    page.set_input_files("#file", [proof, two])
    expect(page.locator("#verdict")).to_contain_text("Broken")
    expect(page.locator("#results")).to_contain_text("signed two transcripts for part 1 of one game")
    shot(page, "verifier_stories.png", full_page=True)
    page.set_viewport_size({"width": 360, "height": 740})
    shot(page, "verifier_phone.png", full_page=True)
    ben.context.close()


KEPT_WORDS = "(table) => JSON.parse(localStorage.getItem(`bridgehead.sealed.${table}`)).kept.eras[0].transcript"


def test_a_new_key_is_trusted_where_the_user_says_so_and_a_page_without_storage_names_it(seat: Seat) -> None:
    page, table = seat.page, seat.new()
    seat.sit(link(table, 0), other_key)
    page.locator("#alarm button").click()
    seat.proxy.change = None  # the key that the host announced
    expect_four_words(page)
    expect(page.locator("#alarm")).to_be_hidden()
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } })")
    seat.sit(link(seat.new(), 0))
    page.locator("[data-settings]:visible").first.click()
    expect(page.locator("#chance")).to_contain_text("This browser stores nothing")
