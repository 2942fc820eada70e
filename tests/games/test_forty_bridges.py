"""40 Bridges, clause by clause: board, setup, moves and captures."""

from typing import Any

import pytest
from forty_table import INTO_SURROUND, pieces, stand, start

from bridgehead.core.errors import OptionError
from games.asked import ended, legal, played, refused

# Board, pieces, setup


@pytest.mark.clause("FB-1.a", "FB-2.c")
def test_the_board_has_25_squares_16_octagons_and_forty_bridges_between_squares() -> None:
    board = start().game.board
    squares = [f for f in range(41) if board.is_square(f)]
    links = [(f, g) for f in range(41) for g in board.step[f] if f < g]
    assert len(squares) == 25 and len(board.names) == 41
    assert sum(board.is_square(f) and board.is_square(g) for f, g in links) == 40
    assert sum(not board.is_square(f) and not board.is_square(g) for f, g in links) == 24
    assert len(links) == 64
    contacts = [(f, g) for f in squares for g in board.touch[f] if not board.is_square(g)]
    assert len(contacts) == 64


@pytest.mark.clause("FBQ-5")
def test_fields_have_eight_sides_and_fewer_at_the_edge() -> None:
    board = start().game.board
    sides = {board.names[f]: len(board.touch[f]) for f in range(41)}
    assert [sides[name] for name in ("c3", "c1", "a1", "B2", "B1", "A1")] == [8, 5, 3, 8, 7, 6]


@pytest.mark.clause("FB-1.b", "FB-2.b", "FBQ-1")
def test_each_player_begins_with_a_block_of_eight_in_the_corner() -> None:
    position = start()
    assert pieces(position, 0) == {"a1", "b1", "a2", "b2", "A1", "B1", "A2", "B2"}
    assert pieces(position, 1) == {"e5", "d5", "e4", "d4", "D4", "C4", "D3", "C3"}


@pytest.mark.scenario("2.4.1")
@pytest.mark.clause("FBQ-1")
def test_the_block_has_eight_steps_and_thirteen_jumps_as_first_moves() -> None:
    position = start()
    board = position.game.board
    moves = [text.split("-") for text in legal(position)]
    steps = [m for m in moves if board.field(m[1]) in board.step[board.field(m[0])]]
    assert (len(moves), len(steps)) == (21, 8)


@pytest.mark.clause("FBQ-1")
def test_the_row_setup_stands_along_one_edge_and_is_not_the_standard() -> None:
    assert pieces(start(setup="row"), 0) == {"a1", "b1", "c1", "d1", "A1", "B1", "C1", "D1"}
    assert pieces(start(setup="row"), 1) == {"e5", "d5", "c5", "b5", "D4", "C4", "B4", "A4"}
    assert pieces(start(), 0) != pieces(start(setup="row"), 0)


@pytest.mark.clause("FBQ-1")
def test_a_layout_may_be_of_any_size_up_to_eight() -> None:
    position = start(setup="custom", layout="a1,C4 e5,b1,D4")
    assert pieces(position, 0) == {"a1", "C4"}
    assert pieces(position, 1) == {"e5", "b1", "D4"}


@pytest.mark.clause("FBQ-1")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"layout": "a1 e5"}, "setup custom"),
        ({"setup": "custom"}, "setup custom"),
        ({"setup": "custom", "layout": "a1,b1"}, "a blank"),
        ({"setup": "custom", "layout": "a1 b1 c1"}, "a blank"),
        ({"setup": "custom", "layout": "a1,a1 e5"}, "a1 is given twice"),
        ({"setup": "custom", "layout": "a1 e5,a1"}, "opponent's corner"),
        ({"setup": "custom", "layout": "c3 e5,c3"}, "c3 is given twice"),
        ({"setup": "custom", "layout": "e5 d5"}, "opponent's corner"),
        ({"setup": "custom", "layout": "a1,f9 e5"}, "'f9'"),
        ({"setup": "custom", "layout": " e5"}, "''"),
        ({"setup": "custom", "layout": "a1,b1,c1,d1,e1,a2,b2,c2,d2 e5"}, "9 pieces; 8 at most"),
    ],
)
def test_a_layout_that_cannot_be_set_up_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said) as caught:
        start(**options)
    assert caught.value.where == "layout"


