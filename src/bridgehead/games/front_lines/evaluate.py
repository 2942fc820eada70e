"""Evaluation of The Front Lines, from the open cards and the chances of those that lie face down, and the actions for its search.

Neither reads a layout: a face-down card is any unseen card with equal chance (FLQ-17, FLQ-28), so a search knows no more than
the players. It merges equivalent outcomes of chance into one: turned cards differ only by the sides that they kill, and draws
that start no turn are skipped (FLQ-15).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bridgehead.core.bits import count, lowest, write_each
from bridgehead.core.jit import rule
from bridgehead.core.numbers import ALL, uint64
from bridgehead.core.numerics import log, tanh
from bridgehead.core.weights import weights
from bridgehead.games.front_lines import rules
from bridgehead.games.front_lines.board import JOKER

# -- actions for a search ----------------------------------------------------------------------------------------------
SUIT, ANY_FACE = uint64((1 << 13) - 1), uint64(rules.FACES)


@rule
def search_legal(state, law, out):
    """The actions to search, ascending; for chance, one of each equivalent kind."""
    word, first = rules.choices(state, law)
    if int(state.reason) == 0:
        if int(state.drawn) == rules.NOBODY:
            word, first = distinct_first_draws(state, law), rules.DRAW
        elif int(state.flipping) != rules.NOBODY:
            word, first = kinds_down(state, law), rules.FLIP
    return write_each(word, first, out, 0)


@rule
def search_weight(state, law, action):
    """The weight of an outcome of `search_legal`, as an exact whole number that covers all merged outcomes."""
    if action < rules.FLIP:
        return 1
    hidden, jokers = rules.unseen(state, law), rules.jokers_down(state, law)
    if jokers <= 0:
        return count(hidden & kind_of(law, action - rules.FLIP))
    if action - rules.FLIP == JOKER:
        return max(jokers * count(hidden), 1)
    return count(hidden & kind_of(law, action - rules.FLIP)) * (rules.cards_down(state, law) - jokers)


@rule
def distinct_first_draws(state, law):
    """The cards that start a turn when drawn; if there are none, one single card that does not."""
    rest, found = rules.draws(state, law), rules.ZERO
    for suit in range(4):
        if int(state.status[suit]) == rules.ALIVE and rules.is_due(state, law, rules.side_of(suit)):
            found |= rest & (SUIT << uint64(13 * suit))
    if law.faces_redraw:
        found &= ALL ^ ANY_FACE
    return found if found != rules.ZERO else rules.bit(lowest(rest))


@rule
def kinds_down(state, law):
    """One unseen card of each kind: a mine for red, a mine for black, safe for both, a Joker."""
    hidden, found = rules.unseen(state, law), rules.ZERO
    for card_set in (law.mines[rules.RED], law.mines[rules.BLACK], ALL ^ (law.mines[rules.RED] | law.mines[rules.BLACK])):
        kind = hidden & card_set
        if kind != rules.ZERO:
            found |= rules.bit(lowest(kind))
    return found | rules.JOKER_BIT if rules.jokers_down(state, law) > 0 else found


@rule
def kind_of(law, card):
    """The cards that kill the same sides as this card."""
    one = rules.bit(card)
    if one & law.mines[rules.RED] != rules.ZERO:
        return law.mines[rules.RED]
    if one & law.mines[rules.BLACK] != rules.ZERO:
        return law.mines[rules.BLACK]
    return ALL ^ (law.mines[rules.RED] | law.mines[rules.BLACK])


# -- distances and chances ---------------------------------------------------------------------------------------------
FAR = 16  # stands for the number of cards if no way is left
STRIDE = 5.5  # steps of a card of the usual pack, on average


@rule
def rows_made(law, side, place):
    """Rows behind a place, including its own. The side's last row shows its direction (FLQ-5)."""
    if place >= rules.START:
        return 0
    row = place // 4
    return row + 1 if rules.has(law.last_row[side], 4 * (int(law.rows) - 1)) else int(law.rows) - row


