"""A whole print-and-play file: a cover page, the board, pieces, cards, rules."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bridgehead.core.components import Mat, Thing
from bridgehead.core.descriptions import about
from bridgehead.core.game import Game
from bridgehead.core.own_boards import headline, list_board_notes, list_credits
from bridgehead.printing import PAPERS, PARTS, boards, glance, pieces, rulebook
from bridgehead.printing.boards import Tiling, tiling
from bridgehead.printing.sheet import MARGIN, PaperSheet, Sheets


def make_book(game: Game, paper: str = "a4", language: str = "en", parts: Collection[str] = PARTS) -> bytes:
    """The PDF of a game under its house rules: paper `a4` or `letter`; parts: any of board, pieces, rules."""
    spec, title = game.spec, headline(game)
    sheets = Sheets(title, language, spec.folder)
    mat, things = spec.components.mat(game, language), spec.components.things(game, language)
    plan = tiling(mat, paper)
    _cover(sheets, game, mat, plan, things, paper, parts)
    if "board" in parts:
        boards.draw_pages(sheets, mat, plan, title)
    if "pieces" in parts:
        pieces.draw_pieces(sheets, [each for each in things if not each.back], paper, title)
        pieces.draw_cards(sheets, [each for each in things if each.back], paper, title)
    if "rules" in parts:
        glance.pages(sheets, game, paper)
        rulebook.pages(sheets, game, paper)
    return sheets.bytes()


def _cover(
    sheets: Sheets, game: Game, mat: Mat, plan: Tiling, things: Sequence[Thing], paper: str, parts: Collection[str]
) -> None:
    """The cover: title, the board in its starting position, contents of the file, instructions."""
    page, words, tell = PaperSheet(*PAPERS[paper]), about(game.spec, sheets.language), sheets.sentence
    wide = page.room[0]
    with sheets.page(page):
        y = sheets.block(headline(game), MARGIN, MARGIN, wide, 9, bold=True)
        for line in list_credits(game, sheets.language):
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
