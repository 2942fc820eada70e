"""Fair shares, over everything: how much one address slows others by asking for one thing all the time.

bench/prices.py [--seconds 3] [--connections 30] [--only puzzle]

For each route and each type of message, with the dearest input that is allowed: the p95 of another person's move, of a page
and of coming to a table, in milliseconds, and each of them beside the quiet phase before. Then, for requests, what one of
them uses: milliseconds of the server's loop, of its threads, and of its workers; `busy`: for how long (p99) the server works
between two ticks of its loop 10 ms apart, which hardly depends on what else the machine does. The one that asks is a process
on the same machine, with an address of its own for each kind. Target: all three within 3 times of quiet.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import itertools
import json
import os
import re
import secrets
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from bridgehead.server.http import openapi
from bridgehead.server.messages import client
from load import HERE, Server, ours, wished
from neighbours import Honest, p95
from server.boards import heavy_board, pillars

TARGET, QUIET = 3.0, 6  # the target; a quiet phase before so many hostile ones
RECORDS = HERE.parent / "tests" / "proof" / "records"
SHEET = f"{0:016x}/styles/base.tokens+board.board+base.page+base.sheet+base.pieces.css"  # that no page names
LAST = ("/api/analyses", "/api/labs", "/api/mendings")  # what they begin goes on for minutes
AGAIN = 2  # times that a kind beyond the target is measured again, each beside a quiet phase of its own; the median counts
Asked = tuple[str, str, str, str]  # method, path, body, further header lines
ADDRESSES = (f"{n // 200 + 10}.{n % 200 + 1}" for n in itertools.count())  # of those who ask: each has its own budgets
OWN = "127.0.8.1"  # the address that makes what is asked for


class Figures(NamedTuple):
    """The p95 of another person, in milliseconds."""

    move: float
    page: float
    come: float

    def __truediv__(self, quiet: Figures) -> Figures:
        return Figures(*(mine / theirs for mine, theirs in zip(self, quiet, strict=True)))


def seconds(pid: int, thread: int = 0) -> float:
    """Processor seconds of a process so far, or of one of its threads."""
    total = 0
    for file in Path(f"/proc/{pid}/task").glob(f"{thread or '*'}/schedstat"):
        with contextlib.suppress(OSError):  # the thread has just ended
            total += int(file.read_text().split()[0])
    return total / 1e9


def children(pid: int) -> float:
    """Processor seconds of a process's children so far."""
    return sum(seconds(int(each)) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


class Stock:
    """What requests may name: tables, a profile, a tournament, an analysis."""

    def __init__(self, server: Server) -> None:
        self.host = server.url.removeprefix("http://")
        self.texts = {file.stem: file.read_text("utf-8") for file in sorted(RECORDS.glob("*.txt"))}
        long = max(self.texts.values(), key=len)
        game = re.search(r"game: *(\w+)", long)
        self.longest = long
        self.game = game.group(1) if game else "barricade"
        self.tables = [
            json.loads(self.ask("POST", "/api/tables", json.dumps({"game": "barricade", "record": text, "at": 90})))
            for name, text in self.texts.items() if name.startswith("barricade")
        ]  # fmt: skip
        self.key = secrets.token_urlsafe(32)
        profile = json.loads(self.ask("POST", "/api/profile/save", json.dumps({"key": self.key, "name": "Ada"})))
        self.profile = profile["id"]
        cup = {"game": "forty_bridges", "name": "Cup", "kind": "round_robin"}
        self.tournament = json.loads(self.ask("POST", "/api/tournaments", json.dumps(cup)))
        for n in range(8):
            entrant = {"name": f"Ada {n}"}
            self.ask("POST", f"/api/tournaments/{self.tournament['id']}/entrants", json.dumps(entrant))
        self.analysis = json.loads(self.ask("POST", "/api/analyses", self.texts["barricade-1"]))["key"]
        until = time.monotonic() + 60
        while b"steps" not in self.ask("GET", f"/api/analyses/{self.analysis}") and time.monotonic() < until:
            time.sleep(1)

    def ask(self, method: str, path: str, body: str = "") -> bytes:
        connection = http.client.HTTPConnection(self.host, source_address=(OWN, 0))
        with contextlib.closing(connection):
            kind = "application/json" if body.startswith("{") else "text/plain"
            connection.request(method, path, body.encode(), {"Content-Type": kind})
            answer = connection.getresponse()
            found = answer.read()
            assert answer.status < 400, (path, found)
            return found

    def named(self) -> dict[str, list[str]]:
        """What stands for each name in a path."""
        games = ["barricade", "burning_bridges", "forty_bridges", "front_lines"]
        return {
            "game": games, "table": [each["table"] for each in self.tables], "key": [self.analysis],
            "tournament": [self.tournament["id"]], "profile": [self.profile], "number": [str(n) for n in range(1, 400)],
            "frame": ["100", "200"], "language": ["de"],
        }  # fmt: skip

    def queries(self) -> dict[str, list[str]]:
        """The dearest queries of some paths."""
        board = json.dumps({"seats": 2, "board": heavy_board(name="hammer")}).replace(" ", "").replace('"', "%22")
        numbers = [f"number={n}" for n in range(1, 400)]
        tables = self.named()["table"]
        return {
            "/api/games/{game}/puzzle": numbers,
            "/api/games/{game}/puzzle/why": [f"{each}&touch=x" for each in numbers],
            "/api/games/{game}/tutorial/why": ["step=3&touch=x"],
            "/api/games/{game}/picture": [f"options={board}"],
            "/api/games/{game}/rules": [f"options={board}", *(f"of={each}" for each in tables)],
            "/puzzles/{game}": [f"puzzle={n}" for n in range(1, 400)],
            "/new/{game}": [f"like={each}" for each in tables],
            "/rules/{game}": ["", *(f"table={each}" for each in tables)],
            "/api/sealed": ["from=1"],
            "/replay": [""],
        }

    def bodies(self) -> dict[str, list[Any]]:
        """The dearest bodies of all paths that take one; a text is a record."""
        records = list(self.texts.values())
        tokens = [{"table": each["table"], "tokens": each["tokens"]} for each in self.tables]
        mine, own, study = tokens * 4, {"key": self.key}, {"record": self.longest}
        boards = [{"game": "barricade", "options": {"seats": 2, "board": heavy_board(name=f"b{n}")}} for n in range(8)]
        boards += [{"game": "burning_bridges", "options": {"board": pillars(name=f"p{n}")}} for n in range(8)]
        passkey = {"handle": self.key, "id": "A" * 1400, "client": "A" * 12_000}
        cup = {"game": "forty_bridges", "name": "Cup", "kind": "arena"}
        return {
            "/api/tables": [*boards, {"game": "barricade"}, *({"game": "barricade", "record": text} for text in records)],
            "/api/check": boards, "/api/mine": [{"tables": mine}], "/api/holidays": [{"tables": mine, "days": 0}],
            "/api/records": records, "/api/records/{frame}": records, "/api/positions/{frame}": records,
            "/api/films": records, "/api/analyses": records, "/api/labs": boards, "/api/mendings": boards,
            "/api/qr": [{"text": "x" * 1500}], "/api/games/{game}/edit": [{}], "/api/games/{game}/position": [{}],
            "/api/study": [study, study | {"do": "comment", "text": "x" * 20_000}], "/api/study/links": [study],
            "/api/study/why": [study | {"touch": ["x"]}], "/api/study/lines": [study], "/api/book": [study],
            "/api/tables/{table}/times": [{"host": self.tables[0]["host"]}],
            "/api/tables/{table}/plan": [{"token": self.tables[0]["tokens"][0], "do": "keep", "record": self.longest}],
            "/api/tables/{table}/complaints": [{"tokens": self.tables[0]["tokens"][:1], "about": 1, "reason": "other"}],
            "/api/profile": [own], "/api/profile/luck": [own], "/api/profile/export": [own], "/api/profile/passkeys": [own],
            "/api/profile/save": [own | {"name": "Ada"}], "/api/profile/key": [{"key": "A" * 43, "fresh": "B" * 43}],
            "/api/profile/delete": [{"key": "A" * 43}], "/api/profile/passkeys/challenge": [own],
            "/api/profile/passkeys/add": [own | passkey | {"attestation": "A" * 12_000}],
            "/api/profile/passkeys/use": [passkey | {"authenticator": "A" * 12_000, "signature": "A" * 12_000}],
            "/api/profile/passkeys/remove": [own | {"id": "A" * 1400}], "/api/profile/blocks": [own],
            "/api/profile/seats": [own | each for each in tokens],
            "/api/opponents": [{"game": "barricade", "name": "Ada"}], "/api/opponents/ask": [{"wait": "A" * 43}],
            "/api/opponents/leave": [{"wait": "A" * 43}], "/api/tournaments": [cup],
            "/api/tournaments/{tournament}/entrants": [{"name": "Ada"}],
            "/api/tournaments/{tournament}": [{"do": "start", "host": self.tournament["host"]}],
            "/api/tournaments/{tournament}/host": [{"key": "A" * 43}],
            "/api/host": [{"key": "A" * 43}], "/api/host/act": [{"key": "A" * 43, "do": "count"}],
            "/api/class": [{"key": "A" * 43}], "/api/class/act": [{"key": "A" * 43, "do": "pause"}],
            "/api/network": [{"secret": "x"}], "/api/reminders": [{"target": "a@example.org", "tables": mine}],
            "/reminder/off/{key}": [{}],
        }  # fmt: skip

    def requests(self) -> Iterator[tuple[str, list[Asked]]]:
        """Each route with its dearest requests, and some that belong to no route."""
        named, queries, bodies = self.named(), self.queries(), self.bodies()
        missing = {each.path for each in openapi.ALL if each.body is not None} - set(bodies)
        assert not missing, f"no body for {missing}"
        for each in sorted(openapi.ALL, key=lambda route: route.path in LAST):
            paths = [each.path]
            for name in re.findall("{([a-z]+)}", each.path):
                paths = [path.replace(f"{{{name}}}", value) for path in paths for value in named[name]]
            asked = [f"{path}?{query}" for path in paths for query in queries.get(each.path, [""])][:2000]
            texts = [body if isinstance(body, str) else json.dumps(body) for body in bodies.get(each.path, [""])]
            yield f"{each.method} {each.path}", [(each.method, path, text, "") for path in asked for text in texts][:2000]
        yield (
            "GET /static/...",
            [("GET", f"/static/{name}", "", "") for name in ("base/dom.js", "words/de.json", "base/i18n.js", SHEET)],
        )
        yield "GET a page that is not there", [("GET", f"/{n}", "", "") for n in range(100)]
        yield "a body of 64 KB", [("POST", "/api/check", '{"game": "' + "x" * 65_000 + '"}', "")]
        yield "a body of 64 KB, nested", [("POST", "/api/check", '{"game": "x", "options": {"a": ' + "[" * 32_000, "")]
        yield "a body of 1 MB", [("POST", "/api/records", "x" * 1_048_000, "")]
        yield "a body of 10 MB, too long", [("POST", "/api/records", "x" * 10_000_000, "")]
        yield "a head of 16 KB", [("GET", "/healthz", "", f"x: {'x' * 16_000}\r\n")]
        yield "a head of 90 fields", [("GET", "/healthz", "", "".join(f"x{n}: {n}\r\n" for n in range(90)))]
        yield "a head of 1,000 fields, too long", [("GET", "/healthz", "", "".join(f"x{n}: {n}\r\n" for n in range(1000)))]


class Other(Honest):
    """Another person: plays, opens pages, and comes to tables."""

    pause = 0.05

    async def pages(self, times: list[float], until: float) -> None:
        while time.perf_counter() < until:
            address, begun = next(self.addresses), time.perf_counter()
            await asyncio.to_thread(self.ask, "GET", "/", address)
            times.append(time.perf_counter() - begun)
            await asyncio.sleep(0.2)

    async def figures(self, length: float) -> Figures:
        moves, pages, coming = list[float](), list[float](), list[float]()
        table = await asyncio.to_thread(self.table, next(self.addresses))
        until = time.perf_counter() + length
        await asyncio.gather(self.move(moves, until), self.pages(pages, until), self.comers(table, coming, until))
        return Figures(p95(moves), p95(pages), p95(coming))


@contextlib.contextmanager
def hammering(server: Server, connections: int, address: str, what: dict[str, Any]) -> Iterator[dict[str, int]]:
    """One address that asks all the time; afterwards, the numbers of its answers."""
    answers: dict[str, int] = {}
    command = [sys.executable, str(HERE / "workers" / "hammer.py"), server.url, str(connections), address]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(what) + "\n")
        process.stdin.flush()
        assert process.stdout.readline() == "begun\n"
        yield answers
        process.stdin.close()
        answers |= json.loads(process.stdout.readline())


