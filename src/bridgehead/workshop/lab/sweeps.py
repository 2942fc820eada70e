"""Sweeps of one house rule over a range, and a search for settings that meet targets, with its cost and a caution."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec
import numpy as np

from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase
from bridgehead.workshop.lab.answers.answer import Thresholds
from bridgehead.workshop.lab.facts import wins
from bridgehead.workshop.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Executor, Results, finish
from bridgehead.workshop.lab.words import phrase, whole
from bridgehead.workshop.statistics import Estimate, gap, mean, wilson

MOST_VALUES = 64


class Point(NamedTuple):
    """One setting of a sweep: its arm, and each measure's estimate for the strongest player."""

    arm: Arm
    measures: dict[str, Estimate]


class Target(NamedTuple):
    """A target: the measure must lie between low and high."""

    measure: str
    low: float
    high: float

    def measure_miss(self, value: float) -> float:
        """The relative distance of a value from the target; 0 if it is met."""
        if value != value:
            return float("inf")
        far = max(self.low - value, value - self.high, 0.0)
        edge = self.high if value > self.high else self.low
        return far / max(abs(edge), 0.01)


def arms_over(rules: dict[str, Any], text: str) -> tuple[Arm, ...]:
    """Arms of `option=1..5`, `option=10..100/10` (steps) or `option=a|b|c`; other rules as given. Errors: OptionError."""
    option, _, values = text.partition("=")
    if not option or not values:
        raise OptionError("lab:error.range_option_1_5_option", "--sweep")
    span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)(?:/(\d+))?", values)
    if span:
        low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
        found: list[Any] = list(range(low, high + 1, max(1, step)))
    else:
        found = [_value(each) for each in values.split("|")]
    if not 2 <= len(found) <= MOST_VALUES:
        raise OptionError("lab:error.values_2", "--sweep", count=len(found), most_values=MOST_VALUES)
    return tuple(
        Arm(f"{option}={json.dumps(each) if not isinstance(each, str) else each}", {**rules, option: each}) for each in found
    )


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def targets(text: str) -> tuple[Target, ...]:
    """Targets, comma-separated: `minutes<60`, `gap<0.05`, `plies=40..80`. Errors: OptionError."""
    found = []
    for each in text.split(","):
        matched = re.fullmatch(r"\s*(\w+)\s*(?:<\s*([\d.]+)|>\s*([\d.]+)|=\s*([\d.]+)\.\.([\d.]+))\s*", each)
        if not matched or matched[1] not in MEASURES:
            raise OptionError("lab:error.wish_like_minutes_60_plies", "--seek", each=repr(each), measures=", ".join(MEASURES))
        name, below, above, low, high = matched.groups()
        found.append(Target(name, float(low or above or "-inf"), float(high or below or "inf")))
    return tuple(found)


MEASURES: dict[str, Callable[[Game, Any, Thresholds], Estimate]] = {
    "plies": lambda game, rows, limits: mean(rows["plies"]),
    "minutes": lambda game, rows, limits: mean(rows["decisions"][:, : game.seats].sum(axis=1) * limits.seconds_a_decision / 60),
    "gap": lambda game, rows, limits: gap(wins(game, rows)),
    "undecided": lambda game, rows, limits: wilson(int((rows["result"].max(axis=1) <= 0).sum()), len(rows)),
    "leads": lambda game, rows, limits: mean(rows["leads"][rows["weighed"]]),
    "choices": lambda game, rows, limits: mean(rows["branching"].mean(axis=1)),
}


def points(results: Results, limits: Thresholds) -> list[Point]:
    """The measures of every arm for the strongest player."""
    which, found = len(results.plan.strengths) - 1, []
    for number, arm in enumerate(results.plan.arms):
        game, rows = results.plan.make_game(number), results.rows("games", which, number)
        found.append(Point(arm, {name: measure(game, rows, limits) for name, measure in MEASURES.items()}))
    return found


class Round(NamedTuple):
    """A round of a search: games per arm, and the points, best first."""

    games: int
    points: list[Point]


def seek(plan: Plan, wanted: tuple[Target, ...], limits: Thresholds, executor: Executor, games: int) -> Iterator[Round]:
    """Successive halving: all arms with few games, then the better half with twice as many, until one is left or the
    games are used up.

    plan: with one strength; games: limit of all games. Ties go to the arm named first. Each round uses new seeds, so a
    lucky arm does not keep its luck.
    """
    arms, spent, number = list(plan.arms), 0, 0
    each = max(20, games // (len(arms) * max(1, int(np.ceil(np.log2(len(arms)))) + 1)))
    most = max(games, each * len(arms))
    while arms and spent + each * len(arms) <= most:
        strength = Strength(plan.strengths[-1].player, each)
        now = msgspec.structs.replace(plan, arms=tuple(arms), strengths=(strength,), seed=plan.seed + 1000 * number, weighed=each)
        results = finish(Results(check_plan(now)), executor)
        ranked = sorted(points(results, limits), key=lambda point: measure_total_miss(point, wanted))
        yield Round(each, ranked)
        if len(arms) == 1:
            return
        spent, number = spent + each * len(arms), number + 1
        arms, each = [point.arm for point in ranked[: (len(ranked) + 1) // 2]], 2 * each


def measure_total_miss(point: Point, wanted: tuple[Target, ...]) -> float:
    """The distance of a setting from all targets together."""
    return sum(target.measure_miss(point.measures[target.measure].value) for target in wanted)


def caution(rounds: list[Round], settings: int) -> Phrase:
    """A caution about multiple comparisons."""
    spent = sum(each.games * len(each.points) for each in rounds)
    return phrase("caution", games=whole(spent), settings=settings)
