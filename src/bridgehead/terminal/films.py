"""Films and pictures of a record from the command line (extra `film`)."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core import link, svg
from bridgehead.core.errors import BridgeheadError, OptionError, convert_error
from bridgehead.core.extras import require
from bridgehead.terminal.words import t

require("film")

from bridgehead.printing import film  # noqa: E402


def write_film(text: str, file: Path, first: int, last: int, seconds: float, width: int, language: str) -> str:
    """Write the film of some turns of a record, or the picture after the last of them, and say where it is.

    Errors: OptionError for a file of another kind; RecordError; BridgeheadError for turns that the game has not.
    """
    pictures = {"png": film.render_picture, "svg": svg.draw_svg}
    kind = file.suffix.lower().removeprefix(".")
    if kind not in (*film.KINDS, *pictures):
        raise OptionError("terminal:error.film_kind", str(file), ending=repr(file.suffix))
    match, _ = link.read(text)
    shots = film.list_shots(match, first, last, language)
    if kind in pictures:
        shots = shots[-1:]
        made = pictures[kind](shots[0].position, language, width)
    else:
        made = film.render_film(shots, language, kind, seconds, width)
    try:
        file.write_bytes(made)
    except OSError as error:
        raise BridgeheadError(convert_error(error).phrase, str(file)) from None
    return t("film.written", language, file=file, title=match.game.spec.title, count=len(shots), size=len(made) // 1000)
