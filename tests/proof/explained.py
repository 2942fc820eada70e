"""Random games in which every action id of every position is either legal or refused: for the process with compiled rules."""

from functools import cache
from typing import Any

import numpy as np

from bridgehead.core.jit import bind
from bridgehead.core.kernels import kernels
from bridgehead.core.position import Position
from bridgehead.core.spec import Spec
from variants import make


def _explain_games(state, law, rng, positions, longest, actions, out):  # type: ignore[no-untyped-def]
    """Play at random, new games included, until so many positions were looked at; the first bad action id and their number.

    The state is left where a bad action was found; -1 when there is none.
    """
    looked = 0
    while looked < positions:
        setup(state, law)  # noqa: F821
        for _ in range(longest):
            count, at = legal(state, law, out), 0  # noqa: F821
            if actor(state, law) == -2:  # noqa: F821
                count = 0
            for action in range(actions):
                listed = at < count and out[at] == action
                if listed:
                    at += 1
                if (refusal(state, law, action) == 0) != listed:  # noqa: F821
                    return action, looked
            looked += 1
            if count == 0:
                break
            apply(state, law, choose(state, law, out, rng, actor(state, law) == -1))  # noqa: F821
    return -1, looked


@cache
def loop(spec: Spec) -> Any:
    rules = spec.rules
    names = {name: getattr(rules, name) for name in ("setup", "actor", "legal", "refusal", "apply")}
    return bind(_explain_games, {**names, "choose": kernels(spec).choose}, spec.id, spec.folder)


def look(name: str, options: dict[str, Any], seed: int, positions: int) -> dict[str, Any]:
    """Positions and action ids looked at, and what is wrong ("" if nothing is)."""
    game = make(name, options)
    states, out = game.new_states(1), np.empty(game.max_legal, np.int32)
    rng = np.array([seed], np.uint64)
    bad, looked = loop(game.spec)(states[0], game.law, rng, positions, 300, game.action_count, out)
    wrong = ""
    if bad >= 0:
        position = Position(game, states)
        wrong = f"{options}: {position.name(int(bad))!r} in {position.text}: legal and refused, or neither"
    return {"positions": int(looked), "ids": int(looked) * game.action_count, "wrong": wrong}
