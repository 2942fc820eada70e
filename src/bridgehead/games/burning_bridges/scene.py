"""The scene of Burning Bridges: the valley with its pillars, bridges, torches and pyramids, the seat panel, and touch control.

First touch a piece, then its target: a pillar to move to, an opponent on its own pillar to seize, a burning bridge for the
child to destroy. Moves of the whole family begin with a button. Terms are named by touching their bridge.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from bridgehead.core.caching import cached_per_game
from bridgehead.core.errors import NotationError
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Choice, Item, MovementTrace, Part, Picture, Ways, whereabouts
from bridgehead.games.burning_bridges import actions, rules, words
from bridgehead.games.burning_bridges.actions import Action, number, split
from bridgehead.games.burning_bridges.board import SIZES, Board, Family
from bridgehead.games.burning_bridges.options import seated_families

# -- the board: a valley of any size and shape -------------------------------------------------------------------------
NEAREST = 130.0  # distance of the two nearest pillars on the picture
WIDEST = 1500.0  # largest spread of pillars; it overrides the distance above
PILLAR_R, FIELD_R = 29.0, 36.0
MARGIN, RIM, DEPTH, EDGE = 95.0, 18.0, 27.0, 15.0  # pillars to the rim's outer edge; its width; the earth below it; space around
ARC = 59.0  # distance of the goal arcs from the outermost pillars
BEYOND_START, BEYOND_GOAL, SMALL_BADGE = 61.0, 48.0, 0.75  # distance of a triangle or badge from its pillar
CORNER = 110.0
NAME_LETTERS = 4  # most characters of a name at full size
HEIGHTS = (0.3, 0.47, 0.66, 0.81, 0.94)  # height lines, as shares of the valley


class PicturePoint(NamedTuple):
    """A point of the picture."""

    x: float
    y: float

    def away(self, far: float, angle: float) -> PicturePoint:
        """The point at a distance, at an angle in radians clockwise from the right."""
        return PicturePoint(round(self.x + far * math.cos(angle), 6), round(self.y + far * math.sin(angle), 6))


class ValleyLayout(NamedTuple):
    """The layout of a board: the middle, half width and half height of the valley, and the pillars."""

    middle: PicturePoint
    half: PicturePoint
    is_round: bool
    pillars: tuple[PicturePoint, ...]

    @property
    def reach(self) -> float:
        """The distance of the outermost pillars from the middle."""
        return max(math.dist(self.middle, pillar) for pillar in self.pillars)


@functools.lru_cache(maxsize=64)
def layout(board: Board) -> ValleyLayout:
    """Pillars scaled to give neighbours room, on a round board, or on a rectangular one if that wastes less space."""
    xs, ys = [x for x, _ in board.places], [y for _, y in board.places]
    spread = max(max(xs) - min(xs), max(ys) - min(ys))
    gap = min(math.dist(one, other) for i, one in enumerate(board.places) for other in board.places[:i])
    unit = min(NEAREST / gap, max(WIDEST / spread, NEAREST / spread))
    cx, cy = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    around = max(math.dist((cx, cy), place) for place in board.places)
    is_round = around <= 0.56 * min(max(xs) - min(xs), max(ys) - min(ys))
    half_x, half_y = (around, around) if is_round else ((max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2)
    half = PicturePoint(unit * half_x + MARGIN, unit * half_y + MARGIN)
    middle = PicturePoint(half.x + EDGE, half.y + EDGE)
    places = tuple(PicturePoint(middle.x + unit * (x - cx), middle.y + unit * (y - cy)) for x, y in board.places)
    return ValleyLayout(middle, half, is_round, places)


def picture(game: Game, language: str) -> Picture:
    """The board: valley and ways, plinths, collars and rim marks of the seated families, and the pillars as fields."""
    plan = layout(game.board)
    ends = tuple((plan.pillars[one], plan.pillars[other]) for one, other in game.board.lines)
    d = "".join(f"M{a.x:.0f} {a.y:.0f}L{b.x:.0f} {b.y:.0f}" for a, b in ends)
    ways = (Part(d=d, cls="way-cast", x=1, y=2.5), Part(d=d, cls="way"))
    fields = tuple(_field(game, pillar, place, language) for pillar, place in enumerate(plan.pillars))
    ground = (_valley(plan, ends), Item("g:ways", 0, 0, ways, cls="still"), *_marks(game, plan))
    return Picture(2 * plan.middle.x, 2 * plan.middle.y + DEPTH - EDGE, ground, fields)


def families(game: Game) -> list[Family]:
    """The seated families of the board, by seat."""
    return [game.board.families[number] for number in seated_families(game.options, game.board)]


def seats_at(game: Game, pillar: int, goals: bool) -> list[int]:
    """The seats that start on a pillar, or have it as a goal."""
    return [seat for seat, each in enumerate(families(game)) if pillar in (each.goals if goals else each.start)]


def _field(game: Game, pillar: int, place: PicturePoint, language: str) -> Item:
    sentence: Phrase = phrase("scene.pillar", pillar=game.board.pillars[pillar])
    for key, goals in (("scene.pillar.start", False), ("scene.pillar.goal", True)):
        if seats := seats_at(game, pillar, goals):
            sentence = phrase(key, said=sentence, seats=words.join_names([words.family(seat) for seat in seats]))
    name, label = game.board.pillars[pillar], game.words.tell(sentence, language)
    written = Part(text=name, cls="field-name", y=4.5, scale=min(1, NAME_LETTERS / len(name)))
    return Item(f"f:{name}", place.x, place.y, (Part(use="bb-pillar"), written), cls="field", label=label, r=FIELD_R)


# -- valley and ways -------------------------------------------------------------------------------------------------
def _valley(plan: ValleyLayout, lines: tuple[tuple[PicturePoint, PicturePoint], ...] = ()) -> Item:
    """Earth below, meadows in steps down to a river, a ring of turf around, and trees where nothing stands."""
    outer, inner = _outline(plan, 0), _outline(plan, RIM)
    parts = [Part(d=outer, cls="ground-cast", y=44)]
    parts += [Part(d=outer, cls=f"earth-{depth}", y=y) for depth, y in ((3, DEPTH), (2, 19), (1, 9))]
    parts += [Part(d=outer, cls="rim"), Part(d=inner, cls="valley")]
    for step, share in reversed(tuple(enumerate(HEIGHTS))):  # from the brink down to the bottom
        d = _height_line(plan, share, step)
        parts += [Part(d=d, cls="step-edge"), Part(d=d, cls=f"contour step-{step}", x=2.5, y=4)]
    river = _river(plan)
    drawn = [(river, "shore", 0), (river, "depth", 0), (river, "river", 3), (river, "glint", 3), (outer + inner, "turf", 0)]
    drawn.append((inner, "brink", 0))
    parts += [Part(d=d, cls=cls, y=y) for d, cls, y in drawn]
    parts += [*_growth(plan, lines), Part(d=outer, cls="evening")]
    return Item("g:valley", plan.middle.x, plan.middle.y, tuple(parts), cls="still")


# The river's bends, as shares of the half width and half height; it begins and ends under the ring of turf.
RIVER = (
    (-0.955, 0.2), (-0.72, 0.15), (-0.5, 0.3), (-0.2, 0.2), (0.1, 0.1),
    (0.08, -0.3), (0.36, -0.22), (0.54, -0.18), (0.72, -0.09), (0.965, -0.12),
)  # fmt: skip
RIVER_HALF = 36.0
# The shape of a tree, in round dots: class, and for each dot its place and its way.
TREE = (
    ("tree-cast", ((4, 6, "l13 2"),)),
    ("tree-side", ((-7, 1, "h.1"), (7, 1, "h.1"))),
    ("tree", ((0, -5, "h.1"),)),
    ("tree-lit", ((-3, -8, "h.1"),)),
)
TUFTS = 90


def _bends(plan: ValleyLayout) -> list[PicturePoint]:
    return [PicturePoint(x * plan.half.x, y * plan.half.y) for x, y in RIVER]


def _river(plan: ValleyLayout) -> str:
    """A river across the valley."""
    first, *bends = _bends(plan)
    return f"M{first.x:.0f} {first.y:.0f}C" + " ".join(f"{x:.0f} {y:.0f}" for x, y in bends)


def _stream(plan: ValleyLayout) -> list[PicturePoint]:
    """Points along the middle of the river."""
    bends, found = _bends(plan), []
    for i in range(0, len(bends) - 1, 3):
        a, b, c, d = bends[i : i + 4]
        for step in range(25):
            t, u = step / 24, 1 - step / 24
            near, far = 3 * u * u * t, 3 * u * t * t
            x, y = (u**3 * p + near * q + far * r + t**3 * s for p, q, r, s in zip(a, b, c, d, strict=True))
            found.append(PicturePoint(x, y))
    return found


def _growth(plan: ValleyLayout, lines: tuple[tuple[PicturePoint, PicturePoint], ...]) -> Iterator[Part]:
    """Grass and trees, where no pillar, way or water is."""
    rng = random.Random(len(plan.pillars))
    tufts, trees = list[str](), list[PicturePoint]()
    stream = _stream(plan)
    for _ in range(1100):
        x, y = rng.uniform(-1, 1) * (plan.half.x - 34), rng.uniform(-1, 1) * (plan.half.y - 34)
        spot = PicturePoint(plan.middle.x + x, plan.middle.y + y)
        wet = min(math.dist((x, y), water) for water in stream) - RIVER_HALF
        if wet < 4 or (plan.is_round and math.hypot(x, y) > plan.half.x - 34):
            continue
        bare = min(math.dist(spot, pillar) for pillar in plan.pillars)
        aside = min((_from_line(spot, *line) for line in lines), default=99)
        if bare > 42 and aside > 9 and len(tufts) < TUFTS and rng.random() < 0.4:
            tufts.append(f"M{x:.0f} {y:.0f}l-2-6m3 6v-7m3 7l2-6")
        arc = abs(math.hypot(x, y) - plan.reach - ARC)
        if wet < 14 or bare < 54 or aside < 23 or arc < 30:
            continue
        if all(math.dist((x, y), other) >= 15 for other in trees):
            trees.append(PicturePoint(x, y))
    yield Part(d="".join(tufts), cls="tuft")
    for scale, grown in ((0.75, trees[1::2]), (1.0, trees[::2])):
        for cls, dots in TREE:
            d = (f"M{tree.x / scale + x:.0f} {tree.y / scale + y:.0f}{way}" for tree in grown for x, y, way in dots)
            yield Part(d="".join(d), cls=cls, scale=scale)


def _from_line(spot: PicturePoint, one: PicturePoint, other: PicturePoint) -> float:
    """The distance of a point from a stretch of a line."""
    dx, dy = other.x - one.x, other.y - one.y
    along = max(0, min(1, ((spot.x - one.x) * dx + (spot.y - one.y) * dy) / (dx * dx + dy * dy)))
    return math.dist(spot, (one.x + along * dx, one.y + along * dy))


def _outline(plan: ValleyLayout, inset: float) -> str:
    """The board's edge, around the middle."""
    x, y = plan.half.x - inset, plan.half.y - inset
    if plan.is_round:
        return f"M{-x:.1f} 0A{x:.1f} {x:.1f} 0 1 1 {x:.1f} 0A{x:.1f} {x:.1f} 0 1 1 {-x:.1f} 0Z"
    r = min(CORNER, x, y) - inset
    arc = f"A{r:.1f} {r:.1f} 0 0 1"
    return (
        f"M{r - x:.1f} {-y:.1f}H{x - r:.1f}{arc} {x:.1f} {r - y:.1f}V{y - r:.1f}{arc} {x - r:.1f} {y:.1f}"
        f"H{r - x:.1f}{arc} {-x:.1f} {y - r:.1f}V{r - y:.1f}{arc} {r - x:.1f} {-y:.1f}Z"
    )


