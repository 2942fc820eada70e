"""The board editor of Barricade: tools, strokes and problems."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from bridgehead.core.editing import PLACE, NoStroke, Problem, Tool, Toolbox, named_as, plain, stroked, unnamed, whole_number
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import phrase
from bridgehead.core.scene import Part
from bridgehead.games.barricade.board import MOST_HOMES, MOST_PAWNS, MOST_SLOTS, MOST_SQUARES, WIDEST, Point, shipped
from bridgehead.games.barricade.drafts import EMPTY, Draft, HomeDraft, in_order, name_of, new_home, with_home, with_squares
from bridgehead.games.barricade.drafts import read as read
from bridgehead.games.barricade.sketch import TELL, home_letter
from bridgehead.games.barricade.sketch import sketch as sketch

SEALED = False


def starts() -> dict[str, Any]:
    """Boards to begin with, by name: an empty one and the shipped ones."""
    return {"empty": plain(EMPTY), **{name: file_of(name) for name in ("mini", "classic", "six")}}


def file_of(name: str) -> Any:
    """A shipped board as the data of a file."""
    board = shipped(name)
    points = board.squares
    homes = [
        {"id": h.id, "color": h.color, "entry": list(points[h.entry]), "slots": [list(s) for s in h.slots]} for h in board.homes
    ]
    return {
        "name": board.name, "width": board.width, "height": board.height, "pawnsPerPlayer": board.pawns,
        "squares": [list(point) for point in points], "final": list(points[board.final]),
        "barricades": [list(points[square]) for square in board.barricades], "homes": homes, "firstRowY": board.first_row_y,
    }  # fmt: skip


def rules(draft: Draft) -> dict[str, Any]:
    """The house rules to play the board: four seats, or fewer if it has fewer homes."""
    return {"board": plain(draft), "seats": max(2, min(4, len(draft.homes)))}


# -- tools -----------------------------------------------------------------------------------------------------------


def tools(draft: Draft, language: str) -> tuple[Tool, ...]:
    """Tools for squares, ways, the final square, barricades, each home and a new one; then name and numbers."""
    box = Toolbox(TELL, language)
    way = (Part(d="M-55 0H55", cls="channel-edge", scale=0.3), *(Part(use="ba-well", x=x, scale=0.33) for x in (-15, 0, 15)))
    numbers = [home.id for home in draft.homes]
    if len(numbers) < MOST_HOMES:
        numbers.append(new_home(draft).id)
    used = [*draft.squares, *(slot for home in draft.homes for slot in home.slots)]
    wide, high = max((x for x, _ in used), default=0) + 1, max((y for _, y in used), default=0) + 1
    top = min((y for _, y in draft.squares), default=draft.lowest)
    return (
        box.touch("square", parts=[Part(use="ba-well")]),
        box.touch("way", 2, way),
        box.touch("barricade", parts=[Part(use="ba-barricade")]),
        box.touch("final", parts=[Part(use="ba-final", scale=0.8)]),
        *(_home_tool(draft, number, box) for number in numbers),
        box.touch("erase"),
        box.name(draft.name),
        box.number("pawns", draft.pawns_per_player, 1, MOST_PAWNS),
        box.number("width", draft.width, wide, WIDEST),
        box.number("height", draft.height, high, WIDEST),
        box.number("firstRow", draft.lowest - draft.first_row_y + 1, 1, draft.lowest - top + 1),
    )


def _home_tool(draft: Draft, number: int, box: Toolbox) -> Tool:
    letter = home_letter(draft, number)
    parts = (Part(use="ba-slot" if letter else "ba-empty-slot"), Part(text=str(number), cls="tray-letter", y=5))
    key = "home" if draft.home(number) else "newHome"
    return box.touch(f"home:{number}", parts=parts, group="homes", livery=letter, key=key, home=number)


# -- strokes ---------------------------------------------------------------------------------------------------------


def stroke(draft: Draft, tool: str, touch: tuple[str, ...]) -> Draft:
    """The draft after a tool has touched these things. Errors: NoStroke."""
    return stroked(STROKES, draft, tool, touch)


def _on(change: Callable[..., Draft]) -> Callable[..., Draft]:
    """Turn a change of points into a change of the things on the picture at these points."""
    return lambda draft, *touch: change(draft, *(_point(draft, each) for each in touch))


def _point(draft: Draft, thing: str) -> Point:
    """The point of a thing on the picture, such as `s:3,4`."""
    found = re.fullmatch(r"\w+:(\d{1,2}),(\d{1,2})", thing, re.ASCII)
    point = (int(found[1]), int(found[2])) if found else (-1, -1)
    if not (0 <= point[0] < draft.width and 0 <= point[1] < draft.height):
        raise NoStroke(phrase("edit.nothing"))
    return point


def _free(draft: Draft, point: Point) -> None:
    if home := draft.slot_home(point):
        raise NoStroke(phrase("edit.no.slot", home=home.id), f"f:{point[0]},{point[1]}")


def _on_square(draft: Draft, point: Point) -> None:
    if point not in draft.squares:
        raise NoStroke(phrase("edit.no.square", point=name_of(draft, point)), f"f:{point[0]},{point[1]}")


def _room(draft: Draft, squares: set[Point]) -> Draft:
    if len(squares) > MOST_SQUARES:
        raise NoStroke(phrase("edit.no.room", most=MOST_SQUARES))
    return with_squares(draft, squares)


def _square(draft: Draft, point: Point) -> Draft:
    _free(draft, point)
    if point in draft.squares:
        raise NoStroke(phrase("edit.no.more", point=name_of(draft, point)))
    return _room(draft, {*draft.squares, point})


def _way(draft: Draft, one: Point, other: Point) -> Draft:
    """Make all points of a row or column between two points squares; if all are squares already, remove those between."""
    (ax, ay), (bx, by) = sorted((one, other))
    if one == other or (ax != bx and ay != by):
        raise NoStroke(phrase("edit.no.way"))
    points = {(x, y) for x in range(ax, bx + 1) for y in range(min(ay, by), max(ay, by) + 1)}
    if not points <= set(draft.squares):
        for point in points:
            _free(draft, point)
        return _room(draft, {*draft.squares, *points})
    if len(points) == 2:
        raise NoStroke(phrase("edit.no.apart"))
    return with_squares(draft, set(draft.squares) - (points - {one, other}))


def _barricade(draft: Draft, point: Point) -> Draft:
    _on_square(draft, point)
    return msgspec.structs.replace(draft, barricades=in_order({*draft.barricades} ^ {point}))


def _final(draft: Draft, point: Point) -> Draft:
    _on_square(draft, point)
    return msgspec.structs.replace(draft, final=None if draft.final == point else point)


def _home(draft: Draft, number: str, thing: str) -> Draft:
    """Make a square the home's entry, or undo that; make another point a place of the home, or undo that."""
    point = _point(draft, thing)
    fresh = new_home(draft) if len(draft.homes) < MOST_HOMES else None
    known = draft.home(int(number)) if re.fullmatch("[0-9]{1,2}", number) else None
    home = known or (fresh if fresh and number == str(fresh.id) else None)
    if home is None:
        raise NoStroke(phrase("edit.nothing"))
    if point in draft.squares:
        return with_home(draft, msgspec.structs.replace(home, entry=None if home.entry == point else point))
    if point not in home.slots:
        _free(draft, point)
        if len(home.slots) == MOST_SLOTS:
            raise NoStroke(phrase("edit.no.slots", most=MOST_SLOTS))
    slots = [slot for slot in home.slots if slot != point] if point in home.slots else [*home.slots, point]
    return with_home(draft, msgspec.structs.replace(home, slots=tuple(slots)))


