"""Draws the parts of a scene on a page: symbols, paths and texts, in the style of their classes."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from reportlab.pdfgen.canvas import Canvas

from bridgehead.core.scene import Item, Part, Picture, rectangle
from bridgehead.printing.paths import Step, steps
from bridgehead.printing.style import PLAIN, Look, colour, length, styled

ANCHORS = {"middle": 0.5, "end": 1.0}
CAPS, JOINS = {"round": 1, "square": 2}, {"round": 1, "bevel": 2}
SHARED = Path(__file__).parents[1] / "web/art.svg"
Art = dict[str, ElementTree.Element]


@functools.cache
def _symbols(folder: Path) -> Art:
    """The shared symbols and those of a game's folder, by id."""
    files = [file for file in (SHARED, folder / "art.svg") if file.exists()]
    found = [each for file in files for each in ElementTree.parse(file).getroot() if each.tag.endswith("symbol")]
    return {each.attrib["id"]: each for each in found}


class Pen:
    """Draws on a canvas whose y axis points down. folder: of the game with the symbols."""

    def __init__(self, canvas: Canvas, folder: Path) -> None:
        self.canvas, self._art = canvas, _symbols(folder)

    def picture(self, picture: Picture, items: Iterable[Item] = ()) -> None:
        """A board with everything on it, in the picture's units."""
        for item in (*picture.ground, *picture.fields, *sorted(items, key=lambda item: item.z)):
            self.item(item)

    def item(self, item: Item) -> None:
        """An item at its place."""
        self.parts(item.parts, item.x, item.y, item.seat, item.cls)

    def parts(self, parts: Iterable[Part], x: float, y: float, seat: str = "", cls: str = "", turn: float = 0) -> None:
        """Drawings around a point; turn in degrees, clockwise."""
        self.canvas.saveState()
        self.canvas.translate(x, y)
        self.canvas.rotate(turn)
        group = styled({name: styled({}, "", {name: value}, seat)[name] for name, value in PLAIN.items()}, cls, {}, seat)
        for part in parts:
            self._part(part, group, seat)
        self.canvas.restoreState()

    def _part(self, part: Part, group: Look, seat: str) -> None:
        look = styled(group, part.cls, {}, seat)
        self.canvas.saveState()
        self.canvas.translate(part.x, part.y)
        self.canvas.rotate(part.turn)
        self.canvas.scale(part.scale, part.scale)
        if part.use:
            for element in self._art[part.use]:
                self._element(element, look, seat)
        elif part.d:
            self._path(steps(part.d), look)
        else:
            self._text(part.text, look)
        self.canvas.restoreState()

    def _element(self, element: ElementTree.Element, parent: Look, seat: str) -> None:
        look = styled(parent, element.attrib.get("class", ""), element.attrib, seat)
        self._path(steps(_outline(element)), look)

    def _path(self, path: tuple[Step, ...], look: Look) -> None:
        canvas: Any = self.canvas
        fill, stroke = colour(look["fill"]), colour(look["stroke"])
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
        fill = colour(look["fill"])
        if fill is None:
            return
        size, font = length(look["font-size"]), _font(look)
        shown, spaced = printable(text), length(look.get("letter-spacing", "0"))
        wide = canvas.stringWidth(shown, font, size) + spaced * max(0, len(shown) - 1)
        down = 0.35 * size if look.get("dominant-baseline") == "central" else 0.0
        canvas.saveState()
        canvas.scale(1, -1)
        canvas.setFillColorRGB(*fill, alpha=float(look.get("opacity", 1)))
        canvas.setFont(font, size)
        canvas.drawString(-wide * ANCHORS.get(look.get("text-anchor", ""), 0), -down, shown, charSpace=spaced)
        canvas.restoreState()


def _font(look: Look) -> str:
    bold = look.get("font-weight", "400") not in ("400", "normal")
    if "Palatino" in look["font-family"]:
        return "Times-Bold" if bold else "Times-Roman"
    return "Helvetica-Bold" if bold else "Helvetica"


def printable(text: str) -> str:
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
