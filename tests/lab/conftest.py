"""The games with known answers, installed for tests."""

from collections.abc import Iterator

import pytest

from bridgehead.core import registry
from bridgehead.lab.running import opened
from lab.known import SPEC


@pytest.fixture(autouse=True)
def known_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Beside the installed ones."""
    installed = {**registry.specs(), SPEC.id: SPEC}
    monkeypatch.setattr(registry, "specs", lambda: installed)
    opened.cache_clear()
    yield
    opened.cache_clear()
