"""Touch control of Burning Bridges: the path of touches of each action, and the action of each path.

First a piece, then its target: a pillar to move to, an opponent on its own pillar to seize, a burning bridge for the child to
destroy. Moves of the whole family begin with a button. Terms are named by touching their bridge.
"""

from __future__ import annotations

from typing import NamedTuple

from bridgehead.core.errors import NotationError
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Choice
from bridgehead.games.burning_bridges import actions
from bridgehead.games.burning_bridges.accessors import bridge_number
from bridgehead.games.burning_bridges.actions import Action, number, split
from bridgehead.games.burning_bridges.bridges import has_bridge, is_burning
from bridgehead.games.burning_bridges.items import bridge_id
from bridgehead.games.burning_bridges.names import family_of, line_of, piece_name, piece_of, pillar_of
from bridgehead.games.burning_bridges.state import (
    NOBODY,
    RIDING,
    TAKING,
    TERM_IS_CHOICE,
    TERM_IS_DESTROY,
    TERM_IS_UNTORCH,
    TERMS,
    UNNAMED,
    S,
)
from bridgehead.games.burning_bridges.words import family, listed
from bridgehead.games.burning_bridges.words import piece as named

TAKING_KINDS = (actions.TAKE, actions.SEIZE)
DESTROYING = (actions.DESTROY, actions.TERM_DESTROY)


def buttons(position: Position, language: str) -> dict[str, str]:
    """The buttons of the phase under these house rules, in a fixed order; the end of the turn is always last."""
    options, phase = position.game.options, position.state.phase
    if phase == TERMS:
        names = [*(["term-untorch"] if options.untorch_choice == "hostage" else []), "term-none", "end"]
    elif phase in (TAKING, RIDING):
        names = ["done", "end"]
    else:
        names = ["build", "torch", *(["extinguish"] if options.owner_extinguish else []), "pay", "end"]
    return {f"!{name}": position.game.words.tell(phrase(f"scene.button.{name}"), language) for name in names}


# -- legal actions ---------------------------------------------------------------------------------------------------


def choices(position: Position, language: str) -> tuple[Choice, ...]:
    """Every legal action with its path and its label."""
    return tuple(_choice(position, action, language) for action in position.legal)


def _choice(position: Position, action: int, language: str) -> Choice:
    made, tell = split(position.game.law, action), position.game.words.tell
    steps = path(position, made)
    kind, notes = _consequence(position, action, made)
    if all(step.startswith("!") for step in steps):
        kind = "button"
    label = tell(label_of(position, made), language)
    note = ", ".join(tell(note, language) for note in notes)
    is_term = made.kind in (actions.TERM_DESTROY, actions.TERM_UNTORCH)
    return Choice(action, position.name(action), label, steps, kind, note, _is_default(position, made), confirm=is_term)


def path(position: Position, made: Action) -> tuple[str, ...]:
    """The things to touch for an action, in order."""
    turn = int(position.state.turn)
    if made.kind in (actions.WALK, actions.CROSS):
        return _piece_id(3 * turn + made.size), f"f:{position.game.board.pillars[made.pillar]}"
    if made.kind == actions.SEIZE:
        return _piece_id(3 * turn + made.size), _piece_id(made.piece)
    if made.kind == actions.TAKE:
        return (_piece_id(made.piece),)
    if made.kind == actions.TORCH:
        return "!torch", bridge_id(position.game, made.line, made.colour)
    if made.kind == actions.EXTINGUISH:
        return "!extinguish", bridge_id(position.game, made.line, turn)
    if made.kind == actions.DESTROY:
        there = bridge_id(position.game, made.line, made.colour)
        return (there,) if position.state.phase == RIDING else (_piece_id(3 * turn + S), there)
    if made.kind in (actions.PAY, actions.PAY_LINE):
        return _payment_path(position, made)
    if made.kind == actions.TERM_DESTROY:
        return (bridge_id(position.game, made.line, turn),)
    if made.kind == actions.TERM_UNTORCH:
        return (bridge_id(position.game, made.line, position.actor),)
    button = {
        actions.FIRST: "!first",
        actions.BUILD: "!build",
        actions.DONE: "!done",
        actions.END: "!end",
        actions.TERM_CHOICE: "!term-untorch",
        actions.TERM_NONE: "!term-none",
    }
    return (button[made.kind],)


def _piece_id(piece: int) -> str:
    return f"p:{piece_name(piece)}"


