"""House rules of 40 Bridges."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from bridgehead.core.errors import OptionError
from bridgehead.core.options import House
from bridgehead.games.forty_bridges.board import Board

PRESETS: dict[str, dict[str, Any]] = {
    "recommended": {"retreat": False, "repetition": "forbid"},  # strong players win and lose: docs/notebook/lab.md
}
LAYOUTS: tuple[dict[str, Any], ...] = ({"quietLimit": None},)  # such states remember more plies


class Options(House, frozen=True):
    """House rules of 40 Bridges; the defaults are the standard game."""

    seats: Annotated[Literal[2], Meta(extra={"clause": "FB-0"})] = 2
    setup: Annotated[Literal["block", "row", "custom"], Meta(extra={"clause": "FBQ-1", "board": "setup"})] = "block"
    layout: Annotated[str | dict[str, Any] | None, Meta(extra={"clause": "FBQ-1", "board": "own"})] = None
    first: Annotated[Literal["p1", "random"], Meta(extra={"clause": "FBQ-2"})] = "p1"
    pie: Annotated[bool, Meta(extra={"clause": "FBQ-28"})] = False
    openings: Annotated[Literal["free", "balanced"], Meta(extra={"clause": "FBQ-29"})] = "free"
    bent_jumps: Annotated[bool, Meta(extra={"clause": "FBQ-3"})] = False
    sides_needed: Annotated[int, Meta(ge=1, le=8, extra={"clause": "FBQ-5"})] = 3
    capture_needs_mover: Annotated[bool, Meta(extra={"clause": "FBQ-6"})] = False
    max_captures: Annotated[Literal[2] | None, Meta(extra={"clause": "FBQ-7"})] = None
    suicide: Annotated[Literal["removed", "forbidden", "safe"], Meta(extra={"clause": "FBQ-8"})] = "removed"
    no_moves: Annotated[Literal["pass", "lose", "draw"], Meta(extra={"clause": "FBQ-13"})] = "pass"
    repetition: Annotated[Literal["draw3", "none", "forbid"], Meta(extra={"clause": "FBQ-15"})] = "draw3"
    retreat: Annotated[bool, Meta(extra={"clause": "FBQ-25"})] = True
    quiet_limit: Annotated[Annotated[int, Meta(ge=2, le=1000)] | None, Meta(extra={"clause": "FBQ-15"})] = 100


def check(options: Options, board: Board) -> None:
    """Check house rules beyond their types. Errors: OptionError for a layout that cannot be set up."""
    board.opening(options.setup, options.layout)
    judged = options.setup == "block" and options.sides_needed == 3 and not (options.bent_jumps or options.pie)
    if options.openings == "balanced" and not judged:
        raise OptionError("forty_bridges:error.openings_judged", "openings")
