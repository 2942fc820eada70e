"""An answer: measures with intervals, a light by the designer's thresholds, and a sentence that claims no more than they show."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from bridgehead.core.errors import OptionError, convert_error
from bridgehead.core.game import Game
from bridgehead.core.phrases import ENGLISH, Phrase
from bridgehead.core.validation import ready
from bridgehead.workshop.lab.action_kinds import WORD
from bridgehead.workshop.lab.running import Results
from bridgehead.workshop.lab.words import UNKNOWN, Figure, Text, phrase, sentences, tell, whole
from bridgehead.workshop.statistics import Z95, Estimate, binomial_quantiles, bootstrap, mean, mean_share, quantile, wilson

Array = np.ndarray[Any, Any]
Light = Literal["good", "watch", "bad", "unknown"]
DRAWN = 400  # values of a number in as many studies, at even distances of chance
TELLING = 0.8  # part of the way to a limit that an interval of enough games reaches: the value moves in them, too


class Measure(NamedTuple):
    """One number of an answer: its label, the player ("" if irrelevant), the estimate, its unit.

    unit: "share" (0 to 1), "points" (share of wins, 0 to 1), "" (a plain number), or a word such as "minutes".
    """

    label: Phrase
    player: str
    estimate: Estimate
    unit: str = ""

    @property
    def name(self) -> str:
        """The label in English: the measure's name in data."""
        return tell(self.label)


def make_measure(key: str, player: str, estimate: Estimate, unit: str = "", /, **params: object) -> Measure:
    """A measure whose label has the key `measure.KEY`."""
    return Measure(phrase(f"measure.{key}", **params), player, estimate, unit)


class Answer(NamedTuple):
    """One of the twelve. text: for the designer, in plain words; exploratory: one of several tests, to be read with caution.

    seen: how often such a study would have shown a clear fault (`would_see`).
    """

    number: int
    light: Light
    text: Text
    measures: list[Measure]
    exploratory: bool = False
    seen: Text = ""

    @property
    def title(self) -> Phrase:
        """The question."""
        return Phrase(f"question.{self.number}")

    @property
    def question(self) -> str:
        """The question in English."""
        return tell(self.title)

    @property
    def sentence(self) -> str:
        """The answer in English."""
        return tell(self.text)


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a light turns from good to watch, and from watch to bad; a designer may change them. Shares from 0 to 1."""

    unfinished: tuple[float, float] = (0.01, 0.05)
    undecided: tuple[float, float] = (0.25, 0.50)
    seat_gap: tuple[float, float] = (0.05, 0.10)
    minutes: tuple[float, float] = (90.0, 150.0)
    few_decisions: tuple[float, float] = (6.0, 3.0)
    seconds_a_decision: float = 15.0
    rungs: tuple[float, float] = (3.0, 2.0)
    luck: tuple[float, float] = (0.6, 0.8)
    leads: tuple[float, float] = (1.5, 0.7)
    decided: tuple[float, float] = (0.5, 0.3)
    snowball: tuple[float, float] = (0.75, 0.90)
    forced: tuple[float, float] = (0.3, 0.5)
    real: tuple[float, float] = (0.25, 0.10)
    stake: tuple[float, float] = (0.005, 0.001)
    dominant: tuple[float, float] = (0.8, 0.95)
    rare: tuple[float, float] = (0.05, 0.01)
    gone: tuple[float, float] = (0.15, 0.30)
    waiting: tuple[float, float] = (10.0, 20.0)
    kings: tuple[float, float] = (0.05, 0.20)
    unused: tuple[float, float] = (0.05, 0.20)
    regret: tuple[float, float] = (0.03, 0.08)


class Run(NamedTuple):
    """What a question reads: one arm of a run, its game, and the designer's thresholds."""

    results: Results
    game: Game
    limits: Thresholds
    arm: int = 0

    @property
    def strongest(self) -> str:
        """The last and strongest player."""
        return self.results.plan.strengths[-1].player

    @property
    def level(self) -> float:
        """The level of intervals: 95 %, or more in a study that may stop early."""
        return self.results.plan.level

    def share(self, successes: float, games: int) -> Estimate:
        """A share with its interval."""
        return wilson(successes, games, self.level)

    def mean(self, numbers: Array) -> Estimate:
        """A mean with its interval."""
        return mean(numbers, self.level)

    def average(self, shares: Array) -> Estimate:
        """A mean of shares from 0 to 1 with its interval."""
        return mean_share(shares, self.level)

    def bootstrap_estimate(self, clusters: Sequence[Array], number: Callable[[Array], Any], times: int = 500) -> Estimate:
        """A number from all games with its interval; games of a cluster are resampled together."""
        return bootstrap(clusters, number, times=times, level=self.level)

    def rows(self, kind: str, which: int = -1) -> Array:
        """The rows of one strength or duel; -1: the strongest player's."""
        return self.results.rows(kind, len(self.results.plan.strengths) - 1 if which < 0 else which, self.arm)

    def players(self, kind: str) -> list[tuple[str, Array]]:
        """Every player, from the weakest to the strongest, with its rows."""
        return [(each.player, self.rows(kind, which)) for which, each in enumerate(self.results.plan.strengths)]


