"""Background tasks that are finished before the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class Tasks:
    """A set of running tasks. A change that has begun is completed even if the requesting page disconnects."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def complete(self, work: Coroutine[Any, Any, None]) -> None:
        """Wait for some work. The work is completed even if the waiting task is cancelled."""
        await asyncio.shield(self.start(work))

    async def wait(self) -> None:
        """Wait for all running tasks."""
        await asyncio.gather(*self._running, return_exceptions=True)
