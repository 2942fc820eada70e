"""Who wins The Front Lines: FLQ-18's table row by row, the claim, dying to win; and walks with flip=destination."""

from typing import Any

import pytest
from front_lines_table import cells, character, go, stand, start, walk

from bridgehead.core import registry
from games.asked import ended, legal, refused

HEARTS_DEAD, DIAMONDS_DEAD = "a1=8S!", "b4=9S!"  # black mines that went off
SPADES_DEAD, CLUBS_DEAD = "c1=8H!", "d4=9H!"
BLACK_GONE = "c1=8H! c2=9H! c3=7H! c4=6H!"


# FLQ-18


@pytest.mark.clause("FLQ-18", "FL-W.2", "FL-W.1")
def test_row_1_both_across_wins() -> None:
    position = stand("H2 across, D2 alive a12, S2 alive start, C2 alive start", "field a12=5H | used 7H | first red | turn 20")
    assert ended(go(position, "5D", "across")) == ("both-across", (0, 1))


@pytest.mark.scenario("3.5.4")
@pytest.mark.clause("FLQ-18", "FL-W.2")
def test_row_2_one_across_and_the_mate_unhurt_plays_on() -> None:
    position = go(
        stand("H2 alive a12, D2 alive start, S2 alive start, C2 alive start", "field a12=5H | used 7H | turn 20"), "5H", "across"
    )
    assert not position.is_over and position.facts()["claim"] is None


@pytest.mark.clause("FLQ-18", "FL-W.4")
def test_row_3_after_deaths_on_both_sides_the_first_across_wins() -> None:
    position = stand(
        "H2 alive a12, D1 waiting b4, S1 waiting c1, C2 alive start",
        f"field a12=5H {DIAMONDS_DEAD} {SPADES_DEAD} | used 7H | turn 20",
    )
    assert ended(go(position, "5H", "across")) == ("race", (0, 1))


@pytest.mark.clause("FLQ-18", "FL-W.5")
def test_row_3_holds_against_a_team_that_is_gone() -> None:
    position = stand(
        "H2 alive a12, D1 waiting b4, S0 out c3, C0 out c4", f"field a12=5H {DIAMONDS_DEAD} {BLACK_GONE} | used 7H | turn 20"
    )
    assert ended(go(position, "5H", "across")) == ("race", (0, 1))


def claimed(**options: Any) -> Any:
    """Red has hearts across and diamonds waiting; nobody of black is dead."""
    position = stand(
        "H2 alive a12, D1 waiting b4, S2 alive a11, C2 alive start",
        f"field a11=2S a12=5H {DIAMONDS_DEAD} | used 7H | turn 20",
        **options,
    )
    return go(position, "5H", "across")


@pytest.mark.clause("FLQ-18", "FL-W.3")
def test_row_4_one_across_and_one_dead_holds_the_claim_against_a_team_without_a_death() -> None:
    position = claimed()
    assert not position.is_over and position.facts()["claim"] == "red"
    assert ended(go(position, "5S", "a12")) == ("claim", (0, 1))


@pytest.mark.clause("FLQ-18", "FL-W.3")
def test_row_4_the_other_team_wins_with_both_across() -> None:
    position = go(claimed(), "2S", "b12=3S", "across")
    assert not position.is_over
    ranks = ["A", *range(2, 11)]
    position = go(position, "10C", *(f"d{row}={rank}C" for row, rank in enumerate(ranks, start=1)))
    position = go(position, "3C", "d11=JC", "d12=KC", "across")
    assert ended(position) == ("both-across", (2, 3))


@pytest.mark.clause("FLQ-18", "FL-W.3")
def test_the_claim_wins_at_once_as_a_house_rule() -> None:
    position = claimed(claim="immediate")
    assert ended(position) == ("claim", (0, 1)) and position.facts()["claim"] is None


@pytest.mark.clause("FLQ-18", "FL-W.5")
def test_row_5_a_team_that_is_gone_does_not_end_the_game() -> None:
    position = stand(
        "H2 alive start, D2 alive start, S0 out c3, C1 alive b1", "field b1=2S c1=8H! c2=9H! c3=7H! | used 7H | turn 20"
    )
    after = go(position, "5C", "c2", "c3", "b3=6H")
    assert character(after, "C") == [0, "out", "b3"] and not after.is_over
    assert {text for text in legal(after) if after.play(text).is_over} == set()


