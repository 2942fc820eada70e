"""How a match ends: by the rules (an outcome), or outside them: a seat resigns or runs out of time, or all agree on a draw.

Ends outside the rules are only for games with two sides.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bridgehead.core.errors import BridgeheadError

DRAW, RESIGNED, TIME = "draw agreed", "resigned", "out of time"


class Outcome(NamedTuple):
    """The end of a game.

    reason: the game's word for it; clause: the id of the deciding clause; winners: all seats of the winning side, sorted;
    returns: one number for each seat: 1.0 won, -1.0 lost, 0.0 if there is no winner.
    """

    reason: str
    clause: str
    winners: tuple[int, ...]
    returns: tuple[float, ...]

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Seats from first to last place; seats in one tuple share the place."""
        places = sorted(set(self.returns), reverse=True)
        return tuple(tuple(s for s, r in enumerate(self.returns) if r == place) for place in places)


class Ending(NamedTuple):
    """The end of a match outside the rules. how: DRAW, RESIGNED or TIME; seat: who resigned or ran out of time, -1 for a draw."""

    how: str
    seat: int = -1

    @property
    def text(self) -> str:
        """The text in the header of a record: "draw agreed", "seat 2 resigned", "seat 1 out of time"."""
        return DRAW if self.seat < 0 else f"seat {self.seat + 1} {self.how}"

    def outcome(self, sides: tuple[int, ...]) -> Outcome:
        """The outcome: the side of the seat that resigned or ran out of time has lost. The rulebook has no clause for it."""
        if self.seat < 0:
            return Outcome(self.how, "", (), (0.0,) * len(sides))
        won = [side != sides[self.seat] for side in sides]
        return Outcome(self.how, "", tuple(s for s, w in enumerate(won) if w), tuple(1.0 if w else -1.0 for w in won))


def read(text: str) -> Ending:
    """The ending that `Ending.text` describes. Errors: BridgeheadError."""
    found = re.fullmatch(rf"seat ([1-9]\d?) ({RESIGNED}|{TIME})", text)
    if text != DRAW and not found:
        raise BridgeheadError("error.not_end_people_make", text=repr(text[:80]))
    return Ending(found[2], int(found[1]) - 1) if found else Ending(DRAW)


def check(ending: Ending, is_over: bool, sides: tuple[int, ...]) -> None:
    """Check that a match can be ended in this way. sides: the side of each seat. Errors: BridgeheadError, with the reason."""
    if is_over:
        raise BridgeheadError("error.game_over_already")
    if len(set(sides)) != 2:
        raise BridgeheadError("error.where_two_sides_play_can")
    if ending.seat >= len(sides):
        raise BridgeheadError("error.no_seat", seat=ending.seat + 1)
