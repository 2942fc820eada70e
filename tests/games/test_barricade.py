"""Barricade: what a pawn may do, when a barricade moves, and who wins."""

from typing import Any

import numpy as np
import pytest
from barricade_table import CLASSIC, LOOP, barricade, laid, landings, why

from bridgehead.core.errors import NotationError, OptionError
from bridgehead.core.kernels import kernels
from bridgehead.core.match import Match
from games.asked import legal, refused

# ---- the start -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BA-C.2", "BA-C.3", "BA-C.4", "BA-C.1")
def test_everybody_starts_at_home_and_the_barricades_on_the_black_squares() -> None:
    facts = CLASSIC.start().facts()
    assert facts["pawns"] == {str(home): ["home"] * 5 for home in (1, 2, 3, 4)}
    assert facts["barricades"] == sorted(["i13", "i11", "i10", "i9", "g7", "k7", "a3", "e3", "i3", "m3", "q3"])


@pytest.mark.clause("BAQ-12", "BA-M.1", "ALLQ-1")
def test_the_first_seat_is_drawn_and_the_order_never_changes() -> None:
    match = Match(CLASSIC, [CLASSIC.start().read("first 3")])
    seats = []
    for _ in range(8):
        match.play("roll 1")
        seats.append(match.position.actor)
        match.play("pass")
    assert seats == [2, 3, 0, 1, 2, 3, 0, 1]
    assert refused(match.position, "first 1") == "BA-M.1"
    assert refused(CLASSIC.start(), "roll 1") == "BA-M.1"


@pytest.mark.clause("BA-C.6", "BAQ-17")
def test_the_die_is_fair_and_has_as_many_sides_as_agreed() -> None:
    for sides in (2, 6, 12):
        position = laid(barricade(dieSides=sides), "b rolls")
        assert [position.name(a) for a in position.legal] == [f"roll {n}" for n in range(1, sides + 1)]
        assert position.weights == (1,) * sides
    with pytest.raises(NotationError):
        CLASSIC.start().read("roll 7")


FIRST_ROLLS = {  # rules 4.4
    1: {1: "c1", 2: "b1 d1", 3: "a1 e1", 4: "a2 e2 f1", 5: "a3 e3 g1", 6: "h1"},
    2: {4: "d1 e2 i2 j1", 5: "c1 e3 i3 k1", 6: "b1 l1"},
}


@pytest.mark.clause("BA-R.1", "BA-R.2", "BA-R.4", "BAQ-3", "BAQ-7")
@pytest.mark.parametrize("home", [1, 2])
def test_the_first_roll_leads_from_home_to_the_squares_of_the_book(home: int) -> None:
    for roll, squares in FIRST_ROLLS[home].items():
        position = laid(CLASSIC, f"{'bc'[home - 1]} rolled {roll}")
        assert landings(position, f"home{home}") == set(squares.split())


@pytest.mark.clause("BAQ-7")
def test_no_pawn_walks_into_a_home() -> None:
    with pytest.raises(NotationError):
        laid(CLASSIC, "b rolled 1", "c1").read("c1-home1")


# ---- ways ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BA-R.1")
def test_a_pawn_moves_exactly_what_the_die_shows() -> None:
    position = laid(CLASSIC, "b rolled 4", "k5")
    assert landings(position, "k5") == {"i3", "g5", "m3", "o5", "m7"}
    refusal = why(position, "k5-k7")
    assert refusal.clause == "BA-R.1"
    assert "6 steps" in CLASSIC.words.tell(refusal.phrase)


@pytest.mark.clause("BA-R.2")
def test_a_way_is_never_diagonal() -> None:
    assert refused(laid(CLASSIC, "b rolled 1", "k4"), "k4-j3") == "BA-R.1"


@pytest.mark.clause("BA-R.3", "BAQ-2")
def test_a_way_never_turns_back() -> None:
    position = laid(CLASSIC, "b rolled 4", "k5")
    assert refused(position, "k5-k3") == "BA-R.3"  # two steps down, and two to spare
    assert refused(position, "k5-k5") == "BA-R.3"


@pytest.mark.clause("BA-R.5")
def test_a_barricade_is_never_crossed_and_is_named_when_it_is_in_the_way() -> None:
    position = laid(CLASSIC, "d rolled 4", "", "", "k5", moved={"m3": "m5"})
    refusal = why(position, "k5-o5")
    assert (refusal.clause, refusal.show) == ("BA-R.5", ("f:m5",))
    assert "m5" in CLASSIC.words.tell(refusal.phrase)
    assert "m5" not in landings(position, "k5")
    assert "k5-m5" in legal(laid(CLASSIC, "d rolled 2", "", "", "k5", moved={"m3": "m5"}))


