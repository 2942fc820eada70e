"""Checks that a position of The Front Lines can occur."""

# mypy: allow-untyped-calls

from __future__ import annotations

from typing import Any

from bridgehead.core.bits import count
from bridgehead.core.errors import PositionError
from bridgehead.core.game import Game
from bridgehead.games.front_lines.board import CARDS, JOKER, SUITS, cell_name
from bridgehead.games.front_lines.cards import cards_down, jokers_down, kills, starts_turn
from bridgehead.games.front_lines.rules import mover, targets
from bridgehead.games.front_lines.state import (
    ALIVE,
    BLACK,
    CELLS,
    CROSSED,
    DOWN,
    NOBODY,
    OUT,
    RED,
    START,
    WAITING,
    ZERO,
    has,
    mate_of,
    side_of,
    suit_of,
    value_of,
)
from bridgehead.games.front_lines.winning import across, holds_one, judge


def check(state: Any, game: Game) -> None:
    """Refuse a position that cannot occur, and set the result of a finished game. Errors: PositionError."""
    _check_field(state, game)
    for side in (RED, BLACK):
        _check_pair(state, game.law, 2 * side)
        _check_deaths(state, game.law, side)
    for suit in range(4):
        _check_place(state, game.law, suit)
    _check_memory(state, game.law)
    judged = state.copy()
    judge(judged, game.law)
    if int(judged.claim) != int(state.claim):
        raise PositionError("the claim is held by a side with one across and one dead, while the other has no dead", "claim")
    state.winner, state.reason = judged.winner, judged.reason
    if int(state.reason) and (int(state.drawn) >= 0 or int(state.flipping) >= 0):
        raise PositionError("the game is over, so no turn is running", "drawn")
    if int(state.drawn) >= 0:
        _check_turn(state, game.law)
    elif int(state.flipping) >= 0:
        raise PositionError("a card is turned over only in somebody's turn", "flip")


def _check_field(state: Any, game: Game) -> None:
    law = game.law
    for cell in range(CELLS):
        card, name = int(state.field[cell]), cell_name(cell)
        if card == DOWN:
            continue
        if card != JOKER and not has(law.field_cards, card):
            raise PositionError(f"{CARDS[card]} belongs to a character and does not lie in the field", name)
        if law.laid_out and card != int(law.layout[cell]):
            raise PositionError(f"in this layout {CARDS[int(law.layout[cell])]} lies here, not {CARDS[card]}", name)
        if has(state.blown, cell) and not kills(law, RED, card) and not kills(law, BLACK, card):
            raise PositionError(f"{CARDS[card]} is no mine and cannot have gone off", name)
    if not law.laid_out and jokers_down(state, law) < 0:
        raise PositionError(f"{int(state.jokers)} Jokers, at most {law.jokers} lie in the field", "field")
    if not law.laid_out and cards_down(state, law) < jokers_down(state, law):
        raise PositionError(f"a Joker must lie face up: the field holds {law.jokers}", "field")


def _check_pair(state: Any, law: Any, suit: int) -> None:
    """FLQ-13, FLQ-32: states and lives of the two characters of a side."""
    pair = (suit, suit + 1)
    for one in pair:
        lives, status, where = int(state.lives[one]), int(state.status[one]), SUITS[one]
        if lives > law.lives:
            raise PositionError(f"a character has at most {law.lives} lives", where)
        if (lives == 0) != (status == OUT):
            raise PositionError("a character without lives is out, and no other", where)
        if status == WAITING and lives == law.lives:
            raise PositionError("a character waits only after losing a life", where)
    gone = [one for one in pair if int(state.status[one]) in (WAITING, OUT)]
    if len(gone) == 2 and any(int(state.status[one]) == WAITING for one in gone):
        raise PositionError("a character waits only while its mate is alive or across", SUITS[gone[0]])
    if not gone and any(int(state.lives[one]) < law.lives for one in pair):
        raise PositionError("after a death, one of the side is waiting or out", SUITS[suit])
    if len(gone) == 1:
        ahead = int(state.lives[mate_of(gone[0])]) - int(state.lives[gone[0]])
        if ahead not in (0, 1):
            raise PositionError(
                "the two of a side die by turns: the dead one has as many lives as its mate, or one less", SUITS[suit]
            )
        if int(state.status[gone[0]]) == OUT and int(state.lives[mate_of(gone[0])]) != 1:
            raise PositionError("the mate of a character that is out has one life", SUITS[suit])


def _check_deaths(state: Any, law: Any, side: int) -> None:
    """FLQ-12: each life lost is one mine of the other colour that went off."""
    lost = 2 * law.lives - int(state.lives[2 * side]) - int(state.lives[2 * side + 1])
    blown = (cell for cell in range(CELLS) if has(state.blown, cell))
    mines = len([cell for cell in blown if kills(law, side, int(state.field[cell]))])
    if mines != lost:
        raise PositionError(f"{('red', 'black')[side]} lost {lost} lives, but {mines} of its mines went off", "field")


