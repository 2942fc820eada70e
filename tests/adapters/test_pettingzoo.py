"""Games as environments of PettingZoo: its own tests over all games and presets, and what they do not ask."""

import copy
import pickle
import random
import sys
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, seed_test
from pettingzoo.utils.conversions import parallel_to_aec

import bridgehead
from bridgehead import environments
from bridgehead.adapters.pettingzoo import Environment, parallel_env
from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, IllegalAction
from bridgehead.core.game import Game, again

SETS = [(name, preset) for name, spec in registry.specs().items() for preset in ("", *spec.options.PRESETS)]
every_set = pytest.mark.parametrize(("name", "preset"), SETS, ids=["-".join(filter(None, each)) for each in SETS])
SHORT: dict[str, dict[str, Any]] = {
    "barricade": {"board": "mini", "turnLimit": 60},
    "burning_bridges": {"seats": 2, "roundLimit": 6},
    "front_lines": {"rows": 3},
}
# Environments of board games have an action mask in their observations; PettingZoo knows its own by name only.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


def started(name: str, seed: int = 7, **more: Any) -> Environment:
    env = bridgehead.env(name, **SHORT.get(name, {}), **more)
    env.reset(seed=seed)
    return env


def chosen(env: Environment, rng: random.Random) -> int | None:
    """An action of the agent that is to act, by lot."""
    seen, _, terminated, truncated, _ = env.last()
    return None if terminated or truncated else int(rng.choice(np.flatnonzero(seen["action_mask"])))


@every_set
@pytest.mark.filterwarnings("error")
def test_it_passes_pettingzoos_api_test_and_seed_test(name: str, preset: str) -> None:
    api_test(bridgehead.env(name, preset=preset), num_cycles=40)
    seed_test(partial(bridgehead.env, name, preset=preset), num_cycles=20)


@pytest.mark.long
@every_set
@pytest.mark.parametrize("more", [{}, {"max_cycles": 70}], ids=["whole", "cut"])
def test_it_passes_them_at_length(name: str, preset: str, more: dict[str, int]) -> None:
    api_test(bridgehead.env(name, preset=preset, **more), num_cycles=1000)
    seed_test(partial(bridgehead.env, name, preset=preset, **more), num_cycles=500)


@every_set
def test_it_passes_pettingzoos_max_cycles_test(name: str, preset: str) -> None:
    """It lets every agent act in every cycle, without a mask: that is the parallel form, and PettingZoo's AEC form of that."""
    parallel = partial(parallel_env, name, preset=preset, illegal="replace")
    max_cycles_test(SimpleNamespace(parallel_env=parallel, env=lambda **more: parallel_to_aec(parallel(**more))))


@every_set
def test_a_game_is_cut_off_after_as_many_decisions(name: str, preset: str) -> None:
    env, rng = bridgehead.env(name, preset=preset, max_cycles=5), random.Random(2)
    for seed in (1, None):
        env.reset(seed=seed)
        for decision in range(5):
            assert not any(env.truncations.values()), decision
            env.step(chosen(env, rng))
        assert env.truncations == dict.fromkeys(env.possible_agents, True)
        assert not any(env.terminations.values()) and not any(env.rewards.values())


@pytest.mark.parametrize("name", sorted(registry.specs()))
def test_agents_act_as_the_game_says_and_the_end_pays_what_it_says(name: str) -> None:
    env, rng, paid = started(name), random.Random(5), {}
    for agent in env.agent_iter():
        _, reward, terminated, _, _ = env.last()
        if terminated:
            paid[agent] = reward
        else:
            assert agent == f"seat_{env.position.actor}"
            assert not any(env.observe(other)["action_mask"].any() for other in env.agents if other != agent)
            assert tuple(np.flatnonzero(env.observe(agent)["action_mask"])) == env.position.legal
        env.step(chosen(env, rng))
    assert env.agents == [] and env.position.outcome is not None
    assert tuple(paid[agent] for agent in env.possible_agents) == env.position.outcome.returns


