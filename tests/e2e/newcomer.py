"""A person who has never seen the games: reads the page, presses what it names, touches where a mark is, knows no more.

`python tests/e2e/newcomer.py URL` prints the clicks and words from the home page of a server to the first move, for each game.
"""

import json
import random
import re
import sys
import time
from typing import Any, NamedTuple

from playwright.sync_api import Page

from e2e.conftest import HAND, PATIENCE, QUIET, chromium

# The marks that say "here", as shapes on the screen: dots, rings, triangles, discs with a piece drawn again. What lies over them
# cannot be touched.
MARKS = """() => {
  const stage = document.querySelector('#stage');
  return [...stage.querySelectorAll('.m-ring, .m-pearl, .m-open, .m-warn, .m-take, .fan')].flatMap((node) => {
    const {x, y, width, height} = node.getBoundingClientRect(), at = [x + width / 2, y + height / 2];
    return stage.contains(document.elementFromPoint(...at)) ? [at] : [];
  });
}"""
# The number of words within the window, as a reader sees them.
WORDS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  let words = 0;
  for (let node; (node = walker.nextNode());) {
    const around = node.parentElement;
    if (!around.checkVisibility({visibilityProperty: true}) || around.closest('.hidden, option, svg')) continue;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width && box.bottom > 0 && box.top < innerHeight) words += node.textContent.split(/\\s+/).filter(Boolean).length;
  }
  return words;
}"""
# Buttons beside the board that are worth a try, by their words; what ends the visit, steps back or begins another game is not.
KEYS = """() => [...document.querySelectorAll('.prompt button')].filter((node) => {
  const other = ['undo', 'takeback', 'asking', 'advise', 'share'].includes(node.id) || node.closest('#people, #after');
  return !node.disabled && node.ariaDisabled !== 'true' && !other && node.checkVisibility();
}).map((node) => node.innerText.trim())"""
# The middle of a button beside the board by its words, brought into sight; null if it has gone.
PLACE = """(words) => {
  const node = [...document.querySelectorAll('.prompt button')].find((each) => each.innerText.trim() === words);
  node?.scrollIntoView({block: 'nearest'});
  const {x, y, width, height} = node?.getBoundingClientRect() ?? {};
  return node ? [x + width / 2, y + height / 2] : null;
}"""
# The middles of a tutorial's buttons for moves, as far as they are on the screen.
OFFERS = """() => [...document.querySelectorAll('#buttons button, #choices button')].flatMap((node) => {
  const {x, y, width, height} = node.getBoundingClientRect(), at = [x + width / 2, y + height / 2];
  return !node.disabled && node.contains(document.elementFromPoint(...at)) ? [at] : [];
})"""
# Does the tutorial's text or its hint name what is at a place, by a word with a digit or a capital letter, or the button's words?
NAMED = """(at) => {
  const said = ['#text', '#why'].map((id) => document.querySelector(id).textContent).join(' ');
  const disc = [...document.querySelectorAll('#stage [data-fan]')].find((each) => {
    const {x, y, width, height} = each.querySelector('.fan').getBoundingClientRect();
    return Math.hypot(x + width / 2 - at[0], y + height / 2 - at[1]) < 2;
  });
  const thing = disc ? document.querySelector(`#stage [data-id="${disc.dataset.fan}"]`)
    : document.elementFromPoint(...at)?.closest('[data-id], button');
  const words = (thing?.ariaLabel ?? thing?.textContent ?? '').match(/\\b(?=\\w*[A-Z0-9])\\w+/g) ?? [];
  return words.some((word) => new RegExp(`\\\\b${word}\\\\b`, 'i').test(said));
}"""
TRIES = 12  # touches in a step until a pupil asks
LATE = PATIENCE / 1000  # seconds for which nothing may happen
SLOW = 3  # seconds that a click may take to show
MOST = 4000  # clicks after which a game should be over


class First(NamedTuple):
    """The way to the first move: clicks, and the words on the screens that were read."""

    clicks: int
    words: int


class Newcomer:
    """Plays one page with the mouse. `clicks` and `words` count the way, `actions` what the page sent as moves."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page, self.lot = page, random.Random(seed)
        self.clicks = self.words = self.actions = 0
        page.on("websocket", lambda socket: socket.on("framesent", self._sent))

    def _sent(self, frame: str | bytes) -> None:
        self.actions += json.loads(frame)["t"] == "act"

    def read(self) -> None:
        self.words += int(self.page.evaluate(WORDS))

    def start(self, title: str) -> None:
        """From the home page to a game against the computer, by the words on the buttons."""
        self.read()
        card = self.page.get_by_role("article").filter(has=self.page.get_by_role("heading", name=title, exact=True))
        card.get_by_role("link", name="Play").click()
        self.clicks += 1
        easy = self.page.get_by_role("group", name="How strong?").get_by_role("button").first
        begin = self.page.get_by_role("button", name="Start", exact=True)
        easy.or_(begin).first.wait_for()
        if begin.count():
            self.read()
            self.page.locator("#start:enabled").wait_for()
            begin.click()
        else:
            self.page.locator(".ways[open] > :not([inert])").wait_for()
            self.page.wait_for_timeout(HAND)
            easy.click()
        self.clicks += 1
        self.page.locator("#say").wait_for()

    def lines(self) -> int:
        """The lines of the log that the page shows."""
        return self.page.locator("#log li").count()

    def over(self) -> bool:
        return self.page.get_by_role("link", name="Replay").and_(self.page.locator(".prompt a")).first.is_visible()

    def waits(self) -> bool:
        """Does the page say that it is another player's turn?"""
        told = self.page.locator("#say").inner_text()
        return re.search(r"^Waiting for| is to | has ", told) is not None and not told.startswith("You")

    def touch(self) -> bool:
        """Touch a mark or press a key of the game, unless the page waits for another player; whether there was one."""
        if self.waits():
            return False
        marks, lines = self.seen()
        keys = [key for key in self.page.evaluate(KEYS) if len(key) > 1]
        if "Confirm" in keys and not marks:
            keys = ["Confirm"]
        if not marks and not keys:
            return False
        at_board = marks and (not keys or self.lot.random() < 0.9)
        place = self.choice(marks) if at_board else self.page.evaluate(PLACE, self.lot.choice(keys))
        if place is None:
            return False
        self.page.wait_for_timeout(HAND)
        if self.seen() != (marks, lines):  # the table moved on meanwhile
            return False
        self.page.mouse.click(*place)
        self.clicks += 1
        until = time.monotonic() + SLOW  # a person looks what the click has done before the next one
        while self.seen() == (marks, lines) and time.monotonic() < until:
            self.page.wait_for_timeout(30)
        return True

    def choice(self, marks: list[list[float]]) -> list[float]:
        """A mark by lot; often one that lies in the direction that the page names as the goal."""
        goal = self.page.locator("#goal-text").text_content() or ""
        side = "top" in goal, "bottom" in goal
        if any(side) and self.lot.random() < 0.7:
            return sorted(marks, key=lambda at: at[1])[0 if side[0] else -1]
        return self.lot.choice(marks)

    def seen(self) -> tuple[list[Any], int]:
        """The marks on the board and the number of lines in the log."""
        return self.page.evaluate(MARKS), self.lines()

    def first_move(self) -> First:
        """Play until the page has sent a move and the log is longer."""
        self.until(lambda: not self.waits() and bool(self.page.evaluate(MARKS) or self.page.evaluate(KEYS)), idle=True)
        self.read()
        before = self.lines()
        self.until(lambda: self.actions > 0 and self.lines() > before)
        return First(self.clicks, self.words)

    def play(self) -> int:
        """Play to the end of the game; the number of clicks."""
        self.until(self.over)
        return self.clicks

    def until(self, reached: Any, idle: bool = False) -> None:
        """Touch things (or, idle, wait) until that is so. An assertion fails when the page stands still for long."""
        moved, seen = time.monotonic(), -1
        while not reached():
            assert self.clicks < MOST, "the game takes too long"
            if (lines := self.lines()) != seen:
                moved, seen = time.monotonic(), lines
            assert time.monotonic() - moved < LATE, ("nothing happens", self.page.locator("#say").inner_text())
            if idle or not self.touch():
                self.page.wait_for_timeout(50)


