"""The game at a glance on one sheet: its pictures in two columns, each with its sentences."""

from __future__ import annotations

from bridgehead.core.descriptions import about
from bridgehead.core.game import Game
from bridgehead.core.glance import ASPECT, ShownPanel, glance
from bridgehead.printing import PAPERS
from bridgehead.printing.pen import keep_state
from bridgehead.printing.sheet import MARGIN, PaperSheet, Sheets

GAP = 8.0  # between the columns
ROOM = 32.0  # height of the sentences below a picture


def pages(sheets: Sheets, game: Game, paper: str) -> None:
    """The sheet of a game; nothing if it has no such pictures."""
    panels = glance(game.spec)
    if not panels:
        return
    page, words = PaperSheet(*PAPERS[paper]), about(game.spec, sheets.language)
    width, rows = (page.room[0] - GAP) / 2, -(-len(panels) // 2)
    with sheets.page(page):
        y = sheets.block(game.spec.title, MARGIN, MARGIN, page.room[0], 8, bold=True)
        y = sheets.block(f"{words.line} {words.players}.", MARGIN, y, page.room[0], 3.6) + 3
        high = min(width / ASPECT, (page.height - MARGIN - y) / rows - ROOM)
        for number, panel in enumerate(panels, start=1):
            across, down = (number - 1) % 2, (number - 1) // 2
            left, top = MARGIN + across * (width + GAP), y + down * (high + ROOM)
            _picture(sheets, panel, left + (width - high * ASPECT) / 2, top, high)
            below = sheets.block(words.glance_title(number), left, top + high + 1.5, width, 4, bold=True)
            sheets.block(words.glance_text(number), left, below + 0.5, width, 3.4)


def _picture(sheets: Sheets, panel: ShownPanel, x: float, y: float, high: float) -> None:
    """The part of the board that a panel shows. high: in millimetres."""
    canvas, scene, game, frame = sheets.canvas, panel.position.game.spec.scene, panel.position.game, panel.frame
    scale = high / (frame.bottom - frame.top)
    with keep_state(canvas):
        window = canvas.beginPath()
        window.rect(x, y, high * ASPECT, high)
        canvas.clipPath(window, stroke=0, fill=0)
        canvas.translate(x - frame.left * scale, y - frame.top * scale)
        canvas.scale(scale, scale)
        sheets.pen.picture(scene.picture(game, sheets.language), scene.items(panel.position, sheets.language))
        for mark in panel.marks:
            sheets.pen.parts(mark.parts, mark.x, mark.y)
    sheets.box(x, y, high * ASPECT, high)
