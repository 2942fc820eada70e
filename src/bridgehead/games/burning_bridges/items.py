"""Bridges, torches and pieces of Burning Bridges as items of the scene."""

from __future__ import annotations

import math
from typing import NamedTuple

from bridgehead.core.caching import kept
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Item, Part
from bridgehead.games.burning_bridges.accessors import bridge_states, safe_turns
from bridgehead.games.burning_bridges.board import SIZES
from bridgehead.games.burning_bridges.ground import Place, layout
from bridgehead.games.burning_bridges.names import family_name, piece_name
from bridgehead.games.burning_bridges.state import NOBODY
from bridgehead.games.burning_bridges.words import family, listed
from bridgehead.games.burning_bridges.words import piece as named

BRIDGE_Z, TORCH_Z, PIECE_Z = 10, 15, 20
LANE, BRIDGE_R = 28.0, 22.0  # distance of parallel bridges
LANE_SCALES = (1.0, 1.0, 0.9, 0.75, 0.62)  # thickness of 1, 2… 5 bridges on one line
SHORTER = 18.0  # from the middle of a pillar to the end of a bridge
MIDDLES = {"L": 14.0, "M": 11.0, "S": 8.0}  # from a pyramid's foot up to the item's centre
RADII = {"L": 32.0, "M": 28.0, "S": 23.0}
FEET = {"L": (8.4, 8.5), "M": (7.0, 7.5), "S": (5.0, 6.5)}  # below the centre, and radius, of the disc with the shape
CAPTOR_SCALES = {"L": 1.0, "M": 0.86}
CAPTIVE_SCALES = {"M": 0.6, "S": 0.86}
# Places and scales of one, two or three pieces on a pillar; more stand in rows: most pieces, pieces in a row, distance, scale.
FEW = (((0, 6, 1),), ((-16, 1, 1), (18, 12, 1)), ((-19, 2, 0.87), (19, 5, 0.87), (0, 20, 0.87)))
BEHIND = 44.0  # from row to row
ROWS = ((6, 3, 34, 0.8), (10, 5, 27, 0.62), (15, 5, 25, 0.55))


def bridge_id(game: Game, line: int, colour: int) -> str:
    """The item of a bridge."""
    return f"b:{game.board.line_name(line)}:{family_name(colour)}"


# -- bridges ---------------------------------------------------------------------------------------------------------


def bridge_items(position: Position, language: str) -> list[Item]:
    """Every bridge, side by side where several lie on one line, and the torches in them."""
    on_line: dict[int, list[int]] = {}
    states = bridge_states(position)
    for line, colour in states:
        on_line.setdefault(line, []).append(colour)
    found = []
    for line, colours in on_line.items():
        for lane, colour in enumerate(colours):
            scale = LANE_SCALES[len(colours) - 1]
            offset = LANE * scale * (lane - (len(colours) - 1) / 2)
            found += _bridge(position.game, line, colour, offset, scale, _state_of(position, *states[line, colour]), language)
    return found


class BridgeState(NamedTuple):
    """The state of a bridge: burning, idle turns (0 if used since the last count), and cracks."""

    burning: bool
    idle: int
    cracks: int


def _state_of(position: Position, burning: bool, idle: int, used: bool) -> BridgeState:
    """The state of a bridge. It has one crack in its last but one idle turn, and two in its last (BB-2.c, BBQ-31)."""
    idle = 0 if used else idle
    cracks = max(0, 2 + min(0, idle - int(position.game.law.idle_limit))) if idle else 0
    return BridgeState(burning, idle, cracks)


