"""The search for better rules beside NTBEA, the parameter search of the framework TAG, on ten planted faults.

Both get the same changes, the same games of the same player, and about as many of them; both best settings then play the same
fresh games. NTBEA (S. Lucas, J. Liu, D. Perez-Liebana, The N-Tuple Bandit Evolutionary Algorithm for Game Agent Optimisation,
CEC 2018) is that of the package `ntbea`, by its default tuples and exploration scaled to its fitness, from 0 to 1.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.lab.running import Part, serially
from bridgehead.lab.tune.search import Proposal, Request, Search
from bridgehead.lab.tune.settings import Change, Setting, changes
from bridgehead.lab.tune.wishes import wishes
from planted_faults import FAULTS, Fault, with_known

PEER, FOLDER = "ntbea==0.0.2", Path(__file__).parents[1] / "build" / "ntbea"
EACH = 40  # games of one evaluation: as many as a setting gets in the first round of our search
FEW = 0.02  # of fitness for each change: few changes are wished
EXPLORE, NEIGHBOURS = 1.0, 50


class Outcome(NamedTuple):
    """A search's best setting: whether it meets the wish in fresh games, and where the fault was planted; games; seconds."""

    setting: Setting
    meets: bool
    mends: bool
    games: int
    seconds: float


class Counting:
    """Plays parts and counts their games."""

    def __init__(self) -> None:
        self.games = 0

    def __call__(self, parts: Iterable[Part]) -> Iterator[tuple[Part, Any]]:
        for part, rows in serially(parts):
            self.games += part.size
            yield part, rows


def prepared(fault: Fault, seed: int, games: int) -> tuple[Search, Counting, Game]:
    """A search of our own for a fault, whose parts serve both."""
    base, count = registry.game(fault.game, **fault.rules), Counting()
    asked = Request(fault.game, base.differences, fault.wish, fault.allowed, (fault.player,), games, 300, seed, deepest=2)
    return Search(asked, base, wishes(fault.wish, base), changes(fault.allowed, base, seed), None, count), count, base


def judged(fault: Fault, search: Search, setting: Setting, games: int, seconds: float) -> Outcome:
    """The setting in fresh games, which both searches get."""
    fresh: list[Proposal] = search._confirmed([Setting(), *([setting] if setting.changes else [])])
    meets = fresh[-1].meets(search.wanted)
    return Outcome(setting, meets, meets and fault.option in setting.options, games, seconds)


def ours(fault: Fault, seed: int, games: int) -> Outcome:
    """The best setting of our search."""
    search, count, _ = prepared(fault, seed, games)
    began = time.process_time()
    best = next((each.setting for each in search._searched() if each.setting.changes), Setting())
    return judged(fault, search, best, count.games, time.process_time() - began)


def theirs(fault: Fault, seed: int, games: int) -> Outcome:
    """The best setting of NTBEA after about so many games."""
    import ntbea

    search, count, base = prepared(fault, seed, games)
    options = list(dict.fromkeys(change.option for change in search.allowed))
    values: list[list[Change | None]] = [[None, *(each for each in search.allowed if each.option == name)] for name in options]
    lot, began = random.Random(seed), time.process_time()
    np.random.seed(seed)  # the package draws from it
    evaluations = 0

    def setting(point: Iterable[int]) -> Setting:
        return Setting(tuple(sorted(each for at, i in enumerate(point) if (each := values[at][int(i)]) is not None)))

    class Space(ntbea.SearchSpace):  # type: ignore[misc]
        def get_random_point(self) -> Any:
            return np.array([lot.randrange(len(each)) for each in values])

        def get_size(self) -> int:
            return int(np.prod([len(each) for each in values]))

        def get_dim_size(self, j: int) -> int:
            return len(values[j])

    class Mutator(ntbea.Mutator):  # type: ignore[misc]
        def mutate(self, x: Any) -> Any:
            """One value anew, and each other one with a chance of one in all of them."""
            child, sure = np.copy(x), lot.randrange(len(values))
            for at, each in enumerate(values):
                if at == sure or lot.random() < 1 / len(values):
                    child[at] = lot.randrange(len(each))
            return child

    class Evaluator(ntbea.Evaluator):  # type: ignore[misc]
        def evaluate(self, x: Any) -> float:
            nonlocal evaluations
            evaluations += 1
            chosen = setting(x)
            if chosen.made(base) is None:
                return 0.01
            plan = search._plan(chosen, (fault.player,), EACH, 1000 * seed + evaluations)
            (played,) = search._played([plan], "search")
            found = search._measures(played, 0)
            missed = sum(wish.missed(found[wish.measure].value) for wish in search.wanted)
            return max(0.01, 1 / (1 + missed) - FEW * len(chosen.changes))

    space = Space("house rules", len(values))
    landscape = ntbea.NTupleLandscape(space, sorted({1, min(2, len(values)), len(values)}))
    neighbours = min(NEIGHBOURS, space.get_size() // 2)
    evolved = ntbea.NTupleEvolutionaryAlgorithm(
        landscape, Evaluator("games"), space, Mutator("values"), k_explore=EXPLORE, eval_neighbours=neighbours
    )
    per = sum(each.games for each in search._plan(Setting(), (fault.player,), EACH, 1).strengths)
    per += len(search._plan(Setting(), (fault.player,), EACH, 1).duels) * EACH // 4
    evolved.run(max(2, int(games / per / 1.1)))  # it evaluates its best point again after every ten evaluations
    best = setting(landscape.get_best_sampled())
    return judged(fault, search, best, count.games, time.process_time() - began)


def installed() -> None:
    """Put the package into build/, where there is none yet."""
    if not FOLDER.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(FOLDER), PEER]
        subprocess.run(command, check=True)
    sys.path.append(str(FOLDER))


def cells(each: Outcome, base: Game) -> str:
    """Whether it is mended, by what, after how many games."""
    words = "; ".join(word[:50] for word in each.setting.words(base)) or "nothing"
    state = "yes" if each.mends else "by another rule" if each.meets else "no"
    return f"{state} | {words} | {each.games:,} | {each.seconds:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts of the kinds of faults; default: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=3000, help="games of our search; NTBEA gets as many as it used")
    chosen = parser.parse_args()
    with_known()
    installed()
    heads = ("mended", "by", "games", "processor s")
    print("| fault | " + " | ".join(f"{who}: {head}" for who in ("tune", "NTBEA") for head in heads) + " |")
    print("|---" * 9 + "|")
    for fault in FAULTS:
        if not chosen.names or any(name in fault.kind for name in chosen.names):
            base = registry.game(fault.game, **fault.rules)
            mine = ours(fault, chosen.seed, chosen.games)
            other = theirs(fault, chosen.seed, mine.games)
            print(f"| {fault.kind} | {cells(mine, base)} | {cells(other, base)} |", flush=True)


if __name__ == "__main__":
    main()
