"""A WebSocket of an ASGI server as the `Transport` of a connection."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from bridgehead.server.connections.connection import Disconnected
from bridgehead.server.connections.middleware import address_of
from bridgehead.server.connections.websocket_protocol import WRITE


class WebSocketTransport:
    """A WebSocket."""

    __slots__ = ("_receive", "_scope", "_send", "address", "write")

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.address = address_of(HTTPConnection(scope))
        self._scope, self._receive, self._send = scope, receive, send
        self.write: Callable[[bytes], bool] = _refuse

    async def accept(self) -> None:
        """Answer the handshake. Errors: Disconnected."""
        await self._receive()
        await self._try({"type": "websocket.accept", "subprotocol": None, "headers": []})
        self.write = self._scope.get("extensions", {}).get(WRITE, _refuse)

    async def receive(self) -> str | None:
        message = await self._receive()
        if message["type"] != "websocket.receive":
            raise Disconnected
        text: str | None = message.get("text")
        return text

    async def send(self, data: bytes) -> None:
        await self._try({"type": "websocket.send", "text": data.decode()})

    async def close(self, code: int) -> None:
        await self._try({"type": "websocket.close", "code": code, "reason": ""})

    async def _try(self, message: Message) -> None:
        try:
            await self._send(message)
        except (OSError, RuntimeError):  # the page has gone, or the connection is closed already
            raise Disconnected from None


def _refuse(data: bytes) -> bool:
    """Write nothing: this server has no `WRITE` extension."""
    return False
