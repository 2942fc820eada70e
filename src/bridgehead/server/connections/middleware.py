"""ASGI middleware: security headers, a check of host and origin, and slowing down busy addresses."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bridgehead.server.catalogue import WORDS
from bridgehead.server.connections.effort import Share, WorkBudget
from bridgehead.server.connections.rate_limits import ip
from bridgehead.server.connections.requests import JSON, address_of, is_own_origin, language
from bridgehead.server.messages.tables import ProblemView
from bridgehead.server.usage import IN_SCOPE, Usage

HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' blob:; script-src 'self' 'wasm-unsafe-eval'; frame-ancestors 'none'; "
        "base-uri 'none'; form-action 'self'"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
POLICY = "content-security-policy"  # a report of the lab has a narrower policy
UNREAD = 65_536  # bytes of a body that nobody reads: a connection with more of them closes
AT_HOME = (".local", ".localhost", ".lan", ".internal", ".home.arpa")
HOST = re.compile(r"(?:[a-z0-9_.-]*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.IGNORECASE)


def _refused(connection: HTTPConnection, status: int, key: str, where: str) -> Response:
    return answer(ProblemView(WORDS.text(key, language(connection)), where), status)


class Guard:
    """ASGI middleware that adds `HEADERS`, and refuses unknown host names and changes by other sites' pages.

    The headers forbid browsers to cache the answer to a POST, and make them revalidate every other answer. Another site could
    point its own host name at this machine, which would give its page the same origin (DNS rebinding). So the middleware accepts
    only IP addresses, names of the home network, and `hosts`.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update({name: value for name, value in HEADERS.items() if name != POLICY or name not in headers})
                headers.setdefault("cache-control", "no-cache" if scope["method"] in ("GET", "HEAD") else "no-store")
            await send(message)

        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if scope["type"] == "websocket" and refused:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await (refused or self.app)(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        connection = HTTPConnection(scope)
        if not self._is_ours(connection.headers.get("host", "")):
            return _refused(connection, 400, "error.name", "Host")
        asks = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if not asks and not is_own_origin(connection):
            return _refused(connection, 403, "error.site", "Origin")
        return None

    def _is_ours(self, host: str) -> bool:
        if not HOST.fullmatch(host):
            return False
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return "." not in name or name in self.hosts or name.endswith(AT_HOME) or ip(name) is not None


class Throttle:
    """Middleware through which each request passes `WorkBudget`: it waits for its turn, and is charged for what it has used.

    It delays an address in debt, or refuses costly work. share_of: the budget that pays for a request, by method and path.
    Every refusal for too many requests waits, because one that came at once would be asked for again at once.
    """

    REFUSING = 2.0  # seconds before an answer with status 429

    def __init__(self, app: ASGIApp, share_of: Callable[[str, str], Share]) -> None:
        self.app, self.share_of = app, share_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        effort: WorkBudget = scope["app"].state.effort
        connection, share = HTTPConnection(scope), self.share_of(scope["method"], scope["path"])
        address, usage, carrying = address_of(connection), Usage(), scope.get(IN_SCOPE) or Usage()
        usage.add(carrying)
        length, missing = _length(connection), connection.headers.get("content-length", "0") != "0" or _is_chunked(connection)

        async def receive_slowly() -> Message:
            nonlocal missing
            if not missing:
                return await receive()
            message = await effort.aside(address, share, receive(), usage)
            usage.add(carrying)
            missing = message["type"] == "http.request" and message.get("more_body", False)
            return message

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                if message["status"] == 429:
                    await effort.aside(address, share, asyncio.sleep(self.REFUSING), usage)
                if missing and length > UNREAD:  # nothing more of it is read
                    MutableHeaders(scope=message)["connection"] = "close"
            usage.carried += len(message.get("body", b""))
            await send(message)

        async def respond() -> None:
            await self.app(scope, receive_slowly, send_counted)

        if effort.refuses(address, share):
            await asyncio.sleep(self.REFUSING)
            await _refused(connection, 429, "error.many_requests", scope["path"])(scope, receive, send)
            effort.charge(address, share, usage)
        else:
            await effort.run(address, share, respond, usage)


def _is_chunked(connection: HTTPConnection) -> bool:
    return "transfer-encoding" in connection.headers


def _length(connection: HTTPConnection) -> float:
    """The bytes of a request's body, as far as it tells them."""
    return float("inf") if _is_chunked(connection) else int(connection.headers.get("content-length", "0"))


def answer(content: msgspec.Struct, status: int = 200) -> Response:
    """A JSON answer from a struct of `messages`."""
    return Response(msgspec.json.encode(content), status, media_type=JSON)
