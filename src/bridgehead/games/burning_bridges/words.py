"""Actions as texts, and what is on the table as plain data. The sentences are made in sentences.py and explain.py."""

# mypy: allow-untyped-calls

from __future__ import annotations

from typing import Any

from bridgehead.core.caching import kept
from bridgehead.core.errors import NotationError
from bridgehead.core.game import Game
from bridgehead.core.position import Position
from bridgehead.games.burning_bridges import kinds
from bridgehead.games.burning_bridges.accessors import bridges_in, idle_turns, is_burning, is_used, safe_turns
from bridgehead.games.burning_bridges.board import SIZES
from bridgehead.games.burning_bridges.explain import explain as explain
from bridgehead.games.burning_bridges.names import (
    Action,
    family_name,
    family_of,
    line_of,
    number,
    piece_name,
    piece_of,
    pillar_of,
    size_of,
    split,
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

# Each kind's words and the parts that follow them.
SHAPES: dict[int, tuple[str, tuple[str, ...]]] = {
    kinds.FIRST: ("first", ("number",)),
    kinds.WALK: ("walk", ("size", "pillar")),
    kinds.CROSS: ("cross", ("size", "pillar", "colour")),
    kinds.TAKE: ("take", ("piece",)),
    kinds.DONE: ("done", ()),
    kinds.SEIZE: ("seize", ("size", "piece")),
    kinds.BUILD: ("build", ("line",)),
    kinds.TORCH: ("torch", ("line", "colour")),
    kinds.DESTROY: ("destroy", ("line", "colour")),
    kinds.EXTINGUISH: ("extinguish", ("line",)),
    kinds.PAY: ("pay", ("piece",)),
    kinds.PAY_LINE: ("pay", ("piece", "line")),
    kinds.END: ("end", ()),
    kinds.TERM_DESTROY: ("term destroy", ("line",)),
    kinds.TERM_UNTORCH: ("term untorch", ("line",)),
    kinds.TERM_CHOICE: ("term untorch", ()),
    kinds.TERM_NONE: ("term none", ()),
}


def name(position: Position, action: int) -> str:
    """The action's text in notation."""
    return _named(position.game, action)


@kept
def _named(game: Game, action: int) -> str:
    made = split(game.law, action)
    words, parts = SHAPES[made.kind]
    told = {
        "number": str(made.colour + 1),
        "size": SIZES[made.size],
        "pillar": game.board.pillars[made.pillar],
        "colour": family_name(made.colour),
        "piece": piece_name(made.piece),
        "line": game.board.line_name(made.line),
    }
    return " ".join([words, *(told[part] for part in parts)])


def read(position: Position, text: str) -> int:
    """The action a text names, legal or not. Errors: NotationError."""
    game, words = position.game, text.split(" ")
    for kind, (head, parts) in SHAPES.items():
        verb = head.split(" ")
        if words[: len(verb)] == verb and len(words) == len(verb) + len(parts):
            if kind == kinds.PAY_LINE and not game.law.hostage_picks_torch:
                raise NotationError("the captor picks the torch here: pay BM, without a line", "action")
            made = {
                key: value for part, word in zip(parts, words[len(verb) :], strict=True) for key, value in _part(game, part, word)
            }
            return number(game.law, Action(kind, **made))
    shapes = [" ".join([head, *parts]) for head, parts in SHAPES.values() if head.split(" ")[0] == words[0]]
    raise NotationError(f"expected {' or '.join(shapes) or 'an action like walk L R1'}, got {text!r}", "action")


def _part(game: Game, part: str, word: str) -> list[tuple[str, int]]:
    if part == "number":
        if word not in [str(seat + 1) for seat in range(game.seats)]:
            raise NotationError(f"expected a seat from 1 to {game.seats}, got {word!r}", "action")
        return [("colour", int(word) - 1)]
    if part == "size":
        return [("size", size_of(word))]
    reader = {"pillar": pillar_of, "colour": family_of, "piece": piece_of, "line": line_of}[part]
    return [(part, reader(game, word))]


def term_text(game: Game, term: int) -> str:
    """A stored term as in its action's text, without the word `term`."""
    if term >= TERM_IS_UNTORCH:
        return f"untorch {game.board.line_name(term - TERM_IS_UNTORCH)}"
    if term >= TERM_IS_DESTROY:
        return f"destroy {game.board.line_name(term - TERM_IS_DESTROY)}"
    return {TERM_IS_NONE: "none", TERM_IS_CHOICE: "untorch"}[term]


def bridges(position: Position) -> list[tuple[int, int]]:
    """Every bridge as (line, colour), by line."""
    colours_and_lines = (divmod(bridge, int(position.game.law.lines)) for bridge in bridges_in(position.state.bridge))
    return sorted((line, colour) for colour, line in colours_and_lines)


def facts(position: Position) -> dict[str, Any]:
    """What is on the table (docs/notation.md)."""
    game, state = position.game, position.state
    pieces, board = range(3 * game.seats), game.board
    at = [(int(state.pos[piece]), int(state.captor[piece])) for piece in pieces]
    return {
        "pieces": {
            piece_name(p): [board.pillars[at[p][0]], None if at[p][1] == NOBODY else piece_name(at[p][1])] for p in pieces
        },
        "bridges": {
            f"{board.line_name(line)} {family_name(colour)}": [
                is_burning(position, line, colour),
                idle_turns(position, line, colour),
                is_used(position, line, colour),
            ]
            for line, colour in bridges(position)
        },
        "immune": {
            f"{family_name(family)}>{piece_name(piece)}": left
            for family in range(game.seats)
            for piece in pieces
            if (left := safe_turns(position, family, piece))
        },
        "terms": {piece_name(p): term_text(game, int(state.term[p])) for p in pieces if state.term[p] != UNNAMED},
        "moves": int(state.moves),
        "round": int(state.rounds),
        "turn": None if state.turn == NOBODY else int(state.turn),
        "phase": PHASES[int(state.phase)],
    }
