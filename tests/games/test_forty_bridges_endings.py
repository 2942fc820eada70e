"""40 Bridges, clause by clause: winning, blocked players, repetition, quiet games."""

import numpy as np
import pytest
from forty_table import INTO_SURROUND, ROUND_TRIP, pieces, seen, stand, start

from bridgehead.core import registry
from bridgehead.core.errors import NotationError
from bridgehead.core.kernels import kernels
from bridgehead.core.position import Position
from games.asked import ended, legal, played, refused

# Winning


@pytest.mark.clause("FB-3", "FB-0")
def test_a_step_or_a_jump_onto_the_far_corner_wins_at_once() -> None:
    assert ended(played(stand("d5,a1", "c1,D4"), "d5-e5")) == ("corner", (0,))
    assert ended(played(stand("c5,d5", "c1"), "c5-e5")) == ("corner", (0,))
    assert ended(played(stand("c3", "b1,D4", "b"), "b1-a1")) == ("corner", (1,))


@pytest.mark.clause("FB-3", "FB-0")
def test_capturing_all_opposing_pieces_wins() -> None:
    over = played(stand("b3,B2,C1", "c3"), "C1-C2")
    assert ended(over) == ("captured", (0,))
    assert over.legal == () and refused(over, "b3-b4") == "FB-3"


@pytest.mark.scenario("2.4.6")
@pytest.mark.clause("FBQ-10")
def test_the_corner_wins_even_where_the_piece_would_be_surrounded() -> None:
    position = stand("d5,a1", "e4,D4", sidesNeeded=2)
    assert ended(played(position, "d5-e5")) == ("corner", (0,))


@pytest.mark.clause("FBQ-21")
def test_the_move_into_the_corner_captures_nothing() -> None:
    over = played(stand("c5,d5,C4", "D4,a5"), "c5-e5")
    assert ended(over) == ("corner", (0,))
    assert pieces(over, 1) == {"D4", "a5"}


@pytest.mark.clause("FBQ-11")
def test_a_guard_blocks_its_corner_and_the_own_corner_wins_nothing() -> None:
    assert refused(stand("d5,a1", "e5"), "d5-e5") == "FB-4.b"
    back = played(stand("b1", "c5"), "b1-a1")
    assert not back.is_over and pieces(back, 0) == {"a1"}


@pytest.mark.clause("FBQ-12")
def test_the_last_piece_lost_by_its_own_move_loses_the_game() -> None:
    assert ended(played(stand("b3", "d3,c4,C3"), "b3-c3")) == ("captured", (1,))


# No move, repetition, quiet games

LOCKED_IN = ("a1", "c1,a2,e4", "b")  # b's c1-b1 leaves a1 without a move; A1 stays free


@pytest.mark.clause("FBQ-13", "FBQ-18")
def test_a_player_without_a_legal_move_passes() -> None:
    blocked = played(stand(*LOCKED_IN), "c1-b1")
    assert legal(blocked) == {"pass"}
    assert blocked.explain(blocked.read("pass")) is None
    assert refused(blocked, "a1-b1") == "FB-4.b"
    after = played(blocked, "pass")
    assert (after.actor, after.facts()["quiet"]) == (1, 2)


@pytest.mark.clause("FBQ-13")
def test_a_blocked_player_loses_or_draws_by_house_rule() -> None:
    assert ended(played(stand(*LOCKED_IN, noMoves="lose"), "c1-b1")) == ("blocked", (1,))
    assert ended(played(stand(*LOCKED_IN, noMoves="draw"), "c1-b1")) == ("blocked", ())
    assert not played(stand(*LOCKED_IN, noMoves="lose"), "e4-e3").is_over


