"""The list of tables, and waiting for an opponent."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bridgehead.server.messages.client import Token
from bridgehead.server.messages.people import OptionalKey
from bridgehead.server.messages.server import SeatKind, Sentence

Pace = Literal["live", "none"]


class OpponentWish(msgspec.Struct, forbid_unknown_fields=True):
    """Wait for an opponent. pace: a live clock or none; name: without a profile; key: of a profile, "" without one."""

    game: Annotated[str, Meta(max_length=64)]
    pace: Pace = "live"
    name: Annotated[str, Meta(max_length=32)] = ""
    key: OptionalKey = ""


class OpponentAsked(msgspec.Struct, forbid_unknown_fields=True):
    """The body of requests about one's own wait: its secret."""

    wait: Token


class ListedSeat(msgspec.Struct):
    """A seat of a table in the lobby. profile: its person's, "" without one; rating: theirs or the level's, 0: none."""

    letter: str
    name: str
    kind: SeatKind
    level: str
    free: bool
    left: bool
    profile: str = ""
    rating: int = 0
    provisional: bool = False


class TableSummary(msgspec.Struct):
    """A table in the lobby. pool: which ratings count (`people.results`); code: its short code, while a seat is free.

    public: the game runs, and anybody may watch; turn: its number; watching: pages without a seat.
    """

    game: str
    title: str
    begun: bool
    rules: dict[str, Sentence]
    seats: list[ListedSeat]
    code: str = ""
    pool: str = ""
    public: bool = False
    turn: int = 0
    watching: int = 0


class ListedTable(TableSummary, kw_only=True):
    """A table in the lobby. age: seconds since it was listed."""

    table: str
    age: int


class LobbyTables(msgspec.Struct):
    """The tables that their hosts have listed, and the running games that anybody may watch, newest first."""

    tables: list[ListedTable]


class UsualWait(msgspec.Struct):
    """What is known before one waits. seconds: the usual time in the last day, null if unknown; waiting: people."""

    game: str
    title: str
    pace: Pace
    seconds: int | None
    waiting: int


class UsualWaits(msgspec.Struct):
    """The games in which one can wait for an opponent."""

    waits: list[UsualWait]


class OpponentWait(msgspec.Struct):
    """A wait for an opponent. wait: its secret; waited: seconds; table, token: the seat of a pair, "" before."""

    wait: str
    waited: int
    table: str = ""
    token: str = ""
