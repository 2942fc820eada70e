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
        raise PositionError("front_lines:error.claim_held_side_across_dead", "claim")
    state.winner, state.reason = judged.winner, judged.reason
    if int(state.reason) and (int(state.drawn) >= 0 or int(state.flipping) >= 0):
        raise PositionError("front_lines:error.game_over_no_turn_running", "drawn")
    if int(state.drawn) >= 0:
        _check_turn(state, game.law)
    elif int(state.flipping) >= 0:
        raise PositionError("front_lines:error.card_turned_over_somebody_s", "flip")


def _check_field(state: Any, game: Game) -> None:
    law = game.law
    for cell in range(CELLS):
        card, name = int(state.field[cell]), cell_name(cell)
        if card == DOWN:
            continue
        if card != JOKER and not has(law.field_cards, card):
            raise PositionError("front_lines:error.belongs_character_does_not_lie", name, cards=CARDS[card])
        if law.laid_out and card != int(law.layout[cell]):
            raise PositionError(
                "front_lines:error.layout_lies_here_not", name, cards=CARDS[int(law.layout[cell])], cards2=CARDS[card]
            )
        if has(state.blown, cell) and not kills(law, RED, card) and not kills(law, BLACK, card):
            raise PositionError("front_lines:error.no_mine_cannot_gone_off", name, cards=CARDS[card])
    if not law.laid_out and jokers_down(state, law) < 0:
        raise PositionError(
            "front_lines:error.jokers_most_lie_field", "field", jokers=int(state.jokers), jokers_in_field=law.jokers
        )
    if not law.laid_out and cards_down(state, law) < jokers_down(state, law):
        raise PositionError("front_lines:error.joker_must_lie_face_up", "field", jokers=law.jokers)


def _check_pair(state: Any, law: Any, suit: int) -> None:
    """FLQ-13, FLQ-32: states and lives of the two characters of a side."""
    pair = (suit, suit + 1)
    for one in pair:
        lives, status, where = int(state.lives[one]), int(state.status[one]), SUITS[one]
        if lives > law.lives:
            raise PositionError("front_lines:error.character_most_lives", where, lives=law.lives)
        if (lives == 0) != (status == OUT):
            raise PositionError("front_lines:error.character_without_lives_out_no", where)
        if status == WAITING and lives == law.lives:
            raise PositionError("front_lines:error.character_waits_after_losing_life", where)
    gone = [one for one in pair if int(state.status[one]) in (WAITING, OUT)]
    if len(gone) == 2 and any(int(state.status[one]) == WAITING for one in gone):
        raise PositionError("front_lines:error.character_waits_while_mate_alive", SUITS[gone[0]])
    if not gone and any(int(state.lives[one]) < law.lives for one in pair):
        raise PositionError("front_lines:error.after_death_side_waiting_out", SUITS[suit])
    if len(gone) == 1:
        ahead = int(state.lives[mate_of(gone[0])]) - int(state.lives[gone[0]])
        if ahead not in (0, 1):
            raise PositionError("front_lines:error.two_side_die_turns_dead", SUITS[suit])
        if int(state.status[gone[0]]) == OUT and int(state.lives[mate_of(gone[0])]) != 1:
            raise PositionError("front_lines:error.mate_character_out_life", SUITS[suit])


def _check_deaths(state: Any, law: Any, side: int) -> None:
    """FLQ-12: each life lost is one mine of the other colour that went off."""
    lost = 2 * law.lives - int(state.lives[2 * side]) - int(state.lives[2 * side + 1])
    blown = (cell for cell in range(CELLS) if has(state.blown, cell))
    mines = len([cell for cell in blown if kills(law, side, int(state.field[cell]))])
    if mines != lost:
        raise PositionError(f"front_lines:error.lives.{('red', 'black')[side]}", "field", lost=lost, mines=mines)


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
        raise PositionError("front_lines:error.lies_face_down_nobody", where, place=cell_name(place))
    if not has(state.blown, place) and kills(law, side_of(suit), card):
        raise PositionError("front_lines:error.mine_not_gone_off_nobody", where, place=cell_name(place))
    if law.reach_row and has(law.last_row[side_of(suit)], place):
        raise PositionError("front_lines:error.who_alive_last_row_across", where)


