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
WIDEST_BLEED = 5.0  # beside which marks have room
BOARD = "board"
SMALLEST = 85  # per cent of its playing size, to which a board is fitted at most
OVERLAP = 10.0  # least overlap of two neighbouring tiles
APART = 1.5  # distance from a seam to the field behind it


class Tiling(NamedTuple):
    """The page, and the positions of columns and rows of tiles on the board, in millimetres."""

    page: PaperSheet
    columns: tuple[tuple[float, float], ...]
    rows: tuple[tuple[float, float], ...]
    bleed: float = 0.0  # what lies around each tile, to be cut off
    whole: bool = False  # the page is as large as the board with its bleed

    @property
    def pages(self) -> int:
        return len(self.columns) * len(self.rows)


def fit_board(mat: Mat, paper: str) -> Mat:
    """The board a little smaller, if that saves pages: no thin strip has a page of its own."""
    steps = [msgspec.structs.replace(mat, mm=mat.mm * percent / 100) for percent in range(100, SMALLEST - 1, -1)]
    return min(steps, key=lambda each: tiling(each, paper).pages)


def tiling(mat: Mat, paper: str, bleed: float = 0) -> Tiling:
    """The fewest pages for a board, in portrait or landscape; for WHOLE one page of its size with the bleed around it.

    On paper the bleed is as wide as the marks allow.
    """
    if paper == WHOLE:
        width, height = mat.mm * mat.picture.width, mat.mm * mat.picture.height
        return Tiling(PaperSheet(width + 2 * bleed, height + 2 * bleed), ((0.0, width),), ((0.0, height),), bleed, True)
    upright = PaperSheet(*PAPERS[paper])
    fields = [Area(*(mat.mm * side for side in (each.left, each.top, each.right, each.bottom))) for each in mat.whole.values()]
    width, height = mat.mm * mat.picture.width, mat.mm * mat.picture.height
    found = []
    for page in (upright, upright.turned):
        columns = _spans(width, page.room[0], [(each.left, each.right) for each in fields])
        rows = _spans(height, page.room[1], [(each.top, each.bottom) for each in fields])
        found.append(Tiling(page, columns, rows, min(bleed, WIDEST_BLEED)))
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
        with keep_state(canvas):
            window, bleed = canvas.beginPath(), plan.bleed
            window.rect(x - bleed, y - bleed, right - left + 2 * bleed, bottom - top + 2 * bleed)
            canvas.clipPath(window, stroke=0, fill=0)
            if bleed:
                _bleed(sheets, mat, x - left - bleed, y - top - bleed, bleed)
            place_board(sheets, BOARD, x - left, y - top, mat.mm)
        if plan.whole:
            return
        if plan.bleed or not alone:
            _marks(sheets, plan, column, row, x, y)
        if alone:
            sheets.foot(page, sheets.sentence("page.board", title=title))
            return
        numbers = {"row": row + 1, "rows": len(plan.rows), "column": column + 1, "columns": len(plan.columns)}
        sheets.foot(page, sheets.sentence("page.tile", title=title, **numbers))
        _map(sheets, plan, column, row)


def _bleed(sheets: Sheets, mat: Mat, x: float, y: float, bleed: float) -> None:
    """The board a little larger under itself, so that its edge goes on where the sheet is cut."""
    width, height = mat.picture.width, mat.picture.height
    with keep_state(sheets.canvas):
        sheets.canvas.translate(x, y)
        sheets.canvas.scale(mat.mm + 2 * bleed / width, mat.mm + 2 * bleed / height)
        sheets.canvas.doForm(BOARD)


def _marks(sheets: Sheets, plan: Tiling, column: int, row: int, left_edge: float, top_edge: float) -> None:
    """Marks at the tile's corners, outside its bleed, and where the next column and row begin."""
    gap = max(GAP, plan.bleed + GAP / 2 if plan.bleed else 0)
    tick = min(TICK, MARGIN - GAP - gap)
    (left, right), (top, bottom) = plan.columns[column], plan.rows[row]
    width, height = right - left, bottom - top
    across = [0.0, width, *(begin - left for begin, _ in plan.columns[column + 1 : column + 2])]
    down = [0.0, height, *(begin - top for begin, _ in plan.rows[row + 1 : row + 2])]
    for x in (left_edge + each for each in across):
        sheets.line(x, top_edge - gap - tick, x, top_edge - gap)
        sheets.line(x, top_edge + height + gap, x, top_edge + height + gap + min(tick, 3))
    for y in (top_edge + each for each in down):
        sheets.line(left_edge - gap - tick, y, left_edge - gap, y)
        sheets.line(left_edge + width + gap, y, left_edge + width + gap + tick, y)


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
