"""The game named on a command line."""

from __future__ import annotations

from typing import Any

from bridgehead.core import options, registry
from bridgehead.core.game import Game
from bridgehead.terminal.board import read_board


def game(name: str, rules: str, board: str, seats: int = 0) -> Game:
    """`board` may be a name or a file of JSON. Errors: UnknownGame, OptionError, BoardError."""
    spec = registry.spec(name)
    values: dict[str, Any] = {"seats": seats} if seats else {}
    values |= options.read(spec, rules)
    if board:
        found = read_board(board)
        own_name = all(info.name != "board" for info in options.describe(spec)) and spec.is_editable  # a layout, a set-up
        values |= spec.editor.rules(spec.editor.read(found)) if own_name else {"board": found}
    return Game(spec, options.build(spec, "", values))