@rule
def place_of(state, suit):
    """The place of a character; during a flip the card being turned over, where it ends, alive or dead (FLQ-26)."""
    if int(state.flipping) != rules.NOBODY and rules.suit_of(int(state.drawn)) == suit:
        return int(state.flipping)
    return int(state.place[suit])


@rule
def rows_of(state, law, suit):
    """Rows behind a character."""
    return rows_made(law, rules.side_of(suit), place_of(state, suit))


@rule
def steps_left(state, law, suit):
    """The fewest steps that lead a character across (FLQ-10)."""
    return int(law.rows) - rows_of(state, law, suit) + (0 if law.reach_row else 1)


@rule
def mine_chance(state, law, side):
    """The exact chance that a face-down card is a mine for the side, from public information."""
    down, unseen_cards = rules.cards_down(state, law), law.field_cards & ~state.seen
    cards = count(unseen_cards)
    if down == 0 or cards == 0:
        return 0.0
    jokers = max(min(rules.jokers_down(state, law), down), 0)
    return count(unseen_cards & law.mines[side]) / cards * (down - jokers) / down


@rule
def known_safe(state, law, side):
    """The cells that lie face up and do not kill the side."""
    found, rest = state.blown & law.cells, state.open & ~state.blown
    while rest != rules.ZERO:
        cell = lowest(rest)
        rest &= rest - rules.ONE
        if not rules.kills(law, side, int(state.field[cell])):
            found |= rules.bit(cell)
    return found


@rule
def flips_needed(state, law, suit, safe):
    """The fewest cards a character must turn over on its way across; a known mine in the way counts as two."""
    side, place = rules.side_of(suit), place_of(state, suit)
    goal = law.last_row[side] if law.reach_row else rules.ACROSS_BIT
    near, done, flips = law.steps[side, place], rules.ZERO, 0
    while flips < FAR:
        rest = near & safe & (ALL ^ done)
        while rest != rules.ZERO:
            cell = lowest(rest)
            done |= rules.bit(cell)
            near |= law.steps[side, cell]
            rest = near & safe & (ALL ^ done)
        if (done if law.reach_row else near) & goal != rules.ZERO:
            return flips
        fringe, flips = near & law.cells & ~state.open & (ALL ^ done), flips + 1
        if fringe == rules.ZERO:
            fringe, flips = near & law.cells & (ALL ^ done), flips + 1
        if fringe == rules.ZERO:
            return FAR
        done |= fringe
        while fringe != rules.ZERO:
            near |= law.steps[side, lowest(fringe)]
            fringe &= fringe - rules.ONE
        if law.reach_row and done & goal != rules.ZERO:
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
def binomial(n, k):
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
    hidden = rules.unseen(state, law)
    cards, mines = count(hidden) + max(rules.jokers_down(state, law), 0), count(hidden & law.mines[side])
    whole = int(flips)
    chance = fewer_of(cards, mines, whole, lives)
    if flips > whole:
        chance += (flips - whole) * (fewer_of(cards, mines, whole + 1, lives) - chance)
    return chance


@rule
def fewer_of(cards, mines, flips, lives):
    """The chance that `flips` of all `cards`, of which `mines` are mines, contain fewer than `lives` mines."""
    flips = min(flips, cards)
    chance, whole = 0.0, binomial(cards, flips)
    for k in range(min(lives, flips + 1)):
        chance += binomial(mines, k) * binomial(cards - mines, flips - k) / whole
    return min(chance, 1.0)


@rule
def lives_of(state, side):
    """Lives of the side's characters that are not across."""
    found = 0
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == rules.ALIVE or int(state.status[suit]) == rules.WAITING:
            found += int(state.lives[suit])
    return found


# -- the evaluation ----------------------------------------------------------------------------------------------------
WON = 1000.0
SCALE = 10.0  # a difference by this makes a win e times as likely as a loss
SURE = 0.98  # limit of the rough estimate in `odds`
LONG, BLACKS = uint64((1 << 13) - 1), uint64(((1 << 26) - 1) << 26)  # the cards of the first suit, and of both black suits
MOST_LIVES = 4  # most lives that count: further ones hardly matter
PACE = 6.0  # a side that is this many rows ahead is e times as likely to win the race

