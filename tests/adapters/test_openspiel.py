"""Games as games of OpenSpiel: its own test over all games and presets, and what it does not ask."""

import json
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest

import bridgehead
from bridgehead.adapters import openspiel
from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, OptionError, UnknownGame
from variants import changes

pytestmark = pytest.mark.wide
SETS = [(name, preset) for name, spec in registry.specs().items() for preset in ("none", *spec.options.PRESETS)]
LAYOUT = json.dumps([["2H", "9S", "KH", "5D"], ["2S", "JC", "3C", "4D"]])
TWIN = json.dumps([["2H", "9S", "KH", "5D"], ["4D", "3C", "JC", "2S"]])
kinds = pyspiel.GameType


@pytest.fixture(autouse=True, scope="module")
def registered() -> Iterator[None]:
    assert openspiel.register() == openspiel.register() == [f"bridgehead_{name}" for name in registry.specs()]
    yield


def loaded(name: str, **params: Any) -> Any:
    return pyspiel.load_game(f"bridgehead_{name}", params)


def walked(game: Any, seed: int, plies: int) -> Any:
    state, rng = game.new_initial_state(), random.Random(seed)
    for _ in range(plies):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(("name", "preset"), SETS)
def test_it_passes_openspiels_random_sim_test(name: str, preset: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(loaded(name, preset=preset, maxLength=150), num_sims=2, serialize=True, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize(("name", "preset"), SETS)
def test_it_passes_it_at_length(name: str, preset: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(loaded(name, preset=preset, maxLength=1000), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("name", sorted(registry.specs()))
def test_a_clone_goes_on_by_itself_and_what_is_serialised_comes_back(name: str) -> None:
    game = loaded(name, maxLength=100)
    state = walked(game, 4, 30)
    text, clone = str(state), state.clone()
    again, revived = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    pickled = pickle.loads(pickle.dumps(state))
    for other in (clone, revived, pickled):
        assert other.history() == state.history() and other.position == state.position and other.left == state.left
        other.apply_action(other.legal_actions()[-1])
        assert other.position != state.position and other.left == state.left - 1
    assert str(state) == text and len(state.history()) == 30
    assert str(again) == str(game) and again.bridgehead == game.bridgehead and again.length == 100


@pytest.mark.parametrize("name", sorted(registry.specs()))
def test_every_house_rule_is_a_parameter_and_the_games_text_makes_it_again(name: str) -> None:
    spec = registry.spec(name)
    for change in changes(name):
        params = {key: openspiel._parameter(house.kinds(spec)[key], value) for key, value in change.items()}
        game = loaded(name, **params)
        assert game.bridgehead.options == bridgehead.game(name, **change).options, change
        assert pyspiel.load_game(str(game)).bridgehead == game.bridgehead, change


def test_house_rules_stand_as_people_write_them() -> None:
    drawn = pyspiel.load_game("bridgehead_forty_bridges(first=random,quietLimit=-1,bentJumps=True)")
    assert drawn.bridgehead.differences == {"first": "random", "quietLimit": None, "bentJumps": True}
    texts = loaded("barricade", board="mini", homes="1,2", exitRoll="6")
    assert texts.bridgehead.differences | {"board": "mini", "homes": "1,2", "exitRoll": 6} == texts.bridgehead.differences
    leap = pyspiel.load_game("bridgehead_front_lines(preset=leap,lives=1)")
    assert leap.bridgehead == bridgehead.game("front_lines", preset="leap", lives=1)
    with pytest.raises(OptionError, match="allowed: none, 2 to 6"):
        loaded("barricade", seats=9)
    with pytest.raises(UnknownGame):
        openspiel.register("chess")


def test_what_kind_of_game_it_is_depends_on_its_house_rules() -> None:
    def told(name: str, **params: Any) -> tuple[Any, Any, Any]:
        of = loaded(name, **params).get_type()
        return of.chance_mode, of.information, of.utility

    plain, dealt = kinds.ChanceMode.DETERMINISTIC, kinds.ChanceMode.EXPLICIT_STOCHASTIC
    seen, hidden = kinds.Information.PERFECT_INFORMATION, kinds.Information.IMPERFECT_INFORMATION
    zero, general = kinds.Utility.ZERO_SUM, kinds.Utility.GENERAL_SUM
    assert told("forty_bridges") == (plain, seen, zero)
    assert told("forty_bridges", first="random") == (dealt, seen, zero)
    assert told("burning_bridges") == (dealt, seen, general)
    assert told("burning_bridges", seats=2, firstPlayer="seat0") == (plain, seen, zero)
    assert told("front_lines") == (dealt, seen, zero)
    assert told("front_lines", seats=3, allow3=True) == (dealt, seen, general)
    assert told("front_lines", rows=2, layout=LAYOUT) == (dealt, hidden, zero)
    assert told("barricade") == (dealt, seen, general)
    assert told("barricade", teams="0,2/1,3") == (dealt, seen, zero)


def test_chance_is_a_node_with_exact_chances_and_ends_pay_what_the_game_says() -> None:
    game, rng, unequal = loaded("front_lines", rows=2, seats=2, jokersInField=2), random.Random(8), 0
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            weights = state.position.weights
            assert [chance * sum(weights) for _, chance in state.chance_outcomes()] == pytest.approx(weights)
            unequal += len(set(weights)) > 1
        state.apply_action(rng.choice(state.legal_actions()))
    assert unequal and state.returns() == list(state.position.outcome.returns) and any(state.returns())
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)


def test_a_game_is_cut_off_after_as_many_actions_and_nobody_wins() -> None:
    game = loaded("barricade", maxLength=9)
    state = walked(game, 1, 8)
    assert not state.is_terminal()
    state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.returns() == [0.0] * 4 and len(state.history()) == game.max_game_length() == 9
    assert not state.legal_actions() and state.current_player() == pyspiel.PlayerId.TERMINAL


def test_a_game_may_begin_at_a_position() -> None:
    position = bridgehead.game("forty_bridges").start()
    later = position.play(position.legal[3])
    state = loaded("forty_bridges").new_initial_state(later.text)
    assert state.position == later and str(state) == later.text and state.current_player() == later.actor
    assert state.action_to_string(1, later.legal[0]) == later.name(later.legal[0])


def test_who_looks_at_equal_tables_observes_the_same_whatever_lies_face_down() -> None:
    games = [loaded("front_lines", rows=2, seats=2, layout=layout) for layout in (LAYOUT, TWIN)]
    states, rng = [game.new_initial_state() for game in games], random.Random(1)
    for _ in range(300):
        for seat in range(2):
            assert len({state.observation_string(seat) for state in states}) == 1
            assert len({state.information_state_string(seat) for state in states}) == 1
            assert np.array_equal(*(state.observation_tensor(seat) for state in states))
        if states[0].legal_actions() != states[1].legal_actions():
            break
        action = rng.choice(states[0].legal_actions())
        for state in states:
            state.apply_action(action)
    assert states[0].is_chance_node() and not states[0].is_terminal(), "a card of the second row is turned over"
    for state in states:
        state.apply_action(state.legal_actions()[0])
    assert states[0].observation_tensor(0) != states[1].observation_tensor(0)


def test_observations_have_names_and_can_be_private_alone() -> None:
    from open_spiel.python.observation import make_observation

    game = loaded("barricade", board="mini")
    state = walked(game, 2, 5)
    full = make_observation(game)
    full.set_from(state, 1)
    assert full.dict["own seat"].tolist() == [0, 1] and full.dict["fields"].shape[1:] == (
        game.bridgehead.board.height,
        game.bridgehead.board.width,
    )
    assert full.tensor.tolist() == state.observation_tensor(1)
    private = make_observation(game, pyspiel.IIGObservationType(public_info=False, perfect_recall=False))
    private.set_from(state, 1)
    assert private.dict["own seat"].tolist() == [0, 1] and private.tensor.sum() == 1
    assert private.string_from(state, 1) == "seat 1"


ALONE = """
import sys, bridgehead
assert bridgehead.game("forty_bridges") and not {"pyspiel", "pettingzoo", "gymnasium"} & sys.modules.keys()
from bridgehead.adapters import openspiel
openspiel.register()
openspiel.pyspiel.load_game("bridgehead_barricade()").new_initial_state()
"""


def test_nothing_of_it_is_imported_unasked_and_python_ends_as_it_should_with_games_registered() -> None:
    assert subprocess.run([sys.executable, "-c", ALONE], capture_output=True).returncode == 0


def test_a_house_rule_is_called_as_in_the_rulebook() -> None:
    told = loaded("barricade").get_type().parameter_specification
    assert told.keys() - {"preset", "maxLength"} == {info.name for info in house.describe(registry.spec("barricade"))}


def test_a_game_is_loaded_with_the_arguments_of_the_other_environments() -> None:
    game = openspiel.load_game("barricade", seats=2, board="mini", max_length=500)
    assert game.bridgehead == bridgehead.game("barricade", seats=2, board="mini") and game.max_game_length() == 500
    assert openspiel.load_game(game.bridgehead).bridgehead == game.bridgehead
    for wrong in ({"speed": 2}, {"seats": 99}, {"preset": "moon"}, {"max_length": 0}, {"max_length": 1.5}):
        with pytest.raises(BridgeheadError, match=next(iter(wrong))):
            openspiel.load_game("barricade", **wrong)
    with pytest.raises(BridgeheadError, match="house rules already: seats"):
        openspiel.load_game(game.bridgehead, seats=2)
