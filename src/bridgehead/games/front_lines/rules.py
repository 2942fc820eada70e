"""The rules of The Front Lines: cards, mines, deaths, crossings, draws, steps, flips and refusals.

Cards are 0..51 (13 * suit + rank, suits hearts, diamonds, spades, clubs) and 52, a Joker; characters are the suits;
sides are 0 red and 1 black; cells are 4 * row + column from red's start line. Sets of cards and cells are words of bits.
"""

from __future__ import annotations

from typing import Any

from bridgehead.core.actions import Actions, Kind
from bridgehead.core.bits import count, write_each
from bridgehead.core.clauses import RefusalCode
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.layout import Array
from bridgehead.core.numbers import uint64
from bridgehead.core.options import numbers
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.games.front_lines import walks
from bridgehead.games.front_lines.board import COLUMNS, JOKER, Board
from bridgehead.games.front_lines.options import Options

CELLS = 48
START, GONE = 48, 49  # places beside the cells: the start line, and across
ALIVE, WAITING, OUT, CROSSED = 0, 1, 2, 3
RED, BLACK, NOBODY = 0, 1, -1
DOWN = -1  # a card that lies face down

KINDS = (Kind("draw {drawn}"), Kind("flip {card}"), Kind("to {cell}"), Kind("across"), Kind("stop"))
ACTIONS = Actions(KINDS, {"drawn": JOKER, "card": JOKER + 1, "cell": CELLS})
DRAW, FLIP, TO, ACROSS, STOP, END = ACTIONS.firsts
MOST_LEGAL = JOKER + 1

ZERO, ONE = uint64(0), uint64(1)
JOKER_BIT = uint64(1 << JOKER)
ACROSS_BIT = uint64(1 << walks.ACROSS)  # bits of a set of cells; across and stop follow the cells, like their action ids
STOP_BIT = uint64(1 << walks.ACROSS + 1)
SEATS = {2: (0, 0, 1, 1), 3: (0, 1, 2, 2), 4: (0, 1, 2, 3)}  # FLQ-27: the seat of each character
FACES = sum(1 << card for card in range(JOKER) if card % 13 >= 10)
REDS = (1 << 26) - 1
ALL_CARDS = (1 << JOKER) - 1


def make_law(options: Options, board: Board) -> Any:
    """The law of these house rules on this field. House rules that are numbers or words have fields of their own names, too."""
    rows, step_off, turned = board.rows, options.across == "stepOff", options.opposed_sides
    steps = walks.list_steps(rows, options.directions, step_off)
    ends = walks.ends(rows, options.directions, step_off, options.may_stop) if options.flip == "destination" else ()
    first, last, order = 0b1111, 0b1111 << (COLUMNS * (rows - 1)), [_place(place, rows) for place in range(START + 1)]
    other_ends = [[_turned(cells, rows) for cells in ends[place]] for place in order] if ends and turned else ()
    safe = FACES if options.face_cards == "safeForAll" else 0  # FLQ-11
    tables = {
        "jokers": options.jokers_in_field,
        # sets of cells: [side, place], [side, place, steps], [side] (FLQ-5)
        "steps": _words([steps, [_turned(steps[place], rows) for place in order] if turned else steps]),
        "ends": _words([ends, other_ends if turned else ends] if ends else [[[0]], [[0]]]),
        "last_row": _words([last, first if turned else last]),
        "cells": _words((1 << (COLUMNS * rows)) - 1),
        "field_cards": _words(sum(1 << card for card in board.field_cards)),
        "pack": _words(sum(1 << card for card in board.draw_pack)),
        "mines": _words([ALL_CARDS & ~REDS & ~safe, REDS & ~safe]),  # cards that kill a side (FL-R.8)
        "layout": Array("int8", (CELLS,), [*board.layout, *[DOWN] * (CELLS - len(board.layout))]),  # card of each cell, or DOWN
        "laid_out": int(bool(board.layout)),
        "alike": int(bool(board.layout) or not options.jokers_in_field),  # all outcomes of chance are equally likely
        "seat_of": Array("int8", (4,), SEATS[options.seats]),  # of each character
        "faces_redraw": int(options.draw_pack == "facesRedraw"),
        "destination": int(options.flip == "destination"),
        "reach_row": int(not step_off),
        "revive_start": int(options.revive == "start"),
        "alternate": int(options.alternate_teams),
        "immediate": int(options.claim == "immediate"),
        "solo_one": int(not options.solo_needs_both),
    }
    return pack_law(tables, numbers(options))


