"""Histories: what clients asked and were answered under faults has to be what one table, asked one after another, answers.

Every client writes down each request with its moments and its answer. Meanwhile servers are killed and started again, paused, and
cut; or two workers share a database that crashes. A request whose answer was lost may have happened, at any later moment, or not.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import secrets
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException

from bridgehead.core import registry
from server.cluster import Cluster
from server.linearizability import Operation, order
from server.live import PATIENCE, Live, Page
from server.table_model import Seat, TableModel
from server.test_kill import Nursery
from waiting import wait_for

pytestmark = pytest.mark.wide
RULES = {"firstPlayer": "seat0"}  # no chance
SEATS = [{"kind": "person"}, {"kind": "person"}, {"kind": "person", "open": True}]
LOST = (WebSocketException, OSError, TimeoutError, EOFError, httpx.HTTPError)
OFTEN = 30  # requests between two faults
DOS = {"substitute": 4, "open": 4, "leave": 1, "name": 8, "claim": 4}  # of a seat's person, by how often


def model(tokens: list[str], strict: bool) -> TableModel:
    game = registry.game("burning_bridges", seats=len(SEATS), **RULES)
    return TableModel(game, [Seat(token, free=bool(seat.get("open"))) for token, seat in zip(tokens, SEATS, strict=True)], strict)


class Client:
    """One client of a table: it asks by lot, and writes down what it is answered. url: where the table is served now."""

    def __init__(self, name: int, table: dict[str, Any], url: Callable[[], str], known: list[str], seed: int) -> None:
        self.name, self.table, self.url, self.known = name, table["table"], url, known
        self.lot = random.Random(seed)
        self.page: Page | None = None
        self.mine: frozenset[str] = frozenset()
        self.home = known[name % len(SEATS) : name % len(SEATS) + 1]
        self.history: list[Operation] = []
        self.unsure: tuple[tuple[Any, ...], dict[str, Any], float] | None = None  # a move without an answer, to be sent again

    def run(self, until: threading.Event) -> None:
        while not until.is_set():
            try:
                self._once()
            except LOST:
                self._drop()
                time.sleep(0.1)
        self._drop()

    def _drop(self) -> None:
        if self.page is not None:
            with contextlib.suppress(*LOST):
                self.page.socket.close()
        self.page = None

    def _record(self, asked: tuple[Any, ...], answer: Any, begun: float) -> None:
        self.history.append(Operation(self.name, asked, answer, begun, time.monotonic() if answer else float("inf")))

    def _once(self) -> None:
        if self.page is None:
            self._come()
        elif self.unsure is not None:
            asked, message, begun = self.unsure
            if asked[1] == self.mine:
                self._ask(asked, message, begun)
            else:
                self._record(asked, None, begun)
                self.unsure = None
        elif self.lot.random() < 0.06:
            self._drop()
        elif self._looks(self.page) or self.lot.random() < 0.3:
            self._ask(*self._wish(self.page), time.monotonic())

    def _come(self) -> None:
        others = [self.lot.choice(self.known[-5:])] if self.lot.random() < (0.15 if self.home else 0.8) else []
        mine = frozenset([*self.home, *others])
        begun, asked = time.monotonic(), ("come", mine)
        try:
            page = Page(self.url())
            page.say(t="hello", p=1, table=self.table, tokens=sorted(mine), plain=True, brief=True)
            while (told := page.hear_any())["t"] not in ("view", "bye"):
                pass
        except LOST:
            self._record(asked, None, begun)
            raise
        if told["t"] == "bye":
            if told["code"] == "token":
                self._record(asked, ("bye", "token"), begun)
                self.home = []
            else:
                self._record(asked, None, begun)
            page.socket.close()
            return
        self._record(asked, (told["v"], tuple(told["you"])), begun)
        self.page, self.mine = page, mine

    def _looks(self, page: Page) -> bool:
        """Look at what the server has sent meanwhile. Is there anything to choose?"""
        with contextlib.suppress(TimeoutError):
            while True:
                message = json.loads(page.socket.recv(0.005))
                if message["t"] == "view":
                    page.view = message
        return bool(page.view.get("choices"))

    def _wish(self, page: Page) -> tuple[tuple[Any, ...], dict[str, Any]]:
        view, key = page.view, secrets.token_hex(16)
        version = max(0, view["v"] - (self.lot.random() < 0.1))
        if self.lot.random() < (0.06 if view["you"] else 0.3):
            (do,) = self.lot.choices([*DOS], [*DOS.values()]) if view["you"] else ["claim"]
            do = "name" if do == "leave" and not moves(self.history) else do  # else the first to move may leave, and nobody moves
            seats = range(len(SEATS)) if do == "claim" else view["you"]  # a vote about another's seat is no part of the model
            seat = self.lot.choice(seats)
            return ("seat", self.mine, seat, do), {"t": "seat", "k": key, "seat": seat, "do": do, "name": "N"}
        if self.lot.random() < 0.15:
            return ("undo", self.mine, version), {"t": "undo", "k": key, "v": version}
        actions = [choice["action"] for choice in view.get("choices") or ()] or [self.lot.randrange(40)]
        action = self.lot.choice(actions)
        return ("act", self.mine, action, version), {"t": "act", "k": key, "v": version, "a": action}

    def _ask(self, asked: tuple[Any, ...], message: dict[str, Any], begun: float) -> None:
        assert self.page is not None
        key, given = message["k"], ""
        try:
            self.page.say(**message)
            if self.lot.random() < 0.03:  # the line is cut before the answer
                raise EOFError
            while (told := self.page.hear_any()).get("k") != key or told["t"] not in ("ack", "rej"):
                if told["t"] == "link":
                    given = told["token"]
        except LOST:
            if asked[0] == "seat":
                self._record(asked, None, begun)
            else:
                self.unsure = asked, message, begun
            raise
        repeated, self.unsure = self.unsure is not None, None
        if repeated and told["t"] == "rej" and told["code"] == "bad":  # the first copy was done, and the seat is another's since
            self.history.append(Operation(self.name, asked, None, begun, time.monotonic()))
            return
        if told["t"] == "rej" and told["code"] in ("storage", "internal"):  # it may have happened
            self._record(asked, None, begun)
            self._drop()
            return
        self._record(asked, ("ack", told["v"], given) if told["t"] == "ack" else ("rej", told["code"]), begun)
        if given:
            self.known.append(given)
            self.home = [given] if asked[3] == "claim" else self.home
            self.mine |= {given} if asked[3] == "claim" else set()


def play(clients: list[Client], requests: int, fault: Callable[[], None]) -> list[Operation]:
    """Let the clients ask so much while faults happen, one for every OFTEN requests. Returns the whole history."""
    over = threading.Event()
    threads = [threading.Thread(target=each.run, args=(over,)) for each in clients]
    for thread in threads:
        thread.start()
    asked = lambda: sum(len(each.history) for each in clients)  # noqa: E731
    try:
        for number in range(OFTEN, requests, OFTEN):
            wait_for(lambda number=number: asked() >= number)  # type: ignore[misc]
            fault()
    finally:
        over.set()
        for thread in threads:
            thread.join(2 * PATIENCE)
    assert not any(thread.is_alive() for thread in threads)
    history = [each for client in clients for each in client.history]
    return history + [Operation(c.name, c.unsure[0], None, c.unsure[2]) for c in clients if c.unsure is not None]


def moves(history: list[Operation]) -> list[Operation]:
    """The moves that were confirmed."""
    return [each for each in history if each.asked[0] == "act" and each.answer and each.answer[0] == "ack"]


def spoiled(history: list[Operation]) -> list[Operation]:
    """The same history with one confirmed move lost: a checker that finds nothing wrong with it is worth nothing."""
    confirmed = moves(history)
    return [each for each in history if each is not confirmed[len(confirmed) // 2]]


def new_table(url: str) -> dict[str, Any]:
    body = {"game": "burning_bridges", "options": RULES, "seats": SEATS, "seed": 1}
    return httpx.post(f"{url}/api/tables", json=body, timeout=PATIENCE).json()


def one_server(folder: Path, requests: int, seed: int) -> list[Operation]:
    """Clients of one server that is killed, paused and cut."""
    nursery = Nursery(folder)
    lot, place = random.Random(seed), [nursery.start()]
    table = new_table(place[0])
    known = list(table["tokens"])
    clients = [Client(name, table, lambda: place[0], known, seed * 100 + name) for name in range(4)]

    def fault() -> None:
        if lot.random() < 0.3:
            nursery.kill()
            place[0] = nursery.start()
        elif lot.random() < 0.5:
            os.kill(nursery.pid, signal.SIGSTOP)
            time.sleep(0.2)
            os.kill(nursery.pid, signal.SIGCONT)

    try:
        history = play(clients, requests, fault)
    finally:
        nursery.kill()
        nursery.close()
    acked = [each for each in history if each.answer and each.answer[0] == "ack"]
    assert len(acked) > 10, (len(acked), len(history))
    assert order(history, model(table["tokens"], strict=True)) is not None
    assert order(spoiled(history), model(table["tokens"], strict=True)) is None
    return history


class Steady(random.Random):
    """A client that does only what a test asks of it. cuts: cut the line before the next answer."""

    cuts = False

    def random(self) -> float:
        return 0.0 if self.cuts else 1.0


def steady(live: Live, table: dict[str, Any], *seats: int) -> Client:
    """A client that is at the table with the tokens of these seats."""
    client = Client(0, table, lambda: live.url, list(table["tokens"]), 0)
    client.lot, client.home = Steady(), [table["tokens"][seat] for seat in seats]
    client._come()
    return client


def moves_first(client: Client) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The first choice of a client that has the turn, as it is written down and as it is sent."""
    action, version = client.page.view["choices"][0]["action"], client.page.view["v"]
    return ("act", client.mine, action, version), {"t": "act", "k": secrets.token_hex(16), "v": version, "a": action}


