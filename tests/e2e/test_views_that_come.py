"""Views that come at once: each is sealed, in the order in which they came, and nothing is written several times."""

import pytest

from e2e.conftest import HOLD, Opener, Server, come_true, link, set_table

pytestmark = [pytest.mark.browser, pytest.mark.wide]
PLACE = "document.documentElement.dataset.static ?? '/static'"
# Notes which views the page's part in sealed chance is shown.
NOTE = f"""async () => {{
  const {{ Seals }} = await import(`${{{PLACE}}}/verify/seals.js`);
  window.sealed = [];
  Seals.prototype.look = (view, isFirst) => window.sealed.push([view.v, isFirst, view.log.length]);
}}"""
# Two views in one task: the first one of the connection, and what somebody did in the meantime.
TWICE = """() => {
  const [first] = window.held;
  const view = JSON.parse(first.data);
  const { picture, items, goal, sealed, recent, ...rest } = view;
  const more = [1, 2].map((by) => ({ ...rest, v: view.v + by, logFrom: view.log.length, log: [], patch: { gone: [], put: [] } }));
  for (const each of [view, ...more]) window.hear({ data: JSON.stringify(each) });
  return view.v;
}"""
WORDS = f"""async () => {{
  const {{ Seals }} = await import(`${{{PLACE}}}/verify/seals.js`);
  const seals = new Seals("ELSEWHERE", {{ hello: {{ tokens: [] }}, queue() {{}}, ask() {{}} }});
  seals.checks = {{ opened: {{ number: 1, value: "5c".repeat(32) }}, isAlarmed: false }};
  const sealed = {{ text: "Sealed.", level: 1, eras: [], waiting: [] }};
  for (let i = 0; i < 3; i++) seals.show({{ sealed, you: [0], actor: 0, seats: [{{ kind: "person" }}, {{ kind: "person" }}] }});
  const times = () => seals.line.textContent.split("four words").length - 1;
  while (!times()) await new Promise((wait) => setTimeout(wait, 10));
  await new Promise((wait) => setTimeout(wait, 100));
  return times();
}}"""


def test_two_views_before_the_first_is_drawn_are_sealed_each_once_and_in_their_order(open_page: Opener, server: Server) -> None:
    page = open_page("/rules", script=f"{HOLD}; window.held = []")
    page.goto(server.url + link(set_table(server, "barricade", seats=2), 0, 1), wait_until="commit")
    come_true(page, "window.held?.length > 0")
    page.evaluate(NOTE)
    v = page.evaluate(TWICE)
    come_true(page, "window.sealed.length > 2")
    assert [each[:2] for each in page.evaluate("window.sealed")] == [[v, True], [v + 1, False], [v + 2, False]]


def test_the_four_words_stand_once_in_the_settings_whatever_comes_before_their_list(open_page: Opener, server: Server) -> None:
    page = open_page(link(set_table(server, "forty_bridges"), 0, 1))
    assert page.evaluate(WORDS) == 1
