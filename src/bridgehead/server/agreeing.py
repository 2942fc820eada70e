"""Asking the others at a table for something, and answering: taking back, pausing, going on, a draw, resigning.

Whoever asks needs the others' consent: to take back, to pause and to go on that of every other person who is there, one at
least where there are other persons at all; to a draw that of all other persons; to resign that of the own side's.
"""

from __future__ import annotations

from typing import Any

from bridgehead.core.ending import DRAW, RESIGNED
from bridgehead.core.spec import OVER
from bridgehead.server.asks import Ask
from bridgehead.server.protocol import Answer, Withdraw
from bridgehead.server.protocol import Ask as Asked
from bridgehead.server.table import Happening, Refused, Table

THINGS = ("takeback", "pause", "resume", "draw", "resign")


async def ask(table: Table, you: frozenset[int], said: Asked) -> int:
    """Ask for something; where nobody else has to agree it happens at once. Errors: Refused, StorageError, Conflict."""
    if said.k in table.done:
        return table.again(you, said.k, "ask", None, what=said.what)
    table.expect(said.v)
    mine = you & table.persons
    wrong = why_not(table, mine, said.what)
    if wrong:
        raise Refused("turn" if wrong == "ask.seatless" else "closed", wrong)
    asker, need = _asker(table, mine, said.what), _needed(table, mine, said.what)
    body: dict[str, Any] = {"what": said.what, "seats": sorted(mine), "need": sorted(need)}
    if said.what == "takeback":
        body["to"] = _last_decision(table, mine)
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
    mine = you & table.persons
    return [what for what in THINGS if not why_not(table, mine, what)] if mine else []


def why_not(table: Table, mine: frozenset[int], what: str) -> str:
    """The key of the sentence that says why these seats may not ask for this now; "" if they may."""
    if not mine:
        return "ask.seatless"
    if table.actor == OVER:
        return "over"
    if table.paused and what in ("takeback", "pause"):
        return "paused"
    if what == "resume" and not table.paused:
        return "ask.running"
    if what == "takeback" and _last_decision(table, mine) < 0:
        return "ask.nothing"
    if what in ("draw", "resign") and len(set(table.game.sides)) != 2:
        return "ask.sides"
    asker, sides = _asker(table, mine, what), table.game.sides
    if what == "draw" and all(sides[seat] == sides[asker] for seat in table.persons):
        return "ask.computer"
    return _not_now(table, mine, what, asker)


def _not_now(table: Table, mine: frozenset[int], what: str, asker: int) -> str:
    """Why the others cannot be asked for what might be asked for, if they have to be."""
    need, length = _needed(table, mine, what), len(table.match.log)
    if not need:
        others = what in ("takeback", "pause", "resume") and table.persons - mine and not _is_free(table, mine, what)
        return "ask.alone" if others else ""
    if table.asks.open:
        return "ask.open"
    if table.asks.was_refused(asker, what, length):
        return "ask.again"
    return "ask.often" if table.asks.too_often(asker, what, length) else ""


def _needed(table: Table, mine: frozenset[int], what: str) -> frozenset[int]:
    """The seats that have to agree."""
    others = table.persons - mine
    if what == "draw":
        return others
    if what == "resign":
        side = table.game.sides[_asker(table, mine, what)]
        return frozenset(seat for seat in others if table.game.sides[seat] == side)
    return frozenset() if _is_free(table, mine, what) else others & table.here


def _is_free(table: Table, mine: frozenset[int], what: str) -> bool:
    """Is this no more than undoing one's own unfinished step?"""
    return what == "takeback" and table.match.undo_point() is not None and table.actor in mine


def _asker(table: Table, mine: frozenset[int], what: str) -> int:
    """The seat that asks, where one page holds several: whose last decision it is, or else who is to act."""
    if what == "takeback" and (point := _last_decision(table, mine)) >= 0:
        return table.match.log[point].actor
    return table.actor if table.actor in mine else min(mine)


def _last_decision(table: Table, mine: frozenset[int]) -> int:
    """How long the log was before the last decision of these seats at this table; -1 if there is none."""
    log = table.match.log
    return next((i for i in range(len(log) - 1, table.begun - 1, -1) if log[i].actor in mine), -1)


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