@kept
def _bridge(game: Game, line: int, colour: int, offset: float, scale: float, state: BridgeState, language: str) -> list[Item]:
    """A strip of rolled dough along a slightly bent line, with shadow, the family's shape, cracks and a torch."""
    one, other = (layout(game.board).pillars[end] for end in game.board.lines[line])
    far = math.dist(one, other)
    along = Place((other.x - one.x) / far, (other.y - one.y) / far)
    bow = (offset * 1.5 + 3) / scale
    half, end = (far / 2 - SHORTER) / scale, offset * 0.6 / scale
    d = _bent(along, half, end, bow)
    burning, letter = state.burning, family_name(colour)
    top = (end + bow) / 2  # the highest point of the bend
    parts = [Part(d=d, cls="dough-cast", x=2, y=5, scale=scale)]
    parts += [Part(d=d, cls=cls, scale=scale) for cls in ("dough-halo", "dough-side", "dough")]
    parts.append(Part(d=d, cls="ridge", x=-1.5 * scale, y=-3.5 * scale, scale=scale))
    parts += [Part(d=_crack(along, at, top), cls="crack", scale=scale) for at in (-19, 19)[: state.cracks]]
    for at in (-0.72, 0.72) if burning else (0,):
        spot = _along(along, at * half, top * (1 - 0.25 * abs(at)))
        parts.append(Part(use=f"shape-{letter}", cls="shape", x=spot.x * scale, y=spot.y * scale, scale=6 * scale))
    middle = _along(along, 0, top * scale)
    x, y = (one.x + other.x) / 2, (one.y + other.y) / 2
    moved = tuple(_shifted(part, middle) for part in parts)
    label = game.words.tell(_bridge_label(game, line, colour, state), language)
    item_id, spot = bridge_id(game, line, colour), Place(round(x + middle.x, 1), round(y + middle.y, 1))
    glyph = item_id.removeprefix("b:").replace(":", " ") + (" on fire" if burning else "")
    found = [Item(item_id, *spot, moved, letter, "bridge", label, r=BRIDGE_R * scale, z=BRIDGE_Z, glyph=glyph)]
    if burning:
        torch = (Part(use="bb-torch", scale=scale),)
        found.append(Item(f"t{item_id[1:]}", *spot, torch, letter, "torch drops", z=TORCH_Z))
    return found


def _along(along: Place, far: float, aside: float) -> Place:
    """The point at a distance along a line from its middle, and at a distance to its side."""
    return Place(along.x * far - along.y * aside, along.y * far + along.x * aside)


def _shifted(part: Part, by: Place) -> Part:
    return Part(part.use, part.d, part.text, part.cls, round(part.x - by.x, 1), round(part.y - by.y, 1), part.turn, part.scale)


def _bent(along: Place, half: float, end: float, bow: float) -> str:
    a, b, c = _along(along, -half, end), _along(along, 0, bow), _along(along, half, end)
    return f"M{a.x:.1f} {a.y:.1f}Q{b.x:.1f} {b.y:.1f} {c.x:.1f} {c.y:.1f}"


def _crack(along: Place, at: float, top: float) -> str:
    """A jagged line across the dough."""
    points = [_along(along, at + x, top + y) for x, y in ((-3, -12), (4, -5), (-4, 3), (3, 12))]
    return "M" + "L".join(f"{p.x:.1f} {p.y:.1f}" for p in points)


def _bridge_label(game: Game, line: int, colour: int, state: BridgeState) -> Phrase:
    text = phrase("scene.bridge", seat=family(colour), line=game.board.line_name(line))
    if state.burning:
        text = phrase("scene.bridge.burning", said=text)
    if state.idle:
        text = phrase("scene.bridge.last" if state.idle == game.law.idle_limit else "scene.bridge.idle", said=text, n=state.idle)
    return text


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
    for (owner, piece), left in safe_turns(position).items():
        safe[piece] = (*safe.get(piece, ()), (owner, left))
    for piece in range(3 * game.seats):
        captor = int(state.captor[piece])
        if captor == NOBODY:
            standing.setdefault(int(state.pos[piece]), []).append(piece)
        else:
            held.setdefault(captor, []).append(piece)
    found = []
    for pillar, pieces in standing.items():
        place = layout(game.board).pillars[pillar]
        order = sorted(pieces, key=lambda piece: (piece % 3, piece))
        for piece, stand in zip(order, stands(len(order), any(piece in held for piece in order)), strict=True):
            at = Stand(place.x + stand.x, place.y + stand.y, stand.scale)
            hostages, here = tuple(held.get(piece, ())), Body(piece, pillar, safe.get(piece, ()))
            found += [_captor(game, here, hostages, at, language)] if hostages else [_free(game, here, at, language)]
            for i, each in enumerate(hostages):
                body = Body(each, int(state.pos[each]), safe.get(each, ()))
                found.append(_hostage(game, body, piece, i, len(hostages), at, language))
    return found


