"""A real PostgreSQL and a real Redis or Valkey of the tests' own: on free ports, in folders that go with them."""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

STARTING = 60.0  # seconds
PASSWORD = "a-password-of-the-tests"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def program(*names: str) -> str:
    """Where one of these programs is. Debian keeps those of PostgreSQL out of the path."""
    places = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True)
    for name in names:
        if found := shutil.which(name, path=os.pathsep.join([*places, os.environ.get("PATH", "")])):
            return found
    raise AssertionError(f"none of {', '.join(names)} is installed: sh tools/ensure_servers.sh")


def humble() -> list[str]:
    """How a command begins that may not run as root."""
    if os.getuid():
        return []
    return ["setpriv", f"--reuid={_user()}", f"--regid={_user()}", "--clear-groups"]


def _user() -> str:
    known = {each.pw_name for each in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


class Postgres:
    """A PostgreSQL with an empty database a name asked for."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="bridgehead-postgres-"))
        self.data, self.port = self.folder / "data", free_port()
        if not os.getuid():
            shutil.chown(self.folder, _user())
        self._run(program("initdb"), "-D", str(self.data), "-U", "tests", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.start()

    def _run(self, *command: str) -> None:
        done = subprocess.run([*humble(), *command], capture_output=True, text=True, cwd=self.folder, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        command = [*humble(), program("postgres"), "-D", str(self.data), "-p", str(self.port), "-k", str(self.folder)]
        command += ["-c", "listen_addresses=127.0.0.1", "-c", "recovery_init_sync_method=syncfs"]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        deadline = time.monotonic() + STARTING
        while True:
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                assert self.process.poll() is None and time.monotonic() < deadline, (self.folder / "log").read_text()
                time.sleep(0.05)

    def url(self, database: str) -> str:
        return f"postgresql://tests@127.0.0.1:{self.port}/{database}"

    def database(self, name: str) -> str:
        """The address of a new database."""
        self.ask("postgres", f'create database "{name}"')
        return self.url(name)

    def place(self) -> str:
        """The address of an empty schema, which is made much sooner than a database."""
        name = secrets.token_hex(8)
        self.ask("postgres", f'create schema "{name}"')
        return f"{self.url('postgres')}?options=-csearch_path%3D{name}"

    def ask(self, database: str, query: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            done = connection.execute(query)  # type: ignore[call-overload]
            return done.fetchall() if done.description else []

    def hang_up(self, database: str) -> int:
        """End every connection to a database from the server's side; how many there were."""
        query = "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s and pid <> pg_backend_pid()"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            return len(connection.execute(query, (database,)).fetchall())

    def kill(self) -> None:
        """A crash of the whole server: it ends at once, with nothing put in order."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
        self.process.wait(STARTING)

    def stop(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Redis:
    """A Redis or Valkey that keeps nothing on the disk."""

    def __init__(self) -> None:
        self.port = free_port()
        self.start()

    @property
    def url(self) -> str:
        return f"redis://:{PASSWORD}@127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [program("valkey-server", "redis-server"), "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(
            [*command, "--requirepass", PASSWORD], stdout=subprocess.DEVNULL, cwd=tempfile.gettempdir()
        )
        deadline = time.monotonic() + STARTING
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                assert self.process.poll() is None and time.monotonic() < deadline
                time.sleep(0.02)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(STARTING)

    def stop(self) -> None:
        self.kill()
