"""A game at a glance: `glance.toml` in its folder, a few pictures with a sentence or two, before all clauses.

[[panel]]                        # the first is the goal, the second a turn, the others what surprises
step = 3                         # the position of this step of the tutorial; or:
position = "..."                 # a position, under `options` of the tutorial
play = ["roll 3"]                # played on it
frame = ["f:a1", "f:e5"]         # things that the picture shows, with some air; default: the whole board
rings = ["f:e5"]                 # things in a ring
ways = [["f:a1", "f:a4"]]        # arrows through things, first to last

[[rules]]                        # a picture of what the presets differ in; a panel without step, and
preset = "recommended"           # its position is set up by this preset; "": by the rules as written
area = [370, 590, 980, 770]      # a part of the board instead of a frame: left, top, right, bottom

The sentences of panel N are in the game's catalogue: `glance.N.title` and `glance.N.text`.
"""

from __future__ import annotations

import functools
import math
import tomllib
from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from bridgehead.core import options as house
from bridgehead.core.components import Area
from bridgehead.core.errors import BridgeheadError, convert_error
from bridgehead.core.game import Game, Position
from bridgehead.core.match import Match
from bridgehead.core.phrases import catalogue, phrase
from bridgehead.core.scene import Item, Part, circle
from bridgehead.core.spec import Spec
from bridgehead.core.tutorial import has_tutorial, tutorial
from bridgehead.core.validation import ready

FILE = "glance.toml"
ASPECT = 2.0  # width of a picture by its height
AIR = 70.0  # units around the things of a frame
HEAD = 17.0  # length of the head of an arrow, in a picture of ZOOM units
ZOOM = 450.0
Point = tuple[float, float]


