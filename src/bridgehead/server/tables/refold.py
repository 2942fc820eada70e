"""Folds the tables of a file by the rules, for the audit: a log may follow from itself and yet hold what no table can do."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase
from bridgehead.core.validation import ready
from bridgehead.server.catalogue import qualify_server_phrase
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables.event_bodies import RecordImported
from bridgehead.server.tables.stored_seats import StoredTable
from bridgehead.server.tables.table import Table

KEPT = 16  # games in the cache


def find_damage(
    table_id: str, body: str, events: Sequence[Event], imported: Callable[[str], tuple[int, ...]]
) -> tuple[int, Phrase] | None:
    """The event at which a table's log stops folding, 0 if it cannot be opened at all, and why; None if the table is whole.

    imported: the actions of an imported record, by their hash. Errors: MemoryError.
    """
    nowhere: Any = None  # folding does not touch the store
    try:
        known = msgspec.json.decode(body, type=ready(StoredTable))
        game = _game(f"{known.game}@{known.rules}", msgspec.json.encode(known.options, order="sorted").decode())
        table = Table(table_id, known, game, nowhere, hash_chain.first_link(table_id, body))
        if events and events[0].kind == "import":
            table.imported = imported(RecordImported.of(events[0].body).hash)
        table.fold_until_damage(events)
    except MemoryError:
        raise
    except BridgeheadError as error:
        return 0, error.phrase
    except Exception:
        return 0, Phrase("server:error.what_stored_table_damaged")
    return None if table.damage is None else (table.damage.event, qualify_server_phrase(table.damage.why))


@functools.lru_cache(KEPT)
def _game(rules_id: str, rules: str) -> Game:
    return registry.open_game(rules_id, rules)
