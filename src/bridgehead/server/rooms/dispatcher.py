"""The dispatcher: message type -> handler(session, message) -> version."""

from __future__ import annotations

import asyncio
import logging
from contextlib import nullcontext

from bridgehead.core.errors import BridgeheadError, IllegalAction
from bridgehead.server.messages.client import (
    AnswerProbe,
    Change,
    ChangeSeat,
    ChangeSettings,
    ClientMessage,
    CompleteSealing,
    ExplainRefusal,
    GiveHint,
    Hello,
    MakeProposal,
    Ping,
    PlayAction,
    PointAt,
    RevealLinks,
    Sealing,
    SealSeats,
    SendChat,
    ShowPast,
    StartRematch,
    UndoAction,
)
from bridgehead.server.messages.server import Ack, Pong, Recalled, Rejection, RejectionCode, WhyNot
from bridgehead.server.rooms import views
from bridgehead.server.rooms.presence import Presence
from bridgehead.server.rooms.room import Handler, Session
from bridgehead.server.rooms.rule_errors import Attempt, RuleErrors
from bridgehead.server.rooms.updates import Updates
from bridgehead.server.storage.event_log import Conflict, StorageError
from bridgehead.server.tables.stored_seats import seat_key
from bridgehead.server.tables.table import Refused

log = logging.getLogger("bridgehead")
GAME = PlayAction | UndoAction | Sealing  # changes of the match; the others are about its people
MOST_PAST = 100  # actions that one message may ask for
UNLOCKED = SendChat | PointAt | GiveHint  # handled without the table's lock
# The code and the sentence for a page that may not send a type of message, and for a type that comes in the wrong phase.
NOT_YOURS: dict[type, tuple[RejectionCode, str]] = {
    PlayAction: ("turn", "turn"), UndoAction: ("turn", "turn"), GiveHint: ("turn", "turn"), ChangeSettings: ("illegal",
        "house.not_host"),
    StartRematch: ("illegal", "rematch.not_seated"), PointAt: ("closed", "chat.off"),
    SealSeats: ("turn", "seal.seat"), RevealLinks: ("turn", "seal.seat"), CompleteSealing: ("turn", "seal.begun"),
}  # fmt: skip
NOT_NOW: dict[type, tuple[RejectionCode, str]] = {StartRematch: ("illegal", "rematch.early")}


def _refuse(session: Session, message: ClientMessage) -> None:
    """Refuse a message that may not come in this phase of the game, or from this page, unless it was carried out before.

    The message's struct declares both (`messages.client.Message`). Errors: Refused.
    """
    table, key = session.table, getattr(message, "k", "")
    if key in table.done or (isinstance(message, ChangeSeat) and seat_key(key) in table.done):
        return
    if isinstance(message, PlayAction | UndoAction | MakeProposal | GiveHint):
        table.expect(message.v)
    if not _may_send(session, message):
        raise Refused(*NOT_YOURS.get(type(message), ("turn", "ask.seatless")))
    if type(message) in NOT_NOW and table.damage is None:
        raise Refused(*NOT_NOW[type(message)])
    raise table.why_closed


def _may_send(session: Session, message: ClientMessage) -> bool:
    connection, senders = session.connection, message.senders
    seated = "seat" in senders and bool(session.you or connection.back)
    return "watcher" in senders or seated or ("host" in senders and connection.host)