def _height_line(plan: ValleyLayout, share: float, number: int) -> str:
    points = []
    for step in range(72):
        angle = math.tau * step / 72
        wave = 15 * math.sin(3 * angle + 1.9 * number) + 9 * math.sin(5 * angle + number) - 6
        corner = 1.0 if plan.is_round else (abs(math.cos(angle)) ** 5 + abs(math.sin(angle)) ** 5) ** -0.2
        x, y = ((half - RIM - 8) * share * corner + wave for half in plan.half)
        points.append(f"{x * math.cos(angle):.0f} {y * math.sin(angle):.0f}")
    return f"M{'L'.join(points)}Z"


# -- starts and goals ------------------------------------------------------------------------------------------------
def _marks(game: Game, plan: ValleyLayout) -> list[Item]:
    """Plinths with a lettered triangle where families start; collars and an arc, or badges, at their goals."""
    low: list[Item] = []
    high: list[Item] = []
    taken: list[PicturePoint] = list(plan.pillars)  # occupied places
    for seat, each in enumerate(families(game)):
        letter = game.spec.seat_letter(seat)
        triangle = (Part(use="bb-start", scale=0.92), Part(text=letter.upper(), cls="start-letter", y=8.5))
        for pillar in dict.fromkeys(each.start):
            turn = round(math.degrees(_outward(plan, pillar))) - 90 + 40 * seats_at(game, pillar, goals=False).index(seat)
            low.append(_mark(game, "plinth", letter, pillar, plan.pillars[pillar], Part(use="bb-plinth", turn=turn)))
            high.append(_mark(game, "start", letter, pillar, _free_spot(plan, pillar, BEYOND_START, taken), *triangle))
        for pillar in each.goals:  # rings of families that share a goal lie inside one another
            sharing = seats_at(game, pillar, goals=True)
            ring = Part(use="bb-collar", scale=1 + 0.18 * (len(sharing) - 1 - sharing.index(seat)))
            low.append(_mark(game, "goal", letter, pillar, plan.pillars[pillar], ring))
        ends = _arc_ends(plan, each.goals)
        if ends:
            high.append(_arc(game, plan, seat, ends))
        for pillar in each.goals if not ends else ():
            spot = _free_spot(plan, pillar, BEYOND_GOAL, taken)
            high.append(_mark(game, "badge", letter, pillar, spot, *_badge(letter, PicturePoint(0, 0), SMALL_BADGE)))
    return low + high


