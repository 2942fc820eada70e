"""Types of the board editors: tools, drafts of boards (also unfinished ones), and problems that remain."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import msgspec

from bridgehead.core.errors import BoardError, BridgeheadError
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.scene import Part
from bridgehead.core.validation import ready

T = TypeVar("T")


class Tool(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tool of a board editor.

    kind: "touch" (touching `touches` things on the board makes a stroke), "press" (a button), "lot" (a button that sends a
    random number), "number" (from low to high) or "text"; `value` is the present content of the last two.
    seat: colour of its drawing. group: tools of one group are shown together.
    """

    id: str
    label: str
    kind: str = "touch"
    touches: int = 1
    hint: str = ""
    parts: tuple[Part, ...] = ()
    seat: str = ""
    value: str | int = ""
    low: int = 0
    high: int = 0
    group: str = ""


class Problem(NamedTuple):
    """A reason why a board cannot be played yet, and the ids of the things on the picture that it concerns."""

    said: Phrase
    show: tuple[str, ...] = ()


class NoStroke(BridgeheadError):
    """The reason why a stroke changes nothing."""

    def __init__(self, said: Phrase, *show: str) -> None:
        super().__init__(said.key)
        self.said = said
        self.show = show


def drafted(kind: type[T], data: Any) -> T:
    """Plain data as a draft of that type. Errors: BoardError, naming the place in the data."""
    try:
        return msgspec.convert(data, ready(kind))
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `")
        raise BoardError(what[:200], place.rstrip("`").removeprefix("$").lstrip(".")[:80]) from None


def plain(draft: Any) -> Any:
    """A draft as the data of a board file."""
    return msgspec.json.decode(msgspec.json.encode(draft))


def unnamed(error: BridgeheadError) -> Problem:
    """A refusal with its own text, where an editor has no better one."""
    return Problem(phrase("edit.other", where=error.where or "?", what=error.what))
