"""House rules and presets of The Front Lines. The first value listed is the standard."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from bridgehead.core.errors import OptionError, refusing
from bridgehead.core.options import House

refuse = refusing("front_lines", OptionError)

Layout = tuple[tuple[str, ...], ...]

PRESETS: dict[str, dict[str, Any]] = {
    "recommended": {"lives": 6},  # the fewest with which even rangers, who err, nearly always have a winner: measured.json
    "fallen-soldiers": {"faceCards": "safeForAll"},
    "leap": {"flip": "destination"},
}


class Options(House, frozen=True):
    """House rules of The Front Lines."""

    seats: Annotated[int, Meta(ge=2, le=4, extra={"clause": "FL-R.1"})] = 4
    allow3: Annotated[bool, Meta(extra={"clause": "FLQ-4"})] = False
    draw_pack: Annotated[Literal["A-10", "facesRedraw", "J11Q12K13"], Meta(extra={"clause": "FLQ-2"})] = "A-10"
    jokers_in_field: Annotated[Literal[0, 2], Meta(extra={"clause": "FLQ-3", "board": "setup"})] = 0
    opposed_sides: Annotated[bool, Meta(extra={"clause": "FLQ-5"})] = False
    directions: Annotated[Literal["F+diag+LR", "F+LR", "F", "king8"], Meta(extra={"clause": "FLQ-7"})] = "F+diag+LR"
    flip: Annotated[Literal["step", "destination"], Meta(extra={"clause": "FLQ-8"})] = "step"
    may_stop: Annotated[bool, Meta(extra={"clause": "FLQ-9"})] = False
    across: Annotated[Literal["stepOff", "reachRow12"], Meta(extra={"clause": "FLQ-10"})] = "stepOff"
    face_cards: Annotated[Literal["sameColour", "safeForAll"], Meta(extra={"clause": "FLQ-11"})] = "sameColour"
    revive: Annotated[Literal["place", "start"], Meta(extra={"clause": "FLQ-14"})] = "place"
    alternate_teams: Annotated[bool, Meta(extra={"clause": "FLQ-16"})] = False
    claim: Annotated[Literal["lastChance", "immediate"], Meta(extra={"clause": "FLQ-18"})] = "lastChance"
    solo_needs_both: Annotated[bool, Meta(extra={"clause": "FLQ-22"})] = True
    lives: Annotated[int, Meta(ge=1, le=9, extra={"clause": "FLQ-32"})] = 2
    rows: Annotated[int, Meta(ge=1, le=12, extra={"clause": "FLQ-28", "board": "setup"})] = 12
    layout: Annotated[Layout | dict[str, Any] | None, Meta(extra={"clause": "FLQ-17", "board": "own", "hidden": True})] = None


def sides(options: Options) -> tuple[int, ...]:
    """The side of each seat, 0 red and 1 black: seats of one colour win together (FL-R.3, FLQ-27)."""
    return {2: (0, 1), 3: (0, 0, 1), 4: (0, 0, 1, 1)}[options.seats]


def check(options: Options, board: Any) -> None:
    """Check house rules beyond their types. Errors: OptionError, naming the house rule."""
    refuse(options.seats == 3 and not options.allow3, "2_4_players_three_need", "seats")
