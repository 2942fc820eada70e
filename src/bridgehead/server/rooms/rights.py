"""Rights of a page over a seat: the changes that it may make alone, or together with the others."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from bridgehead.core.spec import OVER
from bridgehead.server.connections.connection import Connection
from bridgehead.server.messages.client import SeatChange
from bridgehead.server.messages.server import OthersChange, SeatState
from bridgehead.server.rooms.room import Room
from bridgehead.server.tables.table import Table

OWN: frozenset[SeatChange] = frozenset(["computer", "substitute", "open", "leave", "name"])
FOR_OTHERS: frozenset[OthersChange] = frozenset(["computer", "substitute", "open"])
NOTHING: frozenset[Any] = frozenset()


class Rights(NamedTuple):
    """The changes of a seat that a page may make alone, or together with more than half of the others who are here."""

    alone: frozenset[SeatChange] = NOTHING
    together: frozenset[OthersChange] = NOTHING


def state(table: Table, here: frozenset[int], index: int) -> SeatState:
    """The state of a seat: "computer", "here", "away", "left", or "free" if nobody has sat down yet."""
    seat = table.seats[index]
    if seat.kind == "computer" or index in here:
        return seat.kind if seat.kind == "computer" else "here"
    return "free" if seat.free else "left" if seat.left else "away"


def rights(room: Room, connection: Connection, index: int, patience: float) -> Rights:
    """The rights of a page over a seat. patience: seconds for which the others wait for an absent person."""
    table, seat = room.table, room.table.seats[index]
    if table.actor == OVER:
        return Rights()
    alone: set[SeatChange] = set()
    if index in connection.you:
        return Rights(OWN)
    if index in connection.back:
        return Rights(frozenset(["back"]))
    if seat.free and not connection.you and not connection.back:
        alone.add("claim")
    late = index in table.late  # a person out of time counts as away
    absent = late or index not in room.attended
    if connection.host:
        alone.add("revoke")
        alone |= FOR_OTHERS if absent else NOTHING
    waited = seat.left or late or time.monotonic() - table.people.gone.get(index, time.monotonic()) >= patience
    together = FOR_OTHERS if connection.you and absent and waited else NOTHING
    return Rights(frozenset(alone), together - alone)
