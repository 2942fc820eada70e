"""`bridgehead book`: puts records and games between levels into a book, and shows what it knows of a position."""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bridgehead.core import link, study
from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.game import Game, Position
from bridgehead.players import book
from bridgehead.players.levels import NAMES
from bridgehead.terminal.shows import read_record
from bridgehead.terminal.words import t

Write = Callable[[list[book.Statement]], None]


def add_records(write: Write, game: Game, files: Sequence[str]) -> int:
    """Put finished games of records into a book; returns their number. A seat named like a level was played by it.

    Errors: RecordError, and OptionError for another game, with the file; what stood before it is in the book.
    """
    for name in files:
        try:
            match, names = link.read(read_record(name))
            if match.game.spec.id != game.spec.id:
                raise BridgeheadError("terminal:error.book_game", game=match.game.spec.id, wanted=game.spec.id)
            players = [each.lower() if each.lower() in NAMES else book.PERSON for each in names]
            kept = link.pack(match, names)
            write(book.statements(match, f"record:{kept[-40:]}", players, True, time.time(), kept))
        except BridgeheadError as error:
            raise OptionError(error.whole, name) from None
    return len(files)


def play_into_book(write: Write, game: Game, levels: str, count: int, seed: int, language: str) -> None:
    """Put games between levels into a book, each as it ends. levels: separated by commas. Errors: OptionError."""
    names = [each.strip() for each in levels.split(",") if each.strip()]
    for unknown in (each for each in names if each not in NAMES):
        raise OptionError("terminal:error.book_level", "--levels", level=repr(unknown), levels=", ".join(NAMES))
    for number, made in enumerate(itertools.islice(book.play_games(game, names, str(seed), time.time()), count), start=1):
        write(made)
        print(t("book.played", language, n=number, of=count), end="\r", file=sys.stderr)
    print(file=sys.stderr)


def find_position(game: Game, at: str) -> Position:
    """The position of a text, or the place of a record as FILE@PLACE; "" for the first one. Errors: BridgeheadError."""
    if not at:
        return game.start()
    file, sign, path = at.rpartition("@")
    if sign and (f"#{link.MARK}" in file or Path(file).is_file()):
        match, _ = link.read(read_record(file))
        return study.position_at(match, study.read_path(path))
    return game.load(at)


def show_book(read: book.Read, position: Position, players: str, language: str, as_json: bool) -> None:
    """What a book knows of a position. players: as `book.stronger` takes it. Errors: OptionError."""
    if players not in ("", *book.PLAYERS):
        raise OptionError("terminal:error.book_level", "--players", level=repr(players), levels=", ".join(book.PLAYERS))
    if position.actor < 0:
        raise BridgeheadError("terminal:error.book_nobody")
    found = book.page(read, position, book.stronger(players), everything=True)
    if as_json:
        rows = [{"name": position.name(each.action), **each._asdict()} for each in found.tried]
        print(
            json.dumps(
                {"position": position.text, "games": found.total, "tried": rows, "found": [g._asdict() for g in found.games]}
            )
        )
        return
    print(t("book.count", language, n=found.total))
    for each in found.tried:
        share, won, drawn = (round(100 * part / whole) for part, whole in _parts(each, found))
        name, best = position.name(each.action), each.best or book.PERSON
        print("  " + t("book.row", language, name=name, n=each.times, share=share, won=won, drawn=drawn, best=best))
    for game in found.games:
        print("  " + t("book.game", language, id=game.link or game.id, at=game.at, players=", ".join(game.players)))


def _parts(tried: book.Tried, found: book.PositionInBook) -> tuple[tuple[int, int], ...]:
    every = sum(each.times for each in found.tried)
    return (tried.times, every), (tried.won, tried.times), (tried.drawn, tried.times)
