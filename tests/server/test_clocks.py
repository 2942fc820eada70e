"""Clocks: their sums, what a log makes of them, and what they do at a table."""

import json
import secrets
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from bridgehead.client import PERSON, Host, Rejected
from bridgehead.core import record
from bridgehead.server.messages.tables import ClockWish
from bridgehead.server.storage.sqlite import Event
from bridgehead.server.tables.clocks import CREDIT, MOST_CREDIT, first_clock
from bridgehead.server.tables.event_bodies import Charged
from server.live import PEOPLE, Live, Serve
from server.test_class_seats import FREE, arrive, do, person, swap
from server.test_classroom import KEY

ONE, TWO = 0, 1
STEPS = st.lists(
    st.tuples(st.sampled_from(["act", "turn", "undo", "lag", "pause"]), st.integers(0, 5000), st.integers(0, 3000)), max_size=60
)


@given(STEPS, st.integers(1, 60), st.integers(0, 10))
def test_the_sums_are_right_and_nobody_is_credited_beyond_the_quota(steps: Any, bank: int, increment: int) -> None:
    now, lags = 100.0, [0, 0]
    again = first_clock(ClockWish(bank=bank, increment=increment), 2, now)
    seat, length, gains, spent, credit, seconds = ONE, 0, [0, 0], [0, 0], [0, 0], [0, 0]
    clock = again.run(seat, True, now)
    for what, passed, lag in steps:
        now += passed / 1000
        if what == "lag":
            lags[seat] = lag
            continue
        event, before = (
            Event(1, "", "action", 0, 0, "person", 0.0, Charged(clock.charge_time(now, lags[seat])).json),
            clock.left[seat],
        )
        told = json.loads(event.body)
        if told:
            _, ms, credited = told["clock"]
            assert 0 <= ms <= before and 0 <= credited <= min(lags[seat], clock.measure_elapsed(now))
            assert ms == before or ms + credited == clock.measure_elapsed(now)
            spent[seat], credit[seat], seconds[seat] = spent[seat] + ms, credit[seat] + credited, seconds[seat] + 1
        length += what in ("act", "turn")
        charge = clock.charge_of(event)
        if charge is not UNSET:
            clock, again = clock.charge(charge), again.charge(charge)
        if what == "turn":  # what was measured, and what follows from the log alone
            clock, again = clock.gain(seat, length), again.gain(seat, length)
        gains[seat] += what == "turn"
        assert clock.left[seat] == bank * 1000 + gains[seat] * increment * 1000 - spent[seat] >= 0
        assert credit[seat] <= MOST_CREDIT + CREDIT * gains[seat]
        seat = 1 - seat if what == "turn" else seat
        clock = clock.run(None if what == "pause" else seat, True, now).run(seat, False, now)
    assert again.left == clock.left


def test_an_increment_goes_back_with_an_undo_and_stays_with_a_takeback() -> None:
    for free, left in ((True, 10_000), (False, 15_000)):
        clock = first_clock(ClockWish(bank=10, increment=5), 2, 0.0).gain(ONE, 1).shrink(0, free)
        assert clock.left == (left, 10_000)
        assert clock.shrink(0, free).left == (left, 10_000)


def test_a_clock_rings_when_the_bank_and_the_credit_for_the_line_are_spent() -> None:
    clock = first_clock(ClockWish(bank=2), 2, 5.0)
    assert clock.remaining(5.0, 0) is None
    running = clock.run(ONE, True, 5.0)
    assert running.remaining(5.0, 0) == 2 and clock.running is None, "a value"
    assert running.remaining(5.0, 300) == 2.3
    assert running.remaining(5.0, 30_000) == 2 + MOST_CREDIT / 1000
    assert running.remaining(65.0, 30_000) == 0 and running.charge_time(65.0, 30_000) == (ONE, 2000, MOST_CREDIT)


@pytest.mark.parametrize(
    "clock", [{}, {"nudge": 5, "bank": 5}, {"increment": 5}, {"nudge": 5, "increment": 1}, {"bank": -1}, {"bank": 9e9}, {"by": 1}]
)
def test_a_clock_that_makes_no_sense_is_refused(live: Live, clock: dict[str, Any]) -> None:
    answer = live.http.post("/api/tables", json={"game": "forty_bridges", "seats": PEOPLE, "clock": clock})
    assert answer.status_code == 400 and "clock" in answer.json()["where"]