def _words(values: Any) -> Array:
    """Nested sets as a table of words."""
    shape, first = [], values
    while not isinstance(first, int):
        shape.append(len(first))
        first = first[0]
    return Array("uint64", tuple(shape), values)


def _turned(cells: int, rows: int) -> int:
    """A set of cells, seen from the other edge; across stays across."""
    turned = cells & 1 << walks.ACROSS
    for row in range(rows):
        turned |= (cells >> (COLUMNS * row) & 0b1111) << (COLUMNS * (rows - 1 - row))
    return turned


def _place(place: int, rows: int) -> int:
    """The cell with this number when counted from the other edge; the start line stays."""
    return (rows - 1 - place // COLUMNS) * COLUMNS + place % COLUMNS if place < COLUMNS * rows else place


def state_dtype(law: Any) -> list[tuple[Any, ...]]:
    """One position; -1 means none. For speed, `open`, `seen` and `jokers` repeat information of `field`."""
    return [
        ("open", "uint64"),  # cells with an open card
        ("seen", "uint64"),  # cards that lie face up, without Jokers
        ("blown", "uint64"),  # cells with an exploded mine (FLQ-12)
        ("used", "uint64"),  # cards drawn since the pack was last filled (FLQ-25)
        ("visited", "uint64"),  # cells of this turn (FLQ-23)
        ("turns", "int32"),
        ("field", "int8", CELLS),
        ("place", "int8", 4),
        ("lives", "int8", 4),
        ("status", "int8", 4),
        ("jokers", "int8"),  # Jokers that lie face up
        ("drawn", "int8"),  # the card of the running turn
        ("left", "int8"),  # steps left
        ("flipping", "int8"),  # the cell that is being turned over
        ("claim", "int8"),  # the side with the claim (FLQ-18)
        ("first", "int8"),  # the side that was across first (FLQ-31)
        ("last", "int8"),  # the side that moved last, with alternateTeams only (FLQ-16)
        ("winner", "int8"),
        ("reason", "int8"),
    ]


def action_count(law: Any) -> int:
    return END


def max_legal(law: Any) -> int:
    return MOST_LEGAL


@rule
def bit(index):
    """The word with this one bit."""
    return ONE << uint64(index)


@rule
def has(word, index):
    """Whether the word has this bit."""
    return (word >> uint64(index)) & ONE != ZERO


@rule
def side_of(suit):
    """FL-R.3: hearts and diamonds are red, spades and clubs black."""
    return suit >> 1


@rule
def mate_of(suit):
    """The other character of the side."""
    return suit ^ 1


@rule
def suit_of(card):
    return card // 13


@rule
def value_of(card):
    """FL-R.5, FLQ-2: steps of a drawn card."""
    return card % 13 + 1


@rule
def is_face(card):
    return card % 13 >= 10


# -- the rules ---------------------------------------------------------------------------------------------------------
# -- cards -------------------------------------------------------------------------------------------------------------
@rule
def draws(state, law):
    """The cards that may be drawn now: draws are without replacement, and an empty pack is refilled (FLQ-2, FLQ-25)."""
    rest = law.pack & ~state.used
    return rest if rest != ZERO else law.pack


@rule
def can_go(state, side):
    """FLQ-15: whether a character of the side is alive and on the way."""
    return int(state.status[2 * side]) == ALIVE or int(state.status[2 * side + 1]) == ALIVE


@rule
def is_due(state, law, side):
    """FLQ-16: with alternateTeams, the side that did not move last is due, if it can go."""
    last = int(state.last)
    return not law.alternate or last == NOBODY or last != side or not can_go(state, 1 - side)


@rule
def starts_turn(state, law, card):
    """Whether this draw begins a turn. If not, the card is used up and another one is drawn."""
    if law.faces_redraw and is_face(card):  # FLQ-2
        return False
    suit = suit_of(card)
    return int(state.status[suit]) == ALIVE and is_due(state, law, side_of(suit))  # FL-R.10, FLQ-15, FLQ-16


@rule
def jokers_down(state, law):
    """FLQ-3: Jokers that still lie face down."""
    return int(law.jokers) - int(state.jokers)


@rule
def cards_down(state, law):
    """The number of cards that lie face down in the field."""
    return count(law.cells & ~state.open)


@rule
def unseen(state, law):
    """FLQ-28: the cards, of all 48, that nobody has seen yet; the empty set if only Jokers lie face down."""
    if law.jokers and cards_down(state, law) <= jokers_down(state, law):
        return ZERO
    return law.field_cards & ~state.seen


@rule
def faces(state, law):
    """The faces that the card being turned over may have."""
    if law.laid_out:  # FLQ-33
        return bit(int(law.layout[int(state.flipping)]))
    found = unseen(state, law)
    return found | JOKER_BIT if law.jokers and jokers_down(state, law) > 0 else found


@rule
def face_weight(state, law, card):
    """FLQ-3, FLQ-28: every face-down place is as likely to hold a Joker, and else every unseen card alike."""
    if law.alike:
        return 1
    jokers = jokers_down(state, law)
    if card == JOKER:
        unseen_cards = count(unseen(state, law))
        return jokers * unseen_cards if unseen_cards > 0 else 1
    return cards_down(state, law) - jokers


@rule
def kills(law, side, card):
    """FL-R.6 to FL-R.9, FLQ-11: whether this card is a mine for the side."""
    return has(law.mines[side], card)


@rule
def is_known_mine(state, law, side, cell):
    """FLQ-12: face up, of the other colour, and not blown."""
    card = int(state.field[cell])
    return card != DOWN and not has(state.blown, cell) and kills(law, side, card)


# -- deaths, crossings and the end (FLQ-13, FLQ-18) --------------------------------------------------------------------
BOTH_ACROSS, RACE, CLAIM, SOLO, NO_WINNER = 1, 2, 3, 4, 5
REASONS = (
    ("", ""),
    ("both-across", "FL-W.2"),
    ("race", "FL-W.4"),
    ("claim", "FL-W.3"),
    ("solo", "FLQ-22"),
    ("no-winner", "FL-W.6"),
)


@rule
def across(state, side):
    """The number of the side's characters that are across: `a` in FLQ-18's table."""
    return int(int(state.status[2 * side]) == CROSSED) + int(int(state.status[2 * side + 1]) == CROSSED)


@rule
def dead(state, side):
    """The number of the side's characters that are waiting or out: `d` in FLQ-18's table."""
    found = 0
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == WAITING or int(state.status[suit]) == OUT:
            found += 1
    return found


@rule
def cross(state, suit):
    """FLQ-10, FLQ-21: the character leaves the field for good."""
    state.status[suit] = CROSSED
    state.place[suit] = GONE
    if int(state.first) == NOBODY:
        state.first = side_of(suit)  # FLQ-31


@rule
def die(state, law, suit):
    """FL-R.8, FL-R.11, FLQ-13: the character loses a life, and its waiting mate comes back to life."""
    state.lives[suit] -= 1
    state.status[suit] = WAITING if int(state.lives[suit]) > 0 else OUT  # FLQ-32
    mate = mate_of(suit)
    if int(state.status[mate]) != WAITING:
        return
    state.status[mate] = ALIVE
    if law.revive_start:  # FLQ-14
        state.place[mate] = START
    elif law.reach_row and has(law.last_row[side_of(mate)], int(state.place[mate])):
        cross(state, mate)  # FLQ-10: it stands alive on its last row


@rule
def holds_one(state, side):
    """Rows 3 and 4 of FLQ-18's table: one across and one dead (FLQ-31: by any kind of death)."""
    return across(state, side) == 1 and dead(state, side) == 1


@rule
def find_win_reason(state, law, side):
    """The reason of a side's win by FLQ-18, or 0."""
    other = 1 - side
    if across(state, side) == 2:  # FL-W.2
        return BOTH_ACROSS
    if holds_one(state, side):
        if dead(state, other) > 0:  # FL-W.4, FL-W.5; FL-W.3 where the claim is upheld
            return CLAIM if int(state.claim) == side else RACE
        if law.immediate:
            return CLAIM
    if law.solo_one and across(state, side) == 1 and dead(state, other) == 2:  # FLQ-22
        return SOLO
    return 0


@rule
def judge(state, law):
    """Set the claim, the winner and the reason by FLQ-18, after a death or a crossing."""
    red, black = find_win_reason(state, law, RED), find_win_reason(state, law, BLACK)
    if red and black:  # FLQ-31: the side that was across first
        state.winner = state.first
    elif red or black:
        state.winner = RED if red else BLACK
    elif dead(state, RED) == 2 and dead(state, BLACK) == 2:  # FL-W.6
        state.reason = NO_WINNER
        return
    else:
        if holds_one(state, RED):
            state.claim = RED  # FL-W.3
        elif holds_one(state, BLACK):
            state.claim = BLACK
        return
    state.reason = red if int(state.winner) == RED else black


# -- draws, steps, flips -----------------------------------------------------------------------------------------------
class Reason(RefusalCode):
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


REFUSALS = Reason


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
    word, first = choices(state, law)
    return write_each(word, first, out, 0)


@rule
def weight(state, law, action):
    """The weight of an outcome of chance: equal for all draws; by FLQ-3 and FLQ-28 for turned cards."""
    return 1 if law.alike or action < FLIP else face_weight(state, law, action - FLIP)


@rule
def apply(state, law, action):
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
    if int(state.reason) != 0:
        return Reason.OVER
    if action < FLIP:
        return _refuse_draw(state, law, action - DRAW)
    if action < TO:
        return _refuse_flip(state, law, action - FLIP)
    if int(state.drawn) == NOBODY:
        return Reason.DRAW_FIRST  # FL-R.4
    if int(state.flipping) != NOBODY:
        return Reason.FLIP_FIRST  # FL-T.3
    if action < ACROSS:
        return _refuse_cell(state, law, action - TO)
    if action == ACROSS:
        return _refuse_across(state, law)
    if may_stop(state, law):
        return 0
    if not law.may_stop:
        return Reason.STOP
    return Reason.STOP_WALK if law.destination else Reason.STOP_EARLY


@rule
def _refuse_draw(state, law, card):
    if int(state.drawn) != NOBODY:
        return Reason.DRAW_LATER
    if has(draws(state, law), card):
        return 0
    return Reason.USED if has(law.pack, card) else Reason.PACK


@rule
def _refuse_flip(state, law, card):
    if int(state.flipping) == NOBODY:
        return Reason.FLIP
    if has(faces(state, law), card):
        return 0
    if card == JOKER:
        return Reason.LAID if law.laid_out and law.jokers and jokers_down(state, law) > 0 else Reason.JOKER
    if not has(law.field_cards, card):
        return Reason.FIELD_CARD
    if has(state.seen, card):
        return Reason.SEEN
    return Reason.LAID if law.laid_out else Reason.ONLY_JOKERS


@rule
def _refuse_cell(state, law, cell):
    if has(targets(state, law), cell):
        return 0
    if not has(law.cells, cell):
        return Reason.ROW
    suit = mover(state)
    place, side = int(state.place[suit]), side_of(suit)
    if cell == place:
        return Reason.HERE
    if law.destination:
        return Reason.WALK
    if has(state.visited, cell):
        return Reason.VISITED
    if place == START:
        return Reason.ENTRY
    ahead, aside = cell // 4 - place // 4, abs(cell % 4 - place % 4)
    # Forward is towards the side's last row, which is row 0 for a side that starts at the far edge (FLQ-5).
    if law.rows > 1 and has(law.last_row[side], 0):
        ahead = -ahead
    if abs(ahead) > 1 or aside > 1:
        return Reason.FAR
    return Reason.BACKWARD if ahead < 0 else Reason.DIRECTION


@rule
def _refuse_across(state, law):
    if targets(state, law) & ACROSS_BIT != ZERO:
        return 0
    if law.reach_row:
        return Reason.ACROSS_ROW
    return Reason.ACROSS_WALK if law.destination else Reason.ACROSS_FAR