def changes(client: Client, seat: int, do: str) -> None:
    message = {"t": "seat", "k": secrets.token_hex(16), "seat": seat, "do": do}
    client._ask(("seat", client.mine, seat, do), message, time.monotonic())


def explained(table: dict[str, Any], *clients: Client) -> bool:
    history = [each for client in clients for each in client.history]
    return order(history, model(table["tokens"], strict=True)) is not None


def test_a_move_that_was_done_is_refused_when_it_is_repeated_after_the_seat_was_given_away(live: Live) -> None:
    table = new_table(live.url)
    first = steady(live, table, 0)
    changes(first, 0, "substitute")
    asked, message = moves_first(first)
    first.lot.cuts = True
    with pytest.raises(EOFError):
        first._ask(asked, message, time.monotonic())
    first._drop()
    first.lot.cuts = False
    wait_for(lambda: any(event.key == message["k"] for event in live.store.events(table["table"])))
    first._come()
    second = steady(live, {**table, "tokens": first.known[-1:]}, 0)
    assert second.history[-1].answer == (3, (0,)), "the link has taken the seat after the move"
    first._once()
    assert first.unsure is None and explained(table, first, second)


def test_a_copy_of_a_move_that_arrives_after_the_answer_to_its_second_copy_changes_nothing(live: Live) -> None:
    table = live.table("burning_bridges", SEATS, **RULES)
    legal = [choice["action"] for choice in live.page(table, 0).view["choices"]]
    illegal = next(action for action in range(len(legal) + 1) if action not in legal)
    for seat, action, version, code in [(1, legal[0], 0, "turn"), (0, legal[0], 5, "stale"), (0, illegal, 0, "illegal")]:
        late, back = live.page(table, seat), live.page(table, seat)
        key = back.send_act(action, version=version)
        back.refused(code)
        late.send_act(action, key, version)
        late.refused(code)
    late, back = live.page(table, 0), live.page(table, 0)
    key = back.send_act(legal[0])
    version = back.hear("ack")["v"]
    late.send_act(legal[0], key, 0)
    assert late.hear("ack")["v"] == version
    assert [event.key for event in live.store.events(table["table"]) if event.kind == "action"] == [key]


