"""The Front Lines, clause by clause: steps and mines."""

import pytest
from front_lines_table import cells, character, go, stand, start, walk

from games.asked import legal, refused

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
