"""The address at which other devices reach this server, and the listener that the person at this machine may open for them.

A server that listens on loopback serves this machine only. The command opens its page with a secret. That page may ask for a
second listener, on this machine's address in its home network; another page of this machine may do so with a code that the
command shows on its terminal (docs/understand/trust.md, T28).
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
import socket
from collections.abc import Callable
from typing import Protocol

from starlette.requests import HTTPConnection

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.connections.rate_limits import ip
from bridgehead.server.connections.requests import is_own_origin

# One address in each kind of network. The system names its own address on the way there; nothing is sent.
ROUTES = ("192.0.2.1", "10.255.255.254", "172.31.255.254", "192.168.255.254")
LOCAL = ("localhost", "127.0.0.1", "[::1]")  # hosts in the address bar of a browser on this machine
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")  # headers of proxies and tunnels
TRIES = 5  # wrong codes until another one is needed
PATIENCE = 3.0  # seconds for the answer of a probe


def own_addresses() -> list[str]:
    """The addresses of this machine in its networks (IPv4), the usual one first."""
    found: dict[str, None] = {}
    for beyond in ROUTES:
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((beyond, 9))
            found[probe.getsockname()[0]] = None
    parsed = {each: ip(each) for each in found}
    return [each for each, of in parsed.items() if of and not (of.is_loopback or of.is_link_local or of.is_unspecified)]


class Listener(Protocol):
    """A server that can listen at further addresses."""

    async def open(self, address: str, port: int) -> int:
        """Listen at an address of this machine, on this port or the next free one; returns the port. Errors: BridgeheadError."""

    def close(self, address: str) -> None:
        """Stop listening there, and end the connections that came that way."""


class LocalNetwork:
    """The server's address in the local network, and the listener for other devices.

    base: the address for other devices, "" if none was reached; command: starts this server for the whole network; secret: who
    has it may open and close the network, "": nobody; port: of the first listener; shown: called with `base` when it changes;
    asked: shows a code to the person at this machine, None where nobody would see it.
    """

    def __init__(self, base: str = "", command: str = "", secret: str = "", port: int = 0) -> None:
        self.base, self.command, self.secret, self.port = base, command, secret, port
        self.listener: Listener | None = None
        self.shown: Callable[[str], object] = lambda base: None
        self.asked: Callable[[str], object] | None = None
        self._code, self._tries = "", 0  # the code that was shown last, and how many wrong ones it outlives
        self._opened = ""  # the address of the second listener
        self._probes: set[str] = set()
        self._lock = asyncio.Lock()

    def is_local(self, request: HTTPConnection) -> bool:
        """Does a request come from a browser on this machine, straight to the listener on loopback?"""
        ends = [ip(end[0]) for end in (request.client, request.scope.get("server")) if end]
        host = request.headers.get("host", "").lower()
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        straight = not any(header in request.headers for header in FORWARDED)
        return straight and name in LOCAL and len(ends) == 2 and all(end is not None and end.is_loopback for end in ends)

    def is_own_page(self, request: HTTPConnection) -> bool:
        """Is it a page of this server, in a browser on this machine?"""
        return self.is_local(request) and "origin" in request.headers and is_own_origin(request)

    def may_open(self, request: HTTPConnection, secret: str) -> bool:
        """Is it a page of this machine with the command's secret, or with the code on its terminal?"""
        return bool(self.secret) and self.is_own_page(request) and (_equal(self.secret, secret) or self._is_code(secret))

    def ask(self) -> None:
        """Show a code on the terminal. It opens the network until the command ends, or until the next one is shown."""
        if self.asked is not None:
            self._code, self._tries = f"{secrets.randbelow(10**6):06}", TRIES
            self.asked(self._code)

    def _is_code(self, given: str) -> bool:
        if not self._code or _equal(self._code, given):
            return bool(self._code)
        self._tries -= 1
        if not self._tries:
            self._code = ""
        return False

    def is_probe(self, nonce: str) -> bool:
        """Has this server sent the probe itself?"""
        return nonce in self._probes

    async def find(self) -> None:
        """Set `base` to the first own address at which this server answers. It has to listen at all of them."""
        for address in own_addresses():
            if await self._answers(address, self.port):
                self.base = f"http://{address}:{self.port}"
                return

    async def open(self) -> None:
        """Listen at an address of a home network too, unless others reach this server already. `base` is "" if there is none."""
        async with self._lock:
            if self.listener is None or self.base:
                return
            for address in own_addresses():
                of = ip(address)
                if of is None or of.is_global:  # the click is for a home network, not for the internet
                    continue
                try:
                    port = await self.listener.open(address, self.port)
                except BridgeheadError:  # the address or all its ports are taken
                    continue
                if await self._answers(address, port):
                    self._opened, self.base = address, f"http://{address}:{port}"
                    self.shown(self.base)
                    return
                self.listener.close(address)

    async def close(self) -> None:
        """Close the second listener."""
        async with self._lock:
            if self.listener is not None and self._opened:
                self.listener.close(self._opened)
                self._opened = self.base = ""
                self.shown("")

    async def _answers(self, address: str, port: int) -> bool:
        """Connect through that address: does this server answer, and not another program?"""
        nonce = secrets.token_hex(16)
        self._probes.add(nonce)
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_connection(address, port)
                try:
                    head = f"GET /api/network/{nonce} HTTP/1.1\r\nhost: {address}:{port}\r\nconnection: close\r\n\r\n"
                    writer.write(head.encode())
                    return (await reader.readline()).split()[1:2] == [b"204"]
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            return False
        finally:
            self._probes.discard(nonce)


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