@pytest.mark.scenario("3.5.5")
@pytest.mark.clause("FLQ-18", "FL-W.6")
def test_row_6_nobody_wins_when_both_teams_are_gone() -> None:
    red = "a1=8S! a2=9S! a3=7S!"
    position = stand("H1 alive start, D0 out a3, S0 out c3, C0 out c4", f"field {red} {BLACK_GONE} | used 7H | turn 20")
    assert ended(go(position, "5H", "b1=6S")) == ("no-winner", ())


@pytest.mark.clause("FL-W.6", "FL-W.5", "FLQ-18")
def test_one_across_with_the_mate_out_is_no_dead_team() -> None:
    """Black is gone, hearts is across: the last death of diamonds wins, it does not end without a winner."""
    position = stand("H2 across, D2 alive b1, S0 out c3, C0 out c4", f"field b1=2H {BLACK_GONE} | used 7H | first red | turn 20")
    assert ended(go(position, "5D", "b2=6S")) == ("race", (0, 1))


@pytest.mark.clause("FLQ-22", "FL-W.5")
def test_a_team_alone_and_unhurt_must_bring_both_across() -> None:
    four = "H2 alive a12, D2 alive start, S0 out c3, C0 out c4"
    assert not go(stand(four, f"field a12=5D {BLACK_GONE} | used 7H | turn 20"), "5H", "across").is_over


@pytest.mark.clause("FLQ-22")
def test_as_a_house_rule_one_of_a_team_alone_is_enough() -> None:
    four = "H2 alive a12, D2 alive start, S0 out c3, C0 out c4"
    position = stand(four, f"field a12=5D {BLACK_GONE} | used 7H | turn 20", soloNeedsBoth=False)
    assert ended(go(position, "5H", "across")) == ("solo", (0, 1))


@pytest.mark.clause("FLQ-22", "FLQ-18")
def test_one_across_wins_when_the_other_team_is_gone_afterwards() -> None:
    position = stand(
        "H2 across, D2 alive start, S0 out c3, C1 alive b1",
        "field b1=2S c1=8H! c2=9H! c3=7H! | used 7H | first red | turn 20",
        soloNeedsBoth=False,
    )
    assert ended(go(position, "5C", "b2=6H")) == ("solo", (0, 1))


# FLQ-31


@pytest.mark.clause("FLQ-31", "FL-W.4")
def test_the_death_of_the_mate_wins_when_one_is_across_and_the_other_team_has_a_death() -> None:
    position = stand(
        "H2 across, D2 alive b3, S1 waiting c1, C2 alive start", f"field b3=2D {SPADES_DEAD} | used 7H | first red | turn 20"
    )
    assert ended(go(position, "5D", "b4=9S")) == ("race", (0, 1))


@pytest.mark.scenario("3.5.4")
@pytest.mark.clause("FLQ-31", "FLQ-18")
def test_the_death_of_the_mate_gives_the_claim_when_the_other_team_has_no_death() -> None:
    position = stand("H2 across, D2 alive b3, S2 alive b4, C2 alive start", "field b3=2D b4=2S | used 7H | first red | turn 20")
    after = go(position, "5D", "b4")
    assert not after.is_over and after.facts()["claim"] == "red"
    assert ended(go(after, "5S", "b5=3H")) == ("claim", (0, 1))


@pytest.mark.clause("FLQ-31")
@pytest.mark.parametrize(("first", "expected"), [("red", ("claim", (0, 1))), ("black", ("race", (2, 3)))])
def test_where_both_teams_could_win_the_one_that_was_across_first_does(first: str, expected: Any) -> None:
    position = stand(
        "H2 across, D1 waiting b4, S2 across, C2 alive b3",
        f"field b3=2S {DIAMONDS_DEAD} | used 7H | claim red | first {first} | turn 20",
    )
    assert ended(go(position, "5C", "b4", "b5=3H")) == expected


@pytest.mark.clause("FLQ-32", "FLQ-13")
def test_with_one_life_a_team_is_gone_after_two_deaths() -> None:
    position = go(go(start(lives=1), "9H", "a1=8S"), "9D", "b1=9S")
    assert character(position, "H")[1] == character(position, "D")[1] == "out" and not position.is_over


@pytest.mark.clause("FL-W.1", "ALLQ-2")
def test_nothing_is_legal_when_the_game_is_over() -> None:
    position = stand("H2 across, D2 alive a12, S2 alive start, C2 alive start", "field a12=5H | used 7H | first red | turn 20")
    over = go(position, "5D", "across")
    assert over.legal == () and refused(over, "draw 5H") == "FL-W.1"


