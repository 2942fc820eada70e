"""The board editor of Burning Bridges: markers (BB-S.1, BB-S.2), pillars and lines. In a draft, markers may be missing."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from types import SimpleNamespace
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
from bridgehead.core.scene import Item, Part, Picture
from bridgehead.games.burning_bridges import SPEC, scene
from bridgehead.games.burning_bridges.board import (
    FAR,
    MOST_FAMILIES,
    MOST_LINES,
    MOST_PILLARS,
    SIZES,
    Board,
    BoardFile,
    Family,
    FamilyFile,
    Spot,
    Start,
    shipped_file,
)
from bridgehead.games.burning_bridges.board import read as read
from bridgehead.games.burning_bridges.scene import PIECE_Z, PicturePoint, Stand, pyramid, stands
from bridgehead.games.burning_bridges.words import family as called
from bridgehead.games.burning_bridges.words import family_name, piece

COLOURS = ("red", "blue", "green", "yellow", "purple", "orange")


def family_draft(number: int) -> FamilyFile:
    """A family without markers."""
    return FamilyFile(number, COLOURS[number], Start(L=None, M=None, S=None), ())


EMPTY = BoardFile("own board", 2, {"A1": (0, 0), "A2": (2, 0)}, (), (family_draft(0), family_draft(1)))


def with_family(draft: BoardFile, family: FamilyFile) -> BoardFile:
    """One family changed."""
    return replace(draft, family=tuple(family if each.id == family.id else each for each in draft.family))


def with_start(family: FamilyFile, pillar: str | None, sizes: str = SIZES) -> FamilyFile:
    """The family with these pieces starting on a pillar, or without a start (None)."""
    return replace(family, start=replace(family.start, **dict.fromkeys(sizes, pillar)))


def _sizes_on(family: FamilyFile, pillar: str) -> str:
    """The pieces that start on a pillar, by their sizes."""
    return "".join(size for size, place in family.starts().items() if place == pillar)


def without_pillar(draft: BoardFile, pillar: str) -> BoardFile:
    """The draft without a pillar, its lines and its markers."""
    families = []
    for family in draft.family:
        goals = tuple(goal for goal in family.goals if goal != pillar)
        families.append(replace(with_start(family, None, _sizes_on(family, pillar)), goals=goals))
    nodes = {name: spot for name, spot in draft.nodes.items() if name != pillar}
    return replace(draft, nodes=nodes, edges=tuple(line for line in draft.edges if pillar not in line), family=tuple(families))


# -- free points -----------------------------------------------------------------------------------------------------
STEPS = (1, 2, 5)
MOST_POINTS = 700
LEAST_GAP = 1e-6


def step_of(draft: BoardFile) -> float:
    """The distance between points for new pillars: a round number, about half of the smallest gap, larger on a wide board."""
    xs, ys = zip(*draft.nodes.values(), strict=True)
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    gap = max(min(math.dist(one, other) for one, other in itertools.combinations(draft.nodes.values(), 2)), LEAST_GAP)
    power = math.floor(math.log10(gap / 2))
    steps = (step * 10.0 ** (power + more) for more in itertools.count() for step in STEPS)
    return next(step for step in steps if step > gap / 5 and (wide / step + 4) * (high / step + 4) <= MOST_POINTS)


def free_points(draft: BoardFile) -> dict[str, Spot]:
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


# -- the picture of a draft: the same valley, with movable markers -----------------------------------------------------
TELL = catalogue(SPEC.folder).tell
POINT_TOOLS = ("pillar", "shift")  # these tools can also touch free points
MARKER_R = 22.0


def sketch(draft: BoardFile, tool: str, language: str) -> tuple[Picture, tuple[Item, ...]]:
    """The finished board, with triangles, pieces and goal markers as separate items."""
    drawn = _drawn(draft)
    picture = scene.picture(drawn, language)
    triangles = {item.id: item for item in picture.ground if item.id.startswith("g:start-")}
    still = tuple(item for item in picture.ground if item.id not in triangles)
    fields = (*picture.fields, *(_points(draft, drawn.board, language) if tool in POINT_TOOLS else ()))
    items = [_triangle(item, language) for item in triangles.values()]
    for each in draft.family:
        items += [_goal_marker(draft, drawn.board, each, pillar, language) for pillar in each.goals]
    for pillar in draft.nodes:
        items += _pieces(draft, drawn.board, pillar, language)
    return replace(picture, ground=still, fields=fields), tuple(items)


def _drawn(draft: BoardFile) -> Any:
    """A stand-in for the game in drawing functions: it has no law, and all families play."""
    number = {pillar: index for index, pillar in enumerate(draft.nodes)}
    marked = ((each.color, each.starts().values(), each.goals) for each in draft.family)
    families = tuple(
        Family(colour, tuple(number[p] for p in starts), tuple(number[p] for p in goals)) for colour, starts, goals in marked
    )
    places = tuple((float(x), float(y)) for x, y in draft.nodes.values())
    lines = tuple((number[one], number[other]) for one, other in draft.edges)
    board = Board(draft.name, tuple(draft.nodes), places, lines, families)
    options = SimpleNamespace(seats=len(families), families=None)
    return SimpleNamespace(board=board, options=options, words=catalogue(SPEC.folder), spec=SPEC)


def _points(draft: BoardFile, board: Board, language: str) -> list[Item]:
    """Free points as fields of the picture."""
    label = TELL(phrase("edit.point"), language)
    dot = (Part(use="bb-foot", scale=0.5),)
    return [Item(point, *_spot(draft, board, place), dot, label=label, r=18) for point, place in free_points(draft).items()]


def _spot(draft: BoardFile, board: Board, place: Spot) -> PicturePoint:
    """The point on the picture of a place in the file. The two pillars farthest apart give the scale."""
    plan, places = scene.layout(board), board.places
    spreads = [max(spot[axis] for spot in places) - min(spot[axis] for spot in places) for axis in (0, 1)]
    axis = spreads.index(max(spreads))
    order = sorted(range(len(places)), key=lambda pillar: places[pillar][axis])
    low, high = order[0], order[-1]
    unit = (plan.pillars[high][axis] - plan.pillars[low][axis]) / (places[high][axis] - places[low][axis])
    (px, py), (x, y) = plan.pillars[low], places[low]
    return PicturePoint(round(px + unit * (place[0] - x), 1), round(py + unit * (place[1] - y), 1))


def _triangle(item: Item, language: str) -> Item:
    """The triangle of a family beside its pillar; it represents the whole family."""
    letter, pillar = item.id.removeprefix("g:start-").split("-")
    label = TELL(phrase("edit.triangle", family=called("abcdef".index(letter)), pillar=pillar), language)
    return replace(item, id=f"m:start:{letter}:{pillar}", label=label, r=MARKER_R, z=5, cls="takes")


def _goal_marker(draft: BoardFile, board: Board, family: FamilyFile, pillar: str, language: str) -> Item:
    """A round marker on a goal; markers of several families stand around the pillar."""
    sharing = [each.id for each in draft.family if pillar in each.goals]
    place, letter = scene.layout(board).pillars[list(draft.nodes).index(pillar)], family_name(family.id)
    turn = sharing.index(family.id)
    spot = (
        place.away(22, -1.05 + 1.05 * turn)
        if len(sharing) > 1 or _stand(draft, pillar)
        else PicturePoint(place.x + 16, place.y - 16)
    )
    parts = (Part(use="bb-badge", scale=0.62), Part(use=f"shape-{letter}", cls="face", scale=6.5))
    label = TELL(phrase("edit.goal", family=called(family.id), pillar=pillar), language)
    return Item(f"m:goal:{letter}:{pillar}", round(spot.x, 1), round(spot.y, 1), parts, letter, "takes", label, "", 14, 6)


def _stand(draft: BoardFile, pillar: str) -> list[tuple[int, str]]:
    """The pieces that start on a pillar: family and size, large ones first."""
    found = [(family.id, size) for family in draft.family for size, place in family.starts().items() if place == pillar]
    return sorted(found, key=lambda each: (SIZES.index(each[1]), each[0]))


def _pieces(draft: BoardFile, board: Board, pillar: str, language: str) -> list[Item]:
    together = _stand(draft, pillar)
    place, places = scene.layout(board).pillars[list(draft.nodes).index(pillar)], stands(len(together)) if together else []
    at = [Stand(place.x + stand.x, place.y + stand.y, stand.scale) for stand in places]
    return [_piece(*which, pillar, stand, language) for which, stand in zip(together, at, strict=True)]


def _piece(number: int, size: str, pillar: str, at: Stand, language: str) -> Item:
    letter, (parts, up, r) = family_name(number), pyramid(family_name(number) + size, at.scale)
    label = TELL(phrase("scene.piece.free", piece=piece(3 * number + SIZES.index(size)), pillar=pillar), language)
    x, y, z = round(at.x, 1), round(at.y - up, 1), PIECE_Z + 2 * round(at.y)
    return Item(f"p:{letter}{size}", x, y, parts, letter, "piece takes", label, f"f:{pillar}", r, z)


# -- boards ------------------------------------------------------------------------------------------------------------
MOST_SEATS = 5
LETTERS = "abcdef"


def starts() -> dict[str, Any]:
    """Boards to begin with, by name: the shipped ones, and two bare pillars."""
    return {**{name: shipped_file(name) for name in ("star5", "star4", "star3", "star6")}, "empty": plain(EMPTY)}


def rules(draft: BoardFile) -> dict[str, Any]:
    """The house rules to play the board: a seat for each family, up to the highest number of seats."""
    return {"board": plain(draft), "seats": min(MOST_SEATS, len(draft.family))}


# -- tools -----------------------------------------------------------------------------------------------------------
def tools(draft: BoardFile, language: str) -> tuple[Tool, ...]:
    """Tools for markers, for each family's triangle and goals, for lines and pillars; then name and number of families."""
    box = Toolbox(TELL, language)

    def of_family(kind: str, family: FamilyFile) -> Tool:
        letter = family_name(family.id)
        badge = (Part(use="bb-badge"), Part(use=f"shape-{letter}", cls="face", scale=10))
        triangle = (Part(use="bb-start"), Part(text=letter.upper(), cls="start-letter", y=8.5))
        parts = triangle if kind == "start" else badge
        return box.touch(f"{kind}:{letter}", parts=parts, group=kind, livery=letter, family=called(family.id))

    return (
        box.touch("move", 2),
        *(of_family("start", family) for family in draft.family),
        *(of_family("goal", family) for family in draft.family),
        box.touch("line", 2, group="ground"),
        box.touch("pillar", parts=[Part(use="bb-pillar", scale=0.5)], group="ground"),
        box.touch("shift", 2, group="ground"),
        box.touch("erase", group="ground"),
        *box.mirrors(),
        *box.signature(draft),
        box.number("families", len(draft.family), 2, MOST_FAMILIES),
    )


