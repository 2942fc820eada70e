"""Each preset, option, board and number of seats opens in the site's Python, and is shown and played as by plain rules here."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from both_sides import same

import variants
from bridgehead.core import options as house
from bridgehead.core import registry

pytestmark = pytest.mark.wide
GAMES = ("barricade", "burning_bridges", "forty_bridges", "front_lines")
FEWER: dict[str, dict[int, dict[str, Any]]] = {  # house rules with which a number of seats goes, where it needs some
    "front_lines": {3: {"allow3": True}}, "barricade": {5: {"board": "six"}, 6: {"board": "six"}},
}  # fmt: skip
DECISIONS = 4  # of each table


def wishes(name: str) -> Iterator[dict[str, Any]]:
    """The wishes for tables: each preset, each other value of each option (a board is such a value), each number of seats."""
    spec, alone = registry.spec(name), variants.changes(name)
    yield {}
    yield from ({"preset": preset} for preset in spec.options.PRESETS)
    yield from ({"options": change} for change in alone)
    for option, value in variants.values(name):
        if {option: value} not in alone and (option, value) != ("seats", spec.seats[0]):  # sound only with others
            yield {"options": variants.mixture_with(name, random.Random(3), 0.2, option, value)}
    for seats in range(spec.seats[0], spec.seats[1] + 1):
        options = {"seats": seats, **FEWER.get(name, {}).get(seats, {})} if spec.seats[0] < spec.seats[1] else {}
        yield {"seats": [{"kind": "person"}] * seats, "options": options}


@pytest.mark.parametrize("game", GAMES)
def test_each_preset_option_board_and_number_of_seats_is_played_alike(game: str) -> None:
    wanted = list(wishes(game))
    options = {info.name for info in house.describe(registry.spec(game))}
    assert {name for wish in wanted for name in wish.get("options", {})} | {"seats"} == options
    found = same([["tabled", game, json.dumps(wish), DECISIONS] for wish in wanted], game)
    assert [(wish, answer) for wish, answer in zip(wanted, found, strict=True) if len(answer) == 1] == [], "refused"
