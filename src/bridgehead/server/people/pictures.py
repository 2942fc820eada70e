"""Pictures of profiles: shapes drawn from the id, so nobody uploads anything."""

from __future__ import annotations

import hashlib

SIDE = 5  # fields of a picture, each way
LIVERIES = {  # colour and outline of each livery, as in tokens.css
    "a": ("#000", "#3d3733"), "b": ("#56b4e9", "#226a96"), "c": ("#f0e442", "#8c8008"), "d": ("#d55e00", "#843900"),
    "e": ("#328", "#1c1157"), "f": ("#695a5a", "#3c3131"), "g": ("#e0f8e0", "#61806a"),
}  # fmt: skip
SHAPES = (
    '<rect x="{x}" y="{y}" width="10" height="10"/>',
    '<circle cx="{cx}" cy="{cy}" r="5"/>',
    '<path d="M{x} {b}H{r}L{cx} {y}Z"/>',
    '<path d="M{cx} {y}L{r} {cy}L{cx} {b}L{x} {cy}Z"/>',
)


def picture(profile: str, number: int, colour: str) -> str:
    """The picture of a profile as SVG: symmetric, in the profile's colour, another one for each number."""
    drawn = hashlib.sha256(f"{profile}:{number}".encode()).digest()
    fill, edge = LIVERIES[colour]
    parts = []
    for row in range(SIDE):
        for column in range((SIDE + 1) // 2):
            byte = drawn[row * 3 + column]
            if byte & 1 or (row, column) == (2, 2):
                shape = SHAPES[byte >> 1 & 3]
                for x in {column, SIDE - 1 - column}:
                    left, top = 5 + 10 * x, 5 + 10 * row
                    places = {"x": left, "y": top, "r": left + 10, "b": top + 10, "cx": left + 5, "cy": top + 5}
                    parts.append(shape.format(**places))
    body = "".join(sorted(parts))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60"><rect width="60" height="60" rx="12" fill="#fff9ec"/>'
        f'<g fill="{fill}" stroke="{edge}" stroke-width=".8">{body}</g></svg>'
    )
