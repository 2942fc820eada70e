"""The contents of a game's box, for printing: the board, pieces, cards, and a list of other things that the players need.

A game gives them in `components.py` of its folder: `mat(game, language)`, `things(game, language)`, `needed(game, language)`.
"""

from __future__ import annotations

import msgspec

from bridgehead.core.scene import Item, Part, Picture, circle


class Area(msgspec.Struct, frozen=True):
    """A rectangle of a picture, in its units."""

    left: float
    top: float
    right: float
    bottom: float


class Mat(msgspec.Struct, frozen=True):
    """The board as it is printed.

    items: things printed on it besides the picture; opening: the pieces at the start, for its small picture;
    mm: width of a unit of the picture in millimetres; whole: areas that no seam may cut, by id of the field.
    """

    picture: Picture
    mm: float
    whole: dict[str, Area]
    items: tuple[Item, ...] = ()
    opening: tuple[Item, ...] = ()


class Thing(msgspec.Struct, frozen=True):
    """One kind of thing to cut out, drawn around its middle in millimetres; it is printed `count` times.

    name: the heading above it, in the language of the sheet; note: how to fold or use it. seat: its livery letter.
    back: the back of a card. Cards are printed on separate pages, with their backs on the following pages.
    """

    name: str
    parts: tuple[Part, ...]
    width: float
    height: float
    count: int
    seat: str = ""
    note: str = ""
    back: tuple[Part, ...] = ()
    back_seat: str = ""


def around(x: float, y: float, across: float, down: float = 0) -> Area:
    """The area around a middle, with half its width `across` and half its height `down` (default: as `across`)."""
    down = down or across
    return Area(x - across, y - down, x + across, y + down)


def disc(letter: str, mark: str, across: float) -> tuple[Part, ...]:
    """A round piece in a family's colour. A shape and letters, black on cream, also identify the family."""
    r = across / 2
    return (
        Part(d=circle(r), cls="cut face"),
        Part(d=circle(r), cls="gloss low"),
        Part(d=circle(r - 0.8), cls="token-ring"),
        Part(d=circle(0.72 * r), cls="token-plate"),
        Part(use=f"shape-{letter}", cls="tag-shape", y=-0.2 * r, scale=0.36 * r),
        Part(text=mark, cls="token-mark", y=0.56 * r, scale=0.42 * r / 10),
    )