# flip=destination


@pytest.mark.clause("FLQ-29", "FLQ-8", "FL-T.2")
def test_a_walk_ends_after_exactly_the_steps_drawn() -> None:
    position = start(preset="leap")
    assert cells(go(position, "AH")) == "a1 b1 c1 d1"
    assert cells(go(position, "2H")) == "a1 a2 b1 b2 c1 c2 d1 d2"
    assert not set(cells(go(position, "5H")).split()) & {"a1", "b1", "c1", "d1", "a6"}
    assert refused(go(position, "5H"), "to a1") == "FLQ-29"


@pytest.mark.clause("FLQ-29", "FLQ-26")
def test_cards_walked_over_do_nothing_and_only_the_last_one_is_turned_over() -> None:
    position = go(start(preset="leap"), "5H", "b4=2D")
    assert position.facts()["field"] == {"b4": "2D"} and character(position, "H") == [2, "alive", "b4"]
    assert position.is_chance and position.turn == 1
    assert character(go(position, "3S", "b3=8H"), "S") == [1, "waiting", "b3"]


@pytest.mark.clause("FLQ-29", "FLQ-10")
def test_a_walk_leaves_the_field_with_at_most_the_steps_drawn() -> None:
    four = "H2 alive b10, D2 alive start, S2 alive start, C2 alive start"
    position = stand(four, "field b10=2H | used 7H | turn 3", flip="destination")
    assert "across" in cells(go(position, "9H")) and "across" in cells(go(position, "3H"))
    assert refused(go(position, "2H"), "across") == "FLQ-29"


@pytest.mark.clause("FLQ-29", "FLQ-7", "FLQ-23")
def test_a_walk_never_uses_a_card_twice() -> None:
    four = "H2 alive b5, D2 alive start, S2 alive start, C2 alive start"
    position = stand(four, "field b5=5H | used 7H | turn 3", flip="destination", directions="king8")
    found = set(cells(go(position, "2H")).split())
    assert "b5" not in found and {"a5", "c5", "b6", "b4", "d5", "b7", "b3"} <= found


@pytest.mark.clause("FLQ-29", "FLQ-10")
def test_with_reach_row_12_a_walk_ends_when_it_enters_the_last_row() -> None:
    four = "H2 alive b10, D2 alive start, S2 alive start, C2 alive start"
    position = go(stand(four, "field b10=2H | used 7H | turn 3", flip="destination", across="reachRow12"), "3H")
    assert "b12" in cells(position).split() and character(walk(position, "b12=3H"), "H")[1] == "across"
    assert character(walk(position, "b12=8S"), "H") == [1, "waiting", "b12"]


@pytest.mark.clause("FLQ-30", "FLQ-29")
def test_a_walk_may_be_shorter_with_may_stop() -> None:
    position = go(start(preset="leap", mayStop=True), "2H")
    assert cells(position) == "a1 a2 b1 b2 c1 c2 d1 d2"
    position = go(start(preset="leap", mayStop=True), "5H")
    assert {"a1", "b5"} <= set(cells(position).split()) and "b6" not in cells(position).split()
    assert refused(position, "stop") == "FLQ-30"


@pytest.mark.clause("FLQ-8", "FL-T.3")
def test_with_flip_step_a_far_card_cannot_be_chosen() -> None:
    assert refused(go(start(), "5H", "b1=2H"), "to b5") == "FLQ-8"


@pytest.mark.clause("FLQ-14", "FLQ-10")
def test_who_comes_back_alive_on_the_last_row_is_across_when_standing_there_is_enough() -> None:
    four = "H1 waiting a12, D2 alive b1, S2 alive start, C2 alive start"
    position = stand(four, "field a12=8S! b1=2D | used 7H | turn 5", across="reachRow12")
    after = go(position, "5D", "b2=9S")
    assert character(after, "H") == [1, "across", "across"] and after.facts()["claim"] == "red"


@pytest.mark.clause("FLQ-7")
def test_king8_never_steps_back_to_the_start_line_and_a_long_walk_is_found_at_once() -> None:
    game = registry.game("front_lines", flip="destination", directions="king8", drawPack="J11Q12K13")
    assert len(go(game.start(), "KH").legal) == 49
