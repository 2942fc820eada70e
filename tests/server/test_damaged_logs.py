"""A table whose log stops folding at an event opens up to the event before, says where and why, and takes no more events."""

import asyncio
import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from bridgehead.core import record, registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.fairness.seals import Seals
from bridgehead.server.catalogue import WORDS
from bridgehead.server.jobs.worker_pool import FairQueue, WorkerPool
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.event_log import COLUMNS, Event, StorageError
from bridgehead.server.storage.sqlite import Store
from bridgehead.server.tables import event_handlers
from bridgehead.server.tables.refold import find_damage
from bridgehead.server.tables.repository import GameCache, Repository
from bridgehead.server.tables.stored_seats import StoredTable
from bridgehead.server.tables.table import NewEvent, Refused, Table
from server.damaging import chained, relink
from server.golden import STORES
from server.live import PATIENCE, Live, Page
from waiting import apart


class Log:
    """A store that only reads: one table, and the imported records of a file."""

    def __init__(self, events: list[Event], imported: dict[str, bytes]) -> None:
        self.kept, self.packed, self.key, self.shown = events, imported, b"", ""

    def events(self, game: str, after: int = 0) -> list[Event]:
        return [event for event in self.kept if event.version > after]

    def read(self, query: str, digest: str) -> list[Any]:
        return [(self.packed[digest],)] if digest in self.packed else []

    def find_listed_era(self, era: str) -> None:
        return None


class Golden:
    """A table of the golden store, which has one of every kind."""

    def __init__(self, name: str, body: str, events: list[Event], imported: dict[str, bytes]) -> None:
        self.name, self.text, self.events, self.imported = name, body, events, imported
        self.body = msgspec.json.decode(body, type=StoredTable)
        self.game = registry.game(self.body.game, **self.body.options)

    def table(self, events: list[Event]) -> Table:
        log: Any = Log(events, self.imported)
        table = Table(self.name, self.body, self.game, log, hash_chain.first_link(self.name, self.text))
        table.now = lambda: 50.0
        return table

    def reloaded(self, events: list[Event]) -> Table:
        table = self.table(events)
        table.reload()
        return table

    def chained(self, events: list[Event]) -> list[Event]:
        return chained(self.name, self.text, events)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("golden") / "bridgehead.sqlite"
    place.write_bytes(lzma.decompress((STORES[-1] / "bridgehead.sqlite.xz").read_bytes()))
    place.with_suffix(".key").write_bytes(bytes.fromhex(json.loads((STORES[-1] / "says.json").read_text("utf-8"))["key"]))
    return place


@pytest.fixture(scope="module")
def golden(file: Path) -> list[Golden]:
    with apsw.Connection(str(file)) as connection:
        imported = {str(digest): bytes(packed) for digest, packed in connection.execute("select hash, actions from imported")}
        found = []
        for name, body in connection.execute("select id, body from game order by id").fetchall():
            query = f"select {COLUMNS} from event where game = ? order by version"
            found.append(Golden(name, body, [Event(*row) for row in connection.execute(query, (name,))], imported))
    connection.close()
    return found


def state(table: Table) -> list[object]:
    """What a table is, but for its damage."""
    match, people = table.match, table.people
    notes = [note for note in people.notes if note.phrase.key != "mark.damaged"]
    return [
        table.version, table.head, match.log, match.ended, match.position.text, table.actor, table.seats, notes,
        table.last_move_version,
        table.done, table.occupied, table.frozen_by_host, table.paused, table.clock.left, table.came, table.proposals.last,
        table.dealer.eras if isinstance(table.dealer, Seals) else (), people.rematch, people.chat, table.begun, table.taken,
    ]  # fmt: skip


Change = Callable[[list[Event], int], list[Event]]  # a whole log and a place from 1: the log that is damaged there


def changed(**fields: object) -> Change:
    def change(events: list[Event], n: int) -> list[Event]:
        return [*events[: n - 1], events[n - 1]._replace(**fields), *events[n:]]

    return change


# Damage after which the log always stops at its place, with the reason that is given; all but two with a whole hash chain.
CERTAIN: dict[str, tuple[Change, str]] = {
    "missing": (lambda events, n: events[: n - 1] + events[n:], "missing"),
    "link": (changed(time=12.5), "link"),
    "value": (changed(body=7), "link"),
    "kind": (changed(kind="nonsense"), "kind"),
    "text": (changed(kind="house", body='{"listed":"perhaps"}'), "body"),
    "rules": (changed(kind="action", action=1 << 30), ""),
}
PERHAPS: dict[str, Change] = {
    "another struct": changed(body='{"to":-3,"token":[],"seats":9,"clock":"late"}'),
    "no body": changed(body=""),
    "another actor": changed(actor=99),
    "another action": changed(action=0),
    "another end": changed(kind="end", body='{"how":"resigned","seat":0}'),
    "a pause": changed(kind="pause", body=""),
    "back": changed(kind="back", body='{"to":100000}'),
}


