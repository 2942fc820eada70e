"""Burning Bridges: taking hostages, protection, terms and release."""

import pytest
from bridges_table import at, captor, go_round, phase, torch

from games.asked import legal, played, refused

# -- taking hostages --------------------------------------------------------------------------------------------------


@pytest.mark.clause("BB-1.e.i", "BB-1.f", "BBQ-13", "BBQ-18")
@pytest.mark.parametrize(
    ("capturer", "pieces", "taken"),
    [
        ("L", "S", "S"), ("L", "SM", "SM"), ("L", "SL", ""), ("L", "ML", ""), ("L", "M", "M"), ("L", "L", ""), ("L", "SML", ""),
        ("M", "S", "S"), ("M", "SM", ""), ("M", "SL", ""), ("M", "ML", ""), ("M", "M", ""), ("M", "L", ""),
        ("S", "S", ""), ("S", "SM", ""), ("S", "L", ""),
    ],
)  # fmt: skip
def test_who_takes_whom(capturer: str, pieces: str, taken: str) -> None:
    there = ", ".join(f"b{piece} C" for piece in pieces)
    position = at("moves a 2", f"a{capturer} A0, {there}", bridges="A0-C a 0")
    position = position.play(f"cross {capturer} C a")
    assert legal(position, "take") == {f"take b{piece}" for piece in taken}


@pytest.mark.clause("BB-1.f", "BBQ-18")
def test_a_hostage_protects_nobody_and_a_captor_still_does() -> None:
    held = at("moves d 2", "aL C, bM C aL, bS C, dM A0").play("walk M C")
    assert legal(held) == {"take bS", "done"}
    captor_protects = at("moves d 2", "aM C, aS C, bS C aM, dM A0").play("walk M C")
    assert phase(captor_protects) == "moves"


@pytest.mark.clause("BB-1.g", "BBQ-19", "BB-1.e.viii", "BB-1.e.ix")
def test_free_pieces_move_out_from_under_anybody() -> None:
    position = at("moves b 2", "aL C, bM C, bS C, bL C", bridges="A0-C b 0")
    assert {"walk M A0", "walk L A0", "cross S A0 b"} <= legal(position)


@pytest.mark.clause("BB-1.g", "BBQ-19", "BB-1.f")
def test_who_stays_behind_loses_the_protection() -> None:
    assert refused(at("moves a 2", "aM C, bM C, bS C"), "seize M bS") == "BBQ-18"
    left = played(at("moves b 2", "aM C, bM C, bS C"), "walk M A0", "end", "end", "end", "end")
    assert legal(left, "seize") == {"seize M bS"}


@pytest.mark.clause("BBQ-14")
def test_equal_pieces_block_only_by_house_rule() -> None:
    assert "walk M C" in legal(at("moves a 2", "aM A0, bM C"))
    position = at("moves a 2", "aM A0, bM C", equalBlocks=True)
    assert refused(position, "walk M C") == "BBQ-14"
    assert "walk M C" in legal(at("moves a 2", "aM A0, bM C cL, cL C", equalBlocks=True))
    assert "walk M C" in legal(at("moves a 2", "aM A0, aL C, bS C", equalBlocks=True))


@pytest.mark.clause("BBQ-15")
def test_taking_is_a_choice() -> None:
    free = at("moves a 2", "aL A0, bM C, bS C").play("walk L C")
    assert legal(free) == {"take bM", "take bS", "done"}
    assert captor(free.play("done"), "bM") is None
    assert refused(free, "walk L A0") == "BBQ-15"


@pytest.mark.clause("BBQ-44", "BBQ-15")
def test_a_landing_must_take_by_house_rule_and_whom_stays_free() -> None:
    must = at("moves a 2", "aL A0, bM C, bS C", captureMandatory=True).play("walk L C")
    assert legal(must) == {"take bM", "take bS"}
    assert refused(must, "done") == "BBQ-44"
    assert legal(must.play("take bM")) == {"take bS", "done"}


@pytest.mark.clause("BBQ-44")
def test_seizing_in_place_is_never_a_must() -> None:
    position = at("moves a 2", "aL C, bM C", captureMandatory=True)
    assert {"end", "walk L A0", "seize L bM"} <= legal(position)


