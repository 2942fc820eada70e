"""The clauses of the rulebook that applied each action of a game. A worker with plain rules finds them."""

from __future__ import annotations

from bridgehead.lab.reader import used
from bridgehead.server.rooms.replays import opened
from bridgehead.server.tables.stored_seats import clean


def moves_of(text: str, language: str, longest: int) -> list[tuple[int, str, list[str]]]:
    """The turn, the sentence and the clauses of each action of a record. Errors: as `opened`."""
    match, names = opened(text, longest)
    given = match.game.given([clean(name) for name in names])
    actions = zip(match.log, match.positions, used(match), strict=False)
    return [(each.turn + 1, before.sentence(each.action, language, given), clauses) for each, before, clauses in actions]
