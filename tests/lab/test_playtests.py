"""Games of people beside those of programs: figures of the lab's statistics, and claims that intervals bear out."""

from __future__ import annotations

import pytest

from bridgehead.core import registry
from bridgehead.core.phrases import languages
from bridgehead.workshop.lab.playtests import PlayFigure, compare_playtest
from bridgehead.workshop.statistics import mean, wilson

GAME = registry.game("front_lines")  # four seats, of which two win together
LETTER = GAME.spec.seat_letter
WON, LOST = (1.0, 1.0, -1.0, -1.0), (-1.0, -1.0, 1.0, 1.0)


def programs(share: float, turns: float = 40.0) -> list[PlayFigure]:
    names = dict.fromkeys(languages(), "Red")
    return [
        PlayFigure("side", LETTER(0), names, share, share - 0.02, share + 0.02, 2000),
        PlayFigure("gap", "", {}, 0.0, 0.0, 0.1, 2000),
        PlayFigure("turns", "", {}, turns, turns - 1, turns + 1, 2000),
    ]


def test_the_figures_are_those_of_the_labs_statistics_by_side() -> None:
    games = [(WON, 30)] * 7 + [(LOST, 40)] * 3 + [((-1.0,) * 4, 99)]
    figures, said = compare_playtest(GAME.spec.rules_id, "{}", {"people": (games, [5, 3], [True, False, True])}, [], "en")
    found = {(each.kind, each.seat): each.estimate for each in figures["people"]}
    assert found["side", LETTER(0)] == wilson(7, 10) and found["side", LETTER(GAME.sides.index(1))] == wilson(3, 10)
    assert found["turns", ""] == mean([30] * 7 + [40] * 3 + [99]) and found["fun", ""] == mean([5, 3])
    assert found["fair", ""] == wilson(2, 3) and said == [], "without a study there is nothing to agree with"


@pytest.mark.parametrize(
    ("share", "turns", "says"),
    [
        (0.6, 30.0, "agree with those of programs: all intervals overlap"),
        (0.2, 30.0, "do not agree with those of programs: "),
        (0.6, 80.0, "a game takes 30 turns with people, 80 with programs"),
    ],
)
def test_people_agree_with_programs_as_long_as_their_intervals_overlap(share: float, turns: float, says: str) -> None:
    games = [(WON, 29)] * 7 + [(LOST, 31)] * 3
    for language in languages():
        _, (said,) = compare_playtest(GAME.spec.rules_id, "{}", {"people": (games, [], [])}, programs(share, turns), language)
        assert "playtest." not in said and "{" not in said and "10" in said
        if language == "en":
            assert says in said and ("70 % (40 to 89)" in said) == (share == 0.2)


def test_no_game_has_no_figure() -> None:
    groups = {"people": ([], [], []), "mixed": ([(WON, 9)], [1], [])}
    figures, said = compare_playtest(GAME.spec.rules_id, "{}", groups, programs(0.5), "en")
    assert figures["people"] == [] and {each.kind for each in figures["mixed"]} == {"side", "gap"} and len(said) == 1
