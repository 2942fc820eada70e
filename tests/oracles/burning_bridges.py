"""A slow oracle for Burning Bridges: lists every conceivable action and rejects what a clause forbids.

Written from the rulebook alone, to compare an engine with. Clause ids are those of the rulebook (BB-, BBQ-, ALLQ-).

AMBIGUOUS (clause: reading taken)
- BBQ-36, 15, 17, 45: the win is checked when a move is complete, its `take`s and its ride included; a landing that brings
  the mover home still asks them first, and a hostage freed by `take` of its captor may be included before it could win.
- BBQ-27, 42 with noneCost 1: a term that becomes void releases free and at once all the same; only a named NONE is paid.
- BBQ-42: a term is also forgotten (no release left to do) when its captor is taken by the hostage's family
  (situationScope piece); the pieces go free without immunity (BBQ-21).
- BBQ-41 captureOnLeaving true: the situation is judged after the captor has left its hostages; another situation of the
  family still forbids taking (situationScope player).
- BBQ-20 situationScope piece: a piece may take when it is itself neither captor nor hostage.
- BBQ-14 equalBlocks: children block children too; a captor blocks, a hostage does not; building on it, staying are no landing.
- BBQ-44: a mandatory landing must take at least one; the second stays optional.
- BBQ-10 torchOwn: an own torched bridge is no "opponent bridge", so the own child cannot destroy it.
- BBQ-11 10each: a pin counts for the family that placed it until it leaves the bridge, whatever the bridge's colour.
- BBQ-31 idleCount round, table: `used` of every bridge is cleared whenever the bridges age.
- BBQ-38: a tie for the fewest lines is a draw without winners; a child held hostage counts from where it stands.
- BBQ-1, rounds: with a drawn first seat the first round is short; it ends when the last seat's turn ends.
- Facts: `moves` is 0 before the draw and 2 while terms are named; a move is used up before its `take` or ride is asked.
- set_up: facts do not tell which families had no turn yet; the extra key `unmoved` does (BBQ-50).
- set_up, BBQ-52: facts do not tell how many turns began either; the extra key `turns` does (turns played before this one).
- set_up, BBQ-53: `more` is the number that was bid, 0 once the first turn of the last family is over.
- Facts when over: `turn`, `moves` and unpaid `terms` stay as they were at the win; at the round limit `turn` is the last
  seat, its `moves` those it did not use, and `terms` empty (they ended with the turn).
"""

from collections.abc import Iterator
from pathlib import Path

from .burning_bridges_table import SIZES, Bridge, Table, complete_options, read_board


