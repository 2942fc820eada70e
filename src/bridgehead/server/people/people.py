"""The services for people, put together over a room manager."""

from __future__ import annotations

from bridgehead.server.jobs.worker_pool import SearchPool
from bridgehead.server.people.blocks import Blocks
from bridgehead.server.people.class_seats import ClassSeats
from bridgehead.server.people.complaints import Complaints
from bridgehead.server.people.luck import LuckStore
from bridgehead.server.people.opponents import Opponents
from bridgehead.server.people.passkeys import Passkeys
from bridgehead.server.people.playtests import Playtests
from bridgehead.server.people.profiles import ALL, Profiles
from bridgehead.server.people.result_store import ResultStore
from bridgehead.server.people.tournament_archive import TournamentArchive
from bridgehead.server.people.tournaments import Tournaments
from bridgehead.server.rooms.room_manager import RoomManager


async def remove_profile(profiles: Profiles, results: ResultStore, key: str) -> None:
    """Delete the profile with this key, after storing the results of its finished games.

    Errors: NoProfile, StorageError, Refused.
    """
    found = await profiles.of_key(key)
    await profiles.leave(found.id)
    async for table in profiles.open_tables(found.id, ALL):
        await results.note(table)
    await profiles.delete(key)


class People:
    """Profiles, passkeys, results, luck, ratings, tournaments, playtests, blocks, complaints, waits and seats of a class.

    workers: count the luck of games.
    """

    def __init__(self, manager: RoomManager, workers: SearchPool) -> None:
        self.profiles = Profiles(manager.repository, manager.updates, manager.rooms.get)
        self.passkeys = Passkeys(self.profiles)
        self.results = ResultStore(manager.repository, manager.tasks)
        self.blocks = Blocks(manager.repository.store, self.profiles)
        self.complaints = Complaints(manager.repository.store)
        self.opponents = Opponents(manager.repository, self.profiles, self.results, self.blocks)
        self.luck = LuckStore(manager.repository, workers, manager.effort.debt)
        self.tournaments = Tournaments(manager, self.results)
        self.seats = ClassSeats(manager, self.tournaments)
        self.archive = TournamentArchive(self.tournaments)
        self.playtests = Playtests(manager, self.results)
        manager.updates.due.append(self.results.follow)

    async def stop(self) -> None:
        """Leave all tables of tournaments, and stop counting."""
        await self.tournaments.stop()
        await self.luck.stop()
