"""Power cuts: whatever a disk may leave of a cut, what was confirmed is there; and a log that is written carelessly loses."""

import asyncio
import random
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from bridgehead.server.storage import hash_chain
from bridgehead.server.storage import sqlite as storage
from bridgehead.server.storage.group_commit import Job, Result
from bridgehead.server.storage.sqlite import Event, Store
from server.faults import Disk
from server.test_stores import event
from waiting import apart

pytestmark = pytest.mark.wide
TABLES = 8
CUTS = 50


class Cut(NamedTuple):
    """What a power cut left, the last confirmed version of each table, and whether it fell into a checkpoint."""

    folder: Path
    confirmed: dict[str, int]
    checkpoint: bool


class Watched(Store):
    """Notes what is confirmed in the thread that writes, so the lot decides what a cut finds, and no load of the machine."""

    def __init__(self, file: Path) -> None:
        self.confirmed: dict[str, int] = {}
        self.checkpoint = False
        super().__init__(file)

    def _resolve(self, jobs: list[Job], results: list[Result]) -> None:
        done = [job for job, error in zip(jobs, results, strict=True) if error is None and job.events]
        self.confirmed.update((job.game, job.events[-1].version) for job in done)
        super()._resolve(jobs, results)

    def _check_in(self) -> None:
        self.checkpoint = True
        super()._check_in()
        self.checkpoint = False


def cuts(folder: Path, number: int, seed: int, level: str) -> list[Cut]:
    """Write to a log without pause, and cut the power so many times, at writes and syncs drawn by lot."""
    lot, sizes, made = random.Random(seed), random.Random(f"sizes {seed}"), list[Cut]()
    with Disk() as disk:
        store = Watched(folder / "log")
        store._writer.execute(f"pragma synchronous = {level}")

        def moment() -> None:
            if len(made) < number and store.confirmed and lot.random() < 0.12:
                made.append(Cut(folder / f"cut{len(made)}", dict(store.confirmed), store.checkpoint))
                disk.after_power_cut(made[-1].folder, lot)

        async def play(table: str) -> None:
            head, version = hash_chain.first_link(table, "body"), 0
            await store.create(table, "body", [])
            while len(made) < number:
                new = hash_chain.chain_events(head, [event(version + 1 + n) for n in range(sizes.randint(1, 3))])
                await store.append(table, new)
                head, version = new[-1].link, new[-1].version

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
            assert hash_chain.find_broken_link(hash_chain.first_link(table, "body"), events) is None
            missing += max(0, cut.confirmed.get(table, 0) - len(events))
        assert store._reader.execute("pragma quick_check").fetchall() == [("ok",)]
        return missing
    finally:
        store.close()


def shown(folder: Path, seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty cuts a seed, some in checkpoints, lose nothing. A log that is not written through loses at one cut in four.

    Each seed begins a new log: in one that grows for long, every commit changes so many pages that a checkpoint follows
    it at once, and then the careless log has nothing to lose either.
    """
    monkeypatch.setattr(storage, "CHECKPOINT", 25)
    careless = 0
    for seed in seeds:
        full = cuts(folder / f"full{seed}", CUTS, seed, "full")
        assert sum(map(lost, full)) == 0
        assert {cut.checkpoint for cut in full} == {True, False}
        careless += sum(map(bool, map(lost, cuts(folder / f"normal{seed}", CUTS, seed, "normal"))))
    assert careless >= len(seeds) * CUTS / 4, "a disk that cannot lose anything proves nothing"


def test_a_power_cut_loses_nothing_that_was_confirmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown(tmp_path, range(1), monkeypatch)


@pytest.mark.long
def test_a_thousand_power_cuts_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown(tmp_path, range(1000 // CUTS), monkeypatch)


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