# -- strokes ---------------------------------------------------------------------------------------------------------
def _family(draft: BoardFile, letter: str) -> FamilyFile:
    forbid(len(letter) != 1 or letter not in LETTERS[: len(draft.family)], "nothing")
    return draft.family[LETTERS.index(letter)]


def _pillar(draft: BoardFile, thing: str) -> str:
    """The pillar that a thing is, or stands on. Errors: NoStroke."""
    kind, _, rest = thing.partition(":")
    found = rest if kind == "f" else rest.rpartition(":")[2] if kind == "m" else ""
    if kind == "p" and len(rest) == 2:
        found = _family(draft, rest[0]).starts().get(rest[1], "")
    forbid(found not in draft.nodes, "no.pillar")
    return found


def _start(draft: BoardFile, letter: str, thing: str) -> BoardFile:
    return with_family(draft, with_start(_family(draft, letter), _pillar(draft, thing)))


def _goal(draft: BoardFile, letter: str, thing: str) -> BoardFile:
    """Make a pillar a goal of the family, or undo that."""
    family, pillar = _family(draft, letter), _pillar(draft, thing)
    goals = [goal for goal in family.goals if goal != pillar]
    return _with_goals(draft, family, goals if pillar in family.goals else [*goals, pillar])


def _with_goals(draft: BoardFile, family: FamilyFile, goals: list[str]) -> BoardFile:
    order = list(draft.nodes)
    kept = family.goals if set(goals) == set(family.goals) else tuple(sorted(goals, key=order.index))
    return with_family(draft, replace(family, goals=kept))


