"""What a scene's classes look like outside a browser: the rules, colours and gradients of the web's stylesheets, resolved."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

WEB = Path(__file__).parents[1] / "web"
SHEETS = "base/tokens", "board/board", "lab/glance", "games/materials"  # of all games
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
LAYER = re.compile(r"@layer[^{};]*[{;]")  # no class of a drawing has rules in two layers
CLASSES = re.compile(r"(?:\.[\w-]+)+")
COMMA = re.compile(r",(?![^()]*\))")
NAMED = re.compile(r"\.named :is\(([^()]*)\)")  # names of places are shown
ROOM = re.compile(r':root\[data-game="(\w+)"\]')
VARIABLE = re.compile(r"var\((--[\w-]+)(?:,\s*([^()]*))?\)")
PRODUCT = re.compile(r"calc\(([\d.]+) \* ([\d.]+)\)")
MIXTURE = re.compile(r"color-mix\(in srgb,\s*(#\w+) (\d+)%,\s*(#\w+)\)")
PAINT = re.compile(r"url\(#([\w-]+)\)")
Look = Mapping[str, str]
PLAIN: Look = {"fill": "#000", "stroke": "none", "stroke-width": "1", "font-size": "16px", "font-family": "var(--sans)"}
NOT_INHERITED = ("opacity", "display")
Art = dict[str, ElementTree.Element]
Colour = tuple[float, float, float]
LINE, CIRCLE = {"x1": "0", "y1": "0", "x2": "1", "y2": "0"}, {"cx": ".5", "cy": ".5", "r": ".5"}


class ColourStop(NamedTuple):
    """A colour of a gradient."""

    offset: float
    colour: str
    opacity: float


class Gradient(NamedTuple):
    """A gradient with its colours.

    geometry: the ends of its line, or the middle and radius of its circle; absolute: they are in units of the drawing, not of
    the box around the shape.
    """

    geometry: tuple[float, ...]
    absolute: bool
    stops: tuple[ColourStop, ...]


@functools.cache
def symbols(folder: Path) -> Art:
    """The shared symbols and gradients and those of a game's folder, by id."""
    files = (file for file in (WEB / "art.svg", folder / "art.svg") if file.exists())
    return {each.attrib["id"]: each for file in files for each in ElementTree.parse(file).getroot()}


class Style:
    """What the classes of drawings look like. files: stylesheets; later rules win."""

    def __init__(self, *files: Path) -> None:
        self._files = files
        self._classes: dict[str, Look] = {}
        self._variables: dict[str, Look] = {}

    @functools.cached_property
    def _sheets(self) -> tuple[list[tuple[frozenset[str], Look]], Mapping[str, Look]]:
        """CSS rules by their classes, in the order of precedence, and variables by livery or game ("" for all)."""
        rules: list[tuple[frozenset[str], Look]] = []
        variables: dict[str, dict[str, str]] = {"": {}}
        for file in self._files:
            text = re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.S)
            text = NAMED.sub(r"\1", LAYER.sub("", text))
            text = re.sub(r"@[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", text)  # leave out animations
            for selectors, body in RULE.findall(text):
                pairs = (part.split(":", 1) for part in body.split(";") if ":" in part)
                look = {name.strip(): value.strip() for name, value in pairs}
                own = {name: value for name, value in look.items() if name.startswith("--")}
                for selector in (each.strip() for each in COMMA.split(selectors)):
                    if selector in (":root", ".board"):
                        variables[""].update(own)
                    elif room := ROOM.fullmatch(selector):
                        variables.setdefault(room[1], {}).update(own)
                    elif selector.startswith(".seat-"):
                        variables.setdefault(selector[6:], {}).update(own)
                    elif CLASSES.fullmatch(selector):
                        rules.append((frozenset(selector[1:].split(".")), look))
        rules.sort(key=lambda rule: len(rule[0]))
        return rules, variables

    def variables(self, seat: str) -> Look:
        """The values of colour variables for a livery, or in the room of a game ("" for none)."""
        if seat not in self._variables:
            known = self._sheets[1]
            self._variables[seat] = {**known[""], **known.get(seat, {})}
        return self._variables[seat]

    def _of_classes(self, classes: str) -> Look:
        if classes not in self._classes:
            names, found = frozenset(classes.split()), dict[str, str]()
            for wanted, look in self._sheets[0]:
                if wanted <= names:
                    found.update(look)
            self._classes[classes] = found
        return self._classes[classes]

    def resolve_style(self, parent: Look, classes: str, attributes: Look, seat: str) -> Look:
        """The style of an element inside another: inherited, then its attributes, then its classes; variables are resolved."""
        own = {**attributes, **self._of_classes(classes)}
        known = self.variables(seat)
        kept = {name: value for name, value in parent.items() if name not in NOT_INHERITED}
        return {**kept, **{name: _filled(value, known) for name, value in own.items() if not name.startswith("--")}}

    def find_gradient(self, paint: str, art: Art, seat: str) -> Gradient | None:
        """The gradient that a fill or stroke names; None for a colour."""
        named = PAINT.fullmatch(paint)
        if not named:
            return None
        drawn = art[named[1]]
        stops = []
        for each in drawn:
            look = self.resolve_style({}, each.attrib.get("class", ""), each.attrib, seat)
            stops.append(ColourStop(float(look["offset"]), look["stop-color"], float(look.get("stop-opacity", 1))))
        places = (CIRCLE if drawn.tag.endswith("radialGradient") else LINE) | drawn.attrib
        geometry = tuple(float(places[name]) for name in (CIRCLE if drawn.tag.endswith("radialGradient") else LINE))
        return Gradient(geometry, drawn.attrib.get("gradientUnits") == "userSpaceOnUse", tuple(stops))


def _filled(value: str, known: Look) -> str:
    for _ in range(3):  # a variable may refer to another
        value = VARIABLE.sub(lambda match: known.get(match[1], match[2] or ""), value)
    value = PRODUCT.sub(lambda match: f"{float(match[1]) * float(match[2]):.3f}", value)
    return MIXTURE.sub(_mix, value)


def _mix(match: re.Match[str]) -> str:
    one, other = parse_colour(match[1]), parse_colour(match[3])
    assert one and other
    part = int(match[2]) / 100
    return "#" + "".join(f"{round(255 * (part * a + (1 - part) * b)):02x}" for a, b in zip(one, other, strict=True))


def parse_colour(value: str) -> Colour | None:
    """Red, green, blue from 0 to 1; None for no colour. Errors: ValueError."""
    if value in ("none", "transparent", ""):
        return None
    digits = value.removeprefix("#")
    digits = "".join(2 * each for each in digits) if len(digits) == 3 else digits[:6]
    return int(digits[:2], 16) / 255, int(digits[2:4], 16) / 255, int(digits[4:6], 16) / 255


@functools.cache
def read_style(folder: Path, *more: Path) -> Style:
    """How the drawings of a game look. folder: the game's; more: further stylesheets."""
    static = WEB / "static"
    own = static / "games" / f"{folder.name}.css"
    return Style(*(static / f"{name}.css" for name in SHEETS), *([own] if own.exists() else []), *more)
