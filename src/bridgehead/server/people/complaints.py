"""Complaints: what people report to the host about others at their table, with the chat lines that they saw."""

from __future__ import annotations

import asyncio
import hmac
import time
from typing import NamedTuple

import msgspec

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import Phrase
from bridgehead.core.validation import ready
from bridgehead.server.catalogue import WORDS
from bridgehead.server.messages.people import ComplaintReason
from bridgehead.server.storage.event_log import EventLog
from bridgehead.server.tables.names import clean_text
from bridgehead.server.tables.stored_seats import digest
from bridgehead.server.tables.table import Table

LINES = 20  # chat lines that are stored
MOST = 1000  # open complaints
OF_ADDRESS, OF_TABLE = 20, 10  # of them, so that nobody fills the box alone
DAYS = 90.0  # for which a closed complaint is kept
ADD = (
    "insert into complaint values (?, ?, ?, ?, 0, ?, ?) on conflict (game, seat, about) do update set"
    " time = excluded.time, closed = 0, reporter = excluded.reporter, body = excluded.body"
)
CHAT = "select seat, channel, text, react from said where game = ? and channel in (-1, ?) order by number desc limit ?"
SPOKEN = "select 1 from said where game = ? and seat = ? limit 1"
SENT = "insert into complained values (?, ?, ?, ?) on conflict (game, seat, about) do update set asker = excluded.asker"
TIDY = (
    "delete from complained where not exists (select 1 from complaint c where c.game = complained.game"
    " and c.seat = complained.seat and c.about = complained.about)"
)
COUNT = (  # all, those of a table, and those of an address; but the one that the new one replaces
    "select count(*), coalesce(sum(case when c.game = ? then 1 else 0 end), 0),"
    " coalesce(sum(case when s.asker = ? then 1 else 0 end), 0) from complaint c left join complained s"
    " on s.game = c.game and s.seat = c.seat and s.about = c.about"
    " where c.closed = 0 and not (c.game = ? and c.seat = ? and c.about = ?)"
)
OPEN = "select game, seat, about, time, reporter, body from complaint where closed = 0 order by time"
CLOSE = "update complaint set closed = ? where game = ? and seat = ? and about = ? and closed = 0"


class ReportedLine(msgspec.Struct, frozen=True):
    """A chat line. seat: -1 for a spectator; react: the key of a quick reaction, "" for a text."""

    seat: int
    text: str
    react: str = ""


class Grievance(msgspec.Struct, frozen=True):
    """The stored part of a complaint. names: of the seats, as the table showed them; profile: of the person it is about.

    version: of the table's log; turn: of the game.
    """

    reason: ComplaintReason
    text: str
    names: list[str]
    profile: str
    version: int
    turn: int
    lines: list[ReportedLine]


class Complaint(NamedTuple):
    """A complaint for the host. id: names it in `close`; seat, about: of whoever reported, and of whom; reporter: a profile."""

    id: str
    table: str
    seat: int
    about: int
    time: float
    reporter: str
    body: Grievance


