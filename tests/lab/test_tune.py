"""The rule doctor, on games whose answers are known."""

import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.game import Game
from bridgehead.core.phrases import languages
from bridgehead.core.spec import Spec
from bridgehead.workshop.arena.contest import seatings
from bridgehead.workshop.commands.tunes import tune
from bridgehead.workshop.lab import decision_samples
from bridgehead.workshop.lab.causes.structure import measure_gap
from bridgehead.workshop.lab.facts import dtype
from bridgehead.workshop.lab.running import Executor, RowBlock, serially
from bridgehead.workshop.lab.tune import pieces
from bridgehead.workshop.lab.tune.search import ConfirmedSetting, SearchAnswer, SearchProgress, SearchRequest, SettingSearch
from bridgehead.workshop.lab.tune.settings import Setting, changes, even_boards
from bridgehead.workshop.lab.tune.wishes import Games, measure_wish, wishes
from bridgehead.workshop.lab.tune.words import as_data, tell_losses, tell_verdict, write_markdown
from bridgehead.workshop.lab.words import tell
from bridgehead.workshop.statistics import Estimate

pytestmark = pytest.mark.wide
COIN = {"kind": "coin", "edge": 85, "plies": 2}  # seat 0 wins 85 of 100 games


def request(rules: dict[str, Any], wish: str, allowed: str, **more: Any) -> SearchRequest:
    return SearchRequest("known", rules, wish, allowed, ("random",), **{"games": 3000, "confirm": 300, **more})


def answered(asked: SearchRequest, folder: Path | None = None, executor: Executor = serially) -> SearchAnswer:
    base = registry.game(asked.game, **asked.rules)
    allowed = changes(asked.allowed, base, asked.seed)
    return SettingSearch(asked, base, wishes(asked.wishes, base), allowed, folder, executor).answer()


def words(answer: SearchAnswer, rules: dict[str, Any]) -> list[list[str]]:
    return [each.setting.words(registry.game("known", **rules)) for each in answer.proposals]


def test_the_option_that_mends_a_planted_advantage_is_proposed_alone() -> None:
    found = answered(request(COIN, "seats<12", "edge=20..95/15,plies=2..4"))
    assert words(found, COIN)[0] == ["edge: 85 → 50"] and not found.obstacles
    assert found.base.state(found.wanted[0]) == "missed" and found.proposals[0].meets(found.wanted)


def test_an_interval_that_reaches_beyond_a_wish_is_not_sure() -> None:
    base = registry.game("known", **COIN)
    (wanted,) = wishes("seats<12", base)

    def proposal(*intervals: tuple[float, float, float]) -> ConfirmedSetting:
        measures = {f"player {n}": {"seats": Estimate(*each, 300)} for n, each in enumerate(intervals)}
        return ConfirmedSetting(Setting(changes("edge=50", base, 1)[:1]), measures, [])

    sure, open_, missed = (0.02, 0.0, 0.1), (0.08, 0.01, 0.15), (0.3, 0.2, 0.4)
    cases = {"met": (sure, sure), "open": (sure, open_), "missed": (sure, missed)}
    made = {state: proposal(*intervals) for state, intervals in cases.items()}
    assert {state: each.judge_all([wanted]) for state, each in made.items()} == {state: state for state in made}
    assert made["open"].meets([wanted]) and not made["missed"].meets([wanted])
    said = {}
    for shown in (["met"], ["open"], ["met", "open"]):
        answer = SearchAnswer((wanted,), made["missed"], [], [made[each] for each in shown], [], 3, 900)
        said[len(shown), shown[0]] = tell(tell_verdict(answer), "en")
    assert "The intervals show it for sure." in said[1, "met"]
    assert "more games have to show it" in said[1, "open"]
    assert "for sure of one of them" in said[2, "met"]


def test_a_wish_in_the_way_that_intervals_leave_open_is_no_verdict() -> None:
    """Gaps of at most 5 points: 8 with an interval from 0 may be fair, with one from 6 they are not."""
    (wanted,) = wishes("seats<5", registry.game("known", **COIN))
    said = {}
    for low in (0.0, 0.06):
        gap = {"random": {"seats": Estimate(0.08, low, 0.12, 400)}}
        answer = SearchAnswer((wanted,), ConfirmedSetting(Setting(), gap, []), [], [], [wanted], 3, 900)
        said[low] = tell(tell_verdict(answer), "en")
    assert "In the way: fair by seat" in said[0.0] and "the intervals leave that open" in said[0.0]
    assert "In the way: fair by seat" in said[0.06] and "the intervals leave that open" not in said[0.06]


