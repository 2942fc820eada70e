"""Names of families, pieces, pillars and lines, and what an action number is made of."""

from __future__ import annotations

from typing import Any, NamedTuple

from bridgehead.core.errors import NotationError
from bridgehead.core.game import Game
from bridgehead.games.burning_bridges import kinds
from bridgehead.games.burning_bridges.board import SIZES
from bridgehead.games.burning_bridges.state import NOBODY


class Action(NamedTuple):
    """An action taken apart; what it does not have is -1. `size` is the acting family's piece, `piece` anybody's."""

    kind: int
    size: int = NOBODY
    pillar: int = NOBODY
    piece: int = NOBODY
    line: int = NOBODY
    colour: int = NOBODY


def split(law: Any, action: int) -> Action:
    """The parts of an action number."""
    kind = int(law.kind[action])
    rest = action - int(law.first_of[kind])
    pieces, pillars, lines, seats = 3 * int(law.seats), int(law.pillars), int(law.lines), int(law.seats)
    if kind == kinds.FIRST:
        return Action(kind, colour=rest)
    if kind == kinds.WALK:
        return Action(kind, size=rest // pillars, pillar=rest % pillars)
    if kind == kinds.CROSS:
        return Action(kind, size=rest // seats // pillars, pillar=rest // seats % pillars, colour=rest % seats)
    if kind in (kinds.TAKE, kinds.PAY):
        return Action(kind, piece=rest)
    if kind == kinds.SEIZE:
        return Action(kind, size=rest // pieces, piece=rest % pieces)
    if kind in (kinds.TORCH, kinds.DESTROY):
        return Action(kind, line=rest % lines, colour=rest // lines)
    if kind == kinds.PAY_LINE:
        return Action(kind, piece=rest // lines, line=rest % lines)
    return Action(kind, line=rest if kind in (kinds.BUILD, kinds.EXTINGUISH, kinds.TERM_DESTROY, kinds.TERM_UNTORCH) else NOBODY)


def number(law: Any, made: Action) -> int:
    """The action number of the parts: the reverse of `split`."""
    kind, pillars, lines, seats = made.kind, int(law.pillars), int(law.lines), int(law.seats)
    rest = {
        kinds.FIRST: made.colour,
        kinds.WALK: made.size * pillars + made.pillar,
        kinds.CROSS: (made.size * pillars + made.pillar) * seats + made.colour,
        kinds.TAKE: made.piece,
        kinds.PAY: made.piece,
        kinds.SEIZE: made.size * 3 * seats + made.piece,
        kinds.TORCH: made.colour * lines + made.line,
        kinds.DESTROY: made.colour * lines + made.line,
        kinds.PAY_LINE: made.piece * lines + made.line,
    }.get(kind, max(made.line, 0))
    return int(law.first_of[kind]) + rest


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


def size_of(text: str) -> int:
    """The size number of L, M or S. Errors: NotationError."""
    if len(text) != 1 or text not in SIZES:
        raise NotationError("burning_bridges:error.piece_l_m_s_got", "action", text=repr(text))
    return SIZES.index(text)


def piece_of(game: Game, text: str) -> int:
    """The number of a piece written like bM. Errors: NotationError."""
    if len(text) != 2:
        raise NotationError("burning_bridges:error.piece_like_bm_got", "action", text=repr(text))
    return 3 * family_of(game, text[0]) + size_of(text[1])


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
