"""Positions of 40 Bridges that people set up: pieces, and the player to move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bridgehead.core.editing import Tool, Toolbox, forbid, whole_number
from bridgehead.core.game import Position
from bridgehead.core.positions import MOST_TURNS, PositionSetting, seat_named, switch
from bridgehead.games.forty_bridges import rules, scene
from bridgehead.games.forty_bridges.text import end_due
from bridgehead.games.forty_bridges.words import seat_phrase


def tools(position: Position, tool: str, language: str) -> tuple[Tool, ...]:
    """Tools to move, place and remove pieces; the player to move; finished turns."""
    box, game, state = Toolbox(position.game.words.tell, language), position.game, position.state
    seats = [(seat, game.spec.seat_letter(seat), seat_phrase(seat)) for seat in (0, 1)]
    return (
        box.touch("put", 2),
        *(box.touch(f"piece:{each}", parts=scene.disc(each, 0.72), livery=each, seat=name) for _, each, name in seats),
        box.touch("off"),
        *(switch(box, f"turn:{each}", state.seat == seat, each, seat=name) for seat, each, name in seats),
        box.number("turns", int(state.turns), 0, MOST_TURNS),
    )


def _field(setting: PositionSetting, thing: str) -> int:
    """The field that a thing is, or stands on."""
    field = setting.game.board.field(thing.rpartition(":")[2])
    forbid(field is None, "nothing")
    return int(field)


def _seat_on(setting: PositionSetting, field: int) -> int:
    """The player whose piece stands on a field. Errors: NoStroke."""
    seats = [seat for seat in (0, 1) if field in rules.fields_of(setting.state.pieces[seat])]
    name = setting.game.board.names[field]
    forbid(not seats, "no.piece", f"f:{name}", field=name)
    return seats[0]


def _put(setting: PositionSetting, field: int, seat: int | None) -> None:
    """Only this player's piece stands on the field (None: no piece)."""
    for each in (0, 1):
        fields = set(rules.fields_of(setting.state.pieces[each])) - {field}
        setting.state.pieces[each] = rules.word(sorted(fields | ({field} if each == seat else set())))


def _move(setting: PositionSetting, one: str, other: str) -> None:
    start, end = _field(setting, one), _field(setting, other)
    forbid(start == end, "two")
    seat = _seat_on(setting, start)
    _put(setting, start, None)
    _put(setting, end, seat)


def _piece(setting: PositionSetting, letter: str, thing: str) -> None:
    """Put a piece of the player on a field in place of an opposing one, or take the player's piece off."""
    seat, field = seat_named(setting.game, letter), _field(setting, thing)
    _put(setting, field, None if field in rules.fields_of(setting.state.pieces[seat]) else seat)


def _off(setting: PositionSetting, thing: str) -> None:
    field = _field(setting, thing)
    _seat_on(setting, field)
    _put(setting, field, None)


def _turn(setting: PositionSetting, letter: str) -> None:
    """The player to move. Where player 1 begins, the number of turns fits it."""
    state = setting.state
    state.seat = seat_named(setting.game, letter)
    if not setting.game.law.first_drawn and state.turns % 2 != state.seat:
        state.turns += 1


def _turns(setting: PositionSetting, text: str) -> None:
    state = setting.state
    state.turns = whole_number(text, 0, MOST_TURNS)
    state.seat = state.turns % 2 if not setting.game.law.first_drawn else max(0, int(state.seat))


STROKES: dict[tuple[str, int], Callable[..., None]] = {
    ("put", 2): _move,
    ("piece:", 1): _piece,
    ("off", 1): _off,
    ("turn:", 0): _turn,
    ("turns", 1): _turns,
}


def settle(setting: PositionSetting) -> None:
    """What follows from a change: no earlier position is known, nothing is to be taken, the board says if the game is over."""
    game, state = setting
    begun = tuple(state.pieces) != tuple(game.law.opening) or state.turns
    if game.law.openings and state.turns < 2 and state.seat >= 0 and begun:
        state.turns += 2  # the first two moves are drawn together (FBQ-29)
    rules.clear_history(state)
    state.quiet = state.takes = state.reason = 0
    state.moved = state.winner = -1
    rules.remember(state, game.law)
    due: tuple[Any, Any] = end_due(game.law, state)
    state.reason, state.winner = due
    if state.reason:
        rules.clear_history(state)
