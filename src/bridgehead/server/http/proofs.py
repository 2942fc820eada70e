"""What anybody may ask about sealed chance: a table's proof, and the list of all that was ever sealed here."""

from __future__ import annotations

import asyncio
import copy

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bridgehead.core import record as records
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import OVER
from bridgehead.fairness.seals import Seals, proof_of
from bridgehead.server.catalogue import own
from bridgehead.server.http import endpoints
from bridgehead.server.storage import seal_log
from bridgehead.server.tables import sealing_view


async def table_proof(request: Request) -> Response:
    """The proof of a table's chance: whole when the game is over; before that, what may be told."""
    endpoints.sparing(request, request.app.state.films_asked)
    table = await endpoints.asked_table(request)
    async with table.lock:
        seals, is_over = table.dealer, table.actor == OVER
        match = copy.copy(table.match)
        match.log = list(match.log)
        match.positions = match.positions.copy(match.log)
    if not isinstance(seals, Seals):
        raise BridgeheadError(own(sealing_view.guarantee(table)), table.id)
    if not any(era.transcript for era in seals.eras):
        raise BridgeheadError("server:chance.waiting", table.id)
    if not is_over and records.dump(match, concealed=True) != records.dump(match):
        raise BridgeheadError("server:chance.later", table.id)

    def made() -> bytes:
        eras = seals.disclosed(match.chances, is_over)
        placed = [msgspec.structs.replace(era, listed=table.store.place(era.game_id)) for era in eras]
        told = records.dump(match, table.names)
        return msgspec.json.encode(proof_of(match, placed, told, table.store.shown))

    name = f'attachment; filename="{table.game.spec.id}-{table.id}-proof.json"'
    return Response(await asyncio.to_thread(made), media_type="application/json", headers={"content-disposition": name})


async def all_sealed(request: Request) -> Response:
    """A page of the list of all that was ever sealed, each row chained to the one before it."""
    text = request.query_params.get("from", "1")
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:10]) < 2**32 and len(text) <= 10):
        raise BridgeheadError("server:error.number_from_1", "from")
    store = request.app.state.tables.store
    rows = await asyncio.to_thread(store.sealed, int(text))
    return JSONResponse({"entries": [row._asdict() for row in rows], "page": seal_log.PAGE, "server": store.shown})
