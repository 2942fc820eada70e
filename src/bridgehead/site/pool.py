"""Stands in for the server's worker pools in a browser: it computes in place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Pool:
    """As `WorkerPool`, without processes."""

    processes: list[Any] = []

    def __init__(self, count: int, deadline: float, compiled: bool = False) -> None:
        self.worked: Callable[[str, float], None] = lambda asker, seconds: None

    def start(self) -> None:
        """Nothing to do."""

    def stop(self) -> None:
        """Nothing to do."""

    async def ask(self, function: Callable[..., T], *request: Any, asker: str = "", patience: float = 0.0) -> T:
        """Call a function, after everything that waits already. Errors: those of the function."""
        await asyncio.sleep(0)
        return function(*request)
