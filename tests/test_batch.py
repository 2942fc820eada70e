"""Many games as one array."""

import hashlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bridgehead import batch, environments
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, IllegalAction
from bridgehead.workshop.devices import shares
from variants import make

pytestmark = pytest.mark.wide
GAMES = sorted(registry.specs())
SHORT = {"barricade": {"board": "mini", "turnLimit": 20}, "burning_bridges": {"seats": 2, "roundLimit": 4}}
every_game = pytest.mark.parametrize("name", GAMES)


def begun(name: str, n: int, seed: int = 5, threads: int = 1) -> batch.Batch:
    return batch.start(make(name, SHORT.get(name, {})), n, seed, threads)


@every_game
def test_a_game_depends_on_its_own_seed_only(name: str) -> None:
    whole, alone = begun(name, 6, 5), begun(name, 1, 5 + 4)
    assert whole.playout().returns[4].tolist() == alone.playout().returns[0].tolist()
    assert whole.states[4].tobytes() == alone.states[0].tobytes()


@every_game
def test_threads_do_not_change_the_result(name: str) -> None:
    one, three = begun(name, 7, threads=1), begun(name, 7, threads=3)
    for games in (one, three):
        games.playout()
    assert one.states.tobytes() == three.states.tobytes()


def test_threads_share_all_games_and_end_with_single_ones() -> None:
    for games, threads in ((1, 1), (50, 1), (3, 2), (60, 2), (1000, 16)):
        parts = [range(games)[part] for part in shares(games, threads)]
        assert [g for part in parts for g in part] == list(range(games))
        sizes = [len(part) for part in parts]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] <= games / threads and (threads == 1 or sizes[-threads:] == [1] * threads)
    assert [part.stop - part.start for part in shares(1000, 2, least=200)] == [250, 200, 200, 200, 150]


def test_a_thread_gets_no_fewer_games_than_pay_for_its_start() -> None:
    """A step of 256 games was 27 times slower in the parts of sixteen threads than in one."""
    games, asked = environments.start(make("forty_bridges", {}), 2000, 1, threads=16), []
    loops = games._workers._kernels

    def counted(*given: Any) -> None:
        asked.append(len(given[11]))
        loops.advance_games(*given)

    games._workers._kernels = SimpleNamespace(**vars(loops) | {"advance_games": counted})
    alone = environments.start(make("forty_bridges", {}), 2000, 1, threads=1)
    games.step(games.sample())
    alone.step(alone.sample())
    assert sum(asked) == 2000 and max(asked) < 2000 and sorted(asked)[1] >= environments.LEAST
    assert games.states.tobytes() == alone.states.tobytes()


@every_game
def test_a_batch_steps_as_positions_do(name: str) -> None:
    games = begun(name, 3)
    for _ in range(15):
        mask, seats = games.legal_mask(), games.actors
        before = [games.position(g) for g in range(3)]
        chosen = [int(np.flatnonzero(row)[-1]) if row.any() else 0 for row in mask]
        for position, row, seat in zip(before, mask, seats, strict=True):
            assert tuple(np.flatnonzero(row)) == position.legal
            assert position.actor == seat
        games.step(chosen)
        for g, (position, action) in enumerate(zip(before, chosen, strict=True)):
            after = position if position.is_over else position.play(action)
            if not after.is_chance:
                assert games.position(g) == after


@every_game
def test_one_illegal_action_moves_no_game_and_is_named(name: str) -> None:
    games = begun(name, 3)
    chosen = [games.position(g).legal[0] for g in range(3)]
    chosen[1] = next(a for a in range(games.game.action_count) if a not in games.position(1).legal)
    before = games.states.tobytes()
    with pytest.raises(IllegalAction, match="game 1"):
        games.step(chosen)
    assert games.states.tobytes() == before


def test_a_batch_of_nothing_and_a_wrong_number_of_actions_are_refused() -> None:
    with pytest.raises(BridgeheadError, match="at least one"):
        begun("forty_bridges", 0)
    with pytest.raises(BridgeheadError, match="one action a game"):
        begun("forty_bridges", 3).step([1, 2])


def test_playouts_end_and_their_returns_belong_to_their_outcome() -> None:
    games = begun("forty_bridges", 20)
    done = games.playout()
    assert done.over.all()
    for g in range(20):
        outcome = games.position(g).outcome
        assert outcome is not None and list(outcome.returns) == done.returns[g].tolist()


def played() -> list[object]:
    """What became of fifty games, and the bytes that a state takes."""
    games = batch.start(make("front_lines", {}), 50, 3, 2)
    done = games.playout()
    digest = hashlib.sha256(games.states.tobytes() + done.returns.tobytes()).hexdigest()
    return [digest, int(done.decisions.sum()), games.states.itemsize]


@pytest.mark.parametrize("name", ["front_lines"])
def test_compiled_and_plain_batches_are_equal_and_small(name: str, compiled: Callable[[str], Any]) -> None:
    plain = played()
    assert compiled(name)("test_batch", "played") == plain
    assert plain[2] <= 1024
