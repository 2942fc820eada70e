"""What a request has used is charged to its address, all of it and nothing else; and few of one address run at once."""

from __future__ import annotations

import asyncio
import re
import threading
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridgehead.server import usage
from bridgehead.server.connections.effort import PAYING, WAITING, Share, WorkBudget
from bridgehead.server.connections.middleware import Throttle
from bridgehead.server.connections.rate_limits import Limits
from bridgehead.server.http import openapi, rendering
from bridgehead.server.http.routes import share_of
from bridgehead.server.messages.client import ClientMessage
from bridgehead.server.rooms.dispatcher import Dispatcher
from bridgehead.server.rooms.room import Tasks
from bridgehead.server.usage import USAGE, MeasuredThreads, Usage
from server.live import Live, Serve
from waiting import apart, wait_for

SIZE = 1000.0  # seconds in each budget of these tests
WIDE = Limits(effort=SIZE, costly=SIZE, window=1e12)


class Clock:
    """Processor time of each thread, which passes only when a test says so."""

    def __init__(self) -> None:
        self.worked = defaultdict[int, float](float)

    def __call__(self) -> float:
        return self.worked[threading.get_ident()]

    def work(self, seconds: float) -> None:
        self.worked[threading.get_ident()] += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(usage, "processor_time", made)
    return made


def charged(effort: WorkBudget, address: str, share: Share = "pages") -> float:
    """The seconds that a share has been charged."""
    bucket = effort.shares[share]._buckets.get(address)
    return 0.0 if bucket is None else round(SIZE - bucket.left, 6)


@given(st.lists(st.floats(0, 10).map(lambda x: round(x, 2)), max_size=8), st.sampled_from(PAYING))
def test_what_is_charged_is_what_was_measured(steps: list[float], share: Share) -> None:
    clock, effort = Clock(), WorkBudget(WIDE)

    async def work() -> None:
        for seconds in steps:
            clock.work(seconds)
            await asyncio.sleep(0)

    async def others() -> None:
        for _ in steps:
            clock.work(7)  # others work while the request waits
            await asyncio.sleep(0)

    async def both() -> None:
        await asyncio.gather(effort.run("a", share, work), others())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(usage, "processor_time", clock)
        apart(both())
    assert charged(effort, "a", share) == pytest.approx(sum(steps), abs=1e-4)
    assert all(charged(effort, "a", other) == 0 for other in PAYING if other != share)


def test_threads_and_tasks_that_a_request_starts_count_for_it(clock: Clock) -> None:
    effort, tasks = WorkBudget(WIDE), Tasks()

    async def work() -> None:
        await asyncio.to_thread(clock.work, 20)
        await tasks.complete(step(3))
        with pytest.raises(ZeroDivisionError):
            await asyncio.to_thread(fail)

    async def step(seconds: float) -> None:
        clock.work(seconds)

    def fail() -> None:
        clock.work(100)
        raise ZeroDivisionError

    async def run() -> None:
        asyncio.get_running_loop().set_default_executor(MeasuredThreads())
        await effort.run("a", "pages", work)
        await asyncio.to_thread(clock.work, 500)  # nobody's

    apart(run())
    assert charged(effort, "a") == 123


def test_a_request_that_fails_or_is_cancelled_pays_what_it_used(clock: Clock) -> None:
    effort = WorkBudget(WIDE)

    async def fail() -> None:
        clock.work(2)
        raise ValueError

    async def wait() -> None:
        clock.work(3)
        try:
            await asyncio.sleep(3600)
        finally:
            clock.work(4)

    async def run() -> None:
        with pytest.raises(ValueError):
            await effort.run("a", "pages", fail)
        waiting = asyncio.create_task(effort.run("b", "pages", wait))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    apart(run())
    assert charged(effort, "a") == 2 and charged(effort, "b") == 7


def test_what_the_work_shows_decides_which_share_pays(clock: Clock) -> None:
    effort, found = WorkBudget(WIDE), list[Share](["seat"])

    async def look() -> None:
        clock.work(5)
        found[0] = "pages"

    apart(effort.run("a", "seat", look, pays=lambda: found[0]))
    assert charged(effort, "a", "seat") == 0 and charged(effort, "a", "pages") == 5


def test_only_so_many_of_an_address_run_at_once_and_another_goes_through(clock: Clock) -> None:
    async def run() -> None:
        effort, begun, go_on = WorkBudget(WIDE._replace(at_once=2)), list[str](), asyncio.Event()

        async def work(name: str) -> None:
            begun.append(name)
            await go_on.wait()

        async def ask(address: str, share: Share, name: str) -> None:
            await effort.run(address, share, lambda: work(name))

        many = [asyncio.create_task(ask("a", "pages", f"a{n}")) for n in range(5)]
        await asyncio.sleep(0.01)
        assert begun == ["a0", "a1"]
        more = [asyncio.create_task(ask("b", "pages", "b")), asyncio.create_task(ask("a", "seat", "seat"))]
        await asyncio.sleep(0.01)
        assert begun[2:] == ["b", "seat"], "another address, and people with a seat at the same one"
        many[4].cancel()
        go_on.set()
        await asyncio.gather(*many[:4], *more)
        assert begun[4:] == ["a2", "a3"] and not len(effort.queues)

    apart(run())


