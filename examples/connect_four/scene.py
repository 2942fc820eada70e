"""What a screen shows of Connect Four."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bridgehead.core.phrases import phrase
from bridgehead.core.scene import Choice, Item, Part, Picture, Plate, Trace
from connect_four.state import ROWS
from connect_four.words import discs, seat_phrase

if TYPE_CHECKING:
    from bridgehead.core.game import Game
    from bridgehead.core.position import Position

PITCH, EDGE = 80, 60


def picture(game: Game, language: str) -> Picture:
    """Forty-two holes."""
    columns = game.board.columns
    fields = tuple(
        Item(
            id=f"f:{letter}{row}",
            x=EDGE + PITCH * column,
            y=EDGE + PITCH * (ROWS - row),
            parts=(Part(use="c4-hole"),),
            cls="field",
            label=game.words.tell(phrase("item.hole", hole=f"{letter}{row}"), language),
            r=34,
        )
        for column, letter in enumerate(columns)
        for row in range(1, ROWS + 1)
    )
    return Picture(2 * EDGE + PITCH * (len(columns) - 1), 2 * EDGE + PITCH * (ROWS - 1), (), fields)


def items(position: Position, language: str) -> tuple[Item, ...]:
    """The discs."""
    game = position.game
    return tuple(
        Item(
            id=f"p:{hole}",
            x=EDGE + PITCH * game.board.columns.index(hole[0]),
            y=EDGE + PITCH * (ROWS - int(hole[1])),
            parts=(Part(use="disc"),),
            seat=game.spec.seat_letter(seat),
            cls="piece",
            label=game.words.tell(phrase("item.disc", hole=hole, seat=seat_phrase(position, seat)), language),
            at=f"f:{hole}",
            r=34,
            z=10,
            glyph="xo"[seat],
        )
        for hole, seat in discs(position).items()
    )


def plates(position: Position, language: str) -> tuple[Plate, ...]:
    """Both seats."""
    letters = [position.game.spec.seat_letter(seat) for seat in (0, 1)]
    return tuple(Plate(letter, letter.upper(), letter.upper()) for letter in letters)


def choices(position: Position, language: str) -> tuple[Choice, ...]:
    """A choice a column: touch the hole the disc falls to."""
    found = []
    for action in position.legal:
        hole = _hole(position, action)
        found.append(Choice(action, position.name(action), position.sentence(action, language), (f"f:{hole}",)))
    return tuple(found)


def _hole(position: Position, action: int) -> str:
    column = position.name(action)
    return f"{column}{1 + sum(hole[0] == column for hole in discs(position))}"


def traces(before: Position, action: int, after: Position) -> tuple[Trace, ...]:
    """The disc falls from the top of its column."""
    hole = _hole(before, action)
    top = f"f:{hole[0]}{ROWS}"
    return (Trace(f"p:{hole}", (top, f"f:{hole}")),) if top != f"f:{hole}" else ()


def last(before: Position, action: int) -> tuple[str, str]:
    """A disc comes from nowhere on the board."""
    return "", f"f:{_hole(before, action)}"


def buttons(position: Position, language: str) -> dict[str, str]:
    """There is none."""
    return {}


def touched(position: Position, touch: tuple[str, ...]) -> int | None:
    """Touching any hole of a column means that column."""
    return position.read(touch[-1].rpartition(":")[2][0]) if touch else None
