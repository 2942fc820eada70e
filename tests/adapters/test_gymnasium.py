"""Games as environments of Gymnasium for one agent: its own check, and its own vector of single environments beside ours."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import bridgehead
from bridgehead.adapters.gymnasium import Env, VectorEnv
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, IllegalAction
from variants import make

SHORT: dict[str, dict[str, Any]] = {
    "barricade": {"board": "mini", "turnLimit": 12, "seats": 2},
    "burning_bridges": {"seats": 2, "roundLimit": 3},
    "forty_bridges": {"quietLimit": 12},
    "front_lines": {"rows": 2, "lives": 1},
}
every_game = pytest.mark.parametrize("name", sorted(registry.specs()))
MODES = list(AutoresetMode)


def game_of(name: str) -> Any:
    return make(name, SHORT[name])


def chosen(masks: Any, rng: random.Random) -> list[int]:
    return [int(rng.choice(np.flatnonzero(row))) if row.any() else 0 for row in masks]


@every_game
@pytest.mark.filterwarnings("ignore:.*has no `spec`|.*spec.*None|.*Casting")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_it_passes_gymnasiums_check(name: str) -> None:
    check_env(Env(game_of(name), illegal="replace"), skip_render_check=True)


@every_game
@pytest.mark.parametrize("mode", MODES, ids=[mode.value for mode in MODES])
def test_many_games_at_once_are_as_gymnasiums_vector_of_single_ones(name: str, mode: AutoresetMode) -> None:
    game, rng = game_of(name), random.Random(name)
    ours = VectorEnv(game, 3, max_cycles=9, autoreset_mode=mode, threads=1)
    singles: list[Callable[[], Env]] = [partial(Env, game, seat=g % game.seats, max_cycles=9) for g in range(3)]
    theirs = SyncVectorEnv(singles, autoreset_mode=mode)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    (seen, infos), (seen_there, infos_there) = ours.reset(seed=4), theirs.reset(seed=4)
    ended = np.zeros(3, np.bool_)
    for _ in range(25):
        assert data_equivalence(seen, seen_there) and seen in ours.observation_space
        assert (infos["action_mask"] == infos_there["action_mask"]).all() and (infos["seat"] == infos_there["seat"]).all()
        if mode == AutoresetMode.DISABLED and ended.any():
            options = {"reset_mask": ended}
            (seen, infos), (seen_there, _) = ours.reset(options=options), theirs.reset(options=dict(options))
            assert data_equivalence(seen, seen_there)
        actions = np.array(chosen(infos["action_mask"], rng))
        seen, rewards, terminations, truncations, infos = ours.step(actions)
        seen_there, rewards_there, terminations_there, truncations_there, infos_there = theirs.step(actions)
        assert rewards.tolist() == rewards_there.tolist()
        assert terminations.tolist() == terminations_there.tolist() and truncations.tolist() == truncations_there.tolist()
        ended = terminations | truncations
        if mode == AutoresetMode.SAME_STEP and ended.any():
            assert infos["_final_obs"].tolist() == infos_there["_final_obs"].tolist() == ended.tolist()
            for g in np.flatnonzero(ended):
                assert data_equivalence(infos["final_obs"][g], infos_there["final_obs"][g])
            infos_there["action_mask"] = np.where(ended[:, None], infos["action_mask"], infos_there["action_mask"])
            infos_there["seat"] = infos["seat"]


def test_the_agent_meets_a_computer_player_or_a_policy() -> None:
    game, rng = make("forty_bridges", SHORT["forty_bridges"]), random.Random(1)
    met: list[int] = []

    def first(seen: Any, mask: Any) -> Any:
        met.extend(int(row.sum()) for row in mask if row.any())
        assert seen["fields"].shape[1:] == (7, 9, 9)
        return np.argmax(mask, axis=1)

    for opponent in (bridgehead.player("forty_bridges", level=1, seed=2), first):
        envs = VectorEnv(game, 4, opponent=opponent, autoreset_mode=AutoresetMode.SAME_STEP)
        _, infos = envs.reset(seed=1)
        paid = 0.0
        for _ in range(16):
            assert infos["seat"].tolist() == [0, 1, 0, 1]
            _, rewards, _, _, infos = envs.step(chosen(infos["action_mask"], rng))
            assert (np.take_along_axis(infos["rewards"], np.array([[0], [1], [0], [1]]), 1)[:, 0] == rewards).all()
            paid += np.abs(rewards).sum()
    assert met


def test_in_self_play_the_agent_has_every_seat_and_the_reward_of_its_own_action() -> None:
    game, rng = make("front_lines", SHORT["front_lines"]), random.Random(2)
    envs = VectorEnv(game, 2, opponent="self", autoreset_mode=AutoresetMode.NEXT_STEP, max_cycles=30)
    _, infos = envs.reset(seed=3)
    seats = set()
    for _ in range(60):
        acting = infos["seat"].copy()
        _, rewards, terminations, _, infos = envs.step(chosen(infos["action_mask"], rng))
        assert rewards.tolist() == infos["rewards"][[0, 1], acting].tolist()
        seats |= set(acting.tolist())
        for g in np.flatnonzero(terminations):
            assert set(infos["rewards"][g]) <= {-1.0, 0.0, 1.0}
    assert seats == {0, 1, 2, 3}


def test_what_is_wrong_is_named() -> None:
    game = make("forty_bridges", {})
    with pytest.raises(BridgeheadError, match=r"call reset\(\) first"):
        VectorEnv(game, 2).step([0, 0])
    for more, where in (
        ({"opponent": "god"}, "opponent"),
        ({"seat": 2}, "seat"),
        ({"illegal": "x"}, "illegal"),
        ({"max_cycles": 0}, "max"),
    ):
        with pytest.raises(BridgeheadError, match=where):
            VectorEnv(game, 2, **more)
    envs = VectorEnv(game, 2)
    _, infos = envs.reset(seed=1)
    wrong = [int(np.flatnonzero(row == 0)[0]) for row in infos["action_mask"]]
    with pytest.raises(IllegalAction, match="game 0"):
        envs.step(wrong)
    replaced = VectorEnv(game, 2, illegal="replace")
    replaced.reset(seed=1)
    replaced.step(wrong)
    assert all(len(text) > 5 for text in replaced.render())


def test_a_wrapper_of_gymnasium_fits() -> None:
    env: Any = gymnasium.wrappers.FlattenObservation(Env(make("forty_bridges", {})))
    seen, info = env.reset(seed=1)
    assert seen.shape == (7 * 9 * 9 + 4,) and seen in env.observation_space
    assert (env.unwrapped.action_masks() == info["action_mask"].astype(bool)).all()
