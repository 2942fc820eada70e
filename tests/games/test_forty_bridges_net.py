"""The net of 40 Bridges (examples/researchers/net_example.py): its words add up to what its numbers say, for either seat, and it
is the net of its manifest."""

import hashlib
import json
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.core.game import Position
from bridgehead.games.forty_bridges import evaluate
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.players.alphabeta import AlphaBeta
from bridgehead.players.thoughts import Limit
from programs import program

net, GAME = program("net_example", "examples/researchers"), registry.game("forty_bridges")
FILE = net.FILE


def pieces(seed: int) -> tuple[set[int], set[int]]:
    """Up to eight fields of each seat."""
    lot = random.Random(seed)
    fields = lot.sample(range(FIELDS), 16)
    return set(fields[: lot.randint(1, 8)]), set(fields[8 : 8 + lot.randint(1, 8)])


def state(first: set[int], second: set[int], seat: int) -> Any:
    return SimpleNamespace(pieces=[sum(1 << field for field in each) for each in (first, second)], seat=seat)


def by_hand(read: Any, own: set[int], enemy: set[int]) -> int:
    """The same from the numbers of the file, unit by unit."""
    total = read.constant
    for unit, output in enumerate(read.output):
        inputs = [*own, *(FIELDS + field for field in enemy), net.INPUTS]
        hidden = min(max(sum(read.weights[each][unit] for each in inputs), 0), net.UNIT)
        total += output * hidden * hidden
    return total // 2**net.FINE


@pytest.mark.parametrize("seed", range(20))
def test_it_says_what_its_numbers_say_for_either_seat(seed: int) -> None:
    read, (own, enemy) = net.read(FILE), pieces(seed)
    turned = [{FIELDS - 1 - field for field in each} for each in (own, enemy)]
    expected = by_hand(read, own, enemy)
    assert net.correction(state(own, enemy, 0), 0) == expected
    assert net.correction(state(turned[1], turned[0], 1), 1) == expected


@pytest.mark.parametrize("weight", [1 - net.OFFSET, net.OFFSET - 1])
def test_no_part_of_a_word_runs_over_into_the_next(weight: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lot, width = random.Random(weight), net.LANES * net.BLOCK
    extreme = net.Net(
        [[weight if lot.random() < 0.7 else -weight for _ in range(width)] for _ in range(net.INPUTS + 1)], [1] * width, 0
    )
    monkeypatch.setattr(net, "WORDS", net.words(extreme))
    monkeypatch.setattr(net, "OUTPUT", [1 << net.FINE] * width)
    monkeypatch.setattr(net, "CONSTANT", 0)
    monkeypatch.setattr(net, "WIDTH", net.BLOCK)
    for seed in range(20):
        own, enemy = pieces(seed)
        found = by_hand(extreme._replace(output=[1 << net.FINE] * width), own, enemy)
        assert net.correction(state(own, enemy, 0), 0) == found


def test_it_is_the_net_of_its_manifest_and_small() -> None:
    made = json.loads(FILE.with_name("net.manifest.json").read_text("utf-8"))
    assert made["net"] == hashlib.sha256(FILE.read_bytes()).hexdigest()
    assert made["rules"] == registry.spec("forty_bridges").version and made["rows"] > 100_000
    assert FILE.stat().st_size <= 2_000_000
    assert made["result"]["verdict"] == "better"


@pytest.mark.parametrize("change", [{"weights": []}, {"output": [1]}, {"large": True}])
def test_a_file_that_is_no_such_net_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    read = json.loads(FILE.read_text("utf-8"))
    if change.pop("large", False):
        read["weights"][3][4] = net.OFFSET
    (tmp_path / "net.json").write_text(json.dumps(read | change), "utf-8")
    with pytest.raises(ValueError, match="not a net"):
        net.read(tmp_path / "net.json")


def test_while_the_first_seat_is_drawn_neither_is_ahead() -> None:
    start = registry.game("forty_bridges", first="random").start()
    values = [evaluate.value(start.state, start.game.law, seat) for seat in range(2)]
    assert start.is_chance and values == pytest.approx([0, 0])


def test_material_is_counted_besides_the_weights() -> None:
    position, lot, uneven = GAME.start(), random.Random(4), 0
    for _ in range(600):
        position = position.after(lot.choice(position.legal))
        if position.is_over:
            position = GAME.start()
        counts = [int(each).bit_count() for each in position.state.pieces]
        for seat in range(2):
            learned = evaluate.worth(position.state, GAME.law, seat, evaluate.WEIGHTS)
            more = counts[seat] - counts[1 - seat]
            assert evaluate.value(position.state, GAME.law, seat) == pytest.approx(learned)
            assert evaluate.material(position.state, seat) == more
            uneven += more != 0
    assert uneven > 100


def test_a_search_with_the_net_judges_by_the_corrected_evaluation() -> None:
    position = GAME.start()
    for _ in range(9):
        position = position.after(position.legal[-1])
    state, law, seat = position.state, GAME.law, position.actor
    value = net.corrected(state, law, seat)
    assert value == evaluate.value(state, law, seat) + net.correction(state, seat) / net.GRAIN
    other = net.with_net()
    plain, corrected = (
        AlphaBeta(16).think(Position(game, position.copy_states()), Limit(depth=1)).score for game in (GAME, other)
    )
    assert plain != corrected
    assert len(net.contest(1, 10, 0.0, 1)) == 1
