"""Editor of layouts of The Front Lines, for a person who does not play (FL-S.4, FLQ-17)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from bridgehead.core.editing import (
    LAYOUT_SIGNATURE,
    DrawnLayout,
    NoStroke,
    Problem,
    Tool,
    Toolbox,
    change_layout,
    make_default_problem,
    plain,
    read_layout,
    reflect,
    whole_number,
)
from bridgehead.core.errors import BoardError, BridgeheadError
from bridgehead.core.phrases import catalogue, phrase
from bridgehead.core.scene import Item, Part, Picture, base, lying, rectangle
from bridgehead.games.front_lines import SPEC
from bridgehead.games.front_lines.board import CARDS, COLUMNS, JOKER, SUITS, _standard, cell_name
from bridgehead.games.front_lines.scene import CARD_R, DX, DY, Spot, card_parts, livery
from bridgehead.games.front_lines.words import card_phrase

Laid = tuple[tuple[str | None, ...], ...]
Draft = DrawnLayout[Laid]
TELL = catalogue(SPEC.folder).tell
FIELD_CARDS = tuple(CARDS[card] for card in _standard()[0])
JOKER_NAME = CARDS[JOKER]
MOST_JOKERS, MOST_ROWS = 2, 12
SWAPS = {"across": "CSDH", "down": "DHCS", "half": "SCHD"}  # partners of the SUITS: of the other colour, of the same, of both
SMALL = 0.76  # a card beside the field
LEFT, TOP, WIDTH = 60.0, 62.0, 974.0
TRAY_TOP, TRAY_DX, TRAY_DY = TOP + COLUMNS * DY + 44, 65.0, 72.0
UP_WIDTH, UP_FIELD_DX, UP_LEFT, UP_DX, UP_COLUMNS = 440.0, 80.0, 24.0, 56.0, 7


def cells_of(laid: Laid) -> list[str | None]:
    """The cards, cell by cell."""
    return [card for row in laid for card in row]


def sketch(draft: Draft, tool: str, language: str) -> tuple[Picture, tuple[Item, ...]]:
    """The field with its cards, and the remaining cards by suit; also as an upright picture."""
    laid = draft.layout
    wide = _picture(laid, language, False)
    picture = msgspec.structs.replace(wide, upright=_picture(laid, language, True))
    return picture, tuple(map(lying, _items(laid, language, False), _items(laid, language, True)))


def _cell(laid: Laid, cell: int, upright: bool) -> Spot:
    row, column = cell // COLUMNS, cell % COLUMNS
    if upright:
        return UP_WIDTH / 2 + UP_FIELD_DX * (column - 1.5), TOP + DY * (len(laid) - row - 0.5)
    return LEFT + DX * (row + 0.5), TOP + DY * (column + 0.5)


def _picture(laid: Laid, language: str, upright: bool) -> Picture:
    tray = TOP + DY * len(laid) + 60 if upright else TRAY_TOP
    lines = -(-(len(FIELD_CARDS) + MOST_JOKERS) // UP_COLUMNS) if upright else len(SUITS)
    width, height = UP_WIDTH if upright else WIDTH, tray + TRAY_DY * lines + 36
    beside = Part(d=rectangle(18, tray - 22, width - 36, height - tray - 4, 14), cls="tray-felt")
    rows = [_cell(laid, COLUMNS * row, upright) for row in range(len(laid))]
    shift = (-62.0, 4.0) if upright else (0.0, -DY / 2 - 6)
    names = [Part(text=str(i + 1), cls="row-no", x=x + shift[0], y=y + shift[1]) for i, (x, y) in enumerate(rows)]
    edge = [_cell(laid, column, upright) for column in range(COLUMNS)]
    aside = (0.0, DY / 2 + 14) if upright else (-DX / 2 - 14, 4.0)
    names += [Part(text="abcd"[i], cls="row-no", x=x + aside[0], y=y + aside[1]) for i, (x, y) in enumerate(edge)]
    ground = (base("felt", width, height - 8, more=(beside,)), Item("g:names", 0, 0, tuple(names), cls="still"))
    empty = (Part(d=rectangle(-29, -40, 58, 80, 7), cls="tray-felt"),)
    fields = []
    for cell in range(COLUMNS * len(laid)):
        label = TELL(phrase("edit.cell", cell=cell_name(cell)), language)
        fields.append(Item(f"f:{cell_name(cell)}", *_cell(laid, cell, upright), empty, label=label, r=CARD_R))
    return Picture(width, height, ground, tuple(fields))


def _items(laid: Laid, language: str, upright: bool) -> tuple[Item, ...]:
    cells, found, jokers = cells_of(laid), [], 0
    for cell, card in enumerate(cells):
        if card is not None:
            number = CARDS.index(card)
            name, spot = card, _cell(laid, cell, upright)
            if number == JOKER:
                name, jokers = f"{card}{jokers}", jokers + 1
            label = TELL(phrase("label.up", cell=cell_name(cell), card=card_phrase(number)), language)
            found.append(_card(name, number, spot, label, f"f:{cell_name(cell)}", 1))
    left = [card for card in FIELD_CARDS if card not in cells]
    left += [f"{JOKER_NAME}{number}" for number in range(jokers, MOST_JOKERS)]
    for waiting, name in enumerate(left):
        number = JOKER if name.startswith(JOKER_NAME) else CARDS.index(name)
        label = TELL(phrase("edit.beside", card=card_phrase(number)), language)
        found.append(_card(name, number, _tray(laid, name, waiting, upright), label, "", SMALL))
    return tuple(found)


def _tray(laid: Laid, name: str, waiting: int, upright: bool) -> Spot:
    """A place beside the field: in the line of the card's suit, or, upright, one card after the other."""
    if upright:
        line, column = divmod(waiting, UP_COLUMNS)
        return UP_LEFT + UP_DX * (column + 0.5), TOP + DY * len(laid) + 60 + TRAY_DY * (line + 0.5) - 8
    if name.startswith(JOKER_NAME):
        line, column = int(name[-1]), 12
    else:
        suit = [card for card in FIELD_CARDS if card[-1] == name[-1]]
        line, column = SUITS.index(name[-1]), suit.index(name)
    return LEFT + TRAY_DX * (column + 0.5) + (20 if column == 12 else 0), TRAY_TOP + TRAY_DY * (line + 0.5) - 8


