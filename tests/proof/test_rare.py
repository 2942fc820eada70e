"""Seeded play, biased towards trouble, meets every rare event of the rules many times."""

from collections import Counter
from typing import Any

import pytest
from pair import GAMES
from rare import SHOWS, events
from tiny import MINED, chain, ring

from bridgehead.core import registry
from versus import compare

MOST_BATCHES = 3  # for each time that an event is to be met
PATH = chain(("P0", "P2"), "P0-P1 P1-P2")
TWO = chain(("P0", "P1"), "P0-P1")
HOME = chain(("P0", "P2"), "P0-P1 P1-P2")  # the second family is one step from home, its child under the eyes of the first
HOME["family"][0]["start"] = {"L": "P0", "M": "P1", "S": "P1"}
HOME["family"][1] |= {"start": {"L": "P2", "M": "P1", "S": "P0"}, "goals": ["P0", "P2"]}
TRIANGLE: dict[str, Any] = {
    "name": "triangle",
    "families": 3,
    "nodes": {"P0": [0.0, 0.0], "P1": [1.0, 0.0], "P2": [0.5, 1.0]},
    "edges": [["P0", "P1"], ["P1", "P2"], ["P2", "P0"]],
    "family": [
        {
            "id": i,
            "color": color,
            "start": {size: f"P{(i + j) % 3}" for j, size in enumerate("LMS")},
            "goals": [f"P{(i + 1) % 3}"],
        }
        for i, color in enumerate(("red", "blue", "green"))
    ],
}
TWO_HOMES, FOUR_HOMES = ring([[1, 0]]), ring([[1, 0]])
FOUR_HOMES["homes"] += [
    {"id": 3, "color": "green", "entry": [0, 0], "slots": [[1, 3]]},
    {"id": 4, "color": "yellow", "entry": [2, 0], "slots": [[3, 3]]},
]
FACES = [["JH", "KH", "JD", "QD"], ["JS", "QS", "JC", "KC"]]

# Game -> (house rules, games in a batch, most actions each, actions that are liked).
RUNS: dict[str, list[tuple[dict[str, Any], int, int, tuple[str, ...]]]] = {
    "barricade": [
        ({"board": "mini", "seats": 2}, 4, 500, ("place c1", "place g1", "place e10", "c1", "home")),
        ({"board": "mini", "seats": 2, "rollAgainOn6": True, "pass": "onlyIfBlocked", "exitRoll": 6}, 3, 500, ("place e10",)),
        ({"board": "mini", "seats": 2, "turnLimit": 12}, 10, 100, ()),
        ({"board": FOUR_HOMES, "teams": "0,2/1,3", "seats": 4, "dieSides": 3}, 10, 200, ("place d2",)),
        ({"board": TWO_HOMES, "seats": 2, "dieSides": 3}, 10, 100, ("place a1", "place c1", "home")),
        ({"board": TWO_HOMES, "seats": 2, "dieSides": 2, "turnLimit": 4}, 10, 20, ()),
    ],
    "burning_bridges": [
        ({"seats": 2, "idleLimit": 2}, 1, 500, ("take", "seize", "pay", "torch", "cross S", "destroy", "build")),
        (
            {"seats": 2, "roundLimit": 25, "captureMandatory": True, "captureOnLeaving": True},
            2,
            300,
            ("walk L", "walk M", "take"),
        ),
        ({"seats": 2, "board": TWO, "roundLimit": 40}, 5, 200, ("cross S", "take", "build", "term none", "walk")),
        (
            {"seats": 2, "board": TWO, "roundLimit": 20},
            5,
            200,
            ("cross", "take", "seize", "build", "walk", "term destroy", "torch", "pay", "destroy"),
        ),
        ({"seats": 2, "board": TWO, "roundLimit": 3}, 10, 200, ()),
        ({"seats": 2, "board": PATH, "roundLimit": 40}, 3, 300, ("cross S", "torch", "destroy", "build")),
        (
            {"seats": 2, "board": PATH, "roundLimit": 40, "situationScope": "piece"},
            3,
            300,
            ("take", "seize", "term destroy", "pay", "build"),
        ),
        (
            {"seats": 2, "board": PATH, "roundLimit": 20, "untorchChoice": "hostage"},
            4,
            200,
            ("take", "seize", "build", "walk", "torch", "term untorch", "pay"),
        ),
        ({"seats": 2, "board": HOME, "roundLimit": 12, "noneCost": 1}, 15, 60, ("take", "seize", "walk")),
        (
            {"seats": 2, "board": TWO, "roundLimit": 4, "immunityTurns": 0, "captureMandatory": True},
            20,
            100,
            ("seize", "take", "build"),
        ),
        (
            {"seats": 3, "board": TRIANGLE, "roundLimit": 12, "noneCost": 1, "captureMandatory": True, "situationScope": "piece"},
            8,
            100,
            ("seize", "take", "walk"),
        ),
    ],
    "forty_bridges": [
        ({}, 4, 400, ()),
        ({"sidesNeeded": 2}, 5, 200, ()),
        ({"setup": "custom", "layout": "a1,e1 b1,a2"}, 10, 8, ("b1", "a2")),
        ({"setup": "custom", "layout": "a1 b1,a2,A3"}, 10, 8, ("A3", "B3")),
        ({"setup": "custom", "layout": "a1 b1,a3", "noMoves": "lose", "first": "random"}, 10, 4, ("a3-a2",)),
        ({"setup": "custom", "layout": "d5 a2"}, 10, 100, ()),
        ({"setup": "custom", "layout": "a1 e5"}, 10, 150, ()),
        ({"maxCaptures": 2, "sidesNeeded": 1}, 10, 60, ()),
        ({"maxCaptures": 2, "sidesNeeded": 1, "setup": "custom", "layout": "c3,b2,d4,B2,B3,C2 c1,a3,e3,c5,C3,A1"}, 10, 20, ()),
        ({"quietLimit": 5}, 10, 60, ()),
    ],
    "front_lines": [
        ({}, 10, 400, ()),
        ({"faceCards": "safeForAll", "rows": 4}, 10, 200, ()),
        ({"lives": 9, "faceCards": "safeForAll", "alternateTeams": True}, 3, 900, ()),
        ({"jokersInField": 2, "rows": 1}, 10, 60, ()),
        ({"rows": 3}, 10, 120, ()),
        ({"rows": 1, "lives": 2, "layout": [["JH", "JS", "2D", "3C"]]}, 10, 60, ()),
        ({"rows": 1, "lives": 1, "soloNeedsBoth": False, "layout": [MINED]}, 10, 60, ()),
        ({"rows": 2, "faceCards": "safeForAll", "directions": "king8", "layout": FACES}, 10, 120, ()),
    ],
}
EVENTS = {name: list(events) for name, events in SHOWS.items()}


