"""The clauses of the rulebook that applied each action of a game. A worker with plain rules finds them."""

from __future__ import annotations

import sys
from collections import Counter

from bridgehead.core.clause_marks import Counting
from bridgehead.core.match import Match
from bridgehead.server.rooms.replays import opened
from bridgehead.server.tables.stored_seats import clean


def moves_of(text: str, language: str, longest: int) -> list[tuple[int, str, list[str]]]:
    """The turn, the sentence and the clauses of each action of a record. Errors: as `opened`."""
    match, names = opened(text, longest)
    given = match.game.given([clean(name) for name in names])
    actions = zip(match.log, match.positions, used(match), strict=False)
    return [(each.turn + 1, before.sentence(each.action, language, given), clauses) for each, before, clauses in actions]


def used(match: Match) -> list[list[str]]:
    """The clauses that applied each action of a match, those first that applied fewest of its actions. As `lab.reader.read`."""
    counting, found = Counting(match.game.spec.folder), list[Counter[str]]()
    for index, entry in enumerate(match.log):
        before = match.positions[index]
        counting.runs.clear()
        sys.settrace(counting.calls)
        try:
            before.after(entry.action)
        finally:
            sys.settrace(None)
        found.append(counting.clauses())
    often = Counter(clause for each in found for clause in each)
    return [sorted(each, key=lambda clause: (often[clause], clause)) for each in found]