# Features: own side less the other side; from "turn" on, those of the side that moves. "odds" is an estimate from hypergeometric
# chances, which the others correct. Rows and the next turn are scaled by the chance that both sides get across. Turning cards
# at every step and turning only the last card of a walk (FLQ-8) are two games, each with its own weights.
COUNTED = (
    "lives", "rows", "rows squared", "second's rows", "one across", "rows behind one across", "claim",
    "next turn", "next turn with one across", "next card leads across", "odds",
    "turn", "steps left", "card turned over",
)  # fmt: skip
(
    LIVES, ROWS, SQUARES, SECOND, ONE_ACROSS, FOLLOWING, CLAIM, NEXT_TURN, NEXT_FOLLOWING, NEXT_CARD, ODDS,
    TURN, STEPS, FLIPPED,
) = range(len(COUNTED))  # fmt: skip
LEAP = len(COUNTED)  # where the weights of walks begin
FEATURES = (*COUNTED, *(f"walks: {counted}" for counted in COUNTED))
LESSONS: tuple[dict[str, Any], ...] = (
    {"faceCards": "sameColour"},
    {"faceCards": "safeForAll"},
    {"faceCards": "sameColour", "flip": "destination"},
    {"faceCards": "safeForAll", "lives": 3},
    {"faceCards": "sameColour", "flip": "destination"},
    {"faceCards": "sameColour", "lives": 9, "mayStop": True},
    {"faceCards": "sameColour", "flip": "destination"},
    {"faceCards": "sameColour"},
)  # house rules for learning the weights: standard games hardly ever have a winner
WEIGHTS = weights(Path(__file__).with_name("weights.json"), FEATURES)


@rule
def value(state, law, seat):
    """WON for the winner's side, -WON for the other, 0 for a draw; in a running game `worth` with the learned weights."""
    if int(state.reason):
        winner = int(state.winner)
        return 0.0 if winner == rules.NOBODY else WON if winner == side_of_seat(law, seat) else -WON
    return worth(state, law, seat, WEIGHTS)


@rule
def worth(state, law, seat, weights):
    """The value of a running game for a seat: the features times their weights."""
    first, side = LEAP if law.destination else 0, side_of_seat(law, seat)
    own_safe, other_safe = known_safe(state, law, side), known_safe(state, law, 1 - side)
    mine, theirs = hope(state, law, side, own_safe), hope(state, law, 1 - side, other_safe)
    ahead, race = most_rows(state, law, side) - most_rows(state, law, 1 - side), mine * theirs
    total = weights[first + ODDS] * odds(mine, theirs, ahead)
    total += side_worth(state, law, side, own_safe, race, weights, first)
    total -= side_worth(state, law, 1 - side, other_safe, race, weights, first)
    if int(state.drawn) == rules.NOBODY:
        return total
    running = turn(state, law, weights, first)
    return total + running if rules.side_of(rules.mover(state)) == side else total - running


@rule
def odds(mine, theirs, ahead):
    """The log of the odds to win, with half a win for a draw. The only side across wins; if both get across, the side ahead."""
    rough = mine - theirs + mine * theirs * tanh(ahead / PACE)
    rough = max(-SURE, min(SURE, rough))
    return log((1.0 + rough) / (1.0 - rough))


@rule
def side_of_seat(law, seat):
    """The side that a seat plays for (FLQ-27)."""
    side = 0
    for suit in range(4):
        if int(law.seat_of[suit]) == seat:
            side = rules.side_of(suit)
    return side


