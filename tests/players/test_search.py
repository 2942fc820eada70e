"""The search finds what it must, proves what it can, repeats itself, and stops when told."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.players import tree
from bridgehead.players.search import Search
from bridgehead.players.search import _Tree as Tree
from bridgehead.players.thoughts import Budget, Clock
from bridgehead.players.tree import NODE, SETTINGS, best_child, expected_child, prove

pytestmark = pytest.mark.wide


def run(command: list[str], compiled: bool) -> dict[str, Any]:
    """What a program prints as JSON, in a process of its own."""
    env = {**os.environ, "NUMBA_DISABLE_JIT": "0" if compiled else "1"}
    done = subprocess.run([sys.executable, *command], env=env, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return run([str(Path(__file__).with_name("searches.py"))], compiled=True)


def test_it_takes_a_win_and_knows_that_it_is_one(found: dict[str, Any]) -> None:
    win = found["win"]
    assert win["action"] == "d" and win["proven"]["d"] == 1.0 and win["expected"] == [1.0, -1.0]


def test_it_stops_a_threat(found: dict[str, Any]) -> None:
    threat = found["threat"]
    assert threat["action"] == "d"
    assert {column: result for column, result in threat["proven"].items() if column != "d"} == dict.fromkeys("abcefg", 1.0)


def test_it_proves_a_win_by_two_threats_at_once_and_stops(found: dict[str, Any]) -> None:
    assert found["unclear"]["proven"] == {} and found["unclear"]["simulations"] == 2000
    threats = found["two threats"]
    assert threats["expected"] == [1.0, -1.0] and threats["proven"][threats["action"]] == 1.0
    assert threats["simulations"] < 50_000


def test_the_same_seed_thinks_the_same_and_another_does_not(found: dict[str, Any]) -> None:
    first, again, other = found["repeated"]
    assert first == again and first != other
    two, twice = found["threads"]
    assert two == twice and two[-1] == 3000


def test_it_stops_when_told_and_when_time_is_up(found: dict[str, Any]) -> None:
    patience = found["patience"]
    assert patience["never"] == 0
    for simulations, seconds in (patience["stopped"], patience["timed"]):
        assert simulations > 0 and seconds < 10


def test_a_full_tree_goes_on_with_rollouts(found: dict[str, Any]) -> None:
    assert found["full"]["simulations"] == found["full"]["visits"] == 5000


def test_it_judges_only_after_the_others_answers_if_asked_to(found: dict[str, Any]) -> None:
    usual, answered = found["unanswered"]
    assert usual > 0 and answered == 0


def test_a_game_may_say_how_it_is_searched_where_answers_are_waited_for() -> None:
    game = registry.game("burning_bridges")
    usual, answered, told = (
        Tree(game.start(), Search(**how), "1").settings for how in ({}, {"answered": True}, {"answered": True, "explore": 0.7})
    )
    assert (usual.answered, answered.answered, told.answered) == (0, 1, 1)
    own = game.spec.evaluate
    assert (usual.explore, answered.explore, told.explore) == (own.SEARCH["explore"], own.ANSWERED["explore"], 0.7)
    assert usual.explore != answered.explore and usual.trust == answered.trust


def test_others_may_be_expected_to_take_what_is_best_one_action_ahead() -> None:
    nodes = np.zeros(5, NODE).view(np.recarray)
    nodes[1].actor, nodes[1].visits, nodes[1].first, nodes[1].children = 1, 45, 2, 3
    nodes.worth[2:], nodes.visits[2:] = (0.4, -0.4, 0.4), 15
    nodes.total[2:, 1] = -15.0, 15.0, -15.0  # what looks better one action ahead was found to lose
    settings = np.zeros((), SETTINGS).view(np.recarray)
    settings.explore, settings.trust = 0.1, 3.0
    assert best_child(nodes, 1, settings) == 3
    rng = np.array([5], np.uint64)
    assert {expected_child(nodes, 1, rng) for _ in range(20)} == {2, 4}, "equals are drawn by lot"


def test_it_is_stronger_than_the_greedy_player(found: dict[str, Any]) -> None:
    assert found["against greedy"] >= 10


def test_chance_is_proven_to_the_mean_by_weight() -> None:
    nodes = np.zeros(3, NODE).view(np.recarray)
    nodes[0].actor, nodes[0].first, nodes[0].children = -1, 1, 2
    for node, weight, result in ((nodes[1], 1, 1.0), (nodes[2], 3, -1.0)):
        node.worth, node.proven, node.result[:2] = weight, 1, (result, -result)
    assert prove(nodes, 0, 2)
    assert nodes[0].result[:2].tolist() == [-0.5, 0.5]
    nodes[0].proven = nodes[2].proven = 0
    assert not prove(nodes, 0, 2)


def test_what_it_cannot_search_is_refused() -> None:
    with pytest.raises(BridgeheadError, match="seconds or simulations"):
        Search().think(registry.game("forty_bridges").start(), Budget())
    chance = registry.game("barricade").start()
    assert chance.is_chance
    with pytest.raises(BridgeheadError, match="no seat is to act"):
        Search().think(chance, Budget(simulations=1))
    for wrong in ({"nodes": 0}, {"threads": 0}):
        with pytest.raises(BridgeheadError, match="a search needs a thread"):
            Search(**wrong)


EVERY_GAME = """
import json, sys
from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.match import Match
from bridgehead.players.search import Search
from bridgehead.players.thoughts import Budget, Clock
found = {}
for name in registry.specs():
    match, dealer, search = Match(registry.game(name)), SeededDealer(3), Search(seed=3, nodes=20_000)
    match.deal(dealer)
    for _ in range(3):
        thought = search.think(match.position, Budget(simulations=40))
        found.setdefault(name, []).append([
            thought.simulations, sum(each.visits for each in thought.candidates), max(map(abs, thought.expected)),
            sorted(each.action for each in thought.candidates) == list(match.position.legal)])
        match.play(thought.action)
        match.deal(dealer)
