"""Games whose answers are known before they are played: for tests of the lab."""

from pathlib import Path

from bridgehead.core.spec import Spec

SPEC = Spec(
    id="known",
    title="Known",
    version="1",
    seats=(2, 3, 5),
    players="2, 3 or 5 players",
    line="Its end is known.",
    package=__name__,
    folder=Path(__file__).parent,
)
