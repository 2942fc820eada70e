"""Events that are due because time has passed: a clock runs out, or a proposal lapses."""

from __future__ import annotations

import secrets

from bridgehead.core.ending import TIME
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.table import NewEvent, Table


async def arrive(table: Table, you: frozenset[int]) -> bool:
    """Store the first arrival of persons at the table; True if there is one. The clocks run once every person has arrived.

    Errors: Refused, StorageError, Conflict.
    """
    new = (you & table.persons) - table.clocks.came
    if not new or not table.clocks.has_banks:
        return False
    await table.write(secrets.token_hex(16), NewEvent("came", min(new), bodies.Came(sorted(new))))
    return True


def next_due(table: Table) -> float | None:
    """Seconds until an event is due; None if none will be."""
    proposal = table.proposals.last
    waits = [table.clocks.remaining(), proposal.until - table.now() if proposal and proposal.state == "open" else None]
    return min((max(0.0, wait) for wait in waits if wait is not None), default=None)


async def store_due(table: Table) -> bool:
    """Store the events that are due; True if there were any. Errors: Refused, StorageError, Conflict."""
    proposal, clocks = table.proposals.last, table.clocks
    due = []
    if proposal and proposal.state == "open" and table.proposals.open is None:
        due.append(NewEvent("lapse", proposal.actor, bodies.About(proposal.version), by="clock"))
    if clocks.running is not None and clocks.remaining() == 0:
        due.append(_out_of_time(table, clocks.running))
    if due:
        await table.write(secrets.token_hex(16), *due)
    return bool(due)


def _out_of_time(table: Table, seat: int) -> NewEvent:
    """Between two sides, the late one loses. Among more, the seat plays on, and the others may decide for it."""
    if table.game.has_two_sides:
        return NewEvent("end", seat, bodies.End(TIME, seat), by="clock")
    return NewEvent("late", seat, by="clock")
