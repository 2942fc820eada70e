"""Alpha-beta finds what the endgame tables know, and the tables are what the rules say."""

from pathlib import Path
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.games.forty_bridges import endgames
from bridgehead.games.forty_bridges.bounds import ONWARD, STANDARD
from bridgehead.players.alphabeta import AlphaBeta
from bridgehead.players.expectimax import TurnSearch
from bridgehead.players.thoughts import Limit
from players.test_search import run

pytestmark = pytest.mark.wide


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("tables")
    return run([str(Path(__file__).with_name("deep.py")), str(folder)], compiled=True)


@pytest.mark.parametrize("pieces", ["two", "three", "four", "five"])
def test_entries_follow_from_the_rules_and_the_entries_after_them(found: dict[str, Any], pieces: str) -> None:
    for which, (looked, wrong) in found[pieces].items():
        assert looked > 1000 and wrong == 0, which


def test_entries_by_the_recommended_rules_follow_as_well_and_no_draw_hangs_on_a_forbidden_repetition(
    found: dict[str, Any],
) -> None:
    assert len(found["recommended"]) == 6 and found["hanging"] == 0
    for which, (looked, wrong) in found["recommended"].items():
        assert looked > 1000 and wrong == 0, which


def test_one_wrong_entry_is_found(found: dict[str, Any]) -> None:
    assert found["damaged"][0] == 0 and found["damaged"][1] >= 1


@pytest.mark.parametrize("rule_set", ["by search", "recommended by search"])
def test_a_search_without_tables_finds_the_same_wins_in_as_many_plies(rule_set: str, found: dict[str, Any]) -> None:
    seen = set()
    for value, decided in found[rule_set]:
        assert decided == (None if value == 0 else value if value % 2 else -value)
        seen.add(value)
    assert seen == set(range(7))


def test_it_repeats_itself_beats_the_greedy_player_and_stops_in_time(found: dict[str, Any]) -> None:
    assert found["same"][0] == found["same"][1] and len(found["same"][0]) == 12
    assert found["against greedy"] >= 9
    patience = found["patience"]
    assert patience["never"] == 0 and patience["told"] >= 3 and patience["timed"][0] >= 3 and patience["timed"][1] < 5


def test_it_looks_at_the_clock_often_enough_to_stop_in_twenty_milliseconds(found: dict[str, Any]) -> None:
    assert len(found["slices"]) == 4 and 0 < min(found["slices"]) <= max(found["slices"]) < 0.02


def test_threads_that_share_a_table_say_what_is_true_and_end_together(found: dict[str, Any]) -> None:
    together = found["together"]
    for value, decided in together["said"]:
        assert decided == (value if value % 2 else -value)
    assert together["left"] == 0 and together["depth"] >= 3 and together["nodes"] > 1000


def test_what_a_repetition_or_the_quiet_limit_decides_is_never_taken_for_the_position(found: dict[str, Any]) -> None:
    for truth, kept, fresh in found["by way"]:
        assert kept in (0, truth), "a win or a loss that was said is one"
        assert fresh in (0, kept), "what a search finds by itself, one that remembers others finds as well"
    assert {kept for _, kept, _ in found["by way"]} == {-1, 0, 1}


def test_tables_are_built_again_from_what_was_kept_unless_it_is_damaged(found: dict[str, Any]) -> None:
    built = found["built"]
    assert built["same"] and built["said"] == ["1 against 1", "1 against 2", "done"]
    assert built["rising"] and built["shares"] > 10


def test_tables_whose_making_was_killed_are_gone_on_with(found: dict[str, Any]) -> None:
    killed = found["killed"]
    assert killed["kept"] in (3, 4, 5) and killed["left"] and killed["same"]


def test_a_search_looks_up_the_tables_of_the_folder_that_the_host_names(found: dict[str, Any]) -> None:
    assert found["of a folder"][:3] == [15, 13, -1]


def test_tables_of_other_rules_are_refused_and_a_folder_without_any_of_the_own_ones_is_passed_over(found: dict[str, Any]) -> None:
    alone, refused = found["of a folder"][3:]
    assert alone and refused.endswith("recommended: those tables are for other rules")


def test_tables_are_small_and_hold_every_class() -> None:
    for rule_set, most, entries in ((STANDARD, 4_000_000, 23_965_320), (ONWARD, 100_000, 1_483_380)):
        shipped, held = endgames.SHIPPED[rule_set], endgames.load_shipped_tables(rule_set)
        assert shipped.file.stat().st_size < most
        whole = sum(endgames.size(a, b) for n in range(2, shipped.pieces + 1) for a, b in endgames.classes(n))
        assert len(held.values) == whole == entries


@pytest.mark.parametrize(
    "rules", [{"sidesNeeded": 4}, {"bentJumps": True}, {"suicide": "safe"}, {"repetition": "forbid"}, {"retreat": False}]
)
def test_tables_are_not_used_where_house_rules_change_what_they_say(rules: dict[str, Any]) -> None:
    assert endgames.tables_for(registry.game("forty_bridges", **rules)) is endgames.none()
    for rule_set, house in ((STANDARD, {}), (ONWARD, {"retreat": False, "repetition": "forbid"})):
        game = registry.game("forty_bridges", quietLimit=100, setup="row", **house)
        assert endgames.tables_for(game) is endgames.load_shipped_tables(rule_set)


def test_alpha_beta_refuses_games_of_more_seats_and_positions_where_nobody_is_to_act() -> None:
    match = Match(registry.game("burning_bridges", seats=3))
    match.deal(SeededDealer(1))
    with pytest.raises(BridgeheadError, match="two seats"):
        AlphaBeta(16).think(match.position, Limit(depth=1))
    with pytest.raises(BridgeheadError, match="no seat"):
        AlphaBeta(16).think(registry.game("forty_bridges", first="random").start(), Limit(depth=1))
    dice = Match(registry.game("barricade", board="mini", seats=2))
    dice.deal(SeededDealer(1))
    with pytest.raises(BridgeheadError, match="barricade: alpha-beta cannot play this game"):
        AlphaBeta(16).think(dice.position, Limit(depth=1))


@pytest.mark.parametrize("wrong", [{"entries": 0}, {"entries": -16}, {"entries": 1000}, {"threads": 0}])
def test_a_table_that_cannot_be_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(BridgeheadError, match="entries|threads"):
        AlphaBeta(**wrong)


@pytest.mark.parametrize("search", [AlphaBeta, TurnSearch])
def test_weights_that_are_not_as_many_as_the_game_has_are_refused(search: Any) -> None:
    with pytest.raises(BridgeheadError, match="1 weights where there are 49"):
        search(weights=(1.0,)).think(registry.game("forty_bridges").start(), Limit(nodes=1))
