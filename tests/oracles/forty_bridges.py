"""A slow, plain second implementation of 40 Bridges, written from the rulebook alone.

Fields are texts (`a1`..`e5` squares, `A1`..`D4` octagons), positions are dicts, and every
pair (own piece, field) is tried and then refused by clause.

AMBIGUOUS
- FBQ-13: both players blocked is a draw under every value of `noMoves` ("If both are blocked: draw").
- FBQ-13: a blocked player is also looked for before the first move and after `set_up` (custom layouts).
- FBQ-24: `repetition=forbid` never forbids a pass; who has only forbidden moves is blocked (as FBQ-23 says for suicide).
- FBQ-7: `maxCaptures=2`: one or two surrounded pieces go by themselves. While `take` is asked, `quiet`
  keeps its old value until the first removal, then it is 0; move and takes together are one ply.
- FBQ-18: the ply that enters the corner counts as a quiet ply in the facts of the finished game.
- FBQ-21: captureNeedsMover: the moved piece must be one of the sides (it may be a fourth one).
- notation: `reason` is None while the game runs.
- FBQ-29: a lot that is still to come after the one for the first seat belongs to `chance` in the facts, too.
- set_up, FBQ-29: facts do not tell who begins when the opening is still drawn; the extra key `begins` does.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

# The eight touching directions in the order of a full turn (rules 2.2): neighbours here are 45 degrees apart.
TURN = [(2, 0), (1, 1), (0, 2), (-1, 1), (-2, 0), (-1, -1), (0, -2), (1, -1)]
STEPS = [(2, 0), (0, 2), (-2, 0), (0, -2)]
CORNER = {0: "a1", 1: "e5"}  # FBQ-2: whose corner is where
SETUPS = {  # rules 2.2, player 1; player 2 is the same turned by 180 degrees
    "block": [(0, 0), (2, 0), (0, 2), (2, 2), (1, 1), (3, 1), (1, 3), (3, 3)],
    "row": [(0, 0), (2, 0), (4, 0), (6, 0), (1, 1), (3, 1), (5, 1), (7, 1)],
}
DEFAULTS = {
    "seats": 2, "setup": "block", "layout": None, "first": "p1", "bentJumps": False, "sidesNeeded": 3,
    "captureNeedsMover": False, "maxCaptures": None, "suicide": "removed", "noMoves": "pass", "repetition": "draw3",
    "retreat": True, "quietLimit": 100, "pie": False, "openings": "free",
}  # fmt: skip
OPENINGS = Path(__file__).parents[2] / "src" / "bridgehead" / "games" / "forty_bridges" / "openings.txt"
NO_LIMIT = 1000  # notation: without a quiet limit the game still ends


def field_name(x: int, y: int) -> str:
    """(0,0) -> a1, (1,1) -> A1."""
    letters = "abcde" if x % 2 == 0 else "ABCD"
    return letters[x // 2] + str(y // 2 + 1)


def shifted(place: tuple[int, int], *moves: tuple[int, int]) -> tuple[int, int]:
    x, y = place
    for dx, dy in moves:
        x, y = x + dx, y + dy
    return x, y


def turned(direction: tuple[int, int], eighths: int) -> tuple[int, int]:
    return TURN[(TURN.index(direction) + eighths) % 8]


class Oracle:
    def __init__(self, options: dict, boards: Path) -> None:
        unknown = set(options) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"unknown options {sorted(unknown)}")
        self.opt = {**DEFAULTS, **options}
        if self.opt["seats"] != 2:
            raise ValueError("FB-0: two players")
        if self.opt["openings"] == "balanced" and any(
            self.opt[name] != DEFAULTS[name] for name in ("setup", "sidesNeeded", "bentJumps", "pie")
        ):
            raise ValueError("FBQ-29: the list of openings was judged under other rules")
        board = json.loads((Path(boards) / "forty_bridges.json").read_text())
        spots = [tuple(spot) for spot in board["squares"] + board["octagons"]]
        self.spot = {field_name(*spot): spot for spot in spots}
        self.name = {spot: name for name, spot in self.spot.items()}
        self._read_geometry()
        self._start()
        if self.opt["first"] == "random":  # FBQ-2, ALLQ-1
            self.mover = "chance"
        else:
            self._open_game(0)

    # ---- start -------------------------------------------------------------
    def _start(self) -> None:
        self.pieces = self._start_pieces()
        self.mover: int | str = 0
        self.quiet = 0
        self.seen: Counter = Counter()
        self.takeable: set[str] = set()  # surrounded pieces while the mover chooses two (maxCaptures 2)
        self.taken = 0
        self.turns = 0
        self.begins: int | None = None  # who begins, while the opening is drawn
        self.over = False
        self.winners: list[int] = []
        self.reason: str | None = None

    def _start_pieces(self) -> dict[str, int]:
        if self.opt["setup"] == "custom":
            texts = self.opt["layout"].split(" ")
            sides = [text.split(",") for text in texts]
            self._check_layout(sides)
            return {field: seat for seat, side in enumerate(sides) for field in side}
        pieces = {}
        for x, y in SETUPS[self.opt["setup"]]:  # FBQ-1
            pieces[field_name(x, y)] = 0
            pieces[field_name(8 - x, 8 - y)] = 1
        return pieces

    def _check_layout(self, sides: list[list[str]]) -> None:
        every = [field for side in sides for field in side]
        if len(sides) != 2 or not all(1 <= len(side) <= 8 for side in sides):
            raise ValueError("layout: two players, 1 to 8 pieces each")
        if len(set(every)) != len(every) or not set(every) <= set(self.spot):
            raise ValueError("layout: distinct fields of the board")
        if CORNER[1] in sides[0] or CORNER[0] in sides[1]:
            raise ValueError("layout: nobody on the opponent's corner")

    def _open_game(self, seat: int) -> None:
        self.mover = seat
        self.seen[self._key(self.pieces, seat)] += 1  # FBQ-20
        self._look_for_blocked()
        if self.opt["openings"] == "balanced":
            self._await_opening(seat)

    def _await_opening(self, seat: int) -> None:
        self.mover, self.begins = "chance", seat

    def _play_opening(self, number: int) -> None:
        """FBQ-29: openings 1, 3, 5 ... as they are listed, 2, 4, 6 ... their mirror images; player 2 begins half turned."""
        seat, self.begins = self.begins, None
        self.mover = seat
        for move in OPENINGS.read_text().splitlines()[(number - 1) // 2].split():
            spots = [self.spot[field] for field in move.split("-")]
            if number % 2 == 0:
                spots = [(y, x) for x, y in spots]
            if seat == 1:
                spots = [(8 - x, 8 - y) for x, y in spots]
            self._move(*(self.name[spot] for spot in spots))

    @staticmethod
    def _key(pieces: dict[str, int], mover: int) -> tuple:
        return tuple(sorted(pieces.items())), mover

    # ---- geometry ----------------------------------------------------------
    def _read_geometry(self) -> None:
        """For every field: its steps, what touches it, and over which field a jump lands where."""
        self.steps, self.touch, self.jumps = {}, {}, {}
        for field, spot in self.spot.items():
            self.steps[field] = self._names([shifted(spot, d) for d in STEPS])  # FB-4.b, FB-2.c: the same type
            self.touch[field] = self._names([shifted(spot, d) for d in TURN])  # FBQ-5: edges of the board do not count
            self.jumps[field] = {}
            for d in TURN:  # FBQ-4: over any touching field, whatever its type
                over = shifted(spot, d)
                landings = [shifted(over, d)]  # FBQ-3: straight
                if self.opt["bentJumps"]:  # FBQ-22
                    landings += [shifted(over, turned(d, 1)), shifted(over, turned(d, -1))]
                if over in self.name:
                    self.jumps[field][self.name[over]] = self._names(landings)

    def _names(self, spots: list[tuple[int, int]]) -> set[str]:
        return {self.name[spot] for spot in spots if spot in self.name}

    def _is_step(self, origin: str, target: str) -> bool:
        return target in self.steps[origin]

    def _is_jump(self, seat: int, origin: str, target: str) -> bool:
        """FB-4.d, FB-4.e, FB-4.f: over one touching piece of one's own."""
        return any(target in ends and self.pieces.get(over) == seat for over, ends in self.jumps[origin].items())

    # ---- captures ----------------------------------------------------------
    def _sides(self, pieces: dict[str, int], field: str, attacker: int) -> set[str]:
        return {near for near in self.touch[field] if pieces.get(near) == attacker}

    def _surrounded(self, pieces: dict[str, int], attacker: int, moved: str) -> set[str]:
        """FB-5.a, FBQ-6: every opposing piece with enough sides taken, on the whole board."""
        result = set()
        for field, seat in pieces.items():
            if seat == attacker:
                continue
            sides = self._sides(pieces, field, attacker)
            if len(sides) < self.opt["sidesNeeded"]:
                continue
            if self.opt["captureNeedsMover"] and moved not in sides:
                continue
            result.add(field)
        return result

    def _outcome(self, seat: int, origin: str, target: str) -> tuple[dict[str, int], set[str], bool]:
        """The board with the piece moved (nothing removed), what it surrounds, and whether it is lost itself."""
        after = {field: owner for field, owner in self.pieces.items() if field != origin}
        after[target] = seat
        if target == CORNER[1 - seat]:  # FBQ-10, FBQ-21: nothing else happens
            return after, set(), False
        captured = self._surrounded(after, seat, target)
        danger = len(self._sides(after, target, 1 - seat)) >= self.opt["sidesNeeded"]
        lost = danger and not captured and self.opt["suicide"] != "safe"  # FB-5.c, FBQ-8
        return after, captured, lost

    # ---- legal actions -----------------------------------------------------
    def refusal(self, seat: int, origin: str, target: str) -> str | None:
        """The clause that refuses a move, or None."""
        if self.pieces.get(origin) != seat:
            return "FB-4.a"
        if target in self.pieces:
            return "FB-4.d"  # must be empty, for a step as for a jump
        if not self._is_step(origin, target) and not self._is_jump(seat, origin, target):
            return "FB-2.d"
        if not self.opt["retreat"] and self._walk(seat, target) > self._walk(seat, origin):
            return "FBQ-25"
        if self.opt["suicide"] != "forbidden" and self.opt["repetition"] != "forbid":
            return None  # no other rule looks at what the move leads to
        after, captured, lost = self._outcome(seat, origin, target)
        if lost and self.opt["suicide"] == "forbidden":
            return "FBQ-23"
        if self.opt["repetition"] == "forbid" and not captured and not lost:
            if self.seen[self._key(after, 1 - seat)] >= 2:
                return "FBQ-24"
        return None

    def _walk(self, seat: int, field: str) -> int:
        """FBQ-25: columns and rows between a field and the corner that the seat wants to enter."""
        goal = self.spot[CORNER[1 - seat]]
        return sum(abs(here - there) for here, there in zip(self.spot[field], goal, strict=True))

    def _moves(self, seat: int) -> Iterator[str]:
        own = [field for field, owner in self.pieces.items() if owner == seat]
        return (f"{a}-{b}" for a in own for b in self.spot if self.refusal(seat, a, b) is None)

    def _blocked(self, seat: int) -> bool:
        return next(self._moves(seat), None) is None

    def actor(self) -> int | str | None:
        return None if self.over else self.mover

    def legal(self) -> dict[str, int]:
        if self.over:
            return {}
        if self.begins is not None:
            return {f"opening {number + 1}": 1 for number in range(2 * len(OPENINGS.read_text().splitlines()))}
        if self.mover == "chance":
            return {"first 1": 1, "first 2": 1}
        if self.takeable:
            return {f"take {field}": 1 for field in self.takeable}
        swaps = {"swap": 1} if self.opt["pie"] and self.turns == 1 else {}  # FBQ-28
        if self._blocked(self.mover):
            return {"pass": 1, **swaps}  # FBQ-13; never a free choice, FBQ-14
        return {move: 1 for move in self._moves(self.mover)} | swaps

    # ---- playing -----------------------------------------------------------
    def play(self, action: str) -> None:
        if action not in self.legal():
            raise ValueError(f"not legal here: {action}")
        if action.startswith("first "):
            self._open_game(int(action.split()[1]) - 1)
        elif action.startswith("opening "):
            self._play_opening(int(action.split()[1]))
        elif action == "pass":
            self._end_ply(removed=False)  # FBQ-18: nothing is captured
        elif action == "swap":
            self._exchange()
        elif action.startswith("take "):
            self._take(action.split()[1])
        else:
            self._move(*action.split("-"))

    def _exchange(self) -> None:
        """FBQ-28: every piece turns half around the middle and changes its owner; counts and positions begin again."""
        turned_round = {field: field_name(8 - x, 8 - y) for field, (x, y) in self.spot.items()}
        self.pieces = {turned_round[field]: 1 - seat for field, seat in self.pieces.items()}
        self.seen.clear()
        self._end_ply(removed=True)

    def _move(self, origin: str, target: str) -> None:
        seat = self.mover
        after, captured, lost = self._outcome(seat, origin, target)
        self.pieces = after
        if target == CORNER[1 - seat]:  # FB-3, FBQ-11
            self.quiet += 1
            self._finish([seat], "corner")
        elif self.opt["maxCaptures"] == 2 and len(captured) > 2:
            self.takeable, self.taken = captured, 0  # FB-5.d: two, chosen by the mover
        else:
            gone = captured | ({target} if lost else set())
            for field in gone:  # FB-5.e, all at once
                del self.pieces[field]
            self._end_ply(removed=bool(gone))

    def _take(self, field: str) -> None:
        del self.pieces[field]
        self.takeable = self.takeable - {field}
        self.taken += 1
        self.quiet = 0
        if self.taken == 2:
            self.takeable = set()
            self._end_ply(removed=True)

    def _end_ply(self, removed: bool) -> None:
        """FBQ-21: no pieces left, repetition, quiet limit, blocked players."""
        self.quiet = 0 if removed else self.quiet + 1  # FBQ-19
        self.turns += 1
        mover = self.mover
        self.mover = 1 - mover
        alive = set(self.pieces.values())
        if len(alive) == 1:  # FB-3; FBQ-12 when the last piece removed itself
            self._finish(sorted(alive), "captured")
            return
        key = self._key(self.pieces, self.mover)
        self.seen[key] += 1
        limit = NO_LIMIT if self.opt["quietLimit"] is None else self.opt["quietLimit"]
        if self.opt["repetition"] == "draw3" and self.seen[key] >= 3:  # FBQ-15
            self._finish([], "repetition")
        elif self.quiet >= limit:
            self._finish([], "quiet")
        else:
            self._look_for_blocked()

    def _look_for_blocked(self) -> None:
        """FBQ-13."""
        seat = self.mover
        if not self._blocked(seat):
            return
        if self._blocked(1 - seat) or self.opt["noMoves"] == "draw":
            self._finish([], "blocked")
        elif self.opt["noMoves"] == "lose":
            self._finish([1 - seat], "blocked")

    def _finish(self, winners: list[int], reason: str) -> None:
        self.over, self.winners, self.reason = True, winners, reason

    # ---- facts -------------------------------------------------------------
    def facts(self) -> dict:
        return {
            "actor": self.actor(), "winners": sorted(self.winners), "over": self.over, "pieces": dict(self.pieces),
            "quiet": self.quiet, "reason": self.reason,
        }  # fmt: skip

    def set_up(self, facts_like: dict) -> None:
        """Load a position; a draw of the first seat is behind us unless `actor` says "chance"."""
        self._start()
        self.pieces = dict(facts_like.get("pieces", self.pieces))
        self.quiet = facts_like.get("quiet", 0)
        self.turns = facts_like.get("turns", 2)  # facts do not tell how many there were
        if facts_like.get("over"):
            self._finish(list(facts_like.get("winners", [])), facts_like.get("reason"))
        elif "begins" in facts_like:
            self._open_game(facts_like["begins"])
        elif facts_like.get("actor", 0) == "chance":
            self.mover = "chance"
        else:
            self.mover = facts_like.get("actor", 0)
            self.seen[self._key(self.pieces, self.mover)] += 1
            self._look_for_blocked()
