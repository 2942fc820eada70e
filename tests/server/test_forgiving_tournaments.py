"""Tournaments forgive: whoever left returns, results are corrected, time runs out as chosen, and names are deleted."""

from __future__ import annotations

import asyncio
import csv
import io
import itertools
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from bridgehead.server.people.standings import points_of, points_of_places
from bridgehead.server.storage.sqlite import Store
from server.live import ROOMY, Live, Page, Serve
from server.test_tournaments import Cup, come, later, started
from waiting import wait_for

__all__ = ["later"]  # a fixture
KEY = "k" * 40
DAY = 86_400.0


def run(live: Live, work: Coroutine[Any, Any, Any]) -> Any:
    """The result of some work in the server's loop."""
    return asyncio.run_coroutine_threadsafe(work, live.loop).result()


def decide(cup: Cup, game: dict[str, Any], winner: int) -> dict[str, Any]:
    return cup.do("decide", table=game["table"], points=[float(each == winner) for each in game["seats"]])


def read_events(live: Live) -> str:
    """Everything that the store holds of tables and tournaments."""
    return str(live.store.read("select body from tournament")) + str(live.store.read("select body from event")) + str(
        live.store.read("select body from game")
    )  # fmt: skip


def in_phase(own: Live, phase: str) -> Cup:
    """A tournament of four that is open, plays, has lost somebody, has a result, or is over."""
    cup = Cup(own, kind="swiss", rounds=2)
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        cup.enter(name)
    if phase != "open":
        cup.do("start")
    if phase in ("left", "over"):
        cup.do("leave", entrant=3)
    if phase in ("result", "over"):
        game = next(each for each in cup.open_games() if 3 not in each["seats"])
        decide(cup, game, game["seats"][0])
    if phase == "over":
        cup.do("close")
    return cup


PHASES = ("open", "plays", "left", "result", "over")
ACTS = ("start", "leave", "return", "decide", "correct", "draw", "forget", "delete", "close")
REFUSED = {
    ("open", "decide"), ("open", "correct"), ("plays", "correct"), ("over", "decide"), ("over", "leave"),
    ("over", "return"), ("plays", "delete"), ("left", "delete"), ("result", "delete"), ("plays", "forget"), ("result", "forget"),
}  # fmt: skip


@pytest.mark.parametrize(("phase", "act"), [*itertools.product(PHASES, ACTS)])
def test_in_every_phase_the_host_acts_or_reads_why_not_and_the_log_tells_the_same(phase: str, act: str, own: Live) -> None:
    cup = in_phase(own, phase)
    before = cup.view
    running = [each["table"] for each in before["games"] if not each["points"]]
    ended = [each["table"] for each in before["games"] if each["points"] and each["table"]]
    more: dict[str, Any] = {"entrant": 0 if (phase, act) == ("over", "leave") else 3}
    if act in ("decide", "correct"):
        more = {"table": ((running if act == "decide" else ended) or ["X"])[-1], "places": [1, 2]}
    refused = (phase, act) in REFUSED
    answer = cup.do(act, 400 if refused else 200, **more)
    assert ("error" in answer) is refused and (not refused or answer["error"].endswith("."))
    if act == "delete" and not refused:
        assert own.http.get(f"/api/tournaments/{cup.id}").status_code == 404
        return
    after = cup.view
    if refused:
        assert after == before
    own.app.state.people.tournaments._known.clear()
    assert cup.view == after, "the events tell the same as what is in memory"
    while cup.view["state"] == "running" and (games := cup.open_games()):
        decide(cup, games[0], games[0]["seats"][0])
    assert cup.view["state"] == "over" or phase == "open", "it can be played to its end"


def test_whoever_left_by_mistake_returns_and_the_game_goes_on(own: Live) -> None:
    cup = started(own, "ABCD", rounds=2)
    [game] = [each for each in cup.open_games() if 3 in each["seats"]]
    cup.do("leave", host="", token=cup.tokens[3], entrant=3)
    shown = cup.view
    [lost] = [each for each in shown["games"] if each["table"] == game["table"]]
    assert lost["left"] == [3] and lost["points"][game["seats"].index(3)] == 0.0
    assert shown["people"][3] | {"profile": ""} == {
        "name": "D", "level": "", "profile": "", "left": True, "by": "self", "back": True,
    }  # fmt: skip
    assert "Only the host" in cup.do("return", 400, host="", token=cup.tokens[0], entrant=3)["error"]
    back = cup.do("return", host="", token=cup.tokens[3], entrant=3)
    assert not back["people"][3]["left"] and [each["do"] for each in back["log"]] == ["left", "return"]
    assert game["table"] in [each["table"] for each in cup.open_games()], "the game that was lost goes on"
    cup.lose(game, game["seats"][0])
    assert [each["points"] for each in cup.view["games"] if each["table"] == game["table"]] == [[0.0, 1.0]]


