"""Starting and stopping the server."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import functools
import os
import random
import re
import secrets
import shlex
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import uvicorn

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.phrases import Phrase, detect_language
from bridgehead.server import logging
from bridgehead.server.app import BOARD, build
from bridgehead.server.catalogue import WORDS
from bridgehead.server.connections.http_protocol import MOST, HttpProtocol
from bridgehead.server.connections.mail import mailer
from bridgehead.server.connections.network import LocalNetwork, own_addresses
from bridgehead.server.connections.webhooks import Webhooks
from bridgehead.server.connections.websocket import WebSocketProtocol
from bridgehead.server.jobs.computer_players import ComputerPlayers
from bridgehead.server.jobs.memory_protection import deny_new_code
from bridgehead.server.jobs.worker_pool import WorkerPool
from bridgehead.server.messages.host import HostAct, HostActed
from bridgehead.server.messages.server import Goodbye
from bridgehead.server.people.complaints import Complaints, complaint_text
from bridgehead.server.people.result_store import recount
from bridgehead.server.rooms import book_keeper
from bridgehead.server.rooms.room import Room
from bridgehead.server.storage import backup, retention
from bridgehead.server.storage.backup import TablesInUse
from bridgehead.server.storage.event_log import Statement, StorageError
from bridgehead.server.storage.group_commit import WrittenLog
from bridgehead.server.storage.retention import Policy
from bridgehead.server.storage.sqlite import Store, tables_file
from bridgehead.server.tables.repository import GameCache, Repository

if TYPE_CHECKING:  # needs the extra `cluster`
    from bridgehead.server.cluster.peers import ClusterPeers

ADDRESS = re.compile(r"https?://(\[[0-9a-fA-F:.]+\]|[^\s/?#@\[\]:]+)(:(?P<port>[0-9]{1,5}))?/?")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::")
SERVED = "server.address"  # the file beside the tables that says where the server that has them open is reached
PATIENCE = 600.0  # seconds that deleting old tables may take
CROWD = 12_000  # connections at the same time
TRIES = 50  # ports that are tried, from the wanted one on
AT_ONCE = 8  # connections accepted in one turn of the loop, at most
BACKLOG = 2048  # connections that may wait in the system's queue
SOONEST, LATEST = 250, 2000  # milliseconds after which pages reconnect to a server that stops
UNSENT = 0.1  # seconds to wait for goodbyes that are not sent yet


def run(
    host: str, port: int, data: Path | None, open_browser: bool, pace: float = 0.45, database: str = "", bus: str = "",
    webhooks: bool = False, anywhere: bool = False,
) -> None:  # fmt: skip
    """Serve until Ctrl-C or SIGTERM, on the wanted port or the next free one. Prints the addresses.

    data: folder of the tables; None: the user's data folder. pace: seconds between actions of a computer player, at least.
    database: a PostgreSQL that stores the tables instead, for several processes; bus: a Redis or Valkey between them.
    webhooks: hosts may set a webhook on the internet; anywhere: also one in this network.
    Environment: BRIDGEHEAD_HOSTS: further host names, comma-separated; FORWARDED_ALLOW_IPS: trusted proxies;
    BRIDGEHEAD_URL: the public address, for links; BRIDGEHEAD_METRICS_TOKEN: token for /metrics; BRIDGEHEAD_KEY: signing key,
    with a database; BRIDGEHEAD_SMTP, BRIDGEHEAD_MAIL_FROM: server and sender of reminders by mail; BRIDGEHEAD_HOST_KEY: key of
    the classroom view (beside a file, one is made); BRIDGEHEAD_LOG=json: log for programs.
    Errors: BridgeheadError, also after a failed fsync.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        deny_new_code()
    logging.start_logging(os.environ.get("BRIDGEHEAD_LOG", ""))
    _allow_many_files()
    base = _public_address(os.environ.get("BRIDGEHEAD_URL", ""))
    store, peers = _open_store(data, database, bus)
    with contextlib.suppress(StorageError):  # the log says why, as with a full disk; tables can be read meanwhile
        asyncio.run(store.write((store.probe, ())))
    listener = _listen(host, port)
    network = _network(base, host, listener.getsockname()[1], data, bool(database))
    token = os.environ.get("BRIDGEHEAD_METRICS_TOKEN", "")
    names = [name.strip() for name in os.environ.get("BRIDGEHEAD_HOSTS", "").split(",") if name.strip()]
    names += [name] if (name := urlsplit(network.base).hostname) else []
    hooks = Webhooks(webhooks, anywhere)
    mail = mailer(os.environ.get("BRIDGEHEAD_SMTP", ""), os.environ.get("BRIDGEHEAD_MAIL_FROM", ""))
    host_key = _host_key(store.file)
    app = build(store, ComputerPlayers(pace=pace), network, names, None, hooks, peers, token, mail, host_key)
    server = make_server(app, network)
    store.on_broken = lambda: setattr(server, "should_exit", True)
    _stop_on_signals(server)
    with _found_at(store.file, _own_address(host, network.port)):
        own = _announce(host, network, host_key, store.file.with_name("host.key") if store.file and host_key else None)
        if open_browser:
            _open_when_ready(server, own)
        asyncio.run(server.serve([listener]))
    if not server.started:
        raise BridgeheadError("server:error.server_could_not_start_reason")
    if store.broken:
        raise BridgeheadError("server:error.start_again_see_what_kept", str(store.file or ""), broken=store.broken)


