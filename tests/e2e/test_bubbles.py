"""What somebody says in the chat stands at their seat for some seconds."""

import pytest
from playwright.sync_api import expect

from e2e.conftest import Opener, Server, link, set_table, shot
from e2e.test_pending import PHONES, phone

pytestmark = [pytest.mark.browser, pytest.mark.wide]
# Whether the line lies below its seat, on the screen, and whether the seat's name can be read.
AT_SEAT = """(seat) => {
  const line = document.querySelector('.heard').getBoundingClientRect();
  const card = document.querySelector('#seats').children[seat].getBoundingClientRect();
  return [line.left < card.right && line.right > card.left, line.top >= card.bottom, line.left >= 0 && line.right <= innerWidth];
}"""


@PHONES
def test_a_line_of_the_chat_stands_at_its_seat_for_some_seconds(width: int, open_page: Opener, server: Server) -> None:
    table = set_table(server, "burning_bridges", ("person",) * 5, seats=5)
    ada, ben = open_page(link(table, 4)), open_page(link(table, 0), **phone(width))
    ada.locator("#tab-chat").click()
    say = ada.locator("#chat form input")
    say.fill("Shall we two build a bridge to the middle, and only then fight?")
    say.press("Enter")
    heard = ben.locator(".heard")
    expect(heard).to_have_text("Shall we two build a bridge to the middle, and only then fight?")
    shot(ben, f"bubble_{width}.png")
    assert ben.evaluate(AT_SEAT, 4) == [True, True, True]
    expect(ada.locator(".heard")).to_have_count(0)
    say.fill("Well?")
    say.press("Enter")
    expect(heard).to_have_text("Well?")
    expect(heard).to_have_count(0, timeout=10_000)
    ben.locator("#tab-chat").tap()
    ben.locator("#chat").scroll_into_view_if_needed()
    say.fill("Hello again")
    say.press("Enter")
    expect(ben.locator("#chat .log")).to_contain_text("Hello again")
    expect(heard).to_have_count(0)