@pytest.mark.clause("FB-0")
def test_two_players_play_and_no_other_number() -> None:
    assert start().game.seats == 2
    with pytest.raises(OptionError):
        start(seats=3)


@pytest.mark.clause("FB-2.a", "FBQ-2")
def test_players_aim_for_opposite_corners_and_player_1_moves_first() -> None:
    position = start()
    assert position.actor == 0
    assert "a1" in pieces(position, 0) and "e5" in pieces(position, 1)
    assert refused(position, "first 2") == "FBQ-2"


@pytest.mark.clause("FBQ-2")
def test_the_first_player_may_be_drawn_with_equal_chances() -> None:
    position = start(first="random")
    assert position.is_chance and legal(position) == {"first 1", "first 2"}
    assert position.weights[0] == position.weights[1]
    assert position.play("first 2").actor == 1
    assert refused(position, "a1-c1") == "FBQ-2"


# Moving


@pytest.mark.clause("FB-4.a")
def test_turns_alternate_and_each_moves_one_own_piece() -> None:
    position = start()
    assert refused(position, "d4-c4") == "FB-4.a"
    assert refused(position, "c3-d3") == "FB-4.a"
    assert refused(position, "b2-b2") == "FB-4.a"
    after = position.play("b2-c2")
    assert after.actor == 1
    assert pieces(after, 0) == pieces(position, 0) - {"b2"} | {"c2"}
    assert refused(after, "c2-c3") == "FB-4.a"


@pytest.mark.clause("FB-4.b")
def test_a_step_goes_to_the_next_empty_field_of_the_same_kind() -> None:
    position = stand("c3,B2,a1", "e5,d3")
    assert legal(position) >= {"c3-b3", "c3-c2", "c3-c4", "B2-A2", "B2-C2", "B2-B1", "B2-B3"}
    assert refused(position, "c3-d3") == "FB-4.b"
    assert refused(position, "c3-c5") == "FB-4.d"
    assert refused(position, "c3-e1") == "FB-4.b"


@pytest.mark.clause("FB-2.c", "FB-2.d", "FB-4.c")
def test_nobody_steps_from_a_square_to_an_octagon_or_back() -> None:
    position = stand("c3,D1", "e5")
    assert refused(position, "c3-C3") == "FB-2.d"
    assert refused(position, "D1-d1") == "FB-2.d"


@pytest.mark.scenario("2.4.2")
@pytest.mark.clause("FB-4.d", "FBQ-4")
def test_a_square_jumps_over_an_octagon_if_the_field_behind_is_empty() -> None:
    assert "a1-b2" in legal(stand("a1,A1", "e5"))
    assert refused(stand("a1,A1,b2", "e5"), "a1-b2") == "FB-4.d"
    assert refused(stand("a1,A1", "e5,b2"), "a1-b2") == "FB-4.d"
    assert refused(stand("a1", "e5"), "a1-b2") == "FB-4.d"


@pytest.mark.clause("FB-4.d", "FBQ-4")
def test_a_jump_may_go_over_a_neighbour_of_either_kind_in_all_eight_directions() -> None:
    octagons = legal(stand("c3,B2,C2,B3,C3", "e5"))
    assert octagons >= {"c3-b2", "c3-d2", "c3-b4", "c3-d4"}
    squares = legal(stand("C3,c3,d3,c4,d4", "e5"))
    assert squares >= {"C3-B2", "C3-D2", "C3-B4", "C3-D4"}
    assert legal(stand("c3,b3,d3", "e5")) >= {"c3-a3", "c3-e3"}


@pytest.mark.clause("FB-4.e")
def test_nobody_jumps_over_an_opponent() -> None:
    position = stand("c3,a1", "C3,e5,b3")
    assert refused(position, "c3-d4") == "FB-4.e"
    assert refused(position, "c3-a3") == "FB-4.e"


