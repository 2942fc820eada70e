"""Chess in python-chess, at random, until a game is over or each side has made 200 moves."""

import random

import chess
from loop import serve

LIMIT = 200


def play() -> tuple[int, int]:
    """One game."""
    board, decisions = chess.Board(), 0
    while decisions < LIMIT and (moves := list(board.legal_moves)):
        board.push(random.choice(moves))
        decisions += 1
    return decisions, 1


if __name__ == "__main__":
    play()
    serve(play)
