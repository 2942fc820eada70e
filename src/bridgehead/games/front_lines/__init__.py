"""The Front Lines: its board, its law, its words and its picture."""

from pathlib import Path

from bridgehead.core.spec import Spec

SPEC = Spec(
    id="front_lines",
    title="The Front Lines",
    version="1",
    seats=(2, 4),
    package=__name__,
    folder=Path(__file__).parent,
    livery="a",
    rank=3,
)
