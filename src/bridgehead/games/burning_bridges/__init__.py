"""Burning Bridges: its board, its law, its words and its picture."""

from pathlib import Path

from bridgehead.core.spec import Spec

SPEC = Spec(
    id="burning_bridges",
    title="Burning Bridges",
    version="1",
    seats=(2, 5),
    package=__name__,
    folder=Path(__file__).parent,
    livery="a",
    rank=1,
)
