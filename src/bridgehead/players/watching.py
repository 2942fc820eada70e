"""What a player sees of the latest play, and whether the others look one action ahead."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bridgehead.core.game import Position
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE
from bridgehead.players.engine import engine

LATEST = 24  # actions that a player sees: in Burning Bridges with five, two rounds
LEAST = 12  # decisions of others without which nothing is concluded


class Seen(NamedTuple):
    """The latest play: a position, and the actions since."""

    position: Position
    actions: Sequence[int]


LookBack = Callable[[], Seen]  # gives the latest play, which few players want


def latest(match: Match) -> Seen:
    """The latest play of a match."""
    begin = max(0, len(match.log) - LATEST)
    return Seen(match.positions[begin], [entry.action for entry in match.log[begin:]])


def looking_back(match: Match) -> LookBack:
    """A function that gives the latest play: few players want it, and it takes a while."""
    return functools.partial(latest, match)


def others_look_one_ahead(play: Seen, seat: int) -> bool:
    """Was each decision of the others in the latest play the best one action ahead? False where there are too few."""
    position, decisions = play.position, 0
    for action in play.actions:
        if position.actor not in (seat, CHANCE):
            worth = engine(position.game).score_actions(position)
            if worth[action] < max(worth.values()):
                return False
            decisions += 1
        position = position.after(action)
    return decisions >= LEAST
