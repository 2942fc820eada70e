"""Small nets beside the weights of an evaluation: what they answer, how they are learned, where they count."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.weights import answer, list_weights
from bridgehead.workshop.arena.contest import ContestSetting
from bridgehead.workshop.learning import nets, training

FEATURES = ("near", "far")
NET = {
    "weights": {"near": 0.5, "far": 0.0},
    "units": [
        {"weights": {"near": 1.0, "far": -1.0}, "bias": 0.5, "output": 3.0},
        {"weights": {"near": 0.0, "far": 2.0}, "bias": -4.0, "output": -1.0},
    ],
}
SHORT = ContestSetting("barricade", '{"seats": 3, "pawns": 1, "barricades": 0, "exactFinal": false}', 5, ("search:1",))
HELD = {"weights": {"near": 7.0, "far": 8.0}, "net": NET}


@pytest.mark.parametrize(
    ("counts", "wanted"),
    [((0.0, 0.0), 1.5), ((2.0, 1.0), 1.0 + 3 * 1.5), ((0.0, 3.0), -1 * 2.0), ((1.0, 4.0), 0.5 - 4.0)],
)
def test_a_net_answers_with_its_linear_part_and_what_its_units_have_above_nothing(counts: Any, wanted: float) -> None:
    weights = np.array(list_weights(HELD, FEATURES, "here"))
    assert answer(weights, np.array(counts)) == pytest.approx(wanted)


def test_a_file_without_a_feature_of_a_unit_is_refused() -> None:
    lame = {**HELD, "net": {**NET, "units": [{"weights": {"near": 1.0}, "bias": 0, "output": 1}]}}
    with pytest.raises(ValueError, match="here: not in both the file and the evaluation: far"):
        list_weights(lame, FEATURES, "here")


def drawn(games: int) -> nets.TrainingGame:
    """Positions of three seats in which the one with the smallest distance between its two counts is likely to win."""
    lot = np.random.default_rng(3)
    counts = lot.random((games * 20, 3, 2)) * 4
    odds = -3 * np.abs(counts[:, :, 0] - counts[:, :, 1]) + lot.gumbel(size=(games * 20, 3))
    shares = np.eye(3)[odds.argmax(axis=1)]
    return nets.TrainingGame(counts.astype(np.float32), shares.astype(np.float32), np.repeat(np.arange(games), 20))


@pytest.mark.wide
def test_a_net_learns_what_no_linear_evaluation_can(compiled: Callable[[str], Any]) -> None:
    linear, net, again = compiled("barricade")("test_nets", "learned_twice", 3000)
    assert net["loss"] < 0.8 * linear, "the distance of two counts is no sum of them"
    assert net == again, "the same positions and seed give the same net to the digit"


def learned_twice(games: int) -> list[Any]:
    """Runs compiled: the cross-entropy of linear weights, and two nets from the same positions."""
    played = drawn(games)
    _, linear = training.fit(played.counts.astype(float), played.shares.astype(float))
    found = [nets.fit(played, FEATURES, 4, 10.0, 1) for _ in range(2)]
    return [linear, *({"loss": each.loss, "net": each.net} for each in found)]


@pytest.mark.wide
def test_games_among_three_teach_a_net_whose_manifest_names_its_players(tmp_path: Path) -> None:
    start = registry.spec("barricade").folder / "weights-two.json"
    out = tmp_path / "weights.json"
    made = training.train(training.Course(SHORT, "search:1", 300, 2, start, 1, units=2), out)
    held = json.loads(out.read_text("utf-8"))
    assert held["weights"] == json.loads(start.read_text("utf-8"))["weights"] and len(held["net"]["units"]) == 2
    assert [len(each["players"]) for each in made["data"]] == [1, 2]
    assert made["data"][1]["players"] == [training.fingerprint(start), training.fingerprint(tmp_path / "weights.round-1.json")]
    assert all(each["cross-entropy"] < each["of knowing nothing"] for each in made["data"])
    assert made == training.manifest(out) and "--units 2" in made["command"] and made["result"]["games"] == 6


def test_too_few_games_teach_no_net(tmp_path: Path) -> None:
    with pytest.raises(BridgeheadError, match="at least 1024 positions"):
        training.train(training.Course(SHORT, "search:1", 10, units=2, sets=0), tmp_path / "weights.json")
    assert not (tmp_path / "weights.json").exists()


@pytest.mark.parametrize(("game", "rules"), [("barricade", '{"seats": 2}'), ("forty_bridges", "{}")])
def test_where_no_net_can_be_learned_a_sentence_says_so(game: str, rules: str, tmp_path: Path) -> None:
    course = training.Course(ContestSetting(game, rules, 1, ("greedy",)), "search:1", 10, units=2)
    with pytest.raises(BridgeheadError, match="no net can be learned"):
        training.train(course, tmp_path / "weights.json")


@pytest.mark.parametrize("text", [None, "[1]", '{"weights": {"near": 1}}'])
def test_a_net_does_not_start_from_what_is_no_file_of_weights(text: str | None, tmp_path: Path) -> None:
    start = tmp_path / "start.json"
    if text is not None:
        start.write_text(text, "utf-8")
    with pytest.raises(OptionError, match="not weights of this game"):
        training.train(training.Course(SHORT, "search:1", 10, start=start, units=2), tmp_path / "weights.json")


@pytest.mark.parametrize(
    ("rules", "counts"), [({}, True), ({"seats": 3}, True), ({"seats": 2}, False), ({"teams": "0,2/1,3"}, False)]
)
def test_the_net_of_barricade_counts_among_more_than_two_without_teams(rules: dict[str, Any], counts: bool) -> None:
    game = registry.game("barricade", **rules)
    evaluate, position, lot = game.spec.evaluate, game.start(), np.random.default_rng(1)
    for _ in range(80):
        position = position.after(int(lot.choice(position.legal)))
    state = position.state
    linear = np.array(evaluate.WEIGHTS[: len(evaluate.FEATURES)])
    with_net, without = (evaluate.worth(state, game.law, 0, weights) for weights in (np.array(evaluate.WEIGHTS), linear))
    assert (with_net != without) == counts
