"""Tournaments on a server: played through, over restarts, with results from the tables alone, and hosts that decide openly."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bridgehead.client import Host
from bridgehead.core import record
from bridgehead.server.connections.rate_limits import Limits
from bridgehead.server.storage.backup import put_back, save
from server.clubs import Person, one_move, resigned
from server.live import ROOMY, Live, Page, Serve
from server.test_stores import opened
from waiting import wait_for


class Cup:
    """A tournament, as its host and those who play see it."""

    def __init__(self, live: Live, game: str = "forty_bridges", **wish: Any) -> None:
        self.live = live
        answer = live.http.post("/api/tournaments", json={"name": "Cup", "game": game, **wish})
        assert answer.status_code == 201, answer.text
        self.id, self.host = answer.json()["id"], answer.json()["host"]
        self.tokens: dict[int, str] = {}

    def enter(self, name: str, level: str = "", status: int = 201, **more: Any) -> dict[str, Any]:
        body = {"name": name, "level": level, "host": self.host if level else "", **more}
        answer = self.live.http.post(f"/api/tournaments/{self.id}/entrants", json=body)
        assert answer.status_code == status, answer.text
        found: dict[str, Any] = answer.json()
        if status == 201:
            self.tokens[found["entrant"]] = found["token"]
        return found

    def do(self, what: str, status: int = 200, host: str | None = None, **more: Any) -> dict[str, Any]:
        body = {"do": what, "host": self.host if host is None else host, **more}
        return self.live.ask(f"/api/tournaments/{self.id}", body, status)

    @property
    def view(self) -> dict[str, Any]:
        return self.live.ask(f"/api/tournaments/{self.id}")

    def open_games(self) -> list[dict[str, Any]]:
        return [game for game in self.view["games"] if not game["points"]]

    def lose(self, game: dict[str, Any], loser: int) -> None:
        """The entrant resigns a game; ends when the tournament knows, and has dealt what follows."""
        tokens = [self.tokens[entrant] for entrant in game["seats"]]
        table = {"table": game["table"], "tokens": tokens, "host": self.host}
        pages = [self.live.page(table, seat) for seat in range(len(tokens))]
        one_move(pages[pages[0].until(lambda view: view["actor"] >= 0)["actor"]])
        for page in pages:
            page.socket.close()
        resigned(self.live, table, game["seats"].index(loser))
        done = lambda: next(each for each in self.view["games"] if each["table"] == game["table"])["points"]  # noqa: E731
        wait_for(done)
        wait_for(lambda: not self.live.app.state.people.tournaments._locks[self.id].locked())


def test_a_round_robin_of_three_is_played_through(own: Live) -> None:
    cup = Cup(own, kind="round_robin")
    for name in ("Ada", "Ben", "Cleo"):
        cup.enter(name)
    assert cup.view["state"] == "open" and cup.do("start")["rounds"] == 3
    while games := cup.open_games():
        for game in games:
            cup.lose(game, max(game["seats"]))  # the smaller number wins
    view = cup.view
    assert view["state"] == "over" and [line["entrant"] for line in view["lines"]] == [0, 1, 2]
    assert [line["points"] for line in view["lines"]] == [3.0, 2.0, 1.0], "each with one bye"
    assert sorted(each for byes in view["byes"] for each in byes) == [0, 1, 2]
    assert view["tie_breaks"] == ["direct", "sonneborn", "wins", "lot"]


@pytest.mark.wide
def test_sixteen_levels_and_a_person_play_a_swiss_tournament_and_the_dice_are_sealed(own: Live) -> None:
    cup = Cup(own, "barricade", options={"board": "mini"}, size=2, rounds=2)
    for i in range(16):
        cup.enter(f"Bot {i + 1}", level="greedy")
    ada = cup.enter("Ada")["entrant"]
    cup.do("start")
    for number in (1, 2):
        wait_for(lambda number=number: len(cup.view["games"]) == 8 * number)  # type: ignore[misc]
        for game in [each for each in cup.open_games() if ada in each["seats"]]:
            play_on(cup, game, ada)
    wait_for(lambda: cup.view["state"] == "over")
    view = cup.view
    assert len(view["games"]) == 16 and all(game["points"] for game in view["games"]) and len(view["byes"]) == 2
    assert sum(line["points"] for line in view["lines"]) == 18
    records = [own.http.get(f"/api/tables/{game['table']}/record").text for game in view["games"]]
    assert all("chance: sealed (BGF2, level 1)" in text for text in records)


def play_on(cup: Cup, game: dict[str, Any], entrant: int) -> None:
    """A person plays any move until the game is over."""
    with Host(cup.live.url).join(game["table"], [cup.tokens[entrant]]) as seat:
        while seat.view["outcome"] is None:
            seat.wait_for_turn()
            if seat.view["outcome"] is None:
                seat.play(seat.choices[0]["action"])


def test_a_tournament_survives_a_killed_server_and_finds_results_that_it_missed(own: Live) -> None:
    cup = Cup(own, kind="round_robin", paired=True)
    cup.enter("Ada"), cup.enter("Ben")
    cup.do("start")
    [game] = cup.open_games()
    cup.lose(game, game["seats"][0])
    before = cup.view
    assert len(before["games"]) == 2 and before["games"][1]["seats"] == game["seats"][::-1], "the second game with changed seats"
    own.store.read("select 1 from tournament")
    own.restart()
    cup.live = own
    assert cup.view == before
    [game] = cup.open_games()
    cup.lose(game, game["seats"][0])
    assert cup.view["state"] == "over" and [line["points"] for line in cup.view["lines"]] == [1.0, 1.0]


def test_a_tournament_goes_on_after_a_backup_and_its_restore(tmp_path: Path) -> None:
    own = Live(tmp_path / "first")
    cup = Cup(own, kind="round_robin", paired=True)
    cup.enter("Ada"), cup.enter("Ben")
    cup.do("start")
    save(tmp_path / "copy", tmp_path / "first")
    before = cup.view
    own.stop()
    put_back(tmp_path / "copy", tmp_path / "second")
    cup.live = Live(tmp_path / "second")
    assert cup.view == before
    for _ in before["games"] * 2:  # each pair plays twice, with changed seats
        [game] = cup.open_games()
        cup.lose(game, game["seats"][0])
    assert cup.view["state"] == "over" and [line["points"] for line in cup.view["lines"]] == [1.0, 1.0]
    cup.live.stop()


def test_nobody_but_the_host_starts_decides_or_ends_and_results_come_from_the_tables_alone(own: Live) -> None:
    cup = Cup(own)
    ada, ben = cup.enter("Ada"), cup.enter("Ben")
    for what in ("start", "close", "decide"):
        assert "Only the host" in cup.do(what, 400, host="", table="X")["error"]
        assert "Only the host" in cup.do(what, 400, host=ada["token"], table="X")["error"]
    cup.do("start")
    [game] = cup.open_games()
    assert "Only the host" in cup.do("decide", 400, host=ben["token"], table=game["table"], points=[0, 1])["error"]
    assert "Only the host" in cup.do("leave", 400, host="", token=ben["token"], entrant=0)["error"], "Ben does not send Ada away"
    assert "2 numbers" in cup.do("decide", 400, table=game["table"], points=[1])["error"]
    assert cup.do("decide", 400, table="A" * 22, points=[0, 1])["error"].endswith("at this table.")
    decided = cup.do("decide", table=game["table"], points=[0.5, 0.5])
    assert decided["games"][0]["host"], "everybody sees that the host decided it"
    stranger = Page(own.url)
    stranger.say(t="hello", p=1, table=game["table"], tokens=[secrets.token_urlsafe(24)], lang="en")
    assert stranger.closed() == 1008
    secret = [cup.host, ada["token"], ben["token"]]
    stored = str(own.store.read("select body from tournament")) + own.http.get(f"/api/tournaments/{cup.id}").text
    assert all(each not in stored for each in secret)


def test_bad_input_gets_a_sentence_each(own: Live) -> None:
    def refused(**wish: Any) -> str:
        answer = own.http.post("/api/tournaments", json={"name": "Cup", "game": "barricade", **wish})
        assert answer.status_code == 400, answer.text
        return answer.json()["error"]

    assert refused(name=" ") == "A tournament needs a name."
    assert "seats" in refused(size=3, options={"seats": 2}) and refused(game="forty_bridges", size=4).startswith(
        "a table of this"
    )
    assert own.http.get("/api/tournaments/" + "A" * 22).status_code == 404
    cup = Cup(own)
    assert cup.do("start", 400)["error"] == "At least 2 must take part."
    cup.enter("Ada")
    assert cup.enter("Ada", status=400)["error"].endswith("Somebody is called Ada already.")
    assert cup.enter(" ", status=400)["error"].endswith("needs a name.")
    assert "no level" in cup.enter("Bot", level="genius", status=400)["error"]
    answer = own.http.post(f"/api/tournaments/{cup.id}/entrants", json={"name": "Bot", "level": "random"})
    assert "Only the host" in answer.json()["error"]
    cup.enter("Ben")
    cup.do("start")
    assert cup.enter("Late", status=400)["error"] == "This tournament has begun; nobody can enter any more."


def test_a_person_without_a_profile_may_send_an_empty_key(own: Live) -> None:
    cup = Cup(own)
    assert cup.enter("Ada", key="")["entrant"] == 0
    assert "key" in cup.enter("Eve", status=400, key="short")["where"]


def test_whoever_leaves_loses_the_running_game_and_is_paired_no_more(own: Live) -> None:
    cup = Cup(own, kind="round_robin", paired=True)
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        cup.enter(name)
    cup.do("start")
    [game] = [each for each in cup.open_games() if 3 in each["seats"]]
    other = next(each for each in game["seats"] if each != 3)
    left = cup.do("leave", host="", token=cup.tokens[3], entrant=3)
    found = [each for each in left["games"] if 3 in each["seats"]]
    assert len(found) == 2 and all(each["points"][each["seats"].index(other)] == 1.0 for each in found)
    while cup.view["round"] == 1:
        for each in cup.open_games():
            cup.lose(each, each["seats"][0])
    assert all(3 not in each["seats"] for each in cup.open_games()) and len(cup.view["byes"][1]) == 1


def test_a_profile_takes_part_once_and_its_games_are_rated(own: Live) -> None:
    cup, ada, ben = Cup(own), Person(own, "Ada"), Person(own, "Ben")
    cup.enter("Ada", key=ada.key), cup.enter("Ben", key=ben.key)
    assert cup.enter("Ada 2", key=ada.key, status=400)["error"] == "This profile takes part already."
    cup.do("start")
    [game] = cup.open_games()
    cup.lose(game, 1)
    wait_for(lambda: own.store.read("select 1 from result"))
    assert {row[0] for row in own.store.read("select who from rating")} == {f"p:{ada.id}", f"p:{ben.id}"}


def test_an_arena_pairs_whoever_is_free_until_its_time_is_up(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = Cup(own, "barricade", kind="arena", minutes=60, options={"board": "mini"}, size=2)
    for i in range(3):
        cup.enter(f"Bot {i}", level="greedy")
    cup.do("start")
    wait_for(lambda: len(cup.view["games"]) > 3)
    cup.enter("Late", level="greedy")
    wait_for(lambda: any(3 in game["seats"] for game in cup.view["games"]))
    assert cup.view["state"] == "running"
    hour_later = SimpleNamespace(time=lambda: time.time() + 3600, monotonic=time.monotonic)
    monkeypatch.setattr("bridgehead.server.people.tournaments.time", hour_later)
    wait_for(lambda: cup.view["state"] == "over")
    assert cup.view["seconds"] == 0 and all(game["points"] for game in cup.view["games"])


def test_the_host_closes_an_arena_before_its_time(own: Live) -> None:
    cup = Cup(own, "barricade", kind="arena", minutes=60, options={"board": "mini"}, size=2)
    cup.enter("Bot 0", level="greedy"), cup.enter("Bot 1", level="greedy")
    assert cup.do("start")["seconds"] > 0
    closed = cup.do("close")
    assert closed["state"] == "over" and closed["seconds"] == 0


def test_both_databases_keep_tournaments(place: str, serve: Serve) -> None:
    own = serve(store=opened(place))
    cup = Cup(own, kind="knock_out")
    cup.enter("Ada"), cup.enter("Ben")
    cup.do("start")
    [game] = cup.open_games()
    cup.lose(game, 0)
    assert cup.view["state"] == "over" and cup.view["lines"][0]["entrant"] == 1


def test_nothing_changes_a_tournament_that_is_over(own: Live) -> None:
    """The champion who left afterwards dropped to the last place."""
    cup = Cup(own, kind="knock_out")
    cup.enter("Ada"), cup.enter("Ben")
    cup.do("start")
    [game] = cup.open_games()
    cup.do("decide", table=game["table"], points=[1, 0])
    before = cup.view
    assert before["state"] == "over"
    ended = "This tournament is over; nothing changes it any more."
    for entrant in (0, 1):
        assert cup.do("leave", 400, host="", token=cup.tokens[entrant], entrant=entrant)["error"] == ended
        assert cup.do("leave", 400, entrant=entrant)["error"] == ended
    assert cup.view == before and cup.do("close") == before


def test_made_up_tournaments_leave_nothing_in_memory(own: Live) -> None:
    service = own.app.state.people.tournaments
    before = len(service._locks), len(service._known)
    for letter in "ABCDE":
        name = letter * 22
        assert own.http.post(f"/api/tournaments/{name}", json={"do": "start", "host": "x"}).status_code == 400
        assert own.http.post(f"/api/tournaments/{name}/entrants", json={"name": "Mallory"}).status_code == 400
    assert (len(service._locks), len(service._known)) == before


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let so many minutes pass at once for tournaments."""
    ahead = [0.0]

    def pass_by(minutes: float) -> None:
        ahead[0] += 60 * minutes

    clock = SimpleNamespace(time=lambda: time.time() + ahead[0], monotonic=time.monotonic)
    monkeypatch.setattr("bridgehead.server.people.tournaments.time", clock)
    monkeypatch.setattr("bridgehead.server.people.tournaments.OFTEN", 0.0)
    monkeypatch.setattr("bridgehead.server.people.tournaments.SOON", 0.05)
    return pass_by


