"""The twelve questions. 1 to 8 and 10 read games and duels of a run; 8, 10 and 12 decision samples; 9 and 11 replays."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase
from bridgehead.workshop.arena.calibration import estimate_error
from bridgehead.workshop.arena.contest import deals
from bridgehead.workshop.lab.action_kinds import kinds
from bridgehead.workshop.lab.answers import action_kinds, symmetry
from bridgehead.workshop.lab.answers.action_kinds import lift
from bridgehead.workshop.lab.answers.answer import (
    DRAWN,
    Answer,
    Light,
    Measure,
    Run,
    is_known,
    judge_number,
    judge_numbers,
    light,
    make_measure,
    more_games,
    name_player,
    percent,
    say_seen,
    suppose,
    tell_count,
    worse,
    would_see,
)
from bridgehead.workshop.lab.decision_samples import BUDGETS, CLOSE, HEAVY
from bridgehead.workshop.lab.facts import PARTS, behind, luck_share, places, shares, sure, wins, wins_in_order
from bridgehead.workshop.lab.games import scores
from bridgehead.workshop.lab.readings import fields_of, place_clauses
from bridgehead.workshop.lab.words import Figure, Text, join_parts, phrase, reason_of, sentences, side_names, whole
from bridgehead.workshop.statistics import (
    NOTHING,
    Z95,
    Estimate,
    alike,
    clip_estimate,
    equal_shares,
    exact,
    gap,
    holm,
    quantile,
)

Array = np.ndarray[Any, Any]
SETS = 5  # sets of games needed at every step for a light
# Faults of each question, clearly beyond the red limit: a light says how often they would have been seen (`would_see`).
FAULTS = {1: 0.1, 2: 0.2, 3: 200.0, 5: 0.9, 6: 0.35, 7: 0.2, 8: 0.02, 9: 0.4, 10: 0.45, 11: 0.4, 12: 0.12}
KINGS = 0.4  # share of games decided by somebody who cannot win
WITHIN = (99, 95, 90, 75, 50)  # of 100 games
RUNG = 0.55  # a step of the ladder counts while the stronger player wins at least this share
FEW = 20  # weighed games needed for the luck
OFF = 0.05  # calibration error beyond which win chances answer nothing
TOGETHER, DECIDED = "greedy", 20  # its games may warn where the strongest player agrees, which needs so many decided games
DOUBT = 0.05  # p-value from which on a test sees no difference between players
ENOUGH = 1000  # games with a winner of the strongest player that mostly suffice for the light of question 2
LEADS = 40  # weighed games with a winner from which on a lead at half time is judged
REPLAYS = 10  # replayed games needed for a light
MANY = 0.5  # share of the decisions that matter, from which on a kind of action that competes in them can dominate
LIFTED = 0.15  # difference from a side's usual share of wins at which the sentence names a clause


def answer_ends(run: Run) -> Answer:
    """Question 1: shares of each ending; games cut off; the longest."""
    measures: list[Measure] = []
    commonest: list[Text] = []
    unfinished = nobody = NOTHING
    reasons = enumerate(run.game.spec.rules.REASONS)
    endings = {i: phrase("measure.reason", reason=reason_of(run.game, reason), clause=clause) for i, (reason, clause) in reasons}
    for player, rows in run.players("games"):
        counts = np.bincount(rows["reason"], minlength=len(endings))
        unfinished = run.share(int(counts[0]), len(rows))
        nobody = run.share(int((rows["result"].max(axis=1, initial=-1) <= 0).sum()), len(rows))
        measures += [make_measure("broken", player, unfinished, "share"), make_measure("nobody", player, nobody, "share")]
        shares = {int(i): run.share(int(counts[i]), len(rows)) for i in np.flatnonzero(counts) if i}
        measures += [Measure(endings[i], player, share, "share") for i, share in shares.items()]
        measures += _lengths(player, rows)
        if shares:
            i = max(shares, key=lambda i: counts[i])
            commonest.append(phrase("ends.each", player=name_player(player), end=endings[i], share=percent(shares[i])))
    text = sentences(
        phrase("ends.all", games=whole(unfinished.games))
        if unfinished.value == 0
        else phrase("ends.beyond", share=percent(unfinished), actions=whole(run.results.plan.longest)),
        phrase("ends.nobody", share=percent(nobody)) if nobody.value else "",
        phrase("ends.commonest", ends=join_parts(commonest, "list.parts")),
    )
    more = more_games(unfinished, run.limits.unfinished) or more_games(nobody, run.limits.undecided)
    shown = worse(light(unfinished, run.limits.unfinished), light(nobody, run.limits.undecided))
    seen = would_see(1, run.share(FAULTS[1] * unfinished.games, unfinished.games), run.limits.unfinished, is_share=True)
    return Answer(1, shown, sentences(text, more if shown == "unknown" else ""), measures, seen=seen)


def _lengths(player: str, rows: Array) -> list[Measure]:
    """Within how many plies most games end, and the longest one that ended. A game that was broken off has not ended, so the
    largest share of WITHIN is told that did."""
    ended = np.sort(rows["plies"][rows["reason"] > 0])
    if not len(ended):
        return []
    within = (share for share in WITHIN if math.ceil(share * len(rows) / 100) <= len(ended))
    found = [
        make_measure("most", player, exact(ended[math.ceil(share * len(rows) / 100) - 1], len(rows)), "plies", share=share)
        for share in itertools.islice(within, 1)
    ]
    return [*found, make_measure("longest", player, exact(ended[-1], len(ended)), "plies")]


def answer_seats(run: Run) -> Answer:
    """Question 2: shares of wins by side and by place in the order of play, apart; the largest gap of each; p-values of equal
    shares, adjusted for all of these tests; the gap by strength.

    Only games of the strongest player make the light fine or a problem. Where they leave it open, those of greedy players that
    show no difference from them may add a warning: such a test cannot prove that both are favoured alike.
    """
    measures, doubts, gaps, texts = list[Measure](), list[float](), list[tuple[Estimate, Estimate]](), list[list[Text]]()
    players, alone = group_players(run), len(run.results.plan.strengths)
    for player, rows in players:
        won, placed = wins(run.game, rows), wins_in_order(run.game, rows)
        doubts += [equal_shares(won.tolist()), equal_shares(placed.tolist())]
        gaps.append((gap(won, run.level), gap(placed, run.level)))
        several = run.share(len(rows) - int(won.sum()), len(rows))
        named = zip(side_names(run.game), _shares(run, won), strict=True)
        measures += [make_measure("side", player, each, "points", side=name) for name, each in named]
        measures += [make_measure("several", player, several, "share"), make_measure("gap", player, gaps[-1][0], "points")]
        ordered = enumerate(_shares(run, placed), start=1)
        measures += [make_measure("place", player, each, "points", place=place) for place, each in ordered]
        measures.append(make_measure("order_gap", player, gaps[-1][1], "points"))
        texts.append(_favoured(run, rows, (won, placed), ".both" if len(gaps) > alone else ""))
    adjusted = holm(doubts)
    for (player, _), side, order in zip(players, adjusted[::2], adjusted[1::2], strict=True):
        measures += [
            make_measure("chance", player, exact(side), "share"),
            make_measure("order_chance", player, exact(order), "share"),
        ]
    lights = [_gap_light(run, *each) for each in zip(gaps, zip(adjusted[::2], adjusted[1::2], strict=True), strict=True)]
    is_warned = lights[alone - 1] == "unknown" and lights[-1] in ("watch", "bad")
    of = -1 if is_warned else alone - 1
    doubt: Text = ""
    if is_known(gaps[of][0]):
        doubt = Phrase("seats.doubtful" if min(adjusted[::2][of], adjusted[1::2][of]) >= 0.05 else "seats.sure")
    warning: Text = Phrase("seats.together") if is_warned else ""
    wider = max(gaps[alone - 1], key=lambda each: each.high - each.low)
    more = more_games(wider, run.limits.seat_gap)
    shown: Light = "watch" if is_warned else lights[alone - 1]
    text = sentences(warning, *texts[of], doubt, fairness_curve(run, players[:alone], gaps), more)
    return Answer(2, shown, text, measures, seen=would_see(2, _tilted(run, gaps[alone - 1][0].games), run.limits.seat_gap))


def _tilted(run: Run, games: int) -> Estimate:
    """The gap that so many decided games show if one side wins FAULTS[2] more of them than another one, and the rest evenly."""
    won = np.full(len(set(run.game.sides)), games / len(set(run.game.sides)))
    won[0] += games * FAULTS[2] / 2
    won[-1] -= games * FAULTS[2] / 2
    return gap(won.round().astype(int), run.level)._replace(value=FAULTS[2])


def _gap_light(run: Run, gaps: tuple[Estimate, Estimate], doubts: tuple[float, float]) -> Light:
    """The light of the gaps between sides and between places; a gap that chance alone may make is no problem, but worth a look.
    doubts: the p-values."""
    lights: list[Light] = [light(each, run.limits.seat_gap) for each in gaps]
    return worse(*("watch" if each == "bad" and p >= 0.05 else each for each, p in zip(lights, doubts, strict=True)))


def fairness_curve(run: Run, players: list[tuple[str, Array]], gaps: list[tuple[Estimate, Estimate]]) -> Text:
    """Sentences: the gap of each player that thinks, and whether strength changes who is favoured. It follows the places in the
    order of play, or the sides where one always begins. gaps: of each player, by side and by place."""
    thinking = [(player, rows, found) for (player, rows), found in zip(players, gaps, strict=False) if player != "random"]
    known = [each for each in thinking if is_known(each[2][0])]
    if len(known) < 2:
        return ""
    begins = {int(side) for _, rows, _ in known for side in np.unique(places(run.game, rows)[:, 0])}
    which = int(len(begins) > 1)
    steps: list[Text] = [
        phrase("seats.step", player=name_player(player), gap=percent(found[which]), games=whole(found[which].games))
        for player, _, found in known
    ]
    curve = phrase("seats.curve.order" if which else "seats.curve.side", steps=join_parts(steps, "list.parts"))
    counts = [(wins, wins_in_order)[which](run.game, rows) for _, rows, _ in known]
    counts = [each for each in counts if each.sum() >= DECIDED]
    if len(counts) < 2:
        return sentences(curve, Phrase("seats.trend.open"))
    if alike(*counts) < 0.05:
        return sentences(curve, Phrase("seats.trend.changes"))
    first, last = counts[0].sum(), counts[-1].sum()
    missed = quantile(0.975) * math.sqrt(2 / len(counts[0]) * (1 / first + 1 / last))  # the half-width of a change of the gap
    return sentences(curve, phrase("seats.trend.same", points=whole(math.ceil(100 * missed))))


def group_players(run: Run) -> list[tuple[str, Array]]:
    """Every player with its games; last those of greedy and of the strongest together, if both have decided games and nothing
    speaks against equal shares, by side and by order of play."""
    found = run.players("games")
    names = [player for player, _ in found]
    if TOGETHER not in names[:-1]:
        return found
    one, other = found[names.index(TOGETHER)][1], found[-1][1]
    won = [(counted(run.game, one), counted(run.game, other)) for counted in (wins, wins_in_order)]
    if not all(count_together(*each) for each in won):
        return found
    return [*found, (f"{TOGETHER} + {names[-1]}", np.concatenate([one, other]))]


def count_together(one: Array, other: Array) -> bool:
    """Whether wins of greedy players (one) and of the strongest (other) may warn together: both have decided games, and a
    chi-square test sees no difference."""
    return min(one.sum(), other.sum()) >= DECIDED and alike(one, other) >= DOUBT


def _shares(run: Run, won: Array) -> list[Estimate]:
    """The share of each in all won games."""
    return [run.share(each, int(won.sum())) for each in won.tolist()]


def _favoured(run: Run, rows: Array, counts: tuple[Array, Array], whose: str) -> list[Text]:
    """Sentences: the sides that won most and least, then the places in the order of play that did. counts: wins of each side,
    and of each place; whose: ".both" if greedy players' games count too."""
    won, placed = counts
    names, share, place, total = side_names(run.game), _shares(run, won), _shares(run, placed), int(won.sum())
    if not total:
        return [Phrase("seats.none")]
    (best, worst), (first, last) = _ends_of(won), _ends_of(placed)
    sides = phrase(
        ("seats.more" if total < len(rows) else "seats.all") + whose, games=whole(total), more=whole(len(rows) - total),
        best=names[best], most=percent(share[best]), worst=names[worst], least=percent(share[worst]),
    )  # fmt: skip
    begins = np.unique(places(run.game, rows)[:, 0])
    if len(begins) == 1:
        return [sides, phrase("seats.fixed", seat=names[int(begins[0])])]
    figures = {"best": first + 1, "most": percent(place[first]), "worst": last + 1, "least": percent(place[last])}
    return [sides, phrase("seats.order", **figures)]


