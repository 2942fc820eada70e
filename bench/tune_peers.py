"""The search for better rules beside NTBEA, the parameter search of the framework TAG, on ten planted faults.

Both get the same changes, the same games of the same player, and about as many of them; both best settings then play the same
fresh games. NTBEA (S. Lucas, J. Liu, D. Perez-Liebana, The N-Tuple Bandit Evolutionary Algorithm for Game Agent Optimisation,
CEC 2018) is that of the package `ntbea`, by its default tuples and exploration scaled to its fitness, from 0 to 1. With `--tag
FOLDER`, a copy of TAG's source (github.com/GAIGResearch/TabletopGames), TAG's own NTBEA takes part with TAG's default parameters:
its classes are compiled with bench/peers/tag, which hands each point to this program. It needs a JDK.
"""

from __future__ import annotations

import argparse
import json
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
from bridgehead.workshop.lab.bench import Truth
from bridgehead.workshop.lab.running import RowBlock, serially
from bridgehead.workshop.lab.tune.search import ConfirmedSetting, SearchRequest, SettingSearch
from bridgehead.workshop.lab.tune.settings import Change, Setting, changes
from bridgehead.workshop.lab.tune.wishes import wishes
from planted_faults import FAULTS, with_known

PEER, FOLDER = "ntbea==0.0.2", Path(__file__).parents[1] / "build" / "ntbea"
CLASSES = Path(__file__).parents[1] / "build" / "tag"
TAGS = (
    "IntArrayPattern",
    "LandscapeModel",
    "NTuple",
    "NTupleBanditEA",
    "NTupleSystem",
    "SearchSpace",
    "SearchSpaceUtil",
    "SolutionEvaluator",
)
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

    def __call__(self, parts: Iterable[RowBlock]) -> Iterator[tuple[RowBlock, Any]]:
        for part, rows in serially(parts):
            self.games += part.size
            yield part, rows


def prepare_search(fault: Truth, seed: int, games: int) -> tuple[SettingSearch, Counting, Game]:
    """A search of our own for a fault, whose parts serve both."""
    base, count = registry.game(fault.game, **fault.rules), Counting()
    asked = SearchRequest(fault.game, base.differences, fault.wish, fault.change, (fault.player,), games, 300, seed, deepest=2)
    return SettingSearch(asked, base, wishes(fault.wish, base), changes(fault.change, base, seed), None, count), count, base


def judge_setting(fault: Truth, search: SettingSearch, setting: Setting, games: int, seconds: float) -> Outcome:
    """The setting in fresh games, which both searches get."""
    fresh: list[ConfirmedSetting] = search._confirmed([Setting(), *([setting] if setting.changes else [])])
    meets = fresh[-1].meets(search.wanted)
    return Outcome(setting, meets, meets and fault.mend in setting.options, games, seconds)


def ours(fault: Truth, seed: int, games: int) -> Outcome:
    """The best setting of our search."""
    search, count, _ = prepare_search(fault, seed, games)
    began = time.process_time()
    best = next((each.setting for each in search._searched() if each.setting.changes), Setting())
    return judge_setting(fault, search, best, count.games, time.process_time() - began)


class Asked:
    """What a peer searches: points, each a number of a value for every house rule, and the fitness of their games."""

    def __init__(self, fault: Truth, seed: int, games: int) -> None:
        self.fault, self.seed = fault, seed
        self.search, self.count, self.base = prepare_search(fault, seed, games)
        self.evaluations = 0
        allowed = self.search.allowed
        options = list(dict.fromkeys(change.option for change in allowed))
        self.values: list[list[Change | None]] = [[None, *(each for each in allowed if each.option == name)] for name in options]
        plan = self.search._plan(Setting(), (fault.player,), EACH, 1)
        self.each = sum(each.games for each in plan.strengths) + len(plan.duels) * EACH // 4  # games of an evaluation

    def setting(self, point: Iterable[int]) -> Setting:
        """The setting of a point."""
        return Setting(tuple(sorted(each for at, i in enumerate(point) if (each := self.values[at][int(i)]) is not None)))

    def fitness(self, point: Iterable[int]) -> float:
        """From 0 to 1, by games with a seed of their own."""
        self.evaluations += 1
        chosen = self.setting(point)
        if chosen.make_game(self.base) is None:
            return 0.01
        plan = self.search._plan(chosen, (self.fault.player,), EACH, 1000 * self.seed + self.evaluations)
        (played,) = self.search._played([plan], "search")
        found = self.search._measures(played, self.fault.player)
        missed = sum(wish.measure_miss(found[wish.measure].value) for wish in self.search.wanted)
        return max(0.01, 1 / (1 + missed) - FEW * len(chosen.changes))


