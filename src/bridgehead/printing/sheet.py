"""Pages in millimetres from the upper left corner, and the text in their margins."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from bridgehead.core.phrases import catalogue, phrase
from bridgehead.printing.pen import Pen, keep_state, to_printable

PAPER = Path(__file__).parent / "print.css"
MARGIN = 10.0  # unprintable margin
POINT = 72 / 25.4  # points per millimetre
INK, QUIET = (0.17, 0.14, 0.12), (0.42, 0.38, 0.34)
WORDS = catalogue(Path(__file__).parent)
FOOT = 4.6  # distance of the footer from the lower edge


class PaperSheet(NamedTuple):
    """A sheet: its size in millimetres."""

    width: float
    height: float

    @property
    def room(self) -> tuple[float, float]:
        """The printable area."""
        return self.width - 2 * MARGIN, self.height - 2 * MARGIN

    @property
    def turned(self) -> PaperSheet:
        return PaperSheet(self.height, self.width)


class Sheets:
    """A PDF under construction: the same content gives the same bytes."""

    def __init__(self, title: str, language: str, folder: Path, author: str = "Bridgehead") -> None:
        self._bytes = BytesIO()
        self.canvas: Any = Canvas(self._bytes, invariant=1, pageCompression=1, lang=language)
        self.canvas.setTitle(to_printable(title))
        self.canvas.setCreator("Bridgehead")
        self.canvas.setAuthor(to_printable(author))
        self.language = language
        self.pen = Pen(self.canvas, folder, PAPER)

    @contextlib.contextmanager
    def page(self, page: PaperSheet) -> Iterator[None]:
        """A new page for the drawing commands inside, in millimetres from its upper left corner."""
        self.canvas.setPageSize((page.width * POINT, page.height * POINT))
        with keep_state(self.canvas):
            self.canvas.transform(POINT, 0, 0, -POINT, 0, page.height * POINT)
            yield
        self.canvas.showPage()

    def flip_axis(self, page: PaperSheet) -> None:
        """Switch to points from the lower left corner for the rest of the page, as text layout needs it."""
        self.canvas.transform(1 / POINT, 0, 0, -1 / POINT, 0, page.height)

    def bytes(self) -> bytes:
        """The whole file."""
        self.canvas.save()
        return self._bytes.getvalue()

    def sentence(self, key: str, **params: object) -> str:
        """A sentence of the printed pages' catalogue."""
        return WORDS.tell(phrase(key, **params), self.language)

    def write(self, text: str, x: float, y: float, size: float, bold: bool = False, quiet: bool = False) -> None:
        """A line of text with its baseline at y; size in millimetres."""
        canvas = self.canvas
        with keep_state(canvas):
            canvas.translate(x, y)
            canvas.scale(1, -1)
            canvas.setFillColorRGB(*(QUIET if quiet else INK))
            canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
            canvas.drawString(0, 0, to_printable(text))

    def block(
        self, text: str, x: float, y: float, width: float, size: float = 3.2, bold: bool = False, quiet: bool = False
    ) -> float:
        """A paragraph; returns where the next one begins."""
        for line in self.lines(text, width, size, bold):
            self.write(line, x, y + size, size, bold, quiet=quiet)
            y += 1.35 * size
        return y

    def lines(self, text: str, width: float, size: float, bold: bool = False) -> list[str]:
        """A text as lines that fit."""
        return [str(line) for line in simpleSplit(to_printable(text), "Helvetica-Bold" if bold else "Helvetica", size, width)]

    def sideways(self, text: str, x: float, y: float, size: float) -> None:
        """Small vertical text from y upwards, with its baseline at x."""
        with keep_state(self.canvas):
            self.canvas.translate(x, y)
            self.canvas.rotate(-90)
            self.write(text, 0, 0, size, quiet=True)

    def foot(self, page: PaperSheet, text: str) -> None:
        """The page number in the lower margin."""
        self.write(text, MARGIN, page.height - FOOT, 2.8, quiet=True)

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float = 0.2) -> None:
        """A thin dark line, for marks."""
        with keep_state(self.canvas):
            self.canvas.setStrokeColorRGB(*INK)
            self.canvas.setLineWidth(width)
            self.canvas.line(x1, y1, x2, y2)

    def box(self, x: float, y: float, width: float, height: float, filled: bool = False) -> None:
        """A thin dark frame, or a dark rectangle."""
        with keep_state(self.canvas):
            self.canvas.setStrokeColorRGB(*INK)
            self.canvas.setFillColorRGB(*INK)
            self.canvas.setLineWidth(0.2)
            self.canvas.rect(x, y, width, height, stroke=1, fill=int(filled))
