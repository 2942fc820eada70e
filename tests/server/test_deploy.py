"""What stands in deploy/ and docs/do/host.md is tried: proxy, unit, compose file, backup and restore."""

import configparser
import ipaddress
import os
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import apsw
import pytest
import redis
import yaml
from redis.backoff import NoBackoff
from redis.retry import Retry

from bridgehead.server.cluster import redis_bus
from bridgehead.server.storage import backup
from bridgehead.server.storage.sqlite import Store
from server.cluster import Cluster
from server.live import PATIENCE, PEOPLE, Live, Page
from server.servers import STARTING, free_port, program
from server.test_cluster import come, log_of, until

pytestmark = pytest.mark.wide
ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def bridgehead(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bridgehead.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def step(start: str, **names: str) -> list[str]:
    """The command of docs/do/host.md that begins so, with what it leaves open filled in."""
    [line] = [
        line[4:] for line in (ROOT / "docs" / "do" / "host.md").read_text("utf-8").splitlines() if line.startswith(f"    {start}")
    ]
    for name, value in names.items():
        line = line.replace(name, value)
    return shlex.split(line)


# Copies


def played(live: Live, actions: int) -> tuple[dict[str, Any], Page]:
    table = live.table("barricade", PEOPLE, board="mini")
    page = live.page(table, 0, 1)
    for _ in range(actions):
        page.act(page.view["choices"][0]["text"])
    return table, page


def test_a_file_is_copied_while_it_is_played_put_back_and_played_on(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    live = Live(data)
    table, page = played(live, 3)
    over = threading.Event()

    def play() -> None:
        while not over.is_set() and not page.view["outcome"]:
            page.act(page.view["choices"][0]["text"])

    thread = threading.Thread(target=play)
    thread.start()
    done = bridgehead(*step("bridgehead backup", FILE=str(copy), FOLDER=str(data))[1:])
    over.set()
    thread.join()
    assert done.returncode == 0 and "1 tables" in done.stdout and "all whole" in done.stdout, done
    assert copy.stat().st_mode & 0o077 == 0
    for _ in range(2):
        page.act(page.view["choices"][0]["text"])
    seen, whole = page.view, log_of(live, table)
    restore = step("bridgehead restore", FILE=str(copy), FOLDER=str(data))[1:]
    refused = bridgehead(*restore)
    assert refused.returncode == 2 and "stop it first" in refused.stderr, refused
    assert log_of(live, table) == whole and page.act(page.view["choices"][0]["text"])
    live.stop()
    done = bridgehead(*restore)
    assert done.returncode == 0 and "all whole" in done.stdout, done
    [aside] = data.glob("bridgehead.sqlite.before-*")
    before = Store(aside)
    assert len(before.events(table["table"])) > len(whole), "nothing is thrown away"
    before.close()
    again = Live(data)
    log = log_of(again, table)
    assert 3 <= len(log) < len(whole) and log == whole[: len(log)]
    assert again.page(table, 0, 1).act(again.page(table, 0, 1).view["choices"][0]["text"])["v"] > len(log), "it is played on"
    back = come(again, table, 0, last=seen["v"], mark=seen["mark"])
    assert back.closed() == 1008 and back.heard[-1]["code"] == "behind"
    again.stop()


def test_a_copy_that_is_damaged_or_none_of_ours_is_not_put_back(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    live = Live(data)
    table, _ = played(live, 6)
    assert "1 tables" in backup.save(copy, data)
    again = bridgehead("backup", str(copy), "--data", str(data))
    assert again.returncode == 2 and "already" in again.stderr
    live.stop()
    connection = apsw.Connection(str(copy))
    connection.execute("update event set action = action + 1 where version = 4")
    connection.close()
    (tmp_path / "noise").write_bytes(b"no database" * 1000)
    for file, told in ((copy, "event 4"), (tmp_path / "noise", "noise"), (tmp_path / "missing", "missing")):
        done = bridgehead("restore", str(file), "--data", str(data))
        assert done.returncode == 2 and told in done.stderr and done.stderr.count("\n") == 1, done
    own = Store(data / "bridgehead.sqlite")
    assert len(own.events(table["table"])) >= 6
    own.close()
    done = bridgehead("backup", str(tmp_path / "other"), "--data", str(tmp_path / "nowhere"))
    assert done.returncode == 2 and "no tables" in done.stderr


def test_a_database_is_copied_while_it_is_played_put_back_and_played_on(cluster: Cluster, tmp_path: Path) -> None:
    place, empty, copy = cluster.postgres.database("first"), cluster.postgres.database("second"), tmp_path / "copy"
    with cluster.workers(1, place=place) as (live,):
        table, page = played(live, 5)
        run_of_postgres(step("pg_dump", FILE=str(copy), **{"$BRIDGEHEAD_DATABASE": place}))
        for _ in range(3):
            page.act(page.view["choices"][0]["text"])
        seen, whole = page.view, log_of(live, table)
    run_of_postgres(step("pg_restore", FILE=str(copy), **{"$BRIDGEHEAD_DATABASE": empty}))
    with cluster.workers(2, place=empty) as (one, other):
        log = log_of(one, table)
        assert log == whole[: len(log)] and 5 <= len(log) < len(whole)
        page = one.page(table, 0, 1)
        page.act(page.view["choices"][0]["text"])
        back = come(other, table, 1, last=seen["v"], mark=seen["mark"])
        assert back.closed() == 1008 and back.heard[-1]["code"] == "behind"
        assert page.closed() == 1008


def run_of_postgres(command: list[str]) -> None:
    done = subprocess.run([program(command[0]), *command[1:]], capture_output=True, text=True, timeout=STARTING, check=False)
    assert done.returncode == 0, done.stderr


# A proxy


class Nginx:
    """deploy/nginx.conf before workers, without its certificate."""

    def __init__(self, folder: Path, workers: list[Live]) -> None:
        self.port = free_port()
        text = (DEPLOY / "nginx.conf").read_text("utf-8")
        text = re.sub(r"listen 443 ssl;", f"listen 127.0.0.1:{self.port};", text)
        text = re.sub(r"\n *ssl_certificate.*", "", text)
        for name, live in zip(("127.0.0.1:8000", "127.0.0.1:8001"), workers, strict=True):
            assert name in text
            text = text.replace(name, live.host)
        (folder / "site.conf").write_text(text)
        kept = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "" if os.getuid() else "user root;"
        (folder / "nginx.conf").write_text(
            f"daemon off; pid {folder}/pid; error_log {folder}/errors; {user}\n"
            f"events {{}}\nhttp {{ access_log off; {kept}\ninclude {folder}/site.conf; }}\n"
        )
        nginx = program("nginx", "/usr/sbin/nginx")
        self.process = subprocess.Popen([nginx, "-p", str(folder), "-e", f"{folder}/errors", "-c", f"{folder}/nginx.conf"])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(STARTING)


def test_through_the_proxy_sockets_work_and_nobody_claims_to_be_somebody_else(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    with cluster.workers(2) as workers:
        proxy = Nginx(tmp_path, workers)
        try:
            table = workers[0].table()

            def reached() -> Page | None:
                try:
                    return Page(proxy.url, additional_headers={"X-Forwarded-For": "203.0.113.9"}, origin=proxy.url)
                except OSError:
                    return None

            pages: list[Page] = []
            until(lambda: (page := reached()) is not None and not pages.append(page))
            [page] = pages
            page.say(t="hello", p=1, table=table["table"], tokens=table["tokens"])
            page.hear("view")
            page.act("a2-a3")
            addresses = [
                c.address for live in workers for room in live.app.state.manager.rooms.values() for c in room.connections
            ]
            assert addresses == ["127.0.0.1"], "the address is the proxy's word, not the stranger's"
            direct = Page(workers[0].url, additional_headers={"X-Forwarded-For": "203.0.113.9"})
            direct.say(t="hello", p=1, table=table["table"], tokens=[])
            direct.hear("view")
            known = {c.address for room in workers[0].app.state.manager.rooms.values() for c in room.connections}
            assert "203.0.113.9" in known, "the proxy's word is believed"
            strange = Page.__new__(Page)
            with pytest.raises(Exception, match="403"):
                strange.__init__(proxy.url, origin="http://evil.example")  # type: ignore[misc]
        finally:
            proxy.stop()


def test_the_proxy_sends_everybody_at_a_table_to_the_same_worker(cluster: Cluster, tmp_path: Path) -> None:
    with cluster.workers(2) as workers:
        proxy = Nginx(tmp_path, workers)
        watching: list[Page] = []

        def watches(table: str) -> bool:
            try:
                watching.append(Page(proxy.url, f"/ws?table={table}"))
            except OSError:  # the proxy is not there yet
                return False
            watching[-1].say(t="hello", p=1, table=table, tokens=[])
            return bool(watching[-1].hear("view"))

        try:
            tables = [workers[0].table()["table"] for _ in range(4)]
            for table in tables * 3:
                until(lambda table=table: watches(table))
            rooms = [set(live.app.state.manager.rooms) for live in workers]
            assert rooms[0] | rooms[1] == set(tables) and not rooms[0] & rooms[1]
        finally:
            proxy.stop()


# Compose file and unit


def test_the_compose_file_lets_nothing_be_reached_but_the_proxy_and_nothing_without_a_password() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    services = compose["services"]
    assert {name for name, service in services.items() if "ports" in service} == {"proxy"}
    assert services["proxy"]["ports"] == ["80:80", "443:443", "443:443/udp"]
    assert compose["networks"]["inside"]["internal"] is True
    assert {name for name, service in services.items() if "outside" in service["networks"]} == {"proxy"}
    assert not any(key in service for service in services.values() for key in ("network_mode", "privileged", "expose", "pid"))
    assert all("no-new-privileges:true" in service["security_opt"] for service in services.values())
    needed = {name for name, _ in re.findall(r"\$\{(\w+)(:\?[^}]*)\}", (DEPLOY / "compose.yaml").read_text("utf-8"))}
    asked = set(re.findall(r"(?<!\$)\$\{?(\w+)", (DEPLOY / "compose.yaml").read_text("utf-8")))
    given = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "env.example").read_text("utf-8"), re.MULTILINE))
    assert asked == needed == set(given) and not any(given.values()), "without a value it does not start, and none is given"
    workers = [services[name] for name in services if name.startswith("worker")]
    assert len(workers) == 2
    for worker in workers:
        environment = worker["environment"]
        assert "${POSTGRES_PASSWORD" in environment["BRIDGEHEAD_DATABASE"] and "@database/" in environment["BRIDGEHEAD_DATABASE"]
        redis_bus.check(re.sub(r"\$\{[^}]*\}", "x" * 20, environment["BRIDGEHEAD_BUS"]))
        assert environment["FORWARDED_ALLOW_IPS"] == services["proxy"]["networks"]["inside"]["ipv4_address"]
        assert worker["read_only"] and worker["cap_drop"] == ["ALL"]
    assert "requirepass %s" in services["bus"]["command"][2] and "POSTGRES_PASSWORD" in services["database"]["environment"]
    assert services["proxy"]["environment"]["WORKERS"].split() == ["worker-1:8000", "worker-2:8000"]
    assert (DEPLOY / workers[0]["build"]["context"] / workers[0]["build"]["dockerfile"]).samefile(DEPLOY / "Containerfile")


def test_what_the_compose_file_says_in_two_places_agrees() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    services, networks = compose["services"], compose["networks"]
    proxy = ipaddress.ip_address(services["proxy"]["networks"]["inside"]["ipv4_address"])
    [addresses] = networks["inside"]["ipam"]["config"]
    assert proxy in ipaddress.ip_network(addresses["subnet"])
    assert proxy not in ipaddress.ip_network(addresses["ip_range"]), "the first to start would get it, and the proxy none"
    assert networks["outside"]["enable_ipv6"] is True, "else whoever comes by IPv6 has the engine's own address"
    check = services["database"]["healthcheck"]["test"]
    assert "-h" in check and "127.0.0.1" in check, "the server that makes the database listens on a socket alone"
    read = set(re.findall(r"\{\$(\w+)\}", (DEPLOY / "Caddyfile").read_text("utf-8")))
    assert read == set(services["proxy"]["environment"])
    named = {volume.split(":")[0] for service in services.values() for volume in service.get("volumes", [])}
    assert {name for name in named if not name.startswith(".")} == set(compose["volumes"])


def test_the_guide_to_containers_names_what_the_compose_file_has() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    told = re.findall(r"^    docker compose (\w+)(.*)$", (ROOT / "docs" / "do" / "host.md").read_text("utf-8"), re.MULTILINE)
    assert {"build", "up", "cp", "restart", "stop", "start", "exec"} <= {verb for verb, _ in told}
    for verb, rest in told:
        words = [word for word in rest.split() if not word.startswith("-")]
        wanted = {"cp": [words[0].split(":")[0]], "exec": words[:1]}.get(verb, words) if words else []
        assert set(wanted) <= set(compose["services"]), (verb, rest)
        assert verb != "up" or not words or "--wait" in rest, "the second worker goes when the first is back"


def test_machine_code_of_computer_players_has_a_place_where_all_else_is_read_only() -> None:
    container = (DEPLOY / "Containerfile").read_text("utf-8")
    [cache] = re.findall(r"^ENV BRIDGEHEAD_CACHE=(.*)$", container, re.MULTILINE)
    [kept] = re.findall(r"^VOLUME (.*)$", container, re.MULTILINE)
    assert Path(cache).is_relative_to(kept) and re.search(rf"install -d -o bridgehead -m 700 {kept}$", container, re.MULTILINE)
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    for worker in (services[name] for name in services if name.startswith("worker")):
        assert kept in {volume.split(":")[1] for volume in worker["volumes"]}
    unit = (DEPLOY / "bridgehead@.service").read_text("utf-8")
    [folder] = re.findall(r"^CacheDirectory=(.*)$", unit, re.MULTILINE)
    assert re.search(rf"^Environment=.*\bBRIDGEHEAD_CACHE=%C/{folder}$", unit, re.MULTILINE)


def test_the_bus_of_the_compose_file_starts_with_its_password(tmp_path: Path) -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    port = free_port()
    (tmp_path / "valkey-server").write_text(f'#!/bin/sh\nexec {program("valkey-server", "redis-server")} "$@" --port {port}\n')
    (tmp_path / "valkey-server").chmod(0o755)
    command = [part.replace("$$", "$").replace("/tmp/", f"{tmp_path}/") for part in compose["services"]["bus"]["command"]]
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "BUS_PASSWORD": "secret"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:

        def answers(password: str) -> bool:
            try:
                return bool(redis.Redis(port=port, password=password or None, retry=Retry(NoBackoff(), 0)).ping())
            except redis.ConnectionError as error:
                if "Authentication" in str(error) or isinstance(error, redis.AuthenticationError):
                    raise
                return False

        until(lambda: answers("secret"))
        for wrong in ("", "other"):
            with pytest.raises(redis.AuthenticationError):
                answers(wrong)
        assert "secret" not in Path(f"/proc/{process.pid}/cmdline").read_text()
        assert (tmp_path / "bus.conf").stat().st_mode & 0o077 == 0
    finally:
        process.terminate()
        process.wait(STARTING)


def test_the_unit_and_the_container_call_the_command_as_it_is() -> None:
    unit = configparser.RawConfigParser(strict=False, delimiters=("=",))
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "bridgehead@.service", "utf-8")
    service = unit["Service"]
    container = re.search(r"^CMD (\[.*\])", (DEPLOY / "Containerfile").read_text("utf-8"), re.MULTILINE)
    assert container is not None
    asked = bridgehead("serve", "--help").stdout
    for words in (service["ExecStart"].split()[1:], yaml.safe_load(container[1])[1:]):
        assert words[0] == "serve" and all(word.lstrip("-") in asked for word in words if word.startswith("--")), words
    assert float(service["TimeoutStopSec"]) >= 10 and service["Restart"] == "always"
    hardened = {
        "DynamicUser": "yes", "NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes",
    }  # fmt: skip
    assert hardened.items() <= dict(service).items() and service["CapabilityBoundingSet"] == ""
    assert {"MemoryHigh", "MemoryMax", "TasksMax"} <= set(service), "the rest of the machine goes on"
    assert "MemoryDenyWriteExecute" not in service, "the workers of players that search make machine code"
