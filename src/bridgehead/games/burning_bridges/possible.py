"""Checks that a position of Burning Bridges can occur."""

# mypy: allow-untyped-calls

from __future__ import annotations

from typing import Any

from bridgehead.core.errors import PositionError
from bridgehead.core.game import Game
from bridgehead.games.burning_bridges.accessors import bridge_number, bridges_in
from bridgehead.games.burning_bridges.bridges import can_destroy_any, count_bridges, has_bridge, has_torches, is_burning
from bridgehead.games.burning_bridges.hostages import is_settled, safe_turns, unheard_captor, victims
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


def _require(sound: bool, what: str, where: str) -> None:
    if not sound:
        raise PositionError(what, where)


def _check_draw(game: Game, state: Any) -> None:
    start = game.new_states(1)
    setup(start[0], game.law)
    _require(bool(game.law.draw_first), "the first family is not drawn under these house rules", "head")
    _require(start[0].tobytes() == state.tobytes(), "before the draw everything stands at its start", "head")


def _check_hostages(game: Game, state: Any) -> None:
    held: dict[int, list[int]] = {}
    for piece in range(3 * game.seats):
        captor = int(state.captor[piece])
        if captor == NOBODY:
            continue
        name, holder = piece_name(piece), piece_name(captor)
        where = f"pieces: {name}"
        _require(piece % 3 != L, f"{name} cannot be a hostage: the largest piece is never taken", where)
        _require(captor // 3 != piece // 3, f"{holder} cannot hold a piece of its own family", where)
        _require(captor % 3 < piece % 3, f"{holder} is not larger than its hostage {name}", where)
        _require(state.pos[captor] == state.pos[piece], f"{holder} and its hostage {name} stand on different pillars", where)
        _require(state.captor[captor] == NOBODY, f"{holder} is a hostage itself and cannot hold {name}", where)
        held.setdefault(captor, []).append(piece)
        _require(len(held[captor]) <= 2, f"{holder} holds more than two hostages", where)
    if not game.law.scope_piece:
        captors = sorted(held)
        for one, other in zip(captors, captors[1:], strict=False):
            _require(one // 3 != other // 3, f"{piece_name(one)} and {piece_name(other)} cannot both hold hostages", "pieces")


def _check_bridges(game: Game, state: Any) -> None:
    law = game.law
    for line in range(law.lines):
        colours = [colour for colour in range(game.seats) if has_bridge(state, bridge_number(law, line, colour))]
        where = f"bridges: {game.board.line_name(line)}"
        _require(law.parallel_bridges or len(colours) < 2, "only one bridge fits on a line under these house rules", where)
    for family in range(game.seats):
        name = family_name(family)
        _require(
            count_bridges(state, law, family) <= law.most_bridges, f"{name} has more than {law.most_bridges} bridges", "bridges"
        )


def _check_immunity(game: Game, state: Any) -> None:
    for family in range(game.seats):
        for piece in range(3 * game.seats):
            left = int(safe_turns(state, family, piece))
            if left:
                where = f"immune: {family_name(family)}>{piece_name(piece)}"
                _require(left <= game.law.immunity_turns, f"at most {game.law.immunity_turns} turns", where)
                _require(family != piece // 3, "nobody takes a piece of the own family", where)
                _require(piece % 3 != L, "the largest piece is never taken", where)
                captor = int(state.captor[piece])
                _require(captor == NOBODY or captor // 3 != family, "the piece is a hostage of that family", where)


def _check_clock(game: Game, state: Any) -> None:
    moves = MOVES_IN_PHASE[int(state.phase)]
    _require(int(state.moves) in moves, f"expected {' or '.join(map(str, moves))} moves left in this phase", "head")
    at_limit = state.phase == ENDED and state.reason == ROUND_LIMIT
    rounds, turns, limit = int(state.rounds), int(state.turns), int(game.law.round_limit)
    if at_limit:
        _require(limit > 0 and rounds == limit and turns > 0, "the last round is not over", "head")
        _require(state.turn == game.seats - 1, "a round ends with the last seat's turn", "head")
        rounds, turns = rounds - 1, turns - 1
    else:
        _require(limit == 0 or rounds < limit, f"the game ends after {limit} rounds", "head")
    first = rounds * game.seats + int(state.turn) - turns  # the seat that began
    firsts = range(game.seats if game.law.draw_first else 1)
    _require(first in firsts, "rounds, turns and the family whose turn it is do not go together", "head")


def _check_terms(game: Game, state: Any) -> None:
    law, turn = game.law, int(state.turn)
    waiting = int(unheard_captor(state))
    at_limit = state.phase == ENDED and state.reason == ROUND_LIMIT
    if state.phase == TERMS:
        _require(waiting != NOBODY, "nobody has terms to name", "head")
    else:
        _require(waiting == NOBODY or at_limit, f"{piece_name(waiting)} has not named its terms", "terms")
    for captor in range(3 * game.seats):
        term = int(state.term[captor])
        if term == UNNAMED:
            continue
        where, own = f"terms: {piece_name(captor)}", state.captor[3 * turn : 3 * turn + 3]
        _require(not at_limit, "terms end with the turn", where)
        _require(captor in own, f"it holds nobody of {family_name(turn)}", where)
        _require(state.phase != TERMS or captor < waiting, "captors name their terms in seat order", where)
        _require(term != TERM_IS_NONE or law.none_cost == 1, "none is settled at once under these house rules", where)
        picks = term == TERM_IS_CHOICE
        _require(
            not picks or (law.hostage_picks_torch and has_torches(state, law, captor // 3)), "the captor names the torch", where
        )
        named = term >= TERM_IS_UNTORCH
        _require(not named or not law.hostage_picks_torch, "the hostage's family picks the torch", where)
        _require(term < TERM_IS_DESTROY or not is_settled(state, law, captor), "what it asks for is not on the board", where)


def _check_landing(game: Game, state: Any) -> None:
    """The phases within a move: a decision must be left."""
    law, turn, mover = game.law, int(state.turn), int(state.mover)
    if state.phase == TAKING:
        held = [piece for piece in range(3 * game.seats) if state.captor[piece] == mover]
        _require(mover % 3 != S, "a child takes nobody", "head")
        _require(state.captor[mover] == NOBODY, f"{piece_name(mover)} is a hostage", "head")
        _require(len(held) == state.taken, f"{piece_name(mover)} holds {len(held)} hostages", "head")
        _require(bool(victims(state, law, mover)), f"{piece_name(mover)} can take nobody", "head")
        if not law.scope_piece:
            free = all(state.captor[piece] == NOBODY for piece in range(3 * turn, 3 * turn + 3))
            _require(free, f"{family_name(turn)} is in another hostage situation", "head")
    if state.phase == RIDING:
        _require(bool(law.ride and can_destroy_any(state, law)), "the child can destroy nothing within its move", "head")
        _require(_came_over_a_bridge(game, state, turn), "the child has come over no bridge of its own", "head")


def _came_over_a_bridge(game: Game, state: Any, family: int) -> bool:
    here = int(state.pos[3 * family + S])
    own = [bridge_number(game.law, int(line), family) for line in game.law.line_to[here, : game.law.degree[here]]]
    return any(each in bridges_in(state.used) and not is_burning(state, each) for each in own)


def _check_end(game: Game, state: Any) -> None:
    home, winner = int(family_at_home(state, game.law)), int(state.winner)
    if state.phase in (TERMS, MOVES):
        _require(home == NOBODY, f"the family of {family_name(home)} is home: the game is over", "head")
    if state.phase == ENDED and state.reason == HOME:
        _require(home != NOBODY and winner == home, "the winner's family is not home, or not the first", "head")
    if state.phase == ENDED and state.reason == ROUND_LIMIT:
        _require(home == NOBODY, f"the family of {family_name(home)} is home", "head")
        _require(winner == nearest_family(state, game.law), "not the child with the fewest lines left", "head")