def started(live: Live, names: str, game: str = "forty_bridges", **wish: Any) -> Cup:
    """A tournament that has begun, with an entrant for each letter."""
    cup = Cup(live, game, **wish)
    for name in names:
        cup.enter(name)
    cup.do("start")
    return cup


def come(cup: Cup, game: dict[str, Any], *entrants: int, **wish: Any) -> Page:
    """These entrants open the table of a game."""
    table = {"table": game["table"], "tokens": [cup.tokens[each] for each in game["seats"]]}
    return cup.live.page(table, *(game["seats"].index(each) for each in entrants), **wish)


def test_whoever_came_in_time_wins_and_a_restart_keeps_the_time(own: Live, later: Callable[[float], None]) -> None:
    cup = started(own, "AB", kind="round_robin")
    [game] = cup.open_games()
    assert cup.view["appear"] == 10 and 590 <= game["until"] - time.time() <= 601
    ada, until, one = game["seats"].index(0), game["until"], come(cup, game, 0)
    assert [event.kind for event in own.store.events(game["table"])] == ["came"]
    one.socket.close()
    own.restart()
    later(9)
    [game] = cup.open_games()
    assert game["until"] == until, "it is stored when they must have come"
    watching = own.page({"table": game["table"], "tokens": []}, lang="de")
    later(1.1)
    wait_for(lambda: cup.view["state"] == "over")
    view = cup.view
    assert view["games"][0]["absent"] == [1] and view["games"][0]["until"] == 0 and not view["games"][0]["host"]
    assert {line["entrant"]: line["points"] for line in view["lines"]} == {0: 1.0, 1: 0.0}
    outcome = watching.until(lambda shown: shown["outcome"])["outcome"]
    assert (
        outcome["reason"] == "did not appear"
        and outcome["winners"] == [ada]
        and "nicht rechtzeitig erschienen" in outcome["text"]
    )
    end = own.store.events(game["table"])[-1]
    assert (end.kind, end.by, end.actor) == ("end", "clock", 1 - ada)
    text = own.http.get(f"/api/tables/{game['table']}/record").text
    assert f"ended: seat {2 - ada} did not appear\n" in text and record.load(text)[0].outcome is not None
    assert own.store.read("select count(*) from rating") == [(0,)]


