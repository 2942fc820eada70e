"""HTTP API for pages and programs (docs/lookup/protocol.md). It contains no rules of games."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hmac
import io
import zlib
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from bridgehead.core import link, registry
from bridgehead.core.errors import BridgeheadError, OptionError, UnknownGame
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase, sentence
from bridgehead.core.scene import cropped
from bridgehead.core.spec import OVER, Spec
from bridgehead.core.validation import ready
from bridgehead.server.connections.middleware import JSON, address_of, answer, language
from bridgehead.server.connections.rate_limits import Addresses, Price
from bridgehead.server.http.errors import HttpError
from bridgehead.server.messages import schema
from bridgehead.server.messages.client import HouseRules, MineWish, NewTable, QrWish, TimesWish, Wish
from bridgehead.server.messages.http import (
    CreatedTable,
    GameListing,
    GameListings,
    KnownTable,
    KnownTables,
    LobbyTables,
    PositionPicture,
    Problem,
    RecordLink,
    RuleDifferences,
    TableTimes,
)
from bridgehead.server.rooms import lobby as lobbies
from bridgehead.server.rooms import views
from bridgehead.server.rooms.replays import GZIP, beginning, film
from bridgehead.server.tables import thinking_times
from bridgehead.server.tables.repository import Beginning
from bridgehead.server.tables.stored_seats import digest
from bridgehead.server.tables.table import MOST_EVENTS, Table

T = TypeVar("T")
PIECE = 65_536  # bytes


async def games(request: Request) -> Response:
    """All games with their seats, presets, house rules and levels."""
    return answer(GameListings(listings()))


async def schema_of_requests(request: Request) -> Response:
    """The OpenAPI description of these requests."""
    return Response(msgspec.json.encode(schema.requests()), media_type=JSON)


async def picture(request: Request) -> Response:
    """Picture and items of the first position with house rules."""
    game = await game_of(request, asked_game(request).id, "", asked_options(request.query_params.get("options", "{}")))
    drawn = await chore(request, views.first_picture, game, language(request))
    return Response(drawn, media_type=JSON)


async def showpiece(request: Request) -> Response:
    """Picture and items of a position in the middle of a game, cropped to the board, for the start page."""
    drawn = await asyncio.to_thread(_showpiece, asked_game(request), language(request))
    return Response(drawn, media_type=JSON)


@functools.lru_cache(64)
def _showpiece(spec: Spec, language: str) -> bytes:
    game, file = registry.game(spec.id), spec.folder / "showpiece.txt"
    position = game.load(file.read_text("utf-8").strip()) if file.exists() else game.start()
    picture, items = cropped(spec.scene.picture(game, language), spec.scene.items(position, language))
    return msgspec.json.encode(PositionPicture(picture, items))


async def check(request: Request) -> Response:
    """Check house rules; returns their differences from the standard."""
    wish = await read(request, Wish)
    game = await game_of(request, wish.game, wish.preset, wish.options)
    return answer(RuleDifferences(game.differences))


async def create(request: Request) -> Response:
    """Create a table. Only this answer contains the tokens of its seats."""
    if request.app.state.effort.disk.spent(address_of(request)):
        raise HttpError(429, "much_stored")
    sparing(request, request.app.state.made)
    wish = await read(request, NewTable)
    begun = await _begun(request, wish) if wish.record else None
    if begun:
        wish = msgspec.structs.replace(wish, options=begun.options)
    table, tokens, host = await request.app.state.tables.create(wish, address_of(request), begun)
    return answer(CreatedTable(table.id, table.code, tokens, host, f"/t/{table.id}", request.app.state.base), 201)


async def lobby(request: Request) -> Response:
    """The tables in the lobby."""
    return answer(LobbyTables(await asyncio.to_thread(request.app.state.lobby.shown)))


async def mine(request: Request) -> Response:
    """The state of the tables at which a browser holds seats, for example whether it is its turn."""
    wish, state, address = await read(request, MineWish), request.app.state, address_of(request)
    sparing(request, request.app.state.mine_asked)
    known: list[KnownTable] = []
    for asked in wish.tables:
        looked_up = state.misses.may(address, asked.table)  # else only a token that gives a seat learns anything
        with contextlib.suppress(BridgeheadError):  # skip a table that cannot be opened now
            found = await lobbies.mine(state.tables, state.rooms, asked, language(request), address)
            if found and looked_up:
                state.misses.hit(address, asked.table)
            if found and (found.seats or looked_up):
                known.append(found)
    if wish.tables and not known and all(state.misses.spent(address, asked.table) for asked in wish.tables):
        raise HttpError(429, "many_codes")
    return answer(KnownTables(known))


async def _begun(request: Request, wish: NewTable) -> Beginning:
    """The beginning of a table that continues a record. Errors: RecordError with its line, BridgeheadError; 429."""
    sparing(request, request.app.state.films_asked)
    if request.app.state.effort.refuses(address_of(request), Price(0, "costly")):
        raise HttpError(429, "many_requests")
    if wish.preset or wish.options:
        raise OptionError("server:error.record_brings_own_house_rules", "preset" if wish.preset else "options")
    asker, record = address_of(request), wish.record
    begun: Beginning = await request.app.state.films.ask(beginning, record, wish.at, MOST_EVENTS - 1, asker=asker)
    if begun.game != registry.spec(wish.game).id:
        raise BridgeheadError("server:error.record_another_game", "game", game=begun.game)
    return begun


async def table_link(request: Request) -> Response:
    """The match so far, packed for the fragment of a link."""
    table, links = await asked_table(request), request.app.state.links
    record = await _record(request, table)
    if table.id not in links or links[table.id][0] != record:
        links[table.id] = record, await request.app.state.films.ask(packed, record, asker=address_of(request))
    return answer(RecordLink(links[table.id][1]))


async def table_record(request: Request) -> Response:
    """The record of a table, even during the game."""
    table = await asked_table(request)
    name = f"{table.game.spec.id}-{table.id}.txt"
    return PlainTextResponse(await _record(request, table), headers={"content-disposition": f'attachment; filename="{name}"'})


async def table_frames(request: Request) -> Response:
    """The replay of a table, even during the game."""
    sparing(request, request.app.state.films_asked)
    return await _frames(request, await _record(request, await asked_table(request)))


async def read_record(request: Request) -> Response:
    """The replay of the record or link in the body. The answer to a damaged record names the line."""
    sparing(request, request.app.state.films_asked)
    return await _frames(request, await asked_record(request))


async def table_times(request: Request) -> Response:
    """The thinking times of each seat, for the host; when the game is over, for everybody."""
    sparing(request, request.app.state.films_asked)
    wish = await read(request, TimesWish)
    table = await asked_table(request)
    if table.actor != OVER and not (wish.host and hmac.compare_digest(table.body.host, digest(wish.host))):
        raise BridgeheadError("server:error.until_game_over_host_table", "host")
    times = await chore(request, lambda: thinking_times.summary(table.store.events(table.id), len(table.seats)))
    return answer(TableTimes(times))


async def qr(request: Request) -> Response:
    """A text as a QR code in SVG."""
    wish = await read(request, QrWish)
    drawn = await request.app.state.strokes.ask(drawn_qr, wish.text, asker=address_of(request))
    return Response(drawn, media_type="image/svg+xml")


def drawn_qr(text: str) -> bytes:
    """In a worker: a QR code, because drawing one takes as much processor time as a hundred moves. Errors: BridgeheadError."""
    drawn = io.BytesIO()
    try:
        code = segno.make(text, error="m" if len(text) < 200 else "l", micro=False)
    except ValueError:
        raise BridgeheadError("server:error.text_too_long_qr_code", "text") from None
    code.save(drawn, kind="svg", scale=4, border=3, xmldecl=False, dark="#2b241f", light="#ffffff")
    return drawn.getvalue()


# Reading requests


def listings() -> list[GameListing]:
    """All games as the pages show them."""
    return [views.listing(spec) for spec in registry.specs().values()]


def asked_game(request: Request) -> Spec:
    """The game in the path. Errors: 404."""
    try:
        return registry.spec(request.path_params["game"])
    except UnknownGame as error:
        raise HttpError(404, error.whole) from None


async def asked_table(request: Request, code: str = "") -> Table:
    """The table of a code, by default the one in the path. Errors: 404; 429 for an address with too many wrong codes."""
    misses, address = request.app.state.misses, address_of(request)
    name = (code or request.path_params["table"]).upper()
    if not misses.may(address, name):
        raise HttpError(429, "many_codes")
    table: Table | None = await request.app.state.tables.find(name, address)
    if table is None:
        raise HttpError(404, "no_table")
    misses.hit(address, name)
    return table


async def game_of(request: Request, name: str, preset: str, options: HouseRules) -> Game:
    """A game with house rules. Errors: UnknownGame, OptionError, BoardError, WorkerLost; 429."""
    sparing(request, request.app.state.boards_asked)
    game: Game = await request.app.state.games.game(name, preset, options, address_of(request))
    return game


async def asked_record(request: Request) -> str:
    """The record or link in the body. Errors: BridgeheadError, 413."""
    try:
        return (await body_of(request, request.app.state.limits.record)).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BridgeheadError("server:error.record_text_utf_8", phrase("error.byte", number=error.start)) from None


def asked_options(text: str) -> HouseRules:
    """House rules in the query. Errors: OptionError."""
    try:
        options: HouseRules = msgspec.json.decode(text.encode(), type=HouseRules)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        raise OptionError("server:error.house_rules_json_object", "options") from None
    return options


async def read(request: Request, kind: type[T]) -> T:
    """The decoded body of a request. Errors: msgspec.DecodeError, RecursionError, 413."""
    return msgspec.json.decode(await body_of(request, request.app.state.limits.body), type=ready(kind))


def refusal(request: Request, status: int, problem: Phrase | str, where: Phrase | str) -> Response:
    """The answer to a refused request: a sentence, and the place of the error."""
    error, place = (sentence(each, language(request)) for each in (problem, where))
    return answer(Problem(error, place), status)


async def body_of(request: Request, most: int) -> bytes:
    """The body of a request. Errors: 413 as soon as it is too long, 408."""
    body = bytearray()
    try:
        async with asyncio.timeout(request.app.state.limits.sending):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise HttpError(413, "too_large", most=most)
    except TimeoutError:
        raise HttpError(408, "too_slow") from None
    return bytes(body)


def sparing(request: Request, asked: Addresses) -> None:
    """Apply a rate limit to the address. Errors: 429."""
    if not asked.may(address_of(request)):
        raise HttpError(429, "many_requests")


async def chore(request: Request, work: Callable[..., T], *given: Any) -> T:
    """Compute in a thread, in the turn of the request's address. Errors: those of the function."""
    done: T = await request.app.state.chores.do(address_of(request), work, *given)
    return done


async def _record(request: Request, table: Table) -> str:
    """The record of a table. Its lock is held while the match is copied, not while the record is written."""
    async with table.lock:
        written = table.writing()
    return await chore(request, written)


def packed(record: str) -> str:
    """In a worker: a record as a packed match."""
    return link.pack(*link.read(record))


async def _frames(request: Request, text: str) -> Response:
    packed = await request.app.state.films.ask(film, text, language(request), MOST_EVENTS, asker=address_of(request))
    return packed_json(request, packed)


def packed_json(request: Request, packed: bytes) -> Response:
    """An answer from data compressed by gzip."""
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type=JSON, headers={"content-encoding": "gzip"})
    return StreamingResponse(_unpacked(packed), media_type=JSON)


def _unpacked(packed: bytes) -> Iterator[bytes]:
    """Decompress piece by piece, because the whole may be a hundred times larger."""
    press, left = zlib.decompressobj(wbits=GZIP), packed
    while left:
        yield press.decompress(left, PIECE)
        left = press.unconsumed_tail
