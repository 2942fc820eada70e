"""A position as an SVG that needs nothing else: its symbols and gradients stand in it, with the colours of the screen."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

import msgspec

from bridgehead.core.components import Area
from bridgehead.core.interface import AnyPosition
from bridgehead.core.look import CIRCLE, LINE, PLAIN, Gradient, Look, read_style, symbols
from bridgehead.core.scene import Item, Part

EDGE = 30  # units around the board, as on the page
LONG = 60  # letters of an outline that it is worth to share
SHAPES = ("fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin")
TEXTS = ("font-family", "font-size", "font-weight", "letter-spacing", "text-anchor", "dominant-baseline", "paint-order")
PLACE = ("transform", "d", "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "points")
WIDTH = 480  # pixels in a notebook
FAR = 220  # units: no symbol of a piece reaches so far


def draw_svg(
    position: AnyPosition,
    language: str = "en",
    width: int = WIDTH,
    frame: Area | None = None,
    marks: Sequence[Item] = (),
    shared: Element | None = None,
) -> bytes:
    """The board with everything on it. width: in pixels; frame: the part to show, by default all; marks: drawn on top.

    shared: where shapes are defined for all pictures of a page, which has to hold it.
    """
    game = position.game
    scene = game.spec.scene
    picture = scene.picture(game, language)
    whole = frame or Area(-EDGE, -EDGE, picture.width + EDGE, picture.height + EDGE)
    wide, high = whole.right - whole.left, whole.bottom - whole.top
    place = {"x": _number(whole.left), "y": _number(whole.top), "width": _number(wide), "height": _number(high)}
    size = {"width": str(width), "height": _number(width * high / wide)}
    defs = Element("defs") if shared is None else shared
    shapes = _Shapes(defs, game.spec.folder)
    view = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": " ".join(place.values())}
    root = Element("svg", {**view, **size, **shapes.usual})
    SubElement(root, "title").text = game.spec.title
    SubElement(root, "rect", {**place, "fill": shapes.style.variables(game.spec.id)["--table"]})
    root.extend([defs] if shared is None else [])
    for still in (picture.ground, picture.fields):
        drawn = Element("g")
        drawn.extend(each for item in still for each in _draw_parts(item, shapes))
        SubElement(root, "use", {"href": f"#{shapes.define(drawn)}"})
    for item in (*sorted(scene.items(position, language), key=lambda item: item.z), *marks):
        root.extend(_draw_parts(_crop(item, whole), shapes))
    shapes.share_outlines(root)
    made: bytes = tostring(root, "utf-8", xml_declaration=True)
    return made


class _Shapes:
    """What a picture draws several times: symbols in a style, gradients, the ground. Equal ids on a page are equal shapes."""

    def __init__(self, defs: Element, folder: Path) -> None:
        self.style, self._art = read_style(folder), symbols(folder)
        self.usual = self.style.resolve_style({}, "", PLAIN, "")  # the style that every element inherits
        self._defs, self._known = defs, {each.get("id") for each in defs}

    def define(self, made: Element) -> str:
        """Add a shape, once; return its id."""
        name = "s" + hashlib.sha256(tostring(made)).hexdigest()[:10]
        if name not in self._known:
            self._known.add(name)
            made.set("id", name)
            self._defs.append(made)
        return name

    def share_outlines(self, root: Element) -> None:
        """Define a long outline once that a picture draws several times, in several styles."""
        paths = [*dict.fromkeys(each for tree in (root, self._defs) for each in tree.iter("path"))]
        counted = Counter(each.get("d", "") for each in paths)
        for each in paths:
            outline = each.get("d", "")
            if "id" not in each.attrib and counted[outline] > 1 and len(outline) > LONG:
                each.tag = "use"
                del each.attrib["d"]
                each.set("href", f"#{self.define(Element('path', {'d': outline}))}")

    def define_symbol(self, name: str, look: Look, seat: str) -> str:
        """Add a symbol in a style; return its id."""
        made = Element("g")
        for each in self._art[name]:
            self._draw_element(made, each, look, seat)
        return self.define(made)

    def _draw_element(self, parent: Element, element: Element, look: Look, seat: str) -> None:
        own = self.style.resolve_style(look, element.get("class", ""), element.attrib, seat)
        kind = element.tag.rpartition("}")[2]
        if own.get("display") == "none":
            return
        shape = {name: value for name, value in element.attrib.items() if name in PLACE}
        made = SubElement(parent, kind, {**shape, **(_whole(own) if kind == "g" else self.tell_style(own, kind, seat))})
        made.text = element.text if kind == "text" else None
        for each in element:
            self._draw_element(made, each, own, seat)

    def tell_style(self, look: Look, kind: str, seat: str) -> dict[str, str]:
        """What an element has to say about its style: what it uses, and does not inherit."""
        names = (*SHAPES, *(TEXTS if kind == "text" else ()))
        told = {name: look[name] for name in names if name in look and look[name] != self.usual.get(name)}
        for name in ("fill", "stroke"):
            if gradient := self.style.find_gradient(told.get(name, ""), self._art, seat):
                told[name] = f"url(#{self.define(_draw_gradient(gradient))})"
        return told | _whole(look)


def _draw_gradient(gradient: Gradient) -> Element:
    kind, names = ("linearGradient", LINE) if len(gradient.geometry) == len(LINE) else ("radialGradient", CIRCLE)
    made = Element(kind, {name: _number(value) for name, value in zip(names, gradient.geometry, strict=True)})
    if gradient.absolute:
        made.set("gradientUnits", "userSpaceOnUse")
    for stop in gradient.stops:
        see_through = {} if stop.opacity == 1 else {"stop-opacity": _number(stop.opacity)}
        SubElement(made, "stop", {"offset": _number(stop.offset), "stop-color": stop.colour, **see_through})
    return made


def _crop(item: Item, frame: Area) -> Item:
    """An item without symbols and texts that are far outside a frame."""
    across, down = (frame.left - FAR, frame.right + FAR), (frame.top - FAR, frame.bottom + FAR)
    shown = (part.d or (across[0] < item.x + part.x < across[1] and down[0] < item.y + part.y < down[1]) for part in item.parts)
    return msgspec.structs.replace(item, parts=tuple(itertools.compress(item.parts, shown)))


def _draw_parts(item: Item, shapes: _Shapes) -> Iterator[Element]:
    """The drawings of an item."""
    resolve, seat = shapes.style.resolve_style, item.seat
    group = resolve(resolve({}, "", PLAIN, seat), item.cls, {}, seat)
    for part in item.parts:
        look, place = resolve(group, part.cls, {}, seat), _transform(item, part)
        if look.get("display") == "none":
            continue
        if part.use:
            made = Element("use", {"href": f"#{shapes.define_symbol(part.use, look, seat)}", **place, **_whole(look)})
        elif part.d:
            made = Element("path", {"d": part.d, **place, **shapes.tell_style(look, "path", seat)})
        else:
            made = Element("text", {**place, **shapes.tell_style(look, "text", seat)})
            made.text = part.text
        yield made


def _whole(look: Look) -> dict[str, str]:
    """How much an element with all in it shows."""
    return {} if float(look.get("opacity", 1)) == 1 else {"opacity": look["opacity"]}


def _transform(item: Item, part: Part) -> dict[str, str]:
    steps = [f"translate({_number(item.x + part.x)} {_number(item.y + part.y)})"]
    steps += [f"rotate({_number(part.turn)})"] if part.turn else []
    steps += [f"scale({_number(part.scale)})"] if part.scale != 1 else []
    return {"transform": "".join(steps)}


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