class Dispatcher:
    """Answers messages: calls the handler, acknowledges its change and shows it, or rejects the message."""

    def __init__(self, handlers: dict[type, Handler], updates: Updates, errors: RuleErrors) -> None:
        self.handlers, self.updates, self.errors = handlers, updates, errors

    async def answer(self, session: Session, message: ClientMessage) -> None:
        """Answer one message completely."""
        if isinstance(message, Change) and not isinstance(message, ChangeSeat) and seat_key(message.k) in session.table.done:
            session.reject(message.k, "bad", "key")
            return
        table, connection, senders = session.table, session.connection, message.senders
        async with nullcontext() if isinstance(message, UNLOCKED) else table.lock:
            before = table.version
            try:
                for again in (False, True):
                    session.you = you = connection.read(table)
                    sent = "watcher" in senders or (you and "seat" in senders) or _may_send(session, message)
                    closed = table.damage is not None and isinstance(message, Change)
                    if closed or not sent or table.phase not in message.phases:
                        _refuse(session, message)
                    try:
                        version = await self.handlers[type(message)](session, message)
                        break
                    except Conflict:  # another process has written to the log, perhaps this very message
                        if again:
                            raise
                        await self.updates.refresh(session.room)
                        before = table.version
            except Exception as error:
                await self._fail(session, message, error)
                return
            if version is not None:
                connection.send(Ack(getattr(message, "k", ""), version))
            if isinstance(message, Change):
                await self._show(session, message, before)

    async def _show(self, session: Session, message: Change, before: int) -> None:
        """Show a change to all pages. before: the table's version before it."""
        table, connection = session.table, session.connection
        if table.version != before:
            corrected = isinstance(message, UndoAction) and table.body.typed  # it leaves a note, and may resume a game
            people = corrected or not isinstance(message, GAME)
            await self.updates.show_change(session.room, people, connection.address)
        elif connection.read(table) != session.you:  # it repeated a claim whose answer was lost
            await self.updates.show_seat(session.room, connection)

    async def _fail(self, session: Session, message: ClientMessage, error: Exception) -> None:
        """Reject a message whose handler raised an error."""
        room, connection, key = session.room, session.connection, getattr(message, "k", "")
        if isinstance(error, IllegalAction):
            refusal = room.narrator(connection.language).refusal(error.refusal, connection.you)
            reason = (refusal.text, refusal.clause, refusal.show)
            connection.send(Rejection(*reason, k=key, code="illegal", v=room.table.version))
        elif isinstance(error, Refused):
            session.reject(key, error.code, error.key, **error.params)
            if error.code == "stale":
                room.welcome(connection)
        elif isinstance(error, Conflict | StorageError):
            log.error("a message could not be stored", exc_info=error, extra={"table": room.table.id})
            session.reject(key, "storage", "storage")
        elif isinstance(error, BridgeheadError):
            session.reject(key, "bad", "bad", what=error.whole)
        elif isinstance(message, Change):
            tried = Attempt(str(message.__struct_config__.tag), getattr(message, "a", -1))
            await self.errors.report(room, error, tried, connection.address)
            session.reject(key, "internal", "broken")
            await self.errors.pause(room)
        else:
            raise error


class Queries:
    """Handlers of the messages that change nothing."""

    def __init__(self, presence: Presence) -> None:
        self.presence = presence
        self.handlers: dict[type, Handler] = {
            Ping: self.ping, AnswerProbe: self.lag, ExplainRefusal: self.why, ShowPast: self.past, Hello: self.hello,
        }  # fmt: skip

    async def ping(self, session: Session, message: Ping) -> None:
        session.connection.send(Pong(message.n))

    async def lag(self, session: Session, message: AnswerProbe) -> None:
        session.connection.handle_probe_answer(message.n, session.table.attendance)

    async def why(self, session: Session, message: ExplainRefusal) -> None:
        room, connection = session.room, session.connection
        reason = views.why(room.table.match.position, room.narrator(connection.language), tuple(message.touch), connection.you)
        connection.send(WhyNot(reason.text, reason.clause, reason.show, k=message.k))

    async def past(self, session: Session, message: ShowPast) -> None:
        """Send what the board was. Drawing it takes a while, so a thread does it; the lock keeps the log as it is."""
        room, connection = session.room, session.connection
        until = min(message.until, len(room.table.match.log), message.first + MOST_PAST)
        if message.first > until:
            raise Refused("stale", "stale")
        narrator = room.narrator(connection.language)
        connection.send(Recalled(k=message.k, actions=await asyncio.to_thread(narrator.past, message.first, until)))

    async def hello(self, session: Session, message: Hello) -> None:
        """A later hello: change the language or the kind of view of a connected page."""
        room, connection = session.room, session.connection
        connection.language, connection.plain, connection.brief = message.lang, message.plain, message.brief
        await room.prepare(connection.viewer)
        room.welcome(connection)
        self.presence.send(room, connection)
