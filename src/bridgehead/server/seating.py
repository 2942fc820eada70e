"""Who sits at a table: seats as they are stored, and the secrets that give them."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

import msgspec

from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.players import LEVELS
from bridgehead.server.protocol import ClockWish, SeatWish
from bridgehead.server.views import clean


class Seat(msgspec.Struct, frozen=True):
    """A seat as it is stored: the token only as its SHA-256, which is enough for 192 random bits."""

    kind: str
    level: str
    name: str
    token: str = ""


class Body(msgspec.Struct, frozen=True):
    """What a table is created with. Its seed and its secret never leave the server before the match is over.

    level: of sealed chance, 0 where a seed deals; secret: what the server's part of it is made of, hex; known: whoever
    made the table chose the seed.
    """

    game: str
    rules: str
    options: dict[str, Any]
    seats: list[Seat]
    seed: str
    start: str = ""  # the first position, where it is not the usual one
    level: int = 0
    secret: str = ""
    known: bool = False
    clock: ClockWish | None = None


def seated(wishes: list[SeatWish], game: Game) -> tuple[list[Seat], list[str | None]]:
    wishes = wishes or [SeatWish("person")] * game.seats
    if len(wishes) != game.seats:
        raise OptionError(f"{len(wishes)} seats are named, the game has {game.seats}", "seats")
    seats: list[Seat] = []
    tokens: list[str | None] = []
    for index, wish in enumerate(wishes):
        if wish.kind == "computer" and wish.level not in LEVELS:
            raise OptionError(f"no level {wish.level!r}; there are: {', '.join(LEVELS)}", f"seats[{index}].level")
        token = secrets.token_urlsafe(24) if wish.kind == "person" else None
        name = clean(wish.name) or game.spec.seat_letter(index).upper()
        seats.append(Seat(wish.kind, wish.level if wish.kind == "computer" else "", name, digest(token) if token else ""))
        tokens.append(token)
    return seats, tokens


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
