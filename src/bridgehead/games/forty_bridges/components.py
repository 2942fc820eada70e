"""The printed components of 40 Bridges: the board, 40 cm wide, and the pieces of both players."""

from __future__ import annotations

from bridgehead.core.components import Area, Mat, Thing, around, disc
from bridgehead.core.game import Game
from bridgehead.core.phrases import phrase
from bridgehead.games.forty_bridges import scene
from bridgehead.games.forty_bridges.rules import fields_of
from bridgehead.games.forty_bridges.words import seat_phrase

WIDE, PIECE = 400.0, 24.0  # millimetres: the board, and a piece across


def mat(game: Game, language: str) -> Mat:
    """The board. No seam cuts an octagon or a square."""
    whole: dict[str, Area] = {}
    for field, name in enumerate(game.board.names):
        across = scene.DIAGONAL if game.board.is_square(field) else scene.SIDE / 2 + scene.DIAGONAL
        whole[f"f:{name}"] = around(*scene.place(game, field), across)
    opening = tuple(item for item in scene.items(game.start(), language) if item.id.startswith("p:"))
    return Mat(scene.picture(game, language), WIDE / scene.SIZE, whole, opening=opening)


def things(game: Game, language: str) -> tuple[Thing, ...]:
    """The pieces of both sides at the start (FB-1.b, FBQ-1)."""
    found = []
    for seat in (0, 1):
        letter, name = game.spec.seat_letter(seat), game.words.tell(phrase("box.pieces", seat=seat_phrase(seat)), language)
        count = len(fields_of(game.law.opening[seat]))
        found.append(Thing(name, disc(letter, letter.upper(), PIECE), PIECE, PIECE, count, letter))
    return tuple(found)
