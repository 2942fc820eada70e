"""Whatever is much work: nobody else at the tables waits for it."""

import asyncio
import json
import os
import threading
import time
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BoardError, IllegalAction, RecordError
from bridgehead.core.game import Game
from bridgehead.core.law import parcel, unpack_law
from bridgehead.core.match import Match
from bridgehead.server.jobs import worker_pool as crew
from bridgehead.server.jobs.worker_pool import WorkerLost, WorkerPool
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.sqlite import Event
from bridgehead.server.tables.repository import KEPT, GameCache, is_heavy
from bridgehead.server.tables.state import law_weight
from server.boards import heavy_board, pillars
from server.live import PATIENCE, PEOPLE, Live
from waiting import apart, least, wait_for

pytestmark = pytest.mark.wide
LONGEST = 0.05  # seconds for which one person's wish may hold up the others


def asked_with_own_board(own: Live, name: str) -> list[int]:
    """Ask for everything that a board of one's own can be asked for; the answers' statuses."""
    rules = {"seats": 2, "board": heavy_board(name=name)}
    query = {"options": json.dumps(rules)}
    return [
        own.http.post("/api/check", json={"game": "barricade", "options": rules}).status_code,
        own.http.get("/api/games/barricade/picture", params=query).status_code,
        own.http.get("/api/games/barricade/rules", params=query).status_code,
        own.http.post("/api/tables", json={"game": "barricade", "options": rules}).status_code,
    ]


def test_a_board_of_ones_own_is_worked_out_elsewhere_and_holds_nobody_up(monkeypatch: pytest.MonkeyPatch, own: Live) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the server works out a board itself")

    own.http.get("/api/games/barricade/rules")  # the standard game is made once
    page = own.page(own.table(), 0)
    monkeypatch.setattr("bridgehead.games.barricade.walks.landings", refuse)
    uploads = [threading.Thread(target=asked_with_own_board, args=(own, f"board {n}")) for n in range(3)]
    with own.held_up() as heart:
        for upload in uploads:
            upload.start()
        assert asked_with_own_board(own, "mine") == [200, 200, 200, 201]
        page.act("a2-a3")
        for upload in uploads:
            upload.join(PATIENCE)
    assert heart.worst < LONGEST


def test_a_table_on_a_heavy_board_is_found_again_without_working_in_the_server(
    monkeypatch: pytest.MonkeyPatch, own: Live
) -> None:
    table = own.table("barricade", board=heavy_board(), first="highestRoll")
    before = own.page(table, 0).view
    own.restart()
    monkeypatch.setattr("bridgehead.games.barricade.walks.landings", None)
    assert own.page(table, 0).view == before


def long_log(own: Live, table: str, length: int) -> None:
    """Let a table of Burning Bridges have been played for so many actions."""
    match, dealer = Match(registry.game("burning_bridges")), SeededDealer(1)
    for event in (stored := own.store.events(table)):
        match.play(event.action)
    begun = len(match.log)
    while len(match.log) < length:
        match.deal(dealer)
        match.play(match.position.legal[len(match.log) % len(match.position.legal)])
    events = [Event(n + 1, f"{n:032x}", "action", e.actor, e.action, "person", 0.0) for n, e in enumerate(match.log)]
    linked = hash_chain.chain_events(
        stored[-1].link if stored else hash_chain.first_link(table, str(own.store.body(table))), events[begun:]
    )
    asyncio.run_coroutine_threadsafe(own.store.append(table, linked), own.loop).result(PATIENCE)


def test_a_long_table_is_opened_and_told_without_holding_others_up(own: Live) -> None:
    table = own.table("burning_bridges", seats=[PEOPLE[0]] * 5)
    long_log(own, table["table"], 1500)

    def opened() -> float:
        own.restart()
        other = own.page(own.table(), 0)
        with own.held_up() as heart:
            page = own.page(table, 0)
            other.act("a2-a3")
            own.http.get(f"/api/tables/{table['table']}/record")
            own.page(table, lang="de")
        assert len(page.view["log"]) == 1500
        return heart.worst

    assert least(opened, LONGEST) < LONGEST


