"""The lab's measures on games whose answers are known, and runs that can be stopped, gone on with and made anywhere."""

import math
import re
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.errors import OptionError, RecordError
from bridgehead.workshop.lab import plan as plans
from bridgehead.workshop.lab import readings, report, stages, study
from bridgehead.workshop.lab.answers import questions
from bridgehead.workshop.lab.answers.answer import Answer, Light, Run, Thresholds, light, worse
from bridgehead.workshop.lab.facts import behind, sure
from bridgehead.workshop.lab.plan import OPENING, Arm, Duel, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish, make, on_cores, serially, split_plan
from bridgehead.workshop.lab.tracing import Tracer
from bridgehead.workshop.lab.words import tell
from bridgehead.workshop.statistics import Estimate, alike, mean, wilson

pytestmark = pytest.mark.wide


def plan(*, games: int = 400, player: str = "random", duels: tuple[Duel, ...] = (), weighed: int = 400, **rules: Any) -> Plan:
    arms, strengths = (Arm("as written", rules),), (Strength(player, games),)
    return check_plan(Plan("known", "", arms, strengths, duels, weighed=weighed))


def run(**told: Any) -> Results:
    return finish(Results(plan(**told)))


def number(answer: Answer, name: str) -> Estimate:
    return next(each.estimate for each in answer.measures if each.name == name)


LIMITS = Thresholds()


def first_arm(results: Results) -> Run:
    return Run(results, results.plan.make_game(0), LIMITS)


def test_a_coin_is_balanced_and_nobody_leads_before_it_is_thrown() -> None:
    results = run(kind="coin", games=2000)
    assert questions.answer_seats(first_arm(results)).light == "good"
    gap = number(questions.answer_seats(first_arm(results)), "largest gap")
    assert gap.low <= 0.001 <= 0.06 >= gap.value
    tense = questions.answer_tense(first_arm(results))
    assert number(tense, "changes of the lead").value == 0
    assert number(tense, "drama").value < 0.01
    assert number(tense, "uncertainty, tenth 9").value > 0.97
    assert number(questions.answer_decision_time(first_arm(results)), "decided after").value == 1.0


def test_a_game_that_the_first_seat_always_wins_is_told() -> None:
    results = run(kind="first")
    answer = questions.answer_seats(first_arm(results))
    assert (answer.light, number(answer, "Black").value, number(answer, "largest gap").value) == ("bad", 1.0, 1.0)
    assert number(questions.answer_decision_time(first_arm(results)), "decided after").value == 0.0
    assert number(questions.answer_tense(first_arm(results)), "uncertainty, tenth 1").value < 0.01


def test_a_lead_that_wins_nearly_always_is_told_once_enough_games_show_it() -> None:
    name = "the winner had more than an even chance at half time"
    answer = questions.answer_decision_time(first_arm(run(kind="first", games=questions.LEADS)))
    assert answer.light == "bad" and number(answer, name).low > 0.9
    assert "At half time the winner had more than an even chance in 100" in answer.sentence
    few = questions.answer_decision_time(first_arm(run(kind="first", games=questions.LEADS - 1)))
    assert all(each.name != name for each in few.measures), "so few say nothing"
    late = questions.answer_decision_time(first_arm(run(kind="coin", games=200)))
    assert late.light == "good" and number(late, name).high < 0.75


def test_a_comeback_is_seen_where_it_happens() -> None:
    results = run(kind="comeback", plies=40)
    tense = questions.answer_tense(first_arm(results))
    assert number(tense, "comebacks").value == 1.0
    assert number(tense, "changes of the lead").value == 1.0
    assert number(tense, "drama").value > 0.98
    assert number(tense, "calibration error of the win chances").low > 0.7 and tense.light == "unknown", (
        "the evaluation was wrong"
    )
    assert "are off by" in tense.sentence and questions.answer_decision_time(first_arm(results)).light == "unknown"
    assert number(questions.answer_decision_time(first_arm(results)), "decided after").value == 0.75


