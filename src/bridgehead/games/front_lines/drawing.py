"""Drawings of The Front Lines: the parts of cards and tokens, and the field under a token."""

# mypy: allow-untyped-calls

from __future__ import annotations

from bridgehead.core.game import Game
from bridgehead.core.scene import Part, rectangle
from bridgehead.games.front_lines.board import CARDS, COLUMNS, JOKER, SUITS
from bridgehead.games.front_lines.places import Box
from bridgehead.games.front_lines.state import GONE, OUT, START, WAITING, side_of, suit_of
from bridgehead.games.front_lines.words import COURT, SIDES

CARD_R, TOKEN_R = 30.0, 22.0
LIFT = 10.0  # offset of a token below the middle of its card, so the card's index stays visible
SPREAD = {
    1: ((0, 0),),
    2: ((-14, -3), (14, 7)),
    3: ((-14, -12), (14, -12), (0, 13)),
    4: ((-14, -14), (14, -14), (-14, 14), (14, 14)),
}
SHRINK = {1: 1.0, 2: 0.8, 3: 0.72, 4: 0.72}  # scale of tokens by their number on a card: all stay recognisable


def box(middle: Box, r: float) -> str:
    """Path data of a box with round corners, about its middle."""
    return rectangle(-middle.width / 2, -middle.height / 2, middle.width, middle.height, r)


def field_of(game: Game, suit: int, place: int) -> str:
    """The field id of a character's place. With opposed sides, black starts at the far edge (FLQ-5)."""
    if place not in (START, GONE):
        return f"f:{'abcd'[place % COLUMNS]}{place // COLUMNS + 1}"
    turned = bool(game.options.opposed_sides) and side_of(suit) == 1
    return "f:start" if (place == START) != turned else "f:across"


def card_parts(card: int, blown: bool, k: float = 1) -> tuple[Part, ...]:
    """A card's face; a blown mine is greyed and has a hole instead of its large suit."""
    body = Part(use="fl-card-blown" if blown else "fl-card", scale=k)
    if card == JOKER:
        return (body, Part(text="JK", cls="rank", x=-24 * k, y=-24 * k, scale=k), Part(use="fl-joker", y=5 * k, scale=k))
    rank, suit = CARDS[card][:-1], f"fl-suit-{SUITS[suit_of(card)]}"
    index = (
        Part(text=rank, cls="rank", x=-24 * k, y=-24 * k, scale=k),
        Part(use=suit, cls="suit", x=-19 * k, y=-15 * k, scale=5 * k),
    )
    if blown:
        return (body, *index, Part(use="fl-burst", scale=k))
    if rank in "JQK":
        return (body, *index, Part(text=rank, cls="court", y=12 * k, scale=2.125 * k))
    return (body, *index, Part(use=suit, cls="suit", y=3 * k, scale=14 * k))


def token_parts(suit: int, status: int, k: float = 1) -> tuple[Part, ...]:
    """A character: standing with suit and court letter, turned over while it waits, struck out when it is out."""
    symbol = f"fl-suit-{SUITS[suit]}"
    if status in (WAITING, OUT):
        down = (Part(use="fl-down", scale=k), Part(use=symbol, cls="down-suit", y=0.5 * k, scale=7 * k))
        return (*down, Part(use="fl-out", scale=k)) if status == OUT else down
    return (
        Part(use="disc", scale=0.72 * k),
        Part(use=symbol, cls="shape", x=-5.5 * k, scale=6.5 * k),
        Part(text=COURT[suit], cls="token-letter", x=k, y=5 * k, scale=k),
    )


def livery(suit: int) -> str:
    """The colour class of a suit."""
    return SIDES[side_of(suit)]
