"""How long each seat took: what the log's times say, told to the host, and to everybody at the end."""

import secrets

from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables.thinking_times import spans, summary
from server.live import Live


def event(version: int, time: float, actor: int = 0, kind: str = "action", by: str = "person") -> Event:
    return Event(version, str(version), kind, actor, 0, by, time)


def test_a_decision_counts_from_when_the_position_stood_and_pauses_do_not() -> None:
    log = [
        event(1, 90.0, by="fork"),
        event(2, 100.0),  # nobody knows since when it was thought about
        event(3, 103.0, 1),
        event(4, 103.0, -1, by="chance"),
        event(5, 104.5, 1),
        event(6, 104.6, 1, "undo"),
        event(7, 110.6, 1),
        event(8, 111.0, 0, "pause"),
        event(9, 511.0, 0, "resume"),
        event(10, 512.0),
        event(11, 512.5, 1, by="captain"),
        event(12, 515.0, 0, "ask"),
        event(13, 516.5),
        event(14, 510.0, 1),  # the wall clock went back
    ]
    assert [(seat, round(took, 6)) for seat, took in spans(log)] == [(1, 3), (1, 1.5), (1, 6), (0, 1.4), (0, 4), (1, 0)]


def test_half_and_nine_of_ten_are_what_they_say() -> None:
    log = [event(version, float(version * (version + 1) // 2)) for version in range(21)]  # it takes 1, 2, ... 20 seconds
    (seat, other) = summary(log, 2)
    assert (seat.decisions, seat.half, seat.most) == (20, 10.5, 18.0)
    assert (other.decisions, other.half, other.most) == (0, None, None)


def test_the_host_is_told_how_long_each_seat_took_and_at_the_end_everybody(live: Live) -> None:
    table = live.table()
    page = live.page(table, 0, 1, host=True)
    for _ in range(4):
        page.act(page.view["choices"][0]["text"])
    path = f"/api/tables/{table['table']}/times"
    for stranger in ({}, {"host": ""}, {"host": table["tokens"][0]}):
        answer = live.http.post(path, json=stranger, headers={"accept-language": "de"})
        assert answer.status_code == 400 and answer.json()["error"].startswith("bis das Spiel zu Ende ist"), answer.text
    seats = live.http.post(path, json={"host": table["host"]}).json()["seats"]
    assert [seat["decisions"] for seat in seats] == [1, 2], "the first is nobody's"
    assert all(0 <= seat["half"] <= seat["most"] for seat in seats)
    page.say(t="ask", k=secrets.token_hex(16), v=page.view["v"], what="resign")
    page.hear("ack")
    assert page.hear("view")["outcome"]
    assert live.http.post(path, json={}).json()["seats"] == seats