def test_whom_the_host_removed_only_the_host_lets_back(own: Live) -> None:
    cup = started(own, "ABCD")
    cup.do("leave", entrant=3)
    assert cup.view["people"][3]["by"] == "host"
    assert "Only the host" in cup.do("return", 400, host="", token=cup.tokens[3], entrant=3)["error"]
    assert not cup.do("return", entrant=3)["people"][3]["left"]


def test_at_a_table_that_two_have_left_it_stays_lost_until_both_return(own: Live) -> None:
    cup = started(own, "ABC", "burning_bridges", size=3)
    cup.do("leave", entrants=[0, 1])
    lost = lambda: cup.view["games"][0]["left"]  # noqa: E731
    assert sorted(lost()) == [0, 1]
    assert cup.view["state"] == "over" or lost(), "too few are left"


def test_the_next_round_waits_until_a_mistake_is_undone_or_the_host_goes_on(serve: Serve) -> None:
    own = serve(ROOMY._replace(regret=3600.0))
    cup = started(own, "ABCDE", rounds=3)
    bye = cup.view["byes"][0][0]
    games = cup.open_games()
    decide(cup, games[0], games[0]["seats"][0])
    gone = games[1]["seats"][0]
    view = cup.do("leave", entrant=gone)
    assert view["round"] == 1 and 3500 < view["waits"] - time.time() <= 3601, "the next round is not drawn at once"
    view = cup.do("return", entrant=gone)
    assert view["waits"] == 0 and [each["table"] for each in cup.open_games()] == [games[1]["table"]]
    cup.do("leave", entrant=gone)
    view = cup.do("draw")
    assert view["round"] == 2 and view["waits"] == 0 and gone != bye
    assert "until the next round" in cup.do("return", 400, entrant=gone)["error"]


def test_a_corrected_result_counts_also_after_the_end_and_stands_in_the_log(own: Live) -> None:
    cup = started(own, "AB")
    [game] = cup.open_games()
    decide(cup, game, game["seats"][0])
    over = cup.view
    assert over["state"] == "over" and over["lines"][0]["entrant"] == game["seats"][0]
    assert "Only the host" in cup.do("correct", 400, host="", table=game["table"], points=[0, 1])["error"]
    assert "numbers" in cup.do("correct", 400, table=game["table"], points=[1])["error"]
    corrected = cup.do("correct", table=game["table"], points=[0, 1])
    assert corrected["lines"][0]["entrant"] == game["seats"][1]
    line = corrected["log"][-1]
    assert (line["do"], line["who"], line["points"], line["before"]) == ("correct", game["seats"], [0.0, 1.0], [1.0, 0.0])
    own.restart()
    cup.live = own
    assert cup.view == corrected


def test_a_result_from_which_a_knock_out_went_on_stays(own: Live) -> None:
    cup = started(own, "ABCD", kind="knock_out")
    games = cup.open_games()
    for game in games:
        decide(cup, game, game["seats"][0])
    assert cup.view["round"] == 2
    assert "next round" in cup.do("correct", 400, table=games[0]["table"], points=[0, 1])["error"]


@pytest.mark.parametrize(("at_limit", "points"), [("draw", [0.5, 0.5]), ("lose", [0.0, 0.0]), ("wait", [])])
def test_when_the_time_of_a_game_is_up_follows_what_was_chosen(
    at_limit: str, points: list[float], own: Live, later: Callable[[float], None]
) -> None:
    cup = started(own, "AB", limit=20, at_limit=at_limit, appear=0)
    [game] = cup.open_games()
    assert 1190 <= game["limit"] - time.time() <= 1201
    later(19)
    assert cup.open_games()
    later(2)
    [game] = cup.view["games"]
    assert game["points"] == points and game["timeout"] is bool(points) and not game["host"]
    assert [each["do"] for each in cup.view["log"]] == ["timeout"] * bool(points)
    if not points:
        assert decide(cup, game, 0)["state"] == "over", "the host decides"


def test_a_late_entrant_begins_in_the_next_round_and_the_number_of_rounds_stays(own: Live) -> None:
    cup = started(own, "ABCD", late=2)
    assert cup.view["enters"] and cup.view["rounds"] == 3
    cup.enter("Late")
    view = cup.view
    assert view["rounds"] == 3 and view["log"][0] | {"time": 0} == {
        "time": 0, "do": "late", "who": [4], "points": [], "before": [],
    }  # fmt: skip
    for game in cup.open_games():
        decide(cup, game, game["seats"][0])
    view = cup.view
    assert view["round"] == 2 and any(4 in [*game["seats"], *view["byes"][1]] for game in view["games"])
    assert not view["enters"] and "has begun" in cup.enter("Later", status=400)["error"]
    assert not started(own, "ABCD").view["enters"], "unless it was chosen at the start"


