"""The games with known answers, installed for tests."""

from collections.abc import Iterator

import pytest

from bridgehead.core import registry
from bridgehead.workshop.lab.running import open_plan
from lab.known import SPEC


@pytest.fixture(autouse=True)
def known_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Beside the installed ones."""
    installed = {**registry.specs(), SPEC.id: SPEC}
    monkeypatch.setattr(registry, "specs", lambda: installed)
    open_plan.cache_clear()
    yield
    open_plan.cache_clear()
