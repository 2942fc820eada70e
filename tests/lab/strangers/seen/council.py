"""Council: three seats gather favours; the most favours win."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from bridgehead.core.clauses import Clause
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.options import House, numbers
from bridgehead.core.spec import CHANCE, OVER, Spec

CLAUSES = (
    Clause("CO-1", "Who begins is drawn. Each seat in turn speaks so often: it asks for a favour or borrows one."),
    Clause("CO-2", "Asking brings a favour in one of two cases. Borrowing brings one for sure, which counts half."),
    Clause("CO-3", "After so many rounds the most favours win; of equals the one that began later."),
    Clause("CO-4", "The council may let whoever has fewest name one of the others the winner."),
    Clause("CO-5", "The council may send away whoever has fewest after the first round."),
)
SPEC = Spec(
    id="council", title="Council", version="1", seats=(3, 3), package=__name__, folder=Path(__file__), players="3 players",
    line="Gather the most favours.", clauses=CLAUSES, sentences={"en": {
        "option.rounds.title": "Rounds", "option.rounds.text": "Rounds of the game.", "option.speech.title": "Speech",
        "option.speech.text": "Actions in a row.", "option.ends.title": "Ending", "option.ends.text": "Who says who wins?",
        "option.exile.title": "Exile", "option.exile.text": "Is somebody sent away after the first round?",
    }},
)  # fmt: skip
ASK, BORROW, NAME, LOT, YES, NO = 0, 1, 2, 5, 8, 9
REASONS = (("", ""), ("counted", "CO-3"), ("named", "CO-4"))


class Options(House, frozen=True):
    """The house rules."""

    seats: Annotated[Literal[3], Meta(extra={"clause": "CO-1"})] = 3
    rounds: Annotated[int, Meta(ge=1, le=40, extra={"clause": "CO-3"})] = 6
    speech: Annotated[int, Meta(ge=1, le=16, extra={"clause": "CO-1"})] = 1
    ends: Annotated[Literal["count", "last"], Meta(extra={"clause": "CO-4"})] = "count"
    exile: Annotated[bool, Meta(extra={"clause": "CO-5"})] = False


def make_law(options, board):
    return pack_law({}, numbers(options))


def state_dtype(law):
    """said: actions so far; asked: an answer is due; gone: the seat sent away, -1."""
    return [
        ("favours", "int64", (3,)), ("debts", "int64", (3,)), ("first", "int64"), ("said", "int64"), ("asked", "int64"),
        ("gone", "int64"), ("best", "int64"), ("turns", "int64"), ("reason", "int64"),
    ]  # fmt: skip


def action_count(law):
    return NO + 1


def names(game):
    return ("ask", "borrow", "name a", "name b", "name c", "begin a", "begin b", "begin c", "granted", "refused")


@rule
def place(state, law, number):
    """The seat that speaks at this number."""
    return int((state.first + number // law.speech) % 3)


@rule
def rank(state, law, least):
    """The seat with most, or least, of those still there; of equals the later one has more."""
    found, best = -1, 0
    for turn in range(3):
        seat = int((state.first + turn) % 3)
        worth = 2 * state.favours[seat] - state.debts[seat]
        if seat != state.gone and (found < 0 or (worth < best if least else worth >= best)):
            found, best = seat, worth
    return found


@rule
def setup(state, law):
    for seat in range(3):
        state.favours[seat], state.debts[seat] = 0, 0
    state.first, state.said, state.asked, state.gone, state.best, state.turns, state.reason = -1, 0, 0, -1, -1, 0, 0


@rule
def actor(state, law):
    if state.reason != 0:
        return OVER
    if state.first < 0 or state.asked:
        return CHANCE
    return rank(state, law, True) if state.said >= 3 * law.speech * law.rounds else place(state, law, state.said)


@rule
def legal(state, law, out):
    if state.reason != 0:
        return 0
    if state.first < 0:
        out[0], out[1], out[2] = LOT, LOT + 1, LOT + 2
        return 3
    if state.asked:
        out[0], out[1] = YES, NO
        return 2
    if state.said < 3 * law.speech * law.rounds:
        out[0], out[1] = ASK, BORROW
        return 2
    found, last = 0, rank(state, law, True)
    for seat in range(3):
        if seat != last:
            out[found] = NAME + seat
            found += 1
    return found


@rule
def apply(state, law, action):
    if NAME <= action < LOT:
        state.best, state.reason = action - NAME, 2
        return
    if LOT <= action < YES:
        state.first = action - LOT
        return
    seat = place(state, law, state.said)
    if action == ASK:
        state.asked = 1
        return
    state.favours[seat] += action != NO
    state.debts[seat] += action == BORROW
    state.asked = 0
    state.said += 1
    state.turns = state.said // law.speech
    if law.exile and state.said == 3 * law.speech:
        state.gone = rank(state, law, True)
    if state.said < 3 * law.speech * law.rounds and place(state, law, state.said) == state.gone:
        state.said += law.speech
    if state.said >= 3 * law.speech * law.rounds and law.ends == 0:
        state.best, state.reason = rank(state, law, False), 1


@rule
def value(state, law, seat):
    if state.reason != 0:
        return 20.0 if state.best == seat else -20.0
    if seat == state.gone:
        return -20.0
    most = -99
    for other in range(3):
        if other != seat and other != state.gone:
            most = max(most, 2 * state.favours[other] - state.debts[other])
    return float(2 * state.favours[seat] - state.debts[seat] - most) / 2


@rule
def returns(state, law, out):
    for seat in range(3):
        out[seat] = 1.0 if state.best == seat else -1.0
