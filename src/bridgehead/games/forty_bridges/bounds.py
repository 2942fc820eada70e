"""Positions of 40 Bridges in which a side can no longer lose, by proof: docs/understand/fortress.md has the proofs.

Hints and analyses say why (`progress.safe`), and the alpha-beta search of the levels uses them (`evaluate.look_up_plies`).
They need no search and no table. The endgame tables contradict none of them (tests/games/test_forty_bridges_bounds.py).
"""

from __future__ import annotations

from bridgehead.core.bits import count
from bridgehead.core.jit import rule
from bridgehead.core.numbers import ALL, uint64
from bridgehead.core.spec import CANNOT_LOSE, CANNOT_WIN, UNKNOWN
from bridgehead.games.forty_bridges import rules
from bridgehead.games.forty_bridges.board import FIELDS, standard

REASONS = "", "few", "edge", "home"
FEW, EDGE, HOME = 1, 2, 3
ENOUGH = 3  # pieces that capture, under the rules of the proofs
OTHER, STANDARD, ONWARD = 0, 1, 2  # rules without proofs, those as written, and the recommended ones, where no piece goes back
SQUARES = rules.word(field for field in range(FIELDS) if standard().is_square(field))
EVERYWHERE = rules.word(range(FIELDS))
BORDER = rules.word(field for field in range(FIELDS) if {0, 8} & {*standard().places[field]})  # squares only


@rule
def cannot_lose(own, other, corner, rule_set):
    """Why the side of the pieces `own`, whose corner is the word `corner`, cannot lose, by its place in REASONS; 0 if unknown.

    It holds under the rules STANDARD or ONWARD, with either side to move, after any history.
    """
    few = count(other) < ENOUGH
    if not other & SQUARES:
        if few:
            return FEW
        if own & BORDER:
            return EDGE
    if rule_set == STANDARD and few and own & corner and own & (ALL ^ SQUARES):
        return HOME  # where no piece goes back, the octagons come to their end, and the corner must be left
    return 0


@rule
def find_rule_set(law):
    """Which rules of the proofs and of the endgame tables these are, with any start and quiet limit; OTHER if none."""
    board = law.board == EVERYWHERE and law.sides_needed == 3 and law.bent_jumps == 0
    captures = law.capture_needs_mover == 0 and law.most_captures == 8 and law.suicide == rules.SUICIDE_REMOVED
    if not (board and captures and law.blocked == rules.BLOCKED_PASSES):
        return OTHER
    if law.retreat:
        return STANDARD if law.repetition == rules.REPETITION_DRAWS else OTHER
    return ONWARD if law.repetition == rules.REPETITION_FORBIDDEN else OTHER


@rule
def proven(state, law):
    """What is proven for the seat to act: CANNOT_LOSE, CANNOT_WIN, 0 for a draw, UNKNOWN."""
    rule_set = find_rule_set(law)
    if state.seat < 0 or rule_set == OTHER or not rules.sides_are_settled(state, law):
        return UNKNOWN
    seat = uint64(state.seat)
    own, other = state.pieces[seat], state.pieces[rules.ONE - seat]
    holds = cannot_lose(own, other, law.bit[law.goal[rules.ONE - seat]], rule_set) != 0
    if cannot_lose(other, own, law.bit[law.goal[seat]], rule_set) != 0:
        return 0 if holds else CANNOT_WIN
    return CANNOT_LOSE if holds else UNKNOWN
