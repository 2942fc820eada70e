"""Playtests: people play a version and answer three questions; the designer sees both beside what programs did."""

from __future__ import annotations

import csv
import io
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from bridgehead.core import registry
from bridgehead.server.http.tournaments import write_csv
from bridgehead.server.messages.lab import LabFigure, LabLight, LabReport
from bridgehead.server.storage.retention import Policy, prune
from bridgehead.server.storage.sqlite import Store
from bridgehead.server.tables.table import NewEvent, Refused
from server.clubs import one_move, resigned
from server.cluster import Cluster
from server.live import Live
from server.test_chat import speak
from server.test_forgiving_tournaments import run
from waiting import apart, wait_for

MINI = {**registry.spec("barricade").editor.starts()["mini"], "name": "Round the lake", "author": "Ada L.", "note": "a try"}
RULES = {"board": MINI, "seats": 2}


class Trial:
    """A playtest, as its designer and its testers see it."""

    def __init__(self, live: Live, game: str = "barricade", **options: Any) -> None:
        self.live = live
        made = live.ask("/api/playtests", {"game": game, "options": options}, 201)
        self.id, self.host = made["id"], made["host"]
        self.tokens: dict[str, list[str]] = {}

    def open(self, how: str = "here", status: int = 201, **more: Any) -> dict[str, Any]:
        made = self.live.ask(f"/api/playtests/{self.id}/tables", {"how": how, **more}, status)
        if status == 201:
            self.tokens[made["table"]] = [token for token in made["tokens"] if token]
        return made

    def play(self, loser: int = 1, how: str = "here", **more: Any) -> str:
        """A game that ends after a move, because a seat resigns. Returns its table."""
        made = self.open(how, **more)
        mine = [token is not None for token in made["tokens"]].index(True)
        page = self.live.page(made, mine)
        one_move(page)
        page.socket.close()
        resigned(self.live, made, loser if how == "here" else mine)
        wait_for(lambda: self.count_noted(made["table"]))
        table: str = made["table"]
        return table

    def answer(self, table: str, status: int = 204, **given: Any) -> Any:
        body = {"table": table, "tokens": self.tokens.get(table, ["none"]), "fun": 4, "start": -1, "note": "", **given}
        found = self.live.http.post(f"/api/playtests/{self.id}/answers", json=body)
        assert found.status_code == status, found.text
        return found.json() if found.content else None

    def count_noted(self, table: str = "") -> int:
        """The games that the store holds: all, or those of a table."""
        like = f'%"do":"play"%"{table}%'
        return len(self.live.store.read("select 1 from playtest where id = ? and body like ?", self.id, like))

    @property
    def results(self) -> dict[str, Any]:
        return self.live.ask(f"/api/playtests/{self.id}?lang=en", {"host": self.host})


ONE = {"setup": "custom", "layout": {"layout": "d5 a5", "name": "One step", "author": "Ada L.", "note": "a try"}}


def win(trial: Trial, how: str = "here", **more: Any) -> str:
    """A game of ONE that the first player wins by the rules. Returns its table."""
    made = trial.open(how, **more)
    page = trial.live.page(made, *[seat for seat, token in enumerate(made["tokens"]) if token])
    page.act("d5-e5")
    page.socket.close()
    wait_for(lambda: trial.count_noted(made["table"]))
    table: str = made["table"]
    return table


def figure(results: dict[str, Any], group: str, kind: str, seat: str = "") -> dict[str, Any]:
    found: dict[str, Any] = next(
        each for each in results["figures"][group] if each["kind"] == kind and (not seat or each["seat"] == seat)
    )
    return found


def store_study(live: Live, options: dict[str, Any], shares: list[tuple[float, float, float]], made: int = 1) -> str:
    """A finished study of 40 Bridges, as the lab leaves it: the share of wins of each seat, with its interval."""
    game = registry.game("forty_bridges", **options)
    key = f"{made:032x}"
    folder = live.app.state.labs.folder / key
    folder.mkdir(parents=True)
    figures = [
        LabFigure("side", game.spec.seat_letter(seat), {"en": name}, *share, 1000)
        for seat, (name, share) in enumerate(zip(["Black", "Blue"], shares, strict=True))
    ]
    told = key, "forty_bridges", "One step", {"en": ""}, made, {"en": "so"}
    report = LabReport(*told, [LabLight(2, "bad")], 1000, None, game.differences, 0, figures)
    (folder / "told.json").write_bytes(msgspec.json.encode(report))
    return key


