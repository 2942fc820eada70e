"""Positions of Burning Bridges that people set up: pieces, hostages, bridges, torches, the family to move."""

from __future__ import annotations

from collections.abc import Callable

from bridgehead.core.editing import Tool, Toolbox, forbid, whole_number
from bridgehead.core.errors import NotationError
from bridgehead.core.game import Position
from bridgehead.core.numbers import ALL, uint64
from bridgehead.core.positions import MOST_TURNS, PositionSetting, seat_named, switch
from bridgehead.core.scene import Part
from bridgehead.games.burning_bridges import rules, words


def tools(position: Position, tool: str, language: str) -> tuple[Tool, ...]:
    """Tools for pieces, hostages, bridges, torches and idle turns; the family to move, moves left, finished rounds."""
    game, state = position.game, position.state
    box, families = Toolbox(game.words.tell, language), range(game.seats)
    bridges = (
        box.touch(
            f"bridge:{words.family_name(each)}", 2, livery=words.family_name(each), family=words.family(each),
            parts=(Part(d="M-16 0H16", cls="dough-side"), Part(d="M-16 0H16", cls="dough")),
        )
        for each in families
    )  # fmt: skip
    return (
        box.touch("put", 2),
        *bridges,
        box.touch("torch", parts=(Part(use="bb-torch"),)),
        box.touch("hold", 2),
        box.touch("off"),
        box.touch("idle"),
        *(
            switch(box, f"turn:{name}", state.turn == each, name, seat=words.family(each))
            for each, name in ((each, words.family_name(each)) for each in families)
        ),
        box.number("moves", int(state.moves), 1, int(rules.full_turn(state, game.law))),
        box.number("rounds", int(state.rounds), 0, MOST_TURNS),
    )


def _piece(setting: PositionSetting, thing: str) -> int:
    """Errors: NoStroke."""
    return _read(words.piece_of, setting, thing, "p", "no.piece")


def _pillar(setting: PositionSetting, thing: str) -> int:
    """The pillar that a thing is, or on which a piece stands. Errors: NoStroke."""
    if thing.startswith("p:"):
        return int(setting.state.pos[_piece(setting, thing)])
    return _read(words.pillar_of, setting, thing, "f", "no.pillar")


def _read(reader: Callable[..., int], setting: PositionSetting, thing: str, sort: str, refused: str) -> int:
    kind, _, name = thing.partition(":")
    forbid(kind != sort, refused)
    try:
        return reader(setting.game, name)
    except NotationError:
        forbid(True, refused)
        raise


def _bridge_of(setting: PositionSetting, thing: str) -> int:
    """A bridge that lies on the board. Errors: NoStroke."""
    kind, _, name = thing.partition(":")
    line, _, colour = name.partition(":")
    forbid(kind != "b", "no.bridge")
    try:
        found = words.bridge_number(setting.game.law, words.line_of(setting.game, line), words.family_of(setting.game, colour))
    except NotationError:
        forbid(True, "no.bridge")
        raise
    forbid(not rules.has_bridge(setting.state, found), "no.bridge")
    return int(found)


def _put(setting: PositionSetting, one: str, other: str) -> None:
    """Move a piece with its hostages; a hostage is free then."""
    piece, pillar, state = _piece(setting, one), _pillar(setting, other), setting.state
    forbid(one == other, "two")
    state.captor[piece] = rules.NOBODY
    for each in range(3 * setting.game.seats):
        if each == piece or state.captor[each] == piece:
            state.pos[each] = pillar


def _hold(setting: PositionSetting, one: str, other: str) -> None:
    """A piece becomes the hostage of another, and comes to its pillar."""
    piece, captor, state = _piece(setting, one), _piece(setting, other), setting.state
    forbid(piece == captor, "two")
    state.captor[piece], state.pos[piece] = captor, state.pos[captor]
    family = captor // 3
    state.immune[family] = int(state.immune[family]) & ~(15 << 4 * piece)


