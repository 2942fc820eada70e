"""`bridgehead puzzles`: finds puzzles and adds them to a pool, which any later run continues; chooses among them."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import sys
from pathlib import Path

import msgspec

from bridgehead.core.errors import RecordError, convert_error
from bridgehead.core.game import Game
from bridgehead.core.jit import find_cache
from bridgehead.core.spec import Spec
from bridgehead.players import puzzles
from bridgehead.terminal.words import t
from bridgehead.workshop.puzzles import choosing, searching


def find_pool(spec: Spec, named: Path | None) -> Path:
    """The file of the puzzles that were found: the named one, else that of the game in the cache folder."""
    if named:
        return named
    file = find_cache() / "puzzles" / f"{spec.id}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def find_puzzles(game: Game, pool: Path, wanted: int, seed: int, missed_by: int, needs_line: bool, language: str) -> None:
    """Add puzzles to a pool until it holds as many as wanted. Errors: RecordError for a damaged file.

    Beside the pool a file counts the games that were searched, by house rules, seed and wish: another run goes on with the next.
    """
    found = puzzles.read(pool) if pool.exists() else []
    known = {each.position for each in (*found, *puzzles.puzzles(game.spec))}
    file, wish = pool.with_suffix(".games"), json.dumps([dict(game.differences), seed, missed_by, needs_line])
    first = _read_counts(file).get(wish, 0)
    print(t("puzzles.pool", language, file=pool), file=sys.stderr)
    with contextlib.suppress(KeyboardInterrupt), pool.open("a", encoding="utf-8") as out:
        if found and not pool.read_bytes().endswith(b"\n"):  # an editor may leave out the last one
            out.write("\n")
            out.flush()
        for number in itertools.count(first):
            if len(found) >= wanted:
                break
            for each in searching.search(game, f"{seed}:{number}", known, missed_by, needs_line):
                out.write(puzzles.format_puzzle(each) + "\n")
                out.flush()
                found.append(each)
                known.add(each.position)
                print(t("puzzles.found", language, n=len(found), of=wanted), end="\r", file=sys.stderr)
            _count_game(file, wish, number + 1)
    print(t("puzzles.stopped" if len(found) < wanted else "puzzles.written", language, n=len(found), file=pool))


def _read_counts(file: Path) -> dict[str, int]:
    """The searched games by wish. Errors: RecordError for a damaged file."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, int]) if file.exists() else {}
    except msgspec.DecodeError as error:
        raise RecordError(convert_error(error).whole, str(file)) from None


def _count_game(file: Path, wish: str, games: int) -> None:
    """Count a searched game; what another run has counted meanwhile stays, and no half of the file if this one is stopped."""
    counts = _read_counts(file)
    half = file.with_name(f"{file.name}.{os.getpid()}")
    half.write_text(json.dumps(counts | {wish: max(games, counts.get(wish, 0))}, indent=1), "utf-8")
    half.replace(file)


def choose_puzzles(spec: Spec, pool: Path, out: Path, language: str) -> None:
    """Write the puzzles that a game shall come with: of a pool, and of those that it comes with now. Errors: RecordError.

    Numbers of version 0.2.0 stay with the puzzles that the game comes with now.
    """
    shipped = {each.name: each for each in puzzles.puzzles(spec)}
    every = shipped | {each.name: each for each in puzzles.read(pool)}
    numbered = [
        msgspec.structs.replace(each, number=shipped[name].number if name in shipped else each.number)
        for name, each in every.items()
    ]
    tagged = [each if each.ideas else choosing.tag(spec, each) for each in numbered]
    chosen = choosing.choose(spec, tagged)
    lines = [puzzles.format_puzzle(each if each.rules else choosing.annotate(spec, each)) for each in chosen]
    out.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    print(t("puzzles.written", language, n=len(lines), file=out))
    print(t("puzzles.lined", language, n=sum(bool(each.line) for each in chosen)))
