"""A slow, plain second implementation of Barricade, written from the rulebook alone.

Squares are texts (`a1`), a home is the text `home1`; a walk is a list of such texts, every walk
is written out step by step and refused by clause.

AMBIGUOUS
- BA-R.6/BAQ-2: a walk round a loop may end on its own origin (the pawn has left it, so it is empty, as in BAQ-8);
  possible only on custom boards or with a die of 12, and never with noRepeat.
- BAQ-4: `exitRoll=6`: a pawn leaves home on a 6 only and then walks all six squares; always the number 6, whatever dieSides is.
- BAQ-8: if the house limits leave no square for a taken barricade, the limits lapse (BAQ-9: a place always exists).
- BAQ-11/25: with `rollAgainOn6` the second roll belongs to the same turn; `turns` grows when the next seat is due.
- BAQ-14: `twoColours`: `homes`, if given, names four homes in the order seat 0, 1, 0, 1; without it the board's first four.
- BAQ-25: with teams the nearest pawn's team wins; equal pawns of one team are no draw.
- BAQ-22: `exactFinal=false`: a walk may also go on through the final square, if the board lets it.
- notation: `pawns` lists only homes in play; `die` stays while placing and after a win, and is 0 in the roll-off and
  whenever a roll is due; the winning turn is not counted in `turns`; default `seats` is never more than the homes.
- set_up: a position with `actor` "chance" does not tell whose roll it is; the extra key `seat` (default 0) does.
"""

import json
from pathlib import Path

DEFAULTS = {
    "seats": None, "board": "classic", "homes": None, "teams": None, "pass": "always", "revisit": "noReversal",
    "exitRoll": "any", "exactFinal": True, "firstRowAllowed": True, "lowestTwoRows": "allowed", "finalAllowed": True,
    "firstRowSafe": False, "rollAgainOn6": False, "first": "random", "pawns": None, "twoColours": False, "turnLimit": None,
    "dieSides": 6, "barricades": None,
}  # fmt: skip


def column_name(x: int) -> str:
    """0 -> a, 25 -> z, 26 -> aa, 27 -> ab."""
    name = ""
    x += 1
    while x > 0:
        x, rest = divmod(x - 1, 26)
        name = "abcdefghijklmnopqrstuvwxyz"[rest] + name
    return name


