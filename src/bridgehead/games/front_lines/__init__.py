"""The Front Lines: its board, its law, its words and its picture."""

from pathlib import Path

from bridgehead.core.spec import Spec

FOLDER = Path(__file__).parent
SPEC = Spec("front_lines", "The Front Lines", version="1", seats=(2, 4), package=__name__, folder=FOLDER, livery="a", rank=3)
