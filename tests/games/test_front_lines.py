"""The Front Lines, clause by clause: cards, draws, steps, mines and lives."""

from __future__ import annotations

from typing import Any

import pytest
from front_lines_table import cells, character, go, legal, refused, stand, start, walk

from bridgehead.core.errors import OptionError

# Cards, characters, seats


@pytest.mark.scenario("3.5.1")
@pytest.mark.clause("FL-S.1", "FL-S.2", "FL-S.3", "FLQ-1")
def test_the_field_holds_48_cards_half_of_them_red_and_eight_face_cards() -> None:
    position = go(start(), "AH").play("to a1")
    cards = {text.removeprefix("flip ") for text in legal(position)}
    assert len(cards) == 48 and not cards & {"KD", "QH", "KS", "QC", "JK"}
    assert sum(card[-1] in "HD" for card in cards) == 24
    assert {card for card in cards if card[0] in "JQK"} == {"JH", "KH", "JD", "QD", "JS", "QS", "JC", "KC"}


@pytest.mark.clause("FLQ-1", "FL-S.1")
def test_a_characters_card_is_never_turned_over() -> None:
    position = go(start(), "AH").play("to a1")
    assert {refused(position, f"flip {card}") for card in ("KD", "QH", "KS", "QC")} == {"FLQ-1"}


@pytest.mark.clause("FL-S.4", "FLQ-6", "FLQ-24")
def test_there_are_twelve_rows_of_four_and_a_way_across_takes_thirteen_steps() -> None:
    position = go(start(), "10H", *(f"a{row}={card}H" for row, card in zip(range(1, 11), [*"A23456789", 10], strict=True)))
    assert character(position, "H") == [2, "alive", "a10"]
    position = go(position, "3H", "a11=JH", "a12=KH", "across")
    assert character(position, "H") == [2, "across", "across"]
    assert refused(go(start(rows=3), "AH"), "to a4") == "FL-S.4"


@pytest.mark.clause("FL-R.1", "FL-R.2", "FL-R.3", "FLQ-27", "FLQ-4")
def test_four_players_have_a_suit_each_and_two_win_together() -> None:
    position = start()
    assert [go(position, f"5{suit}").actor for suit in "HDSC"] == [0, 1, 2, 3]
    assert position.game.sides == (0, 0, 1, 1)


@pytest.mark.clause("FL-R.1", "FL-R.2", "FLQ-27", "FLQ-4", "FLQ-19")
def test_two_players_have_both_characters_of_a_colour_and_the_suit_names_the_one_that_goes() -> None:
    position = start(seats=2)
    assert [go(position, f"5{suit}").actor for suit in "HDSC"] == [0, 0, 1, 1]
    assert character(go(position, "AD", "c1=4D"), "D")[2] == "c1"


@pytest.mark.clause("FLQ-4", "FL-R.1")
def test_three_play_only_as_a_house_rule_and_the_third_has_both_black_characters() -> None:
    with pytest.raises(OptionError, match="allow3"):
        start(seats=3)
    position = start(seats=3, allow3=True)
    assert [go(position, f"5{suit}").actor for suit in "HDSC"] == [0, 1, 2, 2]
    assert position.game.sides == (0, 0, 1)


@pytest.mark.clause("FLQ-19", "FL-R.4")
def test_there_is_no_choice_of_character_after_the_draw() -> None:
    position = go(start(seats=2), "5H")
    assert all(text.startswith("to ") for text in legal(position))
    assert character(walk(position, "a1=2H"), "D")[2] == "start"


# Drawing


@pytest.mark.clause("FLQ-2", "FL-R.5")
def test_the_draw_pack_has_ace_to_ten_of_each_suit_and_an_ace_counts_one() -> None:
    position = start()
    assert position.is_chance
    assert legal(position) == {f"draw {rank}{suit}" for rank in [*"A23456789", 10] for suit in "HDSC"}
    assert [go(position, card).facts()["left"] for card in ("AH", "9H", "10C")] == [1, 9, 10]


@pytest.mark.clause("FLQ-2")
def test_face_cards_are_not_in_the_pack_unless_a_house_rule_says_so() -> None:
    assert refused(start(), "draw KH") == "FLQ-2"
    again = start(drawPack="facesRedraw").play("draw KH")
    assert again.is_chance and again.facts()["drawn"] is None and "draw KH" not in legal(again)
    assert [go(start(drawPack="J11Q12K13"), card).facts()["left"] for card in ("JH", "QD", "KS")] == [11, 12, 13]


