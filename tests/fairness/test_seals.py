"""The dealer of sealed chance: eras, takebacks, evenness, what a coalition can do, and the signature."""

import itertools
import math
import random

import pytest

import bridgehead
from bridgehead.core.match import Match
from bridgehead.fairness import bgf1, proof
from bridgehead.fairness.bgf1 import Link, SeatHead
from bridgehead.fairness.seals import Keeper, Seals, begin, proof_of
from bridgehead.players import player


def era(seals: Seals, level: int = 1, depth: int = 8, seed: int = 1) -> Seals:
    """With another era, sealed by two persons, frozen and opened."""
    gid = bytes([seed, len(seals.eras)]) * 8
    seals = seals.begun(begin(seals.keeper, gid, level, [False, False], depth))
    chains = [bgf1.chain(bytes([seed + seat]) * 32, gid, seat) for seat in (0, 1)]
    for seat, links in enumerate(chains):
        seals = seals.committed(seat, SeatHead(0, links[0]), f"holder {seat}")
    assert seals.pending is not None
    seals = seals.frozen(seals.pending.agreed(seals.rules))
    for seat, links in enumerate(chains) if level == 1 else ():
        seals = seals.opened(gid, Link(seat, 1, links[1]))
    return seals


def start(level: int = 1, depth: int = 8, seed: int = 1) -> tuple[Match, Seals]:
    game = bridgehead.game("barricade", board="mini", seats=2)
    return Match(game), era(Seals(Keeper(bytes([seed]) * 32), proof.rules_hash(game)), level, depth, seed)


def walk(match: Match, seals: Seals, decisions: int, seed: str = "x") -> Seals:
    """Play on at random, with chance as it is sealed."""
    chooser = player("random", seed)
    for _ in range(decisions):
        match.deal(seals)
        seals = seals.played(match.chances, match.position.is_over)
        if match.position.is_over or match.position.is_chance:
            break
        match.play(chooser.choose(match.position))
    return seals


def dice(match: Match) -> list[str]:
    return [match.positions[i].name(entry.action) for i, entry in enumerate(match.log) if entry.actor < 0]


def test_a_takeback_rolls_nothing_again() -> None:
    match, seals = start()
    seals = walk(match, seals, 20)
    rolled, length = dice(match), len(match.log)
    for point in (2, 9, length - 1):
        match.rewind(point)
        seals = walk(match, seals, 25, f"another way {point}")
        assert dice(match)[: len(rolled)] == rolled[: match.chances]
    assert proof.verdict(proof.verify(proof_of(match, seals.disclosed(match.chances, True)))) == "holds"


def test_a_takeback_into_an_era_before_keeps_its_dice_and_the_next_goes_on_behind_all_that_was_dealt() -> None:
    match, seals = start()
    seals = walk(match, seals, 12)
    rolled = dice(match)
    seals = era(seals, seed=5)
    assert seals.running is not None and seals.running.first == match.chances
    match.rewind(4)
    seals = walk(match, seals, 30, "y")
    assert dice(match)[: len(rolled)] == rolled and match.chances > len(rolled)
    told = proof_of(match, seals.disclosed(match.chances, True))
    assert proof.verdict(proof.verify(told)) == "holds" and [each.first for each in told.eras] == [0, len(rolled)]


def test_after_the_end_when_the_secret_is_out_only_what_was_dealt_is_dealt() -> None:
    match, seals = start()
    seals = walk(match, seals, 10).played(match.chances, True)
    rolled = dice(match)
    match.rewind(3)
    seals = walk(match, seals, 40, "z")
    assert match.position.is_chance and dice(match) == rolled, "what comes next needs a new era"
    seals = walk(match, era(seals, seed=9), 5)
    assert len(dice(match)) > len(rolled)


def test_an_era_ends_where_its_tree_does() -> None:
    match, seals = start(depth=3)
    seals = walk(match, seals, 60)
    assert match.chances == 8 and match.position.is_chance and seals.running is None
    seals = walk(match, era(seals, depth=3, seed=3), 60)
    assert match.chances == 16
    assert proof.verdict(proof.verify(proof_of(match, seals.disclosed(match.chances, True)))) == "holds"


def test_a_live_draw_that_was_answered_keeps_its_answer() -> None:
    match, seals = start(level=2)
    running = seals.running
    assert running is not None and match.deal(seals) == 0
    links = [bgf1.chain(bytes([1 + seat]) * 32, running.game_id, seat) for seat in (0, 1)]
    for event in range(3):
        seals = seals.requested(running.game_id, event, [1, 0])
        for seat in (0, 1):
            assert seals.deal(match.position, event) is None
            seals = seals.opened(running.game_id, Link(seat, event + 1, links[seat][event + 1]))
        seals = walk(match, seals, 1 if event else 0)
    rolled = dice(match)
    match.rewind(0)
    seals = walk(match, seals, 9, "back")
    assert dice(match) == rolled[: match.chances] and match.chances >= 2


def test_dealt_dice_are_even() -> None:
    match, seals = start(depth=14)
    position = next(position for position in itertools.islice(rolls(match, seals), 1))
    counts = [0] * 6
    for event in range(12_000):
        made = seals.deal(position, event)
        assert made is not None
        counts[position.legal.index(made)] += 1
    assert sum((count - 2_000) ** 2 / 2_000 for count in counts) < 20.52, counts  # 5 degrees of freedom, 0.001


def rolls(match: Match, seals: Seals):  # type: ignore[no-untyped-def]
    """Positions in which the die is rolled."""
    while True:
        if match.position.is_chance and len(match.position.legal) == 6:
            yield match.position
        action = seals.deal(match.position, match.chances) if match.position.is_chance else match.position.legal[0]
        match.play(action)


def mean_of(games: int, peeking: bool) -> float:
    """How many standard deviations the mean of first dice is above 3.5, where the server and one of two seats want sixes.

    They choose among eight seeds for their seat. Honestly they have to commit before the other seat opens its link;
    `peeking`, they may wait for it.
    """
    lot, total = random.Random(7), 0
    for _ in range(games):
        secret, honest = lot.randbytes(32), lot.randbytes(32)
        key = bgf1.event_key(secret, b"g" * 16, 0)
        guess = honest if peeking else lot.randbytes(32)

        def die(mine: bytes, other: bytes, key: bytes = key) -> int:
            agreed = bgf1.sha(mine)  # commitments; T binds them
            shared = bgf1.entropy(agreed, [Link(0, 1, other), Link(1, 1, mine)])
            return bgf1.Stream(bgf1.draw_key(key, shared, 0), "chance").die(6)

        best = max((lot.randbytes(32) for _ in range(8)), key=lambda mine: die(mine, guess))
        total += die(best, honest)
    return (total / games - 3.5) / math.sqrt(35 / 12 / games)


def test_a_coalition_of_the_server_and_a_seat_cannot_move_the_dice() -> None:
    assert abs(mean_of(2_000, peeking=False)) < 4
    assert mean_of(2_000, peeking=True) > 20, "the same coalition would, if seats could commit after others have opened"


@pytest.mark.slow
def test_a_coalition_cannot_move_the_dice_of_a_hundred_thousand_games() -> None:
    assert abs(mean_of(100_000, peeking=False)) < 4
