"""Servers whose every await is a choice of the test: an event loop without a clock, and all that is outside it behind gates.

A commit, a thread, a message on its way, a word on the bus, a computer's answer: each waits at a `Gate` until the test opens it.
Between two gates the loop runs in the order of asyncio, so each order of the gates is one that a real loop can have.
"""

from __future__ import annotations

import asyncio
import contextvars
import heapq
import itertools
import json
import secrets
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest import mock

import msgspec

from bridgehead.server.cluster.peers import ClusterPeers
from bridgehead.server.connections.connection import Disconnected
from bridgehead.server.connections.effort import WorkBudget
from bridgehead.server.connections.rate_limits import Limits
from bridgehead.server.connections.webhooks import Webhooks
from bridgehead.server.jobs.worker_pool import WorkerPool
from bridgehead.server.messages.tables import NewTable
from bridgehead.server.rooms.room import Peers
from bridgehead.server.rooms.room_manager import RoomManager
from bridgehead.server.storage.event_log import Event, StorageError
from bridgehead.server.storage.group_commit import Job
from bridgehead.server.storage.sqlite import Store
from bridgehead.server.tables.repository import GameCache, Repository
from bridgehead.server.tables.stored_seats import digest
from bridgehead.server.tables.table import Table
from bridgehead.server.usage import Usage

TIMED = (
    "tables.state", "tables.seats", "tables.codes", "tables.repository", "tables.proposals",
    "rooms.rights", "rooms.presence", "connections.connection", "connections.rate_limits", "connections.effort", "cluster.peers",
)  # fmt: skip
EASY = Limits(
    hello=1e6, seat=10**6, watcher=10**6, tables=10**6, claims=10**6, effort=10**8, at_once=10**6, misses=10**6, guesses=10**6,
    away=60.0,
)  # fmt: skip
WORKER: contextvars.ContextVar[int] = contextvars.ContextVar("WORKER", default=-1)
MOST = 20_000  # gates opened until all is quiet


class Gate(NamedTuple):
    """Something outside the loop that has not happened yet. worker: for whom; open: makes it happen; fail: makes it go wrong."""

    label: str
    worker: int
    open: Callable[[], None]
    fail: Callable[[], None] | None = None