@pytest.mark.clause("FL-R.4", "FL-T.4", "FLQ-20")
def test_a_card_is_drawn_before_anybody_moves() -> None:
    position = start()
    assert position.is_chance and refused(position, "to a1") == "FL-R.4"
    assert go(position, "AS", "a1=2S").is_chance


@pytest.mark.clause("FLQ-20", "FL-T.4")
def test_the_first_draw_belongs_to_nobody_and_no_second_card_is_drawn_in_a_turn() -> None:
    assert start().facts()["actor"] == "chance"
    assert refused(go(start(), "5H"), "draw 6H") == "FL-T.4"


@pytest.mark.scenario("3.5.6")
@pytest.mark.clause("FL-R.10", "FLQ-15")
def test_the_card_of_a_waiting_character_is_used_up_and_another_is_drawn() -> None:
    position = go(start(), "3C", "a1=4H")
    assert character(position, "C") == [1, "waiting", "a1"]
    position = position.play("draw 5C")
    assert position.is_chance and position.facts()["used"] == ["3C", "5C"]
    assert go(position, "5S").actor == 2


@pytest.mark.clause("FLQ-15", "FLQ-21", "FL-R.10")
def test_the_card_of_a_character_that_is_across_or_out_is_used_up_too() -> None:
    position = stand("H2 across, D2 alive start, S2 alive start, C2 alive start", "used 7H | first red | turn 3")
    assert position.play("draw 5H").is_chance
    out = stand(
        "H0 out a1, D1 alive start, S2 alive start, C2 alive start", "field a1=8S! b1=9S! a2=7S! | used 7H | turn 3", lives=2
    )
    assert out.play("draw 5H").is_chance and not out.play("draw 5D").is_chance


@pytest.mark.scenario("3.5.7")
@pytest.mark.clause("FLQ-25", "FLQ-2")
def test_the_pack_is_filled_again_when_the_next_draw_finds_it_empty() -> None:
    pack = [f"{rank}{suit}" for rank in [*"A23456789", 10] for suit in "HDSC"]
    left = stand(
        "H2 across, D2 alive start, S2 alive start, C2 alive start",
        f"used {' '.join(card for card in pack if card != '5H')} | first red | turn 30",
    )
    assert legal(left) == {"draw 5H"}
    empty = left.play("draw 5H")
    assert len(empty.facts()["used"]) == 40 and len(legal(empty)) == 40
    assert empty.play("draw 5H").facts()["used"] == ["5H"]


@pytest.mark.clause("FLQ-25")
def test_a_card_comes_back_only_when_the_pack_is_used_up() -> None:
    assert refused(go(start(), "AH", "a1=2H"), "draw AH") == "FLQ-25"


@pytest.mark.clause("FLQ-16", "FL-T.1")
def test_only_the_draw_decides_who_goes() -> None:
    position = go(go(start(), "AH", "a1=2H"), "2H")
    assert position.actor == 0


@pytest.mark.clause("FLQ-16", "FL-T.1")
def test_with_alternate_teams_the_draws_of_the_other_team_are_used_up() -> None:
    position = go(start(alternateTeams=True), "AH", "a1=2H")
    assert position.play("draw 2D").is_chance
    black = position.play("draw 2D").play("draw AS")
    assert black.actor == 2 and walk(black, "b1=3S").play("draw 3D").actor == 1


@pytest.mark.clause("FLQ-16")
def test_with_alternate_teams_a_team_that_cannot_go_is_not_waited_for() -> None:
    gone = "field a1=8H! b1=9H! a2=7H! b2=6D! | used 7H"
    position = stand("H2 alive start, D2 alive start, S0 out a1, C0 out b1", f"{gone} | last red | turn 5", alternateTeams=True)
    assert position.play("draw 5D").actor == 1


# Steps


@pytest.mark.clause("FLQ-6")
def test_the_first_step_enters_row_one_at_any_column_and_counts() -> None:
    position = go(start(), "2H")
    assert cells(position) == "a1 b1 c1 d1"
    assert walk(position, "d1=2H").facts()["left"] == 1
    assert refused(position, "to a2") == "FLQ-6"


