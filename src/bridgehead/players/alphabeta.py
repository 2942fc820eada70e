"""Alpha-beta search for games of two seats without chance, with iterative deepening.

One step of the template `continue_search` examines one more position. The whole state of the search lies in arrays, so it can
stop and continue after any step. It is a principal variation search (T. Marsland, M. Campbell, 1982) with late move
reductions; moves are ordered by the transposition table, killers and history (J. Schaeffer, 1989). A seat may act several times
in a row.

A game may have endgame tables and proofs (`look_up_plies`): plies to a forced win (odd) or loss (even), 0 for a draw, or
that the seat to act cannot lose or cannot win. A value that depends on a repetition or a quiet limit belongs to the path that
led there, so it never enters the transposition table. A win in the table may be wrong if the other side can repeat a position
for the third time; there it is ignored.

`deepening(spec)` binds `rules` to one game; here it is only declared.
"""

from __future__ import annotations

import functools
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.evaluation import EvaluateModule
from bridgehead.core.game import Position
from bridgehead.core.jit import require_compiler, rule
from bridgehead.core.kernels import bind_all, rules
from bridgehead.core.spec import CANNOT_LOSE, CANNOT_WIN, OVER, Spec
from bridgehead.players.binding import bind_weights, layout, search_rules_of
from bridgehead.players.deepening import (
    DEEPEST,
    GRAIN,
    INFINITE,
    STEPS,
    SURE,
    WIN,
    DeepeningResult,
    Root,
    deepen_search,
    judging,
    rank_deepening,
)
from bridgehead.players.thoughts import PLAIN, Clock, JudgingStyle, Limit, SearchResult, check

EXACT, LOWER, UPPER = 1, 2, 3  # a stored score is exact, a lower bound, or an upper bound
MOST_ACTIONS = 1 << 16  # ids must fit into an entry
KILLER = 1 << 50  # higher than any history score
LATE = 4  # actions of a node that are searched at full depth; the rest are reduced

# A node on the current path. Scores are for the seat to act there (at the end of the game, for seat 0). low, high: its
# initial window; alpha rises within it. next: number of its `count` actions already taken; tried: the last one. scout:
# how to search its child; again: search that child once more, with a wider window.
PLY = layout(uint64="key", int64="low high alpha best", int32="action tried count next depth", int8="seat tainted scout again")
FULL, NARROW, REDUCED = 0, 1, 2

LOW_32, LOW_16, LOW_8 = np.uint64(0xFFFFFFFF), np.uint64(0xFFFF), np.uint64(0xFF)
B32, B48, B56 = np.uint64(32), np.uint64(48), np.uint64(56)


def worth_of(at, state, law, seat):
    """The evaluation of a state for a seat as a score, with material, always below a forced win."""
    worth = rules.value(state, law, seat) * GRAIN + at[4] * rules.material(state, seat)
    return np.int64(min(max(worth, -SURE + 1.0), SURE - 1.0))


def clamp_score(score, proven, drawn):
    """A score within what is proven for the seat to act. drawn: the score of a draw."""
    return max(score, drawn) if proven == CANNOT_LOSE else min(score, drawn) if proven == CANNOT_WIN else score


@rule
def none_ahead(state, seat):
    """The `material` of a game that has none."""
    return 0


def probe(table, key):
    """The entry of a position: score (from there), action, depth, bound; bound 0 if there is none.

    An entry is two words, with the key xored with the other word (R. Hyatt, T. Mann, 2002). So an entry that two
    threads wrote at once does not match its key.
    """
    place = np.int64(key & np.uint64(len(table) - 1))
    entry = table[place, 1]
    if (table[place, 0] ^ entry) != key or entry == np.uint64(0):
        return 0, -1, 0, 0
    score = np.int64(entry & LOW_32) - (1 << 31)
    action = np.int64((entry >> B32) & LOW_16) - 1
    return score, action, np.int64((entry >> B48) & LOW_8), np.int64(entry >> B56)


def keep(table, key, score, action, depth, bound):
    """Store an entry."""
    entry = np.uint64(score + (1 << 31)) | (np.uint64(action + 1) << B32)
    entry |= (np.uint64(depth) << B48) | (np.uint64(bound) << B56)
    place = np.int64(key & np.uint64(len(table) - 1))
    table[place, 0] = key ^ entry
    table[place, 1] = entry


