"""Positions that people set up: a draft as a line of text, strokes of tools, and the reason why a position cannot occur.

The game's own text reads a position, and its check says whether it can occur. A game's `position_editor.py` adds tools.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from bridgehead.core import editing
from bridgehead.core.editing import NoStroke, Tool, Toolbox, forbid
from bridgehead.core.errors import PositionError
from bridgehead.core.game import Game, Position
from bridgehead.core.parts import gives
from bridgehead.core.scene import Part

MOST_TURNS = 9999  # finished turns that a tool can set


class PositionSetting(NamedTuple):
    """A position that a stroke changes: its state can be written."""

    game: Game
    state: Any


def parse_position(game: Game, text: str) -> tuple[Position, PositionError | None]:
    """The position of a text, and why it cannot occur (None: it can). Errors: PositionError for a text that cannot be read."""
    kind = game.spec.text
    if gives(kind, "load"):
        return game.load(text), None
    states = kind.read(game, text)
    error: PositionError | None = None
    try:
        kind.check(game, states[0])
    except PositionError as found:
        error = found
    return Position(game, states), error


def apply_stroke(position: Position, tool: str, touch: tuple[str, ...]) -> str:
    """The text of the position after a stroke. Errors: NoStroke, also for what no text of the game can describe."""
    game = position.game
    editor, kind = game.spec.position_editor, game.spec.text
    forbid(not editor.STROKES, "nothing")
    states = kind.read(game, position.text)
    setting = PositionSetting(game, states[0])
    try:
        strokes: Mapping[tuple[str, int], Callable[..., Any]] = editor.STROKES
        editing.apply_stroke(strokes, setting, tool, touch)
        editor.settle(setting)
        text = Position(game, states).text
        kind.read(game, text)
    except PositionError as error:
        raise NoStroke(error.whole) from None
    return text


def find_concerned_items(error: PositionError, ids: Mapping[str, object]) -> tuple[str, ...]:
    """The things on the picture that the place of an error names."""
    words = error.where.replace(":", " ").replace(",", " ").split()
    return tuple(each for word in words for each in (f"f:{word}", f"p:{word}") if each in ids)


def switch(box: Toolbox, tool: str, is_on: bool, livery: str = "", **params: Any) -> Tool:
    """A button that stays pressed while something holds, such as which seat is to move."""
    parts = (Part(use="disc", y=-3, scale=0.72), Part(use=f"shape-{livery}", cls="shape", y=-3, scale=7.5)) if livery else ()
    made = box.touch(tool, kind="press", parts=parts, livery=livery, **params)
    return msgspec.structs.replace(made, value=int(is_on))


def seat_named(game: Game, letter: str) -> int:
    """The seat with a livery letter. Errors: NoStroke."""
    letters = [game.spec.seat_letter(seat) for seat in range(game.seats)]
    forbid(letter not in letters, "nothing")
    return letters.index(letter)
