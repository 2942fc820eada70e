"""The position text of The Front Lines: writes it, and reads it with a check that the position can occur.

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
    sentence = f"{SUITS[suit]}{int(state.lives[suit])} {STATES[int(state.status[suit])]}"
    return sentence if int(state.place[suit]) == GONE else f"{sentence} {place_name(int(state.place[suit]))}"


def _card(state: Any, cell: int) -> str:
    mark = "!" if has(state.blown, cell) else ""
    return f"{cell_name(cell)}={CARDS[int(state.field[cell])]}{mark}"


def load(game: Game, text: str) -> np.ndarray[Any, Any]:
    """An array of one state. Errors: PositionError for a text that cannot be read or a position that cannot occur."""
    if len(text) > LONGEST:
        raise PositionError("front_lines:error.longer_than_characters", longest=LONGEST)
    states = game.new_states(1)
    state = states[0]
    setup(state, game.law)
    characters, *sections = text.strip().split(" | ")
    _read_characters(state, characters, game)
    reached = -1
    for section in sections:
        word, _, rest = section.partition(" ")
        if word not in SECTIONS:
            raise PositionError(
                "front_lines:error.no_section_sections", "position", word=repr(word[:20]), sections=", ".join(SECTIONS)
            )
        if SECTIONS.index(word) <= reached:
            raise PositionError("front_lines:error.sections_once_each_order", word, sections=", ".join(SECTIONS))
        reached = SECTIONS.index(word)
        READERS[word](state, rest, game)
    if reached != SECTIONS.index("turn"):
        raise PositionError("front_lines:error.number_finished_turns_missing_like", "turn")
    check(state, game)
    return states


def _read_characters(state: Any, text: str, game: Game) -> None:
    parts = text.split(", ")
    if len(parts) != 4:
        raise PositionError("front_lines:error.four_characters_h_d_s", "characters")
    for suit, part in enumerate(parts):
        found = CHARACTER.fullmatch(part)
        if not found or found[1] != SUITS[suit]:
            raise PositionError(
                "front_lines:error.character_like_2_alive_b7",
                SUITS[suit],
                suits=SUITS[suit],
                suits2=SUITS[suit],
                part=repr(part[:40]),
            )
        state.lives[suit] = int(found[2])
        state.status[suit] = STATES.index(found[3] or "across")
        place = found[4]
        state.place[suit] = GONE if place is None else START if place == "start" else _cell(place, game, SUITS[suit])


def _cell(text: str, game: Game, where: str) -> int:
    found = re.fullmatch(r"([a-d])([1-9]|1[0-2])", text)
    if not found:
        raise PositionError("front_lines:error.no_cell_cells_a1_d", where, text=repr(text[:20]), rows=game.law.rows)
    cell = COLUMNS * (int(found[2]) - 1) + "abcd".index(found[1])
    if cell >= COLUMNS * game.law.rows:
        raise PositionError("front_lines:error.field_rows_no", where, rows=game.law.rows, text=text)
    return cell


def _known_card(text: str, where: str) -> int:
    if text not in INDEX:
        raise PositionError("front_lines:error.no_card_cards_written_like", where, name=repr(text[:20]))
    return INDEX[text]


def _read_field(state: Any, text: str, game: Game) -> None:
    for part in text.split(" "):
        name, equals, card_text = part.partition("=")
        if not equals:
            raise PositionError("front_lines:error.cells_cards_like_b4_8s", "field", part=repr(part[:20]))
        cell, card = _cell(name, game, "field"), _known_card(card_text.removesuffix("!"), name)
        if int(state.field[cell]) != DOWN:
            raise PositionError("front_lines:error.named_twice", "field", name=name)
        if card != JOKER and has(state.seen, card):
            raise PositionError("front_lines:error.lies_field_twice", name, cards=CARDS[card])
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
            raise PositionError("front_lines:error.not_draw_pack", "used", part=part)
        if has(state.used, card):
            raise PositionError("front_lines:error.named_twice", "used", name=part)
        state.used |= bit(card)


def _read_drawn(state: Any, text: str, game: Game) -> None:
    found = re.fullmatch(r"(\S+) left ([0-9]{1,2})(?: over ((?:\S+ )*\S+))?", text)
    if not found:
        raise PositionError("front_lines:error.like_drawn_7h_left_4", "drawn", text=repr(text[:40]))
    state.drawn, state.left = _known_card(found[1], "drawn"), int(found[2])
    for part in (found[3] or "").split():
        cell = _cell(part, game, "drawn")
        if has(state.visited, cell):
            raise PositionError("front_lines:error.named_twice", "drawn", name=part)
        state.visited |= bit(cell)


def _read_flip(state: Any, text: str, game: Game) -> None:
    state.flipping = _cell(text, game, "flip")


def _read_side(field: str) -> Any:
    def read(state: Any, text: str, game: Game) -> None:
        if text not in SIDES:
            raise PositionError("front_lines:error.red_black_got", field, text=repr(text[:20]))
        state[field] = SIDES.index(text)

    return read


def _read_turn(state: Any, text: str, game: Game) -> None:
    if not re.fullmatch(r"0|[1-9][0-9]{0,9}", text) or int(text) > LAST_TURN:
        raise PositionError("front_lines:error.number_finished_turns_got", "turn", text=repr(text[:20]))
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
