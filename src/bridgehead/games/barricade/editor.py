"""The board editor of Barricade. A draft is a board file in which parts may be missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from bridgehead.core.editing import (
    PLACE,
    SIGNATURE,
    NoStroke,
    Problem,
    Tool,
    Toolbox,
    forbid,
    make_default_problem,
    plain,
    reflect,
    whole_number,
)
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import catalogue, phrase
from bridgehead.core.scene import Item, Part, Picture, base
from bridgehead.games.barricade import SPEC
from bridgehead.games.barricade.board import (
    MOST_PAWNS,
    MOST_SLOTS,
    MOST_SQUARES,
    WIDEST,
    BoardFile,
    HomeFile,
    Point,
    column,
    in_order,
    shipped_file,
)
from bridgehead.games.barricade.board import read as read
from bridgehead.games.barricade.options import MOST_SEATS
from bridgehead.games.barricade.scene import CELL, EDGE, SQUARE_R, THICK, channel

COLOURS = ("red", "green", "yellow", "blue", "purple", "orange")
EMPTY = BoardFile("own board", 9, 12, 3, (), None, (), (), 9)
MOST_POINTS = 1200  # most points of a grid; on a larger one only points near drawn things can be touched
NEAR = 2
TELL = catalogue(SPEC.folder).tell


def starts() -> dict[str, Any]:
    """Boards to begin with, by name: an empty one and the shipped ones."""
    return {"empty": plain(EMPTY), **{name: shipped_file(name) for name in ("mini", "classic", "six")}}


def rules(draft: BoardFile) -> dict[str, Any]:
    """The house rules to play the board: a seat for each home."""
    return {"board": plain(draft), "seats": max(2, min(MOST_SEATS, len(draft.homes)))}


def list_excesses(draft: BoardFile) -> list[Problem]:
    """Homes beyond the seats of a table."""
    more = draft.homes[MOST_SEATS:]
    show = tuple(_thing("f", slot) for home in more for slot in home.slots)
    return [Problem(phrase("edit.bad.seats", n=len(more), most=MOST_SEATS), show)] if more else []


def name_of(draft: BoardFile, point: Point) -> str:
    """The name of this point as a square of the finished board. Rows below the lowest row of squares are 0 or negative."""
    return f"{column(point[0])}{draft.lowest - point[1] + 1}"


def new_home(draft: BoardFile) -> HomeFile:
    """A new home, still empty."""
    number = next(n for n in range(1, 100) if draft.home(n) is None)
    return HomeFile(number, COLOURS[(number - 1) % len(COLOURS)], None, ())


# -- the picture of a draft --------------------------------------------------------------------------------------------
def sketch(draft: BoardFile, tool: str, language: str) -> tuple[Picture, tuple[Item, ...]]:
    """The grid points as fields, with squares, barricades and homes as items on them."""
    width, height = EDGE * 2.0 + CELL * draft.width, EDGE * 2.0 + CELL * draft.height
    ground = (base("slab", width, height), Item("g:names", 0, 0, tuple(_names(draft)), cls="still"))
    fields = tuple(_field(draft, point, language) for point in _points(draft))
    items = [_channel(draft), *(_drawn_square(draft, point, language) for point in draft.squares)]
    for point in draft.barricades:
        label = TELL(phrase("label.barricade", square=name_of(draft, point)), language)
        items += [_item("b", point, Part(use="ba-barricade"), label=label, z=10, cls="piece")] if point in draft.squares else []
    for home in draft.homes:
        items += _drawn_home(draft, home, language)
    return Picture(width, height + THICK, ground, fields), tuple(items)


def home_letter(draft: BoardFile, number: int) -> str:
    """The livery of a home by its position in the list; "" for homes beyond the highest seat."""
    ids = [home.id for home in draft.homes]
    place = ids.index(number) if number in ids else len(ids)
    return SPEC.seat_letter(place) if place < MOST_SEATS else ""


def _points(draft: BoardFile) -> list[Point]:
    grid = [(x, y) for y in range(draft.height) for x in range(draft.width)]
    if len(grid) <= MOST_POINTS:
        return grid
    drawn = [*draft.squares, *(slot for home in draft.homes for slot in home.slots)] or [(0, draft.height - 1)]
    reach = range(-NEAR, NEAR + 1)
    near = {(x + dx, y + dy) for x, y in drawn for dx in reach for dy in reach}
    return [point for point in grid if point in near]


def _at(point: Point) -> tuple[float, float]:
    return EDGE + CELL * (point[0] + 0.5), EDGE + CELL * (point[1] + 0.5)


def _names(draft: BoardFile) -> list[Part]:
    """Column letters above and row numbers at the left, as on the finished board."""
    letters = [Part(text=column(x), cls="field-name", x=_at((x, 0))[0], y=27) for x in range(draft.width)]
    rows = [(y, draft.lowest - y + 1) for y in range(draft.height)]
    return [*letters, *(Part(text=str(row), cls="field-name", x=22, y=_at((0, y))[1] + 4) for y, row in rows if row > 0)]


def _field(draft: BoardFile, point: Point, language: str) -> Item:
    label = TELL(phrase("edit.point", point=name_of(draft, point)), language)
    return Item(_thing("f", point), *_at(point), (Part(use="ba-empty-slot", scale=0.24),), cls="field", label=label, r=SQUARE_R)


def _thing(kind: str, point: Point) -> str:
    return f"{kind}:{point[0]},{point[1]}"


def _channel(draft: BoardFile) -> Item:
    """The routed way through all neighbouring squares."""
    squares = set(draft.squares)
    pairs = [((x, y), other) for x, y in draft.squares for other in ((x + 1, y), (x, y + 1)) if other in squares]
    return Item("s:channel", 0, 0, channel((_at(one), _at(other)) for one, other in pairs) if pairs else (), cls="still", z=1)


def _drawn_square(draft: BoardFile, point: Point, language: str) -> Item:
    name, symbol, seat = name_of(draft, point), "ba-well", ""
    sentence = phrase("edit.square", point=name)
    if point in draft.barricades:
        symbol = "ba-dark"
    for home in draft.homes:
        if home.entry == point:
            seat = home_letter(draft, home.id)
            symbol, sentence = "ba-entry" if seat else "ba-well", phrase("label.entry", square=name, home=home.id)
    if point == draft.final:
        symbol, sentence = "ba-final", phrase("label.final", square=name)
    label = "" if point in draft.barricades else TELL(sentence, language)  # the barricade on it has the label
    return _item("s", point, Part(use=symbol), label=label, z=5, seat=seat)


def _item(kind: str, point: Point, *parts: Part, label: str, z: int, seat: str = "", cls: str = "") -> Item:
    """A thing on a point of the grid."""
    return Item(_thing(kind, point), *_at(point), parts, seat, cls, label, _thing("f", point), SQUARE_R, z)


def _drawn_home(draft: BoardFile, home: HomeFile, language: str) -> list[Item]:
    """The places of a home with its number, and a bar from its entry to the nearest place."""
    letter, found = home_letter(draft, home.id), []
    if home.entry and home.slots:
        far = {slot: abs(slot[0] - home.entry[0]) + abs(slot[1] - home.entry[1]) for slot in home.slots}
        (ex, ey), (sx, sy) = _at(home.entry), _at(min(home.slots, key=lambda slot: (far[slot], slot)))
        bar = Part(d=f"M{ex:g} {ey:g}L{sx:g} {sy:g}", cls="tray-stem")
        found.append(Item(f"s:stem{home.id}", 0, 0, (bar,), letter, "still", z=2))
    for point in home.slots:
        label = TELL(phrase("edit.slot", home=home.id, point=name_of(draft, point)), language)
        parts = (Part(use="ba-slot" if letter else "ba-empty-slot"), Part(text=str(home.id), cls="tray-letter", y=5))
        found.append(_item("h", point, *parts, label=label, z=6, seat=letter))
    return found


# -- tools -----------------------------------------------------------------------------------------------------------
def tools(draft: BoardFile, language: str) -> tuple[Tool, ...]:
    """Tools for squares, ways, the final square, barricades, each home and a new one; then name and numbers."""
    box = Toolbox(TELL, language)
    way = (Part(d="M-55 0H55", cls="channel-edge", scale=0.3), *(Part(use="ba-well", x=x, scale=0.33) for x in (-15, 0, 15)))
    numbers = [home.id for home in draft.homes]
    if len(numbers) < MOST_SEATS:
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
        *box.mirrors(),
        *box.signature(draft),
        box.number("pawns", draft.pawns_per_player, 1, MOST_PAWNS),
        box.number("width", draft.width, wide, WIDEST),
        box.number("height", draft.height, high, WIDEST),
        box.number("firstRow", draft.lowest - draft.first_row_y + 1, 1, draft.lowest - top + 1),
    )


def _home_tool(draft: BoardFile, number: int, box: Toolbox) -> Tool:
    letter = home_letter(draft, number)
    parts = (Part(use="ba-slot" if letter else "ba-empty-slot"), Part(text=str(number), cls="tray-letter", y=5))
    key = "home" if draft.home(number) else "newHome"
    return box.touch(f"home:{number}", parts=parts, group="homes", livery=letter, key=key, home=number)


# -- strokes ---------------------------------------------------------------------------------------------------------
def with_squares(draft: BoardFile, squares: Iterable[Point]) -> BoardFile:
    """The draft with other squares. Marks on removed squares disappear; a first row that was the lowest row stays the lowest."""
    kept = in_order(squares)
    followed = not draft.squares or draft.first_row_y == draft.lowest
    homes = tuple(home if home.entry is None or home.entry in kept else replace(home, entry=None) for home in draft.homes)
    bars, final = tuple(point for point in draft.barricades if point in kept), draft.final if draft.final in kept else None
    after = replace(draft, squares=kept, final=final, barricades=bars, homes=homes)
    return replace(after, first_row_y=after.lowest) if followed else after


def with_home(draft: BoardFile, home: HomeFile) -> BoardFile:
    """The draft with a home changed or added; a home without entry and places is removed."""
    homes = {each.id: each for each in draft.homes} | {home.id: home}
    return replace(draft, homes=tuple(each for each in homes.values() if each != home or home.entry or home.slots))


def _on(change: Callable[..., BoardFile]) -> Callable[..., BoardFile]:
    """Turn a change of points into a change of the things on the picture at these points."""
    return lambda draft, *touch: change(draft, *(_point(draft, each) for each in touch))


def _point(draft: BoardFile, thing: str) -> Point:
    """The point of a thing on the picture, such as `s:3,4`."""
    found = re.fullmatch(r"\w+:(\d{1,2}),(\d{1,2})", thing, re.ASCII)
    point = (int(found[1]), int(found[2])) if found else (-1, -1)
    forbid(not (0 <= point[0] < draft.width and 0 <= point[1] < draft.height), "nothing")
    return point


def _free(draft: BoardFile, point: Point) -> None:
    if home := draft.slot_home(point):
        raise NoStroke(phrase("edit.no.slot", home=home.id), _thing("f", point))


def _on_square(draft: BoardFile, point: Point) -> None:
    forbid(point not in draft.squares, "no.square", _thing("f", point), point=name_of(draft, point))


def _room(draft: BoardFile, squares: set[Point]) -> BoardFile:
    forbid(len(squares) > MOST_SQUARES, "no.room", most=MOST_SQUARES)
    return with_squares(draft, squares)


def _square(draft: BoardFile, point: Point) -> BoardFile:
    _free(draft, point)
    forbid(point in draft.squares, "no.more", point=name_of(draft, point))
    return _room(draft, {*draft.squares, point})


def _way(draft: BoardFile, one: Point, other: Point) -> BoardFile:
    """Make all points of a row or column between two points squares; if all are squares already, remove those between."""
    (ax, ay), (bx, by) = sorted((one, other))
    forbid(one == other or (ax != bx and ay != by), "no.way")
    points = {(x, y) for x in range(ax, bx + 1) for y in range(min(ay, by), max(ay, by) + 1)}
    if not points <= set(draft.squares):
        for point in points:
            _free(draft, point)
        return _room(draft, {*draft.squares, *points})
    forbid(len(points) == 2, "no.apart")
    return with_squares(draft, set(draft.squares) - (points - {one, other}))


def _barricade(draft: BoardFile, point: Point) -> BoardFile:
    _on_square(draft, point)
    return replace(draft, barricades=in_order({*draft.barricades} ^ {point}))


def _final(draft: BoardFile, point: Point) -> BoardFile:
    _on_square(draft, point)
    return replace(draft, final=None if draft.final == point else point)


def _home(draft: BoardFile, number: str, thing: str) -> BoardFile:
    """Make a square the home's entry, or undo that; make another point a place of the home, or undo that."""
    point = _point(draft, thing)
    fresh = new_home(draft) if len(draft.homes) < MOST_SEATS else None
    known = draft.home(int(number)) if re.fullmatch("[0-9]{1,2}", number) else None
    home = known or (fresh if fresh and number == str(fresh.id) else None)
    if home is None:
        full = len(draft.homes) >= MOST_SEATS
        raise NoStroke(phrase("edit.no.seats", most=MOST_SEATS) if full else phrase("edit.nothing"))
    if point in draft.squares:
        return with_home(draft, replace(home, entry=None if home.entry == point else point))
    if point not in home.slots:
        _free(draft, point)
        forbid(len(home.slots) == MOST_SLOTS, "no.slots", most=MOST_SLOTS)
    slots = [slot for slot in home.slots if slot != point] if point in home.slots else [*home.slots, point]
    return with_home(draft, replace(home, slots=tuple(slots)))