class Loop(asyncio.AbstractEventLoop):
    """An event loop that the test drives. now: its time, which only `World.wait` changes."""

    def __init__(self) -> None:
        self.now, self.gates = 1_000_000.0, list[Gate]()
        self.broken: list[BaseException] = []
        self.tasks: set[asyncio.Task[Any]] = set()  # also those of servers that were killed, which wait for ever
        self._ready: deque[asyncio.Handle] = deque()
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = itertools.count()

    def run(self) -> None:
        """Run until everything waits for a gate or for time."""
        asyncio._set_running_loop(self)
        try:
            while self._ready:
                handle = self._ready.popleft()
                if not handle.cancelled():
                    handle._run()
        finally:
            asyncio._set_running_loop(None)

    def pass_to(self, then: float) -> None:
        """Let the time pass, with every timer on the way."""
        while self._timers and self._timers[0][0] <= then:
            self.now, _, handle = heapq.heappop(self._timers)
            if not handle.cancelled():
                self._ready.append(handle)
                self.run()
        self.now = then

    @property
    def next_timer(self) -> float:
        """When the next timer is due."""
        while self._timers and self._timers[0][2].cancelled():
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else float("inf")

    def forget(self, worker: int) -> None:
        """What a dead worker waited for does not come, and none of its timers fires."""
        self.gates = [gate for gate in self.gates if gate.worker != worker]
        for _, _, handle in self._timers:
            if handle._context.get(WORKER) == worker:
                handle.cancel()

    def gate(self, label: str, open_: Callable[[], None], fail: Callable[[], None] | None = None) -> None:
        self.gates.append(Gate(label, WORKER.get(), open_, fail))

    # What asyncio needs

    def time(self) -> float:
        return self.now

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:
        task = asyncio.Task(coro, loop=self, **options)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_later(self, delay: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        return self.call_at(self.now + delay, callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), handle))
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Cancelled timers are skipped when they are due."""

    def run_in_executor(self, executor: Any, function: Callable[..., Any], *args: Any) -> Any:
        future = self.create_future()

        def work() -> None:
            try:
                result, error = function(*args), None
            except Exception as wrong:
                result, error = None, wrong
            if not future.done():
                future.set_result(result) if error is None else future.set_exception(error)

        self.gate("thread", work)
        return future

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if isinstance(context.get("exception"), Exception):
            self.broken.append(context["exception"])


class GatedStore(Store):
    """A log whose commits wait at gates. Several workers may use it, as if it were a database."""

    def __init__(self, file: Path, loop: Loop, shared: bool) -> None:
        super().__init__(file)
        self._writer.pragma("synchronous", 0)  # no crash of the machine is tried here
        self.loop, self.shared = loop, shared
        self.id = "interleaved"
        self.leases: dict[str, str] = {}

    async def _submit(self, game: str, body: str | None, events: Sequence[Event], beside: Any = ()) -> None:
        future = self.loop.create_future()
        job = Job(game, body, events, self.loop, future, beside)

        def commit() -> None:
            (error,) = self._store([job])
            if not future.done():
                future.set_result(None) if error is None else future.set_exception(error)

        def lose() -> None:
            """The commit happens, and its answer is lost: possible with a database only. A file has not been written then."""
            if self.shared:
                self._store([job])
            if not future.done():
                future.set_exception(StorageError("server:error.closing"))

        self.loop.gate("commit", commit, lose)
        await future

    def newer(self, known: Mapping[str, int]) -> dict[str, list[Event]]:
        found = {table: self.events(table, version) for table, version in known.items()}
        return {table: events for table, events in found.items() if events}

    def lease(self, job: str, owner: str, seconds: float) -> bool:
        return self.leases.setdefault(job, owner) == owner

    def release(self, job: str, owner: str) -> None:
        if self.leases.get(job) == owner:
            del self.leases[job]

    def release_all(self, owner: str) -> None:
        for job in [job for job, each in self.leases.items() if each == owner]:
            del self.leases[job]


class Bus:
    """The bus of one worker. Each word waits at a gate; the test may lose it."""

    def __init__(self, world: World, number: int) -> None:
        self.world, self.number = world, number
        self.receiver: Any = None

    def start(self, receiver: Any, reconnected: Any) -> None:
        self.receiver = receiver

    def send(self, table: str, kind: str, content: Any = None) -> None:
        word = msgspec.json.decode(msgspec.json.encode(content))
        for other in self.world.workers:
            if other is not None and other.number != self.number:
                receiver = other.bus.receiver
                hear = lambda receiver=receiver: receiver(str(self.number), table, kind, word)  # noqa: E731
                self.world.loop.gates.append(Gate("word", other.number, self.world.inside(other.number, hear), lambda: None))


class Computers:
    """Computer players that answer when a gate is opened."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop

    async def choose(
        self, position: Any, level: str, seed: str, asker: str = "", table: str = "", look_back: Any = None
    ) -> tuple[int, str]:
        future = self.loop.create_future()
        self.loop.gate("thought", lambda: None if future.done() else future.set_result(None))
        await future
        return position.legal[int(seed[:8], 16) % len(position.legal)], level

    def is_ready(self, game: Any) -> bool:
        return True

    async def prepare(self, game: Any, asker: str = "") -> None:
        """Every game is compiled."""

    @property
    def hints(self) -> Any:
        """No worker finds a hint here."""
        raise StorageError("server:error.closing")


class Worker:
    """One server process. life: counts its restarts."""

    def __init__(self, world: World, number: int) -> None:
        self.number, self.bus = number, Bus(world, number)
        repository = Repository(world.store, GameCache(WorkerPool(1, 1.0)))
        peers: Any = ClusterPeers(world.store, self.bus) if world.store.shared else Peers()  # type: ignore[arg-type]
        computers: Any = Computers(world.loop)
        self.manager = manager = RoomManager(repository, computers, world.limits, Webhooks(), peers, WorkBudget(world.limits))
        if world.store.shared:
            peers.start(manager.rooms, manager.updates, manager.rule_errors, manager.computer_turns.thinking)


class Call:
    """A message that a page has sent, and its answer. hashes: of the tokens that the page had then."""

    def __init__(self, page: Page, message: dict[str, Any], at: int) -> None:
        self.page, self.message, self.invoked = page, message, at
        self.hashes = {digest(token) for token in page.tokens}
        self.answer: dict[str, Any] | None = None
        self.answered = float("inf")


