"""Helpers of the Barricade tests: positions laid out by words, and questions to ask of them."""

from typing import Any

import bridgehead
from bridgehead.core.clauses import Refusal
from bridgehead.core.game import Game
from bridgehead.core.position import Position
from games.asked import legal

LOOP = {  # a ring of eight squares with the final square at its side, homes at two corners
    "name": "ring",
    "width": 4,
    "height": 4,
    "pawnsPerPlayer": 1,
    "squares": [[0, 0], [1, 0], [2, 0], [0, 1], [2, 1], [3, 1], [0, 2], [1, 2], [2, 2]],
    "final": [3, 1],
    "barricades": [],
    "homes": [
        {"id": 1, "color": "red", "entry": [0, 2], "slots": [[0, 3]]},
        {"id": 2, "color": "blue", "entry": [2, 2], "slots": [[2, 3]]},
    ],
    "firstRowY": 2,
}


def barricade(**options: Any) -> Game:
    return bridgehead.game("barricade", **options)


def laid(game: Game, happens: str, *pawns: str, moved: dict[str, str] | None = None, turn: int = 20) -> Position:
    """A position: what happens; the pawns that are out of each home in play ("k5 c1"); start barricades moved elsewhere."""
    out = list(pawns) + [""] * (game.law.colours - len(pawns))
    homes = []
    for colour, squares in enumerate(out):
        names = squares.split()
        home = game.board.homes[int(game.law.home[colour]) - game.law.squares]
        homes.append(" ".join([f"home{home.id}", *names, *["home"] * (game.law.pawns - len(names))]))
    bars = [(moved or {}).get(game.board.names[square], game.board.names[square]) for square in game.board.barricades]
    return game.load("; ".join([happens, f"turn {turn}", *homes, " ".join(["barricades", *(b for b in bars if b)])]))


def landings(position: Position, origin: str) -> set[str]:
    return {text.split("-")[1] for text in legal(position) if text.startswith(f"{origin}-")}


def why(position: Position, text: str) -> Refusal:
    refusal = position.explain(position.read(text))
    assert refusal is not None
    return refusal


CLASSIC = barricade()
