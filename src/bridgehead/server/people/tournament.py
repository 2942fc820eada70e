"""A tournament: the fold of its events, which stand in the database one by one, so it survives every restart.

An event changes only what is not over yet: the winner of a match is settled with its last game, and the standings with the end of
the tournament, whatever is stored afterwards.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from bridgehead.core.validation import ready
from bridgehead.server.messages.client import HouseRules
from bridgehead.server.messages.tables import ClockWish
from bridgehead.server.people import pairing
from bridgehead.server.people.pairing import Meetings
from bridgehead.server.people.ratings import MIDDLE
from bridgehead.server.people.standings import FinishedGame, StandingsLine, standings, totals

ABSENCES = 2  # games to which somebody does not come, and after which they leave
STEP = 200  # rating points that count as much as a point of the tournament
PATIENCE = 60.0  # seconds that those who have just met in an arena wait for others, who play
Kind = Literal["round_robin", "swiss", "knock_out", "arena"]
Seating = Literal["random", "rating", "choice"]
By = Literal["", "self", "host", "absent"]  # who decided that somebody leaves or returns; "" in older releases


class TournamentEvent(msgspec.Struct, frozen=True, tag_field="do"):
    """Base of all events."""


class TournamentOpened(TournamentEvent, frozen=True, tag="open"):
    """The settings. size: seats of a table; rounds: 0 for as many as it needs; paired: each table plays as many games as it has
    seats, and everybody sits in each seat once; minutes: of an arena; host: hash of the host's token; draw: decides lots; appear:
    minutes to come to a table, 0 for any time, as in older releases; aids: hints and takebacks are
    allowed; None in older releases, in which they were and persons had byes as soon as computers.

    late: in a Swiss tournament, the last round in which a late entrant may begin; limit: minutes of a game, 0 for any
    time, and at_limit what follows then: the host decides, it is drawn, or all lose; places: each place counts, not only the
    first; listed: everybody finds it; where: the place, on paper; keep: days after its last event until it is deleted, 0: never.
    seating: who plays together in an arena: those near in points, at first at random; those near in rating; or as they choose.
    tables: that stand in the room from the beginning.
    """

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
    appear: int = 0
    aids: bool | None = None
    late: int = 0
    limit: int = 0
    at_limit: Literal["wait", "draw", "lose"] = "wait"
    places: bool = False
    listed: bool = True
    where: str = ""
    keep: int = 0
    seating: Seating = "random"
    tables: int = 0


class EntrantJoined(TournamentEvent, frozen=True, tag="join"):
    """An entrant. token: hash of a person's token; level: of a computer player; profile: of a person, or ""; origin: keyed hash
    of a person's address, which tells for no other tournament whether it is the same; rating: in points, 0 if it is unknown."""

    name: str
    token: str = ""
    level: str = ""
    profile: str = ""
    origin: str = ""
    rating: int = 0


class PlaceChosen(TournamentEvent, frozen=True, tag="choose"):
    """An entrant waits at a place, with whoever else waits there. place: the number of its table, from 0."""

    entrant: int
    place: int


class EntrantLeft(TournamentEvent, frozen=True, tag="leave"):
    """An entrant plays no further games."""

    entrant: int
    by: By = ""


class EntrantReturned(TournamentEvent, frozen=True, tag="return"):
    """An entrant who had left plays on."""

    entrant: int
    by: By


class EntrantForgotten(TournamentEvent, frozen=True, tag="forget"):
    """The name of an entrant is deleted; that of the stored entry too."""

    entrant: int


class TournamentStarted(TournamentEvent, frozen=True, tag="start"):
    """Nobody joins any more, but in an arena. at: Unix seconds; entrants: those who begin; None in older releases: everybody."""

    at: float
    entrants: list[int] | None = None


class RoundPaired(TournamentEvent, frozen=True, tag="draw"):
    """A round, or in an arena some matches: the entrants of each match in the order of their seats in its first game.

    byes: count as won; idle: computers that have had a bye already, so this one counts nothing.
    """

    matches: list[list[int]]
    byes: list[int] = []
    idle: list[int] = []


class GameOpened(TournamentEvent, frozen=True, tag="deal"):
    """The next game of a match has a table. until: when its persons must have come (Unix seconds), 0 for any time."""

    match: int
    table: str
    until: float = 0.0


