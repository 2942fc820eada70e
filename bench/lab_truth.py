"""How often the lab's intervals hold the truth and its lights are wrong, by simulation; no game is played.

Each line: a measure, the case, the number of simulated studies, and in how many of a hundred the interval missed the truth, or a
light was wrong: "good" where the truth is a problem, or the reverse. The promise is 5 of a hundred at most, give or take the
simulation's own error, which is stated.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from bridgehead.lab import stages
from bridgehead.lab.answers.answer import Light, Thresholds, light
from bridgehead.lab.facts import luck_share
from bridgehead.players.statistics import Estimate, bootstrap, equal_shares, gap, mean, wilson

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


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=2000, help="simulated studies of each line")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    lines = [line for part in (shares, means, gaps, luck, looks) for line in part(options.studies)]
    if options.json:
        print(json.dumps([line._asdict() | {"error": line.error} for line in lines]))
        return
    print("| measure | case | studies | wrong |\n|---|---|---|---|")
    for line in lines:
        print(f"| {line.measure} | {line.case} | {line.studies:,} | {100 * line.wrong:.1f} % ± {100 * line.error:.1f} |")


if __name__ == "__main__":
    main()
