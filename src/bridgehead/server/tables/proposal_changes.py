"""Making and answering proposals: taking back, pausing, resuming, a draw, resigning.

A proposal needs consent. Taking back, pausing and resuming need every other person who is at the table, and at least one if
other persons have seats. A draw needs all other persons. Resigning needs the persons on the same side.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from msgspec import UNSET

from bridgehead.core.ending import DRAW, RESIGNED
from bridgehead.core.spec import OVER
from bridgehead.server.messages.client import AnswerProposal, MakeProposal, WithdrawProposal
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.proposals import Proposal
from bridgehead.server.tables.table import NewEvent, Refused, Table, TableSession

THINGS = ("takeback", "pause", "resume", "draw", "resign")


class Proposer(NamedTuple):
    """A page that may propose, and the state of its table, without earlier proposals.

    sides: of all seats; mine: this page's seats; others: the seats of all other persons; there: those of them that are at
    the table; decider: the seat of mine that decided last (-1: none); free: it may take that decision back alone, since its
    step is unfinished; actor: the seat to act; strict: nothing is taken back here.
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
    held: bool
    strict: bool


def _proposer(table: Table, you: frozenset[int]) -> Proposer:
    persons, actor = table.persons, table.actor
    mine, decision = you & persons, _decision(table, you & persons)
    decider = table.match.log[decision].actor if decision >= 0 else -1
    free = actor in mine and table.match.undo_point() is not None
    others = persons - mine
    there = others if table.days.limit else others & table.attendance.here  # who plays by days is rarely here
    states = table.paused, table.rules_failed, table.frozen_by_host, table.body.awaits and not table.hints
    return Proposer(table.game.sides, mine, others, there, decider, free, actor, *states)


def _decision(table: Table, mine: frozenset[int]) -> int:
    """The place in the log of the last decision of these seats; -1 if there is none."""
    log = table.match.log
    decision = len(log) - 1 if mine else -1
    while decision >= table.begun and log[decision].actor not in mine:
        decision -= 1
    return decision if decision >= table.begun else -1


async def make_proposal(session: TableSession, message: MakeProposal) -> int:
    """Propose something. It takes effect at once if nobody else has to agree. Errors: Refused, StorageError, Conflict."""
    table, what = session.table, message.what
    if message.k in table.done:
        return table.find_repeated(session.you, message.k, "ask", None, what=what)
    table.expect(message.v)
    proposer = _proposer(table, session.you)
    wrong = _closed(proposer, what) or _often(table, proposer, what)
    if wrong:
        raise Refused("turn" if wrong == "ask.seatless" else "closed", wrong)
    asker, need = _asker(proposer, what), _needed(proposer, what)
    to = _decision(table, proposer.mine) if what == "takeback" else -1
    body = bodies.ProposalMade(what, sorted(proposer.mine), sorted(need), to if what == "takeback" else UNSET)
    asked = NewEvent("ask", asker, body)
    if need:
        return await table.write(message.k, asked)
    return await table.write(message.k, asked, _effect(what, asker, to))


async def answer(session: TableSession, message: AnswerProposal) -> int:
    """Agree to a proposal, or refuse it. Errors: Refused, StorageError, Conflict."""
    table = session.table
    if message.k in table.done:
        return table.find_repeated(session.you, message.k, "answer", None, about=message.about, yes=message.yes)
    proposal = _open(table, message.about)
    if table.frozen_by_host:
        raise Refused("closed", "paused.host")
    mine = session.you & proposal.need - proposal.agreed
    if not mine:
        raise Refused("turn", "ask.not_you")
    answered = NewEvent("answer", min(mine), bodies.ProposalAnswered(message.about, message.yes, sorted(mine)))
    if message.yes and proposal.agreed | mine >= proposal.need:
        return await table.write(message.k, answered, _effect(proposal.what, proposal.actor, proposal.to))
    return await table.write(message.k, answered)