def _ends_of(counts: Array) -> tuple[int, int]:
    """The indices of the largest and of the smallest number: two different ones, even in a tie."""
    return int(counts.argmax()), len(counts) - 1 - int(counts[::-1].argmin())


def answer_length(run: Run) -> Answer:
    """Question 3: plies, turns, decisions per player; minutes from seconds per decision."""
    measures, minutes, own = [], NOTHING, NOTHING
    for player, rows in run.players("games"):
        decisions = rows["decisions"][:, : run.game.seats].sum(axis=1)
        own, minutes = run.mean(decisions / run.game.seats), run.mean(decisions * run.limits.seconds_a_decision / 60)
        measures += [
            make_measure("plies", player, run.mean(rows["plies"])),
            make_measure("turns", player, run.mean(rows["turns"])),
            make_measure("decisions", player, own),
            make_measure("minutes", player, minutes, "minutes"),
        ]
    seconds = Figure(f"{run.limits.seconds_a_decision:g}")
    text: Text = phrase("length", decisions=tell_count(own), minutes=tell_count(minutes), seconds=seconds)
    shown = worse(light(minutes, run.limits.minutes), light(own, run.limits.few_decisions))
    rows = run.rows("games")
    cut = run.share(int((rows["reason"] == 0).sum()), len(rows))
    if cut.value > run.limits.unfinished[0]:
        text = sentences(text, phrase("length.cut", share=percent(cut)))
        shown = "unknown" if shown == "good" else shown
    return Answer(3, shown, text, measures, seen=would_see(3, suppose(minutes, FAULTS[3]), run.limits.minutes))