@pytest.mark.clause("FBQ-13")
@pytest.mark.parametrize("blocked", [0, 1])
def test_a_piece_with_all_neighbours_of_its_kind_taken_is_blocked_wherever_it_stands(blocked: int) -> None:
    """The player who begins is drawn, so either may be blocked before the first move."""
    board = start().game.board
    own, far = board.corners[blocked], board.corners[1 - blocked]  # nobody stands on the opponent's corner at first
    for field in range(41):
        if field != far and own not in board.step[field]:
            sides = [board.names[field], ",".join(board.names[near] for near in board.step[field])]
            layout = " ".join(sides if blocked == 0 else sides[::-1])
            position = start(setup="custom", layout=layout, first="random", sidesNeeded=8, noMoves="lose")
            assert ended(played(position, f"first {blocked + 1}")) == ("blocked", (1 - blocked,)), layout
            assert not played(position, f"first {2 - blocked}").is_over, layout


@pytest.mark.clause("FBQ-13")
@pytest.mark.parametrize("no_moves", ["pass", "lose", "draw"])
def test_if_both_are_blocked_nobody_wins(no_moves: str) -> None:
    full = "A1,B1,C1,D1,A2,B2,C2,D2 A3,B3,C3,D3,A4,B4,C4,D4"  # all octagons: no step, no jump
    assert ended(start(setup="custom", layout=full, noMoves=no_moves)) == ("blocked", ())


@pytest.mark.clause("FBQ-18")
def test_a_pass_captures_nothing() -> None:
    after = played(stand("a1", "b1,a2", sidesNeeded=1), "pass")
    assert pieces(after, 1) == {"b1", "a2"}


@pytest.mark.clause("FBQ-18", "FBQ-15")
def test_positions_after_a_pass_count_for_repetition() -> None:
    position = stand("a1", "b1,a2,e4")
    for _ in range(2):
        position = played(position, "pass", "e4-e3", "pass", "e3-e4")
    assert ended(position) == ("repetition", ())


@pytest.mark.clause("FBQ-15", "FBQ-20")
def test_the_third_occurrence_of_a_position_is_a_draw_and_the_first_position_counts() -> None:
    position = played(start(), *ROUND_TRIP, *ROUND_TRIP[:3])
    assert not position.is_over
    assert ended(played(position, ROUND_TRIP[3])) == ("repetition", ())


@pytest.mark.clause("FBQ-15")
def test_the_same_pieces_with_the_other_player_to_move_are_another_position() -> None:
    """The pieces of the third ply stand there for the third time, but twice with the other player to move."""
    position = stand("a1", "b1,a2,e4")
    position = played(position, "pass", "e4-e3", "pass", "e3-e4", "pass")
    assert not position.is_over


@pytest.mark.clause("FBQ-15")
def test_repetition_may_be_ignored() -> None:
    position = played(start(repetition="none"), *ROUND_TRIP * 3)
    assert not position.is_over


@pytest.mark.clause("FBQ-24")
def test_repetition_may_be_forbidden() -> None:
    position = played(start(repetition="forbid"), *ROUND_TRIP, *ROUND_TRIP[:3])
    assert refused(position, "c5-d5") == "FBQ-24"
    assert "c5-b5" in legal(position)
    assert "c5-d5" in legal(played(start(repetition="forbid"), *ROUND_TRIP[:3]))


@pytest.mark.clause("FBQ-15")
@pytest.mark.parametrize(("limit", "plies"), [(2, 2), (7, 7), (100, 100), (150, 150), (None, 1000)])
def test_turns_without_a_capture_end_the_game(limit: int | None, plies: int) -> None:
    position = start(repetition="none", quietLimit=limit)
    for ply in range(plies):
        assert not position.is_over
        position = position.play(ROUND_TRIP[ply % 4])
    assert ended(position) == ("quiet", ())


@pytest.mark.clause("FBQ-21")
def test_repetition_is_looked_at_before_the_quiet_limit() -> None:
    assert ended(played(start(quietLimit=8), *ROUND_TRIP * 2)) == ("repetition", ())
    assert ended(played(start(quietLimit=7), *(ROUND_TRIP * 2)[:7])) == ("quiet", ())


@pytest.mark.clause("FBQ-19", "FBQ-15")
def test_a_lost_piece_starts_the_quiet_count_again() -> None:
    position = played(stand(INTO_SURROUND[0], INTO_SURROUND[1] + ",e5", quietLimit=3), "a1-a2", "e5-e4")
    assert position.facts()["quiet"] == 2
    assert ended(played(position, "a2-a1")) == ("quiet", ())
    after = played(position, "b3-c3")
    assert not after.is_over and after.facts()["quiet"] == 0