def _erase(draft: Draft, point: Point) -> Draft:
    """Remove the topmost thing: a barricade, else the square, else a place of a home."""
    if point in draft.barricades:
        return _barricade(draft, point)
    if point in draft.squares:
        return with_squares(draft, {*draft.squares} - {point})
    home = draft.slot_home(point)
    if home is None:
        raise NoStroke(phrase("edit.nothing"))
    return with_home(draft, msgspec.structs.replace(home, slots=tuple(slot for slot in home.slots if slot != point)))


def _set(field: str, tool: str) -> Callable[[Draft, str], Draft]:
    def change(draft: Draft, text: str) -> Draft:
        here = next(each for each in tools(draft, "en") if each.id == tool)
        number = whole_number(text, here.low, here.high)
        value = draft.lowest - number + 1 if tool == "firstRow" else number
        return msgspec.structs.replace(draft, **{field: value})

    return change


STROKES: dict[tuple[str, int], Callable[..., Draft]] = {
    ("square", 1): _on(_square),
    ("way", 2): _on(_way),
    ("barricade", 1): _on(_barricade),
    ("final", 1): _on(_final),
    ("home:", 1): _home,
    ("erase", 1): _on(_erase),
    ("name", 1): named_as,
    ("pawns", 1): _set("pawns_per_player", "pawns"),
    ("width", 1): _set("width", "width"),
    ("height", 1): _set("height", "height"),
    ("firstRow", 1): _set("first_row_y", "firstRow"),
}


