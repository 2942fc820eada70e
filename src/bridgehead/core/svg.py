"""A position as an SVG that needs nothing else: drawn as for print, in the colours of the screen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from bridgehead.core.components import Area
from bridgehead.core.interface import AnyPosition
from bridgehead.core.look import PLAIN, SCREEN, Look, plain_parts, symbols
from bridgehead.core.scene import Item, Part

EDGE = 30  # units around the board, as on the page
SHAPES = ("fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin")
TEXTS = ("font-family", "font-size", "font-weight", "letter-spacing", "text-anchor", "dominant-baseline", "paint-order")
WHOLE = ("opacity", "display")
PLACE = ("d", "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "points")
WIDTH = 480  # pixels in a notebook


def draw_svg(
    position: AnyPosition, language: str = "en", width: int = WIDTH, frame: Area | None = None, marks: Sequence[Item] = ()
) -> bytes:
    """The board with everything on it. width: in pixels; frame: the part to show, by default all; marks: drawn on top."""
    game = position.game
    scene = game.spec.scene
    picture = scene.picture(game, language)
    whole = frame or Area(-EDGE, -EDGE, picture.width + EDGE, picture.height + EDGE)
    wide, high = whole.right - whole.left, whole.bottom - whole.top
    place = {"x": _number(whole.left), "y": _number(whole.top), "width": _number(wide), "height": _number(high)}
    size = {"width": str(width), "height": _number(width * high / wide)}
    usual = SCREEN.resolve_style({}, "", PLAIN, "")
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": " ".join(place.values()), **size, **usual})
    SubElement(root, "title").text = game.spec.title
    SubElement(root, "rect", {**place, "fill": SCREEN.variables("")["--table"]})
    shapes = SubElement(root, "defs")
    items = (*sorted(scene.items(position, language), key=lambda item: item.z), *marks)
    for item in (*picture.ground, *picture.fields, *items):
        root.extend(_draw_parts(item, symbols(game.spec.folder), usual, shapes))
    made: bytes = tostring(root, "utf-8", xml_declaration=True)
    return made


def _draw_parts(item: Item, art: dict[str, Element], usual: Look, shapes: Element) -> Iterator[Element]:
    """The drawings of an item. usual: the style that every element inherits; shapes: those that are drawn several times."""
    resolve, seat = SCREEN.resolve_style, item.seat
    group = resolve(resolve({}, "", PLAIN, seat), item.cls, {}, seat)
    for part in plain_parts(item.parts):
        look, place = resolve(group, part.cls, {}, seat), _transform(item, part)
        if part.use:
            made = Element("use", {"href": f"#{_define_shape(art[part.use], look, seat, usual, shapes)}", **place})
        elif part.d:
            made = Element("path", {"d": part.d, **place, **_differences(look, usual, "path")})
        else:
            made = Element("text", {**place, **_differences(look, usual, "text")})
            made.text = part.text
        yield made


def _define_shape(symbol: Element, look: Look, seat: str, usual: Look, shapes: Element) -> str:
    """Add a symbol in a style to the shapes, once; return its id. Equal ids on a page with several pictures are equal shapes."""
    made = Element("g")
    for each in symbol:
        shape = {name: value for name, value in each.attrib.items() if name in PLACE}
        own, kind = SCREEN.resolve_style(look, each.attrib.get("class", ""), each.attrib, seat), each.tag.rpartition("}")[2]
        SubElement(made, kind, {**shape, **_differences(own, usual, kind)}).text = each.text
    name = "s" + hashlib.sha256(tostring(made)).hexdigest()[:10]
    if name not in (known.get("id") for known in shapes):
        made.set("id", name)
        shapes.append(made)
    return name


def _transform(item: Item, part: Part) -> dict[str, str]:
    steps = [f"translate({_number(item.x + part.x)} {_number(item.y + part.y)})"]
    steps += [f"rotate({_number(part.turn)})"] if part.turn else []
    steps += [f"scale({_number(part.scale)})"] if part.scale != 1 else []
    return {"transform": "".join(steps)}


def _differences(look: Look, usual: Look, kind: str) -> dict[str, str]:
    """What an element has to say about its style: what it uses, and does not inherit."""
    names = (*SHAPES, *WHOLE, *(TEXTS if kind == "text" else ()))
    known = {"opacity": "1", "display": "inline", **usual}
    return {name: look[name] for name in names if name in look and look[name] != known.get(name)}


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
