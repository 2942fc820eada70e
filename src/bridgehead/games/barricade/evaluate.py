"""How good a position is for a seat: the race, counted in steps with a price for each barricade ahead."""

from __future__ import annotations

import numpy as np

from bridgehead.core.jit import rule
from bridgehead.games.barricade.rules import OVER, PLACE, has_barricade, returns
from bridgehead.games.barricade.state import NOBODY

FAR = 10_000
BARRICADE_PRICE = 5  # a barricade ahead costs about as much as so many steps
OWN_OTHERS = 0.06  # weight of all own pawns beside the best one
IN_HAND = 4.0
DECIDED = 100_000.0


@rule
def value(state, law, seat):
    """Higher is better for the seat: opponents' best cost minus own best cost, the side's best counting as own."""
    if state.phase == OVER:
        scores = np.zeros(law.seats, np.float64)
        returns(state, law, scores)
        return DECIDED * scores[seat]
    costs = costs_to_final(state, law)
    side = int(law.tables.side[seat])
    own, foreign, rest = float(FAR), float(FAR), 0.0
    for colour in range(law.colours):
        owner = int(law.tables.seat_of[colour])
        best, total = float(FAR), 0.0
        for i in range(law.pawns):
            cost = float(pawn_cost(state, law, costs, colour, i))
            best = min(best, cost)
            total += cost
        if law.tables.side[owner] == side:
            own = min(own, best)
            rest += total
        else:
            foreign = min(foreign, best)
            rest -= total / max(1, law.colours - 1)
    worth = foreign - own - OWN_OTHERS * rest
    if state.phase == PLACE:
        worth += IN_HAND if law.tables.side[int(state.seat)] == side else -IN_HAND
    return worth


@rule
def pawn_cost(state, law, costs, colour, i):
    """Cost of one pawn's way to the final square; from home one more than from its entry."""
    place = int(state.pawns[colour, i])
    if place < law.squares:
        return costs[place]
    return costs[int(law.tables.entry[place - law.squares])] + 1


@rule
def costs_to_final(state, law):
    """For each square, the cheapest way from it to the final square: steps, and a price for each barricade on it."""
    costs = np.full(law.squares, FAR, np.int32)
    queue = np.empty(law.squares * 8, np.int16)
    costs[law.final] = 0
    queue[0] = law.final
    head, tail = 0, 1
    while head != tail:
        square = int(queue[head % len(queue)])
        head += 1
        price = costs[square] + 1 + (BARRICADE_PRICE if has_barricade(state, square) else 0)
        for k in range(4):
            near = int(law.tables.neighbours[square, k])
            if near == NOBODY:
                break
            if price < costs[near]:
                costs[near] = price
                queue[tail % len(queue)] = near
                tail += 1
    return costs
