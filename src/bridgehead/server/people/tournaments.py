"""Tournaments of a server: keeps their events, makes the tables of each round, and reads the results from those tables.

Who does not come to a table in time loses there, by an event of the table's log; whoever came wins.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import Literal

import msgspec

from bridgehead.core import registry
from bridgehead.core.ending import ABSENT
from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.own_boards import headline
from bridgehead.core.phrases import Phrase, detect_language
from bridgehead.core.spec import OVER
from bridgehead.players import levels_of
from bridgehead.server.catalogue import WORDS
from bridgehead.server.connections.connection import Disconnected
from bridgehead.server.messages.classroom import EmptyTable
from bridgehead.server.messages.client import Hello
from bridgehead.server.messages.tables import NewTable, SeatWish
from bridgehead.server.messages.tournaments import EnteredTournament, TournamentWish
from bridgehead.server.people import tournament as events
from bridgehead.server.people.result_store import ResultStore
from bridgehead.server.people.standings import points_of, points_of_places
from bridgehead.server.people.tournament import By, Event, Tournament, TournamentMatch, decode_event, has_table
from bridgehead.server.rooms.room import Room
from bridgehead.server.rooms.room_manager import RoomManager
from bridgehead.server.storage.event_log import Conflict, Statement, StorageError
from bridgehead.server.tables import clocks
from bridgehead.server.tables.codes import DAYS, fresh_code, fresh_id
from bridgehead.server.tables.event_bodies import MatchEnded
from bridgehead.server.tables.names import clean_name, clean_text, find_twin
from bridgehead.server.tables.state import pool_of
from bridgehead.server.tables.stored_seats import Seat, digest, fresh_token
from bridgehead.server.tables.table import NewEvent, Refused, Table
from bridgehead.server.usage import Usage

log = logging.getLogger("bridgehead")
MOST_ENTRANTS = 200
MOST_EVENTS = 20_000
SHOWN = 50  # tournaments in the list
LOOKED_AT = 200  # the newest tournaments, of which the list shows those that everybody finds
TRIES = 5
GRACE = 60.0  # seconds after a start of the server in which nobody loses for not coming: perhaps it was down when they wanted to
SOON, LATEST = 2.0, 60.0  # seconds until the next look at who has come, at least and at most
OFTEN = 2.0  # seconds between two looks at the tables of a tournament whose page is open
DRIVEN = 6  # tables without people that play at the same time
ADD = "insert into tournament values (?, ?, ?, ?)"
LINK = "insert into played values (?, ?, ?) on conflict (profile, game) do nothing"
OF_TABLE = "select profile from played where game = ? and substr(profile, 1, 2) = 't:'"
NEWER = f"select id from tournament where n = 1 and time > ? order by time desc limit {LOOKED_AT}"
RUNNING = "select id from tournament t where n = 1 and not exists (select 1 from tournament c where c.id = t.id and c.body = ?)"
PREFIX = "t:"
Place = tuple[str, int]  # a table and a seat of it
AFTER_ITS_END = events.ResultCorrected | events.HostRenewed | events.EntrantForgotten


class NoTournament(BridgeheadError):
    """There is no tournament with this id."""


class Spectator:
    """A page inside the server, so that the computer players of a table without people go on. It is a `Transport`."""

    address = ""

    def __init__(self, table: str) -> None:
        self._hello = msgspec.json.encode(Hello(p=1, table=table, plain=True, brief=True)).decode()
        self._gone = asyncio.Event()
        self.usage = Usage()

    async def accept(self) -> None:
        """Nothing to open."""

    async def receive(self) -> str | None:
        """The hello, then nothing until it leaves."""
        hello, self._hello = self._hello, ""
        if hello:
            return hello
        await self._gone.wait()
        raise Disconnected

    def write(self, data: bytes) -> bool:
        return True

    async def send(self, data: bytes) -> None:
        """Nobody looks."""

    async def close(self, code: int) -> None:
        self.leave()

    def leave(self) -> None:
        self._gone.set()


class Tournaments:
    """The tournaments of a store."""

    def __init__(self, manager: RoomManager, results: ResultStore) -> None:
        self.manager, self.repository, self.store = manager, manager.repository, manager.repository.store
        self.results = results
        self._known: dict[str, Tournament] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._looked: dict[str, float] = {}
        self._codes: dict[str, str] = {}
        self._spectators: dict[str, tuple[Spectator, asyncio.Task[None]]] = {}
        self._waiting: list[str] = []  # tables without people that wait for their turn
        self._begun = time.time()
        self._appeared: set[str] = set()  # tables to which all persons have come
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._closed = False
        results.ended.append(self._table_over)

    # Reading

    async def find(self, name: str) -> Tournament:
        """A tournament, up to date. Errors: NoTournament, StorageError."""
        known = self._known.get(name)
        query = "select n, time, body from tournament where id = ? and n >= ? order by n"
        rows = await asyncio.to_thread(self.store.read, query, name, known.n if known else 0)
        known = self._known.get(name)
        if known is not None and not rows:  # it was deleted
            self.drop(name)
            raise NoTournament("server:error.no_tournament", name)
        if known is None:
            if not rows:
                raise NoTournament("server:error.no_tournament", name)
            known = self._known[name] = Tournament(name, [])
        for n, at, body in rows:
            if n == known.n + 1:  # another task may have read it too
                known.apply(decode_event(body), at)
        return known

    async def list_newest(self) -> list[Tournament]:
        """The newest tournaments that everybody finds, the newest first."""
        return [found for found in await self.list_all() if found.settings.listed][:SHOWN]

    async def list_all(self) -> list[Tournament]:
        """The newest tournaments, also those that only their links lead to."""
        query = f"select id from tournament where n = 1 order by time desc limit {LOOKED_AT}"
        return [await self.find(name) for (name,) in await asyncio.to_thread(self.store.read, query)]

    async def code_of(self, found: Tournament) -> str:
        """The code by which somebody may still enter a tournament; "" if it has none. Errors: StorageError."""
        if found.id not in self._codes:
            rows = await asyncio.to_thread(self.store.read, "select code from entry where tournament = ?", found.id)
            self._codes[found.id] = str(rows[0][0]) if rows else ""
        return self._codes[found.id] if found.may_enter else ""

    async def _give_code(self, name: str) -> None:
        """Give a tournament a code. Errors: none; one without a code is reached by its link."""
        with contextlib.suppress(StorageError, Conflict):
            code, now = fresh_code(), time.time()
            ended = "delete from entry where until < ?", (now,)
            await self.store.write(ended, ("insert into entry values (?, ?, ?)", (code, name, now + DAYS * 86_400)))
            self._codes[name] = code

    async def of_code(self, code: str) -> str:
        """The tournament with this code; "" if there is none. Errors: StorageError."""
        query = "select tournament from entry where code = ? and until > ?"
        rows = await asyncio.to_thread(self.store.read, query, code, time.time())
        return str(rows[0][0]) if rows else ""

    async def of_table(self, table: str) -> Tournament | None:
        """The tournament to which the game of a table belongs; None for any other table. Errors: StorageError."""
        for (linked,) in await asyncio.to_thread(self.store.read, OF_TABLE, table):
            with contextlib.suppress(NoTournament):
                return await self.find(str(linked)[len(PREFIX) :])
        return None

    def seats_of(self, table: str) -> tuple[str, int, str]:
        """The tournament of a running game, by its name, the number of its table and its name; "" and 0 for any other table."""
        for found in self._known.values():
            for match in found.open_matches if found.started and not found.over else ():
                if number := match.numbers.get(table, 0):
                    return found.settings.name, number, found.names.get(number, "")
        return "", 0, ""

    async def list_empty(self, since: float, most: int) -> list[EmptyTable]:
        """The tables without a game in the rooms of new tournaments, the newest first. since: Unix time. Errors: StorageError."""
        found: list[EmptyTable] = []
        for (name,) in await asyncio.to_thread(self.store.read, NEWER, since):
            if len(found) >= most:
                break
            with contextlib.suppress(BridgeheadError):  # deleted meanwhile
                club = await self.find(str(name))
                settings, busy = club.settings, club.busy_numbers
                game = await self.repository.games.game(settings.game, "", settings.options)
                found += [
                    EmptyTable(
                        club.id, settings.name, n, club.names.get(n, ""), headline(game),
                        [club.entrants[each].name for each in club.waiting.get(n - 1, [])],
                    )
                    for n in range(1, club.tables + 1) if n not in busy
                ]  # fmt: skip
        return found[:most]

    # Changes

    async def create(self, wish: TournamentWish, asker: str) -> tuple[Tournament, str]:
        """A new tournament, and the host's token. Errors: those of building a game; OptionError."""
        if wish.size and wish.options.get("seats", wish.size) != wish.size:
            raise OptionError("server:error.tournament_seats", "size")
        least, most = registry.spec(wish.game).seats
        options = dict(wish.options) | ({"seats": wish.size} if wish.size and least != most else {})
        game = await self.repository.games.game(wish.game, wish.preset, options, asker)
        if wish.size and wish.size != game.seats:
            raise OptionError("server:error.tournament_size", "size", size=wish.size, seats=game.seats)
        name = clean_name(wish.name)
        if not name:
            raise BridgeheadError("server:error.tournament_name", "name")
        host, draw, clock = fresh_token(), fresh_id(), clocks.check_clock_settings(wish.clock)
        appear = 0 if clock and clock.days else wish.appear
        opened = events.TournamentOpened(
            name, game.spec.id, game.differences, game.seats, wish.kind, wish.rounds, wish.paired, wish.minutes or 60,
            digest(host), draw, clock, wish.live, appear, wish.aids, wish.late, 0 if clock and clock.days else wish.limit,
            wish.at_limit, wish.places, wish.listed, clean_text(wish.where), wish.keep,
            wish.seating if wish.kind == "arena" else "random", wish.tables if wish.kind == "arena" else 0,
        )  # fmt: skip
        made = fresh_id()
        await self.store.write((ADD, (made, 1, time.time(), _text(opened))))
        await self._give_code(made)
        return await self.find(made), host

    async def join(self, name: str, joiner: str, level: str, profile: str, host: str, address: str = "") -> EnteredTournament:
        """A new entrant: a person, or by the host a computer player. Errors: BridgeheadError, StorageError."""
        token, origin = "" if level else fresh_token(), "" if level else self._origin(name, address)
        rating = await self._rating_of(await self.find(name), profile) if profile else 0

        def entering(found: Tournament) -> list[Event]:
            if not found.may_enter:
                raise BridgeheadError("server:error.tournament_begun")
            if level:
                expect_host(found, host)
                if level not in levels_of(registry.spec(found.settings.game)):
                    raise BridgeheadError("server:error.tournament_level", "level", level=level)
            if len(found.entrants) >= MOST_ENTRANTS:
                raise BridgeheadError("server:error.tournament_full", most=MOST_ENTRANTS)
            most = self.manager.limits.entrants
            if origin and sum(each.origin == origin for each in found.entrants) >= most:
                raise BridgeheadError("server:error.tournament_address", most=most)
            if profile and any(each.profile == profile for each in found.entrants):
                raise BridgeheadError("server:error.tournament_twice")
            shown = clean_name(joiner)
            if not shown:
                raise BridgeheadError("server:error.tournament_entrant", "name")
            if twin := find_twin(shown, (each.name for each in found.entrants)):
                raise BridgeheadError("server:error.tournament_name_taken", "name", name=twin)
            return [events.EntrantJoined(shown, digest(token) if token else "", level, profile, origin, rating)]

        found = await self.change(name, entering)
        if found.started:
            await self._go_on(name)
        hashed = digest(token) if token else ""
        wanted = [i for i, each in enumerate(found.entrants) if each.token == hashed and each.level == level]
        return EnteredTournament(wanted[-1], token)

    async def _rating_of(self, found: Tournament, profile: str) -> int:
        """The rating of a profile in the game of a tournament, in points; 0 if it has none, or nobody needs it."""
        if found.settings.seating != "rating":
            return 0
        game = await self.repository.games.game(found.settings.game, "", found.settings.options)
        known = dict(await asyncio.to_thread(self.results.of_profile, profile)).get(pool_of(game))
        return known.points if known else 0

    async def choose(
        self, name: str, entrant: int, others: Sequence[int], token: str, host: str, number: int = 0
    ) -> Tournament:  # fmt: skip
        """An entrant waits for a game with others who wait already, or at a free table: the one with this number, or any.

        Errors: BridgeheadError.
        """

        def choosing(found: Tournament) -> list[Event]:
            _expect_entrant_or_host(found, [entrant], token, host)
            if found.settings.seating != "choice" or found.over or entrant not in found.free:
                raise BridgeheadError("server:error.tournament_no_choice", "entrant")
            taken = {each - 1 for each in found.busy_numbers}
            unused = min({*range(len(found.chosen) + len(taken) + 1)} - {*found.chosen.values()} - taken)
            with_them = next((place for place, there in found.waiting.items() if {*others} & {*there}), -1)
            place = with_them if others else number - 1 if number else unused
            there = found.waiting.get(place, [])
            if entrant in there and (others or number):
                return []
            full = place in taken or len(there) >= found.settings.size or place >= max(found.tables, unused + 1)
            if place < 0 or full:
                raise BridgeheadError("server:error.tournament_place_full", "entrants")
            return [events.PlaceChosen(entrant, place)]

        await self.change(name, choosing)
        await self._go_on(name)
        return await self.find(name)

    async def name_table(self, name: str, number: int, table_name: str, host: str) -> Tournament:
        """The host gives a table of the room a name; "": none. Errors: BridgeheadError."""
        shown = clean_name(table_name)

        def naming(found: Tournament) -> list[Event]:
            expect_host(found, host)
            if not 0 < number <= found.tables:
                raise BridgeheadError("server:error.class_no_table", "number")
            return [] if found.names.get(number, "") == shown else [events.TableNamed(number, shown)]

        return await self.change(name, naming)

    def _origin(self, name: str, address: str) -> str:
        """A keyed hash of an address for one tournament; "" for an unknown address."""
        text = f"bridgehead entrant\n{name}\n{address}".encode()
        return hmac.digest(self.store.key, text, "sha256").hex()[:32] if address else ""

    async def start(self, name: str, host: str) -> Tournament:
        """Draw the first round. Errors: BridgeheadError for too few entrants."""

        def starting(found: Tournament) -> list[Event]:
            expect_host(found, host)
            if found.started:
                return []
            if len(found.playing) < found.settings.size:
                raise BridgeheadError("server:error.tournament_few", count=found.settings.size)
            return [events.TournamentStarted(time.time(), found.playing)]

        await self.change(name, starting)
        await self._go_on(name)
        return await self.find(name)

    async def leave(self, name: str, gone: Sequence[int], token: str, host: str) -> Tournament:
        """An entrant leaves by the own token, or several by the host. Running games count as lost, and the others there win.

        A game that is over already counts as it ended. They may return (`let_return`) before the next draw, which waits.
        """
        if (await self.find(name)).started:  # a name that somebody made up gets no lock
            await self._go_on(name)

        def leaving(found: Tournament) -> list[Event]:
            by = _expect_entrant_or_host(found, gone, token, host)
            leavers = [entrant for entrant in dict.fromkeys(gone) if entrant not in found.left]
            return [*(events.EntrantLeft(each, by) for each in leavers), *self._forfeits(found, leavers)]

        await self.change(name, leaving)
        await self._go_on(name)
        return await self.find(name)

    async def let_return(self, name: str, gone: Sequence[int], token: str, host: str) -> Tournament:
        """Entrants who have left come back, by the own token, or by the host, who alone lets in whom the host has removed.

        Games that they lost by leaving go on. Errors: BridgeheadError after the next draw.
        """

        def returning(found: Tournament) -> list[Event]:
            by = _expect_entrant_or_host(found, gone, token, host)
            back = [entrant for entrant in dict.fromkeys(gone) if entrant in found.left]
            if any(found.leaving[each][0] not in ("self", "") for each in back) and by == "self":
                expect_host(found, host)
            if not all(map(found.may_return, back)):
                raise BridgeheadError("server:error.tournament_no_return", "entrant")
            return [*(events.EntrantReturned(each, by) for each in back), *self._reopened(found, back)]

        await self.change(name, returning)
        await self._go_on(name)
        return await self.find(name)

    async def draw_now(self, name: str, host: str) -> Tournament:
        """The host draws the next round although somebody who has just left could still return."""
        expect_host(await self.find(name), host)
        await self._go_on(name, hurried=True)
        return await self.find(name)

    async def decide(
        self, name: str, table: str, points: Sequence[float], host: str, places: Sequence[int] = (), corrects: bool = False
    ) -> Tournament:  # fmt: skip
        """The host decides a game that does not end by itself. Errors: BridgeheadError.

        points: in the order of the seats; places: the place of each, in place of the points; corrects: a game that is over.
        """

        def deciding(found: Tournament) -> list[Event]:
            expect_host(found, host)
            given = list(points_of_places(places, found.settings.places) if places else points)
            if len(given) != found.settings.size or not all(0 <= each <= 1 for each in given):
                raise BridgeheadError("server:error.tournament_points", "points", count=found.settings.size)
            for match in found.matches:
                if table in match.games and corrects:
                    if found.settings.kind == "knock_out" and match.round < found.rounds:
                        raise BridgeheadError("server:error.tournament_passed_on", "table")
                    return [events.ResultCorrected(match.number, table, given)]
                if table in match.tables and table not in match.games and not found.over and not corrects:
                    return [events.GameEnded(match.number, table, given, True)]
            raise BridgeheadError("server:error.tournament_no_game", "table")

        await self.change(name, deciding)
        await self._go_on(name)
        return await self.find(name)

    @contextlib.asynccontextmanager
    async def hold(self, found: Tournament | None) -> AsyncIterator[None]:
        """Let no other change of a tournament come between."""
        async with self._locks.setdefault(found.id, asyncio.Lock()) if found else contextlib.nullcontext():
            yield

    async def swap_statements(self, found: Tournament, pairs: Sequence[tuple[Place, Place]]) -> list[Statement]:
        """Statements that let entrants change places; needs `hold`. pairs: of tables with seats. Errors: BridgeheadError."""
        found, now = await self.find(found.id), time.time()
        if found.over or found.settings.kind == "round_robin":
            raise BridgeheadError("server:error.class_everybody" if not found.over else "server:error.tournament_ended")
        made: list[Statement] = []
        try:
            for n, pair in enumerate(pairs, found.n + 1):
                one, other = (found.match_of(table) for table, _ in pair)
                if one.round != other.round and found.settings.kind != "arena":
                    raise BridgeheadError("server:error.class_other_round", "to")
                seats = one.order(0)[pair[0][1]], other.order(0)[pair[1][1]]
                until = now + 60 * found.settings.appear if found.settings.appear else 0.0
                event = events.PlacesSwapped(seats, (one.number, other.number), until)
                made.append((ADD, (found.id, n, now, _text(event))))
        except KeyError:
            raise BridgeheadError("server:error.class_other_round", "to") from None
        return made

    async def follow_swap(self, found: Tournament, tables: Sequence[str]) -> None:
        """Wait again for all persons of these tables, after entrants have changed places there."""
        self._appeared.difference_update(tables)
        self._wait(await self.find(found.id))

    async def close(self, name: str, host: str) -> Tournament:
        """The host ends a tournament. Games that run go on, but count no more."""

        def closing(found: Tournament) -> list[Event]:
            expect_host(found, host)
            return [] if found.over else [events.TournamentClosed()]

        return await self.change(name, closing)

    async def renew_host(self, name: str) -> str:
        """A new token of a tournament's host, whose old link opens nothing more. Only the server's host may ask for it."""
        token = fresh_token()
        await self.change(name, lambda found: [events.HostRenewed(digest(token))])
        return token

    def drop(self, name: str) -> None:
        """Leave the tables of a tournament that was deleted."""
        found = self._known.pop(name, None)
        self._looked.pop(name, None)
        self._codes.pop(name, None)
        if name in self._timers:
            self._timers.pop(name).cancel()
        for match in found.matches if found else ():
            for table in match.tables:
                self.leave_table(table)

    # Going on by itself

    async def begin(self) -> None:
        """At the start of the server: go on with the tournaments that run."""
        for (name,) in await asyncio.to_thread(self.store.read, RUNNING, _text(events.TournamentClosed())):
            try:
                if (await self.find(name)).started:
                    await self._go_on(name)
            except (BridgeheadError, StorageError):
                log.exception("a tournament cannot go on", extra={"tournament": name})

    async def look(self, name: str) -> Tournament:
        """A tournament for its page. A result that was missed, for example because the server was killed, is found here."""
        found = await self.find(name)
        now = time.monotonic()
        if found.started and not found.over and now - self._looked.get(name, -OFTEN) >= OFTEN:
            self._looked[name] = now
            await self._go_on(name)
        return found

    async def stop(self) -> None:
        """Leave all tables."""
        self._closed = True
        for timer in self._timers.values():
            timer.cancel()
        running = list(self._spectators.values())
        for spectator, _ in running:
            spectator.leave()
        await asyncio.gather(*(task for _, task in running), return_exceptions=True)

    async def _table_over(self, table: Table) -> None:
        """The game of a table is over: count it, if it belongs to a tournament."""
        self.leave_table(table.id)
        if found := await self.of_table(table.id):
            await self._go_on(found.id)

    async def _go_on(self, name: str, hurried: bool = False) -> None:
        """Read new results, deal the next games, draw the next round or close, until nothing more is due.

        hurried: do not wait for those who may return.
        """
        lock = self._locks.setdefault(name, asyncio.Lock())
        async with lock:
            for _ in range(MOST_EVENTS):
                found = await self.find(name)
                if not found.started or found.over:
                    break
                due = await self._due(found, hurried)
                if not due:
                    break
                try:
                    await self._append(found, due)
                except Conflict:  # another process was first
                    continue
        found = await self.find(name)
        self._drive(found)
        self._wait(found)

    async def _results(self, found: Tournament) -> list[Event]:
        """The games that have ended, or whose time is up."""
        results: list[Event] = []
        for match in found.open_matches:
            for table in match.tables:
                if table not in match.games and (ended := await self._ended(found, match, table)) is not None:
                    results.append(ended)
        return results

    def waits_until(self, found: Tournament) -> float:
        """When the next round is drawn, because whoever has just left may return (Unix seconds); 0 if nothing waits."""
        until = found.last_left + self.manager.limits.regret if found.last_left else 0.0
        waits = found.settings.kind != "arena" and not found.over and not found.open_matches and until > time.time()
        return until if waits else 0.0

    async def _due(self, found: Tournament, hurried: bool) -> list[Event]:
        """The next events of a running tournament; [] if it waits for games."""
        if results := await self._results(found):
            return results
        if found.missing:
            return [*(events.EntrantLeft(each, "absent") for each in found.missing), *self._forfeits(found, found.missing)]
        dealt: list[Event] = []
        for match in found.open_matches:
            if len(match.tables) == len(match.games):
                gone = [entrant for entrant in match.seats if entrant in found.left]
                dealt += _forfeited(match, gone) if gone else await self._dealt(found, match)
        if dealt:
            return dealt
        if self.waits_until(found) and not hurried:
            return []
        settings = found.settings
        late = settings.kind == "arena" and time.time() > found.started + 60 * settings.minutes
        drew = None if late else found.next_round(time.time())
        if drew is not None:
            return [drew]
        is_running = found.open_matches or (settings.kind == "arena" and not late)
        return [] if is_running else [events.TournamentClosed()]

    async def _dealt(self, found: Tournament, match: TournamentMatch) -> list[Event]:
        """Make the table of a match's next game."""
        settings, order = found.settings, match.order(len(match.tables))
        entrants = [found.entrants[entrant] for entrant in order]
        seats = [
            Seat("computer" if each.level else "person", each.level, each.name, each.token, profile=each.profile)
            for each in entrants
        ]
        wishes = [SeatWish("computer", each.level) if each.level else SeatWish("person") for each in entrants]
        level: Literal[1, 2] = 2 if settings.live else 1
        wish = NewTable(settings.game, "", settings.options, wishes, level=level, clock=settings.clock)
        awaits = not all(each.level for each in entrants)
        table = await self.repository.create_for(
            wish, seats, found.host, awaits=awaits, aids=awaits and settings.aids is not False
        )
        now = time.time()
        await self.store.write((LINK, (PREFIX + found.id, table.id, now)))
        return [events.GameOpened(match.number, table.id, now + 60 * settings.appear if awaits and settings.appear else 0.0)]

    def _forfeits(self, found: Tournament, gone: Collection[int]) -> list[Event]:
        """The running games of those who leave."""
        return [
            _lost(match, table, i, gone)
            for match in found.open_matches
            for i, table in enumerate(match.tables)
            if {*gone} & {*match.seats} and table not in match.games
        ]

    def _reopened(self, found: Tournament, back: Collection[int]) -> list[Event]:
        """The games of this round that those lost by leaving who return. Others at the table may still have left it."""
        made: list[Event] = []
        for match in found.matches:
            for i, table in reversed([*enumerate(match.tables)]):
                if match.round == found.rounds and table in match.games and {*back} & {*match.games[table].left}:
                    made.append(events.GameReopened(match.number, table))
                    if has_table(table) and (still := {*match.games[table].left} - {*back}):
                        made.append(_lost(match, table, i, still))
        return made

    async def _ended(self, found: Tournament, match: TournamentMatch, name: str) -> Event | None:
        """The end of a table's game; None while it runs."""
        settings = found.settings
        try:
            table = await self.repository.find(name)
        except StorageError:
            raise
        except BridgeheadError:  # it cannot be opened, so the host decides
            return None
        if table is None or table.damage is not None:
            return None
        if match.until[name] and table.actor != OVER and name not in self._appeared:
            await self._expect_all(table, match.until[name])
        outcome, ending = table.match.outcome if table.actor == OVER else None, table.match.ended
        if outcome is None:
            until = found.limit_of(match, name)
            if not until or settings.at_limit == "wait" or table.frozen_by_host or time.time() < max(until, self._begun + GRACE):
                return None
            nobody = [int(settings.at_limit == "lose")] * settings.size
            return events.GameEnded(
                match.number, name, list(points_of_places([1 + each for each in nobody], False)), timeout=True
            )
        self._appeared.discard(name)
        order = match.order(match.tables.index(name))
        absent = [order[seat] for seat in ending.seats] if ending and ending.how == ABSENT else []
        points = points_of(outcome.returns, table.game.sides, settings.places and not absent)
        return events.GameEnded(match.number, name, list(points), absent=absent)

    # Those who do not come

    async def _expect_all(self, table: Table, until: float) -> None:
        """Note whether all persons of a table have come; end its game if they had to by now. Errors: StorageError."""
        if not _absent(table):
            self._appeared.add(table.id)
        elif time.time() >= max(until, self._begun + GRACE) and not table.frozen_by_host:
            try:
                await self.manager.visit(table, self._end_without_them)
            except Refused:
                log.exception("a game to which somebody did not come could not be ended", extra={"table": table.id})

    async def _end_without_them(self, room: Room) -> None:
        """The persons who are missing at a table lose. Needs the lock. Errors: Refused, StorageError."""
        for _ in range(TRIES):
            absent = _absent(room.table)
            if not absent or room.table.actor == OVER:
                return
            body = MatchEnded(ABSENT, absent[0], more=tuple(absent[1:]))
            try:
                await room.table.write(secrets.token_hex(16), NewEvent("end", absent[0], body, "clock"))
            except Conflict:  # another process was first: perhaps somebody has just come there
                await self.manager.updates.refresh(room)
                continue
            await self.manager.updates.show_change(room, people=True)
            return

    def find_deadline(self, match: TournamentMatch, table: str) -> float:
        """When those who have not come to a running game must have come; 0 if all have, or if there is no limit."""
        return 0.0 if table in match.games or table in self._appeared else match.until[table]

    def _wait(self, found: Tournament) -> None:
        """Look again when the next persons must have come, the time of a game is up, or nobody may return any more."""
        if found.id in self._timers:
            self._timers.pop(found.id).cancel()
        games = [(match, each) for match in found.open_matches for each in match.tables]
        times = [until for match, each in games if (until := self.find_deadline(match, each))]
        if found.settings.at_limit != "wait":
            times += [until for match, each in games if (until := found.limit_of(match, each))]
        times += [until] if (until := self.waits_until(found)) else []
        if times and found.started and not found.over and not self._closed:
            delay = min(LATEST, max(SOON, max(min(times), self._begun + GRACE) - time.time()))
            again = lambda: self.manager.tasks.start(self._look_again(found.id))  # noqa: E731
            self._timers[found.id] = asyncio.get_running_loop().call_later(delay, again)

    async def _look_again(self, name: str) -> None:
        try:
            await self._go_on(name)
        except (BridgeheadError, StorageError):
            log.exception("a tournament cannot go on", extra={"tournament": name})
            self._wait(await self.find(name))

    def _drive(self, found: Tournament) -> None:
        """Let the computer players of tables without people play, some tables at a time."""
        for match in found.open_matches:
            if all(found.entrants[entrant].level for entrant in match.seats):
                for table in match.tables:
                    if table not in match.games and table not in self._spectators and table not in self._waiting:
                        self._waiting.append(table)
        while self._waiting and len(self._spectators) < DRIVEN and not self._closed:
            table = self._waiting.pop(0)
            spectator = Spectator(table)
            task = asyncio.create_task(self.manager.serve(spectator))
            self._spectators[table] = spectator, task
            task.add_done_callback(lambda _, table=table: self._spectators.pop(table, None))  # type: ignore[misc]

    def leave_table(self, table: str) -> None:
        """Look at the table of computers no more."""
        if table in self._spectators:
            self._spectators.pop(table)[0].leave()

    # Storing

    async def change(self, name: str, change: Callable[[Tournament], list[Event]]) -> Tournament:
        """Store the events of a change, which is asked again when another process was first. Errors: those of the change."""
        await self.find(name)  # a name that somebody made up gets no lock
        async with self._locks.setdefault(name, asyncio.Lock()):
            for _ in range(TRIES):
                found = await self.find(name)
                due = change(found)
                if not due:
                    return found
                try:
                    await self._append(found, due)
                except Conflict:
                    continue
                return await self.find(name)
        raise BridgeheadError("server:error.profile_busy", name)

    async def _append(self, found: Tournament, due: Sequence[Event]) -> None:
        """Store events after those known. Errors: Conflict, StorageError; BridgeheadError for too many, or if it is over."""
        if found.over and not all(isinstance(event, AFTER_ITS_END) for event in due):
            raise BridgeheadError("server:error.tournament_ended")
        if found.n + len(due) > MOST_EVENTS:
            raise BridgeheadError("server:error.tournament_long", found.id)
        now, n = time.time(), found.n
        await self.store.write(*[(ADD, (found.id, n + i, now, _text(event))) for i, event in enumerate(due, 1)])
        for event in due:
            if said := _explain(found, event):
                self.manager.tasks.start(self._announce(*said))

    async def _announce(self, table: str, said: Phrase) -> None:
        """Say at a table what the tournament has made of its game."""
        try:
            if there := await self.repository.find(table):
                text = WORDS.tell(said, detect_language())
                await self.manager.chat.announce(there, self.manager.rooms.get(table), secrets.token_hex(16), text)
        except (BridgeheadError, StorageError):
            log.exception("a table could not be told of its tournament", extra={"table": table})


