"""A slow, plain second implementation of The Front Lines, written from the rulebook alone.

Cards and cells are texts, characters are small records, every cell is tried as a step and refused by clause.

AMBIGUOUS
- FLQ-31 against FLQ-18 row 4: red holds the claim, but black got its first token across earlier than red, and black's mate
  dies: both satisfy a row. FLQ-31 is followed: who was across first wins (black, reason `race`, not red's `claim`).
- FL-R.11/notation: `claim` stays in the facts when the game ends; it is None for a game ended by `claim: immediate`.
- reasons: `solo` only with soloNeedsBoth false, a = 1, d = 0; with a = 1, d = 1 and the other team eliminated it is `race`.
- FLQ-26: while a card is flipped, `left`, `visited` and the place still are those before the step. Between turns, and when the
  game is over, `drawn`, `left`, `visited`, `flipping` are empty.
- FLQ-25: `used` shows the full pack until the next draw refills it (then it holds that one card).
- FLQ-2: drawPack with faces: the whole second pack, 52 cards, J Q K of all suits, no Jokers.
- FLQ-10 `reachRow12`: a token revived in place on its last row is across at once; there is no `across` action.
- FLQ-29 with `reachRow12`: a walk ends as soon as it enters the last row, after at most n steps.
- FLQ-30 with flip=destination: the walk may have 1..n steps; there is no `stop`.
- FLQ-7 `king8`: backward steps stay on the field (never back to the start line). F: any column to enter (FLQ-6).
- FLQ-16: the team due is free before the first move of the game; a turn counts as moved when its card is drawn.
- set_up: `lastTeam` and `firstAcross` (red|black) are accepted as extra keys; facts do not tell them.
"""

import json
from pathlib import Path

from .front_lines_cards import COLUMNS, DEFAULTS, DIRECTIONS, FACES, MATE, OTHER, SEATS, SUITS, TEAM, Character, rank, suit, value


