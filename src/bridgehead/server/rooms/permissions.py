"""Who may change what about the people of a table: the holders of seats, the host, and the others together."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from bridgehead.core.spec import OVER
from bridgehead.players import levels_of
from bridgehead.server.messages.client import House, Rematch, Seating
from bridgehead.server.tables.sanitize import clean
from bridgehead.server.tables.seats import GIVES
from bridgehead.server.tables.stored_seats import digest, fresh_token
from bridgehead.server.tables.table import Happening, Refused, Table

if TYPE_CHECKING:
    from bridgehead.server.connections.connection import Connection
    from bridgehead.server.rooms.room import Room
    from bridgehead.server.rooms.room_manager import RoomManager

MOST_CHANGES = 300  # of people at one table, by their own wish
OWN = frozenset(["computer", "substitute", "open", "leave", "name"])
FOR_OTHERS = frozenset(["computer", "substitute", "open"])
NOTHING: frozenset[str] = frozenset()


class Rights(NamedTuple):
    """What somebody may do about a seat: alone, or together with more than half of the others who are here."""

    alone: frozenset[str] = NOTHING
    together: frozenset[str] = NOTHING


def state(table: Table, here: frozenset[int], index: int) -> str:
    """Where a seat's person is: "here", "away", "left", "free" where nobody has sat down yet, "computer"."""
    seat = table.seats[index]
    if seat.kind == "computer" or index in here:
        return seat.kind if seat.kind == "computer" else "here"
    return "free" if seat.free else "left" if seat.left else "away"


def rights(room: Room, connection: Connection, index: int, patience: float) -> Rights:
    """What a page may do about a seat. patience: seconds for which the others wait for somebody who is away."""
    table, seat = room.table, room.table.seats[index]
    if table.actor == OVER:
        return Rights()
    alone: set[str] = set()
    if index in connection.you:
        return Rights(OWN)
    if index in connection.back:
        return Rights(frozenset(["back"]))
    if seat.free and not connection.you and not connection.back:
        alone.add("claim")
    late = index in table.late  # out of time: as if away
    absent = late or index not in room.attended
    if connection.host:
        alone |= {"revoke"} | (FOR_OTHERS if absent else NOTHING)
    waited = seat.left or late or time.monotonic() - table.people.gone.get(index, time.monotonic()) >= patience
    together = FOR_OTHERS if connection.you and absent and waited else NOTHING
    return Rights(frozenset(alone), together - alone)


async def seat(manager: RoomManager, room: Room, connection: Connection, said: Seating) -> int:
    """Change who sits on a seat, or vote for it; the version after it. Holders of the lock only. Errors: as `Table.write`."""
    table = room.table
    if said.k in table.done:
        return await _again(table, connection, said)
    if said.seat >= len(table.seats):
        raise Refused("bad", "seat.none")
    allowed = rights(room, connection, said.seat, manager.limits.away)
    if said.do not in allowed.alone | allowed.together:
        raise Refused("closed", "over") if table.actor == OVER else Refused("illegal", "seat.may_not")
    body = _body(table, connection, said)
    by = "person" if said.seat in connection.you | connection.back or said.do == "claim" else "host"
    if said.do in allowed.together:
        if not _agreed(manager, room, connection, said):
            return table.version
        by = "others"
    elif said.do not in ("back", "leave") and table.people.changes >= MOST_CHANGES:
        raise Refused("closed", "seat.too_often", n=MOST_CHANGES)
    if said.do == "claim" and not manager.claims.may(connection.address):
        raise Refused("rate", "rate")
    body["keeps"] = by != "person"
    token = fresh_token() if said.do in GIVES else ""
    if token:
        body["token"] = digest(token)
    version = await table.write(said.k, Happening("seat", said.seat, body, by))
    for vote in [vote for vote in room.votes if vote[0] == said.seat]:
        del room.votes[vote]
    if token:
        _give(table, connection, said, token)
    return version


def _body(table: Table, connection: Connection, said: Seating) -> dict[str, Any]:
    """What an event says of a wish. Errors: Refused."""
    body: dict[str, Any] = {"do": said.do}
    if said.do == "computer":
        if said.level not in levels_of(table.game.spec):
            raise Refused("bad", "seat.level", level=said.level)
        body["level"] = said.level
        body |= table.clocks.spent() if said.seat == table.clocks.running else {}  # it stops, and what it had run counts
    if said.do in ("claim", "name"):
        body["name"] = clean(said.name)
        if said.do == "name" and not body["name"]:
            raise Refused("bad", "seat.name")
    if said.do == "back":
        kept = table.seats[said.seat]
        body["token"] = next(each for each in connection.hashes if each in (kept.token, *kept.past))
    return body


