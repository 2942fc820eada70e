"""House rules of The Front Lines and the presets. The first value listed is the standard."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from bridgehead.core.errors import OptionError
from bridgehead.core.options import House

Layout = tuple[tuple[str, ...], ...]

PRESETS: dict[str, dict[str, Any]] = {
    "fallen-soldiers": {"faceCards": "safeForAll"},
    "leap": {"flip": "destination"},
}


class Options(House, frozen=True):
    """House rules of The Front Lines."""

    seats: Annotated[int, Meta(ge=2, le=4, description="How many play; three only with allow3.", extra={"clause": "FL-R.1"})] = 4
    allow3: Annotated[
        bool,
        Meta(description="Three may play; the third has both black characters.", extra={"clause": "FLQ-4"}),
    ] = False
    draw_pack: Annotated[
        Literal["A-10", "facesRedraw", "J11Q12K13"],
        Meta(
            description="The second pack: without face cards, with those drawn again, or of 11 to 13 steps.",
            extra={"clause": "FLQ-2"},
        ),
    ] = "A-10"
    jokers_in_field: Annotated[
        Literal[0, 2],
        Meta(description="Jokers in the field; they are safe for everybody.", extra={"clause": "FLQ-3"}),
    ] = 0
    opposed_sides: Annotated[
        bool, Meta(description="Black starts at the far edge and crosses the other way.", extra={"clause": "FLQ-5"})
    ] = False
    directions: Annotated[
        Literal["F+diag+LR", "F+LR", "F", "king8"],
        Meta(
            description="Steps: F forward, diag aslant, LR to the sides, king8 to all eight neighbours.",
            extra={"clause": "FLQ-7"},
        ),
    ] = "F+diag+LR"
    flip: Annotated[
        Literal["step", "destination"],
        Meta(description="Cards are turned over at every step, or only where the walk ends.", extra={"clause": "FLQ-8"}),
    ] = "step"
    may_stop: Annotated[bool, Meta(description="A turn may be ended after at least one step.", extra={"clause": "FLQ-9"})] = False
    across: Annotated[
        Literal["stepOff", "reachRow12"],
        Meta(description="Across is a step beyond the last row, or standing alive on the last row.", extra={"clause": "FLQ-10"}),
    ] = "stepOff"
    face_cards: Annotated[
        Literal["sameColour", "safeForAll"],
        Meta(
            description="Face cards are safe for their own colour only, or for everybody.",
            extra={"clause": "FLQ-11"},
        ),
    ] = "sameColour"
    revive: Annotated[
        Literal["place", "start"],
        Meta(description="Back to life where it died, or at the start.", extra={"clause": "FLQ-14"}),
    ] = "place"
    alternate_teams: Annotated[
        bool, Meta(description="The teams take turns; draws of the other team are used up.", extra={"clause": "FLQ-16"})
    ] = False
    claim: Annotated[
        Literal["lastChance", "immediate"],
        Meta(
            description="One across, one dead: the other team has a last chance, or has lost at once.",
            extra={"clause": "FLQ-18"},
        ),
    ] = "lastChance"
    solo_needs_both: Annotated[
        bool,
        Meta(
            description="A team left alone without a death still needs both across.",
            extra={"clause": "FLQ-22"},
        ),
    ] = True
    lives: Annotated[int, Meta(ge=1, le=9, description="Lives of each character.", extra={"clause": "FLQ-32"})] = 2
    rows: Annotated[int, Meta(ge=1, le=12, description="Rows of four cards.", extra={"clause": "FLQ-28"})] = 12
    layout: Annotated[
        Layout | None,
        Meta(description="The field's cards, row 1 first; none: at random.", extra={"clause": "FLQ-17", "hidden": True}),
    ] = None


def sides(options: Options) -> tuple[int, ...]:
    """The side of each seat, 0 red and 1 black: seats of one colour win together (FL-R.3, FLQ-27)."""
    return {2: (0, 1), 3: (0, 0, 1), 4: (0, 0, 1, 1)}[options.seats]


def check(options: Options, board: Any) -> None:
    """Check house rules beyond their types. Errors: OptionError, naming the house rule."""
    if options.seats == 3 and not options.allow3:
        raise OptionError("2 or 4 players; three need the house rule allow3 (FLQ-4)", "seats")
