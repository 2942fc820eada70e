"""Evaluation of Burning Bridges: a family's standing against those of the others. Compiled."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core.bits import count
from bridgehead.core.jit import rule
from bridgehead.core.numerics import exp, log, tanh
from bridgehead.core.weights import weights
from bridgehead.games.burning_bridges import actions, rules
from bridgehead.games.burning_bridges.rules import BIDDING, CHOOSING, ENDED, MOVES, NOBODY, L, M, S

WON = 1000.0
SCALE = 10.0  # a standing that is better by this makes a win e times as likely
LINE = 4.0  # moves for one more line of the child: two walks, a build, a crossing
LAST = 3.0  # moves for the parents to reach their goals after the child
FIRST_LEADS = 8.0  # how much better it is to go first without a bid of more moves (docs/lookup/games/burning_bridges.md)
LAST_LEADS, MORE_LEADS = 8.0, 1.0  # how much better it is to go last with a bid of one move, and for every further one
HELD = 3.0  # moves for a hostage: waiting and paying

# Features of a family. See docs/understand/players.md.
FEATURES = (
    "moves needed", "lines of the child", "lines of the parents to the next bridge",
    "next bridge lies uncrossed", "next line within this turn", "next line within two moves", "next line within four moves",
    "child at home", "child held", "parent held", "hostages",
    "child with the large parent", "child with the middle parent", "child can be taken in one move",
    "child can be taken in two", "parent can be taken in one move", "bridges", "burning bridges",
    "moves left", "turns to wait", "home within this turn",
    "home within eight moves",
)  # fmt: skip
(
    NEEDED, LINES, WALKS, UNCROSSED, LINE_NOW, LINE_IN_2, LINE_IN_4, CHILD_HOME, CHILD_HELD, PARENT_HELD, HOSTAGES, WITH_LARGE,
    WITH_MEDIUM, TAKEN_IN_1, TAKEN_IN_2, PARENT_TAKEN, BRIDGES, BURNING, MOVES_LEFT, WAITS, NOW, IN_8,
) = range(len(FEATURES))  # fmt: skip
SEARCH = {"explore": 0.2, "trust": 20.0, "cut": 0}  # settings of a tree search without playouts (players/tree.py)
ANSWERED = {"explore": 0.1}  # settings for a search that evaluates only after the opponents' replies
WEIGHTS = weights(Path(__file__).with_name("weights.json"), FEATURES)


@rule
def value(state, law, seat):
    """WON or -WON at the end; in a running game `worth` with the learned weights."""
    if state.phase == ENDED:
        return 0.0 if state.winner == NOBODY else WON if state.winner == seat else -WON
    return worth(state, law, seat, WEIGHTS)


@rule
def worth(state, law, seat, weights):
    """The log of the seat's chance to win against that of all others together, times SCALE.

    Chances go with the exponential of standings (R. D. Luce 1959), so those of all families add up to one.
    """
    highest, total = -1e9, 0.0
    for family in range(law.seats):
        if family != seat:
            other = standing(state, law, family, weights)
            if other > highest:
                total = total * exp((highest - other) / SCALE) + 1.0
                highest = other
            else:
                total += exp((other - highest) / SCALE)
    found = standing(state, law, seat, weights) - highest - SCALE * log(total)
    if law.bid and before_first_move(state, law):
        return found + (lead(state) if seat == state.turn else -lead(state))
    if rules.may_swap(state, law):  # the family on turn takes the better side
        return abs(found) if seat == state.turn else -abs(found)
    return found


@rule
def before_first_move(state, law):
    """Whether nothing has been done in the game except to draw, to bid and to choose (BBQ-53)."""
    return state.turns == 0 and (state.phase >= BIDDING or state.phase == MOVES and state.moves == rules.full_turn(state, law))


@rule
def lead(state):
    """How much better off the family on turn is by the order, to SCALE.

    It goes first, or chooses the better place, or bids the number that leaves the other family the least choice.
    """
    if state.phase == BIDDING:
        return -min(FIRST_LEADS, LAST_LEADS)
    first = FIRST_LEADS if state.more == 0 else MORE_LEADS - LAST_LEADS - MORE_LEADS * state.more
    return abs(first) if state.phase == CHOOSING else first


@rule
def judge(state, law, result):
    """The expected result of a running game for every seat: twice its chance to win, minus one."""
    highest, total = -1e9, 0.0
    for family in range(law.seats):
        result[family] = standing(state, law, family, WEIGHTS)
        highest = max(highest, result[family])
    for family in range(law.seats):
        result[family] = exp((result[family] - highest) / SCALE)
        total += result[family]
    for family in range(law.seats):
        result[family] = 2.0 * result[family] / total - 1.0
    if rules.may_swap(state, law):
        best = abs(result[0])
        result[int(state.turn)], result[1 - int(state.turn)] = best, -best
    elif law.bid and before_first_move(state, law):
        result[0] = tanh(worth(state, law, 0, WEIGHTS) / (2.0 * SCALE))
        result[1] = -result[0]


@rule
def standing(state, law, family, weights):
    """The standing of a family: the features times their weights."""
    child = 3 * family + S
    moves = float(state.moves) if state.turn == family else 0.0
    total = people(state, law, family, weights) + weights[MOVES_LEFT] * moves
    held = 0.0
    for piece in range(child - S, child + 1):
        held += HELD * (state.captor[piece] != NOBODY)
    if law.goal_distance[family, int(state.pos[child])] == 0:
        needed = held + parents_to_goals(state, law, family)
        total += weights[CHILD_HOME]
    else:
        there = next_pillar(state, law, family)
        lines, step = float(law.goal_distance[family, there]), held + step_to(state, law, family, there)
        needed = step + LAST + LINE * lines
        total += weights[LINES] * (lines + 1.0)
        total += weights[LINE_NOW] * (step <= moves) + weights[LINE_IN_2] * (step <= 2.0) + weights[LINE_IN_4] * (step <= 4.0)
        if step - held > 2.0:
            total += weights[WALKS] * (step - held - 2.0)
        elif step == 1.0 and moves == 0.0:  # until the family's next turn, opponents may torch it
            total += weights[UNCROSSED]
    total += weights[NOW] * (needed <= moves) + weights[IN_8] * (needed <= 8.0)
    return total + weights[NEEDED] * needed


@rule
def people(state, law, family, weights):
    """Weighted features: hostages, protection, danger, bridges, and the turns until the family's next one."""
    child = 3 * family + S
    large, medium = child - S, child - S + M
    total = weights[WAITS] * ((family - state.turn) % law.seats)
    lying, burning = 0.0, 0.0
    for w in range(law.words):
        lying += count(state.bridge[w] & law.own[family, w])
        burning += count(state.torch[w] & law.own[family, w])
    total += weights[BRIDGES] * lying + weights[BURNING] * burning
    if state.captor[medium] != NOBODY:
        total += weights[PARENT_HELD]
    elif state.pos[medium] != state.pos[large]:
        total += weights[PARENT_TAKEN] * (takers(state, law, medium, L, 1) > 0)
    if state.captor[child] != NOBODY:
        return total + weights[CHILD_HELD] + weights[HOSTAGES] * hostages_of(state, law, family)
    smallest = S - 1  # size of the pieces that may take the child
    if state.pos[child] == state.pos[large]:
        total += weights[WITH_LARGE]
        smallest = -1
    elif state.pos[child] == state.pos[medium] and state.captor[medium] == NOBODY:
        total += weights[WITH_MEDIUM]
        smallest = L
    total += weights[TAKEN_IN_1] * (takers(state, law, child, smallest, 1) > 0)
    total += weights[TAKEN_IN_2] * (takers(state, law, child, smallest, 2) > 0)
    return total + weights[HOSTAGES] * hostages_of(state, law, family)


