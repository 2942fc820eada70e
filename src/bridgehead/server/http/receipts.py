"""Signed receipts, on request only and at most one signature per version of a table."""

from __future__ import annotations

import functools

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from bridgehead.fairness import signatures
from bridgehead.fairness.receipt import FORMAT, Receipt, signed_text
from bridgehead.server.http import endpoints

KEPT = 1000  # signatures in the cache


@functools.lru_cache(KEPT)
def _signature(key: bytes, text: bytes) -> str:
    return signatures.sign(key, text).hex()


async def table_receipt(request: Request) -> Response:
    """The server's signature of a table's log in its present state."""
    endpoints.sparing(request, request.app.state.films_asked)
    table = await endpoints.asked_table(request)
    async with table.lock:
        version, head = table.version, table.head
    signature = await endpoints.chore(request, _signature, table.store.key, signed_text(table.id, version, head))
    receipt = Receipt(FORMAT, table.id, version, head.hex(), table.store.shown, signature)
    name = f'attachment; filename="{table.game.spec.id}-{table.id}-receipt.json"'
    return Response(msgspec.json.encode(receipt), media_type="application/json", headers={"content-disposition": name})