def test_games_and_answers_are_gathered_beside_the_figures_of_programs(own: Live) -> None:
    key = store_study(own, {"setup": "custom", "layout": "d5 a5"}, [(0.5, 0.45, 0.55), (0.5, 0.45, 0.55)])
    trial = Trial(own, "forty_bridges", **ONE)
    view = own.ask(f"/api/playtests/{trial.id}?lang=en")
    assert view["title"] == "One step (40 Bridges)" and view["credits"] == ["by Ada L.", "a try"] and "host" not in view
    tables = [win(trial) for _ in range(6)]
    assert f"/playtest/{trial.id}#t={tables[0]}" in own.http.get(f"/t/{tables[0]}").text
    trial.answer(tables[0], fun=5, start=0, note="Black\u202e wins at once")
    trial.answer(tables[0], fun=4)
    trial.answer(tables[1], fun=1)
    results = trial.results
    assert [(each["players"], each["returns"], each["turns"], each["early"]) for each in results["games"]] == [
        (["", ""], [1.0, -1.0], 1, False)
    ] * 6
    assert [(each["fun"], each["start"], each["note"], each["people"]) for each in results["answers"]] == [
        (5, 0, "Black wins at once", True), (4, -1, "", True), (1, -1, "", True),
    ]  # fmt: skip
    share = figure(results, "people", "side")
    assert share["value"] == 1.0 and 0.5 < share["low"] < 0.7 and share["games"] == 6
    assert figure(results, "people", "turns")["value"] == 1.0
    assert abs(figure(results, "people", "fun")["value"] - 10 / 3) < 1e-6
    assert abs(figure(results, "people", "fair")["value"] - 2 / 3) < 1e-6
    assert results["figures"]["mixed"] == [] and figure(results, "programs", "side")["value"] == 0.5
    assert results["report"] == f"/lab/{key}" and results["lights"] == [{"number": 2, "light": "bad"}]
    [said] = results["said"]
    assert "do not agree" in said and "100 % (" in said and "Decided games: 6" in said


def test_people_who_do_as_the_programs_did_agree_with_them(own: Live) -> None:
    store_study(own, {"setup": "custom", "layout": "d5 a5"}, [(0.9, 0.85, 0.95), (0.1, 0.05, 0.15)])
    trial = Trial(own, "forty_bridges", **ONE)
    win(trial)
    [said] = own.ask(f"/api/playtests/{trial.id}?lang=de", {"host": trial.host})["said"]
    assert "stimmen mit denen der Programme überein" in said and "79 Punkte" in said, "one game is said to show little"


def test_games_against_computers_stand_apart_and_those_that_end_early_are_no_figure(own: Live) -> None:
    trial = Trial(own, "forty_bridges")
    early = trial.play()
    seats = set()
    for _ in range(12):
        made = trial.open("computer", level="random")
        assert sum(token is not None for token in made["tokens"]) == 1
        seats.add([token is not None for token in made["tokens"]].index(True))
        if len(seats) == 2:
            break
    assert seats == {0, 1}, "the seat of a tester is drawn by lot"
    other = trial.play(how="computer", level="random")
    trial.answer(early, fun=2), trial.answer(other, fun=3)
    results = trial.results
    assert [(each["early"], each["players"].count("random")) for each in results["games"]] == [(True, 0), (True, 1)]
    assert {group: {each["kind"] for each in some} for group, some in results["figures"].items()} == {
        "people": {"fair"}, "mixed": {"fair"}, "programs": set(),
    }  # fmt: skip
    assert [each["people"] for each in results["answers"]] == [True, False] and results["report"] == "" and results["said"] == []


def test_friends_take_the_free_seats(own: Live) -> None:
    trial = Trial(own, **RULES)
    made = trial.open("invite")
    assert sum(token is not None for token in made["tokens"]) == 1
    seats = own.app.state.tables._open[made["table"]].result().seats
    assert sorted(seat.free for seat in seats) == [False, True]


def test_a_restart_keeps_all_and_finds_the_game_that_ended_while_nobody_noted_it(own: Live) -> None:
    trial = Trial(own, "forty_bridges", **ONE)
    win(trial)
    trial.answer(trial.results["games"][0]["table"])
    missed = own.app.state.people.playtests._note_end
    own.app.state.people.results.ended.remove(missed)
    made = trial.open()
    page = own.page(made, 0, 1)
    page.act("d5-e5")
    page.until(lambda view: view["outcome"])
    page.socket.close()
    own.stop()
    own.start()
    results = trial.results
    assert [each["table"] for each in results["games"]].count(made["table"]) == 1 and len(results["games"]) == 2
    assert len(results["answers"]) == 1 and len(trial.results["games"]) == 2