print(json.dumps(found))
"""


def test_every_game_is_searched_also_uncompiled() -> None:
    found = run(["-c", EVERY_GAME], compiled=False)
    assert set(found) >= {"barricade", "burning_bridges", "forty_bridges", "front_lines"}
    for rows in found.values():
        for simulations, visits, expected, is_whole in rows:
            assert simulations == visits == 40 and expected <= 1 and is_whole


def test_outcomes_are_visited_by_their_weights_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    lot, firsts = np.random.default_rng(1), set()
    monkeypatch.setattr(tree, "random_below", lambda rng, n: int(rng.integers(n)))
    for _ in range(20):
        nodes = np.zeros(4, NODE).view(np.recarray)
        nodes[0].actor, nodes[0].first, nodes[0].children = -1, 1, 3
        nodes.worth[1:] = 1, 2, 1
        firsts.add(tree.drawn_child(nodes, 0, lot))
        for visits in range(1, 41):
            nodes[tree.drawn_child(nodes, 0, lot)].visits += 1
            shares = nodes.visits[1:] - visits * np.array((0.25, 0.5, 0.25))
            assert abs(shares).max() <= 1.0, "never more than a visit away from what the weights ask for"
        assert nodes.visits[1:].tolist() == [10, 20, 10]
    assert firsts == {1, 2, 3}


def test_it_waits_for_the_others_answers_after_dice_too_but_not_for_more_than_a_round() -> None:
    game = registry.game("barricade", board="mini")
    match = Match(game)
    match.deal(SeededDealer(1))
    search = Tree(match.position, Search(answered=True, nodes=20_000), "1")
    search.grow(Clock(None, 12, None))
    seen = search.nodes[1 : search.used[0]]
    waiting = (seen.visits == 1) & (seen.first == 0) & (seen.proven == 0)
    assert waiting.sum() >= 8 and set(seen.actor[waiting]) == {match.actor}
