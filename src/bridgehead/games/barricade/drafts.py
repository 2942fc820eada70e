"""Drafts of the editor of Barricade: like a board file, but parts may be missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from bridgehead.core.editing import Name, drafted
from bridgehead.core.errors import BoardError
from bridgehead.core.options import camel
from bridgehead.games.barricade.board import MOST_HOMES, MOST_PAWNS, MOST_SLOTS, MOST_SQUARES, WIDEST, Point, column

Number = Annotated[int, Meta(ge=0, lt=WIDEST)]
At = tuple[Number, Number]
COLOURS = ("red", "green", "yellow", "blue", "purple", "orange")


class HomeDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A home; it may lack an entry."""

    id: Annotated[int, Meta(ge=1, le=99)]
    color: Name
    entry: At | None
    slots: Annotated[tuple[At, ...], Meta(max_length=MOST_SLOTS)]


class Draft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=camel):
    """A draft. The points of each list are all different and within width and height."""

    name: Name
    width: Annotated[int, Meta(ge=1, le=WIDEST)]
    height: Annotated[int, Meta(ge=1, le=WIDEST)]
    pawns_per_player: Annotated[int, Meta(ge=1, le=MOST_PAWNS)]
    squares: Annotated[tuple[At, ...], Meta(max_length=MOST_SQUARES)]
    final: At | None
    barricades: Annotated[tuple[At, ...], Meta(max_length=MOST_SQUARES)]
    homes: Annotated[tuple[HomeDraft, ...], Meta(max_length=MOST_HOMES)]
    first_row_y: Number

    @property
    def lowest(self) -> int:
        """The lowest row of squares; without squares, a suitable row."""
        return max((y for _, y in self.squares), default=max(0, self.height - 3))

    def home(self, number: int) -> HomeDraft | None:
        """The home of that id."""
        return next((home for home in self.homes if home.id == number), None)

    def slot_home(self, point: Point) -> HomeDraft | None:
        """The home that has a place there."""
        return next((home for home in self.homes if point in home.slots), None)


EMPTY = Draft("own board", 9, 12, 3, (), None, (), (), 9)


def read(data: Any) -> Draft:
    """A draft from the data of a file. Errors: BoardError with the place in it."""
    draft = drafted(Draft, data)
    _check(draft.squares, draft, "squares")
    _check(draft.barricades, draft, "barricades")
    _check_one(draft.final, draft, "final")
    ids: set[int] = set()
    for place, home in enumerate(draft.homes):
        if home.id in ids:
            raise BoardError("barricade:error.two_homes", f"homes[{place}].id", id=home.id)
        ids.add(home.id)
        _check(home.slots, draft, f"homes[{place}].slots")
        _check_one(home.entry, draft, f"homes[{place}].entry")
    return draft


def _check(points: Iterable[Point], draft: Draft, where: str) -> None:
    seen: set[Point] = set()
    for place, point in enumerate(points):
        _check_one(point, draft, f"{where}[{place}]")
        if point in seen:
            raise BoardError("barricade:error.given_twice", f"{where}[{place}]", point=list(point))
        seen.add(point)


def _check_one(point: Point | None, draft: Draft, where: str) -> None:
    if point and (point[0] >= draft.width or point[1] >= draft.height):
        raise BoardError("barricade:error.lies_outside_board", where, point=list(point), width=draft.width, height=draft.height)


def name_of(draft: Draft, point: Point) -> str:
    """The name of this point as a square of the finished board. Rows below the lowest row of squares are 0 or negative."""
    return f"{column(point[0])}{draft.lowest - point[1] + 1}"


def in_order(points: Iterable[Point]) -> tuple[Point, ...]:
    """Points in reading order."""
    return tuple(sorted(set(points), key=lambda point: (point[1], point[0])))


def with_squares(draft: Draft, squares: Iterable[Point]) -> Draft:
    """The draft with other squares. Marks on removed squares disappear; a first row that was the lowest row stays the lowest."""
    kept = in_order(squares)
    followed = not draft.squares or draft.first_row_y == draft.lowest
    after = msgspec.structs.replace(
        draft,
        squares=kept,
        final=draft.final if draft.final in kept else None,
        barricades=tuple(point for point in draft.barricades if point in kept),
        homes=tuple(
            msgspec.structs.replace(home, entry=None) if home.entry and home.entry not in kept else home for home in draft.homes
        ),
    )
    return msgspec.structs.replace(after, first_row_y=after.lowest) if followed else after


def with_home(draft: Draft, home: HomeDraft) -> Draft:
    """The draft with a home changed or added; a home without entry and places is removed."""
    others = [each for each in draft.homes if each.id != home.id]
    at = next((i for i, each in enumerate(draft.homes) if each.id == home.id), len(others))
    if home.entry or home.slots:
        others.insert(at, home)
    return msgspec.structs.replace(draft, homes=tuple(others))


def new_home(draft: Draft) -> HomeDraft:
    """A new home, still empty."""
    number = next(n for n in range(1, 100) if draft.home(n) is None)
    return HomeDraft(number, COLOURS[(number - 1) % len(COLOURS)], None, ())
