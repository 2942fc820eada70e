"""Boards on the command line: any game's board as text, from its scene; and the game under a board option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.text import Text

from bridgehead.core import options, registry
from bridgehead.core.errors import BoardError, convert_error
from bridgehead.core.game import Game
from bridgehead.core.own_boards import rules_of_file
from bridgehead.core.position import Position
from bridgehead.core.scene import Item

STYLES = {
    "a": "bold white on black", "b": "bold black on bright_cyan", "c": "bold black on bright_yellow",
    "d": "bold white on red", "e": "bold white on blue", "f": "bold black on bright_green", "g": "bold black on white",
    "red": "bold red on white", "black": "bold black on white", "": "",
}  # fmt: skip
WIDEST = 150


def text_board(position: Position, language: str = "en") -> Text:
    """The board with its pieces; fields without a piece show their name dimmed.

    A piece shows its glyph in its seat's colour, and always a letter as well, so that no information depends on colour.
    """
    scene = position.game.spec.scene
    standing: dict[str, list[Item]] = {}
    for item in scene.items(position, language):
        if item.glyph:
            standing.setdefault(item.at, []).append(item)
    # A field without a label, such as a place at home, is shown only while something stands on it.
    fields = [f for f in scene.picture(position.game, language).fields if f.label or f.id in standing]
    cells = {field.id: _cell(field, standing.get(field.id, [])) for field in fields}
    width = max(1 + sum(len(text) for text, _ in cell) for cell in cells.values())
    columns, rows = _spread([f.x for f in fields], width), _spread([f.y for f in fields], 1)
    if max(columns) > WIDEST:
        columns = _spread([f.x for f in fields], 2)
    grid: dict[int, list[tuple[int, list[tuple[str, str]]]]] = {}
    for field, column, row in zip(fields, columns, rows, strict=True):
        grid.setdefault(row, []).append((column, cells[field.id]))
    board = _draw(grid)
    for item in standing.get("", []):
        board.append(f"{item.glyph}  ", STYLES.get(item.seat) or None)
    return board


def _cell(field: Item, items: list[Item]) -> list[tuple[str, str]]:
    if not items:
        return [(field.glyph or field.id.partition(":")[2], "dim")]
    return [(item.glyph, STYLES.get(item.seat, "")) for item in items]


def _spread(values: list[float], room: int) -> list[int]:
    """Whole-number coordinates in the order of `values`: close values share one, others are at least `room` apart."""
    places, nearby = sorted(set(values)), (max(values) - min(values)) / 60 or 1
    at, last, spot = {}, places[0], 0
    for value in places:
        if value - last > nearby:
            spot, last = spot + room, value
        at[value] = spot
    return [at[value] for value in values]


def _draw(grid: dict[int, list[tuple[int, list[tuple[str, str]]]]]) -> Text:
    board = Text()
    for row in range(max(grid) + 1):
        line = 0
        for column, cell in sorted(grid.get(row, []), key=lambda pair: pair[0]):
            board.append(" " * max(column - line, 0 if line == 0 else 1))
            line = max(column, line + (line > 0))
            for text, style in cell:
                board.append(text, style or None)
                line += len(text)
        board.append("\n")
    return board


def read_board(name: str) -> Any:
    """A board by its name, or the content of a JSON file. Errors: BoardError."""
    if not name.endswith(".json"):
        return name
    try:
        return json.loads(Path(name).read_text("utf-8"))
    except OSError as error:
        raise BoardError(convert_error(error).phrase, name) from None
    except (ValueError, RecursionError) as error:
        raise BoardError("terminal:error.not_json", name, error=error) from None


def named_game(name: str, rules: str, board: str, seats: int = 0) -> Game:
    """The game of that name. board: a board's name or a JSON file. Errors: UnknownGame, OptionError, BoardError."""
    spec = registry.spec(name)
    drawn = rules_of_file(spec, read_board(board)) if board else {}
    values: dict[str, Any] = {name: drawn.pop(name) for name in ("seats",) if name in drawn}
    values |= {"seats": seats} if seats else {}
    values |= options.read(spec, rules, own_board=board.endswith(".json")) | drawn
    return Game(spec, options.build(spec, "", values))