def test_in_its_first_minute_a_server_lets_nobody_lose(own: Live, later: Callable[[float], None]) -> None:
    cup = started(own, "AB")
    later(30)
    own.restart()
    assert cup.open_games(), "perhaps the server was down when they wanted to come"
    later(1.1)
    wait_for(lambda: not cup.open_games())


def test_if_nobody_came_all_have_lost_and_who_is_missing_twice_leaves(own: Live, later: Callable[[float], None]) -> None:
    cup = started(own, "ABCD", kind="knock_out", appear=3, paired=True)
    [one] = [each for each in cup.open_games() if 0 in each["seats"]]
    [other] = [each for each in cup.open_games() if 0 not in each["seats"]]
    page = come(cup, other, *other["seats"])
    later(3.1)
    wait_for(lambda: len([each for each in cup.view["games"] if each["absent"]]) == 1)
    [lost] = [each for each in cup.view["games"] if each["absent"]]
    assert sorted(lost["absent"]) == sorted(one["seats"]) and lost["points"] == [0, 0]
    shown = own.page({"table": one["table"], "tokens": []})
    assert shown.view["outcome"]["winners"] == [] and "wins" not in shown.view["outcome"]["text"]
    assert "outcome" in page.view and page.view["outcome"] is None, "who came plays on"
    later(3.1)
    wait_for(lambda: cup.view["people"][0]["left"])
    left = [entrant for entrant, each in enumerate(cup.view["people"]) if each["left"]]
    assert left == sorted(one["seats"])
    for _ in (1, 2):
        [game] = [each for each in cup.open_games() if other["seats"][0] in each["seats"]]
        come(cup, game, *game["seats"])
        cup.lose(game, other["seats"][0])
    assert cup.view["state"] == "over" and cup.view["lines"][0]["entrant"] == other["seats"][1], "nobody is left to meet"


