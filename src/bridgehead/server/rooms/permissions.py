"""Changes of a table's people, and the right to make them: seats, the host's settings, a rematch."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from bridgehead.core.spec import OVER
from bridgehead.core.validation import ready
from bridgehead.players import levels_of
from bridgehead.players.engine import can_be_searched
from bridgehead.players.levels import searches
from bridgehead.server.connections.connection import Connection
from bridgehead.server.connections.rate_limits import Addresses, Limits
from bridgehead.server.connections.webhooks import Webhooks
from bridgehead.server.messages.client import ChangeSeat, ChangeSettings, StartRematch
from bridgehead.server.messages.server import OthersChange, SeatToken
from bridgehead.server.rooms.lobby import Lobby
from bridgehead.server.rooms.presence import Presence, Wanted
from bridgehead.server.rooms.rights import PERSONS, count_needed_votes, rights
from bridgehead.server.rooms.room import Handler, Peers, Room, Session
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.names import clean_name, distinct_name
from bridgehead.server.tables.repository import Repository
from bridgehead.server.tables.stored_seats import digest, fresh_token, seat_key
from bridgehead.server.tables.table import NewEvent, Refused, Table

Vote = tuple[int, OthersChange, str, frozenset[int]]  # the same, and the seats that voted for it
MOST_CHANGES = 300  # changes of the people at one table, at most, not counting votes


class SeatChanges:
    """Changes of seats. claims: seats that each address may take by a table's code."""

    def __init__(self, limits: Limits, presence: Presence, peers: Peers) -> None:
        self.away, self.claims = limits.away, Addresses(limits.claims)
        self.presence, self.peers = presence, peers
        self.handlers: dict[type, Handler] = {ChangeSeat: self.seat}
        peers.receivers["vote"] = self._receive_vote

    async def seat(self, session: Session, message: ChangeSeat) -> int:
        """Change a seat, or vote for the change; the version after it. Errors: as `Table.write`."""
        table, room, connection, key = session.table, session.room, session.connection, seat_key(message.k)
        if key in table.done or message.k in table.done:
            return await _repeat(table, connection, message)
        if message.seat >= len(table.seats):
            raise Refused("bad", "seat.none")
        allowed = rights(table, connection, message.seat, self.away)
        if message.do not in allowed.alone | allowed.together:
            raise Refused("closed", "over") if table.actor == OVER else Refused("illegal", "seat.may_not")
        by = "person" if message.seat in connection.you | connection.back or message.do == "claim" else "host"
        if message.do in allowed.together:
            by = "others"
        body = _body(table, connection, message, keeps=by != "person")
        if by == "others":
            if not self._agreed(room, connection, message):
                self.presence.send(room)
                return table.version
        elif message.do not in ("back", "leave") and table.people.changes >= MOST_CHANGES:
            raise Refused("closed", "seat.too_often", n=MOST_CHANGES)
        if message.do == "claim" and not self.claims.may(connection.address):
            raise Refused("rate", "rate")
        token = ""
        if isinstance(body, bodies.GIVES):
            token = fresh_token()
            body = replace(body, token=digest(token))
        version = await table.write(key, NewEvent("seat", message.seat, body, by))
        self.presence.ballot(room).drop(message.seat)
        if token:
            _give(table, connection, message, token)
        return version

    def _agreed(self, room: Room, connection: Connection, message: ChangeSeat) -> bool:
        """Count a vote in place of the voter's earlier one; True if more than half of the others here want the change.

        Giving the seat to another person also takes a vote from a page that does not hold this voter's seats.
        """
        assert message.do == "computer" or message.do == "substitute" or message.do == "open"
        wanted: Wanted = (message.seat, message.do, message.level if message.do == "computer" else "")
        ballot = self.presence.ballot(room)
        ballot.count(wanted, connection.you)
        self.peers.send(room.table.id, "vote", [*wanted, sorted(connection.you)])
        others = room.table.attendance.here - {message.seat}
        votes = ballot.votes[wanted] & others
        return len(votes) >= count_needed_votes(len(others), message.do) and (
            message.do not in PERSONS or bool(votes - connection.you)
        )

    def _receive_vote(self, room: Room, sender: str, vote: Any) -> None:
        kept: Vote = msgspec.convert(vote, ready(Vote))  # type: ignore[arg-type]
        self.presence.ballot(room).count(kept[:3], kept[3])
        self.presence.send(room)


def _body(table: Table, connection: Connection, message: ChangeSeat, keeps: bool) -> bodies.SeatEvent:
    """The body of the event for a change. Errors: Refused."""
    match message.do:
        case "computer":
            if message.level not in levels_of(table.game.spec):
                raise Refused("bad", "seat.level", level=message.level)
            if searches(table.game, message.level) and not can_be_searched(table.game):
                raise Refused("bad", "seat.lab", level=message.level)
            stops = message.seat == table.clock.running  # this seat's clock runs: charge it, then stop it
            return bodies.ComputerSeated(message.level, table.charge_time() if stops else UNSET, keeps)
        case "claim":
            return bodies.SeatClaimed(_name(table, message), keeps)
        case "name":
            if not clean_name(message.name):
                raise Refused("bad", "seat.name")
            return bodies.SeatNamed(_name(table, message), keeps)
        case "back":
            kept = table.seats[message.seat]
            for each in connection.hashes:
                if each in (kept.token, kept.own, *kept.past):
                    return bodies.SeatTakenBack(each, keeps)
            raise Refused("illegal", "seat.may_not")
        case "substitute":
            return bodies.SubstituteSeated(keeps)
        case "open":
            return bodies.SeatOpened(keeps)
        case "leave":
            return bodies.SeatLeft(keeps)
        case "revoke":
            return bodies.LinkRevoked(keeps)


