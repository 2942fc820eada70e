"""How far each side of The Front Lines is, and what a step changes: rows, unknown cards on the way, and risk."""

from __future__ import annotations

from collections.abc import Iterator

from bridgehead.core.interface import Distance
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.games.front_lines import evaluate, rules
from bridgehead.games.front_lines.words import mover_of, suit_phrase


def _side(position: Position, seat: int) -> int:
    return next(int(rules.side_of(suit)) for suit in range(4) if int(position.game.law.seat_of[suit]) == seat)


def distance(position: Position, seat: int) -> Distance:
    """Characters of the seat's side that are across, and the rows that the next one has to go."""
    state, law, side = position.read_only, position.game.law, _side(position, seat)
    across = int(rules.across(state, side))
    going = [suit for suit in (2 * side, 2 * side + 1) if int(state.status[suit]) == rules.ALIVE]
    done = phrase("far.across", n=across) if across else phrase("far.nobody")
    if not going:
        return Distance((-across, rules.CELLS), done if across == 2 else phrase("far", done=done, rest=phrase("far.dead")))
    rows = min(int(evaluate.steps_left(state, law, suit)) for suit in going)
    return Distance((-across, rows), phrase("far", done=done, rest=phrase("far.rows", n=rows)))


def effects(before: Position, action: int) -> list[Phrase]:
    """What a step changes for the character that moves."""
    if not rules.TO <= action < rules.ACROSS:
        return [phrase("effect.across", who=suit_phrase(mover_of(before)))] if action == rules.ACROSS else []
    return list(_compared(before, before.play(action), action))


def _risk(position: Position, action: int) -> float:
    return float(evaluate.risk(position.read_only, position.game.law, action))


def _unknown(position: Position, suit: int) -> int:
    """The fewest cards that a character has to turn over on its way across, without the one that is being turned."""
    state, law = position.read_only, position.game.law
    return int(evaluate.flips_needed(state, law, suit, evaluate.known_safe(state, law, rules.side_of(suit))))


def _compared(before: Position, after: Position, action: int) -> Iterator[Phrase]:
    law, suit, risk = before.game.law, mover_of(before), _risk(before, action)
    others = [_risk(before, other) for other in before.legal if other != action and other < rules.STOP]
    if not risk:
        yield phrase("effect.safe")
    elif others and risk < min(others):
        yield phrase("effect.least")
    alive = int(after.state.status[suit]) == rules.ALIVE
    if not alive:
        return
    rows = int(evaluate.steps_left(after.read_only, law, suit))
    if rows < int(evaluate.steps_left(before.read_only, law, suit)):
        yield phrase("effect.rows", who=suit_phrase(suit), rows=phrase("far.rows", n=rows))
    if law.destination:
        return
    cards = _unknown(after, suit)
    if cards < _unknown(before, suit) and cards < evaluate.FAR:
        yield phrase("effect.cards", n=cards) if cards else phrase("effect.clear")
