"""What a proof counted is written into its report; `tools/proof.py` adds it up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Counted = Callable[[str, int, str], None]


@pytest.fixture
def counted(record_property: Callable[[str, object], None]) -> Counted:
    """Tells the report the game, a number, and what it is a number of."""

    def tell(game: str, number: int, what: str) -> None:
        record_property("game", game)
        record_property("number", number)
        record_property("what", what)

    return tell
