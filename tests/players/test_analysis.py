"""Hints and analyses: what was missed is found, luck adds up to nothing, and the same game gives the same analysis."""

import re
from typing import Any

import msgspec
import pytest

from bridgehead.core import options as house
from bridgehead.core import record, registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.phrases import languages
from bridgehead.players import analysis, report, win_chances
from bridgehead.players.advice import Adviser, narrate_action, percent, standing
from bridgehead.players.levels import one_ahead
from bridgehead.players.thoughts import Candidate, SearchResult
from connect_four import SPEC
from records import recorded

FOUR = Game(SPEC, house.build(SPEC))
EFFORT = 80


def played(columns: str) -> Match:
    """A game of Connect Four, by columns a to g."""
    return Match(FOUR, ["abcdefg".index(column) for column in columns])


def at_a_glance(position: Any, *_: Any) -> SearchResult:
    """In place of a search: what the evaluation makes of every action."""
    worth = one_ahead(position)
    sides, mine = position.game.sides, position.game.sides[position.actor]
    found = [Candidate(a, 1, tuple(w if side == mine else -w for side in sides), False) for a, w in worth.items()]
    found.sort(key=lambda each: -each.expected[position.actor])
    return SearchResult(found[0].action, found, found[0].expected, 1)


def test_a_win_that_was_missed_is_the_key_moment_and_told_as_given_away() -> None:
    match = played("abababcb")  # Ada could have won with a, and plays c
    found = analysis.study(match, ["Ada", "Ben"], EFFORT)
    missed = found.steps[6]
    assert missed.text == "c" and missed.ways[0].text == "a" and missed.ways[0].proven
    assert missed.before == (1.0, 0.0) and missed.lost > 0.3
    assert any((moment.at, moment.seat, moment.kind) == (6, 0, "lost") for moment in found.moments)
    assert found.seats[0].lost == pytest.approx(sum(step.lost for step in found.steps if step.actor == 0), abs=1e-3)
    assert found.line[-1] == (0.0, 1.0) and len(found.line) == len(match.log) + 1
    assert found == analysis.study(match, ["Ada", "Ben"], EFFORT), "the same game, effort and seed"


def moments_of(*line: float) -> list[tuple[int, str]]:
    """The key moments of a game of two in which no choice and no draw was to blame, by the first seat's win chances."""
    steps = [analysis.AnalysisStep(at, at + 1, at % 2, 0, "a", (chance, 1 - chance)) for at, chance in enumerate(line[:-1])]
    return [(each.at, each.kind) for each in analysis.moments(steps, [(chance, 1 - chance) for chance in line])]


def test_every_swing_of_the_line_by_15_points_has_a_key_moment() -> None:
    assert moments_of(0.5, 0.97, 0.97, 0.0) == [(0, "swing"), (2, "swing")], "a fall from 97 % to 0"
    assert moments_of(0.5, 0.4, 0.28, 0.2, 0.5) == [(1, "swing"), (3, "swing")], "a slow fall: its largest step"
    assert moments_of(0.5, 0.6, 0.5, 0.6, 0.5, 0.6) == [], "what turns back before 15 points is none"
    assert [at for at, _ in moments_of(*(0.05 * (at % 20) for at in range(41)))] == [0, 19, 20, 39], "rises end in falls"
    line = [0.9, 0.1] * 10
    assert len(moments_of(*line)) == len(line) - 1, "however many they are"


def test_luck_is_measured_against_all_outcomes_with_their_exact_weights(monkeypatch: Any) -> None:
    monkeypatch.setattr(win_chances, "consider_actions", at_a_glance)
    match = record.load(recorded("barricade-1"))[0]
    at = next(i for i in range(len(match.log) - 1, 0, -1) if match.log[i].actor < 0)
    rolled = []
    for action in match.positions[at].legal:
        told = analysis.step(Match(match.game, [*match.actions[:at], action]), at, EFFORT)
        rolled.append(told.luck)
        assert sum(told.luck) == pytest.approx(0, abs=1e-3), "what one seat wins the others lose"
    for seat in range(match.game.seats):
        assert sum(luck[seat] for luck in rolled) == pytest.approx(0, abs=1e-3), "six equal outcomes"
    assert max(max(luck) for luck in rolled) > 0.02


