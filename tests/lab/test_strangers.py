"""The bench that strangers fill (`bridgehead lab --bench`): what a folder of games with known faults says of the lab."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bridgehead.core import installed, registry
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.workshop.commands import labs
from bridgehead.workshop.lab import bench
from bridgehead.workshop.lab.answers.answer import Run, Thresholds
from bridgehead.workshop.lab.answers.questions import answer_luck
from bridgehead.workshop.lab.bench import Truth, TruthCheck, count_score, judge_truth, open_bench, usual_plan, write_row
from bridgehead.workshop.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish, serially

STRANGERS = Path(__file__).parent / "strangers"


@pytest.fixture(autouse=True)
def known_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Files of a bench are games for the time of a test."""
    monkeypatch.setenv(installed.FILES, "")
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    monkeypatch.undo()
    registry.specs.cache_clear()
    installed.list_game_names.cache_clear()


def truth_of(folder: str, kind: str) -> Truth:
    (found,) = (each for each in open_bench(STRANGERS / folder) if each.kind.startswith(kind))
    return found


def plan_greedy(game: Game) -> Plan:
    return check_plan(Plan(game.spec.id, "", (Arm("known", game.differences),), (Strength("greedy", 120),), weighed=0))


def test_all_parts_hold_games_that_can_be_played() -> None:
    faults = [each for part in ("seen", "unseen", "guests") for each in open_bench(STRANGERS / part) if each.question]
    assert len(faults) >= 50
    assert len({each.kind.partition(":")[0] for each in faults}) >= 15
    assert len({each.question for each in faults}) >= 10
    assert {each.question for each in open_bench(STRANGERS / "unseen")} >= {None}, "games without a fault, for false alarms"


@pytest.mark.wide
def test_a_fault_is_found_named_and_mended_and_its_red_light_is_no_false_alarm() -> None:
    told = judge_truth(truth_of("seen", "seat"), plan_greedy, serially)
    assert told.is_found and told.named and told.mended and "Gift: 6" in told.change, told
    assert told.missed and told.alarms == []
    fair = judge_truth(msgspec.structs.replace(told.truth, rules={}, fine=(1, 10), wish="", mend=""), plan_greedy, serially)
    assert not fair.is_found and not fair.mended and fair.change == ""
    wrong = judge_truth(Truth("none", "draft", {"gift": 6}, fine=(1, 2)), plan_greedy, serially)
    assert wrong.alarms == [2] and not wrong.is_found


@pytest.mark.long  # many decisions are looked into, by rules that are not compiled
def test_a_house_rule_that_sends_somebody_away_is_named() -> None:
    told = judge_truth(truth_of("seen", "elimination"), plan_greedy, serially)
    assert told.is_found and told.named and "without the house rule “Exile”" in told.cause, told


def test_the_score_counts_each_kind_of_answer() -> None:
    fault = Truth("a: b", "draft", question=2, cause=("x",), wish="fair", mend="y", fine=(1,))
    fine = Truth("n", "draft", fine=(1, 2))
    usual = TruthCheck(fault, "bad", "x", True, True, "y: 1", True, [], 1.0)
    told = [
        usual,
        usual._replace(light="good", mended=False, alarms=[1]),
        usual._replace(light="unknown", named=False),
        usual._replace(truth=fine, light="unknown", named=False, mended=False, alarms=[2]),
    ]
    found = [(round(each.value * each.games), each.games) for each in count_score(told)]
    assert found == [(1, 3), (1, 3), (1, 3), (2, 3), (2, 5)], "a cause counts only where the light is red"
    assert write_row(usual) == "| a: b | draft | 2: a problem | yes | yes | y: 1 | – | 1 |"
    assert write_row(told[3]) == "| n | draft | – | – | – | y: 1 | 2 | 1 |"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "truth"),
        ("[[truth]]\ngame = 'front_lines'\n", "kind"),
        ("[[truth]]\nkind = 'a'\ngame = 'front_lines'\nlight = 3\n", "light"),
        ("[[truth]]\nkind = 'a'\ngame = 'front_lines'\nquestion = 13\n", "question"),
        ("[[truth]]\nkind = 'a'\ngame = 'nowhere'\nquestion = 2\n", "nowhere"),
        ("[[truth]]\nkind = 'a'\ngame = 'front_lines'\nrules = {lives = 99}\nquestion = 2\n", "lives"),
        ("[[truth]]\nkind = 'a'\ngame = 'front_lines'\n", "which question has a fault, or which ones are fine"),
        ("[[truth]]\nkind = 'a'\ngame = 'front_lines'\nquestion = 2\nfine = [2]\n", "not among those that are fine"),
        ("[[truth]]\nkind = 'a'\ngame = 'front_lines'\nfine = [2]\ncause = ['x']\n", "belong to a fault"),
        ("[[truth]]\nkind = 'a'\ngame = 'front_lines'\nquestion = 2\nwish = 'fair'\n", "a wish needs `mend`"),
        ("[[truth]]\nkind = 'a'\ngame = 'front_lines'\nquestion = 2\nwish = 'nice'\nmend = 'lives'\n", "there is no wish 'nice'"),
        (
            "[[truth]]\nkind = 'a'\ngame = 'front_lines'\nquestion = 2\nwish = 'fair'\nmend = 'lives'\nchange = 'flip'\n",
            "does not let this house rule change",
        ),
        ("[[truth]\n", "truths.toml"),
    ],
)
def test_a_wrong_truth_is_refused_in_words(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "truths.toml").write_text(text, "utf-8")
    with pytest.raises(OptionError, match=".") as refused:
        open_bench(tmp_path)
    assert said in str(refused.value) and "truths.toml" in str(refused.value)


