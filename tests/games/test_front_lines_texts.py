"""The Front Lines: position texts, layouts, house rules, notation, sentences and the weights of chance."""

from fractions import Fraction
from typing import Any

import pytest
from front_lines_table import cells, character, go, stand, start

from bridgehead.core import registry
from bridgehead.core.errors import BoardError, BridgeheadError, NotationError, OptionError, PositionError
from bridgehead.core.position import Position
from games.asked import legal, refused

FOUR = "H2 alive start, D2 alive start, S2 alive start, C2 alive start"
LAYOUT = [["2S", "3H", "4H", "5S"], ["2H", "3S", "4S", "5H"]]
LAID = {"rows": 2, "layout": LAYOUT}


def chances(position: Position) -> dict[str, Fraction]:
    total = sum(position.weights)
    return {position.name(a): Fraction(w, total) for a, w in zip(position.legal, position.weights, strict=True)}


# Chance


@pytest.mark.clause("FLQ-2", "FL-R.4")
def test_every_card_left_in_the_pack_is_drawn_alike() -> None:
    assert set(chances(start()).values()) == {Fraction(1, 40)}
    assert set(chances(go(start(), "AH", "a1=2H")).values()) == {Fraction(1, 39)}
    assert set(chances(start(drawPack="facesRedraw")).values()) == {Fraction(1, 52)}


@pytest.mark.clause("FLQ-28", "FL-S.4")
def test_every_unseen_card_is_turned_over_alike() -> None:
    assert set(chances(go(start(), "2H").play("to a1")).values()) == {Fraction(1, 48)}
    later = chances(go(start(), "2H", "a1=3H").play("to a2"))
    assert set(later.values()) == {Fraction(1, 47)} and "flip 3H" not in later


@pytest.mark.clause("FLQ-28")
def test_with_fewer_rows_any_of_the_48_cards_may_lie_there() -> None:
    position = go(start(rows=1), "2H", "a1=3H", "b1=4H")
    assert len(go(position, "AS").play("to c1").legal) == 46
    assert refused(go(position, "AS").play("to c1"), "flip 3H") == "FLQ-28"


@pytest.mark.clause("FLQ-3")
def test_two_jokers_lie_anywhere_alike() -> None:
    found = chances(go(start(jokersInField=2), "2H").play("to a1"))
    assert found["flip JK"] == Fraction(2, 48) and found["flip 2H"] == Fraction(46, 48) / 48
    later = chances(go(start(jokersInField=2), "2H", "a1=JK").play("to a2"))
    assert later["flip JK"] == Fraction(1, 47)


@pytest.mark.clause("FLQ-3")
def test_when_only_jokers_are_left_a_joker_is_turned_over() -> None:
    position = go(start(rows=1, jokersInField=2), "2H", "a1=3H", "b1=4H")
    assert chances(go(position, "AS").play("to c1")) == {"flip JK": Fraction(1)}
    assert refused(go(position, "AS").play("to c1"), "flip 2C") == "FLQ-3"


# Layouts


@pytest.mark.clause("FLQ-17", "FLQ-33", "ALLQ-2", "FL-S.4")
def test_in_a_layout_a_card_is_turned_over_by_chance_with_one_outcome() -> None:
    position = go(start(**LAID), "2H").play("to c1")
    assert position.is_chance and legal(position) == {"flip 4H"} and position.weights == (1,)
    assert refused(position, "flip 5H") == "FLQ-33"


@pytest.mark.clause("FLQ-33")
def test_turning_over_in_a_layout_is_an_action_of_its_own() -> None:
    position = go(start(**LAID), "2H").play("to c1")
    assert position.facts()["field"] == {} and position.play("flip 4H").facts()["field"] == {"c1": "4H"}


@pytest.mark.clause("FLQ-17")
def test_players_see_face_up_cards_only() -> None:
    told = repr(go(start(**LAID), "2H", "b1=3H").facts())
    assert "3H" in told and "4S" not in told and "2S" not in told


@pytest.mark.clause("FLQ-17")
@pytest.mark.parametrize(
    ("layout", "where", "what"),
    [
        (LAYOUT[:1], "layout", "2 rows, the layout 1"),
        ([LAYOUT[0], LAYOUT[1][:3]], "layout[1]", "4 cards, this one 3"),
        ([LAYOUT[0], ["2H", "3S", "4S", "1H"]], "layout[1][3]", "1H"),
        ([LAYOUT[0], ["2H", "3S", "4S", "QH"]], "layout[1][3]", "character"),
        ([LAYOUT[0], ["2H", "3S", "4S", "2S"]], "layout[1][3]", "already lies at layout[0][0]"),
        ([LAYOUT[0], ["2H", "3S", "4S", "JK"]], "layout[1][3]", "jokersInField"),
    ],
)
def test_a_layout_that_cannot_be_played_is_refused_with_its_place(layout: Any, where: str, what: str) -> None:
    with pytest.raises(BoardError) as caught:
        start(rows=2, layout=layout)
    assert caught.value.where == where and what in caught.value.what


