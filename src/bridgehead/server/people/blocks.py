"""Blocks: the profiles that a profile does not want to play, and whose chat its pages hide. Nobody learns who blocks them."""

from __future__ import annotations

import asyncio
import time

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.people.profiles import Profiles, StoredProfile
from bridgehead.server.storage.event_log import EventLog

MOST = 200  # blocks of one profile
ADD = "insert into block values (?, ?, ?) on conflict (profile, other) do nothing"


class Blocks:
    """The blocks of a store."""

    def __init__(self, store: EventLog, profiles: Profiles) -> None:
        self.store, self.profiles = store, profiles

    async def change(self, key: str, other: str, blocked: bool) -> list[StoredProfile]:
        """Block another profile, or end that; the profiles blocked now.

        Errors: NoProfile; BridgeheadError for oneself and for too many; StorageError.
        """
        found = await self.profiles.of_key(key)
        if not blocked:
            await self.store.write(("delete from block where profile = ? and other = ?", (found.id, other)))
        else:
            await self.profiles.of_id(other)
            if other == found.id:
                raise BridgeheadError("server:error.block_self", "profile")
            if len(await self._of(found.id)) >= MOST:
                raise BridgeheadError("server:error.block_many", "profile", most=MOST)
            await self.store.write((ADD, (found.id, other, time.time())))
        return await self.of_profile(found.id)

    async def of_key(self, key: str) -> list[StoredProfile]:
        """The profiles that the profile of a key has blocked, the newest first. Errors: NoProfile, StorageError."""
        return await self.of_profile((await self.profiles.of_key(key)).id)

    async def of_profile(self, profile: str) -> list[StoredProfile]:
        """The profiles that a profile has blocked, the newest first. Errors: StorageError."""
        blocked = await self._of(profile)
        names = await self.profiles.load_profiles(blocked)
        return [names[other] for other in blocked if other in names]

    async def around(self, profile: str) -> set[str]:
        """The profiles that a profile has blocked, and those that have blocked it. Errors: StorageError."""
        query = "select other from block where profile = ? union select profile from block where other = ?"
        return {other for (other,) in await asyncio.to_thread(self.store.read, query, profile, profile)} if profile else set()

    async def _of(self, profile: str) -> list[str]:
        query = "select other from block where profile = ? order by since desc, other"
        return [other for (other,) in await asyncio.to_thread(self.store.read, query, profile)]
