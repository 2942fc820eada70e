"""The rules of Ford. A stone is a number, first the row of seat 0. Actions: moves by stone and steps, the pass, the rolls."""

from bridgehead.core.clauses import RefusalCode
from bridgehead.core.jit import rule
from bridgehead.core.numbers import fill
from bridgehead.core.spec import CHANCE, OVER

ROW, SIDES = 8, 3
PASS = 2 * ROW * SIDES
ROLL = PASS + 1
REASONS = (("", ""), ("over", "F-3"))


class Reason(RefusalCode):
    """Why an action is not legal."""

    OK = "", ""
    OVER = "F-3", "over.refused"
    CHANCE = "F-1", "chance.refused"
    END = "F-2", "refused.end"
    WALKER = "F-2", "refused.walker"
    ROLLED = "F-2", "refused.rolled"
    STONE = "F-2", "refused.stone"
    PASS = "F-2", "refused.pass"


REFUSALS = Reason


def state_dtype(law):
    """walkers: 1 for a stone with a walker. die: 0 before the roll."""
    return [("walkers", "int8", (2 * ROW,)), ("die", "int8"), ("turns", "int64"), ("reason", "int64")]


def action_count(law):
    """From each stone by 1 to 3 steps, the pass, and 3 rolls."""
    return ROLL + SIDES


def limits(law):
    """The lowest and highest number in each field of a state."""
    return {"walkers": (0, 1), "die": (0, SIDES), "turns": (0, 10**9)}


def impossible(state, law):
    """Why a state cannot occur."""
    rows = [list(state.walkers[:ROW]), list(state.walkers[ROW:])]
    if any(sum(row) != 2 for row in rows):
        return "each seat has two walkers"
    last = 1 - int(state.turns) % 2
    ended = [bool(row[-1]) for row in rows]
    if ended[1 - last] or ended[last] != (state.reason == 1) or (state.reason == 1 and state.die != 0):
        return "it ends otherwise than the rules say"
    return ""


@rule
def setup(state, law):
    """Two walkers on the first stones of each row."""
    fill(state.walkers, 0)
    for row in range(2):
        state.walkers[row * ROW] = state.walkers[row * ROW + 1] = 1
    state.die = 0
    state.turns = 0
    state.reason = 0


@rule
def actor(state, law):
    """Chance rolls (F-1), then the seat moves."""
    return OVER if state.reason != 0 else CHANCE if state.die == 0 else int(state.turns % 2)


@rule
def why_not(state, action):
    """Why a walker may not move so (F-2)."""
    stone, steps = action // SIDES, action % SIDES + 1
    if stone % ROW + steps >= ROW:
        return Reason.END
    if stone // ROW != state.turns % 2 or state.walkers[stone] == 0:
        return Reason.WALKER
    if steps != state.die:
        return Reason.ROLLED
    return Reason.STONE if state.walkers[stone + steps] else Reason.OK


@rule
def can_move(state):
    """Whether a walker can go as far as the die shows."""
    able = 0
    for stone in range(2 * ROW):
        able += int(why_not(state, stone * SIDES + int(state.die) - 1) == 0)
    return able > 0


@rule
def refusal(state, law, action):
    """Why an action is not legal."""
    if state.reason != 0:
        return Reason.OVER
    if (action >= ROLL) != (state.die == 0):
        return Reason.CHANCE
    if action >= ROLL:
        return Reason.OK
    if action == PASS:
        return Reason.PASS if can_move(state) else Reason.OK
    return why_not(state, action)


@rule
def legal(state, law, out):
    """Write the legal actions, ascending; before the roll they are the outcomes of the die."""
    found = 0
    for action in range(ROLL + SIDES):
        if refusal(state, law, action) == 0:
            out[found] = action
            found += 1
    return found


@rule
def weight(state, law, action):
    """Two of the four sides of the die show a 2 (F-1)."""
    return 2 if action == ROLL + 1 else 1


@rule
def apply(state, law, action):
    """Roll, move or pass."""
    if action >= ROLL:
        state.die = action - ROLL + 1
        return
    if action < PASS:
        end = action // SIDES + action % SIDES + 1
        state.walkers[action // SIDES] = 0
        state.walkers[end] = 1
        if end % ROW == ROW - 1:
            state.reason = 1
    state.die = 0
    state.turns += 1


@rule
def value(state, law, seat):
    """How good a position is for a seat: 1.0 won, -1.0 lost, else by the lead in stones."""
    if state.reason != 0:
        return 1.0 if (state.turns + 1) % 2 == seat else -1.0
    lead = 0
    for stone in range(ROW):
        lead += stone * (int(state.walkers[seat * ROW + stone]) - int(state.walkers[(1 - seat) * ROW + stone]))
    return lead / 20


@rule
def returns(state, law, out):
    """The result of each seat: 1.0 won, -1.0 lost."""
    for seat in range(2):
        out[seat] = value(state, law, seat)
