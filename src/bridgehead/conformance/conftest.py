"""The games that the tests of this folder run for."""

from __future__ import annotations

import pytest

from bridgehead.conformance.subject import Subject
from bridgehead.core import registry


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "subject" in metafunc.fixturenames:
        names = metafunc.config.getoption("--game")
        if not names:
            raise pytest.UsageError("name an installed game: --game NAME")
        metafunc.parametrize("subject", [Subject(registry.spec(name)) for name in names], ids=names)
