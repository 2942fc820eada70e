"""Pictures of positions and films of matches (extra `film`): drawn as on a page, then made pixels.

Each drawing is stored once in a PDF, however often it stands on its pages; pdfium makes the pages pixels.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from bridgehead.core.descriptions import about
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.extras import needs
from bridgehead.core.game import Position
from bridgehead.core.look import parse_colour, read_style
from bridgehead.core.match import Match
from bridgehead.core.scene import Item
from bridgehead.printing.pen import Pen, form, keep_state, to_printable

with needs("film"):
    import pypdfium2 as pdfium
    from PIL import Image

KINDS = ("gif", "webp")
MOST = 1200  # frames of a film
CARD = (1200, 630)  # pixels of the picture that stands beside a link in a chat program
EDGE = 0.03  # of a picture's width, around its board
LETTER = 0.028  # size of a caption's letters, of a picture's width
LINES = 2  # lines of a caption
SIDE = 8  # depth of a board's edge below its picture
LAST = 3  # the last frame of a film stands this many times as long as the others


class Shot(NamedTuple):
    """A frame: its position, and the caption below it."""

    position: Position
    caption: str = ""


class _Reel:
    """Pages of one PDF with a board on each, in the units of its picture. y points down."""

    def __init__(self, position: Position, language: str, size: tuple[float, float]) -> None:
        game = position.game
        self.language, self.size, self.scene = language, size, game.spec.scene
        self.picture = game.spec.scene.picture(game, language)
        self._bytes = io.BytesIO()
        self.canvas: Any = Canvas(self._bytes, size, invariant=1, pageCompression=0)
        self._pen = Pen(self.canvas, game.spec.folder)
        self._colours = read_style(game.spec.folder).variables(game.spec.id)
        self._forms: dict[object, str] = {}

    def _form(self, item: Item) -> str:
        """The name of an item's drawing, which is stored when it is first needed."""
        look = (item.parts, item.seat, item.cls)
        if look not in self._forms:
            name = self._forms[look] = f"d{len(self._forms)}"
            reach = 2 * max(self.picture.width, self.picture.height)
            with form(self.canvas, name, -reach, -reach, reach, reach):
                self._pen.parts(item.parts, 0, 0, item.seat, item.cls)
        return self._forms[look]

    def board(self, position: Position, left: float, top: float, scale: float) -> None:
        """The board with everything on it."""
        items = sorted(self.scene.items(position, self.language), key=lambda item: item.z)
        shown = [(item, self._form(item)) for item in (*self.picture.ground, *self.picture.fields, *items)]
        with keep_state(self.canvas):
            self.canvas.translate(left, top)
            self.canvas.scale(scale, scale)
            for item, name in shown:
                with keep_state(self.canvas):
                    self.canvas.translate(item.x, item.y)
                    self.canvas.doForm(name)

    def begin(self) -> None:
        """The ground of a page."""
        width, height = self.size
        self.canvas.translate(0, height)
        self.canvas.scale(1, -1)
        self._ink("--table")
        self.canvas.rect(0, 0, width, height, stroke=0, fill=1)

    def write(
        self, text: str, left: float, top: float, width: float, size: float, bold: bool = False, lines: int = LINES
    ) -> float:
        """A text in lines of that width; returns where they end."""
        font = "Helvetica-Bold" if bold else "Helvetica"
        self._ink("--ink")
        for line in simpleSplit(to_printable(text), font, size, width)[:lines]:
            top += 1.25 * size
            with keep_state(self.canvas):
                self.canvas.translate(left, top)
                self.canvas.scale(1, -1)
                self.canvas.setFont(font, size)
                self.canvas.drawString(0, 0, line)
        return top

    def _ink(self, name: str) -> None:
        found = parse_colour(self._colours[name])
        assert found is not None
        self.canvas.setFillColorRGB(*found)

    def images(self, width: int) -> Iterator[Image.Image]:
        """The pages as images of that width."""
        self.canvas.save()
        with pdfium.PdfDocument(self._bytes.getvalue()) as pages:
            for page in pages:
                found: Image.Image = page.render(scale=(width - 0.01) / self.size[0]).to_pil().convert("RGB")
                yield found


