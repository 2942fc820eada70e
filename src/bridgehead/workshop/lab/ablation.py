"""What each rule does to a fault: quick games without it.

A house rule gives way to its standard, a rule that an option turns off is turned off, and a rule that stands for a kind of action
is left out by players who avoid that kind (`action_kinds`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import numpy as np

from bridgehead.core import registry
from bridgehead.core.caching import cached_per_game
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.workshop.lab.action_kinds import WORD, kinds
from bridgehead.workshop.lab.plan import Arm, Duel, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish
from bridgehead.workshop.lab.tune.wishes import LOOKED, WEIGHED, Games, measure_wish
from bridgehead.workshop.statistics import Estimate

GAMES, LONGEST, MOST = 200, 3000, 8  # games without a house rule; actions of a game; rules of each sort that are looked at
FEWER = 60  # games without a rule that the designer did not choose
LOOKS = 30  # games whose decisions are looked into
SECONDS = 15.0  # of a decision
PILOT = 20  # games that tell whether a game can do without a kind of action
LEFT = 0.25  # share of a kind's actions that players who avoid it may still have to do


class Without(NamedTuple):
    """A measure (`tune.wishes`) by a designer's rules, and without one of them, beyond doubt another one.

    rule: a house rule, or with is_kind a kind of action; games: those without it.
    """

    rule: str
    now: Estimate
    then: Estimate
    games: int = GAMES
    is_kind: bool = False


@cached_per_game
def without(game: Game, measure: str, less: bool) -> tuple[Without, ...]:
    """The house rules without which a measure of greedy players' games is less (or more), clearest first."""
    others = list(_other_rules(game))
    if not others:
        return ()
    now, found = _measured(game, measure), list[Without]()
    for name, made in others:
        games = GAMES if name in game.differences else FEWER
        found.append(Without(name, now, _measured(made, measure, "greedy", games), games))
    return _clearest(found, less)


@cached_per_game
def without_kinds(game: Game, measure: str, less: bool) -> tuple[Without, ...]:
    """The kinds of actions without which a measure of greedy players' games is less (or more), clearest first."""
    names = _avoidable_kinds(game)
    if not names:
        return ()
    now, found = _measured(game, measure), list[Without]()
    for name in names:
        found.append(Without(name, now, _measured(game, measure, f"greedy{WORD}{name}", FEWER), FEWER, is_kind=True))
    return _clearest(found, less)


def _clearest(found: list[Without], less: bool) -> tuple[Without, ...]:
    """Those that beyond doubt make less (or more) of a measure, by how much."""
    pairs = ((each, *((each.then, each.now) if less else (each.now, each.then))) for each in found)
    clear = [each for each, low, high in pairs if low.games and high.games and low.high < high.low]
    return tuple(sorted(clear, key=lambda each: -abs(each.then.value - each.now.value)))


def _other_rules(game: Game) -> Iterator[tuple[str, Game]]:
    """Names of house rules, each with the game without it: those that differ from the standard, then those that it turns on."""
    differences = game.differences
    changed = [name for name in list(differences)[:MOST] if name != "seats"]
    standing = [name for name, value in msgspec.to_builtins(type(game.options)()).items() if value is True][:MOST]
    for name in dict.fromkeys([*changed, *standing]):
        rules = {other: value for other, value in differences.items() if other != name}
        try:
            made = registry.game(game.spec.id, **(rules if name in differences else rules | {name: False}))
        except BridgeheadError:
            continue
        if made.seats == game.seats and made != game:
            yield name, made


def _avoidable_kinds(game: Game) -> list[str]:
    """Kinds of actions that greedy players do often and that a game can do without, the commonest first."""
    usual, names = _count_actions(game, "greedy", PILOT)[0], kinds(game).names
    common = [int(each) for each in np.argsort(-usual, kind="stable") if usual[each] >= 1 / PILOT]
    found = []
    for number in common if len(common) > 1 else []:
        done, ended = _count_actions(game, f"greedy{WORD}{names[number]}", PILOT)
        if ended and done[number] <= LEFT * usual[number]:
            found.append(names[number])
    return found[:MOST]


def _count_actions(game: Game, player: str, games: int) -> tuple[np.ndarray[Any, Any], bool]:
    """How often each kind of action is done in a game, and whether most games come to an end."""
    plan = Plan(game.spec.id, "", (Arm("", game.differences),), (Strength(player, games),), longest=LONGEST)
    rows = finish(Results(check_plan(plan))).rows("games", 0)
    return rows["did"].sum(axis=(0, 2)) / len(rows), bool((rows["reason"] > 0).mean() > 0.5)


@cached_per_game
def _measured(game: Game, measure: str, player: str = "greedy", games: int = GAMES) -> Estimate:
    """A measure of games by these rules; both kinds of ablation compare with the same ones."""
    players = (*([Strength("random", games)] if measure == "dead" else []), Strength(player, games))
    duels = (Duel(player, "random", games // 4),) if measure == "skill" else ()
    plan = Plan(game.spec.id, "", (Arm("", game.differences),), players, duels, longest=LONGEST)
    weighed, looks = (number if measure in each else 0 for each, number in ((WEIGHED, games), (LOOKED, LOOKS)))
    results = finish(Results(check_plan(msgspec.structs.replace(plan, weighed=weighed, looks=looks))))
    rows, looked = (results.rows(kind, len(players) - 1) for kind in ("games", "looks"))
    random = results.rows("games", 0) if measure == "dead" else rows[:0]
    duelled = results.rows("duels", 0) if duels else rows[:0]
    return measure_wish(measure, Games(game, player, rows, random, duelled, SECONDS, looked))
