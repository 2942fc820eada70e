"""Proofs of sealed chance and the seal log, for everyone; and signed receipts, at most one for each version of a table."""

from __future__ import annotations

import asyncio
import copy
import functools

import msgspec
from starlette.requests import Request

from bridgehead.core import record as records
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.spec import OVER
from bridgehead.fairness import proof, signatures
from bridgehead.fairness.proof import Proof
from bridgehead.fairness.receipt import FORMAT, Receipt, signed_text
from bridgehead.fairness.seals import Seals, proof_bgf1_of, proof_of
from bridgehead.server.catalogue import qualify_server_phrase
from bridgehead.server.http.routes import LANG, Reply, asked_table, download, route, run_thread_job
from bridgehead.server.messages.sealing import SealLogPage
from bridgehead.server.storage import seal_log
from bridgehead.server.tables import sealing, sealing_view

KEPT = 1000  # signatures in the cache
FROM = {"name": "from", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 2**32 - 1}}


@route("GET /api/tables/{table}/proof", Proof, query=(LANG,), limit="films")
async def table_proof(request: Request) -> Reply:
    """The proof of a table's chance: complete after the game, its public part before."""
    table = await asked_table(request)
    async with table.lock:
        seals, is_over, version, listed = table.dealer, table.actor == OVER, table.version, dict(table.listed)
        taken = table.match.log[: table.taken]
        match = copy.copy(table.match)
        match.log = list(match.log)
        match.positions = match.positions.copy(match.log)
    if not isinstance(seals, Seals):
        raise BridgeheadError(qualify_server_phrase(sealing_view.guarantee(table)), table.id)
    if not any(era.transcript for era in seals.eras):
        raise BridgeheadError("server:chance.waiting", table.id)
    if not is_over and records.dump(match, concealed=True) != records.dump(match):
        raise BridgeheadError("server:chance.later", table.id)

    def make_proof() -> bytes:
        old, new = seals.disclose_eras(match.chances, is_over, listed=listed)
        record, server = records.dump(match, table.names), table.store.shown
        if not new:
            return msgspec.json.encode(proof_bgf1_of(match, old, record, server))
        log = sealing.history(table.stored_events()[:version], taken)
        over = [(proof.OVER, 0)] if is_over else []
        return msgspec.json.encode(proof_of(match, [*log, *over], seals.eras[-1].game_id.hex(), (old, new), record, server))

    return download(await run_thread_job(request, make_proof), table, "-proof.json")


@route("GET /api/sealed", SealLogPage, query=(FROM,))
async def all_sealed(request: Request) -> SealLogPage:
    """A page of the seal log."""
    text = request.query_params.get("from", "1")
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:10]) < 2**32 and len(text) <= 10):
        raise BridgeheadError("server:error.number_from_1", "from")
    store = request.app.state.tables.store
    rows, head = await asyncio.to_thread(lambda: (store.read_seal_log(int(text)), store.head()))
    return SealLogPage(rows, seal_log.PAGE, store.shown, head)


@route("GET /api/tables/{table}/receipt", Receipt, limit="films")
async def table_receipt(request: Request) -> Reply:
    """The server's signature of a table's log in its present state."""
    table = await asked_table(request)
    async with table.lock:
        version, head = table.version, table.head
    signature = await run_thread_job(request, _signature, table.store.key, signed_text(table.id, version, head))
    receipt = Receipt(FORMAT, table.id, version, head.hex(), table.store.shown, signature)
    return download(msgspec.json.encode(receipt), table, "-receipt.json")


@functools.lru_cache(KEPT)
def _signature(key: bytes, text: bytes) -> str:
    return signatures.sign(key, text).hex()
