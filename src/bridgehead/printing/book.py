"""A whole print-and-play file: a cover page, the board, pieces, cards, rules."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Sequence
from io import BytesIO
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bridgehead.core.components import Mat, Thing
from bridgehead.core.descriptions import about
from bridgehead.core.editing import CORE
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import require
from bridgehead.core.game import Game
from bridgehead.core.own_boards import find_note, headline, list_board_notes, list_credits
from bridgehead.core.phrases import phrase
from bridgehead.printing import BOX, PAPERS, PARTS, WHOLE, boards, glance, pieces, rulebook
from bridgehead.printing.boards import Tiling, tiling
from bridgehead.printing.sheet import MARGIN, PaperSheet, Sheets

MOST_DOTS = 120_000_000  # of a page as a picture: 480 MB while it is drawn


class SheetWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game is printed. scale: of the board and its pieces, 0: as large as saves pages; bleed: millimetres around the
    board, its tiles and cards, to be cut off; on paper `boards.WIDEST_BLEED` at most.

    title, author: on every sheet, in place of the game's or the board's; words: rules in the designer's own words.
    """

    paper: Literal["a4", "a3", "letter", "whole"] = "a4"
    parts: Annotated[tuple[Literal["board", "pieces", "rules", "box"], ...], Meta(min_length=1, max_length=4)] = (
        "board", "pieces", "rules",
    )  # fmt: skip
    scale: Annotated[float, Meta(ge=0, le=2)] = 1.0
    bleed: Annotated[float, Meta(ge=0, le=10)] = 0.0
    title: Annotated[str, Meta(max_length=60)] = ""
    author: Annotated[str, Meta(max_length=60)] = ""
    words: Annotated[str, Meta(max_length=8000)] = ""


def make_book(game: Game, paper: str = "a4", language: str = "en", parts: Collection[str] = PARTS) -> bytes:
    """The PDF of a game under its house rules: a paper of PAPERS; parts: any of PARTS and BOX."""
    return print_book(game, msgspec.convert({"paper": paper, "parts": tuple(parts)}, SheetWish), language)


def print_book(game: Game, wish: SheetWish, language: str) -> bytes:
    """The PDF of a game as somebody wishes it."""
    spec, title = game.spec, wish.title.strip() or headline(game)
    sheets = Sheets(title, language, spec.folder, wish.author.strip() or "Bridgehead")
    mat, things = spec.components.mat(game, language), list(spec.components.things(game, language))
    paper = "a4" if wish.paper == WHOLE else wish.paper
    fitted = boards.fit_board(mat, wish.paper) if not wish.scale and wish.paper != WHOLE else scale_mat(mat, wish.scale or 1)
    scale, mat = fitted.mm / mat.mm, fitted
    plan = tiling(mat, wish.paper, wish.bleed)
    _cover(sheets, game, mat, plan, things, wish)
    if "board" in wish.parts:
        boards.draw_pages(sheets, mat, plan, title)
    if "pieces" in wish.parts:
        pieces.draw_pieces(sheets, [each for each in things if not each.back], paper, title, scale)
        pieces.draw_cards(sheets, [each for each in things if each.back], paper, title, min(wish.bleed, boards.WIDEST_BLEED))
    if BOX in wish.parts:
        _lid(sheets, game, mat, things, wish)
    if wish.words.strip():
        rulebook.draw_words(sheets, title, wish.words, paper)
    if "rules" in wish.parts:
        glance.pages(sheets, game, paper)
        rulebook.pages(sheets, game, paper)
    return sheets.bytes()


def scale_mat(mat: Mat, scale: float) -> Mat:
    """The board larger or smaller."""
    return msgspec.structs.replace(mat, mm=mat.mm * scale)


def draw_sheets(pdf: bytes, dots: int) -> bytes:
    """A ZIP of the pages as PNG pictures, for print services. dots: an inch. Errors: MissingExtra; BridgeheadError for a page
    of more than MOST_DOTS."""
    require("film")
    import pypdfium2

    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for number, page in enumerate(pypdfium2.PdfDocument(pdf), 1):
            wide, high = (side * dots / 72 for side in page.get_size())
            if wide * high > MOST_DOTS:
                raise BridgeheadError("error.large_sheet", "scale", n=number)
            picture = BytesIO()
            page.render(scale=dots / 72).to_pil().save(picture, "png", dpi=(dots, dots))
            file.writestr(zipfile.ZipInfo(f"{number:02}.png"), picture.getvalue())
    return packed.getvalue()


