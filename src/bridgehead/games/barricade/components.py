"""The printed components of Barricade: the board with places of 20 mm, pawns and barricades. A die is not included."""

from __future__ import annotations

from bridgehead.core.components import Area, Mat, Thing, around, disc
from bridgehead.core.game import Game
from bridgehead.core.phrases import phrase
from bridgehead.core.scene import Part, rectangle
from bridgehead.games.barricade import scene
from bridgehead.games.barricade.scene import layout
from bridgehead.games.barricade.words import seat_phrase

SQUARE, MM = 36.0, 20.0  # a place with its rim in the picture's units, and in millimetres
PAWN = 17.0  # millimetres across
BEAM, SIDE, FLAP = 18.0, 8.0, 5.0  # a barricade's length, the height of each of its three sides, and its flap
FINAL, SLOT = 22.0, 17.6  # half widths of the final square and of a place at home


def mat(game: Game, language: str) -> Mat:
    """The board. No seam cuts a square or a place at home."""
    drawn, board = layout(game.board), game.board
    whole: dict[str, Area] = {}
    for square, name in enumerate(board.names):
        whole[f"f:{name}"] = around(*drawn.squares[square], FINAL if square == board.final else SQUARE / 2)
    for home, tray in enumerate(drawn.trays):
        for k, slot in enumerate(tray.slots):
            whole[f"f:home{board.homes[home].id}.{k}"] = around(*slot, SLOT)
    opening = tuple(item for item in scene.items(game.start(), language) if item.id[:2] in ("p:", "b:"))
    return Mat(scene.picture(game, language), MM / SQUARE, whole, opening=opening)


def things(game: Game, language: str) -> tuple[Thing, ...]:
    """The pawns of every seated home, and the barricades of the board."""
    tell, found = game.words.tell, []
    for colour in range(game.law.colours):
        letter, count = game.spec.seat_letter(colour), int(game.law.pawns)
        name = tell(phrase("box.pawns", seat=seat_phrase(game, int(game.law.seat_of[colour]))), language)
        found.append(Thing(name, disc(letter, letter.upper(), PAWN), PAWN, PAWN, count, letter))
    name, note = (tell(phrase(key), language) for key in ("box.barricades", "box.barricades.note"))
    found.append(Thing(name, _beam(), BEAM, 3 * SIDE + FLAP, len(game.board.barricades), note=note))
    return tuple(found)


def list_extra_components(game: Game, language: str) -> tuple[str, ...]:
    """The die (BAQ-17)."""
    return (game.words.tell(phrase("box.die", n=game.options.die_sides), language),)


def _beam() -> tuple[Part, ...]:
    """Three striped sides and a flap, one below the other."""
    left, top = -BEAM / 2, -(3 * SIDE + FLAP) / 2
    parts = [Part(d=rectangle(left, top + 3 * SIDE, BEAM, FLAP), cls="flap")]
    for side in range(3):
        upper = top + side * SIDE
        slants = (f"M{left + 3 + 5 * k:g} {upper + SIDE:g}l2.5 {-SIDE:g}h2.5l-2.5 {SIDE:g}Z" for k in range(3))
        parts += [Part(d=rectangle(left, upper, BEAM, SIDE), cls="beam-paper"), Part(d="".join(slants), cls="stripe")]
    folds = "".join(f"M{left:g} {top + side * SIDE:g}h{BEAM:g}" for side in (1, 2, 3))
    return (*parts, Part(d=folds, cls="fold"), Part(d=rectangle(left, top, BEAM, 3 * SIDE), cls="cut-line"))