def test_those_who_come_while_nothing_changes_share_one_view(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    from bridgehead.server.rooms import room, views

    monkeypatch.setattr(room, "TICK", 1 << 40)  # the time that a view shows does not change here
    made = []
    true_view = views.view
    monkeypatch.setattr(views, "view", lambda *args: made.append(args) or true_view(*args))
    table = live.table()
    watchers = [live.page(table) for _ in range(20)]
    assert len(made) == 1 and all(watcher.view == watchers[0].view for watcher in watchers)
    live.page(table, 0).act("a2-a3")
    assert live.page(table).view["v"] == 1


def test_a_stale_click_again_and_again_costs_one_view(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    from bridgehead.server.rooms import views

    table = live.table()
    watcher = live.page(table)
    made = []
    true_view = views.view
    monkeypatch.setattr(views, "view", lambda *args: made.append(args) or true_view(*args))
    for _ in range(10):
        watcher.send_act(1, version=77)
        watcher.refused("stale")
        watcher.hear("view")
    assert len(made) <= 1


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("barricade", {"board": heavy_board(8, 8), "seats": 2}),
        ("barricade", {"dieSides": 9}),
        ("burning_bridges", {"board": pillars()}),
        ("forty_bridges", {}),
        ("front_lines", {}),
    ],
)
def test_a_law_comes_whole_out_of_its_parcel(name: str, rules: dict[str, Any]) -> None:
    game = registry.game(name, **rules)
    again = Game(game.spec, game.options, unpack_law(parcel(game.law)))
    assert parcel(again.law) == parcel(game.law) and law_weight(again) == law_weight(game) > 1000
    one, other = Match(game), Match(again)
    for step in range(40):
        for match in (one, other):
            match.deal(SeededDealer(3))
        if one.position.is_over:
            break
        assert one.position == other.position and one.position.legal == other.position.legal
        action = one.position.legal[step % len(one.position.legal)]
        one.play(action)
        other.play(action)


def test_only_games_with_something_of_ones_own_are_heavy() -> None:
    assert is_heavy(registry.game("burning_bridges", board=pillars()).options)
    assert not any(is_heavy(registry.game(name).options) for name in registry.specs())


def test_games_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        games = GameCache(WorkerPool(1, PATIENCE))
        for limit in range(1, KEPT + 10):
            await games.game("forty_bridges", options={"sidesNeeded": 2})
            await games.game("barricade", options={"turnLimit": limit})
        assert await games.game("forty_bridges", options={"sidesNeeded": 2}) in games._kept.values()
        assert 2 <= len(games._kept) <= KEPT
        monkeypatch.setattr("bridgehead.server.tables.repository.WEIGHT", 1)
        light = GameCache(WorkerPool(1, PATIENCE))
        for limit in (998, 999):
            made = await light.game("barricade", options={"turnLimit": limit})
            assert list(light._kept.values()) == [made]

    apart(main())


# Workers


def fails(kind: str) -> None:
    if kind == "board":
        raise BoardError("too many ways", "board.squares")
    if kind == "record":
        raise RecordError("no such turn", "line 7")
    if kind == "illegal":
        registry.game("forty_bridges").start().play(0)
    raise MemoryError


def waits(seconds: float, answer: str) -> str:
    time.sleep(seconds)
    return answer


def at_work(work: Callable[[WorkerPool], Any]) -> Any:
    """Run a coroutine function over a worker, and end the worker."""

    async def main() -> Any:
        crew_of_one = WorkerPool(1, PATIENCE)
        try:
            return await work(crew_of_one)
        finally:
            crew_of_one.stop()

    return apart(main())


def test_what_a_worker_refuses_comes_whole_to_the_one_who_asked() -> None:
    async def work(crew_of_one: WorkerPool) -> list[Any]:
        asked = [crew_of_one.ask(fails, kind) for kind in ("board", "record", "illegal", "memory")]
        return await asyncio.gather(*asked, return_exceptions=True)

    board, of_record, illegal, memory = at_work(work)
    assert isinstance(board, BoardError) and (board.what, board.where) == ("too many ways", "board.squares")
    assert isinstance(of_record, RecordError) and str(of_record) == "line 7: no such turn"
    assert isinstance(illegal, IllegalAction) and illegal.refusal.clause and str(illegal)
    assert isinstance(memory, WorkerLost)


