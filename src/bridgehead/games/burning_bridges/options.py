"""House rules of Burning Bridges: every `opt:` of the rulebook; the first value is the standard."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from bridgehead.core.errors import OptionError
from bridgehead.core.options import House
from bridgehead.games.burning_bridges.board import Board

EVEN_FAMILIES = {(2, 4): (0, 2), (3, 6): (0, 2, 4), (2, 6): (0, 3)}
IDLE_WORDS = 60  # a record's room for idle turns: one word for 64 bridges and each binary digit of the idle limit
PRESETS: dict[str, dict[str, Any]] = {}


def about(clause: str, least: int | None = None, most: int | None = None) -> Meta:
    """The clause that a house rule belongs to, and the bounds of a number."""
    return Meta(extra={"clause": clause}, ge=least, le=most)


class Options(House, frozen=True, kw_only=True):
    """The house rules; names and values as on the notation page."""

    seats: Annotated[int, about("BBQ-1", 2, 5)] = 5
    board: Annotated[Literal["auto", "star3", "star4", "star5", "star6"] | dict[str, Any], about("BB-S.2")] = "auto"
    families: Annotated[str | None, about("BBQ-34")] = None
    first_player: Annotated[Literal["random", "seat0"], about("BBQ-1")] = "random"
    parallel_bridges: Annotated[bool, about("BBQ-7")] = True
    max_bridges_per_family: Annotated[Annotated[int, Meta(ge=1, le=192)] | None, about("BBQ-8")] = None
    torch_own: Annotated[bool, about("BBQ-10")] = False
    pins: Annotated[Literal["shared50", "10each"], about("BBQ-11")] = "shared50"
    owner_extinguish: Annotated[bool, about("BBQ-12")] = False
    equal_blocks: Annotated[bool, about("BBQ-14")] = False
    capture_mandatory: Annotated[bool, about("BBQ-15")] = False
    situation_scope: Annotated[Literal["player", "piece"], about("BBQ-20")] = "player"
    untorch_choice: Annotated[Literal["captor", "hostage"], about("BBQ-25")] = "captor"
    none_cost: Annotated[Literal[0, 1], about("BBQ-27")] = 0
    immunity_turns: Annotated[int, about("BBQ-28", 0, 9)] = 2
    idle_count: Annotated[Literal["owner", "round", "table"], about("BBQ-31")] = "owner"
    idle_limit: Annotated[int, about("BBQ-31", 1, 99)] = 6
    destroy_cost: Annotated[Literal["ride", "always1"], about("BBQ-32")] = "ride"
    distinct_goals: Annotated[bool, about("BBQ-35")] = False
    round_limit: Annotated[Annotated[int, Meta(ge=1, le=100_000)] | None, about("BBQ-38")] = None
    capture_on_leaving: Annotated[bool, about("BBQ-41")] = False


def seated_families(options: Options, board: Board) -> tuple[int, ...]:
    """For each seat, the index of the board's family it plays (BBQ-34). Errors: OptionError."""
    number = len(board.families)
    if options.seats > number:
        raise OptionError(f"{board.name} has {number} families, too few for {options.seats} seats", "board")
    if options.families is None:
        return EVEN_FAMILIES.get((options.seats, number), tuple(range(options.seats)))
    parts = options.families.split(",")
    if not all(part.isascii() and part.isdigit() and int(part) < number for part in parts):
        raise OptionError(f"expected numbers from 0 to {number - 1} with commas, got {options.families!r}", "families")
    families = tuple(int(part) for part in parts)
    if len(set(families)) != len(families):
        raise OptionError(f"a family is named twice in {options.families!r}", "families")
    if len(families) != options.seats:
        raise OptionError(f"{len(families)} families for {options.seats} seats", "families")
    return families


def check(options: Options, board: Board) -> None:
    """What the types of the options cannot say. Errors: OptionError."""
    lines = len(board.lines)
    most = (1 << IDLE_WORDS // -(-lines * options.seats // 64)) - 1
    if options.idle_limit > most:
        raise OptionError(f"at most {most} with {options.seats} seats on a board of {lines} lines", "idleLimit")
    for family in seated_families(options, board):
        if options.distinct_goals and len(board.families[family].goals) < 3:
            raise OptionError(f"family {family} of {board.name} has fewer than three goals", "distinctGoals")
