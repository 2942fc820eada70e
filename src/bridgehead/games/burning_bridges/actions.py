"""The actions of Burning Bridges: their kinds, the layout of their ids, and their parts."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from bridgehead.core.actions import Actions, Kind

KINDS = (
    Kind("first {seat}"), Kind("walk {size} {pillar}"), Kind("cross {size} {pillar} {colour}"), Kind("take {piece}"),
    Kind("done"), Kind("seize {size} {piece}"), Kind("build {line}"), Kind("torch {line} {colour}", ("colour", "line")),
    Kind("destroy {line} {colour}", ("colour", "line")), Kind("extinguish {line}"), Kind("pay {piece}"), Kind("end"),
    Kind("term destroy {line}"), Kind("term untorch {line}"), Kind("term untorch"), Kind("term none"), Kind("pay {piece} {line}"),
    Kind("swap"), Kind("bid {more}"), Kind("go first"), Kind("go last"),
)  # fmt: skip
(
    FIRST, WALK, CROSS, TAKE, DONE, SEIZE, BUILD, TORCH, DESTROY, EXTINGUISH, PAY, END,
    TERM_DESTROY, TERM_UNTORCH, TERM_CHOICE, TERM_NONE, PAY_LINE, SWAP,
    BID, GO_FIRST, GO_LAST,
) = range(len(KINDS))  # fmt: skip
# Names of the kinds in the catalogue.
VERBS = (
    "first", "walk", "cross", "take", "done", "seize", "build", "torch", "destroy", "extinguish", "pay", "end",
    "term.destroy", "term.untorch", "term.choice", "term.none", "pay.untorch", "swap",
    "bid", "go.first", "go.last",
)  # fmt: skip


MOST_MORE = 4  # the largest number of more moves that a family may bid (BBQ-53)


class Action(NamedTuple):
    """An action and its parts; -1 for a part that it lacks. `size` is a piece of the acting family, `piece` one of any family."""

    kind: int
    size: int = -1
    pillar: int = -1
    piece: int = -1
    line: int = -1
    colour: int = -1
    seat: int = -1
    more: int = -1


@functools.cache
def laid_out(seats: int, pillars: int, lines: int, hostage_picks: bool, pie: bool, bid: bool) -> Actions:
    """The action ids of a board. Payments with a line, the exchange of sides and bids exist only under their house rules."""
    sizes = {"seat": seats, "size": 3, "pillar": pillars, "colour": seats, "piece": 3 * seats, "line": lines}
    sizes["more"] = 1 + MOST_MORE
    left_out = (((PAY_LINE,), hostage_picks), ((SWAP,), pie), ((BID, GO_FIRST, GO_LAST), bid))
    return Actions(KINDS, sizes, [kind for kinds, there in left_out for kind in kinds if not there])


def actions_of(law: Any) -> Actions:
    """The action ids under a law."""
    house = (bool(rule) for rule in (law.hostage_picks_torch, law.pie, law.bid))
    return laid_out(int(law.seats), int(law.pillars), int(law.lines), *house)


def split(law: Any, action: int) -> Action:
    """The kind and the parts of an action id."""
    kind, parts = actions_of(law).split(action)
    return Action(kind, **parts)


def number(law: Any, made: Action) -> int:
    """The action id of a kind and parts: the reverse of `split`."""
    parts = made._asdict()
    return actions_of(law).number(parts.pop("kind"), **parts)