def _payment_path(position: Position, made: Action) -> tuple[str, ...]:
    """The button, the captor if several wait for payment, and the bridge if the payer picks the torch."""
    several = len(creditors(position)) > 1
    captor = (_piece_id(made.piece),) if several else ()
    bridge = (bridge_id(position.game, made.line, made.piece // 3),) if made.kind == actions.PAY_LINE else ()
    return ("!pay", *captor, *bridge)


def creditors(position: Position) -> list[int]:
    """The captors with named and unpaid terms."""
    return [piece for piece in range(3 * position.game.seats) if position.state.term[piece] != UNNAMED]


def short(piece: int) -> Phrase:
    """A piece by the letters of its family and its size."""
    return phrase("scene.short", seat=family(piece // 3), size="LMS"[piece % 3])


def label_of(position: Position, made: Action) -> Phrase:
    """A short line for an action."""
    game, state = position.game, position.state
    names: dict[str, object] = {}
    if made.size != NOBODY:
        names["me"] = "LMS"[made.size]
    if made.pillar != NOBODY:
        names["pillar"] = game.board.pillars[made.pillar]
    if made.piece != NOBODY:
        names["other"] = short(made.piece)
    if made.line != NOBODY:
        names["line"] = game.board.line_name(made.line)
    if (colour := max(made.colour, made.seat)) != NOBODY:
        names["colour"] = family(colour)
    if made.kind == actions.PAY:
        term = int(state.term[made.piece])
        key = "untorch" if term >= TERM_IS_UNTORCH else "destroy" if term >= TERM_IS_DESTROY else "none"
        if key != "none":
            line = term - (TERM_IS_UNTORCH if key == "untorch" else TERM_IS_DESTROY)
            names["line"] = game.board.line_name(line)
        return phrase(f"scene.pay.{key}", **names)
    if made.kind == actions.DONE:
        key = "ride" if state.phase == RIDING else "more" if state.taken else "take"
        return phrase(f"scene.done.{key}")
    return phrase(LABELS[made.kind], **names)


LABELS = {
    actions.FIRST: "scene.first",
    actions.WALK: "scene.walk",
    actions.CROSS: "scene.cross",
    actions.TAKE: "scene.take",
    actions.SEIZE: "scene.seize",
    actions.BUILD: "scene.build",
    actions.TORCH: "scene.torch",
    actions.DESTROY: "scene.destroy",
    actions.EXTINGUISH: "scene.extinguish",
    actions.PAY_LINE: "scene.pay.untorch",
    actions.END: "scene.end",
    actions.TERM_DESTROY: "scene.term.destroy",
    actions.TERM_UNTORCH: "scene.term.untorch",
    actions.TERM_CHOICE: "scene.term.choice",
    actions.TERM_NONE: "scene.term.none",
}


def _consequence(position: Position, action: int, made: Action) -> tuple[str, list[Phrase]]:
    """The mark of an action's target, and notes about its effects, found by playing it."""
    if made.kind in TAKING_KINDS or made.kind in DESTROYING:
        return "take", []
    if made.kind not in (actions.WALK, actions.CROSS):
        return "go", []
    after, moving = position.play(action), 3 * int(position.state.turn) + made.size
    freed = [piece for piece in range(3 * position.game.seats) if position.state.captor[piece] == moving]
    notes = [phrase("scene.note.frees", freed=listed([named(piece) for piece in freed]))] if freed else []
    if after.outcome and after.outcome.winners:
        winner = after.outcome.winners[0]
        notes.append(phrase("scene.note.wins") if winner == position.actor else phrase("scene.note.loses", seat=family(winner)))
    elif after.state.phase == TAKING:
        return "take", [*notes, phrase("scene.note.take")]
    elif after.state.phase == RIDING:
        notes.append(phrase("scene.note.ride"))
    return "go", notes


def _is_default(position: Position, made: Action) -> bool:
    """Whether this is the default along a line: to cross an own bridge if there is one, else to walk (BBQ-4)."""
    if made.kind not in (actions.WALK, actions.CROSS):
        return False
    return made.kind == actions.CROSS if _own_bridge(position, made) else made.kind == actions.WALK


def _own_bridge(position: Position, made: Action) -> bool:
    """Whether a bridge of the own colour lies where the move goes, and whether the move (if a crossing) is over it."""
    turn = int(position.state.turn)
    line = int(position.game.law.line_of[int(position.state.pos[3 * turn + made.size]), made.pillar])
    there = line != NOBODY and has_bridge(position.read_only, bridge_number(position.game.law, line, turn))
    return there and made.colour in (NOBODY, turn)


# -- what touches mean -----------------------------------------------------------------------------------------------


class Touched(NamedTuple):
    """The touched things by kind. line, colour: of the last bridge, NOBODY if there is none."""

    button: str = ""
    pieces: tuple[int, ...] = ()
    pillars: tuple[int, ...] = ()
    line: int = NOBODY
    colour: int = NOBODY


def touched(position: Position, touch: tuple[str, ...]) -> int | None:
    """The action meant by touching these things in this order, legal or not; None if there is none."""
    try:
        things = _things(position.game, touch)
    except NotationError:
        return None
    made = None if things is None or position.state.turn == NOBODY else _meaning(position, things)
    return None if made is None else number(position.game.law, made)


def _things(game: Game, touch: tuple[str, ...]) -> Touched | None:
    """Errors: NotationError for a name that the board does not have."""
    things = Touched()
    for each in touch:
        sort, _, name = each.partition(":")
        if each.startswith("!"):
            things = Touched(each)
        elif sort == "p":
            things = things._replace(pieces=(*things.pieces, piece_of(game, name)))
        elif sort == "f":
            things = things._replace(pillars=(*things.pillars, pillar_of(game, name)))
        elif sort == "b" and name.count(":") == 1:
            line, colour = name.split(":")
            things = things._replace(line=line_of(game, line), colour=family_of(game, colour))
        else:
            return None
    return things


def _meaning(position: Position, things: Touched) -> Action | None:
    if things.button:
        return _button_meaning(position, things)
    turn, phase = int(position.state.turn), position.state.phase
    own = next((piece for piece in things.pieces if piece // 3 == turn), NOBODY)
    if phase == TAKING and things.pieces:
        return Action(actions.TAKE, piece=things.pieces[-1])
    if phase == TERMS and things.line != NOBODY:
        return Action(actions.TERM_UNTORCH if things.colour == position.actor else actions.TERM_DESTROY, line=things.line)
    if things.line != NOBODY:
        return _bridge_meaning(position, things, own)
    if own != NOBODY:
        return _piece_meaning(position, things, own)
    return _lone_meaning(position, things)


def _button_meaning(position: Position, things: Touched) -> Action | None:
    turn, line = int(position.state.turn), things.line
    plain = {"!done": actions.DONE, "!end": actions.END, "!term-none": actions.TERM_NONE, "!term-untorch": actions.TERM_CHOICE}
    if things.button in plain:
        return Action(plain[things.button])
    if things.button == "!build":
        return Action(actions.BUILD, line=_building_line(position, things))
    if things.button == "!torch" and line != NOBODY:
        return Action(actions.TORCH, line=line, colour=things.colour)
    if things.button == "!extinguish" and line != NOBODY:
        return Action(actions.EXTINGUISH, line=line)
    if things.button == "!pay":
        waiting = [*things.pieces[-1:], *creditors(position)]
        piece = waiting[0] if waiting else 3 * ((turn + 1) % position.game.seats)
        if line != NOBODY and position.game.law.hostage_picks_torch:
            return Action(actions.PAY_LINE, piece=piece, line=line)
        if position.state.term[piece] != TERM_IS_CHOICE:
            return Action(actions.PAY, piece=piece)
    return None


def _building_line(position: Position, things: Touched) -> int:
    """The line between two touched pillars, else between the parents, else any line from the large parent."""
    law, turn = position.game.law, int(position.state.turn)
    large, medium = int(position.state.pos[3 * turn]), int(position.state.pos[3 * turn + 1])
    pairs = [things.pillars[-2:]] if len(things.pillars) > 1 else []
    lines = [int(law.line_of[one, other]) for one, other in [*pairs, (large, medium)]]
    return next((line for line in lines if line != NOBODY), int(law.line_to[large, 0]))


def _bridge_meaning(position: Position, things: Touched, own: int) -> Action:
    """The action on a bridge: a child destroys it, a parent crosses it; alone, it is torched, or destroyed if it burns."""
    turn, line, colour = int(position.state.turn), things.line, things.colour
    burns = is_burning(position.read_only, bridge_number(position.game.law, line, colour))
    if own != NOBODY and own % 3 != S:
        here, ends = int(position.state.pos[own]), position.game.board.lines[line]
        if here in ends:
            return Action(actions.CROSS, size=own % 3, pillar=ends[1] if ends[0] == here else ends[0], colour=colour)
    is_destroyed = (own != NOBODY and own % 3 == S) or position.state.phase == RIDING or (burns and colour != turn)
    return Action(actions.DESTROY if is_destroyed else actions.TORCH, line=line, colour=colour)


def _piece_meaning(position: Position, things: Touched, own: int) -> Action:
    """The action of an own piece: it moves to a pillar or an opponent elsewhere, and seizes an opponent on its own pillar."""
    state, law = position.state, position.game.law
    here, others = int(state.pos[own]), [piece for piece in things.pieces if piece != own]
    pillars = [*things.pillars, *(int(state.pos[piece]) for piece in others)]
    target = next((pillar for pillar in reversed(pillars) if pillar != here), NOBODY)
    if others and int(state.pos[others[-1]]) == here:
        return Action(actions.SEIZE, size=own % 3, piece=others[-1])
    if target == NOBODY:
        target = int(law.neighbour[here, 0])
    move = Action(actions.WALK, size=own % 3, pillar=target)
    if own % 3 == S or _own_bridge(position, move):
        return Action(actions.CROSS, size=own % 3, pillar=target, colour=int(state.turn))
    return move


def _lone_meaning(position: Position, things: Touched) -> Action | None:
    """The action on an opponent alone: the largest own piece on its pillar, else the large parent, seizes it."""
    if not things.pieces:
        return None
    state, turn, victim = position.state, int(position.state.turn), things.pieces[-1]
    sizes = [size for size in range(3) if state.pos[3 * turn + size] == state.pos[victim]]
    return Action(actions.SEIZE, size=sizes[0] if sizes else 0, piece=victim)
