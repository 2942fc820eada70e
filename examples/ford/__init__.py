"""Ford: a race with a die. An example of a game with chance and with pieces that move."""

from pathlib import Path

from bridgehead.core.spec import Spec

SPEC = Spec(id="ford", title="Ford", version="1", seats=(2, 2), package=__name__, folder=Path(__file__).parent)
