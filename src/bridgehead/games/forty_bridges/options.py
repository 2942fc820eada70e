"""House rules of 40 Bridges."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from bridgehead.core.options import House
from bridgehead.games.forty_bridges.board import Board


class Options(House, frozen=True):
    """House rules of 40 Bridges; the defaults are the standard game."""

    seats: Annotated[Literal[2], Meta(description="Two players.", extra={"clause": "FB-0"})] = 2
    setup: Annotated[
        Literal["block", "row", "custom"],
        Meta(
            description="Where the pieces stand at the start: a block in the corner, along one edge, or as `layout` says.",
            extra={"clause": "FBQ-1"},
        ),
    ] = "block"
    layout: Annotated[
        str | None,
        Meta(
            description="With setup custom: fields of player 1, a blank, fields of player 2, like `a1,b1,A1 e5,d5,D4`.",
            extra={"clause": "FBQ-1"},
        ),
    ] = None
    first: Annotated[
        Literal["p1", "random"],
        Meta(description="Who moves first: player 1, or one drawn by lot.", extra={"clause": "FBQ-2"}),
    ] = "p1"
    bent_jumps: Annotated[
        bool,
        Meta(
            description="A jump may also bend by 45 degrees behind the piece jumped over, and so change the kind of field.",
            extra={"clause": "FBQ-3"},
        ),
    ] = False
    sides_needed: Annotated[
        int,
        Meta(ge=1, le=8, description="How many sides must be closed to capture a piece.", extra={"clause": "FBQ-5"}),
    ] = 3
    capture_needs_mover: Annotated[
        bool,
        Meta(description="The piece that just moved must be one of those that surround.", extra={"clause": "FBQ-6"}),
    ] = False
    max_captures: Annotated[
        Literal[2] | None,
        Meta(description="The most pieces one move can capture; the mover chooses which.", extra={"clause": "FBQ-7"}),
    ] = None
    suicide: Annotated[
        Literal["removed", "forbidden", "safe"],
        Meta(
            description="A move into a surround that captures nothing: the piece is lost, the move is forbidden, or it stays.",
            extra={"clause": "FBQ-8"},
        ),
    ] = "removed"
    no_moves: Annotated[
        Literal["pass", "lose", "draw"],
        Meta(description="A player without a legal move passes, loses, or the game is drawn.", extra={"clause": "FBQ-13"}),
    ] = "pass"
    repetition: Annotated[
        Literal["draw3", "none", "forbid"],
        Meta(
            description="A position that occurs for the third time: a draw, nothing happens, or the move is forbidden.",
            extra={"clause": "FBQ-15"},
        ),
    ] = "draw3"
    quiet_limit: Annotated[
        Annotated[int, Meta(ge=2, le=1000)] | None,
        Meta(description="So many turns in a row without a capture are a draw.", extra={"clause": "FBQ-15"}),
    ] = 100


PRESETS: dict[str, dict[str, Any]] = {}


def check(options: Options, board: Board) -> None:
    """Refuse what types cannot say. Errors: OptionError (a layout that cannot be set up)."""
    board.opening(options.setup, options.layout)
