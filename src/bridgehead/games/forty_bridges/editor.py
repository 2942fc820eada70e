"""Setting up the pieces of 40 Bridges: the text of the house rule `layout`, drawn on the board (FBQ-1)."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from bridgehead.core.editing import NoStroke, Problem, Tool, drafted, unnamed
from bridgehead.core.errors import BoardError, BridgeheadError
from bridgehead.core.phrases import catalogue, phrase
from bridgehead.core.scene import Item, Part, Picture
from bridgehead.games.forty_bridges import SPEC, scene
from bridgehead.games.forty_bridges.board import FIELDS, standard
from bridgehead.games.forty_bridges.words import field_phrase, seat_phrase

SEALED = False
TELL = catalogue(SPEC.folder).tell
LONGEST = 300  # characters of a set-up
SIGN = {
    "move": "M-15 0H15M9-6L15 0L9 6M-9-6L-15 0L-9 6",
    "mirror": "M-12-8A14 14 0 0 1 12-8M12-8V-16M12-8H4M12 8A14 14 0 0 1-12 8M-12 8V16M-12 8H-4",
    "erase": "M-11-11L11 11M11-11L-11 11",
}
GAME: Any = SimpleNamespace(board=standard(), words=catalogue(SPEC.folder), spec=SPEC)
Sides = tuple[frozenset[str], frozenset[str]]


def starts() -> dict[str, Any]:
    """Set-ups to begin with, by name: those of the board, and an empty one."""
    names = standard().names
    known = {
        key: " ".join(",".join(names[field] for field in fields) for fields in sides) for key, sides in standard().setups.items()
    }
    return {**known, "empty": " "}


def read(data: Any) -> str:
    """A set-up from the data of a file: a text of two lists of fields, which may be empty. Errors: BoardError."""
    text = drafted(str, data)
    lists = text.split(" ")
    if len(lists) != 2 or len(text) > LONGEST:
        raise BoardError("forty_bridges:error.fields_player_1_blank_fields", "layout")
    names = [name for part in lists for name in part.split(",") if part]
    for name in names:
        if name not in standard().names:
            raise BoardError("forty_bridges:error.no_field_called", "layout", split=repr(name[:20]))
        if names.count(name) > 1:
            raise BoardError("forty_bridges:error.given_twice", "layout", names=name)
    return text


def rules(draft: str) -> dict[str, Any]:
    """The house rules under which the set-up is played."""
    return {"setup": "custom", "layout": draft}


def sides(draft: str) -> Sides:
    """The fields of both players."""
    one, two = (frozenset(part.split(",")) - {""} for part in draft.split(" "))
    return one, two


def _text(one: frozenset[str], two: frozenset[str]) -> str:
    order = standard().names.index
    return " ".join(",".join(sorted(side, key=order)) for side in (one, two))


# -- tools and strokes -----------------------------------------------------------------------------------------------


def tools(draft: str, language: str) -> tuple[Tool, ...]:
    """A piece of each player, moving, the same for the other player, erasing."""

    def tool(name: str, kind: str = "touch", touches: int = 1) -> Tool:
        sign = (Part(d=SIGN[name], cls=f"m m-{'no' if name == 'erase' else 'go'} edit-stroke"),)
        said, hint = TELL(phrase(f"edit.tool.{name}"), language), TELL(phrase(f"edit.hint.{name}"), language)
        return Tool(name, said, kind, touches, hint, sign)

    def piece(seat: int) -> Tool:
        said = TELL(phrase("edit.tool.piece", seat=seat_phrase(seat)), language)
        return Tool(
            f"piece:{seat}", said, "touch", 1, TELL(phrase("edit.hint.piece"), language), _disc(seat, 0.72), _letter(seat)
        )

    return piece(0), piece(1), tool("move", touches=2), tool("mirror", "press"), tool("erase")


def stroke(draft: str, tool: str, touch: tuple[str, ...]) -> str:
    """The set-up after a tool has touched these things. Errors: NoStroke."""
    makes = STROKES.get((tool, len(touch)))
    if makes is None:
        raise NoStroke(phrase("edit.nothing"))
    return makes(sides(draft), *(_field(each) for each in touch))


def _field(thing: str) -> str:
    name = thing.rpartition(":")[2]
    if name not in standard().names:
        raise NoStroke(phrase("edit.nothing"))
    return name


def _piece(seat: int) -> Callable[[Sides, str], str]:
    """A piece of the player is put on a field, or taken off it; another one's there gives way."""

    def change(now: Sides, field: str) -> str:
        mine, other = now[seat] ^ {field}, now[1 - seat] - {field}
        return _text(mine, other) if seat == 0 else _text(other, mine)

    return change


