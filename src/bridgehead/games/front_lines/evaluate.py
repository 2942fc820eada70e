"""How good a position of The Front Lines is for a seat: from what lies on the table, and what may still lie face down.

A layout is never looked at: a face-down card is a mine as likely as any unseen card is (FLQ-17, FLQ-28).
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.core.weights import weights
from bridgehead.games.front_lines.cards import is_known_mine
from bridgehead.games.front_lines.lots import search_legal, search_weight, turns_drawn
from bridgehead.games.front_lines.prospects import (
    FAR,
    fewer_mines,
    flips_needed,
    known_safe,
    lives_of,
    mine_chance,
    rows_made,
)
from bridgehead.games.front_lines.rules import mover
from bridgehead.games.front_lines.state import (
    ACROSS,
    ALIVE,
    BLACK,
    DOWN,
    NOBODY,
    ONE,
    START,
    TO,
    ZERO,
    has,
    mate_of,
    side_of,
)
from bridgehead.games.front_lines.winning import across, dead

__all__ = ["FEATURES", "SCALE", "WEIGHTS", "progress", "risk", "search_legal", "search_weight", "value", "worth"]

WON = 1000.0
SCALE = 10.0  # a position worth so much more is e times as likely won as lost
SURE = 0.98  # the most that the rough estimate of `odds` may say
LONG, BLACKS = np.uint64((1 << 13) - 1), np.uint64(((1 << 26) - 1) << 26)  # a suit's cards, two suits'
PACE = 6.0  # rows ahead with which the race is won e times as likely as lost

# What is weighed, the other side's taken off; from "turn" on, of the side whose turn is running. Cards turned over at every
# step and only where a walk ends (FLQ-8) make two games, each with weights of its own. See docs/players.md.
COUNTED = (
    "last life", "two lives", "three lives", "four lives",
    "rows with the last life", "rows with two lives", "rows with three lives", "rows with four lives",
    "rows squared with the last life", "rows squared with two lives", "rows squared with three lives",
    "rows squared with four lives",
    "cards to turn over with the last life", "cards to turn over with two lives", "cards to turn over with three lives",
    "cards to turn over with four lives",
    "second's rows with two lives", "second's rows with three lives", "second's rows with four lives",
    "one across", "rows behind one across", "rows squared behind one across", "claim",
    "next turn", "next turn with one across", "next card leads across", "next card leads the second across",
    "safe cards ahead", "hope", "last hope", "race", "odds",
    "turn", "steps left", "risk of the next step", "risk of a last life", "card turned over", "rows to gain",
)  # fmt: skip
LIVES, ROWS, SQUARES, FLIPS, SECOND, ONE_ACROSS = 0, 4, 8, 12, 15, 19
(
    FOLLOWING, FOLLOWING_SQUARED, CLAIM, NEXT_TURN, NEXT_FOLLOWING, NEXT_CARD, NEXT_SECOND,
    SAFE_AHEAD, HOPE, LAST_HOPE, RACE, ODDS, TURN, STEPS, RISK, LAST_RISK, FLIPPED, GAIN,
) = range(ONE_ACROSS + 1, len(COUNTED))  # fmt: skip
LEAP = len(COUNTED)  # where the weights of walks begin
FEATURES = (*COUNTED, *(f"walks: {counted}" for counted in COUNTED))
LESSONS: tuple[dict[str, Any], ...] = (
    {"faceCards": "sameColour"},
    {"faceCards": "safeForAll"},
    {"faceCards": "sameColour", "flip": "destination"},
    {"faceCards": "safeForAll", "lives": 3},
    {"faceCards": "sameColour", "flip": "destination"},
)  # under which the weights are learned: in standard games hardly anybody wins
WEIGHTS = weights(Path(__file__).with_name("weights.json"), FEATURES)


@rule
def value(state, law, seat):
    """WON or -WON for the winner's side and the other, 0 where nobody won; else what `worth` says with the learned weights."""
    if int(state.reason):
        winner = int(state.winner)
        return 0.0 if winner == NOBODY else WON if winner == side_of_seat(law, seat) else -WON
    return worth(state, law, seat, WEIGHTS)


