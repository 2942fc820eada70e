"""The board draws once a frame, writes only what has changed, and what leaves it is painted under what stays."""

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
  board.setView({ picture: { width: 400, height: 160, ground: [], fields }, title: "Test" });
  const piece = (n, at) => ({
    id: `p:${n}`, at: `f:${at}`, x: fields[at].x, y: fields[at].y, z: 1, label: `piece ${n}`, seat: "b", parts: [{ d: "M0 0H1" }],
  });
  const pieces = [...Array(20).keys()].map((n) => piece(n, n));
  const targets = new Map([["f:30", { kind: "go", count: 1, last: true }]]);
  board.setView({ items: pieces });
  board.setMarks({ targets });
  while (!board.animator || host.inert) await new Promise((wait) => setTimeout(wait, 20));
  board.draw();
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
  board.setView({ items: pieces });
  board.setMarks({ targets });
  board.draw();
  return seen();
}"""
MOVE = """({ board, piece, pieces, seen }) => {
  board.setView({ items: pieces.map((each, n) => (n === 3 ? piece(3, 30) : each)) });
  board.setMarks({ targets: new Map([["f:30", { kind: "go", count: 1, last: true }]]) });
  board.draw();
  return seen();
}"""
CAPTURE = """async ({ board, piece, pieces, seen, order }) => {
  const left = pieces.filter((_, n) => n !== 1).map((each) => (each.id === "p:0" ? piece(0, 1) : each));
  board.setView({ items: left, traces: [{ item: "p:0", via: ["f:0", "f:1"] }], animate: true });
  const wait = board.draw();
  const during = order();
  const { lists } = seen();
  await new Promise((done) => setTimeout(done, wait + 100));
  return { wait, lists, during, after: order() };
}"""
# Draws are counted where each one puts its marks.
COUNTED = """
  let draws = 0;
  const { drawMarks } = board;
  board.drawMarks = () => { draws += 1; drawMarks.call(board); };
  const at = (n) => board.nodes.get(`p:${n}`).getAttribute("transform");
  const frame = () => new Promise(requestAnimationFrame);
