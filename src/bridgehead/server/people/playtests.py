"""Playtests: people play one version of a game and answer three questions. Each is the fold of its events in the database.

Games are played at ordinary tables. Nothing about testers is kept but what they type.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import OVER
from bridgehead.core.validation import ready
from bridgehead.players import levels_of
from bridgehead.server.messages.client import HouseRules
from bridgehead.server.messages.playtests import FAIR, PlaytestAnswer, PlaytestGame, PlaytestWish
from bridgehead.server.messages.tables import NewTable, SeatWish
from bridgehead.server.people.result_store import ResultStore
from bridgehead.server.rooms.room_manager import RoomManager
from bridgehead.server.storage.event_log import Conflict, Statement
from bridgehead.server.tables.codes import fresh_id
from bridgehead.server.tables.names import clean_text
from bridgehead.server.tables.stored_seats import digest, fresh_token
from bridgehead.server.tables.table import Table

MOST_EVENTS = 5000
TRIES = 20  # against other processes
DAY = 86_400.0
PREFIX = "v:"  # begins the name of a playtest among those whose games are linked
ADD = "insert into playtest values (?, ?, ?, ?)"
READ = "select n, time, body from playtest where id = ? order by n"
LAST = "select id, max(time) from playtest group by id"
LINK = "insert into played values (?, ?, ?) on conflict (profile, game) do nothing"
TABLES = "select game from played where profile = ?"
OF_TABLE = "select profile from played where profile > 'v:' and profile < 'v;' and game = ?"


class NoPlaytest(BridgeheadError):
    """There is no playtest with this id."""


class PlaytestEvent(msgspec.Struct, frozen=True, tag_field="do"):
    """Base of all events."""


class PlaytestOpened(PlaytestEvent, frozen=True, tag="open"):
    """The version that is played. host: hash of the designer's token; keep: days after the last event until it is deleted."""

    game: str
    options: HouseRules
    host: str
    keep: int


class PlaytestPlayed(PlaytestEvent, frozen=True, tag="play"):
    """A game is over. players: of each seat a computer's level, "" for a person; early: people ended it before the rules did."""

    table: str
    players: list[str]
    returns: list[float]
    turns: int
    early: bool


class PlaytestAnswered(PlaytestEvent, frozen=True, tag="answer"):
    """The tester of a seat has answered. computers: one played at that table; the rest as in `PlaytestAnswer`."""

    table: str
    seat: int
    fun: int
    start: int
    note: str
    computers: bool


Event = PlaytestOpened | PlaytestPlayed | PlaytestAnswered


class Playtest(NamedTuple):
    """A playtest. games, answers: with their times (Unix seconds); n: its number of events; changed: when the last one was."""

    id: str
    settings: PlaytestOpened
    games: list[tuple[float, PlaytestPlayed]]
    answers: list[tuple[float, PlaytestAnswered]]
    n: int
    changed: float


