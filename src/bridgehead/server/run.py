"""Starting and stopping the server."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridgehead.core.errors import BridgeheadError

if TYPE_CHECKING:
    import uvicorn

    from bridgehead.server.cluster.peers import Others
    from bridgehead.server.storage.event_log import EventLog

FILE = "bridgehead.sqlite"
CROWD = 12_000  # connections and sockets at once
LINE = 2048  # of them that may wait to be let in
TRIES = 50  # ports after the wanted one that are tried when it is taken


def run(
    host: str, port: int, data: Path | None, open_browser: bool, pace: float = 0.45, database: str = "", bus: str = "",
    webhooks: bool = False, anywhere: bool = False,
) -> None:  # fmt: skip
    """Serve until Ctrl-C or SIGTERM. Another port is taken when the wanted one is not free; the addresses are printed.

    data: folder of the tables; None: the user's own. pace: least seconds between a computer player's actions.
    database: a PostgreSQL that keeps the tables instead, for several workers; bus: a Redis or Valkey between them.
    webhooks: hosts may name a place on the internet that is told of turns; anywhere: also one in this network.
    The environment's BRIDGEHEAD_HOSTS names further host names, comma-separated, FORWARDED_ALLOW_IPS the proxies that
    may say who asks, BRIDGEHEAD_METRICS_TOKEN what to show for /metrics, BRIDGEHEAD_KEY what is signed with over a database;
    BRIDGEHEAD_LOG=json writes a log for machines.
    Errors: BridgeheadError, also when the disk ceases to write through.
    """
    # Few moves are played here, and the first must not wait for a compiler.
    os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    from bridgehead.server import logging
    from bridgehead.server.app import build
    from bridgehead.server.jobs.computer_players import Bots
    from bridgehead.server.rooms.webhooks import Hooks

    logging.start(os.environ.get("BRIDGEHEAD_LOG", ""))
    _allow_many_files()
    store, others = _kept_at(data, database, bus)
    listener = _listen(host, port)
    addresses = _addresses(host, listener.getsockname()[1])
    base = addresses[1] if len(addresses) > 1 else ""
    token = os.environ.get("BRIDGEHEAD_METRICS_TOKEN", "")
    server = make_server(build(store, Bots(pace=pace), base, _names(), None, Hooks(webhooks, anywhere), others, token))
    store.on_broken = lambda: setattr(server, "should_exit", True)
    _stop_on_signals(server)
    _announce(host, addresses)
    if open_browser:
        _open_when_ready(server, addresses[0])
    asyncio.run(server.serve([listener]))
    if not server.started:
        raise BridgeheadError("the server could not start; the reason stands above")
    if store.broken:
        raise BridgeheadError(f"{store.broken}; start again to see what it has kept", str(store.file or ""))


def _announce(host: str, addresses: list[str]) -> None:
    """Print where the server can be reached."""
    print("Bridgehead is open. Press Ctrl-C to close it.")
    print(f"  on this device    {addresses[0]}")
    for address in addresses[1:]:
        print(f"  on your network   {address}")
    if len(addresses) == 1 and host in ("127.0.0.1", "localhost", "::1"):
        print("  for others on your network: bridgehead serve --host 0.0.0.0")
    sys.stdout.flush()


def _names() -> list[str]:
    """Further names that the server is known by."""
    return [name.strip() for name in os.environ.get("BRIDGEHEAD_HOSTS", "").split(",") if name.strip()]


def _signing_key() -> bytes:
    """What workers over one database sign with. Errors: BridgeheadError."""
    given = os.environ.get("BRIDGEHEAD_KEY", "")
    if given and (len(given) != 64 or not set(given) <= set("0123456789abcdef")):
        raise BridgeheadError("64 digits from 0 to f are expected (openssl rand -hex 32)", "BRIDGEHEAD_KEY")
    return bytes.fromhex(given)


def _kept_at(data: Path | None, database: str, bus: str) -> tuple[EventLog, Others | None]:
    """What keeps the tables, and the other workers over it. Errors: StorageError; BridgeheadError for a bus that is not safe."""
    if not database:
        if bus:
            raise BridgeheadError("a bus is for several workers over one database: name that as well", "--database")
        from bridgehead.server.storage.sqlite import Store

        return Store((data or data_folder()) / FILE), None
    from bridgehead.server.cluster.peers import Others
    from bridgehead.server.cluster.redis_bus import Bus, check
    from bridgehead.server.storage.postgres import PostgresStore

    if bus:
        check(bus)
    store = PostgresStore(database, key=_signing_key())
    return store, Others(store, Bus(bus, store.id) if bus else None)


def _allow_many_files() -> None:
    """Every socket is a file; systems begin with few and allow many."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 16_384 if hard == resource.RLIM_INFINITY else min(hard, 16_384)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _stop_on_signals(server: uvicorn.Server) -> None:
    """Ctrl-C and SIGTERM ask the server to stop, from now on: an exception in the middle of its start could be lost."""

    def leave(*_: object) -> None:
        server.should_exit = True

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, leave)


def make_server(app: Any) -> uvicorn.Server:
    """The HTTP server for an application: small messages, no compression of sockets, a stop within a second.

    Who asks is the other end of the connection, unless the environment's FORWARDED_ALLOW_IPS names the proxies that
    may say otherwise: then they answer for the number of connections too.
    """
    import uvicorn

    from bridgehead.server.connections.http_protocol import AT_ONCE, MOST, Line
    from bridgehead.server.connections.websocket_protocol import Wire
    from bridgehead.server.shutdown import Server

    behind = bool(os.environ.get("FORWARDED_ALLOW_IPS"))
    line = type("OwnLine", (Line,), {"open": Counter(), "most": CROWD if behind else MOST})
    config = uvicorn.Config(
        app, http=line, proxy_headers=behind, ws=Wire, ws_max_size=8192, ws_per_message_deflate=False,
        ws_ping_interval=20, ws_ping_timeout=20,
        timeout_graceful_shutdown=1, limit_concurrency=CROWD, backlog=AT_ONCE, log_level="warning", log_config=None,
        access_log=False, server_header=False,
    )  # fmt: skip
    return Server(config)


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket on the wanted port or the next free one; on any, where 0 is wanted."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in range(port, min(port + TRIES, 65536)) if port else (0,):
        # With the protocol named, asyncio sends small messages at once: else the second of two waits 40 ms.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, wanted))
            listener.listen(LINE)
        except OSError as error:
            listener.close()
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            raise BridgeheadError(f"this device has no such address ({error.strerror})", host) from None
        return listener
    raise BridgeheadError(f"no port is free from {port} on", f"{host}:{port}")


def _addresses(host: str, port: int) -> list[str]:
    """This device's address first, then those by which others reach it."""
    if host not in ("0.0.0.0", "::"):
        shown = f"[{host}]" if ":" in host else host
        return [f"http://{shown}:{port}"]
    found = [f"http://127.0.0.1:{port}"]
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # a documentation address: nothing is sent, but it tells our own
        own = probe.getsockname()[0]
        if not own.startswith("127."):
            found.append(f"http://{own}:{port}")
    return found


def data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "bridgehead" / "tables"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "bridgehead"


def _open_when_ready(server: uvicorn.Server, address: str) -> None:
    """Open the page once the server answers, where there is a screen to open it on."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return

    def wait() -> None:
        while not server.started and not server.should_exit:
            time.sleep(0.05)
        if server.started:
            webbrowser.open(address)

    threading.Thread(target=wait, daemon=True).start()
