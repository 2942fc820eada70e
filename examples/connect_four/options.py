"""House rules of Connect Four."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from bridgehead.core.options import House


class Options(House, frozen=True):
    """House rules of Connect Four: none but the number of seats."""

    seats: Annotated[Literal[2], Meta(description="Two players.", extra={"clause": "C4-1"})] = 2


PRESETS: dict[str, dict[str, Any]] = {}


def check(options: Options, board: Any) -> None:
    """Every value that types allow is sound."""
