"""What an event of each kind does to a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from bridgehead.core.ending import Ending
from bridgehead.core.phrases import Phrase
from bridgehead.server.storage.event_log import Event
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
    table.match.rewind(_said(event)["to"])
    table.paused = table.paused and not table.mistaken
    table.mistaken = False


def _pause(table: Table, event: Event) -> None:
    table.paused = event.kind == "pause"
    table.mistaken = event.by == MISTAKE
    if table.mistaken:
        table.people.marks.append(seats.Mark(len(table.match.log), Phrase("mark.mistake")))


def _end(table: Table, event: Event) -> None:
    told = _said(event)
    table.match.end(Ending(told["how"], told["seat"]))


def _late(table: Table, event: Event) -> None:
    table.clocks.run_out(event.actor)


def _came(table: Table, event: Event) -> None:
    table.clocks.arrive(_said(event)["seats"])


def _asked(table: Table, event: Event) -> None:
    """`Table.asks` follows the log by itself."""


def _said(event: Event) -> Any:
    return msgspec.json.decode(event.body)


# Sealed chance adds its own (`sealing`).
KINDS: dict[str, Callable[[Table, Event], None]] = {
    "action": _play, "undo": _undo, "back": _back, "pause": _pause, "resume": _pause, "end": _end, "late": _late,
    "came": _came, **dict.fromkeys(ASKING, _asked), **seats.EVENTS,
}  # fmt: skip
