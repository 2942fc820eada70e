"""Computer players: they think elsewhere, and nobody waits for ever for one that fails."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.match import Match
from bridgehead.players import LEVELS, player, subprocess_player
from bridgehead.server.jobs.computer_players import ComputerPlayers, decide
from bridgehead.workshop.arena.contest import greedy_against_random
from server.boards import heavy_board, pillars
from server.live import PATIENCE, Live, Page, Serve, computers
from waiting import lines

pytestmark = pytest.mark.wide
QUICK = 3_000_000  # lines of Python; 2.1 million, for the larger board, took a third of a second beside other work
COMPUTER = {"kind": "computer", "level": "greedy"}
AGAINST = [{"kind": "person"}, COMPUTER]


def dies(*_: Any) -> int:
    os._exit(1)


def hangs(*_: Any) -> int:
    time.sleep(3600)
    return 0


def raises(*_: Any) -> int:
    raise BridgeheadError("nothing comes to mind")


def slow(*request: Any) -> int:
    time.sleep(0.1)
    return decide(*request)


def cheats(*_: Any) -> int:
    return 10**6


def dies_once(folder: str, *request: Any) -> int:
    mark = Path(folder) / "died"
    if not mark.exists():
        mark.touch()
        os._exit(1)
    return decide(*request)


def by_whom(own: Live, table: dict[str, Any]) -> list[str]:
    """Who chose the actions of a table, in order."""
    return [event.by for event in own.store.events(table["table"])]


def play_one(own: Live, table: dict[str, Any]) -> Page:
    """A person acts; then it is the computer's turn, and it acts."""
    page = own.page(table, 0)
    assert page.act("a2-a3")["thinking"]
    page.until(lambda view: view["actor"] != 1)
    return page


@pytest.mark.parametrize("level", LEVELS)
def test_a_computer_answers_a_person_and_the_log_says_who_acted(level: str, live: Live) -> None:
    table = live.table(seats=[{"kind": "person"}, {"kind": "computer", "level": level}])
    page = play_one(live, table)
    assert by_whom(live, table) == ["person", level]
    assert page.view["seats"][1]["kind"] == "computer" and page.view["seats"][1]["level"] == level
    assert not page.view["thinking"] and page.view["v"] == 2


@pytest.mark.parametrize("failure", [dies, hangs, raises, cheats])
def test_a_computer_that_fails_twice_is_stood_in_for_by_lot(failure: Any, serve: Serve) -> None:
    bots = ComputerPlayers(pace=0, deadline=3 if failure is hangs else PATIENCE)
    bots.decide = failure
    own = serve(bots=bots)
    table = own.table(seats=AGAINST)
    page = play_one(own, table)
    assert by_whom(own, table) == ["person", "fallback"]
    bots.decide = decide
    bots.workers.deadline = PATIENCE
    page.act(page.view["choices"][0]["text"])
    page.until(lambda view: view["actor"] != 1)
    assert by_whom(own, table)[-1] == "greedy", "the worker that was lost has been replaced"


def test_a_computer_is_told_the_position_and_no_secret(tmp_path: Path) -> None:
    bots = computers()
    bots.decide = TellsWhatItKnows(str(tmp_path))
    own = Live(tmp_path, bots=bots)
    body = {"game": "barricade", "options": {"board": "mini"}, "seats": [AGAINST[0], COMPUTER], "seed": "the-seed-of-the-dice"}
    table = own.http.post("/api/tables", json=body).json()
    page = own.page(table, 0)
    while by_whom(own, table).count("greedy") < 2:
        while page.view["actor"] == 0:
            page.act(page.view["choices"][0]["text"])
        page.hear("view")
    own.stop()
    known = [json.loads(line) for line in (tmp_path / "known").read_text().splitlines()]
    assert known and {len(request) for request in known} == {5}, "game, house rules, position, level, a seed of its own"
    assert [request[3] for request in known] == ["greedy"] * len(known)
    assert not any(secret in str(known) for secret in ["the-seed-of-the-dice", table["tokens"][0], table["table"]])


def test_a_level_that_watches_gets_the_latest_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess_player, "watches", lambda game, level: level == "greedy")
    bots = computers()
    bots.decide = TellsWhatItKnows(str(tmp_path))
    own = Live(tmp_path, bots=bots)
    play_one(own, own.table(seats=AGAINST))
    own.stop()
    known = [json.loads(line) for line in (tmp_path / "known").read_text().splitlines()]
    start, actions = known[0][5]
    game = registry.game("forty_bridges")
    assert start == game.start().text, "the position before the latest actions"
    assert actions == [game.start().read("a2-a3")]


