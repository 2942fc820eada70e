"""The option `--game` of the conformance tests. It is installed with Bridgehead, and imports no game unless it is used."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", action="append", default=[], metavar="NAME", help="a game for the tests of bridgehead.conformance")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a game that is not installed. `timeout` marks are read by pytest-timeout, where that is installed."""
    config.addinivalue_line("markers", "timeout(seconds): a time limit")
    for name in config.getoption("--game"):
        from bridgehead.core import registry
        from bridgehead.core.errors import BridgeheadError

        try:
            registry.spec(name)
        except BridgeheadError as error:
            raise pytest.UsageError(str(error)) from None
