"""Evaluation of Barricade: the standing of a side (features times weights, or a net) against those of the other sides."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.core.numbers import np, uint64
from bridgehead.core.numerics import exp, log
from bridgehead.core.weights import answer, weights
from bridgehead.games.barricade.board import MOST_SQUARES
from bridgehead.games.barricade.rules import NOBODY, ONE, OVER, PLACE, ZERO, has_barricade, returns

FAR = 10_000
SCALE = 10.0  # a standing that is better by this makes a win e times as likely
DECIDED = 100_000.0
BARRICADE_PRICE = 1  # the price of a barricade on the way in steps, in addition to its feature
BEHIND = 60  # most steps behind the side's first pawn that count
NEAR = 12  # steps: only pawns at most this far behind the first count as threats to a barricade
REACH = 6  # steps within one roll
QUEUE = 8 * MOST_SQUARES  # a power of two, so that a mask wraps it: dividing took a fifth of the evaluation's time
# The linear weights are learned with two seats. Standings by them predict less with more sides, and more with teams, since luck
# averages out. The net is learned with four seats.
AMONG_MORE, BETWEEN_TEAMS = 0.76, 1.3

# Features of a side. "way": steps to the final square plus a price for each barricade on it. See docs/understand/players.md.
FEATURES = (
    "way of the first pawn", "way of the second", "way of the third", "way on average", "log of the first way",
    "barricades before the first", "rolls that hit", "rolls that win", "pawns at home", "danger from who rolls",
    "danger from others", "to roll", "to roll and win", "barricade in hand",
)  # fmt: skip
SEARCH = {"explore": 0.05, "trust": 3.0, "cut": 0}  # settings of a tree search without playouts (players/tree.py)
WEIGHTS = weights(Path(__file__).with_name("weights.json"), FEATURES)


@rule
def value(state, law, seat):
    """DECIDED or -DECIDED at the end; in a running game `worth` with the learned weights."""
    if state.phase == OVER:
        scores = np.zeros(law.seats, np.float64)
        returns(state, law, scores)
        return DECIDED * scores[seat]
    return worth(state, law, seat, WEIGHTS)


@rule
def worth(state, law, seat, weights):
    """The log of the side's chance to win against that of all others together, times SCALE.

    Chances go with the exponential of standings (R. D. Luce 1959), so those of all sides add up to one.
    """
    ways = ways_to_final(state, law)
    side = int(law.side[seat])
    own, mates, highest, total = 0.0, 0.0, -1e9, 0.0
    for other in range(law.seats):
        if law.side[other] == side:
            mates += 1.0
        elif law.side[other] == other:  # the number of a side is its lowest seat
            there, seats = standing_from_ways(state, law, other, weights, ways), float(seats_of(law, other))
            if there > highest:
                total, highest = total * exp((highest - there) / SCALE) + seats, there
            else:
                total += seats * exp((there - highest) / SCALE)
    own = standing_from_ways(state, law, side, weights, ways)
    return own - highest - SCALE * log(total / mates)


@rule
def judge(state, law, result):
    """The expected result of a running game for every seat: twice its side's chance to win, minus one."""
    ways = ways_to_final(state, law)
    highest, total = -1e9, 0.0
    for seat in range(law.seats):
        side = int(law.side[seat])
        result[seat] = standing_from_ways(state, law, seat, WEIGHTS, ways) if side == seat else result[side]
        highest = max(highest, result[seat])
    for seat in range(law.seats):
        total += exp((result[seat] - highest) / SCALE)
    for seat in range(law.seats):
        result[seat] = 2.0 * seats_of(law, int(law.side[seat])) * exp((result[seat] - highest) / SCALE) / total - 1.0


@rule
def seats_of(law, side):
    """The number of seats of a side."""
    found = 0
    for seat in range(law.seats):
        found += law.side[seat] == side
    return found


@rule
def standing(state, law, seat, weights):
    """The standing of a seat's side: the features times their weights, or what the net answers."""
    return standing_from_ways(state, law, int(law.side[seat]), weights, ways_to_final(state, law))


@rule
def standing_from_ways(state, law, side, weights, ways):
    """The standing, when the ways to the final square are already known: by the net among more than two without teams."""
    counts = features_of(state, law, side, ways)
    sides = sides_of(law)
    if sides > 2 and sides == law.seats and len(weights) > len(FEATURES):
        return answer(weights, counts)
    total = 0.0
    for feature in range(len(FEATURES)):
        total += weights[feature] * counts[feature]
    return total * (AMONG_MORE if sides > 2 else BETWEEN_TEAMS if sides < law.seats else 1.0)


@rule
def sides_of(law):
    """The number of sides."""
    found = 0
    for seat in range(law.seats):
        found += law.side[seat] == seat
    return found


@rule
def counts(state, law, found):
    """The counts of the features of every side, in the rows of its seats (seats x features)."""
    ways = ways_to_final(state, law)
    for seat in range(law.seats):
        row = features_of(state, law, int(law.side[seat]), ways)
        for feature in range(len(FEATURES)):
            found[seat, feature] = row[feature]


