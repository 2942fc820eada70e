"""Names of families, pieces, pillars and lines."""

from __future__ import annotations

from bridgehead.core.errors import NotationError
from bridgehead.core.game import Game
from bridgehead.games.burning_bridges.board import SIZES
from bridgehead.games.burning_bridges.state import NOBODY


def family_name(family: int) -> str:
    """A family's letter."""
    return "abcdef"[family]  # a board may have a sixth family, of which five play


def piece_name(piece: int) -> str:
    """A piece with its family's letter: `bM`."""
    return family_name(piece // 3) + SIZES[piece % 3]


def family_of(game: Game, text: str) -> int:
    """The seat of a family's letter. Errors: NotationError."""
    letters = "abcde"[: game.seats]
    if len(text) != 1 or text not in letters:
        raise NotationError("burning_bridges:error.family_from_got", "action", letters=letters[-1], text=repr(text))
    return letters.index(text)


def size_of(game: Game, text: str) -> int:
    """The size number of L, M or S. Errors: NotationError."""
    if len(text) != 1 or text not in SIZES:
        raise NotationError("burning_bridges:error.piece_l_m_s_got", "action", text=repr(text))
    return SIZES.index(text)


def piece_of(game: Game, text: str) -> int:
    """The number of a piece written like bM. Errors: NotationError."""
    if len(text) != 2:
        raise NotationError("burning_bridges:error.piece_like_bm_got", "action", text=repr(text))
    return 3 * family_of(game, text[0]) + size_of(game, text[1])


def pillar_of(game: Game, text: str) -> int:
    """The number of a pillar. Errors: NotationError."""
    if text not in game.board.pillars:
        raise NotationError("burning_bridges:error.board_no_pillar", "action", text=repr(text))
    return int(game.board.pillars.index(text))


def line_of(game: Game, text: str) -> int:
    """The number of a line, its ends in either order. Errors: NotationError."""
    ends = text.split("-")
    if len(ends) == 2:
        line = int(game.law.line_of[pillar_of(game, ends[0]), pillar_of(game, ends[1])])
        if line != NOBODY:
            return line
    raise NotationError("burning_bridges:error.board_no_line", "action", text=repr(text))
