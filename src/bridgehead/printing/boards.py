"""The pages of the board: overlapping tiles with cutting and joining marks and a small map, without a seam through a field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from bridgehead.core.components import Area, Mat
from bridgehead.core.scene import Item
from bridgehead.printing import PAPERS, WHOLE
from bridgehead.printing.pen import form, keep_state
from bridgehead.printing.sheet import MARGIN, PaperSheet, Sheets

TICK, GAP = 5.0, 1.0  # length of a mark, and its distance from the board
BOARD = "board"
SMALLEST = 85  # per cent of its playing size, to which a board is fitted at most
OVERLAP = 10.0  # least overlap of two neighbouring tiles
APART = 1.5  # distance from a seam to the field behind it


class Tiling(NamedTuple):
    """The page, and the positions of columns and rows of tiles on the board, in millimetres."""

    page: PaperSheet
    columns: tuple[tuple[float, float], ...]
    rows: tuple[tuple[float, float], ...]
    bleed: float = -1.0  # what lies around a board in one piece, to be cut off; -1: none, and the page has a margin

    @property
    def pages(self) -> int:
        return len(self.columns) * len(self.rows)


def fit_board(mat: Mat, paper: str) -> Mat:
    """The board a little smaller, if that saves pages: no thin strip has a page of its own."""
    steps = [msgspec.structs.replace(mat, mm=mat.mm * percent / 100) for percent in range(100, SMALLEST - 1, -1)]
    return min(steps, key=lambda each: tiling(each, paper).pages)


def tiling(mat: Mat, paper: str, bleed: float = 0) -> Tiling:
    """The fewest pages for a board, in portrait or landscape; for WHOLE one page of its size with the bleed around it."""
    if paper == WHOLE:
        width, height = mat.mm * mat.picture.width, mat.mm * mat.picture.height
        return Tiling(PaperSheet(width + 2 * bleed, height + 2 * bleed), ((0.0, width),), ((0.0, height),), bleed)
    upright = PaperSheet(*PAPERS[paper])
    fields = [Area(*(mat.mm * side for side in (each.left, each.top, each.right, each.bottom))) for each in mat.whole.values()]
    width, height = mat.mm * mat.picture.width, mat.mm * mat.picture.height
    found = []
    for page in (upright, upright.turned):
        columns = _spans(width, page.room[0], [(each.left, each.right) for each in fields])
        rows = _spans(height, page.room[1], [(each.top, each.bottom) for each in fields])
        found.append(Tiling(page, columns, rows))
    return min(found, key=lambda each: each.pages)


def _spans(whole: float, room: float, fields: Iterable[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """The starts and ends of tiles along one side: each tile begins before the first field that the last tile cuts."""
    begin, spans = 0.0, []
    while begin + room < whole - 1e-6:
        end = begin + room
        cut = [low - APART for low, high in fields if high > end - APART]
        spans.append((begin, end))
        behind = min([end - OVERLAP, *cut])
        begin = behind if behind > begin else end - OVERLAP
    return (*spans, (begin, whole))


def define_board(sheets: Sheets, mat: Mat, items: Iterable[Item], name: str) -> None:
    """Draw the board once, as a form; each page shows its part of it."""
    with form(sheets.canvas, name, 0, 0, mat.picture.width, mat.picture.height):
        sheets.pen.picture(mat.picture, items)


def place_board(sheets: Sheets, name: str, x: float, y: float, scale: float) -> None:
    """Place a prepared board; scale: millimetres per unit."""
    with keep_state(sheets.canvas):
        sheets.canvas.translate(x, y)
        sheets.canvas.scale(scale, scale)
        sheets.canvas.doForm(name)


def draw_pages(sheets: Sheets, mat: Mat, plan: Tiling, title: str) -> None:
    """All tiles, row by row."""
    define_board(sheets, mat, mat.items, BOARD)
    for row in range(len(plan.rows)):
        for column in range(len(plan.columns)):
            _tile(sheets, mat, plan, column, row, title)


def _tile(sheets: Sheets, mat: Mat, plan: Tiling, column: int, row: int, title: str) -> None:
    (left, right), (top, bottom) = plan.columns[column], plan.rows[row]
    page, canvas = plan.page, sheets.canvas
    alone = plan.pages == 1
    x = (page.width - (right - left)) / 2 if alone else MARGIN
    y = (page.height - (bottom - top)) / 2 if alone else MARGIN
    with sheets.page(page):
        if plan.bleed >= 0:
            _bleed(sheets, mat, plan)
        with keep_state(canvas):
            window = canvas.beginPath()
            window.rect(x, y, right - left, bottom - top)
            canvas.clipPath(window, stroke=0, fill=0)
            place_board(sheets, BOARD, x - left, y - top, mat.mm)
        if alone and plan.bleed >= 0:
            return
        if alone:
            sheets.foot(page, sheets.sentence("page.board", title=title))
            return
        _marks(sheets, plan, column, row)
        numbers = {"row": row + 1, "rows": len(plan.rows), "column": column + 1, "columns": len(plan.columns)}
        sheets.foot(page, sheets.sentence("page.tile", title=title, **numbers))
        _map(sheets, plan, column, row)


def _bleed(sheets: Sheets, mat: Mat, plan: Tiling) -> None:
    """The board a little larger under itself, so that its edge goes on where the sheet is cut."""
    page, picture = plan.page, mat.picture
    with keep_state(sheets.canvas):
        sheets.canvas.scale(page.width / picture.width, page.height / picture.height)
        sheets.canvas.doForm(BOARD)


def _marks(sheets: Sheets, plan: Tiling, column: int, row: int) -> None:
    """Marks at the tile's corners, and where the next column and row begin."""
    (left, right), (top, bottom) = plan.columns[column], plan.rows[row]
    width, height = right - left, bottom - top
    across = [0.0, width, *(begin - left for begin, _ in plan.columns[column + 1 : column + 2])]
    down = [0.0, height, *(begin - top for begin, _ in plan.rows[row + 1 : row + 2])]
    for x in across:
        sheets.line(MARGIN + x, MARGIN - GAP - TICK, MARGIN + x, MARGIN - GAP)
        sheets.line(MARGIN + x, MARGIN + height + GAP, MARGIN + x, MARGIN + height + GAP + min(TICK, 3))
    for y in down:
        sheets.line(MARGIN - GAP - TICK, MARGIN + y, MARGIN - GAP, MARGIN + y)
        sheets.line(MARGIN + width + GAP, MARGIN + y, MARGIN + width + GAP + TICK, MARGIN + y)


