"""Openings drawn by lot: the first move of each player comes from a stored list, once, as if they had chosen it."""

import random
from typing import Any

import pytest
from forty_table import start

from bridgehead.core import link, record
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import NotationError, OptionError, PositionError
from bridgehead.core.match import Match
from bridgehead.core.positions import PositionSetting
from bridgehead.games.forty_bridges import position_editor, scene
from bridgehead.games.forty_bridges.board import FIELDS, balanced_openings, number_of, standard
from bridgehead.games.forty_bridges.options import PRESETS
from games.asked import ended, legal, played, refused

BALANCED: dict[str, Any] = {"openings": "balanced"}
DRAWN: dict[str, Any] = {**BALANCED, "first": "random"}
LANGUAGES = ("en", "de", "fr", "es")
COUNT = len(balanced_openings())
NAMES = standard().names
ALL = {f"opening {number + 1}" for number in range(COUNT)}


def texts(number: int, turned: bool = False) -> list[str]:
    """The moves of an opening in notation. turned: by half a turn."""
    moves = [[FIELDS - 1 - field if turned else field for field in move] for move in balanced_openings()[number]]
    return [f"{NAMES[first]}-{NAMES[last]}" for first, last in moves]


# -- the list ----------------------------------------------------------------------------------------------------------


def test_the_list_has_between_12_and_40_openings_and_their_mirror_images_and_no_position_twice() -> None:
    assert 12 <= COUNT // 2 <= 40 and COUNT % 2 == 0
    assert len({played(start(), *texts(number)).text for number in range(COUNT)}) == COUNT
    mirror = [number_of((y, x)) for x, y in standard().places]
    for number in range(0, COUNT, 2):
        opening, image = balanced_openings()[number : number + 2]
        assert image == tuple(tuple(mirror[field] for field in move) for move in opening)


@pytest.mark.parametrize("rules", [{}, PRESETS["recommended"]], ids=["as written", "recommended"])
def test_every_opening_may_be_played_by_both_rule_sets_and_takes_nothing(rules: dict[str, Any]) -> None:
    for number in range(COUNT):
        assert len(played(start(**rules), *texts(number)).facts()["pieces"]) == 16


# -- the lot -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("FBQ-29")
def test_one_lot_makes_the_first_move_of_each_player_and_each_opening_is_as_likely() -> None:
    first = start(**BALANCED)
    assert first.is_chance and legal(first) == ALL and len(set(first.weights)) == 1
    for number in range(COUNT):
        after = played(first, f"opening {number + 1}")
        assert after.text == played(start(), *texts(number)).text
        assert after.actor == 0 and legal(after) == legal(played(start(), *texts(number)))


@pytest.mark.clause("FBQ-29")
def test_the_lot_falls_once_and_no_seat_moves_before_it() -> None:
    first = start(**BALANCED)
    assert refused(first, "b1-c1") == refused(first, "pass") == refused(first, "first 1") == "FBQ-29"
    after = played(first, "opening 1")
    assert refused(after, "opening 1") == refused(played(after, sorted(legal(after))[0]), "opening 2") == "FBQ-29"
    assert refused(after, "first 1") == "FBQ-2"
    for early in (start(), start(pie=True), start(first="random")):
        with pytest.raises(NotationError):
            early.play("opening 1")
    for text in ("swap", "opening 0", f"opening {COUNT + 1}"):
        with pytest.raises(NotationError):
            first.play(text)


@pytest.mark.clause("FBQ-29", "FBQ-2")
def test_where_the_first_seat_is_drawn_too_that_comes_first_and_player_2_begins_turned_half() -> None:
    drawn = start(**DRAWN)
    assert legal(drawn) == {"first 1", "first 2"} and refused(drawn, "opening 1") == "FBQ-2"
    for number in (0, 1, COUNT - 1):
        for begins in (0, 1):
            lot = played(drawn, f"first {begins + 1}")
            assert lot.is_chance and legal(lot) == ALL and refused(lot, "first 1") == "FBQ-29"
            after = played(lot, f"opening {number + 1}")
            free = played(start(first="random"), f"first {begins + 1}", *texts(number, turned=begins == 1))
            assert after.text == free.text and after.actor == begins


