"""Barricade: what every house rule changes, teams, and the other reading of each ruling."""

import pytest
from barricade_table import CLASSIC, LOOP, barricade, laid, landings

from bridgehead.core import options as house
from bridgehead.core.errors import OptionError
from bridgehead.core.match import Match
from games.asked import legal, refused

# ---- house rules -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("BAQ-4")
def test_with_exit_roll_six_only_a_six_brings_a_pawn_out() -> None:
    game = barricade(exitRoll=6)
    assert refused(laid(game, "b rolled 5"), "home1-a3") == "BAQ-4"
    assert landings(laid(game, "b rolled 6"), "home1") == {"h1"}
    assert refused(laid(game, "b rolled 6"), "home1-d1") == "BA-R.3"
    assert barricade(**house.read(game.spec, "exitRoll=6")) == game
    with pytest.raises(OptionError) as caught:
        barricade(exitRoll=6, dieSides=5)
    assert caught.value.where == "exitRoll"


@pytest.mark.clause("BAQ-2", "BAQ-21")
def test_on_a_short_loop_a_way_may_come_round_unless_no_square_may_be_touched_twice() -> None:
    free, strict = barricade(board=LOOP, dieSides=8), barricade(board=LOOP, dieSides=8, revisit="noRepeat")
    assert landings(laid(free, "b rolled 8", "a2"), "a2") == {"a2"}  # round the ring, both ways; the final way is too short
    assert landings(laid(strict, "b rolled 8", "a2"), "a2") == set()
    assert refused(laid(strict, "b rolled 8", "a2"), "a2-a2") == "BAQ-2"
    assert landings(laid(strict, "b rolled 7", "a2"), "a2") == {"a1", "a3"}


@pytest.mark.clause("BAQ-2")
def test_on_the_classic_board_both_readings_of_turning_back_are_the_same() -> None:
    free, strict = CLASSIC.law, barricade(revisit="noRepeat").law
    assert free.ways == strict.ways
    assert [way.tobytes() for way in free.way] == [way.tobytes() for way in strict.way]


@pytest.mark.clause("BAQ-10")
def test_the_first_row_can_be_made_safe() -> None:
    game = barricade(firstRowSafe=True)
    assert refused(laid(game, "b rolled 2", "a1", "c1"), "a1-c1") == "BAQ-10"
    assert "a1-a3" in legal(laid(game, "b rolled 2", "a1", "a3", moved={"a3": "b3"}))
    assert "a1-c1" in legal(laid(game, "b rolled 2", "a1", "d1"))


@pytest.mark.clause("BAQ-11", "BAQ-23")
def test_a_six_gives_another_roll_only_by_house_rule_also_after_a_pass() -> None:
    assert laid(CLASSIC, "b rolled 6", "c1").play("pass").play("roll 1").actor == 1
    game = barricade(rollAgainOn6=True)
    again = laid(game, "b rolled 6", "c1").play("pass")
    assert again.turn == 20
    assert again.play("roll 1").actor == 0
    assert laid(game, "b rolled 5", "c1").play("pass").play("roll 1").actor == 1


@pytest.mark.clause("BAQ-12", "BAQ-24")
def test_the_highest_roll_begins_and_equals_roll_again_among_themselves() -> None:
    match = Match(barricade(first="highestRoll", seats=3))
    for roll in (4, 2, 4):
        match.play(f"roll {roll}")
    assert match.position.text.startswith("roll-off b0 c- d0;")
    assert refused(match.position, "pass") == "BAQ-12"
    match.play("roll 1")
    assert match.position.facts()["die"] == 0
    match.play("roll 3")
    assert match.position.text.startswith("d rolls; turn 0;")  # the roll moves nothing


@pytest.mark.clause("BAQ-14")
def test_homes_are_spread_evenly_or_named() -> None:
    assert list(barricade(seats=2).start().facts()["pawns"]) == ["1", "4"]
    assert list(barricade(seats=3, board="six").start().facts()["pawns"]) == ["1", "4", "6"]
    assert list(barricade(seats=2, homes="3,2").start().facts()["pawns"]) == ["3", "2"]
    for homes, complaint in (("1", "2 different"), ("1,1", "2 different"), ("1,9", "no home '9'"), ("x,y", "no home 'x'")):
        with pytest.raises(OptionError, match=complaint) as caught:
            barricade(seats=2, homes=homes)
        assert caught.value.where == "homes"


@pytest.mark.clause("BAQ-14")
def test_the_number_of_seats_follows_the_board() -> None:
    assert [barricade(board=board).seats for board in ("classic", "mini", "six")] == [4, 2, 4]
    assert barricade(board="mini", seats=2) == barricade(board="mini")
    for board, seats in (("mini", 3), ("classic", 5), ("classic", 1), ("six", 7)):
        with pytest.raises(OptionError) as caught:
            barricade(board=board, seats=seats)
        assert caught.value.where == "seats"


