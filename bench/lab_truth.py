"""How often the lab's intervals hold the truth and its lights are wrong, by simulation; no game is played.

Each line: a measure, the case, the number of simulated studies, and in how many of a hundred the interval missed the truth, or a
light was wrong: "good" where the truth is a problem, or the reverse. The promise is 5 of a hundred at most, give or take the
simulation's own error, which is stated.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core import registry
from bridgehead.workshop.arena.calibration import bin_chances, estimate_error
from bridgehead.workshop.lab import facts, stages, versus
from bridgehead.workshop.lab.answers import questions
from bridgehead.workshop.lab.answers.answer import Light, Thresholds, light
from bridgehead.workshop.lab.facts import luck_share
from bridgehead.workshop.statistics import Estimate, bootstrap, equal_shares, gap, mean, mean_share, wilson

Lot = np.random.Generator
LIMITS = Thresholds()


class Line(NamedTuple):
    """What was simulated, in how many studies, and the share of those that were wrong."""

    measure: str
    case: str
    studies: int
    wrong: float

    @property
    def error(self) -> float:
        """The simulation's own half-width at 95 %."""
        return 1.96 * math.sqrt(self.wrong * (1 - self.wrong) / self.studies)


def missed(found: Estimate, truth: float) -> bool:
    """Does the interval leave the truth out?"""
    return not found.low - 1e-12 <= truth <= found.high + 1e-12


def wrong(shown: Light, truth: float, limits: tuple[float, float]) -> bool:
    """Is a light "good" where the truth is a problem, or the reverse?"""
    sure = light(Estimate(truth, truth, truth, 1), limits)
    return {shown, sure} == {"good", "bad"}


def counted(measure: str, case: str, studies: int, once: Callable[[Lot], bool], seed: int = 1) -> Line:
    """Simulate a study again and again."""
    lot = np.random.default_rng(seed)
    return Line(measure, case, studies, float(np.mean([once(lot) for _ in range(studies)])))


def shares(studies: int) -> Iterator[Line]:
    """Shares of games, as of games without a winner."""
    for truth, games in ((0.01, 200), (0.05, 200), (0.3, 100), (0.5, 1000)):
        yield counted(
            "share, interval",
            f"{truth:g} of {games}",
            studies,
            lambda lot, p=truth, n=games: missed(wilson(lot.binomial(n, p), n), p),
        )
        yield counted(
            "share, light", f"{truth:g} of {games}", studies,
            lambda lot, p=truth, n=games: wrong(light(wilson(lot.binomial(n, p), n), LIMITS.undecided), p, LIMITS.undecided),
        )  # fmt: skip


def together(studies: int) -> Iterator[Line]:
    """Question 2 with two sides: even greedy games, and the strongest first seat wins 60 or 70 %, is never fine; and reversed."""
    for (many, few), truth in itertools.product(((6000, 25), (1000, 60), (12_000, 300)), (0.6, 0.7)):
        case = f"{many:,} even greedy games, {few} of the strongest, {100 * truth:.0f} % for the first"
        yield counted("2, fine where it is a problem", case, studies, lambda lot, n=few, p=truth: fair_light(lot, n, p) == "good")
        case = f"{many:,} greedy games, {100 * truth:.0f} % for the first, {few} even ones of the strongest"
        yield counted("2, a problem where it is fine", case, studies, lambda lot, n=few: fair_light(lot, n, 0.5) == "bad")


def fair_light(lot: Lot, games: int, first: float, level: float = 0.95) -> Light:
    """The light of question 2 from the strongest player's games between two sides: others make it neither fine nor a problem."""
    won = lot.multinomial(games, [first, 1 - first])
    shown = light(gap(won, level), LIMITS.seat_gap)
    return "watch" if shown == "bad" and equal_shares(won.tolist()) >= 0.05 else shown