@pytest.mark.clause("FBQ-29", "FBQ-15", "FBQ-20")
def test_drawn_moves_count_for_repetition_and_the_quiet_limit() -> None:
    after = played(start(**BALANCED), "opening 1")
    assert after.facts()["quiet"] == 2 and after.state.turns == 2
    assert after.text.split(" ")[6] == played(start(), *texts(0)).text.split(" ")[6] != "-"
    assert ended(played(start(**BALANCED, quietLimit=2), "opening 1")) == ("quiet", ())


@pytest.mark.clause("FBQ-29")
@pytest.mark.parametrize(
    "rules",
    [
        {"setup": "row"},
        {"setup": "custom", "layout": "a1,b1 e5,d5"},
        {"sidesNeeded": 2},
        {"sidesNeeded": 4},
        {"bentJumps": True},
        {"pie": True},
    ],
    ids=str,
)
def test_rules_by_which_the_list_means_nothing_are_refused(rules: dict[str, Any]) -> None:
    start(**rules)
    with pytest.raises(OptionError, match="known only for the block") as caught:
        start(**rules, **BALANCED)
    assert caught.value.where == "openings"


# -- words, picture, records -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [BALANCED, DRAWN], ids=["player 1 begins", "drawn"])
def test_words_name_both_moves_and_the_picture_moves_both_pieces(rules: dict[str, Any]) -> None:
    first = start(**rules)
    lot = played(first, "first 2") if first.game.law.first_drawn else first
    action = lot.read("opening 1")
    after, fields = lot.play(action), [field for text in texts(0, lot is not first) for field in text.split("-")]
    for language in LANGUAGES:
        sentence = lot.sentence(action, language)
        assert [sentence.index(f" {field}") for field in fields] == sorted(sentence.index(f" {field}") for field in fields)
        assert scene.choice(lot, action, language).label == sentence
    assert lot.prompt == "Draw the first move of each player."
    moved = scene.traces(lot, action, after)
    assert [trace.via for trace in moved] == [(f"f:{fields[0]}", f"f:{fields[1]}"), (f"f:{fields[2]}", f"f:{fields[3]}")]
    assert {trace.item for trace in moved} <= {item.id for item in scene.items(after, "en")}


def test_positions_before_and_after_the_lot_are_read_again() -> None:
    for rules, line in ((BALANCED, ["opening 3"]), (DRAWN, ["first 2", "opening 2"]), (DRAWN, ["first 1", "opening 1"])):
        position = start(**rules)
        for text in ("", *line):
            position = position.play(text) if text else position
            assert position.game.load(position.text) == position


def test_positions_between_the_lot_and_the_third_turn_are_refused() -> None:
    game, (one, other, *_) = start(**BALANCED).game, start(**BALANCED).text.split(" ")
    for text in (f"{one} {other} b 1 0 - - -", "a1,b1 e5,d5 a 0 0 - - -"):
        with pytest.raises(PositionError, match="before anything else"):
            game.load(text)
    game.load("a1,b1 e5,d5 a 2 0 - - -")


def test_a_position_that_people_set_up_is_past_the_lot() -> None:
    first = start(**BALANCED)
    setting = PositionSetting(first.game, first.copy_states()[0])
    position_editor.STROKES["off", 1](setting, "f:b2")
    position_editor.settle(setting)
    assert setting.state.turns == 2 and setting.state.seat == 0
    position_editor.STROKES["turn:", 0](setting, "b")
    position_editor.settle(setting)
    assert setting.state.turns == 3 and setting.state.seat == 1


def test_a_record_with_a_drawn_opening_is_read_again() -> None:
    for rules in (BALANCED, DRAWN):
        match, lot = Match(start(**rules).game), random.Random(1)
        match.deal(SeededDealer("lot"))
        while len(match.log) < 8:
            match.play(lot.choice(match.position.legal))
        for again, _ in (record.load(record.dump(match, ["", ""])), link.read(link.pack(match, ["", ""]))):
            assert again.position == match.position


def test_the_dealer_draws_every_opening() -> None:
    found = set()
    for seed in range(30 * COUNT):
        match = Match(start(**BALANCED).game)
        match.deal(SeededDealer(seed))
        found.add(match.position.text)
    assert len(found) == COUNT
