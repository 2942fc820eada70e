"""Dealers: who answers for chance."""

from collections import Counter

import pytest

from bridgehead.core import registry
from bridgehead.core.chance import ReplayDealer, SeededDealer, TypedDealer
from bridgehead.core.errors import RecordError
from bridgehead.core.match import Match
from bridgehead.core.position import Position


def drawing() -> Position:
    return registry.game("forty_bridges", first="random").start()


def test_a_seed_deals_the_same_again_and_depends_on_the_index_only() -> None:
    position = drawing()
    first = [SeededDealer("table").deal(position, index) for index in range(40)]
    assert first == [SeededDealer("table").deal(position, index) for index in range(40)]
    assert first != [SeededDealer("other").deal(position, index) for index in range(40)]
    assert SeededDealer("table").deal(position, 17) == first[17]


def test_a_seed_deals_fairly() -> None:
    position = drawing()
    dealt = Counter(SeededDealer(seed).deal(position, 0) for seed in range(2000))
    assert set(dealt) == set(position.legal)
    assert all(abs(n - 1000) < 120 for n in dealt.values())  # beyond five standard deviations


def test_a_replay_deals_what_was_dealt_and_says_when_it_ends() -> None:
    position = drawing()
    dealer = ReplayDealer(position.legal)
    assert [dealer.deal(position, index) for index in range(2)] == list(position.legal)
    with pytest.raises(RecordError, match="no further outcome of chance"):
        dealer.deal(position, 2)


def test_a_person_is_asked_until_the_answer_can_be() -> None:
    position = drawing()
    answers = iter([0, 99_999, position.legal[1]])
    assert TypedDealer(lambda _: next(answers)).deal(position, 0) == position.legal[1]
    assert list(answers) == []


def test_dealing_goes_on_until_a_seat_is_to_act() -> None:
    match = Match(drawing().game)
    assert match.deal(SeededDealer(1)) == 1
    assert not match.position.is_chance and match.deal(SeededDealer(1)) == 0
