"""40 Bridges: its board, its law, its words and its picture."""

from pathlib import Path

from bridgehead.core.spec import Spec

SPEC = Spec(
    id="forty_bridges",
    title="40 Bridges",
    version="1",
    seats=(2, 2),
    players="2 players, no chance",
    line="Step and leap to the far corner. Three sides closed, and a piece is gone.",
    package=__name__,
    folder=Path(__file__).parent,
    livery="a",
    rank=2,
)
