"""A disk that fails on command: it loses power, is full, is slow, or cannot write through.

    with Disk() as disk:      # every SQLite file opened from now on lies on it
        ...

The promise of a disk is that what was written before a sync is there after it; what comes later may be there, in part,
in another order, or not at all. `Disk` remembers for each file what is certain and what is not, so that `after_power_cut`
can make of them what a cut at this moment might leave.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

SECTOR = 512
Write = tuple[int, bytes | None]  # place and bytes; a length and None for a file that is cut to it


class Image:
    """A file: what is certainly on the disk, and what has been written since."""

    def __init__(self, data: bytes) -> None:
        self.certain = bytearray(data)
        self.since: list[Write] = []

    def sync(self) -> None:
        for place, data in self.since:
            _apply(self.certain, place, data)
        self.since.clear()

    def after_power_cut(self, lot: random.Random) -> bytes:
        """Of what was not synced, by lot: nothing, all, the first part, or some sectors, the last of them torn."""
        left, manner = bytearray(self.certain), lot.random()
        kept = int(manner * 3 * len(self.since)) if manner < 1 / 3 else len(self.since)
        for place, data in self.since[:kept]:
            if data is None or manner < 1 / 2:
                if manner < 1 / 2 or lot.random() < 0.5:
                    _apply(left, place, data)
            elif manner < 9 / 10:
                for start in range(0, len(data), SECTOR):
                    if lot.random() < 0.5:
                        length = lot.randrange(SECTOR) if lot.random() < 0.05 else SECTOR
                        _apply(left, place + start, data[start : start + length])
        return bytes(left)


def _apply(file: bytearray, place: int, data: bytes | None) -> None:
    if data is None:
        del file[place:]
        return
    if place > len(file):
        file.extend(bytes(place - len(file)))
    file[place : place + len(data)] = data


class Disk(apsw.VFS):
    """The disk of all SQLite files that are opened while it is entered.

    room: bytes that may still be written, None for as many as one likes; delay: seconds that a sync takes;
    broken: syncs fail, of all files or of the one with this name. syncs, written: how many there were.
    moment: called at every write and sync, in the thread that does it, before anything is certain.
    """

    def __init__(self) -> None:
        self.name = f"faulty-{id(self)}"
        self.images: dict[str, Image] = {}
        self.room: int | None = None
        self.delay = 0.0
        self.broken: bool | str = False
        self.syncs = self.written = 0
        self.moment: Callable[[], None] | None = None
        self.lock = threading.RLock()
        self.before = apsw.vfs_names()[0]
        super().__init__(self.name, self.before)

    def __enter__(self) -> Disk:
        apsw.set_default_vfs(self.name)
        return self

    def __exit__(self, *_: object) -> None:
        apsw.set_default_vfs(self.before)

    def xOpen(self, name: Any, flags: list[int]) -> Any:
        return DiskFile(self, name, flags)

    def xDelete(self, name: str, sync: bool) -> None:
        with self.lock:
            self.images.pop(name, None)
            super().xDelete(name, sync)

    def after_power_cut(self, folder: Path, lot: random.Random) -> None:
        """Put into a folder what a power cut at this moment might leave."""
        with self.lock:
            left = {Path(name).name: image.after_power_cut(lot) for name, image in self.images.items()}
        folder.mkdir()
        for name, data in left.items():
            (folder / name).write_bytes(data)

    def moment_passes(self) -> None:
        if self.moment is not None:
            self.moment()


class DiskFile(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self.disk = disk
        super().__init__(disk.before, name, flags)
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        with disk.lock:
            if path not in disk.images:
                disk.images[path] = Image(Path(path).read_bytes())
        self.image, self.name = disk.images[path], Path(path).name

    def xWrite(self, data: bytes, offset: int) -> None:
        disk = self.disk
        disk.moment_passes()
        if disk.room is not None:
            disk.room -= len(data)
            if disk.room < 0:
                raise apsw.exception_for(apsw.SQLITE_FULL)
        with disk.lock:
            disk.written += 1
            self.image.since.append((offset, bytes(data)))
            super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        with self.disk.lock:
            self.image.since.append((size, None))
            super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        disk = self.disk
        disk.moment_passes()
        if disk.broken in (True, self.name):
            raise apsw.exception_for(apsw.SQLITE_IOERR_FSYNC)
        time.sleep(disk.delay)
        with disk.lock:
            disk.syncs += 1
            self.image.sync()
