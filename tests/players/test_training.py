"""Weights have a pedigree: what they were learned from, by which command, what they are worth."""

import json
import math
import shutil
from pathlib import Path

import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, OptionError, RecordError
from bridgehead.core.spec import Spec
from bridgehead.workshop.arena.contest import ContestSetting
from bridgehead.workshop.learning import training
from bridgehead.workshop.learning.training import Course

pytestmark = pytest.mark.wide
HAND = registry.spec("forty_bridges").folder / "weights-hand.json"
SETTING = ContestSetting("forty_bridges", '{"quietLimit": 40}', 5, ("deep:1",))
LEARNED = [
    (spec, file)
    for spec in registry.specs().values()
    for file in spec.folder.glob("weights*.json")
    if training.path(file).exists()
]


def test_each_game_has_weights_that_were_learned_by_the_command() -> None:
    assert {spec.id for spec, file in LEARNED if file.name == "weights.json"} == set(registry.specs())


@pytest.mark.parametrize(("spec", "file"), LEARNED, ids=lambda value: value.name if isinstance(value, Path) else value.id)
def test_the_weights_of_a_game_are_those_of_its_manifest_and_better_than_those_before(spec: Spec, file: Path) -> None:
    told = training.manifest(file)
    assert told["command"].startswith(f"bridgehead train {spec.id} ") and told["rules"] == spec.version
    assert all(lesson["games"] >= 100 and lesson["cross-entropy"] < lesson["of knowing nothing"] for lesson in told["data"])
    assert told["result"]["verdict"] == "better" and told["result"]["bounds"] == [0, 20]
    assert told["result"]["against weights"] == training.fingerprint(file.with_name(told["result"]["against"]))
    assert file.stat().st_size <= 2_000_000


def test_rounds_learn_from_one_another_and_the_manifest_says_so(tmp_path: Path) -> None:
    said: list[tuple[str, int, int]] = []
    out = tmp_path / "weights.json"
    course = Course(SETTING, "deep:1", 5, rounds=2, start=HAND, sets=1)
    told = training.train(course, out, lambda *what: said.append(what))
    first, second = told["data"]
    assert (
        first["weights"]
        == training.fingerprint(HAND)
        != second["weights"]
        == training.fingerprint(tmp_path / "weights.round-1.json")
    )
    assert told == training.manifest(out) and told["weights"] == training.fingerprint(out) != second["weights"]
    result = told["result"]
    assert result["verdict"] == "open" and result["games"] == 2 and result["against"] == "weights-hand.json"
    assert {what for what, _, _ in said} == {"round 1", "round 2", "testing"}
    assert "--rounds 2 --player deep:1 --seed 5 --start weights-hand.json --rules quietLimit=40" in told["command"]
    assert str(tmp_path) not in json.dumps(told)


def test_among_five_seats_the_test_counts_comparisons_of_which_a_half_is_even(tmp_path: Path) -> None:
    hand = registry.spec("burning_bridges").folder / "weights-hand.json"
    setting = ContestSetting("burning_bridges", '{"roundLimit": 1}', 5, ("search:1",))
    told = training.train(Course(setting, "search:1", 2, start=hand, sets=1), tmp_path / "weights.json")
    assert told["result"]["games"] == 10 and told["result"]["verdict"] == "open"
    assert told["data"][0]["of knowing nothing"] == pytest.approx(math.log(5), abs=0.2)


def test_what_a_seat_alone_counts_is_learned_with_its_own_result() -> None:
    setting = SETTING._replace(options="{}")
    _, results = training._positions((training.Lesson(setting, "greedy", 4), 0))
    decided = results[results[:, 0] != 0.5]
    assert len(decided) > 20 and (decided.sum(axis=1) == 1).all()
    assert 0.4 < decided[:, 0].mean() < 0.6, "seats take turns, so that half of the positions are the winner's"
    changes = (decided[1:, 0] != decided[:-1, 0]).mean()
    assert changes > 0.9


def test_games_that_end_before_anything_can_be_learned_are_refused() -> None:
    short = training.Lesson(SETTING._replace(options='{"quietLimit": 2}'), "random", 3)
    x, y = training._positions((short, 0))
    assert x.shape == (0, 2, len(registry.spec("forty_bridges").evaluate.WEIGHTS)) and y.shape == (0, 2)
    with pytest.raises(BridgeheadError, match="end before"):
        training.learn(short)


def test_a_manifest_of_other_weights_is_refused(tmp_path: Path) -> None:
    weights = tmp_path / "weights.json"
    shutil.copy(HAND, weights)
    with pytest.raises(RecordError, match="no manifest"):
        training.manifest(weights)
    training.path(weights).write_text(json.dumps({"weights": training.fingerprint(weights)}), "utf-8")
    assert training.manifest(weights)
    told = json.loads(weights.read_text("utf-8"))
    told["weights"]["steps"] += 0.001
    weights.write_text(json.dumps(told), "utf-8")
    with pytest.raises(RecordError, match="other weights"):
        training.manifest(weights)


def test_what_is_learned_is_not_written_over_what_it_is_tested_against_nor_nowhere(tmp_path: Path) -> None:
    start, said = tmp_path / "weights.round-1.json", []
    shutil.copy(HAND, start)
    course = Course(SETTING, "deep:1", 10, rounds=2, start=start, sets=1)
    for out, wrong in (
        (start, "starting weights"),
        (tmp_path / "weights.json", "starting weights"),
        (tmp_path / "none" / "w", "written"),
    ):
        with pytest.raises(OptionError, match=wrong):
            training.train(course, out, lambda *what: said.append(what))
    with pytest.raises(OptionError, match="--start"):
        training.train(
            course._replace(player=f"deep:1:{HAND}", start=None), tmp_path / "weights.json", lambda *what: said.append(what)
        )
    assert said == [] and start.read_bytes() == HAND.read_bytes()


def test_the_command_of_a_manifest_has_all_that_the_result_depends_on() -> None:
    assert " --test 3" in training.command(Course(SETTING, "deep:1", 10, sets=3))
    assert "--test" not in training.command(Course(SETTING, "deep:1", 10))


def test_only_searches_go_to_school_in_rounds(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="deep:2000"):
        training.train(Course(SETTING, "random", 4, rounds=2), tmp_path / "weights.json")
