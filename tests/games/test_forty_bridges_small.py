"""Smaller boards are solved by the rules: every value follows from those after it, and a search finds the same."""

from pathlib import Path

import numpy as np
import pytest

from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.position import Position
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.players.alphabeta import AlphaBeta
from bridgehead.players.thoughts import Limit
from bridgehead.workshop.forty_bridges import small
from bridgehead.workshop.forty_bridges.small import Solved, at, crop_board, first_moves, game_on, put, solve
from programs import program

PAGE = Path(__file__).parents[2] / "docs" / "notebook" / "small_boards.md"


@pytest.fixture(scope="module")
def solved() -> Solved:
    return solve(game_on(3, 2, "a1,A1"), 2)


def positions(solved: Solved) -> list[tuple[int, int]]:
    """Pieces of player 1, to move, and of player 2: all positions that are none of an end."""
    game = solved.game
    inside = [1 << field for field in range(FIELDS) if int(game.law.board) >> field & 1]
    sets = [sum(inside[i] for i in range(8) if bits >> i & 1) for bits in range(1, 256) if bits.bit_count() <= 2]
    return [(own, other) for own in sets for other in sets if not own & other and not own & inside[-1] and not other & inside[0]]


def placed(game: Game, own: int, other: int) -> Position:
    states = game.new_states(1)
    put(states[0], game.law, np.uint64(own), np.uint64(other))
    return Position(game, states)


def turned(pieces: int) -> int:
    """On the board of 3 x 2 squares: a1 is field 0, A1 5, B1 6, and c2 is 11."""
    order = [0, 1, 2, 5, 6, 9, 10, 11]
    return sum(1 << order[-1 - i] for i, field in enumerate(order) if pieces >> field & 1)


def test_a_board_is_cut_with_all_that_touches_inside() -> None:
    board = crop_board(3, 2, "a1,A1")
    assert [board.names[field] for field in range(FIELDS) if board.touch[field]] == [
        "a1", "b1", "c1", "A1", "B1", "a2", "b2", "c2",
    ]  # fmt: skip
    assert board.corners == (0, 11) and board.setups["block"] == ((0, 5), (6, 11))
    assert [board.names[field] for field in board.touch[1]] == ["a1", "c1", "A1", "B1", "b2"]
    whole = crop_board(5, 5, "a1")
    assert whole.step == small.standard().step and whole.jump == small.standard().jump and whole.corners == (0, 40)


@pytest.mark.parametrize(
    "wrong", [(1, 3, "a1"), (3, 6, "a1"), (3, 3, "d1"), (3, 3, "a1,z9"), (3, 3, "c3"), (3, 3, "b2"), (3, 2, "A1,B1")]
)
def test_set_ups_that_are_none_are_refused(wrong: tuple[int, int, str]) -> None:
    with pytest.raises(OptionError):
        crop_board(*wrong)


def test_every_value_follows_from_the_values_after_it(solved: Solved) -> None:
    everywhere, seen = positions(solved), set()
    assert len(everywhere) == int((solved.values >= 0).sum()) == 505
    for own, other in everywhere:
        position, after = placed(solved.game, own, other), []
        for action in position.legal:
            states = position.copy_states()
            solved.game.spec.rules.apply(states[0], solved.game.law, action)
            if states[0].reason:
                after.append({0: 0, 1: 1}.get(int(states[0].winner)))
            else:
                after.append(at(solved, turned(int(states[0].pieces[1])), turned(int(states[0].pieces[0]))) or None)
        lost_after = [value for value in after if value is not None and value % 2 == 0]
        if lost_after:
            expected = min(lost_after) + 1
        else:
            expected = 0 if None in after else max(value for value in after if value is not None) + 1
        value = at(solved, own, other)
        assert value == expected, (own, other)
        seen.add(value)
    assert seen == set(range(11))


def test_a_search_that_knows_no_table_finds_the_same(solved: Solved) -> None:
    wanted = {value: 2 for value in range(1, 6)}
    for own, other in positions(solved)[::7]:
        value = at(solved, own, other)
        if wanted.get(value, 0) == 0 or placed(solved.game, own, other).outcome is not None:
            continue
        wanted[value] -= 1
        line = AlphaBeta(1 << 12).think(placed(solved.game, own, other), Limit(depth=value))
        assert line.decided == (value if value % 2 else -value)
    assert not any(wanted.values())


def test_the_page_says_what_the_solver_finds(solved: Solved) -> None:
    assert first_moves(solved) == {"a1-b2": 3, "a1-b1": 0, "a1-a2": 0}
    tool = program("small_boards")
    page = PAGE.read_text("utf-8")
    assert all(line in page.splitlines() for line in tool.row(*tool.BOARDS[0])) and tool.HEAD in page
    assert all(f"| {columns} x {rows} |" in page and setup in page for columns, rows, setup in tool.BOARDS)
