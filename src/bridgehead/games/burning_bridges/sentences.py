"""What the log says of an action, and what the table is asked to do."""

from __future__ import annotations

from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.games.burning_bridges import actions
from bridgehead.games.burning_bridges.accessors import bridges_in
from bridgehead.games.burning_bridges.actions import Action, split
from bridgehead.games.burning_bridges.names import family_name
from bridgehead.games.burning_bridges.rules import REASONS
from bridgehead.games.burning_bridges.state import (
    DRAW,
    ENDED,
    MOVES,
    NOBODY,
    RIDING,
    TAKING,
    TERM_IS_DESTROY,
    TERM_IS_UNTORCH,
    TERMS,
    UNNAMED,
)

SAID = {
    actions.WALK: "say.walk",
    actions.CROSS: "say.cross",
    actions.TAKE: "say.take",
    actions.SEIZE: "say.take",
    actions.BUILD: "say.build",
    actions.TORCH: "say.torch",
    actions.DESTROY: "say.destroy",
    actions.EXTINGUISH: "say.extinguish",
    actions.END: "say.end",
    actions.TERM_DESTROY: "say.term.destroy",
    actions.TERM_UNTORCH: "say.term.untorch",
    actions.TERM_CHOICE: "say.term.choice",
    actions.TERM_NONE: "say.term.none",
    actions.PAY_LINE: "say.pay.untorch",
}


def family(seat: int) -> Phrase:
    """A family by its seat."""
    return phrase(f"seat.{family_name(seat)}")


def piece(number: int) -> Phrase:
    """A piece by its size and family."""
    return phrase(f"piece.{'LMS'[number % 3]}", seat=family(number // 3))


def listed(said: list[Phrase]) -> Phrase | str:
    """Several names as one: `a, b and c`."""
    if len(said) < 2:
        return said[0] if said else ""
    both = phrase("list.and", one=said[-2], other=said[-1])
    for each in reversed(said[:-2]):
        both = phrase("list.more", one=each, other=both)
    return both


def say(position: Position, action: int) -> Phrase:
    """The log's phrase for a legal action, with the bridges that collapse by it."""
    said = _said(position, split(position.game.law, action))
    fallen = _collapsed(position, action)
    return phrase("say.also", said=said, more=phrase("say.collapse", bridges=listed(fallen), n=len(fallen))) if fallen else said


def _said(position: Position, made: Action) -> Phrase:
    if made.kind == actions.FIRST:
        return phrase("first.drawn", seat=family(made.seat))
    if made.kind == actions.DONE:
        return phrase("say.done.ride" if position.state.phase == RIDING else "say.done.take", seat=family(position.actor))
    names = _names(position, made)
    if made.kind == actions.PAY:
        term = int(position.state.term[made.piece])
        line = term - (TERM_IS_UNTORCH if term >= TERM_IS_UNTORCH else TERM_IS_DESTROY)
        if line < 0:
            return phrase("say.pay.none", **names)
        names["line"] = position.game.board.line_name(line)
        return phrase("say.pay.untorch" if term >= TERM_IS_UNTORCH else "say.pay.destroy", **names)
    key = SAID[made.kind]
    leaves = made.kind in (actions.WALK, actions.CROSS) and _held_by(position, 3 * int(position.state.turn) + made.size)
    return phrase(f"{key}.off", **names, freed=listed([piece(p) for p in leaves])) if leaves else phrase(key, **names)


def _names(position: Position, made: Action) -> dict[str, object]:
    state, turn = position.state, int(position.state.turn)
    moving = 3 * turn + made.size if made.size != NOBODY else int(state.mover)
    names = {"seat": family(position.actor), "turn": family(turn), "child": piece(3 * turn + 2), **named(position, made)}
    if moving != NOBODY:
        names["piece"] = piece(moving)
    if made.piece != NOBODY:
        names["freed"] = listed([piece(p) for p in _held_by(position, made.piece) if p // 3 == turn])
    if state.phase == TERMS:
        names["freed"] = listed([piece(p) for p in _waiting(position)])
    return names


def named(position: Position, made: Action) -> dict[str, object]:
    """What an action names itself: another's piece and its family, a pillar, a line, a colour."""
    game = position.game
    names: dict[str, object] = {}
    if made.piece != NOBODY:
        names["other"], names["owner"] = piece(made.piece), family(made.piece // 3)
    if made.pillar != NOBODY:
        names["pillar"] = game.board.pillars[made.pillar]
    if made.line != NOBODY:
        names["line"] = game.board.line_name(made.line)
    if made.colour != NOBODY:
        names["colour"] = family(made.colour)
    return names


def _held_by(position: Position, captor: int) -> list[int]:
    return [number for number, holder in enumerate(position.state.captor) if holder == captor]


def _waiting(position: Position) -> list[int]:
    """The pieces whose terms are named next."""
    return [p for p in _held_by(position, int(position.state.mover)) if p // 3 == position.state.turn]


def _collapsed(position: Position, action: int) -> list[Phrase]:
    """The bridges that stood unused for too long when the action ended the turn."""
    after, board = position.play(action), position.game.board
    if after.turn == position.turn:
        return []
    removed = _removed(position, split(position.game.law, action))
    gone = bridges_in([old & ~new for old, new in zip(position.state.bridge, after.state.bridge, strict=True)])
    fallen = [divmod(bridge, int(position.game.law.lines)) for bridge in gone]
    return [phrase("bridge", line=board.line_name(line), seat=family(c)) for c, line in fallen if (line, c) != removed]


def _removed(position: Position, made: Action) -> tuple[int, int]:
    """The bridge that the action itself takes away, as (line, colour)."""
    if made.kind == actions.DESTROY:
        return made.line, made.colour
    if made.kind == actions.PAY and TERM_IS_DESTROY <= position.state.term[made.piece] < TERM_IS_UNTORCH:
        return int(position.state.term[made.piece]) - TERM_IS_DESTROY, int(position.state.turn)
    return NOBODY, NOBODY


def prompt(position: Position) -> Phrase:
    """Whose decision it is, and what it is."""
    state, phase = position.state, int(position.state.phase)
    if phase == DRAW:
        return phrase("prompt.first")
    if phase == ENDED:
        if state.winner == NOBODY:
            return phrase("prompt.draw")
        return phrase(f"prompt.won.{REASONS[int(state.reason)][0]}", seat=family(int(state.winner)))
    names = {"seat": family(position.actor), "turn": family(int(state.turn)), "n": int(state.moves)}
    if phase == TERMS:
        return phrase("prompt.terms", **names, hostages=listed([piece(p) for p in _waiting(position)]))
    if phase == MOVES:
        return phrase("prompt.pay" if any(state.term != UNNAMED) else "prompt.moves", **names)
    here = position.game.board.pillars[int(state.pos[state.mover])]
    key = "prompt.take" if phase == TAKING and state.taken == 0 else "prompt.take.more" if phase == TAKING else "prompt.ride"
    return phrase(key, **names, piece=piece(int(state.mover)), pillar=here)