def test_a_client_that_still_sees_a_seat_that_was_left_votes_about_it(live: Live) -> None:
    table = new_table(live.url)
    both, other = steady(live, table, 0, 2), steady(live, table, 1)
    changes(both, 0, "leave")
    assert both.page.view["you"] == [0, 2], "the new view has not been read"
    changes(both, 0, "substitute")
    assert both.history[-1].answer[0] == "ack" and explained(table, both, other)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="servers are forked, so that many can start")
def test_what_clients_were_answered_under_faults_is_what_one_table_would_have_answered(tmp_path: Path) -> None:
    one_server(tmp_path, 300, seed=1)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="servers are forked, so that many can start")
def test_what_clients_were_answered_under_faults_for_long(tmp_path: Path) -> None:
    for seed in range(30):
        (tmp_path / str(seed)).mkdir()
        one_server(tmp_path / str(seed), 1000, seed)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_what_clients_of_two_workers_were_answered_while_the_database_crashed(cluster: Cluster) -> None:
    for seed in range(10):
        lot = random.Random(seed)
        with cluster.workers(2, lost=0.2) as workers:
            table = new_table(workers[0].url)
            known = list(table["tokens"])
            clients = [Client(n, table, lambda n=n: workers[n % 2].url, known, seed * 100 + n) for n in range(4)]  # type: ignore[misc]

            def fault(lot: random.Random = lot) -> None:
                if lot.random() < 0.15:
                    cluster.postgres.kill()
                    time.sleep(0.2)
                    cluster.postgres.start()
                elif lot.random() < 0.3:
                    cluster.postgres.hang_up("postgres")

            history = play(clients, 500, fault)
        history = [each for each in history if not each.answer or each.answer[0] != "rej"]  # a refusal changes nothing
        assert order(history, model(table["tokens"], strict=False)) is not None
        assert order(spoiled(history), model(table["tokens"], strict=False)) is None
