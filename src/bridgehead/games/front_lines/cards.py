"""Cards of The Front Lines: which may be drawn, which faces a turned card may have, which cards are mines."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from bridgehead.core.bits import count
from bridgehead.core.jit import rule
from bridgehead.games.front_lines.board import JOKER
from bridgehead.games.front_lines.state import (
    ALIVE,
    DOWN,
    JOKER_BIT,
    NOBODY,
    ZERO,
    bit,
    has,
    is_face,
    side_of,
    suit_of,
)


@rule
def draws(state, law):
    """The cards that may be drawn now: draws are without replacement, and an empty pack is refilled (FLQ-2, FLQ-25)."""
    rest = law.pack & ~state.used
    return rest if rest != ZERO else law.pack


@rule
def can_go(state, side):
    """FLQ-15: whether a character of the side is alive and on the way."""
    return int(state.status[2 * side]) == ALIVE or int(state.status[2 * side + 1]) == ALIVE


@rule
def is_due(state, law, side):
    """FLQ-16: with alternateTeams, the side that did not move last is due, if it can go."""
    last = int(state.last)
    return not law.alternate or last == NOBODY or last != side or not can_go(state, 1 - side)


@rule
def starts_turn(state, law, card):
    """Whether this draw begins a turn. If not, the card is used up and another one is drawn."""
    if law.faces_redraw and is_face(card):  # FLQ-2
        return False
    suit = suit_of(card)
    return int(state.status[suit]) == ALIVE and is_due(state, law, side_of(suit))  # FL-R.10, FLQ-15, FLQ-16


@rule
def jokers_down(state, law):
    """FLQ-3: Jokers that still lie face down."""
    return int(law.jokers) - int(state.jokers)


@rule
def cards_down(state, law):
    """The number of cards that lie face down in the field."""
    return count(law.cells & ~state.open)


@rule
def unseen(state, law):
    """FLQ-28: the cards, of all 48, that nobody has seen yet; the empty set if only Jokers lie face down."""
    if law.jokers and cards_down(state, law) <= jokers_down(state, law):
        return ZERO
    return law.field_cards & ~state.seen


@rule
def faces(state, law):
    """The faces that the card being turned over may have."""
    if law.laid_out:  # FLQ-33
        return bit(int(law.layout[int(state.flipping)]))
    found = unseen(state, law)
    return found | JOKER_BIT if law.jokers and jokers_down(state, law) > 0 else found


@rule
def face_weight(state, law, card):
    """FLQ-3, FLQ-28: every face-down place is as likely to hold a Joker, and else every unseen card alike."""
    if law.alike:
        return 1
    jokers = jokers_down(state, law)
    if card == JOKER:
        unseen_cards = count(unseen(state, law))
        return jokers * unseen_cards if unseen_cards > 0 else 1
    return cards_down(state, law) - jokers


@rule
def kills(law, side, card):
    """FL-R.6 to FL-R.9, FLQ-11: whether this card is a mine for the side."""
    return has(law.mines[side], card)


@rule
def is_known_mine(state, law, side, cell):
    """FLQ-12: face up, of the other colour, and not blown."""
    card = int(state.field[cell])
    return card != DOWN and not has(state.blown, cell) and kills(law, side, card)