def _mark(game: Game, kind: str, letter: str, pillar: int, spot: PicturePoint, *parts: Part) -> Item:
    return Item(f"g:{kind}-{letter}-{game.board.pillars[pillar]}", spot.x, spot.y, parts, letter)


def _outward(plan: ValleyLayout, pillar: int) -> float:
    place = plan.pillars[pillar]
    is_middle = math.dist(place, plan.middle) < 1
    return -math.pi / 2 if is_middle else math.atan2(place.y - plan.middle.y, place.x - plan.middle.x)


def _free_spot(plan: ValleyLayout, pillar: int, far: float, taken: list[PicturePoint]) -> PicturePoint:
    """A free spot beside a pillar: outwards if there is room, else as near to that direction as possible."""
    angles = [_outward(plan, pillar) + math.radians(turn) for turn in (0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180)]
    spots = [plan.pillars[pillar].away(far, angle) for angle in angles]
    room = [min(math.dist(spot, other) for other in taken if other != plan.pillars[pillar]) for spot in spots]
    best = next((i for i, each in enumerate(room) if each > PILLAR_R + 20), room.index(max(room)))
    taken.append(spots[best])
    return spots[best]


def _arc_ends(plan: ValleyLayout, goals: tuple[int, ...]) -> tuple[float, ...]:
    """The two angles of an arc along all the goals; empty if the goals are not neighbours on a round rim."""
    rim = [pillar for pillar, place in enumerate(plan.pillars) if math.dist(place, plan.middle) > 0.98 * plan.reach]
    if not plan.is_round or len(rim) < 3 or len(goals) == len(rim) or not set(goals) <= set(rim):
        return ()
    order = sorted(rim, key=lambda pillar: _outward(plan, pillar))
    firsts = [i for i, pillar in enumerate(order) if pillar in goals and order[i - 1] not in goals]
    if len(firsts) != 1:
        return ()
    along = [order[(firsts[0] + i) % len(order)] for i in range(-1, len(goals) + 1)]
    before, first, last, after = (_outward(plan, pillar) for pillar in (along[0], along[1], along[-2], along[-1]))
    return first - 0.42 * ((first - before) % math.tau), last + 0.42 * ((after - last) % math.tau)


def _arc(game: Game, plan: ValleyLayout, seat: int, ends: tuple[float, ...]) -> Item:
    """The arc outside a family's goals, with its shape and letter."""
    letter, radius, (start, end) = game.spec.seat_letter(seat), plan.reach + ARC, ends
    turn = (end - start) % math.tau
    one, other = (PicturePoint(0, 0).away(radius, angle) for angle in ends)
    d = f"M{one.x:.1f} {one.y:.1f}A{radius:.1f} {radius:.1f} 0 {int(turn > math.pi)} 1 {other.x:.1f} {other.y:.1f}"
    badge = PicturePoint(0, 0).away(radius, start + turn / 2)
    parts = (Part(d=d, cls="goal-arc-side"), Part(d=d, cls="goal-arc"), *_badge(letter, badge, 1))
    return Item(f"g:arc-{letter}", plan.middle.x, plan.middle.y, parts, letter)


def _badge(letter: str, at: PicturePoint, scale: float) -> tuple[Part, ...]:
    return (
        Part(use="bb-badge", x=at.x, y=at.y, scale=scale),
        Part(use=f"shape-{letter}", cls="side", x=at.x, y=at.y - 7 * scale, scale=7.2 * scale),
        Part(use=f"shape-{letter}", cls="face", x=at.x, y=at.y - 7 * scale, scale=5.8 * scale),
        Part(text=letter.upper(), cls="goal-letter", x=at.x, y=at.y + 13 * scale, scale=scale),
    )


# -- bridges, torches and pieces ---------------------------------------------------------------------------------------
BRIDGE_Z, TORCH_Z, PIECE_Z = 10, 15, 20
LANE, BRIDGE_R = 28.0, 22.0  # distance of parallel bridges
LANE_SCALES = (1.0, 1.0, 0.9, 0.75, 0.62)  # thickness of 1, 2… 5 bridges on one line
CRACK = ((-3, -12), (4, -5), (-4, 3), (3, 12))  # corners of a jagged line across a bridge
SHORTER = 18.0  # from the middle of a pillar to the end of a bridge
MIDDLES = {"L": 14.0, "M": 11.0, "S": 8.0}  # from a pyramid's foot up to the item's centre
RADII = {"L": 32.0, "M": 28.0, "S": 23.0}
FEET = {"L": (8.4, 8.5), "M": (7.0, 7.5), "S": (5.0, 6.5)}  # below the centre, and radius, of the disc with the shape
HIGH, LETTERS = {"L": 7.0, "M": 6.0, "S": 4.0}, {"L": 1.35, "M": 1.2, "S": 0.95}  # of the letter: above the foot, and its scale
BESIDE = (0.0, -26.0, -41.0)  # of a captor's letter, by the number of its hostages
CHARRED = 0.42  # of a burning bridge, on both sides of its middle
CAPTOR_SCALES = {"L": 1.0, "M": 0.86}
CAPTIVE_SCALES = {"M": 0.6, "S": 0.86}
# Places and scales of one, two or three pieces on a pillar; more stand in rows: most pieces, pieces in a row, distance, scale.
FEW = (((0, 7, 1.14),), ((-17, 1, 1.08), (19, 13, 1.08)), ((-20, 2, 0.93), (20, 5, 0.93), (0, 21, 0.93)))
BEHIND = 44.0  # from row to row
ROWS = ((6, 3, 34, 0.8), (10, 5, 27, 0.62), (15, 5, 25, 0.55), (18, 6, 21, 0.5))  # most pieces, in a row, apart, scale


def bridge_id(game: Game, line: int, colour: int) -> str:
    """The item of a bridge."""
    return f"b:{game.board.line_name(line)}:{words.family_name(colour)}"


