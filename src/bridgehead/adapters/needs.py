"""What an adapter needs to be installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bridgehead.core.errors import BridgeheadError


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Imports that only work with an extra. Errors: BridgeheadError, saying what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise BridgeheadError("adapters:error.pip_install_bridgehead_come_first", extra, extra=extra, error=error) from None
