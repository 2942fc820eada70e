"""How good a position is for a seat, for players that look one move ahead."""

from __future__ import annotations

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.games.forty_bridges.fields import destinations
from bridgehead.games.forty_bridges.state import ONE

WON = 1000.0
PIECE, PRESSED, ADVANCE, THREAT = 10.0, 3.0, 1.0, 40.0
ROW = 9  # field numbers are (9y + x) / 2


@rule
def value(state, law, seat):
    """WON or -WON at the end; else pieces, squares' way to the corner, closed sides, and who threatens the corner."""
    if state.reason != 0:
        return 0.0 if state.winner < 0 else WON if state.winner == seat else -WON
    worth = standing(state, law, seat) - standing(state, law, 1 - seat)
    return worth + THREAT if state.seat == seat and threatens_corner(state, law, seat) else worth


@rule
def standing(state, law, seat):
    """What one seat has on the board; minus WON / 2 where the opponent, to move, can enter its corner."""
    enemy = state.pieces[1 - seat]
    worth = 0.0
    nearest = 16
    pieces = state.pieces[seat]
    while pieces:
        field = lowest(pieces)
        pieces &= pieces - ONE
        worth += PIECE
        if count(law.touch[field] & enemy) >= law.sides_needed - 1:
            worth -= PRESSED
        nearest = min(nearest, way(field, law.goal[seat]))
    if state.seat == 1 - seat and threatens_corner(state, law, 1 - seat):
        worth -= WON / 2
    return worth - ADVANCE * nearest


@rule
def threatens_corner(state, law, seat):
    """Whether a piece of the seat could enter the far corner, were it its turn."""
    own = state.pieces[seat]
    empty = ~(own | state.pieces[1 - seat])
    pieces = own
    while pieces:
        if destinations(law, own, empty, lowest(pieces)) & law.bit[law.goal[seat]]:
            return True
        pieces &= pieces - ONE
    return False


@rule
def way(field, goal):
    """How far a square is from another, in half-grid units; 16 for an octagon, which never gets there."""
    row, column = 2 * field // ROW, 2 * field % ROW
    if row % 2:
        return 16
    return abs(2 * goal // ROW - row) + abs(2 * goal % ROW - column)
