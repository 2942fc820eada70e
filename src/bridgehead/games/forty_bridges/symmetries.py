"""Symmetries of 40 Bridges: the mirror at the diagonal through both corners, and half a turn, which exchanges the players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bridgehead.core.bits import lowest
from bridgehead.core.jit import rule
from bridgehead.core.symmetry import States, Symmetry, moved_values
from bridgehead.games.forty_bridges.board import FIELDS, number_of
from bridgehead.games.forty_bridges.rules import ACTIONS, ONE, OPENINGS, ZERO, clear_history, note_ply, remember, taken_back


def symmetries(game: Any) -> Sequence[Symmetry]:
    """All three maps but the identity; no house rule breaks them, for the set-up is no part of the moves."""
    mirror = [number_of((y, x)) for x, y in game.board.places]
    turn = [FIELDS - 1 - field for field in range(FIELDS)]
    both = [turn[field] for field in mirror]
    return (
        _symmetry(game, "mirror", mirror, 0, 1),
        _symmetry(game, "half turn", turn, 1, 0),
        _symmetry(game, "mirror and half turn", both, 1, 1),
    )


def _symmetry(game: Any, name: str, fields: list[int], swap: int, mirrored: int) -> Symmetry:
    seats, table = ((0, 1), (1, 0))[swap], np.array(fields)

    def images(states: States) -> States:
        found = states.copy()
        found["moved"] = moved_values(states["moved"], fields)
        for one, other in zip(states, found, strict=True):
            write_image(one, game.quick_law, other, table, swap)
        for field in ("seat", "winner"):
            found[field] = moved_values(states[field], seats)
        found["quiet"] = states["quiet"]
        return found

    openings = [number ^ mirrored for number in range(OPENINGS)]  # an opening and its mirror image are neighbours
    parts = {"start": fields, "end": fields, "field": fields, "seat": seats, "opening": openings}
    return Symmetry(name, seats, np.array(ACTIONS.images(parts)[: game.action_count], np.int32), images)


@rule
def image_of(word, fields):
    """The image of a set of fields."""
    found = ZERO
    while word:
        found |= ONE << np.uint64(fields[lowest(word)])
        word &= word - ONE
    return found


@rule
def write_image(state, law, image, fields, swap):
    """Write the image of the pieces, and of all earlier plies that the record keeps (FBQ-15). Changes `seat` and `quiet`, too."""
    quiet, seat = int(state.quiet), int(state.seat)
    kept = quiet if state.once[0] | state.once[1] | state.once[2] | state.once[3] else 0
    past = np.zeros((kept + 1, 2), np.uint64)  # the pieces before each ply
    past[kept, 0], past[kept, 1] = state.pieces[0], state.pieces[1]
    for ply in range(kept - 1, -1, -1):
        mover = (seat + kept - ply) % 2
        past[ply, mover] = taken_back(state, law, past[ply + 1, mover], np.uint64(ply))
        past[ply, 1 - mover] = past[ply + 1, 1 - mover]
    clear_history(image)
    for each in range(2):
        image.pieces[each ^ swap] = image_of(past[0, each], fields)
    if kept > 0 or state.once[0] | state.once[1] | state.once[2] | state.once[3]:
        remember(image, law)
    for ply in range(kept):
        mover = (seat + kept - ply) % 2
        start, end = past[ply, mover] & ~past[ply + 1, mover], past[ply + 1, mover] & ~past[ply, mover]
        image.pieces[mover ^ swap] = image_of(past[ply + 1, mover], fields)
        image.seat, image.quiet = mover ^ swap, ply
        if start:
            note_ply(image, law, fields[lowest(start)], fields[lowest(end)])
        remember(image, law)
