"""Thinking times of each seat, from the times in a table's log: for the host, and for everybody once the game is over.

A host may look at them if a player is suspected of using a program, but they prove nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from bridgehead.server.messages.tables import SeatTimes
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables.table import MOVES

STOPS = ("pause", "hold")
GOES_ON = {"resume": "pause", "release": "hold"}


def spans(events: Iterable[Event]) -> Iterator[tuple[int, float]]:
    """The seat and the seconds of each decision of a person: since the event before it that changed the position, less pauses.

    The first decision of a table is left out, because the log does not say when its people sat down.
    """
    since = paused = None
    stops = set[str]()  # who has stopped the clocks: the people of the table, the host of the server
    for event in events:
        if event.kind in STOPS:
            paused = paused if stops else event.time
            stops.add(event.kind)
        elif event.kind in GOES_ON:
            stops.discard(GOES_ON[event.kind])
            if not stops and paused is not None:
                since = None if since is None else since + max(0.0, event.time - paused)
                paused = None
        elif event.kind in MOVES and event.by != "fork":
            if event.kind == "action" and event.by == "person" and since is not None:
                yield event.actor, max(0.0, event.time - since)
            since, paused = event.time, event.time if stops - {"pause"} else None
            stops.discard("pause")


def summary(events: Iterable[Event], seats: int) -> list[SeatTimes]:
    """For each seat the number of decisions, and the median and the ninth decile of their seconds."""
    took: list[list[float]] = [[] for _ in range(seats)]
    for seat, seconds in spans(events):
        took[seat].append(seconds)
    return [_times(sorted(each)) for each in took]


def _times(took: Sequence[float]) -> SeatTimes:
    if not took:
        return SeatTimes(0, None, None)
    from statistics import median  # takes long to load

    return SeatTimes(len(took), round(median(took), 2), round(took[math.ceil(0.9 * len(took)) - 1], 2))
