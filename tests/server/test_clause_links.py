"""From a move to the clauses that applied it, and from a clause to the moves of this game."""

import pytest

from bridgehead.core import record
from bridgehead.server.http.rules_in_force import list_used_clauses
from records import recorded
from server.live import Live


@pytest.mark.parametrize("name", ["barricade-1", "burning_bridges-3", "forty_bridges-1", "front_lines-5"])
def test_the_clauses_of_an_action_are_in_the_rulebook_and_the_rarest_come_first(name: str) -> None:
    match, _ = record.load(recorded(name))
    found = list_used_clauses(match)
    assert len(found) == len(match.log) and sum(map(bool, found)) > len(found) / 3
    often = [[sum(clause in each for each in found) for clause in clauses] for clauses in found]
    assert all(each == sorted(each) for each in often)
    assert {clause for each in found for clause in each} <= {clause.id for clause in match.game.rulebook.clauses}


def test_the_actions_of_a_table_come_with_their_clauses_in_the_reader_s_language(live: Live) -> None:
    table = live.table()
    code, player = table["table"], live.page(table, 0)
    player.act("a2-a3")
    english, german = (
        live.http.get("/api/games/forty_bridges/rules", params={"of": code, "lang": each}).json() for each in ("en", "de")
    )
    (action,) = english["actions"]
    assert english["table"] == code and action["turn"] == 1 and "a2" in action["text"] and "a3" in action["text"]
    assert "FB-4.b" in action["clauses"]
    assert action["clauses"] == german["actions"][0]["clauses"] and action["text"] != german["actions"][0]["text"]
    page = live.http.get(f"/rules/forty_bridges?of={code}&at=1").text
    assert all(f'id="{clause}"' in page for clause in action["clauses"])
    assert live.http.get("/api/games/forty_bridges/rules", params={"table": code}).json()["actions"] == []


def test_the_house_rules_in_force_are_those_of_the_table_or_of_the_query(live: Live) -> None:
    code, options = live.table("barricade", board="mini", turnLimit=30)["table"], '{"turnLimit": 40}'
    path = "/api/games/barricade/rules"
    found = {each["name"]: each["value"] for each in live.http.get(path, params={"of": code}).json()["rules"]}
    assert found["turnLimit"] == "30" and "board" in found
    asked = live.http.get(path, params={"options": options, "lang": "de"}).json()
    assert asked["table"] == "" and [(each["name"], each["value"]) for each in asked["rules"]] == [("turnLimit", "40")]
    assert live.http.get(path).json()["rules"] == []
    assert live.http.get(path, params={"options": '{"homes": "<img src=x>"}'}).status_code == 400


@pytest.mark.parametrize("path", ["/rules/barricade", "/api/games/barricade/rules"])
def test_a_table_of_another_game_or_none_is_not_found(path: str, live: Live) -> None:
    code = live.table()["table"]
    assert live.http.get(path, params={"of": code}).status_code == 404
    assert live.http.get(path, params={"of": "NOSUCH"}).status_code == 404