def _check_place(state: Any, law: Any, suit: int) -> None:
    status, place, where = int(state.status[suit]), int(state.place[suit]), SUITS[suit]
    if status == CROSSED:
        return
    if status in (WAITING, OUT):
        _check_grave(state, law, suit)
        return
    if place == START:
        return
    card = int(state.field[place])
    if card == DOWN:
        raise PositionError(f"{cell_name(place)} lies face down, so nobody stands there", where)
    if not has(state.blown, place) and kills(law, side_of(suit), card):
        raise PositionError(f"{cell_name(place)} is a mine that has not gone off, so nobody stands there alive", where)
    if law.reach_row and has(law.last_row[side_of(suit)], place):
        raise PositionError("who stands alive on its last row is across", where)


def _check_grave(state: Any, law: Any, suit: int) -> None:
    """FL-R.11: a dead character lies on the mine that killed it, and a mine kills once."""
    place, where = int(state.place[suit]), SUITS[suit]
    if place == START or not has(state.blown, place) or not kills(law, side_of(suit), int(state.field[place])):
        raise PositionError("a dead character lies on a mine of the other colour that went off", where)
    mate = mate_of(suit)
    if int(state.status[mate]) in (WAITING, OUT) and int(state.place[mate]) == place:
        raise PositionError("two characters cannot die on one mine", where)


def _check_memory(state: Any, law: Any) -> None:
    """Check the sections first, last, claim and turn, which describe the past."""
    crossed = [side for side in (RED, BLACK) if across(state, side)]
    first = int(state.first)
    if (first >= 0) != bool(crossed) or (crossed and first not in crossed):
        raise PositionError("names the side that was across first, when somebody is across", "first")
    claim = int(state.claim)
    if claim >= 0 and (law.immediate or not holds_one(state, claim)):
        raise PositionError("the claim is held by a side with one across and one dead", "claim")
    began = int(state.turns) > 0 or int(state.drawn) >= 0
    last = int(state.last)
    if (last >= 0) != bool(law.alternate and began):
        raise PositionError("names the side that moved last, with alternateTeams and after the first draw only", "last")
    if int(state.drawn) >= 0 and last >= 0 and last != side_of(suit_of(int(state.drawn))):
        raise PositionError("the side whose turn is running moved last", "last")
    lost = sum(law.lives - int(lives) for lives in state.lives)
    if lost > int(state.turns):
        raise PositionError(f"{lost} lives are lost, one a turn at most, in {int(state.turns)} finished turns", "turn")
    if int(state.turns) > 0 and state.used == ZERO:
        raise PositionError("a turn was played, so a card was drawn", "used")


def _check_turn(state: Any, law: Any) -> None:
    drawn = int(state.drawn)
    if drawn == JOKER or not has(state.used, drawn):
        raise PositionError(f"the drawn card {CARDS[drawn]} must be among the used ones", "drawn")
    suit = mover(state)
    if int(state.status[suit]) != ALIVE:
        raise PositionError(f"{SUITS[suit]} cannot go, so its card starts no turn", "drawn")
    before = state.copy()
    before.last = NOBODY  # a position does not keep which side moved before this draw
    if not starts_turn(before, law, drawn):
        raise PositionError(f"{CARDS[drawn]} is used up and starts no turn", "drawn")
    place, left, value = int(state.place[suit]), int(state.left), int(value_of(drawn))
    if not 1 <= left <= value:
        raise PositionError(f"{CARDS[drawn]} gives {value} steps, so 1 to {value} are left", "drawn")
    if law.destination and left != value:
        raise PositionError("a walk is one action, so all its steps are left", "drawn")
    _check_way(state, law, place, value - left)
    aims, flipping = targets(state, law), int(state.flipping)
    if aims == ZERO:
        raise PositionError("no step is left, so the turn is over", "drawn")
    if flipping >= 0 and not has(aims & ~state.open, flipping):
        raise PositionError("the card being turned over lies face down, one step away", "flip")


def _check_way(state: Any, law: Any, place: int, done: int) -> None:
    """FLQ-7, FLQ-23: the cards of a running turn, after so many steps."""
    side, cells = side_of(mover(state)), count(state.visited)
    if place == START:
        if done or cells:
            raise PositionError("who has taken a step is not at the start any more", "drawn")
        return
    if not has(state.visited, place):
        raise PositionError("the card on which the character stands belongs to this turn", "drawn")
    if cells - done not in (0, 1):
        raise PositionError(f"{done} steps done, but {cells} cards of this turn", "drawn")
    for cell in range(CELLS):
        if not has(state.visited, cell):
            continue
        card = int(state.field[cell])
        if card == DOWN:
            raise PositionError(f"{cell_name(cell)} belongs to this turn, so it lies face up", "drawn")
        if kills(law, side, card) and not has(state.blown, cell):
            raise PositionError(f"{cell_name(cell)} is a mine, and a mine ends the turn", "drawn")