def test_win_chances_of_all_sides_are_one_and_team_mates_share_theirs() -> None:
    barricade = registry.game("barricade", seats=4)
    assert win_chances.chances(barricade, [0.5, -0.5, -0.5, -0.5]) == pytest.approx((0.5, 1 / 6, 1 / 6, 1 / 6))
    assert win_chances.chances(barricade, [0.0] * 4) == (0.25,) * 4
    teams = registry.game("front_lines", seats=4)
    assert win_chances.chances(teams, [1.0 if side == teams.sides[0] else -1.0 for side in teams.sides])[0] == 1.0
    assert standing(0.25, 4) == standing(0.5, 2) == "even" and standing(0.6, 4) == "clear" and standing(1.0, 2) == "won"
    assert (percent(0.999), percent(0.001), percent(1.0), percent(0.0)) == (99, 1, 100, 0)


def test_a_page_needs_nothing_from_elsewhere_and_hurts_nobody() -> None:
    match = played("abababa")
    told = analysis.study(match, ["<b>Ada</b>", "Ben"], EFFORT)
    for language in languages():
        page = report.page(match, told, language)
        assert not re.search(r"<script|<link|src=|https?:|url\(|<b>Ada", page)
        assert page.count("<polyline") == 4 and "&lt;b&gt;Ada" in page and f'lang="{language}"' in page
    worded = report.tell_analysis(match, told, "en")
    assert msgspec.json.decode(msgspec.json.encode(worded), type=report.Report) == worded
    assert [sum(way.chosen for way in step.ways or []) for step in worded.steps] == [1] * len(match.log)


def test_a_hint_names_the_win_or_the_threat_in_words() -> None:
    wins = Adviser(played("ababab").position, ["Ada", "Ben"], effort=EFFORT).advise()
    assert wins.best[0].text == "a" and wins.chance == 1 and wins.why == "This wins, whatever the others do."
    threatened = Adviser(played("ababa").position, ["Ada", "Ben"], effort=2 * EFFORT).advise()
    assert threatened.best[0].text == "a", "else Ada wins there"
    assert threatened.threat.startswith("Look out: after") and "Ada" in threatened.threat
    german = Adviser(played("ababab").position, ["Ada", "Ben"], "de", effort=EFFORT).advise()
    assert german.why == "Das gewinnt, was die anderen auch tun."


def test_actions_that_differ_by_less_than_3_points_are_named_alike(monkeypatch: Any) -> None:
    def close(position: Any, *_: Any) -> SearchResult:
        found = [Candidate(a, 9, (0.5 - 0.05 * n, 0.05 * n - 0.5), False) for n, a in enumerate(position.legal)]
        return SearchResult(found[0].action, found, found[0].expected, 9)

    monkeypatch.setattr("bridgehead.players.advice.consider_actions", close)
    hint = Adviser(played("").position, ["Ada", "Ben"]).advise()
    assert [each.chance for each in hint.best] == [0.75, 0.725, 0.7] and hint.alike == 2
    assert hint.why.startswith("Any of these: they differ by less than 3 points")


def test_what_a_hint_calls_best_has_the_highest_chance_of_all_that_it_names(monkeypatch: Any) -> None:
    """The search took the most visited action, and gave the next best one a higher chance."""
    visits, worth = (100, 60, 20, 20, 4), (0.0, 0.2, 0.8, -0.4, -0.2)

    def searched(position: Any, *_: Any) -> SearchResult:
        found = [Candidate(*each, False) for each in zip(position.legal, visits, ((w, -w) for w in worth), strict=False)]
        return SearchResult(found[0].action, found, found[0].expected, 204)

    monkeypatch.setattr("bridgehead.players.advice.consider_actions", searched)
    hint, legal = Adviser(played("").position, ["Ada", "Ben"]).advise(), played("").position.legal
    assert [(each.action, each.chance) for each in hint.best] == [(legal[1], 0.6), (legal[0], 0.5), (legal[3], 0.3)]
    assert hint.chance == 0.6 and "60 of 100" in hint.why and "50" in hint.why


def test_a_hint_after_which_chance_comes_says_what_the_worst_would_be(monkeypatch: Any) -> None:
    monkeypatch.setattr("bridgehead.players.advice.consider_actions", at_a_glance)
    match = Match(registry.game("barricade", board="mini"))
    match.deal(SeededDealer(1))
    told = Adviser(match.position, ["Ada", "Ben"], effort=EFFORT).advise()
    assert re.match(r"The worst that can come then \(1 in 6\): .+ rolled \d\. .+\.$", told.answer)


