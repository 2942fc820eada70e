"""The position text of The Front Lines: writing it, reading it, and refusing what cannot occur.

    H2 alive b7, D1 waiting b4, S2 alive start, C2 across | field b4=8S! b7=9H | used 7H 10D | drawn 7H left 4 over b6 b7
    | flip c8 | claim red | first red | last red | turn 12

Characters have lives, state and place; `!` marks an exploded mine; `over` are the cards of this turn. Empty sections
are left out.
"""

# mypy: allow-untyped-calls

from __future__ import annotations

import re
from typing import Any

import numpy as np

from bridgehead.core.errors import PositionError
from bridgehead.core.game import Game
from bridgehead.core.position import Position
from bridgehead.games.front_lines.board import CARDS, COLUMNS, INDEX, JOKER, SUITS, cell_name
from bridgehead.games.front_lines.possible import check
from bridgehead.games.front_lines.rules import setup
from bridgehead.games.front_lines.state import CELLS, DOWN, GONE, START, bit, has
from bridgehead.games.front_lines.words import SIDES, STATES, place_name

LONGEST = 2000  # characters
LAST_TURN = 2_000_000_000
CHARACTER = re.compile(r"([HDSC])([0-9]) (?:(alive|waiting|out) (start|[a-d][0-9]{1,2})|across)")
SECTIONS = ("field", "used", "drawn", "flip", "claim", "first", "last", "turn")


def dump(position: Position) -> str:
    """The position in one line."""
    state = position.state
    parts = [", ".join(_character(state, suit) for suit in range(4))]
    field = [_card(state, cell) for cell in range(CELLS) if int(state.field[cell]) != DOWN]
    used = [CARDS[card] for card in range(JOKER) if has(state.used, card)]
    parts += [f"field {' '.join(field)}"] * bool(field) + [f"used {' '.join(used)}"] * bool(used)
    if int(state.drawn) >= 0:
        over = "".join(f" {cell_name(cell)}" for cell in range(CELLS) if has(state.visited, cell))
        parts.append(f"drawn {CARDS[int(state.drawn)]} left {int(state.left)}" + (f" over{over}" if over else ""))
    if int(state.flipping) >= 0:
        parts.append(f"flip {cell_name(int(state.flipping))}")
    parts += [f"{name} {SIDES[int(state[name])]}" for name in ("claim", "first", "last") if int(state[name]) >= 0]
    return " | ".join([*parts, f"turn {int(state.turns)}"])


def _character(state: Any, suit: int) -> str:
    said = f"{SUITS[suit]}{int(state.lives[suit])} {STATES[int(state.status[suit])]}"
    return said if int(state.place[suit]) == GONE else f"{said} {place_name(int(state.place[suit]))}"


def _card(state: Any, cell: int) -> str:
    mark = "!" if has(state.blown, cell) else ""
    return f"{cell_name(cell)}={CARDS[int(state.field[cell])]}{mark}"


def load(game: Game, text: str) -> np.ndarray[Any, Any]:
    """An array of one state. Errors: PositionError for a text that cannot be read or a position that cannot occur."""
    if len(text) > LONGEST:
        raise PositionError(f"longer than {LONGEST} characters")
    states = game.new_states(1)
    state = states[0]
    setup(state, game.law)
    characters, *sections = text.strip().split(" | ")
    _read_characters(state, characters, game)
    reached = -1
    for section in sections:
        word, _, rest = section.partition(" ")
        if word not in SECTIONS:
            raise PositionError(f"no section {word[:20]!r}; sections are: {', '.join(SECTIONS)}", "position")
        if SECTIONS.index(word) <= reached:
            raise PositionError(f"sections stand once each, in the order: {', '.join(SECTIONS)}", word)
        reached = SECTIONS.index(word)
        READERS[word](state, rest, game)
    if reached != SECTIONS.index("turn"):
        raise PositionError("the number of finished turns is missing (like: turn 12)", "turn")
    check(state, game)
    return states


