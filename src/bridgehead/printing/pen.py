"""Draws the parts of a scene on a page: symbols, paths and texts, in the style of their classes.

The style comes from classes and variables of the web stylesheets (`core.look`); print has a few rules more (`PAPER`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from reportlab.pdfbase.pdfdoc import PDFResourceDictionary
from reportlab.pdfgen.canvas import Canvas

from bridgehead.core.look import PLAIN, SHEETS, Look, Style, plain_parts, symbols
from bridgehead.core.scene import Item, Part, Picture, rectangle
from bridgehead.printing.paths import PathSegment, parse_path

ANCHORS = {"middle": 0.5, "end": 1.0}
CAPS, JOINS = {"round": 1, "square": 2}, {"round": 1, "bevel": 2}


@contextlib.contextmanager
def keep_state(canvas: Canvas) -> Iterator[None]:
    """Restore the state of a canvas afterwards."""
    canvas.saveState()
    yield
    canvas.restoreState()


@contextlib.contextmanager
def form(canvas: Canvas, name: str, *box: float) -> Iterator[None]:
    """Store what is drawn meanwhile under a name. box: left, bottom, right and top edge."""
    canvas.beginForm(name, *box)
    yield
    resources = PDFResourceDictionary(ExtGState=canvas._extgstate.getState() or {})  # endForm loses transparency
    resources.basicFonts()
    canvas.endForm(Resources=resources)


class Pen:
    """Draws on a canvas whose y axis points down. folder: of the game with the symbols."""

    def __init__(self, canvas: Canvas, folder: Path, style: Style | None = None) -> None:
        self.canvas, self._art, self._style = canvas, symbols(folder), style or PAPER

    def picture(self, picture: Picture, items: Iterable[Item] = ()) -> None:
        """A board with everything on it, in the picture's units."""
        for item in (*picture.ground, *picture.fields, *sorted(items, key=lambda item: item.z)):
            self.parts(item.parts, item.x, item.y, item.seat, item.cls)

    def parts(self, parts: Iterable[Part], x: float, y: float, seat: str = "", cls: str = "") -> None:
        """Drawings around a point."""
        styled = self._style.resolve_style
        group = styled(styled({}, "", PLAIN, seat), cls, {}, seat)
        with keep_state(self.canvas):
            self.canvas.translate(x, y)
            for part in plain_parts(parts):
                with keep_state(self.canvas):
                    self._part(part, styled(group, part.cls, {}, seat), seat)

    def _part(self, part: Part, look: Look, seat: str) -> None:
        self.canvas.translate(part.x, part.y)
        self.canvas.rotate(part.turn)
        self.canvas.scale(part.scale, part.scale)
        if part.use:
            for element in self._art[part.use]:
                own = self._style.resolve_style(look, element.attrib.get("class", ""), element.attrib, seat)
                if element.tag.endswith("text"):
                    self._text(element.text or "", own)
                else:
                    self._path(parse_path(_outline(element)), own)
        elif part.d:
            self._path(parse_path(part.d), look)
        else:
            self._text(part.text, look)

    def _path(self, path: tuple[PathSegment, ...], look: Look) -> None:
        canvas: Any = self.canvas
        fill, stroke = parse_colour(look["fill"]), parse_colour(look["stroke"])
        opacity = float(look.get("opacity", 1))
        if opacity == 0 or (fill is None and stroke is None):
            return
        canvas.saveState()
        if fill is not None:
            canvas.setFillColorRGB(*fill, alpha=opacity * float(look.get("fill-opacity", 1)))
        if stroke is not None:
            canvas.setStrokeColorRGB(*stroke, alpha=opacity)
            canvas.setLineWidth(length(look["stroke-width"]))
            canvas.setLineCap(CAPS.get(look.get("stroke-linecap", ""), 0))
            canvas.setLineJoin(JOINS.get(look.get("stroke-linejoin", ""), 0))
            if "stroke-dasharray" in look:
                canvas.setDash([float(each) for each in look["stroke-dasharray"].split()])
        drawn = canvas.beginPath()
        for step in path:
            if step.kind == "M":
                drawn.moveTo(*step.points[0])
            elif step.kind == "L":
                drawn.lineTo(*step.points[0])
            elif step.kind == "C":
                drawn.curveTo(*step.points[0], *step.points[1], *step.points[2])
            else:
                drawn.close()
        mode = 0 if look.get("fill-rule") == "evenodd" else 1
        canvas.drawPath(drawn, stroke=int(stroke is not None), fill=int(fill is not None), fillMode=mode)
        canvas.restoreState()

    def _text(self, text: str, look: Look) -> None:
        canvas: Any = self.canvas
        fill = parse_colour(look["fill"])
        if fill is None:
            return
        size, font = length(look["font-size"]), _font(look)
        shown, spaced = to_printable(text), length(look.get("letter-spacing", "0"))
        wide = canvas.stringWidth(shown, font, size) + spaced * max(0, len(shown) - 1)
        down = 0.35 * size if look.get("dominant-baseline") == "central" else 0.0
        canvas.saveState()
        canvas.scale(1, -1)
        canvas.setFillColorRGB(*fill, alpha=float(look.get("opacity", 1)))
        canvas.setFont(font, size)
        left = -wide * ANCHORS.get(look.get("text-anchor", ""), 0)
        edge = parse_colour(look["stroke"]) if look.get("paint-order") == "stroke" else None
        if edge is not None:
            canvas.setStrokeColorRGB(*edge)
            canvas.setLineWidth(length(look["stroke-width"]))
            canvas.setLineJoin(JOINS.get(look.get("stroke-linejoin", ""), 0))
            canvas.drawString(left, -down, shown, mode=1, charSpace=spaced)
        canvas.drawString(left, -down, shown, charSpace=spaced)
        canvas.restoreState()


