"""Seeded play, biased towards trouble, meets every rare event of the rules many times."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from pair import GAMES
from rare import events
from tiny import MINED, chain, ring

PATH = chain(("P0", "P2"), "P0-P1 P1-P2")
TWO = chain(("P0", "P1"), "P0-P1")
TRIO = chain(("P0", "P2"), "P0-P1 P1-P2 P1-P3 P3-P4")
TRIO["families"] = 3
TRIO["family"] += [{"id": 2, "color": "green", "start": dict.fromkeys("LMS", "P4"), "goals": ["P0"]}]
RING = ring([[1, 0]])
RING["homes"] += [
    {"id": 3, "color": "green", "entry": [0, 0], "slots": [[1, 3]]},
    {"id": 4, "color": "yellow", "entry": [2, 0], "slots": [[3, 3]]},
]
FACES = [["JH", "KH", "JD", "QD"], ["JS", "QS", "JC", "KC"]]

# Game -> (house rules, games in the short run, most actions each, actions that are liked).
RUNS: dict[str, list[tuple[dict[str, Any], int, int, tuple[str, ...]]]] = {
    "barricade": [
        ({"board": "mini", "seats": 2}, 12, 500, ("place c1", "place g1", "place e10", "c1", "home")),
        ({"board": "mini", "seats": 2, "rollAgainOn6": True, "pass": "onlyIfBlocked", "exitRoll": 6}, 8, 500, ("place e10",)),
        ({"board": "mini", "seats": 2, "turnLimit": 12}, 12, 100, ()),
        ({"board": RING, "teams": "0,2/1,3", "seats": 4, "dieSides": 3}, 20, 200, ("place d2",)),
    ],
    "burning_bridges": [
        ({"seats": 2, "idleLimit": 2}, 4, 500, ("take", "seize", "pay", "torch", "cross S", "destroy", "build")),
        ({"seats": 3, "board": TRIO, "roundLimit": 40}, 8, 300, ("take", "seize", "pay", "torch", "cross", "destroy")),
        (
            {"seats": 2, "roundLimit": 25, "captureMandatory": True, "captureOnLeaving": True},
            6,
            300,
            ("walk L", "walk M", "take"),
        ),
        ({"seats": 2, "board": TWO, "roundLimit": 40}, 20, 200, ("cross S", "take", "build", "term none", "walk")),
        (
            {"seats": 2, "board": TWO, "roundLimit": 40, "captureMandatory": True},
            60,
            200,
            ("cross S", "take", "seize", "walk", "term destroy", "term untorch", "torch", "build"),
        ),
        ({"seats": 2, "board": PATH, "roundLimit": 40}, 12, 300, ("cross S", "torch", "destroy", "build")),
        (
            {"seats": 2, "board": PATH, "roundLimit": 40, "situationScope": "piece"},
            12,
            300,
            ("take", "seize", "term destroy", "pay", "build"),
        ),
    ],
    "forty_bridges": [
        ({}, 12, 400, ()),
        ({"sidesNeeded": 2}, 20, 200, ()),
        ({"setup": "custom", "layout": "a1,e1 b1,a2"}, 20, 8, ("b1", "a2")),
        ({"setup": "custom", "layout": "a1 b1,a2,A3"}, 20, 8, ("A3", "B3")),
        ({"setup": "custom", "layout": "a1 b1,a3", "noMoves": "lose", "first": "random"}, 20, 4, ("a3-a2",)),
        ({"setup": "custom", "layout": "a1 e5"}, 15, 150, ()),
        ({"maxCaptures": 2, "sidesNeeded": 1}, 25, 60, ()),
        ({"quietLimit": 5}, 25, 60, ()),
    ],
    "front_lines": [
        ({}, 30, 400, ()),
        ({"faceCards": "safeForAll", "rows": 4}, 40, 200, ()),
        ({"lives": 5, "directions": "king8"}, 6, 900, ()),
        ({"jokersInField": 2, "rows": 6, "lives": 3}, 20, 300, ()),
        ({"rows": 3}, 60, 120, ()),
        ({"rows": 1, "lives": 1, "soloNeedsBoth": False, "layout": [MINED]}, 30, 60, ()),
        ({"rows": 2, "faceCards": "safeForAll", "directions": "king8", "layout": FACES}, 40, 120, ()),
    ],
}
EVENTS: dict[str, list[str]] = {
    "barricade": [
        "a pawn taken", "a barricade taken", "a barricade taken on an entry square", "a forced pass", "a pass by choice",
        "another roll after a 6", "a barricade on the final square", "a win on a barricaded final square",
        "a win of a team of two", "the end by final", "the end by turn-limit",
    ],
    "burning_bridges": [
        "a capture of two", "a seizing in place", "a release by destroy", "a release by untorch", "a release by none",
        "a forced none", "hostages left behind", "a captor captured", "a collapse", "a ride that destroys",
        "a child that destroys where it stands", "a term that came to nothing", "the end by round-limit",
        "the end by home", "a win in another family's turn",
    ],
    "forty_bridges": [
        "a capture of 1", "a capture of 2", "a suicide", "a forced pass", "a choice of whom to take", "the end by corner",
        "the end by captured", "the end by repetition", "the end by quiet", "the end by blocked",
    ],
    "front_lines": [
        "an empty draw pack refilled", "a card of somebody who cannot go", "alive to waiting", "waiting to alive",
        "alive to out", "alive to across", "a known mine stepped on", "a claim", "a Joker",
        "a turn at an end because nowhere is left to go", "the end by both-across", "the end by race", "the end by claim",
        "the end by solo", "the end by no-winner",
    ],
}  # fmt: skip


def count(name: str, times: int) -> Counter[str]:
    """Every run of a game, `times` as long as in the short run."""
    found: Counter[str] = Counter()
    for row, (options, games, most, favourites) in enumerate(RUNS[name]):
        for seed in range(games * times):
            found += events(name, options, 1000 * row + seed, most, favourites)
    for event in EVENTS[name]:
        print(f"{name}: {event}: {found[event]}")
    return found


@pytest.mark.parametrize("name", GAMES)
def test_play_meets_every_rare_event(name: str, counted: Any) -> None:
    found = count(name, 1)
    counted(name, sum(found[event] for event in EVENTS[name]), "events")
    assert {event: found[event] for event in EVENTS[name] if found[event] < 3} == {}


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", GAMES)
def test_long_play_meets_every_rare_event_a_hundred_times(name: str, counted: Any) -> None:
    found = count(name, 25)
    counted(name, sum(found[event] for event in EVENTS[name]), "events")
    assert {event: found[event] for event in EVENTS[name] if found[event] < 100} == {}
