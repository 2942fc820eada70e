"""What each house rule of a designer does to a fault: quick games by the same rules without it."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from bridgehead.core import registry
from bridgehead.core.caching import cached_per_game
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.workshop.lab.plan import Arm, Duel, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Results, finish
from bridgehead.workshop.lab.tune.wishes import LOOKED, WEIGHED, Games, measure_wish
from bridgehead.workshop.statistics import Estimate

GAMES, LONGEST, MOST = 200, 3000, 6  # games by each set of rules; actions of a game; house rules that are looked at
LOOKS = 30  # games whose decisions are looked into
SECONDS = 15.0  # of a decision


class Without(NamedTuple):
    """A measure (`tune.wishes`) by a designer's rules, and without one of its house rules, beyond doubt another one."""

    option: str
    now: Estimate
    then: Estimate


@cached_per_game
def without(game: Game, measure: str, less: bool) -> tuple[Without, ...]:
    """The house rules without which a measure of greedy players' games is less (or more), clearest first."""
    found = []
    now = _measured(game, measure) if game.differences else None
    for name in list(game.differences)[:MOST] if now else ():
        rules = {other: value for other, value in game.differences.items() if other != name}
        try:
            made = registry.game(game.spec.id, **rules)
        except BridgeheadError:
            continue
        if now is None or name == "seats" or made.seats != game.seats or made == game:
            continue
        then = _measured(made, measure)
        low, high = (then, now) if less else (now, then)
        if low.games and high.games and low.high < high.low:
            found.append(Without(name, now, then))
    return tuple(sorted(found, key=lambda each: -abs(each.then.value - each.now.value)))


def _measured(game: Game, measure: str) -> Estimate:
    players = (*([Strength("random", GAMES)] if measure == "dead" else []), Strength("greedy", GAMES))
    duels = (Duel("greedy", "random", GAMES // 4),) if measure == "skill" else ()
    plan = Plan(game.spec.id, "", (Arm("", game.differences),), players, duels, longest=LONGEST)
    weighed, looks = (number if measure in each else 0 for each, number in ((WEIGHED, GAMES), (LOOKED, LOOKS)))
    results = finish(Results(check_plan(msgspec.structs.replace(plan, weighed=weighed, looks=looks))))
    rows, looked = (results.rows(kind, len(players) - 1) for kind in ("games", "looks"))
    random = results.rows("games", 0) if measure == "dead" else rows[:0]
    duelled = results.rows("duels", 0) if duels else rows[:0]
    return measure_wish(measure, Games(game, "greedy", rows, random, duelled, SECONDS, looked))