def _erase(draft: BoardFile, point: Point) -> BoardFile:
    """Remove the topmost thing: a barricade, else the square, else a place of a home."""
    if point in draft.barricades:
        return _barricade(draft, point)
    if point in draft.squares:
        return with_squares(draft, {*draft.squares} - {point})
    home = draft.slot_home(point)
    if home is None:
        raise NoStroke(phrase("edit.nothing"))
    return with_home(draft, replace(home, slots=tuple(slot for slot in home.slots if slot != point)))


def _mirror(draft: BoardFile, axis: str) -> BoardFile:
    """Add the mirror images of all squares and barricades. Homes stay, so an image on a place of one stays free."""
    image = reflect(draft.squares, axis)

    def both(points: Iterable[Point]) -> set[Point]:
        images = {(int(x), int(y)) for x, y in map(image, points)}
        return {*points} | {each for each in images if draft.slot_home(each) is None}

    after = _room(draft, both(draft.squares))
    return replace(after, barricades=in_order(both(draft.barricades) & {*after.squares}))


def _set(field: str, tool: str) -> Callable[[BoardFile, str], BoardFile]:
    def change(draft: BoardFile, text: str) -> BoardFile:
        here = next(each for each in tools(draft, "en") if each.id == tool)
        number = whole_number(text, here.low, here.high)
        value = draft.lowest - number + 1 if tool == "firstRow" else number
        return replace(draft, **{field: value})

    return change


