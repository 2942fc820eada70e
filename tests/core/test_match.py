"""A match is its log: undo, rewind, fork, turns."""

import pytest

from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError, IllegalAction, NotationError
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE

CHOOSING = "b2,c2,d2,A3,c4 B2,C2,b3,e5 a 20 0 - - -"


def choosing() -> Match:
    """A match in which seat 0 has captures to choose after its move."""
    game = registry.game("forty_bridges", maxCaptures=2)
    match = Match(game, start=game.load(CHOOSING))
    match.play("c4-c3")
    return match


def test_the_log_tells_who_did_what_in_which_turn() -> None:
    match = Match(registry.game("forty_bridges", first="random"))
    match.deal(SeededDealer(3))
    actor = match.position.actor
    match.play(match.position.legal[0])
    assert [(entry.actor, entry.turn) for entry in match.log] == [(CHANCE, 0), (actor, 0)]
    assert match.chances == 1 and match.position.turn == 1


def test_an_own_decision_is_taken_back_as_long_as_the_seat_is_still_to_act() -> None:
    match = choosing()
    match.play("take B2")
    match.undo()
    assert match.position.name(match.log[-1].action) == "c4-c3"
    match.undo()
    assert match.log == [] and match.position.text == CHOOSING


def test_nothing_is_taken_back_once_another_seat_is_to_act() -> None:
    match = Match(registry.game("forty_bridges"))
    match.play("b2-c2")
    assert match.undo_point() is None
    with pytest.raises(BridgeheadError, match="never crosses"):
        match.undo()
    assert len(match.log) == 1


def test_nothing_is_taken_back_across_chance_or_at_the_start() -> None:
    match = Match(registry.game("forty_bridges", first="random"))
    assert match.undo_point() is None
    match.play("first 1")
    assert match.undo_point() is None


def test_a_fork_shares_the_beginning_and_nothing_after() -> None:
    match = Match(registry.game("forty_bridges"), start=None)
    for text in ("b2-c2", "d4-c4", "a1-b2"):
        match.play(text)
    fork = match.fork(2)
    fork.play("B2-B3")
    assert fork.actions[:2] == match.actions[:2] and fork.actions != match.actions
    assert match.position.name(match.actions[2]) == "a1-b2" and len(match.log) == 3
    assert match.fork().position == match.position


def test_rewinding_goes_back_to_any_length() -> None:
    match = Match(registry.game("forty_bridges"))
    first = match.position
    for text in ("b2-c2", "d4-c4"):
        match.play(text)
    match.rewind(0)
    assert match.position == first and match.log == [] and match.positions == [first]


def test_the_decisions_of_one_turn_stand_together() -> None:
    match = choosing()
    match.play("take B2")
    match.play("take b3")
    match.play("e5-e4")
    assert list(match.turns()) == [(21, [0, 1, 2]), (22, [3])]


def test_a_refused_action_or_an_unreadable_text_changes_nothing() -> None:
    match = Match(registry.game("forty_bridges"))
    with pytest.raises(IllegalAction):
        match.play("a1-e5")
    with pytest.raises(NotationError):
        match.play("a1 to e5")
    with pytest.raises(NotationError):
        match.play(100_000)
    assert match.log == [] and len(match.positions) == 1


def test_positions_are_values() -> None:
    game = registry.game("forty_bridges")
    one, other = game.start().play("b2-c2"), game.start().play("b2-c2")
    assert one == other and hash(one) == hash(other) and one != game.start()
    assert len({one, other, game.start()}) == 2
    with pytest.raises(ValueError, match="read-only"):
        one.state.turns = 3
    assert one != registry.game("forty_bridges", suicide="safe").start().play("b2-c2")