@pytest.mark.clause("FB-4.f")
def test_a_turn_has_one_jump_only() -> None:
    position = stand("a1,b1,d1", "e5")
    assert "a1-c1" in legal(position)
    assert refused(position, "a1-e1") == "FB-4.f"
    assert refused(stand("a1,b1,c2", "e5"), "a1-e1") == "FB-4.b"


@pytest.mark.clause("FBQ-3", "FB-2.d")
def test_a_jump_goes_straight_on_and_never_changes_the_kind_of_field() -> None:
    board = start().game.board
    for field in range(41):
        assert all(board.is_square(to) == board.is_square(field) for _, to in board.jump[field])
    assert refused(stand("c3,C3", "e5"), "c3-D3") == "FBQ-3"


@pytest.mark.clause("FBQ-3", "FBQ-22")
def test_with_bent_jumps_a_piece_may_turn_by_45_degrees_and_change_its_kind() -> None:
    position = stand("c3,C3", "e5", bentJumps=True)
    assert {text for text in legal(position) if text.startswith("c3-")} == {
        "c3-b3", "c3-d3", "c3-c2", "c3-c4", "c3-d4", "c3-D3", "c3-C4",
    }  # fmt: skip
    assert pieces(played(position, "c3-D3"), 0) == {"C3", "D3"}
    assert refused(position, "c3-e3") == "FB-4.d"
    assert "c3-D3" in legal(stand("c3,d3", "e5", bentJumps=True))
    assert refused(stand("c3,b3", "C3,e5", bentJumps=True), "c3-D3") == "FB-4.e"


@pytest.mark.scenario("2.4.7")
@pytest.mark.clause("FBQ-3", "FBQ-11")
def test_an_octagon_piece_never_reaches_the_corner_unless_jumps_bend() -> None:
    assert refused(stand("C3,D4,a1", "c5,a5"), "C3-e5") in ("FBQ-3", "FB-4.b")
    board = start().game.board
    into_corner = {f for f in range(41) for _, to in board.jump[f] if board.names[to] == "e5"}
    assert all(board.is_square(f) for f in into_corner)
    position = stand("C4,D4", "a5", bentJumps=True)
    assert ended(played(position, "C4-e5")) == ("corner", (0,))


@pytest.mark.clause("FBQ-14")
def test_who_can_move_must_not_pass() -> None:
    assert refused(start(), "pass") == "FBQ-14"


# Captures


@pytest.mark.clause("FB-5.a", "FB-5.e")
def test_a_piece_with_three_sides_closed_is_removed_at_once() -> None:
    position = stand("b3,B2,C1", "c3,e5")
    after = played(position, "C1-C2")
    assert pieces(after, 1) == {"e5"}
    assert after.facts()["quiet"] == 0


@pytest.mark.clause("FB-5.a")
def test_two_closed_sides_capture_nothing() -> None:
    assert pieces(played(stand("b3,a1,C1", "c3,e5"), "C1-C2"), 1) == {"c3", "e5"}


@pytest.mark.scenario("2.4.3")
@pytest.mark.clause("FB-5.a", "FBQ-5", "FBQ-6")
@pytest.mark.parametrize(
    "three",
    ["b1,d1,c2", "b1,d1,B1", "b1,d1,C1", "b1,c2,B1", "b1,c2,C1", "b1,B1,C1", "d1,c2,B1", "d1,c2,C1", "d1,B1,C1", "c2,B1,C1"],
)
def test_any_three_of_the_five_sides_of_an_edge_square_capture_wherever_the_move_is(three: str) -> None:
    assert pieces(played(stand(f"{three},a5", "c1,e5"), "a5-a4"), 1) == {"e5"}
    two = three.rpartition(",")[0]
    assert pieces(played(stand(f"{two},a5", "c1,e5"), "a5-a4"), 1) == {"c1", "e5"}


@pytest.mark.clause("FBQ-5")
def test_the_edge_of_the_board_closes_no_side_and_a_corner_needs_all_three() -> None:
    assert pieces(played(stand("d1,e2,a5", "e1,e5"), "a5-a4"), 1) == {"e1", "e5"}
    assert pieces(played(stand("d1,e2,D1,a5", "e1,e5"), "a5-a4"), 1) == {"e5"}


