"""The board editor of Burning Bridges: markers (BB-S.1, BB-S.2), pillars and lines."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from bridgehead.core.editing import PLACE, NoStroke, Problem, Tool, Toolbox, named_as, plain, stroked, unnamed, whole_number
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import phrase
from bridgehead.core.scene import Part
from bridgehead.games.burning_bridges.board import MOST_FAMILIES, MOST_LINES, MOST_PILLARS, SIZES
from bridgehead.games.burning_bridges.drafts import (
    EMPTY,
    Draft,
    FamilyDraft,
    family_draft,
    free_points,
    new_name,
    with_family,
    with_start,
    without_pillar,
)
from bridgehead.games.burning_bridges.drafts import read as read
from bridgehead.games.burning_bridges.names import family_name
from bridgehead.games.burning_bridges.sketch import TELL
from bridgehead.games.burning_bridges.sketch import sketch as sketch
from bridgehead.games.burning_bridges.words import family as called

SEALED = False
MOST_SEATS = 5
LETTERS = "abcdef"


def starts() -> dict[str, Any]:
    """Boards to begin with, by name: the shipped ones, and two bare pillars."""
    folder = Path(__file__).parent / "boards"
    shipped = {name: json.loads((folder / f"{name}.json").read_text("utf-8")) for name in ("star5", "star4", "star3", "star6")}
    return {**shipped, "empty": plain(EMPTY)}


def rules(draft: Draft) -> dict[str, Any]:
    """The house rules to play the board: a seat for each family, up to the highest number of seats."""
    return {"board": plain(draft), "seats": min(MOST_SEATS, len(draft.family))}


# -- tools -----------------------------------------------------------------------------------------------------------


def tools(draft: Draft, language: str) -> tuple[Tool, ...]:
    """Tools for markers, for each family's triangle and goals, for lines and pillars; then name and number of families."""
    box = Toolbox(TELL, language)

    def of_family(kind: str, family: FamilyDraft) -> Tool:
        letter = family_name(family.id)
        shape = Part(use=f"shape-{letter}", cls="face", scale=10)
        is_start = kind == "start"
        mark = Part(text=letter.upper(), cls="start-letter", y=8.5) if is_start else shape
        parts = (Part(use="bb-start" if is_start else "bb-badge"), mark)
        return box.touch(f"{kind}:{letter}", parts=parts, group=kind, livery=letter, family=called(family.id))

    return (
        box.touch("move", 2),
        *(of_family("start", family) for family in draft.family),
        *(of_family("goal", family) for family in draft.family),
        box.touch("line", 2, group="ground"),
        box.touch("pillar", parts=[Part(use="bb-pillar", scale=0.5)], group="ground"),
        box.touch("shift", 2, group="ground"),
        box.touch("erase", group="ground"),
        box.name(draft.name),
        box.number("families", len(draft.family), 2, MOST_FAMILIES),
    )


# -- strokes ---------------------------------------------------------------------------------------------------------


def stroke(draft: Draft, tool: str, touch: tuple[str, ...]) -> Draft:
    """The draft after a tool has touched these things. Errors: NoStroke."""
    return stroked(STROKES, draft, tool, touch)


def _family(draft: Draft, letter: str) -> FamilyDraft:
    if len(letter) != 1 or letter not in LETTERS[: len(draft.family)]:
        raise NoStroke(phrase("edit.nothing"))
    return draft.family[LETTERS.index(letter)]


def _pillar(draft: Draft, thing: str) -> str:
    """The pillar that a thing is, or stands on. Errors: NoStroke."""
    kind, _, rest = thing.partition(":")
    found = rest if kind == "f" else rest.rpartition(":")[2] if kind == "m" else ""
    if kind == "p" and len(rest) == 2:
        found = _family(draft, rest[0]).starts().get(rest[1], "")
    if found not in draft.nodes:
        raise NoStroke(phrase("edit.no.pillar"))
    return found


def _start(draft: Draft, letter: str, thing: str) -> Draft:
    return with_family(draft, with_start(_family(draft, letter), _pillar(draft, thing)))


def _goal(draft: Draft, letter: str, thing: str) -> Draft:
    """Make a pillar a goal of the family, or undo that."""
    family, pillar = _family(draft, letter), _pillar(draft, thing)
    goals = [goal for goal in family.goals if goal != pillar]
    return _with_goals(draft, family, goals if pillar in family.goals else [*goals, pillar])


def _with_goals(draft: Draft, family: FamilyDraft, goals: list[str]) -> Draft:
    order = list(draft.nodes)
    kept = family.goals if set(goals) == set(family.goals) else tuple(sorted(goals, key=order.index))
    return with_family(draft, msgspec.structs.replace(family, goals=kept))


def _move(draft: Draft, marker: str, thing: str) -> Draft:
    """Move a triangle, a piece or a goal marker to another pillar."""
    kind, _, rest = marker.partition(":")
    pillar, parts = _pillar(draft, thing), rest.split(":")
    if kind == "p" and len(rest) == 2 and rest[1] in SIZES:
        return with_family(draft, with_start(_family(draft, rest[0]), pillar, rest[1]))
    if kind != "m" or len(parts) != 3 or parts[0] not in ("start", "goal"):
        raise NoStroke(phrase("edit.no.marker"))
    family = _family(draft, parts[1])
    if parts[0] == "start":
        sizes = "".join(size for size, place in family.starts().items() if place == parts[2])
        return with_family(draft, with_start(family, pillar, sizes))
    if parts[2] not in family.goals:
        raise NoStroke(phrase("edit.nothing"))
    if pillar in family.goals:
        raise NoStroke(phrase("edit.no.twice", family=called(family.id), pillar=pillar), f"f:{pillar}")
    return _with_goals(draft, family, [pillar if goal == parts[2] else goal for goal in family.goals])