def test_results_outlive_the_tables_that_are_pruned(own: Live) -> None:
    trial = Trial(own, "forty_bridges", **ONE)
    table = win(trial)
    trial.answer(table)
    own.stop()
    store = Store(own.file)
    assert len(apart(prune(store, Policy(idle=1), time.time() + 2 * 86_400))) == 1
    store.close()
    own.start()
    assert own.http.get(f"/t/{table}").status_code == 404
    assert len(trial.results["games"]) == len(trial.results["answers"]) == 1
    assert trial.answer(table, 400)["error"] == "No game of this playtest was played at this table."


def test_bad_input_is_refused_in_words(own: Live) -> None:
    trial, other = Trial(own, "forty_bridges", **ONE), Trial(own, "forty_bridges")
    table, strange = win(trial), other.open()["table"]
    assert (
        trial.answer(strange, 400, tokens=other.tokens[strange])["error"] == "No game of this playtest was played at this table."
    )
    assert trial.answer(table, 400, start=2)["error"] == "A seat from 0 to 2, without the last one, or -1 for a fair start."
    assert trial.answer(table, 400, fun=6)["where"].endswith("fun")
    trial.answer(table), trial.answer(table)
    assert trial.answer(table, 400)["error"] == "Everybody at this table has answered already."
    for token in ("", "wrong", other.host):
        for path in (f"/api/playtests/{trial.id}", f"/api/playtests/{trial.id}/results.csv"):
            assert "Only the designer" in own.ask(path, {"host": token}, 400)["error"]
    unknown = f"/api/playtests/{'A' * 22}"
    bodies = {unknown: {"host": "x"}, f"{unknown}/tables": {"how": "here"}}
    answers = [own.http.post(path, json=body) for path, body in bodies.items()]
    for answer in [*answers, own.http.get(unknown), own.http.get(f"/playtest/{'A' * 22}")]:
        assert answer.status_code == 404 and "playtest" in answer.text
    assert "no level" in trial.open("computer", 400, level="nobody")["error"]
    own.ask("/api/playtests", {"game": "forty_bridges", "options": {"setup": "custom"}}, 400)
    assert len(trial.results["answers"]) == 2 and trial.host not in own.http.get(f"/api/playtests/{trial.id}").text


def test_only_who_sat_at_a_table_answers_once_for_a_seat_and_only_after_a_game(own: Live) -> None:
    trial = Trial(own, "forty_bridges")
    made = trial.open("invite")
    assert "No game" in trial.answer(made["table"], 400)["error"], "nobody has moved"
    table = trial.play(how="computer", level="random")
    for strange in (["none"], ["x" * 64], trial.tokens[made["table"]], [trial.host]):
        assert "sat at this table" in trial.answer(table, 400, tokens=strange)["error"]
    assert trial.answer(table, 400, tokens=[])["where"].endswith("tokens")
    trial.answer(table)
    assert "answered already" in trial.answer(table, 400)["error"]
    assert len(trial.results["answers"]) == 1


def test_thirty_testers_who_finish_and_answer_at_once_are_all_heard(own: Live) -> None:
    trial = Trial(own, "forty_bridges", **ONE)
    made = [trial.open() for _ in range(30)]
    pages = [own.page(each, 0, 1) for each in made]
    for page in pages:
        page.send_act(page.action("d5-e5"))
    for page in pages:
        page.until(lambda view: view["outcome"])
    with ThreadPoolExecutor(30) as pool:
        for said in pool.map(lambda each: trial.answer(each["table"]), made):
            assert said is None
    wait_for(lambda: trial.count_noted() == 30)
    assert len(trial.results["games"]) == len(trial.results["answers"]) == 30


def test_games_that_computers_play_alone_are_no_figure(own: Live) -> None:
    trial = Trial(own, "forty_bridges", **ONE)
    while not (made := trial.open("computer", level="random"))["tokens"][0]:
        pass  # until the tester begins
    page = own.page(made, 0)
    page.say(t="seat", k="1" * 32, seat=0, do="computer", level="greedy")
    page.until(lambda view: view["outcome"])
    wait_for(trial.count_noted)
    assert trial.results["games"][0]["players"].count("") == 0 and trial.results["figures"]["mixed"] == []


