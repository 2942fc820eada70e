"""Sealed chance at a table (docs/understand/fairness.md): the messages of the seats, and the events that they lead to.

The server seals an era (`seal`), each seat commits (`head`), the server freezes the era (`freeze`), each seat reveals its
first link (`link`), and chance is dealt. A seat that changes hands begins another era. From its freeze on, the new era
supplies the draws. The server freezes it when all who must then open it are here, so the game does not wait for anybody.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.match import LogEntry
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.fairness import bgf2, proof, signatures
from bridgehead.fairness.bgf2 import SERVER
from bridgehead.fairness.seals import SealedEra, Seals, begin
from bridgehead.server.messages.client import CompleteSealing, RevealLinks, SealSeats
from bridgehead.server.messages.tables import NewTable
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.event_handlers import SEALING
from bridgehead.server.tables.state import has_chance
from bridgehead.server.tables.table import NewEvent, Refused, Table, TableSession

KIND_OF = {body: kind for kind, (body, _) in SEALING.items()}


class Chance(NamedTuple):
    """The source of chance at a new table; see `stored_seats.StoredTable`."""

    seed: str
    level: int = 0
    secret: str = ""
    known: bool = False
    typed: bool = False


def chance_of(wish: NewTable, game: Game, alone: bool = False) -> Chance:
    """The source of chance at a new table: sealed chance, unless its maker gives a seed or the game has no chance.

    alone: nobody else has a part in it, so it is not sealed.
    Errors: OptionError for typed draws with a seed or live chance.
    """
    if wish.typed and (wish.seed is not None or wish.level > 1):
        raise OptionError("server:error.typed_not_sealed", "typed")
    if wish.typed and has_chance(game):
        return Chance(secrets.token_hex(16), typed=True)  # this seed is for computer players
    if wish.seed is not None:
        return Chance(str(wish.seed), known=True)
    return fresh_chance(wish.level if has_chance(game) and not alone else 0)


def fresh_chance(level: int) -> Chance:
    """New secrets."""
    return Chance(secrets.token_hex(16), level, secrets.token_hex(32) if level else "")


class Draft:
    """Events of sealed chance that are not stored yet, applied to a copy of the seals. Errors: Refused if nothing is sealed."""

    def __init__(self, table: Table) -> None:
        if not isinstance(table.dealer, Seals):
            raise Refused("closed", "seal.none")
        self.table, self.events = table, list[NewEvent]()
        self.seals = table.dealer.follow_match(table.match.chances, is_over=False)

    def add(self, actor: int, body: bodies.EventBody, by: str = "server") -> None:
        """Add the event that has this body."""
        kind = KIND_OF[type(body)]
        self.events.append(NewEvent(kind, actor, body, by))
        self.seals = SEALING[kind][1](self.seals, actor, body)

    def seal(self, made: Sequence[bool]) -> None:
        """Seal a new era. made: for each seat, whether the server makes its part."""
        gid = next((era.game_id for era in self.seals.eras if era.number), None) or secrets.token_bytes(16)
        era = begin(self.seals, gid, self.table.body.level, made)
        heads = [(head.source, head.head.hex()) if head else None for head in era.heads]
        self.add(CHANCE, bodies.EraSealed(gid.hex(), era.root.hex(), era.depth, era.level, heads, era.number, era.sources))

    def is_ready(self) -> bool:
        """Can the pending era be frozen? One that replaces another waits until all who must then open it are here."""
        era, running = self.seals.pending, self.seals.running_era
        if era is None or not era.number or era.unsealed or self.seals.awaits_links:  # that draw comes from the era of its links
            return False
        return running is None or not running.is_complete or era.own <= self.table.attendance.here

    def finish(self) -> list[NewEvent]:
        """All events, with the freeze and the draws of chance that are possible now."""
        if self.is_ready():
            era = self.seals.pending
            assert era is not None
            terms = self.seals.terms(era)
            statement = bgf2.era_statement(era.game_id, era.number, terms.transcript)
            signature = signatures.sign(self.table.store.key, statement).hex()
            self.add(CHANCE, bodies.EraFrozen(terms.transcript.hex(), signature, era.game_id.hex(), era.number, terms.first))
        match = self.table.match
        before = len(match.log)
        with match.restore_after():
            match.deal(self.seals)
            self.events += [NewEvent("action", CHANCE, by="chance", action=each.action) for each in match.log[before:]]
        return self.events


def list_first_events(table: Table, begun: Sequence[NewEvent] = ()) -> list[NewEvent]:
    """The first events of a new table. begun: the event that takes over actions; those after it seal chance, or deal by a seed.

    They are played in the table's match, but not stored.
    """
    for event in begun:
        assert isinstance(event.body, bodies.RecordImported)
        for action in table.imported[: event.body.actions]:
            table.match.play(action)
    before = len(table.match.log)
    if table.body.level:
        draft = Draft(table)
        draft.seal([seat.kind != "person" for seat in table.seats])
        return [*begun, *draft.finish()]
    table.match.deal(table.dealer)
    return [*begun, *(NewEvent("action", CHANCE, by="chance", action=entry.action) for entry in table.match.log[before:])]


def new_era(table: Table) -> list[NewEvent]:
    """The events of a new era, to follow the change of a seat. Takes about 10 ms.

    The old era supplies the draws until the new one is frozen; the server seals for persons who left.
    """
    if not isinstance(table.dealer, Seals) or table.actor == OVER:
        return []
    draft = Draft(table)
    draft.seal([seat.kind != "person" for seat in table.seats])
    return draft.finish()


def history(events: Iterable[Event], taken: Sequence[LogEntry]) -> list[tuple[int, int]]:
    """A table's log as a proof has it: everything that was played, also what was taken back, the freezes and the requests.

    taken: the actions of the record that the match continues.
    """
    log: list[tuple[int, int]] = []
    length = 0
    for event in events:
        match event.kind:
            case "action":
                log.append((event.actor, event.action))
                length += 1
            case "import":
                log += [(entry.actor, entry.action) for entry in taken]
                length += len(taken)
            case "undo" | "back":
                length = length - 1 if event.kind == "undo" else bodies.MatchRewound.of(event.body).to
                log.append((proof.BACK, length))
            case "end":
                log.append((proof.OVER, 0))
            case "freeze" if number := bodies.EraFrozen.of(event.body).number:
                log.append((proof.FROZEN, number))
            case "chance.request" if bodies.LinksRequested.of(event.body).number:
                log.append((proof.ASKED, bodies.LinksRequested.of(event.body).event))
    return log


# Messages of the seats


async def commit(session: TableSession, message: SealSeats) -> int:
    """Seats commit to their chains. Errors: Refused, StorageError, Conflict; then nothing has changed."""
    table, you = session.table, session.you
    if message.k in table.done:
        return table.find_repeated(you, message.k, "head", None)
    seals, draft = _seals(table), Draft(table)
    if not _is(seals.pending, message):
        raise Refused("stale", "stale")
    for sent in message.heads:
        if sent.seat not in you:
            raise Refused("turn", "seal.seat")
        had = draft.seals.pending.heads[sent.seat] if draft.seals.pending else None
        if had is not None and had != (message.source, bytes.fromhex(sent.head)):
            raise Refused("bad", "seal.twice")
        if had is None:
            holder = table.seats[sent.seat].token[:16]
            draft.add(sent.seat, bodies.HeadCommitted(message.source, sent.head, holder), "person")
    return await _store(table, message.k, draft)


async def reveal(session: TableSession, message: RevealLinks) -> int:
    """Seats reveal links of their chains. Errors as `commit`."""
    table, you = session.table, session.you
    if message.k in table.done:
        return table.find_repeated(you, message.k, "link", None)
    draft = Draft(table)
    number = message.e + bgf2.ASK_FIRST if message.e >= 0 else 1
    for sent in message.links:
        if sent.seat not in you:
            raise Refused("turn", "seal.seat")
        era = next((era for era in draft.seals.eras if _is(era, message)), None)
        if era is None or not era.transcript:
            raise Refused("bad", "seal.early")
        last, value = era.last[sent.seat], bytes.fromhex(sent.value)
        if (last.number, last.value) == (number, value):
            continue
        expected = era.unopened if message.e < 0 else era.asked.missing if era.asked and era.asked.event == message.e else ()
        if sent.seat not in expected:
            raise Refused("stale", "seal.late")
        if not bgf2.leads_to(draft.seals.terms(era), sent.seat, number, value, (last.number, last.value)):
            raise Refused("bad", "seal.link")
        draft.add(sent.seat, bodies.LinkRevealed(message.gid, number, sent.value, message.era), "person")
    return await _store(table, message.k, draft)


def _is(era: SealedEra | None, message: SealSeats | RevealLinks | CompleteSealing) -> bool:
    """Is it the era that a message names?"""
    return era is not None and (era.game_id.hex(), era.number) == (message.gid, message.era)


async def begin_now(session: TableSession, message: CompleteSealing) -> int:
    """Stop waiting: the server seals for the missing seats. Errors as `commit`."""
    table, you = session.table, session.you
    if message.k in table.done:
        return table.find_repeated(you, message.k, "begin", None)
    seals, draft = _seals(table), Draft(table)
    era = seals.running_era or seals.pending
    if not you or era is None or not _is(era, message) or era.is_complete:
        raise Refused("turn", "seal.begun")
    draft.add(min(you), bodies.SealingCompleted(), "person")
    if era.transcript:  # a seat committed but does not reveal its link: begin a new era without it
        draft.seal([seat in era.unopened or era.is_made(seat) for seat in range(len(era.heads))])
    for seat in era.unsealed:
        made = draft.seals.keeper.make_head(era.game_id, era.number, seat)
        draft.add(seat, bodies.HeadCommitted(SERVER, made.head.hex(), table.seats[seat].token[:16]))
    return await _store(table, message.k, draft)


def _seals(table: Table) -> Seals:
    if not isinstance(table.dealer, Seals) or table.actor == OVER:
        raise Refused("closed", "seal.none")
    return table.dealer


async def _store(table: Table, key: str, draft: Draft) -> int:
    return await table.write(key, *draft.finish()) if draft.events else table.version
