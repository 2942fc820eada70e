"""Puzzles for the pages: each is a step of a tutorial, with one action that is right."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.spec import Spec
from bridgehead.players import puzzles as puzzle_files
from bridgehead.players.advice import percent
from bridgehead.players.puzzles import Posed, posed, puzzles
from bridgehead.server.connections.requests import language
from bridgehead.server.http.routes import LANG, HttpError, Request, asked_game, route
from bridgehead.server.http.tutorials import TOUCH, after, frame, touched
from bridgehead.server.messages.http import Puzzle, TutorialStep
from bridgehead.server.messages.server import Reason
from bridgehead.server.rooms import views

NUMBER: dict[str, Any] = {"name": "number", "in": "query", "required": True, "schema": {"type": "integer", "minimum": 1}}


@route("GET /api/games/{game}/puzzle", Puzzle, query=(LANG, NUMBER), pays="costly")
async def puzzle(request: Request) -> Puzzle:
    """A puzzle in a language. Errors: 404."""
    spec, number = asked_puzzle(request)
    return await asyncio.to_thread(_told, spec, number, language(request))


@route("GET /api/games/{game}/puzzle/why", Reason, query=(LANG, NUMBER, TOUCH), pays="costly")
async def why(request: Request) -> Reason:
    """The reason why these ids cannot be touched, in this order, in a puzzle. Errors: 404."""
    position = set_out(*asked_puzzle(request)).position
    narrator = views.Narrator(Match(position.game, start=position), (), language(request))
    return views.why(position, narrator, touched(request), (position.actor,))


def puzzled(request: Request) -> Spec:
    """The game of a request. Errors: 404 if it has no puzzles."""
    spec = asked_game(request)
    if not puzzles(spec):
        raise HttpError(404, "no_puzzles", title=spec.title)
    return spec


def asked_puzzle(request: Request, number: str | None = None) -> tuple[Spec, int]:
    """The game and the number of a puzzle, by default the one in the query. Errors: 404."""
    spec, text = puzzled(request), request.query_params.get("number", "") if number is None else number
    of = len(puzzles(spec))
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= of):
        raise HttpError(404, "no_puzzle", of=of)
    return spec, int(text)


@functools.lru_cache(64)
def set_out(spec: Spec, number: int) -> Posed:
    """A puzzle on the board."""
    return posed(spec, puzzles(spec)[number - 1])


def task(spec: Spec, number: int, language: str) -> str:
    """What is to be found, in a sentence."""
    found, position, _ = set_out(spec, number)
    return _task(found, views.Narrator(Match(position.game, start=position), (), language))


def _task(found: puzzle_files.Puzzle, narrator: views.Narrator) -> str:
    return narrator.own(Phrase(f"puzzle.{found.kind}", {"who": narrator.called[narrator.match.actor]}))


def _told(spec: Spec, number: int, language: str) -> Puzzle:
    found, position, action = set_out(spec, number)
    game, scene = position.game, spec.scene
    match = Match(game, start=position)
    narrator = views.Narrator(match, (), language)
    picture, choices = scene.picture(game, language), scene.choices(position, language)
    first = next(each for each in choices if each.action == action).path[0]
    labels = {item.id: item.label for item in (*picture.fields, *scene.items(position, language))}
    buttons = dict(scene.buttons(position, language))
    what = labels.get(first) or buttons.get(first) or position.sentence(action, language)
    step = TutorialStep(_task(found, narrator), [], [])
    step.frames = [frame(match, 0, language)]
    step.choices, step.buttons = choices, buttons
    step.hint = narrator.own(Phrase("puzzle.hint", {"what": what}))
    odds = {"chance": percent(found.chance), "other": percent(found.other)}
    step.after = narrator.own(Phrase("puzzle.after", odds))
    step.right, step.wrong = {str(action): after(match, action, language)}, {}
    return Puzzle(spec.id, spec.title, number, len(puzzles(spec)), found.level, position.actor, picture, step)
