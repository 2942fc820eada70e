"""The dealer of sealed chance: eras, takebacks, evenness, what a coalition can do, and tables of an older release."""

import itertools
import math
import random
from collections.abc import Mapping, Sequence

import pytest

import bridgehead
from bridgehead.core.match import Match
from bridgehead.fairness import bgf1, bgf2, proof
from bridgehead.fairness.bgf1 import Link, SeatHead
from bridgehead.fairness.bgf2 import Contribution
from bridgehead.fairness.seals import Seals, SecretKeeper, begin, proof_of
from bridgehead.players import player
from fairness import made_bgf1

GAME_ID = b"g" * 16


def played_log(match: Match, frozen: Mapping[int, Sequence[int]] | None = None) -> list[tuple[int, int]]:
    """The log of a proof of a match without takebacks. frozen: the eras that were frozen, by the length of the log then."""
    log: list[tuple[int, int]] = []
    for at in range(len(match.log) + 1):
        log += [(proof.FROZEN, number) for number in (frozen or {}).get(at, ())]
        log += [(entry.actor, entry.action) for entry in match.log[at : at + 1]]
    return log


def era(seals: Seals, level: int = 1, depth: int = 0) -> Seals:
    """With another era, sealed by two persons, frozen and opened."""
    made = begin(seals, GAME_ID, level, [False, False])
    if depth:
        root = bgf2.Tree(seals.keeper.derive_secret(GAME_ID, made.number), GAME_ID, made.number, depth).root
        made = made._replace(depth=depth, root=root)
    seals = seals.begin_era(made)
    for seat, links in enumerate(chains(made.number, level)):
        seals = seals.commit_head(seat, SeatHead(0, links[0]), f"holder {seat}")
    assert seals.pending is not None
    terms = seals.terms(seals.pending)
    seals = seals.froze(terms.transcript, "", terms.first)
    for seat, links in enumerate(chains(made.number, level)):
        seals = seals.open_link(GAME_ID, Link(seat, 1, links[1]), made.number)
    return seals


def chains(number: int, level: int) -> list[list[bytes]]:
    return [bgf2.chain(bytes([1 + seat]) * 32, GAME_ID, number, seat, bgf2.chain_length(level, 0)) for seat in (0, 1)]


def start(level: int = 1, depth: int = 0) -> tuple[Match, Seals]:
    game = bridgehead.game("barricade", board="mini", seats=2)
    return Match(game), era(Seals(SecretKeeper(b"k" * 32), game), level, depth)


def walk(match: Match, seals: Seals, decisions: int, seed: str = "x") -> Seals:
    """Play on at random, with chance as it is sealed."""
    chooser = player("random", seed)
    for _ in range(decisions):
        match.deal(seals)
        seals = seals.follow_match(match.chances, match.position.is_over)
        if match.position.is_over or match.position.is_chance:
            break
        match.play(chooser.choose(match.position))
    return seals


def dice(match: Match) -> list[str]:
    return [match.positions[i].name(entry.action) for i, entry in enumerate(match.log) if entry.actor < 0]


def broken(match: Match, seals: Seals, frozen: dict[int, list[int]]) -> list[str]:
    """What the verifier finds broken; the log has the freezes at these lengths of the match's log."""
    made = proof_of(match, played_log(match, frozen), GAME_ID.hex(), seals.disclose_eras(match.chances, True))
    return [finding.what for finding in proof.verify(made) if finding.verdict == "broken"]


def test_a_takeback_rolls_nothing_again() -> None:
    match, seals = start()
    seals = walk(match, seals, 20)
    rolled, length = dice(match), len(match.log)
    for point in (2, 9, length - 1):
        match.rewind(point)
        seals = walk(match, seals, 25, f"another way {point}")
        assert dice(match)[: len(rolled)] == rolled[: match.chances]
    assert broken(match, seals, {0: [1]}) == []


def test_a_takeback_into_an_era_before_keeps_its_dice_and_the_next_goes_on_behind_all_that_was_dealt() -> None:
    match, seals = start()
    seals = walk(match, seals, 12)
    rolled, length = dice(match), len(match.log)
    seals = era(seals)
    assert seals.running_era is not None and seals.running_era.first == match.chances and seals.running_era.number == 2
    match.rewind(4)
    seals = walk(match, seals, 30, "y")
    assert dice(match)[: len(rolled)] == rolled and match.chances > len(rolled)
    told = [entry for entry in seals.disclose_eras(match.chances, True)[1]]
    assert [each.first for each in told] == [0, len(rolled)]
    again = len([entry for entry in match.log if entry.actor < 0][: len(rolled)])
    assert again == len(rolled) and length > 4