def test_even_chances_are_no_comeback_and_no_drama_however_many_sides_there_are() -> None:
    """Of five even sides each has a fifth: that was a chance of at most 25 %, so every winner had come back."""
    for sides in (2, 5):
        results = run(kind="coin", seats=sides, games=100)
        tense = questions.answer_tense(first_arm(results))
        assert (number(tense, "comebacks").value, round(number(tense, "drama").value, 2)) == (0.0, 0.0)
        assert f"({100 // sides} % is even)" in tense.sentence
    assert (sure(2), behind(2)) == (pytest.approx(0.9), 0.25) and (sure(5), behind(5)) == (pytest.approx(0.84), 0.1)


def of_two(greedy: float, strongest: float, games: tuple[int, int], lot: np.random.Generator) -> Run:
    """A study with so many games of greedy and of strongest players, whose first seat wins these shares."""
    strengths, rules = tuple(Strength(name, n) for name, n in zip(("greedy", "random"), games, strict=True)), {"kind": "coin"}
    results = Results(check_plan(Plan("known", "", (Arm("as written", rules),), strengths, weighed=0)))
    for part in results.parts:
        if part.kind != "games":
            continue
        rows = np.zeros(part.size, results._type(0, "games"))
        first = lot.random(part.size) < (greedy, strongest)[part.which]
        rows["reason"], rows["order"][:, 1], rows["order"][:, 2:] = 1, 1, -1
        rows["result"][:, 0], rows["result"][:, 1] = np.where(first, 1, -1), np.where(first, -1, 1)
        results.keep(part, rows)
    return Run(results, results.plan.make_game(0), LIMITS)


@pytest.mark.parametrize("strongest", [0.6, 0.7])
def test_greedy_games_make_no_light_fine_where_the_strongest_win_from_one_seat(strongest: float) -> None:
    """Counted together they did in 81 % of such studies, and in 47 % with a gap of 40 points."""
    lot = np.random.default_rng(round(100 * strongest))
    sizes = 60 * ((6000, 25), (1000, 60), (12_000, 300))
    lights = [questions.answer_seats(of_two(0.5, strongest, games, lot)).light for games in sizes]
    assert lights.count("good") <= 0.05 * len(lights)
    fair = [questions.answer_seats(of_two(0.5, 0.5, games, lot)).light for games in sizes]
    assert fair.count("bad") <= 0.05 * len(fair)
    tilted = [questions.answer_seats(of_two(0.7, 0.5, games, lot)).light for games in 60 * ((6000, 25), (1000, 60))]
    assert tilted.count("bad") <= 0.05 * len(tilted), "a fault of weak play alone is none of the strongest's"
    open_ = questions.answer_seats(of_two(0.5, 0.6, (6000, 25), np.random.default_rng(1)))
    assert open_.light == "unknown" and "games would tell" in open_.sentence


def test_greedy_games_warn_where_the_strongest_agree() -> None:
    answer = questions.answer_seats(of_two(0.65, 0.65, (2000, 40), np.random.default_rng(3)))
    assert answer.light == "watch" and "together" in answer.sentence and "decided games of both" in answer.sentence
    assert number(answer, "largest gap").games == 2000
    pooled = [each for each in answer.measures if (each.player, each.name) == ("greedy + random", "largest gap")]
    assert [each.estimate.games for each in pooled] == [2040]
    few = questions.answer_seats(of_two(0.65, 0.65, (2000, 10), np.random.default_rng(3)))
    assert few.light == "unknown" and "greedy + random" not in {each.player for each in few.measures}
    assert alike(np.array([500, 500]), np.array([80, 20])) < 0.001 < 0.9 < alike(np.array([500, 500]), np.array([50, 50]))


def test_a_light_says_how_often_such_a_study_would_have_seen_a_fault() -> None:
    """The figure is about that of studies played again and again."""
    lot = np.random.default_rng(9)
    for games in (60, 150, 600):
        seen = tell(questions.answer_seats(of_two(0.5, 0.5, (20, games), lot)).seen)
        (told,) = re.findall(r"Of 100 such studies, (\d+) would have seen a gap of 20 points\.", seen)
        lights = [questions.answer_seats(of_two(0.5, 0.6, (20, games), lot)).light for _ in range(100)]
        assert abs(int(told) - sum(each in ("watch", "bad") for each in lights)) <= 15, (games, told)
    shown = {each.number: tell(each.seen) for each in study.answer_questions(first_arm(run(kind="coin", games=200)))}
    assert re.search(r"\d+ would have seen that 10 % of games never end", shown[1])
    assert shown[12] == "", "nothing was looked into"