def _map(sheets: Sheets, plan: Tiling, column: int, row: int) -> None:
    """A small map of all tiles in the lower right corner, with this tile dark."""
    page, rows, columns = plan.page, len(plan.rows), len(plan.columns)
    side = min(2.6, 5.2 / rows)
    left, top = page.width - MARGIN - columns * side, page.height - 3.4 - rows * side
    for r in range(rows):
        for c in range(columns):
            sheets.box(left + c * side, top + r * side, side, side, filled=(c, r) == (column, row))


def draw_overview(sheets: Sheets, mat: Mat, plan: Tiling, x: float, y: float, width: float, height: float) -> float:
    """The whole board in its starting position, with its tiles; returns its height."""
    picture = mat.picture
    if not sheets.canvas.hasForm("opening"):
        define_board(sheets, mat, (*mat.items, *mat.opening), "opening")
    scale = min(width / picture.width, height / picture.height)
    left = x + (width - scale * picture.width) / 2
    place_board(sheets, "opening", left, y, scale)
    if plan.pages > 1:
        small, wide, high = scale / mat.mm, scale * picture.width, scale * picture.height
        with keep_state(sheets.canvas):
            sheets.canvas.setDash([1.2, 1.2])
            for begin, _ in plan.columns[1:]:
                sheets.line(left + small * begin, y - 1.5, left + small * begin, y + high + 1.5)
            for begin, _ in plan.rows[1:]:
                sheets.line(left - 1.5, y + small * begin, left + wide + 1.5, y + small * begin)
    return scale * picture.height
