"""What is said of endgame tables: how many positions they hold, their hashes, and a check by the rules that finds a wrong entry."""

from pathlib import Path

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.games.forty_bridges import endgames
from bridgehead.workshop.commands.arenas import verify_endgames
from bridgehead.workshop.forty_bridges.endgames_check import count_positions, judge_entry, list_classes, verify

GAME = registry.game("forty_bridges")


@pytest.mark.parametrize(("pieces", "positions"), [(5, 21_156_695), (8, 22_370_562_917)])
def test_positions_are_those_that_a_game_can_go_on_from(pieces: int, positions: int) -> None:
    assert sum(count_positions(*which) for n in range(2, pieces + 1) for which in endgames.classes(n)) == positions


@pytest.mark.parametrize("which", [(1, 1), (2, 1)])
def test_the_check_meets_as_many_positions_as_are_counted(which: tuple[int, int]) -> None:
    tables, law = endgames.load_shipped_tables(), GAME.law
    seconds, real = endgames.CHOOSE[41 - which[0], which[1]], 0
    for index in range(endgames.size(*which)):
        own = endgames.members(index // seconds, law.board, which[0])
        other = endgames.members(index % seconds, law.board & ~own, which[1])
        real += not (own & law.bit[law.goal[0]] or other & law.bit[law.goal[1]])
    assert real == count_positions(*which)
    assert verify(GAME, tables, 60, 5)[1] == 0


def test_a_wrong_entry_is_found_by_the_rules_and_by_its_hash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped = endgames.load_shipped_tables()
    starts, total = endgames.places(3)
    tables = endgames.PieceTables(shipped.values[:total].copy(), np.array(starts, np.int64))
    index = int(np.flatnonzero(endgames.part(tables, (2, 1)) == 3)[7])
    endgames.part(tables, (2, 1))[index] = 5
    states, out = GAME.new_states(2), np.zeros(GAME.max_legal, np.int32)
    assert [bool(judge_entry(states, GAME.law, 2, 1, n, *tables, out)[1]) for n in (index - 1, index)] == [False, True]
    np.save(tmp_path / endgames.WHOLE, tables.values)
    assert not verify_endgames(tmp_path, 20, 1)
    told = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[1:] for line in told[:3]] == [
        ["1-1", "as published"],
        ["1-2", "as published"],
        ["2-1", "not as published"],
    ]
    assert verify_endgames(None, 20, 1)
    assert len(capsys.readouterr().out.splitlines()) == len(list_classes(shipped)) + 1
