"""Rare events of the four games, told from the facts before and after an action and from its text."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from bridgehead.core.position import Position
from variants import make

Facts = dict[str, Any]
ENTRIES = {"c1", "g1", "k1", "o1", "a1"}  # of the classic board, mini (c1, g1) and the ring (a1, c1)
FINALS = {"place i14", "place e10", "place d2"}  # the same boards


def forty_bridges(before: Facts, text: str, after: Facts, legal: list[str]) -> Iterator[str]:
    lost = Counter(before["pieces"].values()) - Counter(after["pieces"].values())
    if before["actor"] in (0, 1):
        yield f"a capture of {lost[1 - before['actor']]}"
        if lost[before["actor"]]:
            yield "a suicide"
    if text == "pass":
        yield "a forced pass"
    if text.startswith("take"):
        yield "a choice of whom to take"
    if after["over"]:
        yield f"the end by {after['reason']}"


def barricade(before: Facts, text: str, after: Facts, legal: list[str]) -> Iterator[str]:
    def at_home(facts: Facts) -> int:
        return sum(place == "home" for places in facts["pawns"].values() for place in places)

    target = text.split("-")[-1]
    if "-" in text and at_home(after) > at_home(before) - text.startswith("home"):
        yield "a pawn taken"
    if after["placing"]:
        yield "a barricade taken"
        if target in ENTRIES:
            yield "a barricade taken on an entry square"
    if text == "pass":
        yield "a forced pass" if legal == ["pass"] else "a pass by choice"
    if before["actor"] != "chance" and before["die"] == 6 and not after["die"] and before["turns"] == after["turns"]:
        yield "another roll after a 6"
    if text in FINALS:
        yield "a barricade on the final square"
    if after["over"]:
        yield f"the end by {after['reason']}"
        if after["reason"] == "final" and target in before["barricades"]:
            yield "a win on a barricaded final square"
        if len(after["winners"]) > 1:
            yield "a win of a team of two"
    if "-" in text and text.split("-")[0] == target:
        yield "a walk round a loop to its own origin"


def front_lines(before: Facts, text: str, after: Facts, legal: list[str]) -> Iterator[str]:
    if text.startswith("draw"):
        if len(after["used"]) <= len(before["used"]):
            yield "an empty draw pack refilled"
        if after["drawn"] is None:
            yield "a card of somebody who cannot go"
    for suit, (_, state, _) in before["characters"].items():
        now = after["characters"][suit][1]
        if state != now:
            yield f"{state} to {now}"
    if text == "flip JK":
        yield "a Joker"
    if text.startswith("to ") and text[3:] in before["field"] and len(after["blown"]) > len(before["blown"]):
        yield "a known mine stepped on"
    if before["claim"] is None and after["claim"]:
        yield "a claim"
    states = [[told[:2] for told in facts["characters"].values()] for facts in (before, after)]
    if before["left"] > 1 and after["drawn"] is None and states[0] == states[1] and text != "stop":
        yield "a turn at an end because nowhere is left to go"
    if after["over"]:
        yield f"the end by {after['reason']}"


def burning_bridges(before: Facts, text: str, after: Facts, legal: list[str]) -> Iterator[str]:
    def held(facts: Facts) -> dict[str, str]:
        return {piece: captor for piece, (_, captor) in facts["pieces"].items() if captor}

    was, now, words = held(before), held(after), text.split()
    if any(number == 2 and Counter(was.values())[captor] < 2 for captor, number in Counter(now.values()).items()):
        yield "a capture of two"
    if words[0] == "seize":
        yield "a seizing in place"
    if words[0] == "pay":
        yield f"a release by {before['terms'][words[1]].split()[0]}"
    if text == "term none" and len(now) < len(was):
        yield "a release by none"
    if legal == ["term none"]:
        yield "a forced none"
    if words[0] in ("walk", "cross"):
        mover = "abcde"[before["turn"]] + words[1]
        if mover in was.values() and mover not in now.values():
            yield "hostages left behind"
    if any(captor in now for captor in was.values()):
        yield "a captor captured"
    gone = set(before["bridges"]) - set(after["bridges"])
    if gone and words[0] not in ("destroy", "pay"):
        yield "a collapse"
    if words[0] == "destroy":
        yield "a ride that destroys" if before["phase"] == "ride" else "a child that destroys where it stands"
    if before["turn"] == after["turn"] and set(before["terms"]) - set(after["terms"]) - set(words):
        yield "a term that came to nothing"
    if after["over"]:
        yield f"the end by {after['reason']}"
        if after["winners"] not in ([], [before["turn"]]) and after["reason"] == "home":
            yield "a win in another family's turn"


TELLERS: dict[str, Callable[..., Iterator[str]]] = {
    "barricade": barricade, "burning_bridges": burning_bridges, "forty_bridges": forty_bridges, "front_lines": front_lines,
}  # fmt: skip


# Events -> clauses that they show at work; tools/rulings.py counts them.
SHOWS: dict[str, dict[str, str]] = {
    "barricade": {
        "a pawn taken": "BA-R.6 BA-R.8 BA-R.9 BAQ-10", "a barricade taken": "BA-R.6 BA-R.7 BAQ-9",
        "a barricade taken on an entry square": "BA-R.4 BAQ-4", "a forced pass": "BAQ-1 BAQ-15",

        "a pass by choice": "BA-M.4 BAQ-1",
        "another roll after a 6": "BAQ-11 BAQ-23", "a barricade on the final square": "BAQ-8",
        "a win on a barricaded final square": "BAQ-26", "a win of a team of two": "BA-T.4 BAQ-13",
        "the end by final": "BA-G BA-M.2 BAQ-6", "the end by turn-limit": "BAQ-16 BAQ-25",
    },
    "burning_bridges": {
        "a capture of two": "BB-1.e.ii BBQ-17", "a seizing in place": "BBQ-16", "a release by destroy": "BB-1.e.iii.1 BB-1.e.vii",
        "a release by untorch": "BB-1.e.iii.2 BB-1.e.vii", "a release by none": "BB-1.e.iii.3 BBQ-27", "a forced none": "BBQ-24",
        "hostages left behind": "BB-1.e.v BBQ-29", "a captor captured": "BBQ-21 BBQ-46", "a collapse": "BB-2.c BBQ-31",
        "a ride that destroys": "BB-3.a BBQ-32 BBQ-45", "a child that destroys where it stands": "BB-3.a BB-3.a.i",
        "a term that came to nothing": "BBQ-42", "the end by round-limit": "BBQ-38", "the end by home": "BB-W.1",
        "a win in another family's turn": "BBQ-36",
    },
    "forty_bridges": {
        "a capture of 1": "FB-5.a FB-5.e", "a capture of 2": "FB-5.d FB-5.e", "a suicide": "FBQ-8",

        "a forced pass": "FBQ-13 FBQ-18",
        "a choice of whom to take": "FBQ-7", "the end by corner": "FB-0 FB-3 FBQ-11", "the end by captured": "FB-0 FB-3",
        "the end by repetition": "FBQ-15", "the end by quiet": "FBQ-15", "the end by blocked": "FBQ-13",
    },
    "front_lines": {
        "an empty draw pack refilled": "FLQ-25", "a card of somebody who cannot go": "FL-R.10 FLQ-15",
        "alive to waiting": "FL-R.8 FL-R.11", "waiting to alive": "FLQ-13 FLQ-14", "alive to out": "FL-R.12",
        "alive to across": "FL-W.1 FLQ-24", "a known mine stepped on": "FLQ-9", "a claim": "FL-W.3", "a Joker": "FL-R.9 FLQ-3",
        "a turn at an end because nowhere is left to go": "FLQ-9", "the end by both-across": "FL-W.2",

        "the end by race": "FL-W.4",
        "the end by claim": "FL-W.3", "the end by solo": "FL-W.5", "the end by no-winner": "FL-W.6",
    },
}  # fmt: skip


def events(name: str, options: dict[str, Any], seed: int, most: int, favourites: tuple[str, ...]) -> Counter[str]:
    """Rare events of one game (and its `plies`), played at random by seats that like actions that begin with a favourite."""
    rng, found, position = random.Random(seed), Counter[str](), make(name, options).start()
    facts = position.facts()
    found["plies"] = 0
    for _ in range(most):
        if position.is_over:
            break
        names = [position.name(action) for action in position.legal]
        action = pick(position, names, rng, favourites)
        found["plies"] += 1
        after = position.play(position.legal[action])
        facts, earlier = after.facts(), facts
        if not names[action].startswith("first"):
            found.update(TELLERS[name](earlier, names[action], facts, names))
        position = after
    return found


def pick(position: Position, names: list[str], rng: random.Random, favourites: tuple[str, ...]) -> int:
    """The index of the next action: a favourite three times out of four, if there is one."""
    if position.is_chance:
        return rng.choices(range(len(names)), position.weights)[0]
    liked = [index for index, name in enumerate(names) if name.startswith(favourites)] if favourites else []
    return rng.choice(liked) if liked and rng.random() < 0.75 else rng.randrange(len(names))
