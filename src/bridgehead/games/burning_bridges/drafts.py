"""Drafts of the editor of Burning Bridges: like a board file, but markers may be missing."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from bridgehead.core.editing import Name, drafted
from bridgehead.core.errors import BoardError
from bridgehead.games.burning_bridges.board import MOST_FAMILIES, MOST_LINES, MOST_PILLARS, PILLAR_NAME, SIZES

FAR = 10_000  # the largest coordinate of a board file
Pillar = Annotated[str, Meta(pattern=f"^{PILLAR_NAME.pattern}\\Z")]
Coordinate = Annotated[int, Meta(ge=-FAR, le=FAR)] | Annotated[float, Meta(ge=-FAR, le=FAR)]
Spot = tuple[Coordinate, Coordinate]
COLOURS = ("red", "blue", "green", "yellow", "purple", "orange")


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The start pillars of a family's pieces; None for a piece that is not set."""

    L: Pillar | None
    M: Pillar | None
    S: Pillar | None


class FamilyDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A family: where its pieces start, and its goals."""

    id: Annotated[int, Meta(ge=0, lt=MOST_FAMILIES)]
    color: Annotated[str, Meta(min_length=1, max_length=20)]
    start: Start
    goals: Annotated[tuple[Pillar, ...], Meta(max_length=MOST_PILLARS)]

    def starts(self) -> dict[str, str]:
        """The start pillars that are set, by size."""
        pillars = {size: getattr(self.start, size) for size in SIZES}
        return {size: pillar for size, pillar in pillars.items() if pillar}


class Draft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A draft: at least two pillars at different places; families are numbered in their order."""

    name: Name
    families: Annotated[int, Meta(ge=2, le=MOST_FAMILIES)]
    nodes: dict[Pillar, Spot]
    edges: Annotated[tuple[tuple[Pillar, Pillar], ...], Meta(max_length=MOST_LINES)]
    family: Annotated[tuple[FamilyDraft, ...], Meta(min_length=2, max_length=MOST_FAMILIES)]

    def line(self, one: str, other: str) -> tuple[str, str] | None:
        """The line between two pillars, as the file writes it."""
        return next((line for line in self.edges if line in ((one, other), (other, one))), None)

    @property
    def gap(self) -> float:
        """The distance between the two nearest pillars."""
        return min(math.dist(one, other) for one, other in itertools.combinations(self.nodes.values(), 2))


def family_draft(number: int) -> FamilyDraft:
    """A family without markers."""
    return FamilyDraft(number, COLOURS[number], Start(None, None, None), ())


EMPTY = Draft("own board", 2, {"A1": (0, 0), "A2": (2, 0)}, (), (family_draft(0), family_draft(1)))


def read(data: Any) -> Draft:
    """A draft from the data of a file. Errors: BoardError with the place in it."""
    draft = drafted(Draft, data)
    if not 2 <= len(draft.nodes) <= MOST_PILLARS:
        raise BoardError("burning_bridges:error.2_pillars_got", "nodes", most_pillars=MOST_PILLARS, count=len(draft.nodes))
    if draft.families != len(draft.family):
        raise BoardError("burning_bridges:error.number_families_listed", "families", count=len(draft.family))
    places: dict[Spot, str] = {}
    for pillar, spot in draft.nodes.items():
        if places.setdefault(spot, pillar) != pillar:
            raise BoardError("burning_bridges:error.where", f"nodes.{pillar}", places=places[spot])
    for index, line in enumerate(draft.edges):
        _known(draft, line, f"edges[{index}]")
        if line[0] == line[1] or draft.line(*line) is not draft.edges[index]:
            raise BoardError("burning_bridges:error.line_joins_two_different_pillars_2", f"edges[{index}]")
    for index, family in enumerate(draft.family):
        if family.id != index:
            raise BoardError("burning_bridges:error.families_numbered_their_order", f"family[{index}].id", index=index)
        _known(draft, family.starts().values(), f"family[{index}].start")
        _known(draft, family.goals, f"family[{index}].goals")
        if len(set(family.goals)) < len(family.goals):
            raise BoardError("burning_bridges:error.goal_named_twice", f"family[{index}].goals")
    return draft


def _known(draft: Draft, pillars: Iterable[str], where: str) -> None:
    for pillar in pillars:
        if pillar not in draft.nodes:
            raise BoardError("burning_bridges:error.no_pillar", where, value=repr(pillar))


def with_family(draft: Draft, family: FamilyDraft) -> Draft:
    """One family changed."""
    return msgspec.structs.replace(draft, family=tuple(family if each.id == family.id else each for each in draft.family))


def with_start(family: FamilyDraft, pillar: str | None, sizes: str = SIZES) -> FamilyDraft:
    """The family with these pieces starting on a pillar, or without a start (None)."""
    return msgspec.structs.replace(family, start=msgspec.structs.replace(family.start, **dict.fromkeys(sizes, pillar)))


def without_pillar(draft: Draft, pillar: str) -> Draft:
    """The draft without a pillar, its lines and its markers."""
    families = []
    for family in draft.family:
        sizes = "".join(size for size, place in family.starts().items() if place == pillar)
        goals = tuple(goal for goal in family.goals if goal != pillar)
        families.append(msgspec.structs.replace(with_start(family, None, sizes), goals=goals))
    return msgspec.structs.replace(
        draft,
        nodes={name: spot for name, spot in draft.nodes.items() if name != pillar},
        edges=tuple(line for line in draft.edges if pillar not in line),
        family=tuple(families),
    )


def new_name(draft: Draft) -> str:
    """An unused name for a pillar."""
    return next(name for n in range(1, 100) if (name := f"P{n}") not in draft.nodes)


# -- free points -----------------------------------------------------------------------------------------------------

STEPS = (1, 2, 5)
MOST_POINTS = 700
LEAST_GAP = 1e-6


def step_of(draft: Draft) -> float:
    """The distance between points for new pillars: a round number, about half of the smallest gap, larger on a wide board."""
    xs, ys = zip(*draft.nodes.values(), strict=True)
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    gap = max(draft.gap, LEAST_GAP)
    power = math.floor(math.log10(gap / 2))
    steps = (step * 10.0 ** (power + more) for more in itertools.count() for step in STEPS)
    return next(step for step in steps if step > gap / 5 and (wide / step + 4) * (high / step + 4) <= MOST_POINTS)


def free_points(draft: Draft) -> dict[str, Spot]:
    """The points for new pillars, by name: a grid around the board, away from existing pillars."""
    step, places = step_of(draft), list(draft.nodes.values())
    xs, ys = zip(*places, strict=True)
    rows, columns = _range(min(ys), max(ys), step), _range(min(xs), max(xs), step)
    digits = max(0, 2 - math.floor(math.log10(step)))
    found = {}
    for row in rows:
        for column in columns:
            x, y = round(column * step, digits), round(row * step, digits)
            if max(abs(x), abs(y)) <= FAR and all(math.dist((x, y), place) >= step * 0.9 for place in places):
                found[f"f:{column},{row}"] = (x, y)
    return found


def _range(low: float, high: float, step: float) -> range:
    return range(math.floor(low / step) - 1, math.ceil(high / step) + 2)