def everything(stock: Stock) -> Iterator[tuple[str, dict[str, Any]]]:
    """All that an address can ask for."""
    for name, requests in stock.requests():
        yield name, {"requests": requests}
    for kind in client.Message.__subclasses__():
        tag = str(kind.__struct_config__.tag)
        yield f"message {tag}", {"message": tag, "tables": stock.tables}
    yield "coming to a table", {"message": "come", "tables": stock.tables}


def used(server: Server, before: tuple[float, float, float], answers: dict[str, int]) -> str:
    """Milliseconds of the loop, the threads and the workers for each answer since `before`."""
    after, number = clocks(server), max(1, sum(answers.values()))
    return "".join(f"{(now - then) / number * 1000:8.2f}" for now, then in zip(after, before, strict=True))


def clocks(server: Server) -> tuple[float, float, float]:
    """Processor seconds so far of the server's loop, of its threads, and of its workers."""
    pid = server.process.pid
    loop = seconds(pid, pid)
    return loop, seconds(pid) - loop, children(pid)


def compared(
    server: Server, other: Other, asked: Any, name: str, what: dict[str, Any], quiet: Figures
) -> tuple[Figures, Figures, str]:
    """Another person's figures while somebody asks for that all the time, these beside quiet, and what an answer uses."""
    before = clocks(server)
    server.heart()
    with hammering(server, asked.connections, f"127.0.{next(ADDRESSES)}", what) as answers:
        time.sleep(0.3)
        beset = asyncio.run(other.figures(asked.seconds))
        busy = server.heart()["work_p99"]
    return beset, beset / quiet, f"{used(server, before, answers)} {busy:8.1f}   {dict(answers)}"