def test_many_requests_of_one_delay_anothers_by_one_at_most() -> None:
    async def work(crew_of_one: WorkerPool) -> list[str]:
        done: list[str] = []

        async def ask(asker: str, answer: str) -> None:
            done.append(await crew_of_one.ask(waits, 0.01, answer, asker=asker))

        await asyncio.gather(*(ask("greedy", f"g{n}") for n in range(10)), ask("modest", "m"))
        assert not crew_of_one._turns._queues and not crew_of_one._turns._waiting
        return done

    assert at_work(work).index("m") <= 1


def test_a_worker_killed_in_the_middle_of_a_request_is_told_and_replaced(own: Live) -> None:
    body = {"game": "barricade", "options": {"seats": 2, "board": heavy_board()}}
    boards: WorkerPool = own.app.state.games.workers
    killed = threading.Event()

    def kill() -> None:
        wait_for(lambda: boards.processes)
        boards.processes[0].kill()
        killed.set()

    threading.Thread(target=kill).start()
    answer = own.http.post("/api/check", json=body)
    assert killed.wait(PATIENCE) and answer.status_code == 503 and answer.json()["error"]
    assert own.http.post("/api/check", json=body).status_code == 200


def test_the_worker_for_boards_is_there_before_a_board_comes(own: Live) -> None:
    boards: WorkerPool = own.app.state.games.workers
    assert boards.processes == []
    own.http.get("/new/forty_bridges")
    first = boards.processes
    own.http.get("/new/barricade")
    assert len(first) == 1 and boards.processes == first


def test_a_damaged_board_is_refused_with_its_place_though_a_worker_looks_at_it(live: Live) -> None:
    board = heavy_board(16, 16)
    answer = live.http.post("/api/check", json={"game": "barricade", "options": {"seats": 2, "board": board}})
    assert answer.status_code == 400
    assert answer.json()["where"] == "board.squares" and answer.json()["error"].startswith("too many different ways")


@pytest.mark.skipif(os.name != "posix", reason="limits of processes")
def test_a_worker_has_only_so_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(crew_of_one: WorkerPool) -> int:
        with pytest.raises(WorkerLost):
            await crew_of_one.ask(bytearray, crew.MEMORY + 1)
        return len(await crew_of_one.ask(bytearray, 10))

    assert at_work(work) == 10


# Films


def test_a_record_longer_than_any_table_is_not_shown(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    table = live.table()
    page = live.page(table, 0, 1)
    for _ in range(3):
        page.act(page.view["choices"][0]["text"])
    record = live.http.get(f"/api/tables/{table['table']}/record").text
    monkeypatch.setattr("bridgehead.server.http.endpoints.MOST_EVENTS", 2)
    answer = live.http.post("/api/records", content=record)
    assert answer.status_code == 400 and "at most 2" in answer.json()["error"]


def test_a_record_with_endless_names_makes_no_endless_film(live: Live) -> None:
    table = live.table(seats=[PEOPLE[0] | {"name": "Ada"}, PEOPLE[1]])
    page = live.page(table, 0, 1)
    for _ in range(10):
        page.act(page.view["choices"][0]["text"])
    record = live.http.get(f"/api/tables/{table['table']}/record").text
    long = live.http.post("/api/records", content=record.replace("Ada", "A‮" * 50_000))
    assert long.status_code == 200 and long.json()["names"][0] == "A" * 32
    assert len(long.content) < 2 * len(live.http.post("/api/records", content=record).content)


def test_a_film_is_unpacked_piece_by_piece() -> None:
    from bridgehead.server.http import routes

    press = zlib.compressobj(9, wbits=routes.GZIP)
    bomb = press.compress(bytes(50_000_000)) + press.flush()
    pieces = list(map(len, routes._unpacked(bomb)))
    assert len(bomb) < 100_000 and sum(pieces) == 50_000_000 and max(pieces) <= routes.PIECE