@pytest.mark.clause("FLQ-3", "FLQ-17")
def test_a_layout_may_hold_jokers_where_the_house_rules_allow_them() -> None:
    layout = [["JK", "3H", "4H", "JK"]]
    assert character(go(start(rows=1, layout=layout, jokersInField=2), "AS", "d1=JK"), "S") == [2, "alive", "d1"]


# House rules


@pytest.mark.clause("ALLQ-4")
def test_a_house_rule_set_by_name_wins_over_a_preset() -> None:
    assert registry.game("front_lines", preset="leap").options.flip == "destination"
    assert registry.game("front_lines", preset="leap", flip="step").options.flip == "step"


@pytest.mark.clause("ALLQ-2", "FLQ-7")
def test_a_decision_with_one_answer_is_still_an_action() -> None:
    four = "H2 alive b5, D2 alive start, S2 alive start, C2 alive start"
    position = go(stand(four, "field b5=5H | used 7H | turn 3", directions="F"), "5H")
    assert legal(position) == {"to b6"} and position.actor == 0


@pytest.mark.clause("ALLQ-1", "ALLQ-3", "FLQ-20")
def test_the_drawn_suit_says_which_seat_acts_whoever_acted_before() -> None:
    position = go(go(start(), "AC", "a1=2C"), "AH")
    assert position.actor == 0


@pytest.mark.clause("FLQ-4", "FL-R.1")
def test_house_rules_out_of_range_are_refused_by_name() -> None:
    for name, value in (("seats", 1), ("seats", 5), ("lives", 0), ("lives", 10), ("rows", 0), ("rows", 13), ("jokersInField", 1)):
        with pytest.raises(OptionError) as caught:
            start(**{name: value})
        assert caught.value.where == name


@pytest.mark.clause("FLQ-32", "FLQ-28")
def test_house_rules_at_their_limits_are_played() -> None:
    for options in ({"lives": 1}, {"lives": 9}, {"rows": 1}, {"rows": 12}, {"seats": 2}, {"seats": 3, "allow3": True}):
        assert start(**options).is_chance


# Position texts


@pytest.mark.clause("FL-R.12")
def test_the_first_position_is_told_in_one_line() -> None:
    assert start().text == f"{FOUR} | turn 0"


