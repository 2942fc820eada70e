"""A server that says goodbye before it stops, and tells each page when to come back, so that not all come at once."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from typing import Any

from bridgehead.server.connections.http_protocol import Host
from bridgehead.server.messages.server import Goodbye

SOONEST, LATEST = 250, 2000  # milliseconds after which pages come back, each after its own
UNHEARD = 0.1  # seconds for which it is waited that goodbyes are under way


class Server(Host):
    """Tells the application's manager before it closes what is open."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()  # whoever comes now is not taken in any more
        manager = getattr(getattr(self.config.app, "state", None), "manager", None)
        if manager is not None and not self.force_exit:
            await say_goodbye(manager)
        await super().shutdown(sockets)


async def say_goodbye(manager: Any) -> None:
    """Tell every page that the server stops, and when to try again."""
    connections = [each for room in list(manager.rooms.values()) for each in list(room.connections)]
    for each in connections:
        retry = random.randint(SOONEST, LATEST)
        each.tell(Goodbye("restart", each.words("bye.restart"), retry=retry))
    until = time.monotonic() + UNHEARD
    while time.monotonic() < until and any(each.waiting for each in connections):
        await asyncio.sleep(0.005)
    await asyncio.sleep(0)