class Oracle:
    def __init__(self, options: dict, boards: Path) -> None:
        unknown = set(options) - set(DEFAULTS)
        if unknown:
            raise ValueError(f"unknown options {sorted(unknown)}")
        self.opt = {**DEFAULTS, **options}
        if self.opt["seats"] not in SEATS or (self.opt["seats"] == 3 and not self.opt["allow3"]):
            raise ValueError("FL-R.1, FLQ-4: 2 or 4 seats, 3 only with allow3")
        board = json.loads((Path(boards) / "front_lines.json").read_text())
        self.field_cards = board["field_cards"]  # FLQ-1
        self.pack = list(board["draw_pack"])
        if self.opt["drawPack"] != "A-10":
            self.pack += [face + s for s in SUITS for face in FACES]
        self.seat = SEATS[self.opt["seats"]]
        self.cells = [c + str(r) for r in range(1, self.opt["rows"] + 1) for c in COLUMNS]
        self.layout = self._read_layout()
        self.near: dict[tuple[str, str], list[str]] = {}
        self._start()

    def _read_layout(self) -> dict[str, str] | None:
        """FLQ-17: row 1 first, columns a to d."""
        if self.opt["layout"] is None:
            return None
        cards = [c for row in self.opt["layout"] for c in ([row] if isinstance(row, str) else row)]
        plain = [card for card in cards if card != "JK"]
        jokers = len(cards) - len(plain)
        if len(cards) != len(self.cells) or len(set(plain)) != len(plain):
            raise ValueError("layout: rows x 4 different cards")
        if not set(plain) <= set(self.field_cards) or jokers > self.opt["jokersInField"]:
            raise ValueError("layout: cards of the 48")
        return dict(zip(self.cells, cards))

    def _start(self) -> None:
        self.field: dict[str, str] = {}
        self.blown: set[str] = set()
        self.chars = {s: Character(s, self.opt["lives"]) for s in SUITS}
        self.used: list[str] = []
        self.claim: str | None = None
        self.last_team: str | None = None
        self.first_across: str | None = None
        self.over = False
        self.winners: list[int] = []
        self.reason: str | None = None
        self._end_turn()

    def _end_turn(self) -> None:
        self.drawn: str | None = None
        self.left = 0
        self.visited: set[str] = set()
        self.flipping: str | None = None

    # ---- geometry ----------------------------------------------------------
    def _row_at(self, team: str, number: int) -> int:
        """The team's number-th row from its own start line (FLQ-5)."""
        flipped = self.opt["opposedSides"] and team == "black"
        return self.opt["rows"] + 1 - number if flipped else number

    def _on_last_row(self, who: Character) -> bool:
        return who.place in self.cells and self._is_last(TEAM[who.suit], who.place)

    def _is_last(self, team: str, cell: str) -> bool:
        return int(cell[1:]) == self._row_at(team, self.opt["rows"])

    def _is_step(self, team: str, origin: str, cell: str) -> bool:
        """FLQ-6 from the start line, FLQ-7 on the field."""
        if origin == "start":
            return int(cell[1:]) == self._row_at(team, 1)
        ahead = self._row_at(team, int(cell[1:])) - self._row_at(team, int(origin[1:]))
        aside = COLUMNS.index(cell[0]) - COLUMNS.index(origin[0])
        return (ahead, aside) in DIRECTIONS[self.opt["directions"]]

    def _steps_from(self, team: str, origin: str) -> list[str]:
        """Every card that is one step away; the board does not change, so each answer is kept."""
        if (team, origin) not in self.near:
            self.near[team, origin] = [cell for cell in self.cells if self._is_step(team, origin, cell)]
        return self.near[team, origin]

    def _walk_exists(self, team: str, origin: str, target: str, steps: int) -> bool:
        """FLQ-29: a walk of exactly so many steps that visits no card twice."""
        failed: set[tuple] = set()
        sideways_only = self.opt["directions"] != "king8"

        def search(at: str, visited: frozenset[str], left: int) -> bool:
            if left == 0:
                return at == target
            # without backward steps, only the cards of the present row can be met again
            relevant = frozenset(c for c in visited if c[1:] == at[1:]) if sideways_only else visited
            if self._too_far(at, target, left) or (at, relevant, left) in failed:
                return False
            for cell in self._steps_from(team, at):
                if cell in visited:
                    continue
                if left > 1 and (cell == target or self._ends_here(team, cell)):
                    continue  # the target is met once, as the end; reachRow12: no walk goes on from the last row
                if search(cell, visited | {cell}, left - 1):
                    return True
            failed.add((at, relevant, left))
            return False

        return search(origin, frozenset([origin]), steps)

    @staticmethod
    def _too_far(at: str, target: str, left: int) -> bool:
        if at == "start":
            return False
        rows = abs(int(at[1:]) - int(target[1:]))
        return max(rows, abs(COLUMNS.index(at[0]) - COLUMNS.index(target[0]))) > left

    def _ends_here(self, team: str, cell: str) -> bool:
        return self.opt["across"] == "reachRow12" and self._is_last(team, cell)

    # ---- cards -------------------------------------------------------------
    def _is_mine(self, team: str, cell: str) -> bool:
        card = self.field[cell]
        if card == "JK":
            return False  # FL-R.9
        if cell in self.blown:
            return False  # FLQ-12
        if rank(card) in FACES and self.opt["faceCards"] == "safeForAll":
            return False  # FLQ-11
        return TEAM[suit(card)] != team  # FL-R.6, FL-R.7, FL-R.8

    def _flips(self) -> dict[str, int]:
        if self.layout is not None:
            return {f"flip {self.layout[self.flipping]}": 1}  # FLQ-33
        shown = list(self.field.values())
        unseen = [card for card in self.field_cards if card not in shown]  # FLQ-28
        jokers = self.opt["jokersInField"] - shown.count("JK")
        if self.opt["jokersInField"] == 0:
            return {f"flip {card}": 1 for card in unseen}
        down = len(self.cells) - len(self.field)  # FLQ-3: each face-down cell is as likely to hold a Joker
        weights = {f"flip {card}": down - jokers for card in unseen}
        weights["flip JK"] = jokers * len(unseen)
        return {flip: weight for flip, weight in weights.items() if weight > 0}

    # ---- draws -------------------------------------------------------------
    def _draws(self) -> dict[str, int]:
        rest = [card for card in self.pack if card not in self.used]
        return {f"draw {card}": 1 for card in rest or self.pack}  # FLQ-25

    def _can_go(self, team: str) -> bool:
        return any(c.state == "alive" for s, c in self.chars.items() if TEAM[s] == team)

    def _starts_turn(self, card: str) -> bool:
        if rank(card) in FACES and self.opt["drawPack"] == "facesRedraw":
            return False  # FLQ-2
        if self.chars[suit(card)].state != "alive":
            return False  # FL-R.10, FLQ-15
        if self.opt["alternateTeams"] and self.last_team is not None:  # FLQ-16
            due = OTHER[self.last_team]
            return TEAM[suit(card)] == due or not self._can_go(due)
        return True

    def _draw(self, card: str) -> None:
        if len(self.used) == len(self.pack):
            self.used = []
        self.used.append(card)
        if not self._starts_turn(card):
            return
        self.drawn, self.left = card, value(card)
        self.last_team = TEAM[suit(card)]
        self.visited = {self._mover().place} & set(self.cells)  # FLQ-23

    def _mover(self) -> Character:
        return self.chars[suit(self.drawn)]

    # ---- legal actions -----------------------------------------------------
    def actor(self) -> int | str | None:
        if self.over:
            return None
        if self.drawn is None or self.flipping is not None:
            return "chance"
        return self.seat[suit(self.drawn)]

    def legal(self) -> dict[str, int]:
        if self.over:
            return {}
        if self.drawn is None:
            return self._draws()
        if self.flipping is not None:
            return self._flips()
        steps = self._destinations() if self.opt["flip"] == "destination" else self._steps()
        return {step: 1 for step in steps}

    def _steps(self) -> list[str]:
        who = self._mover()
        steps = [f"to {cell}" for cell in self.cells if self._step_refusal(who, cell) is None]
        if self.opt["across"] == "stepOff" and self._on_last_row(who):
            steps.append("across")  # FLQ-10, FLQ-24
        if self.opt["mayStop"] and self.left < value(self.drawn):
            steps.append("stop")  # FLQ-9, FLQ-30
        return steps

    def _step_refusal(self, who: Character, cell: str) -> str | None:
        if cell in self.visited:
            return "FLQ-7"  # no card twice in a turn
        if not self._is_step(TEAM[who.suit], who.place, cell):
            return "FLQ-7"
        return None

    def _destinations(self) -> list[str]:
        """FLQ-29."""
        who, team, n = self._mover(), TEAM[self._mover().suit], self.left
        result = []
        for cell in self.cells:
            short = self.opt["mayStop"] or self._ends_here(team, cell)
            lengths = range(1, n + 1) if short else [n]
            if cell != who.place and any(self._walk_exists(team, who.place, cell, k) for k in lengths):
                result.append(f"to {cell}")
        last = [cell for cell in self.cells if self._is_last(team, cell)]
        if self.opt["across"] == "stepOff" and any(
            self._walk_exists(team, who.place, cell, k) for k in range(n) for cell in last
        ):
            result.append("across")
        return result

    # ---- playing -----------------------------------------------------------
    def play(self, action: str) -> None:
        if action not in self.legal():
            raise ValueError(f"not legal here: {action}")
        word, _, rest = action.partition(" ")
        if word == "draw":
            self._draw(rest)
        elif word == "to" and rest not in self.field:
            self.flipping = rest  # FL-T.3, FLQ-8
        elif word == "to":
            self._arrive(rest)
        elif word == "flip":
            cell, self.flipping = self.flipping, None
            self.field[cell] = rest
            self._arrive(cell)
        elif word == "across":
            self._cross(self._mover())
            self._end_turn()
            self._evaluate()
        else:  # stop
            self._end_turn()

    def _arrive(self, cell: str) -> None:
        """FLQ-26: the card lies open, now the token moves onto it."""
        who = self._mover()
        who.place = cell
        if self._is_mine(TEAM[who.suit], cell):
            self.blown.add(cell)  # FL-R.13, FLQ-12
            self._die(who)
            self._end_turn()
        elif self._ends_here(TEAM[who.suit], cell):
            self._cross(who)
            self._end_turn()
        else:
            self.visited.add(cell)
            self.left -= 1
            if self.left == 0 or self.opt["flip"] == "destination" or not self._steps_left():
                self._end_turn()  # FLQ-9
        self._evaluate()

    def _steps_left(self) -> bool:
        return any(step != "stop" for step in self._steps())

    def _cross(self, who: Character) -> None:
        who.state, who.place = "across", "across"  # FLQ-21
        self.first_across = self.first_across or TEAM[who.suit]

    def _die(self, who: Character) -> None:
        """FL-R.8, FL-R.11, FLQ-13, FLQ-32."""
        who.lives -= 1
        who.state = "waiting" if who.lives > 0 else "out"
        mate = self.chars[MATE[who.suit]]
        if mate.state == "waiting":
            mate.state = "alive"
            if self.opt["revive"] == "start":  # FLQ-14
                mate.place = "start"
            elif self._on_last_row(mate) and self.opt["across"] == "reachRow12":
                self._cross(mate)

    # ---- end of the game ---------------------------------------------------
    def _count(self, team: str, *states: str) -> int:
        return sum(1 for s, c in self.chars.items() if TEAM[s] == team and c.state in states)

    def _eliminated(self, team: str) -> bool:
        return self._count(team, "across", "alive") == 0

    def _won(self, team: str) -> str | None:
        """FLQ-18 for one team: the reason, or None."""
        across, dead = self._count(team, "across"), self._count(team, "waiting", "out")
        other = OTHER[team]
        if across == 2:
            return "both-across"
        if across == 1 and dead == 1:
            if self._count(other, "waiting", "out") >= 1:
                return "claim" if self.claim == team else "race"
            if self.opt["claim"] == "immediate":
                return "claim"
            self.claim = team
        if across == 1 and not self.opt["soloNeedsBoth"] and self._eliminated(other):
            return "solo"  # FLQ-22
        return None

    def _evaluate(self) -> None:
        reasons = {team: self._won(team) for team in OTHER}
        winners = [team for team, reason in reasons.items() if reason is not None]
        if len(winners) == 2:
            winners = [self.first_across]  # FLQ-31
        if winners:
            self._finish(winners[0], reasons[winners[0]])
        elif self._eliminated("red") and self._eliminated("black"):
            self._finish(None, "no-winner")  # FL-W.6

    def _finish(self, team: str | None, reason: str) -> None:
        self.over, self.reason = True, reason
        self.winners = sorted({seat for s, seat in self.seat.items() if TEAM[s] == team})

    # ---- facts -------------------------------------------------------------
    def facts(self) -> dict:
        return {
            "actor": self.actor(),
            "winners": list(self.winners),
            "over": self.over,
            "field": dict(self.field),
            "blown": sorted(self.blown),
            "characters": {s: [c.lives, c.state, c.place] for s, c in self.chars.items()},
            "used": sorted(self.used),
            "drawn": self.drawn,
            "left": self.left,
            "visited": sorted(self.visited),
            "flipping": self.flipping,
            "claim": self.claim,
            "reason": self.reason,
        }

    def set_up(self, facts_like: dict) -> None:
        """Load a position; see the extra keys in the module text."""
        self._start()
        get = facts_like.get
        self.field, self.blown = dict(get("field", {})), set(get("blown", []))
        for s, (lives, state, place) in get("characters", {}).items():
            self.chars[s] = Character(s, lives, state, place)
        self.drawn = get("drawn")
        self.used = list(get("used", [] if self.drawn is None else [self.drawn]))
        if self.drawn is not None:
            self.left = get("left", value(self.drawn))
            self.visited = set(get("visited", {self._mover().place} & set(self.cells)))
        self.flipping, self.claim = get("flipping"), get("claim")
        crossed = [team for team in OTHER if self._count(team, "across")]
        self.first_across = get("firstAcross", crossed[0] if crossed else None)
        self.last_team = get("lastTeam")
        self.over, self.winners, self.reason = get("over", False), list(get("winners", [])), get("reason")