def _name(table: Table, message: ChangeSeat) -> str:
    """The name that a seat gets; "" for none. Two seats of a table never look the same."""
    others = [name for seat, name in enumerate(table.names) if seat != message.seat]
    return distinct_name(clean_name(message.name), others)


def _give(table: Table, connection: Connection, message: ChangeSeat, token: str) -> None:
    """Send a token to the requesting page only."""
    table.remember(seat_key(message.k), token)
    if message.do == "claim":
        connection.take(digest(token))
    assert message.do == "claim" or message.do == "substitute" or message.do == "revoke"
    connection.send(SeatToken(message.k, message.seat, message.do, token))


async def _repeat(table: Table, connection: Connection, message: ChangeSeat) -> int:
    """Repeat the first answer to a key. The server replaces a token that it has forgotten, unless the seat has a newer one.

    A key that an older release stored as it was gives no token again, because every reader of the log knows it.
    """
    key, people = seat_key(message.k), table.people
    done = table.done.get(key) or table.done[message.k]
    if done.kind != "seat" or done.actor != message.seat or bodies.change_of(bodies.decode_seat(done.body)) != message.do:
        raise Refused("bad", "key")
    token, given = table.links.get(key, ""), people.given.get(key, "")
    kept = table.seats[message.seat]
    if message.do in ("claim", "substitute", "revoke") and not token and given and given in (kept.token, kept.offer):
        token = fresh_token()
        renewed = bodies.LinkRenewed(given, digest(token), key)
        await table.write(secrets.token_hex(16), NewEvent("seat", message.seat, renewed))
    if token:
        _give(table, connection, message, token)
    return done.version


async def sit_down(table: Table, connection: Connection) -> bool:
    """Seat a person on the first use of a seat's link; True if somebody sat down. Errors: as `Table.write`."""
    if table.is_final:
        return False
    first = [(index, table.seats[index].token) for index in connection.you if table.seats[index].free]
    offered = [(index, table.seats[index].offer) for index in connection.offers]
    events = [NewEvent("seat", index, bodies.PersonSeated(token)) for index, token in sorted(first + offered)]
    if events:
        await table.write(secrets.token_hex(16), *events)
    return bool(events)


class HostSettings:
    """Changes of the host's settings."""

    def __init__(self, webhooks: Webhooks, lobby: Lobby) -> None:
        self.webhooks, self.lobby = webhooks, lobby
        self.handlers: dict[type, Handler] = {ChangeSettings: self.house}

    async def house(self, session: Session, message: ChangeSettings) -> int:
        """Change settings; the version after it. Errors: as `Table.write`."""
        table, connection = session.table, session.connection
        wanted = bodies.SettingsChanged(
            message.listed, message.public, message.chat, message.watchers, message.hints, message.webhook
        )
        if message.k in table.done:
            return table.find_repeated(frozenset([-1]), message.k, "house", None, **msgspec.json.decode(wanted.json or "{}"))
        if not connection.host:
            raise Refused("illegal", "house.not_host")
        if table.people.changes >= MOST_CHANGES:
            raise Refused("closed", "seat.too_often", n=MOST_CHANGES)
        if wanted.webhook:
            self.webhooks.check(wanted.webhook)
            wanted = replace(wanted, language=connection.language)
        for wish, watched in ((wanted.listed, False), (wanted.public, True)):
            if wish and not await self.lobby.has_room(table, connection.address, watched):
                raise Refused("closed", "lobby.full")
        return await table.write(message.k, NewEvent("house", -1, wanted, "host"))


class Rematches:
    """Rematches. most: of each address a minute."""

    def __init__(self, repository: Repository, most: int) -> None:
        self.repository, self.made = repository, Addresses(most)
        self.handlers: dict[type, Handler] = {StartRematch: self.rematch}

    async def rematch(self, session: Session, message: StartRematch) -> int:
        """Make a new table for the same people, once; the version after it. Errors: as `Table.write`."""
        table, seats = session.table, session.you | session.connection.back
        if message.k in table.done:
            return table.find_repeated(seats, message.k, "rematch", None)
        if table.actor != OVER:
            raise Refused("illegal", "rematch.early")
        if not seats:
            raise Refused("illegal", "rematch.not_seated")
        if not table.people.rematch:
            if not self.made.may(session.connection.address):
                raise Refused("rate", "rate")
            again = await self.repository.again(table, message.step)
            await table.write(message.k, NewEvent("rematch", min(seats), bodies.RematchStarted(again.id)))
        return table.version
