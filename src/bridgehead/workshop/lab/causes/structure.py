"""What a game gives to each seat before anybody thinks: its distance, its first choices, who begins, and the symmetries.

Everything is read from the interface that every game has; distances need `progress.py`.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.caching import cached_per_game
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game, Position
from bridgehead.core.own_boards import count_steps
from bridgehead.core.phrases import ENGLISH

Array = np.ndarray[Any, Any]
GAMES, PLIES = 12, 120  # games at random, and actions of each, that show first choices and reachable fields
NEAR = 0.02  # part of the board's size: closer places are the same
BRANCHES = 400  # positions before the first decision that are looked at one by one


class HomeFeatures(NamedTuple):
    """What a seat starts with. distance: from its goal in the game's measure, None if unknown; ways: legal actions of its
    first decision, on average over random games."""

    distance: int | None
    ways: float


class Structure(NamedTuple):
    """homes: by seat; begins: each seat's chance to begin; symmetries: the seats' exchanges that leave the board as it is, as
    permutations; reached: the fields that pieces entered in random games; fields: all fields."""

    homes: tuple[HomeFeatures, ...]
    begins: tuple[float, ...]
    symmetries: tuple[tuple[int, ...], ...]
    reached: frozenset[str]
    fields: tuple[str, ...]

    @property
    def classes(self) -> list[set[int]]:
        """Seats that the board and the homes cannot tell apart."""
        found: list[set[int]] = []
        for seat in range(len(self.homes)):
            if not any(seat in each for each in found):
                found.append({seat} | {exchange[seat] for exchange in self.symmetries})
        return found

    @property
    def is_symmetric(self) -> bool:
        """Whether the board gives every seat the same."""
        return len(self.classes) == 1

    @property
    def first(self) -> int | None:
        """The seat that always begins, or None."""
        return next((seat for seat, share in enumerate(self.begins) if share > 0.999), None)

    @property
    def is_drawn(self) -> bool:
        """Whether each seat begins equally often."""
        return max(self.begins) - min(self.begins) < 0.02


@cached_per_game
def structure(game: Game) -> Structure:
    """The structure of a game."""
    ways, reached = _first_choices(game)
    homes = tuple(
        HomeFeatures(count_steps(game, seat), float(np.mean(ways[seat])) if ways[seat] else 0.0) for seat in range(game.seats)
    )
    fields = tuple(field.id for field in game.spec.scene.picture(game, ENGLISH).fields)
    return Structure(homes, begins(game), _symmetries(game, homes), frozenset(reached), fields)


def measure_gap(game: Game) -> int | None:
    """How much further from its goal the furthest seat starts than the nearest; None where distances are unknown."""
    found = [count_steps(game, seat) for seat in range(game.seats)]
    known = [each for each in found if each is not None]
    return max(known) - min(known) if len(known) == len(found) else None


def _first_choices(game: Game) -> tuple[dict[int, list[int]], set[str]]:
    """The legal actions of each seat's first decision, and the fields that were entered, in random games."""
    ways, reached = defaultdict[int, list[int]](list), set[str]()
    for number in range(GAMES):
        position, lot, seen = game.start(), SeededDealer(f"structure:{number}"), set[int]()
        for ply in range(PLIES):
            if position.is_over:
                break
            weights = position.weights or (1,) * len(position.legal)
            if position.actor >= 0 and position.actor not in seen:
                seen.add(position.actor)
                ways[position.actor].append(len(position.legal))
            action = lot.draw(position.legal, weights, ply)
            after = position.play(action)
            reached |= {trace.via[-1] for trace in game.spec.scene.traces(position, action, after) if trace.via}
            position = after
    return ways, reached & {field.id for field in game.spec.scene.picture(game, ENGLISH).fields}


def begins(game: Game) -> tuple[float, ...]:
    """Each seat's chance to begin, from all outcomes of chance before the first decision."""
    found, waiting, looked = np.zeros(game.seats), [(game.start(), 1.0)], 0
    while waiting:
        position, likely = waiting.pop(0)
        looked += 1
        if position.is_chance and looked < BRANCHES:
            total = sum(position.weights)
            outcomes = zip(position.legal, position.weights, strict=True)
            waiting += [(position.after(action), likely * weight / total) for action, weight in outcomes]
        else:
            found[_decides(position)] += likely
    return tuple(float(each) for each in found)


def _decides(position: Position) -> int:
    """The seat that decides first, after any more draws."""
    lot = SeededDealer("begins")
    for ply in itertools.count():
        if not position.is_chance or ply > PLIES:
            break
        position = position.after(lot.draw(position.legal, position.weights, ply))
    return max(0, position.actor)


# Symmetries