@pytest.mark.scenario("4.5.3")
@pytest.mark.clause("BA-R.5", "BAQ-5")
def test_pawns_are_passed_whoever_owns_them_but_an_own_pawn_is_no_landing() -> None:
    position = laid(CLASSIC, "b rolled 3", "b1 d1", "c1")
    assert "e1" in landings(position, "b1")  # over c1 (foreign) and d1 (own)
    position = laid(CLASSIC, "b rolled 2", "b1 d1", "c1")
    assert refused(position, "b1-d1") == "BA-R.6"


@pytest.mark.clause("BA-R.6", "BA-R.8", "BA-R.9", "BAQ-10")
def test_a_pawn_on_the_landing_square_goes_back_to_its_home_and_may_come_out_again() -> None:
    position = laid(CLASSIC, "b rolled 2", "a1", "c1").play("a1-c1")
    assert position.facts()["pawns"]["2"] == ["home"] * 5
    assert position.facts()["pawns"]["1"] == ["c1"] + ["home"] * 4
    assert "home2-g1" in legal(position.play("roll 1"))


@pytest.mark.clause("BAQ-4", "BA-R.4")
def test_a_barricade_on_the_entry_is_taken_by_a_one_and_stops_every_other_roll() -> None:
    shut = {"a3": "c1"}
    assert landings(laid(CLASSIC, "b rolled 1", moved=shut), "home1") == {"c1"}
    assert landings(laid(CLASSIC, "b rolled 2", moved=shut), "home1") == set()
    assert refused(laid(CLASSIC, "b rolled 2", moved=shut), "home1-d1") == "BA-R.5"


@pytest.mark.clause("BAQ-4")
def test_an_own_pawn_on_the_entry_is_passed_but_not_landed_on() -> None:
    assert refused(laid(CLASSIC, "b rolled 1", "c1"), "home1-c1") == "BA-R.6"
    assert "d1" in landings(laid(CLASSIC, "b rolled 2", "c1"), "home1")


@pytest.mark.clause("BA-M.3", "BAQ-20")
def test_only_own_pawns_move_and_only_from_where_one_stands() -> None:
    position = laid(CLASSIC, "b rolled 1", "", "k5")
    assert refused(position, "k5-l5") == "BA-M.3"
    assert refused(position, "home2-g1") == "BA-M.3"
    assert refused(position, "a1-b1") == "BA-M.3"
    everybody_out = laid(CLASSIC, "b rolled 1", "a1 b1 d1 e1 f1")
    assert refused(everybody_out, "home1-c1") == "BA-M.3"


# ---- barricades ------------------------------------------------------------------------------------------------------


@pytest.mark.scenario("4.5.1")
@pytest.mark.clause("BA-R.7", "BA-R.5", "BAQ-9")
def test_a_one_takes_the_barricade_beside_the_pawn_and_it_must_be_placed() -> None:
    position = laid(CLASSIC, "b rolled 1", "h13").play("h13-i13")
    assert position.actor == 0
    assert position.facts()["placing"]
    assert refused(position, "pass") == "BAQ-9"
    assert refused(position, "i13-h13") == "BAQ-9"
    assert refused(position, "place i13") == "BA-R.7"
    assert refused(position, "place i11") == "BA-R.7"
    after = position.play("place h13")  # the square that the pawn just left is empty (BAQ-8)
    assert after.facts()["barricades"].count("h13") == 1
    assert len(after.facts()["barricades"]) == 11
    assert "i13" not in landings(laid(CLASSIC, "b rolled 2", "h13"), "h13")
    assert refused(laid(CLASSIC, "b rolled 2", "h13"), "h13-j13") == "BA-R.5"


@pytest.mark.clause("BA-R.7")
def test_there_is_nothing_to_place_before_a_barricade_is_taken() -> None:
    assert refused(laid(CLASSIC, "b rolled 1", "h13"), "place a1") == "BA-R.7"


@pytest.mark.scenario("4.5.4")
@pytest.mark.clause("BAQ-8")
def test_a_barricade_may_go_on_an_entry_a_black_square_the_first_row_and_the_final_square() -> None:
    position = laid(CLASSIC, "b rolled 5").play("home1-a3")
    assert {"place c1", "place k1", "place i14", "place a1", "place a2"} <= legal(position)
    assert len(legal(position)) == 112 - 11


