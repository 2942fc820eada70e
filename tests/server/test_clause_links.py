"""From a move to the clauses that applied it, and from a clause to the moves of this game."""

import re
from html import unescape
from pathlib import Path

import pytest

from bridgehead.core import record
from bridgehead.server.http.played_clauses import used
from server.live import Live

RECORDS = Path(__file__).parents[1] / "proof" / "records"


@pytest.mark.parametrize("name", ["barricade-1", "burning_bridges-3", "forty_bridges-1", "front_lines-5"])
def test_the_clauses_of_an_action_are_in_the_rulebook_and_the_rarest_come_first(name: str) -> None:
    match, _ = record.load((RECORDS / f"{name}.txt").read_text("utf-8"))
    found = used(match)
    assert len(found) == len(match.log) and sum(map(bool, found)) > len(found) / 3
    often = [[sum(clause in each for each in found) for clause in clauses] for clauses in found]
    assert all(each == sorted(each) for each in often)
    assert {clause for each in found for clause in each} <= {clause.id for clause in match.game.rulebook.clauses}


def test_the_rules_page_of_a_table_links_clauses_and_moves(live: Live) -> None:
    table = live.table()
    code, player = table["table"], live.page(table, 0)
    player.act("a2-a3")
    page = live.http.get(f"/rules/forty_bridges?of={code}&at=1").text
    said = re.search(rf'<a href="/replay/{code}\?at=1"><span data-t="turn_no">Turn</span> 1: ([^<]+)</a>', page)
    assert said and "a2" in unescape(said[1]) and "a3" in unescape(said[1])
    named = re.findall(r'<a href="#(FBQ?-[\w.]+)">\1</a>', page.partition('data-t="applied"')[2].partition("</p>")[0])
    assert "FB-4.b" in named and all(f'id="{clause}"' in page for clause in named)
    for clause in named:
        part = page.partition(f'id="{clause}"')[2].partition('<div class="clause')[0]
        assert f'<a href="/replay/{code}?at=1">' in part and "</span>: 1</summary>" in part, clause
    assert 'id="clauses"' in live.http.get(f"/replay/{code}").text
    assert 'data-t="in_this_game"' not in live.http.get("/rules/forty_bridges").text


@pytest.mark.parametrize("at", ["0", "2", "-1", "x", "9" * 500])
def test_a_place_that_the_game_has_not_shows_the_rules_without_a_move(at: str, live: Live) -> None:
    code = live.table()["table"]
    answer = live.http.get("/rules/forty_bridges", params={"of": code, "at": at})
    assert answer.status_code == 200 and 'data-t="applied"' not in answer.text


def test_a_table_of_another_game_or_none_is_not_found(live: Live) -> None:
    code = live.table()["table"]
    assert live.http.get("/rules/barricade", params={"of": code}).status_code == 404
    assert live.http.get("/rules/barricade", params={"of": "NOSUCH"}).status_code == 404
