"""Tournaments."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bridgehead.server.messages.classroom import HostKey as ServerHostKey
from bridgehead.server.messages.people import OptionalKey
from bridgehead.server.messages.server import Sentence
from bridgehead.server.messages.tables import ClockWish, GameWish

HostToken = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}\\Z")]


class TournamentWish(GameWish, forbid_unknown_fields=True):
    """A new tournament. size: seats of a table, 0 for the usual number; rounds: 0 for as many as it needs.

    paired: each table plays as many games as it has seats, so that everybody sits in each seat; minutes: of an arena;
    live: the dice are sealed at level 2; appear: minutes to come to a table, 0 for any time. With days for each turn it is 0.
    aids: hints and takebacks are allowed. late: in a Swiss tournament, the last round in which a late entrant may begin;
    limit: minutes of a game, 0 for any time, and at_limit what follows then: the host decides, it is drawn, or all lose;
    places: each place counts, not only the first; listed: everybody finds it; where: the place, on paper; keep: days without a
    change after which it is deleted with its names, 0: never; tables: that stand in the room of an arena from the beginning.
    """

    name: Annotated[str, Meta(max_length=32)] = ""
    kind: Literal["round_robin", "swiss", "knock_out", "arena"] = "swiss"
    size: Annotated[int, Meta(ge=0, le=8)] = 0
    rounds: Annotated[int, Meta(ge=0, le=50)] = 0
    paired: bool = False
    minutes: Annotated[int, Meta(ge=0, le=1440)] = 60
    clock: ClockWish | None = None
    live: bool = False
    appear: Annotated[int, Meta(ge=0, le=1440)] = 10
    aids: bool = False
    late: Annotated[int, Meta(ge=0, le=50)] = 0
    limit: Annotated[int, Meta(ge=0, le=1440)] = 0
    at_limit: Literal["wait", "draw", "lose"] = "wait"
    places: bool = False
    listed: bool = False
    where: Annotated[str, Meta(max_length=64)] = ""
    keep: Annotated[int, Meta(ge=0, le=3650)] = 90
    seating: Literal["random", "rating", "choice"] = "random"
    tables: Annotated[int, Meta(ge=0, le=60)] = 0


class EntrantWish(msgspec.Struct, forbid_unknown_fields=True):
    """A new entrant of a tournament: a person, perhaps with the key of a profile, or by the host a level of the computer."""

    name: Annotated[str, Meta(max_length=32)]
    level: Annotated[str, Meta(max_length=32)] = ""
    key: OptionalKey = ""
    host: HostToken = ""


class TournamentAct(msgspec.Struct, forbid_unknown_fields=True):
    """A change of a tournament. do: "leave", "return" and "choose" by an entrant's token or the host's; all others by the host's.

    "decide" gives the points or the places of a table's game, in the order of its seats, "correct" of one that is over. entrants:
    several at once, by the host. "draw": the next round, at once; "forget": deletes names; "delete": the whole tournament.
    "choose", by an entrant: to play with the first of `entrants`, at the table `number`, or with whoever comes. "name": gives the
    table `number` a name.
    """

    do: Literal["start", "leave", "decide", "correct", "close", "return", "draw", "forget", "delete", "choose", "name"]
    host: HostToken = ""
    token: HostToken = ""
    entrant: Annotated[int, Meta(ge=0, lt=10_000)] = 0
    entrants: Annotated[list[Annotated[int, Meta(ge=0, lt=10_000)]], Meta(max_length=200)] = []
    table: Annotated[str, Meta(max_length=32)] = ""
    points: Annotated[list[Annotated[float, Meta(ge=0, le=1)]], Meta(max_length=8)] = []
    places: Annotated[list[Annotated[int, Meta(ge=1, le=8)]], Meta(max_length=8)] = []
    number: Annotated[int, Meta(ge=0, le=200)] = 0
    name: Annotated[str, Meta(max_length=32)] = ""


class HostRecovery(msgspec.Struct, forbid_unknown_fields=True):
    """The key of the server's host, who gets a new link to host a tournament."""

    key: ServerHostKey


class TournamentEntrant(msgspec.Struct):
    """Somebody who takes part. level: of a computer player, else ""; name: "" if it was deleted.

    by: who decided that they left; back: they may still return.
    """

    name: str
    level: str
    profile: str
    left: bool
    by: Literal["", "self", "host", "absent"]
    back: bool


class TournamentLine(msgspec.Struct):
    """A line of the standings. breaks: the values of the tie-breaks, in their order."""

    place: int
    entrant: int
    points: float
    games: int
    breaks: list[float]


class TournamentGame(msgspec.Struct):
    """A game: its entrants in the order of the seats. points: [] while it runs; table: "" if it has none (somebody has left).

    absent: the entrants who did not appear; until: when those who have not come yet must have come (Unix seconds), 0 if all have.
    left: the entrants who have left and lose it; timeout: its time was up; limit: when its time is up (Unix seconds), 0: never.
    number: of its table in the room, 0 for a game without a table.
    """

    round: int
    match: int
    table: str
    seats: list[int]
    points: list[float]
    host: bool
    absent: list[int]
    until: int
    left: list[int]
    timeout: bool
    limit: int
    number: int


class TournamentNote(msgspec.Struct):
    """A line of the log of a tournament. time: Unix seconds; who: entrants, whose `points` were `before` a correction.

    do: "late", "left", "removed", "missed", "return", "decide", "correct", "timeout", "swap" or "rehost".
    """

    time: int
    do: str
    who: list[int]
    points: list[float]
    before: list[float]


class TournamentHead(msgspec.Struct):
    """A tournament in the list. state: "open" until it starts, "running", "over"."""

    id: str
    name: str
    game: str
    title: str
    rules: Sentence
    kind: str
    size: int
    state: Literal["open", "running", "over"]
    entrants: int
    round: int
    rounds: int


class TournamentView(TournamentHead):
    """A tournament. n: its version; tie_breaks: their names in their order; byes: by round; seconds: left in an arena;
    letters: of the seats; levels: that the host may enter; appear: minutes to come to a table, 0 for any time; aids: hints and
    takebacks are allowed; enters: somebody may still enter, by this code; waits: when the next round is drawn, because whoever
    has left may return (Unix seconds), 0 if nothing waits; began: when it was made (Unix seconds); expires: when it is deleted,
    0: never; log: what its host and its entrants have decided; waiting: entrants who have chosen
    to play together, and waiting_at: the numbers of their tables; tables: how many stand in the room, and table_names: of all of
    them. The rest is as in `TournamentWish`.
    """

    n: int
    paired: bool
    live: bool
    people: list[TournamentEntrant]
    lines: list[TournamentLine]
    tie_breaks: list[str]
    games: list[TournamentGame]
    byes: list[list[int]]
    seconds: int
    letters: list[str]
    levels: list[str]
    appear: int
    aids: bool
    enters: bool
    code: str
    late: int
    limit: int
    at_limit: str
    places: bool
    listed: bool
    where: str
    keep: int
    seating: str
    waiting: list[list[int]]
    waiting_at: list[int]
    tables: int
    table_names: list[str]
    waits: int
    began: int
    expires: int
    log: list[TournamentNote]


class TournamentList(msgspec.Struct):
    """The newest tournaments."""

    tournaments: list[TournamentHead]


class CreatedTournament(msgspec.Struct):
    """A new tournament, and the token of its host."""

    id: str
    host: str


class EnteredTournament(msgspec.Struct):
    """A new entrant, and the token that plays all their games ("" for a computer player)."""

    entrant: int
    token: str