@pytest.mark.scenario("4.5.4")
@pytest.mark.clause("BAQ-8")
def test_the_classic_preset_keeps_the_first_row_and_the_final_square_free() -> None:
    position = laid(barricade(preset="classic"), "b rolled 5").play("home1-a3")
    assert refused(position, "place c1") == "BAQ-8"
    assert refused(position, "place i14") == "BAQ-8"
    assert "place a2" in legal(position)


@pytest.mark.clause("BAQ-8", "BAQ-27")
def test_the_lowest_two_rows_can_be_forbidden() -> None:
    position = laid(barricade(lowestTwoRows="forbidden"), "b rolled 5").play("home1-a3")
    assert refused(position, "place a1") == refused(position, "place e2") == "BAQ-8"
    assert {"place b3", "place i14"} <= legal(position)


@pytest.mark.clause("BAQ-9")
def test_a_board_needs_room_for_a_barricade_to_go() -> None:
    with pytest.raises(OptionError, match="squares may take a barricade") as caught:
        barricade(board={**LOOP, "barricades": [[0, 0], [2, 0]]}, lowestTwoRows="forbidden")
    assert caught.value.where == "pawns"


# ---- winning ---------------------------------------------------------------------------------------------------------


@pytest.mark.scenario("4.5.2")
@pytest.mark.clause("BA-G", "BA-M.2", "BA-C.5", "BAQ-6")
def test_the_first_pawn_on_the_final_square_wins_by_an_exact_roll() -> None:
    top = {"i13": "h9"}
    after = laid(CLASSIC, "b rolled 1", "i13", moved=top).play("i13-i14")
    assert after.outcome is not None
    assert (after.outcome.reason, after.outcome.winners, after.outcome.clause) == ("final", (0,), "BA-G")
    assert after.outcome.returns == (1.0, -1.0, -1.0, -1.0)
    assert refused(after, "pass") == "BA-M.2"
    assert landings(laid(CLASSIC, "b rolled 2", "i13", moved=top), "i13") == {"g13", "k13"}
    assert refused(laid(CLASSIC, "b rolled 2", "i13", moved=top), "i13-i14") == "BA-R.1"


@pytest.mark.clause("BAQ-8", "BAQ-9", "BAQ-26")
def test_landing_on_a_barricaded_final_square_wins_at_once_and_removes_the_barricade() -> None:
    after = laid(CLASSIC, "b rolled 1", "i13", moved={"i13": "i14"}).play("i13-i14")
    assert after.is_over
    assert len(after.facts()["barricades"]) == 10
    assert CLASSIC.load(after.text) == after


@pytest.mark.clause("BAQ-6", "BAQ-22")
def test_without_the_exact_roll_a_way_may_end_early_on_the_final_square_only() -> None:
    loose = barricade(exactFinal=False)
    position = laid(loose, "b rolled 3", "i13", moved={"i13": "h9"})
    assert landings(position, "i13") == {"i14", "f13", "l13"}
    assert refused(position, "i13-h13") == "BA-R.3"
    barred = laid(loose, "b rolled 3", "i13", moved={"i13": "i14"})
    assert barred.play("i13-i14").is_over
    assert refused(position, "i13-g13") == "BA-R.1"


@pytest.mark.clause("BAQ-6")
def test_on_a_board_where_ways_lead_through_it_the_final_square_may_be_passed() -> None:
    line = {**LOOP, "squares": [[0, 0], [1, 0], [2, 0], [3, 0]], "final": [1, 0], "firstRowY": 0}
    line["homes"] = [
        {"id": 1, "color": "red", "entry": [0, 0], "slots": [[0, 3]]},
        {"id": 2, "color": "blue", "entry": [3, 0], "slots": [[2, 3]]},
    ]
    game = barricade(board=line)
    after = laid(game, "b rolled 2", "a1").play("a1-c1")
    assert not after.is_over
    assert laid(game, "b rolled 1", "a1").play("a1-b1").is_over


