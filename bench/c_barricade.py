"""Barricade against the same game hand-written in C: first equal games, then the ratio of speeds.

Both play the classic board with four seats and the preset `classic`, at random with the same numbers, on one thread.
The C code (bench/c/barricade.c) is compiled with `cc -O3 -march=native`, reads the project's board file and builds its
own table of paths. A round plays the same games on both sides; rounds alternate and are measured in processor time.
"""

from __future__ import annotations

import ctypes
import hashlib
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import shared
from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.core.jit import COMPILED
from bridgehead.core.kernels import kernels
from bridgehead.games.barricade.options import barricade_squares
from shared import Ratio, Result, Row

SOURCE = Path(__file__).with_name("c") / "barricade.c"
SEATS = 4
LONGEST = 1_000_000  # actions
TARGET = 0.5  # least speed relative to C
Ending = tuple[int, int, int, int, str]  # winner, decisions, chance actions, turns, hash of the last position


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
    """Pass the board to the C code."""
    board = game.board
    near = [[*found, *[-1] * (4 - len(found))] for found in board.neighbours]
    lists = (
        sum(near, []),
        [home.entry for home in board.homes],
        [*board.barricades, -1],
        [*barricade_squares(game.options, board), -1],
    )
    library.prepare(len(board.squares), board.final, *((ctypes.c_int * len(each))(*each) for each in lists))


def game_in_c(library: Any, game: Game, seed: int) -> Ending:
    """One game played by the C code."""
    numbers, position = np.zeros(2, np.int64), np.zeros(len(game.board.squares) + SEATS, np.uint8)
    turns = np.zeros(1, np.int32)
    winner = library.play_one(seed, numbers.ctypes.data, numbers[1:].ctypes.data, turns.ctypes.data, position.ctypes.data)
    return winner, int(numbers[0]), int(numbers[1]), int(turns[0]), hashlib.sha256(position.tobytes()).hexdigest()


def game_of_ours(game: Game, seed: int) -> Ending:
    """One game played by the project's rules."""
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


def first_difference(library: Any, game: Game, seeds: int) -> str:
    """The first seed whose games end differently, in words; "" if all are equal."""
    for seed in range(seeds):
        one, two = game_of_ours(game, seed), game_in_c(library, game, seed)
        if one != two:
            return f"seed {seed}: ours {one}, in C {two} (winner, decisions, chances, turns, last position)"
    return ""


def rates(contestants: dict[str, Callable[[int], int]], rounds: int) -> dict[str, list[float]]:
    """Decisions per second of processor time by round; all contestants play the same seed in each round."""
    measured: dict[str, list[float]] = {name: [] for name in contestants}
    for seed in range(rounds):
        for name, play in contestants.items():
            start = time.process_time()
            decisions = play(seed)
            measured[name].append(decisions / (time.process_time() - start))
    return measured


def main() -> None:
    parser = shared.parser(__doc__)
    parser.add_argument("--equal", type=int, default=300, help="games that must be equal (%(default)s)")
    parser.add_argument("--games", type=int, default=100, help="games per round (%(default)s)")
    parser.add_argument("--rounds", type=int, default=11, help="alternating rounds (%(default)s)")
    wanted = parser.parse_args()
    if not COMPILED:
        raise SystemExit("NUMBA_DISABLE_JIT=1 is set: there is nothing compiled to measure")
    spec = registry.spec("barricade")
    game = Game(spec, house.build(spec, "classic"))
    result = Result(f"Barricade at random, and by hand in C ({wanted.equal} games compared)")
    loop, state, out = kernels(spec).random_games, game.new_states(1)[0], np.empty(game.max_legal, np.int32)
    with tempfile.TemporaryDirectory() as folder:
        library, chances = compiled(Path(folder)), ctypes.c_int64()
        prepare(library, game)
        if difference := first_difference(library, game, wanted.equal):
            result.wrong.append(difference)
        contestants: dict[str, Callable[[int], int]] = {
            "ours": lambda seed: int(loop(state, game.law, np.uint64(seed), wanted.games, LONGEST, out)[0]),
            "C": lambda seed: int(library.play_games(seed, wanted.games, ctypes.byref(chances))),
        }
        for play in contestants.values():
            play(0)
        found = rates(contestants, wanted.rounds)
    result.rows = [Row(name, shared.middle(values), "decisions/s") for name, values in found.items()]
    result.ratios.append(Ratio("ours / C", shared.ratio(found["ours"], found["C"]), TARGET))
    shared.finish(result, wanted.json)


if __name__ == "__main__":
    main()
