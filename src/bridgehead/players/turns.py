"""Templates of expectimax to the end of a turn: every line of play, with exact chances.

Values are results of the root's seat, from -1 to 1. A seat of its side takes the maximum, an opponent the minimum,
chance gives the mean. The game's evaluation is used beyond the last turn and the last decision of an iteration. Chance
nodes are cut when they cannot matter any more (B. Ballard, The *-minimax search procedure, 1983: Star1). Names of rules
are globals that `turning(spec)` binds to one game; here they are only declared.
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from bridgehead.core.spec import CHANCE, OVER, Spec
from bridgehead.players.binding import bind_all, played

if TYPE_CHECKING:
    from bridgehead.players.binding import actor, apply, legal, returns, weight

    worth: Any
    expand: Any
    take_up: Any
    hand_up: Any

DEEPEST = 96  # nodes on a path
BEST, WORST, MEAN = 0, 1, 2
AT_DECISION, AT_TURN = 1, 2  # where the evaluation was used: at the limit of decisions, at the limit of turns
BEGIN, DONE = -2, -1  # values of `level` before and after an iteration

# A node on the current path. next: number of its `count` actions already taken, from the last to the first; decisions:
# made before it; value: best so far, or for chance the sum so far, over `mass` (the share examined); low: what its
# value must exceed to matter; part: weight of the current outcome.
PLY = np.dtype(
    [
        ("count", np.int64),
        ("next", np.int64),
        ("kind", np.int64),
        ("decisions", np.int64),
        ("value", np.float64),
        ("mass", np.float64),
        ("whole", np.float64),
        ("part", np.float64),
        ("low", np.float64),
    ],
    align=True,
)

# A request: for which seat, until which turn and decision, after how many positions to pause, the scale of the
# evaluation; and its progress: positions examined, where the evaluation was used, and the level at which to continue.
ASKED = np.dtype(
    [
        ("seat", np.int64),
        ("turns", np.int64),
        ("decisions", np.int64),
        ("pause", np.int64),
        ("scale", np.float64),
        ("nodes", np.int64),
        ("cut", np.int64),
        ("level", np.int64),
    ],
    align=True,
)


def _expand(states, law, plies, out, level, asked, sides, weights, result):  # type: ignore[no-untyped-def]
    """Enter a position: True, with its value in plies[level].value, if nothing below it has to be searched."""
    state, ply = states[level], plies[level]
    seat = actor(state, law)
    asked.nodes += 1
    if seat == OVER:
        returns(state, law, result)
        ply.value = result[asked.seat]
        return True
    beyond = state.turns >= asked.turns
    if level > 0 and (beyond or (ply.decisions >= asked.decisions and seat != CHANCE) or level == DEEPEST - 1):
        asked.cut |= AT_TURN if beyond else AT_DECISION
        ply.value = np.tanh(worth(state, law, asked.seat, weights) / (2.0 * asked.scale))
        return True
    ply.count, ply.next, ply.mass, ply.value = legal(state, law, out[level]), 0, 0.0, 0.0
    if seat == CHANCE:
        ply.kind, ply.whole = MEAN, 0.0
        for i in range(ply.count):
            ply.whole += weight(state, law, out[level, i])
    else:
        ply.kind = BEST if sides[seat] == sides[asked.seat] else WORST
        ply.value = -2.0 if ply.kind == BEST else 2.0
    return False


def _take_up(states, law, plies, out, level):  # type: ignore[no-untyped-def]
    """Play the next action of a position, with its result on the level below; False if no action is left that matters."""
    ply, child = plies[level], plies[level + 1]
    if ply.next == ply.count:
        return False
    low = ply.low
    if ply.kind == BEST:
        low = max(low, ply.value)
    elif ply.kind == WORST and ply.value <= low:
        return False
    action = out[level, ply.count - 1 - ply.next]
    ply.next += 1
    if ply.kind == MEAN:
        ply.part = weight(states[level], law, action) / ply.whole
        rest = max(1.0 - ply.mass, 0.0)
        if ply.value + rest <= low:
            ply.value += rest
            return False
        low = (low - ply.value - (rest - ply.part)) / ply.part
    states[level + 1] = states[level]
    apply(states[level + 1], law, action)
    child.decisions = ply.decisions + (ply.kind != MEAN)
    child.low = low
    return True


def _hand_up(plies, level):  # type: ignore[no-untyped-def]
    """Return a value to the level above."""
    ply, value = plies[level], plies[level + 1].value
    if ply.kind == MEAN:
        ply.value += ply.part * value
        ply.mass += ply.part
    elif ply.kind == BEST:
        ply.value = max(ply.value, value)
    else:
        ply.value = min(ply.value, value)


def _look(states, law, plies, out, asked, sides, weights, result, values):  # type: ignore[no-untyped-def]
    """The exact value of each action of states[0], into `values` (in the order of legal actions).

    It pauses after asked.pause positions, and is finished when asked.level is DONE. states, plies, out: DEEPEST of
    each; result: work space, one number per seat.
    """
    level = asked.level
    if level == BEGIN:
        asked.nodes, asked.cut, level = 0, 0, 0
        plies[0].decisions, plies[0].low = 0, -2.0
        expand(states, law, plies, out, 0, asked, sides, weights, result)
    while level > DONE and asked.nodes < asked.pause:
        if level == 0:
            plies[0].value = -2.0  # gives each action an exact value: no cut by the value of another one
        if take_up(states, law, plies, out, level):
            level += 1
            if not expand(states, law, plies, out, level, asked, sides, weights, result):
                continue
        level -= 1
        if level > DONE:
            hand_up(plies, level)
            if level == 0:
                values[plies[0].count - plies[0].next] = plies[1].value
    asked.level = level


TEMPLATES = (_expand, _take_up, _hand_up, _look)


@functools.cache
def turning(spec: Spec) -> SimpleNamespace:
    """The templates bound to one game, compiled at their first call. Call `look`."""
    names = played(spec) | {"worth": spec.evaluate.worth}
    bind_all(TEMPLATES, names, f"{spec.id}_turns", spec.folder)
    return SimpleNamespace(look=names["look"])
