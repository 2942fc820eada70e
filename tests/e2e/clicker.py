"""A person at the page: touches what lights up, presses what can be pressed, and nothing else."""

import random
import time
from collections.abc import Callable

from playwright.sync_api import Page

from e2e.conftest import PATIENCE

# What can be touched now, read from the page as a person sees it: lit things, enabled buttons, offered choices.
OFFERED = """() => {
  const free = (node) => !node.disabled && node.ariaDisabled !== "true" && node.getClientRects().length > 0;
  const told = (kind, nodes) => nodes.filter(free).map((n) => [kind, n.textContent, n.textContent]);
  const all = (where) => [...document.querySelectorAll(where)];
  return {
    lit: all('#stage .can[data-id]').map((n) => ['thing', n.dataset.id, n.getAttribute('aria-label')]),
    keys: told('button', all('#buttons button, #extra button, #confirm')),
    list: told('choice', all('#choices button')),
    over: all('.prompt a[href*="replay"]').filter(free).length > 0,
    log: all('#log li').length,
    say: document.querySelector('#say').textContent,
  };
}"""

# Where a finger finds a thing of the board: where it is drawn again, large, else on itself.
SPOT = """(id) => {
  const fan = document.querySelector(`#stage [data-fan="${id}"] .fan`);
  const {e, f} = document.querySelector(`#stage [data-id="${id}"]`).getScreenCTM();
  const {x, y, width, height} = fan ? fan.getBoundingClientRect() : {x: e, y: f, width: 0, height: 0};
  return [x + width / 2, y + height / 2];
}"""

# Where to touch it. What lies beside the part of the board that is seen is brought into sight first: a finger on it would touch
# what lies there (the menu of a seat, say). A place at which something else lies is none.
TOUCH = """([kind, key]) => {
  const board = document.querySelector('#stage');
  const root = kind === 'button' ? '#buttons button, #extra button, #confirm' : '#choices button';
  const node = kind === 'thing' ? board.querySelector(`[data-id="${key}"]`)
    : [...document.querySelectorAll(root)].find((n) => n.textContent === key && !n.disabled && n.ariaDisabled !== "true");
  if (!node) return null;
  const place = () => {
    if (kind === 'thing') return (SPOT)(key);
    const box = node.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const hit = () => (kind === 'thing' ? board : node).contains(document.elementFromPoint(...place()));
  if (kind !== 'thing') node.scrollIntoView({block: 'nearest'});
  else if (!hit()) {
    node.focus({preventScroll: true});
    node.scrollIntoView({block: 'center'});
  }
  return hit() ? place() : null;
}""".replace("SPOT", SPOT)

# Where to touch it, and only it: should the page move on between the look and the touch, something else may lie there by then (at
# the end of a game a link to another one), and a hand that sees it is held back.
AIM = """(aim) => {
  const place = (TOUCH)(aim), [kind, key] = aim;
  const meant = ({target}) => kind === 'thing' ? target.closest?.('#stage svg') : target.closest?.('button')?.textContent === key;
  const held = (event) => {
    if (meant(event)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  window.aiming = new AbortController();
  for (const type of place ? ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'touchstart', 'touchend', 'click'] : [])
    addEventListener(type, held, {capture: true, passive: false, signal: window.aiming.signal});
  return place;
}""".replace("TOUCH", TOUCH)

# The board draws in the next frame; a person sees nothing before it.
FRAME = "new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))"
STANDS = PATIENCE / 1000  # seconds for which a game may stand still
MOST = 3000  # clicks after which a game should be over


def drag(page: Page, one: str, other: str) -> None:
    """Drag a thing of the board to another one."""
    start, end = (page.evaluate(TOUCH, ["thing", thing]) for thing in (one, other))
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


class Clicker:
    """Plays one page by mouse (or touch) until the game is over. `prefer`: words of buttons and choices to press first."""

    def __init__(
        self, page: Page, seed: int = 1, prefer: tuple[str, ...] = (), avoid: tuple[str, ...] = (), finger: bool = False
    ) -> None:
        self.page, self.rng, self.prefer, self.avoid = page, random.Random(seed), prefer, avoid
        self.press = page.touchscreen.tap if finger else page.mouse.click
        self.clicks = 0

    def play(self) -> int:
        """Play to the end; the number of clicks. An assertion fails when nothing can be touched for long."""
        moved = time.monotonic()
        while True:
            offered = self.page.evaluate(OFFERED)
            if offered["over"]:
                return self.clicks
            assert self.clicks < MOST, ("the game takes too long", offered["say"])
            if self.touch_one(offered):
                moved = time.monotonic()
            else:
                assert time.monotonic() - moved < STANDS, ("nothing to touch", offered)
                self.page.wait_for_timeout(30)

    def until(self, reached: Callable[[], bool]) -> None:
        """Touch things until that is so, or the game is over. An assertion fails when nothing happens at the table for long."""
        moved, logged = time.monotonic(), -1
        while not reached():
            offered = self.page.evaluate(OFFERED)
            if offered["over"]:
                return
            if offered["log"] != logged:
                moved, logged = time.monotonic(), offered["log"]
            assert time.monotonic() - moved < STANDS, ("nothing happens", self.clicks, offered)
            if not self.touch_one(offered):
                self.page.wait_for_timeout(30)

    def touch_one(self, offered: dict) -> bool:  # type: ignore[type-arg]
        """Touch one of the things offered; whether there was one."""
        options = [*offered["keys"], *offered["list"]] if not offered["lit"] else [*offered["lit"], *offered["keys"]]
        options = options or offered["list"]
        wanted = [
            o for word in self.prefer for o in [*offered["keys"], *offered["list"], *offered["lit"]] if word in (o[2] or "")
        ]
        allowed = [o for o in options if not any(word in (o[2] or "") for word in self.avoid)] or options
        if not (wanted or allowed):
            return False
        kind, key, _ = wanted[0] if wanted else self.rng.choice(allowed)
        place = self.page.evaluate(AIM, [kind, key])
        if place is None:  # the table moved on between looking and touching, or something lies on it
            return False
        self.press(*place)
        self.page.evaluate("window.aiming.abort()")
        self.clicks += 1
        self.page.evaluate(FRAME)
        return True
