"""Calibration finds what is too sure and what is too careful, and maps it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.players import advice, bends, win_chances
from bridgehead.workshop.arena import calibration
from bridgehead.workshop.arena.calibration import CalibrationCurve
from bridgehead.workshop.arena.contest import ContestSetting
from bridgehead.workshop.lab import facts
from bridgehead.workshop.lab.answers.questions import called_off
from bridgehead.workshop.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish
from bridgehead.workshop.statistics import Estimate
from compiled import CompiledProcess
from programs import program

pytestmark = pytest.mark.wide


def drawn(bend: CalibrationCurve, seats: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Chances that are told, what came of them, and numbers of games: the true ones are the told ones bent like this."""
    lot = np.random.default_rng(3)
    told = lot.dirichlet(np.ones(seats), 30_000)
    true = calibration.calibrate_rows(told, bend)
    winners = (lot.random((30_000, 1)) > true.cumsum(axis=1)).sum(axis=1).clip(0, seats - 1)
    return told, np.eye(seats)[winners], np.arange(30_000) // 100


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("bend", [CalibrationCurve(0.5), CalibrationCurve(2.0), CalibrationCurve(3.0, 0.2)])
def test_how_chances_are_to_be_bent_is_found(seats: int, bend: CalibrationCurve) -> None:
    told, won, numbers = drawn(bend, seats)
    found = calibration.judge_calibration(told, won, numbers, bend)
    assert found.raw.value > 0.03 and found.mapped.value < 0.01 and found.shown.value < 0.01
    assert found.sharpness == pytest.approx(bend.sharpness, rel=0.1) and found.lapse == pytest.approx(bend.lapse, abs=0.02)
    few = calibration.judge_calibration(told[:200], won[:200], numbers[:200])
    assert few.shown == few.raw


def test_true_chances_have_hardly_any_error() -> None:
    told, won, _ = drawn(CalibrationCurve(), 5)
    assert calibration.error(told, won) < 0.01
    assert calibration.error(np.full((10, 2), 0.75), np.eye(2)[np.zeros(10, int)]) == pytest.approx(0.25)


def test_proven_results_are_judged_apart_though_players_let_them_slip() -> None:
    told, won, numbers = drawn(CalibrationCurve(), 2)
    sure = np.eye(2)[np.zeros(10_000, int)]
    slipped = np.eye(2)[(np.arange(10_000) % 5 == 0).astype(int)]
    found = calibration.judge_calibration(
        np.concatenate([told, sure]), np.concatenate([won, slipped]), np.r_[numbers, numbers[:10_000]]
    )
    assert found.raw.value < 0.01 and found.positions == len(told) and found.proven == 10_000 and found.right == 0.8
    assert calibration.error(sure, slipped) == pytest.approx(0.2), "judged with the others, they would count as an error"
    with pytest.raises(BridgeheadError, match="too few"):
        calibration.judge_calibration(sure, slipped, np.arange(10_000))


def studies(off: float, games: int, number: int) -> list[Estimate]:
    """The errors found in simulated studies of chances that are off by a known part."""
    walks, lot = program("lab_truth", "bench"), np.random.default_rng(1)
    return [calibration.estimate_error(np.stack([walks.weighed_game(lot, off) for _ in range(games)])) for _ in range(number)]


def test_right_chances_are_not_called_wrong_and_chances_off_by_8_points_are() -> None:
    """The plain error of right chances in 100 games is 3 %, and resampling games adds as much again: its interval left out 0."""
    right = studies(0.0, 100, 40)
    assert sum(each.low == 0 for each in right) >= 36 and sum(map(called_off, right)) <= 4
    assert np.mean([each.value for each in right]) < 0.025
    wrong = studies(0.08, 300, 20)
    assert all(each.low > 0 for each in wrong) and sum(map(called_off, wrong)) >= 17
    assert np.mean([each.value for each in wrong]) == pytest.approx(0.08, abs=0.01)
    for truth, found in ((0.0, right), (0.08, wrong)):
        assert sum(each.low <= truth <= each.high for each in found) >= 0.9 * len(found)
        assert all(each.low <= each.value <= each.high for each in found)
    assert calibration.estimate_error(np.zeros((0, calibration.BINS, 3))).games == 0