def test_fairness_is_told_by_strength_and_whether_skill_changes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Run, "players", lambda run, kind: [("greedy", run.rows(kind, 0)), ("search:9", run.rows(kind, 1))])
    found = [
        questions.answer_seats(of_two(0.5, strongest, (2000, games), np.random.default_rng(4))).sentence
        for strongest, games in ((0.7, 400), (0.5, 400), (0.5, 5))
    ]
    for sentence in found:
        assert re.search(r"by strength: greedy .* % \(.*\) in 2,000 games; search \(9 simulations\) .* in \d+ games\.", sentence)
    assert "So skill changes who is favoured" in found[0]
    assert re.search(r"is not shown; a change of less than \d+ points would mostly be missed", found[1])
    assert "Too few games to say whether skill changes" in found[2]


def test_a_study_in_stages_stops_when_its_lights_are_known_and_pays_for_its_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = plan(games=800, duels=(Duel("greedy", "random", 8),), kind="coin")
    told = [stages.stage(whole, number) for number in range(len(stages.STAGES))]
    assert [each.strengths[0].games for each in told] == [100, 200, 400, 800] and [each.duels[0].sets for each in told] == [
        1,
        2,
        4,
        8,
    ]
    assert sum(1 - each.level for each in told) == pytest.approx(0.05)
    lights = iter(("unknown", "good"))
    monkeypatch.setattr(stages.study, "answers", lambda results, limits: [Answer(1, next(lights), "", [])])  # type: ignore[arg-type]
    results = stages.until_known(whole, tmp_path, LIMITS, finish)
    assert results.plan == told[1] and not results.missing
    assert results.rows("games", 0).tobytes() == finish(Results(whole)).rows("games", 0)[:200].tobytes()
    narrow = first_arm(results).share(50, 100)
    assert narrow.high - narrow.low > 1.2 * (wilson(50, 100).high - wilson(50, 100).low)


def test_the_last_stage_has_enough_games_with_a_winner_of_the_strongest_player_and_reads_enough_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of the games of two random players with one ply each are drawn; a tenth of the plan's games would leave 50 winners."""
    strengths = (Strength("greedy", 400), Strength("random", 100))
    arms = (Arm("as written", {"kind": "skill", "plies": 2}),)
    whole = check_plan(Plan("known", "", arms, strengths, weighed=0))
    unknown = [Answer(2, "unknown", "", [])]
    monkeypatch.setattr(stages.study, "answers", lambda results, limits: unknown)
    results = stages.until_known(whole, tmp_path, LIMITS, finish)
    rows = results.rows("games", 1)
    assert results.plan.strengths[0] == strengths[0] and 1600 < len(rows) < 2500
    assert int((rows["result"].max(axis=1) > 0).sum()) >= stages.WINNERS
    assert rows[:100].tobytes() == finish(Results(whole)).rows("games", 1).tobytes(), "the first games are those of the plan"
    read = stages.complete_plan(msgspec.structs.replace(whole, readings=2), results)
    assert [each.readings for each in read.strengths] == [0, stages.READ]
    assert [many for many, _ in readings.sizes(read)] == [2 * readings.GREEDY, min(stages.READ, read.strengths[1].games)]
    assert wilson(17, stages.READ, results.plan.level).high < LIMITS.rare[1], "what hardly happened is seldom beyond doubt"
    seldom = results.rows("games", 1)[:0]
    monkeypatch.setattr(results, "rows", lambda kind, which: seldom)
    assert stages.complete_plan(whole, results).strengths[1].games == strengths[1].games, "nothing is known before the first game"