def _symmetries(game: Game, homes: tuple[HomeFeatures, ...]) -> tuple[tuple[int, ...], ...]:
    """Exchanges of seats by turning or mirroring the picture, which leave fields, ways between them and starts as they are."""
    fields = game.spec.scene.picture(game, ENGLISH).fields
    joined, marked = game.spec.scene.ways(game)
    used = [field for field in fields if not joined or any(field.id in pair for pair in joined)]
    if len(used) < 2:  # without a board nothing but the order tells seats apart
        return tuple(tuple((seat + turn) % game.seats for seat in range(game.seats)) for turn in range(game.seats))
    places = np.array([(field.x, field.y) for field in used])
    centre = (places.max(axis=0) + places.min(axis=0)) / 2 if game.seats == 2 else places.mean(axis=0)
    places = places - centre
    near, owners = NEAR * float(np.ptp(places)), _owners(game, centre)
    found = set[tuple[int, ...]]()
    for turned in _isometries(places, near):
        image = _image(places @ turned.T, places, near)
        if image is None:
            continue
        name = {used[i].id: used[j].id for i, j in enumerate(image)}
        if {(name.get(a), name.get(b)) for a, b in joined} != joined or {name.get(n): r for n, r in marked.items()} != marked:
            continue
        exchange = _exchange(owners, turned, near, game.seats)
        if exchange is not None and all(homes[exchange[seat]].distance == homes[seat].distance for seat in range(game.seats)):
            found.add(exchange)
    return tuple(sorted(found | {tuple(range(game.seats))}))


def _owners(game: Game, centre: Array) -> list[tuple[Array, int]]:
    """The places of pieces at the start, and their seats (-1: of nobody)."""
    position, letters = game.start(), [game.spec.seat_letter(seat) for seat in range(game.seats)]
    items = [item for item in game.spec.scene.items(position, ENGLISH) if item.id[:2] in ("p:", "b:")]
    seats = [letters.index(item.seat) if item.seat in letters else -1 for item in items]
    return [(np.array([item.x, item.y]) - centre, seat) for item, seat in zip(items, seats, strict=True)]


def _isometries(places: Array, near: float) -> list[Array]:
    """Turns and reflections about the middle that take a field that is furthest from it to another one as far from it."""
    far = np.hypot(places[:, 0], places[:, 1])
    edge, found = places[np.abs(far - far.max()) <= near], []
    start = np.arctan2(edge[0, 1], edge[0, 0])
    for x, y in edge:
        turn = np.arctan2(y, x) - start
        cos, sin = np.cos(turn), np.sin(turn)
        twice = np.arctan2(y, x) + start
        found += [np.array([[cos, -sin], [sin, cos]])]
        found += [np.array([[np.cos(twice), np.sin(twice)], [np.sin(twice), -np.cos(twice)]])]
    return found


def _image(turned: Array, places: Array, near: float) -> list[int] | None:
    """The field on which each turned one comes to lie; None unless each comes to lie on another one."""
    far = np.hypot(*(turned[:, None] - places).transpose(2, 0, 1))
    image = far.argmin(axis=1)
    fits = (far.min(axis=1) <= near).all() and len(set(image.tolist())) == len(places)
    return [int(each) for each in image] if fits else None


def _exchange(owners: list[tuple[Array, int]], turned: Array, near: float, seats: int) -> tuple[int, ...] | None:
    """The seat whose pieces the turned pieces of each seat come to lie on; None if they do not."""
    to: dict[int, int] = {}
    for place, seat in owners:
        there = turned @ place
        covered = {other for spot, other in owners if np.hypot(*(spot - there)) <= 2 * near}
        if not covered:
            return None
        if seat >= 0 and seat in to and to[seat] not in covered:
            return None
        if (seat < 0) != (covered == {-1}):
            return None
        to.setdefault(seat, min(covered))
    found = tuple(to.get(seat, -1) for seat in range(seats))
    return found if sorted(found) == list(range(seats)) else None


# Options


class Break(NamedTuple):
    """A house rule that makes seats differ, or would make them equal. what: "order" or "board"."""

    option: str
    value: Any
    what: str


def breaks(game: Game) -> list[Break]:
    """The designer's house rules without which all seats would begin equally often, or be equal by the board."""
    return [Break(name, value, what) for name, value in game.differences.items() for what in _equal_with(game, name, None)]


def mends(game: Game) -> list[Break]:
    """Single values of house rules with which every seat begins equally often, where now it does not."""
    if structure_begins_equal(game):
        return []
    tried, found = house.tries(game.spec), []
    for name, values in tried.items():
        if name == "seats" or name in house.find_hidden_options(game.options):
            continue
        for value in values:
            made = _with(game, {name: value})
            if made is not None and made.sides == game.sides and made != game and structure_begins_equal(made):
                found.append(Break(name, value, "order"))
    return found


def structure_begins_equal(game: Game) -> bool:
    """Whether each seat begins equally often."""
    share = begins(game)
    return max(share) - min(share) < 0.02


def _equal_with(game: Game, name: str, value: Any) -> list[str]:
    """What becomes equal among seats if a house rule is as in the standard game."""
    rules = {other: each for other, each in game.differences.items() if other != name}
    try:
        made = registry.game(game.spec.id, **rules)
    except BridgeheadError:
        return []
    if made.seats != game.seats:
        return []
    now, then = structure(game), structure(made)
    return ["order"] * (then.is_drawn and not now.is_drawn) + ["board"] * (len(then.classes) < len(now.classes))


def _with(game: Game, rules: dict[str, Any]) -> Game | None:
    try:
        return registry.game(game.spec.id, **game.differences | rules)
    except BridgeheadError:
        return None
