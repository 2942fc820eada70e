"""How far each side of The Front Lines is, and what a step changes: rows, unknown cards on the way, and risk."""

from __future__ import annotations

from collections.abc import Iterator

from bridgehead.core.bits import members
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
        return Distance(
            (-across, rules.CELLS), done if across == 2 else phrase("far", done=done, rest=phrase("far.dead", n=across))
        )
    rows = min(int(evaluate.steps_left(state, law, suit)) for suit in going)
    return Distance((-across, rows), phrase("far", done=done, rest=phrase("far.rows", n=rows)))


def effects(before: Position, action: int) -> list[Phrase]:
    """What a step changes for the character that moves."""
    if not rules.TO <= action < rules.ACROSS:
        return [phrase("effect.across", who=suit_phrase(mover_of(before)))] if action == rules.ACROSS else []
    return list(_compared(before, before.play(action), action))


def _risk(position: Position, action: int) -> float:
    return float(evaluate.risk(position.read_only, position.game.law, action))


def _unknown(position: Position, suit: int) -> int | None:
    """The fewest unknown cards on a character's way across that meets no known mine; None if there is no such way."""
    state, law, side = position.read_only, position.game.law, rules.side_of(suit)
    place = int(evaluate.place_of(state, suit))
    costs, edge = {place: 0}, [place]
    for cell in edge:  # cells are visited again when a way with fewer unknown cards is found
        for near in members(int(law.steps[side, cell]) & int(law.cells)):
            cost = costs[cell] + (int(state.field[near]) == rules.DOWN)
            if not rules.is_known_mine(state, law, side, near) and cost < costs.get(near, rules.CELLS):
                costs[near] = cost
                edge.append(near)
    last = int(law.last_row[side])
    ends = [cell for cell in costs if cell < rules.CELLS and last >> cell & 1]
    return min((costs[cell] for cell in ends), default=None)


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
    cards, earlier = _unknown(after, suit), _unknown(before, suit)
    if cards is not None and (earlier is None or cards < earlier):
        yield phrase("effect.cards", n=cards) if cards else phrase("effect.clear")
