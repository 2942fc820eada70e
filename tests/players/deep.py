"""Alpha-beta and endgame tables with compiled rules, in a process of its own; what was found is printed as JSON."""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from typing import Any

import numpy as np

from bridgehead.core import registry
from bridgehead.core.bits import count
from bridgehead.core.game import Game
from bridgehead.core.jit import rule
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.games.forty_bridges import endgames, tables
from bridgehead.games.forty_bridges.endgames import members, number, turned
from bridgehead.games.forty_bridges.history import clear, remember
from bridgehead.games.forty_bridges.rules import apply, legal, setup
from bridgehead.players import player
from bridgehead.players.deepening import AlphaBeta, Limit, Line

GAME = registry.game("forty_bridges")


@rule
def place(state, law, own, other):  # type: ignore[no-untyped-def]
    """The position in which player 1 is to move with these pieces."""
    setup(state, law)
    state.pieces[0], state.pieces[1] = own, other
    clear(state)
    remember(state, law)


@rule
def value_by_rules(states, law, values, starts, out):  # type: ignore[no-untyped-def]
    """What the rules and the values of the positions after it make of states[0]."""
    won, lost, saved = 0, 0, False
    for i in range(legal(states[0], law, out)):
        states[1] = states[0]
        apply(states[1], law, out[i])
        if states[1].reason != 0:
            child = 0
            if states[1].winner == 0:
                won = 1
                continue
            if states[1].winner < 0:
                saved = True
                continue
        else:
            own, other = turned(states[1].pieces[1]), turned(states[1].pieces[0])
            child = int(values[starts[count(own), count(other)] + number(own, other)])
            if child == 0:
                saved = True
                continue
        if child % 2 == 0 and states[1].reason == 0:
            won = child + 1 if won == 0 else min(won, child + 1)
        else:
            lost = max(lost, child + 1 if states[1].reason == 0 else 2)
    return won if won else 0 if saved else lost


@rule
def wrong_entries(states, law, a, b, values, starts, out, step):  # type: ignore[no-untyped-def]
    """Of every `step`-th position of a class: how many were looked at, and at how many the table and the rules disagree."""
    seconds = endgames.CHOOSE[41 - a, b]
    looked, wrong = 0, 0
    for index in range(0, endgames.CHOOSE[41, a] * seconds, step):
        own = members(index // seconds, law.board, a)
        other = members(index % seconds, law.board & ~own, b)
        told = values[starts[a, b] + index]
        if own & law.bit[law.goal[0]] or other & law.bit[law.goal[1]]:
            wrong += told != 0
            continue
        place(states[0], law, own, other)
        looked += 1
        if states[0].reason != 0:  # both are blocked from the start
            wrong += told != 0
        else:
            wrong += told != value_by_rules(states, law, values, starts, out)
    return looked, wrong


def checked(pieces: int, step: int) -> dict[str, list[int]]:
    """Each class with so many pieces on the board: entries compared, and wrong ones."""
    held, states, out = tables.shipped(), GAME.new_states(2), np.zeros(GAME.max_legal, np.int32)
    return {
        f"{a}-{b}": [int(n) for n in wrong_entries(states, GAME.law, a, b, *held, out, step)] for a, b in tables.classes(pieces)
    }


def position(values: str) -> Position:
    return GAME.load(values)


def without_tables(game: Game) -> tables.Tables:
    return tables.NONE


def by_search(number_of: int, longest: int) -> list[list[Any]]:
    """Positions of five pieces that the tables know: what they say, and what a search without them says."""
    rng, found = random.Random(5), []
    held = tables.shipped()
    evaluate: Any = GAME.spec.evaluate
    with_tables, evaluate.endgames = evaluate.endgames, without_tables
    while len(found) < number_of:
        own, other = rng.choice([(2, 3), (3, 2), (1, 4), (4, 1)])
        index = rng.randrange(endgames.size(own, other))
        value = int(held.values[held.starts[own, other] + index])
        seconds = int(endgames.CHOOSE[41 - own, other])
        mine = members(index // seconds, GAME.law.board, own)
        theirs = members(index % seconds, GAME.law.board & ~np.uint64(mine), other)
        if value > longest or mine & GAME.law.bit[GAME.law.goal[0]] or theirs & GAME.law.bit[GAME.law.goal[1]]:
            continue
        states = GAME.new_states(1)
        place(states[0], GAME.law, mine, theirs)
        if states[0].reason:
            continue
        line = AlphaBeta(1 << 14).think(Position(GAME, states), Limit(depth=max(value, 3)))
        found.append([value, line.decided])
    evaluate.endgames = with_tables
    return found


def a_match(seed: int, depth: int) -> list[int]:
    """The actions of a short match of alpha-beta against itself."""
    match, deep = Match(GAME), AlphaBeta(1 << 14)
    while match.outcome is None and len(match.log) < 12:
        match.play(deep.think(match.position, Limit(nodes=2000, depth=depth)).action)
    return list(match.actions)


def against_greedy(games: int) -> int:
    won = 0
    for index in range(games):
        match, deep, greedy = Match(GAME), AlphaBeta(1 << 16), player("greedy", index)
        while match.outcome is None:
            mine = match.position.actor == index % 2
            match.play(deep.think(match.position, Limit(nodes=2000)).action if mine else greedy.choose(match.position))
        won += match.outcome.winners == (index % 2,)
    return won


def patience() -> dict[str, Any]:
    """How long after its time, or after it was told to stop, a search ends (seconds of this process)."""
    start, stop = GAME.start(), threading.Event()
    begun = time.process_time()
    timed: Line = AlphaBeta().think(start, Limit(seconds=0.2))
    after = time.process_time() - begun
    threading.Timer(0.2, stop.set).start()
    told = AlphaBeta().think(start, Limit(seconds=60), stop)
    return {"timed": [timed.depth, after], "told": told.depth, "never": AlphaBeta().think(start, Limit(seconds=60), stop).nodes}


def built_again(folder: str) -> dict[str, Any]:
    """Tables built with what is kept, and with one file of it damaged, are those that come with the game."""
    from pathlib import Path

    said: list[str] = []
    made = tables.build(GAME, 3, Path(folder), lambda what, share: said.append(what))
    (Path(folder) / "1-2.xz").write_bytes(b"damaged")
    again = tables.build(GAME, 3, Path(folder))
    whole = tables.shipped().values[: len(made.values)]
    return {"same": bool((made.values == whole).all() and (again.values == whole).all()), "said": said}


def main() -> None:
    found = {
        "two": checked(2, 1), "three": checked(3, 1), "four": checked(4, 3), "five": checked(5, 211),
        "by search": by_search(60, 6), "same": [a_match(1, 6), a_match(1, 6)], "against greedy": against_greedy(10),
        "patience": patience(), "built": built_again(sys.argv[1]),
    }  # fmt: skip
    print(json.dumps(found))


if __name__ == "__main__":
    main()
