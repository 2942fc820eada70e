"""40 Bridges in words: position texts, notation, sentences, what a screen offers, and bad input."""

import random
from typing import Any

import pytest
from forty_table import seen

from bridgehead.core import registry
from bridgehead.core.errors import NotationError, OptionError, PositionError
from bridgehead.core.position import Position
from bridgehead.core.scene import Choice

BLOCK = "a1,b1,A1,B1,a2,b2,A2,B2 C3,D3,d4,e4,C4,D4,d5,e5"
ALL_OCTAGONS = "A1,B1,C1,D1,A2,B2,C2,D2 A3,B3,C3,D3,A4,B4,C4,D4"


def load(text: str, **options: Any) -> Position:
    return registry.game("forty_bridges", **options).load(text)


def choice(position: Position, text: str) -> Choice:
    found = position.game.spec.scene.choices(position, "en")
    return next(each for each in found if each.text == text)


def test_the_first_position_is_two_lists_of_fields_and_who_is_to_move() -> None:
    assert registry.game("forty_bridges").start().text == f"{BLOCK} a 0 0 - - -"


def test_a_text_keeps_the_earlier_positions_that_matter_for_repetition() -> None:
    position = registry.game("forty_bridges").start()
    for text in ("b1-c1", "d5-c5", "c1-b1", "c5-d5", "b1-c1", "d5-c5", "c1-b1"):
        position = position.play(text)
    again = load(position.text)
    assert again == position and len(again.text.split(" ")[6].split(",")) == 7
    assert again.play("c5-d5").outcome == position.play("c5-d5").outcome is not None


def test_a_text_keeps_captures_that_are_still_to_choose() -> None:
    position = load("b2,c2,d2,c4,A3 B2,C2,b3,e5 a 20 0 - - -", maxCaptures=2).play("c4-c3")
    assert position.text.split(" ")[5] == "2@c3"
    assert load(position.text, maxCaptures=2) == position
    assert load(position.play("take b3").text, maxCaptures=2).legal == position.play("take b3").legal
    chosen = position.play("take b3").play("take C2")
    assert load(chosen.text, maxCaptures=2) == chosen


def test_a_new_game_in_a_used_record_keeps_nothing_of_the_old_one() -> None:
    game = registry.game("forty_bridges", maxCaptures=2)
    choosing = game.load("b2,c2,d2,c4,A3 B2,C2,b3,e5 a 20 0 - - -").play("c4-c3")
    states = choosing.copy_states()
    game.spec.rules.setup(states[0], game.law)
    assert states.tobytes() == game.start().copy_states().tobytes() != choosing.copy_states().tobytes()


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("", "", "expected 8 parts"),
        (f"{BLOCK} a 0 0 - -", "", "got 7"),
        (f"{BLOCK} a 0 0 - - - -", "", "got 9"),
        (f"{BLOCK.replace('b2', 'f2')} a 0 0 - - -", "player 1", "'f2'"),
        (f"{BLOCK.replace('b2', 'a1')} a 0 0 - - -", "player 1", "a1 is given twice"),
        (f"{BLOCK.replace('C3', 'a1')} a 0 0 - - -", "player 2", "a1 is given twice"),
        (f"c3,{BLOCK} a 0 0 - - -", "player 1", "9 pieces"),
        ("a1,b1,c1,d1,c3 e5 a 20 0 - - -", "player 1", "5 pieces on squares"),
        ("a1 e5,A1,B1,C1,D1,A2 a 20 0 - - -", "player 2", "5 pieces on octagons"),
        ("e5 a5 a 20 0 - - -", "player 1", "opponent's corner"),
        ("c3 a1 a 20 0 - - -", "player 2", "opponent's corner"),
        ("- e5 a 20 0 - - -", "player 1", "no pieces"),
        ("c3 - a 20 0 - - -", "player 2", "no pieces"),
        (f"{BLOCK} c 0 0 - - -", "mover", "'c'"),
        (f"{BLOCK} ? 0 0 - - -", "mover", "the first seat is not drawn"),
        (f"{BLOCK} b 0 0 - - -", "mover", "other player's turn"),
        (f"{BLOCK} a -2 0 - - -", "turns", "'-2'"),
        (f"{BLOCK} a 1e9 0 - - -", "turns", "'1e9'"),
        (f"{BLOCK} a ² 0 - - -", "turns", "number"),
        ("c3 e5 a 2 101 - - -", "quiet", "0 to 100"),
        ("c3 e5 a 2 4 - 0000000000000000,0000000000000000,0000000000000000,0000000000000000 -", "quiet", "are impossible after"),
        (f"{BLOCK} a 2 3 - 0000000000000000,0000000000000000,0000000000000000 -", "quiet", "are impossible after"),
        ("c3 e5 a 20 0 x - -", "takes", "'x'"),
        ("c3 e5 a 20 0 3@c3 - -", "takes", "'3@c3'"),
        ("c3 e5 a 20 0 2@c3 - -", "takes", "nobody chooses"),
        ("c3 e5 a 20 0 - 12 -", "seen", "expected 0 earlier positions"),
        ("c3 e5 a 20 1 - - -", "seen", "expected 1 earlier positions"),
        ("c3 e5 a 20 1 - 12 -", "seen", "16 hex digits"),
        ("c3 e5 a 20 1 - 00000000000000AB -", "seen", "16 hex digits"),
        ("c3 e5 a 20 0 - - draw", "end", "'draw'"),
        ("c3 e5 a 20 0 - - corner:", "end", "'corner:'"),
        ("c3 e5 a 20 0 - - corner:a", "end", "another end: none"),
        ("c3 e5 a 20 0 - - quiet", "end", "another end: none"),
        ("e5 a5 a 20 0 - - corner:b", "end", "another end: corner"),
        ("c3 - b 21 0 - - captured:b", "end", "another end: captured"),
        ("c3 e5 a 20 3 - - repetition", "end", "another end: none"),
        ("c3 e5 a 20 9 - - repetition:a", "end", "another end: none"),
    ],
)
def test_a_text_that_cannot_be_read_or_cannot_occur_is_refused_by_name(text: str, where: str, said: str) -> None:
    with pytest.raises(PositionError, match=said) as caught:
        load(text)
    assert caught.value.where == where


