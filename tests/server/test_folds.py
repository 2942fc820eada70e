"""Whatever people do at a table, and however long they take: its log tells the same again."""

import json
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgehead.core import record, registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.server.messages.client import AnswerProposal, MakeProposal, WithdrawProposal
from bridgehead.server.messages.tables import ClockWish
from bridgehead.server.rooms import timers
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.sqlite import Event
from bridgehead.server.tables import proposal_changes
from bridgehead.server.tables.state import Folded
from bridgehead.server.tables.stored_seats import Seat, StoredTable
from bridgehead.server.tables.table import Table
from waiting import apart

GAMES = [
    ("forty_bridges", {}),
    ("barricade", {"board": "mini", "seats": 2}),
    ("barricade", {"seats": 4, "teams": "0,2/1,3"}),
    ("burning_bridges", {"seats": 3}),
    ("front_lines", {"seats": 2}),
]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["act", "act", "undo", "wait", "here", "withdraw", "yes", "yes", "no", *proposal_changes.THINGS]),
        st.integers(0, 3), st.integers(0, 10**6),
    ),
    min_size=5, max_size=60,
)  # fmt: skip


class Seats(NamedTuple):
    """Who sends a message: the holder of these seats."""

    table: Table
    you: frozenset[int]


class Log:
    """A store that only remembers."""

    def __init__(self) -> None:
        self.kept: list[Event] = []

    async def append(self, game: str, events: list[Event]) -> None:
        self.kept += events

    def events(self, game: str) -> list[Event]:
        return self.kept


class Fuzz:
    """A table whose time is ours; the last seat may be a computer's."""

    def __init__(self, game: str, options: dict[str, Any], robot: bool, clock: ClockWish | None) -> None:
        made = registry.game(game, **options)
        kinds = ["person"] * (made.seats - robot) + ["computer"] * robot
        self.body = StoredTable(game, made.spec.version, options, [Seat(kind, "", kind) for kind in kinds], "7", clock=clock)
        self.at, self.keys = 50.0, 0
        self.table = self.fresh(Log())
        self.table.attendance.here = self.table.persons

    def fresh(self, log: Log) -> Table:
        made = registry.game(self.body.game, **self.body.options)
        table = Table("T", self.body, made, log, hash_chain.first_link("T", ""))  # type: ignore[arg-type]
        table.now = lambda: self.at
        table.fold(made, log.kept)
        return table

    def key(self) -> str:
        self.keys += 1
        return f"{self.keys:032x}"

    async def step(self, what: str, seat: int, number: int) -> None:
        table = self.table
        you, version = frozenset([seat % len(table.seats)]) & table.persons, table.version
        asked = table.proposals.last.version if table.proposals.last else number % 5
        if what == "act" and table.actor >= 0:
            legal = table.match.position.legal
            kind = table.seats[table.actor].kind
            by = "person" if kind == "person" else "greedy"
            await table.act(frozenset([table.actor]), self.key(), version, legal[number % len(legal)], by)
        elif what == "undo":
            await table.undo(you, self.key(), version)
        elif what == "wait":
            self.at += number / 20_000
            await timers.store_due(table)
        elif what == "here":
            table.attendance.here = table.attendance.here ^ you
            await timers.store_arrivals(table, you & table.attendance.here)
        elif what in ("yes", "no"):
            await proposal_changes.answer(Seats(table, you), AnswerProposal(self.key(), asked, what == "yes"))
        elif what == "withdraw":
            await proposal_changes.withdraw(Seats(table, you), WithdrawProposal(self.key(), asked))
        elif what != "act":
            await proposal_changes.make_proposal(Seats(table, you), MakeProposal(self.key(), version, what))  # type: ignore[arg-type]

    async def deal(self) -> None:
        """What chance does before anybody acts is in the log of every table."""
        before = len(self.table.match.log)
        self.table.match.deal(self.table.dealer)
        events = self.table._played(self.key(), "chance", before)
        if events:
            self.table.match.rewind(before)
            await self.table.store.append(self.table.id, events)
            self.table._apply(events)


