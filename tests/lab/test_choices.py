"""Choices, foresight and kingmaking (questions 8, 12, 10) on games whose answers are known.

A coin, a dominant action, three seats of which the last one names the winner, turns of 12 actions.
"""

import functools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.workshop.lab import decision_samples, study
from bridgehead.workshop.lab.answers import questions
from bridgehead.workshop.lab.answers.answer import Answer, Run, Thresholds
from bridgehead.workshop.lab.because import because
from bridgehead.workshop.lab.decision_samples import PLACES, choose_places, lead_apart
from bridgehead.workshop.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish
from bridgehead.workshop.lab.words import tell
from bridgehead.workshop.statistics import Estimate

pytestmark = pytest.mark.wide


@pytest.fixture(autouse=True)
def short_searches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tests run uncompiled."""
    monkeypatch.setattr(decision_samples, "BUDGETS", (10, 40))
    monkeypatch.setattr(questions, "BUDGETS", (10, 10, 40))
    yield
    look_into.cache_clear()


@functools.cache
def look_into(kind: str, looks: int = 30, weighed: int = 0, **rules: Any) -> Run:
    """A study of random players whose decisions are looked into."""
    arms = (Arm("as written", {"kind": kind, "plies": 6, **rules}),)
    plan = check_plan(Plan("known", "", arms, (Strength("random", 60),), weighed=weighed, looks=looks))
    return Run(finish(Results(plan)), plan.make_game(0), Thresholds())


def number(answer: Answer, name: str) -> Estimate:
    return next(each.estimate for each in answer.measures if each.name == name)


def test_a_coin_gives_nothing_away_and_offers_no_choice() -> None:
    """The best of several noisy values less the chosen one, from the same search, was always above 0."""
    run = look_into("coin")
    foresight, choices = questions.answer_clarity(run), questions.answer_choices(run)
    regret = number(foresight, "regret of looking one action ahead")
    assert regret.low <= 0 <= regret.high < 0.08 and foresight.light == "good", regret
    stake = number(choices, "what a choice at random gives away")
    assert stake.low <= 0 <= stake.high and number(choices, "two or more about as good that lead to different games").value == 0
    assert choices.light == "bad" and "nothing shows that it matters what is chosen" in choices.sentence
    assert "whatever is chosen, the chance of winning stays the same" in tell(because(run, choices, [choices]))


def test_where_no_choice_matters_all_is_luck_whatever_evaluations_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """An evaluation that does not see who is to act gives a part of what draws do to decisions."""
    monkeypatch.setattr(questions, "luck_share", lambda both: 0.3)
    run = look_into("coin", weighed=60)
    for low, high, light in ((-0.001, 0.004, "bad"), (0.03, 0.05, "good")):
        monkeypatch.setattr(questions, "_mean_over", lambda run, name, ends=(low, high): Estimate(0.0, *ends, 30))
        answer = questions.answer_luck(run)
        assert answer.light == light and ("draws decide all of it" in answer.sentence) == (light == "bad")


def test_many_ways_to_do_nothing_are_no_choice() -> None:
    run = look_into("paint")
    choices = questions.answer_choices(run)
    assert number(choices, "two or more about as good that lead to different games").value > 0.25, "they do lead apart"
    assert choices.light in ("bad", "unknown") and "nothing shows that it matters" in choices.sentence


def test_an_action_that_is_always_best_is_no_choice_and_is_named() -> None:
    run = look_into("skill")
    choices = questions.answer_choices(run)
    assert choices.light == "bad" and number(choices, "do right, the best action where the choice matters").value > 0.9
    assert number(choices, "what a choice at random gives away").low > 0.01 and "nothing shows" not in choices.sentence
    assert "“do right” is the best action nearly always" in tell(because(run, choices, [choices]))


def with_samples(**columns: Any) -> Answer:
    """The answer to question 8 of a study with 40 games of such samples, in which a third of the values is drawn."""
    plan = check_plan(Plan("known", "", (Arm("a", {"kind": "paint"}),), (Strength("random", 40),), weighed=0, looks=40))
    results, lot = Results(plan), np.random.default_rng(1)
    for part in results.parts:
        rows = np.zeros(part.size, results._type(0, part.kind))
        rows["number"] = np.arange(part.first, part.first + part.size)
        if part.kind == "looks":
            rows["legal"], rows["near"], rows["kind"] = 2, 1, lot.integers(0, 2, (part.size, PLACES))
            rows["single"][:, :, :2] = True
            rows["stake"] = 0.05 + 0.02 * lot.random((part.size, PLACES))
            rows["real"] = lot.random((part.size, PLACES)) < 0.6
            for name, value in columns.items():
                rows[name] = value
        else:
            rows["plies"] = 20
        results.keep(part, rows)
    return questions.answer_choices(Run(results, plan.make_game(0), Thresholds()))


def test_choices_are_fine_only_where_they_are_free_real_worth_something_and_not_dominated() -> None:
    assert with_samples().light == "good"
    assert with_samples(real=0).light == "bad"
    assert with_samples(stake=0.0002 + 0.0001 * np.arange(PLACES) / PLACES).light == "bad"
    dominated = with_samples(kind=0)
    assert dominated.light == "bad" and "Where “do wrong” competes" in dominated.sentence
    none = with_samples(legal=0)
    assert none.light == "unknown", "without a sample nothing is known"


def test_whoever_cannot_win_and_names_the_winner_is_seen() -> None:
    """The last sixth of each game was never sampled, and the light looked at nothing but being out of the game."""
    run = look_into("kings", seats=3)
    answer = questions.answer_others(run)
    assert answer.light == "bad" and number(answer, "games decided by somebody who cannot win").low > 0.8
    assert "somebody who cannot win any more decides with a last action who does" in answer.sentence
    assert "of games somebody who cannot win decides" in tell(because(run, answer, [answer]))
    luck = questions.answer_others(look_into("coin", 4, seats=3, plies=18))
    assert number(luck, "games decided by somebody who cannot win").value == 0
    assert luck.light == "unknown", "four games do not rule out one in five"


def test_a_turn_of_twelve_actions_is_a_long_wait() -> None:
    run = look_into("long", looks=0, plies=96)
    answer = questions.answer_others(run)
    assert number(answer, "longest wait").value == 12 and answer.light == "watch"
    assert "12.0 (12.0 to 12.0) actions of others" in answer.sentence
    assert questions.answer_others(look_into("skill", looks=0, plies=20)).light == "good", "one action of the other is no wait"


def test_every_decision_of_a_game_is_as_likely_to_be_looked_into_as_another_one() -> None:
    found = [choose_places(20, f"{seed}") for seed in range(3000)]
    assert all(len({*each}) == len(each) and each == sorted(each) for each in found)
    assert np.mean([len(each) for each in found]) > 0.97 * PLACES, "only neighbours at an edge may be one and the same"
    times = Counter(place for each in found for place in each)
    assert set(times) == set(range(20)), "the last one, too"
    assert all(abs(times[place] - 3000 * PLACES / 20) < 90 for place in range(20)), times
    assert [choose_places(few, "1") for few in (0, 1, 3)] == [[], [0], [0, 1, 2]]


def test_actions_lead_apart_if_they_leave_other_actions_or_another_end() -> None:
    coin, paint, kings = (registry.game("known", kind=kind, plies=6, seats=3).start() for kind in ("coin", "paint", "kings"))
    assert not lead_apart(coin, 0, 1) and lead_apart(paint, 0, 1) and not lead_apart(coin, 0, 0)
    for _ in range(6):
        kings = kings.play(0)
    assert lead_apart(kings, 0, 1), "another one wins"


def test_the_answers_hold_for_a_study_without_samples() -> None:
    run = look_into("coin", looks=0)
    lights = {each.number: each.light for each in study.answer_questions(run)}
    assert [lights[8], lights[12]] == ["unknown", "unknown"]
