"""How good a position is for a seat: the race, counted in steps with a price for each barricade ahead."""

from __future__ import annotations

import numpy as np

from bridgehead.core.bits import lowest
from bridgehead.core.jit import rule
from bridgehead.games.barricade.moves import has_barricade
from bridgehead.games.barricade.rules import OVER, PLACE, returns
from bridgehead.games.barricade.state import NOBODY, ONE, ZERO

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
    side = int(law.side[seat])
    own, foreign, rest = float(FAR), float(FAR), 0.0
    for other in range(law.seats):
        best, total = costs_of_seat(state, law, costs, other)
        if law.side[other] == side:
            own = min(own, best)
            rest += total
        else:
            foreign = min(foreign, best)
            rest -= total / max(1, law.colours - 1)
    worth = foreign - own - OWN_OTHERS * rest
    if state.phase == PLACE:
        worth += IN_HAND if law.side[int(state.seat)] == side else -IN_HAND
    return worth


@rule
def costs_of_seat(state, law, costs, seat):
    """The lowest cost of a seat's pawns, and all together; from home a way costs one more than from its entry."""
    best, total = float(FAR), 0.0
    for word in range(law.words):
        places = state.pawns[seat, word]
        while places != ZERO:
            place = 64 * word + lowest(places)
            places &= places - ONE
            if place < law.squares:
                cost, pawns = float(costs[place]), 1
            else:
                cost = float(costs[int(law.entry[place - law.squares])] + 1)
                pawns = int(state.at_home[law.colour_at[place - law.squares]])
            best = min(best, cost)
            total += pawns * cost
    return best, total


@rule
def costs_to_final(state, law):
    """For each square, the cheapest way from it to the final square: steps, and a price for each barricade on it."""
    costs = np.full(law.squares, FAR, np.int32)
    queue = np.empty(law.squares * 8, np.int16)
    costs[law.final] = 0
    queue[0] = law.final
    head, tail = 0, 1
    neighbours = law.neighbours  # looked up once: plain Python takes half as long
    while head != tail:
        square = int(queue[head % len(queue)])
        head += 1
        price = costs[square] + 1 + (BARRICADE_PRICE if has_barricade(state, square) else 0)
        for k in range(4):
            near = int(neighbours[square, k])
            if near == NOBODY:
                break
            if price < costs[near]:
                costs[near] = price
                queue[tail % len(queue)] = near
                tail += 1
    return costs