"""
SEVERAL = f"""async ({{ board, piece, pieces, targets }}) => {{
  {COUNTED}
  for (const field of [30, 31, 32]) {{
    const items = pieces.map((each, n) => (n === 3 ? piece(3, field) : each));
    board.setView({{ items, traces: [{{ item: "p:3", via: [board.items.get("p:3").at, `f:${{field}}`] }}], animate: true }});
    board.setMarks({{ targets }});
  }}
  const before = [draws, at(3), board.spot("p:3").x];
  await frame();
  await frame();
  const [animation] = board.nodes.get("p:3").getAnimations();
  const way = animation.effect.getKeyframes().map((each) => each.transform).filter((each) => !each.includes("scale"));
  return {{ before, after: [draws, at(3)], way }};
}}"""
TOUCHED = f"""async ({{ board, piece, pieces, targets }}) => {{
  {COUNTED}
  board.setView({{ items: pieces.map((each, n) => (n === 3 ? piece(3, 30) : each)) }});
  board.setMarks({{ targets }});
  const {{ pick }} = await import("/static/board/pointer.js");
  const found = pick(board, board.spot("p:3"));
  const at_once = [draws, at(3)];
  await frame();
  await frame();
  return {{ found, at_once, after: draws }};
}}"""
HIDDEN = f"""async ({{ board, piece, pieces }}) => {{
  {COUNTED}
  window.requestAnimationFrame = () => 0; // as in a tab that is not seen
  const hide = (on) => Object.defineProperty(document, "hidden", {{ value: on, configurable: true }});
  const move = (field) => board.setView({{ items: pieces.map((each, n) => (n === 3 ? piece(3, field) : each)) }});
  move(30);
  hide(true);
  document.dispatchEvent(new Event("visibilitychange"));
  const waiting = [draws, at(3)];
  move(31);
  move(32);
  await null;
  await null;
  return {{ waiting, later: [draws, at(3)] }};
}}"""
DESTROYED = f"""async ({{ board, piece, pieces, targets }}) => {{
  {COUNTED}
  const {{ root, host }} = board;
  const heard = [];
  board.on = {{ touch: (id) => heard.push(id), pull() {{}}, empty: () => heard.push("empty"), look: () => heard.push("look") }};
  const press = () => {{
    root.dispatchEvent(new PointerEvent("pointerdown", {{ pointerId: 1 }}));
    root.dispatchEvent(new PointerEvent("pointerup", {{ pointerId: 1 }}));
    const key = new KeyboardEvent("keydown", {{ key: "Enter", bubbles: true }});
    root.querySelector("[data-id='f:1']").dispatchEvent(key);
  }};
  press();
  const before = heard.splice(0).length;
  const traces = [{{ item: "p:0", via: ["f:0", "f:1"] }}];
  const left = pieces.filter((_, n) => n !== 1 && n !== 9).map((each) => (each.id === "p:0" ? piece(0, 1) : each));
  board.setView({{ items: left, traces, animate: true }});
  board.draw();
  const moving = board.nodes.get("p:0").getAnimations().length;
  board.setMarks({{ targets }});
  const drawn = draws;
  board.destroy();
  press();
  host.style.width = "500px";
  document.dispatchEvent(new Event("visibilitychange"));
  await new Promise((wait) => setTimeout(wait, 400));
  const still = board.nodes.get("p:0").getAnimations().length;
  const [children, leaving] = [host, board.leaving].map((each) => each.children.length);
  return {{ before, moving, heard, draws: draws - drawn, still, children, leaving }};
}}"""


# Each movement that a scene can ask for: how long it takes, what it changes, and what is left of it after a press.
MOTIONS = """async ({ board, piece, pieces }) => {
  board.nodes.get("f:39").animate([{ opacity: 1 }], { duration: 700, iterations: Infinity }); // has no end to go to
  const running = () => board.root.getAnimations({ subtree: true }).filter(({ effect }) => effect.target.dataset.id !== "f:39");
  const found = {};
  const note = (how) => {
    found[how] = running().map(({ effect }) => [
      effect.getTiming().duration,
      effect.getKeyframes().flatMap((each) => Object.keys(each).filter((name) => !/offset|easing|composite/i.test(name))),
    ]);
    dispatchEvent(new PointerEvent("pointerdown"));
    found[how].push(running().length, board.leaving.children.length);
  };
  for (const how of ["", "leaps", "tips", "lifts", "shrinks", "grows"]) {
    board.setView({ items: pieces });
    board.draw();
    const via = how ? ["f:3", "f:30"] : ["f:3", "f:13", "f:23", "f:30"];
    const items = pieces.map((each, n) => (n === 3 ? piece(3, 30) : each));
    board.setView({ items, traces: [{ item: "p:3", via, how }], animate: true });
    board.draw();
    note(how);
  }
  const thing = (cls, use) => ({ id: "b:1-12", x: 60, y: 40, z: 2, cls, parts: [{ use }] });
  const show = (items) => {
    board.setView({ items, traces: [], animate: true });
    board.draw();
  };
  for (const cls of ["drops", "unrolls", "rises", "flips", "bursts", "rolls", "falls", "fades"]) {
    const changes = /^(flips|bursts|rolls)$/.test(cls);
    const goes = /falls|fades/.test(cls);
    show(changes || goes ? [...pieces, thing(cls, "one")] : pieces);
    dispatchEvent(new PointerEvent("pointerdown"));
    show(goes ? pieces : [...pieces, thing(cls, "other")]);
    note(cls);
    show(pieces);
    dispatchEvent(new PointerEvent("pointerdown"));
  }
  document.documentElement.dataset.motion = "reduce";
  const items = pieces.map((each, n) => (n === 3 ? piece(3, 31) : each));
  board.setView({ items: [...items, thing("drops", "one")], traces: [{ item: "p:3", via: ["f:30", "f:31"] }], animate: true });
  board.draw();
  found.calm = running().length;
  return found;
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


def test_several_views_in_a_frame_are_drawn_once_with_the_movements_of_all(open_page: Opener) -> None:
    found = run(open_page, SEVERAL)
    assert isinstance(found, dict)
    assert found["before"] == [0, "translate(140 20)", 100], "what can be asked of the board is of the newest view at once"
    assert found["after"] == [1, "translate(100 140)"]
    assert found["way"] == [f"translate({x}px, {y}px)" for x, y in ((140, 20), (20, 140), (60, 140), (100, 140))]


def test_a_touch_before_the_frame_finds_what_the_view_shows(open_page: Opener) -> None:
    assert run(open_page, TOUCHED) == {"found": "p:3", "at_once": [1, "translate(20 140)"], "after": 1}


def test_nothing_is_lost_in_a_tab_that_is_hidden(open_page: Opener) -> None:
    found = run(open_page, HIDDEN)
    assert found == {"waiting": [1, "translate(20 140)"], "later": [2, "translate(100 140)"]}


def test_a_board_that_is_destroyed_leaves_no_listener_timer_frame_or_movement(open_page: Opener) -> None:
    found = run(open_page, DESTROYED)
    assert isinstance(found, dict)
    assert found["before"] > 1 and found["moving"] == 1
    assert (found["heard"], found["draws"], found["still"], found["children"]) == ([], 0, 0, 0)
    assert found["leaving"] > 0, "its timers were ended"


def test_each_movement_is_short_moves_nothing_else_and_ends_at_a_press(open_page: Opener) -> None:
    found = run(open_page, MOTIONS)
    assert isinstance(found, dict)
    assert found.pop("calm") == 0, "nothing moves where movement is reduced"
    assert len(found) == 14
    for how, (*animations, left, leaving) in found.items():
        assert len(animations) == 1, how
        for time, changes in animations:
            assert 100 <= time < 400 and set(changes) <= {"transform", "opacity"}, how
        assert (left, leaving) == (0, 0), f"{how} ends at once"
