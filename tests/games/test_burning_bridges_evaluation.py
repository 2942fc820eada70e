"""Burning Bridges' evaluation: chances of all families add up to one, and say what the value of each says."""

import math

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.games.burning_bridges import evaluate
from bridgehead.workshop.learning import training


def positions(seats: int, actions: int) -> list[Position]:
    """What comes up in a game at random."""
    match, dealer, lot = Match(registry.game("burning_bridges", seats=seats)), SeededDealer(1), SeededDealer(2)
    found = []
    for index in range(actions):
        match.deal(dealer)
        found.append(match.position)
        match.play(lot.pick(match.position.legal, index))
    return found


@pytest.mark.parametrize("seats", [2, 5])
def test_all_seats_are_judged_as_each_is_valued(seats: int) -> None:
    result = np.zeros(seats)
    for position in positions(seats, 40)[::4]:
        state, law = position.copy_states()[0], position.game.law
        evaluate.judge(state, law, result)
        assert ((1 + result) / 2).sum() == pytest.approx(1.0)
        for seat in range(seats):
            assert result[seat] == pytest.approx(math.tanh(evaluate.value(state, law, seat) / (2 * evaluate.SCALE)), abs=1e-9)


def test_a_standing_is_the_sum_of_what_is_counted_times_its_weight() -> None:
    for position in positions(3, 60)[::6]:
        state, law = position.copy_states()[0], position.game.law
        standings = training.counts(position, 0) @ evaluate.WEIGHTS
        for seat in range(3):
            assert standings[seat] == pytest.approx(evaluate.standing(state, law, seat, evaluate.WEIGHTS), rel=1e-4)


def test_a_family_nearer_home_stands_better() -> None:
    position = positions(5, 2)[1]
    state, law = position.copy_states()[0], position.game.law
    before = [evaluate.value(state, law, seat) for seat in range(5)]
    goals = [pillar for pillar in range(law.pillars) if law.goal_distance[2, pillar] == 1]
    state.pos[6:9] = goals[0]  # the whole family one line before its goals
    after = [evaluate.value(state, law, seat) for seat in range(5)]
    assert after[2] > before[2] + 20
    assert all(after[seat] < before[seat] for seat in (0, 1, 3, 4))
