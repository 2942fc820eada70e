"""Positions as one readable line.

    moves a 2 round 3 turns 14; pieces aL R0, aM R0, aS B1 bM, ...; bridges A0-B0 a 3 used torch; immune b>aS 2;
    terms bM destroy A0-B0

The first part is the phase, the family on turn, its moves left (`take a 1 L 0`: the piece that takes and the number
that it took; `over a 0 home b`: the reason and the winner), finished rounds and turns. A piece has its pillar and captor; a
bridge its colour, idle turns, `used`, `torch` (with pins 10each `torch by c`). Empty parts are left out.
"""

# mypy: allow-untyped-calls

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bridgehead.core.errors import NotationError, PositionError
from bridgehead.core.game import Game
from bridgehead.core.phrases import phrase
from bridgehead.core.position import Position
from bridgehead.games.burning_bridges.accessors import bridge_number, placer, set_idle
from bridgehead.games.burning_bridges.board import SIZES
from bridgehead.games.burning_bridges.bridges import bit, build, has_bridge, has_pin, place_torch
from bridgehead.games.burning_bridges.hostages import unnamed_captor
from bridgehead.games.burning_bridges.names import family_name, family_of, line_of, piece_name, piece_of, pillar_of, size_of
from bridgehead.games.burning_bridges.possible import check
from bridgehead.games.burning_bridges.rules import REASONS, setup
from bridgehead.games.burning_bridges.state import (
    DRAW,
    ENDED,
    NOBODY,
    PHASES,
    RIDING,
    SUPPLY,
    SUPPLY_EACH,
    TAKING,
    TERM_IS_CHOICE,
    TERM_IS_DESTROY,
    TERM_IS_NONE,
    TERM_IS_UNTORCH,
    TERMS,
    UNNAMED,
    S,
)
from bridgehead.games.burning_bridges.words import facts

SECTIONS = ("pieces", "bridges", "immune", "terms")


def dump(position: Position) -> str:
    """The position in one line."""
    game, public = position.game, facts(position)
    pieces = [f"{piece} {pillar}" + (f" {captor}" if captor else "") for piece, (pillar, captor) in public["pieces"].items()]
    bridges = []
    for key, (torch, idle, used) in public["bridges"].items():
        line, colour = (reader(game, word) for reader, word in zip((line_of, family_of), key.split(" "), strict=True))
        by = f" by {family_name(placer(position, line, colour))}" if torch and game.law.pins_each else ""
        bridges.append(f"{key} {idle}{' used' * used}{' torch' * torch}{by}")
    sections = {
        "pieces": pieces,
        "bridges": bridges,
        "immune": [f"{key} {left}" for key, left in public["immune"].items()],
        "terms": [f"{captor} {term}" for captor, term in public["terms"].items()],
    }
    head = f"{_head(position)} round {public['round']} turns {position.turn}"
    return "; ".join([head, *(f"{name} {', '.join(items)}" for name, items in sections.items() if items)])


def _head(position: Position) -> str:
    state = position.state
    words = [PHASES[state.phase]]
    if state.phase == DRAW:
        return words[0]
    words += [family_name(int(state.turn)), str(state.moves)]
    if state.phase == TAKING:
        words += [SIZES[state.mover % 3], str(state.taken)]
    if state.phase == ENDED:
        words += [REASONS[state.reason][0], "none" if state.winner == NOBODY else family_name(int(state.winner))]
    return " ".join(words)


def load(game: Game, text: str) -> np.ndarray[Any, Any]:
    """An array of the one state that the text describes.

    Errors: PositionError for an unreadable text or an impossible position; `where` is the part of the text.
    """
    parts = [part.strip() for part in text.split(";")]
    sections: dict[str, list[str]] = {}
    for part in parts[1:]:
        name, _, items = part.partition(" ")
        if name not in SECTIONS:
            where = phrase("burning_bridges:error.part", part=repr(part[:20]))
            raise PositionError("burning_bridges:error.got", where, sections=", ".join(SECTIONS), name=repr(name))
        if name in sections:
            raise PositionError("burning_bridges:error.part_comes_twice", name)
        sections[name] = [item.strip() for item in items.split(",")]
    states = game.new_states(1)
    setup(states[0], game.law)
    _read("head", lambda: _read_head(game, states[0], parts[0].split()))
    seen: set[object] = set()
    for name, reader in (("pieces", _piece), ("bridges", _bridge), ("immune", _immune), ("terms", _term)):
        for item in sections.get(name, []):
            key = (name, _read(f"{name}: {item}", lambda reader=reader, item=item: reader(game, states[0], item.split())))  # type: ignore[misc]
            if key in seen:
                raise PositionError("burning_bridges:error.named_twice_2", f"{name}: {item}")
            seen.add(key)
    for piece in range(3 * game.seats):
        if ("pieces", piece) not in seen:
            raise PositionError("burning_bridges:error.missing_2", "pieces", piece=piece_name(piece))
    if states[0].phase == TERMS:
        states[0].mover = unnamed_captor(states[0])
    check(game, states[0])
    return states


