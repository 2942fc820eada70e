"""BGF1 against the published vectors, byte for byte, and its arithmetic against what it promises."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridgehead.fairness import bgf1

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("vectors.json").read_text("utf-8"))
GAME = bytes.fromhex(VECTORS["game_id"])
SECRET = bytes.fromhex(VECTORS["S"])
RULES = bgf1.sha(b"rules-v1")


@pytest.fixture(scope="module")
def tree() -> bgf1.Tree:
    return bgf1.Tree(SECRET, GAME, VECTORS["depth"])


@pytest.fixture(scope="module")
def chains() -> list[list[bytes]]:
    return [bgf1.chain(bytes([0xA0 + seat]) * 32, GAME, seat) for seat in range(3)]


def agreed(level: int, tree: bgf1.Tree, chains: list[list[bytes]]) -> bytes:
    heads = [bgf1.SeatHead(0, chain[0]) for chain in chains]
    return bgf1.make_transcript(GAME, RULES, tree.root, tree.depth, level, heads)


def test_commitments_equal_the_vectors(tree: bgf1.Tree, chains: list[list[bytes]]) -> None:
    assert tree.root.hex() == VECTORS["root"]
    assert [chain[0].hex() for chain in chains] == VECTORS["seat_heads"]
    assert agreed(1, tree, chains).hex() == VECTORS["T_level1"]
    assert agreed(2, tree, chains).hex() == VECTORS["T_level2"]


@pytest.mark.parametrize("event", VECTORS["events"], ids=lambda event: f"event {event['e']}")
def test_draws_equal_the_vectors(event: dict[str, Any], tree: bgf1.Tree, chains: list[list[bytes]]) -> None:
    e, level = event["e"], event["level"]
    given = [(seat, 1) for seat in range(3)] if level == 1 else [(0, e + 1), (2, e + 1)]
    key = tree.key(e)
    assert key.hex() == event["k_e"]
    links = [bgf1.Link(seat, j, chains[seat][j]) for seat, j in given]
    shared = bgf1.entropy(agreed(level, tree, chains), links, 0 if level == 1 else e)
    assert shared.hex() == event["E"]
    drawn = bgf1.draw_key(key, shared, e)
    assert drawn.hex() == event["X"]
    stream, (kind, *numbers) = bgf1.Stream(drawn, event["label"]), event["op"].split()
    made = {
        "dice": lambda: [stream.die(int(numbers[1])) for _ in range(int(numbers[0]))],
        "shuffle": lambda: stream.shuffle(int(numbers[0])),
        "below": lambda: [stream.below(int(numbers[0])) for _ in range(int(numbers[1].lstrip("x")))],
    }[kind]()
    assert made == event["result"]


def test_a_path_proves_its_key_and_no_other(tree: bgf1.Tree) -> None:
    for e in (0, 1, 77, 4095):
        assert bgf1.climb(e, tree.key(e), tree.path(e)) == tree.root
        assert bgf1.climb(e ^ 1, tree.key(e), tree.path(e)) != tree.root
        assert bgf1.climb(e, tree.key(e ^ 1), tree.path(e)) != tree.root


def test_a_link_belongs_to_its_head_only(chains: list[list[bytes]]) -> None:
    heads = [chain[0] for chain in chains]
    for number in (1, 3, bgf1.CHAIN):
        link = bgf1.Link(0, number, chains[0][number])
        assert bgf1.is_link_of(heads[0], link, GAME)
        assert not bgf1.is_link_of(heads[1], link, GAME)
        assert not bgf1.is_link_of(heads[0], link._replace(number=number + 1), GAME)
        assert not bgf1.is_link_of(heads[0], link._replace(seat=1), GAME)


@given(st.integers(1, 2**32))
def test_below_stays_below(n: int) -> None:
    stream = bgf1.Stream(b"x" * 32, "roll")
    assert all(0 <= stream.below(n) < n for _ in range(8))


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_below_refuses_what_it_cannot_draw(n: int) -> None:
    with pytest.raises(ValueError, match="below"):
        bgf1.Stream(b"x" * 32, "roll").below(n)


def test_words_beyond_the_last_whole_multiple_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    words = iter([2**64 - 1, 2**64 - 2**64 % 6, 2**64 - 2**64 % 6 - 1])
    monkeypatch.setattr(bgf1, "_words", lambda drawn, label, tag: words)
    assert bgf1.Stream(b"", "").below(6) == 5


def chi_square(counts: list[int], expected: list[int]) -> float:
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))


def test_weighted_draws_keep_their_weights() -> None:
    stream, weights = bgf1.Stream(b"w" * 32, "deck:main"), [1, 0, 4, 5]
    drawn = [stream.choose_by_weight(weights) for _ in range(20_000)]
    counts = [drawn.count(index) for index in range(4)]
    assert counts[1] == 0
    assert chi_square([counts[0], *counts[2:]], [2_000, 8_000, 10_000]) < 13.82  # 2 degrees of freedom, 0.001


def test_dice_and_shuffles_are_even() -> None:
    stream = bgf1.Stream(b"d" * 32, "roll")
    rolls = [stream.die(6) for _ in range(30_000)]
    assert chi_square([rolls.count(face) for face in range(1, 7)], [5_000] * 6) < 20.52  # 5 degrees of freedom, 0.001
    orders = [tuple(stream.shuffle(3)) for _ in range(12_000)]
    assert len(set(orders)) == 6
    assert chi_square([orders.count(order) for order in set(orders)], [2_000] * 6) < 20.52