def state(table: Table) -> dict[str, Any]:
    """Everything of a table that has to follow from its log."""
    clock, asked = table.clock, table.proposals.last
    return {
        "version": table.version, "moved": table.last_move_version, "log": table.match.log, "position": table.match.position.text,
        "ended": table.match.ended, "paused": table.paused, "left": clock.left, "late": clock.late, "came": table.came,
        "credit": clock.credit, "running": clock.running, "head": table.head,
        "ask": asked and asked._replace(until=0.0), "done": table.done,
    }  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES), st.booleans(), st.sampled_from([None, ClockWish(bank=60, increment=2), ClockWish(nudge=9)]), STEPS)
def test_a_log_tells_the_same_again_and_nobody_is_overruled(
    named: tuple[str, dict[str, Any]], robot: bool, clock: ClockWish | None, steps: list[tuple[str, int, int]]
) -> None:
    fuzz = Fuzz(*named, robot, clock)

    async def play() -> None:
        await fuzz.deal()
        await timers.store_arrivals(fuzz.table, fuzz.table.persons)
        for step in steps:
            before = state(fuzz.table)
            try:
                await fuzz.step(*step)
            except BridgeheadError:
                assert state(fuzz.table) == before, "what is refused changes nothing"

    apart(play())
    table, log = fuzz.table, fuzz.table.store.kept  # type: ignore[attr-defined]
    again = fuzz.fresh(Log())
    again.store.kept = log  # type: ignore[attr-defined]
    again.reload()
    assert state(again) == state(table)
    assert all(left >= 0 for left in table.clock.left)
    told = record.dump(table.match, table.names)
    assert record.dump(record.load(told)[0], table.names) == told
    consented(table, log)


def consented(table: Table, log: list[Event]) -> None:
    """Every effect came after the consent of all who were asked, none of them the asker."""
    asked: dict[str, Any] = {}
    agreed: set[int] = set()
    for event in log:
        body = json.loads(event.body) if event.body else {}
        if event.kind == "ask":
            asked, agreed = body, set()
            assert not set(body["seats"]) & set(body["need"])
        elif event.kind == "answer":
            assert set(body["seats"]) <= set(asked["need"]) - agreed
            agreed |= set(body["seats"]) if body["yes"] else set()
        elif event.kind in ("back", "pause", "resume") or (event.kind == "end" and event.by != "clock"):
            assert agreed == set(asked["need"])
            if body.get("how") == "draw agreed":
                assert agreed | set(asked["seats"]) == table.persons
            asked = {"need": ["never again"]}


def test_the_fuzz_reaches_every_kind_of_event() -> None:
    """Without this the test above might show nothing."""
    fuzz = Fuzz("forty_bridges", {}, False, ClockWish(bank=60))

    async def play() -> set[str]:
        await timers.store_arrivals(fuzz.table, fuzz.table.persons)
        script = [
            ("act", 0, 0), ("takeback", 0, 0), ("yes", 1, 0), ("act", 0, 0), ("pause", 0, 0), ("no", 1, 0), ("pause", 1, 0),
            ("withdraw", 1, 0), ("pause", 1, 0), ("yes", 0, 0), ("resume", 0, 0), ("wait", 0, 10**6), ("wait", 0, 10**6),
            ("resume", 1, 0), ("yes", 0, 0), ("wait", 0, 10**6), ("wait", 0, 10**6),
        ]  # fmt: skip
        for step in script:
            await fuzz.step(*step)
        return {event.kind for event in fuzz.table.store.kept}  # type: ignore[attr-defined]

    kinds = apart(play())
    assert kinds == {"came", "action", "ask", "answer", "back", "withdraw", "pause", "resume", "lapse", "end"}
    assert fuzz.table.match.ended is not None and fuzz.table.match.ended.text == "seat 2 out of time"
    with pytest.raises(BridgeheadError):
        apart(fuzz.step("takeback", 0, 0))


def test_a_copy_that_is_adopted_brings_everything_folded_and_nothing_of_who_is_here() -> None:
    """A field that is not declared would stay as it was before."""
    old, new = (Fuzz("forty_bridges", {}, False, ClockWish(bank=60)) for _ in range(2))
    old.table.attendance.here, old.table.links = frozenset([1]), {"k": "token"}
    assert {*vars(Folded("T", old.body, old.table.game, b""))} - {"id", "root", "now", "wall"} == {*Folded.__annotations__}
    apart(new.step("act", 0, 0))
    old.table.adopt(new.table)
    assert all(getattr(old.table, name) is getattr(new.table, name) for name in Folded.__annotations__)
    assert old.table.attendance.here == {1} and old.table.links == {"k": "token"} and old.table.version == 1
