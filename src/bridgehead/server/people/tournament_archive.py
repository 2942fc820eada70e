"""Deletes names from tournaments, and whole tournaments, with the tables of their games, whose logs hold the names too."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable

import msgspec
from msgspec.structs import replace

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.people.tournament import EntrantForgotten, EntrantLeft, Event, Tournament, has_table
from bridgehead.server.people.tournaments import PREFIX, NoTournament, Tournaments, expect_host
from bridgehead.server.storage.event_log import Statement

RENAME = "update tournament set body = ? where id = ? and n = ?"
LAST = "select id, max(time) from tournament group by id"
DAY = 86_400.0


class TournamentArchive:
    """Deletes what the tournaments of a store hold about people."""

    def __init__(self, tournaments: Tournaments) -> None:
        self.tournaments = tournaments
        self.repository, self.store = tournaments.repository, tournaments.repository.store

    async def forget(self, name: str, entrants: Collection[int], host: str) -> Tournament:
        """Delete the names of entrants, and the tables of their games. Results stay. Errors: BridgeheadError while they play."""
        found = await self.tournaments.find(name)
        expect_host(found, host)
        if not entrants or not all(0 <= each < len(found.entrants) for each in entrants):
            raise BridgeheadError("server:error.tournament_nobody", "entrant")
        if found.started and not found.over and not {*entrants} <= found.left:
            raise BridgeheadError("server:error.tournament_plays", "entrant")
        await self._delete_tables(match.tables for match in found.matches if {*entrants} & {*match.seats})
        nameless = [replace(found.entrants[each], name="", token="", profile="", origin="") for each in entrants]
        bodies = zip((found.joined[each] for each in entrants), nameless, strict=True)
        await self.store.write(*[(RENAME, (msgspec.json.encode(body).decode(), name, n)) for n, body in bodies])

        def forgetting(now: Tournament) -> list[Event]:
            leavers = [] if now.over else [EntrantLeft(each, "host") for each in entrants if each not in now.left]
            return [*leavers, *map(EntrantForgotten, entrants)]

        return await self.tournaments.change(name, forgetting)

    async def delete(self, name: str, host: str) -> Tournament:
        """Delete a tournament that does not run, with its tables. Returns it as it was. Errors: BridgeheadError."""
        found = await self.tournaments.find(name)
        expect_host(found, host)
        if found.started and not found.over:
            raise BridgeheadError("server:error.tournament_runs", name)
        await self._delete(found)
        return found

    async def expire(self, now: float) -> int:
        """Delete the tournaments whose time to be kept is over; returns their number. now: Unix seconds. Errors: StorageError."""
        deleted = 0
        for name, last in await asyncio.to_thread(self.store.read, LAST):
            try:
                found = await self.tournaments.find(name)
                if found.settings.keep and now - last > DAY * found.settings.keep:
                    await self._delete(found)
                    deleted += 1
            except (NoTournament, BridgeheadError):  # another process was first, or somebody looks at a table: later
                continue
        return deleted

    async def _delete(self, found: Tournament) -> None:
        await self._delete_tables(match.tables for match in found.matches)
        statements: list[Statement] = [
            ("delete from tournament where id = ?", (found.id,)),
            ("delete from played where profile = ?", (PREFIX + found.id,)),
            ("delete from entry where tournament = ?", (found.id,)),
        ]
        await self.store.write(*statements)
        self.tournaments.drop(found.id)

    async def _delete_tables(self, tables: Iterable[Iterable[str]]) -> None:
        """Errors: BridgeheadError if somebody has one open, then nothing has changed."""
        names = [table for some in tables for table in some if has_table(table)]
        for table in names:
            self.tournaments.leave_table(table)
        await self.repository.delete_all(names)
