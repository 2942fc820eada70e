"""What other programs show of this server: previews of links (Open Graph), their pictures, and films of records.

A preview shows what a watcher sees, without names. Pictures need the extra `film`; without it a preview has only words.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.descriptions import about
from bridgehead.core.extras import is_installed, require
from bridgehead.core.game import Game
from bridgehead.core.own_boards import headline
from bridgehead.core.phrases import Phrase, phrase, sentence
from bridgehead.core.spec import Spec
from bridgehead.players.puzzles import find_puzzle, puzzles
from bridgehead.server.catalogue import WORDS
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.puzzles import ask_puzzle, asked_puzzle, task
from bridgehead.server.http.routes import LANG, HttpError, QueryParameter, Reply, Request, asked_table, find_asked_game, route
from bridgehead.server.rooms.replays import open_upload
from bridgehead.server.tables.table import MOST_EVENTS, Table

FRAMES = 150  # most frames of a film made here; a longer game is shown in larger steps
WIDTH = 480  # pixels of a film
DAY, MINUTE = "public, max-age=86400", "public, max-age=60"
Drawing = tuple[str, str, str]  # a game, its house rules, a position


class Preview(NamedTuple):
    """What a chat program shows of a link. image: the absolute address of its picture, "" for none; size: of it, in pixels."""

    title: str
    text: str
    image: str = ""
    size: tuple[int, int] = (1200, 630)


def of_home(request: Request) -> Preview:
    """The preview of a page that belongs to no game."""
    first = next(iter(registry.specs()))
    return _made(request, "Bridgehead", phrase("server:preview.home"), f"/preview/{first}")


def of_game(request: Request, spec: Spec, text: Phrase | None = None) -> Preview:
    """The preview of a page about a game; by default with the game in one line."""
    return _made(request, spec.title, text or about(spec, language(request)).line, f"/preview/{spec.id}")


def of_position(request: Request, spec: Spec) -> Preview:
    """The preview of the page that sets up positions."""
    return of_game(request, spec, phrase("server:preview.position", title=spec.title))


async def of_puzzles(request: Request, spec: Spec) -> Preview:
    """The preview of a puzzle that the query names, else of all puzzles of a game."""
    if found := find_puzzle(spec, request.query_params.get("puzzle", "")):
        puzzle = await ask_puzzle(request, task, spec.id, found.place, language(request))
        text = phrase("server:preview.puzzle", number=found.place, task=puzzle)
        return _made(request, spec.title, text, f"/preview/{spec.id}/{found.puzzle.name}")
    return of_game(request, spec, phrase("server:preview.puzzles", title=spec.title, n=len(puzzles(spec))))


def of_table(request: Request, table: Table) -> Preview:
    """The preview of a table and of its replay: its turn, and the seat to move by its colour."""
    position, lang = table.match.position, language(request)
    standing = WORDS.text("over", lang) if table.match.ended else position.tell_prompt(lang)
    text = phrase("server:preview.table", n=position.turn + 1, told=standing)
    image = f"/preview/table/{table.id}?n={len(table.match.log)}"  # a new address for a new position
    return _made(request, headline(table.game), text, image)


def _made(request: Request, title: str, text: Phrase | str, image: str) -> Preview:
    lang = language(request)
    asked = f"{'&' if '?' in image else '?'}lang={lang}"
    return Preview(title, sentence(text, lang), f"{_base(request)}{image}{asked}" if is_installed("film") else "")


def _base(request: Request) -> str:
    """The address of this server for others: that of the request, or the known one if only this machine understands that."""
    known: str = request.app.state.network.base
    local = request.url.hostname in ("localhost", "127.0.0.1", "::1")
    return known if local and known else str(request.base_url).rstrip("/")


# Pictures


@route("GET /preview/table/{table}", query=(LANG,), media="image/png")
async def table_picture(request: Request) -> Reply:
    """The position of a table as watchers see it, for previews. Errors: 404; 429; MissingExtra."""
    table = await asked_table(request)
    return await _picture(request, _drawing(table.game, table.match.position.text), MINUTE)


@route("GET /preview/{game}", query=(LANG,), media="image/png", pays="costly")
async def game_picture(request: Request) -> Reply:
    """A position in the middle of a game, for previews. Errors: MissingExtra."""
    spec = find_asked_game(request)
    game = registry.open_game(spec.rules_id, "{}")
    return await _picture(request, _drawing(game, spec.showpiece or game.start().text), DAY)


@route("GET /preview/{game}/{number}", query=(LANG,), media="image/png", pays="costly")
async def puzzle_picture(request: Request) -> Reply:
    """The position of a puzzle, for previews. Errors: 404, MissingExtra."""
    spec, (found, *_) = asked_puzzle(request, request.path_params["number"])
    return await _picture(request, (spec.id, json.dumps(found.options), found.position), DAY)


def _drawing(game: Game, text: str) -> Drawing:
    return game.spec.id, house.canonical(game.options), text


async def _picture(request: Request, drawing: Drawing, keep: str) -> Reply:
    require("film")
    cards, asked = request.app.state.cards, (*drawing, language(request))
    if asked not in cards:
        cards[asked] = await request.app.state.pictures.ask(render_preview, *asked, asker=address_of(request))
    return Reply(cards[asked], media="image/png", headers={"cache-control": keep})


def render_preview(game: str, rules: str, text: str, lang: str) -> bytes:
    """In a worker: the preview picture of a position."""
    from bridgehead.printing import film

    return film.render_preview(registry.open_game(game, rules).load(text), lang)


# Films

_TURN: QueryParameter = {"in": "query", "schema": {"type": "integer", "minimum": 0}}
FROM, TO = _TURN | {"name": "from", "description": "first turn"}, _TURN | {"name": "to", "description": "last turn; 0: the end"}
SECONDS = {"name": "seconds", "in": "query", "schema": {"type": "number", "minimum": 0.1, "maximum": 10}}


@route("POST /api/films", None, str, query=(LANG, FROM, TO, SECONDS), limit="films", media="image/gif", pays="costly")
async def make_film(request: Request, text: str) -> Reply:
    """Some turns of the record or link in the body as a GIF. Errors: as for a replay; MissingExtra."""
    require("film")
    given = request.query_params
    try:
        first, last, seconds = int(given.get("from", "1")), int(given.get("to", "0")), float(given.get("seconds", "1"))
    except ValueError:
        raise HttpError(400, "film_numbers") from None
    if not 0.1 <= seconds <= 10:
        raise HttpError(400, "film_numbers")
    asked = (text, language(request), first, last, seconds)
    made = await request.app.state.pictures.ask(render_clip, *asked, asker=address_of(request))
    return Reply(made, media="image/gif", headers={"cache-control": "no-store"})


def render_clip(text: str, lang: str, first: int, last: int, seconds: float) -> bytes:
    """In a worker: a film of a record. Errors: RecordError; BridgeheadError for turns that it has not."""
    from bridgehead.printing import film

    match, _ = open_upload(text, MOST_EVENTS)
    shots = film.list_shots(match, first, last, lang)
    step = -(-len(shots) // FRAMES) or 1
    return film.render_film(shots[::-1][::step][::-1], lang, "gif", seconds, WIDTH, FRAMES)
