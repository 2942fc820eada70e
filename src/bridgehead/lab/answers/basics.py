"""Questions 1 to 3: does the game end, and how; is a seat favoured; how long is it?"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.lab.answers.answer import Answer, Measure, Thresholds, called, light, percent, plain, worse
from bridgehead.lab.running import Results
from bridgehead.players.statistics import Estimate, equal_shares, holm, mean, wilson

Array = np.ndarray[Any, Any]
NOTHING = Estimate(float("nan"), 0.0, 1.0, 0)


def ends(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 1: shares of each ending; games cut off; the longest."""
    measures, unfinished, nobody = [], NOTHING, NOTHING
    commonest = []
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("games", which, arm)
        unfinished = wilson(int((rows["reason"] == 0).sum()), len(rows))
        nobody = wilson(int((rows["result"].max(axis=1, initial=-1) <= 0).sum()), len(rows))
        measures.append(Measure("broken off", strength.player, unfinished, "share"))
        measures.append(Measure("won by nobody", strength.player, nobody, "share"))
        for number, (reason, clause) in enumerate(game.spec.rules.REASONS):
            if number and (rows["reason"] == number).any():
                found = wilson(int((rows["reason"] == number).sum()), len(rows))
                measures.append(Measure(f"{reason} ({clause})", strength.player, found, "share"))
        if len(rows):
            most = Estimate(float(np.quantile(rows["plies"], 0.99)), float("nan"), float(rows["plies"].max()), len(rows))
            measures.append(Measure("99 of 100 games end within", strength.player, most, "plies"))
        counts = np.bincount(rows["reason"], minlength=len(game.spec.rules.REASONS))
        counts[0] = 0
        if counts.any():
            reason, clause = game.spec.rules.REASONS[int(counts.argmax())]
            commonest.append(f"{called(strength.player)}: {reason} ({clause}) in {percent(wilson(int(counts.max()), len(rows)))}")
    begin = (
        f"All {unfinished.games:,} games of the strongest players came to an end."
        if unfinished.value == 0
        else f"Of the strongest players' games {percent(unfinished)} went on beyond {results.plan.longest:,} actions."
    )
    begin += f" Nobody won {percent(nobody)} of them." if nobody.value else ""
    sentence = f"{begin} The commonest end, by player: {'; '.join(commonest) or 'none'}."
    return Answer(
        1,
        "Does it always end, and how?",
        worse(light(unfinished, limits.unfinished), light(nobody, limits.undecided)),
        sentence,
        measures,
    )


def wins(game: Game, rows: Array) -> Array:
    """Games that each side won alone."""
    sides = np.array(game.sides)
    won = np.stack([(rows["result"][:, np.flatnonzero(sides == side)[0]] > 0) for side in sorted(set(game.sides))], axis=1)
    return np.asarray(won[won.sum(axis=1) == 1].sum(axis=0))


def seats(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 2: each side's share of wins; the largest gap; the p-value of equal shares."""
    names = side_names(game)
    measures, doubts, gap, text = [], [], NOTHING, ""
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("games", which, arm)
        won = wins(game, rows)
        total, gap, text = int(won.sum()), NOTHING, ""
        doubts.append(equal_shares([int(each) for each in won]))
        shares = [wilson(int(each), total) for each in won]
        measures += [Measure(name, strength.player, each, "points") for name, each in zip(names, shares, strict=True)]
        measures.append(Measure("nobody, or several", strength.player, wilson(len(rows) - total, len(rows)), "share"))
        best, worst = int(won.argmax()), len(won) - 1 - int(won[::-1].argmin())  # two different sides, even in a tie
        if total:
            spread = 1.96 * np.sqrt((won[best] + won[worst]) / total - ((won[best] - won[worst]) / total) ** 2) / np.sqrt(total)
            middle = float(won[best] - won[worst]) / total
            gap = Estimate(middle, max(0.0, middle - float(spread)), min(1.0, middle + float(spread)), total)
            text = (
                f"Of {total:,} games that the strongest players decided, {names[best]} won most, {percent(shares[best])}, and "
                f"{names[worst]} least, {percent(shares[worst])}"
                + (f"; in {len(rows) - total:,} more nobody won alone" if total < len(rows) else "")
            )
        measures.append(Measure("largest gap", strength.player, gap, "points"))
    for strength, chance in zip(results.plan.strengths, holm(doubts), strict=True):
        measures.append(Measure("by chance alone", strength.player, Estimate(chance, chance, chance, 1), "share"))
    sure = bool(doubts) and holm(doubts)[-1] < 0.05
    shown = light(gap, limits.seat_gap)
    sentence = (
        f"{text}. Between equal ones chance alone {'hardly makes so large a difference' if sure else 'may make that difference'}."
        if text
        else "No game between the strongest players was won by one side alone."
    )
    return Answer(2, "Is a seat favoured?", "watch" if shown == "bad" and not sure else shown, sentence, measures)


LIVERIES = {"a": "black", "b": "blue", "c": "yellow", "d": "orange", "e": "violet", "f": "brown", "g": "mint"}


@functools.lru_cache(8)
def side_names(game: Game) -> list[str]:
    """Names of the sides: those of their seats, and their colours."""
    plates = game.spec.scene.plates(game.start(), "en")[: game.seats]
    names, colours = [each.name for each in plates], [LIVERIES.get(each.seat, each.seat) for each in plates]
    labels = []
    for side in sorted(set(game.sides)):
        mine = [seat for seat in range(game.seats) if game.sides[seat] == side]
        colour = " and ".join(dict.fromkeys(colours[seat] for seat in mine if colours[seat]))
        labels.append(" + ".join(names[seat] for seat in mine) + (f" ({colour})" if colour else ""))
    return labels


def length(results: Results, game: Game, limits: Thresholds, arm: int = 0) -> Answer:
    """Question 3: plies, turns, decisions per player; minutes from seconds per decision."""
    measures, minutes, own = [], Estimate(float("nan"), 0.0, 0.0, 0), Estimate(float("nan"), 0.0, 0.0, 0)
    for which, strength in enumerate(results.plan.strengths):
        rows = results.rows("games", which, arm)
        decisions = rows["decisions"][:, : game.seats].sum(axis=1)
        own = mean(decisions / game.seats)
        minutes = mean(decisions * limits.seconds_a_decision / 60)
        measures += [
            Measure("plies", strength.player, mean(rows["plies"])),
            Measure("turns", strength.player, mean(rows["turns"])),
            Measure("decisions a player", strength.player, own),
            Measure("at the table", strength.player, minutes, "minutes"),
        ]
    sentence = (
        f"With the strongest players each player has {plain(own)} decisions a game: about {plain(minutes)} minutes at the "
        f"table, at {limits.seconds_a_decision:g} seconds a decision."
    )
    return Answer(3, "How long is it?", light(minutes, limits.minutes), sentence, measures)