def answer_skill(run: Run) -> Answer:
    """Question 4: the ladder of duels, each player against the one below; rungs until the stronger does not clearly win: RUNG of
    the points at least, and more than even beyond doubt. Its interval: rungs won by RUNG beyond doubt, and those that may be. A
    ladder of fewer steps than a good game climbs tells nothing."""
    measures, even = list[Measure](), 1 / len(set(run.game.sides))
    ladder = [duel for _, duel in run.results.plan.ladder]
    for which, duel in run.results.plan.ladder:
        found = run.average(scores(run.game, run.rows("duels", which)))
        measures.append(make_measure("against", duel.one, found, "points", player=duel.other))
    games = [each.estimate.games for each in measures]
    total = count_rungs_won([each.estimate for each in measures], even)
    text = Phrase("skill.none")
    if ladder:
        text = phrase(
            "skill.points" if even == 0.5 else "skill.games", n=len(ladder), low=name_player(ladder[0].other),
            high=name_player(ladder[-1].one), rungs=int(total.value), least=whole(100 * RUNG * even / 0.5),
            even=whole(100 * even),
        )  # fmt: skip
    few = min(games, default=0)
    tells = few >= SETS and len(ladder) >= run.limits.rungs[0]
    shown = light(total, run.limits.rungs) if tells else "unknown"
    seen = say_seen(4, see_useless_skill(run, [each.estimate for each in measures], even) if tells else 0)
    measures.append(make_measure("rungs", "", total))
    return Answer(4, shown, sentences(text, phrase("skill.sets", n=few)), measures, seen=seen)


