"""Tables: new ones, those that a browser knows, and the facts about one."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bridgehead.server.messages.client import HouseRules, TableId, Token
from bridgehead.server.messages.server import Sentence


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """Who plays a seat of a new table."""

    kind: Literal["person", "computer"]
    level: Annotated[str, Meta(max_length=32)] = ""
    name: Annotated[str, Meta(max_length=32)] = ""
    open: bool = False  # anyone with the code of the table may take it


class GameWish(msgspec.Struct, forbid_unknown_fields=True):
    """A game with house rules: the body of `POST /api/check`."""

    game: Annotated[str, Meta(max_length=64)]
    preset: Annotated[str, Meta(max_length=64)] = ""
    options: HouseRules = {}


class ClockWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clocks: a reminder after `nudge` seconds, a `bank` of seconds that gains `increment` with each turn, or `days` a turn."""

    nudge: Annotated[int, Meta(ge=0, le=604_800)] = 0
    bank: Annotated[int, Meta(ge=0, le=604_800)] = 0
    increment: Annotated[int, Meta(ge=0, le=86_400)] = 0
    days: Literal[0, 1, 2, 3, 7, 14] = 0
    stand_in: bool = False  # among more than two sides, a computer plays for a seat whose bank is empty


class NewTable(GameWish, forbid_unknown_fields=True):
    """The body of `POST /api/tables`. seed: deals in place of sealed chance; level: the level of sealed chance.

    typed: people type the results of real dice and cards. Then the server draws nothing, so nothing can be sealed.
    public: anybody may find the running game in the lobby and watch it.
    """

    seats: Annotated[list[SeatWish], Meta(max_length=16)] = []
    record: Annotated[str, Meta(max_length=65_536)] = ""  # continue this record or link
    at: Annotated[int, Meta(ge=0, le=2**31)] | None = None  # from its position after this many actions; by default after all
    seed: Annotated[int, Meta(ge=0, le=2**62)] | Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    level: Literal[1, 2] = 1
    typed: bool = False
    clock: ClockWish | None = None
    public: bool = False


class Mine(msgspec.Struct, forbid_unknown_fields=True):
    """A table that a browser knows, with the tokens of its seats there."""

    table: TableId
    tokens: Annotated[list[Token], Meta(max_length=8)] = []


class MineWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/mine`."""

    tables: Annotated[list[Mine], Meta(max_length=20)]


class MovedWish(msgspec.Struct, forbid_unknown_fields=True):
    """A page's question where the host has moved whoever had a token."""

    token: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}\\Z")]


class MovedTo(msgspec.Struct):
    """A table, "" for none."""

    table: str


class TimesWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request for thinking times: the host's token, or "" when the game is over."""

    host: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}\\Z")] = ""


class CreatedTable(msgspec.Struct):
    """A new table: its id, its short code, and the secret tokens of each person's seat and of the host.

    No other answer contains the tokens.
    """

    table: str
    code: str
    tokens: list[str | None]
    host: str
    watch: str
    base: str


class KnownTable(msgspec.Struct):
    """A table where a browser holds seats. turn: one of them has to act; back: one can be taken back; seats: their number.

    names: of the others. Where each turn has days: days; due: milliseconds that the seat to act has left; off, stock: the longest
    holiday of these seats in milliseconds, and the fewest days off that they have left.
    """

    table: str
    title: str
    game: str
    prompt: Sentence
    over: bool
    turn: bool
    back: bool
    seats: int
    names: list[str] = []
    days: int = 0
    due: int | UnsetType = UNSET
    off: int = 0
    stock: int = 0


class KnownTables(msgspec.Struct):
    """The requested tables, as far as they exist."""

    tables: list[KnownTable]


class ProblemView(msgspec.Struct):
    """The answer to a refused request: the error as a sentence, and its place."""

    error: Sentence
    where: str


class SeatTimes(msgspec.Struct):
    """Thinking times of a seat's persons: decisions, and the seconds within which half and nine of ten of them were made."""

    decisions: int
    half: float | None
    most: float | None


class TableTimes(msgspec.Struct):
    """Thinking times of each seat."""

    seats: list[SeatTimes]


class Likeness(msgspec.Struct, omit_defaults=True):
    """Another table like this one: its house rules that are not hidden, and for each seat "person" or a computer's level.

    again: where a game by the original rules may end without a winner, an offer of the recommended ones; else "".
    tournament: the id of the tournament of its game, and club: that one's name; "" for any other table.
    """

    rules: HouseRules
    seats: list[str]
    again: str
    tournament: str = ""
    club: str = ""


class WebhookCall(msgspec.Struct):
    """The body of a webhook call: a person's turn has begun at a table."""

    table: str
    game: str
    title: str
    seat: int
    name: str
    sentence: Sentence
