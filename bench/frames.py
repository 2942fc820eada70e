"""How smoothly boards move on a slow phone: frames a second while a piece hops without pause, and how late a view is seen.

python bench/frames.py [--checkout FOLDER ...]    default: this one; another is a worktree of another commit

Chromium without a graphics card, a window of 390 x 844 at 3 pixels a unit, the processor slowed four times. The piece hops for
three seconds; each figure is the median of three runs. A view is late by the time from its message to the frame after the one in
which it is drawn: the median and the longest of ten moves.
"""

from __future__ import annotations

import json
import statistics
import time
import urllib.request
from typing import Any

from playwright.sync_api import Browser, Page

from pages import compare_checkouts

GAMES = {"burning_bridges": 5, "forty_bridges": 2, "front_lines": 4, "barricade": 4}  # and their seats
RUNS, MOVES, SLOWER = 3, 10, 4
HOPS = """async () => {
  const node = document.querySelector("#stage .piece");
  const [x, y] = node.getAttribute("transform").match(/-?[\\d.]+/g).map(Number);
  const at = (dx, dy) => ({ transform: `translate(${x + dx}px, ${y + dy}px)` });
  const hop = node.animate([at(0, 0), at(60, -30), at(120, 0)], { duration: 460, iterations: Infinity, direction: "alternate" });
  await new Promise((wait) => setTimeout(wait, 500));
  const times = [];
  await new Promise((done) => {
    const begun = performance.now();
    const step = (now) => {
      times.push(now);
      if (performance.now() < begun + 3000) requestAnimationFrame(step);
      else done();
    };
    requestAnimationFrame(step);
  });
  hop.cancel();
  const between = times.slice(1).map((each, i) => each - times[i]).sort((a, b) => a - b);
  return [1000 * between.length / (times.at(-1) - times[0]), between[Math.floor(0.95 * between.length)]];
}"""
# Keeps how late each view is.
LATE = """(() => {
  window.late = [];
  const Before = WebSocket;
  window.WebSocket = class extends Before {
    set onmessage(hear) {
      super.onmessage = (event) => {
        const begun = performance.now();
        hear(event);
        if (event.data.startsWith('{"t":"view"'))
          requestAnimationFrame(() => requestAnimationFrame(() => window.late.push(performance.now() - begun)));
      };
    }
  };
})()"""


def create_table(address: str, game: str, seats: int) -> dict[str, Any]:
    """A new table of persons."""
    body = {"game": game, "seats": [{"kind": "person"}] * seats, "seed": 3}
    request = urllib.request.Request(f"{address}/api/tables", json.dumps(body).encode(), {"content-type": "application/json"})
    made: dict[str, Any] = json.load(urllib.request.urlopen(request))
    return made


def play(page: Page, address: str, table: dict[str, Any]) -> list[float]:
    """How late the views of some moves are, in milliseconds."""
    from bridgehead.client import Host

    with Host(address).join(table["table"], table["tokens"]) as all_seats:
        for _ in range(MOVES):
            seen = page.evaluate("window.late.length")
            all_seats.play(all_seats.choices[0]["action"])
            until = time.monotonic() + 20
            while page.evaluate("window.late.length") == seen and time.monotonic() < until:
                time.sleep(0.2)
            time.sleep(0.6)
    return [float(each) for each in page.evaluate("window.late")]


def measure(browser: Browser, address: str) -> dict[str, str]:
    """All figures of one server, by game."""
    found = {}
    for game, seats in GAMES.items():
        table = create_table(address, game, seats)
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, device_scale_factor=3, is_mobile=True, has_touch=True
        )
        context.add_init_script(LATE)
        page = context.new_page()
        page.goto(f"{address}/t/{table['table']}#s={'.'.join(table['tokens'])}")
        page.locator("#stage .can").first.wait_for()
        page.wait_for_timeout(3000)
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        runs = [page.evaluate(HOPS) for _ in range(RUNS)]
        frames, longest = (statistics.median(each) for each in zip(*runs, strict=True))
        page.evaluate("window.late = []")
        late = play(page, address, table)
        found[f"{game}: frames a second (95 % within)"] = f"{frames:.0f} ({longest:.0f} ms)"
        found[f"{game}: a view is seen after"] = f"{statistics.median(late):.0f} ms, at most {max(late):.0f}"
        context.close()
    return found


if __name__ == "__main__":
    compare_checkouts(__doc__, measure)
