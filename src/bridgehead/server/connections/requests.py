"""Facts about a request: its address, its language, whether its sender belongs to this server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bridgehead.core.phrases import ENGLISH, languages
from bridgehead.server.connections.rate_limits import neighbourhood

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

JSON = "application/json"


def language(request: HTTPConnection) -> str:
    """The language in the query or the header of a request; English if there is no catalogue for it."""
    asked = request.query_params.get("lang", request.headers.get("accept-language", "")[:2])
    return asked if asked in languages() else ENGLISH


def language_of_page(request: HTTPConnection) -> str:
    """The language in which a page is sent: that of the query, the one that its settings chose, the first that the browser names.

    The settings tell it by a cookie, since a browser sends nothing else with the request of a page. It opens nothing.
    """
    named = [each.strip()[:2] for each in request.headers.get("accept-language", "").split(",")]
    asked = [request.query_params.get("lang", ""), request.cookies.get("lang", ""), *named]
    return next((each for each in asked if each in languages()), ENGLISH)


def address_of(connection: HTTPConnection) -> str:
    """The address of a page (`neighbourhood`), "" if unknown."""
    return neighbourhood(connection.client.host) if connection.client else ""


def is_own_origin(connection: HTTPConnection) -> bool:
    """Is the sender a page of this server, or a program? Browsers send the origin of a page; programs send none."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    scheme, _, place = origin.partition("://")
    return scheme in ("http", "https") and place == connection.headers.get("host")
