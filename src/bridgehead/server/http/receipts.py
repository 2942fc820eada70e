"""Receipts for those who ask for one: a signature takes milliseconds, so there is one a version at most, and none unasked."""

from __future__ import annotations

import asyncio
import functools

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from bridgehead.fairness import ed25519
from bridgehead.fairness.receipt import FORMAT, Receipt, signed_text
from bridgehead.server.http import endpoints

KEPT = 1000  # signatures that are remembered


@functools.lru_cache(KEPT)
def _signature(key: bytes, text: bytes) -> str:
    return ed25519.sign(key, text).hex()


async def table_receipt(request: Request) -> Response:
    """The server's signature under the log of a table as it stands now."""
    endpoints.sparing(request, request.app.state.films_asked)
    table = await endpoints.asked_table(request)
    async with table.lock:
        version, head = table.version, table.head
    signature = await asyncio.to_thread(_signature, table.store.key, signed_text(table.id, version, head))
    receipt = Receipt(FORMAT, table.id, version, head.hex(), table.store.shown, signature)
    name = f'attachment; filename="{table.game.spec.id}-{table.id}-receipt.json"'
    return Response(msgspec.json.encode(receipt), media_type="application/json", headers={"content-disposition": name})
