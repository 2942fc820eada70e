"""Burning Bridges: its board, its law, its words and its picture."""

from pathlib import Path

from bridgehead.core.spec import Spec

FOLDER = Path(__file__).parent
SPEC = Spec("burning_bridges", "Burning Bridges", version="1", seats=(2, 5), package=__name__, folder=FOLDER, livery="a", rank=1)
