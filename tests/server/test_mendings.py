"""Searches for better house rules: their progress, their answer in every language, and wishes that are refused."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridgehead.core.phrases import languages
from bridgehead.lab.tune import pieces, search
from bridgehead.server.http import reports
from bridgehead.server.jobs import worker_pool
from bridgehead.server.jobs.worker_pool import WorkerPool
from server.live import PATIENCE, ROOMY, Live

WISH = {"game": "front_lines", "options": {"rows": 1, "seats": 2}, "wishes": "undecided<30"}


def small_request(game: Any, wished: str, boards: bool) -> search.Request:
    """A search of a few random games over two house rules."""
    pieces.wishes(wished, game)
    return search.Request(game.spec.id, game.differences, wished, "lives=3|6,rows=1|2", ("random",), 20, 4, deepest=1)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    """A server whose worker compiles nothing and searches little."""
    monkeypatch.setattr(worker_pool, "WorkerPool", lambda count, deadline, compiled: WorkerPool(count, deadline))
    monkeypatch.setattr(pieces, "request", small_request)
    monkeypatch.setattr(reports, "EACH", 0.0)
    live = Live(tmp_path, ROOMY._replace(labs=10_000))
    yield live
    live.stop()


def done(own: Live, key: str) -> dict[str, Any]:
    until = time.monotonic() + 12 * PATIENCE
    while True:
        found: dict[str, Any] = own.http.get(f"/api/mendings/{key}").json()
        if found.get("state") == "done":
            return found
        assert "error" not in found and time.monotonic() < until, found
        time.sleep(0.1)


@pytest.mark.long  # in pieces: lab/test_tune.py
def test_a_search_ends_in_proposals_in_every_language(own: Live) -> None:
    begun = own.http.post("/api/mendings", json=WISH)
    assert begun.status_code == 202, begun.text
    key = begun.json()["key"]
    assert own.http.post("/api/mendings", json={**WISH, "wishes": "fair"}).status_code == 400, "one address, one study at a time"
    found = done(own, key)["found"]
    assert found["base"]["changes"] == [] and found["verdict"]
    for each in found["proposals"]:
        assert each["changes"] and each["print"].startswith("bridgehead print front_lines --rules")
        assert each["rules"].items() >= {("rows", 1)} or each["rules"].get("rows") != 1
    said = {own.http.get(f"/api/mendings/{key}?lang={language}").json()["found"]["verdict"] for language in languages()}
    assert len(said) == len(languages())
    assert own.http.post("/api/mendings", json=WISH).json()["key"] == key and not own.app.state.labs.going
    assert [file.name for file in (own.app.state.labs.folder / key).iterdir()] == [pieces.FILE], "the games are deleted"
    assert own.http.get("/api/labs").json() == {"reports": []}, "a search is no report"


def test_wishes_that_cannot_be_are_refused(own: Live) -> None:
    refused = own.http.post("/api/mendings", json={**WISH, "wishes": "fun"}, headers={"accept-language": "de"})
    assert refused.status_code == 400 and "einen Wunsch 'fun' gibt es nicht" in refused.json()["error"]
    assert own.http.post("/api/mendings", json={**WISH, "wishes": "minutes=9..3"}).status_code == 400
    assert own.http.get("/api/mendings/" + "0" * 32).status_code == 404
    assert own.http.get("/api/mendings/..%2f..%2fetc").status_code == 404
