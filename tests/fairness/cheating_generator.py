"""Cheating servers by generation: one change of one message of an honest server, at any moment, at both levels.

A message is a view with its draws, for one seat, or the proof at the end. A change alters any field of it, drops it, repeats it,
delays it, or gives a seat the message of another. Each ends in one of these:

    alarm     a client raised an alarm, which names the draw, the era, or what is not that of the rules
    open      no alarm, but the verdict on the proof is worse than without the change
    stopped   the game does not go on: nobody can be made to play
    harmless  nobody was shown anything else, and all that was drawn and kept is the same
    listed    what fairness.md lists as not caught
    missed    anything else: a fault of the clients
"""

from __future__ import annotations

import contextlib
import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from bridgehead.core.errors import BridgeheadError
from bridgehead.fairness import proof
from bridgehead.fairness.party import Party
from fairness.cheats import Message, Server

DECISIONS = 6
WHOLE = ("drop", "repeat", "delay", "swap")
SHOWN = ("actions", "actor", "choices", "log", "outcome")
# Who holds a seat is the server's word: a page has no other source for it.
LISTED = ("you",)
Path = tuple[str | int, ...]


class Change(NamedTuple):
    """A change of one message. moment: of those that the game has; kind: one of WHOLE, or "field"; path, value: of the field."""

    level: int
    moment: int
    kind: str
    path: Path = ()
    value: object = None

    def __str__(self) -> str:
        field = f" {'.'.join(map(str, self.path))} {json.dumps(self.value)[:80]}" if self.path else ""
        return f"level {self.level}, message {self.moment}: {self.kind}{field}"


class Run(NamedTuple):
    """What came of a game. shown: to each seat, in every message; kept: by each client; moved: the log of the server."""

    alarms: list[tuple[str, int, int]]
    verdict: str
    moved: list[tuple[int, int]]
    kept: list[Any]
    shown: list[Message]


class Changing(Server):
    """A table whose server changes one message. `messages`: all that were due, as they were before the change."""

    def __init__(self, level: int, change: Change | None = None) -> None:
        super().__init__(level, {seat: Party(clock=lambda: 0.0) for seat in range(3)})
        for seat, party in self.parties.items():
            party._seeds[seat] = bytes([seat + 1]) * 32  # so that each game is the same
        self.change, self.messages = change, list[Message]()
        self.delayed: dict[int, list[Message]] = {}

    def ask(self, seat: int, party: Party) -> list[Message]:
        due = json.loads(json.dumps({"view": self.view(seat), "draws": self.draws(seat)}))
        self.shown[seat] = len(self.match.log)
        self.messages.append(due)
        answers: list[Message] = []
        for message in [*self._given(seat, due), *self.delayed.pop(seat, [])]:
            answers += party.look(message["view"], message["draws"])
            if party.missed:
                party.catch_up(self.give_proof())
                answers += party.look(message["view"], message["draws"])
        return answers

    def _given(self, seat: int, due: Message) -> list[Message]:
        change = self.change
        if change is None or change.moment != len(self.messages) - 1:
            return [due]
        if change.kind == "delay":
            self.delayed[seat] = [due]
        if change.kind == "swap":
            other = (seat + 1) % len(self.parties)
            return [json.loads(json.dumps({"view": self.view(other), "draws": self.draws(other)}))]
        whole = {"drop": [], "delay": [], "repeat": [due, due]}
        return whole[change.kind] if change.kind in whole else [change_field(due, change.path, change.value)]

    def request(self) -> None:
        asked = self.__dict__.setdefault("asked_for", set())
        assert self.match.chances not in asked, "the draw cannot be made"
        asked.add(self.match.chances)
        super().request()

    def give_proof(self, revealed: bool = False) -> bytes:
        return msgspec.json.encode(self.proof(revealed))

    def hear(self, seat: int, message: Message) -> None:
        try:
            super().hear(seat, message)
        except (IndexError, KeyError, AssertionError, BridgeheadError):
            return  # the server refuses it

    def play_out(self) -> Run:
        """A short game with its proof at the end."""
        with contextlib.suppress(KeyError, AssertionError):  # it waits for a seat that does not commit or open
            self.seal().run(DECISIONS)
        if sum(actor >= 0 for actor, _ in self.log) < DECISIONS:  # it does not go on, so there is no end
            return Run(self.raised(), "holds", list(self.log), [], self.messages)
        last: bytes | None = self.give_proof(revealed=True)
        change = self.change
        if change is not None and change.moment == END and last is not None:
            altered = None if change.kind == "drop" else change_field(json.loads(last), change.path, change.value)
            last = None if altered is None else json.dumps(altered).encode()
        for party in self.parties.values():
            if not party.raised:
                party.catch_up(last, is_over=True)
        seen = [party.collect_evidence() for party in self.parties.values()]
        kept = [msgspec.to_builtins(each) for each in seen]
        try:
            verdict = proof.verdict(proof.verify(proof.read(last or b"{}"), proof.Observed(kept=seen)))
        except BridgeheadError:
            verdict = "broken"
        return Run(self.raised(), verdict, list(self.log), kept, self.messages)

    def raised(self) -> list[tuple[str, int, int]]:
        """The alarms of all clients: name, draw, era."""
        return [(alarm.key, alarm.n, alarm.era) for party in self.parties.values() for alarm in party.raised]


END = -1  # the moment of the proof


