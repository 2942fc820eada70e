"""The picture of a draft of Burning Bridges: the same valley, with movable markers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec

from bridgehead.core.phrases import catalogue, phrase
from bridgehead.core.scene import Item, Part, Picture
from bridgehead.games.burning_bridges import SPEC, ground
from bridgehead.games.burning_bridges.board import SIZES, Board, Family
from bridgehead.games.burning_bridges.drafts import Draft, FamilyDraft, Spot, free_points
from bridgehead.games.burning_bridges.ground import Place
from bridgehead.games.burning_bridges.items import FEET, MIDDLES, RADII, Stand, stands
from bridgehead.games.burning_bridges.names import family_name
from bridgehead.games.burning_bridges.words import family as called
from bridgehead.games.burning_bridges.words import piece as named

TELL = catalogue(SPEC.folder).tell
POINT_TOOLS = ("pillar", "shift")  # these tools can also touch free points
MARKER_R, PIECE_Z = 22.0, 20


def sketch(draft: Draft, tool: str, language: str) -> tuple[Picture, tuple[Item, ...]]:
    """The finished board, with triangles, pieces and goal markers as separate items."""
    drawn = _drawn(draft)
    picture = ground.picture(drawn, language)
    triangles = {item.id: item for item in picture.ground if item.id.startswith("g:start-")}
    still = tuple(item for item in picture.ground if item.id not in triangles)
    fields = (*picture.fields, *(_points(draft, drawn.board, language) if tool in POINT_TOOLS else ()))
    items = [_triangle(item, language) for item in triangles.values()]
    for each in draft.family:
        items += [_goal(draft, drawn.board, each, pillar, language) for pillar in each.goals]
    for pillar in draft.nodes:
        items += _pieces(draft, drawn.board, pillar, language)
    return msgspec.structs.replace(picture, ground=still, fields=fields), tuple(items)


def _drawn(draft: Draft) -> Any:
    """A stand-in for the game in drawing functions: it has no law, and all families play."""
    number = {pillar: index for index, pillar in enumerate(draft.nodes)}
    families = tuple(
        Family(each.color, tuple(number[p] for p in each.starts().values()), tuple(number[goal] for goal in each.goals))  # type: ignore[arg-type]
        for each in draft.family
    )
    places = tuple((float(x), float(y)) for x, y in draft.nodes.values())
    lines = tuple((number[one], number[other]) for one, other in draft.edges)
    board = Board(draft.name, tuple(draft.nodes), places, lines, families)
    options = SimpleNamespace(seats=len(families), families=None)
    return SimpleNamespace(board=board, options=options, words=catalogue(SPEC.folder), spec=SPEC)


def _points(draft: Draft, board: Board, language: str) -> list[Item]:
    """Free points as fields of the picture."""
    label = TELL(phrase("edit.point"), language)
    dot = (Part(use="bb-foot", scale=0.5),)
    return [Item(point, *_spot(draft, board, place), dot, label=label, r=18) for point, place in free_points(draft).items()]


def _spot(draft: Draft, board: Board, place: Spot) -> Place:
    """The point on the picture of a place in the file. The two pillars farthest apart give the scale."""
    plan, places = ground.layout(board), board.places
    spreads = [max(spot[axis] for spot in places) - min(spot[axis] for spot in places) for axis in (0, 1)]
    axis = spreads.index(max(spreads))
    order = sorted(range(len(places)), key=lambda pillar: places[pillar][axis])
    low, high = order[0], order[-1]
    unit = (plan.pillars[high][axis] - plan.pillars[low][axis]) / (places[high][axis] - places[low][axis])
    (px, py), (x, y) = plan.pillars[low], places[low]
    return Place(round(px + unit * (place[0] - x), 1), round(py + unit * (place[1] - y), 1))


def _triangle(item: Item, language: str) -> Item:
    """The triangle of a family beside its pillar; it represents the whole family."""
    letter, pillar = item.id.removeprefix("g:start-").split("-")
    label = TELL(phrase("edit.triangle", family=called("abcdef".index(letter)), pillar=pillar), language)
    return msgspec.structs.replace(item, id=f"m:start:{letter}:{pillar}", label=label, r=MARKER_R, z=5, cls="takes")


def _goal(draft: Draft, board: Board, family: FamilyDraft, pillar: str, language: str) -> Item:
    """A round marker on a goal; markers of several families stand around the pillar."""
    sharing = [each.id for each in draft.family if pillar in each.goals]
    place, letter = ground.layout(board).pillars[list(draft.nodes).index(pillar)], family_name(family.id)
    turn = sharing.index(family.id)
    spot = place.away(22, -1.05 + 1.05 * turn) if len(sharing) > 1 or _stand(draft, pillar) else Place(place.x + 16, place.y - 16)
    parts = (Part(use="bb-badge", scale=0.62), Part(use=f"shape-{letter}", cls="face", scale=6.5))
    label = TELL(phrase("edit.goal", family=called(family.id), pillar=pillar), language)
    return Item(f"m:goal:{letter}:{pillar}", round(spot.x, 1), round(spot.y, 1), parts, letter, "takes", label, "", 14, 6)


def _stand(draft: Draft, pillar: str) -> list[tuple[int, str]]:
    """The pieces that start on a pillar: family and size, large ones first."""
    found = [(family.id, size) for family in draft.family for size, place in family.starts().items() if place == pillar]
    return sorted(found, key=lambda each: (SIZES.index(each[1]), each[0]))


def _pieces(draft: Draft, board: Board, pillar: str, language: str) -> list[Item]:
    together = _stand(draft, pillar)
    place, found = ground.layout(board).pillars[list(draft.nodes).index(pillar)], []
    for (number, size), stand in zip(together, stands(len(together)) if together else [], strict=True):
        found.append(_piece(number, size, pillar, Stand(place.x + stand.x, place.y + stand.y, stand.scale), language))
    return found


def _piece(number: int, size: str, pillar: str, at: Stand, language: str) -> Item:
    letter, up = family_name(number), MIDDLES[size] * at.scale
    foot, r = FEET[size]
    low = up + foot * at.scale
    parts = (
        Part(use=f"bb-{size}", y=up, scale=at.scale),
        Part(use="bb-foot", y=round(low, 1), scale=round((r * at.scale + 1.5) / 10, 3)),
        Part(use=f"shape-{letter}", cls="tag-shape", y=round(low, 1), scale=round(r * at.scale * 0.68, 2)),
    )
    text = phrase("scene.piece.free", piece=named(3 * number + SIZES.index(size)), pillar=pillar)
    x, y, z = round(at.x, 1), round(at.y - up, 1), PIECE_Z + 2 * round(at.y)
    return Item(
        f"p:{letter}{size}", x, y, parts, letter, "piece takes", TELL(text, language), f"f:{pillar}", RADII[size] * at.scale, z
    )
