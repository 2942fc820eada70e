"""What lies on the table in Burning Bridges, for the slow oracle: options, board, pieces, bridges and questions about them.

Pieces are texts like `aL` (family a, larger parent), lines are texts like `A0-B0`, bridges are keyed (line, colour).
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

SIZES = {"L": 3, "M": 2, "S": 1}
DEFAULTS: dict = {
    "seats": 5, "board": "auto", "families": None, "firstPlayer": "random", "lastMoves": 0, "parallelBridges": True,
    "maxBridgesPerFamily": None, "torchOwn": False, "pins": "shared50", "ownerExtinguish": False,
    "equalBlocks": False, "captureMandatory": False, "situationScope": "player", "untorchChoice": "captor",
    "noneCost": 0, "immunityTurns": 2, "idleCount": "owner", "idleLimit": 6, "destroyCost": "ride",
    "distinctGoals": False, "roundLimit": None, "captureOnLeaving": False,
    "pie": False, "bid": False,
}  # fmt: skip
CHOICES: dict = {
    "firstPlayer": ("random", "seat0"), "pins": ("shared50", "10each"), "situationScope": ("player", "piece"),
    "untorchChoice": ("captor", "hostage"), "noneCost": (0, 1), "idleCount": ("owner", "round", "table"),
    "destroyCost": ("ride", "always1"), "seats": range(2, 6), "immunityTurns": range(10), "idleLimit": range(1, 100),
    "lastMoves": range(5),
}  # fmt: skip
AUTO_BOARD = {5: "star5", 4: "star4", 3: "star3", 2: "star4"}


def complete_options(options: dict) -> dict:
    """Every option with its value; raises ValueError for an unknown name or value."""
    unknown = sorted(set(options) - set(DEFAULTS))
    if unknown:
        raise ValueError(f"unknown options {unknown}")
    values = {**DEFAULTS, **options}
    for name, allowed in CHOICES.items():
        if values[name] not in allowed:
            raise ValueError(f"{name} cannot be {values[name]!r}")
    for name, default in DEFAULTS.items():
        if isinstance(default, bool) and not isinstance(values[name], bool):
            raise ValueError(f"{name} must be true or false")
    if values["bid"] and (values["seats"] != 2 or values["pie"] or values["lastMoves"]):
        raise ValueError("bid is for two families, without another rule about the first turn")
    return values


@dataclass(frozen=True)
class Board:
    pillars: list[str]
    lines: dict[str, tuple[str, str]]
    starts: dict[str, str]  # piece -> pillar
    goals: dict[str, set[str]]  # family letter -> pillars
    between: dict[tuple[str, str], str] = field(default_factory=dict)
    spots: dict[str, tuple[float, float]] = field(default_factory=dict)

    def line_between(self, here: str, there: str) -> str | None:
        """BBQ-3: two pillars are neighbours exactly when the board draws a line, in either direction."""
        if not self.between:  # looked up so often that it is worth a table
            self.between.update({ends: line for line, ends in self.lines.items()})
            self.between.update({ends[::-1]: line for line, ends in self.lines.items()})
        return self.between.get((here, there))

    def exchange(self) -> dict[str, str] | None:
        """BBQ-52: each pillar's image by the half turn, else by the mirror, that exchanges both families; None without one."""
        (ax, ay), (bx, by) = self.spots[self.starts["aL"]], self.spots[self.starts["bL"]]
        nx, ny, length = bx - ax, by - ay, (bx - ax) ** 2 + (by - ay) ** 2

        def turn_half(x: float, y: float) -> tuple[float, float]:
            return ax + bx - x, ay + by - y

        def mirror_point(x: float, y: float) -> tuple[float, float]:
            along = 2 * ((x - (ax + bx) / 2) * nx + (y - (ay + by) / 2) * ny) / length
            return x - along * nx, y - along * ny

        for way in (turn_half, mirror_point) if length else (turn_half,):
            image = {}
            for pillar, spot in self.spots.items():
                x, y = way(*spot)
                image[pillar] = min(self.spots, key=lambda p: (self.spots[p][0] - x) ** 2 + (self.spots[p][1] - y) ** 2)
            joined = {frozenset(ends) for ends in self.lines.values()}
            fits = {frozenset(image[end] for end in ends) for ends in joined} == joined
            fits = fits and all(image[image[pillar]] == pillar for pillar in image)
            fits = fits and all(image[self.starts["a" + kind]] == self.starts["b" + kind] for kind in SIZES)
            if fits and {image[goal] for goal in self.goals["a"]} == self.goals["b"]:
                return image
        return None

    def lines_to_goal(self, family: str, start: str) -> float:
        """Length of the shortest way from a pillar to one of the family's goals, bridges ignored."""
        reached, distance = {start}, 0
        while not reached & self.goals[family]:
            near = {end for ends in self.lines.values() if set(ends) & reached for end in ends}
            if near <= reached:
                return float("inf")
            reached, distance = reached | near, distance + 1
        return distance


