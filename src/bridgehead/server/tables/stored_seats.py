"""Seats and tables as they are stored, and the tokens that give seats."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

import msgspec

from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.players import levels_of
from bridgehead.players.levels import check_search
from bridgehead.server.messages.client import HouseRules
from bridgehead.server.messages.server import SeatKind
from bridgehead.server.messages.tables import ClockWish, SeatWish
from bridgehead.server.tables.names import clean_name, distinct_name


class Seat(msgspec.Struct, frozen=True):
    """A seat as it is stored. Tokens are stored as their SHA-256, which is enough for 192 random bits.

    kind: "person" or "computer"; token: its holder plays the seat; past: tokens that may take it back; offer: token of the
    unused link for a substitute; keeps: whether `token` moves to `past` when somebody else sits down; free: anybody with the
    table's code may sit down; left: the person has left for good; profile: the profile of the person, "" without one; own: a
    further token that plays the seat, which every device with that profile's key can work out (`people.profiles`); advised: the
    computer has given them a hint; browser: stands for the browser that plays the seat of a profile, "" if it has not said so.
    """

    kind: SeatKind
    level: str
    name: str
    token: str = ""
    past: tuple[str, ...] = ()
    offer: str = ""
    keeps: bool = False
    free: bool = False
    left: bool = False
    profile: str = ""
    own: str = ""
    advised: bool = False
    browser: str = ""


class StoredTable(msgspec.Struct, frozen=True):
    """The fixed data of a table, stored when it is created. Seed and secret stay on the server until the match is over.

    start: text of the first position, "" for the usual one; host: the host's token, hashed; level: of sealed chance, 0 if a
    seed deals; secret: source of the server's part of sealed chance, hex; known: the maker of the table chose the seed;
    typed: people type the results of real dice and cards; public: anybody may find the running game and watch it, until the host
    decides otherwise; awaits: a tournament waits for its persons, so the log notes when each has come, and only the host allows
    hints and takebacks.
    """

    game: str
    rules: str
    options: HouseRules
    seats: list[Seat]
    seed: str
    start: str = ""
    host: str = ""
    level: int = 0
    secret: str = ""
    known: bool = False
    clock: ClockWish | None = None
    typed: bool = False
    public: bool = False
    awaits: bool = False


def seat_players(wishes: list[SeatWish], game: Game) -> tuple[list[Seat], list[str | None]]:
    """The seats of a new table, and the token of each person's seat. Errors: OptionError; MissingExtra."""
    wishes = wishes or [SeatWish("person")] * game.seats
    if len(wishes) != game.seats:
        raise OptionError("server:error.seats_named_game", "seats", count=len(wishes), seats=game.seats)
    seats: list[Seat] = []
    tokens: list[str | None] = []
    for index, wish in enumerate(wishes):
        if wish.kind == "computer" and wish.level not in levels_of(game.spec):
            there = ", ".join(levels_of(game.spec))
            raise OptionError("server:error.no_level", f"seats[{index}].level", level=repr(wish.level), there=there)
        if wish.kind == "computer":
            check_search(game, wish.level)
        token = fresh_token() if wish.kind == "person" else None
        name = distinct_name(clean_name(wish.name) or game.spec.seat_letter(index).upper(), (each.name for each in seats))
        level = wish.level if wish.kind == "computer" else ""
        seats.append(Seat(wish.kind, level, name, digest(token) if token else "", free=bool(token and wish.open)))
        tokens.append(token)
    return seats, tokens


def fresh_token() -> str:
    """A new token of 192 bits."""
    return secrets.token_urlsafe(24)


def seat_key(key: str) -> str:
    """The key under which the log stores a message about a seat: the message's own key would repeat the answer with its token."""
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def token_of(secret: str, purpose: bytes) -> str:
    """The token that follows from a secret for one purpose. Who has the token learns nothing of the secret."""
    return encode_base64(hmac.digest(secret.encode(), purpose, "sha256"))


def encode_base64(content: bytes) -> str:
    """Base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def decode_base64(text: str) -> bytes:
    """The bytes of `encode_base64`. Errors: ValueError."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
