"""Proofs of sealed chance, and the seal log, for everyone."""

from __future__ import annotations

import asyncio
import copy

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from bridgehead.core import record as records
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import OVER
from bridgehead.fairness.seals import Seals, proof_of
from bridgehead.server.catalogue import own
from bridgehead.server.connections.middleware import answer
from bridgehead.server.http import endpoints
from bridgehead.server.messages.sealing import SealLogPage, SealLogRow
from bridgehead.server.storage import seal_log
from bridgehead.server.tables import sealing_view


async def table_proof(request: Request) -> Response:
    """The proof of a table's chance: complete after the game, its public part before."""
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
        record = records.dump(match, table.names)
        return msgspec.json.encode(proof_of(match, placed, record, table.store.shown))

    name = f'attachment; filename="{table.game.spec.id}-{table.id}-proof.json"'
    return Response(await endpoints.chore(request, made), media_type="application/json", headers={"content-disposition": name})


async def all_sealed(request: Request) -> Response:
    """A page of the seal log."""
    text = request.query_params.get("from", "1")
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:10]) < 2**32 and len(text) <= 10):
        raise BridgeheadError("server:error.number_from_1", "from")
    store = request.app.state.tables.store
    rows = await asyncio.to_thread(store.sealed, int(text))
    return answer(SealLogPage([SealLogRow(*row) for row in rows], seal_log.PAGE, store.shown))
