"""The picture of the board: a valley of any size and shape, ways, pillars, starts and goals."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.scene import Item, Part, Picture
from bridgehead.games.burning_bridges.board import Board, Family
from bridgehead.games.burning_bridges.options import seated_families
from bridgehead.games.burning_bridges.words import family, listed

NEAREST = 130.0  # distance of the two nearest pillars on the picture
WIDEST = 1500.0  # largest spread of pillars; it overrides the distance above
PILLAR_R, FIELD_R = 29.0, 36.0
MARGIN, RIM, DEPTH, EDGE = 95.0, 18.0, 9.0, 15.0  # pillars to the rim's outer edge; its width; its side; space around it
ARC = 59.0  # distance of the goal arcs from the outermost pillars
BEYOND_START, BEYOND_GOAL, SMALL_BADGE = 61.0, 48.0, 0.75  # distance of a triangle or badge from its pillar
CORNER = 110.0
NAME_LETTERS = 4  # most characters of a name at full size
HEIGHTS = (0.3, 0.47, 0.66, 0.81, 0.94)  # height lines, as shares of the valley


class Place(NamedTuple):
    """A point of the picture."""

    x: float
    y: float

    def away(self, far: float, angle: float) -> Place:
        """The point at a distance, at an angle in radians clockwise from the right."""
        return Place(self.x + far * math.cos(angle), self.y + far * math.sin(angle))


class Layout(NamedTuple):
    """The layout of a board: the middle, half width and half height of the valley, and the pillars."""

    middle: Place
    half: Place
    is_round: bool
    pillars: tuple[Place, ...]

    @property
    def reach(self) -> float:
        """The distance of the outermost pillars from the middle."""
        return max(math.dist(self.middle, pillar) for pillar in self.pillars)


@functools.lru_cache(maxsize=64)
def layout(board: Board) -> Layout:
    """Pillars scaled to give neighbours room, on a round board, or on a rectangular one if that wastes less space."""
    xs, ys = [x for x, _ in board.places], [y for _, y in board.places]
    spread = max(max(xs) - min(xs), max(ys) - min(ys))
    gap = min(math.dist(one, other) for i, one in enumerate(board.places) for other in board.places[:i])
    unit = min(NEAREST / gap, max(WIDEST / spread, NEAREST / spread))
    cx, cy = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    around = max(math.dist((cx, cy), place) for place in board.places)
    is_round = around <= 0.56 * min(max(xs) - min(xs), max(ys) - min(ys))
    half_x, half_y = (around, around) if is_round else ((max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2)
    half = Place(unit * half_x + MARGIN, unit * half_y + MARGIN)
    middle = Place(half.x + EDGE, half.y + EDGE)
    return Layout(
        middle, half, is_round, tuple(Place(middle.x + unit * (x - cx), middle.y + unit * (y - cy)) for x, y in board.places)
    )


def picture(game: Game, language: str) -> Picture:
    """The board: valley and ways, plinths, collars and rim marks of the seated families, and the pillars as fields."""
    plan, board = layout(game.board), game.board
    ground = [_valley(plan), _ways(plan, board), *_marks(game, plan)]
    fields = tuple(_field(game, pillar, place, language) for pillar, place in enumerate(plan.pillars))
    return Picture(2 * plan.middle.x, 2 * plan.middle.y, tuple(ground), fields)


def families(game: Game) -> list[Family]:
    """The seated families of the board, by seat."""
    return [game.board.families[number] for number in seated_families(game.options, game.board)]


def seats_at(game: Game, pillar: int, goals: bool) -> list[int]:
    """The seats that start on a pillar, or have it as a goal."""
    return [seat for seat, each in enumerate(families(game)) if pillar in (each.goals if goals else each.start)]


def _field(game: Game, pillar: int, place: Place, language: str) -> Item:
    sentence: Phrase = phrase("scene.pillar", pillar=game.board.pillars[pillar])
    for key, goals in (("scene.pillar.start", False), ("scene.pillar.goal", True)):
        if seats := seats_at(game, pillar, goals):
            sentence = phrase(key, said=sentence, seats=listed([family(seat) for seat in seats]))
    name, label = game.board.pillars[pillar], game.words.tell(sentence, language)
    written = Part(text=name, cls="field-name", y=4.5, scale=min(1, NAME_LETTERS / len(name)))
    return Item(f"f:{name}", place.x, place.y, (Part(use="bb-pillar"), written), cls="field", label=label, r=FIELD_R)


# -- valley and ways -------------------------------------------------------------------------------------------------


def _valley(plan: Layout) -> Item:
    """A slab with a rim, a pale valley in it, and a few height lines."""
    outer, inner = _outline(plan, 0), _outline(plan, RIM)
    parts = [Part(d=outer, cls="valley-side", y=DEPTH), Part(d=outer, cls="rim"), Part(d=inner, cls="valley")]
    parts += [Part(d=_height_line(plan, share, number), cls="contour") for number, share in enumerate(HEIGHTS)]
    return Item("g:valley", plan.middle.x, plan.middle.y, tuple(parts), cls="still")


def _outline(plan: Layout, inset: float) -> str:
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


def _height_line(plan: Layout, share: float, number: int) -> str:
    points = []
    for step in range(72):
        angle = math.tau * step / 72
        wave = 15 * math.sin(3 * angle + 1.9 * number) + 9 * math.sin(5 * angle + number) - 6
        corner = 1.0 if plan.is_round else (abs(math.cos(angle)) ** 5 + abs(math.sin(angle)) ** 5) ** -0.2
        x, y = ((half - RIM - 8) * share * corner + wave for half in plan.half)
        points.append(f"{x * math.cos(angle):.0f} {y * math.sin(angle):.0f}")
    return f"M{'L'.join(points)}Z"


def _ways(plan: Layout, board: Board) -> Item:
    lines = (f"M{a.x:.0f} {a.y:.0f}L{b.x:.0f} {b.y:.0f}" for a, b in ((plan.pillars[i], plan.pillars[j]) for i, j in board.lines))
    return Item("g:ways", 0, 0, (Part(d="".join(lines), cls="way"),), cls="still")


# -- starts and goals ------------------------------------------------------------------------------------------------


def _marks(game: Game, plan: Layout) -> list[Item]:
    """Plinths with a lettered triangle where families start; collars and an arc, or badges, at their goals."""
    low: list[Item] = []
    high: list[Item] = []
    taken: list[Place] = list(plan.pillars)  # occupied places
    for seat, each in enumerate(families(game)):
        for pillar in dict.fromkeys(each.start):
            low.append(_plinth(game, plan, seat, pillar))
            high.append(_start(game, plan, seat, pillar, taken))
        low += [_collar(game, plan, seat, pillar) for pillar in each.goals]
        if len(ends := _arc_ends(plan, each.goals)) == 2:
            high.append(_arc(game, plan, seat, ends))
        else:
            high += [_goal_badge(game, plan, seat, pillar, taken) for pillar in each.goals]
    return low + high


def _outward(plan: Layout, pillar: int) -> float:
    place = plan.pillars[pillar]
    if math.dist(place, plan.middle) < 1:
        return -math.pi / 2
    return math.atan2(place.y - plan.middle.y, place.x - plan.middle.x)


def _free_spot(plan: Layout, pillar: int, far: float, taken: list[Place]) -> Place:
    """A free spot beside a pillar: outwards if there is room, else as near to that direction as possible."""
    angles = [_outward(plan, pillar) + math.radians(turn) for turn in (0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180)]
    spots = [plan.pillars[pillar].away(far, angle) for angle in angles]
    room = [min(math.dist(spot, other) for other in taken if other != plan.pillars[pillar]) for spot in spots]
    best = next((i for i, each in enumerate(room) if each > PILLAR_R + 20), room.index(max(room)))
    taken.append(spots[best])
    return spots[best]


def _plinth(game: Game, plan: Layout, seat: int, pillar: int) -> Item:
    place, letter = plan.pillars[pillar], game.spec.seat_letter(seat)
    shared = seats_at(game, pillar, goals=False).index(seat)
    turn = round(math.degrees(_outward(plan, pillar))) - 90 + 40 * shared
    return Item(f"g:plinth-{letter}-{game.board.pillars[pillar]}", place.x, place.y, (Part(use="bb-plinth", turn=turn),), letter)


def _start(game: Game, plan: Layout, seat: int, pillar: int, taken: list[Place]) -> Item:
    spot, letter = _free_spot(plan, pillar, BEYOND_START, taken), game.spec.seat_letter(seat)
    parts = (Part(use="bb-start", scale=0.92), Part(text=letter.upper(), cls="start-letter", y=8.5))
    return Item(f"g:start-{letter}-{game.board.pillars[pillar]}", spot.x, spot.y, parts, letter)


def _collar(game: Game, plan: Layout, seat: int, pillar: int) -> Item:
    """A ring of the family's colour. Rings of families that share a goal lie inside one another."""
    place, letter = plan.pillars[pillar], game.spec.seat_letter(seat)
    sharing = seats_at(game, pillar, goals=True)
    scale = 1 + 0.18 * (len(sharing) - 1 - sharing.index(seat))
    return Item(f"g:goal-{letter}-{game.board.pillars[pillar]}", place.x, place.y, (Part(use="bb-collar", scale=scale),), letter)


