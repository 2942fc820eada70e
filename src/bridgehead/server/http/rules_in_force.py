"""What the rules page of a table shows beside the rulebook: the house rules in force, and the moves by their clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bridgehead.server.connections.requests import address_of, language
from bridgehead.server.http.endpoints import recorded
from bridgehead.server.http.played_clauses import moves_of
from bridgehead.server.http.routes import LANG, OPTIONS, asked_rules, game_of, named_table, route, spare
from bridgehead.server.messages import http
from bridgehead.server.rooms import views
from bridgehead.server.tables.table import MOST_EVENTS, Table

if TYPE_CHECKING:
    from starlette.requests import Request

TABLE = {"name": "table", "in": "query", "schema": {"type": "string"}, "description": "a table: its house rules"}
OF = {"name": "of", "in": "query", "schema": {"type": "string"}, "description": "a table: its house rules and its moves"}


@route("GET /api/games/{game}/rules", http.RulesInForce, query=(LANG, OPTIONS, TABLE, OF))
async def rules_in_force(request: Request) -> http.RulesInForce:
    """The house rules of a table, or those in the query, that differ from the standard; and the moves of a table (`of`)."""
    table = await named_table(request)
    if table is None:
        spare(request, "boards")
        game = await game_of(request, asked_rules(request))
        return http.RulesInForce("", views.house_rules(game, language(request)), [])
    moves = await _moves(request, table) if "of" in request.query_params else []
    return http.RulesInForce(table.id, views.house_rules(table.game, language(request)), moves)


async def _moves(request: Request, table: Table) -> list[http.PlayedAction]:
    """The actions of a table in order. Errors: 429."""
    spare(request, "films")
    record = await recorded(request, table)
    lines = await request.app.state.films.ask(moves_of, record, language(request), MOST_EVENTS, asker=address_of(request))
    return [http.PlayedAction(*each) for each in lines]
