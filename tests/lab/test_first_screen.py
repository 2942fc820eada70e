"""The first screen of a report: each light in one sentence without statistics, how sure it is, and what a designer asks next."""

import re
from typing import Any

import pytest

from bridgehead.core.phrases import Phrase, languages
from bridgehead.workshop.lab import report, study
from bridgehead.workshop.lab.answers import questions
from bridgehead.workshop.lab.answers.answer import Answer, Run, Thresholds, find_phrase
from bridgehead.workshop.lab.first_screen import JUDGED, answer_designer, simplify_lights
from bridgehead.workshop.lab.plan import Arm, Duel, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish
from bridgehead.workshop.lab.words import WORDS, tell
from bridgehead.workshop.statistics import Estimate

pytestmark = pytest.mark.wide

JARGON = re.compile(r"interval|Wilson|p-value|chi-square|bootstrap|\(\d+ to \d+\)")


def play(**rules: Any) -> Run:
    players, duels = (Strength("random", 200), Strength("greedy", 200)), (Duel("greedy", "random", 6),)
    results = finish(Results(check_plan(Plan("known", "", (Arm("as written", rules),), players, duels, weighed=100, looks=0))))
    return Run(results, results.plan.make_game(0), Thresholds())


def test_each_light_is_one_plain_sentence_that_says_how_sure_it_is_in_every_language() -> None:
    for rules in ({"kind": "coin", "edge": 85}, {"kind": "skill"}, {"kind": "coin", "seats": 3}):
        run = play(**rules)
        lights = simplify_lights(run, study.answer_questions(run))
        assert [each.answer.number for each in lights] == list(range(1, 13))
        for language in languages():
            for each in lights:
                told = [tell(text, language) for text in (each.meaning, each.sure, each.attempt)]
                assert told[0] and told[1] and not any("{" in text or JARGON.search(text) for text in told), told
                assert bool(told[2]) or each.answer.light in ("good", "unknown")
        assert all("Of 100 such studies" in tell(lights[number - 1].sure) for number in (4, 9, 11))


def test_the_sentence_is_of_the_number_that_makes_the_light_red() -> None:
    run = play(kind="coin", edge=85)
    fair, ends = (simplify_lights(run, study.answer_questions(run))[i] for i in (1, 0))
    assert re.match(r"By seat, Black wins most, about 8\d of 100 games, and \w+ least", tell(fair.meaning))
    assert tell(fair.attempt).startswith("To try: draw by lot who begins")
    assert tell(ends.meaning) == "Games without a winner: none." and ends.attempt == ""
    short = play(kind="coin", plies=4)
    length = simplify_lights(short, study.answer_questions(short))[2]
    assert tell(length.meaning) == "Each player decides about 2.0 times in a game." and "a longer way" in tell(length.attempt)


def test_the_three_questions_that_a_designer_asks_next_are_answered_first() -> None:
    run = play(kind="coin", edge=85)
    answers = study.answer_questions(run)
    asked = [(tell(asked), tell(answer)) for asked, answer in answer_designer(answers, {2: Phrase("because.gap")})]
    assert [each[0] for each in asked] == [
        "Does skill change who is favoured?", "Which rule causes it?", "How sure is a green light?",
    ]  # fmt: skip
    assert asked[0][1] == "Too few games to say.", "one player alone thinks"
    assert asked[1][1] == "a seat or a place in the order is favoured before anybody decides"
    assert "at most 5 times in 100" in asked[2][1] and re.search(r"Of 100 such studies, \d+ would have seen a gap", asked[2][1])
    for trend, said in (("changes", "Yes."), ("same", "fewer than 7 in 100 games")):
        fair = answers[1]._replace(light="good", text=Phrase(f"seats.trend.{trend}", {"points": 7}))
        told = answer_designer([fair], {})
        assert said in tell(told[0][1]) and "no rule is to blame" in tell(told[1][1])


def test_the_page_begins_with_them_and_has_the_figures_behind_a_press() -> None:
    page = report.build_report(play(kind="coin", edge=85).results, Thresholds(), "bridgehead lab known")
    first, questions_, figures = (page.index(text) for text in ("Does skill change", "Twelve questions", "with their figures"))
    assert first < questions_ < figures
    rows = re.findall(r"<details class=\"printed\"><summary>(.*?)</summary>(.*?)</details>", page[questions_:figures], re.S)
    assert len(rows) == 12 and all('class="light ' in summary for summary, _ in rows)
    assert "(95 % interval)" not in rows[1][0] and "largest gap" in rows[1][1] and "largest gap" not in rows[1][0]


def test_every_number_that_a_light_judges_has_a_sentence_and_something_to_try() -> None:
    for number, judged in JUDGED.items():
        assert WORDS.has(f"try.{number}")
        for key, limits, _ in judged:
            assert WORDS.has(f"plain.{key}") and WORDS.has(f"measure.{key}") and hasattr(Thresholds(), limits)


def test_a_ladder_of_many_games_sees_that_thinking_harder_never_pays() -> None:
    """A step that is even was called open, whatever the number of its games."""
    run, sure = play(kind="coin"), Estimate(0.5, 0.47, 0.53, 2000)
    assert questions.count_rungs_won([sure] * 3, 0.5)[:3] == (0, 0, 0)
    assert questions.see_useless_skill(run, [sure] * 3, 0.5) > 0.9
    assert questions.see_useless_skill(run, [Estimate(0.5, 0.2, 0.8, 12)] * 3, 0.5) < 0.2


def test_win_chances_that_are_off_make_no_light_of_luck_fine() -> None:
    """An evaluation that is off credits decisions with what dice did: luck of 43 % where a die decides all."""
    run = play(kind="begins")
    assert questions.answer_luck(run).light == "bad"
    for part, rows in run.results._rows.items():
        if part.kind == "games":
            rows["dealt"] *= 0.3  # as a flat evaluation says
            rows["bins"] = 0
            rows["bins"][:, 5] = 1, 0.5, 0.9
    answer: Answer = questions.answer_luck(run)
    assert answer.light == "unknown" and find_phrase(answer.text, "chances.off"), tell(answer.text)
    assert answer.measures[-1].estimate.value < 0.6 and tell(answer.seen).startswith("Of 100 such studies, 0 would")


@pytest.mark.parametrize("games", [5, 500])
def test_unused_clauses_are_seen_only_in_enough_games(games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "REPLAYS", 0)
    told = tell(questions._see_unused(play(kind="coin"), 20, games))
    assert told == f"Of 100 such studies, {99 if games == 500 else 0} would have seen that 40 % of the clauses decide nothing."
