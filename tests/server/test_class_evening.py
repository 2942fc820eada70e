"""Thirty people behind one router sit down: over real sockets, from one address, by the limits as they are."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets.sync.client as websockets

from bridgehead.server.connections.rate_limits import Limits
from bridgehead.server.people.results import PERSON
from bridgehead.server.rooms.classroom import MOST
from bridgehead.server.tables.state import pool_of
from server.clubs import Person
from server.live import Live, Serve
from server.test_classroom import KEY, look
from server.test_host_desk import run
from server.test_tournaments import Cup, come, later
from waiting import PATIENCE, wait_for

__all__ = ["later"]  # a fixture

CLASS = 30
SECONDS = 10.0


def sit_down(live: Live, code: str, name: str) -> dict[str, Any]:
    """What a pupil's browser does: the code, the name, and the entrant's number and token."""
    with httpx.Client(base_url=live.url, timeout=PATIENCE, follow_redirects=True) as browser:
        page = browser.get(f"/t/{code}")
        assert page.status_code == 200, (page.url, page.history, page.text[page.text.find("<main") :][:500])
        tournament = page.url.path.removeprefix("/tournament/")
        entered = browser.post(f"/api/tournaments/{tournament}/entrants", json={"name": name})
        assert entered.status_code == 201, entered.text
        view = browser.get(f"/api/tournaments/{tournament}")
        assert view.status_code == 200
        found: dict[str, Any] = entered.json()
        return found


def take_seat(live: Live, tournament: str, pupil: dict[str, Any]) -> list[int]:
    """Look where the pupil plays, open the table's page and its socket, and see the board. Returns the seats."""
    with httpx.Client(base_url=live.url, timeout=PATIENCE) as browser:
        view = browser.get(f"/api/tournaments/{tournament}").json()
        [game] = [each for each in view["games"] if pupil["entrant"] in each["seats"]]
        assert browser.get(f"/t/{game['table']}").status_code == 200
    with websockets.connect(f"ws://{live.host}/ws?table={game['table']}", origin=live.url, open_timeout=PATIENCE) as socket:  # type: ignore[arg-type]
        hello = {"t": "hello", "p": 1, "table": game["table"], "tokens": [pupil["token"]], "lang": "en"}
        socket.send(json.dumps(hello))
        while (message := json.loads(socket.recv(PATIENCE)))["t"] != "view":
            assert message["t"] != "bye", message
        return list(message["you"])


@pytest.mark.wide
def test_thirty_behind_one_router_sit_down_in_ten_seconds_by_the_limits_as_they_are(serve: Serve, tmp_path: Path) -> None:
    live = serve(Limits())
    made = live.ask("/api/tournaments", {"name": "Class", "game": "forty_bridges", "kind": "arena", "minutes": 90}, 201)
    path = f"/api/tournaments/{made['id']}"
    code = live.ask(path)["code"]
    begun = time.monotonic()
    with ThreadPoolExecutor(CLASS) as class_:
        pupils = [*class_.map(lambda i: sit_down(live, code, f"Pupil {i}"), range(CLASS))]
        entered = time.monotonic() - begun
        live.ask(path, {"do": "start", "host": made["host"]})
        seats = [*class_.map(lambda pupil: take_seat(live, made["id"], pupil), pupils)]
    took = time.monotonic() - begun
    print(f"entered after {entered:.1f} s, at their boards after {took:.1f} s")
    assert len({each["entrant"] for each in pupils}) == CLASS and all(len(each) == 1 for each in seats)
    assert took < SECONDS


