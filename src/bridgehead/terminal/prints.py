"""Print and play from the command line."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core.errors import BridgeheadError, OptionError, convert_error
from bridgehead.core.game import Game
from bridgehead.printing import BOX, PAPERS, PARTS, WHOLE, book
from bridgehead.terminal.words import t


def write_pdf(game: Game, paper: str, language: str, out: Path | None, parts: str) -> str:
    """Write the PDF and say where it is.

    Errors: OptionError; BridgeheadError where the file cannot be written.
    """
    wanted = [part.strip() for part in parts.split(",") if part.strip()]
    if paper not in (*PAPERS, WHOLE):
        raise OptionError("terminal:error.no_paper", "--paper", paper=repr(paper), papers=", ".join((*PAPERS, WHOLE)))
    if not wanted or not set(wanted) <= {*PARTS, BOX}:
        raise OptionError("terminal:error.some_got", "--parts", parts=", ".join((*PARTS, BOX)), parts2=repr(parts))
    if not game.spec.is_printable:
        raise BridgeheadError("terminal:error.does_not_say_what_lies", "print", title=game.spec.title)
    file = out or Path(f"{game.spec.id}-{paper}.pdf")
    made = book.make_book(game, paper, language, wanted)
    try:
        file.write_bytes(made)
    except OSError as error:
        raise BridgeheadError(convert_error(error).phrase, str(file)) from None
    contents = ", ".join(t(f"print.{part}", language) for part in (*PARTS, BOX) if part in wanted)
    return t("print.written", language, file=file, paper=paper, parts=contents)
