"""Whatever several pages do at a table, in whatever order: their histories are one history, and what was confirmed is in it.

The model is a match played beside the server, from the answers alone. Every page's every view has to be what the model
was at that version; every answer has to be the one that the model expects.
"""

import contextlib
import json
import secrets
import socket
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from bridgehead.core import registry
from bridgehead.core.match import Match
from server.live import Live, Page

pytestmark = pytest.mark.wide
SEATS = [(0, 1), (0, 1), (0,), (1,), ()]
RULES = {"firstPlayer": "seat0"}  # without chance, and with turns of several decisions, which can be taken back
NUMBER = st.integers(0, 10_000)


class Wire(RuleBasedStateMachine):
    """A table of Burning Bridges and those who come to it."""

    live: ClassVar[Live]
    pages = Bundle("pages")

    def __init__(self) -> None:
        super().__init__()
        self.table = self.live.table("burning_bridges", **RULES)
        self.model = Match(registry.game("burning_bridges", seats=2, **RULES))
        self.keys: list[str] = []
        self.done: list[tuple[str, str, int, int, int]] = []  # key, kind, action, seat, version after it
        self.history = [self._now()]  # what the log and the board were at each version
        self.here: list[Page] = []

    def _now(self) -> tuple[list[int], str]:
        return [entry.actor for entry in self.model.log], self.model.position.text

    @property
    def version(self) -> int:
        return len(self.history) - 1

    def _hear(self, page: Page, *kinds: str) -> dict[str, Any]:
        """The next message of these kinds; every view on the way is held against the model."""
        while True:
            told = page.hear_any()
            if told["t"] == "view":
                self._look(page, told)
            if told["t"] in kinds:
                return told

    def _look(self, page: Page, view: dict[str, Any]) -> None:
        page.log = [*page.log[: view["logFrom"]], *view["log"]] if "logFrom" in view else view["log"]
        assert view["v"] >= page.seen, "views come in order"
        page.seen = view["v"]
        page.views[view["v"]] = [line["actor"] for line in page.log]

    def _all_hear(self) -> None:
        """Everybody learns of the newest version."""
        for page in self.here:
            while page.seen < self.version:
                self._hear(page, "view")
            assert page.view["actor"] == self.model.position.actor
            mine = self.model.position.actor in page.you
            offered = {choice["action"] for choice in page.view["choices"]} if mine else None
            assert offered == (set(self.model.position.legal) if mine else None)

    def _happened(self, kind: str, key: str, action: int, seat: int) -> None:
        if kind == "act":
            self.model.play(action)
        else:
            self.model.undo()
        self.keys.append(key)
        self.history.append(self._now())
        self.done.append((key, kind, action, seat, self.version))

    @rule(target=pages, seats=st.sampled_from(SEATS), lang=st.sampled_from(["en", "de"]))
    def come(self, seats: tuple[int, ...], lang: str) -> Any:
        return self._come(seats, lang) if len(self.here) < 5 else multiple()

    @initialize(target=pages)
    def host(self) -> Any:
        return self._come((0, 1), "en")

    def _come(self, seats: tuple[int, ...], lang: str) -> Any:
        page: Any = Page(self.live.url)
        page.you, page.log, page.seen, page.views = set(seats), [], 0, {}
        page.say(t="hello", p=1, table=self.table["table"], tokens=[self.table["tokens"][seat] for seat in seats], lang=lang)
        self._hear(page, "view")
        assert page.seen == self.version
        self.here.append(page)
        return page

    @rule(page=consumes(pages), rude=st.booleans())
    def go(self, page: Page, rude: bool) -> None:
        self.here.remove(page)
        if rude:
            with contextlib.suppress(OSError):
                page.socket.socket.shutdown(socket.SHUT_RDWR)
        else:
            page.socket.close()

    @rule(page=pages, numbers=st.lists(NUMBER, min_size=1, max_size=4), back=st.booleans())
    def several(self, page: Any, numbers: list[int], back: bool) -> None:
        for number in numbers:
            self._act(page, number, 0)
        if back:
            self._undo(page)

    @rule(page=pages, number=NUMBER, late=st.sampled_from([0, 0, 0, 0, 1, 2]))
    def act(self, page: Any, number: int, late: int) -> None:
        self._act(page, number, late)

    def _act(self, page: Any, number: int, late: int) -> None:
        legal = self.model.position.legal
        action = legal[number % len(legal)] if legal else number
        version, actor = max(0, self.version - late), self.model.position.actor
        key = page.send_act(action, version=version)
        self._answered(page, "act", key, action, version == self.version and actor in page.you, actor)

    @rule(page=pages, number=NUMBER)
    def act_without_right(self, page: Any, number: int) -> None:
        if number in self.model.position.legal:
            return
        key = page.send_act(number, version=self.version)
        self._answered(page, "act", key, number, False, -1)

    @rule(page=pages)
    def undo(self, page: Any) -> None:
        self._undo(page)

    def _undo(self, page: Any) -> None:
        actor, key, version = self.model.position.actor, secrets.token_hex(16), self.version
        page.say(t="undo", k=key, v=version)
        self._answered(page, "undo", key, -1, actor in page.you and self.model.undo_point() is not None, actor)

    @rule(page=pages, number=NUMBER)
    def again(self, page: Any, number: int) -> None:
        """Something that was confirmed is sent once more: by whom it was, by others, or with another meaning."""
        if not self.done:
            return
        key, kind, action, seat, version = self.done[number % len(self.done)]
        other = number % 5 == 0
        if kind == "undo":
            page.say(t="undo", k=key, v=number % 7)
        else:
            page.say(t="act", k=key, v=number % 7, a=action + other)
        told = self._hear(page, "ack", "rej")
        assert told["k"] == key
        if seat in page.you and not (other and kind == "act"):
            assert told["t"] == "ack" and told["v"] == version
        else:
            assert told["t"] == "rej" and told["code"] == "bad"

    @rule(page=pages, first=NUMBER, second=NUMBER)
    def swapped(self, page: Any, first: int, second: int) -> None:
        """Two decisions come in the wrong order: the second waits for the first in vain, and the first is done."""
        legal, actor = self.model.position.legal, self.model.position.actor
        if not legal:
            return
        late = page.send_act(second, version=self.version + 1)
        key = page.send_act(legal[first % len(legal)], version=self.version)
        told = self._hear(page, "ack", "rej")
        assert told["t"] == "rej" and told["k"] == late and told["code"] == "stale"
        self._answered(page, "act", key, legal[first % len(legal)], actor in page.you, actor)

    @rule(page=pages, noise=st.sampled_from(["", "{}", "[]", "x" * 5000, '{"t":"act"}', '{"t":"view"}', "\ud7ff", "[" * 2000]))
    def noise(self, page: Any, noise: str) -> None:
        page.socket.send(noise)
        assert self._hear(page, "rej")["code"] == "bad"

    @rule(page=pages, lang=st.sampled_from(["en", "de"]), tokens=st.lists(st.sampled_from(["A" * 32, "B"]), max_size=2))
    def hello_again(self, page: Any, lang: str, tokens: list[str]) -> None:
        page.say(t="hello", p=1, table=self.table["table"], tokens=tokens, lang=lang)
        assert set(self._hear(page, "view")["you"]) == page.you, "a later hello gives and takes no seat"

    def _answered(self, page: Any, kind: str, key: str, action: int, right: bool, seat: int) -> None:
        told = self._hear(page, "ack", "rej")
        assert told["k"] == key and (told["t"] == "ack") == right, (told, kind, action)
        if right:
            self._happened(kind, key, action, seat)
            assert told["v"] == self.version
            self._all_hear()
        else:
            assert told["v"] == self.version

    @invariant()
    def the_log_is_the_model(self) -> None:
        stored = self.live.store.events(self.table["table"])
        assert [event.key for event in stored] == self.keys
        assert [event.version for event in stored] == list(range(1, self.version + 1))

    @invariant()
    def histories_are_one_history(self) -> None:
        for page in self.here:
            for version, log in page.views.items():
                assert log == self.history[version][0], version

    def teardown(self) -> None:
        record = self.live.http.get(f"/api/tables/{self.table['table']}/record").text
        film = self.live.http.post("/api/records", content=record).json()
        assert len(film["frames"]) == len(self.model.log) + 1
        for page in self.here:
            assert json.dumps(page.view["outcome"]) == "null" or self.model.position.is_over
            page.socket.close()


def run(live: Live, examples: int, steps: int) -> None:
    Wire.live = live
    quiet = list(HealthCheck)
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Wire, settings=settings(max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=quiet)
    )


def test_all_pages_see_one_history_whatever_they_do(live: Live) -> None:
    run(live, 20, 30)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_all_pages_see_one_history_whatever_they_do_for_long(live: Live) -> None:
    run(live, 400, 60)