def change_field(message: Message, path: Path, value: object) -> Message:
    """A copy of a message with another value in one field; GONE takes the field out."""
    made = copy.deepcopy(message)
    at: Any = made
    for step in path[:-1]:
        at = at[step]
    if value == GONE:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return made


GONE = {"gone": True}


def paths(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Every field of a message, also those that hold others."""
    if path:
        yield path, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from paths(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value[:40]):
            yield from paths(inner, (*path, index))


def other_value(lot: random.Random, value: object, others: list[object]) -> object:
    """Another value for a field. others: values of the same type from the same message."""
    same = [each for each in others if type(each) is type(value) and each != value]
    if same and lot.random() < 0.25:
        return lot.choice(same)
    if lot.random() < 0.08:
        return GONE
    if lot.random() < 0.05:
        return None if value is not None else "other"
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return lot.choice([value + 1, value - 1, 0, -1, value + 7, 2**31])
    if isinstance(value, str):
        at = lot.randrange(max(1, len(value)))
        flipped = value[:at] + ("0" if value[at : at + 1] != "0" else "1") + value[at + 1 :]
        return lot.choice([flipped, flipped, flipped, value[:-1], ""])
    if isinstance(value, list) and value:
        at = lot.randrange(len(value))
        gone = value[:at] + value[at + 1 :]
        return lot.choice([gone, [*value, value[at]], value[::-1], [], gone])
    if isinstance(value, dict) and value:
        return {name: each for name, each in value.items() if name != lot.choice([*value])}
    return [0] if isinstance(value, list) else 1


def other_field(lot: random.Random, message: Message) -> tuple[Path, object]:
    """Another value for a field of a message: its path, and the value. Each kind of field has the same chance."""
    fields = [*paths(message)]
    while True:
        wanted = lot.choice(sorted({name(path) for path, _ in fields}))
        path, value = lot.choice([each for each in fields if name(each[0]) == wanted])
        new = other_value(lot, value, [each for _, each in fields])
        if new != value or type(new) is not type(value):
            return path, new


def changes(level: int, honest: Run, lot: random.Random, count: int) -> Iterator[Change]:
    """Changes at random moments."""
    last = json.loads(honest.kept[-1])
    while count:
        moment = lot.randrange(-len(honest.shown) // 8, len(honest.shown))
        message = last if moment < 0 else honest.shown[moment]
        kind = lot.choice(WHOLE) if lot.random() < 0.15 else "field"
        if kind != "field":
            if moment < 0 and kind != "drop":
                continue
            yield Change(level, max(END, moment), kind)
        else:
            yield Change(level, max(END, moment), kind, *other_field(lot, message))
        count -= 1


def name(path: Path) -> str:
    """A path without its places in lists."""
    return ".".join(str(step) for step in path if isinstance(step, str))


def honest(level: int) -> Run:
    """The same game without a change. The proof follows what was kept, as text."""
    table = Changing(level)
    run = table.play_out()
    assert run.alarms == [] and run.verdict == "holds", (run.alarms, run.verdict)
    return run._replace(kept=[*run.kept, table.give_proof(revealed=True).decode()])


def result(change: Change, before: Run) -> tuple[str, Run]:
    """What a change ends in, see the head of this module."""
    after = Changing(change.level, change).play_out()
    if after.alarms:
        assert any(n or era or key in OF_ERA | OF_TABLE for key, n, era in after.alarms), (str(change), after.alarms)
        return "alarm", after
    if after.verdict != "holds":
        return "open", after
    if len(after.moved) < len(before.moved):
        return "stopped", after
    if change.path and name(change.path).split(".")[-1] in LISTED:
        return "listed", after
    is_shown = change.kind == "field" and change.moment >= 0 and change.path[:1] == ("view",) and change.path[1:2][0] in SHOWN
    is_shown = is_shown and not _is_same_row(change, before)
    same = after.moved == before.moved and all(map(_within, after.kept, before.kept))
    return ("harmless" if same and not is_shown else "missed"), after


def _is_same_row(change: Change, before: Run) -> bool:
    """Is it a row of the log with the same actor, which is all that a row has here? Clients pass over fields they do not know."""
    if change.path[1:2] != ("log",) or len(change.path) != 3 or not isinstance(change.value, dict):
        return False
    row = before.shown[change.moment]["view"]["log"][change.path[2]]
    return "actor" in change.value and change.value["actor"] == row["actor"]


# Alarms about the table as a whole, or about all that is shown.
OF_TABLE = {"key", "game", "level", "rules", "malformed", "proof", "choices", "board", "illegal"}
OF_ERA = {"transcript", "seal", "era", "signature", "list", "two", "opening"}


def _within(after: Any, before: Any) -> bool:
    """Did a client keep the same eras, and no draw that it would not have kept?"""
    return after["eras"] == before["eras"] and all(draw in before["draws"] for draw in after["draws"])


def table_of(count: int, seed: int = 1) -> tuple[Counter[tuple[int, str]], list[str]]:
    """How many changes end in what, by level; and those that were missed."""
    lot, made, missed = random.Random(seed), Counter[tuple[int, str]](), []
    for level in (1, 2):
        before = honest(level)
        for change in changes(level, before, lot, count // 2):
            what, _ = result(change, before)
            made[level, what] += 1
            if what == "missed":
                missed.append(str(change))
    return made, missed