def test_at_a_table_of_three_with_sealed_dice_the_one_who_came_wins(own: Live, later: Callable[[float], None]) -> None:
    cup = started(own, "ABC", "burning_bridges", size=3)
    [game] = cup.open_games()
    page = come(cup, game, 1)
    later(11)
    wait_for(lambda: cup.view["games"][0]["points"])
    outcome = page.until(lambda view: view["outcome"])["outcome"]
    assert outcome["winners"] == [game["seats"].index(1)]
    assert sorted(cup.view["games"][0]["absent"]) == [0, 2]
    text = own.http.get(f"/api/tables/{game['table']}/record").text
    assert "did not appear" in text and record.dump(*record.load(text)) is not None


def test_without_a_limit_and_by_days_nobody_has_to_come_in_time(own: Live, later: Callable[[float], None]) -> None:
    for wish in ({"appear": 0}, {"clock": {"days": 3}}):
        cup = started(own, "AB", **wish)
        assert cup.view["appear"] == 0
        later(100)
        [game] = cup.open_games()
        assert game["until"] == 0


def test_so_many_enter_from_one_address_and_the_store_does_not_hold_it(serve: Serve) -> None:
    own = serve(ROOMY._replace(entrants=3))
    cup, other = Cup(own), Cup(own)
    for name in "ABC":
        cup.enter(name)
    assert cup.enter("D", status=400)["error"] == "From this address 3 take part already; no more can enter from it."
    cup.enter("Bot", level="random")
    cup.do("leave", entrant=0)
    cup.enter("D", status=400)
    other.enter("A")
    bodies = [json.loads(body) for (body,) in own.store.read("select body from tournament order by time, n")]
    origins = [each["origin"] for each in bodies if each["do"] == "join"]
    assert len({*origins[:3]}) == 1 and origins[3] == "" and origins[4] not in ("", origins[0]), "another one in each tournament"
    assert "127.0.0" not in str(bodies)
    assert Limits().entrants == 40, "a school class is behind one address"


