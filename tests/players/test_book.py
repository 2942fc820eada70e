"""The book of played positions: what is counted, that equal positions meet, and who may see which games."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from bridgehead.core import link, record, registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import RecordError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE
from bridgehead.players import book
from records import recorded

GAMES = ("burning_bridges", "forty_bridges", "front_lines", "barricade")
Ask = Callable[..., Sequence[Any]]


class Book:
    """A book in memory."""

    def __init__(self) -> None:
        self.base = sqlite3.connect(":memory:")
        for statement in book.SCHEMA:
            self.base.execute(statement.format(blob="blob", real="real", strict=" strict, without rowid"))

    def read(self, query: str, *values: object) -> list[Any]:
        return self.base.execute(query, values).fetchall()

    def add(self, made: list[book.Statement]) -> None:
        for query, values in made:
            self.base.execute(query, values)


def finished(game: str) -> Match:
    match, _ = record.load(recorded(f"{game}-1"))
    assert match.outcome
    return match


@pytest.mark.parametrize("game", GAMES)
def test_every_decision_of_a_game_is_found_again_with_its_result(game: str) -> None:
    match, own = finished(game), Book()
    players = [book.PERSON, *["captain"] * (match.game.seats - 1)]
    own.add(book.statements(match, "one", players, True, 1.0))
    assert match.outcome
    decisions = [at for at, entry in enumerate(match.log) if entry.actor != CHANCE]
    for at in decisions[:: max(1, len(decisions) // 12)]:
        entry, found = match.log[at], book.page(own.read, match.positions[at])
        tried = next(each for each in found.tried if each.action == entry.action)
        assert tried.won >= (match.outcome.returns[entry.actor] > 0) and tried.drawn >= (not match.outcome.winners)
        assert (tried.people, tried.best) >= ((1, "") if entry.actor == 0 else (0, "captain"))
        (seen,) = found.games
        assert seen.at <= at and seen.winners == match.outcome.winners and seen.players == tuple(players)
    own.add(book.statements(match, "one", players, True, 1.0))
    assert book.page(own.read, match.positions[decisions[0]]).total == 1, "the same game again takes the place of the first"


def test_positions_meet_whatever_led_to_them() -> None:
    game = registry.game("forty_bridges")
    ways = [["a1-a3", "e4-e3", "b1-c1"], ["b1-c1", "e4-e3", "a1-a3"]]
    here, there = (Match(game, _read(game, way)).position for way in ways)
    assert here.text != there.text, "they remember what came before"
    assert book.place(here) == book.place(there) != book.place(game.start())
    other = registry.game("forty_bridges", repetition="none")
    assert book.place(other.start()) != book.place(game.start()), "other house rules, another game"


def _read(game: Game, names: list[str]) -> list[int]:
    match = Match(game)
    for name in names:
        match.play(name)
    return list(match.actions)


@pytest.mark.parametrize("game", GAMES)
def test_the_number_of_turns_does_not_count_and_everything_else_does(game: str) -> None:
    match, lot = Match(registry.game(game)), SeededDealer("turns")
    match.deal(lot)
    keys = set()
    for number in range(12):
        position = match.position
        later = position.supposing(turns=position.turn + 1)
        assert book.place(position) == book.place(later)
        keys.add(book.place(position))
        match.play(lot.pick(position.legal, number))
        match.deal(lot)
    assert len(keys) > 9


def test_players_and_secrets() -> None:
    own, game = Book(), registry.game("forty_bridges")
    match = finished("forty_bridges")
    own.add(book.statements(match, "ours", [book.PERSON, "scout"], False, 1.0))
    own.add(book.statements(match, "theirs", ["master", "scout"], True, 2.0, link.pack(match, ["", ""])))
    first = match.positions[0]
    found = book.page(own.read, first)
    assert (found.total, found.tried[0].times, found.tried[0].people, found.tried[0].best) == (2, 2, 1, "master")
    assert [each.id for each in found.games] == ["theirs"], "a table that nobody put on the list stays among its people"
    assert [each.id for each in book.page(own.read, first, everything=True).games] == ["theirs", "ours"]
    assert book.page(own.read, first, book.stronger("captain")).tried[0].times == 1
    assert book.page(own.read, first, book.stronger(book.PERSON)).tried[0].best == ""
    assert link.read(found.games[0].link)[0].actions == match.actions
    assert book.page(own.read, Match(game, match.actions[:1]).position, book.stronger("captain")).tried == []


def test_what_others_played_before_a_fork_does_not_count() -> None:
    own, match = Book(), finished("forty_bridges")
    own.add(book.statements(match, "fork", [book.PERSON] * 2, True, 1.0, begun=4))
    assert book.page(own.read, match.positions[0]).total == 0 and book.page(own.read, match.positions[4]).total == 1


def test_a_game_under_way_is_refused() -> None:
    with pytest.raises(RecordError, match="not over"):
        book.statements(Match(registry.game("forty_bridges")), "begun", [book.PERSON] * 2, True, 1.0)


def test_games_between_levels_are_the_same_again() -> None:
    game = registry.game("burning_bridges", seats=2)
    once, again = (next(book.play_games(game, ("wanderer", "scout"), "7", 1.0)) for _ in range(2))
    assert once == again and len(once) > 3
    own = Book()
    own.add(once)
    first = Match(game)
    first.deal(SeededDealer("book:7:0"))
    assert book.page(own.read, first.position).total == 1