@pytest.mark.clause("FBQ-16")
def test_hopeless_pieces_do_not_end_the_game() -> None:
    assert not played(stand("A1,B1", "D4"), "A1-A2").is_over


@pytest.mark.clause("FBQ-17")
def test_giving_up_and_draws_by_agreement_are_no_actions_on_the_board() -> None:
    for text in ("resign", "draw"):
        with pytest.raises(NotationError):
            start().read(text)


# The readings that were not taken


@pytest.mark.clause("FBQ-10")
def test_without_the_corner_the_same_move_into_a_surround_loses_the_piece() -> None:
    assert pieces(played(stand("d4,a1", "e3,D3", sidesNeeded=2), "d4-d3"), 0) == {"a1"}


@pytest.mark.clause("FBQ-12")
def test_a_lost_piece_that_is_not_the_last_ends_nothing() -> None:
    assert not played(stand(*INTO_SURROUND), "b3-c3").is_over


@pytest.mark.clause("FBQ-14")
def test_passing_is_not_offered_to_who_can_move() -> None:
    assert "pass" not in legal(start())
    assert "pass" not in legal(stand("a1", "b1,e4"))


@pytest.mark.clause("FBQ-16")
def test_pieces_that_can_only_win_by_captures_still_win_by_captures() -> None:
    assert ended(played(stand("B2,B3,C1", "c3"), "C1-C2")) == ("captured", (0,))


@pytest.mark.clause("FBQ-17")
def test_every_action_of_the_board_is_a_move_a_capture_a_pass_or_a_draw_of_seats() -> None:
    position = start()
    for action in range(position.game.action_count):
        text = position.name(action)
        assert "-" in text or text == "pass" or text.split()[0] in ("take", "first")


@pytest.mark.clause("FBQ-20")
def test_a_position_that_comes_up_later_occurs_once_less() -> None:
    position = played(start(), "a2-c2", "e4-c4", *ROUND_TRIP, *ROUND_TRIP[:3])
    assert not position.is_over
    assert ended(played(position, ROUND_TRIP[3])) == ("repetition", ())


@pytest.mark.clause("FBQ-22")
def test_a_bent_jump_turns_by_no_more_and_lands_one_field_further() -> None:
    position = stand("c3,C3", "e5", bentJumps=True)
    assert "c3-e4" not in legal(position) and "c3-c5" not in legal(position) and "c3-C2" not in legal(position)
    assert "c3-D3" not in legal(stand("c3,C3", "e5,D3", bentJumps=True))


@pytest.mark.clause("FBQ-24")
def test_a_second_occurrence_is_not_forbidden() -> None:
    position = played(start(repetition="forbid"), *ROUND_TRIP)
    assert not position.is_over and position.turn == 4


def test_looking_one_move_ahead_beats_chance() -> None:
    game = registry.game("forty_bridges")
    states, results = game.new_states(10), np.zeros((10, 2))
    out, lengths = np.empty(game.max_legal, np.int32), np.zeros(10, np.int64)
    with np.errstate(over="ignore"):
        seeds, skill = np.arange(10, dtype=np.uint64), np.array([0, 1])
        kernels(game.spec).play_games(states, game.law, seeds, 2000, skill, out, lengths, results)
    assert (results[:, 1] > 0).sum() >= 8


@pytest.mark.clause("FBQ-24", "FBQ-8")
def test_a_piece_that_is_safe_in_a_surround_may_not_be_there_for_the_third_time_either() -> None:
    position = stand("c3,a1", "d3,c4,C3", "b", suicide="safe", repetition="forbid")
    there = played(position, "d3-e3", "c3-b3", "e3-d3", "b3-c3", "d3-e3", "c3-b3", "e3-d3")
    assert refused(there, "b3-c3") == "FBQ-24"
    assert "b3-c3" in legal(played(position, "d3-e3", "c3-b3", "e3-d3"))