@pytest.mark.clause("FBQ-5")
@pytest.mark.parametrize(("needed", "captured"), [(1, True), (2, True), (3, False), (4, False)])
def test_the_number_of_sides_needed_is_a_house_rule(needed: int, captured: bool) -> None:
    after = played(stand("b3,a1,C1", "c3,e5", sidesNeeded=needed), "C1-C2")
    assert ("c3" not in pieces(after, 1)) == captured


@pytest.mark.clause("FBQ-5")
def test_with_four_sides_needed_three_capture_nothing() -> None:
    assert pieces(played(stand("b3,B2,C1", "c3,e5", sidesNeeded=4), "C1-C2"), 1) == {"c3", "e5"}
    assert pieces(played(stand("b3,B2,C1,B3", "c3,e5", sidesNeeded=4), "C1-C2"), 1) == {"e5"}


@pytest.mark.clause("FBQ-6")
def test_the_mover_may_have_to_be_one_of_those_that_surround() -> None:
    away = stand("b3,B2,C2,a1", "c3,e5", captureNeedsMover=True)
    assert pieces(played(away, "a1-a2"), 1) == {"c3", "e5"}
    assert pieces(played(away, "b3-b4"), 1) == {"c3", "e5"}
    near = stand("b3,B2,C1", "c3,e5", captureNeedsMover=True)
    assert pieces(played(near, "C1-C2"), 1) == {"e5"}


THREE_AT_ONCE = ("b2,c2,d2,c4,A3", "B2,C2,b3,e5")


@pytest.mark.clause("FB-5.d", "FBQ-7")
def test_one_move_captures_two_pieces_and_even_three() -> None:
    two = stand("b2,c2,d2,c4", "B2,C2,b3,e5")
    assert pieces(played(two, "c4-c3"), 1) == {"b3", "e5"}
    assert pieces(played(stand(*THREE_AT_ONCE), "c4-c3"), 1) == {"e5"}


@pytest.mark.clause("FBQ-7")
def test_where_two_are_the_most_the_mover_chooses_them() -> None:
    choosing = played(stand(*THREE_AT_ONCE, maxCaptures=2), "c4-c3")
    assert choosing.actor == 0
    assert legal(choosing) == {"take B2", "take C2", "take b3"}
    assert pieces(choosing, 1) == {"B2", "C2", "b3", "e5"}
    assert refused(choosing, "c3-c4") == "FBQ-7"
    assert refused(choosing, "take e5") == "FB-5.a"
    assert refused(choosing, "pass") == "FBQ-7"
    one_left = played(choosing, "take C2")
    assert (one_left.actor, one_left.turn, legal(one_left)) == (0, 20, {"take B2", "take b3"})
    assert refused(one_left, "c3-c4") == refused(one_left, "pass") == "FBQ-7"
    after = played(one_left, "take b3")
    assert (after.actor, after.turn, pieces(after, 1)) == (1, 21, {"B2", "e5"})


@pytest.mark.clause("FBQ-7")
def test_the_first_field_of_the_board_may_be_chosen_like_any_other() -> None:
    choosing = played(stand("a1,b1,a2", "A1,e5", "b", maxCaptures=2, sidesNeeded=1), "e5-e4")
    assert legal(choosing) == {"take a1", "take b1", "take a2"}
    assert pieces(played(choosing, "take a1", "take b1"), 0) == {"a2"}


@pytest.mark.clause("FBQ-7")
def test_two_surrounded_pieces_go_without_asking_where_two_are_the_most() -> None:
    after = played(stand("b2,c2,d2,c4", "B2,C2,b3,e5", maxCaptures=2), "c4-c3")
    assert pieces(after, 1) == {"b3", "e5"} and after.actor == 1
    assert refused(after, "take b3") == "FBQ-7"