def test_games_and_answers_are_exported_and_no_text_becomes_a_formula(own: Live) -> None:
    trial = Trial(own, "forty_bridges", **ONE)
    first, second = win(trial), win(trial)
    trial.answer(first, fun=5, start=1, note="=1+1")
    answer = own.http.post(f"/api/playtests/{trial.id}/results.csv", json={"host": trial.host})
    head, *lines = csv.reader(io.StringIO(answer.text.removeprefix("\ufeff")))
    assert head == ["table", "players", "winners", "turns", "early", "fun", "start", "note"]
    letter = registry.spec("forty_bridges").seat_letter
    assert lines == [
        [first, "person person", letter(0).upper(), "1", "0", "5", letter(1).upper(), "'=1+1"],
        [second, "person person", letter(0).upper(), "1", "0", "", "", ""],
    ]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@A1", "\t=1", " =1", "x;=1", "x, =1", "x\t=1", "x|=1", "＝1", "x;＋1"])
def test_no_text_becomes_a_formula_in_any_split_of_a_spreadsheet(text: str) -> None:
    cells = str(write_csv([[text]], "x.csv").content)
    assert text in cells and "'" in cells and "'" not in str(write_csv([["fine = good"]], "x.csv").content)


def test_a_playtest_is_deleted_with_its_games_by_its_designer_or_when_its_time_is_over(own: Live) -> None:
    trial, old = Trial(own, "forty_bridges", **ONE), Trial(own, "forty_bridges", **ONE)
    tables = [win(trial), win(old)]
    expire = own.app.state.people.playtests.expire
    assert run(own, expire(time.time() + 364 * 86_400)) == 0 and trial.results["games"]
    wait_for(lambda: not any(map(own.app.state.tables.is_visited, tables)))
    assert run(own, expire(time.time() + 366 * 86_400)) == 2
    for each in (trial, old):
        assert own.http.get(f"/api/playtests/{each.id}").status_code == 404
    assert (
        own.store.read("select 1 from playtest") == [] and own.store.read("select 1 from played where profile like 'v:%'") == []
    )
    assert all(own.http.get(f"/t/{table}").status_code == 404 for table in tables)


def test_a_playtest_is_deleted_at_once_although_testers_play(own: Live) -> None:
    trial = Trial(own, "forty_bridges")
    pages = []
    for made in (trial.open(), trial.open("computer", level="greedy"), trial.open("invite")):
        page = own.page(made, *[seat for seat, token in enumerate(made["tokens"]) if token], host=True)
        speak(page, "Hello")
        pages.append(page)
    one_move(pages[0])
    own.ask(f"/api/playtests/{trial.id}", {"host": trial.host, "do": "delete"})
    for page in pages:
        bye = page.hear("bye")
        assert bye["code"] == "table" and "playtest has been deleted" in bye["text"]
    assert own.http.get(f"/playtest/{trial.id}").status_code == 404
    wait_for(lambda: not own.app.state.manager.rooms)
    assert all(own.http.get(f"/t/{table}").status_code == 404 for table in trial.tokens)
    for kept in ("game", "event", "said", "listed", "code", "playtest", "played"):
        assert own.store.read(f"select count(*) from {kept}") == [(0,)], kept


def test_nothing_happens_at_a_deleted_table_that_a_server_still_works_at(own: Live) -> None:
    trial = Trial(own, "forty_bridges")
    made = trial.open()
    table = run(own, own.app.state.tables.find(made["table"]))
    own.ask(f"/api/playtests/{trial.id}", {"host": trial.host, "do": "delete"})

    async def write() -> None:
        async with table.lock:
            await table.write("1" * 32, NewEvent("pause", 0, by="person"))

    with pytest.raises(Refused):
        run(own, write())
    assert run(own, own.app.state.tables.find(made["table"])) is None


def test_a_tester_at_another_worker_is_told_that_the_playtest_is_deleted(cluster: Cluster) -> None:
    with cluster.workers(2) as (desk, far):
        trial = Trial(desk, "forty_bridges")
        page = far.page(trial.open(), 0, 1)
        desk.ask(f"/api/playtests/{trial.id}", {"host": trial.host, "do": "delete"})
        assert "playtest has been deleted" in page.hear("bye")["text"]
        assert far.http.get(f"/t/{next(iter(trial.tokens))}").status_code == 404
