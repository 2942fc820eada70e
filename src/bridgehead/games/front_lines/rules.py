"""The rules of The Front Lines: draws, steps, flips and refusals."""

from __future__ import annotations

from bridgehead.core.bits import lowest
from bridgehead.core.clauses import RefusalCode
from bridgehead.core.jit import rule
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.games.front_lines.board import JOKER
from bridgehead.games.front_lines.cards import draws, face_weight, faces, jokers_down, kills, starts_turn
from bridgehead.games.front_lines.state import (
    ACROSS,
    ACROSS_BIT,
    CELLS,
    DOWN,
    DRAW,
    FLIP,
    NOBODY,
    ONE,
    START,
    STOP_BIT,
    TO,
    ZERO,
    bit,
    has,
    side_of,
    suit_of,
    value_of,
)
from bridgehead.games.front_lines.winning import REASONS, cross, die, judge

__all__ = ["REASONS", "REFUSALS", "actor", "apply", "legal", "refusal", "returns", "setup", "weight"]


class No(RefusalCode):
    """Reasons to refuse an action: the clause, and the key of the sentence."""

    OK = "", ""
    OVER = "FL-W.1", "over.refused"
    DRAW_LATER = "FL-T.4", "refused.draw_later"
    PACK = "FLQ-2", "refused.draw_not_in_pack"
    USED = "FLQ-25", "refused.draw_used"
    FLIP = "FL-T.3", "refused.flip_nothing"
    FIELD_CARD = "FLQ-1", "refused.flip_not_in_field"
    JOKER = "FLQ-3", "refused.flip_no_joker"
    SEEN = "FLQ-28", "refused.flip_seen"
    ONLY_JOKERS = "FLQ-3", "refused.flip_only_jokers"
    LAID = "FLQ-33", "refused.flip_laid_out"
    DRAW_FIRST = "FL-R.4", "refused.draw_first"
    FLIP_FIRST = "FL-T.3", "refused.flip_first"
    ROW = "FL-S.4", "refused.no_such_row"
    HERE = "FLQ-23", "refused.stands_here"
    VISITED = "FLQ-7", "refused.visited"
    ENTRY = "FLQ-6", "refused.entry"
    BACKWARD = "FLQ-7", "refused.backward"
    DIRECTION = "FLQ-7", "refused.direction"
    FAR = "FLQ-8", "refused.one_step"
    WALK = "FLQ-29", "refused.no_walk"
    ACROSS_FAR = "FLQ-10", "refused.across_far"
    ACROSS_ROW = "FLQ-10", "refused.across_by_row"
    ACROSS_WALK = "FLQ-29", "refused.across_walk"
    STOP = "FLQ-9", "refused.stop_never"
    STOP_EARLY = "FLQ-30", "refused.stop_early"
    STOP_WALK = "FLQ-30", "refused.stop_walk"


REFUSALS = No


@rule
def setup(state, law):
    """FL-S.4, FL-R.12: all cards face down, all characters at the start with their lives."""
    for cell in range(CELLS):
        state.field[cell] = DOWN
    for suit in range(4):
        state.place[suit] = START
        state.lives[suit] = law.lives
        state.status[suit] = 0
    state.open, state.seen, state.blown, state.used, state.visited = ZERO, ZERO, ZERO, ZERO, ZERO
    state.turns, state.jokers, state.left, state.reason = 0, 0, 0, 0
    state.drawn = state.flipping = state.claim = state.first = state.last = state.winner = NOBODY


@rule
def actor(state, law):
    """FL-R.4, FLQ-20: the seat whose suit was drawn; chance draws and turns over."""
    if int(state.reason) != 0:
        return OVER
    if int(state.drawn) == NOBODY or int(state.flipping) != NOBODY:
        return CHANCE
    return int(law.seat_of[suit_of(int(state.drawn))])


@rule
def mover(state):
    """The character that moves."""
    return suit_of(int(state.drawn))


@rule
def targets(state, law):
    """Cells that the mover may choose, and the bit of across: a step (FLQ-7), or the end of a walk (FLQ-29)."""
    suit = mover(state)
    place = int(state.place[suit])
    if law.destination:
        return law.ends[side_of(suit), place, int(state.left)]
    return law.steps[side_of(suit), place] & ~state.visited


@rule
def may_stop(state, law):
    """FLQ-9, FLQ-30: a turn may stop early only by house rule, after at least one step."""
    return law.may_stop != 0 and law.destination == 0 and int(state.left) < value_of(int(state.drawn))


@rule
def choices(state, law):
    """The legal actions as a set, and the action id of its bit 0: draws (FL-R.4), flips (FL-T.3) or steps."""
    if int(state.reason) != 0:
        return ZERO, DRAW
    if int(state.drawn) == NOBODY:
        return draws(state, law), DRAW
    if int(state.flipping) != NOBODY:
        return faces(state, law), FLIP
    found = targets(state, law)
    if may_stop(state, law):
        found |= STOP_BIT
    return found, TO


@rule
def legal(state, law, out):
    """The legal action ids, ascending."""
    word, first = choices(state, law)
    return listed(word, first, out)


@rule
def listed(word, first, out):
    """Write the members of a set as action ids, ascending; return their number."""
    found = 0
    while word != ZERO:
        out[found] = first + lowest(word)
        word &= word - ONE
        found += 1
    return found