def _font(look: Look) -> str:
    bold = look.get("font-weight", "400") not in ("400", "normal")
    if "Palatino" in look["font-family"]:
        return "Times-Bold" if bold else "Times-Roman"
    return "Helvetica-Bold" if bold else "Helvetica"


def to_printable(text: str) -> str:
    """The text in characters of the built-in fonts; others become question marks."""
    return text.encode("cp1252", "replace").decode("cp1252")


def _outline(element: ElementTree.Element) -> str:
    """Path data of a symbol's element."""
    kind = element.tag.rpartition("}")[2]
    if kind == "path":
        return element.attrib["d"]
    numbers = {name: float(element.attrib.get(name, 0)) for name in ("x", "y", "width", "height", "rx", "ry", "cx", "cy", "r")}
    if kind == "rect":
        return rectangle(numbers["x"], numbers["y"], numbers["width"], numbers["height"], numbers["rx"])
    rx, ry = (numbers["r"], numbers["r"]) if kind == "circle" else (numbers["rx"], numbers["ry"])
    half = f"A{rx} {ry} 0 1 1 "
    left, right = numbers["cx"] - rx, numbers["cx"] + rx
    return f"M{left} {numbers['cy']}{half}{right} {numbers['cy']}{half}{left} {numbers['cy']}Z"


PAPER = Style(*SHEETS, Path(__file__).parent / "print.css")


def parse_colour(value: str) -> tuple[float, float, float] | None:
    """Red, green, blue from 0 to 1; None for no colour. Errors: ValueError."""
    if value in ("none", "transparent", ""):
        return None
    digits = value.removeprefix("#")
    digits = "".join(2 * each for each in digits) if len(digits) == 3 else digits[:6]
    return int(digits[:2], 16) / 255, int(digits[2:4], 16) / 255, int(digits[4:6], 16) / 255


def length(value: str) -> float:
    """A number with or without px."""
    return float(value.removesuffix("px"))