def families_played(values: dict, available: int) -> list[int]:
    """Which families of the board's list the seats play (BBQ-40, 1.4)."""
    seats = values["seats"]
    if values["families"] is not None:
        chosen = [int(word) for word in str(values["families"]).split(",")]
    else:
        spread = {(2, 4): [0, 2], (3, 6): [0, 2, 4], (2, 6): [0, 3]}
        chosen = spread.get((seats, available), list(range(seats)))
    if len(chosen) != seats or len(set(chosen)) != seats or not set(chosen) <= set(range(available)):
        raise ValueError(f"families {chosen} do not fit {seats} seats on a board for {available}")
    return chosen


def read_board(values: dict, boards: Path) -> Board:
    wanted = values["board"]
    if wanted == "auto":
        wanted = AUTO_BOARD[values["seats"]]
    if isinstance(wanted, str):
        wanted = json.loads((Path(boards) / f"burning_bridges_{wanted}.json").read_text())
    starts, goals = {}, {}
    for letter, index in zip("abcde", families_played(values, len(wanted["family"]))):
        entry = wanted["family"][index]
        goals[letter] = set(entry["goals"])
        for kind in SIZES:
            starts[letter + kind] = entry["start"][kind]
    lines = {f"{one}-{other}": (one, other) for one, other in wanted["edges"]}
    board = Board(list(wanted["nodes"]), lines, starts, goals, spots={name: (x, y) for name, (x, y) in wanted["nodes"].items()})
    if values["pie"] and (values["seats"] != 2 or board.exchange() is None):
        raise ValueError("no half turn or mirror exchanges two families")
    return board


@dataclass
class Bridge:
    torch: bool = False
    idle: int = 0
    used: bool = True  # BBQ-31: building counts as use
    pin_of: str | None = None  # the family that placed the pin


