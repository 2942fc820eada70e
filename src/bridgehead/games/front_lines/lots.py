"""Actions for a search. They are those of the rules, except that equivalent outcomes of chance are merged into one.

A search never reads a layout: a face-down card is any unseen card (FLQ-17, FLQ-28), so it knows no more than the players.
Turned cards differ only by the sides that they kill. Draws that start no turn are skipped (FLQ-15).
"""

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.games.front_lines import rules
from bridgehead.games.front_lines.board import JOKER
from bridgehead.games.front_lines.cards import cards_down, draws, is_due, jokers_down, unseen
from bridgehead.games.front_lines.state import (
    ALIVE,
    BLACK,
    DRAW,
    FACES,
    FLIP,
    JOKER_BIT,
    NOBODY,
    RED,
    ZERO,
    bit,
    side_of,
)

SUIT, ANY_FACE = np.uint64((1 << 13) - 1), np.uint64(FACES)


@rule
def search_legal(state, law, out):
    """The actions to search, ascending; for chance, one of each equivalent kind."""
    word, first = rules.choices(state, law)
    if int(state.reason) == 0:
        if int(state.drawn) == NOBODY:
            word, first = turns_drawn(state, law), DRAW
        elif int(state.flipping) != NOBODY:
            word, first = kinds_down(state, law), FLIP
    return rules.listed(word, first, out)


@rule
def search_weight(state, law, action):
    """The weight of an outcome of `search_legal`, as an exact whole number that covers all merged outcomes."""
    if action < FLIP:
        return 1
    hidden, jokers = unseen(state, law), jokers_down(state, law)
    if jokers <= 0:
        return count(hidden & kind_of(law, action - FLIP))
    if action - FLIP == JOKER:
        return max(jokers * count(hidden), 1)
    return count(hidden & kind_of(law, action - FLIP)) * (cards_down(state, law) - jokers)


@rule
def turns_drawn(state, law):
    """The cards that start a turn when drawn; if there are none, one single card that does not."""
    rest, found = draws(state, law), ZERO
    for suit in range(4):
        if int(state.status[suit]) == ALIVE and is_due(state, law, side_of(suit)):
            found |= rest & (SUIT << np.uint64(13 * suit))
    if law.faces_redraw:
        found &= ~ANY_FACE
    return found if found != ZERO else bit(lowest(rest))


@rule
def kinds_down(state, law):
    """One unseen card of each kind: a mine for red, a mine for black, safe for both, a Joker."""
    hidden, found = unseen(state, law), ZERO
    for card_set in (law.mines[RED], law.mines[BLACK], ~(law.mines[RED] | law.mines[BLACK])):
        kind = hidden & card_set
        if kind != ZERO:
            found |= bit(lowest(kind))
    return found | JOKER_BIT if jokers_down(state, law) > 0 else found


@rule
def kind_of(law, card):
    """The cards that kill the same sides as this card."""
    one = bit(card)
    if one & law.mines[RED] != ZERO:
        return law.mines[RED]
    if one & law.mines[BLACK] != ZERO:
        return law.mines[BLACK]
    return ~(law.mines[RED] | law.mines[BLACK])