class TableNamed(TournamentEvent, frozen=True, tag="name"):
    """The table with this number in the room has a name; "": none any more."""

    number: int
    name: str


class PlacesSwapped(TournamentEvent, frozen=True, tag="swap"):
    """The host of the server let two entrants change places. matches: of each, as it was before; until: as in `GameOpened`."""

    entrants: tuple[int, int]
    matches: tuple[int, int]
    until: float = 0.0


class GameEnded(TournamentEvent, frozen=True, tag="end"):
    """A game is over. points: in the order of the seats; host: the host has decided it, or somebody has left; absent: entrants
    who did not come; left: entrants who have left and lose it; timeout: its time was up."""

    match: int
    table: str
    points: list[float]
    host: bool = False
    absent: list[int] = []
    left: list[int] = []
    timeout: bool = False


class GameReopened(TournamentEvent, frozen=True, tag="reopen"):
    """A game goes on, because the entrant who had left it has returned. One without a table is dealt again."""

    match: int
    table: str


class ResultCorrected(TournamentEvent, frozen=True, tag="correct"):
    """The host has corrected the points of a game that was over, perhaps after the end of the tournament."""

    match: int
    table: str
    points: list[float]


class HostRenewed(TournamentEvent, frozen=True, tag="rehost"):
    """The host has a new link. host: hash of its token."""

    host: str


class TournamentClosed(TournamentEvent, frozen=True, tag="close"):
    """The tournament is over."""


Event = (
    TournamentOpened | EntrantJoined | EntrantLeft | EntrantReturned | EntrantForgotten | TournamentStarted | RoundPaired
    | PlaceChosen | GameOpened | TableNamed | PlacesSwapped | GameEnded | GameReopened | ResultCorrected | HostRenewed
    | TournamentClosed
)  # fmt: skip


class JournalLine(NamedTuple):
    """What somebody has decided, for everybody to read. at: Unix seconds; do: the tag of its event, "late" for a late entry,
    "removed", "missed", "left" or "swap"; who: entrants; points: of a game, in the order of `who`; before: what they were."""

    at: float
    do: str
    who: tuple[int, ...] = ()
    points: tuple[float, ...] = ()
    before: tuple[float, ...] = ()


def has_table(name: str) -> bool:
    """Has a game a table? One that could not begin, because somebody had left, has a name only."""
    return not name.startswith("forfeit")


def decode_event(body: str) -> Event:
    """An event as it is stored."""
    found: Event = msgspec.json.decode(body, type=ready(Event))  # type: ignore[arg-type]
    return found


class TournamentMatch:
    """A match: one game, or with paired seats one for each rotation. tables: one for each game that has begun; games: over;
    until: when the persons of a table must have come; dealt: when each table was made (Unix seconds);
    numbers: of the tables in the room; wanted: the number of the next one, 0 for the smallest that no running game has.

    winner: None until its last game is over, and if everybody had left by then or came to none of its games.
    """

    def __init__(self, number: int, round_: int, seats: list[int]) -> None:
        self.number, self.round, self.seats = number, round_, seats
        self.tables: list[str] = []
        self.until: dict[str, float] = {}
        self.dealt: dict[str, float] = {}
        self.numbers: dict[str, int] = {}
        self.wanted = 0
        self.games: dict[str, GameEnded] = {}
        self.winner: int | None = None

    def order(self, game: int) -> tuple[int, ...]:
        """The entrants in the order of the seats of a game. game: from 0."""
        at = game % len(self.seats)
        return tuple(self.seats[at:] + self.seats[:at])

    def best(self, left: Collection[int]) -> int | None:
        """Who has most points, then the better place in the list of entrants; of those who came and have not left."""
        sums = dict.fromkeys(self.seats, 0.0)
        for i, table in enumerate(self.tables):
            if table in self.games:
                for entrant, points in zip(self.order(i), self.games[table].points, strict=True):
                    sums[entrant] += points
        there = [each for each in self.seats if each not in left and not all(each in game.absent for game in self.games.values())]
        return min(there, key=lambda entrant: (-sums[entrant], entrant), default=None)


