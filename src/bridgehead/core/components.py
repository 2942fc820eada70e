"""What lies in a game's box, for those who want it on a real table: the board, pieces, cards, and what has to be found elsewhere.

A game says it in `box.py` of its folder: `mat(game, language)`, `things(game, language)`, `needed(game, language)`.
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

    items: what is printed on it beside the picture; opening: what stands on it at the start, for the small picture of it;
    mm: millimetres that a unit of the picture is wide; whole: by id of a field, what no seam may cut.
    """

    picture: Picture
    mm: float
    whole: dict[str, Area]
    items: tuple[Item, ...] = ()
    opening: tuple[Item, ...] = ()


class Thing(msgspec.Struct, frozen=True):
    """One kind of thing to cut out, drawn about its middle in millimetres; it is printed `count` times.

    name: the heading under which it is printed, told; note: how it is folded or used, under the heading. seat: livery.
    back: of a card; cards have pages of their own, and their backs lie on the pages behind them.
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
    """The area about a middle, so far to both sides, and so far up and down."""
    down = down or across
    return Area(x - across, y - down, x + across, y + down)


def disc(letter: str, mark: str, across: float) -> tuple[Part, ...]:
    """A round piece in a family's colour, told also by its shape and by letters: both in black on cream."""
    r = across / 2
    return (
        Part(d=circle(r), cls="cut face"),
        Part(d=circle(r - 0.8), cls="token-ring"),
        Part(d=circle(0.72 * r), cls="token-plate"),
        Part(use=f"shape-{letter}", cls="tag-shape", y=-0.2 * r, scale=0.36 * r),
        Part(text=mark, cls="token-mark", y=0.56 * r, scale=0.42 * r / 10),
    )