def test_two_changes_are_found_where_one_does_not_help() -> None:
    """By points only seat 0 scores in one ply; a coin needs its edge mended too."""
    rules = {"kind": "first", "edge": 90, "plies": 2}
    found = answered(request(rules, "seats<12", "kind=first|coin,edge=50|90"))
    assert words(found, rules)[0] == ["edge: 90 → 50", "kind: first → coin"]
    edge, kind = (part.effect for part in found.proposals[0].parts)
    gap = {
        each: measures["random"]["seats"].value for each, measures in ((0, found.base.measures), (1, found.proposals[0].measures))
    }
    assert edge.high < 0 and kind.high < 0 and edge.value + kind.value == pytest.approx(gap[1] - gap[0], abs=0.1)


def test_skill_among_five_seats_is_100_percent_at_most() -> None:
    """Whoever wins all games of five has five times an even share; it said 200 % [186, 100]."""
    game = registry.game("known", seats=5)
    seated = 6 * seatings(game, ("one", "other"))
    duels = np.zeros(len(seated), dtype(game))
    duels["result"][:, :5] = [[1 if who == "one" else -1 for who in each] for each in seated]
    found = measure_wish("skill", Games(game, "greedy", duels[:0], duels[:0], duels, 15.0))
    assert found.low <= found.value <= found.high == 1


def test_a_wish_that_no_setting_meets_is_named() -> None:
    rules = {"kind": "first", "plies": 2}
    found = answered(request(rules, "seats<10,undecided<5", "plies=2..5,edge=50|60"))
    assert [wish.measure for wish in found.obstacles] == ["seats"]
    said = write_markdown(found, request(rules, "", ""), registry.game("known", **rules), "again")
    assert "No setting meets all wishes. In the way: fair by seat: a gap of at most 10 points." in said


def test_wishes_that_exclude_each_other_are_named() -> None:
    """Minutes from seconds of decisions: four plies are one minute, and more than 20 plies are wished."""
    found = answered(request(COIN, "minutes>4,undecided<50,seats<12", "edge=50|60,plies=2..4"))
    assert [wish.measure for wish in found.obstacles] == ["minutes"]


def test_a_wish_that_was_met_in_the_search_by_luck_only_does_not_make_the_others_obstacles() -> None:
    found = answered(request(COIN | {"edge": 66}, "seats<20,undecided<5", "edge=64|68", games=20, confirm=1500, deepest=1))
    assert [wish.measure for wish in found.obstacles] == ["seats"]


class Stopped(Exception):
    """In place of a kill."""


def broken_off(after: int) -> Executor:
    def run(parts: Iterable[RowBlock]) -> Iterator[tuple[RowBlock, Any]]:
        for number, made in enumerate(serially(parts)):
            if number == after:
                raise Stopped
            yield made

    return run


def counted(played: list[RowBlock]) -> Executor:
    def run(parts: Iterable[RowBlock]) -> Iterator[tuple[RowBlock, Any]]:
        for part, rows in serially(parts):
            played.append(part)
            yield part, rows

    return run