# -- bridges ---------------------------------------------------------------------------------------------------------
def bridge_items(position: Position, language: str) -> list[Item]:
    """Every bridge, side by side where several lie on one line, and the torches in them."""
    on_line: dict[int, list[int]] = {}
    states = words.bridge_states(position)
    for line, colour in states:
        on_line.setdefault(line, []).append(colour)
    found = []
    for line, colours in on_line.items():
        for lane, colour in enumerate(colours):
            scale = LANE_SCALES[len(colours) - 1]
            offset = LANE * scale * (lane - (len(colours) - 1) / 2)
            burning, idle, used = states[line, colour]
            found += _bridge(position.game, line, colour, offset, scale, burning, 0 if used else idle, language)
    return found


@cached_per_game
def _bridge(
    game: Game, line: int, colour: int, offset: float, scale: float, burning: bool, idle: int, language: str
) -> list[Item]:
    """A strip of rolled dough along a slightly bent line, with shadow, the family's shape, cracks and a torch.

    It has one crack in its last but one idle turn, and two in its last (BB-2.c, BBQ-31).
    """
    cracks = max(0, 2 + min(0, idle - int(game.law.idle_limit))) if idle else 0
    one, other = (layout(game.board).pillars[end] for end in game.board.lines[line])
    far = math.dist(one, other)
    along = PicturePoint((other.x - one.x) / far, (other.y - one.y) / far)
    bow = (offset * 1.5 + 3) / scale
    half, end = (far / 2 - SHORTER) / scale, offset * 0.6 / scale
    a, b, c = _along(along, -half, end), _along(along, 0, bow), _along(along, half, end)
    d = f"M{a.x:.1f} {a.y:.1f}Q{b.x:.1f} {b.y:.1f} {c.x:.1f} {c.y:.1f}"
    letter = words.family_name(colour)
    top = (end + bow) / 2  # the highest point of the bend
    middle = _along(along, 0, top * scale)
    parts = [Part(use="bb-glow", x=middle.x, y=middle.y + 6, scale=scale)] if burning else []
    parts += [Part(d=d, cls="dough-cast", x=4, y=13, scale=scale)]
    parts += [Part(d=d, cls=cls, scale=scale) for cls in ("dough-halo", "dough-side", "dough", "dough-print")]
    parts.append(Part(d=d, cls="ridge", x=-1.2 * scale, y=-4.2 * scale, scale=scale))
    parts += [*_thumbs(along, half, end, bow, scale), *(_burnt_middle(along, half, end, bow, scale) if burning else ())]
    for aside in (-19, 19)[:cracks]:
        points = (_along(along, aside + x, top + y) for x, y in CRACK)
        parts.append(Part(d="M" + "L".join(f"{p.x:.1f} {p.y:.1f}" for p in points), cls="crack", scale=scale))
    for at in (-0.72, 0.72) if burning else (0,):
        spot = _along(along, at * half, top * (1 - 0.25 * abs(at)))
        parts.append(Part(use=f"shape-{letter}", cls="shape", x=spot.x * scale, y=spot.y * scale, scale=6 * scale))
    x, y = (one.x + other.x) / 2, (one.y + other.y) / 2
    moved = tuple(replace(part, x=round(part.x - middle.x, 1), y=round(part.y - middle.y, 1)) for part in parts)
    sentence = phrase("scene.bridge", seat=words.family(colour), line=game.board.line_name(line))
    if burning:
        sentence = phrase("scene.bridge.burning", said=sentence)
    if idle:
        key = "scene.bridge.last" if idle == game.law.idle_limit else "scene.bridge.idle"
        sentence = phrase(key, said=sentence, n=idle)
    label = game.words.tell(sentence, language)
    item_id, spot = bridge_id(game, line, colour), PicturePoint(round(x + middle.x, 1), round(y + middle.y, 1))
    glyph = item_id.removeprefix("b:").replace(":", " ") + (" on fire" if burning else "")
    found = [Item(item_id, *spot, moved, letter, "bridge unrolls falls", label, r=BRIDGE_R * scale, z=BRIDGE_Z, glyph=glyph)]
    if burning:
        torch = (Part(use="bb-torch", scale=scale),)
        found.append(Item(f"t{item_id[1:]}", *spot, torch, letter, "torch drops fades", z=TORCH_Z))
    return found


def _thumbs(along: PicturePoint, half: float, end: float, bow: float, scale: float) -> Iterator[Part]:
    """The dents of the thumbs that press a bridge on its pillars."""
    angle = round(math.degrees(math.atan2(along.y, along.x)))
    for at in (-0.84, 0.84):
        spot = _along(along, at * half, _aside_at(end, bow, at))
        yield Part(use="bb-thumb", x=spot.x * scale, y=spot.y * scale, turn=angle, scale=scale)


def _burnt_middle(along: PicturePoint, half: float, end: float, bow: float, scale: float) -> list[Part]:
    """The charred middle of a bridge on fire."""
    aside = _aside_at(end, bow, CHARRED)
    p, q, r = _along(along, -CHARRED * half, aside), _along(along, 0, bow), _along(along, CHARRED * half, aside)
    # A bend through three points: its middle is half as far from the line as the point that bends it.
    d = f"M{p.x:.1f} {p.y:.1f}Q{2 * q.x - (p.x + r.x) / 2:.1f} {2 * q.y - (p.y + r.y) / 2:.1f} {r.x:.1f} {r.y:.1f}"
    return [Part(d=d, cls=cls, scale=scale) for cls in ("char-edge", "char", "ember")]


def _aside_at(end: float, bow: float, at: float) -> float:
    """How far a bridge is bent aside, at a share of the way from its middle (0) to its end (1)."""
    return (end + bow) / 2 + (end - bow) / 2 * at * at


def _along(along: PicturePoint, far: float, aside: float) -> PicturePoint:
    """The point at a distance along a line from its middle, and at a distance to its side."""
    return PicturePoint(along.x * far - along.y * aside, along.y * far + along.x * aside)


# -- pieces ----------------------------------------------------------------------------------------------------------
class Stand(NamedTuple):
    """The place of a piece on the picture: its foot, and its scale."""

    x: float
    y: float
    scale: float


def piece_items(position: Position, language: str) -> list[Item]:
    """Pieces by depth: on each pillar the free ones, larger ones behind, each followed by its hostages."""
    state, game = position.state, position.game
    standing: dict[int, list[int]] = {}
    held: dict[int, list[int]] = {}
    safe: dict[int, tuple[tuple[int, int], ...]] = {}
    for (owner, piece), left in words.safe_turns(position).items():
        safe[piece] = (*safe.get(piece, ()), (owner, left))
    for piece in range(3 * game.seats):
        captor = int(state.captor[piece])
        if captor == rules.NOBODY:
            standing.setdefault(int(state.pos[piece]), []).append(piece)
        else:
            held.setdefault(captor, []).append(piece)
    found = []
    for pillar, pieces in standing.items():
        place = layout(game.board).pillars[pillar]
        order = sorted(pieces, key=lambda piece: (piece % 3, piece))
        for piece, stand in zip(order, stands(len(order), any(piece in held for piece in order)), strict=True):
            at = Stand(place.x + stand.x, place.y + stand.y, stand.scale)
            hostages, here = tuple(held.get(piece, ())), PieceBody(piece, pillar, safe.get(piece, ()))
            found += [_captor(game, here, hostages, at, language)] if hostages else [_free(game, here, at, language)]
            for i, each in enumerate(hostages):
                body = PieceBody(each, int(state.pos[each]), safe.get(each, ()))
                found.append(_hostage(game, body, piece, i, len(hostages), at, language))
    return found