def _card(name: str, number: int, spot: Spot, label: str, field: str, scale: float) -> Item:
    seat = "" if number == JOKER else livery(number // 13)
    return Item(f"c:{name}", *spot, card_parts(number, False, scale), seat, "takes", label, field, CARD_R * scale, 1)


# -- editor ------------------------------------------------------------------------------------------------------------
SEALED = True  # players may not see a layout
Card = Annotated[str, Meta(max_length=3)]
Rows = Annotated[tuple[tuple[Card | None, Card | None, Card | None, Card | None], ...], Meta(min_length=1, max_length=MOST_ROWS)]


def starts() -> dict[str, Any]:
    """Layouts to begin with, by name: an empty one, and the cards in the order of the pack."""
    rows = [list(FIELD_CARDS[COLUMNS * row : COLUMNS * (row + 1)]) for row in range(MOST_ROWS)]
    return {"empty": [[None] * COLUMNS for _ in range(MOST_ROWS)], "sorted": rows}


def read(data: Any) -> Draft:
    """A layout from the data of a file; cards may be missing. Errors: BoardError with the place in it."""
    draft = read_layout(Rows, data)
    laid: dict[str, str] = {}
    for cell, card in enumerate(cells_of(draft.layout)):
        where = f"layout[{cell // COLUMNS}][{cell % COLUMNS}]"
        if card is not None and card not in (*FIELD_CARDS, JOKER_NAME):
            raise BoardError("front_lines:error.no_card_lies_field_cards", where, card=repr(card))
        if card is not None and card != JOKER_NAME and laid.setdefault(card, where) != where:
            raise BoardError("front_lines:error.already_lies", where, name=card, laid=laid[card])
    if cells_of(draft.layout).count(JOKER_NAME) > MOST_JOKERS:
        raise BoardError("front_lines:error.most_jokers_lie_field", "layout", most_jokers=MOST_JOKERS)
    return draft


def rules(draft: Draft) -> dict[str, Any]:
    """The house rules under which the layout is played."""
    jokers = {"jokersInField": MOST_JOKERS} if JOKER_NAME in cells_of(draft.layout) else {}
    rows = {"rows": len(draft.layout)} if len(draft.layout) != MOST_ROWS else {}
    return {"layout": plain(draft), **rows, **jokers}


def tools(draft: Draft, language: str) -> tuple[Tool, ...]:
    """Tools to lay and swap cards, to remove them, and to deal the rest at random."""
    box = Toolbox(TELL, language)
    rows = box.number("rows", len(draft.layout), 1, MOST_ROWS)
    strokes = box.touch("move", 2), box.touch("erase"), box.touch("fill", kind="lot"), box.touch("clear", kind="press")
    return *strokes, *box.mirrors(), *box.signature(draft), rows


# -- strokes ---------------------------------------------------------------------------------------------------------
def _laid(cells: list[str | None]) -> Laid:
    return tuple(tuple(cells[row : row + COLUMNS]) for row in range(0, len(cells), COLUMNS))


def _found(laid: Laid, thing: str) -> tuple[int, str | None]:
    """The cell and the card of a thing: of a cell `f:b3`, or of a card `c:AH`. The cell is -1 for a card beside the field."""
    cells, (kind, _, name) = cells_of(laid), thing.partition(":")
    if kind == "f":
        cell = next((cell for cell in range(len(cells)) if cell_name(cell) == name), None)
        if cell is not None:
            return cell, cells[cell]
    if kind == "c" and name in FIELD_CARDS:
        return (cells.index(name) if name in cells else -1), name
    if kind == "c" and name in [f"{JOKER_NAME}{number}" for number in range(MOST_JOKERS)]:
        jokers = [cell for cell, card in enumerate(cells) if card == JOKER_NAME]
        return (jokers[int(name[-1])] if int(name[-1]) < len(jokers) else -1), JOKER_NAME
    raise NoStroke(phrase("edit.nothing"))


def _move(laid: Laid, one: str, other: str) -> Laid:
    """Move a card to a cell; a card that lies there changes places with it."""
    (start, card), (end, there) = _found(laid, one), _found(laid, other)
    if card is None:
        raise NoStroke(phrase("edit.no.card"))
    if start == end:
        raise NoStroke(phrase("edit.two" if start >= 0 else "edit.no.cell"))
    cells = cells_of(laid)
    if start >= 0:
        cells[start] = there
    if end >= 0:
        cells[end] = card
    return _laid(cells)


def _erase(laid: Laid, thing: str) -> Laid:
    cell, card = _found(laid, thing)
    if cell < 0 or card is None:
        raise NoStroke(phrase("edit.no.card"))
    cells = cells_of(laid)
    cells[cell] = None
    return _laid(cells)


def _fill(laid: Laid, lot: str) -> Laid:
    """Deal the remaining cards onto the free cells. The random number decides their order."""
    cells = cells_of(laid)
    left = sorted({*FIELD_CARDS} - {*cells}, key=lambda card: hashlib.sha256(f"{lot}:{card}".encode()).digest())
    return _laid([card or left.pop() for card in cells])


def _clear(laid: Laid) -> Laid:
    return _laid([None] * len(cells_of(laid)))


def _mirror(laid: Laid, axis: str) -> Laid:
    """Lay the partner of each card on the mirror image of its cell, where that is free and the partner is not laid yet."""
    cells = cells_of(laid)
    places = [(cell // COLUMNS, cell % COLUMNS) for cell in range(len(cells))]
    image = reflect(places, axis)
    for place, card in zip(places, cells_of(laid), strict=True):
        x, y = image(place)
        partner = f"{card[:-1]}{SWAPS[axis][SUITS.index(card[-1])]}" if card and card != JOKER_NAME else card
        if cells[there := COLUMNS * int(x) + int(y)] is None and partner in FIELD_CARDS and partner not in cells:
            cells[there] = partner
    return _laid(cells)


def _set_rows(laid: Laid, text: str) -> Laid:
    rows = whole_number(text, 1, MOST_ROWS)
    return _laid([*cells_of(laid), *[None] * (MOST_ROWS * COLUMNS)][: COLUMNS * rows])


STROKES: dict[tuple[str, int], Callable[..., Draft]] = {
    **LAYOUT_SIGNATURE,
    ("move", 2): change_layout(_move),
    ("erase", 1): change_layout(_erase),
    ("fill", 1): change_layout(_fill),
    ("clear", 0): change_layout(_clear),
    ("mirror:", 0): change_layout(_mirror),
    ("rows", 1): change_layout(_set_rows),
}


# -- problems --------------------------------------------------------------------------------------------------------
def explain_error(draft: Draft, error: BridgeheadError) -> tuple[Problem, Draft | None]:
    cells = cells_of(draft.layout)
    if error.where == "layout" and None in cells:
        free = [f"f:{cell_name(cell)}" for cell, card in enumerate(cells) if card is None]
        return Problem(phrase("edit.lacks.cards", n=len(free)), tuple(free[:1])), change_layout(_fill)(draft, "")
    return make_default_problem(error), None
