"""Requests of pages that invite others: the address that others use, opening the network, QR codes."""

from __future__ import annotations

import io

import segno
from starlette.requests import Request
from starlette.responses import Response

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.connections.network import LocalNetwork
from bridgehead.server.connections.requests import address_of
from bridgehead.server.http.routes import HttpError, route
from bridgehead.server.messages.invitations import NetworkState, NetworkWish, QrWish


@route("GET /api/network", NetworkState)
async def network(request: Request) -> NetworkState:
    """The address at which other devices reach this server. Only a page on the server's own machine gets the command."""
    found: LocalNetwork = request.app.state.network
    local = found.is_local(request)
    opens = local and bool(found.secret)
    return NetworkState(found.base, found.command if local else "", opens, opens and found.asked is not None)


@route("POST /api/network", NetworkState, NetworkWish, limit="claims")
async def open_network(request: Request, wish: NetworkWish) -> NetworkState:
    """Open or close the network, or ask for a code on the terminal. Errors: 403.

    Only for the page that the command opened, or with that code; the code is for any page on the server's own machine.
    """
    found: LocalNetwork = request.app.state.network
    if not (found.is_own_page(request) if wish.ask else found.may_open(request, wish.secret)):
        raise HttpError(403, "network_owner")
    if wish.ask:
        found.ask()
    else:
        await (found.open() if wish.open else found.close())
    return await network(request)


@route("GET /api/network/{key}", status=204)
async def probe(request: Request) -> Response:
    """The answer to the server's own probe; for everybody else, 404."""
    found: LocalNetwork = request.app.state.network
    if not found.is_probe(request.path_params["key"]):
        raise HttpError(404, "no_page")
    return Response(status_code=204)


@route("POST /api/qr", None, QrWish, media="image/svg+xml", pays="costly")
async def qr(request: Request, wish: QrWish) -> Response:
    """A text as a QR code in SVG."""
    drawn = await request.app.state.strokes.ask(drawn_qr, wish.text, asker=address_of(request))
    return Response(drawn, media_type="image/svg+xml")


def drawn_qr(text: str) -> bytes:
    """In a worker: a QR code, because drawing one takes as much processor time as a hundred moves. Errors: BridgeheadError."""
    drawn = io.BytesIO()
    try:
        code = segno.make(text, error="m" if len(text) < 200 else "l", micro=False)
    except ValueError:
        raise BridgeheadError("server:error.text_too_long_qr_code", "text") from None
    code.save(drawn, kind="svg", scale=4, border=3, xmldecl=False, dark="#2b241f", light="#ffffff")
    return drawn.getvalue()