def test_places_at_a_table_of_four_count_as_chosen(own: Live) -> None:
    assert points_of_places([1, 1, 3, 4], False) == (0.5, 0.5, 0.0, 0.0)
    assert points_of_places([2, 2, 2, 2], False) == (0.0,) * 4, "nobody has won"
    assert points_of_places([1, 2, 3, 4], True) == pytest.approx((1.0, 2 / 3, 1 / 3, 0.0))
    assert points_of_places([1, 1, 3, 3], True) == pytest.approx((5 / 6, 5 / 6, 1 / 6, 1 / 6))
    for places in itertools.product(range(1, 5), repeat=4):
        if all(each == 1 + sum(other < each for other in places) for each in places):
            assert sum(points_of_places(places, True)) == pytest.approx(2.0) and sum(points_of_places(places, False)) == 1.0
    assert points_of((1.0, -1.0, -1.0, -1.0), (0, 1, 2, 3), True) == pytest.approx((1.0, 1 / 3, 1 / 3, 1 / 3))
    cup = started(own, "ABCD", "barricade", size=4, places=True)
    [game] = cup.open_games()
    decided = cup.do("decide", table=game["table"], places=[4, 1, 2, 2])
    assert decided["games"][0]["points"] == pytest.approx([0.0, 1.0, 0.5, 0.5])


def test_the_servers_host_gets_a_lost_link_back_and_the_old_one_ends(serve: Serve) -> None:
    own = serve(host_key=KEY)
    cup = started(own, "AB")
    path = f"/api/tournaments/{cup.id}/host"
    assert own.http.post(path, json={"key": "k" * 39}).status_code == 403
    found = own.ask(path, {"key": KEY}, 200)
    assert found["id"] == cup.id and found["host"] not in ("", cup.host)
    assert "Only the host" in cup.do("close", 400)["error"]
    assert cup.do("close", host=found["host"])["state"] == "over"
    assert own.ask(path, {"key": KEY}, 200)["host"] not in read_events(own), "also after the end, to delete names"


def test_standings_are_a_table_for_spreadsheets_that_runs_no_formula(own: Live) -> None:
    cup = Cup(own)
    cup.enter("=HYPERLINK(1)"), cup.enter("Ben")
    cup.do("start")
    [game] = cup.open_games()
    decide(cup, game, 0)
    answer = own.http.get(f"/api/tournaments/{cup.id}/standings.csv")
    rows = [*csv.reader(io.StringIO(answer.text.lstrip("\ufeff")))]
    assert rows[0][:4] == ["place", "name", "points", "games"] and [row[:4] for row in rows[1:]] == [
        ["1", "'=HYPERLINK(1)", "1.0", "1"], ["2", "Ben", "0.0", "1"],
    ]  # fmt: skip
    assert answer.headers["content-type"].startswith("text/csv") and "attachment" in answer.headers["content-disposition"]
    assert own.http.get("/api/tournaments/" + "A" * 22 + "/standings.csv").status_code == 404


def test_a_tournament_is_found_by_its_link_alone_unless_its_host_lists_it(own: Live) -> None:
    hidden, listed = Cup(own), Cup(own, listed=True)
    assert [each["id"] for each in own.ask("/api/tournaments")["tournaments"]] == [listed.id]
    assert hidden.view["listed"] is False and hidden.view["keep"] == 90


def test_a_name_is_deleted_with_the_tables_that_hold_it(own: Live) -> None:
    cup = Cup(own, kind="round_robin")
    for name in ("Annabella", "Bertholt", "Clementine"):
        cup.enter(name)
    cup.do("start")
    while games := cup.open_games():
        decide(cup, games[0], min(games[0]["seats"]))
    before = cup.view
    mine = next(each for each in before["games"] if 0 in each["seats"])
    page = come(cup, mine, mine["seats"][0])
    assert "open" in cup.do("forget", 400, entrant=0)["error"], "nobody loses a table at which they sit"
    assert "Annabella" in read_events(own)
    page.socket.close()
    wait_for(lambda: own.http.post(f"/api/tournaments/{cup.id}", json={"do": "forget", "host": cup.host}).status_code == 200)
    assert "Annabella" not in read_events(own) and "Clementine" in read_events(own)
    view = cup.view
    assert view["people"][0]["name"] == "" and view["lines"] == before["lines"], "the results stay"
    own.restart()
    assert cup.view == view