async def withdraw(session: TableSession, message: WithdrawProposal) -> int:
    """Withdraw a proposal. Errors: Refused, StorageError, Conflict."""
    table = session.table
    if message.k in table.done:
        return table.find_repeated(session.you, message.k, "withdraw", None, about=message.about)
    mine = session.you & _open(table, message.about).seats
    if not mine:
        raise Refused("turn", "ask.not_you")
    return await table.write(message.k, NewEvent("withdraw", min(mine), bodies.ProposalClosed(message.about)))


def may(table: Table, you: frozenset[int]) -> list[str]:
    """The proposals that these seats may make now."""
    proposer = _proposer(table, you)
    if not proposer.mine or table.damage is not None:
        return []
    return [what for what in _things(proposer) if table.proposals.silent or not _often(table, proposer, what)]


@functools.lru_cache(1000)
def _things(proposer: Proposer) -> tuple[str, ...]:
    """The possible proposals, ignoring earlier ones."""
    return tuple(what for what in THINGS if not _closed(proposer, what))


def _closed(proposer: Proposer, what: str) -> str:
    """The key of the sentence why this cannot be proposed now, ignoring earlier proposals; "" if it can."""
    if not proposer.mine:
        return "ask.seatless"
    if proposer.actor == OVER:
        return "over"
    if proposer.held:
        return "paused.host"
    if proposer.paused and what in ("takeback", "pause") and not (what == "takeback" and proposer.mistaken):
        return "paused"
    if what == "resume" and not proposer.paused:
        return "ask.running"
    if what == "takeback" and proposer.strict and not proposer.mistaken:
        return "ask.strict"
    if what == "takeback" and proposer.decider < 0:
        return "ask.nothing"
    if what in ("draw", "resign") and len(set(proposer.sides)) != 2:
        return "ask.sides"
    if what == "draw" and len({proposer.sides[seat] for seat in proposer.mine | proposer.others}) == 1:
        return "ask.computer"
    alone = not _needed(proposer, what) and not (what == "takeback" and proposer.free)
    return "ask.alone" if alone and what in ("takeback", "pause", "resume") and proposer.others else ""


def _often(table: Table, proposer: Proposer, what: str) -> str:
    """The key of the sentence on the earlier proposal that bars this one; "" if none does."""
    if not _needed(proposer, what):
        return ""
    if table.proposals.open:
        return "ask.open"
    asker, length = _asker(proposer, what), len(table.match.log)
    if table.proposals.was_refused(asker, what, length):
        return "ask.again"
    return "ask.often" if table.proposals.too_often(asker, what, length) else ""


def _needed(proposer: Proposer, what: str) -> frozenset[int]:
    """The seats that have to agree."""
    if what == "draw":
        return proposer.others
    if what == "resign":
        side = proposer.sides[_asker(proposer, what)]
        return frozenset(seat for seat in proposer.others if proposer.sides[seat] == side)
    return frozenset() if what == "takeback" and proposer.free else proposer.there


def _asker(proposer: Proposer, what: str) -> int:
    """The proposing seat of a page: for a takeback the one that decided last, else the one to act."""
    if what == "takeback" and proposer.decider >= 0:
        return proposer.decider
    return proposer.actor if proposer.actor in proposer.mine else min(proposer.mine)


def _effect(what: str, asker: int, to: int) -> NewEvent:
    """The event that follows when all have agreed."""
    if what == "takeback":
        return NewEvent("back", asker, bodies.MatchRewound(to))
    if what == "draw":
        return NewEvent("end", asker, bodies.MatchEnded(DRAW, -1))
    if what == "resign":
        return NewEvent("end", asker, bodies.MatchEnded(RESIGNED, asker))
    return NewEvent(what, asker)


def _open(table: Table, about: int) -> Proposal:
    """The proposal of that version, if it waits for an answer. Errors: Refused."""
    asked = table.proposals.open
    if asked is None or asked.version != about:
        raise Refused("stale", "ask.gone")
    return asked
