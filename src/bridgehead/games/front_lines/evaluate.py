"""Evaluation of The Front Lines, from the open cards and the chances of those that lie face down.

The evaluation never reads a layout: a face-down card is any unseen card with equal chance (FLQ-17, FLQ-28).
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from bridgehead.core.bits import count
from bridgehead.core.jit import rule
from bridgehead.core.weights import weights
from bridgehead.games.front_lines.cards import is_known_mine
from bridgehead.games.front_lines.lots import search_legal, search_weight, turns_drawn
from bridgehead.games.front_lines.prospects import (
    FAR,
    fewer_mines,
    flips_expected,
    flips_needed,
    known_safe,
    lives_of,
    mine_chance,
    rows_made,
    rows_of,
    steps_left,
)
from bridgehead.games.front_lines.rules import mover
from bridgehead.games.front_lines.state import (
    ACROSS,
    ALIVE,
    BLACK,
    DOWN,
    NOBODY,
    TO,
    ZERO,
    mate_of,
    side_of,
)
from bridgehead.games.front_lines.winning import across

__all__ = ["FEATURES", "SCALE", "WEIGHTS", "progress", "risk", "search_legal", "search_weight", "value", "worth"]

WON = 1000.0
SCALE = 10.0  # a difference by this makes a win e times as likely as a loss
SURE = 0.98  # limit of the rough estimate in `odds`
LONG, BLACKS = np.uint64((1 << 13) - 1), np.uint64(((1 << 26) - 1) << 26)  # the cards of the first suit, and of both black suits
MOST_LIVES = 4  # most lives that count: further ones hardly matter
PACE = 6.0  # a side that is this many rows ahead is e times as likely to win the race

# Features: own side less the other side; from "turn" on, those of the side that moves. "odds" is an estimate from hypergeometric
# chances, which the others correct. Rows and the next turn are scaled by the chance that both sides get across. Turning cards
# at every step and turning only the last card of a walk (FLQ-8) are two games, each with its own weights.
COUNTED = (
    "lives", "rows", "rows squared", "second's rows", "one across", "rows behind one across", "claim",
    "next turn", "next turn with one across", "next card leads across", "odds",
    "turn", "steps left", "card turned over",
)  # fmt: skip
(
    LIVES, ROWS, SQUARES, SECOND, ONE_ACROSS, FOLLOWING, CLAIM, NEXT_TURN, NEXT_FOLLOWING, NEXT_CARD, ODDS,
    TURN, STEPS, FLIPPED,
) = range(len(COUNTED))  # fmt: skip
LEAP = len(COUNTED)  # where the weights of walks begin
FEATURES = (*COUNTED, *(f"walks: {counted}" for counted in COUNTED))
LESSONS: tuple[dict[str, Any], ...] = (
    {"faceCards": "sameColour"},
    {"faceCards": "safeForAll"},
    {"faceCards": "sameColour", "flip": "destination"},
    {"faceCards": "safeForAll", "lives": 3},
    {"faceCards": "sameColour", "flip": "destination"},
    {"faceCards": "sameColour", "lives": 9, "mayStop": True},
    {"faceCards": "sameColour", "flip": "destination"},
    {"faceCards": "sameColour"},
)  # house rules for learning the weights: standard games hardly ever have a winner
WEIGHTS = weights(Path(__file__).with_name("weights.json"), FEATURES)


@rule
def value(state, law, seat):
    """WON for the winner's side, -WON for the other, 0 for a draw; in a running game `worth` with the learned weights."""
    if int(state.reason):
        winner = int(state.winner)
        return 0.0 if winner == NOBODY else WON if winner == side_of_seat(law, seat) else -WON
    return worth(state, law, seat, WEIGHTS)


@rule
def worth(state, law, seat, weights):
    """The value of a running game for a seat: the features times their weights."""
    first, side = LEAP if law.destination else 0, side_of_seat(law, seat)
    own_safe, other_safe = known_safe(state, law, side), known_safe(state, law, 1 - side)
    mine, theirs = hope(state, law, side, own_safe), hope(state, law, 1 - side, other_safe)
    ahead, race = most_rows(state, law, side) - most_rows(state, law, 1 - side), mine * theirs
    total = weights[first + ODDS] * odds(mine, theirs, ahead)
    total += side_worth(state, law, side, own_safe, race, weights, first)
    total -= side_worth(state, law, 1 - side, other_safe, race, weights, first)
    if int(state.drawn) == NOBODY:
        return total
    running = turn(state, law, weights, first)
    return total + running if side_of(mover(state)) == side else total - running


