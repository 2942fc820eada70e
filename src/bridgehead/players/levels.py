"""Eight named levels per game: the search of each, and how often it plays a weaker action than the best it has found."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import threading
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from bridgehead.core import caching
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError, OptionError, convert_error
from bridgehead.core.extras import MissingExtra
from bridgehead.core.game import Game, Position
from bridgehead.core.spec import Spec
from bridgehead.core.validation import ready
from bridgehead.players.engine import Judgement, can_be_searched, engine
from bridgehead.players.thoughts import REPLY, Budget, JudgingStyle, Limit
from bridgehead.players.watching import LookBack, others_look_one_ahead

NAMES = ("wanderer", "scout", "guide", "ranger", "engineer", "captain", "strategist", "master")
FINEST = 1 << 30  # resolution of the weights of a draw
SURE = 1 - 1e-9  # highest expected result for which odds are computed
MOST_MADE = 1 << 32  # more than the decisions of a game
Changes = dict[int, dict[str, Any]]  # settings of a level that are other ones among so many sides
ALL = 1e-9  # slack for which a search gives all actions, and the best one is chosen


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a level plays.

    looks: "ahead": evaluates the position after each action; "search": UCT with `budget` simulations; "deep": alpha-beta with
    `budget` positions; "turn": expectimax within the turn, likewise. slack: an action whose expected result (-1 to 1) is this
    much below the best is e times less likely; 0: always the best. odds: slack applies to the log odds of winning, so the level
    errs equally often when it is far behind. careful: it has common sense (players/sense.py): it takes a win at once and leaves
    out foolish actions. explore, trust, cut, answered, expects: parameters of UCT (players/tree.py). material: of alpha-beta
    (`JudgingStyle`). reply: simulations of a search for the best reply to others who look one action ahead, where the latest play
    looks like that (players/watching.py); 0: no such search.
    """

    looks: Literal["ahead", "search", "deep", "turn"]
    budget: Annotated[int, Meta(ge=0)] = 0
    slack: Annotated[float, Meta(ge=0)] = 0.0
    explore: float = 0.6
    trust: float = 3.0
    cut: int = 8
    answered: bool = False
    expects: bool = False
    reply: Annotated[int, Meta(ge=0)] = 0
    odds: bool = False
    careful: bool = False
    material: Annotated[float, Meta(ge=0)] = 0.0


@functools.cache
def levels(spec: Spec, sides: int = 0, house: str = "") -> dict[str, Level]:
    """The levels of a game among so many sides (0: any other number), from the weakest to the strongest.

    They are in `levels.toml` in its folder. `[captain.sides.4]` changes settings of the captain among four, and an entry of
    `[[captain.rules]]` those by the house rules that it names as `house`. house: such house rules as JSON, sorted; "": any
    others. A game with an evaluation and without that file has those of players/levels.toml. Errors: OptionError.
    """
    found = _read(spec)
    return found.get((sides, house)) or found.get((0, house), {})


@caching.cached_per_game
def levels_at(game: Game) -> dict[str, Level]:
    """The levels at a table of this game, as `levels`: by the first house rules of the file that it has."""
    known = dict.fromkeys(house for _, house in _read(game.spec) if house)
    fits = (house for house in known if json.loads(house).items() <= game.differences.items())
    return levels(game.spec, len(set(game.sides)), next(fits, ""))


@functools.cache
def _read(spec: Spec) -> dict[tuple[int, str], dict[str, Level]]:
    """The levels for each number of sides and each set of house rules that the file names, and for all others (0, "")."""
    file = spec.folder / "levels.toml"
    if not file.exists():
        if not spec.is_evaluated:
            return {}
        file = Path(__file__).with_name("levels.toml")
    try:
        tables = msgspec.convert(tomllib.loads(file.read_text("utf-8")), type=dict[str, dict[str, Any]])
        changes = {name: msgspec.convert(table.pop("sides", {}), type=Changes, str_keys=True) for name, table in tables.items()}
        by_house = {name: _sort_by_house(table.pop("rules", [])) for name, table in tables.items()}
        found = {
            (sides, house): msgspec.convert(
                {name: table | changes[name].get(sides, {}) | by_house[name].get(house, {}) for name, table in tables.items()},
                type=ready(dict[str, Level]),
            )
            for house in dict.fromkeys(["", *(house for each in by_house.values() for house in each)])
            for sides in sorted({0}.union(*changes.values()))
        }
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as error:
        raise OptionError(convert_error(error).whole, str(file)) from None
    if tuple(found[0, ""]) != NAMES:
        raise OptionError("players:error.levels_order", str(file), names=", ".join(NAMES))
    return found