def test_length_and_ends_are_counted_exactly() -> None:
    results = run(kind="skill", plies=30)
    length = questions.answer_length(first_arm(results))
    assert number(length, "plies").value == 30 and number(length, "decisions a player").value == 15
    assert number(length, "at the table").value == 30 * LIMITS.seconds_a_decision / 60
    assert number(questions.answer_ends(first_arm(results)), "done (K-2)").value == 1.0
    rows = results.rows("games", 0)
    assert (rows["wait"][:, :2] == 1).all() and (rows["forced"] == 0).all() and (rows["branching"] == 2).all()
    cut = Plan("known", "1", (Arm("as written", {"kind": "skill", "plies": 30}),), (Strength("random", 10),), longest=20)
    ends = questions.answer_ends(first_arm(finish(Results(check_plan(cut)))))
    assert (number(ends, "broken off").value, ends.light) == (1.0, "bad")
    assert not [each.name for each in ends.measures if "end within" in each.name or "longest" in each.name], "none of them ended"


def test_games_that_are_broken_off_are_not_counted_as_ended() -> None:
    """A study said that 99 of 100 games end within 10,056 plies, by games that had been broken off there."""
    results = run(kind="skill", plies=30, games=100)
    for part, rows in results._rows.items():
        if part.kind == "games":
            cut = rows["number"] >= 70
            rows["plies"] = np.where(cut, 500, rows["number"])
            rows["reason"][cut], rows["result"][cut] = 0, 0
    ends, length = questions.answer_ends(first_arm(results)), questions.answer_length(first_arm(results))
    within = {each.name: each.estimate.value for each in ends.measures if "end within" in each.name}
    assert within == {"50 of 100 games end within": 49.0} and number(ends, "longest game that ended").value == 69
    assert ends.light == "bad" and "broken off" in length.sentence and length.light != "good"
    assert "broken off" not in questions.answer_length(first_arm(run(kind="skill", plies=30))).sentence


def test_what_is_read_off_the_games_themselves_stands_without_an_interval() -> None:
    """Their heading says "95 % interval": quartiles and the longest game among those columns would be read as one."""
    run_of_it = first_arm(run(kind="coin", plies=20))
    ends, decided = questions.answer_ends(run_of_it), questions.answer_decision_time(run_of_it)
    parts = ("one game in four is decided after", "half of the games are decided after", "three games in four are decided after")
    for answer, name, value in [
        (ends, "99 of 100 games end within", 20.0),
        (ends, "longest game that ended", 20.0),
        *((decided, name, 1.0) for name in parts),
    ]:
        found = number(answer, name)
        assert (found.value, found.low, found.high) == (value, value, value) and found.games > 1, name


def test_the_order_of_play_decides_where_the_seats_are_even() -> None:
    """Who begins is drawn and always wins: the seats win alike, and the first in the order of play wins all."""
    answer = questions.answer_seats(first_arm(run(kind="begins", games=2000)))
    assert number(answer, "largest gap").low < 0.01 and number(answer, "order of play, number 1").value == 1.0
    assert number(answer, "largest gap, order of play").low > 0.98 and answer.light == "bad"
    assert "number 1 won most, 100.0 %" in answer.sentence
    fixed = questions.answer_seats(first_arm(run(kind="first")))
    assert "Black always begins" in fixed.sentence, "then nobody knows which of the two it is"


@pytest.mark.long
def test_players_who_vary_by_themselves_get_no_random_opening_and_the_others_each_the_same() -> None:
    """A random opening of four actions was two whole turns, of the first two players."""
    told = check_plan(Plan("forty_bridges", "", (Arm("as written"),), (Strength("captain", 1),)))
    assert told.openings("captain") == told.openings("random") == told.openings("search:50", "greedy") == 0
    assert told.openings("greedy") == told.openings("master", "greedy") == OPENING
    tracer = Tracer(registry.game("burning_bridges"), 200)
    for players in (("greedy",) * 5, ("greedy without torch",) + ("greedy",) * 4):
        best = [tracer.play(players, f"{seed}", opening=1).actions for seed in range(2)]
        assert best[0][1] != best[1][1] or best[0][2] != best[1][2]


