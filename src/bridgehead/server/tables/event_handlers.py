"""What an event of each kind does to a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bridgehead.core.ending import Ending
from bridgehead.core.phrases import Phrase
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables import seats
from bridgehead.server.tables.proposals import KINDS as ASKING

if TYPE_CHECKING:
    from bridgehead.server.tables.table import Table

MISTAKE = "mistake"  # by whom a table is paused where its rules go wrong


def _play(table: Table, event: Event) -> None:
    table.match.play(event.action)


def _undo(table: Table, event: Event) -> None:
    table.match.undo()


def _back(table: Table, event: Event) -> None:
    """Chance stays as it was: a draw depends on how many there were before it, not on when it is made.

    It leads away from where the rules go wrong, so a table that is paused for that goes on.
    """
    table.match.rewind(bodies.Back.of(event.body).to)
    table.paused = table.paused and not table.mistaken
    table.mistaken = False


def _pause(table: Table, event: Event) -> None:
    table.paused = event.kind == "pause"
    table.mistaken = event.by == MISTAKE
    if table.mistaken:
        table.people.marks.append(seats.Mark(len(table.match.log), Phrase("mark.mistake")))


def _end(table: Table, event: Event) -> None:
    ended = bodies.End.of(event.body)
    table.match.end(Ending(ended.how, ended.seat))


def _late(table: Table, event: Event) -> None:
    table.clocks.run_out(event.actor)


def _came(table: Table, event: Event) -> None:
    table.clocks.arrive(bodies.Came.of(event.body).seats)


def _asked(table: Table, event: Event) -> None:
    """`Table.asks` follows the log by itself."""


# Sealed chance adds its own (`sealing`).
KINDS: dict[str, Callable[[Table, Event], None]] = {
    "action": _play, "undo": _undo, "back": _back, "pause": _pause, "resume": _pause, "end": _end, "late": _late,
    "came": _came, **dict.fromkeys(ASKING, _asked), **seats.EVENTS,
}  # fmt: skip
