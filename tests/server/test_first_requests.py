"""A server in the environment that people start it in: no variable that turns compiling off, and nothing compiled yet."""

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from bridgehead.core import registry
from server.test_storage import Process

pytestmark = pytest.mark.wide


def test_the_first_requests_of_many_people_at_once_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv("BRIDGEHEAD_CACHE", str(tmp_path / "cache"))
    server = Process(tmp_path / "data")
    games = list(registry.specs())

    def ask(number: int) -> int:
        game = games[number % len(games)]
        if number % 3:
            return httpx.get(f"{server.url}/api/games/{game}/tutorial", timeout=60).status_code
        seats = [{"kind": "person"}] * registry.spec(game).seats[0]
        return httpx.post(f"{server.url}/api/tables", json={"game": game, "seats": seats}, timeout=60).status_code

    with ThreadPoolExecutor(12) as people:
        found = list(people.map(ask, range(36)))
    assert set(found) == {200, 201} and found.count(201) == 12
    assert server.end(signal.SIGINT)[1] == 0