def main() -> None:
    asked = wished(__doc__, seconds=3.0, connections=30, only="")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors before")
    columns = f"{'move':>13} {'page':>14} {'coming':>14}   {'loop':>7} {'threads':>7} {'workers':>7} {'busy':>8}"
    print(f"{'p95 in ms, and times quiet':42} {columns}")
    worst: dict[str, Figures] = {}
    with ours(limits="usual") as server:
        stock, other = Stock(server), Other(server.url)
        asyncio.run(other.figures(1.0))  # what is made once is made now
        kinds = [(name, what) for name, what in everything(stock) if re.search(asked.only, name)]
        for n, (name, what) in enumerate(kinds):
            if n % QUIET == 0:
                quiet = asyncio.run(other.figures(asked.seconds))
                print(f"{'quiet':42} {quiet.move:7.1f} {quiet.page:14.1f} {quiet.come:14.1f}", flush=True)
            rounds = [compared(server, other, asked, name, what, quiet)]
            for _ in range(AGAIN if max(rounds[0][1]) > TARGET else 0):
                rounds.append(compared(server, other, asked, name, what, asyncio.run(other.figures(asked.seconds))))
            middle = [Figures(*map(statistics.median, zip(*each, strict=True))) for each in list(zip(*rounds, strict=True))[:2]]
            beset, worst[name] = middle
            shown = " ".join(f"{mine:7.1f} {ratio:5.1f}x" for mine, ratio in zip(beset, worst[name], strict=True))
            print(f"{name:42.42} {shown}   {rounds[0][2]}", flush=True)
    missed = {name: times for name, times in worst.items() if max(times) > TARGET}
    print(f"{len(worst) - len(missed)} of {len(worst)} within {TARGET:g} times; load average {os.getloadavg()[0]:.1f} after")
    for name, times in sorted(missed.items(), key=lambda each: -max(each[1])):
        print(f"missed: {name}: " + ", ".join(f"{what} {ratio:.1f}" for what, ratio in zip(Figures._fields, times, strict=True)))


if __name__ == "__main__":
    main()
