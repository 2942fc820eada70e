"""Distances and chances for the evaluation: cards that a side must still turn over, and its chance to survive them."""

from __future__ import annotations

from bridgehead.core.bits import count, lowest
from bridgehead.core.jit import rule
from bridgehead.games.front_lines.cards import cards_down, jokers_down, kills, unseen
from bridgehead.games.front_lines.state import (
    ACROSS_BIT,
    ALIVE,
    NOBODY,
    ONE,
    START,
    WAITING,
    ZERO,
    bit,
    has,
    side_of,
    suit_of,
)

FAR = 16  # stands for the number of cards if no way is left
STRIDE = 5.5  # steps of a card of the usual pack, on average


@rule
def rows_made(law, side, place):
    """Rows behind a place, including its own. The side's last row shows its direction (FLQ-5)."""
    if place >= START:
        return 0
    row = place // 4
    return row + 1 if has(law.last_row[side], 4 * (int(law.rows) - 1)) else int(law.rows) - row


@rule
def place_of(state, suit):
    """The place of a character; during a flip the card being turned over, where it ends, alive or dead (FLQ-26)."""
    if int(state.flipping) != NOBODY and suit_of(int(state.drawn)) == suit:
        return int(state.flipping)
    return int(state.place[suit])


@rule
def rows_of(state, law, suit):
    """Rows behind a character."""
    return rows_made(law, side_of(suit), place_of(state, suit))


@rule
def steps_left(state, law, suit):
    """The fewest steps that lead a character across (FLQ-10)."""
    return int(law.rows) - rows_of(state, law, suit) + (0 if law.reach_row else 1)


@rule
def mine_chance(state, law, side):
    """The exact chance that a face-down card is a mine for the side, from public information."""
    down, unseen_cards = cards_down(state, law), law.field_cards & ~state.seen
    cards = count(unseen_cards)
    if down == 0 or cards == 0:
        return 0.0
    jokers = max(min(jokers_down(state, law), down), 0)
    return count(unseen_cards & law.mines[side]) / cards * (down - jokers) / down


@rule
def known_safe(state, law, side):
    """The cells that lie face up and do not kill the side."""
    found, rest = state.blown & law.cells, state.open & ~state.blown
    while rest != ZERO:
        cell = lowest(rest)
        rest &= rest - ONE
        if not kills(law, side, int(state.field[cell])):
            found |= bit(cell)
    return found


@rule
def flips_needed(state, law, suit, safe):
    """The fewest cards a character must turn over on its way across; a known mine in the way counts as two."""
    side, place = side_of(suit), place_of(state, suit)
    goal = law.last_row[side] if law.reach_row else ACROSS_BIT
    near, done, flips = law.steps[side, place], ZERO, 0
    while flips < FAR:
        rest = near & safe & ~done
        while rest != ZERO:
            cell = lowest(rest)
            done |= bit(cell)
            near |= law.steps[side, cell]
            rest = near & safe & ~done
        if (done if law.reach_row else near) & goal != ZERO:
            return flips
        fringe, flips = near & law.cells & ~state.open & ~done, flips + 1
        if fringe == ZERO:
            fringe, flips = near & law.cells & ~done, flips + 1
        if fringe == ZERO:
            return FAR
        done |= fringe
        while fringe != ZERO:
            near |= law.steps[side, lowest(fringe)]
            fringe &= fringe - ONE
        if law.reach_row and done & goal != ZERO:
            return flips
    return FAR


@rule
def flips_expected(state, law, suit, safe):
    """Cards that a character will turn over on its way across: the fewest, or the average if only walks' ends are turned (FLQ-8).

    A card that is being turned over counts.
    """
    now = 1.0 if place_of(state, suit) != int(state.place[suit]) else 0.0
    if not law.destination:
        return now + flips_needed(state, law, suit, safe)
    steps = steps_left(state, law, suit)
    # Walks have 1 to 10 steps with equal chances (W. Feller, renewal theory); the last walk turns over no card.
    walks = 1.1 ** (steps - 1) if steps <= 11 else steps / STRIDE + 0.555
    return now + max(walks - 1.0, 0.0)


@rule
def ways(n, k):
    """The binomial coefficient n over k, as a float."""
    if k < 0 or k > n:
        return 0.0
    found = 1.0
    for i in range(k):
        found = found * (n - i) / (i + 1)
    return found


@rule
def fewer_mines(state, law, side, flips, lives):
    """The chance that among `flips` face-down cards fewer than `lives` are mines for the side (hypergeometric).

    flips may be a fraction; the chance is then interpolated.
    """
    hidden = unseen(state, law)
    cards, mines = count(hidden) + max(jokers_down(state, law), 0), count(hidden & law.mines[side])
    whole = int(flips)
    chance = fewer_of(cards, mines, whole, lives)
    if flips > whole:
        chance += (flips - whole) * (fewer_of(cards, mines, whole + 1, lives) - chance)
    return chance


@rule
def fewer_of(cards, mines, flips, lives):
    """The chance that `flips` of all `cards`, of which `mines` are mines, contain fewer than `lives` mines."""
    flips = min(flips, cards)
    chance, whole = 0.0, ways(cards, flips)
    for k in range(min(lives, flips + 1)):
        chance += ways(mines, k) * ways(cards - mines, flips - k) / whole
    return min(chance, 1.0)


@rule
def lives_of(state, side):
    """Lives of the side's characters that are not across."""
    found = 0
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == ALIVE or int(state.status[suit]) == WAITING:
            found += int(state.lives[suit])
    return found