class Page:
    """A page at the other end of a wire. It serves as `Transport`. sent: on the way to the server."""

    def __init__(
        self, world: World, number: int, worker: int, tokens: Sequence[str], host: str, table: str, more: Mapping[str, Any]
    ) -> None:
        self.world, self.number, self.worker = world, number, worker
        self.address, self.tokens, self.host = f"10.0.0.{number}", list(tokens), host
        self.view: dict[str, Any] = {}
        self.people: dict[str, Any] = {}
        self.bye: dict[str, Any] = {}
        self.sealed: dict[str, Any] = {}  # of the last view that showed it
        self.sent: deque[str] = deque()
        self.calls: list[Call] = []
        self._links: dict[str, list[str]] = {}
        self.is_cut = self.is_closed = False
        self.usage = Usage()
        self._arrived: deque[str] = deque()
        self._waiter: asyncio.Future[None] | None = None
        hello = {"t": "hello", "p": 1, "table": table, "tokens": list(tokens), "host": host, "plain": True, "brief": True} | more
        self.hello = Call(self, hello, world.steps)
        self.sent.append(json.dumps(hello))

    @property
    def alive(self) -> bool:
        return not self.is_cut and not self.is_closed

    def say(self, key: str = "", **message: Any) -> Call:
        """Send a message that has a key."""
        call = Call(self, {"k": key or secrets.token_hex(16), **message}, self.world.steps)
        self.calls.append(call)
        self.world.calls.append(call)
        self.sent.append(json.dumps(call.message))
        return call

    def seat(self, seat: int, do: str, **more: Any) -> Call:
        return self.say(t="seat", seat=seat, do=do, **more)

    def act(self, action: int, version: int | None = None) -> Call:
        return self.say(t="act", a=action, v=self.view.get("v", 0) if version is None else version)

    def given(self, keys: Iterable[str]) -> set[str]:
        """The secrets that came with the answers to these messages, hashed."""
        return {digest(token) for key in keys for token in self._links.get(key, ())}

    def deliver(self) -> None:
        """The next message arrives at the server."""
        self._arrived.append(self.sent.popleft())
        self._wake()

    def cut(self) -> None:
        """The connection breaks; what is on the way is lost."""
        self.is_cut = True
        self.sent.clear()
        self._wake()
        self.world.loop.run()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _hear(self, data: bytes) -> None:
        if not self.alive:
            return
        message = json.loads(data)
        if message["t"] in ("view", "people", "bye"):
            setattr(self, message["t"], message)
            self.sealed = message.get("sealed", self.sealed)
        if message["t"] == "link":
            self.tokens.append(message["token"])
            self._links.setdefault(message["k"], []).append(message["token"])
        if message["t"] in ("view", "bye") and self.hello.answer is None:
            self.hello.answer, self.hello.answered = message, self.world.steps
        if message["t"] in ("ack", "rej") and message["k"]:  # a message without a key is answered without one
            call = next(each for each in self.calls if each.answer is None and each.message["k"] == message["k"])
            call.answer, call.answered = message, self.world.steps

    # What the server sees

    async def accept(self) -> None:
        """Nothing stands in the way."""

    async def receive(self) -> str | None:
        while not self._arrived:
            if self.is_cut:
                raise Disconnected
            self._waiter = self.world.loop.create_future()
            await self._waiter
        return self._arrived.popleft()

    def write(self, data: bytes) -> bool:
        self._hear(data)
        return True

    async def send(self, data: bytes) -> None:
        if self.is_cut:
            raise Disconnected
        self._hear(data)

    async def close(self, code: int) -> None:
        self.is_closed = True