def theirs(fault: Truth, seed: int, games: int) -> Outcome:
    """The best setting of the package `ntbea` after about so many games."""
    import ntbea

    asked = Asked(fault, seed, games)
    values, lot, began = asked.values, random.Random(seed), time.process_time()
    np.random.seed(seed)  # the package draws from it

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
            return asked.fitness(x)

    space = Space("house rules", len(values))
    landscape = ntbea.NTupleLandscape(space, sorted({1, min(2, len(values)), len(values)}))
    neighbours = min(NEIGHBOURS, space.get_size() // 2)
    evolved = ntbea.NTupleEvolutionaryAlgorithm(
        landscape, Evaluator("games"), space, Mutator("values"), k_explore=EXPLORE, eval_neighbours=neighbours
    )
    evolved.run(max(2, int(games / asked.each / 1.1)))  # it evaluates its best point again after every ten evaluations
    best = asked.setting(landscape.get_best_sampled())
    return judge_setting(fault, asked.search, best, asked.count.games, time.process_time() - began)


def tags(fault: Truth, seed: int, games: int) -> Outcome:
    """The best setting of TAG's NTBEA after about so many games. The seconds leave out those of Java."""
    asked, began = Asked(fault, seed, games), time.process_time()
    sizes = [str(len(each)) for each in asked.values]
    evaluations = str(max(2, games // asked.each))
    command = ["java", "-cp", str(CLASSES), "evaluation.optimisation.ntbea.Ask", str(seed), evaluations, *sizes]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as java:
        assert java.stdin and java.stdout
        for line in java.stdout:
            point = json.loads(line.removeprefix("best"))
            if line.startswith("best"):
                break
            java.stdin.write(f"{asked.fitness(point)}\n")
            java.stdin.flush()
    return judge_setting(fault, asked.search, asked.setting(point), asked.count.games, time.process_time() - began)


def compiled(tag: Path) -> None:
    """Compile the classes of TAG's NTBEA, which need nothing else of TAG but one class for parameters, and our own two."""
    source = tag / "src" / "main" / "java"
    theirs = [source / "evaluation" / "optimisation" / "ntbea" / f"{name}.java" for name in TAGS]
    theirs += [source / "utilities" / f"{name}.java" for name in ("StatSummary", "Pair")]
    own = sorted((Path(__file__).parent / "peers" / "tag").glob("*.java"))
    CLASSES.mkdir(parents=True, exist_ok=True)
    subprocess.run(["javac", "-nowarn", "-d", str(CLASSES), *map(str, [*own, *theirs])], check=True)


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
    parser.add_argument("--games", type=int, default=3000, help="games of our search; the peers get as many as it used, or these")
    parser.add_argument("--only", default="tune,NTBEA,TAG", help="of these searches; default: all")
    parser.add_argument("--tag", type=Path, metavar="FOLDER", help="a copy of TAG's source, whose NTBEA takes part too")
    chosen = parser.parse_args()
    with_known()
    installed()
    searches = {"tune": ours, "NTBEA": theirs, **({"TAG": tags} if chosen.tag else {})}
    searches = {name: search for name, search in searches.items() if name in chosen.only.split(",")}
    if "TAG" in searches:
        compiled(chosen.tag)
    heads = ("mended", "by", "games", "processor s")
    print("| fault | " + " | ".join(f"{who}: {head}" for who in searches for head in heads) + " |")
    print("|---" * (1 + 4 * len(searches)) + "|")
    for fault in FAULTS:
        if not chosen.names or any(name in fault.kind for name in chosen.names):
            base, games, shown = registry.game(fault.game, **fault.rules), chosen.games, []
            for name, search in searches.items():
                found = search(fault, chosen.seed, games)
                games = found.games if name == "tune" else games
                shown.append(cells(found, base))
            print(f"| {fault.kind} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
