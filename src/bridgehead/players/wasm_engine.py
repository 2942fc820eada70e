"""The searches of the computer players as WebAssembly (`bridgehead wasm`), whatever runs the modules.

Arrays live in the memory of a module; the loops around the searches are those of `players`. A browser runs the modules itself
(`bridgehead.site.engine`), and so does the package `wasmtime` (`players.wasmtime_engine`).
"""

from __future__ import annotations

import hashlib
import struct
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bridgehead.core.game import Game, Position
from bridgehead.players.deepening import (
    DEEPEST,
    ENTRIES,
    FIRST,
    STEPS,
    Root,
    deepen_search,
    judging,
    rank_deepening,
    turn_by_turn,
)
from bridgehead.players.judging import SPACE, find_safest
from bridgehead.players.thoughts import (
    LEAST_TRUST,
    PLAIN,
    STEERING,
    Budget,
    Candidate,
    Clock,
    JudgingStyle,
    Limit,
    SearchResult,
    check,
    order_candidates,
)

BEGIN, DONE = -2, -1  # values of `level` of the expectimax


class WasmEngine:
    """An engine (`players.engine`) over modules. A subclass says where they come from and how their memory is reached."""

    def open_memory(self, game: Game) -> WasmMemory:
        """The memory of the module for a game, under its law."""
        raise NotImplementedError

    def tables(self, position: Position) -> tuple[Any, Any] | None:
        """The endgame tables, values and starts, in the module; None where a search needs none."""
        raise NotImplementedError

    def search_tree(
        self, position: Position, budget: Budget, seed: int | str, stop: threading.Event | None = None, *,
        explore: float | None = None, trust: float | None = None, cut: int | None = None,
        answered: bool | None = None, expects: bool | None = None, nodes: int,
    ) -> SearchResult:  # fmt: skip
        check(position)
        game = position.game
        with self.open_memory(game) as memory:
            tree, used, rng = memory.make("node", nodes), memory.make("int64", 1), memory.make("uint64", 1)
            settings, root = memory.make("settings"), memory.states(1, position)
            tree.row(0).set("actor", position.actor)
            memory.write(used, (1).to_bytes(8, "little"))
            memory.write(rng, hashlib.sha256(f"{seed}:1:0".encode()).digest()[:8])
            given = {"explore": explore, "trust": trust, "cut": cut, "answered": answered, "expects": expects}
            steering = STEERING | dict(game.spec.evaluate.SEARCH)
            steering |= {name: type(STEERING[name])(each) for name, each in given.items() if each is not None}
            steering |= {"scale": game.spec.evaluate.SCALE, "seats": game.seats, "trust": max(steering["trust"], LEAST_TRUST)}
            for name, value in steering.items():
                settings.set(name, value)
            out, scratch, result = (
                memory.make("int32", game.max_legal),
                memory.make("state", 2),
                memory.make("float64", game.seats),
            )
            clock = Clock(budget.seconds, budget.simulations, stop)
            while wanted := clock.slice():
                done = memory.call("search", tree, used, root, memory.law, settings, wanted, rng, out, scratch, result)
                clock.count(done)
                if done < wanted:
                    break
            known = memory.candidates(tree)
        found = [
            Candidate(action, each["visits"], tuple(map(float, each["expected"])), each["proven"])
            for action, each in zip(position.legal, known, strict=False)
        ]
        unseen = [Candidate(action, 0, (0.0,) * game.seats, False) for action in position.legal[len(found) :]]
        return order_candidates(found + unseen, position.actor, clock.made)

    def find_best_action(
        self, position: Position, limit: Limit, stop: threading.Event | None = None, style: JudgingStyle = PLAIN
    ) -> int:
        check(position)
        tables = self.tables(position)
        with self.open_memory(position.game) as memory:
            return deepen_search(position, limit, Deep(memory, position, limit, stop, style, tables)).action

    def rank_actions(
        self, position: Position, limit: Limit, stop: threading.Event | None = None, style: JudgingStyle = PLAIN
    ) -> SearchResult:
        check(position)
        tables = self.tables(position)
        with self.open_memory(position.game) as memory:
            return rank_deepening(position, limit, Deep(memory, position, limit, stop, style, tables))

    def search_turns(self, position: Position, limit: Limit, stop: threading.Event | None = None) -> SearchResult:
        check(position)
        with self.open_memory(position.game) as memory:
            return turn_by_turn(position, limit, WasmTurn(memory, position, Clock(limit.seconds, limit.nodes, stop, FIRST)))

    def score_actions(self, position: Position) -> dict[int, float]:
        with self.open_memory(position.game) as memory:
            before, state = memory.states(1, position), memory.make("state")
            found = {}
            for action in position.legal:
                memory.copy(before, state)
                memory.call("apply", state, memory.law, action)
                found[action] = float(memory.call("value", state, memory.law, position.actor))
            return found

    def values(self, position: Position) -> tuple[float, ...]:
        with self.open_memory(position.game) as memory:
            state = memory.states(1, position)
            return tuple(float(memory.call("value", state.row(0), memory.law, seat)) for seat in range(position.game.seats))

    def risk(self, position: Position, action: int) -> float:
        if position.game.spec.evaluate.risk is None:
            return 0.0
        return WasmBlunderFilter(self, position).measure("risk", action)

    def make_blunder_filter(self, position: Position) -> WasmBlunderFilter:
        return WasmBlunderFilter(self, position)