@pytest.mark.clause("FLQ-6")
def test_characters_share_cards_and_never_hinder_each_other() -> None:
    position = go(go(go(start(), "AH", "b1=2H"), "AD", "b1"), "2S")
    assert "to b1" in legal(position)
    assert character(position, "H") == character(position, "D") == [2, "alive", "b1"]


@pytest.mark.clause("FLQ-7")
@pytest.mark.parametrize(
    ("directions", "expected"),
    [("F+diag+LR", "a5 a6 b6 c5 c6"), ("F+LR", "a5 b6 c5"), ("F", "b6"), ("king8", "a4 a5 a6 b4 b6 c4 c5 c6")],
)
def test_a_step_goes_where_the_house_rule_says(directions: str, expected: str) -> None:
    four = "H2 alive b5, D2 alive start, S2 alive start, C2 alive start"
    position = go(stand(four, "field b5=5H | used 7H | turn 3", directions=directions), "5H")
    assert cells(position) == expected


@pytest.mark.clause("FLQ-7", "FLQ-23", "FL-T.1")
def test_no_step_goes_backward_or_to_a_card_twice() -> None:
    position = go(start(), "9H", "b1=2H", "c2=3H", "b2=4H")
    assert refused(position, "to b1") == "FLQ-7"
    assert refused(position, "to c2") == "FLQ-7"
    assert refused(position, "to b4") == "FLQ-8"


@pytest.mark.clause("FLQ-23")
def test_the_card_on_which_a_turn_begins_is_used_in_that_turn() -> None:
    position = go(go(start(), "AH", "b1=2H"), "5H")
    assert position.facts()["visited"] == ["b1"]
    assert "to b1" not in legal(walk(position, "c1=3H"))
    assert refused(position, "to b1") == "FLQ-23"


@pytest.mark.clause("FL-T.3", "FLQ-26", "FLQ-8")
def test_the_card_is_turned_over_after_it_was_chosen_and_then_the_token_moves() -> None:
    position = go(start(), "3H").play("to b1")
    assert position.is_chance and position.facts()["flipping"] == "b1"
    assert character(position, "H")[2] == "start" and position.facts()["left"] == 3
    after = position.play("flip 9D")
    assert character(after, "H")[2] == "b1" and after.facts()["left"] == 2 and after.facts()["field"] == {"b1": "9D"}
    assert refused(position, "to c1") == "FL-T.3"


@pytest.mark.clause("FLQ-26")
def test_a_card_that_lies_face_up_is_not_turned_over_again() -> None:
    position = go(go(start(), "AH", "b1=2H"), "AD", "b1")
    assert position.is_chance and character(position, "D")[2] == "b1"
    assert refused(position, "flip 3H") == "FL-T.3"


@pytest.mark.clause("FL-T.2", "FL-R.5", "FLQ-9")
def test_a_turn_ends_with_its_last_step() -> None:
    position = go(start(), "3H", "a1=2H", "a2=3H")
    assert position.actor == 0
    position = walk(position, "a3=4H")
    assert position.is_chance and position.facts()["drawn"] is None and position.turn == 1


@pytest.mark.clause("FLQ-9", "FLQ-30")
def test_all_steps_must_be_used() -> None:
    assert refused(go(start(), "3H", "a1=2H"), "stop") == "FLQ-9"


@pytest.mark.clause("FLQ-9", "FLQ-7")
def test_a_turn_ends_where_no_card_is_left_to_go_to() -> None:
    four = "H2 alive a2, D2 alive start, S2 alive start, C2 alive start"
    position = go(stand(four, "field a2=2H | used 7H | turn 3", directions="king8"), "9H")
    position = walk(position, "b2=3H", "b3=4H", "b4=5H", "a4=6H", "a3=8H")
    assert position.is_chance and character(position, "H") == [2, "alive", "a3"]


@pytest.mark.clause("FLQ-30", "FLQ-9")
def test_with_may_stop_a_turn_may_end_after_a_step_and_not_before() -> None:
    position = go(start(mayStop=True), "5H")
    assert refused(position, "stop") == "FLQ-30"
    stopped = walk(position, "a1=2H", "stop")
    assert stopped.is_chance and stopped.turn == 1 and character(stopped, "H")[2] == "a1"