class Panel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One panel; see the module."""

    step: int = 0
    position: str = ""
    play: tuple[str, ...] = ()
    frame: tuple[str, ...] = ()
    rings: tuple[str, ...] = ()
    ways: tuple[tuple[str, ...], ...] = ()


class RulesPanel(Panel, frozen=True, forbid_unknown_fields=True):
    """A picture of a preset; see the module."""

    preset: str = ""
    area: tuple[float, float, float, float] | None = None


class _File(msgspec.Struct, forbid_unknown_fields=True):
    panel: Annotated[tuple[Panel, ...], Meta(min_length=3)]
    rules: tuple[RulesPanel, ...] = ()


class GlanceError(BridgeheadError):
    """Panels that the rules do not allow; `where` names the panel, counted from 1."""


class PanelDrawing(NamedTuple):
    """What a picture shows: a position, the part of the board, rings and arrows."""

    position: Position
    frame: Area
    marks: tuple[Item, ...]


class ShownPanel(NamedTuple):
    """A panel with its position, the part of the board that it shows, its rings and arrows, and the keys of its sentences."""

    position: Position
    frame: Area
    marks: tuple[Item, ...]
    title: str
    text: str


def has_glance(spec: Spec) -> bool:
    """Whether a game has these pictures."""
    return (spec.folder / FILE).exists()


@functools.cache
def glance(spec: Spec) -> tuple[ShownPanel, ...]:
    """The panels of a game; none where it has no such file. Errors: GlanceError."""
    return read(spec, (spec.folder / FILE).read_text("utf-8")) if has_glance(spec) else ()


def read(spec: Spec, text: str) -> tuple[ShownPanel, ...]:
    """The panels in the text of a file, each set up by the rules. Errors: GlanceError."""
    shown = []
    for number, panel in enumerate(_read(text).panel, start=1):
        try:
            shown.append(_show(spec, panel, f"glance.{number}."))
        except BridgeheadError as error:
            raise GlanceError(error.whole, phrase("error.panel", number=number)) from None
    return tuple(shown)


@functools.cache
def draw_presets(spec: Spec) -> dict[str, PanelDrawing]:
    """A picture of each preset that has one, and of the rules as written (""). Errors: GlanceError."""
    rules = _read((spec.folder / FILE).read_text("utf-8")).rules if has_glance(spec) else ()
    try:
        return {each.preset: _draw(spec, each, _open(Game(spec, house.build(spec, each.preset)), each)) for each in rules}
    except BridgeheadError as error:
        raise GlanceError(error.whole, "rules") from None


def _read(text: str) -> _File:
    try:
        return msgspec.convert(tomllib.loads(text), ready(_File))
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise GlanceError(convert_error(error).whole, FILE) from None


def _show(spec: Spec, panel: Panel, prefix: str) -> ShownPanel:
    title, text = prefix + "title", prefix + "text"
    for key in (title, text):
        if not catalogue(spec.folder).has(key):
            raise GlanceError("error.catalogue_no", name=key)
    return ShownPanel(*_draw(spec, panel, _set_up(spec, panel)), title, text)


def _draw(spec: Spec, panel: Panel, match: Match) -> PanelDrawing:
    for action in panel.play:
        match.play(action)
    position = match.position
    picture, drawn = spec.scene.picture(match.game, "en"), spec.scene.items(position, "en")
    things = {item.id: item for item in (*picture.fields, *drawn)}
    named = {*panel.frame, *panel.rings, *(each for way in panel.ways for each in way)}
    if unknown := named - things.keys():
        raise GlanceError("error.nothing_called_shown", unknown=", ".join(sorted(unknown)))
    area = Area(0, 0, picture.width, picture.height)
    if panel.frame:
        area = _surround([things[each] for each in named])
    elif isinstance(panel, RulesPanel) and panel.area:
        area = Area(*panel.area)
    frame = _fit(area, picture.width, picture.height)
    zoom = (frame.right - frame.left) / ZOOM
    rings = (_ring(things[each], zoom) for each in panel.rings)
    arrows = (_arrow([(things[each].x / zoom, things[each].y / zoom) for each in way], zoom) for way in panel.ways)
    return PanelDrawing(position, frame, (*rings, *arrows))


def _set_up(spec: Spec, panel: Panel) -> Match:
    taught, steps = tutorial(spec) if has_tutorial(spec) else (None, ())
    if panel.step:
        if not 1 <= panel.step <= len(steps):
            raise GlanceError("error.tutorial_has_steps", number=len(steps))
        return steps[panel.step - 1].match.fork()
    return _open(Game(spec, house.build(spec, "", taught.options if taught else {})), panel)


def _open(game: Game, panel: Panel) -> Match:
    return Match(game, start=game.load(panel.position)) if panel.position else Match(game)


def _surround(things: Sequence[Item]) -> Area:
    left, right = min(each.x for each in things), max(each.x for each in things)
    top, bottom = min(each.y for each in things), max(each.y for each in things)
    return Area(left - AIR, top - AIR, right + AIR, bottom + AIR)


def _fit(area: Area, width: float, height: float) -> Area:
    """A part of the board, made as wide as a picture is."""
    wide, high = area.right - area.left, area.bottom - area.top
    wider, higher = max(wide, high * ASPECT), max(high, wide / ASPECT)
    left = _shift((area.left + area.right - wider) / 2, wider, width)
    top = _shift((area.top + area.bottom - higher) / 2, higher, height)
    return Area(left, top, left + wider, top + higher)


def _shift(begin: float, length: float, whole: float) -> float:
    """Where a part begins so that it shows no table where there is board: in the middle if it is longer than the board."""
    return (whole - length) / 2 if length > whole else min(max(begin, 0), whole - length)


def _ring(thing: Item, zoom: float) -> Item:
    line = circle(thing.r / zoom + 5)
    parts = (Part(d=line, cls=cls, scale=zoom) for cls in ("glance-under", "glance-way"))
    return Item(f"ring:{thing.id}", thing.x, thing.y, tuple(parts))


def _arrow(points: Sequence[Point], zoom: float) -> Item:
    """An arrow through points, enlarged by `zoom`; its line ends a little before the last one."""
    (x, y), (tip_x, tip_y) = points[-2:]
    angle = math.atan2(tip_y - y, tip_x - x)
    back = (tip_x - HEAD * math.cos(angle), tip_y - HEAD * math.sin(angle))
    line = _line([*points[:-1], back])
    sides = [(tip_x - 1.5 * HEAD * math.cos(angle + turn), tip_y - 1.5 * HEAD * math.sin(angle + turn)) for turn in (0.5, -0.5)]
    head = _line([sides[0], (tip_x, tip_y), sides[1]]) + "Z"
    drawn = (line, "glance-under"), (head, "glance-head"), (line, "glance-way")
    return Item(f"way:{head}", 0, 0, tuple(Part(d=d, cls=cls, scale=zoom) for d, cls in drawn))


def _line(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
