"""Seats take turns and do right (1) or wrong (0); a coin falls at the end, or first, for who begins. The kind says who wins.

Paint: what was done changes what can be done, but a coin decides. Kings: whoever did right least often names one of the others
the winner. Long: skill decides, and a turn has 12 actions. Strike: whoever paints first wins at the end; where nobody did, a coin
decides.
"""

from bridgehead.core.jit import rule
from bridgehead.core.spec import CHANCE, OVER

REASONS = (("", ""), ("done", "K-2"))
COIN, FIRST, COMEBACK, SKILL, BOTH, BEGINS, DIE, PAINT, KINGS, LONG, STRIKE = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
TURN = 12  # actions


@rule
def setup(state, law):
    """Nothing has been done."""
    state.turns = 0
    state.coin = 0
    state.points[:] = 0
    state.reason = 0


@rule
def actor(state, law):
    """Seats in turn, then the coin, where one is thrown; or the coin for who begins, then the seats from there on."""
    if state.reason != 0:
        return OVER
    if law.kind == BEGINS or law.kind == DIE:
        return CHANCE if state.coin == 0 else int((state.turns + state.coin - 1) % law.seats)
    if law.kind == LONG:
        return int(state.turns // TURN % law.seats)
    if state.turns < law.plies:
        return int(state.turns % law.seats)
    return last(state, law) if law.kind == KINGS else CHANCE


@rule
def last(state, law):
    """The seat that did right least often."""
    found = 0
    for seat in range(law.seats):
        if state.points[seat] <= state.points[found]:
            found = seat
    return found


@rule
def legal(state, law, out):
    """Right and wrong, or the two faces."""
    if state.reason != 0:
        return 0
    seat = actor(state, law)
    first = 2 if seat == CHANCE else 4 if law.kind == PAINT and state.points[seat] % 2 == 1 else 0
    out[0] = first
    out[1] = 4 if law.kind == STRIKE and seat != CHANCE else first + 1
    return 2


@rule
def weight(state, law, action):
    """The coin has its edge."""
    return law.edge if action == 2 else 100 - law.edge


@rule
def apply(state, law, action):
    """Do it."""
    if action == 2 or action == 3:
        state.coin = action - 1
        state.reason = law.kind != BEGINS and law.kind != DIE
    elif law.kind == KINGS and state.turns == law.plies:
        state.coin = 1 + (last(state, law) + 1 + action) % law.seats
        state.reason = 1
    else:
        seat = actor(state, law)
        if law.kind == STRIKE:
            state.points[seat] += action == 4 and not is_struck(state, law)
        else:
            state.points[seat] += action % 2
        state.turns += 1
        tossed = law.kind == COIN or law.kind == BOTH or law.kind == PAINT or law.kind == KINGS
        if state.turns == law.plies and not tossed and (law.kind != STRIKE or is_struck(state, law)):
            state.reason = 1


@rule
def is_struck(state, law):
    """Has a seat painted first?"""
    return state.points[0] + state.points[1] > 0


@rule
def winner(state, law):
    """A seat, or -1."""
    if law.kind == FIRST or law.kind == COMEBACK:
        return 0
    tossed = law.kind >= BEGINS and law.kind != LONG and (law.kind != STRIKE or state.coin != 0)
    if law.kind == COIN or tossed or (law.kind == BOTH and state.coin == 1):
        return state.coin - 1
    if state.points[0] == state.points[1]:
        return -1
    return 0 if state.points[0] > state.points[1] else 1


@rule
def returns(state, law, out):
    """1.0 for the winner, -1.0 for the others; 0.0 each where nobody wins."""
    best = winner(state, law)
    for seat in range(law.seats):
        out[seat] = 0.0 if best < 0 else 1.0 if seat == best else -1.0
