"""Games by days: days off, reminders, conditional moves."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bridgehead.server.messages.client import Token
from bridgehead.server.messages.server import Sentence
from bridgehead.server.messages.tables import Mine, MineWish


class HolidayWish(MineWish, forbid_unknown_fields=True):
    """The body of `POST /api/holidays`: days off for the seats of these tokens; 0: they are back."""

    days: Annotated[int, Meta(ge=0, le=28)]


class ReminderWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/reminders`. id: of a known reminder, "" for a new one; target: a mail address, or a push
    subscription as JSON; discreet: leave out the game and the names; off: switch it off; tables: those of more seats.
    """

    id: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}\\Z")] = ""
    kind: Literal["mail", "push"] = "mail"
    target: Annotated[str, Meta(max_length=2000)] = ""
    discreet: bool | None = None
    off: bool = False
    tables: Annotated[list[Mine], Meta(max_length=20)] = []


class PlanWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/tables/TABLE/plan`: the token of a seat. record: to keep, a record with variations, or a link."""

    token: Token
    do: Literal["show", "keep", "clear"] = "show"
    record: Annotated[str, Meta(max_length=1_000_000)] = ""


class HolidayTable(msgspec.Struct):
    """A table at which days off were asked for. problem: why they were refused, or ""."""

    table: str
    problem: Sentence


class HolidayTables(msgspec.Struct):
    """What became of days off, table by table."""

    tables: list[HolidayTable]


class ReminderWays(msgspec.Struct):
    """How this server can remind. mail: by mail; push: the public key for subscriptions to Web Push, "" if it sends none."""

    mail: bool
    push: str


class Reminder(msgspec.Struct):
    """A reminder. id: its secret; asked: the owner of the mail address has not agreed yet; problem: why nothing arrives."""

    id: str
    kind: Literal["mail", "push"]
    state: Literal["off", "asked", "on", "refused"]
    discreet: bool
    address: str = ""
    problem: Sentence = ""


class PlanView(msgspec.Struct):
    """The conditional moves of a seat. may: can they be changed now? ended: how the last ones ended, or ""."""

    seat: int
    may: bool
    lines: list[list[str]]
    ended: Sentence