def test_an_address_whose_queue_is_full_is_refused() -> None:
    async def run() -> None:
        effort = WorkBudget(WIDE._replace(at_once=1))
        many = [asyncio.create_task(effort.begin("a", "pages")) for _ in range(WAITING)]
        await asyncio.sleep(0)
        assert effort.refuses("a", "pages") and not effort.refuses("a", "seat") and not effort.refuses("b", "pages")
        for each in many[1:]:
            each.cancel()
        await asyncio.sleep(0.01)
        assert not effort.refuses("a", "pages")

    apart(run())


def test_a_turn_rests_after_its_work_while_others_are_there(clock: Clock) -> None:
    async def run() -> None:
        effort = WorkBudget(WIDE._replace(at_once=1))

        async def work() -> None:
            clock.work(100)

        await effort.run("a", "pages", work)
        await effort.run("b", "pages", work)
        again = asyncio.create_task(effort.run("b", "pages", work))
        await asyncio.sleep(0.05)
        assert not again.done() and len(effort.queues) == 1
        await effort.run("c", "pages", work)
        again.cancel()

    apart(run())


def test_a_turn_of_who_is_there_alone_does_not_rest(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.server.connections.effort.OTHERS", -1.0)

    async def run() -> None:
        effort = WorkBudget(WIDE._replace(at_once=1))

        async def work() -> None:
            clock.work(100)

        for _ in range(3):
            await effort.run("a", "pages", work)
        assert not len(effort.queues)

    apart(run())


def test_who_waits_for_its_client_lets_others_go_first(clock: Clock) -> None:
    async def run() -> list[str]:
        effort, order, came = WorkBudget(WIDE._replace(at_once=1)), list[str](), asyncio.Event()

        async def slow() -> None:
            await effort.aside("a", "pages", came.wait(), Usage())
            order.append("slow")

        async def quick() -> None:
            order.append("quick")

        reading = asyncio.create_task(effort.run("a", "pages", slow))
        await asyncio.sleep(0)
        await effort.run("a", "pages", quick)
        came.set()
        await reading
        assert not len(effort.queues)
        return order

    assert apart(run()) == ["quick", "slow"]


# Through the server


@pytest.fixture
def own(serve: Serve) -> Live:
    return serve(Limits(effort=SIZE, costly=SIZE, window=1e12, at_once=1000))


def test_a_page_that_takes_longer_is_charged_more(own: Live, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    def dear(**_: Any) -> str:
        clock.work(100)
        return "a study"

    monkeypatch.setattr(rendering, "render_study", dear)
    effort: WorkBudget = own.app.state.effort
    assert own.http.get("/lobby").status_code == 200
    wait_for(lambda: "127.0.0.1" in effort.shares["pages"]._buckets or not len(effort.queues))
    assert charged(effort, "127.0.0.1") == 0
    assert own.http.get("/study").text == "a study"
    wait_for(lambda: charged(effort, "127.0.0.1") == 100)


@pytest.fixture
def passed(live: Live, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, Share]]]:
    """The turns that were taken: address and share."""
    taken, real = list[tuple[str, Share]](), WorkBudget.begin

    async def begin(effort: WorkBudget, address: str, share: Share) -> None:
        if effort is live.app.state.effort:
            taken.append((address, share))
        await real(effort, address, share)

    monkeypatch.setattr(WorkBudget, "begin", begin)
    yield taken


def test_every_route_passes_the_gate(live: Live, passed: list[tuple[str, Share]]) -> None:
    share = share_of(openapi.ALL)
    assert {share(each.method, re.sub("{[a-z]+}", "X", each.path)) for each in openapi.ALL} == {
        "pages",
        "codes",
        "costly",
        "files",
    }
    for each in openapi.ALL:
        path = re.sub("{[a-z]+}", "QQ", each.path)
        live.http.request(each.method, path, content=b"" if each.body is None else b"{")
        assert {*passed} == {("127.0.0.1", each.share)}, f"{each.method} {each.path}"
        assert share(each.method, path) == each.share
        passed.clear()
    for path, wanted in (("/static/board/board.js", "files"), ("/static/nowhere", "files"), ("/nowhere", "pages")):
        live.http.get(path)
        assert passed == [("127.0.0.1", wanted)]
        passed.clear()


def test_the_files_of_the_pages_cost_nothing_so_a_class_behind_one_router_does_not_wait(serve: Serve) -> None:
    own = serve(Limits(effort=1e-9, traffic=1))
    effort: WorkBudget = own.app.state.effort
    for path in ("/static/board/board.js", "/static/words/en.json", "/static/bip39.txt", "/art.svg"):
        tag = own.http.get(path).headers.get("etag", "")
        assert own.http.get(path, headers={"if-none-match": tag}).status_code in (200, 304)
    wait_for(lambda: not effort.queues)
    assert effort.owing == {} and not effort.traffic._buckets
    own.http.get("/nowhere")
    wait_for(lambda: {name for _, name in effort.owing} == {"pages", "traffic"})


