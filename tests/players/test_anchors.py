"""The anchors of the scale of ratings: players by the textbook, which take a win at hand and repeat themselves."""

import numpy as np
import pytest

from bridgehead.core import record as records
from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import OptionError
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.core.spec import CHANCE
from bridgehead.workshop.arena.rollouts import LONGEST, NODE, Rollouts, bind_tree, list_tried
from bridgehead.workshop.arena.search_players import make_entrant
from records import recorded

pytestmark = pytest.mark.wide
FORTY = registry.game("forty_bridges", quietLimit=20)


def find_won_position() -> tuple[Position, set[int]]:
    """The last decision of a recorded game that a corner decided, and the actions that win there."""
    match = records.load(recorded("forty_bridges-1"))[0]
    position = match.positions[-2]
    winning = {
        action for action in position.legal if (end := position.play(action)).outcome and end.outcome.returns[position.actor] > 0
    }
    assert winning and len(winning) < len(position.legal)
    return position, winning


@pytest.mark.parametrize("name", ["plain:1", "plain:2", "rollouts:300"])
def test_a_win_at_hand_is_taken(name: str) -> None:
    position, winning = find_won_position()
    assert make_entrant(name, 1).choose(position) in winning


def test_every_random_game_is_counted_once_at_the_root_and_repeats_itself() -> None:
    position = FORTY.start()
    nodes = [grow(position, seed) for seed in (1, 1, 2)]
    assert [sum(visits for visits, _ in list_tried(each)) for each in nodes] == [40, 40, 40]
    assert {action for _, action in list_tried(nodes[0])} <= set(position.legal)
    assert list_tried(nodes[0]) == list_tried(nodes[1]) != list_tried(nodes[2])
    assert Rollouts(40, 1).choose(position) == Rollouts(40, 1).choose(position)


def grow(position: Position, seed: int) -> np.ndarray:
    game, nodes = position.game, np.zeros(41, NODE).view(np.recarray)
    bind_tree(game.spec)(
        position.copy_states(), game.law, 40, LONGEST, 1.4, np.array([seed], np.uint64), game.new_states(1), nodes,
        np.zeros(42, np.int64), np.zeros(game.max_legal, np.int32), np.zeros(game.seats),
    )  # fmt: skip
    return nodes


@pytest.mark.parametrize("name", ["barricade", "burning_bridges", "front_lines"])
def test_a_tree_counts_what_went_through_each_node_and_who_gained(name: str) -> None:
    """With chance, teams and more than two sides. From each node but the root one random game began, unless it is an end."""
    nodes = grow(registry.game(name).start(), 3)
    visits, children = nodes["visits"], {node: list_children(nodes, node) for node in range(len(nodes)) if nodes["visits"][node]}
    assert len(children) > 20 and all(visits[node] - sum(visits[below]) >= (node > 0) for node, below in children.items())
    deciding = [node for node in children if node and nodes["seat"][node] != CHANCE]
    assert all(0 <= nodes["gained"][node] <= visits[node] for node in deciding)
    assert all(nodes["gained"][node] == 0 for node in children if nodes["seat"][node] == CHANCE)


def list_children(nodes: np.ndarray, node: int) -> list[int]:
    found, child = list[int](), int(nodes["child"][node])
    while child:
        found.append(child)
        child = int(nodes["sibling"][child])
    return found


def test_a_budget_is_needed() -> None:
    with pytest.raises(OptionError):
        make_entrant("rollouts", 1)
    with pytest.raises(OptionError):
        make_entrant("plain:0", 1)


def test_a_game_without_plain_alpha_beta_says_so() -> None:
    match = Match(registry.game("burning_bridges"))
    match.deal(SeededDealer("any"))
    with pytest.raises(OptionError, match="burning_bridges"):
        make_entrant("plain:2", 1).choose(match.position)