def _credits(sheets: Sheets, game: Game, wish: SheetWish) -> list[str]:
    """Who made it: the author of the wish in place of the board's."""
    found = list_credits(game, sheets.language)
    if not wish.author.strip():
        return found
    mine = CORE.tell(phrase("board.by", author=wish.author.strip()), sheets.language)
    return [mine, *found[len(found) - (1 if find_note(game) else 0) :]]


def _lid(sheets: Sheets, game: Game, mat: Mat, things: Sequence[Thing], wish: SheetWish) -> None:
    """A sheet for the lid of the box: title, author, the board at the start, who plays, what is inside."""
    page = PaperSheet(*PAPERS["a4" if wish.paper == WHOLE else wish.paper])
    with sheets.page(page):
        sheets.box(MARGIN, MARGIN, *page.room)
        wide, left = page.room[0] - 2 * MARGIN, 2 * MARGIN
        y = sheets.block(wish.title.strip() or headline(game), left, 2 * MARGIN, wide, 16, bold=True) + 3
        for line in _credits(sheets, game, wish):
            y = sheets.block(line, left, y, wide, 5)
        y += boards.draw_overview(sheets, mat, Tiling(page, ((0, 0),), ((0, 0),)), left, y + 6, wide, 0.55 * page.height) + 14
        words = about(game.spec, sheets.language)
        y = sheets.block(f"{words.players}. {words.line}", left, y, wide, 5) + 4
        inside = [sheets.sentence("contents.thing", name=name, n=count) for name, count in pieces.counts(things).items()]
        sheets.block(", ".join(inside), left, y, wide, 3.6, quiet=True)


def _cover(sheets: Sheets, game: Game, mat: Mat, plan: Tiling, things: Sequence[Thing], wish: SheetWish) -> None:
    """The cover: title, the board in its starting position, contents of the file, instructions."""
    paper, parts = "a4" if wish.paper == WHOLE else wish.paper, wish.parts
    page, words, tell = PaperSheet(*PAPERS[paper]), about(game.spec, sheets.language), sheets.sentence
    wide = page.room[0]
    with sheets.page(page):
        y = sheets.block(wish.title.strip() or headline(game), MARGIN, MARGIN, wide, 9, bold=True)
        for line in _credits(sheets, game, wish):
            y = sheets.block(line, MARGIN, y, wide, 3.8)
        y = sheets.block(f"{words.players}. {words.line}", MARGIN, y, wide, 3.8) + 5
        y += boards.draw_overview(sheets, mat, plan, MARGIN, y, wide, 118) + 3
        for note in list_board_notes(game, sheets.language):
            y = sheets.block(note, MARGIN, y, wide)
        y = sheets.block(tell("start" if plan.pages > 1 else "start.one"), MARGIN, y, wide, quiet=True) + 3
        half = (wide - 8) / 2
        left = _list(sheets, tell("contents"), _contents(sheets, mat, plan, things, parts), MARGIN, y, half)
        if extra := game.spec.components.list_extra_components(game, sheets.language):
            _list(sheets, tell("needed"), extra, MARGIN, left + 2, half)
        right = _list(sheets, tell("making"), _making(sheets, plan, things, parts), MARGIN + half + 8, y, half)
        x, below = MARGIN + half + 8, right + 3
        sheets.line(x, below, x + 50, below, 0.5)
        for end in (0, 50):
            sheets.line(x + end, below - 1.5, x + end, below + 1.5, 0.3)


def _list(sheets: Sheets, title: str, lines: Sequence[str], x: float, y: float, width: float) -> float:
    """A heading and its lines; returns where they end."""
    y = sheets.block(title, x, y, width, 4, bold=True) + 1
    for line in lines:
        y = sheets.block(line, x, y, width, 3.1) + 0.8
    return y


def _contents(sheets: Sheets, mat: Mat, plan: Tiling, things: Sequence[Thing], parts: Collection[str]) -> list[str]:
    width, height = (f"{side * mat.mm / 10:.0f}" for side in (mat.picture.width, mat.picture.height))
    found = []
    if "board" in parts:
        key = "contents.board" if plan.pages > 1 else "contents.board_one"
        found.append(sheets.sentence(key, count=plan.pages, width=width, height=height))
    if "pieces" in parts:
        found += [sheets.sentence("contents.thing", name=name, n=count) for name, count in pieces.counts(things).items()]
    if "rules" in parts:
        found.append(sheets.sentence("contents.rules"))
    return found


def _making(sheets: Sheets, plan: Tiling, things: Sequence[Thing], parts: Collection[str]) -> list[str]:
    keys = ["making.board"] if "board" in parts and plan.pages > 1 else []
    if "pieces" in parts:
        keys += ["making.pieces", *(["making.backs"] if any(each.back for each in things) else []), "making.letters"]
    return [sheets.sentence(key) for key in (*keys, "making.size")]
