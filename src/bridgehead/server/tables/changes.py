"""Handlers of the messages that may change the game, by message type: handler(session, message) -> version."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from bridgehead.server.messages.client import Act, Answer, Ask, Begin, Reveal, Seal, Undo, Withdraw
from bridgehead.server.tables import proposal_changes, sealing, table

HANDLERS: dict[type, Callable[[table.TableSession, Any], Awaitable[int]]] = {
    Act: table.act,
    Undo: table.undo,
    Ask: proposal_changes.ask,
    Answer: proposal_changes.answer,
    Withdraw: proposal_changes.withdraw,
    Seal: sealing.commit,
    Reveal: sealing.reveal,
    Begin: sealing.begin_now,
}
