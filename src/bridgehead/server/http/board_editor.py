"""Board editor. The page sends its board and a stroke, the use of a tool; the game returns the new board. Nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from bridgehead.core import registry
from bridgehead.core.editing import NoStroke, plain
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import catalogue, phrase
from bridgehead.core.problems import problems
from bridgehead.core.spec import Spec
from bridgehead.core.validation import ready
from bridgehead.server.connections.middleware import JSON, address_of, language
from bridgehead.server.http import pages
from bridgehead.server.http.endpoints import asked_game, body_of, sparing
from bridgehead.server.http.errors import HttpError
from bridgehead.server.messages.http import EditedBoard, Remark
from bridgehead.server.rooms import views

NOTHING = msgspec.Raw(b"null")


class Stroke(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/games/GAME/edit`: a board or the name of a starting board, a tool, and the ids that it touched."""

    board: msgspec.Raw = NOTHING
    start: Annotated[str, Meta(max_length=40)] = ""
    tool: Annotated[str, Meta(max_length=40)] = ""
    touch: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=4)] = []


async def page(request: Request) -> Response:
    """The page of the editor. Requesting it starts a worker, so that the first stroke does not wait for one."""
    spec = _editable(request)
    request.app.state.strokes.start()
    return pages.templates.TemplateResponse(request, "edit.html", {"game": views.listing(spec)})


async def edit(request: Request) -> Response:
    """A board after a stroke, with its picture, tools and problems."""
    spec = _editable(request)
    sparing(request, request.app.state.edits_asked)
    body = await body_of(request, request.app.state.limits.body)
    board = await request.app.state.strokes.ask(drawn, spec.id, body, language(request), asker=address_of(request))
    return Response(board, media_type=JSON)


def _editable(request: Request) -> Spec:
    """The game in the path. Errors: 404 if it has no editor."""
    spec = asked_game(request)
    if not spec.is_editable:
        raise HttpError(404, "no_editor", title=spec.title)
    return spec


def drawn(name: str, body: bytes, lang: str) -> bytes:
    """In a worker: the answer to a stroke. Errors: DecodeError, BoardError for data that is no board."""
    spec = registry.spec(name)
    asked = msgspec.json.decode(body, type=ready(Stroke))
    editor, tell = spec.editor, catalogue(spec.folder).tell
    remark: Remark | None = None
    starts = editor.starts()
    draft = editor.read(_begun(starts, asked))
    if asked.touch or any(tool.id == asked.tool and tool.kind == "press" for tool in editor.tools(draft, lang)):
        try:
            draft = editor.stroke(draft, asked.tool, tuple(asked.touch))
        except NoStroke as no:
            remark = Remark(tell(no.phrase, lang), no.show)
    picture, items = editor.sketch(draft, asked.tool, lang)
    return msgspec.json.encode(EditedBoard(
        board=plain(draft), picture=picture, items=items, tools=editor.tools(draft, lang), no=remark,
        problems=[Remark(tell(each.phrase, lang), each.show) for each in problems(spec, draft)],
        rules=editor.rules(draft), sealed=editor.SEALED,
        starts={key: tell(phrase(f"edit.start.{key}"), lang) for key in starts},
    ))  # fmt: skip


def _begun(starts: Mapping[str, Any], asked: Stroke) -> Any:
    """The page's board; without one, the starting board that it names, or the first starting board."""
    if asked.board != NOTHING:
        return msgspec.json.decode(asked.board)
    name = asked.start or next(iter(starts))
    if name not in starts:
        raise BridgeheadError("server:error.no_board", "start", name=repr(name), starts=", ".join(starts))
    return starts[name]