@pytest.mark.wide
def test_an_evening_of_thirty_with_one_late_one_who_leaves_one_who_never_comes_and_a_restart(
    own: Live, later: Callable[[float], None]
) -> None:
    cup = Cup(own, kind="swiss", rounds=2, late=2)
    for i in range(CLASS - 1):
        cup.enter(f"Pupil {i}")
    cup.do("start")
    first = cup.view
    assert len(first["games"]) == 14 and len(first["byes"][0]) == 1, "an odd number: one has a bye"
    late = cup.enter("Late")["entrant"]
    games = cup.open_games()
    never, gone = games[0]["seats"][0], games[1]["seats"][0]
    here = come(cup, games[0], games[0]["seats"][1])  # the other one never comes
    cup.do("leave", host="", token=cup.tokens[gone], entrant=gone)
    for game in games[2:8]:
        cup.lose(game, game["seats"][1])
    before = cup.view
    own.restart()
    assert cup.view == before
    for game in games[8:]:
        cup.lose(game, game["seats"][0])
    here = come(cup, games[0], games[0]["seats"][1])
    later(11)
    wait_for(lambda: cup.view["round"] == 2)
    view = cup.view
    by_table = {each["table"]: each for each in view["games"]}
    assert by_table[games[0]["table"]]["absent"] == [never] and by_table[games[1]["table"]]["left"] == [gone]
    second = cup.open_games()
    playing = [each for game in second for each in game["seats"]] + view["byes"][1]
    assert late in playing and never in playing and gone not in playing and len(playing) == 29 == len({*playing})
    pairs = {frozenset(game["seats"]) for game in games}
    assert not pairs & {frozenset(game["seats"]) for game in second}, "nobody meets the same twice"
    for game in second:
        cup.lose(game, game["seats"][0])
    over = cup.view
    assert over["state"] == "over" and sum(line["points"] for line in over["lines"]) == 14 + 1 + 14 + 1
    assert [each["do"] for each in over["log"]] == ["late", "left"] and not over["people"][never]["left"]
    here.socket.close()


def wait_together(cup: Cup, entrant: int, *others: int, status: int = 200) -> dict[str, Any]:
    return cup.do("choose", status, host="", token=cup.tokens[entrant], entrant=entrant, entrants=list(others))


def test_pupils_choose_with_whom_they_play_and_a_computer_comes_to_whoever_waits_long(
    own: Live, later: Callable[[float], None]
) -> None:
    cup = Cup(own, kind="arena", seating="choice")
    ada, ben, cleo, dan, eva = (cup.enter(name)["entrant"] for name in ("Ada", "Ben", "Cleo", "Dan", "Eva"))
    computer = cup.enter("Bot", "greedy")["entrant"]
    wait_together(cup, ada)
    wait_together(cup, cleo)
    wait_together(cup, dan, ada)
    assert cup.view["waiting"] == [[ada, dan], [cleo]] and not cup.view["games"]
    assert "full" in wait_together(cup, ben, dan, status=400)["error"]
    assert "full" in wait_together(cup, ben, eva, status=400)["error"], "nobody waits there"
    own.restart()
    [game] = cup.do("start")["games"]
    assert sorted(game["seats"]) == [ada, dan] and cup.view["waiting"] == [[cleo]]
    assert "chooses none" in wait_together(cup, ada, cleo, status=400)["error"]
    wait_together(cup, ben, cleo)
    assert sorted(cup.open_games()[-1]["seats"]) == [ben, cleo] and cup.view["waiting"] == []
    wait_together(cup, eva)
    assert len(cup.open_games()) == 2
    later(2)
    wait_for(lambda: len(cup.view["games"]) == 3)
    assert sorted(cup.open_games()[-1]["seats"]) == [eva, computer]
    cup.lose(game, ada)
    assert len(cup.open_games()) == 2, "they choose again"
    wait_together(cup, dan)
    cup.do("leave", host="", token=cup.tokens[dan], entrant=dan)
    assert cup.view["waiting"] == []


def sit(cup: Cup, entrant: int, number: int, status: int = 200) -> dict[str, Any]:
    return cup.do("choose", status, host="", token=cup.tokens[entrant], entrant=entrant, number=number)


