"""Positions of Barricade that people set up: pawns, barricades, the seat to move, and the die."""

from __future__ import annotations

from collections.abc import Callable

from bridgehead.core.editing import Tool, Toolbox, forbid, whole_number
from bridgehead.core.game import Position
from bridgehead.core.numbers import fill
from bridgehead.core.positions import MOST_TURNS, PositionSetting, seat_named, switch
from bridgehead.core.scene import Part
from bridgehead.games.barricade import rules
from bridgehead.games.barricade.words import seat_phrase


def tools(position: Position, tool: str, language: str) -> tuple[Tool, ...]:
    """Tools to move, place and remove pawns and barricades; the seat to move, a barricade in hand, the die, finished turns."""
    game, state = position.game, position.state
    box, law = Toolbox(game.words.tell, language), game.law
    colours = [(game.spec.seat_letter(each), seat_phrase(game, int(law.seat_of[each]))) for each in range(law.colours)]
    has_begun = state.phase not in (rules.DRAW, rules.ROLL_OFF)
    return (
        box.touch("put", 2),
        *(box.touch(f"pawn:{each}", parts=_disc(each), livery=each, seat=name) for each, name in colours),
        box.touch("block", parts=(Part(use="ba-barricade", scale=0.8),)),
        box.touch("off"),
        *(switch(box, f"turn:{each}", has_begun and state.seat == seat, each, seat=name) for seat, (each, name) in
          enumerate(colours[: game.seats])),
        switch(box, "hand", state.phase == rules.PLACE),
        box.number("die", int(state.die), 0, int(law.die_sides)),
        box.number("turns", int(state.turns), 0, MOST_TURNS),
    )  # fmt: skip


def _disc(letter: str) -> tuple[Part, Part]:
    return Part(use="disc", scale=0.6), Part(use=f"shape-{letter}", cls="shape", scale=6.3)


def _place(setting: PositionSetting, thing: str) -> int:
    """The square or home that a thing is, or stands on. Errors: NoStroke."""
    board, name = setting.game.board, thing.rpartition(":")[2].partition(".")[0]
    homes = [f"home{home.id}" for home in board.homes]
    forbid(name not in homes and name not in board.names, "nothing")
    return len(board.names) + homes.index(name) if name in homes else int(board.names.index(name))


def _blocked(setting: PositionSetting, place: int) -> bool:
    return place < setting.game.law.squares and bool(rules.has_barricade(setting.state, place))


def _toggle(setting: PositionSetting, square: int) -> None:
    setting.state.barricades[square >> 6] ^= rules.bit(square)


def _colour(setting: PositionSetting, place: int) -> int:
    """The colour of a pawn on a square or in a home; -1 if there is none."""
    law, state = setting.game.law, setting.state
    if place < law.squares:
        return int(state.owner[place])
    colour = int(law.colour_at[place - law.squares])
    return colour if colour >= 0 and state.at_home[colour] else -1


def _home_again(setting: PositionSetting, square: int) -> None:
    """Send the pawn on a square home, if there is one."""
    game, state = setting
    if state.owner[square] >= 0:
        colour = rules.lift(state, game.law, square)
        rules.put(state, game.law, colour, int(game.law.home[colour]))


def _put(setting: PositionSetting, one: str, other: str) -> None:
    """Move a pawn or a barricade; a pawn that stands there goes home."""
    game, state = setting
    end = _place(setting, other)
    if one == "b:hand":
        forbid(state.phase != rules.PLACE, "nothing")
        _block(setting, other)
        state.phase, state.die = rules.ROLL, 0
        return
    start = _place(setting, one)
    forbid(start == end, "two")
    if _blocked(setting, start):
        _block(setting, other)
        _toggle(setting, start)
        return
    colour = _colour(setting, start)
    forbid(colour < 0, "no.thing")
    if end < game.law.squares:
        forbid(_blocked(setting, end), "no.blocked", f"f:{game.board.names[end]}")
        _home_again(setting, end)
    else:
        end = int(game.law.home[colour])
        forbid(start == end, "two")
    rules.lift(state, game.law, start)
    rules.put(state, game.law, colour, end)


def _pawn(setting: PositionSetting, letter: str, thing: str) -> None:
    """Bring a pawn of a colour from its home onto a square, or send it home."""
    game, state = setting
    letters = [game.spec.seat_letter(colour) for colour in range(game.law.colours)]
    forbid(letter not in letters, "nothing")
    colour, square = letters.index(letter), _place(setting, thing)
    forbid(square >= game.law.squares, "no.field")
    if state.owner[square] == colour:
        _home_again(setting, square)
        return
    forbid(not state.at_home[colour], "no.pawn")
    _put(setting, f"f:home{game.board.homes[int(game.law.home[colour]) - game.law.squares].id}", thing)


def _block(setting: PositionSetting, thing: str) -> None:
    """Put a barricade on a square, or take it away."""
    square = _place(setting, thing)
    forbid(square >= setting.game.law.squares, "no.field")
    forbid(setting.state.owner[square] >= 0, "no.empty", f"f:{setting.game.board.names[square]}")
    _toggle(setting, square)


def _off(setting: PositionSetting, thing: str) -> None:
    square = _place(setting, thing)
    forbid(square >= setting.game.law.squares or (not _blocked(setting, square) and _colour(setting, square) < 0), "no.thing")
    if _blocked(setting, square):
        _toggle(setting, square)
    _home_again(setting, square)


def _turn(setting: PositionSetting, letter: str) -> None:
    state = setting.state
    state.seat = seat_named(setting.game, letter)
    if state.phase < rules.ROLL:
        state.phase = rules.ROLL


def _hand(setting: PositionSetting) -> None:
    """A barricade in hand, still to be placed; or none."""
    state = setting.state
    if state.phase == rules.PLACE:
        state.phase = rules.MOVE
    else:
        state.phase, state.die = rules.PLACE, state.die or 1


def _die(setting: PositionSetting, text: str) -> None:
    state = setting.state
    state.die = whole_number(text, 0, int(setting.game.law.die_sides))
    if state.die == 0 or state.phase != rules.PLACE:
        state.phase = rules.MOVE if state.die else rules.ROLL


def _turns(setting: PositionSetting, text: str) -> None:
    setting.state.turns = whole_number(text, 0, MOST_TURNS)


STROKES: dict[tuple[str, int], Callable[..., None]] = {
    ("put", 2): _put,
    ("pawn:", 1): _pawn,
    ("block", 1): _block,
    ("off", 1): _off,
    ("turn:", 0): _turn,
    ("hand", 0): _hand,
    ("die", 1): _die,
    ("turns", 1): _turns,
}


def settle(setting: PositionSetting) -> None:
    """What follows from a change: somebody has begun once a piece was moved, and a pawn on the final square has won."""
    law, state = setting.game.law, setting.state
    moved = any(colour >= 0 for colour in state.owner) or list(state.barricades) != list(law.start)
    if moved or state.turns:
        if state.phase < rules.ROLL:
            state.phase, state.seat, state.die = rules.ROLL, 0, 0
        state.turns = max(1, state.turns)
    if state.phase != rules.ROLL_OFF:
        fill(state.rolled, 0)
    winner, was_over = int(state.owner[law.final]), state.phase == rules.OVER
    state.reason = rules.FINAL if winner >= 0 else rules.TURN_LIMIT if law.turn_limit and state.turns >= law.turn_limit else 0
    if winner >= 0:
        state.seat, state.die = int(law.seat_of[winner]), state.die or 1
    if state.reason:
        state.phase = rules.OVER
    elif was_over:
        state.phase, state.die = rules.ROLL, 0