def prune(data: Path | None, database: str, policy: Policy, dry_run: bool) -> str:
    """Delete the expired tables of a file or a database; returns a summary. A server that has the file open does it itself.

    Errors: BridgeheadError.
    """
    try:
        with _kept(data, database, alone=not dry_run) as store:
            found = asyncio.run(retention.prune(store, policy, time.time(), delete=not dry_run))
        tables, played = len(found), sum(each.played for each in found)
        if not database and not dry_run:
            backup.compact(tables_file(data))
    except TablesInUse:
        tables, played = _ask_to_prune(tables_file(data), policy)
    key = "prune.would" if dry_run else "prune.deleted"
    return WORDS.tell(Phrase(key, {"unplayed": tables - played, "played": played}), detect_language())


def _ask_to_prune(file: Path, policy: Policy) -> tuple[int, int]:
    """Let the server that has a file open delete its expired tables; how many there were, and how many of them were played.

    Errors: TablesInUse, with the reason why it does not.
    """
    try:
        address = file.with_name(SERVED).read_text("ascii")
        wish = msgspec.json.encode(HostAct(_host_key(file), "prune", days=policy.idle, unplayed=policy.unplayed))
        asked = urllib.request.Request(f"{address}/api/host/act", wish, {"content-type": "application/json"})
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(asked, timeout=PATIENCE) as answer:
            done = msgspec.json.decode(answer.read(), type=HostActed)
    except urllib.error.HTTPError as error:
        why = msgspec.json.decode(error.read()).get("error", error.reason)
        raise TablesInUse("server:error.server_does_not_prune", str(file), why=why) from None
    except (OSError, ValueError) as error:
        raise TablesInUse("server:error.server_does_not_prune", str(file), why=error) from None
    return done.tables, done.played


class KeptBook(NamedTuple):
    """The book in a store of tables. read: rows of a query; write: runs statements, all or none."""

    store: WrittenLog

    def read(self, query: str, *values: object) -> list[Any]:
        return self.store.read(query, *values)

    def write(self, made: list[Statement]) -> None:
        asyncio.run(self.store.write(*made))

    def add_tables(self, game: str) -> int:
        """Put all finished tables of a game into the book; returns their number. Damaged ones are left out."""
        return asyncio.run(book_keeper.note_all(self.store, game))


@contextlib.contextmanager
def kept_book(data: Path | None, database: str) -> Iterator[KeptBook]:
    """The book in the tables of a folder or a database, which a server may have open. Errors: StorageError."""
    with contextlib.closing(_open_store(data, database, "")[0]) as store:
        yield KeptBook(store)


