"""Editor of set-ups of 40 Bridges: it writes the text of the house rule `layout` (FBQ-1)."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from bridgehead.core.editing import (
    LAYOUT_SIGNATURE,
    DrawnLayout,
    Problem,
    Tool,
    Toolbox,
    change_layout,
    forbid,
    make_default_problem,
    plain,
    read_layout,
    reflect,
)
from bridgehead.core.errors import BoardError, BridgeheadError
from bridgehead.core.phrases import catalogue, phrase
from bridgehead.core.scene import Item, Picture
from bridgehead.games.forty_bridges import SPEC, scene
from bridgehead.games.forty_bridges.board import standard
from bridgehead.games.forty_bridges.words import field_phrase, seat_phrase

TELL = catalogue(SPEC.folder).tell
LONGEST = 300  # most characters of a set-up
GAME: Any = SimpleNamespace(board=standard(), words=catalogue(SPEC.folder), spec=SPEC)
Sides = tuple[frozenset[str], frozenset[str]]
Draft = DrawnLayout[str]


def starts() -> dict[str, Any]:
    """Set-ups to begin with, by name: those of the board and an empty one."""
    names = standard().names
    lists = {key: [",".join(names[field] for field in fields) for fields in sides] for key, sides in standard().setups.items()}
    return {**{key: " ".join(texts) for key, texts in lists.items()}, "empty": " "}


def read(data: Any) -> Draft:
    """A set-up from the data of a file: a text of two lists of fields, which may be empty. Errors: BoardError."""
    draft = read_layout(str, data)
    text = draft.layout
    lists = text.split(" ")
    if len(lists) != 2 or len(text) > LONGEST:
        raise BoardError("forty_bridges:error.fields_player_1_blank_fields", "layout")
    names = [name for part in lists for name in part.split(",") if part]
    for name in names:
        if name not in standard().names:
            raise BoardError("forty_bridges:error.no_field_called", "layout", name=repr(name[:20]))
        if names.count(name) > 1:
            raise BoardError("forty_bridges:error.given_twice", "layout", names=name)
    return draft


def rules(draft: Draft) -> dict[str, Any]:
    """The house rules to play the set-up."""
    return {"setup": "custom", "layout": plain(draft)}


def sides(text: str) -> Sides:
    """The fields of both players."""
    one, two = (frozenset(part.split(",")) - {""} for part in text.split(" "))
    return one, two


def _text(one: frozenset[str], two: frozenset[str]) -> str:
    order = standard().names.index
    return " ".join(",".join(sorted(side, key=order)) for side in (one, two))


# -- tools and strokes -----------------------------------------------------------------------------------------------
def tools(draft: Draft, language: str) -> tuple[Tool, ...]:
    """Tools to place pieces of each player, to move and mirror them, and to erase."""
    box = Toolbox(TELL, language)
    pieces = (
        box.touch(f"piece:{s}", parts=scene.disc(SPEC.seat_letter(s), 0.72), livery=SPEC.seat_letter(s), seat=seat_phrase(s))
        for s in (0, 1)
    )
    return *pieces, box.touch("move", 2), *box.mirrors(), box.touch("erase"), *box.signature(draft)


def _on(change: Callable[..., str]) -> Callable[..., Draft]:
    """Turn a change of both players' fields into a change of the set-up's text for the things on the picture."""
    return change_layout(lambda text, *touch: change(sides(text), *(_field(each) for each in touch)))


def _field(thing: str) -> str:
    name = thing.rpartition(":")[2]
    forbid(name not in standard().names, "nothing")
    return name


def _piece(text: str, which: str, thing: str) -> str:
    """Put a piece of the player on a field in place of an opposing one, or take the player's piece off."""
    forbid(which not in ("0", "1"), "nothing")
    return _with_side(text, int(which), sides(text)[int(which)] ^ {_field(thing)})


def _move(now: Sides, one: str, other: str) -> str:
    forbid(one not in now[0] | now[1], "no.piece", f"f:{one}", field=one)
    forbid(one == other, "two")
    mine, theirs = (side - {one, other} | ({other} if one in side else set()) for side in now)
    return _text(mine, theirs)


def _mirror(text: str, axis: str) -> str:
    """Give each player the mirror images of the other's pieces, where nothing stands."""
    names, places, now = standard().names, standard().places, sides(text)
    image = reflect(places, axis)
    one, two = (frozenset(names[places.index(image(places[names.index(each)]))] for each in side) for side in now)
    taken = now[0] | now[1]
    return _text(now[0] | (two - taken), now[1] | (one - taken))


def _erase(now: Sides, field: str) -> str:
    forbid(field not in now[0] | now[1], "no.piece", f"f:{field}", field=field)
    return _text(now[0] - {field}, now[1] - {field})


STROKES: dict[tuple[str, int], Callable[..., Draft]] = {
    **LAYOUT_SIGNATURE,
    ("piece:", 1): change_layout(_piece),
    ("move", 2): _on(_move),
    ("mirror:", 0): change_layout(_mirror),
    ("erase", 1): _on(_erase),
}


# -- picture and problems --------------------------------------------------------------------------------------------
def sketch(draft: Draft, tool: str, language: str) -> tuple[Picture, tuple[Item, ...]]:
    """The board with the pieces that are set up."""
    items = [_item(seat, name, language) for seat, side in enumerate(sides(draft.layout)) for name in sorted(side)]
    return scene.picture(GAME, language), tuple(items)


def _item(seat: int, name: str, language: str) -> Item:
    field = standard().names.index(name)
    letter, label = (
        SPEC.seat_letter(seat),
        TELL(phrase("item.piece", field=field_phrase(GAME, field), seat=seat_phrase(seat)), language),
    )
    place, parts = scene.place(GAME, field), scene.disc(letter)
    return Item(f"p:{name}", *place, parts, letter, "piece takes", label, f"f:{name}", scene.PIECE_R, 20)


def explain_error(draft: Draft, error: BridgeheadError) -> tuple[Problem, Draft | None]:
    mend = change_layout(_with_side)
    board, (key, params) = standard(), error.phrase
    for seat, side in enumerate(sides(draft.layout)):
        own, corner = board.names[board.corners[seat]], board.names[board.corners[1 - seat]]
        if not side and key == "forty_bridges:error.no_field_called":
            return Problem(phrase("edit.lacks.pieces", seat=seat_phrase(seat))), mend(draft, seat, frozenset({own}))
        if key == "forty_bridges:error.player_pieces_8_most" and params["player"] == seat + 1:
            most = int(str(params["most"]))
            sentence = phrase("edit.bad.pieces", seat=seat_phrase(seat), n=len(side), most=most)
            return Problem(sentence), mend(draft, seat, frozenset(sorted(side)[:most]))
        if key == "forty_bridges:error.player_opponent_s_corner_would" and params["player"] == seat + 1:
            sentence = phrase("edit.bad.corner", seat=seat_phrase(seat), field=corner)
            return Problem(sentence, (f"f:{corner}",)), mend(draft, seat, side - {corner})
    return make_default_problem(error), None


def _with_side(text: str, seat: int, side: frozenset[str]) -> str:
    """The set-up with new pieces of one player; they replace pieces of the other player on the same fields."""
    other = sides(text)[1 - seat] - side
    return _text(side, other) if seat == 0 else _text(other, side)