@pytest.mark.clause("BAQ-14")
def test_pawns_can_be_fewer_but_not_more_than_a_home_holds() -> None:
    assert barricade(pawns=2).start().facts()["pawns"]["1"] == ["home", "home"]
    with pytest.raises(OptionError, match="room for 5"):
        barricade(pawns=6)
    with pytest.raises(OptionError):
        barricade(pawns=0)


@pytest.mark.clause("BAQ-14")
def test_two_players_may_have_two_colours_each() -> None:
    game = barricade(twoColours=True, seats=2)
    position = laid(game, "b rolled 2", "b1", "f1", "d1", "n1")
    assert {"home1-d1", "home3-l1"} & legal(position) == {"home3-l1"}  # d1 is held by the other own colour
    assert refused(position, "b1-d1") == "BA-R.6"
    assert refused(position, "f1-e2") == "BA-M.3"
    after = position.play("d1-f1")
    assert after.facts()["pawns"] == {
        "1": sorted(["b1", *["home"] * 4]),
        "2": ["home"] * 5,
        "3": sorted(["f1", *["home"] * 4]),
        "4": sorted(["n1", *["home"] * 4]),
    }
    for wrong in ({}, {"seats": 3}, {"board": "mini", "seats": 2}):
        with pytest.raises(OptionError) as caught:
            barricade(twoColours=True, **wrong)
        assert caught.value.where == "twoColours"


# ---- teams -----------------------------------------------------------------------------------------------------------


@pytest.mark.scenario("4.5.5")
@pytest.mark.clause("BA-T.2", "BA-T.3", "BAQ-5", "BAQ-13")
def test_a_mates_pawn_is_neither_moved_nor_taken_but_may_be_passed() -> None:
    game = barricade(teams="0,2/1,3")
    position = laid(game, "b rolled 2", "a1", "", "c1")
    assert refused(position, "a1-c1") == "BA-T.3"
    assert refused(position, "c1-e1") == "BA-T.2"
    assert refused(position, "home3-l1") == "BA-T.2"
    assert refused(position, "home2-h1") == "BA-M.3"
    assert "a1-d1" in legal(laid(game, "b rolled 3", "a1", "", "c1"))
    assert "a1-c1" in legal(laid(game, "b rolled 2", "a1", "c1"))
    assert "b1-c1" in legal(laid(CLASSIC, "b rolled 1", "b1", "", "c1"))


@pytest.mark.clause("BA-T.4", "BAQ-13")
@pytest.mark.parametrize(
    ("teams", "winners"), [("0,2/1,3", (0, 2)), ("0/1,2,3", (0,)), ("1,2,3/0", (0,)), ("3,0/1/2", (0, 3)), (None, (0,))]
)
def test_the_winners_team_wins(teams: str | None, winners: tuple[int, ...]) -> None:
    game = barricade(teams=teams)
    after = laid(game, "b rolled 1", "i13", moved={"i13": "h9"}).play("i13-i14")
    assert after.outcome is not None
    assert after.outcome.winners == winners
    assert after.outcome.returns == tuple(1.0 if seat in winners else -1.0 for seat in range(4))


@pytest.mark.clause("BAQ-25", "BAQ-13")
def test_at_the_turn_limit_two_equal_mates_win_together() -> None:
    game = barricade(teams="0,2/1,3", turnLimit=30)
    after = laid(game, "c rolled 1", "g5", "", "k5", turn=29).play("pass")
    assert after.outcome is not None
    assert after.outcome.winners == (0, 2)


@pytest.mark.clause("BA-T.1", "BAQ-13")
@pytest.mark.parametrize(
    ("seats", "teams", "complaint"),
    [
        (2, "0/1", "at least 3 players"), (4, "0,1,2,3", "at least 2 teams"), (4, "0,1/2", "every seat"),
        (4, "0,1/1,2,3", "twice"), (4, "0,1/2,4", "no seat"), (4, "0,1//2,3", "no seat"), (4, "b,c/d,e", "no seat"),
    ],
)  # fmt: skip
def test_teams_that_are_none_are_refused(seats: int, teams: str, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint) as caught:
        barricade(seats=seats, teams=teams)
    assert caught.value.where == "teams"


# ---- the other reading ----------------------------------------------------------------------------------------------


@pytest.mark.clause("BAQ-11")
def test_without_the_house_rule_a_six_ends_the_turn_like_any_roll() -> None:
    after = laid(CLASSIC, "b rolled 6", "c1").play("c1-i1")
    assert (after.turn, after.facts()["die"], after.play("roll 2").actor) == (21, 0, 1)


@pytest.mark.clause("BAQ-23", "BAQ-11")
def test_the_roll_after_a_six_comes_when_the_taken_barricade_is_placed() -> None:
    position = laid(barricade(rollAgainOn6=True), "b rolled 6", "a1", moved={"i3": "c3"})
    assert "a1-c3" not in legal(position)
    position = laid(barricade(rollAgainOn6=True), "b rolled 6", "g1", moved={"i3": "a1"}).play("g1-a1").play("place b3")
    assert (position.turn, position.play("roll 1").actor) == (20, 0)


