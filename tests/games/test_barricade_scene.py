"""Barricade on the screen: what is drawn, touched, moved, and answered when something cannot be touched."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from barricade_table import CLASSIC, LOOP, barricade, laid

from bridgehead.core.position import Position
from bridgehead.core.scene import Item
from bridgehead.games.barricade import SPEC, scene

ART = Path(str(scene.__file__)).with_name("art.svg").read_text("utf-8")
BOARDS: list[dict[str, Any]] = [{"board": "classic"}, {"board": "mini"}, {"board": "six", "seats": 6}, {"board": LOOP}]


def item(position: Position, name: str) -> Item:
    return next(each for each in scene.items(position, "en") if each.id == name)


def why(position: Position, *touch: str) -> str:
    action = scene.find_touched_action(position, touch)
    refusal = None if action is None else position.explain(action)
    return refusal.clause if refusal else ""


@pytest.mark.clause("BAQ-18", "BA-C.5", "BA-C.4")
@pytest.mark.parametrize("options", BOARDS)
def test_every_square_is_drawn_once_in_its_colours_and_inside_the_board(options: dict[str, Any]) -> None:
    game = barricade(**options)
    picture = scene.picture(game, "en")
    fields = {field.id: field for field in picture.fields}
    drawn = {name: fields[f"f:{name}"].parts[0].use for name in game.board.names}
    assert {name for name, use in drawn.items() if use == "ba-final"} == {game.board.names[game.board.final]}
    assert {name for name, use in drawn.items() if use == "ba-dark"} == {game.board.names[s] for s in game.board.barricades}
    assert all(0 < field.x < picture.width and 0 < field.y < picture.height for field in picture.fields)
    places = [(fields[f"f:{name}"].x, fields[f"f:{name}"].y) for name in game.board.names]
    assert len(set(places)) == len(places)


@pytest.mark.clause("BAQ-18", "BA-R.4")
def test_an_entry_is_two_coloured_in_the_livery_of_the_seat_that_plays_the_home() -> None:
    fields = {field.id: field for field in scene.picture(barricade(seats=2, homes="1,3"), "en").fields}
    assert (fields["f:c1"].parts[0].use, fields["f:c1"].seat) == ("ba-entry", "b")
    assert (fields["f:k1"].parts[0].use, fields["f:k1"].seat) == ("ba-entry", "c")
    assert (fields["f:g1"].parts[0].use, fields["f:g1"].seat) == ("ba-well", "")


def test_the_die_never_lies_on_a_square() -> None:
    for options in BOARDS:
        game = barricade(**options)
        die = item(game.start().play("first 1"), "d:die")
        assert all(abs(f.x - die.x) > 45 or abs(f.y - die.y) > 45 for f in scene.picture(game, "en").fields if f.label)


def test_what_the_die_says_fits_every_reader() -> None:
    for position in (CLASSIC.start().play("first 1"), laid(CLASSIC, "b rolled 3")):
        label = item(position, "d:die").label
        assert label and not any(name in label for name in CLASSIC.name_seats((), "en")), label


def test_waiting_pawns_are_one_thing_to_touch_and_the_last_one_leaves() -> None:
    before = laid(CLASSIC, "b rolled 2")
    choice = next(each for each in before.game.spec.scene.choices(before, "en") if each.text == "home1-d1")
    assert choice.path == ("p:b:home1.0", "f:d1")
    assert [each.id for each in scene.items(before, "en") if each.label and each.id.startswith("p:b:")] == ["p:b:home1.0"]
    after = before.play("home1-d1")
    (trace,) = scene.traces(before, choice.action, after)
    assert (trace.item, trace.via) == ("p:b:d1", ("f:home1.4", "f:c1", "f:d1"))
    assert scene.last(before, choice.action) == ("f:home1.4", "f:d1")


@pytest.mark.clause("BAQ-3", "BA-R.8")
def test_a_move_is_shown_along_a_legal_way_and_the_taken_pawn_goes_home_after_it() -> None:
    before = laid(CLASSIC, "b rolled 4", "k5", "m3", moved={"m3": "m5"})
    action = before.read("k5-m3")
    own, taken = scene.traces(before, action, before.play(action))
    assert (own.item, own.via) == ("p:b:m3", ("f:k5", "f:k4", "f:k3", "f:l3", "f:m3"))
    assert (taken.item, taken.via) == ("p:c:home2.4", ("f:m3", "f:home2.4"))


@pytest.mark.clause("BA-R.7")
def test_a_taken_barricade_waits_beside_the_die_and_goes_to_its_square() -> None:
    before = laid(CLASSIC, "b rolled 5")
    holding = before.play("home1-a3")
    assert item(holding, "b:hand").at == "f:hand"
    assert scene.traces(before, before.read("home1-a3"), holding)[1].item == "b:hand"
    (trace,) = scene.traces(holding, holding.read("place e5"), holding.play("place e5"))
    assert (trace.item, trace.via) == ("b:e5", ("f:hand", "f:e5"))
    kinds = {choice.kind for choice in before.game.spec.scene.choices(before, "en") if choice.text == "home1-a3"}
    assert kinds == {"take"}


@pytest.mark.clause("BA-R.5", "BA-M.3", "BA-T.2")
def test_what_cannot_be_touched_is_explained() -> None:
    stuck = laid(CLASSIC, "b rolled 2", moved={"a3": "c1"})
    assert why(stuck, "p:b:home1.0") == "BA-R.5"
    assert why(stuck, "f:home1") == "BA-R.5"
    assert why(stuck, "p:c:home2.0") == "BA-M.3"
    assert why(stuck, "f:k5") == "BA-M.3"
    team = laid(barricade(teams="0,2/1,3"), "b rolled 2", "", "", "k5")
    assert why(team, "p:d:k5") == "BA-T.2"
    position = laid(CLASSIC, "b rolled 4", "k5", moved={"m3": "m5"})
    assert why(position, "p:b:k5", "f:o5") == "BA-R.5"
    assert why(position, "p:b:k5") == ""  # it can move
    holding = laid(CLASSIC, "b rolled 5").play("home1-a3")
    assert why(holding, "p:b:a3") == "BA-R.7"
    assert why(holding, "!pass") == "BAQ-9"
    assert why(holding, "nothing") == why(holding, "f:home1") == ""


def test_the_plates_tell_pawns_colours_and_mates() -> None:
    plates = SPEC.scene.plates(laid(barricade(teams="0,2/1,3"), "b rolls", "k5 c1"), "en")
    assert plates[0].lines == ("3 at home, 2 out", "nearest: 31 steps", "plays with Orange")
    to_the_mate = SPEC.scene.plates(laid(barricade(teams="0,2/1,3"), "b rolls", "k5 c1"), "de", {"seat.b": "Bo"}, "seat.d")
    assert [plate.lines[-1] for plate in to_the_mate] == [
        "spielt mit dir",
        "spielt mit Violett",
        "spielt mit Bo",
        "spielt mit Gelb",
    ]
    coloured = SPEC.scene.plates(laid(barricade(twoColours=True, seats=2), "b rolls"), "de")
    assert coloured[1].lines == ("10 im Haus, 0 unterwegs", "noch 40 Schritte", "Farben Gelb und Violett")


def test_sentences_call_the_goal_as_it_is_drawn() -> None:
    goal = re.search(r'<symbol id="ba-final".*?</symbol>', ART, re.DOTALL)
    assert goal and "sun-edge" in goal[0]
    suns = {"en": "sun", "de": "Sonne", "es": "sol", "fr": "soleil"}
    white = {"en": "white square", "de": r"weiße\w* Feld", "es": "casilla blanca", "fr": "case blanche"}
    for language, sun in suns.items():
        sentences = tomllib.loads((SPEC.folder / f"languages/{language}.toml").read_text("utf-8"))
        assert all(re.search(rf"\b{sun}\b", sentences[key]) for key in ("tutorial.1.text", "tutorial.9.hint"))
        assert [
            key for key, each in sentences.items() if re.search(white[language], each) and not key.startswith("clause.")
        ] == []
