"""How good a position of The Front Lines is for a seat: from what lies on the table, and what may still lie face down.

A layout is never looked at: a face-down card is a mine as likely as any unseen card is (FLQ-17, FLQ-28).
"""

from __future__ import annotations

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.games.front_lines.cards import cards_down, is_known_mine, jokers_down
from bridgehead.games.front_lines.rules import mover
from bridgehead.games.front_lines.state import (
    ALIVE,
    DOWN,
    NOBODY,
    ONE,
    START,
    WAITING,
    ZERO,
    has,
    mate_of,
    side_of,
)
from bridgehead.games.front_lines.winning import across, dead

WON = 1000.0
CLAIM = 40.0  # the claim of FLQ-18
CROSSED = 10.0
LIFE = 7.0
ROW = 1.0  # a row of the way; half of it for a character that waits
FEAR = 0.6  # of each of the next steps, times the chance of a mine
NEXT_STEPS = 3  # that are feared


@rule
def value(state, law, seat):
    """Higher is better for the seat's side; between -1000 and 1000."""
    side = 0
    for suit in range(4):
        if int(law.seat_of[suit]) == seat:
            side = side_of(suit)
    winner = int(state.winner)
    if int(state.reason):
        return 0.0 if winner == NOBODY else WON if winner == side else -WON
    worth = _standing(state, law, side) - _standing(state, law, 1 - side)
    if int(state.drawn) == NOBODY:
        return worth
    moving = side_of(mover(state))
    turn = _turning_over(state, law, moving) if int(state.flipping) != NOBODY else _going_on(state, law, moving)
    return worth + turn if moving == side else worth - turn


@rule
def _standing(state, law, side):
    """Lives, the way made, and what is across."""
    worth = CROSSED * across(state, side)
    if int(state.claim) == side:
        worth += CLAIM
    for suit in (2 * side, 2 * side + 1):
        worth += LIFE * int(state.lives[suit])
        if int(state.status[suit]) == ALIVE:
            worth += ROW * _rows(law, side, int(state.place[suit]))
        elif int(state.status[suit]) == WAITING:
            worth += ROW / 2 * _rows(law, side, int(state.place[suit]))
    return worth


@rule
def _rows(law, side, place):
    """Rows behind a place, its own included; the side's last row tells which way it goes (FLQ-5)."""
    if place >= START:
        return 0
    row = place // 4
    return row + 1 if has(law.last_row[side], 4 * (int(law.rows) - 1)) else int(law.rows) - row


@rule
def mine_chance(state, law, side):
    """How likely a face-down card is a mine for the side, as far as the table shows."""
    down, unseen = cards_down(state, law), law.field_cards & ~state.seen
    cards = count(unseen)
    if down == 0 or cards == 0:
        return 0.0
    jokers = max(min(jokers_down(state, law), down), 0)
    return count(unseen & law.mines[side]) / cards * (down - jokers) / down


@rule
def _death(state, law, suit):
    """What the death of this character costs its side; with the mate across it may win (FLQ-31)."""
    side, mate = side_of(suit), mate_of(suit)
    if across(state, side) == 1:
        return -CLAIM if dead(state, 1 - side) == 0 else -WON / 2
    cost = LIFE + ROW / 2 * _rows(law, side, int(state.place[suit]))
    if int(state.status[mate]) == WAITING:
        cost -= ROW / 2 * _rows(law, side, int(state.place[mate]))
    return cost


@rule
def _turning_over(state, law, side):
    """A card is being turned over: some way, or a mine."""
    suit, chance = mover(state), mine_chance(state, law, side)
    gained = ROW * (_rows(law, side, int(state.flipping)) - _rows(law, side, int(state.place[suit])))
    worth = (1.0 - chance) * gained - chance * _death(state, law, suit)
    if law.destination:
        return worth
    return worth - (1.0 - chance) * FEAR * chance * min(int(state.left) - 1, NEXT_STEPS)


@rule
def _going_on(state, law, side):
    """A step was made and another follows: the least risk that it must take."""
    if law.destination:
        return 0.0
    suit, unknown = mover(state), mine_chance(state, law, side)
    least, cells = 1.0, law.steps[side, int(state.place[suit])] & ~state.visited
    while cells != ZERO:
        cell = lowest(cells)
        cells &= cells - ONE
        risk = 0.0  # across, or a known safe card
        if cell < START and int(state.field[cell]) == DOWN:
            risk = unknown
        elif cell < START and is_known_mine(state, law, side, cell):
            risk = 1.0
        least = min(least, risk)
    return -least * _death(state, law, suit)