@pytest.mark.clause("BAQ-15", "ALLQ-2")
def test_a_blocked_player_only_loses_the_turn() -> None:
    blocked = laid(CLASSIC, "b rolled 2", moved={"a3": "c1"})
    assert legal(blocked) == {"pass"}
    after = blocked.play("pass")
    assert after.facts()["pawns"] == blocked.facts()["pawns"]
    assert after.facts()["barricades"] == blocked.facts()["barricades"]


@pytest.mark.clause("BAQ-16")
def test_without_a_limit_a_game_of_any_length_goes_on() -> None:
    assert not laid(CLASSIC, "b rolled 1", "c1", turn=900_000_000).play("pass").is_over


@pytest.mark.clause("BAQ-17")
def test_a_die_that_is_none_is_refused() -> None:
    for sides in (0, 1, 13, "six"):
        with pytest.raises(OptionError) as caught:
            barricade(dieSides=sides)
        assert caught.value.where == "dieSides"


@pytest.mark.clause("BAQ-19")
def test_after_a_pass_nobody_rolls_for_that_turn_again() -> None:
    after = laid(CLASSIC, "b rolled 1", "c1").play("pass")
    assert after.turn == 21
    assert after.play("roll 6").actor == 1


@pytest.mark.clause("BAQ-20")
def test_five_waiting_pawns_are_one_action_and_their_order_is_no_difference() -> None:
    assert [text for text in legal(laid(CLASSIC, "b rolled 1")) if text.startswith("home1")] == ["home1-c1"]
    assert laid(CLASSIC, "b rolls", "k5 c1 a2") == laid(CLASSIC, "b rolls", "a2 k5 c1")


@pytest.mark.clause("BAQ-21")
def test_without_no_repeat_the_square_of_departure_may_be_reached_again() -> None:
    after = laid(barricade(board=LOOP, dieSides=8), "b rolled 8", "a2").play("a2-a2")
    assert after.facts()["pawns"]["1"] == ["a2"]
    assert after.turn == 21


@pytest.mark.clause("BAQ-22")
def test_with_the_exact_roll_nobody_stops_early() -> None:
    assert "i14" not in landings(laid(CLASSIC, "b rolled 3", "i13", moved={"i13": "h9"}), "i13")


@pytest.mark.clause("BAQ-24")
def test_three_equal_rolls_are_rolled_off_by_all_three_in_order() -> None:
    match = Match(barricade(first="highestRoll", seats=3))
    for roll in (5, 5, 5):
        match.play(f"roll {roll}")
    assert match.position.text.startswith("roll-off b0 c0 d0;")
    for roll in (1, 6, 2):
        match.play(f"roll {roll}")
    assert match.position.text.startswith("c rolls; turn 0;")


@pytest.mark.clause("BAQ-26")
def test_winning_on_a_bare_final_square_leaves_all_barricades() -> None:
    after = laid(CLASSIC, "b rolled 1", "i13", moved={"i13": "h9"}).play("i13-i14")
    assert len(after.facts()["barricades"]) == 11


@pytest.mark.clause("BAQ-27", "BAQ-8")
def test_forbidding_the_first_row_leaves_the_row_above_it_open() -> None:
    position = laid(barricade(firstRowAllowed=False), "b rolled 5").play("home1-a3")
    assert refused(position, "place b1") == "BAQ-8"
    assert {"place a2", "place e2", "place i14"} <= legal(position)


@pytest.mark.clause("ALLQ-4")
def test_what_is_not_set_by_name_comes_from_the_preset() -> None:
    game = barricade(preset="classic", finalAllowed=True)
    assert game.options.final_allowed
    assert (game.options.pass_, game.options.first, game.options.revisit) == ("onlyIfBlocked", "highestRoll", "noRepeat")


@pytest.mark.clause("BAQ-28")
def test_fewer_barricades_may_stand_at_the_start_the_highest_ones() -> None:
    names = barricade(barricades=6).start().facts()["barricades"]
    assert sorted(names) == sorted(["i13", "i11", "i10", "i9", "g7", "k7"])
    assert barricade(barricades=0).start().facts()["barricades"] == []
    assert len(barricade(barricades=7).start().facts()["barricades"]) == 7
    taken = laid(barricade(barricades=1), "b rolled 1", "h13").play("h13-i13")
    assert taken.actor == 0 and "place a1" in legal(taken)  # a taken one is put down again


@pytest.mark.clause("BAQ-28")
def test_the_board_says_how_many_barricades_there_are() -> None:
    assert len(CLASSIC.start().facts()["barricades"]) == 11 == len(barricade(barricades=50).start().facts()["barricades"])