@pytest.mark.clause("BBQ-16", "BBQ-17")
def test_seizing_in_place_costs_a_move_and_takes_up_to_two() -> None:
    position = at("moves a 2", "aL C, bM C, bS C, cS C")
    assert refused(position, "take bM") == "BBQ-15"
    after = position.play("seize L bM")
    assert legal(after) == {"take bS", "take cS", "done"}
    assert after.facts()["moves"] == 1
    done = after.play("take cS")
    assert (phase(done), captor(done, "bS"), captor(done, "cS")) == ("moves", None, "aL")
    assert refused(done, "seize L bS") == "BBQ-20"


@pytest.mark.clause("BB-1.e", "BBQ-13")
def test_nobody_takes_its_own_or_a_distant_or_a_larger_piece() -> None:
    position = at("moves a 2", "aM C, aS C, bL C, bS A0")
    assert refused(position, "seize M aS") == "BB-1.e"
    assert refused(position, "seize M bS") == "BB-1.e"
    assert refused(position, "seize M bL") == "BBQ-13"
    assert refused(position, "seize S bL") == "BBQ-13"


@pytest.mark.clause("BBQ-16", "BBQ-48")
def test_seizing_is_a_move_like_any_other() -> None:
    assert at("moves a 1", "aL C, cS C").play("seize L cS").actor == 1
    held = at("moves b 2", "aL C, bM C aL, cS C", bridges="A0-C b 0", terms="aL destroy A0-C")
    assert refused(held, "seize M cS") == "BBQ-22"


@pytest.mark.clause("BBQ-17")
def test_two_hostages_of_two_families_have_separate_terms() -> None:
    position = at("moves a 2", "aL A0, bS C, cS C", bridges="B0-R0 b 0, B0-R0 c 0")
    position = played(position, "walk L C", "take bS", "take cS", "end", "term destroy B0-R0", "pay aL", "end")
    assert (captor(position, "bS"), captor(position, "cS")) == (None, "aL")
    assert legal(position) == {"term destroy B0-R0", "term none"}
    assert position.play("term destroy B0-R0").facts()["terms"] == {"aL": "destroy B0-R0"}


@pytest.mark.clause("BBQ-20")
def test_the_situation_may_count_for_the_piece_alone() -> None:
    pieces = "aL C, bS C aL, aM A0, cS A1"
    assert phase(at("moves a 2", pieces).play("walk M A1")) == "moves"
    position = at("moves a 2", pieces, situationScope="piece")
    assert legal(position.play("walk M A1")) == {"take cS", "done"}
    captor_itself = at("moves a 2", "aL C, bS C aL, cS C", situationScope="piece")
    assert refused(captor_itself, "seize L cS") == "BBQ-20"


@pytest.mark.clause("BBQ-20", "BBQ-21", "BBQ-42")
def test_with_piece_scope_a_family_frees_its_own_by_taking_the_captor() -> None:
    position = at("moves b 2", "aM C, bS C aM, bL A0", bridges="B0-R0 b 0", terms="aM destroy B0-R0", situationScope="piece")
    position = played(position, "walk L C", "take aM")
    assert (captor(position, "aM"), captor(position, "bS")) == ("bL", None)
    assert position.facts()["terms"] == {} and position.facts()["immune"] == {}


@pytest.mark.clause("BBQ-46", "BBQ-21")
def test_taking_a_captor_frees_the_hostages_of_every_family() -> None:
    position = played(at("moves d 2", "aM C, bS C aM, cS C aM, dL A0"), "walk L C", "take aM")
    assert [captor(position, piece) for piece in ("aM", "bS", "cS")] == ["dL", None, None]
    assert legal(position) == {"take bS", "take cS", "done"}


@pytest.mark.clause("BBQ-21")
def test_a_captor_under_protection_is_not_taken() -> None:
    position = at("moves c 2", "aM C, aL C, bS C aM, cL A0").play("walk L C")
    assert phase(position) == "moves"


@pytest.mark.clause("BBQ-22", "BBQ-41", "BB-1.e.v")
def test_a_captor_that_walks_off_takes_nobody_with_that_move() -> None:
    pieces = "aL C, bS C aL, cS A0"
    position = at("moves a 2", pieces).play("walk L A0")
    assert (captor(position, "bS"), phase(position)) == (None, "moves")
    assert position.facts()["immune"] == {}
    assert legal(position, "seize") == {"seize L cS"}
    assert legal(at("moves a 2", pieces, captureOnLeaving=True).play("walk L A0")) == {"take cS", "done"}


