"""Opponents: people who wait for the same game, and how two of them get a table.

Everything is in the database, so people meet whichever server process they ask. A page asks every few seconds; silence ends
its wait. Two are first matched, and the table is made when the second one asks again. If it has vanished, it is dropped, and
the first goes on waiting. A seat's token follows from the secret of its wait, so the store has only the token's hash.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.game import Game
from bridgehead.server.messages.lobby import OpponentWait, Pace, UsualWait
from bridgehead.server.messages.tables import ClockWish, NewTable, SeatWish
from bridgehead.server.people import matchmaking
from bridgehead.server.people.blocks import Blocks
from bridgehead.server.people.matchmaking import Seeker
from bridgehead.server.people.profiles import Profiles
from bridgehead.server.people.ratings import MIDDLE
from bridgehead.server.people.result_store import ResultStore
from bridgehead.server.storage.event_log import Conflict, Statement
from bridgehead.server.tables.codes import fresh_id
from bridgehead.server.tables.names import clean_name, distinct_name
from bridgehead.server.tables.repository import Repository
from bridgehead.server.tables.state import pool_of
from bridgehead.server.tables.stored_seats import Seat, digest, fresh_token, token_of

PACES: dict[Pace, ClockWish | None] = {"live": ClockWish(bank=600, increment=10), "none": None}
SEATS = 2
SILENT = 12.0  # seconds without a question after which a wait ends
KEPT = 300.0  # seconds for which the answer "paired" is kept
DAY = 86_400.0
MOST = 1000  # waits at the same time
OF_ONE = 40  # waits of one address: a classroom
TRIES = 4
# A wait: its hashed secret, what is waited for, since when, when it was last asked about, and by whom.
JOIN = "insert into seek values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
FIND = "select key, pool, since, seen, profile, rating, name from seek where key = ?"
OTHERS = (
    "select key, since, profile, rating from seek where pool = ? and seen > ?"
    " and key not in (select key from matched) order by since limit 1000"
)
MATCH = "insert into matched values (?, ?, ?, ?, ?, '')"  # fails if one of the two is matched already
TIDY = "delete from seek where seen <= ? and key not in (select key from matched where time > ?)"
NOTE = "insert into waited values (?, ?, ?, ?)"
UNMATCH = "delete from matched where pair = ? and game = ''"


class NoWait(BridgeheadError):
    """There is no such wait: it was ended, or was silent for too long."""


class Wait(NamedTuple):
    """A stored wait."""

    key: str
    pool: str
    since: float
    seen: float
    profile: str
    rating: int
    name: str

    @property
    def seeker(self) -> Seeker:
        return Seeker(self.key, self.since, self.profile, self.rating)


class OpponentPair(NamedTuple):
    """Two waits that were put together. first: this one asked when they were; table: "" until both have asked."""

    pair: str
    other: str
    first: bool
    table: str


def seat_token(secret: str) -> str:
    """The token of the seat that a wait leads to."""
    return token_of(secret, b"bridgehead opponent")


class Opponents:
    """The people of a store who wait. now: Unix seconds."""

    def __init__(
        self,
        repository: Repository,
        profiles: Profiles,
        results: ResultStore,
        blocks: Blocks,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.repository, self.store, self.now = repository, repository.store, now
        self.profiles, self.results, self.blocks = profiles, results, blocks

    async def wait(self, game: str, pace: Pace, name: str, key: str, asker: str) -> str:
        """Begin to wait; returns the secret of the wait. key: of a profile, or "". An earlier wait of this profile ends.

        Errors: BridgeheadError for an unknown game or profile, and for too many waits; StorageError.
        """
        made = await self._game(game)
        found = await self.profiles.of_key(key) if key else None
        profile, rating = found.id if found else "", MIDDLE
        if found:
            ratings = dict(await asyncio.to_thread(self.results.of_profile, found.id))
            known = ratings.get(pool_of(made))
            rating = known.points if known else rating
        now, secret = self.now(), fresh_token()
        await self._tidy(now)
        count = (
            "select count(*), coalesce(sum(case when asker = ? then 1 else 0 end), 0) from seek"
            " where key not in (select key from matched)"
        )
        [(everybody, own)] = await asyncio.to_thread(self.store.read, count, digest(asker))
        if everybody >= MOST or own >= OF_ONE:
            raise BridgeheadError("server:error.opponent_many")
        shown = clean_name(found.body.name if found else name)
        values = (digest(secret), _pool(game, pace), now, now, profile, rating, shown, digest(asker), digest(seat_token(secret)))
        earlier: list[Statement] = [("delete from seek where profile = ?", (profile,))] if profile else []
        await self.store.write(*earlier, (JOIN, values))
        return secret

    async def ask(self, secret: str) -> OpponentWait:
        """Go on waiting: looks for an opponent. Errors: NoWait; StorageError; those of building the game."""
        key = digest(secret)
        for _ in range(TRIES):
            me = await self._find(key)
            await self.store.write(("update seek set seen = ? where key = ?", (self.now(), key)))
            match = await self._match(key)
            if match is None:
                if not await self._look(me):
                    break
            elif match.table:
                return OpponentWait(secret, int(self.now() - me.since), match.table, seat_token(secret))
            elif await self._lost(match):
                await self.store.write((UNMATCH, (match.pair,)), *_gone(match.other, self.now()))
            elif match.first:
                break
            else:
                await self._deal(me, match)
        return OpponentWait(secret, int(self.now() - me.since))

    async def leave(self, secret: str) -> None:
        """End a wait. Errors: StorageError."""
        await self.store.write(("delete from seek where key = ?", (digest(secret),)))

    async def usual(self) -> list[UsualWait]:
        """For each game for two and each pace: how long people waited in the last day, and how many wait now."""
        now = self.now()
        waited = "select pool, seconds from waited where time > ?"
        known = await asyncio.to_thread(self.store.read, waited, now - DAY)
        waits_now = "select pool, count(*) from seek where seen > ? and key not in (select key from matched) group by pool"
        here = dict(await asyncio.to_thread(self.store.read, waits_now, now - SILENT))
        games = [spec for spec in registry.specs().values() if spec.seats[0] <= SEATS <= spec.seats[1]]
        found = []
        for spec, pace in itertools.product(games, PACES):
            waits = [seconds for pool, seconds in known if pool == _pool(spec.id, pace)]
            usual, waiting = matchmaking.usual(waits), here.get(_pool(spec.id, pace), 0)
            found.append(UsualWait(spec.id, spec.title, pace, usual, waiting))
        return found

    # Steps

    async def _find(self, key: str) -> Wait:
        rows = await asyncio.to_thread(self.store.read, FIND, key)
        now = self.now()
        if not rows or (rows[0][3] <= now - SILENT and not await self._match(key)):
            raise NoWait("server:error.opponent_gone")
        return Wait(*rows[0])

    async def _match(self, key: str) -> OpponentPair | None:
        rows = await asyncio.to_thread(self.store.read, "select pair, other, first, game from matched where key = ?", key)
        return OpponentPair(rows[0][0], rows[0][1], bool(rows[0][2]), rows[0][3]) if rows else None

    async def _look(self, me: Wait) -> bool:
        """Match a wait with another one; False if nobody suits."""
        now = self.now()
        rows = await asyncio.to_thread(self.store.read, OTHERS, me.pool, now - SILENT)
        blocked = await self.blocks.around(me.profile)
        found = matchmaking.opponent(me.seeker, [Seeker(*row) for row in rows], blocked, now)
        if found is None:
            return False
        pair = fresh_id()
        with contextlib.suppress(Conflict):  # somebody else was first
            await self.store.write((MATCH, (me.key, found.name, pair, 1, now)), (MATCH, (found.name, me.key, pair, 0, now)))
        return True

    async def _lost(self, match: OpponentPair) -> bool:
        """Has the other one left, or been silent for too long?"""
        rows = await asyncio.to_thread(self.store.read, "select seen from seek where key = ?", match.other)
        return not rows or rows[0][0] <= self.now() - SILENT

    async def _deal(self, me: Wait, match: OpponentPair) -> None:
        """Make the table of two who have both asked. If another process has made one meanwhile, that one counts."""
        columns = "select key, since, name, profile, token from seek where key in (?, ?)"
        rows = await asyncio.to_thread(self.store.read, columns, me.key, match.other)
        if len(rows) < SEATS:
            return
        if secrets.randbelow(2):
            rows.reverse()
        game, pace = me.pool.split("/")
        options = (await self._game(game)).differences
        letters = [registry.spec(game).seat_letter(i).upper() for i in range(SEATS)]
        seats: list[Seat] = []
        for letter, (_, _, name, profile, token) in zip(letters, rows, strict=True):
            shown = distinct_name(name or letter, (each.name for each in seats))
            seats.append(Seat("person", "", shown, token, profile=profile))
        wish = NewTable(game, "", options, [SeatWish("person")] * SEATS, clock=PACES[_pace(pace)])
        table = await self.repository.create_for(wish, seats, digest(fresh_token()))
        now = self.now()
        noted = [(NOTE, (key + match.pair, now, me.pool, now - since)) for key, since, *_ in rows]
        await self.store.write(("update matched set game = ? where pair = ? and game = ''", (table.id, match.pair)))
        kept = await self._match(me.key)
        if kept is not None and kept.table == table.id:
            await self.store.write(*noted)

    async def _tidy(self, now: float) -> None:
        """Forget waits that are over. Errors: StorageError."""
        await self.store.write(
            (TIDY, (now - SILENT, now - KEPT)),
            ("delete from matched where time <= ?", (now - KEPT,)),
            ("delete from waited where time <= ?", (now - DAY,)),
        )

    async def _game(self, name: str) -> Game:
        """A game for two by the rules as written. Errors: UnknownGame, OptionError."""
        spec = registry.spec(name)
        least, most = spec.seats
        if not least <= SEATS <= most:
            raise OptionError("server:error.opponent_seats", "game", seats=SEATS)
        options = {"seats": SEATS} if least != most else {}
        return await self.repository.games.game(name, "", options)


def _pool(game: str, pace: Pace) -> str:
    """The name of those who wait for the same."""
    return f"{game}/{pace}"


def _pace(pace: str) -> Pace:
    return "live" if pace == "live" else "none"


def _gone(key: str, now: float) -> list[Statement]:
    """Ends a wait that has been silent."""
    return [("delete from seek where key = ? and seen <= ?", (key, now - SILENT))]
