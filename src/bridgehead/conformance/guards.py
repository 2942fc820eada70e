"""Random games between guard cells: `python -m bridgehead.conformance.guards JSON` finds rules that write outside their arrays.

JSON: [package, sets of house rules, [games, most actions of a game] pairs]. Every set is played with every pair. The output
arrays of the rules lie between cells with a mark, and the state lies between marked records. The marks are checked after every
call. The same games are played compiled and plain (`NUMBA_DISABLE_JIT=1`): plain Python raises an error where compiled code
writes beyond a field, and a checksum of all states shows any other difference.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

import numpy as np

from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.jit import COMPILED, bind
from bridgehead.core.kernels import kernels, random_below, rules, rules_of, sample_outcome
from bridgehead.core.law import quick
from bridgehead.core.parts import gives
from bridgehead.core.spec import Spec

EDGE = 4096  # guard cells on each side of an output array
ROWS = 64  # guard records on each side of the state
MARK = 77
SWEEP = 200  # `refusal` is called for all actions at every ply; with n times this many actions, at every (n + 1)-th ply
PROBLEMS = (
    "",
    "`legal` wrote more actions than `max_legal`",
    "`legal` wrote outside of its array: `max_legal` is too small",
    "`legal` wrote an action id that is not from 0 to `action_count` - 1",
    "`legal` wrote action ids that do not ascend",
    "`legal` found no action although the game is not over",
    "`actor` is no seat, nor CHANCE, nor OVER",
    "a rule wrote outside of its state: the state is larger than `state_dtype`",
    "`returns` wrote outside of its array: one number a seat is expected",
    "`legal`, `refusal`, `actor`, `value` or `returns` changed the state",
    "`refusal` is not 0 exactly for the legal actions",
    "`returns` wrote a number outside of -1.0 to 1.0",
    "`weight` is below 1 for an outcome that `legal` writes: leave out what cannot happen",
)
MANY, LEGAL_EDGE, RANGE, ORDER, NONE, ACTOR, STATE_EDGE, RETURNS_EDGE, CHANGED, REFUSAL, RETURNS, WEIGHT = range(1, len(PROBLEMS))
FNV, PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


def checksum(memory, first, last, number):
    """A checksum of bytes, continued from the checksum `number`."""
    for i in range(first, last):
        number = (number ^ np.uint64(memory[i])) * PRIME
    return number


def find_overwritten_guard(memory, wide, results, room, seats):
    """The number of the problem if a guard cell was overwritten; 0 if all marks are intact."""
    size = len(memory) // (2 * ROWS + 1)
    if differs(memory, 0, ROWS * size) or differs(memory, (ROWS + 1) * size, (2 * ROWS + 1) * size):
        return STATE_EDGE
    if differs(wide, 0, EDGE) or differs(wide, EDGE + room, 2 * EDGE + room):
        return LEGAL_EDGE
    if differs(results, 0, EDGE) or differs(results, EDGE + seats, 2 * EDGE + seats):
        return RETURNS_EDGE
    return 0


def differs(cells, first, last):
    """Whether one of these cells has lost its mark. The loop has no early exit, so it runs on many cells at a time."""
    lost = 0
    for i in range(first, last):
        lost += cells[i] != MARK
    return lost > 0


def refuses(state, law, out, found, count):
    """Whether `refusal` refuses exactly the actions that are not among `found` legal ones."""
    at = 0
    for action in range(count):
        is_legal = at < found and out[at] == action
        at += int(is_legal)
        if (rules.refusal(state, law, action) == 0) != is_legal:
            return False
    return True


def play_guarded(states, memory, law, wide, results, rng, most, count, room, seats, number):
    """Play one game on states[ROWS]: the number of the first problem, the plies before it, and the checksum."""
    size, out, result = len(memory) // (2 * ROWS + 1), wide[EDGE : EDGE + room], results[EDGE : EDGE + seats]
    state, first, last = states[ROWS], ROWS * size, (ROWS + 1) * size
    rules.setup(state, law)
    for ply in range(most):
        before = checksum(memory, first, last, number)
        seat = rules.actor(state, law)
        if seat < -2 or seat >= seats:
            return ACTOR, ply, number
        if seat == -2:
            rules.returns(state, law, result)
            for i in range(seats):
                if not -1.0 <= result[i] <= 1.0:
                    return RETURNS, ply, number
            problem = find_overwritten_guard(memory, wide, results, room, seats)
            return problem if before == checksum(memory, first, last, number) else CHANGED, ply, before
        found = rules.legal(state, law, out)
        problem = find_overwritten_guard(memory, wide, results, room, seats)
        if problem != 0:
            return problem, ply, number
        if found > room:
            return MANY, ply, number
        if found < 1:
            return NONE, ply, number
        for i in range(found):
            if out[i] < 0 or out[i] >= count:
                return RANGE, ply, number
            if i > 0 and out[i] <= out[i - 1]:
                return ORDER, ply, number
            if seat == -1 and rules.weight(state, law, out[i]) < 1:
                return WEIGHT, ply, number
        if ply % (1 + count // SWEEP) == 0 and not refuses(state, law, out, found, count):
            return REFUSAL, ply, number
        if seat >= 0:
            rules.value(state, law, seat)
        if before != checksum(memory, first, last, number):
            return CHANGED, ply, number
        number = before
        rules.apply(state, law, sample_outcome(state, law, out, found, rng) if seat == -1 else out[random_below(rng, found)])
        problem = find_overwritten_guard(memory, wide, results, room, seats)
        if problem != 0:
            return problem, ply, number
    return 0, most, number


def checksum_plain(memory: Any, first: int, last: int, number: Any) -> Any:
    """`checksum` without NumPy's numbers, which are slow one by one."""
    folded, prime = int(number), int(PRIME)
    for byte in memory[first:last].tobytes():
        folded = (folded ^ byte) * prime % 2**64
    return np.uint64(folded)