@rule
def features_of(state, law, side, ways):
    """The counts of a side's features, in their order: a tuple, since an array would cost a search a tenth of its time."""
    places = places_of(state, law, side)
    first, second, third, everything, pawns, home, ahead = runners(state, law, places, ways)
    hits, wins = shots(law, places, ways, first)
    now, later = dangers(state, law, side, places, ways)
    in_hand = law.side[int(state.seat)] == side and state.phase == PLACE
    to_roll = law.side[int(state.seat)] == side and state.phase != PLACE
    return (
        float(first), float(min(second, first + BEHIND)), float(min(third, first + BEHIND)), everything / max(1, pawns),
        log(first + 4.0), float(ahead), float(hits), float(wins), float(home), float(now), float(later),
        1.0 if to_roll else 0.0, float(wins) if to_roll else 0.0, 1.0 if in_hand else 0.0,
    )  # fmt: skip


@rule
def places_of(state, law, side):
    """The places of a side's pawns, seat by seat. A home appears once, however many pawns are in it."""
    found, number = np.empty(64 * law.words, np.int16), 0
    for seat in range(law.seats):
        if law.side[seat] != side:
            continue
        for word in range(law.words):
            places = state.pawns[seat, word]
            while places != ZERO:
                found[number] = 64 * word + lowest(places)
                places &= places - ONE
                number += 1
    return found[:number]


@rule
def runners(state, law, places, ways):
    """A side's pawns: the three shortest ways, the sum of all, all pawns, those at home, and barricades before the first."""
    costs, _, barricades = ways
    first, second, third, everything, pawns, home, ahead = FAR, FAR, FAR, 0, 0, 0, 0
    for k in range(len(places)):
        number, square, cost = 1, int(places[k]), 0
        if square >= law.squares:  # from home a way costs one more than from its entry
            number = int(state.at_home[law.colour_at[square - law.squares]])
            square = int(law.entry[square - law.squares])
            cost = 1 + (BARRICADE_PRICE if has_barricade(state, square) else 0)
            home += number
        cost += int(costs[square])
        pawns += number
        everything += number * cost
        if cost < first:
            ahead = int(barricades[square])
        for _ in range(min(number, 3)):
            if cost < first:
                first, second, third = cost, first, second
            elif cost < second:
                second, third = cost, second
            elif cost < third:
                third = cost
    return first, second, third, everything, pawns, home, ahead


@rule
def shots(law, places, ways, first):
    """The number of rolls that take a leading pawn to its next barricade, and of those that win."""
    costs, steps, _ = ways
    hits, wins = ZERO, ZERO
    for k in range(len(places)):
        place = int(places[k])
        if place < law.squares and steps[place] <= REACH:
            roll = ONE << uint64(steps[place])
            if costs[place] < first + NEAR:
                hits |= roll
            if costs[place] == steps[place]:
                wins |= roll
    return int(count(hits)), int(count(wins))


@rule
def dangers(state, law, side, places, ways):
    """Steps at risk from the seat on turn, and from others: the number of rolls that take a pawn, times the steps it made."""
    costs, _, _ = ways
    now, later = 0.0, 0.0
    for k in range(len(places)):
        place = int(places[k])
        if place < law.squares:
            colour = int(state.owner[place])
            lost = costs[int(law.entry[int(law.home[colour]) - law.squares])] + 1 - costs[place]
            if lost > 0:
                mover, others = takers(state, law, side, place)
                now += mover * lost / BEHIND
                later += others * lost / BEHIND
    return now, later


@rule
def takers(state, law, side, place):
    """The number of rolls with which the seat on turn, and other opponents, reach a place, ignoring barricades."""
    now, later = ZERO, ZERO
    for seat in range(law.seats):
        if law.side[seat] == side:
            continue
        for word in range(law.words):
            places = state.pawns[seat, word]
            while places != ZERO:
                steps = law.steps[64 * word + lowest(places), place]
                places &= places - ONE
                if steps <= REACH:
                    if seat == state.seat:
                        now |= ONE << uint64(steps)
                    else:
                        later |= ONE << uint64(steps)
    return int(count(now)), int(count(later))


@rule
def ways_to_final(state, law):
    """For each square its cheapest way to the final square: its cost, the steps to its next barricade (or to the final
    square), and the barricades on it."""
    costs = np.full(law.squares, FAR, np.int32)
    steps, barricades = np.zeros(law.squares, np.int32), np.zeros(law.squares, np.int32)
    queue = np.empty(QUEUE, np.int16)
    costs[law.final] = 0
    queue[0] = law.final
    head, tail = 0, 1
    neighbours = law.neighbours  # one look-up instead of two halves the time in plain Python
    while head != tail:
        square = int(queue[head & (QUEUE - 1)])
        head += 1
        price, far, met = int(costs[square]) + 1, int(steps[square]) + 1, int(barricades[square])
        if has_barricade(state, square) and square != law.final:  # a landing there wins (BAQ-26)
            price, far, met = price + BARRICADE_PRICE, 1, met + 1
        for k in range(4):
            near = int(neighbours[square, k])
            if near == NOBODY:
                break
            if price < costs[near]:
                costs[near], steps[near], barricades[near] = price, far, met
                queue[tail & (QUEUE - 1)] = near
                tail += 1
    return costs, steps, barricades