def test_steps_that_are_not_the_whole_match_are_refused() -> None:
    match = played("abab")
    with pytest.raises(BridgeheadError, match="not those of the whole match"):
        analysis.summarize_match(match, ["Ada", "Ben"], [analysis.step(match, 0, EFFORT)])
    with pytest.raises(BridgeheadError, match="no action 4"):
        analysis.step(match, 4, EFFORT)


@pytest.mark.parametrize(
    ("game", "least"), [("burning_bridges", 3), ("forty_bridges", 3), ("front_lines", 0)]
)  # its cards come between
def test_a_plan_is_the_seats_own_next_action_with_what_it_changes(monkeypatch: Any, game: str, least: int) -> None:
    """Each sentence is held against the position that the first action and the expected reply lead to."""
    monkeypatch.setattr("bridgehead.players.advice.consider_actions", at_a_glance)
    match = record.load(recorded(f"{game}-1"))[0]
    told = match.game.name_seats((), "en")
    found = 0
    for position in [each for each in match.positions[:-1] if each.actor >= 0][::9]:
        hint = Adviser(position, told, effort=EFFORT).advise()
        mine, seen = position.game.sides[position.actor], position.play(hint.best[0].action)
        if seen.actor >= 0 and position.game.sides[seen.actor] != mine:
            reply = at_a_glance(seen).action
            assert hint.answer.endswith(narrate_action(seen, reply, "en", told))
            seen = seen.play(reply)
        if seen.actor != position.actor:
            assert hint.plan == ""
            continue
        action = at_a_glance(seen).action
        words = position.game.words
        effects = [
            words.tell(each, "en", position.game.find_given_names(told))
            for each in seen.game.spec.progress.effects(seen, action)[:3]
        ]
        expected = f"Your plan after that: {narrate_action(seen, action, 'en', told)} ({'; '.join(effects)})" if effects else ""
        assert hint.plan == expected
        found += bool(effects)
    assert found >= least


def test_a_moment_that_gave_something_away_names_the_answer_that_another_side_had() -> None:
    match = played("abababcb")
    study = analysis.study(match, ["Ada", "Ben"], EFFORT)
    moments = {each.at: each for each in report.tell_analysis(match, study, "en").moments}
    assert moments[6].why.endswith("The best answer to what was played: Ben drops a disc into column b. Four in a row: Ben wins.")
    last = msgspec.structs.replace(study, moments=(analysis.Moment(7, 1, 0.5, "lost"),))
    assert "answer" not in report.tell_analysis(match, last, "en").moments[0].why, "after the end nobody answers"


def test_a_hint_and_an_analysis_say_that_a_seat_can_no_longer_lose() -> None:
    """Player 1 takes one of three pieces; two capture nothing."""
    game = registry.game("forty_bridges", setup="custom", layout="a1,A2,B2,A4 b3,d5,d4")
    match, sentence = Match(game), "Ada cannot lose any more: fewer than three pieces capture nothing"
    for action in ("A4-A3", "d5-c5", "B2-C2"):
        match.play(action)
    moments = report.tell_analysis(match, analysis.study(match, ["Ada"], effort=2), "en").moments
    assert [each.at for each in moments if sentence in each.why] == [0], "once, at the action that made it so"
    assert sentence not in Adviser(match.positions[0], ["Ada"], effort=2).advise().why
    assert sentence in Adviser(match.positions[1], ["Ada"], effort=2).advise().why


@pytest.mark.parametrize(("house", "wins"), [({}, False), ({"retreat": False, "repetition": "forbid"}, True)])
def test_a_hint_takes_endgames_and_proofs_by_the_rules_of_the_game(house: dict[str, Any], wins: bool) -> None:
    """A win in 17 plies where no piece goes back, which so short a search finds in a table only; a draw as written."""
    game = registry.game("forty_bridges", setup="custom", layout="B1,a3 C2,a5", **house)
    match = Match(game)
    hint = Adviser(match.position, ["Ada", "Ben"], effort=2).advise()
    assert (hint.chance, hint.best[0].label, hint.best[0].proven) == (1.0, "a3 to a4: step", True) or not wins
    assert hint.chance == (1.0 if wins else 0.5)
    match.play("a3-a4" if wins else "B1-A1")
    study = analysis.study(match, ["Ada", "Ben"], effort=2)
    assert [each[0] for each in study.line] == [hint.chance, hint.chance]
    safe = registry.game("forty_bridges", setup="custom", layout="a1,c3 C4,D4", **house)
    assert "Ada cannot lose any more" in Adviser(safe.start(), ["Ada", "Ben"], effort=2).advise().why
