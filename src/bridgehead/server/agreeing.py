"""Asking the others at a table for something, and answering: taking back, pausing, going on, a draw, resigning.

Whoever asks needs the others' consent: to take back, to pause and to go on that of every other person who is there, one at
least where there are other persons at all; to a draw that of all other persons; to resign that of the own side's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bridgehead.core.ending import DRAW, RESIGNED
from bridgehead.core.spec import OVER
from bridgehead.server.asks import Ask
from bridgehead.server.protocol import Answer, Withdraw
from bridgehead.server.protocol import Ask as Asked
from bridgehead.server.table import Happening, Refused, Table

THINGS = ("takeback", "pause", "resume", "draw", "resign")


class Wisher(NamedTuple):
    """Who might ask: persons' seats of one page, those of all other persons, and their last decision (-1: none), which is free
    to take back while it is their own unfinished step. actor: who is to act.
    """

    table: Table
    actor: int
    mine: frozenset[int]
    others: frozenset[int]
    decision: int
    free: bool


def _wisher(table: Table, you: frozenset[int]) -> Wisher:
    persons = table.persons
    mine, log, actor = you & persons, table.match.log, table.actor
    decision = len(log) - 1 if mine else -1
    while decision >= table.begun and log[decision].actor not in mine:
        decision -= 1
    free = actor in mine and table.match.undo_point() is not None
    return Wisher(table, actor, mine, persons - mine, decision if decision >= table.begun else -1, free)


async def ask(table: Table, you: frozenset[int], said: Asked) -> int:
    """Ask for something; where nobody else has to agree it happens at once. Errors: Refused, StorageError, Conflict."""
    if said.k in table.done:
        return table.again(you, said.k, "ask", None, what=said.what)
    table.expect(said.v)
    wisher = _wisher(table, you)
    wrong = why_not(wisher, said.what)
    if wrong:
        raise Refused("turn" if wrong == "ask.seatless" else "closed", wrong)
    asker, need = _asker(wisher, said.what), _needed(wisher, said.what)
    body: dict[str, Any] = {"what": said.what, "seats": sorted(wisher.mine), "need": sorted(need)}
    if said.what == "takeback":
        body["to"] = wisher.decision
    asked = Happening("ask", asker, body)
    if need:
        return await table.write(said.k, asked)
    return await table.write(said.k, asked, _effect(said.what, asker, body.get("to", -1)))


async def answer(table: Table, you: frozenset[int], said: Answer) -> int:
    """Agree to what is asked, or refuse it. Errors: Refused, StorageError, Conflict."""
    if said.k in table.done:
        return table.again(you, said.k, "answer", None, about=said.about, yes=said.yes)
    asked = _open(table, said.about)
    mine = you & asked.need - asked.agreed
    if not mine:
        raise Refused("turn", "ask.not_you")
    told = Happening("answer", min(mine), {"about": said.about, "yes": said.yes, "seats": sorted(mine)})
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
    return await table.write(said.k, Happening("withdraw", min(you & asked.seats), {"about": said.about}))


def may(table: Table, you: frozenset[int]) -> list[str]:
    """What these seats may ask for now."""
    wisher = _wisher(table, you)
    return [what for what in THINGS if not why_not(wisher, what)] if wisher.mine else []


def why_not(wisher: Wisher, what: str) -> str:
    """The key of the sentence that says why they may not ask for this now; "" if they may."""
    table = wisher.table
    if not wisher.mine:
        return "ask.seatless"
    if wisher.actor == OVER:
        return "over"
    if table.paused and what in ("takeback", "pause") and not (what == "takeback" and table.mistaken):
        return "paused"
    if what == "resume" and not table.paused:
        return "ask.running"
    if what == "takeback" and wisher.decision < 0:
        return "ask.nothing"
    if what in ("draw", "resign") and not table.game.has_two_sides:
        return "ask.sides"
    if what == "draw" and len({table.game.sides[seat] for seat in wisher.mine | wisher.others}) == 1:
        return "ask.computer"
    return _not_now(wisher, what)


def _not_now(wisher: Wisher, what: str) -> str:
    """Why the others cannot be asked for what might be asked for, if they have to be."""
    table, need = wisher.table, _needed(wisher, what)
    if not need:
        free = what == "takeback" and wisher.free
        return "ask.alone" if what in ("takeback", "pause", "resume") and wisher.others and not free else ""
    if table.asks.open:
        return "ask.open"
    asker, length = _asker(wisher, what), len(table.match.log)
    if table.asks.was_refused(asker, what, length):
        return "ask.again"
    return "ask.often" if table.asks.too_often(asker, what, length) else ""


def _needed(wisher: Wisher, what: str) -> frozenset[int]:
    """The seats that have to agree."""
    table, others = wisher.table, wisher.others
    if what == "draw":
        return others
    if what == "resign":
        side = table.game.sides[_asker(wisher, what)]
        return frozenset(seat for seat in others if table.game.sides[seat] == side)
    return frozenset() if what == "takeback" and wisher.free else others & table.here


def _asker(wisher: Wisher, what: str) -> int:
    """The seat that asks, where one page holds several: whose last decision it is, or else who is to act."""
    if what == "takeback" and wisher.decision >= 0:
        return wisher.table.match.log[wisher.decision].actor
    return wisher.actor if wisher.actor in wisher.mine else min(wisher.mine)


def _effect(what: str, asker: int, to: int) -> Happening:
    """What happens when all have agreed."""
    if what == "takeback":
        return Happening("back", asker, {"to": to})
    if what == "draw":
        return Happening("end", asker, {"how": DRAW, "seat": -1})
    if what == "resign":
        return Happening("end", asker, {"how": RESIGNED, "seat": asker})
    return Happening(what, asker)


def _open(table: Table, about: int) -> Ask:
    """What is asked in the event of that version, while it waits for an answer."""
    asked = table.asks.open
    if asked is None or asked.version != about:
        raise Refused("stale", "ask.gone")
    return asked


CHANGES: dict[type, Any] = {Asked: ask, Answer: answer, Withdraw: withdraw}
