"""Boards drawn by hand, also unfinished ones: what an editor shows and offers. What is still wrong, a game's own checks say."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import msgspec

from bridgehead.core import options as house
from bridgehead.core.errors import BoardError, BridgeheadError
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.scene import Part
from bridgehead.core.spec import Spec
from bridgehead.core.validation import ready

T = TypeVar("T")
MOST_PROBLEMS = 12  # told at once


class Tool(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a hand may hold. kind: "touch" (`touches` things on the board make a stroke), "press" (a button), "lot" (a button
    that sends a number drawn by lot), "number" and "text" (what stands there now is `value`; a number from low to high).

    seat: livery of its drawing. group: tools of one group stand together.
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
    """Something that a board lacks before it can be played, and the things on the picture that it is about."""

    said: Phrase
    show: tuple[str, ...] = ()


class NoStroke(BridgeheadError):
    """A stroke that changes nothing, and why."""

    def __init__(self, said: Phrase, *show: str) -> None:
        super().__init__(said.key)
        self.said = said
        self.show = show


def drafted(kind: type[T], data: Any) -> T:
    """Plain data as a draft of that type. Errors: BoardError with the place in it."""
    try:
        return msgspec.convert(data, ready(kind))
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `")
        raise BoardError(what[:200], place.rstrip("`").removeprefix("$").lstrip(".")[:80]) from None


def plain(draft: Any) -> Any:
    """A draft as the data of a board file."""
    return msgspec.json.decode(msgspec.json.encode(draft))


def refusal(spec: Spec, rules: dict[str, Any]) -> BridgeheadError | None:
    """Why no game starts under these house rules, as the game's own checks find it; None if it does.

    What only the law can find (a board with too many ways) is left to whoever starts the game.
    """
    try:
        options = house.build(spec, "", rules)
        spec.options.check(options, spec.board.load(options))
    except BridgeheadError as error:
        return error
    return None


def problems(spec: Spec, draft: Any) -> list[Problem]:
    """All that is wrong with a draft, as far as it can be told at once.

    The first refusal is named; then the draft is asked about again without what was refused, until nothing more is.
    """
    found: list[Problem] = []
    editor, rest = spec.editor, draft
    while rest is not None and len(found) < MOST_PROBLEMS:
        error = refusal(spec, editor.rules(rest))
        if error is None:
            break
        problem, rest = editor.named(rest, error)
        if problem not in found:
            found.append(problem)
    return found


def unnamed(error: BridgeheadError) -> Problem:
    """A refusal in its own words, where an editor has no better ones."""
    return Problem(phrase("edit.other", where=error.where or "?", what=error.what))