def means(studies: int) -> Iterator[Line]:
    """Means of skewed numbers, as of lengths."""
    for games in (25, 200):
        yield counted(
            "mean, interval",
            f"lognormal, {games}",
            studies,
            lambda lot, n=games: missed(mean(lot.lognormal(3, 0.4, n)), math.exp(3.08)),
        )


def gaps(studies: int) -> Iterator[Line]:
    """The largest gap between sides or places in the order."""
    for sides in (2, 3, 4, 5):
        fair = [1 / sides] * sides
        yield counted(
            "largest gap, false alarm",
            f"{sides} even sides, 400",
            studies,
            lambda lot, p=fair: gap(lot.multinomial(400, p)).low > 0,
        )
        tilted = np.arange(4, 4 + sides) / sum(range(4, 4 + sides))
        truth = float(tilted[-1] - tilted[0])
        yield counted(
            "largest gap, interval", f"{sides} uneven sides, 400", studies,
            lambda lot, p=tilted, t=truth: missed(gap(lot.multinomial(400, p)), t),
        )  # fmt: skip
        yield counted(
            "largest gap, light", f"{sides} even sides, 400", studies,
            lambda lot, p=fair: wrong(light(gap(lot.multinomial(400, p)), LIMITS.seat_gap), 0.0, LIMITS.seat_gap),
        )  # fmt: skip
        yield counted(
            "equal shares, false alarm",
            f"{sides} even sides, 400",
            studies,
            lambda lot, p=fair: equal_shares(lot.multinomial(400, p).tolist()) < 0.05,
        )


