"""Many games for learning agents: observations, masks, rewards and new games, written by one compiled loop into fixed arrays.

games = environments.start(bridgehead.game("forty_bridges"), 1024, seed=7)
step = games.step(games.sample())
step.observations["fields"], step.observations["numbers"], step.mask, step.rewards
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from bridgehead import batch
from bridgehead.core.caching import cached_per_game
from bridgehead.core.errors import BridgeheadError, IllegalAction
from bridgehead.core.game import Game, Position
from bridgehead.core.observation import TO_ACT, bounds
from bridgehead.core.phrases import phrase
from bridgehead.workshop.devices import Array, Gpu, Threads
from bridgehead.workshop.dlpack import DeviceArray
from bridgehead.workshop.training_kernels import training_kernels

Autoreset = Literal["stay", "next_step", "same_step"]
AUTORESET = get_args(Autoreset)
NUMBERS = "numbers"
RECORDS = ("states", "starts")
ENDLESS = 2**31 - 1
LEAST = 512  # games that a thread steps at once
Observations = Mapping[str, Any]


class Observer:
    """The form of a game's observations: `shapes` and `names` of each array, and the tables for compiled loops.

    Arrays by name: planes (int8) by the names of the layout, and `numbers` (float32), whose last one is 1 for the seat to act.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        layout = self.layout = game.spec.observation.layout(game)
        self.names: dict[str, tuple[str, ...]] = {part.name: part.names for part in layout.planes}
        self.names[NUMBERS] = (*(number.name for number in layout.numbers), TO_ACT)
        self.units = {number.name: number.unit for number in layout.numbers}
        self.shapes = {part.name: (len(part.names), *part.shape) for part in layout.planes}
        self.columns: dict[str, slice] = {}
        for name, shape in self.shapes.items():
            begin = max((each.stop for each in self.columns.values()), default=0)
            self.columns[name] = slice(begin, begin + int(np.prod(shape)))
        self.width = max((each.stop for each in self.columns.values()), default=0)
        self.low, self.high = bounds(layout)
        same = np.tile(np.arange(game.action_count, dtype=np.int32), (game.seats, 1))
        own = same if layout.own is None else np.ascontiguousarray(layout.own, np.int32)
        constant = np.zeros((game.seats, self.width), np.int8) if layout.constant is None else layout.constant
        scale = np.ones(len(layout.numbers)) if layout.is_record else 1 / np.array([number.most for number in layout.numbers])
        self.own = own
        self.ids = np.argsort(own, axis=1).astype(np.int32)
        tables = layout.places.astype(np.int32), constant.astype(np.int8), scale.astype(np.float32)
        self.absolute = (*map(np.ascontiguousarray, tables), same, same)
        self.relative = (*self.absolute[:3], self.own, self.ids)

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name} {'x'.join(map(str, shape))}" for name, shape in self.shapes.items())
        return f"<Observer of {self.game.spec.id}: {shapes}, {len(self.low)} numbers>".replace(": , ", ": ")

    def parts(self, planes: Array, numbers: Array) -> dict[str, Array]:
        """The arrays by name, as views. planes, numbers: a row for each game."""
        views = {name: planes[:, self.columns[name]].reshape(-1, *shape) for name, shape in self.shapes.items()}
        return {**views, NUMBERS: numbers}

    def of(self, position: Position, seat: int) -> tuple[dict[str, Array], npt.NDArray[np.bool_]]:
        """What a seat sees of one position, and its legal actions."""
        check_argument("seat", seat, seat in range(self.game.seats), f"0 .. {self.game.seats - 1}")
        states = position.copy_states()
        planes, numbers = np.zeros((1, self.width), np.int8), np.zeros((1, len(self.low)), np.float32)
        mask, viewers = np.zeros((1, self.game.action_count), np.bool_), np.array([seat], np.int32)
        seen = bytes_of(states) if self.layout.is_record else states
        Threads(self.game, 1, training_kernels).run(
            "look_games", states, seen, viewers, mask, planes, numbers, tables=self.absolute
        )
        return {name: array[0] for name, array in self.parts(planes, numbers).items()}, mask[0]