# -- problems --------------------------------------------------------------------------------------------------------


def named(draft: Draft, error: BridgeheadError) -> tuple[Problem, Draft | None]:
    """The editor's problem for an error of the checks, and a copy of the draft with the problem mended, or None."""
    found = PLACE.match(error.where)
    part, index = (found[1], int(found[2] or 0)) if found else ("", 0)
    if part == "squares" and len(draft.squares) < 3:
        return Problem(phrase("edit.lacks.squares")), _filled(draft)
    if part == "squares":
        return _apart(draft, error), None
    if part == "final":
        free = next((point for point in draft.squares if all(home.entry != point for home in draft.homes)), None)
        rest = msgspec.structs.replace(draft, final=free) if free and free != draft.final else None
        return Problem(phrase("edit.lacks.final")), rest
    if part == "homes" and found and found[2] is None:
        return Problem(phrase("edit.lacks.homes", n=2 - len(draft.homes))), None
    if part == "homes":
        return _home_problem(draft, draft.homes[index], found[3] if found else ""), _without_home(draft, index)
    if part == "barricades":
        point = draft.barricades[index]
        rest = msgspec.structs.replace(draft, barricades=tuple(each for each in draft.barricades if each != point))
        return Problem(phrase("edit.bad.barricade", point=name_of(draft, point)), (_id(point),)), rest
    if part == "firstRowY":
        return Problem(phrase("edit.bad.firstRow")), msgspec.structs.replace(draft, first_row_y=draft.lowest)
    if error.where == "pawns":
        return Problem(phrase("edit.bad.room")), None
    return unnamed(error), None


def _id(point: Point) -> str:
    return f"f:{point[0]},{point[1]}"


def _apart(draft: Draft, error: BridgeheadError) -> Problem:
    """The problem that no way leads from a square to the final one."""
    square = next((point for point in draft.squares if name_of(draft, point) == error.phrase.params.get("names")), None)
    if square is None:
        return unnamed(error)
    return Problem(phrase("edit.bad.apart", point=name_of(draft, square)), (_id(square),))


def _filled(draft: Draft) -> Draft:
    """The draft with the fewest squares that a board needs, so the checks can go on."""
    taken = {slot for home in draft.homes for slot in home.slots}
    grid = [(x, y) for y in range(draft.height) for x in range(draft.width) if (x, y) not in taken]
    return with_squares(draft, [*draft.squares, *[point for point in grid if point not in draft.squares][:3]])


def _home_problem(draft: Draft, home: HomeDraft, part: str) -> Problem:
    show = tuple(map(_id, home.slots))
    if part == "entry":
        key = "edit.bad.entry" if home.entry else "edit.lacks.entry"
        return Problem(phrase(key, home=home.id), (_id(home.entry),) if home.entry else show)
    if len(home.slots) < draft.pawns_per_player:
        return Problem(phrase("edit.lacks.slots", home=home.id, pawns=draft.pawns_per_player, n=len(home.slots)), show)
    return Problem(phrase("edit.bad.slots", home=home.id), show)


def _without_home(draft: Draft, index: int) -> Draft | None:
    """The draft without a home; if too few remain, a sample home replaces it."""
    homes = [home for place, home in enumerate(draft.homes) if place != index]
    if len(homes) < 2:
        taken = {slot for home in homes for slot in home.slots} | {home.entry for home in homes}
        entry = next((point for point in draft.squares if point != draft.final and point not in taken), None)
        free = [(x, y) for y in range(draft.height) for x in range(draft.width) if (x, y) not in {*draft.squares, *taken}]
        bars = {*draft.barricades} - {entry}
        if entry is None or len(free) < draft.pawns_per_player:
            return None
        fresh = new_home(draft)
        homes.append(msgspec.structs.replace(fresh, entry=entry, slots=tuple(free[:MOST_SLOTS])))
        draft = msgspec.structs.replace(draft, barricades=in_order(bars))
    return msgspec.structs.replace(draft, homes=tuple(homes))
