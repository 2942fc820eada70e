"""Expectimax to the end of a turn: every line of play with exact chances, ever deeper, until the budget is spent.

Values are results of the root's seat, from -1 to 1. A seat of its side takes the maximum, an opponent the minimum,
chance gives the mean. The game's evaluation is used beyond the last turn and the last decision of an iteration. Chance
nodes are cut when they cannot matter any more (B. Ballard, The *-minimax search procedure, 1983: Star1). Names of rules
are globals that `turning(spec)` binds to one game; here they are only declared.
"""

from __future__ import annotations

import functools
import threading
from typing import Any

import numpy as np

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Position
from bridgehead.core.jit import require_compiler
from bridgehead.core.kernels import bind_all, rules
from bridgehead.core.numerics import tanh
from bridgehead.core.spec import CHANCE, OVER, Spec
from bridgehead.players import binding
from bridgehead.players.binding import layout, search_rules_of
from bridgehead.players.deepening import AT_DECISION, AT_TURN, DEEPEST, FIRST, turn_by_turn
from bridgehead.players.thoughts import Clock, Limit, SearchResult, check

BEST, WORST, MEAN = 0, 1, 2
BEGIN, DONE = -2, -1  # values of `level` before and after an iteration

# A node on the current path. next: number of its `count` actions already taken, from the last to the first; decisions:
# made before it; value: best so far, or for chance the sum so far, over `mass` (the share examined); low: what its
# value must exceed to matter; part: weight of the current outcome.
PLY = layout(int64="count next kind decisions", float64="value mass whole part low")

# A request: for which seat, until which turn and decision, after how many positions to pause, the scale of the
# evaluation; and its progress: positions examined, where the evaluation was used, and the level at which to continue.
ASKED = layout(int64="seat turns decisions pause nodes cut level", float64="scale")


def expand(states, law, plies, out, level, asked, sides, weights, result):
    """Enter a position: True, with its value in plies[level].value, if nothing below it has to be searched."""
    state, ply = states[level], plies[level]
    seat = rules.actor(state, law)
    asked.nodes += 1
    if seat == OVER:
        rules.returns(state, law, result)
        ply.value = result[asked.seat]
        return True
    beyond = state.turns >= asked.turns
    if level > 0 and (beyond or (ply.decisions >= asked.decisions and seat != CHANCE) or level == DEEPEST - 1):
        asked.cut |= AT_TURN if beyond else AT_DECISION
        ply.value = tanh(rules.worth(state, law, asked.seat, weights) / (2.0 * asked.scale))
        return True
    ply.count, ply.next, ply.mass, ply.value = rules.legal(state, law, out[level]), 0, 0.0, 0.0
    if seat == CHANCE:
        ply.kind, ply.whole = MEAN, 0.0
        for i in range(ply.count):
            ply.whole += rules.weight(state, law, out[level, i])
    else:
        ply.kind = BEST if sides[seat] == sides[asked.seat] else WORST
        ply.value = -2.0 if ply.kind == BEST else 2.0
    return False


def take_up(states, law, plies, out, level):
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
        ply.part = rules.weight(states[level], law, action) / ply.whole
        rest = max(1.0 - ply.mass, 0.0)
        if ply.value + rest <= low:
            ply.value += rest
            return False
        low = (low - ply.value - (rest - ply.part)) / ply.part
    states[level + 1] = states[level]
    rules.apply(states[level + 1], law, action)
    child.decisions = ply.decisions + (ply.kind != MEAN)
    child.low = low
    return True


def hand_up(plies, level):
    """Return a value to the level above."""
    ply, value = plies[level], plies[level + 1].value
    if ply.kind == MEAN:
        ply.value += ply.part * value
        ply.mass += ply.part
    elif ply.kind == BEST:
        ply.value = max(ply.value, value)
    else:
        ply.value = min(ply.value, value)


def look(states, law, plies, out, asked, sides, weights, result, values):
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


@functools.cache
def turning(spec: Spec) -> Any:
    """The template `look` bound to one game, compiled at its first call. Errors: MissingExtra."""
    require_compiler()
    rules = search_rules_of(spec, worth=spec.evaluate.worth)
    return bind_all((expand, take_up, hand_up, look), rules, f"{spec.id}_turns", spec.folder).look


class TurnSearch:
    """Expectimax over a game's own rules, for games of two sides.

    It searches one decision deep, then two, to the end of the turn; then turn by turn. weights: replace those of the
    game's evaluation; turns: the deepest search. It is deterministic: the same position gives the same answer.
    """

    def __init__(self, weights: tuple[float, ...] | None = None, turns: int = 8) -> None:
        self.weights, self.turns = weights, turns

    def __repr__(self) -> str:
        return f"<TurnSearch turns: {self.turns}>"

    def think(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> SearchResult:
        """The value of each legal action. An iteration cut off by the limit does not count. Errors: BridgeheadError."""
        check(position)
        if limit.seconds is None and limit.nodes is None:
            raise BridgeheadError("players:error.search_needs_seconds_positions", "limit")
        if len(set(position.game.sides)) != 2:
            raise BridgeheadError("players:error.expectimax_within_turn_two_sides", position.game.spec.id)
        if self.weights is not None:
            binding.check(position.game.spec, self.weights)
        clock = Clock(limit.seconds, limit.nodes, stop, FIRST)
        return turn_by_turn(position, limit, _Work(position, self.weights, clock), self.turns)


class _Work:
    def __init__(self, position: Position, weights: tuple[float, ...] | None, clock: Clock) -> None:
        game = position.game
        self.kernel, self.law, self.clock = turning(game.spec), game.law, clock
        self.states = game.new_states(DEEPEST)
        self.states[0] = position.copy_states()[0]
        self.plies = np.zeros(DEEPEST, PLY).view(np.recarray)
        self.asked = np.zeros(1, ASKED).view(np.recarray)
        self.asked[0].seat, self.asked[0].scale = position.actor, game.spec.evaluate.SCALE
        self.out = np.empty((DEEPEST, game.max_legal), np.int32)
        self.sides = np.array(game.sides, np.int64)
        self.weights = np.array(game.spec.evaluate.WEIGHTS if weights is None else weights)
        self._values, self.result = np.zeros(len(position.legal)), np.zeros(game.seats)

    @property
    def values(self) -> list[float]:
        return list(map(float, self._values))

    @property
    def cut(self) -> int:
        return int(self.asked[0].cut)

    def search_turns(self, turns: int, decisions: int) -> bool:
        """One iteration; False if the budget ends first."""
        asked = self.asked[0]
        asked.turns, asked.decisions, asked.level, asked.nodes = self.states[0].turns + turns, decisions, BEGIN, 0
        while asked.level != DONE:
            if not (wanted := self.clock.slice()):
                return False
            before = int(asked.nodes)
            asked.pause = before + wanted
            self.kernel(self.states, self.law, self.plies, self.out, asked, self.sides, self.weights, self.result, self._values)
            self.clock.count(int(asked.nodes) - before)
        return True
