"""Reminders: mail or Web Push reminds a person that it is their turn at a table by days. At most once a turn.

Each person switches their own on, and off by one click. A mail address counts only once its owner has agreed to the mail that
asks. What is stored is the address or the subscription, the language, and the seats with the hashes of their tokens; a seat that
has got another token is not reminded any more.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import smtplib
import time
from collections.abc import Iterable
from typing import Literal, NamedTuple, Protocol

import msgspec

from bridgehead.core.phrases import Phrase
from bridgehead.server.catalogue import WORDS
from bridgehead.server.connections.mail import Mailer, Undeliverable, is_address, mailbox_of
from bridgehead.server.connections.push import Pusher, Subscription, SubscriptionGone
from bridgehead.server.connections.rate_limits import Addresses
from bridgehead.server.connections.webhooks import run_in_daemon_thread
from bridgehead.server.messages.correspondence import Reminder
from bridgehead.server.rooms.room import Tasks
from bridgehead.server.rooms.views import TableText
from bridgehead.server.storage.event_log import Conflict, EventLog, Statement
from bridgehead.server.tables.stored_seats import fresh_token
from bridgehead.server.tables.table import Refused, Table

log = logging.getLogger("bridgehead")
Kind = Literal["mail", "push"]
ASKED, ON, REFUSED = 0, 1, 2  # values of `confirmed`
MAILS = 5  # mails that ask for consent, for one address of the network in an hour
A_DAY = 3  # such mails to one mailbox in a day
HOUR = 3600.0
DAY = 24 * HOUR
KEPT = 60 * DAY  # seconds for which a mail address without consent is kept
ADD = "insert into reminded values (?, ?, ?, ?) on conflict (reminder, game, seat) do update set token = excluded.token"
FORGET = "delete from reminded where reminder = ? and game = ? and seat = ?"
COLUMNS = "id, kind, target, language, discreet, confirmed, problem"


class Links(Protocol):
    """The server's address: the one that others use, or "", and its port."""

    @property
    def base(self) -> str: ...

    @property
    def port(self) -> int: ...


class Row(NamedTuple):
    """A stored reminder. id: secret; target: a mail address, or a subscription in JSON."""

    id: str
    kind: Kind
    target: str
    language: str
    discreet: int
    confirmed: int
    problem: str


