"""Own boards of a site: layouts and set-ups that a designer publishes, first on the start page."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridgehead.core.errors import BoardError, BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.phrases import detect_language, sentence
from bridgehead.core.spec import Spec
from bridgehead.terminal.board import named_game, read_board


@dataclass(frozen=True)
class OwnBoard:
    """A game on an own board, and the board's name."""

    name: str
    game: Game

    @property
    def options(self) -> dict[str, Any]:
        """The house rules of a table on this board."""
        return {**self.game.differences, "seats": self.game.seats}

    @property
    def link(self) -> str:
        """The house rules for the fragment of a link (link_codec.js)."""
        text = json.dumps({"rules": self.options}, separators=(",", ":")).encode()
        return "z" + base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")


def read(file: Path, games: Iterable[Spec]) -> OwnBoard:
    """The board in a file that the editor saved, for the only one of these games that can be played on it. Errors: BoardError."""
    found: list[Game] = []
    problems: list[str] = []
    content = read_board(f"{file}")
    if isinstance(content, str):
        raise BoardError("terminal:site.board_file", content)
    for spec in games:
        try:
            found.append(_fewest(spec, f"{file}"))
        except BridgeheadError as error:
            problems.append(f"{spec.title}: {sentence(error.whole, detect_language())}")
    if len(found) != 1:
        raise BoardError(
            "terminal:site.board_of_many" if found else "terminal:site.no_board", f"{file}", problems="; ".join(problems)
        )
    name = content.get("name") if isinstance(content, dict) else None
    return OwnBoard(name if isinstance(name, str) and name else file.stem, found[0])


def _fewest(spec: Spec, file: str) -> Game:
    """The game on a board with the fewest seats that the board allows. Errors: BridgeheadError."""
    errors: list[BridgeheadError] = []
    for seats in range(spec.seats[0], spec.seats[1] + 1):
        try:
            return named_game(spec.id, "", file, seats)
        except BridgeheadError as error:
            errors.append(error)
    raise errors[0]
