"""Firefox, driven by WebDriver BiDi, which it speaks (https://www.w3.org/TR/webdriver-bidi/): Playwright has only its own."""

import base64
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from websockets.sync.client import ClientConnection, connect

SETTINGS = {
    "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.disabledForTesting": True, "browser.startup.page": 0, "intl.accept_languages": "en",
    "toolkit.telemetry.reportingpolicy.firstRun": False, "remote.active-protocols": 1,
}  # fmt: skip


def program() -> str:
    names = os.environ.get("BRIDGEHEAD_FIREFOX", ""), "firefox-esr", "firefox"
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, "this test needs Firefox; tools/ensure_firefox.sh says how to get it"
    return found


class Tab:
    """A tab, with the part of Playwright's `Page` that `Clicker` uses."""

    def __init__(self, line: ClientConnection) -> None:
        self._line, self._count = line, 0
        self.problems: list[str] = []
        self._left = set[str]()  # the pages that were left: a browser reports the modules that they were still loading
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self._tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.mouse = self.touchscreen = SimpleNamespace(click=self._click, tap=self._click)

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a command. Errors: AssertionError with the browser's error."""
        self._count += 1
        self._line.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            answer = json.loads(self._line.recv(600))
            if answer.get("method") == "log.entryAdded":
                self._hear(answer["params"])
            if answer.get("id") == self._count:
                assert answer["type"] == "success", (method, answer)
                return answer["result"]

    def _hear(self, entry: dict[str, Any]) -> None:
        if entry["level"] == "error" and entry["source"]["realm"] not in self._left:
            self.problems.append(entry["text"])

    def _leave(self) -> None:
        """What is reported of this page from now on is about what it did not finish."""
        made = self.ask("script.evaluate", expression="0", awaitPromise=False, target={"context": self._tab})
        self._left.add(made["realm"])

    def goto(self, url: str) -> None:
        self._leave()
        self.ask("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def reload(self) -> None:
        """Load the page again. The caller waits for what it shows."""
        self.evaluate("window.before = true")
        self._leave()
        self.ask("browsingContext.reload", context=self._tab, wait="none")
        self.come_true("!window.before && document.readyState === 'complete'")

    def resize(self, width: int, height: int) -> None:
        self.ask("browsingContext.setViewport", context=self._tab, viewport={"width": width, "height": height})

    def shot(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.ask("browsingContext.captureScreenshot", context=self._tab)["data"]))

    def evaluate(self, expression: str, given: Any = None) -> Any:
        """What an expression says, or the function that it is."""
        code = f"""async (given) => {{
            const found = ({expression.strip()});
            return JSON.stringify(await (typeof found === "function" ? found(JSON.parse(given)) : found)) ?? "null";
        }}"""
        made = self.ask(
            "script.callFunction", functionDeclaration=code, awaitPromise=True, target={"context": self._tab},
            arguments=[{"type": "string", "value": json.dumps(given)}],
        )  # fmt: skip
        assert made["type"] == "success", made
        return json.loads(made["result"]["value"])

    def come_true(self, expression: str, seconds: float = 300) -> Any:
        """What an expression says, as soon as that is true. A page that is just changing counts as false."""
        until = time.monotonic() + seconds
        while True:
            try:
                if found := self.evaluate(expression):
                    return found
            except AssertionError as error:
                if time.monotonic() > until:
                    raise
                if "no such" not in str(error) and "abort" not in str(error).lower() and "exception" not in str(error):
                    raise
            assert time.monotonic() < until, (expression, self.problems)
            time.sleep(0.05)

    def wait_for_timeout(self, milliseconds: float) -> None:
        time.sleep(milliseconds / 1000)

    def _click(self, x: float, y: float) -> None:
        actions: list[dict[str, Any]] = [{"type": "pointerMove", "x": int(x), "y": int(y)}]
        actions += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        source = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}
        self.ask("input.performActions", context=self._tab, actions=[source])


@contextmanager
def firefox(profile: Path) -> Iterator[Tab]:
    """A tab of a Firefox without a window, with this folder as its profile."""
    profile.mkdir(exist_ok=True)
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in SETTINGS.items())
    (profile / "user.js").write_text("".join(lines))
    words = [program(), "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", str(profile)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as running:
        assert running.stderr
        found = next(filter(None, (re.search(r"BiDi listening on (ws://\S+)", line) for line in running.stderr)))
        assert found, "Firefox did not start"
        try:
            with connect(f"{found[1]}/session", max_size=1 << 26) as line:
                tab = Tab(line)
                yield tab
                tab.ask("browser.close")
        finally:
            running.terminate()
