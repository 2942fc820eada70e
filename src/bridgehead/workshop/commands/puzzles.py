"""`bridgehead puzzles`: finds puzzles and adds them to a file, which can be continued at any time; chooses among them."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import msgspec

from bridgehead.core.game import Game
from bridgehead.core.spec import Spec
from bridgehead.players import puzzles
from bridgehead.terminal.words import t
from bridgehead.workshop.puzzles import choosing, searching


def find_puzzles(game: Game, file: Path, wanted: int, seed: int, missed_by: int, language: str) -> None:
    """Add puzzles to a file until it holds as many as wanted. Errors: RecordError for a damaged file."""
    known = puzzles.read(file) if file.exists() else []
    with file.open("a", encoding="utf-8") as out:
        try:
            found = searching.search(game, f"{seed}:{len(known)}", known, missed_by)
            for each in itertools.islice(found, max(0, wanted - len(known))):
                out.write(puzzles.format_puzzle(each) + "\n")
                out.flush()
                known.append(each)
                print(t("puzzles.found", language, n=len(known), of=wanted), end="\r", file=sys.stderr)
        except KeyboardInterrupt:
            print(t("puzzles.stopped", language), file=sys.stderr)
    print(t("puzzles.written", language, n=len(known), file=file))


def choose_puzzles(spec: Spec, pool: Path, out: Path, language: str) -> None:
    """Write the puzzles of a pool that a game shall come with. Errors: RecordError for a damaged file.

    Numbers of version 0.2.0 stay with the puzzles that the game comes with now.
    """
    numbers = {each.name: each.number for each in puzzles.puzzles(spec)}
    numbered = (msgspec.structs.replace(each, number=numbers.get(each.name, each.number)) for each in puzzles.read(pool))
    tagged = [each if each.ideas else choosing.tag(spec, each) for each in numbered]
    chosen = choosing.choose(spec, tagged)
    lines = [puzzles.format_puzzle(each if each.rules else choosing.annotate(spec, each)) for each in chosen]
    out.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    print(t("puzzles.written", language, n=len(lines), file=out))
