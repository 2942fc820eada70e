"""The position text of 40 Bridges.

    FIELDS FIELDS MOVER TURNS QUIET TAKES SEEN END
    a1,b1,A1 e5,d5 a 12 2 - 9a3c…,07f1… -

Fields of player 1 and 2 (`-`: none); the seat to move (`a`, `b`, `?` while it is drawn); finished turns; plies since the
last removal; captures to choose (`2@c3`: two, by the piece moved to c3); keys of the positions since the last removal that
occurred before this one, in hex, one per ply; the end (`corner:a`, `quiet`).
"""

from __future__ import annotations

import functools
import hashlib
import operator
import re
from typing import Any

from bridgehead.core.errors import PositionError, refusing
from bridgehead.core.game import Game
from bridgehead.core.numbers import uint64
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.games.forty_bridges import rules

refuse = refusing("forty_bridges", PositionError)

PARTS = ("player 1", "player 2", "mover", "turns", "quiet", "takes", "seen", "end")
MOVERS = {"?": -1, "a": 0, "b": 1}
ENDS = {name: reason for reason, (name, _) in enumerate(rules.REASONS) if name}


def of_player(seat: int) -> Phrase:
    """The place of an error in a player's fields."""
    return phrase("forty_bridges:error.player", number=seat + 1)


def dump(position: Position) -> str:
    state, names = position.state, position.game.board.names
    sides = [",".join(names[field] for field in rules.fields_of(side)) or "-" for side in state.pieces]
    mover = next(letter for letter, seat in MOVERS.items() if seat == state.seat)
    takes = f"{state.takes}@{names[state.moved]}" if state.takes else "-"
    seen = ",".join(f"{key(*pieces):016x}" for pieces in earlier(state, position.game.law))
    end = rules.REASONS[int(state.reason)][0] or "-"
    if state.winner >= 0:
        end += f":{'ab'[state.winner]}"
    return " ".join([*sides, mover, str(state.turns), str(state.quiet), takes, seen or "-", end])


def fresh(text: str) -> str:
    """Without the plies since the last removal: none of them counts as a repetition."""
    parts = text.split(" ")
    return " ".join([*parts[:4], "0", parts[5], "-", parts[7]])


def remembers(state: Any, law: Any) -> bool:
    """Whether a record keeps earlier positions: they matter while the game runs and no captures are chosen."""
    return bool(law.repetition != rules.REPETITION_IGNORED and state.reason == 0 and state.takes == 0)


def earlier(state: Any, law: Any) -> list[tuple[int, int]]:
    """Both players' pieces in each earlier position, the oldest first; none if they have no effect."""
    found, seat, pieces = [], 1 - int(state.seat), [int(side) for side in state.pieces]
    for ply in range(int(state.quiet) - 1, -1, -1) if remembers(state, law) else ():
        pieces[seat] = int(rules.taken_back(state, law, uint64(pieces[seat]), uint64(ply)))
        found.append((pieces[0], pieces[1]))
        seat = 1 - seat
    return found[::-1]


@functools.cache
def key_of(seat: int, field: int) -> int:
    """A fixed pseudo-random word."""
    return int.from_bytes(hashlib.sha256(f"40 bridges {seat} {field}".encode()).digest()[:8], "big")


def key(*pieces: int) -> int:
    """A hash of both players' pieces; its place in the list shows which seat is on turn."""
    return functools.reduce(operator.xor, (key_of(seat, field) for seat in (0, 1) for field in rules.fields_of(pieces[seat])), 0)


def read(game: Game, text: str) -> Any:
    """The state that the text describes, even one that cannot occur. Errors: PositionError."""
    parts = text.split(" ")
    refuse(len(parts) != len(PARTS), "parts_got", count=len(PARTS), parts=", ".join(PARTS), count2=len(parts))
    states = game.blank()
    state = states[0]
    _read_pieces(game, state, parts[0], parts[1])
    if parts[2] not in MOVERS:
        raise PositionError("forty_bridges:error.b_got", "mover", parts=repr(parts[2][:20]))
    state.seat = MOVERS[parts[2]]
    state.turns = _number(parts[3], 10**9, "turns")
    state.quiet = _number(parts[4], int(game.law.quiet_limit), "quiet")
    _read_end(state, parts[7])
    bad = state.reason == 0 and state.quiet >= game.law.quiet_limit
    refuse(bad, "after_plies_without_removal_game", "quiet", quiet=state.quiet)
    refuse(state.quiet > state.turns, "plies_since_last_removal_do", "quiet", quiet=state.quiet, turns=state.turns)
    _read_takes(game, state, parts[5])
    _replay(game, state, _read_seen(game, state, parts[6]))
    return states


