"""One socket: what is said at once and what waits, and that nothing is left half done."""

import asyncio
from typing import Any

from bridgehead.server.connections.connection import CloseConnection, Connection
from bridgehead.server.connections.rate_limits import Limits
from bridgehead.server.usage import Usage
from waiting import apart


class Line:
    """A transport that takes texts at once while it is open; what is sent otherwise waits until it is."""

    address = ""

    def __init__(self) -> None:
        self.usage = Usage()
        self.heard: list[str] = []
        self.open = asyncio.Event()
        self.open.set()

    def write(self, text: bytes) -> bool:
        if self.open.is_set():
            self.heard.append(text.decode())
        return self.open.is_set()

    async def send(self, data: bytes) -> None:
        await self.open.wait()
        self.heard.append(data.decode())


def connected() -> tuple[Line, Connection]:
    line = Line()
    transport: Any = line
    return line, Connection(transport, Limits())


def test_what_cannot_be_said_at_once_waits_and_nothing_overtakes_it() -> None:
    async def talk() -> list[str]:
        line, connection = connected()
        connection.send(b"1")
        assert line.heard == ["1"], "nothing stood in the way"
        line.open.clear()
        connection.send(b"2")
        await asyncio.sleep(0)
        line.open.set()
        connection.send(b"3")
        assert line.heard == ["1"] and connection.waiting
        while connection.waiting:
            await asyncio.sleep(0)
        connection.send(b"4")
        return line.heard

    assert apart(talk()) == ["1", "2", "3", "4"]


def test_after_the_end_nothing_is_said() -> None:
    async def talk() -> list[str]:
        line, connection = connected()
        connection.dismiss(CloseConnection("rate", "bye.rate"))
        connection.send(b"1")
        await asyncio.sleep(0)
        return line.heard

    assert apart(talk()) == []


def test_a_message_is_answered_to_its_end_though_the_conversation_ends_and_then_none_is_heard() -> None:
    async def talk() -> list[str]:
        _, connection = connected()
        stored, begun, done = asyncio.Event(), asyncio.Event(), []

        async def act() -> None:
            begun.set()
            await stored.wait()
            done.append("stored")

        async def listening() -> None:
            while not connection.ended:
                await connection.complete(act())
            done.append("listened")

        attending = asyncio.create_task(connection.attend(listening()))
        await begun.wait()
        connection.dismiss(CloseConnection("rate", "bye.rate"))
        await asyncio.sleep(0)
        assert not attending.done()
        stored.set()
        await attending
        return done

    assert apart(talk()) == ["stored", "listened"]


def test_who_says_nothing_is_not_waited_for() -> None:
    async def talk() -> bool:
        _, connection = connected()
        attending = asyncio.create_task(connection.attend(asyncio.Event().wait()))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        connection.dismiss(CloseConnection("rate", "bye.rate"))
        await attending
        return connection.ended

    assert apart(talk())
