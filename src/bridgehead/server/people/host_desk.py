"""What the host of a server looks after: its file, backups on a schedule, old tables, and the newest lines of the log."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import time
from collections import deque
from pathlib import Path
from typing import NamedTuple

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.logging import LogFormatter, fields
from bridgehead.server.storage import backup, retention
from bridgehead.server.storage.retention import Expired, Policy
from bridgehead.server.tables.repository import Repository

log = logging.getLogger("bridgehead")
LINES = 100  # of the log, the newest
KEPT = 7  # backups, the newest
DAY = 86_400.0
LOOK = 600.0  # seconds between two looks whether a backup is due
SCHEDULE = "every"  # the file in the folder of backups that says after how many days the next one is due
COUNT = "select (select count(*) from game), (select count(*) from profile)"


class KeptBackup(NamedTuple):
    """A backup in the folder. time: Unix seconds."""

    name: str
    time: float
    size: int


class RecentLines(logging.Handler):
    """Keeps the newest lines of the log, with the times at which they were written."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(LogFormatter(as_json=False))
        self.lines: deque[str] = deque(maxlen=LINES)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{str(fields(record)['time'])[:19]} {self.format(record)}")


class HostDesk:
    """The desk of a server. file: of its tables, None over a database, which has backups of its own."""

    def __init__(self, repository: Repository, file: Path | None) -> None:
        self.repository, self.store = repository, repository.store
        self.file, self.folder = file, file.parent / "backups" if file else None
        self.recent = RecentLines()
        self._saving = asyncio.Lock()
        logging.getLogger().addHandler(self.recent)

    def stop(self) -> None:
        """Keep no more lines of the log."""
        logging.getLogger().removeHandler(self.recent)

    # Reading; all of it waits for the disk: call it in a thread

    def count(self) -> tuple[int, int]:
        """Tables and profiles. Errors: StorageError."""
        [(tables, people)] = self.store.read(COUNT)
        return int(tables), int(people)

    def measure(self) -> tuple[int, int]:
        """Bytes of the file with what SQLite keeps beside it, and free bytes of its disk."""
        if self.file is None:
            return 0, 0
        parts = [each.stat().st_size for each in self.file.parent.glob(f"{self.file.name}*") if each.is_file()]
        return sum(parts), shutil.disk_usage(self.file.parent).free

    def list_backups(self) -> list[KeptBackup]:
        """The backups, the newest first."""
        found = [(each.name, each.stat()) for each in self.folder.glob("*.sqlite")] if self.folder else []
        return sorted((KeptBackup(name, stat.st_mtime, stat.st_size) for name, stat in found), key=lambda each: -each.time)

    def read_schedule(self) -> int:
        """Days between two backups; 0: none."""
        with contextlib.suppress(OSError, ValueError):
            return int((self.folder / SCHEDULE).read_text("ascii")) if self.folder else 0
        return 0

    # Changes

    def plan(self, days: int) -> None:
        """Make a backup every so many days; 0: none. Errors: BridgeheadError."""
        folder = self._folder()
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            (folder / SCHEDULE).write_text(str(days), "ascii")
        except OSError as error:
            raise BridgeheadError("server:error.no_copy_could_made", str(folder), error=error) from None

    async def back_up(self) -> str:
        """Make a backup now, check it, and delete the oldest ones; its name. Errors: BridgeheadError."""
        async with self._saving:
            return await asyncio.to_thread(self._back_up)

    def _back_up(self) -> str:
        folder = self._folder()
        with contextlib.suppress(OSError):  # then there is no copy, and the error says why
            folder.mkdir(mode=0o700, exist_ok=True)
        copy = folder / f"bridgehead-{time.strftime('%Y%m%d-%H%M%S')}.sqlite"
        backup.save(copy, folder.parent)
        for old in self.list_backups()[KEPT:]:
            (folder / old.name).unlink(missing_ok=True)
        return copy.name

    def _folder(self) -> Path:
        """Errors: BridgeheadError over a database."""
        if self.folder is None:
            raise BridgeheadError("server:error.desk_database")
        return self.folder

    async def prune(self, policy: Policy, delete: bool) -> list[Expired]:
        """Find or delete the expired tables that nobody has open. Errors: StorageError."""
        now = time.time()
        found = await asyncio.to_thread(lambda: list(retention.find_expired(self.store, policy, now)))
        if delete:
            return [each for each in found if await self.repository.delete(each.id, each)]
        return [each for each in found if not self.repository.is_visited(each.id)]

    async def run(self) -> None:
        """Make backups when they are due, until this task is cancelled."""
        while True:
            try:
                await self.keep_up(time.time())
            except BridgeheadError:
                log.exception("a backup could not be made")
            await asyncio.sleep(LOOK)

    async def keep_up(self, now: float) -> bool:
        """Make a backup if one is due at this time (Unix seconds); True if so. Errors: BridgeheadError."""
        days, kept = await asyncio.to_thread(lambda: (self.read_schedule(), self.list_backups()))
        if not days or (kept and now - kept[0].time < days * DAY):
            return False
        await self.back_up()
        return True
