"""Notation, sentences and facts of Connect Four."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bridgehead.core.clauses import Refusal
from bridgehead.core.errors import NotationError
from bridgehead.core.phrases import Phrase, phrase
from connect_four.rules import NO_OVER, REASONS, REFUSALS, refusal
from connect_four.state import PITCH, ROWS

if TYPE_CHECKING:
    from bridgehead.core.position import Position


def name(position: Position, action: int) -> str:
    """The letter of the column."""
    return str(position.game.board.columns[action])


def read(position: Position, text: str) -> int:
    """The action of a column's letter. Errors: NotationError."""
    if len(text) != 1 or text not in position.game.board.columns:
        raise NotationError(f"expected a column from a to g, got {text[:20]!r}", "action")
    return int(position.game.board.columns.index(text))


def seat_phrase(position: Position, seat: int) -> Phrase:
    """The seat as it is called in sentences."""
    return phrase(f"seat.{position.game.spec.seat_letter(seat)}")


def say(position: Position, action: int) -> Phrase:
    """What the log says of a disc."""
    after = position.play(action)
    done = phrase("dropped", seat=seat_phrase(position, position.actor), column=name(position, action))
    return phrase("done.end", done=done, end=prompt(after)) if after.is_over else done


def prompt(position: Position) -> Phrase:
    """Who must do what now, or how it ended."""
    if position.is_over:
        key = f"end.{REASONS[int(position.state.reason)][0]}"
        winner = int(position.state.winner)
        return phrase(key, seat=seat_phrase(position, winner)) if winner >= 0 else phrase(key)
    return phrase("prompt.drop", seat=seat_phrase(position, position.actor))


def explain(position: Position, action: int) -> Refusal | None:
    """Why a disc does not fit, by clause; None when it does."""
    code = int(refusal(position.read_only, position.game.law, action))
    if code == 0:
        return None
    clause, key = REFUSALS[code]
    if code == NO_OVER:
        return Refusal(REASONS[int(position.state.reason)][1], phrase(key))
    column = name(position, action)
    return Refusal(clause, phrase(key, column=column), (f"f:{column}{ROWS}",))


def discs(position: Position) -> dict[str, int]:
    """{hole: seat} for every disc, column by column."""
    columns = position.game.board.columns
    return {
        f"{letter}{row + 1}": seat
        for column, letter in enumerate(columns)
        for row in range(ROWS)
        for seat in (0, 1)
        if int(position.state.discs[seat]) >> (PITCH * column + row) & 1
    }


def facts(position: Position) -> dict[str, Any]:
    """`discs` {hole: seat}."""
    return {"discs": discs(position)}
