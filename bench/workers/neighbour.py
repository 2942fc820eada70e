"""A hostile address: it sends one kind of request as fast as it is answered, on many connections.

neighbour.py URL KIND CONNECTIONS ADDRESS

It begins at once and ends when its standard input closes; then it prints the numbers of its answers by status.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

RECORDS = Path(__file__).parents[2] / "tests" / "proof" / "records"
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


class Neighbour:
    """One kind of attack."""

    def __init__(self, url: str, kind: str, address: str) -> None:
        self.kind, self.address = kind, address
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 80
        self.answers: Counter[str] = Counter()
        self.rng = random.Random(kind)
        self.tables: list[str] = []
        self.records = [file.read_text("utf-8") for file in sorted(RECORDS.glob("barricade-*.txt"))]
        self.over = [file.read_text("utf-8") for file in sorted(RECORDS.glob("front_lines-*.txt"))]

    def request(self) -> tuple[str, str, str]:
        """The next request: method, path, body."""
        code = "".join(self.rng.choice(LETTERS) for _ in range(6))
        record = self.rng.choice(self.records)
        match self.kind:
            case "qr":
                return "POST", "/api/qr", json.dumps({"text": code * 40})
            case "records":
                return "POST", "/api/records", record
            case "imports":
                return "POST", "/api/tables", json.dumps({"game": "barricade", "record": record, "at": self.rng.randrange(100)})
            case "analyses":
                return "POST", "/api/analyses", self.rng.choice(self.over)
            case "editor":
                return "POST", f"/api/games/{self.rng.choice(('barricade', 'front_lines', 'burning_bridges'))}/edit", "{}"
            case "pictures":
                return "GET", "/api/games/front_lines/picture", ""
            case "link":
                part = self.rng.choice(("link", "record", "frames"))
                return "GET", f"/api/tables/{self.rng.choice(self.tables)}/{part}", ""
        return "GET", f"/t/{code}", ""

    async def stock(self) -> None:
        """Make some tables that continue a record, from an address of their own: the hostile one has a quota of bytes."""
        stocked = f"127.{random.randrange(3, 250)}.{random.randrange(250)}.9"
        for record in self.records:
            body = json.dumps({"game": "barricade", "record": record, "at": 90})
            reader, writer = await self.connect(stocked)
            _, data = await self.ask(reader, writer, "POST", "/api/tables", body)
            with contextlib.suppress(ValueError, LookupError):
                self.tables.append(json.loads(data)["table"])
            writer.close()
        if not self.tables:
            raise RuntimeError("no table was made, so requests for links would measure refusals only")

    async def connect(self, address: str = "") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.host, self.port, local_addr=(address or self.address, 0))

    async def ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, path: str, body: str
    ) -> tuple[str, bytes]:
        """Status and body of an answer."""
        data = body.encode()
        kind = "application/json" if body.startswith("{") else "text/plain"
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Type: {kind}\r\n"
        writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in answer.split("\r\n")[1:])}
        if "content-length" in fields:
            return answer.split()[1], await reader.readexactly(int(fields["content-length"]))
        while (size := int((await reader.readline()).strip(), 16)) > 0:
            await reader.readexactly(size + 2)
        await reader.readline()
        return answer.split()[1], b""

    async def siege(self) -> None:
        """One connection that asks for ever; a new one when it is closed."""
        while True:
            try:
                reader, writer = await self.connect()
                if self.kind == "silent":
                    writer.write(f"GET /ws HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n{UPGRADE}\r\n".encode())
                    self.answers["sockets"] += 1
                    await reader.read()
                while self.kind != "silent":
                    status, _ = await self.ask(reader, writer, *self.request())
                    self.answers[status] += 1
            except (OSError, asyncio.IncompleteReadError, ValueError):
                self.answers["closed"] += 1
                await asyncio.sleep(0.01)

    async def run(self, connections: int) -> None:
        if self.kind == "link":
            await self.stock()
        sieges = [asyncio.create_task(self.siege()) for _ in range(connections)]
        print("begun", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        for each in sieges:
            each.cancel()
        print(json.dumps(self.answers), flush=True)


if __name__ == "__main__":
    asyncio.run(Neighbour(sys.argv[1], sys.argv[2], sys.argv[4]).run(int(sys.argv[3])))
