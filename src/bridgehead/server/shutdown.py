"""Stopping the server: each page gets a goodbye and a delay before it reconnects. Delays differ, to spread the load."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from collections.abc import Iterable

from bridgehead.server.connections.http_protocol import UvicornServer
from bridgehead.server.messages.server import Goodbye
from bridgehead.server.rooms.room import Room

SOONEST, LATEST = 250, 2000  # milliseconds after which pages reconnect
UNSENT = 0.1  # seconds to wait for goodbyes that are not sent yet


class Server(UvicornServer):
    """Says goodbye to all pages before it closes their connections."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()  # accept no new connection
        rooms = getattr(getattr(self.config.app, "state", None), "rooms", None)
        if rooms is not None and not self.force_exit:
            await say_goodbye(rooms.values())
        await super().shutdown(sockets)


async def say_goodbye(rooms: Iterable[Room]) -> None:
    """Send every page a goodbye with the delay after which it may reconnect."""
    connections = [each for room in list(rooms) for each in list(room.connections)]
    for each in connections:
        retry = random.randint(SOONEST, LATEST)
        each.send(Goodbye("restart", each.words("bye.restart"), retry=retry))
    until = time.monotonic() + UNSENT
    while time.monotonic() < until and any(each.waiting for each in connections):
        await asyncio.sleep(0.005)
    await asyncio.sleep(0)
