"""Print and play from the command line."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.game import Game
from bridgehead.printing import PAPERS, PARTS, book


def write(game: Game, paper: str, language: str, out: Path | None, parts: str) -> str:
    """Write the PDF and say where it is.

    Errors: OptionError; BridgeheadError where the file cannot be written.
    """
    wanted = [part.strip() for part in parts.split(",") if part.strip()]
    if paper not in PAPERS:
        raise OptionError(f"no paper {paper!r}; there are {', '.join(PAPERS)}", "--paper")
    if not wanted or not set(wanted) <= set(PARTS):
        raise OptionError(f"expected some of {', '.join(PARTS)}, got {parts!r}", "--parts")
    if not game.spec.is_printable:
        raise BridgeheadError(f"{game.spec.title} does not say what lies in its box", "print")
    file = out or Path(f"{game.spec.id}-{paper}.pdf")
    made = book.made(game, paper, language, wanted)
    try:
        file.write_bytes(made)
    except OSError as error:
        raise BridgeheadError(error.strerror or "cannot be written", str(file)) from None
    return f"written to {file}: {paper}, {', '.join(part for part in PARTS if part in wanted)}"
