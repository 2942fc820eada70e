"""A tournament: the fold of its events, which stand in the database one by one, so it survives every restart."""

from __future__ import annotations

import random
from typing import Literal

import msgspec

from bridgehead.core.validation import ready
from bridgehead.server.messages.client import ClockWish, HouseRules
from bridgehead.server.people import pairing
from bridgehead.server.people.pairing import Past
from bridgehead.server.people.standings import Game, Line, standings, totals

Kind = Literal["round_robin", "swiss", "knock_out", "arena"]


class TournamentEvent(msgspec.Struct, frozen=True, tag_field="do"):
    """Base of all events."""


class Opened(TournamentEvent, frozen=True, tag="open"):
    """The settings. size: seats of a table; rounds: 0 for as many as it needs; paired: each table plays as many games as it has
    seats, and everybody sits in each seat once; minutes: of an arena; host: hash of the host's token; draw: decides lots."""

    name: str
    game: str
    options: HouseRules
    size: int
    kind: Kind
    rounds: int
    paired: bool
    minutes: int
    host: str
    draw: str
    clock: ClockWish | None = None
    live: bool = False


class Joined(TournamentEvent, frozen=True, tag="join"):
    """An entrant. token: hash of a person's token; level: of a computer player; profile: of a person, or ""."""

    name: str
    token: str = ""
    level: str = ""
    profile: str = ""


class Left(TournamentEvent, frozen=True, tag="leave"):
    """An entrant plays no further games."""

    entrant: int


class Started(TournamentEvent, frozen=True, tag="start"):
    """Nobody joins any more, but in an arena. at: Unix seconds."""

    at: float


class Drew(TournamentEvent, frozen=True, tag="draw"):
    """A round, or in an arena one match: the entrants of each match in the order of their seats in its first game."""

    matches: list[list[int]]
    byes: list[int] = []


class Dealt(TournamentEvent, frozen=True, tag="deal"):
    """The next game of a match has a table."""

    match: int
    table: str


class Ended(TournamentEvent, frozen=True, tag="end"):
    """A game is over. points: in the order of the seats; host: the host has decided it."""

    match: int
    table: str
    points: list[float]
    host: bool = False


class Closed(TournamentEvent, frozen=True, tag="close"):
    """The tournament is over."""


Event = Opened | Joined | Left | Started | Drew | Dealt | Ended | Closed


def decoded(body: str) -> Event:
    """An event as it is stored."""
    found: Event = msgspec.json.decode(body, type=ready(Event))  # type: ignore[arg-type]
    return found


class Match:
    """A match: one game, or with paired seats one for each rotation. tables: one for each game that has begun; games: over."""

    def __init__(self, number: int, round_: int, seats: list[int]) -> None:
        self.number, self.round, self.seats = number, round_, seats
        self.tables: list[str] = []
        self.games: dict[str, Ended] = {}

    def order(self, game: int) -> tuple[int, ...]:
        """The entrants in the order of the seats of a game. game: from 0."""
        at = game % len(self.seats)
        return tuple(self.seats[at:] + self.seats[:at])