def timed(live: Live, game: str = "forty_bridges", seats: Any = PEOPLE, options: Any = None, **clock: int) -> dict[str, Any]:
    body = {"game": game, "seats": seats, "seed": 1, "clock": clock, "options": options or {}}
    return live.http.post("/api/tables", json=body).json()


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let so many seconds pass at once, for the clocks of tables and for the measuring of connections."""
    ahead = [0.0]

    def pass_by(seconds: float) -> None:
        ahead[0] += seconds

    clock = SimpleNamespace(time=time.time, monotonic=lambda: time.monotonic() + ahead[0])
    for module in ("tables.state", "connections.connection"):
        monkeypatch.setattr(f"bridgehead.server.{module}.time", clock)
    return pass_by


def test_a_clock_runs_once_everybody_has_been_there_and_what_is_spent_is_in_the_log(
    live: Live, passes: Callable[[float], None]
) -> None:
    table = timed(live, bank=60, increment=5)
    ada = live.page(table, 0)
    assert ada.view["clock"] == {"running": None, "elapsed": 0, "bank": 60, "increment": 5, "left": [60_000, 60_000]}
    ada.act("a2-a3")  # at leisure: Ben has not come yet
    begun = time.monotonic()
    ben = live.page(table, 1)
    assert ada.until(lambda view: view["clock"]["running"] == 1)["clock"]["left"] == [65_000, 60_000]
    passes(20)
    ben.act(ben.view["choices"][0]["text"])
    clock = ben.view["clock"]
    spent = 65_000 - clock["left"][1]
    assert 20_000 <= spent <= 20_001 + 1000 * (time.monotonic() - begun) and clock["running"] == 0 and clock["left"][0] == 65_000
    stored = live.store.events(table["table"])
    assert [event.kind for event in stored] == ["came", "action", "came", "action"]
    assert json.loads(stored[-1].body) == {"clock": [1, spent, json.loads(stored[-1].body)["clock"][2]]}
    assert "clock" not in live.page(live.table(), 0).view, "the default is none"


def test_a_clock_runs_also_once_the_last_person_has_taken_a_seat_by_the_code(live: Live) -> None:
    """It waited until that person came again."""
    table = timed(live, bank=60, seats=[{"kind": "person"}, {"kind": "person", "open": True}])
    ada, guest = live.page(table, 0), live.page(table)
    assert guest.view["clock"]["running"] is None
    guest.say(t="seat", k=secrets.token_hex(16), seat=1, do="claim")
    assert ada.until(lambda view: view["clock"]["running"] == 0)


def test_a_restart_gives_the_clocks_back_and_flags_nobody(passes: Callable[[float], None], own: Live) -> None:
    table = timed(own, bank=600)
    page = own.page(table, 0, 1)
    page.act("a2-a3")
    left = page.view["clock"]["left"]
    passes(400)
    own.stop()
    passes(400)  # the bank would be empty by now
    own.start()
    page = own.page(table, 0, 1)
    assert page.view["clock"]["left"] == left and page.view["clock"]["elapsed"] < 400_000
    passes(200)
    view = page.act(page.view["choices"][0]["text"])
    assert view["outcome"] is None and view["clock"]["left"][1] <= left[1] - 200_000


def test_the_wall_clock_neither_gives_nor_takes(monkeypatch: pytest.MonkeyPatch, own: Live) -> None:
    table = timed(own, bank=3600)
    page = own.page(table, 0, 1)
    wall = time.time
    for jump in (-7200, 7200, 0):
        monkeypatch.setattr(time, "time", lambda jump=jump: wall() + jump)
        page.act(page.view["choices"][0]["text"])
    left = page.view["clock"]["left"]
    assert all(3_000_000 < each <= 3_600_000 for each in left)
    own.restart()
    assert own.page(table, 0, 1).view["clock"]["left"] == left


def test_with_two_sides_whoever_runs_out_of_time_has_lost_and_the_record_says_so(live: Live) -> None:
    table = timed(live, bank=1)
    ada = live.page(table, 0)
    ada.act("a2-a3")
    ben = live.page(table, 1)
    view = ada.until(lambda view: view["outcome"])
    assert view["outcome"] == {
        "reason": "out of time", "clause": "", "text": "Blue has run out of time. Black wins.", "winners": [0],
    }  # fmt: skip
    assert view["clock"]["left"][1] == 0 and view["clock"]["running"] is None and view["actor"] == -2
    ben.until(lambda view: view["outcome"])
    assert "choices" not in ben.view and ben.view["may"] == []
    ben.send_act(0)
    ben.refused("closed")
    text = live.http.get(f"/api/tables/{table['table']}/record").text
    assert "\nresult: out of time, seat 1 wins\nended: seat 2 out of time\n" in text
    match, names = record.load(text)
    assert record.dump(match, names) == text


def test_with_three_sides_nobody_loses_by_time_and_an_increment_brings_one_back(live: Live) -> None:
    table = timed(live, "barricade", [PEOPLE[0]] * 3, {"seats": 3}, bank=1, increment=2)
    page = live.page(table, 0, 1, 2)
    view = page.until(lambda view: any(seat.get("late") for seat in view["seats"]))
    late = view["actor"]
    assert view["outcome"] is None and view["choices"] and view["clock"]["left"][late] == 0 and view["clock"]["running"] is None
    while page.view["actor"] == late:
        page.act(page.view["choices"][0]["text"])
    assert page.view["clock"]["left"][late] == 2000 and not any(seat.get("late") for seat in page.view["seats"])
    assert page.view["clock"]["running"] == page.view["actor"] != late


def test_who_hands_a_seat_to_the_computer_and_takes_it_back_gains_no_time(passes: Callable[[float], None], own: Live) -> None:
    table = timed(own, bank=600)
    page = own.page(table, 0, 1)
    assert page.view["clock"]["running"] == 0
    passes(400)
    for wish in ({"do": "name", "name": "Ada"}, {"do": "computer", "level": "random"}, {"do": "back"}):
        page.say(t="seat", k=secrets.token_hex(16), seat=0, **wish)
        page.hear("ack")
    left = page.until(lambda view: view["seats"][0]["kind"] == "person" and view["names"][0] == "Ada")["clock"]["left"]
    assert left[0] <= 200_000 and left[1] == 600_000
    own.restart()
    assert own.page(table, 0, 1).view["clock"]["left"] == left, "as the log says"


def test_computers_are_not_clocked(live: Live) -> None:
    table = timed(live, seats=[PEOPLE[0], {"kind": "computer", "level": "greedy"}], bank=20)
    page = live.page(table, 0)
    assert page.view["clock"]["running"] == 0
    page.act("a2-a3")
    assert page.view["clock"]["running"] is None
    view = page.until(lambda view: view["actor"] == 0)
    assert view["clock"]["running"] == 0 and view["clock"]["left"][1] == 20_000


def test_a_pause_stops_the_clock_and_a_reminder_takes_nothing(live: Live, passes: Callable[[float], None]) -> None:
    table = timed(live, bank=600)
    page = live.page(table, 0, 1)
    page.say(t="ask", k=secrets.token_hex(16), v=page.view["v"], what="pause")
    view = page.until(lambda view: "paused" in view)
    assert view["clock"]["running"] is None
    passes(700)
    page.say(t="ask", k=secrets.token_hex(16), v=page.view["v"], what="resume")
    view = page.until(lambda view: "paused" not in view)
    assert view["clock"]["running"] == 0 and view["outcome"] is None and view["clock"]["left"][0] > 300_000
    nudged = live.page(timed(live, nudge=1), 0, 1)
    assert nudged.view["clock"]["running"] == 0
    passes(2)
    nudged.act("a2-a3")
    assert nudged.view["outcome"] is None and nudged.view["clock"]["nudge"] == 1 and "left" not in nudged.view["clock"]


@pytest.mark.parametrize("later", ["another pupil", "nobody at first"])
def test_whoever_gets_a_seat_in_a_class_has_all_its_time(serve: Serve, passes: Callable[[float], None], later: str) -> None:
    own = serve(host_key=KEY)
    table = timed(own, bank=60, seats=[person("Ada"), person("Ben")])
    spare = own.table(seats=[person("Cleo"), FREE])
    ada, _ = own.page(table, 0), own.page(table, 1)
    ada.until(lambda view: view["clock"]["running"] == 0)
    passes(20)
    do(own, "pause")
    assert ada.until(lambda view: "paused" in view)["clock"]["left"][0] < 41_000
    do(own, "resume")
    swap(own, table, 0, spare, 0 if later == "another pupil" else 1)
    if later == "another pupil":
        new = arrive(own, spare, spare["tokens"][0])
    else:
        new = own.page(table)
        assert new.view["clock"]["running"] is None, "an empty seat spends no time"
        new.say(t="seat", k=secrets.token_hex(16), seat=0, do="claim")
    clock = new.until(lambda view: view["clock"]["running"] == 0)["clock"]
    assert clock["left"] == [60_000, 60_000]
    own.restart()
    assert own.page(table, 1).view["clock"]["left"] == [60_000, 60_000]


def test_a_line_is_credited_by_what_the_server_measures_and_no_more_than_the_quota(
    live: Live, passes: Callable[[float], None]
) -> None:
    table = timed(live, bank=60)
    page = live.page(table, 0, 1)
    nonce = page.hear("lag")["n"]
    page.say(t="lag", n=nonce + 1)  # a guess counts for nothing
    passes(5)
    page.say(t="lag", n=nonce)  # held back, to seem far away
    page.say(t="lag", n=nonce)
    page.act("a2-a3")
    seat, spent, credit = json.loads(live.store.events(table["table"])[-1].body)["clock"]
    assert seat == 0 and credit == MOST_CREDIT and spent >= 5000 - MOST_CREDIT
    total = credit
    for _ in range(6):
        page.say(t="lag", n=page.hear("lag")["n"])
        page.act(page.view["choices"][0]["text"])
        seat, _, credit = json.loads(live.store.events(table["table"])[-1].body)["clock"]
        total += credit * (seat == 0)
    assert total <= MOST_CREDIT + 4 * CREDIT


def test_a_second_server_on_the_same_log_flags_nobody_whose_move_it_has_not_heard_of(serve: Serve) -> None:
    first, second = serve(), serve()
    table = timed(first, bank=1, increment=600)
    first.app.state.tables._open[table["table"]].result().now = lambda: 0.0  # nobody spends any time there
    page = first.page(table, 0, 1)
    watcher = second.page(table)
    began, told = watcher.view["v"], {}
    for _ in range(4):  # from the third on both have plenty of time, as only one server knows
        page.act(page.view["choices"][0]["text"])
        told[page.view["v"]] = page.view["clock"]["left"]
    view = watcher.until(lambda view: view["v"] > began)  # the second server looks when its clock has run out
    assert view["outcome"] is None and view["clock"]["left"] == told[view["v"]]
    first.stop()


def test_an_ask_on_another_server_gives_no_time_back(serve: Serve, passes: Callable[[float], None]) -> None:
    first, second = serve(), serve()
    table = timed(first, bank=30)
    ada, ben = first.page(table, 0), first.page(table, 1)
    ada.until(lambda view: view["clock"]["running"] == 0)
    friend = second.page(table, 1)
    passes(20)
    friend.say(t="ask", k=secrets.token_hex(16), v=friend.view["v"], what="draw")
    friend.hear("ack")
    ada.act("a2-a3")  # finds the log longer than it was
    assert ada.view["clock"]["left"][0] <= 10_000
    ben.until(lambda view: view["actor"] == 1)
    first.stop()


def test_the_client_asks_answers_and_lets_the_line_be_measured(live: Live) -> None:
    host = Host(live.url)
    both = host.create("forty_bridges", [PERSON, PERSON], clock={"bank": 60})
    ada, ben = host.join(both.table, both.tokens[:1]), host.join(both.table, both.tokens[1:])
    both.leave()
    ada.play("a2-a3")
    ada.ask("draw")
    ben.wait_until(lambda view: "ask" in view, 5)
    assert not ben.answer(False)["ask"]["open"]
    with pytest.raises(Rejected):
        ada.withdraw()
    ben.play(ben.choices[0]["action"])
    assert ada.wait_for_turn()["clock"]["running"] == 0
    assert ada.ask("resign")["outcome"]["winners"] == [1]
    ada.leave()
    ben.leave()
    bodies = [json.loads(event.body) for event in live.store.events(both.table) if event.body]
    assert any(body["clock"][2] > 0 for body in bodies if "clock" in body), "the client answers, so its line is credited"
