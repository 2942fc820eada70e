"""The picture of a layout in the editor: all cards face up, and the remaining cards beside the field."""

# mypy: allow-untyped-calls

from __future__ import annotations

import msgspec

from bridgehead.core.phrases import catalogue, phrase
from bridgehead.core.scene import Item, Part, Picture, lying, rectangle
from bridgehead.games.front_lines import SPEC
from bridgehead.games.front_lines.board import CARDS, COLUMNS, JOKER, SUITS, _standard, cell_name
from bridgehead.games.front_lines.drawing import CARD_R, card_parts, livery
from bridgehead.games.front_lines.places import DX, DY, UPRIGHT_DX, Spot
from bridgehead.games.front_lines.words import card_phrase, cell_phrase

Draft = tuple[tuple[str | None, ...], ...]
TELL = catalogue(SPEC.folder).tell
FIELD_CARDS = tuple(CARDS[card] for card in _standard()[0])
JOKER_NAME = CARDS[JOKER]
MOST_JOKERS, MOST_ROWS = 2, 12
SMALL = 0.76  # a card beside the field
LEFT, TOP, WIDTH = 60.0, 62.0, 974.0
TRAY_TOP, TRAY_DX, TRAY_DY = TOP + COLUMNS * DY + 44, 65.0, 72.0
UP_WIDTH, UP_LEFT, UP_DX, UP_COLUMNS = 440.0, 24.0, 56.0, 7


def cells_of(draft: Draft) -> list[str | None]:
    """The cards, cell by cell."""
    return [card for row in draft for card in row]


def sketch(draft: Draft, tool: str, language: str) -> tuple[Picture, tuple[Item, ...]]:
    """The field with its cards, and the remaining cards by suit; also as an upright picture."""
    wide = _picture(draft, language, False)
    picture = msgspec.structs.replace(wide, upright=_picture(draft, language, True))
    return picture, tuple(map(lying, _items(draft, language, False), _items(draft, language, True)))


def _cell(draft: Draft, cell: int, upright: bool) -> Spot:
    row, column = cell // COLUMNS, cell % COLUMNS
    if upright:
        return UP_WIDTH / 2 + UPRIGHT_DX * (column - 1.5), TOP + DY * (len(draft) - row - 0.5)
    return LEFT + DX * (row + 0.5), TOP + DY * (column + 0.5)


def _picture(draft: Draft, language: str, upright: bool) -> Picture:
    tray = TOP + DY * len(draft) + 60 if upright else TRAY_TOP
    lines = -(-(len(FIELD_CARDS) + MOST_JOKERS) // UP_COLUMNS) if upright else len(SUITS)
    width, height = UP_WIDTH if upright else WIDTH, tray + TRAY_DY * lines + 36
    felt = (
        Part(d=rectangle(0, 8, width, height - 8, 22), cls="felt-side"),
        Part(d=rectangle(0, 0, width, height - 8, 22), cls="felt"),
        Part(d=rectangle(9, 9, width - 18, height - 26, 15), cls="felt-line"),
        Part(d=rectangle(18, tray - 22, width - 36, height - tray - 4, 14), cls="tray-felt"),
    )
    rows = [_cell(draft, COLUMNS * row, upright) for row in range(len(draft))]
    shift = (-62.0, 4.0) if upright else (0.0, -DY / 2 - 6)
    names = [Part(text=str(i + 1), cls="row-no", x=x + shift[0], y=y + shift[1]) for i, (x, y) in enumerate(rows)]
    edge = [_cell(draft, column, upright) for column in range(COLUMNS)]
    aside = (0.0, DY / 2 + 14) if upright else (-DX / 2 - 14, 4.0)
    names += [Part(text="abcd"[i], cls="row-no", x=x + aside[0], y=y + aside[1]) for i, (x, y) in enumerate(edge)]
    ground = (Item("g:felt", 0, 0, felt, cls="still"), Item("g:names", 0, 0, tuple(names), cls="still"))
    empty = (Part(d=rectangle(-29, -40, 58, 80, 7), cls="tray-felt"),)
    fields = tuple(
        Item(f"f:{cell_name(cell)}", *_cell(draft, cell, upright), empty, label=_cell_label(cell, language), r=CARD_R)
        for cell in range(COLUMNS * len(draft))
    )
    return Picture(width, height, ground, fields, window=True)


def _cell_label(cell: int, language: str) -> str:
    return TELL(phrase("edit.cell", cell=cell_phrase(cell)), language)


def _items(draft: Draft, language: str, upright: bool) -> tuple[Item, ...]:
    cells, found, jokers = cells_of(draft), [], 0
    for cell, card in enumerate(cells):
        if card is not None:
            number = CARDS.index(card)
            name, spot = card, _cell(draft, cell, upright)
            if number == JOKER:
                name, jokers = f"{card}{jokers}", jokers + 1
            label = TELL(phrase("label.up", cell=cell_phrase(cell), card=card_phrase(number)), language)
            found.append(_card(name, number, spot, label, f"f:{cell_name(cell)}", 1))
    left = [card for card in FIELD_CARDS if card not in cells]
    left += [f"{JOKER_NAME}{number}" for number in range(jokers, MOST_JOKERS)]
    for waiting, name in enumerate(left):
        number = JOKER if name.startswith(JOKER_NAME) else CARDS.index(name)
        label = TELL(phrase("edit.beside", card=card_phrase(number)), language)
        found.append(_card(name, number, _tray(draft, name, waiting, upright), label, "", SMALL))
    return tuple(found)


def _tray(draft: Draft, name: str, waiting: int, upright: bool) -> Spot:
    """A place beside the field: in the line of the card's suit, or, upright, one card after the other."""
    if upright:
        line, column = divmod(waiting, UP_COLUMNS)
        return UP_LEFT + UP_DX * (column + 0.5), TOP + DY * len(draft) + 60 + TRAY_DY * (line + 0.5) - 8
    if name.startswith(JOKER_NAME):
        line, column = int(name[-1]), 12
    else:
        suit = [card for card in FIELD_CARDS if card[-1] == name[-1]]
        line, column = SUITS.index(name[-1]), suit.index(name)
    return LEFT + TRAY_DX * (column + 0.5) + (20 if column == 12 else 0), TRAY_TOP + TRAY_DY * (line + 0.5) - 8


def _card(name: str, number: int, spot: Spot, label: str, field: str, scale: float) -> Item:
    seat = "" if number == JOKER else livery(number // 13)
    return Item(f"c:{name}", *spot, card_parts(number, False, scale), seat, "takes", label, field, CARD_R * scale, 1)