class Tournament:
    """The state after the events so far. n: their number."""

    def __init__(self, id_: str, events: list[Event]) -> None:
        self.id, self.n = id_, 0
        self.settings: Opened
        self.entrants: list[Joined] = []
        self.left: set[int] = set()
        self.started, self.over = 0.0, False
        self.rounds = 0
        self.matches: list[Match] = []
        self.byes: list[list[int]] = []
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> None:
        """Follow one event."""
        self.n += 1
        match event:
            case Opened():
                self.settings = event
            case Joined():
                self.entrants.append(event)
            case Left():
                self.left.add(event.entrant)
            case Started():
                self.started = event.at
            case Drew():
                self.rounds += 1
                self.byes.append(event.byes)
                for seats in event.matches:
                    self.matches.append(Match(len(self.matches), self.rounds, seats))
            case Dealt():
                self.matches[event.match].tables.append(event.table)
            case Ended():
                self.matches[event.match].games[event.table] = event
            case Closed():
                self.over = True

    @property
    def legs(self) -> int:
        """Games of a match."""
        return self.settings.size if self.settings.paired else 1

    @property
    def playing(self) -> list[int]:
        """The entrants who have not left."""
        return [i for i in range(len(self.entrants)) if i not in self.left]

    @property
    def games(self) -> list[Game]:
        """All finished games."""
        return [
            Game(match.order(i), tuple(match.games[table].points))
            for match in self.matches
            for i, table in enumerate(match.tables)
            if table in match.games
        ]

    def is_done(self, match: Match) -> bool:
        return len(match.games) >= self.legs

    @property
    def open_matches(self) -> list[Match]:
        """Matches with games to play."""
        return [match for match in self.matches if not self.is_done(match)]

    @property
    def rounds_of_all(self) -> int:
        """Rounds that will be played; 0 if that depends on the results."""
        wanted, size, count = self.settings.rounds, self.settings.size, len(self.entrants)
        if self.settings.kind == "round_robin":
            return wanted or pairing.full_rounds(count, size)
        return (wanted or pairing.swiss_rounds(count, size)) if self.settings.kind == "swiss" else 0

    def lines(self) -> list[Line]:
        """The standings."""
        byes = [entrant for round_ in self.byes for entrant in round_]
        reached = self._reached() if self.settings.kind == "knock_out" else None
        everybody, worth = range(len(self.entrants)), 0.0 if reached is not None else float(self.legs)
        return standings(everybody, self.games, byes, self.settings.kind, self.settings.draw, worth, reached)

    def _reached(self) -> dict[int, int]:
        """In a knock-out: the last round in which somebody was not beaten."""
        found = dict.fromkeys(range(len(self.entrants)), 0)
        for match in self.matches:
            if self.is_done(match):
                found[self.winner(match)] = match.round
        for number, byes in enumerate(self.byes, 1):
            for entrant in byes:
                found[entrant] = max(found[entrant], number)
        return found

    def winner(self, match: Match) -> int:
        """Who wins a match: most points, then the better place in the list of entrants. Whoever has left wins nothing."""
        sums = dict.fromkeys(match.seats, 0.0)
        for i, table in enumerate(match.tables):
            if table in match.games:
                for entrant, points in zip(match.order(i), match.games[table].points, strict=True):
                    sums[entrant] += points
        return min(match.seats, key=lambda entrant: (entrant in self.left, -sums[entrant], entrant))

    def past(self) -> Past:
        """Who has met, where everybody has sat, and the byes, for the next pairing."""
        games = [(match.order(i), int(i == 0)) for match in self.matches for i in range(max(len(match.tables), self.legs))]
        return pairing.past_of(games, (entrant for byes in self.byes for entrant in byes))

    def next_round(self) -> Drew | None:
        """The next round, or in an arena the next matches; None if there is none now."""
        kind = self.settings.kind
        if kind == "arena":
            return self._arena()
        if self.open_matches:
            return None
        if kind == "knock_out":
            return self._knock_out()
        if self.rounds >= self.rounds_of_all or len(self.playing) < self.settings.size:
            return None
        return self._circle() if kind == "round_robin" and self.settings.size == 2 else self._swiss()

    def _circle(self) -> Drew:
        """A round of a round robin of two at a table. Whoever should meet somebody who has left has a bye."""
        pairs, free = pairing.everybody(range(len(self.entrants)), self.rounds)
        there = [pair for pair in pairs if not {*pair} & self.left]
        alone = [one for pair in pairs if {*pair} & self.left for one in pair] + free
        past, chooser = self.past(), self._chooser()
        seats = [list(pairing.seated(pair, past, chooser)) for pair in there]
        return Drew(seats, sorted(each for each in alone if each not in self.left))

    def _swiss(self) -> Drew:
        """A round in which everybody plays near their own points; in a round robin of more than two, whom they have met least."""
        lines = self.lines()
        order = [line.entrant for line in lines if line.entrant not in self.left]
        points = {} if self.settings.kind == "round_robin" else {line.entrant: line.points for line in lines}
        found = pairing.paired(order, self.settings.size, points, self.past(), f"{self.settings.draw}:{self.rounds}")
        return Drew([list(table) for table in found.tables], found.byes)

    def _knock_out(self) -> Drew | None:
        """A round of those who are not beaten. If too few are left for a table, the best of the others fill it."""
        size, alive = self.settings.size, self.playing
        if self.rounds:
            last = [self.winner(match) for match in self.matches if match.round == self.rounds] + self.byes[-1]
            alive = sorted(each for each in last if each not in self.left)
        if len(alive) < 2:
            return None
        if len(alive) < size:
            beaten = [line.entrant for line in self.lines() if line.entrant not in alive and line.entrant not in self.left]
            alive = sorted(alive + beaten[: size - len(alive)])
        if len(alive) < size:
            return None
        tables, byes = pairing.knocked(alive, size)
        past, chooser = self.past(), self._chooser()
        return Drew([list(pairing.seated(table, past, chooser)) for table in tables], byes)

    def _arena(self) -> Drew | None:
        """Matches of those who are free, near in points, and not the same again if it can be helped."""
        busy = {entrant for match in self.open_matches for entrant in match.seats}
        free = [line.entrant for line in self.lines() if line.entrant not in busy | self.left]
        size = self.settings.size
        if len(free) < size:
            return None
        points = totals(range(len(self.entrants)), self.games, (), 0.0)
        last = len(free) - len(free) % size
        found = pairing.paired(free[:last], size, points, self.past(), f"{self.settings.draw}:{self.rounds}")
        return Drew([list(seats) for seats in found.tables])

    def _chooser(self) -> random.Random:
        """Chance for the seats of a round: the same whenever the round is computed again."""
        return random.Random(f"{self.settings.draw}:{self.rounds}")