def order(node, ply, hint, actions, scores, killers, history):
    """Score the actions at a node for move ordering."""
    for i in range(node.count):
        action = actions[ply, i]
        if action == hint:
            scores[ply, i] = 4 * KILLER
        elif action == killers[ply, 0]:
            scores[ply, i] = 2 * KILLER
        elif action == killers[ply, 1]:
            scores[ply, i] = KILLER
        else:
            scores[ply, i] = history[node.seat, action]


def pick(node, ply, actions, scores):
    """Take the best remaining action and swap it to the front."""
    front = node.next
    best = front
    for i in range(front + 1, node.count):
        if scores[ply, i] > scores[ply, best]:
            best = i
    action, score = actions[ply, best], scores[ply, best]
    actions[ply, best], scores[ply, best] = actions[ply, front], scores[ply, front]
    actions[ply, front], scores[ply, front] = action, score
    node.next += 1
    return action


def repeats(plies, ply, root):
    """Whether the position occurred on the path from the root, with the same seat to act."""
    earlier = ply - 4
    while earlier >= root and plies[earlier].key != plies[ply].key:
        earlier -= 2
    return earlier >= root


def enter(at, plies, ply, states, law, depth, low, high, actions, scores, table, killers, history, values, starts, result):
    """Enter a position; True if its score is known at once."""
    node, state = plies[ply], states[ply]
    seat = rules.actor(state, law)
    node.seat, node.tainted, node.count, node.next, node.action = max(seat, 0), 0, 0, 0, -1
    node.low, node.high, node.alpha, node.best, node.depth = low, high, low, -INFINITE, depth
    node.scout, node.again = FULL, 0
    if seat == OVER:
        rules.returns(state, law, result)
        node.best = at[3] if result[0] == 0.0 else np.int64(result[0] * (WIN - ply))
        node.tainted = rules.ends_by_way(state)
        return True
    plies_left, drawn = rules.look_up_plies(state, law, values, starts) if ply else -1, at[3] if seat == 0 else -at[3]
    if plies_left >= 0:
        node.best = drawn if plies_left == 0 else (WIN - ply - plies_left) * (1 if plies_left % 2 else -1)
        return True
    if (plies_left == CANNOT_LOSE and drawn >= high) or (plies_left == CANNOT_WIN and drawn <= low):
        node.best = drawn
        return True
    if depth <= 0 or ply == DEEPEST - 1:
        node.best = clamp_score(worth_of(at, state, law, seat), plies_left, drawn)
        if node.best >= high or ply == DEEPEST - 1:
            return True
        node.alpha, node.count = max(low, node.best), rules.loud(state, law, actions[ply])
        for i in range(node.count):
            scores[ply, i] = 0
        return node.count == 0
    node.key = rules.identity(state, law)
    if at[3] != 0 and repeats(plies, ply, at[2]):
        node.best, node.tainted = at[3] if seat == 0 else -at[3], 1
        return True
    score, hint, kept, bound = probe(table, node.key)
    if abs(score) > SURE and rules.may_end_by_way(state):
        bound = 0
    if bound and ply and kept >= depth and kept <= rules.turns_left(state, law):
        if score > SURE:
            score -= ply
        elif score < -SURE:
            score += ply
        if bound == EXACT or (bound == LOWER and score >= high) or (bound == UPPER and score <= low):
            node.best, node.action = score, hint
            return True
    node.count = rules.legal(state, law, actions[ply])
    order(node, ply, hint, actions, scores, killers, history)
    return False


def descend(plies, ply, states, law, actions, scores):
    """Play the next action at a node, or the last one again, and choose how to search its child."""
    node = plies[ply]
    if node.again:
        node.again = 0
    else:
        node.tried = pick(node, ply, actions, scores)
        if node.next > 1 and node.depth > 0:
            is_late = node.next > LATE and node.depth > 2 and scores[ply, node.next - 1] < KILLER
            node.scout = REDUCED if is_late else NARROW
    states[ply + 1] = states[ply]
    rules.apply(states[ply + 1], law, node.tried)


