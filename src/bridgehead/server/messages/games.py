"""The installed games, their house rules, and their rules for pages that check a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from bridgehead.server.messages.client import HouseRules


class RuleDifferences(msgspec.Struct):
    """The differences between house rules and the standard."""

    differences: HouseRules


class RuleInForce(msgspec.Struct):
    """A house rule that differs from the rules as written, in the reader's words.

    value: at most 60 characters; text: what the house rule is about; written: its value by the rules as written; clause: the
    clause with that rule ("" if there is none); says: the sentence of that clause.
    """

    name: str
    title: str
    value: str
    text: str
    written: str
    clause: str
    says: str


class PlayedAction(msgspec.Struct):
    """An action of a game, and the clauses that applied it: those first that applied fewest actions of the game."""

    turn: int
    text: str
    clauses: list[str]


class RulesInForce(msgspec.Struct):
    """The house rules of a game. table: its table, or ""; actions: all of them, if they were asked for."""

    table: str
    rules: list[RuleInForce]
    actions: list[PlayedAction]


class Referee(msgspec.Struct):
    """What a page needs to follow a table's record by the rules of its game, under its house rules.

    module: the address of the rules as WebAssembly; most: legal actions of a position, at most; law: its bytes, compressed
    (zlib); start: the bytes of the first position. Both are base64.
    """

    game: str
    version: str
    module: str
    most: int
    law: str
    start: str


class HouseRule(msgspec.Struct):
    """One house rule of a game."""

    name: str
    default: Any
    allowed: str
    values: Sequence[Any]
    description: str
    clause: str


class GameListing(msgspec.Struct):
    """A game as the pages show it."""

    id: str
    title: str
    players: str
    line: str
    version: str
    livery: str
    seats: list[int]
    presets: dict[str, HouseRules]
    recommended: str
    recommended_seats: list[int]
    levels: list[str]
    usual: str
    editor: bool
    options: list[HouseRule]


class GameListings(msgspec.Struct):
    """All installed games."""

    games: list[GameListing]
