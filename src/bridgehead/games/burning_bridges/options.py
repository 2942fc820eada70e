"""House rules of Burning Bridges. The first value listed is the standard."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from bridgehead.core.errors import OptionError, refusing
from bridgehead.core.options import House
from bridgehead.games.burning_bridges.board import Board, find_exchange

refuse = refusing("burning_bridges", OptionError)

PRESETS: dict[str, dict[str, Any]] = {
    "recommended": {"maxBridgesPerFamily": 2},  # fair by order of play for five alone: docs/reports/tune-burning_bridges-five.md
}
EVEN_FAMILIES = {(2, 4): (0, 2), (3, 6): (0, 2, 4), (2, 6): (0, 3)}
IDLE_WORDS = 60  # space of a record for idle turns: one word per 64 bridges and binary digit of the idle limit


def bind_clause(clause: str, least: int | None = None, most: int | None = None, **extra: str) -> Meta:
    """A house rule's clause and the bounds of a number."""
    return Meta(extra={"clause": clause, **extra}, ge=least, le=most)


class Options(House, frozen=True, kw_only=True):
    """House rules of Burning Bridges; the defaults are the standard game."""

    seats: Annotated[int, bind_clause("BBQ-1", 2, 5)] = 5
    board: Annotated[Literal["auto", "star3", "star4", "star5", "star6"] | dict[str, Any], bind_clause("BB-S.2", board="own")] = (
        "auto"
    )
    families: Annotated[str | None, bind_clause("BBQ-34")] = None
    first_player: Annotated[Literal["random", "seat0"], bind_clause("BBQ-1")] = "random"
    last_moves: Annotated[int, bind_clause("BBQ-50", 0, 4)] = 0
    pie: Annotated[bool, bind_clause("BBQ-52")] = False
    bid: Annotated[bool, bind_clause("BBQ-53")] = False
    parallel_bridges: Annotated[bool, bind_clause("BBQ-7")] = True
    max_bridges_per_family: Annotated[Annotated[int, Meta(ge=1, le=192)] | None, bind_clause("BBQ-8")] = None
    torch_own: Annotated[bool, bind_clause("BBQ-10")] = False
    pins: Annotated[Literal["shared50", "10each"], bind_clause("BBQ-11")] = "shared50"
    owner_extinguish: Annotated[bool, bind_clause("BBQ-12")] = False
    equal_blocks: Annotated[bool, bind_clause("BBQ-14")] = False
    capture_mandatory: Annotated[bool, bind_clause("BBQ-15")] = False
    situation_scope: Annotated[Literal["player", "piece"], bind_clause("BBQ-20")] = "player"
    untorch_choice: Annotated[Literal["captor", "hostage"], bind_clause("BBQ-25")] = "captor"
    none_cost: Annotated[Literal[0, 1], bind_clause("BBQ-27")] = 0
    immunity_turns: Annotated[int, bind_clause("BBQ-28", 0, 9)] = 2
    idle_count: Annotated[Literal["owner", "round", "table"], bind_clause("BBQ-31")] = "owner"
    idle_limit: Annotated[int, bind_clause("BBQ-31", 1, 99)] = 6
    destroy_cost: Annotated[Literal["ride", "always1"], bind_clause("BBQ-32")] = "ride"
    distinct_goals: Annotated[bool, bind_clause("BBQ-35")] = False
    round_limit: Annotated[Annotated[int, Meta(ge=1, le=100_000)] | None, bind_clause("BBQ-38")] = None
    capture_on_leaving: Annotated[bool, bind_clause("BBQ-41")] = False


def seated_families(options: Options, board: Board) -> tuple[int, ...]:
    """For each seat, the index of the board's family it plays (BBQ-34). Errors: OptionError."""
    number = len(board.families)
    refuse(options.seats > number, "families_too_few_seats", "board", name=board.name, number=number, seats=options.seats)
    if options.families is None:
        return EVEN_FAMILIES.get((options.seats, number), tuple(range(options.seats)))
    parts = options.families.split(",")
    bad = not all(part.isascii() and part.isdigit() and int(part) < number for part in parts)
    refuse(bad, "numbers_from_0_commas_got", "families", number=number - 1, families=repr(options.families))
    families = tuple(int(part) for part in parts)
    refuse(len(set(families)) != len(families), "family_named_twice", "families", families=repr(options.families))
    refuse(len(families) != options.seats, "families_seats", "families", count=len(families), seats=options.seats)
    return families


def check(options: Options, board: Board) -> None:
    """Check house rules beyond their types. Errors: OptionError."""
    lines = len(board.lines)
    most = (1 << IDLE_WORDS // -(-lines * options.seats // 64)) - 1
    refuse(options.idle_limit > most, "most_seats_board_lines", "idleLimit", most=most, seats=options.seats, lines=lines)
    families = seated_families(options, board)
    refuse(options.pie and not find_exchange(board, families), "no_exchange", "pie", name=board.name)
    refuse(options.bid and options.seats != 2, "bid_two_families", "bid")
    refuse(options.bid and options.pie, "bid_or_pie", "bid")
    refuse(options.bid and options.last_moves != 0, "bid_or_last_moves", "bid")
    for family in families:
        bad = options.distinct_goals and len(board.families[family].goals) < 3
        refuse(bad, "family_fewer_than_three_goals", "distinctGoals", family=family, name=board.name)
