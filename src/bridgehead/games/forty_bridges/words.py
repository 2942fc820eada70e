"""Notation, log sentences, prompts, reasons and facts of 40 Bridges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bridgehead.core.caching import by_action
from bridgehead.core.clauses import Refusal, RefusalCode
from bridgehead.core.errors import NotationError
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, join_phrases, phrase
from bridgehead.core.position import Position
from bridgehead.games.forty_bridges.board import FIELDS, Board
from bridgehead.games.forty_bridges.rules import (
    ACTIONS,
    FIRST,
    OPENING,
    OPENINGS,
    PASS,
    REASONS,
    SWAP,
    TAKE,
    Reason,
    fields_of,
    is_opening,
    may_swap,
    pending_victims,
)

# The parts of actions that are numbers, with the texts of their values.
NUMBERED = {part: {str(value + 1): value for value in range(size)} for part, size in (("seat", 2), ("opening", OPENINGS))}


@by_action
def name(game: Game, action: int) -> str:
    """`a1-b1`, `pass`, `take c3`, `first 1`, `opening 1`."""
    names = game.board.names
    return ACTIONS.name(action, lambda part, value: str(value + 1) if part in NUMBERED else names[value])


def read(position: Position, text: str) -> int:
    board: Board = position.game.board
    found = ACTIONS.read(text, lambda part, word: NUMBERED[part].get(word) if part in NUMBERED else board.field(word))
    if found is None or found >= position.game.action_count or (found == SWAP and not position.game.law.pie):
        raise NotationError("forty_bridges:error.like_a1_b1_pass_take", "action", text=repr(text[:40]))
    return found


def seat_phrase(seat: int) -> Phrase:
    """The name of a seat in sentences."""
    return phrase(f"seat.{'ab'[seat]}")


def field_phrase(game: Game, field: int) -> Phrase:
    """`square c3` or `octagon C3`: the two differ by more than a capital letter."""
    return phrase("square" if game.board.is_square(field) else "octagon", name=game.board.names[field])


def say(position: Position, action: int) -> Phrase:
    """The log sentence of an action and its consequences."""
    after = position.play(action)
    if FIRST <= action < SWAP:
        return _with_end(position, phrase("first.drawn", seat=seat_phrase(action - FIRST)), after)
    if action >= OPENING:
        return _with_end(position, _opening_phrase(position, action), after)
    seat = seat_phrase(position.actor)
    if action == SWAP:
        return _with_end(position, phrase("swapped", seat=seat), after)
    if action >= TAKE:
        return _with_end(position, phrase("took", seat=seat, field=position.game.board.names[action - TAKE]), after)
    if action == PASS:
        return _with_end(position, phrase("passed", seat=seat), after)
    names, start, end = position.game.board.names, action // FIELDS, action % FIELDS
    way = {"seat": seat, "start": names[start], "end": names[end]}
    stepped = int(position.game.law.step[start]) >> end & 1
    done = phrase("stepped", **way) if stepped else phrase("jumped", **way)
    taken, lost = losses(position, after)
    if taken:
        done = phrase("done.takes", done=done, seat=seat, n=len(taken), fields=", ".join(names[f] for f in taken))
    if lost:
        done = phrase("done.lost", done=done, seat=seat)
    if after.state.takes:
        done = phrase("done.choose", done=done, seat=seat, n=len(fields_of(_victims(after))))
    return _with_end(position, done, after)


def opening_moves(position: Position, action: int) -> list[tuple[int, int, int]]:
    """The moves of a drawn opening: seat, start and end of each (FBQ-29)."""
    first, drawn = int(position.state.seat), position.game.law.drawn
    moves = [int(drawn[first, action - OPENING, ply]) for ply in range(2)]
    return [(abs(first - ply), *divmod(move, FIELDS)) for ply, move in enumerate(moves)]


def _opening_phrase(position: Position, action: int) -> Phrase:
    names = position.game.board.names
    one, other = opening_moves(position, action)
    moves = {"start": names[one[1]], "end": names[one[2]], "start2": names[other[1]], "end2": names[other[2]]}
    return phrase("opening.drawn", seat=seat_phrase(one[0]), other=seat_phrase(other[0]), **moves)


def recap(moves: Sequence[tuple[Position, int]], viewer: int) -> Phrase | str:
    """A turn in a few words: the move, and the pieces that left the board."""
    return join_phrases("recap.list", [part for position, action in moves for part in _recap(position, action, viewer)])


def _recap(position: Position, action: int, viewer: int) -> list[Phrase]:
    names = position.game.board.names
    if action >= FIRST:
        return [phrase("recap.swapped")] if action == SWAP else []
    yours = ".you" if viewer == 1 - position.actor else ""
    if action >= TAKE:
        return [phrase(f"recap.took{yours}", n=1, fields=names[action - TAKE])]
    if action == PASS:
        return [phrase("recap.passed")]
    found = [phrase("recap.moved", start=names[action // FIELDS], end=names[action % FIELDS])]
    taken, lost = losses(position, position.play(action))
    if taken:
        found.append(phrase(f"recap.took{yours}", n=len(taken), fields=", ".join(names[field] for field in taken)))
    return [*found, phrase("recap.lost")] if lost else found


def losses(before: Position, after: Position) -> tuple[list[int], list[int]]:
    """The fields of the pieces that an action removed: the opponent's, and its own (the end field of the move)."""
    seat = before.actor
    taken = int(before.state.pieces[1 - seat]) & ~int(after.state.pieces[1 - seat])
    own = int(before.state.pieces[seat]), int(after.state.pieces[seat])
    lost = own[0].bit_count() - own[1].bit_count()
    return fields_of(taken), fields_of(own[0] & ~own[1])[:lost]


