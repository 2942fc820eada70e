"""Puzzles: those that come with the games are legal and graded, and a fresh search agrees with them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bridgehead.core import registry
from bridgehead.core.errors import RecordError
from bridgehead.core.spec import Spec
from bridgehead.players.levels import NAMES
from bridgehead.players.puzzles import Puzzle, format_puzzle, pose_puzzle, puzzles, read
from bridgehead.players.thoughts import Clock
from bridgehead.workshop.puzzles import opinions, searching

SPECS = [spec for spec in registry.specs().values() if puzzles(spec)]


def test_all_four_games_have_puzzles() -> None:
    assert {spec.id for spec in SPECS} == {"barricade", "burning_bridges", "forty_bridges", "front_lines"}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_every_puzzle_is_legal_one_of_a_kind_and_has_something_to_find(spec: Spec) -> None:
    found = puzzles(spec)
    assert len({each.position for each in found}) == len(found)
    assert [each.grade for each in found] == sorted(each.grade for each in found)
    for each in found:
        _, position, action = pose_puzzle(spec, each)
        assert position.actor >= 0 and action in position.legal and len(position.legal) >= searching.SLIGHT
        assert each.chance - each.other >= opinions.MARGIN * opinions.even(position.game) - 0.001
        assert (each.kind == "win") == (each.chance >= opinions.WON) and 0 < each.grade <= len(NAMES)
        if each.kind == "hold":
            assert each.other <= opinions.LOST * opinions.even(position.game) + 0.001


COMPILED = """
import random, sys
from bridgehead.core import registry
from bridgehead.players.puzzles import pose_puzzle, puzzles
from bridgehead.workshop.puzzles import opinions, searching
spec, agreed = registry.spec(sys.argv[1]), 0
for each in random.Random(7).sample(puzzles(spec), 3):
    _, position, action = pose_puzzle(spec, each)
    found = opinions.judge_position(position, opinions.SURE, "another seed")
    agreed += found.action == action and opinions.is_clear(found, position.game)
games = [[each.text for each in searching.candidates(registry.game(spec.id), "7:0")] for _ in range(2)]
print(agreed, games[0] == games[1])
"""


@pytest.mark.long
@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_a_search_that_has_not_seen_a_puzzle_finds_the_same_action(spec: Spec) -> None:
    command = [sys.executable, "-c", COMPILED, spec.id]  # compiled: plain searches of this size take an hour
    ran = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "0"}, capture_output=True, text=True, check=True)
    agreed, is_repeatable = ran.stdout.split()
    assert int(agreed) >= 2 and is_repeatable == "True"


def test_the_history_of_a_game_is_left_out_of_its_puzzles() -> None:
    game = registry.game("forty_bridges")
    position = game.load("b1,A1,A2,B2,c3,d3 e2,D2,c4,d4,C4,D4 a 82 0 - - -")
    for _ in range(4):
        position = position.play(next(action for action in position.legal if not position.play(action).is_over))
    fresh = searching.fresh(position)
    assert (
        fresh is not None and fresh.text.split()[4:7] == ["0", "-", "-"] and fresh.text.split()[:4] == position.text.split()[:4]
    )
    assert searching.fresh(game.start()) is not None


def test_a_damaged_file_is_refused_with_its_line(tmp_path: Path) -> None:
    file, good = tmp_path / "puzzles.txt", format_puzzle(Puzzle("x", "y", "win", 1.0, 0.5, 3))
    file.write_text(f"{good}\n{good[:20]}\n")
    with pytest.raises(RecordError, match=r"puzzles\.txt:2"):
        read(file)
    file.write_text(f"{good}\n")
    assert read(file) == [Puzzle("x", "y", "win", 1.0, 0.5, 3)]


def test_the_clock_of_a_search_may_be_asked_any_number_of_times() -> None:
    clock = Clock(None, 10**9, None)
    for _ in range(5000):  # each slice could be larger than the one before
        assert clock.slice() > 0
        clock.count(1)
    assert clock.made == 5000