def luck(studies: int) -> Iterator[Line]:
    """A game of two sides in which a draw and a decision each add to the chance; the truth is known."""
    for part in (0.2, 0.5, 0.8):
        spread = np.array([math.sqrt(part), math.sqrt(1 - part)]) / 2

        def once(lot: Lot, spread: Any = spread, truth: float = part) -> bool:
            moved = lot.choice([-1.0, 1.0], (150, 2)) * spread  # by the draw, by decisions
            share = 0.5 + moved.sum(axis=1)
            both = np.stack([np.stack([share, 1 - share], axis=1), np.stack([moved[:, 0], -moved[:, 0]], axis=1)], axis=1)
            return missed(bootstrap(list(both[:, None]), luck_share, times=300), truth)

        yield counted("luck, interval", f"{part:g}, 150 games", max(100, studies // 10), once)


def looks(studies: int) -> Iterator[Line]:
    """A study that looks after every stage and stops at a known light: wrong at the look where it stops, or at any."""
    for truth in (0.0, 0.15):
        even = np.array([0.5 + truth / 2, 0.5 - truth / 2])

        def once(lot: Lot, p: Any = even, gone: float = truth) -> bool:
            won = np.zeros(2, np.int64)
            played, seen = 0, 0.0
            for share in stages.STAGES:
                more = round(2000 * share) - played
                won, played, level = won + lot.multinomial(more, p), played + more, 1 - stages.ALPHA * (share - seen)
                seen = share
                found = gap(won, level)
                if missed(found, gone):
                    return True
            return False

        yield counted("largest gap, any of four looks", f"gap {truth:g}, 2,000 games", studies, once)


def ladder(studies: int) -> Iterator[Line]:
    """Steps of a ladder of pairs of games that share their chance; a step counts from 55 % on."""
    for shares_, truth in (((0.62, 0.60, 0.50), 2), ((0.5, 0.7, 0.7), 0), ((0.75, 0.75, 0.75), 3)):

        def steps(lot: Lot, shares_: tuple[float, ...] = shares_) -> Estimate:
            return questions.count_rungs_won([mean_share(lot.binomial(2, p, 200) / 2) for p in shares_], 0.5)

        case = ", ".join(f"{100 * p:.0f} %" for p in shares_)
        yield counted("rungs, interval", case, studies, lambda lot, steps=steps, truth=truth: missed(steps(lot), truth))
        sure = light(Estimate(truth, truth, truth, 1), LIMITS.rungs)
        wrongly = {"good": "bad", "bad": "good"}.get(sure)
        yield counted(
            "rungs, light", case, studies, lambda lot, steps=steps, not_=wrongly: light(steps(lot), LIMITS.rungs) == not_
        )


def tension(studies: int) -> Iterator[Line]:
    """Questions 6, 7, 8 and 10: counts of a few, and shares of a game between 0 and 1, many of them at an end."""
    for games in (60, 400):
        yield counted(
            "6, changes of the lead, interval", f"1.5 a game, {games}", studies,
            lambda lot, n=games: missed(mean(lot.negative_binomial(1, 1 / 2.5, n)), 1.5),
        )  # fmt: skip
        yield counted(
            "6, comebacks, interval", f"0.08 of {games}", studies,
            lambda lot, n=games: missed(wilson(lot.binomial(n, 0.08), n), 0.08),
        )  # fmt: skip
        for question, a, b in (("7, decided", 2.0, 1.0), ("8, forced", 0.8, 3.0), ("10, out of the game", 0.3, 3.0)):
            yield counted(
                f"{question}, interval", f"{a / (a + b):.2f} of a game, {games}", studies,
                lambda lot, n=games, a=a, b=b: missed(mean_share(lot.beta(a, b, n)), a / (a + b)),
            )  # fmt: skip


def samples(studies: int) -> Iterator[Line]:
    """Questions 8, 10 and 12: six decisions of each game, of which those of a game are alike."""
    for games in (8, 40):

        def once(lot: Lot, games: int = games) -> bool:
            of_game = lot.beta(2.0, 6.0, games)
            seen = (lot.random((games, 6)) < of_game[:, None]).astype(float)
            return missed(mean_share(seen.mean(axis=1)), 0.25)

        yield counted("8, 10 and 12, samples, interval", f"0.25, {games} games", studies, once)
    for games in (2, 4, 8):  # games that often are all alike

        def alike(lot: Lot, games: int = games) -> bool:
            return missed(mean_share((lot.random((games, 6)) < 0.97).mean(axis=1)), 0.97)

        yield counted("8, 10 and 12, samples, interval", f"0.97, {games} games", studies, alike)


def clauses(studies: int) -> Iterator[Line]:
    """Question 9: 40 clauses, some of which take effect in one game of 1,000, the others in a fifth of them."""
    for rare, games in ((2, 60), (2, 1000), (20, 1000)):
        often = np.array([0.001] * rare + [0.2] * (40 - rare))

        def unused(lot: Lot, often: Any = often, games: int = games) -> Estimate:
            return questions.estimate_unused_share(
                [wilson(int(n), games) for n in lot.binomial(games, often)], 40, LIMITS.rare[1]
            )

        case = f"{rare} of 40 clauses, {games} games"
        yield counted("9, unused, interval", case, studies, lambda lot, made=unused, t=rare / 40: missed(made(lot), t))
        yield counted(
            "9, unused, light",
            case,
            studies,
            lambda lot, made=unused, t=rare / 40: wrong(light(made(lot), LIMITS.unused), t, LIMITS.unused),
        )


def comparisons(studies: int) -> Iterator[Line]:
    """Two runs by the same rules: does any of the adjusted tests find a difference? And does it find one that was planted?"""
    game = registry.game("forty_bridges")
    for planted in (0.0, 0.1):

        def once(lot: Lot, planted: float = planted) -> bool:
            both, shared = [], lot.normal(0, 1, 400)  # what a pair of games shares
            for more in (0.0, planted):
                rows = np.zeros(400, facts.dtype(game))
                won = shared + lot.normal(0, 1, 400) < 2.0 * more
                rows["result"][:, 0], rows["result"][:, 1] = np.where(won, 1, -1), np.where(won, -1, 1)
                rows["plies"] = np.exp(3 + 0.3 * shared + lot.normal(0, 0.3, 400))
                rows["turns"], rows["decisions"][:, 0] = rows["plies"], rows["plies"] + lot.integers(-3, 4, 400)
                rows["branching"], rows["weighed"] = lot.normal(9, 1, (400, facts.PARTS)), True
                rows["leads"], rows["decided"] = lot.poisson(2, 400), lot.beta(2, 1, 400)
                both.append(rows)
            found = any(each.all < 0.05 for each in versus.adjust_p_values(versus.compare_measures(game, "any", *both)))
            return found if planted == 0 else not found

        name = "comparison, any false alarm" if planted == 0 else "comparison, 5.6 points not found"
        yield counted(name, "9 measures, 400 pairs", max(100, studies // 10), once)


def calibrations(studies: int) -> Iterator[Line]:
    """Chances that are right, or wrong by a known part, at 30 positions of each game: does the interval hold that part, and are
    chances that are off by more than 5 %, and only these, called so?"""
    for off, games in itertools.product((0.0, 0.03, 0.08), (100, 400)):

        def found(lot: Lot, off: float = off, games: int = games) -> Estimate:
            return estimate_error(np.stack([weighed_game(lot, off) for _ in range(games)]))

        case, many = f"off by {100 * off:g} %, {games} games", max(100, studies // 10)
        yield counted("6 and 7, calibration error, interval", case, many, lambda lot, f=found, t=off: missed(f(lot), t))
        yield counted(
            "6 and 7, chances called off", case, many,
            lambda lot, f=found, t=off: questions.called_off(f(lot)) != (t > questions.OFF),
        )  # fmt: skip


def weighed_game(lot: Lot, off: float) -> Any:
    """The bins of a game: a fair walk of its first side's chance, which ends near 0.2 and 0.8; all chances shown are too sure."""
    walk = 0.5 + np.cumsum(lot.normal(0, 0.06, 30))
    left = np.flatnonzero(np.abs(walk - 0.5) > 0.3)
    chance = walk[np.minimum(np.arange(30), left[0] if len(left) else 29)]
    shown = np.clip(chance + np.where(chance > 0.5, off, -off), 0, 1)
    won = float(lot.random() < chance[-1])
    return bin_chances(np.stack([shown, 1 - shown], 1), np.broadcast_to([won, 1 - won], (30, 2)))


class Size(NamedTuple):
    """A study that is offered: games of the strongest player, those weighed, looked into and read again, sets of duels, and the
    level of its intervals."""

    name: str
    games: int
    weighed: int
    looked: int
    read: int
    sets: int
    level: float = 0.95


# The short study of the browser (as many games as a minute mostly has), a shipped report, the last stage of the default study,
# and ten times the default.
SIZES = (
    Size("quick", 400, 50, 24, 130, 6),
    Size("shipped", 100, 40, 40, 30, 5),
    Size("default", 1000, 800, 80, 3000, 200, 1 - stages.ALPHA / 2),
    Size("long", 10_000, 1000, 800, 3000, 2000),
)
TRUTHS = ("fine", "at green", "between", "at red", "beyond")


class Operating(NamedTuple):
    """A light: its question and number, truths from fine to bad (TRUTHS), and a simulated study of a size."""

    number: str
    truths: tuple[float, ...]
    shown: Callable[[Lot, float, Size], Light]


def _mean_of(draw: Callable[[Lot, float, int], Any], which: str, limits: tuple[float, float], shares_: bool = True) -> Any:
    """A light of a mean. draw: so many values whose mean is the truth; which: the field of `Size` with their number."""

    def shown(lot: Lot, truth: float, size: Size) -> Light:
        return light((mean_share if shares_ else mean)(draw(lot, truth, getattr(size, which)), size.level), limits)

    return shown


def _share_of(which: str, limits: tuple[float, float]) -> Any:
    def shown(lot: Lot, truth: float, size: Size) -> Light:
        n = getattr(size, which)
        return light(wilson(lot.binomial(n, truth), n, size.level), limits)

    return shown


def _beta(lot: Lot, truth: float, n: int) -> Any:
    return lot.beta(3 * truth, 3 * (1 - truth), n)


def _of_games(lot: Lot, truth: float, n: int) -> Any:
    """Shares of six decisions of each game, of which those of a game are alike."""
    return (lot.random((n, 6)) < lot.beta(8 * truth, 8 * (1 - truth), n)[:, None]).mean(axis=1)


def _two_sides(lot: Lot, truth: float, size: Size) -> Light:
    return fair_light(lot, size.games, 0.5 + truth / 2, size.level)


def _many_sides(lot: Lot, truth: float, size: Size) -> Light:
    even = np.full(4, 0.25)
    even[0], even[-1] = 0.25 + truth / 2, 0.25 - truth / 2
    won = lot.multinomial(size.games, even)
    shown = light(gap(won, size.level), LIMITS.seat_gap)
    return "watch" if shown == "bad" and equal_shares(won.tolist()) >= 0.05 else shown


def _rungs(lot: Lot, truth: float, size: Size) -> Light:
    """Steps of a ladder of three, so many of which the stronger player wins by 75 %, the others evenly. A short study has one,
    which is won if all three are."""
    steps, limits = (1, (1.0, 0.5)) if size.name == "quick" else (3, LIMITS.rungs)
    won = [0.75] * (round(truth) if steps == 3 else truth == 3) + [0.5] * 3
    found = [mean_share(lot.binomial(2, p, size.sets) / 2, size.level) for p in won[:steps]]
    return light(questions.count_rungs_won(found, 0.5), limits) if size.sets >= questions.SETS else "unknown"


def _luck(lot: Lot, truth: float, size: Size) -> Light:
    moved = lot.choice([-1.0, 1.0], (size.weighed, 2)) * np.array([math.sqrt(truth), math.sqrt(1 - truth)]) / 2
    won = 0.5 + moved.sum(axis=1)
    both = np.stack([np.stack([won, 1 - won], axis=1), np.stack([moved[:, 0], -moved[:, 0]], axis=1)], axis=1)
    return light(bootstrap(list(both[:, None]), luck_share, times=100, level=size.level), LIMITS.luck)


def _unused(lot: Lot, truth: float, size: Size) -> Light:
    rare = round(40 * truth)
    often = np.array([0.001] * rare + [0.2] * (40 - rare))
    found = [wilson(int(n), size.read, size.level) for n in lot.binomial(size.read, often)]
    return light(questions.estimate_unused_share(found, 40, LIMITS.rare[1]), LIMITS.unused)


LIGHTS = (
    Operating("1, never ends", (0.002, 0.01, 0.03, 0.051, 0.1), _share_of("games", LIMITS.unfinished)),
    Operating("1, nobody wins", (0.1, 0.25, 0.375, 0.501, 0.7), _share_of("games", LIMITS.undecided)),
    Operating("2, gap, two sides", (0.0, 0.05, 0.075, 0.101, 0.2), _two_sides),
    Operating("2, gap, four sides", (0.0, 0.05, 0.075, 0.101, 0.2), _many_sides),
    Operating(
        "3, minutes", (60, 90, 120, 151, 200),
        _mean_of(lambda lot, t, n: t * lot.lognormal(-0.08, 0.4, n), "games", LIMITS.minutes, False),
    ),
    Operating("4, rungs", (3, 3, 2, 1, 0), _rungs),
    Operating("5, luck", (0.3, 0.6, 0.7, 0.81, 0.95), _luck),
    Operating(
        "6, changes of the lead", (3.0, 1.5, 1.1, 0.69, 0.3),
        _mean_of(lambda lot, t, n: lot.negative_binomial(1, 1 / (1 + t), n), "weighed", LIMITS.leads, False),
    ),
    Operating("7, decided after", (0.7, 0.5, 0.4, 0.29, 0.15), _mean_of(_beta, "weighed", LIMITS.decided)),
    Operating("7, ahead at half time", (0.6, 0.75, 0.82, 0.901, 0.97), _share_of("weighed", LIMITS.snowball)),
    Operating("8, forced", (0.1, 0.3, 0.4, 0.51, 0.7), _mean_of(_beta, "games", LIMITS.forced)),
    Operating("8, real choices", (0.6, 0.25, 0.18, 0.09, 0.02), _mean_of(_of_games, "looked", LIMITS.real)),
    Operating(
        "8, what a choice at random costs", (0.03, 0.005, 0.003, 0.0009, 0.0),
        _mean_of(lambda lot, t, n: lot.normal(t, 0.01, n), "looked", LIMITS.stake, False),
    ),
    Operating("8, dominant kind", (0.5, 0.8, 0.88, 0.96, 0.999), _mean_of(_of_games, "looked", LIMITS.dominant)),
    Operating("9, unused clauses", (0.0, 0.05, 0.1, 0.225, 0.4), _unused),
    Operating("10, out of the game", (0.05, 0.15, 0.22, 0.31, 0.5), _mean_of(_beta, "games", LIMITS.gone)),
    Operating(
        "10, longest wait", (4, 10, 15, 20.1, 30),
        _mean_of(lambda lot, t, n: lot.poisson(t, n), "games", LIMITS.waiting, False),
    ),
    Operating("10, kingmaking", (0.005, 0.05, 0.12, 0.201, 0.5), _share_of("looked", LIMITS.kings)),
    Operating(
        "12, regret", (0.0, 0.03, 0.055, 0.081, 0.15),
        _mean_of(lambda lot, t, n: lot.normal(t, 0.05, n), "looked", LIMITS.regret, False),
    ),
)  # fmt: skip


def operate(studies: int) -> Iterator[tuple[str, str, list[tuple[float, list[float]]]]]:
    """For each light and size: at each truth, the shares of studies whose light is green, yellow, red, open."""
    for each, size in itertools.product(LIGHTS, SIZES):
        lot, found, many = np.random.default_rng(1), [], studies // 10 if each.shown is _luck else studies
        for truth in each.truths:
            shown = Counter(each.shown(lot, truth, size) for _ in range(many))
            found.append((truth, [shown[name] / many for name in ("good", "watch", "bad", "unknown")]))
        yield each.number, size.name, found


def print_lights(studies: int) -> None:
    """The operating characteristics as a table: green/yellow/red/open of 100 studies; last, the worst wrong light."""
    print(f"| light | study | {' | '.join(TRUTHS)} | green beyond red, red when fine |\n|{'---|' * (3 + len(TRUTHS))}")
    for number, size, found in operate(studies):
        cells = [f"{truth:g}: " + "/".join(f"{100 * share:.0f}" for share in shares_) for truth, shares_ in found]
        green, red = max(found[3][1][0], found[4][1][0]), max(found[0][1][2], found[1][1][2])
        print(f"| {number} | {size} | {' | '.join(cells)} | {100 * green:.1f} %, {100 * red:.1f} % |", flush=True)


PARTS = (shares, together, means, gaps, luck, looks, ladder, tension, samples, clauses, comparisons, calibrations)


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=2000, help="simulated studies of each line")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--parts", default="", help="only these: " + ", ".join(part.__name__ for part in PARTS))
    parser.add_argument("--lights", action="store_true", help="how often each light is green, yellow, red and open, by truth")
    options = parser.parse_args()
    if options.lights:
        print_lights(options.studies)
        return
    chosen = [part for part in PARTS if not options.parts or part.__name__ in options.parts.split(",")]
    lines = [line for part in chosen for line in part(options.studies)]
    if options.json:
        print(json.dumps([line._asdict() | {"error": line.error} for line in lines]))
        return
    print("| measure | case | studies | wrong |\n|---|---|---|---|")
    for line in lines:
        print(f"| {line.measure} | {line.case} | {line.studies:,} | {100 * line.wrong:.1f} % ± {100 * line.error:.1f} |")


if __name__ == "__main__":
    main()