def _read_characters(state: Any, text: str, game: Game) -> None:
    parts = text.split(", ")
    if len(parts) != 4:
        raise PositionError("expected the four characters H, D, S, C, with a comma between two", "characters")
    for suit, part in enumerate(parts):
        found = CHARACTER.fullmatch(part)
        if not found or found[1] != SUITS[suit]:
            raise PositionError(
                f"expected character {SUITS[suit]} like '{SUITS[suit]}2 alive b7', got {part[:40]!r}", SUITS[suit]
            )
        state.lives[suit] = int(found[2])
        state.status[suit] = STATES.index(found[3] or "across")
        place = found[4]
        state.place[suit] = GONE if place is None else START if place == "start" else _cell(place, game, SUITS[suit])


def _cell(text: str, game: Game, where: str) -> int:
    found = re.fullmatch(r"([a-d])([1-9]|1[0-2])", text)
    if not found:
        raise PositionError(f"no cell {text[:20]!r}; cells are a1 to d{game.law.rows}", where)
    cell = COLUMNS * (int(found[2]) - 1) + "abcd".index(found[1])
    if cell >= COLUMNS * game.law.rows:
        raise PositionError(f"the field has {game.law.rows} rows, there is no {text}", where)
    return cell


def _known_card(text: str, where: str) -> int:
    if text not in INDEX:
        raise PositionError(f"no card {text[:20]!r}; cards are written like AH, 10S, QD, JK", where)
    return INDEX[text]


def _read_field(state: Any, text: str, game: Game) -> None:
    for part in text.split(" "):
        name, equals, card_text = part.partition("=")
        if not equals:
            raise PositionError(f"expected cells with cards like b4=8S, got {part[:20]!r}", "field")
        cell, card = _cell(name, game, "field"), _known_card(card_text.removesuffix("!"), name)
        if int(state.field[cell]) != DOWN:
            raise PositionError(f"{name} is named twice", "field")
        if card != JOKER and has(state.seen, card):
            raise PositionError(f"{CARDS[card]} lies in the field twice", name)
        state.field[cell] = card
        state.open |= bit(cell)
        if card == JOKER:
            state.jokers += 1
        else:
            state.seen |= bit(card)
        if card_text.endswith("!"):
            state.blown |= bit(cell)


def _read_used(state: Any, text: str, game: Game) -> None:
    for part in text.split(" "):
        card = _known_card(part, "used")
        if not has(game.law.pack, card):
            raise PositionError(f"{part} is not in the draw pack", "used")
        if has(state.used, card):
            raise PositionError(f"{part} is named twice", "used")
        state.used |= bit(card)


def _read_drawn(state: Any, text: str, game: Game) -> None:
    found = re.fullmatch(r"(\S+) left ([0-9]{1,2})(?: over ((?:\S+ )*\S+))?", text)
    if not found:
        raise PositionError(f"expected like 'drawn 7H left 4 over b6 b7', got {text[:40]!r}", "drawn")
    state.drawn, state.left = _known_card(found[1], "drawn"), int(found[2])
    for part in (found[3] or "").split():
        cell = _cell(part, game, "drawn")
        if has(state.visited, cell):
            raise PositionError(f"{part} is named twice", "drawn")
        state.visited |= bit(cell)


def _read_flip(state: Any, text: str, game: Game) -> None:
    state.flipping = _cell(text, game, "flip")


def _read_side(field: str) -> Any:
    def read(state: Any, text: str, game: Game) -> None:
        if text not in SIDES:
            raise PositionError(f"expected red or black, got {text[:20]!r}", field)
        state[field] = SIDES.index(text)

    return read


def _read_turn(state: Any, text: str, game: Game) -> None:
    if not re.fullmatch(r"0|[1-9][0-9]{0,9}", text) or int(text) > LAST_TURN:
        raise PositionError(f"expected a number of finished turns, got {text[:20]!r}", "turn")
    state.turns = int(text)


READERS = {
    "field": _read_field,
    "used": _read_used,
    "drawn": _read_drawn,
    "flip": _read_flip,
    "claim": _read_side("claim"),
    "first": _read_side("first"),
    "last": _read_side("last"),
    "turn": _read_turn,
}
