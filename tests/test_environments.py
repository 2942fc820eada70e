"""Many games for learning agents, against positions that are played one by one."""

import pickle
import random
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest

from bridgehead import environments
from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, IllegalAction
from bridgehead.core.game import Game, Position
from bridgehead.environments import BatchStep, Environments, observer
from variants import make

GAMES = [*sorted(registry.specs()), "connect_four"]
SHORT: dict[str, dict[str, Any]] = {
    "barricade": {"board": "mini", "turnLimit": 20},
    "burning_bridges": {"seats": 2, "roundLimit": 4},
    "front_lines": {"rows": 3},
}
every_game = pytest.mark.parametrize("name", GAMES)


def game_of(name: str) -> Game:
    if name == "connect_four":
        from connect_four import SPEC

        return Game(SPEC, house.build(SPEC))
    return make(name, SHORT.get(name, {}))


def begun(name: str, n: int = 3, seed: int = 5, **more: Any) -> Environments:
    return environments.start(game_of(name), n, seed, threads=1, **more)


def chosen(step: BatchStep, rng: random.Random) -> list[int]:
    """A legal action in each game by the mask; -1 where there is none."""
    return [int(rng.choice(np.flatnonzero(row))) if row.any() else -1 for row in step.mask]


def agree(step: BatchStep, index: int, position: Position) -> None:
    """What a step brought for a game is what the position says, seen by the seat to act."""
    assert int(step.actors[index]) == position.actor
    assert tuple(np.flatnonzero(step.mask[index])) == position.legal
    seen, mask = observer(position.game).of(position, position.actor)
    assert (mask == step.mask[index]).all()
    assert all((array == step.observations[name][index]).all() for name, array in seen.items())


@every_game
def test_games_step_as_positions_do_and_pay_what_the_outcome_says(name: str) -> None:
    games, rng, ended = begun(name, autoreset="stay"), random.Random(name), 0
    for _ in range(40):
        before, actions = [games.position(g) for g in range(3)], chosen(games.last, rng)
        step = games.step(actions)
        for g, action in enumerate(actions):
            if action < 0:
                assert before[g].is_over and games.position(g) == before[g] and not step.rewards[g].any()
                continue
            after = before[g].play(action)
            if not after.is_chance:
                assert games.position(g) == after
            position = games.position(g)
            assert bool(step.terminated[g]) == position.is_over and not step.truncated[g]
            assert step.rewards[g].tolist() == list(position.outcome.returns if position.outcome else [0.0] * position.game.seats)
            ended += position.is_over
            if not position.is_over:
                agree(step, g, position)
    assert ended or name in ("burning_bridges", "forty_bridges", "barricade")


@every_game
@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_a_finished_game_begins_again_and_a_long_one_is_cut(name: str, autoreset: Any) -> None:
    games, rng = begun(name, 2, limit=4, autoreset=autoreset), random.Random(1)
    lengths = [0, 0]
    for _ in range(14):
        ended = (games.last.terminated | games.last.truncated).tolist()
        step = games.step(chosen(games.last, rng))
        for g in range(2):
            renewed = autoreset == "next_step" and ended[g]
            lengths[g] = 0 if renewed else lengths[g] + 1
            over = bool(step.terminated[g])
            assert over or bool(step.truncated[g]) == (lengths[g] == 4)
            if renewed:
                assert not step.rewards[g].any() and not over
            if (over or step.truncated[g]) and autoreset == "same_step":
                lengths[g] = 0
                assert step.actors[g] >= 0 and games.lengths[g] == 0
            assert int(games.lengths[g]) == lengths[g]
            if step.actors[g] >= 0:
                agree(step, g, games.position(g))


def test_a_game_depends_on_its_own_seed_only_and_a_clone_goes_on_alike() -> None:
    whole, alone = begun("barricade", 4, 5), begun("barricade", 1, 5 + 2)
    copies = [whole.clone(), pickle.loads(pickle.dumps(whole))]
    other = whole.clone(seed=99)
    for _ in range(12):
        actions = whole.sample()
        assert actions[2] == alone.sample()[0]
        for each in copies:
            assert (each.sample() == actions).all()
        for games in (whole, *copies):
            games.step(actions)
        alone.step(actions[2:3])
        other.step(other.sample())
    assert whole.states[2].tobytes() == alone.states[0].tobytes()
    assert {each.states.tobytes() for each in copies} == {whole.states.tobytes()} != {other.states.tobytes()}