class Oracle:
    """One game in progress; options by their camelCase names, `boards` the folder with the board files."""

    def __init__(self, options: dict, boards: Path) -> None:
        self.values = complete_options(options)
        self.board = read_board(self.values, boards)
        self.table = Table(self.values, self.board)
        self.families = self.table.families()
        self.turn: str | None = None
        self.moves = 0
        self.unmoved = set(self.families)  # families without a turn so far (BBQ-50)
        self.turns_begun = 0
        self.bid = 0
        self.round = 0
        self.phase = "first"
        self.terms: dict[str, str] = {}
        self.mover: str | None = None  # the piece that takes or rides
        self.taken = 0
        self.winners: list[int] = []
        self.reason: str | None = None
        if self.values["firstPlayer"] == "seat0":
            self.begin("a")

    # -- what others ask ---------------------------------------------------------------------------------------------

    def actor(self) -> int | str | None:
        if self.phase == "over":
            return None
        if self.phase == "first":
            return "chance"
        if self.phase == "terms":
            return self.families.index(self.unheard_captors()[0][0])  # BBQ-23: the captor's owner names them
        return self.families.index(self.turn)

    def legal(self) -> dict[str, int]:
        """Action text -> weight."""
        texts = {
            "first": self.first_texts, "terms": self.term_texts, "moves": self.move_texts,
            "take": self.take_texts, "ride": self.ride_texts, "over": lambda: [],
            "bid": lambda: [f"bid {number}" for number in range(5)], "choose": lambda: ["go first", "go last"],
        }[self.phase]()  # fmt: skip
        return {text: 1 for text in texts}

    def facts(self) -> dict:
        table = self.table
        return {
            "actor": self.actor(),
            "winners": list(self.winners),
            "over": self.phase == "over",
            "pieces": {piece: [table.pillar[piece], table.captor[piece]] for piece in sorted(table.pillar)},
            "bridges": {
                f"{line} {colour}": [bridge.torch, bridge.idle, bridge.used]
                for (line, colour), bridge in sorted(table.bridges.items())
            },
            "immune": {f"{family}>{piece}": left for (family, piece), left in sorted(table.immune.items())},
            "terms": dict(sorted(self.terms.items())),
            "moves": self.moves,
            "round": self.round,
            "turn": None if self.turn is None else self.families.index(self.turn),
            "phase": self.phase,
            "reason": self.reason,
            **({"more": self.bid} if self.values["bid"] else {}),
        }

    def set_up(self, facts_like: dict) -> None:
        """Loads a position; missing keys are start values. `turn` without `phase` starts that family's turn.

        `pins` {`A0-B0 a`: family letter} tells who placed a pin (facts do not say). Not for phases take and ride.
        """
        table = self.table = Table(self.values, self.board)
        for piece, (pillar, captor) in facts_like.get("pieces", {}).items():
            table.pillar[piece], table.captor[piece] = pillar, captor
        for text, (torch, idle, used) in facts_like.get("bridges", {}).items():
            line, colour = text.split()
            table.bridges[line, colour] = Bridge(torch, idle, used, facts_like.get("pins", {}).get(text))
        for text, left in facts_like.get("immune", {}).items():
            table.immune[tuple(text.split(">"))] = left
        self.set_up_turn(facts_like)

    def set_up_turn(self, facts_like: dict) -> None:
        drawn = 0 if self.values["firstPlayer"] == "seat0" else None
        turn = facts_like.get("turn", drawn)
        self.turn = None if turn is None else self.families[turn]
        self.moves, self.phase = 0, "first"
        self.mover, self.taken = None, 0
        self.terms = dict(facts_like.get("terms", {}))
        self.unmoved = set(facts_like.get("unmoved", []))
        self.bid = facts_like.get("more", 0)
        self.turns_begun = facts_like.get("turns", 2)
        if self.turn is not None:
            self.start_turn(self.turn)
        self.round = facts_like.get("round", 0)
        self.moves = facts_like.get("moves", self.moves)
        self.phase = facts_like.get("phase", self.phase)
        self.winners = list(facts_like.get("winners", []))
        self.reason = facts_like.get("reason")
        if self.phase in ("take", "ride") or (self.turn is None) != (self.phase == "first"):
            raise ValueError(f"cannot set up phase {self.phase} of turn {turn}")

    # -- legal actions -----------------------------------------------------------------------------------------------

    def first_texts(self) -> list[str]:
        return [f"first {number}" for number in range(1, len(self.families) + 1)]

    def term_texts(self) -> Iterator[str]:
        """BBQ-24, 25: what the captor may ask; always of the family whose turn it is."""
        captor = self.unheard_captors()[0]
        for line, colour in sorted(self.table.bridges):
            if colour == self.turn:
                yield f"term destroy {line}"
        burning = self.table.burning(captor[0])
        if self.values["untorchChoice"] == "captor":
            yield from (f"term untorch {line}" for line in burning)
        elif burning:
            yield "term untorch"
        yield "term none"

    def move_texts(self) -> Iterator[str]:
        kinds = (self.walks, self.crossings, self.seizures, self.builds, self.torches)
        for kind in (*kinds, self.destructions, self.extinctions, self.payments):
            yield from kind()
        yield "end"  # BBQ-2
        if self.values["pie"] and self.turns_begun == 2 and self.moves == self.full:
            yield "swap"  # BBQ-52

    def walks(self) -> Iterator[str]:
        """BB-1.a: free parents along any line, never the child."""
        for kind in "LM":
            piece = self.turn + kind
            for target in self.board.pillars:
                if not self.table.is_free(piece) or self.table.is_blocked(piece, target):
                    continue
                if self.board.line_between(self.table.pillar[piece], target):
                    yield f"walk {kind} {target}"

    def crossings(self) -> Iterator[str]:
        for kind in SIZES:
            for target in self.board.pillars:
                for colour in self.families:
                    if self.may_cross(self.turn + kind, target, colour):
                        yield f"cross {kind} {target} {colour}"

    def may_cross(self, piece: str, target: str, colour: str) -> bool:
        """BB-1.c, BBQ-4, 5, 39: parents over any bridge, the child over untorched ones of its own colour."""
        line = self.board.line_between(self.table.pillar[piece], target)
        bridge = self.table.bridges.get((line, colour))
        if bridge is None or not self.table.is_free(piece) or self.table.is_blocked(piece, target):
            return False
        return piece[1] != "S" or (colour == self.turn and not bridge.torch)

    def seizures(self) -> Iterator[str]:
        """BBQ-16: a free larger piece takes in place."""
        for kind in SIZES:
            piece = self.turn + kind
            if self.table.is_free(piece) and self.table.may_take_at_all(piece):
                yield from (f"seize {kind} {victim}" for victim in self.table.victims(piece))

    def builds(self) -> Iterator[str]:
        """BB-1.b, BBQ-6, 7, 8: both parents free, one on each end."""
        table, parents = self.table, [self.turn + "L", self.turn + "M"]
        most = self.values["maxBridgesPerFamily"]
        own = [colour for _, colour in table.bridges if colour == self.turn]
        for line, ends in self.board.lines.items():
            colours = [colour for other, colour in table.bridges if other == line]
            if {table.pillar[parent] for parent in parents} != set(ends):
                continue
            if not all(table.is_free(parent) for parent in parents):
                continue
            if self.turn in colours or (colours and not self.values["parallelBridges"]):
                continue
            if most is None or len(own) < most:
                yield f"build {line}"

    def torches(self) -> Iterator[str]:
        """BB-1.d, BBQ-10, 11: any untorched bridge of another colour, while a parent is free and a pin left."""
        a_parent_is_free = any(self.table.is_free(self.turn + kind) for kind in "LM")
        for (line, colour), bridge in sorted(self.table.bridges.items()):
            if colour == self.turn and not self.values["torchOwn"]:
                continue
            if a_parent_is_free and not bridge.torch and self.table.pin_is_left(self.turn):
                yield f"torch {line} {colour}"

    def destructions(self) -> Iterator[str]:
        """BB-3.a, BBQ-32, 45: the free child stands at the base of a burning opponent bridge."""
        child = self.turn + "S"
        for (line, colour), bridge in sorted(self.table.bridges.items()):
            at_base = self.table.pillar[child] in self.board.lines[line]
            if bridge.torch and colour != self.turn and at_base and self.table.is_free(child):
                yield f"destroy {line} {colour}"

    def extinctions(self) -> Iterator[str]:
        """BBQ-12, 49: with ownerExtinguish a free own parent on either end."""
        for line in self.table.burning(self.turn):
            parents = [self.turn + kind for kind in "LM" if self.table.is_free(self.turn + kind)]
            if self.values["ownerExtinguish"] and any(self.table.pillar[p] in self.board.lines[line] for p in parents):
                yield f"extinguish {line}"

    def payments(self) -> Iterator[str]:
        """BBQ-26: any time in the turn, one move."""
        for captor, term in sorted(self.terms.items()):
            if term == "untorch":  # BBQ-25, untorchChoice hostage
                yield from (f"pay {captor} {line}" for line in self.table.burning(captor[0]))
            else:
                yield f"pay {captor}"

    def take_texts(self) -> Iterator[str]:
        yield from (f"take {victim}" for victim in self.table.victims(self.mover))
        if self.taken or not self.values["captureMandatory"]:  # BBQ-44
            yield "done"

    def ride_texts(self) -> Iterator[str]:
        yield from self.destructions()
        yield "done"

    # -- playing -----------------------------------------------------------------------------------------------------

    def play(self, action: str) -> None:
        if action not in self.legal():
            raise ValueError(f"not legal: {action}")
        verb, *words = action.split()
        if self.phase == "first":
            self.begin(self.families[int(words[0]) - 1])
        elif self.phase in ("bid", "choose"):
            self.settle_order(verb, words[0])
        elif self.phase == "terms":
            self.name_term(" ".join(words))
        elif verb == "end":
            self.end_turn()
        elif verb == "swap":
            self.exchange_sides()
        elif self.phase == "moves":
            self.moves -= 1
            getattr(self, f"do_{verb}")(*words)
            self.after_action()
        else:
            self.answer_follow_up(verb, *words)
            self.after_action()

    def begin(self, family: str) -> None:
        """BBQ-1, BBQ-53: the family that was drawn has the first turn, or bids for the other to choose."""
        if self.values["bid"]:
            self.turn, self.phase = family, "bid"
        else:
            self.start_turn(family)

    def settle_order(self, verb: str, word: str) -> None:
        """BBQ-53: one family names how many moves the last shall have more; the other takes the first or the last place."""
        (other,) = set(self.families) - {self.turn}
        if verb == "bid":
            self.bid, self.turn, self.phase = int(word), other, "choose"
        else:
            self.start_turn(self.turn if word == "first" else other)

    def start_turn(self, family: str) -> None:
        self.turn = family
        self.turns_begun += 1
        self.full = self.moves = 2 + (self.values["lastMoves"] + self.bid if self.unmoved == {family} else 0)
        self.unmoved.discard(family)
        self.phase = "terms" if self.unheard_captors() else "moves"

    def unheard_captors(self) -> list[str]:
        """BBQ-23, 42: captors of the family on turn that have named no term yet; seat order, L before M."""
        captors = [family + kind for family in self.families for kind in SIZES]
        holding = [c for c in captors if any(piece[0] == self.turn for piece in self.table.hostages_of(c))]
        return [captor for captor in holding if captor not in self.terms]

    def name_term(self, term: str) -> None:
        captor = self.unheard_captors()[0]
        if term == "none" and self.values["noneCost"] == 0:
            self.table.release(captor, self.turn)  # BBQ-27
        else:
            self.terms[captor] = term
        if self.look_for_winner():  # BBQ-43
            return
        self.phase = "terms" if self.unheard_captors() else "moves"

    def do_walk(self, kind: str, target: str) -> None:
        self.land(self.turn + kind, target)

    def do_cross(self, kind: str, target: str, colour: str) -> None:
        piece = self.turn + kind
        line = self.board.line_between(self.table.pillar[piece], target)
        self.table.bridges[line, colour].used = True
        self.land(piece, target)

    def land(self, piece: str, target: str) -> None:
        may_take = self.table.may_take_at_all(piece)  # BBQ-41: judged when the action is chosen
        self.table.free_hostages(piece)  # BB-1.e.v, BBQ-29
        self.table.pillar[piece] = target
        if self.values["captureOnLeaving"]:
            may_take = self.table.may_take_at_all(piece)
        if may_take and self.table.victims(piece):  # BB-1.e, BBQ-15
            self.phase, self.mover, self.taken = "take", piece, 0
        elif piece[1] == "S" and self.values["destroyCost"] == "ride" and list(self.destructions()):  # BBQ-32
            self.phase, self.mover = "ride", piece

    def do_seize(self, kind: str, victim: str) -> None:
        self.phase, self.mover, self.taken = "take", self.turn + kind, 0
        self.answer_follow_up("take", victim)

    def do_build(self, line: str) -> None:
        self.table.bridges[line, self.turn] = Bridge()

    def do_torch(self, line: str, colour: str) -> None:
        bridge = self.table.bridges[line, colour]
        bridge.torch, bridge.pin_of = True, self.turn

    def do_destroy(self, line: str, colour: str) -> None:
        del self.table.bridges[line, colour]

    def do_extinguish(self, line: str) -> None:
        self.table.quench(line, self.turn)

    def do_pay(self, captor: str, chosen: str | None = None) -> None:
        """BB-1.e.vii, BBQ-17, 26: one term done, all of the family's pieces under that captor free."""
        what, *line = self.terms.pop(captor).split()
        if what == "destroy":
            self.do_destroy(line[0], self.turn)
        if what == "untorch":
            self.table.quench(chosen or line[0], captor[0])
        self.table.release(captor, self.turn)

    def answer_follow_up(self, verb: str, *words: str) -> None:
        if verb == "take":
            self.table.take(self.mover, words[0])
            self.taken += 1
            if self.taken < 2 and self.table.victims(self.mover):  # BBQ-17
                return
        if verb == "destroy":
            self.do_destroy(*words)
        self.phase, self.mover = "moves", None

    # -- after a move ------------------------------------------------------------------------------------------------

    def after_action(self) -> None:
        self.void_terms()
        if self.phase != "moves" or self.look_for_winner():
            return
        if self.moves == 0:  # BBQ-48
            self.end_turn()

    def void_terms(self) -> None:
        """BBQ-42: a term whose bridge or torch is gone counts as NONE at once."""
        for captor, term in list(self.terms.items()):
            what, *line = term.split()
            if not any(piece[0] == self.turn for piece in self.table.hostages_of(captor)):
                del self.terms[captor]
                continue
            gone = what == "destroy" and (line[0], self.turn) not in self.table.bridges
            burning = self.table.burning(captor[0])
            out = what == "untorch" and not (line[0] in burning if line else burning)
            if gone or out:
                del self.terms[captor]
                self.table.release(captor, self.turn)

    def look_for_winner(self) -> bool:
        """BBQ-36: the family on turn first, then seat order."""
        others = [family for family in self.families if family != self.turn]
        for family in [self.turn, *others]:
            if self.table.is_home(family):
                self.finish([family], "home")
                return True
        return False

    def finish(self, winners: list[str], reason: str) -> None:
        self.phase, self.reason = "over", reason
        self.winners = [self.families.index(family) for family in winners]

    def end_turn(self) -> None:
        family, last = self.turn, self.families[-1]
        self.terms = {}  # BBQ-26: new terms next turn
        if self.values["idleCount"] == "owner":
            self.table.age_bridges({family})
        elif self.values["idleCount"] == "table" or family == last:
            self.table.age_bridges(set(self.families))
        self.table.shorten_immunity(family)
        self.pass_turn(family, last)

    def exchange_sides(self) -> None:
        """BBQ-52: every piece and bridge changes its family and its place; the turn is over without its usual end."""
        self.terms = {}
        self.table.exchange()
        self.pass_turn(self.turn, self.families[-1])

    def pass_turn(self, family: str, last: str) -> None:
        if not self.unmoved:
            self.bid = 0
        if family == last:
            self.round += 1
            if self.round == self.values["roundLimit"]:
                self.judge_round_limit()
                return
        self.start_turn(self.families[(self.families.index(family) + 1) % len(self.families)])

    def judge_round_limit(self) -> None:
        """BBQ-38: the fewest lines left for the child; a tie is a draw."""
        left = {f: self.board.lines_to_goal(f, self.table.pillar[f + "S"]) for f in self.families}
        nearest = [family for family in self.families if left[family] == min(left.values())]
        self.finish(nearest if len(nearest) == 1 else [], "round-limit")