def test_after_the_end_when_the_secret_is_out_only_what_was_dealt_is_dealt() -> None:
    match, seals = start()
    seals = walk(match, seals, 10).follow_match(match.chances, True)
    rolled = dice(match)
    match.rewind(3)
    seals = walk(match, seals, 40, "z")
    assert match.position.is_chance and dice(match) == rolled, "what comes next needs a new era"
    seals = walk(match, era(seals), 5)
    assert len(dice(match)) > len(rolled)


def test_a_draw_after_the_end_from_an_era_whose_secret_is_public_breaks_the_proof() -> None:
    match, seals = start()
    seals = walk(match, seals, 20)
    log = played_log(match, {0: [1]})
    for point, broken_is in ((len(log), False), (6, True)):
        told = proof_of(
            match, [*log[:point], (proof.OVER, 0), *log[point:]], GAME_ID.hex(), seals.disclose_eras(match.chances, True)
        )
        found = [finding.what for finding in proof.verify(told) if finding.verdict == "broken"]
        assert any("eras and draws follow" in what for what in found) == broken_is


def test_an_era_ends_where_its_tree_does() -> None:
    match, seals = start(depth=3)
    seals = walk(match, seals, 60)
    length = len(match.log)
    assert match.chances == 8 and match.position.is_chance and seals.running_era is None
    seals = walk(match, era(seals, depth=3), 60)
    assert match.chances == 16
    assert broken(match, seals, {0: [1], length: [2]}) == []
    told = proof_of(match, played_log(match, {0: [1], length: [2]}), GAME_ID.hex(), seals.disclose_eras(match.chances, True))
    assert not any("was replaced" in finding.what for finding in proof.verify(told)), "nobody could choose the time"


def test_a_live_draw_that_was_answered_keeps_its_answer() -> None:
    match, seals = start(level=2)
    running = seals.running_era
    assert running is not None and match.deal(seals) == 0
    links = chains(1, 2)
    for event in range(3):
        seals = seals.request_links(GAME_ID, event, [1, 0], 1)
        for seat in (0, 1):
            assert seals.deal(match.position, event) is None
            seals = seals.open_link(GAME_ID, Link(seat, event + 2, links[seat][event + 2]), 1)
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
        key = bgf2.event_key(secret, GAME_ID, 1, 0)
        guess = honest if peeking else lot.randbytes(32)

        def die(mine: bytes, other: bytes, key: bytes = key) -> int:
            agreed = bgf1.sha(mine)  # commitments; T binds them
            shared = bgf2.entropy(bgf2.combine_openings(agreed, [other, mine]), 0, [Contribution(0, other)])
            return 1 + bgf2.outcome(key, shared, 0, [1] * 6)

        best = max((lot.randbytes(32) for _ in range(8)), key=lambda mine: die(mine, guess))
        total += die(best, honest)
    return (total / games - 3.5) / math.sqrt(35 / 12 / games)


def test_a_coalition_of_the_server_and_a_seat_cannot_move_the_dice() -> None:
    assert abs(mean_of(2_000, peeking=False)) < 4
    assert mean_of(2_000, peeking=True) > 20, "the same coalition would, if seats could commit after others have opened"


@pytest.mark.long
def test_a_coalition_cannot_move_the_dice_of_a_hundred_thousand_games() -> None:
    assert abs(mean_of(100_000, peeking=False)) < 4


def test_a_table_of_an_older_release_goes_on_with_its_era_until_the_next_one_is_frozen() -> None:
    game = bridgehead.game("barricade", board="mini", seats=2)
    match, seals = Match(game), made_bgf1.sealed(game, b"o" * 32, b"old game id 0000", [False, False])
    seals = walk(match, seals, 8)
    rolled, length = dice(match), len(match.log)
    assert seals.running_era is not None and not seals.running_era.number and match.chances > 3
    seals = era(seals)
    assert seals.running_era is not None and (seals.running_era.number, seals.running_era.first) == (1, match.chances)
    match.rewind(3)
    assert walk(match, seals, 6) and dice(match)[: len(rolled)] == rolled[: match.chances], "its draws stay"
    match.rewind(3)
    seals = walk(match, seals, 30, "on")
    assert match.chances > len(rolled) and length > 3
    old, new = seals.disclose_eras(match.chances, True)
    frozen = next(i for i in range(len(match.log)) if sum(entry.actor < 0 for entry in match.log[:i]) == len(rolled))
    told = proof_of(match, played_log(match, {frozen: [1]}), GAME_ID.hex(), (old, new))
    findings = proof.verify(told)
    assert len(old) == len(new) == 1 and proof.verdict(findings) == "open", findings
    assert any("era 1 of BGF1: " in finding.what for finding in findings)
    live = made_bgf1.sealed(game, b"o" * 32, b"old game id 0000", [False, False], level=2)
    assert live.running_era is None, "live draws of BGF1 are not made any more: the next era deals them"
