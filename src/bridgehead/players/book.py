"""The book of a game: what was played in a position, by whom, and how those games ended. Two tables of SQL hold it.

A position counts as the same whatever the number of turns and the history that led to it. The tables may stand in an SQLite
file of their own or among those of a host, so this module gives statements and asks queries, and opens no database.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from bridgehead.core import link
from bridgehead.core import options as house
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import RecordError
from bridgehead.core.game import Game, Position
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE
from bridgehead.players import player
from bridgehead.players.levels import NAMES

SCHEMA = (
    """create table if not exists book_game (
    id text primary key, players text not null, winners text not null, link text not null, listed integer not null,
    time {real} not null){strict}""",
    """create table if not exists book_move (
    place {blob} not null, game text not null, at integer not null, action integer not null, player text not null,
    score integer not null, primary key (place, game, at)){strict}""",
    "create index if not exists book_move_game on book_move (game)",
)
FORGET = ("delete from book_move where game = ?", "delete from book_game where id = ?")
MOVES = "select action, player, score, count(*) from book_move where place = ? group by action, player, score"
COUNT = "select count(distinct game) from book_move where place = ?"
RECORDS = """select g.id, g.players, g.winners, g.link, min(m.at) from book_move m join book_game g on g.id = m.game
where m.place = ? and g.listed >= ? group by g.id, g.players, g.winners, g.link, g.time order by g.time desc, g.id limit ?"""
PERSON = "person"  # the player of a person's seat
PLAYERS = (PERSON, *NAMES)
ROWS = 100  # moves in one statement
LONGEST = 5000  # actions of a game between levels

Statement = tuple[str, tuple[Any, ...]]
Read = Callable[..., Sequence[Any]]  # rows of a query, with its values


class Tried(NamedTuple):
    """An action that was played in a position. won, drawn: games of the seat that played it; best: the strongest level, or ""."""

    action: int
    times: int
    won: int
    drawn: int
    people: int
    best: str


class GameInBook(NamedTuple):
    """A game in which a position occurred. at: actions before it; link: its record, "" if the host keeps it as a table.

    players: of each seat; winners: seats, from 0.
    """

    id: str
    players: tuple[str, ...]
    winners: tuple[int, ...]
    link: str
    at: int


class PositionInBook(NamedTuple):
    """What a book knows of a position. total: its games; tried: the most frequent action first; games: the newest first."""

    total: int
    tried: list[Tried]
    games: list[GameInBook]


def place(position: Position) -> bytes:
    """The key of a position under its rules, without the number of turns and without what came before."""
    game = position.game
    states = game.spec.text.read(game, game.spec.text.fresh(position.text))
    states[0].turns = 0
    rules = f"{game.spec.id} {game.spec.version} {house.canonical(game.options)}\n".encode()
    return hashlib.blake2b(rules + bytes(states[0].tobytes()), digest_size=12).digest()


def statements(
    match: Match, name: str, players: Sequence[str], listed: bool, time: float, kept: str = "", begun: int = 0
) -> list[Statement]:
    """Put a finished match into a book, in place of the one of that name.

    players: `PERSON` or a level for each seat; listed: strangers may see it; time: Unix seconds; kept: its link, "" if the host
    keeps it; begun: its first actions, which others played. Errors: RecordError if it is not over.
    """
    outcome = match.outcome
    if outcome is None:
        raise RecordError("players:error.book_unfinished", name)
    rows: list[Any] = []
    for at, (entry, position) in enumerate(zip(match.log, match.positions, strict=False)):
        if entry.actor != CHANCE and at >= begun:
            score = round(outcome.returns[entry.actor])
            rows.append((place(position), name, at, entry.action, players[entry.actor], score))
    found: list[Statement] = [(query, (name,)) for query in FORGET]
    values = (name, " ".join(players), " ".join(map(str, outcome.winners)), kept, int(listed), time)
    found.append(("insert into book_game values (?, ?, ?, ?, ?, ?)", values))
    for first in range(0, len(rows), ROWS):
        some = rows[first : first + ROWS]
        query = f"insert into book_move values {', '.join(['(?, ?, ?, ?, ?, ?)'] * len(some))}"
        found.append((query, tuple(value for row in some for value in row)))
    return found


def page(
    read: Read, position: Position, wanted: Sequence[str] = PLAYERS, most: int = 12, everything: bool = False
) -> PositionInBook:
    """What a book knows of a position. wanted: the players whose actions count; everything: also games that are not listed."""
    key = place(position)
    counts, won, drawn, people = Counter[int](), Counter[int](), Counter[int](), Counter[int]()
    levels: dict[int, int] = {}
    for action, who, score, count in read(MOVES, key):
        if who not in wanted:
            continue
        counts[action] += count
        won[action] += count * (score > 0)
        drawn[action] += count * (score == 0)
        people[action] += count * (who == PERSON)
        levels[action] = max(levels.get(action, -1), NAMES.index(who) if who in NAMES else -1)
    tried = [
        Tried(action, count, won[action], drawn[action], people[action], NAMES[levels[action]] if levels[action] >= 0 else "")
        for action, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    ]
    games = [
        GameInBook(name, tuple(who.split()), tuple(map(int, winners.split())), kept, at)
        for name, who, winners, kept, at in read(RECORDS, key, int(not everything), most)
    ]
    return PositionInBook(int(read(COUNT, key)[0][0]), tried, games)


def stronger(level: str) -> tuple[str, ...]:
    """The players that count from a level upwards; "" for all, `PERSON` for people."""
    return PLAYERS if not level else (PERSON,) if level == PERSON else NAMES[NAMES.index(level) :]


def play_games(game: Game, levels: Sequence[str], seed: str, time: float) -> Iterator[list[Statement]]:
    """Games between levels, one after another without end: what puts each into a book.

    The level of each seat is drawn for each game. A game longer than LONGEST actions is left out.
    """
    number = 0
    while True:
        name, lot = f"levels:{game.spec.id}:{seed}:{number}", SeededDealer(f"book:{seed}:{number}")
        players = [lot.pick(levels, seat) for seat in range(game.seats)]
        seats = [player(level, f"{name}:{seat}") for seat, level in enumerate(players)]
        match = Match(game)
        match.deal(lot)
        while match.actor >= 0 and len(match.log) < LONGEST:
            match.play(seats[match.actor].choose(match.position))
            match.deal(lot)
        number += 1
        if match.outcome is not None:
            yield statements(match, name, players, True, time, link.pack(match, players))
