"""Bidding for the first turn: one of two families names the price of going first, the other chooses its place."""

import itertools
import random
from typing import Any

import numpy as np
import pytest
from bridges_table import phase

from bridgehead.core import link, record, registry
from bridgehead.core.errors import NotationError, OptionError, PositionError
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.environments import observer
from bridgehead.games.burning_bridges import evaluate
from bridgehead.players import player
from games.asked import legal, played, refused

LANGUAGES = ("en", "de", "fr", "es")
NUMBERS = range(5)


def bidding(**options: Any) -> Position:
    """Two families before the bid, which the first seat makes."""
    return registry.game("burning_bridges", **{"seats": 2, "bid": True, "firstPlayer": "seat0", **options}).start()


# -- the order of the first turns ----------------------------------------------------------------------------------------


@pytest.mark.clause("BBQ-53")
@pytest.mark.parametrize(("number", "place"), [*itertools.product(NUMBERS, ("first", "last"))])
def test_whoever_goes_last_has_the_moves_that_were_bid_in_its_first_turn_only(number: int, place: str) -> None:
    position = bidding()
    assert (position.actor, phase(position)) == (0, "bid")
    assert legal(position) == {f"bid {n}" for n in NUMBERS}
    position = played(position, f"bid {number}")
    assert (position.actor, phase(position), legal(position)) == (1, "choose", {"go first", "go last"})
    position = played(position, f"go {place}")
    first = int(place == "first")
    turns = []
    for _ in range(6):
        turns.append((position.facts()["turn"], position.facts()["moves"], position.facts()["more"]))
        position = played(position, "end")
    assert turns[:2] == [(first, 2, number), (1 - first, 2 + number, number)]
    assert turns[2:] == [(first, 2, 0), (1 - first, 2, 0)] * 2


@pytest.mark.clause("BBQ-53", "BBQ-1")
def test_the_family_that_is_drawn_bids() -> None:
    drawn = bidding(firstPlayer="random")
    for text, family in (("first 1", 0), ("first 2", 1)):
        position = played(drawn, text)
        assert (position.actor, phase(position)) == (family, "bid")
        assert played(position, "bid 1").actor == 1 - family
        assert played(position, "bid 1", "go last").actor == family


@pytest.mark.clause("BBQ-53", "BBQ-38")
@pytest.mark.parametrize(("place", "turns"), [("first", 3), ("last", 4)])
def test_a_round_ends_after_the_last_seat_whoever_goes_first(place: str, turns: int) -> None:
    position = played(bidding(roundLimit=2), "bid 2", f"go {place}")
    for _ in range(turns):
        assert not position.is_over
        position = played(position, "end")
    assert position.is_over and position.game.load(position.text) == position


# -- what is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("BBQ-53")
def test_nothing_else_is_done_before_the_order_is_settled_and_nothing_of_it_later() -> None:
    first = bidding()
    second = played(first, "bid 2")
    third = played(second, "go last")
    for text in ("walk L B4", "end", "go first", "term none"):
        assert refused(first, text) == "BBQ-53"
    for text in ("walk L B4", "end", "bid 1"):
        assert refused(second, text) == "BBQ-53"
    for text in ("bid 0", "go first", "go last"):
        assert refused(third, text) == refused(played(third, "end"), text) == "BBQ-53"
        assert refused(bidding(firstPlayer="random"), text) == "BBQ-1"
    assert refused(played(bidding(firstPlayer="random"), "first 1"), "first 1") == "BBQ-1"
    for text in ("bid 5", "bid", "bid two", "go", "go third"):
        with pytest.raises(NotationError):
            first.read(text)
    with pytest.raises(NotationError):
        played(registry.game("burning_bridges", seats=2, firstPlayer="seat0").start(), "bid 1")


@pytest.mark.clause("BBQ-53")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"seats": 3}, "two families"),
        ({"seats": 2, "pie": True}, "choice of side"),
        ({"seats": 2, "lastMoves": 1}, "fixed number"),
    ],
)
def test_other_numbers_of_families_and_other_rules_for_the_first_turn_refuse_a_bid(options: dict[str, Any], said: str) -> None:
    registry.game("burning_bridges", **options)
    with pytest.raises(OptionError, match=said) as caught:
        registry.game("burning_bridges", **options, bid=True)
    assert caught.value.where == "bid"


# -- positions and records -------------------------------------------------------------------------------------------------


