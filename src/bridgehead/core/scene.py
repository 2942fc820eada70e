"""Scenes: the picture of a position, as data. The browser only draws it and contains no rule.

A picture is the board itself, which does not change during a match; items come, go and move. Both consist of parts: a symbol of
`art.svg`, a path, or a text. Colours come from the seat's class and the stylesheet only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from bridgehead.core.phrases import Phrase, phrase


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """One drawing: `use` a symbol id, or `d` path data, or `text`. `cls` are CSS classes; place is relative to the item."""

    use: str = ""
    d: str = ""
    text: str = ""
    cls: str = ""
    x: float = 0
    y: float = 0
    turn: float = 0
    scale: float = 1


class Up(msgspec.Struct, frozen=True):
    """The place of a thing on the upright picture; its parts and its radius only if they differ."""

    x: float
    y: float
    parts: tuple[Part, ...] | UnsetType = UNSET
    r: float | UnsetType = UNSET


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """A thing on the table: a field, a piece, a bridge, a card, a die.

    id: stable for as long as the thing exists ("f:c5", "p:aL"), so that a change of place is a movement. seat: livery class
    "a".."f", "red", "black", or "" for none. label: text for screen readers; a thing without a label is decoration. at: the field
    it stands on ("" if none; a piece between fields names them in its id, "b:B4-R8:c"); touching the thing is also touching that
    field. r: radius of the touch area and of its marks. z: drawn from low to high. glyph: up to three characters for boards of
    text ("" leaves it out there); of a thing that stands on no field, a few words for a line below the board. up: where it lies
    on the upright picture, if there is one. cls: "dock" is a thing that stays in sight while an upright picture moves under it;
    its place is that in the window. Further words say how it moves: when it comes "drops" (falls and flares up), "unrolls"
    (between its two fields), "rises" (also where its first symbol changes); when its parts change "flips", "bursts", "rolls"
    (also when it comes); when it goes "falls", "fades".
    """

    id: str
    x: float
    y: float
    parts: tuple[Part, ...] = ()
    seat: str = ""
    cls: str = ""
    label: str = ""
    at: str = ""
    r: float = 22
    z: int = 0
    glyph: str = ""
    up: Up | None = None


def lying(wide: Item, upright: Item) -> Item:
    """An item with its places on the wide and on the upright picture."""
    parts = UNSET if upright.parts == wide.parts else upright.parts
    r = UNSET if upright.r == wide.r else upright.r
    return msgspec.structs.replace(wide, up=Up(upright.x, upright.y, parts, r))


class Picture(msgspec.Struct, frozen=True, omit_defaults=True):
    """The board: size in its own units, ground (decoration) and fields. `upright`: the same board for narrow screens."""

    width: float
    height: float
    ground: tuple[Item, ...]
    fields: tuple[Item, ...]
    swap: bool = False  # turning the board by half a turn shows it from the other seat
    upright: Picture | None = None


def circle(r: float, x: float = 0, y: float = 0) -> str:
    """Path data of a circle about a point."""
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 1 {2 * r:g} 0a{r:g} {r:g} 0 1 1 {-2 * r:g} 0Z"


def rectangle(left: float, top: float, width: float, height: float, r: float = 0) -> str:
    """Path data of a rectangle with rounded corners."""
    if not r:
        return f"M{left:g} {top:g}h{width:g}v{height:g}h{-width:g}Z"
    across, down, turn = width - 2 * r, height - 2 * r, f"a{r:g} {r:g} 0 0 1"
    right, back = f"h{across:g}{turn} {r:g} {r:g}v{down:g}{turn} {-r:g} {r:g}", f"h{-across:g}{turn} {-r:g} {-r:g}v{-down:g}"
    return f"M{left + r:g} {top:g}{right}{back}{turn} {r:g} {-r:g}Z"


def base(material: str, width: float, height: float, grain: str = "", more: tuple[Part, ...] = ()) -> Item:
    """The board under everything, of a material ("slab" is wood): rounded, with an edge of 8 below and a thin line inside.

    grain: path data of faint lines. more: further parts on it.
    """
    side, top = (Part(d=rectangle(0, down, width, height, 22), cls=f"{material}{cls}") for down, cls in ((8, "-side"), (0, "")))
    lines = (Part(d=grain, cls="grain"),) if grain else ()
    line = Part(d=rectangle(9, 9, width - 18, height - 18, 15), cls=f"{material}-line")
    return Item(f"g:{material}", 0, 0, (side, top, *lines, line, *more), cls="still")


def whereabouts(x: float, y: float, width: float, height: float) -> Phrase:
    """Where a point lies on a picture of that size, in words: "at the top", "at the lower left"."""
    across, down = min(int(3 * x / width), 2), min(int(3 * y / height), 2)
    return phrase(f"at.{('top', 'middle', 'bottom')[down]}{('.left', '', '.right')[across]}")


class MovementTrace(msgspec.Struct, frozen=True, omit_defaults=True):
    """A movement of the last action: the item, and the ids of the fields or points on its way, first to last.

    how: "" (hops from field to field), "leaps" (over what is between), "tips" (is knocked away), "lifts" (something heavy),
    "shrinks" (is taken in) or "grows" (is set free).
    """

    item: str
    via: tuple[str, ...]
    how: str = ""


class Ways(NamedTuple):
    """The board as the rules see it. joined: pairs of field ids, a field and one that is a step away; marked: fields with a role
    at the start of the game, as goals, homes and what stands there, each with a word for it that is the same for all seats."""

    joined: frozenset[tuple[str, str]]
    marked: Mapping[str, str]


class SeatPanel(msgspec.Struct, frozen=True):
    """A seat in the seat panel: its livery, its letter, and short lines about it."""

    seat: str
    letter: str
    name: str
    lines: tuple[str, ...] = ()


class Face(msgspec.Struct, frozen=True, omit_defaults=True):
    """An outcome of chance, for people who roll real dice or draw real cards: what the die or card shows.

    label: in words; parts: its drawing about its middle, `width` by `height`; seat: its livery. Faces of one row stand together.
    """

    action: int
    text: str
    label: str
    parts: tuple[Part, ...] = ()
    seat: str = ""
    row: str = ""
    width: float = 0
    height: float = 0


class Choice(msgspec.Struct, frozen=True):
    """One legal action, for the screen.

    path: ids to touch in order ("f:..", "p:..", or a button "!pass"); equal paths mean: choose from the list.
    kind: how its last target is marked: "go", "leap", "take", "warn" (allowed and dangerous), "safe", "ask" (unknown),
    or "button". note: a second short line ("takes the barricade"). first: the default among equal paths.
    confirm: of an action that is dangerous: what happens, as a sentence that asks for confirmation.
    ghost: what the action puts on the board, where no touch of a field says so.
    """

    action: int
    text: str
    label: str
    path: tuple[str, ...]
    kind: str = "go"
    note: str = ""
    first: bool = False
    confirm: str = ""
    ghost: Item | msgspec.UnsetType = msgspec.UNSET
