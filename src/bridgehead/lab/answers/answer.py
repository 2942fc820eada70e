"""An answer: measures with intervals, a light by the designer's thresholds, and a sentence that claims no more than they show."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from bridgehead.core.errors import OptionError, understood
from bridgehead.core.validation import ready
from bridgehead.players.statistics import Estimate

Light = Literal["good", "watch", "bad", "unknown"]


class Measure(NamedTuple):
    """One number of an answer: its name, the player ("" if irrelevant), the estimate, its unit.

    unit: "share" (0 to 1), "points" (share of wins, 0 to 1), "" (a plain number), or a word such as "minutes".
    """

    name: str
    player: str
    estimate: Estimate
    unit: str = ""


class Answer(NamedTuple):
    """One of the twelve. sentence: for the designer, in plain words; exploratory: one of several tests, to be read with
    caution.
    """

    number: int
    question: str
    light: Light
    sentence: str
    measures: list[Measure]
    exploratory: bool = False


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a light turns from good to watch, and from watch to bad; a designer may change them. Shares from 0 to 1."""

    unfinished: tuple[float, float] = (0.01, 0.05)
    undecided: tuple[float, float] = (0.25, 0.50)
    seat_gap: tuple[float, float] = (0.05, 0.10)
    minutes: tuple[float, float] = (90.0, 150.0)
    seconds_a_decision: float = 15.0
    rungs: tuple[float, float] = (3.0, 2.0)
    luck: tuple[float, float] = (0.6, 0.8)
    leads: tuple[float, float] = (1.5, 0.7)
    decided: tuple[float, float] = (0.5, 0.3)
    forced: tuple[float, float] = (0.3, 0.5)
    rare: tuple[float, float] = (0.05, 0.01)
    gone: tuple[float, float] = (0.15, 0.30)
    unused: tuple[float, float] = (0.05, 0.20)
    regret: tuple[float, float] = (0.03, 0.08)


def thresholds(file: Path | None) -> Thresholds:
    """The default thresholds, with those of a TOML file in place of some. Errors: OptionError."""
    if file is None:
        return Thresholds()
    import tomllib

    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), type=ready(Thresholds))
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, OSError) as error:
        raise OptionError(understood(error).whole, str(file)) from None


def light(estimate: Estimate, limits: tuple[float, float]) -> Light:
    """The light of a number that should be small or, if the second limit is the smaller one, large.

    "unknown" without games, and where the interval reaches from good to bad.
    """
    if not known(estimate) or {_side(estimate.low, limits), _side(estimate.high, limits)} == {"good", "bad"}:
        return "unknown"
    return _side(estimate.value, limits)


def _side(value: float, limits: tuple[float, float]) -> Light:
    good, bad = limits
    sign = 1 if bad >= good else -1
    if sign * value <= sign * good:
        return "good"
    return "watch" if sign * value <= sign * bad else "bad"


def judged(
    number: int, question: str, by: Estimate, limits: tuple[float, float], sentence: str, otherwise: str, measures: list[Measure]
) -> Answer:
    """An answer with the light of one number. sentence: used if the number is known; otherwise: used if not."""
    return Answer(number, question, light(by, limits), sentence if known(by) else otherwise, measures)


def worse(one: Light, other: Light) -> Light:
    """The more urgent of two lights; good only if neither is unknown."""
    return max(one, other, key=("good", "unknown", "watch", "bad").index)


def known(estimate: Estimate) -> bool:
    """Is the estimate a number?"""
    return estimate.games > 0 and estimate.value == estimate.value


def percent(estimate: Estimate) -> str:
    """A share in words, with its interval; with a decimal if the interval is narrow."""
    if not known(estimate):
        return "an unknown share"
    low, high = max(0.0, estimate.low), min(1.0, estimate.high)
    digits = 1 if high - low < 0.05 else 0
    return f"{100 * estimate.value:.{digits}f} % ({100 * low:.{digits}f} to {100 * high:.{digits}f})"


def figure(value: float, sign: str = "") -> str:
    """A number with three significant digits, never as a power of ten; n/a if unknown. sign: "+" to show it always."""
    if value != value or abs(value) == float("inf"):
        return "n/a"
    if abs(value) >= 100:
        return f"{value:{sign},.0f}"
    short = f"{value:{sign}.3g}"
    return f"{value:{sign}.4f}" if "e" in short else short


def chance(value: float) -> str:
    """A p-value as printed: three digits at most, and n/a if unknown."""
    return "n/a" if value != value else "< 0.001" if value < 0.001 else f"{value:.3f}"


def plain(estimate: Estimate, digits: int = 1) -> str:
    """A count in words, with its interval, which does not reach below 0."""
    if not known(estimate):
        return "an unknown number of"
    if estimate.games == 1:
        return f"{estimate.value:.{digits}f} (one game)"
    return f"{estimate.value:,.{digits}f} ({max(0.0, estimate.low):,.{digits}f} to {estimate.high:,.{digits}f})"


UNITS = {"search": "simulations", "deep": "positions", "turn": "positions"}


def called(player: str) -> str:
    """A player's name for people."""
    base, without, left_out = player.partition(" without ")
    kind, _, budget = base.partition(":")
    name = f"search ({int(budget):,} {UNITS[kind]})" if kind in UNITS and budget.isdecimal() else base
    return name + without + left_out


def as_data(answer: Answer) -> dict[str, Any]:
    """The answer as JSON data."""
    values = answer._asdict() | {"measures": [each._asdict() | {"estimate": each.estimate._asdict()} for each in answer.measures]}
    plain_data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(values))
    return plain_data
