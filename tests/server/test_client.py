"""The Python client: whole games, refusals, and lines that break at the worst moment."""

import random
import socket
from pathlib import Path

import pytest

from bridgehead.client import PERSON, Dismissed, Host, Rejected, Seated, Unreachable, computer
from bridgehead.core import record as records
from bridgehead.core.errors import BridgeheadError
from server.live import Live


@pytest.fixture
def host(live: Live) -> Host:
    return Host(live.url)


def cut(table: Seated) -> None:
    """Break the line as a lost network does: without a goodbye."""
    assert table._socket is not None
    table._socket.socket.shutdown(socket.SHUT_RDWR)


def test_a_game_against_the_computer_is_played_to_its_end(host: Host) -> None:
    chooser = random.Random(1)
    options = {"board": "mini", "seats": 2, "turnLimit": 60}
    with host.create("barricade", [PERSON, computer("random")], options=options, seed=5) as table:
        while table.wait_for_turn()["outcome"] is None:
            table.play(chooser.choice(table.choices)["action"])
        match, _ = records.load(host.record(table.table))
        assert match.outcome is not None and len(match.log) == table.view["v"]
        assert table.view["picture"] is not None and len(table.view["log"]) >= 60


def test_what_the_table_refuses_is_told_with_its_clause(host: Host) -> None:
    with host.create("forty_bridges", [PERSON, PERSON]) as table:
        before = table.view["v"]
        with pytest.raises(Rejected, match="not among the legal actions"):
            table.play("a1-e5")
        legal = {choice["action"] for choice in table.choices}
        with pytest.raises(Rejected) as refused:
            table.play(next(action for action in range(1000) if action not in legal))
        assert refused.value.code == "illegal" and refused.value.clause.startswith("FB")
        assert table.why("f:a1", "f:e5")["clause"].startswith("FB")
        assert table.view["v"] == before
        assert table.play("a2-a3")["v"] == before + 1
        with pytest.raises(Rejected):
            table.undo()  # the other seat is to act


def test_a_decision_is_taken_back(host: Host) -> None:
    options = {"seats": 2, "firstPlayer": "seat0"}
    with host.create("burning_bridges", [PERSON, PERSON], options=options) as table:
        first = table.choices
        assert all(set(choice) == {"action", "text"} for choice in first), "a program is told no more than it needs"
        with host.join(table.table, table.tokens, plain=False) as person:
            assert all(choice["label"] for choice in person.choices) and len(person.choices) == len(first)
        table.play("walk L B0")
        assert table.view["undo"] and table.choices != first
        assert table.undo()["choices"] == first


def test_a_broken_line_is_mended_and_an_action_is_done_once(host: Host) -> None:
    with host.create("forty_bridges", [PERSON, PERSON]) as table, host.join(table.table) as watcher:
        cut(table)
        table.play("a2-a3")
        cut(table)
        table.play("e4-e3")
        assert watcher.wait_until(lambda view: len(view["log"]) == 2, 10)["v"] == 2
        cut(watcher)
        table.play(table.choices[0]["action"])
        assert watcher.wait_until(lambda view: view["v"] == 3, 10)["log"][0] == table.view["log"][0]


def test_a_free_seat_is_claimed_kept_over_a_broken_line_and_people_talk(host: Host) -> None:
    with host.create("forty_bridges", [PERSON, {**PERSON, "open": True}]) as table, host.join(table.table) as guest:
        assert table.view["you"] == [0] and guest.view["you"] == []
        assert guest.claim(1, "Ben")["you"] == [1] and len(guest.tokens) == 1
        with pytest.raises(Rejected) as refused:
            table.claim(1)
        assert refused.value.code == "illegal"
        table.play("a2-a3")
        cut(guest)
        guest.wait_for_turn()
        guest.play(guest.choices[0]["action"])
        guest.say("Hello")
        table.say(react="nice")
        with pytest.raises(Rejected):
            table.say(react="no such thing")
        with host.join(table.table) as late:
            late.why("f:a1")  # what is said comes after the view
            told = [(line["seat"], line.get("text") or line["react"]) for line in late.chat]
            assert told == [(1, "Hello"), (0, "nice")] and late.people["seats"][1]["state"] == "here"
    assert all(each["table"] != table.table for each in host.lobby()), "tables are private"


def test_who_has_no_seat_or_no_table_is_told_so(host: Host) -> None:
    with host.create("forty_bridges", [PERSON, PERSON]) as table:
        with pytest.raises(Dismissed) as dismissed:
            host.join(table.table, ["A" * 32])
        assert dismissed.value.where == "token"
    with pytest.raises(Dismissed):
        host.join("QQQQQ")
    with pytest.raises(BridgeheadError, match="chess"):
        host.create("chess")
    with pytest.raises(BridgeheadError) as wrong:
        host.create("barricade", options={"nothing": 1})
    assert wrong.value.where == "nothing"


def test_a_server_that_is_gone_is_told_after_some_patience(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.client.RETRIES", 2)
    running = Live(tmp_path)
    table = Host(running.url).create("forty_bridges", [PERSON, PERSON])
    running.stop()
    with pytest.raises(Unreachable, match="could not be restored"):
        table.play("a2-a3")
    with pytest.raises(Unreachable, match="does not answer"):
        Host(running.url).games()


def test_a_server_that_comes_back_has_the_action_once(own: Live) -> None:
    table = Host(own.url).create("forty_bridges", [PERSON, PERSON])
    own.restart()
    table.host = Host(own.url)
    assert table.play("a2-a3")["v"] == 1
    table.leave()


def test_the_games_are_listed(host: Host) -> None:
    assert {game["id"] for game in host.games()} >= {"barricade", "forty_bridges"}