def damages(table: Golden, every: int, first: int) -> Iterator[tuple[str, int, list[Event]]]:
    """Logs of a table that are damaged, one of each `every` of all kinds and places."""
    count = first
    for n in range(1, len(table.events) + 1):
        for kind in (*CERTAIN, *PERHAPS):
            count += 1
            if count % every or (kind == "missing" and n == len(table.events)):
                continue
            events = (CERTAIN[kind][0] if kind in CERTAIN else PERHAPS[kind])(table.events, n)
            yield kind, n, events if kind in ("missing", "link", "value") else table.chained(events)


def check(table: Golden, kind: str, n: int, events: list[Event]) -> None:
    """A damaged log opens up to the event before the one that does not fold, and no further."""
    try:
        found = table.reloaded(events)
    except (BridgeheadError, msgspec.ValidationError):
        assert n == 1 or not foldable(table, events, 1), (kind, n)
        return
    if found.damage is None:
        assert kind in PERHAPS and foldable(table, events, len(events)), (kind, n)
        return
    at = found.damage.event
    assert at == n if kind in CERTAIN else at >= n, (kind, n)
    if kind in CERTAIN and CERTAIN[kind][1]:
        assert found.damage.why.key == f"mark.damaged.{CERTAIN[kind][1]}"
    whole = table.table(events[: at - 1])
    whole.imported = found.imported
    whole.fold(table.game, events[: at - 1])
    assert state(found) == state(whole), (kind, n)
    assert kind in ("missing", "link", "value") or not foldable(table, events, at), (kind, n)
    assert found.stopped and found.clock.running is None and not found.computer() and found.stored_events() == events[: at - 1]
    last = found.notes()[-1]
    assert last.at == len(found.match.log) and f"event {at}" in WORDS.tell(last.phrase)
    if kind not in ("missing", "link", "value"):  # these the audit finds by the chain
        known = find_damage(table.name, table.text, events, lambda digest: found.imported)
        assert known is not None and known[0] == at
    with pytest.raises(Refused, match="damaged") as refused:
        apart(found.write("0" * 32, NewEvent("house", -1)))
    assert refused.value.code == "closed"
    if found.actor >= 0:
        with pytest.raises(Refused, match="damaged"):
            apart(found.act(frozenset([found.actor]), "0" * 32, found.version, found.match.position.legal[0]))
    assert state(found) == state(whole), "a refusal changes nothing"


def foldable(table: Golden, events: list[Event], count: int) -> bool:
    whole = table.table(events)
    try:
        if events[0].kind == "import":
            whole.imported = table.reloaded(table.events).imported
        whole.fold(table.game, events[:count])
    except Exception:
        return False
    return True


def test_the_golden_tables_are_of_every_kind(golden: list[Golden]) -> None:
    kinds = {(each.body.level, each.body.typed) for each in golden}
    assert kinds >= {(0, False), (1, False), (2, False), (0, True)}
    assert any(each.body.clock for each in golden) and any(each.events[:1] and each.events[0].kind == "import" for each in golden)
    assert all(each.reloaded(each.events).damage is None for each in golden)


def test_a_damaged_log_opens_up_to_the_event_before(golden: list[Golden]) -> None:
    for first, table in enumerate(golden):
        for kind, n, events in damages(table, 29, first):
            check(table, kind, n, events)


@pytest.mark.wide
def test_every_kind_of_damage_at_every_place(golden: list[Golden]) -> None:
    for table in golden:
        for kind, n, events in damages(table, 1, 0):
            check(table, kind, n, events)


def test_the_first_event_that_fails_is_found_in_a_long_group(golden: list[Golden]) -> None:
    """Events that were stored together are applied together; what is wrong in their midst is found all the same."""
    (table,) = (each for each in golden if each.body.clock and not each.body.level)
    group = [event._replace(key=f"same.{i}" if i else "same") for i, event in enumerate(table.events)]
    place = next(i for i, event in enumerate(group) if event.kind == "action" and i)
    for events in (changed(body='{"clock":7}')(group, place + 1), changed(kind="nonsense")(group, place + 1)):
        found = table.reloaded(table.chained(events))
        assert found.damage is not None and (found.damage.event, found.version) == (place + 1, place)


def test_what_passes_is_no_damage(golden: list[Golden], monkeypatch: pytest.MonkeyPatch) -> None:
    table = next(each for each in golden if len(each.events) > 3)
    for passing in (MemoryError(), StorageError("server:error.closing")):

        def fails(*_: object, error: Exception = passing) -> None:
            raise error

        monkeypatch.setitem(event_handlers.HANDLERS, table.events[1].kind, fails)
        with pytest.raises(type(passing)):
            table.reloaded(table.events)


