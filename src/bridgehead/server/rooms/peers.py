"""Interface to the other server processes over the same log. `cluster` implements it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bridgehead.server.rooms.room import Room

Receiver = Callable[[Room, str, Any], None]  # its arguments: a table with pages here, the sender's name, the message


class Peers:
    """The other server processes. This class is for a server without any.

    receivers: the handler of each kind of message.
    """

    def __init__(self) -> None:
        self.receivers: dict[str, Receiver] = {}

    def send(self, table: str, kind: str, message: Any = None) -> None:
        """Send a message about a table to all peers with pages there. Best effort; never blocks."""

    def entered(self, room: Room) -> None:
        """A page has connected to a table here."""

    def left(self, room: Room) -> None:
        """A page has left a table here."""

    async def begin_thinking(self, room: Room) -> bool:
        """Acquire the lease on a table's computer players, after catching up with its previous holder."""
        return True

    def has_thought(self, room: Room) -> None:
        """Release that lease."""