class TellsWhatItKnows:
    """`decide` that writes down what it is asked."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, *request: Any) -> int:
        with (Path(self.folder) / "known").open("a") as file:
            file.write(json.dumps(request) + "\n")
        return decide(*request)


def test_the_computers_of_one_address_do_not_keep_those_of_another_waiting(serve: Serve) -> None:
    bots = computers()
    bots.decide = slow
    own = serve(bots=bots)
    crowd = [own.page(own.table(seats=[COMPUTER, COMPUTER])) for _ in range(12)]
    table = own.table(seats=AGAINST)
    page = Page(own.url, source_address=("127.0.0.2", 0))
    page.say(t="hello", p=1, table=table["table"], tokens=[table["tokens"][0]])
    page.hear("view")
    page.act("a2-a3")
    before = sum(len(own.store.events(each.view["table"])) for each in crowd)
    page.until(lambda view: view["actor"] != 1)
    assert sum(len(own.store.events(each.view["table"])) for each in crowd) - before <= 3


def test_a_worker_that_dies_is_replaced_and_asked_again(tmp_path: Path, serve: Serve) -> None:
    bots = computers()
    own = serve(bots=bots)
    bots.decide = DiesOnce(str(tmp_path))
    table = own.table(seats=AGAINST)
    play_one(own, table)
    assert by_whom(own, table) == ["person", "greedy"] and (tmp_path / "died").exists()


class DiesOnce:
    """`dies_once` over a folder, as something that can be sent to a worker."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, *request: Any) -> int:
        return dies_once(self.folder, *request)


def test_a_computers_turn_is_found_again_after_a_start(serve: Serve) -> None:
    own = serve(bots=ComputerPlayers(pace=3600))
    table = own.table(seats=AGAINST)
    own.page(table, 0).act("a2-a3")
    assert own.stop() < 3
    own = serve()
    page = own.page(table, 0)
    page.until(lambda view: view["actor"] != 1)
    assert by_whom(own, table) == ["person", "greedy"]


@pytest.mark.parametrize("game", ["barricade", "burning_bridges", "forty_bridges", "front_lines"])
def test_computers_play_a_game_among_themselves_while_somebody_watches(game: str, live: Live) -> None:
    seats = [{"kind": "computer", "level": level} for level in ("greedy", "random")]
    table = live.table(game, seats, **({"board": "mini"} if game == "barricade" else {}))
    watcher = live.page(table)
    while watcher.view["v"] < 30 and not watcher.view["outcome"]:
        watcher.hear("view")
    assert set(by_whom(live, table)) <= {"greedy", "random", "chance"}


def test_a_greedy_decision_is_quick_without_a_compiler_on_the_largest_boards() -> None:
    ask = heavy_board(16, 16) | {"barricades": [[x, y] for y in range(1, 15, 2) for x in range(0, 16, 3)]}
    game = registry.game("barricade", board=ask, dieSides=5)
    match = Match(game)
    while len(match.position.legal) < 150:  # a barricade has been taken, and may be put anywhere
        match.deal(SeededDealer(1))
        match.play(max(match.position.legal, key=lambda action: len(match.position.play(action).legal)))
    work = lines(lambda: player("greedy", 1).choose(match.position))
    assert len(match.position.legal) < work < QUICK
    wide = Match(registry.game("burning_bridges", board=pillars(), idleLimit=15))
    wide.deal(SeededDealer(1))
    for step in range(80):
        chooser = player("random", step)
        wide.play(chooser.choose(wide.position))
    assert lines(lambda: player("greedy", 1).choose(wide.position)) < QUICK


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_chooses_legal_actions_and_the_same_ones_again(level: str) -> None:
    matches = []
    for _ in range(2):
        match, chooser = Match(registry.game("forty_bridges")), player(level, 5)
        for _ in range(10):
            action = chooser.choose(match.position)
            assert action in match.position.legal
            match.play(action)
        matches.append(match.actions)
    assert matches[0] == matches[1]


def test_greedy_enters_the_far_corner_when_it_can() -> None:
    position = registry.game("forty_bridges", setup="custom", layout="e4,a2 b4,c2").start()
    assert position.name(player("greedy", 1).choose(position)) == "e4-e5"


def test_there_is_no_level_of_another_name() -> None:
    with pytest.raises(OptionError, match="no level 'god'"):
        player("god", 1)


def test_the_arena_rotates_seats_and_repeats_itself() -> None:
    game = registry.game("forty_bridges")
    result = greedy_against_random(game, 6, 1)
    assert result == greedy_against_random(game, 6, 1)
    assert result.games == 6 and result.wins <= result.decided <= 6
    assert result.interval[0] <= result.share <= result.interval[1]
