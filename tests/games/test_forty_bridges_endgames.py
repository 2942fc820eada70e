"""What is said of endgame tables: how many positions they hold, their hashes, and a check by the rules."""

from pathlib import Path

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.errors import OptionError
from bridgehead.core.spec import UNKNOWN
from bridgehead.games.forty_bridges import endgames, rules
from bridgehead.games.forty_bridges.bounds import ONWARD, STANDARD
from bridgehead.workshop.commands.arenas import verify_endgames
from bridgehead.workshop.forty_bridges.endgames_check import count_positions, judge_entry, list_classes, verify

GAME = registry.game("forty_bridges")
RECOMMENDED = registry.game("forty_bridges", retreat=False, repetition="forbid")
NO_TABLES = registry.game("forty_bridges", retreat=False)


@pytest.mark.parametrize(("pieces", "positions"), [(5, 21_156_695), (8, 22_370_562_917)])
def test_positions_are_those_that_a_game_can_go_on_from(pieces: int, positions: int) -> None:
    assert sum(count_positions(*which) for n in range(2, pieces + 1) for which in endgames.classes(n)) == positions


@pytest.mark.parametrize("which", [(1, 1), (2, 1)])
def test_the_check_meets_as_many_positions_as_are_counted(which: tuple[int, int]) -> None:
    tables, law = endgames.load_shipped_tables(STANDARD), GAME.law
    seconds, real = endgames.CHOOSE[41 - which[0], which[1]], 0
    for index in range(endgames.size(*which)):
        own = endgames.members(index // seconds, law.board, which[0])
        other = endgames.members(index % seconds, law.board & ~own, which[1])
        real += not (own & law.bit[law.goal[0]] or other & law.bit[law.goal[1]])
    assert real == count_positions(*which)
    assert verify(GAME, tables, 60, 5)[1] == 0


def test_a_wrong_entry_is_found_by_the_rules_and_by_its_hash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped = endgames.load_shipped_tables(STANDARD)
    starts, total = endgames.places(3)
    tables = endgames.PieceTables(shipped.values[:total].copy(), np.array(starts, np.int64))
    index = int(np.flatnonzero(endgames.part(tables, (2, 1)) == 3)[7])
    endgames.part(tables, (2, 1))[index] = 5
    states, out = GAME.new_states(2), np.zeros(GAME.max_legal, np.int32)
    assert [bool(judge_entry(states, GAME.law, 2, 1, n, *tables, out)[1]) for n in (index - 1, index)] == [False, True]
    np.save(tmp_path / endgames.WHOLE, tables.values)
    assert not verify_endgames(GAME, tmp_path, 20, 1)
    told = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[1:] for line in told[:3]] == [
        ["1-1", "as published"],
        ["1-2", "as published"],
        ["2-1", "not as published"],
    ]
    assert verify_endgames(GAME, None, 20, 1)
    assert len(capsys.readouterr().out.splitlines()) == len(list_classes(shipped)) + 1


def test_the_recommended_rules_have_tables_of_their_own_which_the_command_checks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify_endgames(RECOMMENDED, None, 60, 1)
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 7 and all(line.endswith("  as published") for line in told[:6])
    np.save(tmp_path / endgames.WHOLE, endgames.load_shipped_tables(ONWARD).values)
    with pytest.raises(OptionError, match="for other rules"):
        verify_endgames(GAME, tmp_path, 20, 1)
    with pytest.raises(OptionError, match="no finished endgame tables"):
        verify_endgames(RECOMMENDED, tmp_path, 20, 1)
    for refused in (lambda: verify_endgames(NO_TABLES, None, 20, 1), lambda: endgames.build(NO_TABLES, 2, tmp_path)):
        with pytest.raises(OptionError, match="only the written rules and the recommended ones"):
            refused()


@pytest.mark.parametrize("rule_set", [STANDARD, ONWARD])
def test_tables_say_nothing_where_the_history_may_speak_against_them(rule_set: int) -> None:
    """The quiet limit comes first, or some position occurred twice and no piece goes back: a move may be forbidden."""
    game = {STANDARD: GAME, ONWARD: RECOMMENDED}[rule_set]
    look, tables = game.spec.evaluate.look_up_plies, endgames.load_shipped_tables(rule_set)
    here = game.start().supposing(pieces=[rules.bits_of([3, 39]), rules.bits_of([2, 4])], quiet=0)
    plies = look(here.read_only, game.law, *tables)
    assert plies > 0
    limit = game.law.quiet_limit
    known = [look(here.supposing(quiet=quiet).read_only, game.law, *tables) for quiet in (limit - plies, limit - plies + 1)]
    assert known == [plies, UNKNOWN]
    twice = here.supposing(twice=[1, 0, 0, 0]).read_only
    assert look(twice, game.law, *tables) == (plies if rule_set == STANDARD else UNKNOWN)


def test_a_draw_of_more_pieces_is_none_where_it_may_hang_on_a_forbidden_repetition() -> None:
    starts, total = endgames.places(5)
    zeros = endgames.PieceTables(np.zeros(total, np.uint8), np.array(starts, np.int64))
    for game, five in ((GAME, 0), (RECOMMENDED, UNKNOWN)):
        look = game.spec.evaluate.look_up_plies
        for extra, expected in (([], 0), ([20], five)):
            here = game.start().supposing(pieces=[rules.bits_of([0, 1, *extra]), rules.bits_of([38, 39])])
            assert look(here.read_only, game.law, *zeros) == expected