@pytest.mark.clause("BBQ-41")
def test_leaving_one_situation_is_not_leaving_all() -> None:
    pieces = "aL C, bS C aL, cS A0, aS A2 dL, dL A2"
    position = at("moves a 2", pieces, bridges="B0-R0 a 0", terms="dL destroy B0-R0", captureOnLeaving=True).play("walk L A0")
    assert phase(position) == "moves"


@pytest.mark.clause("BB-1.e.v", "BBQ-29", "BBQ-47")
def test_who_is_left_behind_is_not_protected() -> None:
    position = at("moves a 2", "aL C, bS C aL, cL A1")
    position = played(position, "walk L A0", "walk L C")
    assert captor(position, "bS") is None
    again = played(at("moves a 2", "aL C, bS C aL"), "walk L A0", "walk L C")
    assert again.actor == 0 and legal(again) == {"take bS", "done"}


# -- terms ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BB-1.e.iii", "BBQ-23", "BBQ-24")
def test_terms_are_named_by_the_captors_owner_before_the_hostages_family_moves() -> None:
    position = at("moves a 1", "aL C, bS C aL", bridges="A0-C b 0, A1-C a 0 torch").play("end")
    assert position.actor == 0
    assert legal(position) == {"term destroy A0-C", "term untorch A1-C", "term none"}
    assert refused(position, "walk L R5") == "BBQ-23"
    assert refused(position.play("term none"), "term none") == "BBQ-23"


@pytest.mark.clause("BB-1.e.iii.2", "BBQ-25")
def test_removing_a_torch_as_a_term() -> None:
    position = at("terms b 2", "aL C, bS C aL", bridges="A0-C a 0 torch, A1-C a 0 torch")
    position = played(position, "term untorch A0-C", "pay aL")
    assert (torch(position, "A0-C a"), torch(position, "A1-C a")) == (False, True)
    assert captor(position, "bS") is None


@pytest.mark.clause("BBQ-25")
def test_the_hostage_may_pick_the_torch_by_house_rule() -> None:
    fires = "A0-C a 0 torch, A1-C a 0 torch, A2-C a 0, A3-C b 0 torch"
    position = at("terms b 2", "aL C, bS C aL", bridges=fires, untorchChoice="hostage")
    assert legal(position) == {"term untorch", "term destroy A3-C", "term none"}
    assert refused(position, "term untorch A0-C") == "BBQ-25"
    position = position.play("term untorch")
    assert legal(position, "pay") == {"pay aL A0-C", "pay aL A1-C"}
    assert refused(position, "pay aL") == "BBQ-25"
    assert refused(position, "pay aL A2-C") == "BBQ-24"
    assert not torch(position.play("pay aL A1-C"), "A1-C a")
    named = at("terms b 2", "aL C, bS C aL", bridges=fires, untorchChoice="hostage").play("term destroy A3-C")
    assert refused(named, "pay aL A0-C") == "BBQ-25"
    assert refused(at("terms b 2", "aL C, bS C aL", bridges=fires), "term untorch") == "BBQ-25"


@pytest.mark.clause("BBQ-26")
def test_paying_is_optional_and_terms_are_named_anew() -> None:
    position = at("terms b 2", "aL C, bS C aL", bridges="A0-C b 0")
    position = position.play("term destroy A0-C")
    assert refused(position, "pay bL") == "BBQ-26"
    position = played(position, "end", "end", "end", "end", "end")
    assert (phase(position), position.facts()["turn"], captor(position, "bS")) == ("terms", 1, "aL")
    assert position.facts()["terms"] == {}


@pytest.mark.clause("BBQ-27", "BB-1.e.vii")
def test_none_may_cost_a_move_by_house_rule() -> None:
    position = at("terms b 2", "aL C, bS C aL", noneCost=1).play("term none")
    assert (captor(position, "bS"), position.facts()["terms"]) == ("aL", {"aL": "none"})
    position = position.play("pay aL")
    assert (captor(position, "bS"), position.facts()["moves"]) == (None, 1)


@pytest.mark.clause("BBQ-28")
@pytest.mark.parametrize("turns", [0, 1, 3])
def test_the_length_of_the_safety_is_a_house_rule(turns: int) -> None:
    position = at("terms b 2", "aL C, bS C aL", immunityTurns=turns).play("term none")
    position = played(position, "end", "end", "end", "end")
    for _ in range(turns):
        assert refused(position, "seize L bS") == "BBQ-28"
        position = go_round(position)
    assert "seize L bS" in legal(position)


