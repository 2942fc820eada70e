"""The first screen of a report, for readers who know no statistics: each light in one sentence, how sure it is, what to try."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bridgehead.core.phrases import Phrase
from bridgehead.workshop.lab.answers.answer import Answer, Light, Measure, Run, find_phrase, is_known, light, worse
from bridgehead.workshop.lab.words import WORDS, Figure, Text, phrase, sentences, whole


class PlainLight(NamedTuple):
    """A light in words. meaning: at the table; sure: how often such a study would have seen a fault; attempt: what to try, or how
    many games would tell."""

    answer: Answer
    meaning: Text
    sure: Text
    attempt: Text


# What each light judges: measures by key, with the designer's limits and how their sentence counts. The first one stands for a
# light that is fine.
JUDGED: dict[int, tuple[tuple[str, str, str], ...]] = {
    1: (("nobody", "undecided", "many"), ("broken", "unfinished", "many")),
    2: (("gap", "seat_gap", "gap"), ("order_gap", "seat_gap", "gap")),
    3: (("minutes", "minutes", "number"), ("decisions", "few_decisions", "number")),
    4: (("rungs", "rungs", "number"),),
    5: (("luck", "luck", "percent"),),
    6: (("leads", "leads", "number"),),
    7: (("decided", "decided", "percent"), ("ahead", "snowball", "many")),
    8: (
        ("real", "real", "many"), ("forced", "forced", "many"), ("dominant", "dominant", "many"), ("stake", "stake", "percent"),
    ),
    9: (("unused", "unused", "many"),),
    10: (("longest_wait", "waiting", "number"), ("gone", "gone", "percent"), ("decided_by_others", "kings", "many")),
    11: (("empty", "unused", "many"),),
    12: (("regret", "regret", "percent"),),
}  # fmt: skip


def simplify_lights(run: Run, answers: Sequence[Answer]) -> list[PlainLight]:
    """All lights of an arm in words."""
    return [PlainLight(each, *_mean(run, each), _try(run, each)) for each in answers]


def answer_designer(answers: Sequence[Answer], causes: Mapping[int, Text]) -> list[tuple[Phrase, Text]]:
    """The three questions that a designer asks next, with answers: does skill change who is favoured, which rule causes it, how
    sure is a green light? causes: of lights by number."""
    fair = next(each for each in answers if each.number == 2)
    trend = find_phrase(fair.text, "seats.trend.changes", "seats.trend.same") or Phrase("seats.trend.open")
    cause: Text = Phrase(f"first.cause.{fair.light}")
    if fair.light in ("watch", "bad"):
        cause = causes.get(2) or Phrase("because.none")
    return [
        (Phrase("first.skill"), trend._replace(key=trend.key.replace("seats.trend", "first.skill"))),
        (Phrase("first.cause"), cause),
        (Phrase("first.sure"), sentences(Phrase("first.sure.green"), fair.seen)),
    ]


def _mean(run: Run, answer: Answer) -> tuple[Text, Text]:
    """What a light means at the table, and how sure it is."""
    sure = answer.seen or Phrase("first.unsure")
    if told := find_phrase(answer.text, "luck.none", "luck.all"):
        return told, Phrase("first.certain") if told.key == "luck.none" else sure
    measure, _, style = _judged(run, answer)
    if measure is None or not is_known(measure.estimate):
        return Phrase("first.nothing"), sure
    meaning = _say(answer, measure, style)
    return (sentences(meaning, Phrase("first.open")) if answer.light == "unknown" else meaning), sure


def _judged(run: Run, answer: Answer) -> tuple[Measure | None, Light, str]:
    """The number that makes the light what it is, with its own light."""
    found: list[tuple[Measure, Light, str]] = []
    for key, limits, style in JUDGED[answer.number]:
        own = [each for each in answer.measures if each.label.key == f"measure.{key}" and each.player in ("", run.strongest)]
        found += [(each, light(each.estimate, getattr(run.limits, limits)), style) for each in own[-1:]]
    if not found:
        return None, "unknown", ""
    urgent: Light = functools.reduce(worse, (each[1] for each in found))
    return next(each for each in found if each[1] == urgent)


def _say(answer: Answer, measure: Measure, style: str) -> Phrase:
    """The sentence of a number: a share as so many of 100."""
    key, value = measure.label.key.removeprefix("measure."), max(0.0, measure.estimate.value)
    key += ".first" if find_phrase(answer.text, "luck.first") else ""
    say = functools.partial(phrase, f"plain.{key}", **measure.label.params)
    if style == "gap":
        name = {"gap": "side", "order_gap": "place"}[key]
        won = [each for each in answer.measures if each.label.key == f"measure.{name}" and each.player == measure.player]
        won.sort(key=lambda each: each.estimate.value)
        best, least = (each.label.params[name] for each in (won[-1], won[0]))
        return say(best=best, worst=least, most=_percent(won[-1].estimate.value), least=_percent(won[0].estimate.value))
    if style == "many":
        many = "none" if value == 0 else "few" if value < 0.005 else "many"
        return say(many=phrase(f"plain.of.{many}", n=_percent(value)))
    if style == "percent":
        return say(value=Figure(f"{100 * value:.1f}") if 0 < value < 0.01 else _percent(value))
    steps = sum(each.label.key == "measure.against" for each in answer.measures)
    return say(value=whole(value) if value >= 10 or key == "rungs" else Figure(f"{value:.1f}"), steps=steps)


def _percent(value: float) -> Figure:
    return whole(100 * value)


def _try(run: Run, answer: Answer) -> Text:
    """What to try where a light asks for a look; for an open one, how many games would tell."""
    if answer.light == "good":
        return ""
    if answer.light == "unknown":
        return find_phrase(answer.text, "more_games", "more_least", "chances.off") or ""
    measure, own, _ = _judged(run, answer)
    key = measure.label.key.removeprefix("measure.") if measure is not None and own != "good" else ""
    if key == "minutes" and measure is not None and measure.estimate.value < run.limits.minutes[0]:
        key = ""
    which = f"try.{answer.number}.{key}"
    told = Phrase(which if WORDS.has(which) else f"try.{answer.number}", measure.label.params if measure else {})
    return phrase("try", what=told)
