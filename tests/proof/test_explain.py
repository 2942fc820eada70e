"""An action is legal or refused with a reason, never both, never neither: over all action ids of every fuzzed position."""

import random
from typing import Any

import pytest
from pair import GAMES

from variants import mixture, sound

pytestmark = pytest.mark.wide
SAME_BOARD = {  # house rules that change the size of a state, for which other machine code is needed: only the long run
    "barricade": {"board", "seats", "homes", "pawns", "twoColours", "teams"},
    "burning_bridges": {"board", "seats", "families"},
    "forty_bridges": set(),
    "front_lines": {"rows", "seats"},
}
SHORT, LONG = (8, 2_500), (40, 20_000)  # mixtures of house rules, positions of each


def judge(name: str, mixtures: list[dict[str, Any]], positions: int, compiled: Any, counted: Any) -> None:
    found = [compiled(name)("explained", "look", name, options, seed, positions) for seed, options in enumerate(mixtures, 1)]
    counted(name, sum(row["positions"] for row in found), "positions")
    assert [row["wrong"] for row in found if row["wrong"]] == []
    assert all(row["positions"] >= positions for row in found)
    assert sum(row["ids"] for row in found) > sum(row["positions"] for row in found) * 100


@pytest.mark.parametrize("name", GAMES)
def test_every_action_id_is_legal_or_refused(name: str, compiled: Any, counted: Any) -> None:
    rng, mixtures = random.Random(f"explain {name}"), [{}]
    while len(mixtures) < SHORT[0]:
        options = {rule: value for rule, value in mixture(name, rng, 0.4).items() if rule not in SAME_BOARD[name]}
        mixtures.append(options if sound(name, options) else {})
    judge(name, mixtures, SHORT[1], compiled, counted)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_every_action_id_is_legal_or_refused_on_every_board(name: str, compiled: Any, counted: Any) -> None:
    rng = random.Random(f"explain {name} long")
    judge(name, [mixture(name, rng, 0.3) for _ in range(LONG[0])], LONG[1], compiled, counted)