@pytest.mark.parametrize("name", sorted(registry.specs()))
def test_a_copy_goes_on_by_itself_and_a_pickle_as_well(name: str) -> None:
    env, rng = started(name, max_cycles=60), random.Random(3)
    for _ in range(6):
        env.step(chosen(env, rng))
    before, copies = env.position, [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    while not env.position.is_over and not any(env.truncations.values()):
        action = chosen(env, rng)
        assert [each.agent_selection for each in copies] == [env.agent_selection] * 2
        for each in (env, *copies):
            each.step(action)
        assert [each.position for each in copies] == [env.position] * 2, "the same actions and the same chance"
    other = started(name)
    other.reset(seed=7)
    twin = copy.deepcopy(other)
    twin.step(chosen(twin, rng))
    assert other.position != twin.position and before != env.position


def test_a_copy_may_be_dealt_other_dice_than_its_original() -> None:
    rolls = set()
    for seed in range(30):
        trial = started("barricade")
        trial.deal_anew(seed)
        trial.step(int(trial.position.legal[0]))
        rolls.add(int(trial.position.state.die))
    assert rolls == {1, 2, 3, 4, 5, 6}


def test_positions_and_games_are_values_that_copy_to_themselves_and_pickle_to_equal_ones() -> None:
    start = bridgehead.game("barricade", board="mini").start()
    position = start.play(start.legal[1])
    for value in (position, position.game):
        assert copy.copy(value) is value and copy.deepcopy(value) is value
        assert pickle.loads(pickle.dumps(value)) == value
    assert pickle.loads(pickle.dumps(position)).legal == position.legal
    with pytest.raises(BridgeheadError, match="pickled under rules 0"):
        again("bridgehead.games.barricade", "barricade", "0", "{}")


def test_an_illegal_action_is_refused_by_its_clause_or_replaced() -> None:
    env = started("forty_bridges")
    before, legal = env.position, env.position.legal
    wrong = next(action for action in range(env.game.action_count) if action not in legal)
    with pytest.raises(IllegalAction) as refused:
        env.step(wrong)
    assert refused.value.refusal.clause.startswith("FB") and env.position is before
    with pytest.raises(BridgeheadError, match="seat_0 is to act"):
        env.step(None)
    reached = set()
    for seed in (*range(20), 0):
        env = started("forty_bridges", seed, illegal="replace")
        env.step(wrong)
        reached.add((seed, env.position))
    assert len(reached) == 20, "the same seed draws the same action"
    assert len({position for _, position in reached} & {before.play(action) for action in legal}) > 1


def test_what_is_wrong_with_an_environment_is_named() -> None:
    with pytest.raises(BridgeheadError, match=r"call reset\(\) first"):
        bridgehead.env("barricade").last()
    with pytest.raises(BridgeheadError, match="max_cycles"):
        bridgehead.env("barricade", max_cycles=0)
    with pytest.raises(BridgeheadError, match="illegal: 'maybe' is none of: refuse, replace"):
        bridgehead.env("barricade", illegal="maybe")
    with pytest.raises(BridgeheadError, match="render_mode"):
        bridgehead.env("barricade", render_mode="rgb_array")
    with pytest.raises(BridgeheadError, match="house rules already: seats"):
        bridgehead.env(bridgehead.game("barricade"), seats=2)
    with pytest.raises(BridgeheadError, match="no house rule 'speed'"):
        bridgehead.env("barricade", speed=2)


def test_another_packages_game_is_an_environment_too(capsys: pytest.CaptureFixture[str]) -> None:
    from connect_four import SPEC

    env = bridgehead.env(Game(SPEC, house.build(SPEC)), render_mode="human")
    api_test(env, num_cycles=20)
    capsys.readouterr()
    env.render()
    assert capsys.readouterr().out.strip() == env.position.text
    assert bridgehead.env("barricade", render_mode="ansi").metadata["name"] == "barricade_v1"


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "bridgehead.adapters.pettingzoo")
    monkeypatch.delattr(bridgehead.adapters, "pettingzoo")
    with pytest.raises(BridgeheadError, match=r"pip install 'bridgehead\[pettingzoo\]'"):
        bridgehead.env("barricade")


@pytest.mark.parametrize("name", sorted(registry.specs()))
def test_one_game_and_many_agree_step_by_step(name: str) -> None:
    """The environment of PettingZoo, and the same game as the third of a batch: chance, observations, masks, rewards, ends."""
    game, rng = bridgehead.game(name, **SHORT.get(name, {})), random.Random(name)
    env, games = bridgehead.env(game, max_cycles=40), environments.start(game, 3, 7, limit=40, autoreset="stay", threads=1)
    env.reset(seed=9)
    while env.agents and not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        step, seat = games.last, env.possible_agents.index(env.agent_selection)
        seen = env.observe(env.agent_selection)
        assert step.actors[2] == seat and (seen["action_mask"] == step.mask[2]).all()
        assert all(np.array_equal(array, step.observations[part][2]) for part, array in seen["observation"].items())
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        env.step(action)
        games.step([-1, -1, action])
        assert env.position == games.position(2)
        assert [env.rewards[agent] for agent in env.possible_agents] == games.last.rewards[2].tolist()
    assert set(env.terminations.values()) == {bool(games.last.terminated[2])}
    assert set(env.truncations.values()) == {bool(games.last.truncated[2])} != set(env.terminations.values())