def _drawn(shots: Sequence[Shot], language: str, width: int) -> Iterator[Image.Image]:
    """Images of boards with captions below them."""
    game = shots[0].position.game
    board = game.spec.scene.picture(game, language)
    margin, size = EDGE * board.width, LETTER * board.width
    below = LINES * 1.25 * size + margin / 2 if any(shot.caption for shot in shots) else 0
    whole = (board.width + 2 * margin, board.height + SIDE + 2 * margin + below)
    reel = _Reel(shots[0].position, language, whole)
    for shot in shots:
        reel.begin()
        reel.board(shot.position, margin, margin, 1)
        reel.write(shot.caption, margin, board.height + SIDE + margin, board.width, size)
        reel.canvas.showPage()
    return reel.images(width)


def render_picture(position: Position, language: str, width: int) -> bytes:
    """A position as a PNG."""
    return _png(next(_drawn([Shot(position)], language, width)))


def render_preview(position: Position, language: str) -> bytes:
    """A position and the name of its game as a PNG, for previews of a link."""
    game = position.game
    board = game.spec.scene.picture(game, language)
    wide, high = CARD
    reel, margin = _Reel(position, language, CARD), EDGE * high
    scale = min((high - 2 * margin) / (board.height + SIDE), 0.66 * wide / board.width)
    reel.begin()
    reel.board(position, margin, (high - scale * (board.height + SIDE)) / 2, scale)
    left = 3 * margin + scale * board.width
    end = reel.write(game.spec.title, left, 0.2 * high, wide - left - margin, 52, bold=True, lines=3)
    words = about(game.spec, language)
    end = reel.write(f"{words.players}.", left, end + margin, wide - left - margin, 27)
    reel.write(words.line, left, end + margin, wide - left - margin, 27, lines=7)
    reel.write("Bridgehead", left, high - margin - 40, wide - left - margin, 27, bold=True)
    reel.canvas.showPage()
    return _png(next(reel.images(wide)))


def list_shots(match: Match, first: int, last: int, language: str) -> list[Shot]:
    """The frames of the turns `first` to `last`, counted from 1 (0: to the end). Actions that the log leaves out have none.

    Errors: BridgeheadError for turns that the match has not.
    """
    turns = [entry.turn + 1 for entry in match.log]
    end = turns[-1] if turns else 0
    last = last or end
    if not (1 <= first <= last <= end):
        raise BridgeheadError("error.no_span", "span", first=first, last=last, turns=end)
    words = match.game.spec.words
    begin = next(i for i, turn in enumerate(turns) if turn >= first)
    shots = [Shot(match.positions[begin], match.positions[begin].tell_prompt(language))]
    for i in range(begin, len(turns)):
        if turns[i] > last:
            break
        before, action = match.positions[i], match.log[i].action
        if words.is_logged(before, action):
            shots.append(Shot(match.positions[i + 1], f"{turns[i]}. {before.sentence(action, language)}"))
    return shots


def render_film(shots: Sequence[Shot], language: str, kind: str, seconds: float, width: int, most: int = MOST) -> bytes:
    """Frames as an animated picture. kind: of KINDS; seconds: of each frame; most: frames. Errors: BridgeheadError for more."""
    if len(shots) > most:
        raise BridgeheadError("error.long_film", "span", count=len(shots), most=most)
    each = round(1000 * seconds)
    times = [each] * (len(shots) - 1) + [LAST * each]
    images = _drawn(shots, language, width)
    file = io.BytesIO()
    if kind == "gif":
        ends = [*_drawn([shots[0], shots[-1]], language, width)]
        images = _few_colours(images, ends)
    start = next(images)
    more: dict[str, Any] = {"quality": 80, "method": 2} if kind == "webp" else {"optimize": False}
    start.save(file, kind, save_all=True, append_images=images, duration=times, loop=0, **more)
    return file.getvalue()


def _few_colours(images: Iterator[Image.Image], ends: Sequence[Image.Image]) -> Iterator[Image.Image]:
    """The images in 256 colours, the same for all, so that the board does not flicker. ends: the first and the last image."""
    both = Image.new("RGB", (ends[0].width, sum(each.height for each in ends)))
    top = 0
    for each in ends:
        both.paste(each, (0, top))
        top += each.height
    colours = both.quantize(256)
    for each in images:
        yield each.quantize(palette=colours, dither=Image.Dither.NONE)


def _png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "png")
    return file.getvalue()
