"""The desk of a server's host: what is stored, backups, reports, tournaments and the log."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bridgehead.server.messages.classroom import HostKey
from bridgehead.server.messages.tournaments import TournamentHead


class HostAsked(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request for the desk, by the key of the server's host."""

    key: HostKey


class HostAct(msgspec.Struct, forbid_unknown_fields=True):
    """What the host does at the desk.

    do: "backup" makes one now; "every" makes one every so many `days` (0: none); "count" and "prune" count and delete the tables
    without an event for so many `days`, and those without a decision for `unplayed` days (0: none); "close" closes the report of
    that `name`.
    """

    key: HostKey
    do: Literal["backup", "every", "count", "prune", "close"]
    days: Annotated[float, Meta(ge=0, le=3650)] = 0
    unplayed: Annotated[float, Meta(ge=0, le=3650)] = 0
    name: Annotated[str, Meta(max_length=64)] = ""


class HostActed(msgspec.Struct):
    """What was done. tables: counted or deleted, and played: those of them with a decision; name: of the new backup."""

    tables: int
    name: str
    played: int = 0


class BackupFile(msgspec.Struct):
    """A backup. time: when it was made (Unix seconds); size: in bytes."""

    name: str
    time: int
    size: int


class HostReport(msgspec.Struct):
    """An open report of a player, in words."""

    name: str
    text: str


class HostDeskView(msgspec.Struct):
    """Everything on the desk. size, free: of the file and of its disk, in bytes, 0 over a database; folder: of the backups, ""
    if there can be none; every: days between two backups, 0: none; here: people at tables now; log: its newest lines."""

    version: str
    tables: int
    people: int
    here: int
    size: int
    free: int
    folder: str
    every: int
    backups: list[BackupFile]
    reports: list[HostReport]
    tournaments: list[TournamentHead]
    log: list[str]