@rule
def weight(state, law, action):
    """The weight of an outcome of chance: equal for all draws; by FLQ-3 and FLQ-28 for turned cards."""
    return 1 if law.alike or action < FLIP else face_weight(state, law, action - FLIP)


@rule
def apply(state, law, action):
    """Play a legal action."""
    if action < FLIP:
        _draw(state, law, action - DRAW)
    elif action < TO:
        _turn_over(state, law, action - FLIP)
    elif action < ACROSS:
        cell = action - TO
        if has(state.open, cell):
            _arrive(state, law, cell)
        else:
            state.flipping = cell  # FL-T.3
    elif action == ACROSS:
        cross(state, mover(state))
        _end_turn(state)
        judge(state, law)
    else:
        _end_turn(state)


@rule
def _draw(state, law, card):
    """FL-R.4, FL-R.5, FL-R.10."""
    if state.used == law.pack:
        state.used = ZERO  # FLQ-25
    state.used |= bit(card)
    if not starts_turn(state, law, card):
        return
    state.drawn = card
    state.left = value_of(card)
    place = int(state.place[suit_of(card)])
    state.visited = bit(place) if place < CELLS else ZERO  # FLQ-23
    if law.alternate:
        state.last = side_of(suit_of(card))


@rule
def _turn_over(state, law, card):
    """FL-T.3, FLQ-26: the card lies face up, then the token moves onto it."""
    cell = int(state.flipping)
    state.flipping = NOBODY
    state.field[cell] = card
    state.open |= bit(cell)
    if card == JOKER:
        state.jokers += 1
    else:
        state.seen |= bit(card)
    _arrive(state, law, cell)


@rule
def _arrive(state, law, cell):
    """FL-T.2: a mine ends the turn; any other card ends the step."""
    suit = mover(state)
    side = side_of(suit)
    state.place[suit] = cell
    if not has(state.blown, cell) and kills(law, side, int(state.field[cell])):
        state.blown |= bit(cell)  # FL-R.13, FLQ-12
        die(state, law, suit)
        _end_turn(state)
        judge(state, law)
    elif law.reach_row and has(law.last_row[side], cell):  # FLQ-10
        cross(state, suit)
        _end_turn(state)
        judge(state, law)
    else:
        state.visited |= bit(cell)
        state.left -= 1
        if int(state.left) == 0 or law.destination or targets(state, law) == ZERO:  # FLQ-9, FLQ-29
            _end_turn(state)


@rule
def _end_turn(state):
    state.drawn = state.flipping = NOBODY
    state.left = 0
    state.visited = ZERO
    state.turns += 1


@rule
def returns(state, law, out):
    """FL-R.3: all seats of a side win or lose together."""
    winner = int(state.winner)
    for suit in range(4):
        worth = 0.0 if winner == NOBODY else 1.0 if side_of(suit) == winner else -1.0
        out[int(law.seat_of[suit])] = worth


@rule
def refusal(state, law, action):
    """Why an action is not legal; `No.OK`, which is 0, exactly when it is."""
    if int(state.reason) != 0:
        return No.OVER
    if action < FLIP:
        return _refuse_draw(state, law, action - DRAW)
    if action < TO:
        return _refuse_flip(state, law, action - FLIP)
    if int(state.drawn) == NOBODY:
        return No.DRAW_FIRST  # FL-R.4
    if int(state.flipping) != NOBODY:
        return No.FLIP_FIRST  # FL-T.3
    if action < ACROSS:
        return _refuse_cell(state, law, action - TO)
    if action == ACROSS:
        return _refuse_across(state, law)
    if may_stop(state, law):
        return 0
    if not law.may_stop:
        return No.STOP
    return No.STOP_WALK if law.destination else No.STOP_EARLY


@rule
def _refuse_draw(state, law, card):
    if int(state.drawn) != NOBODY:
        return No.DRAW_LATER
    if has(draws(state, law), card):
        return 0
    return No.USED if has(law.pack, card) else No.PACK


@rule
def _refuse_flip(state, law, card):
    if int(state.flipping) == NOBODY:
        return No.FLIP
    if has(faces(state, law), card):
        return 0
    if card == JOKER:
        return No.LAID if law.laid_out and law.jokers and jokers_down(state, law) > 0 else No.JOKER
    if not has(law.field_cards, card):
        return No.FIELD_CARD
    if has(state.seen, card):
        return No.SEEN
    return No.LAID if law.laid_out else No.ONLY_JOKERS


@rule
def _refuse_cell(state, law, cell):
    if has(targets(state, law), cell):
        return 0
    if not has(law.cells, cell):
        return No.ROW
    suit = mover(state)
    place, side = int(state.place[suit]), side_of(suit)
    if cell == place:
        return No.HERE
    if law.destination:
        return No.WALK
    if has(state.visited, cell):
        return No.VISITED
    if place == START:
        return No.ENTRY
    ahead, aside = cell // 4 - place // 4, abs(cell % 4 - place % 4)
    # Forward is towards the side's last row, which is row 0 for a side that starts at the far edge (FLQ-5).
    if law.rows > 1 and has(law.last_row[side], 0):
        ahead = -ahead
    if abs(ahead) > 1 or aside > 1:
        return No.FAR
    return No.BACKWARD if ahead < 0 else No.DIRECTION


@rule
def _refuse_across(state, law):
    if targets(state, law) & ACROSS_BIT != ZERO:
        return 0
    if law.reach_row:
        return No.ACROSS_ROW
    return No.ACROSS_WALK if law.destination else No.ACROSS_FAR