STROKES: dict[tuple[str, int], Callable[..., BoardFile]] = {
    ("square", 1): _on(_square),
    ("way", 2): _on(_way),
    ("barricade", 1): _on(_barricade),
    ("final", 1): _on(_final),
    ("home:", 1): _home,
    ("erase", 1): _on(_erase),
    ("mirror:", 0): _mirror,
    **SIGNATURE,
    ("pawns", 1): _set("pawns_per_player", "pawns"),
    ("width", 1): _set("width", "width"),
    ("height", 1): _set("height", "height"),
    ("firstRow", 1): _set("first_row_y", "firstRow"),
}


# -- problems --------------------------------------------------------------------------------------------------------
def explain_error(draft: BoardFile, error: BridgeheadError) -> tuple[Problem, BoardFile | None]:
    found = PLACE.match(error.where)
    part, index = (found[1], int(found[2] or 0)) if found else ("", 0)
    if part == "squares" and len(draft.squares) < 3:
        return Problem(phrase("edit.lacks.squares")), _filled(draft)
    if part == "squares":
        return _apart(draft, error), None
    if part == "final":
        free = next((point for point in draft.squares if all(home.entry != point for home in draft.homes)), None)
        rest = replace(draft, final=free) if free and free != draft.final else None
        return Problem(phrase("edit.lacks.final")), rest
    if part == "homes" and found and found[2] is None:
        return Problem(phrase("edit.lacks.homes", n=2 - len(draft.homes))), None
    if part == "homes":
        return _home_problem(draft, draft.homes[index], found[3] if found else ""), _without_home(draft, index)
    if part == "barricades":
        point = draft.barricades[index]
        rest = replace(draft, barricades=tuple(each for each in draft.barricades if each != point))
        return Problem(phrase("edit.bad.barricade", point=name_of(draft, point)), (_thing("f", point),)), rest
    if part == "firstRowY":
        return Problem(phrase("edit.bad.firstRow")), replace(draft, first_row_y=draft.lowest)
    if error.where == "pawns":
        return Problem(phrase("edit.bad.room")), None
    return make_default_problem(error), None