@rule
def side_worth(state, law, side, safe, race, weights, first):
    """Lives, rows made, characters across, and the next card. race: the chance that both sides get across."""
    if int(state.claim) == side:
        return weights[first + CLAIM]
    lead = leader(state, law, side)
    if lead == rules.NOBODY:
        return 0.0
    rows = rows_of(state, law, lead)
    part, cards = rows / int(law.rows), distinct_first_draws(state, law)
    turns = max(count(cards), 1)
    next_turn = count(cards & of_side(side)) / turns
    total = weights[first + NEXT_CARD] * leads_across(state, law, lead, cards, safe) / turns
    if rules.across(state, side) == 1:
        total += weights[first + ONE_ACROSS] + weights[first + FOLLOWING] * part
        return total + weights[first + NEXT_FOLLOWING] * next_turn
    way = weights[first + ROWS] * part + weights[first + SQUARES] * part * part + weights[first + NEXT_TURN] * next_turn
    way += weights[first + SECOND] * rows_of(state, law, rules.mate_of(lead)) / int(law.rows)
    return total + weights[first + LIVES] * min(lives_of(state, side), MOST_LIVES) + race * way


@rule
def of_side(side):
    """The cards of the side's two suits."""
    return BLACKS if side == rules.BLACK else ALL ^ BLACKS


@rule
def leads_across(state, law, suit, cards, safe):
    """How many of these cards can lead a character across in one turn, reduced by the risk of mines on the way."""
    side = rules.side_of(suit)
    found = count(cards & long_cards(suit, steps_left(state, law, suit)))
    if law.destination or found == 0:
        return float(found)
    chance, good = 1.0, 1.0 - mine_chance(state, law, side)
    for _ in range(flips_needed(state, law, suit, safe)):
        chance *= good
    return found * chance


@rule
def long_cards(suit, steps):
    """The cards of a suit with at least so many steps."""
    if steps > 13:
        return rules.ZERO
    return (LONG << uint64(max(steps, 1) - 1) & LONG) << uint64(13 * suit)


@rule
def leader(state, law, side):
    """The side's living character that is farthest ahead; NOBODY if none lives."""
    found, most = rules.NOBODY, -1
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == rules.ALIVE and rows_of(state, law, suit) > most:
            found, most = suit, rows_of(state, law, suit)
    return found


@rule
def most_rows(state, law, side):
    """Rows made by the side's living character that is farthest ahead; all rows if one is across."""
    most = int(law.rows) + 1 if rules.across(state, side) > 0 else 0
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == rules.ALIVE:
            most = max(most, rows_of(state, law, suit))
    return most


@rule
def hope(state, law, side, safe):
    """A rough chance that the side gets its characters across before it loses its lives."""
    if rules.across(state, side) == 2 or int(state.claim) == side:
        return 1.0
    fewest, whole = float(FAR), 0.0
    for suit in (2 * side, 2 * side + 1):
        if int(state.status[suit]) == rules.ALIVE:
            flips = flips_expected(state, law, suit, safe)
            fewest, whole = min(fewest, flips), whole + flips
    if int(state.claim) == 1 - side:
        return fewer_mines(state, law, side, whole, 1)
    if rules.across(state, side) == 1:
        return 1.0
    return fewer_mines(state, law, side, fewest, lives_of(state, side))


@rule
def turn(state, law, weights, first):
    """The prospects and risks of the running turn, for the side that moves."""
    total = weights[first + TURN] + weights[first + STEPS] * int(state.left)
    if int(state.flipping) == rules.NOBODY:
        return total
    return total + weights[first + FLIPPED] * mine_chance(state, law, rules.side_of(rules.mover(state)))


@rule
def risk(state, law, action):
    """The exact chance that the character dies by this action, from public information."""
    cell, side = action - rules.TO, rules.side_of(rules.mover(state))
    if action < rules.TO or action >= rules.ACROSS:
        return 0.0
    if int(state.field[cell]) == rules.DOWN:
        return mine_chance(state, law, side)
    return 1.0 if rules.is_known_mine(state, law, side, cell) else 0.0


@rule
def progress(state, law, action):
    """Rows behind the place to which the action leads; across counts as one row more than all, and stopping leads nowhere: -1."""
    if action >= rules.ACROSS:
        return int(law.rows) + 1 if action == rules.ACROSS else -1
    return rows_made(law, rules.side_of(rules.mover(state)), action - rules.TO)


@rule
def foolish(states, law, action, out):
    """Whether the action steps on a known mine."""
    return risk(states[0], law, action) == 1.0