class Oracle:
    def __init__(self, options: dict, boards: Path) -> None:
        unknown = set(options) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"unknown options {sorted(unknown)}")
        self.opt = {**DEFAULTS, **options}
        board = self.opt["board"]
        if isinstance(board, str):
            board = json.loads((Path(boards) / f"barricade_{board}.json").read_text())
        self._read_board(board)
        self._read_seats(board)
        self._read_teams()
        self._start()

    # ---- board and seats ---------------------------------------------------
    def _read_board(self, board: dict) -> None:
        lowest = max(y for _, y in board["squares"])

        def name(place: list[int]) -> str:
            return column_name(place[0]) + str(lowest - place[1] + 1)

        self.row = {name(s): s[1] for s in board["squares"]}
        self.first_row = board["firstRowY"]
        self.final = name(board["final"])
        highest = sorted(board["barricades"], key=lambda s: (s[1], s[0]))  # BAQ-28: from the top, each row from the left
        most = self.opt["barricades"]
        self.start_barricades = {name(s) for s in (highest if most is None else highest[:most])}
        self.home_ids = [str(home["id"]) for home in board["homes"]]
        self.entry = {str(home["id"]): name(home["entry"]) for home in board["homes"]}
        self.near: dict[str, set[str]] = {}
        for x, y in board["squares"]:  # BA-R.2: orthogonal neighbours
            around = [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]]
            self.near[name([x, y])] = {name(s) for s in around if s in board["squares"]}
        for home, entry in self.entry.items():  # BA-R.4, BAQ-7: one way, out of the home
            self.near["home" + home] = {entry}
        self.distance = self._distances()

    def _distances(self) -> dict[str, int]:
        """Steps to the final square, barricades ignored (BAQ-25); a home is its entry + 1."""
        distance = {self.final: 0}
        grown = True
        while grown:
            grown = False
            for place, around in self.near.items():
                known = [distance[n] + 1 for n in around if n in distance]
                if known and min(known) < distance.get(place, 10**9):
                    distance[place] = min(known)
                    grown = True
        return distance

    def _read_seats(self, board: dict) -> None:
        count = len(self.home_ids)
        default = 2 if board["name"] == "mini" else min(4, count)
        self.seats = default if self.opt["seats"] is None else self.opt["seats"]
        if not 2 <= self.seats <= count:
            raise ValueError("BAQ-14: seats")
        given = None if self.opt["homes"] is None else [t.strip() for t in self.opt["homes"].split(",")]
        if self.opt["twoColours"]:
            if self.seats != 2 or count < 4:
                raise ValueError("BAQ-14: two colours each need 2 seats and 4 homes")
            homes, owners = given or self.home_ids[:4], [0, 1, 0, 1]
        else:
            n = self.seats
            spread = [self.home_ids[(2 * i * (count - 1) + (n - 1)) // (2 * (n - 1))] for i in range(n)]
            homes, owners = given or spread, list(range(n))
        if len(homes) != len(owners) or len(set(homes)) != len(homes) or not set(homes) <= set(self.home_ids):
            raise ValueError("homes do not fit the seats")
        self.owner = dict(zip(homes, owners))
        self.pawn_count = self.opt["pawns"] or board["pawnsPerPlayer"]

    def _read_teams(self) -> None:
        self.team = {seat: {seat} for seat in range(self.seats)}
        if self.opt["teams"] is None:
            return
        teams = [{int(seat) for seat in text.split(",")} for text in self.opt["teams"].split("/")]
        everyone = sorted(seat for team in teams for seat in team)
        if self.seats < 3 or len(teams) < 2 or everyone != list(range(self.seats)):
            raise ValueError("BA-T.1, BAQ-13: teams")
        self.team = {seat: team for team in teams for seat in team}

    def _start(self) -> None:
        self.pawns = {home: ["home"] * self.pawn_count for home in self.owner}  # BA-C.3
        self.barricades = set(self.start_barricades)
        self.seat = 0
        self.die = 0
        self.turns = 0
        self.stage = "first" if self.opt["first"] == "random" else "roll-off"  # BAQ-12
        self.contenders = list(range(self.seats))
        self.rolls: dict[int, int] = {}
        self.winners: list[int] = []
        self.reason: str | None = None

    # ---- walks -------------------------------------------------------------
    def _step_refusal(self, walk: list[str], to: str) -> str | None:
        if len(walk) > 1 and to == walk[-2]:
            return "BA-R.3"  # no direct way back, BAQ-2
        if self.opt["revisit"] == "noRepeat" and to in walk:
            return "BAQ-21"
        if walk[-1] in self.barricades:
            return "BA-R.5"  # a barricade is never crossed, so a walk goes no further
        return None

    def _walks(self, walk: list[str], steps: int) -> list[list[str]]:
        """Every walk of exactly so many more steps (BA-R.1)."""
        if steps == 0:
            return [walk]
        longer = [walk + [to] for to in self.near[walk[-1]] if self._step_refusal(walk, to) is None]
        return [full for more in longer for full in self._walks(more, steps - 1)]

    def _landings(self, origin: str) -> set[str]:
        """Where a pawn from there can come down; several paths to one square are one action (BAQ-3)."""
        ends = {walk[-1] for walk in self._walks([origin], self.die)}
        if not self.opt["exactFinal"]:  # BAQ-6, BAQ-22: stop early on the final square only
            for steps in range(1, self.die):
                ends |= {walk[-1] for walk in self._walks([origin], steps)} & {self.final}
        return ends

    def _pawn_on(self, square: str) -> str | None:
        """The home whose pawn stands there."""
        for home, places in self.pawns.items():
            if square in places:
                return home
        return None

    def _landing_refusal(self, origin: str, target: str) -> str | None:
        home = self._pawn_on(target)
        if home is None or target == origin:
            return None  # BA-R.6: empty, or a barricade
        if self.owner[home] == self.seat:
            return "BA-R.6"
        if self.owner[home] in self.team[self.seat]:
            return "BA-T.3"
        if self.opt["firstRowSafe"] and self.row[target] == self.first_row:
            return "BAQ-10"
        return None

    def _moves(self) -> set[str]:
        moves = set()
        for home, places in self.pawns.items():
            if self.owner[home] != self.seat:
                continue  # BA-M.3, BA-T.2: own pawns only
            for place in places:
                if place == "home" and self.opt["exitRoll"] in (6, "6") and self.die != 6:
                    continue  # BAQ-4
                origin = "home" + home if place == "home" else place
                for target in self._landings(origin):
                    if self._landing_refusal(origin, target) is None:
                        moves.add(f"{origin}-{target}")  # BAQ-20
        return moves

    # ---- barricades --------------------------------------------------------
    def _place_refusal(self, square: str) -> str | None:
        row = self.row[square]
        if not self.opt["firstRowAllowed"] and row == self.first_row:
            return "BAQ-8 firstRowAllowed"
        if self.opt["lowestTwoRows"] == "forbidden" and row in (self.first_row, self.first_row - 1):
            return "BAQ-27"
        if not self.opt["finalAllowed"] and square == self.final:
            return "BAQ-8 finalAllowed"
        return None

    def _places(self) -> set[str]:
        """BA-R.7, BAQ-8: any empty square but a home square."""
        empty = {s for s in self.row if s not in self.barricades and self._pawn_on(s) is None}
        return {s for s in empty if self._place_refusal(s) is None} or empty

    # ---- legal actions -----------------------------------------------------
    def actor(self) -> int | str | None:
        if self.stage == "over":
            return None
        return self.seat if self.stage in ("move", "place") else "chance"

    def legal(self) -> dict[str, int]:
        if self.stage == "over":
            return {}
        if self.stage == "first":
            return {f"first {seat + 1}": 1 for seat in range(self.seats)}
        if self.stage in ("roll-off", "roll"):
            return {f"roll {face}": 1 for face in range(1, self.opt["dieSides"] + 1)}  # BA-C.6, BAQ-17
        if self.stage == "place":
            return {f"place {square}": 1 for square in self._places()}
        moves = self._moves()
        if self.opt["pass"] == "always" or not moves:  # BA-M.4, BAQ-1, BAQ-15
            moves = moves | {"pass"}
        return {move: 1 for move in moves}

    # ---- playing -----------------------------------------------------------
    def play(self, action: str) -> None:
        if action not in self.legal():
            raise ValueError(f"not legal here: {action}")
        word, _, rest = action.partition(" ")
        if word == "first":
            self.seat, self.stage = int(rest) - 1, "roll"
        elif word == "roll" and self.stage == "roll-off":
            self._roll_off(int(rest))
        elif word == "roll":
            self.die, self.stage = int(rest), "move"
        elif word == "place":
            self.barricades.add(rest)
            self._end_turn()  # BAQ-9
        elif word == "pass":
            self._end_turn()
        else:
            self._move(*action.split("-"))

    def _roll_off(self, face: int) -> None:
        """BAQ-24: all roll in seat order, the equal highest again among themselves."""
        waiting = [seat for seat in self.contenders if seat not in self.rolls]
        self.rolls[waiting[0]] = face
        if len(waiting) > 1:
            return
        best = [seat for seat in self.contenders if self.rolls[seat] == max(self.rolls.values())]
        if len(best) == 1:
            self.seat, self.stage = best[0], "roll"
        self.contenders, self.rolls = best, {}

    def _move(self, origin: str, target: str) -> None:
        home = origin[4:] if origin.startswith("home") else self._pawn_on(origin)
        victim = self._pawn_on(target) if target != origin else None
        if victim is not None:  # BA-R.8, BAQ-10
            self._relocate(victim, target, "home")
        self._relocate(home, "home" if origin.startswith("home") else origin, target)
        took = target in self.barricades
        self.barricades.discard(target)  # BAQ-26 on the final square too
        if target == self.final:  # BA-G, BA-M.2, BA-T.4; before any replacing, BAQ-9
            self._finish(self.team[self.seat], "final")
        elif took:
            self.stage = "place"
        else:
            self._end_turn()

    def _relocate(self, home: str, old: str, new: str) -> None:
        self.pawns[home].remove(old)
        self.pawns[home].append(new)

    def _end_turn(self) -> None:
        again = self.opt["rollAgainOn6"] and self.die == 6  # BAQ-11, BAQ-23
        self.die, self.stage = 0, "roll"
        if again:
            return
        self.turns += 1
        self.seat = (self.seat + 1) % self.seats
        if self.opt["turnLimit"] is not None and self.turns >= self.opt["turnLimit"]:
            self._nearest_wins()

    def _nearest_wins(self) -> None:
        """BAQ-16, BAQ-25."""
        best: dict[int, int] = {}
        for home, places in self.pawns.items():
            steps = [self.distance["home" + home if p == "home" else p] for p in places]
            seat = self.owner[home]
            best[seat] = min(steps + [best.get(seat, 10**9)])
        leaders = {seat for seat, steps in best.items() if steps == min(best.values())}
        teams = {frozenset(self.team[seat]) for seat in leaders}
        self._finish(set(teams.pop()) if len(teams) == 1 else set(), "turn-limit")

    def _finish(self, winners: set[int], reason: str) -> None:
        self.stage, self.winners, self.reason = "over", sorted(winners), reason

    # ---- facts -------------------------------------------------------------
    def facts(self) -> dict:
        return {
            "actor": self.actor(),
            "winners": list(self.winners),
            "over": self.stage == "over",
            "pawns": {home: sorted(places) for home, places in self.pawns.items()},
            "barricades": sorted(self.barricades),
            "die": self.die,
            "placing": self.stage == "place",
            "turns": self.turns,
            "reason": self.reason,
        }

    def set_up(self, facts_like: dict) -> None:
        """Load a position after the draw of the first seat; `seat` says whose roll it is if `actor` is "chance"."""
        self._start()
        for home, places in facts_like.get("pawns", {}).items():
            self.pawns[home] = list(places)
        self.barricades = set(facts_like.get("barricades", self.barricades))
        self.die = facts_like.get("die", 0)
        self.turns = facts_like.get("turns", 0)
        actor = facts_like.get("actor")
        self.seat = actor if isinstance(actor, int) else facts_like.get("seat", 0)
        self.stage = "place" if facts_like.get("placing") else "move" if self.die else "roll"
        if facts_like.get("over"):
            self._finish(set(facts_like.get("winners", [])), facts_like.get("reason"))
