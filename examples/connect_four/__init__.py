"""Connect Four, written with the same kit as Bridgehead's own games: an example of a game in a package of its own."""

from pathlib import Path

from bridgehead.core.spec import Spec

SPEC = Spec(
    id="connect_four",
    title="Connect Four",
    version="1",
    seats=(2, 2),
    package=__name__,
    folder=Path(__file__).parent,
    livery="c",
)
