"""Words of The Front Lines for its plain second implementation: options, suits, teams, directions, cards."""

from dataclasses import dataclass

DEFAULTS = {
    "seats": 4, "allow3": False, "drawPack": "A-10", "jokersInField": 0, "opposedSides": False, "directions": "F+diag+LR",
    "flip": "step", "mayStop": False, "across": "stepOff", "faceCards": "sameColour", "revive": "place",
    "alternateTeams": False, "claim": "lastChance", "soloNeedsBoth": True, "lives": 2, "rows": 12, "layout": None,
}  # fmt: skip
COLUMNS = "abcd"
SUITS = "HDSC"
MATE = {"H": "D", "D": "H", "S": "C", "C": "S"}  # FL-R.3
TEAM = {"H": "red", "D": "red", "S": "black", "C": "black"}
OTHER = {"red": "black", "black": "red"}
SEATS = {  # FLQ-27 and the notation's three players
    2: {"H": 0, "D": 0, "S": 1, "C": 1},
    3: {"H": 0, "D": 1, "S": 2, "C": 2},
    4: {"H": 0, "D": 1, "S": 2, "C": 3},
}
DIRECTIONS = {  # (forward, sideways), FLQ-7
    "F": [(1, 0)],
    "F+LR": [(1, 0), (0, -1), (0, 1)],
    "F+diag+LR": [(1, 0), (1, -1), (1, 1), (0, -1), (0, 1)],
    "king8": [(f, s) for f in (1, 0, -1) for s in (-1, 0, 1) if (f, s) != (0, 0)],
}
FACES = {"J": 11, "Q": 12, "K": 13}


@dataclass
class Character:
    suit: str
    lives: int
    state: str = "alive"  # alive | waiting | out | across
    place: str = "start"


def rank(card: str) -> str:
    return card[:-1]


def suit(card: str) -> str:
    return card[-1]


def value(card: str) -> int:
    """FL-R.5, FLQ-2."""
    return {"A": 1, **FACES}.get(rank(card)) or int(rank(card))
