"""Alpha-beta and endgame tables with compiled rules, in a process of its own; what was found is printed as JSON."""

import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from bridgehead.core import registry
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.games.forty_bridges import endgames
from bridgehead.games.forty_bridges.bounds import ONWARD, STANDARD
from bridgehead.games.forty_bridges.endgames import members
from bridgehead.games.forty_bridges.options import Options
from bridgehead.games.forty_bridges.rules import apply, legal
from bridgehead.players import player
from bridgehead.players.alphabeta import AlphaBeta, DeepeningResult, deepening
from bridgehead.players.search import Search
from bridgehead.players.thoughts import Budget, Limit
from bridgehead.players.tree import searching
from bridgehead.workshop.forty_bridges.endgames_check import check, count_hanging, place
from bridgehead.workshop.forty_bridges.small import game_on

GAME = registry.game("forty_bridges")
RECOMMENDED = registry.game("forty_bridges", retreat=False, repetition="forbid")


def check_classes(game: Game, pieces: int, step: int) -> dict[str, tuple[int, int]]:
    """Each class with so many pieces on the board: entries compared, and wrong ones."""
    return {f"{a}-{b}": check(game, endgames.tables_for(game), a, b, step) for a, b in endgames.classes(pieces)}


def damaged() -> list[int]:
    """Wrong entries that are found where one was changed: in place of a win of five plies one of seven."""
    values = endgames.load_shipped_tables(STANDARD).values.copy()
    held = endgames.PieceTables(values, endgames.load_shipped_tables(STANDARD).starts)
    first = int(held.starts[2, 2])
    where = first + int(np.flatnonzero(values[first : first + endgames.size(2, 2)] == 5)[100])
    before = check(GAME, held, 2, 2, 1)[1]
    values[where] = 7
    return [before, check(GAME, held, 2, 2, 1)[1]]


def position(values: str) -> Position:
    return GAME.load(values)


def without_tables(game: Game) -> endgames.PieceTables:
    return endgames.none()


