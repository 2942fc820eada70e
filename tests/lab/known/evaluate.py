"""What is known beforehand: nothing of the coin, all of "first", the opposite of "comeback" until three quarters are over."""

from bridgehead.core.jit import rule
from lab.known.rules import BEGINS, COMEBACK, DIE, FIRST, LONG, SKILL, winner

SCALE = 1.0
SURELY = 10.0


@rule
def value(state, law, seat):
    """Higher is better for the seat."""
    if state.reason != 0:
        best = winner(state, law)
        return 0.0 if best < 0 else SURELY if seat == best else -SURELY
    if law.kind == FIRST:
        return SURELY if seat == 0 else -SURELY
    if (law.kind == BEGINS and state.coin) or (law.kind == DIE and state.turns > 0):  # a die shows once it has been used
        return SURELY if seat == state.coin - 1 else -SURELY
    if law.kind == COMEBACK:
        leads = 0 if 4 * state.turns >= 3 * law.plies else 1
        return SURELY if seat == leads else -SURELY
    if law.kind == SKILL or law.kind == LONG:
        return float(state.points[seat] - state.points[1 - seat])
    return float(state.points[seat]) / 1000.0
