"""A session: one page at one table. Handlers of messages get one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from bridgehead.server.connections.connection import Connection
from bridgehead.server.messages.server import RejectionCode
from bridgehead.server.rooms.room import Room
from bridgehead.server.tables.table import Table


class Session:
    """One page at one table. It serves as `TableSession` for the handlers of `tables`."""

    __slots__ = ("connection", "room", "table")

    def __init__(self, room: Room, connection: Connection) -> None:
        self.room, self.connection = room, connection
        self.table: Table = room.table

    def current(self) -> Session:
        """This session, with the rights of the page's tokens as they are now. Called before every message."""
        self.connection.read(self.table)
        return self

    @property
    def you(self) -> frozenset[int]:
        """The seats that the page plays."""
        return self.connection.you

    def reject(self, key: str, code: RejectionCode, phrase: str, **params: object) -> None:
        """Reject a message with one of the server's own sentences. key: of the message; phrase: of the sentence."""
        connection = self.connection
        connection.reject(key, code, connection.words(phrase, **params), self.table.version)


# Handles one type of message. Returns the table's version to acknowledge; None: no acknowledgement.
Handler = Callable[[Session, Any], Awaitable[int | None]]