def see_useless_skill(run: Run, steps: list[Estimate], even: float) -> float:
    """How likely the light is "look at it" or "a problem" where no step of the ladder pays: their shares vary about even as the
    intervals of these steps say."""
    lot, lights = np.random.default_rng(4), list[Light]()
    halves = [(each.high - each.low) / 2 for each in steps]
    for values in even + lot.standard_normal((DRAWN, len(steps))) * np.array(halves) / Z95:
        found = [Estimate(value, value - half, value + half, 1) for value, half in zip(values.tolist(), halves, strict=True)]
        lights.append(light(count_rungs_won(found, even), run.limits.rungs))
    return sum(each in ("watch", "bad") for each in lights) / DRAWN


def count_rungs_won(steps: list[Estimate], even: float) -> Estimate:
    """The steps of a ladder from the first on that the stronger player wins clearly. steps: its shares of the points."""
    climbing, rungs, least = [True] * 3, [0] * 3, RUNG * even / 0.5
    for found in steps:
        for i, climbs in enumerate((found.value >= least and found.low > even, found.low >= least, found.high >= least)):
            climbing[i] = climbing[i] and found.games > 0 and climbs
            rungs[i] += climbing[i]
    return Estimate(rungs[0], rungs[1], rungs[2], sum(found.games for found in steps))


def answer_luck(run: Run) -> Answer:
    """Question 5: the part of the result that draws of chance explain, between equal players."""
    if not any(rows["chances"].any() for _, rows in run.players("games")):
        return Answer(5, "good", Phrase("luck.none"), [])
    measures, found, off = [], NOTHING, NOTHING
    for player, rows in run.players("games"):
        followed = rows["weighed"] & ~np.isnan(rows["dealt"][:, 0])
        if rows["weighed"].any() and not followed.any():
            continue
        rows = rows[followed & (rows["reason"] > 0)]
        off = _off(run, rows)
        both = np.stack([shares(run.game, rows), rows["dealt"][:, : len(set(run.game.sides))]], axis=1)
        enough = len(rows) >= FEW
        found = (
            clip_estimate(run.bootstrap_estimate(list(both[:, None]), luck_share))
            if enough
            else NOTHING._replace(games=len(rows))
        )
        measures.append(make_measure("luck", player, found, "share"))
    strongest = name_player(run.strongest)
    if not is_known(found):
        return Answer(5, "unknown", phrase("luck.few", n=found.games, player=strongest), measures, seen=never_seen(5))
    text = phrase("luck.first" if deals(run.game) == "first" else "luck", share=percent(found), player=strongest)
    seen = would_see(5, suppose(found, FAULTS[5]), run.limits.luck)
    answer, stake = judge_number(5, found, run.limits.luck, text, measures)._replace(seen=seen), _mean_over(run, "stake")
    if not is_known(stake) or stake.high >= run.limits.stake[0] or answer.light == "bad":
        return _trusted(answer, off)
    return answer._replace(light="bad", text=Phrase("luck.all"), seen="")  # evaluations may give a draw's share to decisions


