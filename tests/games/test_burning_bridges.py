"""Burning Bridges: the rulebook's scenarios, turns and moves, words, and looking one action ahead."""

import random

import pytest
from bridges_table import at, captor, go_round, phase, pillar

from bridgehead.core import registry
from bridgehead.core.errors import PositionError
from games.asked import legal, played, refused

# -- the scenarios of the rulebook ------------------------------------------------------------------------------------


@pytest.mark.scenario("1.5.1")
@pytest.mark.clause("BB-1.e", "BB-1.e.ii", "BB-1.e.iii", "BB-1.e.iii.1", "BB-1.e.iv", "BB-1.e.vii", "BBQ-17", "BBQ-26", "BBQ-28")
def test_two_hostages_are_freed_by_one_payment_and_are_safe_for_two_turns_of_the_captor() -> None:
    position = at("moves a 2", "aL A0, bM C, bS C", bridges="B0-R0 b 0")
    position = played(position, "walk L C", "take bM", "take bS")
    assert phase(position) == "moves"
    assert captor(position, "bM") == captor(position, "bS") == "aL"
    position = position.play("end")
    assert (phase(position), position.actor, position.facts()["turn"]) == ("terms", 0, 1)
    position = played(position, "term destroy B0-R0", "pay aL")
    assert captor(position, "bM") is None and captor(position, "bS") is None
    assert position.facts()["moves"] == 1
    assert position.facts()["bridges"] == {}
    assert position.facts()["immune"] == {"a>bM": 2, "a>bS": 2}
    position = played(position, "end", "end", "end", "end")
    for _ in range(2):
        assert position.actor == 0
        assert refused(position, "seize L bM") == "BBQ-28"
        position = go_round(position)
    assert legal(position, "seize") == {"seize L bM", "seize L bS"}


@pytest.mark.scenario("1.5.2")
@pytest.mark.clause("BB-1.f", "BBQ-14", "BBQ-18")
def test_an_equal_parent_protects_its_child_and_all_coexist() -> None:
    position = at("moves a 2", "aM A0, bM C, bS C").play("walk M C")
    assert phase(position) == "moves"
    assert all(captor(position, piece) is None for piece in ("aM", "bM", "bS"))
    assert refused(position, "seize M bS") == "BBQ-18"


@pytest.mark.scenario("1.5.3")
@pytest.mark.clause("BB-1.a", "BB-1.c", "BBQ-5")
def test_a_child_does_not_walk_and_needs_a_bridge_of_its_own() -> None:
    position = at("moves b 2", bridges="R4-R5 a 0")
    assert refused(position, "walk S R5") == "BB-1.a"
    assert refused(position, "cross S R5 b") == "BB-1.c"
    assert refused(position, "cross S R5 a") == "BBQ-5"
    assert pillar(at("moves b 2", bridges="R4-R5 b 0").play("cross S R5 b"), "bS") == "R5"


@pytest.mark.scenario("1.5.4")
@pytest.mark.clause("BB-1.e.vi", "BBQ-20")
def test_a_family_with_a_hostage_takes_nobody() -> None:
    position = at("moves b 2", "aL C, bS C aL, bL A1, cS A2", bridges="B0-R0 b 0", terms="aL destroy B0-R0")
    position = position.play("walk L A2")
    assert (phase(position), captor(position, "cS")) == ("moves", None)
    assert refused(position, "seize L cS") == "BBQ-20"
    assert legal(position.play("pay aL").play("end"), "seize") == set()


@pytest.mark.clause("BBQ-20", "BBQ-26")
def test_after_paying_the_other_move_may_take() -> None:
    position = at("moves b 2", "aL C, bS C aL, bL A2, cS A2", bridges="B0-R0 b 0", terms="aL destroy B0-R0")
    assert legal(position.play("pay aL"), "seize") == {"seize L cS"}


