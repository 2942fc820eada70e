"""Searches in the thinking workers of pages: their answers and errors, ends of workers, and cancelled requests."""

import asyncio
import functools
import pickle
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.jobs.worker_pool import WorkerLost
from bridgehead.site.pool import SLOWER, Pool, Thinkers, answer
from waiting import apart


class Bytes:
    """An array of bytes of JavaScript."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def to_bytes(self) -> bytes:
        return self.data


class Worker:
    """A page's thinking worker, which answers when it is asked to. ends: how often the page was asked to end it."""

    def __init__(self, thinkers: Thinkers, helps: int = 0) -> None:
        self.asked: list[bytes] = []
        self.ends = 0
        self.thinker = thinkers.join(self.asked.append, self._end, helps)

    def _end(self) -> None:
        self.ends += 1

    async def answer(self) -> None:
        self.thinker.receive(Bytes(await answer(self.asked.pop(0))))


def in_loop(work: Callable[[Thinkers, Pool], Awaitable[None]]) -> Callable[[], None]:
    """A test that runs this in a loop of its own."""

    async def run() -> None:
        thinkers = Thinkers()
        await asyncio.wait_for(work(thinkers, Pool(thinkers, 1, 60.0, compiled=True)), 60)

    return lambda: apart(run())


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def refuse(word: str) -> None:
    raise BridgeheadError("error.no_preset", word)


def locked() -> None:
    raise Unsent(lambda: 0)


class Unsent(Exception):
    """Cannot be pickled: its value is a local function."""


@in_loop
async def test_a_search_runs_in_a_thinking_worker_and_the_others_wait_for_it(thinkers: Thinkers, pool: Pool) -> None:
    worker = Worker(thinkers)
    one, two = asyncio.ensure_future(pool.ask(max, 3, 4)), asyncio.ensure_future(pool.ask(min, 3, 4))
    await settled()
    assert [pickle.loads(each) for each in worker.asked] == [(max, (3, 4))] and not one.done()
    await worker.answer()
    assert await one == 4
    await settled()
    await worker.answer()
    assert await two == 3


@in_loop
async def test_two_pages_think_at_the_same_time(thinkers: Thinkers, pool: Pool) -> None:
    workers = [Worker(thinkers), Worker(thinkers)]
    asked = [asyncio.ensure_future(pool.ask(abs, -number)) for number in (1, 2)]
    await settled()
    for worker in workers:
        await worker.answer()
    assert await asyncio.gather(*asked) == [1, 2]


@in_loop
async def test_errors_arrive_even_those_that_cannot_be_sent(thinkers: Thinkers, pool: Pool) -> None:
    worker = Worker(thinkers)
    for function, given, kind in ((refuse, ("here",), BridgeheadError), (locked, (), RuntimeError)):
        asked: Any = asyncio.ensure_future(pool.ask(function, *given))
        await settled()
        await worker.answer()
        with pytest.raises(kind):
            await asked


@in_loop
async def test_a_request_goes_to_another_worker_when_its_own_has_gone_with_its_page(thinkers: Thinkers, pool: Pool) -> None:
    first = Worker(thinkers)
    asked = asyncio.ensure_future(pool.ask(max, 3, 4))
    await settled()
    second = Worker(thinkers)
    first.thinker.close()
    await settled()
    await second.answer()
    assert await asked == 4 and thinkers.present == [second.thinker] and not first.ends


@in_loop
async def test_without_a_thinking_worker_it_is_computed_in_place(thinkers: Thinkers, pool: Pool) -> None:
    worker = Worker(thinkers)
    asked = asyncio.ensure_future(pool.ask(max, 3, 4))
    await settled()
    worker.thinker.close()
    assert await asked == 4


@in_loop
async def test_a_cancelled_search_ends_its_worker_and_the_next_request_waits_for_the_new_one(
    thinkers: Thinkers, pool: Pool
) -> None:
    worker = Worker(thinkers)
    asked = asyncio.ensure_future(pool.ask(max, 3, 4))
    await settled()
    asked.cancel()
    await settled()
    assert worker.ends == 1 and not thinkers.present
    following = asyncio.ensure_future(pool.ask(min, 3, 4))
    await settled()
    assert not following.done()
    new = Worker(thinkers)
    await settled()
    await new.answer()
    assert await following == 3 and not new.ends


@in_loop
async def test_a_worker_that_dies_is_named_and_the_next_request_waits_for_the_new_one(thinkers: Thinkers, pool: Pool) -> None:
    worker = Worker(thinkers)
    asked = asyncio.ensure_future(pool.ask(max, 3, 4))
    await settled()
    worker.thinker.fail("out of memory")
    with pytest.raises(WorkerLost, match="out of memory"):
        await asked
    following = asyncio.ensure_future(pool.ask(min, 3, 4))
    await settled()
    assert not following.done() and not thinkers.present and not worker.ends
    new = Worker(thinkers)
    await settled()
    await new.answer()
    assert await following == 3


@in_loop
async def test_a_worker_that_never_answers_is_replaced_after_the_deadline(thinkers: Thinkers, pool: Pool) -> None:
    worker = Worker(thinkers)
    with pytest.raises(WorkerLost, match="too long"):
        await pool.ask(max, 3, 4, patience=0.01 / SLOWER)
    assert worker.ends == 1 and not thinkers.present and thinkers.coming
    await worker.answer()  # too late
    new = Worker(thinkers)
    asked = asyncio.ensure_future(pool.ask(min, 3, 4))
    await settled()
    await new.answer()
    assert await asked == 3


@in_loop
async def test_what_needs_no_search_is_computed_in_place(thinkers: Thinkers, pool: Pool) -> None:
    worker = Worker(thinkers)
    plain = functools.partial(Pool, thinkers)(1, 0.0)
    assert await plain.ask(max, 3, 4) == 4 and not worker.asked


@in_loop
async def test_a_worker_that_helps_ends_with_the_work_and_what_it_had_to_do_goes_to_the_pages_own(
    thinkers: Thinkers, pool: Pool
) -> None:
    own = Worker(thinkers)
    with thinkers.lend_workers():
        helper = Worker(thinkers, helps=1)
        asked = [asyncio.ensure_future(pool.ask(abs, -number)) for number in (1, 2)]
        await settled()
        assert (len(own.asked), len(helper.asked)) == (1, 1)
        await own.answer()
    assert thinkers.present == [own.thinker]
    await settled()
    await own.answer()
    assert await asyncio.gather(*asked) == [1, 2]


@in_loop
async def test_help_is_asked_for_once_and_a_worker_that_comes_too_late_gets_nothing(_: Thinkers, __: Pool) -> None:
    numbers: list[int] = []
    thinkers = Thinkers(lambda number: bool(numbers.append(number)) or number > 0)
    with thinkers.lend_workers(), thinkers.lend_workers():
        assert numbers == [1] and thinkers.coming
    assert numbers == [1, 0]
    with thinkers.lend_workers():
        late = Worker(thinkers, helps=1)
        helper = Worker(thinkers, helps=2)
        assert thinkers.present == [helper.thinker] and late.thinker not in thinkers.present
    assert not thinkers.present and numbers == [1, 0, 2, 0]
