"""What a search may play: as the rules have it, but for chance, where outcomes that make no difference stand for one another.

A layout is never looked at: a face-down card is any unseen card (FLQ-17, FLQ-28), so that no search knows more than the table.
Turned cards differ only by whom they kill. Draws that start no turn are passed over: the next that does is drawn (FLQ-15).
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
    """The actions to look at, ascending; of chance, one of each kind."""
    word, first = rules.choices(state, law)
    if int(state.reason) == 0:
        if int(state.drawn) == NOBODY:
            word, first = turns_drawn(state, law), DRAW
        elif int(state.flipping) != NOBODY:
            word, first = kinds_down(state, law), FLIP
    return rules.listed(word, first, out)


@rule
def search_weight(state, law, action):
    """How likely an outcome of `search_legal` is: an exact whole number, for all that it stands for."""
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
    """The cards whose draw starts a turn; a single one that does not where there is no other."""
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
    """The cards that kill whom this card kills."""
    one = bit(card)
    if one & law.mines[RED] != ZERO:
        return law.mines[RED]
    if one & law.mines[BLACK] != ZERO:
        return law.mines[BLACK]
    return ~(law.mines[RED] | law.mines[BLACK])