def test_tables_stand_ready_with_names_and_those_who_come_fill_them_as_they_choose(
    serve: Serve, later: Callable[[float], None]
) -> None:
    own = serve(host_key=KEY)
    cup = Cup(own, kind="arena", seating="choice", tables=3)
    cup.do("name", number=3, name=" Lions ")
    assert cup.view["tables"] == 3 and cup.view["table_names"] == ["", "", "Lions"] and not cup.view["games"]
    ada, ben, cleo = (cup.enter(name)["entrant"] for name in ("Ada", "Ben", "Cleo"))
    computer = cup.enter("Bot", "greedy")["entrant"]
    sit(cup, ada, 3)
    assert "full" in sit(cup, cleo, 9, 400)["error"], "no such table stands there"
    assert [(each["number"], each["name"], each["waiting"]) for each in look(own)["empty"]] == [
        (1, "", []), (2, "", []), (3, "Lions", ["Ada"]),
    ]  # fmt: skip
    sit(cup, ben, 3)
    sit(cup, cleo, 2)
    own.restart()
    [game] = cup.do("start")["games"]
    assert game["number"] == 3 and sorted(game["seats"]) == [ada, ben]
    assert "full" in sit(cup, cleo, 3, 400)["error"], "a game runs there"
    later(2)
    wait_for(lambda: len(cup.view["games"]) == 2)
    [_, odd] = cup.view["games"]
    assert odd["number"] == 2 and sorted(odd["seats"]) == [cleo, computer], "the odd one plays a computer, at her table"
    view = look(own)
    assert [each["number"] for each in view["empty"]] == [1]
    assert {each["number"]: each["name"] for each in view["news"]} == {3: "Lions", 2: ""}
    known = {each["table"]: each["stamp"] for each in view["news"]}
    cup.do("name", number=2, name="Owls")
    [renamed] = look(own, known)["news"]
    assert (renamed["number"], renamed["name"]) == (2, "Owls"), "a new name is sent at once"
    cup.do("name", 400, number=4, name="Nobody's"), cup.do("name", 400, host="", number=1, name="Mine")
    own.restart()
    assert cup.view["table_names"] == ["", "Owls", "Lions"]
    cup.do("close")
    assert look(own)["empty"] == [], "they are gone with the class"


def test_people_placed_at_random_fill_the_tables_that_stand_ready_and_more_are_made_where_too_few_do(
    serve: Serve,
) -> None:
    own = serve(host_key=KEY)
    cup = Cup(own, kind="arena", tables=2)
    for i in range(7):
        cup.enter(f"Pupil {i}")
    cup.enter("Bot", "greedy")
    assert [each["number"] for each in look(own)["empty"]] == [1, 2]
    games = cup.do("start")["games"]
    assert sorted(each["number"] for each in games) == [1, 2, 3, 4] and sum(len(each["seats"]) for each in games) == 8
    assert cup.view["tables"] == 4 and look(own)["empty"] == []
    assert Cup(own, kind="swiss", tables=5).view["tables"] == 0, "only an arena has a room"
    for _ in range(2):
        Cup(own, kind="arena", tables=60)
    assert len(look(own)["empty"]) == MOST, "whoever makes many does not flood the class page"


def first_pairs(cup: Cup) -> list[list[int]]:
    return sorted(sorted(game["seats"]) for game in cup.do("start")["games"])


def test_pupils_are_placed_at_random(own: Live) -> None:
    drawn = []
    for _ in range(5):
        cup = Cup(own, kind="arena")
        for i in range(8):
            cup.enter(f"Pupil {i}")
        drawn.append(first_pairs(cup))
    assert any(each != [[0, 1], [2, 3], [4, 5], [6, 7]] for each in drawn), "not as they came"
    assert any(each != drawn[0] for each in drawn)


def test_pupils_are_placed_near_in_rating_and_one_without_a_profile_counts_as_unknown(own: Live) -> None:
    game = run(own, own.app.state.games.game("forty_bridges", "", {}))
    cup = Cup(own, kind="arena", seating="rating")
    for i, mu in enumerate((15.0, 35.0, 25.0, 16.0, 36.0, 0.0)):
        person = Person(own, f"Rated {i}") if mu else None
        if person:
            row = pool_of(game), PERSON + person.id, 30, mu, 1.0
            run(own, own.store.write(("insert into rating values (?, ?, ?, ?, ?)", row)))
        cup.enter(f"Pupil {i}", **({"key": person.key} if person else {}))
    assert first_pairs(cup) == [[0, 3], [1, 4], [2, 5]]