@pytest.mark.scenario("1.5.5")
@pytest.mark.clause("BBQ-21", "BBQ-46")
def test_taking_a_captor_frees_its_hostage_which_may_be_taken_too() -> None:
    position = at("moves c 2", "aM C, bS C aM, cL A0").play("walk L C")
    assert legal(position) == {"take aM", "done"}
    assert refused(position, "take bS") == "BBQ-21"
    alone = played(position, "take aM", "done")
    assert (captor(alone, "aM"), captor(alone, "bS")) == ("cL", None)
    assert alone.facts()["immune"] == {}
    both = played(position, "take aM", "take bS")
    assert (captor(both, "aM"), captor(both, "bS"), phase(both)) == ("cL", "cL", "moves")


@pytest.mark.scenario("1.5.6")
@pytest.mark.clause("BB-2.c", "BBQ-31")
def test_a_bridge_collapses_at_the_end_of_its_owners_seventh_unused_turn() -> None:
    position = at("moves a 2", "aL B0").play("build B0-R0")
    for _ in range(7):
        position = go_round(position)
    assert position.facts()["bridges"] == {"B0-R0 a": [False, 6, False]}
    assert "collapse" in position.sentence(position.read("end"))
    assert position.play("end").facts()["bridges"] == {}


@pytest.mark.clause("BB-2.c", "BBQ-31")
@pytest.mark.parametrize("crossing", ["cross L R0 a", "cross L B0 a"])
def test_any_crossing_by_any_family_keeps_a_bridge(crossing: str) -> None:
    here = "B0" if crossing == "cross L R0 a" else "R0"
    position = at("moves b 2", f"bL {here}", bridges="B0-R0 a 6").play(crossing)
    position = played(position, "end", "end", "end", "end", "end")
    assert position.facts()["bridges"] == {"B0-R0 a": [False, 0, False]}


@pytest.mark.scenario("1.5.7")
@pytest.mark.clause("BB-W.1", "BB-W.3", "BB-1.e.v", "BBQ-29", "BBQ-36")
def test_a_hostage_at_home_does_not_win_until_its_captor_walks_off() -> None:
    position = at("moves a 2", "bL R13, bM R14, bS R15 aL, aL R15")
    assert not position.is_over
    position = position.play("walk L R16")
    assert position.is_over and position.outcome is not None
    assert (position.outcome.winners, position.outcome.reason, position.outcome.clause) == ((1,), "home", "BB-W.1")
    assert position.outcome.returns == (-1.0, 1.0, -1.0, -1.0, -1.0)


@pytest.mark.scenario("1.5.8")
@pytest.mark.clause("BB-1.e.iii.3", "BBQ-24", "BBQ-27", "BBQ-23", "ALLQ-2")
def test_with_nothing_to_demand_the_term_is_none_and_frees_at_the_start_of_the_turn() -> None:
    position = at("terms b 2", "aL C, bS C aL")
    assert legal(position) == {"term none"}
    assert refused(position, "term destroy B0-R0") == "BBQ-24"
    assert refused(position, "term untorch B0-R0") == "BBQ-24"
    position = position.play("term none")
    assert (captor(position, "bS"), position.facts()["moves"]) == (None, 2)
    assert position.facts()["immune"] == {"a>bS": 2}


# -- turns ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BBQ-1", "ALLQ-1")
def test_chance_draws_the_first_family_with_equal_weights() -> None:
    position = registry.game("burning_bridges").start()
    assert position.is_chance and position.weights == (1, 1, 1, 1, 1)
    assert refused(position, "end") == "BBQ-1"
    position = position.play("first 3")
    assert position.actor == 2
    assert refused(position, "first 1") == "BBQ-1"


@pytest.mark.clause("BBQ-1", "ALLQ-1")
def test_seat0_begins_if_the_house_says_so() -> None:
    assert registry.game("burning_bridges", firstPlayer="seat0").start().actor == 0