def _sort_by_house(written: Any) -> dict[str, dict[str, Any]]:
    """The settings of a level by the house rules that they are for, as JSON."""
    found = msgspec.convert(written, type=list[dict[str, Any]])
    return {json.dumps(msgspec.convert(each.pop("house", {}), type=dict[str, Any]), sort_keys=True): each for each in found}


def fingerprint(spec: Spec, names: Sequence[str] = NAMES, tables: Sequence[dict[str, Level]] = ()) -> str:
    """A hash of the levels' settings and of the weights; it differs for levels that play differently.

    tables: the levels that it is for; (): those of every number of sides and all house rules.
    """
    usual = msgspec.structs.asdict(Level("ahead"))
    settings = [
        msgspec.structs.asdict(found[name]).items() - usual.items()
        for found in tables or _read(spec).values()
        for name in names
        if name in found
    ]
    digest = hashlib.sha256(json.dumps([sorted(each) for each in settings]).encode())  # a new field keeps old hashes
    weights = spec.folder / "weights.json"
    if weights.exists():
        held = json.loads(weights.read_text("utf-8"))
        for learned in (held["weights"], *([held["net"]] if "net" in held else [])):
            digest.update(json.dumps(learned, sort_keys=True).encode())
    return digest.hexdigest()[:16]


def looks_of(spec: Spec, name: str) -> str:
    """How a player looks ahead: a level's kind, or the kind in its name ("random", "greedy", "search:50")."""
    found, kind = levels(spec).get(name), name.partition(":")[0]
    return found.looks if found else "ahead" if kind == "greedy" else kind


def searches(game: Game, name: str) -> bool:
    """Does a level search? Then it thinks in a process of its own."""
    found = levels_at(game).get(name)
    return found is not None and found.looks != "ahead"


def check_search(game: Game, name: str) -> None:
    """Check that a level which searches can do so on this machine. Errors: MissingExtra."""
    if searches(game, name) and not can_be_searched(game):
        raise MissingExtra("lab")


def watches(game: Game, name: str) -> bool:
    """Does a level want to see the latest play?"""
    found = levels_at(game).get(name)
    return found is not None and found.reply > 0


