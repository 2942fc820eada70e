"""Rights of a page over a seat: the changes that it may make alone, or together with the others.

The rules (docs/understand/trust.md, "Whose seat it is"): nobody decides for a person who is here. A computer may stand in for
a person who has left, or has been away for as long as the others have to wait (`waits`). Another person gets the seat only if
persons at two pages agree, or if nobody has taken the seat yet.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from bridgehead.server.connections.connection import Connection
from bridgehead.server.messages.client import SeatChange
from bridgehead.server.messages.server import OthersChange, SeatState
from bridgehead.server.tables.table import Table

OWN: frozenset[SeatChange] = frozenset(["computer", "substitute", "open", "leave", "name"])
COMPUTER: frozenset[OthersChange] = frozenset(["computer"])
PERSONS: frozenset[OthersChange] = frozenset(["substitute", "open"])  # changes that give a seat to another person
FEWEST = 2  # votes that it takes to give a seat to another person
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


def waits(table: Table, index: int, patience: float) -> float | None:
    """Seconds until the others may decide for the person of a seat; None while nothing but a change of the table can allow it.

    They wait `patience` seconds from the moment when the person went away. If the clocks of the table give a turn more time
    than that, they also wait until the person's turn has lasted so long.
    """
    if table.seats[index].left or index in table.late:
        return 0.0
    if index in table.attendance.attended:
        return None
    now = time.monotonic()
    absent = table.attendance.gone.get(index, now) + patience - now
    agreed = table.find_agreed_time(index)
    if agreed > patience:
        if table.actor != index or table.stopped:
            return None
        absent = max(absent, agreed - table.waited)
    return max(0.0, absent)


def is_vacant(table: Table, index: int) -> bool:
    """Is it a seat that no person has taken yet: a computer's from the start, or a person's who has not come?"""
    return not table.seats[index].left and index not in table.occupied and index not in table.attendance.seen


def count_needed_votes(others: int, do: OthersChange) -> int:
    """The votes that a change takes when so many seats of others have somebody here."""
    return max(others // 2 + 1, FEWEST if do in PERSONS else 1)


def rights(table: Table, connection: Connection, index: int, patience: float) -> Rights:
    """The rights of a page over a seat. patience: seconds for which the others wait for an absent person, at least."""
    seat = table.seats[index]
    if table.is_final:
        return Rights()
    if index in connection.you:
        return Rights(OWN)
    if index in connection.back:
        return Rights(frozenset(["back"]))
    alone: set[SeatChange] = set()
    if seat.free and not connection.you and not connection.back:
        alone.add("claim")
    waited = waits(table, index, patience) == 0
    if connection.host and is_vacant(table, index):
        alone |= COMPUTER | PERSONS
        alone |= {"revoke"} if seat.kind == "person" else set()
    elif connection.host and (waited or (seat.kind == "computer" and index not in table.attendance.attended)):
        alone |= COMPUTER
    together = COMPUTER if connection.you and waited else NOTHING
    if together and index not in table.attendance.attended and table.attendance.here - connection.you - {index}:
        together |= PERSONS
    return Rights(frozenset(alone), together - alone)