@rule
def takers(state, law, piece, smallest, lines):
    """The number of opponents' free pieces, of sizes up to `smallest`, that are within `lines` lines and could take the piece."""
    found, here = 0, int(state.pos[piece])
    for family in range(law.seats):
        if family != piece // 3 and rules.safe_turns(state, family, piece) == 0:
            for other in range(3 * family, 3 * family + smallest + 1):
                found += state.captor[other] == NOBODY and law.hops[state.pos[other], here] <= lines
    return found


@rule
def hostages_of(state, law, family):
    """The number of hostages that the family holds."""
    held = 0.0
    for piece in range(3 * law.seats):
        held += state.captor[piece] != NOBODY and state.captor[piece] // 3 == family
    return held


@rule
def parents_to_goals(state, law, family):
    """Lines the parents must walk; a house rule may want three different goals."""
    large, medium, child = state.pos[3 * family + L], state.pos[3 * family + M], state.pos[3 * family + S]
    needed = float(law.goal_distance[family, large] + law.goal_distance[family, medium])
    if law.distinct_goals:
        if law.goal_distance[family, large] == 0:
            needed += int(large == medium) + int(large == child)
        if law.goal_distance[family, medium] == 0:
            needed += int(medium == child)
    return needed


@rule
def next_pillar(state, law, family):
    """The child's next pillar: over an own bridge if one leads on, else where the parents can build soonest."""
    here = int(state.pos[3 * family + S])
    best, chosen = 1e9, 0
    for i in range(law.degree[here]):
        there = int(law.neighbour[here, i])
        far = step_to(state, law, family, there) + LINE * law.goal_distance[family, there]
        if far < best:
            best, chosen = far, there
    return chosen


@rule
def step_to(state, law, family, there):
    """Moves until the child stands on a neighbouring pillar, ignoring hostages."""
    here = int(state.pos[3 * family + S])
    bridge = family * law.lines + int(law.line_of[here, there])
    if not rules.has_bridge(state, bridge):
        return 2.0 + parents_to_ends(state, law, family, here, there)
    return LINE + 2.0 if rules.is_burning(state, bridge) else 1.0  # wait for the fire to end, or go around it


@rule
def parents_to_ends(state, law, family, here, there):
    """Lines that the parents must walk to stand on both ends of a line, in either order."""
    large, medium = int(state.pos[3 * family + L]), int(state.pos[3 * family + M])
    return float(min(law.hops[large, here] + law.hops[medium, there], law.hops[large, there] + law.hops[medium, here]))


@rule
def foolish(states, law, action, out):
    """Whether the family sets fire to a bridge of its own, which only its own child needs."""
    bridge = int(action - law.first_of[actions.TORCH])
    return int(law.kind[action]) == actions.TORCH and bridge // int(law.lines) == int(states[0].turn)
