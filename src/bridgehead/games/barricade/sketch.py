"""The picture of a draft of Barricade: every point of the grid can be touched."""

from __future__ import annotations

from bridgehead.core.phrases import catalogue, phrase
from bridgehead.core.scene import Item, Part, Picture, rectangle
from bridgehead.games.barricade import SPEC
from bridgehead.games.barricade.board import Point, column
from bridgehead.games.barricade.drafts import Draft, HomeDraft, name_of
from bridgehead.games.barricade.layout import CELL, EDGE, THICK
from bridgehead.games.barricade.options import MOST_SEATS

MOST_POINTS = 1200  # most points of a grid; on a larger one only points near drawn things can be touched
NEAR = 2
TELL = catalogue(SPEC.folder).tell
SQUARE_R = 22.0


def sketch(draft: Draft, tool: str, language: str) -> tuple[Picture, tuple[Item, ...]]:
    """The grid points as fields, with squares, barricades and homes as items on them."""
    width, height = EDGE * 2.0 + CELL * draft.width, EDGE * 2.0 + CELL * draft.height
    slab = (
        Part(d=rectangle(0, THICK, width, height, 22), cls="slab-side"),
        Part(d=rectangle(0, 0, width, height, 22), cls="slab"),
        Part(d=rectangle(9, 9, width - 18, height - 18, 15), cls="slab-line"),
    )
    ground = (Item("g:slab", 0, 0, slab, cls="still"), Item("g:names", 0, 0, tuple(_names(draft)), cls="still"))
    fields = tuple(_field(draft, point, language) for point in _points(draft))
    items = [_channel(draft), *(_square(draft, point, language) for point in draft.squares)]
    items += [_barricade(draft, point, language) for point in draft.barricades if point in draft.squares]
    for home in draft.homes:
        items += _home(draft, home, language)
    return Picture(width, height + THICK, ground, fields), tuple(items)


def home_letter(draft: Draft, number: int) -> str:
    """The livery of a home by its position in the list; "" for homes beyond the highest seat."""
    ids = [home.id for home in draft.homes]
    place = ids.index(number) if number in ids else len(ids)
    return SPEC.seat_letter(place) if place < MOST_SEATS else ""


def _points(draft: Draft) -> list[Point]:
    grid = [(x, y) for y in range(draft.height) for x in range(draft.width)]
    if len(grid) <= MOST_POINTS:
        return grid
    drawn = [*draft.squares, *(slot for home in draft.homes for slot in home.slots)] or [(0, draft.height - 1)]
    reach = range(-NEAR, NEAR + 1)
    near = {(x + dx, y + dy) for x, y in drawn for dx in reach for dy in reach}
    return [point for point in grid if point in near]


def _at(point: Point) -> tuple[float, float]:
    return EDGE + CELL * (point[0] + 0.5), EDGE + CELL * (point[1] + 0.5)


def _names(draft: Draft) -> list[Part]:
    """Column letters above and row numbers at the left, as on the finished board."""
    letters = [Part(text=column(x), cls="field-name", x=_at((x, 0))[0], y=27) for x in range(draft.width)]
    rows = [(y, draft.lowest - y + 1) for y in range(draft.height)]
    return [*letters, *(Part(text=str(row), cls="field-name", x=22, y=_at((0, y))[1] + 4) for y, row in rows if row > 0)]


def _field(draft: Draft, point: Point, language: str) -> Item:
    label = TELL(phrase("edit.point", point=name_of(draft, point)), language)
    return Item(_id("f", point), *_at(point), (Part(use="ba-empty-slot", scale=0.24),), cls="field", label=label, r=SQUARE_R)


def _id(kind: str, point: Point) -> str:
    return f"{kind}:{point[0]},{point[1]}"


def _channel(draft: Draft) -> Item:
    """The routed way through all neighbouring squares."""
    squares, line = set(draft.squares), []
    for x, y in draft.squares:
        for other in ((x + 1, y), (x, y + 1)):
            if other in squares:
                (ax, ay), (bx, by) = _at((x, y)), _at(other)
                line.append(f"M{ax:g} {ay:g}L{bx:g} {by:g}")
    d = "".join(line)
    return Item("s:channel", 0, 0, (Part(d=d, cls="channel-edge"), Part(d=d, cls="channel")) if d else (), cls="still", z=1)


def _square(draft: Draft, point: Point, language: str) -> Item:
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
    return Item(_id("s", point), *_at(point), (Part(use=symbol),), seat, "", label, _id("f", point), SQUARE_R, 5)


def _barricade(draft: Draft, point: Point, language: str) -> Item:
    label = TELL(phrase("label.barricade", square=name_of(draft, point)), language)
    return Item(_id("b", point), *_at(point), (Part(use="ba-barricade"),), "", "piece", label, _id("f", point), SQUARE_R, 10)


def _home(draft: Draft, home: HomeDraft, language: str) -> list[Item]:
    """The places of a home with its number, and a bar from its entry to the nearest place."""
    letter, found = home_letter(draft, home.id), []
    if home.entry and home.slots:
        (ex, ey), (sx, sy) = _at(home.entry), _at(min(home.slots, key=lambda slot: (_far(slot, home.entry), slot)))
        bar = Part(d=f"M{ex:g} {ey:g}L{sx:g} {sy:g}", cls="tray-stem")
        found.append(Item(f"s:stem{home.id}", 0, 0, (bar,), letter, "still", z=2))
    for point in home.slots:
        label = TELL(phrase("edit.slot", home=home.id, point=name_of(draft, point)), language)
        parts = (Part(use="ba-slot" if letter else "ba-empty-slot"), Part(text=str(home.id), cls="tray-letter", y=5))
        found.append(Item(_id("h", point), *_at(point), parts, letter, "", label, _id("f", point), SQUARE_R, 6))
    return found


def _far(one: Point, other: Point | None) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) if other else 0