def test_a_position_that_would_have_ended_before_is_refused() -> None:
    around = [("c3", "e5"), ("b3", "e5"), ("b3", "d5"), ("c3", "d5")]
    thrice = f"c3 e5 a 20 8 - {seen(*around, *around)} -"
    with pytest.raises(PositionError, match="another end: repetition"):
        load(thrice)
    assert load(thrice, repetition="forbid").legal
    with pytest.raises(PositionError, match="another end: blocked"):
        load("a1 b1,a2 a 20 0 - - -", noMoves="lose")
    assert load("a1 b1,a2 a 20 0 - - blocked:b", noMoves="lose").is_over


def test_a_game_that_goes_on_has_not_reached_the_quiet_limit() -> None:
    around = [("c3", "e5"), ("b3", "e5"), ("b3", "d5"), ("c3", "d5")] * 25
    assert load(f"b2 d5 b 199 99 - {seen(*around[:99])} -").legal
    with pytest.raises(PositionError, match="100 plies") as caught:
        load(f"c3 e5 a 200 100 - {seen(*around)} -")
    assert caught.value.where == "quiet"
    assert load("c3 e5 a 200 100 - - quiet").is_over


def test_positions_seen_are_a_ply_apart_each() -> None:
    step, jump, passed = ("c3,b3", "e5"), ("a3,b3", "e5"), ("b3,d3", "e5")
    for before, now in ((step, "b3,d3"), (jump, "b3,c3"), (passed, "b3,d3")):
        text = f"{now} e5 b 21 1 - {seen(before)} -"
        assert load(text).text == text
    wrong = [[("c3", "e4")], [("b2", "e5")], [("a3", "e5")], [("C3", "e5")], [("b3", "d5")], [("b3", "e5"), ("c3", "e5")]]
    for stands in wrong:
        with pytest.raises(PositionError, match="no ply leads from position 1") as caught:
            load(f"c3 e5 b 21 {len(stands)} - {seen(*stands)} -")
        assert caught.value.where == "seen"


def test_choices_of_captures_must_be_on_the_board() -> None:
    for text, where in (
        ("b2,c2,d2,A3 B2,C2,b3,e5 a 20 0 2@c3 - -", "takes"),
        ("b2,c2,d2,c3 B2,C2,b3,e5 a 20 0 2@c3 - -", "takes"),
        ("b2,c2,d2,c3,A3 B2,C2,b3,e5 a 20 3 1@c3 - -", "quiet"),
    ):
        with pytest.raises(PositionError) as caught:
            load(text, maxCaptures=2)
        assert caught.value.where == where


def test_a_blocked_end_loads_back_also_where_repetition_is_forbidden() -> None:
    game = registry.game("forty_bridges", setup="custom", layout=ALL_OCTAGONS, repetition="forbid", noMoves="lose")
    assert game.start().is_over and game.load(game.start().text) == game.start()


@pytest.mark.parametrize(
    "text", ["", "a1", "a1-", "-b1", "a1-b1-c1", "A1-e9", "take", "take x", "first 3", "first", "PASS", "a1 b1"]
)
def test_a_text_that_names_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="expected like"):
        registry.game("forty_bridges").start().read(text)


@pytest.mark.parametrize(
    ("name", "value"),
    [("sidesNeeded", 0), ("sidesNeeded", 9), ("quietLimit", 1), ("quietLimit", 1001), ("maxCaptures", 3), ("setup", "arrow")],
)
def test_a_house_rule_out_of_its_range_is_refused_with_what_is_allowed(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match="allowed: ") as caught:
        registry.game("forty_bridges", **{name: value})
    assert caught.value.where == name