def test_a_search_that_was_killed_goes_on_and_gives_the_same_answer(tmp_path: Path) -> None:
    asked, base = request(COIN, "seats<12", "edge=20..95/15"), registry.game("known", **COIN)
    whole: list[RowBlock] = []
    once = answered(asked, None, counted(whole))
    with pytest.raises(Stopped):
        answered(asked, tmp_path, broken_off(3))
    rest: list[RowBlock] = []
    again = answered(asked, tmp_path, counted(rest))
    assert as_data(once, asked, base) == as_data(again, asked, base)
    assert len(rest) == len(whole) - 3
    nothing: list[RowBlock] = []
    assert as_data(answered(asked, tmp_path, counted(nothing)), asked, base) == as_data(once, asked, base) and not nothing


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        ("fun", "no wish 'fun'; there are fair, order, seats"),
        ("seats<120", "beyond 100"),
        ("minutes=40..20", "lower end lies above the higher one"),
        ("seats,seats<3", "seats is wished twice"),
        ("seats==3", "a wish is like"),
        ("", "no wish"),
        ("done", "a wish is like"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_in_words(wish: str, named: str) -> None:
    with pytest.raises(OptionError, match="--wish") as refused:
        wishes(wish, registry.game("known"))
    assert named in str(refused.value)


def test_an_ending_with_a_hyphen_in_its_name_can_be_wished() -> None:
    (found,) = wishes("turn-limit<10", registry.game("barricade"))
    assert (found.measure, found.high, found.text) == ("turn-limit", 0.1, "turn-limit<10")


@pytest.mark.parametrize(
    ("allowed", "named"),
    [
        ("colour", "has no house rule 'colour'"),
        ("edge=90..120", "0 to 100"),
        ("edge=90..10", "a range is option"),
        ("edge=1..100000", "a range is option"),
        ("kind=dice", "coin, first, comeback"),
        ("edge=50", "nothing that may change"),
        ("edge=1..3,edge=5..6", "named twice"),
    ],
)
def test_what_cannot_change_is_refused_in_words(allowed: str, named: str) -> None:
    with pytest.raises(OptionError) as refused:
        changes(allowed, registry.game("known"), 1)
    assert named in str(refused.value)


def test_every_house_rule_but_the_seats_changes_by_itself() -> None:
    named = {change.option for change in changes("", registry.game("known"), 1)}
    assert named == {"kind", "edge", "plies"}
    assert {change.option for change in changes("seats", registry.game("known"), 1)} == {"seats"}


@pytest.mark.parametrize("game", ["barricade", "burning_bridges", "forty_bridges"])
def test_boards_are_drawn_by_the_editor_and_can_be_played(game: str) -> None:
    base = registry.game(game)
    drawn = [change for change in changes("board", base, 3) if change.strokes]
    assert len(drawn) >= 3 and drawn == [change for change in changes("board", base, 3) if change.strokes]
    for change in drawn:
        made = Setting((change,)).make_game(base)
        assert isinstance(made, Game) and made.sides == base.sides and made.start().legal
        (said,) = Setting((change,)).words(base)
        assert said.startswith("board: ")


def test_boards_that_mend_the_cause_are_tried_before_boards_drawn_by_lot() -> None:
    """One home's door is three squares nearer: strokes that bring the doors nearer to even come first, in words with squares."""
    spec = registry.spec("barricade")
    mini = spec.editor.starts()["mini"]
    draft = spec.editor.read(mini)
    nearer = next(
        moved
        for point in mini["squares"]
        if (moved := open_door(spec, draft, point)) is not None and (measure_gap(moved) or 0) >= 3
    )
    gap, found = measure_gap(nearer), even_boards(nearer, 1)
    assert gap is not None and found
    gaps = [measure_gap(Setting((change,)).make_game(nearer) or nearer) for change in found]
    assert gaps == sorted(gaps, key=lambda each: each or 0) and all(each is not None and each < gap for each in gaps)
    assert [change for change in changes("board", nearer, 1) if change.strokes][0] in found
    (said,) = Setting(found[:1]).words(nearer)
    assert "," in said and "square" in said, "the square by its name, not by its place on the grid"
    assert even_boards(registry.game("barricade", board="mini"), 1) == [], "nothing is uneven"


def open_door(spec: Spec, draft: Any, point: list[int]) -> Game | None:
    """The board with the first home's door at a point, if it can be played."""
    try:
        return registry.game(spec.id, **spec.editor.rules(spec.editor.stroke(draft, "home:1", (f"s:{point[0]},{point[1]}",))))
    except BridgeheadError:
        return None


def test_where_no_setting_meets_all_wishes_the_best_tries_are_shown_with_what_they_cost() -> None:
    found = answered(request(COIN, "seats<12", "edge=70..100/10,plies=2..4"))
    assert found.obstacles and len(found.proposals) >= 2
    data = as_data(found, request(COIN, "seats<12", "edge=70..100/10,plies=2..4"), registry.game("known", **COIN))
    assert all(each["changes"] and each["worse"] and each["numbers"] for each in data["proposals"])


def test_the_progress_counts_the_settings_whose_games_are_done() -> None:
    asked, seen = request(COIN, "seats<12", "edge=20..95/15"), list[SearchProgress]()
    base = registry.game("known", **COIN)
    SettingSearch(asked, base, wishes(asked.wishes, base), changes(asked.allowed, base, 1), None, serially, seen.append).answer()
    first = [each for each in seen if each.stage == "search" and each.settings == seen[0].settings]
    assert first[0].finished == 0 and max(each.finished for each in first) == first[0].settings
    assert all(0 <= each.finished <= each.settings for each in seen)


def test_the_command_prints_and_writes_its_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = registry.game("known", **COIN)
    given = (base, "seats<12", "edge=20..95/15", "random", 3000, 300, 1, 2, 15.0, tmp_path / "run", serially)
    tune(*given)
    out = capsys.readouterr()
    assert "edge: 85 → 50" in out.out and "bridgehead print known --rules" in out.out and "trying" in out.err
    data = json.loads((tmp_path / "run" / "proposals.json").read_text())
    assert data["proposals"][0]["rules"] == {"edge": 50, "plies": 2} and data["proposals"][0]["meets"]
    first = (tmp_path / "run" / "proposals.md").read_bytes()
    tune(*given)
    assert (tmp_path / "run" / "proposals.md").read_bytes() == first


def test_numbers_of_a_wish_read_back_as_typed() -> None:
    game = registry.game("forty_bridges")
    typed = ("fair<5", "minutes=20..40", "undecided<5", "skill>55", "dead<0", "repetition<30", "minutes<60", "minutes>4")
    for each in typed:
        assert wishes(each, game)[0].text == each
    assert [wish.text for wish in wishes("fair,minutes,undecided,skill,dead", game)] == list(itertools.islice(typed, 5))


def test_a_search_in_pieces_gives_the_answer_of_the_whole(tmp_path: Path) -> None:
    asked, base = request(COIN, "seats<12", "edge=20..95/15"), registry.game("known", **COIN)
    text, steps = msgspec.json.encode(asked).decode(), 0
    while not (piece := pieces.continue_rule_search(text, str(tmp_path), "found.json", 0.0)).done:
        steps += 1
        assert piece.progress.stage in ("search", "confirm") and 0 < piece.progress.done <= piece.progress.wanted
    found = json.loads((tmp_path / "found.json").read_text())
    assert steps > 10 and set(found) == set(languages())
    assert found["en"] == as_data(answered(asked), asked, base) and found["de"]["verdict"] != found["en"]["verdict"]


@pytest.fixture
def short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests run uncompiled."""
    monkeypatch.setattr(decision_samples, "BUDGETS", (10, 40))


@pytest.mark.parametrize(
    ("rules", "wish", "allowed", "change"),
    [
        ({"kind": "coin", "plies": 4}, "luck", "kind=skill|coin,edge=40|60", "kind: coin → skill"),
        ({"kind": "first", "plies": 6}, "snowball<60", "kind=coin|first,edge=50|60", "kind: first → coin"),
        ({"kind": "kings", "plies": 6, "seats": 3}, "kings", "kind=kings|coin,edge=40|60", "kind: kings → coin"),
        ({"kind": "coin", "plies": 4}, "choices", "kind=paint|coin,edge=40|60", "kind: coin → paint"),
        ({"kind": "long", "plies": 48}, "wait", "kind=skill|long,edge=40|60", "kind: long → skill"),
        ({"kind": "kings", "plies": 2, "seats": 5}, "out", "plies=2|40,edge=40|60", "plies: 2 → 40"),
    ],
)
def test_a_wish_for_each_question_is_met_by_the_rule_that_mends_it(
    rules: dict[str, Any], wish: str, allowed: str, change: str, short_searches: None
) -> None:
    found = answered(request(rules, wish, allowed, games=150, confirm=60))
    assert found.base.state(found.wanted[0]) == "missed", found.base.measures
    assert words(found, rules)[0] == [change] and found.proposals[0].meets(found.wanted), found.proposals


def test_two_sides_make_nobody_a_king_and_a_game_without_draws_has_no_luck() -> None:
    rules = {"kind": "skill", "plies": 6}
    found = answered(request(rules, "kings,luck,forced", "plies=4|6", games=100, confirm=40))
    measures = found.base.measures["random"]
    assert measures["kings"][:3] == measures["luck"][:3] == (0.0, 0.0, 0.0) and measures["forced"].value == 0.0
    assert found.base.meets(found.wanted)


def test_a_mend_that_makes_it_another_game_says_so(short_searches: None) -> None:
    rules = {"kind": "paint", "edge": 90, "plies": 4}
    found = answered(request(rules, "seats<12", "kind=paint|coin,edge=50|90", games=600))
    said = {each.setting.words(registry.game("known", **rules))[0]: tell(tell_losses(each)) for each in found.proposals}
    assert "another game" not in said["edge: 90 → 50"]
    turned = answered(request(rules, "choices<5", "kind=paint|coin", games=100, confirm=60)).proposals[0]
    assert tell(tell_losses(turned)).endswith("This makes it another game: nobody does this any more: paint blue, paint red.")
