"""Sentences at the table: "you" for the seat whose page it is, a sentence of their own for those who wait and who watch."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.core.descriptions import about
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.phrases import languages
from bridgehead.core.position import Position

LONGEST = 90  # letters of a prompt: two lines on a phone of 360 px
every_game = pytest.mark.parametrize("name", registry.specs())


def seatings(name: str) -> Iterator[Game]:
    """The game with every number of seats."""
    least, most = registry.specs()[name].seats
    for seats in range(least, most + 1):
        more: dict[str, Any] = {"board": "six"} if name == "barricade" else {}
        if not (name == "front_lines" and seats == 3):
            yield registry.game(name, seats=seats, **more)


def positions(game: Game, number: int, seed: int = 5) -> Iterator[tuple[Position, int]]:
    """Positions of random games with the action that is played there."""
    lot, match = random.Random(seed), Match(game)
    for _ in range(number):
        if match.outcome is not None:
            match = Match(game)
        action = lot.choice(match.position.legal)
        yield match.position, action
        match.play(action)


@every_game
def test_a_page_never_names_its_own_seat(name: str) -> None:
    """Neither a prompt nor a line of the log; all other seats are named."""
    for game in seatings(name):
        names = {seat.key: f"Qx{index}" for index, seat in enumerate(game.seat_phrases)}
        for (position, action), language in zip(positions(game, 250), itertools.cycle(languages())):
            for seat in range(game.seats):
                told = position.tell_prompt(language, names, [seat]), position.sentence(action, language, names, [seat])
                assert not any(f"Qx{seat}" in text for text in told), told
                assert all(text[:1].isupper() or not text[:1].isalpha() for text in told), told


@every_game
def test_prompts_speak_to_the_one_who_acts_to_those_who_wait_and_to_those_who_watch(name: str) -> None:
    for game in seatings(name):
        names = {seat.key: f"Qx{index}" for index, seat in enumerate(game.seat_phrases)}
        for position, _ in positions(game, 120):
            seat = position.actor
            if seat < 0:
                continue
            for language in languages():
                yours = position.tell_prompt(language, names, [seat])
                waits = position.tell_prompt(language, names, [(seat + 1) % game.seats])
                watches = position.tell_prompt(language, names)
                assert len({yours, waits, watches}) == 3
                assert f"Qx{seat}" in waits and f"Qx{seat}" in watches
                assert position.tell_prompt(language, names, range(game.seats)) == watches  # people who share a screen
                assert max(map(len, (yours, waits, watches))) <= LONGEST, (yours, waits, watches)


@every_game
def test_seats_are_called_by_their_colours_unless_people_gave_a_name(name: str) -> None:
    for game in seatings(name):
        for language in languages():
            called = game.name_seats((), language)
            assert len(set(called)) == game.seats and all(len(each) > 1 for each in called)
            assert [plate.name for plate in game.spec.scene.plates(game.start(), language)] == called
        letter = game.spec.seat_letter(0).upper()
        assert game.name_seats([letter, "Ann"], "en") == [game.name_seats((), "en")[0], "Ann", *game.name_seats((), "en")[2:]]
        assert game.name_seats([f"seat {seat + 1}" for seat in range(game.seats)], "en") == game.name_seats((), "en")


@every_game
def test_every_seat_has_its_goal_and_the_rules_are_short(name: str) -> None:
    for game in seatings(name):
        goals = {game.words.tell(game.spec.scene.goal(game, seat)) for seat in range(-1, game.seats)}
        assert len(goals) == game.seats + 1 or (name == "front_lines" and len(goals) >= 3)
        for language in languages():
            assert len(about(game.spec, language).in_short) >= 5
            assert all(len(each) <= 160 for each in about(game.spec, language).in_short)


def test_the_goal_says_where_it_is() -> None:
    bridges, race = registry.game("burning_bridges", seats=2), registry.game("barricade")
    told = [bridges.words.tell(bridges.spec.scene.goal(bridges, seat)) for seat in (0, 1)]
    assert told[0] == "Bring both parents and the child to your goal pillars at the lower left. Your colour: Black."
    assert told[1].startswith("Bring both parents and the child to your goal pillars at the upper right.")
    assert "the goal at the top. Your colour: Yellow." in race.words.tell(race.spec.scene.goal(race, 1))
    lines = registry.game("front_lines", seats=2)
    assert lines.words.tell(lines.spec.scene.goal(lines, 1)).endswith("Red cards are mines for you.")


def test_the_log_has_no_line_for_what_nobody_did() -> None:
    game = registry.game("burning_bridges", seats=3)
    seen = {"done": 0, "else": 0}
    for position, action in positions(game, 1500, 2):
        declined = position.name(action) == "done"
        logged = game.spec.words.is_logged(position, action)
        assert logged or declined
        seen["done" if declined and not logged else "else"] += 1
        if declined and logged:
            assert "collapse" in position.sentence(action)
    assert all(seen.values())


def test_the_front_lines_name_a_card_as_the_board_does() -> None:
    """Log, labels and choices say b3; the letters and numbers stand at the edge of the board."""
    game = registry.game("front_lines")
    drawn = {part.text for item in game.spec.scene.picture(game, "en").ground for part in item.parts}
    assert {*"abcd", *map(str, range(1, 13))} <= drawn
    fields = [each.label for each in game.spec.scene.picture(game, "en").fields if each.id not in ("f:start", "f:across")]
    assert fields[:5] == ["a1", "b1", "c1", "d1", "a2"]
    for language in languages():
        position = game.start().play("draw 9H")
        assert all("b1" in text for text in (
            position.sentence(position.read("to b1"), language),
            next(c.label for c in game.spec.scene.choices(position, language) if c.text == "to b1"),
            next(i.label for i in game.spec.scene.items(position, language) if i.id == "c:b1"),
        ))  # fmt: skip
