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


def about(description: str, clause: str, least: int | None = None, most: int | None = None) -> Meta:
    """What a house rule does, the clause it belongs to, and the bounds of a number."""
    return Meta(description=description, extra={"clause": clause}, ge=least, le=most)


class Options(House, frozen=True, kw_only=True):
    """The house rules; names and values as on the notation page."""

    seats: Annotated[int, about("How many families play.", "BBQ-1", 2, 5)] = 5
    board: Annotated[
        Literal["auto", "star3", "star4", "star5", "star6"] | dict[str, Any],
        about(
            "The board; auto takes the one made for the number of seats. A board of your own is written like the shipped files.",
            "BB-S.2",
        ),
    ] = "auto"
    families: Annotated[
        str | None, about("Which families of the board the seats play, like 0,2; none spreads them evenly.", "BBQ-34")
    ] = None
    first_player: Annotated[Literal["random", "seat0"], about("Draw who goes first, or let the first seat begin.", "BBQ-1")] = (
        "random"
    )
    parallel_bridges: Annotated[bool, about("Bridges of different colours may lie side by side on one line.", "BBQ-7")] = True
    max_bridges_per_family: Annotated[
        Annotated[int, Meta(ge=1, le=192)] | None, about("Most bridges a family may have at once.", "BBQ-8")
    ] = None
    torch_own: Annotated[bool, about("A family may torch its own bridges too.", "BBQ-10")] = False
    pins: Annotated[Literal["shared50", "10each"], about("One supply of 50 torches, or 10 for each family.", "BBQ-11")] = (
        "shared50"
    )
    owner_extinguish: Annotated[
        bool, about("A parent at the end of its own burning bridge may put the torch out, for one move.", "BBQ-12")
    ] = False
    equal_blocks: Annotated[bool, about("A free opposing piece of the same size keeps a piece off its pillar.", "BBQ-14")] = False
    capture_mandatory: Annotated[bool, about("A landing that can take a hostage must take one.", "BBQ-15")] = False
    situation_scope: Annotated[
        Literal["player", "piece"],
        about("Who cannot take during a hostage situation: the whole family, or only the piece.", "BBQ-20"),
    ] = "player"
    untorch_choice: Annotated[
        Literal["captor", "hostage"], about("Who picks the torch that the terms ask to remove.", "BBQ-25")
    ] = "captor"
    none_cost: Annotated[Literal[0, 1], about("Moves that the term None costs the hostage's family.", "BBQ-27")] = 0
    immunity_turns: Annotated[int, about("Turns of the captor for which a released piece is safe from it.", "BBQ-28", 0, 9)] = 2
    idle_count: Annotated[
        Literal["owner", "round", "table"],
        about("Whose turns age an unused bridge: its owner's, whole rounds, or everybody's.", "BBQ-31"),
    ] = "owner"
    idle_limit: Annotated[int, about("Turns a bridge may stay unused; after one more it collapses.", "BBQ-31", 1, 99)] = 6
    destroy_cost: Annotated[
        Literal["ride", "always1"],
        about("A child that arrives destroys a burning bridge within that move, or always for a move of its own.", "BBQ-32"),
    ] = "ride"
    distinct_goals: Annotated[bool, about("The three pieces must stand on three different goals.", "BBQ-35")] = False
    round_limit: Annotated[
        Annotated[int, Meta(ge=1, le=100_000)] | None, about("Rounds after which the child nearest to its goals wins.", "BBQ-38")
    ] = None
    capture_on_leaving: Annotated[
        bool, about("A captor that walks off its hostages may take others with that same move.", "BBQ-41")
    ] = False


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