@pytest.mark.clause("FBQ-7", "FBQ-6")
def test_choosing_with_a_needed_mover_offers_only_what_it_touches() -> None:
    far = ("b2,c2,d2,c4,A3,C4,D3", "B2,C2,b3,e5,D4")  # D4 is not beside c3
    choosing = played(stand(*far, maxCaptures=2, captureNeedsMover=True, sidesNeeded=2), "c4-c3")
    assert legal(choosing) == {"take B2", "take C2", "take b3"}


@pytest.mark.scenario("2.4.4")
@pytest.mark.clause("FBQ-8", "FBQ-19")
def test_moving_into_a_surround_without_a_capture_loses_the_piece_at_once() -> None:
    after = played(stand(*INTO_SURROUND), "b3-c3")
    assert pieces(after, 0) == {"a1"} and pieces(after, 1) == {"d3", "c4", "C3"}
    assert after.facts()["quiet"] == 0


@pytest.mark.clause("FBQ-8", "FBQ-9")
def test_where_it_is_safe_the_piece_stays_until_the_opponent_has_moved() -> None:
    after = played(stand(INTO_SURROUND[0], INTO_SURROUND[1] + ",e5", suicide="safe"), "b3-c3")
    assert pieces(after, 0) == {"a1", "c3"} and after.facts()["quiet"] == 1
    assert pieces(played(after, "e5-e4"), 0) == {"a1"}
    assert pieces(played(after, "d3-e3"), 0) == {"a1", "c3"}


@pytest.mark.clause("FBQ-8", "FBQ-23")
def test_where_it_is_forbidden_the_move_is_refused_but_captures_and_the_corner_are_not() -> None:
    assert refused(stand(*INTO_SURROUND, suicide="forbidden"), "b3-c3") == "FBQ-23"
    assert "b3-c3" in legal(stand(*CAPTURE_IN_SURROUND, suicide="forbidden"))
    assert ended(played(stand("d5,a1", "e4,D4", suicide="forbidden", sidesNeeded=2), "d5-e5")) == ("corner", (0,))


@pytest.mark.clause("FBQ-23", "FBQ-13")
def test_who_has_only_forbidden_moves_is_blocked() -> None:
    caged = ("a1", "c1,b2,a3,B1,A2")
    assert legal(stand(*caged)) == {"a1-b1", "a1-a2"}
    assert legal(stand(*caged, suicide="forbidden")) == {"pass"}
    lost = start(setup="custom", layout=" ".join(caged), suicide="forbidden", noMoves="lose")
    assert ended(lost) == ("blocked", (1,))


CAPTURE_IN_SURROUND = ("b3,A3,B2,a1", "d3,c4,C3,B3,e5")


@pytest.mark.scenario("2.4.5")
@pytest.mark.clause("FB-5.b", "FB-5.c", "FBQ-8", "FBQ-21")
def test_a_capture_protects_the_piece_that_moved_into_a_surround() -> None:
    after = played(stand(*CAPTURE_IN_SURROUND), "b3-c3")
    assert pieces(after, 1) == {"d3", "c4", "C3", "e5"}
    assert "c3" in pieces(after, 0)


@pytest.mark.scenario("2.4.5")
@pytest.mark.clause("FB-5.c", "FBQ-9")
def test_the_protection_lasts_one_turn_and_then_any_move_cashes_in() -> None:
    after = played(stand(*CAPTURE_IN_SURROUND), "b3-c3")
    assert "c3" not in pieces(played(after, "e5-e4"), 0)
    assert "c3" in pieces(played(after, "d3-e3"), 0)


def test_a_refusal_names_the_pieces_in_the_way() -> None:
    over = stand("c3,a1", "C3,e5").explain(stand("c3,a1", "C3,e5").read("c3-d4"))
    assert over is not None and over.show == ("f:C3",)
    into = stand(*INTO_SURROUND, suicide="forbidden")
    refusal = into.explain(into.read("b3-c3"))
    assert refusal is not None and set(refusal.show) == {"f:c3", "f:d3", "f:c4", "f:C3"}
    assert into.game.words.tell(refusal.phrase) == (
        "square c3 has 3 closed sides or more, and the move takes nothing: the piece would be surrounded."
    )
