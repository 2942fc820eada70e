"""docs/understand/architecture.md: the functions of its walks are those that a real click and a real hint enter."""

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.players import engine, subprocess_player
from bridgehead.players.advice import advise
from bridgehead.server.jobs import computer_players
from server.live import Live, Page
from server.test_hints import ALONE, what_it_knows, wish

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "bridgehead"
LOOP = ("server/rooms/room_manager.py", "RoomManager._receive")  # goes on when a message has come
DRAWN = ("server/storage/hash_chain.py", "_draw_nonces")  # once in 64 events
ROW = re.compile(r"^\| `([\w/]+\.py)` \| `([\w.]+)` \|", re.M)
Function = tuple[str, str]  # a file, and a qualified name


def walk(heading: str, table: int = 0, folder: str = "") -> list[Function]:
    """The rows of a table under a heading. folder: to which its paths are relative."""
    page = (ROOT / "docs" / "understand" / "architecture.md").read_text("utf-8")
    tables = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0].split("|---|---|---|")
    return [(folder + file, name) for file, name in ROW.findall(tables[table + 1])]


def function_of(frame: FrameType) -> Function | None:
    """The function of the project that a frame runs; none for others, and for functions inside one."""
    code = frame.f_code
    if not code.co_filename.startswith(str(SOURCE)) or code.co_qualname.endswith(">"):
        return None
    return Path(code.co_filename).relative_to(SOURCE).as_posix(), code.co_qualname


def callers(frame: FrameType | None) -> list[Function]:
    """The functions that led to a frame, the first one first."""
    found = []
    while frame is not None:
        found.append(function_of(frame))
        frame = frame.f_back
    return [each for each in reversed(found) if each is not None]


def watch(live: Live, enter: Callable[[FrameType, Function], None] | None) -> None:
    """Call a function at each call on the server's loop."""

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and enter is not None and (found := function_of(frame)) is not None:
            enter(frame, found)

    live.loop.call_soon_threadsafe(sys.setprofile, note if enter else None)


def begun(live: Live) -> Page:
    """A page at a table at which something was played, so that the server waits for the page."""
    page = live.page(live.table(), 0, 1)
    page.act("a2-a3")
    return page


def test_the_walk_from_a_click_to_the_store_is_the_documented_one(live: Live) -> None:
    wanted = walk("From a click to the store", folder="server/")
    entered: list[Function] = []
    stored = threading.Event()
    page = begun(live)

    def enter(frame: FrameType, found: Function) -> None:
        if not stored.is_set() and found[0].startswith("server/"):
            if found == LOOP:
                entered.clear()
            if found not in entered:
                entered.append(found)
            if found == wanted[-1]:
                stored.set()

    watch(live, enter)
    key = page.send_act(page.view["choices"][0]["action"])
    assert stored.wait(20)
    watch(live, None)
    page.hear("ack")
    assert key and set(entered) - {DRAWN} == set(wanted)
    assert len(wanted) <= 18, "16 between the first and the last"


def test_the_walk_from_a_click_to_the_rule_is_the_documented_one(live: Live) -> None:
    wanted = walk("From a click to the rule")
    led: list[list[Function]] = []
    page = begun(live)
    watch(live, lambda frame, found: led.append(callers(frame)) if found == wanted[-1] and not led else None)
    page.send_act(page.view["choices"][0]["action"])
    page.hear("ack")
    watch(live, None)
    assert led[0][led[0].index(wanted[0]) :] == wanted


OF_A_HINT = ("server/rooms/computer_turns.py", "server/tables/table.py", "server/jobs/", "players/")
SMALL = {("server/jobs/computer_players.py", "_key"), ("server/jobs/worker_pool.py", "_kept_waiting"),
         ("server/jobs/worker_pool.py", "WorkerPool._ready"), ("players/subprocess_player.py", "jit_mode")}  # fmt: skip


def test_the_walk_of_a_hint_through_the_server_is_the_documented_one(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer_players, "advise", what_it_knows)
    monkeypatch.setattr(computer_players, "prepare", what_it_knows)
    wanted, entered = walk("A hint"), list[Function]()
    page = live.page(live.table(seats=ALONE), 0)
    assert wish(page)["t"] == "hint", "this starts the worker"
    page.act("a2-a3")
    page.until(lambda view: view["actor"] == 0)

    def enter(frame: FrameType, found: Function) -> None:
        begins, follows = found == wanted[0], found[0].startswith(OF_A_HINT) or found == wanted[-1]
        if found not in entered and (begins or (entered and follows)):
            entered.append(found)

    watch(live, enter)
    assert wish(page)["t"] == "hint"
    watch(live, None)
    assert [each for each in entered if each not in SMALL] == wanted
    assert len(wanted) <= 15


class Seen(Exception):
    """Ends a search as soon as its callers are known."""


class Watched:
    """In place of an engine: notes who asks it."""

    def __getattr__(self, name: str) -> Any:
        def search(*_: Any, **settings: Any) -> None:
            raise Seen(callers(sys._getframe(1)))

        return search


def test_the_walk_of_a_hint_through_a_worker_is_the_documented_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine._Used, "engine", Watched())
    described = subprocess_player.describe_position(registry.game("forty_bridges").start())
    with pytest.raises(Seen) as seen:
        subprocess_player.work(0, 1, advise, *described, ["one", "two"], "en", "seed")
    assert seen.value.args[0] == walk("A hint", table=1)
