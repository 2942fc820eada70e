"""Editors of boards and of positions. The page sends its draft and a stroke, the use of a tool; the game returns the new one.

Nothing is stored.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from bridgehead.core import link, positions, registry
from bridgehead.core import options as house
from bridgehead.core.editing import NoStroke, Tool, plain
from bridgehead.core.errors import BridgeheadError, OptionError, convert_error
from bridgehead.core.extras import require
from bridgehead.core.game import Game, Position
from bridgehead.core.match import Match
from bridgehead.core.own_boards import count_steps
from bridgehead.core.phrases import catalogue, phrase
from bridgehead.core.problems import problems
from bridgehead.core.spec import Spec
from bridgehead.core.validation import ready
from bridgehead.server.catalogue import WORDS
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.routes import LANG, HttpError, Reply, Request, find_asked_game, game_of, route
from bridgehead.server.messages.boards import (
    BoardSteps,
    EditedBoard,
    PositionDraft,
    PrintWish,
    RemarkView,
    SeatSteps,
    SetPosition,
    Stroke,
)
from bridgehead.server.messages.tables import GameWish
from bridgehead.server.rooms import views

DOTS = 200  # an inch, of sheets as pictures


@route("POST /api/games/{game}/edit", EditedBoard, Stroke, query=(LANG,), limit="edits", raw=True, pays="costly")
async def edit(request: Request, body: bytes) -> Reply:
    """A board after a stroke, with its picture, tools and problems."""
    spec = editable(request)
    board = await request.app.state.strokes.ask(answer_stroke, spec.id, body, language(request), asker=address_of(request))
    return Reply(board)


@route("POST /api/games/{game}/position", SetPosition, Stroke, query=(LANG,), limit="edits", raw=True, pays="costly")
async def position(request: Request, body: bytes) -> Reply:
    """A position after a stroke, with its picture, tools, and the reason why it cannot occur."""
    name, asker = find_asked_game(request).id, address_of(request)
    return Reply(await request.app.state.strokes.ask(set_up, name, body, language(request), asker=asker))


@route("POST /api/steps", BoardSteps, GameWish, query=(LANG,), limit="edits", pays="costly")
async def find_steps(request: Request, wish: GameWish) -> Reply:
    """How far each seat starts from its goal, for a board that is being drawn."""
    game = await game_of(request, wish)
    asked = game.spec.rules_id, house.canonical(game.options), language(request)
    return Reply(await request.app.state.strokes.ask(answer_steps, *asked, asker=address_of(request)))


def answer_steps(rules_id: str, rules: str, lang: str) -> bytes:
    """In a worker: the steps of each seat."""
    game = registry.open_game(rules_id, rules)
    plates = game.spec.scene.plates(game.start(), lang)[: game.seats]
    names = [game.words.tell(each, lang) for each in game.seat_phrases]
    found = [
        SeatSteps(each.seat, name, count_steps(game, seat)) for seat, (each, name) in enumerate(zip(plates, names, strict=True))
    ]
    return msgspec.json.encode(BoardSteps(found))


@route("POST /api/prints", None, PrintWish, query=(LANG,), limit="films", media="application/pdf", pays="costly")
async def print_game(request: Request, wish: PrintWish) -> Reply:
    """A game on sheets of paper as a PDF, or as a ZIP of pictures. Errors: MissingExtra."""
    require("print")
    game = await game_of(request, wish)
    if not game.spec.is_printable:
        raise HttpError(404, "no_sheets", title=game.spec.title)
    asked = (game.spec.rules_id, house.canonical(game.options), msgspec.json.encode(wish.how), wish.pictures, language(request))
    made = await request.app.state.pictures.ask(render_book, *asked, asker=address_of(request))
    media = "application/zip" if wish.pictures else "application/pdf"
    return Reply(made, media=media, headers={"cache-control": "no-store"})


def render_book(game: str, rules: str, how: bytes, pictures: bool, lang: str) -> bytes:
    """In a worker: the printed game. Errors: OptionError for a wish with a wrong value."""
    from bridgehead.printing import book

    try:
        wish = msgspec.json.decode(how, type=ready(book.SheetWish))
    except msgspec.ValidationError as error:
        found = convert_error(error)
        raise OptionError(found.phrase, found.where.removeprefix("$.")) from None
    made = book.print_book(registry.open_game(game, rules), wish, lang)
    return book.draw_sheets(made, DOTS) if pictures else made


def editable(request: Request) -> Spec:
    """The game in the path. Errors: 404 if it has no editor."""
    spec = find_asked_game(request)
    if not spec.is_editable:
        raise HttpError(404, "no_editor", title=spec.title)
    return spec


def answer_stroke(name: str, body: bytes, lang: str) -> bytes:
    """In a worker: the answer to a stroke. Errors: DecodeError, BoardError for data that is no board."""
    spec = registry.spec(name)
    asked = msgspec.json.decode(body, type=ready(Stroke))
    editor, tell = spec.editor, catalogue(spec.folder).tell
    remark: RemarkView | None = None
    starts = editor.starts()
    draft = editor.read(_begun(starts, asked))
    if asked.touch or any(tool.id == asked.tool and tool.kind == "press" for tool in editor.tools(draft, lang)):
        try:
            draft = editor.stroke(draft, asked.tool, tuple(asked.touch))
        except NoStroke as no:
            remark = RemarkView(tell(no.phrase, lang), no.show)
    picture, items = editor.sketch(draft, asked.tool, lang)
    return msgspec.json.encode(EditedBoard(
        board=plain(draft), picture=picture, items=items, tools=editor.tools(draft, lang), no=remark,
        problems=[RemarkView(tell(each.phrase, lang), each.show) for each in problems(spec, draft)],
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


def set_up(name: str, body: bytes, lang: str) -> bytes:
    """In a worker: the answer to a stroke at a position. Errors: DecodeError; PositionError for a text that cannot be read."""
    spec = registry.spec(name)
    asked = msgspec.json.decode(body, type=ready(Stroke))
    draft = PositionDraft() if asked.board is None else msgspec.convert(asked.board, type=ready(PositionDraft))
    game = _game(spec, json.dumps(draft.rules))
    starts = {"first": game.start().text} | ({"showpiece": spec.showpiece} if spec.showpiece and not game.differences else {})
    text = starts.get(asked.start, "") or draft.position.strip() or starts["first"]
    now, error = positions.parse_position(game, text)
    remark: RemarkView | None = None
    tell = game.words.tell
    if asked.touch or any(tool.id == asked.tool and tool.kind == "press" for tool in _tools(now, asked.tool, lang)):
        try:
            now, error = positions.parse_position(game, positions.apply_stroke(now, asked.tool, tuple(asked.touch)))
        except NoStroke as no:
            remark = RemarkView(tell(no.phrase, lang), no.show)
    picture, items = spec.scene.picture(game, lang), spec.scene.items(now, lang)
    shown = SetPosition(
        board=plain(PositionDraft(game.differences, now.text)), picture=picture, items=items, no=remark, problems=[],
        tools=_tools(now, asked.tool, lang), rules=game.differences, sealed=False, title=spec.title,
        plain=views.rule_line(game, lang), starts={key: WORDS.tell(phrase(f"position.{key}"), lang) for key in starts},
    )  # fmt: skip
    if error is not None:
        ids = {item.id: item for item in (*picture.fields, *items)}
        shown.problems = [RemarkView(tell(error.whole, lang), positions.find_concerned_items(error, ids))]
    else:
        shown.link = link.pack(Match(game, start=now), [""] * game.seats)
        shown.plates, shown.prompt = spec.scene.plates(now, lang), now.tell_prompt(lang)
        shown.actor, shown.turn = now.actor, now.turn
    return msgspec.json.encode(shown)


def _tools(position: Position, tool: str, lang: str) -> Sequence[Tool]:
    return position.game.spec.position_editor.tools(position, tool, lang)


@functools.lru_cache(8)
def _game(spec: Spec, rules: str) -> Game:
    """Making a game takes longer than a stroke."""
    return Game(spec, house.build(spec, "", json.loads(rules)))
