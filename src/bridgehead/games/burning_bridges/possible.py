"""Checks that a position of Burning Bridges can occur."""

# mypy: allow-untyped-calls

from __future__ import annotations

from typing import Any

from bridgehead.core.errors import PositionError
from bridgehead.core.game import Game
from bridgehead.core.phrases import joined
from bridgehead.games.burning_bridges.accessors import bridge_number, bridges_in
from bridgehead.games.burning_bridges.bridges import can_destroy_any, count_bridges, has_bridge, has_torches, is_burning
from bridgehead.games.burning_bridges.hostages import is_settled, safe_turns, unnamed_captor, victims
from bridgehead.games.burning_bridges.moves import HOME, ROUND_LIMIT, family_at_home, nearest_family
from bridgehead.games.burning_bridges.names import family_name, piece_name
from bridgehead.games.burning_bridges.rules import setup
from bridgehead.games.burning_bridges.state import (
    DRAW,
    ENDED,
    MOVES,
    NOBODY,
    RIDING,
    TAKING,
    TERM_IS_CHOICE,
    TERM_IS_DESTROY,
    TERM_IS_NONE,
    TERM_IS_UNTORCH,
    TERMS,
    UNNAMED,
    L,
    S,
)

MOVES_IN_PHASE = {DRAW: (0,), TERMS: (2,), MOVES: (1, 2), TAKING: (0, 1), RIDING: (0, 1), ENDED: (0, 1, 2)}


def check(game: Game, state: Any) -> None:
    """Refuse a position that cannot occur. Errors: PositionError; `where` is the part of the position text."""
    if state.phase == DRAW:
        _check_draw(game, state)
        return
    _check_hostages(game, state)
    _check_bridges(game, state)
    _check_immunity(game, state)
    _check_clock(game, state)
    _check_terms(game, state)
    _check_landing(game, state)
    _check_end(game, state)


def _require(sound: bool, key: str, where: str, **params: object) -> None:
    if not sound:
        raise PositionError(key, where, **params)


def _check_draw(game: Game, state: Any) -> None:
    start = game.new_states(1)
    setup(start[0], game.law)
    _require(bool(game.law.draw_first), "burning_bridges:error.first_family_not_drawn_under", "head")
    _require(start[0].tobytes() == state.tobytes(), "burning_bridges:error.before_draw_everything_start", "head")


