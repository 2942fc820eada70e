"""One line for a position, and back.

    FIELDS FIELDS MOVER TURNS QUIET TAKES SEEN END
    a1,b1,A1 e5,d5 a 12 2 - 9a3c…,07f1… -

Fields of player 1 and 2 (`-`: none); the seat to move (`a`, `b`, `?` while it is drawn); finished turns; plies since the
last removal; captures to choose (`2@c3`: two, by the piece moved to c3); keys of the positions since the last removal that
were there before this one, in hex: each a ply before the next; the end (`corner:a`, `quiet`).
"""

# mypy: allow-untyped-calls

from __future__ import annotations

import functools
import hashlib
import operator
import re
from typing import Any

import numpy as np

from bridgehead.core.errors import PositionError
from bridgehead.core.game import Game
from bridgehead.core.position import Position
from bridgehead.games.forty_bridges.fields import destinations, pending_victims
from bridgehead.games.forty_bridges.history import note_ply, remember, taken_back
from bridgehead.games.forty_bridges.rules import (
    BLOCKED,
    CAPTURED,
    CORNER,
    REASONS,
    REPEATED,
    settle,
)
from bridgehead.games.forty_bridges.state import (
    BLOCKED_LOSES,
    REPETITION_DRAWS,
    REPETITION_FORBIDDEN,
    REPETITION_IGNORED,
    fields_of,
    word,
)

PARTS = ("player 1", "player 2", "mover", "turns", "quiet", "takes", "seen", "end")
MOVERS = {"?": -1, "a": 0, "b": 1}
ENDS = {word: reason for reason, (word, _) in enumerate(REASONS) if word}


def dump(position: Position) -> str:
    """The position in one line."""
    state, names = position.state, position.game.board.names
    sides = [",".join(names[field] for field in fields_of(side)) or "-" for side in state.pieces]
    mover = next(letter for letter, seat in MOVERS.items() if seat == state.seat)
    takes = f"{state.takes}@{names[state.moved]}" if state.takes else "-"
    seen = ",".join(f"{key(*pieces):016x}" for pieces in earlier(state, position.game.law))
    end = REASONS[int(state.reason)][0] or "-"
    if state.winner >= 0:
        end += f":{'ab'[state.winner]}"
    return " ".join([*sides, mover, str(state.turns), str(state.quiet), takes, seen or "-", end])


def remembers(state: Any, law: Any) -> bool:
    """Whether a record keeps the positions seen: they matter while the game runs and nothing is being captured."""
    return bool(law.repetition != REPETITION_IGNORED and state.reason == 0 and state.takes == 0)


def earlier(state: Any, law: Any) -> list[tuple[int, int]]:
    """Both players' pieces in each position before this one, the oldest first; none where they do not matter any more."""
    found, seat, pieces = [], 1 - int(state.seat), [int(side) for side in state.pieces]
    for ply in range(int(state.quiet) - 1, -1, -1) if remembers(state, law) else ():
        pieces[seat] = int(taken_back(state, law, np.uint64(pieces[seat]), np.uint64(ply)))
        found.append((pieces[0], pieces[1]))
        seat = 1 - seat
    return found[::-1]


@functools.cache
def key_of(seat: int, field: int) -> int:
    """A word that looks random and never changes."""
    return int.from_bytes(hashlib.sha256(f"40 bridges {seat} {field}".encode()).digest()[:8], "big")


def key(*pieces: int) -> int:
    """A word that tells positions apart, by both players' pieces; which seat is to move shows where it is seen."""
    return functools.reduce(operator.xor, (key_of(seat, field) for seat in (0, 1) for field in fields_of(pieces[seat])), 0)


