"""People at several workers: what is said, who is there, and what the others decide do not depend on where they came in."""

import json

import pytest

from server import test_classroom as classroom
from server.cluster import Cluster
from server.test_chat import FOUR, TEAMS, after, heard, speak
from server.test_lobby import enter, listed
from server.test_opponents import ask, wait
from server.test_seats import SOON, come, decide, state, until

pytestmark = pytest.mark.wide


def test_a_line_said_at_one_worker_is_heard_at_the_other_and_a_teams_line_by_the_team_alone(cluster: Cluster) -> None:
    with cluster.workers(2) as (one, other):
        table = one.table("barricade", FOUR, **TEAMS)
        ada, ben = one.page(table, 0), one.page(table, 1)
        cleo, dan, watcher, host = (other.page(table, *seats, host=not seats) for seats in ((2,), (3,), (1,), ()))
        assert speak(ada, "for the team", "team")["t"] == "ack"
        ada.say(t="point", at="f:canary")
        assert speak(ben, "for all")["t"] == "ack"
        for page in (cleo, dan, watcher, host):
            until(page, lambda it: heard(it) and heard(it)[-1].get("text") == "for all")
        assert [(line["text"], line["team"]) for line in heard(cleo)] == [("for the team", True), ("for all", False)]
        assert "f:canary" in json.dumps(cleo.heard)
        for page in (dan, watcher, host, after(ben), after(other.page(table, 3)), after(other.page(table))):
            assert [line["text"] for line in heard(page)] == ["for all"]
            assert "for the team" not in json.dumps(page.heard) and "f:canary" not in json.dumps(page.heard)
        assert [line["text"] for line in heard(after(other.page(table, 2)))] == ["for the team", "for all"], "who comes later"


def test_a_seat_is_listed_claimed_and_told_of_at_every_worker(cluster: Cluster) -> None:
    with cluster.workers(2) as (one, other):
        table = one.table(seats=[{"kind": "person"}, {"kind": "person", "open": True}])
        host = one.page(table, 0, host=True)
        enter(host)
        assert [each["table"] for each in listed(other)] == [table["table"]]
        guest = come(other, table["table"])
        until(guest, lambda it: state(it, 0) == "here")
        token = decide(guest, 1, "claim", name="Ben")
        until(host, lambda it: state(it, 1) == "here" and it.view["seats"][1]["name"] == "Ben")
        after(guest)
        assert listed(one) == listed(other) == []
        assert come(one, table["table"], token).view["you"] == [1]


def test_people_who_ask_different_workers_find_each_other(cluster: Cluster) -> None:
    with cluster.workers(2) as (one, other):
        ada, ben = wait(one, name="Ada"), wait(other, name="Ben")
        assert ask(one, ada)["table"] == ""
        seats = ask(other, ben), ask(one, ada)
        assert seats[0]["table"] == seats[1]["table"] != "" and ask(one, ben)["token"] == seats[0]["token"]
        pages = [one.page({"table": seat["table"], "tokens": [seat["token"]]}, 0) for seat in seats]
        assert sorted(page.view["you"][0] for page in pages) == [0, 1]


def test_the_others_decide_together_wherever_they_came_in(cluster: Cluster) -> None:
    with cluster.workers(2, limits=SOON) as (one, other):
        table = one.table("barricade", FOUR)
        ada, ben, cleo = one.page(table, 0), other.page(table, 1), other.page(table, 2)
        for page in (ada, ben, cleo):
            until(page, lambda it: [state(it, seat) for seat in range(4)] == ["here"] * 3 + ["away"])
            until(page, lambda it: "computer" in it.people["seats"][3]["ask"])
        decide(ada, 3, "computer", level="random")
        until(ben, lambda it: it.people["seats"][3]["votes"])
        assert ben.people["seats"][3]["votes"] == [{"do": "computer", "level": "random", "by": [0], "of": 2}]
        decide(ben, 3, "computer", level="random")
        for page in (ada, cleo):
            until(page, lambda it: state(it, 3) == "computer" and not it.people["seats"][3]["votes"])


def test_a_pause_and_a_message_of_the_host_reach_the_tables_of_every_worker(cluster: Cluster) -> None:
    with cluster.workers(2, host_key=classroom.KEY) as (one, other):
        tables = [one.table(), other.table()]
        pages = [one.page(tables[0], 0, 1), other.page(tables[1], 0, 1)]
        for page in pages:
            page.act(page.view["choices"][0]["text"])
        assert set(classroom.look(one)["order"]) == {table["table"] for table in tables}
        assert classroom.do(one, "pause") == {"tables": 2, "failed": 0}
        assert classroom.do(one, "say", k="a" * 32, text="Lunch") == {"tables": 2, "failed": 0}
        for page in pages:
            until(page, lambda it: "host" in it.view.get("paused", ""))
            until(page, lambda it: any(line.get("text") == "Lunch" and line["seat"] == -2 for line in heard(it)))
        assert classroom.do(other, "resume")["tables"] == 2
        for page in pages:
            until(page, lambda it: not it.view.get("paused"))
            page.act(page.view["choices"][0]["text"])
