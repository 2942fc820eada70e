"""What a study plays: ladders, numbers of games, openings, patience; what it tells the designer; how its drawings are slimmed."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.workshop.arena.contest import deals
from bridgehead.workshop.commands import labs
from bridgehead.workshop.lab import decision_samples, report, study
from bridgehead.workshop.lab.plan import Arm, Duel, Plan, Strength, check_plan
from bridgehead.workshop.lab.plots import slim
from bridgehead.workshop.lab.running import open_plan, serially
from bridgehead.workshop.lab.tracing import Tracer

AS_WRITTEN = (Arm("as written"),)


def test_a_ladder_has_the_quick_levels_from_the_weakest_up_and_searches_where_a_game_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = study.ladder("forty_bridges")
    assert found == ("wanderer", "scout", "guide", "ranger", "engineer", "captain", "strategist"), "master takes its time"
    assert "master" in study.ladder("barricade")
    plan = study.usual("forty_bridges", AS_WRITTEN, 400)
    assert [(duel.one, duel.other) for _, duel in plan.ladder] == list(zip(found[1:], found[:-1], strict=True))
    assert {duel.sets for _, duel in plan.ladder} == {20}, "a tenth of the games, two a set"
    assert [each.player for each in plan.strengths] == ["random", "greedy", "ranger", "strategist"], "a curve over strength"
    assert plan.looks == study.LOOKS
    monkeypatch.setattr(study, "levels", lambda spec: {})
    assert study.ladder("known") == ("search:25", "search:50", "search:100", "search:200")


def test_a_ladder_of_ones_own_takes_the_place_of_the_levels_and_stands_in_the_command() -> None:
    doubled = ["search:25", "search:50", "search:100"]
    plan = study.usual("barricade", AS_WRITTEN, 160, steps=doubled)
    assert plan.duels == (Duel("search:50", "search:25", 2), Duel("search:100", "search:50", 2))
    assert plan.strengths == study.usual("barricade", AS_WRITTEN, 160).strengths, "who plays the games stays"
    assert labs._command(plan, "", 160, "", ",".join(doubled)).endswith("--ladder search:25,search:50,search:100")
    for wrong in (["greedy"], ["greedy", "random", "greedy"]):
        with pytest.raises(OptionError, match="two players"):
            study.usual("barricade", AS_WRITTEN, 160, steps=wrong)
    with pytest.raises(OptionError):
        study.usual("barricade", AS_WRITTEN, 160, steps=["greedy", "nobody"])


def test_players_have_the_games_that_are_told_and_else_their_share() -> None:
    plan = study.usual("forty_bridges", AS_WRITTEN, 400, ["random=7", "greedy", "captain"], without=["pass=9", "move"])
    assert plan.strengths == (Strength("random", 7), Strength("greedy", 200), Strength("captain", 40))
    assert [duel for _, duel in plan.abstaining] == [
        Duel("captain without pass", "captain", 4), Duel("captain without move", "captain", 20),
    ]  # fmt: skip
    for wrong in ("random=", "random=0", "random=x", "random=-3", "random=1.5"):
        with pytest.raises(OptionError, match="number of games"):
            study.usual("forty_bridges", AS_WRITTEN, 400, [wrong])


def test_chance_is_told_apart_by_when_it_acts_and_openings_are_drawn_where_it_does_not_go_on() -> None:
    cases = {("barricade", "always"): 0, ("front_lines", "always"): 0, ("burning_bridges", "first"): 2, ("known", "never"): 2}
    for (name, when), opening in cases.items():
        assert deals(registry.game(name)) == when, name
        assert check_plan(Plan(name, "", AS_WRITTEN, (Strength("random", 1),))).opening == opening
    assert deals(registry.game("burning_bridges", firstPlayer="seat0")) == "never"


def test_random_games_are_broken_off_sooner_only_where_none_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "PATIENCE", 10)
    monkeypatch.setattr(study, "PILOT", 3)
    arm = (Arm("a", {"kind": "skill", "plies": 60}),)
    endless = study.patient(check_plan(Plan("known", "", arm, (Strength("random", 11), Strength("greedy", 11)), longest=40)))
    assert [each.longest for each in endless.strengths] == [10, 0] and [endless.most(which) for which in (0, 1)] == [10, 40]
    _, tracer = open_plan(endless.text, 0)
    assert len(study.played.play(endless, tracer, 0, 1).actors) == 10
    ending = check_plan(Plan("known", "", arm, (Strength("random", 11),), longest=100))
    assert study.patient(ending) == ending
    few = check_plan(Plan("known", "", arm, (Strength("random", 10),), longest=40))
    assert study.patient(few) == few


@pytest.mark.long
def test_random_games_are_the_same_with_and_without_looking_on() -> None:
    """The quick loop of random games makes the games of the loop that weighs them."""
    for name in ("burning_bridges", "barricade", "front_lines", "forty_bridges"):
        tracer = Tracer(registry.game(name), 150)
        for seed in ("1", "2"):
            quick, weighed = (tracer.play(("random",) * tracer.game.seats, seed, weigh, 4) for weigh in (False, True))
            assert quick.values is None and weighed.values is not None
            for one, other in zip(quick[:4], weighed[:4], strict=True):
                assert (one == other).all()
            assert quick.reason == weighed.reason and (quick.returns == weighed.returns).all()


def test_a_position_with_so_many_actions_that_a_search_sees_little_of_each_is_looked_into_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decision_samples, "BUDGETS", (4, 6))
    monkeypatch.setattr(decision_samples, "SEEN", 1.1)  # no action has so large a share of the visits
    found = decision_samples._look(registry.game("forty_bridges").start(), "1")
    assert found.legal > found.near >= 1 and -1 <= found.regret <= 1 and found.settled in (0, 1) and not found.kingmaker


DRAWN = """<svg viewBox="0 0 10 10" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
<metadata><a>b</a></metadata><defs><style>*{stroke-linecap: butt}</style><path id="m1" d="M 0 0 L 1.23456 2.0001"/></defs>
<g id="nobody"> <g> <use xlink:href="#m1" x="1.98765" style="fill: #fff"/> </g>
<g clip-path="url(#p9)"> <use xlink:href="#m1" style="fill: #fff"/> <use xlink:href="#m1" style="fill: #fff"/> </g> </g>
<clipPath id="p9"><rect width="3.14159" style="fill: none"/></clipPath>
<text style="font-size: 9px; font-family: 'A', b; fill: #000" transform="rotate(-0 1 2)">0.123456</text></svg>"""


def test_drawings_lose_weight_and_nothing_that_is_seen() -> None:
    thin = slim(DRAWN, "me")
    root = ET.fromstring(thin)
    names = [each.tag.rpartition("}")[2] for each in root.iter()]
    assert names == ["svg", "defs", "style", "path", "use", "g", "use", "use", "clipPath", "rect", "text"]
    assert thin.count('href="#me-i0"') == 3 and 'url(#me-i1)"' in thin and 'id="me-i1"' in thin and "nobody" not in thin
    assert 'd="M 0 0 L 1.2 2"' in thin and 'x="2"' in thin and ">0.123456<" in thin, "words keep their digits"
    (rule,) = re.findall(r"\.(me-\d+)\{fill: #fff\}", thin)
    assert thin.count(f'class="{rule}"') == 3 and 'style="fill: none"' in thin, "what comes once stays as it is"
    assert "font-family" not in thin and "rotate" not in thin and "font-size: 9px; fill: #000" in thin
    assert set(re.findall(r'class="([^"]+)"', slim(DRAWN, "other"))).isdisjoint(re.findall(r'class="([^"]+)"', thin))


@pytest.mark.long
def test_what_is_suggested_stands_in_the_report_and_a_missing_text_is_told_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study, "ladder", lambda game: ("random", "greedy"))
    monkeypatch.setattr(decision_samples, "BUDGETS", (2, 4, 6))
    said, game, out = tmp_path / "said.md", registry.game("forty_bridges"), tmp_path / "run"
    said.write_text("# To the designer\n\nMake it <shorter>.\n\nAsk people.\n", "utf-8")

    def made(text: Path) -> None:
        labs.run_study([game], "random=2,greedy=2", 20, 1, out, None, serially, text)

    with pytest.raises(OptionError, match="missing.md"):
        made(tmp_path / "missing.md")
    assert not out.exists()
    made(said)
    page = (out / "report.html").read_text("utf-8")
    assert "<p>Make it &lt;shorter&gt;.</p><p>Ask people.</p>" in page and "# To the designer" not in page
    begun, rows, seconds = (out / "took.csv").read_text("utf-8").strip().split(",")
    assert begun.endswith("Z") and int(rows) > 4 and float(seconds) > 0
    assert "Black" in report.text_of(page) and "nan" not in report.text_of(page).split()


def test_a_plan_makes_its_games_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each game that is played asks which openings its players need; making a game of Barricade took as long as playing it."""
    plan, made = check_plan(Plan("forty_bridges", "", AS_WRITTEN, (Strength("captain", 10),))), list[str]()
    game = registry.game("forty_bridges")

    def once(name: str, **rules: Any) -> Game:
        made.append(name)
        return game

    monkeypatch.setattr(registry, "game", once)
    assert plan.openings("greedy") == plan.openings("greedy") > 0 == plan.openings("captain")
    assert plan.make_game(0) is plan.make_game(0) and made == ["forty_bridges"]
