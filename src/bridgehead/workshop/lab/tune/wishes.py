"""Wishes of a designer, such as `fair<5`, `minutes=20..40` or `skill`, and how far a run of games is from them.

Shares and points are in percent in a wish, and from 0 to 1 in an estimate.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.workshop.arena.calibration import estimate_error
from bridgehead.workshop.lab.action_kinds import kinds
from bridgehead.workshop.lab.answers.answer import figure
from bridgehead.workshop.lab.answers.questions import FEW, called_off
from bridgehead.workshop.lab.facts import luck_share, shares, wins, wins_in_order
from bridgehead.workshop.lab.games import scores
from bridgehead.workshop.lab.words import Figure, Text, phrase, reason_of
from bridgehead.workshop.statistics import NOTHING, Estimate, bootstrap, clip_estimate, exact, gap, mean, mean_share, wilson

Array = np.ndarray[Any, Any]
State = Literal["met", "open", "missed"]
USUAL = {"fair": (0.0, 5.0), "order": (0.0, 5.0), "seats": (0.0, 5.0), "undecided": (0.0, 5.0), "skill": (55.0, 100.0),
         "dead": (0.0, 0.0), "minutes": (20.0, 40.0), "luck": (0.0, 60.0), "snowball": (0.0, 75.0), "forced": (0.0, 30.0),
         "choices": (25.0, 100.0), "kings": (0.0, 5.0), "out": (0.0, 15.0), "wait": (0.0, 10.0)}  # fmt: skip
COUNTED = ("minutes", "dead", "wait")  # plain numbers; all other wishes are in percent
WEIGHED, LOOKED = ("luck", "snowball"), ("choices", "kings")  # they need games that are evaluated, or decisions looked into
RARE = 0.01  # share of games below which an action counts as never done


class Wish(NamedTuple):
    """A measure must lie between low and high, in its own unit: minutes, a count, or a share from 0 to 1."""

    measure: str
    low: float
    high: float

    @property
    def text(self) -> str:
        """As it is typed."""
        times = 1 if self.measure in COUNTED else 100
        low, high = f"{times * self.low:.10g}", f"{times * self.high:.10g}"
        if self.low <= 0:
            return f"{self.measure}<{high}"
        is_open = self.high == (math.inf if self.measure in COUNTED else 1.0)
        return f"{self.measure}>{low}" if is_open else f"{self.measure}={low}..{high}"

    def measure_miss(self, value: float) -> float:
        """The distance of a value from the wish, relative to its limit; 0 if it is met, infinite if it is unknown."""
        if value != value:
            return math.inf
        far = max(self.low - value, value - self.high, 0.0)
        edge = self.high if value > self.high else self.low
        return far / max(abs(edge), 0.05 if self.measure not in COUNTED else 1.0)

    def state(self, found: Estimate) -> State:
        """Whether the whole interval meets the wish, none of it does, or games do not tell yet."""
        if found.games == 0 or found.value != found.value:
            return "open"
        if self.low <= found.low and found.high <= self.high:
            return "met"
        return "missed" if found.high < self.low or found.low > self.high else "open"

    @property
    def words(self) -> Text:
        """The wish in words."""
        times = 1 if self.measure in COUNTED else 100
        named = self.measure if self.measure in USUAL else "ending"
        ends: dict[str, object] = {"low": figure(times * self.low), "high": figure(times * self.high), "reason": self.measure}
        if self.measure == "minutes":
            named = "minutes.most" if self.low <= 0 else "minutes.least" if math.isinf(self.high) else "minutes"
        return phrase(f"tune.wish.{named}", **ends)


def wishes(text: str, game: Game) -> tuple[Wish, ...]:
    """Wishes, comma-separated: `fair<5`, `minutes=20..40`, `skill`, or the name of an ending, `repetition<30`.

    Errors: OptionError for an unknown wish, one that is named twice, and an impossible range.
    """
    endings = [reason for reason, _ in game.spec.rules.REASONS if reason]
    found: list[Wish] = []
    for each in filter(None, map(str.strip, text.split(","))):
        number = r"([0-9]+(?:\.[0-9]+)?)"
        matched = re.fullmatch(rf"(\w[\w-]*?)\s*(?:<\s*{number}|>\s*{number}|=\s*{number}\.\.{number})?", each)
        name = matched[1] if matched else re.split("[<>=]", each)[0].strip()
        if name not in (*USUAL, *endings):
            raise OptionError("lab:error.no_wish", "--wish", name=repr(name[:40]), wishes=", ".join([*USUAL, *endings]))
        if not matched:
            raise OptionError("lab:error.wish_form", "--wish", each=repr(each[:40]))
        below, above, low, high = (float(number) if number else None for number in matched.groups()[1:])
        if below is above is low is None and name not in USUAL:
            raise OptionError("lab:error.wish_form", "--wish", each=repr(each))
        most = math.inf if name in COUNTED else 100.0
        ends = USUAL.get(name, (0.0, most)) if below is above is low is None else (low or above or 0.0, most)
        if below is not None or high is not None:
            ends = (low or 0.0, below if below is not None else high or 0.0)
        if ends[0] > ends[1] or ends[0] >= most or (ends[1] > most):
            raise OptionError("lab:error.wish_range", "--wish", each=repr(each), most=Figure("∞" if math.isinf(most) else "100"))
        if any(name == other.measure for other in found):
            raise OptionError("lab:error.wish_twice", "--wish", name=name)
        times = 1.0 if name in COUNTED else 100.0
        found.append(Wish(name, ends[0] / times, ends[1] / times))
    if not found:
        raise OptionError("lab:error.wish_none", "--wish", wishes=", ".join([*USUAL, *endings]))
    return tuple(found)


class Games(NamedTuple):
    """Games of one player in all seats of a game, of a random player in all seats, and its duels with a weaker player.

    looks: decisions of its games that were looked into (`decision_samples`).
    """

    game: Game
    player: str
    rows: Array
    random: Array
    duels: Array
    seconds: float  # of a decision
    looks: Array | None = None


def measure_wish(wish: str, games: Games) -> Estimate:
    """The measure that a wish is about."""
    game, rows = games.game, games.rows
    if wish in MEASURES:
        return MEASURES[wish](games)
    if wish in ("fair", "order", "seats"):
        gaps = [gap(count(game, rows)) for name, count in (("order", wins_in_order), ("seats", wins)) if wish in (name, "fair")]
        return max(gaps, key=lambda each: each.value if each.value == each.value else -1.0)
    number = [reason for reason, _ in game.spec.rules.REASONS].index(wish)
    return wilson(int((rows["reason"] == number).sum()), len(rows))


def _measure_skill(games: Games) -> Estimate:
    """The share of the points in duels; 50 % is even, for any number of sides, and twice that or more is 100 %."""
    even, duelled = 1 / len(set(games.game.sides)), scores(games.game, games.duels)
    value, low, high = (min(1.0, 0.5 / even * each) for each in mean_share(duelled)[:3])
    found = Estimate(value, low, high, len(duelled))
    return found if len(games.duels) else found._replace(games=0)


def _measure_luck(games: Games) -> Estimate:
    """The part of the result that draws explain (question 5); not known where win chances are off."""
    game, rows = games.game, games.rows
    if len(rows) and not rows["chances"].any():
        return exact(0.0, len(rows))
    rows = rows[rows["weighed"] & ~np.isnan(rows["dealt"][:, 0]) & (rows["reason"] > 0)]
    if called_off(estimate_error(rows["bins"][rows["bins"].any(axis=(1, 2))])):
        return NOTHING
    both = np.stack([shares(game, rows), rows["dealt"][:, : len(set(game.sides))]], axis=1)
    return clip_estimate(bootstrap(list(both[:, None]), luck_share)) if len(rows) >= FEW else NOTHING


def _measure_snowball(games: Games) -> Estimate:
    """The share of games with a winner that had more than an even chance at half time already."""
    rows = games.rows[games.rows["weighed"] & ~np.isnan(games.rows["back"])]
    return wilson(int((rows["back"] > 1 / len(set(games.game.sides))).sum()), len(rows))


def _measure_choices(games: Games) -> Estimate:
    """The share of decisions with two actions about as good that lead to different games (question 8)."""
    looked = [each["real"][each["legal"] > 0] for each in _looks(games) if (each["legal"] > 0).any()]
    return mean_share(np.array([(each > 0).mean() for each in looked])) if looked else NOTHING


def _measure_kings(games: Games) -> Estimate:
    """The share of games in which somebody who cannot win decides who does; nobody does where there are two sides."""
    if len(set(games.game.sides)) < 3:
        return exact(0.0, len(games.rows))
    decided = [each["decided"] for each in _looks(games) if (each["decided"] >= 0).any()]
    return wilson(sum(bool((each == 1).any()) for each in decided), len(decided))


def _looks(games: Games) -> Array:
    return games.rows[:0] if games.looks is None else games.looks


MEASURES: dict[str, Callable[[Games], Estimate]] = {
    "undecided": lambda games: wilson(int((games.rows["result"].max(axis=1) <= 0).sum()), len(games.rows)),
    "minutes": lambda games: mean(games.rows["decisions"][:, : games.game.seats].sum(axis=1) * games.seconds / 60),
    "skill": _measure_skill,
    "dead": lambda games: exact(len(dead(games)), min(len(games.rows), len(games.random))),
    "luck": _measure_luck,
    "snowball": _measure_snowball,
    "forced": lambda games: mean_share(games.rows["forced"] / np.maximum(games.rows["plies"], 1)),
    "choices": _measure_choices,
    "kings": _measure_kings,
    "out": lambda games: mean_share(games.rows["gone"][:, : games.game.seats].max(axis=1)),
    "wait": lambda games: mean(games.rows["longest_wait"]),
}


def dead(games: Games) -> list[str]:
    """Kinds of actions that the rules allow, since random players do them, and that this player hardly ever does."""
    names = kinds(games.game).names
    mine, anybody = (
        (rows["did"].sum(axis=2) > 0).mean(axis=0) if len(rows) else np.zeros(len(names)) for rows in (games.rows, games.random)
    )
    return [name for name, own, all_ in zip(names, mine, anybody, strict=True) if own < RARE <= all_]


def describe_wish(wish: str, found: Estimate, game: Game) -> Text:
    """The measure of a wish in words, with its interval."""
    times = 1 if wish in COUNTED else 100
    if found.games == 0 or found.value != found.value:
        return phrase("tune.measure.unknown")
    ends = {name: figure(times * each) for name, each in zip(("value", "low", "high"), found[:3], strict=True)}
    if wish not in USUAL:
        return phrase("tune.measure.ending", reason=reason_of(game, wish), **ends)
    return phrase(f"tune.measure.{wish}", n=round(times * found.value, 2), **ends)
