"""The end of a game, as a value."""

from __future__ import annotations

from typing import NamedTuple


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