def check(game: Game, state: Any) -> None:
    """Refuse a position that cannot occur. Errors: PositionError; `where` is the part of the position text."""
    _check_pieces(game, state)
    _check_time(game, state)
    _check_takes(game, state)
    _check_end(game, state)


def _number(text: str, most: int, where: str) -> int:
    bad = not re.fullmatch("0|[1-9][0-9]{0,8}", text) or int(text) > most
    refuse(bad, "number_from_0_got", where, most=most, text=repr(text[:20]))
    return int(text)


def _read_pieces(game: Game, state: Any, *lists: str) -> None:
    taken: set[int] = set()
    for seat, names in enumerate(lists):
        fields = []
        for name in [] if names == "-" else names.split(","):
            field = game.board.field(name)
            if field is None:
                raise PositionError("forty_bridges:error.no_field_called", of_player(seat), name=repr(name[:20]))
            if field in taken:
                raise PositionError("forty_bridges:error.given_twice", of_player(seat), names=name)
            taken.add(field)
            fields.append(field)
        state.pieces[seat] = rules.word(fields)


def _read_end(state: Any, text: str) -> None:
    name, _, winner = text.partition(":")
    state.winner = -1
    if text == "-":
        return
    bad = name not in ENDS or winner not in ("", "a", "b") or text.endswith(":")
    refuse(bad, "end_like_corner_got", "end", text=repr(text[:20]))
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
        raise PositionError("forty_bridges:error.captures_choose_like_2_c3", "takes", text=repr(text[:20]))
    state.takes, state.moved = int(count), field


def _read_seen(game: Game, state: Any, text: str) -> list[int]:
    keys = [] if text == "-" else text.split(",")
    expected = int(state.quiet) if remembers(state, game.law) else 0
    refuse(len(keys) != expected, "earlier_positions_ply_since_last", "seen", expected=expected, count=len(keys))
    for given in keys:
        refuse(not re.fullmatch("[0-9a-f]{16}", given), "16_hex_digits_got", "seen", given=repr(given[:20]))
    return [int(given, 16) for given in keys]


def _replay(game: Game, state: Any, keys: list[int]) -> None:
    """Find the plies between earlier positions, backwards from the present one, and play them again."""
    if not remembers(state, game.law):
        return
    now, seat, quiet = key(*state.pieces), 1 - int(state.seat), int(state.quiet)
    plies: list[tuple[int, int]] = []
    pieces = [int(side) for side in state.pieces]
    for ply in range(quiet - 1, -1, -1):
        move = (-1, -1) if keys[ply] == now else _ply_between(game, pieces, seat, keys[ply] ^ now)
        if move is None:
            raise PositionError("forty_bridges:error.no_ply_leads_from_position", "seen", ply=ply + 1)
        if move[0] >= 0:
            pieces[seat] ^= 1 << move[0] | 1 << move[1]
        plies.append(move)
        now, seat = keys[ply], 1 - seat
    mover = state.seat
    state.pieces[0], state.pieces[1] = pieces
    state.quiet = 0
    rules.remember(state, game.law)
    for start, end in reversed(plies):
        seat = 1 - seat
        state.seat = seat
        if start >= 0:
            state.pieces[seat] ^= game.law.bit[start] ^ game.law.bit[end]
            rules.note_ply(state, game.law, start, end)
        state.quiet += 1
        rules.remember(state, game.law)
    state.seat = mover


def _ply_between(game: Game, pieces: list[int], seat: int, change: int) -> tuple[int, int] | None:
    """The move of one piece of a seat that changes the key by `change`; None if there is none. pieces: after the move."""
    own, law = pieces[seat], game.law
    for end in rules.fields_of(own):
        for start in rules.fields_of(rules.destinations(law, uint64(own), law.board & ~uint64(own | pieces[1 - seat]), end)):
            if key_of(seat, start) ^ key_of(seat, end) == change:
                return start, end
    return None