def test_no_way_out_of_a_thread_keeps_the_turn_of_an_address() -> None:
    class Ends(BaseException):
        pass

    def fails(error: BaseException) -> None:
        raise error

    async def main() -> None:
        queue = FairQueue(1)
        errors = [StopIteration(), StopAsyncIteration(), GeneratorExit(), SystemExit(), Ends(), MemoryError(), ValueError()]
        for error in errors:
            with pytest.raises((RuntimeError, MemoryError, ValueError, StopAsyncIteration)):
                await asyncio.wait_for(queue.run_in_turn("address", fails, error), PATIENCE)
        started = asyncio.Event()
        loop = asyncio.get_running_loop()
        import threading

        held = threading.Event()

        def waits() -> None:
            loop.call_soon_threadsafe(started.set)
            held.wait(PATIENCE)

        cancelled = asyncio.create_task(queue.run_in_turn("address", waits))
        await started.wait()
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
        held.set()
        assert await asyncio.wait_for(queue.run_in_turn("address", int, "7"), PATIENCE) == 7
        assert not queue._queues and not queue._waiting

    apart(main())


def test_a_damaged_table_keeps_no_other_and_no_address_waiting(file: Path, golden: list[Golden], tmp_path: Path) -> None:
    """All tables but one are damaged; one address opens them all, and then the whole one."""
    copy = tmp_path / "bridgehead.sqlite"
    copy.write_bytes(file.read_bytes())
    whole, *others = (each for each in golden if len(each.events) > 1)
    for each in others:
        relink(copy, each.name, lambda event: event._replace(kind="nonsense") if event.version == 2 else event)

    async def main() -> None:
        store = Store(copy)
        repository = Repository(store, GameCache(WorkerPool(1, PATIENCE)))
        try:
            for each in others:
                table = await asyncio.wait_for(repository.find(each.name, "one"), PATIENCE)
                assert table is not None and table.version == 1 and table.damage is not None
                assert not await table.refresh() and not table.catch_up(store.events(each.name))
            table = await asyncio.wait_for(repository.find(whole.name, "one"), PATIENCE)
            assert table is not None and table.damage is None
        finally:
            store.close()

    apart(main())


def test_what_another_process_stores_and_this_one_cannot_follow_leaves_the_table_readable(
    file: Path, golden: list[Golden], tmp_path: Path
) -> None:
    """Of two processes of different releases, the older one meets an event that it does not know."""
    copy = tmp_path / "bridgehead.sqlite"
    copy.write_bytes(file.read_bytes())
    known = next(each for each in golden if len(each.events) > 3)

    async def main() -> None:
        store = Store(copy)
        repository = Repository(store, GameCache(WorkerPool(1, PATIENCE)))
        try:
            table = await repository.find(known.name)
            assert table is not None
            before, last = state(table), known.events[-1]
            unknown = last._replace(version=last.version + 1, key="f" * 32, kind="of a later release")
            await store.append(known.name, hash_chain.chain_events(table.head, [unknown]))
            with pytest.raises(KeyError):
                await table.refresh()
            await repository.renew(table)
            assert table.damage is not None and table.damage.event == unknown.version and table.stopped
            after = state(table)
            assert after[:10] == before[:10] and not await table.refresh()
        finally:
            store.close()

    apart(main())


@pytest.mark.wide
def test_pages_and_routes_read_a_damaged_table_and_nobody_writes(file: Path, golden: list[Golden], tmp_path: Path) -> None:
    (tmp_path / "bridgehead.sqlite").write_bytes(file.read_bytes())
    (tmp_path / "bridgehead.key").write_bytes(file.with_suffix(".key").read_bytes())
    cut = {each.name: max(2, 2 * len(each.events) // 3) for each in golden if len(each.events) > 2}
    for name, n in cut.items():
        relink(
            tmp_path / "bridgehead.sqlite", name, lambda event, n=n: event._replace(kind="odd") if event.version == n else event
        )
    live = Live(tmp_path)
    try:
        for name, n in cut.items():
            page = Page(live.url)
            page.say(t="hello", p=1, tokens=[], lang="en", table=name, last=n + 5, mark="0" * 16)
            view = page.hear("view")
            assert view["v"] == n - 1 and f"event {n} (odd)" in view["paused"] and "choices" not in view
            page.hear("people")
            assert f"event {n} (odd)" in page.people["marks"][-1]["text"]
            page.say(t="seat", k="1" * 32, seat=0, do="claim")
            assert "damaged" in page.refused("closed")["text"]
            text = live.http.get(f"/api/tables/{name}/record")
            assert text.status_code == 200 and f"event {n} (odd)" in text.text
            match, _ = record.load(text.text)
            assert len(match.log) == len(view["log"])
            for route in ("frames", "receipt"):
                assert live.http.get(f"/api/tables/{name}/{route}").status_code == 200, route
            for route in (f"/t/{name}", f"/replay/{name}", f"/verify/{name}"):
                assert live.http.get(route).status_code == 200, route
            assert live.http.get(f"/api/tables/{name}/proof").status_code in (200, 400)
            assert len(live.store.events(name)) == len(next(each for each in golden if each.name == name).events)
        assert live.page(live.table(), 0).act("a2-a3")["v"] == 1
    finally:
        live.stop()
