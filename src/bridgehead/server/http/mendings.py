"""Searches for better house rules ("Mend the rules"): they share the worker and the queue of the studies in `reports`."""

from __future__ import annotations

import hashlib
import shutil
import time

import msgspec
from starlette.requests import Request

from bridgehead.core import options as house
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.phrases import phrase
from bridgehead.core.validation import ready
from bridgehead.core.version import __version__
from bridgehead.lab.tune import pieces
from bridgehead.lab.tune.search import Progress
from bridgehead.players.levels import fingerprint
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http import reports
from bridgehead.server.http.reports import Going, Labs
from bridgehead.server.http.routes import Reply, game_of, refusal, route
from bridgehead.server.messages.client import MendWish
from bridgehead.server.messages.http import Mended, Mending, StudyBegun


class Search(Going):
    """A search in progress."""

    progress = Progress("search", 0, 0, 1)


def begin(labs: Labs, game: Game, wish: MendWish, asker: str) -> str:
    """Start a search, unless there is one; returns its key. Errors: OptionError, BridgeheadError as for studies."""
    if house.hidden(game.options) & game.differences.keys():
        raise OptionError("server:error.what_hidden_from_players_not", "options")
    text = pieces.text_of(pieces.request(game, wish.wishes, wish.boards))
    key = hashlib.sha256(f"{__version__} {fingerprint(game.spec)} {text}".encode()).hexdigest()[:32]
    if labs.runs(key, asker) or (labs.folder / key / pieces.FILE).exists():
        return key
    going = Search(asker)
    labs.start(key, going, _work(labs, key, text, going))
    return key


async def _work(labs: Labs, key: str, text: str, going: Search) -> None:
    folder, done = labs.folder / key, False
    async with labs.turn:
        going.playing = True
        folder.mkdir(parents=True, exist_ok=True)
        while not done:
            if time.monotonic() - going.wanted > reports.UNWANTED:
                return
            going.progress, done = await labs.step(key, pieces.forward, text, str(folder), reports.EACH, patience=reports.FIRST)
    for runs in folder.iterdir():
        if runs.is_dir():
            shutil.rmtree(runs, ignore_errors=True)
    labs.tidy(folder)


@route("POST /api/mendings", StudyBegun, MendWish, limit="labs", status=202)
async def mend(request: Request, wish: MendWish) -> StudyBegun:
    """Start a search for better house rules; returns its key."""
    return StudyBegun(begin(request.app.state.labs, await game_of(request, wish), wish, address_of(request)))


@route("GET /api/mendings/{key}", Mending)
async def mending(request: Request) -> Reply | Mending:
    """The progress of a search, and its answer; 404 for an unknown key."""
    labs, key = request.app.state.labs, request.path_params["key"]
    file = labs.folder / key / pieces.FILE
    if key not in labs.going and len(key) == 32 and key.isalnum() and file.exists():
        found = msgspec.json.decode(file.read_bytes())[language(request)]
        return Mending("done", "confirm", 0, 1, 1, 0, msgspec.convert(found, type=ready(Mended)))
    try:
        going = labs.asked(key)
    except KeyError:
        return refusal(request, 404, phrase("server:error.no_study"), "key")
    before = 0 if going.playing else list(labs.going).index(key)
    now: Progress = getattr(going, "progress", Search.progress)
    return Mending("playing" if going.playing else "waiting", now.stage, now.settings, now.done, now.wanted, before)
