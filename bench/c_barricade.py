"""Barricade against the same game written by hand in C: equal games first, then the ratio of their speeds.

Both play the classic board with four seats by the preset `classic`, at random with the same numbers, on one thread. The C code
(bench/c/barricade.c) is compiled with `cc -O3 -march=native`, gets the board from the project's board file and makes its own
table of ways. Rounds alternate and are measured in CPU time, so that a busy machine slows both alike.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.core.jit import COMPILED
from bridgehead.core.kernels import kernels
from bridgehead.games.barricade.options import barricade_squares

SOURCE = Path(__file__).with_name("c") / "barricade.c"
SEATS = 4
LONGEST = 1_000_000  # actions
TARGET = 0.5  # ours is to be at least so fast, as a part of C's speed
Result = tuple[int, int, int, int, str]  # winner, decisions, chance actions, turns, hash of the last position


def compiled(folder: Path) -> Any:
    """The C code as a library. Errors: SystemExit if there is no C compiler."""
    library = folder / "barricade.so"
    command = ["cc", "-O3", "-march=native", "-std=c11", "-Wall", "-Wextra", "-shared", "-fPIC", str(SOURCE), "-o", str(library)]
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        raise SystemExit("a C compiler called cc is needed") from None
    made = ctypes.CDLL(str(library))
    made.play_games.restype = ctypes.c_int64
    made.play_games.argtypes = [ctypes.c_uint64, ctypes.c_int, ctypes.POINTER(ctypes.c_int64)]
    made.play_one.argtypes = [ctypes.c_uint64, *[ctypes.c_void_p] * 4]
    return made


def prepare(library: Any, game: Game) -> None:
    """Tell the C code the board."""
    board = game.board
    near = [[*found, *[-1] * (4 - len(found))] for found in board.neighbours]
    lists = (
        sum(near, []),
        [home.entry for home in board.homes],
        [*board.barricades, -1],
        [*barricade_squares(game.options, board), -1],
    )
    library.prepare(len(board.squares), board.final, *((ctypes.c_int * len(each))(*each) for each in lists))


def game_in_c(library: Any, game: Game, seed: int) -> Result:
    """One game played by the C code."""
    numbers, position = np.zeros(2, np.int64), np.zeros(len(game.board.squares) + SEATS, np.uint8)
    turns = np.zeros(1, np.int32)
    winner = library.play_one(seed, numbers.ctypes.data, numbers[1:].ctypes.data, turns.ctypes.data, position.ctypes.data)
    return winner, int(numbers[0]), int(numbers[1]), int(turns[0]), hashlib.sha256(position.tobytes()).hexdigest()


def game_of_ours(game: Game, seed: int) -> Result:
    """One game played by the rules of the project."""
    states, lengths, results = game.new_states(1), np.zeros(1, np.int64), np.zeros((1, SEATS))
    seeds, skill, out = np.array([seed], np.uint64), np.zeros(SEATS, np.int8), np.empty(game.max_legal, np.int32)
    _, chances = kernels(game.spec).play_games(states, game.law, seeds, LONGEST, skill, out, lengths, results)
    state, squares = states[0], len(game.board.squares)
    position = np.zeros(squares + SEATS, np.uint8)
    for square in range(squares):
        barricade = int(state.barricades[square >> 6]) >> (square & 63) & 1
        position[square] = 1 if barricade else 0 if state.owner[square] < 0 else 2 + state.owner[square]
    position[squares:] = state.at_home[:SEATS]
    return (
        int(results[0].argmax()),
        int(lengths[0]),
        int(chances),
        int(state.turns),
        hashlib.sha256(position.tobytes()).hexdigest(),
    )


def rates(contestants: dict[str, Callable[[int], int]], rounds: int) -> dict[str, list[float]]:
    """Decisions per second of CPU time, a round: all contestants play the same seed in each round."""
    measured: dict[str, list[float]] = {name: [] for name in contestants}
    for seed in range(rounds):
        for name, play in contestants.items():
            start = time.process_time()
            decisions = play(seed)
            measured[name].append(decisions / (time.process_time() - start))
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--equal", type=int, default=300, help="games that are to be equal")
    parser.add_argument("--games", type=int, default=100, help="games a round")
    parser.add_argument("--rounds", type=int, default=11)
    wanted = parser.parse_args()
    if not COMPILED:
        raise SystemExit("NUMBA_DISABLE_JIT=1 is set: there is nothing compiled to measure")
    spec = registry.spec("barricade")
    game = Game(spec, house.build(spec, "classic"))
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(Path(folder))
        prepare(library, game)
        for seed in range(wanted.equal):
            one, two = game_of_ours(game, seed), game_in_c(library, game, seed)
            if one != two:
                raise SystemExit(f"seed {seed}: ours {one}, in C {two} (winner, decisions, chances, turns, last position)")
        print(f"{wanted.equal} games of the same seeds are equal: winner, length, last position")
        state, out, chances = game.new_states(1)[0], np.empty(game.max_legal, np.int32), ctypes.c_int64()
        loop = kernels(spec).random_games
        contestants: dict[str, Callable[[int], int]] = {
            "ours": lambda seed: int(loop(state, game.law, np.uint64(seed), wanted.games, LONGEST, out)[0]),
            "C": lambda seed: int(library.play_games(seed, wanted.games, ctypes.byref(chances))),
        }
        for play in contestants.values():
            play(0)
        measured = rates(contestants, wanted.rounds)
    for name, found in measured.items():
        print(f"{name:5} {statistics.median(found):>14,.0f} decisions a second   ({min(found):,.0f} to {max(found):,.0f})")
    ratio = statistics.median(one / two for one, two in zip(measured["ours"], measured["C"], strict=True))
    print(f"ours / C: {ratio:.2f} (target {TARGET}: {'reached' if ratio >= TARGET else 'missed'})")
    sys.exit(ratio < TARGET)


if __name__ == "__main__":
    main()
