"""How far each seat of 40 Bridges is, whether it can still lose, and what a move changes: threats, protection, nearer corners."""

from __future__ import annotations

from collections.abc import Iterator

from bridgehead.core.caching import cached_per_game
from bridgehead.core.game import Game
from bridgehead.core.interface import Distance
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.bounds import OTHER, REASONS, cannot_lose, find_rule_set
from bridgehead.games.forty_bridges.rules import PASS, fields_of, pending_victims, sides_are_settled
from bridgehead.games.forty_bridges.words import losses, seat_phrase


def distance(position: Position, seat: int) -> Distance:
    """Steps from a seat's nearest piece to the corner, and its pieces."""
    left, steps = len(fields_of(position.state.pieces[seat])), _steps(position, seat)
    pieces = phrase("far.pieces", n=left) if left else phrase("far.none")
    words = pieces if steps is None else phrase("far", corner=phrase("far.corner", n=steps), pieces=pieces)
    return Distance((FIELDS if steps is None else steps, -left), words)


def safe(position: Position, seat: int) -> Phrase | None:
    """Why a seat can no longer lose, if that is proven."""
    law, pieces = position.game.law, position.read_only.pieces
    if position.is_over or not sides_are_settled(position.read_only, law) or (rule_set := find_rule_set(law)) == OTHER:
        return None
    reason = int(cannot_lose(pieces[seat], pieces[1 - seat], law.bit[law.goal[1 - seat]], rule_set))
    return phrase(f"safe.{REASONS[reason]}", seat=seat_phrase(seat)) if reason else None


@cached_per_game
def _ways(game: Game, seat: int) -> dict[int, int]:
    """The fewest steps to the corner that a seat wants to reach, from each field with a way of steps."""
    goal = game.board.corners[1 - seat]
    found, edge = {goal: 0}, [goal]
    for field in edge:
        near = [other for other in game.board.step[field] if other not in found]
        found |= dict.fromkeys(near, found[field] + 1)
        edge += near
    return found


def _steps(position: Position, seat: int) -> int | None:
    """The fewest steps from a piece of the seat to the corner; None if no piece has a way."""
    ways = _ways(position.game, seat)
    return min((ways[field] for field in fields_of(position.state.pieces[seat]) if field in ways), default=None)


def _on_turn(position: Position, seat: int) -> Position:
    """The same pieces with this seat on turn, and no history: repetition does not matter here."""
    none = [0] * len(position.state.once)
    return position.supposing(seat=seat, takes=0, moved=-1, quiet=0, once=none, twice=none)


def _captures(position: Position, seat: int) -> set[int]:
    """The opponent's pieces that a seat could capture with one move, if it were on turn."""
    supposed = _on_turn(position, seat)
    enough, theirs = position.game.options.sides_needed - 1, int(position.state.pieces[1 - seat])
    touch, own = position.game.law.touch, int(position.state.pieces[seat])
    pressed = [field for field in fields_of(theirs) if (int(touch[field]) & own).bit_count() >= enough]
    found: set[int] = set()
    for action in supposed.legal if pressed else ():
        if action < PASS and any(int(touch[field]) >> action % FIELDS & 1 for field in pressed):
            after = supposed.play(action)
            found |= {*losses(supposed, after)[0]}
            if after.state.takes:
                found |= {*fields_of(pending_victims(after.read_only, after.game.law))}
    return found


def _enters(position: Position, seat: int) -> bool:
    """Whether a seat could enter the opponent's corner with one move, if it were on turn."""
    goal = position.game.board.corners[1 - seat]
    return any(action < PASS and action % FIELDS == goal for action in _on_turn(position, seat).legal)


def effects(before: Position, action: int) -> list[Phrase]:
    """The threats that a move makes and parries, and a shorter way to the corner."""
    after = before.play(action)
    return [] if action >= PASS or after.is_over else list(_compared(before, after, before.actor))


def _compared(before: Position, after: Position, seat: int) -> Iterator[Phrase]:
    names, other = before.game.board.names, 1 - seat

    def name_fields(fields: set[int]) -> str:
        return ", ".join(names[field] for field in sorted(fields))

    if _enters(before, other) and not _enters(after, other):
        yield phrase("effect.guards")
    if _enters(after, seat) and not _enters(before, seat):
        yield phrase("effect.enters")
    saved = _captures(before, other) - _captures(after, other)
    start = {*fields_of(before.state.pieces[seat])} - {*fields_of(after.state.pieces[seat])}
    if moved := saved & start:
        yield phrase("effect.escapes", fields=name_fields(moved))
    if covered := saved - start:
        yield phrase("effect.saves", fields=name_fields(covered))
    if threats := _captures(after, seat) - _captures(before, seat):
        yield phrase("effect.threatens", fields=name_fields(threats))
    old, new = _steps(before, seat), _steps(after, seat)
    if new is not None and (old is None or new < old):
        yield phrase("effect.nearer", corner=phrase("far.corner", n=new))
