"""40 Bridges: what a record remembers of a game, in little memory, and that nothing else counts as a repetition."""

import random
from collections import Counter

import numpy as np
import pytest
from forty_table import start

from bridgehead.core import registry
from bridgehead.core.position import Position
from bridgehead.games.forty_bridges.rules import NO_LIMIT, destinations, fields_of, note_ply, taken_back, word
from bridgehead.games.forty_bridges.text import earlier

OCTAGONS = {"setup": "custom", "layout": "B2,A1 C3", "quietLimit": 500}  # never a corner, never a capture


def pieces(position: Position) -> tuple[int, int]:
    return int(position.state.pieces[0]), int(position.state.pieces[1])


@pytest.mark.parametrize("limit", [2, 100, 108, 109, 150, 999, 1000, None])
def test_a_game_takes_a_thousand_bytes_at_most(limit: int | None) -> None:
    assert registry.game("forty_bridges", quietLimit=limit).new_states(1).nbytes <= (192 if limit in (2, 100, 108) else 1000)


@pytest.mark.parametrize("bent", [False, True])
def test_every_move_can_be_taken_back(bent: bool) -> None:
    """Any pieces, any of their moves, kept as any ply: the pieces before are found again, and a pass changes none."""
    rng, game, ways = random.Random(15), registry.game("forty_bridges", bentJumps=bent, quietLimit=None), set()
    state = game.new_states(1)[0]
    state.seat = 1
    for _ in range(400):
        own = word(rng.sample(range(41), rng.randint(1, 8)))
        start = rng.choice(fields_of(own))
        ends = fields_of(int(destinations(game.law, own, game.law.board & ~own, start)))
        for end in rng.sample(ends, min(3, len(ends))):
            state.plies[:] = 0
            state.quiet, ways = rng.randrange(NO_LIMIT), ways | {end - start}
            state.pieces[1] = own ^ game.law.bit[start] ^ game.law.bit[end]
            note_ply(state, game.law, start, end)
            assert taken_back(state, game.law, state.pieces[1], np.uint64(state.quiet)) == own
            assert taken_back(state, game.law, state.pieces[1], np.uint64((state.quiet + 1) % NO_LIMIT)) == state.pieces[1]
    assert len(ways) == (20 if bent else 12)


def test_a_repetition_is_forbidden_however_long_ago_the_position_was_there() -> None:
    """Three pieces that can only walk about come back to positions, each there twice at most, counted here in another way."""
    longest = refused = 0
    for seed in range(2):
        rng, free, forbidding = random.Random(seed), start(repetition="none", **OCTAGONS), start(repetition="forbid", **OCTAGONS)
        met, stands = Counter({(pieces(free), 0): 1}), [pieces(free)]
        while not forbidding.is_over:
            seat = 1 - forbidding.actor
            allowed = tuple(a for a in free.legal if met[pieces(free.play(a)), seat] < 2)
            if not allowed:
                break
            assert forbidding.legal == allowed
            refused += len(free.legal) - len(allowed)
            action = rng.choice(allowed)
            free, forbidding = free.play(action), forbidding.play(action)
            met[pieces(free), seat] += 1
            stands.append(pieces(free))
        longest = max(longest, len(stands))
        if not forbidding.is_over:
            assert earlier(forbidding.state, forbidding.game.law) == stands[:-1]
            assert forbidding.game.load(forbidding.text) == forbidding
    assert longest == 501 and refused > 50
