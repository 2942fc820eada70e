"""HTTP API for pages and programs (docs/lookup/protocol.md). It contains no rules of games."""

from __future__ import annotations

import contextlib
import functools
import hmac

import msgspec

from bridgehead.core import link, registry
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.spec import OVER, Spec
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http import routes
from bridgehead.server.http.routes import Reply, Request, route
from bridgehead.server.messages.boards import PositionPicture, RecordPosition
from bridgehead.server.messages.games import GameListings, RuleDifferences
from bridgehead.server.messages.lobby import ListedTable, LobbyTables
from bridgehead.server.messages.replays import RecordLink, Replay, ReplayPiece
from bridgehead.server.messages.tables import (
    CreatedTable,
    GameWish,
    KnownTables,
    Likeness,
    MineWish,
    NewTable,
    SeatTimes,
    TableTimes,
    TimesWish,
)
from bridgehead.server.people.result_store import ResultStore
from bridgehead.server.people.results import LEVEL, PERSON
from bridgehead.server.rooms import lobby as lobbies
from bridgehead.server.rooms import views
from bridgehead.server.rooms.replays import beginning, film, position_at
from bridgehead.server.tables import thinking_times
from bridgehead.server.tables.repository import Beginning
from bridgehead.server.tables.stored_seats import digest
from bridgehead.server.tables.table import MOST_EVENTS, Table


@route("GET /api/games", GameListings)
async def games(request: Request) -> GameListings:
    """All games with their seats, presets, house rules and levels."""
    return GameListings(views.listings(registry.specs().values()))


@route("GET /api/games/{game}/picture", PositionPicture, query=(routes.LANG, routes.OPTIONS), limit="boards", pays="costly")
async def picture(request: Request) -> Reply:
    """Picture, items and seat panels of the first position with house rules."""
    game = await routes.game_of(request, routes.asked_rules(request))
    return Reply(await routes.run_thread_job(request, views.first_picture, game, language(request)))


@route("GET /api/games/{game}/showpiece", PositionPicture, query=(routes.LANG,))
async def showpiece(request: Request) -> Reply:
    """Picture and items of a position in the middle of a game, for the start page."""
    return Reply(await routes.run_thread_job(request, _showpiece, routes.find_asked_game(request), language(request)))


@functools.lru_cache(64)
def _showpiece(spec: Spec, language: str) -> bytes:
    game = registry.open_game(spec.rules_id, "{}")
    position = game.load(spec.showpiece) if spec.showpiece else game.start()
    return msgspec.json.encode(PositionPicture(spec.scene.picture(game, language), spec.scene.items(position, language)))


@route("POST /api/check", RuleDifferences, GameWish, limit="boards", pays="costly")
async def check(request: Request, wish: GameWish) -> RuleDifferences:
    """Check house rules; returns their differences from the standard."""
    return RuleDifferences((await routes.game_of(request, wish)).differences)


@route("POST /api/tables", CreatedTable, NewTable, limit="tables", status=201, stores=True)
async def create(request: Request, wish: NewTable) -> CreatedTable:
    """Create a table. Only this answer contains the tokens of its seats."""
    begun = await _begun(request, wish) if wish.record else None
    if begun:
        wish = msgspec.structs.replace(wish, options=begun.options)
    table, tokens, host = await request.app.state.tables.create(wish, address_of(request), begun)
    return CreatedTable(table.id, table.code, tokens, host, f"/t/{table.id}", request.app.state.network.base)


@route("GET /api/lobby", LobbyTables)
async def lobby(request: Request) -> LobbyTables:
    """The tables in the lobby, with a free seat or a game to watch."""
    manager = request.app.state.manager
    tables = await routes.run_thread_job(request, _listed, manager.lobby, routes.people(request).results)
    return LobbyTables(lobbies.live(tables, manager.rooms))


def _listed(lobby: lobbies.Lobby, results: ResultStore) -> list[ListedTable]:
    """The tables in the lobby, with the ratings of those who sit there."""
    tables = lobby.list_tables()
    ratings = {pool: results.ratings(pool) for pool in {table.pool for table in tables} if pool}
    for table in tables:
        for seat in table.seats:
            rating = ratings.get(table.pool, {}).get(LEVEL + seat.level if seat.kind == "computer" else PERSON + seat.profile)
            if rating is not None:
                seat.rating, seat.provisional = rating.points, rating.provisional
    return tables


@route("POST /api/mine", KnownTables, MineWish, query=(routes.LANG,), limit="mine", pays="codes")
async def mine(request: Request, wish: MineWish) -> KnownTables:
    """The state of the tables at which a browser holds seats, for example whether it is its turn."""
    state, address = request.app.state, address_of(request)
    misses, known = state.manager.misses, []
    for asked in wish.tables:
        looked_up = misses.may(address, asked.table)  # else only a token that gives a seat learns anything
        with contextlib.suppress(BridgeheadError):  # skip a table that cannot be opened now
            found = await lobbies.mine(state.tables, state.manager.rooms, asked, language(request), address)
            if found and looked_up:
                misses.hit(address, asked.table)
            if found and (found.seats or looked_up):
                known.append(found)
    if wish.tables and not known and all(misses.is_spent(address, asked.table) for asked in wish.tables):
        raise routes.HttpError(429, "many_codes")
    return KnownTables(known)


