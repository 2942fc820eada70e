"""Conditional moves: what a seat plays if the others do what it expects. Stored outside the event log, for that seat only.

A plan is a list of lines. A line holds the actions of everybody, chance included, from the position at which it was made; the
first line that fits what was played counts. A plan whose last line no longer fits ends, and its seat learns which action ended
it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from bridgehead.core.validation import ready
from bridgehead.server.storage.event_log import Statement
from bridgehead.server.tables.table import Refused, Table

MOST_LINES = 40
LONGEST = 60  # actions of a line
PLAYED, TAKEN_BACK = -1, -2  # values of `Plan.ended`
RUNS = -3


class ConditionalPlan(msgspec.Struct, frozen=True):
    """Conditional moves of a seat. at: length of the match's log when they were made; seen: hash of that log.

    ended: RUNS, or the number of the action that no line foresaw, or why the plan ended without one.
    """

    at: int
    seen: str
    lines: list[list[int]]
    ended: int = RUNS


def make_plan(table: Table, seat: int, wanted: Iterable[Sequence[int]]) -> ConditionalPlan:
    """A plan from lines that begin at the present position. Errors: Refused with the reason."""
    if table.damage is not None:
        raise table.why_closed
    if table.actor == seat:
        raise Refused("illegal", "plan.your_turn")
    if table.actor < 0:
        raise Refused("closed", "over" if table.actor == -2 else "plan.chance")
    lines: list[list[int]] = []
    for line in wanted:
        own = _own_part(table, seat, line)
        if own and own not in lines:
            lines.append(own)
    if not lines:
        raise Refused("illegal", "plan.none")
    if len(lines) > MOST_LINES or any(len(line) > LONGEST for line in lines):
        raise Refused("illegal", "plan.long", lines=MOST_LINES, actions=LONGEST)
    log = _actions(table)
    return ConditionalPlan(len(log), _hash(log), lines)


def _own_part(table: Table, seat: int, line: Sequence[int]) -> list[int]:
    """A line up to the last action of the seat. Errors: Refused for an illegal action."""
    position, last = table.match.position, 0
    for count, action in enumerate(line, 1):
        if position.is_over or action not in position.legal:
            raise Refused("illegal", "plan.illegal", n=count)
        last = count if position.actor == seat else last
        position = position.after(action)
    return list(line[:last])


def follow_plan(table: Table, seat: int, plan: ConditionalPlan) -> tuple[ConditionalPlan | None, int | None]:
    """The plan after what was played, and the seat's action that it wants now. None: the plan was played to its end."""
    if plan.ended != RUNS:
        return plan, None
    log = _actions(table)
    if len(log) < plan.at or _hash(log[: plan.at]) != plan.seen:
        return msgspec.structs.replace(plan, lines=[], ended=TAKEN_BACK), None
    played = log[plan.at :]
    fitting = [line for line in plan.lines if line[: len(played)] == played[: len(line)]]
    if not fitting:
        return msgspec.structs.replace(plan, lines=[], ended=plan.at + _strange(plan.lines, played)), None
    rest = [line for line in fitting if len(line) > len(played)]
    if not rest or table.actor == -2:
        return None, None
    action = rest[0][len(played)]
    if table.actor != seat or table.stopped:
        return plan, None
    if action not in table.match.position.legal:
        return msgspec.structs.replace(plan, lines=[], ended=TAKEN_BACK), None
    return plan, action


def _strange(lines: Sequence[Sequence[int]], played: Sequence[int]) -> int:
    """The place of the first action that no line has."""
    shared = (n for n in range(len(played)) if not any([*line[: n + 1]] == [*played[: n + 1]] for line in lines))
    return next(shared, len(played))


def _actions(table: Table) -> list[int]:
    return [entry.action for entry in table.match.log]


def _hash(actions: Sequence[int]) -> str:
    return hashlib.sha256(msgspec.msgpack.encode(list(actions))).hexdigest()


def of(table: Table) -> dict[int, ConditionalPlan]:
    """The plans of all seats of a table. It waits for the disk: call it in a thread. Errors: StorageError."""
    rows = table.store.read("select seat, body from plan where game = ?", table.id)
    return {seat: msgspec.json.decode(body, type=ready(ConditionalPlan)) for seat, body in rows}


def keep(table: Table, seat: int, plan: ConditionalPlan | None) -> Statement:
    """Store a plan, or delete it."""
    if plan is None:
        return "delete from plan where game = ? and seat = ?", (table.id, seat)
    text = msgspec.json.encode(plan).decode()
    return "insert into plan values (?, ?, ?) on conflict (game, seat) do update set body = excluded.body", (table.id, seat, text)
