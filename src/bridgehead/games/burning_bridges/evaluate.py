"""How good a position is for a family, for players that look one action ahead. Compiled."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from bridgehead.core.jit import rule
from bridgehead.games.burning_bridges import bridges
from bridgehead.games.burning_bridges.state import ENDED, NOBODY, L, M, S

WON = 1000.0
LINE = 4.0  # moves for one more line of the child: two walks, a build, a crossing
LAST = 3.0  # moves for the parents to come home behind the child
HELD = 3.0  # a hostage waits, and pays
RIVAL, OTHERS = 0.5, 0.2  # what the nearest rival's and the average rival's moves are worth


@rule
def value(state, law, seat):
    """Moves the rivals still need, less the moves the seat's family needs: higher is better for the seat."""
    if state.phase == ENDED:
        return 0.0 if state.winner == NOBODY else WON if state.winner == seat else -WON
    nearest, total = 1e9, 0.0
    for family in range(law.seats):
        if family != seat:
            needed = moves_needed(state, law, family)
            total += needed
            nearest = min(nearest, needed)
    return RIVAL * nearest + OTHERS * total / (law.seats - 1) - moves_needed(state, law, seat)


@rule
def moves_needed(state, law, family):
    """A rough count of the moves until the family is home."""
    child = 3 * family + S
    needed = 0.0
    for piece in range(child - S, child + 1):
        if state.captor[piece] != NOBODY:
            needed += HELD
    if law.goal_distance[family, int(state.pos[child])] == 0:
        return needed + parents_to_goals(state, law, family)
    return needed + LAST + child_to_goal(state, law, family)


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
def child_to_goal(state, law, family):
    """Moves for the child's way: over an own bridge where one leads on, else where the parents can build soonest."""
    here = int(state.pos[3 * family + S])
    best = LINE * law.pillars
    for i in range(law.degree[here]):
        there, line = int(law.neighbour[here, i]), int(law.line_to[here, i])
        bridge = family * law.lines + line
        if not bridges.has_bridge(state, bridge):
            step = 2.0 + parents_to_ends(state, law, family, here, there)
        elif bridges.is_burning(state, bridge):
            continue
        else:
            step = 1.0
        best = min(best, step + LINE * law.goal_distance[family, there])
    return best


@rule
def parents_to_ends(state, law, family, here, there):
    """Lines the parents must walk to stand on both ends of a line, either way round."""
    large, medium = int(state.pos[3 * family + L]), int(state.pos[3 * family + M])
    return float(min(law.hops[large, here] + law.hops[medium, there], law.hops[large, there] + law.hops[medium, here]))
