"""What Barricade's evaluation counts, and that its chances are chances."""

import heapq
import importlib
import math
from typing import Any

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.games.barricade.rules import OVER, PLACE
from bridgehead.players import player
from waiting import lines

moves: Any = importlib.import_module("bridgehead.games.barricade.rules")
evaluate: Any = importlib.import_module("bridgehead.games.barricade.evaluate")
QUICK = 1_000_000  # lines of Python; 720,000 take less than a tenth of a second on a quiet machine
GAMES: list[dict[str, Any]] = [{"seats": 2}, {"seats": 4}, {"teams": "0,2/1,3"}, {"seats": 3, "teams": "0,2/1"}, {"board": "six"}]


def met(game: Game, seed: int, actions: int) -> list[Position]:
    """Positions of a game played at random, in which somebody is to decide."""
    match, dealer, lot, found = Match(game), SeededDealer(f"chance:{seed}"), SeededDealer(f"lot:{seed}"), []
    while match.outcome is None and len(match.log) < actions:
        match.deal(dealer)
        if match.outcome is None:
            found.append(match.position)
            match.play(lot.pick(match.position.legal, len(match.log)))
    return found


def state_of(position: Position) -> Any:
    return position.copy_states()[0]


def empty(game: Game) -> Any:
    """A position with neither pawns on the board nor barricades, the first seat to roll."""
    state = state_of(met(game, 1, 3)[0])
    game.spec.rules.setup(state, game.law)
    state.barricades[:] = 0
    state.phase = 2
    return state


def square(game: Game, name: str) -> int:
    return game.board.names.index(name)


def put(game: Game, state: Any, seat: int, name: str) -> None:
    moves.lift(state, game.law, int(game.law.home[seat]))
    moves.put(state, game.law, seat, square(game, name))


def bar(game: Game, state: Any, name: str) -> None:
    place = square(game, name)
    state.barricades[place >> 6] |= np.uint64(1 << (place & 63))


@pytest.mark.parametrize("options", GAMES)
def test_the_chances_of_all_sides_are_one_and_mates_share_theirs(options: dict[str, Any]) -> None:
    game = registry.game("barricade", **options)
    for position in met(game, 5, 400)[::40]:
        state, result = state_of(position), np.zeros(game.seats)
        evaluate.judge(state, game.law, result)
        chances = {game.sides[seat]: (1 + float(result[seat])) / 2 for seat in range(game.seats)}
        assert sum(chances.values()) == pytest.approx(1)
        for seat in range(game.seats):
            worth = evaluate.value(state, game.law, seat)
            assert 1 / (1 + math.exp(-worth / evaluate.SCALE)) == pytest.approx(chances[game.sides[seat]])
            assert result[seat] == result[game.sides[seat]]


def test_the_cheapest_way_is_the_cheapest_of_all() -> None:
    game = registry.game("barricade", seats=2)
    for position in met(game, 7, 600)[::60]:
        state = state_of(position)
        costs, steps, barricades = evaluate.ways_to_final(state, game.law)
        stand = {s for s in range(game.law.squares) if int(state.barricades[s >> 6]) >> (s & 63) & 1}
        best, waiting = {game.board.final: 0}, [(0, game.board.final)]
        while waiting:
            cost, here = heapq.heappop(waiting)
            for near in game.board.neighbours[here]:
                further = cost + 1 + evaluate.BARRICADE_PRICE * (here in stand and here != game.board.final)
                if further < best.get(near, 10_000):
                    best[near] = further
                    heapq.heappush(waiting, (further, near))
        assert costs.tolist() == [best[s] for s in range(game.law.squares)]
        for s in range(game.law.squares):
            assert (barricades[s] == 0) == (costs[s] == steps[s])
            assert any(game.law.steps[s, other] <= steps[s] for other in {*(stand - {game.board.final}), game.board.final})


def shots(game: Game, state: Any, side: int, ways: Any, first: int) -> Any:
    return evaluate.shots(game.law, evaluate.places_of(state, game.law, side), ways, first)


def test_rolls_that_win_and_rolls_that_hit_are_counted_once() -> None:
    game = registry.game("barricade", seats=2)
    state = empty(game)
    put(game, state, 0, "i13")  # the final square is i14
    ways = evaluate.ways_to_final(state, game.law)
    first = evaluate.runners(state, game.law, evaluate.places_of(state, game.law, 0), ways)[0]
    assert first == 1 and shots(game, state, 0, ways, first) == (1, 1)
    put(game, state, 0, "h13")
    put(game, state, 0, "j13")  # two steps, like h13
    assert shots(game, state, 0, ways, first) == (2, 2)
    bar(game, state, "i14")
    assert shots(game, state, 0, evaluate.ways_to_final(state, game.law), first) == (2, 2), "it wins all the same"
    put(game, state, 1, "e13")
    bar(game, state, "g13")
    ways = evaluate.ways_to_final(state, game.law)
    assert evaluate.runners(state, game.law, evaluate.places_of(state, game.law, 1), ways)[-1] == 1
    assert shots(game, state, 1, ways, 6) == (1, 0), "with a two"


def test_a_pawn_with_an_opponent_at_its_heels_is_in_danger_and_more_so_when_that_one_rolls() -> None:
    game = registry.game("barricade", seats=2)
    state = empty(game)
    put(game, state, 0, "i13")
    places, ways = evaluate.places_of(state, game.law, 0), evaluate.ways_to_final(state, game.law)
    calm = evaluate.dangers(state, game.law, 0, places, ways)
    put(game, state, 1, "e13")  # four steps away
    state.seat = 0
    ways = evaluate.ways_to_final(state, game.law)
    now, later = evaluate.dangers(state, game.law, 0, places, ways)
    state.seat = 1
    assert calm == (0, 0) and now == 0 < later
    assert evaluate.dangers(state, game.law, 0, places, ways) == (later, 0)


def test_barricades_are_put_before_others_not_before_oneself() -> None:
    game = registry.game("barricade", seats=2)
    state = empty(game)
    put(game, state, 0, "a13")
    put(game, state, 1, "q13")
    state.phase, state.seat = PLACE, 0
    worth = {}
    for name in ("d13", "n13"):
        after = state.copy()
        bar(game, after, name)
        after.phase, after.seat = 2, 1
        worth[name] = evaluate.value(after, game.law, 0)
    assert worth["n13"] > worth["d13"]


def test_what_is_decided_counts_for_more_than_anything_else() -> None:
    game = registry.game("barricade", teams="0,2/1,3")
    state = empty(game)
    state.phase, state.reason, state.seat = OVER, 1, 2
    assert [evaluate.value(state, game.law, seat) > 1000 for seat in range(4)] == [True, False, True, False]
    assert [evaluate.value(state, game.law, seat) < -1000 for seat in range(4)] == [False, True, False, True]


def test_one_look_ahead_is_quick_even_uncompiled() -> None:
    game = registry.game("barricade")
    positions = [position for position in met(game, 3, 900) if len(position.legal) > 80]
    assert positions, "where a barricade is to be placed"
    assert lines(lambda: player("greedy", 1).choose(positions[0])) < QUICK