@contextlib.contextmanager
def _kept(data: Path | None, database: str, alone: bool) -> Iterator[WrittenLog]:
    """The store of a folder that has one, or of a database. alone: no server may have the file open. Errors: BridgeheadError."""
    if not database:
        file = tables_file(data)
        if not file.exists():
            raise BridgeheadError("server:error.no_tables_kept_here", str(file))
        if alone:
            backup.compact(file, whole=False)
    with contextlib.closing(_open_store(data, database, "")[0]) as store:
        yield store


def ratings(data: Path | None, database: str, write: bool) -> list[str]:
    """Compute all results and ratings again from the records, and report what is stored otherwise. write: store what they say.

    A file must not be open in a server. Errors: BridgeheadError.
    """
    with _kept(data, database, alone=True) as store, contextlib.ExitStack() as stack:
        stack.callback((boards := WorkerPool(1, BOARD)).stop)
        found = asyncio.run(recount(Repository(store, GameCache(boards)), write))
    lines = [Phrase(f"recount.{each.what}", {"name": each.name}) for each in found.differences]
    if found.gone:
        lines.append(Phrase("recount.gone", {"gone": found.gone}))
    if found.differences:
        lines.append(Phrase("recount.written" if write else "recount.would", {"n": len(found.differences)}))
    else:
        lines.append(Phrase("recount.same", {"results": found.results, "ratings": found.ratings}))
    return [WORDS.tell(each, detect_language()) for each in lines]


def complaints(data: Path | None, database: str, closed: Sequence[str]) -> list[str]:
    """The reports to the host that are open, in words. closed: ids of reports to close first.

    A file must not be open in a server. Errors: BridgeheadError.
    """
    with _kept(data, database, alone=False) as store:
        return asyncio.run(_complaints(Complaints(store), closed))


async def _complaints(service: Complaints, closed: Sequence[str]) -> list[str]:
    shown: list[str] = []
    for name in closed:
        await service.close(name)
        shown.append(WORDS.tell(Phrase("complaint.closed", {"name": name}), detect_language()))
    found = [complaint_text(each, detect_language()) for each in await service.open()]
    return shown + (found or [WORDS.tell(Phrase("complaint.none"), detect_language())])


def _public_address(given: str) -> str:
    """The address that links carry, "" for none. Errors: BridgeheadError for anything but the scheme, a host, perhaps a port."""
    if not given:
        return ""
    found = ADDRESS.fullmatch(given)
    if found is None or not 0 < int(found["port"] or 80) < 2**16:
        raise BridgeheadError("server:error.public_address", "BRIDGEHEAD_URL", given=repr(given[:200]))
    return given.rstrip("/")


def _network(base: str, host: str, port: int, data: Path | None, shared: bool) -> LocalNetwork:
    """How other devices reach this server. base: its public address, or ""; shared: several processes over a database.

    The person at this machine may open it by a click only if it listens on loopback, stores its tables in a file and stands
    behind no proxy.
    """
    command = f"bridgehead serve --host 0.0.0.0 --port {port}" + (f" --data {shlex.quote(str(data))}" if data else "")
    proxied = any(os.environ.get(name) for name in ("BRIDGEHEAD_URL", "BRIDGEHEAD_HOSTS", "FORWARDED_ALLOW_IPS"))
    opens = host in LOOPBACK and not shared and not proxied
    network = LocalNetwork(base, command, secrets.token_urlsafe(24) if opens else "", port)
    network.shown = _show_network
    network.asked = _show_code if sys.stdout.isatty() else None
    return network


def _show_network(base: str) -> None:
    """Print that the network was opened, or closed."""
    print(WORDS.tell(Phrase("run.opened" if base else "run.closed", {"address": base}), detect_language()), flush=True)


def _show_code(code: str) -> None:
    """Print the code with which a page of this machine may open the network."""
    print(WORDS.tell(Phrase("run.code", {"code": code}), detect_language()), flush=True)


