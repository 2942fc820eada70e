"""What a scene's classes look like: the rules and colours of the web stylesheets, resolved outside a browser."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

WEB = Path(__file__).parents[1] / "web"
SHEETS = tuple(WEB / "static" / f"{name}.css" for name in ("base/tokens", "board/board", "base/pieces", "lab/glance"))
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
LAYER = re.compile(r"@layer[^{};]*[{;]")  # no class of a drawing has rules in two layers
CLASSES = re.compile(r"(?:\.[\w-]+)+")
VARIABLE = re.compile(r"var\((--[\w-]+)(?:,\s*([^()]*))?\)")
Look = Mapping[str, str]
PLAIN: Look = {"fill": "#000", "stroke": "none", "stroke-width": "1", "font-size": "16px", "font-family": "var(--sans)"}
NOT_INHERITED = ("opacity", "display")
Art = dict[str, ElementTree.Element]


@functools.cache
def symbols(folder: Path) -> Art:
    """The shared symbols and those of a game's folder, by id."""
    files = [file for file in (WEB / "art.svg", folder / "art.svg") if file.exists()]
    found = [each for file in files for each in ElementTree.parse(file).getroot() if each.tag.endswith("symbol")]
    return {each.attrib["id"]: each for each in found}


class Style:
    """What the classes of drawings look like. files: stylesheets; later rules win."""

    def __init__(self, *files: Path) -> None:
        self._files = files
        self._classes: dict[str, Look] = {}
        self._variables: dict[str, Look] = {}

    @functools.cached_property
    def _sheets(self) -> tuple[list[tuple[frozenset[str], Look]], Mapping[str, Look]]:
        """CSS rules by their classes, in the order of precedence, and variables by livery class ("" for all)."""
        rules: list[tuple[frozenset[str], Look]] = []
        variables: dict[str, dict[str, str]] = {"": {}}
        for file in self._files:
            text = re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.S)
            text = LAYER.sub("", text)
            text = re.sub(r"@[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", text)  # leave out animations
            for selectors, body in RULE.findall(text):
                pairs = (part.split(":", 1) for part in body.split(";") if ":" in part)
                look = {name.strip(): value.strip() for name, value in pairs}
                own = {name: value for name, value in look.items() if name.startswith("--")}
                for selector in (each.strip() for each in selectors.split(",")):
                    if selector in (":root", ".board"):
                        variables[""].update(own)
                    elif selector.startswith(".seat-"):
                        variables.setdefault(selector[6:], {}).update(own)
                    elif CLASSES.fullmatch(selector):
                        rules.append((frozenset(selector[1:].split(".")), look))
        rules.sort(key=lambda rule: len(rule[0]))
        return rules, variables

    def variables(self, seat: str) -> Look:
        """The values of colour variables for a livery ("" for none)."""
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


def _filled(value: str, known: Look) -> str:
    for _ in range(3):  # a variable may refer to another
        value = VARIABLE.sub(lambda match: known.get(match[1], match[2] or ""), value)
    return value


SCREEN = Style(*SHEETS)
