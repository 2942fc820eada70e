"""Searches for better house rules: their progress, their answer in every language, and wishes that are refused."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.core.phrases import languages
from bridgehead.server.http import reports
from bridgehead.server.jobs.worker_pool import LOSSES, LongWork, Studies, WorkerLost, WorkerPool
from bridgehead.workshop.lab.running import serially
from bridgehead.workshop.lab.tune import pieces, search
from bridgehead.workshop.lab.tune.settings import changes
from bridgehead.workshop.lab.tune.words import as_data
from server.live import PATIENCE, ROOMY, Live, Serve
from server.test_reports import done, plan_here
from waiting import apart

WISH = {"game": "front_lines", "options": {"rows": 1, "seats": 2}, "wishes": "undecided<30"}


def small_request(game: Any, wished: str, boards: bool) -> search.SearchRequest:
    """A search of a few random games over two house rules."""
    pieces.wishes(wished, game)
    return search.SearchRequest(game.spec.id, game.differences, wished, "lives=3|6,rows=1|2", ("random",), 20, 4, deepest=1)


@pytest.fixture
def own(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Live:
    """A server whose worker compiles nothing and searches little."""
    monkeypatch.setattr(reports, "WorkerPool", lambda count, deadline, compiled: WorkerPool(count, deadline))
    monkeypatch.setattr(pieces, "request", small_request)
    monkeypatch.setattr(reports, "EACH", 0.0)
    served = serve(ROOMY._replace(labs=10_000))
    plan_here(served, monkeypatch)
    return served


@pytest.mark.long  # in pieces: lab/test_tune.py
def test_a_search_ends_in_proposals_in_every_language(own: Live) -> None:
    begun = own.http.post("/api/mendings", json=WISH)
    assert begun.status_code == 202, begun.text
    key = begun.json()["key"]
    assert own.http.post("/api/mendings", json={**WISH, "wishes": "fair"}).status_code == 400, "one address, one study at a time"
    found = done(own, key, "mendings")["found"]
    assert found["base"]["changes"] == [] and found["verdict"]
    for each in found["proposals"]:
        assert each["changes"] and each["print"].startswith("bridgehead print front_lines --rules")
        assert each["rules"].items() >= {("rows", 1)} or each["rules"].get("rows") != 1
    said = {own.http.get(f"/api/mendings/{key}?lang={language}").json()["found"]["verdict"] for language in languages()}
    assert len(said) == len(languages())
    assert own.http.post("/api/mendings", json=WISH).json()["key"] == key and not own.app.state.labs.going
    assert [file.name for file in (own.app.state.labs.folder / key).iterdir()] == [reports.FOUND], "the games are deleted"
    assert own.http.get("/api/labs").json() == {"reports": [], "going": []}, "a search is no report"


def test_wishes_that_cannot_be_are_refused(own: Live) -> None:
    refused = own.http.post("/api/mendings", json={**WISH, "wishes": "fun"}, headers={"accept-language": "de"})
    assert refused.status_code == 400 and "einen Wunsch 'fun' gibt es nicht" in refused.json()["error"]
    assert own.http.post("/api/mendings", json={**WISH, "wishes": "minutes=9..3"}).status_code == 400
    assert own.http.get("/api/mendings/" + "0" * 32).status_code == 404
    assert own.http.get("/api/mendings/..%2f..%2fetc").status_code == 404


@pytest.mark.wide
def test_a_search_whose_worker_is_killed_gives_the_same_answer(own: Live) -> None:
    key, killed = own.http.post("/api/mendings", json=WISH).json()["key"], 0
    until, far = time.monotonic() + 12 * PATIENCE, 0
    while killed < 2 and time.monotonic() < until:
        now = own.http.get(f"/api/mendings/{key}").json()
        assert "error" not in now and now["state"] != "done", now
        if now["done"] > far:
            far = now["done"]
            for worker in own.app.state.labs.workers.processes:
                os.kill(worker.pid, signal.SIGKILL)
            killed += 1
    assert killed == 2
    found = done(own, key, "mendings")["found"]
    asked = small_request(registry.game(WISH["game"], **WISH["options"]), WISH["wishes"], False)  # type: ignore[arg-type]
    base = registry.game(asked.game, **asked.rules)
    undisturbed = search.SettingSearch(
        asked, base, pieces.wishes(asked.wishes, base), changes(asked.allowed, base, 1), None, serially
    )
    assert found["verdict"] == as_data(undisturbed.answer(), asked, base)["verdict"]
    assert [each["rules"] for each in found["proposals"]] == [each.setting.rules(base) for each in undisturbed.answer().proposals]


def dies(file: str, times: int) -> int:
    """Ends its own process, as a worker that uses too much memory, until it has done so that many times."""
    before = Path(file).stat().st_size if Path(file).exists() else 0
    if before == times:
        return before
    Path(file).write_bytes(b"." * (before + 1))
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


@pytest.mark.parametrize("times", [1, LOSSES])
def test_a_step_of_a_study_outlives_its_worker_but_not_for_ever(times: int, tmp_path: Path) -> None:
    async def work() -> int:
        studies: Studies[LongWork] = Studies(WorkerPool(1, PATIENCE * 10))
        try:
            return await studies.step("key", dies, str(tmp_path / "deaths"), times)
        finally:
            await studies.stop()

    if times < LOSSES:
        assert apart(work()) == times
    else:
        with pytest.raises(WorkerLost):
            apart(work())


RIVAL = "import os, sys; os.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"


def waits(seconds: float) -> str:
    time.sleep(seconds)
    return "done"


def works(seconds: float, cpu: int) -> str:
    """On one processor only."""
    os.sched_setaffinity(0, {cpu})
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return "done"


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the system does not tell who waits for a processor")
def test_a_worker_without_the_processor_is_not_lost_and_one_that_hangs_or_never_ends_is() -> None:
    """Three programs with a higher priority take the worker's processor: it has about a tenth of its time."""
    cpu = min(os.sched_getaffinity(0))

    async def ask(workers: WorkerPool, *request: Any) -> object:
        await workers.ask(waits, 0)  # a worker has begun
        return (await asyncio.gather(workers.ask(*request, patience=0.5), return_exceptions=True))[0]

    async def work() -> list[object]:
        workers = WorkerPool(1, PATIENCE)
        rivals = [subprocess.Popen([sys.executable, "-c", RIVAL, str(cpu)]) for _ in range(3)]
        try:
            worked = await ask(workers, works, 0.2, cpu)
            for rival in rivals:
                rival.kill()
            return [worked, await ask(workers, waits, PATIENCE), await ask(workers, works, PATIENCE, cpu)]
        finally:
            workers.stop()
            for rival in rivals:
                rival.kill()
                rival.wait()

    worked, hung, endless = apart(work())
    assert worked == "done" and isinstance(hung, WorkerLost) and isinstance(endless, WorkerLost)
