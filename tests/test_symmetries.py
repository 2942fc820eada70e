"""Symmetries commute with the rules, byte by byte, and are declared only where board and house rules keep them."""

import random
from typing import Any

import numpy as np
import pytest

from bridgehead.core.chance import SeededDealer
from bridgehead.core.game import Game, Position
from bridgehead.core.symmetry import Symmetry
from bridgehead.environments import observer
from variants import make

Rules = dict[str, Any]
KEPT: list[tuple[str, Rules, set[str]]] = [
    ("forty_bridges", {}, {"mirror", "half turn", "mirror and half turn"}),
    ("forty_bridges", {"first": "random", "bentJumps": True, "maxCaptures": 2}, {"mirror", "half turn", "mirror and half turn"}),
    ("forty_bridges", {"repetition": "none", "suicide": "safe"}, {"mirror", "half turn", "mirror and half turn"}),
    ("forty_bridges", {"repetition": "forbid", "sidesNeeded": 2}, {"mirror", "half turn", "mirror and half turn"}),
    ("barricade", {"seats": 2}, {"mirror"}),
    ("barricade", {"seats": 2, "twoColours": True, "turnLimit": 30}, {"mirror"}),
    ("barricade", {"board": "mini", "seats": 2, "lowestTwoRows": "forbidden"}, {"mirror"}),
    ("front_lines", {}, {"columns mirrored", *(f"{each} exchanged" for each in
                         ("hearts and diamonds", "spades and clubs", "red and black"))}),
    ("front_lines", {"opposedSides": True, "alternateTeams": True}, {"columns mirrored", "hearts and diamonds exchanged",
                     "spades and clubs exchanged", "red and black exchanged, rows turned"}),
    ("front_lines", {"seats": 3, "allow3": True, "flip": "destination", "jokersInField": 2},
     {"columns mirrored", "hearts and diamonds exchanged", "spades and clubs exchanged"}),
    ("front_lines", {"drawPack": "J11Q12K13", "faceCards": "safeForAll"}, {"columns mirrored", "red and black exchanged"}),
    ("front_lines", {"drawPack": "facesRedraw", "lives": 3}, {"columns mirrored", *(f"{each} exchanged" for each in
                         ("hearts and diamonds", "spades and clubs", "red and black"))}),
    ("front_lines", {"seats": 2, "across": "reachRow12", "revive": "start", "mayStop": True},
     {"columns mirrored", "hearts and diamonds exchanged", "spades and clubs exchanged", "red and black exchanged"}),
]  # fmt: skip
every_kept = pytest.mark.parametrize(("name", "rules", "names"), KEPT)


def image(symmetry: Symmetry, position: Position) -> Position:
    return Position(position.game, symmetry.of(position.copy_states()))


def walk(game: Game, seed: int, plies: int) -> list[tuple[Position, int]]:
    """Positions of a game at random, each with the action that follows. Bold players go straight for captures and repetition."""
    found, position, dealer, rng = [], game.start(), SeededDealer(seed), random.Random(seed)
    while not position.is_over and len(found) < plies:
        action = dealer.deal(position, len(found)) if position.is_chance else rng.choice(position.legal)
        found.append((position, action))
        position = position.after(action)
    return [*found, (position, -1)]


@every_kept
def test_a_mirrored_game_goes_on_as_the_mirror_of_the_game(name: str, rules: Rules, names: set[str]) -> None:
    game = make(name, rules)
    maps = {each.name: each for each in game.spec.symmetries.symmetries(game)}
    assert set(maps) == names
    for symmetry in maps.values():
        assert sorted(symmetry.actions.tolist()) == list(range(game.action_count))
        assert sorted(symmetry.seats) == list(range(game.seats))
    for seed in range(3):
        for position, action in walk(game, seed, 90):
            for symmetry in maps.values():
                mapped = image(symmetry, position)
                if position.actor >= 0:
                    assert mapped.actor == symmetry.seats[position.actor]
                assert mapped.legal == tuple(sorted(int(symmetry.actions[each]) for each in position.legal)), symmetry.name
                if action >= 0:
                    there = mapped.after(int(symmetry.actions[action]))
                    assert there == image(symmetry, position.after(action)), (symmetry.name, position.text, mapped.text)
                elif position.outcome and mapped.outcome:
                    turned = [position.outcome.returns[symmetry.seats.index(seat)] for seat in range(game.seats)]
                    assert list(mapped.outcome.returns) == turned


@pytest.mark.parametrize(("moves", "times"), [(0, 0), (3, 0), (4, 1), (5, 1), (7, 1)])
def test_the_image_keeps_how_often_a_position_occurred(moves: int, times: int) -> None:
    position = make("forty_bridges", {"setup": "custom", "layout": "a1,b2 d4,e5"}).start()
    for move in (("a1-a2", "e5-e4", "a2-a1", "e4-e5") * 2)[:moves]:
        position = position.play(move)
    view = observer(position.game)
    for symmetry in position.game.spec.symmetries.symmetries(position.game):
        for each in (position, image(symmetry, position)):
            assert view.of(each, 1)[0]["numbers"][view.names["numbers"].index("occurred")] == times


LAYOUT = [["2H", "9S", "KH", "5D"], ["2S", "JC", "3C", "4D"]]
LOPSIDED: Rules = {
    "name": "lopsided", "width": 5, "height": 4, "pawnsPerPlayer": 1, "final": [2, 0], "barricades": [], "firstRowY": 1,
    "squares": [[2, 0], [0, 1], [1, 1], [2, 1], [3, 1], [4, 1], [0, 2]],
    "homes": [{"id": n, "color": str(n), "entry": [x, 1], "slots": [[x, 3]]} for n, x in ((1, 0), (2, 4))],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("barricade", {}),  # the mirror would turn the order of four seats round
        ("barricade", {"seats": 2, "first": "highestRoll"}),  # seats roll in order
        ("barricade", {"seats": 2, "board": LOPSIDED}),
        ("barricade", {"seats": 2, "homes": "1,2"}),
        ("front_lines", {"rows": 2, "layout": LAYOUT}),  # the cards that lie there are not symmetric
        ("burning_bridges", {"seats": 2}),  # rounds end with the last seat, and the goals of a family lie to one side
    ],
)
def test_no_map_is_declared_where_the_law_does_not_keep_it(name: str, rules: Rules) -> None:
    game = make(name, rules)
    assert list(game.spec.symmetries.symmetries(game)) == []


@pytest.mark.parametrize("rules", [{}, {"first": "random", "bentJumps": True}])
def test_both_players_of_40_bridges_see_the_same_from_their_own_side(rules: Rules) -> None:
    """A position for player 2 looks as its half turn does for player 1, with the same numbers of actions."""
    game = make("forty_bridges", rules)
    view = observer(game)
    turn = next(each for each in game.spec.symmetries.symmetries(game) if each.name == "half turn")
    for position, _ in walk(game, 3, 60):
        if position.actor < 0:
            continue
        mapped = image(turn, position)
        (one, mask), (other, mapped_mask) = view.of(position, position.actor), view.of(mapped, mapped.actor)
        assert all(np.array_equal(one[name], other[name]) for name in one)
        assert (mask[view.ids[position.actor]] == mapped_mask[view.ids[mapped.actor]]).all()
