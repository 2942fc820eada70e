"""Lifeboat: four seats fish for some rounds, and the most fish win. Who begins is drawn by lot."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("LI-1", "Who begins is drawn. In turn a seat fishes (two fish) or dives (none or four, by a coin)."),
    Clause("LI-2", "After the last round the most fish win; of equals a lot decides."),
    Clause("LI-3", "Every so many rounds whoever has fewest fish may be put ashore, while more than two are in the boat."),
    Clause("LI-4", "Those ashore may elect the winner among the others; of equal votes a lot decides."),
    Clause("LI-5", "Those ashore may go on taking turns: they wave or shout, and nothing happens."),
)
SPEC = Spec(
    id="lifeboat", title="Lifeboat", version="1", seats=(4, 4), package=__name__, folder=Path(__file__), players="4 players",
    line="Have the most fish at the end.", clauses=CLAUSES, sentences={"en": {
        "option.rounds.title": "Rounds", "option.rounds.text": "Rounds of the game.",
        "option.ashore.title": "Ashore", "option.ashore.text": "Every how many rounds is somebody put ashore? 0: never.",
        "option.jury.title": "Jury", "option.jury.text": "Do those ashore elect the winner?",
        "option.ghosts.title": "Ghosts", "option.ghosts.text": "Do those ashore go on taking turns?",
    }},
)  # fmt: skip
SEATS, FISH, DIVE, WAVE, SHOUT, VOTE, HEADS, TAILS, LOT = 4, 0, 1, 2, 3, 4, 8, 9, 10
REASONS = (("", ""), ("counted", "LI-2"), ("elected", "LI-4"))


class Options(House, frozen=True):
    """The house rules."""

    seats: Annotated[Literal[4], Meta(extra={"clause": "LI-1"})] = 4
    rounds: Annotated[int, Meta(ge=2, le=30, extra={"clause": "LI-2"})] = 8
    ashore: Annotated[int, Meta(ge=0, le=12, extra={"clause": "LI-3"})] = 0
    jury: Annotated[bool, Meta(extra={"clause": "LI-4"})] = False
    ghosts: Annotated[bool, Meta(extra={"clause": "LI-5"})] = False


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """gone: 1 ashore; first: who begins, -1; place: the number of the next turn, with those left out; dives: a coin is due."""
    return [
        ("fish", "int64", (SEATS,)), ("gone", "int64", (SEATS,)), ("votes", "int64", (SEATS,)), ("first", "int64"),
        ("place", "int64"), ("dives", "int64"), ("best", "int64"), ("turns", "int64"), ("reason", "int64"),
    ]  # fmt: skip


def action_count(law):
    return LOT + SEATS


def names(game):
    votes, lots = (f"elect {letter}" for letter in "abcd"), (f"lot {letter}" for letter in "abcd")
    return ("fish", "dive", "wave", "shout", *votes, "heads", "tails", *lots)


@rule
def ends(state, law):
    """The number of the turn after the last round."""
    return int(law.rounds) * SEATS


@rule
def skip(state, law):
    """Go on to the next turn of a seat that acts: one in the boat, a ghost, or after the last round a voter."""
    while state.place < ends(state, law) + SEATS:
        seat = (state.first + state.place) % SEATS
        if state.place < ends(state, law):
            if law.ghosts or not state.gone[seat]:
                return
        elif law.jury and state.gone[seat]:
            return
        state.place += 1


@rule
def setup(state, law):
    for seat in range(SEATS):
        state.fish[seat], state.gone[seat], state.votes[seat] = 0, 0, 0
    state.first, state.place, state.dives, state.best, state.turns, state.reason = -1, 0, 0, -1, 0, 0


@rule
def actor(state, law):
    if state.reason != 0:
        return OVER
    if state.first < 0 or state.dives or state.place >= ends(state, law) + SEATS:
        return CHANCE
    return int((state.first + state.place) % SEATS)


@rule
def score(state, law, seat):
    """What decides: votes where there is a jury, else fish. Those ashore have none."""
    return -1 if state.gone[seat] else int(state.votes[seat]) if law.jury else int(state.fish[seat])


@rule
def legal(state, law, out):
    found = 0
    if state.reason != 0:
        return 0
    if state.dives:
        out[0], out[1] = HEADS, TAILS
        return 2
    if state.first < 0 or state.place >= ends(state, law) + SEATS:
        most = 0
        for seat in range(SEATS):
            most = max(most, score(state, law, seat))
        for seat in range(SEATS):
            if score(state, law, seat) == most or state.first < 0:
                out[found] = LOT + seat
                found += 1
        return found
    if state.place >= ends(state, law):
        for seat in range(SEATS):
            if not state.gone[seat]:
                out[found] = VOTE + seat  # LI-4
                found += 1
        return found
    ghost = state.gone[(state.first + state.place) % SEATS]
    out[0], out[1] = (WAVE, SHOUT) if ghost else (FISH, DIVE)  # LI-5
    return 2


@rule
def put_ashore(state, law):
    """Whoever has fewest fish leaves the boat; of equals whoever began first."""
    there, last = 0, -1
    for turn in range(SEATS):
        seat = (state.first + turn) % SEATS
        if not state.gone[seat]:
            there += 1
            if last < 0 or state.fish[seat] < state.fish[last]:
                last = seat
    if there > 2:
        state.gone[last] = 1  # LI-3


@rule
def apply(state, law, action):
    if action >= LOT:
        if state.first < 0:
            state.first = action - LOT
        else:
            state.best, state.reason = action - LOT, 2 if law.jury else 1
        return
    seat = (state.first + state.place) % SEATS
    if action == DIVE:
        state.dives = 1
        return
    if action in (FISH, HEADS):
        state.fish[seat] += 2 if action == FISH else 4  # LI-1
    if VOTE <= action < HEADS:
        state.votes[action - VOTE] += 1  # LI-4
    state.dives = 0
    state.turns += 1
    before = state.place // SEATS
    state.place += 1
    skip(state, law)
    rounds = state.place // SEATS
    if law.ashore > 0 and rounds > before and rounds <= law.rounds and rounds % law.ashore == 0:
        put_ashore(state, law)
        skip(state, law)


@rule
def value(state, law, seat):
    if state.reason != 0:
        return 20.0 if state.best == seat else -20.0
    if state.gone[seat]:
        return -20.0
    most = 0
    for other in range(SEATS):
        if other != seat and not state.gone[other]:
            most = max(most, int(state.fish[other]) + 20 * int(state.votes[other]))
    return float(state.fish[seat] + 20 * state.votes[seat] - most) / 3


@rule
def returns(state, law, out):
    for seat in range(SEATS):
        out[seat] = 1.0 if state.best == seat else -1.0
