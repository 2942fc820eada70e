"""A position as an SVG that needs nothing else: drawn as for print, in the colours of the screen (`bridgehead film`)."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, tostring

from bridgehead.core.game import Position
from bridgehead.core.scene import Item, Part
from bridgehead.printing.pen import PLAIN, SCREEN, Look, symbols

EDGE = 30  # units around the board, as on the page
LOOKS = (
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
    "paint-order", "opacity", "display", "font-family", "font-size", "font-weight", "letter-spacing", "text-anchor",
    "dominant-baseline",
)  # fmt: skip
USUAL = {("opacity", "1"), ("display", "inline")}  # of what no element inherits
SHAPE = ("d", "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "points")


def render_board(position: Position, language: str, width: int) -> bytes:
    """The board with everything on it. width: in pixels."""
    game = position.game
    scene = game.spec.scene
    picture = scene.picture(game, language)
    wide, high = picture.width + 2 * EDGE, picture.height + 2 * EDGE
    place = {"x": _number(-EDGE), "y": _number(-EDGE), "width": _number(wide), "height": _number(high)}
    view = " ".join(place.values())
    size = {"width": str(width), "height": _number(width * high / wide)}
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": view, **size})
    SubElement(root, "title").text = game.spec.title
    SubElement(root, "rect", {**place, "fill": SCREEN.variables("")["--table"]})
    items = sorted(scene.items(position, language), key=lambda item: item.z)
    for item in (*picture.ground, *picture.fields, *items):
        root.extend(_parts(item, symbols(game.spec.folder)))
    made: bytes = tostring(root, "utf-8", xml_declaration=True)
    return made


def _parts(item: Item, art: dict[str, Element]) -> Iterator[Element]:
    """The drawings of an item."""
    styled, seat = SCREEN.resolve_style, item.seat
    group = styled(styled({}, "", PLAIN, seat), item.cls, {}, seat)
    for part in item.parts:
        look = styled(group, part.cls, {}, seat)
        made = Element("g", {"transform": _transform(item, part)})
        if part.use:
            for each in art[part.use]:
                shape = {name: value for name, value in each.attrib.items() if name in SHAPE}
                own = styled(look, each.attrib.get("class", ""), each.attrib, seat)
                SubElement(made, each.tag.rpartition("}")[2], {**shape, **_look(own)}).text = each.text
        elif part.d:
            SubElement(made, "path", {"d": part.d, **_look(look)})
        else:
            SubElement(made, "text", _look(look)).text = part.text
        yield made


def _transform(item: Item, part: Part) -> str:
    where = f"translate({_number(item.x + part.x)} {_number(item.y + part.y)})"
    turn = f" rotate({_number(part.turn)})" if part.turn else ""
    return where + turn + (f" scale({_number(part.scale)})" if part.scale != 1 else "")


def _look(look: Look) -> dict[str, str]:
    return {name: look[name] for name in LOOKS if name in look and (name, look[name]) not in USUAL}


def _number(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")