def _line(draft: Draft, one: str, other: str) -> Draft:
    """Draw a line between two pillars, or remove an existing one."""
    a, b = _pillar(draft, one), _pillar(draft, other)
    if a == b:
        raise NoStroke(phrase("edit.two"))
    if known := draft.line(a, b):
        return msgspec.structs.replace(draft, edges=tuple(line for line in draft.edges if line != known))
    if len(draft.edges) == MOST_LINES:
        raise NoStroke(phrase("edit.no.lines", most=MOST_LINES))
    return msgspec.structs.replace(draft, edges=(*draft.edges, (a, b)))


def _new_pillar(draft: Draft, thing: str) -> Draft:
    if (place := free_points(draft).get(thing)) is None:
        raise NoStroke(phrase("edit.no.point"))
    if len(draft.nodes) == MOST_PILLARS:
        raise NoStroke(phrase("edit.no.pillars", most=MOST_PILLARS))
    return msgspec.structs.replace(draft, nodes={**draft.nodes, new_name(draft): place})


def _shift(draft: Draft, thing: str, point: str) -> Draft:
    """Move a pillar to a free point, with everything on it."""
    pillar = _pillar(draft, thing)
    if (place := free_points(draft).get(point)) is None:
        raise NoStroke(phrase("edit.no.point"))
    return msgspec.structs.replace(draft, nodes={**draft.nodes, pillar: place})


def _erase(draft: Draft, thing: str) -> Draft:
    """Remove a goal marker, a piece or a triangle; or a pillar with its lines and everything on it."""
    kind, _, rest = thing.partition(":")
    parts = rest.split(":")
    if kind == "p" and len(rest) == 2 and rest[1] in SIZES:
        return with_family(draft, with_start(_family(draft, rest[0]), None, rest[1]))
    if kind == "m" and len(parts) == 3:
        family = _family(draft, parts[1])
        if parts[0] == "goal":
            return _with_goals(draft, family, [goal for goal in family.goals if goal != parts[2]])
        sizes = "".join(size for size, place in family.starts().items() if place == parts[2])
        return with_family(draft, with_start(family, None, sizes))
    pillar = _pillar(draft, thing)
    if len(draft.nodes) == 2:
        raise NoStroke(phrase("edit.no.last"), f"f:{pillar}")
    return without_pillar(draft, pillar)


def _set_families(draft: Draft, text: str) -> Draft:
    number = whole_number(text, 2, MOST_FAMILIES)
    more = tuple(family_draft(each) for each in range(len(draft.family), number))
    return msgspec.structs.replace(draft, families=number, family=(*draft.family, *more)[:number])


STROKES: dict[tuple[str, int], Callable[..., Draft]] = {
    ("move", 2): _move,
    ("start:", 1): _start,
    ("goal:", 1): _goal,
    ("line", 2): _line,
    ("pillar", 1): _new_pillar,
    ("shift", 2): _shift,
    ("erase", 1): _erase,
    ("name", 1): named_as,
    ("families", 1): _set_families,
}


# -- problems --------------------------------------------------------------------------------------------------------


def named(draft: Draft, error: BridgeheadError) -> tuple[Problem, Draft | None]:
    """The editor's problem for an error of the checks, and a copy of the draft with the problem mended, or None."""
    found = PLACE.match(error.where)
    part, place = (found[1], found[2] or found[3]) if found else ("", "")
    if part == "edges" and not draft.edges:
        pillars = list(draft.nodes)
        return Problem(phrase("edit.lacks.lines")), msgspec.structs.replace(draft, edges=tuple(itertools.pairwise(pillars)))
    if part == "nodes" and place in draft.nodes:
        return Problem(phrase("edit.bad.apart", pillar=place), (f"f:{place}",)), _joined(draft, str(place))
    if part == "family" and found and found[3] in ("goals", "start"):
        return _family_problem(draft, draft.family[int(found[2])], found[3])
    return unnamed(error), None


def _family_problem(draft: Draft, family: FamilyDraft, part: str) -> tuple[Problem, Draft | None]:
    """The problem of a family that has no goals, has no start, or starts at home; and the draft with this mended."""
    starts, pillars, who = family.starts(), list(draft.nodes), called(family.id)
    if part == "goals":
        free = [pillar for pillar in pillars if pillar not in starts.values()] or pillars
        return Problem(phrase("edit.lacks.goals", family=who)), _with_goals(draft, family, free[:1])
    elsewhere = [pillar for pillar in pillars if pillar not in family.goals]
    if len(starts) < len(SIZES):
        missing = "".join(size for size in SIZES if size not in starts)
        rest = with_family(draft, with_start(family, (elsewhere or pillars)[0], missing))
        return Problem(phrase("edit.lacks.start", family=who, pieces=", ".join(missing))), rest
    home = tuple(f"f:{pillar}" for pillar in dict.fromkeys(starts.values()))
    moved = with_family(draft, with_start(family, elsewhere[0])) if elsewhere else None
    return Problem(phrase("edit.bad.start", family=who), home), moved


def _joined(draft: Draft, pillar: str) -> Draft | None:
    """The draft with a line from the first pillar to this one, so the checks can go on."""
    first = next(iter(draft.nodes))
    return None if len(draft.edges) == MOST_LINES else msgspec.structs.replace(draft, edges=(*draft.edges, (first, pillar)))