def answer_tense(run: Run) -> Answer:
    """Question 6: changes of the lead, drama, uncertainty by tenth, comebacks, by the evaluation's win chances."""
    measures, leads, back, off, sides = [], NOTHING, NOTHING, NOTHING, len(set(run.game.sides))
    for player, played in run.players("games"):
        rows = played[played["weighed"]]
        won, off = rows[~np.isnan(rows["back"])], _off(run, rows)
        leads, back = run.mean(rows["leads"]), run.share(int((won["back"] <= behind(sides)).sum()), len(won))
        measures += [
            make_measure("off", player, off, "share"),
            make_measure("leads", player, leads),
            make_measure("drama", player, run.average(won["drama"]), "points"),
            make_measure("comebacks", player, back, "share"),
        ]
        doubts = (run.average(rows["doubt"][:, part]) for part in range(PARTS))
        measures += [make_measure("doubt", player, each, "share", part=part) for part, each in enumerate(doubts, start=1)]
    figures = {"share": percent(back), "chance": whole(100 * behind(sides)), "even": whole(100 / sides)}
    text = sentences(phrase("tense", times=tell_count(leads)), phrase("tense.back", **figures) if is_known(back) else "")
    answer = judge_number(6, leads, run.limits.leads, text, measures)
    return _trusted(answer._replace(seen=would_see(6, suppose(leads, FAULTS[6], is_count=True), run.limits.leads)), off)


def _off(run: Run, rows: Array) -> Estimate:
    """The expected calibration error of the win chances in weighed games."""
    return estimate_error(rows["bins"][rows["bins"].any(axis=(1, 2))], run.level)


def called_off(off: Estimate) -> bool:
    """Are win chances off beyond doubt, and as far as one can tell by more than OFF?"""
    return off.low > 0 and off.value > OFF


def _trusted(answer: Answer, off: Estimate) -> Answer:
    """The answer; not known if win chances are off."""
    if not called_off(off):
        return answer
    return answer._replace(
        light="unknown", text=sentences(answer.text, phrase("chances.off", share=percent(off))), seen=never_seen(answer.number)
    )


def never_seen(number: int) -> Text:
    """No such study would have seen the fault of a question."""
    return say_seen(number, 0, FAULTS[number])


def answer_decision_time(run: Run) -> Answer:
    """Question 7: the first ply after which the winner stays `sure`, as a share of the game; and how often the side ahead at half
    time wins, where so many games tell that."""
    measures, middle, off, half, sides = [], NOTHING, NOTHING, NOTHING, len(set(run.game.sides))
    for player, rows in run.players("games"):
        won = rows[rows["weighed"] & ~np.isnan(rows["back"])]
        half = run.share(int((won["back"] > 1 / sides).sum()), len(won))
        parts, off = rows["decided"][rows["weighed"] & ~np.isnan(rows["decided"])], _off(run, rows)
        middle = run.average(parts)
        measures.append(make_measure("decided", player, middle, "share"))
        if len(parts):
            quarters = np.quantile(parts, [0.25, 0.5, 0.75])
            names = ("decided_quarter", "decided_median", "decided_three_quarters")
            measures += [
                make_measure(name, player, exact(end, len(parts)), "share") for name, end in zip(names, quarters, strict=True)
            ]
    text = phrase("decided", chance=whole(100 * sure(sides)), share=percent(middle), even=whole(100 / sides))
    answer = judge_number(7, middle, run.limits.decided, text, measures, "decided.none")
    answer = _trusted(answer._replace(seen=would_see(7, suppose(middle, FAULTS[7]), run.limits.decided)), off)
    if half.games < LEADS:
        return answer
    return answer._replace(
        light=worse(answer.light, light(half, run.limits.snowball)),
        text=sentences(answer.text, phrase("decided.half", share=percent(half))),
        measures=[*answer.measures, make_measure("ahead", run.strongest, half, "share")],
    )


