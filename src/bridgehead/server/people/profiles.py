"""Profiles without a password: a key made in the browser, which the server knows by its hash only.

The key is 32 random bytes and not a key of WebCrypto: a page that was opened by plain http in a home or school network has no
WebCrypto, and a key that cannot be exported cannot go to another device. So a profile is kept like a seat's link. Whoever has
the key has the profile; a new key ends the old one. From the key and a table's id follows a token that plays the profile's
seats there, so another device that has the key goes on with the same games, and the server stores no token.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import OVER
from bridgehead.core.validation import ready
from bridgehead.server.people.results import PERSON
from bridgehead.server.rooms.room import Room
from bridgehead.server.rooms.updates import Updates
from bridgehead.server.storage.event_log import Conflict, EventLog, Statement, StorageError
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.event_handlers import changed_seat
from bridgehead.server.tables.names import clean_name, name_keys
from bridgehead.server.tables.repository import Repository
from bridgehead.server.tables.stored_seats import digest, token_of
from bridgehead.server.tables.table import NewEvent, Refused, Table

log = logging.getLogger("bridgehead")
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
LONG = 22  # letters of an id, as of a table's
MOST_CHANGES = 300  # changes of the people at one table after which no profile takes a seat there any more
GAMES = 200  # games that a profile shows
RUNNING = 20  # running games whose state is looked up
ALL = 1_000_000  # games
TRIES = 3
MAKE = "insert into profile values (?, ?, ?, ?)"
NAME = "insert into named values (?, ?)"
PLAYED = "insert into played values (?, ?, ?) on conflict (profile, game) do nothing"


class Profile(msgspec.Struct, frozen=True):
    """A profile as it is stored. colour: a livery; picture: number of the picture that `pictures` draws."""

    name: str
    colour: str = "a"
    picture: int = 0


class StoredProfile(NamedTuple):
    """A stored profile with its id, and the time since when it exists (Unix seconds)."""

    id: str
    since: float
    body: Profile


class NoProfile(BridgeheadError):
    """Raised for a key or an id that belongs to no profile."""


def seat_token(key: str, table: str) -> str:
    """The token with which the devices of a profile play its seats at a table."""
    return token_of(key, b"bridgehead seat\n" + table.encode())


class Profiles:
    """The profiles of a store. rooms: the table's room, if it has pages."""

    def __init__(self, repository: Repository, updates: Updates, room: Callable[[str], Room | None]) -> None:
        self.repository, self.updates, self.room = repository, updates, room
        self.store: EventLog = repository.store

    async def of_key(self, key: str) -> StoredProfile:
        """The profile with this key. Errors: NoProfile, StorageError."""
        rows = await asyncio.to_thread(self.store.read, "select id, since, body from profile where key = ?", digest(key))
        if not rows:
            raise NoProfile("server:error.no_profile", "key")
        return _known(rows[0])

    async def of_id(self, profile: str) -> StoredProfile:
        """The profile with this id. Errors: NoProfile, StorageError."""
        found = await self.load_profiles([profile])
        if profile not in found:
            raise NoProfile("server:error.no_such_profile", profile)
        return found[profile]

    async def load_profiles(self, ids: list[str]) -> dict[str, StoredProfile]:
        """The profiles with these ids, as far as they exist. Errors: StorageError."""
        if not ids:
            return {}
        query = f"select id, since, body from profile where id in ({', '.join('?' * len(ids))})"
        rows = await asyncio.to_thread(self.store.read, query, *ids)
        return {row[0]: _known(row) for row in rows}

    async def save(self, key: str, profile: Profile) -> StoredProfile:
        """Make the profile of a key, or change it. Errors: BridgeheadError for no name or one that is taken; StorageError."""
        kept = replace(profile, name=clean_name(profile.name))
        if not kept.name:
            raise BridgeheadError("server:error.profile_name", "name")
        text = msgspec.json.encode(kept).decode()
        for _ in range(TRIES):
            rows = await asyncio.to_thread(self.store.read, "select id, since, body from profile where key = ?", digest(key))
            fresh = StoredProfile("".join(secrets.choice(LETTERS) for _ in range(LONG)), time.time(), kept)
            made = _known(rows[0]) if rows else fresh
            change = "update profile set body = ? where key = ?", (text, digest(key))
            add = MAKE, (made.id, digest(key), made.since, text)
            try:
                await self.store.write(change if rows else add, *await self._take_name(made, kept.name, bool(rows)))
            except Conflict:  # another device has just made it, or somebody has taken the name
                continue
            return made._replace(body=kept)
        raise BridgeheadError("server:error.profile_busy", "key")

    async def _take_name(self, known: StoredProfile, name: str, exists: bool) -> list[Statement]:
        """The statements that give a profile a name. Errors: BridgeheadError if another profile has one that looks the same.

        An older release let profiles have one name; each may keep it.
        """
        keys = sorted(name_keys(name))
        if exists and set(keys) == name_keys(known.body.name):
            return []
        query = f"select profile from named where name in ({', '.join('?' * len(keys))}) and profile <> ?"
        if await asyncio.to_thread(self.store.read, query, *keys, known.id):
            raise BridgeheadError("server:error.profile_name_taken", "name", name=name)
        freed: Statement = ("delete from named where profile = ?", (known.id,))
        return [freed, *((NAME, (key, known.id)) for key in keys)]

    async def begin(self) -> None:
        """At the start of the server: note the names that an older release did not. Of equal ones the oldest profile has it."""
        query = "select id, since, body from profile where id not in (select profile from named) order by since"
        try:
            for known in map(_known, await asyncio.to_thread(self.store.read, query)):
                add = f"{NAME} on conflict (name) do nothing"
                await self.store.write(*((add, (key, known.id)) for key in sorted(name_keys(known.body.name))))
        except StorageError:
            log.exception("the names of older profiles could not be noted")

    async def renew(self, key: str, fresh: str) -> StoredProfile:
        """Replace a profile's key. Its passkeys end, and at all running tables the tokens from the old key. Errors: as `of_key`.

        Asked again with the same keys, since the answer was lost or the server ended, it does what was left to do.
        """
        if hmac.compare_digest(key, fresh):
            raise BridgeheadError("server:error.profile_same_key", "fresh")
        try:
            found = await self.of_key(key)
        except NoProfile:
            found = await self.of_key(fresh)
        try:
            ended = "delete from passkey where profile in (select id from profile where key = ?)", (digest(key),)
            change = "update profile set key = ? where id = ? and key = ?"
            await self.store.write(ended, (change, (digest(fresh), found.id, digest(key))))
        except Conflict:
            raise BridgeheadError("server:error.profile_busy", "fresh") from None
        async for table in self.running(found.id):
            await self._mark(table, {i for i, seat in enumerate(table.seats) if seat.profile == found.id}, found.id, fresh)
        return await self.of_key(fresh)

    async def leave(self, profile: str) -> None:
        """End a profile at all its running tables. Its seats stay those of the links. Errors: StorageError, Refused."""
        async for table in self.running(profile):
            await self._mark(table, {i for i, seat in enumerate(table.seats) if seat.profile == profile}, "", "")

    async def delete(self, key: str) -> None:
        """Delete a profile: its name, list of games, ratings, blocks and passkeys. Errors: as `of_key`.

        Records and results of the others keep the id, which names nobody any more. `people.remove_profile` leaves its tables
        first.
        """
        found = await self.of_key(key)
        gone: list[Statement] = [
            ("delete from profile where id = ?", (found.id,)),
            ("delete from named where profile = ?", (found.id,)),
            ("delete from passkey where profile = ?", (found.id,)),
            ("delete from played where profile = ?", (found.id,)),
            ("delete from rating where who = ?", (PERSON + found.id,)),
            ("delete from block where profile = ? or other = ?", (found.id, found.id)),
            ("delete from seek where profile = ?", (found.id,)),
            ("update complaint set reporter = '' where reporter = ?", (found.id,)),
        ]
        await self.store.write(*gone)

    async def take(self, key: str, asked: str, tokens: list[str], address: str, browser: str = "") -> tuple[Table, list[int]]:
        """Note that the person with a profile plays the seats that these tokens give. Returns the table and the seats.

        browser: the secret of the browser that plays them, "" if it did not say.

        Errors: as `of_key`; BridgeheadError if the tokens give no seat there.
        """
        found, table = await self.of_key(key), await self.repository.find(asked, address)
        held = table.holding([digest(token) for token in tokens]).you if table else frozenset()
        if table is None or not held:
            raise BridgeheadError("server:error.profile_no_seat", "tokens")
        shown = token_of(browser, b"bridgehead browser\n" + table.id.encode())[:LONG] if browser else ""
        await self._mark(table, set(held), found.id, key, shown)
        await self.store.write((PLAYED, (found.id, table.id, time.time())))
        return table, sorted(held)

    async def games(self, profile: str) -> list[tuple[str, float]]:
        """The tables at which a profile has played, the newest first, and since when."""
        query = f"select game, since from played where profile = ? order by since desc limit {GAMES}"
        return [(game, since) for game, since in await asyncio.to_thread(self.store.read, query, profile)]

    async def running(self, profile: str) -> AsyncIterator[Table]:
        """All tables of a profile whose games run, one at a time. Errors: StorageError."""
        async for table in self.open_tables(profile, ALL):
            if table.actor != OVER:
                yield table

    async def open_tables(self, profile: str, most: int = RUNNING) -> AsyncIterator[Table]:
        """The newest tables of a profile that have no result yet, one at a time. Errors: StorageError."""
        query = (
            "select p.game from played p where p.profile = ? and not exists (select 1 from result r where r.game = p.game) "
            f"order by p.since desc limit {most}"
        )
        for (game,) in await asyncio.to_thread(self.store.read, query, profile):
            try:
                table = await self.repository.find(game)
            except BridgeheadError:  # it cannot be opened now
                continue
            if table is not None:
                yield table

    async def _mark(self, table: Table, seats: set[int], profile: str, key: str, browser: str = "") -> None:
        """Write into a table's log who has these seats. browser: "" keeps what is known. Errors: StorageError, Refused."""
        own = digest(seat_token(key, table.id)) if key else ""
        for _ in range(TRIES):
            async with table.lock:
                events = self._events(table, seats, bodies.ProfileAttached(profile, own, browser=browser or UNSET))
                if not events:
                    return
                if table.people.changes + len(events) > MOST_CHANGES:
                    raise Refused("closed", "seat.too_often", n=MOST_CHANGES)
                room = self.room(table.id)
                try:
                    await table.write(secrets.token_hex(16), *events)
                except Conflict:
                    await (self.updates.refresh(room) if room else table.refresh())
                    continue
                if room is not None:
                    await self.updates.show_change(room, people=True)
                return
        raise BridgeheadError("server:error.profile_busy", table.id)

    def _events(self, table: Table, seats: set[int], body: bodies.ProfileAttached) -> list[NewEvent]:
        people = [(i, table.seats[i]) for i in sorted(seats) if table.seats[i].kind == "person"]
        changed = [(i, seat) for i, seat in people if changed_seat(seat, body) != seat]
        return [NewEvent("seat", i, body) for i, _ in changed]


def _known(row: tuple[str, float, str]) -> StoredProfile:
    return StoredProfile(row[0], row[1], msgspec.json.decode(row[2], type=ready(Profile)))
