"""40 Bridges as a seat sees it: planes of the half-grid, turned so that the own corner is the same for both seats."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.bits import lowest
from bridgehead.core.jit import rule
from bridgehead.core.observation import Number, ObservationLayout, Planes, flags
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.rules import ACTIONS, LAST, ONE, SIX, ZERO, filter_slot, may_swap, pending_victims, taken_back

SIDE = 9  # a field stands at half-grid row and column, both from 0 to 8; squares at even places, octagons at odd ones
GRID = SIDE * SIDE
OWN, OTHER, VICTIMS, SQUARES, OCTAGONS, CORNER, GOAL, PLANES = range(8)
QUIET, OCCURRED, TAKES, EXCHANGE = range(4)  # the last only with a choice of side


def layout(game: Any) -> ObservationLayout:
    """places[seat, field]: the field's place on the grid as the seat sees it; player 2 sees the board after half a turn."""
    turned = np.array([range(FIELDS), range(FIELDS - 1, -1, -1)])
    places = (2 * turned).astype(np.int32)
    constant = np.zeros((2, PLANES, GRID), np.int8)
    for field in range(FIELDS):
        constant[:, SQUARES if game.board.is_square(field) else OCTAGONS, 2 * field] = 1
    for seat in range(2):
        constant[seat, CORNER, places[seat, game.board.corners[seat]]] = 1
        constant[seat, GOAL, places[seat, game.board.corners[1 - seat]]] = 1
    names = ("own piece", "other's piece", "piece to be captured by choice", "square", "octagon", "own corner", "goal")
    numbers = (
        Number("quiet", int(game.law.quiet_limit), "plies since the last removal"),
        Number("occurred", 1, "earlier times that these pieces stood so, with the same player to move"),
        Number("takes", 8, "captures still to choose"),
        *(flags("sides may be exchanged") if game.law.pie else ()),
    )
    seen = ((turned[0], (0, 1)), (turned[1], (1, 0)))
    images = [ACTIONS.images({"start": each, "end": each, "field": each, "seat": seats}) for each, seats in seen]
    own = np.array(images, np.int32)[:, : game.action_count]
    return ObservationLayout((Planes("fields", (SIDE, SIDE), names),), numbers, places, constant.reshape(2, -1), own)


@rule
def observe(state, law, places, seat, planes, numbers):
    put(places[seat], state.pieces[seat], OWN, planes)
    put(places[seat], state.pieces[1 - seat], OTHER, planes)
    if state.takes > 0:
        put(places[seat], pending_victims(state, law), VICTIMS, planes)
    numbers[QUIET] = float(state.quiet)
    numbers[OCCURRED] = float(count_occurrences(state, law))
    numbers[TAKES] = float(state.takes)
    if may_swap(state, law):
        numbers[EXCHANGE] = 1.0


@rule
def put(places, fields, plane, planes):
    """Mark a set of fields on a plane."""
    while fields:
        planes[plane * GRID + places[lowest(fields)]] = 1
        fields &= fields - ONE


@rule
def count_occurrences(state, law):
    """How often the present position occurred before, with the same seat to move (FBQ-15); 0 where repetition has no effect."""
    place = filter_slot(state.pieces[0], state.pieces[1])
    if (state.twice[place >> SIX] >> (place & LAST)) & ONE == ZERO:
        return 0
    moved, waiting = state.pieces[0], state.pieces[1]
    if state.seat == 0:  # the last ply was player 2's
        moved, waiting = waiting, moved
    first, second, times = moved, waiting, 0
    for back in range(1, int(state.quiet) + 1):
        moved, waiting = waiting, taken_back(state, law, moved, np.uint64(int(state.quiet) - back))
        times += int(back % 2 == 0 and moved == first and waiting == second)
    return times
