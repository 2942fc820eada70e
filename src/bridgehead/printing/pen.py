"""Draws the parts of a scene on a page: symbols, paths and texts, in the style of their classes, with their gradients.

The style comes from classes and variables of the web stylesheets (`core.look`); print has a few rules more.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from reportlab.pdfbase.pdfdoc import PDFResourceDictionary
from reportlab.pdfgen.canvas import Canvas

from bridgehead.core.look import PLAIN, Gradient, Look, parse_colour, read_style, symbols
from bridgehead.core.scene import Item, Part, Picture, rectangle
from bridgehead.printing.paths import PathSegment, Point, parse_path
from bridgehead.printing.shading import Box, Shader

ANCHORS = {"middle": 0.5, "end": 1.0}
STEP = re.compile(r"(translate|rotate|scale)\(([^()]*)\)")
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
    resources.setShading(canvas._shadingUsed)
    resources.basicFonts()
    canvas.endForm(Resources=resources)


class Pen:
    """Draws on a canvas whose y axis points down. folder: of the game with the symbols; more: further stylesheets."""

    def __init__(self, canvas: Any, folder: Path, *more: Path) -> None:
        self.canvas, self._art, self._style, self._shader = canvas, symbols(folder), read_style(folder, *more), Shader(canvas)

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
            for part in parts:
                with keep_state(self.canvas):
                    self._part(part, styled(group, part.cls, {}, seat), seat)

    def _part(self, part: Part, look: Look, seat: str) -> None:
        self.canvas.translate(part.x, part.y)
        self.canvas.rotate(part.turn)
        self.canvas.scale(part.scale, part.scale)
        if look.get("display") == "none":
            return
        if part.use:
            for element in self._art[part.use]:
                self._element(element, look, seat, float(look.get("opacity", 1)))
        elif part.d:
            self._path(parse_path(part.d), look, seat)
        else:
            self._text(part.text, look)

    def _element(self, element: ElementTree.Element, look: Look, seat: str, opacity: float) -> None:
        """An element of a symbol. look, opacity: of what it stands in."""
        own = self._style.resolve_style(look, element.attrib.get("class", ""), element.attrib, seat)
        own = {**own, "opacity": str(opacity * float(own.get("opacity", 1)))}
        if own.get("display") == "none":
            return
        steps = STEP.findall(element.attrib.get("transform", ""))
        with keep_state(self.canvas) if steps else contextlib.nullcontext():
            for kind, numbers in steps:
                self._move(kind, *map(float, numbers.replace(",", " ").split()))
            if element.tag.endswith("}g"):
                for each in element:
                    self._element(each, own, seat, float(own["opacity"]))
            elif element.tag.endswith("text"):
                self._text(element.text or "", own)
            else:
                self._path(parse_path(_outline(element)), own, seat)

    def _move(self, kind: str, *numbers: float) -> None:
        """A step of a transform."""
        if kind == "rotate":
            angle, x, y = (*numbers, 0, 0)[:3]
            self.canvas.translate(x, y)
            self.canvas.rotate(angle)
            self.canvas.translate(-x, -y)
        elif kind == "translate":
            self.canvas.translate(*numbers)
        else:
            self.canvas.scale(numbers[0], numbers[-1])

    def _path(self, path: tuple[PathSegment, ...], look: Look, seat: str) -> None:
        canvas, opacity = self.canvas, float(look.get("opacity", 1))
        inside, along = (self._style.find_gradient(look[name], self._art, seat) for name in ("fill", "stroke"))
        fill, stroke = (None if found else parse_colour(look[name]) for name, found in (("fill", inside), ("stroke", along)))
        if opacity == 0 or not (inside or along or fill or stroke):
            return
        with keep_state(canvas):
            drawn, mode = self._trace(path), 0 if look.get("fill-rule") == "evenodd" else 1
            if inside and all((box := find_box(path))[2:]):
                self._shade(inside, drawn, mode, box, opacity)
            if along:
                self._shade_line(along, drawn, find_box(path), look, opacity)
            if fill:
                canvas.setFillColorRGB(*fill, alpha=opacity * float(look.get("fill-opacity", 1)))
            if stroke:
                canvas.setStrokeColorRGB(*stroke, alpha=opacity)
                self._set_line(look)
            if fill or stroke:
                canvas.drawPath(drawn, stroke=int(bool(stroke)), fill=int(bool(fill)), fillMode=mode)

    def _trace(self, path: tuple[PathSegment, ...]) -> Any:
        drawn = self.canvas.beginPath()
        for step in path:
            if step.kind == "M":
                drawn.moveTo(*step.points[0])
            elif step.kind == "L":
                drawn.lineTo(*step.points[0])
            elif step.kind == "C":
                drawn.curveTo(*step.points[0], *step.points[1], *step.points[2])
            else:
                drawn.close()
        return drawn

    def _set_line(self, look: Look) -> None:
        """How strokes are drawn."""
        self.canvas.setLineWidth(length(look["stroke-width"]))
        self.canvas.setLineCap(CAPS.get(look.get("stroke-linecap", ""), 0))
        self.canvas.setLineJoin(JOINS.get(look.get("stroke-linejoin", ""), 0))
        if "stroke-dasharray" in look:
            self.canvas.setDash([float(each) for each in look["stroke-dasharray"].split()])

    def _shade(self, gradient: Gradient, drawn: Any, mode: int, box: Box, opacity: float) -> None:
        """Fill a path with a gradient."""
        with keep_state(self.canvas):
            self.canvas.clipPath(drawn, stroke=0, fill=0, fillMode=mode)
            self.canvas.setFillAlpha(opacity)
            self._shader.fill(gradient, box)

    def _shade_line(self, gradient: Gradient, drawn: Any, box: Box, look: Look, opacity: float) -> None:
        """Stroke a path with a gradient without see-through colours."""
        wide = length(look["stroke-width"])
        around = (box[0] - wide, box[1] - wide, box[2] + 2 * wide, box[3] + 2 * wide)
        caps, joins = CAPS.get(look.get("stroke-linecap", ""), 0), JOINS.get(look.get("stroke-linejoin", ""), 0)
        window = self.canvas.beginPath()
        window.rect(*around)
        with keep_state(self.canvas):
            self._shader.hide_but(f"{wide} w {caps} J {joins} j 1 G {drawn.getCode()} S", around)
            self._shade(gradient, window, 1, box, opacity)

    def _text(self, text: str, look: Look) -> None:
        canvas = self.canvas
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


def find_box(path: tuple[PathSegment, ...]) -> Box:
    """The box around a path, within a hundredth of its size."""
    points: list[Point] = []
    for step in path:
        if step.kind == "C":
            a, (b, c, d) = points[-1], step.points
            for t in (each / 8 for each in range(1, 8)):
                weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
                places = tuple(zip(a, b, c, d, strict=True))
                points.append((_weigh(weights, places[0]), _weigh(weights, places[1])))
        points += step.points[-1:]
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def _weigh(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


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


def length(value: str) -> float:
    """A number with or without px."""
    return float(value.removesuffix("px"))
