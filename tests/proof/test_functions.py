"""What compiled loops take for granted of every game's rules, where a `Position` would hide a slip."""

import random

import numpy as np
import pytest
from pair import GAMES
from tiny import chain

from bridgehead.core.match import Match
from bridgehead.core.spec import OVER
from variants import at_random, make, mixture

SHORT = {  # house rules under which random games end soon, with and without a winner
    "barricade": [{"board": "mini", "seats": 2, "turnLimit": 6}, {"seats": 4, "teams": "0,2/1,3", "turnLimit": 12}],
    "burning_bridges": [
        {"seats": 3, "roundLimit": 2},
        {"seats": 2, "board": chain(("P0", "P1"), "P0-P1"), "roundLimit": 40, "captureMandatory": True},
    ],
    "forty_bridges": [{"quietLimit": 6}, {"setup": "custom", "layout": "d5,a1 b1", "first": "random"}],
    "front_lines": [{"rows": 1}, {"rows": 2, "seats": 3, "allow3": True}, {"lives": 1, "seats": 2}],
}
every_game = pytest.mark.parametrize("name", GAMES)


def ended(name: str, number: int) -> list[Match]:
    """Random matches that were played to their end."""
    found = []
    for seed in range(number):
        found.append(at_random(make(name, SHORT[name][seed % len(SHORT[name])]), random.Random(seed)))
    return found


@every_game
def test_every_seat_is_told_what_it_won_whatever_stood_there_before(name: str) -> None:
    ends = set()
    for match in ended(name, 30):
        game, winners = match.game, match.position.facts()["winners"]
        out = np.full(game.seats, 7.0)
        game.spec.rules.returns(match.position.copy_states()[0], game.law, out)
        expected = [1.0 if seat in winners else -1.0 if winners else 0.0 for seat in range(game.seats)]
        assert out.tolist() == expected, match.position.text
        ends.add(bool(winners))
    assert ends == {True, False}


@every_game
def test_a_finished_game_has_no_actor_and_no_legal_action(name: str) -> None:
    for match in ended(name, 20):
        game = match.game
        states, out = match.position.copy_states(), np.full(game.max_legal, -5, np.int32)
        assert game.spec.rules.actor(states[0], game.law) == OVER
        assert game.spec.rules.legal(states[0], game.law, out) == 0


@every_game
def test_a_used_state_is_set_up_as_a_blank_one(name: str) -> None:
    rng = random.Random(f"used {name}")
    for _ in range(12):
        game = make(name, mixture(name, rng))
        match = at_random(game, rng, 120)
        states = match.position.copy_states()
        game.spec.rules.setup(states[0], game.law)
        assert states.tobytes() == game.start().copy_states().tobytes(), game.key


@every_game
def test_finished_turns_are_counted_to_the_last(name: str) -> None:
    for match in ended(name, 20):
        last, reason = match.log[-1], match.position.facts()["reason"]
        in_between = (name, reason) == ("burning_bridges", "home")  # a family gets home in the middle of a turn
        assert match.position.turn == last.turn + (not in_between)
        assert all(b.turn - a.turn in (0, 1) for a, b in zip(match.log, match.log[1:], strict=False))
