"""The services for people, put together over a room manager."""

from __future__ import annotations

from bridgehead.server.people.profiles import Profiles
from bridgehead.server.people.result_store import ResultStore
from bridgehead.server.people.tournaments import Tournaments
from bridgehead.server.rooms.room_manager import RoomManager


class People:
    """Profiles, results, ratings and tournaments of a server."""

    def __init__(self, manager: RoomManager) -> None:
        self.profiles = Profiles(manager.repository, manager.updates, manager.rooms.get)
        self.results = ResultStore(manager.repository, manager.tasks)
        self.tournaments = Tournaments(manager, self.results)
        manager.updates.due.append(self.results.follow)