def _with_end(before: Position, done: Phrase, after: Position) -> Phrase:
    """The sentence, with the result if the game ended."""
    return phrase("done.end", done=done, end=end_phrase(after)) if after.is_over else done


def end_phrase(position: Position) -> Phrase:
    """The sentence of the result."""
    reason = REASONS[int(position.state.reason)][0]
    winner = int(position.state.winner)
    if reason in ("corner", "captured"):
        return phrase(f"end.{reason}", seat=seat_phrase(winner))
    if reason == "blocked" and winner >= 0:
        return phrase("end.blocked", seat=seat_phrase(winner), loser=seat_phrase(1 - winner))
    return phrase(f"end.{reason}_draw", n=int(position.state.quiet))


def prompt(position: Position) -> Phrase:
    if position.is_over:
        return end_phrase(position)
    if position.is_chance:
        return phrase("prompt.opening" if is_opening(position.read_only, position.game.law) else "prompt.first")
    seat = seat_phrase(position.actor)
    if position.state.takes:
        return phrase("prompt.take", seat=seat, n=int(position.state.takes))
    if may_swap(position.read_only, position.game.law):
        return phrase("prompt.swap", seat=seat)
    return phrase("prompt.pass" if position.legal == (PASS,) else "prompt.move", seat=seat)


def explain(position: Position, action: int) -> Refusal | None:
    no = position.refusal(action)
    if no == Reason.OK:
        return None
    if no == Reason.OVER:
        return Refusal(REASONS[int(position.state.reason)][1], phrase(no.key))
    if no in (Reason.CHANCE, Reason.LOT) or action >= FIRST:
        return no.because()
    if action >= TAKE:
        field = action - TAKE
        return no.because([f"f:{position.game.board.names[field]}"], field=field_phrase(position.game, field))
    if action == PASS:
        return no.because(seat=seat_phrase(position.actor))
    return _refused_move(position, no, action // FIELDS, action % FIELDS)


def _refused_move(position: Position, no: RefusalCode, start: int, end: int) -> Refusal:
    """The refusal of a move: its fields, and the obstacle."""
    game, state = position.game, position.state
    names, law = game.board.names, game.law
    own, enemy = int(state.pieces[position.actor]), int(state.pieces[1 - position.actor])
    show = [start, end]
    between = int(law.between[start, end]) | (int(law.between_bent[start, end]) if law.bent_jumps else 0)
    if no == Reason.CHOOSE:
        show = fields_of(_victims(position))
    elif no == Reason.OPPONENT:
        show = fields_of(between & enemy)
    elif no == Reason.FRIEND:
        show = fields_of(between)
    elif no == Reason.BENT:
        show = [*fields_of(int(law.between_bent[start, end]) & own), end]
    elif no == Reason.SUICIDE:
        show = [end, *fields_of(int(law.touch[end]) & enemy)]
    return no.because(
        [f"f:{names[field]}" for field in show],
        start=field_phrase(game, start),
        end=field_phrase(game, end),
        over=", ".join(names[field] for field in show[:1]),
        n=int(law.sides_needed),
        seat=seat_phrase(position.actor),
        other=seat_phrase(1 - position.actor),
    )


def _victims(position: Position) -> Any:
    return pending_victims(position.read_only, position.game.law)


def facts(position: Position) -> dict[str, Any]:
    """`pieces` {field: seat} and `quiet` (plies since the last removal); see docs/lookup/notation.md."""
    names = position.game.board.names
    pieces = {names[field]: seat for seat in (0, 1) for field in fields_of(position.state.pieces[seat])}
    return {"pieces": pieces, "quiet": int(position.state.quiet)}
