"""Parts to cut out: pieces in rows under their headings; cards on pages of their own, each with its back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from bridgehead.core.components import Thing
from bridgehead.printing import PAPERS
from bridgehead.printing.pen import keep_state
from bridgehead.printing.sheet import MARGIN, PaperSheet, Sheets

APART, HEADING, NOTE = 3.0, 4.0, 2.9  # millimetres between pieces; sizes of a heading and of its note
LINE = 1.35  # line height relative to the font size
CARD_MARGIN = 6.0  # cards lie nearer to the edge than text


class Heading(NamedTuple):
    """A heading with the number of pieces under it, and its note."""

    text: str
    note: str


Row = list[Thing]  # pieces side by side


def counts(things: Sequence[Thing]) -> dict[str, int]:
    """The number of pieces under each heading."""
    found: Counter[str] = Counter()
    for each in things:
        found[each.name] += each.count
    return found


def draw_pieces(sheets: Sheets, things: Sequence[Thing], paper: str, title: str, scale: float = 1) -> None:
    """All pieces, in the order in which the game names them. scale: of the board on which they stand."""
    things = [msgspec.structs.replace(each, width=scale * each.width, height=scale * each.height) for each in things]
    page = PaperSheet(*PAPERS[paper])
    pages = _paged(sheets, _rows(sheets, things, page.room[0]), page.room)
    for number, blocks in enumerate(pages):
        with sheets.page(page):
            y = MARGIN
            for block in blocks:
                y = _drawn(sheets, block, y, page.room[0], scale)
            sheets.foot(page, sheets.sentence("page.pieces", title=title, page=number + 1, pages=len(pages)))


def _rows(sheets: Sheets, things: Sequence[Thing], room: float) -> Iterator[tuple[Heading, list[Row]]]:
    """The rows under each heading, with as many pieces as fit."""
    note = ""
    for name, count in counts(things).items():
        mine = [each for each in things if each.name == name]
        rows: list[Row] = [[]]
        for each in [thing for thing in mine for _ in range(thing.count)]:
            if rows[-1] and sum(other.width + APART for other in rows[-1]) + each.width > room:
                rows.append([])
            rows[-1].append(each)
        yield Heading(sheets.sentence("count", name=name, n=count), mine[0].note if mine[0].note != note else ""), rows
        note = mine[0].note


def _paged(sheets: Sheets, blocks: Iterator[tuple[Heading, list[Row]]], room: tuple[float, float]) -> list[list[Heading | Row]]:
    """The content of each page; a heading stays with its first row."""
    pages: list[list[Heading | Row]] = [[]]
    used = 0.0
    for heading, rows in blocks:
        for place, row in enumerate(rows):
            fresh: list[Heading | Row] = [heading, row] if place == 0 else [row]
            high = sum(_height(sheets, each, room[0]) for each in fresh)
            if used and used + high > room[1]:
                pages.append([])
                used = 0.0
            pages[-1] += fresh
            used += high
    return pages


def _height(sheets: Sheets, block: Heading | Row, room: float) -> float:
    if not isinstance(block, Heading):
        return max(each.height for each in block) + APART
    return HEADING * LINE + len(sheets.lines(block.note, room, NOTE)) * NOTE * LINE + 2 * APART


def _drawn(sheets: Sheets, block: Heading | Row, y: float, room: float, scale: float) -> float:
    """Draw a heading or a row; return where the next one begins."""
    if isinstance(block, Heading):
        below = sheets.block(block.text, MARGIN, y + APART / 2, room, HEADING, bold=True)
        sheets.block(block.note, MARGIN, below, room, NOTE, quiet=True)
        return y + _height(sheets, block, room)
    x, below = MARGIN, y + _height(sheets, block, room)
    for each in block:
        with keep_state(sheets.canvas):
            sheets.canvas.translate(x + each.width / 2, (y + below - APART) / 2)
            sheets.canvas.scale(scale, scale)
            sheets.pen.parts(each.parts, 0, 0, each.seat)
        x += each.width + APART
    return below


def draw_cards(sheets: Sheets, things: Sequence[Thing], paper: str, title: str, bleed: float = 0) -> None:
    """Each pack on pages of its own: faces, then the backs in the order in which they lie behind the faces.

    bleed: millimetres around each card, to be cut off.
    """
    for name in counts(things):
        pack = [each for each in things if each.name == name for _ in range(each.count)]
        page = PaperSheet(*PAPERS[paper])
        across = int((page.width - 2 * CARD_MARGIN) // (pack[0].width + 2 * bleed))
        on_page = across * int((page.height - 2 * CARD_MARGIN) // (pack[0].height + 2 * bleed))
        pages = [pack[first : first + on_page] for first in range(0, len(pack), on_page)]
        for number, faces in enumerate(pages):
            parameters = {"title": title, "name": name, "page": number + 1}
            _grid(sheets, page, faces, across, sheets.sentence("page.cards", pages=len(pages), **parameters), False, bleed)
            _grid(sheets, page, faces, across, sheets.sentence("page.backs", **parameters), True, bleed)


def _grid(
    sheets: Sheets, page: PaperSheet, faces: Sequence[Thing], across: int, caption: str, backs: bool, bleed: float
) -> None:  # fmt: skip
    width, height = faces[0].width + 2 * bleed, faces[0].height + 2 * bleed
    rows = -(-len(faces) // across)
    high = int((page.height - 2 * CARD_MARGIN) // height) * height
    left, top = (page.width - across * width) / 2, (page.height - high) / 2
    with sheets.page(page):
        for place, each in enumerate(faces):
            column, row = place % across, place // across
            column = across - 1 - column if backs else column
            x, y = left + (column + 0.5) * width, top + (row + 0.5) * height
            parts, seat = (each.back, each.back_seat) if backs else (each.parts, each.seat)
            if bleed:
                with keep_state(sheets.canvas):
                    window = sheets.canvas.beginPath()
                    window.rect(x - width / 2, y - height / 2, width, height)
                    sheets.canvas.clipPath(window, stroke=0, fill=0)
                    sheets.canvas.translate(x, y)
                    sheets.canvas.scale(1.1 * width / each.width, 1.1 * height / each.height)  # without its rounded corners
                    sheets.pen.parts(parts, 0, 0, seat)
            sheets.pen.parts(parts, x, y, seat)
        if not backs:
            _cuts(sheets, left, top, across, rows, width, height, bleed)
        sheets.sideways(caption, left - 3.6, top + high, 2.4)


def _cuts(sheets: Sheets, left: float, top: float, across: int, rows: int, width: float, height: float, bleed: float) -> None:
    """Lines between the cards; with a bleed only marks beside them."""
    right, bottom = left + across * width, top + rows * height
    for x in sorted({left + k * width + side for k in range(across) for side in (bleed, width - bleed)}):
        for low, high in [(top - 3, top), (bottom, bottom + 3)] if bleed else [(top - 3, bottom + 3)]:
            sheets.line(x, low, x, high, 0.12)
    for y in sorted({top + k * height + side for k in range(rows) for side in (bleed, height - bleed)}):
        for low, high in [(left - 3, left), (right, right + 3)] if bleed else [(left - 3, right + 3)]:
            sheets.line(low, y, high, y, 0.12)
