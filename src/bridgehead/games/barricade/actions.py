"""The kinds of actions in Barricade, and the layout of their ids."""

from __future__ import annotations

from typing import Any

from bridgehead.core.actions import Actions, Kind

KINDS = (Kind("roll {number}"), Kind("first {seat}"), Kind("pass"), Kind("place {square}"), Kind("{origin}-{square}"))
ROLL, FIRST, PASS, PLACE, MOVE = range(len(KINDS))


def laid_out(law: Any) -> Actions:
    """The action ids under a law. An origin is a square, or the number of squares + index of a home."""
    squares = int(law.squares)
    sizes = {"number": int(law.die_sides), "seat": int(law.seats), "square": squares, "origin": squares + int(law.homes)}
    return Actions(KINDS, sizes)
