"""Playtests: one version of a game that people play, and the three questions that they answer."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bridgehead.server.messages.client import HouseRules, TableId, Token
from bridgehead.server.messages.lab import LabFigure, LabLight
from bridgehead.server.messages.server import Sentence
from bridgehead.server.messages.tables import GameWish
from bridgehead.server.messages.tournaments import HostToken

FAIR = -1  # in place of a seat that had the better start


class PlaytestWish(GameWish, forbid_unknown_fields=True):
    """A new playtest: the body of `POST /api/playtests`. keep: days without a change after which it is deleted, 0: never."""

    keep: Annotated[int, Meta(ge=0, le=3650)] = 365


class PlaytestGame(msgspec.Struct, forbid_unknown_fields=True):
    """A game of a tester: the body of `POST /api/playtests/ID/tables`. how: all at one screen, against computers of a level, or
    with friends, who take the free seats."""

    how: Literal["here", "computer", "invite"]
    level: Annotated[str, Meta(max_length=32)] = ""


class PlaytestAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """The answers of a tester. tokens: of the seats there; fun: 1 to 5; start: the seat that had the better start,
    -1: it was fair; note: one free line."""

    table: TableId
    tokens: Annotated[list[Token], Meta(min_length=1, max_length=8)]
    fun: Annotated[int, Meta(ge=1, le=5)]
    start: Annotated[int, Meta(ge=-1, le=7)]
    note: Annotated[str, Meta(max_length=300)] = ""


class PlaytestAsked(msgspec.Struct, forbid_unknown_fields=True):
    """What the designer asks of a playtest, or "delete" by `do`."""

    host: HostToken
    do: Literal["look", "delete"] = "look"


class CreatedPlaytest(msgspec.Struct):
    """A new playtest, and the token of its designer."""

    id: str
    host: str


class PlaytestSeat(msgspec.Struct):
    """A seat: the letter of its colour, and its name."""

    seat: str
    name: Sentence


class PlaytestView(msgspec.Struct):
    """A playtest as testers see it. title: of the board and the game; credits: who drew it, and the note on it."""

    id: str
    game: str
    title: str
    rules: Sentence
    credits: list[Sentence]
    seats: list[PlaytestSeat]
    levels: list[str]


class TestedGame(msgspec.Struct):
    """A finished game. players: of each seat a computer's level, "" for a person; early: it did not end by the rules alone."""

    table: str
    time: int
    players: list[str]
    returns: list[float]
    turns: int
    early: bool


class GivenAnswer(msgspec.Struct):
    """What a tester answered. people: of a game without computers."""

    table: str
    time: int
    fun: int
    start: int
    note: str
    people: bool


class PlaytestResults(PlaytestView):
    """What testers did and said, beside the programs' figures. figures: of "people" against people, of "mixed" games of people
    against computers, and of "programs"; lights, report: of the last study of this version; study: games of that study.

    said: whether what people did agrees with what programs did; expires: when it is deleted (Unix seconds), 0: never.
    """

    games: list[TestedGame]
    answers: list[GivenAnswer]
    figures: dict[str, list[LabFigure]]
    said: list[Sentence]
    lights: list[LabLight]
    report: str
    study: int
    options: HouseRules
    expires: int