class Playtests:
    """The playtests of a store."""

    def __init__(self, manager: RoomManager, results: ResultStore) -> None:
        self.manager, self.repository, self.store = manager, manager.repository, manager.repository.store
        self._locks: dict[str, asyncio.Lock] = {}  # one change of a playtest at a time; other processes meet a Conflict
        results.ended.append(self._note_end)

    async def find(self, name: str) -> Playtest:
        """A playtest. Errors: NoPlaytest, StorageError."""
        rows = await asyncio.to_thread(self.store.read, READ, name)
        if not rows:
            raise NoPlaytest("server:error.no_playtest", name)
        events = [(at, _decode(body)) for _, at, body in rows]
        games = [(at, event) for at, event in events if isinstance(event, PlaytestPlayed)]
        answers = [(at, event) for at, event in events if isinstance(event, PlaytestAnswered)]
        settings = msgspec.json.decode(rows[0][2], type=ready(PlaytestOpened))
        return Playtest(name, settings, games, answers, rows[-1][0], rows[-1][1])

    async def find_hosted(self, name: str, host: str) -> Playtest:
        """A playtest for its designer, with the games that ended while no server noted them. Errors: for a wrong token too."""
        found = await self.find(name)
        if not (host and hmac.compare_digest(found.settings.host, digest(host))):
            raise BridgeheadError("server:error.playtest_host", "host")
        noted = {game.table for _, game in found.games}
        for (name_of_table,) in await asyncio.to_thread(self.store.read, TABLES, PREFIX + name):
            if name_of_table not in noted and (table := await self.repository.find(name_of_table)):
                await self._note_end(table)
        return await self.find(name)

    async def find_of_table(self, table: str) -> str:
        """The playtest to which a table belongs; "" if to none. Errors: StorageError."""
        rows = await asyncio.to_thread(self.store.read, OF_TABLE, table)
        return str(rows[0][0])[len(PREFIX) :] if rows else ""

    async def create(self, wish: PlaytestWish, asker: str) -> tuple[str, str]:
        """A new playtest: its id and its designer's token. Errors: those of building a game."""
        game = await self.repository.games.game(wish.game, wish.preset, wish.options, asker)
        host, made = fresh_token(), fresh_id()
        opened = PlaytestOpened(game.spec.id, game.differences, digest(host), wish.keep)
        await self.store.write((ADD, (made, 1, time.time(), _text(opened))))
        return made, host

    async def open_table(self, name: str, wish: PlaytestGame, asker: str) -> tuple[Table, list[str | None], str]:
        """A table for a tester, whose seat is drawn by lot: the table, the tokens of the seats there, the host's token.

        Errors: NoPlaytest, OptionError for an unknown level, those of `Repository.create`.
        """
        settings = (await self.find(name)).settings
        game = await self.repository.games.game(settings.game, "", settings.options, asker)
        if wish.how == "computer" and wish.level not in levels_of(registry.spec(settings.game)):
            raise BridgeheadError("server:error.tournament_level", "level", level=wish.level)
        others = {
            "here": SeatWish("person"),
            "computer": SeatWish("computer", wish.level),
            "invite": SeatWish("person", open=True),
        }[wish.how]
        seats, mine = [others] * game.seats, secrets.randbelow(game.seats)
        seats[mine] = SeatWish("person")
        table, tokens, host = await self.repository.create(NewTable(settings.game, "", settings.options, seats), asker)
        async with self._lock(name):
            try:
                await self.find(name)
            except NoPlaytest:  # deleted while the table was made
                await self.repository.erase(table.id)
                raise
            await self.store.write((LINK, (PREFIX + name, table.id, time.time())))
        return table, [token if wish.how == "here" or seat == mine else None for seat, token in enumerate(tokens)], host

    async def answer(self, name: str, given: PlaytestAnswer) -> None:
        """Keep a tester's answers. Each seat has one; those of a device at one screen are answered one after the other.

        Errors: NoPlaytest; BridgeheadError for a table without a game of this playtest, no seat there, or a second answer.
        """
        table = await self.repository.find(given.table) if await self.find_of_table(given.table) == name else None
        if table is None or len(table.match.log) == table.begun:
            await self.find(name)
            raise BridgeheadError("server:error.playtest_table", "table")
        if not FAIR <= given.start < table.game.seats:
            raise BridgeheadError("server:error.playtest_start", "start", seats=table.game.seats)
        held = table.holding([digest(token) for token in given.tokens])
        mixed, mine = any(_players_of(table)), held.you | held.back
        if not mine:
            raise BridgeheadError("server:error.playtest_seat", "tokens")

        def answering(found: Playtest) -> Event:
            left = mine - {each.seat for _, each in found.answers if each.table == given.table}
            if not left:
                raise BridgeheadError("server:error.playtest_answered", "table")
            return PlaytestAnswered(given.table, min(left), given.fun, given.start, clean_text(given.note), mixed)

        await self._change(name, answering)

    async def delete(self, name: str, host: str) -> None:
        """Delete a playtest with the tables of its games; who has one open is told. Errors: those of `find_hosted`."""
        await self.find_hosted(name, host)
        await self._delete(name)

    async def expire(self, now: float) -> int:
        """Delete the playtests whose time to be kept is over; returns their number. now: Unix seconds. Errors: StorageError."""
        deleted = 0
        for name, last in await asyncio.to_thread(self.store.read, LAST):
            with contextlib.suppress(NoPlaytest):  # another process was first
                keep = (await self.find(name)).settings.keep
                if keep and now - last > DAY * keep:
                    await self._delete(name)
                    deleted += 1
        return deleted

    async def _delete(self, name: str) -> None:
        async with self._lock(name):
            while rows := await asyncio.to_thread(self.store.read, TABLES, PREFIX + name):  # a rematch is perhaps made meanwhile
                for (table,) in rows:
                    await self.manager.erase(table, "bye.playtest")
            statements: list[Statement] = [
                ("delete from playtest where id = ?", (name,)),
                ("delete from played where profile = ?", (PREFIX + name,)),
            ]
            await self.store.write(*statements)

    async def _note_end(self, table: Table) -> None:
        """Keep the result of a finished game, once, if it belongs to a playtest and somebody has played."""
        outcome = table.match.outcome
        if table.actor != OVER or outcome is None or not table.match.log:
            return
        if not (name := await self.find_of_table(table.id)):
            return
        early = table.match.ended is not None
        turns = table.match.log[-1].turn + 1
        event = PlaytestPlayed(table.id, _players_of(table), list(outcome.returns), turns, early)
        await self._change(name, lambda found: None if any(each.table == table.id for _, each in found.games) else event)

    def _lock(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())

    async def _change(self, name: str, change: Callable[[Playtest], Event | None]) -> None:
        """Store the event of a change, which is asked again when another process was first. Errors: those of the change."""
        async with self._lock(name):
            for _ in range(TRIES):
                found = await self.find(name)
                event = change(found)
                if event is None:
                    return
                if found.n >= MOST_EVENTS:
                    raise BridgeheadError("server:error.playtest_full", name, most=MOST_EVENTS)
                try:
                    await self.store.write((ADD, (name, found.n + 1, time.time(), _text(event))))
                except Conflict:
                    continue
                return
        raise BridgeheadError("server:error.profile_busy", name)


def _decode(body: str) -> Event:
    kind: Any = Event
    found: Event = msgspec.json.decode(body, type=ready(kind))
    return found


def _text(event: Event) -> str:
    return msgspec.json.encode(event).decode()


def _players_of(table: Table) -> list[str]:
    """The computer's level of each seat, "" for a person."""
    return [seat.level if seat.kind == "computer" else "" for seat in table.seats]
