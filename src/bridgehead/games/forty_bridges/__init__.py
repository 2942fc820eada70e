"""40 Bridges: its board, its law, its words and its picture."""

from pathlib import Path

from bridgehead.core.spec import Spec

FOLDER = Path(__file__).parent
SPEC = Spec("forty_bridges", "40 Bridges", version="1", seats=(2, 2), package=__name__, folder=FOLDER, livery="a", rank=2)