def thresholds(file: Path | None) -> Thresholds:
    """The default thresholds, with those of a TOML file in place of some. Errors: OptionError."""
    if file is None:
        return Thresholds()
    import tomllib

    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), type=ready(Thresholds))
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, OSError) as error:
        raise OptionError(convert_error(error).whole, str(file)) from None


def light(estimate: Estimate, limits: tuple[float, float]) -> Light:
    """The light of a number that should be small or, if the second limit is the smaller one, large.

    "unknown" without games, and where the interval reaches from good to bad.
    """
    if not is_known(estimate) or {_side(estimate.low, limits), _side(estimate.high, limits)} == {"good", "bad"}:
        return "unknown"
    return _side(estimate.value, limits)


def _side(value: float, limits: tuple[float, float]) -> Light:
    good, bad = limits
    sign = 1 if bad >= good else -1
    if sign * value <= sign * good:
        return "good"
    return "watch" if sign * value <= sign * bad else "bad"


def judge_number(
    number: int, by: Estimate, limits: tuple[float, float], text: Text, measures: list[Measure], otherwise: str = ""
) -> Answer:
    """An answer with the light of one number. text: if the number is known; otherwise: the key of the sentence if not."""
    sentence = text if is_known(by) or not otherwise else Phrase(otherwise)
    return Answer(number, light(by, limits), sentences(sentence, more_games(by, limits)), measures)


def judge_numbers(
    number: int, judged: Sequence[tuple[Estimate, tuple[float, float]]], text: Text, measures: list[Measure]
) -> Answer:
    """An answer with the most urgent light of several numbers, each with its limits. The games that would tell are those of the
    number that needs most."""
    shown = functools.reduce(worse, (light(by, limits) for by, limits in judged))
    more = [found for by, limits in judged if (found := games_that_tell(by, limits))]
    text = sentences(text, say_games(max(more)) if more and shown == "unknown" else "")
    return Answer(number, shown, text, measures)


def more_games(by: Estimate, limits: tuple[float, float]) -> Text:
    """For a number whose interval reaches from good to bad: about how many games would tell which it is. Else ""."""
    games = games_that_tell(by, limits)
    return say_games(games) if games else ""


def say_games(games: float) -> Text:
    """About so many games would tell."""
    return phrase("more_games", games=Figure(f"{float(f'{games:.1g}'):,.0f}"))


def games_that_tell(by: Estimate, limits: tuple[float, float]) -> float:
    """About how many games would tell whether a number is good or bad, 0 if these do, or if nobody can say."""
    if not is_known(by) or light(by, limits) != "unknown" or not np.isfinite(by.high - by.low):
        return 0.0
    sign = 1 if limits[1] >= limits[0] else -1
    reach = max(sign * (by.value - limits[0]), sign * (limits[1] - by.value))  # to the limit that the interval must not pass
    return by.games * max(1.2, ((by.high - by.low) / (2 * TELLING * reach)) ** 2)


def would_see(number: int, at: Estimate, limits: tuple[float, float], which: str = "", is_share: bool = False) -> Text:
    """In how many of 100 such studies the light of a question would be "look at it" or "a problem" if a number had this value.

    at: the value, and the interval of such a study where that is the truth; which: of several faults of a question; is_share: the
    number is a share of games.
    """
    if not is_known(at) or not np.isfinite(at.high - at.low):
        return ""
    return say_seen(number, chance_to_see(at, limits, ("watch", "bad"), is_share), at.value, which)


def say_seen(number: int, rate: float, value: float = 0.0, which: str = "") -> Text:
    """Of 100 such studies so many would have seen a fault of a question: this value of its number."""
    shown = Figure(f"{value if value > 1 else 100 * value:.0f}")
    return phrase("seen", n=whole(min(99, 100 * rate)), fault=phrase(f"seen.{number}{which}", value=shown))


