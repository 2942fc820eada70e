"""What the rules page of a table shows beside the rulebook: the house rules in force, and the moves by their clauses."""

from __future__ import annotations

import sys
from collections import Counter

from bridgehead.core.clause_marks import Counting
from bridgehead.core.match import Match
from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.endpoints import write_record
from bridgehead.server.http.routes import LANG, OPTIONS, Request, asked_rules, check_rate_limit, game_of, named_table, route
from bridgehead.server.messages.games import PlayedAction, RulesInForce
from bridgehead.server.rooms import views
from bridgehead.server.rooms.replays import open_upload
from bridgehead.server.tables.names import clean_name
from bridgehead.server.tables.table import MOST_EVENTS, Table

TABLE = {"name": "table", "in": "query", "schema": {"type": "string"}, "description": "a table: its house rules"}
OF = {"name": "of", "in": "query", "schema": {"type": "string"}, "description": "a table: its house rules and its moves"}


@route("GET /api/games/{game}/rules", RulesInForce, query=(LANG, OPTIONS, TABLE, OF))
async def rules_in_force(request: Request) -> RulesInForce:
    """The house rules of a table, or those in the query, that differ from the standard; and the moves of a table (`of`)."""
    table = await named_table(request)
    if table is None:
        check_rate_limit(request, "boards")
        game = await game_of(request, asked_rules(request))
        return RulesInForce("", views.house_rules(game, language(request)), [])
    moves = await _moves(request, table) if "of" in request.query_params else []
    return RulesInForce(table.id, views.house_rules(table.game, language(request)), moves)


async def _moves(request: Request, table: Table) -> list[PlayedAction]:
    """The actions of a table in order. Errors: 429."""
    check_rate_limit(request, "films")
    record = await write_record(request, table)
    lines = await request.app.state.films.ask(moves_of, record, language(request), MOST_EVENTS, asker=address_of(request))
    return [PlayedAction(*each) for each in lines]


# In a worker with plain rules


def moves_of(text: str, language: str, longest: int) -> list[tuple[int, str, list[str]]]:
    """The turn, the sentence and the clauses of each action of a record. Errors: as `opened`."""
    match, names = open_upload(text, longest)
    given = match.game.find_given_names([clean_name(name) for name in names])
    actions = zip(match.log, match.positions, list_used_clauses(match), strict=False)
    return [(each.turn + 1, before.sentence(each.action, language, given), clauses) for each, before, clauses in actions]


def list_used_clauses(match: Match) -> list[list[str]]:
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
