"""Helpers of the 40 Bridges tests. A position is two lists of fields: player A's pieces, player B's pieces."""

from typing import Any

from bridgehead.core import registry
from bridgehead.core.position import Position
from bridgehead.games.forty_bridges.text import key

ROUND_TRIP = ("b1-c1", "d5-c5", "c1-b1", "c5-d5")  # back to the first position in four plies


def start(**options: Any) -> Position:
    return registry.game("forty_bridges", **options).start()


def stand(a: str, b: str, mover: str = "a", **options: Any) -> Position:
    """A position in the middle of a game, right after a removal."""
    turns = 20 if mover == "a" else 21
    return registry.game("forty_bridges", **options).load(f"{a} {b} {mover} {turns} 0 - - -")


def seen(*stands: tuple[str, str]) -> str:
    """The part of a position's text that tells of positions before it."""
    board = registry.game("forty_bridges").board
    words = [[sum(1 << (board.field(name) or 0) for name in names.split(",")) for names in sides] for sides in stands]
    return ",".join(f"{key(*sides):016x}" for sides in words) or "-"


def pieces(position: Position, seat: int) -> set[str]:
    return {field for field, owner in position.facts()["pieces"].items() if owner == seat}


INTO_SURROUND = ("b3,a1", "d3,c4,C3")  # b3-c3 moves where three sides are closed, and captures nothing
