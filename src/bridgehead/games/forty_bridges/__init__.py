"""40 Bridges: its board, its law, its words and its picture."""

from pathlib import Path

from bridgehead.core.spec import Spec

SPEC = Spec(
    id="forty_bridges",
    title="40 Bridges",
    version="1",
    seats=(2, 2),
    package=__name__,
    folder=Path(__file__).parent,
    livery="a",
    rank=2,
)
