"""Games of people beside those of programs: the same figures of both, and whether their intervals overlap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.core.phrases import languages
from bridgehead.workshop.lab.answers.answer import percent
from bridgehead.workshop.lab.facts import MOST_SEATS, wins
from bridgehead.workshop.lab.words import join_parts, phrase, sentences, side_names, tell, whole
from bridgehead.workshop.statistics import Estimate, gap, mean, wilson

Array = np.ndarray[Any, Any]
ROW = [("result", np.float64, (MOST_SEATS,)), ("turns", np.int32)]  # what the figures read of a row of FACTS


class PlayFigure(NamedTuple):
    """A number with its interval. kind: "side" (its share of the games that one side won alone), "gap" (between the sides that
    won most and least), "turns", "fun" (1 to 5) or "fair" (share of answers); seat, names: of the side, by language."""

    kind: str
    seat: str
    names: dict[str, str]
    value: float
    low: float
    high: float
    games: int

    @property
    def estimate(self) -> Estimate:
        return Estimate(self.value, self.low, self.high, self.games)


class Tested(NamedTuple):
    """What people did in a group of games: the result of each seat and the turns of each game, and their answers."""

    games: Sequence[tuple[Sequence[float], int]]
    fun: Sequence[int]
    fair: Sequence[bool]


def measure_rows(game: Game, rows: Array, level: float = 0.95) -> list[PlayFigure]:
    """The figures of games, those that have an interval. rows: with the fields of ROW."""
    won, found, names = wins(game, rows), list[PlayFigure](), side_names(game)
    if total := int(won.sum()):
        for place, side in enumerate(sorted(set(game.sides))):
            seat, name = game.spec.seat_letter(game.sides.index(side)), names[place]
            shown = {language: name(language) for language in languages()}
            found.append(PlayFigure("side", seat, shown, *wilson(int(won[place]), total, level)))
        found.append(PlayFigure("gap", "", {}, *gap(won, level)))
    return [*found, *_mean("turns", rows["turns"], level)]


def _mean(kind: str, numbers: Any, level: float = 0.95) -> list[PlayFigure]:
    """The mean as a figure; one number has no interval."""
    return [PlayFigure(kind, "", {}, *mean(numbers, level))] if len(numbers) > 1 else []


def compare_playtest(
    rules_id: str, options: str, groups: Mapping[str, tuple[Any, ...]], study: Sequence[tuple[Any, ...]], language: str
) -> tuple[dict[str, list[PlayFigure]], list[str]]:
    """The figures of each group of games, and sentences in a language: does what people did agree with what programs did?

    groups: the fields of `Tested`; study: those of the programs' figures.
    """
    game, programs = registry.open_game(rules_id, options), [PlayFigure(*each) for each in study]
    figures: dict[str, list[PlayFigure]] = {}
    for group, given in groups.items():
        tested = Tested(*given)
        rows = np.zeros(len(tested.games), ROW)
        for row, (returns, turns) in zip(rows, tested.games, strict=True):
            row["result"][: game.seats], row["turns"] = returns, turns
        fair = [PlayFigure("fair", "", {}, *wilson(sum(tested.fair), len(tested.fair)))] if tested.fair else []
        figures[group] = [*measure_rows(game, rows), *_mean("fun", tested.fun), *fair]
    said = [_agreement(group, figures[group], programs, language) for group in groups]
    return figures, [each for each in said if each]


def _agreement(group: str, found: list[PlayFigure], study: Sequence[PlayFigure], language: str) -> str:
    """Whether the intervals of people overlap those of programs; "" if there is nothing to compare."""
    known = {(each.kind, each.seat): each for each in study if each.kind in ("side", "turns")}
    pairs = [(each, known[each.kind, each.seat]) for each in found if (each.kind, each.seat) in known]
    if not pairs:
        return ""
    apart = [pair for pair in pairs if not overlaps(*pair)]
    sides = [each for each, _ in pairs if each.kind == "side"]
    width = max((max(each.high - each.value, each.value - each.low) for each in sides), default=0.0)
    doubt = phrase("playtest.doubt", games=sides[0].games, points=whole(100 * width)) if sides else ""
    who = phrase(f"playtest.{group}")
    if not apart:
        return tell(sentences(phrase("playtest.agree", who=who), doubt), language)
    parts = [_name_difference(*pair, language) for pair in apart]
    return tell(sentences(phrase("playtest.differ", who=who, what=join_parts(parts, "list.parts")), doubt), language)


def overlaps(one: PlayFigure, other: PlayFigure) -> bool:
    """Whether two intervals have a value in common."""
    return one.low <= other.high and other.low <= one.high


def _name_difference(one: PlayFigure, other: PlayFigure, language: str) -> Any:
    if one.kind == "turns":
        return phrase("playtest.turns", people=whole(one.value), programs=whole(other.value))
    side = {"side": one.names[language], "people": percent(one.estimate), "programs": percent(other.estimate)}
    return phrase("playtest.side", **side)