def test_the_host_removes_many_at_once_and_nobody_else_does(own: Live) -> None:
    cup = Cup(own, kind="round_robin")
    for name in "ABCDE":
        cup.enter(name)
    assert "Only the host" in cup.do("leave", 400, host="", token=cup.tokens[1], entrants=[1, 2])["error"]
    assert cup.do("leave", 400, entrants=[1, 9])["error"] and not any(each["left"] for each in cup.view["people"])
    gone = cup.do("leave", entrants=[1, 2, 2])
    assert [each["left"] for each in gone["people"]] == [False, True, True, False, False]
    cup.do("start")
    [game] = cup.open_games()
    ended = cup.do("leave", entrants=game["seats"])["games"][0]
    assert ended["points"] == [0, 0] and ended["host"]
    assert cup.do("leave", 200, host="", token=cup.tokens[1], entrants=[1])["people"][1]["left"], "one's own, again"


@pytest.mark.parametrize("aids", [False, True])
def test_only_the_host_allows_hints_and_takebacks(own: Live, aids: bool) -> None:
    cup = Cup(own, kind="round_robin", aids=aids)
    cup.enter("Ada")
    cup.enter("Bot", level="greedy")
    assert cup.do("start")["aids"] is aids
    (game,) = cup.open_games()
    seat = game["seats"].index(0)
    page = own.page({"table": game["table"], "tokens": [cup.tokens[0]] * 2, "host": cup.host}, seat)
    view = page.until(lambda view: view.get("choices"))
    assert view.get("hints", False) is aids
    version = one_move(page)
    view = page.until(lambda view: view["v"] > version and view["actor"] == seat)
    assert ("takeback" in view["may"]) is aids
    page.say(t="ask", k=secrets.token_hex(16), v=view["v"], what="takeback")
    if aids:
        page.hear("ack")
    else:
        assert page.refused("closed")["text"] == "In this tournament nothing is taken back."
