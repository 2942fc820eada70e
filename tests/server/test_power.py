"""Power cuts: whatever a disk may leave of a cut, what was confirmed is there; and a log that is written carelessly loses."""

import asyncio
import random
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from bridgehead.server.storage import hash_chain
from bridgehead.server.storage import sqlite as storage
from bridgehead.server.storage.sqlite import Event, Store
from server.faults import Disk
from server.live import apart
from server.test_storage import event

TABLES = 8


class Cut(NamedTuple):
    """What a power cut left, and what had been confirmed when it came: the last version of each table."""

    folder: Path
    confirmed: dict[str, int]


def cuts(folder: Path, number: int, seed: int, level: str) -> list[Cut]:
    """Write to a log without pause, and cut the power so many times, at writes and syncs drawn by lot."""
    lot, made = random.Random(seed), list[Cut]()
    confirmed: dict[str, int] = {}
    with Disk() as disk:
        store = Store(folder / "log")
        store._writer.execute(f"pragma synchronous = {level}")

        def moment() -> None:
            if len(made) < number and confirmed and lot.random() < 0.12:
                told = dict(confirmed)
                made.append(Cut(folder / f"cut{len(made)}", told))
                disk.after_power_cut(made[-1].folder, lot)

        async def play(table: str) -> None:
            head = hash_chain.first(table, "body")
            await store.create(table, "body", [])
            while len(made) < number:
                new = hash_chain.chained(head, [event(confirmed.get(table, 0) + 1 + n) for n in range(lot.randint(1, 3))])
                await store.append(table, new)
                head, confirmed[table] = new[-1].link, new[-1].version

        async def main() -> None:
            disk.moment = moment
            await asyncio.wait_for(asyncio.gather(*(play(f"T{n}") for n in range(TABLES))), 250)

        apart(main())
        disk.moment = None
        store.close()
    return made


def lost(cut: Cut) -> int:
    """How many confirmed events are gone; all that is there has to be whole."""
    store = Store(cut.folder / "log")
    try:
        missing = 0
        for table in (f"T{n}" for n in range(TABLES)):
            events: list[Event] = store.events(table)
            assert hash_chain.broken(hash_chain.first(table, "body"), events) is None
            missing += max(0, cut.confirmed.get(table, 0) - len(events))
        assert store._reader.execute("pragma quick_check").fetchall() == [("ok",)]
        return missing
    finally:
        store.close()


def shown(folder: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "CHECKPOINT", 15)  # so that cuts fall into check-ins too
    assert sum(map(lost, cuts(folder / "full", number, 1, "full"))) == 0
    careless = list(map(lost, cuts(folder / "normal", number, 2, "normal")))
    assert sum(map(bool, careless)) >= number / 12, "a disk that cannot lose anything proves nothing"


def test_a_power_cut_loses_nothing_that_was_confirmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown(tmp_path, 60, monkeypatch)


@pytest.mark.slow
def test_a_thousand_power_cuts_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown(tmp_path, 1000, monkeypatch)


def test_the_disk_of_these_tests_keeps_what_is_synced_and_may_lose_the_rest(tmp_path: Path) -> None:
    with Disk() as disk:
        connection = apsw.Connection(str(tmp_path / "file"))
        connection.execute("pragma synchronous = off; create table t (x)")
        connection.execute("insert into t values (1)")
        disk.after_power_cut(tmp_path / "nothing", random.Random(1))
        image = disk.images[str(tmp_path / "file")]
        assert image.certain == b"" and image.since
        outcomes = {image.after_power_cut(random.Random(seed)) for seed in range(40)}
        assert len(outcomes) > 10 and b"" in outcomes
        image.sync()
        assert bytes(image.certain) == (tmp_path / "file").read_bytes() in {image.after_power_cut(random.Random(1))}
        connection.close()
