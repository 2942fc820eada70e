"""Positions that people set up, in every game: strokes keep texts readable, and a position that cannot occur has its reason."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridgehead.core import positions, registry
from bridgehead.core.editing import NoStroke
from bridgehead.core.errors import PositionError
from bridgehead.core.game import Game
from bridgehead.core.interface import PositionEditorModule
from bridgehead.core.phrases import languages

GAMES = ("burning_bridges", "forty_bridges", "front_lines", "barricade")
HOUSE: dict[str, list[dict[str, Any]]] = {
    "burning_bridges": [{}, {"seats": 2, "firstPlayer": "seat0"}, {"pins": "10each", "torchOwn": True},
                        {"parallelBridges": False}],
    "forty_bridges": [{}, {"first": "random", "repetition": "none"}, {"maxCaptures": 2, "bentJumps": True}],
    "front_lines": [{}, {"jokersInField": 2}, {"alternateTeams": True, "lives": 3}, {"rows": 5, "opposedSides": True}],
    "barricade": [{}, {"first": "highestRoll", "board": "mini"}, {"turnLimit": 30, "finalAllowed": False},
                  {"seats": 2, "twoColours": True}],
}  # fmt: skip


class Hand:
    """Somebody who sets up a position: its text, and the reason why it cannot occur."""

    def __init__(self, name: str, text: str = "", **options: Any) -> None:
        self.game = registry.game(name, **options)
        self.text = text or self.game.start().text

    def stroke(self, tool: str, *touch: str) -> Hand:
        position, _ = positions.parse_position(self.game, self.text)
        self.text = positions.apply_stroke(position, tool, touch)
        return self

    def refused(self, tool: str, *touch: str) -> str:
        """The sentence that refuses a stroke."""
        before = self.text
        with pytest.raises(NoStroke) as no:
            self.stroke(tool, *touch)
        assert self.text == before
        return self.game.words.tell(no.value.phrase)

    @property
    def wrong(self) -> str:
        """Why the position cannot occur; "" if it can."""
        error = positions.parse_position(self.game, self.text)[1]
        return str(error) if error else ""

    @property
    def position(self) -> Any:
        return self.game.load(self.text)


def things(position: Any, language: str) -> list[str]:
    """What can be touched on the picture."""
    scene = position.game.spec.scene
    found = [*scene.picture(position.game, language).fields, *scene.items(position, language)]
    ids = [item.id for item in found]
    assert len(set(ids)) == len(ids)
    return [item.id for item in found if item.label]


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_strokes_give_texts_that_can_be_read_drawn_and_told_and_a_possible_one_plays(
    name: str, data: st.DataObject
) -> None:
    rng = random.Random(data.draw(st.integers(0, 2**32), label="seed"))
    hand = Hand(name, **data.draw(st.sampled_from(HOUSE[name]), label="house rules"))
    tool = ""
    for _ in range(25):
        language = rng.choice([*languages()])
        position, error = positions.parse_position(hand.game, hand.text)
        there = things(position, language)
        if error is None:
            assert hand.position == position
            assert position.is_over or position.legal
            assert position.tell_prompt(language)
            assert hand.game.spec.scene.plates(position, language)
        else:
            assert hand.game.words.tell(error.whole, language)
            with pytest.raises(PositionError):
                hand.game.load(hand.text)
        tools = hand.game.spec.position_editor.tools(position, tool, language)
        assert len({each.id for each in tools}) == len(tools)
        assert all(each.label and (each.hint or each.kind in ("number", "text")) for each in tools)
        chosen = rng.choice(tools)
        tool = chosen.id if chosen.kind == "touch" else tool
        touch = {
            "touch": tuple(rng.choice(there) for _ in range(chosen.touches)),
            "number": (str(rng.randint(chosen.low - 1, chosen.high + 1)),),
            "text": (rng.choice(["", "7H", "8S QD", "nonsense"]),),
            "press": (),
        }[chosen.kind]
        try:
            hand.stroke(chosen.id, *touch)
        except NoStroke as no:
            assert hand.game.words.tell(no.phrase, language)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=30, deadline=None)
@given(tool=st.text(max_size=12), touch=st.lists(st.text(max_size=12), max_size=3), data=st.data())
def test_strokes_that_no_page_makes_are_refused(name: str, tool: str, touch: list[str], data: st.DataObject) -> None:
    hand = Hand(name)
    position = hand.game.start()
    ids = [each.id for each in hand.game.spec.position_editor.tools(position, "", "en")]
    try:
        hand.stroke(data.draw(st.sampled_from([tool, *ids])), *touch)
    except NoStroke as no:
        assert hand.game.words.tell(no.phrase, "de")


@pytest.mark.parametrize("name", GAMES)
def test_every_position_of_a_game_can_be_read_and_stands_the_check(name: str) -> None:
    rng, game = random.Random(5), registry.game(name)
    position = game.start()
    while not position.is_over and position.turn < 40:
        found, error = positions.parse_position(game, position.text)
        assert error is None
        assert found == position
        position = position.play(rng.choice(position.legal))


def test_a_game_without_tools_is_set_up_by_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bare(PositionEditorModule):
        pass

    game = registry.game("barricade")
    monkeypatch.setitem(vars(game.spec), "position_editor", Bare())
    assert game.spec.position_editor.tools(game.start(), "", "en") == ()
    with pytest.raises(NoStroke, match="Nothing of that kind"):
        positions.apply_stroke(game.start(), "put", ("f:c1", "f:c2"))


def test_forty_bridges() -> None:
    hand = Hand("forty_bridges").stroke("put", "p:0:b2", "f:c3").stroke("turn:b")
    assert hand.text == "a1,b1,A1,B1,a2,A2,B2,c3 C3,D3,d4,e4,C4,D4,d5,e5 b 1 0 - - -"
    assert not hand.wrong
    hand.position.play("d4-d3")  # a position that was set up has no earlier ones, and is played all the same
    assert hand.stroke("turns", "8").position.actor == 0
    hand.stroke("piece:b", "f:a5")
    assert hand.wrong == "player 2: has 9 pieces, and began with 8"
    hand.stroke("off", "p:1:a5")
    assert not hand.wrong
    assert hand.refused("off", "f:a5") == "No piece stands on a5."
    assert hand.refused("put", "p:0:c3", "f:c3") == "Touch two different things."
    assert hand.stroke("put", "p:0:c3", "f:e5").position.outcome.reason == "corner"  # what follows, the rules decide


def test_barricade() -> None:
    hand = Hand("barricade").stroke("pawn:b", "f:c1").stroke("turn:c").stroke("die", "4")
    assert hand.text.startswith("c rolled 4; turn 1; home1 c1 home")
    assert not hand.wrong
    hand.stroke("block", "f:a1")
    assert "barricades" in hand.wrong
    hand.stroke("put", "b:a3", "f:b1").stroke("off", "b:b1")
    assert not hand.wrong
    hand.stroke("off", "b:a1").stroke("hand")
    assert "no pawn" in hand.wrong  # Yellow holds a barricade, and no pawn of Yellow is out to have taken it
    assert hand.stroke("turn:b").position.legal
    assert hand.refused("block", "f:c1") == "A pawn stands there. Move it first."
    hand = Hand("barricade").stroke("pawn:d", "f:i14")
    assert hand.position.outcome.winners == (2,)
    hand = Hand("barricade", finalAllowed=False)
    assert "i14" in hand.refused("put", "b:i13", "f:i14")


def test_burning_bridges() -> None:
    hand = Hand("burning_bridges").stroke("bridge:a", "f:R0", "f:B0").stroke("torch", "b:B0-R0:a").stroke("turn:b")
    assert "bridges B0-R0 a 0 torch" in hand.text
    assert not hand.wrong
    hand.stroke("hold", "p:bS", "p:aL")
    assert hand.position.prompt and hand.text.startswith("terms b 2")  # the captor names its terms, as the rules have it
    assert "never" in hand.refused("hold", "p:bL", "p:aM")  # the largest piece is no hostage
    hand.stroke("put", "p:aL", "f:A0")
    assert "bS A0 aL" in hand.text  # hostages go with their captor
    assert not hand.stroke("off", "p:bS").wrong
    assert hand.stroke("idle", "b:B0-R0:a").text.count("B0-R0 a 1 torch") == 1
    assert hand.refused("bridge:a", "f:R0", "f:C") == "No line joins these pillars."
    assert hand.refused("torch", "f:C") == "Touch a bridge."
    one_each = (
        Hand("burning_bridges", parallelBridges=False).stroke("bridge:a", "f:R0", "f:B0").stroke("bridge:b", "f:R0", "f:B0")
    )
    assert "one bridge" in one_each.wrong


def test_front_lines() -> None:
    hand = Hand("front_lines").stroke("card:8S", "c:b1").stroke("put", "p:S", "c:b1")
    assert not hand.wrong
    hand.stroke("card:9H", "f:a1").stroke("fall", "p:C", "c:a1")
    assert "lives lost" in hand.wrong or "turn" in hand.wrong  # a life lost takes a turn, and a turn a card
    hand.stroke("turns", "3").stroke("used", "9C 2S")
    assert not hand.wrong
    assert "C1 waiting a1" in hand.text
    hand.stroke("drawn", "4S")
    assert hand.position.actor == 2
    assert hand.refused("drawn", "5C") == "The character of this card cannot go now."
    assert hand.refused("used", "8X") == "Cards are written like 7H 10S QD."
    hand.stroke("mine", "c:a1")
    assert "field" in hand.wrong  # a lost life without a mine
    hand.stroke("mine", "c:a1").stroke("card:8S", "c:c4")
    assert "c4=8S" in hand.text and "b1=8S" not in hand.text  # each card lies once
    assert "face down" in hand.wrong
    laid = Hand("front_lines", layout=[["AH", "2H", "3H", "4H"]], rows=1)
    assert "b1=2H" in laid.stroke("open", "c:b1").text
    assert laid.refused("card:4H", "c:a1") == "Nothing of that kind is there."


def test_a_text_that_cannot_be_read_is_refused_and_one_that_cannot_occur_is_placed() -> None:
    game: Game = registry.game("forty_bridges")
    with pytest.raises(PositionError, match="expected 8 parts"):
        positions.parse_position(game, "nonsense")
    position, error = positions.parse_position(game, "a1,b1,A1,B1,a2,b2,A2,B2,c3 e4 a 0 0 - - -")
    assert error is not None
    assert error.where == "player 1"
    assert len(things(position, "en")) > 41
