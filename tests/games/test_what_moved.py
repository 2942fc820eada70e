"""What a screen shows of an action: what somebody moved and nothing else, in few words, and within a few touches."""

import itertools
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from barricade_table import barricade
from bridges_table import at, things

from bridgehead.core import registry
from bridgehead.core.match import Match
from bridgehead.core.phrases import languages
from bridgehead.core.position import Position
from bridgehead.games.barricade import scene as barricade_scene
from variants import at_random

STATIC = Path(__file__).parents[2] / "src" / "bridgehead" / "web" / "static"

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("barricade", {}), ("burning_bridges", {"seats": 3}), ("forty_bridges", {}), ("front_lines", {"seats": 4}),
]  # fmt: skip


def random_match(game: str, seed: int, most: int, **options: Any) -> Match:
    return at_random(registry.game(game, **options), random.Random(seed), most)


def traced(before: Position, text: str) -> dict[str, tuple[str, ...]]:
    after = before.play(text)
    return {trace.item: trace.via for trace in before.game.spec.scene.traces(before, before.read(text), after)}


def test_pieces_that_make_room_on_a_pillar_do_not_move() -> None:
    before = at("moves a 2", "aL B0, aM R0, aS R0, bL B0, bM B0", bridges="B0-R0 a 0")
    before_things, after_things = things(before), things(before.play("cross L R0 a"))
    moved = {name for name in after_things if name.startswith("p:") and before_things[name].x != after_things[name].x}
    assert {"p:aM", "p:bL"} <= moved, "both stacks rearrange themselves"
    assert traced(before, "cross L R0 a") == {"p:aL": ("f:B0", "f:R0")}


def test_a_hostage_goes_into_its_captor_and_out_of_it() -> None:
    leaving = at("moves a 2", "aL B0, bS B0 aL", bridges="B0-R0 a 0")
    assert traced(leaving, "cross L R0 a") == {"p:aL": ("f:B0", "f:R0"), "p:bS": ("f:B0",)}
    assert traced(at("moves a 2", "aL C, bM C"), "seize L bM") == {"p:bM": ("f:C",)}


@pytest.mark.parametrize("seed", range(6))
def test_a_move_of_burning_bridges_takes_two_clicks_or_three_taps(seed: int) -> None:
    match = random_match("burning_bridges", seed, 400, seats=3, untorchChoice=("captor", "hostage")[seed % 2])
    for position in match.positions:
        if position.is_chance:
            continue
        choices = position.game.spec.scene.choices(position, "en")
        for same in Counter(choice.path for choice in choices).items():
            path, number = same
            assert len(path) <= 2, "a click for the piece and one for its target; a tap more confirms"
            if number > 1:  # the usual way is played, the others are offered beside it
                assert [choice.first for choice in choices if choice.path == path].count(True) == 1
        assert all(len(choice.path) == 1 for choice in choices if choice.confirm), "no third click"


# How the traces and the things of each game move.
MOTIONS: dict[str, tuple[dict[str, Any], set[str], set[str]]] = {
    "barricade": ({"seats": 2}, {"", "lifts", "tips"}, {"rolls"}),
    "burning_bridges": ({"seats": 2}, {"", "shrinks", "grows"}, {"unrolls", "falls", "drops", "fades"}),
    "forty_bridges": ({}, {"", "leaps", "tips"}, set()),
    "front_lines": ({"seats": 2}, {""}, {"flips", "bursts", "rises"}),
}


@pytest.mark.parametrize("game", MOTIONS)
def test_scenes_say_how_things_move_in_words_that_the_board_knows(game: str) -> None:
    options, ways, classes = MOTIONS[game]
    code = (STATIC / "board" / "animate.js").read_text("utf-8").split("const WAYS")[1]
    known = {*re.findall(r"^\t(\w+): ", code.split("const CLASSES")[0], re.M), ""}, {*re.findall(r"^\t(\w+): \{", code, re.M)}
    traces, words = set[str](), set[str]()
    for seed in range(60):
        match = random_match(game, seed, 250, **options)
        for entry, before, after in zip(match.log, match.positions, match.positions[1:], strict=False):
            traces |= {trace.how for trace in match.game.spec.scene.traces(before, entry.action, after)}
            words |= {word for item in things_of(after) for word in item.cls.split()}
        if ways <= traces and classes <= words:
            break
    assert traces == ways <= known[0]
    assert words & known[1] == classes, "and nothing else moves"


def test_taken_pieces_lie_beside_the_fields_of_their_taker() -> None:
    match = next(
        found
        for seed in itertools.count()
        if (found := random_match("forty_bridges", seed, 300)) and len(found.position.facts()["pieces"]) < 12
    )
    seen = 0
    for index, entry in enumerate(match.log):
        before, after = match.positions[index], match.positions[index + 1]
        if before.is_chance:
            continue
        fields = match.game.spec.scene.picture(match.game, "en").fields
        aside = [[each for each in things_of(p) if each.id.startswith("x:")] for p in (before, after)]
        gone = 16 - len(after.facts()["pieces"])
        assert len(aside[1]) == gone
        assert all(abs(each.y - field.y) > 55 for each in aside[1] for field in fields), "beside the fields"
        fresh = {each.id for each in aside[1]} - {each.id for each in aside[0]}
        traces = match.game.spec.scene.traces(before, entry.action, after)
        assert {trace.item for trace in traces if trace.item.startswith("x:")} == fresh
        seen += len(fresh)
    assert seen >= 4
    label = next(each.label for each in things_of(match.position) if each.id == "x:0.0")
    assert "of Black" in label and "taken" in label


def things_of(position: Position) -> list[Any]:
    return list(position.game.spec.scene.items(position, "en"))


@pytest.mark.parametrize("board", ["classic", "mini"])
def test_the_die_lies_in_the_home_of_the_seat_that_rolled_it(board: str) -> None:
    game = barricade(board=board)
    places = set()
    match = Match(game)
    rng = random.Random(2)
    for _ in range(60):
        match.play(rng.choice(match.position.legal))
        state = match.position.state
        die = next((each for each in things_of(match.position) if each.id == "d:die"), None)
        if die is None or not int(state.die):
            continue
        seat = int(state.seat)
        assert die.seat == game.spec.seat_letter(seat) and die.label == f"rolled {int(state.die)}"
        left, top, width, height = barricade_scene.layout(game.board).trays[int(game.law.home[seat]) - game.law.squares].box or ()
        assert left < die.x < left + width and top < die.y < top + height
        places.add((die.x, die.y))
    assert len(places) == game.seats


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_every_turn_has_a_recap_in_every_language(game: str, options: dict[str, Any]) -> None:
    match = random_match(game, 5, 150, **options)
    spec = match.game.spec
    told = Counter[str]()
    for index, entry in enumerate(match.log):
        if entry.actor >= 0:
            before = match.positions[index]
            for viewer in (-1, *range(match.game.seats)):
                phrase = spec.words.recap([(before, entry.action)], viewer)
                told[match.game.words.tell(phrase)] += 1
                assert all(match.game.words.tell(phrase, language) for language in languages())
    assert len(told) > 10


def test_a_recap_says_you_to_the_seat_that_looks() -> None:
    game = registry.game("forty_bridges")
    position = game.load("b3,B2,C1 c3,e5 a 20 0 - - -")
    moves = [(position, position.read("C1-C2"))]
    texts = [game.words.tell(game.spec.words.recap(moves, viewer)) for viewer in (-1, 1)]
    assert texts == ["went C1 to C2, took the piece on c3", "went C1 to C2, took yours on c3"]