def _announce(host: str, network: LocalNetwork, host_key: str, key_file: Path | None = None) -> str:
    """Print the server's addresses; returns the one for a browser on this machine, with the secret that opens the network.

    Secrets are printed only on a terminal, because a service's output is kept in a log. key_file: where the host's key stands.
    """
    words = functools.partial(WORDS.text, language=detect_language())
    everywhere, here = host in EVERYWHERE, _own_address(host, network.port)
    own = f"{here}/#network={network.secret}" if network.secret else here
    print(words("run.open"))
    print(f"  {words('run.here'):17} {own if sys.stdout.isatty() else here}")
    for address in own_addresses() if everywhere else ():
        print(f"  {words('run.network'):17} http://{address}:{network.port}")
    if host_key and sys.stdout.isatty():
        print(f"  {words('run.class'):17} {here}/class#key={host_key}")
    elif key_file:
        where = WORDS.tell(Phrase("run.class_key", {"address": f"{here}/class", "file": str(key_file)}), detect_language())
        print(f"  {words('run.class'):17} {where}")
    if host in LOOPBACK and not network.base:
        print("  " + WORDS.tell(Phrase("run.others", {"command": network.command}), detect_language()))
    sys.stdout.flush()
    return own


def _own_address(host: str, port: int) -> str:
    """Where this machine reaches a server that listens there."""
    shown = "127.0.0.1" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


@contextlib.contextmanager
def _found_at(file: Path | None, address: str) -> Iterator[None]:
    """While a server has a file open, its address stands beside it, so that `prune` finds it."""
    note = file.with_name(SERVED) if file else None
    with contextlib.suppress(OSError):  # the folder cannot be written
        if note:
            note.write_text(address, "ascii")
    yield
    with contextlib.suppress(OSError):
        if note:
            note.unlink(missing_ok=True)


def _host_key(file: Path | None) -> str:
    """The key of the server's host, from the environment or the file beside the tables, which the first start makes; "" for none.

    Errors: BridgeheadError.
    """
    given = os.environ.get("BRIDGEHEAD_HOST_KEY", "")
    if given and not re.fullmatch(r"[A-Za-z0-9_-]{24,128}", given):
        raise BridgeheadError("server:error.host_key", "BRIDGEHEAD_HOST_KEY")
    if given or file is None:
        return given
    kept = file.with_name("host.key")
    with contextlib.suppress(OSError):  # the folder cannot be written
        if not kept.exists() or not kept.stat().st_size:  # empty: written by hand, or a full disk
            part = kept.with_suffix(".part")
            part.touch(0o600)
            part.write_text(secrets.token_urlsafe(32), "ascii")
            part.replace(kept)
    try:
        found = kept.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""
    return found if re.fullmatch(r"[A-Za-z0-9_-]{24,128}", found) else ""


def _signing_key() -> bytes:
    """The signing key of all processes over one database. Errors: BridgeheadError."""
    given = os.environ.get("BRIDGEHEAD_KEY", "")
    if given and (len(given) != 64 or not set(given) <= set("0123456789abcdef")):
        raise BridgeheadError("server:error.64_digits_from_0_f", "BRIDGEHEAD_KEY")
    return bytes.fromhex(given)


def _open_store(data: Path | None, database: str, bus: str) -> tuple[WrittenLog, ClusterPeers | None]:
    """The store of the tables, and the other processes over it. Errors: StorageError; BridgeheadError for an unsafe bus."""
    if not database:
        if bus:
            raise BridgeheadError("server:error.bus_several_workers_over_database", "--database")
        return Store(tables_file(data)), None
    from bridgehead.server.cluster.peers import ClusterPeers
    from bridgehead.server.cluster.redis_bus import Bus, check
    from bridgehead.server.storage.postgres import PostgresStore

    if bus:
        check(bus)
    store = PostgresStore(database, key=_signing_key())
    return store, ClusterPeers(store, Bus(bus, store.id) if bus else None)