def _move(draft: BoardFile, marker: str, thing: str) -> BoardFile:
    """Move a triangle, a piece or a goal marker to another pillar."""
    kind, _, rest = marker.partition(":")
    pillar, parts = _pillar(draft, thing), rest.split(":")
    if kind == "p" and len(rest) == 2 and rest[1] in SIZES:
        return with_family(draft, with_start(_family(draft, rest[0]), pillar, rest[1]))
    forbid(kind != "m" or len(parts) != 3 or parts[0] not in ("start", "goal"), "no.marker")
    family = _family(draft, parts[1])
    if parts[0] == "start":
        return with_family(draft, with_start(family, pillar, _sizes_on(family, parts[2])))
    forbid(parts[2] not in family.goals, "nothing")
    forbid(pillar in family.goals, "no.twice", f"f:{pillar}", family=called(family.id), pillar=pillar)
    return _with_goals(draft, family, [pillar if goal == parts[2] else goal for goal in family.goals])


def _line(draft: BoardFile, one: str, other: str) -> BoardFile:
    """Draw a line between two pillars, or remove an existing one."""
    a, b = _pillar(draft, one), _pillar(draft, other)
    forbid(a == b, "two")
    if known := draft.line(a, b):
        return replace(draft, edges=tuple(line for line in draft.edges if line != known))
    forbid(len(draft.edges) == MOST_LINES, "no.lines", most=MOST_LINES)
    return replace(draft, edges=(*draft.edges, (a, b)))


