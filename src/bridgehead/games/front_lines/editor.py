"""Editor of layouts of The Front Lines, for a person who does not play (FL-S.4, FLQ-17)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta

from bridgehead.core.editing import NoStroke, Problem, Tool, Toolbox, drafted, stroked, unnamed, whole_number
from bridgehead.core.editing import plain as plain
from bridgehead.core.errors import BoardError, BridgeheadError
from bridgehead.core.phrases import phrase
from bridgehead.games.front_lines.board import COLUMNS, cell_name
from bridgehead.games.front_lines.sketch import FIELD_CARDS, JOKER_NAME, MOST_JOKERS, MOST_ROWS, TELL, Draft, cells_of
from bridgehead.games.front_lines.sketch import sketch as sketch

SEALED = True  # players may not see a layout
Card = Annotated[str, Meta(max_length=3)]
Rows = Annotated[tuple[tuple[Card | None, Card | None, Card | None, Card | None], ...], Meta(min_length=1, max_length=MOST_ROWS)]


def starts() -> dict[str, Any]:
    """Layouts to begin with, by name: an empty one, and the cards in the order of the pack."""
    rows = [list(FIELD_CARDS[COLUMNS * row : COLUMNS * (row + 1)]) for row in range(MOST_ROWS)]
    return {"empty": [[None] * COLUMNS for _ in range(MOST_ROWS)], "sorted": rows}


def read(data: Any) -> Draft:
    """A layout from the data of a file; cards may be missing. Errors: BoardError with the place in it."""
    draft: Draft = drafted(Rows, data)
    laid: dict[str, str] = {}
    for cell, card in enumerate(cells_of(draft)):
        where = f"layout[{cell // COLUMNS}][{cell % COLUMNS}]"
        if card is not None and card not in (*FIELD_CARDS, JOKER_NAME):
            raise BoardError("front_lines:error.no_card_lies_field_cards", where, card=repr(card))
        if card is not None and card != JOKER_NAME and laid.setdefault(card, where) != where:
            raise BoardError("front_lines:error.already_lies", where, name=card, laid=laid[card])
    if cells_of(draft).count(JOKER_NAME) > MOST_JOKERS:
        raise BoardError("front_lines:error.most_jokers_lie_field", "layout", most_jokers=MOST_JOKERS)
    return draft


def rules(draft: Draft) -> dict[str, Any]:
    """The house rules under which the layout is played."""
    jokers = {"jokersInField": MOST_JOKERS} if JOKER_NAME in cells_of(draft) else {}
    rows = {"rows": len(draft)} if len(draft) != MOST_ROWS else {}
    return {"layout": plain(draft), **rows, **jokers}


def tools(draft: Draft, language: str) -> tuple[Tool, ...]:
    """Tools to lay and swap cards, to remove them, and to deal the rest at random."""
    box = Toolbox(TELL, language)
    rows = box.number("rows", len(draft), 1, MOST_ROWS)
    return box.touch("move", 2), box.touch("erase"), box.touch("fill", kind="lot"), box.touch("clear", kind="press"), rows


# -- strokes ---------------------------------------------------------------------------------------------------------


def stroke(draft: Draft, tool: str, touch: tuple[str, ...]) -> Draft:
    """The layout after a tool has touched these things. Errors: NoStroke."""
    return stroked(STROKES, draft, tool, touch)


def _laid(cells: list[str | None]) -> Draft:
    return tuple(tuple(cells[row : row + COLUMNS]) for row in range(0, len(cells), COLUMNS))


def _found(draft: Draft, thing: str) -> tuple[int, str | None]:
    """The cell and the card of a thing: of a cell `f:b3`, or of a card `c:AH`. The cell is -1 for a card beside the field."""
    cells, (kind, _, name) = cells_of(draft), thing.partition(":")
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


def _move(draft: Draft, one: str, other: str) -> Draft:
    """Move a card to a cell; a card that lies there changes places with it."""
    (start, card), (end, there) = _found(draft, one), _found(draft, other)
    if card is None:
        raise NoStroke(phrase("edit.no.card"))
    if start == end:
        raise NoStroke(phrase("edit.two" if start >= 0 else "edit.no.cell"))
    cells = cells_of(draft)
    if start >= 0:
        cells[start] = there
    if end >= 0:
        cells[end] = card
    return _laid(cells)


def _erase(draft: Draft, thing: str) -> Draft:
    cell, card = _found(draft, thing)
    if cell < 0 or card is None:
        raise NoStroke(phrase("edit.no.card"))
    cells = cells_of(draft)
    cells[cell] = None
    return _laid(cells)


def _fill(draft: Draft, lot: str) -> Draft:
    """Deal the remaining cards onto the free cells. The random number decides their order."""
    cells = cells_of(draft)
    left = sorted({*FIELD_CARDS} - {*cells}, key=lambda card: hashlib.sha256(f"{lot}:{card}".encode()).digest())
    return _laid([card or left.pop() for card in cells])


def _clear(draft: Draft) -> Draft:
    return _laid([None] * len(cells_of(draft)))


def _set_rows(draft: Draft, text: str) -> Draft:
    rows = whole_number(text, 1, MOST_ROWS)
    return _laid([*cells_of(draft), *[None] * (MOST_ROWS * COLUMNS)][: COLUMNS * rows])


STROKES: dict[tuple[str, int], Callable[..., Draft]] = {
    ("move", 2): _move,
    ("erase", 1): _erase,
    ("fill", 1): _fill,
    ("clear", 0): _clear,
    ("rows", 1): _set_rows,
}


# -- problems --------------------------------------------------------------------------------------------------------


def named(draft: Draft, error: BridgeheadError) -> tuple[Problem, Draft | None]:
    """The editor's problem for an error of the checks, and a copy of the layout with the problem mended."""
    cells = cells_of(draft)
    if error.where == "layout" and None in cells:
        free = [f"f:{cell_name(cell)}" for cell, card in enumerate(cells) if card is None]
        return Problem(phrase("edit.lacks.cards", n=len(free)), tuple(free[:1])), _fill(draft, "")
    return unnamed(error), None
