"""Requests of the pages and of programs (docs/protocol.md). No rule of a game is decided here."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hmac
import io
import zlib
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from bridgehead.core import link, registry
from bridgehead.core.errors import BridgeheadError, OptionError, UnknownGame
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase, sentence
from bridgehead.core.scene import cropped
from bridgehead.core.spec import OVER, Spec
from bridgehead.core.validation import ready
from bridgehead.server.connections.middleware import address_of, language
from bridgehead.server.connections.rate_limits import Addresses
from bridgehead.server.http.errors import HttpError
from bridgehead.server.messages import schema
from bridgehead.server.messages.client import MineWish, NewTable, QrWish, TimesWish, Wish
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
    """Every game with its seats, presets, house rules and levels."""
    return _json({"games": listings()})


async def schema_of_requests(request: Request) -> Response:
    """These requests, described for programs (OpenAPI)."""
    return _json(schema.requests())


async def picture(request: Request) -> Response:
    """Picture and items of the first position under house rules."""
    game = await game_of(request, asked_game(request).id, "", asked_options(request.query_params.get("options", "{}")))
    drawn = await asyncio.to_thread(views.first_picture, game, language(request))
    return Response(drawn, media_type="application/json")


async def showpiece(request: Request) -> Response:
    """Picture and items of a position in the middle of a game, cut down to the board: what the start shows of it."""
    drawn = await asyncio.to_thread(_showpiece, asked_game(request), language(request))
    return Response(drawn, media_type="application/json")


@functools.lru_cache(64)
def _showpiece(spec: Spec, language: str) -> bytes:
    game, file = registry.game(spec.id), spec.folder / "showpiece.txt"
    position = game.load(file.read_text("utf-8").strip()) if file.exists() else game.start()
    picture, items = cropped(spec.scene.picture(game, language), spec.scene.items(position, language))
    return msgspec.json.encode({"picture": picture, "items": items})


async def check(request: Request) -> Response:
    """Whether a game starts under these house rules; how they differ from the standard."""
    wish = await read(request, Wish)
    game = await game_of(request, wish.game, wish.preset, wish.options)
    return _json({"differences": game.differences})


async def create(request: Request) -> Response:
    """A new table; the secrets of its seats are in this answer and nowhere else."""
    sparing(request, request.app.state.made)
    wish = await read(request, NewTable)
    begun = await _begun(request, wish) if wish.record else None
    if begun:
        wish = msgspec.structs.replace(wish, options=begun.options)
    table, tokens, host = await request.app.state.tables.create(wish, address_of(request), begun)
    told = {"table": table.id, "tokens": tokens, "host": host, "watch": f"/t/{table.id}", "base": request.app.state.base}
    return _json(told, 201)


async def lobby(request: Request) -> Response:
    """The tables that their hosts have put on the list."""
    return _json({"tables": await asyncio.to_thread(request.app.state.lobby.shown)})


async def mine(request: Request) -> Response:
    """How the tables stand that a browser knows: at which it is its turn."""
    wish, state, address = await read(request, MineWish), request.app.state, address_of(request)
    sparing(request, request.app.state.mine_asked)
    told = []
    for asked in wish.tables:
        if state.misses.spent(address):
            raise HttpError(429, "many_codes")
        with contextlib.suppress(BridgeheadError):  # a table that cannot be opened now hides no other
            found = await lobbies.mine(state.tables, state.rooms, asked, language(request), address)
            told.append(found) if found else state.misses.may(address)
    return _json({"tables": told})


async def _begun(request: Request, wish: NewTable) -> Beginning:
    """How a table begins that plays on from a record. Errors: RecordError with its line, BridgeheadError; 429."""
    sparing(request, request.app.state.films_asked)
    if wish.preset or wish.options:
        raise OptionError("server:error.record_brings_own_house_rules", "preset" if wish.preset else "options")
    asker, record = address_of(request), wish.record
    begun: Beginning = await request.app.state.films.ask(beginning, record, wish.at, MOST_EVENTS - 1, asker=asker)
    if begun.game != registry.spec(wish.game).id:
        raise BridgeheadError("server:error.record_another_game", "game", game=begun.game)
    return begun


async def table_link(request: Request) -> Response:
    """The whole match so far as a text for the fragment of a link."""
    table = await asked_table(request)
    async with table.lock:
        return _json({"link": await asyncio.to_thread(lambda: link.pack(table.shown(), table.names))})


async def table_record(request: Request) -> Response:
    """The record of a table, also while it is played."""
    table = await asked_table(request)
    name = f"{table.game.spec.id}-{table.id}.txt"
    return PlainTextResponse(await _record(table), headers={"content-disposition": f'attachment; filename="{name}"'})


async def table_frames(request: Request) -> Response:
    """A table step by step, also while it is played."""
    sparing(request, request.app.state.films_asked)
    return await _frames(request, await _record(await asked_table(request)))


async def read_record(request: Request) -> Response:
    """A record or a link that is sent in, step by step; a damaged one is refused with its line."""
    sparing(request, request.app.state.films_asked)
    return await _frames(request, await asked_record(request))


async def table_times(request: Request) -> Response:
    """The thinking times of each seat, for the host; when the game is over, for everybody."""
    sparing(request, request.app.state.films_asked)
    wish = await read(request, TimesWish)
    table = await asked_table(request)
    if table.actor != OVER and not (wish.host and hmac.compare_digest(table.body.host, digest(wish.host))):
        raise BridgeheadError("server:error.until_game_over_host_table", "host")
    events = await asyncio.to_thread(table.store.events, table.id)
    return _json({"seats": msgspec.to_builtins(thinking_times.summary(events, len(table.seats)))})


async def qr(request: Request) -> Response:
    """A text as a QR code, drawn as SVG."""
    wish = await read(request, QrWish)
    return Response(await asyncio.to_thread(_qr, wish.text), media_type="image/svg+xml")


def _qr(text: str) -> bytes:
    drawn = io.BytesIO()
    try:
        code = segno.make(text, error="m" if len(text) < 200 else "l", micro=False)
    except ValueError:
        raise BridgeheadError("server:error.text_too_long_qr_code", "text") from None
    code.save(drawn, kind="svg", scale=4, border=3, xmldecl=False, dark="#2b241f", light="#ffffff")
    return drawn.getvalue()


# What is asked


def listings() -> list[dict[str, Any]]:
    """All games as the pages know them."""
    return [views.listing(spec) for spec in registry.specs().values()]


def asked_game(request: Request) -> Spec:
    """The game in the path. Errors: 404."""
    try:
        return registry.spec(request.path_params["game"])
    except UnknownGame as error:
        raise HttpError(404, error.whole) from None


async def asked_table(request: Request, code: str = "") -> Table:
    """The table in the path, or of a code. Errors: 404; 429 for an address that has tried too many codes."""
    misses, address = request.app.state.misses, address_of(request)
    if misses.spent(address):
        raise HttpError(429, "many_codes")
    table: Table | None = await request.app.state.tables.find((code or request.path_params["table"]).upper(), address)
    if table is None:
        misses.may(address)
        raise HttpError(404, "no_table")
    return table


async def game_of(request: Request, name: str, preset: str, options: dict[str, Any]) -> Game:
    """A game under house rules for somebody who asks. Errors: UnknownGame, OptionError, BoardError, WorkerLost; 429."""
    sparing(request, request.app.state.boards_asked)
    game: Game = await request.app.state.games.game(name, preset, options, address_of(request))
    return game


async def asked_record(request: Request) -> str:
    """A record or a link that is sent in. Errors: BridgeheadError, 413."""
    try:
        return (await body_of(request, request.app.state.limits.record)).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BridgeheadError("server:error.record_text_utf_8", phrase("error.byte", number=error.start)) from None


def asked_options(text: str) -> dict[str, Any]:
    """House rules in a query. Errors: OptionError."""
    try:
        options: dict[str, Any] = msgspec.json.decode(text.encode(), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        raise OptionError("server:error.house_rules_json_object", "options") from None
    return options


async def read(request: Request, kind: type[T]) -> T:
    """The body of a request as what it should be. Errors: msgspec.DecodeError, RecursionError, 413."""
    return msgspec.json.decode(await body_of(request, request.app.state.limits.body), type=ready(kind))


def refusal(request: Request, status: int, said: Phrase | str, where: Phrase | str) -> Response:
    """A request that is refused: a sentence, and the place that it is about."""
    told, place = (sentence(each, language(request)) for each in (said, where))
    return JSONResponse({"error": told, "where": place}, status_code=status)


async def body_of(request: Request, most: int) -> bytes:
    """The body of a request, refused as soon as it is too long."""
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
    """One address may not keep the server busy or fill its disk."""
    if not asked.may(address_of(request)):
        raise HttpError(429, "many_requests")


async def _record(table: Table) -> str:
    async with table.lock:
        return await asyncio.to_thread(table.record)


async def _frames(request: Request, text: str) -> Response:
    packed = await request.app.state.films.ask(film, text, language(request), MOST_EVENTS, asker=address_of(request))
    return packed_json(request, packed)


def packed_json(request: Request, packed: bytes) -> Response:
    """An answer that is compressed by gzip already."""
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type="application/json", headers={"content-encoding": "gzip"})
    return StreamingResponse(_unpacked(packed), media_type="application/json")


def _unpacked(packed: bytes) -> Iterator[bytes]:
    """What was compressed, in pieces: the whole may be a hundred times as long."""
    press, left = zlib.decompressobj(wbits=GZIP), packed
    while left:
        yield press.decompress(left, PIECE)
        left = press.unconsumed_tail


def _json(told: Any, status: int = 200) -> JSONResponse:
    return JSONResponse(told, status_code=status)
