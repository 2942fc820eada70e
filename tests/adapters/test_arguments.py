"""The environments of all libraries take the same arguments, and refuse a wrong one by its name."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import SyncVectorEnv

import bridgehead
from bridgehead.adapters import pettingzoo
from bridgehead.adapters.gymnasium import Env, VectorEnv
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game

SHARED = ["game", "preset", "max_cycles", "illegal", "render_mode"]
FORMS: dict[str, Callable[..., Any]] = {
    "Env": Env,
    "VectorEnv": VectorEnv,
    "env": bridgehead.env,
    "parallel_env": pettingzoo.parallel_env,
}
every_form = pytest.mark.parametrize("form", FORMS)


def game_of(made: Any) -> Game:
    found: Game = made.unwrapped.game if hasattr(made, "unwrapped") else made.game
    return found


@every_form
def test_a_game_is_its_id_with_house_rules_or_a_game(form: str) -> None:
    make, ready = FORMS[form], bridgehead.game("barricade", seats=2, board="mini")
    assert game_of(make("barricade", seats=2, board="mini")) == ready == game_of(make(ready))
    assert game_of(make("barricade", preset="classic")) == bridgehead.game("barricade", preset="classic")


def test_the_shared_arguments_have_the_same_names_order_and_defaults() -> None:
    for declared in (Env, VectorEnv, pettingzoo.Environment):
        given = inspect.signature(declared).parameters
        assert [name for name in given if name in SHARED] == SHARED, declared
        assert [given[name].default for name in SHARED[1:]] == ["", None, "refuse", "ansi"], declared


WRONG = [
    {"max_cycles": 0}, {"max_cycles": 1.5}, {"max_cycles": "3"}, {"max_cycles": True}, {"illegal": "maybe"}, {"illegal": None},
    {"render_mode": "rgb_array"}, {"speed": 2}, {"seats": 99}, {"preset": "moon"}, {"maxcycles": 3},
]  # fmt: skip


@every_form
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_wrong_argument_is_refused_by_its_name(form: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(BridgeheadError, match=next(iter(wrong))):
        FORMS[form]("barricade", **wrong)


@every_form
def test_a_game_that_has_its_house_rules_takes_no_others_and_what_is_no_game_is_refused(form: str) -> None:
    with pytest.raises(BridgeheadError, match="house rules already: classic, seats"):
        FORMS[form](bridgehead.game("barricade"), preset="classic", seats=2)
    for wrong in (None, 5, bridgehead.game("barricade").spec):
        with pytest.raises(BridgeheadError, match="game: "):
            FORMS[form](wrong)
    with pytest.raises(BridgeheadError, match="chess"):
        FORMS[form]("chess")


@pytest.mark.parametrize(
    "wrong", [{"seat": 9}, {"seat": "a"}, {"num_envs": 0}, {"num_envs": 1.5}, {"autoreset_mode": "x"}], ids=str
)
def test_the_arguments_of_a_vector_are_refused_by_name_too(wrong: dict[str, Any]) -> None:
    with pytest.raises(BridgeheadError, match=next(iter(wrong))):
        VectorEnv("barricade", **wrong)


@pytest.mark.filterwarnings("ignore")
def test_gymnasiums_check_passes_as_the_page_says_with_its_render_check() -> None:
    check_env(Env("barricade", seats=3, illegal="replace"))
    assert gymnasium.Env in Env.__mro__


@pytest.mark.parametrize("seeds", [[5, 9, 2], (5, 9, 2), np.array([5, 9, 2]), [5, 2**70, np.int64(2)]], ids=str)
def test_a_vector_takes_a_seed_for_each_game_as_gymnasiums_own(seeds: Any) -> None:
    short: dict[str, Any] = {"board": "mini", "seats": 2}
    ours = VectorEnv("barricade", 3, seat=0, **short)
    theirs = SyncVectorEnv([partial(Env, "barricade", **short) for _ in range(3)])
    for _ in range(2):
        assert data_equivalence(ours.reset(seed=seeds)[0], theirs.reset(seed=list(seeds))[0])
    with pytest.raises(BridgeheadError, match="seed"):
        ours.reset(seed=[1, 2])
    assert ours.reset(seed=[1, None, 3])[0] in ours.observation_space


def test_a_game_is_rendered_as_the_mode_says(capsys: pytest.CaptureFixture[str]) -> None:
    for make in (Env, bridgehead.env):
        made = {mode: make("forty_bridges", render_mode=mode) for mode in ("ansi", "human", None)}
        for env in made.values():
            env.reset(seed=1)
        text = bridgehead.game("forty_bridges").start().text
        assert (made["ansi"].render(), made[None].render(), made["human"].render()) == (text, None, None)
        assert capsys.readouterr().out.strip() == text
