"""Pairings against all partitions, seats that even out, round robins, knock-outs, and standings with their tie-breaks."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgehead.server.people import pairing
from bridgehead.server.people.standings import FinishedGame, points_of, standings
from bridgehead.server.people.tournament import (
    ABSENCES,
    EntrantJoined,
    EntrantLeft,
    Event,
    GameEnded,
    GameOpened,
    RoundPaired,
    Tournament,
    TournamentClosed,
    TournamentMatch,
    TournamentOpened,
    TournamentStarted,
)


def partitions(players: list[int], size: int) -> Iterator[list[tuple[int, ...]]]:
    """All ways to make tables of a size."""
    if not players:
        yield []
        return
    first, rest = players[0], players[1:]
    for others in itertools.combinations(rest, size - 1):
        for tables in partitions([each for each in rest if each not in others], size):
            yield [(first, *others), *tables]


@pytest.mark.parametrize(("count", "size"), [(4, 2), (6, 2), (8, 2), (6, 3), (9, 3), (8, 4)])
def test_the_search_finds_the_best_of_all_partitions(count: int, size: int) -> None:
    chooser = random.Random(count * size)
    for _ in range(15):
        known = {frozenset(pair): float(chooser.choice([0, 0, 1, 3, 1000])) for pair in itertools.combinations(range(count), 2)}

        def cost(one: int, other: int, known: dict[frozenset[int], float] = known) -> float:
            return known[frozenset((one, other))]

        def total(tables: list[tuple[int, ...]], known: dict[frozenset[int], float] = known) -> float:
            return sum(known[frozenset(pair)] for table in tables for pair in itertools.combinations(table, 2))

        found = pairing.partition(range(count), size, cost, random.Random(1))
        assert sorted(each for table in found for each in table) == list(range(count))
        assert total([tuple(table) for table in found]) == min(total(each) for each in partitions(list(range(count)), size))


@pytest.mark.parametrize(("count", "size"), [(4, 2), (5, 2), (8, 2), (11, 2)])
def test_in_a_round_robin_everybody_meets_everybody_once(count: int, size: int) -> None:
    met: Counter[frozenset[int]] = Counter()
    free: Counter[int] = Counter()
    for number in range(pairing.full_rounds(count, size)):
        pairs, alone = pairing.everybody(range(count), number)
        assert len({each for pair in pairs for each in pair}) == 2 * len(pairs), "nobody plays twice in a round"
        met.update(map(frozenset, pairs))
        free.update(alone)
    assert len(met) == count * (count - 1) // 2 and set(met.values()) == {1}
    assert set(free.values()) <= {1} and len(free) == (count if count % 2 else 0)


@pytest.mark.parametrize("aids", [None, False])
def test_in_a_short_round_robin_no_person_is_free_before_a_computer(aids: bool | None) -> None:
    opened = TournamentOpened("Cup", "x", {}, 2, "round_robin", 3, False, 60, "", "d", aids=aids)
    entrants = [EntrantJoined("Anna", "t"), EntrantJoined("Ben", "u"), *(EntrantJoined(f"C{i}", level="easy") for i in range(3))]
    found = Tournament("A", [opened, *entrants, TournamentStarted(0.0)])
    while (drew := found.next_round()) is not None:
        follow(found, drew, random.Random(1))
    free = {entrant for byes in found.byes for entrant in byes}
    assert len(found.byes) == 3 and (free == {2, 3, 4} if aids is not None else 0 in free), "older ones keep their order"


@pytest.mark.parametrize("kind", ["swiss", "knock_out"])
def test_the_only_person_never_has_a_bye(kind: str) -> None:
    opened = TournamentOpened("Cup", "x", {}, 2, kind, 0, False, 60, "", "d")  # type: ignore[arg-type]
    entrants = [EntrantJoined("Anna", "t"), *(EntrantJoined(f"C{i}", level="easy") for i in range(4))]
    found = Tournament("A", [opened, *entrants, TournamentStarted(0.0)])
    while (drew := found.next_round()) is not None:
        follow(found, drew, random.Random(2))
    assert found.byes[0] and not any(0 in byes for byes in found.byes)


def played(count: int, size: int, kind: str, rounds: int = 0, paired: bool = False, seed: int = 1) -> Tournament:
    """A tournament in which the one with the smaller number wins mostly."""
    chooser = random.Random(seed)
    options = {"seats": size}
    opened = TournamentOpened("Cup", "barricade", options, size, kind, rounds, paired, 60, "", f"draw{seed}")  # type: ignore[arg-type]
    found = Tournament("A", [opened, *(EntrantJoined(f"P{i}") for i in range(count)), TournamentStarted(0.0)])
    while (drew := found.next_round()) is not None:
        follow(found, drew, chooser)
        assert found.rounds < 60
    return found


def follow(found: Tournament, drew: RoundPaired, chooser: random.Random) -> None:
    found.apply(drew)
    for match in found.open_matches:
        for leg in range(found.legs):
            order, name = match.order(leg), f"{match.number}.{leg}"
            winner = min(order) if chooser.random() < 0.8 else chooser.choice(order)
            found.apply(GameOpened(match.number, name))
            found.apply(GameEnded(match.number, name, [1.0 if each == winner else 0.0 for each in order]))


@pytest.mark.parametrize(("count", "size"), [(17, 2), (16, 2), (12, 4), (13, 3), (24, 6)])
def test_in_a_swiss_tournament_nobody_meets_the_same_twice_and_byes_are_few(count: int, size: int) -> None:
    found = played(count, size, "swiss", rounds=4)
    met = Counter(frozenset(pair) for match in found.matches for pair in itertools.combinations(match.seats, 2))
    byes = Counter(entrant for each in found.byes for entrant in each)
    assert found.rounds == 4 and max(byes.values(), default=0) <= 1 and all(len(each) == count % size for each in found.byes)
    assert max(met.values()) <= (1 if size < 4 else 2), "at large tables some have to meet again"
    sat = Counter((entrant, seat) for match in found.matches for seat, entrant in enumerate(match.seats))
    most = max(sat.values())
    assert most <= (3 if size == 2 else 2), "seats even out"


@pytest.mark.parametrize("size", [2, 3, 4])
def test_paired_seats_let_everybody_sit_everywhere(size: int) -> None:
    found = played(4 * size, size, "swiss", rounds=2, paired=True)
    sat = Counter((entrant, seat) for game in found.games for seat, entrant in enumerate(game.seats))
    assert set(sat.values()) == {2} and len(sat) == 4 * size * size


@pytest.mark.parametrize(("count", "size"), [(2, 2), (5, 2), (8, 2), (17, 2), (9, 3), (11, 3), (16, 4), (22, 4), (7, 5), (13, 6)])
def test_a_knock_out_leaves_one_and_byes_come_first(count: int, size: int) -> None:
    found = played(count, size, "knock_out")
    [last] = [match for match in found.matches if match.round == found.rounds]
    assert found.lines()[0].entrant == last.winner
    assert all(len({*match.seats}) == size for match in found.matches)
    if size == 2:
        assert [len(byes) for byes in found.byes[1:]] == [0] * (found.rounds - 1), "only the first round has byes"
    first = [each for match in found.matches if match.round == 1 for each in match.seats] + found.byes[0]
    assert sorted(first) == list(range(count)), "everybody begins"


def test_who_has_left_is_paired_no_more() -> None:
    for kind in ("swiss", "round_robin", "knock_out", "arena"):
        found = Tournament(
            "A",
            [
                TournamentOpened("Cup", "x", {}, 2, kind, 3, False, 60, "", "d"),
                *(EntrantJoined(f"P{i}") for i in range(6)),
                TournamentStarted(0.0),
            ],
        )
        found.left.add(3)
        drew = found.next_round()
        assert drew is not None and 3 not in {each for table in drew.matches for each in table} | {*drew.byes}, kind


def opened(kind: str, count: int, size: int, persons: int = 0, seed: int = 1, paired: bool = False) -> Tournament:
    """A tournament that has started. persons: the first entrants; the others are computers."""
    found = Tournament("A", [TournamentOpened("Cup", "x", {}, size, kind, 0, paired, 60, "", f"d{seed}")])  # type: ignore[arg-type]
    for i in range(count):
        found.apply(EntrantJoined(f"P{i}", level="" if i < persons else "scout"))
    found.apply(TournamentStarted(1.0, list(range(count))))
    return found


def end(found: Tournament, match: TournamentMatch, at: float, winner: int) -> None:
    found.apply(GameOpened(match.number, f"T{match.number}"), at)
    points = [float(each == winner) for each in match.seats]
    found.apply(GameEnded(match.number, f"T{match.number}", points), at)


SIZES = st.integers(2, 5).flatmap(lambda size: st.tuples(st.just(size), st.integers(size, 20)))


@settings(max_examples=60, deadline=None)
@given(SIZES, st.data())
def test_in_an_arena_whose_games_end_together_nobody_plays_two_games_fewer(sizes: tuple[int, int], data: st.DataObject) -> None:
    """Among persons, and among computers: over any rounds that follow each other, so over any ten, games differ by one."""
    size, count = sizes
    persons = data.draw(st.integers(0, count))
    found, rounds = opened("arena", count, size, persons, data.draw(st.integers(0, 9))), list[set[int]]()
    for number in range(1, 26):
        drew = found.next_round(float(number))
        assert drew is not None and len(drew.matches) == (1 if count < 2 * size else count // size)
        before = {frozenset(match.seats) for match in found.matches if match.round == found.rounds}
        assert count == size or not before & {frozenset(table) for table in drew.matches}, "not the same again at once"
        found.apply(drew, float(number))
        for match in found.open_matches:
            end(found, match, number + 0.5, data.draw(st.sampled_from(match.seats)))
        rounds.append({each for table in drew.matches for each in table})
    for start in range(len(rounds)):
        games = Counter[int]()
        for seated in rounds[start:]:
            games.update(seated)
            for kind in (range(persons), range(persons, count)):
                played = [games[each] for each in kind]
                assert not played or max(played) - min(played) <= 1, (start, games)


@settings(max_examples=60, deadline=None)
@given(SIZES, st.data())
def test_in_an_arena_whose_games_end_one_by_one_no_person_is_left_free_twice_in_a_row(
    sizes: tuple[int, int], data: st.DataObject
) -> None:
    size, count = sizes
    persons = data.draw(st.integers(0, count))
    found, waited, now = opened("arena", count, size, persons), set[int](), 0.0
    for _ in range(40):
        now += data.draw(st.sampled_from([1.0, 30.0, 100.0]))
        if found.open_matches and data.draw(st.integers(0, 1)):
            match: TournamentMatch = data.draw(st.sampled_from(found.open_matches))
            end(found, match, now, data.draw(st.sampled_from(match.seats)))
        elif found.free and len(found.playing) > size and data.draw(st.integers(0, 9)) == 0:
            found.apply(EntrantLeft(data.draw(st.sampled_from(found.free))), now)
        free, since, last = set(found.free), dict(found.since), dict(found.last)
        drew = found.next_round(now)
        if drew is None:
            held = {last.get(each, -1) for each in free}
            assert len(free) < size or (len(free) == size and len(held) == 1 and found.open_matches), "held back"
            continue
        seated = {each for table in drew.matches for each in table}
        rest = {each for each in free - seated if each < persons}
        assert not rest & waited, "whoever was left free sits at the next table"
        again = [table for table in drew.matches if len({last.get(each, -1) for each in table}) == 1 and table[0] in last]
        assert not again or len(free) == size, "exactly the same meet again only if nobody else is free"
        if not any(len({last.get(each, -1) for each in found_}) == 1 for found_ in [sorted(free, key=lambda e: since[e])[:size]]):
            longest = min((each for each in free if each < persons), key=lambda each: since[each], default=None)
            assert longest is None or any(since[each] == since[longest] for each in seated if each < persons)
        waited = rest
        found.apply(drew, now)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["swiss", "round_robin", "knock_out"]), SIZES, st.data())
def test_leaving_changes_nothing_that_is_over(kind: str, sizes: tuple[int, int], data: st.DataObject) -> None:
    size, count = sizes
    persons = data.draw(st.integers(0, count))
    found = opened(kind, count, size, persons)
    winners: dict[int, int | None] = {}
    while (drew := found.next_round()) is not None:
        found.apply(drew)
        byes = [*drew.byes, *drew.idle]
        seated = {each for table in drew.matches for each in table}
        if kind != "round_robin" or size > 2:
            assert all(each >= persons for each in byes) or not seated & {*range(persons, count)}, "byes go to computers first"
        for match in found.open_matches:
            gone = [each for each in match.seats if each in found.left]
            if data.draw(st.integers(0, 4)) == 0:
                gone.append(data.draw(st.sampled_from(match.seats)))
                found.apply(EntrantLeft(gone[-1]))
            end(found, match, 0.0, data.draw(st.sampled_from([each for each in match.seats if each not in gone] or match.seats)))
            winners[match.number] = match.winner
        if data.draw(st.integers(0, 3)) == 0:
            found.apply(EntrantLeft(data.draw(st.integers(0, count - 1))))
        assert all(found.matches[number].winner == winner for number, winner in winners.items())
        assert found.rounds < 80
    lines, alive = found.lines(), found._alive() if kind == "knock_out" and found.rounds else []
    if len(alive) == 1:
        assert lines[0].entrant == alive[0], "whoever is left alone has won"
    found.apply(TournamentClosed())
    later: list[Event] = [
        *map(EntrantLeft, range(count)),
        EntrantJoined("Late"),
        *(GameEnded(each.number, "T", [1.0] * size) for each in found.matches),
    ]
    for event in later:
        found.apply(event)
        assert found.lines() == lines, "the standings of what is over are a value"


def test_a_finalist_who_leaves_is_second_and_the_champion_stays_first() -> None:
    found = opened("knock_out", 4, 2, 4)
    for _ in range(2):
        drew = found.next_round()
        assert drew is not None
        found.apply(drew)
        for match in found.open_matches:
            if found.rounds == 2:
                found.apply(EntrantLeft(max(match.seats)))
            end(found, match, 0.0, min(match.seats))
    finalists = found.matches[-1].seats
    assert [line.entrant for line in found.lines()[:2]] == sorted(finalists)
    found.apply(EntrantLeft(min(finalists)))
    found.apply(TournamentClosed())
    assert [line.entrant for line in found.lines()[:2]] == sorted(finalists)


def test_an_arena_of_three_seats_whoever_waited() -> None:
    found, games = opened("arena", 3, 2), Counter[int]()
    for number in range(10):
        drew = found.next_round(float(number))
        assert drew is not None
        games.update(each for table in drew.matches for each in table)
        found.apply(drew, float(number))
        end(found, found.open_matches[0], number + 0.5, drew.matches[0][0])
    assert sorted(games.values()) == [6, 7, 7]


def test_a_bye_of_the_only_computer_counts_once() -> None:
    found = opened("swiss", 5, 2, 4)
    for _ in range(3):
        drew = found.next_round()
        assert drew is not None and [*drew.byes, *drew.idle] == [4]
        found.apply(drew)
        for match in found.open_matches:
            end(found, match, 0.0, match.seats[0])
    assert next(line.points for line in found.lines() if line.entrant == 4) == 1.0


class Never:
    """Plays a tournament in which some entrants never come: whoever comes wins against them, and who came loses by lot."""

    def __init__(self, found: Tournament, never: set[int], lot: Any) -> None:
        self.found, self.never, self.lot, self.now = found, never, lot, 0.0

    def game(self, match: TournamentMatch) -> None:
        """Deal and end the next game of a match, as the server does."""
        found, order = self.found, match.order(len(match.tables))
        table = f"{match.number}.{len(match.tables)}"
        found.apply(GameOpened(match.number, table, self.now + 600), self.now)
        gone, absent = [each for each in order if each in found.left], [each for each in order if each in self.never]
        if gone:
            points, absent = [0.0 if each in gone else 1.0 for each in order], []
        elif absent:
            points = [0.0 if each in absent else 1.0 for each in order]
        else:
            winner = self.lot(order)
            points = [float(each == winner) for each in order]
        found.apply(GameEnded(match.number, table, points, absent=absent), self.now)
        for each in found.missing:
            found.apply(EntrantLeft(each), self.now)

    def play(self, minutes: float) -> int:
        """Rounds until it is over; the end of an arena is its time."""
        for rounds in range(1000):
            self.now += 60.0
            late = self.found.settings.kind == "arena" and self.now > 60 * minutes
            drew = None if late else self.found.next_round(self.now)
            if drew is not None:
                self.found.apply(drew, self.now)
            elif not self.found.open_matches and (late or self.found.settings.kind != "arena"):
                return rounds
            for match in self.found.open_matches:
                self.game(match)
        raise AssertionError("it does not end")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["swiss", "round_robin", "knock_out", "arena"]), SIZES, st.booleans(), st.data())
def test_a_tournament_ends_however_many_never_come(kind: str, sizes: tuple[int, int], paired: bool, data: st.DataObject) -> None:
    size, count = sizes
    persons = data.draw(st.integers(0, count))
    never = data.draw(st.sets(st.integers(0, max(0, persons - 1)), max_size=persons)) if persons else set()
    found = opened(kind, count, size, persons, paired=paired)
    Never(found, never, lambda order: data.draw(st.sampled_from(order))).play(10)
    lines = found.lines()
    assert all(found.absences[each] <= ABSENCES + found.legs for each in never)
    assert all(found.absences[each] == 0 for each in range(count) if each not in never)
    present = [line.entrant for line in lines if line.entrant not in never]
    if kind == "knock_out" and present and any(match.winner is not None for match in found.matches):
        assert lines[0].entrant not in never or any(lines[0].entrant in byes for byes in found.byes), "nobody wins by not coming"
    for match in found.matches:
        assert match.winner is None or match.winner not in never or not match.games, "who never came wins no match"


def test_who_is_missing_once_plays_on_and_twice_leaves() -> None:
    found = opened("round_robin", 4, 2, 4)
    play = Never(found, {0}, min)
    for number in (1, 2):
        drew = found.next_round()
        assert drew is not None
        found.apply(drew)
        for match in found.open_matches:
            play.game(match)
        assert found.absences[0] == number and (0 in found.left) == (number == 2)
    drew = found.next_round()
    assert drew is not None and all(0 not in match for match in drew.matches) and len(drew.byes) == 1


# Standings


def test_points_are_for_winners_and_shared_without_one() -> None:
    assert points_of([1.0, -1.0, -1.0], [0, 1, 2]) == (1.0, 0.0, 0.0)
    assert points_of([0.0, 0.0], [0, 1]) == (0.5, 0.5)
    assert points_of([1.0, -1.0, 1.0, -1.0], [0, 1, 0, 1]) == (1.0, 0.0, 1.0, 0.0)


def test_tie_breaks_decide_in_their_order() -> None:
    # 0 and 1 have two points each; 0 has beaten 1.
    games = [
        FinishedGame((0, 1), (1, 0)),
        FinishedGame((1, 2), (1, 0)),
        FinishedGame((1, 3), (1, 0)),
        FinishedGame((0, 3), (1, 0)),
        FinishedGame((0, 2), (0, 1)),
    ]
    lines = standings([0, 1, 2, 3], games, [], "round_robin", "d")
    assert [line.entrant for line in lines[:2]] == [0, 1] and lines[0].breaks[0] == 1.0 and lines[1].breaks[0] == 0.0
    swiss = standings([0, 1, 2, 3], games, [], "swiss", "d")
    found = {line.entrant: line.breaks for line in swiss}
    assert found[0] == (2 + 0 + 1, 2 + 0, 2.0), "Buchholz: points of all opponents; Sonneborn-Berger: of those who were beaten"
    assert [line.place for line in swiss] == [1, 2, 3, 4]


def test_a_bye_counts_as_a_win_and_the_lot_is_the_same_each_time() -> None:
    lines = standings([0, 1, 2], [], [2], "swiss", "d")
    assert lines[0].entrant == 2 and lines[0].points == 1.0
    assert lines == standings([2, 1, 0], [], [2], "swiss", "d") != standings([0, 1, 2], [], [1], "swiss", "d")
