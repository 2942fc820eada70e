"""How a match ends: by the rules (an outcome), or outside them: a seat resigns, runs out of time or never appears, or all
agree on a draw.

Ends outside the rules are only for games with two sides, except that seats did not appear, and that the host closed the table.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bridgehead.core.errors import BridgeheadError

DRAW, RESIGNED, TIME, ABSENT, CLOSED = "draw agreed", "resigned", "out of time", "did not appear", "closed by the host"


class Outcome(NamedTuple):
    """The end of a game.

    reason: the game's word for it; clause: the id of the deciding clause; winners: all seats of the winning side, sorted;
    returns: one number for each seat: 1.0 won, -1.0 lost, 0.0 if there is no winner and no loser.
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
    """The end of a match outside the rules. how: one of the words above; seat: who lost by it, -1 for nobody.

    more: the further seats that did not appear.
    """

    how: str
    seat: int = -1
    more: tuple[int, ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have lost by it."""
        return (self.seat, *self.more) if self.seat >= 0 else ()

    @property
    def text(self) -> str:
        """The text in the header of a record: "draw agreed", "seat 2 resigned", "seats 1, 3 did not appear"."""
        named = ", ".join(str(seat + 1) for seat in self.seats)
        return f"seat{'s' if self.more else ''} {named} {self.how}" if named else self.how

    def outcome(self, sides: tuple[int, ...]) -> Outcome:
        """The outcome: the sides of these seats have lost. The rulebook has no clause for it."""
        if self.seat < 0:
            return Outcome(self.how, "", (), (0.0,) * len(sides))
        lost = {sides[seat] for seat in self.seats}
        won = [side not in lost for side in sides]
        return Outcome(self.how, "", tuple(s for s, w in enumerate(won) if w), tuple(1.0 if w else -1.0 for w in won))


def read(text: str) -> Ending:
    """The ending that `Ending.text` describes. Errors: BridgeheadError."""
    if text in (DRAW, CLOSED):
        return Ending(text)
    found = re.fullmatch(rf"seat ([1-9]\d?) ({RESIGNED}|{TIME}|{ABSENT})", text[:200])
    found = found or re.fullmatch(rf"seats ([1-9]\d?(?:, [1-9]\d?)+) ({ABSENT})", text[:200])
    seats = [int(number) - 1 for number in found[1].split(", ")] if found else []
    if not found or seats != sorted(set(seats)):
        raise BridgeheadError("error.not_end_people_make", text=repr(text[:80]))
    return Ending(found[2], seats[0], tuple(seats[1:]))


def check(ending: Ending, is_over: bool, sides: tuple[int, ...]) -> None:
    """Check that a match can be ended in this way. sides: the side of each seat. Errors: BridgeheadError, with the reason."""
    if is_over:
        raise BridgeheadError("error.game_over_already")
    if len(set(sides)) != 2 and ending.how not in (ABSENT, CLOSED):
        raise BridgeheadError("error.where_two_sides_play_can")
    if (last := max((ending.seat, *ending.more))) >= len(sides):
        raise BridgeheadError("error.no_seat", seat=last + 1)
