"""`bridgehead puzzles`: finds puzzles and adds them to a file, which can be continued at any time."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

from bridgehead.core.game import Game
from bridgehead.players import puzzles
from bridgehead.terminal.words import t
from bridgehead.workshop.puzzles import searching


def find_puzzles(game: Game, file: Path, wanted: int, seed: int, language: str) -> None:
    """Add puzzles to a file until it holds as many as wanted. Errors: RecordError for a damaged file."""
    known = puzzles.read(file) if file.exists() else []
    with file.open("a", encoding="utf-8") as out:
        try:
            for each in itertools.islice(searching.search(game, f"{seed}:{len(known)}", known), max(0, wanted - len(known))):
                out.write(puzzles.format_puzzle(each) + "\n")
                out.flush()
                known.append(each)
                print(t("puzzles.found", language, n=len(known), of=wanted), end="\r", file=sys.stderr)
        except KeyboardInterrupt:
            print(t("puzzles.stopped", language), file=sys.stderr)
    print(t("puzzles.written", language, n=len(known), file=file))