@pytest.mark.clause("BBQ-28")
def test_safety_is_from_the_captors_family_only() -> None:
    position = at("moves a 2", "aM C, cL C, bS C", immune="a>bS 2")
    assert refused(position, "seize M bS") == "BBQ-28"
    assert "seize L bS" in legal(played(position, "end", "end"))


@pytest.mark.clause("BBQ-42", "BBQ-27")
def test_two_captors_may_name_the_same_bridge_and_one_payment_frees_both() -> None:
    position = at("terms b 2", "aL C, bM C aL, cM A0, bS A0 cM", bridges="B0-R0 b 0")
    assert position.actor == 0
    position = position.play("term destroy B0-R0")
    assert position.actor == 2
    position = played(position, "term destroy B0-R0", "pay aL")
    assert (captor(position, "bM"), captor(position, "bS")) == (None, None)
    assert position.facts()["immune"] == {"a>bM": 2, "c>bS": 2}
    assert (position.facts()["terms"], position.facts()["moves"]) == ({}, 1)


@pytest.mark.clause("BBQ-42")
def test_a_term_lapses_when_the_familys_own_child_destroys_the_burning_bridge() -> None:
    fires = "R4-R5 a 0 torch"
    position = at("moves b 2", "aL C, bM C aL", bridges=fires, terms="aL untorch R4-R5").play("destroy R4-R5 a")
    assert (captor(position, "bM"), position.facts()["immune"]) == (None, {"a>bM": 2})


@pytest.mark.clause("BBQ-42", "BBQ-25")
@pytest.mark.parametrize(("more", "still_held"), [("", None), (", A1-C a 0 torch", "aL")])
def test_a_free_choice_of_torches_lapses_with_the_last_torch(more: str, still_held: str | None) -> None:
    fires, rules = f"R4-R5 a 0 torch{more}", {"untorchChoice": "hostage"}
    position = at("moves b 2", "aL C, bM C aL", bridges=fires, terms="aL untorch", **rules).play("destroy R4-R5 a")
    assert captor(position, "bM") == still_held


@pytest.mark.clause("BBQ-42", "ALLQ-3")
def test_captors_name_their_terms_in_seat_order_whoever_took_first() -> None:
    position = at("terms b 2", "eM C, bS C eM, aL A0, bM A0 aL", bridges="B0-R0 b 0")
    assert position.actor == 0
    assert position.play("term destroy B0-R0").actor == 4


@pytest.mark.clause("BBQ-43", "BBQ-36")
def test_a_release_by_the_term_none_can_win() -> None:
    position = at("terms b 2", "bL R13, bM R14, bS R15 aL, aL R15").play("term none")
    assert position.outcome is not None and position.outcome.winners == (1,)


@pytest.mark.clause("BBQ-43")
def test_a_release_that_brings_nobody_home_goes_on_with_the_moves() -> None:
    position = at("terms b 2", "bL R13, bM R12, bS R15 aL, aL R15").play("term none")
    assert (phase(position), position.actor, position.facts()["moves"]) == ("moves", 1, 2)


@pytest.mark.clause("BBQ-30", "BBQ-26")
def test_two_captors_can_both_be_paid_in_one_turn() -> None:
    position = at("terms b 2", "aL C, bM C aL, cM A0, bS A0 cM", bridges="B0-R0 b 0, B0-B1 b 0")
    position = played(position, "term destroy B0-R0", "term destroy B0-B1")
    assert {"walk L R3", "walk L R5", "pay aL", "pay cM"} <= legal(position)
    position = played(position, "pay aL", "pay cM")
    assert (captor(position, "bM"), captor(position, "bS"), position.actor) == (None, None, 2)


@pytest.mark.clause("BBQ-47")
def test_being_taken_and_left_keeps_an_older_safety() -> None:
    position = at("moves c 2", "bS C cL, cL C, aL C", immune="a>bS 2").play("walk L A0")
    assert position.facts()["immune"] == {"a>bS": 2}


@pytest.mark.clause("BBQ-47", "BBQ-28")
def test_a_new_release_gives_the_full_safety_again() -> None:
    position = at("terms b 2", "bS C cL, cL C", immune="a>bS 1").play("term none")
    assert position.facts()["immune"] == {"a>bS": 1, "c>bS": 2}