@pytest.mark.clause("BAQ-16", "BAQ-25")
def test_at_the_turn_limit_the_nearest_pawn_wins_and_equal_pawns_draw() -> None:
    game = barricade(turnLimit=30, seats=2)
    nearer = laid(game, "b rolled 1", "k5", "i5", turn=29).play("pass")
    assert nearer.outcome is not None
    assert (nearer.outcome.reason, nearer.outcome.winners) == ("turn-limit", (0,))
    equal = laid(game, "b rolled 1", "g5", "k5", turn=29).play("pass")
    assert equal.outcome is not None
    assert (equal.outcome.winners, equal.outcome.returns) == ((), (0.0, 0.0))
    assert not laid(game, "b rolled 1", "g5", "k5", turn=28).play("pass").is_over
    home_against_entry = laid(game, "b rolled 1", "c1", turn=29).play("pass")
    assert home_against_entry.outcome is not None
    assert home_against_entry.outcome.winners == (0,)  # a home counts as one more than its entry


# ---- passing ---------------------------------------------------------------------------------------------------------


@pytest.mark.scenario("4.5.6")
@pytest.mark.clause("BA-M.4", "BAQ-1", "BAQ-19")
def test_passing_is_legal_after_the_roll_even_with_a_move_and_costs_the_turn() -> None:
    position = laid(CLASSIC, "b rolled 3", "c1")
    assert "pass" in legal(position)
    after = position.play("pass")
    assert after.is_chance
    assert after.play("roll 1").actor == 1
    assert refused(position, "roll 5") == "BAQ-19"


@pytest.mark.clause("BAQ-1", "BAQ-15", "ALLQ-2")
def test_only_if_blocked_a_pass_needs_a_blocked_player() -> None:
    game = barricade(**{"pass": "onlyIfBlocked"})
    position = laid(game, "b rolled 3", "c1")
    refusal = why(position, "pass")
    assert refusal.clause == "BAQ-1"
    assert "can move" in game.words.tell(refusal.phrase)
    assert refusal.show[0].startswith("f:")
    blocked = laid(game, "b rolled 2", moved={"a3": "c1"})
    assert legal(blocked) == {"pass"}
    assert "cannot move" in blocked.prompt


@pytest.mark.clause("BA-M.3")
def test_nobody_moves_before_the_roll() -> None:
    position = laid(CLASSIC, "b rolls", "c1")
    assert refused(position, "c1-d1") == refused(position, "pass") == "BA-M.3"


# ---- presets, words, strength ----------------------------------------------------------------------------------------


@pytest.mark.clause("ALLQ-4")
def test_an_explicit_option_wins_over_the_preset() -> None:
    game = barricade(preset="classic", **{"pass": "always"})
    assert "pass" not in game.differences
    assert game.differences["firstRowAllowed"] is False


@pytest.mark.parametrize(
    "text", ["", "roll 0", "roll", "first 5", "place z9", "place home1", "a1-z9", "home9-c1", "a1 c1", "c1-", "PASS"]
)
def test_a_text_that_names_no_action_is_refused_by_name(text: str) -> None:
    with pytest.raises(NotationError):
        CLASSIC.start().read(text)


def test_the_log_and_the_prompt_tell_what_happened() -> None:
    position = laid(CLASSIC, "b rolled 2", "a1", "c1")
    assert position.prompt == "Blue rolled 2 and moves a pawn, or passes."
    assert position.sentence(position.read("a1-c1")) == "Blue: a1 to c1, sending a pawn of Yellow home."
    assert position.sentence(position.read("home1-d1"), "de") == "Blau: aus dem Haus nach d1."
    taking = laid(CLASSIC, "b rolled 5")
    assert taking.sentence(taking.read("home1-a3")) == "Blue: home to a3, taking the barricade."
    assert taking.play("home1-a3").prompt == "Blue took a barricade and puts it on an empty square."


@pytest.mark.long
@pytest.mark.parametrize("options", [{"board": "mini"}, {"board": "mini", "preset": "classic"}])
def test_the_one_ply_player_beats_chance(options: dict[str, Any]) -> None:
    game = barricade(**options)
    wins = decided = 0
    for seat in range(2):
        skill = np.array([seat == 0, seat == 1], np.int64)
        states, lengths, results = game.new_states(6), np.zeros(6, np.int64), np.zeros((6, 2))
        seeds = np.arange(6, dtype=np.uint64) + np.uint64(11 + 100 * seat)
        kernels(game.spec).play_games(states, game.law, seeds, 4000, skill, np.empty(game.max_legal, np.int32), lengths, results)
        wins += int((results[:, seat] > 0).sum())
        decided += int((results[:, 0] != 0).sum())
    assert decided >= 8
    assert wins >= 0.8 * decided