def load(game: Game, text: str) -> np.ndarray[Any, Any]:
    """The state of a position's text. Errors: PositionError, naming the part that cannot be read or cannot occur."""
    parts = text.split(" ")
    if len(parts) != len(PARTS):
        raise PositionError(f"expected {len(PARTS)} parts ({', '.join(PARTS)}), got {len(parts)}")
    states = game.new_states(1)
    state = states[0]
    _read_pieces(game, state, parts[0], parts[1])
    if parts[2] not in MOVERS:
        raise PositionError(f"expected a, b or ?, got {parts[2][:20]!r}", "mover")
    state.seat = MOVERS[parts[2]]
    state.turns = _number(parts[3], 10**9, "turns")
    state.quiet = _number(parts[4], int(game.law.quiet_limit), "quiet")
    _read_end(state, parts[7])
    if state.reason == 0 and state.quiet >= game.law.quiet_limit:
        raise PositionError(f"after {state.quiet} plies without a removal the game is over", "quiet")
    _read_takes(game, state, parts[5])
    keys = _read_seen(game, state, parts[6])
    _check_pieces(game, state)
    _check_time(game, state)
    _check_takes(game, state)
    _replay(game, state, keys)
    _check_end(game, state)
    return states


def _number(text: str, most: int, where: str) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,8}", text) or int(text) > most:
        raise PositionError(f"expected a number from 0 to {most}, got {text[:20]!r}", where)
    return int(text)


def _read_pieces(game: Game, state: Any, *lists: str) -> None:
    taken: set[int] = set()
    for seat, names in enumerate(lists):
        fields = []
        for name in [] if names == "-" else names.split(","):
            field = game.board.field(name)
            if field is None:
                raise PositionError(f"no field is called {name[:20]!r}", PARTS[seat])
            if field in taken:
                raise PositionError(f"{name} is given twice", PARTS[seat])
            taken.add(field)
            fields.append(field)
        state.pieces[seat] = word(fields)


def _read_end(state: Any, text: str) -> None:
    name, _, winner = text.partition(":")
    state.winner = -1
    if text == "-":
        return
    if name not in ENDS or winner not in ("", "a", "b") or text.endswith(":"):
        raise PositionError(f"expected an end like `corner:a`, or -, got {text[:20]!r}", "end")
    state.reason = ENDS[name]
    if winner:
        state.winner = MOVERS[winner]


def _read_takes(game: Game, state: Any, text: str) -> None:
    state.moved = -1
    if text == "-":
        return
    count, _, name = text.partition("@")
    field = game.board.field(name)
    if count not in ("1", "2") or field is None:
        raise PositionError(f"expected captures to choose like `2@c3`, or -, got {text[:20]!r}", "takes")
    state.takes, state.moved = int(count), field


def _read_seen(game: Game, state: Any, text: str) -> list[int]:
    keys = [] if text == "-" else text.split(",")
    expected = int(state.quiet) if remembers(state, game.law) else 0
    if len(keys) != expected:
        raise PositionError(f"expected {expected} earlier positions, one a ply since the last removal, got {len(keys)}", "seen")
    for given in keys:
        if not re.fullmatch("[0-9a-f]{16}", given):
            raise PositionError(f"expected 16 hex digits, got {given[:20]!r}", "seen")
    return [int(given, 16) for given in keys]


def _replay(game: Game, state: Any, keys: list[int]) -> None:
    """Find the ply between each position seen and the next, backwards from the present one, and make them all again."""
    if not remembers(state, game.law):
        return
    now, seat, quiet = key(*state.pieces), 1 - int(state.seat), int(state.quiet)
    plies: list[tuple[int, int]] = []
    pieces = [int(side) for side in state.pieces]
    for ply in range(quiet - 1, -1, -1):
        move = (-1, -1) if keys[ply] == now else _ply_between(game, pieces, seat, keys[ply] ^ now)
        if move is None:
            raise PositionError(f"no ply leads from position {ply + 1} to the next", "seen")
        if move[0] >= 0:
            pieces[seat] ^= 1 << move[0] | 1 << move[1]
        plies.append(move)
        now, seat = keys[ply], 1 - seat
    mover = state.seat
    state.pieces[0], state.pieces[1] = pieces
    state.quiet = 0
    remember(state, game.law)
    for start, end in reversed(plies):
        seat = 1 - seat
        state.seat = seat
        if start >= 0:
            state.pieces[seat] ^= game.law.bit[start] ^ game.law.bit[end]
            note_ply(state, game.law, start, end)
        state.quiet += 1
        remember(state, game.law)
    state.seat = mover


