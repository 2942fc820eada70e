"""Positions of 40 Bridges in which a side can no longer lose, by proof: docs/understand/fortress.md has the proofs.

They need no search and no table. The endgame tables contradict none of them (tests/games/test_forty_bridges_bounds.py).
"""

from __future__ import annotations

from bridgehead.core.bits import count
from bridgehead.core.jit import rule
from bridgehead.core.numbers import ALL
from bridgehead.games.forty_bridges import rules
from bridgehead.games.forty_bridges.board import FIELDS, standard

REASONS = "", "few", "edge", "home"
FEW, EDGE, HOME = 1, 2, 3
ENOUGH = 3  # pieces that capture, under the rules of `endgames.are_for`
SQUARES = rules.word(field for field in range(FIELDS) if standard().is_square(field))
BORDER = rules.word(field for field in range(FIELDS) if {0, 8} & {*standard().places[field]})  # squares only


@rule
def cannot_lose(own, other, corner):
    """Why the side of the pieces `own`, whose corner is the word `corner`, cannot lose, by its place in REASONS; 0 if unknown.

    It holds under the rules of `endgames.are_for`, with either side to move, after any history.
    """
    few = count(other) < ENOUGH
    if not other & SQUARES:
        if few:
            return FEW
        if own & BORDER:
            return EDGE
    if few and own & corner and own & (ALL ^ SQUARES):
        return HOME
    return 0
