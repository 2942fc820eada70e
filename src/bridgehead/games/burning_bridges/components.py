"""The printed components of Burning Bridges: the valley, hollow pyramids, bridges as strips, and torches."""

from __future__ import annotations

import math

import msgspec

from bridgehead.core.components import Area, Mat, Thing, around
from bridgehead.core.game import Game
from bridgehead.core.phrases import phrase
from bridgehead.core.scene import Item, Part, Picture, circle, rectangle
from bridgehead.games.burning_bridges import scene
from bridgehead.games.burning_bridges.board import SIZES
from bridgehead.games.burning_bridges.rules import SUPPLY, SUPPLY_EACH
from bridgehead.games.burning_bridges.scene import DEPTH, EDGE, PILLAR_R, SHORTER, layout
from bridgehead.games.burning_bridges.words import family

MM = 0.46  # millimetres of a unit: pillars are 27 mm wide
SPARE = EDGE - 3  # width that is cut off from the empty edge of the picture
BASES = {"L": 25.0, "M": 19.5, "S": 14.5}  # of the pyramids, in millimetres
SLANT, FACES, FLAP = 1.3, 4, 12.0  # height of a face in bases; faces; degrees of the flap
STRIP, TORCH = 10.0, 11.0  # a bridge's width and a torch's
ALIKE = 20.0  # millimetres: lines that differ by less share one length of bridge
SOME = 6  # bridges of each length if no house rule limits them (BBQ-8)


def mat(game: Game, language: str) -> Mat:
    """The valley. No seam cuts a pillar."""
    drawn = scene.picture(game, language)
    places = zip(game.board.pillars, layout(game.board).pillars, strict=True)
    whole: dict[str, Area] = {
        f"f:{name}": around(place.x - SPARE, place.y - SPARE, PILLAR_R, PILLAR_R + 8) for name, place in places
    }
    width, height = drawn.width - 2 * SPARE, drawn.height - 2 * SPARE + DEPTH
    picture = Picture(width, height, _moved(drawn.ground), _moved(drawn.fields))
    return Mat(picture, MM, whole, opening=_moved(scene.items(game.start(), language)))