def chance_to_see(at: Estimate, limits: tuple[float, float], lights: Sequence[Light], is_share: bool = False) -> float:
    """How likely a study shows one of these lights, where `at` has the truth and the interval of such a study.

    A share of games varies by the binomial law. Values of other numbers vary as the interval says, and their intervals are as
    wide.
    """
    parts = [(i + 0.5) / DRAWN for i in range(DRAWN)]
    if is_share:
        found = [wilson(float(successes), at.games) for successes in binomial_quantiles(parts, at.games, at.value)]
    else:
        half = (at.high - at.low) / 2
        values = [at.value + half / Z95 * quantile(part) for part in parts]
        found = [Estimate(value, value - half, value + half, at.games) for value in values]
    return sum(light(each, limits) in lights for each in found) / DRAWN


def suppose(by: Estimate, value: float, is_count: bool = False) -> Estimate:
    """The estimate with another value in the middle of an interval that is as wide; that of a smaller count is narrower."""
    half = (by.high - by.low) / 2
    if is_count and by.value > value:
        half *= math.sqrt(value / by.value)
    return by._replace(value=value, low=value - half, high=value + half)


def worse(one: Light, other: Light) -> Light:
    """The more urgent of two lights; good only if neither is unknown."""
    return max(one, other, key=("good", "unknown", "watch", "bad").index)


def is_known(estimate: Estimate) -> bool:
    """Is the estimate a number?"""
    return estimate.games > 0 and estimate.value == estimate.value


def percent(estimate: Estimate) -> Phrase:
    """A share in words, with its interval; with a decimal if the interval is narrow."""
    if not is_known(estimate):
        return Phrase("share.unknown")
    value, low, high = (min(1.0, max(0.0, each)) for each in estimate[:3])
    digits = 1 if high - low < 0.05 else 0
    shown = (Figure(f"{100 * each:.{digits}f}") for each in (value, low, high))
    return phrase("share", **dict(zip(("value", "low", "high"), shown, strict=True)))


def find_phrase(text: object, *keys: str) -> Phrase | None:
    """The first phrase with one of these keys in a text."""
    if not isinstance(text, Phrase) or text.key in keys:
        return text if isinstance(text, Phrase) else None
    return next((found for each in text.params.values() if (found := find_phrase(each, *keys))), None)


def figure(value: float, sign: str = "") -> Figure:
    """A number with three significant digits, never as a power of ten; n/a if unknown. sign: "+" to show it always."""
    if value != value or abs(value) == float("inf"):
        return Figure(UNKNOWN)
    if abs(value) >= 100:
        return Figure(f"{value:{sign},.0f}")
    short = f"{value:{sign}.3g}"
    return Figure(f"{value:{sign}.4f}" if "e" in short else short)


def chance(value: float) -> Figure:
    """A p-value as printed: three digits at most, and n/a if unknown."""
    return Figure(UNKNOWN if value != value else "< 0.001" if value < 0.001 else f"{value:.3f}")


def tell_count(estimate: Estimate, digits: int = 1) -> Phrase:
    """A count in words, with its interval, which does not reach below 0."""
    if not is_known(estimate):
        return Phrase("count.unknown")
    value, low, high = (Figure(f"{each:,.{digits}f}") for each in (estimate.value, max(0.0, estimate.low), estimate.high))
    return phrase("count.single", value=value) if estimate.games == 1 else phrase("count", value=value, low=low, high=high)


def name_player(player: str) -> Text:
    """A player's name for people."""
    base, without, left_out = player.partition(WORD)
    kind, _, budget = base.partition(":")
    is_search = kind in ("search", "deep", "turn") and budget.isdecimal()
    name: Text = phrase(f"player.{kind}", budget=Figure(f"{int(budget):,}")) if is_search else base
    return phrase("player.without", player=name, kind=left_out) if without else name


def as_data(answer: Answer, language: str = ENGLISH) -> dict[str, Any]:
    """The answer as JSON data: its sentences in a language, its keys and the names of its measures in English."""
    data = {
        "number": answer.number, "question": tell(answer.title, language), "light": answer.light,
        "sentence": tell(answer.text, language), "exploratory": answer.exploratory, "seen": tell(answer.seen, language),
        "measures": [
            {"name": each.name, "player": each.player, "estimate": each.estimate._asdict(), "unit": each.unit}
            for each in answer.measures
        ],
    }  # fmt: skip
    plain_data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(data))
    return plain_data
