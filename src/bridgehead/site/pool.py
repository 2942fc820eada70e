"""Stands in for the server's worker pools in a browser.

Searches run in the pages' thinking workers (thinker.js), so that tables answer meanwhile; all else runs in place.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from bridgehead.core.phrases import phrase
from bridgehead.server.jobs.worker_pool import WorkerLost
from bridgehead.site.engine import NotLoaded

T = TypeVar("T")
COMING = 10.0  # seconds in which a page starts its thinking worker again
SLOWER = 5.0  # a phone's processor, beside that of a server


class WorkerGone(Exception):
    """A thinking worker has ended before its answer."""


class Thinker:
    """A page's thinking worker. post: sends it a request; end: makes the page start another; helps: see `lend_workers`."""

    def __init__(self, thinkers: Thinkers, post: Callable[[bytes], object], end: Callable[[], object], helps: int = 0) -> None:
        self.waiting, self.helps, self._thinkers, self._post, self._end = 0, helps, thinkers, post, end
        self._turn, self._answer = asyncio.Lock(), asyncio.Future[bytes]()

    async def ask(self, request: bytes, deadline: float) -> bytes:
        """Its answer, after those to earlier requests. Errors: Gone, WorkerLost. Cancelling this call ends the search.

        deadline: seconds for this request; a browser may end a worker without a word.
        """
        self.waiting += 1
        try:
            async with self._turn:
                if self not in self._thinkers.present:
                    raise WorkerGone
                self._answer = asyncio.Future()
                self._post(request)
                try:
                    return await asyncio.wait_for(self._answer, deadline)
                except asyncio.CancelledError:
                    self._replace()
                    raise
                except TimeoutError:
                    self._replace()
                    raise _lost(phrase("server:error.slow")) from None
        finally:
            self.waiting -= 1

    def receive(self, answer: Any) -> None:
        """Take its answer, an array of bytes of JavaScript."""
        if not self._answer.done():
            self._answer.set_result(answer.to_bytes())

    def close(self) -> None:
        """It is gone with its page."""
        self._end_with(WorkerGone())

    def fail(self, problem: str) -> None:
        """It has died of an error. Its page starts another."""
        self._thinkers.coming = True
        self._end_with(_lost(problem))

    def _replace(self) -> None:
        self.close()
        self._thinkers.coming = True
        self._end()

    def _end_with(self, error: Exception) -> None:
        if self in self._thinkers.present:
            self._thinkers.present.remove(self)
        if not self._answer.done():
            self._answer.set_exception(error)
            self._answer.exception()  # nobody may be waiting for it


class Thinkers:
    """The thinking workers of all pages. coming: a page is about to start one. help: see `store.Browser`."""

    def __init__(self, help: Callable[[int], bool] = lambda number: False) -> None:
        self.present: list[Thinker] = []
        self.coming = False
        self._arrived = asyncio.Event()
        self._help, self._helped, self._number = help, 0, 0

    def join(self, post: Callable[[bytes], object], end: Callable[[], object], helps: int = 0) -> Thinker:
        """A page has started one. helps: the number with which it was asked to help; 0 for the page's own."""
        thinker = Thinker(self, post, end, helps)
        if not helps or (self._helped and helps == self._number):  # else the page has been asked to end it meanwhile
            self.present.append(thinker)
            self.coming = False
            self._arrived.set()
        return thinker

    @contextlib.contextmanager
    def lend_workers(self) -> Iterator[None]:
        """Meanwhile a page has further thinking workers. They take memory, so they end with it."""
        self._helped += 1
        if self._helped == 1:
            self._number += 1
            self.coming |= bool(self._help(self._number))
        try:
            yield
        finally:
            self._helped -= 1
            if not self._helped:
                for each in [each for each in self.present if each.helps]:
                    each.close()
                self._help(0)

    async def ask(self, deadline: float, function: Callable[..., T], *request: Any) -> T:
        """Call a function in the thinking worker with least to do, or in place. Errors: WorkerLost; those of the function."""
        while True:
            if not self.present and self.coming:
                await self._arrival()
            if not self.present:
                return await compute_here(function, *request)
            thinker = min(self.present, key=lambda each: each.waiting)
            try:
                found, error = pickle.loads(await thinker.ask(pickle.dumps((function, request)), deadline))
            except WorkerGone:
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
    """As `WorkerPool`, without processes. deadline: seconds on a server, of which a browser gets `SLOWER` times as many."""

    processes: list[Any] = []

    def __init__(self, thinkers: Thinkers, count: int, deadline: float, compiled: bool = False, searches: bool = False) -> None:
        self.worked: Callable[[str, float], None] = lambda asker, seconds: None
        self._thinkers, self._deadline = thinkers if compiled or searches else None, deadline

    def start(self) -> None:
        """Nothing to do."""

    def stop(self) -> None:
        """Nothing to do."""

    async def ask(self, function: Callable[..., T], *request: Any, asker: str = "", patience: float = 0.0) -> T:
        """Call a function. Errors: those of the function, of loading a module; WorkerLost. Cancelling this call ends a search."""
        if self._thinkers is None:
            return await compute_here(function, *request)
        return await self._thinkers.ask(SLOWER * (patience or self._deadline), function, *request)


def _lost(problem: object) -> WorkerLost:
    return WorkerLost("server:error.worker_was_lost", error=problem)


async def compute_here(function: Callable[..., T], *request: Any) -> T:
    """Call a function here, after everything that waits already. Errors: those of the function, and of loading a module."""
    await asyncio.sleep(0)
    while True:
        try:
            return function(*request)
        except NotLoaded as lacking:
            await lacking.load()


async def answer(request: bytes) -> bytes:
    """In a thinking worker: the answer to a request of `Thinkers.ask`, or its error."""
    function, given = pickle.loads(request)
    try:
        return pickle.dumps((await compute_here(function, *given), None))
    except Exception as error:
        try:
            return pickle.dumps((None, error))
        except Exception:
            return pickle.dumps((None, RuntimeError(repr(error))))
