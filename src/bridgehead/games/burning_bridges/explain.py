"""Why an action is refused: the clause, a sentence with the names concerned, and what to show."""

# mypy: allow-untyped-calls

from __future__ import annotations

from bridgehead.core.clauses import Refusal, RefusalCode
from bridgehead.core.position import Position
from bridgehead.games.burning_bridges import actions
from bridgehead.games.burning_bridges.accessors import bridge_number, safe_turns
from bridgehead.games.burning_bridges.actions import Action, split
from bridgehead.games.burning_bridges.bridges import has_bridge
from bridgehead.games.burning_bridges.names import family_name, piece_name
from bridgehead.games.burning_bridges.refusals import No
from bridgehead.games.burning_bridges.sentences import family, named, piece
from bridgehead.games.burning_bridges.state import DRAW, ENDED, NOBODY, TERMS, L, M, S

CHILD = (No.CHILD_AT_BASE, No.HOSTAGE_DESTROYS)
PARENTS = (No.PARENTS_AT_ENDS, No.HOSTAGE_BUILDS, No.PARENT_AT_END)


def explain(position: Position, action: int) -> Refusal | None:
    """Why the action is not legal; None exactly when it is."""
    no = position.refusal(action)
    if no == No.OK:
        return None
    if position.state.phase in (DRAW, ENDED):
        return no.because()
    made = split(position.game.law, action)
    return no.because(_show(position, made, no), **_names(position, made))


def _moving(position: Position, made: Action) -> int:
    """The acting family's piece that the action is about, or NOBODY."""
    if made.size != NOBODY:
        return 3 * int(position.state.turn) + made.size
    return NOBODY if position.state.phase == TERMS else int(position.state.mover)


def _names(position: Position, made: Action) -> dict[str, object]:
    """Everything a sentence may name: a sentence uses what it needs."""
    game, state = position.game, position.state
    moving, actor, turn = _moving(position, made), position.actor, int(state.turn)
    names = {"seat": family(actor), "turn": family(turn), "most": int(game.law.most_bridges), **named(position, made)}
    for part, number in (("child", 3 * turn + S), ("large", 3 * turn + L), ("medium", 3 * turn + M)):
        names[part] = piece(number)
    if moving != NOBODY:
        names["piece"], names["here"] = piece(moving), game.board.pillars[int(state.pos[moving])]
    if made.piece != NOBODY:
        names["n"] = safe_turns(position).get((turn, made.piece), 0)
    return names


def _show(position: Position, made: Action, no: RefusalCode) -> tuple[str, ...]:
    """Ids of the things concerned: pieces, pillars, a bridge."""
    game, state = position.game, position.state
    pillars, turn = game.board.pillars, int(state.turn)
    pieces = [number for number in (_moving(position, made), made.piece) if number != NOBODY and made.kind != actions.DONE]
    pieces += [3 * turn + S] if no in CHILD else [3 * turn + L, 3 * turn + M] if no in PARENTS else []
    if no in (No.FAMILY_IN_SITUATION, No.PIECE_IN_SITUATION):
        pieces += _situation(position)
    shown = [f"p:{piece_name(number)}" for number in pieces]
    if made.pillar != NOBODY:
        shown.append(f"f:{pillars[made.pillar]}")
    if made.line != NOBODY:
        shown += [f"f:{pillars[end]}" for end in game.board.lines[made.line]]
        for colour in range(game.seats) if made.colour == NOBODY else (made.colour,):
            if has_bridge(position.read_only, bridge_number(game.law, made.line, colour)):
                shown.append(f"b:{game.board.line_name(made.line)}:{family_name(colour)}")
    return tuple(dict.fromkeys(shown))


def _situation(position: Position) -> list[int]:
    """Captors and hostages that involve the family whose turn it is."""
    state, turn = position.state, int(position.state.turn)
    pairs = [(number, int(captor)) for number, captor in enumerate(state.captor) if captor != NOBODY]
    return [number for pair in pairs if turn in (pair[0] // 3, pair[1] // 3) for number in pair]