def _check_pieces(game: Game, state: Any) -> None:
    """Check the pieces against a start that the seats may have had: an exchange of sides may be past (FBQ-28)."""
    errors = []
    for start in rules.possible_starts(game.law, state):
        try:
            _check_against_start(game, state, start)
        except PositionError as error:
            errors.append(error)
        else:
            return
    raise errors[0]


def _check_against_start(game: Game, state: Any, start: tuple[int, int]) -> None:
    """The number of pieces never grows; without bent jumps no piece changes its type (FB-2.d)."""
    for seat, where in enumerate(map(of_player, (0, 1))):
        has, had = rules.fields_of(state.pieces[seat]), rules.fields_of(start[seat])
        refuse(len(has) > len(had), "pieces_began", where, count=len(has), count2=len(had))
        for square, kind in () if game.options.bent_jumps else ((True, "squares"), (False, "octagons")):
            now, first = (sum(game.board.is_square(field) == square for field in fields) for fields in (has, had))
            refuse(now > first, f"pieces.{kind}", where, now=now, first=first)
        refuse(state.reason == 0 and not has, "no_pieces_game_over", where)
        refuse(state.reason != rules.CORNER and int(game.law.goal[seat]) in has, "opponent_s_corner_game_over", where)


def _check_time(game: Game, state: Any) -> None:
    """Check that finished turns and the seat on turn are consistent.

    There may be fewer plies since the last removal than turns, though nothing was removed: who sets up a position knows no plies.
    """
    if state.seat < 0:
        refuse(not game.law.first_drawn, "player_1_moves_first_nothing", "mover")
        bad = state.turns or state.quiet or state.reason or tuple(state.pieces) != tuple(game.law.opening)
        refuse(bad, "first_seat_drawn_before_anything", "mover")
    elif not game.law.first_drawn and state.seat != state.turns % 2:
        raise PositionError("forty_bridges:error.after_turns_other_player_s", "mover", turns=state.turns)
    if game.law.openings and state.seat >= 0 and state.turns < 2:
        bad = state.turns or state.quiet or state.reason or tuple(state.pieces) != tuple(game.law.opening)
        refuse(bad, "opening_drawn_before_anything", "turns")


def _check_takes(game: Game, state: Any) -> None:
    """Check pending captures: the mover's piece surrounds more pieces than it may take (FBQ-7)."""
    if not state.takes:
        return
    bad = state.takes > game.law.most_captures or state.reason or state.seat < 0 or game.law.most_captures == 8
    refuse(bad, "nobody_chooses_captures_here", "takes")
    bad = int(state.moved) not in rules.fields_of(state.pieces[state.seat])
    refuse(bad, "mover_no_piece", "takes", names=game.board.names[state.moved])
    bad = len(rules.fields_of(rules.pending_victims(state, game.law))) <= state.takes
    refuse(bad, "no_more_than_pieces_surrounded", "takes", takes=state.takes)
    refuse(state.takes < game.law.most_captures and state.quiet, "piece_was_just_removed", "quiet")


def _check_end(game: Game, state: Any) -> None:
    """Check that the given end follows from the board."""
    law = game.law
    due, winner = end_due(law, state)
    given = int(state.reason), int(state.winner)
    if (
        given == (rules.REPEATED, -1)
        and law.repetition == rules.REPETITION_DRAWS
        and state.quiet >= 4
        and due not in (rules.CORNER, rules.CAPTURED)
    ):
        return  # earlier positions are forgotten at the end
    if given[0] == rules.BLOCKED and law.repetition == rules.REPETITION_FORBIDDEN and due == 0:
        winner = 1 - int(state.seat) if law.blocked == rules.BLOCKED_LOSES and given[1] >= 0 else -1
        due = rules.BLOCKED  # moves that would have repeated are forgotten at the end
    if given != (due, winner):
        raise PositionError(
            "forty_bridges:error.board_another_end", "end", reasons=rules.REASONS[due][0] or phrase("allowed.none")
        )


def end_due(law: Any, state: Any) -> tuple[int, int]:
    """The reason and the winner that follow from the board."""
    for seat in (0, 1):
        if int(law.goal[seat]) in rules.fields_of(state.pieces[seat]):
            return rules.CORNER, seat
    if state.seat < 0 or state.takes:
        return 0, -1
    copy = state.copy()
    copy.reason, copy.winner = 0, -1
    rules.settle(copy, law)
    return int(copy.reason), int(copy.winner)