@pytest.mark.clause("FLQ-26", "FLQ-23")
def test_a_position_in_the_middle_of_a_turn_loads_back_equal() -> None:
    position = go(start(), "9H", "b1=2H", "b2=3D").play("to c3")
    text = (
        "H2 alive b2, D2 alive start, S2 alive start, C2 alive start | field b1=2H b2=3D | used 9H"
        " | drawn 9H left 7 over b1 b2 | flip c3 | turn 0"
    )
    assert position.text == text
    assert registry.game("front_lines").load(text) == position


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("", "characters", "four characters"),
        ("H2 alive start, D2 alive start, S2 alive start | turn 0", "characters", "four characters"),
        ("H3 alive start, D2 alive start, S2 alive start, C2 alive start | turn 0", "H", "at most 2 lives"),
        ("H2 alive e1, D2 alive start, S2 alive start, C2 alive start | turn 0", "H", "e1"),
        ("H2 alive a13, D2 alive start, S2 alive start, C2 alive start | turn 0", "H", "a13"),
        ("H2 alive a1, D2 alive start, S2 alive start, C2 alive start | used 7H | turn 1", "H", "face down"),
        ("H1 alive start, D2 alive start, S2 alive start, C2 alive start | used 7H | turn 1", "H", "after a death"),
        (f"{FOUR} | field a1=2H b1=2H | used 7H | turn 1", "b1", "twice"),
        (f"{FOUR} | field a1=2H a1=3H | used 7H | turn 1", "field", "twice"),
        (f"{FOUR} | field a1=QH | used 7H | turn 1", "a1", "character"),
        (f"{FOUR} | field a1=JK | used 7H | turn 1", "field", "Joker"),
        (f"{FOUR} | field a1=8S! | used 7H | turn 1", "field", "mines went off"),
        (f"{FOUR} | used KH | turn 1", "used", "not in the draw pack"),
        (f"{FOUR} | used 7H 7H | turn 1", "used", "twice"),
        (f"{FOUR} | turn 1", "used", "a card was drawn"),
        (f"{FOUR} | used 7H | drawn 7H left 8 | turn 0", "drawn", "1 to 7"),
        (f"{FOUR} | used 7H | drawn 7H left 3 | turn 0", "drawn", "start"),
        (f"{FOUR} | used 7H | drawn 6H left 6 | turn 0", "drawn", "used"),
        (f"{FOUR} | used 7H | flip a1 | turn 0", "flip", "turn"),
        (f"{FOUR} | used 7H | drawn 7H left 7 | flip a2 | turn 0", "flip", "one step away"),
        (f"{FOUR} | claim red | used 7H | turn 0", "used", "order"),
        (f"{FOUR} | used 7H | claim red | turn 1", "claim", "one across"),
        (f"{FOUR} | first red | turn 0", "first", "across"),
        (f"{FOUR} | last red | turn 0", "last", "alternateTeams"),
        (f"{FOUR} | turn -1", "turn", "number"),
        (f"{FOUR}", "turn", "missing"),
        (f"{FOUR} | weather fine | turn 0", "position", "weather"),
        (
            "H1 waiting a1, D1 waiting b1, S2 alive start, C2 alive start | field a1=8S! b1=9S! | used 7H | turn 9",
            "H",
            "waits only while",
        ),
        ("H1 waiting a1, D2 alive start, S2 alive start, C2 alive start | field a1=8H! | used 7H | turn 9", "field", "mines"),
        ("H2 alive a1, D2 alive start, S2 alive start, C2 alive start | field a1=8S | used 7H | turn 9", "H", "mine"),
        (
            "H2 across, D1 waiting a1, S2 alive start, C2 alive start | field a1=8S! | used 7H | first red | turn 9",
            "claim",
            "held by",
        ),
    ],
)
@pytest.mark.clause("FLQ-13", "FLQ-12")
def test_a_position_that_cannot_occur_is_refused_by_name(text: str, where: str, what: str) -> None:
    with pytest.raises(PositionError) as caught:
        registry.game("front_lines").load(text)
    assert caught.value.where == where and what in caught.value.what, (caught.value.where, caught.value.what)


# Notation and sentences


@pytest.mark.parametrize("text", ["", "to e1", "to a13", "to a0", "draw JK", "draw 1H", "flip 11S", "go a1", "across a1"])
def test_texts_that_name_no_action_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        start().read(text)


@pytest.mark.clause("FL-R.4", "FL-R.8", "FLQ-13")
def test_the_log_tells_what_happened() -> None:
    position = go(start(), "9H")
    assert start().sentence(start().read("draw 9H")) == "Drawn: 9 of Hearts. Hearts moves 9 steps."
    flip = position.play("to a1")
    assert flip.sentence(flip.read("flip 8S")).startswith("8 of Spades: a mine! Hearts loses a life")
    dead = go(go(start(), "9H", "a1=8S"), "5D").play("to b1")
    assert "Hearts is back on the way" in dead.sentence(dead.read("flip 9S"))


@pytest.mark.clause("FLQ-7", "FLQ-9")
def test_a_refusal_says_why_and_shows_what_is_concerned() -> None:
    position = go(start(), "9H", "b1=2H", "c2=3H")
    refusal = position.explain(position.read("to b1"))
    assert refusal is not None and refusal.clause == "FLQ-7"
    assert "p:H" in refusal.show and "f:b1" in refusal.show
    assert "Hearts was on b1 in this turn" in position.game.words.tell(refusal.phrase)
    stop = position.explain(position.read("stop"))
    assert stop is not None and position.game.words.tell(stop.phrase) == "All steps must be used."


# The scene


def scene_of(position: Position) -> Any:
    return position.game.spec.scene


@pytest.mark.clause("FLQ-9", "FLQ-17")
def test_marks_tell_unknown_cards_safe_ones_and_known_mines_apart() -> None:
    position = go(go(go(start(), "AS", "a1=8S"), "AD", "b1=2D"), "5H")
    kinds = {choice.text: choice.kind for choice in scene_of(position).choices(position, "en")}
    assert kinds == {"to a1": "warn", "to b1": "safe", "to c1": "ask", "to d1": "ask"}


