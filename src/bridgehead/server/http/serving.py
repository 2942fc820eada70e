"""Serves routes by Starlette: rate limits, bodies, responses."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from bridgehead.server.http.routes import HttpError, Reply, Route, check_rate_limit


def serving(route: Route) -> Callable[[Request], Awaitable[Response]]:
    """A function that answers a route's requests. Errors: 429; 408 and 413 for a body; those of the route."""

    async def respond(request: Request) -> Response:
        if route.limit:
            check_rate_limit(request, route.limit)
        body = b""
        if route.body is not None:
            limits = request.app.state.limits
            body = await _received(request, limits.record if route.long or route.body is str else limits.body)
        return response(await route.run(request, body))

    return respond


def response(made: Any) -> Response:
    """A reply as Starlette sends it."""
    if not isinstance(made, Reply):
        whole: Response = made
        return whole
    kind = Response if isinstance(made.content, bytes | str) else StreamingResponse
    return kind(made.content, made.status, dict(made.headers), made.media)  # type: ignore[arg-type]


async def _received(request: Request, most: int) -> bytes:
    """The body of a request. Errors: 413 as soon as it is known to be too long, 408."""
    body = bytearray()
    if int(request.headers.get("content-length", "0")) > most:
        raise HttpError(413, "too_large", most=most)
    try:
        async with asyncio.timeout(request.app.state.limits.sending):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise HttpError(413, "too_large", most=most)
    except TimeoutError:
        raise HttpError(408, "too_slow") from None
    return bytes(body)