@pytest.mark.clause("BBQ-53")
@pytest.mark.parametrize("first", ["seat0", "random"])
def test_positions_during_the_bid_and_after_it_are_read_again(first: str) -> None:
    lot = random.Random(first)
    for number, place in itertools.product(NUMBERS, ("first", "last")):
        position = bidding(firstPlayer=first)
        for text in [*(["first 2"] if first == "random" else []), f"bid {number}", f"go {place}"]:
            assert position.game.load(position.text) == position
            position = played(position, text)
        for _ in range(20):
            if position.is_over:
                break
            assert position.game.load(position.text) == position
            assert ("more" in position.text) == (number > 0 and position.turn < 2)
            position = position.play(lot.choice(position.legal))


@pytest.mark.clause("BBQ-53")
@pytest.mark.parametrize(
    ("rules", "head", "said"),
    [
        ({"bid": False}, "bid a 0 round 0 turns 0", "no family bids"),
        ({"bid": False}, "moves a 2 round 0 turns 0 more 1", "no family bids"),
        ({}, "bid b 0 round 0 turns 0", "do not fit"),
        ({}, "choose a 0 round 0 turns 0 more 1", "do not fit"),
        ({}, "bid a 0 round 0 turns 0 more 1", "is bid only"),
        ({}, "moves a 2 round 1 turns 2 more 1", "is bid only"),
        ({}, "moves a 2 round 0 turns 0 more 5", "from 0 to 4"),
        ({}, "choose b 0 round 1 turns 2", "stands at its start"),
        ({}, "bid a 2 round 0 turns 0", "stands at its start"),
        ({}, "moves a 3 round 0 turns 0 more 1", "moves left"),
        ({}, "moves b 5 round 0 turns 1 more 2", "moves left"),
    ],
)
def test_positions_that_no_bid_leads_to_are_refused(rules: dict[str, Any], head: str, said: str) -> None:
    start = bidding(**rules)
    pieces = played(bidding(), "bid 0", "go last").text.partition(";")[2]
    with pytest.raises(PositionError, match=said):
        start.game.load(f"{head};{pieces}")


def test_a_record_with_a_bid_is_read_again() -> None:
    match = Match(bidding().game)
    for text in ("bid 3", "go last", "walk L R1", "end", "end"):
        match.play(match.position.read(text))
    for again, _ in (record.load(record.dump(match, ["", ""])), link.read(link.pack(match, ["", ""]))):
        assert again.position == match.position


def test_a_family_sees_the_number_that_was_bid() -> None:
    for number in NUMBERS:
        position = played(bidding(), f"bid {number}", "go last")
        view = observer(position.game)
        at = view.names["numbers"].index("more")
        for seat in (0, 1):
            assert view.of(position, seat)[0]["numbers"][at] == pytest.approx(number / max(NUMBERS))


# -- players and pages -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["greedy", "captain", "strategist"])
def test_levels_bid_a_number_near_even_and_choose_the_better_place(level: str) -> None:
    for number in NUMBERS:
        position = played(bidding(), f"bid {number}")
        assert position.name(player(level, number).choose(position)) == ("go last" if number else "go first")
    assert position.game.start().name(player("greedy", 1).choose(bidding())) in ("bid 0", "bid 1")


def test_the_value_of_a_bid_is_that_of_the_other_familys_better_place() -> None:
    start = bidding()
    value, law = evaluate.value, start.game.law
    worth = [value(played(start, f"bid {number}").read_only, law, 0) for number in NUMBERS]
    assert all(each < 0 for each in worth)
    assert value(start.read_only, law, 0) == pytest.approx(max(worth), abs=2.5)
    for position in (start, played(start, "bid 2"), played(start, "bid 2", "go first")):
        expected = np.zeros(2)
        evaluate.judge(position.read_only, law, expected)
        assert expected[0] == -expected[1] != 0
        assert (expected[0] > 0) == (value(position.read_only, law, 0) > 0)


def test_bids_and_places_are_buttons_in_all_languages() -> None:
    start = bidding()
    second = played(start, "bid 1")
    scene = start.game.spec.scene
    for language in LANGUAGES:
        assert [*scene.buttons(start, language)] == [f"!bid-{number}" for number in NUMBERS]
        assert [*scene.buttons(second, language).values()] == [
            scene.choice(second, each, language).label for each in second.legal
        ]
    for position in (start, second):
        for action in position.legal:
            path = scene.choice(position, action, "en").path
            assert len(path) == 1 and path[0] in scene.buttons(position, "en")
            assert scene.find_touched_action(position, path) == action
            assert position.sentence(action, "en") and position.prompt
    third = played(second, "go last")
    assert not {"!bid-0", "!go.first"} & {*scene.buttons(third, "en")}
    assert scene.find_touched_action(third, ("!bid-0",)) == third.read("bid 0"), "a press that comes late is explained"