@pytest.mark.clause("BBQ-50")
def test_the_last_family_may_have_more_moves_in_its_first_turn() -> None:
    game = registry.game("burning_bridges", seats=3, lastMoves=1)
    position, turns = game.start().play("first 2"), []
    for _ in range(6):
        turns.append((position.actor, position.facts()["moves"]))
        assert game.load(position.text) == position
        position = position.play("end")
    assert turns == [(1, 2), (2, 2), (0, 3), (1, 2), (2, 2), (0, 2)]


@pytest.mark.clause("BBQ-50")
def test_by_the_text_every_turn_has_two_moves() -> None:
    position = registry.game("burning_bridges", seats=2).start().play("first 1").play("end")
    assert position.facts()["moves"] == 2
    with pytest.raises(PositionError):
        position.game.load(position.text.replace("moves b 2", "moves b 3"))
    more = registry.game("burning_bridges", seats=2, lastMoves=1)
    with pytest.raises(PositionError):  # of a later round
        more.load(position.text.replace("moves b 2 round 0 turns 1", "moves b 3 round 1 turns 3"))


@pytest.mark.clause("BB-1", "BBQ-2")
def test_a_turn_has_up_to_two_moves_of_any_kind() -> None:
    position = at("moves a 2")
    assert position.play("end").actor == 1
    once = position.play("walk L R1")
    assert (once.actor, once.facts()["moves"]) == (0, 1)
    assert once.play("end").actor == 1
    assert once.play("walk L R2").actor == 1


@pytest.mark.clause("BB-T", "BB-M.1", "BB-M.2", "BB-M.4", "BB-S.3", "BB-00")
def test_every_family_has_two_parents_and_a_child() -> None:
    game = registry.game("burning_bridges")
    assert set(game.start().facts()["pieces"]) == {f"{family}{size}" for family in "abcde" for size in "LMS"}
    words = at("moves a 2").sentence(at("moves a 2").read("walk L R1"))
    assert words == "Black's parent L walks to R1."


@pytest.mark.clause("BBQ-2")
def test_the_same_piece_may_do_the_same_twice() -> None:
    position = played(at("moves a 2", bridges="B0-R0 b 0, B0-R0 c 0"), "torch B0-R0 b", "torch B0-R0 c")
    assert position.actor == 1
    assert pillar(played(at("moves a 2"), "walk L R1", "walk L R2"), "aL") == "R2"


@pytest.mark.clause("BBQ-48")
def test_the_turn_ends_by_itself_after_two_moves() -> None:
    once = at("moves a 2").play("walk L R1")
    assert once.actor == 0
    assert once.play("walk L R2").actor == 1


@pytest.mark.clause("BBQ-48", "BBQ-15")
def test_the_turn_ends_only_when_the_last_moves_questions_are_answered() -> None:
    position = at("moves a 1", "aL A0, bM C, bS C").play("walk L C")
    assert (position.actor, position.facts()["moves"]) == (0, 0)
    assert position.play("done").actor == 1
    assert position.play("take bM").actor == 0
    assert refused(position, "end") == "BBQ-15"


@pytest.mark.clause("BB-1.a.fig", "BBQ-3")
def test_only_drawn_lines_are_adjacent() -> None:
    position = at("moves a 2")
    assert legal(position, "walk L") == {"walk L R1", "walk L R19", "walk L B0"}
    assert refused(position, "walk L A0") == "BBQ-3"
    assert refused(position, "walk L R0") == "BBQ-3"


@pytest.mark.clause("BBQ-4")
def test_walking_along_a_bridge_does_not_use_it_and_crossing_does() -> None:
    position = at("moves a 2", bridges="B0-R0 c 3")
    assert position.play("walk M B0").facts()["bridges"] == {"B0-R0 c": [False, 3, False]}
    assert position.play("cross M B0 c").facts()["bridges"] == {"B0-R0 c": [False, 3, True]}


