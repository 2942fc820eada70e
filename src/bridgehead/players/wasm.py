"""The WebAssembly module of a game: its rules, random playouts, perft, its evaluation, and the searches of its levels.

A module is for one layout of state and law. Other house rules and boards often have the same one (`layout`); their laws then work
in the same module.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bridgehead.core import jit, wasm
from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels
from bridgehead.core.law import memory
from bridgehead.core.parts import gives
from bridgehead.core.version import __version__
from bridgehead.core.wasm import ModuleFunction
from bridgehead.players import alphabeta, expectimax, tree
from bridgehead.players.judging import SPACE
from bridgehead.players.modules import facts as facts
from bridgehead.players.modules import layout as layout

Array = np.ndarray[Any, Any]
RULES = ("setup", "actor", "legal", "weight", "apply")  # what following a record takes


def module(game: Game, with_law: bool = True) -> bytes:
    """The module of a game under its house rules. with_law: carry their law along. Errors: BridgeheadError."""
    records = {"state": game.new_states(0).dtype, "law": memory(game.law).dtype, "node": tree.NODE, "settings": tree.SETTINGS}
    entries = rules(game) | {"search": uct(game)}
    if None not in alphabeta.hooks(game.spec.evaluate).values():
        entries |= deep(game)
        records["deep_ply"] = alphabeta.PLY
    if game.spec.evaluate.worth is not None:
        entries["turn"] = turn(game)
        records |= {"turn_ply": expectimax.PLY, "turn_request": expectimax.ASKED}
    return wasm.compile_module(entries, records, describe(game), game.law.tobytes() if with_law else b"")


def rules_module(game: Game) -> bytes:
    """A small module of the rules alone (`RULES`), without a law, for programs that follow a record. Errors: BridgeheadError."""
    records = {"state": game.new_states(0).dtype, "law": memory(game.law).dtype}
    about = describe(game) | {"law": facts(game) | {"house_rules": {}}}  # tables with other house rules get it, too
    return wasm.compile_module({name: entry for name, entry in rules(game).items() if name in RULES}, records, about)


def kept_rules_module(game: Game) -> bytes:
    """The same, from the folder of compiled rules if it was made before: a module is for one layout. Errors: BridgeheadError."""
    if not jit.COMPILED:
        return rules_module(game)
    return load_or_make(find_cache_folder(game) / f"{game.spec.id}-{layout(game)}.wasm", lambda: rules_module(game))


def find_cache_folder(game: Game) -> Path:
    """The folder of what is compiled from the present sources of a game."""
    return jit.cache_folder(game.spec.folder, Path(__file__).parent)


def load_or_make(file: Path, make: Callable[[], bytes]) -> bytes:
    """The bytes of a file; if there is none, make and keep them."""
    with contextlib.suppress(OSError):
        return file.read_bytes()
    made = make()
    with contextlib.suppress(OSError), tempfile.NamedTemporaryFile(dir=_made(file.parent), delete=False) as half:
        half.write(made)
        half.close()
        Path(half.name).replace(file)  # whole files only: another process may read it now
    return made


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def describe(game: Game) -> dict[str, Any]:
    """What the description of a module says about the game."""
    return {
        "game": game.spec.id, "title": game.spec.title, "rules": game.spec.version, "bridgehead": __version__,
        "layout": layout(game), "reasons": [word for word, _ in game.spec.rules.REASONS],
        "refusals": [each.name for each in game.spec.rules.REFUSALS], "law": facts(game),
    }  # fmt: skip


def rules(game: Game) -> dict[str, ModuleFunction]:
    """The rules themselves, and loops over them."""
    rules, loops, law = game.spec.rules, kernels(game.spec), memory(game.law)
    states, out, rng = game.new_states(1), np.zeros(game.max_legal, np.int32), np.zeros(1, np.uint64)
    state, numbers = states[0], np.zeros(1, np.int64)
    return {
        "setup": ModuleFunction(rules.setup, (state, law)),
        "actor": ModuleFunction(rules.actor, (state, law)),
        "legal": ModuleFunction(rules.legal, (state, law, out)),
        "weight": ModuleFunction(rules.weight, (state, law, 0)),
        "apply": ModuleFunction(rules.apply, (state, law, 0)),
        "returns": ModuleFunction(rules.returns, (state, law, np.zeros(game.seats))),
        **({"refusal": ModuleFunction(rules.refusal, (state, law, 0))} if gives(rules, "refusal") else {}),
        "value": ModuleFunction(game.spec.evaluate.value, (state, law, 0)),
        **judging(game, states),
        "deal_on": ModuleFunction(loops.deal_on, (state, law, out, rng)),
        "play_on": ModuleFunction(loops.play_on, (state, law, out, rng, 0)),
        "random_games": ModuleFunction(loops.random_games, (state, law, 0, 0, 0, out)),
        "perft": ModuleFunction(loops.perft, (states, law, 0, out.reshape(1, -1), numbers, numbers)),
    }


def judging(game: Game, states: Array) -> dict[str, ModuleFunction]:
    """What players judge an action by (players/judging.py), as far as the game has it."""
    evaluate, law, out = game.spec.evaluate, memory(game.law), np.zeros((SPACE, game.max_legal), np.int32)
    made: dict[str, Any] = {"foolish": (evaluate.foolish, (game.new_states(SPACE), law, 0, out))}
    made |= {"risk": (evaluate.risk, (states[0], law, 0)), "progress": (evaluate.progress, (states[0], law, 0))}
    return {name: ModuleFunction(function, given) for name, (function, given) in made.items() if function is not None}


def uct(game: Game) -> ModuleFunction:
    """Tree search (players/tree.py)."""
    nodes, settings = np.zeros(1, tree.NODE).view(np.recarray), np.zeros((), tree.SETTINGS).view(np.recarray)
    used, rng, out = np.ones(1, np.int64), np.zeros(1, np.uint64), np.zeros(game.max_legal, np.int32)
    states, result = game.new_states(2), np.zeros(game.seats)
    return ModuleFunction(
        tree.searching(game.spec).search, (nodes, used, states, memory(game.law), settings[()], 0, rng, out, states, result)
    )


def deep(game: Game) -> dict[str, ModuleFunction]:
    """Alpha-beta (players/alphabeta.py)."""
    loops, numbers, square = alphabeta.deepening(game.spec), np.zeros(3, np.int64), np.zeros((1, 2), np.int64)
    plies, out, bytes_ = np.zeros(1, alphabeta.PLY).view(np.recarray), np.zeros((1, 1), np.int32), np.zeros(1, np.uint8)
    rest = (out, square, np.zeros((1, 2), np.uint64), square, square, bytes_, square, np.zeros(2))
    head = (numbers, plies, game.new_states(1), memory(game.law))
    return {
        "deep_begin": ModuleFunction(loops.begin, (*head, 0, 0, 0, *rest)),
        "deep_go_on": ModuleFunction(loops.continue_search, (*head, 0, *rest)),
    }


def turn(game: Game) -> ModuleFunction:
    """Expectimax within the turn (players/expectimax.py)."""
    plies, asked = np.zeros(1, expectimax.PLY).view(np.recarray), np.zeros(1, expectimax.ASKED).view(np.recarray)
    out, sides, numbers = np.zeros((1, 1), np.int32), np.zeros(game.seats, np.int64), np.zeros(1)
    return ModuleFunction(
        expectimax.turning(game.spec),
        (game.new_states(1), memory(game.law), plies, out, asked[0], sides, numbers, numbers, numbers),
    )