def _read(where: str, reader: Callable[[], object]) -> object:
    """Call a reader; add the place in the text to its errors."""
    try:
        return reader()
    except (NotationError, PositionError) as error:
        raise PositionError(error.phrase, where) from None


def _number(word: str, most: int) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > 9 or int(word) > most:
        raise PositionError("burning_bridges:error.number_from_0_got", most=most, word=repr(word))
    return int(word)


def _word(words: list[str], index: int) -> str:
    if index >= len(words):
        raise PositionError("burning_bridges:error.something_missing_end")
    return words[index]


def _finished(words: list[str], length: int) -> None:
    if len(words) > length:
        raise PositionError("burning_bridges:error.did_not_expect", words=repr(words[length]))


def _read_head(game: Game, state: Any, words: list[str]) -> None:
    phase = _word(words, 0)
    if phase not in PHASES:
        raise PositionError("burning_bridges:error.phase_got", phases=", ".join(PHASES), phase=repr(phase))
    state.phase, state.turn, state.moves = PHASES.index(phase), NOBODY, 0
    at = 1
    if state.phase != DRAW:
        state.turn, state.moves, at = family_of(game, _word(words, 1)), _number(_word(words, 2), 2), 3
    if state.phase == TAKING:
        state.mover, state.taken, at = 3 * state.turn + size_of(game, _word(words, 3)), _number(_word(words, 4), 1), 5
    if state.phase == RIDING:
        state.mover = 3 * state.turn + S
    if state.phase == ENDED:
        reasons = [reason for reason, _ in REASONS]
        if _word(words, 3) not in reasons:
            raise PositionError("burning_bridges:error.reason_got", reasons=", ".join(reasons[1:]), words=repr(words[3]))
        state.reason, winner, at = reasons.index(words[3]), _word(words, 4), 5
        state.winner = NOBODY if winner == "none" else family_of(game, winner)
    if [_word(words, at), _word(words, at + 2)] != ["round", "turns"]:
        raise PositionError("burning_bridges:error.round_n_turns_n")
    state.rounds, state.turns = (_number(_word(words, at + i), 10**9) for i in (1, 3))
    _finished(words, at + 4)


def _piece(game: Game, state: Any, words: list[str]) -> object:
    piece = piece_of(game, _word(words, 0))
    state.pos[piece] = pillar_of(game, _word(words, 1))
    state.captor[piece] = piece_of(game, words[2]) if len(words) > 2 else NOBODY
    _finished(words, 3)
    return piece


def _bridge(game: Game, state: Any, words: list[str]) -> object:
    line, colour, idle = line_of(game, _word(words, 0)), family_of(game, _word(words, 1)), _number(_word(words, 2), 99)
    bridge = bridge_number(game.law, line, colour)
    if has_bridge(state, bridge):
        raise PositionError("burning_bridges:error.named_twice_2")
    build(state, bridge)
    at = 4 if words[3:4] == ["used"] else 3
    if idle > game.law.idle_limit:
        raise PositionError("burning_bridges:error.idle_more_than_turns", idle_limit=game.law.idle_limit)
    set_idle(state, game.law, bridge, idle)
    if at == 3:
        state.used[bridge >> 6] &= ~np.uint64(bit(bridge))  # compiled, a bit is a plain number here
    if words[at : at + 1] == ["torch"]:
        at += 1
        placer = NOBODY
        if game.law.pins_each:
            if words[at : at + 1] != ["by"]:
                raise PositionError("burning_bridges:error.pins_10each_torch_needs_family")
            placer, at = family_of(game, _word(words, at + 1)), at + 2
            if placer == colour and not game.law.torch_own:
                raise PositionError("burning_bridges:error.nobody_torches_own_bridge")
        if not has_pin(state, game.law, placer):
            if game.law.pins_each:
                raise PositionError("burning_bridges:error.torches.own", family=family_name(placer), most=SUPPLY_EACH)
            raise PositionError("burning_bridges:error.torches", most=SUPPLY)
        place_torch(state, game.law, bridge, placer)
    _finished(words, at)
    return line, colour


def _immune(game: Game, state: Any, words: list[str]) -> object:
    family, _, piece = _word(words, 0).partition(">")
    place = family_of(game, family), piece_of(game, piece)
    owner, held = place
    state.immune[owner] |= _number(_word(words, 1), 9) << 4 * held
    _finished(words, 2)
    return place


def _term(game: Game, state: Any, words: list[str]) -> object:
    captor = piece_of(game, _word(words, 0))
    kind, line = _word(words, 1), line_of(game, words[2]) if len(words) > 2 else NOBODY
    terms = {("none", False): TERM_IS_NONE, ("untorch", False): TERM_IS_CHOICE}
    terms |= {("destroy", True): TERM_IS_DESTROY + line, ("untorch", True): TERM_IS_UNTORCH + line}
    state.term[captor] = terms.get((kind, line != NOBODY), UNNAMED)
    if state.term[captor] == UNNAMED:
        raise PositionError("burning_bridges:error.none_untorch_untorch_line_destroy")
    _finished(words, 3)
    return captor