@pytest.mark.clause("FBQ-24", "FBQ-8")
def test_a_piece_that_is_removed_by_its_own_move_repeats_nothing() -> None:
    """It could stay where it was surrounded, as no attacker that touches it has moved; but it may not come back."""
    position = stand("c3,a1", "d3,c4,C3,e5", "b", captureNeedsMover=True, repetition="forbid")
    there = played(position, "e5-e4", "a1-a2", "e4-e5", "a2-a1", "e5-e4", "c3-b3", "e4-e5")
    assert pieces(there, 0) == {"b3", "a1"}
    assert pieces(played(there, "b3-c3"), 0) == {"a1"}


@pytest.mark.clause("FBQ-24", "FBQ-13")
def test_whether_the_other_player_could_move_after_a_pass_depends_on_what_it_would_repeat() -> None:
    """Player B returns to a5; all that A could reach has been there twice, and so has, or has not, all that B could reach.

    Where a position is told twice in a row, a player passed.
    """
    all_of_both = "d1a5 d1b5 e1b5 e1b5 e2b5 e2a5 e2a5 e2a4 e1a4 e1a4 d1a4 d1a5"
    all_of_a = "d1a5 d1b5 e1b5 e1c5 e2c5 e2b5 e2b5 e2a5 e2a5 e2a4 e1a4 e1a3 "
    all_of_a += "e2a3 e2a4 e2a4 e2a5 e2a5 e2b5 e1b5 e1c5 d1c5 d1b5 d1b5 d1a5"  # what B could reach too, but with B to move
    all_of_b = "e1a5 e1b5 e2b5 e2a5 e1a5 e1a4 e2a4 e2a5"
    assert ended(returned(all_of_both, all_of_both, "d1a5 d1a4")) == ("blocked", ())
    assert legal(returned(all_of_a, all_of_a, "d1a5 d1a4")) == {"pass"}
    assert legal(returned(all_of_b, all_of_b, "e1a5 e1a4")) == {"e1-d1", "e1-e2"}


def returned(*parts: str) -> Position:
    """A stands on e1, and B has just moved from a4 to a5, after the positions that are told: the first one with B to move."""
    stands = [(place[:2], place[2:]) for part in parts for place in part.split()]
    game = registry.game("forty_bridges", repetition="forbid")
    return game.load(f"e1 a4 b 51 {len(stands)} - {seen(*stands)} -").play("a4-a5")


@pytest.mark.clause("FB-3")
def test_the_turn_that_ends_the_game_is_counted_and_nobody_is_to_move() -> None:
    over = played(stand("d5,a1", "c1,D4"), "d5-e5")
    assert (over.turn, over.facts()["quiet"], over.facts()["actor"]) == (21, 1, None)
    assert over.outcome is not None and over.outcome.returns == (1.0, -1.0)


@pytest.mark.clause("FBQ-25")
def test_pieces_may_be_forbidden_to_go_back() -> None:
    mine = stand("c3,C2", "d5,e5", retreat=False)
    assert refused(mine, "c3-c2") == refused(mine, "c3-b3") == "FBQ-25"
    assert {"c3-c4", "c3-d3", "c3-d2"} <= legal(mine)  # the last is a jump to the side
    theirs = stand("a1,b1", "c3,C2", mover="b", retreat=False)
    assert refused(theirs, "c3-c4") == "FBQ-25" and {"c3-c2", "c3-b3", "c3-d2"} <= legal(theirs)


@pytest.mark.clause("FBQ-25")
def test_who_could_only_go_back_is_blocked() -> None:
    assert legal(stand("d5", "e5,e1", retreat=False)) == {"pass"}
    assert {"d5-c5", "d5-d4"} <= legal(stand("d5", "e5,e1"))
    lost = start(setup="custom", layout="d5 e4,e1,D4", retreat=False, noMoves="lose", sidesNeeded=8)
    assert not lost.is_over and legal(lost) == {"d5-e5"}


@pytest.mark.clause("FBQ-25")
def test_pieces_go_back_by_the_text() -> None:
    assert {"c3-c2", "c3-b3"} <= legal(stand("c3,C2", "d5,e5"))
