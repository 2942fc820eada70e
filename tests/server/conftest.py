"""What many tests need: one server for those that need none of their own, a database, workers over it."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bridgehead.server.connections.http_protocol import HttpProtocol
from bridgehead.server.connections.middleware import Throttle
from bridgehead.server.rooms import timers
from server.cluster import Cluster
from server.live import Live, Serve
from server.servers import Postgres


@pytest.fixture(scope="session", autouse=True)
def refused_at_once() -> Iterator[None]:
    """Refusals for too many requests do not wait, but in the test that says so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Throttle, "REFUSING", 0.0)
        patch.setattr(HttpProtocol, "refusing", 0.0)
        yield


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    running = Live(tmp_path_factory.mktemp("tables"))
    yield running
    running.stop()


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Serve a test's own folder, with what `Live` takes. The servers stop before what is patched comes back."""
    made: list[Live] = []

    def begin(*given: Any, **more: Any) -> Live:
        made.append(Live(tmp_path, *given, **more))
        return made[-1]

    yield begin
    for each in made:
        each.stop()


@pytest.fixture
def own(serve: Serve) -> Live:
    """A server of a test's own."""
    return serve()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    running = Cluster()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    running = Postgres()
    yield running
    running.stop()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a log may be kept, a file or a database."""
    if request.param == "sqlite":
        return str(tmp_path / "log")
    server: Postgres = request.getfixturevalue("postgres")
    return server.place()


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let so many seconds pass at once on the clock on the wall, and for the monotonic clock of tables."""
    ahead = [0.0]

    def pass_by(seconds: float) -> None:
        ahead[0] += seconds

    clock = SimpleNamespace(time=lambda: time.time() + ahead[0], monotonic=lambda: time.monotonic() + ahead[0])
    for module in ("tables.state", "rooms.correspondence"):
        monkeypatch.setattr(f"bridgehead.server.{module}.time", clock)
    monkeypatch.setattr(timers, "GRACE", 0.0)
    return pass_by
