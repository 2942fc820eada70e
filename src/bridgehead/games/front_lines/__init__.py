"""The Front Lines: its board, its law, its words and its picture."""

from pathlib import Path

from bridgehead.core.spec import Spec

SPEC = Spec(
    id="front_lines",
    title="The Front Lines",
    version="1",
    seats=(2, 4),
    players="2 or 4 players, cards",
    line="Cross twelve rows of face-down cards. The wrong colour is a mine.",
    package=__name__,
    folder=Path(__file__).parent,
    livery="a",
    rank=3,
)