def test_luck_is_what_draws_explain_between_equal_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """One for a coin, and for a die that the evaluation sees once it has been used; none without chance. A coin that leaves half
    of the games to points has a value known by hand."""
    monkeypatch.setattr(plans, "RANDOM", 1000)
    tie = math.comb(20, 10) / 2**20
    within, between = (1 - tie) / 2 + tie / 4, (1 - tie) / 4  # variance by the coin, and by the points before it
    for kind, truth in (("coin", 1.0), ("begins", 1.0), ("die", 1.0), ("both", within / (within + between))):
        found = number(questions.answer_luck(first_arm(run(kind=kind, games=400))), "luck")
        assert found.low - 0.001 <= truth <= found.high + 0.001 and found.high - found.low < 0.2, (kind, found)
    assert questions.answer_luck(first_arm(run(kind="skill"))).measures == []


def test_draws_of_random_players_are_followed_only_where_they_play_alone() -> None:
    both = msgspec.structs.replace(plan(kind="coin", games=40), strengths=(Strength("random", 40), Strength("greedy", 40)))
    results = finish(Results(both))
    answer = questions.answer_luck(first_arm(results))
    assert [(each.player, each.estimate.games) for each in answer.measures] == [("greedy", 40)]
    assert number(answer, "luck").value > 0.9
    assert np.isnan(results.rows("games", 0)["dealt"]).any() and not np.isnan(results.rows("games", 1)["dealt"]).any()
    alone = run(kind="coin", games=40)
    assert (
        not np.isnan(alone.rows("games", 0)["dealt"]).any()
        and number(questions.answer_luck(first_arm(alone)), "luck").value > 0.9
    )


def test_luck_is_not_known_from_a_few_games() -> None:
    lights = {games: questions.answer_luck(first_arm(run(kind="coin", games=games))) for games in (4, 40)}
    assert lights[4].light == "unknown" and "Only 4 games" in lights[4].sentence
    assert lights[40].light == "bad" and "100" in lights[40].sentence


def test_too_short_is_no_good_length_and_a_doubtful_step_no_clear_win() -> None:
    assert questions.answer_length(first_arm(run(kind="coin", plies=4))).light == "bad", "two decisions a player"
    assert questions.answer_length(first_arm(run(kind="coin", plies=20))).light == "good"
    ladder = (Duel("greedy", "random", 4),)
    skill = questions.answer_skill(first_arm(run(kind="both", games=2, duels=ladder)))
    step, rungs = number(skill, "against random"), number(skill, "rungs")
    assert step.value >= 0.55 and step.low < 0.5 and (rungs.value, rungs.high) == (0, 1), "half of the interval lies below even"


def test_a_light_that_is_not_known_names_the_games_that_would_tell() -> None:
    answer = questions.answer_ends(first_arm(run(games=10)))
    assert answer.light == "unknown" and re.search(r"About [1-9][\d,]* games would tell", answer.sentence), answer.sentence


