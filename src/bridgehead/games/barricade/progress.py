"""How far each seat of Barricade is, and what an action changes: threats, escapes, the way to the top, and barricades."""

from __future__ import annotations

from collections.abc import Iterator

from bridgehead.core.interface import Distance
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.games.barricade import actions, rules
from bridgehead.games.barricade.rules import NOBODY, places_of
from bridgehead.games.barricade.words import colours_of, meaning, owner_phrase, place_name, seat_phrase

Landings = dict[tuple[int, int], set[int]]  # the rolls that lead from a place to a square


def distance(position: Position, seat: int) -> Distance:
    """Steps from a seat's nearest pawn to the final square; barricades do not count (BAQ-25)."""
    steps = nearest(position, seat)
    return Distance((steps,), phrase("far", n=steps))


def nearest(position: Position, seat: int) -> int:
    """Steps from a seat's nearest pawn to the final square."""
    law = position.game.law
    places = [place for colour in colours_of(position.game, seat) for place in places_of(law, position.state, colour)]
    return min(int(law.steps[place, law.final]) for place in places)


def landings(position: Position, seat: int) -> Landings:
    """Where a seat's pawns could land, by roll, if it were on turn."""
    found: Landings = {}
    for die in range(1, int(position.game.law.die_sides) + 1):
        for action in position.supposing(phase=rules.MOVE, seat=seat, die=die).legal:
            act = meaning(position.game, action)
            if act.kind == actions.MOVE:
                found.setdefault((act.origin, act.square), set()).add(die)
    return found


def _opponents(position: Position, seat: int) -> list[int]:
    side = position.game.law.side
    return [other for other in range(position.game.seats) if side[other] != side[seat]]


def _hits(position: Position, seat: int) -> dict[int, set[int]]:
    """The opponents' pawns, by square, that a seat could take with one roll, and the rolls."""
    found: dict[int, set[int]] = {}
    for (_, square), rolls in landings(position, seat).items():
        owner = int(position.state.owner[square])
        if owner != NOBODY and int(position.game.law.seat_of[owner]) in _opponents(position, seat):
            found.setdefault(square, set()).update(rolls)
    return found


def _exposed(position: Position, seat: int) -> set[int]:
    """The squares where an opponent could take a pawn of the seat's side with one roll."""
    return {square for other in _opponents(position, seat) for square in _hits(position, other)}


def _advances(position: Position, seat: int) -> dict[int, set[int]]:
    """The rolls that bring each pawn of a seat, by place, nearer to the final square."""
    law, found = position.game.law, dict[int, set[int]]()
    for (origin, square), rolls in landings(position, seat).items():
        if law.steps[square, law.final] < law.steps[origin, law.final]:
            found.setdefault(origin, set()).update(rolls)
    return found


def effects(before: Position, action: int) -> list[Phrase]:
    """What a move or a barricade changes for its seat."""
    act, after = meaning(before.game, action), before.play(action)
    if act.kind not in (actions.MOVE, actions.PLACE) or after.is_over:
        return []
    return list((_moved if act.kind == actions.MOVE else _placed)(before, after, act.origin, act.square))


def _moved(before: Position, after: Position, origin: int, square: int) -> Iterator[Phrase]:
    seat, game = before.actor, before.game
    if before.state.owner[square] != NOBODY and origin != square:
        home = int(game.law.home[int(before.state.owner[square])])
        lost = int(game.law.steps[home, game.law.final] - game.law.steps[square, game.law.final])
        if lost > 0:
            yield phrase("effect.costs", other=owner_phrase(before, square), n=lost)
    if origin in _exposed(before, seat) and square not in _exposed(after, seat):
        yield phrase("effect.escapes")
    known = _hits(before, seat)
    for target, rolls in sorted(_hits(after, seat).items()):
        if target not in known:
            yield _named("effect.threatens", after, target, rolls)
    if (steps := nearest(after, seat)) < nearest(before, seat):
        yield phrase("effect.nearer", n=steps)


def _placed(before: Position, after: Position, _: int, square: int) -> Iterator[Phrase]:
    """The opponents' pawns that the barricade stops, those nearest to the final square first."""
    law, found = before.game.law, []
    for other in _opponents(before, before.actor):
        now = _advances(after, other)
        for place, rolls in _advances(before, other).items():
            if stopped := rolls - now.get(place, set()):
                found.append((int(law.steps[place, law.final]), other, place, stopped))
    for _, other, place, stopped in sorted(found, key=lambda one: (one[0], one[1:3]))[:2]:
        if place < law.squares:
            yield _named("effect.stops", before, place, stopped)
        else:
            yield phrase("effect.stopsHome", other=seat_phrase(before.game, other), rolls=_listed(stopped))


def _named(key: str, position: Position, square: int, rolls: set[int]) -> Phrase:
    names = {"other": owner_phrase(position, square), "square": place_name(position.game, square)}
    return Phrase(key, {**names, "rolls": _listed(rolls)})


def _listed(rolls: set[int]) -> str:
    return ", ".join(map(str, sorted(rolls)))
