"""Sealed chance at a table (docs/fairness.md): what the seats send, what it becomes in the log, and what everybody is told.

An era is sealed first (`seal`), then each seat commits (`head`), all is frozen (`freeze`), at level 1 each seat opens
its first link (`link`), and chance is dealt. A seat that changes hands begins another era, which takes the place of the
one before as soon as it is complete, so that nobody waits in the middle of a game.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from bridgehead.core.game import Game
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.fairness import bgf1, signatures
from bridgehead.fairness.bgf1 import Link, SeatHead
from bridgehead.fairness.seals import SERVER, Era, Seals, begin
from bridgehead.server.messages.client import Begin, NewTable, Reveal, Seal
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables.event_handlers import KINDS
from bridgehead.server.tables.game_cache import has_chance
from bridgehead.server.tables.table import Happening, Refused, Table


def chance_of(wish: NewTable, game: Game) -> dict[str, Any]:
    """How chance is answered at a new table: sealed, unless its maker gives a seed or the game has none."""
    if wish.seed is not None:
        return {"seed": str(wish.seed), "known": True}
    return fresh_chance(wish.level if has_chance(game) else 0)


def fresh_chance(level: int) -> dict[str, Any]:
    """Secrets that nothing else was made of."""
    return {"seed": secrets.token_hex(16), "level": level, "secret": secrets.token_hex(32) if level else ""}


# What happens, as the log says it

Body = dict[str, Any]


def _sealed(seals: Seals, actor: int, body: Body) -> Seals:
    heads = tuple(SeatHead(each[0], bytes.fromhex(each[1])) if each else None for each in body["heads"])
    gid, root = bytes.fromhex(body["gid"]), bytes.fromhex(body["root"])
    return seals.begun(Era(gid, root, body["depth"], body["level"], heads, ("",) * len(heads)))


def _committed(seals: Seals, actor: int, body: Body) -> Seals:
    return seals.committed(actor, SeatHead(body["source"], bytes.fromhex(body["head"])), body["holder"])


def _linked(seals: Seals, actor: int, body: Body) -> Seals:
    return seals.opened(bytes.fromhex(body["gid"]), Link(actor, body["n"], bytes.fromhex(body["value"])))


APPLY: dict[str, Callable[[Seals, int, Body], Seals]] = {
    "seal": _sealed,
    "head": _committed,
    "freeze": lambda seals, _, body: seals.frozen(bytes.fromhex(body["transcript"]), body["signature"]),
    "link": _linked,
    "chance.request": lambda seals, _, body: seals.requested(bytes.fromhex(body["gid"]), body["event"], body["seats"]),
    "chance.default": lambda seals, seat, body: seals.defaulted(bytes.fromhex(body["gid"]), seat),
    "begin": lambda seals, *_: seals,
}


def _happen(table: Table, event: Event) -> None:
    assert isinstance(table.dealer, Seals)
    dealer = table.dealer.played(table.match.chances, is_over=False)
    table.dealer = APPLY[event.kind](dealer, event.actor, msgspec.json.decode(event.body or "{}"))
    table.sealed = event.version


KINDS.update(dict.fromkeys(APPLY, _happen))


class Draft:
    """What is about to happen to what is sealed, tried before it is stored."""

    def __init__(self, table: Table) -> None:
        assert isinstance(table.dealer, Seals)
        self.table, self.happenings = table, list[Happening]()
        self.seals = table.dealer.played(table.match.chances, is_over=False)

    def add(self, kind: str, actor: int, by: str = "server", **body: Any) -> None:
        self.happenings.append(Happening(kind, actor, body, by))
        self.seals = APPLY[kind](self.seals, actor, body)

    def seal(self, made: Sequence[bool]) -> None:
        """A new era, in which the server makes the part of some seats."""
        gid = secrets.token_bytes(16)
        era = begin(self.seals.keeper, gid, self.table.body.level, made)
        heads = [[head.source, head.head.hex()] if head else None for head in era.heads]
        self.add("seal", CHANCE, gid=gid.hex(), root=era.root.hex(), depth=era.depth, level=era.level, heads=heads)

    def finish(self) -> list[Happening]:
        """Freeze what is committed, and let chance answer if it can now; all that is to happen."""
        era = self.seals.pending
        if era is not None and not era.transcript and not era.unsealed:
            agreed = era.agreed(self.seals.rules)
            signature = signatures.sign(self.table.store.key, agreed).hex()
            self.add("freeze", CHANCE, transcript=agreed.hex(), signature=signature)
        match = self.table.match
        before = len(match.log)
        try:
            match.deal(self.seals)
            self.happenings += [Happening("action", CHANCE, by="chance", action=each.action) for each in match.log[before:]]
        finally:
            match.rewind(before)
        return self.happenings


def opening(table: Table, actions: Sequence[int] = ()) -> list[Happening]:
    """What happens at a table that is made, after the actions that it takes over: chance is sealed, and answers if that
    needs nobody; or a seed answers. The match is left behind them; nothing is stored yet."""
    for action in actions:
        table.match.play(action)
    begun = [Happening("action", entry.actor, by="fork", action=entry.action) for entry in table.match.log]
    if table.body.level:
        draft = Draft(table)
        draft.seal([seat.kind != "person" for seat in table.seats])
        return begun + draft.finish()
    table.match.deal(table.dealer)
    return begun + [Happening("action", CHANCE, by="chance", action=entry.action) for entry in table.match.log[len(begun) :]]


def new_era(table: Table) -> list[Happening]:
    """A new era, for after a seat has changed hands: put it behind the event that says so. Takes a hundredth of a second.

    The era before answers until every person's page has sealed the new one, or the server does it for those who left.
    """
    if not isinstance(table.dealer, Seals) or table.actor == OVER:
        return []
    draft = Draft(table)
    draft.seal([seat.kind != "person" for seat in table.seats])
    return draft.finish()


# What the seats say


async def commit(table: Table, you: frozenset[int], said: Seal) -> int:
    """Seats commit. Errors: Refused, StorageError, Conflict; then nothing is changed."""
    if said.k in table.done:
        return table.again(you, said.k, "head", None)
    seals, draft = _seals(table), Draft(table)
    if seals.pending is None or seals.pending.game_id.hex() != said.gid:
        raise Refused("stale", "stale")
    for told in said.heads:
        if told.seat not in you:
            raise Refused("turn", "seal.seat")
        had = draft.seals.pending.heads[told.seat] if draft.seals.pending else None
        if had is not None and had != (said.source, bytes.fromhex(told.head)):
            raise Refused("bad", "seal.twice")
        if had is None:
            holder = table.seats[told.seat].token[:16]
            draft.add("head", told.seat, "person", source=said.source, head=told.head, holder=holder)
    return await _store(table, said.k, draft)


async def reveal(table: Table, you: frozenset[int], said: Reveal) -> int:
    """Seats open links. Errors as `commit`."""
    if said.k in table.done:
        return table.again(you, said.k, "link", None)
    draft = Draft(table)
    for told in said.links:
        if told.seat not in you:
            raise Refused("turn", "seal.seat")
        era = next((era for era in draft.seals.eras if era.game_id.hex() == said.gid), None)
        if era is None or not era.transcript:
            raise Refused("bad", "seal.early")
        last, value = era.last[told.seat], bytes.fromhex(told.value)
        if (last.number, last.value) == (told.n, value):
            continue
        expected = era.unopened if era.level == 1 else era.asked.missing if era.asked and era.asked.event == said.e else ()
        if told.seat not in expected:
            raise Refused("stale", "seal.late")
        if (era.level == 1 and told.n != 1) or not _follows(era, last, told.n, value):
            raise Refused("bad", "seal.link")
        draft.add("link", told.seat, "person", gid=said.gid, n=told.n, value=told.value)
    return await _store(table, said.k, draft)


def _follows(era: Era, last: Link, number: int, value: bytes) -> bool:
    """Is it a later link of the chain? One that came too late for a draw may be left out."""
    for j in range(number, last.number, -1):
        value = bgf1.link_before(value, era.game_id, last.seat, j)
    return number > last.number and value == last.value


async def begin_now(table: Table, you: frozenset[int], said: Begin) -> int:
    """Somebody does not want to wait: the server makes the part of the seats that are missing. Errors as `commit`."""
    if said.k in table.done:
        return table.again(you, said.k, "begin", None)
    seals, draft = _seals(table), Draft(table)
    era = seals.pending
    if not you or era is None or era.game_id.hex() != said.gid or seals.running is not None:
        raise Refused("turn", "seal.begun")
    draft.add("begin", min(you), "person")
    if era.transcript:  # somebody committed and does not open: all commit anew, without them
        draft.seal([seat in era.unopened or era.is_made(seat) for seat in range(len(era.heads))])
    for seat in era.unsealed:
        made = draft.seals.keeper.head(era.game_id, seat)
        draft.add("head", seat, source=SERVER, head=made.head.hex(), holder=table.seats[seat].token[:16])
    return await _store(table, said.k, draft)


def _seals(table: Table) -> Seals:
    if not isinstance(table.dealer, Seals) or table.actor == OVER:
        raise Refused("closed", "seal.none")
    return table.dealer


async def _store(table: Table, key: str, draft: Draft) -> int:
    return await table.write(key, *draft.finish()) if draft.happenings else table.version


CHANGES: dict[type, Any] = {Seal: commit, Reveal: reveal, Begin: begin_now}