def _arc_ends(plan: Layout, goals: tuple[int, ...]) -> tuple[float, ...]:
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


def _arc(game: Game, plan: Layout, seat: int, ends: tuple[float, ...]) -> Item:
    """The arc outside a family's goals, with its shape and letter."""
    letter, radius, (start, end) = game.spec.seat_letter(seat), plan.reach + ARC, ends
    turn = (end - start) % math.tau
    one, other = (Place(0, 0).away(radius, angle) for angle in ends)
    d = f"M{one.x:.1f} {one.y:.1f}A{radius:.1f} {radius:.1f} 0 {int(turn > math.pi)} 1 {other.x:.1f} {other.y:.1f}"
    badge = Place(0, 0).away(radius, start + turn / 2)
    parts = (Part(d=d, cls="goal-arc-side"), Part(d=d, cls="goal-arc"), *_badge(letter, badge, 1))
    return Item(f"g:arc-{letter}", plan.middle.x, plan.middle.y, parts, letter)


def _goal_badge(game: Game, plan: Layout, seat: int, pillar: int, taken: list[Place]) -> Item:
    letter, spot = game.spec.seat_letter(seat), _free_spot(plan, pillar, BEYOND_GOAL, taken)
    return Item(
        f"g:badge-{letter}-{game.board.pillars[pillar]}", spot.x, spot.y, _badge(letter, Place(0, 0), SMALL_BADGE), letter
    )


def _badge(letter: str, at: Place, scale: float) -> tuple[Part, ...]:
    return (
        Part(use="bb-badge", x=at.x, y=at.y, scale=scale),
        Part(use=f"shape-{letter}", cls="side", x=at.x, y=at.y - 7 * scale, scale=7.2 * scale),
        Part(use=f"shape-{letter}", cls="face", x=at.x, y=at.y - 7 * scale, scale=5.8 * scale),
        Part(text=letter.upper(), cls="goal-letter", x=at.x, y=at.y + 13 * scale, scale=scale),
    )
