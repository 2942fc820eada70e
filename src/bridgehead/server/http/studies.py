"""The analysis board: a place of a record, edits of its tree, the engine's best actions, and the book of the host."""

from __future__ import annotations

import functools
import json

import msgspec

from bridgehead.core import study
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Position
from bridgehead.core.phrases import Phrase
from bridgehead.core.validation import ready
from bridgehead.players import book
from bridgehead.players.advice import Assessment
from bridgehead.players.subprocess_player import describe_position
from bridgehead.server.catalogue import WORDS
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.routes import LANG, HttpError, Reply, Request, route, run_thread_job
from bridgehead.server.messages.server import ReasonView
from bridgehead.server.messages.studies import BookGame, BookMove, BookPage, BookWish, StudyLinks, StudyStroke, StudyView
from bridgehead.server.rooms import studies
from bridgehead.server.rooms.replays import open_upload
from bridgehead.server.rooms.studies import LAST
from bridgehead.server.storage.event_log import EventLog
from bridgehead.server.tables.table import MOST_EVENTS


@route("POST /api/study", StudyView, StudyStroke, query=(LANG,), limit="edits", raw=True, long=True, pays="costly")
async def stroke(request: Request, body: bytes) -> Reply:
    """A place in a record, after an edit of its tree."""
    films, asker = request.app.state.films, address_of(request)
    return Reply(await films.ask(studies.stroke, body, language(request), MOST_EVENTS, asker=asker))


@route("POST /api/study/links", StudyLinks, StudyStroke, limit="films", raw=True, long=True, pays="costly")
async def links(request: Request, body: bytes) -> Reply:
    """A study as a link, and the way to a place in it."""
    return Reply(await request.app.state.films.ask(studies.links, body, MOST_EVENTS, asker=address_of(request)))


@route("POST /api/study/why", ReasonView, StudyStroke, query=(LANG,), limit="edits", raw=True, long=True, pays="costly")
async def why(request: Request, body: bytes) -> Reply:
    """The reason why things cannot be touched, in this order, at a place."""
    films, asker = request.app.state.films, address_of(request)
    return Reply(await films.ask(studies.why, body, language(request), MOST_EVENTS, asker=asker))


@route("POST /api/study/lines", Assessment, StudyStroke, query=(LANG,), limit="hints", raw=True, long=True, pays="costly")
async def lines(request: Request, body: bytes) -> Assessment:
    """The best actions at a place, with their win chances and reasons. The answer takes seconds. Errors: 429."""
    state, asker = request.app.state, address_of(request)
    if state.effort.refuses(asker, "costly"):
        raise HttpError(429, "many_requests")
    name, options, text, names = await state.films.ask(studies.open_advised_position, body, MOST_EVENTS, asker=asker)
    game, computers = await state.games.game(name, "", json.loads(options), asker), state.manager.computer_turns.computers
    found: Assessment = await computers.advise(game, (name, options, text), names, language(request), text, asker)
    return found


# The book


@route("POST /api/book", BookPage, BookWish, query=(LANG,), limit="edits", raw=True, long=True, pays="costly")
async def page(request: Request, body: bytes) -> BookPage:
    """What was played at a place of a record, how often, by whom, with which result, and in which games."""
    state, lang = request.app.state, language(request)
    wish = msgspec.json.decode(body, type=ready(BookWish))
    if wish.players not in ("", *book.PLAYERS):
        raise BridgeheadError("server:error.book_players", "players", players=repr(wish.players), known=", ".join(book.PLAYERS))
    asker = address_of(request)
    name, options, text, names = await state.films.ask(place, wish.record, wish.at, MOST_EVENTS, asker=asker)
    game = await state.games.game(name, "", json.loads(options), asker)
    await state.book.ready(game.spec.id)
    return await run_thread_job(request, page_of, state.tables.store, game.load(text), names, wish.players, lang)


def place(record: str, at: str, longest: int) -> tuple[str, str, str, list[str]]:
    """In a worker: the position at a place, as `studies.open_advised_position` gives it. Errors: RecordError, BridgeheadError."""
    match, names = open_upload(record, longest)
    path = (len(match.log),) if at == LAST else study.read_path(at)
    return (*describe_position(study.position_at(match, path)), names)


def page_of(store: EventLog, position: Position, names: list[str], players: str, lang: str) -> BookPage:
    """A page of the book in a language. Reading waits for the disk: call it in a thread."""
    if position.actor < 0:
        return BookPage(0, False, [], [])
    found = book.page(store.read, position, book.stronger(players), everything=store.alone)
    named = position.game.find_given_names(names)
    sentence = functools.partial(position.sentence, language=lang, names=named)
    moves = [
        BookMove(each.action, position.name(each.action), sentence(each.action), *each[1:])
        for each in found.tried if each.action in position.legal
    ]  # fmt: skip
    called = position.game.name_seats((), lang)
    games = [
        BookGame("" if each.link else each.id, each.link, each.at, [*each.players], _result(each.winners, called, lang))
        for each in found.games
    ]
    return BookPage(found.total, True, moves, games)


def _result(winners: tuple[int, ...], called: list[str], lang: str) -> str:
    if not winners:
        return WORDS.tell(Phrase("end.nobody"), lang)
    who = WORDS.tell(Phrase("and"), lang).join(called[seat] for seat in winners)
    return WORDS.tell(Phrase("wins", {"who": who, "n": len(winners)}), lang)