class Reminders:
    """Reminders of one server. network: has its public address, for links; mailer, pusher: None if the host has set up none."""

    def __init__(self, store: EventLog, tasks: Tasks, network: Links, mailer: Mailer | None, pusher: Pusher | None) -> None:
        self.store, self.tasks, self.network, self.mailer, self.pusher = store, tasks, network, mailer, pusher
        self._asked = Addresses(MAILS, HOUR)

    @property
    def base(self) -> str:
        """The beginning of links."""
        return self.network.base or f"http://127.0.0.1:{self.network.port}"

    # Switching on and off

    async def switch_on(self, kind: Kind, target: str, language: str, discreet: bool, address: str) -> Reminder:
        """A new reminder: by push at once, by mail when its owner agrees. Errors: Refused, StorageError."""
        if kind == "push":
            if self.pusher is None:
                raise Refused("illegal", "remind.no_push")
            await asyncio.to_thread(self.pusher.read, target)
        elif self.mailer is None:
            raise Refused("illegal", "remind.no_mail")
        elif not is_address(target):
            raise Refused("bad", "remind.address")
        row, now = Row(fresh_token(), kind, target, language, int(discreet), ON if kind == "push" else ASKED, ""), time.time()
        asked = await self._count_mail(target, address, now) if kind == "mail" else []
        add = f"insert into reminder ({COLUMNS}, made) values (?, ?, ?, ?, ?, ?, ?, ?)", (*row, now)
        try:
            await self.store.write(*asked, ("delete from reminder where confirmed = ? and made < ?", (ASKED, now - KEPT)), add)
        except Conflict:  # another request has just sent a mail there
            raise Refused("rate", "remind.asked") from None
        if kind == "mail":
            self.tasks.start(self._ask(row))
        return _shown(row)

    async def _count_mail(self, target: str, address: str, now: float) -> list[Statement]:
        """The statements that count a mail to a mailbox, one an hour and some a day, also after its reminders were switched off.

        What is stored is a digest of the mailbox. Errors: Refused if it, or the address of the network, was served already.
        """
        mailbox = hmac.new(self.store.key, b"bridgehead mailbox " + mailbox_of(target).encode(), "sha256").hexdigest()
        query = "select made from asked where mailbox = ? and made > ? order by made desc"
        before = await asyncio.to_thread(self.store.read, query, mailbox, now - DAY)
        if (before and before[0][0] > now - HOUR) or len(before) >= A_DAY or not self._asked.may(address):
            raise Refused("rate", "remind.asked")
        return [
            ("delete from asked where made <= ?", (now - DAY,)),
            ("insert into asked values (?, ?, ?)", (mailbox, int(now // HOUR), now)),
        ]

    async def _ask(self, row: Row) -> None:
        """Send the mail that asks for consent."""
        link = f"{self.base}/reminder/on/{row.id}.{self._proof(row.id)}"
        text = WORDS.tell(Phrase("remind.consent", {"link": link}), row.language)
        await self._mail(row, WORDS.tell(Phrase("remind.consent_subject"), row.language), text)

    def _proof(self, reminder: str) -> str:
        """What only the mail contains: proof that its owner agrees."""
        return hmac.new(self.store.key, b"bridgehead reminder " + reminder.encode(), "sha256").hexdigest()[:32]

    async def is_proven(self, reminder: str, proof: str) -> bool:
        """Is this the link of a mail that asked for consent? Errors: StorageError."""
        return hmac.compare_digest(proof.encode(), self._proof(reminder).encode()) and await self.find(reminder) is not None

    async def agree(self, reminder: str, proof: str) -> bool:
        """The owner of a mail address agrees; False for a link that is not valid. Errors: StorageError."""
        if not await self.is_proven(reminder, proof):
            return False
        await self.store.write(("update reminder set confirmed = ?, problem = '' where id = ?", (ON, reminder)))
        return True

    async def off(self, reminder: str) -> None:
        """Switch a reminder off, and forget its address. Errors: StorageError."""
        await self.store.write(
            ("delete from reminded_turn where reminder = ?", (reminder,)),
            ("delete from reminded where reminder = ?", (reminder,)),
            ("delete from reminder where id = ?", (reminder,)),
        )

    async def find(self, reminder: str) -> Row | None:
        rows = await asyncio.to_thread(self.store.read, f"select {COLUMNS} from reminder where id = ?", reminder)
        return Row(*rows[0]) if rows else None

    async def state(self, reminder: str) -> Reminder:
        """A reminder as its person sees it. Errors: StorageError."""
        row = await self.find(reminder)
        return Reminder(reminder, "mail", "off", False) if row is None else _shown(row)

    async def add(self, reminder: str, seats: Iterable[tuple[str, int, str]]) -> None:
        """Remind of these seats too: table, seat, hash of its token. Errors: StorageError."""
        statements: list[Statement] = [(ADD, (reminder, *each)) for each in seats]
        if statements:
            await self.store.write(*statements)

    async def set_discreet(self, reminder: str, discreet: bool) -> None:
        """Whether a reminder leaves out the game and the names. Errors: StorageError."""
        await self.store.write(("update reminder set discreet = ? where id = ?", (int(discreet), reminder)))

    # Reminding

    async def remind(self, table: Table, seat: int) -> None:
        """Remind the person of a seat, each way once a turn. Needs the lock. Errors: StorageError."""
        query = f"select {COLUMNS}, token from reminder join reminded on id = reminder where game = ? and seat = ?"
        turn = table.match.position.turn
        for *columns, token in await asyncio.to_thread(self.store.read, query, table.id, seat):
            row = Row(*columns)
            if row.confirmed != ON:
                continue
            if seat not in table.holding([token]).you:
                await self.store.write((FORGET, (row.id, table.id, seat)))
                continue
            try:
                await self.store.write(
                    ("insert into reminded_turn values (?, ?, ?)", (row.id, table.id, turn)),
                    ("delete from reminded_turn where reminder = ? and game = ? and turn < ?", (row.id, table.id, turn)),
                )
            except Conflict:  # another process has reminded already
                continue
            self.tasks.start(self._send(row, table.id, *_message(row, table, seat)))

    async def _send(self, row: Row, table: str, title: str, text: str) -> None:
        """Send one reminder."""
        path = "/games" if row.discreet else f"/t/{table}"
        if row.kind == "push":
            await self._push(row, {"title": title, "body": text, "url": path, "tag": "games" if row.discreet else table})
            return
        mail = WORDS.tell(Phrase("remind.mail", {"text": text, "link": self.base + path, "off": self._off(row)}), row.language)
        await self._mail(row, f"Bridgehead: {title}", mail)

    def _off(self, row: Row) -> str:
        return f"{self.base}/reminder/off/{row.id}"

    async def _mail(self, row: Row, subject: str, text: str) -> None:
        if self.mailer is None:
            return
        headers = {"List-Unsubscribe": f"<{self._off(row)}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
        try:
            await run_in_daemon_thread(self.mailer.send, row.target, subject, text, headers)
        except Undeliverable:
            await self._fail(row, REFUSED, "remind.refused")
        except (OSError, smtplib.SMTPException, ValueError) as error:
            log.warning("a mail could not be sent", extra={"code": type(error).__name__})
            failed = (REFUSED, "remind.unsent") if row.confirmed == ASKED else (row.confirmed, "remind.mail_failed")
            await self._fail(row, *failed)

    async def _push(self, row: Row, message: dict[str, str]) -> None:
        if self.pusher is None:
            return
        try:
            to = msgspec.json.decode(row.target, type=Subscription)
            await run_in_daemon_thread(self.pusher.send, to, msgspec.json.encode(message))
        except SubscriptionGone:
            await self.off(row.id)
        except (Refused, OSError, ValueError) as error:
            log.warning("a push message could not be sent", extra={"code": type(error).__name__})
            await self._fail(row, row.confirmed, "remind.push_failed")

    async def _fail(self, row: Row, confirmed: int, problem: str) -> None:
        """Note why nothing arrives: its person sees it on the page with their games."""
        await self.store.write(("update reminder set confirmed = ?, problem = ? where id = ?", (confirmed, problem, row.id)))


def _shown(row: Row) -> Reminder:
    state: Literal["asked", "on", "refused"] = "asked" if row.confirmed == ASKED else "on" if row.confirmed == ON else "refused"
    problem = WORDS.tell(Phrase(row.problem), row.language) if row.problem else ""
    return Reminder(row.id, row.kind, state, bool(row.discreet), row.target if row.kind == "mail" else "", problem)


def _message(row: Row, table: Table, seat: int) -> tuple[str, str]:
    """Title and text of a reminder. A discreet one does not name the game or anybody."""
    narrator = TableText(table.match, table.names, row.language)
    title = narrator.own(Phrase("remind.title"))
    if row.discreet:
        return title, narrator.own(Phrase("remind.discreet"))
    others = narrator.own(Phrase("and")).join(name for i, name in enumerate(narrator.called) if i != seat)
    until = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(table.days.due(table.clock.running) or 0.0))
    return title, narrator.own(Phrase("remind.text", {"game": table.game.spec.title, "others": others, "until": until}))
