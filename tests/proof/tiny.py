"""Tiny games, small enough to be looked at whole: boards, layouts and house rules, and the enumeration of all positions."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from pair import clone, engine, oracle

from bridgehead.core.position import Position


class Tiny(NamedTuple):
    """A tiny game. `deals`: the cards that chance may draw (the others are left out on both sides), empty for all."""

    game: str
    options: dict[str, Any]
    deals: frozenset[str] = frozenset()


class Graph(NamedTuple):
    """All positions of a game: their keys, the number of actions between them, and how often it ends in which way."""

    positions: set[str]
    edges: int
    ends: Counter[str]


def ring(barricades: list[list[int]]) -> dict[str, Any]:
    """Nine squares: a ring of eight with the final square at its side, a home at two corners."""
    squares = [[0, 0], [1, 0], [2, 0], [0, 1], [2, 1], [3, 1], [0, 2], [1, 2], [2, 2]]
    homes = [
        {"id": 1, "color": "red", "entry": [0, 2], "slots": [[0, 3]]},
        {"id": 2, "color": "blue", "entry": [2, 2], "slots": [[2, 3]]},
    ]
    return {
        "name": "ring", "width": 4, "height": 4, "pawnsPerPlayer": 1, "squares": squares, "final": [3, 1],
        "barricades": barricades, "homes": homes, "firstRowY": 2,
    }  # fmt: skip


def pairs(barricades: list[list[int]]) -> dict[str, Any]:
    """The ring with two pawns in each home."""
    board = ring(barricades)
    board["pawnsPerPlayer"] = 2
    for home, slot in zip(board["homes"], ([1, 3], [3, 3]), strict=True):
        home["slots"].append(slot)
    return board


def chain(starts: tuple[str, str], lines: str = "P0-P1 P1-P2 P2-P3") -> dict[str, Any]:
    """Pillars in a row (or as the lines say): one family begins at each end, and wants to be where the other begins."""
    edges = [line.split("-") for line in lines.split()]
    pillars = sorted({pillar for edge in edges for pillar in edge})
    family = [
        {"id": i, "color": color, "start": dict.fromkeys("LMS", starts[i]), "goals": [starts[1 - i]]}
        for i, color in enumerate(("red", "blue"))
    ]
    nodes = {pillar: [float(i), float(i * i)] for i, pillar in enumerate(pillars)}
    return {"name": "chain", "families": 2, "nodes": nodes, "edges": edges, "family": family}


def hidden(name: str, side: Any) -> Any:
    """What facts do not tell and the next actions depend on, read from either side."""
    ours = isinstance(side, Position)
    if name == "barricade":
        return int(side.state.seat) if ours else side.seat
    if name == "front_lines":
        return ("red", "black", None)[int(side.state.first)] if ours else side.first_across
    if name == "burning_bridges" and side.facts()["phase"] in ("take", "ride"):
        mover = int(side.state.mover) if ours else "abcde".index(side.mover[0]) * 3 + "LMS".index(side.mover[1])
        taken = int(side.state.taken) if ours else side.taken
        return [mover, taken if side.facts()["phase"] == "take" else 0]
    return None


def key(name: str, side: Any) -> str:
    """A position as a text: equal on both sides when the tables are equal. Counters of turns do not distinguish positions."""
    facts = side.facts()
    told = {word: facts[word] for word in sorted(facts) if word != "turns"}
    return json.dumps([told, None if facts["over"] else hidden(name, side)], sort_keys=True)


def explore(tiny: Tiny, start: Any, actions: Callable[[Any], list[str]], after: Callable[[Any, str], Any]) -> Graph:
    """All positions that can be reached, by breadth."""
    found, edges, ends, waiting = {key(tiny.game, start)}, 0, Counter(), [start]
    for side in waiting:
        facts = side.facts()
        if facts["over"]:
            ends[f"{facts['reason']} {facts['winners']}"] += 1
        for action in actions(side):
            if tiny.deals and action.startswith("draw ") and action[5:] not in tiny.deals:
                continue
            edges += 1
            beyond = after(side, action)
            if (name := key(tiny.game, beyond)) not in found:
                found.add(name)
                waiting.append(beyond)
    return Graph(found, edges, ends)


def by_engine(tiny: Tiny) -> Graph:
    def actions(position: Position) -> list[str]:
        return [position.name(action) for action in position.legal]

    return explore(tiny, engine(tiny.game, tiny.options), actions, lambda position, text: position.play(text))


def by_oracle(tiny: Tiny) -> Graph:
    def after(one: Any, text: str) -> Any:
        other = clone(tiny.game, one)
        other.play(text)
        return other

    return explore(tiny, oracle(tiny.game, tiny.options), lambda one: list(one.legal()), after)


RED_AND_BLACK = ["2H", "2S", "3D", "3C"]
MINED = ["2S", "3S", "2C", "3C"]
TINY = {
    "ring without barricades": Tiny("barricade", {"seats": 2, "board": ring([]), "dieSides": 3}),
    "ring with a barricade": Tiny("barricade", {"seats": 2, "board": ring([[1, 0]]), "dieSides": 2}),
    "ring with a barricade, classic": Tiny(
        "barricade",
        {"seats": 2, "board": ring([[1, 0]]), "dieSides": 2, "pass": "onlyIfBlocked", "revisit": "noRepeat",
         "firstRowAllowed": False, "exactFinal": False, "finalAllowed": False},
    ),
    "ring with two barricades": Tiny("barricade", {"seats": 2, "board": ring([[1, 0], [1, 2]]), "dieSides": 2}),
    "ring with a barricade, two pawns each": Tiny(
        "barricade",
        {"seats": 2, "board": pairs([[1, 0]]), "dieSides": 2, "pass": "onlyIfBlocked", "revisit": "noRepeat",
         "firstRowAllowed": False, "finalAllowed": False, "firstRowSafe": True},
    ),
    "a path of three pillars, two rounds": Tiny(
        "burning_bridges",
        {"seats": 2, "board": chain(("P0", "P2"), "P0-P1 P1-P2"), "firstPlayer": "seat0", "roundLimit": 2},
    ),
    "a square of four pillars, one round": Tiny(
        "burning_bridges",
        {"seats": 2, "board": chain(("P0", "P1"), "P0-P1 P1-P2 P2-P3 P3-P0"), "firstPlayer": "random", "roundLimit": 1,
         "captureMandatory": True, "situationScope": "piece"},
    ),
    "two pillars, two rounds": Tiny(
        "burning_bridges",
        {"seats": 2, "board": chain(("P0", "P1"), "P0-P1"), "firstPlayer": "seat0", "roundLimit": 2, "idleLimit": 1,
         "noneCost": 1},
    ),
    "two against two": Tiny("forty_bridges", {"setup": "custom", "layout": "c4,B3 C2,b2", "repetition": "none", "quietLimit": 4}),
    "two against two, two sides": Tiny(
        "forty_bridges",
        {"setup": "custom", "layout": "a2,A1 b1,b2", "repetition": "none", "quietLimit": 4, "sidesNeeded": 2, "bentJumps": True},
    ),
    "two against two, six quiet turns": Tiny(
        "forty_bridges", {"setup": "custom", "layout": "c4,B3 C2,b2", "repetition": "none", "quietLimit": 6}
    ),
    "two against two, one side": Tiny(
        "forty_bridges",
        {"setup": "custom", "layout": "c4,B3 C2,b2", "repetition": "none", "quietLimit": 4, "sidesNeeded": 1,
         "maxCaptures": 2, "suicide": "forbidden"},
    ),
    "one against one in the corner": Tiny(
        "forty_bridges",
        {"setup": "custom", "layout": "d5 a2", "repetition": "none", "quietLimit": 8, "sidesNeeded": 1, "noMoves": "lose"},
    ),
    "one row, red and black": Tiny(
        "front_lines",
        {"rows": 1, "layout": [RED_AND_BLACK], "lives": 1, "directions": "F"},
        frozenset(("2H", "2D", "2S", "2C", "AS")),
    ),
    "one row of mines for red": Tiny(
        "front_lines",
        {"rows": 1, "layout": [MINED], "lives": 1, "claim": "immediate", "soloNeedsBoth": False},
        frozenset(("2H", "AH", "2D", "2S", "2C")),
    ),
    "two rows, two lives": Tiny(
        "front_lines",
        {"rows": 2, "layout": [["2S", "3S", "2C", "3C"], ["2H", "3H", "2D", "3D"]], "directions": "F"},
        frozenset(("3H", "3D", "3S")),
    ),
}  # fmt: skip
