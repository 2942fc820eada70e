"""Puzzles for the pages: each is a step of a tutorial, with one action that is right."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from bridgehead.core import registry
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.spec import Spec
from bridgehead.players import puzzles as puzzle_files
from bridgehead.players.advice import percent
from bridgehead.players.puzzles import Posed, pose_puzzle, puzzles
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.routes import LANG, HttpError, Reply, Request, find_asked_game, route
from bridgehead.server.http.tutorials import TOUCH, after, frame, read_touch
from bridgehead.server.messages.server import ReasonView
from bridgehead.server.messages.tutorials import PuzzleView, TutorialStep
from bridgehead.server.rooms import views

T = TypeVar("T")
NUMBER: dict[str, Any] = {"name": "number", "in": "query", "required": True, "schema": {"type": "integer", "minimum": 1}}


@route("GET /api/games/{game}/puzzle", PuzzleView, query=(LANG, NUMBER), pays="costly")
async def puzzle(request: Request) -> Reply:
    """A puzzle in a language. Errors: 404."""
    spec, number = asked_puzzle(request)
    return Reply(await ask_puzzle(request, write_puzzle, spec.id, number, language(request)))


@route("GET /api/games/{game}/puzzle/why", ReasonView, query=(LANG, NUMBER, TOUCH), pays="costly")
async def why(request: Request) -> Reply:
    """The reason why these ids cannot be touched, in this order, in a puzzle. Errors: 404."""
    spec, number = asked_puzzle(request)
    return Reply(await ask_puzzle(request, write_refusal, spec.id, number, language(request), read_touch(request)))


async def ask_puzzle(request: Request, work: Callable[..., T], *given: Any) -> T:
    """Ask a worker about a puzzle: setting one out takes as long as many moves. Errors: those of the work."""
    found: T = await request.app.state.strokes.ask(work, *given, asker=address_of(request))
    return found


def find_game_with_puzzles(request: Request) -> Spec:
    """The game of a request. Errors: 404 if it has no puzzles."""
    spec = find_asked_game(request)
    if not puzzles(spec):
        raise HttpError(404, "no_puzzles", title=spec.title)
    return spec


def asked_puzzle(request: Request, number: str | None = None) -> tuple[Spec, int]:
    """The game and the number of a puzzle, by default the one in the query. Errors: 404."""
    spec, text = find_game_with_puzzles(request), request.query_params.get("number", "") if number is None else number
    of = len(puzzles(spec))
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= of):
        raise HttpError(404, "no_puzzle", of=of)
    return spec, int(text)


# In a worker


@functools.lru_cache(64)
def set_out(game: str, number: int) -> Posed:
    """A puzzle on the board."""
    spec = registry.spec(game)
    return pose_puzzle(spec, puzzles(spec)[number - 1])


def task(game: str, number: int, language: str) -> str:
    """What is to be found, in a sentence."""
    found, position, _ = set_out(game, number)
    return _task(found, views.TableText(Match(position.game, start=position), (), language))


def write_refusal(game: str, number: int, language: str, touch: tuple[str, ...]) -> bytes:
    """The reason why ids cannot be touched."""
    position = set_out(game, number).position
    narrator = views.TableText(Match(position.game, start=position), (), language)
    return msgspec.json.encode(views.why(position, narrator, touch, (position.actor,)))


def _task(found: puzzle_files.Puzzle, narrator: views.TableText) -> str:
    return narrator.own(Phrase(f"puzzle.{found.kind}", {"who": narrator.called[narrator.match.actor]}))


def _closed(sentence: str) -> str:
    """A sentence of the log with a mark at its end: some games leave it out."""
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def write_puzzle(name: str, number: int, language: str) -> bytes:
    """A puzzle as the page receives it."""
    found, position, action = set_out(name, number)
    game, spec = position.game, position.game.spec
    scene = spec.scene
    match = Match(game, start=position)
    narrator = views.TableText(match, (), language)
    picture, choices = scene.picture(game, language), scene.choices(position, language)
    first = next((each.path[0] for each in choices if each.action == action), "")
    labels = {item.id: item.label for item in (*picture.fields, *scene.items(position, language))}
    buttons = dict(scene.buttons(position, language))
    what = labels.get(first) or buttons.get(first) or position.sentence(action, language)
    step = TutorialStep(_task(found, narrator), [], [])
    step.frames = [frame(match, 0, language)]
    step.choices, step.buttons = choices, buttons
    step.hint = narrator.own(Phrase("puzzle.hint", {"what": what}))
    odds = {"chance": percent(found.chance), "other": percent(found.other)}
    led = after(match, action, language)
    told = narrator.own(Phrase(f"puzzle.led.{found.kind}", {"told": _closed(led.sentence)}))
    step.after = f"{told} {narrator.own(Phrase('puzzle.after', odds))}"
    step.right, step.wrong = {str(action): led}, {}
    made = PuzzleView(spec.id, spec.title, number, len(puzzles(spec)), found.level, position.actor, picture, step)
    return msgspec.json.encode(made)