def at(game: Game, own: int, other: int, index: int) -> Position | None:
    """The position with this number in a class; None if there is none."""
    law, seconds = game.law, int(endgames.CHOOSE[41 - own, other])
    mine = members(index // seconds, law.board, own)
    theirs = members(index % seconds, law.board & ~np.uint64(mine), other)
    if mine & law.bit[law.goal[0]] or theirs & law.bit[law.goal[1]]:
        return None
    states = game.new_states(1)
    place(states[0], law, mine, theirs)
    return None if states[0].reason else Position(game, states)


def by_search(game: Game, pieces: int, number_of: int, longest: int) -> list[list[Any]]:
    """Positions of so many pieces that the tables know: what they say, and what a search without them says."""
    rng, found = random.Random(5), []
    held = endgames.tables_for(game)
    evaluate: Any = game.spec.evaluate
    with_tables, evaluate.endgames = evaluate.endgames, without_tables
    while len(found) < number_of:
        own, other = rng.choice(
            [each for each in ((2, 3), (3, 2), (1, 4), (4, 1), (2, 2), (1, 3), (3, 1)) if sum(each) == pieces]
        )
        index = rng.randrange(endgames.size(own, other))
        value = int(held.values[held.starts[own, other] + index])
        here = at(game, own, other, index)
        if value > longest or here is None:
            continue
        line = AlphaBeta(1 << 14).think(here, Limit(depth=max(value, 3)))
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
    timed: DeepeningResult = AlphaBeta().think(start, Limit(seconds=1))
    after = time.process_time() - begun
    threading.Timer(1, stop.set).start()
    told = AlphaBeta().think(start, Limit(seconds=60), stop)
    return {"timed": [timed.depth, after], "told": told.depth, "never": AlphaBeta().think(start, Limit(seconds=60), stop).nodes}


def longest_slice(kernel: Any, name: str, think: Any) -> float:
    """The longest time of its thread that a search spends between two looks at the clock.

    What comes first, second and so on is the least of five searches: a machine that is taken away for a moment is no long look.
    """
    plain, taken = getattr(kernel, name), list[list[float]]()

    def timed(*given: Any) -> Any:
        begun = time.thread_time()
        told = plain(*given)
        taken[-1].append(time.thread_time() - begun)
        return told

    setattr(kernel, name, timed)
    for _ in range(5):
        taken.append([])
        think()
    setattr(kernel, name, plain)
    return max(map(min, zip(*taken, strict=False)))


def slices() -> list[float]:
    """Of alpha-beta and of UCT, from the start and from a position of few pieces."""
    lot, match = random.Random(4), Match(GAME)
    while len(match.log) < 40 and match.outcome is None:
        match.play(lot.choice(match.position.legal))
    found = []
    for here in (GAME.start(), match.position):
        AlphaBeta(1 << 10).think(here, Limit(nodes=2000))  # compiled before it is timed
        Search().think(here, Budget(simulations=50))
        found.append(
            longest_slice(deepening(GAME.spec, None), "continue_search", lambda p=here: AlphaBeta().think(p, Limit(seconds=0.2)))
        )
        found.append(longest_slice(searching(GAME.spec, None), "search", lambda p=here: Search().think(p, Budget(seconds=0.2))))
    return found


def together() -> dict[str, Any]:
    """Two threads on one table: what they say of positions whose result is known, and that nobody goes on afterwards."""
    held, said = endgames.load_shipped_tables(STANDARD), []
    evaluate: Any = GAME.spec.evaluate
    with_tables, evaluate.endgames = evaluate.endgames, without_tables
    rng = random.Random(6)
    while len(said) < 12:
        index = rng.randrange(endgames.size(3, 2))
        value = int(held.values[held.starts[3, 2] + index])
        mine = members(index // int(endgames.CHOOSE[38, 2]), GAME.law.board, 3)
        theirs = members(index % int(endgames.CHOOSE[38, 2]), GAME.law.board & ~np.uint64(mine), 2)
        if value not in (3, 4, 5, 6) or mine & GAME.law.bit[GAME.law.goal[0]] or theirs & GAME.law.bit[GAME.law.goal[1]]:
            continue
        states = GAME.new_states(1)
        place(states[0], GAME.law, mine, theirs)
        line = AlphaBeta(1 << 14, threads=2).think(Position(GAME, states), Limit(depth=8))
        said.append([value, line.decided])
    evaluate.endgames = with_tables
    alone = threading.active_count()
    line = AlphaBeta(1 << 16, threads=3).think(GAME.start(), Limit(seconds=0.3))
    return {"said": said, "nodes": line.nodes, "depth": line.depth, "left": threading.active_count() - alone}


def result(states: Any, law: Any, ply: int, seen: dict[bytes, int]) -> int:
    """With perfect play to the very end, for player 1: 1, 0 or -1. The way that led there is part of a position."""
    state, key = states[ply], states[ply].tobytes()
    if key not in seen:
        if state.reason:
            seen[key] = 0 if state.winner < 0 else 1 - 2 * int(state.winner)
        else:
            out, best = np.zeros(GAME.max_legal, np.int32), -1
            mine = 1 if state.seat == 0 else -1
            for i in range(legal(state, law, out)):
                states[ply + 1] = state
                apply(states[ply + 1], law, out[i])
                best = max(best, mine * result(states, law, ply + 1, seen))
                if best == 1:
                    break
            seen[key] = mine * best
    return seen[key]


def by_way(number_of: int) -> list[list[int]]:
    """On a small board with little patience: a result worked out to the end, what a search says that keeps its table from one
    position to the next, and what one says that keeps nothing. Positions are reached by going to and fro."""
    game = game_on(3, 2, "a1,A1", Options(quiet_limit=12))
    kept, lot, found, seen = AlphaBeta(1 << 12), random.Random(7), [], {}
    while len(found) < number_of:
        match = Match(game)
        for _ in range(lot.randrange(1, 12)):
            if match.outcome is None:
                match.play(lot.choice(match.position.legal))
        if match.outcome is not None:
            continue
        here, states = match.position, game.new_states(80)
        states[0] = here.copy_states()[0]
        depth, said = lot.randrange(2, 9), [result(states, game.law, 0, seen) * (1 - 2 * here.actor)]
        for deep in (kept, AlphaBeta(1)):
            decided = deep.think(here, Limit(depth=depth)).decided
            said.append(0 if decided is None else 1 if decided > 0 else -1)
        found.append(said)
    return found


def built_again(folder: str) -> dict[str, Any]:
    """Tables built with what is kept, and with one file of it damaged, are those that come with the game."""
    said: list[tuple[str, float]] = []
    made = endgames.build(GAME, 3, Path(folder), lambda *what: said.append(what))
    (Path(folder) / "1-2.xz").write_bytes(b"damaged")
    again = endgames.build(GAME, 3, Path(folder))
    whole = endgames.load_shipped_tables(STANDARD).values[: len(made.values)]
    shares = [share for _, share in said]
    return {
        "same": bool((made.values == whole).all() and (again.values == whole).all()), "rising": shares == sorted(shares),
        "said": list(dict.fromkeys(what for what, _ in said)), "shares": len(set(shares)),
    }  # fmt: skip


def of_a_folder(folder: str) -> list[Any]:
    """What a search says of a position won in 15 plies, with tables of a folder that say 12 of the next ones in place of 14."""
    whole = Path(folder) / endgames.WHOLE
    values = np.load(whole)
    starts, own = endgames.places(3)[0], endgames.size(1, 1)
    index = int(np.flatnonzero(values[starts[2][1] :] == 15)[0])
    values[own:][values[own:] == 14] = 12  # the entries before tell whose rules these are
    np.save(whole, values)
    here = at(GAME, 2, 1, index)
    assert here is not None
    said = [AlphaBeta(1 << 10).think(here, Limit(depth=1)).decided]
    os.environ["BRIDGEHEAD_ENDGAMES"] = folder
    said.append(AlphaBeta(1 << 10).think(here, Limit(depth=1)).decided)
    values[:-1].tofile(whole)
    endgames.larger.cache_clear()
    try:
        endgames.tables_for(GAME)
    except OptionError:
        said.append(-1)
    said.append(endgames.tables_for(RECOMMENDED) is endgames.load_shipped_tables(ONWARD))
    (Path(folder) / "recommended").mkdir()
    np.save(Path(folder) / "recommended" / endgames.WHOLE, values)
    try:
        endgames.tables_for(RECOMMENDED)
    except OptionError as error:
        said.append(str(error))
    del os.environ["BRIDGEHEAD_ENDGAMES"]
    return said


def killed(folder: Path) -> dict[str, Any]:
    """Tables whose making was ended by force are gone on with: what was finished is left as it is, and all is right."""
    making = subprocess.Popen([sys.executable, "-m", "bridgehead.cli", "endgames", str(folder), "--pieces", "4"])
    while not (folder / "2-1.xz").exists() and making.poll() is None:
        time.sleep(0.01)
    making.kill()
    making.wait()
    kept = {file.name: file.stat().st_mtime_ns for file in folder.glob("*.xz")}
    made = endgames.build(GAME, 4, folder)
    left = all((folder / name).stat().st_mtime_ns == when for name, when in kept.items())
    return {
        "kept": len(kept),
        "left": left,
        "same": bool((made.values == endgames.load_shipped_tables(STANDARD).values[: len(made.values)]).all()),
    }


def main() -> None:
    found = {
        "two": check_classes(GAME, 2, 1), "three": check_classes(GAME, 3, 1), "four": check_classes(GAME, 4, 3),
        "five": check_classes(GAME, 5, 211),
        "recommended": {name: of for n in (2, 3, 4) for name, of in check_classes(RECOMMENDED, n, 1).items()},
        "hanging": count_hanging(RECOMMENDED, endgames.tables_for(RECOMMENDED)),
        "recommended by search": by_search(RECOMMENDED, 4, 60, 6),
        "damaged": damaged(),
        "by search": by_search(GAME, 5, 60, 6), "same": [a_match(1, 6), a_match(1, 6)], "against greedy": against_greedy(10),
        "patience": patience(), "slices": slices(), "together": together(), "by way": by_way(400),
        "built": built_again(sys.argv[1]), "of a folder": of_a_folder(sys.argv[1]),
        "killed": killed(Path(sys.argv[1]) / "killed"),
    }  # fmt: skip
    print(json.dumps(found))


if __name__ == "__main__":
    main()
