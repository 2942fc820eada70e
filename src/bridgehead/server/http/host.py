"""Requests of the server's host at the desk. The key is in the body, never in an address."""

from __future__ import annotations

import asyncio

from bridgehead.core.version import __version__
from bridgehead.server.connections.requests import language
from bridgehead.server.http.classroom import expect_host
from bridgehead.server.http.routes import LANG, Request, may_store, people, route
from bridgehead.server.http.tournaments import show_head
from bridgehead.server.messages.host import BackupFile, HostAct, HostActed, HostAsked, HostDeskView, HostReport
from bridgehead.server.people.complaints import complaint_text
from bridgehead.server.people.host_desk import HostDesk
from bridgehead.server.storage.retention import Policy

SHOWN = 50  # tournaments


@route("POST /api/host", HostDeskView, HostAsked, query=(LANG,), limit="classes")
async def desk(request: Request, asked: HostAsked) -> HostDeskView:
    """Everything on the desk. Errors: 403 for a wrong key."""
    expect_host(request, asked.key)
    found: HostDesk = request.app.state.desk
    service, rooms = people(request), request.app.state.manager.rooms
    tables, profiles = await asyncio.to_thread(found.count)
    size, free = await asyncio.to_thread(found.measure)
    kept = await asyncio.to_thread(found.list_backups)
    return HostDeskView(
        version=__version__,
        tables=tables,
        people=profiles,
        here=sum(len(room.table.attendance.here) for room in rooms.values()),
        size=size,
        free=free,
        folder=str(found.folder or ""),
        every=await asyncio.to_thread(found.read_schedule),
        backups=[BackupFile(each.name, int(each.time), each.size) for each in kept],
        reports=[HostReport(each.id, complaint_text(each, language(request))) for each in await service.complaints.open()],
        tournaments=[await show_head(request, each) for each in (await service.tournaments.list_all())[:SHOWN]],
        log=[*found.recent.lines][::-1],
    )


@route("POST /api/host/act", HostActed, HostAct, limit="classes")
async def act(request: Request, asked: HostAct) -> HostActed:
    """Make a backup or plan them, delete old tables, close a report. Errors: 403 for a wrong key."""
    expect_host(request, asked.key)
    may_store(request)
    found: HostDesk = request.app.state.desk
    match asked.do:
        case "backup":
            return HostActed(0, await found.back_up())
        case "every":
            await asyncio.to_thread(found.plan, int(asked.days))
        case "count" | "prune":
            gone = await found.prune(Policy(asked.unplayed, asked.days), delete=asked.do == "prune")
            return HostActed(len(gone), "", sum(each.played for each in gone))
        case "close":
            await people(request).complaints.close(asked.name)
    return HostActed(0, "")
