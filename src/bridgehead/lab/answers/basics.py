"""Questions 1 to 3: does the game end, and how; is a seat favoured; how long is it?"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from bridgehead.core.descriptions import about
from bridgehead.core.game import Game
from bridgehead.core.phrases import ENGLISH, Phrase
from bridgehead.lab.answers.answer import Answer, Measure, Thresholds, called, light, percent, plain, worse
from bridgehead.lab.running import Results
from bridgehead.lab.words import WORDS, Figure, Text, listed, phrase, sentences, tell, whole
from bridgehead.players.statistics import Estimate, equal_shares, holm, mean, wilson

Array = np.ndarray[Any, Any]
NOTHING = Estimate(float("nan"), 0.0, 1.0, 0)


def ends(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 1: shares of each ending; games cut off; the longest."""
    measures, unfinished, nobody = [], NOTHING, NOTHING
    commonest: list[Text] = []
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("games", which, arm)
        unfinished = wilson(int((rows["reason"] == 0).sum()), len(rows))
        nobody = wilson(int((rows["result"].max(axis=1, initial=-1) <= 0).sum()), len(rows))
        measures.append(Measure(Phrase("measure.broken"), strength.player, unfinished, "share"))
        measures.append(Measure(Phrase("measure.nobody"), strength.player, nobody, "share"))
        for number, (reason, clause) in enumerate(game.spec.rules.REASONS):
            if number and (rows["reason"] == number).any():
                found = wilson(int((rows["reason"] == number).sum()), len(rows))
                measures.append(
                    Measure(
                        phrase("measure.reason", reason=reason_of(game, reason), clause=clause), strength.player, found, "share"
                    )
                )
        if len(rows):
            most = Estimate(float(np.quantile(rows["plies"], 0.99)), float("nan"), float(rows["plies"].max()), len(rows))
            measures.append(Measure(Phrase("measure.most"), strength.player, most, "plies"))
        counts = np.bincount(rows["reason"], minlength=len(game.spec.rules.REASONS))
        counts[0] = 0
        if counts.any():
            reason, clause = game.spec.rules.REASONS[int(counts.argmax())]
            share = percent(wilson(int(counts.max()), len(rows)))
            end = phrase("measure.reason", reason=reason_of(game, reason), clause=clause)
            commonest.append(phrase("ends.each", player=called(strength.player), end=end, share=share))
    text = sentences(
        phrase("ends.all", games=whole(unfinished.games))
        if unfinished.value == 0
        else phrase("ends.beyond", share=percent(unfinished), actions=whole(results.plan.longest)),
        phrase("ends.nobody", share=percent(nobody)) if nobody.value else "",
        phrase("ends.commonest", ends=listed(commonest, "list.parts")),
    )
    return Answer(1, worse(light(unfinished, limits.unfinished), light(nobody, limits.undecided)), text, measures)


def reason_of(game: Game, reason: str) -> Callable[[str], str]:
    """The words for a way in which a game ends, by language."""
    return lambda language: about(game.spec, language).reason(reason)


def wins(game: Game, rows: Array) -> Array:
    """Games that each side won alone."""
    sides = np.array(game.sides)
    won = np.stack([(rows["result"][:, np.flatnonzero(sides == side)[0]] > 0) for side in sorted(set(game.sides))], axis=1)
    return np.asarray(won[won.sum(axis=1) == 1].sum(axis=0))


def seats(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 2: each side's share of wins; the largest gap; the p-value of equal shares."""
    names = side_names(game)
    measures, doubts, gap = [], [], NOTHING
    text = Phrase("seats.none")
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("games", which, arm)
        won = wins(game, rows)
        total, gap, text = int(won.sum()), NOTHING, Phrase("seats.none")
        doubts.append(equal_shares([int(each) for each in won]))
        shares = [wilson(int(each), total) for each in won]
        measures += [
            Measure(phrase("measure.side", side=name), strength.player, each, "points")
            for name, each in zip(names, shares, strict=True)
        ]
        measures.append(Measure(Phrase("measure.several"), strength.player, wilson(len(rows) - total, len(rows)), "share"))
        best, worst = int(won.argmax()), len(won) - 1 - int(won[::-1].argmin())  # two different sides, even in a tie
        if total:
            spread = 1.96 * np.sqrt((won[best] + won[worst]) / total - ((won[best] - won[worst]) / total) ** 2) / np.sqrt(total)
            middle = float(won[best] - won[worst]) / total
            gap = Estimate(middle, max(0.0, middle - float(spread)), min(1.0, middle + float(spread)), total)
            text = phrase(
                "seats.more" if total < len(rows) else "seats.all", games=whole(total), more=whole(len(rows) - total),
                best=names[best], most=percent(shares[best]), worst=names[worst], least=percent(shares[worst]),
            )  # fmt: skip
        measures.append(Measure(Phrase("measure.gap"), strength.player, gap, "points"))
    for strength, chance in zip(results.plan.strengths, holm(doubts), strict=True):
        measures.append(Measure(Phrase("measure.chance"), strength.player, Estimate(chance, chance, chance, 1), "share"))
    sure = bool(doubts) and holm(doubts)[-1] < 0.05
    shown = light(gap, limits.seat_gap)
    doubt = Phrase("seats.sure" if sure else "seats.doubtful") if text.key != "seats.none" else ""
    return Answer(2, "watch" if shown == "bad" and not sure else shown, sentences(text, doubt), measures)


@functools.lru_cache(8)
def _side_names(game: Game, language: str) -> list[str]:
    plates = game.spec.scene.plates(game.start(), language)[: game.seats]
    colours = [WORDS.text(f"livery.{each.seat}", language, each.seat) for each in plates]
    found = []
    for side in sorted(set(game.sides)):
        mine = [seat for seat in range(game.seats) if game.sides[seat] == side]
        name: Text = " + ".join(plates[seat].name for seat in mine)
        if theirs := list(dict.fromkeys(colours[seat] for seat in mine if colours[seat])):
            name = phrase("side", name=name, colour=listed([*theirs], "list.and"))
        found.append(tell(name, language))
    return found


def side_names(game: Game) -> list[Callable[[str], str]]:
    """The names of the sides by language: those of their seats, and their colours."""
    return [functools.partial(_side_name, game, place) for place in range(len(set(game.sides)))]


def _side_name(game: Game, place: int, language: str = ENGLISH) -> str:
    return _side_names(game, language)[place]


def length(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 3: plies, turns, decisions per player; minutes from seconds per decision."""
    measures, minutes, own = [], Estimate(float("nan"), 0.0, 0.0, 0), Estimate(float("nan"), 0.0, 0.0, 0)
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("games", which, arm)
        decisions = rows["decisions"][:, : game.seats].sum(axis=1)
        own = mean(decisions / game.seats)
        minutes = mean(decisions * limits.seconds_a_decision / 60)
        measures += [
            Measure(Phrase("measure.plies"), strength.player, mean(rows["plies"])),
            Measure(Phrase("measure.turns"), strength.player, mean(rows["turns"])),
            Measure(Phrase("measure.decisions"), strength.player, own),
            Measure(Phrase("measure.minutes"), strength.player, minutes, "minutes"),
        ]
    seconds = Figure(f"{limits.seconds_a_decision:g}")
    text = phrase("length", decisions=plain(own), minutes=plain(minutes), seconds=seconds)
    return Answer(3, light(minutes, limits.minutes), text, measures)