def test_the_map_keeps_the_sum_and_the_order() -> None:
    told = np.array([[0.5, 0.3, 0.2]])
    for bend in (CalibrationCurve(2.0), CalibrationCurve(2.0, 0.1)):
        sharp = calibration.calibrate_rows(told, bend)[0]
        assert sharp.sum() == pytest.approx(1.0) and sharp.tolist() == sorted(sharp, reverse=True) and sharp[0] > 0.5


def test_who_cannot_win_any_more_gets_nothing_of_what_slips_bring() -> None:
    told = calibration.calibrate_rows(np.array([[0.0, 0.6, 0.4], [0.0, 0.0, 1.0]]), CalibrationCurve(1.0, 0.2))
    assert told[0].tolist() == pytest.approx([0.0, 0.58, 0.42]) and told[1].tolist() == pytest.approx([0.0, 0.0, 1.0])


@pytest.mark.parametrize("bend", [CalibrationCurve(), CalibrationCurve(2.5), CalibrationCurve(0.6, 0.3)])
def test_many_rows_are_mapped_as_one_is_without_numpy(bend: CalibrationCurve) -> None:
    rows = np.array([[0.5, 0.3, 0.2], [0.0, 0.9, 0.1], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    assert calibration.calibrate_rows(rows, bend).ravel().tolist() == pytest.approx(
        [x for row in rows for x in bends.calibrate(row.tolist(), bend)]
    )


def test_games_between_players_are_gathered() -> None:
    setting = ContestSetting("burning_bridges", json.dumps({"seats": 2, "roundLimit": 2}), 1, ("greedy", "random"))
    trial = calibration.Trial(setting, 2, 3, every=1)
    likely, won, numbers = calibration.gather(trial)
    assert likely.shape == won.shape and len(numbers) == len(likely) > 2 and set(numbers) == {0, 1}
    assert likely.sum(axis=1) == pytest.approx(1.0, abs=1e-6) and won.sum(axis=1) == pytest.approx(1.0)
    with pytest.raises(BridgeheadError, match="too few"):
        calibration.judge_calibration(likely[:1], won[:1], numbers[:1])


class Kept:
    """A game of which there are only its weights' file and three sides."""

    def __init__(self, folder: Path, differences: Any = None, **bend: Any) -> None:
        self.folder, self.spec, self.sides, self.seats = folder, self, (0, 1, 2), 3
        self.differences, self.kept = differences or {}, {}
        (folder / "weights.json").write_text(json.dumps({"weights": {}, **bend}), "utf-8")


def test_win_chances_that_are_shown_are_bent_as_is_kept_with_the_weights(tmp_path: Path) -> None:
    kept: Any = Kept(tmp_path, sharpness=2.0)
    assert win_chances.chances(kept, (0.0, -0.5, -0.5)) == pytest.approx((4 / 6, 1 / 6, 1 / 6))  # the squares of 2 : 1 : 1
    assert win_chances.chances(kept, (1.0, -1.0, -1.0)) == (1.0, 0.0, 0.0)
    assert win_chances.chances(kept, (0.0, 0.0, 0.0)) == pytest.approx((1 / 3,) * 3)
    kept = Kept(tmp_path, sharpness=2.0, lapse=0.3)
    assert win_chances.chances(kept, (0.0, -0.5, -0.5)) == pytest.approx((17 / 30, 6.5 / 30, 6.5 / 30))
    assert win_chances.chances(kept, (1.0, -1.0, -1.0)) == (1.0, 0.0, 0.0) and sum(win_chances.chances(kept, (-1.0,) * 3)) == 1


@pytest.mark.parametrize("game, every", [("barricade", 25), ("front_lines", 3)])
def test_without_simulations_the_evaluation_itself_is_tried(game: str, every: int) -> None:
    setting = ContestSetting(game, json.dumps({"seats": 2}), 1, ("random",))
    likely, _, numbers = calibration.gather(calibration.Trial(setting, 1, 0, every))
    assert len(numbers) == len(likely) > 0 and likely.sum(axis=1) == pytest.approx(1.0)
    assert len({round(each, 6) for each in likely[:, 0].tolist()}) > 1, "positions differ"


def test_the_lab_uses_the_chances_of_hints_and_those_of_its_players() -> None:
    game = registry.game("burning_bridges")
    values = np.array([[0.5, -0.3, 0.1, 0.0, 0.2]]) * game.spec.evaluate.SCALE
    expected = np.tanh(values[0] / (2 * game.spec.evaluate.SCALE))
    told = facts.chances(game, values, np.zeros(1, int))[0]
    assert told == pytest.approx(win_chances.chances(game, tuple(expected))) and bends.load_curve(game) != CalibrationCurve()
    forty = registry.game("forty_bridges")
    random, deep, own = (bends.load_curve(forty, player) for player in ("random", "captain", "strategist"))
    assert random.lapse > 0.2 and deep.sharpness < 1 and own.sharpness < deep.sharpness and own.lapse == 0
    assert bends.load_curve(forty, "deep:5000") == deep and bends.load_curve(forty, "greedy") == CalibrationCurve()


def errors_of_forty_bridges(games: int, effort: int, every: int) -> tuple[float, float, int, float]:
    """Errors with this effort, as the search expects and as shown; how many positions are proven, and the part that came true."""
    setting = ContestSetting("forty_bridges", "{}", 3, ("engineer", "captain", "strategist"))
    gathered = calibration.gather(calibration.Trial(setting, games, effort, every))
    found = calibration.judge_calibration(*gathered, bends.load_curve(setting.make_game()))
    return found.raw.value, found.shown.value, found.proven, found.right


@pytest.mark.parametrize("effort, every", [(400, 4), (advice.EFFORT, 20)], ids=["analyses", "hints"])
def test_chances_of_forty_bridges_are_calibrated_by_a_map(
    compiled: Callable[[str], CompiledProcess], effort: int, every: int
) -> None:
    raw, shown, proven, right = compiled("forty_bridges")("test_calibration", "errors_of_forty_bridges", 60, effort, every)
    assert shown < 0.05 < raw, "so few games leave some points to chance"
    assert proven > 0 and right > 0.7


def test_a_table_fits_an_evaluation_that_is_not_monotonous_and_a_map_does_not() -> None:
    lot = np.random.default_rng(4)
    own, actors = lot.choice([0.2, 0.45, 0.55, 0.8], 8000), lot.integers(0, 2, 8000)
    likely = np.select([own == 0.2, own == 0.45, own == 0.55], [0.1, 0.8, 0.3], 0.9)  # who acts wins oftener at 0.45 than at 0.55
    won = (lot.random(8000) < likely).astype(float)
    raw = np.where(np.arange(2) == actors[:, None], own[:, None], 1 - own[:, None])
    result = np.where(np.arange(2) == actors[:, None], won[:, None], 1 - won[:, None])
    table = calibration.fit_table(own[:4000], won[:4000])
    assert calibration.error(calibration.apply_chance_table(raw[4000:], actors[4000:], table), result[4000:]) < 0.03
    bend = calibration.fit(raw[:4000], result[:4000])
    assert calibration.error(calibration.calibrate_rows(raw[4000:], bend), result[4000:]) > 0.1


def test_no_part_of_a_table_is_empty_where_chances_are_nearly_certain() -> None:
    own = np.concatenate([np.full(500, 1e-6), np.linspace(0.1, 0.9, 500), np.full(500, 1 - 1e-6)])
    table = calibration.fit_table(own, (own > 0.5).astype(float))
    assert min(table.edges) > own.min() and max(table.edges) <= own.max()
    assert table.won[0] < 0.01 and table.won[-1] > 0.9, "an empty part would say a half"


def test_maps_for_some_house_rules_go_in_place_of_those_for_all(tmp_path: Path) -> None:
    own, table = {"sharpness": 2.0, "lapse": 0.1}, {"edges": [0.5], "won": [0.2, 0.8]}
    few = {"house": {"bridges": 2, "seats": 3}, "sharpness": 4.0, "players": {"captain": own}}
    rules = [few, {"house": {"bridges": 2}, "sharpness": 1.5}, {"house": {"seats": 3}, "players": {"captain": table}}]
    everywhere = {"sharpness": 3.0, "lapse": 0.2, "players": {"captain": own}}
    for differences, bend, captain, by_table in (
        ({}, CalibrationCurve(3.0, 0.2), CalibrationCurve(2.0, 0.1), False), ({"board": [1]}, CalibrationCurve(3.0, 0.2),
            CalibrationCurve(2.0, 0.1), False),
        ({"bridges": 2, "board": [1]}, CalibrationCurve(1.5), CalibrationCurve(1.5), False),
        ({"seats": 3, "bridges": 2}, CalibrationCurve(4.0), CalibrationCurve(2.0, 0.1), False), ({"seats": 3},
            CalibrationCurve(), CalibrationCurve(), True),
    ):  # fmt: skip
        kept: Any = Kept(tmp_path, differences, **everywhere, rules=rules)
        assert bends.load_curve(kept) == bend and bends.load_curve(kept, "captain") == captain
        assert bends.table(kept, "captain") == (bends.ChanceTable((0.5,), (0.2, 0.8)) if by_table else None)


def test_the_tool_stores_maps_for_house_rules_before_those_for_fewer_of_them_and_hints_keep_theirs() -> None:
    place, four = program("calibrate", "tools")._place, registry.game("burning_bridges", seats=4)
    both, idle = {"seats": 4, "idleLimit": 3}, {"idleLimit": 3}
    stored: dict[str, Any] = {"rules": [{"house": both}, {"house": idle}]}
    place(stored, four)["players"] = {"captain": {"sharpness": 2.0}}
    now = {"house": {"seats": 4}, **bends.load_curve(four)._asdict(), "players": {"captain": {"sharpness": 2.0}}}
    assert stored["rules"] == [{"house": both}, {"house": idle}, now] and place(stored, four) is stored["rules"][2]
    assert place(stored, registry.game("burning_bridges")) is stored
    stored["rules"] = [{"house": idle}]
    place(stored, registry.game("burning_bridges", **both))
    assert [each["house"] for each in stored["rules"]] == [both, idle]


def test_a_table_leaves_the_others_their_ratio() -> None:
    raw, table = np.array([[0.2, 0.6, 0.2], [0.0, 0.5, 0.5], [1.0, 0.0, 0.0]]), bends.ChanceTable((0.5,), (0.4, 0.7))
    found = calibration.apply_chance_table(raw, np.array([0, 1, 0]), table)
    assert found == pytest.approx(np.array([[0.4, 0.45, 0.15], [0.0, 0.7, 0.3], [0.7, 0.15, 0.15]]))


def test_chances_of_two_greedy_families_are_right_by_whose_turn_it_is() -> None:
    """With the map for all numbers of seats they were off by 15 %."""
    game = registry.game("burning_bridges", seats=2)
    plan = check_plan(Plan(game.spec.id, "", (Arm("", game.differences),), (Strength("greedy", 120),), weighed=120))
    rows = finish(Results(plan)).rows("games", 0)
    assert calibration.error_of(rows["bins"].sum(axis=0)) < 0.03
    rng = np.random.default_rng(1)
    values, actors = rng.normal(0, 5, 50), rng.integers(0, 2, 50)
    likely = facts.chances(game, np.stack([values, -values], axis=1), actors, "greedy")
    assert likely.sum(axis=1) == pytest.approx(np.ones(50))
    assert likely == pytest.approx(facts.chances(game, np.stack([-values, values], axis=1), 1 - actors, "greedy")[:, ::-1])


@pytest.mark.parametrize("rules", [{"seats": 4}, {"maxBridgesPerFamily": 2}], ids=["four seats", "recommended"])
def test_chances_of_greedy_families_are_right_by_their_house_rules(rules: dict[str, int]) -> None:
    """With the map for all house rules they were off by 10 to 14 %."""
    plan = check_plan(Plan("burning_bridges", "", (Arm("", rules),), (Strength("greedy", 120),), weighed=120))
    rows = finish(Results(plan)).rows("games", 0)
    assert calibration.error_of(rows["bins"].sum(axis=0)) < 0.05
