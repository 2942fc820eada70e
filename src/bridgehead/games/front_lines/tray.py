"""The tray of The Front Lines: the draw pack, the drawn card with its steps, and a plate for each character."""

# mypy: allow-untyped-calls

from __future__ import annotations

from typing import NamedTuple

from bridgehead.core.bits import count
from bridgehead.core.caching import kept
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Item, Part, Up, circle, rectangle
from bridgehead.games.front_lines.board import SUITS
from bridgehead.games.front_lines.drawing import box, card_parts, livery, token_parts
from bridgehead.games.front_lines.places import Places, both
from bridgehead.games.front_lines.state import CROSSED, side_of, suit_of, value_of
from bridgehead.games.front_lines.words import (
    SIDES,
    card_phrase,
    cell_phrase,
    state_phrase,
    suit_phrase,
)

PLATE_WIDTH, PLATE_HEIGHT = 252.0, 54.0
MOST_SQUARES = 5  # a larger number of lives is written in digits


def ground(at: Places) -> tuple[Item, ...]:
    """The tray itself, and the empty plates."""
    felt = Item("g:tray", at.tray.x, at.tray.y, (Part(d=box(at.tray, 16), cls="tray-felt"),), cls="still")
    plate = Part(d=rectangle(0, 0, PLATE_WIDTH, PLATE_HEIGHT, 10), cls="plate")
    plates = (Item(f"g:plate-{SUITS[suit]}", *at.plates[suit], (plate,), cls="still") for suit in range(4))
    return (felt, *plates)


class Turn(NamedTuple):
    """The state of a turn: drawn card, steps left, cell to be flipped; reason and winner at the end. -1: none."""

    drawn: int
    left: int
    flipping: int
    reason: int
    winner: int


def items(position: Position, language: str) -> tuple[Item, ...]:
    """Pack, drawn card, its sentences, and the plates."""
    game, state = position.game, position.state
    turn = Turn(int(state.drawn), int(state.left), int(state.flipping), int(state.reason), int(state.winner))
    left, claim = int(count(game.law.pack & ~state.used)), int(state.claim)
    stands = enumerate(zip(state.status.tolist(), state.lives.tolist(), strict=True))
    plates = (_plate(game, suit, status, lives, claim == side_of(suit), language) for suit, (status, lives) in stands)
    found = [_pack(game, left, language), _drawn_card(game, turn, language), *plates]
    return (*found, _drawn(game, turn.drawn, language)) if turn.drawn >= 0 else tuple(found)


@kept
def _drawn(game: Game, drawn: int, language: str) -> Item:
    wide, upright = both(game)
    label, parts = game.words.tell(phrase("label.drawn", card=card_phrase(drawn)), language), card_parts(drawn, False, 1.26)
    return Item("t:drawn", *wide.drawn, parts, livery(suit_of(drawn)), "flips", label, r=40, up=Up(*upright.drawn))


@kept
def _pack(game: Game, left: int, language: str) -> Item:
    wide, upright = both(game)
    label = game.words.tell(phrase("label.pack", n=left), language)
    backs = tuple(Part(use="fl-back", x=-3 * k, y=-3 * k) for k in range(min(left, 3)))
    parts = (*backs, Part(text=str(left), cls="row-no", y=62))
    return Item("t:pack", *wide.pack, parts, label=label, r=40, up=Up(*upright.pack))


@kept
def _drawn_card(game: Game, turn: Turn, language: str) -> Item:
    """Title, sentence, and a pip for each step of the drawn card."""
    tell = game.words.tell
    title, line = _sentences(game, turn)
    parts = [Part(text=tell(title, language), cls="tray-title", y=-24)]
    if line is not None:
        parts.append(Part(text=tell(line, language), cls="tray-text", y=2))
    if turn.drawn >= 0:
        steps = int(value_of(turn.drawn))
        apart = min(26.0, 300.0 / steps)
        pips = [circle(8, 10 + apart * k, 26) for k in range(steps)]
        done = 0 if game.law.destination else steps - turn.left
        parts += [Part(d="".join(d), cls=cls) for d, cls in ((pips[:done], "step-done"), (pips[done:], "step-left")) if d]
    wide, upright = both(game)
    return Item("t:said", *wide.sentences, tuple(parts), cls="still", up=Up(*upright.sentences))


def _sentences(game: Game, turn: Turn) -> tuple[Phrase, Phrase | None]:
    if turn.reason:
        won = phrase("tray.won", side=phrase(f"side.{SIDES[turn.winner]}")) if turn.winner >= 0 else phrase("tray.none")
        return phrase("tray.over"), won
    if turn.drawn < 0:
        return phrase("tray.draw"), phrase("tray.suit")
    title, who, steps = card_phrase(turn.drawn), suit_phrase(int(suit_of(turn.drawn))), int(value_of(turn.drawn))
    if turn.flipping >= 0:
        return title, phrase("tray.flips", cell=cell_phrase(turn.flipping))
    if game.law.destination:
        return title, phrase("tray.walks", who=who, n=steps)
    return title, phrase("tray.moves", who=who, n=steps, done=steps - turn.left, left=turn.left)


def status_phrase(status: int, suit: int, claims: bool) -> Phrase:
    """A character's state, and whether its side holds the claim."""
    sentence = state_phrase(status, suit)
    if status == CROSSED and claims:
        return phrase("list.two", a=sentence, b=phrase("claims"))
    return sentence


@kept
def _plate(game: Game, suit: int, status: int, lives: int, claims: bool, language: str) -> Item:
    tell, most = game.words.tell, game.law.lives
    token = tuple(_moved(part, 30, 25) for part in token_parts(suit, status))
    parts = [
        *token,
        Part(text=tell(suit_phrase(suit), language), cls="plate-name", x=58, y=23),
        Part(text=tell(status_phrase(status, suit, claims), language), cls="plate-state", x=58, y=42),
    ]
    if most > MOST_SQUARES:
        parts.append(Part(text=f"{lives}/{most}", cls="plate-name", x=206, y=23))
    else:
        first = PLATE_WIDTH - 12 - 18 * most
        squares = [rectangle(first + 18 * n, 10, 13, 13, 3) for n in range(most)]
        parts += [Part(d="".join(d), cls=cls) for d, cls in ((squares[:lives], "life"), (squares[lives:], "life-gone")) if d]
    wide, upright = both(game)
    return Item(f"t:{SUITS[suit]}", *wide.plates[suit], tuple(parts), livery(suit), "still", up=Up(*upright.plates[suit]))


def _moved(part: Part, x: float, y: float) -> Part:
    return Part(part.use, part.d, part.text, part.cls, part.x + x, part.y + y, part.turn, part.scale)
