"""The Front Lines, clause by clause: cards, seats, draws and lives."""

from typing import Any

import pytest
from front_lines_table import cells, character, go, stand, start, walk

from bridgehead.core.errors import OptionError
from games.asked import legal, refused

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
        ([1, "waiting"], [2, "alive"]), ([1, "alive"], [1, "waiting"]), ([0, "out"], [1, "alive"]), ([0, "out"], [0, "out"]),
    ]  # fmt: skip


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
