"""Damage of a stored log: the event at which it stops folding, and why. The table holds what was before that event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from bridgehead.core.errors import IllegalAction
from bridgehead.core.phrases import Phrase
from bridgehead.server.catalogue import qualify_server_phrase
from bridgehead.server.storage.event_log import Event

LONGEST = 24  # letters of a kind that are shown; a damaged one may be anything


class Damage(NamedTuple):
    """Where a log stops folding. event: its version; kind: of that event, "" if it is missing; why: a sentence."""

    event: int
    kind: str
    why: Phrase

    @property
    def params(self) -> dict[str, object]:
        """The parameters of the sentence with which the table refuses changes."""
        return {"n": self.event, "kind": self.kind or "–", "why": qualify_server_phrase(self.why)}

    @property
    def note(self) -> Phrase:
        """The note about it at the end of the record."""
        return Phrase("mark.damaged", {**self.params, "why": self.why})


def describe_broken_link(events: Sequence[Event], wrong: int) -> Damage:
    """The damage of a log whose hash chain is broken at version `wrong`."""
    event = events[wrong - 1]
    is_there = event.version == wrong
    return Damage(wrong, _shown(event) if is_there else "", Phrase(f"mark.damaged.{'link' if is_there else 'missing'}"))


def describe_failing_event(event: Event, error: Exception, is_known: bool) -> Damage:
    """The damage of a log in which this event cannot be applied. is_known: its kind is known."""
    if not is_known:
        why = "kind"
    elif isinstance(error, IllegalAction):
        why = "rules"
    elif isinstance(error, msgspec.MsgspecError):
        why = "body"
    else:
        why = "error"
    return Damage(event.version, _shown(event), Phrase(f"mark.damaged.{why}"))


def _shown(event: Event) -> str:
    return "".join(each for each in str(event.kind) if each.isprintable())[:LONGEST]