@pytest.mark.clause("BB-1.c", "BBQ-4")
def test_crossing_needs_a_bridge_of_the_colour_named() -> None:
    position = at("moves a 2", bridges="B0-R0 c 3")
    assert refused(position, "cross M B0 a") == "BB-1.c"
    assert refused(position, "cross M R1 c") == "BB-1.c"
    assert refused(position, "cross M A0 c") == "BBQ-3"


@pytest.mark.clause("BBQ-39", "BB-1.d")
def test_a_torch_never_stops_a_parent() -> None:
    position = at("moves a 2", bridges="B0-R0 c 3 torch, R0-R1 a 3 torch")
    assert {"walk M B0", "cross M B0 c", "cross L R1 a"} <= legal(position)


@pytest.mark.clause("BB-1.d", "BBQ-5", "BBQ-39")
def test_fire_stops_the_bridges_own_child() -> None:
    position = at("moves a 2", bridges="B0-R0 a 3 torch")
    assert refused(position, "cross S B0 a") == "BB-1.d"
    assert "cross L B0 a" in legal(position)


# -- one action ahead -------------------------------------------------------------------------------------------------


def test_a_family_is_better_off_with_its_child_further_and_a_rival_in_fire() -> None:
    start = at("moves a 2", "aL B0", bridges="B0-R0 a 0, R4-R5 b 0")
    law, value = start.game.law, start.game.spec.evaluate.value
    worth = value(start.copy_states()[0], law, 0)
    for better in ("cross S B0 a", "torch R4-R5 b"):
        assert value(start.play(better).copy_states()[0], law, 0) > worth
    assert value(start.play("torch R4-R5 b").copy_states()[0], law, 1) < value(start.copy_states()[0], law, 1)
    won = at("over a 1 home a", "aL R9, aM R9, aS R9").copy_states()[0]
    assert value(won, law, 0) > 100 > -100 > value(won, law, 1)


def test_looking_one_action_ahead_beats_chance() -> None:
    game = registry.game("burning_bridges", seats=2, board="star3")
    wins = 0
    for seed in range(4):
        rng, position = random.Random(seed), game.start()
        while not position.is_over and position.turn < 150:
            action = rng.choice(position.legal)
            if position.actor == seed % 2:
                after = {each: position.play(each).copy_states()[0] for each in position.legal}
                action = max(after, key=lambda each: game.spec.evaluate.value(after[each], game.law, seed % 2))
            position = position.play(action)
        wins += position.outcome is not None and position.outcome.winners == (seed % 2,)
    assert wins == 4


# -- words ------------------------------------------------------------------------------------------------------------


def test_the_refusal_names_the_things_to_show() -> None:
    position = at("moves a 2", "aL C, bM C", bridges="A0-C b 0", immune="a>bM 1")
    refusal = position.explain(position.read("seize L bM"))
    assert refusal is not None
    assert refusal.show == ("p:aL", "p:bM")
    assert position.game.words.tell(refusal.phrase) == "Blue's parent M was just released and is safe from Black for this turn."
    bridge = position.explain(position.read("destroy A0-C b"))
    assert bridge is not None
    assert set(bridge.show) == {"f:A0", "f:C", "b:A0-C:b"}


def test_a_line_may_be_typed_from_either_end_and_nonsense_is_refused() -> None:
    position = at("moves a 2", "aL B0")
    assert position.read("build R0-B0") == position.read("build B0-R0")
    for wrong in (
        "build",
        "build R0-R9",
        "build X0-R0",
        "walk X R1",
        "walk L",
        "take zM",
        "take bX",
        "fly",
        "",
        "first 6",
        "term",
    ):
        with pytest.raises(Exception, match="expected|no pillar|no line"):
            position.read(wrong)


def test_the_log_tells_who_was_left_free() -> None:
    position = at("moves a 2", "aL C, bS C aL")
    action = position.read("walk L A0")
    assert position.sentence(action) == "Black's parent L walks to A0 and leaves its hostages behind, free: Blue's child S."
    assert position.sentence(action, "de").startswith("Elternteil L von Schwarz geht nach A0")
