"""Puzzles for the pages: each is a step of a tutorial, with one action that is right; a list says what each is about."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec

from bridgehead.core import registry
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.spec import Spec
from bridgehead.players import puzzles as puzzle_files
from bridgehead.players.advice import percent
from bridgehead.players.puzzles import FoundPuzzle, Posed, find_puzzle, pose_puzzle, puzzles
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.routes import LANG, HttpError, QueryParameter, Reply, Request, find_asked_game, route
from bridgehead.server.http.tutorials import TOUCH, after, frame, read_touch
from bridgehead.server.messages.server import ReasonView
from bridgehead.server.messages.tutorials import PuzzleEntry, PuzzleList, PuzzleView, TutorialStep
from bridgehead.server.rooms import views

T = TypeVar("T")
NAME: QueryParameter = {"name": "name", "in": "query", "schema": {"type": "string", "maxLength": 20}}
NUMBER: QueryParameter = {
    "name": "number", "in": "query", "description": "instead of a name: the number up to version 0.2.0",
    "schema": {"type": "integer", "minimum": 1},
}  # fmt: skip


@route("GET /api/games/{game}/puzzles", PuzzleList)
async def list_puzzles(request: Request) -> PuzzleList:
    """All puzzles of a game, the easiest first. Errors: 404."""
    spec = find_game_with_puzzles(request)
    entries = [PuzzleEntry(each.name, each.number, each.level, each.ideas, each.rules) for each in puzzles(spec)]
    return PuzzleList(spec.id, spec.title, entries)


@route("GET /api/games/{game}/puzzle", PuzzleView, query=(LANG, NAME, NUMBER), pays="costly")
async def puzzle(request: Request) -> Reply:
    """A puzzle in a language. Errors: 404."""
    spec, found = asked_puzzle(request)
    return Reply(await ask_puzzle(request, write_puzzle, spec.id, found.place, found.is_next, language(request)))


@route("GET /api/games/{game}/puzzle/why", ReasonView, query=(LANG, NAME, NUMBER, TOUCH), pays="costly")
async def why(request: Request) -> Reply:
    """The reason why these ids cannot be touched, in this order, in a puzzle. Errors: 404."""
    spec, found = asked_puzzle(request)
    return Reply(await ask_puzzle(request, write_refusal, spec.id, found.place, language(request), read_touch(request)))


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


def asked_puzzle(request: Request, asked: str | None = None) -> tuple[Spec, FoundPuzzle]:
    """The game and the puzzle of a name or of an old number, by default that of the query. Errors: 404."""
    spec, query = find_game_with_puzzles(request), request.query_params
    found = find_puzzle(spec, (query.get("name") or query.get("number", "")) if asked is None else asked)
    if found is None:
        raise HttpError(404, "no_puzzle", of=len(puzzles(spec)))
    return spec, found


# In a worker


@functools.lru_cache(64)
def set_out(game: str, place: int) -> Posed:
    """A puzzle on the board."""
    spec = registry.spec(game)
    return pose_puzzle(spec, puzzles(spec)[place - 1])


def task(game: str, place: int, language: str) -> str:
    """What is to be found, in a sentence."""
    found, position, _ = set_out(game, place)
    return _task(found, views.TableText(Match(position.game, start=position), (), language))


def write_refusal(game: str, place: int, language: str, touch: tuple[str, ...]) -> bytes:
    """The reason why ids cannot be touched."""
    position = set_out(game, place).position
    narrator = views.TableText(Match(position.game, start=position), (), language)
    return msgspec.json.encode(views.why(position, narrator, touch, (position.actor,)))


def _task(found: puzzle_files.Puzzle, narrator: views.TableText) -> str:
    return narrator.own(Phrase(f"puzzle.{found.kind}", {"who": narrator.called[narrator.match.actor]}))


def _closed(sentence: str) -> str:
    """A sentence of the log with a mark at its end: some games leave it out."""
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _tell_rival(posed: Posed, narrator: views.TableText, language: str) -> Iterator[str]:
    """Why the second best action fails: what answers it, or what it does not do."""
    puzzle, position, action = posed
    if not puzzle.rival:
        return
    game, rival = position.game, position.read(puzzle.rival[0])
    told = after(Match(game, start=position), rival, language).sentence
    yield narrator.own(Phrase("puzzle.rival", {"told": _closed(told)}))
    for reply in puzzle.rival[1:]:
        answered = position.play(rival)
        told = after(Match(game, start=answered), answered.read(reply), language).sentence
        yield narrator.own(Phrase("puzzle.rival.answer", {"told": _closed(told)}))
    known = game.spec.progress.effects(position, rival)
    lacking = [each for each in game.spec.progress.effects(position, action) if each not in known]
    if lacking and len(puzzle.rival) == 1:
        effects = "; ".join(game.words.tell(each, language, game.find_given_names(narrator.called)) for each in lacking)
        yield narrator.own(Phrase("puzzle.rival.lacks", {"effects": effects}))


def write_puzzle(name: str, place: int, is_next: bool, language: str) -> bytes:
    """A puzzle as the page receives it."""
    found, position, action = set_out(name, place)
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
    rival = _tell_rival(set_out(name, place), narrator, language)
    step.after = " ".join([told, narrator.own(Phrase("puzzle.after", odds)), *rival])
    step.right, step.wrong = {str(action): led}, {}
    of = len(puzzles(spec))
    made = PuzzleView(spec.id, spec.title, place, of, found.level, position.actor, picture, step, found.name, is_next)
    return msgspec.json.encode(made)
