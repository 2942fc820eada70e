"""Actions as texts, and what is on the table as plain data. The sentences are made in sentences.py and explain.py."""

# mypy: allow-untyped-calls

from __future__ import annotations

from typing import Any

from bridgehead.core.caching import kept
from bridgehead.core.errors import NotationError
from bridgehead.core.game import Game
from bridgehead.core.position import Position
from bridgehead.games.burning_bridges import actions
from bridgehead.games.burning_bridges.accessors import bridge_states, safe_turns
from bridgehead.games.burning_bridges.board import SIZES
from bridgehead.games.burning_bridges.explain import explain as explain
from bridgehead.games.burning_bridges.names import (
    family_name,
    family_of,
    line_of,
    piece_name,
    piece_of,
    pillar_of,
    size_of,
)
from bridgehead.games.burning_bridges.sentences import prompt as prompt
from bridgehead.games.burning_bridges.sentences import say as say
from bridgehead.games.burning_bridges.state import (
    NOBODY,
    PHASES,
    TERM_IS_CHOICE,
    TERM_IS_DESTROY,
    TERM_IS_NONE,
    TERM_IS_UNTORCH,
    UNNAMED,
)

PLAIN = str.maketrans("", "", "{}")


def name(position: Position, action: int) -> str:
    """The action's text in notation."""
    return _named(position.game, action)


@kept
def _named(game: Game, action: int) -> str:
    def named(part: str, value: int) -> str:
        if part in ("pillar", "line"):
            return game.board.pillars[value] if part == "pillar" else str(game.board.line_name(value))
        if part in ("size", "piece"):
            return SIZES[value] if part == "size" else piece_name(value)
        return family_name(value) if part == "colour" else str(value + 1)

    return actions.actions_of(game.law).name(action, named)


def read(position: Position, text: str) -> int:
    """The action a text names, legal or not. Errors: NotationError."""
    game, words = position.game, text.split(" ")
    readers = {"seat": _seat_of, "size": size_of, "pillar": pillar_of, "colour": family_of, "piece": piece_of, "line": line_of}
    found = actions.actions_of(game.law).read(text, lambda part, word: readers[part](game, word))
    if found is not None:
        return found
    if words[0] == "pay" and len(words) == 3:
        raise NotationError("the captor picks the torch here: pay BM, without a line", "action")
    shapes = [kind.text.translate(PLAIN) for kind in actions.KINDS if kind.text.split(" ")[0] == words[0]]
    raise NotationError(f"expected {' or '.join(shapes) or 'an action like walk L R1'}, got {text!r}", "action")


def _seat_of(game: Game, word: str) -> int:
    if word not in [str(seat + 1) for seat in range(game.seats)]:
        raise NotationError(f"expected a seat from 1 to {game.seats}, got {word!r}", "action")
    return int(word) - 1


def term_text(game: Game, term: int) -> str:
    """A stored term as in its action's text, without the word `term`."""
    if term >= TERM_IS_UNTORCH:
        return f"untorch {game.board.line_name(term - TERM_IS_UNTORCH)}"
    if term >= TERM_IS_DESTROY:
        return f"destroy {game.board.line_name(term - TERM_IS_DESTROY)}"
    return {TERM_IS_NONE: "none", TERM_IS_CHOICE: "untorch"}[term]


def facts(position: Position) -> dict[str, Any]:
    """What is on the table (docs/lookup/notation.md)."""
    game, state = position.game, position.state
    pieces, board = range(3 * game.seats), game.board
    at = [(int(state.pos[piece]), int(state.captor[piece])) for piece in pieces]
    return {
        "pieces": {
            piece_name(p): [board.pillars[at[p][0]], None if at[p][1] == NOBODY else piece_name(at[p][1])] for p in pieces
        },
        "bridges": {
            f"{board.line_name(line)} {family_name(colour)}": [burning, idle, used]
            for (line, colour), (burning, idle, used) in bridge_states(position).items()
        },
        "immune": {f"{family_name(family)}>{piece_name(piece)}": left for (family, piece), left in safe_turns(position).items()},
        "terms": {piece_name(p): term_text(game, int(state.term[p])) for p in pieces if state.term[p] != UNNAMED},
        "moves": int(state.moves),
        "round": int(state.rounds),
        "turn": None if state.turn == NOBODY else int(state.turn),
        "phase": PHASES[int(state.phase)],
    }
