"""Numbers of action sequences from chosen positions: engine, compiled engine and oracle count the same."""

import json
from pathlib import Path
from typing import Any

import pytest
from pair import GAMES, count_by_engine, counts_by_oracle, engine, oracle

from bridgehead.terminal.shows import count

TABLE: dict[str, list[dict[str, Any]]] = json.loads(Path(__file__).with_name("perft.json").read_text("utf-8"))
PLAIN, SHALLOW = 2_000, 300  # sequences counted by the plain engine, and by the oracle, in the normal run
ROWS = [pytest.param(name, row, id=f"{name}-{number}") for name in GAMES for number, row in enumerate(TABLE[name])]


def counts(name: str, options: dict[str, Any], line: list[str], depth: int) -> list[int]:
    """Numbers of sequences of 1, 2, 3… actions up to that depth, by the loop of `bridgehead perft`."""
    return [count(engine(name, options, line), each + 1) for each in range(depth)]


def depth_below(row: dict[str, Any], most: int) -> int:
    """The greatest depth with at most so many sequences; the first move is always counted."""
    return max([1] + [depth + 1 for depth, number in enumerate(row["counts"]) if number <= most])


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_twelve_positions_or_more_and_a_million_sequences_at_their_greatest_depths(name: str) -> None:
    assert len(TABLE[name]) >= 12
    assert sum(row["counts"][-1] for row in TABLE[name]) >= 1_000_000
    assert sum(max(row["counts"]) >= 5_000 for row in TABLE[name]) >= 10


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_the_plain_engine_counts_the_sequences(name: str, row: dict[str, Any]) -> None:
    depth = depth_below(row, PLAIN)
    assert count_by_engine(engine(name, row["options"], row["line"]), depth) == row["counts"][depth - 1]


@pytest.mark.parametrize("name", GAMES)
def test_the_compiled_engine_counts_the_sequences(name: str, compiled: Any, counted: Any) -> None:
    counted(name, sum(sum(row["counts"]) for row in TABLE[name]), "sequences")
    for row in TABLE[name]:
        told = compiled(name)("test_perft", "counts", name, row["options"], row["line"], len(row["counts"]))
        assert told == row["counts"]


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_the_oracle_counts_the_shorter_sequences(name: str, row: dict[str, Any]) -> None:
    depth = depth_below(row, SHALLOW)
    assert counts_by_oracle(name, oracle(name, row["options"], row["line"]), depth) == row["counts"][:depth]


@pytest.mark.long
@pytest.mark.parametrize(("name", "row"), ROWS)
def test_the_oracle_counts_all_sequences(name: str, row: dict[str, Any], counted: Any) -> None:
    counted(name, row["counts"][-1], "sequences")
    one = oracle(name, row["options"], row["line"])
    assert counts_by_oracle(name, one, len(row["counts"])) == row["counts"]
