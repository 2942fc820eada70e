"""Requests of people who wait for an opponent. The secret of a wait is in the body, never in an address."""

from __future__ import annotations

from bridgehead.server.connections.requests import address_of
from bridgehead.server.http.routes import HttpError, Request, people, route
from bridgehead.server.messages.lobby import OpponentAsked, OpponentWait, OpponentWish, UsualWaits
from bridgehead.server.people.opponents import NoWait


@route("GET /api/opponents", UsualWaits)
async def usual(request: Request) -> UsualWaits:
    """How long people waited for an opponent in the last day, and how many wait now."""
    return UsualWaits(await people(request).opponents.usual())


@route("POST /api/opponents", OpponentWait, OpponentWish, limit="claims", status=201, stores=True)
async def wait(request: Request, wish: OpponentWish) -> OpponentWait:
    """Begin to wait for an opponent. Only this answer contains the secret of the wait."""
    secret = await people(request).opponents.wait(wish.game, wish.pace, wish.name, wish.key, address_of(request))
    return OpponentWait(secret, 0)


@route("POST /api/opponents/ask", OpponentWait, OpponentAsked)
async def ask(request: Request, asked: OpponentAsked) -> OpponentWait:
    """Go on waiting. A page asks every three seconds; after 12 seconds of silence the wait ends. Errors: 404."""
    try:
        return await people(request).opponents.ask(asked.wait)
    except NoWait as error:
        raise HttpError(404, error.phrase) from None


@route("POST /api/opponents/leave", OpponentAsked, OpponentAsked)
async def leave(request: Request, asked: OpponentAsked) -> OpponentAsked:
    """End a wait."""
    await people(request).opponents.leave(asked.wait)
    return asked
