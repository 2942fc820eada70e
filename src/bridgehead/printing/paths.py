"""Path data of SVG as lines and curves."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

TOKEN = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
SMOOTH = {"S": "C", "T": "Q"}  # curves that go on as the last one ended
Point = tuple[float, float]


class PathSegment(NamedTuple):
    """A segment of a path: M, L, C or Z, and its points (the last is its end)."""

    kind: str
    points: tuple[Point, ...] = ()


def parse_path(data: str) -> tuple[PathSegment, ...]:
    """Absolute moves, lines and cubic curves. Errors: ValueError for a malformed path."""
    found: list[PathSegment] = []
    at = start = control = (0.0, 0.0)
    for letter, numbers in _commands(data):
        kind = letter.upper()
        base = at if letter.islower() else (0.0, 0.0)
        if kind == "Z":
            found.append(PathSegment("Z"))
            at = start
            continue
        if kind in SMOOTH:
            kind, numbers = SMOOTH[kind], [2 * at[0] - control[0] - base[0], 2 * at[1] - control[1] - base[1], *numbers]
        found += _made(kind, numbers, base, at)
        control = (base[0] + numbers[-4], base[1] + numbers[-3]) if kind in "CQ" else found[-1].points[-1]
        at = found[-1].points[-1]
        if kind == "M":
            start = at
    return tuple(found)


def _made(kind: str, numbers: list[float], base: Point, at: Point) -> list[PathSegment]:
    """One command as segments, from the current point."""
    bx, by = base
    if kind == "H":
        return [PathSegment("L", ((bx + numbers[0], at[1]),))]
    if kind == "V":
        return [PathSegment("L", ((at[0], by + numbers[0]),))]
    if kind == "A":
        rx, ry, turn, large, sweep, x, y = numbers
        return _arc(at, (bx + x, by + y), (abs(rx), abs(ry)), math.radians(turn), bool(large), bool(sweep))
    points = [(bx + x, by + y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    if kind == "Q":
        (cx, cy), end = points
        one, other = ((px + 2 * (cx - px) / 3, py + 2 * (cy - py) / 3) for px, py in (at, end))
        return [PathSegment("C", (one, other, end))]
    return [PathSegment(kind, tuple(points))]


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Commands with their numbers; further numbers repeat a command (M as L)."""
    letter, tokens = "", TOKEN.findall(data)
    place = 0
    while place < len(tokens):
        if tokens[place].isalpha():
            letter = tokens[place]
            place += 1
        elif letter in "mM":
            letter = "l" if letter == "m" else "L"
        if letter.upper() not in NUMBERS or (letter.upper() == "Z" and place < len(tokens) and not tokens[place].isalpha()):
            raise ValueError(f"not a path: {data[:40]!r}")
        wanted = NUMBERS[letter.upper()]
        yield letter, [float(each) for each in tokens[place : place + wanted]]
        place += wanted


def _arc(a: Point, b: Point, radii: Point, turn: float, large: bool, sweep: bool) -> list[PathSegment]:
    """An elliptical arc as cubic curves (SVG 1.1, appendix F.6)."""
    if a == b or not all(radii):
        return [PathSegment("L", (b,))]
    cos, sin = math.cos(turn), math.sin(turn)
    dx, dy = (a[0] - b[0]) / 2, (a[1] - b[1]) / 2
    x, y = cos * dx + sin * dy, cos * dy - sin * dx
    grow = max(1.0, math.sqrt((x / radii[0]) ** 2 + (y / radii[1]) ** 2))
    rx, ry = radii[0] * grow, radii[1] * grow
    below = (rx * y) ** 2 + (ry * x) ** 2
    far = math.sqrt(max(0.0, (rx * ry) ** 2 / below - 1)) * (-1 if large == sweep else 1)
    cx, cy = far * rx * y / ry, -far * ry * x / rx
    middle = (cos * cx - sin * cy + (a[0] + b[0]) / 2, sin * cx + cos * cy + (a[1] + b[1]) / 2)
    first = math.atan2((y - cy) / ry, (x - cx) / rx)
    swept = (math.atan2((-y - cy) / ry, (-x - cx) / rx) - first) % math.tau
    if not sweep:
        swept -= math.tau
    count = max(1, math.ceil(abs(swept) / (math.pi / 2) - 1e-9))
    step = swept / count
    reach = 4 / 3 * math.tan(step / 4)

    def placed(px: float, py: float) -> Point:
        return middle[0] + cos * rx * px - sin * ry * py, middle[1] + sin * rx * px + cos * ry * py

    found = []
    for k in range(count):
        s, e = first + k * step, first + (k + 1) * step
        one = placed(math.cos(s) - reach * math.sin(s), math.sin(s) + reach * math.cos(s))
        other = placed(math.cos(e) + reach * math.sin(e), math.sin(e) - reach * math.cos(e))
        found.append(PathSegment("C", (one, other, placed(math.cos(e), math.sin(e)))))
    return found