@rule
def odds(mine, theirs, ahead):
    """The log of the odds to win, with half a win for a draw. The only side across wins; if both get across, the side ahead."""
    rough = mine - theirs + mine * theirs * math.tanh(ahead / PACE)
    rough = max(-SURE, min(SURE, rough))
    return math.log((1.0 + rough) / (1.0 - rough))


@rule
def side_of_seat(law, seat):
    """The side that a seat plays for (FLQ-27)."""
    side = 0
    for suit in range(4):
        if int(law.seat_of[suit]) == seat:
            side = side_of(suit)
    return side


@rule
def side_worth(state, law, side, safe, race, weights, first):
    """Lives, rows made, characters across, and the next card. race: the chance that both sides get across."""
    if int(state.claim) == side:
        return weights[first + CLAIM]
    lead = leader(state, law, side)
    if lead == NOBODY:
        return 0.0
    rows = rows_of(state, law, lead)
    part, cards = rows / int(law.rows), turns_drawn(state, law)
    turns = max(count(cards), 1)
    next_turn = count(cards & of_side(side)) / turns
    total = weights[first + NEXT_CARD] * leads_across(state, law, lead, cards, safe) / turns
    if across(state, side) == 1:
        total += weights[first + ONE_ACROSS] + weights[first + FOLLOWING] * part
        return total + weights[first + NEXT_FOLLOWING] * next_turn
    way = weights[first + ROWS] * part + weights[first + SQUARES] * part * part + weights[first + NEXT_TURN] * next_turn
    way += weights[first + SECOND] * rows_of(state, law, mate_of(lead)) / int(law.rows)
    return total + weights[first + LIVES] * min(lives_of(state, side), MOST_LIVES) + race * way


@rule
def of_side(side):
    """The cards of the side's two suits."""
    return BLACKS if side == BLACK else ~BLACKS


@rule
def leads_across(state, law, suit, cards, safe):
    """How many of these cards can lead a character across in one turn, reduced by the risk of mines on the way."""
    side = side_of(suit)
    found = count(cards & long_cards(suit, steps_left(state, law, suit)))
    if law.destination or found == 0:
        return float(found)
    chance, good = 1.0, 1.0 - mine_chance(state, law, side)
    for _ in range(flips_needed(state, law, suit, safe)):
        chance *= good
    return found * chance


@rule
def long_cards(suit, steps):
    """The cards of a suit with at least so many steps."""
    if steps > 13:
        return ZERO
    return (LONG << np.uint64(max(steps, 1) - 1) & LONG) << np.uint64(13 * suit)


@rule
def leader(state, law, side):
    """The side's living character that is farthest ahead; NOBODY if none lives."""
    found, most = NOBODY, -1
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == ALIVE and rows_of(state, law, suit) > most:
            found, most = suit, rows_of(state, law, suit)
    return found


@rule
def most_rows(state, law, side):
    """Rows made by the side's living character that is farthest ahead; all rows if one is across."""
    most = int(law.rows) + 1 if across(state, side) > 0 else 0
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == ALIVE:
            most = max(most, rows_of(state, law, suit))
    return most


@rule
def hope(state, law, side, safe):
    """A rough chance that the side gets its characters across before it loses its lives."""
    if across(state, side) == 2 or int(state.claim) == side:
        return 1.0
    fewest, whole = float(FAR), 0.0
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == ALIVE:
            flips = flips_expected(state, law, suit, safe)
            fewest, whole = min(fewest, flips), whole + flips
    if int(state.claim) == 1 - side:
        return fewer_mines(state, law, side, whole, 1)
    if across(state, side) == 1:
        return 1.0
    return fewer_mines(state, law, side, fewest, lives_of(state, side))


@rule
def turn(state, law, weights, first):
    """The prospects and risks of the running turn, for the side that moves."""
    total = weights[first + TURN] + weights[first + STEPS] * int(state.left)
    if int(state.flipping) == NOBODY:
        return total
    return total + weights[first + FLIPPED] * mine_chance(state, law, side_of(mover(state)))


@rule
def risk(state, law, action):
    """The exact chance that the character dies by this action, from public information."""
    cell, side = action - TO, side_of(mover(state))
    if action < TO or action >= ACROSS:
        return 0.0
    if int(state.field[cell]) == DOWN:
        return mine_chance(state, law, side)
    return 1.0 if is_known_mine(state, law, side, cell) else 0.0


@rule
def progress(state, law, action):
    """Rows behind the place to which the action leads; across counts as one row more than all."""
    if action == ACROSS:
        return int(law.rows) + 1
    suit = mover(state)
    return rows_made(law, side_of(suit), int(state.place[suit]) if action > ACROSS else action - TO)