def hand_up(plies, ply, over):
    """Return a score to the parent node, or have the child searched again with a wider window."""
    child, node = plies[ply], plies[ply - 1]
    mine = node.seat == 0 if over else node.seat == child.seat
    score = child.best if mine else -child.best
    if score > node.alpha and node.scout == REDUCED:
        node.scout, node.again = NARROW, 1
    elif node.alpha < score < node.high and node.scout == NARROW:
        node.scout, node.again = FULL, 1
    else:
        node.scout = FULL
        node.tainted = child.tainted if score >= node.high else node.tainted | child.tainted
        if score > node.best:
            node.best, node.action = score, node.tried
            node.alpha = max(node.alpha, score)


def settle(plies, ply, table, killers, history):
    """Finish a node: update killers and history, and store its score."""
    node = plies[ply]
    if node.depth <= 0:
        return
    if node.best >= node.high and node.action >= 0:
        if killers[ply, 0] != node.action:
            killers[ply, 1] = killers[ply, 0]
            killers[ply, 0] = node.action
        history[node.seat, node.action] += node.depth * node.depth
    if not node.tainted:
        bound = LOWER if node.best >= node.high else UPPER if node.best <= node.low else EXACT
        far = ply if node.best > SURE else -ply if node.best < -SURE else 0
        keep(table, node.key, node.best + far, node.action, node.depth, bound)


def continue_search(at, plies, states, law, steps, actions, scores, table, killers, history, values, starts, result):
    """Continue a search begun by `begin` for at most `steps` nodes; True once it is finished.

    at: the current ply, positions so far, the ply of the root, then the `judging` of the style.
    """
    ply = at[0]
    for _ in range(steps):
        node = plies[ply]
        over = False
        ended = node.again == 0 and (node.next == node.count or node.best >= node.high)
        if ended:
            settle(plies, ply, table, killers, history)
            if ply == at[2]:
                return True
        else:
            descend(plies, ply, states, law, actions, scores)
            mover = rules.actor(states[ply + 1], law)
            over = mover == OVER
            depth = node.depth - (node.scout == REDUCED) - (mover != node.seat)
            high = node.high if node.scout == FULL else node.alpha + 1
            same = over and node.seat == 0 or mover == node.seat
            low, high = (node.alpha, high) if same else (-high, -node.alpha)
            ply += 1
            at[1] += 1
            ended = enter(
                at, plies, ply, states, law, depth, low, high, actions, scores, table, killers, history, values, starts, result
            )
        if ended:
            hand_up(plies, ply, over)
            ply -= 1
    at[0] = ply
    return False


def begin(at, plies, states, law, depth, low, high, actions, scores, table, killers, history, values, starts, result):
    """Start a search at ply at[2] to a depth within a window; True if it is finished at once."""
    at[0] = at[2]
    return enter(
        at, plies, at[2], states, law, depth, low, high, actions, scores, table, killers, history, values, starts, result
    )


TEMPLATES = (worth_of, clamp_score, probe, keep, order, pick, repeats, enter, descend, hand_up, settle, continue_search, begin)


def hooks(evaluate: EvaluateModule) -> dict[str, Any]:
    """The functions that alpha-beta needs of a game's evaluation; None for each that the game lacks."""
    return {
        "identity": evaluate.identity, "turns_left": evaluate.turns_left, "ends_by_way": evaluate.ends_by_way,
        "may_end_by_way": evaluate.may_end_by_way, "loud": evaluate.loud, "look_up_plies": evaluate.look_up_plies,
    }  # fmt: skip


@functools.cache
def deepening(spec: Spec, weights: tuple[float, ...] | None = None) -> SimpleNamespace:
    """The templates bound to one game, compiled at their first call. Call `begin`, then `continue_search`.

    weights: replace those of the game's evaluation. Errors: MissingExtra.
    """
    require_compiler()
    mark, value = bind_weights(spec, {"value": spec.evaluate.value}, weights)
    rules = search_rules_of(spec, **hooks(spec.evaluate), material=spec.evaluate.material or none_ahead, **value)
    return bind_all(TEMPLATES, rules, mark, spec.folder)


