"""Audit of an SQLite file: follows the hash chain of every table, and folds its log. It changes nothing in the file."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import msgspec

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import Phrase, phrase, sentence
from bridgehead.fairness import signatures
from bridgehead.fairness.receipt import Receipt
from bridgehead.server.storage import hash_chain, imports, seal_log
from bridgehead.server.storage.event_log import FORMAT, Event, StorageError
from bridgehead.server.storage.sqlite import refuse_newer

log = logging.getLogger("bridgehead")

RECENT = 200  # newest tables that a server checks at its start, if the file is large
LARGE = 64 << 20  # bytes
# Folds a table by the rules, which stand above the store: its id, its body, its log, and what finds an imported record by its
# hash. The answer: None, or the event at which the log stops folding (0: none can be read), and why.
Fold = Callable[[str, str, list[Event], Callable[[str], tuple[int, ...]]], tuple[int, Phrase] | None]
_TEXTS = ("key", "kind", "by", "body")
_KINDS = {"version": "integer", "actor": "integer", "action": "integer", "time": "real"}


class AuditFinding(NamedTuple):
    """One kind of damage. table: "" for the file itself; event: the first wrong version, or 0 if unknown."""

    table: str
    event: int
    finding: Phrase | str

    @property
    def what(self) -> str:
        """The finding in English."""
        return sentence(self.finding)

    @property
    def phrase(self) -> Phrase:
        """The finding with its place."""
        place = "event" if self.event else "table" if self.table else "file"
        params = {"table": self.table, "event": self.event, "what": self.finding}
        return Phrase(f"server:audit.{place}", params)


class Audit:
    """Audit of a file. whole: check every byte; else the chains of the newest tables and SQLite's quick check. key: the server's
    public key, hex; "" for the one beside the file. fold: folds each table whose chain is whole; None: none is folded. told:
    called after each table with both numbers so far.

    tables, events: numbers of intact ones. A chain cannot show that the last events of a table are missing. The marks in views
    that pages have received can.

    Errors: BridgeheadError for a file that is missing or belongs to another program.
    """

    def __init__(
        self, file: Path, whole: bool = True, key: str = "", fold: Fold | None = None, told: Callable[[int, int], object] = max
    ) -> None:
        self.tables = self.events = 0
        self._key = key or _key_beside(file)
        self._all, self._fold, self._told = whole, fold, told
        self._torn = ""
        try:
            refuse_newer(file)
            self._file = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
            version = self._file.pragma("user_version")
        except (OSError, apsw.Error) as error:
            raise BridgeheadError("server:error.file_cannot_read", str(file), error=error) from None
        # Events of the first format end before their body.
        columns = ("game", *Event._fields) if version > 1 else ("game", *Event._fields[: Event._fields.index("body")])
        self._event = ", ".join(f"cast({name} as {_KINDS.get(name, 'blob')})" for name in columns)
        if version not in range(1, FORMAT + 1):
            self._file.close()
            raise BridgeheadError("server:error.no_file_tables_another_release", str(file), version=version)

    def __enter__(self) -> Audit:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def stop(self) -> None:
        """Make `damages`, running in another thread, end soon."""
        self._file.interrupt()

    def damages(self) -> Iterator[AuditFinding]:
        """Yield every damage when it is found. A whole audit follows the order of the file."""
        check = "integrity_check" if self._all else "quick_check"
        yield from (AuditFinding("", 0, str(found)) for (found,) in self._rows(f"pragma {check}(20)") if found != "ok")
        newest = "" if self._all else f" order by created desc limit {RECENT}"
        query = f"select cast(id as blob), cast(body as blob) from game{newest}"
        bodies = {_text(table): _text(body) for table, body in self._rows(query)}
        seen: set[str] = set()
        named: dict[str, str] = {}
        for table, events in self._logs(bodies):
            if events[:1] and events[0].kind == "import":
                named[table] = events[0].body
            if table not in bodies:
                yield AuditFinding(table, 0, Phrase("server:audit.orphan"))
            elif table in seen:
                yield AuditFinding(table, events[0].version, Phrase("server:audit.misplaced"))
            elif (wrong := hash_chain.find_broken_link(hash_chain.first_link(table, bodies[table]), events)) is not None:
                yield AuditFinding(table, wrong, Phrase("server:audit.broken"))
            else:
                yield from self._folded(table, bodies[table], events)
            seen.add(table)
        for table in sorted(bodies.keys() - seen):
            yield from self._folded(table, bodies[table], [])
        yield from self._imports(named)
        yield from self._list_of_all()
        if self._torn:
            yield AuditFinding("", 0, self._torn)

    def _folded(self, table: str, body: str, events: list[Event]) -> Iterator[AuditFinding]:
        """Count a table whose chain is whole, unless its log does not fold."""
        found = self._fold(table, body, events, self._imported) if self._fold else None
        if found is None:
            self.tables += 1
            self.events += len(events)
        else:
            yield AuditFinding(table, found[0], Phrase("server:audit.fold", {"why": found[1]}))
        self._told(self.tables, self.events)

    def _imported(self, digest: str) -> tuple[int, ...]:
        """The imported actions of that hash. Errors: BridgeheadError if they are missing or damaged."""
        rows = list(self._rows("select cast(actions as blob) from imported where hash = ?", digest))
        return imports.unpack(imports.PackedActions(digest, rows[0][0] if rows else b""))

    def dispute_receipt(self, receipt: Receipt) -> Phrase | None:
        """Why this file contradicts a receipt; None if it does not."""
        if not receipt.holds:
            return Phrase("server:audit.unsigned")
        if receipt.server != self._key:
            return Phrase("server:audit.unknown_key")
        bodies = list(self._rows("select cast(body as blob) from game where id = ?", receipt.table))
        if not bodies:
            return Phrase("server:audit.no_table")
        if receipt.version == 0:
            link = hash_chain.first_link(receipt.table, _text(bodies[0][0]))
        else:
            query = "select cast(link as blob) from event where game = ? and version = ?"
            rows = list(self._rows(query, receipt.table, receipt.version))
            if not rows:
                return phrase("server:audit.no_event", event=receipt.version)
            link = rows[0][0]
        return None if link.hex() == receipt.head else phrase("server:audit.other_log", n=receipt.version)

    def _list_of_all(self) -> Iterator[AuditFinding]:
        """The first wrong row of the seal log. Files of older versions have no seal log."""
        if not list(self._rows("select 1 from sqlite_schema where name = 'sealed'")):
            return
        before = seal_log.FIRST
        for n, row in enumerate(self._rows("select n, gid, root, link from sealed order by n"), start=1):
            try:
                whole = row == (n, row[1], row[2], seal_log.link_of(before, n, row[1], row[2]))
            except (TypeError, ValueError):  # a changed byte has made the hex invalid
                whole = False
            if not whole:
                yield AuditFinding("", 0, phrase("server:audit.row", row=n))
                return
            before = row[3]

    def _imports(self, named: dict[str, str]) -> Iterator[AuditFinding]:
        """The imported actions that are damaged or missing. named: by table, the body of its event "import"."""
        whole = set[str]()
        if list(self._rows("select 1 from sqlite_schema where name = 'imported'")):
            for digest, packed in self._rows("select cast(hash as blob), cast(actions as blob) from imported"):
                with contextlib.suppress(BridgeheadError):
                    imports.unpack(imports.PackedActions(_text(digest), packed))
                    whole.add(_text(digest))
        for table, body in named.items():
            try:
                is_whole = msgspec.json.decode(body)["hash"] in whole
            except (msgspec.DecodeError, LookupError, TypeError):  # its chain is broken, which is reported already
                continue
            if not is_whole:
                yield AuditFinding(table, 1, Phrase("server:audit.import"))

    def _logs(self, bodies: Iterable[str]) -> Iterator[tuple[str, list[Event]]]:
        """The logs of tables. A whole audit reads them in the order of the file, even those without an index entry."""
        if self._all:
            rows = self._rows(f"select {self._event} from event not indexed")
            for table, group in itertools.groupby(rows, key=lambda row: _text(row[0])):
                yield table, [_event(row) for row in group]
        else:
            for table in bodies:
                query = f"select {self._event} from event where game = ? order by version"
                yield table, [_event(row) for row in self._rows(query, table)]

    def _rows(self, query: str, *values: Any) -> Iterator[Any]:
        """Rows of a query, as far as the file is readable."""
        try:
            yield from self._file.execute(query, values)
        except (apsw.CorruptError, apsw.SQLError) as error:  # SQLError: a name in the schema was changed
            self._torn = str(error)


def _key_beside(file: Path) -> str:
    """The public key of the server whose secret key lies beside the file; "" if none does."""
    try:
        return signatures.public_key(file.with_suffix(".key").read_bytes()).hex()
    except (OSError, ValueError):
        return ""


def _event(row: tuple[Any, ...]) -> Event:
    values: list[Any] = [_text(each) if name in _TEXTS else each for name, each in zip(Event._fields, row[1:], strict=False)]
    return Event(*values)


def _text(value: Any) -> str:
    """Text that may be damaged."""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


async def audit_at_start(file: Path) -> list[AuditFinding]:
    """Audit in the background at the start of a server. It reports damaged tables before anybody opens them."""
    try:
        with Audit(file, whole=file.stat().st_size < LARGE) as audit:
            looking = asyncio.create_task(asyncio.to_thread(lambda: list(audit.damages())))
            try:
                found = await asyncio.shield(looking)
            except asyncio.CancelledError:  # the server stops
                audit.stop()
                with contextlib.suppress(apsw.Error):
                    await looking
                raise
    except (BridgeheadError, StorageError, apsw.Error):
        log.exception("the file of tables could not be looked through")
        return []
    for damage in found:
        log.error("the file of tables is damaged", extra={"table": damage.table, "event_number": damage.event})
    return found
