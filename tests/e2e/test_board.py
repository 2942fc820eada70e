"""The board writes only what has changed, and what leaves it is painted under what stays."""

import pytest

from e2e.conftest import Opener

pytestmark = [pytest.mark.browser, pytest.mark.wide]
BOARD = """async () => {
  const { Board } = await import("/static/board/board.js");
  const { startPage } = await import("/static/base/page.js");
  await startPage();
  document.documentElement.dataset.motion = "full";
  const host = document.createElement("div");
  host.style.cssText = "width:600px;height:400px";
  document.body.append(host);
  const map = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const board = new Board(host, { touch() {}, pull() {}, empty() {} }, map);
  const fields = [...Array(40).keys()].map((i) => ({
    id: `f:${i}`, x: 20 + 40 * (i % 10), y: 20 + 40 * Math.floor(i / 10), label: `field ${i}`, parts: [{ d: "M0 0H1" }],
  }));
  board.setPicture({ width: 400, height: 160, ground: [], fields }, "Test");
  const piece = (n, at) => ({
    id: `p:${n}`, at: `f:${at}`, x: fields[at].x, y: fields[at].y, z: 1, label: `piece ${n}`, seat: "b", parts: [{ d: "M0 0H1" }],
  });
  const pieces = [...Array(20).keys()].map((n) => piece(n, n));
  const targets = new Map([["f:30", { kind: "go", count: 1, last: true }]]);
  board.setItems(pieces);
  board.setMarks({ targets });
  while (!board.animator || host.inert) await new Promise((wait) => setTimeout(wait, 20));
  let records = [];
  const observer = new MutationObserver((seen) => records.push(...seen));
  observer.observe(board.things, { attributes: true, childList: true, subtree: true });
  const seen = () => {
    records.push(...observer.takeRecords());
    const of = (type) => records.filter((each) => each.type === type && each.target !== board.under);
    const found = { attributes: of("attributes").length, lists: of("childList").length };
    records = [];
    return found;
  };
  const order = () => [...board.things.querySelectorAll("[data-id]")].map((each) => each.dataset.id);
  return (WORK)({ board, piece, pieces, targets, seen, order });
}"""
SAME = """({ board, pieces, targets, seen }) => {
  board.setItems(pieces);
  board.setMarks({ targets });
  return seen();
}"""
MOVE = """({ board, piece, pieces, seen }) => {
  board.setItems(pieces.map((each, n) => (n === 3 ? piece(3, 30) : each)));
  board.setMarks({ targets: new Map([["f:30", { kind: "go", count: 1, last: true }]]) });
  return seen();
}"""
CAPTURE = """async ({ board, piece, pieces, seen, order }) => {
  const left = pieces.filter((_, n) => n !== 1).map((each) => (each.id === "p:0" ? piece(0, 1) : each));
  const wait = board.setItems(left, [{ item: "p:0", via: ["f:0", "f:1"] }], true);
  const during = order();
  const { lists } = seen();
  await new Promise((done) => setTimeout(done, wait + 100));
  return { wait, lists, during, after: order() };
}"""


def run(open_page: Opener, work: str) -> object:
    page = open_page("/rules")
    return page.evaluate(BOARD.replace("WORK", work))


def test_the_same_position_again_writes_nothing(open_page: Opener) -> None:
    assert run(open_page, SAME) == {"attributes": 0, "lists": 0}


def test_a_move_writes_the_piece_that_moves_alone(open_page: Opener) -> None:
    found = run(open_page, MOVE)
    assert isinstance(found, dict)
    assert found["attributes"] <= 6 and found["lists"] <= 1, found


def test_a_captured_piece_leaves_under_its_captor_and_no_other_is_inserted_again(open_page: Opener) -> None:
    found = run(open_page, CAPTURE)
    assert isinstance(found, dict)
    assert found["wait"] > 100
    during = found["during"]
    assert during.index("p:1") < during.index("p:0"), "the captured piece is painted first"
    assert found["lists"] <= 2, "it moves to the layer of what leaves; all others stay in their places"
    assert "p:1" not in found["after"]