def _build(setting: PositionSetting, letter: str, one: str, other: str) -> None:
    """Put a bridge of the family on the line between two pillars, or take it away."""
    family, (a, b), law = seat_named(setting.game, letter), (_pillar(setting, one), _pillar(setting, other)), setting.game.law
    forbid(a == b, "two")
    line = int(law.line_of[a, b])
    forbid(line < 0, "no.line")
    bridge = words.bridge_number(law, line, family)
    if rules.has_bridge(setting.state, bridge):
        rules.remove_bridge(setting.state, law, bridge)
        return
    rules.build(setting.state, bridge)
    setting.state.used[bridge >> 6] &= ALL ^ uint64(rules.bit(bridge))  # compiled, a bit is a plain number here


def _torch(setting: PositionSetting, thing: str) -> None:
    """Put a torch into a bridge, or take it out. Where each family has pins, the family on turn places it if it may."""
    bridge, (game, state) = _bridge_of(setting, thing), setting
    if rules.is_burning(state, bridge):
        rules.remove_torch(state, game.law, bridge)
        return
    colour, turn = bridge // game.law.lines, max(0, int(state.turn))
    able = [each % game.seats for each in range(turn, turn + game.seats)]
    able = [each for each in able if (each != colour or game.law.torch_own) and rules.has_pin(state, game.law, each)]
    forbid(not able, "no.pin")
    rules.place_torch(state, game.law, bridge, able[0])


def _off(setting: PositionSetting, thing: str) -> None:
    """Remove a bridge, or free a hostage."""
    state = setting.state
    if thing.startswith("p:"):
        piece = _piece(setting, thing)
        forbid(state.captor[piece] == rules.NOBODY, "no.off")
        state.captor[piece] = rules.NOBODY
        return
    forbid(not thing.startswith("b:"), "no.off")
    rules.remove_bridge(state, setting.game.law, _bridge_of(setting, thing))


def _idle(setting: PositionSetting, thing: str) -> None:
    """One idle turn more; none after the limit. A bridge with idle turns is not in use."""
    bridge, law, state = _bridge_of(setting, thing), setting.game.law, setting.state
    state.used[bridge >> 6] &= ALL ^ uint64(rules.bit(bridge))
    words.set_idle(state, law, bridge, (words.count_idle_turns(state, law, bridge) + 1) % (int(law.idle_limit) + 1))


def _turn(setting: PositionSetting, letter: str) -> None:
    setting.state.turn, setting.state.moves = seat_named(setting.game, letter), 2


def _moves(setting: PositionSetting, text: str) -> None:
    setting.state.moves = whole_number(text, 1, int(rules.full_turn(setting.state, setting.game.law)))


def _rounds(setting: PositionSetting, text: str) -> None:
    setting.state.rounds = whole_number(text, 0, MOST_TURNS)


STROKES: dict[tuple[str, int], Callable[..., None]] = {
    ("put", 2): _put,
    ("hold", 2): _hold,
    ("bridge:", 2): _build,
    ("torch", 1): _torch,
    ("off", 1): _off,
    ("idle", 1): _idle,
    ("turn:", 0): _turn,
    ("moves", 1): _moves,
    ("rounds", 1): _rounds,
}


def settle(setting: PositionSetting) -> None:
    """What follows from a change: the number of turns; then the game is over, captors name terms, or the family moves."""
    game, state = setting
    state.turn = max(0, int(state.turn))
    state.turns = state.rounds * game.seats + state.turn
    for piece in range(len(state.term)):
        state.term[piece] = rules.UNNAMED
    state.taken = state.reason = 0
    state.mover = state.winner = rules.NOBODY
    full = int(rules.full_turn(state, game.law))
    home, captor = int(rules.family_at_home(state, game.law)), int(rules.unnamed_captor(state))
    if home != rules.NOBODY:
        state.phase, state.reason, state.winner = rules.ENDED, rules.HOME, home
    elif captor != rules.NOBODY:
        state.phase, state.moves, state.mover = rules.TERMS, full, captor
    else:
        state.phase, state.moves = rules.MOVES, min(state.moves or full, full)
