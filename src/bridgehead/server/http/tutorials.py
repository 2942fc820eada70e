"""Tutorials for the pages: every step drawn and put into words beforehand, so that no rule is needed in the browser."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bridgehead.core import tutorial
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.spec import Spec
from bridgehead.players import offered
from bridgehead.server.connections.middleware import language
from bridgehead.server.http.endpoints import asked_game
from bridgehead.server.http.errors import HttpError
from bridgehead.server.http.pages import templates
from bridgehead.server.rooms import views

TOUCHES = 8  # things that one question is about


async def page(request: Request) -> Response:
    """A tutorial, if the game has one. Errors: 404."""
    return templates.TemplateResponse(request, "learn.html", {"game": views.listing(_asked(request))})


async def steps(request: Request) -> Response:
    """A whole tutorial in one language. Errors: 404."""
    told = await asyncio.to_thread(_told, _asked(request), language(request))
    return Response(told, media_type="application/json")


async def why(request: Request) -> Response:
    """Why these things may not be touched at a step: clause, sentence, things to show. Errors: 404."""
    scenes = tutorial.tutorial(_asked(request))[1]
    step, touch = request.query_params.get("step", ""), tuple(request.query_params.getlist("touch"))
    if not (step.isascii() and step.isdigit() and int(step) < len(scenes) and 0 < len(touch) <= TOUCHES):
        raise HttpError(404, "no_step")
    match = scenes[int(step)].match
    return JSONResponse(views.why_at(match.position, views.Narrator(match, (), language(request)), touch))


def _asked(request: Request) -> Spec:
    spec = asked_game(request)
    if not tutorial.has_tutorial(spec):
        raise HttpError(404, "no_tutorial", title=spec.title)
    return spec


@functools.lru_cache(32)
def _told(spec: Spec, language: str) -> bytes:
    """A tutorial as the page gets it; see docs/protocol.md."""
    told, scenes = tutorial.tutorial(spec)
    game = scenes[0].match.game
    return msgspec.json.encode({
        "game": spec.id, "title": spec.title, "seat": told.seat, "picture": spec.scene.picture(game, language),
        "steps": [_step(scene, language) for scene in scenes],
        "first": {"options": told.first, "level": offered(spec)[0], "seats": told.first.get("seats", spec.seats[0])},
    })  # fmt: skip


def _step(scene: tutorial.Scene, language: str) -> dict[str, Any]:
    """What is shown and said at a step, what may be touched, and what comes of it."""
    step, match, spec = scene.step, scene.match, scene.match.game.spec

    def tell(key: str) -> str:
        return match.game.words.tell(Phrase(key), language) if key else ""

    told: dict[str, Any] = {
        "text": tell(scene.text), "show": step.show,
        "frames": [frame(match, length, language) for length in range(scene.since, len(match.log) + 1)],
    }  # fmt: skip
    told["frames"][0]["traces"] = []  # how the board came to stand so has been shown before
    if not scene.hint:
        return told
    buttons = dict(spec.scene.buttons(match.position, language))
    return told | {
        "choices": spec.scene.choices(match.position, language), "buttons": buttons,
        "hint": tell(scene.hint), "after": tell(scene.after),
        "right": {str(action): _after(match, action, language) for action in scene.answers},
        "wrong": {str(action): tell(key) for action, key in scene.wrong.items()},
    }  # fmt: skip


def _after(match: Match, action: int, language: str) -> dict[str, Any]:
    """The board after an action."""
    after = match.fork()
    after.play(action)
    return frame(after, len(after.log), language)


def frame(match: Match, length: int, language: str) -> dict[str, Any]:
    """The board after `length` actions: things, seats, what moved, and what is said of it."""
    narrator, scene, position = views.Narrator(match, (), language), match.game.spec.scene, match.positions[length]
    items = scene.items(position, language)
    return {
        "items": items, "plates": scene.plates(position, language), "actor": position.actor, "last": narrator.last(length),
        "traces": narrator.traces(length - 1, length, items) if length else [],
        "sentence": narrator.line(length - 1) if length else "",
    }  # fmt: skip
