"""What a seat sees: everything on the table, and nothing of what lies face down."""

import random
from typing import Any

import numpy as np
import pytest

import bridgehead
from bridgehead.adapters.sight import Sight, sight
from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.game import Game
from bridgehead.core.position import Position
from bridgehead.core.spec import CHANCE
from variants import make, mixture

ROW = ["2H", "9S", "KH", "5D"]
LAYOUTS = [[ROW, ["2S", "JC", "3C", "4D"]], [ROW, ["4D", "3C", "JC", "2S"]]]  # they differ in the second row


def walk(game: Game, seed: int, plies: int = 40) -> list[Position]:
    """The positions of a game at random."""
    positions, dealer, rng = [game.start()], SeededDealer(seed), random.Random(seed)
    while not positions[-1].is_over and len(positions) < plies:
        last = positions[-1]
        positions.append(last.after(dealer.deal(last, len(positions)) if last.is_chance else rng.choice(last.legal)))
    return positions


@pytest.mark.parametrize("name", sorted(registry.specs()))
def test_every_part_of_the_vector_says_what_the_record_says_and_stays_in_its_bounds(name: str) -> None:
    rng = random.Random(name)
    for _ in range(3):
        game = make(name, mixture(name, rng))
        view = sight(game)
        assert view is sight(game) and max(part.stop for part in view.fields.values()) == len(view)
        for position in walk(game, rng.randrange(99)):
            seen = view.vector(position, game.seats - 1)
            assert (seen >= view.low).all() and (seen <= view.high).all()
            assert np.flatnonzero(seen[view.fields["own seat"]]).tolist() == [game.seats - 1]
            assert np.flatnonzero(seen[view.fields["seat to act"]]).tolist() == [position.actor] * (position.actor >= 0)
            assert all(told(view, seen, field) == numbers(position, field) for field in view.names)


def told(view: Sight, seen: np.ndarray[Any, Any], field: str) -> list[int]:
    """The numbers of a field, read out of the vector."""
    part = seen[view.fields[field]].astype(np.int64).tolist()
    if view.game.new_states(0).dtype[field].base.itemsize < 8:
        return part
    return [sum(int(bit) << i for i, bit in enumerate(part[word : word + 64])) for word in range(0, len(part), 64)]


def numbers(position: Position, field: str) -> list[int]:
    """The numbers of a field in the record; those of 64 bits without their sign."""
    held = position.copy_states()[field]
    found = [int(number) for number in held.ravel()]
    return [number % 2**64 for number in found] if held.dtype.itemsize == 8 else found


def test_who_looks_at_equal_tables_sees_the_same_whatever_lies_face_down() -> None:
    """Twins that differ in cards that nobody has turned over: step by step the same, until such a card is turned."""
    twins = [bridgehead.game("front_lines", rows=2, seats=2, layout=layout) for layout in LAYOUTS]
    places, shown = [game.start() for game in twins], 0
    for index in range(200):
        first, second = places
        if first.is_over:
            break
        for seat in range(2):
            assert np.array_equal(*(sight(each.game).vector(each, seat) for each in places))
            assert np.array_equal(*(sight(each.game).mask(each, seat) for each in places))
        assert first.actor == second.actor and first.text == second.text
        if first.actor == CHANCE and first.legal != second.legal:
            shown += 1
            break
        action = SeededDealer(3).draw(first.legal, first.weights or [1] * len(first.legal), index)
        places = [each.play(action) for each in places]
    assert shown, "no card of the second row was reached"
    places = [each.play(each.legal[0]) for each in places]
    assert not np.array_equal(*(sight(each.game).vector(each, 0) for each in places)), "what was turned over is seen"


def test_what_house_rules_hide_is_in_no_record_of_a_position() -> None:
    """The claim that `Sight` stands on: a state before anything is turned over is the same for every hidden layout."""
    starts = [bridgehead.game("front_lines", rows=2, layout=layout).start() for layout in (*LAYOUTS, None)]
    assert len({start.copy_states().tobytes() for start in starts}) == 1
