"""Who may change what about the people of a table: the holders of seats, the host, and the others together."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from bridgehead.core.spec import OVER
from bridgehead.players import levels_of
from bridgehead.server.messages.client import House, Rematch, SeatChange, Seating
from bridgehead.server.messages.server import OthersChange, SeatState, SeatToken
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.event_bodies import GIVES
from bridgehead.server.tables.sanitize import clean
from bridgehead.server.tables.stored_seats import digest, fresh_token
from bridgehead.server.tables.table import Happening, Refused, Table

if TYPE_CHECKING:
    from bridgehead.server.connections.connection import Connection
    from bridgehead.server.rooms.room import Room
    from bridgehead.server.rooms.room_manager import RoomManager

MOST_CHANGES = 300  # of people at one table, by their own wish
OWN: frozenset[SeatChange] = frozenset(["computer", "substitute", "open", "leave", "name"])
FOR_OTHERS: frozenset[OthersChange] = frozenset(["computer", "substitute", "open"])
NOTHING: frozenset[Any] = frozenset()
Wanted = tuple[int, OthersChange, str]  # a seat, what others want about it, and the level of a computer player


class Rights(NamedTuple):
    """What somebody may do about a seat: alone, or together with more than half of the others who are here."""

    alone: frozenset[SeatChange] = NOTHING
    together: frozenset[OthersChange] = NOTHING


def state(table: Table, here: frozenset[int], index: int) -> SeatState:
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
    alone: set[SeatChange] = set()
    if index in connection.you:
        return Rights(OWN)
    if index in connection.back:
        return Rights(frozenset(["back"]))
    if seat.free and not connection.you and not connection.back:
        alone.add("claim")
    late = index in table.late  # out of time: as if away
    absent = late or index not in room.attended
    if connection.host:
        alone.add("revoke")
        alone |= FOR_OTHERS if absent else NOTHING
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
    by = "person" if said.seat in connection.you | connection.back or said.do == "claim" else "host"
    if said.do in allowed.together:
        by = "others"
    body = _body(table, connection, said, keeps=by != "person")
    if by == "others":
        if not _agreed(manager, room, connection, said):
            return table.version
    elif said.do not in ("back", "leave") and table.people.changes >= MOST_CHANGES:
        raise Refused("closed", "seat.too_often", n=MOST_CHANGES)
    if said.do == "claim" and not manager.claims.may(connection.address):
        raise Refused("rate", "rate")
    token = ""
    if isinstance(body, GIVES):
        token = fresh_token()
        body = replace(body, token=digest(token))
    version = await table.write(said.k, Happening("seat", said.seat, body, by))
    for vote in [vote for vote in room.votes if vote[0] == said.seat]:
        del room.votes[vote]
    if token:
        _give(table, connection, said, token)
    return version


def _body(table: Table, connection: Connection, said: Seating, keeps: bool) -> bodies.SeatEvent:
    """The event body for a change of a seat. Errors: Refused."""
    match said.do:
        case "computer":
            if said.level not in levels_of(table.game.spec):
                raise Refused("bad", "seat.level", level=said.level)
            stops = said.seat == table.clocks.running  # its clock stops, and the time it ran counts
            return bodies.Computer(said.level, table.clocks.spent() if stops else UNSET, keeps)
        case "claim":
            return bodies.Claim(clean(said.name), keeps)
        case "name":
            if not clean(said.name):
                raise Refused("bad", "seat.name")
            return bodies.Name(clean(said.name), keeps)
        case "back":
            kept = table.seats[said.seat]
            return bodies.TakeBack(next(each for each in connection.hashes if each in (kept.token, *kept.past)), keeps)
        case "substitute":
            return bodies.Substitute(keeps)
        case "open":
            return bodies.Open(keeps)
        case "leave":
            return bodies.Leave(keeps)
        case "revoke":
            return bodies.Revoke(keeps)


def _give(table: Table, connection: Connection, said: Seating, token: str) -> None:
    """Hand over a secret, to whoever asked and to nobody else."""
    table.people.remember(said.k, token)
    if said.do == "claim":
        connection.hashes.append(digest(token))
    assert said.do == "claim" or said.do == "substitute" or said.do == "revoke"
    connection.tell(SeatToken(said.k, said.seat, said.do, token))


async def _again(table: Table, connection: Connection, said: Seating) -> int:
    """The first answer to a key. A secret that is not remembered any more is made anew, as long as nobody has used another."""
    done, people = table.done[said.k], table.people
    if done.kind != "seat" or done.actor != said.seat or bodies.change_of(bodies.decode_seat(done.body)) != said.do:
        raise Refused("bad", "key")
    token, given = people.links.get(said.k, ""), people.given.get(said.k, "")
    kept = table.seats[said.seat]
    if said.do in ("claim", "substitute", "revoke") and not token and given and given in (kept.token, kept.offer):
        token = fresh_token()
        renewed = bodies.Renew(given, digest(token), said.k)
        await table.write(secrets.token_hex(16), Happening("seat", said.seat, renewed))
    if token:
        _give(table, connection, said, token)
    return done.version


def _agreed(manager: RoomManager, room: Room, connection: Connection, said: Seating) -> bool:
    """Count a vote; do more than half of the others who are here want this? Who votes anew takes back the vote before."""
    assert said.do == "computer" or said.do == "substitute" or said.do == "open"
    wanted: Wanted = (said.seat, said.do, said.level if said.do == "computer" else "")
    count(room, wanted, connection.you)
    if manager.others:
        manager.others.tell(room.table.id, "vote", [*wanted, sorted(connection.you)])
    others = room.table.here - {said.seat}
    return 2 * len(room.votes[wanted] & others) > len(others)


def count(room: Room, wanted: Wanted, seats: frozenset[int]) -> None:
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
    come = [Happening("seat", index, bodies.Sit(token)) for index, token in sorted(first + offered)]
    if come:
        await table.write(secrets.token_hex(16), *come)
    return bool(come)


async def house(manager: RoomManager, room: Room, connection: Connection, said: House) -> int:
    """What the host changes. Errors: Refused; as `Table.write`."""
    table = room.table
    wanted = bodies.House(said.listed, said.chat, said.watchers, said.hints, said.webhook)
    if said.k in table.done:
        return table.again(frozenset([-1]), said.k, "house", None, **msgspec.json.decode(wanted.json or "{}"))
    if not connection.host:
        raise Refused("illegal", "house.not_host")
    if table.people.changes >= MOST_CHANGES:
        raise Refused("closed", "seat.too_often", n=MOST_CHANGES)
    if wanted.webhook:
        manager.hooks.check(wanted.webhook)
        wanted = replace(wanted, language=connection.language)
    if wanted.listed and not await manager.lobby.has_room(table, connection.address):
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
        await table.write(said.k, Happening("rematch", actor, bodies.Rematch(again.id)))
    return table.version


CHANGES: dict[type, Any] = {Seating: seat, House: house, Rematch: rematch}
