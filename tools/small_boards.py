"""Perfect play on smaller boards: solve them (a minute) and write docs/notebook/small_boards.md."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from bridgehead.workshop.forty_bridges import small

PAGE = Path(__file__).parents[1] / "docs" / "notebook" / "small_boards.md"
# Columns and rows of squares, and the square of player 1; player 2 starts opposite.
BOARDS = (
    (3, 2, "a1,A1"), (3, 3, "a1,b1"), (3, 3, "a1,b1,a2"), (3, 3, "a1,b1,A1"), (3, 3, "a1,b1,a2,A1"),
    (4, 3, "a1,b1,a2"), (4, 3, "a1,b1,a2,A1"), (4, 4, "a1,b1,a2"), (4, 4, "a1,b1,A1"),
)  # fmt: skip
HEAD = """# Small boards, solved

Made by `python tools/small_boards.py`. The boards are cut from the standard one and keep its rules.
Every position with up to as many pieces a side as at the start is worked out backwards from the end.
"Nobody" means that neither side can force a win: the loser can go round until the third repetition makes a draw.
Plies count the moves of both sides.

| squares | octagons | pieces (and opposite) | positions | seat to move wins | loses | longest win, plies | the start |
|---|---|---|---|---|---|---|---|
"""
MOVES = """

## What each first move comes to for player 1

| squares | pieces | result: moves |
|---|---|---|
"""


def row(columns: int, rows: int, setup: str) -> tuple[str, str]:
    """The line of a board in the table, with the values of its first moves."""
    solved = small.solve(small.game_on(columns, rows, setup), len(setup.split(",")))
    there = solved.values[solved.values >= 0]
    wins, losses = float((there % 2 == 1).mean()), float(((there > 0) & (there % 2 == 0)).mean())
    moves = small.first_moves(solved)
    best = max(moves.values(), key=worth)
    cells = (
        f"{columns} x {rows}", str((columns - 1) * (rows - 1)), setup, f"{len(there):,}", f"{wins:.0%}", f"{losses:.0%}",
        str(int(np.max(there))), words(best),
    )  # fmt: skip
    parts = [
        f"{words(value)}: {', '.join(m for m in moves if moves[m] == value)}" for value in sorted({*moves.values()}, key=worth)
    ]
    return "| " + " | ".join(cells) + " |", f"| {columns} x {rows} | {setup} | {'; '.join(reversed(parts))} |"


def worth(value: int) -> float:
    """The rank of a value: a quick win is best, a quick loss worst."""
    return 0.0 if value == 0 else 1 / value


def words(value: int) -> str:
    """A value in words, for player 1."""
    return "nobody" if value == 0 else f"{'won' if value > 0 else 'lost'} in {abs(value)}"


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    rows, moves = zip(*(row(*board) for board in BOARDS), strict=True)
    date = time.strftime("\n\nSolved on %-d %B %Y.")
    PAGE.write_text(HEAD + "\n".join(rows) + date + MOVES + "\n".join(moves) + "\n", "utf-8")
    print(f"written to {PAGE}", file=sys.stderr)


if __name__ == "__main__":
    main()