class Complaints:
    """The complaints of a store. For each pair of seats at a table only the newest one is kept."""

    def __init__(self, store: EventLog) -> None:
        self.store = store

    async def add(
        self, table: Table, tokens: list[str], about: int, reason: ComplaintReason, text: str, address: str
    ) -> Complaint:
        """Store a complaint from an address of the network.

        Errors: BridgeheadError if the tokens give no other seat, if nobody sat at the one it is about, or for too many;
        StorageError.
        """
        held = table.holding([digest(token) for token in tokens])
        own = held.you | held.back
        if not own:
            raise BridgeheadError("server:error.profile_no_seat", "tokens")
        if about >= len(table.seats) or about in own or table.seats[about].kind != "person":
            raise BridgeheadError("server:error.complaint_whom", "about")
        if not await self._was_taken(table, about):
            raise BridgeheadError("server:error.complaint_nobody", "about")
        seat, now = min(own), time.time()
        asker = hmac.new(self.store.key, b"bridgehead complaint " + address.encode(), "sha256").hexdigest()
        await self._expect_room(table.id, seat, about, asker)
        rows = await asyncio.to_thread(self.store.read, CHAT, table.id, table.game.sides[seat], LINES)
        lines = [ReportedLine(by, line, react) for by, _, line, react in reversed(rows)]
        body = Grievance(
            reason,
            clean_text(text),
            list(table.names),
            table.seats[about].profile,
            table.version,
            table.match.position.turn + 1,
            lines,
        )
        reporter = table.seats[seat].profile
        gone = ("delete from complaint where closed > 0 and closed < ?", (now - DAYS * 86_400,))
        add = ADD, (table.id, seat, about, now, reporter, msgspec.json.encode(body).decode())
        await self.store.write(gone, (TIDY, ()), add, (SENT, (table.id, seat, about, asker)))
        return Complaint(_name(table.id, seat, about), table.id, seat, about, now, reporter, body)

    async def _was_taken(self, table: Table, seat: int) -> bool:
        """Has a person been at this seat, as far as table, log and chat tell? Errors: StorageError."""
        known = (
            seat in table.attendance.seen or seat in table.occupied or table.seats[seat].left or bool(table.seats[seat].profile)
        )
        return known or bool(await asyncio.to_thread(self.store.read, SPOKEN, table.id, seat))

    async def _expect_room(self, game: str, seat: int, about: int, asker: str) -> None:
        """Errors: BridgeheadError if too many complaints are open: of all, of this table, or of this address; StorageError."""
        [(everybody, table, own)] = await asyncio.to_thread(self.store.read, COUNT, game, asker, game, seat, about)
        if table >= OF_TABLE or own >= OF_ADDRESS:
            raise BridgeheadError("server:error.complaint_share")
        if everybody >= MOST:
            raise BridgeheadError("server:error.complaint_many")

    async def open(self) -> list[Complaint]:
        """The complaints that the host has not closed, the oldest first. Errors: StorageError."""
        return [
            Complaint(_name(table, seat, about), table, seat, about, when, who, msgspec.json.decode(body, type=ready(Grievance)))
            for table, seat, about, when, who, body in await asyncio.to_thread(self.store.read, OPEN)
        ]

    async def of_profile(self, profile: str) -> list[Complaint]:
        """The open complaints that a profile has made. Errors: StorageError."""
        return [each for each in await self.open() if each.reporter == profile]

    async def close(self, name: str) -> None:
        """Close a complaint by its id. Errors: BridgeheadError if none of that id is open; StorageError."""
        if not any(each.id == name for each in await self.open()):
            raise BridgeheadError("server:error.complaint_none", name)
        table, seat, about = name.split("-")
        await self.store.write((CLOSE, (time.time(), table, int(seat), int(about))))


def complaint_text(found: Complaint, language: str) -> str:
    """A complaint in words, for the host."""
    body, when = found.body, time.strftime("%Y-%m-%d %H:%M", time.localtime(found.time))
    names: list[str | Phrase] = [*body.names, Phrase("complaint.watcher")]  # -1: somebody who watches
    place = {"about": found.about + 1, "who": names[found.about], "seat": found.seat + 1, "by": names[found.seat]}
    lines = [
        Phrase("complaint.head", {"name": found.id, "when": when, "reason": Phrase(f"complaint.{body.reason}")}),
        Phrase("complaint.place", place | {"turn": body.turn, "version": body.version}),
    ]
    if body.profile:
        lines.append(Phrase("complaint.profile", {"profile": body.profile}))
    if body.text:
        lines.append(Phrase("complaint.text", {"text": body.text}))
    lines += [Phrase("complaint.line", {"who": names[line.seat], "text": line.text or f"({line.react})"}) for line in body.lines]
    return "\n".join(WORDS.tell(each, language) for each in lines)


def _name(table: str, seat: int, about: int) -> str:
    return f"{table}-{seat}-{about}"
