"""Splits a board over pages: columns and rows of overlapping tiles, without a seam through a field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bridgehead.core.components import Area, Mat
from bridgehead.printing import PAPERS

MARGIN = 10.0  # unprintable margin
OVERLAP = 10.0  # least overlap of two neighbouring tiles
APART = 1.5  # distance from a seam to the field behind it


class Page(NamedTuple):
    """A sheet: its size in millimetres."""

    width: float
    height: float

    @property
    def room(self) -> tuple[float, float]:
        """The printable area."""
        return self.width - 2 * MARGIN, self.height - 2 * MARGIN

    @property
    def turned(self) -> Page:
        return Page(self.height, self.width)


class Tiling(NamedTuple):
    """The page, and the positions of columns and rows of tiles on the board, in millimetres."""

    page: Page
    columns: tuple[tuple[float, float], ...]
    rows: tuple[tuple[float, float], ...]

    @property
    def pages(self) -> int:
        return len(self.columns) * len(self.rows)


def tiling(mat: Mat, paper: str) -> Tiling:
    """The fewest pages for a board at its playing size, in portrait or landscape."""
    upright = Page(*PAPERS[paper])
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