def test_every_message_passes_the_gate(live: Live, passed: list[tuple[str, Share]], monkeypatch: pytest.MonkeyPatch) -> None:
    answered = dict[type, Any]()

    async def answer(_: Dispatcher, session: Any, message: Any) -> None:
        answered[type(message)] = USAGE.get() is session.connection.transport.usage
        session.connection.send(b'{"t":"pong","n":1}')

    key, seal = "0" * 32, {"k": "0" * 32, "gid": "0" * 32, "era": 1}
    needed: dict[str, dict[str, Any]] = {
        "hello": {"p": 1, "table": "A"}, "act": {"k": key, "v": 0, "a": 0}, "undo": {"k": key, "v": 0},
        "ask": {"k": key, "v": 0, "what": "pause"}, "answer": {"k": key, "about": 0, "yes": True},
        "withdraw": {"k": key, "about": 0}, "hint": {"k": key, "v": 0},
        "lag": {"n": 1}, "why": {"k": key, "touch": ["x"]}, "past": {"k": key, "first": 0, "until": 1},
        "seat": {"k": key, "seat": 0, "do": "name"}, "house": {"k": key}, "rematch": {"k": key}, "say": {"k": key},
        "point": {"at": "x"}, "ping": {"n": 1}, "seal": seal | {"heads": [{"seat": 0, "head": "0" * 64}]},
        "reveal": seal | {"links": [{"seat": 0, "value": "0" * 64}]}, "begin": seal,
    }  # fmt: skip
    page = live.page(live.table(), 0)
    passed.clear()
    monkeypatch.setattr(Dispatcher, "answer", answer)
    for each in get_args(ClientMessage):
        tag = each.__struct_config__.tag
        page.say(t=tag, **needed[tag])
        page.hear("pong")
        assert passed == [("127.0.0.1", "seat")], tag
        passed.clear()
    assert answered == dict.fromkeys(get_args(ClientMessage), True)


def test_coming_to_a_table_passes_the_gate(live: Live, passed: list[tuple[str, Share]]) -> None:
    table = live.table()
    passed.clear()
    live.page(table)
    live.page(table, 0)
    assert [share for _, share in passed] == ["pages", "pages", "seat", "seat"], "finding the table, and entering"


def test_bytes_and_the_disk_are_charged(own: Live) -> None:
    effort: WorkBudget = own.app.state.effort

    def used(budget: Any) -> float:
        bucket = budget._buckets.get("127.0.0.1")
        return 0.0 if bucket is None else float(bucket.size - bucket._left)

    size = len(own.http.get("/lobby", headers={"accept-encoding": "identity"}).content)
    wait_for(lambda: used(effort.traffic) >= size)
    before = used(effort.traffic)
    own.http.post("/api/check", content=b"x" * 60_000)
    wait_for(lambda: before + 60_000 < used(effort.traffic) < before + 62_000)
    assert used(effort.disk) == 0
    table = own.table()
    wait_for(lambda: used(effort.disk) > 0)
    stored = len(own.store.body(table["table"])) + sum(len(each.body) for each in own.store.events(table["table"]))
    assert stored < used(effort.disk) < 20 * stored


def test_a_body_that_does_not_come_holds_up_nobody_else_at_its_address(serve: Serve) -> None:
    own = serve(Limits(at_once=1))
    slow = [own.raw(b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{") for _ in range(3)]
    assert own.http.post("/api/check", json={"game": "forty_bridges"}).status_code == 200
    for each in slow:
        each.close()


def test_a_body_that_is_too_long_is_refused_before_it_is_read(own: Live) -> None:
    with own.raw(b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n\r\n" + b"x" * 1000) as line:
        answer = b"".join(iter(lambda: line.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 413") and b"connection: close" in answer


def test_requests_of_one_address_wait_for_each_other_at_the_server(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    own, begun, go_on = serve(Limits(at_once=1)), threading.Event(), threading.Event()

    def slow(*_: Any, **__: Any) -> str:
        begun.set()
        go_on.wait(300)
        return "slow"

    monkeypatch.setattr("bridgehead.server.http.pages.rendering.render_new_table", slow)
    held = own.raw(b"GET /new/forty_bridges HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert begun.wait(300)
    waiting = own.raw(b"GET /lobby HTTP/1.1\r\nHost: localhost\r\n\r\n")
    with own.raw(b"GET /lobby HTTP/1.1\r\nHost: localhost\r\n\r\n", source_address=("127.0.0.2", 0)) as other:
        assert other.recv(100).startswith(b"HTTP/1.1 200")
    waiting.settimeout(0.3)
    with pytest.raises(TimeoutError):
        waiting.recv(100)
    go_on.set()
    waiting.settimeout(300)
    assert held.recv(100).startswith(b"HTTP/1.1 200") and waiting.recv(100).startswith(b"HTTP/1.1 200")
    held.close()
    waiting.close()


def test_no_price_is_written() -> None:
    from bridgehead.server.connections import rate_limits

    assert not {"PRICES", "STORED", "REQUESTS", "price_of", "UNIT"} & set(vars(rate_limits))
    assert Throttle.REFUSING == 0.0, "only in these tests"
