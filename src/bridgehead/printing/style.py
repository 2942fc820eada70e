"""The boards' colours on paper: classes and variables of the web stylesheets, and a few only for print."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
SHEETS = (HERE.parent / "web/static/tokens.css", HERE.parent / "web/static/board.css", HERE / "print.css")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
CLASSES = re.compile(r"(?:\.[\w-]+)+")
VARIABLE = re.compile(r"var\((--[\w-]+)\)")
Look = Mapping[str, str]
PLAIN: Look = {"fill": "#000", "stroke": "none", "stroke-width": "1", "font-size": "16px", "font-family": "var(--sans)"}
NOT_INHERITED = ("opacity", "display")


class _Sheets(NamedTuple):
    """CSS rules by their classes, in the order of precedence, and variables by livery class ("" for all)."""

    rules: tuple[tuple[frozenset[str], Look], ...]
    variables: Mapping[str, Look]


@functools.cache
def _sheets() -> _Sheets:
    rules: list[tuple[frozenset[str], Look]] = []
    variables: dict[str, dict[str, str]] = {"": {}}
    for file in SHEETS:
        text = re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.S)
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
    return _Sheets(tuple(rules), variables)


@functools.cache
def variables(seat: str) -> Look:
    """The values of colour variables for a livery ("" for none)."""
    known = _sheets().variables
    return {**known[""], **known.get(seat, {})}


@functools.cache
def _of_classes(classes: str) -> Look:
    names, found = frozenset(classes.split()), dict[str, str]()
    for wanted, look in _sheets().rules:
        if wanted <= names:
            found.update(look)
    return found


def styled(parent: Look, classes: str, attributes: Look, seat: str) -> Look:
    """The style of an element inside another: inherited, then its attributes, then its classes; variables are resolved."""
    own = {**{name: value for name, value in attributes.items()}, **_of_classes(classes)}
    known = variables(seat)
    kept = {name: value for name, value in parent.items() if name not in NOT_INHERITED}
    return {**kept, **{name: _filled(value, known) for name, value in own.items() if not name.startswith("--")}}


def _filled(value: str, known: Look) -> str:
    for _ in range(3):  # a variable may refer to another
        value = VARIABLE.sub(lambda match: known.get(match[1], ""), value)
    return value


def colour(value: str) -> tuple[float, float, float] | None:
    """Red, green, blue from 0 to 1; None for no colour. Errors: ValueError."""
    if value in ("none", "transparent", ""):
        return None
    digits = value.removeprefix("#")
    digits = "".join(2 * each for each in digits) if len(digits) == 3 else digits[:6]
    return int(digits[:2], 16) / 255, int(digits[2:4], 16) / 255, int(digits[4:6], 16) / 255


def length(value: str) -> float:
    """A number with or without px."""
    return float(value.removesuffix("px"))