def answer_choices(run: Run) -> Answer:
    """Question 8: forced moves; decisions with several good moves that lead to different games; what a choice at random costs;
    the kind of action that is best almost always. All four have to be fine."""
    measures, forced, limits = [], NOTHING, run.limits
    for player, rows in run.players("games"):
        forced = run.average(rows["forced"] / np.maximum(rows["plies"], 1))
        measures.append(make_measure("forced", player, forced, "share"))
        measures.append(make_measure("legal", player, run.mean(rows["branching"].mean(axis=1))))
    near = _over(run, lambda rows: (rows["near"] >= 2)[rows["legal"] > 0].mean())
    real = _over(run, lambda rows: (rows["real"] > 0)[rows["legal"] > 0].mean())
    stake = _mean_over(run, "stake")
    measures.append(make_measure("near", run.strongest, near, "share", points=whole(100 * CLOSE)))
    measures.append(make_measure("real", run.strongest, real, "share"))
    measures.append(make_measure("stake", run.strongest, stake, "points"))
    ruling = dominant_kind(run)
    none = "choices.some" if forced.value >= 0.0005 or not is_known(forced) else "choices.few" if forced.value else "choices.none"
    texts: list[Text] = [phrase(none, share=percent(forced))]
    if is_known(real):
        texts.append(phrase("choices.real", share=percent(real), games=whole(real.games)))
        texts.append(phrase("choices.stake", share=percent(stake)))
        if stake.low <= 0:
            texts.append(Phrase("choices.worthless"))
    judged = [(forced, limits.forced), (real, limits.real), (stake, limits.stake)]
    if ruling is not None:
        kind, often = ruling
        measures.append(make_measure("dominant", run.strongest, often, "share", kind=kind))
        judged.append((often, limits.dominant))
        if light(often, limits.dominant) in ("watch", "bad"):
            texts.append(phrase("choices.dominant", kind=kind, share=percent(often)))
    seen = would_see(8, run.share(FAULTS[8] * real.games, real.games), limits.real, is_share=True)
    return judge_numbers(8, judged, sentences(*texts), measures)._replace(seen=seen)


def dominant_kind(run: Run) -> tuple[str, Estimate] | None:
    """The kind of action that is best most often, of those that compete with others in at least half of the decisions where the
    choice matters; and how often, where one action of this kind is legal, it is the best. With several of them, the choice among
    those remains."""
    rows, names, found = run.rows("looks"), kinds(run.game).names, list[tuple[str, Estimate]]()
    matters = (rows["legal"] > 0) & (rows["near"] < rows["legal"])
    for number, name in enumerate(names):
        competes = matters & rows["single"][:, :, number]
        if competes.sum() < max(1, MANY * matters.sum()):
            continue
        best = competes & (rows["kind"] == number)
        of_game = competes.any(axis=1)
        found.append((name, run.average(best[of_game].sum(axis=1) / competes[of_game].sum(axis=1))))
    return max(found, key=lambda each: each[1].value, default=None)


def answer_clauses(run: Run) -> Answer:
    """Question 9: the share of games in which each clause took effect; the share of wins of the side it worked for; and kinds
    of actions."""
    measures: list[Measure] = []
    seldom: list[tuple[float, str]] = []
    changes: list[tuple[str, Estimate]] = []
    # A clause that took effect in no game is a definition, or a rule of a variant not played.
    fired = np.any([rows["clauses"].any(axis=(0, 2)) for _, rows in run.players("readings")], axis=0)
    place = place_clauses(run.game)
    watched = [(place[clause.id], clause.id) for clause in run.game.rulebook.clauses if fired[place[clause.id]]]
    for player, rows in run.players("readings"):
        if not len(rows):
            continue
        changes = [(clause, lift(run, rows["clauses"][:, i], rows["won"])) for i, clause in watched]
        for (i, clause), (_, change) in zip(watched, changes, strict=True):
            found = run.share(int(rows["clauses"][:, i].any(axis=1).sum()), len(rows))
            measures.append(make_measure("fired", player, found, "share", clause=clause))
            measures.append(make_measure("fired_wins", player, change, "points", clause=clause))
    ending = _ends(run.game, run.rows("games"), run.limits.rare[0])
    times, agreeing = fired_together(run, run.players("readings"), [i for i, _ in watched])
    for (_, clause), found in zip(watched, times, strict=True):
        if is_known(found) and found.value < run.limits.rare[0] and clause not in ending:
            seldom.append((found.value, f"{clause} ({100 * found.value:.0f} %)"))
    counted_ = [found for (_, clause), found in zip(watched, times, strict=True) if clause not in ending]
    dead = estimate_unused_share(counted_, len(watched), run.limits.rare[1])
    rare = join_parts([text for _, text in sorted(seldom)[:6]])
    done = action_kinds.list_action_kinds(run)
    text = sentences(
        phrase("clauses.rare", games=whole(dead.games), share=whole(100 * run.limits.rare[0]), clauses=rare),
        phrase("clauses.together", n=agreeing, clauses=len(watched)) if agreeing else "",
        *tell_lifts(changes),
        action_kinds.sentence(run, done),
    )
    own, _ = fired_together(run, run.players("readings")[-1:], [i for i, clause in watched if clause not in ending])
    shown, more = _judge_clauses(run, dead, estimate_unused_share(own, len(watched), run.limits.rare[1]))
    measures += [make_measure("unused", run.strongest, dead, "share"), *action_kinds.measures(run, done)]
    return Answer(9, shown, sentences(text, more), measures, exploratory=True, seen=_see_unused(run, len(watched), dead.games))


