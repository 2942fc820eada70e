"""Which of the games with known answers it is."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from bridgehead.core.options import House

KINDS = ("coin", "first", "comeback", "skill", "both", "begins", "die", "paint", "kings", "long", "strike")


class Options(House, frozen=True):
    """kind: what decides; edge: chances in a hundred of seat 0 where a coin decides; plies: length."""

    seats: Annotated[Literal[2, 3, 5], Meta(description="Seats.", extra={"clause": "K-1"})] = 2
    kind: Annotated[
        Literal["coin", "first", "comeback", "skill", "both", "begins", "die", "paint", "kings", "long", "strike"],
        Meta(description="What decides.", extra={"clause": "K-2"}),
    ] = "coin"
    edge: Annotated[int, Meta(ge=0, le=100, description="Seat 0's chances in a hundred.", extra={"clause": "K-3"})] = 50
    plies: Annotated[int, Meta(ge=2, le=100, description="Plies.", extra={"clause": "K-4"})] = 20


PRESETS: dict[str, dict[str, Any]] = {}


def check(options: Options, board: Any) -> None:
    """Every value that types allow is sound."""
