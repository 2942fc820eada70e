"""Stands in for the server's worker pools in a browser.

Searches run in the pages' thinking workers (thinker.js), so that tables answer meanwhile; all else runs in place.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from typing import Any, TypeVar

from bridgehead.site.engine import NotLoaded

T = TypeVar("T")
COMING = 10.0  # seconds in which a page starts its thinking worker again


class Gone(Exception):
    """A thinking worker has ended before its answer."""


class Thinker:
    """A page's thinking worker. post: sends it a request; end: makes the page end it and start another."""

    def __init__(self, thinkers: Thinkers, post: Callable[[bytes], object], end: Callable[[], object]) -> None:
        self.waiting, self._thinkers, self._post, self._end = 0, thinkers, post, end
        self._turn, self._answer = asyncio.Lock(), asyncio.Future[bytes]()

    async def ask(self, request: bytes) -> bytes:
        """Its answer, after those to earlier requests. Errors: Gone. Cancelling this call ends the search."""
        self.waiting += 1
        try:
            async with self._turn:
                if self not in self._thinkers.present:
                    raise Gone
                self._answer = asyncio.Future()
                self._post(request)
                try:
                    return await self._answer
                except asyncio.CancelledError:
                    self.close()
                    self._thinkers.coming = True
                    self._end()
                    raise
        finally:
            self.waiting -= 1

    def receive(self, answer: Any) -> None:
        """Take its answer, an array of bytes of JavaScript."""
        if not self._answer.done():
            self._answer.set_result(answer.to_bytes())

    def close(self) -> None:
        """It is gone."""
        if self in self._thinkers.present:
            self._thinkers.present.remove(self)
        if not self._answer.done():
            self._answer.set_exception(Gone())
            self._answer.exception()  # nobody may be waiting for it


class Thinkers:
    """The thinking workers of all pages. coming: a page is about to start one."""

    def __init__(self) -> None:
        self.present: list[Thinker] = []
        self.coming = False
        self._arrived = asyncio.Event()

    def join(self, post: Callable[[bytes], object], end: Callable[[], object]) -> Thinker:
        """A page has started one."""
        self.present.append(thinker := Thinker(self, post, end))
        self.coming = False
        self._arrived.set()
        return thinker

    async def ask(self, function: Callable[..., T], *request: Any) -> T:
        """Call a function in the thinking worker with least to do, or in place. Errors: those of the function."""
        while True:
            if not self.present and self.coming:
                await self._arrival()
            if not self.present:
                return await computed(function, *request)
            thinker = min(self.present, key=lambda each: each.waiting)
            try:
                found, error = pickle.loads(await thinker.ask(pickle.dumps((function, request))))
            except Gone:
                continue
            if error is not None:
                raise error
            return found  # type: ignore[no-any-return]

    async def _arrival(self) -> None:
        self._arrived.clear()
        try:
            await asyncio.wait_for(self._arrived.wait(), COMING)
        except TimeoutError:
            self.coming = False


class Pool:
    """As `WorkerPool`, without processes."""

    processes: list[Any] = []

    def __init__(self, thinkers: Thinkers, count: int, deadline: float, compiled: bool = False) -> None:
        self.worked: Callable[[str, float], None] = lambda asker, seconds: None
        self._ask = thinkers.ask if compiled else computed

    def start(self) -> None:
        """Nothing to do."""

    def stop(self) -> None:
        """Nothing to do."""

    async def ask(self, function: Callable[..., T], *request: Any, asker: str = "", patience: float = 0.0) -> T:
        """Call a function. Errors: those of the function, and of loading a module. Cancelling this call ends a search."""
        found: T = await self._ask(function, *request)
        return found


async def computed(function: Callable[..., T], *request: Any) -> T:
    """Call a function here, after everything that waits already. Errors: those of the function, and of loading a module."""
    await asyncio.sleep(0)
    while True:
        try:
            return function(*request)
        except NotLoaded as lacking:
            await lacking.engine.load(lacking.game)


async def answer(request: bytes) -> bytes:
    """In a thinking worker: the answer to a request of `Thinkers.ask`, or its error."""
    function, given = pickle.loads(request)
    try:
        return pickle.dumps((await computed(function, *given), None))
    except Exception as error:
        try:
            return pickle.dumps((None, error))
        except Exception:
            return pickle.dumps((None, RuntimeError(repr(error))))
