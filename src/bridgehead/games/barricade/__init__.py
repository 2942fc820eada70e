"""Barricade: its board, its law, its words and its picture."""

from pathlib import Path

from bridgehead.core.spec import Spec

SPEC = Spec(
    id="barricade",
    title="Barricade",
    version="1",
    seats=(2, 6),
    package=__name__,
    folder=Path(__file__).parent,
    livery="b",
    rank=4,
)
