"""Compares the site's Python with compiled rules in bulk, in pieces: a run that was ended goes on with the next piece.

`PYTHONPATH=tests python tests/site/in_bulk.py answer FOLDER WHAT GAME [PROCESSES [SECONDS]]` keeps what compiled rules answer,
in a file a piece. It needs no Node, so another machine can do it. `... compare FOLDER WHAT GAME` asks the site's Python the
same, and keeps in FOLDER/equal.txt a line for each piece that was equal, with what it counted. The first difference ends it.
WHAT: positions, advice or replays. BRIDGEHEAD_SITE: a written site, whose modules are used; advice under house rules needs it.
"""

import json
import lzma
import multiprocessing
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import level_games
from spoken import answers

import variants

GAMES = {"positions": 20, "advice": 5, "replays": 10}  # of a piece
PIECES = {"positions": 10, "advice": 8}  # of replays: as many as there are games of the levels
TOGETHER = {"positions": 1, "advice": 1, "replays": 20}  # pieces for one start of Node
SEATS = re.compile(r"^seats: (.*)$", re.MULTILINE)


class Piece(NamedTuple):
    """Calls of spoken.py, and what compiled rules answer."""

    number: int
    asked: list[Any]
    answers: list[Any]


def calls(what: str, name: str, number: int) -> list[Any]:
    """The calls of a piece. Two thirds of the games have mixed house rules, but for those of the levels."""
    part = slice(number * GAMES[what], (number + 1) * GAMES[what])
    if what == "replays":
        return [["replayed", level_games.play(name, each)] for each in level_games.wanted(name)[part]]
    return [["advised" if what == "advice" else what, name, rules(name, seed), seed] for seed in range(part.start, part.stop)]


def rules(name: str, seed: int) -> str:
    return json.dumps(variants.mixture(name, random.Random(f"bulk {seed}")) if seed % 3 else {})


def file_of(folder: Path, what: str, name: str, number: int) -> Path:
    """Where a piece is kept."""
    return folder / f"{what}-{name}-{number}.xz"


def read(folder: Path, what: str, name: str) -> Iterator[Piece]:
    """The pieces that are kept."""
    for number in range(pieces(what, name)):
        if (file := file_of(folder, what, name, number)).exists():
            yield Piece(number, *json.loads(lzma.decompress(file.read_bytes())))


def pieces(what: str, name: str) -> int:
    """How many pieces there are in all."""
    return -(-len(level_games.wanted(name)) // GAMES[what]) if what == "replays" else PIECES[what]


def answered(given: tuple[Path, str, str, int]) -> None:
    """Keep what compiled rules answer."""
    file, asked = file_of(*given), calls(*given[1:])
    whole = file.with_suffix(".part")
    whole.write_bytes(lzma.compress(json.dumps([asked, answers(asked)]).encode()))
    whole.rename(file)  # a file that is there is whole


def answer(folder: Path, what: str, name: str, processes: int = 1, seconds: float = 1e9) -> None:
    end = time.monotonic() + seconds
    left = [(folder, what, name, each) for each in range(pieces(what, name)) if not file_of(folder, what, name, each).exists()]
    if what == "replays":
        level_games.play(name, level_games.wanted(name)[-1])  # compiles for the processes below
    elif left:
        answered(left.pop(0))
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        found = pool.imap_unordered(answered, left)
        for _ in left:
            try:
                found.next(end - time.monotonic())
            except multiprocessing.TimeoutError:
                return


def compare(folder: Path, what: str, name: str) -> None:
    from both_sides import in_pyodide  # it needs Node

    equal = folder / "equal.txt"
    done = {line.rsplit(" ", 1)[0] for line in equal.read_text().splitlines()} if equal.exists() else set[str]()
    left = [each for each in read(folder, what, name) if f"{what} {name} {each.number}" not in done]
    for at in range(0, len(left), TOGETHER[what]):
        some = left[at : at + TOGETHER[what]]
        there = iter(in_pyodide([call for each in some for call in each.asked], name, what == "advice"))
        for each in some:
            for call, mine, other in zip(each.asked, each.answers, there, strict=False):
                assert mine == other, call
            with equal.open("a") as out:
                out.write(f"{what} {name} {each.number} {sum(map(size, each.answers))}\n")
    print(what, name, counts(folder, what, name))


def size(found: Any) -> int:
    """How many things an answer is about."""
    return len(found) if isinstance(found, list) else 1


def counts(folder: Path, what: str, name: str) -> Counter[str]:
    """What was equal: games or positions in all, and games of each level."""
    equal = {line.rsplit(" ", 1)[0] for line in (folder / "equal.txt").read_text().splitlines()}
    found: Counter[str] = Counter()
    for each in read(folder, what, name):
        if f"{what} {name} {each.number}" in equal:
            found["all"] += sum(map(size, each.answers))
            texts = [call[1] for call in each.asked] if what == "replays" else []
            found.update(level for text in texts for level in json.loads(SEATS.findall(text)[0]))
    return found


if __name__ == "__main__":
    _, task, folder, *given = sys.argv
    {"answer": answer, "compare": compare}[task](Path(folder), *given[:2], *map(int, given[2:]))  # type: ignore[operator]
