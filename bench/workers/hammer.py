"""One address that asks for the same thing as fast as it is answered, on many connections.

hammer.py URL CONNECTIONS ADDRESS

The first line of its input is JSON: `requests`, a list of [method, path, body, header lines] that it sends in random order,
or `message`, a type of message that it sends at `tables`. It begins at once and ends when its input closes; then it prints
the numbers of its answers by status or type.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
import sys
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

HELLO = {"t": "hello", "p": 1, "lang": "en"}


class Hammer:
    """All connections of the address."""

    def __init__(self, url: str, address: str, what: dict[str, Any]) -> None:
        parts = urlsplit(url)
        self.host, self.port, self.address, self.what = parts.hostname or "", parts.port or 80, address, what
        self.answers: Counter[str] = Counter()

    async def request(self) -> None:
        """One connection on which requests are sent for ever; a new one when it closes."""
        while True:
            try:
                reader, writer = await asyncio.open_connection(self.host, self.port, local_addr=(self.address, 0))
                with contextlib.closing(writer):
                    while True:
                        self.answers[await self.ask(reader, writer, *random.choice(self.what["requests"]))] += 1
            except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
                self.answers["closed"] += 1
                await asyncio.sleep(0.01)

    async def ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, path: str, body: str, more: str
    ) -> str:
        """The status of an answer, which is read to its end."""
        data = body.encode()
        kind = "application/json" if body.startswith("{") else "text/plain"
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Type: {kind}\r\n{more}"
        writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
        await writer.drain()
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in answer.split("\r\n")[1:])}
        if "content-length" in fields:
            await reader.readexactly(int(fields["content-length"]))
        elif "transfer-encoding" in fields:
            while (size := int((await reader.readline()).strip(), 16)) > 0:
                await reader.readexactly(size + 2)
            await reader.readline()
        if fields.get("connection") == "close":
            raise ValueError(answer.split()[1])
        return answer.split()[1]

    async def say(self, number: int) -> None:
        """One page that sends messages for ever; a new one when it is sent away."""
        table = self.what["tables"][number % len(self.what["tables"])]
        while True:
            try:
                async with connect(f"ws://{self.host}:{self.port}/ws", local_addr=(self.address, 0)) as page:
                    seats = {} if self.what["message"] == "come" else {"tokens": table["tokens"], "host": table["host"]}
                    hello = json.dumps(HELLO | {"table": table["table"]} | seats)
                    await page.send(hello)
                    view = await self.hear(page, {}, "view")
                    while self.what["message"] != "come":
                        for message in messages(self.what["message"], view):
                            await page.send(json.dumps(message))
                            if answer := ANSWERS.get(message["t"], "ack"):
                                view = await self.hear(page, view, answer, "rej")
            except (OSError, WebSocketException, ValueError):
                self.answers["closed"] += 1
                await asyncio.sleep(0.01)

    async def hear(self, page: ClientConnection, view: dict[str, Any], *kinds: str) -> dict[str, Any]:
        """Wait for an answer; returns the last view."""
        while True:
            heard = json.loads(await page.recv())
            view = heard if heard["t"] == "view" else view
            if heard["t"] in kinds:
                self.answers[heard["t"]] += 1
                return view

    async def run(self, connections: int) -> None:
        asks = [self.request() if "requests" in self.what else self.say(number) for number in range(connections)]
        tasks = [asyncio.create_task(each) for each in asks]
        print("begun", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        for each in tasks:
            each.cancel()
        print(json.dumps(self.answers), flush=True)


# The message that answers each type, if it is no "ack". A ping follows those that have no answer.
ANSWERS = {
    "hello": "view", "lag": "", "point": "", "why": "why", "past": "past", "ping": "pong", "hint": "hint", "say": "said",
}  # fmt: skip


def messages(kind: str, view: dict[str, Any]) -> list[dict[str, Any]]:
    """The dearest messages of a type that are allowed, or would be in another phase of the game."""
    key, version, choices = secrets.token_hex(16), view.get("v", 0), view.get("choices") or [{"action": 0}]
    sealing = {"gid": "0" * 32, "era": 1}
    own: dict[str, dict[str, Any]] = {
        "hello": HELLO | {"table": "A"},
        "act": {"v": version, "a": random.choice(choices)["action"]},
        "undo": {"v": version},
        "ask": {"v": version, "what": random.choice(("takeback", "pause", "resume", "draw"))},
        "answer": {"about": version, "yes": False},
        "withdraw": {"about": version},
        "lag": {"n": 1},
        "why": {"touch": [item["id"] for item in view.get("items", [])][:8] or ["x"]},
        "past": {"first": 0, "until": 100},
        "hint": {"v": version},
        "seat": {"seat": 0, "do": "name", "name": secrets.token_hex(16)},
        "house": {"chat": True, "listed": random.random() < 0.5},
        "rematch": {},
        "say": {"text": "x" * 300},
        "point": {"at": (view.get("items") or [{"id": "x"}])[0]["id"]},
        "ping": {"n": 1},
        "seal": sealing | {"heads": [{"seat": 0, "head": "0" * 64}]},
        "reveal": sealing | {"links": [{"seat": 0, "value": "0" * 64}] * 8},
        "begin": sealing,
    }
    bare = {"hello", "lag", "point", "ping"}
    message = {"t": kind, **({} if kind in bare else {"k": key}), **own[kind]}
    return [message, {"t": "ping", "n": 1}] if kind in ("lag", "point") else [message]


if __name__ == "__main__":
    asyncio.run(Hammer(sys.argv[1], sys.argv[3], json.loads(sys.stdin.readline())).run(int(sys.argv[2])))