def _moved(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items, moved towards the corner."""
    return tuple(msgspec.structs.replace(each, x=each.x - SPARE, y=each.y - SPARE) for each in items)


def things(game: Game, language: str) -> tuple[Thing, ...]:
    """Two parents and a child a family, its bridges, and the torches (BBQ-11)."""
    found: list[Thing] = []
    for seat in range(game.seats):
        found += _family(game, seat, language)
    for seat in range(game.seats):
        found += _bridges(game, seat, language)
    if not game.law.pins_each:
        return (*found, _torches(game.words.tell(phrase("box.torches"), language), SUPPLY, ""))
    for seat in range(game.seats):
        name = game.words.tell(phrase("box.torches.own", seat=family(seat)), language)
        found.append(_torches(name, SUPPLY_EACH, game.spec.seat_letter(seat)))
    return tuple(found)


def lengths(game: Game) -> dict[float, int]:
    """Lengths of the bridges in millimetres, short to long, and the number of each that a family starts with."""
    pillars = layout(game.board).pillars
    found: dict[float, int] = {}
    for line in sorted(MM * math.dist(pillars[one], pillars[other]) for one, other in game.board.lines):
        long = line - 2 * MM * SHORTER
        fitting = [each for each in found if each + ALIKE >= long]
        strip = fitting[-1] if fitting else long
        found[strip] = found.get(strip, 0) + 1
    most = game.options.max_bridges_per_family or SOME
    return {strip: min(most, count) for strip, count in found.items()}


def _family(game: Game, seat: int, language: str) -> list[Thing]:
    """One pyramid of each size."""
    tell, letter = game.words.tell, game.spec.seat_letter(seat)
    name, note = tell(phrase("box.family", seat=family(seat)), language), tell(phrase("box.family.note"), language)
    found = []
    for size in SIZES:
        parts, across, down = _pyramid(letter, size)
        found.append(Thing(name, parts, across, down, 1, letter, note))
    return found


def _pyramid(letter: str, size: str) -> tuple[tuple[Part, ...], float, float]:
    """A pyramid's parts around the middle of its rectangle (four faces around the tip, and a flap), its width and height."""
    base = BASES[size]
    edge, face = base * math.hypot(SLANT, 0.5), 2 * math.degrees(math.atan(0.5 / SLANT))
    angles = [-(FACES * face + FLAP) / 2 + k * face for k in range(FACES + 1)]
    ends = [(edge * math.sin(math.radians(a)), edge * math.cos(math.radians(a))) for a in (*angles, angles[-1] + FLAP)]
    left, right, bottom = min(x for x, _ in ends), max(x for x, _ in ends), base * SLANT / math.cos(math.radians(face / 2))
    x, y = -(left + right) / 2, -bottom / 2  # where the tip is drawn
    corners = [f"{x + ex:.2f} {y + ey:.2f}" for ex, ey in ends]
    tip = f"M{x:.2f} {y:.2f}L"
    parts = [
        Part(d=f"{tip}{'L'.join(corners[-2:])}Z", cls="flap"),
        Part(d=f"{tip}{'L'.join(corners[:-1])}Z", cls="cut face"),
        Part(d="".join(tip + corner for corner in corners[1:-1]), cls="fold on-colour"),
    ]
    for k in range(FACES):
        turn, r = -(angles[k] + face / 2), 0.21 * base
        down = 0.88 * base  # of the plate below the tip
        across = math.radians(-turn)
        px, py = x + down * math.sin(across), y + down * math.cos(across)
        sx, sy = x + (down - 0.32 * r) * math.sin(across), y + (down - 0.32 * r) * math.cos(across)
        tx, ty = x + (down + 0.72 * r) * math.sin(across), y + (down + 0.72 * r) * math.cos(across)
        parts += [
            Part(d=circle(r), cls="token-plate", x=px, y=py),
            Part(use=f"shape-{letter}", cls="tag-shape", x=sx, y=sy, turn=turn, scale=0.42 * r),
            Part(text=f"{letter}{size}", cls="token-mark", x=tx, y=ty, turn=turn, scale=0.062 * r),
        ]
    return tuple(parts), right - left, bottom


def _bridges(game: Game, seat: int, language: str) -> list[Thing]:
    tell, letter = game.words.tell, game.spec.seat_letter(seat)
    name = tell(phrase("box.bridges", seat=family(seat)), language)
    note = tell(phrase("box.bridges.most" if game.options.max_bridges_per_family else "box.bridges.note"), language)
    return [
        Thing(name, _strip(letter, long, int(game.law.idle_limit)), long, STRIP, count, letter, note)
        for long, count in lengths(game).items()
    ]


def _strip(letter: str, long: float, limit: int) -> tuple[Part, ...]:
    """A bridge: the family's shape at both ends, and along its edge a scale for its idle turns (BBQ-31)."""
    half = (long / 2 - 5) / MM
    prints = (Part(d=f"M{-half:.1f} {y}H{half:.1f}", cls=cls, scale=MM) for cls, y in (("dough-print", 0), ("ridge", -4)))
    parts = [Part(d=rectangle(-long / 2, -STRIP / 2, long, STRIP, 2), cls="cut face"), *prints]
    for side in (-1, 1):
        parts.append(Part(d=circle(3.4), cls="token-plate", x=side * (long / 2 - 5), y=0))
        parts.append(Part(use=f"shape-{letter}", cls="tag-shape", x=side * (long / 2 - 5), scale=2.1))
    room = long - 20
    if limit * 3.2 <= room:
        for turn in range(limit):
            x = room * ((turn + 0.5) / limit - 0.5)
            parts.append(Part(text=str(turn + 1), cls="strip-number", x=x, y=STRIP / 2 - 1, scale=0.26))
    return tuple(parts)


def _torches(name: str, count: int, seat: str) -> Thing:
    flame = Part(use="bb-torch", y=0.36 * TORCH, scale=0.0105 * TORCH)
    edge = (Part(d=circle(TORCH / 2), cls="cut cream"), *((Part(d=circle(TORCH / 2 - 0.8), cls="own-ring"),) if seat else ()))
    sign = (Part(use=f"shape-{seat}", cls="side", y=-0.3 * TORCH, x=0.26 * TORCH, scale=0.11 * TORCH),) if seat else ()
    return Thing(name, (*edge, flame, *sign), TORCH, TORCH, count, seat)