class Pupil:
    """Plays a tutorial with a finger, on what the screen shows without scrolling. asked: actions that it had to be shown."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page, self.lot = page, random.Random(seed)
        self.taught = self.asked = 0

    def learn(self) -> None:
        """Play to the last step: touch marks by lot, press what the page offers, and ask for a hint where that leads nowhere."""
        step, tried = "", 0
        while True:
            number = self.page.locator("#count").inner_text()
            if number != step:
                step, tried, self.taught = number, 0, self.taught + 1
                assert self.page.evaluate("scrollY") == 0
            if self.page.locator("#first").is_visible():
                return
            if self.page.locator("#next").is_enabled():
                self.press("#next")
            elif tried < TRIES and (places := self.places()):
                if tried == TRIES // 3:
                    self.press("#help")  # it says in words what to do
                    self.page.wait_for_timeout(HAND)
                    places = self.places()
                self.page.touchscreen.tap(*self.lot.choice(places))
                tried += 1
            else:
                self.press("#help")
                self.page.wait_for_timeout(HAND)
                self.press("#help")  # the first tells it, the second shows it
                self.asked += 1
            self.page.wait_for_timeout(HAND)

    def press(self, button: str) -> None:
        """Tap a button that the screen shows."""
        box = self.page.locator(button).bounding_box()
        size = self.page.viewport_size
        assert box and size and box["y"] + box["height"] <= size["height"], (button, box)
        self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def places(self) -> list[list[float]]:
        """The marks on the board and the game's own buttons on the screen; only those that the text names, if it names any."""
        places = [*self.page.evaluate(MARKS), *self.page.evaluate(OFFERS)]
        return [place for place in places if self.page.evaluate(NAMED, place)] or places


def main(url: str) -> None:
    """Measure each game on a server."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        for title in ("Burning Bridges", "40 Bridges", "The Front Lines", "Barricade"):
            page = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce").new_page()
            page.goto(url)
            page.wait_for_selector("#join:not([inert])")
            visitor = Newcomer(page)
            visitor.start(title)
            way = visitor.first_move()
            print(f"{title}: {way.clicks} clicks, {way.words} words", flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
