"""What many tests need: one server for those that need none of their own, a database, workers over it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bridgehead.server.connections.middleware import Throttle
from server.cluster import Cluster
from server.live import Live
from server.servers import Postgres


@pytest.fixture(scope="session", autouse=True)
def refused_at_once() -> Iterator[None]:
    """Refusals for too many requests do not wait, but in the test that says so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Throttle, "REFUSING", 0.0)
        yield


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    running = Live(tmp_path_factory.mktemp("tables"))
    yield running
    running.stop()


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
