"""The classroom: all tables of a server before its host."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bridgehead.core.scene import Item, Picture
from bridgehead.server.messages.client import Key, TableId
from bridgehead.server.messages.server import Encoded, Sentence

SomeTable = Annotated[str, Meta(pattern="^[A-Z0-9]{0,32}\\Z")]
HostKey = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,128}\\Z")]  # of the server's host, not of a table's


class ClassAsked(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request for all tables, by the key of the server's host.

    known: by table, the stamp of what the page shows; boards: the names of the boards that it has.
    """

    key: HostKey
    known: Annotated[dict[TableId, Annotated[str, Meta(max_length=64)]], Meta(max_length=100)] = {}
    boards: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=100)] = []


class ClassAct(msgspec.Struct, forbid_unknown_fields=True):
    """What the server's host does at all tables, or at one. k: what is sent again with its key is done once.

    "close" ends the game of a table. Where no game has begun, "merge" moves all of a table to the table `to`, and "swap" lets
    those of a `seat` and of `to_seat` there change places; one of them may be free.
    """

    key: HostKey
    do: Literal["pause", "resume", "say", "close", "merge", "swap"]
    table: SomeTable = ""
    to: SomeTable = ""
    seat: Annotated[int, Meta(ge=0, le=7)] = 0
    to_seat: Annotated[int, Meta(ge=0, le=7)] = 0
    k: Key = "0" * 32
    text: Annotated[str, Meta(max_length=300)] = ""


class ClassSeat(msgspec.Struct):
    """A seat at a table of the class. here: its person has the table open; taken: it belongs to a person."""

    letter: str
    name: str
    level: str
    here: bool
    taken: bool


class ClassTable(msgspec.Struct):
    """A table of the class, as watchers see it. stamp: of this state; actor: the seat to act; waits: seconds since it has to.

    state: "paused" by its people, "held" by the host of the server; board: a name in `ClassView.boards`; club: the name of the
    tournament of its game, "" for none, and number and name: of its table there; begun: a person has decided something.
    """

    table: str
    title: str
    stamp: str
    state: Literal["running", "paused", "held", "over"]
    seats: list[ClassSeat]
    actor: int
    prompt: Sentence
    waits: int
    board: str
    items: Encoded[list[Item]]
    club: str
    number: int
    name: str
    begun: bool


class EmptyTable(msgspec.Struct):
    """A table in the room of a tournament at which no game runs. club: the name of the tournament; waiting: who sits there."""

    tournament: str
    club: str
    number: int
    name: str
    title: str
    waiting: list[str]


class ClassView(msgspec.Struct):
    """All tables in their order, those of which the page knows no such stamp, and the boards that it lacks, by name.

    all: the number of tables with a game; only the newest are shown; empty: those that wait for one.
    """

    order: list[str]
    news: list[ClassTable]
    boards: dict[str, Encoded[Picture]]
    all: int
    empty: list[EmptyTable]


class ClassActed(msgspec.Struct):
    """At how many tables something was done, and at how many it failed."""

    tables: int
    failed: int