def _ply_between(game: Game, pieces: list[int], seat: int, change: int) -> tuple[int, int] | None:
    """The move by one piece of a seat, as this turned out, that changes the key so; None if there is none."""
    own, law = pieces[seat], game.law
    for end in fields_of(own):
        for start in fields_of(destinations(law, np.uint64(own), law.board & ~np.uint64(own | pieces[1 - seat]), end)):
            if key_of(seat, start) ^ key_of(seat, end) == change:
                return start, end
    return None


def _check_pieces(game: Game, state: Any) -> None:
    """Nobody gains pieces; without bent jumps none changes its type (FB-2.d)."""
    for seat, where in enumerate(PARTS[:2]):
        has, had = fields_of(state.pieces[seat]), fields_of(game.law.opening[seat])
        if len(has) > len(had):
            raise PositionError(f"has {len(has)} pieces, and began with {len(had)}", where)
        for square, kind in () if game.options.bent_jumps else ((True, "squares"), (False, "octagons")):
            now, first = (sum(game.board.is_square(field) == square for field in fields) for fields in (has, had))
            if now > first:
                raise PositionError(f"has {now} pieces on {kind}, and began with {first}: a piece never changes its type", where)
        if state.reason == 0 and not has:
            raise PositionError("has no pieces, so the game is over", where)
        if state.reason != CORNER and int(game.law.goal[seat]) in has:
            raise PositionError("stands on the opponent's corner, so the game is over", where)


def _check_time(game: Game, state: Any) -> None:
    """Finished turns, the seat to move and the plies since the last removal go together."""
    complete = all(len(fields_of(state.pieces[seat])) == len(fields_of(game.law.opening[seat])) for seat in (0, 1))
    if state.seat < 0:
        if not game.law.first_drawn:
            raise PositionError("player 1 moves first, nothing is drawn", "mover")
        if state.turns or state.quiet or state.reason or tuple(state.pieces) != tuple(game.law.opening):
            raise PositionError("the first seat is drawn before anything else", "mover")
    elif not game.law.first_drawn and state.seat != state.turns % 2:
        raise PositionError(f"after {state.turns} turns it is the other player's turn", "mover")
    if state.quiet > state.turns or (complete and state.quiet != state.turns):
        raise PositionError(f"{state.quiet} plies since the last removal do not go with {state.turns} turns", "quiet")


def _check_takes(game: Game, state: Any) -> None:
    """Captures are chosen by the mover's piece, where more than two are surrounded (FBQ-7)."""
    if not state.takes:
        return
    if state.takes > game.law.most_captures or state.reason or state.seat < 0 or game.law.most_captures == 8:
        raise PositionError("nobody chooses captures here", "takes")
    if int(state.moved) not in fields_of(state.pieces[state.seat]):
        raise PositionError(f"the mover has no piece on {game.board.names[state.moved]}", "takes")
    if len(fields_of(pending_victims(state, game.law))) <= state.takes:
        raise PositionError(f"no more than {state.takes} pieces are surrounded: there is nothing to choose", "takes")
    if state.takes < game.law.most_captures and state.quiet:
        raise PositionError("a piece was just removed", "quiet")


def _check_end(game: Game, state: Any) -> None:
    """The end that is given is on the board, and none is on the board that is not given."""
    law = game.law
    due, winner = _end_due(law, state)
    given = int(state.reason), int(state.winner)
    if given == (REPEATED, -1) and law.repetition == REPETITION_DRAWS and state.quiet >= 4 and due not in (CORNER, CAPTURED):
        return  # the positions seen are forgotten at the end
    if given[0] == BLOCKED and law.repetition == REPETITION_FORBIDDEN and due == 0:
        winner = 1 - int(state.seat) if law.blocked == BLOCKED_LOSES and given[1] >= 0 else -1
        due = BLOCKED  # which moves would have repeated is forgotten at the end
    if given != (due, winner):
        raise PositionError(f"on the board is another end: {REASONS[due][0] or 'none'}", "end")


def _end_due(law: Any, state: Any) -> tuple[int, int]:
    """Reason and winner of the end that the position shows."""
    for seat in (0, 1):
        if int(law.goal[seat]) in fields_of(state.pieces[seat]):
            return CORNER, seat
    if state.seat < 0 or state.takes:
        return 0, -1
    copy = state.copy()
    copy.reason, copy.winner = 0, -1
    settle(copy, law)
    return int(copy.reason), int(copy.winner)