@cached_per_game
def observer(game: Game) -> Observer:
    """The game's `Observer`."""
    return Observer(game)


def bytes_of(states: Any) -> Any:
    """States as rows of bytes, in the same memory."""
    return states.view(np.uint8).reshape(len(states), -1)


class BatchStep(NamedTuple):
    """What a step of all games brought. The arrays belong to the environments, and the next step overwrites them.

    rewards: n x seats, at the end 1 for a win, -1 for a loss, 0 without a winner; otherwise 0. mask: n x actions, the legal ones.
    actors: the seat to act next, OVER (-2) after the end. Where a game ended and began again in the same step, `terminated` and
    `truncated` speak of the old game, and everything else of the new one.
    """

    observations: Observations
    rewards: Any
    terminated: Any
    truncated: Any
    mask: Any
    actors: Any


class Environments:
    """n games that step together. Chance acts at once. Each depends on its own seed (the first one's seed plus its number).

    seats: the seat whose eyes see each game, and whose actions `step` takes; None for whichever acts. With `rival` "random" the
    others play at random in the same step. Errors: BridgeheadError.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int | Sequence[int],
        workers: Threads | Gpu,
        *,
        limit: int | None = None,
        autoreset: Autoreset = "same_step",
        seats: int | Sequence[int] | None = None,
        rival: Literal["random"] | None = None,
        own_actions: bool = False,
        positions: Sequence[Position] = (),
    ) -> None:
        self.game, self.observer, self.n = game, observer(game), n
        self.limit, self.autoreset, self.rival, self.own_actions = limit, autoreset, rival, own_actions
        agents = np.full(n, -1, np.int32) if seats is None else np.resize(np.asarray(seats, np.int32), n)
        self._workers, put = workers, workers.put
        self._tables = tuple(map(put, self.observer.relative if own_actions else self.observer.absolute))
        starts = game.new_states(n if positions else 0)
        for g in range(len(starts)):
            starts[g] = positions[g % len(positions)].copy_states()[0]
        states, width, count = game.new_states(n), self.observer.width, game.action_count
        self._rngs = put(batch.generators(seed, n))
        self._arrays = {
            "states": put(states), "starts": put(starts), "agents": put(agents), "viewers": put(np.zeros(n, np.int32)),
            "actors": put(np.zeros(n, np.int32)), "lengths": put(np.zeros(n, np.int32)),
            "rewards": put(np.zeros((n, game.seats))), "terminated": put(np.zeros(n, np.bool_)),
            "truncated": put(np.zeros(n, np.bool_)), "mask": put(np.zeros((n, count), np.bool_)),
            "planes": put(np.zeros((n, width), np.int8)), "numbers": put(np.zeros((n, len(self.observer.low)), np.float32)),
        }  # fmt: skip
        self._nothing = put(np.full(n, -1, np.int32))
        self._go_on, self._wrong = put(np.zeros(n, np.bool_)), put(np.zeros(n, np.bool_))
        self._join()
        self.reset()

    def _join(self) -> None:
        """Make the views of the arrays."""
        one, device = self._arrays, isinstance(self._workers, Gpu)
        self._seen = one["states"].view(np.uint8).reshape(self.n, -1) if self.observer.layout.is_record else one["states"]
        if device:
            shapes, columns = self.observer.shapes, self.observer.columns
            views: dict[str, Any] = {name: DeviceArray(one["planes"], columns[name], shape) for name, shape in shapes.items()}
            views[NUMBERS] = DeviceArray(one["numbers"])
        else:
            views = self.observer.parts(one["planes"], one["numbers"])
        names = ("rewards", "terminated", "truncated", "mask", "actors")
        self.last = BatchStep(views, *(DeviceArray(one[name]) if device else one[name] for name in names))
        self.viewers, self.lengths = one["viewers"], one["lengths"]

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Environments, {self.n} of {self.game!r}>"

    def reset(self, which: npt.ArrayLike | None = None, seed: int | Sequence[int] | None = None) -> BatchStep:
        """Start all games, or those of a mask. seed: gives chance new seeds; otherwise it continues."""
        begin = np.ones(self.n, np.bool_) if which is None else np.asarray(which, np.bool_)
        if seed is not None:
            self.deal_anew(seed)
        self._advance(self._nothing, self._workers.put(begin))
        return self.last

    def deal_anew(self, seed: int | Sequence[int]) -> None:
        """Give chance new seeds, from this moment on: those that follow one, or one for each game."""
        self._rngs = self._workers.put(batch.generators(seed, self.n))

    def step(self, actions: Any, check: bool = True) -> BatchStep:
        """Play one action in each game; a negative one leaves a game as it is, and finished games ignore it.

        actions: whole numbers, n; for a graphics card also an array on it. check: False for actions that are known to be legal.
        Errors: IllegalAction names the first game whose action is refused, and why; then no game has moved.
        """
        chosen = self._given(actions)
        if check:
            self._check(chosen)
        self._advance(chosen, self._go_on)
        return self.last

    def _check(self, chosen: Any) -> None:
        one, ended = self._arrays, self._go_on
        if self.autoreset != "same_step":
            ended = self._workers.put(self._workers.get(one["terminated"]) | self._workers.get(one["truncated"]))
        self._workers.run("wrong_games", one["states"], chosen, ended, self._wrong, tables=self._tables)
        wrong = self._workers.get(self._wrong)
        if wrong.any():
            self._refuse(int(np.argmax(wrong)), chosen)

    def look(self, seats: npt.ArrayLike) -> tuple[Observations, npt.NDArray[np.bool_]]:
        """What these seats see, one for each game, and their masks: new arrays, on the processor."""
        most = self.game.seats - 1
        check_argument(
            "seats", seats, np.shape(seats) == (self.n,) and set(np.ravel(seats)) <= set(range(most + 1)), f"0 .. {most}"
        )
        planes, numbers = np.zeros((self.n, self.observer.width), np.int8), np.zeros((self.n, len(self.observer.low)), np.float32)
        mask, put, get = np.zeros((self.n, self.game.action_count), np.bool_), self._workers.put, self._workers.get
        made, viewers = [put(mask), put(planes), put(numbers)], put(np.ascontiguousarray(seats, np.int32))
        self._workers.run("look_games", self._arrays["states"], self._seen, viewers, *made, tables=self._tables)
        mask, planes, numbers = map(get, made)
        return self.observer.parts(planes, numbers), mask

    def sample(self) -> Any:
        """A legal action of each running game at random, by the generator that also deals; -1 in finished games."""
        chosen = self._workers.put(np.zeros(self.n, np.int32))
        self._workers.run("chosen_games", self._arrays["states"], self._rngs, chosen, tables=self._tables)
        return chosen

    def clone(self, seed: int | Sequence[int] | None = None) -> Environments:
        """A copy that continues by itself. seed: gives its chance other seeds; otherwise it repeats what happens here."""
        made = copy.copy(self)
        put, get = self._workers.put, self._workers.get
        made._arrays = {name: put(get(array).copy()) for name, array in self._arrays.items()}
        made._rngs = put(get(self._rngs).copy() if seed is None else batch.generators(seed, self.n))
        made._go_on, made._wrong = put(get(self._go_on).copy()), put(get(self._wrong).copy())
        made._join()
        return made

    @property
    def states(self) -> Array:
        """n records, one for each game; from a graphics card, a copy."""
        return self._workers.get(self._arrays["states"])

    def position(self, index: int) -> Position:
        """One game as a position."""
        return Position(self.game, self.states[index : index + 1].copy())

    def _given(self, actions: Any) -> Any:
        shape = getattr(actions, "shape", None) or np.shape(actions)
        if tuple(shape) != (self.n,):
            raise BridgeheadError("error.action_game_needed_not", "actions", number=self.n, shape=tuple(shape))
        if isinstance(self._workers, Gpu) and hasattr(actions, "copy_to_host"):
            return actions
        return self._workers.put(np.ascontiguousarray(actions, np.int32))

    def _advance(self, actions: Any, begin: Any) -> None:
        one, rival = self._arrays, int(self.rival == "random")
        limit, again = self.limit or ENDLESS, AUTORESET.index(self.autoreset)
        self._workers.run(
            "advance_games", one["states"], self._seen, one["starts"], self._rngs, one["agents"], one["viewers"], one["actors"],
            one["lengths"], one["rewards"], one["terminated"], one["truncated"], one["mask"], one["planes"], one["numbers"],
            actions, begin, limit, again, rival, tables=self._tables,
        )  # fmt: skip
        self._workers.wait()

    def _refuse(self, index: int, chosen: Any) -> None:
        position, action = self.position(index), int(self._workers.get(chosen)[index])
        if self.own_actions and 0 <= action < self.game.action_count:
            action = int(self.observer.ids[position.actor, action])
        refusal = position.explain(action)
        assert refusal is not None
        raise IllegalAction(refusal, phrase("error.batch", index=index, what=refusal.phrase, clause=refusal.clause))

    def __getstate__(self) -> dict[str, Any]:
        get = self._workers.get
        arrays: dict[str, Any] = {name: get(array) for name, array in self._arrays.items()}
        arrays |= {name: arrays[name].tobytes() for name in RECORDS}  # their classes are made at run time
        rest = {
            name: value for name, value in vars(self).items() if name not in ("last", "viewers", "lengths", "_seen", "_workers")
        }
        small = {name: get(rest[name]) for name in ("_rngs", "_nothing", "_go_on", "_wrong")}
        threads = self._workers.count if isinstance(self._workers, Threads) else 0
        return {**rest, **small, "_arrays": arrays, "_tables": None, "observer": None, "_threads": threads}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        threads = vars(self).pop("_threads")
        self._workers = Threads(self.game, threads, training_kernels, LEAST) if threads else Gpu(self.game, training_kernels)
        self.observer, put = observer(self.game), self._workers.put
        dtype = self.game.new_states(0).dtype
        records = {name: np.frombuffer(self._arrays[name], dtype) for name in RECORDS}
        self._arrays = {name: put(array.copy()) for name, array in (self._arrays | records).items()}
        for name in ("_rngs", "_nothing", "_go_on", "_wrong"):
            setattr(self, name, put(getattr(self, name).copy()))
        self._tables = tuple(map(put, self.observer.relative if self.own_actions else self.observer.absolute))
        self._join()


def start(
    game: Game, n: int, seed: int | Sequence[int] = 0, *, threads: int | None = None, device: str = "cpu", **more: Any
) -> Environments:  # fmt: skip
    """`n` games for learning agents. seed: of chance in the first one, the others count on; or one for each.

    threads: None for one per core. device: "cpu", or "cuda" for a graphics card.

    more: limit (decisions after which a game is truncated), autoreset ("same_step", "next_step" or "stay"), seats, rival,
    own_actions (actions and masks numbered as the seat to act sees the board), positions (first positions, in turn).
    Errors: BridgeheadError for a wrong argument, and for a missing device or extra.
    """
    if n < 1:
        raise BridgeheadError("error.batch_holds_least_game", "n")
    autoreset, rival, limit = more.get("autoreset", "same_step"), more.get("rival"), more.get("limit")
    seats, positions = more.get("seats"), more.get("positions", ())
    check_argument("device", device, device in batch.DEVICES, ", ".join(batch.DEVICES))
    check_argument("autoreset", autoreset, autoreset in AUTORESET, ", ".join(AUTORESET))
    check_argument("rival", rival, rival in (None, "random"), "None, random")
    check_argument("limit", limit, limit is None or limit > 0, "None, 1, 2, 3 ...")
    check_argument("seats", seats, seats is None or set(np.ravel(seats)) <= set(range(game.seats)), f"0 .. {game.seats - 1}")
    check_argument("positions", positions, all(each.game == game and each.actor >= 0 for each in positions), game.spec.id)
    workers = Threads(game, threads, training_kernels, LEAST) if device == "cpu" else Gpu(game, training_kernels)
    return Environments(game, n, seed, workers, **more)


def check_argument(where: str, given: Any, is_right: bool, allowed: str) -> None:
    """Refuse an argument that is not one of those allowed. Errors: BridgeheadError."""
    if not is_right:
        raise BridgeheadError("error.none_of", where, given=repr(given)[:60], allowed=allowed)
