"""The recommended rules: chosen by measured games, explained with their figures, and the default of nothing."""

import contextlib
import re
from pathlib import Path
from typing import Any

import pytest

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.descriptions import about
from bridgehead.core.errors import OptionError
from bridgehead.core.measured import ORIGINAL, Share, figures, list_measured_seats, load_shares, often_has_no_winner
from bridgehead.core.phrases import languages

GAMES = sorted(spec.id for spec in registry.specs().values() if spec.package.startswith("bridgehead."))
FRONT = registry.spec("front_lines")


def test_the_front_lines_recommend_more_lives_and_keep_the_original_as_the_default() -> None:
    assert house.find_recommended_preset(FRONT) == "recommended"
    assert house.list_differences(house.build(FRONT, "recommended")) == {"lives": 6}
    assert house.list_differences(house.build(FRONT)) == {} and registry.game("front_lines").options.lives == 2


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("barricade", {"barricades": 6}),
        ("burning_bridges", {"maxBridgesPerFamily": 2}),
        ("forty_bridges", {"retreat": False, "repetition": "forbid"}),
    ],
)
def test_each_game_recommends_its_mended_rules_and_keeps_the_original_as_the_default(name: str, rules: dict[str, Any]) -> None:
    spec = registry.spec(name)
    assert house.list_differences(house.build(spec, house.find_recommended_preset(spec))) == rules
    assert house.list_differences(house.build(spec)) == house.list_differences(registry.game(name).options) == {}


@pytest.mark.parametrize("name", GAMES)
def test_what_is_recommended_was_measured_and_nearly_always_has_a_winner(name: str) -> None:
    spec = registry.spec(name)
    preset = house.find_recommended_preset(spec)
    found = [share for share in load_shares(spec) if share.preset == (preset or ORIGINAL)]
    assert found and load_shares(spec)[0].player == "greedy" and load_shares(spec)[0].games >= 200
    for share in found:
        assert share.rules == spec.options.PRESETS.get(preset, {}) and share.seats in range(spec.seats[0], spec.seats[1] + 1)
        assert share.won >= (0.9 if preset else 0.89) * share.games, share
    assert load_shares(spec)[0].seats == found[0].seats == registry.game(name).seats, "the figures of the sentences"
    assert [share.rules for share in load_shares(spec) if share.preset == ORIGINAL][0] == {}


@pytest.mark.parametrize("name", GAMES)
def test_the_recommended_rules_were_measured_for_each_number_of_seats_of_the_standard_board(name: str) -> None:
    spec, allowed = registry.spec(name), list[int]()
    for seats in range(spec.seats[0], spec.seats[1] + 1):
        with contextlib.suppress(OptionError):
            allowed.append(registry.game(name, **({"seats": seats} if spec.seats[0] < spec.seats[1] else {})).seats)
    assert list_measured_seats(spec, house.RECOMMENDED) == list_measured_seats(spec, ORIGINAL) == allowed


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", GAMES)
def test_where_often_nobody_wins_a_button_offers_the_recommended_rules(name: str, language: str) -> None:
    spec = registry.spec(name)
    assert often_has_no_winner(spec) == (name in ("forty_bridges", "front_lines"))
    assert bool(about(spec, language).again_recommended) == often_has_no_winner(spec)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", GAMES)
def test_the_sentences_carry_the_measured_figures(name: str, language: str) -> None:
    spec = registry.spec(name)
    for preset in filter(None, (ORIGINAL, house.find_recommended_preset(spec))):
        text, numbers = about(spec, language).preset_text(preset), figures(spec, preset)
        assert "{" not in text and any(f"{numbers[each]} %" in text for each in ("won", "without")), text
    assert about(spec, language).preset(ORIGINAL) not in ("", ORIGINAL)


def test_the_original_of_the_front_lines_says_that_often_nobody_wins() -> None:
    without = int(figures(FRONT, ORIGINAL)["without"])
    assert 65 <= without <= 80
    assert about(FRONT, "en").preset_text(ORIGINAL).startswith(f"Often nobody wins: {without} % of 2,000 games")
    assert "von 2.000 Spielen" in about(FRONT, "de").preset_text(ORIGINAL)


def test_whoever_picks_the_recommended_rules_for_fewer_families_reads_that_the_first_is_favoured() -> None:
    """The figures of all players in the table of the notebook, for each number of seats, and for two on another board."""
    page = (Path(__file__).parents[2] / "docs" / "notebook" / "lab.md").read_text("utf-8")
    table = page.partition("### Burning Bridges with fewer than five families")[2].partition("###")[0]
    measured = [sorted(map(int, re.findall(r"\| (\d+) \[", row))) for row in table.splitlines() if "] of" in row]
    assert len(measured) == 4 and all(len(row) == 3 for row in measured)
    for language in languages():
        text = about(registry.spec("burning_bridges"), language).preset_text("recommended").replace("\xa0", " ")
        told = [(int(one), int(other)) for one, other in re.findall(r"(\d+) (?:to|bis|à|a) (\d+)", text)]
        assert told == [(row[0], row[-1]) for row in measured], text


def test_only_all_of_the_games_are_a_hundred_percent() -> None:
    assert Share("", {}, "greedy", 2, 1, 1000, 999, 5.0).figures == {"games": "1,000", "won": "99", "without": "1"}
    assert Share("", {}, "greedy", 2, 1, 1000, 1000, 5.0).figures["won"] == "100"
