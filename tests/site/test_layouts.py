"""Every option, board, preset and number of seats has compiled rules in the static site, so all levels play it."""

import random

import pytest

import variants
from bridgehead.core import registry
from bridgehead.players.wasm import layout
from bridgehead.site import build

FOUR = ("barricade", "burning_bridges", "forty_bridges", "front_lines")


@pytest.mark.parametrize("name", FOUR)
def test_house_rules_lead_to_no_layout_without_a_module(name: str) -> None:
    spec, lot = registry.spec(name), random.Random(15)
    made = {layout(game) for game in build.variants(spec)}
    rules = [*spec.options.PRESETS.values(), *variants.changes(name), *(variants.mixture(name, lot) for _ in range(12))]
    more = {("front_lines", 3): {"allow3": True}} | {("barricade", seats): {"board": "six"} for seats in (5, 6)}
    rules += [{"seats": seats, **more.get((name, seats), {})} for seats in spec.seats]
    lacking = [each for each in rules if layout(registry.game(name, **each)) not in made]
    assert not lacking


def test_own_boards_of_every_size_have_a_module() -> None:
    made = {layout(game) for game in build.variants(registry.spec("barricade"))}
    for width, sides in ((3, 6), (5, 6), (6, 8), (15, 2), (16, 3)):
        board = {
            "name": "own", "width": width, "height": width + 1, "pawnsPerPlayer": 1, "firstRowY": width - 1,
            "squares": [[x, y] for y in range(width) for x in range(width)], "final": [0, 0], "barricades": [[1, 1]],
            "homes": [{"id": n, "color": "red", "entry": [n, width - 1], "slots": [[n, width]]} for n in (1, 2)],
        }  # fmt: skip
        assert layout(registry.game("barricade", board=board, dieSides=sides)) in made
    assert len(made) == 3


def test_a_larger_record_than_those_that_are_declared_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = registry.spec("forty_bridges").options
    monkeypatch.setattr(rules, "LAYOUTS", ())
    made = {layout(game) for game in build.variants(registry.spec("forty_bridges"))}
    assert layout(registry.game("forty_bridges", quietLimit=None)) not in made