def differs_plain(cells: Any, first: int, last: int) -> bool:
    """`differs` in plain Python."""
    return bool((cells[first:last] != MARK).any())


def never(state, law, out, found, count):
    """Replaces `refuses` for a game without `refusal`."""
    return True


def _loop(spec: Spec) -> Any:
    rules, pieces = spec.rules, kernels(spec)
    refusal = rules.refusal if gives(rules, "refusal") else None
    names = {
        "rules": rules_of(spec, refusal=refusal),
        "sample_outcome": pieces.sample_outcome,
        "random_below": pieces.random_below,
    }
    templates = {
        "checksum": checksum if COMPILED else checksum_plain, "differs": differs if COMPILED else differs_plain,
        "find_overwritten_guard": find_overwritten_guard, "refuses": never if refusal is None else refuses,
        "play_guarded": play_guarded,
    }  # fmt: skip
    for name, template in templates.items():
        names[name] = bind(template, names, spec.id, spec.folder)
    return names["play_guarded"]


def play_guarded_games(game: Game, pairs: list[list[int]]) -> dict[str, Any]:
    """Play games at random, each from its number as seed; a report as plain data, with (plies, checksum) of every game."""
    states, room, seats = game.new_states(2 * ROWS + 1), game.max_legal, game.seats
    memory = states.view(np.uint8).reshape(-1)
    size = states.dtype.itemsize
    memory[:] = MARK
    memory[ROWS * size : (ROWS + 1) * size] = 0
    wide = np.full(room + 2 * EDGE, MARK, np.int32)
    results = np.full(seats + 2 * EDGE, MARK, np.float64)
    rng, loop, law, found = np.zeros(1, np.uint64), _loop(game.spec), quick(game.law), []
    for games, most in pairs:
        ends = []
        for seed in range(games):
            rng[0] = seed
            problem, plies, number = loop(states, memory, law, wide, results, rng, most, game.action_count, room, seats, FNV)
            if problem:
                return {"problem": f"{PROBLEMS[problem]} (game {seed}, action {plies + 1})"}
            ends.append((int(plies), int(number) % 2**64))
        found.append(ends)
    return {"problem": "", "games": found, "actions": game.action_count, "most": room, "size": size, "seats": seats}


def main() -> None:
    """Play as the arguments ask; print the report."""
    package, sets, pairs = json.loads(sys.argv[1])
    spec: Spec = importlib.import_module(package).SPEC
    found = []
    for house_rules in sets:
        try:
            with np.errstate(over="ignore"):
                found.append(play_guarded_games(Game(spec, house.build(spec, "", house_rules)), pairs))
        except (BridgeheadError, IndexError, OverflowError, ValueError) as error:
            found.append({"problem": f"{'compiled' if COMPILED else 'plain'} rules fail: {type(error).__name__}: {error}"})
    print(json.dumps(found))


if __name__ == "__main__":
    main()
