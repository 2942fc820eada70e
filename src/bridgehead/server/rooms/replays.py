"""Replays of uploaded records, computed in worker processes."""

from __future__ import annotations

import zlib

from bridgehead.core import link
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.server.rooms import views
from bridgehead.server.tables import record_notes
from bridgehead.server.tables.repository import Beginning
from bridgehead.server.tables.sanitize import clean

GZIP = 31  # zlib's window bits for a gzip file


def film(text: str, language: str, longest: int) -> bytes:
    """The frames of a record or of a link, compressed by gzip. Errors: as `_opened`."""
    match, names = _opened(text, longest)
    press = zlib.compressobj(4, wbits=GZIP)
    shown = [clean(name) for name in names]
    frames = views.frames(match, shown, language, record_notes.translated)
    return b"".join([press.compress(part) for part in frames]) + press.flush()


def beginning(text: str, at: int | None, longest: int) -> Beginning:
    """The first `at` actions of a record or of a link; all of them if None.

    Errors: as `_opened`; BridgeheadError if there are fewer actions, or if the game is over after them.
    """
    match, _ = _opened(text, longest)
    at = len(match.log) if at is None else at
    if at > len(match.log):
        raise BridgeheadError("server:error.actions_none_can_follow_action", "at", count=len(match.log), at=at)
    if match.positions[at].is_over:
        raise BridgeheadError("server:error.game_over_go_back_step", "at")
    first, game = match.positions[0], match.game
    start = "" if first == game.start() else first.text
    return Beginning(game.spec.id, house.differences(game.options), start, match.actions, at)


def _opened(text: str, longest: int) -> tuple[Match, list[str]]:
    """A match from an uploaded record or link. Errors: RecordError, BridgeheadError for more than `longest` actions."""
    match, names = link.read(text)
    if len(match.log) > longest:
        raise BridgeheadError("server:error.record_actions_most_can_shown", count=len(match.log), longest=longest)
    return match, names