def test_the_log_tells_what_came_of_a_move() -> None:
    says = [
        (load("b3,B2,C1 c3,e5 a 20 0 - - -"), "C1-C2", "Black steps from C1 to C2 and takes c3"),
        (load("b3,a1 d3,c4,C3 a 20 0 - - -"), "b3-c3", "Black steps from b3 to c3, is surrounded there and loses the piece"),
        (load("c5,d5 c1 a 20 0 - - -"), "c5-e5", "Black jumps from c5 to e5. Black reaches the far corner and wins."),
    ]
    for position, text, sentence in says:
        assert position.sentence(position.read(text)) == sentence
        assert position.sentence(position.read(text), "de") != sentence


def test_a_screen_warns_before_a_piece_is_lost_and_marks_jumps_and_captures() -> None:
    lost = choice(load("b3,a1 d3,c4,C3 a 20 0 - - -"), "b3-c3")
    assert (lost.kind, lost.note) == ("warn", "this piece would be lost")
    assert lost.confirm.startswith("Your own piece would be surrounded on c3 and removed.")
    assert lost.path == ("p:0:b3", "f:c3")
    assert choice(load("b3,a1,A1 d3,c4 a 20 0 - - -"), "a1-b2").kind == "leap"
    taking = choice(load("b3,B2,C1 c3,e5 a 20 0 - - -"), "C1-C2")
    assert (taking.kind, taking.note) == ("take", "takes c3")
    assert choice(load("d5,a1 c1 a 20 0 - - -"), "d5-e5").note == "wins the game"
    safe = choice(load("b3,a1 d3,c4,C3 a 20 0 - - -", suicide="safe"), "b3-c3")
    assert (safe.kind, safe.confirm) == ("go", "")


def test_touching_what_may_not_be_touched_is_explained() -> None:
    def why(position: Position, *touch: str) -> str:
        action = position.game.spec.scene.find_touched_action(position, touch)
        refusal = None if action is None else position.explain(action)
        return position.game.words.tell(refusal.phrase) if refusal else ""

    position = load("c3,a1,C3 e5,d3 a 20 0 - - -")
    assert why(position, "p:0:c3", "f:D3") == "A jump goes straight on; from square c3 over C3 it does not land on octagon D3."
    assert why(position, "p:1:d3") == "The piece on square d3 belongs to Blue."
    assert why(position, "f:e1") == "There is no piece on square e1."
    assert why(position, "!pass") == "Black can move, and therefore must move."
    assert why(position, "p:0:c3") == why(position) == why(position, "f:z9") == ""
    assert why(load("a1,D4 b1,a2 a 20 0 - - -"), "p:0:a1") == "There is a piece on square b1 already."
    choosing = load("b2,c2,d2,A3,c4 B2,C2,b3,e5 a 20 0 - - -", maxCaptures=2).play("c4-c3")
    assert why(choosing, "p:1:e5") == "There is no surrounded piece of the opponent on square e5."


def test_pieces_that_one_more_would_capture_show_their_closed_sides() -> None:
    position = load("b3,B2,C1 c3,e5 a 20 0 - - -")
    items = {item.id: item for item in position.game.spec.scene.items(position, "en")}
    assert items["p:1:c3"].label == "square c3, piece of Blue, 2 of 3 sides closed"
    assert {name for name in items if name.startswith("d:")} == {"d:c3", "d:c3-b3", "d:c3-B2"}
    assert all(items[name].label == "" for name in items if name.startswith("d:"))


def test_the_picture_has_forty_bridges() -> None:
    game = registry.game("forty_bridges")
    ground = game.spec.scene.picture(game, "en").ground
    assert sum(item.parts[0].use.startswith("fb-bridge") for item in ground) == 40


MIXTURES: tuple[dict[str, Any], ...] = (
    {"maxCaptures": 2, "sidesNeeded": 1, "suicide": "safe"},
    {"repetition": "forbid", "noMoves": "lose", "suicide": "forbidden"},
    {"first": "random", "bentJumps": True},
)


@pytest.mark.parametrize("options", MIXTURES)
def test_every_position_of_a_random_game_loads_back(options: dict[str, Any]) -> None:
    rng, position = random.Random(40), registry.game("forty_bridges", **options).start()
    while not position.is_over:
        assert position.game.load(position.text) == position
        position = position.play(rng.choice(position.legal))
    assert position.game.load(position.text) == position


@pytest.mark.parametrize("options", MIXTURES)
def test_every_refusal_of_a_position_is_a_sentence_in_both_languages(options: dict[str, Any]) -> None:
    rng, position, told = random.Random(41), registry.game("forty_bridges", **options).start(), set()
    for ply in range(20):
        for action in range(position.game.action_count) if ply % 6 == 2 else ():
            refusal = position.explain(action)
            if refusal:
                told.add(refusal.clause)
                assert position.game.words.tell(refusal.phrase, "en") != position.game.words.tell(refusal.phrase, "de")
                assert all(field[2:] in position.game.board.names for field in refusal.show)
        position = position.play(rng.choice(position.legal))
    assert {"FB-2.d", "FB-4.a", "FB-4.b", "FB-4.d", "FBQ-2", "FBQ-7"} <= told
