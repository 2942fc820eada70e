"""An end that people make, not the rules: one resigns, one's time runs out, or all agree on a draw. Two sides only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.outcome import Outcome
from bridgehead.core.spec import OVER

if TYPE_CHECKING:
    from bridgehead.core.match import Match

DRAW, RESIGNED, TIME = "draw agreed", "resigned", "out of time"


class Ending(NamedTuple):
    """How people ended a match. how: DRAW, RESIGNED or TIME; seat: who resigned or ran out of time, -1 for a draw."""

    how: str
    seat: int = -1

    @property
    def text(self) -> str:
        """As a record's header has it: "draw agreed", "seat 2 resigned", "seat 1 out of time"."""
        return DRAW if self.seat < 0 else f"seat {self.seat + 1} {self.how}"

    def outcome(self, sides: tuple[int, ...]) -> Outcome:
        """Who has won: the side of the one who resigned or ran out of time has lost. The rulebook has no clause for it."""
        if self.seat < 0:
            return Outcome(self.how, "", (), (0.0,) * len(sides))
        won = [side != sides[self.seat] for side in sides]
        return Outcome(self.how, "", tuple(s for s, w in enumerate(won) if w), tuple(1.0 if w else -1.0 for w in won))


def read(text: str) -> Ending:
    """The ending that `Ending.text` told. Errors: BridgeheadError."""
    found = re.fullmatch(rf"seat ([1-9]\d?) ({RESIGNED}|{TIME})", text)
    if text != DRAW and not found:
        raise BridgeheadError("error.not_end_people_make", text=repr(text[:80]))
    return Ending(found[2], int(found[1]) - 1) if found else Ending(DRAW)


def check(match: Match, ending: Ending) -> None:
    """Can a match be ended in this way now? Errors: BridgeheadError, with the reason."""
    sides = match.game.sides
    if match.actor == OVER:
        raise BridgeheadError("error.game_over_already")
    if len(set(sides)) != 2:
        raise BridgeheadError("error.where_two_sides_play_can")
    if ending.seat >= len(sides):
        raise BridgeheadError("error.no_seat", seat=ending.seat + 1)
