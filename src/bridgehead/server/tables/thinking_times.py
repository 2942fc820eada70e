"""How long persons took for their decisions, by seat, as the times in a table's log say: for its host, and for all at the end.

It proves nothing about anybody; it is what a host can look at who was told that somebody asks a program.
"""

from __future__ import annotations

import asyncio
import hmac
import math
import statistics
from collections.abc import Iterable, Iterator, Sequence

from starlette.requests import Request
from starlette.responses import Response

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import OVER
from bridgehead.server.connections.middleware import answer
from bridgehead.server.http import endpoints
from bridgehead.server.messages.client import TimesWish
from bridgehead.server.messages.http import SeatTimes, TableTimes
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables.stored_seats import digest
from bridgehead.server.tables.table import MOVES


def spans(events: Iterable[Event]) -> Iterator[tuple[int, float]]:
    """The seat and the seconds of each decision of a person: from the event before it that changed the position, without pauses.

    The first decision of a table is left out: nobody knows when its people had sat down.
    """
    since = paused = None
    for event in events:
        if event.kind == "pause":
            paused = event.time
        elif event.kind == "resume" and paused is not None:
            since = None if since is None else since + max(0.0, event.time - paused)
            paused = None
        elif event.kind in MOVES and event.by != "fork":
            if event.kind == "action" and event.by == "person" and since is not None:
                yield event.actor, max(0.0, event.time - since)
            since, paused = event.time, None


def told(events: Iterable[Event], seats: int) -> list[SeatTimes]:
    """For each seat: how many decisions, and within how many seconds half of them and nine of ten were made."""
    took: list[list[float]] = [[] for _ in range(seats)]
    for seat, seconds in spans(events):
        took[seat].append(seconds)
    return [_summed(sorted(each)) for each in took]


def _summed(took: Sequence[float]) -> SeatTimes:
    if not took:
        return SeatTimes(0, None, None)
    return SeatTimes(len(took), round(statistics.median(took), 2), round(took[math.ceil(0.9 * len(took)) - 1], 2))


async def table_times(request: Request) -> Response:
    """How long each seat took, for the host; when the game is over, for everybody."""
    endpoints.sparing(request, request.app.state.films_asked)
    wish = await endpoints.read(request, TimesWish)
    table = await endpoints.asked_table(request)
    if table.actor != OVER and not (wish.host and hmac.compare_digest(table.body.host, digest(wish.host))):
        raise BridgeheadError("until the game is over, only the host of the table is told this", "host")
    events = await asyncio.to_thread(table.store.events, table.id)
    return answer(TableTimes(told(events, len(table.seats))))
