"""Why a light is red: evidence from the structure of the game and from the games played, or "cause not found"."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bridgehead.core.chance import SeededDealer
from bridgehead.core.descriptions import about
from bridgehead.core.game import Game
from bridgehead.core.own_boards import write_arguments
from bridgehead.core.phrases import Phrase
from bridgehead.workshop.lab.ablation import Without, without, without_kinds
from bridgehead.workshop.lab.action_kinds import kinds
from bridgehead.workshop.lab.answers.answer import Answer, Run, Thresholds, is_known, light
from bridgehead.workshop.lab.answers.questions import dominant_kind, group_players
from bridgehead.workshop.lab.causes.structure import Break, breaks, mends, structure
from bridgehead.workshop.lab.facts import wins, wins_in_order
from bridgehead.workshop.lab.readings import fields_of
from bridgehead.workshop.lab.tune.wishes import Games, dead, describe_wish
from bridgehead.workshop.lab.words import Text, join_parts, phrase, reason_of, side_names, whole
from bridgehead.workshop.statistics import Estimate, gap, wilson

Array = np.ndarray[Any, Any]
MOSTLY = 0.5  # share of the games without a winner from which on one ending is their cause
OFTEN = 0.3  # share of plies without a choice that keeps skill from paying
LEADING = 0.75  # share of games won by the side ahead at half time from which on a lead is named
CORRELATED = 0.5  # least correlation of distances with wins


def because(run: Run, answer: Answer, answers: Sequence[Answer]) -> Text:
    """The causes of a red light in words; "" for any other light. A gap that is worth a look has its causes, too, if any."""
    if answer.light != "bad" and (answer.number, answer.light) != (2, "watch"):
        return ""
    found = CAUSES[answer.number](run, answers) if answer.number in CAUSES else []
    for measure, less in ABLATED.get(answer.number, ()):
        for removed in (without, without_kinds):
            found += [_without(run.game, measure, each) for each in removed(run.game, measure, less(run))]
    if found:
        return phrase("because", causes=join_parts(found, "list.parts"))
    return Phrase("because.none") if answer.light == "bad" else ""


def _ends(run: Run, _: Sequence[Answer]) -> list[Text]:
    """The ending of most games without a winner."""
    rows = run.rows("games")
    nobody = rows[rows["result"].max(axis=1, initial=-1) <= 0]
    if not len(nobody):
        return []
    number = int(np.bincount(nobody["reason"]).argmax())
    share = float((nobody["reason"] == number).mean())
    if share < MOSTLY:
        return []
    if number == 0:
        return [phrase("because.cut", share=whole(100 * share))]
    reason, clause = run.game.spec.rules.REASONS[number]
    return [phrase("because.ending", share=whole(100 * share), reason=reason_of(run.game, reason), clause=clause)]


def _gaps(run: Run, _: Sequence[Answer]) -> list[Text]:
    """Who begins, distances, choices and symmetry, as far as they agree with the gap."""
    rows, game, found = group_players(run)[-1][1], run.game, list[Text]()  # together they show most
    made, sides, limit = structure(game), sorted(set(game.sides)), run.limits.seat_gap[0]
    by_side, by_order = (gap(counted(game, rows), run.level) for counted in (wins, wins_in_order))
    removed = {each.rule for each in without(game, *_LESS_GAP)} - {each.option for each in breaks(game)}
    if _is_wide(by_order, limit):
        place = int(wins_in_order(game, rows).argmax()) + 1
        if made.first is not None:
            even = phrase("because.uneven" if not made.is_symmetric else "because.even.rule" if removed else "because.even")
            found.append(phrase("because.begins", seat=side_names(game)[sides.index(game.sides[made.first])], board=even))
            found += _early_lead(run)
        elif made.is_drawn:
            found.append(phrase("because.order", place=place))
    if _is_wide(by_side, limit) and made.first is None:
        found += better_homes(game, wins(game, rows))
    return found + [_broken(game, each) for each in breaks(game)]


def _early_lead(run: Run) -> list[Text]:
    """How often the side ahead at half time wins, where it nearly always does: a rule may carry a small lead on."""
    rows = run.rows("games")
    won = rows["back"][rows["weighed"] & ~np.isnan(rows["back"])]
    if len(set(run.game.sides)) > 2 or not len(won):
        return []
    ahead = wilson(int((won > 0.5).sum()), len(won))
    return [phrase("because.lead", share=whole(100 * ahead.value))] if ahead.low > LEADING else []


def better_homes(game: Game, won: Array) -> list[Text]:
    """What the homes of the sides that win more have: fewer steps, more ways. won: wins of each side."""
    made, sides, found = structure(game), sorted(set(game.sides)), list[Text]()
    share = won / max(1, won.sum())
    names = side_names(game)
    of_side = [[seat for seat in range(game.seats) if game.sides[seat] == side] for side in sides]
    steps = [made.homes[seats[0]].distance for seats in of_side]
    measures: list[tuple[str, Sequence[float | int | None], int]] = [
        ("because.steps", steps, -1),
        ("because.ways", [float(np.mean([made.homes[seat].ways for seat in seats])) for seats in of_side], 1),
    ]
    for key, numbers, sign in measures:
        if None in numbers or np.ptp(np.array(numbers, float)) < 0.05 * np.mean(np.abs(np.array(numbers, float))):
            continue
        if sign * float(np.corrcoef(np.array(numbers, float), share)[0, 1]) < CORRELATED:
            continue
        best, worst = int(share.argmax()), int(share.argmin())
        more, less = (float(numbers[side] or 0) for side in (best, worst))
        found.append(phrase(key, n=more, best=names[best], worst=names[worst], more=whole(more), less=whole(less)))
    return found


def _is_wide(found: Estimate, limit: float) -> bool:
    return is_known(found) and found.low > 0 and found.value > limit


def _broken(game: Game, each: Break) -> Text:
    return phrase(f"because.broken.{each.what}", option=_option(game, each.option))


def _without(game: Game, measure: str, each: Without) -> Text:
    then, now = (describe_wish(measure, found, game) for found in (each.then, each.now))
    if each.is_kind:
        return phrase("because.without.kind", kind=each.rule, games=each.games, then=then, now=now)
    return phrase("because.without", option=_option(game, each.rule), games=each.games, then=then, now=now)


def _option(game: Game, option: str) -> Callable[[str], str]:
    """The name of a house rule, by language."""
    return lambda language: about(game.spec, language).name(option)


def _tell_value(game: Game, option: str, value: Any, language: str) -> str:
    """A value of a house rule in words."""
    return about(game.spec, language).short(option, value)


def _long(run: Run, _: Sequence[Answer]) -> list[Text]:
    """How often pieces are taken, and how much longer the play is than the way."""
    rows, found = run.rows("readings"), list[Text]()
    if len(rows) and (often := float(rows["taken"].sum(axis=1).mean())) >= 2:
        found.append(phrase("because.taken", times=whole(often)))
    far = [home.distance for home in structure(run.game).homes if home.distance]
    plies = float(run.rows("games")["plies"].mean()) / run.game.seats
    if far and plies > 2 * max(far):
        found.append(phrase("because.way", steps=max(far), plies=whole(plies)))
    elif far and plies < max(far):
        found.append(phrase("because.short", steps=max(far), plies=whole(plies)))
    return found


def _luck(run: Run, answers: Sequence[Answer]) -> list[Text]:
    """Draws against decisions."""
    rows = run.rows("games")
    draws, own = float(rows["chances"].mean()), float((rows["plies"] - rows["forced"]).mean())
    return [phrase("because.draws", draws=whole(draws), decisions=whole(own))] if draws else []


def _weak(run: Run, answers: Sequence[Answer]) -> list[Text]:
    """Luck, forced actions, and a gap that is there before anybody thinks."""
    found, rows = list[Text](), run.rows("games")
    lights = {each.number: each for each in answers}
    if 5 in lights and lights[5].light in ("bad", "watch") and lights[5].measures:
        found.append(phrase("because.luck", share=whole(100 * lights[5].measures[-1].estimate.value)))
    forced = float((rows["forced"] / np.maximum(rows["plies"], 1)).mean()) if len(rows) else 0.0
    if forced > OFTEN:
        found.append(phrase("because.forced", share=whole(100 * forced)))
    if 2 in lights and lights[2].light == "bad":
        found.append(Phrase("because.gap"))
    return found


def _forced(run: Run, _: Sequence[Answer]) -> list[Text]:
    """The kind of action that is made most, or that is best nearly always; choices that change nothing."""
    rows, names, looks, found = run.rows("games"), kinds(run.game).names, run.rows("looks"), list[Text]()
    did = rows["did"].sum(axis=(0, 2))
    share = wilson(int(did.max(initial=0)), int(did.sum()))
    if share.low > MOSTLY:
        found.append(phrase("because.kind", kind=names[int(did.argmax())], share=whole(100 * share.value)))
    looked = looks["legal"] > 0
    if not looked.any():
        return found
    ruling = dominant_kind(run)
    if ruling is not None and ruling[1].value > run.limits.dominant[0]:
        found.append(phrase("because.dominant", kind=ruling[0]))
    if float(looks["stake"][looked].mean()) < run.limits.stake[0]:
        found.append(Phrase("because.worthless"))
    elif float(looks["real"][looked].mean()) < run.limits.real[1]:
        found.append(Phrase("because.same"))
    return found


def _others(run: Run, _: Sequence[Answer]) -> list[Text]:
    """Those who decide without a chance of their own, and long waits."""
    found, decided, waits = list[Text](), run.rows("looks")["decided"], run.rows("games")["longest_wait"]
    looked = decided[(decided >= 0).any(axis=1)]
    share = float((looked == 1).any(axis=1).mean()) if len(looked) else 0.0
    if share > run.limits.kings[0]:
        found.append(phrase("because.kings", share=whole(100 * share)))
    if len(waits) and float(waits.mean()) > run.limits.waiting[0]:
        found.append(phrase("because.waiting", actions=whole(float(waits.mean()))))
    return found


def _dead(run: Run, _: Sequence[Answer]) -> list[Text]:
    """Kinds of actions that random players do and the strongest hardly ever does, and those that nobody did."""
    random = [rows for player, rows in run.players("games") if player == "random"]
    rows, found = run.rows("games"), list[Text]()
    if not random:
        return []
    unused = dead(Games(run.game, run.strongest, rows, random[0], rows[:0], run.limits.seconds_a_decision))
    if unused:
        found.append(phrase("because.unused", kinds=join_parts([*unused])))
    did = sum(each["did"].sum(axis=(0, 2)) for _, each in run.players("games"))
    seen = zip(kinds(run.game).names, np.atleast_1d(did), strict=True)
    if impossible := [name for name, times in seen if not times and name not in _of_chance(run.game)]:
        found.append(phrase("because.never", kinds=join_parts([*impossible])))
    return found


def _of_chance(game: Game) -> set[str]:
    """Kinds of actions that chance does, in a few games at random: nobody chooses those."""
    found, of = set[str](), kinds(game)
    for number in range(3):
        position, lot = game.start(), SeededDealer(f"kinds:{number}")
        for ply in range(100):
            if position.is_over:
                break
            found |= {of.names[of.of[action]] for action in position.legal} if position.is_chance else set()
            position = position.play(lot.draw(position.legal, position.weights or (1,) * len(position.legal), ply))
    return found


def _unreached(run: Run, _: Sequence[Answer]) -> list[Text]:
    """Fields that even random play does not enter."""
    names = fields_of(run.game)
    entered = sum(rows["entered"].sum(axis=0) for _, rows in run.players("readings"))
    empty = [name for name, times in zip(names, np.atleast_1d(entered), strict=True) if not times]
    never = [name for name in empty if name not in structure(run.game).reached]
    return [phrase("because.unreached", never=len(never), empty=len(empty))] if never else []


CAUSES: dict[int, Callable[[Run, Sequence[Answer]], list[Text]]] = {
    1: _ends, 2: _gaps, 3: _long, 4: _weak, 5: _luck, 6: _weak, 7: _weak, 8: _forced, 9: _dead, 10: _others,
    11: _unreached,
}  # fmt: skip

_LESS_GAP = ("fair", True)


def _is_long(run: Run) -> bool:
    """Do games last too long, and not too short?"""
    minutes = run.rows("games")["decisions"].sum(axis=1).mean() * run.limits.seconds_a_decision / 60
    return bool(minutes > run.limits.minutes[0])


def _less(run: Run) -> bool:
    return True


def _more(run: Run) -> bool:
    return False


# Measures of wishes behind questions, and whether less of it mends the light.
ABLATED: dict[int, tuple[tuple[str, Callable[[Run], bool]], ...]] = {
    1: (("undecided", _less),), 2: (("fair", _less),), 3: (("minutes", _is_long),), 4: (("skill", _more),),
    5: (("luck", _less),), 6: (("snowball", _less),), 7: (("snowball", _less),), 8: (("forced", _less), ("choices", _more)),
    9: (("dead", _less),), 10: (("out", _less), ("wait", _less), ("kings", _less)),
}  # fmt: skip


# What to do


def remedies(game: Game, answers: Sequence[Answer], limits: Thresholds) -> list[Text]:
    """What to do about red lights: house rules that make the start even, and the search that looks for the rest."""
    red, found = {each.number for each in answers if each.light == "bad"}, list[Text]()
    if 2 in red and structure(game).first is not None:
        for each in mends(game)[:3]:
            value = functools.partial(_tell_value, game, each.option, each.value)
            found.append(phrase("remedy.order", option=_option(game, each.option), value=value))
    wished = {
        1: f"undecided<{100 * limits.undecided[0]:g}", 2: f"fair<{100 * limits.seat_gap[0]:g}",
        3: f"minutes<{limits.minutes[0]:g}", 4: "skill", 5: f"luck<{100 * limits.luck[0]:g}",
        7: f"snowball<{100 * limits.snowball[0]:g}", 8: _missed(answers, 8, limits), 9: "dead", 10: _missed(answers, 10, limits),
    }  # fmt: skip
    wishes = ",".join(wish for number, wish in wished.items() if number in red and wish)
    if wishes:
        command = shlex.join(["bridgehead", "tune", game.spec.id, *write_arguments(game), "--wish", wishes])
        found.append(phrase("remedy.tune", command=command))
    return found


# Numbers of the questions that have several: the measure, the wish, the designer's limit, and how many units of the wish it has.
SEVERAL = {
    8: (("forced", "forced<", "forced", 100), ("real", "choices>", "real", 100)),
    10: (("gone", "out<", "gone", 100), ("longest_wait", "wait<", "waiting", 1), ("decided_by_others", "kings<", "kings", 100)),
}


def _missed(answers: Sequence[Answer], number: int, limits: Thresholds) -> str:
    """The wishes that mend a question of several numbers: those of the strongest player's numbers that are not fine."""
    found = []
    for name, wish, limit, times in SEVERAL[number]:
        measured = [
            m.estimate for each in answers if each.number == number for m in each.measures if m.label.key == f"measure.{name}"
        ]
        if measured and light(measured[-1], getattr(limits, limit)) in ("watch", "bad"):
            found.append(f"{wish}{times * getattr(limits, limit)[0]:g}")
    return ",".join(found)