@every_game
def test_games_begin_and_begin_again_at_given_positions(name: str) -> None:
    first = begun(name, 1)
    for _ in range(3):
        first.step(first.sample())
    given = [first.position(0), begun(name, 1, 8).position(0)]
    games = begun(name, 5, positions=given, limit=1)
    for _ in range(2):
        assert [games.position(g) for g in range(5)] == [given[g % 2] for g in range(5)]
        assert games.step(games.sample()).actors.min() >= 0


def test_an_action_that_is_refused_is_named_and_moves_no_game() -> None:
    for own in (False, True):
        games = begun("forty_bridges", own_actions=own)
        games.step(games.sample())
        actions, before = games.sample(), games.states.tobytes()
        actions[1] = int(np.flatnonzero(~games.last.mask[1])[0])
        with pytest.raises(IllegalAction, match="game 1"):
            games.step(actions)
        assert games.states.tobytes() == before
        actions[1] = -1
        games.step(actions)
        changed = [
            games.states[g].tobytes() != before[g * games.states.itemsize : (g + 1) * games.states.itemsize] for g in range(3)
        ]
        assert changed == [True, False, True], "a negative action leaves a game as it is"
    with pytest.raises(BridgeheadError):
        games.step([100_000, 0, 0])


def test_an_agent_sees_and_plays_its_own_seat_against_random_others() -> None:
    games, rng, seen = begun("front_lines", 4, seats=[0, 1, 2, 3], rival="random"), random.Random(2), 0
    for _ in range(30):
        step = games.step(chosen(games.last, rng))
        assert (games.viewers == [0, 1, 2, 3]).all() and (step.actors == [0, 1, 2, 3]).all()
        seen += int(step.terminated.sum())
        for g in range(4):
            agree(step, g, games.position(g))
    assert seen


@every_game
def test_every_array_keeps_its_bounds_and_every_number_has_a_name_and_a_unit(name: str) -> None:
    games, rng = begun(name), random.Random(4)
    view = games.observer
    for _ in range(20):
        step = games.step(chosen(games.last, rng))
        for part, array in step.observations.items():
            assert array.shape[1:] == view.shapes.get(part, (len(view.low),)) and len(view.names[part]) == array.shape[1]
            assert np.shares_memory(array, games.last.observations[part])
        numbers = step.observations["numbers"]
        assert (numbers >= view.low).all() and (numbers <= view.high).all()
        assert (numbers[:, -1] == 1).all(), "the seat that acts looks"
    assert all(view.units[each] for each in view.names["numbers"][:-1])
    assert all(len(set(names)) == len(names) for names in view.names.values())


def test_arguments_that_are_wrong_are_named() -> None:
    position = begun("barricade", 1).position(0)
    for more, where in (
        ({"autoreset": "later"}, "autoreset"), ({"seats": 7}, "seats"), ({"limit": 0}, "limit"), ({"rival": "clever"}, "rival"),
        ({"positions": [position]}, "positions"),
    ):  # fmt: skip
        with pytest.raises(BridgeheadError, match=where):
            begun("forty_bridges", **more)
    with pytest.raises(BridgeheadError, match="at least one"):
        begun("forty_bridges", 0)
    with pytest.raises(BridgeheadError, match="device"):
        environments.start(game_of("forty_bridges"), 1, device="tpu")


@every_game
def test_masks_and_observations_go_to_other_libraries_without_a_copy(name: str) -> None:
    games = begun(name)
    for array in (*games.last.observations.values(), games.last.mask, games.last.rewards):
        assert np.shares_memory(np.from_dlpack(array), array)


def walked() -> list[str]:
    """What fifty steps of some games on two threads leave: states and observations as hashes."""
    import hashlib

    found = []
    for name in GAMES:
        with mock.patch.object(environments, "LEAST", 1):
            games = environments.start(game_of(name), 6, 3, threads=2, limit=12)
        digest = hashlib.sha256()
        for _ in range(25):
            step = games.step(games.sample())
            for array in (games.states, step.mask, step.rewards, step.terminated, *step.observations.values()):
                digest.update(np.ascontiguousarray(array).tobytes())
        found.append(digest.hexdigest())
    return found


@pytest.mark.long
def test_compiled_and_plain_environments_are_equal(compiled: Callable[[str], Any]) -> None:
    assert compiled("forty_bridges")("test_environments", "walked") == walked()