class Tournament:
    """The state after the events so far.

    n: their number; left: entrants who play no more; roster: those who play since the start; since: when each one became free
    (Unix seconds); rests: the draws of an arena that left somebody free, the newest first; last: the number of each one's last
    match; absences: games to which an entrant did not come; host: hash of the host's token; joined: the numbers of the events by
    which they entered; leaving: by whom somebody left, and in which round; last_left: when somebody left who may come back (Unix
    seconds), 0 since the last draw; began: entrants at the start; made, changed: when the first and the last event was stored
    (Unix seconds); journal: decisions, the oldest first; chosen: the places of those who wait, in the order of their choices;
    names: of tables, by their numbers.
    """

    def __init__(self, id_: str, events: list[Event]) -> None:
        self.id, self.n = id_, 0
        self.settings: TournamentOpened
        self.entrants: list[EntrantJoined] = []
        self.left: set[int] = set()
        self.roster: list[int] = []
        self.started, self.over = 0.0, False
        self.rounds = 0
        self.matches: list[TournamentMatch] = []
        self.byes: list[list[int]] = []
        self.idle: list[list[int]] = []
        self.since: dict[int, float] = {}
        self.rests: dict[int, tuple[int, ...]] = {}
        self.last: dict[int, int] = {}
        self.absences = Counter[int]()
        self.host = ""
        self.joined: list[int] = []
        self.leaving: dict[int, tuple[By, int]] = {}
        self.last_left, self.began = 0.0, 0
        self.made = self.changed = 0.0
        self.journal: list[JournalLine] = []
        self.chosen: dict[int, int] = {}
        self.names: dict[int, str] = {}
        self._final: tuple[StandingsLine, ...] | None = None
        for event in events:
            self.apply(event)

    def apply(self, event: Event, at: float = 0.0) -> None:
        """Follow one event. at: when it was stored (Unix seconds). Only a correction changes results of what is over."""
        self.n += 1
        self.made, self.changed = self.made or at, at
        match event:
            case ResultCorrected():
                self._correct(self.matches[event.match], event, at)
            case HostRenewed():
                self.host = event.host
                self.journal.append(JournalLine(at, "rehost"))
            case EntrantForgotten():
                self.entrants[event.entrant] = EntrantJoined("", level=self.entrants[event.entrant].level)
            case _ if not self.over:
                self._follow(event, at)

    def _follow(self, event: Event, at: float) -> None:
        match event:
            case TournamentOpened():
                self.settings, self.host = event, event.host
            case EntrantJoined() | EntrantLeft() | EntrantReturned():
                self._follow_entrant(event, at)
            case TournamentStarted():
                self.started = event.at
                self.roster = list(range(len(self.entrants)) if event.entrants is None else event.entrants)
                self.since, self.began = dict.fromkeys(self.since, at), len(self.roster)
            case RoundPaired():
                self._draw(event)
            case GameOpened():
                match = self.matches[event.match]
                match.tables.append(event.table)
                match.until[event.table], match.dealt[event.table] = event.until, at
                match.wanted = match.numbers[event.table] = self._free_number(match.wanted)
            case TableNamed():
                self.names[event.number] = event.name
            case PlaceChosen():
                self.chosen.pop(event.entrant, None)
                self.chosen[event.entrant], self.since[event.entrant] = event.place, at
            case PlacesSwapped():
                self._swap(event, at)
            case GameEnded():
                self._end(self.matches[event.match], event, at)
            case GameReopened():
                self._reopen(self.matches[event.match], event.table)
            case TournamentClosed():
                self._final, self.over = tuple(self.lines()), True

    @property
    def busy_numbers(self) -> set[int]:
        """The numbers of all tables with a running game."""
        return {
            match.numbers[each]
            for match in self.open_matches
            for each in match.tables
            if each not in match.games and each in match.numbers
        }

    @property
    def tables(self) -> int:
        """How many tables stand in the room: those of the beginning, or more if so many are in use."""
        waiting_at = (place + 1 for place in self.chosen.values())
        return 0 if self.over else max(0, self.settings.tables, *self.busy_numbers, *waiting_at)

    def _free_number(self, wanted: int) -> int:
        """The number of a new table: the wanted one, or the smallest that no running game has."""
        free = {*range(1, len(self.busy_numbers) + 2), *([wanted] if wanted else [])} - self.busy_numbers
        return wanted if wanted in free else min(free)

    def _follow_entrant(self, event: EntrantJoined | EntrantLeft | EntrantReturned, at: float) -> None:
        """Follow that somebody enters, leaves or returns."""
        if isinstance(event, EntrantJoined):
            entrant = len(self.entrants)
            self.since[entrant] = at
            self.entrants.append(event)
            self.joined.append(self.n)
            if self.started:
                self.roster.append(entrant)
                self.journal.append(JournalLine(at, "late", (entrant,)))
            return
        entrant = event.entrant
        if isinstance(event, EntrantLeft):
            self.left.add(entrant)
            self.chosen.pop(entrant, None)
            self.leaving[entrant] = event.by, self.rounds
            if self.started and event.by in ("self", "host"):
                self.last_left = at
            self.journal.append(JournalLine(at, {"host": "removed", "absent": "missed"}.get(event.by, "left"), (entrant,)))
        else:
            self.left.discard(entrant)
            self.absences[entrant] = 0
            self.since[entrant] = at
            self.journal.append(JournalLine(at, "return", (entrant,)))
            if not any(self.may_return(each) for each in self.left):
                self.last_left = 0.0

    def _reopen(self, match: TournamentMatch, table: str) -> None:
        """Follow that a game goes on."""
        del match.games[table]
        match.winner = None
        if not has_table(table):
            match.tables.remove(table)
            del match.until[table], match.dealt[table], match.numbers[table]

    def _correct(self, match: TournamentMatch, event: ResultCorrected, at: float) -> None:
        """Follow a correction, also of a tournament that is over."""
        before = match.games[event.table]
        match.games[event.table] = replace(before, points=event.points, host=True, absent=[], left=[], timeout=False)
        if self.is_done(match):
            match.winner = match.best(self.left)
        order = match.order(match.tables.index(event.table))
        self.journal.append(JournalLine(at, "correct", order, tuple(event.points), tuple(before.points)))
        if self.over:
            self._final = None
            self._final = tuple(self.lines())

    def _draw(self, event: RoundPaired) -> None:
        """Follow a draw."""
        self.rounds += 1
        self.last_left = 0.0
        self.byes.append(event.byes)
        self.idle.append(event.idle)
        drawn = {entrant for seats in event.matches for entrant in seats}
        for entrant in {*self.free} - drawn if self.settings.kind == "arena" else ():
            self.rests[entrant] = (self.rounds, *self.rests.get(entrant, ()))
        for seats in event.matches:
            self.last.update(dict.fromkeys(seats, len(self.matches)))
            match = TournamentMatch(len(self.matches), self.rounds, seats)
            match.wanted = 1 + max((self.chosen[each] for each in seats if each in self.chosen), default=-1)
            self.chosen = {entrant: place for entrant, place in self.chosen.items() if entrant not in seats}
            self.matches.append(match)

    def _swap(self, event: PlacesSwapped, at: float) -> None:
        """Follow that two entrants change places, at one table or between two."""
        other = dict(zip(event.entrants, reversed(event.entrants), strict=True))
        for match in (self.matches[each] for each in {*event.matches}):
            match.seats = [other.get(entrant, entrant) for entrant in match.seats]
            match.until = dict.fromkeys(match.until, event.until)
            self.last.update(dict.fromkeys(match.seats, match.number))
        self.journal.append(JournalLine(at, "swap", event.entrants))

    def match_of(self, table: str) -> TournamentMatch:
        """The match whose first game runs at a table. Errors: KeyError if there is none."""
        found = {match.tables[0]: match for match in self.open_matches if len(match.tables) == 1 and not match.games}
        return found[table]

    def _end(self, match: TournamentMatch, event: GameEnded, at: float) -> None:
        """Follow the end of a game."""
        match.games[event.table] = event
        if event.host and not event.left or event.timeout:
            order = match.order(match.tables.index(event.table))
            self.journal.append(JournalLine(at, "timeout" if event.timeout else "decide", order, tuple(event.points)))
        self.absences.update(event.absent)
        if self.is_done(match):
            match.winner = match.best(self.left)
            self.since.update(dict.fromkeys(match.seats, at))

    @property
    def may_enter(self) -> bool:
        """May somebody still enter?"""
        if self.over:
            return False
        is_early = self.settings.kind == "swiss" and self.rounds < min(self.settings.late, self.rounds_of_all)
        return not self.started or self.settings.kind == "arena" or is_early

    def may_return(self, entrant: int) -> bool:
        """May somebody who has left come back? Until the next round is drawn; in an arena at any time."""
        _, round_ = self.leaving.get(entrant, ("", -1))
        is_here = not self.started or entrant in self.roster
        return not self.over and entrant in self.left and is_here and (self.settings.kind == "arena" or round_ == self.rounds)

    def limit_of(self, match: TournamentMatch, table: str) -> float:
        """When the time of a running game is up (Unix seconds); 0 if there is no limit."""
        is_open = self.settings.limit and table not in match.games and has_table(table) and not self.over
        return match.dealt[table] + 60 * self.settings.limit if is_open else 0.0

    @property
    def legs(self) -> int:
        """Games of a match."""
        return self.settings.size if self.settings.paired else 1

    @property
    def playing(self) -> list[int]:
        """The entrants who have not left."""
        return [i for i in range(len(self.entrants)) if i not in self.left]

    @property
    def missing(self) -> list[int]:
        """The entrants who have not come so often that they leave now."""
        return [each for each in self.playing if self.absences[each] >= ABSENCES]

    @property
    def present(self) -> list[int]:
        """The entrants with a place in the standings: not those who left before the start."""
        return self.roster if self.started else self.playing

    @property
    def free(self) -> list[int]:
        """The entrants who have not left and play nowhere."""
        busy = {entrant for match in self.open_matches for entrant in match.seats}
        return [each for each in self.playing if each not in busy]

    @property
    def computers(self) -> set[int]:
        return {i for i, each in enumerate(self.entrants) if each.level}

    @property
    def games(self) -> list[FinishedGame]:
        """All finished games."""
        return [
            FinishedGame(match.order(i), tuple(match.games[table].points))
            for match in self.matches
            for i, table in enumerate(match.tables)
            if table in match.games
        ]

    def is_done(self, match: TournamentMatch) -> bool:
        return len(match.games) >= self.legs

    @property
    def open_matches(self) -> list[TournamentMatch]:
        """Matches with games to play."""
        return [match for match in self.matches if not self.is_done(match)]

    @property
    def rounds_of_all(self) -> int:
        """Rounds that will be played; 0 if that depends on the results."""
        wanted, size, count = self.settings.rounds, self.settings.size, self.began or len(self.present)
        if self.settings.kind == "round_robin":
            return wanted or pairing.full_rounds(count, size)
        return (wanted or pairing.swiss_rounds(count, size)) if self.settings.kind == "swiss" else 0

    def lines(self) -> list[StandingsLine]:
        """The standings; once the tournament is over, always the same."""
        if self._final is not None:
            return list(self._final)
        byes = [entrant for round_ in self.byes for entrant in round_]
        reached = self._reached() if self.settings.kind == "knock_out" else None
        worth = 0.0 if reached is not None else float(self.legs)
        return standings(self.present, self.games, byes, self.settings.kind, self.settings.draw, worth, reached)

    def _reached(self) -> dict[int, int]:
        """In a knock-out: the last round in which somebody was not beaten. Who is left alone has survived one more."""
        found = dict.fromkeys(range(len(self.entrants)), 0)
        for match in self.matches:
            if match.winner is not None:
                found[match.winner] = match.round
        for number, byes in enumerate(self.byes, 1):
            for entrant in byes:
                found[entrant] = max(found[entrant], number)
        if self.rounds and not self.open_matches and len(alive := self._alive()) == 1:
            found[alive[0]] = self.rounds + 1
        return found

    def _alive(self) -> list[int]:
        """In a knock-out: those who have not been beaten and not left, by seed."""
        if not self.rounds:
            return [each for each in self.roster if each not in self.left]
        last = [match.winner for match in self.matches if match.round == self.rounds] + self.byes[-1]
        return sorted(each for each in last if each is not None and each not in self.left)

    def past(self) -> Meetings:
        """Who has met, where everybody has sat, and the byes, for the next pairing."""
        games = [(match.order(i), int(i == 0)) for match in self.matches for i in range(max(len(match.tables), self.legs))]
        return pairing.past_of(games, (entrant for byes in (*self.byes, *self.idle) for entrant in byes))

    def next_round(self, now: float = 0.0) -> RoundPaired | None:
        """The next round, or in an arena the next matches; None if there is none now. now: Unix seconds."""
        kind = self.settings.kind
        if kind == "arena":
            return self._arena(now)
        if self.open_matches:
            return None
        if kind == "knock_out":
            return self._knock_out()
        if self.rounds >= self.rounds_of_all or len(self.playing) < self.settings.size:
            return None
        return self._circle() if kind == "round_robin" and self.settings.size == 2 else self._swiss()

    def _circle(self) -> RoundPaired:
        """A round of a round robin of two at a table. Whoever should meet somebody who has left has a bye."""
        later = self.computers if self.settings.aids is not None else {*self.roster}
        pairs, free = pairing.everybody(self.roster, self.rounds, later)
        there = [pair for pair in pairs if not {*pair} & self.left]
        alone = [one for pair in pairs if {*pair} & self.left for one in pair] + free
        past, chooser = self.past(), self._chooser()
        seats = [list(pairing.order_seats(pair, past, chooser)) for pair in there]
        return RoundPaired(seats, sorted(each for each in alone if each not in self.left))

    def _swiss(self) -> RoundPaired:
        """A round in which everybody plays near their own points; in a round robin of more than two, whom they have met least."""
        lines, past = self.lines(), self.past()
        order = [line.entrant for line in lines if line.entrant not in self.left]
        points = {} if self.settings.kind == "round_robin" else {line.entrant: line.points for line in lines}
        draw = f"{self.settings.draw}:{self.rounds}"
        found = pairing.pair_round(order, self.settings.size, points, past, draw, self.computers)
        idle = [each for each in found.byes if each in self.computers and past.byes.get(each)]
        return RoundPaired([list(table) for table in found.tables], [each for each in found.byes if each not in idle], idle)

    def _knock_out(self) -> RoundPaired | None:
        """A round of those who are not beaten. If too few are left for a table, the best of the others fill it."""
        size, alive = self.settings.size, self._alive()
        if len(alive) < 2:
            return None
        if len(alive) < size:
            beaten = [line.entrant for line in self.lines() if line.entrant not in alive and line.entrant not in self.left]
            alive = sorted(alive + beaten[: size - len(alive)])
        if len(alive) < size:
            return None
        tables, byes = pairing.pair_knock_out(alive, size, self.computers)
        past, chooser = self.past(), self._chooser()
        return RoundPaired([list(pairing.order_seats(table, past, chooser)) for table in tables], byes)

    def _arena(self, now: float) -> RoundPaired | None:
        """Matches of those who are free, near in points, and not the same again if it can be helped."""
        size, names, seating = self.settings.size, self.free, self.settings.seating
        if seating == "choice":
            return self._by_choice(now)
        if len(names) < size:
            return None
        free = [
            pairing.Free(
                each, bool(self.entrants[each].level), self.since[each], self.rests.get(each, ()), self.last.get(each, -1)
            )
            for each in names
        ]
        alone = len(names) == len(self.playing)  # nobody else comes free
        repeats = alone or now >= max(each.since for each in free) + PATIENCE
        points = totals(range(len(self.entrants)), self.games, (), 0.0)
        if seating == "rating":
            points = {each: sum_ + (self.entrants[each].rating or MIDDLE) / STEP for each, sum_ in points.items()}
        draw = f"{self.settings.draw}:{self.rounds}"
        tables = pairing.pair_arena(free, size, points, self.past(), draw, repeats, mixed=seating == "random")
        return RoundPaired([list(seats) for seats in tables]) if tables else None

    @property
    def waiting(self) -> dict[int, list[int]]:
        """Those who wait together, as they have chosen, by their places."""
        found: dict[int, list[int]] = {}
        for entrant, place in self.chosen.items():
            found.setdefault(place, []).append(entrant)
        return found

    def _by_choice(self, now: float) -> RoundPaired | None:
        """Matches of those who have chosen one another. Where somebody has waited long, free computers fill the table."""
        size, computers, tables = self.settings.size, [each for each in self.free if each in self.computers], []
        for place in self.waiting.values():
            lacking, waited = size - len(place), now >= max(self.since[each] for each in place) + PATIENCE
            if not lacking or (waited and lacking <= len(computers)):
                tables.append(place + computers[:lacking])
                computers = computers[lacking:]
        past, chooser = self.past(), self._chooser()
        return RoundPaired([list(pairing.order_seats(table, past, chooser)) for table in tables]) if tables else None

    def _chooser(self) -> random.Random:
        """Chance for the seats of a round: the same whenever the round is computed again."""
        return random.Random(f"{self.settings.draw}:{self.rounds}")
