"""What happens at a table because time passes: somebody runs out of it, or nobody answers."""

from __future__ import annotations

import secrets

from bridgehead.core.ending import TIME
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.table import Happening, Table


async def arrive(table: Table, you: frozenset[int]) -> bool:
    """Somebody has sat down: clocks run once everybody has been there. Whether that is news. Errors: StorageError, Conflict."""
    new = (you & table.persons) - table.clocks.came
    if not new or not table.clocks.has_banks:
        return False
    await table.write(secrets.token_hex(16), Happening("came", min(new), bodies.Came(sorted(new))))
    return True


def alarm(table: Table) -> float | None:
    """Seconds until something happens because time passes; None if nothing will."""
    asked = table.asks.last
    waits = [table.clocks.alarm(), asked.until - table.now() if asked and asked.state == "open" else None]
    return min((max(0.0, wait) for wait in waits if wait is not None), default=None)


async def ring(table: Table) -> bool:
    """Let happen what is due; whether anything has. Errors: StorageError, Conflict."""
    asked, clocks = table.asks.last, table.clocks
    due = []
    if asked and asked.state == "open" and table.asks.open is None:
        due.append(Happening("lapse", asked.actor, bodies.About(asked.version), by="clock"))
    if clocks.running is not None and clocks.alarm() == 0:
        due.append(_out_of_time(table, clocks.running))
    if due:
        await table.write(secrets.token_hex(16), *due)
    return bool(due)


def _out_of_time(table: Table, seat: int) -> Happening:
    """Of two sides the one has lost; among more, the seat plays on, and the others may be offered something."""
    if table.game.has_two_sides:
        return Happening("end", seat, bodies.End(TIME, seat), by="clock")
    return Happening("late", seat, by="clock")