def _allow_many_files() -> None:
    """Raise the limit of open files: every connection is one."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 16_384 if hard == resource.RLIM_INFINITY else min(hard, 16_384)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _stop_on_signals(server: uvicorn.Server) -> None:
    """Make Ctrl-C and SIGTERM stop the server by a flag; an exception raised while it starts could be lost."""

    def leave(*_: object) -> None:
        server.should_exit = True

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, leave)


class Server(uvicorn.Server):
    """Accepts new connections in small batches, so a rush of thousands does not delay existing connections.

    The loop accepts at most `backlog` connections (see `make_server`) per turn; the rest wait in the system's queue. A server
    that stops says goodbye to all pages before it closes their connections. It can listen at further addresses (`Listener`).
    """

    def __init__(self, config: uvicorn.Config, network: LocalNetwork) -> None:
        super().__init__(config)
        self._network, self._more = network, dict[str, asyncio.Server]()
        network.listener = self

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(BACKLOG)
            if not self._network.base and each.getsockname()[0] in ("0.0.0.0", "::"):
                await self._network.find()

    async def open(self, address: str, port: int) -> int:
        listener = _listen(address, port)

        def protocol() -> HttpProtocol:
            state = self.lifespan.state
            made: HttpProtocol = self.config.http_protocol_class(self.config, self.server_state, app_state=state)  # type: ignore[call-arg, assignment]
            return made

        self._more[address] = opened = await asyncio.get_running_loop().create_server(protocol, sock=listener, backlog=AT_ONCE)
        self.servers.append(opened)
        listener.listen(BACKLOG)
        return int(listener.getsockname()[1])

    def close(self, address: str) -> None:
        opened = self._more.pop(address)
        self.servers.remove(opened)
        opened.close()
        for each in list(self.server_state.connections):
            if (each.transport.get_extra_info("sockname") or ("",))[0] == address:
                each.transport.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()  # accept no new connection
        manager = getattr(getattr(self.config.app, "state", None), "manager", None)
        if manager is not None and not self.force_exit:
            await _say_goodbye(manager.rooms.values())
        await super().shutdown(sockets)


async def _say_goodbye(rooms: Iterable[Room]) -> None:
    """Send every page a goodbye with the delay after which it may reconnect. Delays differ, to spread the load."""
    connections = [each for room in list(rooms) for each in list(room.connections)]
    for each in connections:
        each.send(Goodbye("restart", each.words("bye.restart"), retry=random.randint(SOONEST, LATEST)))
    until = time.monotonic() + UNSENT
    while time.monotonic() < until and any(each.waiting for each in connections):
        await asyncio.sleep(0.005)
    await asyncio.sleep(0)


def make_server(app: Any, network: LocalNetwork | None = None) -> uvicorn.Server:
    """The HTTP server for an application: small messages, uncompressed WebSockets, a stop within a second.

    A page's address is the other end of its connection. If FORWARDED_ALLOW_IPS names proxies, they report the address, and must
    limit the number of connections.
    """
    behind = bool(os.environ.get("FORWARDED_ALLOW_IPS"))
    protocol = type("OwnProtocol", (HttpProtocol,), {"open": Counter(), "idle": {}, "most": CROWD if behind else MOST})
    config = uvicorn.Config(
        app, http=protocol, proxy_headers=behind, ws=WebSocketProtocol, ws_max_size=8192, ws_per_message_deflate=False,
        ws_ping_interval=20, ws_ping_timeout=20,
        timeout_graceful_shutdown=1, limit_concurrency=CROWD, backlog=AT_ONCE, log_level="warning", log_config=None,
        access_log=False, server_header=False,
    )  # fmt: skip
    return Server(config, network or LocalNetwork())


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket on the wanted port or the next free one; 0: on any port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in range(port, min(port + TRIES, 65536)) if port else (0,):
        # asyncio sets TCP_NODELAY only if the protocol is named. Without it, the second of two small messages waits 40 ms.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name == "posix":  # on other systems it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, wanted))
            listener.listen(BACKLOG)
        except OSError as error:
            listener.close()
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            raise BridgeheadError("server:error.device_no_such_address", host, strerror=error.strerror) from None
        return listener
    raise BridgeheadError("server:error.no_port_free_from", f"{host}:{port}", port=port)


def _open_when_ready(server: uvicorn.Server, address: str) -> None:
    """Open the page in a browser once the server answers, if there is a screen."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return

    def wait() -> None:
        while not server.started and not server.should_exit:
            time.sleep(0.05)
        if server.started:
            webbrowser.open(address)

    threading.Thread(target=wait, daemon=True).start()