class WasmMemory:
    """Arrays in the memory of a module. They are given back when the context ends. rules: the module at work."""

    def __init__(self, game: Game, rules: Any) -> None:
        self.game, self.rules = game, rules
        self.law = rules.law

    def __enter__(self) -> WasmMemory:
        self._mark = self.rules.mark()
        return self

    def __exit__(self, *_: object) -> None:
        self.rules.release(self._mark)

    def make(self, kind: str, *shape: int) -> Any:
        """Zeros: a record, or an array of records or numbers."""
        return self.rules.make(kind, *shape)

    def states(self, count: int, position: Position) -> Any:
        """States, the first of them that of a position."""
        made = self.make("state", count)
        self.write(made, position.state.tobytes())
        return made

    def write(self, block: Any, data: bytes) -> None:
        """Write the first bytes of a block."""
        self.put(block, self.pack(data))

    def pack(self, data: bytes) -> Any:
        """Bytes in the form that `put` takes."""
        raise NotImplementedError

    def put(self, block: Any, packed: Any, at: int = 0) -> None:
        """Write packed bytes into a block, from the byte `at` on."""
        raise NotImplementedError

    def copy(self, one: Any, other: Any) -> None:
        """Copy a state."""
        raise NotImplementedError

    def call(self, name: str, *given: Any) -> Any:
        """Call a function of the module, which gives one number or none."""
        raise NotImplementedError

    def candidates(self, tree: Any) -> Sequence[Mapping[str, Any]]:
        """The actions at the root of a tree: action, visits, expected, proven."""
        raise NotImplementedError


class Deep:
    """`DeepWork` in the memory of a module."""

    def __init__(
        self, memory: WasmMemory, position: Position, limit: Limit, stop: threading.Event | None, style: JudgingStyle,
        tables: tuple[Any, Any] | None,
    ) -> None:  # fmt: skip
        game, make = memory.game, memory.make
        if tables is None:
            tables = make("uint8", 1), make("int64", 1, 1)
            memory.write(tables[1], b"\xff" * 8)
        self.memory, self.clock = memory, Clock(limit.seconds, limit.nodes, stop, STEPS)
        self.states, self.plies, self.at = memory.states(DEEPEST + 1, position), make("deep_ply", DEEPEST + 1), make("int64", 5)
        scores = (0, 0, 0, *judging(position, style))
        memory.write(self.at, b"".join(each.to_bytes(8, "little", signed=True) for each in scores))
        self._before, self._after = self.states.row(0), self.states.row(1)
        self._one = memory.pack((1).to_bytes(8, "little"))  # each conversion and each row costs as much as a short search
        killers = make("int64", DEEPEST + 1, 2)
        memory.write(killers, b"\xff" * 16 * (DEEPEST + 1))  # -1 everywhere
        self.rest = (
            make("int32", DEEPEST + 1, game.max_legal), make("int64", DEEPEST + 1, game.max_legal), make("uint64", ENTRIES, 2),
            killers, make("int64", 2, game.action_count), *tables, make("float64", 2),
        )  # fmt: skip

    @property
    def _root(self) -> int:
        return int(self.at.numbers[2])

    @property
    def found(self) -> Root:
        root = self.plies.row(self._root)
        return Root(int(root.get("action")), int(root.get("best")), int(root.get("seat")))

    @property
    def nodes(self) -> int:
        return int(self.at.numbers[1])

    def search_to_depth(self, depth: int, low: int, high: int) -> bool:
        head = (self.at, self.plies, self.states, self.memory.law)
        done = self.memory.call("deep_begin", *head, depth, low, high, *self.rest)
        while not done:
            if not (steps := self.clock.slice()):
                return False
            done = self.memory.call("deep_go_on", *head, steps, *self.rest)
            self.clock.count(self.nodes - self.clock.made)
        return True

    def play(self, position: Position, action: int) -> None:
        self.memory.copy(self._before, self._after)
        self.memory.call("apply", self._after, self.memory.law, action)
        self.memory.put(self.at, self._one, 16)