def test_no_light_says_fine_or_a_problem_where_the_games_do_not_tell_them_apart() -> None:
    large, small = (0.05, 0.10), (0.5, 0.3)
    assert [light(wilson(0, games), large) for games in (0, 10, 30, 40)] == ["unknown", "unknown", "unknown", "good"]
    assert [light(wilson(games, games), small) for games in (1, 10)] == ["unknown", "good"]
    assert [light(wilson(games // 5, games), large) for games in (5, 100)] == ["unknown", "bad"]
    assert light(mean([0.01]), large) == "unknown" and light(mean([0.01, 0.01]), large) == "good"
    assert light(wilson(70, 1000), large) == "watch", "neither is in reach of its interval"
    assert [worse(*both) for both in (("good", "unknown"), ("unknown", "watch"), ("bad", "unknown"))] == [
        "unknown",
        "watch",
        "bad",
    ]
    few, many = (questions.answer_ends(first_arm(results)) for results in (run(games=10), run(games=400)))
    assert (few.light, many.light) == ("unknown", "good"), (few.sentence, many.sentence)


def test_the_ladder_counts_rungs_only_where_skill_pays() -> None:
    ladder = (Duel("greedy", "random", 100),)
    assert number(questions.answer_skill(first_arm(run(kind="skill", games=2, duels=ladder))), "rungs").value == 1
    assert number(questions.answer_skill(first_arm(run(kind="first", games=2, duels=ladder))), "rungs").value == 0


def test_clauses_that_matter_to_losers_are_told_apart_from_those_that_win() -> None:
    changes = {"K-1": (0.3, 0.1), "K-2": (-0.4, 0.1), "K-3": (0.2, 0.3), "K-4": (-0.1, 0.01), "K-5": (-0.45, 0.05)}
    said = questions.tell_lifts([(name, Estimate(x, x - far, x + far, 50)) for name, (x, far) in changes.items()])
    assert [tell(each).split("; ")[0] for each in said] == [
        "Who has these decide something wins oftener: K-1 (+30 points)",
        "Who has these decide something wins more seldom, so they matter mostly to losers: K-2 (-40 points), K-5 (-45 points)",
    ]


def test_a_ladder_of_fewer_steps_than_a_good_game_climbs_tells_nothing() -> None:
    steps = 3 * (Duel("greedy", "random", 500),)
    lights = [questions.answer_skill(first_arm(run(kind="first", games=2, duels=steps[:each]))).light for each in (2, 3)]
    assert lights == ["unknown", "bad"]


@pytest.mark.long
def test_a_run_stopped_and_gone_on_with_has_the_same_rows(tmp_path: Path) -> None:
    told = plan(games=2500, duels=(Duel("greedy", "random", 25),), kind="both")
    whole = finish(Results(told))
    stopped = Results(told, tmp_path)
    assert len(list(islice(stopped.run(serially), 2))) == 2
    again = Results(told, tmp_path)
    assert 0 < again.rows_made < again.wanted and len(again.missing) == len(again.parts) - 2
    finish(again)
    for kind in ("games", "duels"):
        assert again.rows(kind, 0).tobytes() == whole.rows(kind, 0).tobytes()
    assert len(whole.rows("games", 0)) == 2500 and not again.missing
    with pytest.raises(RecordError, match="another run"):
        Results(plan(games=10), tmp_path)
    (tmp_path / "players.txt").write_text("others\n", "utf-8")
    with pytest.raises(RecordError, match="players of another version"):
        Results(told, tmp_path)
    (tmp_path / "players.txt").unlink()
    kept = next((tmp_path / "parts").glob("games-*.npy"))
    kept.write_bytes(kept.read_bytes()[:100])
    with pytest.raises(RecordError, match="damaged"):
        Results(told, tmp_path)


@pytest.mark.long
def test_processes_make_the_same_rows_as_one_after_the_other() -> None:
    strengths, duels = (Strength("random", 20), Strength("greedy", 2)), (Duel("greedy", "random", 4),)
    told = check_plan(Plan("forty_bridges", "", (Arm("as written"),), strengths, duels, weighed=2))
    one, other = finish(Results(told)), finish(Results(told), on_cores(2))
    for kind, which in (("games", 0), ("games", 1), ("duels", 0)):
        assert one.rows(kind, which).tobytes() == other.rows(kind, which).tobytes() != b""


def test_chance_is_keyed_by_its_purpose_so_that_a_rule_does_not_shift_what_comes_later() -> None:
    """Seat 0 plays on longer in one arm; the coin at the end falls as in the other."""
    rows = [run(kind="coin", plies=plies, games=300).rows("games", 0)["result"] for plies in (20, 20)]
    assert (rows[0] == rows[1]).all()
    made = [make(part) for part in split_plan(plan(kind="coin", games=300))]
    assert np.unique(made[0]["result"][:, 0]).tolist() == [-1.0, 1.0]


def test_a_plan_that_cannot_be_played_is_refused() -> None:
    strengths = (Strength("random", 10),)
    for wrong, said in (
        (Plan("known", "", (), strengths), "needs"),
        (Plan("known", "", (Arm("a"), Arm("a")), strengths), "same name"),
        (Plan("known", "", (Arm("a"),), strengths * 2), "twice"),
        (Plan("known", "", (Arm("a"),), (Strength("nobody", 1),)), "nobody"),
        (Plan("known", "", (Arm("a", {"kind": "dice"}),), strengths), "kind"),
    ):
        with pytest.raises(OptionError, match=said):
            check_plan(wrong)
    assert registry.spec("known").version == check_plan(Plan("known", "", (Arm("a"),), strengths)).version


def test_what_never_happened_is_seldom_beyond_doubt_only_after_many_games() -> None:
    def of(games: int) -> Estimate:
        return questions.estimate_unused_share(
            [wilson(0, games), wilson(0, games), wilson(games, games), wilson(games // 2, games)], 4, 0.01
        )

    limits = Thresholds().unused
    assert of(50)[:3] == (0.5, 0.0, 0.5) and light(of(50), limits) == "unknown"
    assert of(1000)[:3] == (0.5, 0.5, 0.5) and light(of(1000), limits) == "bad"
    assert light(questions.estimate_unused_share([wilson(1000, 1000)] * 4, 4, 0.01), limits) == "good"


def test_greedy_games_count_for_a_clause_where_they_agree_with_the_strongest() -> None:
    players = (Strength("greedy", 30), Strength("random", 2))
    made = check_plan(Plan("forty_bridges", "", (Arm("as written"),), players, weighed=0, readings=2))
    results = finish(Results(made))
    assert [len(results.rows("readings", which)) for which in (0, 1)] == [24, 2]
    theirs, mine = (np.tile(results.rows("readings", which), 20) for which in (0, 1))
    for rows in (theirs, mine):
        rows["clauses"] = False
        rows["clauses"][:, 0] = True  # always, by both
    theirs["clauses"][:240, 1] = True  # in half of the greedy games only
    told = Run(results, made.make_game(0), Thresholds())
    found, agreeing = questions.fired_together(told, [("greedy", theirs), ("random", mine)], [0, 1])
    assert agreeing == 1 and (found[0].value, found[0].games) == (1.0, 520) and (found[1].value, found[1].games) == (0.0, 40)


def test_clauses_that_only_greedy_players_use_are_not_called_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten games of the strongest in which half of the clauses decide nothing show no difference from 120 greedy ones where each
    decides something in a fifth."""
    players = (Strength("greedy", 30), Strength("random", 2))
    made = check_plan(Plan("forty_bridges", "", (Arm("as written"),), players, weighed=0, readings=2))
    results = finish(Results(made))
    theirs = np.tile(results.rows("readings", 0)[:1], 120)
    theirs["clauses"] = (np.arange(120) % 5 == 0)[:, None, None]
    rows_of = Run.rows
    for used, shown in ((0.5, "unknown"), (1.0, "good")):
        mine = theirs[:10].copy()
        mine["clauses"][:, int(used * mine["clauses"].shape[1]) :] = False
        told = Run(results, made.make_game(0), LIMITS)

        def players_of(run: Run, kind: str, mine: Any = mine) -> list[tuple[str, Any]]:
            rows = {"readings": [theirs, mine], "games": [run.rows("games", 0), run.rows("games", 1)]}[kind]
            return list(zip(("greedy", "random"), rows, strict=True))

        with monkeypatch.context() as patch:
            patch.setattr(Run, "players", players_of)
            patch.setattr(Run, "rows", lambda run, kind, which=-1, m=mine: m if kind == "readings" else rows_of(run, kind, which))
            assert questions.answer_clauses(told).light == shown


def test_the_verdict_names_what_is_worth_a_look_and_what_is_not_known() -> None:
    """Open questions were only missing: of 12 questions 6 were fine and 3 worth a look."""
    lights: list[Light] = ["good", "unknown", "bad", "unknown"]
    said = tell(report.verdict([Answer(number, light, "", []) for number, light in enumerate(lights, start=1)]))
    assert "players of these kinds: 1 of 4;" in said and "Worth a look: How long is it? (a problem)." in said
    assert said.endswith("Not known from these games: Is a seat favoured, or the order of play?; Does skill pay?")
    assert "Not known" not in tell(report.verdict([Answer(1, "good", "", [])]))
