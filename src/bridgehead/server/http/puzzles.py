"""Puzzles for the pages: each is a step of a tutorial, with one action that is right; a list says what each is about."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from bridgehead.core import registry
from bridgehead.core.game import Position
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.spec import Spec
from bridgehead.players import puzzles as puzzle_files
from bridgehead.players.advice import percent
from bridgehead.players.puzzles import FoundPuzzle, Stage, find_puzzle, pose_puzzle, puzzles, unfold_line
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


STAGE: QueryParameter = {
    "name": "stage", "in": "query", "description": "which of a puzzle's actions, from 0",
    "schema": {"type": "integer", "minimum": 0, "default": 0},
}  # fmt: skip


@route("GET /api/games/{game}/puzzles", PuzzleList)
async def list_puzzles(request: Request) -> PuzzleList:
    """All puzzles of a game, the easiest first. Errors: 404."""
    spec = find_game_with_puzzles(request)
    entries = [make_entry(each) for each in puzzles(spec)]
    return PuzzleList(spec.id, spec.title, entries)


def make_entry(puzzle: puzzle_files.Puzzle) -> PuzzleEntry:
    """A puzzle in the list."""
    return PuzzleEntry(puzzle.name, puzzle.number, puzzle.level, puzzle.ideas, puzzle.rules, 1 + len(puzzle.line))


@route("GET /api/games/{game}/puzzle", PuzzleView, query=(LANG, NAME, NUMBER), pays="costly")
async def puzzle(request: Request) -> Reply:
    """A puzzle in a language. Errors: 404."""
    spec, found = asked_puzzle(request)
    return Reply(await ask_puzzle(request, write_puzzle, spec.id, found.place, found.is_next, language(request)))


@route("GET /api/games/{game}/puzzle/why", ReasonView, query=(LANG, NAME, NUMBER, STAGE, TOUCH), pays="costly")
async def why(request: Request) -> Reply:
    """The reason why these ids cannot be touched, in this order, in a puzzle. Errors: 404."""
    spec, found = asked_puzzle(request)
    stage = request.query_params.get("stage", "0")
    if stage not in map(str, range(1 + len(found.puzzle.line))):
        raise HttpError(404, "no_step")
    asked = (spec.id, found.place, int(stage), language(request), read_touch(request))
    return Reply(await ask_puzzle(request, write_refusal, *asked))


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
def set_out(game: str, place: int) -> list[Stage]:
    """A puzzle on the board, each of its actions in turn."""
    spec = registry.spec(game)
    return unfold_line(pose_puzzle(spec, puzzles(spec)[place - 1]))


def task(game: str, place: int, language: str) -> str:
    """What is to be found, in a sentence."""
    return _task(set_out(game, place), language)


def write_refusal(game: str, place: int, stage: int, language: str, touch: tuple[str, ...]) -> bytes:
    """The reason why ids cannot be touched."""
    position = set_out(game, place)[stage].position
    return msgspec.json.encode(views.why(position, _narrate(position, language), touch, (position.actor,)))


def _narrate(position: Position, language: str) -> views.TableText:
    return views.TableText(Match(position.game, start=position), (), language)


def _task(stages: Sequence[Stage], language: str) -> str:
    narrator = _narrate(stages[0].position, language)
    puzzle, who = stages[0].puzzle, narrator.called[narrator.match.actor]
    several = [Phrase("puzzle.several", {"n": len(stages)})] if len(stages) > 1 else []
    return " ".join(map(narrator.own, (Phrase(f"puzzle.{puzzle.kind}", {"who": who}), *several)))


def _closed(sentence: str) -> str:
    """A sentence of the log with a mark at its end: some games leave it out."""
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _tell(position: Position, action: int, language: str) -> str:
    return _closed(after(Match(position.game, start=position), action, language).sentence)


def _tell_rival(stage: Stage, language: str, key: str = "puzzle.rival") -> Iterator[str]:
    """Why the second best action fails: what answers it, or what it does not do."""
    asked, position, action = stage.asked, stage.position, stage.action
    if not asked.rival:
        return
    narrator, game, rival = _narrate(position, language), position.game, position.read(asked.rival[0])
    yield narrator.own(Phrase(key, {"told": _tell(position, rival, language)}))
    for reply in asked.rival[1:]:
        answered = position.play(rival)
        yield narrator.own(Phrase("puzzle.rival.answer", {"told": _tell(answered, answered.read(reply), language)}))
    known = game.spec.progress.effects(position, rival)
    lacking = [each for each in game.spec.progress.effects(position, action) if each not in known]
    if lacking and len(asked.rival) == 1:
        effects = "; ".join(game.words.tell(each, language, game.find_given_names(narrator.called)) for each in lacking)
        yield narrator.own(Phrase("puzzle.rival.lacks", {"effects": effects}))


def write_puzzle(name: str, place: int, is_next: bool, language: str) -> bytes:
    """A puzzle as the page receives it."""
    stages = set_out(name, place)
    puzzle, position = stages[0].puzzle, stages[0].position
    spec = position.game.spec
    first, *more = (_step(stage, language) for stage in stages)
    first.text = _task(stages, language)
    first.frames = first.frames[-1:]
    (more or [first])[-1].after = " ".join(_explain(stages, language))
    for stage, step in zip(stages, more, strict=False):  # why the second best failed before
        step.text = " ".join([step.text, *_tell_rival(stage, language, "puzzle.rival.before")])
    picture, of = spec.scene.picture(position.game, language), len(puzzles(spec))
    made = PuzzleView(spec.id, spec.title, place, of, puzzle.level, position.actor, picture, first, puzzle.name, is_next, more)
    return msgspec.json.encode(made)


def _step(stage: Stage, language: str) -> TutorialStep:
    """An action to find, after the replies of others."""
    position, action, scene = stage.position, stage.action, stage.position.game.spec.scene
    narrator, choices = _narrate(position, language), scene.choices(position, language)
    first = next((each.path[0] for each in choices if each.action == action), "")
    labels = {item.id: item.label for item in (*scene.picture(position.game, language).fields, *scene.items(position, language))}
    buttons = dict(scene.buttons(position, language))
    what = labels.get(first) or buttons.get(first) or position.sentence(action, language)
    match = stage.replies
    key = "puzzle.next.answered" if match.log else "puzzle.next"
    step = TutorialStep(narrator.own(Phrase(key, {"who": narrator.called[position.actor]})), [], [])
    step.frames = [frame(match, length, language) for length in range(len(match.log) + 1)]
    step.choices, step.buttons = choices, buttons
    step.hint = narrator.own(Phrase("puzzle.hint", {"what": what}))
    step.right, step.wrong = {str(action): after(Match(position.game, start=position), action, language)}, {}
    return step


def _explain(stages: Sequence[Stage], language: str) -> Iterator[str]:
    """What the last action leads to, and why the second best fails."""
    narrator, last, puzzle = _narrate(stages[-1].position, language), stages[-1], stages[0].puzzle
    holds = {"win": last.asked.chance >= puzzle.chance, "hold": last.asked.other <= puzzle.other, "best": True}
    kind = puzzle.kind if holds[puzzle.kind] else "best"
    yield narrator.own(Phrase(f"puzzle.led.{kind}", {"told": _tell(last.position, last.action, language)}))
    odds = {"chance": percent(last.asked.chance), "other": percent(last.asked.other)}
    yield narrator.own(Phrase("puzzle.after", odds))
    yield from _tell_rival(last, language)