def _new_pillar(draft: BoardFile, thing: str) -> BoardFile:
    if (place := free_points(draft).get(thing)) is None:
        raise NoStroke(phrase("edit.no.point"))
    forbid(len(draft.nodes) == MOST_PILLARS, "no.pillars", most=MOST_PILLARS)
    name = next(name for n in range(1, 100) if (name := f"P{n}") not in draft.nodes)
    return replace(draft, nodes={**draft.nodes, name: place})


def _shift(draft: BoardFile, thing: str, point: str) -> BoardFile:
    """Move a pillar to a free point, with everything on it."""
    pillar = _pillar(draft, thing)
    if (place := free_points(draft).get(point)) is None:
        raise NoStroke(phrase("edit.no.point"))
    return replace(draft, nodes={**draft.nodes, pillar: place})


def _erase(draft: BoardFile, thing: str) -> BoardFile:
    """Remove a goal marker, a piece or a triangle; or a pillar with its lines and everything on it."""
    kind, _, rest = thing.partition(":")
    parts = rest.split(":")
    if kind == "p" and len(rest) == 2 and rest[1] in SIZES:
        return with_family(draft, with_start(_family(draft, rest[0]), None, rest[1]))
    if kind == "m" and len(parts) == 3:
        family = _family(draft, parts[1])
        if parts[0] == "goal":
            return _with_goals(draft, family, [goal for goal in family.goals if goal != parts[2]])
        return with_family(draft, with_start(family, None, _sizes_on(family, parts[2])))
    pillar = _pillar(draft, thing)
    forbid(len(draft.nodes) == 2, "no.last", f"f:{pillar}")
    return without_pillar(draft, pillar)


def _mirror(draft: BoardFile, axis: str) -> BoardFile:
    """Add the mirror images of all pillars and lines. Markers stay where they are."""
    image, nodes, partner = reflect(draft.nodes.values(), axis), dict(draft.nodes), dict[str, str]()
    gap, fresh = step_of(draft) / 2, (name for n in itertools.count(1) if (name := f"P{n}") not in draft.nodes)
    for pillar, place in draft.nodes.items():
        near = min(nodes, key=lambda name: math.dist(nodes[name], image(place)))
        partner[pillar] = near if math.dist(nodes[near], image(place)) < gap else next(fresh)
        nodes.setdefault(partner[pillar], image(place))
    known = {frozenset(line) for line in draft.edges}
    images = [(partner[one], partner[other]) for one, other in draft.edges]
    edges = (*draft.edges, *(line for line in images if len({*line}) == 2 and frozenset(line) not in known))
    forbid(len(nodes) > MOST_PILLARS, "no.pillars", most=MOST_PILLARS)
    forbid(len(edges) > MOST_LINES, "no.lines", most=MOST_LINES)
    return replace(draft, nodes=nodes, edges=edges)


def _set_families(draft: BoardFile, text: str) -> BoardFile:
    number = whole_number(text, 2, MOST_FAMILIES)
    more = tuple(family_draft(each) for each in range(len(draft.family), number))
    return replace(draft, families=number, family=(*draft.family, *more)[:number])


STROKES: dict[tuple[str, int], Callable[..., BoardFile]] = {
    ("move", 2): _move,
    ("start:", 1): _start,
    ("goal:", 1): _goal,
    ("line", 2): _line,
    ("pillar", 1): _new_pillar,
    ("shift", 2): _shift,
    ("erase", 1): _erase,
    ("mirror:", 0): _mirror,
    **SIGNATURE,
    ("families", 1): _set_families,
}


# -- problems --------------------------------------------------------------------------------------------------------
def explain_error(draft: BoardFile, error: BridgeheadError) -> tuple[Problem, BoardFile | None]:
    found = PLACE.match(error.where)
    part, place = (found[1], found[2] or found[3]) if found else ("", "")
    if part == "edges" and not draft.edges:
        pillars = list(draft.nodes)
        return Problem(phrase("edit.lacks.lines")), replace(draft, edges=tuple(itertools.pairwise(pillars)))
    if part == "nodes" and place in draft.nodes:
        joined = (next(iter(draft.nodes)), str(place))  # a line from the first pillar, so the checks can go on
        rest = None if len(draft.edges) == MOST_LINES else replace(draft, edges=(*draft.edges, joined))
        return Problem(phrase("edit.bad.apart", pillar=place), (f"f:{place}",)), rest
    if part == "family" and found and found[3] in ("goals", "start"):
        return _family_problem(draft, draft.family[int(found[2])], found[3])
    return make_default_problem(error), None


def _family_problem(draft: BoardFile, family: FamilyFile, part: str) -> tuple[Problem, BoardFile | None]:
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