class World:
    """Some workers over one log, and the pages at one table."""

    def __init__(self, file: Path, loop: Loop, workers: int = 1, limits: Limits = EASY) -> None:
        self.loop, self.limits, self.steps = loop, limits, 0
        self.store = GatedStore(file, self.loop, workers > 1)
        self.workers: list[Worker | None] = [None] * workers
        self.calls: list[Call] = []
        self.pages: list[Page] = []
        for number in range(workers):
            self.start(number)

    def inside(self, worker: int, work: Callable[[], Any]) -> Callable[[], None]:
        """Some work as that worker does it, in the loop."""

        def done() -> None:
            context = contextvars.copy_context()
            context.run(WORKER.set, worker)
            self.loop.call_soon(work, context=context)
            self.loop.run()

        return done

    def start(self, number: int) -> None:
        """Start a worker, again after a kill."""

        def work() -> None:
            self.workers[number] = Worker(self, number)

        self.inside(number, work)()

    def kill(self, number: int) -> None:
        """A worker ends at once: its pages are cut, and what it waited for does not come."""
        self.workers[number] = None
        self.loop.forget(number)
        for page in self.pages:
            if page.worker == number and not page.is_closed:
                page.is_cut = True
                page.sent.clear()

    def worker(self, number: int) -> Worker:
        found = self.workers[number]
        assert found is not None
        return found

    def do(self, work: Coroutine[Any, Any, Any], worker: int = 0) -> Any:
        """Do some work to the end, whatever it waits for."""
        found: list[asyncio.Task[Any]] = []
        self.inside(worker, lambda: found.append(self.loop.create_task(work)))()
        while not found[0].done():
            self.loop.gates.pop(0).open()
            self.loop.run()
        return found[0].result()

    def table(self, **wish: Any) -> tuple[Table, list[str | None], str]:
        """A new table, the tokens of its seats, and that of the host."""
        return self.do(self.worker(0).manager.repository.create(msgspec.convert(wish, NewTable)))  # type: ignore[no-any-return]

    def come(self, table: str, *tokens: str, host: str = "", worker: int = 0, **more: Any) -> Page:
        """A page that begins to connect."""
        page = Page(self, len(self.pages), worker, tokens, host, table, more)
        self.pages.append(page)
        manager = self.worker(worker).manager
        self.inside(worker, lambda: self.loop.create_task(manager.serve(page)))()
        return page

    @property
    def moves(self) -> list[tuple[str, Callable[[], None]]]:
        """All that may happen next."""
        found = [(f"message of {page.number}", page.deliver) for page in self.pages if page.sent and page.alive]
        return found + [(gate.label, lambda gate=gate: self.pass_gate(gate)) for gate in self.loop.gates]  # type: ignore[misc]

    def pass_gate(self, gate: Gate, fails: bool = False) -> None:
        self.loop.gates.remove(gate)
        (gate.fail if fails and gate.fail else gate.open)()

    def step(self, choice: int = 0) -> bool:
        """Let one of these things happen; False if nothing can."""
        moves = self.moves
        if moves:
            self.steps += 1
            moves[choice % len(moves)][1]()
            self.loop.run()
        return bool(moves)

    def until(self, label: str) -> None:
        """Go on until something with this label waits."""
        for _ in range(MOST):
            if any(label in each for each, _ in self.moves):
                return
            assert self.step()

    def open(self, label: str) -> None:
        """Let the first thing with this label happen."""
        self.steps += 1
        next(work for each, work in self.moves if label in each)()
        self.loop.run()

    def wait(self, seconds: float) -> None:
        self.steps += 1
        self.loop.pass_to(self.loop.now + seconds)

    def quiet(self, seconds: float = 0.0) -> None:
        """Let all that is under way come to its end, and so much time pass. Computers do not answer meanwhile."""
        end = self.loop.now + seconds
        for _ in range(MOST):
            place = next((i for i, (label, _) in enumerate(self.moves) if label != "thought"), None)
            if place is not None:
                self.step(place)
            else:
                if self.loop.now >= end:
                    return
                self.wait(max(0.0, min(end, self.loop.next_timer) - self.loop.now))
        raise AssertionError("it does not come to rest")

    def stop(self) -> None:
        for page in self.pages:
            page.cut()
        while self.loop.tasks:
            for task in list(self.loop.tasks):
                task.cancel()
            self.loop.run()
            while self.loop.gates:
                self.loop.gates.pop().open()
                self.loop.run()
        self.store.close()


@contextmanager
def driven(file: Path, workers: int = 1, limits: Limits = EASY) -> Iterator[World]:
    """A world in which the server's clocks show the time of its loop."""
    loop = Loop()
    clock = SimpleNamespace(time=lambda: loop.now, monotonic=lambda: loop.now)
    with ExitStack() as stack:
        for module in TIMED:
            stack.enter_context(mock.patch(f"bridgehead.server.{module}.time", clock))
        stack.enter_context(mock.patch("bridgehead.server.usage.processor_time", lambda: 0.0))  # the same on every machine
        world = World(file, loop, workers, limits)
        try:
            yield world
        finally:
            world.stop()
