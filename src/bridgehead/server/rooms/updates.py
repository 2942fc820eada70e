"""Shows changes of a table to the pages here, the peers, the lobby, and webhooks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from weakref import WeakKeyDictionary

from bridgehead.core.spec import CHANCE, OVER
from bridgehead.server.connections.connection import CloseConnection, Connection
from bridgehead.server.connections.webhooks import Webhooks
from bridgehead.server.messages.tables import WebhookCall
from bridgehead.server.rooms.lobby import Lobby
from bridgehead.server.rooms.presence import Presence
from bridgehead.server.rooms.room import Peers, Room
from bridgehead.server.rooms.views import News
from bridgehead.server.storage.event_log import Event

PLAYED = ("action", "undo")  # events of the match


class Updates:
    """Sends each change of a table to its pages. Every method needs the table's lock, unless it says otherwise.

    seats_changed: called before people are shown; due: called after every change, to check for work that is due: timers,
    sealed chance, a computer's turn.
    """

    def __init__(self, presence: Presence, lobby: Lobby, peers: Peers, webhooks: Webhooks) -> None:
        self.presence, self.lobby, self.peers, self.webhooks = presence, lobby, peers, webhooks
        peers.receivers["gone"] = lambda room, sender, reason: self.send_away(room, str(reason))
        self.seats_changed: list[Callable[[Room], None]] = []
        self.due: list[Callable[[Room], None]] = []
        self._called: WeakKeyDictionary[Room, tuple[int, int]] = WeakKeyDictionary()  # the turn of the last webhook call

    def open(self, room: Room) -> None:
        """A room has opened: note what its next change is compared with."""
        self._called[room] = room.table.actor, room.table.match.position.turn
        self.lobby.open(room)

    async def show_change(self, room: Room, people: bool = False, address: str = "") -> None:
        """Show a change that was made here. people: it is about seats or settings, not about the match."""
        await self._show(room, people, address)
        self.peers.send(room.table.id, "news")
        self._call_webhook(room)

    async def refresh(self, room: Room) -> None:
        """Show changes that another process has written to the log, or that it has deleted the table."""
        table = room.table
        if await table.refresh():
            await self._show_all(room, people=True)
        elif table.store.shared and await asyncio.to_thread(table.store.body, table.id) is None:
            self.send_away(room, "bye.table")

    def send_away(self, room: Room, reason: str) -> None:
        """Send everybody away from a deleted table. reason: the key of a sentence."""
        room.table.deleted = True
        for connection in list(room.connections):
            connection.dismiss(CloseConnection("table", reason, table=room.table.id))

    async def take(self, room: Room, events: list[Event]) -> None:
        """Show events that another process has added to the log. It acquires the lock. Errors: BridgeheadError."""
        async with room.table.lock:
            people = any(event.version > room.table.version and _concerns_people(event) for event in events)
            if room.table.catch_up(events):
                await room.table.look_up()
                await self._show_all(room, people)

    async def attendance(self, room: Room) -> None:
        """Show that somebody came or left at another process. It acquires the lock."""
        async with room.table.lock:
            room.broadcast(News.PRESENCE)
            self.presence.send(room)

    async def show_seat(self, room: Room, connection: Connection) -> None:
        """Show that a page has a seat now, although the log has not changed."""
        await room.prepare(connection.viewer)
        self.presence.attend(room)
        room.welcome(connection)
        room.broadcast(News.PRESENCE, apart_from=connection)
        self.presence.send(room)
        self.peers.enter_room(room)

    def wake(self, room: Room) -> None:
        """Start the work that is due at a table."""
        for each in self.due:
            each(room)

    async def _show_all(self, room: Room, people: bool) -> None:
        for viewer in {connection.viewer for connection in room.connections}:
            await room.prepare(viewer)
        await self._show(room, people)

    async def _show(self, room: Room, people: bool, address: str = "") -> None:
        if people:
            self.presence.attend(room)
            for each in self.seats_changed:
                each(room)
        room.broadcast(News.CHANGE)
        over = room.table.actor == OVER
        if people or over or self.lobby.is_due(room):
            await self.lobby.follow(room, address)
        if people or over:
            self.presence.send(room)
        self.wake(room)

    def _call_webhook(self, room: Room) -> None:
        """Call the table's webhook if it has become a person's turn."""
        if not self.webhooks.on:
            return
        table, url = room.table, room.table.people.webhook
        turn = (table.actor, table.match.position.turn)
        if url and turn != self._called[room] and table.actor >= 0 and not table.computer():
            narrator = room.narrator(table.people.language)
            name, sentence = narrator.called[table.actor], narrator.prompt(table.match.position)
            call = WebhookCall(table.id, table.game.spec.id, table.game.spec.title, table.actor, name, sentence)
            self.webhooks.send(table.id, url, call)
        self._called[room] = turn


def _concerns_people(event: Event) -> bool:
    """Does an event change more than the match? A typed draw that is corrected leaves a note, and may resume a game."""
    return event.kind not in PLAYED or (event.kind == "undo" and event.actor == CHANCE)