def _move(now: Sides, one: str, other: str) -> str:
    if one not in now[0] | now[1]:
        raise NoStroke(phrase("edit.no.piece", field=one), f"f:{one}")
    if one == other:
        raise NoStroke(phrase("edit.two"))
    mine, theirs = (side - {one, other} | ({other} if one in side else set()) for side in now)
    return _text(mine, theirs)


def _mirror(now: Sides) -> str:
    """Player 2 stands as player 1 does, seen from the other corner."""
    names = standard().names
    return _text(now[0], frozenset(names[FIELDS - 1 - names.index(name)] for name in now[0]) - now[0])


def _erase(now: Sides, field: str) -> str:
    if field not in now[0] | now[1]:
        raise NoStroke(phrase("edit.no.piece", field=field), f"f:{field}")
    return _text(now[0] - {field}, now[1] - {field})


STROKES: dict[tuple[str, int], Callable[..., str]] = {
    ("piece:0", 1): _piece(0),
    ("piece:1", 1): _piece(1),
    ("move", 2): _move,
    ("mirror", 0): _mirror,
    ("erase", 1): _erase,
}


# -- picture and problems --------------------------------------------------------------------------------------------


def sketch(draft: str, tool: str, language: str) -> tuple[Picture, tuple[Item, ...]]:
    """The board with the pieces that are set up."""
    items = [_item(seat, name, language) for seat, side in enumerate(sides(draft)) for name in sorted(side)]
    return scene.picture(GAME, language), tuple(items)


def _item(seat: int, name: str, language: str) -> Item:
    field = standard().names.index(name)
    x, y = scene.place(GAME, field)
    label = TELL(phrase("item.piece", field=field_phrase(GAME, field), seat=seat_phrase(seat)), language)
    return Item(f"p:{name}", x, y, _disc(seat, 1), _letter(seat), "piece takes", label, f"f:{name}", scene.PIECE_R, 20)


def _letter(seat: int) -> str:
    return SPEC.seat_letter(seat)


def _disc(seat: int, scale: float) -> tuple[Part, Part]:
    shape = Part(use=f"shape-{_letter(seat)}", cls="shape", y=-4 * scale, scale=10.5 * scale)
    return Part(use="disc", y=-4 * scale, scale=scale), shape


def named(draft: str, error: BridgeheadError) -> tuple[Problem, str | None]:
    """What the checks of the set-up have refused, in the words of the editor; and the set-up without it."""
    board = standard()
    for seat, side in enumerate(sides(draft)):
        own, corner = board.names[board.corners[seat]], board.names[board.corners[1 - seat]]
        if not side and "called ''" in error.what:
            return Problem(phrase("edit.lacks.pieces", seat=seat_phrase(seat))), _with_side(draft, seat, frozenset({own}))
        if error.what.startswith(f"player {seat + 1} has"):
            most = int(re.findall(r"(\d+) at most", error.what)[0])
            said = phrase("edit.bad.pieces", seat=seat_phrase(seat), n=len(side), most=most)
            return Problem(said), _with_side(draft, seat, frozenset(sorted(side)[:most]))
        if error.what.startswith(f"player {seat + 1} stands"):
            said = phrase("edit.bad.corner", seat=seat_phrase(seat), field=corner)
            return Problem(said, (f"f:{corner}",)), _with_side(draft, seat, side - {corner})
    return unnamed(error), None


def _with_side(draft: str, seat: int, side: frozenset[str]) -> str:
    """Other pieces of one player; those of the other give way."""
    other = sides(draft)[1 - seat] - side
    return _text(side, other) if seat == 0 else _text(other, side)