@pytest.mark.clause("FLQ-10", "FL-W.1")
def test_a_step_from_the_last_row_is_across_and_other_steps_are_lost() -> None:
    four = "H2 alive b12, D2 alive start, S2 alive start, C2 alive start"
    position = go(stand(four, "field b12=2H | used 7H | turn 3"), "9H")
    assert cells(position) == "a12 across c12"
    assert character(walk(position, "across"), "H") == [2, "across", "across"] and walk(position, "across").turn == 4
    assert refused(go(start(), "9H"), "across") == "FLQ-10"


@pytest.mark.clause("FLQ-10")
def test_as_a_house_rule_standing_alive_on_the_last_row_is_across_and_a_mine_there_kills() -> None:
    position = go(start(across="reachRow12", rows=2), "5H", "a1=2H")
    assert "across" not in legal(position) and refused(position, "across") == "FLQ-10"
    assert character(walk(position, "a2=3H"), "H") == [2, "across", "across"]
    assert character(walk(position, "a2=8S"), "H") == [1, "waiting", "a2"]


@pytest.mark.clause("FLQ-24")
def test_getting_across_is_the_same_action_from_every_card_of_the_last_row() -> None:
    found = set()
    for column in "abcd":
        four = f"H2 alive {column}12, D2 alive start, S2 alive start, C2 alive start"
        position = go(stand(four, f"field {column}12=2H | used 7H | turn 3"), "9H")
        found.add(max(position.legal))
        assert walk(position, "across").facts()["characters"]["H"] == [2, "across", "across"]
    assert len(found) == 1


@pytest.mark.clause("FLQ-5")
def test_both_teams_start_from_the_same_edge() -> None:
    assert cells(go(start(), "AH")) == cells(go(start(), "AS")) == "a1 b1 c1 d1"


@pytest.mark.clause("FLQ-5")
def test_as_a_house_rule_black_crosses_from_the_far_edge() -> None:
    position = start(opposedSides=True)
    assert cells(go(position, "AH")) == "a1 b1 c1 d1"
    assert cells(go(position, "AS")) == "a12 b12 c12 d12"
    black = walk(go(position, "3S"), "b12=2S")
    assert cells(black) == "a11 a12 b11 c11 c12"
    last = stand(
        "H2 alive start, D2 alive start, S2 alive b1, C2 alive start", "field b1=2S | used 7H | turn 3", opposedSides=True
    )
    assert "across" in legal(go(last, "AS")) and "across" not in legal(go(last, "AH"))


# Mines


@pytest.mark.scenario("3.5.2")
@pytest.mark.clause("FL-R.8", "FL-R.11", "FL-T.2", "FLQ-12")
def test_the_third_step_on_black_kills_hearts_there_and_loses_the_other_steps() -> None:
    position = go(start(), "9H", "a1=2H", "a2=3D", "b3=8S")
    assert character(position, "H") == [1, "waiting", "b3"]
    assert position.is_chance and position.facts()["blown"] == ["b3"] and position.facts()["left"] == 0
    assert character(position, "D")[1] == "alive"


@pytest.mark.clause("FL-R.6", "FL-R.7", "FLQ-11")
def test_own_colour_is_safe_face_cards_included() -> None:
    position = go(start(), "3H", "a1=2D", "a2=KH", "a3=QD")
    assert character(position, "H") == [2, "alive", "a3"]


@pytest.mark.clause("FLQ-11", "FL-R.6")
def test_a_face_card_of_the_other_colour_is_a_mine() -> None:
    assert character(go(start(), "3H", "a1=KC"), "H") == [1, "waiting", "a1"]


@pytest.mark.clause("FLQ-11", "FL-T.5")
def test_fallen_soldiers_are_safe_for_everybody_as_a_house_rule() -> None:
    position = go(start(preset="fallen-soldiers"), "3H", "a1=KC")
    assert character(position, "H") == [2, "alive", "a1"] and position.facts()["blown"] == []
    assert character(walk(position, "a2=10C"), "H")[1] == "waiting"


@pytest.mark.clause("FL-T.5")
def test_a_row_of_one_colour_stops_the_other_team_in_the_literal_game() -> None:
    layout = [["2S", "3S", "4S", "5S"], ["2H", "3H", "4H", "5H"]]
    position = go(start(rows=2, layout=layout), "5H")
    assert {
        walk(position, f"{column}1={card}").facts()["characters"]["H"][1] for column, card in zip("abcd", layout[0], strict=True)
    } == {"waiting"}