def _apart(draft: BoardFile, error: BridgeheadError) -> Problem:
    """The problem that no way leads from a square to the final one."""
    square = next((point for point in draft.squares if name_of(draft, point) == error.phrase.params.get("names")), None)
    if square is None:
        return make_default_problem(error)
    return Problem(phrase("edit.bad.apart", point=name_of(draft, square)), (_thing("f", square),))


def _filled(draft: BoardFile) -> BoardFile:
    """The draft with the fewest squares that a board needs, so the checks can go on."""
    taken = {slot for home in draft.homes for slot in home.slots}
    grid = [(x, y) for y in range(draft.height) for x in range(draft.width) if (x, y) not in taken]
    return with_squares(draft, [*draft.squares, *[point for point in grid if point not in draft.squares][:3]])


def _home_problem(draft: BoardFile, home: HomeFile, part: str) -> Problem:
    show = tuple(_thing("f", slot) for slot in home.slots)
    if part == "entry":
        key = "edit.bad.entry" if home.entry else "edit.lacks.entry"
        return Problem(phrase(key, home=home.id), (_thing("f", home.entry),) if home.entry else show)
    if len(home.slots) < draft.pawns_per_player:
        return Problem(phrase("edit.lacks.slots", home=home.id, pawns=draft.pawns_per_player, n=len(home.slots)), show)
    return Problem(phrase("edit.bad.slots", home=home.id), show)


def _without_home(draft: BoardFile, index: int) -> BoardFile | None:
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
        homes.append(replace(fresh, entry=entry, slots=tuple(free[:MOST_SLOTS])))
        draft = replace(draft, barricades=in_order(bars))
    return replace(draft, homes=tuple(homes))