async def _begun(request: Request, wish: NewTable) -> Beginning:
    """The beginning of a table that continues a record. Errors: RecordError with its line, BridgeheadError; 429."""
    routes.check_rate_limit(request, "films")
    if request.app.state.effort.refuses(address_of(request), "costly"):
        raise routes.HttpError(429, "many_requests")
    if wish.preset or wish.options:
        raise OptionError("server:error.record_brings_own_house_rules", "preset" if wish.preset else "options")
    asker, record = address_of(request), wish.record
    begun: Beginning = await request.app.state.films.ask(beginning, record, wish.at, MOST_EVENTS - 1, asker=asker)
    if begun.game != registry.spec(wish.game).id:
        raise BridgeheadError("server:error.record_another_game", "game", game=begun.game)
    return begun


@route("GET /api/tables/{table}/link", RecordLink)
async def table_link(request: Request) -> RecordLink:
    """The match so far, packed for the fragment of a link."""
    table, links = await routes.asked_table(request), request.app.state.links
    record = await write_record(request, table)
    if table.id not in links or links[table.id][0] != record:
        links[table.id] = record, await request.app.state.films.ask(pack_record, record, asker=address_of(request))
    return RecordLink(links[table.id][1])


@route("GET /api/tables/{table}/likeness", Likeness, query=(routes.LANG,))
async def describe_table_settings(request: Request) -> Likeness:
    """What another table like this one begins with, and the tournament of its game."""
    table = await routes.asked_table(request)
    made = likeness(table, language(request))
    if not table.store.alone and (found := await routes.people(request).tournaments.of_table(table.id)):
        made.tournament, made.club = found.id, found.settings.name
    return made


def likeness(table: Table, language: str) -> Likeness:
    """The house rules of a table that are not hidden, who plays each seat, and the offer of the recommended rules."""
    rules, hidden = table.game.differences, house.find_hidden_options(table.game.options)
    seats = [seat.level if seat.kind == "computer" else "person" for seat in table.seats]
    return Likeness(
        {name: value for name, value in rules.items() if name not in hidden}, seats, views.offer_recommended(table.game, language)
    )


@route("GET /api/tables/{table}/record", media="text/plain")
async def table_record(request: Request) -> Reply:
    """The record of a table, even during the game."""
    table = await routes.asked_table(request)
    return routes.download(await write_record(request, table), table, ".txt", "text/plain")


PIECE = {"name": "piece", "in": "query", "schema": {"enum": ["first"]}, "description": "only the first piece"}


@route("GET /api/tables/{table}/frames", Replay, query=(routes.LANG, PIECE), limit="films")
async def table_frames(request: Request) -> Reply:
    """The replay of a table, even during the game."""
    return await read_record(request, await write_record(request, await routes.asked_table(request)))


@route("POST /api/records", Replay, str, query=(routes.LANG, PIECE), limit="films", pays="costly")
async def read_record(request: Request, text: str) -> Reply:
    """The replay of the record or link in the body. The answer to a damaged record names the line."""
    return await _film(request, text, 0 if "piece" in request.query_params else None)


@route("POST /api/records/{frame}", ReplayPiece, str, query=(routes.LANG,), limit="films", pays="costly")
async def record_piece(request: Request, text: str) -> Reply:
    """The piece of a replay that begins with this frame."""
    asked = request.path_params["frame"]
    return await _film(request, text, int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else -1)


@route("POST /api/positions/{frame}", RecordPosition, str, limit="films", pays="costly")
async def record_position(request: Request, text: str) -> Reply:
    """The position of a replay at this frame, or at `last`, as a text with its house rules."""
    asked = request.path_params["frame"]
    at = None if asked == "last" else int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else MOST_EVENTS
    return Reply(await request.app.state.films.ask(position_at, text, at, MOST_EVENTS, asker=address_of(request)))


async def _film(request: Request, text: str, begin: int | None) -> Reply:
    frames = await request.app.state.films.ask(film, text, language(request), MOST_EVENTS, begin, asker=address_of(request))
    return routes.packed_json(request, frames)


@route("POST /api/tables/{table}/times", TableTimes, TimesWish, limit="films")
async def table_times(request: Request, wish: TimesWish) -> TableTimes:
    """The thinking times of each seat, for the host; when the game is over, for everybody."""
    table = await routes.asked_table(request)
    if table.actor != OVER and not (wish.host and hmac.compare_digest(table.body.host, digest(wish.host))):
        raise BridgeheadError("server:error.until_game_over_host_table", "host")
    return TableTimes(await routes.run_thread_job(request, _times, table))


def _times(table: Table) -> list[SeatTimes]:
    return thinking_times.summary(table.stored_events(), len(table.seats))


async def write_record(request: Request, table: Table) -> str:
    """The record of a table. Its lock is held while the match is copied, not while the record is written."""
    async with table.lock:
        written = table.writing()
    return await routes.run_thread_job(request, written)


def pack_record(record: str) -> str:
    """In a worker: a record as a packed match."""
    return link.pack(*link.read(record))
