"""A page's follower says of every position what the rules in Python say: who acts, what is legal, and the weights of chance."""

import random
from pathlib import Path
from typing import Any

import pytest

import in_node
import variants
from bridgehead.core import registry
from bridgehead.core.game import Game
from fairness.referees import FOLLOWER, referee

LONGEST = 250  # actions of a game
PROGRAM = """
const told = [];
for (const { rules, games, position } of given) {
  const follower = await ready(rules);
  told.push(games.map((lines) => lines.map((actions) => {
    const wrong = follower.follow(actions);
    return [wrong, ...follower.actors.map((actor, at) => [actor, follower.legal(at), follower.weights(at)])];
  })));
}
console.log(JSON.stringify(told));
"""


def line(game: Game, lot: random.Random, actions: list[int]) -> list[int]:
    """A random game that begins with these actions."""
    position, actions = game.start(), list(actions)
    for action in actions:
        position = position.play(action)
    while not position.is_over and len(actions) < LONGEST:
        actions.append(lot.choice(position.legal))
        position = position.after(actions[-1])
    return actions


def by_rules(game: Game, actions: list[int]) -> list[Any]:
    """What the rules say of each position, and -1: no action is illegal."""
    position, said = game.start(), list[Any]()
    for action in [*actions, None]:
        said.append([position.actor, list(position.legal), list(position.weights)])
        position = position if action is None else position.play(action)
    return [-1, *said]


def same(folder: Path, games: list[Game], lot: random.Random, count: int) -> int:
    """Compare random games with takebacks under these house rules; returns the number of positions."""
    given, expected = list[Any](), list[Any]()
    for game in games:
        lines = []
        for _ in range(count):
            actions = line(game, lot, [])
            lines.append([actions, other := line(game, lot, actions[: len(actions) // 2]), other[: len(other) // 3]])
        given.append({"rules": referee(game), "games": lines})
        expected.append([[by_rules(game, each) for each in group] for group in lines])
    assert in_node.run(folder, FOLLOWER + PROGRAM, given) == expected
    return sum(len(each) for game in expected for group in game for each in group)


def test_it_follows_a_game_and_its_takebacks(tmp_path: Path) -> None:
    assert same(tmp_path, [registry.game("barricade", board="mini", seats=2)], random.Random(1), 3) > 100


@pytest.mark.wide
@pytest.mark.parametrize("name", ["barricade", "burning_bridges", "forty_bridges", "front_lines"])
def test_it_follows_games_under_any_house_rules(name: str, tmp_path: Path) -> None:
    lot = random.Random(2)
    games = [registry.game(name), *(variants.make(name, variants.mixture(name, lot)) for _ in range(5))]
    assert same(tmp_path, games, lot, 2) > 200


def test_it_finds_the_first_action_that_is_not_legal(tmp_path: Path) -> None:
    game, lot = registry.game("barricade", board="mini", seats=2), random.Random(3)
    actions = line(game, lot, [])
    position, wrong = game.start(), list[list[int]]()
    for at, action in enumerate(actions[:30]):
        illegal = next(other for other in range(game.action_count) if other not in position.legal)
        wrong.append([*actions[:at], illegal, *actions[at + 1 :]])
        position = position.after(action)
    told = in_node.run(tmp_path, FOLLOWER + PROGRAM, [{"rules": referee(game), "games": [wrong]}])
    assert [each[0] for each in told[0][0]] == [*range(30)]