def tell_lifts(changes: list[tuple[str, Estimate]]) -> list[Text]:
    """Sentences: the clauses for whose sides wins are clearly more frequent than usual, and those that matter to losers only.
    changes: of the share of wins, by clause."""
    told = list[Text]()
    for key, sign in (("clauses.lifted", 1), ("clauses.lowered", -1)):
        clear = [(clause, each.value) for clause, each in changes if sign * each.value > LIFTED and each.games >= REPLAYS
                 and (each.low > 0 or each.high < 0)]  # fmt: skip
        named = [phrase("clauses.named", clause=clause, points=Figure(f"{100 * value:+.0f}")) for clause, value in clear[:4]]
        told += [phrase(key, clauses=join_parts([*named]))] if named else []
    return told


def _see_unused(run: Run, of: int, games: int) -> Text:
    """Whether a study of so many games would see that FAULTS[9] of the clauses decide nothing in any of them."""
    idle = round(FAULTS[9] * of)
    dead = estimate_unused_share([run.share(0, games)] * idle + [exact(1.0, games)] * (of - idle), of, run.limits.rare[1])
    return say_seen(9, _judge_clauses(run, dead, dead)[0] in ("watch", "bad"), FAULTS[9])


def _judge_clauses(run: Run, dead: Estimate, alone: Estimate) -> tuple[Light, Text]:
    """The light of unused clauses, and how many games would tell. Greedy games count for what is seldom (dead), but only the
    strongest player's own games say that clauses are in use (alone)."""
    shown: Light = light(dead, run.limits.unused) if len(run.rows("readings")) >= REPLAYS else "unknown"
    if shown == "good" and light(alone, run.limits.unused) != "good":
        shown, dead = "unknown", alone
    least = math.ceil(3.84 / run.limits.rare[1])  # games after which what never happened is seldom beyond doubt
    return shown, phrase("more_games", games=whole(round(least, -2))) if shown == "unknown" and dead.games < least else ""


def fired_together(run: Run, rows: list[tuple[str, Array]], watched: list[int]) -> tuple[list[Estimate], int]:
    """In how many games of the strongest player each clause took effect; where the games of greedy players agree (chi-square,
    adjusted for all clauses), theirs count too. Also the number of such clauses. rows: games read again, by player."""
    names = [player for player, _ in rows]
    mine: Array = np.asarray(rows[-1][1]["clauses"].any(axis=2))
    theirs: Array = np.asarray(rows[names.index(TOGETHER)][1]["clauses"].any(axis=2)) if TOGETHER in names[:-1] else mine[:0]
    hits = [(int(mine[:, i].sum()), int(theirs[:, i].sum())) for i in watched]
    counts = [np.array([[one, len(mine) - one], [other, len(theirs) - other]]) for one, other in hits]
    doubts = holm([alike(*each) for each in counts]) if len(theirs) and len(mine) >= REPLAYS else [0.0] * len(hits)
    agrees = [doubt >= 0.05 for doubt in doubts]
    pooled = (each[: 1 + agree].sum(axis=0) for each, agree in zip(counts, agrees, strict=True))
    return [run.share(int(each[0]), int(each.sum())) for each in pooled], sum(agrees)


def estimate_unused_share(fired: list[Estimate], of: int, rare: float) -> Estimate:
    """The share of clauses that take effect in fewer games than `rare`: from those that do beyond doubt to those that may."""
    numbers = (sum(number < rare for number in each) for each in zip(*(found[:3] for found in fired), strict=True))
    value, low, high = (each / max(of, 1) for each in ([*numbers] or [0, 0, 0]))
    return Estimate(value, high, low, min((found.games for found in fired), default=0)) if of else NOTHING


def _ends(game: Game, rows: Array, least: float) -> set[str]:
    """Clauses that end at least this share of games. A die or a card may trigger them, so they count for no side."""
    reasons = enumerate(game.spec.rules.REASONS)
    return {clause for number, (_, clause) in reasons if len(rows) and (rows["reason"] == number).mean() >= least}