def _forfeited(match: TournamentMatch, gone: list[int]) -> list[Event]:
    """A game that cannot begin, because somebody has left: the others win it. It has a name and no table."""
    order, name = match.order(len(match.tables)), f"forfeit-{match.number}-{len(match.tables)}"
    points = [0.0 if entrant in gone else 1.0 for entrant in order]
    return [events.GameOpened(match.number, name), events.GameEnded(match.number, name, points, True, left=gone)]


def _lost(match: TournamentMatch, table: str, game: int, gone: Collection[int]) -> Event:
    """A running game that those lose who leave."""
    order = match.order(game)
    points, left = [0.0 if each in gone else 1.0 for each in order], [each for each in order if each in gone]
    return events.GameEnded(match.number, table, points, True, left=left)


def _absent(table: Table) -> list[int]:
    """The seats of the persons who have not come to a table, and are not there."""
    return sorted(table.persons - table.came - table.attendance.here)


def _text(event: Event) -> str:
    return msgspec.json.encode(event).decode()


def expect_host(found: Tournament, host: str) -> None:
    """Errors: BridgeheadError for a wrong token."""
    if not (host and hmac.compare_digest(found.host, digest(host))):
        raise BridgeheadError("server:error.tournament_host", "host")


def _expect_entrant_or_host(found: Tournament, wanted: Sequence[int], token: str, host: str) -> By:
    """Who asks for these entrants: one of them by the own token, or the host. Errors: BridgeheadError."""
    if not wanted or not all(0 <= entrant < len(found.entrants) for entrant in wanted):
        raise BridgeheadError("server:error.tournament_nobody", "entrant")
    kept = [found.entrants[entrant].token for entrant in wanted]
    if token and all(each and hmac.compare_digest(each, digest(token)) for each in kept):
        return "self"
    expect_host(found, host)
    return "host"


def _explain(found: Tournament, event: Event) -> tuple[str, Phrase] | None:
    """What the people at a table have to know of an event that does not come from their game; None if there is nothing."""
    if isinstance(event, events.GameReopened) and has_table(event.table):
        return event.table, Phrase("tournament.reopened")
    if not isinstance(event, events.GameEnded) or not has_table(event.table):
        return None
    if event.left:
        return event.table, Phrase("tournament.left", {"who": ", ".join(found.entrants[each].name for each in event.left)})
    key = "tournament.timeout" if event.timeout else "tournament.decided" if event.host else ""
    return (event.table, Phrase(key)) if key else None
