"""The rules as pages: house rules in force first, then every clause, in two columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape

import msgspec
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph

from bridgehead.core import options as house
from bridgehead.core.clauses import Clause
from bridgehead.core.descriptions import about
from bridgehead.core.game import Game
from bridgehead.core.own_boards import headline, list_board_notes
from bridgehead.printing import PAPERS
from bridgehead.printing.pen import to_printable
from bridgehead.printing.sheet import MARGIN, POINT, PaperSheet, Sheets

SIDE, GUTTER, TOP = 14.0, 8.0, 14.0  # millimetres
BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=9, leading=11.6, spaceAfter=3.2, textColor="#2b241f")
SMALL = ParagraphStyle("small", BODY, fontSize=7.6, leading=9.6, textColor="#5d5147", spaceAfter=2)
TITLE = ParagraphStyle("title", BODY, fontName="Times-Bold", fontSize=22, leading=26, spaceAfter=6)
SECTION = ParagraphStyle("section", BODY, fontName="Times-Bold", fontSize=13, leading=16, spaceBefore=9, spaceAfter=4)
MARK = '<font name="ZapfDingbats">n</font> '  # a filled square
IN_FORCE = ParagraphStyle("in force", BODY, leftIndent=6, borderPadding=(0, 0, 0, 4), backColor="#e6efe8")


def pages(sheets: Sheets, game: Game, paper: str) -> None:
    """The whole rulebook of a game under its house rules."""
    _draw_story(sheets, list(_story(sheets, game)), headline(game), paper)


def draw_words(sheets: Sheets, title: str, words: str, paper: str) -> None:
    """Rules in the designer's own words: a paragraph for each block of lines; a line that begins with # is a heading."""
    story = [_paragraph(title, TITLE)]
    for block in filter(str.strip, re.split(r"\n\s*\n", words)):
        text = " ".join(block.split())
        story.append(_paragraph(text.lstrip("# "), SECTION if text.startswith("#") else BODY))
    _draw_story(sheets, story, title, paper)


def _draw_story(sheets: Sheets, story: Sequence[Paragraph], title: str, paper: str) -> None:
    """Paragraphs in two columns a page."""
    page = PaperSheet(*PAPERS[paper])
    width, bottom = (page.width - 2 * SIDE - GUTTER) / 2 * POINT, (MARGIN + 2) * POINT
    columns = _columns(story, width, (page.height - TOP) * POINT - bottom)
    for number in range(0, len(columns), 2):
        with sheets.page(page):
            sheets.foot(page, sheets.sentence("page.rules", title=title, page=number // 2 + 1))
            sheets.flip_axis(page)
            for place, column in enumerate(columns[number : number + 2]):
                y = (page.height - TOP) * POINT
                for each in column:
                    y -= each.height + (each.style.spaceBefore if each is not column[0] else 0)
                    each.drawOn(sheets.canvas, SIDE * POINT + place * (width + GUTTER * POINT), y)
                    y -= each.style.spaceAfter


def _columns(story: Sequence[Paragraph], width: float, height: float) -> list[list[Paragraph]]:
    """Paragraphs by columns; a heading stays with its first paragraph, and a note with its clause."""
    columns: list[list[Paragraph]] = [[]]
    used = 0.0
    for block in _blocks(story):
        high = sum(each.style.spaceBefore + each.wrap(width, height)[1] + each.style.spaceAfter for each in block)
        if used and used + high > height:
            columns.append([])
            used = 0.0
        columns[-1] += block
        used += high
    return columns


def _blocks(story: Sequence[Paragraph]) -> Iterator[list[Paragraph]]:
    """Paragraphs that stay together."""
    block: list[Paragraph] = []
    for place, each in enumerate(story):
        block.append(each)
        noted = place + 1 < len(story) and story[place + 1].style is IN_FORCE
        if each.style not in (TITLE, SECTION) and not noted:
            yield block
            block = []
    if block:
        yield block


def _story(sheets: Sheets, game: Game) -> Iterator[Paragraph]:
    words, changed = about(game.spec, sheets.language), set(game.differences)
    yield _paragraph(headline(game), TITLE)
    yield _paragraph(f"{words.players}. {words.line}", BODY)
    yield from _house_rules(sheets, game)
    for section in dict.fromkeys(clause.section for clause in game.rulebook.clauses):
        yield _paragraph(words.section(section) or sheets.sentence("rules"), SECTION)
        for clause in game.rulebook.clauses:
            if clause.section == section:
                yield from _clause(sheets, game, clause, [name for name in clause.options if name in changed])


def _house_rules(sheets: Sheets, game: Game) -> Iterator[Paragraph]:
    """Every house rule with its value; those that differ from the rulebook come first, with a mark."""
    words, changed = about(game.spec, sheets.language), game.differences
    now: dict[str, Any] = msgspec.to_builtins(game.options)
    now |= dict.fromkeys(house.find_hidden_options(game.options) & {*changed}, "…")
    yield _paragraph(sheets.sentence("house"), SECTION)
    yield _paragraph(sheets.sentence("house.some" if changed else "house.standard"), SMALL)
    for note in list_board_notes(game, sheets.language):
        yield _paragraph(note, BODY)
    infos = sorted(house.describe(game.spec), key=lambda info: info.name not in changed)
    for info in infos:
        parameters = {"name": words.name(info.name), "value": words.short(info.name, now[info.name])}
        if info.name in changed:
            line = sheets.sentence("house.differs", default=words.short(info.name, info.default), **parameters)
            yield Paragraph(f"{MARK}<b>{_safe(line)}</b>. {_safe(words.text(info.name, info.description))}", BODY)
        else:
            yield _paragraph(sheets.sentence("house.same", **parameters), SMALL)


def _clause(sheets: Sheets, game: Game, clause: Clause, changed: list[str]) -> Iterator[Paragraph]:
    """A clause: its id, title and text, and its source."""
    words = about(game.spec, sheets.language)
    text, title = words.clause(clause.id) or clause.text, words.title(clause.id) or clause.title
    head = f'<font color="#17604c"><b>{_safe(clause.id)}</b></font> ' + (f"<b>{_safe(title)}.</b> " if title else "")
    note = "" if clause.status == "stated" else sheets.sentence("ruled" if clause.status == "ruled" else "optional")
    tail = f' <font size="7.2" color="#5d5147">({_safe(note)})</font>' if note else ""
    yield Paragraph((MARK if changed else "") + head + _clause_text(text) + tail, BODY)
    if changed:
        now: dict[str, Any] = msgspec.to_builtins(game.options)
        now |= dict.fromkeys(house.find_hidden_options(game.options), "…")
        rules = "; ".join(f"{words.name(name)}: {words.short(name, now[name])}" for name in changed)
        yield _paragraph(sheets.sentence("in_force", rules=rules), IN_FORCE)


def _clause_text(text: str) -> str:
    """The text with names of house rules in italics."""
    return re.sub("`([^`]+)`", r"<i>\1</i>", _safe(text))


def _paragraph(text: str, style: ParagraphStyle) -> Paragraph:
    return Paragraph(_safe(text), style)


def _safe(text: str) -> str:
    return escape(to_printable(text))
