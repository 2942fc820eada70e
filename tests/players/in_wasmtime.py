"""Compares the engines of a process with compiled rules: Numba's machine code, and the package's modules in wasmtime."""

from __future__ import annotations

import contextlib
import random
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

from in_wasm import ENDGAME, games, somewhere

from bridgehead.core import registry
from bridgehead.core.game import Game, Position
from bridgehead.players import alphabeta, shipped_modules, wasm
from bridgehead.players.compiled import NumbaEngine
from bridgehead.players.engine import Engine
from bridgehead.players.levels import levels_at
from bridgehead.players.thoughts import Budget, JudgingStyle, Limit
from bridgehead.players.wasmtime_engine import WasmtimeEngine

SEED = "light"


def same_answers(name: str, positions: int, many: int) -> int:
    """Compare all that the engines answer in random positions under so many house rules; returns the number of answers."""
    rng, compared = random.Random(4), 0
    all_games = games(name, many)
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(shipped_modules, "FOLDER", Path(folder)):
        _ship(all_games)
        made = WasmtimeEngine()
        for number in range(positions):
            position = somewhere(all_games[number % many], rng)
            here, there = _answers(NumbaEngine(), position), _answers(made, position)
            assert here == there, (position.game, position.game.differences, position)
            compared += len(here)
        compared += _in_threads(made, position)
        before = made.rules(position.game)
        made.search_tree(position, Budget(simulations=10), SEED, nodes=1_000_000)
        after = made.rules(position.game)
        assert after is not before, "memory never shrinks, so a module that has taken much is given up"
        with contextlib.suppress(KeyError), made.open_memory(position.game):
            raise KeyError
        assert made.rules(position.game) is not after, "nor is one used after an error"
        assert made.values(position) == NumbaEngine().values(position)
    return compared


def same_endgame() -> bool:
    """Compare alpha-beta where the endgame tables decide, those of each rule set. Both share one module."""
    both = registry.game("forty_bridges"), registry.game("forty_bridges", retreat=False, repetition="forbid")
    positions, limit = [game.load(ENDGAME) for game in both], Limit(nodes=500)
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(shipped_modules, "FOLDER", Path(folder)):
        _ship([both[0]])
        made = WasmtimeEngine()
        for position in positions * 2:  # the tables stay in the memory of the module
            assert made.rank_actions(position, limit) == NumbaEngine().rank_actions(position, limit)
        assert made.tables(positions[0]) not in (None, made.tables(positions[1]))
    found = [NumbaEngine().rank_actions(position, limit) for position in positions]
    return found[0] != found[1] and all(any(each.proven for each in ranked.candidates) for ranked in found)


def _ship(all_games: list[Game]) -> None:
    """Make and write the modules of these games."""
    by_layout = {wasm.layout(game): game for game in all_games}
    made = {f"{game.spec.id}-{layout}.wasm": wasm.module(game, with_law=False) for layout, game in by_layout.items()}
    shipped_modules.write_modules(made, {all_games[0].spec.id: shipped_modules.hash_game(all_games[0].spec)})
    assert all(map(shipped_modules.has_module, all_games))


def _in_threads(made: WasmtimeEngine, position: Position) -> int:
    """Threads search at the same time; each has a module of its own."""
    budget = Budget(simulations=300)

    def think(_: int) -> Any:
        return made.search_tree(position, budget, SEED, nodes=4000)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(think, range(8)))
    assert found == [NumbaEngine().search_tree(position, budget, SEED, nodes=4000)] * 8
    return len(found)


def _answers(engine: Engine, position: Position) -> list[Any]:
    """All that an engine answers about a position. A search is cut into slices by the clock, which changes nothing."""
    game, evaluate = position.game, position.game.spec.evaluate
    found: list[Any] = [engine.score_actions(position), engine.values(position)]
    found += [engine.risk(position, action) for action in position.legal[:5]]
    sense = engine.make_blunder_filter(position)
    found += [sense.winning(), sorted(sense.find_safest(dict.fromkeys(position.legal, 0.5)))]
    found += [sense.is_blunder(action) for action in position.legal[:5]]
    for level in {level.looks: level for level in levels_at(game).values()}.values():
        settings = {"explore": level.explore, "trust": level.trust, "cut": level.cut}
        for more in ({}, {"answered": True}, {"answered": True, "expects": True}):
            found.append(engine.search_tree(position, Budget(simulations=150), SEED, nodes=6000, **settings, **more))  # type: ignore[arg-type]
    found.append(engine.search_tree(position, Budget(simulations=400), SEED, nodes=300))  # the tree is full before the end
    if None not in alphabeta.hooks(evaluate).values() and game.seats == 2:
        limit, styles = Limit(nodes=1500), (JudgingStyle(), JudgingStyle(contempt=2.5, material=1.5))
        found += [engine.find_best_action(position, limit, style=style) for style in styles]
        found += [engine.rank_actions(position, limit, style=style) for style in styles]
    if evaluate.worth is not None and game.has_two_sides:
        found.append(engine.search_turns(position, Limit(nodes=1500)))
    stop = threading.Event()
    stop.set()
    found.append(engine.search_tree(position, Budget(simulations=100_000), SEED, stop, nodes=1000).simulations)
    return found