@rule
def worth(state, law, seat, weights):
    """What a position that goes on is worth to a seat: a sum of what is counted times its weight."""
    first, side = LEAP if law.destination else 0, side_of_seat(law, seat)
    own_safe, other_safe = known_safe(state, law, side), known_safe(state, law, 1 - side)
    mine, theirs = hope(state, law, side, own_safe), hope(state, law, 1 - side, other_safe)
    total = side_worth(state, law, side, own_safe, weights, first) - side_worth(state, law, 1 - side, other_safe, weights, first)
    total += weights[first + HOPE] * (mine - theirs)
    if dead(state, 1 - side) == 2:
        total += weights[first + LAST_HOPE] * mine
    if dead(state, side) == 2:
        total -= weights[first + LAST_HOPE] * theirs
    ahead = most_rows(state, law, side) - most_rows(state, law, 1 - side)
    total += weights[first + RACE] * mine * theirs * ahead / int(law.rows)
    rough = mine - theirs + mine * theirs * math.tanh(ahead / PACE)
    rough = max(-SURE, min(SURE, rough))
    total += weights[first + ODDS] * math.log((1.0 + rough) / (1.0 - rough))
    if int(state.drawn) == NOBODY:
        return total
    running = turn(state, law, weights, first)
    return total + running if side_of(mover(state)) == side else total - running


@rule
def side_of_seat(law, seat):
    """The side that a seat plays for (FLQ-27)."""
    side = 0
    for suit in range(4):
        if int(law.seat_of[suit]) == seat:
            side = side_of(suit)
    return side


@rule
def side_worth(state, law, side, safe, weights, first):
    """Lives, the way made, what is across, and what the next card may bring."""
    if int(state.claim) == side:
        return weights[first + CLAIM]
    lead = leader(state, law, side)
    if lead == NOBODY:
        return 0.0
    mate, rows = mate_of(lead), rows_made(law, side, int(state.place[lead]))
    part, flips = rows / int(law.rows), flips_needed(state, law, lead, safe)
    cards = turns_drawn(state, law)
    turns = max(count(cards), 1)
    total = weights[first + NEXT_TURN] * count(cards & of_side(side)) / turns
    total += weights[first + NEXT_CARD] * leads_across(state, law, lead, cards, flips) / turns
    total += weights[first + SAFE_AHEAD] * count(safe & cells_ahead(law, side, rows))
    if across(state, side) == 1:
        total += (
            weights[first + ONE_ACROSS] + weights[first + FOLLOWING] * part + weights[first + FOLLOWING_SQUARED] * part * part
        )
        return total + weights[first + NEXT_FOLLOWING] * count(cards & of_side(side)) / turns
    lives = min(lives_of(state, side), 4) - 1
    total += weights[first + LIVES + lives] + weights[first + ROWS + lives] * part
    total += weights[first + SQUARES + lives] * part * part + weights[first + FLIPS + lives] * flips
    if lives > 0:
        total += weights[first + SECOND + lives] * rows_made(law, side, int(state.place[mate])) / int(law.rows)
    if int(state.status[mate]) == ALIVE:
        flips = flips_needed(state, law, mate, safe)
        total += weights[first + NEXT_SECOND] * leads_across(state, law, mate, cards, flips) / turns
    return total


@rule
def of_side(side):
    """The cards of the side's two suits."""
    return BLACKS if side == BLACK else ~BLACKS


@rule
def leads_across(state, law, suit, cards, flips):
    """How many of these cards may lead a character across in one turn; less by the mines it may meet on the way."""
    side = side_of(suit)
    steps = int(law.rows) - rows_made(law, side, int(state.place[suit])) + (0 if law.reach_row else 1)
    found = count(cards & long_cards(suit, steps))
    if law.destination or found == 0:
        return float(found)
    chance, safe = 1.0, 1.0 - mine_chance(state, law, side)
    for _ in range(flips):
        chance *= safe
    return found * chance


