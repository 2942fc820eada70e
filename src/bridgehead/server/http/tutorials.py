"""Tutorials for the pages. The server prepares every step, so the browser needs no rules."""

from __future__ import annotations

import functools

import msgspec

from bridgehead.core import options as house
from bridgehead.core import tutorial
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.spec import Spec
from bridgehead.players import list_levels
from bridgehead.server.connections.requests import language
from bridgehead.server.http.routes import LANG, HttpError, QueryParameter, Reply, Request, find_asked_game, route, run_thread_job
from bridgehead.server.messages.server import ReasonView
from bridgehead.server.messages.tutorials import FirstGame, TutorialFrame, TutorialStep, TutorialView
from bridgehead.server.rooms import views

TOUCHES = 8  # ids in one request, at most
STEP: QueryParameter = {
    "name": "step", "in": "query", "required": True, "schema": {"type": "integer", "minimum": 0, "maximum": 20}
}  # fmt: skip
TOUCH: QueryParameter = {
    "name": "touch", "in": "query", "required": True,
    "schema": {"type": "array", "items": {"type": "string"}, "maxItems": TOUCHES},
}  # fmt: skip


@route("GET /api/games/{game}/tutorial", TutorialView, query=(LANG,))
async def steps(request: Request) -> Reply:
    """A whole tutorial in a language. Errors: 404."""
    return Reply(await run_thread_job(request, _encoded, find_game_with_tutorial(request), language(request)))


@route("GET /api/games/{game}/tutorial/why", ReasonView, query=(LANG, STEP, TOUCH))
async def why(request: Request) -> ReasonView:
    """The reason why these ids cannot be touched, in this order, at a step. Errors: 404."""
    found, scenes = tutorial.tutorial(find_game_with_tutorial(request))
    step = request.query_params.get("step", "")
    if not (step.isascii() and step.isdigit() and int(step) < len(scenes)):
        raise HttpError(404, "no_step")
    match = scenes[int(step)].match
    return views.why(match.position, views.TableText(match, (), language(request)), read_touch(request), (found.seat,))


def read_touch(request: Request) -> tuple[str, ...]:
    """The ids that a page names. Errors: 404 for none or too many."""
    touch = tuple(request.query_params.getlist("touch"))
    if not 0 < len(touch) <= TOUCHES:
        raise HttpError(404, "no_step")
    return touch


def find_game_with_tutorial(request: Request) -> Spec:
    spec = find_asked_game(request)
    if not tutorial.has_tutorial(spec):
        raise HttpError(404, "no_tutorial", title=spec.title)
    return spec


@functools.lru_cache(32)
def _encoded(spec: Spec, language: str) -> bytes:
    """A tutorial as the page receives it; see docs/lookup/protocol.md."""
    found, scenes = tutorial.tutorial(spec)
    game = scenes[0].match.game
    seats = found.first.get("seats", spec.seats[0])
    first_game = Game(spec, house.build(spec, "", {"seats": seats, **found.first}))
    recommended = house.find_recommended_preset(spec) if views.is_recommended_beside(first_game) else ""
    first = FirstGame("", recommended, found.first, list_levels(spec)[0], seats)
    steps = [_step(scene, language) for scene in scenes]
    return msgspec.json.encode(TutorialView(spec.id, spec.title, found.seat, spec.scene.picture(game, language), steps, first))


def _step(scene: tutorial.ShownStep, language: str) -> TutorialStep:
    """A step with the result of every action that the learner may try."""
    step, match, spec = scene.step, scene.match, scene.match.game.spec

    def sentence(key: str) -> str:
        return match.game.words.tell(Phrase(key), language) if key else ""

    frames = [frame(match, length, language) for length in range(scene.since, len(match.log) + 1)]
    frames[0].traces = []  # the previous step has shown the movements up to here
    made = TutorialStep(sentence(scene.text), step.show, frames)
    if scene.hint:
        made.choices = spec.scene.choices(match.position, language)
        made.buttons = dict(spec.scene.buttons(match.position, language))
        made.hint, made.after = sentence(scene.hint), sentence(scene.after)
        made.right = {str(action): after(match, action, language) for action in scene.answers}
        made.wrong = {str(action): sentence(key) for action, key in scene.wrong.items()}
    return made


def after(match: Match, action: int, language: str) -> TutorialFrame:
    """The board after an action."""
    played = match.fork()
    played.play(action)
    return frame(played, len(played.log), language)


def frame(match: Match, length: int, language: str) -> TutorialFrame:
    """The board after `length` actions, without names."""
    return views.frame(views.TableText(match, (), language), length)