def _give(table: Table, connection: Connection, said: Seating, token: str) -> None:
    """Hand over a secret, to whoever asked and to nobody else."""
    table.people.remember(said.k, token)
    if said.do == "claim":
        connection.hashes.append(digest(token))
    connection.tell({"t": "link", "k": said.k, "seat": said.seat, "do": said.do, "token": token})


async def _again(table: Table, connection: Connection, said: Seating) -> int:
    """The first answer to a key. A secret that is not remembered any more is made anew, as long as nobody has used another."""
    done, people = table.done[said.k], table.people
    if done.kind != "seat" or done.actor != said.seat or msgspec.json.decode(done.body)["do"] != said.do:
        raise Refused("bad", "key")
    token, given = people.links.get(said.k, ""), people.given.get(said.k, "")
    kept = table.seats[said.seat]
    if said.do in GIVES and not token and given and given in (kept.token, kept.offer):
        token = fresh_token()
        body = {"do": "renew", "old": given, "token": digest(token), "key": said.k}
        await table.write(secrets.token_hex(16), Happening("seat", said.seat, body))
    if token:
        _give(table, connection, said, token)
    return done.version


def _agreed(manager: RoomManager, room: Room, connection: Connection, said: Seating) -> bool:
    """Count a vote; do more than half of the others who are here want this? Who votes anew takes back the vote before."""
    wanted = (said.seat, said.do, said.level if said.do == "computer" else "")
    count(room, wanted, connection.you)
    if manager.others:
        manager.others.tell(room.table.id, "vote", [*wanted, sorted(connection.you)])
    others = room.table.here - {said.seat}
    return 2 * len(room.votes[wanted] & others) > len(others)


def count(room: Room, wanted: tuple[int, str, str], seats: frozenset[int]) -> None:
    """These seats want this about a seat, and nothing else any more."""
    for vote, voters in list(room.votes.items()):
        if vote[0] == wanted[0]:
            voters -= seats
            if not voters:
                del room.votes[vote]
    room.votes.setdefault(wanted, set()).update(seats)


async def arrive(table: Table, connection: Connection) -> bool:
    """Let somebody sit down who comes with a seat's link for the first time; whether somebody did. Errors: as `Table.write`."""
    if table.actor == OVER:
        return False
    first = [(index, table.seats[index].token) for index in connection.you if table.seats[index].free]
    offered = [(index, table.seats[index].offer) for index in connection.offers]
    come = [Happening("seat", index, {"do": "sit", "token": token}) for index, token in sorted(first + offered)]
    if come:
        await table.write(secrets.token_hex(16), *come)
    return bool(come)


async def house(manager: RoomManager, room: Room, connection: Connection, said: House) -> int:
    """What the host changes. Errors: Refused; as `Table.write`."""
    table = room.table
    wanted = {name: getattr(said, name) for name in ("listed", "chat", "watchers", "hints", "webhook")}
    wanted = {name: value for name, value in wanted.items() if value is not None}
    if said.k in table.done:
        return table.again(frozenset([-1]), said.k, "house", None, **wanted)
    if not connection.host:
        raise Refused("illegal", "house.not_host")
    if table.people.changes >= MOST_CHANGES:
        raise Refused("closed", "seat.too_often", n=MOST_CHANGES)
    if wanted.get("webhook"):
        manager.hooks.check(wanted["webhook"])
        wanted["language"] = connection.language
    if wanted.get("listed") and not await manager.lobby.has_room(table, connection.address):
        raise Refused("closed", "lobby.full")
    return await table.write(said.k, Happening("house", -1, wanted, "host"))


async def rematch(manager: RoomManager, room: Room, connection: Connection, said: Rematch) -> int:
    """The same game again at a new table, with rotated seats; made once. Errors: Refused; as `Table.write`."""
    table = room.table
    if said.k in table.done:
        return table.again(connection.you | connection.back, said.k, "rematch", None)
    if table.actor != OVER:
        raise Refused("illegal", "rematch.early")
    if not connection.you | connection.back:
        raise Refused("illegal", "rematch.not_seated")
    if not table.people.rematch:
        if not manager.rematches.may(connection.address):
            raise Refused("rate", "rate")
        again = await manager.tables.again(table)
        actor = min(connection.you | connection.back)
        await table.write(said.k, Happening("rematch", actor, {"table": again.id}))
    return table.version


CHANGES: dict[type, Any] = {Seating: seat, House: house, Rematch: rematch}
