"""The words of Burning Bridges: notation, facts, log sentences, prompts and refusals."""

# mypy: allow-untyped-calls

from __future__ import annotations

from typing import Any

from bridgehead.core.caching import kept
from bridgehead.core.clauses import Refusal, RefusalCode
from bridgehead.core.errors import NotationError
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, joined, phrase
from bridgehead.core.position import Position
from bridgehead.games.burning_bridges import actions
from bridgehead.games.burning_bridges.accessors import bridge_number, bridge_states, bridges_in, safe_turns
from bridgehead.games.burning_bridges.actions import Action, split
from bridgehead.games.burning_bridges.board import SIZES
from bridgehead.games.burning_bridges.bridges import has_bridge
from bridgehead.games.burning_bridges.names import family_name, family_of, line_of, piece_name, piece_of, pillar_of, size_of
from bridgehead.games.burning_bridges.refusals import No
from bridgehead.games.burning_bridges.rules import REASONS
from bridgehead.games.burning_bridges.state import (
    DRAW,
    ENDED,
    MOVES,
    NOBODY,
    PHASES,
    RIDING,
    TAKING,
    TERM_IS_CHOICE,
    TERM_IS_DESTROY,
    TERM_IS_NONE,
    TERM_IS_UNTORCH,
    TERMS,
    UNNAMED,
    L,
    M,
    S,
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
    """The action of a text, legal or not. Errors: NotationError."""
    game, words = position.game, text.split(" ")
    readers = {"seat": _seat_of, "size": size_of, "pillar": pillar_of, "colour": family_of, "piece": piece_of, "line": line_of}
    found = actions.actions_of(game.law).read(text, lambda part, word: readers[part](game, word))
    if found is not None:
        return found
    if words[0] == "pay" and len(words) == 3:
        raise NotationError("burning_bridges:error.captor_picks_torch_here_pay", "action")
    shapes = [kind.text.translate(PLAIN) for kind in actions.KINDS if kind.text.split(" ")[0] == words[0]]
    raise NotationError("burning_bridges:error.got_2", "action", shapes=joined("or", shapes or ["walk L R1"]), text=repr(text))


def _seat_of(game: Game, word: str) -> int:
    if word not in [str(seat + 1) for seat in range(game.seats)]:
        raise NotationError("burning_bridges:error.seat_from_1_got", "action", seats=game.seats, word=repr(word))
    return int(word) - 1


def term_text(game: Game, term: int) -> str:
    """A stored term as in its action's text, without the word `term`."""
    if term >= TERM_IS_UNTORCH:
        return f"untorch {game.board.line_name(term - TERM_IS_UNTORCH)}"
    if term >= TERM_IS_DESTROY:
        return f"destroy {game.board.line_name(term - TERM_IS_DESTROY)}"
    return {TERM_IS_NONE: "none", TERM_IS_CHOICE: "untorch"}[term]


def facts(position: Position) -> dict[str, Any]:
    """The public facts of a position (docs/lookup/notation.md)."""
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


# -- log sentences and prompts -----------------------------------------------------------------------------------------


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


def listed(phrases: list[Phrase]) -> Phrase | str:
    """Several names as one: `a, b and c`."""
    if len(phrases) < 2:
        return phrases[0] if phrases else ""
    both = phrase("list.and", one=phrases[-2], other=phrases[-1])
    for each in reversed(phrases[:-2]):
        both = phrase("list.more", one=each, other=both)
    return both


def say(position: Position, action: int) -> Phrase:
    """The log sentence of a legal action, with the bridges that collapse."""
    sentence = _said(position, split(position.game.law, action))
    fallen = _collapsed(position, action)
    if not fallen:
        return sentence
    return phrase("say.also", said=sentence, more=phrase("say.collapse", bridges=listed(fallen), n=len(fallen)))


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
    """The names in an action: an opponent's piece and its family, a pillar, a line, a colour."""
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
    """The hostages of the captor that names its terms now."""
    return [p for p in _held_by(position, int(position.state.mover)) if p // 3 == position.state.turn]


def _collapsed(position: Position, action: int) -> list[Phrase]:
    """The bridges that collapse because the action ends the turn."""
    after, board = position.play(action), position.game.board
    if after.turn == position.turn:
        return []
    removed = _removed(position, split(position.game.law, action))
    gone = bridges_in([old & ~new for old, new in zip(position.state.bridge, after.state.bridge, strict=True)])
    fallen = [divmod(bridge, int(position.game.law.lines)) for bridge in gone]
    return [phrase("bridge", line=board.line_name(line), seat=family(c)) for c, line in fallen if (line, c) != removed]


def _removed(position: Position, made: Action) -> tuple[int, int]:
    """The bridge that the action itself removes, as (line, colour)."""
    if made.kind == actions.DESTROY:
        return made.line, made.colour
    if made.kind == actions.PAY and TERM_IS_DESTROY <= position.state.term[made.piece] < TERM_IS_UNTORCH:
        return int(position.state.term[made.piece]) - TERM_IS_DESTROY, int(position.state.turn)
    return NOBODY, NOBODY


def prompt(position: Position) -> Phrase:
    """The prompt: the seat that decides, and its decision."""
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


# -- refusals ----------------------------------------------------------------------------------------------------------


CHILD = (No.CHILD_AT_BASE, No.HOSTAGE_DESTROYS)
PARENTS = (No.PARENTS_AT_ENDS, No.HOSTAGE_BUILDS, No.PARENT_AT_END)


def explain(position: Position, action: int) -> Refusal | None:
    """The refusal of an action; None exactly when the action is legal."""
    no = position.refusal(action)
    if no == No.OK:
        return None
    if position.state.phase in (DRAW, ENDED):
        return no.because()
    made = split(position.game.law, action)
    return no.because(_show(position, made, no), **_parameters(position, made))


def _moving(position: Position, made: Action) -> int:
    """The acting family's piece that the action moves, or NOBODY."""
    if made.size != NOBODY:
        return 3 * int(position.state.turn) + made.size
    return NOBODY if position.state.phase == TERMS else int(position.state.mover)


def _parameters(position: Position, made: Action) -> dict[str, object]:
    """All parameters that a sentence may use."""
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
    """Captors and hostages in situations of the family on turn."""
    state, turn = position.state, int(position.state.turn)
    pairs = [(number, int(captor)) for number, captor in enumerate(state.captor) if captor != NOBODY]
    return [number for pair in pairs if turn in (pair[0] // 3, pair[1] // 3) for number in pair]
