"""Compares the site's Python with compiled rules in bulk, in pieces: a run that was ended goes on with the next piece.

`PYTHONPATH=tests python tests/site/in_bulk.py answer FOLDER WHAT GAME [PROCESSES [SECONDS]]` keeps what compiled rules answer,
in a file a piece. It needs no Node, so another machine can do it. `... compare FOLDER WHAT GAME` asks the site's Python the
same, and keeps in FOLDER/equal.txt a line for each piece that was equal, with what it counted. The first difference ends it.
WHAT: positions, hints (with little effort), full_hints (with the effort of a table), studies (analyses) or replays.
BRIDGEHEAD_SITE: a written site, whose modules are used; hints and studies under house rules need it.
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
from bridgehead.players.advice import EFFORT

EQUAL = "equal.txt"
SEATS = re.compile(r"^seats: (.*)$", re.MULTILINE)


class Kind(NamedTuple):
    """What is compared. call: a function of spoken.py, with what comes after game, house rules and seed."""

    call: tuple[Any, ...]
    games: int  # of a piece
    together: int  # pieces for one start of Node
    enough: int  # positions


KINDS = {
    "positions": Kind(("positions",), games=20, together=2, enough=10_000),
    "hints": Kind(("hinted", 60, 1), games=5, together=10, enough=10_000),
    "full_hints": Kind(("hinted", EFFORT, 12), games=2, together=5, enough=100),
    "studies": Kind(("studied", 12), games=5, together=20, enough=10_000),
    "replays": Kind(("replayed",), games=10, together=20, enough=0),
}


class Piece(NamedTuple):
    """Calls of spoken.py, and what compiled rules answer."""

    number: int
    asked: list[Any]
    answers: list[Any]


def calls(what: str, name: str, number: int) -> list[Any]:
    """The calls of a piece. Two thirds of the games have mixed house rules, but for those of the levels."""
    (function, *more), games = KINDS[what].call, KINDS[what].games
    part = slice(number * games, (number + 1) * games)
    if what == "replays":
        return [[function, level_games.play(name, each)] for each in level_games.wanted(name)[part]]
    return [[function, name, rules(name, seed), seed, *more] for seed in range(part.start, part.stop)]


def rules(name: str, seed: int) -> str:
    return json.dumps(variants.mixture(name, random.Random(f"bulk {seed}")) if seed % 3 else {})


def file_of(folder: Path, what: str, name: str, number: int) -> Path:
    """Where a piece is kept."""
    return folder / f"{what}-{name}-{number}.xz"


def kept(folder: Path, what: str, name: str) -> list[int]:
    """The numbers of the pieces that are kept."""
    return sorted(int(each.stem.rpartition("-")[2]) for each in folder.glob(f"{what}-{name}-*.xz"))


def read(folder: Path, what: str, name: str) -> Iterator[Piece]:
    """The pieces that are kept."""
    for number in kept(folder, what, name):
        yield Piece(number, *json.loads(lzma.decompress(file_of(folder, what, name, number).read_bytes())))


def missing(folder: Path, what: str, name: str, most: int) -> list[int]:
    """The next pieces to answer, at most so many."""
    there = kept(folder, what, name)
    if what == "replays":
        last = -(-len(level_games.wanted(name)) // KINDS[what].games)
    elif sum(size(found) for each in read(folder, what, name) for found in each.answers) < KINDS[what].enough:
        last = len(there) + most
    else:
        last = 0
    return [number for number in range(last) if number not in there][:most]


def answered(given: tuple[Path, str, str, int]) -> None:
    """Keep what compiled rules answer."""
    file, asked = file_of(*given), calls(*given[1:])
    whole = file.with_suffix(".part")
    whole.write_bytes(lzma.compress(json.dumps([asked, answers(asked)]).encode()))
    whole.rename(file)  # a file that is there is whole


def answer(folder: Path, what: str, name: str, processes: int = 1, seconds: float = 1e9) -> None:
    """Answer the pieces that are missing; none is begun after so many seconds."""
    end = time.monotonic() + seconds
    for number in missing(folder, what, name, 1):
        answered((folder, what, name, number))  # compiles for the processes below
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        while time.monotonic() < end and (some := missing(folder, what, name, processes)):
            pool.map(answered, [(folder, what, name, number) for number in some])


def compare(folder: Path, what: str, name: str) -> None:
    from both_sides import in_pyodide  # it needs Node

    done = equal(folder)
    left = [each for each in read(folder, what, name) if f"{what} {name} {each.number}" not in done]
    for at in range(0, len(left), KINDS[what].together):
        some = left[at : at + KINDS[what].together]
        searching = what not in ("positions", "replays")
        there = iter(in_pyodide([call for each in some for call in each.asked], name, searching))
        for each in some:
            for call, mine, other in zip(each.asked, each.answers, there, strict=False):
                assert mine == other, call
            with (folder / EQUAL).open("a") as out:
                out.write(f"{what} {name} {each.number} {sum(map(size, each.answers))}\n")
    print(what, name, counts(folder, what, name))


def equal(folder: Path) -> set[str]:
    """The pieces that were equal."""
    return {line.rsplit(" ", 1)[0] for line in (folder / EQUAL).read_text().splitlines()} if (folder / EQUAL).exists() else set()


def size(found: Any) -> int:
    """How many things an answer is about."""
    return len(found) if isinstance(found, list) else 1


def counts(folder: Path, what: str, name: str) -> Counter[str]:
    """What was equal: games or positions in all, and games of each level."""
    done, found = equal(folder), Counter[str]()
    for each in read(folder, what, name):
        if f"{what} {name} {each.number}" in done:
            found.update(games=len(each.asked), all=sum(map(size, each.answers)))
            texts = [call[1] for call in each.asked] if what == "replays" else []
            found.update(level for text in texts for level in json.loads(SEATS.findall(text)[0]))
    return found


if __name__ == "__main__":
    _, task, folder, *given = sys.argv
    {"answer": answer, "compare": compare}[task](Path(folder), *given[:2], *map(int, given[2:]))  # type: ignore[operator]