def answer_others(run: Run) -> Answer:
    """Question 10: waiting, being out of the game, and kingmaking: those who cannot win decide who does."""
    measures, gone, wait, count, limits = [], NOTHING, NOTHING, run.game.seats, run.limits
    for player, rows in run.players("games"):
        gone, wait = run.average(rows["gone"][:, :count].max(axis=1)), run.mean(rows["longest_wait"])
        measures += [
            make_measure("wait", player, run.mean(rows["wait"][:, :count].mean(axis=1))),
            make_measure("longest_wait", player, wait, "plies"),
            make_measure("gone", player, gone, "share"),
        ]
    texts: list[Text] = [phrase("others", share=percent(gone)), phrase("others.wait", actions=tell_count(wait))]
    judged, seen = [(gone, limits.gone), (wait, limits.waiting)], would_see(10, suppose(gone, FAULTS[10]), limits.gone)
    if len(set(run.game.sides)) > 2:
        rows = run.rows("looks")
        looked = rows["decided"][(rows["decided"] >= 0).any(axis=1)]
        games, king = run.share(int((looked == 1).any(axis=1).sum()), len(looked)), _mean_over(run, "kingmaker")
        measures += [
            make_measure("kings", run.strongest, king, "share"),
            make_measure("decided_by_others", run.strongest, games, "share"),
        ]
        judged.append((games, limits.kings))
        seen = would_see(10, run.share(KINGS * games.games, games.games), limits.kings, ".kings", is_share=True)
        if is_known(games):
            texts.append(phrase("others.decided", share=percent(games), games=whole(games.games)))
            texts.append(phrase("others.kings", share=percent(king), points=whole(100 * HEAVY)))
    return judge_numbers(10, judged, sentences(*texts), measures)._replace(seen=seen)


def answer_board(run: Run) -> Answer:
    """Question 11: fields never entered; where pieces are taken and games end; halves of a symmetric board."""
    measures, empty, read = [], NOTHING, 0
    text: Text = Phrase("board.none")
    names = [field.removeprefix("f:") for field in fields_of(run.game)]
    for player, rows in run.players("readings"):
        if not len(rows):
            continue
        read = len(rows)
        entered, taken = rows["entered"].sum(axis=0), rows["taken"].sum(axis=0)
        empty = run.share(int((entered == 0).sum()), len(names))
        measures.append(make_measure("empty", player, empty, "share"))
        busiest = float(np.sort(entered)[::-1][: max(1, len(names) // 10)].sum() / max(1, entered.sum()))
        measures.append(make_measure("busiest", player, exact(busiest, len(rows)), "share"))
        ended = np.bincount(rows["last"][rows["last"] >= 0], minlength=len(names))
        for kind, counts in (("entered", entered), ("taken", taken), ("ended", ended)):
            for i in np.argsort(-counts, kind="stable")[:5]:
                each = run.share(int(counts[i]), int(counts.sum())) if counts.sum() else NOTHING
                measures.append(make_measure(kind, player, each, "share", field=names[int(i)]))
        uneven = symmetry.compare_halves(run.game, rows["entered"], run.average)
        measures += symmetry.measures(player, uneven)
        counted = {"empty": whole(empty.value * empty.games), "fields": whole(empty.games), "share": whole(100 * busiest)}
        text = sentences(phrase("board", games=whole(len(rows)), **counted), symmetry.sentence(uneven))
    if read < REPLAYS:
        return Answer(11, "unknown", text, measures, exploratory=True, seen=never_seen(11))
    idle = run.share(FAULTS[11] * len(names), len(names))
    seen = say_seen(11, light(idle, run.limits.unused) in ("watch", "bad"), FAULTS[11])
    return Answer(11, light(empty, run.limits.unused), text, measures, exploratory=True, seen=seen)


def answer_clarity(run: Run) -> Answer:
    """Question 12: the loss of looking one action ahead; the search effort until the best action stays the same."""
    regret = _mean_over(run, "regret")
    settled = _over(run, lambda rows: (rows["settled"] <= 2)[rows["legal"] > 0].mean())
    measures = [
        make_measure("regret", run.strongest, regret, "points"),
        make_measure("settled", run.strongest, settled, "share", n=BUDGETS[2]),
    ]
    figures = {"share": percent(regret), "settled": percent(settled), "games": whole(regret.games)}
    text = phrase("clear", simulations=whole(BUDGETS[2]), **figures)
    answer = judge_number(12, regret, run.limits.regret, text, measures, "clear.none")
    return answer._replace(seen=would_see(12, suppose(regret, FAULTS[12]), run.limits.regret))


def _over(run: Run, share: Callable[[Array], Any]) -> Estimate:
    """A share of all samples: the mean over games, of which each counts alike."""
    found = _by_game(run, share)
    return run.average(found) if len(found) else NOTHING


def _mean_over(run: Run, name: str) -> Estimate:
    """The mean of a number of all samples, which may lie below 0; an interval of one game is everything."""
    found = _by_game(run, lambda rows: rows[name][rows["legal"] > 0].mean())
    return run.mean(found) if len(found) else NOTHING


def _by_game(run: Run, number: Callable[[Array], Any]) -> Array:
    rows = run.rows("looks")
    rows = rows[(rows["legal"] > 0).any(axis=1)]
    return np.array([number(rows[i : i + 1]) for i in range(len(rows))])


QUESTIONS: tuple[Callable[[Run], Answer], ...] = (
    answer_ends, answer_seats, answer_length, answer_skill, answer_luck, answer_tense, answer_decision_time,
    answer_choices, answer_clauses, answer_others, answer_board, answer_clarity,
)  # fmt: skip
