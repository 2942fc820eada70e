"""Board editor. The page sends its board and a stroke, the use of a tool; the game returns the new board. Nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from bridgehead.core import registry
from bridgehead.core.editing import NoStroke, plain
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import catalogue, phrase
from bridgehead.core.problems import problems
from bridgehead.core.spec import Spec
from bridgehead.core.validation import ready
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.routes import LANG, HttpError, Reply, asked_game, route
from bridgehead.server.messages.client import Stroke
from bridgehead.server.messages.http import EditedBoard, Remark

if TYPE_CHECKING:
    from starlette.requests import Request


@route("POST /api/games/{game}/edit", EditedBoard, Stroke, query=(LANG,), limit="edits", raw=True)
async def edit(request: Request, body: bytes) -> Reply:
    """A board after a stroke, with its picture, tools and problems."""
    spec = editable(request)
    board = await request.app.state.strokes.ask(drawn, spec.id, body, language(request), asker=address_of(request))
    return Reply(board)


def editable(request: Request) -> Spec:
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
    if asked.board is not None:
        return asked.board
    name = asked.start or next(iter(starts))
    if name not in starts:
        raise BridgeheadError("server:error.no_board", "start", name=repr(name), starts=", ".join(starts))
    return starts[name]
