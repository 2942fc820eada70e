"""Barricade: its board, its law, its words and its picture."""

from pathlib import Path

from bridgehead.core.spec import Spec

FOLDER = Path(__file__).parent
SPEC = Spec("barricade", "Barricade", version="1", seats=(2, 6), package=__name__, folder=FOLDER, livery="b", rank=4)