@pytest.mark.clause("FL-R.13")
def test_a_blown_mine_is_marked_safe() -> None:
    position = go(go(start(), "9H", "a1=8S"), "5D")
    assert {c.text: c.kind for c in scene_of(position).choices(position, "en")}["to a1"] == "safe"


@pytest.mark.clause("FLQ-7", "FLQ-10")
def test_touching_a_card_out_of_reach_asks_for_that_action() -> None:
    position = go(start(), "5H", "b1=2H")
    touched = scene_of(position).find_touched_action(position, ("f:b5",))
    assert touched == position.read("to b5") and position.explain(touched) is not None
    assert scene_of(position).find_touched_action(position, ("f:a2",)) == position.read("to a2")
    assert scene_of(position).find_touched_action(position, ()) is None
    assert scene_of(position).find_touched_action(position, ("nonsense",)) is None


@pytest.mark.clause("FLQ-30")
def test_there_is_a_button_to_stop_only_where_a_house_rule_allows_it() -> None:
    assert list(scene_of(start()).buttons(start(), "en")) == []
    position = start(mayStop=True)
    assert list(scene_of(position).buttons(position, "de")) == ["!stop"]


@pytest.mark.clause("FLQ-5", "FLQ-10")
@pytest.mark.parametrize("opposed", [False, True])
def test_the_way_across_is_offered_on_a_thing_of_the_table(opposed: bool) -> None:
    place = "S2 alive b1" if opposed else "S2 alive b12"
    cell = "b1" if opposed else "b12"
    position = go(
        stand(
            f"H2 alive start, D2 alive start, {place}, C2 alive start",
            f"field {cell}=2S | used 7H | turn 3",
            opposedSides=opposed,
        ),
        "5S",
    )
    choice = next(choice for choice in scene_of(position).choices(position, "en") if choice.text == "across")
    there = {
        item.id for item in [*scene_of(position).picture(position.game, "en").fields, *scene_of(position).items(position, "en")]
    }
    assert set(choice.path) <= there
    assert scene_of(position).find_touched_action(position, choice.path) == choice.action


@pytest.mark.clause("FLQ-6")
def test_all_characters_on_one_card_are_drawn_apart() -> None:
    position = go(go(go(go(start(jokersInField=2), "AH", "b1=JK"), "AD", "b1"), "AS", "b1"), "AC", "b1")
    spots = {(item.x, item.y) for item in scene_of(position).items(position, "en") if item.id.startswith("p:")}
    assert len(spots) == 4


def test_bad_input_is_never_a_bare_traceback() -> None:
    for text in ("H" * 3000, "\0", FOUR + " | turn " + "9" * 50, FOUR + " | field " + "a1=" * 9 + " | turn 0"):
        with pytest.raises(BridgeheadError):
            registry.game("front_lines").load(text)
    assert cells(go(start(), "AH")) == "a1 b1 c1 d1"


TWO_JOKERS = [["2H", "JK", "JK", "3H"]]


@pytest.mark.clause("FLQ-33", "FLQ-3")
def test_why_no_joker_is_turned_over_in_a_field_that_was_laid_out() -> None:
    none = start(rows=1, layout=[["2H", "2S", "JD", "3C"]]).play("draw 2H").play("to a1")
    assert refused(none, "flip JK") == "FLQ-3"
    two_down = start(rows=1, layout=TWO_JOKERS, jokersInField=2).play("draw 4H").play("to a1")
    assert refused(two_down, "flip JK") == "FLQ-33"
    one_down = go(start(rows=1, layout=TWO_JOKERS, jokersInField=2), "4H", "b1=JK").play("to a1")
    assert refused(one_down, "flip JK") == "FLQ-33"
    both_up = go(start(rows=1, layout=TWO_JOKERS, jokersInField=2), "4H", "b1=JK", "c1=JK").play("to d1")
    assert refused(both_up, "flip JK") == "FLQ-3"


@pytest.mark.clause("FLQ-5", "FLQ-7")
def test_backward_is_away_from_the_own_last_row_also_in_two_rows() -> None:
    def why(text: str) -> str:
        refusal = black.explain(black.read(text))
        assert refusal is not None
        return refusal.phrase.key

    black = go(start(rows=2, opposedSides=True, directions="F"), "3S", "a2=4S")
    assert why("to b1") == why("to b2") == "front_lines:refused.direction"
    there = stand(
        "H2 alive start, D2 alive start, S2 alive a1, C2 alive start", "field a1=4S | used 3S | turn 1", rows=2, opposedSides=True
    )
    black = there.play("draw 2S")
    assert why("to a2") == "front_lines:refused.backward"
