"""One server for the tests that need none of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.live import Live


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    running = Live(tmp_path_factory.mktemp("tables"))
    yield running
    running.stop()