class WasmTurn:
    """`TurnWork` in the memory of a module."""

    def __init__(self, memory: WasmMemory, position: Position, clock: Clock) -> None:
        game, make = memory.game, memory.make
        self.memory, self.clock, self._turns, self._count = memory, clock, int(position.state.turns), len(position.legal)
        self.states, self.plies, asked = memory.states(DEEPEST, position), make("turn_ply", DEEPEST), make("turn_request", 1)
        self.asked, sides, weights = asked.row(0), make("int64", game.seats), make("float64", len(game.spec.evaluate.WEIGHTS))
        memory.write(sides, b"".join(side.to_bytes(8, "little") for side in game.sides))
        memory.write(weights, struct.pack(f"<{len(game.spec.evaluate.WEIGHTS)}d", *game.spec.evaluate.WEIGHTS))
        self.asked.set("seat", position.actor)
        self.asked.set("scale", game.spec.evaluate.SCALE)
        self._values = make("float64", len(position.legal))
        self.rest = (
            make("int32", DEEPEST, game.max_legal),
            self.asked,
            sides,
            weights,
            make("float64", game.seats),
            self._values,
        )

    @property
    def values(self) -> list[float]:
        return [float(self._values.numbers[index]) for index in range(self._count)]

    @property
    def cut(self) -> int:
        return int(self.asked.get("cut"))

    def search_turns(self, turns: int, decisions: int) -> bool:
        asked = self.asked
        for name, value in {"turns": self._turns + turns, "decisions": decisions, "level": BEGIN, "nodes": 0}.items():
            asked.set(name, value)
        while asked.get("level") != DONE:
            if not (wanted := self.clock.slice()):
                return False
            before = int(asked.get("nodes"))
            asked.set("pause", before + wanted)
            self.memory.call("turn", self.states, self.memory.law, self.plies, *self.rest)
            self.clock.count(int(asked.get("nodes")) - before)
        return True


class WasmBlunderFilter:
    """As `players.sense.BlunderFilter`."""

    def __init__(self, engine: WasmEngine, position: Position) -> None:
        self._engine, self._position = engine, position
        self._evaluate = position.game.spec.evaluate

    def measure(self, name: str, action: int) -> float:
        """What a function of the evaluation (`risk`, `progress`) says of an action."""
        with self._engine.open_memory(self._position.game) as memory:
            state = memory.states(1, self._position)
            return float(memory.call(name, state.row(0), memory.law, action))

    def winning(self) -> int | None:
        position = self._position
        for action in position.legal:
            outcome = position.after(action).outcome
            if outcome is not None and outcome.returns[position.actor] > 0:
                return action
        return None

    def is_blunder(self, action: int) -> bool:
        if self._evaluate.foolish is None:
            return False
        with self._engine.open_memory(self._position.game) as memory:
            states, out = memory.states(SPACE, self._position), memory.make("int32", SPACE, memory.game.max_legal)
            return bool(memory.call("foolish", states, memory.law, action, out))

    def find_safest(self, worth: Mapping[int, float]) -> Collection[int]:
        if self._evaluate.risk is None or self._evaluate.progress is None:
            return worth.keys()
        return find_safest(
            worth, self.is_blunder, lambda action: (-self.measure("risk", action), self.measure("progress", action))
        )
