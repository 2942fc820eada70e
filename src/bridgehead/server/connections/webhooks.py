"""Webhooks: HTTP calls to a URL of the host's choice when it is a seat's turn. Off by default, never to the own network."""

from __future__ import annotations

import asyncio
import functools
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any
from urllib.parse import SplitResult, urlsplit

import msgspec

from bridgehead.server.connections.rate_limits import Addresses, ip
from bridgehead.server.messages.tables import WebhookCall
from bridgehead.server.tables.table import Refused

log = logging.getLogger("bridgehead")
PATIENCE = 5.0  # seconds for a call
PAUSE = 5.0  # seconds between two calls for one table, at least
PLACES = 30  # calls to one host a minute
THREADS = 4  # calls at the same time
WAITING = 100  # queued calls, at most
PORTS = frozenset([80, 443]) | frozenset(range(1024, 65536))
# Networks that are not public, by IANA's registries of special-purpose addresses. The list is our own, because `is_global`
# of `ipaddress` depends on the version of Python: some take 192.0.0.0/24 or fec0::/10 for public.
PRIVATE = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
    "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
    # Within 2000::/3: special protocols, addresses that stand for IPv4 addresses (Teredo, 6to4), documentation.
    "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)  # fmt: skip
PUBLIC = "2000::/3"  # all public IPv6 addresses begin so; the rest is for other uses or not yet in use
Resolve = Callable[[str, int], list[str]]


def is_public(address: str) -> bool:
    """Is it a public address? Not one of this machine or its network, nor an IPv6 address that stands for an IPv4 address."""
    import ipaddress

    found = ipaddress.ip_address(address.partition("%")[0])
    private, public = _networks()
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if found not in public:
            return False
    return not any(found in network for network in private)


@functools.cache
def _networks() -> tuple[list[Any], Any]:
    """The private networks, and the public one."""
    import ipaddress

    return [ipaddress.ip_network(each) for each in PRIVATE], ipaddress.ip_network(PUBLIC)


def resolve_host(host: str, port: int) -> list[str]:
    """The addresses of a host name. Errors: OSError."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


class Webhooks:
    """Calls to URLs that hosts have set. on: webhooks are allowed; anywhere: also in the server's own network."""

    def __init__(self, on: bool = False, anywhere: bool = False, resolve: Resolve = resolve_host) -> None:
        self.on, self.anywhere, self.resolve = on or anywhere, anywhere, resolve
        self._threads = asyncio.Semaphore(THREADS)
        self._places = Addresses(PLACES)
        self._last: dict[str, float] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}

    def check(self, url: str) -> SplitResult:
        """Check a webhook's URL. The addresses behind its host name are checked again at each call. Errors: Refused."""
        if not self.on:
            raise Refused("illegal", "hooks.off")
        return self.check_url(url)

    def check_url(self, url: str) -> SplitResult:
        """Check a URL that a stranger has named. Errors: Refused."""
        try:
            parts = urlsplit(url)
            port = _port(parts)
            host = (parts.hostname or "").encode("idna").decode()
        except ValueError:
            raise Refused("bad", "hooks.url") from None
        plain = url.isascii() and url.isprintable() and " " not in url
        if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc or port not in PORTS or not plain:
            raise Refused("bad", "hooks.url")
        if not self.anywhere and ip(host.partition("%")[0]) and not is_public(host):
            raise Refused("illegal", "hooks.private")
        return parts

    def send(self, table: str, url: str, call: WebhookCall) -> None:
        """Queue a call. A newer call for the same table replaces a queued one. The answer is ignored."""
        waiting = self._waiting.get(table)
        if waiting is not None:
            waiting.cancel()
        elif len(self._waiting) >= WAITING:
            return
        task = asyncio.create_task(self._call(table, url, call))
        self._waiting[table] = task
        task.add_done_callback(lambda done: self._waiting.pop(table) if self._waiting.get(table) is done else None)

    async def _call(self, table: str, url: str, call: WebhookCall) -> None:
        await asyncio.sleep(max(0.0, self._last.get(table, -PAUSE) + PAUSE - time.monotonic()))
        self._last[table] = time.monotonic()
        if len(self._last) > 10 * WAITING:
            self._last = {each: at for each, at in self._last.items() if at > time.monotonic() - PAUSE}
        try:
            parts = self.check(url)
            if not self._places.may(parts.hostname or ""):
                return
            async with self._threads:
                await run_in_daemon_thread(self._post, parts, msgspec.json.encode(call))
        except Refused as refused:
            log.warning("a webhook is refused", extra={"table": table, "code": refused.key})
        except (OSError, ValueError) as error:
            log.warning("a webhook failed", extra={"table": table, "code": type(error).__name__})

    def _post(self, parts: SplitResult, body: bytes) -> None:
        """In a thread: call a webhook. The answer is ignored."""
        self.post(parts, body, {"Content-Type": "application/json"})

    def post(self, parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> bytes:
        """In a thread: resolve the name, check the address, and send a request to that address. Nothing is followed.

        Returns the first bytes of the answer. Errors: Refused for an address that is not public; OSError.
        """
        secure, host = parts.scheme == "https", parts.hostname or ""
        port = _port(parts)
        address = self.resolve(host, port)[0]
        if not self.anywhere and not is_public(address):
            raise Refused("illegal", "hooks.private")
        connection = socket.create_connection((address, port), PATIENCE)
        try:
            if secure:
                connection = ssl.create_default_context().wrap_socket(connection, server_hostname=host)
            connection.settimeout(PATIENCE)
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            head = (
                f"POST {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUser-Agent: bridgehead\r\nConnection: close\r\n"
                f"{more}Content-Length: {len(body)}\r\n\r\n"
            )
            connection.sendall(head.encode("ascii") + body)
            return connection.recv(64)
        finally:
            connection.close()

    def stop(self) -> None:
        """Drop the queued calls."""
        for task in list(self._waiting.values()):
            task.cancel()


async def run_in_daemon_thread(work: Callable[..., None], *values: object) -> None:
    """Run slow work in a daemon thread, which does not delay the server's stop. Errors: those of the work."""
    future: Future[None] = Future()
    future.set_running_or_notify_cancel()  # from now on the thread alone settles it

    def run() -> None:
        try:
            work(*values)
            future.set_result(None)
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="bridgehead-webhook", daemon=True).start()
    await asyncio.wrap_future(future)


def _port(parts: SplitResult) -> int:
    """The port of a URL. Errors: ValueError."""
    return {"https": 443}.get(parts.scheme, 80) if parts.port is None else parts.port