@rule
def long_cards(suit, steps):
    """The cards of a suit with at least so many steps."""
    if steps > 13:
        return ZERO
    return (LONG << np.uint64(max(steps, 1) - 1) & LONG) << np.uint64(13 * suit)


@rule
def leader(state, law, side):
    """The character of the side that is farthest of those alive; NOBODY if none is."""
    found, most = NOBODY, -1
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == ALIVE and rows_made(law, side, int(state.place[suit])) > most:
            found, most = suit, rows_made(law, side, int(state.place[suit]))
    return found


@rule
def cells_ahead(law, side, rows):
    """The cells beyond so many rows of the side's way."""
    if rows == 0:
        return law.cells
    made = (ONE << np.uint64(4 * rows)) - ONE if rows < 16 else law.cells
    if has(law.last_row[side], 4 * (int(law.rows) - 1)):
        return law.cells & ~made
    return law.cells >> np.uint64(4 * rows)


@rule
def most_rows(state, law, side):
    """Rows made by the character of the side that is ahead of those alive; all if one is across."""
    most = int(law.rows) + 1 if across(state, side) > 0 else 0
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == ALIVE:
            most = max(most, rows_made(law, side, int(state.place[suit])))
    return most


@rule
def hope(state, law, side, safe):
    """Roughly, the chance that the side gets across what it must before its lives are spent."""
    if across(state, side) == 2 or int(state.claim) == side:
        return 1.0
    fewest, all_flips = FAR, 0
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == ALIVE:
            flips = flips_needed(state, law, suit, safe)
            fewest, all_flips = min(fewest, flips), all_flips + flips
    if int(state.claim) == 1 - side:
        return fewer_mines(state, law, side, all_flips, 1)
    if across(state, side) == 1:
        return 1.0
    return fewer_mines(state, law, side, fewest, lives_of(state, side))


@rule
def turn(state, law, weights, first):
    """What the running turn promises and threatens, for the side that moves."""
    suit = mover(state)
    side, place = side_of(suit), int(state.place[suit])
    total = weights[first + TURN] + weights[first + STEPS] * int(state.left)
    risk = mine_chance(state, law, side)
    if int(state.flipping) != NOBODY:
        total += weights[first + FLIPPED] * risk
        total += weights[first + GAIN] * (1.0 - risk) * (rows_made(law, side, int(state.flipping)) - rows_made(law, side, place))
    else:
        risk = least_risk(state, law, suit, risk)
        total += weights[first + RISK] * risk
    if lives_of(state, side) == 1:
        total += weights[first + LAST_RISK] * risk
    return total


@rule
def least_risk(state, law, suit, unknown):
    """The least risk that the next step must take."""
    if law.destination:
        return unknown
    least, side = 1.0, side_of(suit)
    cells = law.steps[side, int(state.place[suit])] & ~state.visited
    while cells != ZERO:
        cell = lowest(cells)
        cells &= cells - ONE
        risk = 0.0  # across, or a known safe card
        if cell < START and int(state.field[cell]) == DOWN:
            risk = unknown
        elif cell < START and is_known_mine(state, law, side, cell):
            risk = 1.0
        least = min(least, risk)
    return least


@rule
def risk(state, law, action):
    """The chance that the character dies by this action, exactly, from what the table shows."""
    cell, side = action - TO, side_of(mover(state))
    if action < TO or action >= ACROSS:
        return 0.0
    if int(state.field[cell]) == DOWN:
        return mine_chance(state, law, side)
    return 1.0 if is_known_mine(state, law, side, cell) else 0.0


@rule
def progress(state, law, action):
    """Rows that the action would have made good; beyond the last one, all and one more."""
    if action == ACROSS:
        return int(law.rows) + 1
    suit = mover(state)
    return rows_made(law, side_of(suit), int(state.place[suit]) if action > ACROSS else action - TO)