class AlphaBeta:
    """Alpha-beta search over a game's own rules.

    entries: of the transposition table (a power of two; 16 bytes each), which is kept from one search to the next.
    weights: replace those of the game's evaluation. threads: further threads search the same position and share the
    table (lazy SMP); a search by the clock is then not repeatable. style: a table that is kept
    holds the scores of one seat's style only.
    """

    def __init__(
        self, entries: int = 1 << 20, weights: tuple[float, ...] | None = None, threads: int = 1, style: JudgingStyle = PLAIN
    ) -> None:
        if entries < 1 or entries & (entries - 1):
            raise BridgeheadError("players:error.entries_table_power_two", "entries")
        if threads < 1:
            raise BridgeheadError("players:error.search_needs_thread", "threads")
        self.table = np.zeros((entries, 2), np.uint64)
        self.weights = weights
        self.threads = threads
        self.style = style

    def __repr__(self) -> str:
        return f"<AlphaBeta entries: {len(self.table)}, threads: {self.threads}>"

    def think(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> DeepeningResult:
        """Search a position in which a seat is to act. stop: ends the search early when set. Errors: BridgeheadError."""
        check(position)
        if self.threads == 1:
            return self._deepen(position, limit, stop, 0)
        done = threading.Event()
        with ThreadPoolExecutor(self.threads - 1) as pool:
            helping = Limit(depth=limit.depth)
            helpers = [pool.submit(self._deepen, position, helping, done, 1 + n % 2) for n in range(self.threads - 1)]
            try:
                found = self._deepen(position, limit, stop, 0)
            finally:
                done.set()
            return found._replace(nodes=found.nodes + sum(helper.result().nodes for helper in helpers))

    def _deepen(self, position: Position, limit: Limit, stop: threading.Event | None, ahead: int) -> DeepeningResult:
        """One thread's search. Helper threads begin `ahead` plies deeper, at a depth that the first thread reaches later."""
        work = _Work(position, self, Clock(limit.seconds, limit.nodes, stop, STEPS))
        return deepen_search(position, limit, work, ahead)

    def rank_actions(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> SearchResult:
        """All legal actions from best to worst, each with its expected result: for advice and weaker play.

        Each is searched equally deep, with an open window. Errors: as `think`.
        """
        check(position)
        clock = Clock(limit.seconds, limit.nodes, stop, STEPS)
        return rank_deepening(position, limit, _Work(position, self, clock))


class _Work:
    """The arrays of one search."""

    def __init__(self, position: Position, search: AlphaBeta, clock: Clock) -> None:
        game, endgames = position.game, position.game.spec.evaluate.endgames
        if game.seats != 2 or game.action_count >= MOST_ACTIONS:
            raise BridgeheadError("players:error.alpha_beta_two_seats_most", game.spec.id)
        needed = {**hooks(game.spec.evaluate), "endgames": endgames}
        if missing := [name for name, hook in needed.items() if hook is None]:
            raise BridgeheadError("players:error.alpha_beta_cannot_play_game", game.spec.id, missing=", ".join(missing))
        assert endgames is not None
        self.kernel, self.law, self.clock = deepening(game.spec, search.weights), game.law, clock
        self.states = game.new_states(DEEPEST + 1)
        self.states[0] = position.copy_states()[0]
        self.plies = np.zeros(DEEPEST + 1, PLY).view(np.recarray)
        self.known = [self.plies[field] for field in Root._fields]  # a field of a record costs ten times as much
        self.at = np.array([0, 0, 0, *judging(position, search.style)])
        actions = np.zeros((DEEPEST + 1, game.max_legal), np.int32)
        scores = np.zeros((DEEPEST + 1, game.max_legal), np.int64)
        killers = np.full((DEEPEST + 1, 2), -1, np.int64)
        history = np.zeros((2, game.action_count), np.int64)
        self.rest = (actions, scores, search.table, killers, history, *endgames(game), np.zeros(2))

    def play(self, position: Position, action: int) -> None:
        """Make the position after an action the root."""
        self.states[1] = self.states[0]
        position.game.spec.rules.apply(self.states[1], self.law, action)
        self.at[2] = 1

    @property
    def root(self) -> int:
        """The ply of the root."""
        return int(self.at[2])

    @property
    def nodes(self) -> int:
        return int(self.at[1])

    @property
    def found(self) -> Root:
        """What the root knows now."""
        return Root(*(int(each[self.root]) for each in self.known))

    def search_to_depth(self, depth: int, low: int, high: int) -> bool:
        """Search the root; False if the clock ended it first."""
        done = self.kernel.begin(self.at, self.plies, self.states, self.law, depth, low, high, *self.rest)
        while not done:
            if not (steps := self.clock.slice()):
                return False
            done = self.kernel.continue_search(self.at, self.plies, self.states, self.law, steps, *self.rest)
            self.clock.count(self.nodes - self.clock.made)
        return True