def _check_hostages(game: Game, state: Any) -> None:
    held: dict[int, list[int]] = {}
    for piece in range(3 * game.seats):
        captor = int(state.captor[piece])
        if captor == NOBODY:
            continue
        name, holder = piece_name(piece), piece_name(captor)
        where = f"pieces: {name}"
        _require(piece % 3 != L, "burning_bridges:error.cannot_hostage_largest_piece_never", where, name=name)
        _require(captor // 3 != piece // 3, "burning_bridges:error.cannot_hold_piece_own_family", where, holder=holder)
        _require(captor % 3 < piece % 3, "burning_bridges:error.not_larger_than_hostage", where, holder=holder, name=name)
        _require(
            state.pos[captor] == state.pos[piece],
            "burning_bridges:error.hostage_different_pillars",
            where,
            holder=holder,
            name=name,
        )
        _require(
            state.captor[captor] == NOBODY, "burning_bridges:error.hostage_itself_cannot_hold", where, holder=holder, name=name
        )
        held.setdefault(captor, []).append(piece)
        _require(len(held[captor]) <= 2, "burning_bridges:error.holds_more_than_two_hostages", where, holder=holder)
    if not game.law.scope_piece:
        captors = sorted(held)
        for one, other in zip(captors, captors[1:], strict=False):
            _require(
                one // 3 != other // 3,
                "burning_bridges:error.cannot_both_hold_hostages",
                "pieces",
                one=piece_name(one),
                other=piece_name(other),
            )


def _check_bridges(game: Game, state: Any) -> None:
    law = game.law
    for line in range(law.lines):
        colours = [colour for colour in range(game.seats) if has_bridge(state, bridge_number(law, line, colour))]
        where = f"bridges: {game.board.line_name(line)}"
        _require(law.parallel_bridges or len(colours) < 2, "burning_bridges:error.bridge_fits_line_under_these", where)
    for family in range(game.seats):
        name = family_name(family)
        _require(
            count_bridges(state, law, family) <= law.most_bridges,
            "burning_bridges:error.more_than_bridges",
            "bridges",
            name=name,
            most_bridges=law.most_bridges,
        )


def _check_immunity(game: Game, state: Any) -> None:
    for family in range(game.seats):
        for piece in range(3 * game.seats):
            left = int(safe_turns(state, family, piece))
            if left:
                where = f"immune: {family_name(family)}>{piece_name(piece)}"
                _require(
                    left <= game.law.immunity_turns,
                    "burning_bridges:error.most_turns",
                    where,
                    immunity_turns=game.law.immunity_turns,
                )
                _require(family != piece // 3, "burning_bridges:error.nobody_takes_piece_own_family", where)
                _require(piece % 3 != L, "burning_bridges:error.largest_piece_never_taken", where)
                captor = int(state.captor[piece])
                _require(captor == NOBODY or captor // 3 != family, "burning_bridges:error.piece_hostage_family", where)


def _check_clock(game: Game, state: Any) -> None:
    moves = MOVES_IN_PHASE[int(state.phase)]
    numbers = joined("or", [str(each) for each in moves])
    _require(
        int(state.moves) in moves,
        "burning_bridges:error.moves_left_phase",
        "head",
        numbers=numbers,
    )
    at_limit = state.phase == ENDED and state.reason == ROUND_LIMIT
    rounds, turns, limit = int(state.rounds), int(state.turns), int(game.law.round_limit)
    if at_limit:
        _require(limit > 0 and rounds == limit and turns > 0, "burning_bridges:error.last_round_not_over", "head")
        _require(state.turn == game.seats - 1, "burning_bridges:error.round_ends_last_seat_s", "head")
        rounds, turns = rounds - 1, turns - 1
    else:
        _require(limit == 0 or rounds < limit, "burning_bridges:error.game_ends_after_rounds", "head", limit=limit)
    first = rounds * game.seats + int(state.turn) - turns  # the seat that had the first turn
    firsts = range(game.seats if game.law.draw_first else 1)
    _require(first in firsts, "burning_bridges:error.rounds_turns_family_whose_turn", "head")


def _check_terms(game: Game, state: Any) -> None:
    law, turn = game.law, int(state.turn)
    waiting = int(unnamed_captor(state))
    at_limit = state.phase == ENDED and state.reason == ROUND_LIMIT
    if state.phase == TERMS:
        _require(waiting != NOBODY, "burning_bridges:error.nobody_terms_name", "head")
    else:
        _require(waiting == NOBODY or at_limit, "burning_bridges:error.not_named_terms", "terms", waiting=piece_name(waiting))
    for captor in range(3 * game.seats):
        term = int(state.term[captor])
        if term == UNNAMED:
            continue
        where, own = f"terms: {piece_name(captor)}", state.captor[3 * turn : 3 * turn + 3]
        _require(not at_limit, "burning_bridges:error.terms_end_turn", where)
        _require(captor in own, "burning_bridges:error.holds_nobody", where, turn=family_name(turn))
        _require(state.phase != TERMS or captor < waiting, "burning_bridges:error.captors_name_their_terms_seat", where)
        _require(term != TERM_IS_NONE or law.none_cost == 1, "burning_bridges:error.none_settled_once_under_these", where)
        picks = term == TERM_IS_CHOICE
        _require(
            not picks or (law.hostage_picks_torch and has_torches(state, law, captor // 3)),
            "burning_bridges:error.captor_names_torch",
            where,
        )
        named = term >= TERM_IS_UNTORCH
        _require(not named or not law.hostage_picks_torch, "burning_bridges:error.hostage_s_family_picks_torch", where)
        _require(term < TERM_IS_DESTROY or not is_settled(state, law, captor), "burning_bridges:error.what_asks_not_board", where)


def _check_landing(game: Game, state: Any) -> None:
    """Check a phase within a move: a decision must be left."""
    law, turn, mover = game.law, int(state.turn), int(state.mover)
    if state.phase == TAKING:
        held = [piece for piece in range(3 * game.seats) if state.captor[piece] == mover]
        _require(mover % 3 != S, "burning_bridges:error.child_takes_nobody", "head")
        _require(state.captor[mover] == NOBODY, "burning_bridges:error.hostage", "head", mover=piece_name(mover))
        _require(
            len(held) == state.taken, "burning_bridges:error.holds_hostages", "head", mover=piece_name(mover), count=len(held)
        )
        _require(bool(victims(state, law, mover)), "burning_bridges:error.can_take_nobody", "head", mover=piece_name(mover))
        if not law.scope_piece:
            free = all(state.captor[piece] == NOBODY for piece in range(3 * turn, 3 * turn + 3))
            _require(free, "burning_bridges:error.another_hostage_situation", "head", turn=family_name(turn))
    if state.phase == RIDING:
        _require(bool(law.ride and can_destroy_any(state, law)), "burning_bridges:error.child_can_destroy_nothing_within", "head")
        _require(_came_over_a_bridge(game, state, turn), "burning_bridges:error.child_come_over_no_bridge", "head")


def _came_over_a_bridge(game: Game, state: Any, family: int) -> bool:
    here = int(state.pos[3 * family + S])
    own = [bridge_number(game.law, int(line), family) for line in game.law.line_to[here, : game.law.degree[here]]]
    return any(each in bridges_in(state.used) and not is_burning(state, each) for each in own)


def _check_end(game: Game, state: Any) -> None:
    home, winner = int(family_at_home(state, game.law)), int(state.winner)
    if state.phase in (TERMS, MOVES):
        _require(home == NOBODY, "burning_bridges:error.family_home_game_over", "head", home=family_name(home))
    if state.phase == ENDED and state.reason == HOME:
        _require(home != NOBODY and winner == home, "burning_bridges:error.winner_s_family_not_home", "head")
    if state.phase == ENDED and state.reason == ROUND_LIMIT:
        _require(home == NOBODY, "burning_bridges:error.family_home", "head", home=family_name(home))
        _require(winner == nearest_family(state, game.law), "burning_bridges:error.not_child_fewest_lines_left", "head")
