"""The field of The Front Lines: rows of four cards, either random or laid out by a person who does not play."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import NamedTuple

from bridgehead.core.editing import read_layout
from bridgehead.core.errors import BoardError, refusing
from bridgehead.games.front_lines.options import Layout, Options

refuse = refusing("front_lines", BoardError)

COLUMNS = 4
SUITS = "HDSC"  # red hearts and diamonds, black spades and clubs (FL-R.3); the index is the character's
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKER = 52
CARDS = (*(rank + suit for suit in SUITS for rank in RANKS), "JK")  # the number of a card is its index in this list
INDEX = {card: index for index, card in enumerate(CARDS)}


class Board(NamedTuple):
    """The field: number of rows, the cards that may lie in it, the draw pack, and the cards laid out (empty: by chance)."""

    rows: int
    field_cards: tuple[int, ...]
    draw_pack: tuple[int, ...]
    layout: tuple[int, ...]


@functools.cache
def _standard() -> tuple[tuple[int, ...], tuple[int, ...]]:
    data = json.loads(Path(__file__).with_name("boards").joinpath("standard.json").read_text("utf-8"))
    return tuple(INDEX[card] for card in data["field_cards"]), tuple(INDEX[card] for card in data["draw_pack"])


def load(options: Options) -> Board:
    """The field under these house rules. Errors: BoardError, naming the place (`layout[3][1]`)."""
    field_cards, draw_pack = _standard()
    if options.draw_pack != "A-10":  # FLQ-2
        draw_pack = tuple(range(JOKER))
    layout = () if options.layout is None else _layout(options, field_cards)
    return Board(options.rows, field_cards, draw_pack, layout)


def _layout(options: Options, field_cards: tuple[int, ...]) -> tuple[int, ...]:
    """FLQ-17: a custom layout, row 1 first, columns a to d."""
    rows = read_layout(Layout, options.layout).layout
    refuse(len(rows) != options.rows, "field_rows_layout", "layout", rows=options.rows, count=len(rows))
    laid: dict[int, str] = {}
    cards: list[int] = []
    for r, row in enumerate(rows):
        refuse(len(row) != COLUMNS, "row_cards", f"layout[{r}]", columns=COLUMNS, count=len(row))
        for c, name in enumerate(row):
            where = f"layout[{r}][{c}]"
            card = _card(name, where, options, field_cards)
            if card != JOKER and card in laid:
                raise BoardError("front_lines:error.already_lies", where, name=name, laid=laid[card])
            laid[card] = where
            cards.append(card)
    jokers = cards.count(JOKER)
    bad = jokers > options.jokers_in_field
    refuse(bad, "jokers_most_lie_field", "layout", jokers=jokers, jokers_in_field=options.jokers_in_field)
    return tuple(cards)


def _card(name: str, where: str, options: Options, field_cards: tuple[int, ...]) -> int:
    refuse(name not in INDEX, "no_card_cards_written_like", where, name=repr(name[:20]))
    card = INDEX[name]
    if card == JOKER:
        refuse(not options.jokers_in_field, "jokers_lie_field_jokersinfield_2", where)
    elif card not in field_cards:
        raise BoardError("front_lines:error.character_s_card_does_not", where, name=name)
    return card


def cell_name(cell: int) -> str:
    """`b7`: column, then row counted from red's start line."""
    return "abcd"[cell % COLUMNS] + str(cell // COLUMNS + 1)