def test_a_folder_without_truths_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"truths\.toml"):
        open_bench(tmp_path)


def test_a_game_whose_name_another_module_has_is_refused(tmp_path: Path) -> None:
    text = (STRANGERS / "seen" / "heap.py").read_text("utf-8")
    (tmp_path / "tomllib.py").write_text(text.replace('id="heap"', 'id="tomllib"'), "utf-8")
    (tmp_path / "truths.toml").write_text('[[truth]]\nkind = "a"\ngame = "tomllib"\nfine = [1]\n', "utf-8")
    with pytest.raises(OptionError, match=r"Rename the game"):
        open_bench(tmp_path)


def test_games_of_a_bench_are_known_to_the_processes_that_this_one_starts() -> None:
    open_bench(STRANGERS / "seen")
    assert "heap" in os.environ[installed.FILES].split() and "heap" in installed.list_game_names()
    assert str((STRANGERS / "seen").resolve()) in sys.path


@pytest.mark.wide
def test_the_command_prints_a_row_for_each_truth_and_the_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "usual_plan", lambda game, **given: plan_greedy(game))
    text = (STRANGERS / "seen" / "heap.py").read_text("utf-8")
    (tmp_path / "heap_of_ours.py").write_text(text.replace('id="heap"', 'id="heap_of_ours"'), "utf-8")
    (tmp_path / "truths.toml").write_text('[[truth]]\nkind = "none: even"\ngame = "heap_of_ours"\nfine = [1, 5]\n', "utf-8")
    labs.run_bench(tmp_path, "", "", None, 1, serially)
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("| none: even | heap_of_ours | – | – | – | – |")
    assert "- red lights of questions that are fine: 0 of 2, 0 % (0 to 66)" in lines
    assert "- found, their light is red: none" in lines


def test_the_study_of_a_bench_has_a_strong_player_and_looks_into_decisions() -> None:
    open_bench(STRANGERS / "seen")
    plan = usual_plan(registry.game("heap"))
    assert plan.strengths[-1] == Strength("search:400", 400) and len(plan.ladder) == 3
    assert plan.looks >= 40 and plan.readings >= 10, "lights of questions 8 to 12 need so many"


@pytest.mark.wide
def test_a_die_that_decides_all_is_not_called_skill() -> None:
    """The fighter's evaluation ignores who is to act, so it credits decisions with half of what the die did."""
    truth = truth_of("seen", "luck")
    game = registry.game(truth.game, **truth.rules)
    plan = check_plan(Plan(game.spec.id, "", (Arm("known", game.differences),), (Strength("greedy", 150),), weighed=150))
    run = Run(finish(Results(plan), serially), game, Thresholds())
    answer = answer_luck(run)
    assert answer.light == "unknown" and answer.measures[-1].estimate.high < 0.6, answer.sentence