@dataclass
class Table:
    """Everything that lies on the board, and the questions the clauses ask about it."""

    values: dict
    board: Board
    pillar: dict[str, str] = field(default_factory=dict)
    captor: dict[str, str | None] = field(default_factory=dict)
    bridges: dict[tuple[str, str], Bridge] = field(default_factory=dict)
    immune: dict[tuple[str, str], int] = field(default_factory=dict)  # (captor family, piece) -> turns left

    def __post_init__(self) -> None:
        self.pillar = dict(self.board.starts)
        self.captor = {piece: None for piece in self.pillar}

    def families(self) -> list[str]:
        return sorted(self.board.goals)

    def is_free(self, piece: str) -> bool:
        return self.captor[piece] is None

    def hostages_of(self, captor: str) -> list[str]:
        return [piece for piece, holder in self.captor.items() if holder == captor]

    def on_pillar(self, pillar: str) -> list[str]:
        return [piece for piece, place in self.pillar.items() if place == pillar]

    def may_take_at_all(self, capturer: str) -> bool:
        """BB-1.e.vi, BBQ-20: nobody in a hostage situation takes anything."""
        if self.values["situationScope"] == "piece":
            asked = [capturer]
        else:
            asked = [piece for piece in self.pillar if piece[0] == capturer[0]]
        return not any(self.hostages_of(piece) or not self.is_free(piece) for piece in asked)

    def is_protected(self, piece: str, capturer: str) -> bool:
        """BB-1.f, BBQ-18: a free larger piece of the family here, not smaller than the capturer."""
        for guard in self.on_pillar(self.pillar[piece]):
            same_family = guard[0] == piece[0]
            larger = SIZES[guard[1]] > SIZES[piece[1]]
            if same_family and larger and self.is_free(guard) and SIZES[capturer[1]] <= SIZES[guard[1]]:
                return True
        return False

    def can_be_taken(self, piece: str, capturer: str) -> bool:
        """The victim's side of a capture on the capturer's pillar (BBQ-13, 18, 21, 28)."""
        if piece[0] == capturer[0] or self.pillar[piece] != self.pillar[capturer]:
            return False
        if not self.is_free(piece):  # BBQ-21: still covered by its captor
            return False
        if SIZES[piece[1]] >= SIZES[capturer[1]]:  # BBQ-13
            return False
        if (capturer[0], piece) in self.immune:  # BBQ-28
            return False
        return not self.is_protected(piece, capturer)

    def victims(self, capturer: str) -> list[str]:
        return [piece for piece in sorted(self.pillar) if self.can_be_taken(piece, capturer)]

    def free_hostages(self, captor: str) -> None:
        """Walking off or being taken: free at once and without immunity (BBQ-21, 29, 46, 47)."""
        for piece in self.hostages_of(captor):
            self.captor[piece] = None

    def take(self, capturer: str, piece: str) -> None:
        self.free_hostages(piece)  # BBQ-21: a captor is never itself a hostage
        self.captor[piece] = capturer

    def release(self, captor: str, family: str) -> None:
        """Terms fulfilled or NONE: the family's pieces go free, with immunity from the captor's family (BBQ-28, 47)."""
        for piece in self.hostages_of(captor):
            if piece[0] == family:
                self.captor[piece] = None
                if self.values["immunityTurns"]:
                    self.immune[captor[0], piece] = self.values["immunityTurns"]

    def is_blocked(self, piece: str, target: str) -> bool:
        """BBQ-14 with equalBlocks: a free opponent of equal size closes the pillar."""
        if not self.values["equalBlocks"]:
            return False
        there = self.on_pillar(target)
        return any(other[0] != piece[0] and other[1] == piece[1] and self.is_free(other) for other in there)

    def burning(self, family: str) -> list[str]:
        """Lines with a torched bridge of the family's colour."""
        return [line for (line, colour), bridge in sorted(self.bridges.items()) if colour == family and bridge.torch]

    def pin_is_left(self, family: str) -> bool:
        """BBQ-11: 50 pins for all, or 10 each."""
        in_play = [bridge for bridge in self.bridges.values() if bridge.torch]
        if self.values["pins"] == "shared50":
            return len(in_play) < 50
        return len([bridge for bridge in in_play if bridge.pin_of == family]) < 10

    def quench(self, line: str, colour: str) -> None:
        bridge = self.bridges[line, colour]
        bridge.torch, bridge.pin_of = False, None

    def is_home(self, family: str) -> bool:
        """BB-W, BBQ-35: the whole family free on goal pillars of its colour."""
        pieces = [family + kind for kind in SIZES]
        places = [self.pillar[piece] for piece in pieces]
        if not all(self.is_free(piece) for piece in pieces):
            return False
        if self.values["distinctGoals"] and len(set(places)) < 3:
            return False
        return set(places) <= self.board.goals[family]

    def age_bridges(self, colours: set[str]) -> None:
        """BB-2.c, BBQ-31: unused bridges grow lonely; more than idleLimit times in a row and they collapse."""
        for key, bridge in list(self.bridges.items()):
            if key[1] in colours:
                bridge.idle = 0 if bridge.used else bridge.idle + 1
                bridge.used = False
                if bridge.idle > self.values["idleLimit"]:
                    del self.bridges[key]

    def shorten_immunity(self, family: str) -> None:
        """BBQ-28: one more own turn of the captor's family is over."""
        for key in [key for key in self.immune if key[0] == family]:
            self.immune[key] -= 1
            if self.immune[key] == 0:
                del self.immune[key]

    def exchange(self) -> None:
        """BBQ-52: all that lies on the board belongs to the other family, at the place that corresponds to its own."""
        image = self.board.exchange()
        assert image is not None

        def other(name: str) -> str:
            return {"a": "b", "b": "a"}[name[0]] + name[1:]

        def find_image(line: str) -> str:
            one, two = self.board.lines[line]
            found = self.board.line_between(image[one], image[two])
            assert found is not None
            return found

        self.pillar = {other(piece): image[pillar] for piece, pillar in self.pillar.items()}
        self.captor = {other(piece): holder and other(holder) for piece, holder in self.captor.items()}
        for bridge in self.bridges.values():
            bridge.pin_of = bridge.pin_of and other(bridge.pin_of)
        self.bridges = {(find_image(line), other(colour)): bridge for (line, colour), bridge in self.bridges.items()}
        self.immune = {(other(family), other(piece)): left for (family, piece), left in self.immune.items()}