def test_a_tournament_is_deleted_as_a_whole_and_by_itself_when_its_days_are_over(own: Live) -> None:
    cup, kept, forever = (started(own, ("Annabella", "Bertholt"), keep=keep) for keep in (30, 90, 0))  # type: ignore[arg-type]
    assert round((cup.view["expires"] - time.time()) / DAY) == 30 and forever.view["expires"] == 0
    expire = own.app.state.people.archive.expire
    assert run(own, expire(time.time() + 29 * DAY)) == 0
    assert run(own, expire(time.time() + 31 * DAY)) == 1
    assert own.http.get(f"/api/tournaments/{cup.id}").status_code == 404 and kept.view and forever.view
    assert "first" in kept.do("delete", 400)["error"]
    for each in (kept, forever):
        each.do("close")
        each.do("delete")
    assert "Annabella" not in read_events(own) and not own.store.read("select 1 from played")


def test_a_tournament_of_an_older_release_stays_listed_and_is_kept(tmp_path: Path, serve: Serve) -> None:
    own = serve()
    body = (
        '{"do":"open","name":"Old","game":"forty_bridges","options":{},"size":2,"kind":"swiss","rounds":0,"paired":false,'
        '"minutes":60,"host":"","draw":"AAAA"}'
    )
    run(own, own.store.write(("insert into tournament values (?, 1, ?, ?)", ("O" * 22, 1.0, body))))
    run(own, own.store.write(("insert into tournament values (?, 2, ?, ?)", ("O" * 22, 1.0, '{"do":"leave","entrant":0}'))))
    view = own.ask("/api/tournaments")["tournaments"]
    assert [each["name"] for each in view] == ["Old"] and isinstance(own.store, Store)
    assert run(own, own.app.state.people.archive.expire(time.time())) == 0


def test_a_code_leads_a_class_to_the_tournament_until_nobody_may_enter(own: Live) -> None:
    cup = Cup(own, kind="arena", minutes=90, size=2)
    code = cup.view["code"]
    assert len(code) == 6
    answer = own.http.get(f"/t/{code.lower()}", follow_redirects=False)
    assert answer.status_code == 302 and answer.headers["location"] == f"/tournament/{cup.id}"
    assert own.http.get("/t/ABCDEF").status_code == 404
    own.restart()
    cup.live = own
    assert cup.view["code"] == code
    cup.do("close")
    assert cup.view["code"] == ""


def test_tables_have_the_smallest_number_that_is_free_in_the_room(own: Live) -> None:
    cup = started(own, "ABCDEF", kind="arena", minutes=90)
    games = cup.open_games()
    assert sorted(each["number"] for each in games) == [1, 2, 3]
    cup.enter("G"), cup.enter("H")
    assert sorted(each["number"] for each in cup.open_games()) == [1, 2, 3, 4]
    [second] = [each for each in cup.open_games() if each["number"] == 2]
    decide(cup, second, second["seats"][0])
    cup.enter("I")
    assert sorted(each["number"] for each in cup.open_games()) == [1, 2, 3, 4], "the next game is at the table that was free"
    own.app.state.people.tournaments._known.clear()
    assert sorted(each["number"] for each in cup.open_games()) == [1, 2, 3, 4]


def test_the_table_reads_what_the_tournament_has_made_of_its_game(own: Live) -> None:
    cup = started(own, "ABCD", rounds=1)
    games = cup.open_games()
    pages = [come(cup, game, *game["seats"]) for game in games]

    def read_chat(page: Page) -> str:
        while not (lines := page.hear("said")["lines"]):  # the chat so far
            pass
        return str(lines[-1]["text"])

    decide(cup, games[0], games[0]["seats"][0])
    assert "its host has set the result" in read_chat(pages[0])
    gone = games[1]["seats"][0]
    name = cup.view["people"][gone]["name"]
    cup.do("correct", table=games[0]["table"], places=[1, 1])
    view = cup.do("leave", entrant=gone)
    assert read_chat(pages[1]).startswith(f"{name} has left the tournament") and view["state"] == "over"


def test_of_a_match_of_two_games_both_come_back_with_whoever_returns(own: Live) -> None:
    cup = started(own, "ABCD", paired=True, rounds=2)
    [game] = [each for each in cup.open_games() if 3 in each["seats"]]
    left = [each for each in cup.do("leave", entrant=3)["games"] if 3 in each["seats"]]
    assert [each["left"] for each in left] == [[3], [3]] and left[1]["table"] == "", "the second game never began"
    cup.do("return", entrant=3)
    assert [each["table"] for each in cup.view["games"] if 3 in each["seats"]] == [game["table"]]
    cup.lose(game, game["seats"][0])
    [second] = [each for each in cup.open_games() if 3 in each["seats"]]
    assert second["seats"] == game["seats"][::-1] and second["table"]
    own.app.state.people.tournaments._known.clear()
    assert [each["table"] for each in cup.open_games() if 3 in each["seats"]] == [second["table"]]
