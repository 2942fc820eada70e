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
from server.live import Live, Serve
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
