"""Levels that search: they think beside the server, stop when they are told, get ready in good time, and disturb nobody."""

import asyncio
import os
import secrets
import time
from pathlib import Path
from typing import Any

import pytest

from bridgehead.players import subprocess_player as elsewhere
from bridgehead.server.jobs import computer_players as crew
from bridgehead.server.jobs.worker_pool import WorkerLost, WorkerPool
from bridgehead.server.rooms import computer_turns
from server.live import PATIENCE, Serve, computers
from waiting import SOON, apart, wait_for

pytestmark = pytest.mark.wide
AGAINST = [{"kind": "person"}, {"kind": "computer", "level": "greedy"}]


def until_told(folder: str, *_: Any) -> int:
    """Thinks until it is told to stop, and leaves a mark then."""
    stop, begun = elsewhere.stop(), time.monotonic()
    (Path(folder) / "thinks").touch()
    while time.monotonic() - begun < PATIENCE:
        if stop is not None and stop.is_set():
            (Path(folder) / "stopped").touch()
            break
        time.sleep(0.002)
    return -1


class UntilTold:
    """`until_told` over a folder, as something that can be sent to a worker."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)

    def __call__(self, *request: Any) -> int:
        return until_told(self.folder, *request)


def sleeps(seconds: float) -> str:
    time.sleep(seconds)
    return "awake"


def niceness() -> int:
    return os.nice(0)


class UntilThere:
    """Waits for a file, as something that can be sent to a worker."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self, *_: Any) -> None:
        wait_for(self.file.exists)


def at_once(*_: Any) -> None:
    """Nothing to prepare."""


def crew_of(count: int, work: Any) -> Any:
    """Run a coroutine function over so many workers that search, and end them."""

    async def main() -> Any:
        workers = WorkerPool(count, PATIENCE, compiled=True)
        try:
            return await work(workers)
        finally:
            workers.stop()

    return apart(main())


async def there(file: Path) -> None:
    until = time.monotonic() + PATIENCE
    while not file.exists():
        assert time.monotonic() < until, file.name
        await asyncio.sleep(0.005)


def test_a_search_stops_when_nobody_wants_its_answer_any_more(tmp_path: Path) -> None:
    async def work(workers: WorkerPool) -> float:
        asked = asyncio.create_task(workers.ask(until_told, str(tmp_path)))
        await there(tmp_path / "thinks")
        begun = time.monotonic()
        asked.cancel()
        assert await workers.ask(sleeps, 0) == "awake", "the same worker answers the next"
        (tmp_path / "thinks").unlink()
        again = asyncio.create_task(workers.ask(until_told, str(tmp_path / "nowhere" / "..")))
        await asyncio.sleep(0.05)
        assert not again.done(), "only the first was told to stop"
        again.cancel()
        return time.monotonic() - begun

    (tmp_path / "nowhere").mkdir()
    assert crew_of(1, work) < SOON
    assert (tmp_path / "stopped").exists()


def test_a_search_that_hangs_is_ended_and_no_other(tmp_path: Path) -> None:
    async def work(workers: WorkerPool) -> Any:
        hanging = asyncio.create_task(workers.ask(sleeps, 3600, asker="a", patience=1.0))
        await asyncio.sleep(0)
        other = asyncio.create_task(workers.ask(sleeps, 1.5, asker="b"))
        return await asyncio.gather(hanging, other, return_exceptions=True)

    lost, awake = crew_of(2, work)
    assert isinstance(lost, WorkerLost) and awake == "awake"


@pytest.mark.skipif(os.name != "posix", reason="niceness is of POSIX")
def test_searches_stand_back_behind_the_server() -> None:
    async def work(workers: WorkerPool) -> int:
        return await workers.ask(niceness)

    assert crew_of(1, work) >= 10


def test_a_table_that_pauses_tells_the_search_to_stop_and_play_goes_on_after_it(
    tmp_path: Path, serve: Serve, monkeypatch: Any
) -> None:
    monkeypatch.setattr(crew, "searches", lambda *_: True)
    monkeypatch.setattr(crew, "prepare", at_once)
    bots = computers()
    usual, bots.decide = bots.decide, UntilTold(tmp_path)
    own = serve(bots=bots)
    table = own.table(seats=AGAINST)
    page = own.page(table, 0)
    page.act("a2-a3")
    apart(there(tmp_path / "thinks"))
    page.say(t="ask", k=secrets.token_hex(16), v=page.view["v"], what="pause")
    apart(there(tmp_path / "stopped"))
    bots.decide = usual
    page.until(lambda view: "paused" in view)
    page.say(t="ask", k=secrets.token_hex(16), v=page.view["v"], what="resume")
    page.until(lambda view: view["actor"] != 1)
    assert [event.by for event in own.store.events(table["table"]) if event.kind == "action"] == ["person", "greedy"]


def test_a_level_that_is_not_ready_says_so_and_gets_ready_once(tmp_path: Path, serve: Serve, monkeypatch: Any) -> None:
    for module in (crew, computer_turns):
        monkeypatch.setattr(module, "searches", lambda *_: True)
    monkeypatch.setattr(crew, "prepare", UntilThere(tmp_path / "ready"))
    own = serve(bots=computers())
    first = own.page(own.table(seats=[AGAINST[1], AGAINST[0]]), 1)
    assert first.view["preparing"] and first.view["thinking"]
    (tmp_path / "ready").touch()
    first.until(lambda view: view["actor"] != 0)
    assert "preparing" not in first.view
    second = own.page(own.table(seats=[AGAINST[1], AGAINST[0]]), 1)
    second.until(lambda view: view["actor"] != 0)
    assert not any("preparing" in message for message in second.heard), "the game is compiled already"
