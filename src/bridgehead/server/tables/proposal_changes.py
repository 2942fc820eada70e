"""Asking the others at a table for something, and answering: taking back, pausing, going on, a draw, resigning.

Whoever asks needs the others' consent: to take back, to pause and to go on that of every other person who is there, one at
least where there are other persons at all; to a draw that of all other persons; to resign that of the own side's.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from msgspec import UNSET

from bridgehead.core.ending import DRAW, RESIGNED
from bridgehead.core.spec import OVER
from bridgehead.server.messages.client import Answer, Withdraw
from bridgehead.server.messages.client import Ask as Asked
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.proposals import Ask
from bridgehead.server.tables.table import Happening, Refused, Table

THINGS = ("takeback", "pause", "resume", "draw", "resign")


class Wisher(NamedTuple):
    """Who might ask, and how the table stands beside what was asked before.

    sides: of all seats; mine: persons' seats of one page; others: those of all other persons; there: those of them that are
    here; decider: the seat of mine that decided last (-1: none), which is `free` to take that back while it is its own
    unfinished step; actor: who is to act.
    """

    sides: tuple[int, ...]
    mine: frozenset[int]
    others: frozenset[int]
    there: frozenset[int]
    decider: int
    free: bool
    actor: int
    paused: bool
    mistaken: bool


def _wisher(table: Table, you: frozenset[int]) -> Wisher:
    persons, actor = table.persons, table.actor
    mine, decision = you & persons, _decision(table, you & persons)
    decider = table.match.log[decision].actor if decision >= 0 else -1
    free = actor in mine and table.match.undo_point() is not None
    others = persons - mine
    return Wisher(table.game.sides, mine, others, others & table.here, decider, free, actor, table.paused, table.mistaken)


def _decision(table: Table, mine: frozenset[int]) -> int:
    """Where the log has the last decision of these seats; -1: there is none."""
    log = table.match.log
    decision = len(log) - 1 if mine else -1
    while decision >= table.begun and log[decision].actor not in mine:
        decision -= 1
    return decision if decision >= table.begun else -1


async def ask(table: Table, you: frozenset[int], said: Asked) -> int:
    """Ask for something; where nobody else has to agree it happens at once. Errors: Refused, StorageError, Conflict."""
    if said.k in table.done:
        return table.again(you, said.k, "ask", None, what=said.what)
    table.expect(said.v)
    wisher = _wisher(table, you)
    wrong = _why_not(table, wisher, said.what)
    if wrong:
        raise Refused("turn" if wrong == "ask.seatless" else "closed", wrong)
    asker, need = _asker(wisher, said.what), _needed(wisher, said.what)
    to = _decision(table, wisher.mine) if said.what == "takeback" else -1
    body = bodies.Ask(said.what, sorted(wisher.mine), sorted(need), to if said.what == "takeback" else UNSET)
    asked = Happening("ask", asker, body)
    if need:
        return await table.write(said.k, asked)
    return await table.write(said.k, asked, _effect(said.what, asker, to))


async def answer(table: Table, you: frozenset[int], said: Answer) -> int:
    """Agree to what is asked, or refuse it. Errors: Refused, StorageError, Conflict."""
    if said.k in table.done:
        return table.again(you, said.k, "answer", None, about=said.about, yes=said.yes)
    asked = _open(table, said.about)
    mine = you & asked.need - asked.agreed
    if not mine:
        raise Refused("turn", "ask.not_you")
    told = Happening("answer", min(mine), bodies.Answer(said.about, said.yes, sorted(mine)))
    if said.yes and asked.agreed | mine >= asked.need:
        return await table.write(said.k, told, _effect(asked.what, asked.actor, asked.to))
    return await table.write(said.k, told)


async def withdraw(table: Table, you: frozenset[int], said: Withdraw) -> int:
    """Ask no longer. Errors: Refused, StorageError, Conflict."""
    if said.k in table.done:
        return table.again(you, said.k, "withdraw", None, about=said.about)
    asked = _open(table, said.about)
    if not you & asked.seats:
        raise Refused("turn", "ask.not_you")
    return await table.write(said.k, Happening("withdraw", min(you & asked.seats), bodies.About(said.about)))


def may(table: Table, you: frozenset[int]) -> list[str]:
    """What these seats may ask for now."""
    wisher = _wisher(table, you)
    if not wisher.mine:
        return []
    return [what for what in _things(wisher) if table.asks.silent or not _often(table, wisher, what)]


@functools.lru_cache(1000)
def _things(wisher: Wisher) -> tuple[str, ...]:
    """What may be asked for, where nothing was asked before."""
    return tuple(what for what in THINGS if not _closed(wisher, what))


def _why_not(table: Table, wisher: Wisher, what: str) -> str:
    """The key of the sentence that says why they may not ask for this now; "" if they may."""
    return _closed(wisher, what) or _often(table, wisher, what)


def _closed(wisher: Wisher, what: str) -> str:
    """Why they may not ask for this, whatever was asked before."""
    if not wisher.mine:
        return "ask.seatless"
    if wisher.actor == OVER:
        return "over"
    if wisher.paused and what in ("takeback", "pause") and not (what == "takeback" and wisher.mistaken):
        return "paused"
    if what == "resume" and not wisher.paused:
        return "ask.running"
    if what == "takeback" and wisher.decider < 0:
        return "ask.nothing"
    if what in ("draw", "resign") and len(set(wisher.sides)) != 2:
        return "ask.sides"
    if what == "draw" and len({wisher.sides[seat] for seat in wisher.mine | wisher.others}) == 1:
        return "ask.computer"
    alone = not _needed(wisher, what) and not (what == "takeback" and wisher.free)
    return "ask.alone" if alone and what in ("takeback", "pause", "resume") and wisher.others else ""


def _often(table: Table, wisher: Wisher, what: str) -> str:
    """Why the others cannot be asked for this now, if they have to be: something else is asked, or this was asked before."""
    if not _needed(wisher, what):
        return ""
    if table.asks.open:
        return "ask.open"
    asker, length = _asker(wisher, what), len(table.match.log)
    if table.asks.was_refused(asker, what, length):
        return "ask.again"
    return "ask.often" if table.asks.too_often(asker, what, length) else ""


def _needed(wisher: Wisher, what: str) -> frozenset[int]:
    """The seats that have to agree."""
    if what == "draw":
        return wisher.others
    if what == "resign":
        side = wisher.sides[_asker(wisher, what)]
        return frozenset(seat for seat in wisher.others if wisher.sides[seat] == side)
    return frozenset() if what == "takeback" and wisher.free else wisher.there


def _asker(wisher: Wisher, what: str) -> int:
    """The seat that asks, where one page holds several: whose last decision it is, or else who is to act."""
    if what == "takeback" and wisher.decider >= 0:
        return wisher.decider
    return wisher.actor if wisher.actor in wisher.mine else min(wisher.mine)


def _effect(what: str, asker: int, to: int) -> Happening:
    """What happens when all have agreed."""
    if what == "takeback":
        return Happening("back", asker, bodies.Back(to))
    if what == "draw":
        return Happening("end", asker, bodies.End(DRAW, -1))
    if what == "resign":
        return Happening("end", asker, bodies.End(RESIGNED, asker))
    return Happening(what, asker)


def _open(table: Table, about: int) -> Ask:
    """What is asked in the event of that version, while it waits for an answer."""
    asked = table.asks.open
    if asked is None or asked.version != about:
        raise Refused("stale", "ask.gone")
    return asked


CHANGES: dict[type, Any] = {Asked: ask, Answer: answer, Withdraw: withdraw}