@pytest.mark.clause("FL-R.13", "FLQ-12")
def test_a_blown_mine_is_safe_for_everybody() -> None:
    position = go(start(), "9H", "a1=8S")
    assert character(go(position, "AD", "a1"), "D") == [2, "alive", "a1"]
    assert character(go(position, "AS", "a1"), "S") == [2, "alive", "a1"]


@pytest.mark.clause("FLQ-12", "FLQ-9", "FL-R.8")
def test_a_known_mine_kills_as_well_and_may_be_stepped_on() -> None:
    position = go(go(start(), "AS", "a1=8S"), "9D", "a1")
    assert character(position, "D") == [1, "waiting", "a1"] and position.is_chance


@pytest.mark.clause("FL-R.9", "FLQ-3")
def test_jokers_are_safe_for_both_teams() -> None:
    position = go(start(jokersInField=2), "AH", "a1=JK")
    assert character(position, "H") == [2, "alive", "a1"]
    assert character(go(position, "AS", "a1"), "S") == [2, "alive", "a1"]


@pytest.mark.clause("FLQ-3", "FL-S.3")
def test_no_joker_lies_in_the_field_unless_a_house_rule_puts_two_there() -> None:
    assert refused(go(start(), "AH").play("to a1"), "flip JK") == "FLQ-3"
    two = go(start(jokersInField=2), "2H", "a1=JK", "b1=JK")
    assert refused(go(two, "AD").play("to c1"), "flip JK") == "FLQ-3"


# Lives


@pytest.mark.clause("FL-R.12", "FLQ-32")
def test_everybody_has_two_lives() -> None:
    assert {tuple(value) for value in start().facts()["characters"].values()} == {(2, "alive", "start")}


@pytest.mark.scenario("3.5.3")
@pytest.mark.clause("FL-R.11", "FLQ-13", "FLQ-14")
def test_when_the_mate_dies_the_waiting_one_is_alive_again_on_its_card() -> None:
    position = go(go(start(), "9H", "a1=8S"), "5D", "b1=9S")
    assert character(position, "H") == [1, "alive", "a1"]
    assert character(position, "D") == [1, "waiting", "b1"]
    assert "a1" not in cells(go(position, "5H"))


@pytest.mark.clause("FLQ-13", "FL-R.12", "FLQ-32")
def test_deaths_of_a_team_alternate_until_all_four_lives_are_gone() -> None:
    position = start()
    states = []
    for card, step in (("9H", "a1=8S"), ("9D", "b1=9S"), ("8H", "a2=7S"), ("8D", "b2=6S")):
        position = go(position, card, step)
        states.append((character(position, "H")[:2], character(position, "D")[:2]))
    assert states == [
        ([1, "waiting"], [2, "alive"]),
        ([1, "alive"], [1, "waiting"]),
        ([0, "out"], [1, "alive"]),
        ([0, "out"], [0, "out"]),
    ]


@pytest.mark.clause("FLQ-13", "FLQ-21")
def test_nobody_is_brought_back_by_a_mate_who_is_across() -> None:
    position = stand("H2 alive a12, D1 waiting b4, S2 alive start, C2 alive start", "field b4=8S! a12=2H | used 7H | turn 9")
    after = go(position, "5H", "across")
    assert character(after, "D") == [1, "waiting", "b4"] and after.play("draw 5D").is_chance


@pytest.mark.clause("FLQ-14")
def test_as_a_house_rule_who_comes_back_begins_at_the_start_line() -> None:
    position = go(go(start(revive="start"), "9H", "a1=8S"), "5D", "b1=9S")
    assert character(position, "H") == [1, "alive", "start"]


@pytest.mark.clause("FLQ-32")
@pytest.mark.parametrize(("lives", "expected"), [(1, [0, "out", "a1"]), (3, [2, "waiting", "a1"])])
def test_with_other_lives_one_is_out_at_none_and_waits_else(lives: int, expected: list[Any]) -> None:
    assert character(go(start(lives=lives), "9H", "a1=8S"), "H") == expected


@pytest.mark.clause("FLQ-21")
def test_who_is_across_is_never_drawn_and_never_comes_back() -> None:
    position = stand("H2 across, D2 alive b3, S2 alive start, C2 alive start", "field b3=2H | used 7H | first red | turn 9")
    dead = go(position, "5D", "b4=8S")
    assert character(dead, "H") == [2, "across", "across"]
