"""Who may ask, and the headers that every answer carries: nothing from elsewhere is loaded, framed or told."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
AT_HOME = (".local", ".localhost", ".lan", ".internal", ".home.arpa")


class Guard:
    """ASGI middleware: adds `HEADERS`, lets browsers ask again whether a file has changed, and refuses strange names.

    A site elsewhere can point its own name at this machine; its page would then be of the same origin. Addresses,
    names of the home network, and `hosts` are ours; any other name is refused.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        if scope["type"] == "lifespan" or self._is_ours(HTTPConnection(scope).headers.get("host", "")):
            await self.app(scope, receive, with_headers if scope["type"] == "http" else send)
        elif scope["type"] == "http":
            refused = JSONResponse({"error": "This server is not known by that name.", "where": "Host"}, status_code=400)
            await refused(scope, receive, with_headers)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return "." not in name or name in self.hosts or name.endswith(AT_HOME) or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_own_origin(connection: HTTPConnection) -> bool:
    """Browsers name the page that asks, and another site's page may not; programs name none."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    scheme, _, place = origin.partition("://")
    return scheme in ("http", "https") and place == connection.headers.get("host")