class LevelPlayer:
    """Plays at a named level, from the position as the table shows it; repeatable by its seed.

    level: overrides the game's settings of that name.
    """

    def __init__(self, name: str, seed: int | str, level: Level | None = None, stop: threading.Event | None = None) -> None:
        self.name = name
        self._level = level
        self._stop = stop
        self._seed = seed
        self._made = 0

    def __repr__(self) -> str:
        return f"<Player {self.name}, seed {self._seed}>"

    def choose(self, position: Position, look_back: LookBack | None = None) -> int:
        """A legal action: the best one or, by its slack, a weaker one. Errors: as `deciding`.

        look_back: gives the latest play.
        """
        seat = deciding(position)
        level = self._level or levels_at(position.game)[self.name]
        if level.reply and look_back is not None and others_look_one_ahead(look_back(), seat):
            level = msgspec.structs.replace(level, budget=level.reply, **REPLY)
        self._made += 1
        return self._careful(position, level) if level.careful else self._drawn(self._expected(position, level), level)

    def _careful(self, position: Position, level: Level) -> int:
        """The same with common sense: an action that wins at once, else one that is not foolish, if there is one."""
        sense = engine(position.game).make_blunder_filter(position)
        if (won := sense.winning()) is not None:
            return won
        worth = self._expected(position, level)
        chosen = self._sensible({action: worth[action] for action in sense.find_safest(worth)}, level, sense)
        if chosen is None and level.slack == 0:
            chosen = self._sensible(self._expected(position, msgspec.structs.replace(level, slack=ALL)), level, sense)
        return self._drawn(worth, level) if chosen is None else chosen

    def _expected(self, position: Position, level: Level) -> dict[int, float]:
        return estimate_actions(position, level, f"{self._seed}:{self._made}", self._stop)

    def _sensible(self, worth: dict[int, float], level: Level, sense: Judgement) -> int | None:
        """The first action drawn that is not foolish; None if all are."""
        for again in range(len(worth)):
            chosen = self._drawn(worth, level, again)
            if not sense.is_blunder(chosen):
                return chosen
            del worth[chosen]
        return None

    def _drawn(self, worth: dict[int, float], level: Level, again: int = 0) -> int:
        """One of the actions, by the level's slack. again: the number of draws for this decision that were not taken."""
        lot, number = SeededDealer(f"{self.name}:{self._seed}"), self._made + again * MOST_MADE
        if level.odds:
            worth = {action: 2 * math.atanh(max(-SURE, min(SURE, each))) for action, each in worth.items()}
        best = max(worth.values())
        if level.slack == 0:
            return lot.pick([action for action, each in worth.items() if each == best], number)
        weights = [round(FINEST * math.exp((each - best) / level.slack)) for each in worth.values()]
        return lot.draw(list(worth), weights, number)


def deciding(position: Position) -> int:
    """The seat to act. Errors: BridgeheadError if chance is to act or the game is over."""
    if position.actor < 0:
        why = "the game is over" if position.is_over else "chance is to act, and a dealer says how it goes (Match.deal)"
        raise BridgeheadError("players:error.no_seat_act_2", "position", why=why)
    return position.actor


def estimate_actions(position: Position, level: Level, seed: str, stop: threading.Event | None = None) -> dict[int, float]:
    """The result that a level expects of each action, for the seat to act. Actions cut by its search are missing."""
    seat = position.actor
    if level.looks == "ahead":
        return one_ahead(position)
    searching, limit, style = engine(position.game), Limit(nodes=level.budget), JudgingStyle(material=level.material)
    if level.looks == "deep":
        if level.slack == 0:
            return {searching.find_best_action(position, limit, stop, style): 1.0}
        return {each.action: each.expected[seat] for each in searching.rank_actions(position, limit, stop, style).candidates}
    if level.looks == "turn":
        return {each.action: each.expected[seat] for each in searching.search_turns(position, limit, stop).candidates}
    budget, nodes = Budget(simulations=level.budget), max(60_000, (100 if level.answered else 30) * level.budget)
    thought = searching.search_tree(
        position, budget, seed, stop, nodes=nodes, explore=level.explore, trust=level.trust, cut=level.cut,
        answered=level.answered, expects=level.expects,
    )  # fmt: skip
    if level.slack == 0:
        return {thought.action: 1.0}
    enough = max(each.visits for each in thought.candidates) / 4  # what was looked at less seems good by luck
    return {each.action: each.expected[seat] for each in thought.candidates if each.visits >= enough or each.proven}


def values_ahead(position: Position) -> dict[int, float]:
    """The game's evaluation after each legal action, for the seat to act."""
    return engine(position.game).score_actions(position)


def one_ahead(position: Position) -> dict[int, float]:
    """The result that the evaluation expects after each legal action, for the seat to act."""
    scale = position.game.spec.evaluate.SCALE
    return {action: math.tanh(value / (2 * scale)) for action, value in values_ahead(position).items()}


def evaluate_position(position: Position) -> tuple[float, ...]:
    """The result of each seat that the evaluation expects."""
    scale = position.game.spec.evaluate.SCALE
    return tuple(math.tanh(value / (2 * scale)) for value in engine(position.game).values(position))