class PieceBody(NamedTuple):
    """What the drawing of a piece needs: the piece, its pillar, and its immunities as (family, turns)."""

    piece: int
    pillar: int
    safe: tuple[tuple[int, int], ...]


def stands(number: int, crowded: bool = False) -> list[Stand]:
    """Places around a pillar's middle for a number of pieces, rear to front; wider if there are captors with hostages."""
    if number <= len(FEW):
        wide = 1.35 if crowded and number > 1 else 1
        return [Stand(x * wide, y, scale) for x, y, scale in FEW[number - 1]]
    most, in_row, apart, scale = next(row for row in ROWS if number <= row[0])
    rows = -(-number // in_row)
    lengths = [number * (row + 1) // rows - number * row // rows for row in range(rows)]
    shifts = [0.5 * ((lengths[row] - lengths[0] + row) % 2) for row in range(rows)]  # feet show in the gaps of the next row
    wide = apart * (1.2 if crowded else 1)
    return [
        Stand(wide * (i - (length - 1) / 2 + shift - max(shifts) / 2), 8 + BEHIND * scale * (row - (rows - 1) / 2), scale)
        for row, (length, shift) in enumerate(zip(lengths, shifts, strict=True))
        for i in range(length)
    ]


@cached_per_game
def _free(game: Game, body: PieceBody, at: Stand, language: str) -> Item:
    """A pyramid with the family's shape at its foot."""
    parts, up, r = pyramid(words.piece_name(body.piece), at.scale)
    label = phrase("scene.piece.free", piece=words.piece(body.piece), pillar=game.board.pillars[body.pillar])
    return _item(game, body, PicturePoint(at.x, at.y - up), parts, label, r, _depth(at), language)


def pyramid(name: str, scale: float) -> tuple[tuple[Part, ...], float, float]:
    """The parts of a free piece, the height of their middle above its foot, and the radius of its touch area."""
    size, up = name[1], MIDDLES[name[1]] * scale
    foot, r = FEET[size]
    body, letter = Part(use=f"bb-{size}", y=up, scale=scale), _size(size, 0, up - HIGH[size] * scale, scale)
    return (body, letter, *_foot(name[0], up + foot * scale, r * scale)), up, RADII[size] * scale


def _size(size: str, x: float, y: float, scale: float) -> Part:
    """The letter of a piece's size."""
    return Part(text=size, cls="size-letter", x=round(x, 1), y=round(y, 1), scale=round(scale * LETTERS[size], 2))


@cached_per_game
def _captor(game: Game, body: PieceBody, hostages: tuple[int, ...], at: Stand, language: str) -> Item:
    """A larger body with openings for its hostages; its shape and grooves above them."""
    name, scale = words.piece_name(body.piece), at.scale * CAPTOR_SCALES[SIZES[body.piece % 3]]
    up, foot = 40 * scale, PicturePoint(at.x, at.y + 2 * scale)
    parts = (
        Part(use=f"bb-captor-{len(hostages)}", y=up, scale=scale),
        Part(use=f"bb-grooves-{name[1]}", y=up, scale=scale),
        _size(name[1], BESIDE[len(hostages)] * scale, up + 4 * scale, 0.8 * scale),
        *_foot(name[0], up - (44 if len(hostages) == 1 else 40) * scale, 9 * scale),
    )
    held = words.join_names([words.piece(each) for each in hostages])
    label = phrase("scene.piece.captor", piece=words.piece(body.piece), pillar=game.board.pillars[body.pillar], hostages=held)
    return _item(game, body, PicturePoint(foot.x, foot.y - up), parts, label, 34 * scale, _depth(at), language)


@cached_per_game
def _hostage(game: Game, body: PieceBody, captor: int, number: int, of: int, at: Stand, language: str) -> Item:
    """Small, behind bars, in an opening of its captor (BB-1.e.i)."""
    name = words.piece_name(body.piece)
    scale = at.scale * CAPTOR_SCALES[SIZES[captor % 3]] * (0.88 if of == 2 else 1)
    aside, up = (0 if of == 1 else 33 * scale / 0.88 * (number - 0.5)), 10 * scale
    parts = (
        Part(use=f"bb-{name[1]}", y=up + 3 * scale, scale=CAPTIVE_SCALES[name[1]] * scale),
        Part(use="bb-bars", y=up, scale=scale),
        *_foot(name[0], up + 9 * scale, 7 * scale),
    )
    label = phrase(
        "scene.piece.hostage", piece=words.piece(body.piece), pillar=game.board.pillars[body.pillar], captor=words.piece(captor)
    )
    foot = PicturePoint(at.x + aside, at.y + 2 * scale)
    return _item(game, body, PicturePoint(foot.x, foot.y - up), parts, label, 20 * scale, _depth(at) + 1, language, True)


def _foot(letter: str, y: float, r: float) -> tuple[Part, Part]:
    """A cream disc with the family's shape."""
    return (
        Part(use="bb-foot", y=round(y, 1), scale=round((r + 1.5) / 10, 3)),
        Part(use=f"shape-{letter}", cls="tag-shape", y=round(y, 1), scale=round(r * 0.68, 2)),
    )


def _depth(stand: Stand) -> int:
    """The order of drawing: a lower place on the picture is in front, and a hostage follows right after its captor."""
    return PIECE_Z + 2 * round(stand.y)


def _item(
    game: Game,
    body: PieceBody,
    at: PicturePoint,
    parts: tuple[Part, ...],
    text: Phrase,
    r: float,
    z: int,
    language: str,
    held: bool = False,
) -> Item:
    name = words.piece_name(body.piece)
    for other, left in body.safe:
        text = phrase("scene.piece.safe", said=text, seat=words.family(other), n=left)
    label, pillar = game.words.tell(text, language), game.board.pillars[body.pillar]
    glyph = f"{name}#" if held else name
    return Item(f"p:{name}", round(at.x, 1), round(at.y, 1), parts, name[0], "piece stands", label, f"f:{pillar}", r, z, glyph)


# -- touch control -----------------------------------------------------------------------------------------------------
TAKING_KINDS = (actions.TAKE, actions.SEIZE)
DESTROYING = (actions.DESTROY, actions.TERM_DESTROY)


def buttons(position: Position, language: str) -> dict[str, str]:
    """The buttons of the phase under these house rules, in a fixed order; the end of the turn is always last."""
    options, phase = position.game.options, position.state.phase
    if phase == rules.BIDDING:
        texts = {f"!bid-{n}": phrase("scene.button.bid", n=n) for n in range(1 + actions.MOST_MORE)}
        return {id: position.game.words.tell(text, language) for id, text in texts.items()}
    if phase == rules.CHOOSING:
        names = ["go.first", "go.last"]
    elif phase == rules.TERMS:
        names = [*(["term-untorch"] if options.untorch_choice == "hostage" else []), "term-none", "end"]
    elif phase in (rules.TAKING, rules.RIDING):
        names = ["done", "end"]
    else:
        swap = ["swap"] if rules.may_swap(position.read_only, position.game.law) else []
        pay = [] if swap and not creditors(position) else ["pay"]  # a row of a phone has room for four
        names = ["build", "torch", *(["extinguish"] if options.owner_extinguish else []), *pay, *swap, "end"]
    return {f"!{name}": position.game.words.tell(phrase(f"scene.button.{name}"), language) for name in names}


# -- legal actions ---------------------------------------------------------------------------------------------------
def choice(position: Position, action: int, language: str) -> Choice:
    made, tell = split(position.game.law, action), position.game.words.tell
    steps = path(position, made)
    kind, notes = _consequence(position, action, made)
    if all(step.startswith("!") for step in steps):
        kind = "button"
    label = tell(label_of(position, made), language)
    note = ", ".join(tell(note, language) for note in notes)
    is_term = made.kind in (actions.TERM_DESTROY, actions.TERM_UNTORCH)
    confirm = tell(phrase("confirm.term", label=label), language) if is_term else ""
    first = made.kind in (actions.WALK, actions.CROSS) and made == _usual(position, made)
    return Choice(action, position.name(action), label, steps, kind, note, first, confirm, _ghost(position, action, made))


def _ghost(position: Position, action: int, made: Action) -> Item | UnsetType:
    """The bridge that an action would build, as it would be drawn."""
    if made.kind != actions.BUILD:
        return UNSET
    built = bridge_id(position.game, made.line, int(position.state.turn))
    return next((replace(each, label="") for each in bridge_items(position.play(action), "en") if each.id == built), UNSET)


# The things to touch for each kind of action, in order: buttons, the family's piece or child, the other piece, a field, a bridge.
PATHS = (
    "!first", "{me} {field}", "{me} {field}", "{other}", "!done", "{me} {other}", "!build", "!torch {bridge}", "{child} {bridge}",
    "!extinguish {bridge}", "!pay", "!end", "{bridge}", "{bridge}", "!term-untorch", "!term-none", "!pay {bridge}", "!swap",
    "!bid-{more}", "!go.first", "!go.last",
)  # fmt: skip


def path(position: Position, made: Action) -> tuple[str, ...]:
    """The things to touch for an action, in order."""
    turn, steps = int(position.state.turn), PATHS[made.kind]
    if made.kind == actions.DESTROY and position.state.phase == rules.RIDING:
        steps = "{bridge}"
    if made.kind in (actions.PAY, actions.PAY_LINE) and len(creditors(position)) > 1:
        steps = steps.replace("!pay", "{other}" if made.kind == actions.PAY_LINE else "!pay {other}")
    owner = {actions.TERM_UNTORCH: position.actor, actions.PAY_LINE: made.piece // 3}.get(made.kind, turn)
    things = {
        "me": f"p:{words.piece_name(3 * turn + made.size)}",
        "child": f"p:{words.piece_name(3 * turn + rules.S)}",
        "other": f"p:{words.piece_name(made.piece)}",
        "more": str(made.more),
        "field": f"f:{position.game.board.pillars[made.pillar]}",
        "bridge": bridge_id(position.game, made.line, owner if made.colour == rules.NOBODY else made.colour),
    }
    return tuple(step.format_map(things) for step in steps.split(" "))


def creditors(position: Position) -> list[int]:
    """The captors with named and unpaid terms."""
    return [piece for piece in range(3 * position.game.seats) if position.state.term[piece] != rules.UNNAMED]


def short(piece: int) -> Phrase:
    """A piece by the letters of its family and its size."""
    return phrase("scene.short", seat=words.family(piece // 3), size="LMS"[piece % 3])


def label_of(position: Position, made: Action) -> Phrase:
    """A short line for an action."""
    game, state = position.game, position.state
    names: dict[str, object] = {}
    if made.size != rules.NOBODY:
        names["me"] = "LMS"[made.size]
    if made.pillar != rules.NOBODY:
        names["pillar"] = game.board.pillars[made.pillar]
    if made.piece != rules.NOBODY:
        names["other"] = short(made.piece)
    names |= words.at_line(game, made.line)
    if (colour := max(made.colour, made.seat)) != rules.NOBODY:
        names["colour"] = words.family(colour)
    if made.more != rules.NOBODY:
        names["n"] = made.more
    if made.kind == actions.PAY:
        kind, line = words.term_of(state, made.piece)
        return phrase(f"scene.pay.{kind}", **names, **words.at_line(game, line))
    if made.kind == actions.FIRST and game.law.bid:
        return phrase("scene.drawn", **names)
    if made.kind == actions.DONE:
        key = "ride" if state.phase == rules.RIDING else "more" if state.taken else "take"
        return phrase(f"scene.done.{key}")
    return phrase(f"scene.{actions.VERBS[made.kind]}", **names)


def _consequence(position: Position, action: int, made: Action) -> tuple[str, list[Phrase]]:
    """The mark of an action's target, and notes about its effects, found by playing it."""
    if made.kind in TAKING_KINDS or made.kind in DESTROYING:
        return "take", []
    if made.kind not in (actions.WALK, actions.CROSS):
        return "go", []
    after, moving = position.play(action), 3 * int(position.state.turn) + made.size
    freed = [piece for piece in range(3 * position.game.seats) if position.state.captor[piece] == moving]
    notes = [phrase("scene.note.frees", freed=words.join_names([words.piece(piece) for piece in freed]))] if freed else []
    if after.outcome and after.outcome.winners:
        winner = after.outcome.winners[0]
        notes.append(
            phrase("scene.note.wins") if winner == position.actor else phrase("scene.note.loses", seat=words.family(winner))
        )
    elif after.state.phase == rules.TAKING:
        return "take", [*notes, phrase("scene.note.take")]
    elif after.state.phase == rules.RIDING:
        notes.append(phrase("scene.note.ride"))
    return "go", notes


def _usual(position: Position, made: Action) -> Action:
    """The usual one of a piece's moves to a pillar: over an own bridge, else a walk, else over the first bridge (BBQ-4)."""
    own = made._replace(kind=actions.CROSS, colour=int(position.state.turn))
    walk = made._replace(kind=actions.WALK, colour=rules.NOBODY)
    crossings = [own._replace(colour=colour) for colour in range(position.game.seats)]
    legal = {*position.legal}
    return next(move for move in (own, walk, *crossings) if number(position.game.law, move) in legal)


def _own_bridge(position: Position, made: Action) -> bool:
    """Whether a bridge of the own colour lies where the move goes, and whether the move (if a crossing) is over it."""
    turn = int(position.state.turn)
    line = int(position.game.law.line_of[int(position.state.pos[3 * turn + made.size]), made.pillar])
    there = line != rules.NOBODY and rules.has_bridge(position.read_only, words.bridge_number(position.game.law, line, turn))
    return there and made.colour in (rules.NOBODY, turn)


# -- what touches mean -----------------------------------------------------------------------------------------------
class Touched(NamedTuple):
    """The touched things by kind. line, colour: of the last bridge, NOBODY if there is none."""

    button: str = ""
    pieces: tuple[int, ...] = ()
    pillars: tuple[int, ...] = ()
    line: int = rules.NOBODY
    colour: int = rules.NOBODY


def find_touched_action(position: Position, touch: tuple[str, ...]) -> int | None:
    try:
        things = _things(position.game, touch)
    except NotationError:
        return None
    made = None if things is None or position.state.turn == rules.NOBODY else _meaning(position, things)
    return None if made is None else number(position.game.law, made)


def _things(game: Game, touch: tuple[str, ...]) -> Touched | None:
    """Errors: NotationError for a name that the board does not have."""
    things = Touched()
    for each in touch:
        sort, _, name = each.partition(":")
        if each.startswith("!"):
            things = Touched(each)
        elif sort == "p":
            things = things._replace(pieces=(*things.pieces, words.piece_of(game, name)))
        elif sort == "f":
            things = things._replace(pillars=(*things.pillars, words.pillar_of(game, name)))
        elif sort == "b" and name.count(":") == 1:
            line, colour = name.split(":")
            things = things._replace(line=words.line_of(game, line), colour=words.family_of(game, colour))
        else:
            return None
    return things


def _meaning(position: Position, things: Touched) -> Action | None:
    if things.button:
        return _button_meaning(position, things)
    turn, phase = int(position.state.turn), position.state.phase
    own = next((piece for piece in things.pieces if piece // 3 == turn), rules.NOBODY)
    if phase == rules.TAKING and things.pieces:
        return Action(actions.TAKE, piece=things.pieces[-1])
    if phase == rules.TERMS and things.line != rules.NOBODY:
        return Action(actions.TERM_UNTORCH if things.colour == position.actor else actions.TERM_DESTROY, line=things.line)
    if things.line != rules.NOBODY:
        owed = next((piece for piece in things.pieces if piece in creditors(position)), rules.NOBODY)
        if owed != rules.NOBODY and position.game.law.hostage_picks_torch:
            return Action(actions.PAY_LINE, piece=owed, line=things.line)
        return _bridge_meaning(position, things, own)
    if own != rules.NOBODY:
        return _piece_meaning(position, things, own)
    return _lone_meaning(position, things)


BIDS = {f"!bid-{more}": Action(actions.BID, more=more) for more in range(1 + actions.MOST_MORE)}
BIDS |= {"!go.first": Action(actions.GO_FIRST), "!go.last": Action(actions.GO_LAST)}


def _button_meaning(position: Position, things: Touched) -> Action | None:
    turn, line = int(position.state.turn), things.line
    plain = {"!done": actions.DONE, "!end": actions.END, "!term-none": actions.TERM_NONE, "!term-untorch": actions.TERM_CHOICE}
    if things.button == "!swap" and position.game.law.pie:
        return Action(actions.SWAP)
    if position.game.law.bid and things.button in BIDS:
        return BIDS[things.button]
    if things.button in plain:
        return Action(plain[things.button])
    if things.button == "!build":
        return Action(actions.BUILD, line=_building_line(position, things))
    if things.button == "!torch" and line != rules.NOBODY:
        return Action(actions.TORCH, line=line, colour=things.colour)
    if things.button == "!extinguish" and line != rules.NOBODY:
        return Action(actions.EXTINGUISH, line=line)
    if things.button == "!pay":
        waiting = [*things.pieces[-1:], *creditors(position)]
        piece = waiting[0] if waiting else 3 * ((turn + 1) % position.game.seats)
        if line != rules.NOBODY and position.game.law.hostage_picks_torch:
            return Action(actions.PAY_LINE, piece=piece, line=line)
        if position.state.term[piece] != rules.TERM_IS_CHOICE:
            return Action(actions.PAY, piece=piece)
    return None


def _building_line(position: Position, things: Touched) -> int:
    """The line between two touched pillars, else between the parents, else any line from the large parent."""
    law, turn = position.game.law, int(position.state.turn)
    large, medium = int(position.state.pos[3 * turn]), int(position.state.pos[3 * turn + 1])
    pairs = [things.pillars[-2:]] if len(things.pillars) > 1 else []
    lines = [int(law.line_of[one, other]) for one, other in [*pairs, (large, medium)]]
    return next((line for line in lines if line != rules.NOBODY), int(law.line_to[large, 0]))


def _bridge_meaning(position: Position, things: Touched, own: int) -> Action:
    """The action on a bridge: a child destroys it, a parent crosses it; alone, it is torched, or destroyed if it burns."""
    turn, line, colour = int(position.state.turn), things.line, things.colour
    burns = rules.is_burning(position.read_only, words.bridge_number(position.game.law, line, colour))
    if own != rules.NOBODY and own % 3 != rules.S:
        here, ends = int(position.state.pos[own]), position.game.board.lines[line]
        if here in ends:
            return Action(actions.CROSS, size=own % 3, pillar=ends[1] if ends[0] == here else ends[0], colour=colour)
    is_destroyed = (
        (own != rules.NOBODY and own % 3 == rules.S) or position.state.phase == rules.RIDING or (burns and colour != turn)
    )
    return Action(actions.DESTROY if is_destroyed else actions.TORCH, line=line, colour=colour)


def _piece_meaning(position: Position, things: Touched, own: int) -> Action:
    """The action of an own piece: it moves to a pillar or an opponent elsewhere, and seizes an opponent on its own pillar."""
    state, law = position.state, position.game.law
    here, others = int(state.pos[own]), [piece for piece in things.pieces if piece != own]
    pillars = [*things.pillars, *(int(state.pos[piece]) for piece in others)]
    target = next((pillar for pillar in reversed(pillars) if pillar != here), rules.NOBODY)
    if others and int(state.pos[others[-1]]) == here:
        return Action(actions.SEIZE, size=own % 3, piece=others[-1])
    if target == rules.NOBODY:
        target = int(law.neighbour[here, 0])
    move = Action(actions.WALK, size=own % 3, pillar=target)
    if own % 3 == rules.S or _own_bridge(position, move):
        return Action(actions.CROSS, size=own % 3, pillar=target, colour=int(state.turn))
    return move


def _lone_meaning(position: Position, things: Touched) -> Action | None:
    """The action on an opponent alone: the largest own piece on its pillar, else the large parent, seizes it."""
    if not things.pieces:
        return None
    state, turn, victim = position.state, int(position.state.turn), things.pieces[-1]
    sizes = [size for size in range(3) if state.pos[3 * turn + size] == state.pos[victim]]
    return Action(actions.SEIZE, size=sizes[0] if sizes else 0, piece=victim)


# -- the seat panel ----------------------------------------------------------------------------------------------------
FEW_PINS = 10  # the panel mentions the common supply when at most this many pins are left


def items(position: Position, language: str) -> tuple[Item, ...]:
    """Bridges, torches and pieces."""
    return (*bridge_items(position, language), *piece_items(position, language))


def ways(game: Game) -> Ways:
    """Lines, in both directions, and the pillars where pieces start or want to go."""
    names, marked = [f"f:{name}" for name in game.board.pillars], dict[str, str]()
    joined = frozenset((names[line[i]], names[line[1 - i]]) for line in game.board.lines for i in (0, 1))
    for role, pillars in (("start", [each.start for each in families(game)]), ("goal", [each.goals for each in families(game)])):
        for pillar in {pillar for each in pillars for pillar in each}:
            marked[names[pillar]] = f"{marked.get(names[pillar], '')} {role}"
    return Ways(joined, marked)


# -- plates ----------------------------------------------------------------------------------------------------------
def goal(game: Game, seat: int) -> Phrase:
    if seat < 0:
        return phrase("goal")
    plan = layout(game.board)
    goals = [plan.pillars[pillar] for pillar in families(game)[seat].goals]
    x, y = (sum(place[axis] for place in goals) / len(goals) for axis in (0, 1))
    where = whereabouts(x, y, 2 * plan.middle.x, 2 * plan.middle.y)
    return phrase("goal.own", where=where, colour=words.family(seat))


def lines(position: Position, seat: int) -> list[Phrase]:
    """The urgent ones first: terms, captors and hostages, pieces at home, bridges, immunities, pins."""
    return [line for part in (_terms, _hostages, _standing, _safe, _pins) for line in part(position, seat)]


def _standing(position: Position, seat: int) -> list[Phrase]:
    """The number of pieces that stand free on a goal of their own (BBQ-35), and the family's bridges."""
    state, goals = position.state, families(position.game)[seat].goals
    home = [
        piece for piece in range(3 * seat, 3 * seat + 3) if state.captor[piece] == rules.NOBODY and int(state.pos[piece]) in goals
    ]
    lines, sets = int(position.game.law.lines), (state.bridge, state.torch)
    lying, burning = (sum(bridge // lines == seat for bridge in words.bridges_in(bits)) for bits in sets)
    standing = phrase("scene.plate.standing", home=len(home), bridges=lying)
    return [standing, phrase("scene.plate.burning", burning=burning)] if burning else [standing]


def _hostages(position: Position, seat: int) -> list[Phrase]:
    captors = [int(captor) for captor in position.state.captor[: 3 * position.game.seats]]
    held = [piece for piece, captor in enumerate(captors) if captor != rules.NOBODY and captor // 3 == seat]
    lines = [phrase("scene.plate.holds", hostages=words.join_names([short(piece) for piece in held]))] if held else []
    lost = [piece for piece in range(3 * seat, 3 * seat + 3) if captors[piece] != rules.NOBODY]
    return [*lines, *(phrase("scene.plate.held", piece=words.piece_name(p)[1], captor=short(captors[p])) for p in lost)]


def _safe(position: Position, seat: int) -> list[Phrase]:
    """The pieces that the family may not take, with the number of its own turns (BBQ-28)."""
    left = words.safe_turns(position).items()
    return [phrase("scene.plate.safe", piece=short(piece), n=turns) for (owner, piece), turns in left if owner == seat]


def _terms(position: Position, seat: int) -> list[Phrase]:
    if position.state.turn != seat:
        return []
    found = []
    for captor in range(3 * position.game.seats):
        kind, line = words.term_of(position.state, captor)
        if kind:
            found.append(phrase(f"scene.plate.{kind}", captor=short(captor), **words.at_line(position.game, line)))
    return found


def _pins(position: Position, seat: int) -> list[Phrase]:
    if position.game.law.pins_each:
        return [phrase("scene.plate.pins", pins=rules.SUPPLY_EACH - int(rules.pins_of(position.read_only, seat)))]
    left = rules.SUPPLY - int(position.state.pins)
    return [phrase("scene.plate.pins", pins=left)] if left <= FEW_PINS else []


# -- the last action -------------------------------------------------------------------------------------------------
def traces(before: Position, action: int, after: Position) -> tuple[MovementTrace, ...]:
    """The pieces that went to another pillar, then those that were taken or set free. Pieces that only make room have none."""
    pillars, far, near = before.game.board.pillars, [], []
    for piece in range(3 * before.game.seats):
        start, end = int(before.state.pos[piece]), int(after.state.pos[piece])
        if start != end:
            far.append(MovementTrace(f"p:{words.piece_name(piece)}", (f"f:{pillars[start]}", f"f:{pillars[end]}")))
        elif before.state.captor[piece] != after.state.captor[piece]:
            how = "grows" if int(after.state.captor[piece]) == rules.NOBODY else "shrinks"
            near.append(MovementTrace(f"p:{words.piece_name(piece)}", (f"f:{pillars[end]}",), how))
    return (*far, *near)


def last(before: Position, action: int) -> tuple[str, str]:
    """Where the last action began and ended: the pillars of a move, else the piece or the bridge concerned."""
    made, turn = split(before.game.law, action), int(before.state.turn)
    pillars = before.game.board.pillars
    if made.kind in (actions.WALK, actions.CROSS):
        return f"f:{pillars[int(before.state.pos[3 * turn + made.size])]}", f"f:{pillars[made.pillar]}"
    if made.kind in (actions.TAKE, actions.SEIZE, actions.PAY, actions.PAY_LINE):
        return "", f"p:{words.piece_name(made.piece)}"
    if made.kind == actions.DESTROY:
        return "", f"p:{words.piece_name(3 * turn + rules.S)}"
    colour = {actions.TORCH: made.colour, actions.TERM_UNTORCH: before.actor}.get(made.kind, turn)
    after = before.play(action)
    stands = made.line != rules.NOBODY and rules.has_bridge(
        after.read_only, words.bridge_number(after.game.law, made.line, colour)
    )
    return "", bridge_id(before.game, made.line, colour) if stands else ""