class Body(NamedTuple):
    """A piece, its pillar, and its immunities: (family, turns)."""

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


@kept
def _free(game: Game, body: Body, at: Stand, language: str) -> Item:
    """A pyramid with the family's shape at its foot."""
    name, place = piece_name(body.piece), game.board.pillars[body.pillar]
    size, up = name[1], MIDDLES[name[1]] * at.scale
    foot, r = FEET[size]
    parts = (Part(use=f"bb-{size}", y=up, scale=at.scale), *_foot(name[0], up + foot * at.scale, r * at.scale))
    label = phrase("scene.piece.free", piece=named(body.piece), pillar=place)
    return _item(game, body, Place(at.x, at.y - up), parts, label, RADII[size] * at.scale, _depth(at), language)


@kept
def _captor(game: Game, body: Body, hostages: tuple[int, ...], at: Stand, language: str) -> Item:
    """A larger body with openings for its hostages; its shape and grooves above them."""
    name, scale = piece_name(body.piece), at.scale * CAPTOR_SCALES[SIZES[body.piece % 3]]
    up, foot = 40 * scale, Place(at.x, at.y + 2 * scale)
    parts = (
        Part(use=f"bb-captor-{len(hostages)}", y=up, scale=scale),
        Part(use=f"bb-grooves-{name[1]}", y=up, scale=scale),
        *_foot(name[0], up - (44 if len(hostages) == 1 else 40) * scale, 9 * scale),
    )
    held = listed([named(each) for each in hostages])
    label = phrase("scene.piece.captor", piece=named(body.piece), pillar=game.board.pillars[body.pillar], hostages=held)
    return _item(game, body, Place(foot.x, foot.y - up), parts, label, 34 * scale, _depth(at), language)


@kept
def _hostage(game: Game, body: Body, captor: int, number: int, of: int, at: Stand, language: str) -> Item:
    """Small, behind bars, in an opening of its captor (BB-1.e.i)."""
    name = piece_name(body.piece)
    scale = at.scale * CAPTOR_SCALES[SIZES[captor % 3]] * (0.88 if of == 2 else 1)
    aside, up = (0 if of == 1 else 33 * scale / 0.88 * (number - 0.5)), 10 * scale
    parts = (
        Part(use=f"bb-{name[1]}", y=up + 3 * scale, scale=CAPTIVE_SCALES[name[1]] * scale),
        Part(use="bb-bars", y=up, scale=scale),
        *_foot(name[0], up + 9 * scale, 7 * scale),
    )
    label = phrase("scene.piece.hostage", piece=named(body.piece), pillar=game.board.pillars[body.pillar], captor=named(captor))
    foot = Place(at.x + aside, at.y + 2 * scale)
    return _item(game, body, Place(foot.x, foot.y - up), parts, label, 20 * scale, _depth(at) + 1, language, True)


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
    game: Game, body: Body, at: Place, parts: tuple[Part, ...], text: Phrase, r: float, z: int, language: str, held: bool = False
) -> Item:
    name = piece_name(body.piece)
    for other, left in body.safe:
        text = phrase("scene.piece.safe", said=text, seat=family(other), n=left)
    label, pillar = game.words.tell(text, language), game.board.pillars[body.pillar]
    glyph = f"{name}#" if held else name
    return Item(f"p:{name}", round(at.x, 1), round(at.y, 1), parts, name[0], "piece", label, f"f:{pillar}", r, z, glyph)