def play(name: str, row: int, games: int, begun: int) -> Counter[str]:
    """So many games of one run, after those that were begun before."""
    options, _, most, favourites = RUNS[name][row]
    found: Counter[str] = Counter()
    for seed in range(begun, begun + games):
        found += events(name, options, 1000 * row + seed, most, favourites)
    return found


def count(name: str, goal: int) -> Counter[str]:
    """Every run once, then again and again the run that is best at the rarest event, until each was met often enough."""
    rows, batch = range(len(RUNS[name])), [games for _, games, _, _ in RUNS[name]]
    told = [play(name, row, batch[row], 0) for row in rows]
    begun, found = list(batch), sum(told, Counter[str]())
    for _ in range(MOST_BATCHES * goal):
        missing = [event for event in EVENTS[name] if found[event] < goal]
        if not missing:
            break
        rarest = min(missing, key=lambda event: found[event])
        # The half lets a run that was tried little be tried again.
        row = max(rows, key=lambda row: (told[row][rarest] + 0.5) / told[row]["plies"])
        more = play(name, row, batch[row], begun[row])
        begun[row] += batch[row]
        told[row] += more
        found += more
    for event in EVENTS[name]:
        print(f"{name}: {event}: {found[event]}")
    return found


def judge(name: str, goal: int, counted: Any) -> None:
    found = count(name, goal)
    counted(name, sum(found[event] for event in EVENTS[name]), "events")
    assert {event: found[event] for event in EVENTS[name] if found[event] < goal} == {}


@pytest.mark.parametrize("name", GAMES)
def test_every_rare_event_shows_a_clause_of_the_rulebook(name: str) -> None:
    shown = {clause for clauses in SHOWS[name].values() for clause in clauses.split()}
    assert [clause for clause in sorted(shown) if clause not in registry.game(name).rulebook] == []


@pytest.mark.parametrize("name", GAMES)
def test_engine_and_oracle_agree_where_events_are_rare(name: str) -> None:
    matches = [compare(name, options, seed, 60, favourites=liked) for options, _, _, liked in RUNS[name] for seed in range(2)]
    assert sum(match.plies for match in matches) > 250
    assert len({match.reason for match in matches}) > 2


@pytest.mark.parametrize("name", GAMES)
def test_play_meets_every_rare_event_forty_times(name: str, counted: Any) -> None:
    judge(name, 40, counted)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_long_play_meets_every_rare_event_a_thousand_times(name: str, counted: Any) -> None:
    judge(name, 1000, counted)