def _check_grave(state: Any, law: Any, suit: int) -> None:
    """FL-R.11: a dead character lies on the mine that killed it, and a mine kills once."""
    place, where = int(state.place[suit]), SUITS[suit]
    if place == START or not has(state.blown, place) or not kills(law, side_of(suit), int(state.field[place])):
        raise PositionError("front_lines:error.dead_character_lies_mine_other", where)
    mate = mate_of(suit)
    if int(state.status[mate]) in (WAITING, OUT) and int(state.place[mate]) == place:
        raise PositionError("front_lines:error.two_characters_cannot_die_mine", where)


def _check_memory(state: Any, law: Any) -> None:
    """Check the sections `first`, `last`, `claim` and `turn`, which describe the past."""
    crossed = [side for side in (RED, BLACK) if across(state, side)]
    first = int(state.first)
    if (first >= 0) != bool(crossed) or (crossed and first not in crossed):
        raise PositionError("front_lines:error.names_side_was_across_first", "first")
    claim = int(state.claim)
    if claim >= 0 and (law.immediate or not holds_one(state, claim)):
        raise PositionError("front_lines:error.claim_held_side_across_dead_2", "claim")
    began = int(state.turns) > 0 or int(state.drawn) >= 0
    last = int(state.last)
    if (last >= 0) != bool(law.alternate and began):
        raise PositionError("front_lines:error.names_side_moved_last_alternateteams", "last")
    if int(state.drawn) >= 0 and last >= 0 and last != side_of(suit_of(int(state.drawn))):
        raise PositionError("front_lines:error.side_whose_turn_running_moved", "last")
    lost = sum(law.lives - int(lives) for lives in state.lives)
    if lost > int(state.turns):
        raise PositionError("front_lines:error.lives_lost_turn_most_finished", "turn", lost=lost, turns=int(state.turns))
    if int(state.turns) > 0 and state.used == ZERO:
        raise PositionError("front_lines:error.turn_was_played_card_was", "used")


def _check_turn(state: Any, law: Any) -> None:
    drawn = int(state.drawn)
    if drawn == JOKER or not has(state.used, drawn):
        raise PositionError("front_lines:error.drawn_card_must_among_used", "drawn", cards=CARDS[drawn])
    suit = mover(state)
    if int(state.status[suit]) != ALIVE:
        raise PositionError("front_lines:error.cannot_go_card_starts_no", "drawn", suits=SUITS[suit])
    before = state.copy()
    before.last = NOBODY  # the position text omits the side that moved before this draw
    if not starts_turn(before, law, drawn):
        raise PositionError("front_lines:error.used_up_starts_no_turn", "drawn", cards=CARDS[drawn])
    place, left, value = int(state.place[suit]), int(state.left), int(value_of(drawn))
    if not 1 <= left <= value:
        raise PositionError("front_lines:error.gives_steps_1_left", "drawn", cards=CARDS[drawn], value=value, value2=value)
    if law.destination and left != value:
        raise PositionError("front_lines:error.walk_action_all_steps_left", "drawn")
    _check_way(state, law, place, value - left)
    aims, flipping = targets(state, law), int(state.flipping)
    if aims == ZERO:
        raise PositionError("front_lines:error.no_step_left_turn_over", "drawn")
    if flipping >= 0 and not has(aims & ~state.open, flipping):
        raise PositionError("front_lines:error.card_being_turned_over_lies", "flip")


def _check_way(state: Any, law: Any, place: int, done: int) -> None:
    """FLQ-7, FLQ-23: the cards of a running turn, after so many steps."""
    side, cells = side_of(mover(state)), count(state.visited)
    if place == START:
        if done or cells:
            raise PositionError("front_lines:error.who_taken_step_not_start", "drawn")
        return
    if not has(state.visited, place):
        raise PositionError("front_lines:error.card_which_character_belongs_turn", "drawn")
    if cells - done not in (0, 1):
        raise PositionError("front_lines:error.steps_done_but_cards_turn", "drawn", done=done, cells=cells)
    for cell in range(CELLS):
        if not has(state.visited, cell):
            continue
        card = int(state.field[cell])
        if card == DOWN:
            raise PositionError("front_lines:error.belongs_turn_lies_face_up", "drawn", cell=cell_name(cell))
        if kills(law, side, card) and not has(state.blown, cell):
            raise PositionError("front_lines:error.mine_mine_ends_turn", "drawn", cell=cell_name(cell))
